/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis_search.c: rows that are read in batches, and their singular vectors. */
#include "run/basis_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/memory.h"
#include "run/failure.h"

static const double SINGULAR_MIN = 1e-15; /* of the largest singular value: below it is rounding */
/* Columns of a stripe at least: so many numbers of all rows fit in a cache beside the processor,
 * and stripes are tall enough that their factors R are few numbers. */
enum { STRIPE = 2048, STRIPE_ROWS = 16 };

/* ---- rows in weighted columns ---- */

cgct_status basis_search_read(const basis_search *s, size_t first, size_t n, double *value,
                              double *scale, cgct_err *err)
{
    const basis_task *t = s->task;
    first_failure failure = {0};
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t i = 0; i < n; i++) {
        cgct_err mine;
        const size_t at = i * s->columns;
        const cgct_status st = t->read(t->self, first + i, value + at, scale + at, &mine);
        failure_keep(&failure, i, st, &mine);
    }
    return failure_tell(&failure, err);
}

/* Scales of a column whose product is taken before its logarithm; it does not overflow. */
enum { PRODUCT = 8 };

/* weight += the logarithms of n scales, in the columns of a stripe. */
static void add_logarithms(const basis_search *s, stripe at, size_t n, const double *scale)
{
    for (size_t c = at.first; c < at.first + at.n; c += BLOCK) {
        const size_t some = at.first + at.n - c < BLOCK ? at.first + at.n - c : BLOCK;
        for (size_t i = 0; i < n; i += PRODUCT) {
            double product[BLOCK];
            memcpy(product, scale + i * s->columns + c, some * sizeof *product);
            for (size_t k = i + 1; k < n && k < i + PRODUCT; k++)
                for (size_t j = 0; j < some; j++) product[j] *= scale[k * s->columns + c + j];
            for (size_t j = 0; j < some; j++) s->weight[c + j] += log(product[j]);
        }
    }
}

void basis_search_weigh(const basis_search *s, size_t n, double *value)
{
#pragma omp parallel for if (s->stripes > 1)
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < s->columns; c++) value[i * s->columns + c] *= s->weight[c];
}

/* ---- singular vectors ---- */

/* A matrix in columns, which begin so far apart. */
typedef struct {
    double *v;
    size_t apart;
} in_columns;

/* a (m, n) becomes an orthonormal set (m, p) of its span, and R (p, n) that of the factors Q R. */
static cgct_status factor(size_t m, size_t n, size_t p, in_columns a, in_columns R, cgct_err *err)
{
    const int im = (int)m, in = (int)n, ip = (int)p, ia = (int)a.apart;
    const int room = 64 * in; /* blocks of 64 columns */
    int info = 0, more = 0;
    double *tau = memory_new(p + (size_t)room, sizeof *tau), *work = tau + p;
    dgeqrf_(&im, &in, a.v, &ia, tau, work, &room, &info);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < p; i++) R.v[j * R.apart + i] = i <= j ? a.v[j * a.apart + i] : 0;
    dorgqr_(&im, &ip, &ip, a.v, &ia, tau, work, &room, &more);
    free(tau);
    if (info || more)
        return cgct_fail(err, CGCT_E_ACCURACY, "factors of %zu rows: LAPACK says %d, %d", n, info,
                         more);
    return CGCT_OK;
}

/* R (p, rows) = U S A, all in columns: U (p, p), and S falling. */
static cgct_status decompose(size_t rows, size_t p, double *R, double *U, double *S, cgct_err *err)
{
    const int m = (int)p, n = (int)rows, one = 1, room = 64 * (m + n);
    int info = 0;
    double unused, *work = memory_new((size_t)room, sizeof *work);
    dgesvd_("A", "N", &m, &n, R, &m, S, U, &m, &unused, &one, work, &room, &info, 1, 1);
    free(work);
    return info ? cgct_fail(err, CGCT_E_ACCURACY, "singular values of %zu rows: LAPACK says %d",
                            rows, info)
                : CGCT_OK;
}

/* Each stripe of the stack becomes an orthonormal set of its own, whose factors R are one below the
 * other in top, (stripes p, rows) in columns. */
static cgct_status factor_stripes(const basis_search *s, size_t rows, size_t p, double *top,
                                  cgct_err *err)
{
    first_failure failure = {0};
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t k = 0; k < s->stripes; k++) {
        const stripe at = stripe_at(s, k);
        cgct_err mine;
        const in_columns a = {s->stack + at.first, s->columns}, R = {top + k * p, s->stripes * p};
        failure_keep(&failure, k, factor(at.n, rows, p, a, R, &mine), &mine);
    }
    return failure_tell(&failure, err);
}

/* vector = (Q U)^T, Q: that of each stripe times its part of top; mix: (stripes, p, n). */
static void make_vectors(basis_search *s, size_t p, const double *top, const double *U, double *mix)
{
    const int n = (int)s->n, ip = (int)p, tall = (int)(s->stripes * p), columns = (int)s->columns;
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t k = 0; k < s->stripes; k++) {
        const stripe at = stripe_at(s, k);
        double *M = mix + k * p * s->n;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, ip, n, ip, 1, top + k * p, tall, U, ip,
                    0, M, n);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, (int)at.n, ip, 1, M, n,
                    s->stack + at.first, columns, 0, s->vector + at.first, columns);
    }
}

/* Replaces vector and singular by those of the first `rows` rows of the stack, which is used up. */
static cgct_status compress_stack(basis_search *s, size_t rows, cgct_err *err)
{
    const size_t p = rows < s->columns ? rows : s->columns, tall = s->stripes * p;
    double *R = memory_new(rows * p + p * p + 2 * tall * rows, sizeof *R);
    double *U = R + rows * p, *top = U + p * p, *mix = top + tall * rows;
    cgct_status st = factor_stripes(s, rows, p, top, err);
    if (st == CGCT_OK) st = factor(tall, rows, p, (in_columns){top, tall}, (in_columns){R, p}, err);
    if (st == CGCT_OK) st = decompose(rows, p, R, U, s->singular, err);
    if (st == CGCT_OK) {
        s->n = p < s->kept ? p : s->kept;
        while (s->n > 1 && s->singular[s->n - 1] <= SINGULAR_MIN * s->singular[0]) s->n--;
        make_vectors(s, p, top, U, mix);
    }
    free(R);
    return st;
}

cgct_status basis_search_vectors(basis_search *s, cgct_err *err)
{
    const size_t rows = s->task->rows;
    const int holds_all = rows <= s->room; /* the stack */
    /* the typical scale of a column is its geometric mean over the rows */
    memset(s->weight, 0, s->columns * sizeof *s->weight);
    for (size_t first = 0, n; first < rows; first += n) {
        n = rows - first < s->kept ? rows - first : s->kept;
        double *to = s->stack + (holds_all ? first * s->columns : 0);
        CGCT_TRY(basis_search_read(s, first, n, to, s->vector, err));
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
        for (size_t k = 0; k < s->stripes; k++) add_logarithms(s, stripe_at(s, k), n, s->vector);
    }
    for (size_t c = 0; c < s->columns; c++)
        s->weight[c] = exp(-s->weight[c] / (double)rows) / s->task->bound;
    /* the vectors so far, each as long as its singular value, begin the next stack */
    size_t fill = 0;
    s->n = 0;
    for (size_t i = 0, n; i < rows; i += n) {
        n = s->room - fill < s->kept ? s->room - fill : s->kept;
        if (rows - i < n) n = rows - i;
        double *to = s->stack + fill * s->columns;
        if (!holds_all) CGCT_TRY(basis_search_read(s, i, n, to, s->vector, err));
        basis_search_weigh(s, n, to);
        fill += n;
        if (fill < s->room && i + n < rows) continue;
        CGCT_TRY(compress_stack(s, fill, err));
        if (i + n == rows) return CGCT_OK;
        fill = s->n;
        for (size_t r = 0; r < s->n; r++)
            for (size_t c = 0; c < s->columns; c++)
                s->stack[r * s->columns + c] = s->singular[r] * s->vector[r * s->columns + c];
    }
    return CGCT_OK;
}

/* ---- life cycle ---- */

/* Two rows at least: values and scales. */
static size_t room_of(size_t rows, size_t kept)
{
    const size_t room = rows < 2 * kept ? rows : 2 * kept;
    return room < 2 ? 2 : room;
}

size_t basis_search_kept(size_t rows)
{
    return rows <= 2 * BASIS_KEPT ? rows : BASIS_KEPT;
}

size_t basis_bytes(size_t rows, size_t columns)
{
    const size_t kept = basis_search_kept(rows);
    return (room_of(rows, kept) + kept + 1) * columns * sizeof(double);
}

void basis_search_free(basis_search *s)
{
    free(s->arrays);
    *s = (basis_search){.task = NULL};
}

basis_search basis_search_start(const basis_task *t, size_t kept)
{
    basis_search s = {.task = t, .columns = t->planes * t->points, .kept = kept};
    s.room = room_of(t->rows, kept);
    const size_t wide = STRIPE_ROWS * s.room > STRIPE ? STRIPE_ROWS * s.room : STRIPE;
    s.stripes = s.columns < wide ? 1 : s.columns / wide;
    const size_t counts = s.stripes * (kept + 1);
    const array_part part[] = {ARRAY_PART(s.stack, s.room * s.columns),
                               ARRAY_PART(s.vector, kept * s.columns),
                               ARRAY_PART(s.weight, s.columns),
                               ARRAY_PART(s.singular, s.room),
                               ARRAY_PART(s.worst, counts),
                               ARRAY_PART(s.above, counts),
                               ARRAY_PART(s.c, t->rows * kept)};
    s.arrays = ARRAYS_UNSET(part);
    return s;
}
