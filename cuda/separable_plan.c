/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separable_plan.h"

#include <stdlib.h>

#include "direct_stage.h"

static cgct_status join_rules(cuda_separable_plan *s, cgct_err *err)
{
    const angle_rules *a = &s->p.angles;
    size_t at = 0, nm = a->nm;
    for (size_t i = 0; i < LIST_RULES; i++) s->numbers += list_rule(a, i)->n * (1 + 2 * nm);
    double *h = s->rules = malloc(s->numbers * sizeof *h);
    if (!h) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for angular rules");
    for (size_t i = 0; i < LIST_RULES; i++) {
        const angle_rule *r = list_rule(a, i);
        if (!r->n) continue;
        memcpy(h + at, r->hav, r->n * sizeof *h);
        memcpy(h + at + r->n, r->weight, r->n * nm * sizeof *h);
        memcpy(h + at + r->n * (1 + nm), r->cosine, r->n * nm * sizeof *h);
        at += r->n * (1 + 2 * nm);
    }
    return CGCT_OK;
}

static void copy_gauss(separable_gauss *to, const quad_gauss *g)
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

static cgct_status make_tables(cuda_separable_plan *s, cgct_err *err)
{
    const inner_opts *o = s->p.o;
    double reach = o->s[o->ns - 1] + o->delta[o->nd - 1], top = reach + o->r[o->nr - 1];
    CGCT_TRY(direct_lnS(&s->lnS, &s->lnS_table, s->p.d, top * top * (1 + 1e-9), err));
    return lookup_bessel(&s->K0, &s->K1, err);
}

static cgct_status start(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                         cgct_err *err)
{
    CGCT_TRY(separable_plan_init(&s->p, o, d, err));
    CGCT_TRY(separable_columns_init(&s->columns, &s->p, err));
    CGCT_TRY(separable_lists_init(&s->lists, &s->p, s->columns, 0, o->nd, err));
    CGCT_TRY(ell_lists_init(&s->ell, &s->p, err));
    copy_gauss(&s->gauss[GAUSS_FAR], &s->p.gauss);
    copy_gauss(&s->gauss[GAUSS_CLOSE], &s->p.gauss_close);
    copy_gauss(&s->gauss[GAUSS_CELL], &s->p.gauss_cell);
    CGCT_TRY(join_rules(s, err));
    return make_tables(s, err);
}

cgct_status cuda_separable_plan_init(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                     cgct_err *err)
{
    memset(s, 0, sizeof *s);
    cgct_status st = start(s, o, d, err);
    if (st != CGCT_OK) cuda_separable_plan_free(s);
    return st;
}

void cuda_separable_plan_free(cuda_separable_plan *s)
{
    lookup_free(&s->lnS_table);
    free(s->rules);
    ell_lists_free(&s->ell);
    separable_lists_free(&s->lists);
    separable_columns_free(s->columns, s->p.o ? s->p.o->nd : 0);
    separable_plan_free(&s->p);
    memset(s, 0, sizeof *s);
}
