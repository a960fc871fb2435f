/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colours.h: what a finite number of colours changes in an inner table, METHOD.md 11.
 *
 * The difference of the correlator between Nc and infinitely many colours has the factor
 * (k - a)(k - b), so that it is smooth where b = 0 or Delta + b = 0, where r = 0 and where r' = 0,
 * and one to three tenths of the whole where it is largest.  Its inner table is therefore computed
 * on a coarse grid of (Delta, R/Delta), a point at a time, and interpolated. */
#ifndef CGCT_INNER_COLOURS_H
#define CGCT_INNER_COLOURS_H
#include "dipole/lookup.h"
#include "inner/correlator.h"
#include "inner/lattice.h"
#include "inner/panels.h"
#include "inner/table.h"

/* Modes of the difference beyond this are below 1e-8 of the largest. */
enum { COLOURS_MODES = 64 };

/* Adds to a table with infinitely many colours what it lacks to d->Nc of them; nothing where
 * that is infinite.  Deterministic for any number of threads.
 * Accuracy o->colours, 1e-6 where that is 0, of max_m |G_m| at each (Delta,R); see
 *          tests/inner/test_colours.c */
void inner_colours_add(inner_table *t, const inner_opts *o, const dipole *d);

/* Makes the table of the correlator's singlet part on the same grid; a builder, but that o->single
 * does not count.
 * Accuracy 1e-5 of max_m |G_m| at each (Delta,R); see tests/inner/test_colours.c */
void inner_colours_singlet(inner_table *t, const inner_opts *o, const dipole *d);

/* ---- parts of this that a builder on a device uses, too ---- */

/* Intervals of gamma in [0, span]: at first, then twice as many, and at most. */
enum { COLOURS_ANGLES_FIRST = 2, COLOURS_ANGLES = COLOURS_MODES };

/* The axes of the coarse grid.  Nodes of R: those of near, of R/Delta, then those of far, of R. */
typedef struct {
    chebyshev_panels delta, near, far;
} colours_axes;

/* The coarse grid, and what all its nodes share. */
typedef struct {
    const inner_opts *o;
    const dipole *d;
    correlator colours;
    dipole_lookup L;
    lattice_dipole singular;
    double spacing; /* of the lattice */
    double tail;    /* what modes may have that are left out where a column is large */
    double decades; /* factors of 10 by which the error may exceed 1e-6 */
    size_t nr;      /* nodes of R */
    double span;    /* of gamma: pi/2 in the midpoint frame, else pi */
    double cosine[2 * COLOURS_ANGLES]; /* of j pi/COLOURS_ANGLES */
    colours_axes axes;
    char *need; /* (panels of Delta, of R): whether a node of the table lies there */
} colours_grid;
void colours_grid_init(colours_grid *g, const inner_opts *o, const dipole *d);
void colours_grid_free(colours_grid *g); /* accepts a zeroed one */
/* Delta number id of the table, but at least the grid's first; beyond its last the difference
 * counts as 0. */
double colours_delta_of(const colours_grid *g, size_t id);

/* A row of the grid: what its modes may have that are left out, and its lattice. */
typedef struct {
    double tail;
    lattice_shape shape;
} colours_row;
/* Row of node number k of a panel of Delta. */
colours_row colours_row_at(const colours_grid *g, size_t panel, size_t k);
/* Panels of R, of which those of far follow those of near; nodes of one; its node number k. */
size_t colours_panels_r(const colours_grid *g);
size_t colours_nodes_r(const colours_grid *g, size_t panel);
double colours_r_at(const colours_grid *g, size_t panel, size_t k, double delta);
/* The order of o->m[im] in units of pi/span. */
size_t colours_order(const colours_grid *g, size_t im);

/* c (*n): what the nodes of R from the returned one on contribute at R. */
CGCT_INLINE size_t colours_weights_of_r(const colours_axes *g, double R, double delta, double *c,
                                        size_t *n)
{
    const chebyshev_panels *p = &g->near;
    if (R < p->end[p->n] * delta) return panels_weights(p, R / delta, c, n);
    return p->first[p->n] + panels_weights(&g->far, R, c, n);
}

/* S4 less its limit of many colours, *large; from A, B, N - B and the roots of e^A and e^B. */
CGCT_KERNEL double colours_difference(correlator few, double A, double root, double B, double rootB,
                                      double dN, double *large)
{
    *large = -dN * expdiff_roots(A - B, root, rootB);
    return correlator_S4(few, A, B, dN, root * root) - *large;
}

/* The derivative of the difference with respect to k at its two singularities, which are alike:
 * there L = 0 at one of the two distances, and `other` is that of the other. */
CGCT_INLINE double colours_singularity(correlator few, double B, double other)
{
    const double z = B - other, t = few.t, root = sqrt(few.c * t);
    return CGCT_EXP(B) - 0.5 * (CGCT_EXP(B + (root - t) * z) + CGCT_EXP(B - (root + t) * z));
}

/* int_0^2pi cos(m gamma) f, m = i pi/span, from f, `apart` numbers from one to the next, at n + 1
 * equally spaced gamma in [0, span]. */
CGCT_INLINE double colours_mode(const double *cosine, const double *f, size_t apart, size_t n,
                                size_t i)
{
    double sum = 0;
    for (size_t k = 0; k <= n; k++)
        sum += (k == 0 || k == n ? 0.5 : 1) *
               cosine[i * k * (COLOURS_ANGLES / n) % (2 * COLOURS_ANGLES)] * f[k * apart];
    return 2 * M_PI / (double)n * sum;
}

/* Whether the last third of the n modes that are known is negligible beside `whole`. */
CGCT_INLINE int colours_resolved(const double *cosine, const double *f, size_t apart, size_t n,
                                 double whole, double tail)
{
    for (size_t i = 2 * n / 3 + 1; i <= n; i++)
        if (!(fabs(colours_mode(cosine, f, apart, n, i)) <= tail * 2 * M_PI * whole)) return 0;
    return 1;
}
#endif
