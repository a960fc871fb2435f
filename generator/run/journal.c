/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/crc64.h"
#include "format/layout.h"
#include "run/journal_file.h"

static const uint8_t magic[8] = {0x89, 'C', 'G', 'C', 'J', '\r', '\n', 0x1a};
enum { VERSION = 1, HEAD = 24, RECORD = 32, TEXT_MAX = 1 << 26 };

struct journal {
    int fd;
    char *path, *text;
    uint64_t end, dropped;
    size_t n, room;
    journal_record *record;
    cgct_crc64_table crc;
};

static cgct_status no_memory(const journal *j, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal of %zu records", j->path,
                     j->n);
}

static cgct_status not_ours(const journal *j, const char *what, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_FORMAT, "%s: %s; remove it or name another file", j->path, what);
}

/* ---- the text ---- */

static uint32_t head_check(const journal *j, const uint8_t *head)
{
    uint8_t copy[HEAD];
    memcpy(copy, head, HEAD);
    cgct_put_u32(copy + 12, 0);
    return (uint32_t)cgct_crc64(&j->crc, copy, HEAD);
}

static cgct_status write_text(journal *j, const char *text, cgct_err *err)
{
    size_t n = strlen(text), size = HEAD + n + 8;
    uint8_t *bytes = malloc(size);
    char *copy = malloc(n + 1);
    cgct_status st = bytes && copy ? CGCT_OK : no_memory(j, err);
    if (st == CGCT_OK) {
        memcpy(copy, text, n + 1);
        memset(bytes, 0, HEAD);
        memcpy(bytes, magic, sizeof magic);
        cgct_put_u32(bytes + 8, VERSION);
        cgct_put_u64(bytes + 16, n);
        cgct_put_u32(bytes + 12, head_check(j, bytes));
        memcpy(bytes + HEAD, text, n);
        cgct_put_u64(bytes + HEAD + n, cgct_crc64(&j->crc, bytes, HEAD + n));
        st = journal_file_truncate(j->fd, j->path, 0, err);
        if (st == CGCT_OK) st = journal_file_write(j->fd, j->path, 0, bytes, size, err);
        if (st == CGCT_OK) st = journal_file_sync(j->fd, j->path, err);
    }
    free(bytes);
    if (st == CGCT_OK) {
        free(j->text);
        j->text = copy;
        j->end = size;
        j->n = 0;
    } else {
        free(copy);
    }
    return st;
}

/* *torn: the process that created the file did not come to its end; there are no records then. */
static cgct_status read_text(journal *j, uint64_t size, int *torn, cgct_err *err)
{
    uint8_t head[HEAD];
    size_t have = size < HEAD ? (size_t)size : HEAD;
    CGCT_TRY(journal_file_read(j->fd, j->path, 0, head, have, err));
    *torn = have < HEAD;
    if (memcmp(head, magic, have < sizeof magic ? have : sizeof magic))
        return not_ours(j, "is not a journal of finished nodes", err);
    if (*torn) return CGCT_OK;
    if (cgct_get_u32(head + 12) != head_check(j, head))
        return not_ours(j, "is a journal damaged at its beginning", err);
    uint64_t n = cgct_get_u64(head + 16);
    if (cgct_get_u32(head + 8) != VERSION || n > TEXT_MAX)
        return not_ours(j, "is a journal of another version", err);
    *torn = size < HEAD + n + 8;
    if (*torn) return CGCT_OK;
    uint8_t *all = malloc(HEAD + n + 8);
    if (!all) return no_memory(j, err);
    cgct_status st = journal_file_read(j->fd, j->path, 0, all, HEAD + n + 8, err);
    if (st == CGCT_OK && cgct_crc64(&j->crc, all, HEAD + n) != cgct_get_u64(all + HEAD + n))
        st = not_ours(j, "is a journal damaged at its beginning", err);
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

static cgct_status remember(journal *j, const journal_record *r, cgct_err *err)
{
    if (j->n == j->room) {
        size_t room = 2 * j->room + 64;
        journal_record *more = realloc(j->record, room * sizeof *more);
        if (!more) return no_memory(j, err);
        j->record = more;
        j->room = room;
    }
    j->record[j->n++] = *r;
    return CGCT_OK;
}

/* The record at *at, if it is whole. */
static cgct_status next_record(const journal *j, uint64_t size, journal_record *r, int *whole,
                               cgct_err *err)
{
    uint8_t head[RECORD], *data;
    *whole = 0;
    if (size - j->end < RECORD) return CGCT_OK;
    CGCT_TRY(journal_file_read(j->fd, j->path, j->end, head, RECORD, err));
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

static cgct_status read_records(journal *j, uint64_t size, cgct_err *err)
{
    for (;;) {
        journal_record r;
        int whole;
        CGCT_TRY(next_record(j, size, &r, &whole, err));
        if (!whole) break;
        CGCT_TRY(remember(j, &r, err));
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
    cgct_status st = journal_file_write(j->fd, j->path, j->end, head, RECORD, err);
    if (st == CGCT_OK) st = journal_file_write(j->fd, j->path, r.offset, data, size, err);
    if (st == CGCT_OK) st = journal_file_sync(j->fd, j->path, err);
    if (st == CGCT_OK) st = remember(j, &r, err);
    if (st == CGCT_OK)
        j->end = r.offset + r.size;
    else
        journal_file_truncate(j->fd, j->path, j->end, NULL);
    return st;
}

cgct_status journal_read(const journal *j, const journal_record *r, uint8_t **data, cgct_err *err)
{
    *data = malloc(r->size ? (size_t)r->size : 1);
    if (!*data) return no_memory(j, err);
    cgct_status st = journal_file_read(j->fd, j->path, r->offset, *data, (size_t)r->size, err);
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
    if (j) j->path = malloc(strlen(path) + 1);
    if (!j || !j->path) {
        free(j);
        return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a journal", path);
    }
    strcpy(j->path, path);
    j->fd = -1;
    cgct_crc64_init(&j->crc);
    *out = j;
    return CGCT_OK;
}

static cgct_status open_or_create(journal *j, const char *text, int *existing, cgct_err *err)
{
    uint64_t size;
    int torn = 1;
    CGCT_TRY(journal_file_lock(&j->fd, j->path, &size, err));
    if (size) CGCT_TRY(read_text(j, size, &torn, err));
    *existing = !torn;
    if (!torn) {
        CGCT_TRY(read_records(j, size, err));
        return j->dropped ? journal_file_truncate(j->fd, j->path, j->end, err) : CGCT_OK;
    }
    cgct_status st = write_text(j, text, err);
    if (st == CGCT_OK) st = journal_file_sync_folder(j->path, err);
    if (st != CGCT_OK) journal_remove(j);
    return st;
}

cgct_status journal_open(journal **out, const char *path, const char *text, int *existing,
                         cgct_err *err)
{
    journal *j;
    CGCT_TRY(journal_new(&j, path, err));
    cgct_status st = open_or_create(j, text, existing, err);
    if (st != CGCT_OK) {
        journal_close(j);
        j = NULL;
    }
    *out = j;
    return st;
}

cgct_status journal_open_read(journal **out, const char *path, cgct_err *err)
{
    journal *j;
    uint64_t size = 0;
    int torn = 0;
    CGCT_TRY(journal_new(&j, path, err));
    cgct_status st = journal_file_open_read(&j->fd, path, &size, err);
    if (st == CGCT_OK) st = read_text(j, size, &torn, err);
    if (st == CGCT_OK && torn)
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: truncated: %llu bytes hold no whole beginning",
                       path, (unsigned long long)size);
    if (st == CGCT_OK) st = read_records(j, size, err);
    if (st != CGCT_OK) {
        journal_close(j);
        j = NULL;
    }
    *out = j;
    return st;
}

cgct_status journal_reset(journal *j, const char *text, cgct_err *err)
{
    return write_text(j, text, err);
}

const char *journal_path(const journal *j)
{
    return j->path;
}

const char *journal_text(const journal *j)
{
    return j->text;
}

const journal_record *journal_records(const journal *j, size_t *n)
{
    *n = j->n;
    return j->record;
}

uint64_t journal_dropped(const journal *j)
{
    return j->dropped;
}

cgct_status journal_rename(journal *j, const char *path, cgct_err *err)
{
    return journal_file_rename(j->path, path, err);
}

void journal_remove(journal *j)
{
    journal_file_remove(j->path);
}

void journal_close(journal *j)
{
    if (!j) return;
    journal_file_close(j->fd);
    free(j->path);
    free(j->text);
    free(j->record);
    free(j);
}
