/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table, or its transform, from plan to result. */
#include "separable_plan.h"

cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err)
{
    cuda_separable_plan plan;
    CGCT_TRY(cuda_separable_plan_init(&plan, o, d, err));
    cgct_status st = cuda_separable_table(t, &plan, g, err);
    cuda_separable_plan_free(&plan);
    return st;
}

cgct_status cuda_separable_transform(const cuda_fused_task *task, const dipole *d, gpu *g,
                                     double *modes, double origin[NPOL], int *rank, cgct_err *err)
{
    cuda_separable_plan plan;
    hankel_weights w = {NULL, NULL, NULL};
    device_hankel h = {0};
    CGCT_TRY(cuda_separable_plan_init(&plan, task->inner, d, err));
    *rank = plan.p.w.rank;
    cgct_status st = hankel_weights_init(&w, task, err);
    if (st == CGCT_OK) st = device_hankel_init(&h, g, &w, err);
    if (st == CGCT_OK) st = cuda_separable_modes(&h, &plan, origin, err);
    if (st == CGCT_OK) st = device_hankel_get(&h, modes, err);
    device_hankel_free(&h);
    hankel_weights_free(&w);
    cuda_separable_plan_free(&plan);
    return st;
}
