/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hankel functions of all orders on a vertical line of the complex plane. */
#include "numerics/filon_impl.h"
#include "numerics/filon_point.h"

enum { N = FILON_LAGUERRE_TAIL };

void filon_hankel(int mmax, const filon_rule *rule, double z, double *J)
{
    bessel_terms t;
    filon_complex r[N];
    double spare[2 * N], *row = mmax > 0 ? J + FILON_LANES : spare;
    int n = rule->n;
    bessel_terms_init(&t);
    for (int l = 0; l < n; l++) {
        r[l] = filon_inverse(z, rule->t[l]);
        filon_complex h0 = filon_hankel_first(&t, 0, r[l]), h1 = filon_hankel_first(&t, 1, r[l]);
        J[l] = h0.re;
        J[n + l] = h0.im;
        row[l] = h1.re;
        row[n + l] = h1.im;
    }
    for (int m = 1; m < mmax; m++) {
        const double *one = J + (size_t)m * FILON_LANES, *two = one - FILON_LANES;
        double *next = J + (size_t)(m + 1) * FILON_LANES;
        for (int l = 0; l < n; l++) {
            filon_complex a = {one[l], one[n + l]}, b = {two[l], two[n + l]};
            filon_complex v = filon_hankel_step(2.0 * m, a, b, r[l]);
            next[l] = v.re;
            next[n + l] = v.im;
        }
    }
}
