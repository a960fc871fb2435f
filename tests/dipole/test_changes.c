/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dipoles changed within their numerical error: which sources have them, and that the change of a
 * BK solution is as large as its error. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check_rel.h"
#include "dipole/dipole.h"
#include "run_suite.h"

#define X_MIN 0.0095

static dipole_source *opened_source(const dipole_opts *o)
{
    cgct_err err = {""};
    dipole_source *s;
    ck_assert_msg(dipole_source_open(&s, o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

static dipole_opts evolved(double refine)
{
    return (dipole_opts){.kind = DIPOLE_BK,
                         .set = "mve",
                         .bk = {.coupling = {.freeze = BK_SMOOTH, .C2 = 7.2}, .refine = refine},
                         .xmin = X_MIN};
}

static char file_path[] = "/tmp/cgct_changes_XXXXXX";

/* N of mve at x = 0.01. */
static void write_digits(int digits)
{
    const dipole_opts o = {.kind = DIPOLE_MV, .set = "mve"};
    dipole_source *s = opened_source(&o);
    dipole *d;
    ck_assert_int_eq(dipole_init(&d, s, 0.01, NULL), CGCT_OK);
    FILE *f = fopen(file_path, "w");
    ck_assert_ptr_nonnull(f);
    for (double r = 1e-6; r < 60; r *= 1.05) {
        double r2 = r * r, L;
        dipole_lnS(d, 1, &r2, &L);
        fprintf(f, "%.17g %.*e\n", r, digits - 1, -expm1(L));
    }
    fclose(f);
    dipole_free(d);
    dipole_source_close(s);
}

static size_t count_changes(const dipole_opts *o)
{
    dipole_changes c;
    cgct_err err = {""};
    dipole_source *s = opened_source(o);
    ck_assert_msg(dipole_changes_open(&c, s, &err) == CGCT_OK, "%s", err.text);
    const size_t n = c.n;
    for (size_t i = 0; i < n; i++) ck_assert_double_gt(c.weight[i], 1);
    dipole_changes_close(&c);
    dipole_source_close(s);
    return n;
}

/* Formulas have none, a file two where its noise shows; a solution its coarser one, and what its
 * file has. */
START_TEST(which_have_changes)
{
    dipole_opts o = {.kind = DIPOLE_GBW};
    ck_assert_uint_eq(count_changes(&o), 0);
    o = (dipole_opts){.kind = DIPOLE_MV, .set = "mve"};
    ck_assert_uint_eq(count_changes(&o), 0);
    for (int digits = 6; digits <= 12; digits += 6) {
        write_digits(digits);
        o = (dipole_opts){.kind = DIPOLE_TABLE, .path = file_path};
        ck_assert_uint_eq(count_changes(&o), digits == 6 ? 2 : 0);
        o = evolved(0.25);
        o.set = NULL;
        o.initial = file_path;
        ck_assert_uint_eq(count_changes(&o), digits == 6 ? 3 : 1);
    }
    o = evolved(0.25);
    ck_assert_uint_eq(count_changes(&o), 1);
}
END_TEST

/* The largest difference of ln Gamma at x over r from 1e-4/GeV to where S = 1e-5. */
static double largest_difference(const dipole_source *a, const dipole_source *b, double x)
{
    dipole *p, *q;
    double most = 0;
    ck_assert_int_eq(dipole_init(&p, a, x, NULL), CGCT_OK);
    ck_assert_int_eq(dipole_init(&q, b, x, NULL), CGCT_OK);
    for (double r = 1e-4; r < 100; r *= 1.07) {
        double r2 = r * r, L, M;
        dipole_lnS(p, 1, &r2, &L);
        dipole_lnS(q, 1, &r2, &M);
        if (L < log(1e-5)) break;
        most = larger_error(most, fabs(log(M / L)));
    }
    dipole_free(p);
    dipole_free(q);
    return most;
}

/* A coarse solution against one of four times finer steps. */
START_TEST(change_covers_the_error)
{
    const dipole_opts coarse = evolved(0.25), fine = evolved(1);
    dipole_source *s = opened_source(&coarse), *truth = opened_source(&fine);
    dipole_changes c;
    ck_assert_int_eq(dipole_changes_open(&c, s, NULL), CGCT_OK);
    for (int i = 0; i < 3; i++) {
        const double x = 0.01 * pow(X_MIN / 0.01, 0.5 * i);
        const double error = largest_difference(s, truth, x);
        const double bound = c.weight[0] * largest_difference(s, c.source[0], x);
        if (getenv("CHECK_LONG")) printf("x = %g: error %.2e, bound %.2e\n", x, error, bound);
        ck_assert_double_lt(error, bound);
        ck_assert_double_lt(bound, i ? 100 * error : 1e-3);
    }
    dipole_changes_close(&c);
    dipole_source_close(s);
    dipole_source_close(truth);
}
END_TEST

/* Every impact parameter has a change of its own; they are added with the same shares. */
START_TEST(changes_of_a_nucleus)
{
    dipole_opts o = evolved(0.25);
    dipole_changes c, each;
    o.nucleus = 197;
    o.impacts = 1;
    dipole_source *s = opened_source(&o);
    ck_assert_int_eq(dipole_changes_open(&c, s, NULL), CGCT_OK);
    ck_assert_uint_eq(c.n, 1);
    ck_assert_uint_eq(dipole_source_parts(s), 2);
    ck_assert_uint_eq(dipole_source_parts(c.source[0]), 2);
    double sum = 0;
    for (size_t i = 0; i < 2; i++) {
        double share, same;
        const dipole_source *part = dipole_source_part(s, i, &share);
        const dipole_source *changed = dipole_source_part(c.source[0], i, &same);
        ck_assert(share == same);
        sum += share;
        ck_assert_int_eq(dipole_changes_open(&each, part, NULL), CGCT_OK);
        ck_assert(largest_difference(changed, each.source[0], X_MIN) == 0);
        ck_assert_double_gt(largest_difference(changed, part, X_MIN), 0);
        dipole_changes_close(&each);
    }
    CHECK_REL(sum, 1, 1e-14);
    dipole *d;
    cgct_err err = {""};
    ck_assert_int_eq(dipole_init(&d, s, 0.01, &err), CGCT_E_CONFIG);
    dipole_changes_close(&c);
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    int fd = mkstemp(file_path);
    if (fd < 0) return EXIT_FAILURE;
    close(fd);
    Suite *s = suite_create("changes");
    TCase *t = tcase_create("changes");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, which_have_changes);
    tcase_add_test(t, change_covers_the_error);
    tcase_add_test(t, changes_of_a_nucleus);
    suite_add_tcase(s, t);
    const int failed = run_suite(s);
    unlink(file_path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
