/* SPDX-License-Identifier: MIT */
/* Weights of the stencil of each cell as polynomials, and the search for a cell. */
#include "cgctab_cells.h"

#include <stdlib.h>

/* Lagrange's polynomials over the nodes of a stencil, in t = (ln - begin)/length. */
static void fill_cell(const cgct_cells *c, size_t cell, double *to)
{
    const cgct_grid *g = c->grid;
    cgct_stencil s;
    cgct_stencil_at(g, cell, &s);
    size_t last = g->n - c->span, first = s.first < last ? s.first : last;
    c->first[cell] = (uint32_t)first;
    double step = to[1] = 1 / (g->ln[cell + 1] - g->ln[cell]);
    to[0] = g->ln[cell];
    to += 2 + (s.first - first) * c->repeat;
    for (size_t i = 0; i < s.n; i++) {
        double power[CGCT_ORDER_MAX] = {1};
        for (size_t j = 0, degree = 0; j < s.n; j++) {
            if (j == i) continue;
            double node = (g->ln[s.first + j] - g->ln[cell]) * step;
            double scale = step * (g->ln[s.first + i] - g->ln[s.first + j]);
            for (size_t d = ++degree + 1; d-- > 0;)
                power[d] = ((d ? power[d - 1] : 0) - node * power[d]) / scale;
        }
        for (size_t d = 0; d < s.n; d++)
            for (size_t r = 0; r < c->repeat; r++) to[d * c->width + i * c->repeat + r] = power[d];
    }
}

enum { BINS_MAX = 16 }; /* for each cell, on average */

/* Bins are shorter than the shortest cell, unless that makes too many. */
static void choose_bins(cgct_cells *c)
{
    const cgct_grid *g = c->grid;
    uint64_t all, least;
    c->base = cgct_bits(g->v[0]);
    all = least = cgct_bits(g->v[g->n - 1]) - c->base;
    for (size_t i = 0; i + 1 < g->n; i++) {
        uint64_t cell = cgct_bits(g->v[i + 1]) - cgct_bits(g->v[i]);
        least = cell < least ? cell : least;
    }
    for (c->shift = 0; all >> c->shift >= BINS_MAX * (g->n - 1); c->shift++) continue;
    while (least >> (c->shift + 1) > 0) c->shift++;
    c->bins = (size_t)(all >> c->shift) + 1;
}

static cgct_status make_guide(cgct_cells *c)
{
    const cgct_grid *g = c->grid;
    choose_bins(c);
    c->guide = (uint32_t *)malloc(c->bins * sizeof *c->guide);
    if (!c->guide) return CGCT_E_NOMEM;
    for (size_t i = 0, first = 0, last = 0; i < c->bins; i++) {
        uint64_t begin = c->base + ((uint64_t)i << c->shift);
        uint64_t end = c->base + ((uint64_t)(i + 1) << c->shift); /* may be no number */
        while (first + 2 < g->n && cgct_bits(g->v[first + 1]) <= begin) first++;
        while (last + 2 < g->n && cgct_bits(g->v[last + 1]) < end) last++;
        c->guide[i] = (uint32_t)first;
        c->steps = last - first > c->steps ? last - first : c->steps;
    }
    return CGCT_OK;
}

static cgct_status init(cgct_cells *c, const cgct_grid *g, size_t span, size_t repeat)
{
    c->grid = g;
    c->span = span;
    c->repeat = repeat;
    c->width = cgct_cells_width(span, repeat);
    c->stride = 2 + span * c->width;
    c->cell = (double *)calloc((g->n - 1) * c->stride, sizeof *c->cell);
    c->first = (uint32_t *)malloc((g->n - 1) * sizeof *c->first);
    c->steps = 0;
    if (!c->cell || !c->first) return CGCT_E_NOMEM;
    CGCT_TRY(make_guide(c));
    for (size_t i = 0; i + 1 < g->n; i++) fill_cell(c, i, c->cell + i * c->stride);
    return CGCT_OK;
}

cgct_status cgct_cells_init(cgct_cells *q, const cgct_grid *grid_q, cgct_cells *k,
                            const cgct_grid *grid_k)
{
    size_t wq = grid_q->order < grid_q->n ? grid_q->order : grid_q->n;
    size_t wk = grid_k->order < grid_k->n ? grid_k->order : grid_k->n;
    size_t most = wq > wk ? wq : wk, both = most <= 4 ? 4 : 6;
    if (most <= both && grid_q->n >= both && grid_k->n >= both) wq = wk = both;
    CGCT_TRY(init(q, grid_q, wq, 1));
    return init(k, grid_k, wk, 2);
}

void cgct_cells_free(cgct_cells *c)
{
    free(c->cell);
    free(c->first);
    free(c->guide);
    c->cell = NULL;
    c->first = c->guide = NULL;
}
