/* SPDX-License-Identifier: MIT */
/* tmpfile.h: a file that appears under its name only when complete: temporary name beside it,
 * fsync, rename, fsync of the directory. */
#ifndef CGCT_TMPFILE_H
#define CGCT_TMPFILE_H
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct {
    int fd;       /* -1: none */
    char *path;   /* final name */
    char *tmp;    /* temporary name; NULL once committed */
    uint64_t end; /* bytes appended */
} cgct_tmpfile;

static inline cgct_tmpfile cgct_tmpfile_none(void)
{
    const cgct_tmpfile none = {-1, NULL, NULL, 0};
    return none;
}

/* Refuses a path that exists and is not a regular file: renaming over a device would replace it. */
cgct_status cgct_tmpfile_open(cgct_tmpfile *f, const char *path, cgct_err *err);
cgct_status cgct_tmpfile_append(cgct_tmpfile *f, const void *data, size_t n, cgct_err *err);
cgct_status cgct_tmpfile_write_at(cgct_tmpfile *f, uint64_t at, const void *data, size_t n,
                                  cgct_err *err);
cgct_status cgct_tmpfile_commit(cgct_tmpfile *f, cgct_err *err);
/* Closes, removes what was not committed, frees; accepts cgct_tmpfile_none(). */
void cgct_tmpfile_discard(cgct_tmpfile *f);

/* E_IO, "PATH: WHAT: reason", or "PATH: reason" where what is NULL; code: errno. */
cgct_status cgct_fail_errno(cgct_err *err, const char *path, const char *what, int code);
/* Writes all of it; path: for the message. */
cgct_status cgct_write_at(int fd, const char *path, uint64_t at, const void *data, size_t n,
                          cgct_err *err);
/* A new name is durable only once its directory is synced.  path: of the file.  A directory that
 * may not be read (EACCES) or a file system without this operation (EINVAL) is no failure: the file
 * is complete.  Returns 0 or errno. */
int cgct_sync_directory(const char *path);
#endif
