/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fine nodes of s on which phi(Delta,s) is integrated: panels that grow away from the centres
 * r = 0 and r' = 0 of the wave functions, and a rule for logarithms next to them. */
#include <math.h>

#include "inner/separable.h"
#include "numerics/grid.h"

/* Panels [a, 4a] away from a centre: 16 nodes leave 3^-32 of a singularity at 0. */
enum { RADIAL_POWER = 2, RADIAL_RATIO = 1 << RADIAL_POWER, STEPS_MAX = 62 }; /* 4^62: any range */
/* The panel at a centre is this share of its radius.  As functions of the distance d from it the
 * modes are P(d) + Q(d) ln d with P and Q analytic up to distances of the radius. */
static const double CENTRE_CLOSE = 1. / 64;
static const double CENTRE_SAME_NODE = 1e-9; /* a coarse node within this share is the centre */
/* No panel is wider than K(eps r) K(eps r') takes to fall by e^-8, or than 2.5/Qs, the scale of the
 * Gaussian u_k(A).  The error that is left, also of splines, whose knots need no narrower panels:
 * tests/inner/test_inner_direct.c. */
static const double EXPONENT_PER_PANEL = 8, WIDTH_PER_PANEL = 2.5;
/* Beyond S(r) S(r') = e^-80 no Gaussian is left in u_k(A), which is a power there. */
static const double POWER_FROM = 80;

/* Distance from a centre to the next coarse node below (end = 1) or above it. */
static double radial_next_node(const separable_plan *p, double centre, int end)
{
    const inner_opts *o = p->o;
    const double least = CENTRE_SAME_NODE * centre;
    size_t j = grid_window(o->ns, o->s, centre, 2) + 1;
    if (!end) {
        while (j + 1 < o->ns && o->s[j] - centre <= least) j++;
        return o->s[j] - centre;
    }
    while (j > 0 && centre - o->s[j] <= least) j--;
    return centre - o->s[j];
}

/* Appends [a,b] with a centre at a (end 0) or b (end 1): a panel of the rule for logarithms within
 * CENTRE_CLOSE of `scale` and one coarse cell, and panels that grow away from it. */
static void radial_append_from_centre(const separable_plan *p, double a, double b, double scale,
                                      int end, double hmax, quad_rule *q)
{
    if (!(b > a)) return;
    const double cell = radial_next_node(p, end ? b : a, end);
    const double near = fmin(fmin(CENTRE_CLOSE * scale, cell), b - a);
    const quad_gauss *log = &p->gauss_log[end];
    int steps = 0;
    for (double lo = near; lo < b - a && steps < STEPS_MAX; lo *= RADIAL_RATIO) steps++;
    if (!end) quad_append(q, log, a, a + near, INFINITY);
    for (int i = 0; i < steps; i++) { /* panels [a + d, a + ratio d], mirrored for the other end */
        int step = end ? steps - 1 - i : i;
        double lo = ldexp(near, RADIAL_POWER * step), hi = fmin(lo * RADIAL_RATIO, b - a);
        double left = end ? b - hi : a + lo, right = end ? b - lo : a + hi;
        quad_append(q, &p->gauss, left, right, hmax);
    }
    if (end) quad_append(q, log, b - near, b, INFINITY);
}

void separable_radial_nodes(const separable_plan *p, size_t id, quad_rule *q)
{
    const double delta = separable_delta(p, p->o->delta[id]), smax = p->o->s[p->o->ns - 1];
    double c0 = separable_centre(p, delta, 0), c1 = separable_centre(p, delta, 1);
    double lo = fmin(fmin(c0, c1), smax), hi = fmin(fmax(c0, c1), smax), mid = 0.5 * (lo + hi);
    double hmax_eps = EXPONENT_PER_PANEL / (2 * p->o->eps);
    double hmax = fmin(hmax_eps, WIDTH_PER_PANEL / sqrt(p->d->Qs2));
    q->n = 0;
    radial_append_from_centre(p, 0, lo, lo, 1, hmax, q);
    if (hi > lo) {
        radial_append_from_centre(p, lo, mid, lo > 0 ? lo : hi, 0, hmax, q);
        radial_append_from_centre(p, mid, hi, hi, 1, hmax, q);
    }
    double a = hi, b = fmin(2 * hi, smax);
    radial_append_from_centre(p, a, b, hi, 0, hmax, q);
    for (a = b; a < smax; a = b) {
        const double L = dipole_lnS_at(p->d, (a - hi) * (a - hi));
        b = fmin(2 * a, smax);
        quad_append(q, &p->gauss, a, b, -2 * L > POWER_FROM ? hmax_eps : hmax);
    }
}
