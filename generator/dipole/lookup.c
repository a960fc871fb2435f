/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.c: the polynomials of a dipole's lookup, each through four Chebyshev nodes of its cell. */
#include "dipole/lookup.h"

#include <stdlib.h>

#include "numerics/memory.h"

static uint64_t cell_number(double r2)
{
    return vmath_bits(r2) >> (52 - LOOKUP_BITS);
}

static double cell_begin(uint64_t number)
{
    return vmath_double(number << (52 - LOOKUP_BITS));
}

/* c: the coefficients in powers of u of the polynomial with values v at nodes u. */
static void fit_cell(const double *u, double *v, double *c)
{
    for (int j = 1; j < LOOKUP_PLANES; j++) /* divided differences */
        for (int i = LOOKUP_DEGREE; i >= j; i--) v[i] = (v[i] - v[i - 1]) / (u[i] - u[i - j]);
    for (int i = 0; i < LOOKUP_PLANES; i++) c[i] = 0;
    for (int i = LOOKUP_DEGREE; i >= 0; i--) { /* c = c (u - u_i) + v_i */
        for (int j = LOOKUP_DEGREE; j > 0; j--) c[j] = c[j - 1] - u[i] * c[j];
        c[0] = v[i] - u[i] * c[0];
    }
}

void dipole_lookup_init(dipole_lookup *t, const dipole *d, double least2, double most2)
{
    const size_t cells = (size_t)(cell_number(most2) - cell_number(least2)) + 1;
    *t = (dipole_lookup){.first = cell_number(least2),
                         .least = least2,
                         .most = most2,
                         .cells = cells,
                         .c = memory_new(cells * LOOKUP_PLANES, sizeof *t->c)};
    for (size_t i = 0; i < cells; i++) {
        const double begin = cell_begin(t->first + i), width = cell_begin(t->first + i + 1) - begin;
        double u[LOOKUP_PLANES], r2[LOOKUP_PLANES], L[LOOKUP_PLANES];
        for (int j = 0; j < LOOKUP_PLANES; j++) {
            u[j] = width * pow(sin(M_PI * (j + 0.5) / (2 * LOOKUP_PLANES)), 2);
            r2[j] = begin + u[j];
            u[j] = r2[j] - begin;
        }
        dipole_lnS(d, LOOKUP_PLANES, r2, L);
        fit_cell(u, L, t->c + i * LOOKUP_PLANES);
    }
}

void dipole_lookup_free(dipole_lookup *t)
{
    free(t->c);
    t->c = NULL;
}
