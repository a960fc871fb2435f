/* SPDX-License-Identifier: MIT */
/* Files that appear under their names only when they are complete. */
#include "tmpfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 1000, LINK_MAX_BYTES = 4096 };
enum { LINKS_MOST = 40 /* as in Linux */ };
enum { DESCRIPTORS_MOST = 1 << 17 }; /* more shards are not merged */

#define PART ".cgctab-part-" /* and PID-N behind it: a temporary file's name beside its PATH */

/* strerror is not required to be thread-safe; strerror_r of POSIX is. */
cgct_status cgct_fail_errno(cgct_err *err, const char *path, const char *what, int code)
{
    char text[128];
    if (strerror_r(code, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", code);
    return cgct_fail(err, CGCT_E_IO, "%s%s%s: %s", path, what ? ": " : "", what ? what : "", text);
}

/* A writer keeps its file locked; the system drops the lock when the process ends, however it ends.
 * The lock belongs to this descriptor: that another one is opened and closed does not drop it. */
static int lock_all(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB);
}

/* The process whose temporary file has this name; 0 where it is no such name. */
static long writer_of(const char *name)
{
    const char *at = name, *last = NULL;
    long pid = 0;
    while ((at = strstr(at, PART))) last = at += strlen(PART);
    if (!last) return 0;
    for (; *last >= '0' && *last <= '9'; last++) pid = 10 * pid + (*last - '0');
    return *last == '-' && last[1] && !last[1 + strspn(last + 1, "0123456789")] ? pid : 0;
}

/* The folder in which the file `path` lies, opened to be read; -1 and errno. */
static int open_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1, code = errno;
    free(folder);
    errno = code;
    return fd;
}

/* Temporary files of the same target whose writers were killed. */
static void remove_all_stale(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t nbase = strlen(base);
    const int folder = open_folder(path);
    DIR *d = folder < 0 ? NULL : fdopendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!writer_of(e->d_name)) continue;
        if (strncmp(e->d_name, base, nbase) || strncmp(e->d_name + nbase, PART, strlen(PART)))
            continue;
        const int fd = openat(folder, e->d_name, O_RDWR | O_CLOEXEC);
        if (fd < 0) continue;
        if (lock_all(fd) == 0) unlinkat(folder, e->d_name, 0);
        close(fd);
    }
    if (d)
        closedir(d);
    else if (folder >= 0)
        close(folder);
}

/* ---- where a path leads ---- */

/* What the symbolic link `path` points to, to be freed; NULL and errno: EINVAL if it is no link. */
static char *link_target(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *to = (char *)malloc(folder + LINK_MAX_BYTES + 1);
    if (!to) return NULL;
    const ssize_t n = readlink(path, to + folder, LINK_MAX_BYTES);
    if (n < 0) {
        const int code = errno;
        free(to);
        errno = code;
        return NULL;
    }
    to[folder + (size_t)n] = 0;
    if (to[folder] == '/')
        memmove(to, to + folder, (size_t)n + 1);
    else
        memcpy(to, path, folder);
    return to;
}

cgct_status cgct_output_path(const char *path, char **file, cgct_err *err)
{
    struct stat st;
    *file = NULL;
    if (!*path) return cgct_fail(err, CGCT_E_USAGE, "output file name is empty");
    if (!strcmp(path, "-"))
        return cgct_fail(err, CGCT_E_USAGE,
                         "-: standard output takes text, and this is none; name a file");
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return cgct_fail(err, CGCT_E_IO, "%s: %s; name a file to write", path,
                         S_ISDIR(st.st_mode) ? "is a directory, not a regular file"
                                             : "exists and is not a regular file");
    char *at = strdup(path);
    for (int links = 0; at && links <= LINKS_MOST; links++) {
        char *next = link_target(at);
        if (!next && errno != ENOMEM) return *file = at, CGCT_OK; /* no link; or seen later */
        free(at);
        at = next;
    }
    const int code = at ? ELOOP : ENOMEM;
    free(at);
    return cgct_fail_errno(err, path, "cannot create", code);
}

int cgct_same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    return !stat(a, &sa) && !stat(b, &sb) && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

int cgct_same_output(const char *a, const char *b)
{
    const char *const name[] = {a, b};
    const char *base[2] = {"", ""};
    char *to[2] = {NULL, NULL}, folder[2][4096] = {"", ""};
    for (int i = 0; i < 2; i++) {
        if (cgct_output_path(name[i], &to[i], NULL) != CGCT_OK) continue;
        const char *slash = strrchr(to[i], '/');
        base[i] = slash ? slash + 1 : to[i];
        snprintf(folder[i], sizeof folder[i], "%.*s.", (int)(base[i] - to[i]), to[i]);
    }
    const int same = !strcmp(base[0], base[1]) && cgct_same_file(folder[0], folder[1]);
    free(to[0]);
    free(to[1]);
    return same || !strcmp(a, b);
}

/* ---- open ---- */

/* Creates f->tmp and locks it; -1 and errno.  EEXIST also where another process has taken the new
 * file, not locked yet, for one that a writer left. */
static int create_locked(const cgct_tmpfile *f)
{
    struct stat st;
    const int fd = open(f->tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return fd;
    const int taken =
        lock_all(fd) != 0 && errno == EWOULDBLOCK; /* without locks: no reason to stop */
    if (!taken && (fstat(fd, &st) != 0 || st.st_nlink > 0)) return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

cgct_status cgct_tmpfile_open(cgct_tmpfile *f, const char *path, cgct_err *err)
{
    *f = cgct_tmpfile_none();
    CGCT_TRY(cgct_output_path(path, &f->path, err));
    size_t n = strlen(f->path) + 48;
    if ((f->tmp = (char *)malloc(n))) {
        remove_all_stale(f->path);
        errno = EEXIST; /* another writer of the same target takes another number */
        for (int i = 0; i < NAME_TRIES && f->fd < 0 && errno == EEXIST; i++) {
            snprintf(f->tmp, n, "%s" PART "%ld-%d", f->path, (long)getpid(), i);
            f->fd = create_locked(f);
        }
    }
    if (f->fd < 0) {
        const int code = f->tmp ? errno : ENOMEM;
        free(f->tmp);
        f->tmp = NULL;
        cgct_tmpfile_discard(f);
        return cgct_fail_errno(err, path, "cannot create", code);
    }
    return CGCT_OK;
}

cgct_status cgct_tmpfile_empty(cgct_tmpfile *f, cgct_err *err)
{
    if (ftruncate(f->fd, 0) != 0) return cgct_fail_errno(err, f->path, "cannot shorten", errno);
    f->end = 0;
    return CGCT_OK;
}

int cgct_unnamed_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/cgctab_XXXXXX", folder && *folder ? folder : "/tmp");
    const int fd = mkstemp(path);
    if (fd < 0) return fd;
    unlink(path);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

cgct_status cgct_tmpfile_open_text(cgct_tmpfile *f, const char *path, cgct_err *err)
{
    struct stat st;
    const int standard = !strcmp(path, "-") || cgct_same_file(path, "/dev/stdout");
    if (!standard && (stat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
        return cgct_tmpfile_open(f, path, err);
    *f = cgct_tmpfile_none();
    f->path = strdup(standard ? "standard output" : path);
    f->fd = cgct_unnamed_file();
    if (f->path && f->fd >= 0) {
        if (standard) fflush(stdout);
        f->to =
            standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC);
        /* what else is printed then goes to standard error */
        if (standard && f->to >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    if (f->to >= 0) return CGCT_OK;
    const int code = errno, unnamed = f->fd < 0;
    cgct_tmpfile_discard(f);
    return cgct_fail_errno(err, path, unnamed ? "no temporary file" : "cannot write", code);
}

/* ---- write ---- */

cgct_status cgct_tmpfile_write_at(cgct_tmpfile *f, uint64_t at, const void *data, size_t n,
                                  cgct_err *err)
{
    const char *p = (const char *)data;
    while (n) {
        ssize_t done = pwrite(f->fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return cgct_fail_errno(err, f->path, "cannot write", done ? errno : ENOSPC);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

cgct_status cgct_tmpfile_append(cgct_tmpfile *f, const void *data, size_t n, cgct_err *err)
{
    CGCT_TRY(cgct_tmpfile_write_at(f, f->end, data, n, err));
    f->end += n;
    return CGCT_OK;
}

int cgct_sync_directory(const char *path)
{
    const int fd = open_folder(path);
    if (fd < 0) return errno == EACCES ? 0 : errno;
    const int code = fsync(fd) != 0 && errno != EINVAL ? errno : 0;
    close(fd);
    return code;
}

/* Copies what is in a file without a name. */
static cgct_status copy_unnamed(const cgct_tmpfile *f, cgct_err *err)
{
    char bytes[1 << 14];
    uint64_t at = 0;
    for (ssize_t n; (n = pread(f->fd, bytes, sizeof bytes, (off_t)at)); at += (uint64_t)n) {
        if (n < 0) return cgct_fail_errno(err, f->path, "cannot copy", errno);
        for (ssize_t from = 0, done; from < n; from += done) {
            done = write(f->to, bytes + from, (size_t)(n - from));
            if (done < 0 && errno == EINTR) done = 0;
            if (done < 0) return cgct_fail_errno(err, f->path, "cannot write", errno);
        }
    }
    return CGCT_OK;
}

cgct_status cgct_tmpfile_commit(cgct_tmpfile *f, cgct_err *err)
{
    if (f->to >= 0) return copy_unnamed(f, err);
    if (fsync(f->fd) != 0) return cgct_fail_errno(err, f->path, "cannot sync", errno);
    /* open until then, so that cgct_tmpfile_clear removes it */
    if (rename(f->tmp, f->path) != 0) return cgct_fail_errno(err, f->path, "cannot rename", errno);
    free(f->tmp);
    f->tmp = NULL;
    close(f->fd);
    f->fd = -1;
    /* The file is complete and has its name.  Where this fails, a power failure right now might
     * bring back the former file: no reason to remove the new one, or to report a failure. */
    (void)cgct_sync_directory(f->path);
    return CGCT_OK;
}

void cgct_tmpfile_discard(cgct_tmpfile *f)
{
    if (f->fd >= 0) close(f->fd);
    if (f->to >= 0) close(f->to);
    if (f->tmp) unlink(f->tmp);
    free(f->tmp);
    free(f->path);
    *f = cgct_tmpfile_none();
}

/* ---- texts ---- */

cgct_status cgct_textfile_open(cgct_textfile *t, const char *path, cgct_err *err)
{
    *t = (cgct_textfile){NULL, cgct_tmpfile_none(), NULL, NULL, 0};
    CGCT_TRY(cgct_tmpfile_open_text(&t->file, path, err));
    t->f = open_memstream(&t->text, &t->size);
    t->path = strdup(t->file.path);
    if (t->f && t->path) {
        /* it can be written; made again at the end, it is not left by a process that is killed */
        if (t->file.to < 0) cgct_tmpfile_discard(&t->file);
        return CGCT_OK;
    }
    if (t->f) fclose(t->f);
    cgct_tmpfile_discard(&t->file);
    free(t->text);
    free(t->path);
    return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for its text", path);
}

cgct_status cgct_textfile_close(cgct_textfile *t, cgct_status st, cgct_err *err)
{
    int bad = ferror(t->f);
    bad |= fclose(t->f);
    if (st == CGCT_OK && bad)
        st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for its text", t->path);
    if (st == CGCT_OK && t->file.to < 0) st = cgct_tmpfile_open(&t->file, t->path, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&t->file, t->text, t->size, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&t->file, err);
    cgct_tmpfile_discard(&t->file);
    free(t->text);
    free(t->path);
    return st;
}

/* ---- signals ---- */

/* A handler gets no argument: the system knows which files are open.  All that it calls is safe
 * there. */
void cgct_tmpfile_clear(void)
{
    char path[LINK_MAX_BYTES];
    for (int fd = 3; fd < DESCRIPTORS_MOST; fd++) {
        char link[32] = "/proc/self/fd/", digits[12];
        size_t n = 0, length = strlen(link);
        for (int rest = fd; rest; rest /= 10) digits[n++] = (char)('0' + rest % 10);
        while (n) link[length++] = digits[--n];
        link[length] = 0;
        const ssize_t got = readlink(link, path, sizeof path - 1);
        path[got < 0 ? 0 : got] = 0;
        if (writer_of(path) == (long)getpid()) unlink(path);
    }
}

/* The signal itself, which comes again once the handler returns, ends the process. */
static void clear_and_end(int number)
{
    cgct_tmpfile_clear();
    raise(number);
}

void cgct_tmpfile_clear_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = clear_and_end;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}
