/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon.h: Filon-Bessel weights on any rising grid; knows no physics.
 *
 *   sum_j w[j] f(x_j) = int_{x_0}^{x_{n-1}} x J_m(q x) f(x) dx,   f replaced on each interval by
 * its local polynomial of degree d through d+1 nodes.                  Source: [P: sec. filon,
 * weights]. */
#ifndef CGCT_FILON_H
#define CGCT_FILON_H
#include <stddef.h>

#include "format/error.h"

#define FILON_DEGREE_MIN 2
#define FILON_DEGREE_MAX 8
#define FILON_DEGREE_DEFAULT 6
#define FILON_ORDER_MAX 512

/* Continuation beyond the last node: f(x) ~ sum_j c_j (x/x_last)^-power[j], fitted by least squares
 * to the last nfit nodes; the fit is linear, so it only changes the weights of those nodes. */
typedef struct {
    int nfit, nterm;
    const double
        *power; /* nterm exponents, each > 1/2 so that the integral of x^(1-p) J_m exists */
} filon_tail_opts;

/* Purpose  weights for many momenta and orders, OpenMP over momenta.
 * In       x[nx] rising, x[0] >= 0, nx > degree;  q[nq] >= 0 (> 0 with a tail);
 *          m[nm] rising orders in [0, 512];  degree 2..8 (0: default 6);  tail or NULL.
 * Out      w (nm, nq, nx) row-major, caller-owned; units of x squared.
 * Returns  OK, E_DOMAIN, E_NOMEM.
 * Accuracy 1e-13 relative to sum over intervals of int |l_j(x) x J_m(q x)|; see tests/numerics/test_filon.c.
 */
cgct_status filon_weights(size_t nx, const double *x, size_t nq, const double *q, size_t nm,
                          const int *m, int degree, const filon_tail_opts *tail, double *w,
                          cgct_err *err);

/* M[ir] = int_0^h u^r J_m(q(x+u)) du, r = 0..nr-1 (nr <= 10), to 1e-13 of int u^r |J_m|; any q h
 * from 0 to 1e6.  Source: [P: eq. moments], evaluated by other means than its Taylor series. */
cgct_status filon_moments(double x, double h, double q, int m, size_t nr, double *M, cgct_err *err);
#endif
