/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_dijet.h: the integrands of the two-momentum code (inner/direct.h) as integrands of the
 * three-momentum transform: psi_p(r).psi_p(r') S4(r,r',b) at r = Delta + r'.
 *
 * At p = 0 the transform of the dijet correlator is the dijet cross section: with lam = 0
 *   A_mn(k,0,q) = 0 unless n = -m,   I_m(q,k1) = (-1)^m (2 pi)^2 A_{m,-m}(k1,0,q)
 * The centres r = 0 and r' = 0, where the wave functions diverge, limit what equally spaced angles
 * and any radial grid reach to 1e-2 or 1e-3; the two-momentum builders treat them properly. */
#ifndef CGCT_THREE_DIJET_H
#define CGCT_THREE_DIJET_H
#include "inner/direct.h"
#include "three/three_integrand.h"

enum { THREE_DIJET_T, THREE_DIJET_L };

typedef struct {
    inner_integrand inner; /* at most 8 factors `nwave` */
    int polarisation;
} three_dijet;

/* *self must outlive the integrand. */
three_integrand three_dijet_integrand(const three_dijet *self);
#endif
