/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_grid.c: the grid in ln r on which the BK equation is solved, and interpolation on it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/bk_impl.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

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

void bk_grid_init(bk_grid *g, const bk_grid_opts *o)
{
    *g = (bk_grid){.o = *o, .points = 1};
    for (int i = 0; i < BK_ANGLES / BK_LANES; i++)
        quad_gauss_init(&g->gauss[i], BK_LANES * (i + 1));
    place_nodes(g);
    for (size_t j = 0; j < g->n; j++) g->lnGamma[j] = log(bk_start_Gamma(o->start, g->t[j]));
    bk_grid_fill(g);
}

void bk_grid_adapt(bk_grid *g, const double *lnGamma)
{
    g->points = 0;
    memcpy(g->lnGamma, lnGamma, g->n * sizeof *lnGamma);
    bk_grid_fill(g);
}

void bk_grid_free(bk_grid *g)
{
    free(g->arrays[0]);
    free(g->arrays[1]);
    *g = (bk_grid){0};
}
