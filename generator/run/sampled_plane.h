/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampled_plane.h: modes at some (q,k), and how well those between others are interpolated. */
#ifndef CGCT_SAMPLED_PLANE_H
#define CGCT_SAMPLED_PLANE_H
#include <stddef.h>

#include "format/error.h"

/* Owned arrays (points, nm) and (points): modes of I or J, bound on |error of I|. */
typedef struct {
    size_t points, nm;
    double *modes, *error;
} sampled_plane;

typedef struct {
    const sampled_plane *plane;
    size_t at;
} sampled_point;

/* Relative differences; values below 1e-12 of the largest I count in units of that.  Where values,
 * or the modes that they are interpolated from, are uncertain by more than `resolution`, nothing is
 * learned of the axes, and nothing counts. */
typedef struct {
    double resolution, largest[2]; /* by polarisation */
    size_t n, capacity;
    double *v;
} sampled_set;

void sampled_plane_free(sampled_plane *p);
/* Raises the largest I of the set; planes are (2, nq, nk). */
void sampled_largest(sampled_set *s, const sampled_plane *p);
/* node[0..n-1] with their weights against node[n], at several angles (FORMAT.md section 5). */
cgct_status sampled_compare(sampled_set *s, size_t n, const sampled_point *node,
                            const double *weight, int pol, cgct_err *err);
/* 0 where the set is empty; sorts it. */
double sampled_quantile(sampled_set *s, double part);
void sampled_set_free(sampled_set *s);
#endif
