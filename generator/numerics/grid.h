/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h: rising grids in a radius or momentum, and local polynomial (Lagrange) interpolation on
 * them.  The inline functions are shared by C and CUDA. */
#ifndef CGCT_GRID_H
#define CGCT_GRID_H
#include <stddef.h>

#include "format/error.h"
#include "numerics/pointwise.h"

/* Strictly rising values.  panels > 0: they are Chebyshev nodes of so many panels with equally many
 * nodes, neighbours sharing one (format/lists.h).  Polynomials are in grid_variable of the values,
 * with this from.  text: as it was written. */
typedef struct {
    size_t n;
    double *v;
    size_t panels;
    double from;
    const char *text;
} grid_axis;

/* ln v, or -ln ln(from/v) where from > 0; both rise (FORMAT.md 5). */
static inline double grid_variable(double from, double v)
{
    return from > 0 ? -log(log(from / v)) : log(v);
}

/* The number of panels, 1 for a list that is not made of panels, and of nodes in each. */
static inline size_t grid_axis_panels(const grid_axis *a, size_t *nodes)
{
    size_t panels = a->panels ? a->panels : 1;
    *nodes = (a->n - 1) / panels + 1;
    return panels;
}

typedef enum { GRID_UNIFORM, GRID_QUADRATIC } grid_kind;

/* The step at x is min(spacing sqrt(x^2 + scale^2), step max(1, x/turn)^2): uniform below scale,
 * then geometric, uniform again where the functions have an absolute scale, and geometric beyond
 * turn. */
typedef struct {
    double scale, spacing, step, turn;
} grid_steps;

/* Nodes x_0 = 0, x_1, .. up to the first x_j >= last, with the steps above.
 * Out      *n nodes in *x, which the caller frees.
 * Returns  OK, E_DOMAIN (an argument that is not positive), E_CONFIG (too many nodes) */
cgct_status grid_graded(const grid_steps *g, double last, size_t *n, double **x, cgct_err *err);
/* n nodes from 0 to last: last j/(n-1) (GRID_UNIFORM) or last (j/(n-1))^2 (GRID_QUADRATIC, the
 * paper's grid).  Out and errors as above; n < 2 is E_CONFIG. */
cgct_status grid_power(grid_kind kind, size_t n, double last, double **x, cgct_err *err);

/* The Lagrange coefficients c[p] of the nodes grid[0..p-1] at x: f(x) ~ sum_k c[k] f(grid[k]). */
void grid_lagrange(size_t p, const double *grid, double x, double *c);
/* The same of the p nodes of grid[n] around x, grid_window, whose first is returned. */
size_t grid_weights(size_t n, const double *grid, double x, size_t p, double *c);
/* f(x) through p <= GRID_MOST nodes around x, or through all where there are fewer. */
enum { GRID_MOST = 16 };
double grid_interpolate(size_t n, const double *grid, const double *f, double x, size_t p);

/* The cell c with grid[c] <= x < grid[c+1]; the first or the last cell where x is outside. */
CGCT_INLINE size_t grid_cell_of(size_t n, const double *grid, double x)
{
    size_t lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (grid[mid] <= x)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The first of the p nodes (2 <= p <= n) around x, which lies in cell c; the window of nodes is
 * centred on x as far as the ends of the grid allow. */
CGCT_INLINE size_t grid_window_in(size_t n, const double *grid, size_t c, double x, size_t p)
{
    size_t back = (p - 2) / 2 + (p & 1 && p > 2 && x - grid[c] < grid[c + 1] - x);
    size_t first = c > back ? c - back : 0;
    return first + p > n ? n - p : first;
}

CGCT_INLINE size_t grid_window(size_t n, const double *grid, double x, size_t p)
{
    return grid_window_in(n, grid, grid_cell_of(n, grid, x), x, p);
}

/* The k-th cardinal function of p nodes at x, 1 at node k and 0 at the others; one division. */
CGCT_INLINE double grid_cardinal(size_t p, const double *node, size_t k, double x)
{
    double above = 1, below = 1;
    for (size_t l = 0; l < p; l++) {
        above *= l == k ? 1 : x - node[l];
        below *= l == k ? 1 : node[k] - node[l];
    }
    return above / below;
}
#endif
