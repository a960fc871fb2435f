/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.h: CBLAS from OpenBLAS, without the macro I of <complex.h> that its header defines. */
#ifndef CGCT_BLAS_H
#define CGCT_BLAS_H
#include <cblas.h>
#undef I
#include <omp.h>

/* Limits BLAS to one thread: it is called from threads that would compete with its own.  OpenBLAS
 * keeps this setting for the process; further calls cost nothing. */
static inline void blas_single_threaded(void)
{
    int n = omp_get_max_threads(); /* which an OpenBLAS built on OpenMP changes, too */
    openblas_set_num_threads(1);
    omp_set_num_threads(n);
}
#endif
