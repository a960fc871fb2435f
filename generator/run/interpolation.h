/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interpolation.h: how well a table interpolates: points between its nodes, computed directly. */
#ifndef CGCT_INTERPOLATION_H
#define CGCT_INTERPOLATION_H
#include <stddef.h>
#include <stdint.h>

#include "inner/backend.h"
#include "run/settings.h"
#include "dipole/dipole.h"

typedef struct {
    double at[5]; /* x, eps, q, k1, theta */
    double I[2], error[2];
} interpolation_point;

/* All zero before use. */
typedef struct {
    size_t n, capacity;
    interpolation_point *v;
} interpolation_set;

/* Adds the points of check number 0, 1, ... at a random (x,eps) inside the axes of the card, the
 * same ones whatever was added before; one pipeline.
 */
cgct_status interpolation_add(interpolation_set *s, size_t number, const run_settings *settings,
                              const dipole_source *source, const backend_set *builders,
                              cgct_err *err);
cgct_status interpolation_put(interpolation_set *s, const interpolation_point *p, cgct_err *err);
void interpolation_free(interpolation_set *s);

/* |I(table) - I|/max(I, floor times the largest I of its polarisation). */
typedef struct {
    size_t n;
    double median, p999, max;
} interpolation_quantiles;

typedef struct {
    size_t negative; /* values of the table below 0 */
    double floor, resolution;
    interpolation_quantiles all;
    interpolation_quantiles resolved; /* where the error of I is below resolution times I */
} interpolation_summary;

cgct_status interpolation_compare(const interpolation_set *s, const char *table,
                                  interpolation_summary *out, cgct_err *err);
#endif
