/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pipeline will need, from its grids alone. */
#include <math.h>

#include "inner/backend.h"
#include "inner/grids.h"
#include "node/pipeline_impl.h"

/* Columns of the separable builder cost alike for every mode, and as much again as so many modes:
 * measured over eps = 0.1 to 10 GeV, gbw and mv, to a factor of 1.3 but for the smallest tables. */
static const double WORK_BESIDE_MODES = 12;
enum { WEIGHT_CHUNK = 64, FOLDED_MODES = 96 };

/* The table and the arrays behind it, at their largest: weights, both transforms, modes. */
static size_t behind(const inner_grids *g, const pipeline_task *k, size_t nk)
{
    const inner_opts *o = &g->inner;
    size_t rows = k->nq * o->nr, chunk = WEIGHT_CHUNK * o->nd;
    size_t weights = o->nm * (rows > chunk ? rows : chunk);
    size_t H = NPOL * o->nm * k->nq * o->nd, I = NPOL * o->nm * k->nq * g->np;
    size_t stored = NPOL * k->nq * nk * (size_t)(g->m[o->nm - 1] + FOLDED_MODES);
    size_t table = NPOL * o->nm * o->nd * o->nr;
    return sizeof(double) * (table + weights + H + 3 * I + stored);
}

static cgct_status plan(const pipeline_task *k, const dipole *d, size_t nk, pipeline_report *rep,
                        double *work, cgct_err *err)
{
    inner_grids g;
    const backend *b;
    double scale;
    const inner_grids_task task = pipeline_grids_task(k, d, &scale);
    CGCT_TRY(
        backend_find(&b, k->builders, k->settings->inner.backend, k->settings->inner.device, err));
    CGCT_TRY(inner_grids_init(&g, &task, err));
    const inner_opts *o = &g.inner;
    pipeline_report_grids(rep, &g);
    size_t builder = b->bytes_needed(o), after = behind(&g, k, nk);
    rep->bytes_peak = builder > after ? builder : after;
    *work = (double)o->nd * (double)o->ns * ((double)o->nm + WORK_BESIDE_MODES);
    inner_grids_free(&g);
    return CGCT_OK;
}

static cgct_status device_bytes(const pipeline_task *k, const dipole *d, size_t *bytes,
                                cgct_err *err)
{
    inner_grids g;
    const backend *b;
    double scale;
    const inner_grids_task task = pipeline_grids_task(k, d, &scale);
    *bytes = 0;
    CGCT_TRY(
        backend_find(&b, k->builders, k->settings->inner.backend, k->settings->inner.device, err));
    if (!b->device_bytes) return CGCT_OK;
    CGCT_TRY(inner_grids_init(&g, &task, err));
    const backend_size size = {&g.inner, d, k->nq, g.np, k->q, g.P};
    cgct_status st = b->device_bytes(&size, bytes, err);
    inner_grids_free(&g);
    return st;
}

cgct_status pipeline_device_bytes(const pipeline_task *task, size_t *bytes, cgct_err *err)
{
    dipole *d;
    CGCT_TRY(dipole_init(&d, task->source, task->x, err));
    cgct_status st = device_bytes(task, d, bytes, err);
    dipole_free(d);
    return st;
}

cgct_status pipeline_plan(const pipeline_task *task, size_t nk, pipeline_report *report,
                          double *work, cgct_err *err)
{
    dipole *d;
    *report = (pipeline_report){0};
    CGCT_TRY(dipole_init(&d, task->source, task->x, err));
    cgct_status st = plan(task, d, nk, report, work, err);
    dipole_free(d);
    return st;
}
