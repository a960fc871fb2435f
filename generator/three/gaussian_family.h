/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaussian_family.h: the Gaussian test integrand and its closed form at every stage of the
 * three-momentum transform.
 *
 *   G = exp(-a Delta^2 - b0 r'^2 - c b^2
 *           + g1 Delta r' cos alpha + g2 r' b cos beta + g3 Delta b cos(alpha-beta))
 *                                                                   Source: [P: eq. gaussfamily]
 * Each vector is integrated out by completing the square, each angle by the generating functions
 * e^{x cos t} = Sum I_l(x) e^{ilt} and e^{ix cos t} = Sum i^l J_l(x) e^{ilt}.  With
 *   b'  = b0 - g2^2/(4c)          g'  = g1 + g2 g3/(2c)          a' = a - g3^2/(4c) - g'^2/(4b')
 *   s_p = g'/(2b')                s_q = g3/(2c) + g' g2/(4b'c)   T  = g2 p q/(4 b' c)
 * and all powers of i cancelled, sums over all integers l:
 *   C_mn = e^E Sum I_l(g3 Delta b) I_{m+l}(g1 Delta r') I_{n-l}(g2 r' b)
 *     E  = -a Delta^2 - b0 r'^2 - c b^2
 *   H_mn = 1/(2c) e^E Sum J_l(q g3 Delta/2c) I_{m+l}(g' Delta r') J_{n-l}(q g2 r'/2c)
 *     E  = -(a - g3^2/4c) Delta^2 - b' r'^2 - q^2/4c
 *   K_mn = (-1)^(m+n)/(4 c b') e^E Sum J_l(s_q q Delta) J_{m+l}(s_p p Delta) I_{n-l}(T)
 *     E  = -a' Delta^2 - q^2/4c - (p^2 + (g2 q/2c)^2)/4b'
 *   A_mn = 1/(8 c b' a') e^E Sum I_l(-k q s_q/2a') I_{m+l}(-k p s_p/2a') I_{n-l}(-T - p q s_p
 * s_q/2a') E  = that of K without Delta, -(k^2 + s_p^2 p^2 + s_q^2 q^2)/4a' F    = pi^3/det Q
 * exp(-kappa^T Q^-1 kappa/4), kappa = (k,p,q) as vectors, Q the matrix of -ln G */
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

/* Any orders; lengths in 1/GeV, momenta in GeV, >= 0.  Relative accuracy 1e-13 of the largest term
 * of the sum. */
double gaussian_C(const gaussian_family *g, int m, int n, double delta, double rp, double b);
double gaussian_H(const gaussian_family *g, int m, int n, double delta, double rp, double q);
double gaussian_K(const gaussian_family *g, int m, int n, double delta, double p, double q);
double gaussian_A(const gaussian_family *g, int m, int n, double k, double p, double q);
double gaussian_F(const gaussian_family *g, double k, double p, double q, double phi_p,
                  double phi_q);
#endif
