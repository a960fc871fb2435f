/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_error.h: what the numerical error of the dipole does to I, from nodes that were computed
 * again with changed dipoles (dipole_changes). */
#ifndef CGCT_RUN_DIPOLE_ERROR_H
#define CGCT_RUN_DIPOLE_ERROR_H
#include "run/checks.h"
#include "run/segments.h"

/* Shares of e^l at the points (q,k) of the nodes that were computed again. */
typedef struct {
    size_t places; /* such nodes; 0: no member has a numerical error */
    run_quantiles all;
    run_quantiles resolved; /* of points whose own bound is below CHECKS_RESOLUTION */
} dipole_error_summary;

/* Adds to the bounds of all nodes, known (full members, nx, neps, blocks), what the error of the
 * dipole may change: at a node that was computed again sqrt(Sum_i (weight_i d_i)^2), d_i the change
 * of I at any angle, the largest in each block; between such nodes twice what the
 * logarithm, linear in the variable of x, gives, but no more than the largest of them; along eps
 * the larger one counts.  Errors of segment_read. */
cgct_status dipole_error_add(const segment_source *s, double *known, dipole_error_summary *summary,
                             cgct_err *err);
#endif
