/* SPDX-License-Identifier: MIT */
/* Nodes in memory: how the modes of a payload get into records. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cgctab_internal.h"
#include "../format/elementary.h"

/* ---- memory ---- */

#define PIECE ((size_t)32 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static cgct_status add_piece(cgct_pool *p, size_t size, cgct_err *err)
{
    size_t align = size < LARGE_PAGE ? (size_t)CGCT_ALIGN_RECORDS : LARGE_PAGE;
    void **list = (void **)realloc(p->piece, (p->n + 1) * sizeof *list);
    if (list) p->piece = list;
    char *piece = list && size < SIZE_MAX - align ? (char *)calloc(1, size + align) : NULL;
    if (!piece) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu bytes of records", size);
    p->piece[p->n++] = piece;
    p->at = piece + (size_t)(-(uintptr_t)piece % align);
    p->left = size;
#ifdef MADV_HUGEPAGE
    if (align == LARGE_PAGE) (void)madvise(p->at, size, MADV_HUGEPAGE); /* only a hint */
#endif
    return CGCT_OK;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

cgct_status cgct_pool_take(cgct_pool *p, size_t size, size_t expected, void **out, cgct_err *err)
{
    size = round_up(size, CGCT_ALIGN_RECORDS);
    if (size > p->left) {
        size_t want = expected < PIECE - size % PIECE ? size + expected : PIECE;
        CGCT_TRY(add_piece(p, round_up(want > size ? want : size, CGCT_ALIGN_RECORDS), err));
    }
    *out = p->at;
    p->at += size;
    p->left -= size;
    return CGCT_OK;
}

void cgct_pool_free(cgct_pool *p)
{
    for (size_t i = 0; i < p->n; i++) free(p->piece[i]);
    free(p->piece);
    memset(p, 0, sizeof *p);
}

/* ---- records ---- */

double cgct_record_get(const cgct_records *r, size_t block, size_t i)
{
    return r->wide ? ((const double *)r->record)[CGCT_BLOCK * block + i]
                   : (double)((const float *)r->record)[CGCT_BLOCK * block + i];
}

/* A node on its way into records: one block of every point at a time, as 16 rows of numbers that
 * are then transposed. */
typedef struct {
    cgct_payload *from;
    const cgct_plane *p;
    const uint32_t *start;
    size_t n, stride;         /* points (q,k); from row to row */
    double *a, *e, *b, *unit; /* (2, n): A, exp A, B; what modes are multiplied by, 1 mostly */
    uint32_t *any;            /* (n): bits of the numbers of a block, but for their signs */
    void *rows;               /* (16, stride), float or double */
    void *memory;
} record_packer;

static cgct_status record_packer_init(record_packer *k, cgct_payload *from, const cgct_plane *p,
                                      const uint32_t *start, int wide, cgct_err *err)
{
    size_t n = p->n / 2, stride = n + CGCT_BLOCK; /* n alone may be bad for a cache */
    size_t rows = CGCT_BLOCK / (wide ? 1 : 2) * stride;
    memset(k, 0, sizeof *k);
    k->memory = malloc((9 * n + rows) * sizeof(double));
    if (!k->memory) return cgct_fail(err, CGCT_E_NOMEM, "no memory for records of %zu points", n);
    k->from = from;
    k->p = p;
    k->start = start;
    k->n = n;
    k->stride = stride;
    k->a = (double *)k->memory;
    k->e = k->a + 2 * n;
    k->b = k->e + 2 * n;
    k->unit = k->b + 2 * n;
    k->rows = k->unit + 2 * n;
    k->any = (uint32_t *)(void *)((double *)k->rows + rows);
    return CGCT_OK;
}

CGCT_CLONES_512
static void split_logarithms(const double *s, size_t n, int wide, double *a, double *e, double *b)
{
    for (size_t i = 0; i < n; i++) a[i] = cgct_ln(s[i]);
    for (size_t i = 0; i < n && !wide; i++) a[i] = (float)a[i];
    for (size_t i = 0; i < n; i++) e[i] = cgct_exp(a[i]);
    for (size_t i = 0; i < n; i++) b[i] = (s[i] - e[i]) / e[i];
}

/* What rounding makes of ln s is A; B corrects it exactly.  A flagged point has no room for B: its
 * numbers become multiples of exp A instead of s. */
static void make_heads(record_packer *k, int wide, double *error)
{
    const double *s = k->p->scale;
    split_logarithms(s, 2 * k->n, wide, k->a, k->e, k->b);
    for (size_t i = 0; i < 2 * k->n; i++) {
        if (!isfinite(k->e[i])) { /* rounding went beyond the largest s */
            k->a[i] = nextafterf((float)k->a[i], 0);
            k->e[i] = cgct_exp(k->a[i]);
            k->b[i] = (s[i] - k->e[i]) / k->e[i];
        }
        k->unit[i] = k->p->flag[i] ? s[i] / k->e[i] : 1;
        if (k->p->flag[i]) k->b[i] = k->p->zero[i] * k->unit[i];
        error[i] = k->p->error[i] * k->unit[i];
    }
}

/* Rows of nk numbers of a mode, in units of unit unless that is NULL; any gets their bits. */
CGCT_CLONES_512
static void to_floats(const cgct_mode *mode, const double *unit, size_t n, size_t nk, float *out,
                      uint32_t *any)
{
    const int32_t *v = mode->integer;
    const double step = mode->step;
    for (size_t i = 0; i < n; i += nk, v += mode->stride) {
        if (unit)
            for (size_t j = 0; j < nk; j++) out[i + j] = (float)((double)v[j] * step * unit[i + j]);
        else
            for (size_t j = 0; j < nk; j++) out[i + j] = (float)((double)v[j] * step);
        for (size_t j = 0; j < nk; j++) any[i + j] |= (uint32_t)v[j];
    }
}

static void to_doubles(const double *v, const double *unit, size_t n, double *out, uint32_t *any)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = cgct_bits(v[i]) << 1;
        out[i] = unit ? v[i] * unit[i] : v[i];
        any[i] |= (uint32_t)(bits >> 32) | (uint32_t)bits;
    }
}

static void put_record_head(record_packer *k, size_t row, int wide, const double *v)
{
    for (size_t i = 0; i < k->n; i++) {
        if (wide)
            ((double *)k->rows)[row * k->stride + i] = v[i];
        else
            ((float *)k->rows)[row * k->stride + i] = (float)v[i];
    }
}

/* Encoding 1 is kept in doubles, the others in floats. */
static void put_mode(record_packer *k, size_t row, const cgct_mode *mode, const double *unit)
{
    size_t nk = mode->stride == k->from->nk ? k->n : k->from->nk;
    if (mode->integer)
        to_floats(mode, unit, k->n, nk, (float *)k->rows + row * k->stride, k->any);
    else
        to_doubles(mode->real, unit, k->n, (double *)k->rows + row * k->stride, k->any);
}

/* Numbers 0 to 15 of block v of all points. */
static cgct_status fill_rows(record_packer *k, size_t v, int wide, cgct_err *err)
{
    size_t first = v ? 0 : 4, number = wide ? sizeof(double) : sizeof(float);
    memset(k->any, 0, k->n * sizeof *k->any);
    for (size_t row = 0; row < first; row++)
        put_record_head(k, row, wide, (row < 2 ? k->a : k->b) + row % 2 * k->n);
    for (size_t row = first; row < CGCT_BLOCK; row++) {
        size_t m = CGCT_MODES_BLOCK * v + row / 2 - 1, pol = row % 2;
        cgct_mode mode = {NULL, NULL, 0, 0, 1};
        if (m < k->from->nm) CGCT_TRY(cgct_payload_mode(k->from, pol, m, &mode, err));
        if (mode.zero)
            memset((char *)k->rows + row * k->stride * number, 0, k->n * number);
        else
            put_mode(k, row, &mode, k->p->flagged ? k->unit + pol * k->n : NULL);
    }
    return CGCT_OK;
}

static size_t blocks_of(const record_packer *k, size_t point)
{
    return k->start[point + 1] - k->start[point];
}

static void put_floats(const record_packer *k, size_t v, float *record)
{
    const float *rows = (const float *)k->rows;
    for (size_t i = 0; i < k->n; i++) {
        if (v >= blocks_of(k, i)) continue;
        float *to = record + CGCT_BLOCK * (k->start[i] + v);
        for (size_t j = 0; j < CGCT_BLOCK; j++) to[j] = rows[j * k->stride + i];
    }
}

static void put_doubles(const record_packer *k, size_t v, double *record)
{
    const double *rows = (const double *)k->rows;
    for (size_t i = 0; i < k->n; i++) {
        if (v >= blocks_of(k, i)) continue;
        double *to = record + CGCT_BLOCK * (k->start[i] + v);
        for (size_t j = 0; j < CGCT_BLOCK; j++) to[j] = rows[j * k->stride + i];
    }
}

/* Modes beyond a point's room must be zero. */
static cgct_status check_rest(const record_packer *k, size_t v, cgct_err *err)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->any[i] && v >= blocks_of(k, i))
            return cgct_fail(err, CGCT_E_FORMAT,
                             "point %zu has modes beyond the %zu that its shape allows", i,
                             cgct_modes_in(blocks_of(k, i)));
    return CGCT_OK;
}

static cgct_status put_blocks(record_packer *k, int wide, void *record, cgct_err *err)
{
    for (size_t v = 0; v < cgct_blocks(k->from->nm); v++) {
        CGCT_TRY(fill_rows(k, v, wide, err));
        CGCT_TRY(check_rest(k, v, err));
        if (wide)
            put_doubles(k, v, (double *)record);
        else
            put_floats(k, v, (float *)record);
    }
    return CGCT_OK;
}

cgct_status cgct_records_pack(cgct_records *r, cgct_node_stream *s, const uint32_t *start, int wide,
                              size_t expected, cgct_pool *pool, cgct_err *err)
{
    const cgct_plane *p = &s->heads;
    size_t n = p->n / 2, number = wide ? sizeof(double) : sizeof(float);
    size_t bytes = CGCT_BLOCK * number * start[n], size = bytes + p->n * (sizeof(double) + 1);
    void *memory;
    record_packer k;
    CGCT_TRY(cgct_pool_take(pool, size, expected * size, &memory, err));
    double *error = (double *)(void *)((char *)memory + bytes);
    uint8_t *flag = (uint8_t *)(error + p->n);
    const cgct_records made = {start, memory, wide, error, flag, p->flagged};
    *r = made;
    memcpy(flag, p->flag, p->n);
    CGCT_TRY(record_packer_init(&k, &s->payload, p, start, wide, err));
    make_heads(&k, wide, error);
    cgct_status st = put_blocks(&k, wide, memory, err);
    free(k.memory);
    return st;
}
