/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_filon_rules.c: a program of the build that prints the Gauss-Legendre and Gauss-Laguerre rules
 * of Filon weights, computed in extended precision, as arrays in C: filon_gauss_rules and
 * filon_laguerre_rules of filon_parts.h. */
#include <math.h>
#include <stdio.h>

#include "numerics/filon_parts.h"

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

static void filon_print(int n, const double *v)
{
    for (int i = 0; i < n; i++) printf("%a,\n", v[i]);
}

int main(void)
{
    double t[FILON_GAUSS_MAX], w[FILON_GAUSS_MAX];
    puts("#include \"numerics/filon_parts.h\"\nconst double filon_gauss_rules[] = {");
    for (int n = FILON_GAUSS_MIN; n <= FILON_GAUSS_MAX; n += 2) {
        filon_make_legendre(n, t, w);
        filon_print(n, t);
        filon_print(n, w);
    }
    puts("};\nconst double filon_laguerre_rules[] = {");
    for (int i = 0; i < 2; i++) {
        int n = i ? FILON_LAGUERRE_TAIL : FILON_LAGUERRE;
        filon_make_laguerre(n, t, w);
        filon_print(n, t);
        filon_print(n, w);
    }
    puts("};");
    return 0;
}
