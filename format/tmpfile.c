/* SPDX-License-Identifier: MIT */
/* Files that appear under their names only when they are complete. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "tmpfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 1000, NAME_MAX_BYTES = 255 };

/* strerror is not required to be thread-safe; strerror_r of POSIX is. */
cgct_status cgct_fail_errno(cgct_err *err, const char *path, const char *what, int code)
{
    char text[128];
    if (strerror_r(code, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", code);
    return cgct_fail(err, CGCT_E_IO, "%s%s%s: %s", path, what ? ": " : "", what ? what : "", text);
}

/* A writer keeps its file locked; the system drops the lock when the process ends, however it ends.
 */
static int lock_all(int fd)
{
    struct flock all;
    memset(&all, 0, sizeof all);
    all.l_type = F_WRLCK;
    all.l_whence = SEEK_SET;
    return fcntl(fd, F_SETLK, &all);
}

/* Removes path if it is a temporary file whose writer was killed. */
static void remove_stale(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    if (lock_all(fd) == 0) unlink(path);
    close(fd);
}

/* Temporary files of the same target, but for those of this process: it holds their locks itself.
 */
static void remove_all_stale(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t ndir = (size_t)(base - path), nbase = strlen(base);
    char *name = (char *)malloc(ndir + NAME_MAX_BYTES + 1);
    if (!name) return;
    memcpy(name, ndir ? path : ".", ndir ? ndir : 1);
    name[ndir ? ndir : 1] = 0;
    DIR *d = opendir(name);
    for (struct dirent *e; d && (e = readdir(d));) {
        long pid;
        if (strncmp(e->d_name, base, nbase) || strlen(e->d_name) > NAME_MAX_BYTES) continue;
        if (sscanf(e->d_name + nbase, ".part-%ld-", &pid) != 1 || pid == (long)getpid()) continue;
        strcpy(name + ndir, e->d_name);
        remove_stale(name);
    }
    if (d) closedir(d);
    free(name);
}

/* Exclusive creation under path.part-PID-N; another writer of the same target takes another N. */
static int create_beside(const char *path, char *tmp, size_t size)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(tmp, size, "%s.part-%ld-%d", path, (long)getpid(), i);
        int fd = open(tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

cgct_status cgct_tmpfile_open(cgct_tmpfile *f, const char *path, cgct_err *err)
{
    struct stat st;
    *f = cgct_tmpfile_none();
    if (!*path) return cgct_fail(err, CGCT_E_USAGE, "output file name is empty");
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return cgct_fail(err, CGCT_E_IO, "%s: %s; name a file to write", path,
                         S_ISDIR(st.st_mode) ? "is a directory, not a regular file"
                                             : "exists and is not a regular file");
    size_t n = strlen(path) + 48;
    char *copy = (char *)malloc(n), *tmp = (char *)malloc(n);
    int fd = -1, code = ENOMEM;
    if (copy && tmp) {
        strcpy(copy, path);
        remove_all_stale(path);
        fd = create_beside(path, tmp, n);
        code = errno;
        if (fd >= 0) (void)lock_all(fd); /* a file system without locks is no reason to stop */
    }
    if (fd < 0) {
        free(copy);
        free(tmp);
        return cgct_fail_errno(err, path, "cannot create", code);
    }
    f->fd = fd;
    f->path = copy;
    f->tmp = tmp;
    return CGCT_OK;
}

cgct_status cgct_write_at(int fd, const char *path, uint64_t at, const void *data, size_t n,
                          cgct_err *err)
{
    const char *p = (const char *)data;
    while (n) {
        ssize_t done = pwrite(fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return cgct_fail_errno(err, path, "cannot write", done ? errno : ENOSPC);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

cgct_status cgct_tmpfile_write_at(cgct_tmpfile *f, uint64_t at, const void *data, size_t n,
                                  cgct_err *err)
{
    return cgct_write_at(f->fd, f->path, at, data, n, err);
}

cgct_status cgct_tmpfile_append(cgct_tmpfile *f, const void *data, size_t n, cgct_err *err)
{
    CGCT_TRY(cgct_tmpfile_write_at(f, f->end, data, n, err));
    f->end += n;
    return CGCT_OK;
}

int cgct_sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 1;
    char *dir = (char *)malloc(n + 1);
    if (!dir) return ENOMEM;
    memcpy(dir, slash ? path : ".", n);
    dir[n] = 0;
    int fd = open(dir, O_RDONLY | O_CLOEXEC), code = fd < 0 ? errno : 0;
    free(dir);
    if (fd < 0) return code == EACCES ? 0 : code;
    if (fsync(fd) != 0 && errno != EINVAL) code = errno;
    close(fd);
    return code;
}

cgct_status cgct_tmpfile_commit(cgct_tmpfile *f, cgct_err *err)
{
    if (fsync(f->fd) != 0) return cgct_fail_errno(err, f->path, "cannot sync", errno);
    int fd = f->fd;
    f->fd = -1;
    if (close(fd) != 0) return cgct_fail_errno(err, f->path, "cannot close", errno);
    if (rename(f->tmp, f->path) != 0) return cgct_fail_errno(err, f->path, "cannot rename", errno);
    free(f->tmp);
    f->tmp = NULL;
    int code = cgct_sync_directory(f->path);
    if (code == 0) return CGCT_OK;
    unlink(f->path);
    return cgct_fail_errno(err, f->path, "cannot sync its directory", code);
}

void cgct_tmpfile_discard(cgct_tmpfile *f)
{
    if (f->fd >= 0) close(f->fd);
    if (f->tmp) unlink(f->tmp);
    free(f->tmp);
    free(f->path);
    *f = cgct_tmpfile_none();
}
