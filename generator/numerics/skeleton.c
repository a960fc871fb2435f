/* SPDX-License-Identifier: GPL-3.0-or-later */
/* skeleton.c: cross approximation of the divided difference of the exponential by full pivoting. */
#include "numerics/skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"
#include "numerics/vmath.h"

enum { NSAMPLE = 320 };
/* For smaller |A| and |B|, W differs from its value at 0 by a linear term below 1e-5. */
static const double SAMPLE_MIN = 1e-5;

/* g[NSAMPLE]: 0, and logarithmic samples down to `lowest` < 0. */
static void skeleton_sample_axis(double lowest, double *g)
{
    double span = log(fmax(-lowest, 2 * SAMPLE_MIN) / SAMPLE_MIN);
    g[0] = 0;
    for (int i = 1; i < NSAMPLE; i++) g[i] = -SAMPLE_MIN * exp(span * (i - 1) / (NSAMPLE - 2));
}

/* The LU factors of C; its order is that of full pivoting, so that no further pivoting is
 * needed. */
static void skeleton_factorise(skeleton *s)
{
    int n = s->rank, ld = SKELETON_RANK_MAX;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s->lu[i * ld + j] = expdiff(s->A[i], s->B[j]) * (1 - s->B[j]);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double f = s->lu[i * ld + k] / s->lu[k * ld + k];
            s->lu[i * ld + k] = f;
            for (int j = k + 1; j < n; j++) s->lu[i * ld + j] -= f * s->lu[k * ld + j];
        }
}

static double largest_of_row(const double *row)
{
    double most = 0;
#pragma omp simd reduction(max : most)
    for (size_t l = 0; l < NSAMPLE; l++) most = fabs(row[l]) > most ? fabs(row[l]) : most;
    return most;
}

/* Full pivoting on the samples M of W(ga, gb) (1 + |gb|), which become the residual. */
static cgct_status skeleton_find_pivots(skeleton *s, double *M, const double *ga, const double *gb,
                                        double tol)
{
    double most[NSAMPLE]; /* the largest |entry| of each row */
    for (size_t k = 0; k < NSAMPLE; k++) most[k] = largest_of_row(M + k * NSAMPLE);
    for (;;) {
        size_t i = 0, j = 0;
        for (size_t k = 1; k < NSAMPLE; k++) i = most[k] > most[i] ? k : i;
        s->residual = most[i];
        if (s->residual <= tol) return CGCT_OK;
        if (s->rank == SKELETON_RANK_MAX) return CGCT_E_ACCURACY;
        while (fabs(M[i * NSAMPLE + j]) < most[i]) j++;
        s->A[s->rank] = ga[i];
        s->B[s->rank++] = gb[j];
        double row[NSAMPLE]; /* subtract the cross of row i and column j */
        const double pivot = M[i * NSAMPLE + j];
        for (size_t l = 0; l < NSAMPLE; l++) row[l] = M[i * NSAMPLE + l] / pivot;
        for (size_t k = 0; k < NSAMPLE; k++) {
            double f = M[k * NSAMPLE + j], *to = M + k * NSAMPLE;
            for (size_t l = 0; l < NSAMPLE; l++) to[l] -= f * row[l];
            most[k] = largest_of_row(to);
        }
    }
}

cgct_status skeleton_init(skeleton *s, double A_min, double B_min, double tol, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    if (!(A_min < 0 && B_min < 0 && isfinite(A_min) && isfinite(B_min) && tol > 0))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "cross approximation: ranges A >= %g, B >= %g, tolerance %g must be "
                         "negative, negative, positive",
                         A_min, B_min, tol);
    double ga[NSAMPLE], gb[NSAMPLE];
    double *M = memory_new(NSAMPLE * NSAMPLE, sizeof *M);
    skeleton_sample_axis(A_min, ga);
    skeleton_sample_axis(B_min, gb);
    for (int i = 0; i < NSAMPLE; i++)
        for (int j = 0; j < NSAMPLE; j++) M[i * NSAMPLE + j] = expdiff(ga[i], gb[j]) * (1 - gb[j]);
    cgct_status st = skeleton_find_pivots(s, M, ga, gb, tol);
    free(M);
    if (st != CGCT_OK)
        return cgct_fail(
            err, st,
            "cross approximation: rank %d leaves %.1e, asked for %.1e; raise inner.rank_tolerance",
            s->rank, s->residual, tol);
    for (int k = 0; k < s->rank; k++) {
        s->rootA[k] = exp(0.5 * s->A[k]);
        s->rootB[k] = exp(0.5 * s->B[k]);
    }
    skeleton_factorise(s);
    return CGCT_OK;
}

enum { BLOCK = 256 }; /* points whose e^(A/2) stay in the cache while all ranks are formed */

void skeleton_u(const skeleton *s, size_t n, const double *A, double *u)
{
    double root[BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += BLOCK) {
        size_t nb = n - i0 < BLOCK ? n - i0 : BLOCK;
        for (size_t i = 0; i < nb; i++) root[i] = vexp(0.5 * A[i0 + i]);
        for (int k = 0; k < s->rank; k++) {
            const double Bk = s->B[k], rootB = s->rootB[k], scale = 1 - Bk;
            double *uk = u + (size_t)k * n + i0;
            for (size_t i = 0; i < nb; i++)
                uk[i] = scale * expdiff_roots(A[i0 + i] - Bk, root[i], rootB);
        }
    }
}

void skeleton_v(const skeleton *s, size_t n, const double *B, double *v)
{
    double root[BLOCK], y[SKELETON_RANK_MAX][BLOCK];
    int r = s->rank, ld = SKELETON_RANK_MAX;
    for (size_t i0 = 0; i0 < n; i0 += BLOCK) {
        size_t nb = n - i0 < BLOCK ? n - i0 : BLOCK;
        for (size_t i = 0; i < nb; i++) root[i] = vexp(0.5 * B[i0 + i]);
        for (int k = 0; k < r; k++) {
            for (size_t i = 0; i < nb; i++)
                y[k][i] = expdiff_roots(s->A[k] - B[i0 + i], s->rootA[k], root[i]);
            for (int l = 0; l < k; l++)
                for (size_t i = 0; i < nb; i++) y[k][i] -= s->lu[k * ld + l] * y[l][i];
        }
        for (int k = r - 1; k >= 0; k--) {
            for (int l = k + 1; l < r; l++)
                for (size_t i = 0; i < nb; i++) y[k][i] -= s->lu[k * ld + l] * y[l][i];
            double *vk = v + (size_t)k * n + i0, f = 1 / s->lu[k * ld + k];
            for (size_t i = 0; i < nb; i++) vk[i] = y[k][i] *= f;
        }
    }
}
