/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every implementation of gpu.h shares: accounting of memory and limits of a single call. */
#include "gpu.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#define KERNEL_NAME(name, args) #name,

const char *gpu_kernel_name(gpu_kernel kernel)
{
    static const char *const names[] = {GPU_KERNELS(KERNEL_NAME) "assemble"};
    return names[kernel];
}

cgct_status gpu_usable(int id, cgct_err *err)
{
    gpu *g;
    CGCT_TRY(gpu_open(&g, id, 1, err));
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

cgct_status gpu_group_add(gpu_group *group, size_t bytes, const void *from, void *to, cgct_err *err)
{
    assert(group->n < GPU_GROUP_MAX);
    gpu_buffer *b = &group->b[group->n++];
    CGCT_TRY(gpu_alloc(group->g, b, bytes, err));
    if (from && bytes) CGCT_TRY(group->g->ops->upload(group->g, b->p, from, bytes, err));
    memcpy(to, &b->p, sizeof b->p);
    return CGCT_OK;
}

void gpu_group_free(gpu_group *group)
{
    while (group->n > 0) gpu_free(group->g, &group->b[--group->n]);
}

cgct_status gpu_launch(gpu *g, gpu_kernel kernel, size_t n, const void *args, cgct_err *err)
{
    const size_t most = (size_t)INT_MAX * (kernel == GPU_assemble ? 1 : GPU_BLOCK);
    if (!n) return CGCT_OK;
    if (n > most)
        return cgct_fail(err, CGCT_E_NOMEM,
                         "%s: %s: %zu threads or blocks, a launch takes %zu; fewer nodes or modes",
                         g->name, gpu_kernel_name(kernel), n, most);
    return g->ops->launch(g, kernel, n, args, err);
}

void gpu_product_complete(gpu_product *p)
{
    if (!p->lda) p->lda = p->turned_a ? p->m : p->k;
    if (!p->ldb) p->ldb = p->turned_b ? p->k : p->n;
    if (!p->ldc) p->ldc = p->n;
}

cgct_status gpu_multiply(gpu *g, const gpu_product *product, cgct_err *err)
{
    gpu_product whole = *product, *p = &whole;
    gpu_product_complete(p);
    const size_t sizes[] = {p->m, p->n, p->k, p->batch, p->lda, p->ldb, p->ldc};
    if (!p->m || !p->n || !p->batch) return CGCT_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > INT_MAX)
            return cgct_fail(err, CGCT_E_NOMEM,
                             "%s: product %zu x %zu x %zu, %zu times: too large for cuBLAS; fewer "
                             "nodes or modes",
                             g->name, p->m, p->n, p->k, p->batch);
    return g->ops->product(g, p, err);
}
