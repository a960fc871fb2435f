/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coarse_bounds.c: how far the interpolated differences of members are off. */
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"
#include "run/coarse.h"
#include "run/failure.h"

enum { PARTS = 5 }; /* errors of records; interpolation in q, v, x, eps */
typedef struct {
    const segment_source *source;
    bounds_shape shape; /* of coarse nodes */
    size_t nx, neps, fields, points, blocks;
    double *first, *d; /* (nodes, fields): of the first member; difference of another one */
    double *first_error, *error; /* (nodes, points): of the first member; of both */
    double *u[2];                /* variables of x, eps */
    double stored; /* what storage changes at several nodes adds up, with random signs, to so many
                      times what it changes at one */
    double *block; /* (nodes, blocks): the largest of all members */
    double *table; /* (blocks of the table) */
    void *arrays;  /* holds all of them */
} coarse_work;

static void coarse_work_init(coarse_work *k, const segment_source *s)
{
    const run_job *j = s->job;
    const node_grid *g = &j->coarse_grid;
    *k = (coarse_work){.source = s, .nx = j->coarse_nx, .neps = j->coarse.eps.n};
    k->shape = bounds_shape_of(g, s->shape.nm, s->shape.either_sign, COARSE_ORDER, COARSE_ORDER);
    k->points = NPOL * g->nq * (g->nl + g->nu);
    k->fields = s->shape.nm * k->points;
    k->blocks = bounds_blocks(&k->shape);
    const size_t n = k->nx * k->neps, blocks = bounds_blocks(&s->shape);
    const array_part part[] = {
        ARRAY_PART(k->first, n * k->fields), ARRAY_PART(k->first_error, n * k->points),
        ARRAY_PART(k->d, n * k->fields),     ARRAY_PART(k->error, n * k->points),
        ARRAY_PART(k->block, n * k->blocks), ARRAY_PART(k->table, blocks),
        ARRAY_PART(k->u[0], k->nx),          ARRAY_PART(k->u[1], k->neps)};
    k->arrays = ARRAYS(part);
    for (size_t i = 0; i < k->nx; i++)
        k->u[0][i] = grid_variable(j->coarse.x.from, j->coarse.x.v[i]);
    for (size_t i = 0; i < k->neps; i++)
        k->u[1][i] = grid_variable(j->coarse.eps.from, j->coarse.eps.v[i]);
    k->stored =
        bounds_weight(k->nx, k->u[0], VARIED_ORDER) * bounds_weight(k->neps, k->u[1], VARIED_ORDER);
}

/* ---- one member ---- */

/* Raises `to` by what leaving out a node of an axis changes in a cell at the node.  value: fields
 * of the node; room: (fields) and (points), and weights of the axis. */
static void raise_left_out(const coarse_work *k, size_t node, int in_eps, int behind,
                           const double *value, double *room, double *to)
{
    const size_t n = in_eps ? k->neps : k->nx, stride = in_eps ? 1 : k->neps;
    const size_t at = node / stride % n, cell = behind ? at : at - 1;
    double *changed = room, *point = changed + k->fields, *w = point + k->points;
    if (behind ? at + 1 >= n : at == 0) return;
    bounds_leave_out(n, k->u[in_eps], VARIED_ORDER, cell, w);
    memcpy(changed, value, k->fields * sizeof *changed);
    for (size_t l = 0; l < n; l++) {
        if (w[l] == 0) continue;
        const double *d = k->d + (node + l * stride - at * stride) * k->fields;
        for (size_t i = 0; i < k->fields; i++) changed[i] += w[l] * d[i];
    }
    bounds_change(&k->shape, value, changed, point);
    bounds_raise(&k->shape, point, to);
}

/* Raises the node's blocks by what the member that has been read is off there. */
static void measure_node(const coarse_work *k, size_t node)
{
    const double *d = k->d + node * k->fields;
    const size_t n = k->blocks, room = 2 * k->fields + k->points + k->nx + k->neps;
    double *part = memory_zeros(PARTS * n + room, sizeof *part), *value = part + PARTS * n;
    for (size_t i = 0; i < k->fields; i++) value[i] = k->first[node * k->fields + i] + d[i];
    bounds_raise(&k->shape, k->error + node * k->points, part);
    bounds_interpolate(&k->shape, value, d, part + n, part + 2 * n);
    for (int i = 0; i < 4; i++)
        raise_left_out(k, node, i / 2, i % 2, value, value + k->fields, part + (3 + i / 2) * n);
    for (size_t b = 0; b < n; b++) {
        double sum = 0;
        for (size_t i = 0; i < PARTS; i++) sum += part[i * n + b];
        k->block[node * n + b] = bounds_larger(k->block[node * n + b], sum);
    }
    free(part);
}

/* Of the first member the fields at all nodes; of another one its difference and what that is off.
 */
static cgct_status measure_member(const coarse_work *k, size_t member, cgct_err *err)
{
    first_failure failure = {0};
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < k->nx * k->neps; i++) {
        double *first = k->first + i * k->fields, *error = k->first_error + i * k->points;
        cgct_err mine;
        failure_keep(&failure, i,
                     member
                         ? coarse_difference(k->source, member, i, first, error,
                                             k->d + i * k->fields, k->error + i * k->points, &mine)
                         : coarse_read(k->source, member, i, first, error, &mine),
                     &mine);
    }
    CGCT_TRY(failure_tell(&failure, err));
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < k->nx * k->neps * (member > 0); i++) measure_node(k, i);
    return CGCT_OK;
}

/* ---- to the blocks of the table ---- */

/* The blocks first to last of a coarse axis that one of the table reaches into. */
typedef struct {
    size_t first, last;
} reach;

/* n nodes, b blocks. */
typedef struct {
    size_t n, b;
    const grid_axis *q; /* NULL: evenly spaced nodes */
} block_axis;

static double block_node(const block_axis *a, size_t i)
{
    return a->q ? a->q->v[i] : (double)i / (double)(a->n - 1);
}

static reach blocks_reached(const block_axis *coarse, const block_axis *table, size_t block)
{
    reach r = {coarse->b, 0};
    for (size_t i = 0; i + 1 < table->n; i++) {
        if (i * table->b / (table->n - 1) != block) continue;
        size_t lo = 0, hi = 0; /* cells; beside a node the ones inside the cell of the table */
        while (lo + 2 < coarse->n && block_node(coarse, lo + 1) <= block_node(table, i)) lo++;
        while (hi + 2 < coarse->n && block_node(coarse, hi + 1) < block_node(table, i + 1)) hi++;
        const size_t first = lo * coarse->b / (coarse->n - 1);
        const size_t last = hi * coarse->b / (coarse->n - 1);
        if (first < r.first) r.first = first;
        if (last > r.last) r.last = last;
    }
    return r;
}

/* The largest of the coarse blocks, `from`, that block b of the table reaches into. */
static double largest_reached(const coarse_work *k, const double *from, size_t b)
{
    const run_job *j = k->source->job;
    const bounds_shape *c = &k->shape, *t = &k->source->shape;
    const size_t pol = b / (t->bl + t->bu) / t->bq, iq = b / (t->bl + t->bu) % t->bq;
    const reach q = blocks_reached(&(block_axis){c->grid->nq, c->bq, &j->coarse.q},
                                   &(block_axis){t->grid->nq, t->bq, &j->settings->q}, iq);
    const size_t ik = b % (t->bl + t->bu), shift = ik < t->bl ? 0 : c->bl;
    const reach v = ik < t->bl
                        ? blocks_reached(&(block_axis){c->grid->nl, c->bl, NULL},
                                         &(block_axis){t->grid->nl, t->bl, NULL}, ik)
                        : blocks_reached(&(block_axis){c->grid->nu, c->bu, NULL},
                                         &(block_axis){t->grid->nu, t->bu, NULL}, ik - t->bl);
    double most = 0;
    for (size_t i = q.first; i <= q.last; i++)
        for (size_t l = v.first; l <= v.last; l++) {
            most = bounds_larger(most, from[(pol * c->bq + i) * (c->bl + c->bu) + shift + l]);
        }
    return most;
}

cgct_status coarse_bounds(const segment_source *s, const double *stored, double *members,
                          cgct_err *err)
{
    coarse_work k;
    const run_settings *c = &s->job->coarse, *t = s->job->settings;
    const size_t blocks = bounds_blocks(&s->shape);
    cgct_status st = CGCT_OK;
    coarse_work_init(&k, s);
    const size_t nodes = k.nx * k.neps;
    for (size_t m = 0; m < s->job->nmember && st == CGCT_OK; m++) st = measure_member(&k, m, err);
    memset(members, 0, s->nx * s->neps * blocks * sizeof *members);
    for (size_t node = 0; node < nodes && st == CGCT_OK; node++) {
        for (size_t b = 0; b < blocks; b++)
            k.table[b] = largest_reached(&k, k.block + node * k.blocks, b) +
                         k.stored * stored[node * blocks + b];
        for (size_t i = 0; i < s->nx * s->neps; i++) {
            double *to = members + i * blocks;
            if (!bounds_is_around(&c->x, k.nx, node / k.neps, &t->x, s->nx, i / s->neps) ||
                !bounds_is_around(&c->eps, k.neps, node % k.neps, &t->eps, s->neps, i % s->neps))
                continue;
            for (size_t b = 0; b < blocks; b++) to[b] = bounds_larger(to[b], k.table[b]);
        }
    }
    free(k.arrays);
    return st;
}
