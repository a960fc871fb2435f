/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ridge.h: the ridges k1 -> 0 and k2 -> 0 of I in closed form.
 *
 * Where b or Delta + b vanishes the correlator has the singularity of L there.  From METHOD.md 1,
 * dS4/dL(b) = S(Delta) at b = 0 for any r', so that near either point
 *
 *   g(Delta,R,gamma) = f(Delta) [S(|b|) + S(|Delta+b|)] + smoother terms
 *   f_p(Delta) = S(Delta) int d2r' psi_p(r).psi_p(r')
 *
 * whose transform is sigma(q) [F(k1) + F(k2)] with the one-dimensional
 *
 *   sigma(q) = 2 pi int y dy J_0(q y) S(y)
 *   F(k) = 2 pi int Delta dDelta J_0(k Delta) f(Delta)
 *
 * The ridges are subtracted from the inner table and added in momentum space.  Neither the sums
 * over modes nor the quadrature across the kinks of G_m at R = lam Delta and (1-lam) Delta then
 * contain them. */
#ifndef CGCT_RIDGE_H
#define CGCT_RIDGE_H
#include "inner/table.h"

/* f (NPOL, n) at delta[n] >= 0, GeV^-2:
 *   L: S pi Delta K1(eps Delta)/eps
 *   T: S 2 pi/eps^2 [K0(eps Delta) - K0(cut Delta) - eps Delta K1(eps Delta)/2]
 * K0(cut Delta) cancels the logarithm at Delta -> 0, which the grids resolve anyway; cut > eps. */
void ridge_profile(const dipole *d, double eps, double cut, size_t n, const double *delta,
                   double *f);

/* The tabulated factors. */
typedef struct {
    size_t nq, nk;
    double *sigma; /* (nq), GeV^-2 */
    double *k, *F; /* (nk) rising from 0, GeV; (NPOL, nk), GeV^-4 */
} ridge;

typedef struct {
    const dipole *d;
    double eps, cut; /* GeV, as in ridge_profile; cut = 0: no ridges, and ridge_add adds nothing */
    size_t nq;
    const double *q; /* (nq) GeV, where sigma is needed */
    double k_max;    /* GeV, up to which F is needed */
} ridge_task;

/* sigma and F, both to 1e-12 of their maximum.  Returns OK, E_NOMEM, E_CONFIG where k_max needs a
 * grid that is too large. */
cgct_status ridge_init(ridge *r, const ridge_task *task, cgct_err *err);
void ridge_free(ridge *r);
/* I[p] += sigma(q[iq]) [F_p(k1) + F_p(k2)], GeV^-6 */
void ridge_add(const ridge *r, size_t iq, double k1, double k2, double I[NPOL]);
#endif
