/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h: the cross section in the correlation limit with all kinematic twists, in closed
 * form.
 *
 * When both partons are hard the target is seen through the Weizsaecker-Williams tensor alone,
 * which the Gaussian approximation expresses by the dipole (Gamma = -ln S, w = (1 - S^(2 c))/(2 c
 * Gamma), c = Nc^2/(Nc^2 - 1), so that 2 c = Nc/C_F):
 *
 *   M_ij(q) = Int d2b e^{-i q.b} w d_i d_j Gamma = delta_ij G/2 + (qhat_i qhat_j - delta_ij/2) H
 *   G(q) =  2 pi Int b db J_0(q b) w (Gamma'' + Gamma'/b)
 *   H(q) = -2 pi Int b db J_2(q b) w (Gamma'' - Gamma'/b)                            G >= |H|
 *
 * With K = k1 - q/2 the amplitude of one field of direction j is
 *
 *   A_j = Int_{-1/2}^{1/2} ds d_j psi(K + s q)
 *   psi_L(p) = 1/(p^2 + eps^2)      psi_T(p) = p psi_L(p)
 *   I_L = (2 pi)^2       [ (G+H)/2 |A_par|^2 + (G-H)/2 |A_perp|^2 ]   par along q, perp across
 *   I_T = (2 pi)^2/eps^2 [ the same, summed over the components of psi_T ]
 *
 * This is the limit K >> Qs at any q.  Source: METHOD.md 7.5. */
#ifndef CGCT_NODE_REFERENCE_H
#define CGCT_NODE_REFERENCE_H
#include "dipole/dipole.h"

/* For the dijets of a proton, METHOD.md 12: G_n and H_n, with S^n w in place of w, and the
 * transforms of S^2 and of (dS/dr)^2; each to 1e-10 of G(q), and of itself + 1e-11/q^2, as
 * the others.
 *
 * The transforms of a dipole for Nc colours (2 or more, or INFINITY), in place of its own: G and H
 * with w = (1 - 1/Nc^2) (1 - S^p)/(2 Gamma), p = 2/(1 - 1/Nc^2) = Nc/C_F, and
 *
 *   S(q) = Int d2r e^{-i q.r} S(r) = (2 pi/q^2) Int b db J_0(q b) [-Laplacian of S](b),  1/GeV^2.
 *
 * out (REFERENCE_TRANSFORMS, nq) at q[nq] > 0 (GeV); G and H, dimensionless, each to 1e-10 of
 * G(q) + 1e-12 of G(Qs), S(q) to 1e-10 of itself + 1e-11/q^2.  Returns OK, E_DOMAIN,
 * E_CONFIG for a dipole of which the singlet part is meant, which is of second order in Gamma. */
enum {
    REFERENCE_G,
    REFERENCE_H,
    REFERENCE_S,
    REFERENCE_G1,
    REFERENCE_H1,
    REFERENCE_G2,
    REFERENCE_H2,
    REFERENCE_S2,
    REFERENCE_SLOPE2,
    REFERENCE_TRANSFORMS
};
cgct_status reference_transforms(const dipole *d, double Nc, size_t nq, const double *q,
                                 double *out, cgct_err *err);

/* Where the reference is asked for; GeV, GeV^2. */
typedef struct {
    double q, k1, theta; /* theta = angle(k1,q) */
    double eps, mu2;     /* mu2 >= 0: eps^2, or more, of reference_smeared alone */
} reference_point;

/* I[T,L] of the reference, GeV^-6, to 1e-12. */
void reference_value(const reference_point *p, double G, double H, double I[2]);
/* What continues I where it is lost (continuation.c).  With D_i = k_i^2 + mu^2,
 * Dbar = K^2 + q^2/4 + mu^2, t_par = (K.qhat)^2 and t_perp = K^2 - t_par,
 *
 *   I_L = (2 pi)^2       [ (G+H)/2 4 t_par  + (G-H)/2 4 t_perp  + 4 G soft     ] / (D_1 D_2)^2
 *   I_T = (2 pi)^2/eps^2 [ (G+H)/2 f(t_par) + (G-H)/2 f(t_perp) + 4 G K^2 soft ] / (D_1 D_2)^2
 *   f(t) = Dbar^2 - 4 t Dbar + 4 t K^2
 *
 * It is the reference for G = H and for q << K.  A mu above eps smears the ridges k1 -> 0 and
 * k2 -> 0, soft >= 0 fills the zeros; positive for G > 0, |H| <= G and soft > 0.  The reference
 * itself, smeared in that way, predicts I_L worse where one parton is soft. */
void reference_smeared(const reference_point *p, double soft, double G, double H, double I[2]);
/* I[T,L] for q << K, without kinematic twists, phi = angle(K,q), D = K^2 + eps^2:
 *   I_L = 8 pi^2 K^2/D^4 [G + H cos(2 phi)]
 *   I_T = 4 pi^2/(eps^2 D^4) [G (K^4 + eps^4) - 2 eps^2 K^2 H cos(2 phi)]
 * The limit of reference_value at small q/K (test_reference.c). */
void reference_back_to_back(const reference_point *p, double G, double H, double I[2]);
#endif
