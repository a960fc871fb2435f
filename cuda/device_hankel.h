/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_hankel.h: both Hankel transforms on a device, chunk by chunk of the inner table as it is
 * made.  Private to the builders that keep no table.  Source: [P: eq. fused] */
#ifndef CGCT_DEVICE_HANKEL_H
#define CGCT_DEVICE_HANKEL_H
#include "numerics/filon_parts.h"
#include "builders.h"

/* What the processor finds out of the Filon weights of one task. */
typedef struct {
    const cuda_fused_task *task; /* kept by reference */
    filon_plan q, P;             /* of (nm, nq, nr), (nm, np, nd) */
} hankel_weights;
cgct_status hankel_weights_init(hankel_weights *w, const cuda_fused_task *task, cgct_err *err);
void hankel_weights_free(hankel_weights *w);

typedef struct {
    gpu *g;
    const cuda_fused_task *task;
    gpu_buffer wq, wP; /* Filon weights, made here */
    gpu_buffer H;      /* (NPOL, nm, nq, Delta of the chunk) */
    gpu_buffer modes;  /* (NPOL, nm, nq, np) */
} device_hankel;

/* Bytes of it all, and of the modes of another table that waits. */
double device_hankel_bytes(const inner_opts *o, size_t nq, size_t np);

/* Weights and buffers on the device; w is not needed afterwards. */
cgct_status device_hankel_init(device_hankel *h, gpu *g, const hankel_weights *w, cgct_err *err);
void device_hankel_keep_modes(device_hankel *h); /* frees all other buffers */
void device_hankel_free(device_hankel *h);

/* A new table; a new chunk of nd nodes Delta. */
cgct_status device_hankel_clear(device_hankel *h, cgct_err *err);
cgct_status device_hankel_chunk(device_hankel *h, cgct_err *err);
/* H += w_q G^T, G (NPOL, nm, nd, nr) on the device, its R from r0 on. */
cgct_status device_hankel_add(device_hankel *h, const double *G, size_t nd, size_t r0, size_t nr,
                              cgct_err *err);
/* modes += H w_P^T for the chunk, whose nd nodes Delta are those from d0 on. */
cgct_status device_hankel_close(device_hankel *h, size_t d0, size_t nd, cgct_err *err);
/* modes (NPOL, nm, nq, np) to the host. */
cgct_status device_hankel_get(device_hankel *h, double *modes, cgct_err *err);
#endif
