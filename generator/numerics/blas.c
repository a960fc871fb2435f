/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c: the rate of this machine's matrix products. */
#include "numerics/blas.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/clock.h"

enum { RATE_SIZE = 800, RATE_RUNS = 4 };

/* Best rate of several products of one thread; 0 without memory. */
static double rate_of_thread(void)
{
    const size_t n = (size_t)RATE_SIZE * RATE_SIZE;
    double *A = malloc(3 * n * sizeof *A), best = INFINITY;
    for (size_t i = 0; A && i < 3 * n; i++) A[i] = 1e-3 * (double)(i % 1013);
#pragma omp barrier
    for (int run = 0; A && run < RATE_RUNS; run++) {
        double start = clock_thread();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, RATE_SIZE, RATE_SIZE, RATE_SIZE, 1,
                    A, RATE_SIZE, A + n, RATE_SIZE, 0, A + 2 * n, RATE_SIZE);
        best = fmin(best, clock_thread() - start);
    }
    free(A);
    return 2 * pow(RATE_SIZE, 3) / best;
}

double blas_rate(void)
{
    double sum = 0;
    int threads = 0;
    blas_single_threaded();
#pragma omp parallel reduction(+ : sum, threads)
    {
        sum += rate_of_thread();
        threads++;
    }
    return sum / threads;
}
