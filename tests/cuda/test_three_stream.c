/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device's way through the three-momentum transform, emulated in serial C, against the
 * processor's: the same modes for every kind of integrand and any size of the loops. */
#include <math.h>

#include "three_task.h"
#include "three_emulation.h"
#include "run_suite.h"

/* G of no symmetry, or its symmetric part, times a complex factor: exp of a trigonometric form. */
typedef struct {
    int is_symmetric;
    double shift, phase;
} lopsided;

static void lopsided_block(const void *self, const three_block *at, double *re, double *im)
{
    const lopsided *s = self;
    size_t i = 0;
    for (size_t ib = 0; ib < at->nbeta; ib++)
        for (size_t ia = 0; ia < at->nalpha; ia++)
            for (size_t ir = 0; ir < at->n; ir++, i++) {
                double D = at->delta, r = at->rp[ir], b = at->b,
                       odd = s->is_symmetric ? 0 : s->shift;
                double c = at->cos_alpha[ia] + odd * at->sin_alpha[ia];
                double d = at->cos_beta[ib] - 2 * odd * at->sin_beta[ib];
                re[i] = exp(-D * D - r * r - b * b + 0.4 * D * r * c + 0.3 * r * b * d);
                if (im) im[i] = s->phase * re[i] * (1 + 0.5 * at->cos_beta[ib]);
            }
}

static void compare(const three_momentum *got, const three_momentum *want)
{
    double top = 0;
    size_t n = three_result_size(want);
    ck_assert_uint_eq(three_result_size(got), n);
    for (size_t i = 0; i < n; i++) top = fmax(top, fabs(want->A[0][i]));
    for (int set = 0; set < THREE_NSET; set++)
        for (size_t i = 0; i < n; i++)
            CHECK_ABS(got->A[set][i], want->A[set][i], TOL_ROUNDING * top);
}

/* A smaller task than three_task.h's: every sample is a call of its own. */
static void small_task(task *t, int modes, int nphi)
{
    task_init(t);
    t->o.delta.n = 11;
    t->o.rp.n = 13;
    t->o.b.n = 37;
    t->o.modes = modes;
    t->o.nphi = nphi;
}

static void both_ways(task *t, const three_integrand *g, size_t bytes, three_report *report)
{
    emulation e;
    t->o.engine = NULL;
    three_momentum *want = transform(t, g, NULL);
    emulation_init(&e, g, bytes);
    t->o.engine = &e.stream.engine;
    three_momentum *got = transform(t, g, report);
    ck_assert_uint_le(e.most, report->bytes);
    compare(got, want);
    emulation_free(&e);
    three_momentum_free(got);
    three_momentum_free(want);
}

/* Symmetric or not, real or complex; N even and odd, M at its limit and 0. */
START_TEST(equals_the_processor)
{
    static const int sizes[][2] = {{3, 8}, {3, 7}, {0, 1}, {1, 4}};
    const lopsided s = {_i & 1, 0.7, -0.6};
    const three_integrand g = {
        .self = &s, .block = lopsided_block, .is_symmetric = _i & 1, .is_complex = _i >> 1 & 1};
    three_report report;
    task t;
    small_task(&t, sizes[_i >> 2][0], sizes[_i >> 2][1]);
    both_ways(&t, &g, (size_t)1 << 30, &report);
    ck_assert_uint_eq(report.q_group, NQ);
    ck_assert_uint_eq(report.delta_subset, 11);
}
END_TEST

/* The Gaussian's closed form at the end, and the error estimate that goes with it. */
START_TEST(gaussian_values)
{
    enum { FEW = 40 };
    const gaussian_family f = {1.1, 1.3, 1.2, 0.5, 0.4, -0.3};
    const three_integrand g = gaussian_integrand(&f);
    double node[FEW];
    emulation e;
    task t;
    small_task(&t, M, 12);
    for (int i = 0; i < FEW; i++) node[i] = 6.0 * i / (FEW - 1);
    t.o.delta.node = t.o.rp.node = t.o.b.node = node;
    t.o.delta.n = t.o.rp.n = t.o.b.n = FEW;
    emulation_init(&e, &g, (size_t)1 << 30);
    t.o.engine = &e.stream.engine;
    three_momentum *r = transform(&t, &g, NULL);
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
        double F[2], error, want = gaussian_F(&f, k_list[ik], p_list[ip], q_list[iq], 0.7, 1.3);
        three_momentum_value(r, &(three_momenta){ik, ip, iq, 0.7, 1.3}, F, &error);
        ck_assert_msg(fabs(F[0] - want) <= error && error < 1e-3 * gaussian_F(&f, 0, 0, 0, 0, 0),
                      "%g, want %g, estimate %g", F[0], want, error);
    }
    emulation_free(&e);
    three_momentum_free(r);
}
END_TEST

/* Less memory: groups of q and subsets of Delta, within the bytes there are. */
START_TEST(little_memory)
{
    const lopsided s = {0, 0.7, -0.6};
    const three_integrand g = {.self = &s, .block = lopsided_block, .is_complex = 1};
    three_report wide, narrow;
    three_momentum *none;
    emulation e;
    task t;
    small_task(&t, 3, 8);
    both_ways(&t, &g, (size_t)1 << 30, &wide);
    both_ways(&t, &g, wide.bytes / 2, &narrow);
    ck_assert_uint_lt(narrow.q_group, NQ);
    ck_assert_uint_le(narrow.bytes, wide.bytes / 2);
    ck_assert_uint_gt(narrow.steps, wide.steps);
    t.o.bytes = wide.bytes * 3 / 5; /* the budget counts, too */
    both_ways(&t, &g, (size_t)1 << 30, &narrow);
    ck_assert_uint_le(narrow.bytes, t.o.bytes);
    emulation_init(&e, &g, 1000);
    t.o.engine = &e.stream.engine;
    ck_assert_int_eq(three_momentum_run(&none, &t.o, &g, NULL, &t.err), CGCT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(t.err.text, "1000;"));
    three_momentum_free(none);
    emulation_free(&e);
}
END_TEST

static void poisoned_block(const void *self, const three_block *at, double *re, double *im)
{
    const double *x = self; /* where and what */
    (void)im;
    for (size_t i = 0; i < at->nalpha * at->nbeta * at->n; i++) {
        size_t ir = i % at->n, ia = i / at->n % at->nalpha, ib = i / at->n / at->nalpha;
        int here = at->delta == x[0] && at->rp[ir] == x[1] && at->b == x[2] &&
                   fabs(at->sin_alpha[ia] - 1) < 1e-9 && fabs(at->sin_beta[ib] + 1) < 1e-9;
        re[i] = here ? x[3] : 1;
    }
}

START_TEST(value_that_is_not_finite)
{
    double x[4] = {0, 0, 0, _i ? NAN : INFINITY};
    const three_integrand g = {.self = x, .block = poisoned_block};
    three_momentum *r;
    char want[128];
    emulation e;
    task t;
    small_task(&t, 3, 8);
    x[0] = t.node[5], x[1] = t.node[2], x[2] = t.node[33]; /* in the second sweep over b */
    snprintf(want, sizeof want, "Delta = %g, r' = %g, b = %g /GeV, alpha = 1.5708, beta = 4.71239",
             x[0], x[1], x[2]);
    emulation_init(&e, &g, (size_t)1 << 30);
    t.o.engine = &e.stream.engine;
    ck_assert_int_eq(three_momentum_run(&r, &t.o, &g, NULL, &t.err), CGCT_E_DOMAIN);
    ck_assert_msg(strstr(t.err.text, want), "%s", t.err.text);
    three_momentum_free(r);
    emulation_free(&e);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_stream");
    TCase *t = tcase_create("three_stream");
    tcase_add_loop_test(t, equals_the_processor, 0, 16);
    tcase_add_test(t, gaussian_values);
    tcase_add_test(t, little_memory);
    tcase_add_loop_test(t, value_that_is_not_finite, 0, 2);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
