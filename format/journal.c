/* SPDX-License-Identifier: MIT */
/* journal.c: first what is asked of the system, then the text and the records of the file. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bytes.h"

/* ---- the system; each failure names path and reason ---- */

/* A process that was killed holds its locks until the system has removed it: locking is tried for
 * two seconds. */
enum { LOCK_TRIES = 40, LOCK_PAUSE = 50 * 1000 * 1000 }; /* ns */

static cgct_status held_by_other(const journal *j, int type, cgct_err *err)
{
    struct flock other = {.l_type = (short)type, .l_whence = SEEK_SET};
    if (fcntl(j->f.file.fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: another run is writing it (process %ld); wait for it, "
                         "or name another output file",
                         j->f.file.path, (long)other.l_pid);
    return CGCT_OK;
}

static int wait_for_lock(int *tries)
{
    const struct timespec pause = {0, LOCK_PAUSE};
    if (--*tries < 0) return 0;
    nanosleep(&pause, NULL);
    return 1;
}

/* A file system without locks is accepted; a lock that another process holds is an error. */
static cgct_status lock_for_writing(const journal *j, cgct_err *err)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int tries = LOCK_TRIES;
    do
        if (fcntl(j->f.file.fd, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN))
            return CGCT_OK;
    while (wait_for_lock(&tries));
    CGCT_TRY(held_by_other(j, F_WRLCK, err));
    return cgct_fail(err, CGCT_E_IO, "%s: another run was writing it until now; try again",
                     j->f.file.path);
}

static cgct_status open_and_lock(journal *j, uint64_t *size, cgct_err *err)
{
    for (;;) {
        j->f.file.fd = open(j->f.file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (j->f.file.fd < 0) return cgct_fail_errno(err, j->f.file.path, "cannot create", errno);
        CGCT_TRY(lock_for_writing(j, err));
        /* another run may have ended and removed the file between opening and locking */
        struct stat mine, named;
        if (!fstat(j->f.file.fd, &mine) && !stat(j->f.file.path, &named) &&
            mine.st_ino == named.st_ino && mine.st_dev == named.st_dev) {
            *size = (uint64_t)mine.st_size;
            return CGCT_OK;
        }
        close(j->f.file.fd);
    }
}

static cgct_status journal_shorten(const journal *j, uint64_t size, cgct_err *err)
{
    if (ftruncate(j->f.file.fd, (off_t)size) == 0) return CGCT_OK;
    return cgct_fail_errno(err, j->f.file.path, "cannot shorten", errno);
}

static cgct_status sync_content(const journal *j, cgct_err *err)
{
    return fdatasync(j->f.file.fd) ? cgct_fail_errno(err, j->f.file.path, "cannot sync", errno)
                                   : CGCT_OK;
}

/* ---- the text ---- */

/* In place of the index of the text's chunk: what a damaged size is told by from a file that ends
 * within the text. */
static uint32_t check_of(uint64_t size)
{
    uint8_t bytes[8];
    cgct_put_u64(bytes, size);
    return (uint32_t)cgct_crc64_of(bytes, sizeof bytes);
}

/* The first chunk is the text. */
static void count_records(journal *j)
{
    j->n = j->f.n - 1;
    j->record = j->f.chunk + 1;
}

cgct_status journal_reset(journal *j, const char *text, cgct_err *err)
{
    const size_t n = strlen(text);
    char *copy = strdup(text);
    if (!copy) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for its text", j->f.file.path);
    free(j->text);
    j->text = copy;
    j->f.file.end = j->f.n = 0;
    CGCT_TRY(journal_shorten(j, 0, err));
    CGCT_TRY(cgct_magic_write(&j->f, CGCT_JOURNAL, err));
    cgct_chunk_begin(&j->f, "TEXT", check_of(n));
    cgct_chunk_put(&j->f, copy, n);
    CGCT_TRY(cgct_chunk_end(&j->f, err));
    count_records(j);
    return sync_content(j, err);
}

/* *torn: the process that created the file was stopped within the text; there are no records. */
static cgct_status read_journal_text(journal *j, int *torn, cgct_err *err)
{
    cgct_chunk c = {.size = 0};
    int whole;
    CGCT_TRY(cgct_magic_read(&j->f, CGCT_JOURNAL, &whole, err));
    if (whole) CGCT_TRY(cgct_chunk_next(&j->f, &c, &whole, err));
    *torn = !whole;
    const int headed = j->f.size >= CGCT_MAGIC_SIZE + CGCT_CHUNK_HEAD + CGCT_CHUNK_CRC;
    const int damaged = headed && (strcmp(c.name, "TEXT") != 0 || c.index != check_of(c.size));
    if (*torn && !damaged) return CGCT_OK;
    uint8_t *text;
    cgct_status st = damaged ? CGCT_E_CHECKSUM : cgct_chunk_read(&j->f, &c, &text, err);
    if (st == CGCT_E_CHECKSUM)
        return cgct_fail(
            err, CGCT_E_FORMAT,
            "%s: is a journal damaged at its beginning; remove it or name another file",
            j->f.file.path);
    if (st != CGCT_OK) return st;
    j->text = (char *)text;
    j->f.file.end = cgct_chunk_behind(&c);
    return cgct_chunk_keep(&j->f, &c, err);
}

/* ---- records ---- */

enum { STEP = 8 }; /* chunks begin at multiples of it */

static int is_name(const char *name)
{
    return strlen(name) == 4 && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 4;
}

/* One that is torn or damaged does not count.  Its size may be what is damaged: the next one is
 * looked for behind its beginning. */
static cgct_status read_all_records(journal *j, cgct_err *err)
{
    uint64_t end = j->f.file.end; /* of the last one that counts */
    j->dropped = j->f.size - end;
    while (j->f.file.end + CGCT_CHUNK_HEAD + CGCT_CHUNK_CRC <= j->f.size) {
        cgct_chunk c;
        uint8_t *data;
        int whole;
        cgct_status st = CGCT_E_CHECKSUM;
        CGCT_TRY(cgct_chunk_next(&j->f, &c, &whole, err));
        if (whole && is_name(c.name)) {
            st = cgct_chunk_read(&j->f, &c, &data, err);
            free(data);
        }
        if (st == CGCT_E_CHECKSUM) {
            j->f.file.end += STEP;
            continue;
        }
        if (st != CGCT_OK) return st;
        CGCT_TRY(cgct_chunk_keep(&j->f, &c, err));
        j->dropped -= cgct_chunk_behind(&c) - j->f.file.end;
        j->f.file.end = end = cgct_chunk_behind(&c);
    }
    j->f.file.end = end;
    count_records(j);
    return CGCT_OK;
}

cgct_status journal_append(journal *j, const char *name, uint32_t index, const void *data,
                           size_t size, cgct_err *err)
{
    const uint64_t end = j->f.file.end;
    const size_t n = j->f.n;
    cgct_chunk_begin(&j->f, name, index);
    cgct_chunk_put(&j->f, data, size);
    cgct_status st = cgct_chunk_end(&j->f, err);
    if (st == CGCT_OK) st = sync_content(j, err);
    if (st != CGCT_OK) {
        j->f.file.end = end;
        j->f.n = n;
        journal_shorten(j, end, NULL);
    }
    count_records(j);
    return st;
}

/* ---- life cycle ---- */

/* What an opening function returns: the journal, or NULL and why. */
static cgct_status hand_over(journal **out, journal *j, cgct_status st)
{
    *out = st == CGCT_OK ? j : NULL;
    if (st != CGCT_OK) journal_close(j);
    return st;
}

static cgct_status open_or_create_journal(journal *j, const char *text, int *existing,
                                          cgct_err *err)
{
    int torn = 1;
    CGCT_TRY(open_and_lock(j, &j->f.size, err));
    if (j->f.size) CGCT_TRY(read_journal_text(j, &torn, err));
    *existing = !torn;
    if (!torn) {
        CGCT_TRY(read_all_records(j, err));
        return j->dropped ? journal_shorten(j, j->f.file.end, err) : CGCT_OK;
    }
    cgct_status st = journal_reset(j, text, err);
    const int code = st == CGCT_OK ? cgct_sync_directory(j->f.file.path) : 0;
    if (code) st = cgct_fail_errno(err, j->f.file.path, "cannot sync its folder", code);
    if (st != CGCT_OK) unlink(j->f.file.path);
    return st;
}

cgct_status journal_open(journal **out, const char *path, const char *text, int *existing,
                         cgct_err *err)
{
    journal *j = calloc(1, sizeof *j);
    cgct_status st;
    if (j) {
        j->f.file = cgct_tmpfile_none();
        j->f.file.path = strdup(path);
        cgct_crc64_init(&j->f.crc);
    }
    if (j && j->f.file.path)
        st = open_or_create_journal(j, text, existing, err);
    else
        st = cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal", path);
    return hand_over(out, j, st);
}

cgct_status journal_open_read(journal **out, const char *path, cgct_err *err)
{
    int torn = 0, tries = LOCK_TRIES;
    journal *j = calloc(1, sizeof *j);
    cgct_status st = j ? cgct_chunks_attach(&j->f, path, err)
                       : cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal", path);
    while (st == CGCT_OK && held_by_other(j, F_RDLCK, NULL) != CGCT_OK && wait_for_lock(&tries))
        continue;
    if (st == CGCT_OK) st = held_by_other(j, F_RDLCK, err);
    if (st == CGCT_OK) st = read_journal_text(j, &torn, err);
    if (st == CGCT_OK && torn)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: truncated: %llu bytes hold no whole beginning",
                       path, (unsigned long long)j->f.size);
    if (st == CGCT_OK) st = read_all_records(j, err);
    return hand_over(out, j, st);
}

cgct_status journal_rename(journal *j, const char *path, cgct_err *err)
{
    if (rename(j->f.file.path, path))
        return cgct_fail_errno(err, path, "cannot rename to it", errno);
    (void)cgct_sync_directory(path); /* as in cgct_tmpfile_commit */
    return CGCT_OK;
}

void journal_close(journal *j)
{
    if (!j) return;
    cgct_chunks_close(&j->f);
    free(j->text);
    free(j);
}
