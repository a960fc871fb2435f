/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_weights: the distribution over threads.
 *
 * Intervals are taken in chunks; chunks of even and odd number are done one after the other, so
 * that no two threads touch one weight and the order of all sums, hence every bit of the result, is
 * independent of the number of threads. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_impl.h"

enum { CHUNK = 64 }; /* intervals; more than the nodes of a window, see above */

typedef struct {
    size_t nx, nq, nm, nband;
    const double *q;
    const int *m;
    filon_band *band;
    filon_local local;
    filon_tail_fit tail;
    int has_tail;
    filon_work **work; /* per thread */
    double **scratch;  /* per thread (nm, FILON_FUNCTIONS) */
    int nthread;
    double *w;
} job;

/* Panels for all momenta of the band, then contours for each. */
static void do_chunk(const job *t, filon_work *s, const filon_band *band, size_t chunk)
{
    const filon_local *l = &t->local;
    filon_functions f;
    size_t end = (chunk + 1) * CHUNK < t->nx - 1 ? (chunk + 1) * CHUNK : t->nx - 1, lengthy = end;
    filon_begin(s, band, t->q + band->first, (int)t->nm, t->m, l->degree + 1, FILON_LAGUERRE,
                t->w + band->first * t->nx, t->nq * t->nx, t->nx);
    for (size_t i = chunk * CHUNK; i < end; i++) {
        filon_local_functions(l, i, &f);
        double h = l->x[i + 1] - l->x[i], split = filon_split(s, &f, h);
        if (split < h && i < lengthy) lengthy = i;
        filon_add_panels(s, &f, split, filon_local_window(l, i));
    }
    filon_flush(s);
    for (size_t iq = 0; iq < band->n; iq++) {
        for (size_t i = lengthy; i < end; i++) {
            filon_local_functions(l, i, &f);
            double h = l->x[i + 1] - l->x[i];
            filon_add_contours(s, &f, filon_split(s, &f, h), h, iq, filon_local_window(l, i));
        }
        filon_flush(s);
    }
}

static void run(const job *t)
{
    size_t nchunk = (t->nx - 2) / CHUNK + 1, total = t->nm * t->nq;
#pragma omp parallel num_threads(t->nthread)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(static)
        for (size_t row = 0; row < total; row++)
            memset(t->w + row * t->nx, 0, t->nx * sizeof *t->w);
        for (size_t parity = 0; parity < 2; parity++) {
            size_t n = (nchunk + 1 - parity) / 2;
#pragma omp for schedule(dynamic)
            for (size_t task = 0; task < n * t->nband; task++)
                do_chunk(t, t->work[me], &t->band[task / n], 2 * (task % n) + parity);
        }
        if (t->has_tail) {
#pragma omp for schedule(dynamic)
            for (size_t iq = 0; iq < t->nq; iq++)
                filon_tail_add(&t->tail, t->work[me], t->q[iq], (int)t->nm, t->m, t->scratch[me],
                               t->w + (iq + 1) * t->nx - t->tail.nfit, t->nq * t->nx);
        }
    }
}

static void free_job(job *t)
{
    for (int i = 0; i < t->nthread; i++) {
        if (t->work) free(t->work[i]);
        if (t->scratch) free(t->scratch[i]);
    }
    free(t->work);
    free(t->scratch);
    free(t->band);
    filon_local_free(&t->local);
    filon_tail_free(&t->tail);
}

static cgct_status alloc_job(job *t, cgct_err *err)
{
    t->band = malloc(t->nq * sizeof *t->band);
    t->work = calloc((size_t)t->nthread, sizeof *t->work);
    t->scratch = calloc((size_t)t->nthread, sizeof *t->scratch);
    int ok = t->band && t->work && t->scratch;
    for (int i = 0; ok && i < t->nthread; i++) {
        t->work[i] = filon_work_new(t->m[t->nm - 1]);
        t->scratch[i] = malloc(t->nm * FILON_FUNCTIONS * sizeof **t->scratch);
        ok = t->work[i] && t->scratch[i];
    }
    if (ok) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "filon_weights: no memory for %zu nodes, %d threads", t->nx,
                     t->nthread);
}

cgct_status filon_weights(size_t nx, const double *x, size_t nq, const double *q, size_t nm,
                          const int *m, int degree, const filon_tail_opts *tail, double *w,
                          cgct_err *err)
{
    job t = {.nx = nx, .nq = nq, .nm = nm, .q = q, .m = m, .w = w};
    t.nthread = omp_get_max_threads();
    if (degree == 0) degree = FILON_DEGREE_DEFAULT;
    CGCT_TRY(filon_check(nx, x, nq, q, nm, m, degree, tail != NULL, err));
    if (nq == 0 || nm == 0) return CGCT_OK;
    cgct_status st = tail ? filon_tail_init(&t.tail, nx, x, tail, err) : CGCT_OK;
    t.has_tail = tail && st == CGCT_OK;
    if (st == CGCT_OK) st = filon_local_init(&t.local, nx, x, degree, err);
    if (st == CGCT_OK) st = alloc_job(&t, err);
    if (st == CGCT_OK) {
        for (size_t i = 0; i < nq; i += t.band[t.nband++].n)
            t.band[t.nband] = filon_band_from(nq, q, i);
        run(&t);
    }
    free_job(&t);
    return st;
}
