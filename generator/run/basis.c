/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis.c: how many singular vectors of the rows are needed, and their rounding. */
#include "run/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/memory.h"
#include "run/basis_search.h"
#include "run/failure.h"

/* Rounding is taken as so many standard deviations of a sum of independent roundings. */
static const double ROUNDING_DEVIATIONS = 5;

/* ---- how many are needed ---- */

/* Coefficients of n weighted rows: sums over the columns of a stripe, then over the stripes, in
 * this order whatever the number of threads. */
static void find_coefficients(const basis_search *s, size_t n, const double *value, double *c)
{
    const int columns = (int)s->columns;
    const size_t each = n * s->n;
    double *part = memory_new(s->stripes * each, sizeof *part);
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t k = 0; k < s->stripes; k++) {
        const stripe at = stripe_at(s, k);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)s->n, (int)at.n, 1,
                    value + at.first, columns, s->vector + at.first, columns, 0, part + k * each,
                    (int)s->n);
    }
    for (size_t i = 0; i < each; i++) {
        double sum = 0;
        for (size_t k = 0; k < s->stripes; k++) sum += part[k * each + i];
        c[i / s->n * s->kept + i % s->n] = sum;
    }
    free(part);
}

/* What 0, 1, ... vectors leave of a weighted row, in columns of stripe k; `rest` becomes what all
 * of them leave. */
static void measure_columns(const basis_search *s, size_t k, stripe at, const double *c,
                            double *rest, const double *scale)
{
    const double allowed = s->task->reduction;
    double unit[BLOCK];
    for (size_t i = 0; i < at.n; i++) unit[i] = 1 / (scale[i] * s->weight[at.first + i]);
    for (size_t r = 0; r <= s->n; r++) {
        const double *v = s->vector + (r < s->n ? r : 0) * s->columns + at.first;
        const double taken = r < s->n ? c[r] : 0;
        double worst = 0;
        size_t above = 0;
#pragma omp simd reduction(max : worst) reduction(+ : above)
        for (size_t i = 0; i < at.n; i++) {
            const double off = fabs(rest[i]) * unit[i];
            worst = off > worst ? off : worst;
            above += off > allowed;
            rest[i] -= taken * v[i];
        }
        const size_t at_r = k * (s->kept + 1) + r;
        s->worst[at_r] = fmax(s->worst[at_r], worst);
        s->above[at_r] += above;
    }
}

/* Values, which are weighted, and scales of n rows: a block of columns after the other, so that the
 * rows share what is read of the vectors. */
static void measure_rows(const basis_search *s, size_t n, const double *c, double *value,
                         const double *scale)
{
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t k = 0; k < s->stripes; k++) {
        const stripe all = stripe_at(s, k);
        for (size_t j = 0; j < all.n; j += BLOCK) {
            const stripe at = {all.first + j, all.n - j < BLOCK ? all.n - j : BLOCK};
            for (size_t i = 0; i < n; i++) {
                const size_t from = i * s->columns + at.first;
                measure_columns(s, k, at, c + i * s->kept, value + from, scale + from);
            }
        }
    }
}

static int is_enough(const basis_search *s, size_t r)
{
    return (double)s->above[r] <= s->task->outliers * (double)s->task->rows * (double)s->columns;
}

/* *R: the least that is enough; n where none is.  The stack takes values and scales. */
static cgct_status choose_rank(basis_search *s, size_t *R, cgct_err *err)
{
    const size_t rows = s->task->rows, all = s->stripes * (s->kept + 1);
    const size_t batches = (rows + s->room / 2 - 1) / (s->room / 2);
    double *value = s->stack, *scale = s->stack + s->room / 2 * s->columns;
    memset(s->worst, 0, all * sizeof *s->worst);
    memset(s->above, 0, all * sizeof *s->above);
    for (size_t k = 0; k < batches; k++) {
        const size_t i = k * rows / batches, n = (k + 1) * rows / batches - i;
        CGCT_TRY(basis_search_read(s, i, n, value, scale, err));
        basis_search_weigh(s, n, value);
        find_coefficients(s, n, value, s->c + i * s->kept);
        measure_rows(s, n, s->c + i * s->kept, value, scale);
    }
    for (size_t i = s->kept + 1; i < all; i++) {
        const size_t r = i % (s->kept + 1);
        s->worst[r] = fmax(s->worst[r], s->worst[i]);
        s->above[r] += s->above[i];
    }
    for (*R = 1; *R < s->n && !is_enough(s, *R);) ++*R;
    return CGCT_OK;
}

/* ---- integers ---- */

static cgct_status allocate_basis(const basis_task *t, basis *b, cgct_err *err)
{
    if (b->R > BASIS_RANK_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "%zu basis fields for %zu nodes, the format has %d",
                         b->R, t->rows, BASIS_RANK_MAX);
    b->U = memory_zeros(t->rows * b->R, sizeof *b->U);
    b->V = memory_new(t->planes * b->R * t->points, sizeof *b->V);
    return CGCT_OK;
}

/* Row r of the basis, from numbers in units of unit/weight. */
static cgct_status round_row(const basis_task *t, const basis *b, size_t r, double unit,
                             const double *v, const double *weight, cgct_err *err)
{
    for (size_t p = 0; p < t->planes; p++)
        for (size_t i = 0; i < t->points; i++) {
            size_t c = p * t->points + i;
            double x = unit * v[c] / (weight ? weight[c] : 1) / b->step;
            if (!(fabs(x) <= INT32_MAX))
                return cgct_fail(err, CGCT_E_CONFIG,
                                 "%.3g steps of rounding in a field, integers end at %d: raise "
                                 "output.bound",
                                 x, (int)INT32_MAX);
            b->V[(p * b->R + r) * t->points + i] = (int32_t)lrint(x);
        }
    return CGCT_OK;
}

/* U from the coefficients; unit[r]: the largest of each. */
static void scale_coefficients(const basis_search *s, basis *b, double *unit)
{
    double largest = 0;
    for (size_t r = 0; r < b->R; r++) {
        unit[r] = 0;
        for (size_t i = 0; i < s->task->rows; i++)
            unit[r] = fmax(unit[r], fabs(s->c[i * s->kept + r]));
    }
    for (size_t i = 0; i < s->task->rows; i++) {
        double sum = 0, squares = 0;
        for (size_t r = 0; r < b->R; r++) {
            double *u = &b->U[i * b->R + r];
            *u = unit[r] > 0 ? s->c[i * s->kept + r] / unit[r] : 0;
            sum += fabs(*u);
            squares += *u * *u;
        }
        largest = fmax(largest, fmin(sum / 2, ROUNDING_DEVIATIONS * sqrt(squares / 12)));
    }
    b->step = (s->task->bound - s->task->reduction) / fmax(largest, 0.5);
    b->rounding = b->step * largest;
}

static cgct_status round_vectors(const basis_search *s, basis *b, cgct_err *err)
{
    CGCT_TRY(allocate_basis(s->task, b, err));
    scale_coefficients(s, b, s->singular);
    b->reduction = s->worst[b->R];
    first_failure failure = {0};
#pragma omp parallel for schedule(dynamic) if (s->stripes > 1)
    for (size_t r = 0; r < b->R; r++) {
        cgct_err mine;
        const cgct_status st =
            round_row(s->task, b, r, s->singular[r], s->vector + r * s->columns, s->weight, &mine);
        failure_keep(&failure, r, st, &mine);
    }
    return failure_tell(&failure, err);
}

/* Every row is a basis row. */
static cgct_status round_all_rows(const basis_task *t, basis *b, cgct_err *err)
{
    first_failure failure = {0};
    b->R = t->rows;
    b->step = 2 * t->bound;
    b->rounding = t->bound;
    CGCT_TRY(allocate_basis(t, b, err));
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < t->rows; i++) {
        cgct_err mine;
        double *value = memory_new(2 * t->planes * t->points, sizeof *value);
        cgct_status st = t->read(t->self, i, value, value + t->planes * t->points, &mine);
        if (st == CGCT_OK) st = round_row(t, b, i, 1, value, NULL, &mine);
        b->U[i * b->R + i] = 1;
        free(value);
        failure_keep(&failure, i, st, &mine);
    }
    return failure_tell(&failure, err);
}

/* ---- entry ---- */

/* With at most `kept` vectors; *enough = 0 where more are needed and can be had. */
static cgct_status try_vectors(const basis_task *t, size_t kept, basis *b, int *enough,
                               cgct_err *err)
{
    basis_search s = basis_search_start(t, kept);
    cgct_status st = basis_search_vectors(&s, err);
    if (st == CGCT_OK) st = choose_rank(&s, &b->R, err);
    *enough = st == CGCT_OK && (is_enough(&s, b->R) || kept >= t->rows);
    int reduced = b->R < t->rows; /* else the vectors only ask for a smaller step */
    if (*enough && reduced) st = round_vectors(&s, b, err);
    basis_search_free(&s);
    if (*enough && !reduced) st = round_all_rows(t, b, err);
    return st;
}

cgct_status basis_make(const basis_task *t, basis *b, cgct_err *err)
{
    int enough = 0;
    *b = (basis){.R = 0};
    if (!t->reduce) return round_all_rows(t, b, err);
    cgct_status st = CGCT_OK;
    for (size_t kept = basis_search_kept(t->rows); !enough && st == CGCT_OK; kept *= 2)
        st = try_vectors(t, kept < t->rows ? kept : t->rows, b, &enough, err);
    return st;
}

void basis_free(basis *b)
{
    free(b->U);
    free(b->V);
    free(b->code.data);
    *b = (basis){.R = 0};
}

void basis_combine(const basis *b, size_t points, size_t at, size_t n, size_t count,
                   const double *c, double *out)
{
    const int32_t *V = b->V + at / points * b->R * points + at % points;
    double *v = out + count * n;
    for (size_t r = 0; r < b->R; r++)
        for (size_t i = 0; i < n; i++) v[r * n + i] = V[r * points + i];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)n, (int)b->R, b->step,
                c, (int)b->R, v, (int)n, 0, out, (int)n);
}
