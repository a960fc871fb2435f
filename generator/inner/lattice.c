/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.c: points of the hexagonal lattice and the leading terms of Poisson's formula. */
#include "inner/lattice.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/arrays.h"
#include "numerics/bessel.h"
#include "numerics/vmath.h"

/* ---- points ---- */

/* Rows mu_i = i h sqrt(3)/2, in which nu = (j + i/2) h from 0 to pi, without the first point, which
 * is a centre. */
int lattice_init(lattice *q, const dipole *d, double eps, double delta, size_t columns, double cut)
{
    const double c = delta / 2, h = M_PI / (double)columns, row = h * sqrt(0.75);
    const size_t rows = (size_t)ceil(acosh(1 + cut / (eps * delta)) / row) + 1;
    const size_t n = rows * columns - 1;
    *q = (lattice){.n = n, .eps = eps, .delta = delta, .h = h, .row = row};
    double *r2, *z, *K0, *K1, *L;
    const array_part part[] = {
        ARRAY_PART(q->x, n),  ARRAY_PART(q->y, n),          ARRAY_PART(q->t2, n),
        ARRAY_PART(q->A, n),  ARRAY_PART(q->root, n),       ARRAY_PART(r2, 2 * n),
        ARRAY_PART(z, 2 * n), ARRAY_PART(K0, 2 * n),        ARRAY_PART(K1, 2 * n),
        ARRAY_PART(L, 2 * n), ARRAY_PART(q->psi[POL_T], n), ARRAY_PART(q->psi[POL_L], n)};
    if (!(q->block = ARRAYS(part))) return 0;
    for (size_t k = 0; k < n; k++) {
        const size_t i = (k + 1) / columns, j = (k + 1) % columns;
        const double mu = (double)i * row, nu = ((double)j + (i & 1 ? 0.5 : 0)) * h;
        const double s2 = pow(sinh(mu / 2), 2), rp = 2 * c * (s2 + pow(sin(nu / 2), 2));
        const double r = 2 * c * (s2 + pow(cos(nu / 2), 2));
        const double area = (i ? 2 : 1) * h * row; /* both halves */
        q->x[k] = c * cosh(mu) * cos(nu);
        q->y[k] = c * sinh(mu) * sin(nu);
        q->t2[k] = q->x[k] * q->x[k] + q->y[k] * q->y[k];
        q->psi[POL_L][k] = area * r * rp;
        q->psi[POL_T][k] = area * c * c * (pow(sinh(mu), 2) - pow(sin(nu), 2));
        r2[k] = rp * rp;
        r2[n + k] = r * r;
        z[k] = eps * rp;
        z[n + k] = eps * r;
    }
    bessel_K01(2 * n, z, K0, K1);
    dipole_lnS(d, 2 * n, r2, L);
    for (size_t k = 0; k < n; k++) {
        q->psi[POL_L][k] *= K0[k] * K0[n + k];
        q->psi[POL_T][k] *= K1[k] * K1[n + k];
        q->A[k] = L[k] + L[n + k];
        q->root[k] = vexp(0.5 * q->A[k]);
    }
    return 1;
}

void lattice_free(lattice *q)
{
    free(q->block);
    *q = (lattice){0};
}

/* ---- the excess ---- */

/* Radii of the grid, 1/GeV; the derivative is a difference over this step in ln r. */
static const double RADIUS_FIRST = 1e-7, RADIUS_LAST = 1e3, SLOPE_STEP = 0.5;
/* A slowly varying function g(r) has the transform -2 pi/kappa^2 dg/d ln r at this over kappa,
 * 2 exp(-0.5772): exact for g = ln r. */
static const double RADIUS_OF_MOMENTUM = 1.1229189671337703;

void lattice_dipole_init(lattice_dipole *l, const dipole *d)
{
    l->first = log(RADIUS_FIRST);
    l->step = log(RADIUS_LAST / RADIUS_FIRST) / (LATTICE_RADII - 1);
    for (size_t i = 0; i < LATTICE_RADII; i++) {
        const double at = l->first + (double)i * l->step;
        const double r[2] = {exp(at - SLOPE_STEP / 2), exp(at + SLOPE_STEP / 2)};
        double gamma[2], first[2], second[2];
        dipole_gamma(d, 2, r, gamma, first, second);
        l->slope[i] = (second[0] / (r[0] * r[0]) - second[1] / (r[1] * r[1])) / SLOPE_STEP;
    }
}

/* int d2r e^{-i kappa.r} L(r) = -(transform of the Laplacian)/kappa^2, at large kappa. */
static double transform_of_dipole(const lattice_dipole *l, double kappa)
{
    const double at = (log(RADIUS_OF_MOMENTUM / kappa) - l->first) / l->step;
    const double u = fmin(fmax(at, 0), LATTICE_RADII - 1.001);
    const size_t i = (size_t)u;
    const double slope = l->slope[i] + (u - (double)i) * (l->slope[i + 1] - l->slope[i]);
    return 2 * M_PI * slope / pow(kappa, 4);
}

/* With t = f(z), |dt| = s |dz|, s^2 = |r||r'|, the singularity is that of w L(s |z - z_0|), whose
 * transform at G is e^{-i G.z_0} psi psi weight times that of L at |G|/s.  The singularity at
 * t = -T lies at -z_0. */
void lattice_excess(const lattice *q, const lattice_dipole *l, double X, double Y, double weight,
                    double excess[NPOL])
{
    /* in units of the basis b1 = (-pi/row, 2 pi/h), b2 = (2 pi/row, 0): three shells, of each
     * vector and its opposite one of them */
    static const int shells[][2] = {{1, 0},  {0, 1}, {1, 1}, {2, 1}, {1, 2},
                                    {1, -1}, {2, 0}, {0, 2}, {2, 2}};
    const double c = q->delta / 2, eps = q->eps;
    const double r = sqrt((X + c) * (X + c) + Y * Y), rp = sqrt((X - c) * (X - c) + Y * Y);
    const double mu = acosh(fmax((r + rp) / (2 * c), 1));
    const double nu = acos(fmin(fmax((r - rp) / (2 * c), -1), 1)), s = sqrt(r * rp);
    double sum = 0, K0[2], K1[2];
    excess[POL_T] = excess[POL_L] = 0;
    if (!(s > 0)) return;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        const double G_nu = shells[i][0] * 2 * M_PI / q->h;
        const double G_mu = (2 * shells[i][1] - shells[i][0]) * M_PI / q->row;
        const double of_L = transform_of_dipole(l, hypot(G_mu, G_nu) / s);
        sum += 2 * cos(G_mu * mu + G_nu * nu) * of_L;
    }
    const double z[2] = {eps * r, eps * rp};
    bessel_K01(2, z, K0, K1);
    excess[POL_L] = 2 * weight * sum * K0[0] * K0[1];
    excess[POL_T] = 2 * weight * sum * K1[0] * K1[1] * (X * X + Y * Y - c * c) / (s * s);
}
