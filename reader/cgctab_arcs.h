/* SPDX-License-Identifier: MIT */
/* cgctab_arcs.h: the sum over modes of a slice as polynomials on arcs of the half circle, so that a
 * value costs the same for any number of modes; not installed.
 *
 * [0,pi/2] and [pi/2,pi] are each cut into n arcs, equal parts of
 *   u = t (6 - t^2)/5,   t = tan(half the angle to the nearer of 0 and pi),
 * which needs no inverse function and whose parts differ by 13 % in angle.  On an arc the sum is a
 * polynomial of degree 7 in v = -1..1 for both polarisations: sixteen numbers, one cache line. */
#ifndef CGCTAB_ARCS_H
#define CGCTAB_ARCS_H
#include "cgctab_dense.h"

enum { CGCT_ARC_TERMS = CGCT_BLOCK / 2 };

/* Polynomials of cos(m theta), m = 1..modes, on the arcs of [0,pi/2]. */
typedef struct {
    size_t n, modes;
    double *end;   /* (n): cosine of the far end of each arc */
    double *term;  /* (n, modes, 16): coefficients, each twice */
    double *error; /* (n, modes, 16): polynomial less cosine at eight places, each twice */
} cgct_arc_fit;

/* n <= CGCT_ARCS_MAX.  Returns OK, E_NOMEM; free in both cases. */
cgct_status cgct_arc_fit_init(cgct_arc_fit *f, size_t n, size_t modes);
void cgct_arc_fit_free(cgct_arc_fit *f);

/* half + Sum_m (-1)^m r_m cos(m theta), m = 1..modes: r (modes, 16) holds r_m r_m' eight times
 * over. Arcs first.. of the 2 n from 0 to pi are written, arc a to out + a stride. */
void cgct_arc_fit_apply(const cgct_arc_fit *f, double half, const double *r, size_t modes,
                        size_t first, float *out, size_t stride);
/* The largest distance of arc a of 2 n from the sum that it stands for. */
double cgct_arc_fit_error(const cgct_arc_fit *f, const double *r, size_t modes, size_t a);

/* Makes the arcs of a plane whose layers are complete.  flag (points), or NULL: bit p where
 * polarisation p means nothing; half: of each layer, what a constant 1 in all nodes would be there,
 * halved.  No arcs (n = 0) where the numbers are wide, an axis has one value or modes
 * are so many that arcs would miss more than 2^-21 of s or take more than 1 GiB.  Returns OK,
 * E_NOMEM. */
cgct_status cgct_arcs_fill(cgct_dense *d, const cgct_table *t, const uint8_t *flag,
                           const double half[2], cgct_pool *pool);
#endif
