/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CUDA device behind gpu.h.  Kernels and products run on one stream, copies to the host on
 * another; cuBLAS is opened when the first product is asked for. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "gpu.h"
#include "libraries.h"

#define REMEDY "run again, with another --device or --backend separable"

/* Page-locked memory through which copies pass: they run at the full rate of the bus and do not
 * stop the thread.  Uploads fill one half while the device reads the other. */
enum { STAGE_BYTES = 4 << 20, STAGE_ALIGN = 256 };
typedef struct {
    char *up[2], *down;  /* all NULL where there is none */
    cudaEvent_t read[2]; /* the device has read what was copied from up[i] */
    int turn;            /* the half that is being filled */
    size_t used;         /* of up[turn] */
} host_stage;

typedef struct {
    gpu g;                      /* first, so that a gpu * is this */
    int id, shares, capability; /* 10 major + minor */
    cudaError_t freeing;        /* first failure of a release, reported by the next call */
    cudaMemPool_t pool;         /* NULL where the device has none */
    cudaStream_t compute, copy;
    cudaEvent_t done[2];
    cublas_calls blas;
    void *blas_handle; /* NULL before the first product */
    host_stage stage;
} cuda_gpu;

/* g: the device, or NULL before it is open. */
static cgct_status cuda_gpu_failed(const gpu *g, const char *call, cudaError_t e, cgct_err *err)
{
    char remedy[160] = REMEDY;
    const int name = (int)strcspn(call, "(");
    if (!g) return cgct_fail(err, CGCT_E_DEVICE, "%.*s: %s", name, call, cudaGetErrorString(e));
    if (e == cudaErrorNoKernelImageForDevice || e == cudaErrorInvalidDeviceFunction)
        snprintf(remedy, sizeof remedy,
                 "this program holds no code for it, build with CUDA_ARCH=%d or take another "
                 "--device or --backend separable",
                 ((const cuda_gpu *)g)->capability);
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %.*s: %s; %s", g->name, name, call,
                     cudaGetErrorString(e), remedy);
}

#define TRY(g, err, call)                                                                          \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) return cuda_gpu_failed(g, #call, e_, err);                          \
    } while (0)

/* ---- which devices there are ---- */

cgct_status device_count(int *count, cgct_err *err)
{
    *count = 0;
    TRY(NULL, err, cudaGetDeviceCount(count));
    if (*count < 1)
        return cgct_fail(err, CGCT_E_DEVICE, "cudaGetDeviceCount: the driver lists %d devices",
                         *count);
    return CGCT_OK;
}

static cgct_status probe_device(int id, device_info *info, cgct_err *err)
{
    cudaDeviceProp prop;
    int clock_khz = 0, memory_khz = 0, bus_bits = 0;
    memset(info, 0, sizeof *info);
    TRY(NULL, err, cudaGetDeviceProperties(&prop, id));
    TRY(NULL, err, cudaSetDevice(id));
    TRY(NULL, err, cudaMemGetInfo(&info->bytes_free, &info->bytes_total));
    TRY(NULL, err, cudaDriverGetVersion(&info->driver));
    TRY(NULL, err, cudaRuntimeGetVersion(&info->runtime));
    TRY(NULL, err, cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, id));
    TRY(NULL, err, cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, id));
    TRY(NULL, err, cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, id));
    info->clock = 1e3 * clock_khz;
    info->bytes_per_second = 2 * 1e3 * memory_khz * bus_bits / 8; /* two transfers per cycle */
    snprintf(info->name, sizeof info->name, "%s", prop.name);
    info->major = prop.major;
    info->minor = prop.minor;
    info->multiprocessors = prop.multiProcessorCount;
    return CGCT_OK;
}

cgct_status device_probe(int id, device_info *info, cgct_err *err)
{
    cgct_status st = probe_device(id, info, err);
    return st == CGCT_OK ? st : cgct_context(err, st, "device %d", id);
}

/* ---- memory and copies ---- */

static void free_host_stage(host_stage *s)
{
    if (s->up[0]) cudaFreeHost(s->up[0]); /* all three parts, which are one block */
    for (int i = 0; i < 2; i++)
        if (s->read[i]) cudaEventDestroy(s->read[i]);
    memset(s, 0, sizeof *s);
}

static void cuda_gpu_close(gpu *g)
{
    cuda_gpu *c = (cuda_gpu *)g;
    cudaSetDevice(c->id);
    if (c->compute) cudaStreamSynchronize(c->compute);
    if (c->blas_handle) c->blas.destroy(c->blas_handle);
    if (c->blas.handle) dlclose(c->blas.handle);
    free_host_stage(&c->stage);
    for (int i = 0; i < 2; i++)
        if (c->done[i]) cudaEventDestroy(c->done[i]);
    if (c->compute) cudaStreamDestroy(c->compute);
    if (c->copy) cudaStreamDestroy(c->copy);
    if (c->pool) cudaMemPoolDestroy(c->pool);
    free(c);
}

static cgct_status cuda_gpu_bind(gpu *g, cgct_err *err)
{
    TRY(g, err, cudaSetDevice(((cuda_gpu *)g)->id));
    return CGCT_OK;
}

static cgct_status cuda_gpu_memory(gpu *g, size_t *free_bytes, size_t *total, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    uint64_t kept = 0, used = 0;
    TRY(g, err, cudaMemGetInfo(free_bytes, total));
    if (c->pool) {
        TRY(g, err, cudaMemPoolGetAttribute(c->pool, cudaMemPoolAttrReservedMemCurrent, &kept));
        TRY(g, err, cudaMemPoolGetAttribute(c->pool, cudaMemPoolAttrUsedMemCurrent, &used));
    }
    *free_bytes += (size_t)(kept - used);
    size_t share = *total / (size_t)c->shares, room = share > g->bytes ? share - g->bytes : 0;
    if (c->shares > 1 && room < *free_bytes) *free_bytes = room;
    return CGCT_OK;
}

static cudaError_t pool_malloc(cuda_gpu *c, size_t bytes, void **p)
{
    if (!c->pool) return cudaMalloc(p, bytes);
    cudaError_t e = cudaMallocFromPoolAsync(p, bytes, c->pool, c->compute);
    if (e != cudaErrorMemoryAllocation) return e;
    cudaGetLastError();
    e = cudaStreamSynchronize(c->compute); /* so that freed pieces can be joined */
    if (e == cudaSuccess) e = cudaMemPoolTrimTo(c->pool, 0);
    if (e != cudaSuccess) return e;
    return cudaMallocFromPoolAsync(p, bytes, c->pool, c->compute);
}

/* A release has no way to report its failure; this does. */
static cgct_status check_releases(gpu *g, cgct_err *err)
{
    cudaError_t e = ((cuda_gpu *)g)->freeing;
    return e == cudaSuccess ? CGCT_OK : cuda_gpu_failed(g, "cudaFree", e, err);
}

static cgct_status cuda_gpu_alloc(gpu *g, size_t bytes, void **p, cgct_err *err)
{
    CGCT_TRY(check_releases(g, err));
    cudaError_t e = pool_malloc((cuda_gpu *)g, bytes, p);
    if (e != cudaErrorMemoryAllocation) {
        if (e != cudaSuccess) return cuda_gpu_failed(g, "cudaMalloc", e, err);
        return CGCT_OK;
    }
    size_t left = 0, total = 0;
    cudaGetLastError(); /* else the next launch would report it */
    TRY(g, err, cudaMemGetInfo(&left, &total));
    return cgct_fail(err, CGCT_E_NOMEM, "%s: cudaMalloc: %.3f GiB needed, %.3f of %.3f free",
                     g->name, (double)bytes / (1 << 30), (double)left / (1 << 30),
                     (double)total / (1 << 30));
}

static void cuda_gpu_release(gpu *g, void *p)
{
    cuda_gpu *c = (cuda_gpu *)g;
    /* no copy can still be reading it: a fetch returns when it is complete */
    cudaError_t e = c->pool ? cudaFreeAsync(p, c->compute) : cudaFree(p);
    if (c->freeing == cudaSuccess) c->freeing = e;
}

static cgct_status cuda_gpu_clear(gpu *g, void *p, size_t bytes, cgct_err *err)
{
    TRY(g, err, cudaMemsetAsync(p, 0, bytes, ((cuda_gpu *)g)->compute));
    return CGCT_OK;
}

/* From pageable memory, for which the driver has a buffer of its own. */
static cgct_status upload_pageable(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    TRY(g, err, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->compute));
    TRY(g, err, cudaStreamSynchronize(c->compute));
    return CGCT_OK;
}

/* Goes over to the other half, once the device has read it. */
static cgct_status turn_host_stage(gpu *g, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    host_stage *s = &c->stage;
    TRY(g, err, cudaEventRecord(s->read[s->turn], c->compute));
    s->turn = 1 - s->turn;
    s->used = 0;
    TRY(g, err, cudaEventSynchronize(s->read[s->turn]));
    return CGCT_OK;
}

static cgct_status cuda_gpu_upload(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    host_stage *s = &c->stage;
    if (!s->up[0]) return upload_pageable(g, to, from, bytes, err);
    for (size_t done = 0, n; done < bytes; done += n) {
        if (s->used == STAGE_BYTES) CGCT_TRY(turn_host_stage(g, err));
        size_t room = STAGE_BYTES - s->used;
        char *at = s->up[s->turn] + s->used;
        n = bytes - done < room ? bytes - done : room;
        memcpy(at, (const char *)from + done, n);
        s->used += (n + STAGE_ALIGN - 1) / STAGE_ALIGN * STAGE_ALIGN;
        TRY(g, err, cudaMemcpyAsync((char *)to + done, at, n, cudaMemcpyHostToDevice, c->compute));
    }
    return CGCT_OK;
}

static cgct_status cuda_gpu_launch(gpu *g, gpu_kernel kernel, size_t n, const void *args,
                                   cgct_err *err)
{
    cudaError_t e = kernels_launch(kernel, n, args, ((cuda_gpu *)g)->compute);
    return e == cudaSuccess ? CGCT_OK : cuda_gpu_failed(g, gpu_kernel_name(kernel), e, err);
}

/* Opens the cuBLAS of the CUDA that the program is linked with.  Where it lacks memory, the caller
 * may go on with smaller chunks. */
static cgct_status start_cublas(cuda_gpu *c, cgct_err *err)
{
    size_t left = 0, total = 0;
    const gpu *g = &c->g;
    if (c->blas_handle) return CGCT_OK;
    if (!c->blas.product) {
        cgct_status found = cublas_open(&c->blas, CUDART_VERSION / 1000, err);
        if (found != CGCT_OK) return cgct_context(err, found, "%s", g->name);
    }
    int st = c->blas.create(&c->blas_handle);
    if (st != CUBLAS_OK) c->blas_handle = NULL;
    if (st == CUBLAS_ALLOC_FAILED) {
        TRY(g, err, cudaMemGetInfo(&left, &total));
        return cgct_fail(err, CGCT_E_NOMEM, "%s: cublasCreate: %s, %.3f GiB of %.3f are free",
                         g->name, c->blas.text(st), (double)left / (1 << 30),
                         (double)total / (1 << 30));
    }
    if (st == CUBLAS_OK) st = c->blas.set_stream(c->blas_handle, c->compute);
    if (st == CUBLAS_OK) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE, "%s: cublasCreate: %s; " REMEDY, g->name,
                     c->blas.text(st));
}

static cgct_status cuda_gpu_product(gpu *g, const gpu_product *p, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    CGCT_TRY(start_cublas(c, err));
    int st = cublas_multiply(&c->blas, c->blas_handle, p);
    if (st == CUBLAS_OK) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE,
                     "%s: cublasDgemmStridedBatched, %zu x %zu x %zu: %s; " REMEDY, g->name, p->m,
                     p->n, p->k, c->blas.text(st));
}

static cgct_status cuda_gpu_mark(gpu *g, int slot, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    TRY(g, err, cudaEventRecord(c->done[slot], c->compute));
    return CGCT_OK;
}

/* Copies rows to `to`, `pitch` numbers apart, and waits for them. */
static cgct_status copy_rows(gpu *g, double *to, size_t pitch, const gpu_rows *r, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    const size_t one = sizeof(double);
    if (r->rows == 1) /* a row may be longer than the 2 GiB that a pitch may have */
        TRY(g, err, cudaMemcpyAsync(to, r->from, r->width * one, cudaMemcpyDeviceToHost, c->copy));
    else
        TRY(g, err,
            cudaMemcpy2DAsync(to, pitch * one, r->from, r->from_pitch * one, r->width * one,
                              r->rows, cudaMemcpyDeviceToHost, c->copy));
    TRY(g, err, cudaStreamSynchronize(c->copy));
    return CGCT_OK;
}

static cgct_status cuda_gpu_fetch(gpu *g, int slot, const gpu_rows *r, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    double *stage = (double *)c->stage.down;
    const size_t bytes = r->width * sizeof *stage;
    TRY(g, err, cudaStreamWaitEvent(c->copy, c->done[slot], 0));
    if (!stage || bytes * r->rows > STAGE_BYTES) return copy_rows(g, r->to, r->to_pitch, r, err);
    CGCT_TRY(copy_rows(g, stage, r->width, r, err));
    for (size_t i = 0; i < r->rows; i++)
        memcpy(r->to + i * r->to_pitch, stage + i * r->width, bytes);
    return CGCT_OK;
}

static cgct_status cuda_gpu_wait(gpu *g, cgct_err *err)
{
    TRY(g, err, cudaStreamSynchronize(((cuda_gpu *)g)->compute));
    return check_releases(g, err);
}

/* ---- opening ---- */

/* Freed memory stays in the pool, because cudaMalloc and cudaFree stop the whole device. */
static cgct_status create_pool(cuda_gpu *c, cgct_err *err)
{
    const gpu *g = &c->g;
    int has = 0;
    uint64_t keep = UINT64_MAX;
    cudaMemPoolProps props;
    TRY(g, err, cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, c->id));
    if (!has) return CGCT_OK;
    memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = c->id;
    TRY(g, err, cudaMemPoolCreate(&c->pool, &props));
    TRY(g, err, cudaMemPoolSetAttribute(c->pool, cudaMemPoolAttrReleaseThreshold, &keep));
    return CGCT_OK;
}

/* Page-locked memory only makes copies faster: it is no failure where there is none. */
static void create_host_stage(cuda_gpu *c)
{
    host_stage *s = &c->stage;
    void *p = NULL;
    cudaError_t e = cudaHostAlloc(&p, 3 * (size_t)STAGE_BYTES, cudaHostAllocPortable);
    s->up[0] = (char *)p;
    for (int i = 0; e == cudaSuccess && i < 2; i++)
        e = cudaEventCreateWithFlags(&s->read[i], cudaEventDisableTiming);
    if (e != cudaSuccess) {
        free_host_stage(s);
        cudaGetLastError(); /* else the next launch would report it */
        return;
    }
    s->up[1] = s->up[0] + STAGE_BYTES;
    s->down = s->up[1] + STAGE_BYTES;
}

static cgct_status start_cuda_gpu(cuda_gpu *c, cgct_err *err)
{
    const gpu *g = &c->g;
    TRY(g, err, cudaSetDevice(c->id));
    cudaError_t e = kernels_present();
    if (e != cudaSuccess) return cuda_gpu_failed(g, "cudaFuncGetAttributes", e, err);
    CGCT_TRY(create_pool(c, err));
    TRY(g, err, cudaStreamCreateWithFlags(&c->compute, cudaStreamNonBlocking));
    TRY(g, err, cudaStreamCreateWithFlags(&c->copy, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        TRY(g, err, cudaEventCreateWithFlags(&c->done[i], cudaEventDisableTiming));
    create_host_stage(c);
    return CGCT_OK;
}

cgct_status gpu_open(gpu **g, int id, int shares, cgct_err *err)
{
    static const gpu_ops ops = {cuda_gpu_close,   cuda_gpu_bind,  cuda_gpu_memory, cuda_gpu_alloc,
                                cuda_gpu_release, cuda_gpu_clear, cuda_gpu_upload, cuda_gpu_launch,
                                cuda_gpu_product, cuda_gpu_mark,  cuda_gpu_fetch,  cuda_gpu_wait};
    int count;
    device_info info;
    *g = NULL;
    CGCT_TRY(device_count(&count, err));
    if (id < 0 || id >= count)
        return cgct_fail(
            err, CGCT_E_DEVICE,
            "device %d asked for, the driver lists %d, from 0 on; choose with --device "
            "or CUDA_VISIBLE_DEVICES",
            id, count);
    CGCT_TRY(device_probe(id, &info, err));
    cuda_gpu *c = (cuda_gpu *)calloc(1, sizeof *c);
    if (!c) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a device");
    c->id = id;
    c->shares = shares;
    c->capability = 10 * info.major + info.minor;
    c->g.ops = &ops;
    snprintf(c->g.name, sizeof c->g.name, "device %d (%s)", id, info.name);
    cgct_status st = start_cuda_gpu(c, err);
    if (st != CGCT_OK) cuda_gpu_close(&c->g);
    if (st == CGCT_OK) *g = &c->g;
    return st;
}
