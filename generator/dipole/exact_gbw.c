/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_gbw.c: the cross section of the GBW model by METHOD.md 7.1, in a form without cancellation.
 *
 *   I_L = (pi/4) Int_0^1 dxi/xi e^{-q^2/(2 xi Qs^2)} Int dt/t Int dt'/t' e^{-t-t'} dZ/dc
 *   I_T = the same with eps^2/(4 t t') and d2Z/dc2;   Z = (pi^2/d) exp[-K^2 (a+a'-c)/(4d)]
 *
 * With al = a - c/2 = eps^2/(4t) + Qs^2 (1-xi)/4 >= 0, al' alike, s = al + al', p = al al':
 *
 *   d = a a' - c^2/4 = p + s c/2,     Z = (pi^2/d) exp[-K^2 s/(4d)]
 *
 * c varies at fixed a, a', so that dal/dc = -1/2, ds/dc = -1, dp/dc = -s/2, dd/dc = -c/2, and
 *
 *   g  = dlnZ/dc   = c/(2d) + K^2 p/(4d^2)                              (every term is positive)
 *   g' = d2lnZ/dc2 = 1/(2d) + c^2/(4d^2) - K^2 [s p + c (al-al')^2/2]/(8d^3)
 *
 * where s d - 2 c p = s p + c (al-al')^2/2; then dZ/dc = Z g and d2Z/dc2 = Z (g^2 + g').
 *
 * The rules are trapezoidal in ln t and ln t' (the symmetry t <-> t' halves the work), and in u,
 * where xi = 1/(1 + e^-v) and v = u + e^(u-u0): the integrand falls double exponentially at both
 * ends, and 1 - xi is free of cancellation.  In v it is analytic for |Im v| < pi/2, and varies up
 * to e^v ~ (1 + t Qs^2/eps^2)(1 + q^2/2Qs^2) = e^u0; only beyond does v grow faster than u.  All
 * steps are refined until two results agree. */
#include "dipole/exact_gbw.h"

#include <math.h>

#include "numerics/vmath.h"

#define ACCURACY 1e-10
/* The steps of the first rule, whose error was 1e-11 or less wherever it was measured (q 0.1 to 25,
 * K 0 to 40, eps 0.05 to 20, Qs2 0.1 to 3); the second rule, finer by REFINE, squares it. */
#define STEP_LNT 0.32
#define STEP_U 0.32
#define REFINE 1.5
#define REFINEMENTS 4
#define U_MAX 3.75   /* u - u0 at the upper end, where v - u0 = 46 */
#define T_LARGE 45.0 /* beyond it e^-t is negligible */
/* Terms below e^-EXPONENT are left out; for K/eps <= 1000 the largest one exceeds e^-60. */
#define EXPONENT 110.0
/* The lower end of t in units of the scale below which the integrand falls as t. */
#define T_LOW 1e-14
#define NT_MAX 2048

/* A point, and nodes in ln t, rising, with w = step e^-t and al(t). */
typedef struct {
    double q, K, eps, Qs2;
    int n;
    double t[NT_MAX], w[NT_MAX], al[NT_MAX];
} gbw_t_rule;

/* Adds the sums over t' of e^{-t'} eps^2/(4 t t') d2Z/dc2 and of e^{-t'} dZ/dc at node i of t to
 * sum[0] and sum[1], without the factor pi^2. */
static void gbw_t_row(const gbw_t_rule *r, int i, int n, double c, double sum[2])
{
    const double al = r->al[i], K2 = r->K * r->K, f = 0.25 * r->eps * r->eps / r->t[i];
    double T = 0, L = 0;
    for (int j0 = i; j0 < n; j0 += 64) {
        double vT[64], vL[64];
        const int m = n - j0 < 64 ? n - j0 : 64;
        for (int k = 0; k < m; k++) {
            const int j = j0 + k;
            double be = r->al[j], s = al + be, pp = al * be, dif = al - be;
            double inv = 1.0 / (pp + 0.5 * s * c);
            double Z = (j == i ? 0.5 : 1.0) * r->w[j] * inv * vexp(-0.25 * K2 * s * inv);
            double g = inv * (0.5 * c + 0.25 * K2 * pp * inv);
            double h = inv * (0.5 + 0.25 * c * c * inv -
                              0.125 * K2 * inv * inv * (s * pp + 0.5 * c * dif * dif));
            vL[k] = Z * g;
            vT[k] = Z * (g * g + h) * f / r->t[j];
        }
        for (int k = 0; k < m; k++) {
            T += vT[k];
            L += vL[k];
        }
    }
    sum[0] += r->w[i] * T;
    sum[1] += r->w[i] * L;
}

/* I without the factor (pi^3/4) e^{-q^2/(2 Qs^2)}. */
static cgct_status gbw_integral(gbw_t_rule *r, double refine, double I[2], cgct_err *err)
{
    const double e2 = r->eps * r->eps, lo = log(T_LOW * (e2 / (e2 + r->K * r->K + r->Qs2)));
    const double h = STEP_U / refine, Q = 0.5 * r->q * r->q / r->Qs2, step = STEP_LNT / refine;
    r->n = (int)ceil((log(EXPONENT) - lo) / step) + 1;
    if (r->n > NT_MAX)
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "exact GBW: %d nodes in t needed, at most %d; eps = %g", r->n, NT_MAX,
                         r->eps);
    for (int i = 0; i < r->n; i++) {
        r->t[i] = exp(lo + step * i);
        r->w[i] = step * exp(-r->t[i]);
    }
    I[0] = I[1] = 0;
    const double u0 = log((1 + T_LARGE * r->Qs2 / e2) * (1 + Q));
    for (double u = u0 + U_MAX;; u -= h) {
        double e = exp(-u - exp(u - u0)); /* e^-v = (1 - xi)/xi */
        if (Q * e > EXPONENT) break;
        double xi = 1 / (1 + e), rest = e / (1 + e), sum[2] = {0};
        double w = h * (1 + exp(u - u0)) * rest * exp(-Q * e); /* dxi/xi */
        const double c = 0.25 * xi * r->Qs2, b = 0.25 * r->Qs2 * rest;
        int n = 0;
        for (int i = 0; i < r->n; i++) {
            r->al[i] = 0.25 * r->eps * r->eps / r->t[i] + b;
            /* as d/s <= a, K^2/(4a) is a lower bound of this row's exponent, which rises with t */
            if (r->t[i] + 0.25 * r->K * r->K / (r->al[i] + 0.5 * c) <= EXPONENT) n = i + 1;
        }
        for (int i = 0; i < n; i++) gbw_t_row(r, i, n, c, sum);
        I[0] += w * 2 * sum[0];
        I[1] += w * 2 * sum[1];
    }
    return CGCT_OK;
}

cgct_status exact_gbw(double q, double K, double eps, double Qs2, double I[2], cgct_err *err)
{
    gbw_t_rule r = {.q = q, .K = K, .eps = eps, .Qs2 = Qs2};
    if (!(q > 0 && K >= 0 && eps > 0 && Qs2 > 0) || !isfinite(q + K + eps + Qs2))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "exact GBW: q = %g, K = %g, eps = %g GeV, Qs2 = %g GeV^2; want q, eps, "
                         "Qs2 positive and K not negative",
                         q, K, eps, Qs2);
    if (!(0.5 * q * q / Qs2 < 600))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "exact GBW: q^2/(2 Qs2) = %g, so that I is below e^-600; lower q = %g GeV",
                         0.5 * q * q / Qs2, q);
    double old[2], err_rel = INFINITY, refine = 1;
    CGCT_TRY(gbw_integral(&r, refine, old, err));
    for (int k = 0; k < REFINEMENTS && !(err_rel <= ACCURACY); k++) {
        refine *= REFINE;
        CGCT_TRY(gbw_integral(&r, refine, I, err));
        const double T = fabs(old[0] / I[0] - 1), L = fabs(old[1] / I[1] - 1);
        err_rel = T <= L ? L : T; /* NaN in T remains */
        old[0] = I[0];
        old[1] = I[1];
    }
    const double scale = 0.25 * M_PI * M_PI * M_PI * exp(-0.5 * q * q / Qs2);
    I[0] *= scale;
    I[1] *= scale;
    if (err_rel <= ACCURACY) return CGCT_OK;
    return cgct_fail(err, CGCT_E_ACCURACY,
                     "exact GBW: change %.3g on the last refinement, want %.3g, at q = %g, K = %g, "
                     "eps = %g GeV, Qs2 = %g GeV^2",
                     err_rel, ACCURACY, q, K, eps, Qs2);
}
