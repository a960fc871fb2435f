/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c: the functions of one variable that a table of a proton's dijets holds. */
#include "run/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "numerics/memory.h"
#include "run/bounds.h"

cgct_status functions_compute(const run_job *j, const dipole_source *source, double x, uint8_t *to,
                              cgct_err *err)
{
    const forward_table t = run_job_functions(j);
    const size_t parts = dipole_source_parts(source), n = parts * FORWARD_BLOCK;
    double *value = memory_new(3 * n, sizeof *value);
    double *changed = value + n, *sum = changed + n;
    cgct_status st = forward_table_fill(source, x, &t, value, err);
    memset(sum, 0, n * sizeof *sum);
    for (size_t c = 0; c < j->nchange && !j->change[c].member && st == CGCT_OK; c++) {
        st = forward_table_fill(j->change[c].source, x, &t, changed, err);
        for (size_t i = 0; i < n && st == CGCT_OK; i++)
            sum[i] = hypot(sum[i], j->change[c].weight * (changed[i] - value[i]));
    }
    for (size_t i = 0; i < 3 * parts && st == CGCT_OK; i++) {
        const double *of = sum + i / 3 * FORWARD_BLOCK + 4 + i % 3 * FORWARD_NODES;
        double most = 0;
        for (size_t l = 0; l < FORWARD_NODES; l++) most = fmax(most, of[l]);
        value[i / 3 * FORWARD_BLOCK + 1 + i % 3] += most;
    }
    for (size_t i = 0; i < n && st == CGCT_OK; i++) cgct_put_f64(to + 8 * i, value[i]);
    free(value);
    return st;
}

void functions_interpolate(const run_job *j, size_t parts, double *f)
{
    const grid_axis *x = &j->settings->x;
    const size_t row = parts * FORWARD_BLOCK, order = run_order(x, j->settings->order_x);
    size_t n;
    grid_axis_panels(x, &n);
    double *u = memory_new(2 * n + 3 * parts * j->nx, sizeof *u);
    double *w = u + n, *known = w + n;
    for (size_t i = 0; i < 3 * parts * j->nx; i++) known[i] = f[i / 3 * FORWARD_BLOCK + 1 + i % 3];
    for (size_t cell = 0; cell + 1 < j->nx; cell++) {
        const size_t first = cell / (n - 1) * (n - 1);
        for (size_t i = 0; i < n; i++) u[i] = grid_variable(x->from, x->v[first + i]);
        bounds_leave_out(n, u, order, cell - first, w);
        for (size_t i = 0; i < 3 * parts; i++) {
            const size_t at = i / 3 * FORWARD_BLOCK, from = at + 4 + i % 3 * FORWARD_NODES;
            double most = 0;
            for (size_t l = from; l < from + FORWARD_NODES; l++) {
                double off = 0;
                for (size_t k = 0; k < n; k++) off += w[k] * f[(first + k) * row + l];
                most = fmax(most, fabs(off));
            }
            for (size_t end = cell; end < cell + 2; end++) {
                double *error = &f[end * row + at + 1 + i % 3];
                *error = fmax(*error, known[end * 3 * parts + i] + most);
            }
        }
    }
    free(u);
}
