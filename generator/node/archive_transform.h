/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_transform.h: the cross section on new momenta from an archived inner table. */
#ifndef CGCT_ARCHIVE_TRANSFORM_H
#define CGCT_ARCHIVE_TRANSFORM_H
#include "inner/archive.h"
#include "node/modes.h"

/* I on new momenta; three transforms: value, the Filon degree below, and the effect of entries that
 * are off by what was measured.  const once made. */
typedef struct {
    const archive *a;
    size_t nq;
    double *q, *sigma; /* (nq); sigma of the ridges */
    mode_table value, lower, noise;
} archive_modes;

/* q[nq] in (0, q_max], else E_RANGE. */
cgct_status archive_transform(archive_modes *t, const archive *a, size_t nq, const double *q,
                              cgct_err *err);
void archive_modes_free(archive_modes *t);
/* I[T,L] as pipeline_point gives it; error: that of the transform and of the file, not that of the
 * builder.  k1 <= k_max, else E_RANGE. */
cgct_status archive_point(const archive_modes *t, size_t iq, double k1, double theta,
                          double I[NPOL], double error[NPOL], cgct_err *err);
#endif
