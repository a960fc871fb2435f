/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes_choice.h: how many values each axis of a table needs, from a few nodes computed directly. */
#ifndef CGCT_AXES_CHOICE_H
#define CGCT_AXES_CHOICE_H
#include "dipole/dipole.h"
#include "inner/backend.h"
#include "node/node.h"
#include "run/job.h"

enum { RUN_AXES = 4 }; /* by cgct_axis: x, eps, q, k1 */

typedef struct {
    size_t samples[RUN_AXES]; /* values compared along each axis */
    double error[RUN_AXES];   /* 99.9th percentile of |interpolated - computed|/I on those axes */
    size_t n[RUN_AXES]; /* numbers of geometric values that bring it below its share of the aim */
} axes_choice;

/* Purpose  measures the error of local polynomials along each axis alone, in cells at the card's
 *          spacing h, and scales h with the power that their order implies
 * In       settings: the card's ends of each axis are kept, axes with one value stay; aim: wanted
 *          99.9th percentile, shared out equally over the axes that have more than one value
 * Returns  OK, E_CONFIG where aim is not in (0,0.1], errors of node_compute.  About 28 nodes. */
cgct_status axes_choose(const run_settings *settings, const dipole_source *source,
                        const backend_set *builders, double aim, axes_choice *out, cgct_err *err);

/* The comparison by itself: relative differences of one axis; values below INTERPOLATION_FLOOR of
 * the largest I count in units of that.  Values that are uncertain by more than `resolution`, or
 * interpolated from such values, say nothing about the axis and are left out. */
typedef struct {
    double resolution, largest[NPOL];
    size_t n;
    double *v; /* freed with free */
} axis_errors;

typedef struct {
    const node_modes *of;
    size_t at; /* in (NPOL, nq, nk) */
} mode_point;

/* Raises the largest I. */
void axis_errors_scale(axis_errors *s, const node_modes *m);
/* Interpolates from point[0..n-1] with their weights as the reader does (FORMAT.md 5), and compares
 * with point[n] at several angles. */
cgct_status axis_errors_add(axis_errors *s, size_t n, const mode_point *point, const double *weight,
                            int pol, cgct_err *err);
#endif
