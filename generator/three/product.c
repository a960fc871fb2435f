/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled with contraction, so that a product and a sum become one instruction. */
#include "three/product.h"

#include <string.h>

/* Two registers of columns at a time, and as many rows as sums fit the registers. */
#if defined(__AVX512F__)
enum { VEC = 8, ROWS = 13 };
#elif defined(__AVX__)
enum { VEC = 4, ROWS = 6 };
#else
enum { VEC = 2, ROWS = 6 };
#endif

typedef double vec __attribute__((vector_size(8 * VEC)));

static inline vec load(const double *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(double *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* n is a constant at each call: the loops over rows vanish.  k > 0 */
static inline __attribute__((always_inline)) void rows(size_t n, size_t k, const double *A,
                                                       size_t lda, const double *B, size_t ldb,
                                                       int add, double *C, size_t ldc)
{
    vec left[ROWS], right[ROWS], b = load(B), c = load(B + VEC);
    for (size_t i = 0; i < n; i++) {
        left[i] = A[i * lda] * b;
        right[i] = A[i * lda] * c;
        if (!add) continue;
        left[i] += load(C + i * ldc);
        right[i] += load(C + i * ldc + VEC);
    }
    for (size_t j = 1; j < k; j++) {
        b = load(B + j * ldb);
        c = load(B + j * ldb + VEC);
        for (size_t i = 0; i < n; i++) {
            left[i] += A[i * lda + j] * b;
            right[i] += A[i * lda + j] * c;
        }
    }
    for (size_t i = 0; i < n; i++) {
        store(C + i * ldc, left[i]);
        store(C + i * ldc + VEC, right[i]);
    }
}

static void some_rows(size_t n, size_t k, const double *A, size_t lda, const double *B, size_t ldb,
                      int add, double *C, size_t ldc)
{
#define CASE(n)                                                                                    \
    case n:                                                                                        \
        rows(n, k, A, lda, B, ldb, add, C, ldc);                                                   \
        break;
    switch (n) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
#if defined(__AVX512F__)
        CASE(7)
        CASE(8)
        CASE(9)
        CASE(10)
        CASE(11)
        CASE(12)
        CASE(13)
#endif
    }
#undef CASE
}

void three_product_columns16(size_t m, size_t k, const double *A, size_t lda, const double *B,
                             size_t ldb, int add, double *C, size_t ldc)
{
    if (k == 0 && !add)
        for (size_t i = 0; i < m; i++) memset(C + i * ldc, 0, THREE_COLUMNS * sizeof *C);
    while (m && k) {
        size_t n = m < ROWS ? m : m < 2 * ROWS ? (m + 1) / 2 : ROWS; /* no thin remainder */
        for (size_t i = 0; i < THREE_COLUMNS; i += 2 * VEC)
            some_rows(n, k, A, lda, B + i, ldb, add, C + i, ldc);
        m -= n;
        A += n * lda;
        C += n * ldc;
    }
}

void three_products_columns16(size_t count, size_t m, size_t k, const double *A, size_t lda,
                              size_t stepA, const double *B, size_t ldb, int add, double *C,
                              size_t stepC)
{
    for (; count; count--, A += stepA, B += THREE_COLUMNS, C += stepC)
        if (m == 2) /* inline: so short that one must overlap with the next */
            for (size_t i = 0; i < THREE_COLUMNS; i += 2 * VEC)
                rows(2, k, A, lda, B + i, ldb, add, C + i, THREE_COLUMNS);
        else
            three_product_columns16(m, k, A, lda, B, ldb, add, C, THREE_COLUMNS);
}
