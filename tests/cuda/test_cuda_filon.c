/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels that make Filon weights, emulated: against filon_weights and mpmath's values; chunks,
 * memory and failures. */
#include <float.h>

#include "check_rel.h"
#include "cuda_filon_cases.h"
#include "emulated_gpu.h"
#include "filon_refs.h"
#include "run_suite.h"

#define ROOM ((size_t)1 << 30)
/* of the same: other chunks divide the sums over lanes at other places, and products of other sizes
 * add up in another order, whose roundings walk at random; 1.6e-15 was seen, and less or more with
 * the kernels of other processors */
static const double TOL_PRODUCT = 32 * DBL_EPSILON;

START_TEST(against_filon_weights)
{
    emulated_gpu e;
    emulated_init(&e, ROOM);
    double worst = cuda_filon_case(_i, &e.g);
    printf("%s: %.1e\n", cuda_filon_cases[_i].name, worst);
    ck_assert_double_le(worst, TOL_WEIGHTS);
    ck_assert_uint_eq(e.used, 0);
}
END_TEST

/* ---- mpmath's values ---- */

/* w[n] at one momentum and order */
static void weights(size_t n, const double *x, double q, int m, int degree,
                    const filon_tail_opts *tail, double *w)
{
    const filon_task t = {n, 1, 1, x, &q, &m, degree, tail};
    filon_plan p;
    emulated_gpu e;
    cgct_err err = {""};
    emulated_init(&e, ROOM);
    ck_assert_msg(cuda_filon_weights(&t, &e.g, &p, w, &err) == CGCT_OK, "%s", err.text);
    filon_plan_free(&p);
}

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

/* int x^(p+1) J_m(q x) dx over a uniform grid */
START_TEST(exact_for_polynomials)
{
    enum { N = 20, DEGREE = 8 };
    FILE *f = open_ref("filon_poly.ref");
    double A, B, q, want, scale, x[N], w[N];
    int m, p, count = 0;
    while (fscanf(f, "%lf %lf %lf %d %d %lf %lf", &A, &B, &q, &m, &p, &want, &scale) == 7) {
        double got = 0, size = 0;
        if (p > DEGREE || q * (B - A) > 1e5) continue; /* a million panels take long here */
        for (int i = 0; i < N; i++) x[i] = i + 1 < N ? A + (B - A) * i / (N - 1.) : B;
        weights(N, x, q, m, DEGREE, NULL, w);
        for (int i = 0; i < N; i++) {
            got += w[i] * pow(x[i], p);
            size += fabs(w[i] * pow(x[i], p));
        }
        CHECK_ABS(got, want, TOL_FILON * SCALE_ERROR * scale + 1e-15 * size);
        count++;
    }
    fclose(f);
    ck_assert_int_gt(count, 80);
}
END_TEST

/* ---- chunks, memory, failures ---- */

/* One lane and one momentum at a time; less and less memory, some of it promised only: the same
 * weights; at last a refusal. */
START_TEST(chunks)
{
    cuda_filon_task t;
    filon_plan p;
    emulated_gpu e;
    cgct_err err = {""};
    size_t refusals = 0, sizes = 0;
    cuda_filon_init(&t, 0);
    size_t n = t.task.nm * t.task.nq * t.task.nx;
    double *w = malloc(4 * n * sizeof *w), *again = w + n, *got = again + n, *scale = got + n;
    for (int i = 0; i < 2; i++) {
        emulated_init(&e, ROOM);
        ck_assert(cuda_filon_weights(&t.task, &e.g, &p, i ? again : w, &err) == CGCT_OK);
        if (!i) cuda_filon_scale(&p, scale);
        filon_plan_free(&p);
    }
    ck_assert_int_eq(memcmp(w, again, n * sizeof *w), 0);
    size_t room = e.g.bytes_peak;
    emulated_init(&e, ROOM);
    e.promised = 1;
    ck_assert(cuda_filon_weights(&t.task, &e.g, &p, got, &err) == CGCT_OK);
    ck_assert_uint_gt(e.launches, p.nlane);
    for (size_t i = 0; i < n; i++) CHECK_ABS(got[i], w[i], TOL_PRODUCT * scale[i] + 1e-280);
    filon_plan_free(&p);
    for (;; room = room * 9 / 10, sizes++) {
        emulated_init(&e, room);
        e.promised = sizes % 2 ? ROOM : 0;
        if (cuda_filon_weights(&t.task, &e.g, &p, got, &err) != CGCT_OK) break;
        refusals += e.refusals;
        for (size_t i = 0; i < n; i++) CHECK_ABS(got[i], w[i], TOL_PRODUCT * scale[i] + 1e-280);
        filon_plan_free(&p);
    }
    printf("%zu sizes, %zu refusals; then: %s\n", sizes, refusals, err.text);
    ck_assert_uint_gt(sizes, 3);
    ck_assert_uint_gt(refusals, 3);
    ck_assert_uint_eq(e.used, 0);
    free(w);
}
END_TEST

/* A momentum's weights do not depend on the others' beyond the rounding of the tail's products. */
START_TEST(momenta_apart)
{
    cuda_filon_task t;
    filon_plan p;
    emulated_gpu e;
    cgct_err err = {""};
    cuda_filon_init(&t, _i);
    size_t n = t.task.nm * t.task.nq * t.task.nx;
    double *all = malloc(3 * n * sizeof *all), *scale = all + n, *one = scale + n;
    emulated_init(&e, ROOM);
    ck_assert(cuda_filon_weights(&t.task, &e.g, &p, all, &err) == CGCT_OK);
    cuda_filon_scale(&p, scale);
    filon_plan_free(&p);
    for (size_t iq = 0; iq < FILON_CASE_MOMENTA; iq++) {
        t.task.q = cuda_filon_cases[_i].q + iq;
        t.task.nq = 1;
        ck_assert(cuda_filon_weights(&t.task, &e.g, &p, one, &err) == CGCT_OK);
        filon_plan_free(&p);
        size_t nx = t.task.nx;
        for (size_t im = 0; im < t.task.nm; im++)
            for (size_t j = 0; j < nx; j++) {
                size_t at = (im * FILON_CASE_MOMENTA + iq) * nx + j;
                CHECK_ABS(one[im * nx + j], all[at], TOL_PRODUCT * scale[at] + 1e-280);
            }
    }
    free(all);
}
END_TEST

START_TEST(failures)
{
    static const gpu_kernel stages[] = {GPU_bessel, GPU_widen, GPU_weigh, GPU_tail};
    cuda_filon_task t;
    filon_plan p;
    double *w;
    cuda_filon_init(&t, 0);
    w = malloc(t.task.nm * t.task.nq * t.task.nx * sizeof *w);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        emulated_gpu e;
        cgct_err err = {""};
        emulated_init(&e, ROOM);
        e.fails = 1;
        e.fail_at = stages[i];
        ck_assert_int_eq(cuda_filon_weights(&t.task, &e.g, &p, w, &err), CGCT_E_DEVICE);
        ck_assert_msg(strstr(err.text, gpu_kernel_name(stages[i])), "%s", err.text);
        ck_assert_uint_eq(e.used, 0);
    }
    free(w);
}
END_TEST

/* Arguments that filon_weights refuses are refused alike; phases beyond all memory are, too. */
START_TEST(refused)
{
    static const double x[] = {0, 1, 2, 3, 4}, flat[] = {0, 1, 1, 3, 4}, far[] = {0, 1, 2, 3, 1e5};
    static const int m = 0;
    const double q = 1, minus = -1, large = 1e6;
    filon_plan p;
    cgct_err err = {""};
    const filon_task bad[] = {{5, 1, 1, flat, &q, &m, 4, NULL},
                              {5, 1, 1, x, &minus, &m, 4, NULL},
                              {5, 1, 1, x, &q, &m, 5, NULL}},
                     big = {5, 1, 1, far, &large, &m, 4, NULL},
                     none = {5, 0, 1, x, &q, &m, 4, NULL};
    for (int i = 0; i < 3; i++) ck_assert_int_eq(filon_plan_init(&p, &bad[i], &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(filon_plan_init(&p, &big, &err), CGCT_E_NOMEM);
    ck_assert_msg(strstr(err.text, "finer grid"), "%s", err.text);
    ck_assert_ptr_null(p.lane);
    ck_assert_int_eq(filon_plan_init(&p, &none, &err), CGCT_OK);
    filon_plan_free(&p);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    Suite *s = suite_create("cuda_filon");
    TCase *t = tcase_create("cuda_filon");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, against_filon_weights, 0, CUDA_FILON_CASES);
    tcase_add_test(t, each_weight_matches_reference);
    tcase_add_test(t, tail_integrals_match_reference);
    tcase_add_test(t, exact_for_polynomials);
    tcase_add_test(t, chunks);
    tcase_add_loop_test(t, momenta_apart, 0, CUDA_FILON_CASES);
    tcase_add_test(t, failures);
    tcase_add_test(t, refused);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
