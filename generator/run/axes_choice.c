/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes_choice.c: cells of each axis, interpolated from their neighbours and compared with what is
 * computed at their middle. */
#include "run/axes_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "node/stored.h"
#include "reader/cgctab.h"
#include "run/assembly.h"

/* Cells looked at along each axis, spread evenly over its logarithmic length. */
enum { Q_CELLS = 5, K_CELLS = 8, X_CELLS = 2 };
static const double KEEP = 0.01; /* folded modes left out, as a share of the aim */
/* By how much the number of steps changes at most: the power law holds nearby only. */
static const double FACTOR_MIN = 0.4, FACTOR_MAX = 4;
enum { ANGLES = 6 };                        /* at which interpolated modes are compared */
static const double RESOLUTION_SHARE = 0.1; /* of the aim: less certain values are left out */

/* ---- differences ---- */

void axis_errors_scale(axis_errors *s, const node_modes *m)
{
    for (size_t i = 0; i < NPOL * m->nq * m->nk; i++) {
        double *largest = &s->largest[i / (m->nq * m->nk)], I = 2 * M_PI * m->value[i * m->nm];
        if (I > *largest) *largest = I;
    }
}

/* Sum over modes at theta of Sum_i c_i modes_i. */
static double sum_blended_modes(size_t n, const mode_point *point, const double *c, double theta)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const node_modes *p = point[i].of;
        const double *mode = p->value + point[i].at * p->nm;
        double one = 0.5 * mode[0];
        for (size_t m = 1; m < p->nm; m++)
            one += (m & 1 ? -1 : 1) * cos((double)m * theta) * mode[m];
        sum += c[i] * one;
    }
    return 4 * M_PI * sum;
}

cgct_status axis_errors_add(axis_errors *s, size_t n, const mode_point *point, const double *weight,
                            int pol, cgct_err *err)
{
    double ln_s = 0, c[CGCT_ORDER_MAX];
    const double one = 1;
    double *v = realloc(s->v, (s->n + ANGLES) * sizeof *v);
    if (!v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu differences", s->n + ANGLES);
    s->v = v;
    for (size_t i = 0; i < n; i++) {
        const node_modes *p = point[i].of;
        double zeroth = p->value[point[i].at * p->nm];
        if (!(p->error[point[i].at] <= s->resolution * 2 * M_PI * zeroth)) return CGCT_OK;
        ln_s += weight[i] * log(zeroth);
        c[i] = weight[i] / zeroth;
    }
    for (size_t i = 0; i < n; i++) c[i] *= exp(ln_s);
    for (int i = 0; i < ANGLES; i++) {
        double theta = M_PI * (i + 0.5) / ANGLES;
        double want = sum_blended_modes(1, &point[n], &one, theta);
        double got = sum_blended_modes(n, point, c, theta);
        double unit = fmax(fabs(want), INTERPOLATION_FLOOR * s->largest[pol]);
        if (!(point[n].of->error[point[n].at] <= s->resolution * unit)) continue;
        v[s->n++] = fabs(got - want) / unit;
    }
    return CGCT_OK;
}

/* ---- cells ---- */

typedef struct {
    const run_settings *settings;
    const dipole_source *source;
    const backend_set *builders;
    double aim;
    double step[RUN_AXES], lo[RUN_AXES], length[RUN_AXES]; /* of ln; step = 0: one value */
    size_t order[RUN_AXES];
    grid_axis momenta[2]; /* q, k: cells after each other, each its stencil, then its middle */
    axis_errors set[RUN_AXES];
    axes_choice *out;
} axes_search;

/* order values of the stencil, then the middle of the cell; weights of the stencil there. */
typedef struct {
    double value[CGCT_ORDER_MAX + 1], weight[CGCT_ORDER_MAX];
} axis_cell;

static const grid_axis *axis_of_card(const run_settings *c, int a)
{
    const grid_axis *axes[RUN_AXES] = {&c->x, &c->eps, &c->q, &c->k1};
    return axes[a];
}

static double part_of_axis(int cell, int cells)
{
    return (cell + 0.5) / cells;
}

/* The cell whose middle lies at `part` of the axis.  Near the ends the stencil is shifted as the
 * reader shifts it, so that no value lies outside. */
static axis_cell cell_at(const axes_search *c, int a, double part)
{
    axis_cell to;
    size_t n = c->order[a];
    double h = c->step[a], u[CGCT_ORDER_MAX], middle = part * c->length[a];
    double first = fmin(fmax(middle - (0.5 + (double)((n - 1) / 2)) * h, 0),
                        c->length[a] - (double)(n - 1) * h);
    for (size_t i = 0; i < n; i++) u[i] = first + (double)i * h;
    size_t cell = (size_t)fmin(fmax(floor((middle - first) / h), 0), (double)n - 2);
    middle = first + ((double)cell + 0.5) * h;
    for (size_t i = 0; i < n; i++) {
        to.weight[i] = 1;
        for (size_t j = 0; j < n; j++)
            if (j != i) to.weight[i] *= (middle - u[j]) / (u[i] - u[j]);
        to.value[i] = exp(c->lo[a] + u[i]);
    }
    to.value[n] = exp(c->lo[a] + middle);
    return to;
}

static cgct_status sample_momenta(axes_search *c, int a, int cells, grid_axis *to, cgct_err *err)
{
    size_t each = c->step[a] > 0 ? c->order[a] + 1 : 1;
    to->n = (size_t)cells * each;
    to->v = malloc(to->n * sizeof *to->v);
    if (!to->v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", to->n);
    for (int i = 0; i < cells; i++) {
        axis_cell cell = {.value = {axis_of_card(c->settings, a)->v[0]}};
        if (each > 1) cell = cell_at(c, a, part_of_axis(i, cells));
        memcpy(to->v + (size_t)i * each, cell.value, each * sizeof *to->v);
    }
    return CGCT_OK;
}

static cgct_status choose_cells(axes_search *c, cgct_err *err)
{
    for (int a = 0; a < RUN_AXES; a++) {
        const grid_axis *v = axis_of_card(c->settings, a);
        c->lo[a] = log(v->v[0]);
        c->length[a] = log(v->v[v->n - 1] / v->v[0]);
        c->step[a] = v->n > 1 ? c->length[a] / (double)(v->n - 1) : 0;
        if (c->order[a] > v->n) c->order[a] = v->n;
        c->set[a].resolution = RESOLUTION_SHARE * c->aim;
    }
    CGCT_TRY(sample_momenta(c, CGCT_AXIS_Q, Q_CELLS, &c->momenta[0], err));
    return sample_momenta(c, CGCT_AXIS_K, K_CELLS, &c->momenta[1], err);
}

/* ---- nodes ---- */

static cgct_status compute_sample_node(axes_search *c, double x, double eps, node_modes *to,
                                       cgct_err *err)
{
    const node_settings *settings = &c->settings->node;
    const grid_axis *q = &c->momenta[0], *k = &c->momenta[1];
    node_tables *n;
    node_task task = {.settings = settings,
                      .source = c->source,
                      .x = x,
                      .eps = eps,
                      .nq = q->n,
                      .nk = k->n,
                      .q = q->v,
                      .k = k->v,
                      .builders = c->builders};
    for (size_t i = 0; i < k->n; i++) task.k_max = fmax(task.k_max, k->v[i]);
    cgct_status st = node_compute(&task, &n, to, NULL, err);
    node_tables_free(n);
    if (st == CGCT_OK && settings->fold > 0)
        st = fold_modes(settings->fold, KEEP * c->aim, to, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "x = %g, eps = %g", x, eps);
}

/* Along q or k: the cells lie inside one node. */
static cgct_status compare_inside_node(axes_search *c, const node_modes *m, int a, cgct_err *err)
{
    const int along_q = a == CGCT_AXIS_Q, cells = along_q ? Q_CELLS : K_CELLS;
    size_t n = c->order[a], stride = along_q ? m->nk : 1, other = along_q ? m->nk : m->nq;
    if (!(c->step[a] > 0)) return CGCT_OK;
    for (int i = 0; i < cells; i++) {
        const axis_cell cell = cell_at(c, a, part_of_axis(i, cells));
        for (size_t row = 0; row < NPOL * other; row++) {
            size_t pol = row / other, at = row % other * (along_q ? 1 : m->nk);
            size_t first = pol * m->nq * m->nk + at + (size_t)i * (n + 1) * stride;
            mode_point point[CGCT_ORDER_MAX + 1];
            for (size_t l = 0; l <= n; l++) point[l] = (mode_point){m, first + l * stride};
            CGCT_TRY(axis_errors_add(&c->set[a], n, point, cell.weight, (int)pol, err));
        }
    }
    return CGCT_OK;
}

/* In the nodes at the ends of the axes of x and eps. */
static cgct_status search_momenta(axes_search *c, cgct_err *err)
{
    for (int i = 0; i < 4; i++) {
        node_modes m;
        double x = exp(c->lo[0] + (i & 1) * c->length[0]);
        double eps = exp(c->lo[1] + (i >> 1) * c->length[1]);
        if (((i & 1) && !(c->step[0] > 0)) || ((i & 2) && !(c->step[1] > 0))) continue;
        cgct_status st = compute_sample_node(c, x, eps, &m, err);
        for (int a = 0; a < RUN_AXES && st == CGCT_OK; a++) axis_errors_scale(&c->set[a], &m);
        for (int a = CGCT_AXIS_Q; a < RUN_AXES && st == CGCT_OK; a++)
            st = compare_inside_node(c, &m, a, err);
        node_modes_free(&m);
        CGCT_TRY(st);
    }
    return CGCT_OK;
}

static cgct_status compare_across_nodes(axes_search *c, int a, const node_modes *m,
                                        const double *weight, cgct_err *err)
{
    size_t half = m->nq * m->nk, n = c->order[a];
    for (size_t i = 0; i < NPOL * half; i++) {
        mode_point point[CGCT_ORDER_MAX + 1];
        for (size_t l = 0; l <= n; l++) point[l] = (mode_point){m + l, i};
        CGCT_TRY(axis_errors_add(&c->set[a], n, point, weight, (int)(i / half), err));
    }
    return CGCT_OK;
}

/* Along x or eps: each cell is made of nodes of its own. */
static cgct_status search_across_nodes(axes_search *c, int a, cgct_err *err)
{
    size_t n = c->order[a];
    if (!(c->step[a] > 0)) return CGCT_OK;
    for (int i = 0; i < X_CELLS; i++) {
        node_modes m[CGCT_ORDER_MAX + 1];
        cgct_status st = CGCT_OK;
        size_t done = 0;
        const axis_cell cell = cell_at(c, a, part_of_axis(i, X_CELLS));
        double other = exp(c->lo[1 - a] + part_of_axis(i, X_CELLS) * c->length[1 - a]);
        while (done <= n && st == CGCT_OK) {
            double v = cell.value[done];
            st = compute_sample_node(c, a == 0 ? v : other, a == 0 ? other : v, &m[done++], err);
        }
        if (st == CGCT_OK) st = compare_across_nodes(c, a, m, cell.weight, err);
        for (size_t l = 0; l < done; l++) node_modes_free(&m[l]);
        CGCT_TRY(st);
    }
    return CGCT_OK;
}

/* ---- result ---- */

static void choose_numbers(axes_search *c)
{
    int axes = 0;
    for (int a = 0; a < RUN_AXES; a++) axes += c->step[a] > 0;
    for (int a = 0; a < RUN_AXES; a++) {
        size_t n = axis_of_card(c->settings, a)->n, *to = &c->out->n[a];
        *to = n;
        c->out->samples[a] = c->set[a].n;
        c->out->error[a] = run_quantiles_of(c->set[a].n, c->set[a].v).p999;
        if (!(c->step[a] > 0) || !c->set[a].n) continue;
        double factor = pow(c->out->error[a] * axes / c->aim, 1.0 / (double)c->order[a]);
        factor = fmin(fmax(factor, FACTOR_MIN), FACTOR_MAX);
        *to = 1 + (size_t)ceil(factor * (double)(n - 1));
        if (*to < c->order[a]) *to = c->order[a];
    }
}

cgct_status axes_choose(const run_settings *settings, const dipole_source *source,
                        const backend_set *builders, double aim, axes_choice *out, cgct_err *err)
{
    memset(out, 0, sizeof *out);
    if (!(aim > 0 && aim <= 0.1))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "aim %g of interpolation, want above 0 and at most 0.1", aim);
    axes_search c = {.settings = settings,
                     .builders = builders,
                     .source = source,
                     .aim = aim,
                     .order = {(size_t)settings->order_x, (size_t)settings->order_eps,
                               (size_t)settings->order_q, (size_t)settings->order_k},
                     .out = out};
    cgct_status st = choose_cells(&c, err);
    if (st == CGCT_OK) st = search_momenta(&c, err);
    for (int a = 0; a < CGCT_AXIS_Q && st == CGCT_OK; a++) st = search_across_nodes(&c, a, err);
    if (st == CGCT_OK) choose_numbers(&c);
    for (int a = 0; a < RUN_AXES; a++) free(c.set[a].v);
    for (int i = 0; i < 2; i++) free(c.momenta[i].v);
    return st;
}
