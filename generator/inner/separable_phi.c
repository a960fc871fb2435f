/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phi_{k,m}(Delta,s) = int dalpha cos(m alpha) psi(r).psi(r') u_k(A), alpha = angle(s,Delta), and
 * its integral P_k(Delta).
 *
 * The integrand is evaluated on fine nodes of s and projected once onto the coarse s grid by local
 * polynomials.  No other part of the builder sees the fine nodes. */
#include <math.h>
#include <string.h>

#include "inner/separable.h"
#include "numerics/bessel.h"
#include "numerics/blas.h"
#include "numerics/grid.h"
#include "numerics/vmath.h"

static const double R2_MIN = 1e-280; /* keeps K0 and K1 finite on a centre */
/* Between the ends of a larger swing e^A falls by more than e^-80: no more modes are needed. */
static const double SWING_MAX = 40;
static const double OWN_MODES = 8; /* of a product of functions that vary slowly */

/* ---- fine nodes of s ----
 *
 * Panels that grow away from the centres r = 0 and r' = 0 of the wave functions, and a rule for
 * logarithms next to them. */

/* Panels [a, 4a] away from a centre: 16 nodes leave 3^-32 of a singularity at 0. */
enum { RADIAL_POWER = 2, RADIAL_RATIO = 1 << RADIAL_POWER, STEPS_MAX = 62 }; /* 4^62: any range */
/* The panel at a centre is this share of its radius.  As functions of the distance d from it the
 * modes are P(d) + Q(d) ln d with P and Q analytic up to distances of the radius. */
static const double CENTRE_CLOSE = 1. / 64;
static const double CENTRE_SAME_NODE = 1e-9; /* a coarse node within this share is the centre */
/* No panel is wider than K(eps r) K(eps r') takes to fall by e^-8, or than 2.5/Qs, the scale of the
 * Gaussian u_k(A).  The error that is left, also of splines, whose knots need no narrower panels:
 * tests/inner/test_inner_direct.c. */
static const double EXPONENT_PER_PANEL = 8, WIDTH_PER_PANEL = 2.5;
/* Beyond S(r) S(r') = e^-80 no Gaussian is left in u_k(A), which is a power there. */
static const double POWER_FROM = 80;

/* Distance from a centre to the next coarse node below (end = 1) or above it. */
static double radial_next_node(const separable_plan *p, double centre, int end)
{
    const inner_opts *o = p->o;
    const double least = CENTRE_SAME_NODE * centre;
    size_t j = grid_window(o->ns, o->s, centre, 2) + 1;
    if (!end) {
        while (j + 1 < o->ns && o->s[j] - centre <= least) j++;
        return o->s[j] - centre;
    }
    while (j > 0 && centre - o->s[j] <= least) j--;
    return centre - o->s[j];
}

/* Appends [a,b] with a centre at a (end 0) or b (end 1): a panel of the rule for logarithms within
 * CENTRE_CLOSE of `scale` and one coarse cell, and panels that grow away from it. */
static void radial_append_from_centre(const separable_plan *p, double a, double b, double scale,
                                      int end, double hmax, quad_rule *q)
{
    if (!(b > a)) return;
    const double cell = radial_next_node(p, end ? b : a, end);
    const double near = fmin(fmin(CENTRE_CLOSE * scale, cell), b - a);
    const quad_gauss *log = &p->gauss_log[end];
    int steps = 0;
    for (double lo = near; lo < b - a && steps < STEPS_MAX; lo *= RADIAL_RATIO) steps++;
    if (!end) quad_append(q, log, a, a + near, INFINITY);
    for (int i = 0; i < steps; i++) { /* panels [a + d, a + ratio d], mirrored for the other end */
        int step = end ? steps - 1 - i : i;
        double lo = ldexp(near, RADIAL_POWER * step), hi = fmin(lo * RADIAL_RATIO, b - a);
        double left = end ? b - hi : a + lo, right = end ? b - lo : a + hi;
        quad_append(q, &p->gauss, left, right, hmax);
    }
    if (end) quad_append(q, log, b - near, b, INFINITY);
}

void separable_radial_nodes(const separable_plan *p, size_t id, quad_rule *q)
{
    const double delta = separable_delta(p, p->o->delta[id]), smax = p->o->s[p->o->ns - 1];
    double c0 = separable_centre(p, delta, 0), c1 = separable_centre(p, delta, 1);
    double lo = fmin(fmin(c0, c1), smax), hi = fmin(fmax(c0, c1), smax), mid = 0.5 * (lo + hi);
    double hmax_eps = EXPONENT_PER_PANEL / (2 * p->o->eps);
    double hmax = fmin(hmax_eps, WIDTH_PER_PANEL / sqrt(p->d->Qs2));
    q->n = 0;
    radial_append_from_centre(p, 0, lo, lo, 1, hmax, q);
    if (hi > lo) {
        radial_append_from_centre(p, lo, mid, lo > 0 ? lo : hi, 0, hmax, q);
        radial_append_from_centre(p, mid, hi, hi, 1, hmax, q);
    }
    double a = hi, b = fmin(2 * hi, smax);
    radial_append_from_centre(p, a, b, hi, 0, hmax, q);
    for (a = b; a < smax; a = b) {
        const double L = dipole_lnS_at(p->d, (a - hi) * (a - hi));
        b = fmin(2 * a, smax);
        quad_append(q, &p->gauss, a, b, -2 * L > POWER_FROM ? hmax_eps : hmax);
    }
}

/* ---- rules in alpha ---- */

void separable_swing(const separable_plan *p, double delta, size_t n, const double *x,
                     double *swing)
{
    double c0 = separable_centre(p, delta, 0), c1 = separable_centre(p, delta, 1);
    double r2[4 * SEPARABLE_BLOCK], L[4 * SEPARABLE_BLOCK];
    for (size_t i = 0; i < n; i++) {
        r2[i] = (x[i] + c1) * (x[i] + c1);
        r2[n + i] = (x[i] - c0) * (x[i] - c0);
        r2[2 * n + i] = p->symmetric ? x[i] * x[i] + c1 * c1 : (x[i] - c1) * (x[i] - c1);
        r2[3 * n + i] = (x[i] + c0) * (x[i] + c0);
    }
    dipole_lnS(p->d, (p->symmetric ? 3 : 4) * n, r2, L);
    if (p->symmetric) memcpy(L + 3 * n, L + 2 * n, n * sizeof *L);
    for (size_t i = 0; i < n; i++) {
        double change = (L[i] + L[n + i]) - (L[2 * n + i] + L[3 * n + i]);
        swing[i] = fmin(0.5 * fabs(change), SWING_MAX);
    }
}

/* The modes of exp(z cos x) fall like exp(-m^2/2z). */
double separable_smooth_modes(double decay, double swing)
{
    return OWN_MODES + sqrt(2 * decay * swing);
}

/* The nearest singularity is the nearer centre; the smooth factors exp(-eps(r+r')) and exp(A) vary
 * like exp(z cos alpha), A less so in the midpoint frame, where it is even about pi/2. */
void separable_alpha_choices(const separable_plan *p, size_t id, size_t n, const double *s,
                             separable_choice *c)
{
    const double delta = separable_delta(p, p->o->delta[id]);
    const size_t wanted = separable_orders(p, id);
    const double decay = p->share[id] * p->angles.decay;
    double c0 = separable_centre(p, delta, 0), c1 = separable_centre(p, delta, 1);
    double ln0 = c0 > 0 ? log(c0) : INFINITY, ln1 = c1 > 0 ? log(c1) : INFINITY;
    double swing[SEPARABLE_BLOCK] = {0}, ln[SEPARABLE_BLOCK];
    for (size_t first = 0, nb; first < n; first += nb, s += nb, c += nb) {
        nb = n - first < SEPARABLE_BLOCK ? n - first : SEPARABLE_BLOCK;
        if (!p->symmetric) separable_swing(p, delta, nb, s, swing);
        for (size_t i = 0; i < nb; i++) ln[i] = vlog(s[i]);
        for (size_t i = 0; i < nb; i++) {
            double t0 = fabs(ln[i] - ln0), t1 = fabs(ln[i] - ln1), t = t1 < t0 ? t1 : t0;
            double z = p->o->eps * (s[i] < c0 + c1 ? s[i] : c0 + c1) + swing[i];
            double smooth = separable_smooth_modes(decay, z), b = angle_bandwidth(decay, t, smooth);
            int m = p->o->m[wanted - 1] + (int)ceil(smooth);
            size_t nm = angle_modes(&p->angles, b);
            c[i].rule = (uint16_t)angle_any(&p->angles, t, !p->symmetric && t1 < t0, b,
                                            m < p->angles.m_max ? m : p->angles.m_max);
            c[i].nm = (uint16_t)(nm < wanted ? nm : wanted);
        }
    }
}

/* |r'|^2, |r|^2 and r.r' at the angles of one rule, of node i of these. */
static void phi_lengths(const separable_plan *p, double delta, double s, const angle_rule *a,
                        size_t i, size_t all, const separable_alpha_work *w)
{
    const size_t n = a->n;
    const double c0 = separable_centre(p, delta, 0), c1 = separable_centre(p, delta, 1);
    const double least0 = (s - c0) * (s - c0), least1 = (s - c1) * (s - c1);
    double *r2 = w->r2 + i * n, *other = r2 + all, *dot = w->psi + i * n;
    for (size_t j = 0; j < n; j++) {
        const double hav = a->hav[j];
        const double b0 = least0 + 4 * s * c0 * hav, b1 = least1 + 4 * s * c1 * (1 - hav);
        r2[j] = b0 > R2_MIN ? b0 : R2_MIN;
        other[j] = b1 > R2_MIN ? b1 : R2_MIN;
        dot[j] = s * s + (1 - 2 * p->o->lam) * s * delta * (1 - 2 * hav) - c0 * c1;
    }
}

/* F (count, ncol, n): psi(r).psi(r') u_k(A) at the n angles of one rule, for each of these s. */
static void phi_integrand(const separable_plan *p, double delta, size_t count, const double *s,
                          const angle_rule *a, const separable_alpha_work *w)
{
    const size_t n = a->n, rank = (size_t)p->w.rank, nu = p->nu, all = count * n;
    const double eps = p->o->eps;
    for (size_t i = 0; i < count; i++) phi_lengths(p, delta, s[i], a, i, all, w);
    for (size_t j = 0; j < 2 * all; j++) w->z[j] = eps * sqrt(w->r2[j]);
    bessel_K01(2 * all, w->z, w->K0, w->K1);
    dipole_lnS(p->d, 2 * all, w->r2, w->L);
    for (size_t j = 0; j < all; j++) {
        w->psi[j] *= w->K1[j] * w->K1[all + j] * (eps * eps) / (w->z[j] * w->z[all + j]);
        w->psi[all + j] = w->K0[j] * w->K0[all + j];
        w->L[j] += w->L[all + j];
    }
    skeleton_u(&p->w, all, w->L, w->u);
    if (nu > rank)
        for (size_t j = 0; j < all; j++) w->u[rank * all + j] = vexp(w->L[j]);
    for (size_t i = 0; i < count; i++)
        for (size_t pol = 0; pol < NPOL; pol++)
            for (size_t k = 0; k < nu; k++) {
                const size_t column = k < rank ? pol * rank + k : NPOL * rank + pol;
                double *F = w->F + (i * NPOL * nu + column) * n;
                const double *psi = w->psi + pol * all + i * n, *u = w->u + k * all + i * n;
                for (size_t j = 0; j < n; j++) F[j] = psi[j] * u[j];
            }
}

/* ---- projection on the coarse nodes of s, and on cells next to a centre ---- */

/* One panel of the fine quadrature, and what its Lagrange polynomials p_i need. */
typedef struct {
    const quad_gauss *rule;
    int n;
    double mid, half, bary[RADIAL_NODES];
    const double *x; /* of s */
} phi_panel;

static phi_panel phi_panel_of(const separable_plan *p, const double *x, const double *w, int n)
{
    const quad_gauss *g = separable_panel_rule(p, n, x);
    phi_panel k = {.rule = g, .n = n, .x = x};
    for (int i = 0; i < n; i++) {
        k.half += w[i] / 2;
        k.bary[i] = (i & 1 ? -1 : 1) * sqrt((1 - g->x[i] * g->x[i]) * g->w[i]);
    }
    k.mid = x[0] - k.half * g->x[0];
    return k;
}

/* n Lagrange polynomials l_j of `node`, and the first of them in rows of length `stride`. */
typedef struct {
    size_t n, stride;
    const double *node;
    double *c;
} phi_target;

/* c_ij += int_lo^hi s_i p_i(s) l_j(s), exact because the product is a polynomial. */
static void phi_add_weights(const separable_plan *p, const phi_panel *k, double lo, double hi,
                            const phi_target *to)
{
    const quad_gauss *g = &p->gauss_overlap;
    double v[RADIAL_NODES], l[KINK_NODES] = {0}, sum[RADIAL_NODES][KINK_NODES] = {{0}};
    /* The modes in a panel at a centre are no polynomials, but the rule integrates them times one:
     * there c_ij += w_i s_i l_j(s_i) of the nodes in [lo,hi). */
    for (int i = 0; i < k->n && k->rule != &p->gauss; i++) {
        if (!(k->x[i] >= lo && k->x[i] < hi)) continue;
        grid_lagrange(to->n, to->node, k->x[i], l);
        for (size_t r = 0; r < to->n; r++)
            to->c[(size_t)i * to->stride + r] += k->half * k->rule->w[i] * k->x[i] * l[r];
    }
    if (k->rule != &p->gauss) return;
    for (int q = 0; q < g->n; q++) {
        double s = lo + 0.5 * (hi - lo) * (1 + g->x[q]), ds = 0.5 * (hi - lo) * g->w[q];
        /* s_i p_i(s), by the barycentric formula; 1e-300 keeps it finite at a node */
        double t = (s - k->mid) / k->half, all = 0;
        for (int i = 0; i < k->n; i++) all += v[i] = k->bary[i] / (t - k->rule->x[i] + 1e-300);
        for (int i = 0; i < k->n; i++) v[i] *= k->x[i] / all;
        grid_lagrange(to->n, to->node, s, l);
        for (int i = 0; i < RADIAL_NODES; i++) {
            const double f = ds * v[i];
#pragma omp simd /* without it gcc makes vectors of i, by transposing */
            for (int r = 0; r < KINK_NODES; r++) sum[i][r] += f * l[r];
        }
    }
    for (size_t i = 0; i < RADIAL_NODES; i++)
        for (size_t r = 0; r < to->n; r++) to->c[i * to->stride + r] += sum[i][r];
}

/* c (n, nj): weights from the nodes of the panel to the coarse nodes *first..*first+nj-1, whose
 * interpolation has a kink at every one of them.  Returns nj. */
static size_t phi_coarse_weights(const separable_plan *p, const phi_panel *k, size_t *first,
                                 double *c)
{
    const inner_opts *o = p->o;
    double a = k->mid - k->half, b = k->mid + k->half;
    *first = grid_window(o->ns, o->s, a, SEPARABLE_NODES);
    size_t nj = grid_window(o->ns, o->s, b, SEPARABLE_NODES) + SEPARABLE_NODES - *first;
    size_t j = *first;
    memset(c, 0, (size_t)k->n * nj * sizeof *c);
    while (j < o->ns && o->s[j] <= a) j++;
    for (double lo = a, hi; lo < b; lo = hi, j++) {
        hi = j < o->ns && o->s[j] < b ? o->s[j] : b;
        size_t f = grid_window(o->ns, o->s, 0.5 * (lo + hi), SEPARABLE_NODES);
        phi_add_weights(p, k, lo, hi, &(phi_target){SEPARABLE_NODES, nj, o->s + f, c + f - *first});
    }
    return nj;
}

/* Spreads the same over the coarse nodes around it; returns the operations. */
static double phi_project(const separable_plan *p, const phi_panel *k, size_t nm,
                          const separable_work *w, const separable_part *c)
{
    const inner_opts *o = p->o;
    size_t first, nj = phi_coarse_weights(p, k, &first, w->panel_weight), width = nm * w->ncol;
    for (size_t j = 0, rows; j < nj; j += rows) {
        rows = nj - j < SPREAD_ROWS ? nj - j : SPREAD_ROWS;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)rows, (int)width, k->n, 1,
                    w->panel_weight + j, (int)nj, w->panel_mode, (int)width, 0, w->spread,
                    (int)width);
        for (size_t i = 0; i < rows * nm; i++) {
            const size_t row = (i % nm * o->ns + first + j + i / nm) * w->stride;
            const double *from = w->spread + i * w->ncol;
            for (size_t l = 0; l < w->plain; l++) c->phi[row + l] += from[l];
            for (size_t l = w->plain; l < w->ncol; l++) c->phi1[row + l - w->plain] += from[l];
        }
    }
    for (size_t im = 0; im < nm; im++) {
        separable_range *range = &c->range[im];
        if (first < range->s) range->s = first;
        if (first + nj > range->s_end) range->s_end = first + nj;
    }
    for (size_t e = 0; e < c->nnear * NEAR_CELLS; e++) { /* the cells next to a centre */
        const separable_near *near = &c->near[e / NEAR_CELLS];
        const size_t at = e % NEAR_CELLS, cell = near->first + at, row = o->nm * w->ncol;
        const double lo = fmax(k->mid - k->half, o->s[cell]);
        const double hi = fmin(k->mid + k->half, o->s[cell + 1]);
        double node[KINK_NODES];
        if (!(hi > lo)) continue;
        for (size_t i = 0; i < KINK_NODES; i++) node[i] = p->cell[cell * KINK_NODES + i].s;
        memset(w->panel_weight, 0, (size_t)k->n * KINK_NODES * sizeof *w->panel_weight);
        phi_add_weights(p, k, lo, hi, &(phi_target){KINK_NODES, KINK_NODES, node, w->panel_weight});
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, KINK_NODES, (int)width, k->n, 1,
                    w->panel_weight, KINK_NODES, w->panel_mode, (int)width, 1,
                    near->phi + at * KINK_NODES * row, (int)row);
    }
    return 2 * (double)k->n * (double)nj * (double)width;
}

size_t separable_near_cells(const separable_plan *p, double delta, size_t first[2])
{
    const inner_opts *o = p->o;
    size_t n = 0;
    for (int e = 0; e < (p->symmetric ? 1 : 2); e++) {
        double c = separable_centre(p, delta, e);
        size_t at = grid_window(o->ns, o->s, c, 2), from = at - NEAR_CELLS / 2;
        if (!(c < o->s[o->ns - 1]) || at < NEAR_CELLS || at + NEAR_CELLS >= o->ns) continue;
        if (n && from < first[0] + NEAR_CELLS && first[0] < from + NEAR_CELLS) continue;
        first[n++] = from;
    }
    return n;
}

/* ---- one column ---- */

/* Neighbouring nodes of s that share a rule, their most modes, and their rows of panel_mode, which
 * are `row` long and zero beyond these modes. */
typedef struct {
    size_t first, n;
    separable_choice choice;
    double *mode;
    size_t row;
} phi_alike;

/* Modes of F at these nodes, and what they add to P. */
static void phi_modes(const separable_plan *p, double d, const phi_alike *k,
                      const separable_work *w, double *P)
{
    const angle_rule *a = &p->angles.rule[k->choice.rule];
    const size_t ncol = w->ncol, nm = k->choice.nm;
    phi_integrand(p, d, k->n, w->s.x + k->first, a, &w->alpha);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(k->n * ncol), (int)nm, (int)a->n,
                1, w->alpha.F, (int)a->n, a->weight, (int)a->nm, 0, w->alpha.mode, (int)nm);
    for (size_t i = 0; i < k->n; i++) {
        double *mode = k->mode + i * k->row;
        double sds = w->s.x[k->first + i] * w->s.w[k->first + i];
        const double *from = w->alpha.mode + i * ncol * nm;
        /* BLAS's kernels for small products are faster untransposed */
        for (size_t c = 0; c < ncol; c++)
            for (size_t im = 0; im < nm; im++) mode[im * ncol + c] = from[c * nm + im];
        memset(mode + nm * ncol, 0, (k->row - nm * ncol) * sizeof *mode);
        for (size_t c = 0; c < ncol; c++) P[c] += sds * mode[c];
    }
}

/* Modes on the nodes of the panel that starts at node i0, and what they add to phi and P. */
static void phi_add_panel(const separable_plan *p, size_t id, size_t i0, separable_work *w,
                          const separable_part *to)
{
    const double d = separable_delta(p, p->o->delta[id]);
    double *operations = &w->stage[STAGE_PHI].operations;
    size_t most = 0, n = (size_t)w->s.panel[i0];
    separable_choice choice[RADIAL_NODES];
    separable_alpha_choices(p, id, n, w->s.x + i0, choice);
    for (size_t i = 0; i < n; i++) most = choice[i].nm > most ? choice[i].nm : most;
    for (size_t i = 0; i < n;) {
        const size_t row = most * w->ncol;
        phi_alike k = {i0 + i, 0, choice[i], w->panel_mode + i * row, row};
        for (; i < n && k.n < SEPARABLE_ALIKE && choice[i].rule == k.choice.rule; i++, k.n++)
            if (choice[i].nm > k.choice.nm) k.choice.nm = choice[i].nm;
        phi_modes(p, d, &k, w, to->P);
        *operations +=
            2 * (double)(k.n * w->ncol) * k.choice.nm * (double)p->angles.rule[k.choice.rule].n;
    }
    phi_panel k = phi_panel_of(p, w->s.x + i0, w->s.w + i0, (int)n);
    *operations += phi_project(p, &k, most, w, to);
}

/* Zeroes what the last Delta left in this column's phi, near and P. */
static void phi_clear(const separable_plan *p, size_t id, const separable_work *w,
                      separable_part *c)
{
    const inner_opts *o = p->o;
    const double delta = separable_delta(p, o->delta[id]);
    size_t first[2], row = o->nm * w->ncol, wanted = separable_orders(p, id) * w->ncol;
    c->nnear = separable_near_cells(p, delta, first);
    for (size_t e = 0; e < c->nnear; e++) {
        c->near[e].first = first[e];
        for (size_t i = 0; i < NEAR_CELLS * KINK_NODES; i++)
            memset(c->near[e].phi + i * row, 0, wanted * sizeof *c->near[e].phi);
    }
    memset(c->P, 0, w->ncol * sizeof *c->P);
    for (size_t im = 0; im < o->nm; im++) {
        separable_range *range = &c->range[im];
        for (size_t is = range->s; is < range->s_end; is++) {
            const size_t at = (im * o->ns + is) * w->stride;
            memset(c->phi + at, 0, w->plain * sizeof *c->phi);
            memset(c->phi1 + at, 0, (w->ncol - w->plain) * sizeof *c->phi1);
        }
        range->s = o->ns;
        range->s_end = 0;
    }
}

void separable_phi(const separable_plan *p, size_t id, separable_work *w, separable_part *c)
{
    separable_radial_nodes(p, id, &w->s);
    phi_clear(p, id, w, c);
    for (size_t i = 0; i < w->s.n; i += (size_t)w->s.panel[i]) phi_add_panel(p, id, i, w, c);
}
