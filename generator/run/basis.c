/* SPDX-License-Identifier: GPL-3.0-or-later */
/* basis.c: singular vectors of rows that are read in batches, how many of them are needed, and
 * their rounding. */
#include "run/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"

enum { RANK_MAX = 1024 };                 /* FORMAT.md 6 */
static const double SINGULAR_MIN = 1e-15; /* of the largest singular value: below it is rounding */
/* Rounding is taken as so many standard deviations of a sum of independent roundings. */
static const double ROUNDING_DEVIATIONS = 5;

typedef struct {
    const basis_task *task;
    size_t columns, room, kept; /* room: rows of the stack; kept: basis rows at most */
    double *value, *scale;      /* (columns): the row at hand */
    double *weight;             /* (columns) */
    double *stack;              /* (room, columns) */
    double *vector;             /* (kept, columns): orthonormal rows, each in units of 1/weight */
    double *singular;           /* (room) */
    double *c;                  /* (rows, kept): coefficients of the rows */
    double *worst;              /* (kept + 1): largest difference/scale with the first r of them */
    size_t *above;              /* (kept + 1): how many are above the task's reduction */
    size_t n;                   /* rows of vector that are there */
} basis_search;

/* ---- rows in weighted columns ---- */

static cgct_status read_row(const basis_search *s, size_t i, cgct_err *err)
{
    return s->task->read(s->task->self, i, s->value, s->scale, err);
}

/* The typical scale of a column is its geometric mean over the rows. */
static cgct_status find_weights(basis_search *s, cgct_err *err)
{
    const basis_task *t = s->task;
    memset(s->weight, 0, s->columns * sizeof *s->weight);
    for (size_t i = 0; i < t->rows; i++) {
        CGCT_TRY(read_row(s, i, err));
        for (size_t c = 0; c < s->columns; c++) s->weight[c] += log(s->scale[c]);
    }
    for (size_t c = 0; c < s->columns; c++)
        s->weight[c] = exp(-s->weight[c] / (double)t->rows) / t->bound;
    return CGCT_OK;
}

/* ---- singular vectors ---- */

/* The stack's rows become an orthonormal set (p, columns) of its span, and R^T (rows, p), in
 * columns, of the factors Q R of its transpose is handed over. */
static cgct_status orthonormalise(basis_search *s, size_t rows, size_t p, double *Rt, cgct_err *err)
{
    const int m = (int)s->columns, n = (int)rows, k = (int)p;
    const int room = 64 * n; /* blocks of 64 columns */
    int info = 0, more = 0;
    double *tau = malloc((p + (size_t)room) * sizeof *tau);
    if (!tau) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a basis of %zu rows", rows);
    double *work = tau + p;
    dgeqrf_(&m, &n, s->stack, &m, tau, work, &room, &info);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < p; i++) Rt[i * rows + j] = i <= j ? s->stack[j * s->columns + i] : 0;
    dorgqr_(&m, &k, &k, s->stack, &m, tau, work, &room, &more);
    free(tau);
    if (info || more)
        return cgct_fail(err, CGCT_E_ACCURACY, "factors of %zu rows: LAPACK says %d, %d", rows,
                         info, more);
    return CGCT_OK;
}

/* Rt (rows, p) = A S W, all in columns: W (p, p), and S falling. */
static cgct_status decompose(size_t rows, size_t p, double *Rt, double *W, double *S, cgct_err *err)
{
    const int m = (int)rows, n = (int)p, one = 1, room = 64 * (m + n);
    int info = 0;
    double unused, *work = malloc((size_t)room * sizeof *work);
    if (!work) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a basis of %zu rows", rows);
    dgesvd_("N", "A", &m, &n, Rt, &m, S, &unused, &one, W, &n, work, &room, &info, 1, 1);
    free(work);
    return info ? cgct_fail(err, CGCT_E_ACCURACY, "singular values of %zu rows: LAPACK says %d",
                            rows, info)
                : CGCT_OK;
}

/* Replaces vector and singular by those of the first `rows` rows of the stack, which is used up. */
static cgct_status compress_stack(basis_search *s, size_t rows, cgct_err *err)
{
    size_t p = rows < s->columns ? rows : s->columns;
    double *Rt = malloc((rows + p) * p * sizeof *Rt);
    if (!Rt) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a basis of %zu rows", rows);
    double *W = Rt + rows * p;
    cgct_status st = orthonormalise(s, rows, p, Rt, err);
    if (st == CGCT_OK) st = decompose(rows, p, Rt, W, s->singular, err);
    if (st == CGCT_OK) {
        s->n = p < s->kept ? p : s->kept;
        while (s->n > 1 && s->singular[s->n - 1] <= SINGULAR_MIN * s->singular[0]) s->n--;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)s->n, (int)s->columns, (int)p, 1,
                    W, (int)p, s->stack, (int)s->columns, 0, s->vector, (int)s->columns);
    }
    free(Rt);
    return st;
}

/* The vectors so far, each as long as its singular value, begin the next stack. */
static size_t begin_stack(basis_search *s)
{
    for (size_t r = 0; r < s->n; r++)
        for (size_t c = 0; c < s->columns; c++)
            s->stack[r * s->columns + c] = s->singular[r] * s->vector[r * s->columns + c];
    return s->n;
}

static cgct_status find_vectors(basis_search *s, cgct_err *err)
{
    size_t rows = s->task->rows, fill = 0;
    s->n = 0;
    for (size_t i = 0; i < rows; i++) {
        CGCT_TRY(read_row(s, i, err));
        double *to = s->stack + fill++ * s->columns;
        for (size_t c = 0; c < s->columns; c++) to[c] = s->weight[c] * s->value[c];
        if (fill < s->room && i + 1 < rows) continue;
        CGCT_TRY(compress_stack(s, fill, err));
        if (i + 1 < rows) fill = begin_stack(s);
    }
    return CGCT_OK;
}

/* ---- how many are needed ---- */

/* The coefficients of the row at hand, and the differences it leaves with 0, 1, ... of them. */
static void measure_row(basis_search *s, double *c)
{
    double *rest = s->value;
    for (size_t i = 0; i < s->columns; i++) {
        rest[i] *= s->weight[i];
        s->scale[i] = 1 / (s->scale[i] * s->weight[i]);
    }
    cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)s->n, (int)s->columns, 1, s->vector,
                (int)s->columns, rest, 1, 0, c, 1);
    for (size_t r = 0; r <= s->n; r++) {
        double worst = s->worst[r];
        size_t above = 0;
#pragma omp simd reduction(max : worst) reduction(+ : above)
        for (size_t i = 0; i < s->columns; i++) {
            const double off = fabs(rest[i]) * s->scale[i];
            worst = off > worst ? off : worst;
            above += off > s->task->reduction;
        }
        s->worst[r] = worst;
        s->above[r] += above;
        if (r < s->n) cblas_daxpy((int)s->columns, -c[r], s->vector + r * s->columns, 1, rest, 1);
    }
}

static int is_enough(const basis_search *s, size_t r)
{
    return (double)s->above[r] <= s->task->outliers * (double)s->task->rows * (double)s->columns;
}

/* *R: the least that is enough; n where none is. */
static cgct_status choose_rank(basis_search *s, size_t *R, cgct_err *err)
{
    for (size_t r = 0; r <= s->n; r++) {
        s->worst[r] = 0;
        s->above[r] = 0;
    }
    for (size_t i = 0; i < s->task->rows; i++) {
        CGCT_TRY(read_row(s, i, err));
        measure_row(s, s->c + i * s->kept);
    }
    for (*R = 1; *R < s->n && !is_enough(s, *R);) ++*R;
    return CGCT_OK;
}

size_t basis_bytes(size_t rows, size_t columns)
{
    size_t kept = rows < BASIS_KEPT ? rows : BASIS_KEPT, room = rows < 2 * kept ? rows : 2 * kept;
    return (room + kept + 3) * columns * sizeof(double);
}

static void free_search(basis_search *s)
{
    free(s->value);
    free(s->stack);
    free(s->singular);
    free(s->c);
    free(s->above);
    *s = (basis_search){.task = NULL};
}

static cgct_status start_search(basis_search *s, const basis_task *t, size_t kept, cgct_err *err)
{
    *s = (basis_search){.task = t, .columns = t->planes * t->points, .kept = kept};
    s->room = t->rows < 2 * kept ? t->rows : 2 * kept;
    s->value = malloc(3 * s->columns * sizeof *s->value);
    s->stack = malloc((s->room + kept) * s->columns * sizeof *s->stack);
    s->singular = malloc((s->room + kept + 1) * sizeof *s->singular);
    s->c = malloc(t->rows * kept * sizeof *s->c);
    s->above = malloc((kept + 1) * sizeof *s->above);
    if (!s->value || !s->stack || !s->singular || !s->c || !s->above)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for a basis of %zu rows of %zu numbers",
                         t->rows, s->columns);
    s->scale = s->value + s->columns;
    s->weight = s->scale + s->columns;
    s->vector = s->stack + s->room * s->columns;
    s->worst = s->singular + s->room;
    return CGCT_OK;
}

/* ---- integers ---- */

static cgct_status put_integer(double v, int32_t *to, cgct_err *err)
{
    if (!(fabs(v) <= INT32_MAX))
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "%.3g steps of rounding in a field, integers end at %d: raise output.bound", v,
            (int)INT32_MAX);
    *to = (int32_t)lrint(v);
    return CGCT_OK;
}

static cgct_status allocate_basis(const basis_task *t, basis *b, cgct_err *err)
{
    if (b->R > RANK_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "%zu basis fields for %zu nodes, the format has %d",
                         b->R, t->rows, RANK_MAX);
    b->U = calloc(t->rows * b->R, sizeof *b->U);
    b->V = malloc(t->planes * b->R * t->points * sizeof *b->V);
    return b->U && b->V ? CGCT_OK
                        : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu basis fields", b->R);
}

/* Row r of the basis, from numbers in units of unit/weight. */
static cgct_status round_row(const basis_task *t, const basis *b, size_t r, double unit,
                             const double *v, const double *weight, cgct_err *err)
{
    for (size_t p = 0; p < t->planes; p++)
        for (size_t i = 0; i < t->points; i++) {
            size_t c = p * t->points + i;
            double x = unit * v[c] / (weight ? weight[c] : 1) / b->step;
            CGCT_TRY(put_integer(x, b->V + (p * b->R + r) * t->points + i, err));
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
    for (size_t r = 0; r < b->R; r++)
        CGCT_TRY(
            round_row(s->task, b, r, s->singular[r], s->vector + r * s->columns, s->weight, err));
    return CGCT_OK;
}

/* Every row is a basis row. */
static cgct_status round_all_rows(const basis_task *t, basis *b, cgct_err *err)
{
    b->R = t->rows;
    b->step = 2 * t->bound;
    b->rounding = t->bound;
    CGCT_TRY(allocate_basis(t, b, err));
    double *value = malloc(2 * t->planes * t->points * sizeof *value);
    cgct_status st =
        value ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu rows", t->rows);
    for (size_t i = 0; i < t->rows && st == CGCT_OK; i++) {
        st = t->read(t->self, i, value, value + t->planes * t->points, err);
        if (st == CGCT_OK) st = round_row(t, b, i, 1, value, NULL, err);
        b->U[i * b->R + i] = 1;
    }
    free(value);
    return st;
}

/* ---- entry ---- */

/* With at most `kept` vectors; *enough = 0 where more are needed and can be had. */
static cgct_status try_vectors(const basis_task *t, size_t kept, basis *b, int *enough,
                               cgct_err *err)
{
    basis_search s;
    cgct_status st = start_search(&s, t, kept, err);
    if (st == CGCT_OK) st = find_weights(&s, err);
    if (st == CGCT_OK) st = find_vectors(&s, err);
    if (st == CGCT_OK) st = choose_rank(&s, &b->R, err);
    *enough = st == CGCT_OK && (is_enough(&s, b->R) || kept >= t->rows);
    int reduced = b->R < t->rows; /* else the vectors only ask for a smaller step */
    if (*enough && reduced) st = round_vectors(&s, b, err);
    free_search(&s);
    if (*enough && !reduced) st = round_all_rows(t, b, err);
    return st;
}

cgct_status basis_make(const basis_task *t, basis *b, cgct_err *err)
{
    int enough = 0;
    *b = (basis){.R = 0};
    if (!t->reduce) return round_all_rows(t, b, err);
    cgct_status st = CGCT_OK;
    for (size_t kept = BASIS_KEPT; !enough && st == CGCT_OK; kept *= 2)
        st = try_vectors(t, kept < t->rows ? kept : t->rows, b, &enough, err);
    return st;
}

void basis_free(basis *b)
{
    free(b->U);
    free(b->V);
    *b = (basis){.R = 0};
}

void basis_combine(const basis *b, size_t planes, size_t points, size_t n, const double *c,
                   double *out)
{
    memset(out, 0, n * planes * points * sizeof *out);
    for (size_t p = 0; p < planes; p++)
        for (size_t r = 0; r < b->R; r++) {
            const int32_t *v = b->V + (p * b->R + r) * points;
            for (size_t k = 0; k < n; k++) {
                double *to = out + (k * planes + p) * points, factor = b->step * c[k * b->R + r];
                for (size_t i = 0; i < points; i++) to[i] += factor * v[i];
            }
        }
}
