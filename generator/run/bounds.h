/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.h: how far a table is off at and around one of its nodes (x, eps), for the blocks of
 * FORMAT.md 8: from what is known at the node, and from interpolation, which two polynomials
 * estimate that differ in the number of nodes they go through. */
#ifndef CGCT_RUN_BOUNDS_H
#define CGCT_RUN_BOUNDS_H
#include "node/node.h"

/* What the blocks of a table depend on. */
typedef struct {
    const node_grid *grid;
    size_t nm;               /* coefficients of a point */
    size_t order_q, order_v; /* nodes of the polynomials */
    size_t bq, bl, bu;       /* blocks */
} bounds_shape;

/* Blocks of about four cells. */
bounds_shape bounds_shape_of(const node_grid *grid, size_t nm, size_t order_q, size_t order_v);
/* Number of blocks of one node: (NPOL, bq, bl + bu). */
size_t bounds_blocks(const bounds_shape *s);

/* All are shares of e^l, (NPOL, nq, nk) at points and (blocks) in blocks, where they are raised to
 * what is found, not set.  value and changed: fields (NPOL, nm, nq, nk) of the node. */

/* At points, e^l (1 + Sum r_m T_m) with |T_m| <= 1, where l changes by dl and each r_m: the sums of
 * |r_m| and of their changes. */
typedef struct {
    double *dl, *r, *dr;
} bounds_sums;
/* The largest change of I at any angle, of point i. */
double bounds_of_sums(const bounds_sums *s, size_t i);

/* The same where value becomes changed: point is set. */
void bounds_change(const bounds_shape *s, const double *value, const double *changed,
                   double *point);
/* Each block takes the largest of the points at the corners of its cells. */
void bounds_raise(const bounds_shape *s, const double *point, double *block);
/* Interpolation in q and in v, each in the middle of its cells, from polynomials through two nodes
 * more than the table's, or one less where the axis has no more: blocks are raised.  value: what
 * is interpolated and added to something; node: the sum, or again value.
 * Returns OK, E_NOMEM. */
cgct_status bounds_interpolate(const bounds_shape *s, const double *node, const double *value,
                               double *in_q, double *in_v, cgct_err *err);

enum { BOUNDS_ORDER_MAX = 32 };

/* The weights of the polynomial in u[n], which rises, in the middle of cell i as FORMAT.md 5 has
 * it, less those of the polynomial that leaves out its node farthest from there: w (n). */
void bounds_leave_out(size_t n, const double *u, size_t order, size_t i, double *w);
#endif
