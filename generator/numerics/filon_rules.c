/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Legendre and Gauss-Laguerre rules of the engine, made once per process by Newton's method
 * in extended precision, and the number of Gauss nodes that a panel needs. */
#include <math.h>
#include <pthread.h>

#include "numerics/filon_impl.h"
#include "numerics/vmath.h"

enum {
    FIRST = 4,
    RULES = (FILON_GAUSS_MAX - FIRST) / 2 + 1,
    NODES = RULES * (FILON_GAUSS_MAX + 8)
};

static const double radius[] = {1.3, 1.6, 2, 2.6, 3.4, 4.5, 6, 8, 12, 18, 28, 45, 80, 150, 400};
enum { RADII = sizeof radius / sizeof *radius };

typedef struct {
    double gauss_t[NODES], gauss_w[NODES];
    double lag_t[2][FILON_LAGUERRE_TAIL], lag_w[2][FILON_LAGUERRE_TAIL];
    double ln[RADII], cosh[RADII], sinh[RADII]; /* of ln R of Bernstein's ellipses */
} tables;

static tables made;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int offset_of(int n)
{
    return (n - FIRST) / 2 * ((n - FIRST) / 2 - 1) + (n - FIRST) / 2 * FIRST;
}

/* P_n and its derivative */
static long double legendre(int n, long double x, long double *slope)
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

static void make_gauss(int n, double *t, double *w)
{
    for (int i = 0; i < n / 2; i++) {
        long double x = cosl(3.14159265358979323846L * (i + 0.75L) / (n + 0.5L)), d;
        for (int it = 0; it < 6; it++) {
            long double p = legendre(n, x, &d);
            x -= p / d;
        }
        legendre(n, x, &d);
        t[i] = (double)((1 - x) / 2);
        t[n - 1 - i] = (double)((1 + x) / 2);
        w[i] = w[n - 1 - i] = (double)(1 / ((1 - x * x) * d * d));
    }
}

/* L_n and x L_n' */
static long double laguerre(int n, long double x, long double *xslope)
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

/* Roots from the smallest up: Newton's method with the roots found so far divided out. */
static void make_laguerre(int n, double *t, double *w)
{
    long double root[FILON_LAGUERRE_TAIL], x = 0, d;
    for (int i = 0; i < n; i++) {
        for (int it = 0; it < 200; it++) {
            long double p = laguerre(n, x, &d), slope = x > 0 ? d / x : -n, found = 0;
            for (int j = 0; j < i; j++) found += 1 / (x - root[j]);
            long double step = p / (slope - p * found);
            x -= step;
            if (fabsl(step) < 1e-18L * x) break;
        }
        root[i] = x;
        laguerre(n, x, &d);
        t[i] = (double)x;
        w[i] = (double)(x / (d * d));
        x *= 1.000001L; /* below the next root, off this one */
    }
}

static void make(void)
{
    for (int n = FIRST; n <= FILON_GAUSS_MAX; n += 2)
        make_gauss(n, made.gauss_t + offset_of(n), made.gauss_w + offset_of(n));
    make_laguerre(FILON_LAGUERRE, made.lag_t[0], made.lag_w[0]);
    make_laguerre(FILON_LAGUERRE_TAIL, made.lag_t[1], made.lag_w[1]);
    for (int i = 0; i < RADII; i++) {
        made.ln[i] = log(radius[i]);
        made.cosh[i] = (radius[i] + 1 / radius[i]) / 2;
        made.sinh[i] = (radius[i] - 1 / radius[i]) / 2;
    }
}

filon_rule filon_gauss(int n)
{
    pthread_once(&once, make);
    return (filon_rule){n, made.gauss_t + offset_of(n), made.gauss_w + offset_of(n)};
}

filon_rule filon_laguerre(int n)
{
    pthread_once(&once, make);
    int which = n == FILON_LAGUERRE_TAIL;
    return (filon_rule){n, made.lag_t[which], made.lag_w[which]};
}

/* Degree of the polynomial that represents J_m on [a,b] to e^-38 of its maximum: the least over the
 * Bernstein ellipses, radius R, of (38 + ln growth of |J_m|)/ln R.  On the ellipse |J_m(q x)| grows
 * as e^|q Im x|, below its turning point also as |x|^m, and inverse powers as |x|^-p. */
static double bessel_degree(double phase, double rho, double m, double power)
{
    const double *c = made.cosh;
    double growth[RADII], best = 1e9;
    for (int i = 0; i < RADII; i++) growth[i] = phase / 2 * made.sinh[i];
    if (m > 0)
        for (int i = 0; i < RADII; i++) growth[i] += m * vlog((1 + rho * c[i]) / (1 + rho));
    for (int i = 0; power > 0 && i < RADII; i++)
        growth[i] += rho * c[i] < 1 ? power * vlog((1 - rho) / (1 - rho * c[i])) : INFINITY;
    for (int i = 0; i < RADII; i++) {
        double degree = (38 + growth[i]) / made.ln[i];
        best = degree < best ? degree : best;
    }
    return best;
}

int filon_gauss_nodes(double phase, double a, double b, int m, double degree, double power)
{
    pthread_once(&once, make);
    double k = bessel_degree(phase, (b - a) / (b + a), m, power);
    int n = 2 * (int)ceil((k + degree + 1) / 4);
    return n < FIRST ? FIRST : n > FILON_GAUSS_MAX ? FILON_GAUSS_MAX : n;
}
