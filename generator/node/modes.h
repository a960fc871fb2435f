/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modes.h: I_m(q,P) of one frame on a dense P grid, and the cross section at any point from it. */
#ifndef CGCT_MODES_H
#define CGCT_MODES_H
#include "inner/table.h"

typedef struct {
    double lam;
    int step; /* orders m = 0, step, 2 step, ... */
    size_t nm, nq, np;
    double *q, *P; /* GeV */
    double *I;     /* (NPOL, nq, np, nm) row-major, GeV^-6: all modes of one P lie together */
} mode_table;

/* Takes I (NPOL, nm, nq, np) as hankel_transform makes it. */
cgct_status mode_table_init(mode_table *t, double lam, size_t nm, int step, size_t nq,
                            const double *q, size_t np, const double *P, const double *I,
                            cgct_err *err);
void mode_table_free(mode_table *t);

/* P = |k1 - lam q| and phi = angle(k1 - lam q, q) from k1 and theta = angle(k1, q). */
void mode_recentre(double lam, double q, double k1, double theta, double *P, double *phi);

/* I[T,L] = 2 pi I_0 + 4 pi sum_m (-1)^m cos(m phi) I_m at q[iq], P inside the grid; modes are
 * interpolated in P by local polynomials through 10 nodes. */
void mode_table_eval(const mode_table *t, size_t iq, double P, double phi, double I[NPOL]);
#endif
