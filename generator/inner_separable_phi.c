/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phi_{k,m}(Delta,s) = int dalpha cos(m alpha) psi(r).psi(r') u_k(A), alpha = angle(s,Delta):
 * evaluated on fine nodes graded towards the centres of the wave functions and projected once onto
 * the coarse s grid by local polynomials, so that only these one-dimensional factors see the fine
 * quadrature. */

#include <math.h>
#include <string.h>

#include "bessel.h"
#include "grid.h"
#include "blas.h"
#include "separable_impl.h"

static const double RADIAL_RATIO = 4;       /* as in angle_rules.c */
static const double CENTRE_MIN = 2e-6;      /* innermost panel, relative to the centre's radius */
static const double CLOSE = 1. / 64;        /* where fewer nodes per panel suffice, likewise */
static const double EXPONENT_PER_PANEL = 8; /* of K(eps r) K(eps r') */
static const double WIDTH_PER_PANEL = 2.5;  /* in units of 1/Qs: Gaussian fall of u_k(A) */
static const double GROWTH = 2;             /* of panels beyond the centres */
static const double TABLE_GROWTH = 1.2;     /* splines jump in their third derivative */
static const double R2_MIN = 1e-280;
enum { PROJECTION_NODES = 7 };

/* Radii of the centres: r' = 0 at angle 0, r = 0 at angle pi (in the midpoint frame both are folded
 * to 0). */
static double centre(const separable_plan *p, double delta, int end)
{
    return end ? (1 - p->o->lam) * delta : p->o->lam * delta;
}

/* [a,b] graded towards the centre at one end; few nodes where hardly any area is left. */
static cgct_status towards(const separable_plan *p, double a, double b, int end, double c,
                           double hmax, quad_rule *q)
{
    double near = fmin(CLOSE * c, 0.5 * (b - a)), mid = end ? b - near : a + near;
    const quad_gauss *close = &p->gauss_close, *far = &p->gauss;
    if (!(b > a)) return CGCT_OK;
    if (!end) CGCT_TRY(quad_append_graded(q, close, a, mid, 0, CENTRE_MIN * c, RADIAL_RATIO, hmax));
    for (int i = 0; i < 62; i++) { /* panels [a + d, a + ratio d], mirrored for the other end */
        int step = end ? 61 - i : i;
        double lo = near * pow(RADIAL_RATIO, step), hi = fmin(lo * RADIAL_RATIO, b - a);
        if (lo >= b - a) continue;
        CGCT_TRY(end ? quad_append(q, far, b - hi, b - lo, hmax)
                     : quad_append(q, far, a + lo, a + hi, hmax));
    }
    if (end) CGCT_TRY(quad_append_graded(q, close, mid, b, 1, CENTRE_MIN * c, RADIAL_RATIO, hmax));
    return CGCT_OK;
}

static cgct_status radial_nodes(const separable_plan *p, double delta, quad_rule *q)
{
    double c0 = centre(p, delta, 0), c1 = centre(p, delta, 1), smax = p->o->s[p->o->ns - 1];
    double lo = fmin(fmin(c0, c1), smax), hi = fmin(fmax(c0, c1), smax), mid = 0.5 * (lo + hi);
    double hmax =
        fmin(EXPONENT_PER_PANEL / (2 * p->o->eps), WIDTH_PER_PANEL / sqrt(dipole_Qs2(p->d)));
    double growth = dipole_kind_of(p->d) == DIPOLE_TABLE ? TABLE_GROWTH : GROWTH;
    quad_clear(q);
    CGCT_TRY(towards(p, 0, lo, 1, lo, hmax, q));
    if (hi > lo) {
        CGCT_TRY(towards(p, lo, mid, 0, fmax(lo, 1e-3 * hi), hmax, q));
        CGCT_TRY(towards(p, mid, hi, 1, hi, hmax, q));
    }
    double a = hi, b = fmin(2 * hi, smax);
    CGCT_TRY(towards(p, a, b, 0, hi, hmax, q));
    for (a = b; a < smax; a = b) {
        b = fmin(growth * a, smax);
        CGCT_TRY(quad_append(q, &p->gauss, a, b, hmax));
    }
    return CGCT_OK;
}

/* How close the nearest centre is, as an imaginary angle, and at which end. */
static double distance(const separable_plan *p, double delta, double s, int *end)
{
    double best = INFINITY;
    *end = 0;
    for (int e = 0; e < 2; e++) {
        double c = centre(p, delta, e), t = c > 0 ? fabs(log(s / c)) : INFINITY;
        if (t < best) best = t, *end = p->symmetric ? 0 : e;
    }
    return best;
}

/* Own modes of the smooth factors: exp(-eps(r+r')) and exp(A) act as exp(z cos alpha). */
static double smooth_modes(const separable_plan *p, double delta, double s)
{
    double c0 = centre(p, delta, 0), c1 = centre(p, delta, 1), L[4];
    double r2[4] = {(s - c0) * (s - c0), (s + c1) * (s + c1), (s + c0) * (s + c0),
                    (s - c1) * (s - c1)};
    dipole_lnS(p->d, 4, r2, L);
    double turn = 0.5 * fabs(L[0] + L[1] - L[2] - L[3]);
    double z = p->o->eps * fmin(s, c0 + c1) + fmin(turn, 40);
    return 8 + sqrt(2 * p->angles.decay * z);
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

/* Spread weight * mode (nm, ncol) of one fine node over the coarse nodes around it. */
static void project(const separable_plan *p, double s, double weight, size_t nm, const double *mode,
                    separable_work *w)
{
    const inner_opts *o = p->o;
    double c[PROJECTION_NODES];
    size_t first = grid_window(o->ns, o->s, s, PROJECTION_NODES);
    grid_lagrange(PROJECTION_NODES, o->s + first, s, c);
    for (size_t im = 0; im < nm; im++) {
        if (first < w->lo[im]) w->lo[im] = first;
        if (first + PROJECTION_NODES > w->hi[im]) w->hi[im] = first + PROJECTION_NODES;
        double *phi = w->phi + (im * o->ns + first) * w->ncol;
        const double *v = mode + im * w->ncol;
        for (int k = 0; k < PROJECTION_NODES; k++, phi += w->ncol)
            for (size_t i = 0; i < w->ncol; i++) phi[i] += weight * c[k] * v[i];
    }
}

/* b (n, m) = a (m, n) transposed; BLAS's kernels for small products are faster untransposed. */
static void transpose(size_t m, size_t n, const double *a, double *b)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) b[j * m + i] = a[i * n + j];
}

cgct_status separable_phi(const separable_plan *p, double delta, separable_work *w)
{
    const inner_opts *o = p->o;
    double d =
        fmax(delta, 1e-9 * o->s[o->ns - 1]); /* the limit Delta -> 0; P_k dB vanishes there */
    CGCT_TRY(radial_nodes(p, d, &w->s));
    memset(w->P, 0, w->ncol * sizeof *w->P);
    for (size_t im = 0; im < o->nm; im++) {
        if (w->hi[im] > w->lo[im]) {
            size_t n = (w->hi[im] - w->lo[im]) * w->ncol;
            memset(w->phi + (im * o->ns + w->lo[im]) * w->ncol, 0, n * sizeof *w->phi);
        }
        w->lo[im] = o->ns;
        w->hi[im] = 0;
    }
    size_t buffer = separable_angle_buffer(p);
    double *F = w->angle + (12 + SKELETON_RANK_MAX) * buffer, *mode = F + w->ncol * buffer,
           *turned = mode + o->nm * w->ncol;
    for (size_t i = 0; i < w->s.n; i++) {
        int end;
        double s = w->s.x[i], t = distance(p, d, s, &end), own = smooth_modes(p, d, s);
        const angle_rule *a = angle_any(&p->angles, t, end, own);
        size_t nm = angle_modes(&p->angles, o->m, t, own);
        integrand(p, d, s, a, w->angle, F);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)w->ncol, (int)nm, (int)a->n, 1,
                    F, (int)a->n, a->weight, (int)o->nm, 0, turned, (int)nm);
        transpose(w->ncol, nm, turned, mode);
        project(p, s, s * w->s.w[i], nm, mode, w);
        for (size_t c = 0; c < w->ncol; c++) w->P[c] += s * w->s.w[i] * mode[c];
    }
    return CGCT_OK;
}
