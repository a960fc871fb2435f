/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all chunks of a table use: grids, rules and tables of functions on the device, and the modes
 * of L, which are computed there.  For each angular rule
 *
 *   ell, product, place   L(|R-s|) at the nodes of the rule -> its modes l_m(R,s)
 *
 * and at the end
 *
 *   kink                  what the interpolation of l_m in s loses across s = R */
#include "separable_stage.h"

#include <stdlib.h>

#include "direct_stage.h"
#include "numerics/memory.h"

/* ---- the plan ---- */

/* Nodes of the angular rules; their matrices are made here. */
static cgct_status upload_angular_rules(separable_stage *s, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    size_t at = 0, n = k->angles, nm = k->p.angles.nm;
    const int *orders;
    const double *x;
    double *weight;
    CGCT_TRY(gpu_group_add(&s->all, 3 * n * sizeof *k->rules, k->rules, &x, err));
    CGCT_TRY(gpu_group_add(&s->all, 2 * n * nm * sizeof(double), NULL, &weight, err));
    for (size_t i = 0; i < ANGLE_RULES; at += k->p.angles.rule[i++].n) {
        s->hav[i] = x + n + at;
        s->weight[i] = weight + at * nm;
        s->cosine[i] = weight + (n + at) * nm;
    }
    CGCT_TRY(gpu_group_add(&s->all, nm * sizeof *orders, k->p.o->m, &orders, err));
    const angle_view v = {nm, orders, x, x + 2 * n, weight, weight + n * nm};
    return gpu_launch(s->g, GPU_cosine, n * nm, &v, err);
}

static cgct_status upload_separable_grids(separable_stage *s, cgct_err *err)
{
    const inner_opts *o = s->plan->p.o;
    const size_t one = sizeof(double);
    double *delta = memory_new(o->nd, one);
    for (size_t id = 0; id < o->nd; id++) delta[id] = s->plan->columns[id].delta;
    cgct_status st = gpu_group_add(&s->all, o->nd * one, delta, &s->delta, err);
    free(delta);
    CGCT_TRY(st);
    CGCT_TRY(gpu_group_add(&s->all, o->nr * one, o->r, &s->v.r, err));
    return gpu_group_add(&s->all, o->ns * one, o->s, &s->v.s, err);
}

static void set_separable_view(separable_stage *s)
{
    const separable_plan *p = &s->plan->p;
    const inner_opts *o = p->o;
    separable_view *v = &s->v;
    v->nr = o->nr;
    v->ns = o->ns;
    v->nm = o->nm;
    v->rank = (size_t)p->w.rank;
    v->nu = p->nu;
    v->ncol = NPOL * v->nu;
    v->nr1 = p->nr1;
    v->ns1 = p->ns1;
    v->rows = separable_rows(p);
    v->step = p->step;
    v->orders = p->orders;
    v->process = p->d->process;
    v->parts = p->d->forward_parts;
    v->lam = o->lam;
    v->lost = s->lost;
    v->patch = s->patch;
}

static cgct_status upload_separable_plan(separable_stage *s, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    CGCT_TRY(upload_angular_rules(s, err));
    CGCT_TRY(upload_separable_grids(s, err));
    s->v.lnS = k->lnS;
    CGCT_TRY(direct_upload_lookup(&s->all, &k->lnS_table, &s->v.lnS.at, err));
    CGCT_TRY(direct_upload_photon(&s->all, k->p.o->eps, &s->v.photon, err));
    CGCT_TRY(gpu_group_add(&s->all, sizeof k->p.w, &k->p.w, &s->v.w, err));
    return gpu_group_add(&s->all, sizeof k->gauss, k->gauss, &s->v.gauss, err);
}

/* ---- modes of L ---- */

/* The pairs first..end-1 of one rule, as many at once as the buffer holds. */
static cgct_status ell_modes_of_rule(separable_stage *s, size_t rule, ell_view *v, size_t end,
                                     const gpu_buffer *work, cgct_err *err)
{
    size_t most = work->bytes / sizeof(double) / (v->n + v->nm);
    for (; v->first < end; v->first += v->count) {
        v->count = end - v->first < most ? end - v->first : most;
        v->F = work->p;
        v->mode = v->F + v->count * v->n;
        gpu_product x = {
            .turned_a = 1, .turned_b = 1, .m = v->nm, .n = v->count, .k = v->n, .batch = 1};
        x.a = s->weight[rule];
        x.b = v->F;
        x.c = v->mode;
        CGCT_TRY(gpu_launch(s->g, GPU_ell, v->count * v->n, v, err));
        CGCT_TRY(gpu_multiply(s->g, &x, err));
        CGCT_TRY(gpu_launch(s->g, GPU_place, v->nm * v->count, v, err));
    }
    return CGCT_OK;
}

/* A buffer of at most `most` numbers; half as many, down to `least`, while the device refuses. */
static cgct_status alloc_ell_batch(gpu *g, size_t least, size_t most, gpu_buffer *b, cgct_err *err)
{
    for (size_t room = most < SEPARABLE_BATCH_MAX ? most : SEPARABLE_BATCH_MAX;; room /= 2) {
        if (room < least) room = least;
        cgct_status st = gpu_alloc(g, b, room * sizeof(double), err);
        if (st != CGCT_E_NOMEM || room == least) return st;
    }
}

/* l_m, or e_m, at all pairs whose rules begin at `at`. */
static cgct_status compute_ell(separable_stage *s, ell_view *v, const size_t at[ANGLE_RULES + 1],
                               cgct_err *err)
{
    const angle_rule *rule = s->plan->p.angles.rule;
    size_t longest = 0, most = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t n = rule[i].n + v->nm, all = (at[i + 1] - at[i]) * n;
        longest = n > longest ? n : longest;
        most = all > most ? all : most;
    }
    gpu_buffer work = {0};
    cgct_status st = alloc_ell_batch(s->g, longest, most, &work, err);
    for (size_t i = 0; st == CGCT_OK && i < ANGLE_RULES; i++) {
        v->n = rule[i].n;
        v->hav = s->hav[i];
        v->first = at[i];
        if (at[i] < at[i + 1]) st = ell_modes_of_rule(s, i, v, at[i + 1], &work, err);
    }
    gpu_free(s->g, &work);
    return st;
}

/* l_m with its kinks; then e_m, which takes their patches. */
static cgct_status compute_ell_and_ess(separable_stage *s, ell_view *v, const ell_pair *pairs,
                                       cgct_err *err)
{
    const ell_lists *l = &s->plan->ell;
    CGCT_TRY(compute_ell(s, v, l->at, err));
    CGCT_TRY(gpu_launch(s->g, GPU_kink, v->nm * v->kinks, v, err));
    if (!s->plan->p.o->single) return CGCT_OK;
    ell_view single = *v;
    single.single = 1;
    single.pair = pairs;
    CGCT_TRY(compute_ell(s, &single, l->single_at, err));
    return gpu_launch(s->g, GPU_patch, v->nm * v->kinks, &single, err);
}

/* The lists of pairs and kinks, which are needed only here, and the pointers of the view. */
static cgct_status upload_ell_lists(separable_stage *s, gpu_group *b, ell_view *v,
                                    const ell_pair **single, cgct_err *err)
{
    const separable_plan *p = &s->plan->p;
    const ell_lists *l = &s->plan->ell;
    const size_t row = v->nm * v->nr * sizeof(double), cells = (v->ns - 1) * KINK_NODES;
    CGCT_TRY(gpu_group_add(&s->all, row * v->ns, NULL, &s->ell, err));
    CGCT_TRY(gpu_group_add(&s->all, row * ELL_CELLS, NULL, &s->lost, err));
    CGCT_TRY(gpu_group_add(&s->all, row * KINK_MOMENTS, NULL, &s->patch, err));
    CGCT_TRY(gpu_group_add(b, l->pairs * sizeof *l->pair, l->pair, &v->pair, err));
    CGCT_TRY(gpu_group_add(&s->all, v->nm * v->nr1 * v->ns1 * sizeof(double), NULL, &s->ess, err));
    CGCT_TRY(gpu_group_add(b, l->singles * sizeof *l->single, l->single, single, err));
    CGCT_TRY(gpu_group_add(b, l->kinks * sizeof *l->rule, l->rule, &v->rule, err));
    CGCT_TRY(gpu_group_add(b, cells * sizeof *p->cell, p->cell, &v->cell, err));
    v->ell = s->ell;
    v->lost = s->lost;
    v->patch = s->patch;
    v->ess = s->ess;
    return CGCT_OK;
}

/* ell (nm, nr, ns), lost, patch and ess as in separable_plan. */
static cgct_status make_ell(separable_stage *s, cgct_err *err)
{
    const separable_plan *p = &s->plan->p;
    gpu_group lists = {.g = s->g};
    const ell_pair *single = NULL;
    ell_view v = {.nm = p->o->nm,
                  .nr = p->o->nr,
                  .ns = p->o->ns,
                  .kinks = s->plan->ell.kinks,
                  .nr1 = p->nr1,
                  .ns1 = p->ns1,
                  .symmetric = p->symmetric,
                  .lnS = s->v.lnS,
                  .r = s->v.r,
                  .s = s->v.s};
    cgct_status st = upload_ell_lists(s, &lists, &v, &single, err);
    if (st == CGCT_OK) st = compute_ell_and_ess(s, &v, single, err);
    gpu_group_free(&lists);
    return st;
}

/* ---- the stage ---- */

cgct_status separable_stage_init(separable_stage *s, gpu *g, const cuda_separable_plan *plan,
                                 cgct_err *err)
{
    *s = (separable_stage){.g = g, .plan = plan, .all.g = g, .part.g = g};
    CGCT_TRY(upload_separable_plan(s, err));
    CGCT_TRY(make_ell(s, err));
    CGCT_TRY(gpu_group_add(&s->all, NPOL * sizeof(double), NULL, &s->origin, err));
    set_separable_view(s);
    return CGCT_OK;
}
