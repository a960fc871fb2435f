/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_TRIES = 40 }; /* two seconds */

static cgct_status fail_errno(cgct_err *err, const char *path, const char *what, int code)
{
    char text[128];
    if (strerror_r(code, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", code);
    return cgct_fail(err, CGCT_E_IO, "%s: %s: %s", path, what, text);
}

static struct flock whole(int type)
{
    struct flock all;
    memset(&all, 0, sizeof all);
    all.l_type = (short)type;
    all.l_whence = SEEK_SET;
    return all;
}

static cgct_status held_by_other(int fd, const char *path, int type, cgct_err *err)
{
    struct flock other = whole(type);
    if (fcntl(fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: another run is writing it (process %ld); wait for it, "
                         "or name another output file",
                         path, (long)other.l_pid);
    return CGCT_OK;
}

/* A process that was killed holds its locks until the system has cleared it away. */
static int wait_a_little(int *tries)
{
    const struct timespec pause = {0, 50 * 1000 * 1000};
    if (--*tries < 0) return 0;
    nanosleep(&pause, NULL);
    return 1;
}

/* A file system without locks is no reason to stop; a lock that another process holds is. */
static cgct_status lock(int fd, const char *path, cgct_err *err)
{
    struct flock all = whole(F_WRLCK);
    int tries = LOCK_TRIES;
    do
        if (fcntl(fd, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN)) return CGCT_OK;
    while (wait_a_little(&tries));
    CGCT_TRY(held_by_other(fd, path, F_WRLCK, err));
    return cgct_fail(err, CGCT_E_IO, "%s: another run was writing it until now; try again", path);
}

/* The file that fd is open on still has this name: a run that ended may have removed it between
 * our open and our lock. */
static int has_name(int fd, const char *path, uint64_t *size)
{
    struct stat mine, named;
    if (fstat(fd, &mine) || stat(path, &named)) return 0;
    *size = (uint64_t)mine.st_size;
    return mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

cgct_status journal_file_lock(int *fd, const char *path, uint64_t *size, cgct_err *err)
{
    for (;;) {
        *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (*fd < 0) return fail_errno(err, path, "cannot create", errno);
        CGCT_TRY(lock(*fd, path, err));
        if (has_name(*fd, path, size)) return CGCT_OK;
        close(*fd);
    }
}

cgct_status journal_file_open_read(int *fd, const char *path, uint64_t *size, cgct_err *err)
{
    struct stat st;
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &st)) return fail_errno(err, path, "cannot open", errno);
    if (!S_ISREG(st.st_mode)) return cgct_fail(err, CGCT_E_IO, "%s: is not a regular file", path);
    *size = (uint64_t)st.st_size;
    int tries = LOCK_TRIES;
    do
        if (held_by_other(*fd, path, F_RDLCK, NULL) == CGCT_OK) return CGCT_OK;
    while (wait_a_little(&tries));
    return held_by_other(*fd, path, F_RDLCK, err);
}

cgct_status journal_file_read(int fd, const char *path, uint64_t at, void *data, size_t n,
                              cgct_err *err)
{
    char *p = data;
    while (n) {
        ssize_t done = pread(fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail_errno(err, path, "cannot read", errno);
        if (done == 0) return cgct_fail(err, CGCT_E_IO, "%s: ends while it is read", path);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

cgct_status journal_file_write(int fd, const char *path, uint64_t at, const void *data, size_t n,
                               cgct_err *err)
{
    const char *p = data;
    while (n) {
        ssize_t done = pwrite(fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return fail_errno(err, path, "cannot write", done ? errno : ENOSPC);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

cgct_status journal_file_truncate(int fd, const char *path, uint64_t size, cgct_err *err)
{
    return ftruncate(fd, (off_t)size) ? fail_errno(err, path, "cannot shorten", errno) : CGCT_OK;
}

cgct_status journal_file_sync(int fd, const char *path, cgct_err *err)
{
    return fdatasync(fd) ? fail_errno(err, path, "cannot sync", errno) : CGCT_OK;
}

/* A folder that may not be read, or a file system that cannot sync one, is no failure. */
cgct_status journal_file_sync_folder(const char *path, cgct_err *err)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = malloc(n + 1);
    if (!folder) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for its folder's name", path);
    memcpy(folder, slash ? path : ".", n);
    folder[n] = 0;
    int fd = open(folder, O_RDONLY | O_CLOEXEC), code = 0;
    free(folder);
    if (fd < 0) return errno == EACCES ? CGCT_OK : fail_errno(err, path, "its folder", errno);
    if (fsync(fd) && errno != EINVAL) code = errno;
    close(fd);
    return code ? fail_errno(err, path, "cannot sync its folder", code) : CGCT_OK;
}

cgct_status journal_file_rename(const char *from, const char *to, cgct_err *err)
{
    if (rename(from, to)) return fail_errno(err, to, "cannot rename to it", errno);
    return journal_file_sync_folder(to, err);
}

void journal_file_remove(const char *path)
{
    unlink(path);
}

void journal_file_close(int fd)
{
    if (fd >= 0) close(fd);
}
