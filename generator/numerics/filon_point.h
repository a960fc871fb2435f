/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_point.h: Hankel functions and inverse powers at one point of a contour, one inline text for
 * C and CUDA. */
#ifndef CGCT_FILON_POINT_H
#define CGCT_FILON_POINT_H
#include "numerics/bessel_point.h"

typedef struct {
    double re, im;
} filon_complex;

CGCT_INLINE filon_complex filon_times(filon_complex a, filon_complex b)
{
    return (filon_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* 1/(z + i t) */
CGCT_INLINE filon_complex filon_inverse(double z, double t)
{
    double d = 1 / fmadd(z, z, t * t);
    return (filon_complex){z * d, -t * d};
}

/* sqrt(2/(pi z)) e^{-i (2 nu + 1) pi/4} sum_k a_k (i/z)^k at 1/z = r, nu = 0 or 1: H_nu less its
 * phase e^{i z} */
CGCT_INLINE filon_complex filon_hankel_first(const bessel_terms *b, int nu, filon_complex r)
{
    const double *a = b->a[nu];
    double x = -r.im, y = r.re, sr = 0, si = 0; /* i/z */
    for (int k = BESSEL_HANKEL_TERMS - 1; k >= 0; k--) {
        double t = fmadd(sr, x, fmadd(-si, y, a[k]));
        si = fmadd(sr, y, si * x);
        sr = t;
    }
    /* sqrt(1/z): Re 1/z > 0, Im 1/z <= 0 */
    double mod = sqrt(r.re * r.re + r.im * r.im), ur = sqrt((mod + r.re) / 2), ui = r.im / (2 * ur);
    double f = 1 / sqrt(BESSEL_PI), pr = f * (ur * sr - ui * si), pi = f * (ur * si + ui * sr);
    /* times (1 - i) or -(1 + i) */
    filon_complex v = {nu ? pi - pr : pr + pi, nu ? -pr - pi : pi - pr};
    return v;
}

/* The third of three neighbouring orders, c = 2 m of the middle one: c one/z - two, r = 1/z. */
CGCT_INLINE filon_complex filon_hankel_step(double c, filon_complex one, filon_complex two,
                                            filon_complex r)
{
    double hr = c * one.re, hi = c * one.im;
    filon_complex v = {fmadd(hr, r.re, fmadd(-hi, r.im, -two.re)),
                       fmadd(hi, r.re, fmadd(hr, r.im, -two.im))};
    return v;
}

/* x l_k(x) at x = a + u, l_k of nk nodes, bary = scale^(nk-1)/prod_{l != k} (x_k - x_l) with their
 * span as scale */
CGCT_INLINE double filon_cardinal(size_t nk, const double *node, const double *bary, double a,
                                  double u, size_t k)
{
    double inv = 1 / (node[nk - 1] - node[0]), v = (a + u) * bary[k];
    for (size_t l = 0; l < nk; l++) v *= l == k ? 1 : (u + (a - node[l])) * inv;
    return v;
}

/* x (x/a)^-p at x = a + u */
CGCT_INLINE double filon_real_power(double a, double u, double p)
{
    return a * exp((1 - p) * log1p(u / a));
}

/* x (x/a)^-p at x = a + u + i y */
CGCT_INLINE filon_complex filon_power(double a, double u, double y, double p)
{
    double vx = 1 + u / a, vy = y / a, angle = (1 - p) * atan2(vy, vx);
    double mod = a * exp((1 - p) * log(hypot(vx, vy)));
    filon_complex v = {mod * cos(angle), mod * sin(angle)};
    return v;
}
#endif
