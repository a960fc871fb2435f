/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel_point.h: J_m at one argument, one inline text for C and CUDA; bessel.c runs the same steps
 * over blocks of arguments that the compiler vectorises.
 *
 * x > max(mmax, 25): upward recurrence from the Hankel expansions of J0 and J1.  Otherwise downward
 * recurrence, scaled to these J0, J1 (x > 25) or by J0 + 2 sum J_2k = 1 (x <= 25).  The argument is
 * a pair x + low of doubles: at x = 1e6 the rounding of x alone would cost 1e-10 in phase. */
#ifndef CGCT_BESSEL_POINT_H
#define CGCT_BESSEL_POINT_H
#include <stdint.h>
#include <string.h>

#include "numerics/fmadd.h"

enum { BESSEL_HANKEL_TERMS = 24, BESSEL_HALF = BESSEL_HANKEL_TERMS / 2 };

/* Smallest |z| at which the Hankel expansions of orders 0 and 1 hold to the last bit: their
 * smallest term is e^(-2|z|), and 24 terms leave 24!/(50^24) = 1e-17. */
#define BESSEL_HANKEL_MIN 25.0
#define BESSEL_PI 3.14159265358979323846
#define BESSEL_LN_NEGLIGIBLE (-672.0) /* ln 1e-292, where downward recurrences may start */
#define BESSEL_LN_GROWTH 1300.0       /* they may grow by 1e564 */
#define BESSEL_FIRST 1e-290           /* the value they start with */
#define BESSEL_SMALLEST 1e-280        /* below it the start shows: 0 */

/* a_k(nu) of H_nu(z) = sqrt(2/(pi z)) e^{i(z - nu pi/2 - pi/4)} sum_k i^k a_k(nu) z^-k, nu = 0, 1;
 * and the same split for J: sums over even k, and over odd k times z, in powers of 1/z^2. */
typedef struct {
    double a[2][BESSEL_HANKEL_TERMS], even[2][BESSEL_HALF], odd[2][BESSEL_HALF];
} bessel_terms;

CGCT_INLINE void bessel_terms_init(bessel_terms *t)
{
    for (int nu = 0; nu < 2; nu++) {
        double a = 1;
        for (int k = 0; k < BESSEL_HANKEL_TERMS; k++) {
            if (k > 0) a *= (4.0 * nu * nu - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k);
            t->a[nu][k] = a;
            *(k % 2 ? &t->odd[nu][k / 2] : &t->even[nu][k / 2]) = k / 2 % 2 ? -a : a;
        }
    }
}

/* z + low = q (a + u), to twice the working precision as far as a and u are exact */
CGCT_INLINE double bessel_phase(double q, double a, double u, double *low)
{
    double qa = cgct_product(q, a), qu = cgct_product(q, u), sum = qa + qu, part = sum - qa;
    *low = (qa - (sum - part)) + (qu - part) + (fma(q, a, -qa) + fma(q, u, -qu));
    return sum;
}

/* Taylor polynomials on [-pi/4, pi/4]; the next terms are 8e-20 and 2e-18. */
CGCT_INLINE double bessel_sin_poly(double r, double r2)
{
    const double c[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    return fmadd(r * r2, horner(7, c, r2), r);
}

CGCT_INLINE double bessel_cos_poly(double r2)
{
    const double c[] = {-0.5,           1.0 / 24,        -1.0 / 720,         1.0 / 40320,
                        -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000};
    return fmadd(r2, horner(7, c, r2), 1);
}

/* sin and cos of x + low, |x| < 1e15: absolute accuracy 2e-16. */
CGCT_INLINE void bessel_sincos(double x, double low, double *s, double *c)
{
    const double round = 0x1.8p52; /* x + round - round is an integer, |x| < 2^51 */
    /* pi/2 in three parts; k times the first is exact inside fma, so the first step loses nothing
     */
    double t = fmadd(x, 0x1.45f306dc9c883p-1, round), k = t - round;
    double r = fma(-k, 0x1.921fb54442d18p0, x);
    r += fma(-k, 0x1.1a62633145c07p-54, fma(k, 0x1.f1976b7ed8fbcp-110, low));
    uint64_t quadrant;
    memcpy(&quadrant, &t, sizeof quadrant);
    double r2 = r * r, ps = bessel_sin_poly(r, r2), pc = bessel_cos_poly(r2);
    double vs = quadrant & 1 ? pc : ps, vc = quadrant & 1 ? ps : pc;
    *s = quadrant & 2 ? -vs : vs;
    *c = (quadrant + 1) & 2 ? -vc : vc;
}

/* r + rl = 1/(x + low), rl without cancellation; 0 at (nearly) 0, where only J_0 lives */
CGCT_INLINE double bessel_reciprocal(double x, double low, double *rl)
{
    double v = x > BESSEL_FIRST ? x : 1, y = 1 / v;
    double e = y * (fma(-v, y, 1.0) - low * y);
    *rl = x > BESSEL_FIRST ? e : 0;
    return x > BESSEL_FIRST ? y : 0;
}

/* J0 and J1 at x + low, x >= BESSEL_HANKEL_MIN */
CGCT_INLINE void bessel_hankel_01(const bessel_terms *t, double x, double low, double *j0,
                                  double *j1)
{
    enum { N = BESSEL_HALF - 1 };
    double y = 1 / x, y2 = y * y, a = sqrt(y / BESSEL_PI), s, c;
    bessel_sincos(x, low, &s, &c);
    double sum = c + s, dif = s - c;
    *j0 = a * (horner(N, t->even[0], y2) * sum - y * horner(N, t->odd[0], y2) * dif);
    *j1 = a * (horner(N, t->even[1], y2) * dif + y * horner(N, t->odd[1], y2) * sum);
}

/* The third of three neighbouring orders, c = 2 m of the middle one: c one/(x + low) - two. */
CGCT_INLINE double bessel_step(double c, double one, double two, double r, double rl)
{
    double t = c * one;
    return fmadd(t, r, fmadd(t, rl, -two));
}

/* ---- where a downward recurrence starts ---- */

/* ln(n!/(x/2)^n) by Stirling's formula, n > 0 */
CGCT_INLINE double bessel_log_decay(double n, double x)
{
    return n * (log(2 * n / x) - 1) + 0.5 * log(2 * BESSEL_PI * n);
}

/* Largest order at which J_m(x) is not negligible: where (x/2)^n/n! falls below 1e-292, by Newton's
 * method from above on a convex function. */
CGCT_INLINE int bessel_order_cut(double x)
{
    if (!(x > BESSEL_FIRST)) return 0;
    double n = fmax(-BESSEL_LN_NEGLIGIBLE, 3.7 * x); /* e^2 x/2: the logarithm is 1 there */
    for (int it = 0; it < 12; it++) {
        double step = (bessel_log_decay(n, x) + BESSEL_LN_NEGLIGIBLE) / (log(2 * n / x) + 0.5 / n);
        n = fmax(n - step, 0.5);
        if (fabs(step) < 0.5) break;
    }
    return (int)ceil(n);
}

/* Whether J_m(x) is not negligible, by the same measure. */
CGCT_INLINE int bessel_order_counts(int m, double x)
{
    return m <= x || (x > BESSEL_FIRST && bessel_log_decay(m, x) <= -BESSEL_LN_NEGLIGIBLE);
}

/* First order of the downward recurrence.  The truncated sum (x <= 25) is wrong by J_N, which falls
 * by exp(-(2 sqrt2/3) d^1.5/x^0.5) in d orders beyond the turning point x; J_mmax is wrong by the
 * square of J_N/J_mmax, and J falls by e^acosh(m/x) per order, at least.  Both: 1e-17. */
CGCT_INLINE double bessel_first_order(int mmax, double xmax)
{
    double by_sum = xmax > BESSEL_HANKEL_MIN ? 0 : xmax + 6 + 11.5 * cbrt(xmax);
    double margin = 6 + 7.6 * cbrt((double)mmax);
    if (mmax > xmax) margin = fmin(margin, 2 + 19.5 / acosh(mmax / fmax(xmax, 1e-3)));
    return ceil(fmax(by_sum, mmax + margin));
}

/* For arguments from xmin to xmax; *apart: each of them has to start at its own order, at most this
 * one, so that J_start is not so small that the recurrence overflows on its way up to 1. */
CGCT_INLINE double bessel_start(int mmax, double xmin, double xmax, int *apart)
{
    double n = bessel_first_order(mmax, xmax);
    if (!(xmin > BESSEL_FIRST) || bessel_log_decay(n, xmin) > BESSEL_LN_GROWTH)
        n = fmin(n, (double)bessel_order_cut(xmax));
    *apart = !(xmin > BESSEL_FIRST) || (n > 0 && bessel_log_decay(n, xmin) > BESSEL_LN_GROWTH);
    return n;
}

/* ---- one argument ---- */

/* What scales a downward recurrence that ends with j0, j1 and their sum to the true J. */
CGCT_INLINE double bessel_scale(const bessel_terms *t, double x, double low, double j0, double j1,
                                double sum)
{
    double true0, true1;
    if (!(x > BESSEL_HANKEL_MIN)) return 1 / sum;
    bessel_hankel_01(t, x, low, &true0, &true1);
    return fabs(true0) > fabs(true1) ? true0 / j0 : true1 / j1;
}

/* J_m(x + low) times f of the nm rising orders m into J[im*stride]; J NULL: none; returns what f
 * has to be.  Two runs of the same recurrence cost less than a second pass over memory. */
CGCT_INLINE double bessel_down(const bessel_terms *t, double x, double low, int start, double f,
                               size_t nm, const int *m, double *J, size_t stride)
{
    double rl, r = bessel_reciprocal(x, low, &rl), one = 0, two = 0, sum = 0, v = BESSEL_FIRST;
    size_t im = J ? nm : 0;
    for (; im > 0 && m[im - 1] > start; im--) J[(im - 1) * stride] = 0;
    for (int n = start; n >= 0; n--) {
        if (n < start) v = bessel_step(2.0 * (n + 1), one, two, r, rl);
        if (n % 2 == 0) sum += n ? 2 * v : v;
        if (im > 0 && m[im - 1] == n) {
            double scaled = v * f;
            J[--im * stride] = fabs(scaled) < BESSEL_SMALLEST ? 0 : scaled;
        }
        two = one;
        one = v;
    }
    return bessel_scale(t, x, low, one, two, sum);
}

CGCT_INLINE void bessel_up(const bessel_terms *t, double x, double low, size_t nm, const int *m,
                           double *J, size_t stride)
{
    double rl, r = bessel_reciprocal(x, low, &rl), one, two;
    bessel_hankel_01(t, x, low, &two, &one);
    for (size_t im = 0, n = 0; im < nm; n++) { /* two = J_n, one = J_(n+1) */
        if (m[im] == (int)n) J[im++ * stride] = two;
        double next = bessel_step(2.0 * ((double)n + 1), one, two, r, rl);
        two = one;
        one = next;
    }
}

/* J[im*stride] = J_m(x + low) of the nm > 0 rising orders m. */
CGCT_INLINE void bessel_orders(const bessel_terms *t, double x, double low, size_t nm, const int *m,
                               double *J, size_t stride)
{
    int mmax = m[nm - 1], apart;
    if (x > BESSEL_HANKEL_MIN && x > mmax) {
        bessel_up(t, x, low, nm, m, J, stride);
        return;
    }
    int start = (int)bessel_start(mmax, x, x, &apart);
    double f = bessel_down(t, x, low, start, 1, 0, m, NULL, 0);
    bessel_down(t, x, low, start, f, nm, m, J, stride);
}
#endif
