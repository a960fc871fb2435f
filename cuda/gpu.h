/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu.h: what the builders ask of a device.  They are plain C against this interface; device.cu
 * stands behind it where there is a GPU, tests/emulated_gpu.h in `make check`, which runs the same
 * kernel bodies serially over the same buffers. */
#ifndef CGCT_GPU_H
#define CGCT_GPU_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "format/error.h"

enum { GPU_BLOCK = 256 }; /* threads of a block, but for assemble */

/* Every kernel: name, type of its argument.  NAME_thread(args, i) in the headers *_kernels.h is its
 * body; assemble alone works in blocks. */
#define GPU_KERNELS(X)                                                                             \
    X(bessel, filon_view)                                                                          \
    X(widen, filon_view)                                                                           \
    X(tail, filon_view)                                                                            \
    X(wave, direct_view)                                                                           \
    X(cross, direct_view)                                                                          \
    X(project, direct_view)                                                                        \
    X(pair, full_view)                                                                             \
    X(full, full_view)                                                                             \
    X(radial, full_view)                                                                           \
    X(cosine, angle_view)                                                                          \
    X(ell, ell_view)                                                                               \
    X(place, ell_view)                                                                             \
    X(kink, ell_view)                                                                              \
    X(share, separable_view)                                                                       \
    X(phi, separable_view)                                                                         \
    X(spread, separable_view)                                                                      \
    X(near, separable_view)                                                                        \
    X(gather, separable_view)                                                                      \
    X(combine, separable_view)                                                                     \
    X(scatter, separable_view)                                                                     \
    X(recentre, product_view)                                                                      \
    X(angle, product_view)                                                                         \
    X(bound, product_view)

#define GPU_ENUM(name, args) GPU_##name,
typedef enum {
    GPU_KERNELS(GPU_ENUM) GPU_assemble,
    GPU_gemm,
    GPU_load,
    GPU_fetch,
    GPU_NSTAGE
} gpu_stage;
const char *gpu_stage_name(gpu_stage stage);

/* C (m,n) = A (m,k) B (k,n) + beta C, row-major, `batch` times with the strides sa, sb, sc between
 * one and the next; turned: A is stored as (k,m), B as (n,k). */
typedef struct {
    int turned_a, turned_b;
    size_t m, n, k, batch;
    const double *a, *b;
    double beta, *c;
    size_t lda, ldb, ldc, sa, sb, sc; /* in numbers */
} gpu_product;

/* Rows of `width` numbers from the device to the host. */
typedef struct {
    double *to;
    const double *from;
    size_t width, rows, to_pitch, from_pitch; /* in numbers */
} gpu_rows;

/* Of each stage; while one is attached, every call waits for its end. */
typedef struct {
    size_t calls[GPU_NSTAGE];
    double seconds[GPU_NSTAGE];
    double operations[GPU_NSTAGE], bytes[GPU_NSTAGE]; /* gpu_work.h */
} gpu_profile;

typedef struct gpu gpu;
typedef struct {
    void (*close)(gpu *g);
    /* Before the first call from a thread that has not opened it. */
    cgct_status (*bind)(gpu *g, cgct_err *err);
    cgct_status (*memory)(gpu *g, size_t *free, size_t *total, cgct_err *err);
    /* E_NOMEM, nothing else lost, where the device has no room for it */
    cgct_status (*alloc)(gpu *g, size_t bytes, void **p, cgct_err *err);
    void (*release)(gpu *g, void *p);
    cgct_status (*clear)(gpu *g, void *p, size_t bytes, cgct_err *err);
    /* Has read what is uploaded when it returns; the copy itself is not waited for. */
    cgct_status (*upload)(gpu *g, void *to, const void *from, size_t bytes, cgct_err *err);
    /* n threads, or blocks of assemble; in the order of the calls, not waited for */
    cgct_status (*launch)(gpu *g, gpu_stage kernel, size_t n, const void *args, cgct_err *err);
    cgct_status (*product)(gpu *g, const gpu_product *p, cgct_err *err);
    /* Remembers under slot 0 or 1 what has been asked for so far. */
    cgct_status (*mark)(gpu *g, int slot, cgct_err *err);
    /* Copies once that is done, beside later kernels; returns when the rows have arrived. */
    cgct_status (*fetch)(gpu *g, int slot, const gpu_rows *r, cgct_err *err);
    cgct_status (*wait)(gpu *g, cgct_err *err);
} gpu_ops;

struct gpu {
    const gpu_ops *ops;
    char name[280]; /* "device 0 (NAME)" for messages */
    size_t bytes, bytes_peak;
    gpu_profile *profile; /* or NULL */
    double (*clock)(void);
};

/* Device id as CUDA counts them (CUDA_VISIBLE_DEVICES); *g is freed by gpu_close.  E_DEVICE with
 * the reason. */
cgct_status gpu_open(gpu **g, int id, cgct_err *err);
/* The same, one of `shares` that divide the device's memory: its streams are its own. */
cgct_status gpu_open_share(gpu **g, int id, int shares, cgct_err *err);
void gpu_close(gpu *g);
/* OK, or E_DEVICE and why device id cannot run this program's kernels. */
cgct_status gpu_usable(int id, cgct_err *err);

typedef struct {
    void *p;
    size_t bytes;
} gpu_buffer;

/* All zero before use; freeing such a one is allowed.  0 bytes allocate nothing. */
cgct_status gpu_alloc(gpu *g, gpu_buffer *b, size_t bytes, cgct_err *err);
void gpu_free(gpu *g, gpu_buffer *b);
/* Allocates and fills. */
cgct_status gpu_upload(gpu *g, gpu_buffer *b, const void *from, size_t bytes, cgct_err *err);

cgct_status gpu_launch(gpu *g, gpu_stage kernel, size_t n, const void *args, cgct_err *err);
cgct_status gpu_multiply(gpu *g, const gpu_product *p, cgct_err *err);
cgct_status gpu_get(gpu *g, int slot, const gpu_rows *r, cgct_err *err);

#ifdef __cplusplus
}
#endif
#endif
