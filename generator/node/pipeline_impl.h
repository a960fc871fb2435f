/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline_impl.h: what pipeline.c makes and pipeline_modes.c projects.  Private to both. */
#ifndef CGCT_PIPELINE_IMPL_H
#define CGCT_PIPELINE_IMPL_H
#include "inner/grids.h"
#include "node/modes.h"
#include "node/pipeline.h"
#include "inner/ridge.h"

#define PIPELINE_ROUNDING 1e-13 /* floor of the estimate relative to I */

struct pipeline {
    double k_max, tolerance, scale; /* GeV; -; max(eps, Qs), GeV */
    double safety;                  /* on the difference of the two passes */
    int m_max, n_theta;             /* of the card, 0: auto */
    mode_table fine, coarse;        /* of I less the ridges */
    ridge ridges;
};

/* What decides on angles and modes of the product. */
typedef struct {
    int m_max, n_theta;      /* of the card, 0: auto */
    double tolerance, scale; /* -; max(eps, Qs), GeV */
    size_t nq, nk;
    const double *q, *k; /* GeV */
} projection_task;

/* The paper's modes as they are made. */
typedef struct {
    size_t nm;              /* modes of the largest q, which is the length of a row */
    size_t *modes, *angles; /* (nq): modes at each q; angles on [0,pi] */
    double *I, *error;      /* (NPOL, nq, nk, nm), (NPOL, nq, nk), zero at first */
} projection;
cgct_status projection_init(projection *j, const projection_task *t, cgct_err *err);
void projection_free(projection *j);
/* Hands I and error over, without the modes that the tolerance does not need. */
void projection_finish(projection *j, const projection_task *t, size_t *nm, double **modes,
                       double **error);

/* Whether the card's momenta and eps can be computed at all. */
cgct_status pipeline_check_task(const pipeline_task *k, cgct_err *err);
/* Ratio of all spacings of the coarse pass, and the factor on the difference of the two. */
void pipeline_certificate(const dipole *d, double *coarser, double *safety);
/* The worse polarisation's difference from the sum rule. */
cgct_status pipeline_sum_rule(const dipole *d, double eps, const double origin[NPOL],
                              double *difference, cgct_err *err);

/* The fine pass; *scale: max(eps, Qs), GeV. */
inner_grids_task pipeline_grids_task(const pipeline_task *k, const dipole *d, double *scale);
void pipeline_report_grids(pipeline_report *rep, const inner_grids *g);

/* |q - k1|, theta = angle(k1,q) */
double pipeline_k2(double q, double k1, double theta);
#endif
