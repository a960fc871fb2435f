/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coarse.c: differences of members at coarse nodes, and their interpolation in the momenta. */
#include "run/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"

/* ---- polynomials ---- */

/* The nodes of an axis: n of panels of `each`; axis NULL: n evenly spaced ones of v. */
typedef struct {
    const grid_axis *axis;
    size_t n, each;
} axis_nodes;

static axis_nodes nodes_of(const grid_axis *axis, size_t n)
{
    axis_nodes a = {.axis = axis, .n = n, .each = n};
    if (axis && n > 1) grid_axis_panels(axis, &a.each);
    return a;
}

static coarse_axis axis_between(axis_nodes coarse, axis_nodes table, size_t order)
{
    const double from = coarse.axis ? coarse.axis->from : 0;
    coarse_axis a = {.n = table.n, .p = order < coarse.each ? order : coarse.each};
    /* variables of the coarse nodes, then of those of the table */
    double *u = memory_new(coarse.n + table.n, sizeof *u);
    a.first = memory_zeros(a.n, sizeof *a.first);
    a.w = memory_new(a.n * a.p, sizeof *a.w);
    for (size_t i = 0; i < coarse.n + table.n; i++) {
        const axis_nodes *of = i < coarse.n ? &coarse : &table;
        const size_t k = i < coarse.n ? i : i - coarse.n;
        u[i] = of->axis ? grid_variable(from, of->axis->v[k]) : (double)k / (double)(of->n - 1);
    }
    for (size_t i = 0; i < a.n; i++) {
        const double y = u[coarse.n + i];
        if (coarse.n > 1) {
            const size_t step = coarse.each - 1;
            const size_t start = grid_cell_of(coarse.n, u, y) / step * step;
            a.first[i] = start + grid_window(coarse.each, u + start, y, a.p);
        }
        grid_lagrange(a.p, u + a.first[i], y, a.w + i * a.p);
    }
    free(u);
    return a;
}

static coarse_momenta momenta_between(const run_job *j, size_t order)
{
    const node_grid *from = &j->coarse_grid, *to = &j->grid;
    return (coarse_momenta){
        .q = axis_between(nodes_of(&j->coarse.q, from->nq), nodes_of(&j->settings->q, to->nq),
                          order),
        .lower = axis_between(nodes_of(NULL, from->nl), nodes_of(NULL, to->nl), order),
        .upper = axis_between(nodes_of(NULL, from->nu), nodes_of(NULL, to->nu), order)};
}

void coarse_init(coarse_members *c, const segment_source *s)
{
    const run_job *j = s->job;
    *c = (coarse_members){.source = s,
                          .nx = j->coarse_nx,
                          .neps = j->coarse.eps.n,
                          .fields = momenta_between(j, COARSE_ORDER),
                          .errors = momenta_between(j, 2)};
}

void coarse_free(coarse_members *c)
{
    coarse_axis *axis[] = {&c->fields.q, &c->fields.lower, &c->fields.upper,
                           &c->errors.q, &c->errors.lower, &c->errors.upper};
    for (size_t i = 0; i < sizeof axis / sizeof *axis; i++) {
        free(axis[i]->first);
        free(axis[i]->w);
    }
    *c = (coarse_members){.source = NULL};
}

/* to[i * step] from the nodes f[l * step]. */
static void interpolate(const coarse_axis *a, size_t step, const double *f, double *to)
{
    for (size_t i = 0; i < a->n; i++) {
        double sum = 0;
        for (size_t l = 0; l < a->p; l++) sum += a->w[i * a->p + l] * f[(a->first[i] + l) * step];
        to[i * step] = sum;
    }
}

/* ---- rows ---- */

/* Planes of points, (coarse nq, nk) to (nq, nk); half: (coarse nq, nk). */
static void refine_planes(const coarse_members *c, const coarse_momenta *m, size_t planes,
                          const double *from, double *to, double *half)
{
    const node_grid *g = &c->source->job->coarse_grid;
    const size_t nk = m->lower.n + m->upper.n;
    for (size_t p = 0; p < planes; p++, to += m->q.n * nk) {
        for (size_t i = 0; i < g->nq; i++, from += g->nl + g->nu) {
            interpolate(&m->lower, 1, from, half + i * nk);
            interpolate(&m->upper, 1, from + g->nl, half + i * nk + m->lower.n);
        }
        for (size_t j = 0; j < nk; j++) interpolate(&m->q, nk, half + j, to + j);
    }
}

cgct_status coarse_read(const segment_source *s, size_t member, size_t node, double *value,
                        double *error, cgct_err *err)
{
    const size_t neps = s->job->coarse.eps.n;
    const size_t item = run_job_coarse_item(s->job, member, node / neps, node % neps);
    return segment_read(s, item, value, error, err);
}

cgct_status coarse_difference(const segment_source *s, size_t member, size_t node,
                              const double *first, const double *first_error, double *value,
                              double *error, cgct_err *err)
{
    const node_grid *g = &s->job->coarse_grid;
    const size_t points = NPOL * g->nq * (g->nl + g->nu);
    CGCT_TRY(coarse_read(s, member, node, value, error, err));
    for (size_t i = 0; i < s->shape.nm * points; i++) value[i] -= first[i];
    for (size_t i = 0; i < points; i++) error[i] += first_error[i];
    return CGCT_OK;
}

void coarse_refine(const coarse_members *c, const double *value, const double *error,
                   double *refined, double *scale)
{
    const segment_source *s = c->source;
    const node_grid *from = &s->job->coarse_grid, *to = &s->job->grid;
    const size_t nk = to->nl + to->nu;
    double *half = memory_new((from->nq + NPOL * to->nq) * nk, sizeof *half);
    double *errors = half + from->nq * nk;
    refine_planes(c, &c->fields, NPOL * s->shape.nm, value, refined, half);
    refine_planes(c, &c->errors, NPOL, error, errors, half);
    segment_scales(s, s->job->coarse.bound, errors, scale);
    free(half);
}
