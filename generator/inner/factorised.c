/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factorised dipole approximation as an integrand; wave: psi_T.psi_T, psi_L psi_L.  The
 * quadrupole less its elastic part becomes S(|Delta+b|) S(|b|), which does not depend on r'. */
#include <math.h>

#include "numerics/bessel.h"
#include "inner/integrand.h"
#include "numerics/vmath.h"

enum { WAVE_T, WAVE_L, NWAVE, BLOCK = 128 };

static void wave(const void *self, size_t n, const double *r2, const double *rp2, const double *dot,
                 double *out)
{
    const inner_dijet *s = self;
    double z[2 * BLOCK], K0[2 * BLOCK], K1[2 * BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += BLOCK) {
        size_t m = n - i0 < BLOCK ? n - i0 : BLOCK;
        for (size_t i = 0; i < m; i++) {
            z[i] = s->eps * sqrt(r2[i0 + i]);
            z[m + i] = s->eps * sqrt(rp2[i0 + i]);
        }
        bessel_K01(2 * m, z, K0, K1);
        for (size_t i = 0; i < m; i++) {
            double unit = dot[i0 + i] * s->eps * s->eps / (z[i] * z[m + i]); /* cosine */
            out[WAVE_T * n + i0 + i] = unit * K1[i] * K1[m + i];
            out[WAVE_L * n + i0 + i] = K0[i] * K0[m + i];
        }
    }
}

static void length(const void *self, double R2, size_t n, const double *x, double *out)
{
    dipole_diff(((const inner_dijet *)self)->d, R2, n, x, out);
}

static void value(const void *self, const inner_points *p, double *T, double *L)
{
    double R2 = p->R * p->R, LR;
    dipole_lnS(((const inner_dijet *)self)->d, 1, &R2, &LR);
    double S2 = vexp(2 * LR + p->b + p->db);
    for (size_t i = 0; i < p->n; i++) {
        T[i] = S2 * p->wave[WAVE_T * p->n + i];
        L[i] = S2 * p->wave[WAVE_L * p->n + i];
    }
}

inner_integrand inner_factorised_integrand(const inner_dijet *self)
{
    return (inner_integrand){self, self->eps, NWAVE, wave, length, value};
}
