/* SPDX-License-Identifier: MIT */
/* Makes a sampler.  With ln q and ln k as variables the marginal density is q^2 k^2 J_0: the exact
 * share of each cell of the grid, and exponentials through its corners. */
#include "cgctab_sampler.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../format/elementary.h"

#define PI 3.14159265358979323846

enum { GAUSS = 4 };

static double density_at(const cgct_sampler *s, double ln_q, double ln_k)
{
    double zeroth[2];
    cgct_zeroth_at(cgct_slice_planes(s->slice), ln_q, ln_k, zeroth);
    return cgct_sampler_density(s, zeroth, cgct_exp(ln_q), cgct_exp(ln_k));
}

/* Sums, ratios and the floor below stay normal numbers. */
static const double DENSITY_MIN = 1e-200;

/* Only the shape within a cell depends on corners, so that a floor does no harm. */
static cgct_status fill_corners(cgct_sampler *s, cgct_err *err)
{
    const cgct_grid *q = cgct_sampler_axis(s, CGCT_AXIS_Q), *k = cgct_sampler_axis(s, CGCT_AXIS_K);
    double most = 0;
    for (size_t i = 0; i < s->nq * s->nk; i++) {
        s->corner[i] = density_at(s, q->ln[i / s->nk], k->ln[i % s->nk]);
        most = s->corner[i] > most ? s->corner[i] : most;
    }
    if (!(most > DENSITY_MIN && most < 1 / DENSITY_MIN))
        return cgct_fail(err, CGCT_E_DOMAIN, "largest density at a node is %g, want %g to %g", most,
                         DENSITY_MIN, 1 / DENSITY_MIN);
    for (size_t i = 0; i < s->nq * s->nk; i++)
        s->corner[i] = cgct_ln(s->corner[i] > 1e-30 * most ? s->corner[i] : 1e-30 * most);
    return CGCT_OK;
}

/* Of the density summed over k; in the disc, where it does not depend on k, that of its rim. */
static void fill_slope(cgct_sampler *s, size_t cell)
{
    size_t row = cell % s->rows, disc = s->fold && row == 0;
    const double *c = s->corner + cell / s->rows * s->nk + (disc ? 0 : row - (size_t)s->fold);
    double mean = c[s->nk] - c[0];
    if (!disc)
        mean += cgct_ln((1 + cgct_exp(c[s->nk + 1] - c[s->nk])) / (1 + cgct_exp(c[1] - c[0])));
    s->slope[2 * cell] = mean;
    s->slope[2 * cell + 1] = cgct_exp(mean) - 1;
}

/* Gauss-Legendre on [0,1]. */
static const double node[GAUSS] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281,
                                   0.9305681557970263};
static const double gauss[GAUSS] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                    0.1739274225687269};

static double integrate_cell(const cgct_sampler *s, size_t iq, size_t row)
{
    const double *q = cgct_sampler_axis(s, CGCT_AXIS_Q)->ln + iq,
                 *k = cgct_sampler_axis(s, CGCT_AXIS_K)->ln;
    double sum = 0, hq = q[1] - q[0];
    if (s->fold && row == 0) { /* Int_0^k_0 k dk = k_0^2/2 */
        for (int i = 0; i < GAUSS; i++)
            sum += 0.5 * gauss[i] * density_at(s, q[0] + node[i] * hq, k[0]);
        return hq * sum;
    }
    k += row - (size_t)s->fold;
    for (int i = 0; i < GAUSS; i++)
        for (int j = 0; j < GAUSS; j++)
            sum += gauss[i] * gauss[j] *
                   density_at(s, q[0] + node[i] * hq, k[0] + node[j] * (k[1] - k[0]));
    return hq * (k[1] - k[0]) * sum;
}

double cgct_sampler_target(const cgct_sampler *s, double u)
{
    return u * s->total * (1 - 4 * DBL_EPSILON);
}

static cgct_status fill_sampler(cgct_sampler *s, cgct_err *err)
{
    s->corner = (double *)malloc(s->nq * s->nk * sizeof *s->corner);
    s->slope = (double *)malloc(2 * s->ncell * sizeof *s->slope);
    s->share = (double *)malloc(s->ncell * sizeof *s->share);
    s->guide = (uint32_t *)malloc(s->ncell * sizeof *s->guide);
    if (!s->corner || !s->slope || !s->share || !s->guide)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu cells", s->ncell);
    CGCT_TRY(fill_corners(s, err));
    for (size_t i = 0; i < s->ncell; i++) fill_slope(s, i);
    for (size_t i = 0; i < s->ncell; i++) {
        s->total += integrate_cell(s, i / s->rows, i % s->rows);
        s->share[i] = s->total;
    }
    if (!(s->total > 0 && isfinite(s->total)))
        return cgct_fail(err, CGCT_E_DOMAIN, "integral of the density is %g, want a number > 0",
                         s->total);
    for (size_t i = 0, cell = 0; i < s->ncell; i++) {
        while (cell + 1 < s->ncell &&
               !(s->share[cell] > cgct_sampler_target(s, (double)i / (double)s->ncell)))
            cell++;
        s->guide[i] = (uint32_t)cell;
    }
    return CGCT_OK;
}

static cgct_status check_sampler_arguments(const cgct_slice *slice, const double factor[2],
                                           cgct_err *err)
{
    const cgct_table *t = slice->table;
    if (!(factor[0] >= 0 && factor[1] >= 0 && factor[0] + factor[1] > 0 &&
          isfinite(factor[0] + factor[1])))
        return cgct_fail(err, CGCT_E_DOMAIN, "factors %g and %g, want >= 0 and not both 0",
                         factor[0], factor[1]);
    if (t->grid[CGCT_AXIS_Q].n < 2 || t->grid[CGCT_AXIS_K].n < 2)
        return cgct_fail(err, CGCT_E_DOMAIN, "%s: %zu values of q and %zu of k leave no range",
                         t->path, t->grid[CGCT_AXIS_Q].n, t->grid[CGCT_AXIS_K].n);
    size_t cells = cgct_grid_cells(&t->grid[CGCT_AXIS_Q]) * cgct_grid_cells(&t->grid[CGCT_AXIS_K]);
    for (size_t i = 0; i < cells; i++) {
        size_t n = slice->dense.need[i];
        if (n > CGCT_SPECTRUM_BLOCKS)
            return cgct_fail(err, CGCT_E_DOMAIN, "%s: up to %zu modes, a sampler has room for %d",
                             t->path, cgct_modes_in(n), CGCT_SPECTRUM_MODES - 2);
    }
    return CGCT_OK;
}

cgct_status cgct_sampler_init(cgct_sampler **out, const cgct_slice *slice, const double factor[2],
                              cgct_err *err)
{
    if (out) *out = NULL;
    if (!out || !slice || !factor)
        return cgct_fail(err, CGCT_E_USAGE, "cgct_sampler_init: an argument is NULL");
    CGCT_TRY(check_sampler_arguments(slice, factor, err));
    cgct_sampler *s = (cgct_sampler *)calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a sampler");
    s->slice = slice;
    s->unit = factor[0] > factor[1] ? factor[0] : factor[1];
    for (int pol = 0; pol < 2; pol++) s->factor[pol] = factor[pol] / s->unit;
    s->fold = (slice->table->head.features & CGCT_FEATURE_FOLD) != 0;
    s->nq = slice->table->grid[CGCT_AXIS_Q].n;
    s->nk = slice->table->grid[CGCT_AXIS_K].n;
    s->rows = s->nk - 1 + (size_t)s->fold;
    s->ncell = (s->nq - 1) * s->rows;
    for (int m = 0; m < CGCT_SPECTRUM_MODES; m++) s->inverse[m] = 1.0 / (m + 1);
    cgct_status st = fill_sampler(s, err);
    if (st == CGCT_OK)
        *out = s;
    else
        cgct_sampler_free(s);
    return st;
}

/* J covers all of k; I = J(k1) + J(k2), so that its integral is twice as large. */
double cgct_sampler_total(const cgct_sampler *s)
{
    return s ? 8 * PI * PI * PI * (s->fold ? 2 : 1) * s->total * s->unit : NAN;
}

void cgct_sampler_free(cgct_sampler *s)
{
    if (!s) return;
    free(s->corner);
    free(s->slope);
    free(s->share);
    free(s->guide);
    free(s);
}
