/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "reader/cgctab.h"

enum { POINTS = 12, MODES = 8 };

/* Inside the axes, at their ends and outside, the same for every copy of a table. */
static void choose(const cgct_table *t, int i, double at[5])
{
    cgct_info f;
    PROMISE(cgct_table_info(t, &f) == CGCT_OK);
    for (int a = 0; a < 3; a++) {
        size_t n, j;
        const double *v = cgct_axis_values(t, (cgct_axis)a, &n);
        PROMISE(v && n >= 1);
        j = (size_t)(i * (a + 3)) % n;
        at[a] = i % 3 == 0 ? v[j] : sqrt(v[j]) * sqrt(v[(j + 1) % n]);
    }
    at[3] = cgct_node_k(t, (size_t)i % f.nq, (size_t)(5 * i) % (f.nk_lower + f.nk_upper));
    if (i == POINTS - 1) at[3] *= 10;
    at[4] = 0.7 * i;
}

static int same(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return 0;
    return 1;
}

static void use_members(const cgct_table *t, const double p[5], cgct_status st)
{
    cgct_info f;
    double central[2], low[2], high[2];
    PROMISE(cgct_table_info(t, &f) == CGCT_OK);
    double *all = malloc(2 * f.members * sizeof *all);
    PROMISE(all != NULL);
    cgct_status every = cgct_eval_members(t, p[0], p[1], p[2], p[3], p[4], all);
    const int refused = every == CGCT_E_NEGATIVE || every == CGCT_E_FORMAT; /* of a variation */
    PROMISE(every == st || (st == CGCT_OK && refused));
    cgct_uncertainty(t, p[0], p[1], p[2], p[3], p[4], central, low, high);
    for (size_t i = 0; i < f.members; i++) {
        PROMISE(cgct_member_name(t, i) != NULL);
        cgct_member_S_perp(t, i);
    }
    free(all);
}

static void evaluate(const cgct_table *t)
{
    for (int i = 0; i < POINTS; i++) {
        double p[5], I[2], again[2], error[2], modes[2 * MODES];
        size_t first;
        choose(t, i, p);
        cgct_status st = cgct_eval(t, p[0], p[1], p[2], p[3], p[4], I);
        PROMISE(st == CGCT_OK || (isnan(I[0]) && isnan(I[1])));
        PROMISE(cgct_eval_many(t, 1, p, p + 1, p + 2, p + 3, p + 4, again, &first) == st);
        PROMISE(first == (st == CGCT_OK) && same(I, again, 2));
        PROMISE(cgct_check(t, p[0], p[1], p[2], p[3], p[4], NULL) == st);
        if (st == CGCT_E_NEGATIVE) st = CGCT_OK; /* bound and reference are known there */
        cgct_status other = cgct_eval_error(t, p[0], p[1], p[2], p[3], p[4], error);
        PROMISE(other == st && (st != CGCT_OK || !(error[0] < 0 || error[1] < 0)));
        PROMISE(cgct_reference(t, p[0], p[1], p[2], p[3], p[4], again) == st);
        if (i == 1) cgct_modes(t, p[0], p[1], p[2], p[3], MODES, modes); /* takes long */
        if (i < 2) use_members(t, p, cgct_eval(t, p[0], p[1], p[2], p[3], p[4], I));
    }
}

/* Dijets of a proton, from tables of these and of photons. */
static void use_forward(const cgct_table *t)
{
    for (int i = 0; i < 3 * POINTS; i++) {
        double p[5], T, error, again;
        cgct_pa_slice *slice;
        choose(t, i / 3, p);
        const double at[6] = {p[0], 0.1 + 0.02 * i, p[3], p[2], p[4], 1};
        const cgct_channel channel = (cgct_channel)(i % 3);
        cgct_status st = cgct_pa_eval(t, channel, at, &T, &error);
        PROMISE(cgct_pa_check(t, channel, at, NULL) == st);
        PROMISE(st == CGCT_OK ? !(error < 0) : isnan(T) && isnan(error));
        PROMISE(cgct_pa_channels(t) > 0 || st == CGCT_E_USAGE);
        if (i % POINTS || cgct_pa_slice_init(&slice, t, p[0], NULL) != CGCT_OK) continue;
        PROMISE(cgct_pa_slice_eval(slice, channel, at + 1, &again) == st || isnan(again));
        cgct_pa_slice_free(slice);
    }
}

static void use_slice(const cgct_table *t)
{
    double p[5], I[2], many[2], angle[2];
    const double u[5] = {0.1, 0.9, 0.3, 0.7, 0.5}, factor[2] = {1, 2};
    cgct_slice *slice;
    cgct_sampler *sampler;
    cgct_event event;
    cgct_err err;
    choose(t, 1, p);
    if (cgct_slice_init(&slice, t, p[0], p[1], &err) != CGCT_OK) return;
    cgct_status st = cgct_slice_eval(slice, p[2], p[3], p[4], I);
    PROMISE(cgct_slice_many(slice, 1, p + 2, p + 3, p + 4, many, NULL) == st && same(I, many, 2));
    cgct_slice_angles(slice, p[2], p[3], 1, p + 4, angle);
    if (cgct_sampler_init(&sampler, slice, factor, &err) == CGCT_OK) {
        cgct_sample(sampler, u, &event);
        cgct_sampler_free(sampler);
    }
    cgct_slice_free(slice);
}

static void describe(const cgct_table *t)
{
    cgct_info info;
    PROMISE(cgct_table_info(t, &info) == CGCT_OK);
    PROMISE(cgct_table_path(t) && info.modes >= 1 && info.member < info.members);
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i);
        PROMISE(key && *key && cgct_meta(t, key));
    }
}

static void open_file(const char *path)
{
    cgct_table *t = NULL;
    cgct_err err = {""};
    if (cgct_open(path, &t, &err) != CGCT_OK) {
        PROMISE(!t && *err.text && !strchr(err.text, '\n'));
        return;
    }
    PROMISE(t != NULL);
    describe(t);
    evaluate(t);
    use_slice(t);
    use_forward(t);
    PROMISE(cgct_set_policy(t, CGCT_POLICY_FREEZE) == CGCT_OK);
    PROMISE(cgct_set_negative(t, CGCT_NEGATIVE_KEEP) == CGCT_OK);
    evaluate(t);
    if (cgct_load(t, &err) != CGCT_OK) PROMISE(*err.text && !strchr(err.text, '\n'));
    cgct_close(t);
}

void fuzz_open(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n + 1);
    PROMISE(copy != NULL);
    open_file(fuzz_file(0, bytes, n));
    memcpy(copy, bytes, n);
    fuzz_reseal(copy, n);
    open_file(fuzz_file(0, copy, n));
    free(copy);
}
