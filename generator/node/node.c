/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.c: the theory in order:
 *
 *   dipole -> grids -> inner table -> Hankel transforms -> I_m(q,P) -> I(q,k,theta) -> fields
 *
 * all but the last step twice, the second time with every discretisation coarser: the difference of
 * the two computations is the error estimate. */
#include "node/node.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner/colours.h"
#include "node/evaluate.h"
#include "node/parts.h"
#include "numerics/clock.h"

/* ---- the task and its grids ---- */

/* The largest k1 that a node is needed for: of points, and the grid's largest K(q). */
static double largest_k(const node_task *k)
{
    double most = k->k_max;
    const node_grid *g = k->grid;
    for (size_t iq = 0; g && iq < g->nq; iq++)
        most = fmax(most, node_grid_k(g, iq, g->nl + g->nu - 1));
    return most;
}

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
    if (!(largest_k(k) > 0 && isfinite(largest_k(k))))
        return cgct_fail(err, CGCT_E_DOMAIN, "largest k1 = %g GeV; it must be positive",
                         largest_k(k));
    return CGCT_OK;
}

inner_grids_task node_grids_task(const node_task *k, const dipole *d, double *scale)
{
    double q_max = 0;
    for (size_t iq = 0; iq < k->nq; iq++) q_max = fmax(q_max, k->q[iq]);
    *scale = fmax(k->eps, sqrt(dipole_Qs2(d)));
    double P = largest_k(k) + k->settings->inner.lam * q_max;
    double P_max = P + NODE_REACH * fmax(P, *scale);
    return (inner_grids_task){&k->settings->inner, d, k->eps, q_max, P_max, 1};
}

static void report_grids(node_report *rep, const inner_grids *g)
{
    rep->n_delta = g->inner.nd;
    rep->n_r = g->inner.nr;
    rep->n_s = g->inner.ns;
    rep->n_p = g->np;
    rep->modes = g->m[g->inner.nm - 1];
    rep->delta_max = g->delta[g->inner.nd - 1];
    rep->r_max = g->r[g->inner.nr - 1];
    rep->s_max = g->s[g->inner.ns - 1];
}

static backend_transform transform_on_grids(const node_task *k, const inner_grids *g)
{
    return (backend_transform){.inner = &g->inner,
                               .nq = k->nq,
                               .np = g->np,
                               .q = k->q,
                               .P = g->P,
                               .degree = k->settings->inner.hankel.degree,
                               .tail = g->tail.nterm ? &g->tail : NULL};
}

/* A task and what both of its computations share. */
typedef struct {
    const node_task *task;
    dipole *dipole;
    const backend *builder;
    inner_grids_task fine, coarse; /* grids of the two computations */
    double scale;                  /* max(eps, Qs), GeV */
    double safety, safety_fields;  /* factors on the difference of the two */
    inner_part part;               /* where the builder divides the table */
    node_report *report;
} node_work;

/* Ratio of all spacings, 1/ratio of R_max and M.  At the knots of a dipole table, and at the
 * singularities of the singlet part, the errors of both computations are alike: there the grids
 * must differ by more, and the difference bounds less. */
static const double COARSER = 1.2, COARSER_ALIKE = 1.4;
/* Of points, of fields, and of both in these cases; calibrated in tests/node/test_node.c and
 * test_fields.c. */
static const double SAFETY = 2, SAFETY_FIELDS = 4, SAFETY_ALIKE = 6;
/* Of what colours change, of which the coarser computation has ten times the error (colours.c). */
static const double SAFETY_COLOURS = 2, SAFETY_COLOURS_FIELDS = 1;

/* Leaves a dipole to be freed. */
static cgct_status node_work_init(node_work *w, const node_task *task, node_report *report,
                                  cgct_err *err)
{
    const inner_settings *c = &task->settings->inner;
    *w = (node_work){.task = task, .report = report};
    *report = (node_report){0};
    CGCT_TRY(backend_find(&w->builder, task->builders, c->backend, c->device, err));
    CGCT_TRY(dipole_init(&w->dipole, task->source, task->x, err));
    const int alike = dipole_has_knots(w->dipole) || dipole_is_singlet(w->dipole);
    w->fine = w->coarse = node_grids_task(task, w->dipole, &w->scale);
    w->coarse.coarser = alike ? COARSER_ALIKE : COARSER;
    w->safety = alike ? SAFETY_ALIKE : SAFETY;
    w->safety_fields = alike ? SAFETY_ALIKE : SAFETY_FIELDS;
    return CGCT_OK;
}

/* The factors of single scattering, where the inner table is without it. */
static cgct_status node_single(const node_work *w, int taken_off, single_factors *s, cgct_err *err)
{
    const node_task *k = w->task;
    const single_task task = {w->dipole, k->eps, k->nq, k->q, largest_k(k) + w->fine.q_max};
    return taken_off ? single_init(s, &task, err) : CGCT_OK;
}

/* ---- one computation: inner table and Hankel transforms ---- */

static cgct_status compare_with_sum_rule(const node_work *w, const double origin[NPOL],
                                         cgct_err *err)
{
    double truth[NPOL];
    CGCT_TRY(inner_sum_rule(w->dipole, w->task->eps, truth, err));
    w->report->sum_rule =
        fmax(fabs(origin[POL_T] / truth[POL_T] - 1), fabs(origin[POL_L] / truth[POL_L] - 1));
    return CGCT_OK;
}

/* I (NPOL, nm, nq, np): by a builder that keeps no inner table, or through the table. */
static cgct_status inner_and_hankel(const node_work *w, const backend *b,
                                    const backend_transform *k, double *I, backend_facts *f,
                                    cgct_err *err)
{
    inner_table t;
    double start = clock_wall(), stage[2] = {0, 0};
    if (b->transform) {
        CGCT_TRY(b->transform(k, w->dipole, I, f, err));
        w->report->seconds_inner = clock_wall() - start;
        return CGCT_OK;
    }
    CGCT_TRY(b->run(&t, k->inner, w->dipole, err));
    w->report->seconds_inner = clock_wall() - start;
    cgct_status st = hankel_transform(&t, k, I, stage, err);
    *f = (backend_facts){{t.origin[POL_T], t.origin[POL_L]}, t.rank, t.single};
    memcpy(w->report->stage, t.stage, sizeof t.stage);
    w->report->seconds_weights = stage[0];
    w->report->seconds_hankel = stage[1];
    inner_table_free(&t);
    return st;
}

/* The work of backend_try: the modes of one computation. */
typedef struct {
    const node_work *node;
    inner_grids *grids;
    mode_table *out; /* nothing where there is no such part */
    int *single;
} mode_table_work;

/* 0 where the builder has put all of the table into the other part. */
static int choose_part(const node_work *w, const backend *b, inner_opts *o)
{
    o->part = b->divides ? w->part : INNER_WHOLE;
    if (w->part != INNER_DIFFERENCE) return 1;
    if (o->nm > COLOURS_MODES) o->nm = COLOURS_MODES;
    return b->divides;
}

static cgct_status modes_by_builder(void *self, const backend *b, cgct_err *err)
{
    const mode_table_work *m = self;
    const node_work *w = m->node;
    inner_grids *g = m->grids;
    if (!choose_part(w, b, &g->inner)) return CGCT_OK;
    const backend_transform k = transform_on_grids(w->task, g);
    size_t n = NPOL * g->inner.nm * k.nq * g->np;
    backend_facts f = {{0}, 0, 0};
    double *I = malloc(n * sizeof *I);
    if (!I) return cgct_fail(err, CGCT_E_NOMEM, "modes at %zu momenta: no memory", g->np);
    cgct_status st = inner_and_hankel(w, b, &k, I, &f, err);
    if (st == CGCT_OK && w->part != INNER_DIFFERENCE)
        st = compare_with_sum_rule(w, f.origin, err);
    if (st == CGCT_OK) st = mode_table_init(m->out, &k, I, err);
    free(I);
    if (st != CGCT_OK) return st;
    *m->single = f.single;
    w->report->rank = f.rank;
    w->report->bytes_peak = b->bytes_needed(&g->inner) + 2 * n * sizeof *I;
    return CGCT_OK;
}

static cgct_status compute_mode_table(const node_work *w, const inner_grids_task *task,
                                      mode_table *out, int *single, cgct_err *err)
{
    inner_grids g;
    mode_table_work work = {w, &g, out, single};
    const inner_settings *c = &w->task->settings->inner;
    const backend_set *builders = w->task->builders;
    const backend_task any = {builders, c->backend, c->device, modes_by_builder, &work};
    CGCT_TRY(inner_grids_init(&g, task, err));
    g.inner.crew = builders ? builders->crew : NULL;
    report_grids(w->report, &g);
    cgct_status st = backend_try(&any, &w->report->backend, w->report->fallback, err);
    inner_grids_free(&g);
    return st;
}

/* ---- both computations, and the fields ---- */

/* One part of the table. */
static cgct_status compute_twice(const node_work *w, node_tables *n, cgct_err *err)
{
    node_report coarse = {0}, *rep = w->report;
    node_work again = *w;
    int single;
    double start = clock_wall();
    n->share = 1;
    n->k_max = largest_k(w->task);
    n->scale = w->scale;
    n->safety = w->safety;
    n->part = w->part;
    CGCT_TRY(compute_mode_table(w, &w->fine, &n->fine, &single, err));
    CGCT_TRY(node_single(w, single, &n->single, err));
    double middle = clock_wall();
    again.report = &coarse;
    CGCT_TRY(compute_mode_table(&again, &w->coarse, &n->coarse, &single, err));
    if (!*rep->fallback) memcpy(rep->fallback, coarse.fallback, sizeof rep->fallback);
    rep->seconds_certificate = clock_wall() - middle;
    rep->seconds_total = clock_wall() - start;
    return CGCT_OK;
}

static void add_times(const node_report *more, node_report *rep)
{
    rep->seconds_inner += more->seconds_inner;
    rep->seconds_weights += more->seconds_weights;
    rep->seconds_hankel += more->seconds_hankel;
    rep->seconds_certificate += more->seconds_certificate;
    rep->seconds_total += more->seconds_total;
    rep->stage[STAGE_COLOURS] = more->stage[STAGE_COLOURS];
}

/* What a finite number of colours changes is a part of its own, whose error is estimated apart. */
static cgct_status compute_tables(const node_work *w, node_tables *n, cgct_err *err)
{
    node_work work = *w;
    if (!isfinite(dipole_Nc(w->dipole)) || dipole_is_singlet(w->dipole))
        return compute_twice(w, n, err);
    work.part = INNER_MANY_COLOURS;
    CGCT_TRY(compute_twice(&work, n, err));
    node_report colours = {0};
    work.part = INNER_DIFFERENCE;
    work.safety = SAFETY_COLOURS;
    work.report = &colours;
    node_tables *more = n->next = calloc(1, sizeof *more);
    if (!more) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a node");
    CGCT_TRY(compute_twice(&work, more, err));
    add_times(&colours, w->report);
    if (more->fine.np) return CGCT_OK;
    n->next = NULL; /* the first part is the whole */
    free(more);
    return CGCT_OK;
}

/* Coefficients above this share of the tolerance are kept. */
static const double KEPT_SHARE = 0.1;

/* What a table stores, from I at the angles of the grid. */
static cgct_status fields_of_values(const node_work *w, field_values *v, node_fields *out,
                                    cgct_err *err)
{
    const node_settings *c = w->task->settings;
    const field_selection keep = {KEPT_SHARE * c->inner.tolerance, c->m_max};
    CGCT_TRY(field_values_continue(v, w->dipole, w->task->eps, &w->report->continued, err));
    return field_values_project(v, &keep, out, err);
}

static cgct_status fields_by_tables(const node_work *w, const node_tables *n, node_fields *out,
                                    cgct_err *err)
{
    field_values v, colours = {0};
    cgct_status st = field_values_init(&v, w->task->grid, err);
    if (st == CGCT_OK && n->next) st = field_values_init(&colours, w->task->grid, err);
    if (st == CGCT_OK) {
        evaluate_angles(n, w->safety_fields, &v);
        if (n->next) {
            evaluate_angles(n->next, SAFETY_COLOURS_FIELDS, &colours);
            field_values_add(&v, &colours);
        }
        st = fields_of_values(w, &v, out, err);
    }
    field_values_free(&v);
    field_values_free(&colours);
    return st;
}

static cgct_status compute_by_tables(const node_work *w, node_tables **out, node_fields *fields,
                                     cgct_err *err)
{
    node_tables *n = calloc(1, sizeof *n);
    if (!n) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a node");
    cgct_status st = compute_tables(w, n, err);
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
    field_values to;
} device_node;

static cgct_status device_node_init(device_node *p, const node_work *w, cgct_err *err)
{
    const backend_set *builders = w->task->builders;
    CGCT_TRY(inner_grids_init(&p->fine, &w->fine, err));
    CGCT_TRY(inner_grids_init(&p->coarse, &w->coarse, err));
    p->fine.inner.crew = p->coarse.inner.crew = builders ? builders->crew : NULL;
    CGCT_TRY(node_single(w, p->fine.inner.single, &p->single, err));
    return field_values_init(&p->to, w->task->grid, err);
}

static cgct_status run_on_device(device_node *p, const node_work *w, cgct_err *err)
{
    double start = clock_wall();
    node_report *rep = w->report;
    backend_facts facts[2];
    CGCT_TRY(device_node_init(p, w, err));
    const field_values *to = &p->to;
    const backend_product k = {
        .pass = {transform_on_grids(w->task, &p->fine), transform_on_grids(w->task, &p->coarse)},
        .single = &p->single,
        .nk = to->nk,
        .nt = FIELD_ANGLES,
        .k = to->k,
        .theta = to->theta,
        .safety = w->safety_fields,
        .rounding = MODE_ROUNDING};
    CGCT_TRY(w->builder->product(&k, w->dipole, to->I, to->bound, facts, err));
    rep->seconds_inner = rep->seconds_total = clock_wall() - start;
    report_grids(rep, &p->fine);
    rep->backend = w->builder->name;
    rep->rank = facts[0].rank;
    rep->bytes_peak = w->builder->bytes_needed(&p->fine.inner);
    return compare_with_sum_rule(w, facts[0].origin, err);
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
    return st;
}

/* ---- the entry ---- */

static cgct_status compute_by_builder(const node_work *w, node_tables **n, node_fields *fields,
                                      cgct_err *err)
{
    if (fields && !n && w->builder->product) {
        cgct_status st = compute_on_device(w, fields, err);
        const int automatic = backend_is_automatic(w->task->settings->inner.backend);
        if (!automatic || !backend_may_do_without(st)) return st;
    }
    return compute_by_tables(w, n, fields, err); /* gives up a device that fails here, too */
}

cgct_status node_part_compute(const node_task *task, node_tables **n, node_fields *fields,
                              node_report *report, cgct_err *err)
{
    node_work w;
    if (n) *n = NULL;
    if (fields) *fields = (node_fields){0};
    CGCT_TRY(check_node_task(task, err));
    CGCT_TRY(node_work_init(&w, task, report, err));
    cgct_status st = compute_by_builder(&w, n, fields, err);
    dipole_free(w.dipole);
    return st;
}

void node_tables_free(node_tables *n)
{
    while (n) {
        node_tables *next = n->next;
        mode_table_free(&n->fine);
        mode_table_free(&n->coarse);
        single_free(&n->single);
        free(n);
        n = next;
    }
}

/* ---- what a node needs, from its grids alone ---- */

/* Columns of the separable builder cost alike for every mode, and as much again as so many modes:
 * measured over eps = 0.1 to 10 GeV, gbw and mv, to a factor of 1.3 but for the smallest tables. */
static const double WORK_BESIDE_MODES = 12;
/* One pair of angles of the builder direct: 4.8e-9 s with the certificate (gbw, eps = 4 and 10 GeV,
 * 16 angles, 64 radii), where a unit of work takes 1.5e-6 s. */
static const double WORK_OF_DIRECT = 3e-3;

static double count_work(const backend *b, const inner_opts *o)
{
    const double pairs = (double)o->n_phi * o->n_phi;
    if (!strcmp(b->name, "direct"))
        return WORK_OF_DIRECT * (double)o->nd * (double)o->nr * o->n_gauss * pairs;
    return (double)o->nd * (double)o->ns * ((double)o->nm + WORK_BESIDE_MODES);
}

/* The table and the arrays that follow it, at their largest: weights, both transforms, fields. */
static size_t bytes_after_builder(const inner_grids *g, const node_task *k)
{
    const inner_opts *o = &g->inner;
    size_t rows = k->nq * o->nr, chunk = HANKEL_CHUNK * o->nd;
    size_t weights = o->nm * (rows > chunk ? rows : chunk);
    size_t H = NPOL * o->nm * k->nq * o->nd, I = NPOL * o->nm * k->nq * g->np;
    /* I and its bound at the angles, and the coefficients twice */
    size_t nk = k->grid ? k->grid->nl + k->grid->nu : 0;
    size_t stored = 4 * NPOL * k->nq * nk * FIELD_ANGLES;
    size_t table = NPOL * o->nm * o->nd * o->nr;
    return sizeof(double) * (table + weights + H + 3 * I + stored);
}

cgct_status node_part_plan(const node_task *task, node_report *report, double *work, size_t *device,
                           cgct_err *err)
{
    node_work w;
    inner_grids g;
    CGCT_TRY(node_work_init(&w, task, report, err));
    cgct_status st = inner_grids_init(&g, &w.fine, err);
    if (st == CGCT_OK) {
        size_t builder = w.builder->bytes_needed(&g.inner), after = bytes_after_builder(&g, task);
        report_grids(report, &g);
        report->bytes_peak = builder > after ? builder : after;
        *work = count_work(w.builder, &g.inner);
        const backend_size size = {&g.inner, w.dipole, task->nq, g.np, task->q, g.P};
        if (device) *device = 0;
        if (device && w.builder->device_bytes) st = w.builder->device_bytes(&size, device, err);
        inner_grids_free(&g);
    }
    dipole_free(w.dipole);
    return st;
}
