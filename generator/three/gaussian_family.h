/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaussian_family.h: an integrand of the three-momentum transform whose result is known in closed
 * form.
 *
 *   G = exp(-a Delta^2 - b0 r'^2 - c b^2
 *           + g1 Delta r' cos alpha + g2 r' b cos beta + g3 Delta b cos(alpha-beta))
 *                                                                   Source: [P: eq. gaussfamily]
 * Its transform, with kappa = (k,p,q) as vectors and Q the matrix of -ln G, is
 *   F = pi^3/det Q exp(-kappa^T Q^-1 kappa/4)
 */
#ifndef CGCT_GAUSSIAN_FAMILY_H
#define CGCT_GAUSSIAN_FAMILY_H
#include "format/error.h"
#include "three/three_integrand.h"

typedef struct {
    double a, b0, c, g1, g2, g3; /* GeV^2 */
} gaussian_family;

/* E_DOMAIN unless finite and positive definite: a > 0, a b0 > g1^2/4, det Q > 0. */
cgct_status gaussian_check(const gaussian_family *g, cgct_err *err);

/* The integrand; *g must outlive it. */
three_integrand gaussian_integrand(const gaussian_family *g);

/* Momenta in GeV, azimuths in radian, k along phi = 0; in GeV^-6. */
double gaussian_F(const gaussian_family *g, double k, double p, double q, double phi_p,
                  double phi_q);
#endif
