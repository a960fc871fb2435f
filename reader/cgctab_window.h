/* SPDX-License-Identifier: MIT */
/* cgctab_window.h: the nodes around a point of a slice and the sum of their lines, be it of an arc
 * or of a block of modes; inline, not installed. */
#ifndef CGCTAB_WINDOW_H
#define CGCTAB_WINDOW_H
#include "cgctab_dense.h"

/* The nodes around a point: their weights, and where what belongs to them begins. */
typedef struct {
    cgct_local q, k;
    const double *ln_s[2]; /* of the first point of the window, and of the cell */
    const float *line[2];
} cgct_window;

/* A point (q,k) and the cells that hold it. */
typedef struct {
    double ln_q, ln_k;
    size_t q, k; /* cells */
} cgct_cell_point;

/* span: 4 or 6 nodes along both axes, or 0: as many as the cells say; from: where the lines of each
 * layer begin, those of an arc or of a block of modes. */
CGCT_INLINE void cgct_window_at(const cgct_dense *d, cgct_cell_point at, size_t span,
                                const float *const from[2], cgct_window *s)
{
    const size_t full = d->arcs.q.first[at.q] * d->row + d->arcs.k.first[at.k];
    const size_t linear = at.q * d->row + at.k;
    cgct_local_at(&d->arcs.q, at.q, at.ln_q, span ? span : d->arcs.q.span, 1, &s->q);
    cgct_local_at(&d->arcs.k, at.k, at.ln_k, span ? span : d->arcs.k.span, 2, &s->k);
    s->ln_s[0] = d->layer[0].ln_s + 2 * full;
    s->line[0] = from[0] + full * CGCT_BLOCK;
    s->ln_s[1] = NULL;
    s->line[1] = NULL;
    if (!from[1]) return;
    s->ln_s[1] = d->layer[1].ln_s + 2 * linear;
    s->line[1] = from[1] + linear * CGCT_BLOCK;
}

/* n nodes along each axis; weights along k stand side by side in pairs. */
CGCT_INLINE void add_lines(const float *line, size_t row, size_t n, const float *wq,
                           const float *wk, cgct_narrow *sum)
{
    for (size_t i = 0; i < n; i++, line += row * CGCT_BLOCK) {
        cgct_narrow along;
        cgct_narrow_product(&along, wk[0], line);
        CGCT_UNROLL
        for (size_t j = 1; j < n; j++) cgct_narrow_add(&along, wk[2 * j], line + j * CGCT_BLOCK);
        cgct_narrow_add_sum(sum, wq[i], &along);
    }
}

CGCT_INLINE void add_any(const float *line, size_t row, size_t nq, const float *wq, size_t nk,
                         const float *wk, cgct_narrow *sum)
{
    for (size_t i = 0; i < nq; i++, line += row * CGCT_BLOCK) {
        cgct_narrow along = CGCT_NARROW_ZERO;
        for (size_t j = 0; j < nk; j++) cgct_narrow_add(&along, wk[2 * j], line + j * CGCT_BLOCK);
        cgct_narrow_add_sum(sum, wq[i], &along);
    }
}

/* sum += the lines of a window, plane numbers further on than those that it begins with. */
CGCT_INLINE void cgct_window_sum(const cgct_dense *d, const cgct_window *s, size_t plane,
                                 size_t span, cgct_narrow *sum)
{
    const float *line = s->line[0] + plane;
    if (span)
        add_lines(line, d->row, span, s->q.narrow, s->k.narrow, sum);
    else
        add_any(line, d->row, d->arcs.q.span, s->q.narrow, d->arcs.k.span, s->k.narrow, sum);
    if (s->line[1]) add_lines(s->line[1] + plane, d->row, 2, s->q.narrow_l, s->k.narrow_l, sum);
}

CGCT_INLINE void add_any_scale(const cgct_dense *d, const cgct_window *s, double ln_s[2])
{
    const double *at = s->ln_s[0];
    for (size_t i = 0; i < d->arcs.q.span; i++, at += 2 * d->row)
        for (size_t j = 0; j < 2 * d->arcs.k.span; j++)
            ln_s[j % 2] += s->q.w[i] * s->k.w[j] * at[j];
}

/* ln s of both polarisations */
CGCT_INLINE void cgct_window_scale(const cgct_dense *d, const cgct_window *s, size_t span,
                                   double ln_s[2])
{
    cgct_four sum = CGCT_FOUR_ZERO;
    CGCT_UNROLL
    for (size_t j = 0; j < 2 * span; j += 4)
        cgct_four_add_rows(&sum, s->ln_s[0] + j, 2 * d->row, span, s->q.w, s->k.w + j);
    if (s->ln_s[1]) cgct_four_add_rows(&sum, s->ln_s[1], 2 * d->row, 2, s->q.l, s->k.l);
    cgct_four_pairs(&sum, ln_s);
    if (!span) add_any_scale(d, s, ln_s);
}

/* Windows of 4 or 6 nodes on both axes, else 0. */
static inline size_t cgct_window_span(const cgct_dense *d)
{
    size_t q = d->arcs.q.span;
    return q == d->arcs.k.span && (q == 4 || q == 6) ? q : 0;
}
#endif
