/* SPDX-License-Identifier: MIT */
/* Slices: interpolation in x and eps is done once, and one or two layers replace all nodes. */
#include "cgctab_slice.h"

#include <math.h>
#include <stdlib.h>

#include "cgctab_arcs.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

static size_t slice_points(const cgct_table *t)
{
    return t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
}

CGCT_CLONES
static void add_floats(double *to, const float *from, double w, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] += w * from[i];
}

CGCT_CLONES
static void add_doubles(double *to, const double *from, double w, size_t n)
{
    for (size_t i = 0; i < n; i++) to[i] += w * from[i];
}

/* Sums the records of one point over the nodes: sum (8 nblock). */
static void sum_point(const cgct_planes *p, const double *weight, size_t point, size_t nblock,
                      double *sum)
{
    memset(sum, 0, CGCT_BLOCK * nblock * sizeof *sum);
    for (size_t i = 0; i < p->n; i++) {
        const cgct_records *r = p->plane[i];
        size_t at = CGCT_BLOCK * (size_t)r->start[point];
        size_t n = CGCT_BLOCK * (size_t)r->start[point + 1] - at;
        if (weight[i] == 0) continue;
        if (r->wide)
            add_doubles(sum, (const double *)r->record + at, weight[i], n);
        else
            add_floats(sum, (const float *)r->record + at, weight[i], n);
    }
}

/* The largest mode of a point that is not zero in any node. */
static size_t last_mode(const cgct_planes *p, size_t point)
{
    size_t last = 0;
    for (size_t j = 0; j < p->n; j++) {
        const cgct_records *r = p->plane[j];
        size_t block = r->start[point], i = CGCT_BLOCK * (r->start[point + 1] - block);
        while (i > 2 * last + 4 && cgct_record_get(r, block, i - 1) == 0) i--;
        if (i > 2 * last + 4) last = (i - 3) / 2;
    }
    return last;
}

/* Blocks of every point; most that a stencil of a cell needs. */
static cgct_status fill_need(cgct_slice *s, cgct_err *err)
{
    const cgct_grid *gq = &s->table->grid[CGCT_AXIS_Q], *gk = &s->table->grid[CGCT_AXIS_K];
    size_t cells = cgct_grid_cells(gq) * cgct_grid_cells(gk), n = slice_points(s->table);
    uint32_t *start = (uint32_t *)calloc(n + 1, sizeof *start);
    s->dense.need = (uint16_t *)calloc(cells, sizeof *s->dense.need);
    s->dense.row = gk->n;
    s->dense.points = n;
    s->dense.blocks = 1;
    if (!start || !s->dense.need) {
        free(start);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for a slice of %zu points", n);
    }
    for (size_t i = 0; i < n; i++) {
        size_t need = (last_mode(&s->nodes, i) + CGCT_MODES_BLOCK - 1) / CGCT_MODES_BLOCK;
        if (need > s->dense.blocks) s->dense.blocks = need;
        start[i + 1] = start[i] + (uint32_t)need;
    }
    cgct_status st = cgct_shape_raise(s->table, start, s->nodes.flagged, s->dense.need, err);
    free(start);
    return st;
}

/* sum (8 blocks) of one point as a layer has it. */
static void put_layer_point(const cgct_dense *d, cgct_layer *to, size_t point, size_t n,
                            const double *sum)
{
    double *wide = (double *)to->mode + CGCT_BLOCK * point;
    float *narrow = (float *)to->mode + CGCT_BLOCK * point;
    for (int pol = 0; pol < 2; pol++) { /* ln(1 + b) with what 1 + b loses; flagged: any number */
        double b = sum[2 + pol], u = 1 + b;
        double ln_s = u > 0 ? sum[pol] + (cgct_ln(u) + (b - (u - 1)) / u) : 0;
        to->ln_s[2 * point + (size_t)pol] = ln_s;
    }
    for (size_t i = 0; i + 4 < n && i < CGCT_BLOCK * d->blocks; i++) {
        size_t at = i / CGCT_BLOCK * CGCT_BLOCK * d->points + i % CGCT_BLOCK;
        if (d->wide)
            wide[at] = sum[i + 4];
        else
            narrow[at] = (float)sum[i + 4];
    }
}

/* Interpolation is a product over axes, so that blending (x,eps) first changes nothing but
 * rounding: one layer for the local polynomials in (q,k), one for the part linear there. */
static cgct_status blend_layer(cgct_slice *s, const double *weight, cgct_layer *to, cgct_err *err)
{
    cgct_dense *d = &s->dense;
    size_t n = slice_points(s->table), most = 0, number = d->wide ? sizeof(double) : sizeof(float);
    int used = 0;
    for (size_t j = 0; j < s->nodes.n; j++) used |= weight[j] != 0;
    if (!used) return CGCT_OK;
    for (size_t i = 0; i < n * s->nodes.n; i++) {
        const uint32_t *at = s->nodes.plane[i / n]->start + i % n;
        if (at[1] - at[0] > most) most = at[1] - at[0];
    }
    double *sum = (double *)malloc(CGCT_BLOCK * most * sizeof *sum);
    to->ln_s = (double *)malloc(2 * n * sizeof *to->ln_s);
    size_t size = n * d->blocks * CGCT_BLOCK * number;
    cgct_status st = CGCT_E_NOMEM;
    if (sum && to->ln_s) st = cgct_pool_take(&s->pool, size, size, &to->mode, NULL);
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        sum_point(&s->nodes, weight, i, most, sum);
        put_layer_point(d, to, i, CGCT_BLOCK * most, sum);
    }
    free(sum);
    return st == CGCT_OK ? st : cgct_fail(err, st, "no memory for a slice of %zu points", n);
}

/* Points flagged in any node, then the cells that have one in their stencil. */
static cgct_status mark_dirty(cgct_slice *s, uint8_t **flags, cgct_err *err)
{
    const cgct_grid *gq = &s->table->grid[CGCT_AXIS_Q], *gk = &s->table->grid[CGCT_AXIS_K];
    size_t n = slice_points(s->table), cq = cgct_grid_cells(gq), ck = cgct_grid_cells(gk);
    uint8_t *flag = *flags = (uint8_t *)calloc(n, 1); /* bits as in dirty */
    s->dirty = (uint8_t *)calloc(cq * ck, 1);
    if (!flag || !s->dirty)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for a slice of %zu points", n);
    for (size_t j = 0; j < s->nodes.n; j++)
        for (size_t i = 0; i < 2 * n; i++)
            flag[i % n] |= (uint8_t)((s->nodes.plane[j]->flag[i] != 0) << i / n);
    for (size_t cell = 0; cell < cq * ck; cell++) {
        cgct_stencil q, k;
        cgct_stencil_at(gq, cell / ck, &q);
        cgct_stencil_at(gk, cell % ck, &k);
        for (size_t i = 0; i < q.n * k.n; i++)
            s->dirty[cell] |= flag[(q.first + i / k.n) * gk->n + k.first + i % k.n];
    }
    s->nodes.dirty = s->dirty;
    return CGCT_OK;
}

static cgct_status fill_arcs(cgct_slice *s, const uint8_t *flag, cgct_err *err)
{
    double half[2] = {0, 0};
    for (size_t i = 0; i < s->nodes.n; i++) {
        half[0] += 0.5 * s->nodes.full[i];
        half[1] += 0.5 * s->nodes.linear[i];
    }
    cgct_status st = cgct_arcs_fill(&s->dense, s->table, flag, half, &s->pool);
    return st == CGCT_OK
               ? st
               : cgct_fail(err, st, "no memory for a slice of %zu points", slice_points(s->table));
}

static cgct_status fill_slice(cgct_slice *s, double x, double eps, cgct_err *err)
{
    uint8_t *flag = NULL;
    CGCT_TRY(cgct_planes_at(s->table, x, eps, &s->nodes, err));
    cgct_status st = s->nodes.flagged ? mark_dirty(s, &flag, err) : CGCT_OK;
    s->dense.wide = s->nodes.plane[0]->wide;
    if (st == CGCT_OK) st = fill_need(s, err);
    if (st == CGCT_OK) st = blend_layer(s, s->nodes.full, &s->dense.layer[0], err);
    if (st == CGCT_OK) st = blend_layer(s, s->nodes.linear, &s->dense.layer[1], err);
    if (st == CGCT_OK) st = fill_arcs(s, flag, err);
    s->nodes.dense = &s->dense;
    free(flag);
    return st;
}

cgct_status cgct_slice_init(cgct_slice **slice, const cgct_table *table, double x, double eps,
                            cgct_err *err)
{
    if (slice) *slice = NULL;
    if (!slice || !table || !table->node)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_slice_init: NULL, or a table without nodes");
    cgct_slice *s = (cgct_slice *)calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a slice", table->path);
    s->table = table;
    cgct_status st = fill_slice(s, x, eps, err);
    if (st == CGCT_OK)
        *slice = s;
    else {
        cgct_context(err, st, "%s", table->path);
        cgct_slice_free(s);
    }
    return st;
}

void cgct_slice_free(cgct_slice *s)
{
    if (!s) return;
    for (int i = 0; i < 2; i++) free(s->dense.layer[i].ln_s);
    cgct_cells_free(&s->dense.arcs.q);
    cgct_cells_free(&s->dense.arcs.k);
    cgct_pool_free(&s->pool);
    free(s->dense.need);
    free(s->dirty);
    free(s);
}

cgct_status cgct_slice_eval(const cgct_slice *s, double q, double k1, double theta, double value[2])
{
    if (!value) return CGCT_E_USAGE;
    value[CGCT_T] = value[CGCT_L] = NAN;
    if (!s) return CGCT_E_USAGE;
    const cgct_arguments a = {NULL, NULL, &q, &k1, &theta};
    return cgct_eval_planes(cgct_slice_planes(s), 1, &a, value, NULL);
}

cgct_status cgct_slice_many(const cgct_slice *s, size_t n, const double *q, const double *k1,
                            const double *theta, double *values, size_t *first)
{
    if (first) *first = n;
    if (!s || (n && (!q || !k1 || !theta || !values))) return CGCT_E_USAGE;
    const cgct_arguments a = {NULL, NULL, q, k1, theta};
    return cgct_eval_planes(cgct_slice_planes(s), n, &a, values, first);
}
