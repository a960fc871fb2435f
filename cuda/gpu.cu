/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CUDA device behind gpu.h: kernels and products on one stream, copies to the host on another. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cublas_load.h"
#include "device_error.h"
#include "kernels.h"

/* Page-locked memory between the program's and the device's: copies from and to it do not stop the
 * thread, and run at the full rate of the bus. */
enum { STAGE_BYTES = 4 << 20, STAGE_ALIGN = 256 };
typedef struct {
    char *up[2], *down;  /* all NULL where there is none */
    cudaEvent_t read[2]; /* what was copied from up[i] is on the device */
    int turn;
    size_t used; /* of up[turn] */
} host_stage;

typedef struct {
    gpu g;                      /* first, so that a gpu * is this */
    int id, shares, capability; /* 10 major + minor */
    cudaError_t freeing;        /* the first failure of `release`, which the next call reports */
    cudaMemPool_t pool;         /* NULL where the device has none */
    cudaStream_t compute, copy;
    cudaEvent_t done[2];
    cublas_calls blas;
    host_stage stage;
} cuda_gpu;

static cgct_status failed(const gpu *g, const char *call, cudaError_t e, cgct_err *err)
{
    char remedy[160] = "run again, with another --device or --backend separable";
    if (e == cudaErrorNoKernelImageForDevice || e == cudaErrorInvalidDeviceFunction)
        snprintf(remedy, sizeof remedy,
                 "this program holds no code for it, build with CUDA_ARCH=%d or take another "
                 "--device or --backend separable",
                 ((const cuda_gpu *)g)->capability);
    return cgct_fail(err, CGCT_E_DEVICE, "%s: %.*s: %s; %s", g->name, (int)strcspn(call, "("), call,
                     cudaGetErrorString(e), remedy);
}

#define TRY(g, err, call)                                                                          \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) return failed(g, #call, e_, err);                                   \
    } while (0)

static void free_stage(host_stage *s)
{
    if (s->up[0]) cudaFreeHost(s->up[0]); /* the whole of it */
    for (int i = 0; i < 2; i++)
        if (s->read[i]) cudaEventDestroy(s->read[i]);
    memset(s, 0, sizeof *s);
}

static void close_gpu(gpu *g)
{
    cuda_gpu *c = (cuda_gpu *)g;
    cudaSetDevice(c->id);
    if (c->compute) cudaStreamSynchronize(c->compute);
    cublas_unload(&c->blas);
    free_stage(&c->stage);
    for (int i = 0; i < 2; i++)
        if (c->done[i]) cudaEventDestroy(c->done[i]);
    if (c->compute) cudaStreamDestroy(c->compute);
    if (c->copy) cudaStreamDestroy(c->copy);
    if (c->pool) cudaMemPoolDestroy(c->pool);
    free(c);
}

static cgct_status bind(gpu *g, cgct_err *err)
{
    TRY(g, err, cudaSetDevice(((cuda_gpu *)g)->id));
    return CGCT_OK;
}

static cgct_status memory(gpu *g, size_t *free_bytes, size_t *total, cgct_err *err)
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

static cudaError_t take(cuda_gpu *c, size_t bytes, void **p)
{
    if (!c->pool) return cudaMalloc(p, bytes);
    cudaError_t e = cudaMallocFromPoolAsync(p, bytes, c->pool, c->compute);
    if (e != cudaErrorMemoryAllocation) return e;
    cudaGetLastError();
    e = cudaStreamSynchronize(c->compute); /* what is freed behind it can be put together anew */
    if (e == cudaSuccess) e = cudaMemPoolTrimTo(c->pool, 0);
    if (e != cudaSuccess) return e;
    return cudaMallocFromPoolAsync(p, bytes, c->pool, c->compute);
}

/* What `release` could not report. */
static cgct_status freed(gpu *g, cgct_err *err)
{
    cudaError_t e = ((cuda_gpu *)g)->freeing;
    return e == cudaSuccess ? CGCT_OK : failed(g, "cudaFree", e, err);
}

static cgct_status alloc(gpu *g, size_t bytes, void **p, cgct_err *err)
{
    CGCT_TRY(freed(g, err));
    cudaError_t e = take((cuda_gpu *)g, bytes, p);
    if (e != cudaErrorMemoryAllocation) {
        if (e != cudaSuccess) return failed(g, "cudaMalloc", e, err);
        return CGCT_OK;
    }
    size_t left = 0, total = 0;
    cudaGetLastError(); /* else the next launch would report it */
    TRY(g, err, cudaMemGetInfo(&left, &total));
    return cgct_fail(err, CGCT_E_NOMEM, "%s: cudaMalloc: %.3f GiB needed, %.3f of %.3f free",
                     g->name, (double)bytes / (1 << 30), (double)left / (1 << 30),
                     (double)total / (1 << 30));
}

static void release(gpu *g, void *p)
{
    cuda_gpu *c = (cuda_gpu *)g;
    /* nothing else reads it: fetch returns when it is done */
    cudaError_t e = c->pool ? cudaFreeAsync(p, c->compute) : cudaFree(p);
    if (c->freeing == cudaSuccess) c->freeing = e;
}

static cgct_status clear(gpu *g, void *p, size_t bytes, cgct_err *err)
{
    TRY(g, err, cudaMemsetAsync(p, 0, bytes, ((cuda_gpu *)g)->compute));
    return CGCT_OK;
}

/* From pageable memory, which the driver reads piece by piece itself. */
static cgct_status upload_direct(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    TRY(g, err, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->compute));
    TRY(g, err, cudaStreamSynchronize(c->compute));
    return CGCT_OK;
}

/* The other half, once the device has read it. */
static cgct_status turn_stage(gpu *g, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    host_stage *s = &c->stage;
    TRY(g, err, cudaEventRecord(s->read[s->turn], c->compute));
    s->turn = 1 - s->turn;
    s->used = 0;
    TRY(g, err, cudaEventSynchronize(s->read[s->turn]));
    return CGCT_OK;
}

static cgct_status upload(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    host_stage *s = &c->stage;
    if (!s->up[0]) return upload_direct(g, to, from, bytes, err);
    for (size_t done = 0, n; done < bytes; done += n) {
        if (s->used == STAGE_BYTES) CGCT_TRY(turn_stage(g, err));
        size_t room = STAGE_BYTES - s->used;
        char *at = s->up[s->turn] + s->used;
        n = bytes - done < room ? bytes - done : room;
        memcpy(at, (const char *)from + done, n);
        s->used += (n + STAGE_ALIGN - 1) / STAGE_ALIGN * STAGE_ALIGN;
        TRY(g, err, cudaMemcpyAsync((char *)to + done, at, n, cudaMemcpyHostToDevice, c->compute));
    }
    return CGCT_OK;
}

static cgct_status launch(gpu *g, gpu_stage kernel, size_t n, const void *args, cgct_err *err)
{
    cudaError_t e = kernels_launch(kernel, n, args, ((cuda_gpu *)g)->compute);
    return e == cudaSuccess ? CGCT_OK : failed(g, gpu_stage_name(kernel), e, err);
}

/* cuBLAS counts by columns: C^T = B^T A^T. */
static cgct_status product(gpu *g, const gpu_product *p, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    const double one = 1;
    CGCT_TRY(cublas_load(&c->blas, c->compute, g->name, err));
    cublasStatus_t st =
        c->blas.gemm(c->blas.handle, p->turned_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                     p->turned_a ? CUBLAS_OP_T : CUBLAS_OP_N, (int)p->n, (int)p->m, (int)p->k, &one,
                     p->b, (int)p->ldb, (long long)p->sb, p->a, (int)p->lda, (long long)p->sa,
                     &p->beta, p->c, (int)p->ldc, (long long)p->sc, (int)p->batch);
    if (st == CUBLAS_STATUS_SUCCESS) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DEVICE,
                     "%s: cublasDgemmStridedBatched, %zu x %zu x %zu: %s; run again, with another "
                     "--device or --backend separable",
                     g->name, p->m, p->n, p->k, c->blas.text(st));
}

static cgct_status mark(gpu *g, int slot, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    TRY(g, err, cudaEventRecord(c->done[slot], c->compute));
    return CGCT_OK;
}

/* Rows of `pitch` numbers at `to`, once the copies have ended. */
static cgct_status copy_out(gpu *g, double *to, size_t pitch, const gpu_rows *r, cgct_err *err)
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

static cgct_status fetch(gpu *g, int slot, const gpu_rows *r, cgct_err *err)
{
    cuda_gpu *c = (cuda_gpu *)g;
    double *stage = (double *)c->stage.down;
    const size_t bytes = r->width * sizeof *stage;
    TRY(g, err, cudaStreamWaitEvent(c->copy, c->done[slot], 0));
    if (!stage || bytes * r->rows > STAGE_BYTES) return copy_out(g, r->to, r->to_pitch, r, err);
    CGCT_TRY(copy_out(g, stage, r->width, r, err));
    for (size_t i = 0; i < r->rows; i++)
        memcpy(r->to + i * r->to_pitch, stage + i * r->width, bytes);
    return CGCT_OK;
}

static cgct_status wait(gpu *g, cgct_err *err)
{
    TRY(g, err, cudaStreamSynchronize(((cuda_gpu *)g)->compute));
    return freed(g, err);
}

static double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const gpu_ops ops = {close_gpu, bind,   memory,  alloc, release, clear,
                            upload,    launch, product, mark,  fetch,   wait};

/* Memory that is freed stays in the pool: cudaMalloc and cudaFree would stop the whole device. */
static cgct_status start_pool(cuda_gpu *c, cgct_err *err)
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

/* Without it, copies take longer: no failure. */
static void start_stage(cuda_gpu *c)
{
    host_stage *s = &c->stage;
    void *p = NULL;
    cudaError_t e = cudaHostAlloc(&p, 3 * (size_t)STAGE_BYTES, cudaHostAllocPortable);
    s->up[0] = (char *)p;
    for (int i = 0; e == cudaSuccess && i < 2; i++)
        e = cudaEventCreateWithFlags(&s->read[i], cudaEventDisableTiming);
    if (e != cudaSuccess) {
        free_stage(s);
        cudaGetLastError(); /* else the next launch would report it */
        return;
    }
    s->up[1] = s->up[0] + STAGE_BYTES;
    s->down = s->up[1] + STAGE_BYTES;
}

static cgct_status start(cuda_gpu *c, cgct_err *err)
{
    const gpu *g = &c->g;
    TRY(g, err, cudaSetDevice(c->id));
    cudaError_t e = kernels_present();
    if (e != cudaSuccess) return failed(g, "cudaFuncGetAttributes", e, err);
    CGCT_TRY(start_pool(c, err));
    TRY(g, err, cudaStreamCreateWithFlags(&c->compute, cudaStreamNonBlocking));
    TRY(g, err, cudaStreamCreateWithFlags(&c->copy, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        TRY(g, err, cudaEventCreateWithFlags(&c->done[i], cudaEventDisableTiming));
    start_stage(c);
    return CGCT_OK;
}

cgct_status gpu_open_share(gpu **g, int id, int shares, cgct_err *err)
{
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
    c->g.clock = clock_seconds;
    snprintf(c->g.name, sizeof c->g.name, "device %d (%s)", id, info.name);
    cgct_status st = start(c, err);
    if (st == CGCT_OK)
        *g = &c->g;
    else
        close_gpu(&c->g);
    return st;
}
