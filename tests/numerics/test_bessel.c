/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>

#include "numerics/bessel.h"
#include "numerics/bessel_point.h"
#include "check_rel.h"
#include "open_ref.h"
#include "run_suite.h"

#ifndef TESTS_DIR
#define TESTS_DIR "tests"
#endif

static const double TOL_J = 8e-15;       /* of the envelope, times max(1, sqrt(x)/10) */
static const double TOL_K = 2e-15;       /* relative */
static const double NEGLIGIBLE = 1e-280; /* J below may be 0 */
static const double PI = 3.14159265358979323846;

enum { MMAX = 600 };

static double j_tolerance(int m, double x, double want)
{
    double envelope = x > (m > 1 ? m : 1) ? sqrt(2 / (PI * x)) : fabs(want);
    return fmax(TOL_J * fmax(1, sqrt(x) / 10) * envelope, NEGLIGIBLE);
}

/* Each value through three values of mmax, so that all recurrences see it. */
START_TEST(J_matches_reference)
{
    static double J[MMAX + 1];
    FILE *f = open_ref("bessel_J.ref");
    double x, want;
    int m, n = 0;
    while (fscanf(f, "%lf %d %lf", &x, &m, &want) == 3) {
        const int tops[] = {m, m < 300 ? m + 300 : MMAX, MMAX};
        for (int k = 0; k < 3; k++) {
            bessel_J_pair(tops[k], 1, 1, &x, NULL, J);
            ck_assert_msg(fabs(J[m] - want) <= j_tolerance(m, x, want),
                          "J_%d(%.17g), mmax %d: got %.17g, want %.17g, error %.3g > TOL_J %.3g", m,
                          x, tops[k], J[m], want, fabs(J[m] - want), j_tolerance(m, x, want));
        }
        n++;
    }
    fclose(f);
    ck_assert_int_gt(n, 150);
}
END_TEST

/* The same at one point, as kernels do it: an order alone, every sixth, and all up to MMAX. */
START_TEST(J_at_one_point)
{
    static double J[MMAX + 1];
    static int all[MMAX + 1];
    FILE *f = open_ref("bessel_J.ref");
    bessel_terms t;
    double x, want;
    int m, n = 0;
    bessel_terms_init(&t);
    while (fscanf(f, "%lf %d %lf", &x, &m, &want) == 3) {
        int sixth[MMAX / 6 + 1], few = 0, at = m / 6;
        for (int k = m % 6; k <= MMAX; k += 6) sixth[few++] = k;
        for (int k = 0; k <= MMAX; k++) all[k] = k;
        const int *orders[] = {&m, sixth, all}, count[] = {1, few, MMAX + 1}, where[] = {0, at, m};
        for (int k = 0; k < 3; k++) {
            bessel_orders(&t, x, 0, (size_t)count[k], orders[k], J, 1);
            CHECK_ABS(J[where[k]], want, j_tolerance(m, x, want));
        }
        n++;
    }
    fclose(f);
    ck_assert_int_gt(n, 150);
}
END_TEST

START_TEST(K_matches_reference)
{
    FILE *f = open_ref("bessel_K.ref");
    double x, want0, want1, k0, k1;
    int n = 0;
    while (fscanf(f, "%lf %lf %lf", &x, &want0, &want1) == 3) {
        bessel_K01(1, &x, &k0, &k1);
        CHECK_REL(k0, want0, TOL_K);
        CHECK_REL(k1, want1, TOL_K);
        n++;
    }
    fclose(f);
    ck_assert_int_gt(n, 240);
}
END_TEST

START_TEST(K_at_the_ends)
{
    const double x[] = {0, 1e-310, 1e-300, 706, 1e4, INFINITY, NAN};
    double k0[7], k1[7];
    bessel_K01(7, x, k0, k1);
    CHECK_REL(k0[0], k0[2], 0);
    CHECK_REL(k1[1], k1[2], 0);
    for (int i = 3; i < 6; i++) {
        CHECK_ABS(k0[i], 0, 0);
        CHECK_ABS(k1[i], 0, 0);
    }
    ck_assert(isnan(k0[6]) && isnan(k1[6]));
}
END_TEST

/* A shuffled array of any length gives what single calls give, to the tolerances. */
START_TEST(blocks_match_single_calls)
{
    enum { N = 333, M = 40 };
    static double x[N], J[(M + 1) * N], k0[N], k1[N], one[M + 1];
    uint64_t seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x[i] = 120 * pow((double)(seed >> 11) * 0x1p-53, 3);
    }
    bessel_J_pair(M, N, N, x, NULL, J);
    bessel_K01(N, x, k0, k1);
    for (int i = 0; i < N; i++) {
        double a, b;
        bessel_K01(1, &x[i], &a, &b);
        CHECK_REL(k0[i], a, TOL_K);
        CHECK_REL(k1[i], b, TOL_K);
        bessel_J_pair(M, 1, 1, &x[i], NULL, one);
        for (int m = 0; m <= M; m++) CHECK_ABS(J[m * N + i], one[m], j_tolerance(m, x[i], one[m]));
    }
}
END_TEST

/* J0^2 + 2 sum J_m^2 = 1 between the references. */
START_TEST(J_identities)
{
    static const double TOL_SUM = 5e-14;
    static double J[MMAX + 1];
    for (double x = 0.01; x < 500; x *= 1.37) {
        bessel_J_pair(MMAX, 1, 1, &x, NULL, J);
        double sum = J[0] * J[0];
        for (int m = 1; m <= MMAX; m++) sum += 2 * J[m] * J[m];
        CHECK_REL(sum, 1, TOL_SUM);
    }
}
END_TEST

START_TEST(no_rows_and_no_points)
{
    double x = 3, J = NAN;
    bessel_J_pair(0, 1, 1, &x, NULL, &J);
    CHECK_REL(J, -0.26005195490193344, TOL_J); /* DLMF 10.2.2 */
    bessel_J_pair(5, 0, 0, &x, NULL, &J);
    bessel_K01(0, &x, &J, &J);
    CHECK_REL(J, -0.26005195490193344, TOL_J);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("bessel");
    TCase *t = tcase_create("bessel");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, J_matches_reference);
    tcase_add_test(t, J_at_one_point);
    tcase_add_test(t, K_matches_reference);
    tcase_add_test(t, K_at_the_ends);
    tcase_add_test(t, blocks_match_single_calls);
    tcase_add_test(t, J_identities);
    tcase_add_test(t, no_rows_and_no_points);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
