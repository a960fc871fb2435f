/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.h: CBLAS and LAPACK from OpenBLAS, without the macro I of <complex.h> that its header
 * defines. */
#ifndef CGCT_BLAS_H
#define CGCT_BLAS_H
#include <cblas.h>
#undef I
#include <omp.h>

/* Of LAPACK, which OpenBLAS holds: factors Q R of a matrix (m, n) in columns, and Q from them. */
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);

/* Singular values and vectors of a (m, n) in columns; the last two are the lengths of the words. */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t, size_t);

/* Limits BLAS to one thread: it is called from threads that would compete with its own.  OpenBLAS
 * keeps this setting for the process; further calls cost nothing. */
static inline void blas_single_threaded(void)
{
    int n = omp_get_max_threads(); /* which an OpenBLAS built on OpenMP changes, too */
    openblas_set_num_threads(1);
    omp_set_num_threads(n);
}

/* Operations a second of one thread in large matrix products while all threads are busy with such,
 * a multiplication and an addition counted as two: what the rate of a stage is held against.
 * Takes 0.2 s; 0 without memory. */
double blas_rate(void);
#endif
