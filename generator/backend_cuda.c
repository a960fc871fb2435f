/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the builders that run on a GPU.  A device is opened for each run: what that costs the
 * driver keeps between them. */
#include "../cuda/builders.h"
#include "backend.h"

static cgct_status table(inner_table *t, const inner_opts *o, const dipole *d, int full,
                         cgct_err *err)
{
    gpu *g;
    CGCT_TRY(gpu_open(&g, o->device, err));
    cgct_status st = cuda_table_build(t, o, d, full, g, err);
    gpu_close(g);
    return st;
}

static cgct_status run_table(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    return table(t, o, d, 0, err);
}

static cgct_status run_full(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    return table(t, o, d, 1, err);
}

static cgct_status run_separable(inner_table *t, const inner_opts *o, const dipole *d,
                                 cgct_err *err)
{
    gpu *g;
    CGCT_TRY(gpu_open(&g, o->device, err));
    cgct_status st = cuda_separable_build(t, o, d, g, err);
    gpu_close(g);
    return st;
}

static cuda_fused_task task_of(const backend_transform *k)
{
    return (cuda_fused_task){k->inner, k->nq, k->np, k->q, k->P, k->degree, k->tail};
}

static cgct_status transform_separable(const backend_transform *k, const dipole *d, double *modes,
                                       backend_facts *facts, cgct_err *err)
{
    gpu *g;
    cuda_fused_task task = task_of(k);
    CGCT_TRY(gpu_open(&g, k->inner->device, err));
    cgct_status st = cuda_separable_transform(&task, d, g, modes, facts->origin, &facts->rank, err);
    facts->ridge_cut = k->inner->ridge_cut;
    gpu_close(g);
    return st;
}

static cgct_status transform_fused(const backend_transform *k, const dipole *d, double *modes,
                                   backend_facts *facts, cgct_err *err)
{
    gpu *g;
    cuda_fused_plan *p;
    cuda_fused_task task = task_of(k);
    facts->ridge_cut = facts->rank = 0;
    CGCT_TRY(gpu_open(&g, k->inner->device, err));
    cgct_status st = cuda_fused_init(&p, &task, g, err);
    if (st == CGCT_OK) st = cuda_fused_apply(p, d, modes, facts->origin, err);
    cuda_fused_free(p);
    gpu_close(g);
    return st;
}

const backend backend_cuda_table = {.name = "cuda-table",
                                    .doc = "the discretisation of direct, on a GPU",
                                    .usable = gpu_usable,
                                    .bytes_needed = cuda_table_bytes,
                                    .run = run_table};

const backend backend_cuda_table_blas = {.name = "cuda-table-blas",
                                         .doc = "the same with the paper's projection by cuBLAS",
                                         .usable = gpu_usable,
                                         .bytes_needed = cuda_full_bytes,
                                         .run = run_full};

const backend backend_cuda_fused = {.name = "cuda-fused",
                                    .doc = "the same, transformed at once: no inner table",
                                    .usable = gpu_usable,
                                    .bytes_needed = cuda_table_bytes,
                                    .transform = transform_fused};

const backend backend_cuda_separable = {.name = "cuda-separable",
                                        .doc = "the method of separable, on a GPU",
                                        .usable = gpu_usable,
                                        .bytes_needed = cuda_separable_bytes,
                                        .run = run_separable,
                                        .transform = transform_separable};
