/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipeline_impl.h: what pipeline.c makes and pipeline_modes.c projects.  Private to both. */
#ifndef CGCT_PIPELINE_IMPL_H
#define CGCT_PIPELINE_IMPL_H
#include "inner_grids.h"
#include "modes.h"
#include "pipeline.h"
#include "ridge.h"

#define PIPELINE_ROUNDING 1e-13 /* floor of the estimate relative to I */

struct pipeline {
    double k_max, tolerance, scale; /* GeV; -; max(eps, Qs), GeV */
    double safety;                  /* on the difference of the two passes */
    int m_max, n_theta;             /* of the card, 0: auto */
    mode_table fine, coarse;        /* of I less the ridges */
    ridge ridges;
};

/* The fine pass; *scale: max(eps, Qs), GeV. */
inner_grids_task pipeline_grids_task(const pipeline_task *k, const dipole *d, double *scale);
void pipeline_report_grids(pipeline_report *rep, const inner_grids *g);

/* |q - k1|, theta = angle(k1,q) */
double pipeline_k2(double q, double k1, double theta);
#endif
