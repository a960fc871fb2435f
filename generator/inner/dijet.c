/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integrand of the dijet cross section, psi_p(r).psi_p(r') S4(r,r',b), or S4's singlet part, or
 * S4 times the factor of dipole_process. */
#include <math.h>

#include "inner/correlator.h"
#include "inner/direct.h"
#include "numerics/bessel.h"
#include "numerics/vmath.h"

/* Factors of r and r': A = L(r) + L(r'), e^A, psi_T.psi_T, psi_L psi_L. */
enum { DIJET_A, DIJET_EXP_A, DIJET_T, DIJET_L, DIJET_FACTORS };
enum { DIJET_BLOCK = 128 };                /* points at a time: buffers fit the first-level cache */
static const double DIJET_R2_MIN = 1e-280; /* keeps K0 and K1 finite on a centre, where S4 = 0 */

static void dijet_factors(const inner_dijet *s, size_t n, const double *r2, const double *rp2,
                          const double *dot, double *out[DIJET_FACTORS])
{
    double v[2 * DIJET_BLOCK], z[2 * DIJET_BLOCK], L[2 * DIJET_BLOCK];
    double K0[2 * DIJET_BLOCK], K1[2 * DIJET_BLOCK];
    for (size_t i = 0; i < n; i++) {
        v[i] = r2[i] > DIJET_R2_MIN ? r2[i] : DIJET_R2_MIN;
        v[n + i] = rp2[i] > DIJET_R2_MIN ? rp2[i] : DIJET_R2_MIN;
    }
    for (size_t i = 0; i < 2 * n; i++) z[i] = s->eps * sqrt(v[i]);
    bessel_K01(2 * n, z, K0, K1);
    dipole_lnS(s->d, 2 * n, v, L);
    for (size_t i = 0; i < n; i++) {
        double A = L[i] + L[n + i];
        out[DIJET_A][i] = A;
        out[DIJET_EXP_A][i] = CGCT_EXP(A);
        out[DIJET_T][i] = dot[i] * (K1[i] / z[i]) * (K1[n + i] / z[n + i]) * (s->eps * s->eps);
        out[DIJET_L][i] = K0[i] * K0[n + i];
    }
}

static void dijet_wave(const void *self, size_t n, const double *r2, const double *rp2,
                       const double *dot, double *out)
{
    for (size_t i = 0; i < n; i += DIJET_BLOCK) {
        size_t m = n - i < DIJET_BLOCK ? n - i : DIJET_BLOCK;
        double *o[DIJET_FACTORS] = {out + i, out + n + i, out + 2 * n + i, out + 3 * n + i};
        dijet_factors(self, m, r2 + i, rp2 + i, dot + i, o);
    }
}

/* L at a length less L(R) */
static void dijet_length(const void *self, double R2, size_t n, const double *x, double *out)
{
    dipole_diff(((const inner_dijet *)self)->d, R2, n, x, out);
}

/* N = L(|r+b|) + L(|b-r'|) - L(|Delta+b|) - L(b): all four are taken less L(R), which cancels. */
static void dijet_value(const void *self, const inner_points *p, double *restrict T,
                        double *restrict L)
{
    const inner_dijet *s = self;
    size_t n = p->n;
    const double *restrict A = p->wave, *restrict eA = A + n, *restrict psi_T = eA + n;
    const double *restrict psi_L = psi_T + n, *restrict cross = p->cross, *restrict far = p->far;
    const double LR = dipole_lnS_at(s->d, p->R * p->R), dB = p->b + p->db;
    const double B = fmin(2 * LR + dB, 0), eB = CGCT_EXP(B), Nc = s->d->Nc;
    const correlator q = correlator_of(Nc);
    const int finite = isfinite(Nc), singlet = s->d->singlet;
    double factor = 1;
    if (s->d->process == PROCESS_QG) factor = CGCT_EXP(fmin(LR + p->b, 0));
    if (s->d->process == PROCESS_GG) factor = eB;
    for (size_t i = 0; i < n; i++) {
        double N = cross[i] + far[i] - dB;
        double S4 = singlet  ? correlator_singlet(q, A[i], B, N, eA[i])
                    : finite ? correlator_S4(q, A[i], B, N, eA[i])
                             : -N * expdiff_known(A[i], B, eA[i], eB);
        T[i] = psi_T[i] * S4 * factor;
        L[i] = psi_L[i] * S4 * factor;
    }
}

inner_integrand inner_dijet_integrand(const inner_dijet *self)
{
    return (inner_integrand){self, self->eps, DIJET_FACTORS, dijet_wave, dijet_length, dijet_value};
}
