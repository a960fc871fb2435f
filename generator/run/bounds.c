/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c: errors at points and in cells, and the largest of each block. */
#include "run/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/grid.h"

enum { CELLS_OF_BLOCK = 2, MORE = 2 }; /* MORE: nodes of the polynomial to compare with */

static size_t blocks_of_axis(size_t n)
{
    size_t blocks = n / CELLS_OF_BLOCK;
    return blocks ? blocks : 1;
}

bounds_shape bounds_shape_of(const node_grid *g, size_t nm, int either_sign, size_t order_q,
                             size_t order_v)
{
    return (bounds_shape){.grid = g,
                          .nm = nm,
                          .either_sign = either_sign,
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

void bounds_of_change(const bounds_shape *s, size_t n, const double *value, size_t apart,
                      const double *changed, size_t apart_changed, double *c)
{
    enum { RUN = 32 }; /* points at once */
    for (size_t at = 0, each; at < n; at += each) {
        double I[NODE_ANGLES * RUN], J[NODE_ANGLES * RUN], grown[RUN] = {0};
        each = n - at < RUN ? n - at : RUN;
        node_fields_at_angles(each, apart, s->nm, s->either_sign, value + at + apart, I);
        node_fields_at_angles(each, apart_changed, s->nm, s->either_sign,
                              changed + at + apart_changed, J);
        for (size_t i = 0; i < each; i++) {
            grown[i] = expm1(changed[at + i] - value[at + i]);
            c[at + i] = 0;
        }
        for (size_t j = 0; j < NODE_ANGLES * each; j++) {
            const size_t i = j % each;
            const double change = grown[i] * (1 + J[j]) + (J[j] - I[j]);
            const double v = fabs(change) / node_bound_unit(1 + I[j]);
            if (!(v <= c[at + i])) c[at + i] = v; /* NaN counts, too */
        }
    }
}

void bounds_change(const bounds_shape *s, const double *value, const double *changed, double *point)
{
    const size_t plane = s->grid->nq * (s->grid->nl + s->grid->nu);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const size_t at = pol * s->nm * plane;
        bounds_of_change(s, plane, value + at, plane, changed + at, plane, point + pol * plane);
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

/* An axis with the differences in its cells: (rows, columns) of them, at each node of the other
 * axes. */
typedef struct {
    int in_q;
    size_t n, first; /* nodes; the first of them in k */
    size_t rows, columns;
    const double *w; /* (n - 1, n) */
} cell_axis;

/* node and value as in bounds_interpolate; d: scratch for (nm + 1) numbers of all points of a
 * plane. */
static void interpolate_along(const bounds_shape *s, const cell_axis *a, const double *node,
                              const double *value, double *d, double *block)
{
    const size_t nq = s->grid->nq, nk = s->grid->nl + s->grid->nu, plane = nq * nk;
    const int rows = (int)a->rows, columns = (int)a->columns, n = (int)a->n, each = (int)nk;
    double *c = d + s->nm * plane;
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double *first = node + pol * s->nm * plane + a->first;
        for (size_t m = 0; m < s->nm; m++) {
            double *changed = d + m * plane;
            const double *field = value + (pol * s->nm + m) * plane;
            if (a->in_q)
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, n, 1, a->w, n,
                            field, each, 0, changed, columns);
            else
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, n, 1,
                            field + a->first, each, a->w, n, 0, changed, columns);
            for (size_t i = 0; i < a->rows * a->columns; i++)
                changed[i] += first[m * plane + i / a->columns * nk + i % a->columns];
        }
        for (size_t i = 0; i < a->rows; i++) {
            bounds_of_change(s, a->columns, first + i * nk, plane, d + i * a->columns, plane, c);
            for (size_t j = 0; j < a->columns; j++)
                raise_blocks(s, pol, blocks_at(i, a->in_q, nq, s->bq),
                             blocks_at_k(s, a->first + j, !a->in_q), c[j], block);
        }
    }
}

cgct_status bounds_interpolate(const bounds_shape *s, const double *node, const double *value,
                               double *in_q, double *in_v, cgct_err *err)
{
    const node_grid *g = s->grid;
    const size_t nk = g->nl + g->nu;
    size_t most = g->nq > g->nl ? g->nq : g->nl;
    if (g->nu > most) most = g->nu;
    double *x = malloc((most * (most + 1) + (s->nm + 1) * g->nq * nk) * sizeof *x);
    if (!x) return cgct_fail(err, CGCT_E_NOMEM, "no memory for weights of %zu nodes", most);
    double *w = x + most, *d = w + most * most;
    for (size_t i = 0; i < g->nq; i++) x[i] = log(g->q[i]);
    weigh_cells(g->nq, x, s->order_q, w);
    interpolate_along(s, &(cell_axis){1, g->nq, 0, g->nq - 1, nk, w}, node, value, d, in_q);
    for (size_t i = 0; i < most; i++) x[i] = (double)i;
    weigh_cells(g->nl, x, s->order_v, w);
    interpolate_along(s, &(cell_axis){0, g->nl, 0, g->nq, g->nl - 1, w}, node, value, d, in_v);
    weigh_cells(g->nu, x, s->order_v, w);
    interpolate_along(s, &(cell_axis){0, g->nu, g->nl, g->nq, g->nu - 1, w}, node, value, d, in_v);
    free(x);
    return CGCT_OK;
}
