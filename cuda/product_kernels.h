/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_kernels.h: what each thread computes on the way from the modes I_m(q,P) of both passes of
 * a node to the paper's modes I_m(q,k1) and their error, as inline text for C and CUDA.
 *
 *   recentre   I at one (q,k1,theta) from the fine pass and the ridges; the bound on its error
 *   angle      (-1)^m cos(m theta) with the weights of the projection; a matrix product follows
 *   bound      the largest bound over theta
 *
 * Source: pipeline_product and ridge_add, which do the same on the processor. */
#ifndef CGCT_PRODUCT_KERNELS_H
#define CGCT_PRODUCT_KERNELS_H
#include "numerics/grid.h"
#include "direct_kernels.h"

#if defined(__CUDACC__)
#define PRODUCT_UNROLL _Pragma("unroll")
#else
#define PRODUCT_UNROLL
#endif
enum { PRODUCT_NODES = 10 }; /* of the local polynomials in P and in k, as on the processor */

typedef struct {
    size_t nm, np;
    int step;            /* orders m = 0, step, 2 step, ... */
    const double *P, *I; /* (np); (2, nm, nq, np) */
} product_pass;

/* One momentum q. */
typedef struct {
    size_t nq, iq, nk, nt, nm; /* nt angles 0..pi, nm modes of the product at this q */
    double lam, q, safety, rounding;
    const double *k;                 /* (nk) */
    product_pass pass[2];            /* fine, coarse */
    size_t nridge;                   /* 0: no ridges */
    double sigma;                    /* of the ridges at this q */
    const double *ridge_k, *ridge_F; /* (nridge), (2, nridge) */
    double *I, *bound;               /* (2, nk, nt) */
    double *cosine;                  /* (nt, nm) */
    double *error;                   /* (2, nq, nk) */
} product_view;

/* c: the local polynomials at x of up to PRODUCT_NODES nodes of the grid, then zeros; returns the
 * first of these nodes.  The loops have a fixed length so that c stays in registers. */
CGCT_KERNEL size_t product_lagrange(size_t n, const double *grid, double x, double *c)
{
    size_t p = n < PRODUCT_NODES ? n : PRODUCT_NODES, first = grid_window(n, grid, x, p);
    PRODUCT_UNROLL
    for (size_t k = 0; k < PRODUCT_NODES; k++)
        c[k] = k < p ? grid_cardinal(p, grid + first, k, x) : 0;
    return first;
}

/* Adds I of one pass at (P, phi) to I[2]. */
CGCT_KERNEL void product_modes(const product_view *a, const product_pass *t, double P, double phi,
                               double *I)
{
    double c[PRODUCT_NODES], turn = t->step * (phi + M_PI);
    size_t p = t->np < PRODUCT_NODES ? t->np : PRODUCT_NODES, stride = a->nq * t->np;
    const double *row = t->I + a->iq * t->np + product_lagrange(t->np, t->P, P, c);
    double c1 = cos(turn), s1 = sin(turn), cosine = 1, sine = 0;
    for (size_t im = 0; im < t->nm; im++, row += stride) {
        double f = (im ? 4 : 2) * M_PI * cosine, v[2] = {0, 0};
        PRODUCT_UNROLL
        for (size_t j = 0; j < PRODUCT_NODES; j++) {
            if (j >= p) continue;
            v[0] += c[j] * row[j];
            v[1] += c[j] * row[t->nm * stride + j];
        }
        I[0] += f * v[0];
        I[1] += f * v[1];
        double next = cosine * c1 - sine * s1;
        sine = sine * c1 + cosine * s1;
        cosine = next;
    }
}

/* Adds sigma(q) F(k), the ridge at momentum k, to I[2]. */
CGCT_KERNEL void product_ridge(const product_view *a, double k, double *I)
{
    double c[PRODUCT_NODES];
    size_t p = a->nridge < PRODUCT_NODES ? a->nridge : PRODUCT_NODES;
    const double *F = a->ridge_F + product_lagrange(a->nridge, a->ridge_k, k, c);
    PRODUCT_UNROLL
    for (size_t j = 0; j < PRODUCT_NODES; j++) {
        if (j >= p) continue;
        I[0] += a->sigma * c[j] * F[j];
        I[1] += a->sigma * c[j] * F[a->nridge + j];
    }
}

/* i over (nk, nt) */
CGCT_KERNEL void recentre_thread(const product_view *a, size_t i)
{
    double k = a->k[i / a->nt], theta = M_PI * (double)(i % a->nt);
    theta /= (double)(a->nt - 1);
    double px = k * cos(theta) - a->lam * a->q, py = k * sin(theta);
    double P = hypot(px, py), phi = atan2(py, px), I[2] = {0, 0}, coarse[2] = {0, 0}, bound[2];
    product_modes(a, &a->pass[0], P, phi, I);
    product_modes(a, &a->pass[1], P, phi, coarse);
    for (size_t pol = 0; pol < 2; pol++) bound[pol] = a->safety * fabs(I[pol] - coarse[pol]);
    if (a->nridge) {
        product_ridge(a, k, I);
        product_ridge(a, hypot(a->q - k * cos(theta), py), I);
    }
    for (size_t pol = 0; pol < 2; pol++) {
        a->I[pol * a->nk * a->nt + i] = I[pol];
        a->bound[pol * a->nk * a->nt + i] = bound[pol] + a->rounding * fabs(I[pol]);
    }
}

/* i over (nt, nm) */
CGCT_KERNEL void angle_thread(const product_view *a, size_t i)
{
    size_t it = i / a->nm, m = i % a->nm, last = a->nt - 1, turn = m * it % (2 * last);
    double w = (it == 0 || it == last ? 0.5 : 1) / (2 * M_PI * (double)last);
    a->cosine[i] = (m & 1 ? -w : w) * cos(M_PI * (double)turn / (double)last);
}

/* i over (2, nk) */
CGCT_KERNEL void bound_thread(const product_view *a, size_t i)
{
    double most = 0;
    for (size_t it = 0; it < a->nt; it++) most = fmax(most, a->bound[i * a->nt + it]);
    a->error[(i / a->nk * a->nq + a->iq) * a->nk + i % a->nk] = most;
}
#endif
