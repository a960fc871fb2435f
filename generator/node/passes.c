/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.c: the two computations of a node, from its grids to its modes I_m(q,P). */
#include "node/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/colours.h"
#include "numerics/clock.h"
#include "numerics/memory.h"

/* ---- grids ---- */

double node_largest_k(const node_task *k)
{
    double most = k->k_max;
    const node_grid *g = k->grid;
    for (size_t iq = 0; g && iq < g->nq; iq++)
        most = fmax(most, node_grid_k(g, iq, g->nl + g->nu - 1));
    return most;
}

inner_grids_task node_grids_task(const node_task *k, const dipole *d, double *scale)
{
    double q_max = 0;
    for (size_t iq = 0; iq < k->nq; iq++) q_max = fmax(q_max, k->q[iq]);
    *scale = fmax(k->eps, sqrt(d->Qs2));
    double P = node_largest_k(k) + k->settings->inner.lam * q_max;
    double P_max = P + ARCHIVE_REACH * fmax(P, *scale);
    return (inner_grids_task){&k->settings->inner, d, k->eps, q_max, P_max, 1};
}

void node_report_grids(node_report *rep, const inner_grids *g)
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

backend_transform node_transform(const node_task *k, const inner_grids *g)
{
    return (backend_transform){.inner = &g->inner,
                               .nq = k->nq,
                               .np = g->np,
                               .q = k->q,
                               .P = g->P,
                               .degree = k->settings->inner.hankel.degree,
                               .tail = g->tail.nterm ? &g->tail : NULL};
}

/* Ratio of all spacings, 1/ratio of R_max and M.  At the knots of a dipole table, and at the
 * singularities of the singlet part, the errors of both computations are alike: there the grids
 * must differ by more, and the difference bounds less. */
static const double COARSER = 1.2, COARSER_ALIKE = 1.4;
/* Of points, of fields, and of both in these cases; calibrated in tests/node/test_node.c and
 * test_fields.c. */
static const node_safety SAFETY = {2, 4}, SAFETY_ALIKE = {6, 6};
/* Of what colours change, of which the coarser computation has several times the error (colours.c);
 * a dipole's knots show in the lattice at single points. */
static const node_safety SAFETY_COLOURS = {3, 3}, SAFETY_COLOURS_ALIKE = {4, 3};

/* In units of Qs: wave functions have no part in a field, and cost least at a large eps. */
static const double FIELD_EPS = 0.1;

/* How far below q, in units of min(Qs, q/0.3): the difference oscillates in q with periods that
 * follow from R_max, which is in inverse proportion to Qs.  The largest q, on which the grids
 * depend, is the same with neighbours and without. */
static const double NEIGHBOUR_Q[] = {0, 0.03, 0.06, 0.1, 0.15};
enum { NEIGHBOURS_Q = sizeof NEIGHBOUR_Q / sizeof *NEIGHBOUR_Q };

static void add_neighbours(node_work *w, double Qs)
{
    const size_t nq = w->nq;
    w->neighbours = memory_new(NEIGHBOURS_Q * nq, sizeof *w->neighbours);
    for (size_t i = 0; i < NEIGHBOURS_Q * nq; i++) {
        const double q = w->own.q[i % nq], away = NEIGHBOUR_Q[i / nq] * fmin(Qs, q / 0.3);
        w->neighbours[i] = q - away;
    }
    w->own.nq = NEIGHBOURS_Q * nq;
    w->own.q = w->neighbours;
}

cgct_status node_work_init(node_work *w, const node_task *task, int points, node_report *report,
                           cgct_err *err)
{
    const inner_settings *c = &task->settings->inner;
    *w = (node_work){.own = *task, .nq = task->nq, .backend = c->backend, .report = report};
    w->task = &w->own;
    *report = (node_report){0};
    CGCT_TRY(backend_find(&w->builder, task->builders, c->backend, c->device, err));
    CGCT_TRY(dipole_init(&w->dipole, task->source, task->x, err));
    const double Qs = sqrt(w->dipole->Qs2);
    if (task->forward)
        w->own.eps = Qs * (dipole_is_field(w->dipole) ? FIELD_EPS : FORWARD_LIMIT_EPS);
    else if (points)
        add_neighbours(w, Qs);
    const int alike = w->dipole->spline || w->dipole->singlet;
    w->fine = w->coarse = node_grids_task(w->task, w->dipole, &w->scale);
    w->coarse.coarser = alike ? COARSER_ALIKE : COARSER;
    w->safety = alike ? SAFETY_ALIKE : SAFETY;
    w->safety_colours = alike ? SAFETY_COLOURS_ALIKE : SAFETY_COLOURS;
    return CGCT_OK;
}

void node_work_free(node_work *w)
{
    dipole_free(w->dipole);
    free(w->neighbours);
}

cgct_status node_work_single(const node_work *w, int taken_off, single_factors *s, cgct_err *err)
{
    const node_task *k = w->task;
    const single_task task = {.d = w->dipole,
                              .eps = k->eps,
                              .nq = k->nq,
                              .q = k->q,
                              .k_max = node_largest_k(k) + w->fine.q_max,
                              .lam = k->settings->inner.lam};
    return taken_off ? single_init(s, &task, err) : CGCT_OK;
}

/* ---- one computation: inner table and Hankel transforms ---- */

void node_check_sum_rule(const node_work *w, const double origin[NPOL])
{
    double truth[NPOL];
    if (dipole_is_field(w->dipole)) return; /* not the integral over r' */
    inner_sum_rule(w->dipole, w->task->eps, truth);
    w->report->sum_rule =
        fmax(fabs(origin[POL_T] / truth[POL_T] - 1), fabs(origin[POL_L] / truth[POL_L] - 1));
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
    mode_table *out;
    int *single;
} mode_table_work;

void node_choose_part(const node_work *w, const backend *b, inner_opts *o)
{
    o->part = b->divides ? w->part : INNER_WHOLE;
    if (w->part == INNER_DIFFERENCE && o->nm > COLOURS_MODES) o->nm = COLOURS_MODES;
}

static cgct_status modes_by_builder(void *self, const backend *b, cgct_err *err)
{
    const mode_table_work *m = self;
    const node_work *w = m->node;
    inner_grids *g = m->grids;
    node_choose_part(w, b, &g->inner);
    const backend_transform k = node_transform(w->task, g);
    size_t n = NPOL * g->inner.nm * k.nq * g->np;
    backend_facts f = {{0}, 0, 0};
    double *I = memory_new(n, sizeof *I);
    const cgct_status st = inner_and_hankel(w, b, &k, I, &f, err);
    if (st == CGCT_OK) {
        if (w->part != INNER_DIFFERENCE) node_check_sum_rule(w, f.origin);
        mode_table_init(m->out, &k, I);
        *m->single = f.single;
        w->report->rank = f.rank;
        w->report->bytes_peak = b->bytes_needed(&g->inner) + 2 * n * sizeof *I;
    }
    free(I);
    return st;
}

static cgct_status compute_mode_table(const node_work *w, const inner_grids_task *task,
                                      mode_table *out, int *single, cgct_err *err)
{
    inner_grids g;
    mode_table_work work = {w, &g, out, single};
    const inner_settings *c = &w->task->settings->inner;
    const backend_set *builders = w->task->builders;
    const backend_task any = {builders, w->backend, c->device, modes_by_builder, &work};
    CGCT_TRY(inner_grids_init(&g, task, err));
    g.inner.crew = builders ? builders->crew : NULL;
    node_report_grids(w->report, &g);
    cgct_status st = backend_try(&any, &w->report->backend, w->report->fallback, err);
    inner_grids_free(&g);
    return st;
}

/* ---- both computations ---- */

/* One part of the table. */
static cgct_status compute_twice(const node_work *w, node_tables *n, cgct_err *err)
{
    node_report coarse = {0}, *rep = w->report;
    node_work again = *w;
    int single;
    double start = clock_wall();
    n->share = 1;
    n->nq = w->nq;
    n->k_max = node_largest_k(w->task);
    n->scale = w->scale;
    n->safety = w->safety;
    const int both = !w->task->coarser_only;
    const inner_grids_task *first = both ? &w->fine : &w->coarse;
    CGCT_TRY(compute_mode_table(w, first, both ? &n->fine : &n->coarse, &single, err));
    CGCT_TRY(node_work_single(w, single, &n->single, err));
    rep->seconds_total = clock_wall() - start;
    if (!both) return CGCT_OK;
    double middle = clock_wall();
    again.report = &coarse;
    if (w->part != INNER_WHOLE) again.backend = rep->backend; /* of both, or of neither */
    CGCT_TRY(compute_mode_table(&again, &w->coarse, &n->coarse, &single, err));
    if (!*rep->fallback) memcpy(rep->fallback, coarse.fallback, sizeof rep->fallback);
    rep->seconds_certificate = clock_wall() - middle;
    rep->seconds_total = clock_wall() - start;
    return CGCT_OK;
}

cgct_status node_work_tables(const node_work *w, node_tables *n, cgct_err *err)
{
    const backend *used;
    const inner_settings *c = &w->task->settings->inner;
    node_work work = *w;
    if (!isfinite(w->dipole->Nc) || w->dipole->singlet) return compute_twice(w, n, err);
    work.part = INNER_MANY_COLOURS;
    CGCT_TRY(compute_twice(&work, n, err));
    work.backend = w->report->backend; /* a device that gave up would be tried again */
    CGCT_TRY(backend_find(&used, w->task->builders, work.backend, c->device, err));
    if (!used->divides) return CGCT_OK;
    /* what a finite number of colours changes is a part of its own, with an error of its own */
    node_report more = {0}, *rep = w->report;
    work.part = INNER_DIFFERENCE;
    work.safety = w->safety_colours;
    work.report = &more;
    n->next = memory_zeros(1, sizeof *n->next);
    CGCT_TRY(compute_twice(&work, n->next, err));
    rep->seconds_inner += more.seconds_inner;
    rep->seconds_weights += more.seconds_weights;
    rep->seconds_hankel += more.seconds_hankel;
    rep->seconds_certificate += more.seconds_certificate;
    rep->seconds_total += more.seconds_total;
    rep->stage[STAGE_COLOURS] = more.stage[STAGE_COLOURS];
    return CGCT_OK;
}
