/* SPDX-License-Identifier: MIT */
/* Nodes in memory: where the modes of a point (q,k) lie. */
#include <stdlib.h>

#include "cgctab_internal.h"

static size_t points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

/* Modes of one node of encoding 1 or 2 in a file without shape: as many as the node has. */
static size_t modes_of_column(const cgct_table *t, size_t ieps)
{
    size_t most = 1, neps = t->grid[CGCT_AXIS_EPS].n;
    for (size_t ix = 0; ix < t->grid[CGCT_AXIS_X].n; ix++)
        if (t->entry[ix * neps + ieps].nm > most) most = t->entry[ix * neps + ieps].nm;
    return most;
}

/* Raises to (cells) to the largest of from (n) over each stencil; lower: also over those that begin
 * lower and still contain the cell, which are taken near flagged points. */
static void raise_over(const cgct_grid *g, const uint32_t *from, size_t stride, int lower,
                       uint32_t *to, size_t step)
{
    for (size_t cell = 0; cell < cgct_grid_cells(g); cell++) {
        cgct_stencil s;
        cgct_stencil_at(g, cell, &s);
        size_t first = s.first;
        while (lower && first > 0 && first + s.n - 2 > cell) first--;
        for (size_t i = first; i < s.first + s.n; i++)
            if (from[i * stride] > to[cell * step]) to[cell * step] = from[i * stride];
    }
}

cgct_status cgct_shape_raise(const cgct_table *t, const uint32_t *start, int lower,
                             uint16_t *blocks, cgct_err *err)
{
    const cgct_grid *gq = &t->grid[CGCT_AXIS_Q], *gk = &t->grid[CGCT_AXIS_K];
    size_t cq = cgct_grid_cells(gq), ck = cgct_grid_cells(gk), n = gq->n * gk->n;
    uint32_t *own = (uint32_t *)calloc(n + gq->n * ck + cq * ck, sizeof *own);
    if (!own) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape of %zu points", n);
    uint32_t *along_k = own + n, *both = along_k + gq->n * ck;
    for (size_t i = 0; i < n; i++) own[i] = start[i + 1] - start[i];
    for (size_t i = 0; i < gq->n; i++) raise_over(gk, own + i * gk->n, 1, 0, along_k + i * ck, 1);
    for (size_t j = 0; j < ck; j++) raise_over(gq, along_k + j, ck, lower, both + j, ck);
    for (size_t i = 0; i < cq * ck; i++)
        if (both[i] > blocks[i]) blocks[i] = (uint16_t)both[i];
    free(own);
    return CGCT_OK;
}

static cgct_status fill_blocks(cgct_shape *s, const cgct_table *t, cgct_err *err)
{
    const cgct_grid *ge = &t->grid[CGCT_AXIS_EPS];
    int lower = (t->head.features & CGCT_FEATURE_SPLIT) != 0;
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    uint16_t *own = s->own; /* of each eps, before the largest over the stencil in eps is taken */
    for (size_t ie = 0; ie < ge->n; ie++)
        CGCT_TRY(
            cgct_shape_raise(t, s->start + ie * (points(t) + 1), lower, own + ie * plane, err));
    for (size_t cell = 0; cell < cgct_grid_cells(ge); cell++) {
        cgct_stencil se;
        cgct_stencil_at(ge, cell, &se);
        uint16_t *to = s->blocks + cell * plane;
        for (size_t ie = se.first; ie < se.first + se.n; ie++)
            for (size_t i = 0; i < plane; i++)
                if (own[ie * plane + i] > to[i]) to[i] = own[ie * plane + i];
    }
    return CGCT_OK;
}

cgct_status cgct_shape_init(cgct_shape *s, const cgct_table *t, const uint16_t *modes,
                            cgct_err *err)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, n = points(t);
    size_t plane = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    s->start = (uint32_t *)malloc(neps * (n + 1) * sizeof *s->start);
    s->blocks = (uint16_t *)calloc(2 * neps * plane, sizeof *s->blocks);
    if (!s->start || !s->blocks)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for the shape of %zu x %zu points", neps, n);
    s->own = s->blocks + neps * plane;
    for (size_t ie = 0; ie < neps; ie++) {
        uint32_t *start = s->start + ie * (n + 1);
        uint64_t sum = 0;
        /* records lie where the shape says; of others no node has more modes than the index says */
        int fixed = cgct_is_records(t->entry[0].encoding);
        size_t all = modes_of_column(t, ie);
        for (size_t i = 0; i < n; i++) {
            size_t nm = modes ? modes[ie * n + i] : all;
            if (nm < 1 || nm > CGCT_MODES_MAX)
                return cgct_fail(err, CGCT_E_FORMAT, "shape: %zu modes, want 1 to %d", nm,
                                 CGCT_MODES_MAX);
            if (!fixed && nm > all) nm = all;
            start[i] = (uint32_t)sum;
            sum += cgct_blocks(nm);
        }
        if (sum > UINT32_MAX)
            return cgct_fail(err, CGCT_E_NOMEM, "%zu points need too many modes", n);
        start[n] = (uint32_t)sum;
    }
    return fill_blocks(s, t, err);
}

void cgct_shape_free(cgct_shape *s)
{
    free(s->start);
    free(s->blocks);
    memset(s, 0, sizeof *s);
}
