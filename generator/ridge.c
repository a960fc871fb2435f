/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bessel.h"
#include "filon.h"
#include "grid.h"

static const double SPACING = 0.005, SCALE = 0.02; /* of the radial grids; scale over 1/momentum */
static const double K_SPACING = 0.02;
static const double EXPONENT = 40; /* e^-40: where S and the wave functions end */
enum { DEGREE = 8, K_NODES = 10 };

void ridge_profile(const dipole *d, double eps, double cut, size_t n, const double *delta,
                   double *f)
{
    for (size_t j = 0; j < n; j++) {
        double x = delta[j], r2 = x * x, L, z[2] = {eps * x, cut * x}, K0[2], K1[2];
        dipole_lnS(d, 1, &r2, &L);
        bessel_K01(2, z, K0, K1);
        double xK1 = x > 0 ? z[0] * K1[0] : 1, log_ratio = x > 0 ? K0[0] - K0[1] : log(cut / eps);
        double unit = exp(L) * M_PI / (eps * eps);
        f[POL_T * n + j] = unit * (2 * log_ratio - xK1);
        f[POL_L * n + j] = unit * xK1;
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

/* out (nf, n) = 2 pi int x dx J_0(k x) f(x), f (nf, nx) */
static cgct_status transform(size_t nx, const double *x, size_t nf, const double *f, size_t n,
                             const double *k, double *out, cgct_err *err)
{
    const int zero = 0;
    double *w = malloc(n * nx * sizeof *w);
    if (!w) return cgct_fail(err, CGCT_E_NOMEM, "ridges at %zu momenta: no memory", n);
    cgct_status st = filon_weights(nx, x, n, k, 1, &zero, DEGREE, NULL, w, err);
    for (size_t i = 0; st == CGCT_OK && i < nf; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t l = 0; l < nx; l++) sum += w[j * nx + l] * f[i * nx + l];
            out[i * n + j] = 2 * M_PI * sum;
        }
    free(w);
    return st;
}

static cgct_status make_sigma(ridge *r, const dipole *d, const double *q, cgct_err *err)
{
    double Qs = sqrt(dipole_Qs2(d)), most = Qs, *y;
    size_t n;
    for (size_t i = 0; i < r->nq; i++) most = fmax(most, q[i]);
    grid_steps steps = {SCALE / most, SPACING, 4 * SPACING / Qs, INFINITY};
    CGCT_TRY(grid_graded(&steps, last_radius(d), &n, &y, err));
    double *S = malloc(2 * n * sizeof *S);
    cgct_status st = S ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (S) {
        for (size_t i = 0; i < n; i++) S[n + i] = y[i] * y[i];
        dipole_lnS(d, n, S + n, S);
        for (size_t i = 0; i < n; i++) S[i] = exp(S[i]);
        st = transform(n, y, 1, S, r->nq, q, r->sigma, err);
    }
    free(S);
    free(y);
    return st;
}

static cgct_status make_F(ridge *r, const dipole *d, double eps, double cut, cgct_err *err)
{
    grid_steps steps = {SCALE / cut, SPACING, INFINITY, INFINITY};
    double *x;
    size_t n;
    CGCT_TRY(grid_graded(&steps, fmin(EXPONENT / eps, last_radius(d)), &n, &x, err));
    double *f = malloc(NPOL * n * sizeof *f);
    cgct_status st = f ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "ridges: no memory");
    if (f) {
        ridge_profile(d, eps, cut, n, x, f);
        st = transform(n, x, NPOL, f, r->nk, r->k, r->F, err);
    }
    free(f);
    free(x);
    return st;
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
