/* SPDX-License-Identifier: GPL-3.0-or-later */
/* W(A,B) against long double; its cross approximation off the samples, ranks, refusals. */
#include "numerics/skeleton.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "numerics/vmath.h"
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_W 2e-15        /* of max(|W|, DBL_MIN): vexp and vexpm1 hold 5e-16 each */
#define TOL_SAMPLES 3.0    /* error off the samples, in units of the tolerance */
#define TOL_ROUNDING 4e-15 /* floor of the error: rounding of W, u, v and of LU */

static long double W_long(double A, double B)
{
    const long double d = fabsl((long double)A - B), high = A > B ? A : B;
    return d > 0 ? -expl(high) * expm1l(-d) / d : expl(high);
}

static void check_W(double A, double B)
{
    long double want = W_long(A, B);
    double got = expdiff(A, B), eA = vexp(A), eB = vexp(B);
    double tol = TOL_W * (double)want + 0x1p-1020; /* gradual underflow keeps no digits */
    ck_assert_msg(fabs((double)(got - want)) <= tol, "W(%.17g, %.17g) = %.17g, want %.17Lg", A, B,
                  got, want);
    ck_assert_msg(got == expdiff(B, A), "W(%.17g, %.17g) is not symmetric", A, B);
    ck_assert(got == expdiff_known(A, B, eA, eB));
}

START_TEST(divided_difference)
{
    static const double v[] = {0,     -1e-300, -1e-16, -1e-10, -9.999e-8, -1e-7, -1.0001e-7,
                               -1e-3, -0.3,    -1,     -2,     -5,        -20,   -37,
                               -300,  -690,    -708,   -745,   -1e3,      -9e3};
    enum { N = sizeof v / sizeof *v };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            check_W(v[i], v[j]);
            check_W(v[i] + v[j], v[i]);
        }
    ck_assert(expdiff(0, 0) == 1);
    ck_assert(expdiff(-2e4, -2e4) == 0);
    CHECK_REL(expdiff(0, -2e4), 1 / 2e4, TOL_W);
    ck_assert(isnan(expdiff(NAN, -1)) && isnan(expdiff(-1, NAN)));
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        double A = -exp(-12 + 18 * chain_random(&seed));
        double d = exp(-30 + 36 * chain_random(&seed));
        check_W(A, A - d);
        check_W(A, -exp(-12 + 18 * chain_random(&seed)));
    }
}
END_TEST

/* Largest |W - sum u v| (1 + |B|) over random points, one in sixteen with A = 0 or B = 0. */
static double error_off_samples(const skeleton *s, double A_min, double B_min, uint64_t seed)
{
    enum { N = 512, ROUNDS = 40 };
    static double A[N], B[N], u[SKELETON_RANK_MAX * N], v[SKELETON_RANK_MAX * N];
    double worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            A[i] = i % 16 ? A_min * exp(-(log(-A_min) + 16) * chain_random(&seed)) : 0;
            B[i] = i % 16 != 1 ? B_min * exp(-(log(-B_min) + 16) * chain_random(&seed)) : 0;
        }
        skeleton_u(s, N, A, u);
        skeleton_v(s, N, B, v);
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = 0; k < s->rank; k++) sum += u[k * N + i] * v[k * N + i];
            double e = fabs(sum - (double)W_long(A[i], B[i])) * (1 - B[i]);
            worst = larger_error(worst, e);
        }
    }
    return worst;
}

static const double ranges[][2] = {{-0.5, -0.5}, {-5, -40},   {-40, -300},
                                   {-2e4, -2e4}, {-2e4, -10}, {-10, -2e4}};

START_TEST(off_samples)
{
    double A_min = ranges[_i][0], B_min = ranges[_i][1];
    cgct_err err = {""};
    for (int digits = 6; digits <= 14; digits++) {
        skeleton s;
        double tol = pow(10, -digits);
        ck_assert_msg(skeleton_init(&s, A_min, B_min, tol, &err) == CGCT_OK, "%s", err.text);
        ck_assert_msg(s.residual <= tol, "residual %g > %g", s.residual, tol);
        double e = error_off_samples(&s, A_min, B_min, 7);
        printf("A >= %g, B >= %g, tolerance %.0e: rank %d, residual %.1e, off samples %.1e\n",
               A_min, B_min, tol, s.rank, s.residual, e);
        ck_assert_msg(e <= TOL_SAMPLES * tol + TOL_ROUNDING,
                      "A >= %g, B >= %g, rank %d: %.3g off the samples, want %g", A_min, B_min,
                      s.rank, e, TOL_SAMPLES * tol + TOL_ROUNDING);
    }
}
END_TEST

/* METHOD.md 3: rank 9 for 3e-7, 11 for 2e-9, 13 for 4e-11, to within one. */
START_TEST(ranks)
{
    static const struct {
        double tol;
        int rank;
    } want[] = {{3e-7, 9}, {2e-9, 11}, {4e-11, 13}};
    for (int i = 0; i < 3; i++) {
        skeleton s;
        ck_assert_int_eq(skeleton_init(&s, -2e4, -2e4, want[i].tol, NULL), CGCT_OK);
        printf("tolerance %g: rank %d\n", want[i].tol, s.rank);
        ck_assert_msg(abs(s.rank - want[i].rank) <= 1,
                      "tolerance %g: rank %d, want %d or next to it", want[i].tol, s.rank,
                      want[i].rank);
    }
}
END_TEST

/* Row i of v(B) at B = a pivot B_i is the unit vector, and u v reproduces W at the pivots. */
START_TEST(interpolates)
{
    skeleton s;
    double v[SKELETON_RANK_MAX * SKELETON_RANK_MAX];
    ck_assert_int_eq(skeleton_init(&s, -300, -300, 1e-10, NULL), CGCT_OK);
    size_t n = (size_t)s.rank;
    skeleton_v(&s, n, s.B, v);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            CHECK_ABS(v[k * n + i] * (1 - s.B[k]), i == k ? 1.0 : 0.0, 1e-4); /* condition of C */
}
END_TEST

static const double bad[][3] = {{0, -1, 1e-6},         {-1, 0, 1e-6},   {1, -1, 1e-6},
                                {-INFINITY, -1, 1e-6}, {-1, NAN, 1e-6}, {NAN, -1, 1e-6},
                                {-1, -1, 0},           {-1, -1, -1},    {-1, -1, NAN}};

START_TEST(refuses)
{
    skeleton s;
    cgct_err err = {""};
    ck_assert_int_eq(skeleton_init(&s, bad[_i][0], bad[_i][1], bad[_i][2], &err), CGCT_E_DOMAIN);
    ck_assert_msg(strstr(err.text, "cross approximation: ranges") != NULL, "'%s'", err.text);
    ck_assert_int_eq(skeleton_init(&s, bad[_i][0], bad[_i][1], bad[_i][2], NULL), CGCT_E_DOMAIN);
}
END_TEST

/* Below the rounding of the samples no rank can help. */
START_TEST(not_reached)
{
    skeleton s;
    cgct_err err = {""};
    ck_assert_int_eq(skeleton_init(&s, -2e4, -2e4, 1e-19, &err), CGCT_E_ACCURACY);
    ck_assert_msg(strstr(err.text, "inner.rank_tolerance") != NULL, "'%s'", err.text);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("skeleton");
    TCase *t = tcase_create("skeleton");
    tcase_add_test(t, divided_difference);
    tcase_add_loop_test(t, off_samples, 0, (int)(sizeof ranges / sizeof *ranges));
    tcase_add_test(t, ranks);
    tcase_add_test(t, interpolates);
    tcase_add_loop_test(t, refuses, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_test(t, not_reached);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
