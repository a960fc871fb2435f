/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phi_{k,m}(Delta,s) = int dalpha cos(m alpha) psi(r).psi(r') u_k(A), alpha = angle(s,Delta):
 * evaluated on fine nodes graded towards the centres of the wave functions and projected once onto
 * the coarse s grid by local polynomials, so that only these one-dimensional factors see the fine
 * quadrature. */

#include <math.h>
#include <string.h>

#include "numerics/bessel.h"
#include "numerics/grid.h"
#include "numerics/blas.h"
#include "inner/separable_impl.h"
#include "numerics/vmath.h"

enum { RADIAL_POWER = 2, RADIAL_RATIO = 1 << RADIAL_POWER }; /* as in quadrature.c */
static const double CENTRE_MIN = 2e-6;      /* innermost panel, relative to the centre's radius */
static const double CLOSE = 1. / 64;        /* where fewer nodes per panel suffice, likewise */
static const double EXPONENT_PER_PANEL = 8; /* of K(eps r) K(eps r') */
static const double WIDTH_PER_PANEL = 2.5;  /* in units of 1/Qs: Gaussian fall of u_k(A) */
static const double KNOTS_PER_PANEL = 0.1;  /* widest panel over s; splines jump at their knots */
static const double R2_MIN = 1e-280;

/* Radii of the centres: r' = 0 at angle 0, r = 0 at angle pi (in the midpoint frame both are folded
 * to 0). */
static double centre(const separable_plan *p, double delta, int end)
{
    return end ? (1 - p->o->lam) * delta : p->o->lam * delta;
}

/* The spline of a table has knots every few per cent of r. */
static double knots(const separable_plan *p, double s)
{
    return dipole_kind_of(p->d) == DIPOLE_TABLE ? KNOTS_PER_PANEL * s : INFINITY;
}

/* [a,b] graded towards the centre at one end; few nodes where hardly any area is left. */
static cgct_status towards(const separable_plan *p, double a, double b, int end, double c,
                           double hmax, quad_rule *q)
{
    double near = fmin(CLOSE * c, 0.5 * (b - a)), mid = end ? b - near : a + near;
    const quad_gauss *close = &p->gauss_close, *far = &p->gauss;
    const quad_grading grading = {end, CENTRE_MIN * c, RADIAL_RATIO, hmax};
    if (!(b > a)) return CGCT_OK;
    if (!end) CGCT_TRY(quad_append_graded(q, close, a, mid, &grading));
    int steps = 0;
    for (double lo = near; lo < b - a && steps < 62; lo *= RADIAL_RATIO) steps++;
    for (int i = 0; i < steps; i++) { /* panels [a + d, a + ratio d], mirrored for the other end */
        int step = end ? steps - 1 - i : i;
        double lo = ldexp(near, RADIAL_POWER * step), hi = fmin(lo * RADIAL_RATIO, b - a);
        double left = end ? b - hi : a + lo, right = end ? b - lo : a + hi;
        CGCT_TRY(quad_append(q, far, left, right, fmin(hmax, knots(p, right))));
    }
    if (end) CGCT_TRY(quad_append_graded(q, close, mid, b, &grading));
    return CGCT_OK;
}

cgct_status separable_radial_nodes(const separable_plan *p, double delta, quad_rule *q)
{
    double c0 = centre(p, delta, 0), c1 = centre(p, delta, 1), smax = p->o->s[p->o->ns - 1];
    double lo = fmin(fmin(c0, c1), smax), hi = fmin(fmax(c0, c1), smax), mid = 0.5 * (lo + hi);
    double hmax =
        fmin(EXPONENT_PER_PANEL / (2 * p->o->eps), WIDTH_PER_PANEL / sqrt(dipole_Qs2(p->d)));
    quad_clear(q);
    CGCT_TRY(towards(p, 0, lo, 1, lo, hmax, q));
    if (hi > lo) {
        CGCT_TRY(towards(p, lo, mid, 0, fmax(lo, 1e-3 * hi), hmax, q));
        CGCT_TRY(towards(p, mid, hi, 1, hi, hmax, q));
    }
    double a = hi, b = fmin(2 * hi, smax);
    CGCT_TRY(towards(p, a, b, 0, hi, hmax, q));
    for (a = b; a < smax; a = b) {
        b = fmin(2 * a, smax);
        CGCT_TRY(quad_append(q, &p->gauss, a, b, fmin(hmax, knots(p, a))));
    }
    return CGCT_OK;
}

enum { BLOCK = 128 };
static const double OWN_MODES = 8, TURN_MAX = 40;

/* turn (n): half of what A changes by from alpha = 0 to pi; nothing in the midpoint frame. */
static void turns(const separable_plan *p, double c0, double c1, size_t n, const double *s,
                  double *turn)
{
    double r2[4 * BLOCK], L[4 * BLOCK];
    memset(turn, 0, n * sizeof *turn);
    if (c0 == c1) return;
    for (size_t i = 0; i < n; i++) {
        r2[i] = (s[i] - c0) * (s[i] - c0);
        r2[n + i] = (s[i] + c1) * (s[i] + c1);
        r2[2 * n + i] = (s[i] + c0) * (s[i] + c0);
        r2[3 * n + i] = (s[i] - c1) * (s[i] - c1);
    }
    dipole_lnS(p->d, 4 * n, r2, L);
    for (size_t i = 0; i < n; i++)
        turn[i] = fmin(0.5 * fabs(L[i] + L[n + i] - L[2 * n + i] - L[3 * n + i]), TURN_MAX);
}

/* F (ncol, n): psi(r).psi(r') u_k(A) on the nodes of one rule. */
static void integrand(const separable_plan *p, double delta, double s, const angle_rule *a,
                      double *buf, double *F)
{
    size_t n = a->n, rank = (size_t)p->w.rank;
    double c0 = centre(p, delta, 0), c1 = centre(p, delta, 1), lam = p->o->lam, eps = p->o->eps;
    double *r2 = buf, *z = r2 + 2 * n, *K0 = z + 2 * n, *K1 = K0 + 2 * n, *L = K1 + 2 * n;
    double *psi = L + 2 * n, *u = psi + 2 * n;
    for (size_t j = 0; j < n; j++) {
        double hav = a->hav[j];
        double b0 = (s - c0) * (s - c0) + 4 * s * c0 * hav;
        double b1 = (s - c1) * (s - c1) + 4 * s * c1 * (1 - hav);
        r2[j] = fmax(b0, R2_MIN);
        r2[n + j] = fmax(b1, R2_MIN);
        psi[j] = s * s + (1 - 2 * lam) * s * delta * (1 - 2 * hav) - c0 * c1;
    }
    for (size_t j = 0; j < 2 * n; j++) z[j] = eps * sqrt(r2[j]);
    bessel_K01(2 * n, z, K0, K1);
    dipole_lnS(p->d, 2 * n, r2, L);
    for (size_t j = 0; j < n; j++) {
        psi[j] *= K1[j] * K1[n + j] * (eps * eps) / (z[j] * z[n + j]);
        psi[n + j] = K0[j] * K0[n + j];
        L[j] += L[n + j];
    }
    skeleton_u(&p->w, n, L, u);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t k = 0; k < rank; k++)
            for (size_t j = 0; j < n; j++)
                F[(pol * rank + k) * n + j] = psi[pol * n + j] * u[k * n + j];
}

/* One panel of the fine quadrature, and the Lagrange polynomials p_i of its nodes. */
typedef struct {
    int n;
    double mid, half, bary[64];
    const double *x, *node; /* of s; of [-1,1] */
} panel;

static panel panel_of(const separable_plan *p, const double *x, const double *w, int n)
{
    const quad_gauss *g = n == p->gauss.n ? &p->gauss : &p->gauss_close;
    panel k = {.n = n, .mid = 0.5 * (x[0] + x[n - 1]), .x = x, .node = g->x};
    for (int i = 0; i < n; i++) {
        k.half += w[i] / 2;
        k.bary[i] = (i & 1 ? -1 : 1) * sqrt((1 - g->x[i] * g->x[i]) * g->w[i]);
    }
    return k;
}

/* s_i p_i(s) */
static void panel_polynomials(const panel *k, double s, double *v)
{
    double t = (s - k->mid) / k->half, sum = 0;
    for (int i = 0; i < k->n; i++) sum += v[i] = k->bary[i] / (t - k->node[i] + 1e-300);
    for (int i = 0; i < k->n; i++) v[i] *= k->x[i] / sum;
}

/* c (n, nj): int over the panel of s_i p_i(s) l_j(s), l_j the coarse interpolation of nodes
 * first..first+nj-1, which has a kink at every one of them: Gauss rules on each coarse cell make
 * the product exact. */
static size_t product_weights(const separable_plan *p, const panel *k, size_t *first, double *c)
{
    const inner_opts *o = p->o;
    const quad_gauss *g = &p->gauss;
    double a = k->mid - k->half, b = k->mid + k->half, v[64], l[SEPARABLE_NODES];
    *first = grid_window(o->ns, o->s, a, SEPARABLE_NODES);
    size_t nj = grid_window(o->ns, o->s, b, SEPARABLE_NODES) + SEPARABLE_NODES - *first;
    size_t j = *first;
    memset(c, 0, (size_t)k->n * nj * sizeof *c);
    while (j < o->ns && o->s[j] <= a) j++;
    for (double lo = a, hi; lo < b; lo = hi, j++) {
        hi = j < o->ns && o->s[j] < b ? o->s[j] : b;
        size_t f = grid_window(o->ns, o->s, 0.5 * (lo + hi), SEPARABLE_NODES);
        for (int q = 0; q < g->n; q++) {
            double s = lo + 0.5 * (hi - lo) * (1 + g->x[q]), ds = 0.5 * (hi - lo) * g->w[q];
            panel_polynomials(k, s, v);
            grid_lagrange(SEPARABLE_NODES, o->s + f, s, l);
            for (int i = 0; i < k->n; i++)
                for (int r = 0; r < SEPARABLE_NODES; r++)
                    c[(size_t)i * nj + f - *first + (size_t)r] += ds * v[i] * l[r];
        }
    }
    return nj;
}

/* c (n, KINK_NODES): the same with the Lagrange polynomials of the Gauss nodes of one cell, over
 * the part [a,b] of the panel that lies in it. */
static void cell_weights(const separable_plan *p, const panel *k, size_t cell, double a, double b,
                         double *c)
{
    double node[KINK_NODES], ds, v[64], l[KINK_NODES];
    for (size_t i = 0; i < KINK_NODES; i++) node[i] = p->cell[cell * KINK_NODES + i].s;
    memset(c, 0, (size_t)k->n * KINK_NODES * sizeof *c);
    for (int q = 0; q < p->gauss.n; q++) {
        double s = a + 0.5 * (b - a) * (1 + p->gauss.x[q]);
        ds = 0.5 * (b - a) * p->gauss.w[q];
        panel_polynomials(k, s, v);
        grid_lagrange(KINK_NODES, node, s, l);
        for (int i = 0; i < k->n; i++)
            for (int r = 0; r < KINK_NODES; r++) c[i * KINK_NODES + r] += ds * v[i] * l[r];
    }
}

/* Where panel and cell meet. */
static int meet(const separable_plan *p, const panel *k, size_t cell, double *a, double *b)
{
    *a = fmax(k->mid - k->half, p->o->s[cell]);
    *b = fmin(k->mid + k->half, p->o->s[cell + 1]);
    return *b > *a;
}

/* The modes (n, nm, ncol) of one panel on the cells next to a centre. */
static void project_near(const separable_plan *p, const panel *k, size_t nm, const double *mode,
                         double *c, const separable_work *w, const separable_near *near)
{
    for (size_t cell = near->first; cell < near->first + near->n; cell++) {
        double a, b;
        if (!meet(p, k, cell, &a, &b)) continue;
        cell_weights(p, k, cell, a, b, c);
        for (size_t im = 0; im < nm; im++)
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, KINK_NODES, (int)w->ncol, k->n, 1,
                        c, KINK_NODES, mode + im * w->ncol, (int)(p->o->nm * w->ncol), 1,
                        near->phi + (im * NEAR_CELLS + cell - near->first) * KINK_NODES * w->ncol,
                        (int)w->ncol);
    }
}

/* Spread the modes (n, nm, ncol) on the nodes of one panel over the coarse nodes around it. */
static void project(const separable_plan *p, const panel *k, size_t nm, const double *mode,
                    double *c, separable_work *w)
{
    const inner_opts *o = p->o;
    size_t first, nj = product_weights(p, k, &first, c), row = o->nm * w->ncol;
    for (size_t im = 0; im < nm; im++) {
        if (first < w->lo[im]) w->lo[im] = first;
        if (first + nj > w->hi[im]) w->hi[im] = first + nj;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)nj, (int)w->ncol, k->n, 1, c,
                    (int)nj, mode + im * w->ncol, (int)row, 1,
                    w->phi + (im * o->ns + first) * w->ncol, (int)w->ncol);
    }
    for (size_t e = 0; e < w->nnear; e++) project_near(p, k, nm, mode, c, w, &w->near[e]);
}

/* One range where the two would overlap. */
size_t separable_near_cells(const separable_plan *p, double delta, size_t first[2])
{
    const inner_opts *o = p->o;
    size_t n = 0;
    for (int e = 0; e < (p->symmetric ? 1 : 2); e++) {
        double c = centre(p, delta, e);
        size_t at = grid_window(o->ns, o->s, c, 2), from = at - NEAR_CELLS / 2;
        if (!(c < o->s[o->ns - 1]) || at < NEAR_CELLS || at + NEAR_CELLS >= o->ns) continue;
        if (n && from < first[0] + NEAR_CELLS && first[0] < from + NEAR_CELLS) continue;
        first[n++] = from;
    }
    return n;
}

static void clear_near(const separable_plan *p, double delta, separable_work *w)
{
    size_t first[2], cells = p->o->nm * NEAR_CELLS * KINK_NODES * w->ncol;
    w->nnear = separable_near_cells(p, delta, first);
    for (size_t e = 0; e < w->nnear; e++) {
        w->near[e].first = first[e];
        w->near[e].n = NEAR_CELLS;
        memset(w->near[e].phi, 0, cells * sizeof *w->near[e].phi);
    }
}

/* Singular at the nearer centre; the smooth factors exp(-eps(r+r')) and exp(A) act as
 * exp(z cos alpha). */
void separable_alpha_choices(const separable_plan *p, double delta, size_t n, const double *s,
                             separable_choice *c)
{
    double c0 = centre(p, delta, 0), c1 = centre(p, delta, 1), turn[BLOCK], ln[BLOCK];
    double ln0 = c0 > 0 ? log(c0) : INFINITY, ln1 = c1 > 0 ? log(c1) : INFINITY;
    for (size_t first = 0, nb; first < n; first += nb, s += nb, c += nb) {
        nb = n - first < BLOCK ? n - first : BLOCK;
        turns(p, c0, c1, nb, s, turn);
        for (size_t i = 0; i < nb; i++) ln[i] = vlog(s[i]);
        for (size_t i = 0; i < nb; i++) {
            double t0 = fabs(ln[i] - ln0), t1 = fabs(ln[i] - ln1), t = t1 < t0 ? t1 : t0;
            double z = p->o->eps * (s[i] < c0 + c1 ? s[i] : c0 + c1) + turn[i];
            double own = sqrt(2 * p->angles.decay * z);
            double b = angle_bandwidth(&p->angles, t, OWN_MODES + own);
            c[i].rule = (uint16_t)angle_any(&p->angles, t, !p->symmetric && t1 < t0, b);
            c[i].nm = (uint16_t)angle_modes(&p->angles, b);
        }
    }
}

/* b (n, m) = a (m, n) transposed; BLAS's kernels for small products are faster untransposed. */
static void transpose(size_t m, size_t n, const double *a, double *b)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) b[j * m + i] = a[i * n + j];
}

/* Modes on the nodes of the panel that starts at node i0, and what they add to phi and P. */
static void one_panel(const separable_plan *p, double d, size_t i0, separable_work *w)
{
    const inner_opts *o = p->o;
    size_t buffer = separable_angle_buffer(p), row = o->nm * w->ncol, most = 0;
    double *F = w->angle + (12 + SKELETON_RANK_MAX) * buffer, *turned = F + w->ncol * buffer;
    int n = w->s.panel[i0];
    separable_choice choice[RADIAL_NODES];
    memset(w->panel, 0, (size_t)n * row * sizeof *w->panel);
    separable_alpha_choices(p, d, (size_t)n, w->s.x + i0, choice);
    for (size_t i = i0; i < i0 + (size_t)n; i++) {
        size_t nm = choice[i - i0].nm;
        double s = w->s.x[i], *mode = w->panel + (i - i0) * row;
        const angle_rule *a = &p->angles.rule[choice[i - i0].rule];
        most = nm > most ? nm : most;
        integrand(p, d, s, a, w->angle, F);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)w->ncol, (int)nm, (int)a->n, 1,
                    F, (int)a->n, a->weight, (int)o->nm, 0, turned, (int)nm);
        transpose(w->ncol, nm, turned, mode);
        for (size_t c = 0; c < w->ncol; c++) w->P[c] += s * w->s.w[i] * mode[c];
    }
    panel k = panel_of(p, w->s.x + i0, w->s.w + i0, n);
    project(p, &k, most, w->panel, w->panel + RADIAL_NODES * row, w);
}

cgct_status separable_phi(const separable_plan *p, double delta, separable_work *w)
{
    const inner_opts *o = p->o;
    double d = separable_delta(p, delta);
    CGCT_TRY(separable_radial_nodes(p, d, &w->s));
    clear_near(p, d, w);
    memset(w->P, 0, w->ncol * sizeof *w->P);
    for (size_t im = 0; im < o->nm; im++) {
        if (w->hi[im] > w->lo[im]) {
            size_t n = (w->hi[im] - w->lo[im]) * w->ncol;
            memset(w->phi + (im * o->ns + w->lo[im]) * w->ncol, 0, n * sizeof *w->phi);
        }
        w->lo[im] = o->ns;
        w->hi[im] = 0;
    }
    for (size_t i = 0; i < w->s.n; i += (size_t)w->s.panel[i]) one_panel(p, d, i, w);
    return CGCT_OK;
}
