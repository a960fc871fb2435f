/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled events against the density, by chi-square and integrals. */
#include "sample_slices.h"
#include "larger_error.h"

/* ---- integral ---- */

/* Place of point i of pairs of points of Gauss in steps of unit length. */
static double gauss_place(int i)
{
    return i / 2 + 0.5 + (i % 2 ? 0.5 : -0.5) / sqrt(3);
}

/* Int d2q d2k1 of the slice: twice that with k1 the shorter, in ln q, ln k1, and theta from where
 * k1 = k2 on.  That begins as a root at k1 = q/2, so y is the variable there: ln k1 goes as y^2. */
static double direct_total(const cgct_slice *s, const cgct_info *f)
{
    enum { NQ = 120, NK = 140, NT = 16 }; /* points */
    const double lowest = 1e-4;
    double hq = log(f->q[1] / f->q[0]) * 2 / NQ, sum = 0;
    for (int i = 0; i < NQ; i++) {
        double q = f->q[0] * exp(gauss_place(i) * hq), bend = fmin(q / 2, f->k_max);
        for (int j = 0; j < 2 * NK; j++) {
            double from = j < NK ? lowest : bend, to = j < NK ? bend : f->k_max;
            double y = gauss_place(j % NK) * 2 / NK, place = j < NK ? y : y * y;
            double k = from * pow(to / from, place),
                   hk = log(to / from) * (j < NK ? 1 : 2 * y) / NK;
            double first = 2 * k > q ? acos(q / (2 * k)) : 0, ht = (PI - first) * 2 / NT;
            for (int a = 0; a < NT && hk > 0; a++)
                sum += hq / 2 * q * q * hk * k * k * ht / 2 *
                       mixture(s, q, k, first + gauss_place(a) * ht);
        }
    }
    return 8 * PI * sum;
}

START_TEST(total_of_density)
{
    cgct_table *t;
    cgct_slice *s;
    cgct_info f;
    synthetic_slice(_i, 1, &s, &t);
    cgct_sampler *sampler = open_sampler(s);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    CHECK_REL(cgct_sampler_total(sampler), direct_total(s, &f), 2e-5);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- weights ---- */

enum { EVENTS = 400000 };

/* Of weights less 1. */
typedef struct {
    double mean, error, least, most;
} weight_range;

static weight_range range_of_weights(const cgct_sampler *sampler)
{
    double sum = 0, square = 0;
    weight_range r = {.least = 0};
    uint64_t state = 22;
    for (int i = 0; i < EVENTS; i++) {
        cgct_event e;
        draw(sampler, &state, &e);
        ck_assert(isfinite(e.weight));
        sum += e.weight - 1;
        square += (e.weight - 1) * (e.weight - 1);
        r.least = fmin(r.least, e.weight - 1);
        r.most = fmax(r.most, e.weight - 1);
    }
    r.mean = sum / EVENTS;
    r.error = sqrt(square) / EVENTS;
    return r;
}

/* Their mean is 1 to five times its own error, or to the error of the integral over a cell. */
static void check_weights(const cgct_sampler *sampler, double furthest)
{
    const weight_range r = range_of_weights(sampler);
    ck_assert_msg(fabs(r.mean) < 5 * r.error + 2e-6, "mean weight 1 %+g, error %g", r.mean,
                  r.error);
    ck_assert_msg(r.most < furthest && -r.least < furthest, "weights differ from 1 by %g to %g",
                  r.least, r.most);
}

START_TEST(weights)
{
    /* beyond q = 2 k_max one patch ends, which no exponential follows */
    static const double furthest[TABLES] = {0.05, 0.1, 0.2};
    cgct_table *t;
    cgct_slice *s;
    synthetic_slice(_i, 1, &s, &t);
    cgct_sampler *sampler = open_sampler(s);
    check_weights(sampler, furthest[_i]);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Members, panels, and values below 0, which are kept. */
START_TEST(weights_of_golden)
{
    static const char *const golden[] = {GOLDEN_PANELS "@up", GOLDEN_SMALL, GOLDEN_NEGATIVE};
    cgct_slice *s;
    cgct_info f;
    cgct_table *t = open_table(golden[_i]);
    ck_assert_int_eq(cgct_set_negative(t, CGCT_NEGATIVE_KEEP), CGCT_OK);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, sqrt(f.x[0] * f.x[1]), sqrt(f.eps[0] * f.eps[1]), NULL),
                     CGCT_OK);
    cgct_sampler *sampler = open_sampler(s);
    check_weights(sampler, _i == 2 ? 100 : 0.2);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Of a shipped table: the mean says by how much the total is too small, which cgctab.h tells. */
START_TEST(weights_of_shipped)
{
    static const double eps[] = {0.1, 1, 10}, furthest[] = {5e-4, 1e-4, 5e-5};
    cgct_slice *s;
    cgct_table *t = open_table(TESTS_DIR "/../tables/mv.cgct");
    ck_assert_int_eq(cgct_slice_init(&s, t, 1e-3, eps[_i], NULL), CGCT_OK);
    cgct_sampler *sampler = open_sampler(s);
    const weight_range r = range_of_weights(sampler);
    printf("mv, eps = %g: mean weight 1 %+.1e +- %.0e, from %.2f to %.2f\n", eps[_i], r.mean,
           r.error, 1 + r.least, 1 + r.most);
    ck_assert_double_le(fabs(r.mean), furthest[_i] + 3 * r.error);
    ck_assert(r.least > -1 && r.most < 1);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Over a cell they are 1 on average: the density there against the integral of which the cell is
 * chosen. */
START_TEST(weights_of_a_cell)
{
    enum { N = 20 };
    cgct_table *t;
    cgct_slice *s;
    uint64_t state = 5;
    synthetic_slice(_i, 1, &s, &t);
    cgct_sampler *sampler = open_sampler(s);
    for (int cell = 0; cell < 30; cell++) {
        double sum = 0, u[5] = {uniform(&state), 0, 0, 0, 0.9};
        for (int i = 0; i < N * N * N; i++) {
            cgct_event e;
            u[1] = (i % N + 0.5) / N;
            u[2] = (i / N % N + 0.5) / N;
            u[3] = (i / (N * N) + 0.5) / N;
            if (cgct_sample(sampler, u, &e) != CGCT_OK) ck_abort_msg("no event");
            sum += e.weight;
        }
        CHECK_REL(sum / (N * N * N), 1, 1e-3);
    }
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- chi-square in (q, k1, theta) ---- */

enum { BQ = 3, BK = 5, BT = 6, BINS = BQ * BK * BT };
static const double q_lo = 0.7, q_hi = 6, k_lo = 0.2, k_hi = 3;

/* Bin of an event, or BINS. */
static int bin_of(const cgct_event *e)
{
    double a = BQ * log(e->q / q_lo) / log(q_hi / q_lo);
    double b = BK * log(e->k1 / k_lo) / log(k_hi / k_lo), c = BT * (e->theta + PI) / (2 * PI);
    if (!(a >= 0 && a < BQ && b >= 0 && b < BK)) return BINS;
    return ((int)a * BK + (int)b) * BT + (c >= BT ? BT - 1 : (int)c);
}

/* Share of a bin: midpoint rule. */
static double bin_integral(const cgct_slice *s, int bin)
{
    enum { N = 16 };
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
    cgct_slice *s;
    synthetic_slice(_i ? COARSE : FINE, 1, &s, &t);
    cgct_sampler *sampler = open_sampler(s);
    double sum[BINS + 1] = {0}, square[BINS + 1] = {0}, chi2 = 0;
    uint64_t state = 2024 + (uint64_t)_i;
    for (int i = 0; i < EVENTS; i++) {
        cgct_event e;
        draw(sampler, &state, &e);
        if (!(e.theta > -PI && e.theta <= PI && e.weight > 0))
            ck_abort_msg("theta %g, weight %g", e.theta, e.weight);
        int bin = bin_of(&e);
        sum[bin] += e.weight;
        square[bin] += e.weight * e.weight;
    }
    for (int b = 0; b < BINS; b++) {
        double want = EVENTS * bin_integral(s, b) / cgct_sampler_total(sampler);
        ck_assert_msg(want > 15, "bin %d holds %g", b, want);
        chi2 += pow(sum[b] - want, 2) / square[b];
    }
    ck_assert_msg(chi2 > BINS - 6 * sqrt(2 * BINS) && chi2 < BINS + 6 * sqrt(2 * BINS),
                  "chi2 = %g for %d bins", chi2, BINS);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* ---- chi-square in single variables, against points that are drawn without a sampler ---- */

enum { MARGINALS = 6, COLUMNS = 25 };

/* Momenta over q on a scale of 0 to 1; angles over pi. */
static void marginals_of(const cgct_event *e, double v[MARGINALS])
{
    double k2 = other_momentum(e->q, e->k1, e->theta), shorter = fmin(e->k1, k2) / e->q;
    double along = e->k1 * cos(e->theta), away = hypot(along - e->q / 2, e->k1 * sin(e->theta));
    double between = (e->q * along - e->k1 * e->k1) / fmax(e->k1 * k2, 1e-300); /* cosine k1, k2 */
    v[0] = log(e->q / 0.5) / log(32);
    v[1] = e->k1 / (e->k1 + e->q);
    v[2] = k2 / (k2 + e->q);
    v[3] = 2 * shorter / (2 * shorter + 1); /* 1/2 between the patches */
    v[4] = away / (away + e->q);
    v[5] = acos(fmin(fmax(between, -1), 1)) / PI;
}

static void fill_columns(const cgct_event *e, double weight, double sum[][COLUMNS],
                         double square[][COLUMNS])
{
    double v[MARGINALS];
    marginals_of(e, v);
    for (int i = 0; i < MARGINALS; i++) {
        int c = (int)fmin(fmax(COLUMNS * v[i], 0), COLUMNS - 1);
        sum[i][c] += weight;
        square[i][c] += weight * weight;
    }
}

/* Uniform in ln q, ln k1 and theta; weight 0 where the shorter momentum is beyond k_max. */
static double draw_uniform(const cgct_slice *s, const cgct_info *f, uint64_t *state, cgct_event *e)
{
    const double low = 1e-3, high = f->k_max + f->q[1];
    e->q = f->q[0] * pow(f->q[1] / f->q[0], uniform(state));
    e->k1 = low * pow(high / low, uniform(state));
    e->theta = 2 * PI * uniform(state) - PI;
    if (fmin(e->k1, other_momentum(e->q, e->k1, e->theta)) > f->k_max) return 0;
    return mixture(s, e->q, e->k1, e->theta) * e->q * e->q * e->k1 * e->k1 * 4 * PI * PI *
           log(f->q[1] / f->q[0]) * log(high / low);
}

START_TEST(marginals)
{
    enum { DIRECT = 1000000 };
    static double got[MARGINALS][COLUMNS], got2[MARGINALS][COLUMNS];
    static double want[MARGINALS][COLUMNS], want2[MARGINALS][COLUMNS];
    cgct_table *t;
    cgct_slice *s;
    cgct_info f;
    cgct_event e;
    uint64_t state = 31;
    synthetic_slice(_i ? WIDE : FINE, 1, &s, &t);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    cgct_sampler *sampler = open_sampler(s);
    double scale = cgct_sampler_total(sampler) / EVENTS;
    for (int i = 0; i < EVENTS; i++) {
        draw(sampler, &state, &e);
        fill_columns(&e, e.weight * scale, got, got2);
    }
    for (int i = 0; i < DIRECT; i++) {
        double w = draw_uniform(s, &f, &state, &e) / DIRECT;
        fill_columns(&e, w, want, want2);
    }
    for (int i = 0; i < MARGINALS; i++) {
        double chi2 = 0, n = 0;
        for (int c = 0; c < COLUMNS; c++) {
            double one = want[i][c] * scale; /* of got, where no event came */
            double variance = (got2[i][c] > 0 ? got2[i][c] : one) + want2[i][c];
            if (want[i][c] < 100 * scale) continue; /* few events */
            chi2 += pow(got[i][c] - want[i][c], 2) / variance;
            n++;
        }
        ck_assert_msg(n >= 10 && chi2 < n + 6 * sqrt(2 * n), "marginal %d: chi2 = %g for %g bins",
                      i, chi2, n);
    }
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
    tcase_add_loop_test(c, total_of_density, 0, TABLES);
    tcase_add_loop_test(c, weights, 0, TABLES);
    tcase_add_loop_test(c, weights_of_golden, 0, 3);
    tcase_add_loop_test(c, weights_of_shipped, 0, 3);
    tcase_add_loop_test(c, weights_of_a_cell, 0, TABLES);
    tcase_add_loop_test(c, chi_square, 0, 2);
    tcase_add_loop_test(c, marginals, 0, 2);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
