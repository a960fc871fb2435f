/* SPDX-License-Identifier: MIT */
/* Interpolation of FORMAT.md section 5: stencils along the axes, and blending over their product.
 */
#include "cgctab_internal.h"

#include <math.h>

/* An argument this close beyond an end is that end: decimal input seldom hits a grid value exactly.
 */
#define END_TOLERANCE 1e-12

static cgct_status to_range(const cgct_grid *g, double *value, int freeze, cgct_err *err)
{
    double v = *value, lo = g->v[0], hi = g->v[g->n - 1];
    if (!(v > 0 && isfinite(v)))
        return cgct_fail(err, CGCT_E_DOMAIN, "%s = %g, want a finite number > 0", g->name, v);
    if (v < lo && (freeze & CGCT_BELOW || lo - v <= END_TOLERANCE * lo)) v = lo;
    if (v > hi && (freeze & CGCT_ABOVE || v - hi <= END_TOLERANCE * hi)) v = hi;
    if (v < lo || v > hi)
        return cgct_fail(err, CGCT_E_RANGE,
                         "%s = %.15g outside the table, %g to %g; policy freeze would take the end",
                         g->name, v, lo, hi);
    *value = v;
    return CGCT_OK;
}

/* Largest i <= n-2 with ln[i] <= u. */
static size_t find_cell(const double *ln, size_t n, double u)
{
    size_t lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (ln[mid] <= u)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Lagrange weights of the n nodes from `start`; each is a product of quotients, so that it is 0 or
 * 1 exactly at nodes. */
static void lagrange(const double *ln, size_t start, size_t n, double u, cgct_rule *r)
{
    r->n = 0;
    for (size_t i = start; i < start + n; i++) {
        double w = 1;
        for (size_t j = start; j < start + n; j++)
            if (j != i) w *= (u - ln[j]) / (ln[i] - ln[j]);
        if (w != 0) {
            r->node[r->n] = i;
            r->w[r->n++] = w;
        }
    }
}

cgct_status cgct_locate(const cgct_grid *g, double value, int freeze, cgct_stencil *s,
                        cgct_err *err)
{
    CGCT_TRY(to_range(g, &value, freeze, err));
    s->value = value;
    double u = log(value);
    size_t n = g->order < g->n ? g->order : g->n;
    size_t cell = g->n > 1 ? find_cell(g->ln, g->n, u) : 0;
    size_t back = (n - 1) / 2, start = cell > back ? cell - back : 0;
    if (start > g->n - n) start = g->n - n;
    lagrange(g->ln, start, n, u, &s->poly);
    lagrange(g->ln, cell, g->n > 1 ? 2 : 1, u, &s->linear);
    return CGCT_OK;
}

int cgct_freeze_bits(const cgct_table *t)
{
    return t->policy == CGCT_POLICY_FREEZE ? CGCT_BELOW | CGCT_ABOVE : 0;
}

static void cross(const cgct_table *t, const cgct_rule *x, const cgct_rule *eps, cgct_plane_rule *r)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n;
    r->n = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < eps->n; j++) {
            r->plane[r->n] = &t->plane[x->node[i] * neps + eps->node[j]];
            r->w[r->n++] = x->w[i] * eps->w[j];
        }
}

cgct_status cgct_planes_at(const cgct_table *t, double x, double eps, cgct_planes *p, cgct_err *err)
{
    cgct_stencil sx, se;
    int freeze = cgct_freeze_bits(t);
    CGCT_TRY(cgct_locate(&t->grid[CGCT_AXIS_X], x, freeze, &sx, err));
    CGCT_TRY(cgct_locate(&t->grid[CGCT_AXIS_EPS], eps, freeze, &se, err));
    cross(t, &sx.poly, &se.poly, &p->poly);
    cross(t, &sx.linear, &se.linear, &p->linear);
    p->flagged = 0;
    p->modes_max = 0;
    for (size_t i = 0; i < p->poly.n; i++) {
        p->flagged |= p->poly.plane[i]->flagged != 0;
        if (p->poly.plane[i]->nm > p->modes_max) p->modes_max = p->poly.plane[i]->nm;
    }
    return CGCT_OK;
}

static int any_flag(const cgct_plane_rule *p, const cgct_rule *q, const cgct_rule *k, size_t nk,
                    size_t first)
{
    for (size_t ip = 0; ip < p->n; ip++)
        for (size_t iq = 0; iq < q->n; iq++)
            for (size_t ik = 0; ik < k->n; ik++)
                if (p->plane[ip]->flag[first + q->node[iq] * nk + k->node[ik]]) return 1;
    return 0;
}

cgct_point cgct_point_at(const cgct_table *t, const cgct_planes *p, const cgct_stencil *q,
                         const cgct_stencil *k, int pol)
{
    size_t nk = t->grid[CGCT_AXIS_K].n, first = (size_t)pol * t->grid[CGCT_AXIS_Q].n * nk;
    if (p->flagged && any_flag(&p->poly, &q->poly, &k->poly, nk, first))
        return (cgct_point){&p->linear, &q->linear, &k->linear, nk, first, 1};
    return (cgct_point){&p->poly, &q->poly, &k->poly, nk, first, 0};
}

/* Logarithms relative to one of the nodes: exact at nodes, and no digits lost to a large ln s. */
double cgct_blend_scale(const cgct_point *pt)
{
    if (pt->linear) return 1;
    const cgct_plane *ref = pt->p->plane[0];
    size_t at = pt->first + pt->q->node[0] * pt->nk + pt->k->node[0];
    double sum = 0;
    for (size_t ip = 0; ip < pt->p->n; ip++)
        for (size_t iq = 0; iq < pt->q->n; iq++) {
            const double *ln = pt->p->plane[ip]->ln_scale + pt->first + pt->q->node[iq] * pt->nk;
            double w = pt->p->w[ip] * pt->q->w[iq];
            for (size_t ik = 0; ik < pt->k->n; ik++)
                sum += w * pt->k->w[ik] * (ln[pt->k->node[ik]] - ref->ln_scale[at]);
        }
    return ref->scale[at] * exp(sum);
}

/* Adds w times the ratios m0.. of one node. */
static void add_node(const cgct_plane *plane, size_t at, double w, size_t m0, size_t n, double *out)
{
    size_t end = plane->nm > m0 ? plane->nm - m0 : 0, j = 0;
    if (end > n) end = n;
    if (m0 == 0 && end) out[j++] += w * plane->zero[at];
    if (j == end) return;
    const double *ratio = plane->mode + at * (plane->nm - 1) + m0 + j - 1;
    for (size_t i = 0; i < end - j; i++) out[j + i] += w * ratio[i];
}

void cgct_blend_modes(const cgct_point *pt, size_t m0, size_t n, double *out)
{
    for (size_t j = 0; j < n; j++) out[j] = 0;
    for (size_t ip = 0; ip < pt->p->n; ip++)
        for (size_t iq = 0; iq < pt->q->n; iq++)
            for (size_t ik = 0; ik < pt->k->n; ik++) {
                const cgct_plane *plane = pt->p->plane[ip];
                size_t at = pt->first + pt->q->node[iq] * pt->nk + pt->k->node[ik];
                double w = pt->p->w[ip] * pt->q->w[iq] * pt->k->w[ik];
                add_node(plane, at, pt->linear ? w * plane->scale[at] : w, m0, n, out);
            }
}
