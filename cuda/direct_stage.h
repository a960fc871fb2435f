/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct_stage.h: the paper's discretisation on a device, chunk by chunk in Delta and R, for
 * cuda-table and cuda-fused; and the tables of functions that cuda-separable needs, too. */
#ifndef CGCT_DIRECT_STAGE_H
#define CGCT_DIRECT_STAGE_H
#include "direct_kernels.h"
#include "gpu.h"
#include "inner/backend.h"
#include "lookup.h"

#define DEVICE_MEMORY_SHARE 0.9 /* of the free memory; the driver needs some itself */

/* Sizes of one table. */
typedef struct {
    size_t nd, nr, ns, n, nk, nm;
    int full; /* the paper's projection, which stores all samples of one R */
} direct_sizes;

typedef struct {
    size_t nd, nr; /* 0: not even one element fits */
} direct_chunk;

/* Numbers (of 8 bytes) that a chunk takes on the device. */
size_t direct_chunk_numbers(const direct_sizes *s, direct_chunk c);
/* The largest chunk, in Delta first, that takes at most `bytes`. */
direct_chunk direct_chunk_plan(const direct_sizes *s, size_t bytes);
/* The next smaller one: half of Delta, then half of R; {0, 0} after one element. */
direct_chunk direct_chunk_shrink(direct_chunk c);

typedef struct {
    gpu *g;
    const inner_opts *o;
    direct_sizes size;
    direct_chunk chunk;
    full_view view;              /* set for the current chunk */
    const double *r;             /* (nr) on the device */
    const double *delta, *modes; /* on the device: (nd); (nm, n n), the paper's projection */
    double *G[2];                /* (2, nm, nd, nr) of the last two chunks */
    gpu_group all, part, dipole; /* buffers for all chunks, for one, for the table of ln S */
    double r2_max;
} direct_stage;

/* Purpose  all that does not depend on the dipole, and the largest chunk that fits
 * Returns  OK, E_CONFIG (angles), E_NOMEM with what was needed and free, E_DEVICE */
cgct_status direct_stage_init(direct_stage *s, gpu *g, const inner_opts *o, int full,
                              cgct_err *err);
void direct_stage_free(direct_stage *s);
/* The table of ln S of one dipole; replaces the one before. */
cgct_status direct_stage_dipole(direct_stage *s, const dipole *d, cgct_err *err);
/* Wave functions at the chunk of Delta from d0 on. */
cgct_status direct_stage_delta(direct_stage *s, size_t d0, cgct_err *err);
/* G (2, nm, view.v.nd, view.v.nr) of the chunk of R from r0 on, into G[slot]. */
cgct_status direct_stage_block(direct_stage *s, size_t r0, int slot, cgct_err *err);
/* g (T, L) at the first Delta of the block in `slot` and its R, which is 0: G_0/(2 pi). */
cgct_status direct_stage_origin(direct_stage *s, int slot, double origin[2], cgct_err *err);

/* ---- tables of functions ---- */

/* Copies the tables of K0 and K1 to the device. */
cgct_status direct_upload_photon(gpu_group *b, double eps, device_photon *p, cgct_err *err);
/* Copies any other table to the device. */
cgct_status direct_upload_lookup(gpu_group *b, const lookup_table *t, lookup *at, cgct_err *err);
/* ln S for kernels up to r2_max: linear, or by *t, which is freed with lookup_free. */
cgct_status direct_lnS(device_lnS *to, lookup_table *t, const dipole *d, double r2_max,
                       cgct_err *err);

/* ---- memory ---- */

/* Bytes of the tables of ln S up to r2_max, K0 and K1. */
cgct_status direct_lookup_bytes(const dipole *d, double r2_max, double *bytes, cgct_err *err);
/* Bytes of a device that computes all of Delta at once. */
cgct_status direct_stage_bytes(const backend_size *k, int full, size_t *bytes, cgct_err *err);
#endif
