/* SPDX-License-Identifier: MIT */
#include "cgctab_internal.h"

#include <math.h>
#include <stdlib.h>

struct cgct_slice {
    const cgct_table *table;
    cgct_planes nodes;   /* of the table; in use where one of them has flagged points */
    cgct_plane blend;    /* ln s and ratios at (x,eps) */
    cgct_planes blended; /* the one plane above */
};

/* Interpolation is a product over axes, so that blending (x,eps) first changes nothing but
 * rounding. */
static void blend_all(const cgct_table *t, const cgct_planes *p, cgct_plane *b)
{
    size_t nk = t->grid[CGCT_AXIS_K].n;
    cgct_rule at_q = {1, {0}, {1}}, at_k = {1, {0}, {1}};
    for (size_t i = 0; i < b->n; i++) {
        at_k.node[0] = i; /* any point as an offset from the start of the planes */
        cgct_point pt = {&p->poly, &at_q, &at_k, nk, 0, 0};
        b->scale[i] = cgct_blend_scale(&pt);
        b->ln_scale[i] = log(b->scale[i]);
        cgct_blend_modes(&pt, 0, 1, &b->zero[i]);
        cgct_blend_modes(&pt, 1, b->nm - 1, b->mode + i * (b->nm - 1));
    }
}

cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *table, double x, double eps,
                            cgct_err *err)
{
    if (slice) *slice = NULL;
    if (!slice || !table || !table->plane)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_slice_init: NULL, or a table without nodes");
    cgct_slice *s = calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a slice", table->path);
    s->table = table;
    cgct_status st = cgct_planes_at(table, x, eps, &s->nodes, err);
    if (st == CGCT_OK) st = cgct_plane_init(&s->blend, table->plane[0].n, s->nodes.modes_max, err);
    if (st != CGCT_OK) {
        cgct_context(err, st, "%s", table->path);
        cgct_slice_free(s);
        return st;
    }
    blend_all(table, &s->nodes, &s->blend);
    s->blended.poly.n = 1;
    s->blended.poly.plane[0] = &s->blend;
    s->blended.poly.w[0] = 1;
    s->blended.linear = s->blended.poly;
    s->blended.modes_max = s->blend.nm;
    *slice = s;
    return CGCT_OK;
}

cgct_status cgct_slice_eval(const cgct_slice *s, double q, double k1, double theta, double I[2])
{
    if (!I) return CGCT_E_USAGE;
    I[CGCT_T] = I[CGCT_L] = NAN;
    if (!s) return CGCT_E_USAGE;
    /* Nodes with flagged points have no ln s to blend there; they do it the slow way. */
    const cgct_planes *p = s->nodes.flagged ? &s->nodes : &s->blended;
    return cgct_eval_planes(s->table, p, q, k1, theta, I, NULL);
}

void cgct_slice_free(cgct_slice *s)
{
    if (!s) return;
    cgct_plane_free(&s->blend);
    free(s);
}
