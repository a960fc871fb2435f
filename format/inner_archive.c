/* SPDX-License-Identifier: MIT */
/* Files of one inner table (INNER.md): write one, open one and load its blocks. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inner_archive.h"
#include "archive.h"

/* ---- write ---- */

typedef struct {
    cgct_tmpfile file;
    cgct_crc64_table crc;
    uint8_t head[CGCT_HEADER_SIZE];
} save_state;

/* Appends n bytes and puts their place and checksum into the header at `at`. */
static cgct_status save_section(save_state *s, int at, const uint8_t *data, size_t n, cgct_err *err)
{
    cgct_section where;
    CGCT_TRY(cgct_section_append(&s->file, &s->crc, data, n, &where, err));
    cgct_section_pack(&where, s->head + at);
    return CGCT_OK;
}

static cgct_status save_arrays(save_state *s, const cgct_inner_head *h, cgct_err *err)
{
    size_t size = 0, at = 0;
    for (size_t i = 0; i < h->narray; i++) size += CGCT_INNER_NAME_SIZE + 8 + 8 * h->array[i].n;
    uint8_t *bytes = calloc(1, size + 1);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of arrays", size);
    for (size_t i = 0; i < h->narray; i++) {
        const cgct_inner_array *a = &h->array[i];
        memcpy(bytes + at, a->name, strlen(a->name));
        cgct_put_u64(bytes + at + CGCT_INNER_NAME_SIZE, a->n);
        at += CGCT_INNER_NAME_SIZE + 8;
        for (size_t j = 0; j < a->n; j++, at += 8) cgct_put_f64(bytes + at, a->v[j]);
    }
    cgct_status st = save_section(s, CGCT_AT_AXES, bytes, size, err);
    free(bytes);
    return st;
}

static cgct_status save_texts(save_state *s, const cgct_inner_head *h, cgct_err *err)
{
    size_t size = 0, at = 0;
    for (int i = 0; i < CGCT_INNER_TEXTS; i++) size += strlen(h->text[i]) + 1;
    uint8_t *bytes = malloc(size);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of text", size);
    for (int i = 0; i < CGCT_INNER_TEXTS; i++) {
        size_t n = strlen(h->text[i]) + 1;
        memcpy(bytes + at, h->text[i], n);
        at += n;
    }
    cgct_status st = save_section(s, CGCT_AT_META, bytes, size, err);
    free(bytes);
    return st;
}

static cgct_status save_blocks(save_state *s, size_t n, const cgct_inner_block *block,
                               cgct_err *err)
{
    uint8_t *index = calloc(n, CGCT_BLOCK_SIZE);
    if (!index) return cgct_fail(err, CGCT_E_NOMEM, "no memory for an index of %zu blocks", n);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        const cgct_inner_block *b = &block[i];
        uint8_t *e = index + CGCT_BLOCK_SIZE * i;
        cgct_section where = {0};
        st = cgct_section_append(&s->file, &s->crc, b->frame, b->size, &where, err);
        cgct_put_u64(e + CGCT_BLOCK_AT_OFFSET, where.offset);
        cgct_put_u64(e + CGCT_BLOCK_AT_STORED, where.size);
        cgct_put_u64(e + CGCT_BLOCK_AT_RAW, b->raw_size);
        cgct_put_u64(e + CGCT_BLOCK_AT_CRC, where.crc);
        cgct_put_f64(e + CGCT_BLOCK_AT_STEP, b->step);
        cgct_put_u32(e + CGCT_BLOCK_AT_WIDTH, b->width);
        cgct_put_u32(e + CGCT_BLOCK_AT_ORDER, b->order);
        cgct_put_u32(e + CGCT_BLOCK_AT_COMPRESSION, CGCT_ZSTD);
    }
    if (st == CGCT_OK) st = save_section(s, CGCT_AT_INDEX, index, CGCT_BLOCK_SIZE * n, err);
    free(index);
    return st;
}

static void fill_inner_head(save_state *s, const cgct_inner_head *h)
{
    uint8_t *b = s->head;
    cgct_put_u64(b + CGCT_AT_FILE_SIZE, s->file.end);
    cgct_put_u32(b + CGCT_AT_LENGTHS, (uint32_t)h->nm);
    cgct_put_u32(b + CGCT_AT_LENGTHS + 4, (uint32_t)h->nd);
    cgct_put_u32(b + CGCT_AT_LENGTHS + 8, (uint32_t)h->nr);
    cgct_put_u32(b + CGCT_AT_LENGTHS + 12, (uint32_t)h->narray);
    cgct_put_u32(b + CGCT_AT_NPOL, CGCT_INNER_NPOL);
    cgct_put_f64(b + CGCT_INNER_AT_BOUND, h->bound);
    strncpy((char *)b + CGCT_AT_GENERATOR, h->text[CGCT_INNER_GENERATOR], CGCT_GENERATOR_SIZE - 1);
    for (int p = 0; p < CGCT_INNER_NPOL; p++) {
        cgct_put_f64(b + CGCT_INNER_AT_LARGEST + 8 * p, h->largest[p]);
        cgct_put_f64(b + CGCT_INNER_AT_MEASURED + 8 * p, h->measured[p]);
    }
    cgct_put_u64(b + CGCT_AT_CRC, cgct_crc64(&s->crc, b, CGCT_AT_CRC));
}

static cgct_status check_inner_lengths(const char *path, const cgct_inner_head *h, cgct_err *err)
{
    if (h->nm < 1 || h->nm > CGCT_INNER_MODES_MAX || h->nd < 1 || h->nd > CGCT_INNER_AXIS_MAX ||
        h->nr < 1 || h->nr > CGCT_INNER_AXIS_MAX || h->narray > CGCT_INNER_ARRAYS_MAX)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: %zu modes x %zu x %zu nodes, %zu arrays; an archive takes %d x %d x "
                         "%d and %d",
                         path, h->nm, h->nd, h->nr, h->narray, CGCT_INNER_MODES_MAX,
                         CGCT_INNER_AXIS_MAX, CGCT_INNER_AXIS_MAX, CGCT_INNER_ARRAYS_MAX);
    return CGCT_OK;
}

cgct_status cgct_inner_save(const char *path, const cgct_inner_head *h,
                            const cgct_inner_block *block, cgct_err *err)
{
    save_state s = {.file = cgct_tmpfile_none()};
    CGCT_TRY(check_inner_lengths(path, h, err));
    cgct_crc64_init(&s.crc);
    CGCT_TRY(cgct_tmpfile_open(&s.file, path, err));
    cgct_status st = cgct_tmpfile_append(&s.file, s.head, sizeof s.head, err);
    cgct_header_begin(s.head, CGCT_KIND_INNER_TABLE, CGCT_INNER_MAJOR, CGCT_INNER_MINOR,
                      CGCT_INNER_DATA_VERSION, 0);
    if (st == CGCT_OK) st = save_arrays(&s, h, err);
    if (st == CGCT_OK) st = save_texts(&s, h, err);
    if (st == CGCT_OK) st = save_blocks(&s, CGCT_INNER_NPOL * h->nm, block, err);
    if (st == CGCT_OK) {
        fill_inner_head(&s, h);
        st = cgct_tmpfile_write_at(&s.file, 0, s.head, sizeof s.head, err);
    }
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&s.file, err);
    cgct_tmpfile_discard(&s.file);
    return st;
}

/* ---- read ---- */

static cgct_status read_inner_bytes(const cgct_inner_archive *a, uint64_t at, uint8_t *to, size_t n,
                                    cgct_err *err)
{
    while (n) {
        ssize_t got = pread(a->fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cgct_fail_errno(err, "cannot read", NULL, errno);
        if (got == 0)
            return cgct_fail(err, CGCT_E_FORMAT, "ends at byte %" PRIu64 ", %zu more were expected",
                             at, n);
        at += (uint64_t)got;
        to += got;
        n -= (size_t)got;
    }
    return CGCT_OK;
}

/* Reads the section whose offset, size and checksum are at b; size 0 is allowed. */
static cgct_status read_inner_section(const cgct_inner_archive *a, const char *name,
                                      const uint8_t *b, uint8_t **out, size_t *size, cgct_err *err)
{
    uint64_t at = cgct_get_u64(b), n = cgct_get_u64(b + 8), crc = cgct_get_u64(b + 16);
    if (at % CGCT_ALIGN || at < CGCT_HEADER_SIZE || at > a->file_size || n > a->file_size - at)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s at byte %" PRIu64 ", %" PRIu64
                         " bytes: not inside the file of %" PRIu64,
                         name, at, n, a->file_size);
    *size = (size_t)n;
    *out = malloc(*size + 1);
    if (!*out) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of %s", *size, name);
    CGCT_TRY(read_inner_bytes(a, at, *out, *size, err));
    (*out)[*size] = 0;
    uint64_t got = cgct_crc64(&a->crc, *out, *size);
    if (got != crc)
        return cgct_fail(err, CGCT_E_CHECKSUM, "%s: checksum %016" PRIx64 ", stored %016" PRIx64,
                         name, got, crc);
    return CGCT_OK;
}

static cgct_status check_inner_head(const cgct_inner_archive *a, const uint8_t *b, cgct_err *err)
{
    CGCT_TRY(cgct_archive_check(b, CGCT_KIND_INNER_TABLE, CGCT_INNER_MAJOR, CGCT_INNER_DATA_VERSION,
                                NULL, &a->crc, err));
    if (cgct_get_u64(b + CGCT_AT_FILE_SIZE) != a->file_size)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "has %" PRIu64 " bytes, its header says %" PRIu64
                         ": truncated or appended to",
                         a->file_size, cgct_get_u64(b + CGCT_AT_FILE_SIZE));
    return CGCT_OK;
}

static cgct_status parse_inner_head(cgct_inner_archive *a, const uint8_t *b, cgct_err *err)
{
    cgct_inner_head *h = &a->head;
    h->nm = cgct_get_u32(b + CGCT_AT_LENGTHS);
    h->nd = cgct_get_u32(b + CGCT_AT_LENGTHS + 4);
    h->nr = cgct_get_u32(b + CGCT_AT_LENGTHS + 8);
    h->narray = cgct_get_u32(b + CGCT_AT_LENGTHS + 12);
    h->bound = cgct_get_f64(b + CGCT_INNER_AT_BOUND);
    for (int p = 0; p < CGCT_INNER_NPOL; p++) {
        h->largest[p] = cgct_get_f64(b + CGCT_INNER_AT_LARGEST + 8 * p);
        h->measured[p] = cgct_get_f64(b + CGCT_INNER_AT_MEASURED + 8 * p);
    }
    uint32_t size = cgct_get_u32(b + CGCT_AT_HEADER_SIZE), npol = cgct_get_u32(b + CGCT_AT_NPOL);
    if (size != CGCT_HEADER_SIZE || npol != CGCT_INNER_NPOL || h->nm < 1 ||
        h->nm > CGCT_INNER_MODES_MAX || h->nd < 1 || h->nd > CGCT_INNER_AXIS_MAX || h->nr < 1 ||
        h->nr > CGCT_INNER_AXIS_MAX || h->narray > CGCT_INNER_ARRAYS_MAX)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "header of %" PRIu32 " bytes, %" PRIu32
                         " polarisations, %zu modes x %zu x "
                         "%zu nodes, %zu arrays: not what the format allows",
                         size, npol, h->nm, h->nd, h->nr, h->narray);
    if (cgct_get_u64(b + CGCT_AT_FEATURES) || cgct_get_u32(b + CGCT_AT_ORDER) ||
        cgct_get_u64(b + CGCT_INNER_AT_RESERVED))
        return cgct_fail(err, CGCT_E_VERSION, "reserved fields are in use; needs a newer program");
    return CGCT_OK;
}

static cgct_status parse_inner_arrays(cgct_inner_archive *a, size_t size, cgct_err *err)
{
    size_t at = 0, used = 0, record = CGCT_INNER_NAME_SIZE + 8;
    a->values = malloc(size + sizeof *a->values);
    if (!a->values) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes", size);
    for (size_t i = 0; i < a->head.narray; i++) {
        cgct_inner_array *to = &a->head.array[i];
        if (size - at < record || a->arrays[at + CGCT_INNER_NAME_SIZE - 1])
            return cgct_fail(err, CGCT_E_FORMAT, "array %zu of %zu: no name and length", i,
                             a->head.narray);
        memcpy(to->name, a->arrays + at, CGCT_INNER_NAME_SIZE);
        uint64_t n = cgct_get_u64(a->arrays + at + CGCT_INNER_NAME_SIZE);
        at += record;
        if (n > (size - at) / 8)
            return cgct_fail(err, CGCT_E_FORMAT,
                             "array '%s' of %" PRIu64 " numbers: %zu bytes left", to->name, n,
                             size - at);
        to->n = (size_t)n;
        to->v = a->values + used;
        for (size_t j = 0; j < to->n; j++, at += 8) {
            a->values[used++] = cgct_get_f64(a->arrays + at);
            if (!isfinite(a->values[used - 1]))
                return cgct_fail(err, CGCT_E_FORMAT, "array '%s': number %zu is %g", to->name, j,
                                 a->values[used - 1]);
        }
    }
    if (at == size) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes behind the last array", size - at);
}

static cgct_status parse_inner_texts(cgct_inner_archive *a, size_t size, cgct_err *err)
{
    const char *p = (const char *)a->texts, *end = p + size;
    for (int i = 0; i < CGCT_INNER_TEXTS; i++) {
        const char *nul = p < end ? memchr(p, 0, (size_t)(end - p)) : NULL;
        if (!nul)
            return cgct_fail(err, CGCT_E_FORMAT, "text %d of %d is missing", i, CGCT_INNER_TEXTS);
        a->head.text[i] = p;
        p = nul + 1;
    }
    return CGCT_OK;
}

static cgct_status read_inner_head(cgct_inner_archive *a, cgct_err *err)
{
    uint8_t b[CGCT_HEADER_SIZE];
    size_t narrays, ntexts, nindex;
    if (a->file_size < sizeof b)
        return cgct_fail(err, CGCT_E_FORMAT, "has %" PRIu64 " bytes, the header alone %d",
                         a->file_size, CGCT_HEADER_SIZE);
    CGCT_TRY(read_inner_bytes(a, 0, b, sizeof b, err));
    CGCT_TRY(check_inner_head(a, b, err));
    CGCT_TRY(parse_inner_head(a, b, err));
    CGCT_TRY(read_inner_section(a, "arrays", b + CGCT_AT_AXES, &a->arrays, &narrays, err));
    CGCT_TRY(read_inner_section(a, "texts", b + CGCT_AT_META, &a->texts, &ntexts, err));
    CGCT_TRY(read_inner_section(a, "index", b + CGCT_AT_INDEX, &a->index, &nindex, err));
    CGCT_TRY(parse_inner_arrays(a, narrays, err));
    CGCT_TRY(parse_inner_texts(a, ntexts, err));
    if (nindex == CGCT_INNER_NPOL * a->head.nm * CGCT_BLOCK_SIZE) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT, "index of %zu bytes for %zu blocks of %d", nindex,
                     CGCT_INNER_NPOL * a->head.nm, CGCT_BLOCK_SIZE);
}

cgct_status cgct_inner_open(cgct_inner_archive **out, const char *path, cgct_err *err)
{
    struct stat info;
    *out = NULL;
    cgct_inner_archive *a = calloc(1, sizeof *a);
    if (!a) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    cgct_crc64_init(&a->crc);
    a->path = malloc(strlen(path) + 1);
    a->fd = open(path, O_RDONLY | O_CLOEXEC);
    cgct_status st = CGCT_OK;
    if (!a->path)
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory");
    else if (a->fd < 0 || fstat(a->fd, &info))
        st = cgct_fail_errno(err, "cannot open", NULL, errno);
    else if (!S_ISREG(info.st_mode))
        st = cgct_fail(err, CGCT_E_IO, "not a regular file");
    if (a->path) strcpy(a->path, path);
    if (st == CGCT_OK) {
        a->file_size = (uint64_t)info.st_size;
        st = read_inner_head(a, err);
    }
    if (st == CGCT_OK) {
        *out = a;
        return CGCT_OK;
    }
    cgct_inner_close(a);
    return cgct_context(err, st, "%s", path);
}

void cgct_inner_close(cgct_inner_archive *a)
{
    if (!a) return;
    if (a->fd >= 0) close(a->fd);
    free(a->path);
    free(a->arrays);
    free(a->texts);
    free(a->index);
    free(a->values);
    free(a);
}

cgct_status cgct_inner_find(const cgct_inner_archive *a, const char *name, size_t n,
                            const cgct_inner_array **found, cgct_err *err)
{
    for (size_t i = 0; i < a->head.narray; i++) {
        *found = &a->head.array[i];
        if (strcmp((*found)->name, name) != 0) continue;
        if (!n || (*found)->n == n) return CGCT_OK;
        return cgct_fail(err, CGCT_E_FORMAT, "%s: array '%s' has %zu numbers, want %zu", a->path,
                         name, (*found)->n, n);
    }
    return cgct_fail(err, CGCT_E_FORMAT, "%s: no array '%s'", a->path, name);
}

static cgct_status load_block(const cgct_inner_archive *a, const uint8_t *e, cgct_inner_block *b,
                              double *v, cgct_err *err)
{
    uint8_t where[24]; /* as a section */
    memcpy(where, e, 16);
    memcpy(where + 16, e + CGCT_BLOCK_AT_CRC, 8);
    if (cgct_get_u32(e + CGCT_BLOCK_AT_COMPRESSION) != CGCT_ZSTD)
        return cgct_fail(err, CGCT_E_VERSION, "compression %" PRIu32 ", this program reads %d",
                         cgct_get_u32(e + CGCT_BLOCK_AT_COMPRESSION), CGCT_ZSTD);
    CGCT_TRY(read_inner_section(a, "frame", where, &b->frame, &b->size, err));
    b->raw_size = cgct_get_u64(e + CGCT_BLOCK_AT_RAW);
    b->step = cgct_get_f64(e + CGCT_BLOCK_AT_STEP);
    b->width = cgct_get_u32(e + CGCT_BLOCK_AT_WIDTH);
    b->order = cgct_get_u32(e + CGCT_BLOCK_AT_ORDER);
    return cgct_inner_unpack(b, a->head.nd, a->head.nr, v, err);
}

cgct_status cgct_inner_load(const cgct_inner_archive *a, size_t i, double *v, cgct_err *err)
{
    cgct_inner_block b = {0};
    cgct_status st = load_block(a, a->index + CGCT_BLOCK_SIZE * i, &b, v, err);
    cgct_inner_block_free(&b);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s: block %zu", a->path, i);
}
