/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bessel_point.h: J_m at one real argument and H_m at one complex argument, inline functions that C
 * and CUDA share; bessel.c applies the same steps to blocks of arguments, which the compiler
 * vectorises.
 *
 * J_m for x > max(mmax, 25) comes from the upward recurrence that starts with the Hankel expansions
 * of J0 and J1; otherwise from the downward recurrence, scaled to these J0 and J1 (x > 25) or by
 *   J0 + 2 sum_k J_2k = 1                                                        (x <= 25).
 * The argument is a pair of doubles, x + low: at x = 1e6 the rounding of x alone would change the
 * phase by 1e-10. */
#ifndef CGCT_BESSEL_POINT_H
#define CGCT_BESSEL_POINT_H
#include <stdint.h>
#include <string.h>

#include "numerics/pointwise.h"

enum { BESSEL_HANKEL_TERMS = 24, BESSEL_HALF = BESSEL_HANKEL_TERMS / 2 };

/* The smallest |z| at which the Hankel expansions of orders 0 and 1 are exact to the last bit:
 * their smallest term is e^(-2|z|), and 24 terms leave 24!/50^24 = 1e-17. */
#define BESSEL_HANKEL_MIN 25.0
#define BESSEL_PI 3.14159265358979323846
/* A downward recurrence begins where J_m is 1e-292 (its logarithm is given) or larger, with the
 * value BESSEL_FIRST, and may grow by a factor e^1300 = 1e564 without overflow.  Results below
 * BESSEL_SMALLEST are not yet independent of the start and are set to 0. */
#define BESSEL_LN_NEGLIGIBLE (-672.0)
#define BESSEL_LN_GROWTH 1300.0
#define BESSEL_FIRST 1e-290
#define BESSEL_SMALLEST 1e-280

/* The coefficients a_k(nu), nu = 0 and 1, of the Hankel expansion
 *   H_nu(z) = sqrt(2/(pi z)) e^{i(z - nu pi/2 - pi/4)} sum_k i^k a_k(nu) z^-k
 * and, for J_nu, the signed coefficients of even and of odd k apart, both in powers of 1/z^2. */
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

/* z + low = q (a + u), to twice the working precision of q, a and u; returns z. */
CGCT_INLINE double bessel_phase(double q, double a, double u, double *low)
{
    double qa = cgct_product(q, a), qu = cgct_product(q, u), sum = qa + qu, part = sum - qa;
    *low = (qa - (sum - part)) + (qu - part) + (fma(q, a, -qa) + fma(q, u, -qu));
    return sum;
}

/* Taylor polynomials of sin r and cos r on [-pi/4, pi/4], r2 = r^2; the first terms left out are
 * 8e-20 and 2e-18. */
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

/* sin and cos of x + low, |x| < 1e15, to an absolute accuracy of 2e-16. */
CGCT_INLINE void bessel_sincos(double x, double low, double *s, double *c)
{
    const double round = 0x1.8p52; /* x + round - round is the nearest integer, |x| < 2^51 */
    /* subtract k pi/2, in three parts; the first step is exact, because fma rounds once */
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

/* r + rl = 1/(x + low) to twice the working precision; returns r.  Both are 0 for x that is 0 or
 * nearly so, where all J_m but J_0 vanish. */
CGCT_INLINE double bessel_reciprocal(double x, double low, double *rl)
{
    double v = x > BESSEL_FIRST ? x : 1, y = 1 / v;
    double e = y * (fma(-v, y, 1.0) - low * y);
    *rl = x > BESSEL_FIRST ? e : 0;
    return x > BESSEL_FIRST ? y : 0;
}

/* J0 and J1 at x + low, x >= BESSEL_HANKEL_MIN. */
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

/* The recurrence in m, in either direction: from the middle order m, whose value is `one`, and the
 * order on its one side, `two`, to the order on its other side, c one/(x + low) - two, c = 2 m. */
CGCT_INLINE double bessel_step(double c, double one, double two, double r, double rl)
{
    double t = c * one;
    return fmadd(t, r, fmadd(t, rl, -two));
}

/* ---- the first order of a downward recurrence ---- */

/* ln(n!/(x/2)^n) by Stirling's formula, n > 0: -ln J_n(x) where n is large against x. */
CGCT_INLINE double bessel_log_decay(double n, double x)
{
    return n * (log(2 * n / x) - 1) + 0.5 * log(2 * BESSEL_PI * n);
}

/* The largest order m at which J_m(x) is not negligible: where (x/2)^n/n! falls below 1e-292, by
 * Newton's method, which approaches the root of this convex function from above. */
CGCT_INLINE int bessel_order_cut(double x)
{
    if (!(x > BESSEL_FIRST)) return 0;
    double n = fmax(-BESSEL_LN_NEGLIGIBLE, 3.7 * x); /* e^2/2 = 3.69: ln(2 n/x) = 2 there */
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

/* The order N at which the downward recurrence begins, so that two errors stay below 1e-17.  The
 * sum over even orders (x <= 25) lacks J_N, which falls as exp(-(2 sqrt2/3) d^1.5/x^0.5) with the
 * number d of orders beyond the turning point x.  J_mmax has the relative error (J_N/J_mmax)^2,
 * where J falls by e^acosh(m/x) from one order to the next, at least. */
CGCT_INLINE double bessel_first_order(int mmax, double xmax)
{
    double by_sum = xmax > BESSEL_HANKEL_MIN ? 0 : xmax + 6 + 11.5 * cbrt(xmax);
    double margin = 6 + 7.6 * cbrt((double)mmax);
    if (mmax > xmax) margin = fmin(margin, 2 + 19.5 / acosh(mmax / fmax(xmax, 1e-3)));
    return ceil(fmax(by_sum, mmax + margin));
}

/* The same for all arguments from xmin to xmax.  *apart is set where their recurrences must begin
 * at an order of their own, at most the returned one, because the recurrence of the smallest
 * argument would overflow otherwise. */
CGCT_INLINE double bessel_start(int mmax, double xmin, double xmax, int *apart)
{
    double n = bessel_first_order(mmax, xmax);
    if (!(xmin > BESSEL_FIRST) || bessel_log_decay(n, xmin) > BESSEL_LN_GROWTH)
        n = fmin(n, (double)bessel_order_cut(xmax));
    *apart = !(xmin > BESSEL_FIRST) || (n > 0 && bessel_log_decay(n, xmin) > BESSEL_LN_GROWTH);
    return n;
}

/* ---- J_m at one argument ---- */

/* Where the values of several orders go: J[im*stride] = J_{m[im]}, m[nm] rising. */
typedef struct {
    size_t nm;
    const int *m;
    double *J;
    size_t stride;
} bessel_output;

/* The factor that turns the last values j0, j1 of a downward recurrence, and `sum`, which is the
 * sum J0 + 2 sum_k J_2k of its values, into the true ones. */
CGCT_INLINE double bessel_scale(const bessel_terms *t, double x, double low, double j0, double j1,
                                double sum)
{
    double true0, true1;
    if (!(x > BESSEL_HANKEL_MIN)) return 1 / sum;
    bessel_hankel_01(t, x, low, &true0, &true1);
    return fabs(true0) > fabs(true1) ? true0 / j0 : true1 / j1;
}

/* The downward recurrence from order `start`: writes its values times f where `to` is not NULL, and
 * returns the factor that f has to be.  To run it twice costs less than a second pass over memory.
 */
CGCT_INLINE double bessel_down(const bessel_terms *t, double x, double low, int start, double f,
                               const bessel_output *to)
{
    double rl, r = bessel_reciprocal(x, low, &rl), one = 0, two = 0, sum = 0, v = BESSEL_FIRST;
    size_t im = to ? to->nm : 0;
    for (; im > 0 && to->m[im - 1] > start; im--) to->J[(im - 1) * to->stride] = 0;
    for (int n = start; n >= 0; n--) {
        if (n < start) v = bessel_step(2.0 * (n + 1), one, two, r, rl);
        if (n % 2 == 0) sum += n ? 2 * v : v;
        if (im > 0 && to->m[im - 1] == n) {
            double scaled = v * f;
            to->J[--im * to->stride] = fabs(scaled) < BESSEL_SMALLEST ? 0 : scaled;
        }
        two = one;
        one = v;
    }
    return bessel_scale(t, x, low, one, two, sum);
}

CGCT_INLINE void bessel_up(const bessel_terms *t, double x, double low, const bessel_output *to)
{
    double rl, r = bessel_reciprocal(x, low, &rl), one, two;
    bessel_hankel_01(t, x, low, &two, &one);
    for (size_t im = 0, n = 0; im < to->nm; n++) { /* two = J_n, one = J_(n+1) */
        if (to->m[im] == (int)n) to->J[im++ * to->stride] = two;
        double next = bessel_step(2.0 * ((double)n + 1), one, two, r, rl);
        two = one;
        one = next;
    }
}

/* J[im*stride] = J_m(x + low) of the nm > 0 rising orders m. */
CGCT_INLINE void bessel_orders(const bessel_terms *t, double x, double low, size_t nm, const int *m,
                               double *J, size_t stride)
{
    const bessel_output to = {nm, m, J, stride};
    int mmax = m[nm - 1], apart;
    if (x > BESSEL_HANKEL_MIN && x > mmax) {
        bessel_up(t, x, low, &to);
        return;
    }
    int start = (int)bessel_start(mmax, x, x, &apart);
    double f = bessel_down(t, x, low, start, 1, NULL);
    bessel_down(t, x, low, start, f, &to);
}

/* ---- H_m at one complex argument ---- */

typedef struct {
    double re, im;
} bessel_complex;

CGCT_INLINE bessel_complex bessel_times(bessel_complex a, bessel_complex b)
{
    return (bessel_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* 1/(z + i t) */
CGCT_INLINE bessel_complex bessel_inverse(double z, double t)
{
    double d = 1 / fmadd(z, z, t * t);
    return (bessel_complex){z * d, -t * d};
}

/* H_nu^(1)(z) e^{-i z} for nu = 0 or 1 and r = 1/z, Re z > 0, Im z >= 0, |z| >= BESSEL_HANKEL_MIN:
 *   sqrt(2/(pi z)) e^{-i (2 nu + 1) pi/4} sum_k a_k(nu) (i/z)^k                                  */
CGCT_INLINE bessel_complex bessel_hankel_first(const bessel_terms *b, int nu, bessel_complex r)
{
    const double *a = b->a[nu];
    double x = -r.im, y = r.re, sr = 0, si = 0; /* x + i y = i/z */
    for (int k = BESSEL_HANKEL_TERMS - 1; k >= 0; k--) {
        double t = fmadd(sr, x, fmadd(-si, y, a[k]));
        si = fmadd(sr, y, si * x);
        sr = t;
    }
    /* ur + i ui = sqrt(1/z), where Re 1/z > 0 and Im 1/z <= 0 */
    double mod = sqrt(r.re * r.re + r.im * r.im), ur = sqrt((mod + r.re) / 2), ui = r.im / (2 * ur);
    double f = 1 / sqrt(BESSEL_PI), pr = f * (ur * sr - ui * si), pi = f * (ur * si + ui * sr);
    /* times sqrt(2) e^{-i pi/4} = 1 - i, or sqrt(2) e^{-3 i pi/4} = -(1 + i) */
    bessel_complex v = {nu ? pi - pr : pr + pi, nu ? -pr - pi : pi - pr};
    return v;
}

/* The recurrence c one/z - two of bessel_step with r = 1/z. */
CGCT_INLINE bessel_complex bessel_hankel_step(double c, bessel_complex one, bessel_complex two,
                                              bessel_complex r)
{
    double hr = c * one.re, hi = c * one.im;
    bessel_complex v = {fmadd(hr, r.re, fmadd(-hi, r.im, -two.re)),
                        fmadd(hi, r.re, fmadd(hr, r.im, -two.im))};
    return v;
}
#endif
