/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels are asked of OpenBLAS for which processor, and that a call runs on one thread. */
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "numerics/blas.h"
#include "run_suite.h"

/* What OpenBLAS 0.3.21 takes a processor for, and what that processor has. */
START_TEST(kernels)
{
    static const struct {
        const char *chosen;
        blas_sets processor;
        const char *want;
    } cases[] = {
        {"Prescott", BLAS_AVX512, "SkylakeX"}, /* Sapphire, Emerald, Granite Rapids */
        {"Prescott", BLAS_AVX2, "Haswell"},    /* Alder Lake, Raptor Lake */
        {"Prescott", BLAS_OLDER, NULL},        /* Pentium 4 */
        {"Haswell", BLAS_AVX512, "SkylakeX"},  /* Cannon Lake */
        {"Zen", BLAS_AVX512, "SkylakeX"},      /* Zen 4 */
        {"Nehalem", BLAS_AVX2, "Haswell"},     /* Gracemont */
        {"Barcelona", BLAS_AVX2, "Haswell"},   /* an unknown family of AMD */
        {"SANDYBRIDGE", BLAS_AVX2, "Haswell"}, /* a library built for one processor */
        {"Sandybridge", BLAS_OLDER, NULL},
        {"Haswell", BLAS_AVX2, NULL},
        {"Zen", BLAS_AVX2, NULL},
        {"SkylakeX", BLAS_AVX512, NULL},
        {"Cooperlake", BLAS_AVX512, NULL},
        {"SapphireRapids", BLAS_AVX512, NULL},
        {"SomethingLater", BLAS_AVX512, NULL},
        {"NeoverseN1", BLAS_OLDER, NULL},
        {"unknown", BLAS_OLDER, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = blas_better_kernels(cases[i].processor, cases[i].chosen);
        ck_assert_msg(!got == !cases[i].want && (!got || !strcmp(got, cases[i].want)), "%s, %d: %s",
                      cases[i].chosen, cases[i].processor, got ? got : "none");
    }
}
END_TEST

static int count_threads(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    for (struct dirent *d = readdir(tasks); d; d = readdir(tasks)) n += *d->d_name != '.';
    closedir(tasks);
    return n;
}

/* Large enough for threads, if OpenBLAS used any; and the callers' number of threads stays. */
START_TEST(one_thread)
{
    enum { N = 400 };
    double *a = malloc(3 * N * N * sizeof *a), *b = a + N * N, *c = b + N * N, sum = 0;
    cgct_err err = {""};
    ck_assert_ptr_nonnull(a);
    ck_assert_msg(blas_open(4, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < 2 * N * N; i++) a[i] = cos(i);
    omp_set_num_threads(4);
    const int before = count_threads();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, a, N, b, 1, 0, c + N, 1);
    ck_assert_int_eq(count_threads(), before);
    ck_assert_int_eq(omp_get_max_threads(), 4);
    for (int k = 0; k < N; k++) sum += a[k] * b[k * N];
    ck_assert_double_eq_tol(c[0], sum, 1e-11);
    ck_assert_double_eq_tol(c[N], cblas_ddot(N, a, 1, b, 1), 1e-11);
    free(a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blas");
    TCase *t = tcase_create("blas");
    tcase_add_test(t, kernels);
    tcase_add_test(t, one_thread);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
