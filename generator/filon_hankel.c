/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hankel functions of all orders on a vertical line of the complex plane. */
#include <math.h>

#include "bessel_impl.h"
#include "filon_impl.h"
#include "fmadd.h"

enum { N = FILON_LAGUERRE_TAIL };

static const double PI = 3.14159265358979323846;

/* sqrt(2/(pi z)) e^{-i (2 nu + 1) pi/4} sum_k a_k (i/z)^k at each 1/z = rr + i ri */
static void first_order(int nu, int n, const double *rr, const double *ri, double *re, double *im)
{
    double a[BESSEL_HANKEL_TERMS];
    bessel_hankel_terms(nu, a);
    for (int l = 0; l < n; l++) {
        double x = -ri[l], y = rr[l], sr = 0, si = 0; /* i/z */
        for (int k = BESSEL_HANKEL_TERMS - 1; k >= 0; k--) {
            double t = fmadd(sr, x, fmadd(-si, y, a[k]));
            si = fmadd(sr, y, si * x);
            sr = t;
        }
        /* sqrt(1/z): Re 1/z > 0, Im 1/z <= 0 */
        double mod = sqrt(rr[l] * rr[l] + ri[l] * ri[l]), ur = sqrt((mod + rr[l]) / 2);
        double ui = ri[l] / (2 * ur), f = 1 / sqrt(PI);
        double pr = f * (ur * sr - ui * si), pi = f * (ur * si + ui * sr);
        re[l] = nu ? pi - pr : pr + pi; /* times (1 - i) or -(1 + i) */
        im[l] = nu ? -pr - pi : pi - pr;
    }
}

void filon_hankel(int mmax, const filon_rule *rule, double z, double *J)
{
    double rr[N], ri[N], spare[2 * N];
    int n = rule->n;
    for (int l = 0; l < n; l++) {
        double d = 1 / fmadd(z, z, rule->t[l] * rule->t[l]);
        rr[l] = z * d;
        ri[l] = -rule->t[l] * d;
    }
    double *row = mmax > 0 ? J + FILON_LANES : spare;
    first_order(0, n, rr, ri, J, J + n);
    first_order(1, n, rr, ri, row, row + n);
    for (int m = 1; m < mmax; m++) {
        const double *one = J + (size_t)m * FILON_LANES, *two = one - FILON_LANES;
        double *next = J + (size_t)(m + 1) * FILON_LANES, c = 2.0 * m;
        for (int l = 0; l < n; l++) {
            double hr = c * one[l], hi = c * one[n + l];
            next[l] = fmadd(hr, rr[l], fmadd(-hi, ri[l], -two[l]));
            next[n + l] = fmadd(hi, rr[l], fmadd(hr, ri[l], -two[n + l]));
        }
    }
}
