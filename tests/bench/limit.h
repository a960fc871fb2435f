/* SPDX-License-Identifier: GPL-3.0-or-later */
/* limit.h: what the benches of one core are held against. */
#ifndef LIMIT_H
#define LIMIT_H
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "numerics/blas.h"

/* Seconds of all cores together, so that other work on the machine does not count. */
static inline double core_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* GB/s of one thread that reads two arrays and writes a third, far larger than any cache; the best
 * of five; NaN without memory. */
static inline double memory_limit(void)
{
    enum { RUNS = 5 };
    const size_t n = (size_t)1 << 24;
    double *A = malloc(3 * n * sizeof *A), best = INFINITY;
    if (!A) return NAN;
    for (size_t i = 0; i < 3 * n; i++) A[i] = (double)(i % 1013);
    for (int run = 0; run < RUNS; run++) {
        const double t = core_clock();
        for (size_t i = 0; i < n; i++) A[2 * n + i] = A[i] + 3 * A[n + i];
        best = fmin(best, core_clock() - t);
        A[run] = A[2 * n + (size_t)run]; /* so that no run is left out */
    }
    free(A);
    return 24e-9 * (double)n / best;
}

enum { NGEMM = 1000 };

/* GFLOP/s of the best of five products of 1000^3, on as many threads as BLAS now has; NaN without
 * memory. */
static inline double product_limit(void)
{
    enum { RUNS = 5 };
    size_t n = (size_t)NGEMM * NGEMM;
    double *A = malloc(3 * n * sizeof *A), best = INFINITY;
    if (!A) return NAN;
    for (size_t i = 0; i < 3 * n; i++) A[i] = 1e-3 * (double)(i % 1013);
    for (int run = 0; run < RUNS; run++) {
        double t = core_clock();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, NGEMM, NGEMM, NGEMM, 1, A, NGEMM,
                    A + n, NGEMM, 0, A + 2 * n, NGEMM);
        best = fmin(best, core_clock() - t);
    }
    free(A);
    return 2e-9 * pow(NGEMM, 3) / best;
}
#endif
