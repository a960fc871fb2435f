/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel_impl.h: what filon shares with bessel.c; private to the two. */
#ifndef CGCT_BESSEL_IMPL_H
#define CGCT_BESSEL_IMPL_H
#include <stddef.h>

#include "numerics/bessel_point.h"

enum { BESSEL_LANES = 64 };

/* J[m*stride + i] = J_m(x[i] + low[i]); low (or NULL) is below the last bit of x. */
void bessel_J_pair(int mmax, size_t n, size_t stride, const double *x, const double *low,
                   double *J);
#endif
