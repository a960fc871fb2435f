/* SPDX-License-Identifier: GPL-3.0-or-later */
/* factorised_integrand.h: the factorised dipole approximation, psi_p(r).psi_p(r') S(|Delta+b|)
 * S(|b|): quark and antiquark scatter independently.  Its integral over r' is known,
 *
 *   g = S(|Delta+b|) S(|b|) Psi_p(Delta)       z = eps Delta
 *   Psi_L = (pi/eps^2) z K1(z)         Psi_T = (2 pi/eps^2) [K0(z) - z K1(z)/2]
 *
 * and Psi_T diverges at Delta = 0, so that grids must start beyond it.  An example, too, of an
 * integrand of one's own (generator/inner/direct.h). */
#ifndef FACTORISED_INTEGRAND_H
#define FACTORISED_INTEGRAND_H
#include <math.h>

#include "inner/direct.h"
#include "numerics/bessel.h"
#include "numerics/vmath.h"

typedef struct {
    const dipole *d;
    double eps; /* GeV */
} factorised_process;

enum { FACTORISED_T, FACTORISED_L, FACTORISED_FACTORS, FACTORISED_BLOCK = 128 };

/* psi_T.psi_T and psi_L psi_L */
static inline void factorised_wave(const void *self, size_t n, const double *r2, const double *rp2,
                                   const double *dot, double *out)
{
    const factorised_process *s = self;
    double z[2 * FACTORISED_BLOCK], K0[2 * FACTORISED_BLOCK], K1[2 * FACTORISED_BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += FACTORISED_BLOCK) {
        size_t m = n - i0 < FACTORISED_BLOCK ? n - i0 : FACTORISED_BLOCK;
        for (size_t i = 0; i < m; i++) {
            z[i] = s->eps * sqrt(r2[i0 + i]);
            z[m + i] = s->eps * sqrt(rp2[i0 + i]);
        }
        bessel_K01(2 * m, z, K0, K1);
        for (size_t i = 0; i < m; i++) {
            double cosine = dot[i0 + i] * s->eps * s->eps / (z[i] * z[m + i]);
            out[FACTORISED_T * n + i0 + i] = cosine * K1[i] * K1[m + i];
            out[FACTORISED_L * n + i0 + i] = K0[i] * K0[m + i];
        }
    }
}

/* L at a length less L(R) */
static inline void factorised_length(const void *self, double R2, size_t n, const double *x,
                                     double *out)
{
    dipole_diff(((const factorised_process *)self)->d, R2, n, x, out);
}

static inline void factorised_value(const void *self, const inner_points *p, double *T, double *L)
{
    double R2 = p->R * p->R, LR;
    dipole_lnS(((const factorised_process *)self)->d, 1, &R2, &LR);
    double S2 = vexp(2 * LR + p->b + p->db);
    for (size_t i = 0; i < p->n; i++) {
        T[i] = S2 * p->wave[FACTORISED_T * p->n + i];
        L[i] = S2 * p->wave[FACTORISED_L * p->n + i];
    }
}

static inline inner_integrand factorised_integrand(const factorised_process *self)
{
    return (inner_integrand){.self = self,
                             .eps = self->eps,
                             .nwave = FACTORISED_FACTORS,
                             .wave = factorised_wave,
                             .length = factorised_length,
                             .value = factorised_value};
}
#endif
