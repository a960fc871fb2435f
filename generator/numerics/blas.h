/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.h: CBLAS without the macro I of <complex.h>, which OpenBLAS's header brings in. */
#ifndef CGCT_BLAS_H
#define CGCT_BLAS_H
#include <cblas.h>
#undef I
#include <omp.h>

/* The builders parallelise over columns and call BLAS from inside: its own threads would only fight
 * with them.  OpenBLAS keeps this setting per process; calling it again costs nothing. */
static inline void blas_single_threaded(void)
{
    int n = omp_get_max_threads(); /* an OpenBLAS built on OpenMP sets that, too */
    openblas_set_num_threads(1);
    omp_set_num_threads(n);
}
#endif
