/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline.h: one (x, eps) from dipole to cross section: dipole -> inner table -> Hankel -> modes.
 */
#ifndef CGCT_PIPELINE_H
#define CGCT_PIPELINE_H
#include <stddef.h>

#include "inner/backend.h"
#include "node/settings.h"
#include "dipole/dipole.h"

typedef struct {
    const node_settings *settings;
    const dipole_source *source;
    double x, eps; /* eps in GeV */
    size_t nq;
    const double *q;             /* GeV, any order, each > 0 */
    double k_max;                /* GeV: largest k1 that will be asked for */
    const backend_set *builders; /* or NULL: the processor's */
} pipeline_task;

/* What was chosen and what it cost; for progress lines, metadata and the benchmark. */
typedef struct {
    size_t n_delta, n_r, n_s, n_p;
    int rank, modes; /* rank of W, largest mode M of the inner table */
    double delta_max, r_max, s_max;
    double sum_rule; /* relative difference of g(0,0) from METHOD.md 7.2, the worse polarisation */
    double seconds_inner, seconds_weights, seconds_hankel, seconds_certificate, seconds_total;
    size_t bytes_peak; /* largest sum of arrays held at once by the processor */
    const char *backend;
    char fallback[BACKEND_REASON]; /* which backend "auto" gave up, and why; empty: none */
} pipeline_report;

typedef struct pipeline
    pipeline; /* I_m(q,P) on a dense P grid, twice (see certificate); const once made */

cgct_status pipeline_init(pipeline **p, const pipeline_task *task, pipeline_report *report,
                          cgct_err *err);
void pipeline_free(pipeline *p);

/* The grids that pipeline_init would choose, without computing anything.  bytes_peak: of
 * pipeline_init and pipeline_modes on nk momenta, by one thread; work: in proportion to the time,
 * very roughly. */
cgct_status pipeline_plan(const pipeline_task *task, size_t nk, pipeline_report *report,
                          double *work, cgct_err *err);
/* Bytes of a device that does all of it at once; 0: none is used.  Takes milliseconds. */
cgct_status pipeline_device_bytes(const pipeline_task *task, size_t *bytes, cgct_err *err);

/* I[T,L] and a bound on its error at q[iq], k1 <= k_max (GeV), theta = angle(k1,q): GeV^-6. */
cgct_status pipeline_point(const pipeline *p, size_t iq, double k1, double theta, double I[2],
                           double error[2], cgct_err *err);

/* The paper's modes I_m(q,k1), m = 0..*nm-1: allocates *modes (2, nq, nk, *nm) and *error (2, nq,
 * nk). */
cgct_status pipeline_modes(const pipeline *p, size_t nk, const double *k, size_t *nm,
                           double **modes, double **error, cgct_err *err);

/* Both in one, k <= task->k_max: a builder that finishes nodes makes all of it on its device. */
cgct_status pipeline_product(const pipeline_task *task, size_t nk, const double *k, size_t *nm,
                             double **modes, double **error, pipeline_report *report,
                             cgct_err *err);
#endif
