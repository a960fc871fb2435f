/* SPDX-License-Identifier: MIT */
/* Finds a table along CGCTAB_DATA_PATH, reads and maps it. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../format/tmpfile.h"
#include "cgctab_internal.h"

static const cgct_file no_file = {-1, 0, NULL};

/* dir of ndir bytes, '/', name; ndir 0: name alone.  NULL: no memory. */
static char *join_folder(const char *dir, size_t ndir, const char *name)
{
    char *path = (char *)malloc(ndir + strlen(name) + 2);
    if (!path) return NULL;
    memcpy(path, dir, ndir);
    if (ndir) path[ndir++] = '/';
    strcpy(path + ndir, name);
    return path;
}

/* Where the file is: *found is name itself or the first hit along the colon list. */
static cgct_status find_table_file(const char *name, int search, char **found, cgct_err *err)
{
    struct stat st;
    const char *list = getenv("CGCTAB_DATA_PATH");
    *found = join_folder("", 0, name);
    if (!*found) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", name);
    if (!search || strchr(name, '/') || stat(name, &st) == 0) return CGCT_OK;
    for (const char *p = list; p && *p;) {
        size_t n = strcspn(p, ":");
        char *path = n ? join_folder(p, n, name) : NULL;
        if (path && stat(path, &st) == 0) {
            free(*found);
            *found = path;
            return CGCT_OK;
        }
        free(path);
        p += n + (p[n] == ':');
    }
    free(*found);
    *found = NULL;
    return cgct_fail(err, CGCT_E_IO, "%s: No such file or directory here%s%s", name,
                     list ? " nor along CGCTAB_DATA_PATH=" : "; CGCTAB_DATA_PATH is not set",
                     list ? list : "");
}

cgct_status cgct_file_open(cgct_file *f, const char *path, int search, cgct_err *err)
{
    struct stat st;
    *f = no_file;
    CGCT_TRY(find_table_file(path, search, &f->path, err));
    /* Checked before open: opening a FIFO would wait for its writer. */
    if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
        cgct_status bad = cgct_fail(err, CGCT_E_IO, "%s: %s", f->path,
                                    S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file");
        cgct_file_close(f);
        return bad;
    }
    f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &st) != 0) {
        cgct_status bad = cgct_fail_errno(err, f->path, "cannot open", errno);
        cgct_file_close(f);
        return bad;
    }
    f->size = (uint64_t)st.st_size;
    return CGCT_OK;
}

cgct_status cgct_file_read(const cgct_file *f, uint64_t at, void *out, size_t n, cgct_err *err)
{
    char *p = (char *)out;
    while (n) {
        ssize_t got = pread(f->fd, p, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cgct_fail_errno(err, f->path, "cannot read", errno);
        if (got == 0)
            return cgct_fail(err, CGCT_E_IO, "%s: ends at byte %" PRIu64 " while it is being read",
                             f->path, at);
        p += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return CGCT_OK;
}

const uint8_t *cgct_file_map(const cgct_file *f, cgct_err *err)
{
    void *map = MAP_FAILED;
    errno = EFBIG;
    if (f->size <= SIZE_MAX) map = mmap(NULL, (size_t)f->size, PROT_READ, MAP_PRIVATE, f->fd, 0);
    if (map != MAP_FAILED) return (const uint8_t *)map;
    cgct_fail_errno(err, f->path, "cannot map into memory", errno);
    return NULL;
}

void cgct_file_unmap(const uint8_t *map, uint64_t size)
{
    if (map) munmap((void *)(uintptr_t)map, (size_t)size);
}

void cgct_file_close(cgct_file *f)
{
    if (f->fd >= 0) close(f->fd);
    free(f->path);
    *f = no_file;
}
