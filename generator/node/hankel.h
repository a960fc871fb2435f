/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hankel.h: from an inner table to momenta: the two Hankel transforms, the modes I_m(q,P) that they
 * give on a dense grid of P, and the cross section at any point from those, for a table in memory
 * and for one read from an archive. */
#ifndef CGCT_HANKEL_H
#define CGCT_HANKEL_H
#include "inner/archive.h"
#include "inner/backend.h"

/* Rounding error of I relative to I itself: the floor of every error estimate.  The sums over modes
 * and nodes leave some 1e-14. */
#define MODE_ROUNDING 1e-13

/* The difference of two computations may be zero at a point by chance: its mean square is taken
 * over neighbouring momenta, so far from it in units of max(P, eps), or of max(P, eps, Qs). */
enum { NEIGHBOURS = 5 };
static const double NEIGHBOUR[NEIGHBOURS] = {0, -0.03, 0.03, -ARCHIVE_REACH, ARCHIVE_REACH};

enum { HANKEL_CHUNK = 64 }; /* momenta P whose weights are held at once */

/* Purpose  I_m(q,P) = int Delta dDelta R dR J_m(P Delta) J_m(q R) G_m(Delta,R)
 * In       t; k: momenta q[nq] > 0, P[np] >= 0 (GeV), degree of the local polynomials, tail of R or
 *          NULL; k->inner is not looked at
 * Out      modes (NPOL, nm, nq, np) row-major, caller-owned, GeV^-6
 *          seconds[2]: the time for the weights and for the products is added
 * Returns  OK, E_DOMAIN
 * Source   [P: eq. twostep], in any frame. */
cgct_status hankel_transform(const inner_table *t, const backend_transform *k, double *modes,
                             double seconds[2], cgct_err *err);

/* I_m(q,P) in one frame; const once made. */
typedef struct {
    double lam; /* frame: P = |k1 - lam q| */
    int step;   /* orders m = 0, step, 2 step, ... */
    size_t nm, nq, np;
    double *q, *P; /* GeV; q is the one allocation */
    double *I;     /* (NPOL, nq, np, nm) row-major, GeV^-6: all modes of one P lie together */
} mode_table;

/* modes: (NPOL, nm, nq, np) as hankel_transform makes them; momenta, frame and number of modes are
 * those of k.  Copies everything. */
void mode_table_init(mode_table *t, const backend_transform *k, const double *modes);
void mode_table_free(mode_table *t);

/* P = |k1 - lam q| and phi = angle(k1 - lam q, q) from k1 and theta = angle(k1, q). */
void mode_recentre(double lam, double q, double k1, double theta, double *P, double *phi);
/* k2 = |q - k1|, theta = angle(k1, q). */
double mode_k2(double q, double k1, double theta);

/* I[T,L] = 2 pi I_0 + 4 pi sum_m (-1)^m cos(m phi) I_m at q[iq] and a P inside the grid; modes are
 * interpolated in P by local polynomials through 10 nodes. */
void mode_table_eval(const mode_table *t, size_t iq, double P, double phi, double I[NPOL]);

/* The cross section on new momenta from an archived table: its modes, those of a transform with
 * Filon weights of another degree, and those of a table that holds nothing but errors as large as
 * were measured in the file.  const once made. */
typedef struct {
    const archive *a;
    size_t nq;
    double *q, *sigma; /* (nq); sigma of single scattering */
    mode_table value, lower, noise;
} stored_modes;

/* q[nq] in (0, q_max], else E_RANGE. */
cgct_status stored_modes_init(stored_modes *t, const archive *a, size_t nq, const double *q,
                              cgct_err *err);
void stored_modes_free(stored_modes *t);
/* I[T,L] as node_point gives it.  error: that of the transform and of the file; the error of the
 * table that was archived is not known here.  k1 <= k_max, else E_RANGE. */
cgct_status stored_modes_point(const stored_modes *t, size_t iq, double k1, double theta,
                               double I[NPOL], double error[NPOL], cgct_err *err);
#endif
