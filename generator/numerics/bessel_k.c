/* SPDX-License-Identifier: GPL-3.0-or-later */
/* K0 and K1 in blocks of lanes that the compiler vectorises.  x >= 1: rational functions with a
 * common denominator, e^-x inline.  x < 1: the series in x^2 beside ln(x/2).  Coefficients:
 * bessel_k_data.h.  A block that holds one kind of x only pays for that kind. */
#include "numerics/bessel.h"

#include <stdint.h>
#include <string.h>

#include "numerics/bessel_k_data.h"
#include "numerics/fmadd.h"

enum { LANES = 32 };

static const double X_MIN = 1e-300;   /* 1/x and the logarithm stay normal */
static const double X_MAX = 705.0;    /* K0 and K1 leave the normal doubles here */
static const double ROUND = 0x1.8p52; /* x + ROUND - ROUND rounds to an integer, |x| < 2^51 */
/* k LN2_HI is exact for |k| < 2^12, with fma or without */
static const double LN2_HI = 0x1.62e42fefa2p-1, LN2_LO = 0x1.9ef35793c7673p-41;

static inline double from_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint64_t to_bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* e^-x, 0 <= x <= X_MAX */
static inline double exp_minus(double x)
{
    double t = fmadd(x, 0x1.71547652b82fep0, ROUND), k = t - ROUND;
    double r = fmadd(-k, LN2_LO, fmadd(-k, LN2_HI, x));
    uint64_t n = to_bits(t) - to_bits(ROUND);
    return horner(12, K_EXP, r) * from_bits((UINT64_C(1023) - n) << 52);
}

/* ln(x/2) and 1/x, x normal: x = 2^e m with m in [sqrt(1/2), sqrt(2)) */
static inline double log_half(double x, double *reciprocal)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* bits of sqrt(1/2) */
    /* the shift must keep the sign of e: lift it by 2048 first and take that off again */
    uint64_t e = ((to_bits(x) - root + (UINT64_C(2048) << 52)) >> 52) - 2048;
    double m = from_bits(to_bits(x) - (e << 52));
    double k = from_bits(to_bits(ROUND) + e) - ROUND - 1;
    double r = 1 / ((m + 1) * x), s = (m - 1) * (x * r); /* one division for both */
    *reciprocal = (m + 1) * r;
    return fmadd(k, LN2_HI, fmadd(k, LN2_LO, s * horner(8, K_LOG, s * s)));
}

static void large(const double *restrict x, double *restrict k0, double *restrict k1)
{
    for (int i = 0; i < LANES; i++) {
        double v = x[i] < 1 ? 1 : x[i];
        double f = 1 / (horner(9, K_Q, v) * sqrt(v)), e = exp_minus(v);
        k0[i] = f * horner(9, K_P0, v) * e; /* e last: f e would underflow */
        k1[i] = f * horner(9, K_P1, v) * e;
    }
}

static void small(const double *restrict x, double *restrict k0, double *restrict k1)
{
    for (int i = 0; i < LANES; i++) {
        double v = x[i] > 1 ? 1 : x[i], y = v * v, r, l = log_half(v, &r);
        k0[i] = fmadd(-l, horner(8, K_I0, y), horner(8, K_A0, y));
        k1[i] = fmadd(v, fmadd(l, horner(8, K_I1, y), horner(8, K_A1, y)), r);
    }
}

/* x is replaced by its value inside [X_MIN, X_MAX] */
static void block(double *restrict x, double *restrict k0, double *restrict k1)
{
    double live[LANES], s0[LANES], s1[LANES], lo = X_MAX, hi = 0;
    for (int i = 0; i < LANES; i++) {
        live[i] = x[i] > X_MAX ? 0 : 1;
        x[i] = x[i] > X_MAX ? X_MAX : x[i];
        x[i] = x[i] < X_MIN ? X_MIN : x[i];
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    if (hi < 1) {
        small(x, k0, k1);
        return;
    }
    large(x, k0, k1);
    if (lo < 1) {
        small(x, s0, s1);
        for (int i = 0; i < LANES; i++) {
            k0[i] = x[i] < 1 ? s0[i] : k0[i];
            k1[i] = x[i] < 1 ? s1[i] : k1[i];
        }
    }
    for (int i = 0; i < LANES; i++) {
        k0[i] *= live[i];
        k1[i] *= live[i];
    }
}

void bessel_K01(size_t n, const double *x, double *k0, double *k1)
{
    for (size_t i = 0; i < n; i += LANES) {
        double v[LANES], a[LANES], b[LANES];
        size_t nl = n - i < LANES ? n - i : LANES;
        memcpy(v, x + i, nl * sizeof *v);
        for (size_t l = nl; l < LANES; l++) v[l] = v[nl - 1];
        block(v, a, b);
        memcpy(k0 + i, a, nl * sizeof *a);
        memcpy(k1 + i, b, nl * sizeof *b);
    }
}
