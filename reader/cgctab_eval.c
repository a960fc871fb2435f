/* SPDX-License-Identifier: MIT */
#include "cgctab_internal.h"

#include <math.h>

#define PI 3.14159265358979323846
enum { BLOCK = 64 }; /* modes blended at a time: bounds the stack, any number of modes works */

/* A momentum at which modes are summed: k1 itself, and in folded tables k2 as well. */
typedef struct {
    cgct_stencil k;
    double cosine, sine; /* of the angle with q, both times k2/k_0 below the first k node */
} direction;

typedef struct {
    cgct_stencil q;
    direction dir[2];
    int ndir;
} located;

/* k2 = q - k1: its length and its angle with q, without cancellation.  At k2 = 0 any angle will do.
 */
static double partner(double q, double k1, double theta, double *cosine, double *sine)
{
    double half = sin(theta / 2);
    double along = (q - k1) + 2 * k1 * half * half, across = k1 * sin(theta);
    double k2 = hypot(along, across);
    *cosine = k2 > 0 ? along / k2 : 1;
    *sine = k2 > 0 ? across / k2 : 0;
    return k2;
}

static cgct_status locate(const cgct_table *t, double q, double k1, double theta, located *l,
                          cgct_err *err)
{
    const cgct_grid *gk = &t->grid[CGCT_AXIS_K];
    int freeze = cgct_freeze_bits(t);
    if (!isfinite(theta))
        return cgct_fail(err, CGCT_E_DOMAIN, "theta = %g, want a finite number", theta);
    CGCT_TRY(cgct_locate(&t->grid[CGCT_AXIS_Q], q, freeze, &l->q, err));
    CGCT_TRY(cgct_locate(gk, k1, freeze, &l->dir[0].k, err));
    l->dir[0].cosine = cos(theta);
    l->dir[0].sine = sin(theta);
    l->ndir = 1;
    if (!(t->head.features & CGCT_FEATURE_FOLD)) return CGCT_OK;
    double k2 = partner(l->q.value, l->dir[0].k.value, theta, &l->dir[1].cosine, &l->dir[1].sine);
    /* Below the k axis J_m falls as k2^m, by definition of the format; k2 = 0 included. */
    if (k2 < gk->v[0]) {
        l->dir[1].cosine *= k2 / gk->v[0];
        l->dir[1].sine *= k2 / gk->v[0];
        k2 = gk->v[0];
    }
    cgct_status st = cgct_locate(gk, k2, freeze, &l->dir[1].k, err);
    l->ndir = 2;
    return st == CGCT_OK ? st : cgct_context(err, st, "the other parton, k2 = |q - k1|");
}

/* 2 pi I_0 + 4 pi Sum (-1)^m cos(m theta) I_m.  (-1)^m cos(m theta) = cos(m (theta + pi)) by
 * rotation: its rounding grows as m, that of the three-term recurrence as m^2 near 0 and pi.  A
 * cosine and sine times t <= 1 give t^m cos(m theta). */
static double sum_modes(const cgct_point *pt, size_t nm, double cosine, double sine)
{
    double block[BLOCK], c = 1, s = 0, sum = 0;
    for (size_t m0 = 0; m0 < nm; m0 += BLOCK) {
        size_t n = nm - m0 < BLOCK ? nm - m0 : BLOCK;
        cgct_blend_modes(pt, m0, n, block);
        if (m0 == 0) block[0] /= 2;
        for (size_t j = 0; j < n; j++) {
            sum += c * block[j];
            double next = -c * cosine + s * sine;
            s = -c * sine - s * cosine;
            c = next;
        }
    }
    return 4 * PI * sum * cgct_blend_scale(pt);
}

cgct_status cgct_eval_planes(const cgct_table *t, const cgct_planes *p, double q, double k1,
                             double theta, double I[2], cgct_err *err)
{
    located l;
    CGCT_TRY(locate(t, q, k1, theta, &l, err));
    for (int pol = 0; pol < 2; pol++) {
        I[pol] = 0;
        for (int d = 0; d < l.ndir; d++) {
            cgct_point pt = cgct_point_at(t, p, &l.q, &l.dir[d].k, pol);
            I[pol] += sum_modes(&pt, p->modes_max, l.dir[d].cosine, l.dir[d].sine);
        }
    }
    return CGCT_OK;
}

cgct_status cgct_eval(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                      double I[2])
{
    cgct_planes p;
    if (!I) return CGCT_E_USAGE;
    I[CGCT_T] = I[CGCT_L] = NAN;
    if (!t || !t->plane) return CGCT_E_USAGE;
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    return cgct_eval_planes(t, &p, q, k1, theta, I, NULL);
}

cgct_status cgct_eval_many(const cgct_table *t, size_t n, const double *x, const double *eps,
                           const double *q, const double *k1, const double *theta, double *I,
                           size_t *first)
{
    cgct_planes p;
    cgct_status result = CGCT_OK, at_plane = CGCT_OK;
    if (first) *first = n;
    if (!t || !t->plane || (n && (!x || !eps || !q || !k1 || !theta || !I))) return CGCT_E_USAGE;
    for (size_t i = 0; i < n; i++) {
        I[2 * i + CGCT_T] = I[2 * i + CGCT_L] = NAN;
        if (i == 0 || x[i] != x[i - 1] || eps[i] != eps[i - 1])
            at_plane = cgct_planes_at(t, x[i], eps[i], &p, NULL);
        cgct_status st = at_plane;
        if (st == CGCT_OK) st = cgct_eval_planes(t, &p, q[i], k1[i], theta[i], I + 2 * i, NULL);
        if (st != CGCT_OK && result == CGCT_OK) {
            result = st;
            if (first) *first = i;
        }
    }
    return result;
}

cgct_status cgct_check(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                       cgct_err *err)
{
    cgct_planes p;
    located l;
    if (!t || !t->plane) return cgct_fail(err, CGCT_E_USAGE, "cgct_check: the table has no nodes");
    cgct_status st = cgct_planes_at(t, x, eps, &p, err);
    if (st == CGCT_OK) st = locate(t, q, k1, theta, &l, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "%s", t->path);
}

/* Largest bound over s among the corners, times s; the largest bound itself where s means nothing.
 */
static double bound(const cgct_table *t, const cgct_planes *p, const cgct_stencil *q,
                    const cgct_stencil *k, int pol)
{
    cgct_point pt = cgct_point_at(t, p, q, k, pol);
    double largest = 0;
    for (size_t ip = 0; ip < p->linear.n; ip++)
        for (size_t iq = 0; iq < q->linear.n; iq++)
            for (size_t ik = 0; ik < k->linear.n; ik++) {
                const cgct_plane *plane = p->linear.plane[ip];
                size_t at = pt.first + q->linear.node[iq] * pt.nk + k->linear.node[ik];
                largest = fmax(largest, plane->error[at] * (pt.linear ? plane->scale[at] : 1));
            }
    return largest * cgct_blend_scale(&pt);
}

cgct_status cgct_eval_error(const cgct_table *t, double x, double eps, double q, double k1,
                            double theta, double error[2])
{
    cgct_planes p;
    located l;
    if (!error) return CGCT_E_USAGE;
    error[CGCT_T] = error[CGCT_L] = NAN;
    if (!t || !t->plane) return CGCT_E_USAGE;
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    CGCT_TRY(locate(t, q, k1, theta, &l, NULL));
    for (int pol = 0; pol < 2; pol++) {
        error[pol] = 0;
        for (int d = 0; d < l.ndir; d++) error[pol] += bound(t, &p, &l.q, &l.dir[d].k, pol);
    }
    return CGCT_OK;
}

cgct_status cgct_modes(const cgct_table *t, double x, double eps, double q, double k,
                       size_t capacity, double *modes, size_t *nm)
{
    cgct_planes p;
    cgct_stencil sq, sk;
    if (nm) *nm = 0;
    if (capacity && !modes) return CGCT_E_USAGE;
    for (size_t i = 0; i < 2 * capacity; i++) modes[i] = NAN;
    if (!t || !t->plane) return CGCT_E_USAGE;
    int freeze = cgct_freeze_bits(t);
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    CGCT_TRY(cgct_locate(&t->grid[CGCT_AXIS_Q], q, freeze, &sq, NULL));
    CGCT_TRY(cgct_locate(&t->grid[CGCT_AXIS_K], k, freeze, &sk, NULL));
    if (nm) *nm = p.modes_max;
    for (int pol = 0; pol < 2; pol++) {
        double *out = capacity ? modes + (size_t)pol * capacity : NULL;
        cgct_point pt = cgct_point_at(t, &p, &sq, &sk, pol);
        double s = cgct_blend_scale(&pt);
        cgct_blend_modes(&pt, 0, capacity, out);
        for (size_t m = 0; m < capacity; m++) out[m] *= s;
    }
    return CGCT_OK;
}
