/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_blocks.c: from the rapidities of a table to the spline of f = ln Gamma at one Y.
 *
 * Each block goes on beyond its own first and last node (its cut), and the blocks are then
 * interpolated in Y, so that nothing jumps where Y goes from one block to the next.  Along the
 * continuation the curvature fades: f'' = f''(cut) exp(-v), v = ln(r/cut).  The correlator at large
 * b is a difference of L and sees the curvature of L long after S has vanished: a power of r from
 * the cut on would be a jump of f'', heard at every q. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"

/* Relative slack of x at the ends of the table: rapidities are printed with ten digits or more. */
#define Y_SLACK 1e-9
#define NODES_MIN 8
/* Beyond the cut: knots to v = 4, where the curvature is 2% of what it was. */
#define TAIL_KNOTS 64
#define TAIL_STEP 0.0625L
/* Slope and curvature at the cut come from every second of the last 7 nodes, so that the noise of
 * real files is not multiplied too much; the curvature bends the power by half of it at most. */
#define TAIL_STRIDE 2
#define TAIL_BEND 0.5L

/* Blocks first..first+n-1 and their weights. */
enum { BLOCKS_MAX = 6 };
typedef struct {
    size_t first, n;
    double w[BLOCKS_MAX];
} block_stencil;

/* The polynomial through the blocks around Y (fewer where there are fewer).  Where one polynomial
 * gives way to the next I has a kink, which interpolation in x cannot follow: with straight lines
 * of 1e-4 and more in files with steps of 0.2, with cubics of as much in the first blocks. */
static block_stencil find_blocks(const dipole_grid *g, double Y)
{
    size_t i = 0;
    while (i + 1 < g->ny && Y >= g->Y[i + 1]) i++;
    double share = i + 1 < g->ny ? (Y - g->Y[i]) / (g->Y[i + 1] - g->Y[i]) : 0;
    if (share < Y_SLACK) return (block_stencil){i, 1, {1}};
    if (share > 1 - Y_SLACK) return (block_stencil){i + 1, 1, {1}};
    block_stencil s = {i < BLOCKS_MAX / 2 ? 0 : i - (BLOCKS_MAX / 2 - 1),
                       g->ny < BLOCKS_MAX ? g->ny : BLOCKS_MAX,
                       {0}};
    if (s.first + s.n > g->ny) s.first = g->ny - s.n;
    for (size_t j = 0; j < s.n; j++) {
        s.w[j] = 1;
        for (size_t k = 0; k < s.n; k++)
            if (k != j) s.w[j] *= (Y - g->Y[s.first + k]) / (g->Y[s.first + j] - g->Y[s.first + k]);
    }
    return s;
}

/* The knots of all blocks: the nodes of the file from the first to the last one that any of them
 * has, and TAIL_KNOTS of our own. */
typedef struct {
    size_t first, nodes, n;
    long double *y, *f, *block; /* (n) each: knots, ln Gamma at Y, of one block */
} common_knots;

static cgct_status check_shared(const dipole_source *src, const block_stencil *s, cgct_err *err)
{
    const dipole_grid *g = &src->grid;
    size_t lo = 0, hi = g->nr - 1;
    for (size_t j = s->first; j < s->first + s->n; j++) {
        lo = src->lo[j] > lo ? src->lo[j] : lo;
        hi = src->hi[j] < hi ? src->hi[j] : hi;
    }
    if (hi < lo + NODES_MIN - 1)
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: blocks Y = %.6g to %.6g share only the nodes %zu to %zu, want %d; "
                         "correct one of them",
                         src->name, g->Y[s->first], g->Y[s->first + s->n - 1], lo, hi, NODES_MIN);
    return CGCT_OK;
}

static cgct_status init_knots(common_knots *k, const dipole_source *src, cgct_err *err)
{
    const dipole_grid *g = &src->grid;
    size_t first = g->nr, last = 0;
    for (size_t j = 0; j < g->ny; j++) {
        first = src->lo[j] < first ? src->lo[j] : first;
        last = src->hi[j] > last ? src->hi[j] : last;
    }
    *k = (common_knots){first, last - first + 1, last - first + 1 + TAIL_KNOTS, NULL, NULL, NULL};
    k->y = malloc(3 * k->n * sizeof *k->y);
    if (!k->y) return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for a spline", src->name);
    k->f = k->y + k->n;
    k->block = k->f + k->n;
    memcpy(k->y, g->lnr + first, k->nodes * sizeof *k->y);
    for (size_t i = k->nodes; i < k->n; i++)
        k->y[i] = k->y[k->nodes - 1] + TAIL_STEP * (i - k->nodes + 1);
    for (size_t i = 0; i < k->n; i++) k->f[i] = 0;
    return CGCT_OK;
}

/* Slope and curvature at y[0] of the cubic through four nodes; step: 1 or -1, where they lie. */
static void derivatives(const long double *y, const long double *f, int step, long double *slope,
                        long double *curvature)
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

/* f before knot lo, a power of r, and after knot hi. */
static void extend(const common_knots *k, size_t lo, size_t hi, long double *f)
{
    const long double *y = k->y;
    long double slope, curvature;
    derivatives(y + lo, f + lo, 1, &slope, &curvature);
    for (size_t i = 0; i < lo; i++) f[i] = f[lo] + slope * (y[i] - y[lo]);
    derivatives(y + hi, f + hi, -1, &slope, &curvature);
    const long double bend = TAIL_BEND * fabsl(slope);
    curvature = fminl(fmaxl(curvature, -bend), bend);
    for (size_t i = hi + 1; i < k->n; i++) {
        const long double v = y[i] - y[hi];
        f[i] = f[hi] + slope * v + curvature * (expm1l(-v) + v);
    }
}

static void logarithms(size_t n, const double *Gamma, long double *f)
{
    for (size_t i = 0; i < n; i++) f[i] = logl(Gamma[i]);
}

/* ln Gamma of block j on all knots.  Smoothed, it is extended first, so that the seams are smoothed
 * too; what it is extended by comes from smooth nodes. */
static cgct_status fill_block(const dipole_source *src, size_t j, const common_knots *k, dipole *d,
                              cgct_err *err)
{
    const size_t lo = src->lo[j] - k->first, hi = src->hi[j] - k->first, n = hi - lo + 1;
    const double *Gamma = src->grid.gamma + j * src->grid.nr + src->lo[j], length = src->o.smooth;
    long double *f = k->block;
    double moved;
    logarithms(n, Gamma, f + lo);
    if (length > 0) CGCT_TRY(dipole_smooth(n, k->y + lo, f + lo, length, &moved, err));
    extend(k, lo, hi, f);
    if (!(length > 0)) return CGCT_OK;
    logarithms(n, Gamma, f + lo);
    CGCT_TRY(dipole_smooth(k->n, k->y, f, length, &moved, err));
    d->moved = fmax(d->moved, moved);
    return CGCT_OK;
}

cgct_status dipole_blocks_at(dipole *d, const dipole_source *src, double Y, cgct_err *err)
{
    const dipole_grid *g = &src->grid;
    const block_stencil s = g->has_x ? find_blocks(g, Y) : (block_stencil){0, 1, {1}};
    common_knots k = {0};
    size_t lo = 0, cut = g->nr;
    cgct_status st = CGCT_OK;
    CGCT_TRY(check_shared(src, &s, err));
    CGCT_TRY(init_knots(&k, src, err));
    for (size_t j = s.first; j < s.first + s.n && st == CGCT_OK; j++) {
        st = fill_block(src, j, &k, d, err);
        for (size_t i = 0; i < k.n && st == CGCT_OK; i++) k.f[i] += s.w[j - s.first] * k.block[i];
        lo = src->lo[j] > lo ? src->lo[j] : lo;
        cut = src->hi[j] < cut ? src->hi[j] : cut;
    }
    if (st == CGCT_OK) st = dipole_spline_init(&d->spline, k.n, k.y, k.f, err);
    d->r_min = (double)expl(g->lnr[lo]);
    d->cut = (double)expl(g->lnr[cut]);
    free(k.y);
    return st;
}
