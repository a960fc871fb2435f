/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_usable.c: which nodes of one rapidity block are data.
 *
 * Tables of evolution codes are frozen where N > 1 - 1e-5: there -ln S stands still or jumps, and
 * the nodes just before are bent by it.  From the first node with Gamma >= ANCHOR the scans go
 * outwards as long as Gamma rises, keeps its printed digits and does not jump; at large r they then
 * step back from the freeze until ln Gamma is smooth again.  What lies outside is replaced by
 * powers of r; a defect between SMALL_R and LARGE_R would change the physics and is refused. */
#include <math.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"

#define ANCHOR 0.05
#define SMALL_R 1e-3               /* Gamma below which defects may be replaced by a power */
#define LARGE_R 0.5                /* Gamma that every table must reach */
#define FREEZE 11.5129254649702284 /* -ln(1e-5) */
/* Slopes d ln Gamma/d ln r: bounds at small r (public tables: 1.4 to 5), and the largest change
 * from one cell to the next that is not a jump (public tables: 0.6 in the data, 4 and more at the
 * freeze). */
#define SLOPE_MIN 0.3
#define SLOPE_MAX 8.0
#define SLOPE_JUMP 0.75
/* Half a printed digit may change Gamma by this share. */
#define RESOLUTION 1e-3
#define NODES_MIN 8
/* Step back from the freeze: second differences of the slope over three cells at most this times
 * their median, or this; over at most this distance in ln r (a few cells of real tables). */
#define SMOOTH_FACTOR 5.0
#define SMOOTH_FLOOR 0.002
#define SMOOTH_RANGE 0.7
#define SMOOTH_CELLS 3

typedef struct {
    const dipole_grid *g;
    const double *gamma, *quantum;
    size_t iy;
    double
        *slope; /* nr: d ln Gamma/d ln r of cell i; not finite where Gamma is no positive number */
} block;

static void fill_slopes(block *b)
{
    b->slope[b->g->nr - 1] = NAN;
    for (size_t i = 0; i + 1 < b->g->nr; i++)
        b->slope[i] =
            log(b->gamma[i + 1] / b->gamma[i]) / (double)(b->g->lnr[i + 1] - b->g->lnr[i]);
}

/* Gamma is positive and finite, and dGamma = dN/(1-N) is small. */
static int is_resolved(const block *b, size_t i)
{
    double G = b->gamma[i];
    return G > 0 && isfinite(G) && 0.5 * b->quantum[i] * exp(G) <= RESOLUTION * G;
}

static cgct_status defect(const block *b, const char *path, size_t i, size_t j, const char *what,
                          cgct_err *err)
{
    const dipole_grid *g = b->g;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "%s:%u: %s: -ln S goes from %.6g at r = %.6g to %.6g at r = %.6g (Y = %.6g); "
                     "correct the table or leave the block out",
                     path, (unsigned)g->line[b->iy * g->nr + j], what, b->gamma[i],
                     exp((double)g->lnr[i]), b->gamma[j], exp((double)g->lnr[j]), g->Y[b->iy]);
}

static cgct_status range_fail(const block *b, const char *path, size_t i, const char *what,
                              double want, cgct_err *err)
{
    const dipole_grid *g = b->g;
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: -ln S = %.6g at r = %.6g (Y = %.6g), %s %.6g",
                     path, (unsigned)g->line[b->iy * g->nr + i], b->gamma[i],
                     exp((double)g->lnr[i]), g->Y[b->iy], what, want);
}

static size_t scan_down(const block *b, size_t anchor)
{
    size_t lo = anchor;
    while (lo > 0 && is_resolved(b, lo - 1)) {
        double s = b->slope[lo - 1];
        if (!(s >= SLOPE_MIN && s <= SLOPE_MAX)) break;
        /* the cell above the anchor is judged by scan_up */
        if (lo < anchor && !(fabs(s - b->slope[lo]) <= SLOPE_JUMP)) break;
        lo--;
    }
    return lo;
}

static size_t scan_up(const block *b, size_t anchor)
{
    size_t hi = anchor;
    while (hi + 1 < b->g->nr && is_resolved(b, hi + 1) && b->gamma[hi + 1] <= FREEZE) {
        double s = b->slope[hi];
        if (!(s > 0) || !(fabs(s - b->slope[hi - 1]) <= SLOPE_JUMP)) break;
        hi++;
    }
    return hi;
}

/* |second difference of the slope| of the three cells that end at node i */
static double bend(const block *b, size_t i)
{
    return fabs(b->slope[i - 1] - 2 * b->slope[i - 2] + b->slope[i - 3]);
}

/* Median of bend over [from, to], by counting: the number of nodes is small. */
static double median_bend(const block *b, size_t from, size_t to)
{
    for (size_t i = from; i <= to; i++) {
        double v = bend(b, i);
        size_t below = 0, equal = 0;
        for (size_t j = from; j <= to; j++) {
            double u = bend(b, j);
            below += u < v;
            equal += u == v;
        }
        if (2 * below <= to - from && 2 * (below + equal) > to - from) return v;
    }
    return 0;
}

/* One node more than the scan asks for: the bend grows towards the freeze by a factor a cell. */
static size_t step_back(const block *b, size_t anchor, size_t hi)
{
    const long double *y = b->g->lnr;
    const size_t first = anchor + SMOOTH_CELLS + 3;
    size_t to = hi;
    if (hi < first + SMOOTH_CELLS) return hi;
    while (to > first && b->gamma[to] > 3) to--;
    double tol = fmax(SMOOTH_FACTOR * median_bend(b, anchor + 3, to), SMOOTH_FLOOR);
    for (;; tol *= 2)
        for (size_t h = hi; h >= first && y[hi] - y[h] < SMOOTH_RANGE; h--) {
            int smooth = 1;
            for (size_t i = h; i + SMOOTH_CELLS > h; i--) smooth &= bend(b, i) <= tol;
            if (smooth) return h < hi && h > first ? h - 1 : h;
        }
}

/* Node where the scans begin: Gamma in the middle of its range, data on both sides. */
static cgct_status find_anchor(const block *b, const char *path, size_t *a, cgct_err *err)
{
    const size_t nr = b->g->nr;
    *a = 0;
    while (*a < nr && !(b->gamma[*a] >= ANCHOR)) ++*a;
    if (*a == nr)
        return range_fail(b, path, nr - 1, "the last one; a table must reach", LARGE_R, err);
    if (*a == 0)
        return range_fail(b, path, 0, "the first one; a table must begin below", ANCHOR, err);
    return CGCT_OK;
}

static cgct_status find_range(const block *b, const char *path, size_t *lo, size_t *hi,
                              cgct_err *err)
{
    size_t a;
    CGCT_TRY(find_anchor(b, path, &a, err));
    *lo = scan_down(b, a);
    *hi = scan_up(b, a);
    if (*lo > 0 && b->gamma[*lo] > SMALL_R)
        return defect(b, path, *lo - 1, *lo,
                      is_resolved(b, *lo - 1) ? "no smooth rise" : "too few printed digits", err);
    if (b->gamma[*hi] < LARGE_R && *hi + 1 < b->g->nr)
        return defect(b, path, *hi, *hi + 1, "no smooth rise", err);
    if (b->gamma[*hi] < LARGE_R)
        return range_fail(b, path, *hi, "the last one; a table must reach", LARGE_R, err);
    if (*hi + 1 < b->g->nr) *hi = step_back(b, a, *hi);
    if (*hi - *lo + 1 < NODES_MIN)
        return range_fail(b, path, *hi, "and too few smooth nodes below it; want", NODES_MIN, err);
    return CGCT_OK;
}

cgct_status dipole_grid_usable(const dipole_grid *g, size_t iy, const char *path, size_t *lo,
                               size_t *hi, cgct_err *err)
{
    block b = {g, g->gamma + iy * g->nr, g->quantum + iy * g->nr, iy, NULL};
    b.slope = malloc(g->nr * sizeof *b.slope);
    if (!b.slope)
        return cgct_fail(err, CGCT_E_NOMEM, "%s: out of memory for %zu slopes", path, g->nr);
    fill_slopes(&b);
    cgct_status st = find_range(&b, path, lo, hi, err);
    free(b.slope);
    return st;
}
