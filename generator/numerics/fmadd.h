/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmadd.h: a*b + c by one instruction where the machine has it; fma() itself where exactness
 * counts. */
#ifndef CGCT_FMADD_H
#define CGCT_FMADD_H
#include <math.h>

#include "numerics/pointwise.h"

CGCT_INLINE double fmadd(double a, double b, double c)
{
#if defined(FP_FAST_FMA) || defined(__CUDA_ARCH__)
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* c[0] + c[1] x + ... + c[n] x^n; even and odd powers apart, to halve the chain of dependent steps
 */
CGCT_INLINE double horner(int n, const double *c, double x)
{
    double x2 = x * x, even = c[n & ~1], odd = c[(n - 1) | 1];
    for (int k = (n & ~1) - 2; k >= 0; k -= 2) even = fmadd(even, x2, c[k]);
    for (int k = ((n - 1) | 1) - 2; k >= 1; k -= 2) odd = fmadd(odd, x2, c[k]);
    return fmadd(odd, x, even);
}
#endif
