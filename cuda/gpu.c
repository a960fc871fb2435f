/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu.h"

#include <limits.h>

#include "gpu_work.h"

#define GPU_NAME(name, args) #name,
static const char *const names[] = {GPU_KERNELS(GPU_NAME) "assemble", "products", "copy in",
                                    "copy out"};

const char *gpu_stage_name(gpu_stage stage)
{
    return names[stage];
}

cgct_status gpu_open(gpu **g, int id, cgct_err *err)
{
    return gpu_open_share(g, id, 1, err);
}

cgct_status gpu_usable(int id, cgct_err *err)
{
    gpu *g;
    CGCT_TRY(gpu_open(&g, id, err));
    gpu_close(g);
    return CGCT_OK;
}

void gpu_close(gpu *g)
{
    if (g) g->ops->close(g);
}

cgct_status gpu_alloc(gpu *g, gpu_buffer *b, size_t bytes, cgct_err *err)
{
    *b = (gpu_buffer){NULL, 0};
    if (!bytes) return CGCT_OK;
    CGCT_TRY(g->ops->alloc(g, bytes, &b->p, err));
    b->bytes = bytes;
    g->bytes += bytes;
    if (g->bytes > g->bytes_peak) g->bytes_peak = g->bytes;
    return CGCT_OK;
}

void gpu_free(gpu *g, gpu_buffer *b)
{
    if (b->p) g->ops->release(g, b->p);
    g->bytes -= b->bytes;
    *b = (gpu_buffer){NULL, 0};
}

/* Books what a stage took where a profile is attached. */
static cgct_status book(gpu *g, gpu_stage stage, double begun, gpu_work work, cgct_err *err)
{
    gpu_profile *p = g->profile;
    CGCT_TRY(g->ops->wait(g, err));
    p->seconds[stage] += g->clock() - begun;
    p->operations[stage] += work.operations;
    p->bytes[stage] += work.bytes;
    p->calls[stage]++;
    return CGCT_OK;
}

cgct_status gpu_upload(gpu *g, gpu_buffer *b, const void *from, size_t bytes, cgct_err *err)
{
    CGCT_TRY(gpu_alloc(g, b, bytes, err));
    if (!bytes) return CGCT_OK;
    double t0 = g->profile ? g->clock() : 0;
    const gpu_work work = {0, (double)bytes};
    CGCT_TRY(g->ops->upload(g, b->p, from, bytes, err));
    return g->profile ? book(g, GPU_load, t0, work, err) : CGCT_OK;
}

cgct_status gpu_launch(gpu *g, gpu_stage kernel, size_t n, const void *args, cgct_err *err)
{
    double t0 = g->profile ? g->clock() : 0;
    const size_t most = (size_t)INT_MAX * (kernel == GPU_assemble ? 1 : GPU_BLOCK);
    if (!n) return CGCT_OK;
    if (n > most) /* as if memory were short: smaller chunks will do */
        return cgct_fail(err, CGCT_E_NOMEM,
                         "%s: %s: %zu threads or blocks, a launch takes %zu; fewer nodes or modes",
                         g->name, gpu_stage_name(kernel), n, most);
    CGCT_TRY(g->ops->launch(g, kernel, n, args, err));
    return g->profile ? book(g, kernel, t0, gpu_kernel_work(kernel, n, args), err) : CGCT_OK;
}

cgct_status gpu_multiply(gpu *g, const gpu_product *p, cgct_err *err)
{
    double t0 = g->profile ? g->clock() : 0;
    const size_t sizes[] = {p->m, p->n, p->k, p->batch, p->lda, p->ldb, p->ldc};
    if (!p->m || !p->n || !p->batch) return CGCT_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > INT_MAX) /* as if memory were short: smaller chunks will do */
            return cgct_fail(err, CGCT_E_NOMEM,
                             "%s: product %zu x %zu x %zu, %zu times: too large for cuBLAS; fewer "
                             "nodes or modes",
                             g->name, p->m, p->n, p->k, p->batch);
    CGCT_TRY(g->ops->product(g, p, err));
    return g->profile ? book(g, GPU_gemm, t0, gpu_product_work(p), err) : CGCT_OK;
}

cgct_status gpu_get(gpu *g, int slot, const gpu_rows *r, cgct_err *err)
{
    double t0 = g->profile ? g->clock() : 0;
    CGCT_TRY(g->ops->fetch(g, slot, r, err));
    const gpu_work work = {0, (double)(r->width * r->rows * sizeof *r->to)};
    return g->profile ? book(g, GPU_fetch, t0, work, err) : CGCT_OK;
}
