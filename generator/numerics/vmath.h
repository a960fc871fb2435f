/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath.h: exp, expm1, log and log1p as branch-free inline text, so that the loops around them
 * vectorise.
 *
 * Relative accuracy of the results 5e-16 (measured in tests/numerics/test_vmath.c), for
 *   vexp    -708 <= x <= 709; exactly 0 below -708.8
 *   vexpm1  x <= 709
 *   vlog    normal x > 0
 *   vlog1p  x > -1, 1 + x normal; full accuracy relative to the result for the smallest x
 * NaN gives NaN.  Other arguments give meaningless numbers, without trapping.
 * Build with -O3 -fno-math-errno and the instruction set of the machine. */
#ifndef CGCT_VMATH_H
#define CGCT_VMATH_H
#include <stdint.h>
#include <string.h>

/* ISO C modes forbid contraction, so the fused operations are asked for by name. */
#ifdef __FMA__
#define VMATH_FMA_(a, b, c) __builtin_fma(a, b, c)
#else
#define VMATH_FMA_(a, b, c) ((a) * (b) + (c))
#endif

/* Adding this rounds |v| < 2^51 to an integer, whose two's complement stands in the low bits. */
#define VMATH_ROUND_ 0x1.8p52
#define VMATH_LN2_HI_ 0x1.62e42fefa0000p-1 /* 37 bits: k LN2_HI is exact */
#define VMATH_LN2_LO_ 0x1.cf79abc9e3b3ap-40
#define VMATH_EXP_MIN_ (-709.0) /* k = -1023, for which vmath_pow2_ gives exactly 0 */

static inline uint64_t vmath_bits_(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline double vmath_double_(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* expm1(r) for |r| <= ln(2)/2: r + r^2 q(r), q by Chebyshev interpolation, error 2e-18 of the
 * result. */
static inline double vmath_expm1_core_(double r)
{
    double q = 0x1.1f730349868cep-29;
    q = VMATH_FMA_(q, r, 0x1.af4de97ca4194p-26);
    q = VMATH_FMA_(q, r, 0x1.27e4db646b17ep-22);
    q = VMATH_FMA_(q, r, 0x1.71de0231960ebp-19);
    q = VMATH_FMA_(q, r, 0x1.a01a01a6d889cp-16);
    q = VMATH_FMA_(q, r, 0x1.a01a01abe7fe1p-13);
    q = VMATH_FMA_(q, r, 0x1.6c16c16c162d4p-10);
    q = VMATH_FMA_(q, r, 0x1.11111111100dcp-7);
    q = VMATH_FMA_(q, r, 0x1.5555555555556p-5);
    q = VMATH_FMA_(q, r, 0x1.5555555555557p-3);
    q = VMATH_FMA_(q, r, 0x1.0000000000000p-1);
    return VMATH_FMA_(r * r, q, r);
}

/* max(x, VMATH_EXP_MIN_) = k ln 2 + *r; returns k + VMATH_ROUND_. */
static inline double vmath_exp_reduce_(double x, double *r)
{
    x = x < VMATH_EXP_MIN_ ? VMATH_EXP_MIN_ : x;
    double kr = VMATH_FMA_(x, 0x1.71547652b82fep0, VMATH_ROUND_);
    double k = kr - VMATH_ROUND_;
    double t = VMATH_FMA_(-k, VMATH_LN2_HI_, x);
    *r = VMATH_FMA_(-k, VMATH_LN2_LO_, t);
    return kr;
}

/* 2^k from k + VMATH_ROUND_, -1022 <= k <= 1023; 0 for k = -1023. */
static inline double vmath_pow2_(double kr)
{
    return vmath_double_((vmath_bits_(kr) + 1023u) << 52);
}

static inline double vexp(double x)
{
    double r, kr = vmath_exp_reduce_(x, &r);
    double e = vmath_expm1_core_(r), s = vmath_pow2_(kr);
    return VMATH_FMA_(s, e, s);
}

static inline double vexpm1(double x)
{
    double r, kr = vmath_exp_reduce_(x, &r);
    double e = vmath_expm1_core_(r), s = vmath_pow2_(kr);
    return VMATH_FMA_(s, e, s - 1.0);
}

/* ln(1+f) + k ln 2 for sqrt(1/2) <= 1+f < sqrt(2): with s = f/(2+f), z = s^2,
 * ln(1+f) = f - (f^2/2 - s (f^2/2 + z p(z))), p by Chebyshev interpolation, error 1e-18. */
static inline double vmath_log_core_(double f, double k)
{
    double s = f / (2.0 + f), z = s * s, h = 0.5 * f * f;
    double p = 0x1.0c0aff044a970p-3;
    p = VMATH_FMA_(p, z, 0x1.0fbde0f4ad17bp-3);
    p = VMATH_FMA_(p, z, 0x1.3b1c3c1c81c8fp-3);
    p = VMATH_FMA_(p, z, 0x1.745cf8e4bba1bp-3);
    p = VMATH_FMA_(p, z, 0x1.c71c7201a55d7p-3);
    p = VMATH_FMA_(p, z, 0x1.2492492476a1ap-2);
    p = VMATH_FMA_(p, z, 0x1.9999999999a39p-2);
    p = VMATH_FMA_(p, z, 0x1.5555555555555p-1);
    double t = h - VMATH_FMA_(s, VMATH_FMA_(z, p, h), k * VMATH_LN2_LO_);
    return VMATH_FMA_(k, VMATH_LN2_HI_, f - t);
}

/* u = 2^k m, sqrt(1/2) <= m < sqrt(2): returns m, the bits k << 52, and k by the 2^52 trick. */
static inline double vmath_log_reduce_(double u, uint64_t *kbits, double *k)
{
    uint64_t off = vmath_bits_(u) - 0x3fe6a09e667f3bcdULL; /* sqrt(1/2) */
    uint64_t biased = (off + 0x4000000000000000ULL) >> 52; /* k + 1024 */
    *kbits = off & 0xfff0000000000000ULL;
    *k = vmath_double_(biased | 0x4330000000000000ULL) - (0x1p52 + 1024.0);
    return vmath_double_(vmath_bits_(u) - *kbits);
}

static inline double vlog(double x)
{
    uint64_t kbits;
    double k, m = vmath_log_reduce_(x, &kbits, &k);
    return vmath_log_core_(m - 1.0, k) + (x - x); /* hands NaN on */
}

static inline double vlog1p(double x)
{
    double u = 1.0 + x, v = u - 1.0, c = (1.0 - (u - v)) + (x - v); /* 1 + x = u + c exactly */
    uint64_t kbits;
    double k, m = vmath_log_reduce_(u, &kbits, &k);
    double scale = vmath_double_(0x3ff0000000000000ULL - kbits); /* 2^-k */
    return vmath_log_core_(VMATH_FMA_(c, scale, m - 1.0), k);
}
#endif
