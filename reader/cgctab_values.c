/* SPDX-License-Identifier: MIT */
/* From points (q,k1,theta) to values.  The steps that are the same for every point run over
 * batches, so that they vectorise; a single point is a batch of one. */
#include <math.h>

#include "cgctab_dense.h"
#include "cgctab_math.h"

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

CGCT_CLONES
static void angles(size_t n, cgct_places *at)
{
    for (size_t i = 0; i < n; i++) cgct_sincos(at->theta[i], &at->sine[i], &at->cosine[i]);
}

CGCT_CLONES
static void logarithms(size_t n, cgct_places *at)
{
    for (size_t i = 0; i < n; i++) at->ln_q[i] = cgct_ln(at->q[i]);
    for (size_t i = 0; i < n; i++) at->ln_k[i] = cgct_ln(at->k[i]);
}

/* FORMAT.md section 4: J is taken at the shorter of k1 and k2 = q - k1, and I = J/chi there,
 * 1/chi = 1 + (shorter/longer)^p.  No cancellation: 1 - cosine is exact to rounding of k1.
 * ratio gets (shorter/longer)^2. */
CGCT_CLONES
static void exchange(size_t n, cgct_places *at, double *ratio)
{
    for (size_t i = 0; i < n; i++) {
        double q = at->q[i], k1 = at->k[i], c = at->cosine[i], s = at->sine[i];
        double along = (q - k1) + k1 * (1 - c), across = k1 * s;
        double square2 = along * along + across * across, square1 = k1 * k1;
        int second = square2 < square1;
        double k = second ? sqrt(square2) : k1;
        double inverse = 1 / (k > 0 ? k : 1);
        at->k[i] = k;
        at->cosine[i] = second ? (k > 0 ? along * inverse : 1) : c;
        at->sine[i] = second ? across * inverse : s;
        ratio[i] = second ? square2 / square1 : square1 / square2;
    }
}

/* share = 1 + ratio^(p/2), by squaring where p is even. */
CGCT_CLONES
static void shares(size_t n, double power, const double *ratio, cgct_places *at)
{
    int half = power <= 64 ? (int)(power / 2) : 0;
    if (power == 2 * half) {
        for (size_t i = 0; i < n; i++) {
            double square = ratio[i], product = 1;
            for (int e = half; e; e /= 2, square *= square)
                if (e & 1) product *= square;
            at->share[i] = 1 + product;
        }
    } else {
        for (size_t i = 0; i < n; i++)
            at->share[i] =
                1 + cgct_exp(0.5 * power * cgct_ln(ratio[i] > 1e-300 ? ratio[i] : 1e-300));
    }
}

/* Below the k axis of a folded table J_m falls as k^m, whatever the policy. */
static void below_axis(double k_0, double *k, double *cosine, double *sine)
{
    if (!(*k < k_0)) return;
    *cosine *= *k / k_0;
    *sine *= *k / k_0;
    *k = k_0;
}

static void fail_first(cgct_status st, size_t i, cgct_places *at, const cgct_table *t)
{
    at->status[i] = st;
    at->q[i] = t->grid[CGCT_AXIS_Q].v[0];
    at->k[i] = t->grid[CGCT_AXIS_K].v[0];
}

static cgct_status check_point(const cgct_table *t, double *q, double *k, double theta, int freeze,
                               int fold, cgct_err *err)
{
    CGCT_TRY(check_angle(theta, err));
    CGCT_TRY(cgct_into_range(&t->grid[CGCT_AXIS_Q], q, freeze, err));
    return fold ? check_positive(*k, err) : cgct_into_range(&t->grid[CGCT_AXIS_K], k, freeze, err);
}

void cgct_place(const cgct_table *t, size_t n, const double *q, const double *k1,
                const double *theta, cgct_places *at, cgct_err *err)
{
    int fold = (t->head.features & CGCT_FEATURE_FOLD) != 0;
    int freeze = t->policy == CGCT_POLICY_FREEZE;
    for (size_t i = 0; i < n; i++) {
        at->q[i] = q[i];
        at->k[i] = k1[i];
        at->share[i] = 1;
        at->theta[i] = fabs(theta[i]) <= THETA_MAX ? theta[i] : 0;
        at->status[i] = check_point(t, &at->q[i], &at->k[i], theta[i], freeze, fold, err);
        if (at->status[i] != CGCT_OK) fail_first(at->status[i], i, at, t);
    }
    angles(n, at);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(theta[i]) <= THETA_MAX)) {
            at->sine[i] = sin(theta[i]);
            at->cosine[i] = cos(theta[i]);
        }
    if (fold) {
        double ratio[CGCT_BATCH];
        exchange(n, at, ratio);
        shares(n, t->head.fold_power, ratio, at);
    }
    for (size_t i = 0; fold && i < n; i++) {
        const cgct_grid *gk = &t->grid[CGCT_AXIS_K];
        below_axis(gk->v[0], &at->k[i], &at->cosine[i], &at->sine[i]);
        cgct_status st = cgct_into_range(gk, &at->k[i], freeze, err);
        if (st == CGCT_OK) continue;
        if (at->status[i] == CGCT_OK)
            cgct_context(err, st, "the shorter of k1 = %g and k2 = |q - k1|", k1[i]);
        fail_first(st, i, at, t);
    }
    logarithms(n, at);
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

static void angular(const cgct_planes *p, const cgct_places *at, size_t i, cgct_angular *out)
{
    cgct_stencil q, k;
    cgct_locate(&p->table->grid[CGCT_AXIS_Q], at->ln_q[i], &q);
    cgct_locate(&p->table->grid[CGCT_AXIS_K], at->ln_k[i], &k);
    const cgct_dense *dense = cgct_dense_at(p, &q, &k);
    if (dense) {
        cgct_dense_sum(dense, &q, &k, at->cosine[i], at->sine[i], out);
        return;
    }
    cgct_sum_modes(p, &q, &k, at->cosine[i], at->sine[i], out);
    for (int pol = 0; pol < 2 && p->flagged; pol++)
        if (cgct_any_flag(p, &q, &k, pol)) {
            out->sum[pol] = sum_linear(p, &q, &k, pol, at->cosine[i], at->sine[i]);
            out->a[pol] = out->b[pol] = 0;
        }
}

CGCT_CLONES
static void scales(size_t n, const cgct_places *at, double *values)
{
    for (int pol = 0; pol < 2; pol++)
        for (size_t i = 0; i < n; i++)
            values[2 * i + (size_t)pol] =
                4 * PI * at->share[i] * at->sum[pol][i] * cgct_scale(at->a[pol][i], at->b[pol][i]);
}

void cgct_values(const cgct_planes *p, size_t n, cgct_places *at, double *values)
{
    for (size_t i = 0; i < n; i++) {
        cgct_angular one;
        angular(p, at, i, &one);
        for (int pol = 0; pol < 2; pol++) {
            at->sum[pol][i] = one.sum[pol];
            at->a[pol][i] = one.a[pol];
            at->b[pol][i] = one.b[pol];
        }
    }
    scales(n, at, values);
    for (size_t i = 0; i < n; i++)
        if (at->status[i] != CGCT_OK) values[2 * i] = values[2 * i + 1] = NAN;
}

cgct_status cgct_eval_planes(const cgct_planes *p, size_t n, const double *q, const double *k1,
                             const double *theta, double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    cgct_places at;
    if (first) *first = n;
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        size_t m = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH;
        cgct_place(p->table, m, q + i, k1 + i, theta + i, &at, NULL);
        cgct_values(p, m, &at, values + 2 * i);
        for (size_t j = 0; j < m && result == CGCT_OK; j++)
            if (at.status[j] != CGCT_OK) {
                result = at.status[j];
                if (first) *first = i + j;
            }
    }
    return result;
}
