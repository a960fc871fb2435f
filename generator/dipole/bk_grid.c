/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_grid.c: the grid in ln r on which the BK equation is solved, interpolation on it, and the
 * cells in which the right-hand side reads Gamma and S. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

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
/* Nodes whose distances enter the continuation to small r: a parabola in ln r. */
#define EXTENSION_STRIDE 4

static double spacing_at(const bk_grid_opts *o, double t)
{
    const double Gamma = exp(o->start->lnGamma(o->start->of, t));
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

static void place_nodes(bk_grid *g)
{
    const bk_grid_opts *o = &g->o;
    double cut[BK_SEGMENTS + 1] = {o->tmin};
    const double kink = log(o->alpha->kink);
    for (int k = 0; k < 2; k++)
        if (kink + k * log(2) > o->tmin + 1 && kink + k * log(2) < o->tmax - 0.1)
            cut[++g->nseg] = kink + k * log(2);
    cut[++g->nseg] = o->tmax;
    size_t n = 1;
    for (size_t s = 0; s < g->nseg; s++) n += fill_segment(o, cut[s], cut[s + 1], NULL) - 1;
    g->n = n;
    const array_part part[] = {ARRAY_PART(g->t, n), ARRAY_PART(g->lnGamma, n),
                               ARRAY_PART(g->cell, n)};
    g->arrays[0] = ARRAYS(part);
    for (size_t s = 0; s < g->nseg; s++)
        g->edge[s + 1] = g->edge[s] + fill_segment(o, cut[s], cut[s + 1], g->t + g->edge[s]) - 1;
}

void bk_lagrange(const double *node, size_t count, size_t stride, double t, double *w)
{
    for (size_t i = 0; i < count; i++) {
        w[i * stride] = 1;
        for (size_t k = 0; k < count; k++)
            if (k != i)
                w[i * stride] *= (t - node[k * stride]) / (node[i * stride] - node[k * stride]);
    }
}

double bk_grid_lnGamma(const bk_grid *g, double t)
{
    const size_t j = grid_cell_of(g->n, g->t, t);
    const double u = (t - g->t[j]) / (g->t[j + 1] - g->t[j]);
    return g->lnGamma[j] + u * (g->lnGamma[j + 1] - g->lnGamma[j]);
}

size_t bk_grid_weights(const bk_grid *g, double t, double w[BK_STENCIL])
{
    memset(w, 0, BK_STENCIL * sizeof *w);
    if (t < g->t[0]) {
        bk_lagrange(g->t, 3, EXTENSION_STRIDE, t, w);
        return 0;
    }
    if (t >= g->t[g->n - 1]) {
        bk_lagrange(g->t + g->n - 3, 2, 2, t, w + BK_STENCIL - 3);
        return g->n - BK_STENCIL;
    }
    const size_t j = grid_cell_of(g->n, g->t, t);
    size_t s = 0; /* the segment of this interval, which its stencil does not leave */
    while (s + 1 < g->nseg && j >= g->edge[s + 1]) s++;
    const size_t lo = g->edge[s], hi = g->edge[s + 1];
    size_t first = j < lo + BK_STENCIL / 2 - 1 ? lo : j - (BK_STENCIL / 2 - 1);
    if (first + BK_STENCIL - 1 > hi) first = hi - (BK_STENCIL - 1);
    bk_lagrange(g->t + first, BK_STENCIL, 1, t, w);
    return first;
}

/* ---- cells ----
 *
 * Sums over points read Gamma alone, with shifts at all earlier Y, in cells that never change.
 * Rows read S as well, which changes by many orders of magnitude: their cells follow Gamma. */

/* Widest cells for sums over points: degree 5 in Gamma ~ r^2 is then good to 1e-12. */
#define CELL_POINTS 0.05
/* For rows, at refine = 1: 4e-11, and degree 9 in N ~ r^2 is good to 2e-11. */
#define CELL 0.1
/* Largest change of Gamma in a cell at refine = 1: degree 9 in S = e^-Gamma is then good to 3e-8 of
 * it where Gamma is of order 1, and the more cells allow the larger Gamma is, up to CELL_WIDER more
 * from GAMMA_WIDER on, the less exact S need be.  Beyond GAMMA_RESOLVED, where S matters only for
 * itself, they grow in proportion to Gamma.  A smaller refine than CELL_REFINE would let S < 0
 * between the edges. */
#define CELL_GAMMA 0.4
#define CELL_WIDER 0.4
#define GAMMA_WIDER 60.0
#define GAMMA_RESOLVED 250.0
#define CELL_REFINE 0.75
/* Slope of Gamma, relative to Gamma, that cells allow for beside its slope when they are made:
 * profiles that become Gamma ~ r and move to smaller r.  Up to SLOPE_RESOLVED. */
#define SLOPE_LATER 1.5
#define SLOPE_RESOLVED 200.0
/* Cells are made again when Gamma changes by WORN times as much in one of them as is allowed, or
 * when this share of their number would do. */
#define WORN 1.2
#define SPARE 0.85
/* The table goes on beyond the nodes by these lengths in ln r. */
#define BELOW 20.0
#define ABOVE 1.0
#define EXTENSION_CELL 0.1
/* Cells above the nodes that are as narrow as the last one below. */
enum { NARROW = 2 * BK_STENCIL };

/* In units of the change that is allowed in a cell at Gamma. */
static double count_change(const bk_grid *g, double change, double Gamma)
{
    const double refine = fmax(g->o.refine, CELL_REFINE);
    const double wider = 1 + CELL_WIDER * fmin(Gamma / GAMMA_WIDER, 1);
    return change * refine / (CELL_GAMMA * wider * fmax(1, Gamma / GAMMA_RESOLVED));
}

/* Cells between the nodes j and j + 1. */
static size_t count_cells(const bk_grid *g, const double *lnGamma, size_t j)
{
    const double h = g->t[j + 1] - g->t[j];
    if (g->points) return (size_t)ceil(h / CELL_POINTS);
    const double low = exp(lnGamma[j]), high = exp(lnGamma[j + 1]);
    const double later = SLOPE_LATER * h * fmin(high, SLOPE_RESOLVED);
    const double widest = h * fmax(g->o.refine, CELL_REFINE) / CELL;
    return (size_t)ceil(fmax(widest, count_change(g, fmax(fabs(high - low), later), high)));
}

int bk_grid_worn(const bk_grid *g, const double *lnGamma)
{
    size_t total = 0;
    for (size_t j = 0; j + 1 < g->n; j++) {
        const double low = exp(lnGamma[j]), high = exp(lnGamma[j + 1]);
        const double cells = (double)(g->cell[j + 1] - g->cell[j]);
        if (low < BK_GAMMA_PROMISED && count_change(g, fabs(high - low), high) > WORN * cells)
            return 1;
        total += count_cells(g, lnGamma, j);
    }
    return (double)total < SPARE * (double)(g->cell[g->n - 1] - g->cell[0]);
}

/* Edges of cells: the extension below, each interval of nodes in equal parts, the extension above;
 * left = NULL: their number and the first cell of every node only. */
static size_t fill_edges(bk_grid *g, double *left)
{
    const size_t below = (size_t)(BELOW / EXTENSION_CELL), above = (size_t)(ABOVE / EXTENSION_CELL);
    size_t c = 0;
    double h = 0;
    for (size_t i = 0; i < below; i++, c++)
        if (left) left[c] = g->t[0] - (double)(below - i) * EXTENSION_CELL;
    for (size_t j = 0; j + 1 < g->n; j++) {
        const size_t parts = count_cells(g, g->lnGamma, j);
        g->cell[j] = c;
        h = (g->t[j + 1] - g->t[j]) / (double)parts;
        for (size_t i = 0; i < parts; i++, c++)
            if (left) left[c] = g->t[j] + h * (double)i;
    }
    const double last = g->t[g->n - 1];
    g->cell[g->n - 1] = c;
    for (int i = 0; i < NARROW; i++, c++)
        if (left) left[c] = last + i * h;
    for (size_t i = 0; i <= above; i++, c++)
        if (left) left[c] = last + NARROW * h + (double)i * EXTENSION_CELL;
    return c - 1;
}

/* Places in u of the samples of a cell: Chebyshev-Lobatto points, i <= BK_DEGREE. */
static double bk_grid_sample(int i)
{
    return 0.5 * (1 - cos(M_PI * i / BK_DEGREE));
}

/* A sample at the right end of an interval takes the stencil of that interval, not of the next. */
static void bk_fill_cell(bk_grid *g, size_t c)
{
    const double a = g->left[c], h = g->left[c + 1] - a, middle = a + 0.5 * h;
    const double begin = g->t[0], end = g->t[g->n - 1];
    for (int i = 0; i <= BK_DEGREE; i++) {
        double w[BK_STENCIL];
        const double t = a + h * bk_grid_sample(i);
        if (i == 0) g->first[c] = bk_grid_weights(g, middle, w);
        if (middle < begin || middle > end)
            bk_grid_weights(g, middle < begin ? fmin(t, begin - 1e-12 * h) : fmax(t, end), w);
        else
            bk_lagrange(g->t + g->first[c], BK_STENCIL, 1, t, w);
        for (int k = 0; k < BK_STENCIL; k++)
            g->weight[(c * BK_STENCIL + (size_t)k) * BK_ROW + (size_t)i] = w[k];
    }
}

/* The edges between which S is interpolated in the cells from lo to hi, all of one segment. */
static void bk_fill_rules(bk_grid *g, size_t lo, size_t hi)
{
    for (size_t c = lo; c < hi; c++) {
        size_t first = c < lo + BK_STENCIL / 2 - 1 ? lo : c - (BK_STENCIL / 2 - 1);
        if (first + BK_STENCIL - 1 > hi) first = hi - (BK_STENCIL - 1);
        const double *t = g->left + first, scale = BK_STENCIL / (t[BK_STENCIL - 1] - t[0]);
        g->edges[c] = first;
        for (int i = 0; i < BK_STENCIL; i++) {
            double product = 1;
            for (int k = 0; k < BK_STENCIL; k++)
                if (k != i) product *= (t[i] - t[k]) * scale;
            g->rule[c * BK_STENCIL + (size_t)i] = 1 / product;
        }
    }
}

/* The cells for g->lnGamma. */
static void fill_cells(bk_grid *g)
{
    const size_t n = g->ncell = fill_edges(g, NULL);
    const array_part part[] = {ARRAY_PART(g->left, n + 1), ARRAY_PART(g->first, n),
                               ARRAY_PART(g->weight, n * BK_ROW * BK_STENCIL),
                               ARRAY_PART(g->edges, n), ARRAY_PART(g->rule, n * BK_STENCIL)};
    free(g->arrays[1]);
    g->arrays[1] = ARRAYS(part);
    fill_edges(g, g->left);
    for (size_t c = 0; c < n; c++) bk_fill_cell(g, c);
    size_t begin = 0;
    for (size_t s = 1; s < g->nseg; s++) {
        bk_fill_rules(g, begin, g->cell[g->edge[s]]);
        begin = g->cell[g->edge[s]];
    }
    bk_fill_rules(g, begin, n);
}

double bk_grid_locate(const bk_grid *g, double t)
{
    if (t <= g->left[0]) return 0;
    if (t >= g->left[g->ncell]) return (double)g->ncell - 1e-9;
    const size_t c = grid_cell_of(g->ncell + 1, g->left, t);
    return (double)c + fmin((t - g->left[c]) / (g->left[c + 1] - g->left[c]), 1 - 1e-12);
}

void bk_grid_init(bk_grid *g, const bk_grid_opts *o)
{
    *g = (bk_grid){.o = *o, .points = 1};
    for (int i = 0; i < BK_ANGLES / BK_LANES; i++)
        quad_gauss_init(&g->gauss[i], BK_LANES * (i + 1));
    place_nodes(g);
    for (size_t j = 0; j < g->n; j++) g->lnGamma[j] = log(bk_start_Gamma(o->start, g->t[j]));
    fill_cells(g);
}

void bk_grid_adapt(bk_grid *g, const double *lnGamma)
{
    g->points = 0;
    memcpy(g->lnGamma, lnGamma, g->n * sizeof *lnGamma);
    fill_cells(g);
}

void bk_grid_free(bk_grid *g)
{
    free(g->arrays[0]);
    free(g->arrays[1]);
    *g = (bk_grid){0};
}

/* ---- Gamma at one Y in these cells, N and S at their edges ---- */

void bk_values_init(bk_values *v, const bk_grid *g)
{
    const size_t edges = g->ncell + 1 + BK_LANES; /* room for the last lanes of a row */
    v->table = memory_zeros(g->ncell * BK_ROW + 2 * edges, sizeof *v->table);
    v->N = v->table + g->ncell * BK_ROW;
    v->S = v->N + edges;
}

void bk_values_free(bk_values *v)
{
    free(v->table);
    *v = (bk_values){0};
}

void bk_values_set(bk_values *v, const bk_grid *g, const double *lnGamma)
{
    enum { N = BK_DEGREE + 1 };
    double place[N], m[N * N], to_row[N][BK_ROW] = {{0}};
    for (int i = 0; i < N; i++) place[i] = bk_grid_sample(i);
    bk_monomials(N, place, m);
    for (int i = 0; i < N; i++)
        for (int d = 0; d < N; d++) to_row[i][d] = m[d * N + i];
    for (size_t c = 0; c < g->ncell; c++) {
        double sample[BK_ROW], s[BK_ROW] = {0}, row[BK_ROW] = {0};
        const double *weight = g->weight + c * BK_STENCIL * BK_ROW, *f = lnGamma + g->first[c];
        for (int k = 0; k < BK_STENCIL; k++) {
#pragma omp simd
            for (int i = 0; i < BK_ROW; i++) s[i] = fmadd(weight[k * BK_ROW + i], f[k], s[i]);
        }
#pragma omp simd
        for (int i = 0; i < BK_ROW; i++) sample[i] = vexp(s[i]);
        for (int i = 0; i < N; i++) {
#pragma omp simd
            for (int d = 0; d < BK_ROW; d++) row[d] = fmadd(to_row[i][d], sample[i], row[d]);
        }
#pragma omp simd
        for (int d = 0; d < BK_ROW; d++) v->table[c * BK_ROW + (size_t)d] = row[d];
        v->S[c] = sample[0];
        v->S[c + 1] = sample[N - 1];
    }
#pragma omp simd
    for (size_t c = 0; c <= g->ncell; c++) {
        v->N[c] = -vexpm1(-v->S[c]);
        v->S[c] = vexp(-v->S[c]);
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
