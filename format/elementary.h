/* SPDX-License-Identifier: MIT */
/* elementary.h: ln, exp, sine and cosine without branches, so that loops over them vectorise.
 *
 * Additions and multiplications only, never fused: every machine and every width of vector gives
 * the same bits (gcc: -std=c11 or -ffp-contract=off, and no -mfma, with which gcc 12 fuses complex
 * products in spite of that).  Series are Taylor's, long enough that what is cut off lies below
 * 1e-17. */
#ifndef CGCT_ELEMENTARY_H
#define CGCT_ELEMENTARY_H
#include <stdint.h>
#include <string.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* One copy of a function for each width of vectors, chosen when the program is loaded.  Sums of
 * vectors of 32 bytes do not get shorter with AVX-512; loops over exp, ln, sin and over integers,
 * which vectorise to any width, do.  A program compiled for AVX-512 needs no copies, and gcc 12
 * cannot make those for less of vectors of 64 bytes. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && __GNUC__ >= 12 &&        \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&      \
    !defined(__AVX512F__) && !defined(CGCT_NO_DISPATCH)
#define CGCT_DISPATCH
#define CGCT_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#define CGCT_CLONES_512                                                                            \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CGCT_CLONES
#define CGCT_CLONES_512
#endif

static inline uint64_t cgct_bits(double v)
{
    uint64_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

static inline double cgct_from_bits(uint64_t b)
{
    double v;
    memcpy(&v, &b, sizeof v);
    return v;
}

/* first or second without a branch, which random arguments would mispredict every other time. */
static inline double cgct_select(int which, double first, double second)
{
    uint64_t mask = UINT64_C(0) - (uint64_t)(which != 0);
    return cgct_from_bits((cgct_bits(first) & mask) | (cgct_bits(second) & ~mask));
}

/* Adding this constant rounds |v| < 2^51 to an integer, which is then found in the low bits. */
#define CGCT_ROUND 0x1.8p52

/* x > 0 and finite; within 1 ulp.  x = 2^k (1 + f), 1/sqrt(2) <= 1 + f < sqrt(2), and with
 * s = f/(2+f), h = f^2/2:  ln(1+f) = f - (h - s (h + R)),  R = 2 s^2/3 + 2 s^4/5 + ... */
static inline double cgct_ln(double x)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd), shift = UINT64_C(1024) << 52;
    double up = x < 0x1p-1022 ? 54 : 0;
    uint64_t b = cgct_bits(up > 0 ? x * 0x1p54 : x);
    uint64_t k = (b - sqrt_half + shift) >> 52;
    double e = cgct_from_bits(k | cgct_bits(0x1p52)) - 0x1p52 - 1024 - up;
    double f = cgct_from_bits(b - (k << 52) + shift) - 1;
    double s = f / (2 + f), z = s * s, z2 = z * z, z4 = z2 * z2, h = f * f / 2;
    double a = (2.0 / 3 + 2.0 / 5 * z) + z2 * (2.0 / 7 + 2.0 / 9 * z);
    double c = (2.0 / 11 + 2.0 / 13 * z) + z2 * (2.0 / 15 + 2.0 / 17 * z);
    double R = z * (a + z4 * (c + z4 * (2.0 / 19 + 2.0 / 21 * z)));
    const double ln2_hi = 0x1.62e42fee00000p-1, ln2_lo = 0x1.a39ef35793c76p-33;
    return e * ln2_hi - ((h - (s * (h + R) + e * ln2_lo)) - f);
}

/* Within 1 ulp; 0 below -745.2, infinity above 709.8. */
static inline double cgct_exp(double x)
{
    x = x < -746 ? -746 : x;
    x = x > 710 ? 710 : x;
    const double ln2_hi = 0x1.62e42fee00000p-1, ln2_lo = 0x1.a39ef35793c76p-33;
    double shifted = x * 0x1.71547652b82fep0 + CGCT_ROUND, n = shifted - CGCT_ROUND;
    double r = (x - n * ln2_hi) - n * ln2_lo, r2 = r * r, r4 = r2 * r2;
    double a = 1.0 / 2 + r * (1.0 / 6) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = 1.0 / 720 + r * (1.0 / 5040) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double c =
        1.0 / 3628800 + r * (1.0 / 39916800) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
    double p = 1 + (r + r2 * (a + r4 * (b + r4 * c)));
    /* 2^n as the product of two powers, so that results near the ends come out right */
    uint64_t i = cgct_bits(shifted) - cgct_bits(CGCT_ROUND) + 2048, half = i / 2;
    double lo = cgct_from_bits((half - 1) << 52), hi = cgct_from_bits((i - half - 1) << 52);
    return p * lo * hi;
}

/* e^a (1 + b), formed so that the correction b of a rounded logarithm gives s back bit by bit. */
static inline double cgct_scale(double a, double b)
{
    double e = cgct_exp(a);
    return e + e * b;
}

/* |x| <= 1e6; absolute error below 2e-16 sqrt(1 + x^2 1e-20). */
static inline void cgct_sincos(double x, double *sine, double *cosine)
{
    double shifted = x * 0x1.45f306dc9c883p-1 + CGCT_ROUND, n = shifted - CGCT_ROUND;
    uint64_t quadrant = cgct_bits(shifted);
    /* pi/2 in two parts, the first of 33 bits, so that n times it is exact */
    double r = (x - n * 0x1.921fb54400000p0) - n * 0x1.0b4611a626331p-34;
    double z = r * r, z2 = z * z, z4 = z2 * z2;
    double s1 = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
    double s2 = (-1.0 / 39916800 + z * (1.0 / 6227020800)) - z2 * (1.0 / 1307674368000);
    double s = r + r * z * (s1 + z4 * s2);
    double c1 = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));
    double c2 = (1.0 / 479001600 - z * (1.0 / 87178291200)) + z2 * (1.0 / 20922789888000);
    double c = (1 - z * (1.0 / 2)) + z2 * (c1 + z4 * c2);
    double a = cgct_select(quadrant & 1, c, s), b = cgct_select(quadrant & 1, s, c);
    *sine = cgct_from_bits(cgct_bits(a) ^ (quadrant & 2) << 62);
    *cosine = cgct_from_bits(cgct_bits(b) ^ ((quadrant + 1) & 2) << 62);
}
#endif
