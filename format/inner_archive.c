/* SPDX-License-Identifier: MIT */
/* Files of one inner table (INNER.md): write one, open one and load its blocks. */
#include "inner_archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { HEAD = 56, BLOCK_HEAD = 16, MODES_MAX = 4096, AXIS_MAX = 65536 };

static int fits(const cgct_inner_head *h)
{
    return h->nm >= 1 && h->nm <= MODES_MAX && h->nd >= 1 && h->nd <= AXIS_MAX && h->nr >= 1 &&
           h->nr <= AXIS_MAX;
}

/* ---- write ---- */

static cgct_status write_parts(cgct_chunks *f, const cgct_inner_head *h,
                               const cgct_inner_block *block, cgct_err *err)
{
    cgct_chunk_begin(f, "HEAD", 0);
    cgct_chunk_put_u32(f, h->nm);
    cgct_chunk_put_u32(f, h->nd);
    cgct_chunk_put_u32(f, h->nr);
    cgct_chunk_put_u32(f, h->narray);
    cgct_chunk_put_f64(f, 1, &h->bound);
    cgct_chunk_put_f64(f, CGCT_INNER_NPOL, h->largest);
    cgct_chunk_put_f64(f, CGCT_INNER_NPOL, h->measured);
    CGCT_TRY(cgct_chunk_end(f, err));
    cgct_chunk_begin(f, "TEXT", 0);
    for (int i = 0; i < CGCT_INNER_TEXTS; i++)
        cgct_chunk_put(f, h->text[i], strlen(h->text[i]) + 1);
    CGCT_TRY(cgct_chunk_end(f, err));
    for (uint32_t i = 0; i < h->narray; i++) {
        const cgct_inner_array *a = &h->array[i];
        cgct_chunk_begin(f, "LIST", i);
        cgct_chunk_put(f, a->name, CGCT_INNER_NAME_SIZE);
        cgct_chunk_put_f64(f, a->n, a->v);
        CGCT_TRY(cgct_chunk_end(f, err));
    }
    for (uint32_t i = 0; i < CGCT_INNER_NPOL * h->nm; i++) {
        const cgct_inner_block *b = &block[i];
        cgct_chunk_begin(f, "BLOC", i);
        cgct_chunk_put_f64(f, 1, &b->step);
        cgct_chunk_put_u32(f, b->width);
        cgct_chunk_put_u32(f, b->order);
        cgct_chunk_put(f, b->frame, b->size);
        CGCT_TRY(cgct_chunk_end(f, err));
    }
    return cgct_chunks_finish(f, err);
}

cgct_status cgct_inner_save(const char *path, const cgct_inner_head *h,
                            const cgct_inner_block *block, cgct_err *err)
{
    cgct_chunks f;
    if (!fits(h))
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s: %zu modes x %zu x %zu nodes; a file takes %d x %d x %d", path, h->nm,
                         h->nd, h->nr, MODES_MAX, AXIS_MAX, AXIS_MAX);
    cgct_status st = cgct_chunks_create(&f, path, CGCT_INNER, err);
    if (st == CGCT_OK) st = write_parts(&f, h, block, err);
    cgct_chunks_close(&f);
    return st;
}

/* ---- read ---- */

static cgct_status read_inner_head(cgct_inner_archive *a, cgct_err *err)
{
    cgct_inner_head *h = &a->head;
    uint8_t *b;
    const cgct_chunk *c;
    CGCT_TRY(cgct_chunk_load(&a->f, "HEAD", 0, HEAD, &c, &b, err));
    h->nm = cgct_get_u32(b);
    h->nd = cgct_get_u32(b + 4);
    h->nr = cgct_get_u32(b + 8);
    h->narray = cgct_get_u32(b + 12);
    h->bound = cgct_get_f64(b + 16);
    for (int p = 0; p < CGCT_INNER_NPOL; p++) {
        h->largest[p] = cgct_get_f64(b + 24 + 8 * p);
        h->measured[p] = cgct_get_f64(b + 24 + 8 * (CGCT_INNER_NPOL + p));
    }
    free(b);
    const size_t most = a->f.n, arrays = h->narray;
    h->narray = 0; /* read so far */
    if (!fits(h) || arrays > CGCT_INNER_ARRAYS_MAX || CGCT_INNER_NPOL * h->nm > most)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: %zu modes x %zu x %zu nodes, %zu arrays in %zu parts: not what the "
                         "format allows",
                         a->path, h->nm, h->nd, h->nr, arrays, most);
    for (uint32_t i = 0; i < arrays; i++) {
        cgct_inner_array *to = &h->array[h->narray];
        CGCT_TRY(cgct_chunk_load(&a->f, "LIST", i, CGCT_ANY_SIZE, &c, &b, err));
        const int good =
            c->size >= CGCT_INNER_NAME_SIZE && c->size % 8 == 0 && !b[CGCT_INNER_NAME_SIZE - 1];
        double *v = good ? malloc((size_t)c->size) : NULL;
        if (v) {
            memcpy(to->name, b, CGCT_INNER_NAME_SIZE);
            to->n = ((size_t)c->size - CGCT_INNER_NAME_SIZE) / 8;
            to->v = v;
            h->narray++;
        }
        size_t finite = 0;
        for (; v && finite < to->n; finite++) {
            v[finite] = cgct_get_f64(b + CGCT_INNER_NAME_SIZE + 8 * finite);
            if (!isfinite(v[finite])) break;
        }
        free(b);
        if (!good || !v || finite < to->n)
            return cgct_fail(err, good && !v ? CGCT_E_NOMEM : CGCT_E_FORMAT,
                             "%s: array %u is not a name and finite numbers", a->path, i);
    }
    return CGCT_OK;
}

static cgct_status read_inner_texts(cgct_inner_archive *a, cgct_err *err)
{
    const cgct_chunk *c;
    CGCT_TRY(cgct_chunk_load(&a->f, "TEXT", 0, CGCT_ANY_SIZE, &c, &a->texts, err));
    const char *p = (const char *)a->texts, *end = p + c->size;
    for (int i = 0; i < CGCT_INNER_TEXTS; i++, p += strlen(p) + 1) {
        if (p >= end)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: text %d of %d is missing", a->path, i,
                             CGCT_INNER_TEXTS);
        a->head.text[i] = p;
    }
    return CGCT_OK;
}

cgct_status cgct_inner_open(cgct_inner_archive **out, const char *path, cgct_err *err)
{
    cgct_inner_archive *a = calloc(1, sizeof *a);
    *out = NULL;
    if (!a) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    cgct_status st = cgct_chunks_open(&a->f, path, CGCT_INNER, err);
    a->path = a->f.file.path;
    if (st == CGCT_OK) st = read_inner_head(a, err);
    if (st == CGCT_OK) st = read_inner_texts(a, err);
    if (st == CGCT_OK)
        *out = a;
    else
        cgct_inner_close(a);
    return st;
}

void cgct_inner_close(cgct_inner_archive *a)
{
    if (!a) return;
    for (size_t i = 0; i < a->head.narray; i++) free((void *)a->head.array[i].v);
    free(a->texts);
    cgct_chunks_close(&a->f);
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

cgct_status cgct_inner_load(const cgct_inner_archive *a, size_t i, double *v, cgct_err *err)
{
    const cgct_chunk *c;
    uint8_t *data;
    CGCT_TRY(cgct_chunk_load(&a->f, "BLOC", (uint32_t)i, CGCT_ANY_SIZE, &c, &data, err));
    cgct_status st;
    if (c->size < BLOCK_HEAD) {
        st = cgct_fail(err, CGCT_E_FORMAT, "has %u bytes, its beginning %d", (unsigned)c->size,
                       BLOCK_HEAD);
    } else {
        const cgct_inner_block b = {.frame = data + BLOCK_HEAD,
                                    .size = (size_t)c->size - BLOCK_HEAD,
                                    .step = cgct_get_f64(data),
                                    .width = cgct_get_u32(data + 8),
                                    .order = cgct_get_u32(data + 12)};
        st = cgct_inner_unpack(&b, a->head.nd, a->head.nr, v, err);
    }
    free(data);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s: block %zu", a->path, i);
}
