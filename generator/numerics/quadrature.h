/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadrature.h: composite Gauss-Legendre rules as data; knows no physics. */
#ifndef CGCT_QUADRATURE_H
#define CGCT_QUADRATURE_H
#include <stddef.h>

#include "format/error.h"

/* Nodes and weights of one rule; grows as panels are appended, so that scratch rules can be reused.
 */
typedef struct {
    size_t n, cap;
    double *x, *w;
    int *panel; /* number of nodes of the panel that starts here, else 0 */
} quad_rule;

/* One Gauss-Legendre rule on [-1,1], kept for appending panels. */
typedef struct {
    int n;
    double x[64], w[64];
} quad_gauss;

cgct_status quad_gauss_init(quad_gauss *g, int n, cgct_err *err); /* 1 <= n <= 64 */

void quad_clear(quad_rule *q); /* n = 0, memory kept */
void quad_free(quad_rule *q);
/* Append [a,b] cut into equal panels no wider than hmax.  Returns E_NOMEM or OK. */
cgct_status quad_append(quad_rule *q, const quad_gauss *g, double a, double b, double hmax);
/* Append one Gauss-Legendre rule of any n >= 1 nodes on [a,b]. */
cgct_status quad_append_gauss(quad_rule *q, int n, double a, double b, cgct_err *err);
/* Append [a,b] in panels that grow by `ratio` away from a singular end: toward a (end = 0) or b
 * (end = 1), the smallest panel being no wider than hmin, none wider than hmax. */
cgct_status quad_append_graded(quad_rule *q, const quad_gauss *g, double a, double b, int end,
                               double hmin, double ratio, double hmax);
#endif
