/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c: the dipoles in closed form, GBW and MV: their parameters, L = ln S and its
 * differences. */
#include <math.h>
#include <string.h>

#include "dipole/dipole_impl.h"
#include "numerics/vmath.h"

/* Below this r^2 (GeV^-2) L vanishes for all purposes, and 1/(r Lambda) could overflow. */
#define MV_R2_MIN 1e-200

/* ---- GBW: L = -Qs^2 r^2/4, Qs^2 = Q0^2 (x0/x)^lambda; differences are exact ---- */

/* lambda = 0 means its default only where Q0 and x0 are 0, too; else it is a model at fixed Qs. */
cgct_status dipole_gbw_defaults(dipole_opts *o, cgct_err *err)
{
    if (!o->Q0 && !o->x0 && !o->lambda) o->lambda = 0.288;
    if (!o->Q0) o->Q0 = 1;
    if (!o->x0) o->x0 = 3.04e-4;
    if (o->Q0 > 0 && o->Q0 <= 1e3 && o->x0 > 0 && o->x0 <= 1 && o->lambda >= 0 && o->lambda <= 2)
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "dipole gbw: Q0 = %g GeV, x0 = %g, lambda = %g; want Q0 in (0, 1000], x0 in "
                     "(0, 1], lambda in [0, 2]",
                     o->Q0, o->x0, o->lambda);
}

/* ---- MV ----
 *
 *   Gamma = -L = (r^2 Qs0^2)^gamma/4 ln A,  A = 1/(r Lambda) + C,  C = e_c e.
 *
 * Differences: with t = x/R^2 and s = sqrt(1+t),
 *
 *   Gamma(R^2+x)/Gamma(R^2) - 1 = P (1 + D) + D
 *   P = (1+t)^gamma - 1                                       (t itself for gamma = 1)
 *   D = ln(A2/A1)/ln A1,  A2/A1 - 1 = w (1/s - 1) = -w t/(s (1+s)),  w = 1/(R Lambda A1).
 *
 * P and D have opposite signs, but |D| < P/3 for gamma = 1 and e_c >= 1: no digits are lost. */

/* Fits to HERA data: arXiv:1309.6963; mvgamma from arXiv:1012.4408. */
static const struct {
    const char *name;
    double Qs0sq, gamma, ec;
} mv_sets[] = {{"mv", 0.104, 1, 1}, {"mve", 0.060, 1, 18.9}, {"mvgamma", 0.1586, 1.129, 1}};

cgct_status dipole_mv_defaults(dipole_opts *o, cgct_err *err)
{
    const char *name = o->set && *o->set ? o->set : "mv";
    size_t i = 0, n = sizeof mv_sets / sizeof *mv_sets;
    while (i < n && strcmp(name, mv_sets[i].name) != 0) i++;
    if (i == n)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole mv: no set '%.40s'; want mv, mve or mvgamma",
                         name);
    if (!o->Qs0sq) o->Qs0sq = mv_sets[i].Qs0sq;
    if (!o->gamma) o->gamma = mv_sets[i].gamma;
    if (!o->ec) o->ec = mv_sets[i].ec;
    if (!o->Lambda) o->Lambda = 0.241;
    if (!(o->Qs0sq > 0 && o->Qs0sq <= 1e3 && o->gamma > 0 && o->gamma <= 2 && o->Lambda > 0 &&
          o->Lambda <= 10 && o->ec <= 1e3))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole mv: Qs0sq = %g GeV^2, gamma = %g, Lambda = %g GeV, ec = %g; want "
                         "them positive, at most 1000, 2, 10 and 1000",
                         o->Qs0sq, o->gamma, o->Lambda, o->ec);
    if (!(o->ec * M_E > 1))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole mv: ec = %g makes S exceed 1 at large r; want ec > 1/e = 0.367879",
                         o->ec);
    return CGCT_OK;
}

/* Gamma = P ln A, P = (r^2 Qs0^2)^gamma/4, A = u + C, u = 1/(r Lambda): with w = u/A and D = r
 * d/dr, D ln A = -w and D w = -w (1 - w). */
void dipole_mv_gamma(const dipole *d, double r, double *gamma, double *first, double *second)
{
    const dipole_opts *o = &d->o;
    double P = 0.25 * pow(r * r * o->Qs0sq, o->gamma), u = 1 / (r * o->Lambda);
    double A = u + o->ec * M_E, w = u / A, g = 2 * o->gamma, slope = g * log(A) - w;
    *gamma = P * log(A);
    *first = P * slope;
    *second = P * (g * slope - g * w + w * (1 - w));
}

/* Loops with and without powers stand apart, because only so they vectorise. */
void dipole_mv_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    const dipole_opts *o = &d->o;
    const double Qs0sq = o->Qs0sq, gamma = o->gamma, C = o->ec * M_E, Lambda = o->Lambda;
    const double a = -0.25 * Qs0sq;
    if (gamma == 1.0)
        for (size_t i = 0; i < n; i++) {
            double v = r2[i] < MV_R2_MIN ? MV_R2_MIN : r2[i];
            double L = a * v * vlog(1.0 / (Lambda * sqrt(v)) + C);
            out[i] = r2[i] == 0.0 ? 0.0 : L;
        }
    else
        for (size_t i = 0; i < n; i++) {
            double v = r2[i] < MV_R2_MIN ? MV_R2_MIN : r2[i];
            double L = -0.25 * vexp(gamma * vlog(v * Qs0sq)) * vlog(1.0 / (Lambda * sqrt(v)) + C);
            out[i] = r2[i] == 0.0 ? 0.0 : L;
        }
}

/* Gamma(R^2+x)/Gamma(R^2) - 1 from t = x/R^2 and P. */
static inline double mv_ratio_minus_1(double t, double P, double w, double inv_lnA)
{
    double s = sqrt(1.0 + t);
    double D = vlog1p(-w * t / (s * (1.0 + s))) * inv_lnA;
    return fmadd(P, 1.0 + D, D);
}

void dipole_mv_diff(const dipole *d, double R2, size_t n, const double *x, double *out)
{
    double L1;
    dipole_mv_lnS(d, 1, &R2, &L1);
    const dipole_opts *o = &d->o;
    const double gamma = o->gamma, inv = 1.0 / R2, u = 1.0 / (o->Lambda * sqrt(R2));
    const double A = u + o->ec * M_E, w = u / A, inv_lnA = 1.0 / vlog(A);
    if (gamma == 1.0)
        for (size_t i = 0; i < n; i++) {
            double t = dipole_relative(x[i], inv), e = L1 * mv_ratio_minus_1(t, t, w, inv_lnA);
            out[i] = R2 + x[i] <= 0.0 ? -L1 : e;
        }
    else
        for (size_t i = 0; i < n; i++) {
            double t = dipole_relative(x[i], inv);
            double e = L1 * mv_ratio_minus_1(t, vexpm1(gamma * vlog1p(t)), w, inv_lnA);
            out[i] = R2 + x[i] <= 0.0 ? -L1 : e;
        }
}
