/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_grid.c: the grid in ln r on which the BK equation is solved, and interpolation on it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"

/* Spacings of ln r at refine = 1: for smooth Gamma; at the two sides of a kink and how fast they
 * grow away from it; at the transition of a smooth freeze (whose nearest complex singularity lies
 * pi c/2 away in ln r) and how fast. */
#define SPACING 0.2
#define KINK_SPACING 2e-3
#define KINK_GROWTH 0.16
#define TRANSITION_SPACING 0.0245
#define TRANSITION_GROWTH 0.054
/* Where S is small, ln S bends over a few units of Gamma soon after Y = 0, for S is then a sum of
 * terms with different powers of S(0): SPACING/(1 + Gamma/GAMMA_BEND) with Gamma at Y = 0. */
#define GAMMA_BEND 2.0
#define SPACING_MIN 0.02
/* Widest cell of the table: degree 5 in Gamma ~ r^2 is then good to 1e-12. */
#define CELL 0.05
/* The table goes on beyond the nodes by these lengths in ln r. */
#define BELOW 20.0
#define ABOVE 1.0
#define EXTENSION_CELL 0.1
/* Nodes whose distances enter the continuation to small r: a parabola in ln r. */
#define EXTENSION_STRIDE 4

/* Places in u of the samples of a cell: Chebyshev-Lobatto points. */
static double sample_place(int i)
{
    return 0.5 * (1 - cos(3.14159265358979323846 * i / BK_DEGREE));
}

static double spacing_at(const bk_grid_opts *o, double t)
{
    const double Gamma = exp(o->start->lnGamma(o->start, t));
    double h = fmax(SPACING / (1 + Gamma / GAMMA_BEND), SPACING_MIN);
    if (isfinite(o->alpha->kink))
        for (int k = 0; k < 2; k++) {
            const double d = fabs(t - log(o->alpha->kink) - k * log(2));
            h = fmin(h, (k ? 4 : 1) * KINK_SPACING + KINK_GROWTH * d);
        }
    if (isfinite(o->alpha->transition))
        h = fmin(h, TRANSITION_SPACING + TRANSITION_GROWTH * fabs(t - log(o->alpha->transition)));
    return h / o->refine;
}

/* Nodes from a to b, both included, with the spacing wanted; t = NULL: their number only. */
static size_t fill_segment(const bk_grid_opts *o, double a, double b, double *t)
{
    enum { FINE = 20000 };
    const double dt = (b - a) / FINE;
    double total = 0;
    for (int i = 0; i < FINE; i++) total += dt / spacing_at(o, a + (i + 0.5) * dt);
    const size_t cells = (size_t)fmax(ceil(total), BK_STENCIL);
    if (!t) return cells + 1;
    double sum = 0;
    size_t j = 0;
    t[0] = a;
    for (int i = 0; i < FINE; i++) {
        const double step = dt / spacing_at(o, a + (i + 0.5) * dt) / total * (double)cells;
        while (j + 1 < cells && sum + step >= (double)(j + 1)) {
            j++;
            t[j] = a + (i + ((double)j - sum) / step) * dt;
        }
        sum += step;
    }
    t[cells] = b;
    return cells + 1;
}

static cgct_status place_nodes(bk_grid *g, const bk_grid_opts *o, cgct_err *err)
{
    double cut[BK_SEGMENTS + 1] = {o->tmin};
    const double kink = log(o->alpha->kink);
    g->nseg = 0;
    for (int k = 0; k < 2; k++)
        if (kink + k * log(2) > o->tmin + 1 && kink + k * log(2) < o->tmax - 0.1)
            cut[++g->nseg] = kink + k * log(2);
    cut[++g->nseg] = o->tmax;
    size_t n = 1;
    for (size_t s = 0; s < g->nseg; s++) n += fill_segment(o, cut[s], cut[s + 1], NULL) - 1;
    g->n = n;
    g->t = malloc(n * sizeof *g->t);
    if (!g->t) return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory for %zu nodes", n);
    for (size_t s = 0; s < g->nseg; s++)
        g->edge[s + 1] = g->edge[s] + fill_segment(o, cut[s], cut[s + 1], g->t + g->edge[s]) - 1;
    return CGCT_OK;
}

/* Lagrange weights at t of the nodes first, first + stride, .., count of them, into w. */
static void bk_lagrange(const double *node, size_t count, size_t stride, double t, double *w)
{
    for (size_t i = 0; i < count; i++) {
        w[i * stride] = 1;
        for (size_t k = 0; k < count; k++)
            if (k != i)
                w[i * stride] *= (t - node[k * stride]) / (node[i * stride] - node[k * stride]);
    }
}

/* Cells that a node begins, and the stencil of that interval. */
static size_t interval_stencil(const bk_grid *g, size_t j)
{
    size_t s = 0;
    while (s + 1 < g->nseg && j >= g->edge[s + 1]) s++;
    const size_t lo = g->edge[s], hi = g->edge[s + 1];
    size_t first = j < lo + BK_STENCIL / 2 - 1 ? lo : j - (BK_STENCIL / 2 - 1);
    if (first + BK_STENCIL - 1 > hi) first = hi - (BK_STENCIL - 1);
    return first;
}

size_t bk_grid_weights(const bk_grid *g, double t, double w[BK_STENCIL])
{
    memset(w, 0, BK_STENCIL * sizeof *w);
    if (t < g->t[0]) {
        bk_lagrange(g->t, 3, EXTENSION_STRIDE, t, w);
        return 0;
    }
    if (t >= g->t[g->n - 1]) {
        const size_t first = g->n - BK_STENCIL;
        bk_lagrange(g->t + g->n - 3, 2, 2, t, w + BK_STENCIL - 3);
        return first;
    }
    size_t lo = 0, hi = g->n - 1; /* t[lo] <= t < t[hi] */
    while (hi - lo > 1) {
        const size_t mid = (lo + hi) / 2;
        if (t < g->t[mid])
            hi = mid;
        else
            lo = mid;
    }
    const size_t first = interval_stencil(g, lo);
    bk_lagrange(g->t + first, BK_STENCIL, 1, t, w);
    return first;
}

/* Edges of cells: the extension below, each interval of nodes in equal parts, the extension above;
 * left = NULL: their number only. */
static size_t fill_edges(const bk_grid *g, double *left)
{
    const size_t below = (size_t)(BELOW / EXTENSION_CELL), above = (size_t)(ABOVE / EXTENSION_CELL);
    size_t c = 0;
    for (size_t i = 0; i < below; i++, c++)
        if (left) left[c] = g->t[0] - (double)(below - i) * EXTENSION_CELL;
    for (size_t j = 0; j + 1 < g->n; j++) {
        const double h = g->t[j + 1] - g->t[j];
        const size_t parts = (size_t)ceil(h / CELL);
        for (size_t i = 0; i < parts; i++, c++)
            if (left) left[c] = g->t[j] + h * (double)i / (double)parts;
    }
    for (size_t i = 0; i <= above; i++, c++)
        if (left) left[c] = g->t[g->n - 1] + (double)i * EXTENSION_CELL;
    return c - 1;
}

/* A sample at the right end of an interval takes the stencil of that interval, not of the next. */
static void bk_fill_cell(bk_grid *g, size_t c)
{
    const double a = g->left[c], h = g->left[c + 1] - a;
    for (int i = 0; i <= BK_DEGREE; i++) {
        double *w = g->weight + (c * (BK_DEGREE + 1) + (size_t)i) * BK_STENCIL;
        const double t = a + h * sample_place(i);
        if (i == 0) g->first[c] = bk_grid_weights(g, a + 0.5 * h, w);
        if (a + 0.5 * h < g->t[0] || a + 0.5 * h > g->t[g->n - 1]) {
            bk_grid_weights(
                g, a + 0.5 * h < g->t[0] ? fmin(t, g->t[0] - 1e-12 * h) : fmax(t, g->t[g->n - 1]),
                w);
        } else {
            bk_lagrange(g->t + g->first[c], BK_STENCIL, 1, t, w);
        }
    }
}

cgct_status bk_grid_init(bk_grid *g, const bk_grid_opts *o, cgct_err *err)
{
    *g = (bk_grid){0};
    CGCT_TRY(place_nodes(g, o, err));
    g->ncell = fill_edges(g, NULL);
    g->left = malloc((g->ncell + 1) * sizeof *g->left);
    g->first = malloc(g->ncell * sizeof *g->first);
    g->weight = malloc(g->ncell * (BK_DEGREE + 1) * BK_STENCIL * sizeof *g->weight);
    if (!g->left || !g->first || !g->weight)
        return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory for %zu cells", g->ncell);
    fill_edges(g, g->left);
    for (size_t c = 0; c < g->ncell; c++) bk_fill_cell(g, c);
    return CGCT_OK;
}

void bk_grid_free(bk_grid *g)
{
    free(g->t);
    free(g->left);
    free(g->first);
    free(g->weight);
    *g = (bk_grid){0};
}

double bk_grid_locate(const bk_grid *g, double t)
{
    if (t <= g->left[0]) return 0;
    if (t >= g->left[g->ncell]) return (double)g->ncell - 1e-9;
    size_t lo = 0, hi = g->ncell;
    while (hi - lo > 1) {
        const size_t mid = (lo + hi) / 2;
        if (t < g->left[mid])
            hi = mid;
        else
            lo = mid;
    }
    return (double)lo + fmin((t - g->left[lo]) / (g->left[lo + 1] - g->left[lo]), 1 - 1e-12);
}

/* Built from the Lagrange polynomials. */
void bk_monomials(int n, const double *place, double *m)
{
    for (int i = 0; i < n; i++) {
        double c[BK_STAGES + 1] = {1}, scale = 1;
        int degree = 0;
        for (int k = 0; k < n; k++) {
            if (k == i) continue;
            degree++;
            for (int j = degree; j > 0; j--) c[j] = c[j - 1] - place[k] * c[j];
            c[0] *= -place[k];
            scale *= place[i] - place[k];
        }
        for (int j = 0; j < n; j++) m[j * n + i] = c[j] / scale;
    }
}

void bk_grid_table(const bk_grid *g, const double *lnGamma, double *table)
{
    enum { N = BK_DEGREE + 1 };
    double place[N], m[N * N];
    for (int i = 0; i < N; i++) place[i] = sample_place(i);
    bk_monomials(N, place, m);
    for (size_t c = 0; c < g->ncell; c++) {
        double sample[BK_DEGREE + 1], *row = table + c * BK_ROW;
        for (int i = 0; i <= BK_DEGREE; i++) {
            const double *w = g->weight + (c * (BK_DEGREE + 1) + (size_t)i) * BK_STENCIL;
            const double *f = lnGamma + g->first[c];
            double s = 0;
            for (int k = 0; k < BK_STENCIL; k++) s += w[k] * f[k];
            sample[i] = exp(s);
        }
        for (int j = 0; j <= BK_DEGREE; j++) {
            row[j] = 0;
            for (int i = 0; i <= BK_DEGREE; i++) row[j] += m[j * N + i] * sample[i];
        }
        for (int j = BK_DEGREE + 1; j < BK_ROW; j++) row[j] = 0;
    }
}

double bk_table_at(const double *table, double where)
{
    const size_t c = (size_t)where;
    const double u = where - (double)c, *row = table + c * BK_ROW;
    double v = row[BK_DEGREE];
    for (int j = BK_DEGREE - 1; j >= 0; j--) v = v * u + row[j];
    return v;
}
