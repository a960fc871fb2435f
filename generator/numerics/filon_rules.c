/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_rules.c: how intervals are cut into panels with just enough nodes for Filon weights. */
#include <math.h>

#include "numerics/filon_parts.h"
#include "numerics/vmath.h"

/* The sums R of the half axes of the Bernstein ellipses that filon_degree compares, and ln R. */
static const double radius[] = {1.3, 1.6, 2, 2.6, 3.4, 4.5, 6, 8, 12, 18, 28, 45, 80, 150, 400};
static const double ln_radius[] = {
    0.26236426446749106, 0.47000362924573563, 0.6931471805599453, 0.9555114450274363,
    1.2237754316221157,  1.5040773967762742,  1.791759469228055,  2.0794415416798357,
    2.4849066497880004,  2.8903717578961645,  3.332204510175204,  3.8066624897703196,
    4.382026634673881,   5.0106352940962555,  5.991464547107982,
};
enum { RADII = sizeof radius / sizeof *radius };

filon_rule filon_laguerre(int n)
{
    const double *t = filon_laguerre_rules + (n == FILON_LAGUERRE ? 0 : 2 * FILON_LAGUERRE);
    return (filon_rule){n, t, t + n};
}

/* The degree of the polynomial that represents J_m(q x) x^-power on [a,b] to e^-38 of its maximum,
 * for the phase q (b - a) and rho = (b - a)/(b + a): the smallest value, over Bernstein ellipses
 * with the sum of half axes R, of
 *   (38 + ln of the growth from the interval to the ellipse)/ln R.
 * |J_m(q x)| grows as e^|q Im x|, below its turning point (m > 0) also as |x|^m. */
static double filon_degree(double phase, double rho, double m, double power)
{
    double c[RADII], growth[RADII], best = 1e9; /* c: cosh(ln R) */
    for (int i = 0; i < RADII; i++) {
        c[i] = (radius[i] + 1 / radius[i]) / 2;
        growth[i] = phase / 2 * ((radius[i] - 1 / radius[i]) / 2);
    }
    if (m > 0)
        for (int i = 0; i < RADII; i++) growth[i] += m * vlog((1 + rho * c[i]) / (1 + rho));
    for (int i = 0; power > 0 && i < RADII; i++)
        growth[i] += rho * c[i] < 1 ? power * vlog((1 - rho) / (1 - rho * c[i])) : INFINITY;
    for (int i = 0; i < RADII; i++) {
        double degree = (38 + growth[i]) / ln_radius[i];
        best = degree < best ? degree : best;
    }
    return best;
}

/* ---- bands and panels ---- */

filon_band filon_band_from(size_t nq, const double *q, size_t first)
{
    filon_band b = {0, 0, first, 1};
    if (q[first] > 0) {
        int e;
        double half = sqrt(0.5), f = frexp(q[first], &e); /* 1/2 <= f < 1 */
        b.lo = ldexp(f < half ? 0.5 : half, e);
        b.hi = ldexp(f < half ? half : 1, e);
    }
    while (first + b.n < nq && q[first + b.n] >= b.lo && q[first + b.n] < b.hi) b.n++;
    return b;
}

/* X0 lies beyond the turning point q x = mmax of all orders and beyond BESSEL_HANKEL_MIN, from
 * which the Hankel expansions hold; with these margins the contour rules reach the accuracy of
 * tests/numerics/test_filon.c. */
static const double X0_MIN = 30, X0_PER_ORDER = 2;

double filon_contour_phase(int mmax)
{
    return fmax(X0_MIN, X0_PER_ORDER * mmax);
}

filon_panel filon_panel_at(const filon_band *band, int mmax, const filon_functions *f, double u,
                           double h)
{
    double a = f->a + u, b = a + h;
    int beyond = band->lo * a < mmax, cut = mmax;
    if (beyond && !bessel_order_counts(mmax, band->hi * b)) cut = bessel_order_cut(band->hi * b);
    /* as many nodes as leave an error of 1e-16 of the largest |g J|, from orders whose turning
     * point lies beyond a and that count at b */
    double k = filon_degree(band->hi * h, (b - a) / (b + a), beyond ? cut : 0, f->power);
    int n = 2 * (int)ceil((k + f->degree + 1) / 4);
    n = n < FILON_GAUSS_MIN ? FILON_GAUSS_MIN : n > FILON_GAUSS_MAX ? FILON_GAUSS_MAX : n;
    /* rules of 4, 6, ... nodes lie before it, n/2 + 1 on average */
    const double *t = filon_gauss_rules + (n - FILON_GAUSS_MIN) / 2 * 2 * (n / 2 + 1);
    return (filon_panel){u, h, {n, t, t + n}, cut};
}

size_t filon_panel_count(const filon_band *band, double h)
{
    double n = ceil(band->hi * h / FILON_PANEL_PHASE);
    return n < 1 ? 1 : (size_t)n;
}

double filon_panel_tail(const filon_band *band, const filon_functions *f, double u, double end)
{
    double h = fmin(0.5 * (f->a + u), FILON_PANEL_PHASE / band->hi);
    return u + 1.001 * h > end ? end - u : h;
}

void filon_panel_nodes(const filon_panel *p, double *u)
{
    for (int i = 0; i < p->rule.n; i++) u[i] = p->u + p->h * p->rule.t[i];
}
