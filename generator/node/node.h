/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h: one (x, eps) from the dipole to the cross section: values at any point, and the fields
 * that a table stores. */
#ifndef CGCT_NODE_H
#define CGCT_NODE_H
#include <math.h>
#include <stddef.h>

#include "dipole/dipole.h"
#include "inner/backend.h"
#include "inner/grids.h"

/* What a user may set of one (x,eps), from the inner table to the fields of a table.  Members have
 * the names of the run card's keys. */
typedef struct {
    inner_settings inner;
    int m_max; /* largest coefficient that is kept; 0: as many as the tolerance needs */
} node_settings;

/* The momenta of a table (FORMAT.md 5): at each q, nl values of the shorter momentum k from 0 to
 * q/2, the lower patch, and nu from q/2 to K(q) = k_max (1 + (q/(2 k_max))^4)^(1/4). */
typedef struct {
    size_t nq, nl, nu;          /* nl, nu >= 2 */
    const double *q;            /* GeV, rising */
    double k0, k_max;           /* GeV */
    struct tensor_shelf *shelf; /* of a run: what its nodes of equal x share; or NULL */
} node_grid;

/* Transforms of the correlation limit at the momenta of grids, which do not depend on eps: computed
 * by the first node of a run that needs them, kept for the others (continuation.c).  Threads may
 * share it. */
struct tensor_shelf *tensor_shelf_new(void);
void tensor_shelf_free(struct tensor_shelf *s); /* accepts NULL */

/* k of node j = 0..nl+nu-1, the lower patch first, GeV; k = q/2 is the last of the lower patch and
 * the first of the upper one. */
double node_grid_k(const node_grid *g, size_t iq, size_t j);
/* Largest cosine of the angle between k and q: 1 in the lower patch, q/(2k) in the upper one. */
double node_grid_top(const node_grid *g, size_t iq, size_t j);

typedef struct {
    const node_settings *settings;
    const dipole_source *source;
    double x, eps; /* -, GeV */
    size_t nq;
    const double *q;             /* GeV, any order, each > 0 */
    const node_grid *grid;       /* of the fields, with the same q; NULL for points alone */
    double k_max;                /* GeV: largest k1 of points; the grid's K(q) need not be in it */
    const backend_set *builders; /* or NULL: the processor's */
    int coarser_only; /* 1: without the finer computation, for node_point_coarser alone */
    /* 1: in the place of I_T and I_L what a table of a proton's dijets holds of this source,
     * FORMAT.md 11; eps is not looked at */
    int forward;
} node_task;

/* What was chosen and what it cost; for progress lines, metadata and the benchmark. */
typedef struct {
    size_t n_delta, n_r, n_s, n_p;
    int rank, modes; /* of the cross approximation; largest mode M of the inner table */
    double delta_max, r_max, s_max;
    double sum_rule;  /* relative difference of g(0,0) from METHOD.md 7.2, the worse polarisation */
    size_t continued; /* values of l that were lost in their error and follow METHOD.md 6.2 */
    double seconds_inner, seconds_weights, seconds_hankel, seconds_certificate, seconds_total;
    size_t bytes_peak;               /* largest sum of arrays held at once by the processor */
    inner_stage stage[INNER_STAGES]; /* of the fine pass, as in inner_table */
    const char *backend;
    char fallback[BACKEND_REASON]; /* which backend "auto" gave up, and why; empty: none */
} node_report;

/* The fields that a table stores of one (x,eps): I = e^l (1 + Sum_{m>=1} r_m T_m(t)) at the nodes
 * of a grid, t as in FORMAT.md 5.  Owned; freed by node_fields_free, which accepts zeros. */
typedef struct {
    size_t nq, nk, nm; /* nk = nl + nu */
    int either_sign;   /* 1: the mean of I over the angle is negative somewhere, and r_1 belongs to
                          T_0, r_2 to T_1, ... */
    double *value;     /* (NPOL, nm, nq, nk) row-major: l (I in GeV^-6), r_1, r_2, ...; zeros where
                          no more are needed */
    double *error;     /* (NPOL, nq, nk): c of node_bound_unit */
} node_fields;
void node_fields_free(node_fields *f);

/* The values of t of each (q,k), t_j = cos(pi (j + 1/2)/NODE_ANGLES), the nodes of the Chebyshev
 * sum.  With k the shorter momentum no ridge lies inside a patch, whatever eps is: coefficients
 * above 1e-7 of the mean end at m = 31 for mv and gbw from eps = 0.1 GeV on (METHOD.md 6.1); what
 * 48 values do not resolve is part of the bound. */
enum { NODE_ANGLES = 48 };
/* Errors are proportional to I where they come from the logarithm of its mean, and to that mean
 * where they come from its dependence on the angle: |error of I| <= c e^l node_bound_unit(I/e^l)
 * (FORMAT.md 8), where c is also the share of I that it is where I is e^l. */
static inline double node_bound_unit(double I)
{
    return (2 * fabs(I) + 1) / 3;
}
/* Sum_m r_m T_m(t_j), from m = 1 on or with either_sign from m = 0, of n points: r (nm - 1, n),
 * rows `apart` apart; sum (NODE_ANGLES, n).  I/e^l is larger by 1. */
void node_fields_at_angles(size_t n, size_t apart, size_t nm, int either_sign, const double *r,
                           double *sum);

/* Purpose  fields of a node in which the mean over the angle may have either sign, from the
 *          coefficients of I in the angle
 * Formula  2 l is the logarithm of <I^2> + (d I_0/d ln q)^2/16, smoothed in ln q, where <> is the
 *          mean over the angles: e^l is smooth and about as large as I where I_0 changes its sign
 * In, out  value (NPOL, nm, nq, nk): I_0, I_1, ..., the last of which is 0, GeV^-6; becomes l, r_1
 *          of T_0, r_2 of T_1, ...; error (NPOL, nq, nk): at any angle, GeV^-6; becomes that of
 *          node_fields */
void node_fields_either_sign(const node_grid *g, size_t nm, double *value, double *error);

/* I_m(q,P) on a dense grid of P, computed twice: what node_point evaluates.  const once made. */
typedef struct node_tables node_tables;

/* Purpose  computes a node: grids, inner table, Hankel transforms and, for the fields, I at many
 *          angles, all of it twice for the error estimate (METHOD.md 2 to 6)
 * Out      *n: for node_point, or n = NULL: not wanted.  *fields: on task->grid, or fields = NULL.
 *          Of a source with several parts, dipole_source_parts, all are computed and added: I and
 *          bounds with their shares, report with the largest grids and the sum of the times.
 *          Where only fields are wanted, a builder on a GPU may compute I there without the
 *          intermediate tables.  report may be NULL.
 * Returns  OK; E_DOMAIN, E_RANGE, E_CONFIG for a task that cannot be computed; E_ACCURACY,
 *          E_NOMEM, E_DEVICE
 * Accuracy error holds for all points of tests/node/test_node.c. */
cgct_status node_compute(const node_task *task, node_tables **n, node_fields *fields,
                         node_report *report, cgct_err *err);
void node_tables_free(node_tables *n); /* accepts NULL */

/* I[T,L] and a bound on its error, GeV^-6, at q[iq], k1 <= k_max or a grid's largest k (GeV), theta
 * = angle(k1,q).  Of a task with a grid the bound is from q[iq] alone, where it may be too small by
 * chance (METHOD.md 5). */
cgct_status node_point(const node_tables *n, size_t iq, double k1, double theta, double I[NPOL],
                       double error[NPOL], cgct_err *err);

/* I[T,L] of the coarser computation: where two nodes differ by a small change of the dipole, their
 * difference is nearly that of the finer ones. */
cgct_status node_point_coarser(const node_tables *n, size_t iq, double k1, double theta,
                               double I[NPOL], cgct_err *err);

/* G and H of node/reference.h for the source and its number of colours, its parts added. */
cgct_status node_tensor(const dipole_source *source, double x, size_t nq, const double *q,
                        double *G, double *H, cgct_err *err);

/* reference_transforms for the source, its parts added: out (REFERENCE_TRANSFORMS, nq). */
cgct_status node_transforms(const dipole_source *source, double x, double Nc, size_t nq,
                            const double *q, double *out, cgct_err *err);

/* The task of the grids that node_compute chooses; *scale: max(eps, Qs), GeV. */
inner_grids_task node_grids_task(const node_task *k, const dipole *d, double *scale);
/* The sizes of these grids, without computing a node.  bytes_peak: of node_compute with fields, by
 * one thread; *work: proportional to the time, very roughly.  *device (or NULL): bytes of a
 * device that does all of it at once, or 0 where none is used; they take milliseconds to find. */
cgct_status node_plan(const node_task *task, node_report *report, double *work, size_t *device,
                      cgct_err *err);
#endif
