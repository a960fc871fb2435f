/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h: rising radial grids and local polynomial interpolation on them; knows no physics. */
#ifndef CGCT_GRID_H
#define CGCT_GRID_H
#include <stddef.h>

#include "format/error.h"

/* Strictly rising values. */
typedef struct {
    size_t n;
    double *v;
} grid_axis;

typedef enum { GRID_GRADED, GRID_UNIFORM, GRID_QUADRATIC } grid_kind;

/* Step at x: min(spacing sqrt(x^2 + scale^2), step max(1, x/turn)^2): uniform below scale, then
 * geometric, uniform again where the functions have an absolute scale, geometric in the tail. */
typedef struct {
    double scale, spacing, step, turn;
} grid_steps;

/* Nodes from 0 until x_j >= last.  Allocates *x (caller frees). */
cgct_status grid_graded(const grid_steps *g, double last, size_t *n, double **x, cgct_err *err);
/* n nodes from 0 to last: last j/(n-1) (uniform) or last (j/(n-1))^2 (quadratic, the paper's). */
cgct_status grid_power(grid_kind kind, size_t n, double last, double **x, cgct_err *err);

/* First index of the window of p nodes around x (p <= n), centred where the grid allows. */
size_t grid_window(size_t n, const double *grid, double x, size_t p);
/* Lagrange coefficients c[p] of the nodes grid[0..p-1] at x. */
void grid_lagrange(size_t p, const double *grid, double x, double *c);
#endif
