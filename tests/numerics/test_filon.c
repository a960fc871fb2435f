/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_bessel.h>

#include "numerics/filon_parts.h"
#include "check_rel.h"
#include "filon_refs.h"
#include "run_suite.h"

static const double TOL_ROUND = 1e-15; /* of sum |w f|: the weights are rounded to doubles */

enum { NODES_MAX = 800 };

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

/* x[n] from a to b with steps that differ by up to a factor 5 */
static void random_grid(uint64_t *seed, double a, double b, size_t n, double *x)
{
    x[0] = 0;
    for (size_t i = 1; i < n; i++) x[i] = x[i - 1] + 0.25 + uniform(seed);
    for (size_t i = 0; i < n; i++) x[i] = i + 1 < n ? a + (b - a) * (x[i] / x[n - 1]) : b;
    x[0] = a;
}

static void sinh_grid(double scale, double end, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = scale * sinh(asinh(end / scale) * (double)i / (double)(n - 1));
}

static double dot(size_t n, const double *w, const double *f)
{
    long double s = 0;
    for (size_t i = 0; i < n; i++) s += (long double)w[i] * f[i];
    return (double)s;
}

static void weights(size_t n, const double *x, double q, int m, int degree,
                    const filon_tail_opts *tail, double *w)
{
    cgct_err err = {{0}};
    const filon_task t = {n, 1, 1, x, &q, &m, degree, tail};
    cgct_status st = filon_weights(&t, w, &err);
    ck_assert_msg(st == CGCT_OK, "filon_weights: %s", err.text);
}

/* ---- moments: the engine below the weights, on single intervals ---- */

/* (u/h)^r */
static void real_monomials(const filon_functions *f, int n, const double *u, double *g)
{
    for (int i = 0; i < n; i++) {
        double v = u[i] / f->scale, p = 1;
        for (int k = 0; k < f->nk; k++, p *= v) g[k * FILON_LANES + i] = p;
    }
}

static void complex_monomials(const filon_functions *f, int n, double u, const double *y,
                              double *re, double *im)
{
    for (int i = 0; i < n; i++) {
        double vr = u / f->scale, vi = y[i] / f->scale, pr = 1, pi = 0;
        for (int k = 0; k < f->nk; k++) {
            re[k * FILON_LANES + i] = pr;
            im[k * FILON_LANES + i] = pi;
            double t = pr * vr - pi * vi;
            pi = pr * vi + pi * vr;
            pr = t;
        }
    }
}

/* M[r] = int_0^h u^r J_m(q(x+u)) du, r < nr <= 10. */
static void moments(double x, double h, double q, int m, size_t nr, double *M)
{
    filon_work *s = filon_work_new(1, &m);
    filon_functions f = {.nk = (int)nr,
                         .a = x,
                         .scale = h,
                         .degree = (double)nr - 1,
                         .real = real_monomials,
                         .imag = complex_monomials};
    const filon_band one = {q, q, 0, 1};
    ck_assert_ptr_nonnull(s);
    memset(M, 0, nr * sizeof *M);
    filon_begin(s, &one, &q, (int)nr, FILON_LAGUERRE, (filon_output){M, nr, 0});
    double split = filon_split(s, &f, h), power = 1;
    filon_add_panels(s, &f, split, 0);
    filon_add_contours(s, &f, split, h, 0, 0);
    filon_flush(s);
    free(s);
    for (size_t r = 0; r < nr; r++, power *= h) M[r] *= power;
}

START_TEST(moments_match_reference)
{
    FILE *f = open_ref("filon_moments.ref");
    double x, h, q, want, scale, M[10];
    int m, r, n = 0;
    while (fscanf(f, "%lf %lf %lf %d %d %lf %lf", &x, &h, &q, &m, &r, &want, &scale) == 7) {
        moments(x, h, q, m, 10, M);
        double error = fabs(M[r] - want) / (SCALE_ERROR * scale);
        ck_assert_msg(error <= TOL_FILON,
                      "moment %d of order %d, x %.17g h %.17g q %.17g (q h %.3g, q x %.3g): got "
                      "%.17g, want %.17g, error %.3g of int u^r |J| > TOL_FILON",
                      r, m, x, h, q, q * h, q * x, M[r], want, error);
        n++;
    }
    fclose(f);
    ck_assert_int_gt(n, 250);
}
END_TEST

/* Any number of functions gives the same first ones. */
START_TEST(moments_in_any_number)
{
    double all[10], some[3];
    moments(1, 2, 30, 4, 10, all);
    moments(1, 2, 30, 4, 3, some);
    for (int r = 0; r < 3; r++) CHECK_REL(some[r], all[r], TOL_FILON);
}
END_TEST

START_TEST(exact_for_polynomials)
{
    FILE *f = open_ref("filon_poly.ref");
    double A, B, q, want, scale, x[64], w[64], v[64];
    int m, p, count = 0;
    uint64_t seed = 5;
    while (fscanf(f, "%lf %lf %lf %d %d %lf %lf", &A, &B, &q, &m, &p, &want, &scale) == 7) {
        for (int d = p > FILON_DEGREE_MIN ? p : FILON_DEGREE_MIN; d <= FILON_DEGREE_MAX; d++) {
            size_t n = (size_t)d + 1 + (size_t)(40 * uniform(&seed));
            random_grid(&seed, A, B, n, x);
            weights(n, x, q, m, d, NULL, w);
            double size = 0;
            for (size_t i = 0; i < n; i++) size += fabs(w[i] * (v[i] = pow(x[i], p)));
            double tol = TOL_FILON * scale * SCALE_ERROR + TOL_ROUND * size, got = dot(n, w, v);
            ck_assert_msg(fabs(got - want) <= tol,
                          "x^%d on [%g, %g], %zu nodes, degree %d, q %g, order %d: got %.17g, want "
                          "%.17g, error %.3g > %.3g",
                          p, A, B, n, d, q, m, got, want, fabs(got - want), tol);
            count++;
        }
    }
    fclose(f);
    ck_assert_int_gt(count, 500);
}
END_TEST

START_TEST(each_weight_matches_reference)
{
    check_each_weight(weights);
}
END_TEST

START_TEST(tail_integrals_match_reference)
{
    check_tail_integrals(weights);
}
END_TEST

/* int x^(m+1) exp(-x^2/2) J_m(q x) dx = q^m exp(-q^2/2) */
START_TEST(gaussian_pair)
{
    static const double TOL_PAIR = 1e-11; /* absolute; values up to 1e3: the interpolation */
    enum { N = 700 };
    static double x[N], v[N], w[N];
    sinh_grid(4, 14, N, x);
    for (int m = 0; m <= 8; m += 2)
        for (double q = 0; q < 9; q += 0.6) {
            for (int i = 0; i < N; i++) v[i] = pow(x[i], m) * exp(-x[i] * x[i] / 2);
            weights(N, x, q, m, 8, NULL, w);
            double want = pow(q, m) * exp(-q * q / 2);
            CHECK_ABS(dot(N, w, v), want, TOL_PAIR * tgamma(m / 2 + 1) * pow(2, m / 2));
        }
}
END_TEST

/* int x exp(-a x) J_0(q x) dx = a/(a^2+q^2)^(3/2) */
START_TEST(exponential_pair)
{
    static const double TOL_PAIR = 1e-10;
    enum { N = 600 };
    static double x[N], v[N], w[N];
    sinh_grid(1, 40, N, x);
    for (int i = 0; i < N; i++) v[i] = exp(-x[i]);
    for (double q = 0; q < 30; q += 1.7) {
        weights(N, x, q, 0, 6, NULL, w);
        CHECK_REL(dot(N, w, v), pow(1 + q * q, -1.5), TOL_PAIR);
    }
}
END_TEST

/* int x^(m+1)/(x^2+a^2)^(n+1) J_m(q x) dx = a^(m-n) q^n K_(n-m)(a q)/(2^n n!), the integrand cut at
 * 60 where it is still 1e-4 and more: the tail does the rest. */
START_TEST(power_law_pairs)
{
    static const double TOL_TAIL = 1e-9; /* of the value at q = 1: fit and interpolation */
    static const int cases[][2] = {{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}};
    enum { N = 800 };
    static double x[N], v[N], w[N];
    sinh_grid(1, 60, N, x);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int m = cases[c][0], n = cases[c][1];
        double power[5], first = 0;
        for (int j = 0; j < 5; j++) power[j] = 2 * n + 2 - m + 2 * j;
        const filon_tail_opts tail = {24, 5, power};
        for (int i = 0; i < N; i++) v[i] = pow(x[i], m) * pow(x[i] * x[i] + 1, -n - 1);
        for (double q = 0.1; q < 12; q *= 1.5) {
            gsl_sf_result K;
            gsl_sf_bessel_Kn_e(abs(n - m), q, &K);
            double want = pow(q, n) * K.val / (pow(2, n) * tgamma(n + 1));
            if (first == 0) first = want;
            weights(N, x, q, m, 6, &tail, w);
            CHECK_ABS(dot(N, w, v), want, TOL_TAIL * first);
        }
    }
}
END_TEST

/* Several powers at once: any mixture gives the sum of the single integrals. */
START_TEST(tail_fit_is_linear)
{
    static const double TOL_FIT = 1e-10; /* three powers over 24 nodes: condition 1e4 */
    static const double power[] = {2, 3.5, 6}, c[] = {1, -2.5, 0.7};
    enum { N = 120 };
    double x[N], v[N], w[N], bare[N], sum = 0, q = 1.3;
    sinh_grid(1, 30, N, x);
    weights(N, x, q, 2, 6, NULL, bare);
    for (int j = 0; j < 3; j++) {
        const filon_tail_opts one = {1, 1, &power[j]};
        weights(N, x, q, 2, 6, &one, w);
        sum += c[j] * (w[N - 1] - bare[N - 1]);
    }
    for (int i = 0; i < N; i++) v[i] = 0; /* the correction sees the last nodes only */
    for (int i = N - 24; i < N; i++) {
        for (int j = 0; j < 3; j++) v[i] += c[j] * pow(x[i] / x[N - 1], -power[j]);
    }
    const filon_tail_opts all = {24, 3, power};
    weights(N, x, q, 2, 6, &all, w);
    for (int i = 0; i < N; i++) w[i] -= bare[i];
    CHECK_REL(dot(N, w, v), sum, TOL_FIT);
}
END_TEST

/* w_m(q) on s x is s^2 w_m(s q) on x: exact for powers of two. */
START_TEST(scaling)
{
    enum { N = 50 };
    double x[N], y[N], a[N], b[N];
    uint64_t seed = 9;
    random_grid(&seed, 0, 20, N, x);
    for (int i = 0; i < N; i++) y[i] = 4 * x[i];
    weights(N, x, 12, 3, 5, NULL, a);
    weights(N, y, 3, 3, 5, NULL, b);
    for (int i = 0; i < N; i++) CHECK_ABS(b[i], 16 * a[i], TOL_FILON * fabs(16 * a[i]));
}
END_TEST

/* Bit for bit: any number of threads, momenta together or one by one. */
START_TEST(threads_and_batches_agree)
{
    static const double power[] = {2, 4};
    static const int m[] = {0, 1, 7, 40};
    enum { N = 500, NQ = 5, NM = 4 };
    static double x[N], one[NM * NQ * N], many[NM * NQ * N], single[NM * N];
    const filon_tail_opts tail = {10, 2, power};
    double q[NQ] = {0.3, 2, 9, 40, 900};
    sinh_grid(1, 70, N, x);
    omp_set_num_threads(1);
    const filon_task t = {N, NQ, NM, x, q, m, 6, &tail};
    ck_assert_int_eq(filon_weights(&t, one, NULL), CGCT_OK);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        ck_assert_int_eq(filon_weights(&t, many, NULL), CGCT_OK);
        ck_assert(memcmp(one, many, sizeof one) == 0);
    }
    for (int iq = 0; iq < NQ; iq++) {
        const filon_task alone = {N, 1, NM, x, q + iq, m, 6, &tail};
        ck_assert_int_eq(filon_weights(&alone, single, NULL), CGCT_OK);
        for (int im = 0; im < NM; im++)
            ck_assert(memcmp(single + im * N, one + (im * NQ + iq) * N, N * sizeof *one) == 0);
    }
    omp_set_num_threads(2);
}
END_TEST

static void refused(cgct_status st, const cgct_err *err, const char *part)
{
    ck_assert_int_eq(st, CGCT_E_DOMAIN);
    ck_assert_msg(strstr(err->text, part) != NULL, "message '%s' lacks '%s'", err->text, part);
    ck_assert_msg(strchr(err->text, '\n') == NULL, "message '%s' has two lines", err->text);
}

static void refuse_weights(size_t nx, const double *x, double q, int nm, const int *m, int degree,
                           const filon_tail_opts *tail, const char *part)
{
    double w[2 * 16];
    cgct_err err = {{0}};
    const filon_task t = {nx, 1, (size_t)nm, x, &q, m, degree, tail};
    refused(filon_weights(&t, w, &err), &err, part);
}

START_TEST(bad_input_is_refused)
{
    static const double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, flat[8] = {0, 1, 2, 2, 4, 5, 6, 7},
                        neg[8] = {-1, 1, 2, 3, 4, 5, 6, 7}, nan[8] = {0, 1, NAN, 3, 4, 5, 6, 7},
                        inf[8] = {0, 1, 2, 3, 4, 5, 6, INFINITY};
    static const int m[2] = {0, 5}, high[2] = {0, 513}, down[2] = {5, 5}, minus[2] = {-1, 5};
    refuse_weights(8, flat, 1, 2, m, 4, NULL, "node 3 (2 after 2)");
    refuse_weights(8, neg, 1, 2, m, 4, NULL, "node 0 (-1");
    refuse_weights(8, nan, 1, 2, m, 4, NULL, "node 2 (nan");
    refuse_weights(8, inf, 1, 2, m, 4, NULL, "node 7 (inf");
    refuse_weights(6, x, 1, 2, m, 6, NULL, "6 nodes, degree 6 needs at least 7");
    refuse_weights(8, x, -1, 2, m, 4, NULL, "momentum 0 is -1");
    refuse_weights(8, x, NAN, 2, m, 4, NULL, "momentum 0 is nan");
    refuse_weights(8, x, 1e13, 2, m, 4, NULL, "q x = 1e+13 x 7 exceeds 1e+12");
    refuse_weights(8, x, 1, 2, high, 4, NULL, "order 1 is 513");
    refuse_weights(8, x, 1, 2, down, 4, NULL, "order 1 is 5 after 5");
    refuse_weights(8, x, 1, 2, minus, 4, NULL, "order 0 is -1");
    refuse_weights(8, x, 1, 2, m, 1, NULL, "degree 1 outside 2..8");
    refuse_weights(8, x, 1, 2, m, 9, NULL, "degree 9 outside 2..8");
}
END_TEST

START_TEST(bad_tails_are_refused)
{
    static const double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, p[3] = {2, 4, 4}, low[1] = {0.5},
                        nan[1] = {NAN};
    static const int m[2] = {0, 5};
    const filon_tail_opts good = {4, 2, p}, few = {1, 2, p}, all = {8, 2, p}, more = {9, 2, p},
                          none = {4, 0, p}, twice = {4, 3, p}, slow = {4, 1, low},
                          odd = {4, 1, nan};
    refuse_weights(8, x, 0, 2, m, 4, &good, "positive with a tail");
    refuse_weights(8, x, 1, 2, m, 4, &few, "fit to 1 nodes");
    refuse_weights(8, x, 1, 2, m, 4, &all, "reaches x = 0");
    refuse_weights(8, x, 1, 2, m, 4, &more, "fit to 9 nodes");
    refuse_weights(8, x, 1, 2, m, 4, &none, "0 terms");
    refuse_weights(8, x, 1, 2, m, 4, &twice, "power[2] = 4 repeats power[1] = 4");
    refuse_weights(8, x, 1, 2, m, 4, &slow, "power[0] = 0.5");
    refuse_weights(8, x, 1, 2, m, 4, &odd, "power[0] = nan");
}
END_TEST

/* Powers that overflow at a node of the fit. */
START_TEST(tail_without_fit)
{
    static const double x[3] = {1e-300, 1, 2}, power[2] = {2, 4};
    const filon_tail_opts o = {3, 2, power};
    filon_tail_fit t;
    cgct_err err = {""};
    ck_assert_int_eq(filon_tail_init(&t, 3, x, &o, &err), CGCT_E_ACCURACY);
    ck_assert_msg(strstr(err.text, "from x = 1e-300 on"), "%s", err.text);
    ck_assert_ptr_null(t.fit);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("filon");
    TCase *t = tcase_create("filon");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, moments_match_reference);
    tcase_add_test(t, moments_in_any_number);
    tcase_add_test(t, exact_for_polynomials);
    tcase_add_test(t, each_weight_matches_reference);
    tcase_add_test(t, tail_integrals_match_reference);
    tcase_add_test(t, gaussian_pair);
    tcase_add_test(t, exponential_pair);
    tcase_add_test(t, power_law_pairs);
    tcase_add_test(t, tail_fit_is_linear);
    tcase_add_test(t, scaling);
    tcase_add_test(t, threads_and_batches_agree);
    tcase_add_test(t, bad_input_is_refused);
    tcase_add_test(t, bad_tails_are_refused);
    tcase_add_test(t, tail_without_fit);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
