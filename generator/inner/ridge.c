/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factors sigma(q) and F(k) of the ridges as one-dimensional Hankel transforms: by
 * Gauss-Legendre panels, or by Filon weights where the momentum is so large that there would be too
 * many panels. */
#include "inner/ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/bessel.h"
#include "numerics/blas.h"
#include "numerics/filon.h"
#include "numerics/grid.h"
#include "numerics/quadrature.h"
#include "numerics/vmath.h"

/* e^-40 = 4e-18: where S and the wave functions are cut off. */
static const double RIDGE_EXPONENT = 40;
static const double RIDGE_R_MAX = 1e12; /* 1/GeV: end of the search for that radius */
/* F is tabulated with this relative step and interpolated through F_NODES nodes; the error is below
 * 1e-12 of its maximum (tests/inner/test_ridge.c). */
static const double F_SPACING = 0.02;
enum { F_NODES = 10, RIDGE_BLOCK = 128 };

/* Panels of 16 nodes; test_ridge.c measures 1e-12.  Widest: in phase of J_0, in units of 1/Qs and
 * of 1/eps, and relative to x, less so for the spline of a table, which has knots every few per
 * cent of r.  The first one, at 0, is narrower by PANEL_FIRST because of the logarithms there. */
enum { PANEL_NODES = 16 };
static const double PANEL_PHASE = 10, PANEL_QS = 1, PANEL_EPS = 4;
static const double PANEL_GROWTH = 3, PANEL_GROWTH_TABLE = 0.1, PANEL_FIRST = 1e-8;
static const double PANEL_REST = 0.001; /* a remainder this small joins the last panel */

/* q r beyond which sigma takes Filon weights, on a graded grid with these steps. */
static const double FILON_PHASE = 1e5;
static const double FILON_SPACING = 0.005, FILON_SCALE_Q = 0.02, FILON_STEP_QS = 0.02;
enum { FILON_DEGREE = 8 };

void ridge_profile(const dipole *d, double eps, double cut, size_t n, const double *delta,
                   double *f)
{
    for (size_t first = 0, nb; first < n; first += nb) {
        double r2[RIDGE_BLOCK], L[RIDGE_BLOCK];
        double z[2 * RIDGE_BLOCK], K0[2 * RIDGE_BLOCK], K1[2 * RIDGE_BLOCK];
        nb = n - first < RIDGE_BLOCK ? n - first : RIDGE_BLOCK;
        for (size_t j = 0; j < nb; j++) {
            double x = delta[first + j];
            r2[j] = x * x;
            z[j] = eps * x;
            z[nb + j] = cut * x;
        }
        dipole_lnS(d, nb, r2, L);
        bessel_K01(2 * nb, z, K0, K1);
        for (size_t j = 0; j < nb; j++) {
            double unit = vexp(L[j]) * M_PI / (eps * eps), xK1 = z[j] > 0 ? z[j] * K1[j] : 1;
            double log_ratio = z[j] > 0 ? K0[j] - K0[nb + j] : log(cut / eps);
            f[POL_T * n + first + j] = unit * (2 * log_ratio - xK1);
            f[POL_L * n + first + j] = unit * xK1;
        }
    }
}

/* r with -L(r) = RIDGE_EXPONENT */
static double ridge_last_radius(const dipole *d)
{
    double lo = 0, hi = 1 / sqrt(dipole_Qs2(d)), L = 0;
    for (; L > -RIDGE_EXPONENT && hi < RIDGE_R_MAX; hi *= 2) {
        double r2 = hi * hi;
        dipole_lnS(d, 1, &r2, &L);
    }
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi), r2 = mid * mid;
        dipole_lnS(d, 1, &r2, &L);
        if (L > -RIDGE_EXPONENT)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

/* out (nf, nk) = 2 pi int_0^last x dx J_0(k x) f(x), momenta k[nk] in rising order. */
typedef struct {
    const dipole *d;
    double eps, cut; /* f is ridge_profile, nf = NPOL; eps = 0: f is S, nf = 1 */
    double last;
    size_t nf, nk;
    const double *k;
    double *out;
} ridge_transform;

/* f (nf, n) at x[n] */
static void ridge_function(const ridge_transform *t, size_t n, const double *x, double *f)
{
    if (t->eps > 0) {
        ridge_profile(t->d, t->eps, t->cut, n, x, f);
        return;
    }
    for (size_t i = 0; i < n; i++) f[i] = x[i] * x[i];
    for (size_t first = 0, nb; first < n; first += nb) {
        double L[RIDGE_BLOCK];
        nb = n - first < RIDGE_BLOCK ? n - first : RIDGE_BLOCK;
        dipole_lnS(t->d, nb, f + first, L);
        for (size_t i = 0; i < nb; i++) f[first + i] = vexp(L[i]);
    }
}

/* Nodes and weights of int dx on [0,last] for momenta up to k. */
static cgct_status ridge_panels(const ridge_transform *t, double k, quad_rule *q, cgct_err *err)
{
    quad_gauss g;
    double growth = dipole_has_knots(t->d) ? PANEL_GROWTH_TABLE : PANEL_GROWTH;
    double widest =
        fmin(fmin(PANEL_PHASE / k, PANEL_QS / sqrt(dipole_Qs2(t->d))), PANEL_EPS / t->eps);
    CGCT_TRY(quad_gauss_init(&g, PANEL_NODES, err));
    cgct_status st = CGCT_OK;
    for (double x = 0, h = PANEL_FIRST * widest; x < t->last && st == CGCT_OK;
         h = fmin(widest, growth * x)) {
        double end = x + (1 + PANEL_REST) * h < t->last ? x + h : t->last;
        st = quad_append(q, &g, x, end, INFINITY);
        x = end;
    }
    return st == CGCT_OK ? st : cgct_fail(err, st, "ridges: no memory for nodes");
}

/* n momenta from `first` on by one rule; f (nf, x->n) holds the functions times weights x dx. */
static cgct_status ridge_sums(const ridge_transform *t, const quad_rule *x, const double *f,
                              size_t first, size_t n, cgct_err *err)
{
    int failed = 0;
#pragma omp parallel reduction(| : failed)
    {
        double *z = malloc(2 * x->n * sizeof *z), *J = z ? z + x->n : NULL;
        failed |= !z;
#pragma omp for schedule(static)
        for (size_t ik = first; ik < first + n; ik++) {
            if (!z) continue;
            for (size_t l = 0; l < x->n; l++) z[l] = t->k[ik] * x->x[l];
            bessel_J0(x->n, z, J);
            for (size_t i = 0; i < t->nf; i++)
                t->out[i * t->nk + ik] = 2 * M_PI * cblas_ddot((int)x->n, J, 1, f + i * x->n, 1);
        }
        free(z);
    }
    return failed ? cgct_fail(err, CGCT_E_NOMEM, "ridges at %zu momenta: no memory", n) : CGCT_OK;
}

/* n momenta from `first` on, none larger than k_max, share one rule. */
static cgct_status ridge_band(const ridge_transform *t, double k_max, size_t first, size_t n,
                              cgct_err *err)
{
    quad_rule x = {0};
    cgct_status st = ridge_panels(t, k_max, &x, err);
    double *f = st == CGCT_OK ? malloc(t->nf * x.n * sizeof *f) : NULL;
    if (st == CGCT_OK && !f) st = cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (f) {
        ridge_function(t, x.n, x.x, f);
        for (size_t i = 0; i < t->nf; i++)
            for (size_t l = 0; l < x.n; l++) f[i * x.n + l] *= x.w[l] * x.x[l];
        st = ridge_sums(t, &x, f, first, n, err);
    }
    free(f);
    quad_free(&x);
    return st;
}

/* Band by band, an octave of momenta each. */
static cgct_status ridge_by_panels(const ridge_transform *t, cgct_err *err)
{
    /* below this momentum Qs and eps limit the panels, not the phase */
    const double least = sqrt(dipole_Qs2(t->d)) + t->eps;
    for (size_t first = 0, n; first < t->nk; first += n) {
        double k_max = 2 * fmax(t->k[first], least);
        for (n = 1; first + n < t->nk && t->k[first + n] <= k_max;) n++;
        CGCT_TRY(ridge_band(t, k_max, first, n, err));
    }
    return CGCT_OK;
}

/* By Filon weights, which follow any number of oscillations; nf = 1, momenta up to k_max. */
static cgct_status ridge_by_filon(const ridge_transform *t, double k_max, cgct_err *err)
{
    const int zero = 0;
    double *y;
    size_t n;
    grid_steps steps = {FILON_SCALE_Q / k_max, FILON_SPACING,
                        FILON_STEP_QS / sqrt(dipole_Qs2(t->d)), INFINITY};
    CGCT_TRY(grid_graded(&steps, t->last, &n, &y, err));
    double *f = malloc(n * sizeof *f), *w = malloc(t->nk * n * sizeof *w);
    const filon_task weights = {n, t->nk, 1, y, t->k, &zero, FILON_DEGREE, NULL};
    cgct_status st = f && w ? filon_weights(&weights, w, err)
                            : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (st == CGCT_OK) {
        ridge_function(t, n, y, f);
        for (size_t j = 0; j < t->nk; j++) {
            double sum = 0;
            for (size_t l = 0; l < n; l++) sum += w[j * n + l] * f[l];
            t->out[j] = 2 * M_PI * sum;
        }
    }
    free(w);
    free(f);
    free(y);
    return st;
}

static cgct_status ridge_fill_sigma(ridge *r, const ridge_task *k, cgct_err *err)
{
    const ridge_transform t = {.d = k->d,
                               .last = ridge_last_radius(k->d),
                               .nf = 1,
                               .nk = r->nq,
                               .k = k->q,
                               .out = r->sigma};
    double q_max = sqrt(dipole_Qs2(k->d));
    for (size_t i = 0; i < r->nq; i++) q_max = fmax(q_max, k->q[i]);
    return q_max * t.last > FILON_PHASE ? ridge_by_filon(&t, q_max, err) : ridge_by_panels(&t, err);
}

static cgct_status ridge_fill_F(ridge *r, const ridge_task *k, cgct_err *err)
{
    const ridge_transform t = {.d = k->d,
                               .eps = k->eps,
                               .cut = k->cut,
                               .last = fmin(RIDGE_EXPONENT / k->eps, ridge_last_radius(k->d)),
                               .nf = NPOL,
                               .nk = r->nk,
                               .k = r->k,
                               .out = r->F};
    return ridge_by_panels(&t, err);
}

cgct_status ridge_init(ridge *r, const ridge_task *k, cgct_err *err)
{
    memset(r, 0, sizeof *r);
    if (!(k->cut > 0)) return CGCT_OK;
    grid_steps steps = {fmin(k->eps, sqrt(dipole_Qs2(k->d))), F_SPACING, INFINITY, INFINITY};
    CGCT_TRY(grid_graded(&steps, k->k_max, &r->nk, &r->k, err));
    r->nq = k->nq;
    r->sigma = malloc(r->nq * sizeof *r->sigma);
    r->F = malloc(NPOL * r->nk * sizeof *r->F);
    cgct_status st = r->sigma && r->F ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (st == CGCT_OK) st = ridge_fill_sigma(r, k, err);
    if (st == CGCT_OK) st = ridge_fill_F(r, k, err);
    if (st != CGCT_OK) ridge_free(r);
    return st;
}

void ridge_free(ridge *r)
{
    free(r->sigma);
    free(r->k);
    free(r->F);
    memset(r, 0, sizeof *r);
}

static void ridge_add_one(const ridge *r, double sigma, double k, double I[NPOL])
{
    double c[F_NODES];
    size_t n = r->nk < F_NODES ? r->nk : F_NODES, first = grid_window(r->nk, r->k, k, n);
    grid_lagrange(n, r->k + first, k, c);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t i = 0; i < n; i++) I[pol] += sigma * c[i] * r->F[pol * r->nk + first + i];
}

void ridge_add(const ridge *r, size_t iq, double k1, double k2, double I[NPOL])
{
    if (!r->nk) return;
    ridge_add_one(r, r->sigma[iq], k1, I);
    ridge_add_one(r, r->sigma[iq], k2, I);
}
