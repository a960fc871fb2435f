/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_machine.h: what the three-momentum transform asks of a device: memory, matrix products, and
 * the kernels of three_kernel.h.  three_cuda.h has one; tests/three_emulation.h another. */
#ifndef CGCT_THREE_MACHINE_H
#define CGCT_THREE_MACHINE_H
#include "format/error.h"
#include "three/three_kernel.h"

/* C (m,n) = alpha A B + beta C for each of `batch`, row-major; A (m,k), B (k,n), or B (n,k) where
 * it is transposed.  step: from one of the batch to the next, 0 where all share it. */
typedef struct {
    size_t m, n, k, batch;
    double alpha, beta;
    int transposed;
    const double *A, *B;
    double *C;
    size_t lda, ldb, ldc, stepA, stepB, stepC;
} three_product;

/* The same product as column-major BLAS takes it: C^T = B^T A^T. */
typedef struct {
    int m, n, k, lda, ldb, ldc, transposed; /* of the first matrix */
    const double *A, *B;
    double *C;
} three_columns;

static inline three_columns three_product_columns(const three_product *p, size_t i)
{
    return (three_columns){
        (int)p->n,   (int)p->m,     (int)p->k,           (int)p->ldb,         (int)p->lda,
        (int)p->ldc, p->transposed, p->B + i * p->stepB, p->A + i * p->stepA, p->C + i * p->stepC};
}

typedef struct {
    void *self;
    size_t bytes_free; /* memory for the transform */
    /* Pointers to the device's memory, which only the functions below follow. */
    cgct_status (*allocate)(void *self, size_t n, double **v, cgct_err *err);
    void (*release)(void *self, double *v);
    cgct_status (*put)(void *self, double *to, const double *from, size_t n, cgct_err *err);
    cgct_status (*get)(void *self, double *to, const double *from, size_t n, cgct_err *err);
    cgct_status (*product)(void *self, const three_product *p, cgct_err *err);
    cgct_status (*sample)(void *self, const three_sampling *a, cgct_err *err);
    cgct_status (*combine)(void *self, const three_combining *a, cgct_err *err);
} three_machine;
#endif
