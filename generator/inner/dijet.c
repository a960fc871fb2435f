/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integrand of the dijet cross section; wave: A, e^A, psi_T.psi_T, psi_L psi_L. */
#include <math.h>

#include "numerics/bessel.h"
#include "inner/correlator.h"
#include "inner/integrand.h"

enum { WAVE_A, WAVE_EXP_A, WAVE_T, WAVE_L, NWAVE, BLOCK = 128 };
static const double R2_MIN = 1e-280; /* a node on a centre: its product with S4 is 0 */

static void block(const inner_dijet *s, size_t n, const double *r2, const double *rp2,
                  const double *dot, double *out[NWAVE])
{
    double v[2 * BLOCK], z[2 * BLOCK], K0[2 * BLOCK], K1[2 * BLOCK], L[2 * BLOCK];
    for (size_t i = 0; i < n; i++) {
        v[i] = r2[i] > R2_MIN ? r2[i] : R2_MIN;
        v[n + i] = rp2[i] > R2_MIN ? rp2[i] : R2_MIN;
    }
    for (size_t i = 0; i < 2 * n; i++) z[i] = s->eps * sqrt(v[i]);
    bessel_K01(2 * n, z, K0, K1);
    dipole_lnS(s->d, 2 * n, v, L);
    for (size_t i = 0; i < n; i++) {
        double A = L[i] + L[n + i];
        out[WAVE_A][i] = A;
        out[WAVE_EXP_A][i] = CGCT_EXP(A);
        out[WAVE_T][i] = dot[i] * (K1[i] / z[i]) * (K1[n + i] / z[n + i]) * (s->eps * s->eps);
        out[WAVE_L][i] = K0[i] * K0[n + i];
    }
}

static void wave(const void *self, size_t n, const double *r2, const double *rp2, const double *dot,
                 double *out)
{
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        double *o[NWAVE] = {out + i, out + n + i, out + 2 * n + i, out + 3 * n + i};
        block(self, m, r2 + i, rp2 + i, dot + i, o);
    }
}

/* L less L(R) */
static void length(const void *self, double R2, size_t n, const double *x, double *out)
{
    dipole_diff(((const inner_dijet *)self)->d, R2, n, x, out);
}

static void assemble(size_t n, const double *restrict wave, const double *restrict cross,
                     const double *restrict far, double B, double dB, double *restrict T,
                     double *restrict L)
{
    const double *A = wave, *eA = A + n, *psi_T = eA + n, *psi_L = psi_T + n, eB = CGCT_EXP(B);
    for (size_t i = 0; i < n; i++) {
        double N = cross[i] + far[i] - dB;
        double S4 = -N * expdiff_known(A[i], B, eA[i], eB);
        T[i] = psi_T[i] * S4;
        L[i] = psi_L[i] * S4;
    }
}

static void value(const void *self, const inner_points *p, double *T, double *L)
{
    double R2 = p->R * p->R, LR, dB = p->b + p->db;
    dipole_lnS(((const inner_dijet *)self)->d, 1, &R2, &LR);
    double B = 2 * LR + dB;
    assemble(p->n, p->wave, p->cross, p->far, B < 0 ? B : 0, dB, T, L);
}

inner_integrand inner_dijet_integrand(const inner_dijet *self)
{
    return (inner_integrand){self, self->eps, NWAVE, wave, length, value};
}
