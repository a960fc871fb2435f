/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skeleton.h: cross (skeleton) approximation of the divided difference of exp,
 *
 *   W(A,B) ~ sum_k u_k(A) v_k(B),  u_k(A) = W(A,B_k),  v(B) = C^{-1} W(A_k,B),  C_kl = W(A_k,B_l).
 *
 * The pivots A_k, B_k come from full pivoting on logarithmic samples of [A_min,0] x [B_min,0],
 * scaled by 1+|B|.  C is ill-conditioned: v always comes from its LU factors.  Source: METHOD.md
 * 3. */
#ifndef CGCT_SKELETON_H
#define CGCT_SKELETON_H
#include <stddef.h>

#include "format/error.h"

#define SKELETON_RANK_MAX 32

typedef struct {
    int rank;
    double A[SKELETON_RANK_MAX], B[SKELETON_RANK_MAX];         /* pivots, all <= 0 */
    double rootA[SKELETON_RANK_MAX], rootB[SKELETON_RANK_MAX]; /* e^(A/2), e^(B/2) */
    /* LU factors of C, row-major; the diagonal is that of U, that of L is 1 */
    double lu[SKELETON_RANK_MAX * SKELETON_RANK_MAX];
    double residual; /* largest |W - sum u v| (1+|B|) on the samples */
} skeleton;

/* The rank grows until the residual on the samples is at most tol.  Returns OK, E_DOMAIN, or
 * E_ACCURACY where SKELETON_RANK_MAX does not reach tol. */
cgct_status skeleton_init(skeleton *s, double A_min, double B_min, double tol, cgct_err *err);

/* u (rank, n) row-major from A[n] <= 0. */
void skeleton_u(const skeleton *s, size_t n, const double *A, double *u);
/* v (rank, n) row-major from B[n] <= 0. */
void skeleton_v(const skeleton *s, size_t n, const double *B, double *v);
#endif
