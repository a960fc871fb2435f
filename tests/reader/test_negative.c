/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a dipole whose cross section is negative at large q (data version 4): values, status,
 * policy, members, slices and events, in closed form and by the second reader (read_table.py). */
#include "field_table.h"
#include "run_suite.h"
#include "table_folder.h"

/* l = pol - u and I_0 = e^l (1 - 1.2 u), u = ln(q)/ln 4: negative from q = 3.17 GeV on; of T a
 * quarter of e^l goes with t. */
static double field_of(size_t member, int pol, size_t m, const double at[4])
{
    const double u = log(at[2]) / log(4);
    if (m == 0) return pol - u;
    if (m == 1) return -1.2 * u - 0.125 * (double)member;
    return m == 2 && pol == 0 ? 0.25 : 0;
}

static double mean_of(int pol, double q, size_t member)
{
    const double at[4] = {0, 0, q, 0};
    return exp(field_of(member, pol, 0, at)) * (1 + field_of(member, pol, 1, at));
}

/* At k1 = q/2, where t = cos theta. */
static double value_of(int pol, double q, double theta, size_t member)
{
    const double at[4] = {0, 0, q, 0}, r = field_of(member, pol, 2, at);
    return mean_of(pol, q, member) + exp(field_of(member, pol, 0, at)) * r * cos(theta);
}

static cgct_table *write_and_open(size_t members, double bound)
{
    field_table f = field_table_small(field_of);
    f.either_sign = 1;
    f.members = members;
    f.bound = bound;
    f.nmeta = members > 1 ? 2 : 0;
    f.meta[0] = (table_meta){"members", "a b"};
    f.meta[1] = (table_meta){"uncertainty", "none"};
    field_table_write(&f, table);
    return open_table(table);
}

#define X 0.01
#define EPS 1.5
static const double momenta[] = {1, 1.7, 2.5, 3.1, 3.3, 4}; /* q; the last two negative */
enum { POSITIVE = 4, MOMENTA = 6 };
static const double bounds[2] = {1e-6, 4}; /* with the second no value is beyond its bound */
/* l and r_m are stored to 2^-20, and I_0 is small near its zero. */
#define TOL_STORED 1e-4

static void check_kept(const cgct_table *t, const cgct_slice *s, double q, double theta)
{
    double I[2], J[2];
    const double k1 = q / 2, x = X, eps = EPS;
    ck_assert_int_eq(cgct_eval(t, X, EPS, q, k1, theta, I), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) {
        const double want = value_of(pol, q, theta, 0);
        ck_assert_double_le(fabs(I[pol] - want), TOL_STORED * (fabs(want) + 0.01));
    }
    ck_assert_int_eq(cgct_slice_eval(s, q, k1, theta, J), CGCT_OK);
    CHECK_REL(J[0], I[0], 1e-12);
    ck_assert_int_eq(cgct_slice_angles(s, q, k1, 1, &theta, J), CGCT_OK);
    CHECK_REL(J[0], I[0], 1e-12);
    CHECK_REL(J[1], I[1], 1e-12);
    ck_assert_int_eq(cgct_eval_many(t, 1, &x, &eps, &q, &k1, &theta, J, NULL), CGCT_OK);
    CHECK_REL(J[0], I[0], 1e-12);
}

START_TEST(values_are_kept)
{
    cgct_slice *s;
    cgct_table *t = write_and_open(1, 1e-6);
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    ck_assert_int_eq(cgct_slice_init(&s, t, X, EPS, NULL), CGCT_OK);
    for (int i = 0; i < MOMENTA; i++)
        for (double theta = 0; theta < 3; theta += 0.7) check_kept(t, s, momenta[i], theta);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* All calls agree that there is no cross section. */
static void check_refused(const cgct_table *t, const cgct_slice *s, double q)
{
    double I[2], x = X, eps = EPS, k1 = q / 2, theta = 1;
    const cgct_dis dis = {1 / 137., 1, 50, 0.5, 4 * EPS * EPS, 0};
    size_t first;
    cgct_err err;
    ck_assert_int_eq(cgct_eval(t, x, eps, q, k1, theta, I), CGCT_E_NEGATIVE);
    ck_assert(isnan(I[0]) && isnan(I[1]));
    ck_assert_int_eq(cgct_check(t, x, eps, q, k1, theta, &err), CGCT_E_NEGATIVE);
    ck_assert_msg(strstr(err.text, "I_L = -") && strstr(err.text, "no positive"), "%s", err.text);
    ck_assert_int_eq(cgct_eval_many(t, 1, &x, &eps, &q, &k1, &theta, I, &first), CGCT_E_NEGATIVE);
    ck_assert(isnan(I[0]) && first == 0);
    ck_assert_int_eq(cgct_slice_eval(s, q, k1, theta, I), CGCT_E_NEGATIVE);
    ck_assert_int_eq(cgct_slice_angles(s, q, k1, 1, &theta, I), CGCT_E_NEGATIVE);
    ck_assert(isnan(I[0]) && isnan(I[1]));
    ck_assert_int_eq(cgct_dsigma(t, &dis, x, q, k1, theta, I), CGCT_E_NEGATIVE);
    ck_assert_int_eq(cgct_eval_error(t, x, eps, q, k1, theta, I), CGCT_OK);
    ck_assert(I[0] > 0);
}

/* With a small bound the value shows it; with a large one the mean over the angle does. */
START_TEST(negative_places_are_refused)
{
    cgct_slice *s;
    double I[2];
    cgct_table *t = write_and_open(1, bounds[_i]);
    ck_assert_int_eq(cgct_slice_init(&s, t, X, EPS, NULL), CGCT_OK);
    for (int i = 0; i < MOMENTA; i++)
        if (i >= POSITIVE)
            check_refused(t, s, momenta[i]);
        else
            ck_assert_int_eq(cgct_eval(t, X, EPS, momenta[i], momenta[i] / 2, 1, I), CGCT_OK);
    /* positive in the mean, negative at an angle: within the large bound 0 */
    ck_assert_int_eq(cgct_eval(t, X, EPS, 3, 1.5, 3, I), _i ? CGCT_OK : CGCT_E_NEGATIVE);
    if (_i) ck_assert(I[0] == 0 && I[1] > 0);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* The second member is negative from q = 2.75 GeV on, the first is not. */
START_TEST(members_are_told_apart)
{
    double I[4], low[2], high[2], central[2];
    cgct_table *t = write_and_open(2, bounds[_i]);
    ck_assert_int_eq(cgct_eval_members(t, X, EPS, 2.5, 1.25, 1, I), CGCT_OK);
    for (int i = 0; i < 4; i++) CHECK_REL(I[i], value_of(i % 2, 2.5, 1, (size_t)i / 2), TOL_STORED);
    ck_assert_int_eq(cgct_eval_members(t, X, EPS, 2.9, 1.45, 2, I), CGCT_E_NEGATIVE);
    CHECK_REL(I[1], value_of(1, 2.9, 2, 0), TOL_STORED);
    ck_assert(isnan(I[2]) && isnan(I[3]));
    /* I_L of the second is no part of the cross section of transverse photons, unless quarks have a
     * mass */
    ck_assert_int_eq(cgct_eval_members(t, X, EPS, 2.9, 1.45, 1, I), CGCT_E_NEGATIVE);
    ck_assert(I[2] > 0 && isnan(I[3]));
    for (int massive = 0; massive < 2; massive++) {
        const cgct_dis dis = {1 / 137., 1, 50, 0.5, massive ? 5 : 9, massive};
        ck_assert_int_eq(cgct_dsigma_members(t, &dis, X, 2.9, 1.45, 1, I), CGCT_E_NEGATIVE);
        ck_assert(I[0] > 0 && I[1] > 0 && isnan(I[3]) && (massive ? isnan(I[2]) : I[2] > 0));
    }
    ck_assert_int_eq(cgct_uncertainty(t, X, EPS, 2.9, 1.45, 2, central, low, high),
                     CGCT_E_NEGATIVE);
    ck_assert(isnan(central[1]));
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    ck_assert_int_eq(cgct_uncertainty(t, X, EPS, 2.9, 1.45, 2, central, low, high), CGCT_OK);
    CHECK_REL(low[1], value_of(1, 2.9, 2, 1), 1e-3);
    cgct_close(t);
}
END_TEST

/* Int d2q d2k1 of I_L for q in [from,to] with the shorter of k1 and k2 up to k_max = 8: I_L depends
 * on q alone, and k1 lies in one of two circles of this radius, q apart. */
static double integral_of(double from, double to)
{
    enum { N = 4000 };
    double sum = 0;
    for (int i = 0; i < N; i++) {
        const double q = from + (to - from) * (i + 0.5) / N, c = q / 16;
        const double both = 128 * (acos(c) - c * sqrt(1 - c * c));
        sum += 2 * M_PI * q * mean_of(1, q, 0) * (128 * M_PI - both) * (to - from) / N;
    }
    return sum;
}

START_TEST(events_leave_out_what_is_negative)
{
    const double zero = pow(4, 1 / 1.2), only_L[2] = {0, 1};
    cgct_slice *s;
    cgct_sampler *sampler;
    cgct_err err;
    cgct_table *t = write_and_open(1, 1e-6);
    ck_assert_int_eq(cgct_slice_init(&s, t, X, EPS, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, only_L, &err), CGCT_E_NEGATIVE);
    ck_assert_msg(strstr(err.text, "no positive"), "%s", err.text);
    ck_assert_ptr_null(sampler);
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, only_L, &err), CGCT_OK);
    CHECK_REL(cgct_sampler_total(sampler), integral_of(1, zero), 5e-3);
    CHECK_REL(-cgct_sampler_left_out(sampler), integral_of(zero, 4), 5e-2);
    uint64_t state = 3;
    for (int i = 0; i < 20000; i++) {
        cgct_event e;
        const double u[5] = {uniform(&state), uniform(&state), uniform(&state), uniform(&state),
                             uniform(&state)};
        ck_assert_int_eq(cgct_sample(sampler, u, &e), CGCT_OK);
        ck_assert_double_lt(e.q, 1.1 * zero); /* a cell that has both signs reaches beyond it */
    }
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

/* Every value and refusal as another program finds it that was written from FORMAT.md. */
START_TEST(second_reader_agrees)
{
    char command[4 * PATH_SIZE];
    cgct_table *t = write_and_open(1, bounds[_i]);
    for (int i = 0; i < MOMENTA; i++) {
        double I[2], other[2];
        const double q = momenta[i];
        const cgct_status st = cgct_eval(t, X, EPS, q, 0.7 * q, 2.5, I);
        snprintf(command, sizeof command, "python3 %s/read_table.py %s %.17g %.17g %.17g %.17g 2.5",
                 TESTS_DIR, table, X, EPS, q, 0.7 * q);
        FILE *f = popen(command, "r");
        ck_assert_int_eq(fscanf(f, "%lf %lf\n", &other[0], &other[1]), 2);
        ck_assert_int_eq(pclose(f), 0);
        ck_assert_int_eq(isnan(other[0]) != 0, st == CGCT_E_NEGATIVE);
        for (int pol = 0; pol < 2 && st == CGCT_OK; pol++)
            ck_assert_double_le(fabs(I[pol] - other[pol]), 1e-12 * fabs(other[pol]) + 1e-14);
    }
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("negative");
    TCase *c = tcase_create("negative");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, values_are_kept);
    tcase_add_loop_test(c, negative_places_are_refused, 0, 2);
    tcase_add_loop_test(c, members_are_told_apart, 0, 2);
    tcase_add_test(c, events_leave_out_what_is_negative);
    tcase_add_loop_test(c, second_reader_agrees, 0, 2);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
