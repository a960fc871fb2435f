/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_run.h: run the program cgctab on a table in a folder of the test's own. */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H
#include <sys/stat.h>
#include <sys/wait.h>

#include "table_fixture.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif

static char folder[PATH_SIZE], table[PATH_SIZE];
static char output[1 << 16], message[4096]; /* of the last run: stdout, stderr */

/* Makes FILE a copy of that table. */
static inline void keep(const char *path)
{
    size_t n;
    uint8_t *bytes = slurp(path, &n);
    spill(table, bytes, n);
    free(bytes);
}

static inline void setup(void)
{
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    keep(GOLDEN_SMALL);
}

static inline void teardown(void)
{
    remove_folder(folder);
}

static inline void read_text(const char *path, char *text, size_t size)
{
    size_t n;
    uint8_t *bytes = slurp(path, &n);
    ck_assert_uint_lt(n, size);
    memcpy(text, bytes, n);
    text[n] = 0;
    free(bytes);
}

/* "cgctab ARGUMENTS" with FILE standing for the table; returns the exit status. */
static inline int run(const char *input, const char *arguments)
{
    char command[2048], args[1024], out[PATH_SIZE], err[PATH_SIZE], in[PATH_SIZE];
    const char *file = strstr(arguments, "FILE");
    if (file)
        snprintf(args, sizeof args, "%.*s%s%s", (int)(file - arguments), arguments, table,
                 file + 4);
    else
        snprintf(args, sizeof args, "%s", arguments);
    path_in(folder, "out", out);
    path_in(folder, "err", err);
    path_in(folder, "in", in);
    spill(in, input, strlen(input));
    snprintf(command, sizeof command, "%s/cgctab <%s >%s 2>%s %s", BIN_DIR, in, out, err, args);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status), "%s: killed", command);
    message[0] = output[0] = 0;
    if (!strstr(arguments, ">")) read_text(out, output, sizeof output);
    read_text(err, message, sizeof message);
    return WEXITSTATUS(status);
}

/* Wrong use or failure: that status, one line on stderr with the word, nothing on stdout. */
static inline void fails(const char *arguments, int status, const char *word)
{
    int got = run("", arguments);
    const char *newline = strchr(message, '\n');
    ck_assert_msg(got == status && !strncmp(message, "cgctab: ", 8) && strstr(message, word) &&
                      newline && !newline[1] && !output[0],
                  "cgctab %s: status %d (want %d), wanted '%s' in: %s%s", arguments, got, status,
                  word, message, output);
}
#endif
