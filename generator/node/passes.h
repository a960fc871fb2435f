/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h: the two computations of a node, whose difference is the error estimate, and what is
 * evaluated from them: I at points (node_point) and at the angles of a grid.  Private. */
#ifndef CGCT_NODE_PASSES_H
#define CGCT_NODE_PASSES_H
#include "inner/single.h"
#include "node/fields.h"
#include "node/forward.h"
#include "node/hankel.h"
#include "node/node.h"

/* The error is the difference of the two computations times these: at points, where it is the rms
 * over P and the largest of five q, and at the angles of fields, of which the largest counts. */
typedef struct {
    double point, field;
} node_safety;

/* The field V of two gluons or of quark and antiquark, METHOD.md 12, in one computation of a node:
 * K V_K and -K V_phi are the sums of a_m cos(m phi) and b_m sin(m phi), of each (q, P) at K = P. */
typedef struct {
    double *a, *b; /* (nq, np, nm); a owns both */
} node_field;

/* What X of a proton's dijets needs beside C with this eps. */
typedef struct {
    double eps;
    dipole_forward_parts parts;
    forward_functions f;
    double *G;               /* (f.wave.nk): Int_0^k F_n k dk/k of single scattering, of a field */
    node_field fine, coarse; /* of a field */
    node_tables *wider;      /* coarse, with eps FORWARD_LIMIT_RATIO times as large; or NULL */
} node_forward;

struct node_tables {
    struct node_tables *next; /* of the next part of the dipole; NULL: none */
    double share;             /* of this part in I */
    size_t nq;                /* momenta that were asked for, the first ones of fine and coarse */
    double k_max, scale;      /* GeV: largest k1; max(eps, Qs) */
    node_safety safety;
    mode_table fine, coarse; /* of I less single scattering, where that is held apart */
    single_factors single;
    node_forward *forward; /* or NULL */
};

/* What a table holds at q[iq], k1 and q - k1, METHOD.md 12, and bounds, GeV^-4; theta =
 * angle(k1,q).  Of a node with `forward`. */
void evaluate_forward(const node_tables *n, size_t iq, double k1, double theta, double X[NPOL],
                      double error[NPOL]);

/* I of this part and the bound on its error at all angles of v, whose grid has the node's q;
 * OpenMP. */
void evaluate_angles(const node_tables *n, field_values *v);

/* A task and what both of its computations share. */
typedef struct {
    const node_task *task; /* own of the node_work that was set up, also in copies of that */
    node_task own;         /* what was asked for, with another eps or with neighbours in q */
    size_t nq;             /* momenta that were asked for */
    double *neighbours;    /* those and, behind them, four more for each; or NULL */
    dipole *dipole;
    const backend *builder;             /* the first choice */
    const char *backend;                /* name of the one that is asked for */
    inner_grids_task fine, coarse;      /* grids of the two computations */
    double scale;                       /* max(eps, Qs), GeV */
    node_safety safety, safety_colours; /* of the table, and of the part INNER_DIFFERENCE */
    inner_part part;                    /* where the builder divides the table */
    node_report *report;
} node_work;

/* To be freed, also after a failure.  points: with neighbours in q, of which the largest difference
 * of both computations counts.  Errors of dipole_init and backend_find. */
cgct_status node_work_init(node_work *w, const node_task *task, int points, node_report *report,
                           cgct_err *err);
void node_work_free(node_work *w);
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
