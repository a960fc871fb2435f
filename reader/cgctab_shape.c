/* SPDX-License-Identifier: MIT */
/* Nodes in memory: where the modes of a point (q,k) lie. */
#include <stdlib.h>

#include "cgctab_internal.h"

static size_t shape_points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

/* The largest number of modes of a node at this eps. */
static size_t modes_of_column(const cgct_table *t, size_t ieps)
{
    size_t most = 1, neps = t->grid[CGCT_AXIS_EPS].n;
    for (size_t ix = 0; ix < t->grid[CGCT_AXIS_X].n; ix++)
        if (t->entry[ix * neps + ieps].nm > most) most = t->entry[ix * neps + ieps].nm;
    return most;
}

/* Nodes that a cell needs: first to end - 1. */
typedef struct {
    uint32_t first, end;
} reach;

/* Of all cells; lower: with the stencils that begin lower and still contain the cell, which are
 * taken near flagged points. */
static void fill_reach(const cgct_grid *g, int lower, reach *to)
{
    for (size_t cell = 0; cell < cgct_grid_cells(g); cell++) {
        cgct_stencil s;
        cgct_stencil_at(g, cell, &s);
        size_t first = s.first;
        while (lower && first > 0 && first + s.n - 2 > cell) first--;
        to[cell].first = (uint32_t)first;
        to[cell].end = (uint32_t)(s.first + s.n);
    }
}

/* Raises to (n) to from (n). */
static void raise_to(const uint16_t *from, size_t n, uint16_t *to)
{
    for (size_t i = 0; i < n; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* Raises to (cells) to the largest of from (nk) that each needs. */
static void raise_in_k(const reach *k, size_t cells, const uint16_t *from, uint16_t *to)
{
    for (size_t cell = 0; cell < cells; cell++) {
        uint16_t most = to[cell];
        for (size_t i = k[cell].first; i < k[cell].end; i++) most = from[i] > most ? from[i] : most;
        to[cell] = most;
    }
}

cgct_status cgct_shape_raise(const cgct_table *t, const uint32_t *start, int lower,
                             uint16_t *blocks, cgct_err *err)
{
    const cgct_grid *gq = &t->grid[CGCT_AXIS_Q], *gk = &t->grid[CGCT_AXIS_K];
    size_t cq = cgct_grid_cells(gq), ck = cgct_grid_cells(gk);
    reach *q = (reach *)malloc((cq + ck) * sizeof *q);
    uint16_t *own = (uint16_t *)malloc((gq->n + 1) * gk->n * sizeof *own), *row = own;
    cgct_status st = q && own ? CGCT_OK : CGCT_E_NOMEM;
    if (st == CGCT_OK) {
        fill_reach(gq, lower, q);
        fill_reach(gk, 0, q + cq);
        row = own + shape_points(t);
        for (size_t i = 0; i < shape_points(t); i++) own[i] = (uint16_t)(start[i + 1] - start[i]);
    }
    for (size_t i = 0; i < cq && st == CGCT_OK; i++) { /* the largest in q, then in k */
        memset(row, 0, gk->n * sizeof *row);
        for (size_t j = q[i].first; j < q[i].end; j++) raise_to(own + j * gk->n, gk->n, row);
        raise_in_k(q + cq, ck, row, blocks + i * ck);
    }
    free(q);
    free(own);
    return st == CGCT_OK
               ? st
               : cgct_fail(err, st, "no memory for the shape of %zu points", shape_points(t));
}

static cgct_status fill_blocks(cgct_shape *s, const cgct_table *t, cgct_err *err)
{
    const cgct_grid *ge = &t->grid[CGCT_AXIS_EPS];
    int lower = (t->head.features & CGCT_FEATURE_SPLIT) != 0;
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    uint16_t *own = s->own; /* of each eps, before the largest over the stencil in eps is taken */
    for (size_t ie = 0; ie < ge->n; ie++)
        CGCT_TRY(cgct_shape_raise(t, s->start + ie * (shape_points(t) + 1), lower, own + ie * plane,
                                  err));
    for (size_t cell = 0; cell < cgct_grid_cells(ge); cell++) {
        cgct_stencil se;
        cgct_stencil_at(ge, cell, &se);
        uint16_t *to = s->blocks + cell * plane;
        for (size_t ie = se.first; ie < se.first + se.n; ie++)
            raise_to(own + ie * plane, plane, to);
    }
    return CGCT_OK;
}

/* Records lie where the shape, modes (points), says; other nodes have at most `most` modes, as the
 * index says. */
static cgct_status fill_start(const cgct_table *t, const uint16_t *modes, size_t most,
                              uint32_t *start, cgct_err *err)
{
    size_t n = shape_points(t);
    uint64_t sum = 0;
    if (cgct_is_records(t->entry[0].encoding)) most = CGCT_MODES_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t nm = modes[i];
        if (nm < 1 || nm > CGCT_MODES_MAX)
            return cgct_fail(err, CGCT_E_FORMAT, "shape: %zu modes, want 1 to %d", nm,
                             CGCT_MODES_MAX);
        start[i] = (uint32_t)sum;
        sum += cgct_blocks(nm < most ? nm : most);
    }
    if (sum > UINT32_MAX) return cgct_fail(err, CGCT_E_NOMEM, "%zu points need too many modes", n);
    start[n] = (uint32_t)sum;
    return CGCT_OK;
}

cgct_status cgct_shape_init(cgct_shape *s, const cgct_table *t, const uint16_t *modes,
                            cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = shape_points(t);
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    s->start = (uint32_t *)malloc(neps * (n + 1) * sizeof *s->start);
    s->blocks = (uint16_t *)calloc(2 * neps * plane, sizeof *s->blocks);
    if (!s->start || !s->blocks)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape of %zu x %zu points", neps, n);
    s->own = s->blocks + neps * plane;
    for (size_t ie = 0; ie < neps; ie++)
        CGCT_TRY(
            fill_start(t, modes + ie * n, modes_of_column(t, ie), s->start + ie * (n + 1), err));
    return fill_blocks(s, t, err);
}

void cgct_shape_free(cgct_shape *s)
{
    free(s->start);
    free(s->blocks);
    memset(s, 0, sizeof *s);
}
