/* SPDX-License-Identifier: GPL-3.0-or-later */
/* photon.h: the total cross section of a virtual or real photon on a dipole, one quark flavour at a
 * time, from which the structure functions of DIS follow, and its inelastic part.
 *
 * For a quark of mass m and charge e, transverse area S_perp, p = T, L,
 *
 *     sigma_p = e^2 alpha_em S_perp X_p,      F_p = Q2/(4 pi^2) e^2 S_perp X_p,      F2 = F_T + F_L
 *     X_p = Nc/(2 pi^2) Int d2r 2 (1 - S(r)) Int_0^1 dz w_p,      Nc = 3
 *     w_T = [z^2 + (1-z)^2] eps^2 K1(eps r)^2 + m^2 K0(eps r)^2,  eps^2 = z (1-z) Q2 + m^2
 *     w_L = 4 Q2 z^2 (1-z)^2 K0(eps r)^2
 *
 * The inelastic part has 1 - S^2 in place of 2 (1 - S) = (1 - S^2) + (1 - S)^2: it is the
 * cross section of dijets, integrated over both momenta (METHOD.md 1).  The rest, (1 - S)^2, is
 * elastic for the pair: diffraction. */
#ifndef CGCT_PHOTON_H
#define CGCT_PHOTON_H
#include <math.h>

#include "dipole/dipole.h"

/* S at the nodes of two quadrature rules of different resolution; const after photon_init. */
typedef struct photon_dipole photon_dipole;

/* X_T and X_L, pure numbers. */
typedef struct {
    double T, L, inelastic_T, inelastic_L;
} photon_value;

#define PHOTON_Q2_MAX 1e6    /* GeV^2 */
#define PHOTON_MASS_MAX 10.0 /* GeV */
#define PHOTON_ACCURACY 1e-8

#define PHOTON_ALPHA_EM (1 / 137.036)

/* F_p of one flavour from X_p. */
static inline double photon_structure(double Q2, double charge2, double S_perp, double X)
{
    return Q2 / (4 * M_PI * M_PI) * charge2 * S_perp * X;
}

/* The reduced cross section of DIS at the inelasticity y. */
static inline double photon_reduced(double y, double F2, double FL)
{
    return F2 - y * y / (1 + (1 - y) * (1 - y)) * FL;
}

/* The dipole of src at x; of a source that is integrated over b the mean over its parts.  Free with
 * photon_free, also after a failure.  Returns OK, E_ACCURACY (S does not vanish at large r),
 * and the errors of dipole_init. */
cgct_status photon_init(photon_dipole **p, const dipole_source *src, double x, cgct_err *err);
void photon_free(photon_dipole *p);

/* X at 0 <= Q2 <= PHOTON_Q2_MAX and 0 <= mass <= PHOTON_MASS_MAX, not both 0; at Q2 = 0 the
 * longitudinal ones are 0.
 * Accuracy PHOTON_ACCURACY, relative, of each of the four, with respect to the dipole as given.
 * *difference: the largest relative difference of the two rules, which is far above the error of
 * the finer one.  Uses all threads; the result does not depend on their number.
 * Returns OK, E_DOMAIN, E_ACCURACY (the rules differ by more than PHOTON_ACCURACY). */
cgct_status photon_evaluate(const photon_dipole *p, double Q2, double mass, photon_value *X,
                            double *difference, cgct_err *err);
#endif
