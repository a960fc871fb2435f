/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dipole models: values and differences against mpmath, properties, options.  Files:
 * test_dipole_file.c */
#include "dipole/dipole_impl.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_rel.h"
#include "dipole/lookup.h"
#include "run_suite.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif

#define TOL_VALUE 1e-14  /* dipole.h: lnS */
#define TOL_DIFF 1e-13   /* dipole.h: diff */
#define TOL_LOOKUP 3e-12 /* dipole/lookup.h */
#define X_TABLE (0.01 * exp(-2.7))

static const char *const names[] = {"gbw", "mv", "mve", "mvgamma", "table"};

static dipole *make(const char *name)
{
    dipole_opts o = {.kind = DIPOLE_MV, .set = name, .path = TESTS_DIR "/refs/dipole_table.dat"};
    if (!strcmp(name, "gbw")) o.kind = DIPOLE_GBW;
    if (!strcmp(name, "table")) o.kind = DIPOLE_TABLE;
    dipole_source *s;
    dipole *d;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s: %s", name, err.text);
    cgct_status st = dipole_init(&d, s, o.kind == DIPOLE_TABLE ? X_TABLE : 0.01, &err);
    ck_assert_msg(st == CGCT_OK, "%s: %s", name, err.text);
    dipole_source_close(s); /* a dipole does not need its source */
    return d;
}

static double lnS(const dipole *d, double r2)
{
    double L;
    dipole_lnS(d, 1, &r2, &L);
    return L;
}

static double diff(const dipole *d, double R2, double x)
{
    double D;
    dipole_diff(d, R2, 1, &x, &D);
    return D;
}

/* At random r^2, and beyond both ends. */
START_TEST(lookup)
{
    enum { POINTS = 200000 };
    const double least = 1e-12, most = 1e6;
    dipole *d = make(names[_i]);
    dipole_lookup t;
    uint64_t seed = 1;
    double worst = 0;
    dipole_lookup_init(&t, d, least, most);
    for (int i = 0; i < POINTS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double r2 = least * pow(most / least, (double)(seed >> 11) * 0x1p-53);
        const double L = lnS(d, r2), off = fabs(dipole_lookup_at(&t, r2) / L - 1);
        ck_assert_msg(off <= TOL_LOOKUP, "%s: r^2 = %.17g: off by %g", names[_i], r2, off);
        worst = larger_error(worst, off);
    }
    printf("%s: lookup off by %.1e\n", names[_i], worst);
    ck_assert(dipole_lookup_at(&t, 0) == dipole_lookup_at(&t, least));
    ck_assert(dipole_lookup_at(&t, 2 * most) == dipole_lookup_at(&t, most));
    dipole_lookup_free(&t);
    dipole_free(d);
}
END_TEST

START_TEST(references)
{
    const char *name = names[_i];
    dipole *d = make(name);
    FILE *f = fopen(TESTS_DIR "/refs/dipole.ref", "r");
    ck_assert_msg(f != NULL, "no file %s", TESTS_DIR "/refs/dipole.ref");
    char line[256], model[16], what;
    double a, b, want;
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%15s %c %lf %lf %lf", model, &what, &a, &b, &want) != 5) continue;
        if (strcmp(model, name) != 0) continue;
        n++;
        double got = what == 'L' ? lnS(d, a) : diff(d, a, b);
        double tol = what == 'L' ? TOL_VALUE : TOL_DIFF, rel = fabs(got - want) / fabs(want);
        ck_assert_msg(got == want || rel <= tol, "%sgot %.17g, rel %.3g > %s = %g", line, got, rel,
                      what == 'L' ? "TOL_VALUE" : "TOL_DIFF", tol);
    }
    fclose(f);
    dipole_free(d);
    ck_assert_int_ge(n, 120);
}
END_TEST

START_TEST(arrays_are_points)
{
    enum { N = 1000 };
    static double x[N], L[N], D[N];
    dipole *d = make(names[_i]);
    for (int i = 0; i < N; i++) x[i] = exp(-14 + 0.02 * i);
    dipole_lnS(d, N, x, L);
    dipole_diff(d, 2.25, N, x, D);
    for (int i = 0; i < N; i += 37) {
        CHECK_REL(L[i], lnS(d, x[i]), TOL_VALUE);
        CHECK_REL(D[i], diff(d, 2.25, x[i]), TOL_VALUE);
    }
    dipole_free(d);
}
END_TEST

/* L(b) - L(a) = -(L(a) - L(b)), and far differences are differences of values. */
START_TEST(differences_are_consistent)
{
    dipole *d = make(names[_i]);
    unsigned seed = 3;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 1103515245u + 12345u;
        double a = exp(-12 + 18 * ((seed >> 8) & 0xffff) / 65536.0);
        double x = ldexp(a, -((int)(seed >> 24) % 45)), b = a + x;
        CHECK_REL(diff(d, a, b - a), -diff(d, b, a - b), TOL_DIFF);
        CHECK_REL(diff(d, a, 40 * a), lnS(d, a + 40 * a) - lnS(d, a), TOL_DIFF);
        CHECK_REL(diff(d, a, -a), -lnS(d, a), TOL_VALUE);
    }
    dipole_free(d);
}
END_TEST

START_TEST(zero_and_nan)
{
    dipole *d = make(names[_i]);
    ck_assert(lnS(d, 0) == 0);
    ck_assert(diff(d, 0, 0) == 0 && diff(d, 1.3, 0) == 0);
    CHECK_REL(diff(d, 0, 2.0), lnS(d, 2.0), 0);
    ck_assert(isnan(lnS(d, NAN)) && isnan(diff(d, 1.0, NAN)));
    dipole_free(d);
}
END_TEST

START_TEST(saturation_scale)
{
    dipole *d = make(names[_i]);
    CHECK_REL(lnS(d, 2 / d->Qs2), -0.5, TOL_VALUE);
    if (_i == 0) CHECK_REL(d->Qs2, pow(3.04e-4 / 0.01, 0.288), TOL_VALUE);
    dipole_free(d);
}
END_TEST

/* Local power of Gamma beyond the cut. */
START_TEST(large_r_power)
{
    dipole *d = make(names[_i]);
    double p = d->power, r2 = 1e20;
    double local = log(lnS(d, 4 * r2) / lnS(d, r2)) / log(2);
    CHECK_REL(local, p, 1e-9);
    if (_i == 0) ck_assert(p == 2 && isinf(d->cut) && d->r_min == 0);
    if (_i == 4) {
        CHECK_REL(d->cut, 13.693348500000001, TOL_VALUE);
        ck_assert(p > 0.5 && p < 2.2);
    }
    dipole_free(d);
}
END_TEST

static const struct {
    dipole_opts o;
    const char *words; /* must appear in the message */
} refused[] = {
    {{.kind = DIPOLE_GBW, .Q0 = -1}, "Q0 = -1"},
    {{.kind = DIPOLE_GBW, .x0 = 2}, "x0 = 2"},
    {{.kind = DIPOLE_GBW, .lambda = NAN}, "nan"},
    {{.kind = DIPOLE_MV, .set = "mvg"}, "'mvg'; want mv, mve or mvgamma"},
    {{.kind = DIPOLE_MV, .ec = 0.3}, "ec = 0.3"},
    {{.kind = DIPOLE_MV, .gamma = -2}, "gamma = -2"},
    {{.kind = DIPOLE_MV, .Lambda = INFINITY}, "Lambda = inf"},
    {{.kind = DIPOLE_TABLE}, "no file named"},
    {{.kind = (dipole_kind)7}, "kind 7"},
};

START_TEST(bad_options)
{
    dipole_source *s;
    cgct_err err = {""};
    ck_assert_int_eq(dipole_source_open(&s, &refused[_i].o, &err), CGCT_E_CONFIG);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(err.text, refused[_i].words) != NULL, "'%s' not in '%s'",
                  refused[_i].words, err.text);
}
END_TEST

START_TEST(options_and_x)
{
    dipole_opts o = {.kind = DIPOLE_GBW, .Q0 = 1.5, .x0 = 0.01};
    dipole_source *s;
    dipole *d;
    cgct_err err = {""};
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_OK);
    ck_assert_int_eq(dipole_init(&d, s, 1e-5, &err), CGCT_OK);
    CHECK_REL(d->Qs2, 2.25, 0); /* lambda = 0 is kept: no x dependence */
    dipole_free(d);
    const double bad[] = {0, -1, 1.5, NAN};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(dipole_init(&d, s, bad[i], &err), CGCT_E_RANGE);
        ck_assert_msg(strstr(err.text, "0 to 1") != NULL, "%s", err.text);
    }
    ck_assert_msg(strstr(s->describe, "Q0 = 1.5 GeV") != NULL, "%s", s->describe);
    ck_assert_str_eq(s->name, "gbw");
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dipole");
    TCase *t = tcase_create("dipole");
    const int n = (int)(sizeof names / sizeof *names);
    tcase_add_loop_test(t, references, 0, n);
    tcase_add_loop_test(t, lookup, 0, n);
    tcase_add_loop_test(t, arrays_are_points, 0, n);
    tcase_add_loop_test(t, differences_are_consistent, 0, n);
    tcase_add_loop_test(t, zero_and_nan, 0, n);
    tcase_add_loop_test(t, saturation_scale, 0, n);
    tcase_add_loop_test(t, large_r_power, 0, 5);
    tcase_add_loop_test(t, bad_options, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, options_and_x);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
