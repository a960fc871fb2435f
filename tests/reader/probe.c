/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe [trap|up] TABLE < POINTS: every call of the reader, at points x eps q k1 theta and with NaN,
 * infinity, 0 and numbers out of range in the place of each argument.  test_flags.c compiles it with
 * various flags, as C and as C++, and compares what it prints: lines of name, status, size and values.
 * trap: signals at invalid operations, overflow and division by 0; up: rounds upwards. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include <cgctab.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 64, MEMBERS = 64, MODES = 3, BAD = 10 };
static double bad[BAD]; /* strange numbers */

static void fill_bad(void)
{
    static const uint64_t bits[BAD] = {
        UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000), /* NaN */
        UINT64_C(0x7ff0000000000001),                               /* NaN that signals */
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), /* infinity */
        0,                            UINT64_C(0x8000000000000000), /* 0 and -0 */
        UINT64_C(0x7fefffffffffffff), UINT64_C(0xffefffffffffffff), /* the largest, and below 0 */
        UINT64_C(0x0010000000000000)}; /* the smallest that is not subnormal */
    memcpy(bad, bits, sizeof bits);
}

static void put(const char *name, cgct_status st, double size, const double *v, size_t n)
{
    printf("%s %d %.17g", name, (int)st, size);
    for (size_t i = 0; i < n; i++) printf(" %.17g", v[i]);
    putchar('\n');
}

/* All calls at a point: a[5] is x, eps, q, k1, theta. */
static void put_point(const cgct_table *t, size_t members, const double *a)
{
    double I[2], mode[2 * MODES], each[2 * MEMBERS], range[3], of[3][2], d[2];
    const cgct_dis dis = {1 / 128.0, 1, 30, 0.25, 4};
    cgct_status st = cgct_modes(t, a[0], a[1], a[2], a[3], MODES, mode);
    const double mean = mode[0] + mode[MODES];
    put("modes", st, mean, mode, 2 * MODES);
    put("eval", cgct_eval(t, a[0], a[1], a[2], a[3], a[4], I), 2 * M_PI * mean, I, 2);
    put("check", cgct_check(t, a[0], a[1], a[2], a[3], a[4], NULL), 0, NULL, 0);
    st = cgct_eval_error(t, a[0], a[1], a[2], a[3], a[4], I);
    put("error", st, I[0] + I[1], I, 2);
    st = cgct_reference(t, a[0], a[1], a[2], a[3], a[4], I);
    put("reference", st, I[0] + I[1], I, 2);
    st = cgct_eval_members(t, a[0], a[1], a[2], a[3], a[4], each);
    put("members", st, 2 * M_PI * mean, each, 2 * members);
    put("of", cgct_uncertainty_of(t, each, range), 2 * M_PI * mean, range, 3);
    st = cgct_uncertainty(t, a[0], a[1], a[2], a[3], a[4], of[0], of[1], of[2]);
    put("uncertainty", st, 2 * M_PI * mean, of[0], 6);
    st = cgct_dsigma(t, &dis, a[0], a[2], a[3], a[4], d);
    put("dsigma", st, d[0] + d[1], d, 2);
    st = cgct_dsigma_members(t, &dis, a[0], a[2], a[3], a[4], each);
    put("dsigma_members", st, each[0] + each[1], each, 2 * members);
}

/* Points one by one and in arrays, each with its neighbour's argument in turn made bad. */
static void put_points(const cgct_table *t, size_t members, double (*p)[5], size_t n)
{
    double column[5][POINTS], I[2 * POINTS];
    size_t first;
    for (size_t i = 0; i < n; i++) put_point(t, members, p[i]);
    for (int which = 0; which < 5; which++)
        for (int i = 0; i < BAD; i++) {
            double a[5];
            memcpy(a, p[0], sizeof a);
            a[which] = bad[i];
            put_point(t, members, a);
            for (size_t k = 0; k < n; k++)
                for (int c = 0; c < 5; c++) column[c][k] = c == which && k % 3 == 1 ? bad[i] : p[k / 4][c];
            cgct_status st = cgct_eval_many(t, n, column[0], column[1], column[2], column[3],
                                            column[4], I, &first);
            put("many", st, 0, I, 2 * n);
        }
}

/* Of the slice at the first point, whose angles and momenta are made bad as well. */
static void put_slice(const cgct_slice *s, double (*p)[5], size_t n)
{
    double q[POINTS], k1[POINTS], theta[POINTS], I[2 * POINTS];
    size_t first;
    for (size_t i = 0; i < n; i++) {
        q[i] = i % 8 == 3 ? bad[i % BAD] : p[i][2];
        k1[i] = i % 8 == 5 ? bad[i % BAD] : p[i][3];
        theta[i] = i % 8 == 7 ? bad[i % BAD] : p[i][4];
        cgct_status st = cgct_slice_eval(s, q[i], k1[i], theta[i], I);
        put("slice", st, I[0] + I[1], I, 2);
    }
    cgct_status st = cgct_slice_many(s, n, q, k1, theta, I, &first);
    put("slice_many", st, (double)first, I, 2 * n);
    for (size_t i = 0; i < n; i++)
        put("angles", cgct_slice_angles(s, q[i], k1[i], n, theta, I), 0, I, 2 * n);
}

static void put_sampler(const cgct_slice *s)
{
    static const double good[2] = {1, 0.5};
    cgct_sampler *sampler;
    double total;
    for (int i = 0; i < 2 * BAD; i++) {
        double factor[2] = {good[0], good[1]};
        factor[i % 2] = bad[i / 2];
        cgct_status st = cgct_sampler_init(&sampler, s, factor, NULL);
        total = cgct_sampler_total(sampler);
        put("total", st, total, &total, 1);
        cgct_sampler_free(sampler);
    }
    put("sampler", cgct_sampler_init(&sampler, s, good, NULL), 0, NULL, 0);
    for (int i = 0; i < 256; i++) {
        cgct_event e;
        double u[5];
        for (int k = 0; k < 5; k++) u[k] = (i * (2 * k + 37) % 256 + 0.5) / 256;
        if (i % 32 == 31) u[i / 32 % 5] = bad[i / 32];
        cgct_status st = cgct_sample(sampler, u, &e);
        const double v[4] = {e.q, e.k1, e.theta, e.weight};
        put("event", st, e.q + e.k1 + 1, v, 4);
    }
    cgct_sampler_free(sampler);
}

/* What takes numbers of the caller's. */
static void put_numbers(const cgct_table *t, size_t members, const double *a)
{
    double values[2 * MEMBERS], range[3], eps, v[2];
    for (size_t i = 0; i < BAD; i++) {
        for (size_t k = 0; k < members; k++) values[k] = (double)(k + 2);
        values[i % members] = bad[i];
        put("of", cgct_uncertainty_of(t, values, range), 1, range, 3);
        for (int which = 0; which < 5; which++) {
            double d[5] = {1 / 128.0, 1, 30, 0.25, 4};
            d[which] = i + 1 < BAD ? bad[i] : 1e-200; /* no product is subnormal */
            const cgct_dis dis = {d[0], d[1], d[2], d[3], d[4]};
            cgct_status st = cgct_dis_factors(&dis, &eps, v);
            put("factors", st, eps, v, 2);
            st = cgct_dsigma(t, &dis, a[0], a[2], a[3], a[4], v);
            put("dsigma", st, v[0] + v[1], v, 2);
            st = cgct_dsigma_members(t, &dis, a[0], a[2], a[3], a[4], values);
            put("dsigma_members", st, values[0] + values[1], values, 2 * (members < 2));
        }
        v[0] = cgct_member_S_perp(t, i);
        v[1] = cgct_node_k(t, 5 * i, 9 * i);
        put("table", CGCT_OK, v[1], v, 2);
    }
}

static int run(const char *path, double (*p)[5], size_t n)
{
    cgct_table *t;
    cgct_slice *s;
    cgct_info info;
    cgct_err err;
    if (cgct_open(path, &t, &err) != CGCT_OK) return puts(err.text), 1;
    cgct_table_info(t, &info);
    if (info.members > MEMBERS || cgct_slice_init(&s, t, p[0][0], p[0][1], &err) != CGCT_OK)
        return puts("slice"), 1;
    for (int freeze = 0; freeze < 2; freeze++) {
        cgct_set_policy(t, (cgct_policy)freeze);
        put_points(t, info.members, p, n);
        put_slice(s, p, n);
    }
    put_sampler(s);
    put_numbers(t, info.members, p[0]);
    cgct_slice_free(s);
    cgct_close(t);
    return 0;
}

int main(int argc, char **argv)
{
    double p[POINTS][5];
    size_t n = 0;
    const int mode = argc > 2;
    while (n < POINTS &&
           scanf("%lf %lf %lf %lf %lf", &p[n][0], &p[n][1], &p[n][2], &p[n][3], &p[n][4]) == 5)
        n++;
    if (argc < 2 || n < 8) return 2;
    fill_bad();
    if (mode && !strcmp(argv[1], "trap")) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    if (mode && !strcmp(argv[1], "up")) fesetround(FE_UPWARD);
    return run(argv[1 + mode], p, n);
}
