/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the polynomials of a table cell by cell and measures their error. */
#include "lookup.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/memory.h"

enum { PROBES = 5 };                  /* points of a cell where the error is measured */
static const double LNS_TINY = 1e-18; /* |ln S| at the first cell; below it S is 1 */

/* Chebyshev nodes of [-1,1], and the matrix that turns values there into powers of u. */
static void cell_interpolation(double node[LOOKUP_TERMS], double power[LOOKUP_TERMS][LOOKUP_TERMS])
{
    for (int i = 0; i < LOOKUP_TERMS; i++) node[i] = -cos(M_PI * (i + 0.5) / LOOKUP_TERMS);
    for (int i = 0; i < LOOKUP_TERMS; i++) {
        double c[LOOKUP_TERMS] = {1}, scale = 1; /* coefficients of prod_{j != i} (u - u_j) */
        for (int j = 0, degree = 0; j < LOOKUP_TERMS; j++) {
            if (j == i) continue;
            for (int k = ++degree; k >= 0; k--) c[k] = (k ? c[k - 1] : 0) - node[j] * c[k];
            scale *= node[i] - node[j];
        }
        for (int k = 0; k < LOOKUP_TERMS; k++) power[k][i] = c[k] / scale;
    }
}

/* The point of a cell with the local coordinate u in [-1,1], and half the width of the cell. */
static double lookup_point(const lookup_table *t, size_t cell, double u, double *half)
{
    uint32_t number = t->at.first + (uint32_t)cell;
    double left = lookup_from_high(number << t->at.shift);
    double right = lookup_from_high((number + 1) << t->at.shift);
    *half = 0.5 * (right - left);
    return left + *half * (1 + u);
}

static void fit_cells(lookup_table *t, const lookup_function *f)
{
    double node[LOOKUP_TERMS], power[LOOKUP_TERMS][LOOKUP_TERMS];
    cell_interpolation(node, power);
#pragma omp parallel for schedule(static)
    for (size_t cell = 0; cell < t->cells; cell++) {
        double x[LOOKUP_TERMS], y[LOOKUP_TERMS], half = 1, scale = 1;
        for (int i = 0; i < LOOKUP_TERMS; i++) x[i] = lookup_point(t, cell, node[i], &half);
        f->values(f->self, LOOKUP_TERMS, x, y);
        for (int k = 0; k < LOOKUP_TERMS; k++, scale /= half) {
            double c = 0;
            for (int i = 0; i < LOOKUP_TERMS; i++) c += power[k][i] * (y[i] - y[0]);
            t->coeffs[cell * LOOKUP_TERMS + (size_t)k] = scale * c + (k ? 0 : y[0]);
        }
    }
}

static void measure_error(lookup_table *t, const lookup_function *f)
{
    double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
    for (size_t cell = 0; cell < t->cells; cell++) {
        double x[PROBES], y[PROBES], half;
        for (int i = 0; i < PROBES; i++)
            x[i] = lookup_point(t, cell, -1 + (2 * i + 1.3) / PROBES, &half);
        f->values(f->self, PROBES, x, y);
        for (int i = 0; i < PROBES; i++) {
            double e = fabs(lookup_at(&t->at, x[i]) - y[i]) / fmax(1, fabs(y[i]));
            worst = e <= worst ? worst : isnan(e) ? INFINITY : e;
        }
    }
    t->error = worst;
}

cgct_status lookup_init(lookup_table *t, const lookup_function *f, double lo, double hi,
                        cgct_err *err)
{
    memset(t, 0, sizeof *t);
    lo = lookup_from_high(lookup_high(lo));
    if (!(lo > 1e-290 && hi > lo && hi < 1e290))
        return cgct_fail(err, CGCT_E_DOMAIN, "table of %s from %g to %g: no such range", f->name,
                         lo, hi);
    for (int bits = LOOKUP_BITS_MIN; bits <= LOOKUP_BITS_MAX; bits++) {
        lookup_free(t);
        t->at = (lookup){NULL, lo, lookup_high(lo) >> (20 - bits), 20 - bits};
        t->cells = (lookup_high(hi) >> t->at.shift) - t->at.first + 2;
        t->at.c = t->coeffs = memory_new(t->cells * LOOKUP_TERMS, sizeof *t->coeffs);
        fit_cells(t, f);
        measure_error(t, f);
        if (t->error <= LOOKUP_TOLERANCE) return CGCT_OK;
    }
    double error = t->error;
    lookup_free(t);
    return cgct_fail(err, CGCT_E_ACCURACY,
                     "table of %s: %d cells per octave leave %.1e, asked for %.1e; the function is "
                     "too rough for a device, use --backend separable or direct",
                     f->name, 1 << LOOKUP_BITS_MAX, error, LOOKUP_TOLERANCE);
}

void lookup_free(lookup_table *t)
{
    free(t->coeffs);
    memset(t, 0, sizeof *t);
}

static void lnS_values(const void *self, size_t n, const double *x, double *out)
{
    dipole_lnS(self, n, x, out);
}

cgct_status lookup_lnS(lookup_table *t, const dipole *d, double r2_max, cgct_err *err)
{
    const lookup_function f = {"ln S", lnS_values, d};
    double lo = 0x1p-200, hi = r2_max, L;
    for (int i = 0; i < 200; i++) {
        double mid = sqrt(lo) * sqrt(hi);
        dipole_lnS(d, 1, &mid, &L);
        if (-L < LNS_TINY)
            lo = mid;
        else
            hi = mid;
    }
    return lookup_init(t, &f, lo, r2_max, err);
}
