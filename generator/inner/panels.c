/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.c: panels of an axis and their nodes. */
#include "inner/panels.h"

#include <string.h>

void panels_divide(chebyshev_panels *p, double x)
{
    size_t i = p->n + 1;
    while (p->end[i - 1] > x) i--;
    if (p->n == PANELS_MAX || x - p->end[i - 1] < 1e-3 * x) return;
    if (i <= p->n && p->end[i] - x < 1e-3 * x) return;
    memmove(p->end + i + 1, p->end + i, (p->n + 1 - i) * sizeof *p->end);
    p->end[i] = x;
    p->n++;
}

void panels_set_nodes(chebyshev_panels *p, const size_t *nodes)
{
    double *node = p->node;
    for (size_t n = 1; n <= PANELS_NODES_MAX; node += n, n++)
        for (size_t k = 0; k < n; k++)
            node[k] = pow(sin(M_PI * ((double)k + 0.5) / (2 * (double)n)), 2);
    p->first[0] = 0;
    for (size_t i = 0; i < p->n; i++) p->first[i + 1] = p->first[i] + nodes[i];
}
