/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_rules.c: the Gauss-Legendre and Gauss-Laguerre rules of Filon weights, computed in extended
 * precision, and how intervals are cut into panels with just enough nodes. */
#include <math.h>
#include <pthread.h>

#include "numerics/filon_parts.h"
#include "numerics/vmath.h"

enum {
    GAUSS_MIN = 4, /* Gauss rules have an even number of nodes from here to FILON_GAUSS_MAX */
    RULES = (FILON_GAUSS_MAX - GAUSS_MIN) / 2 + 1,
    NODES = RULES * (FILON_GAUSS_MAX + 8)
};

/* The sums R of the half axes of the Bernstein ellipses that filon_degree compares. */
static const double radius[] = {1.3, 1.6, 2, 2.6, 3.4, 4.5, 6, 8, 12, 18, 28, 45, 80, 150, 400};
enum { RADII = sizeof radius / sizeof *radius };

typedef struct {
    double gauss_t[NODES], gauss_w[NODES];
    double lag_t[2][FILON_LAGUERRE_TAIL], lag_w[2][FILON_LAGUERRE_TAIL];
    double ln[RADII], cosh[RADII], sinh[RADII]; /* of R: ln R, cosh(ln R), sinh(ln R) */
} filon_tables;

/* Constants, computed at first use and never changed. */
static filon_tables filon_constants;
static pthread_once_t filon_once = PTHREAD_ONCE_INIT;

static int filon_rule_offset(int n)
{
    return (n - GAUSS_MIN) / 2 * ((n - GAUSS_MIN) / 2 - 1) + (n - GAUSS_MIN) / 2 * GAUSS_MIN;
}

/* The Legendre polynomial P_n and its derivative. */
static long double filon_legendre(int n, long double x, long double *slope)
{
    long double p = x, p0 = 1;
    for (int k = 2; k <= n; k++) {
        long double p2 = ((2 * k - 1) * x * p - (k - 1) * p0) / k;
        p0 = p;
        p = p2;
    }
    *slope = n * (x * p - p0) / (x * x - 1);
    return p;
}

static void filon_make_legendre(int n, double *t, double *w)
{
    for (int i = 0; i < n / 2; i++) {
        long double x = cosl(3.14159265358979323846L * (i + 0.75L) / (n + 0.5L)), d;
        for (int it = 0; it < 6; it++) {
            long double p = filon_legendre(n, x, &d);
            x -= p / d;
        }
        filon_legendre(n, x, &d);
        t[i] = (double)((1 - x) / 2);
        t[n - 1 - i] = (double)((1 + x) / 2);
        w[i] = w[n - 1 - i] = (double)(1 / ((1 - x * x) * d * d));
    }
}

/* The Laguerre polynomial L_n and x L_n'. */
static long double filon_laguerre_poly(int n, long double x, long double *xslope)
{
    long double p = 1 - x, p0 = 1;
    for (int k = 2; k <= n; k++) {
        long double p2 = ((2 * k - 1 - x) * p - (k - 1) * p0) / k;
        p0 = p;
        p = p2;
    }
    *xslope = n * (p - p0);
    return p;
}

/* The roots in rising order, by Newton's method with the roots found so far divided out. */
static void filon_make_laguerre(int n, double *t, double *w)
{
    long double root[FILON_LAGUERRE_TAIL], x = 0, d;
    for (int i = 0; i < n; i++) {
        for (int it = 0; it < 200; it++) {
            long double p = filon_laguerre_poly(n, x, &d), slope = x > 0 ? d / x : -n, found = 0;
            for (int j = 0; j < i; j++) found += 1 / (x - root[j]);
            long double step = p / (slope - p * found);
            x -= step;
            if (fabsl(step) < 1e-18L * x) break;
        }
        root[i] = x;
        filon_laguerre_poly(n, x, &d);
        t[i] = (double)x;
        w[i] = (double)(x / (d * d));
        x *= 1.000001L; /* a start between this root and the next */
    }
}

static void filon_make_tables(void)
{
    for (int n = GAUSS_MIN; n <= FILON_GAUSS_MAX; n += 2)
        filon_make_legendre(n, filon_constants.gauss_t + filon_rule_offset(n),
                            filon_constants.gauss_w + filon_rule_offset(n));
    filon_make_laguerre(FILON_LAGUERRE, filon_constants.lag_t[0], filon_constants.lag_w[0]);
    filon_make_laguerre(FILON_LAGUERRE_TAIL, filon_constants.lag_t[1], filon_constants.lag_w[1]);
    for (int i = 0; i < RADII; i++) {
        filon_constants.ln[i] = log(radius[i]);
        filon_constants.cosh[i] = (radius[i] + 1 / radius[i]) / 2;
        filon_constants.sinh[i] = (radius[i] - 1 / radius[i]) / 2;
    }
}

static filon_rule filon_gauss(int n)
{
    pthread_once(&filon_once, filon_make_tables);
    return (filon_rule){n, filon_constants.gauss_t + filon_rule_offset(n),
                        filon_constants.gauss_w + filon_rule_offset(n)};
}

filon_rule filon_laguerre(int n)
{
    pthread_once(&filon_once, filon_make_tables);
    int which = n == FILON_LAGUERRE_TAIL;
    return (filon_rule){n, filon_constants.lag_t[which], filon_constants.lag_w[which]};
}

/* The degree of the polynomial that represents J_m(q x) x^-power on [a,b] to e^-38 of its maximum,
 * for the phase q (b - a) and rho = (b - a)/(b + a): the smallest value, over Bernstein ellipses
 * with the sum of half axes R, of
 *   (38 + ln of the growth from the interval to the ellipse)/ln R.
 * |J_m(q x)| grows as e^|q Im x|, below its turning point (m > 0) also as |x|^m. */
static double filon_degree(double phase, double rho, double m, double power)
{
    const double *c = filon_constants.cosh;
    double growth[RADII], best = 1e9;
    for (int i = 0; i < RADII; i++) growth[i] = phase / 2 * filon_constants.sinh[i];
    if (m > 0)
        for (int i = 0; i < RADII; i++) growth[i] += m * vlog((1 + rho * c[i]) / (1 + rho));
    for (int i = 0; power > 0 && i < RADII; i++)
        growth[i] += rho * c[i] < 1 ? power * vlog((1 - rho) / (1 - rho * c[i])) : INFINITY;
    for (int i = 0; i < RADII; i++) {
        double degree = (38 + growth[i]) / filon_constants.ln[i];
        best = degree < best ? degree : best;
    }
    return best;
}

/* The nodes of a Gauss panel [a,b] with the phase q (b - a); m: the largest order whose turning
 * point lies beyond a and that counts at b, or 0.  The error is 1e-16 of the largest |g J|. */
static int filon_gauss_nodes(double phase, double a, double b, int m, double degree, double power)
{
    pthread_once(&filon_once, filon_make_tables);
    double k = filon_degree(phase, (b - a) / (b + a), m, power);
    int n = 2 * (int)ceil((k + degree + 1) / 4);
    return n < GAUSS_MIN ? GAUSS_MIN : n > FILON_GAUSS_MAX ? FILON_GAUSS_MAX : n;
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
    int n = filon_gauss_nodes(band->hi * h, a, b, beyond ? cut : 0, f->degree, f->power);
    return (filon_panel){u, h, filon_gauss(n), cut};
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
