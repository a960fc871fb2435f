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
 * terms with different powers of S(0): SPACING/(1 + Gamma/GAMMA_BEND) with Gamma at Y = 0, which is
 * refined at least by BEND_REFINE. */
#define GAMMA_BEND 2.0
#define SPACING_MIN 0.04
#define BEND_REFINE 0.7
/* Widest cell of the table at refine = 1: degree 5 in Gamma ~ r^2 is then good to 4e-11, and degree
 * 9 in N ~ r^2 to 2e-11. */
#define CELL 0.1
/* Largest change of Gamma in a cell at refine = 1: S = e^-Gamma is then interpolated to 2e-7 of
 * itself, by polynomials of degree 9; beyond GAMMA_RESOLVED in proportion to Gamma.  Where S
 * is smallest at Y = 0 it rises at once, and its slope becomes that of Gamma ~ r up to
 * SLOPE_RESOLVED.  A smaller refine than CELL_REFINE would let S < 0 between the edges. */
#define CELL_GAMMA 0.4
#define CELL_REFINE 1.0
#define GAMMA_RESOLVED 250.0
#define SLOPE_RESOLVED 200.0
/* Speeds in ln r per unit of Y at which profiles move to small r: running coupling at most, and in
 * units of a fixed one; and the move that needs no more cells. */
#define SPEED 0.15
#define SPEED_FIXED 2.4
#define MOVE_COVERED 1.2
/* The table goes on beyond the nodes by these lengths in ln r. */
#define BELOW 20.0
#define ABOVE 1.0
#define EXTENSION_CELL 0.1
/* Cells above the nodes that are as narrow as the last one below. */
enum { NARROW = 2 * BK_STENCIL };
/* Nodes whose distances enter the continuation to small r: a parabola in ln r. */
#define EXTENSION_STRIDE 4

static double spacing_at(const bk_grid_opts *o, double t)
{
    const double Gamma = exp(o->start->lnGamma(o->start, t));
    const double narrow = SPACING_MIN * fmin(1, o->refine / BEND_REFINE);
    double h = fmax(SPACING / (1 + Gamma / GAMMA_BEND), narrow);
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

/* How far in ln r the place of a given Gamma moves until Ymax beyond what the slopes at Y = 0
 * cover. */
static double find_move(const bk_grid_opts *o)
{
    const double speed = o->alpha->scheme == BK_FIXED ? SPEED_FIXED * o->alpha->fixed : SPEED;
    return fmax(0, speed * o->Ymax - MOVE_COVERED);
}

/* Largest change of Gamma between two places at any Y, in units of the one allowed in a cell. */
static double count_gamma(const bk_grid_opts *o, double a, double b)
{
    const double move = find_move(o);
    const double low = bk_start_Gamma(o->start, a), high = bk_start_Gamma(o->start, b);
    const double late = move > 0 ? bk_start_Gamma(o->start, b + move) : high;
    const double change = fmax(fabs(high - low), (b - a) * fmin(late, SLOPE_RESOLVED));
    return change * fmax(o->refine, CELL_REFINE) / (CELL_GAMMA * fmax(1, high / GAMMA_RESOLVED));
}

/* Edges of cells: the extension below, each interval of nodes in equal parts, the extension above;
 * left = NULL: their number only. */
static size_t fill_edges(const bk_grid *g, const bk_grid_opts *o, double *left)
{
    const size_t below = (size_t)(BELOW / EXTENSION_CELL), above = (size_t)(ABOVE / EXTENSION_CELL);
    size_t c = 0;
    double h = 0;
    for (size_t i = 0; i < below; i++, c++)
        if (left) left[c] = g->t[0] - (double)(below - i) * EXTENSION_CELL;
    for (size_t j = 0; j + 1 < g->n; j++) {
        const double a = g->t[j], b = g->t[j + 1];
        const double parts = ceil(fmax(o->refine * (b - a) / CELL, count_gamma(o, a, b)));
        h = (b - a) / parts;
        for (double i = 0; i < parts; i++, c++)
            if (left) left[c] = a + h * i;
    }
    const double last = g->t[g->n - 1];
    for (int i = 0; i < NARROW; i++, c++)
        if (left) left[c] = last + i * h;
    for (size_t i = 0; i <= above; i++, c++)
        if (left) left[c] = last + NARROW * h + (double)i * EXTENSION_CELL;
    return c - 1;
}

/* A sample at the right end of an interval takes the stencil of that interval, not of the next. */
static void bk_fill_cell(bk_grid *g, size_t c)
{
    const double a = g->left[c], h = g->left[c + 1] - a;
    for (int i = 0; i <= BK_DEGREE; i++) {
        double w[BK_STENCIL];
        const double t = a + h * bk_grid_sample(i);
        if (i == 0) g->first[c] = bk_grid_weights(g, a + 0.5 * h, w);
        if (a + 0.5 * h < g->t[0] || a + 0.5 * h > g->t[g->n - 1]) {
            bk_grid_weights(
                g, a + 0.5 * h < g->t[0] ? fmin(t, g->t[0] - 1e-12 * h) : fmax(t, g->t[g->n - 1]),
                w);
        } else {
            bk_lagrange(g->t + g->first[c], BK_STENCIL, 1, t, w);
        }
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

cgct_status bk_grid_init(bk_grid *g, const bk_grid_opts *o, cgct_err *err)
{
    *g = (bk_grid){0};
    CGCT_TRY(place_nodes(g, o, err));
    const size_t n = g->ncell = fill_edges(g, o, NULL);
    g->left = malloc((n + 1) * sizeof *g->left);
    g->first = malloc(n * sizeof *g->first);
    g->weight = calloc(n * BK_ROW * BK_STENCIL, sizeof *g->weight);
    g->edges = malloc(n * sizeof *g->edges);
    g->rule = malloc(n * BK_STENCIL * sizeof *g->rule);
    if (!g->left || !g->first || !g->weight || !g->edges || !g->rule)
        return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory for %zu cells", n);
    fill_edges(g, o, g->left);
    for (size_t c = 0; c < n; c++) bk_fill_cell(g, c);
    size_t begin = 0;
    for (size_t s = 1; s < g->nseg; s++) {
        const size_t kink = (size_t)bk_grid_locate(g, g->t[g->edge[s]] + 1e-12);
        bk_fill_rules(g, begin, kink);
        begin = kink;
    }
    bk_fill_rules(g, begin, n);
    return CGCT_OK;
}

void bk_grid_free(bk_grid *g)
{
    free(g->t);
    free(g->left);
    free(g->first);
    free(g->weight);
    free(g->edges);
    free(g->rule);
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

double bk_grid_sample(int i)
{
    return 0.5 * (1 - cos(3.14159265358979323846 * i / BK_DEGREE));
}
