/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usable.c: which nodes of one rapidity block are data.
 *
 * Tables of evolution codes are frozen where N > 1 - 1e-5: there -ln S is constant or jumps, which
 * also affects the nodes just before.  From the first node with Gamma >= ANCHOR two scans go
 * outwards as long as Gamma rises, has enough printed digits and does not jump.  At large r the
 * last node is then moved back from the frozen part until ln Gamma is smooth.  A table with many
 * digits that is frozen nowhere is data to their end.  Outside, Gamma is
 * replaced by powers of r; a defect between SMALL_GAMMA and LARGE_GAMMA would change the physics
 * and is an error. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"
#include "numerics/memory.h"

#define ANCHOR 0.05
#define SMALL_GAMMA 1e-3           /* below it Gamma may be replaced by a power of r */
#define LARGE_GAMMA 0.5            /* Gamma that every table must reach */
#define FREEZE 11.5129254649702284 /* -ln(1e-5) */
/* Slopes d ln Gamma/d ln r: their bounds at small r (public tables: 1.4 to 5), and the largest
 * change from one cell to the next that is no jump (public tables: 0.6 in the data, 4 and more
 * where they freeze). */
#define SLOPE_MIN 0.3
#define SLOPE_MAX 8.0
#define SLOPE_JUMP 0.75
/* Half a unit of the last printed digit may change Gamma by this share; by the second one beyond
 * FREEZE, where noise matters to I and a continuation would do. */
#define RESOLUTION 1e-3
#define RESOLUTION_FAR 1e-6
#define NODES_MIN 8
/* Before the frozen part, ln Gamma is smooth where the second difference of the slope is at most
 * SMOOTH_FACTOR times its median, or SMOOTH_FLOOR, in SMOOTH_CELLS cells; it is sought within
 * SMOOTH_RANGE in ln r, a few cells of real tables. */
#define SMOOTH_FACTOR 5.0
#define SMOOTH_FLOOR 0.002
#define SMOOTH_RANGE 0.7
#define SMOOTH_CELLS 3
#define GAMMA_FROM 3.0 /* a frozen part begins beyond it */
/* In files of `evolve` the second difference is at most 0.02; in public tables it exceeds 0.1
 * where they freeze, and Gamma does not rise smoothly to 1.4 FREEZE. */
#define BEND_MOST 0.04
#define NOT_FROZEN (1.4 * FREEZE)

typedef struct {
    const dipole_grid *g;
    size_t iy;
    const char *path;
    const double *gamma, *quantum;
    double *slope;   /* (nr): d ln Gamma/d ln r of cell i; not finite where Gamma is not positive */
    double *scratch; /* (nr) */
} usable_row;

/* Gamma is positive and finite, and its resolution dGamma = dN/(1-N) is small. */
static int usable_is_resolved(const usable_row *b, size_t i, double share)
{
    double G = b->gamma[i];
    return G > 0 && isfinite(G) && 0.5 * b->quantum[i] * exp(G) <= share * G;
}

static cgct_status usable_fail_between(const usable_row *b, size_t i, size_t j, const char *what,
                                       cgct_err *err)
{
    const dipole_grid *g = b->g;
    return cgct_fail(err, CGCT_E_FORMAT,
                     "%s:%u: %s: -ln S goes from %.6g at r = %.6g to %.6g at r = %.6g (Y = %.6g); "
                     "correct the table or leave the block out",
                     b->path, (unsigned)g->line[b->iy * g->nr + j], what, b->gamma[i],
                     exp((double)g->lnr[i]), b->gamma[j], exp((double)g->lnr[j]), g->Y[b->iy]);
}

static cgct_status usable_fail_at(const usable_row *b, size_t i, const char *what, double want,
                                  cgct_err *err)
{
    const dipole_grid *g = b->g;
    return cgct_fail(err, CGCT_E_FORMAT, "%s:%u: -ln S = %.6g at r = %.6g (Y = %.6g), %s %.6g",
                     b->path, (unsigned)g->line[b->iy * g->nr + i], b->gamma[i],
                     exp((double)g->lnr[i]), g->Y[b->iy], what, want);
}

/* |second difference of the slope| over the three cells that end at node i. */
static double usable_bend(const usable_row *b, size_t i)
{
    return fabs(b->slope[i - 1] - 2 * b->slope[i - 2] + b->slope[i - 3]);
}

/* Goes back one node further than smoothness demands, because the bend grows towards the frozen
 * part by a factor in each cell. */
static size_t usable_step_back(const usable_row *b, size_t anchor, size_t hi)
{
    const long double *y = b->g->lnr;
    const size_t first = anchor + SMOOTH_CELLS + 3;
    size_t to = hi;
    if (hi < first + SMOOTH_CELLS) return hi;
    while (to > first && b->gamma[to] > GAMMA_FROM) to--;
    const size_t n = to - anchor - 2; /* the nodes from anchor + 3 on */
    for (size_t i = 0; i < n; i++) b->scratch[i] = usable_bend(b, anchor + 3 + i);
    gsl_sort(b->scratch, 1, n);
    double tol = fmax(SMOOTH_FACTOR * b->scratch[(n - 1) / 2], SMOOTH_FLOOR);
    for (;; tol *= 2)
        for (size_t h = hi; h >= first && y[hi] - y[h] < SMOOTH_RANGE; h--) {
            int smooth = 1;
            for (size_t i = h; i + SMOOTH_CELLS > h; i--) smooth &= usable_bend(b, i) <= tol;
            if (smooth) return h < hi && h > first ? h - 1 : h;
        }
}

/* The last node from i on up to which Gamma rises without a jump, is resolved and at most
 * `most`. */
static size_t usable_last_rising(const usable_row *b, size_t i, double most, double share)
{
    for (; i + 1 < b->g->nr; i++) {
        const double s = b->slope[i];
        if (!usable_is_resolved(b, i + 1, share) || !(b->gamma[i + 1] <= most) || !(s > 0) ||
            !(fabs(s - b->slope[i - 1]) <= SLOPE_JUMP))
            break;
    }
    return i;
}

/* Whether the nodes up to `last` are data although they lie beyond FREEZE: Gamma reaches
 * NOT_FROZEN, and the slope never bends as where a frozen part begins. */
static int usable_is_never_frozen(const usable_row *b, size_t last)
{
    int smooth = b->gamma[last] >= NOT_FROZEN;
    for (size_t i = last; smooth && b->gamma[i] > GAMMA_FROM; i--)
        smooth = i >= SMOOTH_CELLS && usable_bend(b, i) <= BEND_MOST;
    return smooth;
}

static cgct_status usable_find_range(const usable_row *b, size_t *lo, size_t *hi, cgct_err *err)
{
    const size_t nr = b->g->nr;
    size_t a = 0; /* where the scans begin, with data on both sides */
    while (a < nr && !(b->gamma[a] >= ANCHOR)) a++;
    if (a == nr)
        return usable_fail_at(b, nr - 1, "the last one; a table must reach", LARGE_GAMMA, err);
    if (a == 0 && b->gamma[nr - 1] < b->gamma[0])
        return usable_fail_between(b, 0, nr - 1,
                                   "the dipole grows weaker with r; is the column S where N is "
                                   "expected, or N where S is (dipole.column)?",
                                   err);
    if (a == 0) return usable_fail_at(b, 0, "the first one; a table must begin below", ANCHOR, err);
    for (*lo = a; *lo > 0 && usable_is_resolved(b, *lo - 1, RESOLUTION); --*lo) {
        const double s = b->slope[*lo - 1];
        /* the cell above the anchor belongs to the scan upwards */
        const int jump = *lo < a && !(fabs(s - b->slope[*lo]) <= SLOPE_JUMP);
        if (!(s >= SLOPE_MIN && s <= SLOPE_MAX) || jump) break;
    }
    *hi = usable_last_rising(b, a, FREEZE, RESOLUTION);
    const size_t far = usable_last_rising(b, *hi, INFINITY, RESOLUTION_FAR);
    const int frozen = !usable_is_never_frozen(b, far);
    if (!frozen) *hi = far;
    if (*lo > 0 && b->gamma[*lo] > SMALL_GAMMA)
        return usable_fail_between(b, *lo - 1, *lo,
                                   usable_is_resolved(b, *lo - 1, RESOLUTION)
                                       ? "no smooth rise"
                                       : "too few printed digits",
                                   err);
    if (b->gamma[*hi] < LARGE_GAMMA && *hi + 1 < nr)
        return usable_fail_between(b, *hi, *hi + 1, "no smooth rise", err);
    if (b->gamma[*hi] < LARGE_GAMMA)
        return usable_fail_at(b, *hi, "the last one; a table must reach", LARGE_GAMMA, err);
    if (*hi + 1 < nr && frozen) *hi = usable_step_back(b, a, *hi);
    if (*hi - *lo + 1 < NODES_MIN)
        return usable_fail_at(b, *hi, "and too few smooth nodes below it; want", NODES_MIN, err);
    return CGCT_OK;
}

cgct_status dipole_grid_usable(const dipole_grid *g, size_t iy, const char *path, size_t *lo,
                               size_t *hi, cgct_err *err)
{
    usable_row b = {g, iy, path, g->gamma + iy * g->nr, g->quantum + iy * g->nr, NULL, NULL};
    b.slope = memory_new(2 * g->nr, sizeof *b.slope);
    b.scratch = b.slope + g->nr;
    for (size_t i = 0; i + 1 < g->nr; i++)
        b.slope[i] = log(b.gamma[i + 1] / b.gamma[i]) / (double)(g->lnr[i + 1] - g->lnr[i]);
    b.slope[g->nr - 1] = NAN;
    cgct_status st = usable_find_range(&b, lo, hi, err);
    free(b.slope);
    return st;
}
