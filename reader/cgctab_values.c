/* SPDX-License-Identifier: MIT */
/* From points (q,k1,theta) to values.  The steps that are the same for every point run over
 * batches, so that they vectorise; a single point is a batch of one. */
#include <math.h>

#include "cgctab_dense.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

#define PI 3.14159265358979323846
#define K_MAX 1e150   /* its square is a number */
#define THETA_MAX 1e6 /* cgct_sincos; beyond it libm's */

/* ---- places ---- */

static cgct_status check_angle(double theta, cgct_err *err)
{
    if (isfinite(theta)) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN, "theta = %g, want a finite number", theta);
}

static cgct_status check_positive(double k1, cgct_err *err)
{
    if (k1 > 0 && k1 < K_MAX) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN, "k = %g, want a number > 0 and below %g", k1, K_MAX);
}

/* Points are worked on in groups of eight, a number that the compiler knows and turns into vectors,
 * or alone. */
enum { GROUP = 8 };

CGCT_INLINE void set_angles(size_t i0, size_t group, cgct_places *at)
{
    for (size_t i = i0; i < i0 + group; i++)
        cgct_sincos(at->theta[i], &at->sine[i], &at->cosine[i]);
}

CGCT_INLINE void set_logarithms(size_t i0, size_t group, cgct_places *at)
{
    double v[2 * GROUP];
    for (size_t i = 0; i < group; i++) v[i] = at->q[i0 + i];
    for (size_t i = 0; i < group; i++) v[group + i] = at->k[i0 + i];
    for (size_t i = 0; i < 2 * group; i++) v[i] = cgct_ln(v[i]);
    for (size_t i = 0; i < group; i++) at->ln_q[i0 + i] = v[i];
    for (size_t i = 0; i < group; i++) at->ln_k[i0 + i] = v[group + i];
}

/* FORMAT.md section 4: J is taken at the shorter of k1 and k2 = q - k1, and I = J/chi there,
 * 1/chi = 1 + (shorter/longer)^p.  No cancellation: 1 - cosine is exact to rounding of k1.
 * ratio gets (shorter/longer)^2. */
CGCT_INLINE void take_shorter(size_t i0, size_t group, cgct_places *at, double *ratio)
{
    for (size_t i = i0; i < i0 + group; i++) {
        double q = at->q[i], k1 = at->k[i], c = at->cosine[i], s = at->sine[i];
        double along = (q - k1) + k1 * (1 - c), across = k1 * s;
        double square2 = along * along + across * across, square1 = k1 * k1;
        int second = square2 < square1, zero = !(square2 > 0);
        double k2 = sqrt(square2), inverse = 1 / cgct_select(zero, 1, k2);
        at->k[i] = cgct_select(second, k2, k1);
        at->cosine[i] = cgct_select(second, cgct_select(zero, 1, along * inverse), c);
        at->sine[i] = cgct_select(second, across * inverse, s);
        ratio[i - i0] =
            cgct_select(second, square2, square1) / cgct_select(second, square1, square2);
    }
}

/* share = 1 + ratio^(p/2), by squaring where p is even. */
CGCT_INLINE void shares(size_t i0, size_t group, double power, double *ratio, cgct_places *at)
{
    int half = power <= 64 ? (int)(power / 2) : 0;
    double product[GROUP];
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
static void below_axis(double k_0, size_t i, cgct_places *at)
{
    double k = at->k[i];
    at->below[i] = k < k_0;
    if (!at->below[i]) return;
    at->cosine[i] *= k / k_0;
    at->sine[i] *= k / k_0;
    at->k[i] = k_0;
}

static void fail_first(cgct_status st, size_t i, cgct_places *at, const cgct_table *t)
{
    at->status[i] = st;
    at->q[i] = t->grid[CGCT_AXIS_Q].v[0];
    at->k[i] = t->grid[CGCT_AXIS_K].v[0];
}

static cgct_status check_arguments(const cgct_table *t, double *q, double *k, double theta,
                                   int freeze, int fold, cgct_err *err)
{
    CGCT_TRY(check_angle(theta, err));
    CGCT_TRY(cgct_into_range(&t->grid[CGCT_AXIS_Q], q, freeze, err));
    return fold ? check_positive(*k, err) : cgct_into_range(&t->grid[CGCT_AXIS_K], k, freeze, err);
}

/* Angles beyond the range of cgct_sincos. */
static void turn_far(size_t n, const double *theta, cgct_places *at)
{
    for (size_t i = 0; i < n; i++)
        if (at->status[i] == CGCT_OK && !(fabs(theta[i]) <= THETA_MAX)) {
            at->sine[i] = sin(theta[i]);
            at->cosine[i] = cos(theta[i]);
        }
}

CGCT_INLINE void check_value_points(const cgct_table *t, size_t n, const cgct_arguments *a,
                                    cgct_places *at, cgct_err *err)
{
    const double *theta = a->theta;
    int fold = (t->head.features & CGCT_FEATURE_FOLD) != 0;
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < n; i++) {
        at->q[i] = a->q[i];
        at->k[i] = a->k1[i];
        at->share[i] = 1;
        at->below[i] = 0;
        at->theta[i] = fabs(theta[i]) <= THETA_MAX ? theta[i] : 0;
        at->status[i] = check_arguments(t, &at->q[i], &at->k[i], theta[i], freeze, fold, err);
        if (at->status[i] != CGCT_OK) fail_first(at->status[i], i, at, t);
    }
}

static void check_shorter(const cgct_table *t, size_t n, const double *k1, cgct_places *at,
                          cgct_err *err)
{
    const cgct_grid *gk = &t->grid[CGCT_AXIS_K];
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < n; i++) {
        below_axis(gk->v[0], i, at);
        cgct_status st = cgct_into_range(gk, &at->k[i], freeze, err);
        if (st == CGCT_OK) continue;
        if (at->status[i] == CGCT_OK)
            cgct_context(err, st, "the shorter of k1 = %g and k2 = |q - k1|", k1[i]);
        fail_first(st, i, at, t);
    }
}

/* n is a multiple of group. */
CGCT_INLINE void place_points(const cgct_table *t, size_t n, size_t group, const cgct_arguments *a,
                              cgct_places *at, cgct_err *err)
{
    check_value_points(t, n, a, at, err);
    for (size_t i = 0; i < n; i += group) set_angles(i, group, at);
    turn_far(n, a->theta, at);
    if (t->head.features & CGCT_FEATURE_FOLD) {
        for (size_t i = 0; i < n; i += group) {
            double ratio[GROUP];
            take_shorter(i, group, at, ratio);
            shares(i, group, t->head.fold_power, ratio, at);
        }
        check_shorter(t, n, a->k1, at, err);
    }
    for (size_t i = 0; i < n; i += group) set_logarithms(i, group, at);
}

CGCT_CLONES_512
static void place_one(const cgct_table *t, const cgct_arguments *a, cgct_places *at, cgct_err *err)
{
    place_points(t, 1, 1, a, at, err);
}

CGCT_CLONES_512
static void place_groups(const cgct_table *t, size_t n, const cgct_arguments *a, cgct_places *at,
                         cgct_err *err)
{
    place_points(t, n, GROUP, a, at, err);
}

/* The last group is filled up with the last point. */
void cgct_place(const cgct_table *t, size_t n, const cgct_arguments *a, cgct_places *at,
                cgct_err *err)
{
    double full[3][CGCT_BATCH];
    const cgct_arguments whole_groups = {NULL, NULL, full[0], full[1], full[2]};
    size_t whole = (n + GROUP - 1) / GROUP * GROUP;
    if (n == 1) {
        place_one(t, a, at, err);
        return;
    }
    size_t i = 0;
    do {
        size_t j = i < n ? i : n - 1;
        full[0][i] = a->q[j];
        full[1][i] = a->k1[j];
        full[2][i] = a->theta[j];
    } while (++i < whole);
    place_groups(t, whole, &whole_groups, at, err);
}

CGCT_CLONES
static int turn_groups(const cgct_table *t, size_t n, double k1, cgct_places *at)
{
    int moved = 0;
    for (size_t i = 0; i < n; i += GROUP) {
        double ratio[GROUP];
        set_angles(i, GROUP, at);
        if (!(t->head.features & CGCT_FEATURE_FOLD)) continue;
        take_shorter(i, GROUP, at, ratio);
        shares(i, GROUP, t->head.fold_power, ratio, at);
        for (size_t j = i; j < i + GROUP; j++) moved |= at->k[j] != k1;
    }
    return !moved;
}

int cgct_place_angles(const cgct_table *t, double q, double k1, size_t n, const double *theta,
                      cgct_places *at)
{
    size_t whole = (n + GROUP - 1) / GROUP * GROUP;
    int near = 1;
    for (size_t i = 0; i < whole; i++) {
        at->theta[i] = theta[i < n ? i : n - 1];
        near &= fabs(at->theta[i]) <= THETA_MAX;
        at->q[i] = q;
        at->k[i] = k1;
        at->share[i] = 1;
    }
    return near && turn_groups(t, whole, k1, at);
}

/* ---- values ---- */

/* One polarisation where flags forbid logarithms: I_m linear between the corners. */
static double sum_linear(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                         int pol, double cosine, double sine)
{
    double mode[CGCT_MODES_MAX], re = 1, im = 0, sum = 0;
    size_t n = cgct_modes_in(cgct_blocks_at(p, q, k));
    if (n > CGCT_MODES_MAX) n = CGCT_MODES_MAX;
    cgct_flagged_modes(p, q, k, pol, n, mode);
    mode[0] /= 2;
    for (size_t m = 0; m < n; m++) {
        sum += re * mode[m];
        double next = -re * cosine + im * sine;
        im = -re * sine - im * cosine;
        re = next;
    }
    return sum;
}

/* Where flags forbid logarithms. */
static void put_flagged_sums(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                             size_t i, cgct_places *at)
{
    for (int pol = 0; pol < 2; pol++)
        if (cgct_any_flag(p, q, k, pol)) {
            at->sum[pol][i] = sum_linear(p, q, k, pol, at->cosine[i], at->sine[i]);
            at->a[pol][i] = at->b[pol][i] = 0;
        }
}

static void put_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, size_t i,
                      cgct_places *at)
{
    cgct_angular one;
    if (p->dense)
        cgct_dense_sum(p->dense, q, k, at->cosine[i], at->sine[i], &one);
    else
        cgct_sum_modes(p, q, k, at->cosine[i], at->sine[i], &one);
    for (int pol = 0; pol < 2; pol++) {
        at->sum[pol][i] = one.sum[pol];
        at->a[pol][i] = one.a[pol];
        at->b[pol][i] = one.b[pol];
    }
}

CGCT_CLONES
static void scale_one(const cgct_places *at, double *values)
{
    double a[2], b[2];
    for (int pol = 0; pol < 2; pol++) a[pol] = at->a[pol][0];
    for (int pol = 0; pol < 2; pol++) b[pol] = at->b[pol][0];
    for (int pol = 0; pol < 2; pol++) a[pol] = cgct_scale(a[pol], b[pol]);
    for (int pol = 0; pol < 2; pol++)
        values[pol] = 4 * PI * at->share[0] * at->sum[pol][0] * a[pol];
}

CGCT_CLONES_512
static void scale_groups(size_t n, const cgct_places *at, double *values)
{
    for (size_t i0 = 0; i0 < n; i0 += GROUP) {
        double v[2][GROUP];
        for (int pol = 0; pol < 2; pol++)
            for (size_t i = 0; i < GROUP; i++)
                v[pol][i] = 4 * PI * at->share[i0 + i] * at->sum[pol][i0 + i] *
                            cgct_scale(at->a[pol][i0 + i], at->b[pol][i0 + i]);
        for (size_t i = 0; i < 2 * GROUP && i < 2 * (n - i0); i++)
            values[2 * i0 + i] = v[i % 2][i / 2];
    }
}

void cgct_scale_values(size_t n, cgct_places *at, double *values)
{
    for (size_t i = n; n > 1 && i % GROUP; i++)
        for (int pol = 0; pol < 2; pol++) at->sum[pol][i] = at->a[pol][i] = at->b[pol][i] = 0;
    if (n == 1)
        scale_one(at, values);
    else
        scale_groups(n, at, values);
    for (size_t i = 0; i < n; i++)
        if (at->status[i] != CGCT_OK) values[2 * i] = values[2 * i + 1] = NAN;
}

void cgct_values(const cgct_planes *p, size_t n, cgct_places *at, double *values)
{
    uint8_t served[CGCT_BATCH] = {0};
    if (p->dense && p->dense->arcs.n) cgct_arcs_sum(p, n, at, served);
    for (size_t i = 0; i < n; i++) {
        cgct_stencil q, k;
        if (served[i] == 1) continue;
        cgct_locate(&p->table->grid[CGCT_AXIS_Q], at->ln_q[i], &q);
        cgct_locate(&p->table->grid[CGCT_AXIS_K], at->ln_k[i], &k);
        if (!served[i]) put_modes(p, &q, &k, i, at);
        if (p->flagged) put_flagged_sums(p, &q, &k, i, at);
    }
    cgct_scale_values(n, at, values);
}

cgct_status cgct_eval_planes(const cgct_planes *p, size_t n, const cgct_arguments *a,
                             double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    cgct_places at;
    if (first) *first = n;
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        size_t m = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH;
        const cgct_arguments from = cgct_arguments_at(a, i);
        cgct_place(p->table, m, &from, &at, NULL);
        cgct_values(p, m, &at, values + 2 * i);
        for (size_t j = 0; j < m && result == CGCT_OK; j++)
            if (at.status[j] != CGCT_OK) {
                result = at.status[j];
                if (first) *first = i + j;
            }
    }
    return result;
}
