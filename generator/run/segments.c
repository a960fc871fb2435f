/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segments.c: records as rows of a reduced basis, and what it and interpolation change at each
 * node. */
#include "run/segments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/table_writer.h"
#include "numerics/memory.h"
#include "run/failure.h"

/* Where the card leaves table.rank_bound open: this share of output.bound. */
static const double REDUCTION_SHARE = 0.1;

segment_source segment_source_of(const run_job *j, const run_slot *slot, size_t nm, int either_sign)
{
    const run_settings *c = j->settings;
    segment_source s = {.job = j, .slot = slot, .nx = j->nx, .neps = c->eps.n};
    s.px = grid_axis_panels(&c->x, &s.each_x);
    s.peps = grid_axis_panels(&c->eps, &s.each_eps);
    if (s.nx == 1) s.px = s.each_x = 1;
    s.order_x = run_order(&c->x, c->order_x);
    s.order_eps = run_order(&c->eps, c->order_eps);
    s.shape = bounds_shape_of(&j->grid, nm, either_sign, (size_t)c->order_q, (size_t)c->order_v);
    return s;
}

size_t segment_item(const segment_source *s, size_t member, size_t ix, size_t ieps)
{
    return (ieps * s->nx + ix) * s->job->nfull + member;
}

/* Fields l, r_m of a positive mean as those of one that may have either sign. */
static void allow_either_sign(const node_grid *g, size_t nm, double *value, double *error)
{
    const size_t plane = g->nq * (g->nl + g->nu);
    for (size_t i = 0; i < NPOL * plane; i++) {
        double *I = value + i / plane * nm * plane + i % plane, largest = 1;
        for (size_t m = 1; m < nm; m++) largest += fabs(I[m * plane]);
        I[0] = exp(I[0]);
        for (size_t m = 1; m < nm; m++) I[m * plane] *= I[0];
        error[i] *= I[0] * node_bound_unit(largest);
    }
    node_fields_either_sign(g, nm, value, error);
}

cgct_status segment_read(const segment_source *s, size_t item, double *value, double *error,
                         cgct_err *err)
{
    uint8_t *bytes;
    run_record r;
    const run_slot *slot = &s->slot[item];
    const node_grid *grid = run_job_grid(s->job, item);
    CGCT_TRY(cgct_chunk_read(&slot->from->f, slot->record, &bytes, err));
    cgct_status st = run_record_parse(bytes, (size_t)slot->record->size, &r, err);
    if (st == CGCT_OK && (r.s.points != NPOL * grid->nq * (grid->nl + grid->nu) ||
                          r.s.nm > s->shape.nm || r.s.either_sign > s->shape.either_sign))
        st = cgct_fail(err, CGCT_E_FORMAT, "%s: record %u has other momenta",
                       slot->from->f.file.path, slot->record->index);
    if (st == CGCT_OK) run_record_fields(&r, s->shape.nm, value, error);
    if (st == CGCT_OK && s->shape.either_sign && !r.s.either_sign)
        allow_either_sign(grid, s->shape.nm, value, error);
    free(bytes);
    return st;
}

void segment_scales(const segment_source *s, double bound, const double *error, double *scale)
{
    const node_grid *g = s->shape.grid;
    const size_t nm = s->shape.nm, points = g->nq * (g->nl + g->nu);
    for (size_t pol = 0; pol < NPOL; pol++, error += points, scale += nm * points) {
        for (size_t i = 0; i < points; i++) scale[i] = segment_scale(bound, error[i]);
        for (size_t m = 1; m < nm; m++) memcpy(scale + m * points, scale, points * sizeof *scale);
    }
}

/* One segment while it is made: the rows of its basis are nodes. */
typedef struct {
    const segment_source *source;
    const basis *basis;
    size_t rows, first_x, first_eps;
    size_t points, fields; /* points of one field; numbers of a node */
    double *u[2];          /* (each_x), (each_eps): variables of the panel in x, eps */
} segment;

static run_place place_of_row(const segment *g, size_t i)
{
    const size_t nx = g->source->each_x, neps = g->source->each_eps;
    return (run_place){i / neps / nx, g->first_x + i / neps % nx, g->first_eps + i % neps, NULL};
}

/* Fields of row i and their errors. */
static cgct_status read_fields(const segment *g, size_t i, double *value, double *error,
                               cgct_err *err)
{
    const run_place at = place_of_row(g, i);
    const size_t item = segment_item(g->source, at.member, at.ix, at.ieps);
    return segment_read(g->source, item, value, error, err);
}

static cgct_status read_basis_row(void *self, size_t i, double *value, double *scale, cgct_err *err)
{
    const segment *g = self;
    double *error = memory_new(NPOL * g->points, sizeof *error);
    cgct_status st = read_fields(g, i, value, error, err);
    if (st == CGCT_OK) segment_scales(g->source, g->source->job->settings->bound, error, scale);
    free(error);
    return st;
}

/* ---- what is off ---- */

/* Combinations of the basis for a node: itself, and with differences in the cells behind it in x
 * and in eps: readers take the largest of the nodes around.  Changes at its points: of the first
 * from the node's own fields, and of each of the others from the first. */
enum { COMBINED = 3 };
/* Rows that are measured at once: as much memory as their basis took. */
enum { BATCH = 2 * BASIS_KEPT };
/* Rows and points of a piece, which a thread does alone: their combinations fit in its cache. */
enum { PIECE_ROWS = 4, PIECE_POINTS = 128 };
typedef struct {
    size_t first, n;       /* rows at hand */
    double *value, *error; /* (BATCH, fields), (BATCH, NPOL, points) */
    double *c;             /* (BATCH, COMBINED, R) */
    double *change;        /* (BATCH, COMBINED, NPOL, points) */
} segment_batch;

double segment_reduction(const run_settings *c)
{
    return c->rank_bound > 0 ? c->rank_bound : REDUCTION_SHARE * c->bound;
}

/* One axis of the panel around row i. */
typedef struct {
    size_t n, at, stride, order; /* nodes; that of the row; rows between neighbours */
    const double *u;
} panel_axis;

/* c (COMBINED, R) of row i: its coefficients, and these with what leaving out a node changes in the
 * middle of the cell behind it along each axis, if there is one. */
static void combine_around_row(const segment *g, size_t i, double *c)
{
    const segment_source *s = g->source;
    const size_t R = g->basis->R;
    const run_place at = place_of_row(g, i);
    const panel_axis axes[2] = {{s->each_x, at.ix - g->first_x, s->each_eps, s->order_x, g->u[0]},
                                {s->each_eps, at.ieps - g->first_eps, 1, s->order_eps, g->u[1]}};
    double *w = memory_new(s->each_x + s->each_eps, sizeof *w);
    memcpy(c, g->basis->U + i * R, R * sizeof *c);
    for (const panel_axis *a = axes; a < axes + 2; a++) {
        c = memcpy(c + R, g->basis->U + i * R, R * sizeof *c);
        if (a->at + 1 >= a->n) continue;
        bounds_leave_out(a->n, a->u, a->order, a->at, w);
        for (size_t l = 0; l < a->n; l++) {
            const double *U = g->basis->U + (i + l * a->stride - a->at * a->stride) * R;
            for (size_t r = 0; r < R; r++) c[r] += w[l] * U[r];
        }
    }
    free(w);
}

/* A piece of the batch: rows, and points of one polarisation from `at` on. */
static void measure_piece(const segment *g, const segment_batch *b, size_t first, size_t pol,
                          size_t at)
{
    const size_t rows = b->n - first < PIECE_ROWS ? b->n - first : PIECE_ROWS;
    const size_t n = g->points - at < PIECE_POINTS ? g->points - at : PIECE_POINTS;
    const size_t nm = g->source->shape.nm, R = g->basis->R, row = COMBINED * n;
    const size_t apart = rows * row; /* combined (nm, rows, COMBINED, n) */
    double *combined = memory_new(nm * apart + R * PIECE_POINTS, sizeof *combined);
    for (size_t m = 0; m < nm; m++)
        basis_combine(g->basis, g->points, (pol * nm + m) * g->points + at, n, COMBINED * rows,
                      b->c + first * COMBINED * R, combined + m * apart);
    for (size_t i = 0; i < rows; i++) {
        double *own = combined + i * row;
        const double *value = b->value + (first + i) * g->fields + pol * nm * g->points + at;
        double *c = b->change + ((first + i) * COMBINED * NPOL + pol) * g->points + at;
        bounds_fields all[COMBINED];
        for (size_t k = 0; k < COMBINED; k++) all[k] = (bounds_fields){own + k * n, apart};
        bounds_of_changes(&g->source->shape, n, (bounds_fields){value, g->points}, 1, all, c, 0);
        bounds_of_changes(&g->source->shape, n, all[0], COMBINED - 1, all + 1, c + NPOL * g->points,
                          NPOL * g->points);
    }
    free(combined);
}

static void measure_pieces(const segment *g, const segment_batch *b)
{
    const size_t each = (g->points + PIECE_POINTS - 1) / PIECE_POINTS;
    const size_t pieces = (b->n + PIECE_ROWS - 1) / PIECE_ROWS * NPOL * each;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < pieces; i++)
        measure_piece(g, b, i / each / NPOL * PIECE_ROWS, i / each % NPOL, i % each * PIECE_POINTS);
}

/* ---- a batch ---- */

/* Raises the bounds of the node by what has been measured of row i, and by interpolation in q and
 * v. */
static void raise_bounds(const segment *g, const segment_batch *b, size_t i,
                         const segment_bounds *to)
{
    const segment_source *s = g->source;
    const size_t points = NPOL * g->points, blocks = bounds_blocks(&s->shape);
    const run_place at = place_of_row(g, b->first + i);
    const size_t node = (at.member * s->nx + at.ix) * s->neps + at.ieps;
    double *change = b->change + i * COMBINED * points;
    const double *value = b->value + i * g->fields, *error = b->error + i * points;
    double *block = memory_zeros(5 * blocks, sizeof *block); /* known; in q, v, x, eps */
    for (size_t l = 0; l < points; l++) change[l] += error[l];
    bounds_raise(&s->shape, change, block);
    for (size_t a = 1; a < COMBINED; a++)
        bounds_raise(&s->shape, change + a * points, block + (2 + a) * blocks);
    bounds_interpolate(&s->shape, value, value, block + blocks, block + 2 * blocks);
    for (size_t l = 0; l < blocks; l++) {
        double squares = 0, *known = &to->known[node * blocks + l];
        double *between = &to->between[node * blocks + l];
        for (size_t a = 1; a < 5; a++) squares += pow(block[a * blocks + l], 2);
        *known = bounds_larger(*known, block[l]);
        *between = bounds_larger(*between, sqrt(squares));
    }
    free(block);
}

/* The rows of a segment are different nodes: each thread raises other bounds. */
static cgct_status measure_batch(const segment *g, const segment_batch *b, const segment_bounds *to,
                                 cgct_err *err)
{
    first_failure failure = {0};
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < b->n; i++) {
        cgct_err mine;
        const size_t row = b->first + i, R = COMBINED * g->basis->R;
        const cgct_status st =
            read_fields(g, row, b->value + i * g->fields, b->error + i * NPOL * g->points, &mine);
        combine_around_row(g, row, b->c + i * R);
        failure_keep(&failure, i, st, &mine);
    }
    CGCT_TRY(failure_tell(&failure, err));
    measure_pieces(g, b);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < b->n; i++) raise_bounds(g, b, i, to);
    return CGCT_OK;
}

static cgct_status measure_segment(const segment *g, const segment_bounds *to, cgct_err *err)
{
    const size_t most = g->rows < BATCH ? g->rows : BATCH, points = NPOL * g->points;
    const size_t R = g->basis->R, each = g->fields + points + COMBINED * (R + points);
    segment_batch b = {.value = memory_new(most * each, sizeof *b.value)};
    b.error = b.value + most * g->fields;
    b.c = b.error + most * points;
    b.change = b.c + most * COMBINED * R;
    cgct_status st = CGCT_OK;
    for (; b.first < g->rows && st == CGCT_OK; b.first += b.n) {
        b.n = g->rows - b.first < most ? g->rows - b.first : most;
        st = measure_batch(g, &b, to, err);
    }
    free(b.value);
    return st;
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

cgct_status segment_encode(const segment_source *s, basis *b, cgct_err *err)
{
    const node_grid *g = s->shape.grid;
    const table_content t = {.nq = g->nq, .nl = g->nl, .nu = g->nu, .nm = s->shape.nm};
    const table_segment integers = {.R = b->R, .V = b->V};
    CGCT_TRY(table_encode(&t, &integers, &b->code, err));
    free(b->V);
    b->V = NULL;
    return CGCT_OK;
}

cgct_status segment_row_bytes(const segment_source *s, const run_record *r, double bound,
                              double *bytes, cgct_err *err)
{
    enum { GROUP = 4 }; /* rows that share planes (FORMAT.md 6) */
    const node_grid *g = s->shape.grid;
    const size_t points = g->nq * (g->nl + g->nu), n = r->s.nm * r->s.points;
    const double step = 2 * bound; /* as of a basis without reduction */
    table_code code = {.size = 0};
    double *value = memory_new(n + r->s.points, sizeof *value);
    int32_t *V = memory_new(GROUP * n, sizeof *V);
    run_record_fields(r, r->s.nm, value, value + n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < GROUP; k++)
            V[(i / points * GROUP + k) * points + i % points] =
                (int32_t)lrint(fmax(INT32_MIN / 2, fmin(value[i] / step, INT32_MAX / 2)));
    const table_content t = {.nq = g->nq, .nl = g->nl, .nu = g->nu, .nm = r->s.nm};
    const table_segment group = {.R = GROUP, .step = step, .V = V};
    const cgct_status st = table_encode(&t, &group, &code, err);
    *bytes = (double)code.size / GROUP;
    free(code.data);
    free(value);
    free(V);
    return st;
}

cgct_status segment_make(const segment_source *s, size_t ax, size_t ae, basis *b,
                         const segment_bounds *bounds, cgct_err *err)
{
    const node_grid *grid = &s->job->grid;
    segment g = {.source = s,
                 .basis = b,
                 .first_x = ax * (s->each_x - 1),
                 .first_eps = ae * (s->each_eps - 1),
                 .points = grid->nq * (grid->nl + grid->nu)};
    g.rows = s->job->nfull * s->each_x * s->each_eps;
    g.fields = NPOL * s->shape.nm * g.points;
    g.u[0] = memory_new(s->each_x + s->each_eps, sizeof *g.u[0]);
    g.u[1] = g.u[0] + s->each_x;
    const run_settings *c = s->job->settings;
    basis_task task = segment_task(s, c, g.rows);
    task.self = &g;
    task.read = read_basis_row;
    for (size_t i = 0; i < s->each_x; i++)
        g.u[0][i] = grid_variable(c->x.from, c->x.v[g.first_x + i]);
    for (size_t i = 0; i < s->each_eps; i++)
        g.u[1][i] = grid_variable(c->eps.from, c->eps.v[g.first_eps + i]);
    cgct_status st = basis_make(&task, b, err);
    if (st == CGCT_OK) st = measure_segment(&g, bounds, err);
    if (st == CGCT_OK) st = segment_encode(s, b, err);
    free(g.u[0]);
    return st;
}
