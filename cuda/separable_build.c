/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table, or its transform, from plan to result. */
#include <stdlib.h>

#include "separable_plan.h"

cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err)
{
    cuda_separable_plan plan;
    CGCT_TRY(cuda_separable_plan_init(&plan, o, d, NULL, err));
    cgct_status st = cuda_separable_table(t, &plan, g, err);
    cuda_separable_plan_free(&plan);
    return st;
}

struct cuda_separable {
    cuda_fused_task task;
    cuda_separable_plan plan;
    hankel_weights weights;
};

cgct_status cuda_separable_init(cuda_separable **out, const cuda_fused_task *task, const dipole *d,
                                cgct_err *err)
{
    cuda_separable *s = *out = calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for a plan");
    s->task = *task;
    cgct_status st = cuda_separable_plan_init(&s->plan, task->inner, d, NULL, err);
    if (st == CGCT_OK) st = hankel_weights_init(&s->weights, &s->task, err);
    if (st == CGCT_OK) return st;
    cuda_separable_free(s);
    *out = NULL;
    return st;
}

void cuda_separable_free(cuda_separable *s)
{
    if (!s) return;
    cuda_separable_plan_free(&s->plan);
    hankel_weights_free(&s->weights);
    free(s);
}

int cuda_separable_rank(const cuda_separable *s)
{
    return s->plan.p.w.rank;
}

cgct_status cuda_separable_apply(const cuda_separable *s, gpu *g, double *modes,
                                 double origin[NPOL], cgct_err *err)
{
    device_hankel h;
    CGCT_TRY(device_hankel_init(&h, g, &s->weights, err));
    cgct_status st = cuda_separable_modes(&h, &s->plan, origin, err);
    if (st == CGCT_OK) st = device_hankel_get(&h, modes, err);
    device_hankel_free(&h);
    return st;
}
