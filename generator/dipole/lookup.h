/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h: L = ln S of one dipole as cubic polynomials of r^2, for sums over very many points that
 * need neither its last digits nor differences without cancellation; in C and CUDA. */
#ifndef CGCT_DIPOLE_LOOKUP_H
#define CGCT_DIPOLE_LOOKUP_H
#include "dipole/dipole.h"
#include "numerics/vmath.h"

enum { LOOKUP_BITS = 7, LOOKUP_DEGREE = 3, LOOKUP_PLANES = LOOKUP_DEGREE + 1 };

/* Cells divide each octave of r^2 into 2^LOOKUP_BITS equal parts, so that the leading bits of r^2
 * are the number of its cell. */
typedef struct {
    uint64_t first; /* number of the first cell */
    double least, most;
    size_t cells;
    double *c; /* (cells, LOOKUP_PLANES): coefficients in r^2 less the begin of the cell */
} dipole_lookup;

/* For r^2 from least2 to most2, both > 0.
 * Accuracy 3e-12 of L, of dipoles that vary with ln r as MV and evolved ones do.
 * Memory   4 kB for each octave of r^2 */
void dipole_lookup_init(dipole_lookup *t, const dipole *d, double least2, double most2);
void dipole_lookup_free(dipole_lookup *t);

/* Coefficients of the cell of r^2, and r^2 less its begin; beyond an end those of the end.  Loops
 * that only find places vectorise, and those that only evaluate need no more than loads. */
typedef struct {
    uint64_t from;
    double u;
} lookup_place;

CGCT_INLINE lookup_place dipole_lookup_place(const dipole_lookup *t, double r2)
{
    r2 = r2 > t->least ? r2 : t->least;
    r2 = r2 < t->most ? r2 : t->most;
    const uint64_t number = vmath_bits(r2) >> (52 - LOOKUP_BITS);
    lookup_place p = {(number - t->first) * LOOKUP_PLANES,
                      r2 - vmath_double(number << (52 - LOOKUP_BITS))};
    return p;
}

/* L there. */
CGCT_INLINE double dipole_lookup_value(const dipole_lookup *t, uint64_t from, double u)
{
    const double *c = t->c + from;
    return fmadd(u, fmadd(u, fmadd(u, c[3], c[2]), c[1]), c[0]);
}

CGCT_INLINE double dipole_lookup_at(const dipole_lookup *t, double r2)
{
    const lookup_place p = dipole_lookup_place(t, r2);
    return dipole_lookup_value(t, p.from, p.u);
}
#endif
