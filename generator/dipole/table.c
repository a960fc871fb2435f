/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c: from the rapidities (blocks) of a dipole table to the spline of f = ln Gamma at one Y.
 *
 * Each block is continued beyond its own first and last good node (the last one is its cut), and
 * the blocks are then interpolated in Y, so that nothing jumps where Y passes a block.  In the
 * continuation the curvature decays: f'' = f''(cut) exp(-v), v = ln(r/cut).  The correlator at
 * large b is a difference of L and depends on the curvature of L where S has long vanished; a pure
 * power of r from the cut on would be a jump of f'', which changes I at every q. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

/* Limits of the powers of r at both ends. */
#define POWER_MIN 0.3
#define POWER_MAX 8.0
/* The spline must rise where ln Gamma exceeds LN_SMALL and may nowhere be steeper than STEEPEST;
 * both are checked at CHECKS points of each cell. */
#define LN_SMALL -6.9 /* ln 1e-3 */
#define STEEPEST 20.0
#define CHECKS 8
/* A Y closer to a block than this share of the step counts as that block: rapidities are printed
 * with ten digits or more. */
#define Y_SLACK 1e-9
#define SHARED_MIN 8 /* nodes that the interpolated blocks must have in common */
/* DIPOLE_TAIL_KNOTS knots beyond the cut reach v = 4, where the curvature is 2% of that at the
 * cut. */
/* Slope and curvature at the cut come from every second of the last 7 nodes, which limits the
 * effect of the noise of real files; the curvature changes the power by half of it at most. */
#define TAIL_STRIDE 2
#define TAIL_BEND 0.5L

/* ---- smoothing ----
 *
 * Whittaker and Henderson: g minimises
 *
 *   Sum_i w_i (g_i - f_i)^2 + length^6 Sum_i h_i (g''')_i^2,
 *
 * w the widths of the nodes, g''' six times the divided difference of four neighbours, and h a
 * third of their span.  A wave of length 2 pi length in y is halved, shorter waves are damped by
 * the sixth power of their wave number, parabolas are not changed. */

enum { ORDER = 3 };

/* The equations (W + P) e = -P f for the change e = g - f, whose rounding errors are relative to
 * the change; A = W + P as gsl_linalg_cholesky_band stores it: (node, distance below the
 * diagonal). */
static void smooth_assemble(size_t n, const long double *y, const long double *f, double length,
                            gsl_matrix *A, gsl_vector *e)
{
    gsl_matrix_set_zero(A);
    gsl_vector_set_zero(e);
    for (size_t i = 0; i < n; i++)
        *gsl_matrix_ptr(A, i, 0) = (double)(y[i + 1 < n ? i + 1 : i] - y[i ? i - 1 : 0]) / 2;
    for (size_t i = 0; i + ORDER < n; i++) {
        long double c[ORDER + 1], third = 0;
        /* of the third derivative, times the square root of its weight and length^3 */
        const long double root = sqrtl((y[i + ORDER] - y[i]) / ORDER) * length * length * length;
        for (size_t j = 0; j <= ORDER; j++) {
            c[j] = 6 * root;
            for (size_t k = 0; k <= ORDER; k++)
                if (k != j) c[j] /= y[i + j] - y[i + k];
        }
        for (size_t j = 0; j <= ORDER; j++) third += c[j] * f[i + j];
        for (size_t j = 0; j <= ORDER; j++) {
            *gsl_vector_ptr(e, i + j) -= (double)(c[j] * third);
            for (size_t k = 0; k <= j; k++)
                *gsl_matrix_ptr(A, i + k, j - k) += (double)(c[j] * c[k]);
        }
    }
}

cgct_status dipole_smooth(size_t n, const long double *y, long double *f, double length,
                          double *moved, cgct_err *err)
{
    gsl_matrix *A = memory_or_end(gsl_matrix_alloc(n, ORDER + 1), n, sizeof(double));
    gsl_vector *e = memory_or_end(gsl_vector_alloc(n), n, sizeof(double));
    cgct_status st = CGCT_OK;
    smooth_assemble(n, y, f, length, A, e);
    if (gsl_linalg_cholesky_band_decomp(A) || gsl_linalg_cholesky_band_svx(A, e))
        st = cgct_fail(err, CGCT_E_DOMAIN, "%zu nodes cannot be smoothed over %g in ln r", n,
                       length);
    *moved = 0;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        double Gamma = (double)expl(f[i]), change = gsl_vector_get(e, i);
        *moved = fmax(*moved, exp(-Gamma) * Gamma * fabs(change));
        f[i] += change;
    }
    gsl_matrix_free(A);
    gsl_vector_free(e);
    return st;
}

/* ---- one rapidity ---- */

/* The blocks first..first+n-1 and their weights in the interpolation. */
enum { BLOCKS_MAX = 6 };
typedef struct {
    size_t first, n;
    double w[BLOCKS_MAX];
} table_stencil;

/* The polynomial through the BLOCKS_MAX blocks around Y (all, where there are fewer).  Where one
 * polynomial replaces another, the cross section I has a kink, which interpolation in x cannot
 * follow: straight lines make kinks of 1e-4 and more in files with steps of 0.2, and cubics make
 * such kinks in the first blocks. */
static table_stencil table_blocks_around(const dipole_grid *g, double Y)
{
    size_t i = 0;
    while (i + 1 < g->ny && Y >= g->Y[i + 1]) i++;
    double share = i + 1 < g->ny ? (Y - g->Y[i]) / (g->Y[i + 1] - g->Y[i]) : 0;
    if (share < Y_SLACK) return (table_stencil){i, 1, {1}};
    if (share > 1 - Y_SLACK) return (table_stencil){i + 1, 1, {1}};
    table_stencil s = {i < BLOCKS_MAX / 2 ? 0 : i - (BLOCKS_MAX / 2 - 1),
                       g->ny < BLOCKS_MAX ? g->ny : BLOCKS_MAX,
                       {0}};
    if (s.first + s.n > g->ny) s.first = g->ny - s.n;
    grid_lagrange(s.n, g->Y + s.first, Y, s.w);
    return s;
}

/* Slope and curvature at y[0] of the cubic through four nodes above (step 1) or below it (-1). */
static void table_end_derivatives(const long double *y, const long double *f, int step,
                                  long double *slope, long double *curvature)
{
    long double t[4], c[4]; /* divided differences */
    for (int i = 0; i < 4; i++) {
        t[i] = y[step * TAIL_STRIDE * i] - y[0];
        c[i] = f[step * TAIL_STRIDE * i];
    }
    for (int order = 1; order < 4; order++)
        for (int i = 3; i >= order; i--) c[i] = (c[i] - c[i - 1]) / (t[i] - t[i - order]);
    *slope = c[1] - c[2] * t[1] + c[3] * t[1] * t[2];
    *curvature = 2 * (c[2] - c[3] * (t[1] + t[2]));
}

void dipole_continue(size_t n, const long double *y, size_t lo, size_t hi, long double *f)
{
    long double slope, curvature;
    table_end_derivatives(y + lo, f + lo, 1, &slope, &curvature);
    for (size_t i = 0; i < lo; i++) f[i] = f[lo] + slope * (y[i] - y[lo]);
    table_end_derivatives(y + hi, f + hi, -1, &slope, &curvature);
    const long double bend = TAIL_BEND * fabsl(slope);
    curvature = fminl(fmaxl(curvature, -bend), bend);
    for (size_t i = hi + 1; i < n; i++) {
        const long double v = y[i] - y[hi];
        f[i] = f[hi] + slope * v + curvature * (expm1l(-v) + v);
    }
}

/* d->spline, the spline of ln Gamma at rapidity Y, and d->r_min, cut, moved.  The common knots of
 * all blocks are the nodes of the file from the first to the last one that any block uses, and
 * DIPOLE_TAIL_KNOTS more.  With smoothing, the continuation is derived from smoothed nodes; the
 * data and their continuation are then smoothed together, including the joints. */
static cgct_status table_spline_at(dipole *d, const dipole_source *src, double Y, cgct_err *err)
{
    const dipole_grid *g = src->grid;
    const table_stencil s = g->has_x ? table_blocks_around(g, Y) : (table_stencil){0, 1, {1}};
    const double length = src->o.smooth;
    size_t first = g->nr, last = 0, lo = 0, cut = g->nr - 1; /* of any block; of all blocks of s */
    for (size_t j = 0; j < g->ny; j++) {
        const size_t below = src->lo[j], above = src->hi[j];
        const int used = j >= s.first && j < s.first + s.n;
        first = below < first ? below : first;
        last = above > last ? above : last;
        lo = used && below > lo ? below : lo;
        cut = used && above < cut ? above : cut;
    }
    if (cut + 1 < lo + SHARED_MIN)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: blocks Y = %.6g to %.6g share only the nodes %zu to %zu, want %d; "
                         "correct one of them",
                         src->name, g->Y[s.first], g->Y[s.first + s.n - 1], lo, cut, SHARED_MIN);
    const size_t nodes = last - first + 1, n = nodes + DIPOLE_TAIL_KNOTS;
    long double *y, *f, *block; /* knots, ln Gamma at Y and of one block */
    const array_part part[] = {ARRAY_PART(y, n), ARRAY_PART(f, n), ARRAY_PART(block, n)};
    void *arrays = ARRAYS(part);
    memcpy(y, g->lnr + first, nodes * sizeof *y);
    for (size_t i = nodes; i < n; i++) y[i] = y[nodes - 1] + dipole_tail_step * (i - nodes + 1);
    cgct_status st = CGCT_OK;
    for (size_t j = s.first; j < s.first + s.n && st == CGCT_OK; j++) {
        const size_t begin = src->lo[j] - first, end = src->hi[j] - first;
        const double *Gamma = g->gamma + j * g->nr + first;
        double moved = 0;
        for (size_t i = begin; i <= end; i++) block[i] = logl(Gamma[i]);
        if (length > 0)
            st = dipole_smooth(end - begin + 1, y + begin, block + begin, length, &moved, err);
        dipole_continue(n, y, begin, end, block);
        for (size_t i = begin; i <= end && length > 0; i++) block[i] = logl(Gamma[i]);
        if (length > 0 && st == CGCT_OK) st = dipole_smooth(n, y, block, length, &moved, err);
        d->moved = fmax(d->moved, moved);
        for (size_t i = 0; i < n; i++) f[i] += s.w[j - s.first] * block[i];
    }
    if (st == CGCT_OK) dipole_spline_init(d->spline, n, y, f);
    d->r_min = (double)expl(g->lnr[lo]);
    d->cut = (double)expl(g->lnr[cut]);
    free(arrays);
    return st;
}

cgct_status dipole_table_init(dipole *d, const dipole_source *src, double x, cgct_err *err)
{
    const dipole_grid *g = src->grid;
    const double Y = g->has_x ? log(g->x0.value / x) : g->Y[0];
    CGCT_TRY(table_spline_at(d, src, Y, err));
    d->power = d->spline->cell[d->spline->n].c[0];
    double small = d->spline->cell[0].c[0];
    if (!(fmin(d->power, small) >= POWER_MIN && fmax(d->power, small) <= POWER_MAX))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: -ln S goes as r^%.3g at small and r^%.3g at large r (Y = %.6g); both "
                         "powers must lie in %g to %g",
                         src->name, small, d->power, Y, POWER_MIN, POWER_MAX);
    /* nodes that are too close, or whose slopes jump, make a spline oscillate between them */
    for (size_t j = 1; j < d->spline->n; j++)
        for (int i = 0; i < CHECKS; i++) {
            const double k = d->spline->cell[j].k, y = k + (d->spline->knot[j] - k) * i / CHECKS;
            double f, slope, bend;
            dipole_spline_jet(d->spline, y, &f, &slope, &bend);
            if (!(fabs(slope) <= STEEPEST) || (f > LN_SMALL && !(slope > 0)))
                return cgct_fail(
                    err, CGCT_E_FORMAT,
                    "%s: between its nodes -ln S goes as r^%.3g at r = %.6g (Y = %.6g), where it "
                    "must rise, as r^%g at most; even out the nodes there",
                    src->name, slope, exp(y), Y, STEEPEST);
        }
    return CGCT_OK;
}
