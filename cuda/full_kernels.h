/* SPDX-License-Identifier: GPL-3.0-or-later */
/* full_kernels.h: the bodies of the kernels of cuda-table-blas: all angles alpha and beta at one R,
 * to be projected by a matrix product.  Source: [P: alg. tablecuda]. */
#ifndef CGCT_FULL_KERNELS_H
#define CGCT_FULL_KERNELS_H
#include "direct_kernels.h"

typedef struct {
    direct_view v;     /* nr = 1: r and cross are those of this R */
    double *pair;      /* (nd, n, 2): B and e^(B/2) at each gamma */
    double *sample;    /* (2, nd, ns, n, n) */
    double *projected; /* (2, nd, ns, nm) */
    double *G;         /* (2, nm, nd, columns), of which this is one */
    size_t column, columns;
} full_view;

/* i over (nd, n) */
CGCT_KERNEL void pair_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    double delta = v->delta[i / v->n], cosine = v->cosine[i % v->n], R = v->r[0];
    double c0 = v->lam * delta, c1 = (1 - v->lam) * delta;
    double B = direct_length(&v->lnS, R * R, c0 * c0 - 2 * c0 * R * cosine) +
               direct_length(&v->lnS, R * R, c1 * c1 + 2 * c1 * R * cosine) +
               2 * direct_L0(&v->lnS, R * R);
    a->pair[2 * i] = B < 0 ? B : 0;
    a->pair[2 * i + 1] = CGCT_EXP(B > -1400 ? a->pair[2 * i] / 2 : -700);
}

/* i over (nd, ns, n, n): Delta, s, alpha, beta */
CGCT_KERNEL void full_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    size_t n = v->n, beta = i % n, alpha = i / n % n, is = i / n / n % v->ns,
           id = i / n / n / v->ns;
    size_t gamma = (alpha + n - beta) % n, fold = beta < n / 2 + 1 ? beta : n - beta;
    const double *w = v->wave + ((id * v->ns + is) * n + alpha) * WAVE_SIZE;
    const double *pair = a->pair + 2 * (id * n + gamma);
    double R = v->r[0], mu = 1 - 2 * v->lam, L0 = direct_L0(&v->lnS, R * R);
    double x = w[WAVE_FAR] + 2 * mu * v->delta[id] * R * v->cosine[gamma] +
               2 * v->s[is] * R * v->cosine[beta];
    double N =
        v->cross[is * (n / 2 + 1) + fold] + direct_length(&v->lnS, R * R, x) - (pair[0] - 2 * L0);
    double S = N * expdiff_roots(w[WAVE_A] - pair[0], w[WAVE_ROOT], pair[1]);
    a->sample[i] = w[WAVE_T] * S;
    a->sample[v->nd * v->ns * n * n + i] = w[WAVE_L] * S;
}

/* i over (2, nm, nd): the sum over s, whose weights stand in the wave functions */
CGCT_KERNEL void radial_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    size_t id = i % v->nd, im = i / v->nd % v->nm, pol = i / v->nd / v->nm;
    const double *from = a->projected + (pol * v->nd + id) * v->ns * v->nm + im;
    double G = 0;
    for (size_t is = 0; is < v->ns; is++) G += from[is * v->nm];
    a->G[i * a->columns + a->column] = G;
}
#endif
