/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the builders that run on a GPU: on one of the crew of a run, else on a device that is
 * opened for this alone. */
#include <stdlib.h>

#include "builders.h"
#include "device.h"

static cgct_status take(const inner_opts *o, gpu **g, cgct_err *err)
{
    return o->crew ? gpu_crew_take(o->crew, g, err) : gpu_open(g, o->device, err);
}

static cgct_status give(const inner_opts *o, gpu *g, cgct_status st, const cgct_err *err)
{
    if (o->crew)
        gpu_crew_give(o->crew, g, st, err);
    else
        gpu_close(g);
    return st;
}

static cgct_status table(inner_table *t, const inner_opts *o, const dipole *d, int full,
                         cgct_err *err)
{
    gpu *g;
    CGCT_TRY(take(o, &g, err));
    return give(o, g, cuda_table_build(t, o, d, full, g, err), err);
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
    CGCT_TRY(take(o, &g, err));
    return give(o, g, cuda_separable_build(t, o, d, g, err), err);
}

static cuda_fused_task task_of(const backend_transform *k)
{
    return (cuda_fused_task){k->inner, k->nq, k->np, k->q, k->P, k->degree, k->tail};
}

/* The plan first: threads that make theirs need no device. */
static cgct_status transform_separable(const backend_transform *k, const dipole *d, double *modes,
                                       backend_facts *facts, cgct_err *err)
{
    gpu *g;
    cuda_separable *s;
    cuda_fused_task task = task_of(k);
    CGCT_TRY(cuda_separable_init(&s, &task, d, err));
    facts->ridge_cut = k->inner->ridge_cut;
    facts->rank = cuda_separable_rank(s);
    cgct_status st = take(k->inner, &g, err);
    if (st == CGCT_OK)
        st = give(k->inner, g, cuda_separable_apply(s, g, modes, facts->origin, err), err);
    cuda_separable_free(s);
    return st;
}

static cgct_status product_separable(const backend_product *k, const dipole *d, double *modes,
                                     double *error, backend_facts facts[2], cgct_err *err)
{
    gpu *g;
    cuda_node *n;
    double origin[CUDA_PASSES][NPOL];
    const inner_opts *o = k->pass[0].inner;
    const cuda_node_task task = {{task_of(&k->pass[0]), task_of(&k->pass[1])},
                                 d,
                                 {k->ridges->nk, k->ridges->k, k->ridges->F, k->ridges->sigma},
                                 k->nk,
                                 k->k,
                                 k->modes,
                                 k->angles,
                                 k->nm,
                                 k->safety,
                                 k->rounding};
    CGCT_TRY(cuda_node_init(&n, &task, err));
    cgct_status st = take(o, &g, err);
    if (st == CGCT_OK) st = give(o, g, cuda_node_run(n, g, modes, error, origin, err), err);
    for (int i = 0; st == CGCT_OK && i < CUDA_PASSES; i++)
        facts[i] = (backend_facts){{origin[i][POL_T], origin[i][POL_L]},
                                   k->pass[i].inner->ridge_cut,
                                   cuda_node_rank(n, i)};
    cuda_node_free(n);
    return st;
}

static cgct_status transform_fused(const backend_transform *k, const dipole *d, double *modes,
                                   backend_facts *facts, cgct_err *err)
{
    gpu *g;
    cuda_fused_plan *p;
    cuda_fused_task task = task_of(k);
    facts->ridge_cut = facts->rank = 0;
    CGCT_TRY(take(k->inner, &g, err));
    cgct_status st = cuda_fused_init(&p, &task, g, err);
    if (st == CGCT_OK) st = cuda_fused_apply(p, d, modes, facts->origin, err);
    cuda_fused_free(p);
    return give(k->inner, g, st, err);
}

/* ---- memory ---- */

enum { NODE_BYTES = 96, NODES_PER_COLUMN = 1500 }; /* of the lists of cuda-separable, at most */

static size_t table_bytes(const inner_opts *o)
{
    return sizeof(double) * NPOL * o->nm * o->nd * o->nr;
}

static size_t separable_bytes(const inner_opts *o)
{
    size_t column = NODES_PER_COLUMN * NODE_BYTES + 32 * (o->nr + o->ns);
    return table_bytes(o) + o->nd * column + 32 * o->nr * o->ns;
}

static cuda_size size_of(const backend_size *s)
{
    return (cuda_size){s->inner, s->dipole, s->nq, s->np, s->q, s->P};
}

static cgct_status device_table(const backend_size *s, size_t *bytes, cgct_err *err)
{
    const cuda_size k = size_of(s);
    return cuda_table_bytes(&k, 0, bytes, err);
}

static cgct_status device_full(const backend_size *s, size_t *bytes, cgct_err *err)
{
    const cuda_size k = size_of(s);
    return cuda_table_bytes(&k, 1, bytes, err);
}

static cgct_status device_fused(const backend_size *s, size_t *bytes, cgct_err *err)
{
    const cuda_size k = size_of(s);
    return cuda_fused_bytes(&k, bytes, err);
}

static cgct_status device_separable(const backend_size *s, size_t *bytes, cgct_err *err)
{
    const cuda_size k = size_of(s);
    return cuda_separable_bytes(&k, bytes, err);
}

static const backend backend_cuda_table = {.name = "cuda-table",
                                           .doc = "the discretisation of direct, on a GPU",
                                           .usable = gpu_usable,
                                           .bytes_needed = table_bytes,
                                           .device_bytes = device_table,
                                           .run = run_table};

static const backend backend_cuda_table_blas = {
    .name = "cuda-table-blas",
    .doc = "the same with the paper's projection by cuBLAS",
    .usable = gpu_usable,
    .bytes_needed = table_bytes,
    .device_bytes = device_full,
    .run = run_full};

static const backend backend_cuda_fused = {.name = "cuda-fused",
                                           .doc = "the same, transformed at once: no inner table",
                                           .usable = gpu_usable,
                                           .bytes_needed = table_bytes,
                                           .device_bytes = device_fused,
                                           .transform = transform_fused};

static const backend backend_cuda_separable = {.name = "cuda-separable",
                                               .doc = "the method of separable, on a GPU",
                                               .usable = gpu_usable,
                                               .bytes_needed = separable_bytes,
                                               .device_bytes = device_separable,
                                               .run = run_separable,
                                               .transform = transform_separable,
                                               .product = product_separable};

/* The paper's discretisation stands before separable, which is exact, however fast its GPU is. */
static const backend *const rows[] = {
    &backend_graded,     &backend_direct,    &backend_cuda_table_blas, &backend_cuda_table,
    &backend_cuda_fused, &backend_separable, &backend_cuda_separable,  NULL};

static int has_device(void)
{
    int count;
    return device_count(&count, NULL) == CGCT_OK;
}

backend_set cuda_backends(gpu_crew *crew)
{
    return (backend_set){rows, gpu_list, has_device, crew};
}
