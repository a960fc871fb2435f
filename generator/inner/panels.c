/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chebyshev panels: their ends and nodes. */
#include "inner/panels.h"

#include <math.h>
#include <string.h>

void panels_nodes(chebyshev_panels *p, size_t nodes)
{
    p->nodes = nodes;
    for (size_t k = 0; k < nodes; k++)
        p->node[k] = pow(sin(M_PI * ((double)k + 0.5) / (2 * (double)nodes)), 2);
}

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

double panels_at(const chebyshev_panels *p, size_t at)
{
    const double a = p->end[at / p->nodes], b = p->end[at / p->nodes + 1];
    const double u = p->node[at % p->nodes];
    return a > 0 ? a * pow(b / a, u) : u * b;
}
