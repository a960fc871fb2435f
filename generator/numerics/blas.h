/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.h: CBLAS and LAPACK from OpenBLAS, which is loaded before main, and the kernels it uses.
 *
 * Of <cblas.h> those functions may be called that blas.c forwards; each call runs on the thread
 * that makes it, whatever OMP_NUM_THREADS says, because callers are parallel themselves and sums
 * depend on how many threads share them. */
#ifndef CGCT_BLAS_H
#define CGCT_BLAS_H
#include <cblas.h>
#undef I /* of <complex.h>, which cblas.h includes */
#include <stddef.h>

#include "format/error.h"

/* Of LAPACK, which OpenBLAS holds: factors Q R of a matrix (m, n) in columns, and Q from them. */
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);

/* Singular values and vectors of a (m, n) in columns; the last two are the lengths of the words. */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t, size_t);

/* Whether OpenBLAS is loaded, and its buffers for so many threads that call it at the same time: it
 * would try forever to get them where memory is limited (ulimit -v, -d).
 * Errors: E_IO (no library, or a part is missing), E_NOMEM. */
cgct_status blas_open(int threads, cgct_err *err);

/* One line, after blas_open has said OK: version, kernels, who chose them if OpenBLAS did not. */
const char *blas_describe(void);

/* The instruction sets that distinguish the kernels; each includes those before it. */
typedef enum {
    BLAS_OLDER,
    BLAS_AVX2,  /* with FMA */
    BLAS_AVX512 /* F, BW, CD, DQ, VL */
} blas_sets;
blas_sets blas_processor(void);
/* OpenBLAS takes a processor that it does not know for an old one.  Returns the kernels to set in
 * OPENBLAS_CORETYPE for a processor with these instruction sets; NULL where those that OpenBLAS has
 * chosen, as openblas_get_corename says, use them or are unknown here. */
const char *blas_better_kernels(blas_sets processor, const char *chosen);

/* Operations a second of one thread in products of matrices (size, size) while all threads are
 * busy with such, a multiplication and an addition counted as two.  BLAS_LARGE is what the rate of
 * a stage is held against, and takes 0.2 s.  24 size^2 bytes a thread. */
enum { BLAS_LARGE = 800 };
double blas_rate(int size);
#endif
