/* SPDX-License-Identifier: MIT */
/* cgctab_dense.h: a plane (q,k) at fixed (x,eps), laid out for speed; not installed. */
#ifndef CGCTAB_DENSE_H
#define CGCTAB_DENSE_H
#include "cgctab_cells.h"

/* One summand of the plane: ln s in double precision and blocks of sixteen numbers r_1 r_1' ... r_8
 * r_8' | r_9 ..., T and L alternating; neighbours in k lie side by side. */
typedef struct {
    double *ln_s; /* (nq nk, 2) */
    void *mode;   /* (blocks, nq nk, 16) float, or double where wide */
} cgct_layer;

enum { CGCT_ARCS_MAX = 48 };

/* The sums over modes of both layers on arcs of the half circle (cgctab_arcs.h). */
typedef struct {
    size_t n;      /* arcs on each half of it; 0: there are none */
    float *sum[2]; /* (2 n, nq nk, 16); NULL: no such layer */
    cgct_cells q, k;
} cgct_arcs;

/* f = P_q P_k layer[0] + L_q L_k layer[1] (FORMAT.md section 5); a layer that is not there is 0. */
typedef struct cgct_dense {
    size_t row, points, blocks; /* points in a row of k; all points; largest number of blocks */
    int wide;
    cgct_layer layer[2];
    cgct_arcs arcs;
    uint16_t *need; /* (cells in q, k): blocks that the points of a stencil there have */
} cgct_dense;

/* out += ln s of both polarisations, from the first point of n x m on. */
CGCT_INLINE void cgct_add_scale(const cgct_dense *d, const double *ln_s, size_t nq,
                                const double *wq, size_t nk, const double *wk, double out[2])
{
    CGCT_ALIGNED double sum[2 * CGCT_ORDER_MAX] = {0};
    CGCT_UNROLL
    for (size_t i = 0; i < nq; i++, ln_s += 2 * d->row)
        for (size_t j = 0; j < 2 * nk; j++) sum[j] += wq[i] * ln_s[j];
    CGCT_UNROLL
    for (size_t j = 0; j < nk; j++) {
        out[0] += wk[j] * sum[2 * j];
        out[1] += wk[j] * sum[2 * j + 1];
    }
}

size_t cgct_dense_blocks(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k);
/* ln_s (2), and mode (n, 16) gets blocks v0.. of the interpolated plane. */
void cgct_dense_blend(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                      size_t n, double ln_s[2], double *mode);
void cgct_dense_sum(const cgct_dense *d, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out);
/* Fills sum and a of those points of a batch that arcs serve, b with 0.  served gets 0 for
 * those that are not, which lie below the k axis of a folded table, else 1, more in dirty cells. */
void cgct_arcs_sum(const cgct_planes *p, size_t n, cgct_places *at, uint8_t *served);

/* All arcs at one (q,k), times s. */
typedef struct {
    int n; /* arcs of a quarter of the circle */
    cgct_wide arc[2 * CGCT_ARCS_MAX];
} cgct_arc_row;
/* Whether arcs serve a place inside the grid, whose cell is clean then. */
int cgct_arcs_serve(const cgct_planes *p, double q, double k);
/* 0: they do not. */
int cgct_arcs_row(const cgct_planes *p, double q, double k, cgct_arc_row *row);
/* values (n, 2) of a batch whose points all lie there, but for the angle. */
void cgct_arcs_angles(const cgct_arc_row *row, size_t n, const cgct_places *at, double *values);
#endif
