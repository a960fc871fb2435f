/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.c: first what is asked of the system, then the text and the records of the file. */
#include "run/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/layout.h"
#include "format/tmpfile.h"

static const uint8_t journal_magic[8] = {0x89, 'C', 'G', 'C', 'J', '\r', '\n', 0x1a};
/* Bytes in front of the text and of a record's content; longest text that is believed. */
enum { VERSION = 1, HEAD = 24, RECORD = 32, TEXT_MAX = 1 << 26 };

/* ---- the system; each failure names path and reason ---- */

/* A process that was killed holds its locks until the system has removed it: locking is tried for
 * two seconds. */
enum { LOCK_TRIES = 40, LOCK_PAUSE = 50 * 1000 * 1000 }; /* ns */

static struct flock whole_file(int type)
{
    struct flock all;
    memset(&all, 0, sizeof all);
    all.l_type = (short)type;
    all.l_whence = SEEK_SET;
    return all;
}

static cgct_status held_by_other(const journal *j, int type, cgct_err *err)
{
    struct flock other = whole_file(type);
    if (fcntl(j->fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK)
        return cgct_fail(err, CGCT_E_IO,
                         "%s: another run is writing it (process %ld); wait for it, "
                         "or name another output file",
                         j->path, (long)other.l_pid);
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
    struct flock all = whole_file(F_WRLCK);
    int tries = LOCK_TRIES;
    do
        if (fcntl(j->fd, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN))
            return CGCT_OK;
    while (wait_for_lock(&tries));
    CGCT_TRY(held_by_other(j, F_WRLCK, err));
    return cgct_fail(err, CGCT_E_IO, "%s: another run was writing it until now; try again",
                     j->path);
}

/* Whether the open file still has its name: another run may have ended and removed it between
 * opening and locking. */
static int still_has_name(const journal *j, uint64_t *size)
{
    struct stat mine, named;
    if (fstat(j->fd, &mine) || stat(j->path, &named)) return 0;
    *size = (uint64_t)mine.st_size;
    return mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

static cgct_status open_and_lock(journal *j, uint64_t *size, cgct_err *err)
{
    for (;;) {
        j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (j->fd < 0) return cgct_fail_errno(err, j->path, "cannot create", errno);
        CGCT_TRY(lock_for_writing(j, err));
        if (still_has_name(j, size)) return CGCT_OK;
        close(j->fd);
    }
}

static cgct_status open_unlocked(journal *j, uint64_t *size, cgct_err *err)
{
    struct stat st;
    j->fd = open(j->path, O_RDONLY | O_CLOEXEC);
    if (j->fd < 0 || fstat(j->fd, &st)) return cgct_fail_errno(err, j->path, "cannot open", errno);
    if (!S_ISREG(st.st_mode))
        return cgct_fail(err, CGCT_E_IO, "%s: is not a regular file", j->path);
    *size = (uint64_t)st.st_size;
    int tries = LOCK_TRIES;
    while (held_by_other(j, F_RDLCK, NULL) != CGCT_OK && wait_for_lock(&tries)) continue;
    return held_by_other(j, F_RDLCK, err);
}

static cgct_status journal_read_at(const journal *j, uint64_t at, void *data, size_t n,
                                   cgct_err *err)
{
    for (char *p = data; n;) {
        ssize_t done = pread(j->fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return cgct_fail_errno(err, j->path, "cannot read", errno);
        if (done == 0) return cgct_fail(err, CGCT_E_IO, "%s: ends while it is read", j->path);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

static cgct_status journal_shorten(const journal *j, uint64_t size, cgct_err *err)
{
    if (ftruncate(j->fd, (off_t)size) == 0) return CGCT_OK;
    return cgct_fail_errno(err, j->path, "cannot shorten", errno);
}

static cgct_status sync_content(const journal *j, cgct_err *err)
{
    return fdatasync(j->fd) ? cgct_fail_errno(err, j->path, "cannot sync", errno) : CGCT_OK;
}

static cgct_status sync_name(const char *path, cgct_err *err)
{
    int code = cgct_sync_directory(path);
    return code ? cgct_fail_errno(err, path, "cannot sync its folder", code) : CGCT_OK;
}

static cgct_status journal_no_memory(const journal *j, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal of %zu records", j->path,
                     j->n);
}

static cgct_status not_this_journal(const journal *j, const char *what, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_FORMAT, "%s: %s; remove it or name another file", j->path, what);
}

/* ---- the text ---- */

static uint32_t head_crc(const journal *j, const uint8_t *head)
{
    uint8_t copy[HEAD];
    memcpy(copy, head, HEAD);
    cgct_put_u32(copy + 12, 0);
    return (uint32_t)cgct_crc64(&j->crc, copy, HEAD);
}

cgct_status journal_reset(journal *j, const char *text, cgct_err *err)
{
    size_t n = strlen(text), size = HEAD + n + 8;
    uint8_t *bytes = calloc(size, 1);
    char *copy = strdup(text);
    cgct_status st = bytes && copy ? CGCT_OK : journal_no_memory(j, err);
    if (st == CGCT_OK) {
        memcpy(bytes, journal_magic, sizeof journal_magic);
        cgct_put_u32(bytes + 8, VERSION);
        cgct_put_u64(bytes + 16, n);
        cgct_put_u32(bytes + 12, head_crc(j, bytes));
        memcpy(bytes + HEAD, text, n);
        cgct_put_u64(bytes + HEAD + n, cgct_crc64(&j->crc, bytes, HEAD + n));
        st = journal_shorten(j, 0, err);
        if (st == CGCT_OK) st = cgct_write_at(j->fd, j->path, 0, bytes, size, err);
        if (st == CGCT_OK) st = sync_content(j, err);
    }
    free(bytes);
    if (st != CGCT_OK) {
        free(copy);
        return st;
    }
    free(j->text);
    j->text = copy;
    j->end = size;
    j->n = 0;
    return CGCT_OK;
}

/* *torn: the process that created the file was stopped within the text; there are no records. */
static cgct_status read_journal_text(journal *j, uint64_t size, int *torn, cgct_err *err)
{
    uint8_t head[HEAD];
    size_t have = size < HEAD ? (size_t)size : HEAD;
    CGCT_TRY(journal_read_at(j, 0, head, have, err));
    *torn = have < HEAD;
    if (memcmp(head, journal_magic, have < sizeof journal_magic ? have : sizeof journal_magic))
        return not_this_journal(j, "is not a journal of finished nodes", err);
    if (*torn) return CGCT_OK;
    if (cgct_get_u32(head + 12) != head_crc(j, head))
        return not_this_journal(j, "is a journal damaged at its beginning", err);
    uint64_t n = cgct_get_u64(head + 16);
    if (cgct_get_u32(head + 8) != VERSION || n > TEXT_MAX)
        return not_this_journal(j, "is a journal of another version", err);
    *torn = size < HEAD + n + 8;
    if (*torn) return CGCT_OK;
    uint8_t *all = malloc(HEAD + n + 8);
    if (!all) return journal_no_memory(j, err);
    cgct_status st = journal_read_at(j, 0, all, HEAD + n + 8, err);
    if (st == CGCT_OK && cgct_crc64(&j->crc, all, HEAD + n) != cgct_get_u64(all + HEAD + n))
        st = not_this_journal(j, "is a journal damaged at its beginning", err);
    if (st == CGCT_OK) {
        memmove(all, all + HEAD, n);
        all[n] = 0;
        j->text = (char *)all;
        j->end = HEAD + n + 8;
        return CGCT_OK;
    }
    free(all);
    return st;
}

/* ---- records ---- */

static cgct_status remember_record(journal *j, const journal_record *r, cgct_err *err)
{
    journal_record *more = realloc(j->record, (j->n + 1) * sizeof *more);
    if (!more) return journal_no_memory(j, err);
    j->record = more;
    j->record[j->n++] = *r;
    return CGCT_OK;
}

/* The record at the end of those read so far; *whole = 0: none, or the rest of a torn one. */
static cgct_status read_next_record(const journal *j, uint64_t size, journal_record *r, int *whole,
                                    cgct_err *err)
{
    uint8_t head[RECORD], *data;
    *whole = 0;
    if (size - j->end < RECORD) return CGCT_OK;
    CGCT_TRY(journal_read_at(j, j->end, head, RECORD, err));
    if (cgct_crc64(&j->crc, head, RECORD - 8) != cgct_get_u64(head + RECORD - 8)) return CGCT_OK;
    *r = (journal_record){cgct_get_u32(head), cgct_get_u32(head + 4), j->end + RECORD,
                          cgct_get_u64(head + 8), cgct_get_u64(head + 16)};
    if (r->size > size - r->offset) return CGCT_OK;
    cgct_status st = journal_read(j, r, &data, err);
    if (st == CGCT_E_CHECKSUM) return CGCT_OK;
    if (st == CGCT_OK) free(data);
    *whole = st == CGCT_OK;
    return st;
}

static cgct_status read_all_records(journal *j, uint64_t size, cgct_err *err)
{
    for (;;) {
        journal_record r;
        int whole;
        CGCT_TRY(read_next_record(j, size, &r, &whole, err));
        if (!whole) break;
        CGCT_TRY(remember_record(j, &r, err));
        j->end = r.offset + r.size;
    }
    j->dropped = size - j->end;
    return CGCT_OK;
}

cgct_status journal_append(journal *j, uint32_t kind, uint32_t index, const void *data, size_t size,
                           cgct_err *err)
{
    uint8_t head[RECORD];
    const journal_record r = {kind, index, j->end + RECORD, size, cgct_crc64(&j->crc, data, size)};
    cgct_put_u32(head, kind);
    cgct_put_u32(head + 4, index);
    cgct_put_u64(head + 8, size);
    cgct_put_u64(head + 16, r.crc);
    cgct_put_u64(head + 24, cgct_crc64(&j->crc, head, RECORD - 8));
    cgct_status st = cgct_write_at(j->fd, j->path, j->end, head, RECORD, err);
    if (st == CGCT_OK) st = cgct_write_at(j->fd, j->path, r.offset, data, size, err);
    if (st == CGCT_OK) st = sync_content(j, err);
    if (st == CGCT_OK) st = remember_record(j, &r, err);
    if (st == CGCT_OK)
        j->end = r.offset + r.size;
    else
        journal_shorten(j, j->end, NULL);
    return st;
}

cgct_status journal_read(const journal *j, const journal_record *r, uint8_t **data, cgct_err *err)
{
    *data = malloc(r->size ? (size_t)r->size : 1);
    if (!*data) return journal_no_memory(j, err);
    cgct_status st = journal_read_at(j, r->offset, *data, (size_t)r->size, err);
    if (st == CGCT_OK && cgct_crc64(&j->crc, *data, (size_t)r->size) != r->crc)
        st = cgct_fail(err, CGCT_E_CHECKSUM, "%s: record %u is damaged; copy or compute it again",
                       j->path, r->index);
    if (st != CGCT_OK) {
        free(*data);
        *data = NULL;
    }
    return st;
}

/* ---- life cycle ---- */

static cgct_status journal_new(journal **out, const char *path, cgct_err *err)
{
    journal *j = calloc(1, sizeof *j);
    *out = NULL;
    if (j) j->path = strdup(path);
    if (!j || !j->path) {
        free(j);
        return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal", path);
    }
    j->fd = -1;
    cgct_crc64_init(&j->crc);
    *out = j;
    return CGCT_OK;
}

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
    uint64_t size;
    int torn = 1;
    CGCT_TRY(open_and_lock(j, &size, err));
    if (size) CGCT_TRY(read_journal_text(j, size, &torn, err));
    *existing = !torn;
    if (!torn) {
        CGCT_TRY(read_all_records(j, size, err));
        return j->dropped ? journal_shorten(j, j->end, err) : CGCT_OK;
    }
    cgct_status st = journal_reset(j, text, err);
    if (st == CGCT_OK) st = sync_name(j->path, err);
    if (st != CGCT_OK) unlink(j->path);
    return st;
}

cgct_status journal_open(journal **out, const char *path, const char *text, int *existing,
                         cgct_err *err)
{
    journal *j;
    CGCT_TRY(journal_new(&j, path, err));
    return hand_over(out, j, open_or_create_journal(j, text, existing, err));
}

cgct_status journal_open_read(journal **out, const char *path, cgct_err *err)
{
    journal *j;
    uint64_t size = 0;
    int torn = 0;
    CGCT_TRY(journal_new(&j, path, err));
    cgct_status st = open_unlocked(j, &size, err);
    if (st == CGCT_OK) st = read_journal_text(j, size, &torn, err);
    if (st == CGCT_OK && torn)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: truncated: %llu bytes hold no whole beginning",
                       path, (unsigned long long)size);
    if (st == CGCT_OK) st = read_all_records(j, size, err);
    return hand_over(out, j, st);
}

cgct_status journal_rename(journal *j, const char *path, cgct_err *err)
{
    if (rename(j->path, path)) return cgct_fail_errno(err, path, "cannot rename to it", errno);
    (void)cgct_sync_directory(path); /* as in cgct_tmpfile_commit */
    return CGCT_OK;
}

void journal_close(journal *j)
{
    if (!j) return;
    if (j->fd >= 0) close(j->fd);
    free(j->path);
    free(j->text);
    free(j->record);
    free(j);
}
