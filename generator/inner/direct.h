/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_direct.h: the builders that integrate over r' as the definition says, for any integrand.
 * Each is deterministic for any number of threads. */
#ifndef CGCT_INNER_DIRECT_H
#define CGCT_INNER_DIRECT_H
#include "inner/integrand.h"
#include "inner/table.h"

/* Purpose  the paper's discretisation, in any frame: o->n_gauss Gauss-Legendre nodes in |s| on
 *          [0, o->s_max], o->n_phi equally spaced angles alpha and beta
 * Formula  G_m = sum_n w_n s_n (2 pi/n_phi)^2 sum_ij cos(m(alpha_i-beta_j)) G(Delta,s_n,R,..)
 * Returns  OK, E_CONFIG where n_phi < 2 m for the largest m, E_NOMEM
 * Accuracy that of the discretisation: 1e-3 to 1e-2 for 256 nodes, T, eps = 4 (README)
 * Source   [P: eq. stage1discrete, algorithm cpu] */
cgct_status inner_direct_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err);

/* Purpose  the same integral without discretisation error, at any cost: cells in elliptic
 *          coordinates about the two centres, halved until Gauss rules resolve the integrand, and
 *          equally spaced gamma, doubled until the modes have fallen off
 * Returns  OK, E_NOMEM, E_ACCURACY where GRADED_ANGLES_MAX angles do not do; Delta = 0 is taken as
 *          1e-6/eps
 * Accuracy 1e-9 of max_m |G_m| at each (Delta,R); see tests/inner/test_inner_direct.c */
cgct_status inner_graded_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err);
/* g[T,L] at one (Delta, R, gamma), as inner_graded_build finds it. */
cgct_status inner_graded_point(const inner_integrand *f, double lam, double delta, double R,
                               double gamma, double g[NPOL], cgct_err *err);

/* Both for the dijet cross section, as rows of the backend table. */
cgct_status inner_direct(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
size_t inner_direct_bytes(const inner_opts *o);
cgct_status inner_graded(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
size_t inner_graded_bytes(const inner_opts *o);
#endif
