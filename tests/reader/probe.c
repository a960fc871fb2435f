/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe [trap|up] TABLE < POINTS: every call of the reader, at points x eps q k1 theta and with
 * NaN, infinity, 0 and numbers out of range in the place of each argument.  test_flags.c compiles
 * it with various flags, as C and as C++, and compares its lines: name, status, size, values.  A
 * size of 0 stands for that of the largest value.  trap: signals at invalid operations, overflow
 * and division by 0; up: rounds upwards. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include <cgctab.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 16, MEMBERS = 40, MODES = 3, BAD = 10 };

/* NaN of both signs and one that signals; infinities; 0 and -0; the largest numbers; the smallest
 * that is not subnormal. */
static const uint64_t bad_bits[BAD] = {UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000),
                                       UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff0000000000000), 0,
                                       UINT64_C(0x8000000000000000), UINT64_C(0x7fefffffffffffff),
                                       UINT64_C(0xffefffffffffffff), UINT64_C(0x0010000000000000)};

static void put(const char *name, cgct_status st, double size, const double *v, size_t n)
{
    printf("%s %d %.17g", name, (int)st, size);
    for (size_t i = 0; i < n; i++) printf(" %.17g", v[i]);
    putchar('\n');
}

/* The mean over the angle of I_T + I_L. */
static double mean_of(const cgct_table *t, double x, double eps, double q, double k1)
{
    double mode[2];
    if (cgct_modes(t, x, eps, q, k1, 1, mode) != CGCT_OK) return 0;
    return 2 * M_PI * (mode[0] + mode[1]);
}

static void put_members(const cgct_table *t, size_t members, const double *a, double mean)
{
    double each[2 * MEMBERS], range[3], of[3][2];
    cgct_status st = cgct_eval_members(t, a[0], a[1], a[2], a[3], a[4], each);
    put("members", st, mean, each, 2 * members);
    st = cgct_uncertainty_of(t, each, range);
    put("of", st, mean, range, 3);
    st = cgct_uncertainty(t, a[0], a[1], a[2], a[3], a[4], of[0], of[1], of[2]);
    put("uncertainty", st, mean, of[0], 6);
}

/* a[5] is x, eps, q, k1, theta. */
static void put_point(const cgct_table *t, size_t members, const double *a)
{
    double v[2 * MODES], limit[2 * MEMBERS], factor[2][2], unit = 0;
    const double mean = mean_of(t, a[0], a[1], a[2], a[3]);
    const cgct_dis dis = {1 / 128.0, 1, 30, 0.25, 3, 0.5};
    cgct_status st = cgct_modes(t, a[0], a[1], a[2], a[3], MODES, v);
    put("modes", st, mean, v, 2 * MODES);
    st = cgct_eval(t, a[0], a[1], a[2], a[3], a[4], v);
    put("eval", st, mean, v, 2);
    put("check", cgct_check(t, a[0], a[1], a[2], a[3], a[4], NULL), 0, NULL, 0);
    st = cgct_eval_error(t, a[0], a[1], a[2], a[3], a[4], v);
    put("error", st, 0, v, 2);
    st = cgct_reference(t, a[0], a[1], a[2], a[3], a[4], v);
    put("reference", st, 0, v, 2);
    put_members(t, members, a, mean);
    for (int pol = 0; pol < 2; pol++) {
        double each[MEMBERS], error;
        st = cgct_eval_one(t, pol, a, v, &error);
        put("one", st, mean, v, 1);
        put("bound", st, 0, &error, 1);
        st = cgct_eval_one_members(t, pol, a, each, &error);
        put("one_members", st, mean, each, members);
    }
    st = cgct_reference_members(t, a[0], a[1], a[2], a[3], a[4], limit);
    put("references", st, 0, limit, 2 * members);
    if (cgct_dis_factors(&dis, &unit, factor) == CGCT_OK)
        unit = (factor[0][0] + factor[0][1] + factor[1][1]) * mean_of(t, a[0], unit, a[2], a[3]);
    st = cgct_dsigma(t, &dis, a[0], a[2], a[3], a[4], v);
    put("dsigma", st, unit, v, 2);
}

/* Points one by one; in arrays; and the first with each of its arguments made bad. */
static void put_points(const cgct_table *t, size_t members, double (*p)[5], size_t n)
{
    double bad[BAD], column[5][4 * POINTS], I[8 * POINTS];
    size_t first;
    memcpy(bad, bad_bits, sizeof bad);
    for (size_t i = 0; i < n; i++) put_point(t, members, p[i]);
    for (int c = 0; c < 5; c++)
        for (size_t i = 0; i < BAD; i++) {
            double a[5];
            memcpy(a, p[0], sizeof a);
            a[c] = bad[i];
            put_point(t, members, a);
        }
    for (int c = 0; c < 5; c++) /* neighbours share x and eps */
        for (size_t i = 0; i < 4 * n; i++)
            column[c][i] = i % 5 == (size_t)c ? bad[i % BAD] : p[c < 2 ? i / 10 : i / 4][c];
    cgct_status st =
        cgct_eval_many(t, 4 * n, column[0], column[1], column[2], column[3], column[4], I, &first);
    put("first", st, (double)first, NULL, 0);
    put("many", st, 0, I, 8 * n);
}

static void put_slice(const cgct_table *t, double (*p)[5], size_t n)
{
    double bad[BAD], q[POINTS], k1[POINTS], theta[POINTS], I[2 * POINTS];
    size_t first;
    cgct_slice *s;
    memcpy(bad, bad_bits, sizeof bad);
    cgct_status st = cgct_slice_init(&s, t, p[0][0], p[0][1], NULL);
    put("slice_init", st, 0, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        q[i] = i % 8 == 3 ? bad[i % BAD] : p[i][2];
        k1[i] = i % 8 == 5 ? bad[i % BAD] : p[i][3];
        theta[i] = i % 3 == 1 ? bad[i % BAD] : p[i][4];
        st = cgct_slice_eval(s, q[i], k1[i], theta[i], I);
        put("slice", st, mean_of(t, p[0][0], p[0][1], q[i], k1[i]), I, 2);
    }
    st = cgct_slice_many(s, n, q, k1, theta, I, &first);
    put("first", st, (double)first, NULL, 0);
    put("slice_many", st, 0, I, 2 * n);
    for (size_t i = 0; i < n; i++) {
        st = cgct_slice_angles(s, q[i], k1[i], n, theta, I);
        put("angles", st, 0, I, 2 * n);
    }
    cgct_slice_free(s);
}

static void put_sampler(const cgct_table *t, const double *a)
{
    double bad[BAD], total;
    cgct_slice *s;
    cgct_sampler *sampler;
    memcpy(bad, bad_bits, sizeof bad);
    put("slice_init", cgct_slice_init(&s, t, a[0], a[1], NULL), 0, NULL, 0);
    for (int i = 0; i <= 2 * BAD; i++) {
        double factor[2] = {1, 0.5};
        if (i) factor[i % 2] = bad[(i - 1) / 2];
        cgct_status st = cgct_sampler_init(&sampler, s, factor, NULL);
        total = cgct_sampler_total(sampler);
        put("total", st, 0, &total, 1);
        for (int k = 0; k < 40 && i == 0; k++) {
            cgct_event e;
            double u[5];
            for (int j = 0; j < 5; j++) u[j] = (k * (2 * j + 37) % 64 + 0.5) / 64;
            if (k % 4 == 3) u[k % 5] = bad[k / 4];
            st = cgct_sample(sampler, u, &e);
            const double v[4] = {e.q, e.k1, e.theta, e.weight};
            put("event", st, 0, v, 4);
        }
        cgct_sampler_free(sampler);
    }
    cgct_slice_free(s);
}

/* What takes numbers of the caller's, and what may be NaN for want of one. */
static void put_numbers(const cgct_table *t, size_t members, const double *a)
{
    double bad[BAD], values[2 * MEMBERS], range[3], eps, v[2], factor[2][2];
    memcpy(bad, bad_bits, sizeof bad);
    for (size_t i = 0; i < BAD; i++) {
        for (size_t k = 0; k < members; k++) values[k] = (double)(k + 2);
        values[i % members] = bad[i];
        cgct_status st = cgct_uncertainty_of(t, values, range);
        put("of", st, 0, range, 3);
        for (int which = 0; which < 6; which++) {
            double d[6] = {1 / 128.0, 1, 30, 0.25, 4, 0.3};
            d[which] = i + 1 < BAD ? bad[i] : 1e-200; /* no product is subnormal */
            const cgct_dis dis = {d[0], d[1], d[2], d[3], d[4], d[5]};
            st = cgct_dis_factors(&dis, &eps, factor);
            put("eps", st, 0, &eps, 1);
            put("factors", st, 0, factor[0], 4);
            put("dsigma", cgct_dsigma(t, &dis, a[0], a[2], a[3], a[4], v), 0, NULL, 0);
            st = cgct_dsigma_members(t, &dis, a[0], a[2], a[3], a[4], values);
            put("dsigma_members", st, 0, values, 2 * members);
        }
        v[0] = cgct_member_S_perp(t, i);
        v[1] = cgct_node_k(t, 5 * i, 9 * i);
        put("table", CGCT_OK, 0, v, 2);
    }
}

static void put_dijet(const double d[13])
{
    double p[CGCT_PARTICLES][4];
    cgct_variables v;
    const cgct_dijet dijet = {d[0], d[1], d[2],         d[3],           d[4], d[5],
                              d[6], d[7], {d[8], d[9]}, {d[10], d[11]}, d[12]};
    cgct_status st = cgct_dijet_variables(&dijet, &v);
    const double out[10] = {v.x, v.eps, v.q, v.k1, v.theta, v.y, v.W, v.M2, v.K, v.phi};
    put("variables", st, 0, out, 10);
    st = cgct_dijet_momenta(&dijet, p);
    for (int i = 0; i < CGCT_PARTICLES; i++) put("momentum", st, 0, p[i], 4);
}

/* Each number made bad, also in pairs with Q2 = 0, y = 0 and no mass of the lepton. */
static void put_kinematics(void)
{
    const double good[13] = {18, 275, 0.0005, 4, 0.6, 60, 0.3, 1.4, 3, 1, -2, 1.5, 0.7};
    double bad[BAD];
    memcpy(bad, bad_bits, sizeof bad);
    for (int zero = 0; zero < 8; zero++)
        for (int which = 0; which < 13; which++)
            for (size_t i = 0; i < BAD; i++) {
                double d[13];
                memcpy(d, good, sizeof d);
                for (int k = 0; k < 3; k++)
                    if (zero >> k & 1) d[2 + k] = 0;
                d[which] = bad[i];
                put_dijet(d);
            }
    for (int which = 0; which < 4; which++)
        for (size_t i = 0; i < BAD; i++) {
            double a[4] = {1 / 137.0, 0.6, 4, 0.0005}, flux[2];
            a[which] = i + 1 < BAD ? bad[i] : 1e-200;
            put("fluxes", cgct_dis_fluxes(a[0], a[1], a[2], a[3], flux), 0, flux, 2);
        }
}

int main(int argc, char **argv)
{
    double p[POINTS][5];
    size_t n = 0;
    const int mode = argc > 2;
    cgct_table *t;
    cgct_info info;
    cgct_err err;
    while (n < POINTS &&
           scanf("%lf %lf %lf %lf %lf", &p[n][0], &p[n][1], &p[n][2], &p[n][3], &p[n][4]) == 5)
        n++;
    if (argc < 2 || n < POINTS) return 2;
    if (mode && !strcmp(argv[1], "trap")) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    if (mode && !strcmp(argv[1], "up")) fesetround(FE_UPWARD);
    if (cgct_open(argv[1 + mode], &t, &err) != CGCT_OK) return puts(err.text), 1;
    cgct_table_info(t, &info);
    if (info.members > MEMBERS) return 2;
    for (int freeze = 0; freeze < 2; freeze++) {
        cgct_set_policy(t, (cgct_policy)freeze);
        put_points(t, info.members, p, n);
        put_slice(t, p, n);
    }
    put_sampler(t, p[0]);
    put_numbers(t, info.members, p[0]);
    put_kinematics();
    cgct_close(t);
    return 0;
}
