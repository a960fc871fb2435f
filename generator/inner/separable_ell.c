/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angular modes l_m(R,s) of L(|R-s|) - L(R) = sum_m l_m(R,s) cos(m beta), beta = angle(R,s), and
 * their kink at s = R.
 *
 * Across s = R the modes have a kink |s-R|^(p+1) and, for large m, the shape e^{-m |s-R|/R}; no
 * polynomial through the coarse nodes follows either.  What interpolation loses there is tabulated
 * at Gauss nodes of the cells about R.  Where phi is smooth, three moments of the loss are added to
 * the three nodes about R, so that
 *
 *   sum_j l_j W_j(p) = int l_m(R,s) p(s) ds     W_j(p) = int lambda_j p ds
 *
 * for p = 1, s - R, (s - R)^2, where lambda_j is the coarse interpolation.  Next to a centre of the
 * wave functions phi is as rough as l_m: there the loss is integrated against phi itself
 * (separable.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/separable.h"
#include "numerics/arrays.h"
#include "numerics/blas.h"
#include "numerics/clock.h"
#include "numerics/grid.h"
#include "numerics/vmath.h"

/* A node of s counts as R[ir] within this share of R: both grids are made by the same formula. */
static const double KINK_SAME_NODE = 1e-9;
/* Where S(|R-s|) has fallen by e^-42 its angular dependence is of no interest. */
static const double ESS_EXPONENT = 42;

typedef struct {
    double *x, *f; /* (2, most_angles): squared length less R^2, L there less L(R) */
    double *mode;  /* (nm) */
    double operations;
} ell_work;

/* L(|R-s|) - L(R) at one (R,s) on the rule, and at the angles pi less those where only even modes
 * are wanted. */
static void ell_samples(const separable_plan *p, double R, double s, const angle_rule *a,
                        ell_work *w)
{
    size_t n = a->n;
    for (size_t j = 0; j < n; j++) {
        double cosine = 1 - 2 * a->hav[j];
        w->x[j] = fmax(s * s - 2 * R * s * cosine, -R * R);
        w->x[n + j] = s * s + 2 * R * s * cosine;
    }
    dipole_diff(p->d, R * R, p->symmetric ? 2 * n : n, w->x, w->f);
}

/* w->mode[im]: the leading orders of the samples f. */
static void modes_of_samples(const separable_plan *p, separable_choice c, ell_work *w)
{
    const angle_rule *a = &p->angles.rule[c.rule];
    if (p->symmetric)
        for (size_t j = 0; j < a->n; j++) w->f[j] = 0.5 * (w->f[j] + w->f[a->n + j]);
    cblas_dgemv(CblasRowMajor, CblasTrans, (int)a->n, (int)c.nm, 1 / M_PI, a->weight, (int)a->nm,
                w->f, 1, 0, w->mode, 1);
    w->mode[0] *= 0.5;
    w->operations += 2 * (double)a->n * c.nm;
}

/* w->mode[im] = l_m(R[ir],s) for the leading orders; returns how many, the others vanish. */
static size_t ell_modes(const separable_plan *p, size_t ir, double s, double ln_s, ell_work *w)
{
    const separable_choice c = separable_ell_choice(p, ir, ln_s);
    ell_samples(p, p->o->r[ir], s, &p->angles.rule[c.rule], w);
    modes_of_samples(p, c, w);
    return c.nm;
}

/* ---- the kink at s = R ---- */

static void kink_powers(double t, double v[KINK_MOMENTS])
{
    v[0] = 1;
    v[1] = t;
    v[2] = t * t;
}

/* M[r][k] = W_{at-1+k}(t^r) over the KINK_CELLS cells to either side of node `at`, which are all
 * that the windows of these three nodes reach; t = (s - R)/h. */
static void kink_matrix(const separable_plan *p, size_t at, double M[KINK_MOMENTS][KINK_MOMENTS])
{
    const double *grid = p->o->s, h = grid[at + 1] - grid[at];
    memset(M, 0, KINK_MOMENTS * sizeof *M);
    for (size_t c = (at - KINK_CELLS) * KINK_NODES; c < (at + KINK_CELLS) * KINK_NODES; c++) {
        const separable_cell *q = &p->cell[c];
        double v[KINK_MOMENTS];
        kink_powers((q->s - grid[at]) / h, v);
        for (size_t k = 0; k < KINK_MOMENTS; k++) {
            size_t j = at - 1 + k - q->window; /* wraps below the window */
            if (j >= SEPARABLE_NODES) continue;
            for (int r = 0; r < KINK_MOMENTS; r++) M[r][k] += q->ds * v[r] * q->lagrange[j];
        }
    }
}

/* Node of s that is R[ir]; 0 where there is none with enough neighbours. */
static size_t kink_node_of(const inner_opts *o, size_t ir)
{
    size_t at = grid_window(o->ns, o->s, o->r[ir], 2);
    at += o->r[ir] - o->s[at] > o->s[at + 1] - o->r[ir];
    int ok = fabs(o->s[at] - o->r[ir]) <= KINK_SAME_NODE * o->r[ir] && at >= 2 * KINK_CELLS &&
             at + 2 * KINK_CELLS < o->ns;
    return ok ? at : 0;
}

static void kink_fill_cells(separable_plan *p)
{
    const double *grid = p->o->s;
    for (size_t c = 0; c + 1 < p->o->ns; c++)
        for (size_t i = 0; i < KINK_NODES; i++) {
            separable_cell *q = &p->cell[c * KINK_NODES + i];
            double a = grid[c], b = grid[c + 1];
            q->s = 0.5 * (a + b + (b - a) * p->gauss_cell.x[i]);
            q->ds = 0.5 * (b - a) * p->gauss_cell.w[i];
            q->ln = vlog(q->s);
            q->window = (uint32_t)grid_window_in(p->o->ns, grid, c, q->s, SEPARABLE_NODES);
            grid_lagrange(SEPARABLE_NODES, grid + q->window, q->s, q->lagrange);
        }
}

cgct_status separable_cells_init(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    CGCT_TRY(quad_gauss_init(&p->gauss_cell, KINK_NODES, err));
    for (size_t ir = 0; ir < o->nr; ir++) p->kink_node[ir] = kink_node_of(o, ir);
    kink_fill_cells(p);
    return CGCT_OK;
}

/* The inverse of the matrix is that of its cofactors over its determinant. */
int separable_kink_rule_at(const separable_plan *p, size_t ir, separable_kink_rule *k)
{
    size_t at = p->kink_node[ir];
    if (!at) return 0;
    double M[KINK_MOMENTS][KINK_MOMENTS], det = 0;
    k->ir = (uint32_t)ir;
    k->at = (uint32_t)at;
    k->first = (uint32_t)((at - KINK_CELLS / 2) * KINK_NODES);
    kink_matrix(p, at, M);
    for (int i = 0; i < KINK_MOMENTS; i++)
        for (int j = 0; j < KINK_MOMENTS; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
            k->inverse[j][i] = M[a][d] * M[b][e] - M[a][e] * M[b][d];
        }
    for (int j = 0; j < KINK_MOMENTS; j++) det += M[0][j] * k->inverse[j][0];
    for (int i = 0; i < KINK_MOMENTS; i++)
        for (int j = 0; j < KINK_MOMENTS; j++) k->inverse[j][i] /= det;
    return 1;
}

/* Row ir of `lost`, at the points of the kink. */
static void kink_tabulate_loss(separable_plan *p, const separable_kink_rule *k, ell_work *w)
{
    const inner_opts *o = p->o;
    double *lost = p->lost + k->ir * KINK_CELLS * KINK_NODES;
    for (size_t j = 0; j < KINK_CELLS * KINK_NODES; j++) {
        const separable_cell *q = &p->cell[k->first + j];
        size_t nm = ell_modes(p, k->ir, q->s, q->ln, w);
        memset(w->mode + nm, 0, (o->nm - nm) * sizeof *w->mode);
        for (size_t im = 0; im < o->nm; im++) {
            const double *row = p->ell + (im * o->nr + k->ir) * o->ns + q->window;
            double d = w->mode[im];
            for (int l = 0; l < SEPARABLE_NODES; l++) d -= q->lagrange[l] * row[l];
            lost[im * p->kink_stride + j] = d;
        }
    }
}

/* Row ir of lost and patch; the latter is added to ell. */
static void kink_correct(separable_plan *p, size_t ir, ell_work *w)
{
    const inner_opts *o = p->o;
    separable_kink_rule k;
    if (!separable_kink_rule_at(p, ir, &k)) return;
    double h = o->s[k.at + 1] - o->s[k.at];
    const double *lost = p->lost + ir * KINK_CELLS * KINK_NODES;
    kink_tabulate_loss(p, &k, w);
    for (size_t im = 0; im < o->nm; im++) {
        double y[KINK_MOMENTS] = {0}, *patch = p->patch + (im * o->nr + ir) * KINK_MOMENTS;
        for (size_t j = 0; j < KINK_CELLS * KINK_NODES; j++) {
            const separable_cell *q = &p->cell[k.first + j];
            double v[KINK_MOMENTS];
            kink_powers((q->s - o->s[k.at]) / h, v);
            for (int r = 0; r < KINK_MOMENTS; r++)
                y[r] += q->ds * v[r] * lost[im * p->kink_stride + j];
        }
        for (size_t i = 0; i < KINK_MOMENTS; i++) {
            for (int r = 0; r < KINK_MOMENTS; r++) patch[i] += k.inverse[i][r] * y[r];
            p->ell[(im * o->nr + ir) * o->ns + k.at - 1 + i] += patch[i];
        }
    }
}

/* ---- the table of l_m ---- */

static void ell_row(separable_plan *p, size_t ir, ell_work *w)
{
    const inner_opts *o = p->o;
    for (size_t is = 0; is < o->ns; is++) {
        size_t nm = ell_modes(p, ir, o->s[is], p->ln_s[is], w);
        for (size_t im = 0; im < nm; im++) p->ell[(im * o->nr + ir) * o->ns + is] = w->mode[im];
    }
    kink_correct(p, ir, w);
}

/* ---- the table of e_m ---- */

/* e_m has the singularity of l_m at s = R, and varies like exp(z cos beta) beside it. */
separable_choice separable_ess_choice(const separable_plan *p, size_t ir, size_t is)
{
    double R = p->o->r[ir], s = p->o->s[is], r2[2] = {(R - s) * (R - s), (R + s) * (R + s)}, L[2];
    dipole_lnS(p->d, 2, r2, L);
    double swing = 0.5 * fmin(L[0] - L[1], ESS_EXPONENT);
    double b = angle_bandwidth(p->angles.decay, fabs(p->ln_s[is] - p->ln_r[ir]),
                               separable_smooth_modes(p->angles.decay, swing));
    separable_choice c = {(uint16_t)angle_trapezoid(&p->angles, b, p->angles.m_max),
                          (uint16_t)angle_modes(&p->angles, b)};
    return c;
}

static void ess_row(separable_plan *p, size_t ir, ell_work *w)
{
    const inner_opts *o = p->o;
    const double R = o->r[ir], SR = vexp(p->LR[ir]);
    for (size_t is = 0; is < p->ns1; is++) {
        const separable_choice c = separable_ess_choice(p, ir, is);
        const angle_rule *a = &p->angles.rule[c.rule];
        ell_samples(p, R, o->s[is], a, w);
        for (size_t j = 0; j < (p->symmetric ? 2 : 1) * a->n; j++) w->f[j] = SR * vexpm1(w->f[j]);
        modes_of_samples(p, c, w);
        for (size_t im = 0; im < c.nm; im++) p->ess[(im * p->nr1 + ir) * p->ns1 + is] = w->mode[im];
    }
    size_t at = p->kink_node[ir];
    for (size_t im = 0; at && at + 1 < p->ns1 && im < o->nm; im++)
        for (size_t i = 0; i < KINK_MOMENTS; i++)
            p->ess[(im * p->nr1 + ir) * p->ns1 + at - 1 + i] +=
                p->patch[(im * o->nr + ir) * KINK_MOMENTS + i];
}

/* ---- both tables ---- */

static int ell_alloc(separable_plan *p)
{
    size_t nm = p->o->nm, nr = p->o->nr;
    p->kink_stride = nr * KINK_CELLS * KINK_NODES;
    const array_part part[] = {
        ARRAY_PART(p->ell, nm * nr * p->o->ns), ARRAY_PART(p->lost, nm * p->kink_stride),
        ARRAY_PART(p->patch, nm * nr * KINK_MOMENTS), ARRAY_PART(p->ess, nm * p->nr1 * p->ns1)};
    p->modes = ARRAYS(part);
    return p->modes != NULL;
}

static int ell_rows(separable_plan *p, inner_stage *stage)
{
    size_t n = p->most_angles;
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        const double start = clock_thread();
        ell_work w = {.operations = 0};
        const array_part part[] = {ARRAY_PART(w.x, 2 * n), ARRAY_PART(w.f, 2 * n),
                                   ARRAY_PART(w.mode, p->o->nm)};
        void *block = ARRAYS(part);
        failed |= !block;
#pragma omp for schedule(dynamic, 4)
        for (size_t ir = 0; ir < p->o->nr; ir++)
            if (block) {
                ell_row(p, ir, &w);
                if (ir < p->nr1) ess_row(p, ir, &w);
            }
        free(block);
#pragma omp critical(ell_stage)
        {
            stage->seconds += clock_thread() - start;
            stage->operations += w.operations;
        }
    }
    return !failed;
}

cgct_status separable_ell(separable_plan *p, inner_stage *stage, cgct_err *err)
{
    const inner_opts *o = p->o;
    if (!ell_alloc(p) || !ell_rows(p, stage))
        return cgct_fail(err, CGCT_E_NOMEM, "modes of L on %zu x %zu nodes: no memory", o->nr,
                         o->ns);
    return CGCT_OK;
}
