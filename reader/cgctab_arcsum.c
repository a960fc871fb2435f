/* SPDX-License-Identifier: MIT */
/* Values of a slice by arcs: where a point lies on the axes and on which arc, one line of the cache
 * for each node around it, a polynomial. */
#include <math.h>

#include "cgctab_dense.h"
#include "cgctab_math.h"

/* A few points at a time: so many lines are on the way while others are summed. */
enum { GROUP = 8 };

#define PI 3.14159265358979323846

typedef struct {
    int q[GROUP], k[GROUP], arc[GROUP]; /* cells, arc of 2 n */
    double v[GROUP];                    /* -1..1 on the arc */
} arc_places;

typedef struct {
    cgct_local q, k;
    size_t full, linear; /* first point of the stencil, and of the cell */
    const float *line[2];
} arc_stencil;

CGCT_INLINE void find_arcs(int n, const cgct_places *at, size_t i0, size_t group, arc_places *to)
{
    for (size_t i = 0; i < group; i++) {
        double cosine = at->cosine[i0 + i], t = fabs(at->sine[i0 + i]) / (1 + fabs(cosine));
        double u = t * (6 - t * t) * (0.2 * (double)n);
        u = u < (double)n ? u : (double)n; /* no number, where the point has failed: any arc */
        int a = (int)u;
        a -= a == n;
        to->v[i] = 2 * (u - (double)a) - 1;
        to->arc[i] = a + (2 * n - 1 - 2 * a) * (cosine < 0);
    }
}

CGCT_INLINE void find(const cgct_dense *d, const cgct_places *at, size_t i0, size_t group,
                      arc_places *to)
{
    for (size_t i = 0; i < group; i++) to->q[i] = cgct_cell_of(&d->arcs.q, at->ln_q[i0 + i]);
    for (size_t i = 0; i < group; i++) to->k[i] = cgct_cell_of(&d->arcs.k, at->ln_k[i0 + i]);
    find_arcs((int)d->arcs.n, at, i0, group, to);
}

CGCT_INLINE void stand(const cgct_planes *p, double ln_q, double ln_k, size_t q, size_t k,
                       size_t arc, size_t nq, size_t wq, size_t nk, size_t wk, arc_stencil *s)
{
    const cgct_dense *d = p->dense;
    const size_t from = arc * d->points * CGCT_BLOCK;
    cgct_local_at(&d->arcs.q, q, ln_q, nq, wq, &s->q);
    cgct_local_at(&d->arcs.k, k, ln_k, nk, wk, &s->k);
    s->full = s->q.first * d->row + s->k.first;
    s->linear = q * d->row + k;
    s->line[0] = d->arcs.sum[0] + from + s->full * CGCT_BLOCK;
    s->line[1] = d->arcs.sum[1] ? d->arcs.sum[1] + from + s->linear * CGCT_BLOCK : NULL;
}

CGCT_INLINE void fetch(const cgct_dense *d, const arc_stencil *s, size_t nq, size_t nk)
{
    for (size_t i = 0; i < nq; i++)
        for (size_t j = 0; j < nk; j++) CGCT_PREFETCH(s->line[0] + (i * d->row + j) * CGCT_BLOCK);
    for (size_t i = 0; i < 2 && s->line[1]; i++) {
        CGCT_PREFETCH(s->line[1] + i * d->row * CGCT_BLOCK);
        CGCT_PREFETCH(s->line[1] + (i * d->row + 1) * CGCT_BLOCK);
    }
}

/* Weights along k stand side by side in pairs, those of corners do not. */
CGCT_INLINE void add_lines(const float *line, size_t row, size_t nq, const float *wq, size_t nk,
                           const float *wk, size_t pair, cgct_narrow *sum)
{
    CGCT_UNROLL
    for (size_t i = 0; i < nq; i++, line += row * CGCT_BLOCK) {
        cgct_narrow along = CGCT_ZERO;
        CGCT_UNROLL
        for (size_t j = 0; j < nk; j++)
            cgct_narrow_add(&along, wk[pair * j], line + j * CGCT_BLOCK);
        cgct_narrow_add_sum(sum, wq[i], &along);
    }
}

/* ln s of both polarisations */
CGCT_INLINE void add_scale(const cgct_dense *d, const arc_stencil *s, size_t nq, size_t nk,
                           double ln_s[2])
{
    const double *at = d->layer[0].ln_s + 2 * s->full;
    if (nk == 4) {
        cgct_four_pairs(at, 2 * d->row, nq, s->q.w, s->k.w, ln_s);
        return;
    }
    CGCT_ALIGNED double sum[2 * CGCT_ORDER_MAX] = {0};
    CGCT_UNROLL
    for (size_t i = 0; i < nq; i++, at += 2 * d->row)
        for (size_t j = 0; j < 2 * nk; j++) sum[j] += s->q.w[i] * at[j];
    for (size_t j = 0; j < 2 * nk; j++) sum[j] *= s->k.w[j];
    for (size_t j = 0; j < 2 * nk; j += 2) {
        ln_s[0] += sum[j];
        ln_s[1] += sum[j + 1];
    }
}

CGCT_INLINE void add_up(const cgct_dense *d, const arc_stencil *s, double v, size_t nq, size_t nk,
                        cgct_places *at, size_t point)
{
    cgct_narrow sum = CGCT_ZERO;
    double ln_s[2] = {0, 0}, value[2];
    add_lines(s->line[0], d->row, nq, s->q.narrow, nk, s->k.narrow, 2, &sum);
    add_scale(d, s, nq, nk, ln_s);
    if (s->line[1]) {
        add_lines(s->line[1], d->row, 2, s->q.narrow_l, 2, s->k.narrow_l, 1, &sum);
        cgct_add_scale(d, d->layer[1].ln_s + 2 * s->linear, 2, s->q.l, 2, s->k.l, ln_s);
    }
    cgct_narrow_polynomial(&sum, v, value);
    for (int pol = 0; pol < 2; pol++) {
        at->sum[pol][point] = value[pol];
        at->a[pol][point] = ln_s[pol];
        at->b[pol][point] = 0;
    }
}

CGCT_INLINE void sum_group(const cgct_planes *p, size_t i0, size_t n, size_t group, size_t nq,
                           size_t wq, size_t nk, size_t wk, cgct_places *at, uint8_t *served)
{
    const cgct_dense *d = p->dense;
    arc_places to;
    arc_stencil s[GROUP];
    find(d, at, i0, group, &to);
    for (size_t i = 0; i < n; i++) {
        size_t q = (size_t)to.q[i], k = (size_t)to.k[i];
        served[i0 + i] = at->below[i0 + i] ? 0 : 1;
        if (served[i0 + i] && p->dirty) served[i0 + i] += p->dirty[q * (d->row - 1) + k];
        stand(p, at->ln_q[i0 + i], at->ln_k[i0 + i], q, k, (size_t)to.arc[i], nq, wq, nk, wk,
              &s[i]);
        if (group > 1) fetch(d, &s[i], nq, nk);
    }
    for (size_t i = 0; i < n; i++)
        if (served[i0 + i]) add_up(d, &s[i], to.v[i], nq, nk, at, i0 + i);
}

CGCT_INLINE void sum_all(const cgct_planes *p, size_t n, size_t nq, size_t wq, size_t nk, size_t wk,
                         cgct_places *at, uint8_t *served)
{
    if (n == 1) {
        sum_group(p, 0, 1, 1, nq, wq, nk, wk, at, served);
        return;
    }
    for (size_t i = 0; i < n; i += GROUP)
        sum_group(p, i, n - i < GROUP ? n - i : (size_t)GROUP, GROUP, nq, wq, nk, wk, at, served);
}

CGCT_CLONES
static void sum_four(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_all(p, n, 4, 4, 4, 8, at, served);
}

CGCT_CLONES
static void sum_six(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    sum_all(p, n, 6, 8, 6, 16, at, served);
}

CGCT_CLONES
static void sum_any(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    const cgct_cells *q = &p->dense->arcs.q, *k = &p->dense->arcs.k;
    sum_all(p, n, q->order, q->width, k->order, k->width, at, served);
}

void cgct_arcs_sum(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served)
{
    size_t q = p->dense->arcs.q.order, k = p->dense->arcs.k.order;
    if (q == 4 && k == 4)
        sum_four(p, n, at, served);
    else if (q == 6 && k == 6)
        sum_six(p, n, at, served);
    else
        sum_any(p, n, at, served);
}

/* ---- many angles at one place ---- */

CGCT_CLONES
static void sum_rows(const cgct_dense *d, const arc_stencil *s, size_t nq, size_t nk,
                     cgct_arc_row *row)
{
    CGCT_ALIGNED double both[CGCT_BLOCK], ln_s[2] = {0, 0};
    size_t plane = d->points * CGCT_BLOCK;
    add_scale(d, s, nq, nk, ln_s);
    if (s->line[1]) cgct_add_scale(d, d->layer[1].ln_s + 2 * s->linear, 2, s->q.l, 2, s->k.l, ln_s);
    for (int i = 0; i < CGCT_BLOCK; i++) both[i] = 4 * PI * cgct_exp(ln_s[i % 2]);
    for (size_t a = 0; a < 2 * d->arcs.n; a++) {
        CGCT_ALIGNED double each[CGCT_BLOCK];
        cgct_narrow sum = CGCT_ZERO, none = CGCT_ZERO;
        add_lines(s->line[0] + a * plane, d->row, nq, s->q.narrow, nk, s->k.narrow, 2, &sum);
        if (s->line[1])
            add_lines(s->line[1] + a * plane, d->row, 2, s->q.narrow_l, 2, s->k.narrow_l, 1, &sum);
        cgct_narrow_put(each, &sum, &none, &none, &none);
        for (int i = 0; i < CGCT_BLOCK; i++) each[i] *= both[i];
        cgct_wide_load(&row->arc[a], each);
    }
}

int cgct_arcs_row(const cgct_planes *p, double ln_q, double ln_k, cgct_arc_row *row)
{
    const cgct_dense *d = p->dense;
    arc_stencil s;
    if (!d->arcs.n) return 0;
    const cgct_cells *q = &d->arcs.q, *k = &d->arcs.k;
    size_t iq = (size_t)cgct_cell_of(q, ln_q), ik = (size_t)cgct_cell_of(k, ln_k);
    if (p->dirty && p->dirty[iq * (d->row - 1) + ik]) return 0;
    stand(p, ln_q, ln_k, iq, ik, 0, q->order, q->width, k->order, k->width, &s);
    row->n = (int)d->arcs.n;
    sum_rows(d, &s, q->order, k->order, row);
    return 1;
}

CGCT_CLONES
static void row_values(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    for (size_t i0 = 0; i0 < n; i0 += GROUP) {
        arc_places to;
        find_arcs(row->n, at, i0, GROUP, &to);
        for (size_t i = i0; i < n && i < i0 + GROUP; i++, values += 2)
            cgct_wide_polynomial(&row->arc[to.arc[i - i0]], to.v[i - i0], at->share[i], values);
    }
}

void cgct_arcs_angles(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values)
{
    row_values(row, n, at, values);
}
