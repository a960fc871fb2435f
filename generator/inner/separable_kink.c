/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes l_m(R,s) across s = R, where they have a kink |s-R|^(p+1) and, for large m, the shape
 * e^{-m |s-R|/R}: no polynomial through the coarse nodes follows either.  What their interpolation
 * loses is tabulated at Gauss nodes of the cells about R.  Where phi is smooth, three moments of it
 * go back onto the three nodes about R, so that
 *
 *   sum_j l_j W_j(p) = int l_m(R,s) p(s) ds,   p = 1, s - R, (s - R)^2,   W_j(p) = int lambda_j p
 * ds,
 *
 * lambda_j the coarse interpolation.  Next to a centre of the wave functions phi is as rough as
 * l_m: there the loss is integrated against phi itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/grid.h"
#include "inner/separable_impl.h"
#include "numerics/vmath.h"

/* Values of 1, t, t^2. */
static void powers(double t, double v[KINK_MOMENTS])
{
    v[0] = 1;
    v[1] = t;
    v[2] = t * t;
}

/* M[r][k] = W_{at-1+k}(t^r) over cells first..last-1, t = (s - R)/h. */
static void moments(const separable_plan *p, size_t first, size_t last, size_t at, double h,
                    double M[KINK_MOMENTS][KINK_MOMENTS])
{
    memset(M, 0, KINK_MOMENTS * sizeof *M);
    for (size_t c = first * KINK_NODES; c < last * KINK_NODES; c++) {
        const separable_cell *q = &p->cell[c];
        double v[KINK_MOMENTS];
        powers((q->s - p->o->s[at]) / h, v);
        for (size_t k = 0; k < KINK_MOMENTS; k++) {
            size_t j = at - 1 + k - q->window; /* wraps below the window */
            if (j >= SEPARABLE_NODES) continue;
            for (int r = 0; r < KINK_MOMENTS; r++) M[r][k] += q->ds * v[r] * q->lagrange[j];
        }
    }
}

/* lost (nm, KINK_CELLS KINK_NODES): l_m less its interpolation in the cells about R. */
static void tabulate(const separable_plan *p, size_t ir, size_t first, separable_ell_work *w,
                     double *lost)
{
    const inner_opts *o = p->o;
    for (size_t j = 0; j < KINK_CELLS * KINK_NODES; j++) {
        const separable_cell *q = &p->cell[first * KINK_NODES + j];
        size_t nm = separable_ell_modes(p, ir, q->s, q->ln, w);
        memset(w->mode + nm, 0, (o->nm - nm) * sizeof *w->mode);
        for (size_t im = 0; im < o->nm; im++) {
            const double *row = p->ell + (im * o->nr + ir) * o->ns + q->window;
            double d = w->mode[im];
            for (int k = 0; k < SEPARABLE_NODES; k++) d -= q->lagrange[k] * row[k];
            lost[im * p->kink_stride + j] = d;
        }
    }
}

/* x = M^{-1} y by Cramer's rule. */
static void solve(double M[KINK_MOMENTS][KINK_MOMENTS], const double y[KINK_MOMENTS],
                  double x[KINK_MOMENTS])
{
    double c[KINK_MOMENTS][KINK_MOMENTS], det = 0;
    for (int i = 0; i < KINK_MOMENTS; i++)
        for (int j = 0; j < KINK_MOMENTS; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, d = (j + 1) % 3, e = (j + 2) % 3;
            c[i][j] = M[a][d] * M[b][e] - M[a][e] * M[b][d];
        }
    for (int j = 0; j < KINK_MOMENTS; j++) det += M[0][j] * c[0][j];
    for (int j = 0; j < KINK_MOMENTS; j++)
        x[j] = (c[0][j] * y[0] + c[1][j] * y[1] + c[2][j] * y[2]) / det;
}

/* Node of s that is R[ir]; 0 where there is none with enough neighbours. */
static size_t node_of(const inner_opts *o, size_t ir)
{
    size_t at = grid_window(o->ns, o->s, o->r[ir], 2);
    at += o->r[ir] - o->s[at] > o->s[at + 1] - o->r[ir];
    int ok = fabs(o->s[at] - o->r[ir]) <= 1e-9 * o->r[ir] && at >= 2 * KINK_CELLS &&
             at + 2 * KINK_CELLS < o->ns;
    return ok ? at : 0;
}

cgct_status separable_kink_init(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    p->kink_stride = o->nr * KINK_CELLS * KINK_NODES;
    p->lost = calloc(o->nm * p->kink_stride, sizeof *p->lost);
    p->patch = calloc(o->nm * o->nr * KINK_MOMENTS, sizeof *p->patch);
    if (p->lost && p->patch) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "modes of L across s = R at %zu nodes: no memory", o->nr);
}

/* The Gauss nodes of all cells of s. */
static void fill_cells(separable_plan *p)
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

cgct_status separable_kink_nodes(separable_plan *p, cgct_err *err)
{
    const inner_opts *o = p->o;
    p->kink_node = malloc(o->nr * sizeof *p->kink_node);
    p->cell = malloc((o->ns - 1) * KINK_NODES * sizeof *p->cell);
    if (!p->kink_node || !p->cell)
        return cgct_fail(err, CGCT_E_NOMEM, "kinks at %zu nodes: no memory", o->nr);
    CGCT_TRY(quad_gauss_init(&p->gauss_cell, KINK_NODES, err));
    for (size_t ir = 0; ir < o->nr; ir++) p->kink_node[ir] = node_of(o, ir);
    fill_cells(p);
    return CGCT_OK;
}

int separable_kink_rule_at(const separable_plan *p, size_t ir, separable_kink_rule *k)
{
    const double *grid = p->o->s;
    size_t at = p->kink_node[ir];
    if (!at) return 0;
    double M[KINK_MOMENTS][KINK_MOMENTS], h = grid[at + 1] - grid[at];
    k->ir = (uint32_t)ir;
    k->at = (uint32_t)at;
    k->first = (uint32_t)((at - KINK_CELLS / 2) * KINK_NODES);
    moments(p, at - KINK_CELLS, at + KINK_CELLS, at, h, M);
    for (int r = 0; r < KINK_MOMENTS; r++) {
        double unit[KINK_MOMENTS] = {0}, x[KINK_MOMENTS];
        unit[r] = 1;
        solve(M, unit, x);
        for (int i = 0; i < KINK_MOMENTS; i++) k->inverse[i][r] = x[i];
    }
    return 1;
}

void separable_kink(separable_plan *p, size_t ir, separable_ell_work *w)
{
    const inner_opts *o = p->o;
    size_t at = p->kink_node[ir];
    if (!at) return;
    size_t first = at - KINK_CELLS / 2;
    double M[KINK_MOMENTS][KINK_MOMENTS], h = o->s[at + 1] - o->s[at];
    double *lost = p->lost + ir * KINK_CELLS * KINK_NODES;
    moments(p, at - KINK_CELLS, at + KINK_CELLS, at, h, M);
    tabulate(p, ir, first, w, lost);
    for (size_t im = 0; im < o->nm; im++) {
        double y[KINK_MOMENTS] = {0}, *x = p->patch + (im * o->nr + ir) * KINK_MOMENTS;
        for (size_t j = 0; j < KINK_CELLS * KINK_NODES; j++) {
            const separable_cell *q = &p->cell[first * KINK_NODES + j];
            double v[KINK_MOMENTS];
            powers((q->s - o->s[at]) / h, v);
            for (int r = 0; r < KINK_MOMENTS; r++)
                y[r] += q->ds * v[r] * lost[im * p->kink_stride + j];
        }
        solve(M, y, x);
        for (size_t k = 0; k < KINK_MOMENTS; k++)
            p->ell[(im * o->nr + ir) * o->ns + at - 1 + k] += x[k];
    }
}

/* Rows of R next to a centre: the loss against phi itself in place of its moments. */
void separable_kink_near(const separable_plan *p, const separable_work *w, size_t im)
{
    const inner_opts *o = p->o;
    size_t ncol = w->ncol, row = KINK_NODES * ncol;
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2;
        if (!at) continue;
        for (size_t e = 0; e < w->nnear; e++) {
            const separable_near *near = &w->near[e];
            if (first < near->first || first + KINK_CELLS > near->first + near->n) continue;
            double *R = w->R + (im * o->nr + ir) * ncol;
            cblas_dgemv(CblasRowMajor, CblasTrans, KINK_CELLS * KINK_NODES, (int)ncol, 1,
                        near->phi + (im * NEAR_CELLS + first - near->first) * row, (int)ncol,
                        p->lost + im * p->kink_stride + ir * KINK_CELLS * KINK_NODES, 1, 1, R, 1);
            cblas_dgemv(CblasRowMajor, CblasTrans, KINK_MOMENTS, (int)ncol, -1,
                        w->phi + (im * o->ns + at - 1) * ncol, (int)ncol,
                        p->patch + (im * o->nr + ir) * KINK_MOMENTS, 1, 1, R, 1);
        }
    }
}
