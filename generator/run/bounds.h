/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.h: how far a table is off at and around one of its nodes (x, eps), for the blocks of
 * FORMAT.md 8: from what is known at the node, and from interpolation, which two polynomials
 * estimate that differ in the number of nodes they go through. */
#ifndef CGCT_RUN_BOUNDS_H
#define CGCT_RUN_BOUNDS_H
#include "node/node.h"
#include "numerics/grid.h"

/* What the blocks of a table depend on. */
typedef struct {
    const node_grid *grid;
    size_t nm;               /* coefficients of a point */
    int either_sign;         /* of the fields (node.h) */
    size_t order_q, order_v; /* nodes of the polynomials */
    size_t bq, bl, bu;       /* blocks */
} bounds_shape;

/* Blocks of about two cells along each axis. */
bounds_shape bounds_shape_of(const node_grid *grid, size_t nm, int either_sign, size_t order_q,
                             size_t order_v);
/* Number of blocks of one node: (NPOL, bq, bl + bu). */
size_t bounds_blocks(const bounds_shape *s);

/* Errors are the numbers c of node_bound_unit, (NPOL, nq, nk) at points and (blocks) in blocks,
 * where they are raised to what is found, not set. */

/* Fields of points, l, r_1, r_2, ...: rows that are `apart` apart. */
typedef struct {
    const double *f;
    size_t apart;
} bounds_fields;
/* c (count, n) of n points whose fields change from value to each of changed[count]; its rows are
 * `apart` apart. */
void bounds_of_changes(const bounds_shape *s, size_t n, bounds_fields value, size_t count,
                       const bounds_fields *changed, double *c, size_t apart);
/* The same for all points of a node, fields (NPOL, nm, nq, nk). */
void bounds_change(const bounds_shape *s, const double *value, const double *changed,
                   double *point);
/* Each block takes the largest of the points at the corners of its cells. */
void bounds_raise(const bounds_shape *s, const double *point, double *block);
/* Interpolation in q and in v, each in the middle of its cells, from polynomials through two nodes
 * more than the table's, or one less where the axis has no more: blocks are raised.  value: what
 * is interpolated and added to something; node: the sum, or again value. */
void bounds_interpolate(const bounds_shape *s, const double *node, const double *value,
                        double *in_q, double *in_v);

/* The larger one; NaN where one of them is. */
static inline double bounds_larger(double a, double b)
{
    return a <= b || b != b ? b : a;
}

enum { BOUNDS_ORDER_MAX = 32 };

/* The weights of the polynomial in u[n], which rises, in the middle of cell i as FORMAT.md 5 has
 * it, less those of the polynomial that leaves out its node farthest from there: w (n). */
void bounds_leave_out(size_t n, const double *u, size_t order, size_t i, double *w);

/* The root of the sum of squares of the weights of the polynomials in u[n], the largest in the
 * middle of a cell, at least 1: independent changes of the values add up to so many times one. */
double bounds_weight(size_t n, const double *u, size_t order);

/* Whether coarse node i, of n, lies around a place between nodes `at` and at + 1 of the table's nt,
 * the last of which stands alone: the bound of a place is the larger one of the nodes beside it. */
int bounds_is_around(const grid_axis *coarse, size_t n, size_t i, const grid_axis *table, size_t nt,
                     size_t at);
#endif
