/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel.h: Bessel functions over arrays of arguments: J_m for all orders at once, K0 and K1, and
 * Hankel functions along a line of the complex plane. */
#ifndef CGCT_BESSEL_H
#define CGCT_BESSEL_H
#include <stddef.h>

#include "numerics/bessel_point.h"

/* J_m(x[i] + low[i]) for all orders m = 0..mmax <= 600.
 * In       x[n] >= 0; low[n] below the last bit of x, or NULL.
 * Out      J[m*stride + i], stride >= n.
 * Accuracy 8e-15 max(1, sqrt(x)/10) of the local envelope of J_m, absolute (the worst of thousands
 *          of values in tests/numerics/test_bessel.c); values below 1e-280 may come out as 0. */
void bessel_J_pair(int mmax, size_t n, size_t stride, const double *x, const double *low,
                   double *J);

/* H_m^(1)(z + i t[l]) e^{t[l] - i z} for m = 0..mmax at n <= BESSEL_LINE_MAX points t[l] > 0 of a
 * vertical line, z >= BESSEL_HANKEL_MIN.
 * Out      real parts in H[m*stride + l], imaginary parts in H[m*stride + n + l]. */
enum { BESSEL_LINE_MAX = 32 };
void bessel_hankel_line(int mmax, int n, const double *t, double z, size_t stride, double *H);

/* k0[i] = K0(x[i]) and k1[i] = K1(x[i]) for x > 0, to a relative accuracy of 2e-15; 0 where they
 * underflow.  x below 1e-300 is taken as 1e-300. */
void bessel_K01(size_t n, const double *x, double *k0, double *k1);
#endif
