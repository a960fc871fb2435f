/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pointwise.h: how functions of numbers are marked that are one text for C and CUDA. */
#ifndef CGCT_POINTWISE_H
#define CGCT_POINTWISE_H
#if defined(__CUDACC__)
#define CGCT_INLINE __host__ __device__ static inline
#define CGCT_KERNEL __device__ static inline /* in C of use to the tests and an emulated device */
#else
#define CGCT_INLINE static inline
#define CGCT_KERNEL static inline
#endif

/* a b rounded once: never part of a fused operation, which compilers for devices make unasked. */
CGCT_INLINE double cgct_product(double a, double b)
{
#if defined(__CUDA_ARCH__)
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}
#endif
