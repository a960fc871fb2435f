/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon.h: Filon weights for Hankel transforms, quadrature weights on any rising grid that follow
 * the oscillation of the Bessel function at every momentum:
 *
 *   sum_j w[j] f(x_j) = int_{x_0}^{x_{n-1}} x J_m(q x) f(x) dx,
 *
 * f being replaced on each interval by the local polynomial of degree d through d+1 nodes.
 * Source: [P: sec. filon, weights]. */
#ifndef CGCT_FILON_H
#define CGCT_FILON_H
#include <stddef.h>

#include "format/error.h"

#define FILON_DEGREE_MIN 2
#define FILON_DEGREE_MAX 8
#define FILON_ORDER_MAX 512

/* The continuation of f beyond the last node, f(x) ~ sum_j c_j (x/x_last)^-power[j], is fitted to
 * the last nfit nodes by least squares.  The fit is linear in f, so that the integral from x_last
 * to infinity only changes the weights of these nodes. */
typedef struct {
    int nfit, nterm;
    const double *power; /* (nterm), each > 1/2, so that the integral of x^(1-p) J_m exists */
} filon_tail_opts;

/* What weights are asked for. */
typedef struct {
    size_t nx, nq, nm;
    const double *x;             /* (nx) nodes, rising, x[0] >= 0, nx > degree */
    const double *q;             /* (nq) momenta >= 0, > 0 with a tail, in units of 1/x */
    const int *m;                /* (nm) orders, rising, from 0 to FILON_ORDER_MAX */
    int degree;                  /* of the polynomials, 2 to 8 */
    const filon_tail_opts *tail; /* or NULL: the integral ends at the last node */
} filon_task;

/* The weights of a task; OpenMP threads share the intervals and momenta.
 * Out      w (nm, nq, nx) row-major, caller-owned, in units of x squared.
 * Returns  OK, E_DOMAIN, E_ACCURACY where the tail has no fit
 * Accuracy 1e-13 of the sum over intervals of int |l_j(x) x J_m(q x)| dx, where l_j are Lagrange's
 *          polynomials; see tests/numerics/test_filon.c.  The bits of a weight depend neither on
 *          the number of threads nor on the other momenta. */
cgct_status filon_weights(const filon_task *t, double *w, cgct_err *err);
#endif
