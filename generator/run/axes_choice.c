/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/axes_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/fold.h"
#include "node/pipeline.h"
#include "format/layout.h"
#include "run/sampled_plane.h"

/* Cells looked at along each axis, at these parts of its logarithmic length. */
enum { Q_CELLS = 5, K_CELLS = 8, X_CELLS = 2, AXES = 4 };
static const double KEEP = 0.01;                      /* modes left out, as a share of the aim */
static const double FACTOR_MIN = 0.4, FACTOR_MAX = 4; /* of the number of steps: no far guesses */

typedef struct {
    const run_settings *settings;
    const dipole_source *source;
    const backend_set *builders;
    double aim, step[AXES], lo[AXES], length[AXES]; /* of ln */
    size_t order[AXES], nq, nk;
    double *q, *k; /* cells after each other: stencil, then the point between */
    sampled_set set[AXES];
    axes_choice *out;
} chooser;

static const grid_axis *axis(const run_settings *c, int a)
{
    const grid_axis *axes[AXES] = {&c->x, &c->eps, &c->q, &c->k1};
    return axes[a];
}

/* ---- where ---- */

/* The stencil of a cell whose middle lies at `part` of the axis, then that middle: order + 1
 * values. Near the ends the stencil is shifted as the reader shifts it, so that no value lies
 * outside. */
static void put_cell(const chooser *c, int a, double part, double *to, double *weight)
{
    size_t n = c->order[a];
    double h = c->step[a], u[CGCT_ORDER_MAX], middle = part * c->length[a];
    double first = fmin(fmax(middle - (0.5 + (double)((n - 1) / 2)) * h, 0),
                        c->length[a] - (double)(n - 1) * h);
    for (size_t i = 0; i < n; i++) u[i] = first + (double)i * h;
    size_t cell = (size_t)fmin(fmax(floor((middle - first) / h), 0), (double)n - 2);
    middle = first + ((double)cell + 0.5) * h;
    for (size_t i = 0; i < n; i++) {
        weight[i] = 1;
        for (size_t j = 0; j < n; j++)
            if (j != i) weight[i] *= (middle - u[j]) / (u[i] - u[j]);
        to[i] = exp(c->lo[a] + u[i]);
    }
    to[n] = exp(c->lo[a] + middle);
}

static double part_of(int cell, int cells)
{
    return (cell + 0.5) / cells;
}

static cgct_status set_up(chooser *c, cgct_err *err)
{
    double unused[CGCT_ORDER_MAX];
    for (int a = 0; a < AXES; a++) {
        const grid_axis *v = axis(c->settings, a);
        c->lo[a] = log(v->v[0]);
        c->length[a] = log(v->v[v->n - 1] / v->v[0]);
        c->step[a] = v->n > 1 ? c->length[a] / (double)(v->n - 1) : 0;
        if (c->order[a] > v->n) c->order[a] = v->n;
    }
    size_t each_q = c->step[2] > 0 ? c->order[2] + 1 : 1,
           each_k = c->step[3] > 0 ? c->order[3] + 1 : 1;
    c->nq = Q_CELLS * each_q;
    c->nk = K_CELLS * each_k;
    c->q = malloc(c->nq * sizeof *c->q);
    c->k = malloc(c->nk * sizeof *c->k);
    if (!c->q || !c->k) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", c->nq);
    for (int i = 0; i < Q_CELLS; i++)
        if (each_q > 1)
            put_cell(c, 2, part_of(i, Q_CELLS), c->q + (size_t)i * each_q, unused);
        else
            c->q[i] = c->settings->q.v[0];
    for (int i = 0; i < K_CELLS; i++)
        if (each_k > 1)
            put_cell(c, 3, part_of(i, K_CELLS), c->k + (size_t)i * each_k, unused);
        else
            c->k[i] = c->settings->k1.v[0];
    return CGCT_OK;
}

/* ---- one node ---- */

static cgct_status compute(chooser *c, double x, double eps, sampled_plane *to, cgct_err *err)
{
    pipeline *p = NULL;
    pipeline_task task = {&c->settings->node, c->source, x, eps, c->nq, c->q, 0, c->builders};
    for (size_t i = 0; i < c->nk; i++) task.k_max = fmax(task.k_max, c->k[i]);
    *to = (sampled_plane){.points = 2 * c->nq * c->nk};
    cgct_status st = pipeline_init(&p, &task, NULL, err);
    if (st == CGCT_OK) st = pipeline_modes(p, c->nk, c->k, &to->nm, &to->modes, &to->error, err);
    if (st == CGCT_OK && c->settings->node.fold > 0)
        st = fold_modes(c->settings->node.fold, c->nq, c->q, c->nk, c->k, KEEP * c->aim, &to->nm,
                        &to->modes, to->error, err);
    pipeline_free(p);
    c->out->nodes++;
    return st == CGCT_OK ? st : cgct_context(err, st, "x = %g, eps = %g", x, eps);
}

/* ---- along q and k: inside one plane ---- */

static cgct_status compare_inside(chooser *c, const sampled_plane *p, int a, cgct_err *err)
{
    double value[CGCT_ORDER_MAX + 1], weight[CGCT_ORDER_MAX];
    size_t n = c->order[a], stride = a == 2 ? c->nk : 1, other = a == 2 ? c->nk : c->nq;
    int cells = a == 2 ? Q_CELLS : K_CELLS;
    if (!(c->step[a] > 0)) return CGCT_OK;
    for (int cell = 0; cell < cells; cell++) {
        put_cell(c, a, part_of(cell, cells), value, weight);
        for (size_t i = 0; i < 2 * other; i++) {
            size_t pol = i / other, at = i % other * (a == 2 ? 1 : c->nk);
            size_t first = pol * c->nq * c->nk + at + (size_t)cell * (n + 1) * stride;
            sampled_point node[CGCT_ORDER_MAX + 1];
            for (size_t j = 0; j <= n; j++) node[j] = (sampled_point){p, first + j * stride};
            CGCT_TRY(sampled_compare(&c->set[a], n, node, weight, (int)pol, err));
        }
    }
    return CGCT_OK;
}

static cgct_status along_momenta(chooser *c, cgct_err *err)
{
    for (int i = 0; i < 4; i++) {
        sampled_plane p;
        double x = exp(c->lo[0] + (i & 1) * c->length[0]);
        double eps = exp(c->lo[1] + (i >> 1) * c->length[1]);
        if (((i & 1) && !(c->step[0] > 0)) || ((i & 2) && !(c->step[1] > 0))) continue;
        cgct_status st = compute(c, x, eps, &p, err);
        for (int a = 0; a < AXES && st == CGCT_OK; a++) sampled_largest(&c->set[a], &p);
        for (int a = 2; a < AXES && st == CGCT_OK; a++) st = compare_inside(c, &p, a, err);
        sampled_plane_free(&p);
        CGCT_TRY(st);
    }
    return CGCT_OK;
}

/* ---- along x and eps: planes side by side ---- */

static cgct_status compare_planes(chooser *c, int a, size_t n, const sampled_plane *p,
                                  const double *weight, cgct_err *err)
{
    for (size_t i = 0; i < p->points; i++) {
        sampled_point node[CGCT_ORDER_MAX + 1];
        for (size_t j = 0; j <= n; j++) node[j] = (sampled_point){p + j, i};
        CGCT_TRY(sampled_compare(&c->set[a], n, node, weight, (int)(2 * i / p->points), err));
    }
    return CGCT_OK;
}

static cgct_status along_planes(chooser *c, int a, cgct_err *err)
{
    double value[CGCT_ORDER_MAX + 1], weight[CGCT_ORDER_MAX];
    size_t n = c->order[a];
    if (!(c->step[a] > 0)) return CGCT_OK;
    for (int cell = 0; cell < X_CELLS; cell++) {
        sampled_plane p[CGCT_ORDER_MAX + 1];
        cgct_status st = CGCT_OK;
        size_t done = 0;
        double other = exp(c->lo[1 - a] + part_of(cell, X_CELLS) * c->length[1 - a]);
        put_cell(c, a, part_of(cell, X_CELLS), value, weight);
        while (done <= n && st == CGCT_OK) {
            double v = value[done];
            st = compute(c, a == 0 ? v : other, a == 0 ? other : v, &p[done++], err);
        }
        if (st == CGCT_OK) st = compare_planes(c, a, n, p, weight, err);
        for (size_t i = 0; i < done; i++) sampled_plane_free(&p[i]);
        CGCT_TRY(st);
    }
    return CGCT_OK;
}

/* ---- result ---- */

static void choose(chooser *c)
{
    int axes = 0;
    for (int a = 0; a < AXES; a++) axes += c->step[a] > 0;
    for (int a = 0; a < AXES; a++) {
        size_t n = axis(c->settings, a)->n;
        c->out->n[a] = n;
        c->out->samples[a] = c->set[a].n;
        c->out->error[a] = sampled_quantile(&c->set[a], 0.999);
        if (!(c->step[a] > 0) || !c->set[a].n) continue;
        double factor = pow(c->out->error[a] * axes / c->aim, 1.0 / (double)c->order[a]);
        factor = fmin(fmax(factor, FACTOR_MIN), FACTOR_MAX);
        c->out->n[a] = 1 + (size_t)ceil(factor * (double)(n - 1));
        if (c->out->n[a] < c->order[a]) c->out->n[a] = c->order[a];
    }
}

cgct_status axes_choose(const run_settings *settings, const dipole_source *source,
                        const backend_set *builders, double aim, axes_choice *out, cgct_err *err)
{
    memset(out, 0, sizeof *out);
    if (!(aim > 0 && aim <= 0.1))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "aim %g of interpolation, want above 0 and at most 0.1", aim);
    chooser c = {.settings = settings,
                 .builders = builders,
                 .source = source,
                 .aim = aim,
                 .order = {(size_t)settings->order_x, (size_t)settings->order_eps,
                           (size_t)settings->order_q, (size_t)settings->order_k},
                 .out = out};
    for (int a = 0; a < AXES; a++) c.set[a].resolution = 0.1 * aim;
    cgct_status st = set_up(&c, err);
    if (st == CGCT_OK) st = along_momenta(&c, err);
    for (int a = 0; a < 2 && st == CGCT_OK; a++) st = along_planes(&c, a, err);
    if (st == CGCT_OK) choose(&c);
    for (int a = 0; a < AXES; a++) sampled_set_free(&c.set[a]);
    free(c.q);
    free(c.k);
    return st;
}
