/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon.c: filon_weights, its checks and its distribution over threads.
 *
 * Intervals are taken in chunks, first those with an even number and then those with an odd one, so
 * that no two threads write to the same weight and the order of all sums, hence every bit of the
 * result, is independent of the number of threads. */
#include "numerics/filon.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_parts.h"
#include "numerics/memory.h"

static cgct_status filon_check_grid(const filon_task *t, cgct_err *err)
{
    const double *x = t->x;
    int degree = t->degree;
    if (degree < FILON_DEGREE_MIN || degree > FILON_DEGREE_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN, "filon_weights: degree %d outside %d..%d", degree,
                         FILON_DEGREE_MIN, FILON_DEGREE_MAX);
    if (t->nx < (size_t)degree + 1)
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "filon_weights: %zu nodes, degree %d needs at least %d; add nodes or lower the degree",
            t->nx, degree, degree + 1);
    for (size_t i = 0; i < t->nx; i++)
        if (!isfinite(x[i]) || !(x[i] >= 0) || (i > 0 && !(x[i] > x[i - 1])))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon_weights: grid not rising from 0 or above at node %zu (%.17g "
                             "after %.17g); sort it and drop repeated nodes",
                             i, x[i], i > 0 ? x[i - 1] : 0.0);
    return CGCT_OK;
}

static cgct_status filon_check_momenta(const filon_task *t, cgct_err *err)
{
    const double *q = t->q, last = t->x[t->nx - 1];
    for (size_t i = 0; i < t->nq; i++) {
        if (!(q[i] >= 0) || !isfinite(q[i]) || (t->tail && !(q[i] > 0)))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon_weights: momentum %zu is %g, must be finite and %s; correct it",
                             i, q[i], t->tail ? "positive with a tail" : "not negative");
        if (!(q[i] * last <= FILON_PHASE_MAX))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: q x = %g x %g exceeds %g; use a shorter grid or smaller q", q[i],
                last, FILON_PHASE_MAX);
    }
    return CGCT_OK;
}

cgct_status filon_check(const filon_task *t, cgct_err *err)
{
    CGCT_TRY(filon_check_grid(t, err));
    CGCT_TRY(filon_check_momenta(t, err));
    const int *m = t->m;
    for (size_t i = 0; i < t->nm; i++)
        if (m[i] < 0 || m[i] > FILON_ORDER_MAX || (i > 0 && m[i] <= m[i - 1]))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon_weights: order %zu is %d after %d, orders must rise within "
                             "0..%d; sort them and use fewer modes",
                             i, m[i], i > 0 ? m[i - 1] : -1, FILON_ORDER_MAX);
    return CGCT_OK;
}

enum { CHUNK = 64 }; /* intervals, more than the nodes of a window */

typedef struct {
    const filon_task *task;
    size_t nband;
    filon_band *band;
    filon_local local;
    filon_tail_fit tail;
    filon_work **work; /* per thread */
    double *scratch;   /* (nthread, nm, FILON_FUNCTIONS): the integrals of a tail */
    int nthread;
    double *w;
} filon_job;

/* The node where the polynomials of interval i end, at most `end`: at the ends of a grid several
 * intervals have the same ones, and are integrated as one. */
static size_t filon_window_end(const filon_local *l, size_t i, size_t end)
{
    const size_t window = filon_local_window(l, i);
    while (++i < end && filon_local_window(l, i) == window) {
    }
    return i;
}

/* The weights of one chunk and band: panels for all momenta, then contours for each. */
static void filon_add_chunk(const filon_job *j, filon_work *s, const filon_band *band, size_t chunk)
{
    const filon_task *t = j->task;
    const filon_local *l = &j->local;
    const filon_output to = {j->w + band->first * t->nx, t->nq * t->nx, t->nx};
    filon_functions f;
    size_t end = (chunk + 1) * CHUNK < t->nx - 1 ? (chunk + 1) * CHUNK : t->nx - 1;
    size_t lengthy = end; /* the first interval with contours */
    filon_begin(s, band, t->q + band->first, l->degree + 1, FILON_LAGUERRE, to);
    for (size_t i = chunk * CHUNK, next; i < end; i = next) {
        next = filon_window_end(l, i, end);
        filon_local_functions(l, i, &f);
        double h = l->x[next] - l->x[i], split = filon_split(s, &f, h);
        if (split < h && i < lengthy) lengthy = i;
        filon_add_panels(s, &f, split, filon_local_window(l, i));
    }
    filon_flush(s);
    for (size_t iq = 0; iq < band->n; iq++) {
        for (size_t i = lengthy, next; i < end; i = next) {
            next = filon_window_end(l, i, end);
            filon_local_functions(l, i, &f);
            double h = l->x[next] - l->x[i];
            filon_add_contours(s, &f, filon_split(s, &f, h), h, iq, filon_local_window(l, i));
        }
        filon_flush(s);
    }
}

/* Adds the tail's weights of momentum iq: the integrals of the inverse powers times their fit. */
static void filon_add_tail_weights(const filon_job *j, int thread, size_t iq)
{
    const filon_task *t = j->task;
    const filon_tail_fit *fit = &j->tail;
    filon_functions f = filon_tail_functions(fit);
    const filon_band one = {t->q[iq], t->q[iq], 0, 1};
    filon_work *s = j->work[thread];
    double *scratch = j->scratch + (size_t)thread * t->nm * FILON_FUNCTIONS;
    double *w = j->w + (iq + 1) * t->nx - fit->nfit;
    memset(scratch, 0, t->nm * FILON_FUNCTIONS * sizeof *scratch);
    filon_begin(s, &one, &t->q[iq], fit->nterm, FILON_LAGUERRE_TAIL,
                (filon_output){scratch, FILON_FUNCTIONS, 0});
    filon_add_tail(s, &f);
    filon_flush(s);
    for (size_t im = 0; im < t->nm; im++)
        for (int i = 0; i < fit->nfit; i++) {
            double sum = 0;
            for (int k = 0; k < fit->nterm; k++)
                sum += scratch[im * FILON_FUNCTIONS + (size_t)k] * fit->fit[k * fit->nfit + i];
            w[im * t->nq * t->nx + (size_t)i] += sum;
        }
}

static void filon_run(const filon_job *j)
{
    const filon_task *t = j->task;
    size_t nchunk = (t->nx - 2) / CHUNK + 1;
#pragma omp parallel num_threads(j->nthread)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static)
        for (size_t row = 0; row < t->nm * t->nq; row++)
            memset(j->w + row * t->nx, 0, t->nx * sizeof *j->w);
        for (size_t parity = 0; parity < 2; parity++) {
            size_t n = (nchunk + 1 - parity) / 2;
#pragma omp for schedule(dynamic)
            for (size_t i = 0; i < n * j->nband; i++)
                filon_add_chunk(j, j->work[me], &j->band[i / n], 2 * (i % n) + parity);
        }
        if (t->tail) {
#pragma omp for schedule(dynamic)
            for (size_t iq = 0; iq < t->nq; iq++) filon_add_tail_weights(j, me, iq);
        }
    }
}

cgct_status filon_weights(const filon_task *t, double *w, cgct_err *err)
{
    filon_job j = {.task = t, .w = w, .nthread = omp_get_max_threads()};
    CGCT_TRY(filon_check(t, err));
    if (t->nq == 0 || t->nm == 0) return CGCT_OK;
    if (t->tail) CGCT_TRY(filon_tail_init(&j.tail, t->nx, t->x, t->tail, err));
    filon_local_init(&j.local, t->nx, t->x, t->degree);
    const size_t threads = (size_t)j.nthread;
    j.work = memory_new(threads, sizeof *j.work);
    j.scratch = memory_new(threads * t->nm * FILON_FUNCTIONS, sizeof *j.scratch);
    j.band = memory_new(t->nq, sizeof *j.band);
    for (size_t i = 0; i < threads; i++) j.work[i] = filon_work_new(t->nm, t->m);
    for (size_t i = 0; i < t->nq; i += j.band[j.nband++].n)
        j.band[j.nband] = filon_band_from(t->nq, t->q, i);
    filon_run(&j);
    for (size_t i = 0; i < threads; i++) free(j.work[i]);
    free(j.work);
    free(j.scratch);
    free(j.band);
    free(j.local.bary);
    free(j.tail.fit);
    return CGCT_OK;
}
