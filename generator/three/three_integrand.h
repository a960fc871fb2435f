/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_integrand.h: the integrand of the three-momentum transform, called for blocks of points.
 *
 *   F(k,p,q) = int d2Delta d2r' d2b exp[i (k.Delta + p.r' + q.b)] G(Delta,r',b,alpha,beta)
 *   alpha = angle(Delta,r'), beta = angle(b,r'), both counted from r'          [P: eq. sixdim] */
#ifndef CGCT_THREE_INTEGRAND_H
#define CGCT_THREE_INTEGRAND_H
#include <stddef.h>

#define THREE_BLOCK_MAX 16 /* values of r' in one call */

/* Lengths in 1/GeV; alpha = angle(Delta,r'), beta = angle(b,r'). */
typedef struct {
    double delta, rp, b, cos_alpha, sin_alpha, cos_beta, sin_beta;
} three_point;

/* The points of one call: one Delta, one b, and all combinations of n <= THREE_BLOCK_MAX values of
 * r', some alpha and all beta of the circle.  Lengths in 1/GeV. */
typedef struct {
    double delta, b;
    size_t n, nalpha, nbeta;
    const double *rp;                    /* n */
    const double *cos_alpha, *sin_alpha; /* nalpha */
    const double *cos_beta, *sin_beta;   /* nbeta */
} three_block;

/* All arithmetic is real: a complex G is given by its real and its imaginary part. */
typedef struct {
    const char *name; /* with its parameters: a checkpoint of another integrand is refused */
    const void *self;
    int is_complex;   /* 0: im is NULL */
    int is_symmetric; /* G(-alpha,-beta) = G(alpha,beta): half of the samples suffice */
    /* re, im (nbeta, nalpha, n): G in any units.  Called by several threads at once. */
    void (*block)(const void *self, const three_block *at, double *re, double *im);
} three_integrand;
#endif
