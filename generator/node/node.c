/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.c: the theory in order:
 *
 *   dipole -> grids -> inner table -> Hankel transforms -> I_m(q,P) -> I(q,k,theta) -> fields
 *
 * all but the last step twice, the second time with every discretisation coarser: the difference of
 * the two computations is the error estimate. */
#include "node/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/passes.h"
#include "numerics/clock.h"
#include "numerics/memory.h"

/* ---- the task ---- */

static cgct_status check_grid(const node_task *k, cgct_err *err)
{
    const node_grid *g = k->grid;
    if (g->nl < 2 || g->nu < 2 || !(g->k0 > 0 && isfinite(g->k0)) ||
        !(g->k_max > 0 && isfinite(g->k_max)))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "a grid of %zu and %zu momenta k with k0 = %g, k_max = %g GeV; at least 2 "
                         "and 2, and positive momenta are needed",
                         g->nl, g->nu, g->k0, g->k_max);
    for (size_t iq = 0; iq < k->nq; iq++)
        if (g->nq != k->nq || g->q[iq] != k->q[iq])
            return cgct_fail(err, CGCT_E_CONFIG,
                             "the grid of the fields has other q than the node");
    return CGCT_OK;
}

static cgct_status check_node_task(const node_task *k, cgct_err *err)
{
    if (!(k->eps > 0 && isfinite(k->eps)))
        return cgct_fail(err, CGCT_E_DOMAIN, "eps = %g GeV; it must be positive and finite",
                         k->eps);
    for (size_t iq = 0; iq < k->nq; iq++)
        if (!(k->q[iq] > 0 && isfinite(k->q[iq])))
            return cgct_fail(err, CGCT_E_DOMAIN, "q[%zu] = %g GeV; it must be positive", iq,
                             k->q[iq]);
    if (k->grid) CGCT_TRY(check_grid(k, err));
    if (!(node_largest_k(k) > 0 && isfinite(node_largest_k(k))))
        return cgct_fail(err, CGCT_E_DOMAIN, "largest k1 = %g GeV; it must be positive",
                         node_largest_k(k));
    return CGCT_OK;
}

/* ---- fields ---- */

/* Coefficients above this share of the tolerance are kept. */
static const double KEPT_SHARE = 0.1;

/* Where the mean of X or Z over the angle is lost in its error, it becomes that of the last q times
 * a power of q, and the bound is as large as it.  If no mean is negative by more than ten times
 * its bound, all are stored as positive, and one that is negative is lost, too.  Returns at how
 * many (polarisation, q, k). */
static size_t continue_forward(field_values *v)
{
    const size_t row = v->nk * NODE_ANGLES;
    size_t continued = 0;
    for (size_t i = 0; i < v->points; i++) {
        double *X = v->I + i * NODE_ANGLES, *bound = v->bound + i * NODE_ANGLES, most = 0;
        const size_t iq = i / v->nk % v->grid->nq;
        for (size_t j = 0; j < NODE_ANGLES; j++) most = fmax(most, bound[j]);
        const double mean = field_mean(X);
        if (!iq || !(most >= (v->either_sign ? fabs(mean) : mean))) continue;
        const double fall = pow(v->grid->q[iq - 1] / v->grid->q[iq], 4);
        const double *last = X - row;
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            const double before = fall * last[j];
            bound[j] += fabs(before - X[j]) + fabs(before);
            X[j] = before;
        }
        continued++;
    }
    return continued;
}

/* What a table stores, from I at the angles of the grid. */
static cgct_status fields_of_values(const node_work *w, field_values *v, node_fields *out,
                                    cgct_err *err)
{
    const node_settings *c = w->task->settings;
    const field_selection keep = {KEPT_SHARE * c->inner.tolerance, c->m_max};
    field_values_find_sign(v);
    if (w->task->forward && !(dipole_is_field(w->dipole) && v->either_sign))
        w->report->continued = continue_forward(v);
    else if (!w->task->forward)
        CGCT_TRY(field_values_continue(v, w->dipole, w->task->eps, &w->report->continued, err));
    return field_values_project(v, &keep, out, err);
}

static cgct_status fields_by_tables(const node_work *w, const node_tables *n, node_fields *out,
                                    cgct_err *err)
{
    field_values v;
    cgct_status st = CGCT_OK;
    field_values_init(&v, w->task->grid);
    evaluate_angles(n, &v);
    if (n->next) {
        field_values colours;
        field_values_init(&colours, w->task->grid);
        evaluate_angles(n->next, &colours);
        st = field_values_add_colours(&v, &colours, w->dipole, w->task->eps, err);
        field_values_free(&colours);
    }
    if (st == CGCT_OK) st = fields_of_values(w, &v, out, err);
    field_values_free(&v);
    return st;
}

static cgct_status compute_by_tables(const node_work *w, node_tables **out, node_fields *fields,
                                     cgct_err *err)
{
    node_tables *n = memory_zeros(1, sizeof *n);
    cgct_status st = node_work_tables(w, n, err);
    if (st == CGCT_OK && w->task->forward) st = node_add_forward(w, n, err);
    if (st == CGCT_OK && fields) st = fields_by_tables(w, n, fields, err);
    if (st == CGCT_OK && out)
        *out = n;
    else
        node_tables_free(n);
    return st;
}

/* ---- the same in one step on a device ---- */

typedef struct {
    inner_grids fine, coarse;
    single_factors single;
    field_values to, colours; /* colours: what a finite number of them changes, or empty */
} device_node;

static cgct_status device_node_init(device_node *p, const node_work *w, int divided, cgct_err *err)
{
    const backend_set *builders = w->task->builders;
    CGCT_TRY(inner_grids_init(&p->fine, &w->fine, err));
    CGCT_TRY(inner_grids_init(&p->coarse, &w->coarse, err));
    p->fine.inner.crew = p->coarse.inner.crew = builders ? builders->crew : NULL;
    const int single = p->fine.inner.single && !w->dipole->singlet;
    CGCT_TRY(node_work_single(w, single, &p->single, err));
    field_values_init(&p->to, w->task->grid);
    if (divided) field_values_init(&p->colours, w->task->grid);
    return CGCT_OK;
}

/* A part of the node; fine and coarse, the grids of that part, must outlive it. */
static backend_product device_task(device_node *p, const node_work *w, inner_part part,
                                   inner_grids *fine, inner_grids *coarse)
{
    const int change = part == INNER_DIFFERENCE;
    const field_values *to = change ? &p->colours : &p->to;
    node_work of = *w;
    of.part = part;
    node_choose_part(&of, w->builder, &fine->inner);
    node_choose_part(&of, w->builder, &coarse->inner);
    return (backend_product){
        .pass = {node_transform(w->task, fine), node_transform(w->task, coarse)},
        .single = change ? NULL : &p->single,
        .nk = to->nk,
        .nt = NODE_ANGLES,
        .k = to->k,
        .theta = to->theta,
        .safety = change ? w->safety_colours.field : w->safety.field,
        .rounding = MODE_ROUNDING,
        .I = to->I,
        .bound = to->bound};
}

static cgct_status run_on_device(device_node *p, const node_work *w, cgct_err *err)
{
    double start = clock_wall();
    node_report *rep = w->report;
    backend_facts facts[2];
    const int divided = isfinite(w->dipole->Nc) && !w->dipole->singlet;
    CGCT_TRY(device_node_init(p, w, divided, err));
    inner_grids fine = p->fine, coarse = p->coarse;
    const backend_product all =
        device_task(p, w, divided ? INNER_MANY_COLOURS : INNER_WHOLE, &p->fine, &p->coarse);
    const backend_product change = device_task(p, w, INNER_DIFFERENCE, &fine, &coarse);
    CGCT_TRY(w->builder->product(&all, divided ? &change : NULL, w->dipole, facts, err));
    if (divided)
        CGCT_TRY(field_values_add_colours(&p->to, &p->colours, w->dipole, w->task->eps, err));
    rep->seconds_inner = rep->seconds_total = clock_wall() - start;
    node_report_grids(rep, &p->fine);
    rep->backend = w->builder->name;
    rep->rank = facts[0].rank;
    rep->bytes_peak = w->builder->bytes_needed(&p->fine.inner);
    node_check_sum_rule(w, facts[0].origin);
    return CGCT_OK;
}

static cgct_status compute_on_device(const node_work *w, node_fields *fields, cgct_err *err)
{
    device_node p = {.single = {0}};
    cgct_status st = run_on_device(&p, w, err);
    if (st == CGCT_OK) st = fields_of_values(w, &p.to, fields, err);
    inner_grids_free(&p.fine);
    inner_grids_free(&p.coarse);
    single_free(&p.single);
    field_values_free(&p.to);
    field_values_free(&p.colours);
    return st;
}

/* ---- the entry ---- */

cgct_status node_part_compute(const node_task *task, node_tables **n, node_fields *fields,
                              node_report *report, cgct_err *err)
{
    node_work w;
    if (n) *n = NULL;
    if (fields) *fields = (node_fields){0};
    CGCT_TRY(check_node_task(task, err));
    cgct_status st = node_work_init(&w, task, n && !task->grid && !task->coarser_only, report, err);
    const int device = fields && !n && st == CGCT_OK && w.builder->product && !task->forward;
    if (device) st = compute_on_device(&w, fields, err);
    const int again = backend_is_automatic(task->settings->inner.backend);
    if (device ? again && backend_may_do_without(st) : st == CGCT_OK)
        st = compute_by_tables(&w, n, fields, err); /* gives up a device that fails here, too */
    node_work_free(&w);
    return st;
}

void node_tables_free(node_tables *n)
{
    while (n) {
        node_tables *next = n->next;
        mode_table_free(&n->fine);
        mode_table_free(&n->coarse);
        single_free(&n->single);
        node_forward_free(n->forward);
        free(n);
        n = next;
    }
}

/* ---- what a node needs, from its grids alone ---- */

/* Columns of the separable builder cost alike for every mode, and as much again as so many modes:
 * measured over eps = 0.1 to 10 GeV, gbw and mv, to a factor of 1.3 but for the smallest tables. */
static const double WORK_BESIDE_MODES = 40;
/* One pair of angles of the builder direct: 4.8e-9 s with the certificate (gbw, eps = 4 and 10 GeV,
 * 16 angles, 64 radii), where a unit of work takes 2.7e-7 s. */
static const double WORK_OF_DIRECT = 1.8e-2;

/* Three colours take 2.2 to 4.1 times as long as many (gbw and mv, eps = 0.1, 1 and 10 GeV), and
 * more with a smaller tolerance. */
static const double WORK_OF_COLOURS = 3;

/* The table and the arrays that follow it, at their largest: weights, both transforms, fields; of
 * one or two parts (passes.c). */
static size_t bytes_after_builder(const inner_grids *g, const node_task *k, size_t parts)
{
    const inner_opts *o = &g->inner;
    size_t rows = k->nq * o->nr, chunk = HANKEL_CHUNK * o->nd;
    size_t weights = o->nm * (rows > chunk ? rows : chunk);
    size_t H = NPOL * o->nm * k->nq * o->nd, I = NPOL * o->nm * k->nq * g->np;
    /* I and its bound at the angles of each part, and the coefficients twice */
    size_t nk = k->grid ? k->grid->nl + k->grid->nu : 0;
    size_t stored = (2 + 2 * parts) * NPOL * k->nq * nk * NODE_ANGLES;
    size_t table = NPOL * o->nm * o->nd * o->nr;
    return sizeof(double) * (table + weights + H + (1 + 2 * parts) * I + stored);
}

cgct_status node_part_plan(const node_task *task, node_report *report, double *work, size_t *device,
                           cgct_err *err)
{
    node_work w;
    inner_grids g;
    cgct_status st = node_work_init(&w, task, 0, report, err);
    if (st == CGCT_OK) st = inner_grids_init(&g, &w.fine, err);
    if (st == CGCT_OK) {
        const int divided = isfinite(w.dipole->Nc) && !w.dipole->singlet;
        size_t builder = w.builder->bytes_needed(&g.inner);
        size_t after = bytes_after_builder(&g, task, divided ? 2 : 1);
        node_report_grids(report, &g);
        report->bytes_peak = builder > after ? builder : after;
        const inner_opts *o = &g.inner;
        const double pairs = (double)o->n_phi * o->n_phi;
        *work = (divided ? WORK_OF_COLOURS : 1) * (double)o->nd * (double)o->ns *
                ((double)o->nm + WORK_BESIDE_MODES);
        if (!strcmp(w.builder->name, "direct"))
            *work = WORK_OF_DIRECT * (double)o->nd * (double)o->nr * o->n_gauss * pairs;
        const backend_size size = {&g.inner, w.dipole, task->nq, g.np, task->q, g.P};
        if (device) *device = 0;
        if (device && w.builder->device_bytes) st = w.builder->device_bytes(&size, device, err);
        inner_grids_free(&g);
    }
    node_work_free(&w);
    return st;
}
