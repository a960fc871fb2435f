/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled events one by one: symmetries, arrays, units, what is refused. */
#include "sample_slices.h"

/* Inside the table; u[3] decides the sign of theta, u[4] which momentum is called k1. */
START_TEST(symmetries)
{
    cgct_table *t;
    cgct_slice *s;
    cgct_info f;
    uint64_t state = 11;
    synthetic_slice(_i, 1, &s, &t);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    cgct_sampler *sampler = open_sampler(s);
    for (int i = 0; i < 20000; i++) {
        double u[5], k2;
        cgct_event e, mirror, swapped;
        for (int j = 0; j < 5; j++) u[j] = uniform(&state);
        if (i < 32) /* corners of the cells */
            for (int j = 0; j < 5; j++) u[j] = i >> j & 1 ? 1 - 0x1p-52 : 0;
        u[3] /= 2;
        u[4] = 0.5 + u[4] / 2;
        ck_assert_int_eq(cgct_sample(sampler, u, &e), CGCT_OK);
        ck_assert(e.theta >= 0 && e.theta <= PI);
        ck_assert_msg(e.q >= f.q[0] * (1 - 1e-12) && e.q <= f.q[1] * (1 + 1e-12), "q = %.17g", e.q);
        ck_assert_msg(e.k1 <= f.k_max * (1 + 1e-12), "k = %.17g", e.k1);
        ck_assert(mixture(s, e.q, e.k1, e.theta) > 0);
        k2 = other_momentum(e.q, e.k1, e.theta);
        ck_assert_msg(e.k1 <= k2 * (1 + 1e-12), "k1 = %.17g, k2 = %.17g", e.k1, k2);
        u[4] -= 0.5;
        ck_assert_int_eq(cgct_sample(sampler, u, &swapped), CGCT_OK);
        ck_assert(swapped.q == e.q && swapped.weight == e.weight);
        CHECK_REL(swapped.k1, k2, 1e-12);
        CHECK_ABS(other_momentum(swapped.q, swapped.k1, swapped.theta), e.k1, 1e-14 * (e.q + k2));
        ck_assert(mixture(s, e.q, swapped.k1, swapped.theta) > 0);
        u[4] += 0.5;
        u[3] += 0.5;
        ck_assert_int_eq(cgct_sample(sampler, u, &mirror), CGCT_OK);
        ck_assert(mirror.q == e.q && mirror.k1 == e.k1);
        CHECK_ABS(fabs(mirror.theta), e.theta, 1e-10); /* u[3] + 1/2 is rounded */
        ck_assert(mirror.theta > -PI && (mirror.theta <= 0 || e.theta > PI - 1e-10));
    }
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

static int same_event(const cgct_event *a, const cgct_event *b)
{
    return a->q == b->q && a->k1 == b->k1 && a->theta == b->theta && a->weight == b->weight;
}

/* Those of cgct_sample, and of a second sampler, bit for bit. */
START_TEST(many)
{
    enum { N = 503 };
    cgct_table *t;
    cgct_slice *s;
    static double u[N][5];
    static cgct_event all[N + 1];
    uint64_t state = 7;
    size_t first = 0;
    synthetic_slice(FINE, 1, &s, &t);
    cgct_sampler *sampler = open_sampler(s), *second = open_sampler(s);
    ck_assert(cgct_sampler_total(sampler) == cgct_sampler_total(second));
    for (int i = 0; i < 5 * N; i++) u[i / 5][i % 5] = uniform(&state);
    all[N].q = -1;
    ck_assert_int_eq(cgct_sample_many(sampler, N, u[0], all, &first), CGCT_OK);
    ck_assert_uint_eq(first, N);
    ck_assert(all[N].q == -1);
    for (int i = 0; i < N; i++) {
        cgct_event one;
        ck_assert_int_eq(cgct_sample(second, u[i], &one), CGCT_OK);
        ck_assert(same_event(&one, &all[i]));
    }
    u[3][2] = 1;
    u[11][0] = NAN;
    ck_assert_int_eq(cgct_sample_many(sampler, 16, u[0], all, &first), CGCT_E_DOMAIN);
    ck_assert_uint_eq(first, 3);
    for (int i = 0; i < 16; i++) ck_assert(isnan(all[i].theta) == (i == 3 || i == 11));
    ck_assert_int_eq(cgct_sample_many(sampler, 0, NULL, NULL, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_sample_many(sampler, 1, NULL, all, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_sample_many(sampler, 1, u[0], NULL, NULL), CGCT_E_USAGE);
    all[0].q = 1;
    ck_assert_int_eq(cgct_sample_many(NULL, 1, u[0], all, NULL), CGCT_E_USAGE);
    ck_assert(isnan(all[0].q));
    cgct_sampler_free(second);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Events do not depend on the unit of I, which may be far from 1. */
START_TEST(any_unit)
{
    enum { N = 300 };
    static const double scale[3] = {1, 0x1p-330, 0x1p330};
    static cgct_event e[3][N];
    for (int j = 0; j < 3; j++) {
        cgct_table *t;
        cgct_slice *s;
        uint64_t state = 3;
        synthetic_slice(COARSE, scale[j], &s, &t);
        cgct_sampler *sampler = open_sampler(s);
        for (int i = 0; i < N; i++) {
            draw(sampler, &state, &e[j][i]);
            /* l is rounded to 1e-6, not alike in each unit */
            CHECK_REL(e[j][i].q, e[0][i].q, 1e-4);
            CHECK_REL(e[j][i].k1, e[0][i].k1, 1e-4);
            CHECK_REL(e[j][i].weight, e[0][i].weight, 1e-4);
            CHECK_ABS(e[j][i].theta, e[0][i].theta, 1e-4);
        }
        cgct_sampler_free(sampler);
        cgct_slice_free(s);
        cgct_close(t);
    }
}
END_TEST

/* Totals of T and of L alone add up; factors of any size only scale them. */
START_TEST(factors)
{
    cgct_table *t;
    cgct_slice *s;
    double total[3];
    synthetic_slice(FINE, 1, &s, &t);
    for (int i = 0; i < 3; i++) {
        const double f[3][2] = {{1, 0}, {0, 1}, {3e-200, 5e-200}};
        cgct_sampler *sampler;
        cgct_event e;
        uint64_t state = 1;
        ck_assert_int_eq(cgct_sampler_init(&sampler, s, f[i], NULL), CGCT_OK);
        total[i] = cgct_sampler_total(sampler);
        for (int j = 0; j < 1000; j++) {
            draw(sampler, &state, &e);
            ck_assert_msg(fabs(e.weight - 1) < 0.05, "weight %g", e.weight);
        }
        cgct_sampler_free(sampler);
    }
    CHECK_REL(total[2], 3e-200 * total[0] + 5e-200 * total[1], 1e-5);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

START_TEST(refusals)
{
    cgct_table *t;
    cgct_slice *s;
    cgct_event e;
    cgct_err err;
    const double none[2] = {0, 0}, minus[2] = {1, -1}, nan[2] = {NAN, 1}, huge[2] = {INFINITY, 1};
    const double *bad_factor[] = {none, minus, nan, huge};
    const double bad[][5] = {{1, 0, 0, 0, 0}, {0, -0.1, 0, 0, 0}, {0, 0, NAN, 0, 0}};
    synthetic_slice(COARSE, 1, &s, &t);
    for (int i = 0; i < 4; i++) {
        cgct_sampler *none_made = (cgct_sampler *)&none_made;
        ck_assert_int_eq(cgct_sampler_init(&none_made, s, bad_factor[i], &err), CGCT_E_DOMAIN);
        ck_assert_ptr_null(none_made);
        ck_assert_msg(strstr(err.text, "factors"), "%s", err.text);
    }
    cgct_sampler *sampler = (cgct_sampler *)&sampler;
    ck_assert_int_eq(cgct_sampler_init(&sampler, NULL, factor, &err), CGCT_E_USAGE);
    ck_assert_ptr_null(sampler);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, NULL, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_sampler_init(NULL, s, factor, &err), CGCT_E_USAGE);
    sampler = open_sampler(s);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(cgct_sample(sampler, bad[i], &e), CGCT_E_DOMAIN);
        ck_assert(isnan(e.q) && isnan(e.weight));
    }
    ck_assert_int_eq(cgct_sample(NULL, bad[0], &e), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_sample(sampler, NULL, &e), CGCT_E_USAGE);
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
    Suite *suite = suite_create("events");
    TCase *c = tcase_create("events");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, symmetries, 0, TABLES);
    tcase_add_test(c, many);
    tcase_add_test(c, any_unit);
    tcase_add_test(c, factors);
    tcase_add_test(c, refusals);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
