/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_kernels.h: what a thread computes on the way from the modes I_m(q,P) of both passes of a
 * node to I at the points of a grid, as inline text for C and CUDA.
 *
 *   recentre   I at one (q,k,theta) from the fine pass and single scattering; its error
 *
 * Source: evaluate_angles, mode_table_eval and single_add, which do the same on the processor. */
#ifndef CGCT_PRODUCT_KERNELS_H
#define CGCT_PRODUCT_KERNELS_H
#include "numerics/grid.h"
#include "direct_kernels.h"
#include "inner/single.h"

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

typedef struct {
    size_t nq, nk, nt; /* nt angles at each of the nq nk pairs of momenta */
    double lam, safety, rounding;
    const double *q, *k, *theta;               /* (nq), (nq, nk), (nq, nk, nt) */
    product_pass pass[2];                      /* fine, coarse */
    size_t nsingle;                            /* 0: none is added */
    size_t single_other;                       /* where F2 begins; 0: F2 = F */
    const double *sigma, *single_k, *single_F; /* (nq), (nsingle), (4 or 6, nsingle): F, Psi, F2 */
    double *I, *bound;                         /* (2, nq, nk, nt) */
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

/* Adds I of one pass at (q, P, phi) to I[2]. */
CGCT_KERNEL void product_modes(const product_view *a, const product_pass *t, size_t iq, double P,
                               double phi, double *I)
{
    double c[PRODUCT_NODES], turn = t->step * (phi + M_PI);
    size_t p = t->np < PRODUCT_NODES ? t->np : PRODUCT_NODES, stride = a->nq * t->np;
    const double *row = t->I + iq * t->np + product_lagrange(t->np, t->P, P, c);
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

/* F[2], which begins at `from`, and Psi[2] at momentum k. */
CGCT_KERNEL void product_factors(const product_view *a, size_t from, double k, double *F,
                                 double *Psi)
{
    double c[PRODUCT_NODES];
    size_t n = a->nsingle, p = n < PRODUCT_NODES ? n : PRODUCT_NODES;
    const double *f = a->single_F + product_lagrange(n, a->single_k, k, c);
    F[0] = F[1] = Psi[0] = Psi[1] = 0;
    PRODUCT_UNROLL
    for (size_t j = 0; j < PRODUCT_NODES; j++) {
        if (j >= p) continue;
        F[0] += c[j] * f[from + j];
        F[1] += c[j] * f[from + n + j];
        Psi[0] += c[j] * f[2 * n + j];
        Psi[1] += c[j] * f[3 * n + j];
    }
}

/* Adds single scattering to I[2], and a bound on its error to error[2]. */
CGCT_KERNEL void product_single(const product_view *a, size_t iq, double k1, double k2, double P,
                                double *I, double *error)
{
    double F1[2], F2[2], Psi1[2], Psi2[2], q = a->q[iq], s = a->sigma[iq];
    double cosine = k1 > 0 && k2 > 0 ? (k1 * k1 + k2 * k2 - q * q) / (2 * k1 * k2) : 0;
    double largest = a->single_F[0] + a->single_F[a->nsingle];
    product_factors(a, 0, k1, F1, Psi1);
    product_factors(a, a->single_other, k2, F2, Psi2);
    if (a->single_other) { /* as single_add */
        double unused[2];
        product_factors(a, 0, P, Psi1, unused);
        product_factors(a, a->single_other, P, Psi2, unused);
    }
    for (int pol = 0; pol < 2; pol++) {
        double F = F1[pol] + F2[pol], product = 2 * (pol ? 1 : cosine) * Psi1[pol] * Psi2[pol];
        if (a->single_other) product = Psi1[pol] + Psi2[pol];
        I[pol] += s * (F - product);
        error[pol] +=
            fabs(s) * (SINGLE_OF_TERMS * (fabs(F) + fabs(product)) + SINGLE_OF_LARGEST * largest);
    }
}

/* i over (nq, nk, nt) */
CGCT_KERNEL void recentre_thread(const product_view *a, size_t i)
{
    const size_t iq = i / (a->nk * a->nt), values = a->nq * a->nk * a->nt;
    double q = a->q[iq], k = a->k[i / a->nt], theta = a->theta[i];
    double px = k * cos(theta) - a->lam * q, py = k * sin(theta);
    double P = hypot(px, py), phi = atan2(py, px), I[2] = {0, 0}, coarse[2] = {0, 0}, bound[2];
    product_modes(a, &a->pass[0], iq, P, phi, I);
    product_modes(a, &a->pass[1], iq, P, phi, coarse);
    for (size_t pol = 0; pol < 2; pol++) bound[pol] = a->safety * fabs(I[pol] - coarse[pol]);
    if (a->nsingle) product_single(a, iq, k, hypot(q - k * cos(theta), py), P, I, bound);
    for (size_t pol = 0; pol < 2; pol++) {
        a->I[pol * values + i] = I[pol];
        a->bound[pol * values + i] = bound[pol] + a->rounding * fabs(I[pol]);
    }
}
#endif
