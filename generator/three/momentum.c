/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of the three-momentum transform: groups of q, subsets of Delta, tiles over threads; a
 * checkpoint after each subset. */
#include "three/momentum.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/crc64.h"
#include "format/tmpfile.h"
#include "numerics/blas.h"
#include "three/tile.h"

/* ---- checkpoint ---- */

/* The head, the modes of both sets, and a checksum of all that, in the byte order of the machine:
 * the file serves to continue the same task on the same machine. */
typedef struct {
    char magic[8];
    uint64_t task, done, count; /* count: numbers of each of the two sets */
} checkpoint_head;

static const char checkpoint_magic[8] = "cgct3m1";

/* The checksum of several pieces: the next one is that of the one before and the piece's own. */
static uint64_t mix_crc(const cgct_crc64_table *table, uint64_t crc, const void *data, size_t n)
{
    uint64_t pair[2] = {crc, cgct_crc64(table, data, n)};
    return cgct_crc64(table, pair, sizeof pair);
}

static uint64_t mix_axis_crc(const cgct_crc64_table *table, uint64_t crc, const three_axis *a)
{
    crc = mix_crc(table, crc, a->node, a->n * sizeof *a->node);
    crc = mix_crc(table, crc, a->mom, a->nmom * sizeof *a->mom);
    if (!a->tail) return crc;
    crc = mix_crc(table, crc, &a->tail->nfit, sizeof a->tail->nfit);
    return mix_crc(table, crc, a->tail->power, (size_t)a->tail->nterm * sizeof *a->tail->power);
}

static uint64_t task_fingerprint(const three_plan *p, const cgct_crc64_table *table)
{
    const three_opts *o = p->o;
    const int ints[] = {o->modes, o->nphi, o->degree, p->g->is_complex, p->g->is_symmetric};
    const uint64_t loops[] = {p->group, p->subset};
    uint64_t crc = mix_crc(table, 0, ints, sizeof ints);
    crc = mix_crc(table, crc, loops, sizeof loops);
    crc = mix_axis_crc(table, crc, &o->delta);
    crc = mix_axis_crc(table, crc, &o->rp);
    crc = mix_axis_crc(table, crc, &o->b);
    return p->g->name ? mix_crc(table, crc, p->g->name, strlen(p->g->name)) : crc;
}

static uint64_t checkpoint_crc(const cgct_crc64_table *table, const checkpoint_head *h,
                               const three_momentum *t)
{
    uint64_t crc = mix_crc(table, 0, h, sizeof *h);
    for (int s = 0; s < THREE_NSET; s++)
        crc = mix_crc(table, crc, t->A[s], three_result_size(t) * sizeof(double));
    return crc;
}

static cgct_status write_checkpoint(const three_plan *p, const three_momentum *t, size_t done,
                                    cgct_err *err)
{
    cgct_crc64_table table;
    cgct_tmpfile f = cgct_tmpfile_none();
    cgct_crc64_init(&table);
    checkpoint_head h = {
        .task = task_fingerprint(p, &table), .done = done, .count = three_result_size(t)};
    memcpy(h.magic, checkpoint_magic, sizeof h.magic);
    uint64_t crc = checkpoint_crc(&table, &h, t);
    cgct_status st = cgct_tmpfile_open(&f, p->o->checkpoint, err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, &h, sizeof h, err);
    for (int s = 0; st == CGCT_OK && s < THREE_NSET; s++)
        st = cgct_tmpfile_append(&f, t->A[s], h.count * sizeof(double), err);
    if (st == CGCT_OK) st = cgct_tmpfile_append(&f, &crc, sizeof crc, err);
    if (st == CGCT_OK) st = cgct_tmpfile_commit(&f, err);
    cgct_tmpfile_discard(&f);
    return st;
}

static cgct_status read_checkpoint_file(FILE *f, const three_plan *p, three_momentum *t,
                                        size_t *done, cgct_err *err)
{
    cgct_crc64_table table;
    checkpoint_head h;
    uint64_t crc = 0;
    const char *path = p->o->checkpoint;
    cgct_crc64_init(&table);
    if (fread(&h, sizeof h, 1, f) != 1 || memcmp(h.magic, checkpoint_magic, sizeof h.magic))
        return cgct_fail(err, CGCT_E_FORMAT, "%s: not a checkpoint; remove it to start afresh",
                         path);
    uint64_t want = task_fingerprint(p, &table);
    if (h.task != want || h.count != three_result_size(t))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: checkpoint of another task (fingerprint %016llx, this one %016llx); "
                         "grids, momenta, integrand, threads and budget must be those it was "
                         "written with, or remove it to start afresh",
                         path, (unsigned long long)h.task, (unsigned long long)want);
    int ok = 1;
    for (int s = 0; s < THREE_NSET; s++)
        ok = ok && fread(t->A[s], sizeof(double), h.count, f) == h.count;
    ok = ok && fread(&crc, sizeof crc, 1, f) == 1 && fgetc(f) == EOF;
    if (!ok || crc != checkpoint_crc(&table, &h, t))
        return cgct_fail(err, CGCT_E_CHECKSUM, "%s: damaged; remove it to start afresh", path);
    *done = h.done;
    return CGCT_OK;
}

/* Leaves *done = 0 where there is no file. */
static cgct_status read_checkpoint(const three_plan *p, three_momentum *t, size_t *done,
                                   cgct_err *err)
{
    *done = 0;
    FILE *f = fopen(p->o->checkpoint, "rb");
    if (!f && errno == ENOENT) return CGCT_OK;
    if (!f) return cgct_fail(err, CGCT_E_IO, "%s: %s", p->o->checkpoint, strerror(errno));
    cgct_status st = read_checkpoint_file(f, p, t, done, err);
    fclose(f);
    return st;
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
    return three_add_subset(p, at, r->H, r->t, err);
}

static cgct_status finish_step(transform_run *r, size_t step, size_t total, cgct_err *err)
{
    const three_opts *o = r->plan.o;
    if (o->checkpoint) CGCT_TRY(write_checkpoint(&r->plan, r->t, step, err));
    if (o->progress && o->progress(o->progress_self, step, total))
        return cgct_fail(err, CGCT_E_ACCURACY, "three_momentum: stopped after %zu of %zu steps",
                         step, total);
    return CGCT_OK;
}

static cgct_status transform_all(transform_run *r, three_report *report, cgct_err *err)
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
            const three_range at = {q0, nq - q0 < p->group ? nq - q0 : p->group, d0,
                                    nd - d0 < p->subset ? nd - d0 : p->subset};
            CGCT_TRY(transform_subset(r, &at, err));
            CGCT_TRY(finish_step(r, step, groups * subsets, err));
        }
    if (p->o->checkpoint) unlink(p->o->checkpoint);
    return CGCT_OK;
}

/* ---- a run ---- */

static cgct_status allocate_arrays(transform_run *r, cgct_err *err)
{
    const three_plan *p = &r->plan;
    if (p->o->engine) return CGCT_OK;
    size_t nH = p->nplane * p->nmode * three_mode_step(p);
    r->ntile = (p->o->rp.n + THREE_BLOCK_MAX - 1) / THREE_BLOCK_MAX;
    r->H = malloc(nH * sizeof *r->H);
    r->work = calloc(p->nthread, sizeof *r->work);
    if (!r->H || !r->work)
        return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu numbers", nH);
    for (size_t i = 0; i < p->nthread; i++) CGCT_TRY(three_work_init(&r->work[i], p, err));
    return CGCT_OK;
}

static void release_run(transform_run *r)
{
    for (size_t i = 0; r->work && i < r->plan.nthread; i++) free(r->work[i].block);
    free(r->work);
    free(r->H);
    three_plan_free(&r->plan);
}

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
    if (st == CGCT_OK) st = allocate_arrays(&r, err);
    if (st == CGCT_OK && o->checkpoint && o->resume)
        st = read_checkpoint(&r.plan, r.t, &r.done, err);
    if (st == CGCT_OK && o->engine) st = o->engine->begin(o->engine->self, &r.plan, r.t, err);
    if (st == CGCT_OK) st = transform_all(&r, report, err);
    release_run(&r);
    report->seconds = omp_get_wtime() - start;
    return st;
}
