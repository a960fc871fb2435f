/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.h: from the modes of I to those that a table stores: folding, which takes out the ridge at
 * k2 -> 0 (METHOD.md 6.1), and continuation to large q, where I is lost in its error (6.2). */
#ifndef CGCT_STORED_H
#define CGCT_STORED_H
#include "node/node.h"
#include "numerics/grid.h"

/* Where a folded table needs values of k below those of I. */
typedef struct {
    double q_min; /* GeV: smallest q; k1 = k2 is out of reach below q_min/2 */
    double flat;  /* GeV: J hardly changes below it */
    double low;   /* GeV: the first value; not below k1: the axis is k1 itself */
} fold_range;

/* The k axis of a folded table: k1 and, below it, steps as long as its first one; three times as
 * long where k1 = k2 is out of reach; a half in ln k below `flat`.  Allocates k->v. */
cgct_status fold_axis(const grid_axis *k1, const fold_range *range, grid_axis *k, cgct_err *err);

/* Purpose  modes of J = I chi, chi = k2^p/(k1^p + k2^p), p = power > 0, from those of I
 * In/out   m: of I, then of J.  A point keeps modes up to the last that exceeds keep times J_0 and
 *          a hundredth of the error; where the error exceeds J itself it keeps only J_0, or 0 if
 *          J_0 < 0.  error grows by what is left out.
 * Returns  OK, E_NOMEM
 * Source   METHOD.md 6.1, FORMAT.md 4. */
cgct_status fold_modes(double power, double keep, node_modes *m, cgct_err *err);

/* Purpose  replaces values lost in the error of the computation, so that a table is positive and
 *          smooth and interpolation just below that edge meets no noise
 * In/out   m, q rising.  At each k, beyond the last q whose error is at most a tenth of |2 pi I_0|,
 *          ln I_0 is that of a power times a Gaussian of q through this last point, fitted to it
 *          and five before.  I_m/I_0 stays as there for two points; then higher modes fade faster
 *          than lower ones.  I_0 stays within the error of what was computed and above 2^-11 of the
 *          error.  error grows by what is changed: it still bounds that of I.
 * Returns  how many points are continued: none at a k with fewer than two to continue from
 * Source   METHOD.md 6.2. */
size_t continue_modes(node_modes *m);
#endif
