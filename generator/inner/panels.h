/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.h: an axis of lengths in panels with the same Chebyshev nodes each, for interpolation;
 * evaluation in C and CUDA. */
#ifndef CGCT_INNER_PANELS_H
#define CGCT_INNER_PANELS_H
#include <math.h>

#include "numerics/grid.h"

enum { PANELS_MAX = 127, PANELS_NODES_MAX = 13 };

/* Panels between rising ends, with nodes in the logarithm; the first one is linear where it begins
 * at 0. */
typedef struct {
    size_t n, nodes;                                    /* nodes: of each panel */
    double end[PANELS_MAX + 1], node[PANELS_NODES_MAX]; /* node: in a panel, from 0 to 1 */
} chebyshev_panels;

/* Sets the nodes of each panel. */
void panels_nodes(chebyshev_panels *p, size_t nodes);
/* Divides at x, or adds a panel up to x; nothing where an end is within 1e-3 of x, or panels are
 * PANELS_MAX already. */
void panels_divide(chebyshev_panels *p, double x);
/* Node number `at` of the axis. */
double panels_at(const chebyshev_panels *p, size_t at);

/* The panel of x, which counts as an end where it is beyond. */
CGCT_INLINE size_t panels_panel(const chebyshev_panels *p, double x)
{
    return grid_cell_of(p->n + 1, p->end, x);
}

/* c (nodes): what the nodes from the returned one on contribute at x, likewise. */
CGCT_INLINE size_t panels_weights(const chebyshev_panels *p, double x, double *c)
{
    const size_t i = panels_panel(p, x);
    const double a = p->end[i], b = p->end[i + 1], y = x < a ? a : x > b ? b : x;
    const double u = a > 0 ? log(y / a) / log(b / a) : y / b;
    for (size_t k = 0; k < p->nodes; k++) c[k] = grid_cardinal(p->nodes, p->node, k, u);
    return i * p->nodes;
}
#endif
