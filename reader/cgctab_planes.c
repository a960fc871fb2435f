/* SPDX-License-Identifier: MIT */
/* Interpolation in (x,eps): which nodes take part, and with what weights (FORMAT.md section 5). */
#include "cgctab_dense.h"
#include "cgctab_math.h"

static cgct_status locate(const cgct_grid *g, double value, int freeze, cgct_stencil *s,
                          cgct_err *err)
{
    CGCT_TRY(cgct_into_range(g, &value, freeze, err));
    cgct_locate(g, cgct_ln(value), s);
    return CGCT_OK;
}

static double linear_weight(const cgct_stencil *s, size_t node)
{
    size_t i = node - s->cell; /* wraps below the cell */
    return i < s->nl ? s->l[i] : 0;
}

static cgct_status add_plane(cgct_planes *p, size_t node, double product, double bilinear,
                             cgct_err *err)
{
    const cgct_table *t = p->table;
    if (t->map && cgct_node_check(t, node) != CGCT_OK)
        return cgct_fail(err, CGCT_E_CHECKSUM,
                         "node %zu is damaged; 'cgctab verify' tells more, copy the file again",
                         node);
    const cgct_records *r = &t->node[node];
    int split = (t->head.features & CGCT_FEATURE_SPLIT) != 0;
    p->plane[p->n] = r;
    p->full[p->n] = split ? bilinear : product;
    p->linear[p->n] = split ? product - bilinear : 0;
    p->flagged |= r->flagged != 0;
    if (bilinear != 0) {
        p->corner[p->ncorner] = r;
        p->corner_weight[p->ncorner++] = bilinear;
    }
    p->n++;
    return CGCT_OK;
}

/* Planes with the same eps, which have the same shape, are neighbours. */
static cgct_status add_planes(cgct_planes *p, const cgct_stencil *x, const cgct_stencil *eps,
                              cgct_err *err)
{
    int cross = (p->table->head.features & CGCT_FEATURE_CROSS) != 0;
    size_t neps = p->table->grid[CGCT_AXIS_EPS].n;
    for (size_t j = 0; j < eps->n; j++)
        for (size_t i = 0; i < x->n; i++) {
            size_t ix = x->first + i, ie = eps->first + j;
            double lx = linear_weight(x, ix), le = linear_weight(eps, ie), bilinear = lx * le;
            double product = x->w[i] * eps->w[j];
            if (cross) product = x->w[i] * le + lx * eps->w[j] - bilinear;
            if (product != 0 || bilinear != 0)
                CGCT_TRY(add_plane(p, ix * neps + ie, product, bilinear, err));
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
    return add_planes(p, &sx, &se, err);
}

size_t cgct_blocks_at(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k)
{
    return p->blocks[q->cell * cgct_grid_cells(&p->table->grid[CGCT_AXIS_K]) + k->cell];
}
