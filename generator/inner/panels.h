/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.h: an axis of lengths in panels with the same Chebyshev nodes each, for interpolation. */
#ifndef CGCT_INNER_PANELS_H
#define CGCT_INNER_PANELS_H
#include <stddef.h>

enum { PANELS_MAX = 127, PANELS_NODES_MAX = 12 };

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
/* c (nodes): what the nodes from the returned one on contribute at x, which counts as the last end
 * where it is beyond. */
size_t panels_weights(const chebyshev_panels *p, double x, double *c);
#endif
