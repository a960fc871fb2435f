/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three-momentum transform as a run: budget, threads, sizes, error estimate, bad input, resume. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

#include "three_task.h"
#include "run_suite.h"
#include "larger_error.h"

static double largest(size_t n, const double *v)
{
    double top = 0;
    for (size_t i = 0; i < n; i++) top = fmax(top, fabs(v[i]));
    return top;
}

/* ---- loops ---- */

START_TEST(budget_and_threads_do_not_matter)
{
    unsigned seed = 500;
    gaussian_family f = random_family(&seed);
    three_integrand g = gaussian_integrand(&f);
    three_report wide, narrow;
    task t;
    task_init(&t);
    omp_set_num_threads(1);
    three_momentum *r = transform(&t, &g, &wide);
    omp_set_num_threads(2);
    three_momentum *two = transform(&t, &g, NULL);
    omp_set_num_threads(1);
    t.o.bytes = wide.bytes * 2 / 5;
    three_momentum *s = transform(&t, &g, &narrow);
    ck_assert_uint_eq(wide.q_group, NQ);
    ck_assert_uint_lt(narrow.q_group, NQ);
    ck_assert_uint_gt(wide.bytes, t.o.bytes);
    ck_assert_uint_le(narrow.bytes, t.o.bytes);
    ck_assert_uint_gt(narrow.steps, wide.steps);
    double top = largest(three_result_size(r), r->A[0]);
    for (size_t i = 0; i < three_result_size(r); i++) {
        CHECK_ABS(s->A[0][i], r->A[0][i], TOL_ROUNDING * top);
        CHECK_ABS(two->A[0][i], r->A[0][i], TOL_ROUNDING * top);
    }
    t.o.bytes = 100 * 1000;
    three_momentum *none;
    ck_assert_int_eq(three_momentum_run(&none, &t.o, &g, NULL, &t.err), CGCT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(t.err.text, "100000"));
    three_momentum_free(none);
    three_momentum_free(r);
    three_momentum_free(s);
    three_momentum_free(two);
}
END_TEST

START_TEST(smallest_sizes)
{
    enum { FEW = 9 };
    gaussian_family f = {1, 2, 1.5, 0, 0, 0};
    three_integrand g = gaussian_integrand(&f);
    double zero = 0, F[2], error;
    task t;
    task_init(&t);
    t.o.modes = 0;
    t.o.nphi = 1;
    three_momentum *r = transform(&t, &g, NULL);
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
        three_momentum_value(r, &(three_momenta){ik, ip, iq, 1, 2}, F, &error);
        CHECK_ABS(F[0], gaussian_F(&f, k_list[ik], p_list[ip], q_list[iq], 1, 2),
                  TOL_STAGE * gaussian_F(&f, 0, 0, 0, 0, 0));
    }
    three_momentum_free(r);
    t.o.delta.n = t.o.rp.n = t.o.b.n = FEW; /* one window of nodes, one momentum */
    t.o.delta.nmom = t.o.rp.nmom = t.o.b.nmom = 1;
    t.o.delta.mom = t.o.rp.mom = t.o.b.mom = &zero;
    r = transform(&t, &g, NULL);
    three_momentum_value(r, &(three_momenta){0, 0, 0, 0, 0}, F, &error);
    ck_assert(isfinite(F[0]) && F[0] > 0 && isfinite(error));
    three_momentum_free(r);
}
END_TEST

/* Fewer nodes and modes than the integrand needs: the estimate must say so. */
START_TEST(estimate_covers_error)
{
    unsigned seed = 600 + (unsigned)_i;
    gaussian_family f = random_family(&seed);
    three_integrand g = gaussian_integrand(&f);
    task t;
    task_init(&t);
    for (int i = 0; i < NODES; i++) t.node[i] = (_i == 0 ? 3.0 : 8.0) * i / (NODES - 1);
    t.o.degree = _i == 1 ? 4 : 0;
    t.o.modes = _i == 2 ? 2 : M;
    double largest = 0;
    three_momentum *r = transform(&t, &g, NULL);
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
        double F[2], error, want = gaussian_F(&f, k_list[ik], p_list[ip], q_list[iq], 0.4, 2.2);
        three_momentum_value(r, &(three_momenta){ik, ip, iq, 0.4, 2.2}, F, &error);
        ck_assert_msg(fabs(F[0] - want) <= error + 1e-12 * gaussian_F(&f, 0, 0, 0, 0, 0),
                      "case %d, %zu: %g, want %g, error estimate %g", _i, i, F[0], want, error);
        largest = larger_error(largest, error / gaussian_F(&f, 0, 0, 0, 0, 0));
    }
    ck_assert_double_lt(largest, _i == 2 ? 0.05 : 1e-3); /* seen: 9e-3; 2e-4 */
    three_momentum_free(r);
}
END_TEST

/* exp(-Delta^2 - r'^2 - b^2 + Delta r' cos 2alpha), whose odd orders vanish */
static void even_block(const void *self, const three_block *at, double *re, double *im)
{
    size_t i = 0;
    (void)self;
    (void)im;
    for (size_t ib = 0; ib < at->nbeta; ib++)
        for (size_t ia = 0; ia < at->nalpha; ia++)
            for (size_t ir = 0; ir < at->n; ir++) {
                double r = at->rp[ir], D = at->delta, b = at->b, c = at->cos_alpha[ia];
                re[i++] = exp(-D * D - r * r - b * b + D * r * (2 * c * c - 1));
            }
}

/* The largest order is odd and vanishes: the one before it tells what is left out. */
START_TEST(estimate_covers_even_integrands)
{
    const three_integrand g = {.block = even_block, .is_symmetric = 1};
    const three_momenta at = {1, 0, 1, 0.3, 1.5};
    double F[2][2], error[2];
    for (int i = 0; i < 2; i++) {
        task t;
        task_init(&t);
        t.o.modes = i ? 10 : 3;
        three_momentum *r = transform(&t, &g, NULL);
        three_momentum_value(r, &at, F[i], &error[i]);
        three_momentum_free(r);
    }
    ck_assert_double_gt(fabs(F[0][0] - F[1][0]), 1e-6 * fabs(F[1][0]));
    ck_assert_double_ge(error[0], fabs(F[0][0] - F[1][0]));
    ck_assert_double_lt(error[1], 1e-6 * fabs(F[1][0]));
}
END_TEST

/* ---- failures ---- */

static void poisoned_block(const void *self, const three_block *at, double *re, double *im)
{
    size_t i = 0;
    (void)im;
    for (size_t ib = 0; ib < at->nbeta; ib++)
        for (size_t ia = 0; ia < at->nalpha; ia++)
            for (size_t ir = 0; ir < at->n; ir++, i++) {
                int here = at->delta > 3.95 && at->rp[ir] > 4.95 && at->b > 5.95 &&
                           fabs(at->sin_alpha[ia] - 0.5) < 1e-9 && at->cos_alpha[ia] > 0 &&
                           fabs(at->sin_beta[ib] - sqrt(0.5)) < 1e-9 && at->cos_beta[ib] > 0;
                re[i] = here ? *(const double *)self : 1;
            }
}

static void refused(task *t, const three_integrand *g, cgct_status want, const char *text)
{
    three_momentum *r;
    cgct_status st = three_momentum_run(&r, &t->o, g, NULL, &t->err);
    ck_assert_msg(st == want, "status %d: %s", st, t->err.text);
    ck_assert_msg(strstr(t->err.text, text), "<%s>, want <%s>", t->err.text, text);
    three_momentum_free(r);
}

static void constant_block(const void *self, const three_block *at, double *re, double *im)
{
    (void)im;
    for (size_t i = 0; i < at->nbeta * at->nalpha * at->n; i++) re[i] = *(const double *)self;
}

START_TEST(overflow)
{
    const double huge = 1e305;
    three_integrand g = {.self = &huge, .block = constant_block, .is_symmetric = 1};
    task t;
    task_init(&t);
    refused(&t, &g, CGCT_E_DOMAIN, "overflow at k = 0, q = 1.2, p = 0.8 GeV");
    for (int i = 0; i < NODES; i++) t.node[i] = 3e3 * i;
    refused(&t, &g, CGCT_E_DOMAIN, "sum over b overflows");
}
END_TEST

START_TEST(bad_input)
{
    const double poison = _i ? NAN : INFINITY;
    three_integrand g = {.self = &poison, .block = poisoned_block, .is_symmetric = 1};
    task t;
    task_init(&t);
    for (int i = 0; i < NODES; i++) t.node[i] = 0.1 * i;
    refused(&t, &g, CGCT_E_DOMAIN,
            "at Delta = 4, r' = 5, b = 6 /GeV, alpha = 0.523599, beta = 0.785398");
    t.o.nphi = 2 * M;
    refused(&t, &g, CGCT_E_DOMAIN, "10 angles");
    t.o.nphi = NPHI;
    t.o.degree = 3;
    refused(&t, &g, CGCT_E_DOMAIN, "degree 3");
    t.o.degree = 0;
    t.node[4] = t.node[3];
    refused(&t, &g, CGCT_E_DOMAIN, "not rising");
    t.node[4] = 0.4;
    t.o.rp.nmom = 0;
    refused(&t, &g, CGCT_E_DOMAIN, "axis r'");
}
END_TEST

static int stop_at(void *self, size_t done, size_t total)
{
    return done == *(size_t *)self && done < total;
}

START_TEST(resumed_run_gives_the_same_bits)
{
    unsigned seed = 700;
    char path[] = "/tmp/cgct_three_XXXXXX";
    size_t stop = 4;
    gaussian_family f = random_family(&seed);
    three_integrand g = gaussian_integrand(&f);
    three_report report;
    task t;
    task_init(&t);
    three_momentum *want = transform(&t, &g, NULL);
    close(mkstemp(path));
    t.o.checkpoint = path;
    t.o.progress = stop_at;
    t.o.progress_self = &stop;
    refused(&t, &g, CGCT_E_ACCURACY, "stopped after 4");
    t.o.resume = 1;
    t.o.degree = 6;
    refused(&t, &g, CGCT_E_FORMAT, "another task");
    t.o.degree = 0;
    FILE *file = fopen(path, "r+b");
    ck_assert_int_eq(fseek(file, 5000, SEEK_SET), 0);
    int byte = fgetc(file);
    for (int pass = 0; pass < 2; pass++) {
        fseek(file, 5000, SEEK_SET);
        fputc(pass ? byte : byte ^ 1, file);
        fflush(file);
        if (!pass) refused(&t, &g, CGCT_E_CHECKSUM, "damaged");
    }
    fclose(file);
    stop = 0;
    three_momentum *got = transform(&t, &g, &report);
    ck_assert_uint_eq(report.resumed, 4);
    for (int s = 0; s < THREE_NSET; s++)
        ck_assert(!memcmp(got->A[s], want->A[s], three_result_size(got) * sizeof(double)));
    ck_assert_int_eq(unlink(path), 0);
    three_momentum_free(got);
    three_momentum_free(want);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_run");
    TCase *t = tcase_create("three_run");
    tcase_add_test(t, budget_and_threads_do_not_matter);
    tcase_add_test(t, smallest_sizes);
    tcase_add_loop_test(t, estimate_covers_error, 0, 3);
    tcase_add_test(t, estimate_covers_even_integrands);
    tcase_add_test(t, overflow);
    tcase_add_loop_test(t, bad_input, 0, 2);
    tcase_add_test(t, resumed_run_gives_the_same_bits);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
