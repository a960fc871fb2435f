/* SPDX-License-Identifier: MIT */
/* The arcs of a slice, from its modes. */
#include <math.h>
#include <stdlib.h>

#include "cgctab_arcs.h"
#include "../format/elementary.h"

/* Allowed error of the polynomials, as a share of s; the rounding of single precision is an eighth
 * of it. */
static const double ERROR_MAX = 0x1p-21;
static const size_t BYTES_MAX = (size_t)1 << 30; /* both layers */

typedef struct {
    cgct_dense *d;
    const cgct_table *table;
    const uint8_t *flag; /* (points): bit p where polarisation p means nothing; or NULL */
    size_t modes;        /* a multiple of eight */
    double *r;           /* (modes, 2): of one point */
} filling;

/* Copies the modes of a point to s->r; returns how many. */
CGCT_CLONES
static size_t modes_of_point(const filling *s, int layer, size_t point)
{
    const cgct_dense *d = s->d;
    const float *from = (const float *)d->layer[layer].mode + point * CGCT_BLOCK;
    size_t n = s->modes;
    for (double *to = s->r; to < s->r + 2 * n; to += CGCT_BLOCK, from += d->points * CGCT_BLOCK)
        for (int i = 0; i < CGCT_BLOCK; i++) to[i] = (double)from[i];
    for (size_t pol = 0; pol < 2 && s->flag; pol++)
        for (size_t m = 0; m < n && s->flag[point] >> pol & 1; m++) s->r[2 * m + pol] = 0;
    while (n && s->r[2 * n - 2] == 0 && s->r[2 * n - 1] == 0) n--;
    return n;
}

/* The ends of all cells whose stencils hold node i. */
static double highest_cell_end(const cgct_grid *g, size_t i)
{
    size_t order = g->order < g->n ? g->order : g->n, cell = i + (order - 1) / 2;
    return g->v[i + order >= g->n || cell + 2 > g->n ? g->n - 1 : cell + 1];
}

static double lowest(const cgct_grid *g, size_t i)
{
    size_t order = g->order < g->n ? g->order : g->n;
    return g->v[i < order ? 0 : i - order + 1 + (order - 1) / 2];
}

/* A folded table is read where k2 = |q - k| >= k only: 2 k cos(theta) <= q.  The first arc on which
 * that is so at this q and k. */
static size_t first_read(const filling *s, const cgct_arc_fit *f, double q, double k)
{
    size_t a = 0;
    if (!(s->table->head.features & CGCT_FEATURE_FOLD)) return 0;
    while (a + 1 < f->n && f->end[a] > q / (2 * k)) a++;
    return a;
}

/* The first arc on which any place lies whose stencil holds the point, or, near, whose cell does.
 */
static size_t first_arc(const filling *s, const cgct_arc_fit *f, size_t point, int near)
{
    const cgct_grid *q = &s->table->grid[CGCT_AXIS_Q], *k = &s->table->grid[CGCT_AXIS_K];
    size_t iq = point / k->n, ik = point % k->n;
    if (near) return first_read(s, f, q->v[iq + 1 < q->n ? iq + 1 : iq], k->v[ik > 0 ? ik - 1 : 0]);
    return first_read(s, f, highest_cell_end(q, iq), lowest(k, ik));
}

/* Of each point the first arcs, which lie nearest to where k2 vanishes, and one of the others.  In
 * cells that it is no corner of, inside the grid, a point has a quarter of the weight at most. */
static int good_enough(const filling *s, const cgct_arc_fit *f)
{
    for (int layer = 0; layer < 2 && s->d->layer[layer].mode; layer++)
        for (size_t point = s->d->points; point-- > 0;) { /* the worst are the last */
            size_t modes = modes_of_point(s, layer, point);
            size_t near = first_arc(s, f, point, 1), far = first_arc(s, f, point, 0);
            size_t other = near + point % (2 * f->n - near);
            if (cgct_arc_fit_error(f, s->r, modes, near) > ERROR_MAX ||
                cgct_arc_fit_error(f, s->r, modes, far) > 4 * ERROR_MAX ||
                cgct_arc_fit_error(f, s->r, modes, other) > ERROR_MAX)
                return 0;
        }
    return 1;
}

static size_t bytes_of_layer(const cgct_dense *d, size_t n)
{
    return 2 * n * d->points * CGCT_BLOCK * sizeof(float);
}

/* Finds the smallest number of arcs that is accurate enough; f->n = 0 if none is. */
static cgct_status choose_arc_count(const filling *s, cgct_arc_fit *f)
{
    static const size_t number[] = {4, 6, 8, 10, 12, 16, 20, 24, 32, CGCT_ARCS_MAX};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        if (bytes_of_layer(s->d, number[i]) > BYTES_MAX / 2) break;
        cgct_status st = cgct_arc_fit_init(f, number[i], s->modes);
        if (st != CGCT_OK || good_enough(s, f)) return st;
        cgct_arc_fit_free(f);
    }
    f->n = 0;
    return CGCT_OK;
}

static cgct_status fill_layer(const filling *s, const cgct_arc_fit *f, int layer, double half,
                              cgct_pool *pool)
{
    size_t points = s->d->points, size = bytes_of_layer(s->d, f->n);
    void *sum = NULL;
    CGCT_TRY(cgct_pool_take(pool, size, size, &sum, NULL));
    s->d->arcs.sum[layer] = (float *)sum;
    for (size_t point = 0; point < points; point++) {
        size_t modes = modes_of_point(s, layer, point), first = first_arc(s, f, point, 0);
        first = first > 0 ? first - 1 : 0; /* for rounding */
        cgct_arc_fit_apply(f, half, s->r, modes, first, s->d->arcs.sum[layer] + point * CGCT_BLOCK,
                           points * CGCT_BLOCK);
    }
    return CGCT_OK;
}

cgct_status cgct_arcs_fill(cgct_dense *d, const cgct_table *t, const uint8_t *flag,
                           const double half[2], cgct_pool *pool)
{
    cgct_arc_fit f = {0, 0, NULL, NULL, NULL};
    filling s = {d, t, flag, d->blocks * CGCT_MODES_BLOCK, NULL};
    const cgct_grid *q = &t->grid[CGCT_AXIS_Q], *k = &t->grid[CGCT_AXIS_K];
    if (d->wide || q->n < 2 || k->n < 2) return CGCT_OK;
    s.r = (double *)malloc(2 * s.modes * sizeof *s.r);
    cgct_status st = s.r ? choose_arc_count(&s, &f) : CGCT_E_NOMEM;
    if (st == CGCT_OK && f.n) st = cgct_cells_init(&d->arcs.q, q, &d->arcs.k, k);
    for (int layer = 0; layer < 2 && f.n && st == CGCT_OK && d->layer[layer].mode; layer++)
        st = fill_layer(&s, &f, layer, half[layer], pool);
    d->arcs.n = f.n;
    cgct_arc_fit_free(&f);
    free(s.r);
    return st;
}
