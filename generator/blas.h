/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.h: CBLAS without the macro I of <complex.h>, which OpenBLAS's header brings in. */
#ifndef CGCT_BLAS_H
#define CGCT_BLAS_H
#include <cblas.h>
#undef I
#endif
