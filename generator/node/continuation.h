/* SPDX-License-Identifier: GPL-3.0-or-later */
/* continuation.h: modes at large q, where I is lost in the error of the computation, continued from
 * where it is not, so that a table is positive and smooth and interpolation just below that edge
 * meets no noise (METHOD.md 6.2). */
#ifndef CGCT_CONTINUATION_H
#define CGCT_CONTINUATION_H
#include <stddef.h>

/* modes (2, nq, nk, nm), error (2, nq, nk), GeV^-6.  At each k: the points beyond the last q whose
 * error is at most a tenth of |2 pi I_0|.  ln I_0 becomes that of a power times a Gaussian of q
 * through this last point, fitted to it and five before; I_m/I_0 stays as there for two points and
 * fades then, the higher the faster.  I_0 stays within the error of what was computed, and above
 * 2^-11 of the error.  error grows by what is changed: it still bounds that of I.  Columns with
 * fewer than two points to continue from are left alone.  Returns how many points are continued. */
size_t continue_modes(size_t nq, const double *q, size_t nk, size_t nm, double *modes,
                      double *error);
#endif
