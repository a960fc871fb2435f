/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder: phi, R_{k,m} and from them G_m(Delta,R), a few Delta at a time; OpenMP
 * over these groups. */
#include "inner/separable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/colours.h"
#include "inner/single.h"
#include "numerics/clock.h"
#include "numerics/memory.h"

/* Of the digits every column has this share; a column smaller than e^-SHARE_FROM has fewer. */
static const double SHARE_MIN = 0.4, SHARE_FROM = 4;
static const double SINGLE_NEGLIGIBLE = 42; /* exponent of single scattering: e^-42 = 6e-19 */

/* ---- plan ---- */

void separable_plan_free(separable_plan *p)
{
    angle_rules_free(&p->angles);
    free(p->nodes);
    free(p->modes);
    free(p->even);
    memset(p, 0, sizeof *p);
}

/* nr1 and ns1, from the largest exponents of what e_m and phi_e are bounded by: S(s)^2, and
 * S(s)^2 S(|R-s|), which is largest near s = R/3. */
static void plan_single_range(separable_plan *p)
{
    const inner_opts *o = p->o;
    for (p->nr1 = 0; p->nr1 < o->nr; p->nr1++) {
        double third = o->r[p->nr1] / 3, r2[2] = {third * third, 4 * third * third}, L[2];
        dipole_lnS(p->d, 2, r2, L);
        if (-2 * L[0] - L[1] > SINGLE_NEGLIGIBLE) break;
    }
    for (p->ns1 = 0; p->ns1 < o->ns; p->ns1++) {
        const double s = o->s[p->ns1];
        if (-2 * dipole_lnS_at(p->d, s * s) > SINGLE_NEGLIGIBLE) break;
    }
}

/* Logarithms of R and s, L(R), f(Delta) of single scattering, and shares of digits. */
static void plan_nodes(separable_plan *p)
{
    const inner_opts *o = p->o;
    double *R2, *delta;
    const array_part part[] = {ARRAY_PART(p->ln_r, o->nr),
                               ARRAY_PART(p->ln_s, o->ns),
                               ARRAY_PART(p->LR, o->nr),
                               ARRAY_PART(R2, o->nr),
                               ARRAY_PART(p->profile, 2 * NPOL * o->nd),
                               ARRAY_PART(p->share, o->nd),
                               ARRAY_PART(p->cell, (o->ns - 1) * KINK_NODES),
                               ARRAY_PART(p->kink_node, o->nr),
                               ARRAY_PART(delta, o->nd)};
    p->nodes = ARRAYS(part);
    for (size_t i = 0; i < o->nr; i++) p->ln_r[i] = o->r[i] > 0 ? log(o->r[i]) : -INFINITY;
    for (size_t i = 0; i < o->ns; i++) p->ln_s[i] = o->s[i] > 0 ? log(o->s[i]) : INFINITY;
    for (size_t i = 0; i < o->nr; i++) R2[i] = o->r[i] * o->r[i];
    dipole_lnS(p->d, o->nr, R2, p->LR);
    for (size_t i = 0; i < o->nd; i++) delta[i] = separable_delta(p, o->delta[i]);
    for (size_t i = 0; i < o->nd; i++) {
        /* as much larger its relative error may be */
        const double smaller = inner_column_exponent(p->d, o->eps, delta[i]);
        p->share[i] = fmin(1, fmax(SHARE_MIN, 1 - (smaller - SHARE_FROM) / p->angles.decay));
    }
    if (!o->single) return;
    plan_single_range(p);
    single_profile(p->d, o->eps, o->nd, delta, p->profile);
    for (size_t i = 0; i < o->nd; i++) {
        const double S = exp(dipole_lnS_at(p->d, delta[i] * delta[i]));
        for (size_t pol = 0; pol < NPOL; pol++)
            p->profile[(NPOL + pol) * o->nd + i] = S * p->profile[pol * o->nd + i];
    }
}

/* In the midpoint frame the integral over s needs even orders alone, whatever the factor of the
 * process adds: o without the odd ones. */
static void plan_even_orders(separable_plan *p, const inner_opts *all)
{
    inner_opts *o;
    int *m;
    size_t *nm_delta;
    const array_part part[] = {ARRAY_PART(o, 1), ARRAY_PART(m, all->nm),
                               ARRAY_PART(nm_delta, all->nd)};
    p->even = ARRAYS(part);
    *o = *all;
    o->nm = (all->nm + 1) / 2;
    for (size_t i = 0; i < o->nm; i++) m[i] = all->m[2 * i];
    for (size_t i = 0; i < all->nd; i++)
        nm_delta[i] = all->nm_delta ? (all->nm_delta[i] + 1) / 2 : o->nm;
    o->m = m;
    o->nm_delta = nm_delta;
    p->o = o;
    p->step = 2;
}

cgct_status separable_plan_init(separable_plan *p, const inner_opts *o, const dipole *d,
                                int matrices, cgct_err *err)
{
    *p = (separable_plan){.o = o, .d = d, .symmetric = o->lam == 0.5, .step = 1, .orders = o->nm};
    if (p->symmetric && !inner_is_symmetric(o->lam, d)) plan_even_orders(p, o);
    o = p->o;
    quad_gauss_init(&p->gauss, RADIAL_NODES);
    quad_gauss_init(&p->gauss_overlap, OVERLAP_NODES);
    for (int end = 0; end < 2; end++) quad_log_init(&p->gauss_log[end], end);
    const double reach = o->r[o->nr - 1] + o->delta[o->nd - 1];
    const double smax = o->s[o->ns - 1] + o->delta[o->nd - 1];
    double r2[2] = {smax * smax, reach * reach}, L[2];
    dipole_lnS(d, 2, r2, L);
    CGCT_TRY(skeleton_init(&p->w, 2 * L[0], 2 * L[1], o->rank_tolerance, err));
    p->nu = (size_t)p->w.rank + (o->single != 0);
    angle_rules_init(&p->angles, o->nm, o->m, p->symmetric, o->digits, matrices);
    for (int i = 0; i < ANGLE_RULES; i++)
        if (p->angles.rule[i].n > p->most_angles) p->most_angles = p->angles.rule[i].n;
    plan_nodes(p);
    separable_cells_init(p);
    return CGCT_OK;
}

/* ---- scratch of one group ---- */

static void column_work_init(separable_work *w, const separable_plan *p)
{
    const inner_opts *o = p->o;
    size_t n = p->most_angles, nu = p->nu, ncol = NPOL * nu;
    size_t cells = o->nm * NEAR_CELLS * KINK_NODES * ncol, many = SEPARABLE_GROUP,
           alike = SEPARABLE_ALIKE;
    double *near, *P;
    separable_range *range;
    *w = (separable_work){.ncol = ncol, .plain = NPOL * (size_t)p->w.rank, .stride = many * ncol};
    separable_alpha_work *a = &w->alpha;
    separable_gamma_work *g = &w->gamma;
    const array_part part[] = {ARRAY_PART(a->r2, alike * 2 * n),
                               ARRAY_PART(a->z, alike * 2 * n),
                               ARRAY_PART(a->K0, alike * 2 * n),
                               ARRAY_PART(a->K1, alike * 2 * n),
                               ARRAY_PART(a->L, alike * 2 * n),
                               ARRAY_PART(a->psi, alike * NPOL * n),
                               ARRAY_PART(a->u, alike * nu * n),
                               ARRAY_PART(a->F, alike * ncol * n),
                               ARRAY_PART(a->mode, alike * ncol * o->nm),
                               ARRAY_PART(g->x, many * 2 * n),
                               ARRAY_PART(g->diff, many * 2 * n),
                               ARRAY_PART(g->S, 2 * n),
                               ARRAY_PART(g->dB, many * n),
                               ARRAY_PART(g->B, many * n),
                               ARRAY_PART(g->v, nu * many * n),
                               ARRAY_PART(g->sum, many * ncol * n),
                               ARRAY_PART(g->g, many * NPOL * n),
                               ARRAY_PART(g->mode, many * NPOL * o->nm),
                               ARRAY_PART(w->panel_mode, RADIAL_NODES * o->nm * ncol),
                               ARRAY_PART(w->panel_weight, RADIAL_NODES * o->ns),
                               ARRAY_PART(w->spread, SPREAD_ROWS * o->nm * ncol),
                               ARRAY_PART(w->phi, o->nm * o->ns * w->stride),
                               ARRAY_PART(near, 2 * many * cells),
                               ARRAY_PART(P, w->stride),
                               ARRAY_PART(w->R, o->nm * o->nr * w->stride),
                               ARRAY_PART(range, many * o->nm),
                               ARRAY_PART(w->range, o->nm),
                               ARRAY_PART(w->choice, many * o->nr)};
    w->block = ARRAYS(part);
    for (size_t i = 0; i < many; i++)
        w->column[i] = (separable_part){
            .phi = w->phi + i * w->plain,
            .R = w->R + i * w->plain,
            .phi1 = w->phi + many * w->plain + i * (ncol - w->plain),
            .R1 = w->R + many * w->plain + i * (ncol - w->plain),
            .near = {{.phi = near + 2 * i * cells}, {.phi = near + (2 * i + 1) * cells}},
            .P = P + i * ncol,
            .range = range + i * o->nm};
}

/* ---- the table ---- */

/* Adds the time since *last, which becomes now. */
static void end_stage(separable_work *w, int stage, double *last)
{
    double before = *last;
    *last = clock_thread();
    w->stage[stage].seconds += *last - before;
}

/* Rows of the table from id on, as many as a group has. */
static void fill_group(const separable_plan *p, size_t id, separable_work *w, inner_table *t)
{
    size_t left = p->o->nd - id, n = left < SEPARABLE_GROUP ? left : SEPARABLE_GROUP;
    double last = clock_thread();
    for (size_t i = 0; i < n; i++) separable_phi(p, id + i, w, &w->column[i]);
    end_stage(w, STAGE_PHI, &last);
    separable_product(p, w, n);
    end_stage(w, STAGE_PRODUCT, &last);
    separable_fill_rows(p, id, n, w, t);
    end_stage(w, STAGE_GAMMA, &last);
}

static void fill_columns(const separable_plan *p, inner_table *t)
{
#pragma omp parallel
    {
        separable_work w;
        column_work_init(&w, p);
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < p->o->nd; id += SEPARABLE_GROUP) fill_group(p, id, &w, t);
#pragma omp critical(separable_stages)
        for (int i = 0; i < INNER_STAGES; i++) {
            t->stage[i].seconds += w.stage[i].seconds;
            t->stage[i].operations += w.stage[i].operations;
        }
        quad_free(&w.s);
        free(w.block);
    }
}

/* The table of infinitely many colours. */
static cgct_status add_many_colours(inner_table *t, const inner_opts *o, const dipole *d,
                                    cgct_err *err)
{
    separable_plan p;
    const cgct_status st = separable_plan_init(&p, o, d, 1, err);
    if (st == CGCT_OK) {
        separable_ell(&p, &t->stage[STAGE_ELL]);
        fill_columns(&p, t);
    }
    t->rank = p.w.rank;
    t->single = o->single;
    separable_plan_free(&p);
    return st;
}

cgct_status inner_separable(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    if (d->singlet) {
        inner_colours_singlet(t, o, d);
        return CGCT_OK;
    }
    inner_table_init(t, o);
    const cgct_status st = o->part != INNER_DIFFERENCE ? add_many_colours(t, o, d, err) : CGCT_OK;
    if (st != CGCT_OK) return inner_table_free(t), st;
    if (o->part != INNER_MANY_COLOURS) inner_colours_add(t, o, d);
    return CGCT_OK;
}

size_t inner_separable_bytes(const inner_opts *o)
{
    size_t table = NPOL * o->nm * o->nd * o->nr, ell = o->nm * o->nr * o->ns;
    if (o->single) ell *= 2; /* at most */
    size_t column = o->nm * (o->nr + o->ns) * NPOL * SKELETON_RANK_MAX;
    return sizeof(double) * (table + ell + 2 * SEPARABLE_GROUP * column);
}
