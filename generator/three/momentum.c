/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of the three-momentum transform: groups of q, subsets of Delta, tiles over threads; a
 * checkpoint after each subset. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/bytes.h"
#include "numerics/memory.h"
#include "three/plan.h"

/* ---- checkpoint ---- */

/* One number for all that the modes depend on, but for G itself, which has a name. */
static uint64_t task_fingerprint(const three_plan *p)
{
    const three_opts *o = p->o;
    const int ints[] = {o->modes, o->nphi, o->degree, p->g->is_complex, p->g->is_symmetric};
    const uint64_t loops[] = {p->group, p->subset};
    const three_axis *const axes[] = {&o->delta, &o->rp, &o->b};
    cgct_crc64_table table;
    cgct_crc64_init(&table);
    uint64_t crc = cgct_crc64(&table, 0, ints, sizeof ints);
    crc = cgct_crc64(&table, crc, loops, sizeof loops);
    for (int i = 0; i < 3; i++) {
        const three_axis *a = axes[i];
        const uint64_t n[] = {a->n, a->nmom};
        crc = cgct_crc64(&table, crc, n, sizeof n);
        crc = cgct_crc64(&table, crc, a->node, a->n * sizeof *a->node);
        crc = cgct_crc64(&table, crc, a->mom, a->nmom * sizeof *a->mom);
    }
    return p->g->name ? cgct_crc64(&table, crc, p->g->name, strlen(p->g->name)) : crc;
}

/* A container of the steps done and the modes so far.  It replaces the one of the step before when
 * it is complete, for a journal would grow by all modes at every step. */
static cgct_status write_checkpoint(const three_plan *p, const three_momentum *t, size_t done,
                                    cgct_err *err)
{
    cgct_chunks f;
    cgct_status st = cgct_chunks_create(&f, p->o->checkpoint, CGCT_THREE_STEPS, err);
    if (st == CGCT_OK) {
        uint8_t task[8];
        cgct_put_u64(task, task_fingerprint(p));
        cgct_chunk_begin(&f, "STEP", 0);
        cgct_chunk_put(&f, task, sizeof task);
        cgct_chunk_put_u32(&f, done);
        st = cgct_chunk_end(&f, err);
    }
    if (st == CGCT_OK) st = three_write_modes(&f, t, err);
    if (st == CGCT_OK) st = cgct_chunks_finish(&f, err);
    cgct_chunks_close(&f);
    return st;
}

/* Leaves *done = 0 where there is no file. */
static cgct_status read_checkpoint(const three_plan *p, three_momentum *t, size_t *done,
                                   cgct_err *err)
{
    const char *path = p->o->checkpoint;
    cgct_chunks f;
    const cgct_chunk *c;
    uint8_t *b;
    *done = 0;
    if (access(path, F_OK) && errno == ENOENT) return CGCT_OK;
    CGCT_TRY(cgct_chunks_open(&f, path, CGCT_THREE_STEPS, err));
    cgct_status st = cgct_chunk_load(&f, "STEP", 0, 12, &c, &b, err);
    uint64_t task = 0, want = task_fingerprint(p);
    if (st == CGCT_OK) {
        task = cgct_get_u64(b);
        *done = cgct_get_u32(b + 8);
        free(b);
    }
    if (st == CGCT_OK && task == want) st = three_read_modes(&f, t, err);
    cgct_chunks_close(&f);
    if (st != CGCT_OK) return cgct_context(err, st, "remove it to start afresh");
    if (task == want) return CGCT_OK;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "%s: checkpoint of another task (fingerprint %016llx, this one %016llx): give "
                     "the grids, momenta, integrand, threads and budget it was written with, or "
                     "remove it",
                     path, (unsigned long long)task, (unsigned long long)want);
}

/* ---- loops ---- */

typedef struct {
    three_plan plan;
    three_work *work; /* one for each thread; none with an engine */
    double *H;        /* (nplane, nmode, subset, nrow, nr) */
    three_momentum *t;
    size_t done, ntile; /* steps taken from the checkpoint; tiles of one Delta */
} transform_run;

static three_tile nth_tile(const transform_run *r, const three_range *at, size_t i)
{
    size_t r0 = i % r->ntile * THREE_BLOCK_MAX, left = r->plan.o->rp.n - r0, id = i / r->ntile;
    size_t nt = left < THREE_BLOCK_MAX ? left : THREE_BLOCK_MAX;
    return (three_tile){at->q0, at->nq, at->d0 + id, id, r0, nt};
}

static cgct_status transform_subset(transform_run *r, const three_range *at, cgct_err *err)
{
    const three_plan *p = &r->plan;
    const three_engine *e = p->o->engine;
    if (e) return e->run(e->self, at, r->t, err);
    size_t n = at->nd * r->ntile, bad = n;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)p->nthread)
    for (size_t i = 0; i < n; i++) {
        three_tile t = nth_tile(r, at, i);
        if (!three_tile_run(p, &r->work[omp_get_thread_num()], &t, r->H)) {
#pragma omp critical
            bad = i < bad ? i : bad;
        }
    }
    if (bad < n) {
        three_tile t = nth_tile(r, at, bad);
        return three_tile_fail(p, &r->work[0], &t, err);
    }
    three_add_subset(p, at, r->H, r->t);
    return CGCT_OK;
}

/* E_DOMAIN unless F is finite at all momenta and angles: no number of its sums overflows. */
static cgct_status check_modes(const three_plan *p, const three_momentum *t, cgct_err *err)
{
    const size_t n = three_result_size(t), point = t->nk * t->nq * t->np;
    const double most = DBL_MAX / (1e4 * (double)t->nplane * (double)t->nmode);
    for (int s = 0; s < THREE_NSET; s++)
        for (size_t i = 0; i < n; i++) {
            if (fabs(t->A[s][i]) <= most) continue;
            const size_t at = i % point;
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "the sums overflow at k = %g, q = %g, p = %g GeV; scale the integrand",
                             p->o->delta.mom[at / (t->nq * t->np)], p->o->b.mom[at / t->np % t->nq],
                             p->o->rp.mom[at % t->np]);
        }
    return CGCT_OK;
}

static cgct_status transform_all(transform_run *r, three_report *report, cgct_err *err)
{
    const three_plan *p = &r->plan;
    size_t nq = p->o->b.nmom, nd = p->o->delta.n, step = 0;
    size_t groups = (nq + p->group - 1) / p->group, subsets = (nd + p->subset - 1) / p->subset;
    if (r->done > groups * subsets)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: %zu steps done of %zu", p->o->checkpoint, r->done,
                         groups * subsets);
    report->resumed = r->done;
    report->steps = groups * subsets;
    for (size_t q0 = 0; q0 < nq; q0 += p->group)
        for (size_t d0 = 0; d0 < nd; d0 += p->subset) {
            if (step++ < r->done) continue;
            const three_range at = {q0, nq - q0 < p->group ? nq - q0 : p->group, d0,
                                    nd - d0 < p->subset ? nd - d0 : p->subset};
            CGCT_TRY(transform_subset(r, &at, err));
            CGCT_TRY(check_modes(p, r->t, err));
            const three_opts *o = p->o;
            if (o->checkpoint) CGCT_TRY(write_checkpoint(p, r->t, step, err));
            if (o->progress && o->progress(o->progress_self, step, report->steps))
                return cgct_fail(err, CGCT_E_ACCURACY,
                                 "three_momentum: stopped after %zu of %zu steps", step,
                                 report->steps);
        }
    return CGCT_OK;
}

/* ---- a run ---- */

/* Counts samples, and two operations for each term of a sum: the projections on beta, then for each
 * row the sum over b, the projections on alpha, and the sums over r' and Delta. */
static void report_cost(const three_plan *p, three_report *r)
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
    transform_run r = {.H = NULL};
    three_report own;
    double start = omp_get_wtime();
    if (!report) report = &own;
    *t = NULL;
    memset(report, 0, sizeof *report);
    CGCT_TRY(three_plan_init(&r.plan, o, g, err));
    report_cost(&r.plan, report);
    const three_momentum like = {.nk = o->delta.nmom,
                                 .np = o->rp.nmom,
                                 .nq = o->b.nmom,
                                 .M = r.plan.M,
                                 .is_symmetric = g->is_symmetric,
                                 .is_complex = g->is_complex};
    cgct_status st = three_momentum_new(t, &like, err);
    r.t = *t;
    const three_plan *p = &r.plan;
    if (!o->engine) {
        r.ntile = (o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX;
        r.H = memory_new(p->nplane * p->nmode * three_mode_step(p), sizeof *r.H);
        r.work = memory_zeros(p->nthread, sizeof *r.work);
        for (size_t i = 0; i < p->nthread && st == CGCT_OK; i++)
            st = three_work_init(&r.work[i], p, err);
    }
    if (st == CGCT_OK && o->checkpoint && o->resume)
        st = read_checkpoint(&r.plan, r.t, &r.done, err);
    if (st == CGCT_OK && o->engine) st = o->engine->begin(o->engine->self, &r.plan, r.t, err);
    if (st == CGCT_OK) st = transform_all(&r, report, err);
    for (size_t i = 0; r.work && i < p->nthread; i++) free(r.work[i].block);
    free(r.work);
    free(r.H);
    three_plan_free(&r.plan);
    report->seconds = omp_get_wtime() - start;
    return st;
}
