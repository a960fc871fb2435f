/* SPDX-License-Identifier: MIT */
/* Interpolation in (x,eps): which nodes take part, and with what weights (FORMAT.md section 5). */
#include "cgctab_dense.h"
#include "../format/elementary.h"

static cgct_status locate(const cgct_grid *g, double value, int freeze, cgct_stencil *s,
                          cgct_err *err)
{
    CGCT_TRY(cgct_into_range(g, &value, freeze, err));
    cgct_locate(g, cgct_ln(value), s);
    return CGCT_OK;
}

/* l (nodes of the stencil): the weights of the corners of the cell, 0 elsewhere. */
static void linear_weights(const cgct_stencil *s, double *l)
{
    for (size_t i = 0; i < s->n; i++) l[i] = 0;
    for (size_t i = 0; i < s->nl; i++) l[s->cell - s->first + i] = s->l[i];
}

static void add_plane(cgct_planes *p, const cgct_records *r, double product, double bilinear)
{
    int split = (p->table->head.features & CGCT_FEATURE_SPLIT) != 0;
    p->plane[p->n] = r;
    p->full[p->n] = split ? bilinear : product;
    p->linear[p->n] = split ? product - bilinear : 0;
    p->flagged |= r->flagged != 0;
    p->n++;
    if (bilinear == 0) return;
    p->corner[p->ncorner] = r;
    p->corner_weight[p->ncorner++] = bilinear;
}

/* Planes with the same eps, which have the same shape, are neighbours. */
static void add_planes(cgct_planes *p, const cgct_stencil *x, const cgct_stencil *eps)
{
    int cross = (p->table->head.features & CGCT_FEATURE_CROSS) != 0;
    size_t neps = p->table->grid[CGCT_AXIS_EPS].n;
    double lx[CGCT_ORDER_MAX], le[CGCT_ORDER_MAX];
    linear_weights(x, lx);
    linear_weights(eps, le);
    for (size_t j = 0; j < eps->n; j++) {
        const cgct_records *r = p->table->node + x->first * neps + eps->first + j;
        for (size_t i = 0; i < x->n; i++, r += neps) {
            double bilinear = lx[i] * le[j], product = x->w[i] * eps->w[j];
            if (cross) product = x->w[i] * le[j] + lx[i] * eps->w[j] - bilinear;
            if (product != 0 || bilinear != 0) add_plane(p, r, product, bilinear);
        }
    }
}

static cgct_status check_nodes(const cgct_planes *p, cgct_err *err)
{
    const cgct_table *t = p->table;
    for (size_t i = 0; i < p->n && t->map; i++) {
        size_t node = (size_t)(p->plane[i] - t->node);
        if (cgct_node_check(t, node) != CGCT_OK)
            return cgct_fail(err, CGCT_E_CHECKSUM,
                             "node %zu is damaged; 'cgctab verify' tells more, copy the file again",
                             node);
    }
    return CGCT_OK;
}

cgct_status cgct_planes_at(const cgct_table *t, double x, double eps, cgct_planes *p, cgct_err *err)
{
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    cgct_stencil sx, se;
    CGCT_TRY(locate(&t->grid[CGCT_AXIS_X], x, freeze, &sx, err));
    CGCT_TRY(locate(&t->grid[CGCT_AXIS_EPS], eps, freeze, &se, err));
    p->table = t;
    p->n = p->ncorner = 0;
    p->flagged = 0;
    p->dense = NULL;
    p->dirty = NULL;
    p->blocks = t->shape.blocks + se.cell * cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) *
                                      cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    add_planes(p, &sx, &se);
    return check_nodes(p, err);
}

size_t cgct_blocks_at(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k)
{
    return p->blocks[q->cell * cgct_grid_cells(&p->table->grid[CGCT_AXIS_K]) + k->cell];
}
