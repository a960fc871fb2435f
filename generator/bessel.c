/* SPDX-License-Identifier: GPL-3.0-or-later */
/* J_m for all orders at once, in blocks of lanes that the compiler vectorises.
 *
 * x > max(mmax, 25): upward recurrence from the Hankel expansions of J0 and J1.  Otherwise downward
 * recurrence, scaled to these J0, J1 (x > 25) or by J0 + 2 sum J_2k = 1 (x <= 25); each lane starts
 * at the order where its own J is about 1e-292, so that nothing overflows.  The argument is a pair
 * x + low of doubles: at x = 1e6 the rounding of x alone would cost 1e-10 in phase. */
#include "bessel.h"

#include <stdint.h>
#include <string.h>

#include "bessel_impl.h"
#include "fmadd.h"

#define L BESSEL_LANES

static const double PI = 3.14159265358979323846;
static const double LN_NEGLIGIBLE = -672.0; /* ln 1e-292, where downward recurrences may start */
static const double LN_GROWTH = 1300.0;     /* they may grow by 1e564 */
static const double FIRST = 1e-290;         /* the value they start with */
static const double SMALLEST = 1e-280;      /* below it the start shows: 0 */
static const double ROUND = 0x1.8p52;       /* x + ROUND - ROUND rounds to an integer, |x| < 2^51 */

void bessel_hankel_terms(int nu, double a[BESSEL_HANKEL_TERMS])
{
    a[0] = 1;
    for (int k = 1; k < BESSEL_HANKEL_TERMS; k++)
        a[k] = a[k - 1] * (4.0 * nu * nu - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k);
}

/* Taylor polynomials on [-pi/4, pi/4]; the next terms are 8e-20 and 2e-18. */
static inline double sin_poly(double r, double r2)
{
    static const double c[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    return fmadd(r * r2, horner(7, c, r2), r);
}

static inline double cos_poly(double r2)
{
    static const double c[] = {
        -0.5,           1.0 / 24,        -1.0 / 720,         1.0 / 40320,
        -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    return fmadd(r2, horner(7, c, r2), 1);
}

static inline void sincos_pair(double x, double low, double *s, double *c)
{
    /* pi/2 in three parts; k times the first is exact inside fma, so the first step loses nothing
     */
    double t = fmadd(x, 0x1.45f306dc9c883p-1, ROUND), k = t - ROUND;
    double r = fma(-k, 0x1.921fb54442d18p0, x);
    r += fma(-k, 0x1.1a62633145c07p-54, fma(k, 0x1.f1976b7ed8fbcp-110, low));
    uint64_t quadrant;
    memcpy(&quadrant, &t, sizeof quadrant);
    double r2 = r * r, ps = sin_poly(r, r2), pc = cos_poly(r2);
    double vs = quadrant & 1 ? pc : ps, vc = quadrant & 1 ? ps : pc;
    *s = quadrant & 2 ? -vs : vs;
    *c = (quadrant + 1) & 2 ? -vc : vc;
}

void bessel_sincos(double x, double low, double *s, double *c)
{
    sincos_pair(x, low, s, c);
}

/* even[k] + odd[k]/x: the terms P and Q of one order in powers of 1/x^2 */
static void split_terms(int nu, double p[BESSEL_HANKEL_TERMS / 2],
                        double q[BESSEL_HANKEL_TERMS / 2])
{
    double a[BESSEL_HANKEL_TERMS];
    bessel_hankel_terms(nu, a);
    for (int k = 0; k < BESSEL_HANKEL_TERMS / 2; k++) {
        p[k] = k % 2 ? -a[2 * k] : a[2 * k];
        q[k] = k % 2 ? -a[2 * k + 1] : a[2 * k + 1];
    }
}

/* r + rl = 1/(x + low), rl without cancellation; 0 at (nearly) 0, where only J_0 lives */
static void reciprocals(size_t nl, const double *x, const double *low, double *r, double *rl)
{
    for (size_t i = 0; i < nl; i++) {
        double v = x[i] > FIRST ? x[i] : 1, y = 1 / v;
        double e = y * (fma(-v, y, 1) - low[i] * y);
        r[i] = x[i] > FIRST ? y : 0;
        rl[i] = x[i] > FIRST ? e : 0;
    }
}

static void hankel_01(size_t nl, const double *x, const double *low, double *restrict j0,
                      double *restrict j1)
{
    enum { N = BESSEL_HANKEL_TERMS / 2 };
    double p0[N], q0[N], p1[N], q1[N];
    split_terms(0, p0, q0);
    split_terms(1, p1, q1);
    for (size_t i = 0; i < nl; i++) {
        double y = 1 / x[i], y2 = y * y, a = sqrt(y / PI), s, c;
        sincos_pair(x[i], low[i], &s, &c);
        double sum = c + s, dif = s - c;
        j0[i] = a * (horner(N - 1, p0, y2) * sum - y * horner(N - 1, q0, y2) * dif);
        j1[i] = a * (horner(N - 1, p1, y2) * dif + y * horner(N - 1, q1, y2) * sum);
    }
}

static void upward(int mmax, size_t nl, size_t stride, const double *x, const double *low,
                   double *J)
{
    double r[L], rl[L], spare[L];
    reciprocals(nl, x, low, r, rl);
    hankel_01(nl, x, low, J, mmax > 0 ? J + stride : spare);
    for (int m = 2; m <= mmax; m++) {
        double *row = J + (size_t)m * stride, c = 2.0 * (m - 1);
        const double *one = row - stride, *two = one - stride;
        for (size_t i = 0; i < nl; i++) {
            double t = c * one[i];
            row[i] = fmadd(t, r[i], fmadd(t, rl[i], -two[i]));
        }
    }
}

/* ln(n!/(x/2)^n) by Stirling's formula, n > 0 */
static double log_decay(double n, double x)
{
    return n * (log(2 * n / x) - 1) + 0.5 * log(2 * PI * n);
}

/* Order where (x/2)^n/n! falls below 1e-292: Newton's method from above on a convex function. */
int bessel_order_cut(double x)
{
    if (!(x > FIRST)) return 0;
    double n = fmax(-LN_NEGLIGIBLE, 3.7 * x); /* e^2 x/2: the logarithm is 1 there */
    for (int it = 0; it < 12; it++) {
        double step = (log_decay(n, x) + LN_NEGLIGIBLE) / (log(2 * n / x) + 0.5 / n);
        n = fmax(n - step, 0.5);
        if (fabs(step) < 0.5) break;
    }
    return (int)ceil(n);
}

/* First order of the downward recurrence.  The truncated sum (x <= 25) is wrong by J_N, which falls
 * by exp(-(2 sqrt2/3) d^1.5/x^0.5) in d orders beyond the turning point x; J_mmax is wrong by the
 * square of J_N/J_mmax, and J falls by e^acosh(m/x) per order, at least.  Both: 1e-17. */
static double first_order(int mmax, double xmax)
{
    double by_sum = xmax > BESSEL_HANKEL_MIN ? 0 : xmax + 6 + 11.5 * cbrt(xmax);
    double margin = 6 + 7.6 * cbrt(mmax);
    if (mmax > xmax) margin = fmin(margin, 2 + 19.5 / acosh(mmax / fmax(xmax, 1e-3)));
    return ceil(fmax(by_sum, mmax + margin));
}

/* start[i]: first order of each lane, J_start not so small that the recurrence overflows on its way
 * up to 1, nor above 1e-292 unless it has to be; their range */
static void start_orders(int mmax, size_t nl, const double *x, double *start, int *low, int *high)
{
    double xmax = 0, xmin = x[0];
    for (size_t i = 0; i < nl; i++) {
        xmax = x[i] > xmax ? x[i] : xmax;
        xmin = x[i] < xmin ? x[i] : xmin;
    }
    double n = first_order(mmax, xmax);
    if (!(xmin > FIRST) || log_decay(n, xmin) > LN_GROWTH) n = fmin(n, bessel_order_cut(xmax));
    int apart = !(xmin > FIRST) || (n > 0 && log_decay(n, xmin) > LN_GROWTH);
    *low = (int)n;
    *high = 0;
    for (size_t i = 0; i < nl; i++) {
        start[i] = apart ? fmin(n, bessel_order_cut(x[i])) : n;
        *low = start[i] < *low ? (int)start[i] : *low;
        *high = start[i] > *high ? (int)start[i] : *high;
    }
}

/* f[i] J is the true J: from the sum rule, or where J0 and J1 are at hand from the larger of them,
 * which leaves the rounding errors of the many small steps out of the scale. */
static void scales(size_t nl, size_t stride, const double *x, const double *low, const double *sum,
                   const double *J, double *f)
{
    double j0[L], j1[L];
    const double *first = J + stride;
    for (size_t i = 0; i < nl; i++) f[i] = 1 / sum[i];
    if (!(x[0] > BESSEL_HANKEL_MIN)) return;
    hankel_01(nl, x, low, j0, j1);
    for (size_t i = 0; i < nl; i++)
        f[i] = fabs(j0[i]) > fabs(j1[i]) ? j0[i] / J[i] : j1[i] / first[i];
}

/* Scale each lane; what lies below SMALLEST is spoilt by the start of the recurrence. */
static void scale_rows(int rows, size_t nl, size_t stride, const double *f, double *J)
{
    for (int m = 0; m < rows; m++) {
        double *row = J + (size_t)m * stride;
        for (size_t i = 0; i < nl; i++) {
            double v = row[i] * f[i];
            row[i] = fabs(v) < SMALLEST ? 0 : v;
        }
    }
}

typedef struct {
    double r[L], rl[L], start[L], sum[L];
    double row[3][L]; /* orders above mmax, in turn */
} lanes;

/* J_m from one = J_{m+1} and two = J_{m+2}, all unscaled; begin: some lanes start at or below m */
static void step_down(lanes *restrict s, size_t nl, int m, int begin, const double *restrict one,
                      const double *restrict two, double *restrict to)
{
    double c = 2.0 * (m + 1);
    for (size_t i = 0; i < nl; i++) {
        double t = c * one[i];
        to[i] = fmadd(t, s->r[i], fmadd(t, s->rl[i], -two[i]));
    }
    if (begin)
        for (size_t i = 0; i < nl; i++) to[i] = s->start[i] == m ? FIRST : to[i];
    if (m % 2 == 0)
        for (size_t i = 0; i < nl; i++) s->sum[i] += m ? 2 * to[i] : to[i];
}

static void downward(int mmax, size_t nl, size_t stride, const double *x, const double *low,
                     double *J)
{
    lanes s = {.sum = {0}};
    int last, top;
    reciprocals(nl, x, low, s.r, s.rl);
    start_orders(mmax, nl, x, s.start, &last, &top);
    const double *one = s.row[(top + 1) % 3], *two = s.row[(top + 2) % 3];
    for (int m = top; m >= 0; m--) {
        double *to = m <= mmax ? J + (size_t)m * stride : s.row[m % 3];
        step_down(&s, nl, m, m >= last, one, two, to);
        two = one;
        one = to;
    }
    int rows = (top < mmax ? top : mmax) + 1;
    double f[L];
    scales(nl, stride, x, low, s.sum, J, f);
    scale_rows(rows, nl, stride, f, J);
    for (int m = rows; m <= mmax; m++) memset(J + (size_t)m * stride, 0, nl * sizeof *J);
}

enum { DOWNWARD_SUM, DOWNWARD_HANKEL, UPWARD };

static int method_of(int mmax, double x)
{
    if (!(x > BESSEL_HANKEL_MIN)) return DOWNWARD_SUM;
    return x > mmax ? UPWARD : DOWNWARD_HANKEL;
}

void bessel_J_pair(int mmax, size_t n, size_t stride, const double *x, const double *low, double *J)
{
    static const double zero[L];
    for (size_t i = 0; i < n;) {
        int method = method_of(mmax, x[i]);
        size_t nl = 1; /* a run of lanes of one kind */
        while (nl < L && i + nl < n && method_of(mmax, x[i + nl]) == method) nl++;
        const double *lo = low ? low + i : zero;
        if (method == UPWARD)
            upward(mmax, nl, stride, x + i, lo, J + i);
        else
            downward(mmax, nl, stride, x + i, lo, J + i);
        i += nl;
    }
}

void bessel_J_all(int mmax, size_t n, const double *x, double *J)
{
    bessel_J_pair(mmax, n, n, x, NULL, J);
}
