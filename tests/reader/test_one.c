/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One polarisation at a time: the values, bounds and refusals of the calls that give both. */
#include "run_suite.h"
#include "table_folder.h"

enum { POINTS = 400, MEMBERS_MAX = 64 };

/* Some of it beyond the ranges of the table. */
static void any_point(const cgct_info *f, uint64_t *state, double at[5])
{
    const double lo[3] = {f->x[0], f->eps[0], f->q[0]}, hi[3] = {f->x[1], f->eps[1], f->q[1]};
    for (int i = 0; i < 3; i++) at[i] = lo[i] * pow(hi[i] / lo[i], 1.1 * uniform(state) - 0.05);
    at[3] = 1.05 * f->k_max * uniform(state);
    at[4] = 8 * uniform(state) - 4;
}

/* Equal to rounding, or NaN both. */
static void same_number(double got, double want)
{
    if (isnan(want))
        ck_assert_msg(isnan(got), "%g in the place of NaN", got);
    else
        CHECK_REL(got, want, 1e-12);
}

static void same_as_both(const cgct_table *t, size_t n, const double p[5])
{
    double I[2], bound[2], all[2 * MEMBERS_MAX], one, error, some[MEMBERS_MAX + 1];
    const cgct_status st = cgct_eval(t, p[0], p[1], p[2], p[3], p[4], I);
    const cgct_status of_all = cgct_eval_members(t, p[0], p[1], p[2], p[3], p[4], all);
    cgct_eval_error(t, p[0], p[1], p[2], p[3], p[4], bound);
    for (int pol = CGCT_T; pol <= CGCT_L; pol++) {
        ck_assert_int_eq(cgct_eval_one(t, pol, p, &one, &error), st);
        same_number(one, I[pol]);
        same_number(error, bound[pol]);
        ck_assert_int_eq(cgct_eval_one(t, pol, p, &one, NULL), st);
        same_number(one, I[pol]);
        some[n] = 7;
        ck_assert_int_eq(cgct_eval_one_members(t, pol, p, some, &error), of_all);
        for (size_t i = 0; i < n; i++) same_number(some[i], all[2 * i + (size_t)pol]);
        ck_assert(some[n] == 7);
        same_number(error, bound[pol]);
    }
}

/* Members of their own, members from variations, one of these alone, and what is shipped. */
START_TEST(as_both_together)
{
    static const char *const path[] = {GOLDEN_SMALL,
                                       GOLDEN_PANELS "@up",
                                       GOLDEN_VARIED,
                                       GOLDEN_VARIED "@1",
                                       TESTS_DIR "/../tables/gbw.cgct",
                                       TESTS_DIR "/../tables/gold.cgct"};
    uint64_t state = 3;
    cgct_info f;
    cgct_table *t = open_table(path[_i]);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    ck_assert_uint_le(f.members, MEMBERS_MAX);
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    for (int i = 0; i < POINTS; i++) {
        double at[5];
        any_point(&f, &state, at);
        cgct_set_policy(t, i % 2 ? CGCT_POLICY_FREEZE : CGCT_POLICY_ERROR);
        same_as_both(t, f.members, at);
    }
    cgct_close(t);
}
END_TEST

/* 1 where polarisation pol is refused; else its value is that of all. */
static int is_refused(const cgct_table *t, size_t n, int pol, const double at[5], const double *all)
{
    double v[MEMBERS_MAX], error;
    int refused = 0;
    const cgct_status st =
        n ? cgct_eval_one_members(t, pol, at, v, &error) : cgct_eval_one(t, pol, at, v, &error);
    for (size_t i = 0; i < (n ? n : 1); i++) {
        if (n || !isnan(all[pol])) same_number(v[i], all[2 * i + (size_t)pol]);
        refused += isnan(v[i]);
    }
    ck_assert_int_eq(st, refused ? CGCT_E_NEGATIVE : CGCT_OK);
    ck_assert(error > 0);
    return refused > 0;
}

/* A polarisation is refused for its own sake alone, and a member, too. */
START_TEST(negative)
{
    uint64_t state = 5;
    int refused[2] = {0, 0};
    cgct_info f;
    cgct_table *t = open_table(GOLDEN_VARIED);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    cgct_set_policy(t, CGCT_POLICY_FREEZE);
    for (int i = 0; i < POINTS; i++) {
        double p[5], I[2], all[2 * MEMBERS_MAX];
        any_point(&f, &state, p);
        const cgct_status st = cgct_eval(t, p[0], p[1], p[2], p[3], p[4], I);
        cgct_eval_members(t, p[0], p[1], p[2], p[3], p[4], all);
        const int bad[2] = {is_refused(t, 0, CGCT_T, p, I), is_refused(t, 0, CGCT_L, p, I)};
        for (int pol = 0; pol < 2; pol++) {
            refused[pol] += bad[pol];
            is_refused(t, f.members, pol, p, all);
        }
        ck_assert_int_eq(st == CGCT_E_NEGATIVE, bad[0] || bad[1]);
    }
    printf("%d of T and %d of L are refused\n", refused[0], refused[1]);
    ck_assert(refused[0] + refused[1] > 0 && refused[0] + refused[1] < 2 * POINTS);
    cgct_close(t);
}
END_TEST

START_TEST(usage)
{
    const double at[5] = {0.01, 1, 3, 2, 1};
    double v[MEMBERS_MAX], error;
    cgct_table *t = open_table(GOLDEN_PANELS);
    for (int i = 0; i < 2; i++) {
        cgct_status (*call)(const cgct_table *, int, const double *, double *, double *) =
            i ? cgct_eval_one_members : cgct_eval_one;
        v[0] = error = 1;
        ck_assert_int_eq(call(NULL, CGCT_T, at, v, &error), CGCT_E_USAGE);
        ck_assert_int_eq(call(t, CGCT_T, NULL, v, &error), CGCT_E_USAGE);
        ck_assert_int_eq(call(t, CGCT_T, at, NULL, &error), CGCT_E_USAGE);
        ck_assert(isnan(error));
        for (int pol = -1; pol < 4; pol += 3) {
            v[0] = error = 1;
            ck_assert_int_eq(call(t, pol, at, v, &error), CGCT_E_USAGE);
            ck_assert(isnan(v[0]) && isnan(error));
        }
    }
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("one");
    TCase *c = tcase_create("one");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, as_both_together, 0, 6);
    tcase_add_test(c, negative);
    tcase_add_test(c, usage);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
