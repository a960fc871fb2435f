/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_plan.h: the processor's part of one table of cuda-separable: nodes, rules, cross
 * approximation, lists and tables of functions, and the memory that the device will need.  Several
 * threads prepare the plans of the next tables while a device computes one. */
#ifndef CGCT_SEPARABLE_PLAN_H
#define CGCT_SEPARABLE_PLAN_H
#include "lookup.h"
#include "separable_lists.h"

typedef struct {
    separable_plan p;
    separable_column *columns;
    separable_lists lists; /* of all columns */
    ell_lists ell;
    separable_gauss gauss[GAUSS_RULES];
    double *rules; /* (3, angles): x, hav, w of all angular rules, concatenated */
    size_t angles;
    device_lnS lnS; /* its table, on the processor, reaches r = lnS_last */
    lookup_table lnS_table;
    double lnS_last;
    int lnS_borrowed; /* the table belongs to another plan */
} cuda_separable_plan;

/* o and d are kept by reference.  other: NULL, or a plan of the same dipole whose table of ln S may
 * be used by both; it must then live longer. */
cgct_status cuda_separable_plan_init(cuda_separable_plan *s, const inner_opts *o, const dipole *d,
                                     const cuda_separable_plan *other, cgct_err *err);
void cuda_separable_plan_free(cuda_separable_plan *s);

/* ---- memory of the device ---- */

enum { SEPARABLE_BATCH_MAX = 1 << 23 }; /* numbers; these are enough threads to fill any device */

/* Items in the lists of some columns. */
typedef struct {
    size_t columns, nodes, blocks, weights, close;
} separable_counts;

/* Bytes of the lists and arrays of one column, on average, without the batch buffer. */
double separable_column_bytes(const separable_plan *p, const separable_counts *c);

/* Numbers of the batch buffer for one node, and for one point, at a rule of n angles. */
size_t separable_node_batch(const separable_plan *p, size_t n);
size_t separable_point_batch(const separable_plan *p, size_t n);
/* For one node or point with the longest rule; for all nodes or points that use one rule. */
size_t separable_batch_least(const separable_plan *p);
size_t separable_batch_most(const cuda_separable_plan *k);
#endif
