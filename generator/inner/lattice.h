/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.h: the integral over r' at one Delta as a sum over a hexagonal lattice, and what that sum
 * lacks where the integrand is singular at a point.
 *
 * The lattice lies in elliptic coordinates (mu,nu) about the centres r = 0 and r' = 0:
 *
 *   t = r' + Delta/2 = c (cosh mu cos nu, sinh mu sin nu)        c = Delta/2, Delta along x
 *   |r'| = c (cosh mu - cos nu)    |r| = c (cosh mu + cos nu)    r.r' = c^2 (sinh^2 mu - sin^2 nu)
 *
 * The area element |r||r'| removes the poles of the wave functions, and the integrand is periodic
 * in nu, even under (mu,nu) -> (-mu,-nu) and falls faster than exponentially in mu, so that equal
 * weights converge fast.  What is left of a centre varies like |z|^2 (1 + cos 4 phi), z = (mu,nu):
 * a lattice of six-fold symmetry integrates its angular part exactly.  Since t -> -t changes
 * nothing, half of the lattice is enough.
 *
 * Beside the centres the integrand has a singularity of the dipole at t = T and at t = -T,
 * w(z) L(|t - T|), because L = ln S is not analytic at 0.  By Poisson's formula the sum exceeds the
 * integral by the transform of the integrand at the vectors of the reciprocal lattice, which that
 * singularity dominates; lattice_excess has it in closed form. */
#ifndef CGCT_INNER_LATTICE_H
#define CGCT_INNER_LATTICE_H
#include "dipole/dipole.h"
#include "inner/table.h"

enum { LATTICE_RADII = 256 };

/* d(Laplacian of L)/d ln r on a logarithmic grid of r: it decides how L(r) r^2 falls at large
 * momenta. */
typedef struct {
    double first, step, slope[LATTICE_RADII]; /* ln r, 1/GeV; GeV^2 */
} lattice_dipole;
void lattice_dipole_init(lattice_dipole *l, const dipole *d);

/* Points with equal weights at one Delta. */
typedef struct {
    size_t n;
    double eps, delta, h, row; /* row: h sqrt(3)/2, distance of rows in mu */
    double *x, *y, *t2;        /* of t, and its square */
    double *A, *root;          /* L(r) + L(r'), and the root of its exponential */
    double *psi[NPOL];         /* psi(r).psi(r') d2r' */
    void *block;
} lattice;

/* columns: points from nu = 0 to pi; the wave functions are cut where they fell by e^-cut.
 * Returns 0: no memory.  lattice_free accepts what is left then. */
int lattice_init(lattice *q, const dipole *d, double eps, double delta, size_t columns, double cut);
void lattice_free(lattice *q);

/* Purpose  how much the sum over the lattice exceeds the integral, for T = (X,Y), Y >= 0
 * In       weight: the derivative of what multiplies psi psi with respect to L(|t - T|), at t = T
 * Out      excess of T and L, to some per cent of itself */
void lattice_excess(const lattice *q, const lattice_dipole *l, double X, double Y, double weight,
                    double excess[NPOL]);
#endif
