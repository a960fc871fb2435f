/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup_table.h: the coefficients of lookup.h, made on the processor. */
#ifndef CGCT_LOOKUP_TABLE_H
#define CGCT_LOOKUP_TABLE_H
#include "dipole/dipole.h"
#include "lookup.h"

typedef struct {
    lookup at;      /* its c points to this table's own coefficients */
    size_t cells;   /* of LOOKUP_TERMS numbers each */
    double error;   /* largest error found between the nodes: |difference|/max(1, |f|) */
    double *coeffs; /* owned */
} lookup_table;

/* Purpose  f at 2^bits cells per octave from lo to hi; the fewest bits that reach `tolerance` at
 *          points between the nodes of the interpolation
 * In       f(self, n, x, out); 0 < lo < hi; tolerance of |difference|/max(1, |f|)
 * Returns  OK, E_NOMEM, E_ACCURACY where LOOKUP_BITS_MAX does not do, E_DOMAIN */
typedef void (*lookup_function)(const void *self, size_t n, const double *x, double *out);
cgct_status lookup_init(lookup_table *t, const char *name, lookup_function f, const void *self,
                        double lo, double hi, double tolerance, cgct_err *err);
void lookup_free(lookup_table *t);

#define LOOKUP_TOLERANCE 1e-13

/* L as a function of r^2 in GeV^-2 up to r2_max. */
cgct_status lookup_lnS(lookup_table *t, const dipole *d, double r2_max, cgct_err *err);
/* e^x x K0(x) and e^x x K1(x) up to LOOKUP_K_MAX, shared by all: not to be freed. */
cgct_status lookup_bessel(const lookup_table **k0, const lookup_table **k1, cgct_err *err);
#endif
