/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_smooth.c: Whittaker-Henderson smoothing: g minimises
 *   Sum_i w_i (g_i - f_i)^2 + length^6 Sum_i h_i (g''')_i^2
 * with w the widths of the nodes, g''' six times the divided difference of four neighbours and h a
 * third of their span.  A wave of length 2 pi length in y is halved, shorter ones die with the
 * sixth power, parabolas stay as they are. */
#include <gsl/gsl_linalg.h>
#include <math.h>

#include "dipole/dipole_impl.h"

enum { ORDER = 3 };

/* The third derivative from nodes i..i+3, and the square root of its weight times length^3. */
static void stencil(const long double *y, double length, long double *c)
{
    const long double root = sqrtl((y[ORDER] - y[0]) / ORDER) * length * length * length;
    for (int j = 0; j <= ORDER; j++) {
        c[j] = 6 * root;
        for (int k = 0; k <= ORDER; k++)
            if (k != j) c[j] /= y[j] - y[k];
    }
}

/* (W + P) e = -P f for the change e = g - f, so that its rounding is relative to the change.  A in
 * the layout of gsl_linalg_cholesky_band: (node, distance below the diagonal). */
static void assemble(size_t n, const long double *y, const long double *f, double length,
                     gsl_matrix *A, gsl_vector *e)
{
    gsl_matrix_set_zero(A);
    gsl_vector_set_zero(e);
    for (size_t i = 0; i < n; i++)
        *gsl_matrix_ptr(A, i, 0) = (double)(y[i + 1 < n ? i + 1 : i] - y[i ? i - 1 : 0]) / 2;
    for (size_t i = 0; i + ORDER < n; i++) {
        long double c[ORDER + 1], third = 0;
        stencil(y + i, length, c);
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
    gsl_matrix *A = gsl_matrix_alloc(n, ORDER + 1);
    gsl_vector *e = gsl_vector_alloc(n);
    cgct_status st = CGCT_OK;
    if (!A || !e) {
        st = cgct_fail(err, CGCT_E_NOMEM, "out of memory to smooth %zu nodes", n);
    } else {
        assemble(n, y, f, length, A, e);
        if (gsl_linalg_cholesky_band_decomp(A) || gsl_linalg_cholesky_band_svx(A, e))
            st = cgct_fail(err, CGCT_E_DOMAIN, "%zu nodes cannot be smoothed over %g in ln r", n,
                           length);
    }
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
