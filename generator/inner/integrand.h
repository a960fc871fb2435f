/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_integrand.h: what the direct builders integrate over r', as a set of callbacks.  Another
 * correlator or another process is one more file that fills in an inner_integrand; inner_dijet.c is
 * the cross section's own, inner_factorised.c a second example.
 *
 *   G_m(Delta,R) = int_0^2pi dgamma cos(m gamma) int d2r' G(Delta,r',b)      b = R - lam Delta
 *
 * A value G may depend on all lengths between the four Wilson lines (r+b, b, r', 0), that is on
 * |r|, |r'|, |Delta|, |b|, |Delta+b|, |b-r'| and |r+b|, where r = r' + Delta; they stand for
 * (Delta, r', b, alpha, beta) up to a common reflection, under which G must not change.  G must be
 * at least as integrable at r = 0 and r' = 0 as 1/(|r||r'|). */
#ifndef CGCT_INNER_INTEGRAND_H
#define CGCT_INNER_INTEGRAND_H
#include <stddef.h>

#include "dipole/dipole.h"

/* n points r' at one (Delta, R, gamma), gamma = angle(Delta,R).  Lengths in 1/GeV, squared ones in
 * 1/GeV^2.  f is the integrand's `length`. */
typedef struct {
    size_t n;
    double delta, R, gamma;
    const double *r2, *rp2, *dot; /* |r|^2, |r'|^2, r.r' */
    const double *wave;           /* (nwave, n): what `wave` made of these three */
    double b, db;                 /* f at |b| and |Delta+b| */
    const double *cross, *far;    /* f at |b-r'| and |r+b| */
} inner_points;

/* The builders call `wave` and `length` only where their arguments change, `value` for each point.
 * All functions are called by several threads at once with the same self. */
typedef struct {
    const void *self;
    double eps; /* GeV: G falls as exp(-eps (|r| + |r'|)) or faster */
    size_t nwave;
    /* out (nwave, n): the factors that depend on r and r' only; NULL where nwave = 0 */
    void (*wave)(const void *self, size_t n, const double *r2, const double *rp2, const double *dot,
                 double *out);
    /* out[i] = f at a squared length R2 + x[i] >= 0; NULL: f = x.  Given as a difference so that f
     * can be one, too: ln S varies little about R where R is large. */
    void (*length)(const void *self, double R2, size_t n, const double *x, double *out);
    /* T[n], L[n] = G for both polarisations */
    void (*value)(const void *self, const inner_points *p, double *T, double *L);
} inner_integrand;

/* The dijet cross section: psi_p(r).psi_p(r') S4, S4 = -N W(A,B).  Source: METHOD.md 1. */
typedef struct {
    const dipole *d;
    double eps; /* GeV */
} inner_dijet;
inner_integrand inner_dijet_integrand(const inner_dijet *self);

/* The factorised dipole approximation: psi_p(r).psi_p(r') S(|Delta+b|) S(|b|), quark and antiquark
 * scattering independently.  Its integral over r' is known,
 *   g = S(|Delta+b|) S(|b|) Psi_p(Delta)       z = eps Delta
 *   Psi_L = (pi/eps^2) z K1(z)         Psi_T = (2 pi/eps^2) [K0(z) - z K1(z)/2]
 * and Psi_T diverges at Delta = 0, so that grids must start beyond it. */
inner_integrand inner_factorised_integrand(const inner_dijet *self);
#endif
