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
#include "inner/single.h"

#define FORWARD_EULER 0.57721566490153286
/* eps of the limit of C, in units of Qs, and the ratio to a larger one.  What is left grows like
 * eps^2, the error of the cross approximation of W like 1/eps^2: the difference bounds both. */
#define FORWARD_LIMIT_EPS 3e-6
#define FORWARD_LIMIT_RATIO 3.0
/* Lambda of what tables hold, GeV. */
#define FORWARD_TABLE_LAMBDA 0.1

/* F_1, F_2 and G of a dipole up to some momentum. */
typedef struct {
    double eps, Qs;               /* eps of G */
    single_factors wave;          /* Psi at wave.k */
    double *F[3];                 /* F_1 and F_2 there */
    double *F_error[3], *G_error; /* bounds on their errors there, G_error (NPOL, wave.nk) */
} forward_functions;
/* eps = 0: the limit.  Returns OK, E_CONFIG; forward_functions_free also after a failure,
 * and of zeros. */
cgct_status forward_functions_init(forward_functions *f, const dipole *d, double eps, double k_max,
                                   cgct_err *err);
void forward_functions_free(forward_functions *f);
/* Of values at wave.k. */
double forward_function(const forward_functions *f, const double *values, double k);
double forward_F(const forward_functions *f, int n, double k);
/* |G(k)|, and for POL_L the transform of S eps K_0. */
double forward_G(const forward_functions *f, int pol, double k);
/* The bound of F_error or G_error about k. */
double forward_function_error(const forward_functions *f, const double *error, double k);
/* F_a(k1) F_b(k2), and a bound on its error. */
double forward_product(const forward_functions *f, int a, double k1, int b, double k2,
                       double *error);
/* A bound on the error of F_1(q) size^2, where size has the error of G of pol at k2. */
double forward_square_error(const forward_functions *f, double q, double size, int pol, double k2);

/* As a table holds them, FORMAT.md 11: for each part of the dipole its share, three errors, and at
 * FORWARD_NODES momenta F_1, F_2 and G/k times (1 + k^2/k0^2)^2. */
enum { FORWARD_NODES = 256, FORWARD_BLOCK = 4 + 3 * FORWARD_NODES };
typedef struct {
    double k0, k_end; /* GeV */
} forward_table;
/* out (parts, FORWARD_BLOCK).  Errors of dipole_init and forward_functions_init. */
cgct_status forward_table_fill(const dipole_source *source, double x, const forward_table *t,
                               double *out, cgct_err *err);

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
 * Returns  OK and the errors of dipole_init and single_init */
cgct_status forward_values(const forward_task *t, double c_eps, forward_value *out, cgct_err *err);

/* dsigma/(dy1 dy2 d2k1 d2k2) per transverse area is x f(x) alpha_s times this times T, f the
 * density of the parton that splits and Nc = 3; of two gluons both orders are counted. */
double forward_factor(forward_channel channel, double z);

/* T in a limit, from out of node_transforms at the q of the point; GeV^-4.
 *   TMD      (2 pi)^2/P^4 times  qg: (1-z)^2 q^2 F + G_1  gg: A - z(1-z) q^2 F_2 + G_2
 *            qqb: as gg without G_2
 *   ITMD     the same with all powers of q/P
 *   DILUTE   one scattering: F(q) times what two or three gluon vertices make of it */
typedef enum { FORWARD_TMD, FORWARD_ITMD, FORWARD_DILUTE } forward_limit;
double forward_limit_value(forward_limit limit, forward_channel channel, const forward_point *p,
                           const double *transforms);
#endif
