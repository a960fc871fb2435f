/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes_choice.h: how many values each axis of a table needs, from a few direct computations. */
#ifndef CGCT_AXES_CHOICE_H
#define CGCT_AXES_CHOICE_H
#include "inner/backend.h"
#include "run/settings.h"
#include "dipole/dipole.h"

/* By cgct_axis: x, eps, q, k1. */
typedef struct {
    size_t samples[4]; /* values compared along each axis */
    double error[4];   /* 99.9th percentile of |interpolated - computed|/I at the card's spacing */
    size_t n[4];       /* numbers of geometric values that bring it below its share of the aim */
    size_t nodes;      /* (x,eps) computed on the way */
} axes_choice;

/* Keeps the card's ends of each axis; axes with one value stay.  The error of local polynomials
 * along one axis alone is measured in cells at the card's spacing h, and h is scaled with the power
 * that their order implies.  aim: wanted 99.9th percentile, shared out equally over the axes that
 * have more than one value.  Costs about 28 nodes.  E_CONFIG where aim is not in (0,0.1]. */
cgct_status axes_choose(const run_settings *settings, const dipole_source *source,
                        const backend_set *builders, double aim, axes_choice *out, cgct_err *err);
#endif
