/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hankel.h: the two Hankel transforms of the inner table as products with Filon weight rows. */
#ifndef CGCT_HANKEL_H
#define CGCT_HANKEL_H
#include "numerics/filon.h"
#include "inner/table.h"

/* Purpose  I_m(q,P) = int Delta dDelta R dR J_m(P Delta) J_m(q R) G_m(Delta,R)
 * In       t; q[nq] > 0, P[np] >= 0 (GeV); degree of the local polynomials; tail of R, or NULL
 * Out      modes (NPOL, nm, nq, np) row-major, caller-owned, GeV^-6
 *          seconds[2]: added time for the weights and for the products
 * Source   [P: eq. twostep], in any frame. */
cgct_status hankel_transform(const inner_table *t, size_t nq, const double *q, size_t np,
                             const double *P, int degree, const filon_tail_opts *tail,
                             double *modes, double seconds[2], cgct_err *err);
#endif
