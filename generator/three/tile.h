/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tile.h: the part of the three-momentum transform that one thread does at a time: one node of
 * Delta and up to sixteen of r'; from samples of G to H_mn. */
#ifndef CGCT_THREE_TILE_H
#define CGCT_THREE_TILE_H
#include "three/plan.h"

/* ---- matrix products ---- */

enum { THREE_COLUMNS = THREE_BLOCK_MAX };

/* `count` products C (m, COLUMNS) = A (m, k) B (k, COLUMNS), or with `add` C += A B; row-major.
 * Sixteen columns stay in registers, where a general BLAS spends its time on preparations. */
typedef struct {
    size_t count, m, k; /* k = 0 is allowed */
    int add;
    const double *A, *B;
    double *C;
    size_t lda, ldb, ldc; /* lengths of a row */
    size_t stepA, stepC;  /* from one product to the next; its B are the next COLUMNS of each row */
} three_tile_product;

void three_tile_multiply(const three_tile_product *p);

/* ---- tiles ---- */

/* Arrays of one thread. */
typedef struct {
    double
        *samples;  /* (nchannel, N, na, nt) at na angles alpha and one b; even, then odd in beta */
    double *wide;  /* (N, COLUMNS): the same at one alpha where nt < COLUMNS */
    double *P;     /* (nchannel, ALPHAS, sweep, nn, COLUMNS): modes n: cos 0..M, sin 1..M */
    double *h;     /* (nchannel, nalpha, nn, nrow, COLUMNS): summed over b */
    double *part;  /* (2, 2, M+1, COLUMNS): cos and sin in alpha of cos and sin in beta */
    double *block; /* the one allocation: free it */
} three_work;

/* Cuts the block, unless it is NULL, into these arrays for so many momenta q; returns the numbers in
 * it. */
size_t three_work_cut(three_work *w, double *block, const three_plan *p, size_t group);
cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err);

typedef struct {
    size_t q0, nq; /* group */
    size_t d, id;  /* node of Delta, and its place in the subset */
    size_t r0, nt; /* nodes of r' */
} three_tile;

/* H (nplane, nmode, subset, nrow, nr): fills the tile's part.  Returns 0 if a number in it is not
 * finite. */
int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H);

/* E_DOMAIN: where in the tile G is not finite, or that its sums are not. */
cgct_status three_tile_fail(const three_plan *p, three_work *w, const three_tile *t, cgct_err *err);
#endif
