/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "inner_archive.h"
#include "inner_layout.h"
#include "tmpfile.h"

typedef struct {
    cgct_tmpfile file;
    cgct_crc64_table crc;
    uint8_t head[CGCT_HEADER_SIZE];
} save_state;

/* At the next multiple of CGCT_ALIGN. */
static cgct_status append(save_state *s, const void *data, size_t n, uint64_t *offset,
                          cgct_err *err)
{
    static const uint8_t zeros[CGCT_ALIGN];
    CGCT_TRY(cgct_tmpfile_append(&s->file, zeros, (size_t)(-s->file.end % CGCT_ALIGN), err));
    *offset = s->file.end;
    return cgct_tmpfile_append(&s->file, data, n, err);
}

static cgct_status section(save_state *s, int at, const uint8_t *data, size_t n, cgct_err *err)
{
    uint64_t offset;
    CGCT_TRY(append(s, data, n, &offset, err));
    cgct_put_u64(s->head + at, offset);
    cgct_put_u64(s->head + at + 8, n);
    cgct_put_u64(s->head + at + 16, cgct_crc64(&s->crc, data, n));
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
    cgct_status st = section(s, CGCT_AT_AXES, bytes, size, err);
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
    cgct_status st = section(s, CGCT_AT_META, bytes, size, err);
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
        uint64_t offset = 0;
        st = append(s, b->frame, b->size, &offset, err);
        cgct_put_u64(e + CGCT_BLOCK_AT_OFFSET, offset);
        cgct_put_u64(e + CGCT_BLOCK_AT_STORED, b->size);
        cgct_put_u64(e + CGCT_BLOCK_AT_RAW, b->raw_size);
        cgct_put_u64(e + CGCT_BLOCK_AT_CRC, cgct_crc64(&s->crc, b->frame, b->size));
        cgct_put_f64(e + CGCT_BLOCK_AT_STEP, b->step);
        cgct_put_u32(e + CGCT_BLOCK_AT_WIDTH, b->width);
        cgct_put_u32(e + CGCT_BLOCK_AT_ORDER, b->order);
        cgct_put_u32(e + CGCT_BLOCK_AT_COMPRESSION, CGCT_ZSTD);
    }
    if (st == CGCT_OK) st = section(s, CGCT_AT_INDEX, index, CGCT_BLOCK_SIZE * n, err);
    free(index);
    return st;
}

static void fill_head(save_state *s, const cgct_inner_head *h)
{
    uint8_t *b = s->head;
    memcpy(b + CGCT_AT_MAGIC, CGCT_MAGIC, 8);
    cgct_put_u16(b + CGCT_AT_MAJOR, CGCT_INNER_MAJOR);
    cgct_put_u16(b + CGCT_AT_MINOR, CGCT_INNER_MINOR);
    cgct_put_u32(b + CGCT_AT_HEADER_SIZE, CGCT_HEADER_SIZE);
    cgct_put_u32(b + CGCT_AT_KIND, CGCT_KIND_INNER_TABLE);
    cgct_put_u32(b + CGCT_AT_DATA_VERSION, CGCT_INNER_DATA_VERSION);
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

static cgct_status check(const char *path, const cgct_inner_head *h, cgct_err *err)
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
    CGCT_TRY(check(path, h, err));
    cgct_crc64_init(&s.crc);
    CGCT_TRY(cgct_tmpfile_open(&s.file, path, err));
    cgct_status st = cgct_tmpfile_append(&s.file, s.head, sizeof s.head, err);
    if (st == CGCT_OK) st = save_arrays(&s, h, err);
    if (st == CGCT_OK) st = save_texts(&s, h, err);
    if (st == CGCT_OK) st = save_blocks(&s, CGCT_INNER_NPOL * h->nm, block, err);
    if (st == CGCT_OK) {
        fill_head(&s, h);
        st = cgct_tmpfile_write_at(&s.file, 0, s.head, sizeof s.head, err);
    }
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&s.file, err);
    cgct_tmpfile_discard(&s.file);
    return st;
}
