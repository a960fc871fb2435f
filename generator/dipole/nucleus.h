/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nucleus.h: the thickness of a nucleus in the optical Glauber model.  All lengths are in fm.
 *
 *     T_A(b) = Int dz n/(1 + exp[(sqrt(b^2 + z^2) - R)/d]),   Int d2b T_A(b) = 1,
 *     R = 1.12 A^(1/3) - 0.86 A^(-1/3) fm,   d = 0.54 fm                   [1309.6963] */
#ifndef CGCT_NUCLEUS_H
#define CGCT_NUCLEUS_H
#include "numerics/quadrature.h"

/* Limits of A; largest impact parameter (fm). */
enum { NUCLEUS_A_MIN = 2, NUCLEUS_A_MAX = 300, NUCLEUS_B_MAX = 50 };
#define NUCLEUS_HBARC 0.1973269804 /* GeV fm */
#define NUCLEUS_FM2_PER_MB 0.1     /* 1 mb = 0.1 fm^2 */

typedef struct {
    int A;
    double R, density; /* fm; n in 1/fm^3 */
    quad_rule z;       /* nodes (fm) of the integral along the beam */
} nucleus;

/* Returns OK, E_CONFIG (A outside its limits). */
cgct_status nucleus_init(nucleus *n, int A, cgct_err *err);
void nucleus_free(nucleus *n);

/* T_A(b) in 1/fm^2 for 0 <= b <= NUCLEUS_B_MAX, to 1e-12. */
double nucleus_thickness(const nucleus *n, double b);
/* The b below which T_A(b) > thickness; 0 where there is none. */
double nucleus_edge(const nucleus *n, double thickness);

/* Weights (fm^2) of the integral over the plane of b,
 *     Int d2b f(b) = Sum_{i<count} weight[i] f(b[i])   over b < edge,
 * a Gauss-Legendre rule in b^2: f is smooth in it.  1 <= count <= QUAD_GAUSS_MAX. */
void nucleus_impacts(double edge, int count, double *b, double *weight);
/* Int d2b T_A(b) over b > edge. */
double nucleus_beyond(const nucleus *n, double edge);
#endif
