/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the plan of one table, and states the memory of the device. */
#include "separable_plan.h"

#include <math.h>
#include <stdlib.h>

#include "builders.h"
#include "colours.h"
#include "device_hankel.h"
#include "direct_stage.h"
#include "numerics/memory.h"

static void join_angular_rules(cuda_separable_plan *s)
{
    const angle_rules *a = &s->p.angles;
    for (size_t i = 0; i < ANGLE_RULES; i++) s->angles += a->rule[i].n;
    double *h = s->rules = memory_new(3 * s->angles, sizeof *h);
    for (size_t i = 0; i < ANGLE_RULES; h += a->rule[i++].n) {
        const angle_rule *r = &a->rule[i];
        if (!r->n) continue;
        memcpy(h, r->x, r->n * sizeof *h);
        memcpy(h + s->angles, r->hav, r->n * sizeof *h);
        memcpy(h + 2 * s->angles, r->w, r->n * sizeof *h);
    }
}

static void copy_gauss_rule(separable_gauss *to, const quad_gauss *g)
{
    to->n = g->n;
    for (int i = 0; i < g->n; i++) {
        double below = 1;
        to->x[i] = g->x[i];
        to->w[i] = g->w[i];
        for (int l = 0; l < g->n; l++) below *= l == i ? 1 : g->x[i] - g->x[l];
        to->scale[i] = 1 / below;
    }
}

/* The longest dipole for which ln S is evaluated. */
static double longest_r(const inner_opts *o)
{
    return o->s[o->ns - 1] + o->delta[o->nd - 1] + o->r[o->nr - 1];
}

static cgct_status make_lnS_table(cuda_separable_plan *s, const cuda_separable_plan *other,
                                  cgct_err *err)
{
    s->lnS_last = longest_r(s->p.o);
    if (!other || other->p.d != s->p.d || other->lnS_last < s->lnS_last)
        return direct_lnS(&s->lnS, &s->lnS_table, s->p.d, pow(s->lnS_last, 2) * (1 + 1e-9), err);
    s->lnS = other->lnS;
    s->lnS_table = other->lnS_table;
    s->lnS_last = other->lnS_last;
    s->lnS_borrowed = 1;
    return CGCT_OK;
}

static cgct_status fill_separable_plan(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                       const cuda_separable_plan *other, cgct_err *err)
{
    CGCT_TRY(separable_plan_init(&s->p, o, d, 0, err));
    s->columns = separable_columns_new(&s->p);
    CGCT_TRY(separable_lists_init(&s->lists, &s->p, s->columns, 0, o->nd, err));
    ell_lists_init(&s->ell, &s->p);
    copy_gauss_rule(&s->gauss[GAUSS_FAR], &s->p.gauss);
    copy_gauss_rule(&s->gauss[GAUSS_LOG_LOWER], &s->p.gauss_log[0]);
    copy_gauss_rule(&s->gauss[GAUSS_LOG_UPPER], &s->p.gauss_log[1]);
    copy_gauss_rule(&s->gauss[GAUSS_CELL], &s->p.gauss_cell);
    copy_gauss_rule(&s->gauss[GAUSS_OVERLAP], &s->p.gauss_overlap);
    join_angular_rules(s);
    return make_lnS_table(s, other, err);
}

cgct_status cuda_separable_plan_init(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                     const cuda_separable_plan *other, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    cgct_status st = fill_separable_plan(s, o, d, other, err);
    if (st != CGCT_OK) cuda_separable_plan_free(s);
    return st;
}

void cuda_separable_plan_free(cuda_separable_plan *s)
{
    if (!s->lnS_borrowed) lookup_free(&s->lnS_table);
    free(s->rules);
    ell_lists_free(&s->ell);
    separable_lists_free(&s->lists);
    separable_columns_free(s->columns, s->p.o ? s->p.o->nd : 0);
    separable_plan_free(&s->p);
    memset(s, 0, sizeof *s);
}

/* ---- memory of the device ---- */

/* Upper bounds for what cuda_separable_bytes states without lists.  A node of s has 15 to 40
 * weights for tolerances from 1e-2 to 1e-6: one for each coarse node that its panel uses and for
 * each node of the cells that it overlaps.  tests/cuda/test_cuda_memory.c checks the result. */
enum { WEIGHTS_PER_NODE = 45, BLOCKS_PER_PANEL = 6 };
static const double DOUBLE_BYTES = sizeof(double);

double separable_column_bytes(const separable_plan *p, const separable_counts *c)
{
    const double node = sizeof(separable_node) + sizeof(uint32_t) + DOUBLE_BYTES;
    double nm = (double)p->o->nm, nr = (double)p->o->nr, rows = (double)separable_rows(p);
    double ncol = (double)(NPOL * p->nu), nodes = (double)c->nodes;
    double lists = nodes * node + (double)c->blocks * sizeof(separable_block) +
                   (double)c->close * sizeof(separable_close) + (double)c->weights * DOUBLE_BYTES;
    double modes = nm * ncol * nodes * DOUBLE_BYTES;
    double single = p->o->single ? nm * (double)(p->nr1 + p->ns1) : 0;
    double arrays = nm * ncol * (rows + nr) + NPOL * ((double)p->orders * nr + 2 + single);
    return (lists + modes) / (double)c->columns + arrays * DOUBLE_BYTES +
           nr * sizeof(separable_point) + (2 * rows - 1) * sizeof(uint32_t);
}

size_t separable_node_batch(const separable_plan *p, size_t n)
{
    return NPOL * p->nu * n;
}

size_t separable_point_batch(const separable_plan *p, size_t n)
{
    return NPOL * (p->nu + 1) * (p->o->nm + n);
}

size_t separable_batch_least(const separable_plan *p)
{
    size_t n = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) n = p->angles.rule[i].n > n ? p->angles.rule[i].n : n;
    return separable_point_batch(p, n);
}

size_t separable_batch_most(const cuda_separable_plan *k)
{
    const separable_lists *l = &k->lists;
    size_t most = separable_batch_least(&k->p);
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t n = k->p.angles.rule[i].n;
        size_t node = (l->node_at[i + 1] - l->node_at[i]) * separable_node_batch(&k->p, n);
        size_t point = (l->point_at[i + 1] - l->point_at[i]) * separable_point_batch(&k->p, n);
        most = node > most ? node : most;
        most = point > most ? point : most;
    }
    return most < SEPARABLE_BATCH_MAX ? most : SEPARABLE_BATCH_MAX;
}

/* ---- memory of the device before there is a plan ---- */

/* Nodes of all columns. */
static size_t count_all_nodes(const separable_plan *p)
{
    quad_rule q = {0};
    size_t nodes = 0;
    for (size_t id = 0; id < p->o->nd; id++) {
        separable_radial_nodes(p, id, &q);
        nodes += q.n;
    }
    quad_free(&q);
    return nodes;
}

static double angular_rules_bytes(const separable_plan *p)
{
    double n = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) n += (double)p->angles.rule[i].n;
    return n * (3 + 2 * (double)p->o->nm) * DOUBLE_BYTES;
}

/* Modes of L, and what is needed while they are made. */
static double ell_modes_bytes(const separable_plan *p)
{
    const inner_opts *o = p->o;
    double nr = (double)o->nr, ns = (double)o->ns, single = (double)(p->nr1 * p->ns1);
    return (double)o->nm * (nr * (ns + ELL_CELLS + KINK_MOMENTS) + single) * DOUBLE_BYTES;
}

static double ell_pairs_bytes(const separable_plan *p)
{
    const inner_opts *o = p->o;
    double nr = (double)o->nr, ns = (double)o->ns, single = (double)(p->nr1 * p->ns1);
    return (nr * (ns + ELL_CELLS) + single) * sizeof(ell_pair) + nr * sizeof(separable_kink_rule) +
           ns * KINK_NODES * sizeof(separable_cell);
}

/* What colours change: its grid, all at once, and the modes that it leaves. */
static void colours_bytes(const separable_plan *p, const backend_size *k, double *grid,
                          double *modes)
{
    const inner_opts *o = k->inner;
    inner_opts few = *o;
    colours_grid g;
    *grid = *modes = 0;
    if (!isfinite(p->d->Nc)) return;
    if (few.nm > COLOURS_MODES) few.nm = COLOURS_MODES;
    colours_grid_init(&g, &few, p->d);
    *grid = device_colours_bytes(&g);
    *modes = DOUBLE_BYTES * NPOL * (double)(few.nm * k->nq * (o->nd + 2 * k->np));
    colours_grid_free(&g);
}

/* The most that exists at one time: while the Filon weights are made, while the modes of L are
 * made, while the columns are computed, or what colours change. */
static double peak_bytes(const separable_plan *p, const separable_counts *c, const backend_size *k,
                         double colours)
{
    double keep = device_hankel_bytes(k), weights = device_hankel_init_bytes(k);
    double batch = SEPARABLE_BATCH_MAX * DOUBLE_BYTES, pairs = ell_pairs_bytes(p);
    double columns = (double)c->columns * separable_column_bytes(p, c);
    double building = batch + (columns > pairs ? columns : pairs);
    return keep + fmax(fmax(weights, building), colours);
}

static cgct_status separable_bytes_of(const separable_plan *p, const backend_size *k, double *bytes,
                                      cgct_err *err)
{
    const inner_opts *o = p->o;
    double tables, colours, modes, last = longest_r(o);
    separable_counts c = {
        .columns = o->nd, .nodes = count_all_nodes(p), .close = o->nd * NPOL * NEAR_CELLS};
    CGCT_TRY(direct_lookup_bytes(p->d, last * last * (1 + 1e-9), &tables, err));
    colours_bytes(p, k, &colours, &modes);
    c.weights = WEIGHTS_PER_NODE * c.nodes;
    c.blocks = BLOCKS_PER_PANEL * c.nodes / RADIAL_NODES;
    *bytes = peak_bytes(p, &c, k, colours) + modes + angular_rules_bytes(p) + ell_modes_bytes(p) +
             tables + sizeof p->w + (double)(o->nd + o->nr + o->ns) * DOUBLE_BYTES;
    return CGCT_OK;
}

cgct_status cuda_separable_bytes(const backend_size *k, size_t *bytes, cgct_err *err)
{
    separable_plan p;
    double n = 0;
    *bytes = 0;
    cgct_status st = separable_plan_init(&p, k->inner, k->dipole, 0, err);
    if (st == CGCT_OK) st = separable_bytes_of(&p, k, &n, err);
    separable_plan_free(&p);
    *bytes = (size_t)n;
    return st;
}
