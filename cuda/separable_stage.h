/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_stage.h: cuda-separable on a device: what all chunks of a table use
 * (separable_stage.c), and the computation of the chunks (separable.c). */
#ifndef CGCT_SEPARABLE_STAGE_H
#define CGCT_SEPARABLE_STAGE_H
#include "colours.h"
#include "separable_plan.h"

typedef struct {
    gpu *g;
    const cuda_separable_plan *plan;
    separable_view v;
    gpu_group all;       /* buffers for all chunks */
    const double *delta; /* (nd) */
    const double *hav[ANGLE_RULES], *weight[ANGLE_RULES], *cosine[ANGLE_RULES];
    double *ell, *lost, *patch, *ess; /* as in separable_plan */
    double *origin;                   /* (NPOL): g at the first point */
    /* one chunk */
    gpu_group part; /* its buffers */
    double *work;
    size_t chunk; /* columns at once */
    size_t batch; /* numbers in `work`: F, or sums over m, of a batch of nodes or points */
} separable_stage;

/* Copies the plan to the device, makes the matrices of the angular rules there, and computes the
 * modes of L with their kinks.  s->all is to be freed after a failure, too. */
cgct_status separable_stage_init(separable_stage *s, gpu *g, const cuda_separable_plan *plan,
                                 cgct_err *err);

/* A table and both its transforms: that of infinitely many colours, or, where the task's part is
 * INNER_DIFFERENCE or the dipole's channel the singlet, what a finite number changes.  This is the
 * processor's part and needs no device, so that several threads can prepare plans while a device
 * computes.  The task's arrays must outlive it. */
typedef struct {
    int of_colours;
    cuda_separable_plan plan;
    colours_grid colours;
    hankel_weights weights;
} separable_pass;
/* other: as in cuda_separable_plan_init; weights: whether it makes its own of the transform */
cgct_status separable_pass_init(separable_pass *p, const backend_transform *task, const dipole *d,
                                const cuda_separable_plan *other, int weights, cgct_err *err);
void separable_pass_free(separable_pass *p); /* accepts a zeroed one */
/* modes (NPOL, nm, nq, np), caller-owned, GeV^-6. */
cgct_status separable_pass_transform(const separable_pass *p, gpu *g, double *modes,
                                     backend_facts *facts, cgct_err *err);
/* The same, but the modes stay on the device, in h, which is initialised before and freed by the
 * caller. */
cgct_status separable_pass_modes(const separable_pass *p, device_hankel *h, backend_facts *facts,
                                 cgct_err *err);
#endif
