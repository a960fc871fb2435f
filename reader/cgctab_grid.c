/* SPDX-License-Identifier: MIT */
/* Axes: range, cell, and the weights of FORMAT.md section 5 along one axis. */
#include <math.h>

#include "cgctab_internal.h"
#include "../format/elementary.h"

/* An argument this close beyond an end is that end: decimal input seldom hits a grid value exactly.
 */
#define END_TOLERANCE 1e-12

size_t cgct_grid_cells(const cgct_grid *g)
{
    return g->n > 1 ? g->n - 1 : 1;
}

void cgct_stencil_at(const cgct_grid *g, size_t cell, cgct_stencil *s)
{
    size_t n = g->order < g->n ? g->order : g->n, back = (n - 1) / 2;
    size_t start = cell > back ? cell - back : 0;
    s->cell = cell;
    s->nl = g->n > 1 ? 2 : 1;
    s->n = n;
    s->first = start < g->n - n ? start : g->n - n;
}

size_t cgct_grid_size(size_t n, size_t order)
{
    return n + n * (order + 1);
}

void cgct_grid_init(cgct_grid *g, const char *name, size_t n, size_t order, const double *v,
                    double *storage)
{
    double *ln = storage, *inverse = storage + n;
    const cgct_grid filled = {name, n, order, v, ln, inverse, 0};
    *g = filled;
    for (size_t i = 0; i < n; i++) ln[i] = cgct_ln(v[i]);
    if (n > 1) g->per_step = (double)(n - 1) / (ln[n - 1] - ln[0]);
    for (size_t cell = 0; cell < cgct_grid_cells(g); cell++) {
        cgct_stencil s;
        cgct_stencil_at(g, cell, &s);
        for (size_t i = s.first; i < s.first + s.n; i++) {
            double product = 1;
            for (size_t j = s.first; j < s.first + s.n; j++)
                if (j != i) product *= ln[i] - ln[j];
            inverse[cell * (order + 1) + i - s.first] = 1 / product;
        }
        if (n > 1) inverse[cell * (order + 1) + order] = 1 / (ln[cell + 1] - ln[cell]);
    }
}

cgct_status cgct_into_range(const cgct_grid *g, double *value, int freeze, cgct_err *err)
{
    double v = *value, lo = g->v[0], hi = g->v[g->n - 1];
    if (v >= lo && v <= hi) return CGCT_OK;
    if (!(v > 0 && isfinite(v)))
        return cgct_fail(err, CGCT_E_DOMAIN, "%s = %g, want a finite number > 0", g->name, v);
    if (v < lo && (freeze || lo - v <= END_TOLERANCE * lo)) v = lo;
    if (v > hi && (freeze || v - hi <= END_TOLERANCE * hi)) v = hi;
    if (v < lo || v > hi)
        return cgct_fail(err, CGCT_E_RANGE,
                         "%s = %.15g outside the table, %g to %g; policy freeze would take the end",
                         g->name, v, lo, hi);
    *value = v;
    return CGCT_OK;
}

/* Largest i <= n-2 with ln[i] <= u; the guess is exact on geometric axes but for rounding. */
static size_t cell_of_ln(const cgct_grid *g, double u)
{
    if (g->n < 3) return 0;
    size_t last = g->n - 2, lo = 0, hi = g->n - 1;
    double guess = (u - g->ln[0]) * g->per_step;
    size_t i = guess > 0 ? (size_t)guess : 0;
    if (i > last) i = last;
    if (g->ln[i] <= u && (i == last || g->ln[i + 1] > u)) return i;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (g->ln[mid] <= u)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static void lagrange(const double *ln, const double *inverse, size_t n, double u, double *w)
{
    double before = 1, after = 1;
    for (size_t i = 0; i < n; i++) {
        w[i] = before * inverse[i];
        before *= u - ln[i];
    }
    for (size_t i = n; i-- > 0;) {
        w[i] *= after;
        after *= u - ln[i];
    }
}

/* The same for four nodes, in fewer steps that wait for each other. */
static void lagrange4(const double *ln, const double *inverse, double u, double *w)
{
    double a = u - ln[0], b = u - ln[1], c = u - ln[2], d = u - ln[3], ab = a * b, cd = c * d;
    w[0] = inverse[0] * b * cd;
    w[1] = inverse[1] * a * cd;
    w[2] = inverse[2] * d * ab;
    w[3] = inverse[3] * c * ab;
}

/* At a node its weight is exactly 1 and the others are 0. */
size_t cgct_cell_at(const cgct_grid *g, double u, double l[2])
{
    size_t cell = cell_of_ln(g, u);
    l[0] = 1;
    l[1] = 0;
    if (g->n == 1 || u == g->ln[cell]) return cell;
    if (u == g->ln[cell + 1]) {
        l[0] = 0;
        l[1] = 1;
    } else {
        double inverse = g->inverse[cell * (g->order + 1) + g->order];
        l[0] = (g->ln[cell + 1] - u) * inverse;
        l[1] = (u - g->ln[cell]) * inverse;
    }
    return cell;
}

void cgct_locate(const cgct_grid *g, double u, cgct_stencil *s)
{
    double l[2];
    cgct_stencil_at(g, cgct_cell_at(g, u, l), s);
    for (size_t i = 0; i < s->nl; i++) s->l[i] = l[i];
    if (l[0] == 0 || l[1] == 0) {
        size_t node = s->cell + (l[0] == 0);
        for (size_t i = 0; i < s->n; i++) s->w[i] = s->first + i == node;
    } else {
        const double *inverse = g->inverse + s->cell * (g->order + 1);
        if (s->n == 4)
            lagrange4(g->ln + s->first, inverse, u, s->w);
        else
            lagrange(g->ln + s->first, inverse, s->n, u, s->w);
    }
}

void cgct_stencil_from(const cgct_grid *g, size_t first, cgct_stencil *s)
{
    const double *ln = g->ln + first;
    double u = g->ln[s->cell] + s->l[s->nl - 1] * (g->ln[s->cell + s->nl - 1] - g->ln[s->cell]);
    s->first = first;
    for (size_t i = 0; i < s->n; i++) {
        s->w[i] = 1;
        for (size_t j = 0; j < s->n; j++)
            if (j != i) s->w[i] *= (u - ln[j]) / (ln[i] - ln[j]);
    }
}
