/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_local.h: windows and cardinal functions of local polynomials on a rising grid, one inline
 * text for C and CUDA. */
#ifndef CGCT_GRID_LOCAL_H
#define CGCT_GRID_LOCAL_H
#include <stddef.h>

#include "numerics/pointwise.h"

/* c with grid[c] <= x < grid[c+1]; the first or the last cell where x is outside. */
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

/* First of the p nodes (p <= n) about x in cell c, centred where the grid allows. */
CGCT_INLINE size_t grid_window_in(size_t n, const double *grid, size_t c, double x, size_t p)
{
    size_t back = (p - 2) / 2 + (p & 1 && p > 2 && x - grid[c] < grid[c + 1] - x);
    size_t first = c > back ? c - back : 0;
    return first + p > n ? n - p : first;
}

CGCT_INLINE size_t grid_window_at(size_t n, const double *grid, double x, size_t p)
{
    return grid_window_in(n, grid, grid_cell_of(n, grid, x), x, p);
}

/* l_k(x) of p nodes: 1 at node k, 0 at the others; one division. */
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
