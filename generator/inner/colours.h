/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colours.h: what a finite number of colours changes in an inner table, METHOD.md 11.
 *
 * The difference of the correlator between Nc and infinitely many colours has the factor
 * (k - a)(k - b), so that it is smooth where b = 0 or Delta + b = 0, where r = 0 and where r' = 0,
 * and some per cent of the whole.  Its inner table is therefore computed on a coarse grid of
 * (Delta, R/Delta), a point at a time, and interpolated. */
#ifndef CGCT_INNER_COLOURS_H
#define CGCT_INNER_COLOURS_H
#include "inner/table.h"

/* The difference has fewer modes than this. */
enum { COLOURS_MODES = 64 };

/* Adds to a table with infinitely many colours what it lacks to dipole_Nc(d) of them; nothing where
 * that is infinite.  Deterministic for any number of threads.
 * Accuracy o->colours, 1e-6 where that is 0, of max_m |G_m| at each (Delta,R); see
 *          tests/inner/test_colours.c
 * Returns  OK, E_NOMEM */
cgct_status inner_colours_add(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);

/* Makes the table of the correlator's singlet part on the same grid; a builder, but that o->single
 * does not count.
 * Accuracy 1e-5 of max_m |G_m| at each (Delta,R); see tests/inner/test_colours.c
 * Returns  OK, E_NOMEM */
cgct_status inner_colours_singlet(inner_table *t, const inner_opts *o, const dipole *d,
                                  cgct_err *err);
#endif
