/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_product.h: matrix products with sixteen columns, which stay in registers: there a general
 * BLAS spends its time on the way to its kernel. */
#ifndef CGCT_THREE_PRODUCT_H
#define CGCT_THREE_PRODUCT_H
#include <stddef.h>

enum { THREE_COLUMNS = 16 };

/* C (m, COLUMNS) = A (m, k) B (k, COLUMNS), or with `add` C += A B; row-major, of the given lengths
 * of a row.  k = 0 is allowed. */
void three_product_columns16(size_t m, size_t k, const double *A, size_t lda, const double *B,
                             size_t ldb, int add, double *C, size_t ldc);

/* `count` of them: A `stepA`, C `stepC` apart; B of each is the next COLUMNS of a row, C has rows
 * of COLUMNS. */
void three_products_columns16(size_t count, size_t m, size_t k, const double *A, size_t lda,
                              size_t stepA, const double *B, size_t ldb, int add, double *C,
                              size_t stepC);
#endif
