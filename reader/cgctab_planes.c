/* SPDX-License-Identifier: MIT */
/* Interpolation in (x,eps): which nodes take part, and with what weights; and near points that
 * carry a flag, whose ln s means nothing (FORMAT.md section 5). */
#include <math.h>

#include "cgctab_dense.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

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

/* ---- near flagged points ---- */

int cgct_any_flag(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, int pol)
{
    size_t nk = p->table->grid[CGCT_AXIS_K].n, nq = p->table->grid[CGCT_AXIS_Q].n;
    if (!p->flagged || (p->dirty && !cgct_dirty(p, q->cell, k->cell, pol))) return 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t iq = 0; iq < q->n; iq++)
            for (size_t ik = 0; ik < k->n; ik++)
                if (q->w[iq] != 0 && k->w[ik] != 0 &&
                    p->plane[i]->flag[((size_t)pol * nq + q->first + iq) * nk + k->first + ik])
                    return 1;
    return 0;
}

/* ---- a corner is flagged: the modes themselves, linear ---- */

/* The corners of a cell with their weights. */
typedef struct {
    const cgct_records *r;
    size_t point;
    double w;
} weighted_corner;

enum { CORNERS_MAX = 16 };

static size_t weigh_corners(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                            weighted_corner *to)
{
    size_t n = 0, nk = p->table->grid[CGCT_AXIS_K].n;
    for (size_t i = 0; i < p->ncorner; i++)
        for (size_t iq = 0; iq < q->nl; iq++)
            for (size_t ik = 0; ik < k->nl; ik++) {
                const weighted_corner c = {p->corner[i], (q->cell + iq) * nk + k->cell + ik,
                                           p->corner_weight[i] * q->l[iq] * k->l[ik]};
                if (c.w != 0) to[n++] = c;
            }
    return n;
}

/* out += factor (I_0/s or 1, then I_m/s) */
static void add_corner_modes(const weighted_corner *c, int flagged, double factor, size_t pol,
                             size_t n, double *out)
{
    const cgct_records *r = c->r;
    size_t block = r->start[c->point], nm = cgct_modes_in(r->start[c->point + 1] - block);
    if (n) out[0] += factor * (flagged ? cgct_record_get(r, block, 2 + pol) : 1);
    for (size_t m = 1; m < n && m < nm; m++)
        out[m] += factor * cgct_record_get(r, block, 2 + 2 * m + pol);
}

/* 0: no corner is flagged, and out is not touched. */
static int linear_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                        size_t pol, size_t n, double *out)
{
    weighted_corner c[CORNERS_MAX];
    size_t nc = weigh_corners(p, q, k, c), points = p->table->grid[CGCT_AXIS_K].n;
    int any = 0;
    points *= p->table->grid[CGCT_AXIS_Q].n;
    for (size_t i = 0; i < nc; i++) any |= c[i].r->flag[pol * points + c[i].point];
    if (!any) return 0;
    for (size_t m = 0; m < n; m++) out[m] = 0;
    for (size_t i = 0; i < nc; i++) {
        const cgct_records *r = c[i].r;
        size_t block = r->start[c[i].point];
        int flag = r->flag[pol * points + c[i].point];
        double a = cgct_record_get(r, block, pol), b = cgct_record_get(r, block, 2 + pol);
        add_corner_modes(&c[i], flag, c[i].w * cgct_scale(a, flag ? 0 : b), pol, n, out);
    }
    return 1;
}

/* ---- no corner is flagged: the rule without what is flagged ---- */

typedef struct {
    size_t first, n;
    const double *w;
} span;

static int flag_within(const cgct_planes *p, const cgct_records *r, span q, span k, int pol)
{
    size_t row = p->table->grid[CGCT_AXIS_K].n, rows = p->table->grid[CGCT_AXIS_Q].n;
    const uint8_t *flag = r->flag + (size_t)pol * rows * row + q.first * row + k.first;
    for (size_t i = 0; i < q.n; i++)
        for (size_t j = 0; j < k.n; j++)
            if (q.w[i] != 0 && k.w[j] != 0 && flag[i * row + j]) return 1;
    return 0;
}

static int corners_sound(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                         int pol)
{
    const span sq = {q->first, q->n, q->w}, sk = {k->first, k->n, k->w};
    for (size_t i = 0; i < p->ncorner; i++)
        if (flag_within(p, p->corner[i], sq, sk, pol)) return 0;
    return 1;
}

/* Moves the stencil of P_q to lower nodes until the corners in (x,eps) carry no flag there;
 * returns 0 if there is no such stencil. */
static int shift_q(const cgct_planes *p, cgct_stencil *q, const cgct_stencil *k, int pol)
{
    while (!corners_sound(p, q, k, pol)) {
        if (q->first == 0 || q->first + q->n - 2 == q->cell) return 0;
        cgct_stencil_from(&p->table->grid[CGCT_AXIS_Q], q->first - 1, q);
    }
    return 1;
}

/* Curvature in x and eps is kept only if none of its nodes carries a flag. */
static int outer_sound(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, int pol)
{
    const span sq = {q->cell, q->nl, q->l}, sk = {k->cell, k->nl, k->l};
    for (size_t i = 0; i < p->n; i++)
        if (p->full[i] == 0 && p->linear[i] != 0 && flag_within(p, p->plane[i], sq, sk, pol))
            return 0;
    return 1;
}

/* The rule that remains without curvature in some variables; at least L_x L_eps L_q L_k. */
static void leave_out(cgct_planes *p, cgct_stencil *q, const cgct_stencil *k, int pol)
{
    int split = (p->table->head.features & CGCT_FEATURE_SPLIT) != 0, outer = split;
    int curved = split && shift_q(p, q, k, pol);
    if (outer) outer = outer_sound(p, q, k, pol);
    if (!outer) {
        for (size_t i = 0; i < p->ncorner; i++) {
            p->plane[i] = p->corner[i];
            p->full[i] = p->corner_weight[i];
            p->linear[i] = 0;
        }
        p->n = p->ncorner;
    }
    for (size_t i = 0; i < p->n && !curved; i++) {
        p->linear[i] += p->full[i];
        p->full[i] = 0;
    }
}

void cgct_flagged_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, int pol,
                        size_t n, double *out)
{
    enum { CHUNK = 8 };
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK];
    cgct_planes sound = *p;
    cgct_stencil shifted = *q;
    size_t nblock = cgct_blocks_at(p, q, k);
    double s = 0;
    if (linear_modes(p, q, k, (size_t)pol, n, out)) return;
    leave_out(&sound, &shifted, k, pol);
    for (size_t m = 0; m < n; m++) out[m] = 0;
    for (size_t v = 0; v < nblock; v += CHUNK) {
        size_t nv = nblock - v < CHUNK ? nblock - v : (size_t)CHUNK;
        cgct_blend(&sound, &shifted, k, v, nv, block);
        if (v == 0) s = cgct_scale(block[pol], block[2 + pol]);
        for (size_t i = v ? 0 : 4; i < CGCT_BLOCK * nv; i += 2) {
            size_t m = (CGCT_BLOCK * v + i - 2) / 2;
            if (m < n) out[m] = s * block[i + (size_t)pol];
        }
    }
    if (n) out[0] = s;
}
