/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pointwise.h: the marks of inline functions that C and CUDA share, and the arithmetic on which
 * they are built: fused multiply-add, the exact product, and polynomials. */
#ifndef CGCT_POINTWISE_H
#define CGCT_POINTWISE_H
#include <math.h>

#if defined(__CUDACC__)
#define CGCT_INLINE __host__ __device__ static inline
#define CGCT_KERNEL __device__ static inline /* in C: for the tests and the emulated device */
#else
#define CGCT_INLINE static inline
#define CGCT_KERNEL static inline
#endif

/* a b, rounded once.  Compilers for devices would otherwise fuse it with a following addition. */
CGCT_INLINE double cgct_product(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

/* a b + c, with one rounding where the machine has an instruction for it and with two elsewhere;
 * fma() itself is called where the result relies on a single rounding. */
CGCT_INLINE double fmadd(double a, double b, double c)
{
#if defined(FP_FAST_FMA) || defined(__FMA__) || defined(__CUDA_ARCH__)
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}

/* c[0] + c[1] x + ... + c[n] x^n.  Even and odd powers are summed apart, which halves the chain of
 * dependent operations. */
CGCT_INLINE double horner(int n, const double *c, double x)
{
    double x2 = x * x, even = c[n & ~1], odd = c[(n - 1) | 1];
    for (int k = (n & ~1) - 2; k >= 0; k -= 2) even = fmadd(even, x2, c[k]);
    for (int k = ((n - 1) | 1) - 2; k >= 1; k -= 2) odd = fmadd(odd, x2, c[k]);
    return fmadd(odd, x, even);
}
#endif
