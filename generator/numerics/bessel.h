/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel.h: J_m for all orders at once, and fast K0, K1 for the builders; knows no physics. */
#ifndef CGCT_BESSEL_H
#define CGCT_BESSEL_H
#include <stddef.h>

/* J (mmax+1, n) row-major: J[m*n + i] = J_m(x[i]), x >= 0, m = 0..mmax <= 600.  Absolute accuracy
 * 8e-15 max(1, sqrt(x)/10) of the local envelope (worst of thousands); below 1e-280 J may be 0. */
void bessel_J_all(int mmax, size_t n, const double *x, double *J);

/* k0[i] = K0(x[i]), k1[i] = K1(x[i]) for x > 0: relative accuracy 2e-15; 0 where they underflow.
 * x below 1e-300 is taken as 1e-300.  Vectorised, thread-safe. */
void bessel_K01(size_t n, const double *x, double *k0, double *k1);
#endif
