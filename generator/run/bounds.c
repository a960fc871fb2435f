/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c: errors at points and in cells, and the largest of each block. */
#include "run/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

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
            *b = bounds_larger(*b, v);
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

void bounds_of_changes(const bounds_shape *s, size_t n, bounds_fields value, size_t count,
                       const bounds_fields *changed, double *c, size_t apart)
{
    enum { RUN = 64 }; /* points at once */
    double I[NODE_ANGLES * RUN], J[NODE_ANGLES * RUN], unit[NODE_ANGLES * RUN], grown[RUN];
    for (size_t at = 0, each; at < n; at += each) {
        each = n - at < RUN ? n - at : RUN;
        node_fields_at_angles(each, value.apart, s->nm, s->either_sign, value.f + at + value.apart,
                              I);
        for (size_t j = 0; j < NODE_ANGLES * each; j++) unit[j] = 1 / node_bound_unit(1 + I[j]);
        for (size_t k = 0; k < count; k++) {
            const bounds_fields to = changed[k];
            double *most = c + k * apart + at;
            node_fields_at_angles(each, to.apart, s->nm, s->either_sign, to.f + at + to.apart, J);
            for (size_t i = 0; i < each; i++) {
                grown[i] = expm1(to.f[at + i] - value.f[at + i]);
                most[i] = 0;
            }
            for (size_t j = 0; j < NODE_ANGLES; j++)
                for (size_t i = 0; i < each; i++) {
                    const size_t l = j * each + i;
                    const double v = fabs(grown[i] * (1 + J[l]) + (J[l] - I[l])) * unit[l];
                    most[i] = bounds_larger(most[i], v);
                }
        }
    }
}

void bounds_change(const bounds_shape *s, const double *value, const double *changed, double *point)
{
    const size_t plane = s->grid->nq * (s->grid->nl + s->grid->nu);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const bounds_fields to = {changed + pol * s->nm * plane, plane};
        bounds_of_changes(s, plane, (bounds_fields){value + pol * s->nm * plane, plane}, 1, &to,
                          point + pol * plane, 0);
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

double bounds_weight(size_t n, const double *u, size_t order)
{
    double most = 1;
    for (size_t cell = 0; cell + 1 < n; cell++) {
        double w[BOUNDS_ORDER_MAX] = {0};
        size_t p, first = window_of_cell(n, order, cell, &p);
        add_weights(p, u + first, 0.5 * (u[cell] + u[cell + 1]), 1, w);
        double norm = 0;
        for (size_t l = 0; l < p; l++) norm = hypot(norm, w[l]);
        most = fmax(most, norm);
    }
    return most;
}

int bounds_is_around(const grid_axis *coarse, size_t n, size_t i, const grid_axis *table, size_t nt,
                     size_t at)
{
    const double next = table->v[at + 1 < nt ? at + 1 : at];
    const size_t first = n > 1 ? grid_cell_of(n, coarse->v, table->v[at]) : 0;
    size_t last = first + 1;
    while (last + 1 < n && coarse->v[last] < next) last++;
    return i >= first && i <= last;
}

/* Differences of two polynomials in the middle of each cell, and 0 behind the last one: row i of w,
 * rows `apart` apart, at the n nodes. */
static void weigh_cells(size_t n, const double *x, size_t order, double *w, size_t apart)
{
    size_t other = order + MORE < n ? order + MORE : n;
    if (other <= order) other = (order < n ? order : n) - 1;
    for (size_t i = 0; i + 1 < n; i++) {
        double y = 0.5 * (x[i] + x[i + 1]);
        for (int k = 0; k < 2; k++) {
            size_t p, first = window_of_cell(n, k ? other : order, i, &p);
            add_weights(p, x + first, y, k ? -1 : 1, w + i * apart + first);
        }
    }
}

void bounds_interpolate(const bounds_shape *s, const double *node, const double *value,
                        double *in_q, double *in_v)
{
    const node_grid *g = s->grid;
    const size_t nq = g->nq, nk = g->nl + g->nu, plane = nq * nk, most = nq > nk ? nq : nk;
    const int iq = (int)nq, ik = (int)nk;
    double *x = memory_zeros(most + nq * nq + nk * nk + 2 * (s->nm + 1) * plane, sizeof *x);
    double *w_q = x + most, *w_v = w_q + nq * nq, *d = w_v + nk * nk, *c = d + 2 * s->nm * plane;
    for (size_t i = 0; i < nq; i++) x[i] = log(g->q[i]);
    weigh_cells(nq, x, s->order_q, w_q, nq);
    for (size_t i = 0; i < most; i++) x[i] = (double)i;
    weigh_cells(g->nl, x, s->order_v, w_v, nk);
    weigh_cells(g->nu, x, s->order_v, w_v + g->nl * (nk + 1), nk);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const size_t first = pol * s->nm * plane;
        const bounds_fields changed[2] = {{d, plane}, {d + s->nm * plane, plane}};
        memcpy(d, node + first, s->nm * plane * sizeof *d);
        memcpy(d + s->nm * plane, node + first, s->nm * plane * sizeof *d);
        for (size_t m = 0; m < s->nm; m++) {
            const double *field = value + first + m * plane;
            double *to = d + m * plane;
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, iq, ik, iq, 1, w_q, iq, field,
                        ik, 1, to, ik);
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, iq, ik, ik, 1, field, ik, w_v, ik,
                        1, to + s->nm * plane, ik);
        }
        bounds_of_changes(s, plane, (bounds_fields){node + first, plane}, 2, changed, c, plane);
        for (size_t i = 0; i < plane; i++) {
            raise_blocks(s, pol, blocks_at(i / nk, 1, nq, s->bq), blocks_at_k(s, i % nk, 0), c[i],
                         in_q);
            raise_blocks(s, pol, blocks_at(i / nk, 0, nq, s->bq), blocks_at_k(s, i % nk, 1),
                         c[plane + i], in_v);
        }
    }
    free(x);
}
