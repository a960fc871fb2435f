/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coarse.h: the members of a table but the first from few nodes: what each differs from the first
 * member by at the coarse nodes, which both have, interpolated to the momenta of the table.  Only
 * such differences are used, so that what coarse momenta leave out of both cancels. */
#ifndef CGCT_RUN_COARSE_H
#define CGCT_RUN_COARSE_H
#include "run/segments.h"

/* Nodes of the polynomials in x and eps between coarse nodes (FORMAT.md 6). */
enum { VARIED_ORDER = 6 };

/* Polynomials in one variable: value i of n is Sum_{l < p} w[i][l] f[first[i] + l]. */
typedef struct {
    size_t n, p, *first;
    double *w; /* (n, p) */
} coarse_axis;

/* In the momenta of a table. */
typedef struct {
    coarse_axis q, lower, upper;
} coarse_momenta;

typedef struct coarse_members {
    const segment_source *source;
    size_t nx, neps;               /* coarse nodes */
    coarse_momenta fields, errors; /* through COARSE_ORDER nodes; linear */
} coarse_members;

/* source, whose shape is set, outlives c. */
void coarse_init(coarse_members *c, const segment_source *source);
void coarse_free(coarse_members *c);

/* Fields of a member at a coarse node, value (NPOL, nm, coarse nq, coarse nk), and their errors,
 * error (NPOL, coarse nq, coarse nk).  Errors of segment_read. */
cgct_status coarse_read(const segment_source *s, size_t member, size_t node, double *value,
                        double *error, cgct_err *err);
/* The same for the difference of a member from the first one, whose fields and errors there are
 * `first` and `first_error`; error: of both records together. */
cgct_status coarse_difference(const segment_source *s, size_t member, size_t node,
                              const double *first, const double *first_error, double *value,
                              double *error, cgct_err *err);
/* The same numbers at the momenta of the table, and their scales, (NPOL, nm, nq, nk) each. */
void coarse_refine(const coarse_members *c, const double *value, const double *error,
                   double *refined, double *scale);

/* Sets members (nx, neps, blocks of the table), c of node_bound_unit: how far the difference of any
 * member is off, from the errors of both records, from interpolation in all variables, each
 * estimated with one node less or two more, and from what storage changes at the coarse nodes,
 * stored (coarse nodes, blocks of the table).  Errors of segment_read. */
cgct_status coarse_bounds(const segment_source *s, const double *stored, double *members,
                          cgct_err *err);
#endif
