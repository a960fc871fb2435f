/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding of modes against a closed form, and the check of a table between its nodes. */
#include <float.h>
#include <math.h>

#include "node/stored.h"
#include "run/assembly.h"
#include "synthetic.h"
#include "table_fixture.h"
#include "run_suite.h"
#include "reader/cgctab.h"

enum { NQ = 5, NK = 9 };

/* I itself has a thousand modes above 1e-9; J only some tens. */
static void modes_of(int fold, double *modes, double *q, double *k)
{
    double x[1] = {1e-3}, eps[1] = {1}, error[2 * NQ * NK];
    synthetic s = {{1, 1, NQ, NK}, {x, eps, q, k}, fold};
    double *cosine = malloc((SYNTHETIC_ANGLES + 1) * SYNTHETIC_MODES * sizeof *cosine);
    ck_assert_ptr_nonnull(cosine);
    synthetic_cosines(cosine);
    synthetic_axis(1, 2, NQ, q);
    synthetic_axis(0.1, 3, NK, k);
    synthetic_node(&s, cosine, 0, 0, modes, error);
    free(cosine);
}

START_TEST(modes_of_J)
{
    enum { N = 2 * NQ * NK };
    double q[NQ], k[NK], want[N * SYNTHETIC_MODES], error[N] = {0};
    double *modes = malloc(N * SYNTHETIC_MODES * sizeof *modes);
    modes_of(1, want, q, k);
    modes_of(0, modes, q, k);
    node_modes m = {NQ, NK, SYNTHETIC_MODES, q, k, modes, error};
    ck_assert_int_eq(fold_modes(SYNTHETIC_P, 1e-7, &m, NULL), CGCT_OK);
    ck_assert_msg(m.nm > 10 && m.nm < 60, "%zu modes", m.nm);
    for (size_t i = 0; i < N; i++) {
        const double *J = want + i * SYNTHETIC_MODES;
        for (size_t j = 0; j < m.nm; j++) CHECK_ABS(m.value[i * m.nm + j], J[j], 1.2e-7 * J[0]);
        ck_assert(error[i] >= 0 && error[i] < 1e-4 * J[0]);
    }
    free(m.value);
}
END_TEST

/* 1/(k2^2 + w^2) with w so small that J bends within a thousandth of a turn: the bound covers the
 * modes that there is no room for, although none is too small to keep. */
START_TEST(what_is_cut_off_is_in_the_bound)
{
    enum { MODES = 1500, ANGLES = 1000 };
    const double width = 0.01, a = 1 + width * width / 2, r = a - sqrt(a * a - 1);
    double q[1] = {1}, k[1] = {1}, error[2] = {0};
    double *modes = malloc(2 * MODES * sizeof *modes);
    node_modes J = {1, 1, MODES, q, k, modes, error};
    /* 1/(2 (a - cos theta)) = Sum_m r^|m| cos(m theta)/(2 sqrt(a^2 - 1)) */
    for (int m = 0; m < MODES; m++)
        modes[m] = modes[MODES + m] =
            (m & 1 ? -1 : 1) * pow(r, m) / (4 * SYNTHETIC_PI * sqrt(a * a - 1));
    ck_assert_int_eq(fold_modes(4, 0, &J, NULL), CGCT_OK);
    double worst = 0, largest = 0;
    for (int i = 0; i <= ANGLES; i++) {
        double theta = SYNTHETIC_PI * i / ANGLES, square = 2 * (1 - cos(theta)), sum = 0;
        double want = square * square / (1 + square * square) / (square + width * width);
        for (size_t m = 0; m < J.nm; m++)
            sum +=
                (m ? 4 : 2) * SYNTHETIC_PI * (m & 1 ? -1 : 1) * cos((double)m * theta) * J.value[m];
        worst = fmax(worst, fabs(sum - want));
        largest = fmax(largest, want);
    }
    /* the bound is reached: what remains is the rounding of some thousand terms */
    ck_assert_msg(worst > 1e-9 * largest && worst <= error[0] + 1e-14 * largest &&
                      error[0] < 10 * worst,
                  "off by %g, bound %g, of %g", worst, error[0], largest);
    ck_assert_double_eq(error[0], error[1]);
    free(J.value);
}
END_TEST

/* Where the error exceeds the value: one mode, not negative, and a bound that covers what is lost.
 */
START_TEST(noise_is_isotropic)
{
    enum { MODES = 4 };
    double q[1] = {2}, k[1] = {1}, error[2] = {10, 10};
    double in[2 * MODES] = {0.3, 0.2, 0.1, 0.1, -0.3, 0.2, 0.1, 0.1}, worst[2] = {0};
    double *modes = malloc(sizeof in);
    node_modes folded = {1, 1, MODES, q, k, modes, error};
    memcpy(modes, in, sizeof in);
    ck_assert_int_eq(fold_modes(SYNTHETIC_P, 1e-7, &folded, NULL), CGCT_OK);
    ck_assert_uint_eq(folded.nm, 1);
    ck_assert(folded.value[0] > 0 && folded.value[1] == 0);
    for (int pol = 0; pol < 2; pol++) {
        for (int i = 0; i <= 100; i++) {
            double theta = 0.01 * SYNTHETIC_PI * i, I = 2 * SYNTHETIC_PI * in[MODES * pol];
            for (int m = 1; m < MODES; m++)
                I += 4 * SYNTHETIC_PI * (m & 1 ? -1 : 1) * in[MODES * pol + m] * cos(m * theta);
            double J = I * synthetic_chi(q[0], k[0], theta);
            worst[pol] = fmax(worst[pol], fabs(J - 2 * SYNTHETIC_PI * folded.value[pol]));
        }
        ck_assert_msg(error[pol] >= 10 + worst[pol] - 1e-6, "error %g, off by %g", error[pol],
                      worst[pol]);
        ck_assert(error[pol] < 30);
    }
    free(folded.value);
}
END_TEST

START_TEST(axis_of_J)
{
    double v[3] = {1, 1.1, 1.21};
    const grid_axis k1 = {3, v};
    const fold_range range[] = {{1, 0.1, 0.03}, {1, 2, 2}, {0.5, 0.5, 0.5}};
    grid_axis k;
    ck_assert_int_eq(fold_axis(&k1, &range[0], &k, NULL), CGCT_OK);
    ck_assert_uint_gt(k.n, 19);
    ck_assert_double_eq(k.v[0], 0.03);
    for (size_t i = 1; i < k.n; i++) {
        double most = k.v[i - 1] < 0.099 ? 1.65 : k.v[i - 1] < 0.39 ? 1.34 : 1.101;
        ck_assert(k.v[i] > k.v[i - 1] && k.v[i] < most * k.v[i - 1]);
    }
    for (size_t i = 0; i < 3; i++) ck_assert_double_eq(k.v[k.n - 3 + i], v[i]);
    free(k.v);
    ck_assert_int_eq(fold_axis(&k1, &range[1], &k, NULL), CGCT_OK);
    ck_assert_uint_eq(k.n, 3);
    free(k.v);
    ck_assert_int_eq(fold_axis(&k1, &range[2], &k, NULL), CGCT_OK);
    ck_assert(k.v[0] == 0.5 && k.v[1] < 0.551);
    free(k.v);
}
END_TEST

/* Numbers by hand: a table that is 1 % off at one of four values. */
START_TEST(summary_of_differences)
{
    char folder[PATH_SIZE], table[PATH_SIZE];
    check_point v[2] = {{.at = {1e-3, 1, 1.3, 0.7, 1}}, {.at = {1e-3, 1, 1.7, 0.9, 2}}};
    check_set set = {2, v};
    interpolation_summary s;
    double x[1] = {1e-3}, eps[1] = {1}, q[NQ], k[NK];
    synthetic model = {{1, 1, NQ, NK}, {x, eps, q, k}, 1};
    cgct_writer_spec spec = {.level = 3};
    cgct_table *t;
    make_folder(folder);
    path_in(folder, "t.cgct", table);
    synthetic_axis(1, 2, NQ, q);
    synthetic_axis(0.1, 3, NK, k);
    ck_assert_int_eq(synthetic_write(&model, table, spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    for (int i = 0; i < 2; i++) {
        const double *at = v[i].at;
        ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], at[4], v[i].I), CGCT_OK);
    }
    cgct_close(t);
    v[1].I[0] /= 1.01;
    v[1].error[0] = v[1].I[0];
    ck_assert_int_eq(interpolation_compare(&set, table, &s, NULL), CGCT_OK);
    ck_assert_uint_eq(s.all.n, 4);
    ck_assert_uint_eq(s.negative, 0);
    CHECK_ABS(s.all.median, 0, 1e-15);
    CHECK_REL(s.all.max, 0.01, 1e-12);
    ck_assert_uint_eq(s.resolved.n, 3);
    CHECK_ABS(s.resolved.max, 0, 1e-15);
    v[0].at[2] = 99;
    ck_assert_int_eq(interpolation_compare(&set, table, &s, NULL), CGCT_E_RANGE);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fold");
    TCase *c = tcase_create("fold");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, modes_of_J);
    tcase_add_test(c, what_is_cut_off_is_in_the_bound);
    tcase_add_test(c, noise_is_isotropic);
    tcase_add_test(c, axis_of_J);
    tcase_add_test(c, summary_of_differences);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
