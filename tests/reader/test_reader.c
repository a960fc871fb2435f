/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that the reader gives: at nodes, between them, outside, folded, sliced. */
#include <float.h>

#include "table_folder.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define PI 3.14159265358979323846
#define TOL_FEW_ULP (16 * DBL_EPSILON)
#define TOL_SMOOTH 2e-12 /* a cubic reproduced over ln s of up to 30 */

static fixture grid(size_t nx, size_t neps, size_t nq, size_t nk, size_t nm, fixture_mode mode)
{
    static const double lo[4] = {1e-4, 0.1, 1, 0.5}, hi[4] = {1e-2, 10, 9, 20};
    fixture f = {.n = {nx, neps, nq, nk}, .nm = nm, .error = 1e-7, .level = 1, .mode = mode};
    for (int a = 0; a < 4; a++) geometric(lo[a], hi[a], f.n[a], f.v[a]);
    return f;
}

static void random_point(const fixture *f, uint64_t *state, double at[5])
{
    for (int a = 0; a < 4; a++) {
        double lo = f->v[a][0], hi = f->v[a][f->n[a] - 1];
        at[a] = lo * pow(hi / lo, uniform(state));
    }
    at[4] = 7 * uniform(state) - 3.5;
}

/* ---- exact interpolation ---- */

/* Degree 3 in each logarithm where the axis has four nodes, less on shorter axes. */
static double cubic(int degree_max, const double at[4], int which)
{
    double sum = 0;
    for (int a = 0; a < 4; a++) {
        double u = log(at[a]), power = 1;
        for (int d = 0; d <= degree_max; d++, power *= u / 3)
            sum += sin(1 + 5 * which + 3 * a + d) * power;
    }
    return sum;
}

static double cubic_mode(int pol, size_t m, const double at[4], const void *arg)
{
    int degree = *(const int *)arg;
    double s = exp(cubic(degree, at, pol) - 2 * log(at[3]) - 5);
    return m ? s * cubic(degree, at, 10 + (int)m) / (double)(m * m) : s;
}

static double sum_directly(const fixture *f, int pol, const double at[5])
{
    double sum = 2 * PI * f->mode(pol, 0, at, f->arg);
    for (size_t m = 1; m < f->nm; m++)
        sum += 4 * PI * (m % 2 ? -1 : 1) * cos((double)m * at[4]) * f->mode(pol, m, at, f->arg);
    return sum;
}

START_TEST(cubics_are_exact)
{
    static const size_t lengths[][4] = {{5, 6, 7, 8}, {4, 4, 4, 4}, {3, 4, 5, 3}, {2, 3, 2, 6},
                                        {1, 2, 2, 2}, {1, 1, 5, 5}, {1, 1, 1, 1}};
    const size_t *n = lengths[_i];
    int degree = 3;
    for (int a = 0; a < 4; a++)
        if (n[a] > 1 && (int)n[a] - 1 < degree) degree = (int)n[a] - 1;
    fixture f = grid(n[0], n[1], n[2], n[3], 70, cubic_mode);
    f.arg = &degree;
    cgct_table *t = open_fixture(&f);
    uint64_t state = 42;
    for (int i = 0; i < 200; i++) {
        double at[5], I[2];
        random_point(&f, &state, at);
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            double scale = 4 * PI * f.mode(pol, 0, at, &degree) * 10;
            CHECK_ABS(I[pol], sum_directly(&f, pol, at), TOL_SMOOTH * scale);
        }
    }
    cgct_close(t);
}
END_TEST

START_TEST(nodes_are_exact)
{
    int degree = 3;
    fixture f = grid(3, 5, 6, 7, 200, cubic_mode);
    f.arg = &degree;
    cgct_table *t = open_fixture(&f);
    for (size_t i = 0; i < 3 * 5 * 6 * 7; i++) {
        double at[5] = {f.v[0][i % 3], f.v[1][i / 3 % 5], f.v[2][i / 15 % 6], f.v[3][i / 90], 0.7};
        double modes[400], I[2], error[2];
        size_t nm;
        ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], 200, modes, &nm), CGCT_OK);
        ck_assert_uint_eq(nm, 200);
        for (size_t j = 0; j < 400; j++)
            CHECK_REL(modes[j], f.mode((int)(j / 200), j % 200, at, &degree), 2 * DBL_EPSILON);
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_OK);
        ck_assert_int_eq(cgct_eval_error(t, at[0], at[1], at[2], at[3], at[4], error), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            double scale = 40 * PI * modes[200 * pol];
            CHECK_ABS(I[pol], sum_directly(&f, pol, at), TOL_FEW_ULP * scale);
            CHECK_REL(error[pol], 1e-7, 2 * DBL_EPSILON);
        }
    }
    cgct_close(t);
}
END_TEST

/* ---- order of convergence ---- */

/* s (1 - r^2)/(1 + 2 r cos theta + r^2) = s [1 + 2 Sum (-r)^m cos(m theta)], r and s smooth. */
static double wave_r(const double at[4])
{
    return 0.3 + 0.1 * sin(log(at[2]) + 0.7 * log(at[3]) + 0.2 * log(at[0] * at[1]));
}

static double wave_s(int pol, const double at[4])
{
    return exp(sin(0.8 * log(at[0])) + cos(log(at[1])) + sin(1.1 * log(at[2]) + pol) +
               cos(0.9 * log(at[3])));
}

static double wave_mode(int pol, size_t m, const double at[4], const void *arg)
{
    (void)arg;
    return wave_s(pol, at) * pow(wave_r(at), (double)m);
}

static double wave_error(size_t n, cgct_policy policy)
{
    fixture f = grid(n, n, n, n, 40, wave_mode);
    cgct_table *t = open_fixture(&f);
    uint64_t state = 7;
    double worst = 0;
    cgct_set_policy(t, policy);
    for (int i = 0; i < 3000; i++) {
        double at[5], I[2];
        random_point(&f, &state, at);
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_OK);
        double r = wave_r(at);
        for (int pol = 0; pol < 2; pol++) {
            double want = 2 * PI * wave_s(pol, at) * (1 - r * r) / (1 + 2 * r * cos(at[4]) + r * r);
            worst = fmax(worst, fabs(I[pol] / want - 1));
            ck_assert(isfinite(I[pol]));
        }
    }
    cgct_close(t);
    return worst;
}

START_TEST(order_is_four)
{
    double coarse = wave_error(9, CGCT_POLICY_ERROR), fine = wave_error(17, CGCT_POLICY_ERROR);
    double order = log2(coarse / fine);
    ck_assert_msg(order > 3.5 && order < 4.5 && fine < 0.02, "errors %.3g and %.3g, order %.3g",
                  coarse, fine, order);
}
END_TEST

/* ---- outside ---- */

START_TEST(outside_the_grid)
{
    fixture f = grid(3, 1, 4, 5, 10, wave_mode);
    cgct_table *t = open_fixture(&f);
    const double inside[5] = {1e-3, 0.1, 2, 3, 1};
    static const char *const name[4] = {"x = ", "eps = ", "q = ", "k = "};
    for (int a = 0; a < 4; a++)
        for (int side = 0; side < 2; side++) {
            double at[5], I[2], frozen[2], edge = f.v[a][side ? f.n[a] - 1 : 0];
            cgct_err err;
            memcpy(at, inside, sizeof at);
            at[a] = edge * (side ? 1 + 1e-11 : 1 - 1e-11);
            cgct_set_policy(t, CGCT_POLICY_ERROR);
            ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_E_RANGE);
            ck_assert(isnan(I[0]) && isnan(I[1]));
            ck_assert_int_eq(cgct_check(t, at[0], at[1], at[2], at[3], at[4], &err), CGCT_E_RANGE);
            ck_assert_msg(strstr(err.text, name[a]) && strstr(err.text, table), "%s", err.text);
            cgct_set_policy(t, CGCT_POLICY_FREEZE);
            at[a] = side ? 3 * edge : edge / 3;
            ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], frozen), CGCT_OK);
            cgct_set_policy(t, CGCT_POLICY_ERROR);
            at[a] = edge * (side ? 1 + 5e-13 : 1 - 5e-13); /* decimal rounding of an end */
            ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_OK);
            ck_assert(I[0] == frozen[0] && I[1] == frozen[1]);
        }
    cgct_close(t);
}
END_TEST

START_TEST(not_a_number)
{
    fixture f = grid(2, 2, 2, 2, 3, wave_mode);
    cgct_table *t = open_fixture(&f);
    const double bad[] = {NAN, INFINITY, -INFINITY, 0, -1};
    cgct_set_policy(t, CGCT_POLICY_FREEZE);
    for (int a = 0; a < 5; a++)
        for (int i = 0; i < (a < 4 ? 5 : 3); i++) {
            double at[5] = {1e-3, 1, 2, 3, 1}, I[2] = {1, 1}, e[2] = {1, 1};
            at[a] = bad[i];
            ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_E_DOMAIN);
            ck_assert_int_eq(cgct_eval_error(t, at[0], at[1], at[2], at[3], at[4], e),
                             CGCT_E_DOMAIN);
            ck_assert(isnan(I[0]) && isnan(I[1]) && isnan(e[0]) && isnan(e[1]));
        }
    cgct_close(t);
}
END_TEST

/* ---- many, slice, threads, cross section ---- */

enum { NPOINT = 400 };

START_TEST(many_and_slice_agree)
{
    fixture f = grid(4, 5, 6, 7, 30, wave_mode);
    cgct_table *t = open_fixture(&f);
    double at[5][NPOINT], I[NPOINT][2], one[2], v[5];
    uint64_t state = 3;
    size_t first;
    for (int i = 0; i < NPOINT; i++) {
        random_point(&f, &state, v);
        for (int a = 0; a < 5; a++) at[a][i] = a < 2 && i % 10 ? at[a][i - 1] : v[a];
    }
    at[2][123] = 1000;
    at[0][200] = NAN;
    ck_assert_int_eq(cgct_eval_many(t, NPOINT, at[0], at[1], at[2], at[3], at[4], I[0], &first),
                     CGCT_E_RANGE);
    ck_assert_uint_eq(first, 123);
    for (int i = 0; i < NPOINT; i++) {
        cgct_status st = cgct_eval(t, at[0][i], at[1][i], at[2][i], at[3][i], at[4][i], one);
        ck_assert(st == CGCT_OK ? I[i][0] == one[0] && I[i][1] == one[1] : isnan(I[i][0]));
        cgct_slice *s;
        if (st != CGCT_OK || i % 20) continue;
        ck_assert_int_eq(cgct_slice_init(&s, t, at[0][i], at[1][i], NULL), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, at[2][i], at[3][i], at[4][i], one), CGCT_OK);
        CHECK_REL(one[0], I[i][0], 100 * DBL_EPSILON);
        CHECK_REL(one[1], I[i][1], 100 * DBL_EPSILON);
        ck_assert_int_eq(cgct_slice_eval(s, 1000, at[3][i], 0, one), CGCT_E_RANGE);
        cgct_slice_free(s);
    }
    cgct_slice *none;
    cgct_err err;
    ck_assert_int_eq(cgct_slice_init(&none, t, 1, 1, &err), CGCT_E_RANGE);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(cgct_eval_many(t, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL), CGCT_OK);
    cgct_close(t);
}
END_TEST

/* No short form of the general rule: modes that no polynomial reproduces. */
static double wavy_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double sum = *(const double *)arg;
    for (int a = 0; a < 4; a++) sum *= 1.5 + sin(2 * log(at[a]) + a + pol);
    return sum * pow(0.4 + 0.1 * sin(at[2] + at[3]), (double)m);
}

/* A slice takes a way of its own for each order, kind of interpolation and kind of number. */
START_TEST(slices_of_all_orders)
{
    fixture f = grid(4, 5, 9, 9, 9, wavy_mode);
    const double unit = 1;
    uint64_t state = 5;
    f.arg = &unit;
    f.split = _i % 3;
    f.bound = _i / 3 % 2 ? 1e-6 : 0;
    f.order[2] = 2 + _i / 6 % 7;
    f.order[3] = 2 + 5 * _i % 7;
    double tol = f.bound > 0 ? 4e-6 : 1e-13;
    cgct_table *t = open_fixture(&f);
    for (int i = 0; i < 20; i++) {
        double at[5], want[2], got[2];
        cgct_slice *s;
        random_point(&f, &state, at);
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], want), CGCT_OK);
        ck_assert_int_eq(cgct_slice_init(&s, t, at[0], at[1], NULL), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, at[2], at[3], at[4], got), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) CHECK_REL(got[pol], want[pol], tol);
        cgct_slice_free(s);
    }
    cgct_close(t);
}
END_TEST

START_TEST(threads_share_a_table)
{
    fixture f = grid(4, 4, 6, 7, 30, wave_mode);
    cgct_table *t = open_fixture(&f);
    int differ = 0;
#pragma omp parallel for num_threads(2) reduction(+ : differ)
    for (int i = 0; i < 2000; i++) {
        double at[5], I[2], again[2];
        uint64_t state = (uint64_t)(i % 100);
        random_point(&f, &state, at);
        cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I);
        cgct_eval(t, at[0], at[1], at[2], at[3], at[4], again);
        double r = wave_r(at);
        double want = 2 * PI * wave_s(0, at) * (1 - r * r) / (1 + 2 * r * cos(at[4]) + r * r);
        differ += !(I[0] == again[0] && fabs(I[0] / want - 1) < 0.5);
    }
    ck_assert_int_eq(differ, 0);
    cgct_close(t);
}
END_TEST

/* Prefactors by hand for z = 1/4, Q2 = 16: eps^2 = 3; z^2 + (1-z)^2 = 5/8; 4 Q2 z^2 (1-z)^2 = 9/4.
 */
START_TEST(cross_section)
{
    fixture f = grid(2, 5, 4, 4, 10, wave_mode);
    cgct_table *t = open_fixture(&f);
    cgct_dis d = {1 / 137.0, 2.0 / 3, 50, 0.25, 16};
    double eps, factor[2], sigma[2], I[2], common = 6.0 / 137 * 2 / 3 * 50 / pow(2 * PI, 6);
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_OK);
    CHECK_REL(eps, sqrt(3), TOL_FEW_ULP);
    CHECK_REL(factor[CGCT_T], common * 15 / 8, TOL_FEW_ULP);
    CHECK_REL(factor[CGCT_L], common * 9 / 4, TOL_FEW_ULP);
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 3, 1, sigma), CGCT_OK);
    ck_assert_int_eq(cgct_eval(t, 1e-3, sqrt(3), 2, 3, 1, I), CGCT_OK);
    CHECK_REL(sigma[CGCT_T], common * 15 / 8 * I[CGCT_T], 100 * DBL_EPSILON);
    CHECK_REL(sigma[CGCT_L], common * 9 / 4 * I[CGCT_L], 100 * DBL_EPSILON);
    d.z = 1;
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 3, 1, sigma), CGCT_E_DOMAIN);
    ck_assert(isnan(sigma[0]) && isnan(sigma[1]));
    d.z = 0.25;
    d.Q2 = NAN;
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, factor), CGCT_E_DOMAIN);
    d.Q2 = 1e6;
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 3, 1, sigma), CGCT_E_RANGE);
    cgct_close(t);
}
END_TEST

START_TEST(null_arguments)
{
    fixture f = grid(2, 2, 2, 2, 3, wave_mode);
    cgct_table *t = open_fixture(&f), *none = t;
    cgct_slice *s;
    cgct_dis d = {1, 1, 1, 0.5, 4};
    double v = 1, I[2];
    size_t n = 9;
    ck_assert_int_eq(cgct_open(NULL, &none, NULL), CGCT_E_USAGE);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(cgct_open(table, NULL, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval(t, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_error(NULL, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_error(t, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_eval_many(t, 1, &v, &v, &v, &v, NULL, I, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_modes(t, 1e-3, 1, 2, 3, 1, NULL, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_modes(t, 1e-3, 1, 2, 3, 0, NULL, &n), CGCT_OK);
    ck_assert_uint_eq(n, 3);
    ck_assert_int_eq(cgct_check(NULL, 1e-3, 1, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_init(NULL, t, 1e-3, 1, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_init(&s, NULL, 1e-3, 1, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_eval(NULL, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_dsigma(t, NULL, 1e-3, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 3, 0, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_set_policy(NULL, CGCT_POLICY_ERROR), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_set_policy(t, (cgct_policy)2), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_table_info(NULL, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_verify_node(NULL, 0, 0, NULL, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_verify_node(t, 2, 0, NULL, NULL), CGCT_E_USAGE);
    ck_assert_ptr_null(cgct_axis_values(NULL, CGCT_AXIS_X, &n));
    ck_assert_ptr_null(cgct_axis_values(t, (cgct_axis)4, NULL));
    ck_assert(!cgct_meta(NULL, "card") && !cgct_meta(t, NULL) && !cgct_meta_count(NULL));
    ck_assert_str_eq(cgct_strerror((cgct_status)99), "unknown status");
    ck_assert_str_eq(cgct_strerror(CGCT_E_RANGE), "point outside the tabulated grid");
    cgct_close(NULL);
    cgct_slice_free(NULL);
    cgct_close(t);
    ck_assert_int_eq(cgct_open_index(table, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_eval(t, 1e-3, 1, 2, 3, 0, I), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_verify_node(t, 1, 1, &n, NULL), CGCT_OK);
    ck_assert_uint_eq(n, 3);
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reader");
    TCase *c = tcase_create("reader");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, cubics_are_exact, 0, 7);
    tcase_add_test(c, nodes_are_exact);
    tcase_add_test(c, order_is_four);
    tcase_add_test(c, outside_the_grid);
    tcase_add_test(c, not_a_number);
    tcase_add_test(c, many_and_slice_agree);
    tcase_add_loop_test(c, slices_of_all_orders, 0, 42);
    tcase_add_test(c, threads_share_a_table);
    tcase_add_test(c, cross_section);
    tcase_add_test(c, null_arguments);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
