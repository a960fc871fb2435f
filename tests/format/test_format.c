/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The container as others see it: a second reader written from FORMAT.md, rounding, unpacking. */
#include <float.h>
#include <sys/wait.h>

#include "synthetic.h"
#include "table_fixture.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif

static char folder[PATH_SIZE], table[PATH_SIZE], other[PATH_SIZE];

static void setup(void)
{
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    path_in(folder, "u.cgct", other);
}

static void teardown(void)
{
    remove_folder(folder);
}

static cgct_table *open_table(const char *path)
{
    cgct_table *t;
    cgct_err err;
    ck_assert_msg(cgct_open(path, &t, &err) == CGCT_OK, "%s", err.text);
    return t;
}

static void random_point(const cgct_table *t, uint64_t *state, double at[5])
{
    for (int a = 0; a < 4; a++) {
        size_t n;
        const double *v = cgct_axis_values(t, (cgct_axis)a, &n);
        at[a] = v[0] * pow(v[n - 1] / v[0], uniform(state));
    }
    at[4] = 7 * uniform(state) - 3.5;
}

/* ---- the second reader ---- */

enum { NPOINT = 60 };

static const char *const golden[] = {GOLDEN_LOSSLESS,     GOLDEN_LOSSLESS_ZSTD, GOLDEN_ROUNDED,
                                     GOLDEN_ROUNDED_ZSTD, GOLDEN_UNPACKED,      GOLDEN_UNPACKED_F64,
                                     GOLDEN_DIFFERENCES};

START_TEST(second_reader_agrees)
{
    char points[PATH_SIZE], values[PATH_SIZE], command[8 * PATH_SIZE];
    double at[NPOINT][5];
    uint64_t state = 5;
    if (system("command -v python3 >/dev/null && command -v zstd >/dev/null") != 0) {
        printf("skipped: no python3 or no zstd\n");
        return;
    }
    cgct_table *t = open_table(golden[_i]);
    path_in(folder, "points", points);
    path_in(folder, "values", values);
    FILE *f = fopen(points, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < NPOINT; i++) {
        random_point(t, &state, at[i]);
        for (int a = 0; a < 5; a++) fprintf(f, "%.17g%c", at[i][a], a < 4 ? ' ' : '\n');
    }
    fclose(f);
    snprintf(command, sizeof command, "python3 %s/read_table.py %s < %s > %s", TESTS_DIR,
             golden[_i], points, values);
    ck_assert_msg(system(command) == 0, "%s", command);
    f = fopen(values, "r");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < NPOINT; i++) {
        double I[2], want[2], modes[2];
        ck_assert_int_eq(fscanf(f, "%lf %lf", &want[0], &want[1]), 2);
        ck_assert_int_eq(cgct_eval(t, at[i][0], at[i][1], at[i][2], at[i][3], at[i][4], I),
                         CGCT_OK);
        ck_assert_int_eq(cgct_modes(t, at[i][0], at[i][1], at[i][2], at[i][3], 1, modes, NULL),
                         CGCT_OK);
        /* Rounded tables and single precision: so much of s, whatever cancels in the sum. */
        double tol = _i < 2 ? 1e-13 : 2e-6;
        for (int pol = 0; pol < 2; pol++)
            CHECK_ABS(I[pol], want[pol], tol * (fabs(want[pol]) + 12 * fabs(modes[pol]) + DBL_MIN));
    }
    fclose(f);
    cgct_close(t);
}
END_TEST

/* ---- rounding ---- */

static void write_small(int fold, double bound, int split, size_t n, cgct_writer_spec *spec)
{
    double v[4][16];
    synthetic s = {{3, 4, n, n + 2}, {v[0], v[1], v[2], v[3]}, fold};
    cgct_err err;
    synthetic_axis(1e-4, 1e-2, 3, v[0]);
    synthetic_axis(0.3, 3, 4, v[1]);
    synthetic_axis(1, 8, n, v[2]);
    synthetic_axis(0.5, 8, n + 2, v[3]);
    *spec = (cgct_writer_spec){.level = 5, .bound = bound, .split = split, .order = {4, 6, 4, 4}};
    ck_assert_msg(synthetic_write(&s, table, *spec, &err) == CGCT_OK, "%s", err.text);
}

/* Every mode of every node within the bound of the unrounded table's, in units of I_0. */
START_TEST(rounding_keeps_its_bound)
{
    static const double bounds[] = {1e-3, 1e-5, 1e-7};
    double bound = bounds[_i], worst = 0, exact[2 * SYNTHETIC_MODES], got[2 * SYNTHETIC_MODES];
    cgct_writer_spec spec;
    write_small(1, 0, 0, 8, &spec);
    cgct_table *t = open_table(table);
    ck_assert_int_eq(rename(table, other), 0);
    write_small(1, bound, 0, 8, &spec);
    cgct_table *r = open_table(table);
    for (size_t i = 0; i < 3 * 4 * 8 * 10; i++) {
        double at[4];
        for (int a = 0; a < 4; a++) {
            static const size_t n[4] = {3, 4, 8, 10}, step[4] = {1, 3, 12, 96};
            at[a] = cgct_axis_values(t, (cgct_axis)a, NULL)[i / step[a] % n[a]];
        }
        ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], SYNTHETIC_MODES, exact, NULL),
                         CGCT_OK);
        ck_assert_int_eq(cgct_modes(r, at[0], at[1], at[2], at[3], SYNTHETIC_MODES, got, NULL),
                         CGCT_OK);
        for (int j = 0; j < 2 * SYNTHETIC_MODES; j++)
            worst =
                fmax(worst, fabs(got[j] - exact[j]) / exact[j / SYNTHETIC_MODES * SYNTHETIC_MODES]);
    }
    double single = 2e-7; /* what is read into memory is rounded to single precision as well */
    ck_assert_msg(worst <= bound + single && worst > 0.3 * bound, "bound %g, found %g", bound,
                  worst);
    cgct_close(t);
    cgct_close(r);
}
END_TEST

/* ---- split interpolation ---- */

/* Largest error of I over I(theta = pi), against the closed form. */
static double split_error(int split, size_t n)
{
    cgct_writer_spec spec;
    uint64_t state = 77;
    double worst = 0;
    write_small(1, 0, split, n, &spec);
    cgct_table *t = open_table(table);
    for (int i = 0; i < 500; i++) {
        double at[5], I[2], want[2];
        random_point(t, &state, at);
        at[0] = 1e-3, at[1] = cgct_axis_values(t, CGCT_AXIS_EPS, NULL)[i % 4];
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I), CGCT_OK);
        synthetic_value(at, at[4], want);
        for (int pol = 0; pol < 2; pol++) worst = fmax(worst, fabs(I[pol] / want[pol] - 1));
    }
    cgct_close(t);
    return worst;
}

/* At nodes in (x,eps) both rules are the same polynomial in (q,k). */
START_TEST(split_equals_product_at_nodes)
{
    double product = split_error(0, 10), split = split_error(1, 10);
    double cross = split_error(2, 10);
    ck_assert_msg(product < 0.5 && fabs(split - product) < 1e-9 && fabs(cross - product) < 1e-9,
                  "%g, %g and %g", product, split, cross);
}
END_TEST

/* ---- unpacked ---- */

START_TEST(unpacked_gives_the_same_bits)
{
    cgct_writer_spec spec;
    cgct_err err;
    cgct_info info;
    uint64_t state = 9;
    write_small(_i & 1, _i & 2 ? 1e-5 : 0, _i & 1, 8, &spec);
    cgct_table *t = open_table(table);
    ck_assert_msg(cgct_unpack(t, other, &err) == CGCT_OK, "%s", err.text);
    cgct_table *u = open_table(other);
    ck_assert_int_eq(cgct_table_info(u, &info), CGCT_OK);
    ck_assert_int_eq(info.unpacked, 1);
    for (size_t i = 0; i < 12; i++)
        ck_assert_msg(cgct_verify_node(u, i / 4, i % 4, NULL, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < 2000; i++) {
        double at[5], a[2], b[2];
        random_point(t, &state, at);
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], a), CGCT_OK);
        ck_assert_int_eq(cgct_eval(u, at[0], at[1], at[2], at[3], at[4], b), CGCT_OK);
        ck_assert(a[0] == b[0] && a[1] == b[1]);
        cgct_eval_error(t, at[0], at[1], at[2], at[3], at[4], a);
        cgct_eval_error(u, at[0], at[1], at[2], at[3], at[4], b);
        ck_assert(a[0] == b[0] && a[1] == b[1]);
    }
    for (size_t i = 0; i < cgct_meta_count(t); i++)
        ck_assert_str_eq(cgct_meta(t, cgct_meta_key(t, i)), cgct_meta(u, cgct_meta_key(t, i)));
    path_in(folder, "none/u.cgct", table);
    ck_assert_int_eq(cgct_unpack(t, table, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "No such file"), "%s", err.text);
    ck_assert_int_eq(cgct_unpack(NULL, other, NULL), CGCT_E_USAGE);
    cgct_close(t);
    cgct_close(u);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("format");
    TCase *c = tcase_create("format");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, second_reader_agrees, 0, sizeof golden / sizeof *golden);
    tcase_add_loop_test(c, rounding_keeps_its_bound, 0, 3);
    tcase_add_test(c, split_equals_product_at_nodes);
    tcase_add_loop_test(c, unpacked_gives_the_same_bits, 0, 4);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
