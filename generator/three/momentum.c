/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops: groups of q, subsets of Delta, tiles of r' over threads; then r' and Delta sums. */
#include "three/momentum.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numerics/blas.h"
#include "numerics/clock.h"
#include "three/momentum_impl.h"

/* ---- sums over r' and Delta ---- */

/* One mode of one plane: H (subset, nrow, nr) -> K (nd, nq, np) -> A (nk, nq, np) */
static void contract_mode(const three_plan *p, const double *H, size_t q0, size_t nq, size_t d0,
                          size_t nd, size_t mode, double *K, three_momentum *t, size_t at)
{
    size_t np = t->np, nr = p->o->rp.n, all = p->o->delta.n, m = mode / p->nn;
    long order = (long)m + (long)(mode % p->nn) - (long)p->M;
    double sign = order > 0 && order % 2 ? -1 : 1; /* J_-l = (-1)^l J_l */
    size_t l = (size_t)labs(order);
    for (size_t s = 0; s < THREE_NSET; s++) {
        const double *wr = p->wr + (l * THREE_NSET + s) * np * nr;
        const double *wd = p->wd + (m * THREE_NSET + s) * t->nk * all + d0;
        for (size_t id = 0; id < nd; id++)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)nq, (int)np, (int)nr, sign,
                        H + (id * p->group * THREE_NSET + s) * nr, (int)(THREE_NSET * nr), wr,
                        (int)nr, 0, K + id * nq * np, (int)np);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)t->nk, (int)(nq * np), (int)nd,
                    1, wd, (int)all, K, (int)(nq * np), 1, t->A[s] + (at * t->nk * t->nq + q0) * np,
                    (int)(t->nq * np));
    }
}

cgct_status three_contract(const three_plan *p, const double *H, size_t q0, size_t nq, size_t d0,
                           size_t nd, three_momentum *t, cgct_err *err)
{
    size_t size = nd * nq * t->np, n = p->nplane * p->nmode;
    size_t step = p->subset * THREE_NSET * p->group * p->o->rp.n;
    double *K = malloc(p->nthread * size * sizeof *K);
    if (!K) return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu numbers", size);
#pragma omp parallel for schedule(static) num_threads((int)p->nthread)
    for (size_t i = 0; i < n; i++)
        contract_mode(p, H + i * step, q0, nq, d0, nd, i % p->nmode,
                      K + (size_t)omp_get_thread_num() * size, t, i);
    free(K);
    return CGCT_OK;
}

/* ---- loops ---- */

typedef struct {
    three_plan plan;
    three_work *work; /* per thread */
    double *H;
    three_momentum *t;
    size_t done, ntile;
} run;

static three_tile tile_of(const run *r, size_t q0, size_t nq, size_t d0, size_t i)
{
    size_t r0 = i % r->ntile * THREE_BLOCK_MAX, left = r->plan.o->rp.n - r0, id = i / r->ntile;
    size_t nt = left < THREE_BLOCK_MAX ? left : THREE_BLOCK_MAX;
    return (three_tile){q0, nq, d0 + id, id, r0, nt};
}

static cgct_status subset(run *r, size_t q0, size_t nq, size_t d0, size_t nd, cgct_err *err)
{
    const three_plan *p = &r->plan;
    const three_engine *e = p->o->engine;
    const three_range at = {q0, nq, d0, nd};
    if (e) return e->run(e->self, &at, r->t, err);
    size_t n = nd * r->ntile, bad = n;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)p->nthread)
    for (size_t i = 0; i < n; i++) {
        three_tile t = tile_of(r, q0, nq, d0, i);
        if (!three_tile_run(p, &r->work[omp_get_thread_num()], &t, r->H)) {
#pragma omp critical
            bad = i < bad ? i : bad;
        }
    }
    if (bad < n) {
        three_tile t = tile_of(r, q0, nq, d0, bad);
        return three_tile_blame(p, &r->work[0], &t, err);
    }
    return three_contract(p, r->H, q0, nq, d0, nd, r->t, err);
}

static cgct_status after_step(run *r, size_t step, size_t total, cgct_err *err)
{
    const three_opts *o = r->plan.o;
    if (o->checkpoint) CGCT_TRY(three_checkpoint_write(&r->plan, r->t, step, err));
    if (o->progress && o->progress(o->progress_self, step, total))
        return cgct_fail(err, CGCT_E_ACCURACY, "three_momentum: stopped after %zu of %zu steps",
                         step, total);
    return CGCT_OK;
}

static cgct_status loops(run *r, three_report *report, cgct_err *err)
{
    const three_plan *p = &r->plan;
    size_t nq = p->o->b.nmom, nd = p->o->delta.n, step = 0;
    size_t groups = (nq + p->group - 1) / p->group, subsets = (nd + p->subset - 1) / p->subset;
    if (r->done > groups * subsets) r->done = 0;
    report->resumed = r->done;
    report->steps = groups * subsets;
    for (size_t q0 = 0; q0 < nq; q0 += p->group)
        for (size_t d0 = 0; d0 < nd; d0 += p->subset) {
            if (step++ < r->done) continue;
            size_t g = nq - q0 < p->group ? nq - q0 : p->group;
            size_t n = nd - d0 < p->subset ? nd - d0 : p->subset;
            CGCT_TRY(subset(r, q0, g, d0, n, err));
            CGCT_TRY(after_step(r, step, groups * subsets, err));
        }
    if (p->o->checkpoint) unlink(p->o->checkpoint);
    return CGCT_OK;
}

/* ---- life ---- */

static cgct_status new_result(three_momentum **to, const three_plan *p, cgct_err *err)
{
    three_momentum *t = *to = calloc(1, sizeof *t);
    if (!t) return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory");
    *t = (three_momentum){.nk = p->o->delta.nmom,
                          .np = p->o->rp.nmom,
                          .nq = p->o->b.nmom,
                          .M = p->M,
                          .nn = p->nn,
                          .nmode = p->nmode,
                          .nplane = p->nplane,
                          .is_symmetric = p->g->is_symmetric,
                          .is_complex = p->g->is_complex};
    for (int s = 0; s < THREE_NSET; s++)
        if (!(t->A[s] = calloc(three_result_size(t), sizeof(double))))
            return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu modes",
                             three_result_size(t));
    return CGCT_OK;
}

static cgct_status allocate(run *r, cgct_err *err)
{
    const three_plan *p = &r->plan;
    if (p->o->engine) return CGCT_OK;
    size_t nH = p->nplane * p->nmode * p->subset * THREE_NSET * p->group * p->o->rp.n;
    r->ntile = (p->o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX;
    r->H = malloc(nH * sizeof *r->H);
    r->work = calloc(p->nthread, sizeof *r->work);
    if (!r->H || !r->work)
        return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu numbers", nH);
    for (size_t i = 0; i < p->nthread; i++) CGCT_TRY(three_work_init(&r->work[i], p, err));
    return CGCT_OK;
}

static void release(run *r)
{
    for (size_t i = 0; r->work && i < r->plan.nthread; i++) free(r->work[i].block);
    free(r->work);
    free(r->H);
    three_plan_free(&r->plan);
}

static void fill_report(const three_plan *p, three_report *r)
{
    const three_opts *o = p->o;
    double groups = (double)((o->b.nmom + p->group - 1) / p->group), c = (double)p->nchannel;
    double pairs = (double)(o->delta.n * o->rp.n), points = pairs * (double)o->b.n;
    double nalpha = (double)p->nalpha, rows = THREE_NSET * (double)o->b.nmom;
    double beta = (double)((p->M + 1) * p->neven + p->M * p->nodd);
    double alpha = rows * (double)(p->nn * (p->M + 1)) * nalpha * (p->g->is_symmetric ? 1 : 2);
    double momenta = rows * (double)(p->nmode * o->rp.nmom) * (double)(p->nplane / p->nchannel);
    r->q_group = p->group;
    r->delta_subset = p->subset;
    r->bytes = p->bytes;
    r->samples = groups * points * nalpha * (double)p->N;
    r->flop = 2 * c *
              (points * nalpha * (groups * beta + rows * (double)p->nn) + pairs * alpha +
               momenta * (pairs + (double)(o->delta.n * o->delta.nmom)));
}

cgct_status three_momentum_run(three_momentum **t, const three_opts *o, const three_integrand *g,
                               three_report *report, cgct_err *err)
{
    run r = {.H = NULL};
    three_report own;
    double start = clock_wall();
    if (!report) report = &own;
    *t = NULL;
    memset(report, 0, sizeof *report);
    blas_single_threaded();
    CGCT_TRY(three_plan_init(&r.plan, o, g, err));
    fill_report(&r.plan, report);
    cgct_status st = new_result(t, &r.plan, err);
    r.t = *t;
    if (st == CGCT_OK) st = allocate(&r, err);
    if (st == CGCT_OK && o->checkpoint && o->resume)
        st = three_checkpoint_read(&r.plan, r.t, &r.done, err);
    if (st == CGCT_OK && o->engine) st = o->engine->begin(o->engine->self, &r.plan, r.t, err);
    if (st == CGCT_OK) st = loops(&r, report, err);
    release(&r);
    report->seconds = clock_wall() - start;
    return st;
}

void three_momentum_free(three_momentum *t)
{
    if (!t) return;
    for (int s = 0; s < THREE_NSET; s++) free(t->A[s]);
    free(t);
}
