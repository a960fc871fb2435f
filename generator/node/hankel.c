/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "node/hankel.h"

#include "numerics/blas.h"

#include <omp.h>
#include <stdlib.h>

enum { MOMENTA_PER_CHUNK = 64 }; /* bounds the weight rows held at once */

double hankel_clock(void)
{
    return omp_get_wtime();
}

/* H (NPOL, nm, nq, nd) = sum_R w_m(q,R) G_m(Delta,R) */
static void contract_r(const inner_table *t, size_t nq, const double *w, double *H)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)nq, (int)t->nd, (int)t->nr, 1,
                    w + (i % t->nm) * nq * t->nr, (int)t->nr, t->g + i * t->nd * t->nr, (int)t->nr,
                    0, H + i * nq * t->nd, (int)t->nd);
}

/* Columns [first, first+n) of modes (NPOL, nm, nq, np) = sum_Delta H w_m(P,Delta) */
static void contract_delta(const inner_table *t, size_t nq, const double *H, size_t n,
                           const double *w, size_t np, double *modes)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)nq, (int)n, (int)t->nd, 1,
                    H + i * nq * t->nd, (int)t->nd, w + (i % t->nm) * n * t->nd, (int)t->nd, 0,
                    modes + i * nq * np, (int)np);
}

static cgct_status transform(const inner_table *t, size_t nq, const double *q, size_t np,
                             const double *P, int degree, const filon_tail_opts *tail, double *w,
                             double *H, double *modes, double seconds[2], cgct_err *err)
{
    const filon_task to_q = {t->nr, nq, t->nm, t->r, q, t->m, degree, tail};
    double t0 = hankel_clock();
    CGCT_TRY(filon_weights(&to_q, w, err));
    double t1 = hankel_clock();
    contract_r(t, nq, w, H);
    double t2 = hankel_clock();
    seconds[0] += t1 - t0;
    seconds[1] += t2 - t1;
    for (size_t first = 0; first < np; first += MOMENTA_PER_CHUNK) {
        size_t n = np - first < MOMENTA_PER_CHUNK ? np - first : MOMENTA_PER_CHUNK;
        const filon_task to_P = {t->nd, n, t->nm, t->delta, P + first, t->m, degree, NULL};
        t0 = hankel_clock();
        CGCT_TRY(filon_weights(&to_P, w, err));
        t1 = hankel_clock();
        contract_delta(t, nq, H, n, w, np, modes + first);
        t2 = hankel_clock();
        seconds[0] += t1 - t0;
        seconds[1] += t2 - t1;
    }
    return CGCT_OK;
}

cgct_status hankel_transform(const inner_table *t, size_t nq, const double *q, size_t np,
                             const double *P, int degree, const filon_tail_opts *tail,
                             double *modes, double seconds[2], cgct_err *err)
{
    blas_single_threaded();
    size_t rows = nq * t->nr, chunk = MOMENTA_PER_CHUNK * t->nd;
    double *w = malloc(t->nm * (rows > chunk ? rows : chunk) * sizeof *w);
    double *H = malloc(NPOL * t->nm * nq * t->nd * sizeof *H);
    cgct_status st =
        w && H ? transform(t, nq, q, np, P, degree, tail, w, H, modes, seconds, err)
               : cgct_fail(err, CGCT_E_NOMEM,
                           "Hankel transforms of %zu modes to %zu x %zu momenta: no memory", t->nm,
                           nq, np);
    free(w);
    free(H);
    return st;
}
