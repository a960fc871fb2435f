/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h: a computing device as the builders see it: memory, copies, kernels and matrix products.
 *
 * The builders are plain C and call only this interface.  gpu.cu implements it for a CUDA device,
 * gpu_none.c says why there is none, and tests/emulated_gpu.h runs the same kernel bodies serially
 * on the processor. */
#ifndef CGCT_GPU_H
#define CGCT_GPU_H
#include <stddef.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "format/error.h"

/* ---- which devices there are ---- */

typedef struct {
    char name[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    size_t bytes_total, bytes_free; /* device memory */
    int driver, runtime;            /* CUDA versions as the API gives them: 1000 major + 10 minor */
    double clock;                   /* Hz, the highest */
    double bytes_per_second;        /* theoretical bandwidth of the device memory; 0: not known */
} device_info;

/* *count of devices.  E_DEVICE where there is none, no driver, or no CUDA in this build; the
 * message is the reason, e.g. "cudaGetDeviceCount: no CUDA-capable device is detected". */
cgct_status device_count(int *count, cgct_err *err);

/* *info of device 0 <= id < count.  E_DEVICE with the name of the failing call and its text. */
cgct_status device_probe(int id, device_info *info, cgct_err *err);

/* ---- an open device ---- */

/* C (m,n) = A (m,k) B (k,n) + beta C, row-major, `batch` times; turned: A is stored as (k,m), B as
 * (n,k).  lda, ldb, ldc are the distances of rows, 0: the length of a row; sa, sb, sc those from
 * one matrix of the batch to the next, 0: all of the batch share one. */
typedef struct {
    int turned_a, turned_b;
    size_t m, n, k, batch;
    const double *a, *b;
    double beta, *c;
    size_t lda, ldb, ldc, sa, sb, sc; /* in numbers */
} gpu_product;

/* Rows of `width` numbers to be copied from the device to the host. */
typedef struct {
    double *to;
    const double *from;
    size_t width, rows, to_pitch, from_pitch; /* in numbers */
} gpu_rows;

typedef struct gpu gpu;
typedef struct {
    void (*close)(gpu *g);
    /* To be called first by every thread that has not opened the device itself. */
    cgct_status (*bind)(gpu *g, cgct_err *err);
    cgct_status (*memory)(gpu *g, size_t *free, size_t *total, cgct_err *err);
    /* E_NOMEM where the device has no room; the device remains usable. */
    cgct_status (*alloc)(gpu *g, size_t bytes, void **p, cgct_err *err);
    void (*release)(gpu *g, void *p);
    cgct_status (*clear)(gpu *g, void *p, size_t bytes, cgct_err *err);
    /* `from` may be changed after the call; the copy itself may still be under way. */
    cgct_status (*upload)(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err);
    /* n threads, or n blocks of `assemble`.  Kernels and products run in the order of the calls;
     * neither call waits for the end. */
    cgct_status (*launch)(gpu *g, gpu_kernel kernel, size_t n, const void *args, cgct_err *err);
    cgct_status (*product)(gpu *g, const gpu_product *p, cgct_err *err);
    /* Marks in slot 0 or 1 the end of the work that has been asked for so far. */
    cgct_status (*mark)(gpu *g, int slot, cgct_err *err);
    /* Copies after the marked work, in parallel with later kernels; returns when the rows have
     * arrived. */
    cgct_status (*fetch)(gpu *g, int slot, const gpu_rows *r, cgct_err *err);
    /* Waits for the end of all work. */
    cgct_status (*wait)(gpu *g, cgct_err *err);
} gpu_ops;

struct gpu {
    const gpu_ops *ops;
    char name[280]; /* "device 0 (NAME)" for messages */
    size_t bytes, bytes_peak;
};

/* Opens device id as CUDA counts them (CUDA_VISIBLE_DEVICES), with streams of its own and one of
 * `shares` equal parts of the device's memory; gpu_close frees *g.  E_DEVICE with the reason. */
cgct_status gpu_open(gpu **g, int id, int shares, cgct_err *err);
void gpu_close(gpu *g);
/* OK, or E_DEVICE and why device id cannot run this program's kernels. */
cgct_status gpu_usable(int id, cgct_err *err);

typedef struct {
    void *p;
    size_t bytes;
} gpu_buffer;

/* A buffer is all zero before use and may be freed then, too.  0 bytes allocate nothing. */
cgct_status gpu_alloc(gpu *g, gpu_buffer *b, size_t bytes, cgct_err *err);
void gpu_free(gpu *g, gpu_buffer *b);

/* Buffers that are freed together; zero but for g before use. */
enum { GPU_GROUP_MAX = 20 };
typedef struct {
    gpu *g;
    size_t n;
    gpu_buffer b[GPU_GROUP_MAX];
} gpu_group;

/* Allocates one more buffer of the group and fills it from the host unless from is NULL.  `to` is
 * the address of a pointer of any type, which is set to the buffer (NULL for 0 bytes). */
cgct_status gpu_group_add(gpu_group *group, size_t bytes, const void *from, void *to,
                          cgct_err *err);
void gpu_group_free(gpu_group *group);

/* E_NOMEM where the launch or product is larger than CUDA or cuBLAS can count: the caller then
 * takes smaller chunks, as if memory were short. */
cgct_status gpu_launch(gpu *g, gpu_kernel kernel, size_t n, const void *args, cgct_err *err);
cgct_status gpu_multiply(gpu *g, const gpu_product *p, cgct_err *err);
/* Sets those of lda, ldb, ldc that are 0. */
void gpu_product_complete(gpu_product *p);
const char *gpu_kernel_name(gpu_kernel kernel);

#ifdef __cplusplus
}
#endif
#endif
