/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder: matrix products over the coarse s grid, one Delta at a time, OpenMP over
 * Delta. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "inner/ridge.h"
#include "inner/separable_impl.h"

enum { CLOSE_NODES = 12 };
static const double MODE_TINY =
    1e-19; /* share of the largest entry of phi below which s is left out */

size_t separable_angle_buffer(const separable_plan *p)
{
    size_t n = 0;
    for (int i = 0; i < ANGLE_RULES; i++) n = p->angles.rule[i].n > n ? p->angles.rule[i].n : n;
    return 2 * n > p->o->nm ? 2 * n : p->o->nm;
}

double separable_delta(const separable_plan *p, double delta)
{
    return fmax(delta, p->o->s[1]);
}

void separable_plan_free(separable_plan *p)
{
    angle_rules_free(&p->angles);
    free(p->ell);
    free(p->ell_max);
    free(p->ln_r);
    free(p->ln_s);
    free(p->cell);
    free(p->kink_node);
    free(p->lost);
    free(p->patch);
    free(p->LR);
    free(p->ridge);
    memset(p, 0, sizeof *p);
}

static cgct_status plan_skeleton(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    double reach = o->r[o->nr - 1] + o->delta[o->nd - 1];
    double smax = o->s[o->ns - 1] + o->delta[o->nd - 1], r2[2] = {smax * smax, reach * reach}, L[2];
    dipole_lnS(p->d, 2, r2, L);
    return skeleton_init(&p->w, 2 * L[0], 2 * L[1], o->rank_tolerance, err);
}

/* Logarithms of R, and of s. */
static cgct_status plan_logarithms(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    p->ln_r = malloc(o->nr * sizeof *p->ln_r);
    p->ln_s = malloc(o->ns * sizeof *p->ln_s);
    if (!p->ln_r || !p->ln_s)
        return cgct_fail(err, CGCT_E_NOMEM, "separable builder: no memory for %zu nodes", o->nr);
    for (size_t i = 0; i < o->nr; i++) p->ln_r[i] = o->r[i] > 0 ? log(o->r[i]) : -INFINITY;
    for (size_t i = 0; i < o->ns; i++) p->ln_s[i] = o->s[i] > 0 ? log(o->s[i]) : INFINITY;
    return CGCT_OK;
}

cgct_status separable_plan_init(separable_plan *p, const inner_opts *o, const dipole *d,
                                int matrices, cgct_err *err)
{
    memset(p, 0, sizeof *p);
    p->o = o;
    p->d = d;
    p->symmetric = o->lam == 0.5;
    CGCT_TRY(quad_gauss_init(&p->gauss, RADIAL_NODES, err));
    CGCT_TRY(quad_gauss_init(&p->gauss_close, CLOSE_NODES, err));
    CGCT_TRY(plan_skeleton(p, err));
    CGCT_TRY(plan_logarithms(p, err));
    CGCT_TRY(angle_rules_init(&p->angles, o->nm, o->m, p->symmetric, o->digits, matrices, err));
    p->LR = malloc(2 * o->nr * sizeof *p->LR);
    if (!p->LR)
        return cgct_fail(err, CGCT_E_NOMEM, "separable builder: no memory for %zu nodes", o->nr);
    for (size_t i = 0; i < o->nr; i++) p->LR[o->nr + i] = o->r[i] * o->r[i];
    dipole_lnS(d, o->nr, p->LR + o->nr, p->LR);
    if (o->ridge_cut > 0) {
        p->ridge = malloc(NPOL * o->nd * sizeof *p->ridge);
        if (!p->ridge)
            return cgct_fail(err, CGCT_E_NOMEM, "separable builder: no memory for %zu nodes",
                             o->nd);
        ridge_profile(d, o->eps, o->ridge_cut, o->nd, o->delta, p->ridge);
    }
    return separable_kink_nodes(p, err);
}

static void work_free(separable_work *w)
{
    quad_free(&w->s);
    free(w->angle);
    free(w->panel);
    free(w->phi);
    for (int e = 0; e < 2; e++) free(w->near[e].phi);
    free(w->P);
    free(w->gamma);
    free(w->R);
    free(w->lo);
    free(w->hi);
    free(w->r_lo);
    free(w->r_hi);
    memset(w, 0, sizeof *w);
}

static cgct_status work_init(separable_work *w, const separable_plan *p)
{
    const inner_opts *o = p->o;
    memset(w, 0, sizeof *w);
    w->ncol = NPOL * (size_t)p->w.rank;
    size_t buffer = separable_angle_buffer(p);
    w->angle = malloc((16 + 4 * SKELETON_RANK_MAX + w->ncol) * buffer * sizeof *w->angle +
                      2 * o->nm * w->ncol * sizeof *w->angle);
    w->panel = malloc(RADIAL_NODES * (o->nm * w->ncol + o->ns) * sizeof *w->panel);
    w->phi = calloc(o->nm * o->ns * w->ncol, sizeof *w->phi);
    size_t cells = o->nm * NEAR_CELLS * KINK_NODES * w->ncol;
    for (int e = 0; e < 2; e++) w->near[e].phi = malloc(cells * sizeof *w->near[e].phi);
    w->P = malloc(w->ncol * sizeof *w->P);
    w->R = calloc(o->nm * o->nr * w->ncol, sizeof *w->R);
    w->gamma = malloc(o->nr * sizeof *w->gamma);
    w->r_lo = calloc(o->nm, sizeof *w->r_lo);
    w->r_hi = calloc(o->nm, sizeof *w->r_hi);
    w->lo = calloc(o->nm, sizeof *w->lo);
    w->hi = calloc(o->nm, sizeof *w->hi);
    if (w->near[0].phi && w->near[1].phi && w->gamma && w->angle && w->panel && w->phi && w->P &&
        w->R && w->lo && w->hi && w->r_lo && w->r_hi)
        return CGCT_OK;
    work_free(w);
    return CGCT_E_NOMEM;
}

static double largest(const double *v, size_t n)
{
    double best = 0;
    for (size_t i = 0; i < n; i++) best = fmax(best, fabs(v[i]));
    return best;
}

/* Trim the occupied range of s where phi_m cannot matter. */
static void trim(const separable_work *w, size_t im, size_t ns, double tiny, size_t *lo, size_t *hi)
{
    const double *phi = w->phi + im * ns * w->ncol;
    *lo = w->lo[im];
    *hi = w->hi[im];
    while (*lo < *hi && largest(phi + *lo * w->ncol, w->ncol) <= tiny) ++*lo;
    while (*hi > *lo && largest(phi + (*hi - 1) * w->ncol, w->ncol) <= tiny) --*hi;
}

/* R_m (nr, ncol) = l_m (nr, s) phi_m (s, ncol), restricted to where both factors live. */
static void contract(const separable_plan *p, const separable_work *w)
{
    const inner_opts *o = p->o;
    double scale = largest(w->phi, o->ns * w->ncol) * MODE_TINY;
    for (size_t im = 0; im < o->nm; im++) {
        size_t lo, hi, ra = 0, rb = o->nr;
        if (w->r_hi[im] > w->r_lo[im])
            memset(w->R + (im * o->nr + w->r_lo[im]) * w->ncol, 0,
                   (w->r_hi[im] - w->r_lo[im]) * w->ncol * sizeof *w->R);
        w->r_lo[im] = w->r_hi[im] = 0;
        trim(w, im, o->ns, scale, &lo, &hi);
        if (lo >= hi || p->ell_max[im] == 0) continue;
        double reach = o->m[im] ? exp(p->angles.decay * 1.2 / o->m[im]) : INFINITY;
        while (ra < rb && o->r[ra] * reach < o->s[lo]) ra++;
        while (rb > ra && o->r[rb - 1] > o->s[hi - 1] * reach) rb--;
        if (ra >= rb) continue;
        w->r_lo[im] = ra;
        w->r_hi[im] = rb;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(rb - ra), (int)w->ncol,
                    (int)(hi - lo), 1, p->ell + (im * o->nr + ra) * o->ns + lo, (int)o->ns,
                    w->phi + (im * o->ns + lo) * w->ncol, (int)w->ncol, 0,
                    w->R + (im * o->nr + ra) * w->ncol, (int)w->ncol);
        separable_kink_near(p, w, im);
    }
}

static cgct_status columns(const separable_plan *p, inner_table *t, cgct_err *err)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        separable_work w;
        failed |= work_init(&w, p) != CGCT_OK;
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < p->o->nd; id++) {
            if (failed) continue;
            failed |= separable_phi(p, p->o->delta[id], &w) != CGCT_OK;
            if (failed) continue;
            contract(p, &w);
            separable_gamma(p, id, &w, t);
        }
        work_free(&w);
    }
    return failed ? cgct_fail(err, CGCT_E_NOMEM,
                              "separable builder: no memory for a column of %zu "
                              "modes x %zu x %zu nodes; lower inner.modes",
                              p->o->nm, p->o->nr, p->o->ns)
                  : CGCT_OK;
}

cgct_status inner_separable(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    separable_plan p;
    blas_single_threaded();
    CGCT_TRY(inner_table_init(t, o, err));
    cgct_status st = separable_plan_init(&p, o, d, 1, err);
    if (st == CGCT_OK) st = separable_ell(&p, err);
    if (st == CGCT_OK) st = columns(&p, t, err);
    t->rank = p.w.rank;
    t->ridge_cut = o->ridge_cut;
    separable_plan_free(&p);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

size_t inner_separable_bytes(const inner_opts *o)
{
    size_t table = NPOL * o->nm * o->nd * o->nr, ell = o->nm * o->nr * o->ns;
    size_t column = o->nm * (o->nr + o->ns) * NPOL * SKELETON_RANK_MAX;
    return sizeof(double) * (table + ell + 2 * column);
}
