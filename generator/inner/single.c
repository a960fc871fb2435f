/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factors sigma(q), F(k) and Psi(k) of single scattering as one-dimensional Hankel transforms:
 * by Gauss-Legendre panels, or by Filon weights where the momentum is so large that there would be
 * too many panels. */
#include "inner/single.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/bessel.h"
#include "numerics/blas.h"
#include "numerics/filon.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"
#include "numerics/vmath.h"

/* e^-40 = 4e-18: where S and the wave functions are cut off. */
static const double SINGLE_EXPONENT = 40;
static const double SINGLE_R_MAX = 1e12; /* 1/GeV: end of the search for that radius */
/* F and Psi are tabulated with this relative step and interpolated through F_NODES nodes; the error
 * is below 1e-12 of its maximum (tests/inner/test_single.c). */
static const double F_SPACING = 0.02;
enum { F_NODES = 10, SINGLE_BLOCK = 128 };

/* Panels of 16 nodes; test_single.c measures 1e-12.  Widest: in phase of J_0, in units of 1/Qs and
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

/* f_T, f_L, S K1, S K0 and, where nf is SINGLE_MOST, S f_T and S f_L in rows of length `stride` at
 * x[n] > 0, n <= SINGLE_BLOCK. */
static void wave_block(const dipole *d, double eps, size_t nf, size_t n, const double *x,
                       size_t stride, double *f)
{
    double r2[SINGLE_BLOCK], z[SINGLE_BLOCK];
    double L[SINGLE_BLOCK], K0[SINGLE_BLOCK], K1[SINGLE_BLOCK];
    for (size_t j = 0; j < n; j++) {
        r2[j] = x[j] * x[j];
        z[j] = eps * x[j];
    }
    dipole_lnS(d, n, r2, L);
    bessel_K01(n, z, K0, K1);
    for (size_t j = 0; j < n; j++) {
        double S = vexp(L[j]), unit = S * M_PI / (eps * eps);
        f[POL_T * stride + j] = unit * (2 * K0[j] - z[j] * K1[j]);
        f[POL_L * stride + j] = unit * z[j] * K1[j];
        f[(NPOL + POL_T) * stride + j] = S * K1[j];
        f[(NPOL + POL_L) * stride + j] = S * K0[j];
        for (size_t i = SINGLE_FUNCTIONS; i < nf; i++)
            f[i * stride + j] = S * f[(i - SINGLE_FUNCTIONS) * stride + j];
    }
}

void single_profile(const dipole *d, double eps, size_t n, const double *delta, double *f)
{
    double all[SINGLE_FUNCTIONS * SINGLE_BLOCK];
    for (size_t first = 0, nb; first < n; first += nb) {
        nb = n - first < SINGLE_BLOCK ? n - first : SINGLE_BLOCK;
        wave_block(d, eps, SINGLE_FUNCTIONS, nb, delta + first, SINGLE_BLOCK, all);
        for (size_t pol = 0; pol < NPOL; pol++)
            memcpy(f + pol * n + first, all + pol * SINGLE_BLOCK, nb * sizeof *f);
    }
}

/* r with -L(r) = SINGLE_EXPONENT */
static double single_last_radius(const dipole *d)
{
    double hi = 1 / sqrt(d->Qs2);
    for (double L = 0; L > -SINGLE_EXPONENT && hi < SINGLE_R_MAX; hi *= 2)
        L = dipole_lnS_at(d, hi * hi);
    return dipole_radius(d, SINGLE_EXPONENT, hi);
}

/* out (nf, nk) = 2 pi int_0^last x dx J(k x) f(x), momenta k[nk] in rising order; J is J_1 for
 * S K1 and J_0 for all others. */
typedef struct {
    const dipole *d;
    double eps; /* 0: f is S^power, nf = 1; else nf = SINGLE_FUNCTIONS or SINGLE_MOST */
    double power, wider;
    double last;
    size_t nf, nk;
    const double *k;
    double *out;
} single_transform;

/* f (nf, n) at x[n] */
static void single_function(const single_transform *t, size_t n, const double *x, double *f)
{
    for (size_t first = 0, nb; first < n; first += nb) {
        nb = n - first < SINGLE_BLOCK ? n - first : SINGLE_BLOCK;
        if (t->eps > 0)
            wave_block(t->d, t->eps, t->nf, nb, x + first, n, f + first);
        else { /* S^power */
            double r2[SINGLE_BLOCK], *S = f + first;
            for (size_t j = 0; j < nb; j++) r2[j] = x[first + j] * x[first + j];
            dipole_lnS(t->d, nb, r2, S);
            for (size_t j = 0; j < nb; j++) S[j] = vexp(t->power * S[j]);
        }
    }
}

/* Nodes and weights of int dx on [0,last] for momenta up to k. */
static void single_panels(const single_transform *t, double k, quad_rule *q)
{
    quad_gauss g;
    double growth = t->d->spline ? PANEL_GROWTH_TABLE : PANEL_GROWTH;
    double widest = fmin(fmin(PANEL_PHASE / k, PANEL_QS / sqrt(t->d->Qs2)), PANEL_EPS / t->eps);
    widest *= t->wider;
    quad_gauss_init(&g, PANEL_NODES);
    for (double x = 0, h = PANEL_FIRST * widest; x < t->last; h = fmin(widest, growth * x)) {
        double end = x + (1 + PANEL_REST) * h < t->last ? x + h : t->last;
        quad_append(q, &g, x, end, INFINITY);
        x = end;
    }
}

/* n momenta from `first` on, none larger than k_max, share one rule. */
static void single_band(const single_transform *t, double k_max, size_t first, size_t n)
{
    quad_rule x = {0};
    single_panels(t, k_max, &x);
    double *f = memory_new(t->nf * x.n, sizeof *f); /* (nf, x.n): with the weights x dx */
    single_function(t, x.n, x.x, f);
    for (size_t i = 0; i < t->nf; i++)
        for (size_t l = 0; l < x.n; l++) f[i * x.n + l] *= x.w[l] * x.x[l];
#pragma omp parallel
    {
        double *z = memory_new(3 * x.n, sizeof *z), *J = z + x.n;
#pragma omp for schedule(static)
        for (size_t ik = first; ik < first + n; ik++) {
            for (size_t l = 0; l < x.n; l++) z[l] = t->k[ik] * x.x[l];
            bessel_J_pair(t->nf > 1, x.n, x.n, z, NULL, J);
            for (size_t i = 0; i < t->nf; i++) {
                const double *of = i == NPOL + POL_T ? J + x.n : J; /* J_1 or J_0 */
                t->out[i * t->nk + ik] = 2 * M_PI * cblas_ddot((int)x.n, of, 1, f + i * x.n, 1);
            }
        }
        free(z);
    }
    free(f);
    quad_free(&x);
}

/* Band by band, an octave of momenta each. */
static void single_by_panels(const single_transform *t)
{
    /* below this momentum Qs and eps limit the panels, not the phase */
    const double least = sqrt(t->d->Qs2) + t->eps;
    for (size_t first = 0, n; first < t->nk; first += n) {
        double k_max = 2 * fmax(t->k[first], least);
        for (n = 1; first + n < t->nk && t->k[first + n] <= k_max;) n++;
        single_band(t, k_max, first, n);
    }
}

/* By Filon weights, which follow any number of oscillations; nf = 1, momenta up to k_max. */
static cgct_status single_by_filon(const single_transform *t, double k_max, cgct_err *err)
{
    const int zero = 0;
    double *y;
    size_t n;
    grid_steps steps = {FILON_SCALE_Q / k_max, FILON_SPACING * t->wider,
                        FILON_STEP_QS * t->wider / sqrt(t->d->Qs2), INFINITY};
    CGCT_TRY(grid_graded(&steps, t->last, &n, &y, err));
    double *f = memory_new(n, sizeof *f), *w = memory_new(t->nk * n, sizeof *w);
    const filon_task weights = {n, t->nk, 1, y, t->k, &zero, FILON_DEGREE, NULL};
    const cgct_status st = filon_weights(&weights, w, err);
    if (st == CGCT_OK) {
        single_function(t, n, y, f);
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

cgct_status single_dipole(const dipole *d, double power, double wider, size_t nk, const double *k,
                          double *out, cgct_err *err)
{
    const single_transform t = {.d = d,
                                .power = power,
                                .wider = wider,
                                .last = single_last_radius(d),
                                .nf = 1,
                                .nk = nk,
                                .k = k,
                                .out = out};
    double q_max = sqrt(d->Qs2);
    for (size_t i = 0; i < nk; i++) q_max = fmax(q_max, k[i]);
    if (q_max * t.last > FILON_PHASE) return single_by_filon(&t, q_max, err);
    single_by_panels(&t);
    return CGCT_OK;
}

/* F, Psi and F2, which lie one behind the other. */
static cgct_status single_fill_waves(single_factors *s, const single_task *k, cgct_err *err)
{
    const single_transform t = {.d = k->d,
                                .eps = k->eps,
                                .wider = k->wider > 0 ? k->wider : 1,
                                .last = fmin(SINGLE_EXPONENT / k->eps, single_last_radius(k->d)),
                                .nf = s->F2 == s->F ? SINGLE_FUNCTIONS : SINGLE_MOST,
                                .nk = s->nk,
                                .k = s->k,
                                .out = s->F};
    single_by_panels(&t);
    if (k->d->forward_parts == PARTS_PAIRS) { /* 2 S^2 f_T and S f_T */
        for (size_t i = 0; i < s->nk; i++) {
            s->F2[s->nk + i] = s->F[i];
            s->F2[i] *= 2;
        }
        memcpy(s->F, s->F2, NPOL * s->nk * sizeof *s->F);
        return CGCT_OK;
    }
    if (k->d->forward_parts) { /* S^2 and S */
        for (int pol = 0; pol < NPOL; pol++)
            CGCT_TRY(
                single_dipole(k->d, 2 - pol, 1, s->nk, s->k, s->F2 + (size_t)pol * s->nk, err));
        memcpy(s->F, s->F2, NPOL * s->nk * sizeof *s->F);
        return CGCT_OK;
    }
    const int gluon = k->d->process == PROCESS_GG;
    for (size_t i = 0; s->F2 != s->F && i < NPOL * s->nk; i++) {
        s->F2[i] *= gluon ? 2 : 1;
        s->F[i] = gluon ? s->F2[i] : 2 * s->F[i] - s->Psi[i] * s->Psi[i];
    }
    return CGCT_OK;
}

cgct_status single_init(single_factors *s, const single_task *k, cgct_err *err)
{
    *s = (single_factors){.nq = k->nq, .lam = k->lam};
    grid_steps steps = {fmin(k->eps, sqrt(k->d->Qs2)), F_SPACING, INFINITY, INFINITY};
    CGCT_TRY(grid_graded(&steps, k->k_max, &s->nk, &s->k, err));
    s->sigma = memory_new(s->nq, sizeof *s->sigma);
    s->F = memory_new(SINGLE_MOST * s->nk, sizeof *s->F);
    s->Psi = s->F + NPOL * s->nk;
    s->F2 = k->d->process != PROCESS_DIS ? s->F + SINGLE_FUNCTIONS * s->nk : s->F;
    cgct_status st = single_dipole(k->d, 1, 1, k->nq, k->q, s->sigma, err);
    if (st == CGCT_OK) st = single_fill_waves(s, k, err);
    if (st != CGCT_OK) single_free(s);
    return st;
}

void single_free(single_factors *s)
{
    free(s->sigma);
    free(s->k);
    free(s->F);
    *s = (single_factors){0};
}

/* F, or F2 in its place, and Psi at one momentum. */
static void factors_at(const single_factors *s, const double *of, double k, double F[NPOL],
                       double Psi[NPOL])
{
    double c[F_NODES];
    size_t n = s->nk < F_NODES ? s->nk : F_NODES, first = grid_weights(s->nk, s->k, k, n, c);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const size_t at = pol * s->nk + first;
        F[pol] = Psi[pol] = 0;
        for (size_t i = 0; i < n; i++) F[pol] += c[i] * of[at + i];
        for (size_t i = 0; i < n; i++) Psi[pol] += c[i] * s->Psi[at + i];
    }
}

void single_add(const single_factors *s, size_t iq, double q, double k1, double k2, double I[NPOL],
                double error[NPOL])
{
    double F1[NPOL], F2[NPOL], Psi1[NPOL], Psi2[NPOL];
    if (!s->nk) return;
    factors_at(s, s->F, k1, F1, Psi1);
    factors_at(s, s->F2, k2, F2, Psi2);
    const int is_dis = s->F2 == s->F;
    if (!is_dis) { /* F and F2 at P, from k1.q */
        const double along = (k1 * k1 + q * q - k2 * k2) / 2;
        const double P2 = k1 * k1 + s->lam * (s->lam * q * q - 2 * along), P = sqrt(fmax(P2, 0));
        double unused[NPOL];
        factors_at(s, s->F, P, Psi1, unused);
        factors_at(s, s->F2, P, Psi2, unused);
    }
    /* of k1 and k1 - q; Psi_T vanishes with k */
    double cosine = k1 > 0 && k2 > 0 ? (k1 * k1 + k2 * k2 - q * q) / (2 * k1 * k2) : 0;
    double largest = s->F[POL_T * s->nk] + s->F[POL_L * s->nk];
    for (int pol = 0; pol < NPOL; pol++) {
        double F = F1[pol] + F2[pol];
        double product = is_dis ? 2 * (pol == POL_T ? cosine : 1) * Psi1[pol] * Psi2[pol]
                                : Psi1[pol] + Psi2[pol];
        I[pol] += s->sigma[iq] * (F - product);
        error[pol] += fabs(s->sigma[iq]) *
                      (SINGLE_OF_TERMS * (fabs(F) + fabs(product)) + SINGLE_OF_LARGEST * largest);
    }
}
