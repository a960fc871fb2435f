/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slice of a rounded table takes polynomials on arcs for the sum over modes.  They are held
 * against cgct_eval, which adds the modes: single points, many, and many angles at a place. */
#include "reader/cgctab.h"
#include "synthetic.h"
#include "table_fixture.h"
#include "run_suite.h"

enum { POINTS = 4000, ANGLES = 75 };

/* What arcs may miss at most, as a share of the largest value that the modes allow at any angle;
 * single precision of modes, arcs and weights takes a part of it. */
static const double MISS = 1e-6;

static double largest(const cgct_table *t, const double at[4], int pol)
{
    static double modes[2 * 512];
    double sum = 0;
    ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], 512, modes, NULL), CGCT_OK);
    for (int m = 0; m < 512; m++) sum += (m ? 2 : 1) * fabs(modes[512 * pol + m]);
    return 2 * SYNTHETIC_PI * sum;
}

/* At random places of the grid, of which some are nodes, and at angles of which some are simple. */
static double random_place(const cgct_table *t, int axis, uint64_t *state)
{
    size_t n;
    const double *v = cgct_axis_values(t, (cgct_axis)axis, &n);
    double u = uniform(state);
    if (u < 0.1) return v[(size_t)(uniform(state) * (double)n)];
    return v[0] * pow(v[n - 1] / v[0], uniform(state));
}

static double random_angle(uint64_t *state)
{
    double u = uniform(state);
    if (u < 0.1) return SYNTHETIC_PI / 4 * floor(17 * uniform(state) - 8);
    return 7 * SYNTHETIC_PI * (2 * uniform(state) - 1);
}

/* The scale of what may be missed: I = (1 + ratio) J at the shorter of k1 and k2, both read off at
 * the same place. */
static double scale(const cgct_table *t, double x, double eps, double q, double k1, double theta,
                    int pol)
{
    cgct_info info;
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    double k2 = sqrt(fmax(0, q * q + k1 * k1 - 2 * q * k1 * cos(theta)));
    double first = cgct_axis_values(t, CGCT_AXIS_K, NULL)[0];
    double k = info.fold ? fmax(fmin(k1, k2), first) : k1;
    return (info.fold ? 2 : 1) * largest(t, (double[]){x, eps, q, k}, pol);
}

static void compare_places(const cgct_table *t, const cgct_slice *s, double x, double eps)
{
    static double q[POINTS], k[POINTS], theta[POINTS], many[2 * POINTS];
    uint64_t state = 11;
    size_t first;
    for (int i = 0; i < POINTS; i++) {
        q[i] = random_place(t, CGCT_AXIS_Q, &state);
        k[i] = random_place(t, CGCT_AXIS_K, &state);
        theta[i] = random_angle(&state);
    }
    ck_assert_int_eq(cgct_slice_many(s, POINTS, q, k, theta, many, &first), CGCT_OK);
    ck_assert_uint_eq(first, POINTS);
    for (int i = 0; i < POINTS; i++) {
        double want[2], got[2];
        ck_assert_int_eq(cgct_eval(t, x, eps, q[i], k[i], theta[i], want), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, q[i], k[i], theta[i], got), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            double unit = scale(t, x, eps, q[i], k[i], theta[i], pol);
            CHECK_ABS(got[pol] / unit, want[pol] / unit, MISS);
            CHECK_ABS(many[2 * i + pol] / unit, got[pol] / unit, 1e-13);
        }
    }
}

static void compare_angles(const cgct_table *t, const cgct_slice *s, double x, double eps)
{
    uint64_t state = 12;
    for (int place = 0; place < 40; place++) {
        double q = random_place(t, CGCT_AXIS_Q, &state), k = random_place(t, CGCT_AXIS_K, &state);
        double theta[ANGLES], values[2 * ANGLES];
        size_t n = place % 4 ? ANGLES : (size_t)place / 4;
        for (size_t i = 0; i < n; i++) theta[i] = random_angle(&state);
        ck_assert_int_eq(cgct_slice_angles(s, q, k, n, theta, values), CGCT_OK);
        for (size_t i = 0; i < n; i++) {
            double got[2];
            ck_assert_int_eq(cgct_slice_eval(s, q, k, theta[i], got), CGCT_OK);
            for (int pol = 0; pol < 2; pol++) {
                double unit = scale(t, x, eps, q, k, theta[i], pol);
                CHECK_ABS(values[2 * i + (size_t)pol] / unit, got[pol] / unit, 1e-12);
            }
        }
    }
}

static void compare(const char *path, double x, double eps)
{
    cgct_table *t;
    cgct_slice *s;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_slice_init(&s, t, x, eps, &err) == CGCT_OK, "%s", err.text);
    compare_places(t, s, x, eps);
    compare_angles(t, s, x, eps);
    cgct_slice_free(s);
    cgct_close(t);
}

/* Orders and numbers of values along q and k. */
static void compare_synthetic(const int order[2], size_t nq, size_t nk, int fold)
{
    char folder[PATH_SIZE], path[PATH_SIZE];
    double x[3], eps[4], q[14], k[16];
    synthetic s = {{3, 4, nq, nk}, {x, eps, q, k}, fold};
    cgct_writer_spec spec = {
        .level = 3, .bound = 1e-6, .split = 2, .order = {2, 4, order[0], order[1]}};
    cgct_err err;
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    synthetic_axis(1e-4, 1e-2, 3, x);
    synthetic_axis(0.3, 3, 4, eps);
    synthetic_axis(1, 20, nq, q);
    synthetic_axis(0.1, 20, nk, k);
    ck_assert_msg(synthetic_write(&s, path, spec, &err) == CGCT_OK, "%s", err.text);
    compare(path, 2e-3, 0.8);
    remove_folder(folder);
}

/* Ridges and scales of a production table, with and without folding; orders whose windows have
 * code of their own, that share it and that have none. */
START_TEST(arcs_are_the_sum_over_modes)
{
    static const int order[][2] = {{4, 4}, {6, 6}, {3, 7}, {5, 2}, {8, 8}};
    compare_synthetic(order[_i / 2], 14, 16, _i % 2);
}
END_TEST

START_TEST(short_axes)
{
    static const int order[][2] = {{4, 4}, {6, 6}, {2, 5}};
    static const size_t n[][2] = {{2, 9}, {3, 4}, {5, 7}, {8, 3}, {6, 5}};
    for (int i = 0; i < 5; i++) compare_synthetic(order[_i], n[i][0], n[i][1], i % 2);
}
END_TEST

/* r_m = r^m: many modes that fall slowly need all arcs, or have none that serve. */
static double power_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double r = *(const double *)arg - 0.02 * pol;
    return (1 + 0.1 * sin(log(at[2] * at[3]))) * pow(r, (double)m) / at[2];
}

/* Cells that differ some fifty times in length: a bin of the axis holds several. */
START_TEST(uneven_axes_and_many_modes)
{
    static const double r[] = {0.1, 0.7, 0.93, 0.99};
    fixture f = {.n = {2, 2, 9, 8}, .nm = 400, .bound = 1e-6, .level = 3, .mode = power_mode};
    char folder[PATH_SIZE], path[PATH_SIZE];
    f.arg = &r[_i];
    geometric(1e-3, 1e-2, 2, f.v[0]);
    geometric(0.5, 2, 2, f.v[1]);
    for (int i = 0; i < 9; i++) f.v[2][i] = 1 + 0.005 * (pow(3, i) - 1);
    for (int i = 0; i < 8; i++) f.v[3][i] = 20 - 0.1 * (pow(2.1, 7) - pow(2.1, i));
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    fixture_write(&f, path);
    compare(path, 4e-3, 1.1);
    remove_folder(folder);
}
END_TEST

/* Points that fail give NaN, whatever they hold, and leave their neighbours alone. */
START_TEST(failing_points)
{
    static const double r = 0.5, bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1, 0};
    enum { BAD = sizeof bad / sizeof *bad, EACH = 11 };
    fixture f = {.n = {2, 2, 9, 8}, .nm = 40, .bound = 1e-6, .level = 3, .mode = power_mode};
    char folder[PATH_SIZE], path[PATH_SIZE];
    double at[3][3 * BAD * EACH], all[6 * BAD * EACH], one[2];
    size_t n = 0, first;
    cgct_table *t;
    cgct_slice *s;
    f.arg = &r;
    geometric(1e-3, 1e-2, 2, f.v[0]);
    geometric(0.5, 2, 2, f.v[1]);
    geometric(1, 20, 9, f.v[2]);
    geometric(0.5, 20, 8, f.v[3]);
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    fixture_write(&f, path);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, 4e-3, 1.1, NULL), CGCT_OK);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < BAD; i++)
            for (int j = 0; j < EACH; j++, n++) {
                at[0][n] = 3;
                at[1][n] = 2;
                at[2][n] = 0.1 * (double)n;
                if (j == 5) at[a][n] = bad[i];
            }
    ck_assert_int_ne(cgct_slice_many(s, n, at[0], at[1], at[2], all, &first), CGCT_OK);
    ck_assert_uint_eq(first, 5);
    for (size_t i = 0; i < n; i++) {
        cgct_status st = cgct_slice_eval(s, at[0][i], at[1][i], at[2][i], one);
        for (size_t pol = 0; pol < 2; pol++)
            if (st == CGCT_OK)
                CHECK_REL(all[2 * i + pol], one[pol], 1e-13);
            else
                ck_assert(isnan(all[2 * i + pol]) && isnan(one[pol]) && i % EACH == 5);
    }
    double theta[EACH] = {0.1, NAN, 0.3, INFINITY, 1e300};
    ck_assert_int_eq(cgct_slice_angles(s, 3, 2, EACH, theta, all), CGCT_E_DOMAIN);
    for (int i = 0; i < EACH; i++) ck_assert(isnan(all[2 * i]) == !isfinite(theta[i]));
    cgct_slice_free(s);
    cgct_close(t);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arcs");
    TCase *c = tcase_create("arcs");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, arcs_are_the_sum_over_modes, 0, 10);
    tcase_add_loop_test(c, short_axes, 0, 3);
    tcase_add_loop_test(c, uneven_axes_and_many_modes, 0, 4);
    tcase_add_test(c, failing_points);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
