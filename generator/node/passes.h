/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h: the two computations of a node, whose difference is the error estimate.  Private. */
#ifndef CGCT_NODE_PASSES_H
#define CGCT_NODE_PASSES_H
#include "node/evaluate.h"

/* A task and what both of its computations share. */
typedef struct {
    const node_task *task;
    node_task forward; /* the task of a node with `forward`, whose eps is that of the limit */
    dipole *dipole;
    const backend *builder;             /* the first choice */
    const char *backend;                /* name of the one that is asked for */
    inner_grids_task fine, coarse;      /* grids of the two computations */
    double scale;                       /* max(eps, Qs), GeV */
    node_safety safety, safety_colours; /* of the table, and of the part INNER_DIFFERENCE */
    inner_part part;                    /* where the builder divides the table */
    node_report *report;
} node_work;

/* Leaves a dipole to be freed, also after a failure.  Errors of dipole_init and backend_find. */
cgct_status node_work_init(node_work *w, const node_task *task, node_report *report, cgct_err *err);
/* Both computations, as one or two parts of n, which is zeroed before and to be freed by
 * node_tables_free whatever is returned; report is filled in. */
cgct_status node_work_tables(const node_work *w, node_tables *n, cgct_err *err);

/* Completes the node of a task with `forward` (forward_node.c). */
cgct_status node_add_forward(const node_work *w, node_tables *n, cgct_err *err);
void node_forward_free(node_forward *f); /* accepts NULL */

/* The largest k1 that a node is needed for: of points, and the grid's largest K(q), GeV. */
double node_largest_k(const node_task *k);
void node_report_grids(node_report *rep, const inner_grids *g);
/* The part of the table that o describes, where the builder b divides it. */
void node_choose_part(const node_work *w, const backend *b, inner_opts *o);
backend_transform node_transform(const node_task *k, const inner_grids *g);
/* The factors of single scattering, where the inner table is without it (taken_off). */
cgct_status node_work_single(const node_work *w, int taken_off, single_factors *s, cgct_err *err);
/* Compares g(0,0) with METHOD.md 7.2, into the report. */
void node_check_sum_rule(const node_work *w, const double origin[NPOL]);

/* node_compute and node_plan where the source is one dipole; report is not NULL. */
cgct_status node_part_compute(const node_task *task, node_tables **n, node_fields *fields,
                              node_report *report, cgct_err *err);
cgct_status node_part_plan(const node_task *task, node_report *report, double *work, size_t *device,
                           cgct_err *err);
#endif
