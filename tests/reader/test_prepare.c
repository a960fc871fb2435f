/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A prepared table against the same table as it was opened: differences in place of neighbours give
 * the same values, or what cgct_prepare says. */
#include "prepared.h"
#include "run_suite.h"
#include "reader/cgctab.h"

/* Up to four nodes nothing is left out: what remains is the step of the fields, some 1e-6 of each
 * mode here. */
START_TEST(four_nodes_exact)
{
    static const int order[][4] = {{4, 4, 4, 4}, {3, 4, 3, 4}, {2, 3, 4, 3}, {2, 2, 2, 2}};
    static const size_t n[][4] = {{6, 7, 9, 11}, {4, 4, 4, 4}, {1, 5, 2, 9},
                                  {3, 1, 3, 3},  {2, 2, 7, 1}, {5, 3, 1, 4}};
    const double bent = 1;
    fixture f = smooth_table(&bent);
    both b;
    memcpy(f.order, order[_i % 4], sizeof f.order);
    memcpy(f.n, n[_i / 8], sizeof f.n);
    fill_axes(&f, _i / 4 % 2);
    open_both(&f, &b);
    int served;
    double miss = differences(b.plain, b.prepared, NULL, &served);
    ck_assert_msg(miss <= 1e-6, "order %d: %g", f.order[3], miss);
    ck_assert_int_gt(served, POINTS / 2);
    close_both(&b);
}
END_TEST

/* One mode that bends along every axis: fields are rounded together with what lies below them in a
 * word, to half a step each.  Rounded one by one they miss 2.8 times as much. */
static double bent_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double sum = 1, mixed = log(at[2]) * log(at[3]);
    (void)pol;
    (void)arg;
    for (int a = 0; a < 4; a++) sum += 1e-3 * log(at[a]) * log(at[a]);
    return m > 1 ? 0 : m == 1 ? 0.1 * (sum + 1e-4 * mixed * mixed) : 1;
}

START_TEST(fields_rounded_together)
{
    fixture f = smooth_table(NULL);
    double rms;
    both b;
    f.mode = bent_mode;
    f.nm = 2;
    fill_axes(&f, 0);
    open_both(&f, &b);
    differences(b.plain, b.prepared, &rms, NULL);
    ck_assert_msg(rms < 4e-8, "%g", rms);
    close_both(&b);
}
END_TEST

/* Steps that differ a hundred and a million times, one cell in the middle of an axis: differences
 * that are far from the polynomials are not used, for ln s (a single mode) as little. */
START_TEST(uneven_steps)
{
    const double bent = 3;
    fixture f = smooth_table(&bent);
    both b, four;
    const double step = _i < 4 ? 3e-3 : 1e-6;
    f.n[2] = 9;
    f.nm = _i < 4 ? f.nm : 1;
    fill_axes(&f, 0);
    for (int i = 0; i < 9; i++) f.v[2][i] = exp(i < 4 ? 0.3 * i : i < 6 ? 1 + step * i : 0.2 * i);
    for (int a = 0; a < 4; a++) f.order[a] = a == 2 ? 5 + _i % 4 : 4;
    open_both(&f, &b);
    f.order[2] = 4;
    open_both(&f, &four);
    double miss = difference(b.plain, b.prepared), all = difference(b.plain, four.plain);
    ck_assert_msg(miss <= 1.05 * all + 1e-6, "order %d: %g of %g", 5 + _i % 4, miss, all);
    close_both(&b);
    close_both(&four);
}
END_TEST

/* Further nodes: a tenth of what they contribute is missed at most, a fifth where steps differ. */
START_TEST(further_nodes_mostly)
{
    const double bent = 3;
    const int order = 5 + _i / 2, uneven = _i % 2;
    fixture f = smooth_table(&bent), less;
    both b, four;
    for (int a = 0; a < 4; a++) f.n[a] = 9, f.order[a] = order;
    fill_axes(&f, uneven);
    less = f;
    for (int a = 0; a < 4; a++) less.order[a] = 4;
    open_both(&f, &b);
    open_both(&less, &four);
    double miss = difference(b.plain, b.prepared), all = difference(b.plain, four.plain);
    ck_assert_msg(all > 2e-5, "order %d: the table is too smooth, %g", order, all);
    ck_assert_msg(miss <= (uneven ? 0.2 : 0.1) * all, "order %d: %g of %g", order, miss, all);
    close_both(&b);
    close_both(&four);
}
END_TEST

START_TEST(nodes_as_they_are)
{
    const double bent = 3;
    fixture f = smooth_table(&bent);
    both b;
    for (int a = 0; a < 4; a++) f.order[a] = 6;
    fill_axes(&f, 1);
    open_both(&f, &b);
    for (size_t i = 0; i < f.n[0] * f.n[1] * f.n[2] * f.n[3]; i++) {
        double q = f.v[2][i / f.n[3] % f.n[2]], k = f.v[3][i % f.n[3]], one[2], two[2];
        double x = f.v[0][i / (f.n[1] * f.n[2] * f.n[3])],
               eps = f.v[1][i / (f.n[2] * f.n[3]) % f.n[1]];
        ck_assert_int_eq(cgct_eval(b.plain, x, eps, q, k, 0.4, one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b.prepared, x, eps, q, k, 0.4, two), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) CHECK_REL(two[pol], one[pol], 1e-14);
    }
    close_both(&b);
}
END_TEST

/* More modes than one pass sums; numbers of modes that differ from point to point, a little and
 * very much: where a corner lacks blocks that count for its differences, it is not served. */
static double power_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const double *range = (const double *)arg;
    double t = log(at[3] / 0.5) / log(40), r = range[0] + (range[1] - range[0]) * t - 0.02 * pol;
    return (1 + 0.1 * sin(log(at[2] * at[3]))) * pow(r, (double)m) / at[2];
}

START_TEST(many_modes)
{
    static const double r[][2] = {{0.3, 0.4}, {0.8, 0.85}, {0.98, 0.99}, {0.3, 0.99}};
    static const double bound[] = {1e-6, 1e-6, 5e-6, 2e-5};
    fixture f = {.n = {3, 4, 12, 24}, .nm = 400, .bound = 1e-6, .level = 3, .split = 2};
    both b;
    f.mode = power_mode;
    f.arg = r[_i];
    fill_axes(&f, 0);
    open_both(&f, &b);
    double miss = difference(b.plain, b.prepared);
    ck_assert_msg(miss <= bound[_i], "%d: %g", _i, miss);
    close_both(&b);
}
END_TEST

/* Ridges and scales of a production table, folded and not. */
START_TEST(production)
{
    char folder[PATH_SIZE], path[PATH_SIZE];
    double x[8], eps[9], q[24], k[30], miss[2][POINTS * 2];
    synthetic s = {{8, 9, 24, 30}, {x, eps, q, k}, _i};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-6, .split = 2, .order = {4, 6, 4, 6}};
    cgct_table *plain, *prepared;
    uint64_t state = 3;
    make_folder(folder);
    path_in(folder, "t.cgct", path);
    synthetic_axis(1e-4, 1e-2, 8, x);
    synthetic_axis(0.3, 3, 9, eps);
    synthetic_axis(1, 10, 24, q);
    synthetic_axis(0.1, 10, 30, k);
    ck_assert_int_eq(synthetic_write(&s, path, spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_open(path, &plain, NULL), CGCT_OK);
    open_prepared(path, &prepared);
    for (int i = 0; i < POINTS; i++) {
        double at[5], exact[2], one[2], two[2];
        for (int a = 0; a < 4; a++) at[a] = random_value(plain, a, &state);
        at[4] = 7 * uniform(&state);
        synthetic_value(at, at[4], exact);
        ck_assert_int_eq(cgct_eval(plain, at[0], at[1], at[2], at[3], at[4], one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(prepared, at[0], at[1], at[2], at[3], at[4], two), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            miss[0][2 * i + pol] = fabs(one[pol] / exact[pol] - 1);
            miss[1][2 * i + pol] = fabs(two[pol] / exact[pol] - 1);
        }
    }
    double sum[2] = {0};
    for (int i = 0; i < 2 * POINTS; i++)
        for (int j = 0; j < 2; j++) sum[j] += log(miss[j][i] + 1e-9) / (2 * POINTS);
    /* as far from the truth as the table itself, on the (geometric) mean */
    ck_assert_msg(sum[1] < sum[0] + 0.1, "%g, plain %g", exp(sum[1]), exp(sum[0]));
    cgct_close(plain);
    cgct_close(prepared);
    remove_folder(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prepare");
    TCase *c = tcase_create("prepare");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, four_nodes_exact, 0, 48);
    tcase_add_test(c, fields_rounded_together);
    tcase_add_loop_test(c, uneven_steps, 0, 8);
    tcase_add_loop_test(c, further_nodes_mostly, 0, 8);
    tcase_add_test(c, nodes_as_they_are);
    tcase_add_loop_test(c, many_modes, 0, 4);
    tcase_add_loop_test(c, production, 0, 2);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
