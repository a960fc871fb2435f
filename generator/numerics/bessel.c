/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel.c: Bessel functions of many arguments, in blocks of lanes (one argument each) that the
 * compiler vectorises.  J_m takes the steps of bessel_point.h; in a downward recurrence each lane
 * starts at the order where its own J is about 1e-292, so that nothing overflows. */
#include "numerics/bessel.h"

#include <string.h>

#include "numerics/bessel_k_data.h"
#include "numerics/vmath.h"

enum { J_LANES = 64, K_LANES = 32 }; /* lanes of a block */

static void J_reciprocals(size_t nl, const double *x, const double *low, double *r, double *rl)
{
    for (size_t i = 0; i < nl; i++) r[i] = bessel_reciprocal(x[i], low[i], &rl[i]);
}

static void J_01_of_lanes(size_t nl, const double *x, const double *low, double *restrict j0,
                          double *restrict j1)
{
    bessel_terms t;
    bessel_terms_init(&t);
    for (size_t i = 0; i < nl; i++) bessel_hankel_01(&t, x[i], low[i], &j0[i], &j1[i]);
}

static void J_upward(int mmax, size_t nl, size_t stride, const double *x, const double *low,
                     double *J)
{
    double r[J_LANES], rl[J_LANES], spare[J_LANES];
    J_reciprocals(nl, x, low, r, rl);
    J_01_of_lanes(nl, x, low, J, mmax > 0 ? J + stride : spare);
    for (int m = 2; m <= mmax; m++) {
        double *row = J + (size_t)m * stride, c = 2.0 * (m - 1);
        const double *one = row - stride, *two = one - stride;
        for (size_t i = 0; i < nl; i++) row[i] = bessel_step(c, one[i], two[i], r[i], rl[i]);
    }
}

/* start[i] is the first order of the recurrence in lane i; *low and *high are their range. */
static void J_start_orders(int mmax, size_t nl, const double *x, double *start, int *low, int *high)
{
    double xmax = 0, xmin = x[0];
    int apart;
    for (size_t i = 0; i < nl; i++) {
        xmax = x[i] > xmax ? x[i] : xmax;
        xmin = x[i] < xmin ? x[i] : xmin;
    }
    double n = bessel_start(mmax, xmin, xmax, &apart);
    *low = (int)n;
    *high = 0;
    for (size_t i = 0; i < nl; i++) {
        start[i] = apart ? fmin(n, bessel_order_cut(x[i])) : n;
        *low = start[i] < *low ? (int)start[i] : *low;
        *high = start[i] > *high ? (int)start[i] : *high;
    }
}

/* f[i] times the values of lane i are the true J: from the sum rule or, where the Hankel expansions
 * hold, from the larger of J0 and J1, which is free of the rounding errors of the sum. */
static void J_scales(size_t nl, size_t stride, const double *x, const double *low,
                     const double *sum, const double *J, double *f)
{
    double j0[J_LANES], j1[J_LANES];
    const double *first = J + stride;
    for (size_t i = 0; i < nl; i++) f[i] = 1 / sum[i];
    if (!(x[0] > BESSEL_HANKEL_MIN)) return; /* and so for all lanes of the block */
    J_01_of_lanes(nl, x, low, j0, j1);
    for (size_t i = 0; i < nl; i++)
        f[i] = fabs(j0[i]) > fabs(j1[i]) ? j0[i] / J[i] : j1[i] / first[i];
}

/* Scales each lane; values below BESSEL_SMALLEST depend on the start of the recurrence. */
static void J_scale_rows(int rows, size_t nl, size_t stride, const double *f, double *J)
{
    for (int m = 0; m < rows; m++) {
        double *row = J + (size_t)m * stride;
        for (size_t i = 0; i < nl; i++) {
            double v = row[i] * f[i];
            row[i] = fabs(v) < BESSEL_SMALLEST ? 0 : v;
        }
    }
}

typedef struct {
    double r[J_LANES], rl[J_LANES], start[J_LANES], sum[J_LANES];
    double row[3][J_LANES]; /* the last three orders above mmax */
} J_recurrence;

/* J_m from one = J_{m+1} and two = J_{m+2}, all unscaled.  begin: m is not above the first order
 * of every lane, so that some lanes may start here or later. */
static void J_step_down(J_recurrence *restrict s, size_t nl, int m, int begin,
                        const double *restrict one, const double *restrict two, double *restrict to)
{
    double c = 2.0 * (m + 1);
    for (size_t i = 0; i < nl; i++) to[i] = bessel_step(c, one[i], two[i], s->r[i], s->rl[i]);
    if (begin)
        for (size_t i = 0; i < nl; i++) to[i] = s->start[i] == m ? BESSEL_FIRST : to[i];
    if (m % 2 == 0)
        for (size_t i = 0; i < nl; i++) s->sum[i] += m ? 2 * to[i] : to[i];
}

static void J_downward(int mmax, size_t nl, size_t stride, const double *x, const double *low,
                       double *J)
{
    J_recurrence s = {.sum = {0}};
    int last, top;
    J_reciprocals(nl, x, low, s.r, s.rl);
    J_start_orders(mmax, nl, x, s.start, &last, &top);
    const double *one = s.row[(top + 1) % 3], *two = s.row[(top + 2) % 3];
    for (int m = top; m >= 0; m--) {
        double *to = m <= mmax ? J + (size_t)m * stride : s.row[m % 3];
        J_step_down(&s, nl, m, m >= last, one, two, to);
        two = one;
        one = to;
    }
    int rows = (top < mmax ? top : mmax) + 1;
    double f[J_LANES];
    J_scales(nl, stride, x, low, s.sum, J, f);
    J_scale_rows(rows, nl, stride, f, J);
    for (int m = rows; m <= mmax; m++) memset(J + (size_t)m * stride, 0, nl * sizeof *J);
}

enum { DOWNWARD_SUM, DOWNWARD_HANKEL, UPWARD };

static int J_method_of(int mmax, double x)
{
    if (!(x > BESSEL_HANKEL_MIN)) return DOWNWARD_SUM;
    return x > mmax ? UPWARD : DOWNWARD_HANKEL;
}

void bessel_J_pair(int mmax, size_t n, size_t stride, const double *x, const double *low, double *J)
{
    static const double zero[J_LANES];
    for (size_t i = 0; i < n;) {
        int method = J_method_of(mmax, x[i]);
        size_t nl = 1; /* neighbours with the same method form a block */
        while (nl < J_LANES && i + nl < n && J_method_of(mmax, x[i + nl]) == method) nl++;
        const double *lo = low ? low + i : zero;
        if (method == UPWARD)
            J_upward(mmax, nl, stride, x + i, lo, J + i);
        else
            J_downward(mmax, nl, stride, x + i, lo, J + i);
        i += nl;
    }
}

/* ---- H_m along a line ---- */

void bessel_hankel_line(int mmax, int n, const double *t, double z, size_t stride, double *H)
{
    bessel_terms b;
    bessel_complex r[BESSEL_LINE_MAX];
    double spare[2 * BESSEL_LINE_MAX], *row = mmax > 0 ? H + stride : spare;
    bessel_terms_init(&b);
    for (int l = 0; l < n; l++) {
        r[l] = bessel_inverse(z, t[l]);
        bessel_complex h0 = bessel_hankel_first(&b, 0, r[l]), h1 = bessel_hankel_first(&b, 1, r[l]);
        H[l] = h0.re;
        H[n + l] = h0.im;
        row[l] = h1.re;
        row[n + l] = h1.im;
    }
    for (int m = 1; m < mmax; m++) {
        const double *one = H + (size_t)m * stride, *two = one - stride;
        double *next = H + (size_t)(m + 1) * stride;
        for (int l = 0; l < n; l++) {
            bessel_complex a = {one[l], one[n + l]}, before = {two[l], two[n + l]};
            bessel_complex v = bessel_hankel_step(2.0 * m, a, before, r[l]);
            next[l] = v.re;
            next[n + l] = v.im;
        }
    }
}

/* ---- K_0 and K_1 ----
 *
 * For x >= 1 by rational functions with a common denominator times e^-x, for x < 1 by the series in
 * x^2 with ln(x/2).  The coefficients are those of bessel_k_data.h. */

static const double K_X_MIN = 1e-300; /* keeps 1/x and ln x normal */
static const double K_X_MAX = 705.0;  /* beyond it K0 and K1 are no normal doubles */
/* ln 2 in two parts; k times the first is exact for |k| < 2^12, with and without fma. */
static const double K_LN2_HI = 0x1.62e42fefa2p-1, K_LN2_LO = 0x1.9ef35793c7673p-41;

/* e^-x for 0 <= x <= K_X_MAX. */
static inline double K_exp_minus(double x)
{
    double t = fmadd(x, 0x1.71547652b82fep0, VMATH_ROUND), k = t - VMATH_ROUND;
    double r = fmadd(-k, K_LN2_LO, fmadd(-k, K_LN2_HI, x));
    uint64_t n = vmath_bits(t) - vmath_bits(VMATH_ROUND);
    return horner(12, K_EXP, r) * vmath_double((UINT64_C(1023) - n) << 52);
}

/* Returns ln(x/2) and 1/x of normal x = 2^e m with m in [sqrt(1/2), sqrt(2)). */
static inline double K_log_half(double x, double *reciprocal)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* bits of sqrt(1/2) */
    /* 2048 is added to e before the shift and subtracted after it, so that e keeps its sign */
    uint64_t e = ((vmath_bits(x) - root + (UINT64_C(2048) << 52)) >> 52) - 2048;
    double m = vmath_double(vmath_bits(x) - (e << 52));
    double k = vmath_double(vmath_bits(VMATH_ROUND) + e) - VMATH_ROUND - 1;
    double r = 1 / ((m + 1) * x), s = (m - 1) * (x * r); /* one division serves both results */
    *reciprocal = (m + 1) * r;
    return fmadd(k, K_LN2_HI, fmadd(k, K_LN2_LO, s * horner(8, K_LOG, s * s)));
}

static void K_large(const double *restrict x, double *restrict k0, double *restrict k1)
{
    for (int i = 0; i < K_LANES; i++) {
        double v = x[i] < 1 ? 1 : x[i];
        double f = 1 / (horner(9, K_Q, v) * sqrt(v)), e = K_exp_minus(v);
        k0[i] = f * horner(9, K_P0, v) * e; /* e last, because f e could underflow */
        k1[i] = f * horner(9, K_P1, v) * e;
    }
}

static void K_small(const double *restrict x, double *restrict k0, double *restrict k1)
{
    for (int i = 0; i < K_LANES; i++) {
        double v = x[i] > 1 ? 1 : x[i], y = v * v, r, l = K_log_half(v, &r);
        k0[i] = fmadd(-l, horner(8, K_I0, y), horner(8, K_A0, y));
        k1[i] = fmadd(v, fmadd(l, horner(8, K_I1, y), horner(8, K_A1, y)), r);
    }
}

/* One block; x is replaced by its value inside [K_X_MIN, K_X_MAX].  Blocks on one side of x = 1 are
 * computed by one method only. */
static void K_block(double *restrict x, double *restrict k0, double *restrict k1)
{
    double live[K_LANES], s0[K_LANES], s1[K_LANES], lo = K_X_MAX, hi = 0;
    for (int i = 0; i < K_LANES; i++) {
        live[i] = x[i] > K_X_MAX ? 0 : 1;
        x[i] = x[i] > K_X_MAX ? K_X_MAX : x[i];
        x[i] = x[i] < K_X_MIN ? K_X_MIN : x[i];
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    if (hi < 1) {
        K_small(x, k0, k1);
        return;
    }
    K_large(x, k0, k1);
    if (lo < 1) {
        K_small(x, s0, s1);
        for (int i = 0; i < K_LANES; i++) {
            k0[i] = x[i] < 1 ? s0[i] : k0[i];
            k1[i] = x[i] < 1 ? s1[i] : k1[i];
        }
    }
    for (int i = 0; i < K_LANES; i++) {
        k0[i] *= live[i];
        k1[i] *= live[i];
    }
}

void bessel_K01(size_t n, const double *x, double *k0, double *k1)
{
    for (size_t i = 0; i < n; i += K_LANES) {
        double v[K_LANES], a[K_LANES], b[K_LANES];
        size_t nl = n - i < K_LANES ? n - i : K_LANES;
        memcpy(v, x + i, nl * sizeof *v);
        for (size_t l = nl; l < K_LANES; l++) v[l] = v[nl - 1];
        K_block(v, a, b);
        memcpy(k0 + i, a, nl * sizeof *a);
        memcpy(k1 + i, b, nl * sizeof *b);
    }
}
