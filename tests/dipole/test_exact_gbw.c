/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact GBW values: mpmath, METHOD.md 7.1's digits, the small-q limit, scaling, the domain. */
#include "dipole/exact_gbw.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "check_rel.h"
#include "run_suite.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif

#define PI 3.14159265358979323846
#define TOL_EXACT 1e-10   /* exact_gbw.h */
#define TOL_SAME 1e-12    /* two evaluations of the same number by shifted rules */
#define TOL_PRINTED 6e-10 /* ten printed digits */

static void value(double q, double K, double eps, double Qs2, double I[2])
{
    cgct_err err = {""};
    ck_assert_msg(exact_gbw(q, K, eps, Qs2, I, &err) == CGCT_OK, "%s", err.text);
}

START_TEST(references)
{
    FILE *f = fopen(TESTS_DIR "/refs/exact_gbw.ref", "r");
    ck_assert_msg(f != NULL, "no file %s", TESTS_DIR "/refs/exact_gbw.ref");
    char line[256];
    double q, K, eps, Qs2, T, L, dev, I[2];
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &q, &K, &eps, &Qs2, &T, &L, &dev) != 7)
            continue;
        n++;
        /* exponential convergence: a rule finer by 1.3 has the error dev^1.3 */
        ck_assert_msg(pow(dev, 1.3) < TOL_EXACT / 10, "reference not good enough: %s", line);
        value(q, K, eps, Qs2, I);
        ck_assert_msg(fabs(I[0] / T - 1) <= TOL_EXACT && fabs(I[1] / L - 1) <= TOL_EXACT,
                      "%sgot %.17g %.17g, rel %.3g %.3g > TOL_EXACT", line, I[0], I[1],
                      I[0] / T - 1, I[1] / L - 1);
    }
    fclose(f);
    ck_assert_int_ge(n, 10);
}
END_TEST

START_TEST(design_values)
{
    double I[2];
    value(1, 1, 1, 1, I);
    CHECK_REL(I[1], 8.317823456, TOL_PRINTED);
    CHECK_REL(I[0], 14.57719359, TOL_PRINTED);
    value(2, 2, 1, 1, I);
    CHECK_REL(I[1], 0.2218122442, TOL_PRINTED);
    CHECK_REL(I[0], 0.3369530444, TOL_PRINTED);
    value(1, 5, 2, 1, I);
    CHECK_REL(I[1], 1.083476730e-2, TOL_PRINTED);
    CHECK_REL(I[0], 3.14187884e-2, TOL_PRINTED);
}
END_TEST

/* METHOD.md 7.3, corrections O(Qs^2/D): (2 pi)^2 4K^2/D^4 pi E1(q^2/2Qs^2), (2 pi)^2
 * 2(K^4+eps^4)/(D^4 eps^2) ... */
START_TEST(small_q_limit)
{
    const double q = 1e-5, K = 3, eps = 2, Qs2 = 1e-7, D = K * K + eps * eps;
    const double z = q * q / (2 * Qs2); /* 5e-4; E1 by its series */
    double E1 = -0.57721566490153286 - log(z) + z - z * z / 4 + z * z * z / 18, I[2];
    const double f = 4 * PI * PI * PI * E1 / pow(D, 4);
    value(q, K, eps, Qs2, I);
    CHECK_REL(I[1], f * 4 * K * K, 1e-6);
    CHECK_REL(I[0], f * 2 * (pow(K, 4) + pow(eps, 4)) / (eps * eps), 1e-6);
}
END_TEST

START_TEST(scaling)
{
    double a[2], b[2];
    const double p[][4] = {{0.3, 2, 0.7, 0.4}, {3, 7, 4, 0.36}, {1, 0, 0.1, 1.1}};
    for (int i = 0; i < 3; i++) {
        value(p[i][0], p[i][1], p[i][2], p[i][3], a);
        value(2 * p[i][0], 2 * p[i][1], 2 * p[i][2], 4 * p[i][3], b);
        CHECK_REL(b[0], a[0] / 64, TOL_SAME);
        CHECK_REL(b[1], a[1] / 64, TOL_SAME);
    }
}
END_TEST

/* Corners of the promised range: converges, positive, fast. */
START_TEST(range)
{
    const double qs[] = {0.1, 4}, Ks[] = {0, 0.5, 40}, es[] = {0.05, 20}, Qs[] = {0.1, 3};
    double I[2];
    clock_t t0 = clock();
    for (int i = 0; i < 24; i++) {
        value(qs[i % 2], Ks[i / 2 % 3], es[i / 6 % 2], Qs[i / 12], I);
        ck_assert_msg(I[0] > 0 && I[1] > 0, "q %g K %g eps %g Qs2 %g: %g %g", qs[i % 2],
                      Ks[i / 2 % 3], es[i / 6 % 2], Qs[i / 12], I[0], I[1]);
    }
    double each = (double)(clock() - t0) / CLOCKS_PER_SEC / 24;
    ck_assert_msg(each < 0.2, "%.3f s per point, want less than 0.2", each);
}
END_TEST

static const struct {
    double q, K, eps, Qs2;
    const char *words;
} outside[] = {{0, 1, 1, 1, "q = 0"},          {1, -1, 1, 1, "K = -1"},
               {1, 1, 0, 1, "eps = 0"},        {1, 1, 1, NAN, "Qs2 = nan"},
               {INFINITY, 1, 1, 1, "q = inf"}, {1, NAN, 1, 1, "K = nan"},
               {50, 1, 1, 1, "1250, so that"}};

START_TEST(domain)
{
    double I[2];
    cgct_err err = {""};
    ck_assert_int_eq(
        exact_gbw(outside[_i].q, outside[_i].K, outside[_i].eps, outside[_i].Qs2, I, &err),
        CGCT_E_DOMAIN);
    ck_assert_msg(strstr(err.text, outside[_i].words) != NULL, "'%s' not in '%s'",
                  outside[_i].words, err.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact_gbw");
    TCase *t = tcase_create("exact_gbw");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, references);
    tcase_add_test(t, design_values);
    tcase_add_test(t, small_q_limit);
    tcase_add_test(t, scaling);
    tcase_add_test(t, range);
    tcase_add_loop_test(t, domain, 0, (int)(sizeof outside / sizeof *outside));
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
