/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader does beside the numbers themselves: ranges and policies, arguments that make no
 * sense, small angles, cross sections, what a table says of itself. */
#include <float.h>

#include "table_fixture.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define TOL_FEW_ULP (16 * DBL_EPSILON)

static char folder[PATH_SIZE], table[PATH_SIZE];
static cgct_table *panels;

static cgct_table *open_table(const char *path)
{
    cgct_table *t;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    return t;
}

static void setup(void)
{
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    panels = open_table(GOLDEN_PANELS);
}

static void teardown(void)
{
    cgct_close(panels);
    remove_folder(folder);
}

/* ---- ranges ---- */

static const double inside[5] = {1e-3, 1, 2, 0.5, 1};

static cgct_status eval_at(const double at[5], double I[2])
{
    return cgct_eval(panels, at[0], at[1], at[2], at[3], at[4], I);
}

/* The ends of x, eps, q and k, each beyond it by 1e-11 and 5e-13 of it, and far away. */
START_TEST(ends)
{
    static const char *const name[4] = {"x = ", "eps = ", "q = ", "k = the shorter"};
    cgct_info info;
    ck_assert_int_eq(cgct_table_info(panels, &info), CGCT_OK);
    const double end[4][2] = {{info.x[0], info.x[1]},
                              {info.eps[0], info.eps[1]},
                              {info.q[0], info.q[1]},
                              {info.k_max, info.k_max}};
    for (int a = 0; a < 4; a++)
        for (int side = a == 3; side < 2; side++) {
            double at[5], want[2], I[2], edge = end[a][side], beyond = side ? edge : -edge;
            cgct_err err;
            memcpy(at, inside, sizeof at);
            if (a == 3) at[4] = M_PI; /* k1 is the shorter */
            at[a] = edge;
            ck_assert_int_eq(eval_at(at, want), CGCT_OK);
            at[a] = edge + 5e-13 * beyond;
            ck_assert_int_eq(eval_at(at, I), CGCT_OK);
            for (int pol = 0; pol < 2; pol++) CHECK_REL(I[pol], want[pol], 1e-13);
            at[a] = edge + 1e-11 * beyond;
            ck_assert_int_eq(eval_at(at, I), CGCT_E_RANGE);
            ck_assert(isnan(I[0]) && isnan(I[1]));
            ck_assert_int_eq(cgct_check(panels, at[0], at[1], at[2], at[3], at[4], &err),
                             CGCT_E_RANGE);
            ck_assert_msg(strstr(err.text, name[a]) && strstr(err.text, "panels.cgct"), "%s",
                          err.text);
            cgct_set_policy(panels, CGCT_POLICY_FREEZE);
            for (int far = 0; far < 2; far++) {
                at[a] = !far ? edge + 1e-11 * beyond : side ? 1e300 : 1e-300;
                ck_assert_int_eq(eval_at(at, I), CGCT_OK);
                ck_assert_int_eq(cgct_check(panels, at[0], at[1], at[2], at[3], at[4], &err),
                                 CGCT_OK);
                /* below the smallest eps it is eps^2 I_T that stays, down to 1e-20 of it */
                const double rise = a == 1 && !side ? edge / fmax(at[a], 1e-20 * edge) : 1;
                if (a != 3) CHECK_REL(I[CGCT_T], want[CGCT_T] * rise * rise, 1e-13);
                if (a != 3) CHECK_REL(I[CGCT_L], want[CGCT_L], 1e-13);
                ck_assert(isfinite(I[0]) && isfinite(I[1]));
            }
            cgct_set_policy(panels, CGCT_POLICY_ERROR);
        }
}
END_TEST

/* A frozen k keeps its angle: at theta = pi the upper patch ends at t = -1 for every k. */
START_TEST(frozen_momentum)
{
    double want[2], I[2];
    cgct_set_policy(panels, CGCT_POLICY_FREEZE);
    ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, 30, M_PI, want), CGCT_OK);
    ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, 300, M_PI, I), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) CHECK_REL(I[pol], want[pol], TOL_FEW_ULP);
}
END_TEST

START_TEST(not_a_number)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0};
    double out[6], v[2];
    for (int policy = 0; policy < 2; policy++)
        for (int a = 0; a < 5; a++)
            for (int i = 0; i < (a < 3 ? 5 : a == 3 ? 4 : 3); i++) {
                double at[5];
                memcpy(at, inside, sizeof at);
                at[a] = bad[i];
                ck_assert_int_eq(cgct_set_policy(panels, (cgct_policy)policy), CGCT_OK);
                ck_assert_int_eq(eval_at(at, v), CGCT_E_DOMAIN);
                ck_assert(isnan(v[0]) && isnan(v[1]));
                ck_assert_int_eq(cgct_eval_error(panels, at[0], at[1], at[2], at[3], at[4], v),
                                 CGCT_E_DOMAIN);
                ck_assert(isnan(v[0]) && isnan(v[1]));
                ck_assert_int_eq(cgct_reference(panels, at[0], at[1], at[2], at[3], at[4], v),
                                 CGCT_E_DOMAIN);
                ck_assert(isnan(v[0]) && isnan(v[1]));
                ck_assert_int_eq(cgct_eval_members(panels, at[0], at[1], at[2], at[3], at[4], out),
                                 CGCT_E_DOMAIN);
                ck_assert(isnan(out[0]) && isnan(out[5]));
                if (a == 4) continue;
                ck_assert_int_eq(cgct_modes(panels, at[0], at[1], at[2], at[3], 3, out),
                                 CGCT_E_DOMAIN);
                ck_assert(isnan(out[0]) && isnan(out[5]));
            }
}
END_TEST

/* Where k1 is nearly q, k2 is small: computed from the small difference and the small angle. */
START_TEST(small_second_momentum)
{
    const double q = 2, part[4] = {0, 1e-4, 1e-8, 1e-12};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double I[2], want[2], k1 = q * (1 + part[i]), d = k1 - q, s = sin(part[j] / 2);
            double k2 = sqrt(d * d + 4 * q * k1 * s * s);
            double angle = atan2(-k1 * sin(part[j]), -d + 2 * k1 * s * s);
            ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, q, k1, part[j], I), CGCT_OK);
            ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, q, k2, angle, want), CGCT_OK);
            for (int pol = 0; pol < 2; pol++) CHECK_REL(I[pol], want[pol], 1e-13);
        }
}
END_TEST

/* Angles are periodic and even; k1 = 0 has none. */
START_TEST(periodic)
{
    const double theta[] = {0.3, 0.3 + 2 * M_PI, -0.3, 0.3 - 2000 * M_PI, 0.3 + 4e6 * M_PI};
    const double k1[] = {0.4, 1.9, 2.5};
    for (int k = 0; k < 3; k++) {
        double want[2], I[2];
        ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, k1[k], theta[0], want), CGCT_OK);
        for (int i = 1; i < 5; i++) {
            ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, k1[k], theta[i], I), CGCT_OK);
            for (int pol = 0; pol < 2; pol++) CHECK_REL(I[pol], want[pol], i < 4 ? 1e-11 : 1e-7);
        }
    }
    for (int i = 0; i < 5; i++) {
        double a[2], b[2];
        ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, 0, theta[i], a), CGCT_OK);
        ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, 2, 0, b), CGCT_OK); /* k2 = 0 */
        for (int pol = 0; pol < 2; pol++) CHECK_REL(a[pol], b[pol], TOL_FEW_ULP);
    }
}
END_TEST

/* ---- values below 0 ---- */

START_TEST(negative_values)
{
    cgct_table *t = open_table(GOLDEN_NEGATIVE);
    double I[2], kept[2], angles[2];
    int below = 0;
    for (int i = 0; i < 100; i++) {
        double theta = M_PI * i / 99;
        cgct_slice *s;
        cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
        ck_assert_int_eq(cgct_eval(t, 0.005, 0.5, 2.5, 1.2, theta, kept), CGCT_OK);
        cgct_set_negative(t, CGCT_NEGATIVE_ZERO);
        ck_assert_int_eq(cgct_eval(t, 0.005, 0.5, 2.5, 1.2, theta, I), CGCT_OK);
        ck_assert_int_eq(cgct_slice_init(&s, t, 0.005, 0.5, NULL), CGCT_OK);
        ck_assert_int_eq(cgct_slice_angles(s, 2.5, 1.2, 1, &theta, angles), CGCT_OK);
        cgct_slice_free(s);
        for (int pol = 0; pol < 2; pol++) {
            below += kept[pol] < 0;
            ck_assert(I[pol] == (kept[pol] > 0 ? kept[pol] : 0));
            ck_assert((angles[pol] == 0) == (I[pol] == 0));
        }
    }
    ck_assert_int_gt(below, 0);
    cgct_close(t);
}
END_TEST

/* ---- arrays ---- */

START_TEST(arrays)
{
    enum { N = 400 };
    static double at[5][N], I[N][2], slice[N][2];
    uint64_t state = 3;
    size_t first;
    cgct_slice *s;
    for (int i = 0; i < N; i++) {
        const double lo[4] = {1e-4, 0.1, 0.5, 0.01}, hi[4] = {1e-2, 8, 20, 20};
        for (int a = 0; a < 4; a++)
            at[a][i] = a < 2 && i % 10 ? at[a][i - 1] : lo[a] * pow(hi[a] / lo[a], uniform(&state));
        at[4][i] = 7 * uniform(&state) - 3.5;
    }
    at[2][123] = 1000;
    at[0][200] = NAN;
    at[4][300] = INFINITY;
    ck_assert_int_eq(cgct_eval_many(panels, N, at[0], at[1], at[2], at[3], at[4], I[0], &first),
                     CGCT_E_RANGE);
    ck_assert_uint_eq(first, 123);
    for (int i = 0; i < N; i++) {
        double one[2];
        cgct_status st = cgct_eval(panels, at[0][i], at[1][i], at[2][i], at[3][i], at[4][i], one);
        ck_assert(st == CGCT_OK || i == 123 || i == 200 || i == 300);
        for (int pol = 0; pol < 2; pol++) {
            if (st == CGCT_OK)
                CHECK_REL(I[i][pol], one[pol], 1e-13);
            else
                ck_assert(isnan(I[i][pol]));
        }
    }
    ck_assert_int_eq(cgct_slice_init(&s, panels, at[0][0], at[1][0], NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_many(s, N, at[2], at[3], at[4], slice[0], &first), CGCT_E_RANGE);
    ck_assert_uint_eq(first, 123);
    ck_assert(isnan(slice[123][0]) && isnan(slice[300][1]));
    for (int i = 0; i < 20; i++)
        if (at[0][i] == at[0][0]) CHECK_REL(slice[i][0], I[i][0], 1e-12);
    ck_assert_int_eq(cgct_slice_angles(s, 2, 1.5, N, at[4], slice[0]), CGCT_E_DOMAIN);
    ck_assert(isnan(slice[300][0]) && slice[299][0] > 0 && slice[301][1] > 0);
    cgct_slice_free(s);
    ck_assert_int_eq(cgct_eval_many(panels, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL), CGCT_OK);
}
END_TEST

/* ---- cross section ---- */

/* Prefactors by hand for z = 1/4, Q2 = 16: eps^2 = 3; z^2 + (1-z)^2 = 5/8; 4 Q2 z^2 (1-z)^2 =
 * 9/4. */
START_TEST(cross_section)
{
    cgct_dis d = {1 / 137.0, 2.0 / 3, 50, 0.25, 16, 0};
    double eps, factor[2][2], sigma[2], I[2], common = 6.0 / 137 * 2 / 3 * 50 / pow(2 * M_PI, 6);
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_OK);
    CHECK_REL(eps, sqrt(3), TOL_FEW_ULP);
    CHECK_REL(factor[CGCT_T][CGCT_T], common * 15 / 8, TOL_FEW_ULP);
    CHECK_REL(factor[CGCT_L][CGCT_L], common * 9 / 4, TOL_FEW_ULP);
    ck_assert(factor[CGCT_T][CGCT_L] == 0 && factor[CGCT_L][CGCT_T] == 0);
    ck_assert_int_eq(cgct_dsigma(panels, &d, 1e-3, 2, 0.5, 1, sigma), CGCT_OK);
    ck_assert_int_eq(cgct_eval(panels, 1e-3, sqrt(3), 2, 0.5, 1, I), CGCT_OK);
    CHECK_REL(sigma[CGCT_T], common * 15 / 8 * I[CGCT_T], 1e-13);
    CHECK_REL(sigma[CGCT_L], common * 9 / 4 * I[CGCT_L], 1e-13);
    d.S_perp = 0; /* that of the table: 70.5 */
    ck_assert_int_eq(cgct_dsigma(panels, &d, 1e-3, 2, 0.5, 1, sigma), CGCT_OK);
    CHECK_REL(sigma[CGCT_T], common * 70.5 / 50 * 15 / 8 * I[CGCT_T], 1e-13);
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_E_DOMAIN);
    cgct_table *small = open_table(GOLDEN_SMALL); /* states no area */
    d.Q2 = 8;
    ck_assert_int_eq(cgct_dsigma(small, &d, 0.005, 1.5, 0.5, 1, sigma), CGCT_E_DOMAIN);
    d.S_perp = 50;
    ck_assert_int_eq(cgct_dsigma(small, &d, 0.005, 1.5, 0.5, 1, sigma), CGCT_OK);
    cgct_close(small);
    d.z = 1;
    ck_assert_int_eq(cgct_dsigma(panels, &d, 1e-3, 2, 0.5, 1, sigma), CGCT_E_DOMAIN);
    ck_assert(isnan(sigma[0]) && isnan(sigma[1]));
    d.z = 0.25;
    d.Q2 = 1e6;
    ck_assert_int_eq(cgct_dsigma(panels, &d, 1e-3, 2, 0.5, 1, sigma), CGCT_E_RANGE);
}
END_TEST

/* ---- what a table says of itself ---- */

/* Segments are unpacked when they are needed, once: then the memory grows, and the values stay. */
START_TEST(unpacks_what_is_needed)
{
    cgct_table *t;
    cgct_info i;
    double I[2], again[2], memory;
    ck_assert_int_eq(cgct_open(GOLDEN_PANELS, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_table_info(t, &i), CGCT_OK);
    for (int corner = 0; corner < 4; corner++) {
        const double x = i.x[corner / 2], eps = i.eps[corner % 2];
        memory = i.memory_bytes;
        ck_assert_int_eq(cgct_eval(t, x, eps, 2, 0.5, 1, I), CGCT_OK);
        ck_assert_int_eq(cgct_table_info(t, &i), CGCT_OK);
        ck_assert(i.memory_bytes > memory + 1000);
        memory = i.memory_bytes;
        ck_assert_int_eq(cgct_eval(t, x, eps, 2, 0.5, 1, again), CGCT_OK);
        ck_assert(again[0] == I[0] && again[1] == I[1]);
        ck_assert_int_eq(cgct_table_info(t, &i), CGCT_OK);
        ck_assert(i.memory_bytes == memory);
    }
    ck_assert_int_eq(cgct_load(t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_table_info(t, &i), CGCT_OK);
    ck_assert(i.memory_bytes == memory);
    ck_assert_int_eq(cgct_load(NULL, NULL), CGCT_E_USAGE);
    cgct_close(t);
}
END_TEST

START_TEST(says_of_itself)
{
    cgct_info i;
    size_t n;
    ck_assert_int_eq(cgct_table_info(panels, &i), CGCT_OK);
    ck_assert(i.format_major == 2 && i.format_minor == 0 && i.data_version == 3);
    ck_assert(i.nq == 9 && i.nk_lower == 9 && i.nk_upper == 8 && i.modes == 12 && i.members == 3);
    ck_assert(i.segments == 4 && i.rank == 6 && i.k0 == 0.25 && i.k_max == 30);
    ck_assert(i.order[0] == 32 && i.order[1] == 6 && i.order[2] == 4 && i.order[3] == 6);
    ck_assert(i.file_bytes == 49760 && i.memory_bytes > 1000 && i.checksum != 0);
    const double *x = cgct_axis_values(panels, CGCT_AXIS_X, &n);
    ck_assert(n == 8 && x[0] == i.x[0] && x[7] == i.x[1]);
    ck_assert(cgct_axis_values(panels, CGCT_AXIS_EPS, &n)[10] == i.eps[1] && n == 11);
    const double *q = cgct_axis_values(panels, CGCT_AXIS_Q, &n);
    ck_assert(n == 9 && q[0] == i.q[0] && q[8] == i.q[1]);
    for (size_t iq = 0; iq < n; iq++) {
        double K = 30 * pow(1 + pow(q[iq] / 60, 4), 0.25);
        ck_assert(cgct_node_k(panels, iq, 0) == 0);
        ck_assert(cgct_node_k(panels, iq, 8) == q[iq] / 2 &&
                  cgct_node_k(panels, iq, 9) == q[iq] / 2);
        CHECK_REL(cgct_node_k(panels, iq, 4), q[iq] / 4, 1e-14); /* v = 1/2 */
        double B = asinh(2 * q[iq]) / 2,
               v = (1 + atanh((4 * cgct_node_k(panels, iq, 2) / q[iq] - 1) * tanh(B)) / B) / 2;
        CHECK_REL(v, 0.25, 1e-12);
        CHECK_REL(cgct_node_k(panels, iq, 16), K, 1e-14);
        ck_assert(isnan(cgct_node_k(panels, iq, 17)));
    }
    ck_assert(isnan(cgct_node_k(panels, 9, 0)));
    ck_assert_str_eq(cgct_meta(panels, "card"), "[axes]\nq = 1,2\n");
    ck_assert_str_eq(cgct_meta_key(panels, 0), "quantity");
    ck_assert_uint_eq(cgct_meta_count(panels), 9);
    ck_assert(!cgct_meta_key(panels, 9) && !cgct_meta(panels, "nothing"));
    ck_assert_str_eq(cgct_table_path(panels), GOLDEN_PANELS);
    ck_assert_str_eq(cgct_strerror((cgct_status)99), "unknown status");
    ck_assert_str_eq(cgct_strerror(CGCT_E_RANGE), "point outside the tabulated grid");
}
END_TEST

START_TEST(null_arguments)
{
    cgct_table *none = panels;
    cgct_slice *s;
    cgct_dis d = {1, 1, 1, 0.5, 4, 0};
    double v = 1, I[2];
    size_t n = 9;
    ck_assert_int_eq(cgct_open(NULL, &none, NULL), CGCT_E_USAGE);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(cgct_open(GOLDEN_SMALL, NULL, NULL), CGCT_E_USAGE);
    none = panels;
    ck_assert_int_eq(cgct_open_memory(NULL, 0, NULL, &none, NULL), CGCT_E_USAGE);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(cgct_open_memory(&v, 8, NULL, NULL, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval(panels, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_error(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_error(panels, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_reference(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_reference(panels, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_many(panels, 1, &v, &v, &v, &v, NULL, I, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_modes(panels, 1e-3, 1, 2, 3, 1, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_modes(NULL, 1e-3, 1, 2, 3, 1, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_modes(panels, 1e-3, 1, 2, 0.5, 0, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_check(NULL, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_members(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_members(panels, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_uncertainty(NULL, 1e-3, 1, 2, 3, 0, I, I, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_uncertainty(panels, 1e-3, 1, 2, 3, 0, I, NULL, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_init(NULL, panels, 1e-3, 1, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_init(&s, NULL, 1e-3, 1, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_eval(NULL, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_many(NULL, 1, &v, &v, &v, I, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_angles(NULL, 2, 1, 1, &v, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_modes(NULL, 2, 3, 1, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_dsigma(panels, NULL, 1e-3, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_dsigma(panels, &d, 1e-3, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_set_policy(NULL, CGCT_POLICY_ERROR), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_set_policy(panels, (cgct_policy)2), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_set_negative(panels, (cgct_negative)2), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_table_info(NULL, NULL), CGCT_E_USAGE);
    ck_assert_ptr_null(cgct_axis_values(NULL, CGCT_AXIS_X, &n));
    ck_assert_ptr_null(cgct_axis_values(panels, (cgct_axis)3, NULL));
    ck_assert(!cgct_meta(NULL, "card") && !cgct_meta(panels, NULL) && !cgct_meta_count(NULL));
    ck_assert(!cgct_member_name(NULL, 0) && !cgct_table_path(NULL) && n == 0);
    cgct_close(NULL);
    cgct_slice_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reader");
    TCase *c = tcase_create("reader");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, ends);
    tcase_add_test(c, frozen_momentum);
    tcase_add_test(c, not_a_number);
    tcase_add_test(c, small_second_momentum);
    tcase_add_test(c, periodic);
    tcase_add_test(c, negative_values);
    tcase_add_test(c, arrays);
    tcase_add_test(c, cross_section);
    tcase_add_test(c, unpacks_what_is_needed);
    tcase_add_test(c, says_of_itself);
    tcase_add_test(c, null_arguments);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
