/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c: the rate of this machine's matrix products. */
#include "numerics/blas.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/clock.h"

enum { RATE_SIZE = 800, RATE_RUNS = 4 };

double blas_rate(void)
{
    const size_t n = (size_t)RATE_SIZE * RATE_SIZE;
    double *A = malloc(3 * n * sizeof *A), best = INFINITY;
    if (!A) return 0;
    blas_single_threaded();
    for (size_t i = 0; i < 3 * n; i++) A[i] = 1e-3 * (double)(i % 1013);
    for (int run = 0; run < RATE_RUNS; run++) {
        double start = clock_thread();
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, RATE_SIZE, RATE_SIZE, RATE_SIZE, 1,
                    A, RATE_SIZE, A + n, RATE_SIZE, 0, A + 2 * n, RATE_SIZE);
        best = fmin(best, clock_thread() - start);
    }
    free(A);
    return 2 * pow(RATE_SIZE, 3) / best;
}
