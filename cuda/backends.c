/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all builders of the program, with rows for those that run on a GPU.  A row takes a
 * device of the crew of a run, or opens one for the duration of the call. */
#include "builders.h"

#include "separable_stage.h"

static cgct_status acquire_device(const inner_opts *o, gpu **g, cgct_err *err)
{
    return o->crew ? gpu_crew_take(o->crew, g, err) : gpu_open(g, o->device, 1, err);
}

/* Returns st, the outcome of the work on the device. */
static cgct_status return_device(const inner_opts *o, gpu *g, cgct_status st, const cgct_err *err)
{
    if (o->crew)
        gpu_crew_give(o->crew, g, st, err);
    else
        gpu_close(g);
    return st;
}

static cgct_status run_cuda_table(inner_table *t, const inner_opts *o, const dipole *d,
                                  cgct_err *err)
{
    gpu *g;
    CGCT_TRY(acquire_device(o, &g, err));
    return return_device(o, g, cuda_table_build(t, o, d, 0, g, err), err);
}

static cgct_status run_cuda_table_blas(inner_table *t, const inner_opts *o, const dipole *d,
                                       cgct_err *err)
{
    gpu *g;
    CGCT_TRY(acquire_device(o, &g, err));
    return return_device(o, g, cuda_table_build(t, o, d, 1, g, err), err);
}

static cgct_status run_cuda_separable(inner_table *t, const inner_opts *o, const dipole *d,
                                      cgct_err *err)
{
    gpu *g;
    CGCT_TRY(acquire_device(o, &g, err));
    return return_device(o, g, cuda_separable_build(t, o, d, g, err), err);
}

/* The plan comes first: a thread that prepares one does not occupy a device. */
static cgct_status transform_cuda_separable(const backend_transform *k, const dipole *d,
                                            double *modes, backend_facts *facts, cgct_err *err)
{
    gpu *g;
    separable_pass p;
    CGCT_TRY(separable_pass_init(&p, k, d, NULL, 1, err));
    cgct_status st = acquire_device(k->inner, &g, err);
    if (st == CGCT_OK)
        st = return_device(k->inner, g, separable_pass_transform(&p, g, modes, facts, err), err);
    separable_pass_free(&p);
    return st;
}

static cgct_status product_cuda_separable(const backend_product *k, const backend_product *colours,
                                          const dipole *d, backend_facts facts[2], cgct_err *err)
{
    gpu *g;
    cuda_product *n;
    const inner_opts *o = k->pass[0].inner;
    CGCT_TRY(cuda_product_init(&n, k, colours, d, err));
    cgct_status st = acquire_device(o, &g, err);
    if (st == CGCT_OK) st = return_device(o, g, cuda_product_run(n, g, facts, err), err);
    cuda_product_free(n);
    return st;
}

static cgct_status transform_cuda_fused(const backend_transform *k, const dipole *d, double *modes,
                                        backend_facts *facts, cgct_err *err)
{
    gpu *g;
    cuda_fused_plan *p;
    facts->rank = facts->single = 0;
    CGCT_TRY(acquire_device(k->inner, &g, err));
    cgct_status st = cuda_fused_init(&p, k, g, err);
    if (st == CGCT_OK) st = cuda_fused_apply(p, d, modes, facts->origin, err);
    cuda_fused_free(p);
    return return_device(k->inner, g, st, err);
}

/* ---- memory of the processor ---- */

/* Upper bounds for the lists of nodes of s that cuda-separable prepares. */
enum { NODE_BYTES = 96, NODES_PER_COLUMN = 1500 };

static size_t whole_table_bytes(const inner_opts *o)
{
    return sizeof(double) * NPOL * o->nm * o->nd * o->nr;
}

static size_t table_and_lists_bytes(const inner_opts *o)
{
    size_t column = NODES_PER_COLUMN * NODE_BYTES + 32 * (o->nr + o->ns);
    return whole_table_bytes(o) + o->nd * column + 32 * o->nr * o->ns;
}

/* ---- the rows ---- */

static const backend backend_cuda_table = {.name = "cuda-table",
                                           .doc = "the discretisation of direct, on a GPU",
                                           .usable = gpu_usable,
                                           .bytes_needed = whole_table_bytes,
                                           .device_bytes = cuda_table_bytes,
                                           .run = run_cuda_table};

static const backend backend_cuda_table_blas = {
    .name = "cuda-table-blas",
    .doc = "the same with the paper's projection by cuBLAS",
    .usable = gpu_usable,
    .bytes_needed = whole_table_bytes,
    .device_bytes = cuda_table_blas_bytes,
    .run = run_cuda_table_blas};

static const backend backend_cuda_fused = {.name = "cuda-fused",
                                           .doc = "the same, transformed at once: no inner table",
                                           .usable = gpu_usable,
                                           .bytes_needed = whole_table_bytes,
                                           .device_bytes = cuda_fused_bytes,
                                           .transform = transform_cuda_fused};

static const backend backend_cuda_separable = {.name = "cuda-separable",
                                               .doc = "the method of separable, on a GPU",
                                               .usable = gpu_usable,
                                               .divides = 1,
                                               .bytes_needed = table_and_lists_bytes,
                                               .device_bytes = cuda_separable_bytes,
                                               .run = run_cuda_separable,
                                               .transform = transform_cuda_separable,
                                               .product = product_cuda_separable};

/* "auto" takes the last that is usable.  The paper's discretisation stands before separable, which
 * is exact, however fast its GPU is. */
static const backend *const all_backends[] = {&backend_direct,
                                              &backend_cuda_table_blas,
                                              &backend_cuda_table,
                                              &backend_cuda_fused,
                                              &backend_separable,
                                              &backend_cuda_separable,
                                              NULL};

static int driver_lists_device(void)
{
    int count;
    return device_count(&count, NULL) == CGCT_OK;
}

backend_set cuda_backends(gpu_crew *crew)
{
    return (backend_set){all_backends, gpu_list, driver_lists_device, crew};
}
