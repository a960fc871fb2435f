/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "reader/cgctab.h"

enum { NUMBERS = 5 };

static void agree(cgct_status st, const double I[2], cgct_status other, const double J[2])
{
    PROMISE(st == other);
    for (int pol = 0; pol < 2; pol++) {
        PROMISE(st == CGCT_OK ? isfinite(I[pol]) : isnan(I[pol]));
        PROMISE(st != CGCT_OK || isfinite(J[pol]));
    }
}

static void on_slice(const cgct_table *t, const double p[NUMBERS], cgct_status st, const double *I)
{
    cgct_slice *slice;
    double J[2];
    if (cgct_slice_init(&slice, t, p[0], p[1], NULL) != CGCT_OK) {
        PROMISE(st != CGCT_OK && !slice);
        return;
    }
    cgct_status other = cgct_slice_eval(slice, p[2], p[3], p[4], J);
    agree(st, I, other, J);
    other = cgct_slice_angles(slice, p[2], p[3], 1, p + 4, J);
    agree(st, I, other, J);
    cgct_slice_free(slice);
}

static void on_sampler(const cgct_table *t, const double p[NUMBERS])
{
    const double factor[2] = {p[0], p[1]}, *axis = cgct_axis_values(t, CGCT_AXIS_X, NULL);
    cgct_slice *slice;
    cgct_sampler *sampler;
    cgct_event e;
    double u[5];
    PROMISE(cgct_slice_init(&slice, t, axis[0], cgct_axis_values(t, CGCT_AXIS_EPS, NULL)[0],
                            NULL) == CGCT_OK);
    for (int i = 0; i < 5; i++) u[i] = p[i] - floor(p[i]);
    if (cgct_sampler_init(&sampler, slice, factor, NULL) == CGCT_OK) {
        PROMISE(cgct_sampler_total(sampler) > 0);
        if (cgct_sample(sampler, u, &e) == CGCT_OK)
            PROMISE(e.q > 0 && e.k1 >= 0 && fabs(e.theta) < 3.1416 && e.weight >= 0);
        PROMISE(cgct_sample(sampler, p, &e) == CGCT_OK || isnan(e.weight));
        cgct_sampler_free(sampler);
    }
    cgct_slice_free(slice);
}

static void at_point(const cgct_table *t, const double p[NUMBERS])
{
    double I[2], J[2];
    cgct_err err = {""};
    cgct_status st = cgct_eval(t, p[0], p[1], p[2], p[3], p[4], I);
    agree(st, I, st, I);
    PROMISE(cgct_check(t, p[0], p[1], p[2], p[3], p[4], &err) == st);
    PROMISE((st == CGCT_OK) == !*err.text);
    cgct_status other = cgct_eval_many(t, 1, p, p + 1, p + 2, p + 3, p + 4, J, NULL);
    PROMISE(other == st && (st != CGCT_OK || !memcmp(I, J, sizeof I)));
    const cgct_status place = st == CGCT_E_NEGATIVE ? CGCT_OK : st; /* bounds are known there */
    PROMISE(cgct_reference(t, p[0], p[1], p[2], p[3], p[4], J) == place);
    other = cgct_eval_error(t, p[0], p[1], p[2], p[3], p[4], J);
    PROMISE(other == place && (place == CGCT_OK ? J[0] >= 0 && J[1] >= 0 : isnan(J[0])));
    on_slice(t, p, st, I);
    double low[2], high[2];
    other = cgct_uncertainty(t, p[0], p[1], p[2], p[3], p[4], J, low, high);
    PROMISE(other == st || (st == CGCT_OK && other == CGCT_E_NEGATIVE));
    PROMISE(other != CGCT_OK || (low[0] <= J[0] && J[0] <= high[0]));
    const cgct_dis dis = {p[4], p[3], p[2], p[1], p[0], p[1]};
    cgct_dsigma(t, &dis, p[0], p[2], p[3], p[4], J);
}

/* All numbers, or NaN all. */
static void on_dijet(const double p[NUMBERS])
{
    const cgct_dijet d = {p[0], p[1], p[2],         p[3],         p[4], p[2],
                          p[0], p[4], {p[1], p[3]}, {p[0], p[2]}, p[4]};
    double momenta[CGCT_PARTICLES][4], flux[2];
    cgct_variables v;
    const cgct_status st = cgct_dijet_variables(&d, &v);
    PROMISE(cgct_dijet_momenta(&d, momenta) == st);
    PROMISE(st == CGCT_OK ? isfinite(v.x) && isfinite(v.M2) : isnan(v.x) && isnan(v.M2));
    for (int i = 0; i < 4 * CGCT_PARTICLES; i++)
        PROMISE(st == CGCT_OK ? isfinite(momenta[i / 4][i % 4]) : isnan(momenta[i / 4][i % 4]));
    if (cgct_dis_fluxes(p[0], p[1], p[2], p[3], flux) == CGCT_OK)
        PROMISE(isfinite(flux[CGCT_T]) && flux[CGCT_T] >= 0 && flux[CGCT_L] >= 0);
}

void fuzz_eval(const uint8_t *bytes, size_t n)
{
    double p[NUMBERS] = {0.01, 1, 1.5, 2, 0.5};
    memcpy(p, bytes, n < sizeof p ? n : sizeof p);
    on_dijet(p);
    for (int i = 0; i < FUZZ_GOLDEN; i++) {
        cgct_table *t;
        PROMISE(cgct_open(fuzz_golden(i), &t, NULL) == CGCT_OK);
        at_point(t, p);
        if (i == FUZZ_NEGATIVE) on_sampler(t, p);
        PROMISE(cgct_set_policy(t, CGCT_POLICY_FREEZE) == CGCT_OK);
        at_point(t, p);
        cgct_close(t);
    }
}
