/* SPDX-License-Identifier: MIT */
/* cgctab_dense.h: a plane (q,k) at fixed (x,eps), laid out for speed; not installed. */
#ifndef CGCTAB_DENSE_H
#define CGCTAB_DENSE_H
#include "cgctab_internal.h"

/* One summand of the plane: ln s in double precision and blocks of sixteen numbers r_1 r_1' ... r_8
 * r_8' | r_9 ..., T and L alternating; neighbours in k lie side by side. */
typedef struct {
    double *ln_s; /* (nq nk, 2) */
    void *mode;   /* (blocks, nq nk, 16) float, or double where wide */
} cgct_layer;

/* f = P_q P_k layer[0] + L_q L_k layer[1] (FORMAT.md section 5); a layer that is not there is 0. */
typedef struct cgct_dense {
    size_t row, points, blocks; /* points in a row of k; all points; largest number of blocks */
    int wide;
    cgct_layer layer[2];
    uint16_t *need; /* (cells in q, k): blocks that the points of a stencil there have */
} cgct_dense;

size_t cgct_dense_blocks(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k);
/* ln_s (2), and mode (n, 16) gets blocks v0.. of the interpolated plane. */
void cgct_dense_blend(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                      size_t n, double ln_s[2], double *mode);
void cgct_dense_sum(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out);
#endif
