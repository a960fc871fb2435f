/* SPDX-License-Identifier: MIT */
/* From points (q,k1,theta) to values, a batch at a time: by arcs where a slice has them, else by
 * modes. */
#include <math.h>

#include "cgctab_dense.h"
#include "cgctab_place.h"

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
static void put_flagged(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
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
    cgct_scale_point(at, 0, values);
}

CGCT_CLONES_512
static void scale_groups(size_t n, const cgct_places *at, double *values)
{
    for (size_t i0 = 0; i0 < n; i0 += CGCT_GROUP) {
        double v[2][CGCT_GROUP];
        for (int pol = 0; pol < 2; pol++)
            for (size_t i = 0; i < CGCT_GROUP; i++) v[pol][i] = cgct_scaled(at, pol, i0 + i);
        for (size_t i = 0; i < 2 * CGCT_GROUP && i < 2 * (n - i0); i++)
            values[2 * i0 + i] = v[i % 2][i / 2];
    }
}

/* What arcs have not served, and the scales. */
static void complete(const cgct_planes *p, size_t n, const uint8_t *served, cgct_places *at,
                     double *values)
{
    for (size_t i = 0; i < n; i++) {
        cgct_stencil q, k;
        if (served[i] == 1) continue;
        cgct_locate(&p->table->grid[CGCT_AXIS_Q], at->ln_q[i], &q);
        cgct_locate(&p->table->grid[CGCT_AXIS_K], at->ln_k[i], &k);
        if (!served[i]) put_modes(p, &q, &k, i, at);
        if (p->flagged) put_flagged(p, &q, &k, i, at);
    }
    for (size_t i = n; n > 1 && i % CGCT_GROUP; i++)
        for (int pol = 0; pol < 2; pol++) at->sum[pol][i] = at->a[pol][i] = at->b[pol][i] = 0;
    if (n == 1)
        scale_one(at, values);
    else
        scale_groups(n, at, values);
    for (size_t i = 0; i < n; i++)
        if (at->status[i] != CGCT_OK) values[2 * i] = values[2 * i + 1] = NAN;
}

static int has_arcs(const cgct_planes *p)
{
    return p->dense && p->dense->arcs.n;
}

void cgct_values(const cgct_planes *p, size_t n, cgct_places *at, double *values)
{
    uint8_t served[CGCT_BATCH] = {0};
    if (has_arcs(p)) cgct_arcs_sum(p, n, at, served);
    complete(p, n, served, at, values);
}

/* Arcs serve whole groups, so that what does not go alone goes as two. */
cgct_status cgct_eval_one(const cgct_planes *p, double q, double k1, double theta, double value[2])
{
    const double qs[2] = {q, q}, ks[2] = {k1, k1}, angle[2] = {theta, theta};
    uint8_t served[2] = {0};
    cgct_places at;
    if (has_arcs(p) && cgct_arcs_single(p, q, k1, theta, value)) return CGCT_OK;
    cgct_place(p->table, has_arcs(p) ? 2 : 1, qs, ks, angle, &at, NULL);
    if (has_arcs(p)) cgct_arcs_sum(p, 2, &at, served);
    complete(p, 1, served, &at, value);
    return at.status[0];
}

static cgct_status eval_batch(const cgct_planes *p, size_t n, const double *q, const double *k1,
                              const double *theta, double *values, size_t *bad)
{
    cgct_places at;
    if (n == 1) return cgct_eval_one(p, *q, *k1, *theta, values);
    cgct_place(p->table, n, q, k1, theta, &at, NULL);
    cgct_values(p, n, &at, values);
    for (*bad = 0; *bad < n; ++*bad)
        if (at.status[*bad] != CGCT_OK) return at.status[*bad];
    return CGCT_OK;
}

cgct_status cgct_eval_planes(const cgct_planes *p, size_t n, const double *q, const double *k1,
                             const double *theta, double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    if (first) *first = n;
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        size_t m = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH, bad = 0;
        cgct_status st = eval_batch(p, m, q + i, k1 + i, theta + i, values + 2 * i, &bad);
        if (st == CGCT_OK || result != CGCT_OK) continue;
        result = st;
        if (first) *first = i + bad;
    }
    return result;
}
