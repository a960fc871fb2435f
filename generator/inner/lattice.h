/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.h: the integral over r' at one Delta as a sum over a hexagonal lattice, and what that sum
 * lacks where the integrand is singular at a point; the pointwise parts in C and CUDA.
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
#include <math.h>

#include "dipole/dipole.h"
#include "inner/table.h"
#include "numerics/pointwise.h"

/* ---- the points ---- */

/* Rows mu_i = i row, in which nu = (j + i/2) h, j < columns, from 0 to pi; row = h sqrt(3)/2. */
typedef struct {
    double delta, h, row;
    size_t columns, n; /* n: of all points but the first, which is a centre */
} lattice_shape;

/* columns: points from nu = 0 to pi; the wave functions are cut where they fell by e^-cut. */
lattice_shape lattice_shape_of(double eps, double delta, size_t columns, double cut);

/* t = (x,y), |r|, |r'|, r.r' and the area of one point. */
typedef struct {
    double x, y, r, rp, dot, area;
} lattice_place;

CGCT_INLINE lattice_place lattice_place_at(const lattice_shape *q, size_t k)
{
    const size_t i = (k + 1) / q->columns, j = (k + 1) % q->columns;
    const double c = q->delta / 2, mu = (double)i * q->row;
    const double nu = ((double)j + (i & 1 ? 0.5 : 0)) * q->h;
    const double half_mu = sinh(mu / 2), half_sine = sin(nu / 2), half_cosine = cos(nu / 2);
    const double sinh_mu = sinh(mu), sine = sin(nu);
    lattice_place p;
    p.x = c * cosh(mu) * cos(nu);
    p.y = c * sinh_mu * sine;
    p.r = 2 * c * (half_mu * half_mu + half_cosine * half_cosine);
    p.rp = 2 * c * (half_mu * half_mu + half_sine * half_sine);
    p.dot = c * c * (sinh_mu * sinh_mu - sine * sine);
    p.area = (i ? 2 : 1) * q->h * q->row * p.r * p.rp; /* both halves */
    return p;
}

/* ---- the singularity ---- */

enum { LATTICE_RADII = 256 };

/* d(Laplacian of L)/d ln r on a logarithmic grid of r: it decides how L(r) r^2 falls at large
 * momenta. */
typedef struct {
    double first, step, slope[LATTICE_RADII]; /* ln r, 1/GeV; GeV^2 */
} lattice_dipole;
void lattice_dipole_init(lattice_dipole *l, const dipole *d);

/* A slowly varying function g(r) has the transform -2 pi/kappa^2 dg/d ln r at this over kappa,
 * 2 exp(-0.5772): exact for g = ln r. */
#define LATTICE_RADIUS_OF_MOMENTUM 1.1229189671337703

/* int d2r e^{-i kappa.r} L(r) = -(transform of the Laplacian)/kappa^2, at large kappa. */
CGCT_INLINE double lattice_transform(const lattice_dipole *l, double kappa)
{
    const double at = (log(LATTICE_RADIUS_OF_MOMENTUM / kappa) - l->first) / l->step;
    const double u = fmin(fmax(at, 0.), LATTICE_RADII - 1.001), kappa2 = kappa * kappa;
    const size_t i = (size_t)u;
    const double slope = l->slope[i] + (u - (double)i) * (l->slope[i + 1] - l->slope[i]);
    return 2 * M_PI * slope / (kappa2 * kappa2);
}

/* The sum of e^{-i G.z_0} times the transform of L(s |z - z_0|) over vectors G of the reciprocal
 * lattice, z_0 lying at the distances r and r' from the centres: three shells, of each vector and
 * its opposite one of them, in units of the basis (-pi/row, 2 pi/h), (2 pi/row, 0).  With t = f(z),
 * |dt| = s |dz|, s^2 = |r||r'|. */
CGCT_INLINE double lattice_excess_sum(const lattice_shape *q, const lattice_dipole *l, double r,
                                      double rp)
{
    const int shells[][2] = {{1, 0},  {0, 1}, {1, 1}, {2, 1}, {1, 2},
                             {1, -1}, {2, 0}, {0, 2}, {2, 2}};
    const double c = q->delta / 2, s = sqrt(r * rp);
    const double mu = acosh(fmax((r + rp) / (2 * c), 1.));
    const double nu = acos(fmin(fmax((r - rp) / (2 * c), -1.), 1.));
    double sum = 0;
    for (int i = 0; i < (int)(sizeof shells / sizeof *shells); i++) {
        const double G_nu = shells[i][0] * 2 * M_PI / q->h;
        const double G_mu = (2 * shells[i][1] - shells[i][0]) * M_PI / q->row;
        sum += cos(G_mu * mu + G_nu * nu) * lattice_transform(l, hypot(G_mu, G_nu) / s);
    }
    return 2 * sum;
}

/* ---- on the processor ---- */

/* Points with equal weights at one Delta. */
typedef struct {
    size_t n;
    lattice_shape shape;
    double eps;
    double *x, *y, *t2; /* of t, and its square */
    double *A, *root;   /* L(r) + L(r'), and the root of its exponential */
    double *psi[NPOL];  /* psi(r).psi(r') d2r' */
    void *block;
} lattice;

void lattice_init(lattice *q, const dipole *d, double eps, const lattice_shape *shape);
void lattice_free(lattice *q);

/* Purpose  how much the sum over the lattice exceeds the integral, for T = (X,Y), Y >= 0
 * In       weight: the derivative of what multiplies psi psi with respect to L(|t - T|), at t = T
 * Out      excess of T and L, to some per cent of itself */
void lattice_excess(const lattice *q, const lattice_dipole *l, double X, double Y, double weight,
                    double excess[NPOL]);
#endif
