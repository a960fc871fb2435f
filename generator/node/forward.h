/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forward.h: dijets at forward rapidity of a proton and a nucleus: all but the one integral that
 * needs an inner table.
 *
 * Parton 1 has the share z and the momentum k1, parton 2 k2, P = (1-z) k1 - z k2, q = k1 + k2, and
 *
 *   p(k) = 2 pi k/k^2    G(k) = 2 pi khat Int du J_1(k u) S(u)    F_n(q) = Int d2b e^{-i q.b} S^n
 *
 *   T_qg  = F(q) |p(P) + G(k2)|^2 + C_qg                                     k1 the gluon
 *   T_gg  = Int d2l/(2 pi)^2 F(l) F(q-l) |p(P) + G(k2-l)|^2 + C_gg
 *   T_qqb = Int d2l/(2 pi)^2 F(l) F(q-l) |p(P) + p(k2-l)|^2                  k1 the quark
 *
 * C is eps^2 I_T at (q, k1 := k2) of a dipole with that process, node.h.  With a regulator eps,
 * which is m z for a quark of mass m, p = 2 pi k/(k^2 + eps^2) and G has eps u K_1(eps u) in its
 * integrand.  Towards eps = 0 C_qg, C_gg and T_qqb grow like
 *
 *   D ln(2 Lambda/eps) - D (gamma_E + 1/2)     D = 2 pi F_a(k1) F_b(k2)
 *
 * (a, b) = (2, 1) for qg, (2, 2) for gg, (1, 1) for qqb: the partons were there long before the
 * target, two scatterings of independent partons.  This is taken off, Lambda being the scheme.
 * Source: METHOD.md 12. */
#ifndef CGCT_NODE_FORWARD_H
#define CGCT_NODE_FORWARD_H
#include "dipole/dipole.h"
#include "inner/table.h"

typedef enum { FORWARD_QG, FORWARD_GG, FORWARD_QQB } forward_channel;
/* What is taken off for partons that were there long before; FORWARD_WAVE: what the wave function
 * psi(r), cut off smoothly at r = 1/Lambda, makes of it,
 *   Int d2l/(2 pi)^2 |psi(l)|^2 F_a(k1+l) F_b(k2-l)
 *   psi(r) = eps psi_T(r)/(1 + e^{-8 (r - 1/Lambda)})
 * with r in 1/GeV. */
typedef enum { FORWARD_LOG, FORWARD_NOTHING, FORWARD_WAVE } forward_scheme;

typedef struct {
    double z, k1, k2, angle; /* GeV; angle between k1 and k2 */
} forward_point;

/* P, and q with the angle of k2 to it. */
typedef struct {
    double P, q, theta;
} forward_momenta;
forward_momenta forward_momenta_of(const forward_point *p);

typedef struct {
    const dipole_source *source;
    double x;
    forward_channel channel;
    forward_scheme scheme;
    double eps, Lambda; /* GeV; eps = 0: the limit, where something is taken off */
    size_t n;
    const forward_point *point;
} forward_task;

/* GeV^-4.  What closed lacks is C, from which `off` is to be taken where a regulator is used that
 * tends to 0, or a scheme is asked for; T_qqb is all in closed.  POL_L: with longitudinal wave
 * functions, as the helicity of a massive quark flips; qg only. */
typedef struct {
    double closed[NPOL], error[NPOL], off[NPOL], coefficient; /* D */
} forward_value;

/* Purpose  closed, its error and D at all points; off for a C with the regulator c_eps
 * Returns  OK, E_NOMEM, and the errors of dipole_init and single_init */
cgct_status forward_values(const forward_task *t, double c_eps, forward_value *out, cgct_err *err);

/* dsigma/(dy1 dy2 d2k1 d2k2) per transverse area is x f(x) alpha_s times this times T, f the
 * density of the parton that splits and Nc = 3; of two gluons both orders are counted. */
double forward_factor(forward_channel channel, double z);

/* T in a limit, from out of node_transforms at the q of the point, stride between them; GeV^-4.
 *   TMD      (2 pi)^2/P^4 times  qg: (1-z)^2 q^2 F + G_1  gg: A - z(1-z) q^2 F_2 + G_2
 *            qqb: as gg without G_2
 *   ITMD     the same with all powers of q/P
 *   DILUTE   one scattering: F(q) times what two or three gluon vertices make of it */
typedef enum { FORWARD_TMD, FORWARD_ITMD, FORWARD_DILUTE } forward_limit;
double forward_limit_value(forward_limit limit, forward_channel channel, const forward_point *p,
                           const double *transforms, size_t stride);
#endif
