/* SPDX-License-Identifier: GPL-3.0-or-later */
/* J_m for all orders at once: the steps of bessel_point.h in blocks of lanes that the compiler
 * vectorises.  In a downward recurrence each lane starts at the order where its own J is about
 * 1e-292, so that nothing overflows. */
#include "numerics/bessel.h"

#include <string.h>

#include "numerics/bessel_impl.h"

#define L BESSEL_LANES

static void reciprocals(size_t nl, const double *x, const double *low, double *r, double *rl)
{
    for (size_t i = 0; i < nl; i++) r[i] = bessel_reciprocal(x[i], low[i], &rl[i]);
}

static void hankel_01(size_t nl, const double *x, const double *low, double *restrict j0,
                      double *restrict j1)
{
    bessel_terms t;
    bessel_terms_init(&t);
    for (size_t i = 0; i < nl; i++) bessel_hankel_01(&t, x[i], low[i], &j0[i], &j1[i]);
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
        for (size_t i = 0; i < nl; i++) row[i] = bessel_step(c, one[i], two[i], r[i], rl[i]);
    }
}

/* start[i]: first order of each lane; their range */
static void start_orders(int mmax, size_t nl, const double *x, double *start, int *low, int *high)
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

/* f[i] J is the true J: from the sum rule, or where J0 and J1 are at hand from the larger of them,
 * which leaves the rounding errors of the many small steps out of the scale. */
static void scales(size_t nl, size_t stride, const double *x, const double *low, const double *sum,
                   const double *J, double *f)
{
    double j0[L], j1[L];
    const double *first = J + stride;
    for (size_t i = 0; i < nl; i++) f[i] = 1 / sum[i];
    if (!(x[0] > BESSEL_HANKEL_MIN)) return; /* all lanes are of one kind */
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
            row[i] = fabs(v) < BESSEL_SMALLEST ? 0 : v;
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
    for (size_t i = 0; i < nl; i++) to[i] = bessel_step(c, one[i], two[i], s->r[i], s->rl[i]);
    if (begin)
        for (size_t i = 0; i < nl; i++) to[i] = s->start[i] == m ? BESSEL_FIRST : to[i];
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

/* ---- J_0 alone ---- */

/* Up to SERIES by powers of -x^2/4, whose largest term is 4; the next one is 2e-21. */
#define SERIES 4.0
/* J_0(a t) = J_0(a/2)^2 + 2 sum_k (-1)^k J_k(a/2)^2 T_2k(t), a = BESSEL_HANKEL_MIN; the next term
 * is 1e-19. */
enum { SERIES_TERMS = 18, CHEBYSHEV = 32 };

typedef struct {
    double power[SERIES_TERMS], c[CHEBYSHEV]; /* c[0] doubled, as sums of T_k have it */
    bessel_terms far;
} terms_J0;

static void terms_init(terms_J0 *t)
{
    const double half = BESSEL_HANKEL_MIN / 2;
    memset(t, 0, sizeof *t);
    t->power[0] = 1;
    for (int k = 1; k < SERIES_TERMS; k++) t->power[k] = t->power[k - 1] / ((double)k * k);
    bessel_J_pair(CHEBYSHEV - 1, 1, 1, &half, NULL, t->c);
    for (int k = 0; k < CHEBYSHEV; k++) t->c[k] *= (k % 2 ? -2 : 2) * t->c[k];
    bessel_terms_init(&t->far);
}

static void small_J0(const terms_J0 *t, size_t nl, const double *x, double *J)
{
    for (size_t i = 0; i < nl; i++) J[i] = horner(SERIES_TERMS - 1, t->power, -0.25 * x[i] * x[i]);
}

/* By Clenshaw's recurrence in T_2k(t) = T_k(2 t^2 - 1). */
static void near_J0(const terms_J0 *t, size_t nl, const double *x, double *J)
{
    double y[L], one[L] = {0}, two[L] = {0};
    for (size_t i = 0; i < nl; i++) {
        double v = x[i] / BESSEL_HANKEL_MIN;
        y[i] = 2 * (2 * v * v - 1);
    }
    for (int k = CHEBYSHEV - 1; k > 0; k--)
        for (size_t i = 0; i < nl; i++) {
            double b = fmadd(y[i], one[i], t->c[k] - two[i]);
            two[i] = one[i];
            one[i] = b;
        }
    for (size_t i = 0; i < nl; i++) J[i] = fmadd(0.5 * y[i], one[i], 0.5 * t->c[0] - two[i]);
}

static void far_J0(const terms_J0 *t, size_t nl, const double *x, double *J)
{
    for (size_t i = 0; i < nl; i++) {
        double unused;
        bessel_hankel_01(&t->far, x[i], 0, &J[i], &unused);
    }
}

static int range_of(double x)
{
    return (x > SERIES) + (x > BESSEL_HANKEL_MIN);
}

static void all_J0(size_t n, const double *x, double *J)
{
    static void (*const by_range[])(const terms_J0 *, size_t, const double *,
                                    double *) = {small_J0, near_J0, far_J0};
    terms_J0 t;
    terms_init(&t);
    for (size_t i = 0, nl; i < n; i += nl) {
        int range = range_of(x[i]);
        for (nl = 1; nl < L && i + nl < n && range_of(x[i + nl]) == range;) nl++;
        by_range[range](&t, nl, x + i, J + i);
    }
}

void bessel_J_all(int mmax, size_t n, const double *x, double *J)
{
    if (mmax == 0)
        all_J0(n, x, J);
    else
        bessel_J_pair(mmax, n, n, x, NULL, J);
}
