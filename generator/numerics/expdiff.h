/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expdiff.h: the divided difference of the exponential, one inline text for C and CUDA.
 *
 *   W(A,B) = (e^A - e^B)/(A - B) = e^max(A,B) exprel(-|A-B|)       [P: eqs. exprel1, exprel2] */
#ifndef CGCT_EXPDIFF_H
#define CGCT_EXPDIFF_H
#include <math.h>

#include "numerics/pointwise.h"

#if defined(__CUDACC__)
#define CGCT_EXP exp
#define CGCT_EXPM1 expm1
#define CGCT_RECIPROCAL expdiff_reciprocal_
/* 1/x of normal x to an ulp or two, without the slow path of a division: seed and two steps. */
__device__ static inline double expdiff_reciprocal_(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
}
#else
#include "numerics/vmath.h"
#define CGCT_EXP vexp
#define CGCT_EXPM1 vexpm1
#define CGCT_RECIPROCAL(x) (1.0 / (x))
#endif

/* (e^x - 1)/x for x <= 0, given that expm1 keeps full relative accuracy; 1 at x = 0.  Both branches
 * are computed and neither divides by 0, so that loops around this vectorise. */
CGCT_INLINE double exprel(double x)
{
    int near = x > -1e-7;
    double series = 1 + x * (0.5 + x * (1. / 6)), quotient = CGCT_EXPM1(x) / (near ? -1 : x);
    return near ? series : quotient;
}

/* Divided difference of exp for A, B <= 0, symmetric; eA = e^A, eB = e^B are passed where known. */
CGCT_INLINE double expdiff_known(double A, double B, double eA, double eB)
{
    double d = A - B, top = d > 0 ? eA : eB;
    return top * exprel(d > 0 ? -d : d);
}

CGCT_INLINE double expdiff(double A, double B)
{
    return expdiff_known(A, B, CGCT_EXP(A), CGCT_EXP(B));
}

/* The same from d = A - B, e^(A/2), e^(B/2) without any transcendental function, for the kernels:
 * e^((A+B)/2) sinh(d/2)/(d/2) near d = 0, the quotient beyond.  Relative accuracy 5e-15. */
CGCT_KERNEL double expdiff_roots(double d, double rootA, double rootB)
{
    int near = fabs(d) < 0.25;
    double z = d * d;
    double series = 1 + z * (1. / 24 + z * (1. / 1920 + z * (1. / 322560 + z * (1. / 92897280))));
    double quotient = (rootA * rootA - rootB * rootB) * CGCT_RECIPROCAL(near ? 1 : d);
    return near ? rootA * rootB * series : quotient;
}
#endif
