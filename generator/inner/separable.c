/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder: phi, R_{k,m} and from them G_m(Delta,R), a few Delta at a time; OpenMP
 * over these groups. */
#include "inner/separable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/colours.h"
#include "inner/single.h"
#include "numerics/arrays.h"
#include "numerics/blas.h"
#include "numerics/clock.h"
#include "numerics/vmath.h"

/* Of the digits every column has this share; a column smaller than e^-SHARE_FROM has fewer. */
static const double SHARE_MIN = 0.4, SHARE_FROM = 4;
static const double SINGLE_NEGLIGIBLE = 42; /* exponent of single scattering: e^-42 = 6e-19 */

/* ---- plan ---- */

void separable_plan_free(separable_plan *p)
{
    angle_rules_free(&p->angles);
    free(p->nodes);
    free(p->modes);
    memset(p, 0, sizeof *p);
}

/* W(A,B) on the ranges of A and B that occur. */
static cgct_status plan_skeleton(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    double reach = o->r[o->nr - 1] + o->delta[o->nd - 1];
    double smax = o->s[o->ns - 1] + o->delta[o->nd - 1], r2[2] = {smax * smax, reach * reach}, L[2];
    dipole_lnS(p->d, 2, r2, L);
    return skeleton_init(&p->w, 2 * L[0], 2 * L[1], o->rank_tolerance, err);
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
        double r2 = o->s[p->ns1] * o->s[p->ns1], L;
        dipole_lnS(p->d, 1, &r2, &L);
        if (-2 * L > SINGLE_NEGLIGIBLE) break;
    }
}

/* The column at Delta is smaller than the largest by about e^-eps Delta and the larger of S(Delta)
 * and S(Delta/2)^2, and as much larger its relative error may be. */
static double share_of_digits(const separable_plan *p, double delta)
{
    double r2[2] = {delta * delta / 4, delta * delta}, L[2];
    dipole_lnS(p->d, 2, r2, L);
    const double smaller = p->o->eps * delta + fmin(-2 * L[0], -L[1]);
    return fmin(1, fmax(SHARE_MIN, 1 - (smaller - SHARE_FROM) / p->angles.decay));
}

/* Logarithms of R and s, L(R), f(Delta) of single scattering, and shares of digits. */
static cgct_status plan_nodes(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    double *R2, *delta;
    const array_part part[] = {ARRAY_PART(p->ln_r, o->nr),
                               ARRAY_PART(p->ln_s, o->ns),
                               ARRAY_PART(p->LR, o->nr),
                               ARRAY_PART(R2, o->nr),
                               ARRAY_PART(p->profile, NPOL * o->nd),
                               ARRAY_PART(p->share, o->nd),
                               ARRAY_PART(p->cell, (o->ns - 1) * KINK_NODES),
                               ARRAY_PART(p->kink_node, o->nr),
                               ARRAY_PART(delta, o->nd)};
    if (!(p->nodes = ARRAYS(part)))
        return cgct_fail(err, CGCT_E_NOMEM, "separable builder: no memory for %zu x %zu nodes",
                         o->nd, o->nr);
    for (size_t i = 0; i < o->nr; i++) p->ln_r[i] = o->r[i] > 0 ? log(o->r[i]) : -INFINITY;
    for (size_t i = 0; i < o->ns; i++) p->ln_s[i] = o->s[i] > 0 ? log(o->s[i]) : INFINITY;
    for (size_t i = 0; i < o->nr; i++) R2[i] = o->r[i] * o->r[i];
    dipole_lnS(p->d, o->nr, R2, p->LR);
    for (size_t i = 0; i < o->nd; i++) delta[i] = separable_delta(p, o->delta[i]);
    for (size_t i = 0; i < o->nd; i++) p->share[i] = share_of_digits(p, delta[i]);
    if (!o->single) return CGCT_OK;
    plan_single_range(p);
    single_profile(p->d, o->eps, o->nd, delta, p->profile);
    return CGCT_OK;
}

cgct_status separable_plan_init(separable_plan *p, const inner_opts *o, const dipole *d,
                                int matrices, cgct_err *err)
{
    *p = (separable_plan){.o = o, .d = d, .symmetric = o->lam == 0.5};
    CGCT_TRY(quad_gauss_init(&p->gauss, RADIAL_NODES, err));
    CGCT_TRY(quad_gauss_init(&p->gauss_overlap, OVERLAP_NODES, err));
    for (int end = 0; end < 2; end++) quad_log_init(&p->gauss_log[end], end);
    CGCT_TRY(plan_skeleton(p, err));
    p->nu = (size_t)p->w.rank + (o->single != 0);
    CGCT_TRY(angle_rules_init(&p->angles, o->nm, o->m, p->symmetric, o->digits, matrices, err));
    for (int i = 0; i < ANGLE_RULES; i++)
        if (p->angles.rule[i].n > p->most_angles) p->most_angles = p->angles.rule[i].n;
    CGCT_TRY(plan_nodes(p, err));
    return separable_cells_init(p, err);
}

/* ---- scratch of one group ---- */

static void column_work_free(separable_work *w)
{
    quad_free(&w->s);
    free(w->block);
}

static int column_work_init(separable_work *w, const separable_plan *p)
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
    if (!(w->block = ARRAYS(part))) return 0;
    for (size_t i = 0; i < many; i++)
        w->column[i] = (separable_part){
            .phi = w->phi + i * w->plain,
            .R = w->R + i * w->plain,
            .phi1 = w->phi + many * w->plain + i * (ncol - w->plain),
            .R1 = w->R + many * w->plain + i * (ncol - w->plain),
            .near = {{.phi = near + 2 * i * cells}, {.phi = near + (2 * i + 1) * cells}},
            .P = P + i * ncol,
            .range = range + i * o->nm};
    return 1;
}

/* ---- G_m(Delta,R): the sum over k at angles gamma, projected on modes ---- */

/* The nearest singularity is the zero of b = R - lam Delta (gamma = 0) or of Delta + b (pi). */
static void gamma_choices_alone(const separable_plan *p, size_t id, separable_choice *c)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), swing[SEPARABLE_BLOCK];
    double c0 = o->lam * delta, c1 = (1 - o->lam) * delta;
    const size_t wanted = separable_orders(p, id);
    const int m = o->m[wanted - 1];
    const double decay = p->share[id] * p->angles.decay;
    double ln0 = c0 > 0 ? log(c0) : INFINITY, ln1 = c1 > 0 ? log(c1) : INFINITY;
    for (size_t first = 0, n; first < o->nr; first += n) {
        n = o->nr - first < SEPARABLE_BLOCK ? o->nr - first : SEPARABLE_BLOCK;
        separable_swing(p, delta, n, o->r + first, swing);
        for (size_t i = 0; i < n; i++) {
            double t0 = fabs(p->ln_r[first + i] - ln0), t1 = fabs(p->ln_r[first + i] - ln1);
            double smooth = separable_smooth_modes(decay, swing[i]);
            double b = angle_bandwidth(decay, t1 < t0 ? t1 : t0, smooth);
            size_t nm = angle_modes(&p->angles, b);
            if (nm > wanted) nm = wanted;
            c[first + i] =
                (separable_choice){(uint16_t)angle_trapezoid(&p->angles, b, m), (uint16_t)nm};
        }
    }
}

void separable_gamma_choices(const separable_plan *p, size_t id, size_t n, separable_choice *c)
{
    const size_t nr = p->o->nr;
    for (size_t i = 0; i < n; i++) gamma_choices_alone(p, id + i, c + i * nr);
    for (size_t ir = 0; ir < nr; ir++) {
        separable_choice most = {0, 0};
        for (size_t i = 0; i < n; i++) {
            const separable_choice own = c[i * nr + ir];
            if (own.rule > most.rule) most.rule = own.rule;
            if (own.nm > most.nm) most.nm = own.nm;
        }
        for (size_t i = 0; i < n; i++) {
            const size_t wanted = separable_orders(p, id + i);
            c[i * nr + ir] = most;
            if (wanted < most.nm) c[i * nr + ir].nm = (uint16_t)wanted;
        }
    }
}

/* The n columns of a group from Delta[id] on, at R[ir]: their rule, and the most modes of any. */
typedef struct {
    size_t id, n, ir, nm;
    const angle_rule *rule;
} gamma_place;

static gamma_place gamma_place_at(const separable_plan *p, const separable_work *w, size_t id,
                                  size_t n, size_t ir)
{
    gamma_place at = {id, n, ir, 0, &p->angles.rule[w->choice[ir].rule]};
    for (size_t i = 0; i < n; i++) {
        const size_t nm = w->choice[i * p->o->nr + ir].nm;
        if (nm > at.nm) at.nm = nm;
    }
    return at;
}

/* diff (n, 2, angles), dB (n, angles) = L(|R+(1-lam)Delta|) + L(|R-lam Delta|) - 2 L(R) and B. */
static void fill_differences(const separable_plan *p, const gamma_place *at,
                             const separable_gamma_work *w)
{
    const size_t na = at->rule->n;
    const double R = p->o->r[at->ir], least = -R * R;
    for (size_t i = 0; i < at->n; i++) {
        const double delta = separable_delta(p, p->o->delta[at->id + i]);
        const double a = (1 - p->o->lam) * delta, b = p->o->lam * delta;
        double *x = w->x + 2 * i * na, *y = x + na;
        for (size_t j = 0; j < na; j++) {
            const double cosine = 1 - 2 * at->rule->hav[j];
            const double far = a * a + 2 * a * R * cosine, near = b * b - 2 * b * R * cosine;
            x[j] = far > least ? far : least;
            y[j] = near > least ? near : least;
        }
    }
    dipole_diff(p->d, R * R, 2 * at->n * na, w->x, w->diff);
    for (size_t i = 0; i < at->n; i++)
        for (size_t j = 0; j < na; j++) {
            const double dB = w->diff[2 * i * na + j] + w->diff[(2 * i + 1) * na + j];
            const double B = 2 * p->LR[at->ir] + dB;
            w->dB[i * na + j] = dB;
            w->B[i * na + j] = B < 0 ? B : 0;
        }
}

/* w->gamma.sum (stride, angles) = 2 sum_m cos(m gamma) R_{k,m}, and g (n, NPOL, angles). */
static void fill_g(const separable_plan *p, const gamma_place *at, const separable_work *w)
{
    const separable_gamma_work *q = &w->gamma;
    const size_t na = at->rule->n, rank = (size_t)p->w.rank, all = at->n * na;
    fill_differences(p, at, q);
    skeleton_v(&p->w, all, q->B, q->v);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, (int)w->stride, (int)na, (int)at->nm, 2,
                w->R + at->ir * w->stride, (int)(p->o->nr * w->stride), at->rule->cosine,
                (int)at->rule->nm, 0, q->sum, (int)na);
    for (size_t i = 0; i < at->n; i++)
        for (size_t pol = 0; pol < NPOL; pol++) {
            double *g = q->g + (i * NPOL + pol) * na;
            const double *dB = q->dB + i * na, *P = w->column[i].P + pol * rank;
            const double *sum = q->sum + (i * w->plain + pol * rank) * na;
            memset(g, 0, na * sizeof *g);
            for (size_t k = 0; k < rank; k++)
                for (size_t j = 0; j < na; j++)
                    g[j] -= q->v[k * all + i * na + j] * (sum[k * na + j] - dB[j] * P[k]);
        }
}

/* g -= g_1 of column i.  Where Delta -> 0, f and P_e are large, and their difference is not. */
static void subtract_single(const separable_plan *p, const gamma_place *at, size_t i,
                            const separable_work *w)
{
    const separable_gamma_work *q = &w->gamma;
    const size_t na = at->rule->n;
    const double L = p->LR[at->ir], SR = vexp(L), *diff = q->diff + 2 * i * na;
    for (size_t j = 0; j < 2 * na; j++) q->S[j] = vexp(L + diff[j]);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double P = w->column[i].P[w->plain + pol],
                     f = p->profile[pol * p->o->nd + at->id + i];
        const double *sum = q->sum + (SEPARABLE_GROUP * w->plain + i * NPOL + pol) * na;
        double *g = q->g + (i * NPOL + pol) * na;
        for (size_t j = 0; j < na; j++)
            g[j] -= (f - P) * (q->S[j] + q->S[na + j]) +
                    P * ((q->S[j] - SR) + (q->S[na + j] - SR)) - sum[j];
    }
}

/* The modes of g that each column has at this R. */
static void gamma_store_modes(const separable_plan *p, const gamma_place *at,
                              const separable_work *w, inner_table *t)
{
    const inner_opts *o = p->o;
    const separable_gamma_work *q = &w->gamma;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(at->n * NPOL), (int)at->nm,
                (int)at->rule->n, 1, q->g, (int)at->rule->n, at->rule->weight, (int)at->rule->nm, 0,
                q->mode, (int)at->nm);
    for (size_t i = 0; i < at->n; i++)
        for (size_t pol = 0; pol < NPOL; pol++) {
            const double *mode = q->mode + (i * NPOL + pol) * at->nm;
            double *G = t->g + (pol * o->nm * o->nd + at->id + i) * o->nr + at->ir;
            for (size_t im = 0; im < w->choice[i * o->nr + at->ir].nm; im++)
                G[im * o->nd * o->nr] = mode[im];
        }
}

/* n rows of the table from id on, from R and P; sets t->origin at id = 0. */
static void fill_table_rows(const separable_plan *p, size_t id, size_t n, separable_work *w,
                            inner_table *t)
{
    const inner_opts *o = p->o;
    separable_gamma_choices(p, id, n, w->choice);
    for (size_t ir = 0; ir < o->nr; ir++) {
        const gamma_place at = gamma_place_at(p, w, id, n, ir);
        fill_g(p, &at, w);
        w->stage[STAGE_GAMMA].operations += 2 * (double)(at.rule->n * at.nm * n * (w->ncol + NPOL));
        if (id == 0 && ir == 0)
            for (size_t pol = 0; pol < NPOL; pol++) t->origin[pol] = w->gamma.g[pol * at.rule->n];
        for (size_t i = 0; o->single && i < n; i++) subtract_single(p, &at, i, w);
        gamma_store_modes(p, &at, w, t);
    }
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
static cgct_status fill_group(const separable_plan *p, size_t id, separable_work *w, inner_table *t)
{
    size_t left = p->o->nd - id, n = left < SEPARABLE_GROUP ? left : SEPARABLE_GROUP;
    double last = clock_thread();
    for (size_t i = 0; i < n; i++) CGCT_TRY(separable_phi(p, id + i, w, &w->column[i]));
    end_stage(w, STAGE_PHI, &last);
    separable_product(p, w, n);
    end_stage(w, STAGE_PRODUCT, &last);
    fill_table_rows(p, id, n, w, t);
    end_stage(w, STAGE_GAMMA, &last);
    return CGCT_OK;
}

/* What the stages of one thread took. */
static void add_stages(inner_table *t, const separable_work *w)
{
#pragma omp critical(separable_stages)
    for (int i = 0; i < INNER_STAGES; i++) {
        t->stage[i].seconds += w->stage[i].seconds;
        t->stage[i].operations += w->stage[i].operations;
    }
}

static cgct_status fill_columns(const separable_plan *p, inner_table *t, cgct_err *err)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        separable_work w;
        failed |= !column_work_init(&w, p);
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < p->o->nd; id += SEPARABLE_GROUP)
            if (!failed) failed |= fill_group(p, id, &w, t) != CGCT_OK;
        add_stages(t, &w);
        column_work_free(&w);
    }
    return failed ? cgct_fail(err, CGCT_E_NOMEM,
                              "separable builder: no memory for a column of %zu "
                              "modes x %zu x %zu nodes; lower inner.modes",
                              p->o->nm, p->o->nr, p->o->ns)
                  : CGCT_OK;
}

/* The table of infinitely many colours. */
static cgct_status add_many_colours(inner_table *t, const inner_opts *o, const dipole *d,
                                    cgct_err *err)
{
    separable_plan p;
    cgct_status st = separable_plan_init(&p, o, d, 1, err);
    if (st == CGCT_OK) st = separable_ell(&p, &t->stage[STAGE_ELL], err);
    if (st == CGCT_OK) st = fill_columns(&p, t, err);
    t->rank = p.w.rank;
    t->single = o->single;
    separable_plan_free(&p);
    return st;
}

cgct_status inner_separable(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    cgct_status st = CGCT_OK;
    if (dipole_is_singlet(d)) return inner_colours_singlet(t, o, d, err);
    CGCT_TRY(inner_table_init(t, o, err));
    if (o->part != INNER_DIFFERENCE) st = add_many_colours(t, o, d, err);
    if (o->part != INNER_MANY_COLOURS && st == CGCT_OK) st = inner_colours_add(t, o, d, err);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

size_t inner_separable_bytes(const inner_opts *o)
{
    size_t table = NPOL * o->nm * o->nd * o->nr, ell = o->nm * o->nr * o->ns;
    if (o->single) ell *= 2; /* at most */
    size_t column = o->nm * (o->nr + o->ns) * NPOL * SKELETON_RANK_MAX;
    return sizeof(double) * (table + ell + 2 * SEPARABLE_GROUP * column);
}
