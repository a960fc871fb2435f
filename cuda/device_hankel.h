/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_hankel.h: both Hankel transforms on a device, applied to each chunk of the inner table as
 * soon as it is computed, so that the whole table is never stored.
 *
 *   H_m(q,Delta) += sum_R     w_m(q,R)     G_m(Delta,R)      for each chunk of R
 *   I_m(q,P)     += sum_Delta w_m(P,Delta) H_m(q,Delta)      for each chunk of Delta
 *
 * Source: [P: eq. fused] */
#ifndef CGCT_DEVICE_HANKEL_H
#define CGCT_DEVICE_HANKEL_H
#include "gpu.h"
#include "inner/backend.h"
#include "numerics/filon_parts.h"

/* The processor's part of the Filon weights of one task. */
typedef struct {
    backend_transform task; /* with its arrays, which must outlive it */
    filon_plan q, P;        /* of (nm, nq, nr), (nm, np, nd) */
} hankel_weights;
cgct_status hankel_weights_init(hankel_weights *w, const backend_transform *task, cgct_err *err);
void hankel_weights_free(hankel_weights *w);

typedef struct {
    gpu *g;
    backend_transform task;
    int borrowed;      /* the weights belong to another transform */
    gpu_buffer wq, wP; /* Filon weights, made here */
    gpu_buffer H;      /* (NPOL, nm, nq, Delta of the chunk) */
    gpu_buffer modes;  /* (NPOL, nm, nq, np) */
} device_hankel;

/* Bytes of the weights and buffers, and of the modes of one more table. */
double device_hankel_bytes(const backend_size *k);
/* Bytes that device_hankel_init takes in addition while it makes the weights, at most. */
double device_hankel_init_bytes(const backend_size *k);

/* Weights and buffers on the device; w is not needed afterwards. */
cgct_status device_hankel_init(device_hankel *h, gpu *g, const hankel_weights *w, cgct_err *err);
/* The same for a task with fewer orders, the first of those of h, whose weights serve both. */
cgct_status device_hankel_share(device_hankel *h, const device_hankel *of,
                                const backend_transform *task, cgct_err *err);
void device_hankel_keep_modes(device_hankel *h); /* frees all other buffers */
void device_hankel_free(device_hankel *h);

/* H += w_q G^T, G (NPOL, nm, nd, nr) on the device, its R from r0 on; r0 = 0 begins a new chunk of
 * Delta and comes first. */
cgct_status device_hankel_add(device_hankel *h, const double *G, size_t nd, size_t r0, size_t nr,
                              cgct_err *err);
/* Ends the chunk of the nd nodes Delta from d0 on: modes += H w_P^T; d0 = 0 begins a new table. */
cgct_status device_hankel_close(device_hankel *h, size_t d0, size_t nd, cgct_err *err);
/* Copies modes (NPOL, nm, nq, np) to the host. */
cgct_status device_hankel_get(device_hankel *h, double *modes, cgct_err *err);

/* Where a chunk of the inner table goes: into a table (t), or into its transform (h). */
typedef struct {
    inner_table *t;
    device_hankel *h;
} device_output;

/* The nd columns from d0 on of G (NPOL, orders, nd, nr), which are on the device and marked in slot
 * 0; d0 = 0 comes first. */
cgct_status device_output_put(const device_output *to, gpu *g, const double *G, size_t orders,
                              size_t d0, size_t nd, cgct_err *err);
#endif
