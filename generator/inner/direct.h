/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct.h: the builder that integrates over r' as the definition of the inner table says, and the
 * integrands that it accepts.
 *
 *   G_m(Delta,R) = int_0^2pi dgamma cos(m gamma) int d2r' G(Delta,r',b)      b = R - lam Delta
 *
 * Another correlator or another process is one more file that fills in an inner_integrand; dijet.c
 * is the cross section's own, tests/factorised_integrand.h a shorter example.
 *
 * A value G may depend on all lengths between the four Wilson lines (r+b, b, r', 0), that is on
 * |r|, |r'|, |Delta|, |b|, |Delta+b|, |b-r'| and |r+b|, where r = r' + Delta.  These lengths fix
 * (Delta, r', b) up to rotations and one reflection, under which G must not change.  G must be at
 * least as integrable at r = 0 and r' = 0 as 1/(|r||r'|). */
#ifndef CGCT_INNER_DIRECT_H
#define CGCT_INNER_DIRECT_H
#include "inner/table.h"

/* n points r' at one (Delta, R, gamma), gamma = angle(Delta,R).  Lengths in 1/GeV, squared lengths
 * in 1/GeV^2.  f is the integrand's `length`. */
typedef struct {
    size_t n;
    double delta, R, gamma;
    const double *r2, *rp2, *dot; /* |r|^2, |r'|^2, r.r' */
    const double *wave;           /* (nwave, n): what `wave` made of these three */
    double b, db;                 /* f at |b| and |Delta+b| */
    const double *cross, *far;    /* f at |b-r'| and |r+b| */
} inner_points;

/* The builder calls `wave` and `length` only where their arguments change, `value` for each point.
 * Several threads call these functions at once with the same self. */
typedef struct {
    const void *self;
    double eps; /* GeV: G falls as exp(-eps (|r| + |r'|)) or faster */
    size_t nwave;
    /* out (nwave, n): the factors that depend on r and r' only; NULL where nwave = 0 */
    void (*wave)(const void *self, size_t n, const double *r2, const double *rp2, const double *dot,
                 double *out);
    /* out[i] = f at a squared length R2 + x[i] >= 0; NULL: f = x.  The argument is split so that f
     * can be a difference, too: ln S varies little about R where R is large. */
    void (*length)(const void *self, double R2, size_t n, const double *x, double *out);
    /* T[n], L[n] = G for both polarisations */
    void (*value)(const void *self, const inner_points *p, double *T, double *L);
} inner_integrand;

/* out[n] = f at the squared lengths R^2 + x[n], where rounding must not leave x below -R^2. */
void inner_lengths(const inner_integrand *f, double R, size_t n, double *x, double *out);

/* The dijet cross section: psi_p(r).psi_p(r') S4, for the dipole's number of colours.  Source:
 * METHOD.md 1 and 11. */
typedef struct {
    const dipole *d;
    double eps; /* GeV */
} inner_dijet;
inner_integrand inner_dijet_integrand(const inner_dijet *self);

/* Purpose  the paper's discretisation, in any frame: o->n_gauss Gauss-Legendre nodes in |s| on
 *          [0, o->s_max], o->n_phi equally spaced angles alpha and beta; deterministic for any
 *          number of threads
 * Formula  G_m = sum_n w_n s_n (2 pi/n_phi)^2 sum_ij cos(m(alpha_i-beta_j)) G(Delta,s_n,R,..)
 * Returns  OK, E_CONFIG as inner_direct_check, E_DOMAIN where o->n_gauss < 1
 * Accuracy that of the discretisation: 1e-3 to 1e-2 for 256 nodes, T, eps = 4 (METHOD.md 8)
 * Source   [P: eq. stage1discrete, algorithm cpu] */
cgct_status inner_direct_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err);

/* OK, or E_CONFIG where o->n_phi < 2, or < 2 m for the largest m. */
cgct_status inner_direct_check(const inner_opts *o, cgct_err *err);

/* For the dijet cross section, as a row of the backend table. */
cgct_status inner_direct(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
size_t inner_direct_bytes(const inner_opts *o);
#endif
