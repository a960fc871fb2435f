/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h: run a command line in a folder of the test's own and keep what it prints. */
#ifndef COMMAND_H
#define COMMAND_H
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif
#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif
#define GENERATE BIN_DIR "/cgctab-generate "
/* Comes before the largest number of blocks of a file.  Counts of `make coverage`, which are cut
 * off, too, go to a folder of their own. */
#define LIMIT_FILES "export GCOV_PREFIX=$CUT_COUNTS; ulimit -f "

typedef struct {
    char folder[32];      /* working directory of all commands */
    char output[1 << 16]; /* standard output and error of the last one */
} command_place;

static command_place place; /* of the test that runs */

static void setup(void)
{
    strcpy(place.folder, "/tmp/cgct_command_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place.folder));
}

static void teardown(void)
{
    char line[64];
    snprintf(line, sizeof line, "rm -rf %s", place.folder);
    ck_assert_int_eq(system(line), 0);
}

static inline void command_write(const command_place *p, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_ge(fputs(text, f), 0);
    ck_assert_int_eq(fclose(f), 0);
}

/* Exit status, or 128 + signal. */
static inline int command_run(command_place *p, const char *command)
{
    char line[4096];
    int n = snprintf(line, sizeof line, "cd %s && { %s ; } 2>&1 </dev/null", p->folder, command);
    ck_assert_int_lt(n, (int)sizeof line);
    FILE *f = popen(line, "r");
    ck_assert_ptr_nonnull(f);
    p->output[fread(p->output, 1, sizeof p->output - 1, f)] = 0;
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Fails with that status in one line that contains both texts. */
static inline void command_fails(command_place *p, const char *command, int want, const char *a,
                                 const char *b)
{
    int got = command_run(p, command);
    const char *end = strchr(p->output, '\n');
    ck_assert_msg(got == want, "%s: status %d, want %d: %s", command, got, want, p->output);
    ck_assert_msg(end && !end[1], "%s: not one line: %s", command, p->output);
    ck_assert_msg(strstr(p->output, a) && strstr(p->output, b), "%s: <%s>, want <%s>, <%s>",
                  command, p->output, a, b);
}
#endif
