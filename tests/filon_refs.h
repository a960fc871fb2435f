/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_refs.h: mpmath's Filon weights and tails, for whatever makes weights. */
#ifndef FILON_REFS_H
#define FILON_REFS_H
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "numerics/filon.h"
#include "open_ref.h"

static const double TOL_FILON = 1e-13;  /* of int |integrand|: the promise of filon.h */
static const double SCALE_ERROR = 1.05; /* scales in the .ref files are good to some per cent */

/* w[n] at one momentum and order. */
typedef void filon_maker(size_t n, const double *x, double q, int m, int degree,
                         const filon_tail_opts *tail, double *w);

/* Single weights, not only sums over them. */
static inline void check_each_weight(filon_maker *weights)
{
    static const double x[] = {0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 4.5, 6.0, 7.0};
    enum { N = sizeof x / sizeof *x };
    FILE *f = open_ref("filon_each.ref");
    double q, want, scale, w[N];
    int m, d, j, count = 0;
    while (fscanf(f, "%lf %d %d %d %lf %lf", &q, &m, &d, &j, &want, &scale) == 6) {
        weights(N, x, q, m, d, NULL, w);
        double tol = TOL_FILON * SCALE_ERROR * scale + 1e-280;
        ck_assert_msg(
            fabs(w[j] - want) <= tol,
            "weight %d, degree %d, q %g, order %d: got %.17g, want %.17g, error %.3g > %.3g", j, d,
            q, m, w[j], want, fabs(w[j] - want), tol);
        count++;
    }
    fclose(f);
    ck_assert_int_gt(count, 150);
}

/* One term fitted to one node is the integral of that power, on top of a negligible grid. */
static inline void check_tail_integrals(filon_maker *weights)
{
    FILE *f = open_ref("filon_tail.ref");
    double a, q, p, want, scale, x[3], w[3], bare[3];
    int m, count = 0;
    while (fscanf(f, "%lf %lf %d %lf %lf %lf", &a, &q, &m, &p, &want, &scale) == 6) {
        const filon_tail_opts tail = {1, 1, &p};
        for (int i = 0; i < 3; i++) x[i] = a * (1 - 1e-9 * (2 - i));
        weights(3, x, q, m, 2, &tail, w);
        weights(3, x, q, m, 2, NULL, bare);
        double got = w[2] - bare[2], tol = TOL_FILON * SCALE_ERROR * scale;
        ck_assert_msg(
            fabs(got - want) <= tol,
            "tail of (x/%g)^-%g, q %.17g, order %d: got %.17g, want %.17g, error %.3g > %.3g", a, p,
            q, m, got, want, fabs(got - want), tol);
        count++;
    }
    fclose(f);
    ck_assert_int_gt(count, 40);
}
#endif
