/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graded.h: a slow builder of the inner table without discretisation error, to which tests and
 * studies compare the others. */
#ifndef ORACLE_GRADED_H
#define ORACLE_GRADED_H
#include "inner/direct.h"

/* Purpose  the integral of inner/direct.h at any cost: cells in elliptic coordinates about the two
 *          centres, quartered until Gauss rules resolve the integrand, and equally spaced gamma,
 *          doubled until the last modes are negligible; deterministic for any number of threads
 * Returns  OK, E_NOMEM, E_ACCURACY where 4096 angles do not suffice; Delta = 0 is taken as 1e-6/eps
 * Accuracy 1e-9 of max_m |G_m| at each (Delta,R); see tests/inner/test_inner_direct.c */
cgct_status inner_graded_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err);
/* For the dijet cross section. */
cgct_status inner_graded(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);
#endif
