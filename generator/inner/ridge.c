/* SPDX-License-Identifier: GPL-3.0-or-later */
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

static const double SPACING = 0.005, SCALE = 0.02; /* of the grid of sigma; scale over 1/momentum */
static const double K_SPACING = 0.02;
static const double EXPONENT = 40; /* e^-40: where S and the wave functions end */
/* Radial panels of 16 nodes: phase of J_0, units of 1/Qs and 1/eps, growth from a first one
 * at 0; the spline of a table has knots every few per cent of r. */
static const double PHASE = 10, WIDTH_QS = 1, WIDTH_EPS = 4, FIRST = 1e-8, GROWTH = 3,
                    GROWTH_TABLE = 0.1;
static const double PHASE_MAX = 1e5; /* q r beyond which panels would be too many */
enum { DEGREE = 8, PANEL_NODES = 16, K_NODES = 10, BLOCK = 128 };

void ridge_profile(const dipole *d, double eps, double cut, size_t n, const double *delta,
                   double *f)
{
    for (size_t first = 0, nb; first < n; first += nb) {
        double r2[BLOCK], L[BLOCK], z[2 * BLOCK], K0[2 * BLOCK], K1[2 * BLOCK];
        nb = n - first < BLOCK ? n - first : BLOCK;
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

/* r with -L(r) = EXPONENT */
static double last_radius(const dipole *d)
{
    double lo = 0, hi = 1 / sqrt(dipole_Qs2(d)), L = 0;
    for (; L > -EXPONENT && hi < 1e12; hi *= 2) {
        double r2 = hi * hi;
        dipole_lnS(d, 1, &r2, &L);
    }
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi), r2 = mid * mid;
        dipole_lnS(d, 1, &r2, &L);
        if (L > -EXPONENT)
            lo = mid;
        else
            hi = mid;
    }
    return hi;
}

/* out (n) = 2 pi int x dx J_0(k x) f(x) by Filon weights, f (nx): k x may be of any size. */
static cgct_status transform(size_t nx, const double *x, const double *f, size_t n, const double *k,
                             double *out, cgct_err *err)
{
    const int zero = 0;
    const filon_task t = {.nx = nx, .nq = n, .nm = 1, .x = x, .q = k, .m = &zero, .degree = DEGREE};
    double *w = malloc(n * nx * sizeof *w);
    if (!w) return cgct_fail(err, CGCT_E_NOMEM, "ridges at %zu momenta: no memory", n);
    cgct_status st = filon_weights(&t, w, err);
    for (size_t j = 0; st == CGCT_OK && j < n; j++) {
        double sum = 0;
        for (size_t l = 0; l < nx; l++) sum += w[j * nx + l] * f[l];
        out[j] = 2 * M_PI * sum;
    }
    free(w);
    return st;
}

static cgct_status sigma_by_filon(ridge *r, const dipole *d, const double *q, double most,
                                  double last, cgct_err *err)
{
    double Qs = sqrt(dipole_Qs2(d)), *y;
    size_t n;
    grid_steps steps = {SCALE / most, SPACING, 4 * SPACING / Qs, INFINITY};
    CGCT_TRY(grid_graded(&steps, last, &n, &y, err));
    double *S = malloc(2 * n * sizeof *S);
    cgct_status st = S ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (S) {
        for (size_t i = 0; i < n; i++) S[n + i] = y[i] * y[i];
        dipole_lnS(d, n, S + n, S);
        for (size_t i = 0; i < n; i++) S[i] = exp(S[i]);
        st = transform(n, y, S, r->nq, q, r->sigma, err);
    }
    free(S);
    free(y);
    return st;
}

/* Nodes and weights of int dx on [0,last] for momenta up to k. */
static cgct_status radial_rule(quad_rule *q, const dipole *d, double k, double eps, double last,
                               cgct_err *err)
{
    quad_gauss g;
    double growth = dipole_kind_of(d) == DIPOLE_TABLE ? GROWTH_TABLE : GROWTH;
    double widest = fmin(fmin(PHASE / k, WIDTH_QS / sqrt(dipole_Qs2(d))), WIDTH_EPS / eps);
    CGCT_TRY(quad_gauss_init(&g, PANEL_NODES, err));
    cgct_status st = CGCT_OK;
    for (double x = 0, h = FIRST * widest; x < last && st == CGCT_OK;
         h = fmin(widest, growth * x)) {
        double end = x + 1.001 * h < last ? x + h : last;
        st = quad_append(q, &g, x, end, INFINITY);
        x = end;
    }
    return st == CGCT_OK ? st : cgct_fail(err, st, "ridges: no memory for nodes");
}

/* out (nf, stride), of which n: 2 pi int x dx J_0(k x) f(x); f (nf, x->n) leaves times the weights
 * of x dx */
static cgct_status by_panels(const quad_rule *x, size_t nf, double *f, size_t n, const double *k,
                             size_t stride, double *out, cgct_err *err)
{
    int failed = 0, nx = (int)x->n;
    for (size_t i = 0; i < nf; i++)
        for (size_t l = 0; l < x->n; l++) f[i * x->n + l] *= x->w[l] * x->x[l];
#pragma omp parallel reduction(| : failed)
    {
        double *z = malloc(2 * x->n * sizeof *z), *J = z ? z + x->n : NULL;
        failed |= !z;
#pragma omp for schedule(static)
        for (size_t ik = 0; ik < n; ik++) {
            for (size_t l = 0; z && l < x->n; l++) z[l] = k[ik] * x->x[l];
            if (z) bessel_J0(x->n, z, J);
            for (size_t i = 0; z && i < nf; i++)
                out[i * stride + ik] = 2 * M_PI * cblas_ddot(nx, J, 1, f + i * x->n, 1);
        }
        free(z);
    }
    return failed ? cgct_fail(err, CGCT_E_NOMEM, "ridges at %zu momenta: no memory", n) : CGCT_OK;
}

/* Values (nf, n) of a function at x[n]. */
typedef struct {
    const dipole *d;
    double eps, cut; /* of F; eps = 0: sigma, which is the transform of S */
} integrand;

static void evaluate(const integrand *g, size_t n, const double *x, double *f)
{
    if (g->eps > 0) {
        ridge_profile(g->d, g->eps, g->cut, n, x, f);
        return;
    }
    for (size_t first = 0, nb; first < n; first += nb) {
        double r2[BLOCK], L[BLOCK];
        nb = n - first < BLOCK ? n - first : BLOCK;
        for (size_t i = 0; i < nb; i++) r2[i] = x[first + i] * x[first + i];
        dipole_lnS(g->d, nb, r2, L);
        for (size_t i = 0; i < nb; i++) f[first + i] = vexp(L[i]);
    }
}

/* out (nf, stride), of which n: momenta up to `most` share one rule. */
static cgct_status one_band(const integrand *g, double last, double most, size_t nf, size_t n,
                            const double *k, size_t stride, double *out, cgct_err *err)
{
    quad_rule x = {0};
    cgct_status st = radial_rule(&x, g->d, most, g->eps, last, err);
    double *f = st == CGCT_OK ? malloc(nf * x.n * sizeof *f) : NULL;
    if (st == CGCT_OK && !f) st = cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (f) {
        evaluate(g, x.n, x.x, f);
        st = by_panels(&x, nf, f, n, k, stride, out, err);
    }
    free(f);
    quad_free(&x);
    return st;
}

/* An octave of momenta after the other. */
static cgct_status by_bands(const integrand *g, double last, size_t nf, size_t n, const double *k,
                            double *out, cgct_err *err)
{
    const double least = sqrt(dipole_Qs2(g->d)) + g->eps; /* phases below it decide nothing */
    for (size_t first = 0, nb; first < n; first += nb) {
        double most = 2 * fmax(k[first], least);
        for (nb = 1; first + nb < n && k[first + nb] <= most;) nb++;
        CGCT_TRY(one_band(g, last, most, nf, nb, k + first, n, out + first, err));
    }
    return CGCT_OK;
}

static cgct_status make_sigma(ridge *r, const dipole *d, const double *q, cgct_err *err)
{
    const integrand g = {d, 0, 0};
    double most = sqrt(dipole_Qs2(d)), last = last_radius(d);
    for (size_t i = 0; i < r->nq; i++) most = fmax(most, q[i]);
    if (most * last > PHASE_MAX) return sigma_by_filon(r, d, q, most, last, err);
    return by_bands(&g, last, 1, r->nq, q, r->sigma, err);
}

static cgct_status make_F(ridge *r, const dipole *d, double eps, double cut, cgct_err *err)
{
    const integrand g = {d, eps, cut};
    return by_bands(&g, fmin(EXPONENT / eps, last_radius(d)), NPOL, r->nk, r->k, r->F, err);
}

cgct_status ridge_init(ridge *r, const dipole *d, double eps, double cut, size_t nq,
                       const double *q, double k_max, cgct_err *err)
{
    memset(r, 0, sizeof *r);
    if (!(cut > 0)) return CGCT_OK;
    grid_steps steps = {fmin(eps, sqrt(dipole_Qs2(d))), K_SPACING, INFINITY, INFINITY};
    CGCT_TRY(grid_graded(&steps, k_max, &r->nk, &r->k, err));
    r->nq = nq;
    r->sigma = malloc(nq * sizeof *r->sigma);
    r->F = malloc(NPOL * r->nk * sizeof *r->F);
    cgct_status st = r->sigma && r->F ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (st == CGCT_OK) st = make_sigma(r, d, q, err);
    if (st == CGCT_OK) st = make_F(r, d, eps, cut, err);
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

static void add(const ridge *r, double sigma, double k, double I[NPOL])
{
    double c[K_NODES];
    size_t n = r->nk < K_NODES ? r->nk : K_NODES, first = grid_window(r->nk, r->k, k, n);
    grid_lagrange(n, r->k + first, k, c);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t i = 0; i < n; i++) I[pol] += sigma * c[i] * r->F[pol * r->nk + first + i];
}

void ridge_add(const ridge *r, size_t iq, double k1, double k2, double I[NPOL])
{
    if (!r->nk) return;
    add(r, r->sigma[iq], k1, I);
    add(r, r->sigma[iq], k2, I);
}
