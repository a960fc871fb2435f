/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checks.h: points between the nodes of a table, computed directly, and how far it is off there. */
#ifndef CGCT_RUN_CHECKS_H
#define CGCT_RUN_CHECKS_H
#include <stdint.h>

#include "run/bounds.h"
#include "run/job.h"

typedef union {
    struct {
        double at[5]; /* x, eps, q, k1, theta */
        double member;
        double I[2], error[2];
    };
    double number[10]; /* all of these, in the order of the record */
} check_point;

typedef struct {
    size_t n;
    check_point *v; /* NULL before use; free with free */
} check_set;

/* Check number 0, 1, ...: 1200 points of run_job_checked at one random (x, eps), the same
 * whatever else is computed.
 * Allocates *record (free with free).  Errors of node_compute, with x and eps added. */
cgct_status run_check_compute(const run_job *j, size_t number, uint8_t **record, size_t *size,
                              cgct_err *err);
/* Adds the points of a check's record to a set. */
cgct_status run_check_parse(const uint8_t *record, size_t size, check_set *set, cgct_err *err);

/* Of n numbers, all 0 for n = 0. */
typedef struct {
    size_t n;
    double median, p999, max; /* p999: 99.9th percentile */
} run_quantiles;
run_quantiles run_quantiles_of(size_t n, double *v); /* reorders v */

/* Differences are relative to I, or to this share of the largest I of the polarisation where I is
 * smaller: below it the dipole itself is rounding. */
#define CHECKS_FLOOR 1e-12
/* Points whose error is below this share of I are resolved; others say nothing about the table. */
#define CHECKS_RESOLUTION 1e-4

/* Regions of a table, in which bounds are calibrated each on their own: polarisation, parts of the
 * axis q by its blocks, patch in k. */
enum { CHECKS_Q_PARTS = 4, CHECKS_PATCHES = 2 };
enum { CHECKS_REGIONS = NPOL * CHECKS_Q_PARTS * CHECKS_PATCHES };
/* Fewer places (x, eps) in a region do not make its bounds smaller. */
enum { CHECKS_MANY = 32 };
/* The region of a block of run/bounds.h, and of a point. */
size_t checks_region_of_block(const bounds_shape *s, size_t block);
size_t checks_region_of_point(const bounds_shape *s, const check_point *p, int pol);

/* |I(table) - I|/max(I, CHECKS_FLOOR largest I) at points computed directly. */
typedef struct {
    size_t negative; /* values of the table below 0 */
    size_t outside;  /* resolved values farther off than the table's bound and their own error */
    run_quantiles all, resolved;
} checks_summary;

/* I of the table at `path` and its bound, (points, 2, NPOL): of the members of the points.  E_RANGE
 * where a point lies outside the table. */
cgct_status checks_evaluate(const check_set *s, const char *path, double *value, cgct_err *err);
/* Compares these values with the points. */
void checks_compare(const check_set *s, const double *value, checks_summary *out);

/* Calibrates bounds of the form known + factor * more, in each region on its own.  known, more
 * (points, 2, NPOL): as of checks_evaluate, of tables whose bounds are one or the other alone.
 * factor (CHECKS_REGIONS): the least with which at most 0.03% of the resolved values lie outside,
 * up to 32; not below `few` where these values are of fewer than CHECKS_MANY places (x, eps), else
 * not below `many`. */
void checks_factors(const check_set *s, const bounds_shape *shape, const double *known,
                    const double *more, double few, double many, double *factor);
#endif
