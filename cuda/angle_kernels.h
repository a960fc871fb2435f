/* SPDX-License-Identifier: GPL-3.0-or-later */
/* angle_kernels.h: the matrices of angular rules from their nodes, one inline text for C and CUDA.
 * Source: numerics/quadrature.h. */
#ifndef CGCT_ANGLE_KERNELS_H
#define CGCT_ANGLE_KERNELS_H
#include <math.h>
#include <stddef.h>

#include "numerics/pointwise.h"

typedef struct {
    size_t nm;
    const int *m;            /* (nm) */
    const double *x, *w;     /* of the nodes of all rules */
    double *weight, *cosine; /* (nodes, nm): w cos(m x), cos(m x) */
} angle_view;

/* i over (nodes, nm) */
CGCT_KERNEL void cosine_thread(const angle_view *a, size_t i)
{
    size_t j = i / a->nm;
    double c = cos(a->m[i % a->nm] * a->x[j]);
    a->cosine[i] = c;
    a->weight[i] = a->w[j] * c;
}
#endif
