/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node from dipole to the paper's modes in one, by a builder that makes them on its device. */
#include <stdio.h>
#include <string.h>

#include "inner/backend.h"
#include "node/hankel.h"
#include "node/pipeline_impl.h"

typedef struct {
    const pipeline_task *task;
    const backend *b;
    const dipole *d;
    inner_grids fine, coarse;
    ridge ridges;
    projection_task angles;
    projection to;
} product;

static void product_free(product *p)
{
    inner_grids_free(&p->fine);
    inner_grids_free(&p->coarse);
    ridge_free(&p->ridges);
    projection_free(&p->to);
}

static backend_transform pass_of(const product *p, const inner_grids *g)
{
    return (backend_transform){.inner = &g->inner,
                               .nq = p->task->nq,
                               .np = g->np,
                               .q = p->task->q,
                               .P = g->P,
                               .degree = p->task->settings->inner.hankel.degree,
                               .tail = g->tail.nterm ? &g->tail : NULL};
}

/* Grids, ridges and angles; *safety as in pipeline.c. */
static cgct_status prepare(product *p, double *safety, cgct_err *err)
{
    const pipeline_task *k = p->task;
    inner_grids_task task = pipeline_grids_task(k, p->d, &p->angles.scale);
    double coarser;
    pipeline_certificate(p->d, &coarser, safety);
    CGCT_TRY(inner_grids_init(&p->fine, &task, err));
    task.coarser = coarser;
    CGCT_TRY(inner_grids_init(&p->coarse, &task, err));
    p->fine.inner.crew = p->coarse.inner.crew = k->builders ? k->builders->crew : NULL;
    const ridge_task ridges = {p->d,  k->eps, p->fine.inner.ridge_cut,
                               k->nq, k->q,   k->k_max + task.q_max};
    CGCT_TRY(ridge_init(&p->ridges, &ridges, err));
    return projection_init(&p->to, &p->angles, err);
}

static cgct_status report_product(const product *p, const backend_facts *facts,
                                  pipeline_report *rep, cgct_err *err)
{
    pipeline_report_grids(rep, &p->fine);
    rep->backend = p->b->name;
    rep->rank = facts->rank;
    rep->bytes_peak = p->b->bytes_needed(&p->fine.inner);
    return pipeline_sum_rule(p->d, p->task->eps, facts->origin, &rep->sum_rule, err);
}

static cgct_status on_device(product *p, pipeline_report *rep, cgct_err *err)
{
    double safety, t0 = hankel_clock();
    backend_facts facts[2];
    CGCT_TRY(prepare(p, &safety, err));
    const backend_product k = {.pass = {pass_of(p, &p->fine), pass_of(p, &p->coarse)},
                               .ridges = &p->ridges,
                               .nk = p->angles.nk,
                               .k = p->angles.k,
                               .nm = p->to.nm,
                               .modes = p->to.modes,
                               .angles = p->to.angles,
                               .safety = safety,
                               .rounding = PIPELINE_ROUNDING};
    CGCT_TRY(p->b->product(&k, p->d, p->to.I, p->to.error, facts, err));
    rep->seconds_inner = rep->seconds_total = hankel_clock() - t0;
    return report_product(p, facts, rep, err);
}

static cgct_status by_parts(const pipeline_task *task, size_t nk, const double *k, size_t *nm,
                            double **modes, double **error, pipeline_report *rep, cgct_err *err)
{
    pipeline *p;
    CGCT_TRY(pipeline_init(&p, task, rep, err));
    cgct_status st = pipeline_modes(p, nk, k, nm, modes, error, err);
    pipeline_free(p);
    return st;
}

cgct_status pipeline_product(const pipeline_task *task, size_t nk, const double *k, size_t *nm,
                             double **modes, double **error, pipeline_report *rep, cgct_err *err)
{
    const node_settings *c = task->settings;
    dipole *d;
    product p = {.task = task};
    p.angles = (projection_task){.m_max = c->m_max,
                                 .n_theta = c->n_theta,
                                 .tolerance = c->inner.tolerance,
                                 .nq = task->nq,
                                 .nk = nk,
                                 .q = task->q,
                                 .k = k};
    CGCT_TRY(pipeline_check_task(task, err));
    CGCT_TRY(backend_find(&p.b, task->builders, c->inner.backend, c->inner.device, err));
    if (!p.b->product) return by_parts(task, nk, k, nm, modes, error, rep, err);
    CGCT_TRY(dipole_init(&d, task->source, task->x, err));
    p.d = d;
    memset(rep, 0, sizeof *rep);
    cgct_status st = on_device(&p, rep, err);
    if (st == CGCT_OK) projection_finish(&p.to, &p.angles, nm, modes, error);
    product_free(&p);
    dipole_free(d);
    if (!backend_is_automatic(c->inner.backend) || !backend_may_do_without(st)) return st;
    return by_parts(task, nk, k, nm, modes, error, rep, err); /* which gives the device up */
}
