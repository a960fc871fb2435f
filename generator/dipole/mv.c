/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_mv.c: Gamma = (r^2 Qs0^2)^gamma/4 ln A, A = 1/(r Lambda) + C, C = e_c e.
 *
 * Difference: with t = x/R^2, s = sqrt(1+t),
 *   Gamma(R^2+x)/Gamma(R^2) - 1 = P (1 + D) + D
 *   P = (1+t)^gamma - 1                                       (t itself for gamma = 1)
 *   D = ln(A2/A1)/ln A1,  A2/A1 - 1 = w (1/s - 1) = -w t/(s (1+s)),  w = 1/(R Lambda A1)
 * P and D have opposite signs, but |D| < P/3 for gamma = 1 and e_c >= 1: no digits are lost. */
#include <math.h>

#include "dipole/dipole_impl.h"
#include "numerics/vmath.h"

/* Below this r^2 (GeV^-2) L is 0 in effect, and 1/(r Lambda) must not overflow. */
#define MV_R2_MIN 1e-200
/* 1 + t never reaches 0 inside the logarithms; r = 0 itself is put in at the end. */
#define MV_T_MIN (-1.0 + 0x1p-53)

static void mv_lnS_gamma1(const dipole *d, size_t n, const double *r2, double *out)
{
    const double a = -0.25 * d->Qs0sq, C = d->C, Lambda = d->Lambda;
    for (size_t i = 0; i < n; i++) {
        double v = r2[i] < MV_R2_MIN ? MV_R2_MIN : r2[i];
        double L = a * v * vlog(1.0 / (Lambda * sqrt(v)) + C);
        out[i] = r2[i] == 0.0 ? 0.0 : L;
    }
}

void dipole_mv_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    if (d->gamma == 1.0) {
        mv_lnS_gamma1(d, n, r2, out);
        return;
    }
    const double Qs0sq = d->Qs0sq, gamma = d->gamma, C = d->C, Lambda = d->Lambda;
    for (size_t i = 0; i < n; i++) {
        double v = r2[i] < MV_R2_MIN ? MV_R2_MIN : r2[i];
        double L = -0.25 * vexp(gamma * vlog(v * Qs0sq)) * vlog(1.0 / (Lambda * sqrt(v)) + C);
        out[i] = r2[i] == 0.0 ? 0.0 : L;
    }
}

/* Gamma(R^2+x)/Gamma(R^2) - 1 from t = x/R^2 and P */
static inline double mv_ratio_minus_1(double t, double P, double w, double inv_lnA)
{
    double s = sqrt(1.0 + t);
    double D = vlog1p(-w * t / (s * (1.0 + s))) * inv_lnA;
    return fmadd(P, 1.0 + D, D);
}

static inline double mv_t(double x, double inv)
{
    double t = x * inv;
    return t < MV_T_MIN ? MV_T_MIN : t;
}

void dipole_mv_diff(const dipole *d, double R2, size_t n, const double *x, double *out)
{
    double L1;
    dipole_mv_lnS(d, 1, &R2, &L1);
    const double gamma = d->gamma, inv = 1.0 / R2, u = 1.0 / (d->Lambda * sqrt(R2));
    const double w = u / (u + d->C), inv_lnA = 1.0 / vlog(u + d->C);
    if (gamma == 1.0)
        for (size_t i = 0; i < n; i++) {
            double t = mv_t(x[i], inv), e = L1 * mv_ratio_minus_1(t, t, w, inv_lnA);
            out[i] = R2 + x[i] <= 0.0 ? -L1 : e;
        }
    else
        for (size_t i = 0; i < n; i++) {
            double t = mv_t(x[i], inv);
            double e = L1 * mv_ratio_minus_1(t, vexpm1(gamma * vlog1p(t)), w, inv_lnA);
            out[i] = R2 + x[i] <= 0.0 ? -L1 : e;
        }
}
