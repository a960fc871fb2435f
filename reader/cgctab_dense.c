/* SPDX-License-Identifier: MIT */
/* Interpolation in (q,k) on the plane of a slice. */
#include "cgctab_dense.h"

#include "../format/elementary.h"
#include "../format/vectors.h"

/* The usual order is written out, so that the compiler knows the lengths of loops; blocks blended
 * at a time: bounds the stack, any number of modes works. */
enum { FOUR = 4, CHUNK = 32 };

/* ---- modes ---- */

typedef struct {
    size_t row;           /* numbers to the next row */
    const void *first[2]; /* first point of the stencil, and of the cell; NULL: no such layer */
    double w[2][CGCT_ORDER_MAX * CGCT_ORDER_MAX];
    float narrow[2][CGCT_ORDER_MAX * CGCT_ORDER_MAX]; /* w again */
} weighted;

/* Products of the weights of n nodes along each axis. */
CGCT_INLINE void multiply_weights(weighted *s, int layer, size_t n, const double *a,
                                  const double *b)
{
    double *w = s->w[layer];
    CGCT_UNROLL
    for (size_t i = 0; i < n; i++) CGCT_UNROLL
    for (size_t j = 0; j < n; j++) w[i * n + j] = a[i] * b[j];
    CGCT_UNROLL
    for (size_t i = 0; i < n * n; i++) s->narrow[layer][i] = (float)w[i];
}

/* Sums over n x n points, those with even and odd index in a row apart. */
CGCT_INLINE void add_narrow_points(const weighted *s, int layer, size_t at, size_t n,
                                   cgct_narrow *even, cgct_narrow *odd)
{
    const float *row = (const float *)s->first[layer] + at, *w = s->narrow[layer];
    CGCT_UNROLL
    for (size_t i = 0; i < n; i++, row += s->row) CGCT_UNROLL
    for (size_t j = 0; j < n; j++) cgct_narrow_add(j % 2 ? odd : even, *w++, row + CGCT_BLOCK * j);
}

CGCT_INLINE void add_wide_points(const weighted *s, int layer, size_t at, size_t n, cgct_wide *even,
                                 cgct_wide *odd)
{
    const double *row = (const double *)s->first[layer] + at, *w = s->w[layer];
    for (size_t i = 0; i < n; i++, row += s->row)
        for (size_t j = 0; j < n; j++)
            cgct_wide_add(j % 2 ? odd : even, *w++, row + CGCT_BLOCK * j);
}

CGCT_INLINE void blend_narrow(const weighted *s, size_t plane, size_t n, double *out)
{
    for (size_t v = 0; v < n; v++, out += CGCT_BLOCK) {
        cgct_narrow a = CGCT_NARROW_ZERO, b = CGCT_NARROW_ZERO, c = CGCT_NARROW_ZERO,
                    d = CGCT_NARROW_ZERO;
        size_t at = v * plane;
        add_narrow_points(s, 0, at, FOUR, &a, &b);
        if (s->first[1]) add_narrow_points(s, 1, at, 2, &c, &d);
        cgct_narrow_put(out, &a, &b, &c, &d);
    }
}

CGCT_INLINE void blend_wide(const weighted *s, size_t plane, size_t n, double *out)
{
    for (size_t v = 0; v < n; v++, out += CGCT_BLOCK) {
        cgct_wide a = CGCT_WIDE_ZERO, b = CGCT_WIDE_ZERO;
        size_t at = v * plane;
        add_wide_points(s, 0, at, FOUR, &a, &b);
        if (s->first[1]) add_wide_points(s, 1, at, 2, &a, &b);
        for (int i = 0; i < CGCT_BLOCK; i++) out[i] = 0;
        cgct_wide_add_to(out, &a, &b);
    }
}

CGCT_CLONES
static void blend_four(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                       size_t n, double ln_s[2], double *mode)
{
    size_t full = q->first * d->row + k->first, linear = q->cell * d->row + k->cell;
    size_t plane = CGCT_BLOCK * d->points, number = d->wide ? sizeof(double) : sizeof(float);
    const char *mode0 = (const char *)d->layer[0].mode, *mode1 = (const char *)d->layer[1].mode;
    weighted s;
    s.row = CGCT_BLOCK * d->row;
    s.first[0] = mode0 + (v0 * plane + CGCT_BLOCK * full) * number;
    s.first[1] = mode1 ? mode1 + (v0 * plane + CGCT_BLOCK * linear) * number : NULL;
    multiply_weights(&s, 0, FOUR, q->w, k->w);
    multiply_weights(&s, 1, 2, q->l, k->l);
    ln_s[0] = ln_s[1] = 0;
    cgct_add_scale(d, d->layer[0].ln_s + 2 * full, FOUR, q->w, FOUR, k->w, ln_s);
    if (s.first[1]) cgct_add_scale(d, d->layer[1].ln_s + 2 * linear, 2, q->l, 2, k->l, ln_s);
    if (d->wide)
        blend_wide(&s, plane, n, mode);
    else
        blend_narrow(&s, plane, n, mode);
}

/* One block of n x m points, any n and m, is added to out[16]. */
CGCT_INLINE void add_weighted_block(const weighted *s, int layer, int wide, size_t at, size_t n,
                                    size_t m, double *out)
{
    if (wide) {
        cgct_wide sum = CGCT_WIDE_ZERO, none = CGCT_WIDE_ZERO;
        const double *row = (const double *)s->first[layer] + at, *w = s->w[layer];
        for (size_t i = 0; i < n; i++, row += s->row)
            for (size_t j = 0; j < m; j++) cgct_wide_add(&sum, *w++, row + CGCT_BLOCK * j);
        cgct_wide_add_to(out, &sum, &none);
    } else {
        cgct_narrow sum = CGCT_NARROW_ZERO, none = CGCT_NARROW_ZERO;
        const float *row = (const float *)s->first[layer] + at, *w = s->narrow[layer];
        for (size_t i = 0; i < n; i++, row += s->row)
            for (size_t j = 0; j < m; j++) cgct_narrow_add(&sum, *w++, row + CGCT_BLOCK * j);
        cgct_narrow_add_to(out, 0, &sum, &none, &none, &none);
    }
}

CGCT_CLONES
static void blend_any(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                      size_t n, double ln_s[2], double *mode)
{
    const size_t nq[2] = {q->n, q->nl}, nk[2] = {k->n, k->nl}, plane = CGCT_BLOCK * d->points;
    const double *wq[2] = {q->w, q->l}, *wk[2] = {k->w, k->l};
    const size_t first[2] = {q->first * d->row + k->first, q->cell * d->row + k->cell};
    weighted s;
    s.row = CGCT_BLOCK * d->row;
    ln_s[0] = ln_s[1] = 0;
    for (size_t i = 0; i < CGCT_BLOCK * n; i++) mode[i] = 0;
    for (int layer = 0; layer < 2 && d->layer[layer].mode; layer++) {
        const double *scale = d->layer[layer].ln_s + 2 * first[layer];
        s.first[layer] = d->layer[layer].mode;
        for (size_t i = 0, at = 0; i < nq[layer]; i++, scale += 2 * d->row)
            for (size_t j = 0; j < nk[layer]; j++, at++) {
                double w = wq[layer][i] * wk[layer][j];
                s.w[layer][at] = w;
                s.narrow[layer][at] = (float)w;
                for (size_t pol = 0; pol < 2; pol++) ln_s[pol] += w * scale[2 * j + pol];
            }
        for (size_t v = 0; v < n; v++)
            add_weighted_block(&s, layer, d->wide, (v0 + v) * plane + CGCT_BLOCK * first[layer],
                               nq[layer], nk[layer], mode + CGCT_BLOCK * v);
    }
}

void cgct_dense_blend(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                      size_t n, double ln_s[2], double *mode)
{
    if (q->n == FOUR && k->n == FOUR)
        blend_four(d, q, k, v0, n, ln_s, mode);
    else
        blend_any(d, q, k, v0, n, ln_s, mode);
}

size_t cgct_dense_blocks(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k)
{
    return d->need[q->cell * (d->row > 1 ? d->row - 1 : 1) + k->cell];
}

void cgct_dense_sum(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out)
{
    CGCT_ALIGNED double mode[CGCT_BLOCK * CHUNK];
    size_t n = cgct_dense_blocks(d, q, k), v = 0;
    cgct_powers z;
    cgct_powers_init(&z, cosine, sine, 1);
    out->sum[0] = out->sum[1] = 0.5;
    out->b[0] = out->b[1] = 0;
    do {
        size_t nv = n - v < CHUNK ? n - v : (size_t)CHUNK;
        cgct_dense_blend(d, q, k, v, nv, out->a, mode);
        cgct_powers_sum(&z, mode, nv, out->sum);
        v += CHUNK;
    } while (v < n);
}
