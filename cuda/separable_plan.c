/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separable_plan.h"

#include <math.h>
#include <stdlib.h>

#include "direct_stage.h"

static cgct_status join_rules(cuda_separable_plan *s, cgct_err *err)
{
    const angle_rules *a = &s->p.angles;
    for (size_t i = 0; i < ANGLE_RULES; i++) s->angles += a->rule[i].n;
    double *h = s->rules = malloc(3 * s->angles * sizeof *h);
    if (!h) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for angular rules");
    for (size_t i = 0; i < ANGLE_RULES; h += a->rule[i++].n) {
        const angle_rule *r = &a->rule[i];
        if (!r->n) continue;
        memcpy(h, r->x, r->n * sizeof *h);
        memcpy(h + s->angles, r->hav, r->n * sizeof *h);
        memcpy(h + 2 * s->angles, r->w, r->n * sizeof *h);
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

static cgct_status make_tables(cuda_separable_plan *s, const cuda_separable_plan *other,
                               cgct_err *err)
{
    const inner_opts *o = s->p.o;
    s->lnS_last = o->s[o->ns - 1] + o->delta[o->nd - 1] + o->r[o->nr - 1];
    CGCT_TRY(lookup_bessel(&s->K0, &s->K1, err));
    if (!other || other->p.d != s->p.d || other->lnS_last < s->lnS_last)
        return direct_lnS(&s->lnS, &s->lnS_table, s->p.d, pow(s->lnS_last, 2) * (1 + 1e-9), err);
    s->lnS = other->lnS;
    s->lnS_table = other->lnS_table;
    s->lnS_last = other->lnS_last;
    s->lnS_borrowed = 1;
    return CGCT_OK;
}

static cgct_status start(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                         const cuda_separable_plan *other, cgct_err *err)
{
    CGCT_TRY(separable_plan_init(&s->p, o, d, 0, err));
    CGCT_TRY(separable_columns_init(&s->columns, &s->p, err));
    CGCT_TRY(separable_lists_init(&s->lists, &s->p, s->columns, 0, o->nd, err));
    CGCT_TRY(ell_lists_init(&s->ell, &s->p, err));
    copy_gauss(&s->gauss[GAUSS_FAR], &s->p.gauss);
    copy_gauss(&s->gauss[GAUSS_CLOSE], &s->p.gauss_close);
    copy_gauss(&s->gauss[GAUSS_CELL], &s->p.gauss_cell);
    CGCT_TRY(join_rules(s, err));
    return make_tables(s, other, err);
}

cgct_status cuda_separable_plan_init(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                     const cuda_separable_plan *other, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    cgct_status st = start(s, o, d, other, err);
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
