/* SPDX-License-Identifier: MIT */
/* Writes and reads the chunks of files. */
#include "chunks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"

enum { MAJOR = 2, AT_SIZE = 8 /* of a chunk's size in its head */ };
static const char magic[8] = "\x89"
                             "CGCT\r\n\x1a";

static uint64_t padded(uint64_t size)
{
    return size + -size % 8;
}

/* ---- the magic ---- */

static cgct_status read_at(const cgct_chunks *f, uint64_t at, void *to, size_t n, cgct_err *err)
{
    for (char *p = (char *)to; n;) {
        const ssize_t done = pread(f->file.fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return cgct_fail_errno(err, f->file.path, "cannot read", errno);
        if (done == 0) return cgct_fail(err, CGCT_E_IO, "%s: ends while it is read", f->file.path);
        p += done;
        at += (uint64_t)done;
        n -= (size_t)done;
    }
    return CGCT_OK;
}

static void put_magic(uint8_t to[CGCT_MAGIC_SIZE], uint32_t kind)
{
    memset(to, 0, CGCT_MAGIC_SIZE);
    memcpy(to, magic, sizeof magic);
    cgct_put_u16(to + 8, MAJOR);
    cgct_put_u32(to + 12, kind);
}

cgct_status cgct_magic_write(cgct_chunks *f, uint32_t kind, cgct_err *err)
{
    uint8_t b[CGCT_MAGIC_SIZE];
    put_magic(b, kind);
    return cgct_tmpfile_append(&f->file, b, sizeof b, err);
}

cgct_status cgct_magic_read(cgct_chunks *f, uint32_t kind, int *whole, cgct_err *err)
{
    static const char *const what[] = {"a table of the cross section, which 'cgctab' reads",
                                       "a file of another kind",
                                       "an inner table, for 'cgctab-generate transform'",
                                       "a file of three momenta, for 'cgctab-generate three'",
                                       "a journal of finished nodes, for 'cgctab-generate merge'",
                                       "a checkpoint of 'cgctab-generate three'",
                                       "a table of forward dijets"};
    uint8_t b[CGCT_MAGIC_SIZE], want[CGCT_MAGIC_SIZE];
    const size_t n = f->size < sizeof b ? (size_t)f->size : sizeof b;
    CGCT_TRY(read_at(f, 0, b, n, err));
    put_magic(want, kind);
    *whole = n == sizeof b;
    f->file.end = n;
    if (memcmp(b, want, n) == 0) return CGCT_OK;
    if (!*whole || memcmp(b, magic, sizeof magic) != 0)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: is not %s: begins with byte 0x%02x; name another file", f->file.path,
                         what[kind], b[0]);
    const uint32_t found = cgct_get_u32(b + 12);
    if (found == kind)
        return cgct_fail(err, CGCT_E_VERSION, "%s: has format %u.%u; this program reads %d.0",
                         f->file.path, cgct_get_u16(b + 8), cgct_get_u16(b + 10), MAJOR);
    return cgct_fail(err, CGCT_E_VERSION, "%s: is %s, not %s", f->file.path,
                     what[found <= CGCT_FORWARD ? found : 1], what[kind]);
}

/* ---- write ---- */

cgct_status cgct_chunks_create(cgct_chunks *f, const char *path, uint32_t kind, cgct_err *err)
{
    memset(f, 0, sizeof *f);
    cgct_crc64_init(&f->crc);
    CGCT_TRY(cgct_tmpfile_open(&f->file, path, err));
    return cgct_magic_write(f, kind, err);
}

cgct_status cgct_chunks_restart(cgct_chunks *f, uint32_t kind, cgct_err *err)
{
    f->n = 0;
    CGCT_TRY(cgct_tmpfile_empty(&f->file, err));
    return cgct_magic_write(f, kind, err);
}

void cgct_chunk_put(cgct_chunks *f, const void *data, size_t n)
{
    if (f->failed || !n) return;
    if (f->made_room - f->made_size < n) {
        const size_t room = 2 * f->made_room + n;
        uint8_t *grown = (uint8_t *)realloc(f->made, room);
        f->failed = !grown;
        if (!grown) return;
        f->made = grown;
        f->made_room = room;
    }
    memcpy(f->made + f->made_size, data, n);
    f->made_size += n;
}

void cgct_chunk_put_u32(cgct_chunks *f, size_t v)
{
    uint8_t at[4];
    cgct_put_u32(at, (uint32_t)v);
    cgct_chunk_put(f, at, sizeof at);
}

void cgct_chunk_put_f64(cgct_chunks *f, size_t n, const double *v)
{
    uint8_t at[8];
    for (size_t i = 0; i < n; i++) {
        cgct_put_f64(at, v[i]);
        cgct_chunk_put(f, at, sizeof at);
    }
}

static const uint8_t zeros[8] = {0};

void cgct_chunk_pad(cgct_chunks *f)
{
    cgct_chunk_put(f, zeros, -f->made_size % 8);
}

void cgct_chunk_begin(cgct_chunks *f, const char *name, uint32_t index)
{
    f->made_size = 0;
    f->failed = 0;
    cgct_chunk_put(f, name, 4);
    cgct_chunk_put_u32(f, index);
    cgct_chunk_put(f, zeros, sizeof zeros);
}

cgct_status cgct_chunk_end(cgct_chunks *f, cgct_err *err)
{
    const uint64_t size = f->made_size - CGCT_CHUNK_HEAD;
    uint8_t crc[CGCT_CHUNK_CRC];
    cgct_chunk c = {"", 0, f->file.end + CGCT_CHUNK_HEAD, size};
    cgct_chunk_pad(f);
    if (!f->failed) {
        cgct_put_u64(f->made + AT_SIZE, size);
        cgct_put_u64(crc, cgct_crc64(&f->crc, 0, f->made, f->made_size));
        cgct_chunk_put(f, crc, sizeof crc);
    }
    if (f->failed) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a part", f->file.path);
    memcpy(c.name, f->made, 4);
    c.index = cgct_get_u32(f->made + 4);
    CGCT_TRY(cgct_tmpfile_append(&f->file, f->made, f->made_size, err));
    return cgct_chunk_keep(f, &c, err);
}

cgct_status cgct_chunks_end(cgct_chunks *f, cgct_err *err)
{
    cgct_chunk_begin(f, "TEND", 0);
    return cgct_chunk_end(f, err);
}

cgct_status cgct_chunks_finish(cgct_chunks *f, cgct_err *err)
{
    CGCT_TRY(cgct_chunks_end(f, err));
    return cgct_tmpfile_commit(&f->file, err);
}

/* ---- read ---- */

cgct_status cgct_chunk_keep(cgct_chunks *f, const cgct_chunk *c, cgct_err *err)
{
    if (!(f->n & (f->n - 1))) { /* room for twice as many at 1, 2, 4 ... */
        cgct_chunk *more = (cgct_chunk *)realloc(f->chunk, (f->n ? 2 * f->n : 1) * sizeof *more);
        if (!more)
            return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu parts", f->file.path, f->n);
        f->chunk = more;
    }
    f->chunk[f->n++] = *c;
    return CGCT_OK;
}

cgct_status cgct_chunk_next(const cgct_chunks *f, cgct_chunk *c, int *whole, cgct_err *err)
{
    uint8_t head[CGCT_CHUNK_HEAD];
    const uint64_t left = f->size - f->file.end, least = CGCT_CHUNK_HEAD + CGCT_CHUNK_CRC;
    *whole = 0;
    memset(c, 0, sizeof *c);
    if (left < least) return CGCT_OK;
    CGCT_TRY(read_at(f, f->file.end, head, sizeof head, err));
    memcpy(c->name, head, 4);
    c->index = cgct_get_u32(head + 4);
    c->at = f->file.end + CGCT_CHUNK_HEAD;
    c->size = cgct_get_u64(head + AT_SIZE);
    *whole = c->size <= left - least && padded(c->size) <= left - least;
    return CGCT_OK;
}

cgct_status cgct_chunk_read(const cgct_chunks *f, const cgct_chunk *c, uint8_t **data,
                            cgct_err *err)
{
    const size_t n = (size_t)padded(c->size);
    *data = (uint8_t *)malloc(n + CGCT_CHUNK_CRC);
    if (!*data) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu bytes", f->file.path, n);
    cgct_status st = read_at(f, c->at, *data, n + CGCT_CHUNK_CRC, err);
    uint8_t head[CGCT_CHUNK_HEAD]; /* the checksum is of head, content and padding */
    memcpy(head, c->name, 4);
    cgct_put_u32(head + 4, c->index);
    cgct_put_u64(head + AT_SIZE, c->size);
    const uint64_t crc = cgct_crc64(&f->crc, 0, head, sizeof head);
    if (st == CGCT_OK && cgct_get_u64(*data + n) != cgct_crc64(&f->crc, crc, *data, n))
        st = cgct_fail(err, CGCT_E_CHECKSUM,
                       "%s: part %s %" PRIu32 " is damaged; copy or compute it again", f->file.path,
                       c->name, c->index);
    (*data)[c->size] = 0;
    if (st == CGCT_OK) return CGCT_OK;
    free(*data);
    *data = NULL;
    return st;
}

cgct_status cgct_chunk_load(const cgct_chunks *f, const char *name, uint32_t index, uint64_t size,
                            const cgct_chunk **found, uint8_t **data, cgct_err *err)
{
    *data = NULL;
    for (size_t i = 0; i < f->n; i++) {
        const cgct_chunk *c = *found = &f->chunk[i];
        if (c->index != index || memcmp(c->name, name, 4) != 0) continue;
        if (size != CGCT_ANY_SIZE && c->size != size)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: part %s has %" PRIu64 " bytes, want %" PRIu64,
                             f->file.path, name, c->size, size);
        return cgct_chunk_read(f, c, data, err);
    }
    return cgct_fail(err, CGCT_E_FORMAT, "%s: has no part %s %" PRIu32, f->file.path, name, index);
}

static cgct_status find_chunks(cgct_chunks *f, uint32_t kind, cgct_err *err)
{
    int whole;
    CGCT_TRY(cgct_magic_read(f, kind, &whole, err));
    for (;;) {
        cgct_chunk c;
        CGCT_TRY(cgct_chunk_next(f, &c, &whole, err));
        if (!whole)
            return cgct_fail(err, CGCT_E_FORMAT,
                             "%s: has %" PRIu64 " bytes and ends within a part at byte %" PRIu64
                             ": truncated or damaged",
                             f->file.path, f->size, f->file.end);
        f->file.end = cgct_chunk_behind(&c);
        if (!memcmp(c.name, "TEND", 4)) {
            uint8_t *none;
            CGCT_TRY(cgct_chunk_read(f, &c, &none, err));
            free(none);
            break;
        }
        CGCT_TRY(cgct_chunk_keep(f, &c, err));
    }
    if (f->file.end == f->size) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "%s: has bytes behind its end: appended to", f->file.path);
}

cgct_status cgct_chunks_attach(cgct_chunks *f, const char *path, cgct_err *err)
{
    struct stat is;
    memset(f, 0, sizeof *f);
    cgct_crc64_init(&f->crc);
    f->file = cgct_tmpfile_none();
    f->file.path = strdup(path);
    if (!f->file.path) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    f->file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK /* of a pipe */);
    if (f->file.fd < 0 || fstat(f->file.fd, &is))
        return cgct_fail_errno(err, path, "cannot open", errno);
    if (!S_ISREG(is.st_mode)) return cgct_fail(err, CGCT_E_IO, "%s: is not a regular file", path);
    f->size = (uint64_t)is.st_size;
    return CGCT_OK;
}

cgct_status cgct_chunks_open(cgct_chunks *f, const char *path, uint32_t kind, cgct_err *err)
{
    cgct_status st = cgct_chunks_attach(f, path, err);
    if (st == CGCT_OK) st = find_chunks(f, kind, err);
    if (st != CGCT_OK) cgct_chunks_close(f);
    return st;
}

void cgct_chunks_close(cgct_chunks *f)
{
    if (f->file.path) cgct_tmpfile_discard(&f->file);
    free(f->chunk);
    free(f->made);
    memset(f, 0, sizeof *f);
}
