/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fold.h: modes of J = I chi, chi = k2^p/(k1^p + k2^p), from those of I (METHOD.md 6.1, FORMAT.md
 * 4).
 */
#ifndef CGCT_FOLD_H
#define CGCT_FOLD_H
#include <stddef.h>

#include "reader/cgctab.h"

/* The k axis of a folded table: k1[nk1] and, below it, down to `low` (GeV), steps as long as its
 * first one, then three times as long where k1 = k2 is out of reach at any q >= q_min, then a half
 * in ln k where J hardly changes, below `flat` (GeV).  Allocates *k. */
cgct_status fold_axis(size_t nk1, const double *k1, double q_min, double flat, double low,
                      size_t *nk, double **k, cgct_err *err);

/* In: *modes (2, nq, nk, *nm) of I.  Out: those of J.  A point has modes up to the last that stands
 * above keep times J_0 and a hundredth of the error; where the error exceeds J itself only J_0, and
 * that is not negative.  error (2, nq, nk) grows by what is left out.  power > 0. */
cgct_status fold_modes(double power, size_t nq, const double *q, size_t nk, const double *k,
                       double keep, size_t *nm, double **modes, double *error, cgct_err *err);
#endif
