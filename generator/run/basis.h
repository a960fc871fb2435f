/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis.h: many rows of numbers as combinations of few basis rows of integers:
 *
 *   row i, column c = step Sum_{r < R} U[i][r] V[r][c]
 *
 * The basis comes from a singular value decomposition in which each column counts in units of what
 * it may be off, so that noise below that asks for no rank. */
#ifndef CGCT_RUN_BASIS_H
#define CGCT_RUN_BASIS_H
#include <stddef.h>
#include <stdint.h>

#include "format/table_content.h"

typedef struct {
    size_t rows, planes, points; /* a row is (planes, points) */
    double bound, reduction;     /* of the difference, and the part that reduction may take of it */
    double outliers;             /* share of the numbers that reduction may change by more */
    int reduce;                  /* 0: each row is a basis row of its own */
    void *self;
    /* Row i: value (planes, points), and scale of the same shape, each from 1 to 1e38: a difference
     * of bound*scale is allowed.  Called several times for each row, by several threads. */
    cgct_status (*read)(void *self, size_t i, double *value, double *scale, cgct_err *err);
} basis_task;

typedef struct {
    size_t R;
    double step;
    double *U;        /* (rows, R); the largest of each r is 1 */
    int32_t *V;       /* (planes, R, points) ... */
    table_code code;  /* ... or, once only a file needs them, their bits (segment_encode) */
    double reduction; /* largest difference/scale before rounding ... */
    double rounding;  /* ... and what rounding adds, five standard deviations of it */
} basis;

/* Purpose  the least R whose differences stay below reduction*scale but for outliers, and the
 *          largest step whose rounding stays below bound - reduction; each row on its own where R
 *          would be their number; the same bits whatever the number of threads
 * Returns  OK; E_CONFIG where integers of 32 bits or R of the format do not suffice;
 *          E_ACCURACY (singular values), errors of read.  basis_free also after a failure.
 * Memory   basis_bytes; twice as much as often as BASIS_KEPT rows do not suffice. */
cgct_status basis_make(const basis_task *t, basis *b, cgct_err *err);
void basis_free(basis *b);

enum { BASIS_RANK_MAX = 1024 }; /* FORMAT.md 6 */
enum { BASIS_KEPT = 64 };
size_t basis_bytes(size_t rows, size_t columns);

/* Combinations of the basis rows with coefficients c (count, R) at n points of a plane, at = plane
 * points + the first of them: out (count, n); behind it room for (R, n). */
void basis_combine(const basis *b, size_t points, size_t at, size_t n, size_t count,
                   const double *c, double *out);
#endif
