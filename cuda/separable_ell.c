/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separable_ell.h"
#include "separable_memory.h"

#include <stdlib.h>

void ell_lists_free(ell_lists *l)
{
    free(l->pair);
    free(l->rule);
    memset(l, 0, sizeof *l);
}

/* Rules of all pairs: those of the grid row by row, then of the points about each kink. */
static void choose(const ell_lists *l, const separable_plan *p, separable_choice *c)
{
    const inner_opts *o = p->o;
#pragma omp parallel for schedule(static)
    for (size_t ir = 0; ir < o->nr; ir++)
        for (size_t is = 0; is < o->ns; is++)
            c[ir * o->ns + is] = separable_ell_choice(p, ir, p->ln_s[is]);
    c += o->nr * o->ns;
    for (size_t k = 0; k < l->kinks; k++, c += ELL_CELLS)
        for (size_t j = 0; j < ELL_CELLS; j++)
            c[j] = separable_ell_choice(p, l->rule[k].ir, p->cell[l->rule[k].first + j].ln);
}

/* The n pairs of one R or kink, from `to` on, in the order of their rules. */
static void sort_row(ell_lists *l, size_t next[ANGLE_RULES], const separable_choice *c, size_t at,
                     size_t to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        l->pair[next[c[i].rule]++] = (ell_pair){(uint32_t)at, (uint32_t)(to + i), c[i].nm};
}

static int sort_pairs(ell_lists *l, const separable_plan *p)
{
    const inner_opts *o = p->o;
    size_t next[ANGLE_RULES];
    separable_choice *all = malloc(l->pairs * sizeof *all), *c = all;
    if (!all) return 0;
    choose(l, p, all);
    for (size_t i = 0; i < l->pairs; i++) l->at[all[i].rule + 1]++;
    separable_sum_up(l->at);
    memcpy(next, l->at, sizeof next);
    for (size_t ir = 0; ir < o->nr; ir++, c += o->ns) sort_row(l, next, c, ir, 0, o->ns);
    for (size_t k = 0; k < l->kinks; k++, c += ELL_CELLS) sort_row(l, next, c, k, o->ns, ELL_CELLS);
    free(all);
    return 1;
}

cgct_status ell_lists_init(ell_lists *l, const separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    memset(l, 0, sizeof *l);
    l->rule = malloc(o->nr * sizeof *l->rule);
    for (size_t ir = 0; l->rule && ir < o->nr; ir++)
        l->kinks += (size_t)separable_kink_rule_at(p, ir, &l->rule[l->kinks]);
    l->pairs = o->nr * o->ns + l->kinks * ELL_CELLS;
    l->pair = malloc(l->pairs * sizeof *l->pair);
    if (l->rule && l->pair && sort_pairs(l, p)) return CGCT_OK;
    ell_lists_free(l);
    return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for %zu x %zu pairs (R,s)",
                     o->nr, o->ns);
}

/* All pairs of one rule, as many at once as `room` numbers hold. */
static cgct_status one_rule(gpu *g, ell_view *v, const double *weight, size_t end, size_t room,
                            double *work, cgct_err *err)
{
    size_t most = room / (v->n + v->nm);
    for (; v->first < end; v->first += v->count) {
        v->count = end - v->first < most ? end - v->first : most;
        v->F = work;
        v->mode = work + v->count * v->n;
        gpu_product x = {
            .turned_a = 1, .turned_b = 1, .m = v->nm, .n = v->count, .k = v->n, .batch = 1};
        x.a = weight;
        x.lda = v->nm;
        x.b = v->F;
        x.ldb = v->n;
        x.c = v->mode;
        x.ldc = v->count;
        CGCT_TRY(gpu_launch(g, GPU_ell, v->count * v->n, v, err));
        CGCT_TRY(gpu_multiply(g, &x, err));
        CGCT_TRY(gpu_launch(g, GPU_place, v->nm * v->count, v, err));
    }
    return CGCT_OK;
}

/* The batch buffer: half as large as long as the device refuses. */
static cgct_status batch_alloc(gpu *g, size_t least, size_t most, gpu_buffer *b, cgct_err *err)
{
    for (size_t room = most < SEPARABLE_BATCH_MAX ? most : SEPARABLE_BATCH_MAX;; room /= 2) {
        if (room < least) room = least;
        cgct_status st = gpu_alloc(g, b, room * sizeof(double), err);
        if (st != CGCT_E_NOMEM || room == least) return st;
    }
}

static cgct_status all_rules(gpu *g, const separable_plan *p, const ell_lists *l, ell_view *v,
                             separable_device_rules rules, gpu_buffer *work, cgct_err *err)
{
    size_t longest = 0, most = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t n = p->angles.rule[i].n + v->nm, all = (l->at[i + 1] - l->at[i]) * n;
        longest = n > longest ? n : longest;
        most = all > most ? all : most;
    }
    CGCT_TRY(batch_alloc(g, longest, most, work, err));
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        v->n = p->angles.rule[i].n;
        v->hav = rules.hav[i];
        v->first = l->at[i];
        if (v->first == l->at[i + 1]) continue;
        CGCT_TRY(one_rule(g, v, rules.weight[i], l->at[i + 1], work->bytes / sizeof(double),
                          work->p, err));
    }
    return gpu_launch(g, GPU_kink, v->nm * v->kinks, v, err);
}

cgct_status separable_device_ell(gpu *g, const separable_plan *p, const ell_lists *l,
                                 const device_lnS *lnS, const double *r, const double *s,
                                 separable_device_rules rules, gpu_buffer *ell, gpu_buffer *lost,
                                 gpu_buffer *patch, cgct_err *err)
{
    const inner_opts *o = p->o;
    size_t rows = o->nm * o->nr * sizeof(double);
    const size_t cells = (o->ns - 1) * KINK_NODES;
    gpu_buffer pairs = {0}, kinks = {0}, cell = {0}, work = {0};
    cgct_status st = gpu_alloc(g, ell, rows * o->ns, err);
    if (st == CGCT_OK) st = gpu_alloc(g, lost, rows * ELL_CELLS, err);
    if (st == CGCT_OK) st = gpu_alloc(g, patch, rows * KINK_MOMENTS, err);
    if (st == CGCT_OK) st = gpu_upload(g, &pairs, l->pair, l->pairs * sizeof *l->pair, err);
    if (st == CGCT_OK) st = gpu_upload(g, &kinks, l->rule, l->kinks * sizeof *l->rule, err);
    if (st == CGCT_OK) st = gpu_upload(g, &cell, p->cell, cells * sizeof *p->cell, err);
    ell_view v = {.nm = o->nm,
                  .nr = o->nr,
                  .ns = o->ns,
                  .kinks = l->kinks,
                  .symmetric = p->symmetric,
                  .lnS = *lnS,
                  .r = r,
                  .s = s,
                  .cell = cell.p,
                  .rule = kinks.p,
                  .ell = ell->p,
                  .lost = lost->p,
                  .patch = patch->p,
                  .pair = pairs.p};
    if (st == CGCT_OK) st = all_rules(g, p, l, &v, rules, &work, err);
    gpu_free(g, &work);
    gpu_free(g, &cell);
    gpu_free(g, &kinks);
    gpu_free(g, &pairs);
    return st;
}
