/* SPDX-License-Identifier: GPL-3.0-or-later */
/* segments.h: the nodes of one panel in x and one in eps, all members, in a reduced basis, and how
 * far it is off at each of them. */
#ifndef CGCT_RUN_SEGMENTS_H
#define CGCT_RUN_SEGMENTS_H
#include <math.h>

#include "run/basis.h"
#include "run/bounds.h"
#include "run/record.h"

/* Nodes of the polynomials in momenta between coarse nodes, at most. */
enum { COARSE_ORDER = 8 };

/* The nodes of a table. */
typedef struct {
    const run_job *job;
    const run_slot *slot;
    size_t nx, neps;                   /* nodes of the table's axes */
    size_t px, peps, each_x, each_eps; /* panels, nodes of each */
    size_t order_x, order_eps;
    bounds_shape shape;
} segment_source;

/* In all blocks of all nodes, (full members, nx, neps, blocks): c of node_bound_unit. */
typedef struct {
    double *known;   /* computation, reduction and rounding */
    double *between; /* interpolation in all variables */
    double *members; /* (nx, neps, blocks): what other members add, from coarse nodes */
} segment_bounds;

/* nm: the largest number of coefficients that a record's fields have in the table. */
segment_source segment_source_of(const run_job *j, const run_slot *slot, size_t nm,
                                 int either_sign);
/* The item of a node of the table. */
size_t segment_item(const segment_source *s, size_t member, size_t ix, size_t ieps);

/* The fields of an item that is a node, changed or coarse or not: value (NPOL, nm, nq, nk), error
 * (NPOL, nq, nk).  Errors of reading records, and E_FORMAT where it has other momenta. */
cgct_status segment_read(const segment_source *s, size_t item, double *value, double *error,
                         cgct_err *err);

/* What reduction may change: table.rank_bound, or its share of output.bound. */
double segment_reduction(const run_settings *c);
/* Share of the numbers that it may change by more.  Some nodes are noisier than their estimates
 * say; without this share there would be nearly as many basis fields as nodes. */
#define SEGMENT_OUTLIERS 1e-3
/* What a number of a point with this c may be off in units of bound: more where its error at the
 * dips of I exceeds it, and no more than e^l itself. */
static inline double segment_scale(double bound, double c)
{
    return fmax(1, fmin(c * node_bound_unit(0), 1) / bound);
}
/* The same of error (NPOL, nq, nk) for all fields: scale (NPOL, nm, nq, nk). */
void segment_scales(const segment_source *s, double bound, const double *error, double *scale);
/* The task of a basis of so many rows of fields, stored as c says; self and read are left open. */
basis_task segment_task(const segment_source *s, const run_settings *c, size_t rows);

/* Bytes of a node in a table that stores it by itself, rounded to `bound`, among others like it; of
 * a sample, whose record may have more coefficients than others.  E_NOMEM, E_RANGE. */
cgct_status segment_row_bytes(const segment_source *s, const run_record *r, double bound,
                              double *bytes, cgct_err *err);

/* V of a basis becomes its code.  OK, E_NOMEM, E_RANGE. */
cgct_status segment_encode(const segment_source *s, basis *b, cgct_err *err);

/* Panel ax of x and ae of eps.  Errors of basis_make, and of reading records. */
cgct_status segment_make(const segment_source *s, size_t ax, size_t ae, basis *b,
                         const segment_bounds *bounds, cgct_err *err);
#endif
