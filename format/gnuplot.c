/* SPDX-License-Identifier: MIT */
/* Runs gnuplot and looks at what it left. */
#include "gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tmpfile.h"

int gnuplot_missing(void)
{
    char file[4096];
    const char *path = getenv("PATH");
    if (!path) path = "/bin:/usr/bin"; /* as execlp */
    for (; *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)strcspn(path, ":"), path);
        if (!access(file, X_OK)) return 0;
    }
    return 1;
}

/* The status of gnuplot and the last line of its messages. */
static cgct_status explain(int status, int errors, cgct_err *err)
{
    char text[2048], *line = "";
    const ssize_t n = pread(errors, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    for (char *next, *at = strtok_r(text, "\n", &next); at; at = strtok_r(NULL, "\n", &next))
        if (at[strspn(at, " \t")]) line = at + strspn(at, " \t");
    if (status && *line) return cgct_fail(err, CGCT_E_IO, "gnuplot: %s", line);
    if (WIFSIGNALED(status))
        return cgct_fail(err, CGCT_E_IO, "gnuplot: ended by signal %d", WTERMSIG(status));
    if (!status) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "gnuplot: ended with status %d", WEXITSTATUS(status));
}

cgct_status gnuplot_run(const char *dir, int script, int picture, cgct_err *err)
{
    int status = 0;
    if (gnuplot_missing())
        return cgct_fail(err, CGCT_E_IO, "gnuplot: not found; install the program gnuplot");
    const int errors = cgct_unnamed_file();
    const pid_t child = errors < 0 ? -1 : fork();
    if (child == 0) {
        if (!chdir(dir) && dup2(script, 0) == 0 && dup2(picture, 1) == 1 && dup2(errors, 2) == 2)
            execlp("gnuplot", "gnuplot", (char *)NULL);
        _exit(127);
    }
    cgct_status st = child < 0 ? cgct_fail_errno(err, "gnuplot", NULL, errno) : CGCT_OK;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (st == CGCT_OK) st = explain(status, errors, err);
    if (errors >= 0) close(errors);
    return st;
}

const char *const picture_suffix[PICTURE_FORMS] = {".png", ".svg", ".pdf"};

cgct_status gnuplot_check(int picture, picture_form form, const char *name, cgct_err *err)
{
    static const char *const ends[PICTURE_FORMS] = {"IEND", "</svg>", "%%EOF"};
    const size_t length = strlen(ends[form]);
    char tail[32];
    struct stat st;
    ssize_t n = -1;
    if (!fstat(picture, &st) && st.st_size >= (off_t)sizeof tail)
        n = pread(picture, tail, sizeof tail, st.st_size - (off_t)sizeof tail);
    for (ssize_t i = 0; i + (ssize_t)length <= n; i++)
        if (!memcmp(tail + i, ends[form], length)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO,
                     "%s: gnuplot left it unfinished; is the disk full, or the size of files "
                     "limited (ulimit -f)?",
                     name);
}
