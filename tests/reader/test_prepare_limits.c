/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What preparing a table leaves as it is: flags, noise, other tables, statuses. */
#include "prepared.h"
#include "run_suite.h"
#include "reader/cgctab.h"

/* I_0 < 0 at one point of one node sets its flag. */
static double flagged_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const double *flag = (const double *)arg, none = 0;
    for (int a = 0; a < 4; a++)
        if (fabs(at[a] / flag[a] - 1) > 1e-9) return smooth_mode(pol, m, at, &none);
    return m == 0 ? -1e-30 : 1e-30;
}

/* Around a flag every value is that of the table itself, bit by bit; farther away none need be, and
 * some are not.  Also where no axis has differences. */
START_TEST(flags_as_they_are)
{
    static const size_t n[][4] = {{6, 7, 9, 11}, {5, 5, 5, 5}, {2, 2, 2, 2}, {1, 1, 2, 2}};
    static const int order[] = {4, 2, 4, 4}, least_away[] = {POINTS, POINTS, 0, 0};
    fixture f = smooth_table(NULL);
    uint64_t state = 9;
    double flag[4];
    int away = 0;
    both b;
    f.mode = flagged_mode;
    f.arg = flag;
    memcpy(f.n, n[_i], sizeof f.n);
    for (int a = 0; a < 4; a++) f.order[a] = order[_i];
    fill_axes(&f, 0);
    for (int a = 0; a < 4; a++) flag[a] = f.v[a][f.n[a] / 2];
    open_both(&f, &b);
    for (int i = 0; i < 5 * POINTS; i++) {
        double at[4], one[2], two[2], far = 0;
        for (int a = 0; a < 4; a++) {
            at[a] = random_value(b.plain, a, &state);
            size_t i0 = f.n[a] / 2;
            if (at[a] > flag[a])
                far = fmax(far, log(at[a] / flag[a]) / log(f.v[a][i0 + 1] / flag[a]));
            else if (at[a] < flag[a])
                far = fmax(far, log(flag[a] / at[a]) / log(flag[a] / f.v[a][i0 - 1]));
        }
        ck_assert_int_eq(cgct_eval(b.plain, at[0], at[1], at[2], at[3], 1, one), CGCT_OK);
        ck_assert_int_eq(cgct_eval(b.prepared, at[0], at[1], at[2], at[3], 1, two), CGCT_OK);
        int same = one[0] == two[0] && one[1] == two[1];
        if (far < 1) ck_assert(same);
        for (int pol = 0; pol < 2; pol++)
            if (far > 1) CHECK_REL(two[pol], one[pol], 1e-5);
        away += !same;
    }
    ck_assert_int_ge(away, least_away[_i]);
    close_both(&b);
}
END_TEST

/* Noise from node to node: no field can hold its differences. */
static double noise_mode(int pol, size_t m, const double at[4], const void *arg)
{
    uint64_t state = (uint64_t)(1e9 * (log(at[0]) + 20)) * 31 + (uint64_t)(1e9 * at[1]) * 37 +
                     (uint64_t)(1e9 * at[2]) * 41 + (uint64_t)(1e9 * at[3]) + m;
    (void)pol;
    (void)arg;
    return m == 0 ? 1 : 0.5 * uniform(&state);
}

START_TEST(noise_as_it_is)
{
    fixture f = smooth_table(NULL);
    both b;
    f.mode = noise_mode;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert(difference(b.plain, b.prepared) == 0);
    close_both(&b);
}
END_TEST

/* Without rounding, and by other rules. */
START_TEST(other_tables_as_they_are)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    both b;
    f.bound = _i == 0 ? 0 : f.bound;
    f.split = _i == 0 ? 2 : _i - 1;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert(difference(b.plain, b.prepared) == 0);
    close_both(&b);
}
END_TEST

/* An array gives what its points give alone, in the same order of failures as unprepared. */
START_TEST(arrays)
{
    static const double bad[] = {NAN, INFINITY, -1, 0, 1e300, 1e-300};
    enum { EACH = 7, N = 6 * 5 * EACH };
    const double bent = 1;
    fixture f = smooth_table(&bent);
    double at[5][N], many[2 * N];
    uint64_t state = 4;
    size_t first;
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    for (int policy = 0; policy < 2; policy++) {
        cgct_set_policy(b.plain, (cgct_policy)policy);
        cgct_set_policy(b.prepared, (cgct_policy)policy);
        for (int i = 0; i < N; i++) {
            for (int a = 0; a < 4; a++) at[a][i] = random_value(b.plain, a, &state);
            at[4][i] = 7 * uniform(&state);
            if (i % EACH == 3) at[i / EACH % 5][i] = bad[i / EACH / 5];
        }
        cgct_status st =
            cgct_eval_many(b.prepared, N, at[0], at[1], at[2], at[3], at[4], many, &first);
        size_t expected = N;
        for (int i = 0; i < N; i++) {
            double one[2], plain[2], v[5];
            for (int a = 0; a < 5; a++) v[a] = at[a][i];
            cgct_status s1 = cgct_eval(b.prepared, v[0], v[1], v[2], v[3], v[4], one);
            cgct_status s2 = cgct_eval(b.plain, v[0], v[1], v[2], v[3], v[4], plain);
            ck_assert_int_eq(s1, s2);
            if (s1 != CGCT_OK && expected == N) {
                ck_assert_int_eq(st, s1);
                expected = (size_t)i;
            }
            for (int pol = 0; pol < 2; pol++)
                if (s1 == CGCT_OK)
                    CHECK_REL(many[2 * i + pol], one[pol], 1e-13);
                else
                    ck_assert(isnan(many[2 * i + pol]) && isnan(one[pol]));
        }
        ck_assert_uint_eq(first, expected);
    }
    close_both(&b);
}
END_TEST

/* Unpacked: the same bits; a damaged node is found out, and the rest of the table stays of use. */
START_TEST(mapped)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    char path[PATH_SIZE];
    cgct_table *t;
    cgct_err err;
    double v[2];
    long size;
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    path_in(b.folder, "u.cgct", path);
    ck_assert_int_eq(cgct_unpack(b.plain, path, NULL), CGCT_OK);
    open_prepared(path, &t);
    ck_assert(difference(b.prepared, t) == 0);
    cgct_close(t);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    size = ftell(file) / 2;
    fseek(file, size, SEEK_SET);
    int c = fgetc(file);
    fseek(file, size, SEEK_SET);
    fputc(c ^ 16, file);
    fclose(file);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(t, &err), CGCT_E_CHECKSUM);
    ck_assert_ptr_nonnull(strstr(err.text, "damaged"));
    ck_assert_int_eq(cgct_eval(t, f.v[0][0], f.v[1][0], 2, 2, 1, v), CGCT_OK);
    cgct_close(t);
    close_both(&b);
}
END_TEST

START_TEST(misuse)
{
    const double bent = 1;
    fixture f = smooth_table(&bent);
    cgct_table *t;
    cgct_err err;
    double one[2], two[2];
    both b;
    fill_axes(&f, 0);
    open_both(&f, &b);
    ck_assert_int_eq(cgct_prepare(NULL, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_open_index(b.path, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(t, NULL), CGCT_E_USAGE);
    cgct_close(t);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, one), CGCT_OK);
    ck_assert_int_eq(cgct_prepare(b.prepared, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, two), CGCT_OK);
    ck_assert(one[0] == two[0] && one[1] == two[1]);
    ck_assert_int_eq(cgct_eval(b.prepared, 1e-3, 1, 2, 2, 1, NULL), CGCT_E_USAGE);
    close_both(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prepare_limits");
    TCase *c = tcase_create("prepare_limits");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, flags_as_they_are, 0, 4);
    tcase_add_test(c, noise_as_it_is);
    tcase_add_loop_test(c, other_tables_as_they_are, 0, 3);
    tcase_add_test(c, arrays);
    tcase_add_test(c, mapped);
    tcase_add_test(c, misuse);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
