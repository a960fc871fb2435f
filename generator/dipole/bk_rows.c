/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_rows.c: the sum over the angles of one radius as weights of S at the edges of cells. */
#include <math.h>
#include <string.h>

#include "dipole/bk_impl.h"

/* Adds the weights of the edges for w S(y) to row, which begins at edge `begin`: the polynomial in
 * barycentric form. */
static void add_to_row(const bk_grid *g, double y, double w, size_t begin, double *row)
{
    const size_t c = (size_t)y, first = g->edges[c];
    const double *edge = g->left + first, *rule = g->rule + c * BK_STENCIL;
    const double t = g->left[c] + (y - (double)c) * (g->left[c + 1] - g->left[c]);
    double share[BK_STENCIL], sum = 0;
#pragma omp simd
    for (int k = 0; k < BK_STENCIL; k++) {
        const double d = t - edge[k];
        share[k] = rule[k] / (d != 0 ? d : 1e-30);
    }
    for (int k = 0; k < BK_STENCIL; k++) sum += share[k];
    w /= sum;
    for (int k = 0; k < BK_STENCIL; k++) row[first - begin + (size_t)k] += w * share[k];
}

size_t bk_row_length(const bk_grid *g, const double *y, size_t n, size_t *begin)
{
    size_t low = (size_t)y[0], high = low;
    for (size_t i = 1; i < n; i++) {
        const size_t c = (size_t)y[i];
        if (c < low) low = c;
        if (c > high) high = c;
    }
    *begin = g->edges[low];
    const size_t length = g->edges[high] + BK_STENCIL - *begin;
    return (length + BK_LANES - 1) / BK_LANES * BK_LANES;
}

void bk_row_fill(const bk_grid *g, const double *y, const double *w, size_t n, size_t begin,
                 size_t length, double *row)
{
    memset(row, 0, length * sizeof *row);
    for (size_t i = 0; i < n; i++) add_to_row(g, y[i], w[i], begin, row);
}
