/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.h: from I at the angles of a grid to the fields that a table stores: continuation where I
 * is lost in its error, and Chebyshev coefficients.  Private to this folder and its tests. */
#ifndef CGCT_FIELDS_H
#define CGCT_FIELDS_H
#include "dipole/dipole.h"
#include "node/node.h"

/* Bound on the error at any angle over the mean, up to which I itself is stored. */
#define FIELD_RESOLVED 0.1

/* Of I or a bound at all angles of a point. */
static inline double field_mean(const double *v)
{
    double sum = 0;
    for (size_t j = 0; j < NODE_ANGLES; j++) sum += v[j];
    return sum / NODE_ANGLES;
}

/* I at these angles. */
typedef struct {
    const node_grid *grid;
    size_t nk, points;       /* nl + nu; NPOL nq nk */
    const double *k, *theta; /* (nq, nk) GeV; (nq, nk, NODE_ANGLES), angle(k,q) */
    double *I, *bound;       /* (NPOL, nq, nk, NODE_ANGLES) GeV^-6: value, bound on its error */
    int either_sign;         /* set by field_values_find_sign */
    double *owned;
} field_values;

/* k and theta of the grid; room for I and bound. */
void field_values_init(field_values *v, const node_grid *grid);
void field_values_free(field_values *v); /* accepts zeros */

/* Sets either_sign: whether the mean over the angle is negative and resolved anywhere. */
void field_values_find_sign(field_values *v);
/* What errors and coefficients of each point are compared with, GeV^-6: unit (points).  It is the
 * mean over the angle or, where that may have either sign, e^l of node_fields_either_sign. */
void field_values_units(const field_values *v, double *unit);

/* Purpose  adds to I of infinitely many colours what d->Nc of them change, and its bounds:
 *          as it was computed, or where its error is larger than what it may differ from the
 *          correlation limit by, as that limit says (METHOD.md 11)
 * Out      colours: what it differs by from the limit
 * Returns  OK and the errors of reference_transforms */
cgct_status field_values_add_colours(field_values *v, field_values *colours, const dipole *d,
                                     double eps, cgct_err *err);

/* Purpose  replaces I wherever its error is FIELD_RESOLVED of its unit or more, by the correlation
 *          limit times what the last resolved q of the same k has beside that limit
 *          (METHOD.md 6.2); bound grows by what is changed
 * Out      *continued: number of (polarisation, q, k)
 * Returns  OK and the errors of reference_transforms */
cgct_status field_values_continue(field_values *v, const dipole *d, double eps, size_t *continued,
                                  cgct_err *err);

/* Which coefficients are kept, and how many. */
typedef struct {
    double keep; /* those above this share of the mean */
    int m_max;   /* none beyond this m; 0: no such limit */
} field_selection;

/* Purpose  l and r_m from I at the angles; error grows by what the coefficients that are left out
 *          hold
 * Returns  OK, E_ACCURACY where I is not finite; *out is zero after a failure */
cgct_status field_values_project(const field_values *v, const field_selection *s, node_fields *out,
                                 cgct_err *err);
#endif
