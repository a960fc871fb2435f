/* SPDX-License-Identifier: MIT */
/* cgctab_place.h: from points (q,k1,theta) to where J or I is taken, inline for the files that do
 * so with one point or with many; not installed. */
#ifndef CGCTAB_PLACE_H
#define CGCTAB_PLACE_H
#include <math.h>

#include "cgctab_internal.h"
#include "cgctab_math.h"
#include "cgctab_vector.h"

#define PI 3.14159265358979323846
#define K_MAX 1e150   /* its square is a number */
#define THETA_MAX 1e6 /* cgct_sincos; beyond it libm's */

CGCT_INLINE cgct_status check_angle(double theta, cgct_err *err)
{
    if (isfinite(theta)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN, "theta = %g, want a finite number", theta);
}

CGCT_INLINE cgct_status check_positive(double k1, cgct_err *err)
{
    if (k1 > 0 && k1 < K_MAX) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN, "k = %g, want a number > 0 and below %g", k1, K_MAX);
}

CGCT_INLINE double half_angle(double cosine, double sine, double length)
{
    return fabs(sine) / (length + fabs(cosine));
}

CGCT_INLINE void angles(size_t i0, size_t group, cgct_places *at)
{
    for (size_t i = i0; i < i0 + group; i++)
        cgct_sincos(at->theta[i], &at->sine[i], &at->cosine[i]);
}

CGCT_INLINE void half_angles(size_t i0, size_t group, cgct_places *at)
{
    for (size_t i = i0; i < i0 + group; i++)
        at->half[i] = half_angle(at->cosine[i], at->sine[i], 1);
}

CGCT_INLINE void logarithms(size_t i0, size_t group, cgct_places *at)
{
    double v[2 * CGCT_GROUP], part[CGCT_GROUP];
    for (size_t i = 0; i < group; i++) v[i] = at->q[i0 + i];
    for (size_t i = 0; i < group; i++) {
        int square = at->square[i0 + i] > 0;
        v[group + i] = cgct_select(square, at->square[i0 + i], at->k[i0 + i]);
        part[i] = cgct_select(square, 0.5, 1);
    }
    for (size_t i = 0; i < 2 * group; i++) v[i] = cgct_ln(v[i]);
    for (size_t i = 0; i < group; i++) at->ln_q[i0 + i] = v[i];
    for (size_t i = 0; i < group; i++) at->ln_k[i0 + i] = part[i] * v[group + i];
}

/* FORMAT.md section 4: J is taken at the shorter of k1 and k2 = q - k1, and I = J/chi there,
 * 1/chi = 1 + (shorter/longer)^p.  No cancellation: 1 - cosine is exact to rounding of k1.
 * ratio gets (shorter/longer)^2. */
CGCT_INLINE void exchange(size_t i0, size_t group, cgct_places *at, double *ratio)
{
    for (size_t i = i0; i < i0 + group; i++) {
        double q = at->q[i], k1 = at->k[i], c = at->cosine[i], s = at->sine[i];
        double along = (q - k1) + k1 * (1 - c), across = k1 * s;
        double square2 = along * along + across * across, square1 = k1 * k1;
        int second = square2 < square1, zero = !(square2 > 0);
        double k2 = sqrt(square2), inverse = 1 / cgct_select(zero, 1, k2);
        at->k[i] = cgct_select(second, k2, k1);
        at->square[i] = cgct_select(second, square2, 0);
        at->cosine[i] = cgct_select(second, cgct_select(zero, 1, along * inverse), c);
        at->sine[i] = cgct_select(second, across * inverse, s);
        at->half[i] = half_angle(cgct_select(second, along, c), cgct_select(second, across, s),
                                 cgct_select(second & !zero, k2, 1));
        ratio[i - i0] =
            cgct_select(second, square2, square1) / cgct_select(second, square1, square2);
    }
}

/* share = 1 + ratio^(p/2), by squaring where p is even. */
CGCT_INLINE void shares(size_t i0, size_t group, double power, double *ratio, cgct_places *at)
{
    int half = power <= 64 ? (int)(power / 2) : 0;
    double product[CGCT_GROUP];
    for (size_t i = 0; i < group; i++) product[i] = 1;
    if (power != 2 * half)
        for (size_t i = 0; i < group; i++)
            product[i] = cgct_exp(0.5 * power * cgct_ln(ratio[i] > 1e-300 ? ratio[i] : 1e-300));
    for (int e = power != 2 * half ? 0 : half; e; e /= 2) {
        for (size_t i = 0; i < group && e & 1; i++) product[i] *= ratio[i];
        for (size_t i = 0; i < group; i++) ratio[i] *= ratio[i];
    }
    for (size_t i = 0; i < group; i++) at->share[i0 + i] = 1 + product[i];
}

/* Below the k axis of a folded table J_m falls as k^m, whatever the policy. */
CGCT_INLINE void below_axis(double k_0, size_t i, cgct_places *at)
{
    double k = at->k[i];
    at->below[i] = k < k_0;
    if (!at->below[i]) return;
    at->cosine[i] *= k / k_0;
    at->sine[i] *= k / k_0;
    at->k[i] = k_0;
    at->square[i] = 0;
}

CGCT_INLINE void fail_first(cgct_status st, size_t i, cgct_places *at, const cgct_table *t)
{
    at->status[i] = st;
    at->q[i] = t->grid[CGCT_AXIS_Q].v[0];
    at->k[i] = t->grid[CGCT_AXIS_K].v[0];
    at->square[i] = 0;
}

CGCT_INLINE cgct_status check_point(const cgct_table *t, double *q, double *k, double theta,
                                    int freeze, int fold, cgct_err *err)
{
    CGCT_TRY(check_angle(theta, err));
    CGCT_TRY(cgct_into_range(&t->grid[CGCT_AXIS_Q], q, freeze, err));
    return fold ? check_positive(*k, err) : cgct_into_range(&t->grid[CGCT_AXIS_K], k, freeze, err);
}

/* Angles beyond the range of cgct_sincos. */
CGCT_INLINE void turn_far(size_t n, const double *theta, cgct_places *at)
{
    for (size_t i = 0; i < n; i++)
        if (at->status[i] == CGCT_OK && !(fabs(theta[i]) <= THETA_MAX)) {
            at->sine[i] = sin(theta[i]);
            at->cosine[i] = cos(theta[i]);
        }
}

CGCT_INLINE void check_all(const cgct_table *t, size_t n, const double *q, const double *k1,
                           const double *theta, cgct_places *at, cgct_err *err)
{
    int fold = (t->head.features & CGCT_FEATURE_FOLD) != 0;
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < n; i++) {
        at->q[i] = q[i];
        at->k[i] = k1[i];
        at->square[i] = 0;
        at->share[i] = 1;
        at->below[i] = 0;
        at->theta[i] = fabs(theta[i]) <= THETA_MAX ? theta[i] : 0;
        at->status[i] = check_point(t, &at->q[i], &at->k[i], theta[i], freeze, fold, err);
        if (at->status[i] != CGCT_OK) fail_first(at->status[i], i, at, t);
    }
}

CGCT_INLINE void check_shorter(const cgct_table *t, size_t n, const double *k1, cgct_places *at,
                               cgct_err *err)
{
    const cgct_grid *gk = &t->grid[CGCT_AXIS_K];
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < n; i++) {
        below_axis(gk->v[0], i, at);
        double k = at->k[i];
        cgct_status st = cgct_into_range(gk, &at->k[i], freeze, err);
        if (at->k[i] != k) at->square[i] = 0;
        if (st == CGCT_OK) continue;
        if (at->status[i] == CGCT_OK)
            cgct_context(err, st, "the shorter of k1 = %g and k2 = |q - k1|", k1[i]);
        fail_first(st, i, at, t);
    }
}

/* n is a multiple of group. */
CGCT_INLINE void cgct_place_points(const cgct_table *t, size_t n, size_t group, const double *q,
                                   const double *k1, const double *theta, cgct_places *at,
                                   cgct_err *err)
{
    check_all(t, n, q, k1, theta, at, err);
    for (size_t i = 0; i < n; i += group) angles(i, group, at);
    turn_far(n, theta, at);
    if (t->head.features & CGCT_FEATURE_FOLD) {
        for (size_t i = 0; i < n; i += group) {
            double ratio[CGCT_GROUP];
            exchange(i, group, at, ratio);
            shares(i, group, t->head.fold_power, ratio, at);
        }
        check_shorter(t, n, k1, at, err);
    } else {
        for (size_t i = 0; i < n; i += group) half_angles(i, group, at);
    }
    for (size_t i = 0; i < n; i += group) logarithms(i, group, at);
}

/* The value of a point whose sum is known. */
CGCT_INLINE double cgct_scaled(const cgct_places *at, int pol, size_t i)
{
    return 4 * PI * at->share[i] * at->sum[pol][i] * cgct_scale(at->a[pol][i], at->b[pol][i]);
}

/* The same for both polarisations side by side. */
CGCT_INLINE void cgct_scale_point(const cgct_places *at, size_t i, double value[2])
{
    double s[2];
    for (int pol = 0; pol < 2; pol++) s[pol] = at->a[pol][i];
    for (int pol = 0; pol < 2; pol++) s[pol] = cgct_scale(s[pol], at->b[pol][i]);
    for (int pol = 0; pol < 2; pol++) value[pol] = 4 * PI * at->share[i] * at->sum[pol][i] * s[pol];
}
#endif
