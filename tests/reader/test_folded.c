/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded tables, and points whose scale is not I_0. */
#include <float.h>

#include "table_folder.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define PI 3.14159265358979323846

/* ---- folded: I symmetric under exchange, J = I chi projected on its modes ---- */

enum { P = 6, NM = 40, N_THETA = 96 };

static double second(double q, double k1, double theta)
{
    return sqrt(fmax(q * q + k1 * k1 - 2 * q * k1 * cos(theta), 0));
}

/* Two ridges, one at k1 -> 0 and one at k2 -> 0, of width 1/2. */
static double symmetric(int pol, double q, double k1, double theta)
{
    double k2 = second(q, k1, theta);
    return (1 + pol) / (q * (k1 * k1 + 0.25) * (k2 * k2 + 0.25));
}

static double folded_mode(int pol, size_t m, const double at[4], const void *arg)
{
    double q = at[2], k1 = at[3], sum = 0;
    (void)arg;
    for (int i = 0; i < N_THETA; i++) {
        double theta = 2 * PI * i / N_THETA, k2 = second(q, k1, theta);
        double ratio = k1 * k1 / (k2 * k2), chi = 1 / (1 + ratio * ratio * ratio);
        sum += cos((double)m * theta) * chi * symmetric(pol, q, k1, theta);
    }
    /* J = 2 pi J_0 + 4 pi Sum (-1)^m cos(m theta) J_m */
    return (m % 2 ? -1 : 1) * sum / (2 * PI * N_THETA);
}

static fixture folded_fixture(size_t nq, size_t nk)
{
    fixture f = {.n = {1, 1, nq, nk},
                 .v = {{0.01}, {1}},
                 .nm = NM,
                 .error = 1e-3,
                 .fold = 1,
                 .fold_power = P,
                 .level = 1,
                 .mode = folded_mode};
    geometric(1, 3, f.n[2], f.v[2]);
    geometric(0.02, 6, f.n[3], f.v[3]);
    return f;
}

/* Largest relative error at random points; the slice and the bound are checked on the way. */
static double folding_error(size_t nq, size_t nk)
{
    fixture f = folded_fixture(nq, nk);
    cgct_table *t = open_fixture(&f);
    cgct_slice *s;
    cgct_info info;
    uint64_t state = 11;
    double worst = 0;
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    ck_assert(info.fold == 1 && info.fold_power == P);
    ck_assert_int_eq(cgct_slice_init(&s, t, 0.01, 1, NULL), CGCT_OK);
    for (int i = 0; i < 500; i++) {
        double q = 1 + 2 * uniform(&state), k1 = 0.02 + 2.9 * uniform(&state);
        double theta = 2 * PI * uniform(&state), I[2], same[2], error[2];
        ck_assert_int_eq(cgct_eval(t, 0.01, 1, q, k1, theta, I), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, q, k1, theta, same), CGCT_OK);
        ck_assert_int_eq(cgct_eval_error(t, 0.01, 1, q, k1, theta, error), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            CHECK_REL(same[pol], I[pol], 1e-13);
            CHECK_ABS(I[pol], symmetric(pol, q, k1, theta), 0.01 * I[pol]);
            ck_assert(error[pol] >= 1e-3 * 0.99); /* the bound of J, times 1/chi >= 1 */
            worst = fmax(worst, fabs(I[pol] / symmetric(pol, q, k1, theta) - 1));
        }
    }
    cgct_slice_free(s);
    cgct_close(t);
    return worst;
}

/* J/chi converges to I at the order of the interpolation. */
START_TEST(folding)
{
    double coarse = folding_error(24, 64), fine = folding_error(47, 127);
    double order = log2(coarse / fine);
    ck_assert_msg(order > 3 && fine < 1e-3, "errors %.3g and %.3g, order %.3g", coarse, fine,
                  order);
}
END_TEST

START_TEST(exchange_is_exact)
{
    fixture f = folded_fixture(24, 64);
    cgct_table *t = open_fixture(&f);
    uint64_t state = 12;
    for (int i = 0; i < 200; i++) {
        double q = 1 + 2 * uniform(&state), k1 = 0.1 + 2.5 * uniform(&state);
        double theta = PI * uniform(&state), a[2], b[2];
        double k2 = second(q, k1, theta), along = q - k1 * cos(theta);
        if (k2 < 0.1) continue;
        ck_assert_int_eq(cgct_eval(t, 0.01, 1, q, k1, theta, a), CGCT_OK);
        ck_assert_int_eq(cgct_eval(t, 0.01, 1, q, k2, atan2(k1 * sin(theta), along), b), CGCT_OK);
        CHECK_REL(a[0], b[0], 1e-11);
        CHECK_REL(a[1], b[1], 1e-11);
    }
    cgct_close(t);
}
END_TEST

/* k2 = 0 and k2 below the axis are inside; so is k1 or k2 beyond its end, but not both. */
START_TEST(ends_of_k2)
{
    fixture f = folded_fixture(24, 64);
    cgct_table *t = open_fixture(&f);
    double I[2], near[2];
    cgct_err err;
    /* J_0 is constant below k = 0.02, J_1 linear: what is left is (0.02/0.5)^2 of the ridge. */
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2, 2, 0, I), CGCT_OK);
    CHECK_REL(I[0], symmetric(0, 2, 2, 0), 0.02 * 0.02 / 0.25);
    for (int i = 0; i < 8; i++) {
        double theta2 = 2 * PI * i / 8, k1 = second(2, 1e-7, theta2);
        double theta = asin(1e-7 * sin(theta2) / k1);
        ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2, k1, theta, near), CGCT_OK);
        CHECK_REL(near[0], I[0], 1e-6);
    }
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2.5, 5, PI, I), CGCT_OK);     /* k2 = 7.5 */
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2.5, 7.5, 0, near), CGCT_OK); /* k2 = 5 */
    CHECK_REL(near[0], I[0], 1e-11);
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2.5, 1e-9, 1, I), CGCT_OK);
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2.5, 6.5, PI, I), CGCT_E_RANGE);
    ck_assert_int_eq(cgct_check(t, 0.01, 1, 2.5, 6.5, PI, &err), CGCT_E_RANGE);
    ck_assert_msg(strstr(err.text, "k2") && strstr(err.text, "6.5"), "%s", err.text);
    ck_assert_int_eq(cgct_set_policy(t, CGCT_POLICY_FREEZE), CGCT_OK);
    ck_assert_int_eq(cgct_eval(t, 0.01, 1, 2.5, 6.5, PI, I), CGCT_OK);
    cgct_close(t);
}
END_TEST

/* ---- flagged points ---- */

enum { NQ = 6, NK = 7 };
static const int bad_q = 3, bad_k = 4;

/* Positive and smooth, but negative at one node, T only. */
static double spoilt_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const fixture *f = arg;
    double v = pow(at[2], -2) * pow(at[3], -4) * pow(0.3, (double)m) * pow(at[0] * at[1], 0.2);
    int spoilt = pol == 0 && at[2] == f->v[2][bad_q] && at[3] == f->v[3][bad_k];
    return spoilt ? -v : v;
}

static fixture spoilt_fixture(void)
{
    fixture f = {.n = {2, 2, NQ, NK}, .nm = 5, .error = 1e-9, .level = 1, .mode = spoilt_mode};
    geometric(1e-3, 1e-2, 2, f.v[0]);
    geometric(0.5, 2, 2, f.v[1]);
    geometric(1, 4, NQ, f.v[2]);
    geometric(1, 8, NK, f.v[3]);
    return f;
}

/* Linear in each logarithm over the cell, from the nodes' own I_m.  Where the spoilt node is near,
 * but no corner, the ratios and ln s of powers are linear anyway. */
static double linear_mode(const fixture *f, size_t iq, size_t ik, size_t m, const double at[4])
{
    double sum = 0;
    size_t cell[4] = {0, 0, iq, ik};
    for (int corner = 0; corner < 16; corner++) {
        double w = 1, v[4];
        for (int a = 0; a < 4; a++) {
            double lo = f->v[a][cell[a]], hi = f->v[a][cell[a] + 1];
            double u = log(at[a] / lo) / log(hi / lo);
            v[a] = corner >> a & 1 ? hi : lo;
            w *= corner >> a & 1 ? u : 1 - u;
        }
        sum += w * spoilt_mode(0, m, v, f);
    }
    return sum;
}

START_TEST(flagged_is_linear)
{
    fixture f = spoilt_fixture();
    f.arg = &f;
    cgct_table *t = open_fixture(&f);
    cgct_info info;
    uint64_t state = 8;
    int touched = 0;
    ck_assert_int_eq(cgct_table_info(t, &info), CGCT_OK);
    ck_assert_uint_eq(info.flagged, 4);
    for (size_t iq = 0; iq + 1 < NQ; iq++)
        for (size_t ik = 0; ik + 1 < NK; ik++) {
            double at[4] = {5e-3, 1.1}, modes[10], I[2], same[2], error[2];
            at[2] = f.v[2][iq] * (1 + 0.2 * uniform(&state));
            at[3] = f.v[3][ik] * (1 + 0.2 * uniform(&state));
            /* Stencils of four nodes that hold the spoilt one. */
            size_t q0 = iq < 1 ? 0 : iq > NQ - 3 ? NQ - 4 : iq - 1;
            size_t k0 = ik < 1 ? 0 : ik > NK - 3 ? NK - 4 : ik - 1;
            int touches = bad_q - (int)q0 >= 0 && bad_q - (int)q0 < 4 && bad_k - (int)k0 >= 0 &&
                          bad_k - (int)k0 < 4;
            int corner = bad_q - (int)iq >= 0 && bad_q - (int)iq < 2 && bad_k - (int)ik >= 0 &&
                         bad_k - (int)ik < 2;
            ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], 5, modes, NULL), CGCT_OK);
            ck_assert_int_eq(cgct_eval_error(t, at[0], at[1], at[2], at[3], 0, error), CGCT_OK);
            for (size_t m = 0; m < 5; m++) {
                double smooth = spoilt_mode(1, m, at, &f);
                CHECK_REL(modes[5 + m], smooth, 1e-12); /* L: powers, exact */
                CHECK_REL(modes[m], corner ? linear_mode(&f, iq, ik, m, at) : smooth, 1e-12);
            }
            if (touches) CHECK_REL(error[0], 1e-9, 1e-12);
            touched += touches;
            cgct_slice *s;
            ck_assert_int_eq(cgct_slice_init(&s, t, at[0], at[1], NULL), CGCT_OK);
            ck_assert_int_eq(cgct_slice_eval(s, at[2], at[3], 1, same), CGCT_OK);
            ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], 1, I), CGCT_OK);
            CHECK_REL(same[0], I[0], 100 * DBL_EPSILON);
            CHECK_REL(same[1], I[1], 100 * DBL_EPSILON);
            cgct_slice_free(s);
        }
    ck_assert_int_gt(touched, 5);
    /* At the node itself the stored, negative value. */
    double I[2], modes[10];
    ck_assert_int_eq(cgct_modes(t, 1e-3, 0.5, f.v[2][bad_q], f.v[3][bad_k], 5, modes, NULL),
                     CGCT_OK);
    ck_assert(modes[0] < 0 && modes[5] > 0);
    CHECK_REL(modes[0], -modes[5], 4 * DBL_EPSILON);
    ck_assert_int_eq(cgct_eval(t, 1e-3, 0.5, f.v[2][bad_q], f.v[3][bad_k], 0.3, I), CGCT_OK);
    CHECK_REL(I[0], -I[1], 1e-14);
    cgct_close(t);
}
END_TEST

/* ln s is a cubic in ln q: exact with any four nodes, but not with two. */
static double cubic_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const fixture *f = arg;
    double u = log(at[2]), v = exp(u * u * u - 2 * u * u) * pow(0.3, (double)m) * pow(at[3], -2);
    int spoilt = pol == 0 && at[2] == f->v[2][NQ - 1] && at[3] == f->v[3][1];
    return spoilt ? -v : v;
}

START_TEST(flagged_keeps_curvature)
{
    fixture f = spoilt_fixture();
    f.mode = cubic_mode;
    f.arg = &f;
    f.split = 2;
    cgct_table *t = open_fixture(&f);
    double last[4] = {5e-3, 1.1, sqrt(f.v[2][NQ - 2] * f.v[2][NQ - 1]), 0}, modes[10];
    for (size_t iq = NQ - 4; iq < NQ - 2; iq++)
        for (size_t ik = 0; ik + 1 < NK; ik++) {
            double at[4] = {5e-3, 1.1, 1.02 * f.v[2][iq], 1.02 * f.v[3][ik]};
            ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], 5, modes, NULL), CGCT_OK);
            for (size_t m = 0; m < 5; m++) CHECK_REL(modes[m], cubic_mode(1, m, at, &f), 1e-12);
        }
    /* no sound stencil of four contains the last cell */
    last[3] = 1.02 * f.v[3][NK - 2];
    ck_assert_int_eq(cgct_modes(t, last[0], last[1], last[2], last[3], 5, modes, NULL), CGCT_OK);
    CHECK_REL(modes[0], cubic_mode(1, 0, last, &f), 1e-12);
    last[3] = 1.02 * f.v[3][2];
    ck_assert_int_eq(cgct_modes(t, last[0], last[1], last[2], last[3], 5, modes, NULL), CGCT_OK);
    double ends = 1;
    for (size_t i = NQ - 2; i < NQ; i++) {
        double at[4] = {last[0], last[1], f.v[2][i], last[3]};
        ends *= sqrt(cubic_mode(1, 0, at, &f));
    }
    CHECK_REL(modes[0], ends, 1e-12);
    cgct_close(t);
}
END_TEST

/* Mode 20 lives in one row of q only, which no unshifted stencil of the cell above it holds. */
enum { HIGH = 20, ROW = NQ - 5, CELL = NQ - 3 };

static double lonely_mode(int pol, size_t m, const double at[4], const void *arg)
{
    const fixture *f = arg;
    if (m == 0) return cubic_mode(pol, 0, at, arg);
    return m == HIGH && at[2] == f->v[2][ROW] ? 0.01 * fabs(cubic_mode(pol, 0, at, arg)) : 0;
}

START_TEST(flagged_keeps_modes)
{
    fixture f = spoilt_fixture();
    f.nm = HIGH + 1;
    f.mode = lonely_mode;
    f.arg = &f;
    f.split = 2;
    cgct_table *t = open_fixture(&f);
    double at[4] = {5e-3, 1.1, 1.02 * f.v[2][CELL], 1.02 * f.v[3][1]}, modes[2 * (HIGH + 1)];
    double w = 1, I[2], want = 0, u = log(at[2]);
    for (size_t i = ROW + 1; i < ROW + 4; i++)
        w *= (u - log(f.v[2][i])) / log(f.v[2][ROW] / f.v[2][i]);
    ck_assert_int_eq(cgct_modes(t, at[0], at[1], at[2], at[3], HIGH + 1, modes, NULL), CGCT_OK);
    CHECK_REL(modes[HIGH], 0.01 * w * modes[0], 1e-11);
    ck_assert_int_eq(cgct_eval(t, at[0], at[1], at[2], at[3], 0, I), CGCT_OK);
    want = 2 * PI * modes[0] + 4 * PI * modes[HIGH];
    CHECK_REL(I[0], want, 1e-12);
    cgct_slice *s;
    ck_assert_int_eq(cgct_slice_init(&s, t, at[0], at[1], NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_eval(s, at[2], at[3], 0, I), CGCT_OK);
    CHECK_REL(I[0], want, 1e-12);
    const double angle = 0; /* through a list of modes */
    ck_assert_int_eq(cgct_slice_angles(s, at[2], at[3], 1, &angle, I), CGCT_OK);
    CHECK_REL(I[0], want, 1e-12);
    cgct_slice_free(s);
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("folded");
    TCase *c = tcase_create("folded");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, folding);
    tcase_add_test(c, exchange_is_exact);
    tcase_add_test(c, ends_of_k2);
    tcase_add_test(c, flagged_is_linear);
    tcase_add_test(c, flagged_keeps_curvature);
    tcase_add_test(c, flagged_keeps_modes);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
