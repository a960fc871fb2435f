/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emulated_gpu.h: a device of cuda/gpu.h on the processor: the same kernel bodies, one thread and
 * one block after the other, on buffers of their own; with a memory of any size. */
#ifndef EMULATED_GPU_H
#define EMULATED_GPU_H
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/colours_kernels.h"
#include "cuda/filon_kernels.h"
#include "cuda/gpu.h"
#include "cuda/product_kernels.h"
#include "cuda/separable_kernels.h"
#include "emulated_cublas.h"

typedef struct {
    gpu g;
    size_t room, used;  /* bytes */
    size_t refusals;    /* allocations that did not fit */
    size_t promised;    /* what `memory` reports as free, where it is not room - used */
    int marks[2];       /* fetches only from slots that are marked */
    gpu_kernel fail_at; /* this launch fails, if fails */
    int fails;
    pthread_t user; /* the thread that it is bound to */
    int dry;        /* memory is counted, nothing is done; fetched numbers are all 1 */
    size_t launches;
} emulated_gpu;

static cgct_status emulated_bind(gpu *g, cgct_err *err)
{
    (void)err;
    ((emulated_gpu *)g)->user = pthread_self();
    return CGCT_OK;
}

static cgct_status emulated_bound(const gpu *g, cgct_err *err)
{
    if (pthread_equal(((const emulated_gpu *)g)->user, pthread_self())) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: used by a thread that it is not bound to", g->name);
}

static void emulated_close(gpu *g)
{
    (void)g;
}

static cgct_status emulated_memory(gpu *g, size_t *free, size_t *total, cgct_err *err)
{
    const emulated_gpu *e = (const emulated_gpu *)g;
    (void)err;
    *free = e->promised ? e->promised : e->room - e->used;
    *total = e->room;
    return CGCT_OK;
}

/* Filled with NaN: what a kernel does not write must not matter. */
static cgct_status emulated_alloc(gpu *g, size_t bytes, void **p, cgct_err *err)
{
    emulated_gpu *e = (emulated_gpu *)g;
    CGCT_TRY(emulated_bound(g, err));
    if (e->used + bytes > e->room) {
        e->refusals++;
        return cgct_fail(err, CGCT_E_NOMEM, "%s: alloc: %zu bytes needed, %zu of %zu free", g->name,
                         bytes, e->room - e->used, e->room);
    }
    size_t *block = malloc(e->dry ? 64 : bytes + 64);
    if (!block) return cgct_fail(err, CGCT_E_NOMEM, "malloc");
    *block = bytes;
    e->used += bytes;
    if (!e->dry) memset((char *)block + 64, 0xff, bytes);
    *p = (char *)block + 64;
    return CGCT_OK;
}

static void emulated_release(gpu *g, void *p)
{
    size_t *block = (size_t *)(void *)((char *)p - 64);
    ((emulated_gpu *)g)->used -= *block;
    free(block);
}

static cgct_status emulated_clear(gpu *g, void *p, size_t bytes, cgct_err *err)
{
    CGCT_TRY(emulated_bound(g, err));
    if (!((emulated_gpu *)g)->dry) memset(p, 0, bytes);
    return CGCT_OK;
}

static cgct_status emulated_upload(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err)
{
    CGCT_TRY(emulated_bound(g, err));
    if (!((emulated_gpu *)g)->dry) memcpy(to, from, bytes);
    return CGCT_OK;
}

/* The walk of the kernel in kernels.cu, each pass over all threads standing for what they do
 * between two barriers. */
static void emulated_assemble(const direct_view *a, unsigned block)
{
    assemble_place p = assemble_at(a, block);
    assemble_shared *sh = malloc(sizeof *sh);
    assemble_state *q = malloc(TILE_THREADS * sizeof *q);
    for (int t = 0; t < TILE_THREADS; t++) assemble_begin(a, p, t, q + t);
    for (int is = 0; is < (int)a->ns; is++)
        for (int i0 = 0; i0 < (int)a->n; i0 += TILE_ALPHA) {
            int left = (int)a->n - i0, count = left < TILE_ALPHA ? left : TILE_ALPHA;
            memset(sh, 0xff, sizeof *sh);
            for (int t = 0; t < TILE_THREADS; t++) assemble_stage(a, p, is, i0, t, sh);
            for (int t = 0; t < TILE_THREADS; t++)
                for (int i = 0; i < count; i++) assemble_add(a, sh, i, t, a->far, a->which, q + t);
        }
    for (int t = 0; t < TILE_THREADS; t++) assemble_end(a, p, t, q + t);
    free(sh);
    free(q);
}

/* Every other launch from the last thread to the first: their order must not matter. */
#define EMULATED_CASE(name, args)                                                                  \
    case GPU_##name:                                                                               \
        for (size_t i = 0; i < n; i++)                                                             \
            name##_thread((const args *)a, e->launches % 2 ? i : n - 1 - i);                       \
        break;

static cgct_status emulated_launch(gpu *g, gpu_kernel kernel, size_t n, const void *a,
                                   cgct_err *err)
{
    emulated_gpu *e = (emulated_gpu *)g;
    CGCT_TRY(emulated_bound(g, err));
    e->launches++;
    if (e->fails && e->fail_at == kernel)
        return cgct_fail(err, CGCT_E_DEVICE, "%s: %s: launch failed", g->name,
                         gpu_kernel_name(kernel));
    if (e->dry) return CGCT_OK;
    switch (kernel) {
        GPU_KERNELS(EMULATED_CASE)
    case GPU_assemble:
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t i = 0; i < n; i++) emulated_assemble(a, (unsigned)i);
        break;
    default:
        return cgct_fail(err, CGCT_E_DEVICE, "no kernel %d", (int)kernel);
    }
    return CGCT_OK;
}

static cgct_status emulated_product(gpu *g, const gpu_product *p, cgct_err *err)
{
    CGCT_TRY(emulated_bound(g, err));
    if (!((emulated_gpu *)g)->dry) cublas_multiply(&emulated_cublas, NULL, p);
    return CGCT_OK;
}

static cgct_status emulated_mark(gpu *g, int slot, cgct_err *err)
{
    (void)err;
    ((emulated_gpu *)g)->marks[slot] = 1;
    return CGCT_OK;
}

static cgct_status emulated_fetch(gpu *g, int slot, const gpu_rows *r, cgct_err *err)
{
    if (!((emulated_gpu *)g)->marks[slot])
        return cgct_fail(err, CGCT_E_DEVICE, "nothing is marked in slot %d", slot);
    for (size_t i = 0; i < r->rows; i++) {
        double *to = r->to + i * r->to_pitch;
        for (size_t k = 0; ((emulated_gpu *)g)->dry && k < r->width; k++) to[k] = 1;
        if (!((emulated_gpu *)g)->dry)
            memcpy(to, r->from + i * r->from_pitch, r->width * sizeof *to);
    }
    return CGCT_OK;
}

static cgct_status emulated_wait(gpu *g, cgct_err *err)
{
    (void)g, (void)err;
    return CGCT_OK;
}

static inline void emulated_init(emulated_gpu *e, size_t room)
{
    static const gpu_ops ops = {emulated_close,   emulated_bind,  emulated_memory, emulated_alloc,
                                emulated_release, emulated_clear, emulated_upload, emulated_launch,
                                emulated_product, emulated_mark,  emulated_fetch,  emulated_wait};
    memset(e, 0, sizeof *e);
    e->user = pthread_self();
    e->room = room;
    e->g.ops = &ops;
    snprintf(e->g.name, sizeof e->g.name, "device 0 (emulated)");
}
#endif
