/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath.h: exp, expm1, log and log1p as inline functions without branches, so that compilers can
 * vectorise the loops around them; and the divided difference of the exponential, in C and CUDA.
 *
 * The relative accuracy is 5e-16 (measured in tests/numerics/test_vmath.c), for
 *   vexp    -708 <= x <= 709; exactly 0 below -708.8
 *   vexpm1  x <= 709
 *   vlog    normal x > 0
 *   vlog1p  x > -1 with 1 + x normal, also for the smallest |x|
 * NaN gives NaN.  Other arguments give meaningless numbers, without trapping.  Loops vectorise with
 * -O3 -fno-math-errno -fno-trapping-math and the instruction set of the machine. */
#ifndef CGCT_VMATH_H
#define CGCT_VMATH_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "numerics/pointwise.h"

CGCT_INLINE uint64_t vmath_bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

CGCT_INLINE double vmath_double(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

#if defined(__CUDACC__)
#define CGCT_EXP exp
#define CGCT_EXPM1 expm1
#define CGCT_RECIPROCAL vmath_reciprocal_
/* 1/x of normal x to an ulp or two: an approximation and two steps of Newton's method, which is
 * faster than the division of the device. */
__device__ static inline double vmath_reciprocal_(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    y = fma(y, fma(-x, y, 1.0), y);
    return fma(y, fma(-x, y, 1.0), y);
}
#else
#define CGCT_EXP vexp
#define CGCT_EXPM1 vexpm1
#define CGCT_RECIPROCAL(x) (1.0 / (x))

/* Adding this to |v| < 2^51 rounds v to an integer, which then stands in the low bits. */
#define VMATH_ROUND 0x1.8p52
#define VMATH_LN2_HI_ 0x1.62e42fefa0000p-1 /* 37 bits: k LN2_HI is exact */
#define VMATH_LN2_LO_ 0x1.cf79abc9e3b3ap-40
#define VMATH_EXP_MIN_ (-709.0) /* k = -1023, for which vmath_pow2_ gives exactly 0 */

/* expm1(r) = r + r^2 q(r) for |r| <= ln(2)/2, with q from Chebyshev interpolation: the relative
 * error of the result is 2e-18. */
static inline double vmath_expm1_core_(double r)
{
    double q = 0x1.1f730349868cep-29;
    q = fmadd(q, r, 0x1.af4de97ca4194p-26);
    q = fmadd(q, r, 0x1.27e4db646b17ep-22);
    q = fmadd(q, r, 0x1.71de0231960ebp-19);
    q = fmadd(q, r, 0x1.a01a01a6d889cp-16);
    q = fmadd(q, r, 0x1.a01a01abe7fe1p-13);
    q = fmadd(q, r, 0x1.6c16c16c162d4p-10);
    q = fmadd(q, r, 0x1.11111111100dcp-7);
    q = fmadd(q, r, 0x1.5555555555556p-5);
    q = fmadd(q, r, 0x1.5555555555557p-3);
    q = fmadd(q, r, 0x1.0000000000000p-1);
    return fmadd(r * r, q, r);
}

/* max(x, VMATH_EXP_MIN_) = k ln 2 + *r; returns k + VMATH_ROUND. */
static inline double vmath_exp_reduce_(double x, double *r)
{
    x = x < VMATH_EXP_MIN_ ? VMATH_EXP_MIN_ : x;
    double kr = fmadd(x, 0x1.71547652b82fep0, VMATH_ROUND);
    double k = kr - VMATH_ROUND;
    double t = fmadd(-k, VMATH_LN2_HI_, x);
    *r = fmadd(-k, VMATH_LN2_LO_, t);
    return kr;
}

/* 2^k from k + VMATH_ROUND, -1022 <= k <= 1023; 0 for k = -1023. */
static inline double vmath_pow2_(double kr)
{
    return vmath_double((vmath_bits(kr) + 1023u) << 52);
}

static inline double vexp(double x)
{
    double r, kr = vmath_exp_reduce_(x, &r);
    double e = vmath_expm1_core_(r), s = vmath_pow2_(kr);
    return fmadd(s, e, s);
}

static inline double vexpm1(double x)
{
    double r, kr = vmath_exp_reduce_(x, &r);
    double e = vmath_expm1_core_(r), s = vmath_pow2_(kr);
    return fmadd(s, e, s - 1.0);
}

/* ln(1+f) + k ln 2 for sqrt(1/2) <= 1+f < sqrt(2): with s = f/(2+f) and z = s^2,
 *   ln(1+f) = f - (f^2/2 - s (f^2/2 + z p(z))),
 * p from Chebyshev interpolation with an error of 1e-18. */
static inline double vmath_log_core_(double f, double k)
{
    double s = f / (2.0 + f), z = s * s, h = 0.5 * f * f;
    double p = 0x1.0c0aff044a970p-3;
    p = fmadd(p, z, 0x1.0fbde0f4ad17bp-3);
    p = fmadd(p, z, 0x1.3b1c3c1c81c8fp-3);
    p = fmadd(p, z, 0x1.745cf8e4bba1bp-3);
    p = fmadd(p, z, 0x1.c71c7201a55d7p-3);
    p = fmadd(p, z, 0x1.2492492476a1ap-2);
    p = fmadd(p, z, 0x1.9999999999a39p-2);
    p = fmadd(p, z, 0x1.5555555555555p-1);
    double t = h - fmadd(s, fmadd(z, p, h), k * VMATH_LN2_LO_);
    return fmadd(k, VMATH_LN2_HI_, f - t);
}

/* u = 2^k m with sqrt(1/2) <= m < sqrt(2): returns m; *kbits = k << 52.  k becomes a double as the
 * low bits of 2^52 + k + 1024. */
static inline double vmath_log_reduce_(double u, uint64_t *kbits, double *k)
{
    uint64_t off = vmath_bits(u) - 0x3fe6a09e667f3bcdULL;  /* sqrt(1/2) */
    uint64_t biased = (off + 0x4000000000000000ULL) >> 52; /* k + 1024 */
    *kbits = off & 0xfff0000000000000ULL;
    *k = vmath_double(biased | 0x4330000000000000ULL) - (0x1p52 + 1024.0);
    return vmath_double(vmath_bits(u) - *kbits);
}

static inline double vlog(double x)
{
    uint64_t kbits;
    double k, m = vmath_log_reduce_(x, &kbits, &k);
    return vmath_log_core_(m - 1.0, k) + (x - x); /* x - x keeps NaN */
}

static inline double vlog1p(double x)
{
    double u = 1.0 + x, v = u - 1.0, c = (1.0 - (u - v)) + (x - v); /* 1 + x = u + c exactly */
    uint64_t kbits;
    double k, m = vmath_log_reduce_(u, &kbits, &k);
    double scale = vmath_double(0x3ff0000000000000ULL - kbits); /* 2^-k */
    return vmath_log_core_(fmadd(c, scale, m - 1.0), k);
}
#endif

/* ---- the divided difference of the exponential ----
 *
 *   W(A,B) = (e^A - e^B)/(A - B) = e^max(A,B) exprel(-|A-B|)       [P: eqs. exprel1, exprel2] */

/* exprel(x) = (e^x - 1)/x for x <= 0, and 1 at x = 0; expm1 keeps the relative accuracy.  Both
 * branches are computed and neither divides by 0, so that loops around this vectorise. */
CGCT_INLINE double exprel(double x)
{
    int near = x > -1e-7;
    double series = 1 + x * (0.5 + x * (1. / 6)), quotient = CGCT_EXPM1(x) / (near ? -1 : x);
    return near ? series : quotient;
}

/* W(A,B) for A, B <= 0 where eA = e^A and eB = e^B are known. */
CGCT_INLINE double expdiff_known(double A, double B, double eA, double eB)
{
    double d = A - B, top = d > 0 ? eA : eB;
    return top * exprel(d > 0 ? -d : d);
}

CGCT_INLINE double expdiff(double A, double B)
{
    return expdiff_known(A, B, CGCT_EXP(A), CGCT_EXP(B));
}

/* W(A,B) from d = A - B, e^(A/2) and e^(B/2), without a transcendental function: near d = 0 from
 * the series of e^((A+B)/2) sinh(d/2)/(d/2), elsewhere as the quotient.  Relative accuracy
 * 5e-15. */
CGCT_KERNEL double expdiff_roots(double d, double rootA, double rootB)
{
    int near = fabs(d) < 0.25;
    double z = d * d;
    double series = 1 + z * (1. / 24 + z * (1. / 1920 + z * (1. / 322560 + z * (1. / 92897280))));
    double quotient = (rootA * rootA - rootB * rootB) * CGCT_RECIPROCAL(near ? 1 : d);
    return near ? rootA * rootB * series : quotient;
}
#endif
