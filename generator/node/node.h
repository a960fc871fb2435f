/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.h: one (x, eps) from the dipole to the cross section: values at any point, and the modes
 * that a table is made of. */
#ifndef CGCT_NODE_H
#define CGCT_NODE_H
#include <stddef.h>

#include "dipole/dipole.h"
#include "inner/backend.h"
#include "inner/grids.h"

/* What a user may set of one (x,eps), from the inner table to the modes of the product.  Members
 * have the names of the run card's keys. */
typedef struct {
    inner_settings inner;
    int m_max, n_theta; /* largest mode, angles on [0,pi]; 0: as many as the ridges need */
    double fold;        /* power p of chi = k2^p/(k1^p + k2^p); 0: modes of I itself */
    double k_low;       /* GeV: first k of a folded table; 0: automatic */
} node_settings;

typedef struct {
    const node_settings *settings;
    const dipole_source *source;
    double x, eps; /* -, GeV */
    size_t nq, nk;
    const double *q;             /* GeV, any order, each > 0 */
    const double *k;             /* GeV, in [0, k_max]: of the modes; not needed for points alone */
    double k_max;                /* GeV: largest k1 that will be asked for */
    const backend_set *builders; /* or NULL: the processor's */
} node_task;

/* What was chosen and what it cost; for progress lines, metadata and the benchmark. */
typedef struct {
    size_t n_delta, n_r, n_s, n_p;
    int rank, modes; /* of the cross approximation; largest mode M of the inner table */
    double delta_max, r_max, s_max;
    double sum_rule; /* relative difference of g(0,0) from METHOD.md 7.2, the worse polarisation */
    double seconds_inner, seconds_weights, seconds_hankel, seconds_certificate, seconds_total;
    size_t bytes_peak; /* largest sum of arrays held at once by the processor */
    const char *backend;
    char fallback[BACKEND_REASON]; /* which backend "auto" gave up, and why; empty: none */
} node_report;

/* Modes m = 0..nm-1 of I(q,k1,theta), or of J (stored.h), on a grid of momenta, GeV^-6.  q and k
 * are borrowed; value and error are owned and freed by node_modes_free, which accepts zeros. */
typedef struct {
    size_t nq, nk, nm;
    const double *q, *k; /* GeV */
    double *value;       /* (NPOL, nq, nk, nm) row-major */
    double *error;       /* (NPOL, nq, nk): bound on the error of I at any angle */
} node_modes;
void node_modes_free(node_modes *m);

/* I_m(q,P) on a dense grid of P, computed twice: what node_point evaluates.  const once made. */
typedef struct node_tables node_tables;

/* Purpose  computes a node: grids, inner table, Hankel transforms and, for the modes, I at many
 *          angles, all of it twice for the error estimate (METHOD.md 2 to 5)
 * Out      *n: for node_point, or n = NULL: not wanted.  *modes: I_m(q[iq],k[ik]), or modes = NULL.
 *          Where only modes are wanted, a builder on a GPU may make them there without the
 *          intermediate tables.  report may be NULL.
 * Returns  OK; E_DOMAIN, E_RANGE, E_CONFIG for a task that cannot be computed; E_ACCURACY,
 *          E_NOMEM, E_DEVICE
 * Accuracy error holds for all points of tests/node/test_node.c. */
cgct_status node_compute(const node_task *task, node_tables **n, node_modes *modes,
                         node_report *report, cgct_err *err);
void node_tables_free(node_tables *n); /* accepts NULL */

/* I[T,L] and a bound on its error at q[iq], k1 <= k_max (GeV), theta = angle(k1,q): GeV^-6. */
cgct_status node_point(const node_tables *n, size_t iq, double k1, double theta, double I[NPOL],
                       double error[NPOL], cgct_err *err);

/* The task of the grids that node_compute chooses; *scale: max(eps, Qs), GeV. */
inner_grids_task node_grids_task(const node_task *k, const dipole *d, double *scale);
/* The sizes of these grids, without computing a node.  bytes_peak: of node_compute with modes, by
 * one thread; *work: proportional to the time, very roughly.  *device (or NULL): bytes of a
 * device that does all of it at once, or 0 where none is used; they take milliseconds to find. */
cgct_status node_plan(const node_task *task, node_report *report, double *work, size_t *device,
                      cgct_err *err);
#endif
