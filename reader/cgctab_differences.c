/* SPDX-License-Identifier: MIT */
/* Divided differences that represent the local polynomials along one axis (Everett's formula). */
#include <math.h>

#include "cgctab_everett.h"

/* Weight of node m in the divided difference over nodes lo..hi. */
static double divided(const double *u, size_t lo, size_t hi, size_t m)
{
    double product = 1;
    for (size_t j = lo; j <= hi; j++)
        if (j != m) product *= u[m] - u[j];
    return 1 / product;
}

/* What the difference of order 2 level about a node is multiplied by in the middle of a cell,
 * beside (u - u_i)(u - u_{i+1}). */
static double factor(const cgct_grid *g, size_t cell, size_t level)
{
    const double *u = g->ln, middle = 0.5 * (u[cell] + u[cell + 1]);
    double product = 1;
    for (size_t k = 2; k <= level; k++)
        product *= (middle - u[cell + 1 - k]) * (middle - u[cell + k]);
    return product;
}

/* A node with `levels` neighbours on both sides.  Higher differences change the second one by what
 * they are multiplied by in the middle of the cells beside it (Comrie's throwback): of the fourth
 * differences 3 to 6% are left out in even steps. */
static void inner_node(const cgct_grid *g, size_t i, size_t levels, cgct_difference *d)
{
    d->first = i - levels;
    d->n = 2 * levels + 1;
    for (size_t level = 1; level <= levels; level++) {
        double mean = 0.5 * (factor(g, i - 1, level) + factor(g, i, level));
        for (size_t m = i - level; m <= i + level; m++)
            d->w[m - d->first] += mean * divided(g->ln, i - level, i + level, m);
    }
}

/* A node near an end: with that of its neighbour further in, the difference gives the polynomial in
 * the middle of the cell between them. */
static void outer_node(const cgct_grid *g, size_t i, size_t inner, const double *tau,
                       cgct_difference *d)
{
    size_t cell = i < inner ? i : inner;
    double u = 0.5 * (g->ln[cell] + g->ln[cell + 1]);
    double between = (u - g->ln[cell]) * (u - g->ln[cell + 1]);
    double upper = (u - tau[2 * cell]) * tau[2 * cell + 1];
    double own = i < inner ? 1 - upper : upper;
    cgct_stencil s;
    cgct_locate(g, u, &s);
    d[i].first = s.first;
    d[i].n = s.n;
    if (own == 0) return; /* three nodes at the upper end: it has no part */
    for (size_t j = 0; j < s.n; j++) {
        size_t corner = s.first + j - cell; /* wraps below the cell */
        d[i].w[j] = (s.w[j] - (corner < 2 ? s.l[corner] : 0)) / (between * own);
    }
    for (size_t j = 0; j < d[inner].n; j++)
        d[i].w[d[inner].first + j - s.first] -= (1 - own) / own * d[inner].w[j];
}

/* Of the line through the differences about two nodes; at the ends of the axis it is extended. */
static void line_of(const cgct_grid *g, size_t cell, double tau[2])
{
    const double *u = g->ln;
    size_t last = g->n - 2, first = cell > 0 ? cell - 1 : 0;
    size_t order = g->order < g->n ? g->order : g->n;
    tau[0] = tau[1] = 0;
    if (order < 4) return;
    if (cell == last) first = last - 2;
    tau[1] = 1 / (u[first + 3] - u[first]);
    tau[0] = cell == 0 ? u[2] - (u[3] - u[0]) : u[cell - 1];
}

/* Sum of the sizes of what the polynomial weighs nodes with at t = 0..1 in a cell, less the
 * straight line and, unless that is left out (NULL), the differences. */
static double weights_left(const cgct_grid *g, size_t cell, double t, const cgct_difference *d,
                           const double tau[2])
{
    const double lo = g->ln[cell], hi = g->ln[cell + 1], u = lo + t * (hi - lo);
    const double between = (u - lo) * (u - hi), upper = (u - tau[0]) * tau[1];
    const double part[2] = {between * (1 - upper), between * upper};
    double left[3 * CGCT_ORDER_MAX] = {0}, sum = 0;
    size_t base = cell > CGCT_ORDER_MAX ? cell - CGCT_ORDER_MAX : 0;
    cgct_stencil s;
    cgct_locate(g, u, &s);
    for (size_t j = 0; j < s.n; j++) left[s.first + j - base] = s.w[j];
    for (size_t i = 0; i < 2; i++) {
        left[cell + i - base] -= s.l[i];
        for (size_t j = 0; d && j < d[cell + i].n; j++)
            left[d[cell + i].first + j - base] -= part[i] * d[cell + i].w[j];
    }
    for (size_t i = 0; i < 3 * CGCT_ORDER_MAX; i++) sum += left[i] < 0 ? -left[i] : left[i];
    return sum;
}

/* Differences represent the polynomial up to a fraction of its curvature, or of the effect of
 * noise. */
static int fits(const cgct_grid *g, size_t cell, const cgct_difference *d, const double tau[2])
{
    for (int i = 1; i < 4; i++) {
        double all = weights_left(g, cell, 0.25 * i, NULL, tau);
        if (!(weights_left(g, cell, 0.25 * i, d, tau) <= fmax(0.2 * all, 0.5))) return 0;
    }
    return 1;
}

void cgct_differences(const cgct_grid *g, cgct_difference *d, double *tau)
{
    size_t n = g->n, order = g->order < n ? g->order : n, levels = (order - 1) / 2;
    memset(d, 0, n * sizeof *d);
    for (size_t cell = 0; cell + 1 < n; cell++) line_of(g, cell, tau + 2 * cell);
    if (levels == 0) return;
    for (size_t i = levels; i + levels < n; i++) inner_node(g, i, levels, &d[i]);
    for (size_t i = levels; i-- > 0;) {
        outer_node(g, i, i + 1, tau, d);
        outer_node(g, n - 1 - i, n - 2 - i, tau, d);
    }
    for (size_t cell = 0; cell + 1 < n; cell++)
        if (!fits(g, cell, d, tau + 2 * cell)) d[cell].unfit = d[cell + 1].unfit = 1;
}
