/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel_impl.h: what filon shares with bessel.c; private to the two. */
#ifndef CGCT_BESSEL_IMPL_H
#define CGCT_BESSEL_IMPL_H
#include <stddef.h>

enum { BESSEL_LANES = 64, BESSEL_HANKEL_TERMS = 24 };

/* Smallest |z| at which the Hankel expansions of orders 0 and 1 hold to the last bit: their
 * smallest term is e^(-2|z|), and 24 terms leave 24!/(50^24) = 1e-17. */
#define BESSEL_HANKEL_MIN 25.0

/* J[m*stride + i] = J_m(x[i] + low[i]); low (or NULL) is below the last bit of x. */
void bessel_J_pair(int mmax, size_t n, size_t stride, const double *x, const double *low,
                   double *J);

/* Largest order at which J_m(x) is not negligible (above about 1e-290). */
int bessel_order_cut(double x);

/* a_k(nu) of H_nu(z) = sqrt(2/(pi z)) e^{i(z - nu pi/2 - pi/4)} sum_k i^k a_k(nu) z^-k. */
void bessel_hankel_terms(int nu, double a[BESSEL_HANKEL_TERMS]);

/* sin and cos of x + low, |x| < 1e15: absolute accuracy 2e-16. */
void bessel_sincos(double x, double low, double *s, double *c);
#endif
