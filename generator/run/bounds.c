/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c: errors at points and in cells, and the largest of each block. */
#include "run/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/grid.h"

enum { CELLS_OF_BLOCK = 4, MORE = 2 }; /* MORE: nodes of the polynomial to compare with */

static size_t blocks_of_axis(size_t n)
{
    size_t blocks = n / CELLS_OF_BLOCK;
    return blocks ? blocks : 1;
}

bounds_shape bounds_shape_of(const node_grid *g, size_t nm, size_t order_q, size_t order_v)
{
    return (bounds_shape){.grid = g,
                          .nm = nm,
                          .order_q = order_q,
                          .order_v = order_v,
                          .bq = blocks_of_axis(g->nq),
                          .bl = blocks_of_axis(g->nl),
                          .bu = blocks_of_axis(g->nu)};
}

size_t bounds_blocks(const bounds_shape *s)
{
    return NPOL * s->bq * (s->bl + s->bu);
}

/* ---- blocks ---- */

/* A place on an axis of n nodes: node i, or with between = 1 the middle of cell i.  The blocks
 * first to last of b have it in one of their cells. */
typedef struct {
    size_t first, last;
} block_range;

static block_range blocks_at(size_t i, int between, size_t n, size_t b)
{
    size_t lo = between || i == 0 ? i : i - 1, hi = i < n - 1 ? i : n - 2;
    if (lo > n - 2) lo = n - 2;
    return (block_range){lo * b / (n - 1), hi * b / (n - 1)};
}

static block_range blocks_at_k(const bounds_shape *s, size_t j, int between)
{
    const node_grid *g = s->grid;
    if (j < g->nl) return blocks_at(j, between, g->nl, s->bl);
    block_range r = blocks_at(j - g->nl, between, g->nu, s->bu);
    return (block_range){r.first + s->bl, r.last + s->bl};
}

static void raise_blocks(const bounds_shape *s, size_t pol, block_range q, block_range k, double v,
                         double *block)
{
    for (size_t i = q.first; i <= q.last; i++)
        for (size_t j = k.first; j <= k.last; j++) {
            double *b = &block[(pol * s->bq + i) * (s->bl + s->bu) + j];
            if (!(v <= *b)) *b = v; /* NaN counts, too */
        }
}

void bounds_raise(const bounds_shape *s, const double *point, double *block)
{
    size_t nk = s->grid->nl + s->grid->nu;
    for (size_t i = 0; i < NPOL * s->grid->nq * nk; i++) {
        size_t iq = i / nk % s->grid->nq;
        raise_blocks(s, i / nk / s->grid->nq, blocks_at(iq, 0, s->grid->nq, s->bq),
                     blocks_at_k(s, i % nk, 0), point[i], block);
    }
}

/* ---- points ---- */

/* Of e^l (1 + Sum r_m T_m), |T_m| <= 1, where l changes by dl and r_m by dr_m. */
static double change_of_value(double sum_r, double dl, double sum_dr)
{
    double e = expm1(fabs(dl));
    return e * (1 + sum_r) + (1 + e) * sum_dr;
}

void bounds_change(const bounds_shape *s, const double *value, const double *changed, double *point)
{
    size_t plane = s->grid->nq * (s->grid->nl + s->grid->nu);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t i = 0; i < plane; i++) {
            size_t at = pol * s->nm * plane + i;
            double sum_r = 0, sum_dr = 0;
            for (size_t m = 1; m < s->nm; m++) {
                sum_r += fabs(value[at + m * plane]);
                sum_dr += fabs(changed[at + m * plane] - value[at + m * plane]);
            }
            point[pol * plane + i] = change_of_value(sum_r, changed[at] - value[at], sum_dr);
        }
}

/* ---- interpolation between nodes ---- */

/* The first of the nodes that FORMAT.md 5 takes in a cell; *p: how many. */
static size_t window_of_cell(size_t n, size_t order, size_t cell, size_t *p)
{
    *p = order < n ? order : n;
    size_t back = (*p - 1) / 2, first = cell > back ? cell - back : 0;
    return first > n - *p ? n - *p : first;
}

/* Adds sign times the Lagrange weights at y of p nodes to w. */
static void add_weights(size_t p, const double *x, double y, double sign, double *w)
{
    double c[BOUNDS_ORDER_MAX];
    grid_lagrange(p, x, y, c);
    for (size_t i = 0; i < p; i++) w[i] += sign * c[i];
}

void bounds_leave_out(size_t n, const double *u, size_t order, size_t cell, double *w)
{
    size_t p, first = window_of_cell(n, order, cell, &p);
    const double *x = u + first;
    double y = 0.5 * (u[cell] + u[cell + 1]);
    memset(w, 0, n * sizeof *w);
    size_t left = y - x[0] > x[p - 1] - y; /* 1: the farthest is the first */
    add_weights(p, x, y, 1, w + first);
    add_weights(p - 1, x + left, y, -1, w + first + left);
}

/* Differences of two polynomials in the middle of each cell: w (n - 1, n). */
static void weigh_cells(size_t n, const double *x, size_t order, double *w)
{
    size_t other = order + MORE < n ? order + MORE : n;
    if (other <= order) other = (order < n ? order : n) - 1;
    memset(w, 0, (n - 1) * n * sizeof *w);
    for (size_t i = 0; i + 1 < n; i++) {
        double y = 0.5 * (x[i] + x[i + 1]);
        for (int k = 0; k < 2; k++) {
            size_t p, first = window_of_cell(n, k ? other : order, i, &p);
            add_weights(p, x + first, y, k ? -1 : 1, w + i * n + first);
        }
    }
}

/* One axis of the fields: n nodes, `stride` apart, and the fields as in bounds_interpolate. */
typedef struct {
    size_t n, stride;
    const double *w; /* (n - 1, n) */
    const double *node, *value;
} field_axis;

/* What the difference in a cell changes on the line that starts at `start` of the fields. */
static double change_in_cell(const bounds_shape *s, const field_axis *a, size_t start, size_t cell)
{
    double sum_r = 0, sum_d = 0, dl = 0;
    const size_t plane = s->grid->nq * (s->grid->nl + s->grid->nu);
    const double *w = a->w + cell * a->n;
    size_t lo = cell > BOUNDS_ORDER_MAX ? cell - BOUNDS_ORDER_MAX : 0;
    size_t hi = cell + BOUNDS_ORDER_MAX < a->n ? cell + BOUNDS_ORDER_MAX : a->n;
    while (lo < cell && w[lo] == 0) lo++;
    while (hi > cell + 1 && w[hi - 1] == 0) hi--;
    for (size_t m = 0; m < s->nm; m++) {
        const double *v = a->value + m * plane + start;
        double d = 0;
        for (size_t i = lo; i < hi; i++) d += w[i] * v[i * a->stride];
        if (m == 0)
            dl = d;
        else
            sum_d += fabs(d), sum_r += fabs(a->node[m * plane + start + cell * a->stride]);
    }
    return change_of_value(sum_r, dl, sum_d);
}

static void interpolate_in_q(const bounds_shape *s, const field_axis *a, double *block)
{
    size_t nq = s->grid->nq, nk = s->grid->nl + s->grid->nu;
    for (size_t i = 0; i < NPOL * (nq - 1) * nk; i++) {
        size_t pol = i / nk / (nq - 1), cell = i / nk % (nq - 1), j = i % nk;
        double v = change_in_cell(s, a, pol * s->nm * nq * nk + j, cell);
        raise_blocks(s, pol, blocks_at(cell, 1, nq, s->bq), blocks_at_k(s, j, 0), v, block);
    }
}

/* In the patch that begins at node `first` in k. */
static void interpolate_in_v(const bounds_shape *s, const field_axis *a, size_t first,
                             double *block)
{
    size_t nq = s->grid->nq, nk = s->grid->nl + s->grid->nu, n = a->n;
    for (size_t i = 0; i < NPOL * nq * (n - 1); i++) {
        size_t pol = i / (n - 1) / nq, iq = i / (n - 1) % nq, cell = i % (n - 1);
        double v = change_in_cell(s, a, (pol * s->nm * nq + iq) * nk + first, cell);
        raise_blocks(s, pol, blocks_at(iq, 0, nq, s->bq), blocks_at_k(s, first + cell, 1), v,
                     block);
    }
}

cgct_status bounds_interpolate(const bounds_shape *s, const double *node, const double *value,
                               double *in_q, double *in_v, cgct_err *err)
{
    const node_grid *g = s->grid;
    size_t most = g->nq > g->nl ? g->nq : g->nl;
    if (g->nu > most) most = g->nu;
    double *x = malloc(most * (most + 1) * sizeof *x);
    if (!x) return cgct_fail(err, CGCT_E_NOMEM, "no memory for weights of %zu nodes", most);
    double *w = x + most;
    for (size_t i = 0; i < g->nq; i++) x[i] = log(g->q[i]);
    weigh_cells(g->nq, x, s->order_q, w);
    interpolate_in_q(s, &(field_axis){g->nq, g->nl + g->nu, w, node, value}, in_q);
    for (size_t i = 0; i < most; i++) x[i] = (double)i;
    weigh_cells(g->nl, x, s->order_v, w);
    interpolate_in_v(s, &(field_axis){g->nl, 1, w, node, value}, 0, in_v);
    weigh_cells(g->nu, x, s->order_v, w);
    interpolate_in_v(s, &(field_axis){g->nu, 1, w, node, value}, g->nl, in_v);
    free(x);
    return CGCT_OK;
}
