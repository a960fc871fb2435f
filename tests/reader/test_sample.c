/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled events against the density, by chi-square and by integrals. */
#include "synthetic.h"
#include "table_folder.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define PI 3.14159265358979323846
enum { NQ = 14, NK = 26 };

static const double factor[2] = {1.0, 2.5};

static cgct_slice *open_slice(int fold, cgct_table **t)
{
    double x[1] = {1e-3}, eps[1] = {1}, q[NQ], k[NK];
    synthetic s = {{1, 1, NQ, NK}, {x, eps, q, k}, fold};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-5};
    cgct_slice *slice;
    cgct_err err;
    synthetic_axis(1, 3, NQ, q);
    synthetic_axis(0.2, 6, NK, k);
    ck_assert_msg(synthetic_write(&s, table, spec, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_open(table, t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(cgct_slice_init(&slice, *t, 1e-3, 1, NULL), CGCT_OK);
    return slice;
}

static double mixture(const cgct_slice *s, double q, double k1, double theta)
{
    double I[2];
    ck_assert_int_eq(cgct_slice_eval(s, q, k1, theta, I), CGCT_OK);
    return factor[0] * I[0] + factor[1] * I[1];
}

/* ---- integral ---- */

/* Int d2q d2k1 of the closed form, with J in place of I where folded; Simpson's rule in logarithms,
 * trapezoid in the angle. */
static double closed_form_total(int fold, double k_min)
{
    enum { N = 120, M = 64 };
    double sum = 0, hq = log(3) / N, hk = log(6 / k_min) / N;
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            double at[4] = {1e-3, 1, exp(i * hq), k_min * exp(j * hk)}, ring = 0, I[2];
            double w = (i % N ? 2 + 2 * (i & 1) : 1) * (j % N ? 2 + 2 * (j & 1) : 1) / 9.0;
            for (int a = 0; a < M; a++) {
                double theta = 2 * PI * a / M;
                synthetic_value(at, theta, I);
                ring += (factor[0] * I[0] + factor[1] * I[1]) *
                        (fold ? 2 * synthetic_chi(at[2], at[3], theta) : 1);
            }
            sum += w * hq * hk * ring * 2 * PI / M * at[2] * at[2] * at[3] * at[3];
        }
    return 2 * PI * sum;
}

START_TEST(total)
{
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_slice *s = open_slice(_i, &t);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    /* a folded table reaches down to k = 0 */
    double want = closed_form_total(_i, _i ? 1e-3 : 0.2);
    CHECK_REL(cgct_sampler_total(sampler), want, 2e-3);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- chi-square ---- */

enum { BQ = 3, BK = 5, BT = 6, BINS = BQ * BK * BT, EVENTS = 400000 };
static const double q_lo = 1, q_hi = 3, k_lo = 0.3, k_hi = 2.5;

/* Bin of an event, or BINS. */
static int bin_of(double q, double k, double theta)
{
    double a = BQ * log(q / q_lo) / log(q_hi / q_lo), b = BK * log(k / k_lo) / log(k_hi / k_lo);
    double c = BT * (theta + PI) / (2 * PI);
    if (a < 0 || a >= BQ || b < 0 || b >= BK) return BINS;
    return ((int)a * BK + (int)b) * BT + (c >= BT ? BT - 1 : (int)c);
}

/* Share of a bin: midpoint rule. */
static double bin_integral(const cgct_slice *s, int bin)
{
    enum { N = 12 };
    double hq = log(q_hi / q_lo) / BQ, hk = log(k_hi / k_lo) / BK, ht = 2 * PI / BT, sum = 0;
    for (int i = 0; i < N * N * N; i++) {
        double a = bin / (BK * BT) + (i % N + 0.5) / N;
        double b = bin / BT % BK + (i / N % N + 0.5) / N, c = bin % BT + (i / (N * N) + 0.5) / N;
        double q = q_lo * exp(a * hq), k = k_lo * exp(b * hk);
        sum += mixture(s, q, k, c * ht - PI) * q * q * k * k;
    }
    return 2 * PI * sum * hq * hk * ht / (N * N * N);
}

START_TEST(chi_square)
{
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_slice *s = open_slice(_i, &t);
    double sum[BINS + 1] = {0}, square[BINS + 1] = {0}, all = 0, furthest = 0, chi2 = 0;
    uint64_t state = 2024 + (uint64_t)_i;
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    for (int i = 0; i < EVENTS; i++) {
        cgct_event e;
        double u[5];
        for (int j = 0; j < 5; j++) u[j] = uniform(&state);
        ck_assert_int_eq(cgct_sample(sampler, u, &e), CGCT_OK);
        ck_assert(e.theta > -PI - 1e-12 && e.theta <= PI + 1e-12 && e.weight > 0);
        int bin = bin_of(e.q, e.k1, e.theta);
        sum[bin] += e.weight;
        square[bin] += e.weight * e.weight;
        all += e.weight;
        furthest = fmax(furthest, fabs(e.weight - 1));
    }
    CHECK_REL(all, EVENTS, 1e-3);
    ck_assert_msg(furthest < 0.2, "a weight is off 1 by %g", furthest);
    for (int b = 0; b < BINS; b++) {
        double want = EVENTS * bin_integral(s, b) / cgct_sampler_total(sampler);
        ck_assert_msg(want > 20, "bin %d holds %g", b, want);
        chi2 += pow(sum[b] - want, 2) / square[b];
    }
    ck_assert_msg(chi2 > BINS - 6 * sqrt(2 * BINS) && chi2 < BINS + 6 * sqrt(2 * BINS),
                  "chi2 = %g for %d bins", chi2, BINS);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- many at once ---- */

static void check_same(const cgct_event *a, const cgct_event *b)
{
    CHECK_REL(a->q, b->q, 1e-13);
    CHECK_REL(a->k1, b->k1, 1e-12);
    CHECK_REL(a->weight, b->weight, 1e-11);
    ck_assert_msg(fabs(a->theta - b->theta) < 1e-11, "angles %.15g and %.15g", a->theta, b->theta);
}

START_TEST(many)
{
    enum { N = 2003 };
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_slice *s = open_slice(_i, &t);
    static double u[N][5];
    static cgct_event all[N + 1];
    uint64_t state = 7;
    int below = 0;
    size_t first = 0;
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    for (int i = 0; i < 5 * N; i++) u[i / 5][i % 5] = uniform(&state);
    all[N].q = -1;
    ck_assert_int_eq(cgct_sample_many(sampler, N, u[0], all, &first), CGCT_OK);
    ck_assert_uint_eq(first, N);
    ck_assert(all[N].q == -1);
    for (int i = 0; i < N; i++) {
        cgct_event one;
        ck_assert_int_eq(cgct_sample(sampler, u[i], &one), CGCT_OK);
        check_same(&all[i], &one);
        below += one.k1 < 0.2;
    }
    ck_assert_msg(_i == 0 || below > 10, "%d events below the k axis", below);
    for (size_t n = 0; n < 18; n++) { /* parts of a group */
        cgct_event part[18] = {{0, 0, 0, 0}};
        ck_assert_int_eq(cgct_sample_many(sampler, n, u[0], part, NULL), CGCT_OK);
        for (size_t i = 0; i < n; i++) check_same(&part[i], &all[i]);
        ck_assert(n == 18 || part[n].q == 0);
    }
    for (int j = 0; j < 5; j++) u[2][j] = 0;
    ck_assert_int_eq(cgct_sample_many(sampler, 3, u[0], all, NULL), CGCT_OK);
    ck_assert_msg(fabs(all[2].weight - 1) < 0.2, "weight %g at u = 0", all[2].weight);
    u[3][2] = 1;
    u[11][0] = NAN;
    ck_assert_int_eq(cgct_sample_many(sampler, 16, u[0], all, &first), CGCT_E_DOMAIN);
    ck_assert_uint_eq(first, 3);
    for (int i = 0; i < 16; i++) ck_assert(isnan(all[i].theta) == (i == 3 || i == 11));
    ck_assert_int_eq(cgct_sample_many(sampler, 1, NULL, all, NULL), CGCT_E_USAGE);
    all[0].q = 1;
    ck_assert_int_eq(cgct_sample_many(NULL, 1, u[0], all, NULL), CGCT_E_USAGE);
    ck_assert(isnan(all[0].q));
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- each event by itself ---- */

enum { NX = 5, MODES = 64 };
static const double at_x = 2.1e-3, at_eps = 0.83;

/* A slice between nodes, which has two layers. */
static cgct_slice *open_between(int fold, int order, cgct_table **t)
{
    double x[NX], eps[NX], q[NQ], k[NK];
    synthetic s = {{NX, NX, NQ, NK}, {x, eps, q, k}, fold};
    cgct_writer_spec spec = {.level = 3, .bound = 1e-6, .split = 2, .order = {4, 4, 4, order}};
    cgct_slice *slice;
    cgct_err err;
    synthetic_axis(1e-4, 1e-2, NX, x);
    synthetic_axis(0.5, 2, NX, eps);
    synthetic_axis(1, 3, NQ, q);
    synthetic_axis(0.2, 6, NK, k);
    ck_assert_msg(synthetic_write(&s, table, spec, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(cgct_open(table, t, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(cgct_slice_init(&slice, *t, at_x, at_eps, NULL), CGCT_OK);
    return slice;
}

/* The CDF of |theta| from the table's own modes; below the k axis of a folded one they fall as k^m.
 */
static double cdf_at(const cgct_table *t, const cgct_event *e)
{
    double modes[2 * MODES], k = fmax(e->k1, 0.2), sum = 0, zeroth, fall = 1;
    size_t nm;
    ck_assert_int_eq(cgct_modes(t, at_x, at_eps, e->q, k, MODES, modes, &nm), CGCT_OK);
    zeroth = factor[0] * modes[0] + factor[1] * modes[MODES];
    for (int m = 1; m < MODES; m++) {
        fall *= -e->k1 / k;
        sum += fall * (factor[0] * modes[m] + factor[1] * modes[MODES + m]) / zeroth *
               sin(m * fabs(e->theta)) / m;
    }
    return (fabs(e->theta) + 2 * sum) / PI;
}

START_TEST(angle_inverts_cdf)
{
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_slice *s = open_between(_i & 1, _i & 2 ? 6 : 4, &t);
    uint64_t state = 11;
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    for (int i = 0; i < 500; i++) {
        double u[5];
        cgct_event e;
        for (int j = 0; j < 5; j++) u[j] = uniform(&state);
        u[4] = 0.9; /* labels are not exchanged */
        ck_assert_int_eq(cgct_sample(sampler, u, &e), CGCT_OK);
        ck_assert((e.theta >= 0) == (u[3] < 0.5));
        double want = u[3] < 0.5 ? 2 * u[3] : 2 * u[3] - 1, got = cdf_at(t, &e);
        ck_assert_msg(fabs(got - want) < 2e-7, "q = %g, k1 = %g: F = %.12g, u = %.12g", e.q, e.k1,
                      got, want);
    }
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Over a cell the weights are 1 on average: the density there, which events find by themselves,
 * against its integral, which the sampler was made with. */
START_TEST(weights_of_a_cell)
{
    enum { N = 40 };
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_slice *s = open_between(_i & 1, _i & 2 ? 6 : 4, &t);
    uint64_t state = 5;
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    for (int cell = 0; cell < 30; cell++) {
        double sum = 0, u[5] = {uniform(&state), 0, 0, 0.3, 0.9};
        for (int i = 0; i < N * N; i++) {
            cgct_event e;
            u[1] = (i % N + 0.5) / N;
            u[2] = (i / N + 0.5) / N;
            ck_assert_int_eq(cgct_sample(sampler, u, &e), CGCT_OK);
            sum += e.weight;
        }
        CHECK_REL(sum / (N * N), 1, 1e-4);
    }
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* The table of open_slice with all values times scale. */
static cgct_slice *open_scaled(double scale, cgct_table **t)
{
    double x[1] = {1e-3}, eps[1] = {1}, q[NQ], k[NK],
           cosine[(SYNTHETIC_ANGLES + 1) * SYNTHETIC_MODES];
    static double modes[2 * NQ * NK * SYNTHETIC_MODES], error[2 * NQ * NK];
    synthetic s = {{1, 1, NQ, NK}, {x, eps, q, k}, 1};
    cgct_writer_spec spec = {1,
                             1,
                             NQ,
                             NK,
                             x,
                             eps,
                             q,
                             k,
                             "none\n",
                             "synthetic 1",
                             "closed form",
                             "closed form",
                             1,
                             SYNTHETIC_P,
                             .level = 3,
                             .bound = 1e-5};
    const cgct_node node = {SYNTHETIC_MODES, modes, error};
    cgct_writer *w;
    cgct_slice *slice;
    synthetic_axis(1, 3, NQ, q);
    synthetic_axis(0.2, 6, NK, k);
    synthetic_cosines(cosine);
    synthetic_node(&s, cosine, 0, 0, modes, error);
    for (size_t i = 0; i < 2 * NQ * NK * SYNTHETIC_MODES; i++) modes[i] *= scale;
    for (size_t i = 0; i < 2 * NQ * NK; i++) error[i] *= scale;
    ck_assert_int_eq(cgct_writer_open(&w, table, &spec, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_writer_node(w, 0, 0, &node, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_writer_close(w, NULL, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_open(table, t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&slice, *t, 1e-3, 1, NULL), CGCT_OK);
    return slice;
}

/* Events do not depend on the unit of the densities, which may be far from 1. */
START_TEST(any_unit)
{
    enum { N = 300 };
    const double scale[3] = {1, 0x1p-330, 0x1p330};
    cgct_event e[3][N];
    for (int j = 0; j < 3; j++) {
        cgct_table *t;
        cgct_sampler *sampler;
        cgct_slice *s = open_scaled(scale[j], &t);
        uint64_t state = 3;
        ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
        for (int i = 0; i < N; i++) {
            double u[5];
            for (int d = 0; d < 5; d++) u[d] = uniform(&state);
            ck_assert_int_eq(cgct_sample(sampler, u, &e[j][i]), CGCT_OK);
            /* tables are rounded to 1e-5, not alike in each unit */
            CHECK_REL(e[j][i].q, e[0][i].q, 1e-5);
            CHECK_REL(e[j][i].k1, e[0][i].k1, 1e-3);
            CHECK_REL(e[j][i].weight, e[0][i].weight, 1e-4);
            ck_assert(fabs(e[j][i].theta - e[0][i].theta) < 1e-3);
        }
        cgct_sampler_free(sampler);
        cgct_slice_free(s);
        cgct_close(t);
    }
}
END_TEST

START_TEST(refusals)
{
    cgct_table *t;
    cgct_sampler *sampler;
    cgct_event e;
    cgct_err err;
    cgct_slice *s = open_slice(1, &t);
    const double none[2] = {0, 0}, minus[2] = {1, -1}, nan[2] = {NAN, 1};
    const double bad[][5] = {{1, 0, 0, 0, 0}, {0, -0.1, 0, 0, 0}, {0, 0, NAN, 0, 0}};
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, none, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_null(sampler);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, minus, &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, nan, &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(cgct_sampler_init(&sampler, NULL, factor, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, &err), CGCT_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(cgct_sample(sampler, bad[i], &e), CGCT_E_DOMAIN);
        ck_assert(isnan(e.q) && isnan(e.weight));
    }
    ck_assert_int_eq(cgct_sample(NULL, bad[0], &e), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_sample(sampler, bad[0], NULL), CGCT_E_USAGE);
    ck_assert(isnan(cgct_sampler_total(NULL)));
    cgct_sampler_free(NULL);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample");
    TCase *c = tcase_create("sample");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, total, 0, 2);
    tcase_add_loop_test(c, chi_square, 0, 2);
    tcase_add_loop_test(c, many, 0, 2);
    tcase_add_loop_test(c, angle_inverts_cdf, 0, 4);
    tcase_add_loop_test(c, weights_of_a_cell, 0, 4);
    tcase_add_test(c, any_unit);
    tcase_add_test(c, refusals);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
