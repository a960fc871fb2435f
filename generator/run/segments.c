/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segments.c: records as rows of a reduced basis, and what it and interpolation change at each
 * node. */
#include "run/segments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/table_writer.h"

/* Where the card leaves table.rank_bound open: this share of output.bound. */
static const double REDUCTION_SHARE = 0.1;

segment_source segment_source_of(const run_job *j, const run_slot *slot, size_t nm, int either_sign)
{
    const run_settings *c = j->settings;
    segment_source s = {.job = j, .slot = slot, .nx = j->nx, .neps = c->eps.n};
    s.either_sign = either_sign;
    s.px = grid_axis_panels(&c->x, &s.each_x);
    s.peps = grid_axis_panels(&c->eps, &s.each_eps);
    if (s.nx == 1) s.px = s.each_x = 1;
    s.order_x = run_order(&c->x, c->order_x);
    s.order_eps = run_order(&c->eps, c->order_eps);
    s.shape = bounds_shape_of(&j->grid, nm, (size_t)c->order_q, (size_t)c->order_v);
    return s;
}

size_t segment_item(const segment_source *s, size_t member, size_t ix, size_t ieps)
{
    return (ieps * s->nx + ix) * s->job->nfull + member;
}

/* Fields l, r_m of a positive mean as those of one that may have either sign. */
static cgct_status allow_either_sign(const node_grid *g, size_t nm, double *value, double *error,
                                     cgct_err *err)
{
    const size_t plane = g->nq * (g->nl + g->nu);
    for (size_t i = 0; i < NPOL * plane; i++) {
        double *I = value + i / plane * nm * plane + i % plane;
        I[0] = exp(I[0]);
        for (size_t m = 1; m < nm; m++) I[m * plane] *= I[0];
        error[i] *= I[0];
    }
    return node_fields_either_sign(g, nm, value, error, err);
}

cgct_status segment_read(const segment_source *s, size_t item, double *value, double *error,
                         cgct_err *err)
{
    uint8_t *bytes;
    run_record r;
    const run_slot *slot = &s->slot[item];
    const node_grid *grid = run_job_grid(s->job, item);
    CGCT_TRY(journal_read(slot->from, slot->record, &bytes, err));
    cgct_status st = run_record_parse(bytes, (size_t)slot->record->size, &r, err);
    if (st == CGCT_OK && (r.s.points != NPOL * grid->nq * (grid->nl + grid->nu) ||
                          r.s.nm > s->shape.nm || r.s.either_sign > s->either_sign))
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: record %u has other momenta", slot->from->path,
                       slot->record->index);
    if (st == CGCT_OK) run_record_fields(&r, s->shape.nm, value, error);
    if (st == CGCT_OK && s->either_sign && !r.s.either_sign)
        st = allow_either_sign(grid, s->shape.nm, value, error, err);
    free(bytes);
    return st;
}

void segment_scales(const segment_source *s, double bound, const double *error, double *scale)
{
    const node_grid *g = s->shape.grid;
    const size_t nm = s->shape.nm, points = g->nq * (g->nl + g->nu);
    for (size_t c = 0; c < NPOL * nm * points; c++)
        scale[c] = segment_scale(bound, error[c / points / nm * points + c % points]);
}

/* One segment while it is made: row i of its basis is node (member, ix, ieps). */
typedef struct {
    const segment_source *source;
    size_t rows, first_x, first_eps;
    size_t points, fields; /* points of one field; numbers of a node */
    double *error;         /* (NPOL, points): of the row at hand */
} segment;

static void place_of_row(const segment *g, size_t i, size_t *member, size_t *ix, size_t *ieps)
{
    const segment_source *s = g->source;
    *ieps = i % s->each_eps;
    *ix = i / s->each_eps % s->each_x;
    *member = i / s->each_eps / s->each_x;
}

/* Fields of row i; g->error is set. */
static cgct_status read_fields(const segment *g, size_t i, double *value, cgct_err *err)
{
    size_t member, ix, ieps;
    place_of_row(g, i, &member, &ix, &ieps);
    size_t item = segment_item(g->source, member, g->first_x + ix, g->first_eps + ieps);
    return segment_read(g->source, item, value, g->error, err);
}

static cgct_status read_basis_row(void *self, size_t i, double *value, double *scale, cgct_err *err)
{
    const segment *g = self;
    CGCT_TRY(read_fields(g, i, value, err));
    segment_scales(g->source, g->source->job->settings->bound, g->error, scale);
    return CGCT_OK;
}

/* ---- what is off ---- */

/* Numbers of a node: five combinations of the basis, its own fields, points, blocks. */
enum { COMBINED = 5 }; /* the node; differences in the cells before and behind it in x and in eps */
typedef struct {
    double *combined, *value, *point; /* (COMBINED, fields), (fields), (NPOL, points) */
    double *block[5];                 /* known; interpolation in q, v, x, eps */
    double *c, *w;                    /* (COMBINED, R); weights of a panel */
    double *u[2];                     /* (each_x), (each_eps): variables of the panel in x, eps */
} segment_work;

double segment_reduction(const run_settings *c)
{
    return c->rank_bound > 0 ? c->rank_bound : REDUCTION_SHARE * c->bound;
}

size_t segment_bytes(size_t fields)
{
    return (COMBINED + 1) * fields * sizeof(double);
}

static cgct_status allocate_work(const segment *g, const basis *b, segment_work *k, cgct_err *err)
{
    const segment_source *s = g->source;
    size_t blocks = bounds_blocks(&s->shape), axis = s->each_x + s->each_eps;
    size_t all =
        (COMBINED + 1) * g->fields + NPOL * g->points + 5 * blocks + COMBINED * b->R + 2 * axis;
    double *at = malloc(all * sizeof *at);
    *k = (segment_work){.combined = at};
    if (!at) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu numbers of a node", all);
    k->value = at + COMBINED * g->fields;
    k->point = k->value + g->fields;
    for (size_t i = 0; i < 5; i++) k->block[i] = k->point + NPOL * g->points + i * blocks;
    k->c = k->block[4] + blocks;
    k->w = k->c + COMBINED * b->R;
    k->u[0] = k->w + axis;
    k->u[1] = k->u[0] + s->each_x;
    const run_settings *c = s->job->settings;
    for (size_t i = 0; i < s->each_x; i++)
        k->u[0][i] = grid_variable(c->x.from, c->x.v[g->first_x + i]);
    for (size_t i = 0; i < s->each_eps; i++)
        k->u[1][i] = grid_variable(c->eps.from, c->eps.v[g->first_eps + i]);
    return CGCT_OK;
}

/* One axis of the panel around row i. */
typedef struct {
    size_t n, at, stride, order; /* nodes; that of the row; rows between neighbours */
    const double *u;
} panel_axis;

/* Coefficients of what leaving out a node changes in the middle of a cell; 0 where it is none. */
static void combine_cell(const basis *b, const panel_axis *a, size_t i, int behind, segment_work *k,
                         double *c)
{
    memset(c, 0, b->R * sizeof *c);
    if (behind ? a->at + 1 >= a->n : a->at == 0) return;
    bounds_leave_out(a->n, a->u, a->order, behind ? a->at : a->at - 1, k->w);
    for (size_t l = 0; l < a->n; l++) {
        const double *U = b->U + (i + l * a->stride - a->at * a->stride) * b->R;
        for (size_t r = 0; r < b->R; r++) c[r] += k->w[l] * U[r];
    }
}

static void combine_around_row(const segment *g, const basis *b, size_t i, segment_work *k)
{
    const segment_source *s = g->source;
    size_t member, ix, ieps;
    place_of_row(g, i, &member, &ix, &ieps);
    const panel_axis axes[2] = {{s->each_x, ix, s->each_eps, s->order_x, k->u[0]},
                                {s->each_eps, ieps, 1, s->order_eps, k->u[1]}};
    memcpy(k->c, b->U + i * b->R, b->R * sizeof *k->c);
    for (size_t a = 0; a < 4; a++)
        combine_cell(b, &axes[a / 2], i, a & 1, k, k->c + (a + 1) * b->R);
    basis_combine(b, NPOL * s->shape.nm, g->points, COMBINED, k->c, k->combined);
}

/* Fills k->block for row i, whose fields are in k->value and whose errors in g->error. */
static cgct_status measure_blocks(const segment *g, segment_work *k, cgct_err *err)
{
    const bounds_shape *shape = &g->source->shape;
    const double *node = k->combined;
    memset(k->block[0], 0, 5 * bounds_blocks(shape) * sizeof *k->block[0]);
    bounds_change(shape, k->value, node, k->point);
    for (size_t i = 0; i < NPOL * g->points; i++) k->point[i] += g->error[i];
    bounds_raise(shape, k->point, k->block[0]);
    for (size_t a = 0; a < 4; a++) {
        double *changed = k->combined + (a + 1) * g->fields;
        for (size_t c = 0; c < g->fields; c++) changed[c] += node[c];
        bounds_change(shape, node, changed, k->point);
        bounds_raise(shape, k->point, k->block[3 + a / 2]);
    }
    return bounds_interpolate(shape, k->value, k->value, k->block[1], k->block[2], err);
}

static cgct_status raise_bounds(segment *g, const basis *b, size_t i, segment_work *k,
                                const segment_bounds *to, cgct_err *err)
{
    const segment_source *s = g->source;
    size_t member, ix, ieps, blocks = bounds_blocks(&s->shape);
    place_of_row(g, i, &member, &ix, &ieps);
    size_t node = (member * s->nx + g->first_x + ix) * s->neps + g->first_eps + ieps;
    CGCT_TRY(read_fields(g, i, k->value, err));
    combine_around_row(g, b, i, k);
    CGCT_TRY(measure_blocks(g, k, err));
    for (size_t l = 0; l < blocks; l++) {
        double between = 0, *known = &to->known[node * blocks + l];
        for (size_t a = 1; a < 5; a++) between += k->block[a][l];
        *known = fmax(*known, k->block[0][l]);
        to->between[node * blocks + l] = fmax(to->between[node * blocks + l], between);
    }
    return CGCT_OK;
}

/* ---- entry ---- */

basis_task segment_task(const segment_source *s, const run_settings *c, size_t rows)
{
    const node_grid *grid = &s->job->grid;
    return (basis_task){.rows = rows,
                        .planes = NPOL * s->shape.nm,
                        .points = grid->nq * (grid->nl + grid->nu),
                        .bound = c->bound,
                        .reduction = segment_reduction(c),
                        .outliers = SEGMENT_OUTLIERS,
                        .reduce = c->reduce};
}

cgct_status segment_row_bytes(const segment_source *s, const run_record *r, double bound,
                              double *bytes, cgct_err *err)
{
    enum { GROUP = 4 }; /* rows that share planes (FORMAT.md 6) */
    const node_grid *g = s->shape.grid;
    const size_t points = g->nq * (g->nl + g->nu), n = r->s.nm * r->s.points;
    const double step = 2 * bound; /* as of a basis without reduction */
    size_t size = 0;
    double *value = malloc((n + r->s.points) * sizeof *value);
    int32_t *V = malloc(GROUP * n * sizeof *V);
    cgct_status st = value && V ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for a node");
    if (st == CGCT_OK) {
        run_record_fields(r, r->s.nm, value, value + n);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < GROUP; k++)
                V[(i / points * GROUP + k) * points + i % points] =
                    (int32_t)lrint(fmax(INT32_MIN, fmin(value[i] / step, INT32_MAX)));
        const table_content t = {.nq = g->nq, .nl = g->nl, .nu = g->nu, .nm = r->s.nm};
        const table_segment group = {.R = GROUP, .step = step, .V = V};
        st = table_segment_bytes(&t, &group, &size, err);
    }
    *bytes = (double)size / GROUP;
    free(value);
    free(V);
    return st;
}

static cgct_status make_basis(segment *g, basis *b, cgct_err *err)
{
    basis_task task = segment_task(g->source, g->source->job->settings, g->rows);
    task.self = g;
    task.read = read_basis_row;
    return basis_make(&task, b, err);
}

cgct_status segment_make(const segment_source *s, size_t ax, size_t ae, basis *b,
                         const segment_bounds *bounds, cgct_err *err)
{
    const node_grid *grid = &s->job->grid;
    segment g = {.source = s,
                 .first_x = ax * (s->each_x - 1),
                 .first_eps = ae * (s->each_eps - 1),
                 .points = grid->nq * (grid->nl + grid->nu)};
    segment_work k = {.combined = NULL};
    g.rows = s->job->nfull * s->each_x * s->each_eps;
    g.fields = NPOL * s->shape.nm * g.points;
    g.error = malloc(NPOL * g.points * sizeof *g.error);
    if (!g.error) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a segment");
    cgct_status st = make_basis(&g, b, err);
    if (st == CGCT_OK) st = allocate_work(&g, b, &k, err);
    for (size_t i = 0; i < g.rows && st == CGCT_OK; i++)
        st = raise_bounds(&g, b, i, &k, bounds, err);
    free(k.combined);
    free(g.error);
    return st;
}
