/* SPDX-License-Identifier: MIT */
/* tmpfile.h: the files that programs write.  Each appears under its name only when it is complete:
 * temporary name beside it, fsync, rename, fsync of the directory. */
#ifndef CGCT_TMPFILE_H
#define CGCT_TMPFILE_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

typedef struct {
    int fd;       /* -1: none */
    char *path;   /* final name, for messages */
    char *tmp;    /* temporary name; NULL once committed, and where there is none */
    int to;       /* what the commit copies the text to, where that is no file; -1 */
    uint64_t end; /* bytes appended */
} cgct_tmpfile;

static inline cgct_tmpfile cgct_tmpfile_none(void)
{
    const cgct_tmpfile none = {-1, NULL, NULL, -1, 0};
    return none;
}

/* *file, to be freed: the file that writing to `path` makes or replaces, behind symbolic links.
 * E_USAGE for "" and for "-", standard output, which takes text alone; E_IO for what exists and is
 * not a regular file (renaming over a device would replace it) and for links in a circle. */
cgct_status cgct_output_path(const char *path, char **file, cgct_err *err);

/* A file at cgct_output_path. */
cgct_status cgct_tmpfile_open(cgct_tmpfile *f, const char *path, cgct_err *err);
/* For text, which may also go to a device, a pipe or, with "-", to standard output: it is kept in a
 * file without a name until the commit.  What the program prints meanwhile goes to standard error
 * then, so that nothing is mixed with the text. */
cgct_status cgct_tmpfile_open_text(cgct_tmpfile *f, const char *path, cgct_err *err);
cgct_status cgct_tmpfile_append(cgct_tmpfile *f, const void *data, size_t n, cgct_err *err);
cgct_status cgct_tmpfile_write_at(cgct_tmpfile *f, uint64_t at, const void *data, size_t n,
                                  cgct_err *err);
/* Nothing is in it any more. */
cgct_status cgct_tmpfile_empty(cgct_tmpfile *f, cgct_err *err);
/* No failure: a directory that cannot be synced once the file has its name. */
cgct_status cgct_tmpfile_commit(cgct_tmpfile *f, cgct_err *err);
/* Closes, removes what was not committed, frees; accepts cgct_tmpfile_none(). */
void cgct_tmpfile_discard(cgct_tmpfile *f);
/* Removes all that this process has not committed, before it ends. */
void cgct_tmpfile_clear(void);
/* From here on a signal that ends the process (an interrupt, a closed pipe, a limit on time)
 * does so. */
void cgct_tmpfile_clear_on_signals(void);

/* A text that is printed to f and becomes a file as a whole; paths as in cgct_tmpfile_open_text. */
typedef struct {
    FILE *f;
    cgct_tmpfile file;
    char *path, *text;
    size_t size;
} cgct_textfile;

cgct_status cgct_textfile_open(cgct_textfile *t, const char *path, cgct_err *err);
/* Writes the file unless st is a failure, and frees.  Returns st, or why it cannot be written. */
cgct_status cgct_textfile_close(cgct_textfile *t, cgct_status st, cgct_err *err);

/* A new file without a name in TMPDIR or /tmp, to write and read; -1 and errno. */
int cgct_unnamed_file(void);
/* Whether both paths lead to the same existing file. */
int cgct_same_file(const char *a, const char *b);
/* Whether both would be written to the same file, which need not exist. */
int cgct_same_output(const char *a, const char *b);

/* E_IO, "PATH: WHAT: reason", or "PATH: reason" where what is NULL; code: errno. */
cgct_status cgct_fail_errno(cgct_err *err, const char *path, const char *what, int code);
/* A new name is durable only once its directory is synced.  path: of the file.  A directory that
 * may not be read (EACCES) or a file system without this operation (EINVAL) is no failure: the file
 * is complete.  Returns 0 or errno. */
int cgct_sync_directory(const char *path);
#endif
