/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emulated_cublas.h: cublasDgemmStridedBatched on the processor, for emulated devices, so that the
 * order of matrices in cuda/libraries.c is tested, too. */
#ifndef EMULATED_CUBLAS_H
#define EMULATED_CUBLAS_H
#include "cuda/libraries.h"
#include "numerics/blas.h"

static inline int emulated_dgemm(void *handle, int turned_a, int turned_b, int m, int n, int k,
                                 const double *alpha, const double *a, int lda, long long sa,
                                 const double *b, int ldb, long long sb, const double *beta,
                                 double *c, int ldc, long long sc, int batch)
{
    (void)handle;
    for (int i = 0; i < batch; i++)
        cblas_dgemm(CblasColMajor, turned_a ? CblasTrans : CblasNoTrans,
                    turned_b ? CblasTrans : CblasNoTrans, m, n, k, *alpha, a + i * sa, lda,
                    b + i * sb, ldb, *beta, c + i * sc, ldc);
    return CUBLAS_OK;
}

static const cublas_calls emulated_cublas = {.product = emulated_dgemm};
#endif
