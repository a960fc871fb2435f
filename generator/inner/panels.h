/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.h: an axis of lengths for interpolation, in C and CUDA: panels between rising ends, with
 * Chebyshev nodes in the logarithm, as many in each panel as it needs. */
#ifndef CGCT_INNER_PANELS_H
#define CGCT_INNER_PANELS_H
#include <math.h>
#include <stddef.h>

#include "numerics/grid.h"

enum { PANELS_MAX = 127, PANELS_NODES_MAX = 27 };

/* The first panel is linear where it begins at 0. */
typedef struct {
    size_t n;
    double end[PANELS_MAX + 1];
    size_t first[PANELS_MAX + 1]; /* nodes before each panel, and of all */
    double node[PANELS_NODES_MAX * (PANELS_NODES_MAX + 1) / 2]; /* sets of 1, 2, .., from 0 to 1 */
} chebyshev_panels;

/* Divides at x, or adds a panel up to x; nothing where an end is within 1e-3 of x, or panels are
 * PANELS_MAX already. */
void panels_divide(chebyshev_panels *p, double x);
/* nodes (n): of each panel, 1 to PANELS_NODES_MAX. */
void panels_set_nodes(chebyshev_panels *p, const size_t *nodes);

CGCT_INLINE size_t panels_nodes(const chebyshev_panels *p, size_t panel)
{
    return p->first[panel + 1] - p->first[panel];
}

/* The n Chebyshev nodes from 0 to 1. */
CGCT_INLINE const double *panels_set(const chebyshev_panels *p, size_t n)
{
    return p->node + n * (n - 1) / 2;
}

/* Node number k of a panel. */
CGCT_INLINE double panels_at(const chebyshev_panels *p, size_t panel, size_t k)
{
    const double a = p->end[panel], b = p->end[panel + 1];
    const double u = panels_set(p, panels_nodes(p, panel))[k];
    return a > 0 ? a * pow(b / a, u) : u * b;
}

/* The panel of x, which counts as an end where it is beyond. */
CGCT_INLINE size_t panels_panel(const chebyshev_panels *p, double x)
{
    return grid_cell_of(p->n + 1, p->end, x);
}

/* c (*n): what the nodes from the returned one on contribute at x, likewise. */
CGCT_INLINE size_t panels_weights(const chebyshev_panels *p, double x, double *c, size_t *n)
{
    const size_t i = panels_panel(p, x);
    const double a = p->end[i], b = p->end[i + 1], y = x < a ? a : x > b ? b : x;
    const double u = a > 0 ? log(y / a) / log(b / a) : y / b;
    *n = panels_nodes(p, i);
    const double *node = panels_set(p, *n);
    for (size_t k = 0; k < *n; k++) c[k] = grid_cardinal(*n, node, k, u);
    return p->first[i];
}
#endif
