/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_weights: checks, local polynomials, and the distribution over threads.
 *
 * The local polynomials enter as Lagrange's cardinal functions of each window, never as monomials,
 * so that nothing is lost between moments and fit.  Intervals are taken in chunks; chunks of even
 * and odd number are done one after the other, so that no two threads touch one weight and the
 * order of all sums, hence every bit of the result, is independent of the number of threads. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "filon_impl.h"

enum { CHUNK = 64 }; /* intervals; more than the nodes of a window, see above */

typedef struct {
    size_t nx, nq, nm;
    const double *x, *q;
    const int *m;
    int degree;
    double *bary; /* (nx-1, degree+1): scale^degree / prod_{l != k} (x_k - x_l) of each window */
    filon_tail_fit tail;
    int has_tail;
    filon_work **work; /* per thread */
    double **scratch;  /* per thread (nm, FILON_FUNCTIONS) */
    int nthread;
    double *w;
} job;

/* g_k = x l_k(x): products of the differences left of k, then those right of it */
static void real_cardinals(const filon_functions *f, int n, const double *u, double *g)
{
    double p[FILON_LANES], inv = 1 / f->scale;
    for (int i = 0; i < n; i++) p[i] = f->a + u[i];
    for (int k = 0; k < f->nk; k++)
        for (int i = 0; i < n; i++) {
            g[k * FILON_LANES + i] = p[i] * f->bary[k];
            p[i] *= (u[i] + f->offset[k]) * inv;
        }
    for (int i = 0; i < n; i++) p[i] = 1;
    for (int k = f->nk - 1; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            g[k * FILON_LANES + i] *= p[i];
            p[i] *= (u[i] + f->offset[k]) * inv;
        }
}

static void complex_cardinals(const filon_functions *f, int n, double u, const double *y,
                              double *re, double *im)
{
    double inv = 1 / f->scale;
    for (int i = 0; i < n; i++) {
        double vi = y[i] * inv, pr = f->a + u, pi = y[i];
        for (int k = 0; k < f->nk; k++) {
            double vr = (u + f->offset[k]) * inv, t = pr * vr - pi * vi;
            re[k * FILON_LANES + i] = pr * f->bary[k];
            im[k * FILON_LANES + i] = pi * f->bary[k];
            pi = pr * vi + pi * vr;
            pr = t;
        }
        pr = 1;
        pi = 0;
        for (int k = f->nk - 1; k >= 0; k--) {
            double vr = (u + f->offset[k]) * inv, t = pr * vr - pi * vi;
            double gr = re[k * FILON_LANES + i], gi = im[k * FILON_LANES + i];
            re[k * FILON_LANES + i] = gr * pr - gi * pi;
            im[k * FILON_LANES + i] = gr * pi + gi * pr;
            pi = pr * vi + pi * vr;
            pr = t;
        }
    }
}

/* First node of the window of interval i: i - d/2, one-sided at the ends. */
static size_t window(const job *t, size_t i)
{
    size_t half = (size_t)t->degree / 2, last = t->nx - 1 - (size_t)t->degree;
    size_t first = i > half ? i - half : 0;
    return first < last ? first : last;
}

static void make_bary(const job *t)
{
    for (size_t i = 0; i + 1 < t->nx; i++) {
        const double *x = t->x + window(t, i);
        double scale = x[t->degree] - x[0], *b = t->bary + i * ((size_t)t->degree + 1);
        for (int k = 0; k <= t->degree; k++) {
            double p = 1;
            for (int l = 0; l <= t->degree; l++)
                if (l != k) p *= scale / (x[k] - x[l]);
            b[k] = p;
        }
    }
}

static void interval_functions(const job *t, size_t i, filon_functions *f)
{
    const double *x = t->x + window(t, i), *b = t->bary + i * ((size_t)t->degree + 1);
    f->a = t->x[i];
    f->scale = x[t->degree] - x[0];
    for (int k = 0; k < f->nk; k++) {
        f->offset[k] = f->a - x[k];
        f->bary[k] = b[k];
    }
}

static void do_chunk(const job *t, filon_work *s, size_t iq, size_t chunk)
{
    filon_functions f = {.nk = t->degree + 1,
                         .degree = t->degree + 1,
                         .real = real_cardinals,
                         .imag = complex_cardinals};
    size_t end = (chunk + 1) * CHUNK < t->nx - 1 ? (chunk + 1) * CHUNK : t->nx - 1;
    filon_begin(s, t->q[iq], (int)t->nm, t->m, f.nk, FILON_LAGUERRE, t->w + iq * t->nx,
                t->nq * t->nx);
    for (size_t i = chunk * CHUNK; i < end; i++) {
        interval_functions(t, i, &f);
        filon_add_interval(s, &f, t->x[i + 1] - t->x[i], window(t, i));
    }
    filon_flush(s);
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
            for (size_t task = 0; task < n * t->nq; task++)
                do_chunk(t, t->work[me], task / n, 2 * (task % n) + parity);
        }
        if (t->has_tail) {
#pragma omp for schedule(dynamic)
            for (size_t iq = 0; iq < t->nq; iq++)
                filon_tail_add(&t->tail, t->work[me], t->q[iq], (int)t->nm, t->m, t->scratch[me],
                               t->w + (iq + 1) * t->nx - t->tail.nfit, t->nq * t->nx);
        }
    }
}

static cgct_status check_grid(size_t nx, const double *x, int degree, cgct_err *err)
{
    if (degree < FILON_DEGREE_MIN || degree > FILON_DEGREE_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon_weights: degree %d outside %d..%d; the default is %d", degree,
                         FILON_DEGREE_MIN, FILON_DEGREE_MAX, FILON_DEGREE_DEFAULT);
    if (nx < (size_t)degree + 1)
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "filon_weights: %zu nodes, degree %d needs at least %d; add nodes or lower "
            "the degree",
            nx, degree, degree + 1);
    for (size_t i = 0; i < nx; i++)
        if (!isfinite(x[i]) || !(x[i] >= 0) || (i > 0 && !(x[i] > x[i - 1])))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: grid not rising from 0 or above at node %zu (%.17g after "
                "%.17g); sort it and drop repeated nodes",
                i, x[i], i > 0 ? x[i - 1] : 0.0);
    return CGCT_OK;
}

static cgct_status check_momenta(const job *t, const filon_tail_opts *tail, cgct_err *err)
{
    for (size_t i = 0; i < t->nq; i++) {
        if (!(t->q[i] >= 0) || !isfinite(t->q[i]) || (tail && !(t->q[i] > 0)))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon_weights: momentum %zu is %g, must be finite and %s; correct it",
                             i, t->q[i], tail ? "positive with a tail" : "not negative");
        if (!(t->q[i] * t->x[t->nx - 1] <= FILON_PHASE_MAX))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: q x = %g x %g exceeds %g; use a shorter grid or smaller q", t->q[i],
                t->x[t->nx - 1], FILON_PHASE_MAX);
    }
    for (size_t i = 0; i < t->nm; i++)
        if (t->m[i] < 0 || t->m[i] > FILON_ORDER_MAX || (i > 0 && t->m[i] <= t->m[i - 1]))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: order %zu is %d after %d, orders must rise within 0..%d; "
                "sort them and use fewer modes",
                i, t->m[i], i > 0 ? t->m[i - 1] : -1, FILON_ORDER_MAX);
    return CGCT_OK;
}

static void free_job(job *t)
{
    for (int i = 0; i < t->nthread; i++) {
        if (t->work) free(t->work[i]);
        if (t->scratch) free(t->scratch[i]);
    }
    free(t->work);
    free(t->scratch);
    free(t->bary);
    filon_tail_free(&t->tail);
}

static int alloc_job(job *t)
{
    t->bary = malloc((t->nx - 1) * ((size_t)t->degree + 1) * sizeof *t->bary);
    t->work = calloc((size_t)t->nthread, sizeof *t->work);
    t->scratch = calloc((size_t)t->nthread, sizeof *t->scratch);
    int ok = t->bary && t->work && t->scratch;
    for (int i = 0; ok && i < t->nthread; i++) {
        t->work[i] = filon_work_new(t->m[t->nm - 1]);
        t->scratch[i] = malloc(t->nm * FILON_FUNCTIONS * sizeof **t->scratch);
        ok = t->work[i] && t->scratch[i];
    }
    return ok;
}

cgct_status filon_weights(size_t nx, const double *x, size_t nq, const double *q, size_t nm,
                          const int *m, int degree, const filon_tail_opts *tail, double *w,
                          cgct_err *err)
{
    job t = {.nx = nx, .nq = nq, .nm = nm, .x = x, .q = q, .m = m, .w = w};
    t.degree = degree == 0 ? FILON_DEGREE_DEFAULT : degree;
    t.nthread = omp_get_max_threads();
    CGCT_TRY(check_grid(nx, x, t.degree, err));
    CGCT_TRY(check_momenta(&t, tail, err));
    if (nq == 0 || nm == 0) return CGCT_OK;
    cgct_status st = tail ? filon_tail_init(&t.tail, nx, x, tail, err) : CGCT_OK;
    t.has_tail = tail && st == CGCT_OK;
    if (st == CGCT_OK && !alloc_job(&t))
        st = cgct_fail(err, CGCT_E_NOMEM, "filon_weights: no memory for %zu nodes, %d threads", nx,
                       t.nthread);
    if (st == CGCT_OK) {
        make_bary(&t);
        run(&t);
    }
    free_job(&t);
    return st;
}
