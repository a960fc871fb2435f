/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c: the nodes of radial grids and their Lagrange coefficients. */
#include "numerics/grid.h"

#include <math.h>

#include "numerics/memory.h"

static const size_t NODES_MAX = 200000; /* no grid of use is larger: a mistake in the input */

static cgct_status grid_allocate(size_t n, double last, double **x, cgct_err *err)
{
    if (n > NODES_MAX)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "grid up to %g needs %zu nodes, at most %zu; raise its spacing", last, n,
                         NODES_MAX);
    *x = memory_new(n, sizeof **x);
    return CGCT_OK;
}

static double grid_step_at(const grid_steps *g, double x)
{
    double far = fmax(1, x / g->turn);
    return fmin(g->spacing * hypot(x, g->scale), g->step * far * far);
}

cgct_status grid_graded(const grid_steps *g, double last, size_t *n, double **x, cgct_err *err)
{
    if (!(g->scale > 0 && g->spacing > 0 && g->step > 0 && g->turn > 0 && last > 0 &&
          isfinite(last)))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "grid to %g with scale %g, spacing %g, step %g: all must be positive",
                         last, g->scale, g->spacing, g->step);
    size_t count = 1;
    for (double v = 0; v < last && count <= NODES_MAX; count++) v += grid_step_at(g, v);
    CGCT_TRY(grid_allocate(count, last, x, err));
    *n = count;
    (*x)[0] = 0;
    for (size_t j = 1; j < count; j++) (*x)[j] = (*x)[j - 1] + grid_step_at(g, (*x)[j - 1]);
    return CGCT_OK;
}

cgct_status grid_power(grid_kind kind, size_t n, double last, double **x, cgct_err *err)
{
    if (n < 2) return cgct_fail(err, CGCT_E_CONFIG, "grid of %zu nodes; at least 2 are needed", n);
    if (!(last > 0 && isfinite(last)))
        return cgct_fail(err, CGCT_E_DOMAIN, "grid up to %g; its end must be positive", last);
    CGCT_TRY(grid_allocate(n, last, x, err));
    for (size_t j = 0; j < n; j++) {
        double u = (double)j / (double)(n - 1);
        (*x)[j] = last * (kind == GRID_QUADRATIC ? u * u : u);
    }
    return CGCT_OK;
}

void grid_lagrange(size_t p, const double *grid, double x, double *c)
{
    for (size_t k = 0; k < p; k++) c[k] = grid_cardinal(p, grid, k, x);
}

size_t grid_weights(size_t n, const double *grid, double x, size_t p, double *c)
{
    const size_t first = grid_window(n, grid, x, p);
    grid_lagrange(p, grid + first, x, c);
    return first;
}

double grid_interpolate(size_t n, const double *grid, const double *f, double x, size_t p)
{
    double c[GRID_MOST], sum = 0;
    if (p > n) p = n;
    const size_t first = grid_weights(n, grid, x, p, c);
    for (size_t i = 0; i < p; i++) sum += c[i] * f[first + i];
    return sum;
}
