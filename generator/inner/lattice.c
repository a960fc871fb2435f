/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.c: points of the hexagonal lattice and the leading terms of Poisson's formula. */
#include "inner/lattice.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/bessel.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

/* ---- points ---- */

lattice_shape lattice_shape_of(double eps, double delta, size_t columns, double cut)
{
    const double h = M_PI / (double)columns, row = h * sqrt(0.75);
    const size_t rows = (size_t)ceil(acosh(1 + cut / (eps * delta)) / row) + 1;
    return (lattice_shape){delta, h, row, columns, rows * columns - 1};
}

void lattice_init(lattice *q, const dipole *d, double eps, const lattice_shape *shape)
{
    const size_t n = shape->n;
    *q = (lattice){.n = n, .shape = *shape, .eps = eps};
    double *r2, *z, *K0, *K1, *L;
    const array_part part[] = {
        ARRAY_PART(q->x, n),  ARRAY_PART(q->y, n),          ARRAY_PART(q->t2, n),
        ARRAY_PART(q->A, n),  ARRAY_PART(q->root, n),       ARRAY_PART(r2, 2 * n),
        ARRAY_PART(z, 2 * n), ARRAY_PART(K0, 2 * n),        ARRAY_PART(K1, 2 * n),
        ARRAY_PART(L, 2 * n), ARRAY_PART(q->psi[POL_T], n), ARRAY_PART(q->psi[POL_L], n)};
    q->block = ARRAYS(part);
    for (size_t k = 0; k < n; k++) {
        const lattice_place p = lattice_place_at(shape, k);
        q->x[k] = p.x;
        q->y[k] = p.y;
        q->t2[k] = p.x * p.x + p.y * p.y;
        q->psi[POL_L][k] = p.area;
        q->psi[POL_T][k] = p.area * p.dot / (p.r * p.rp);
        r2[k] = p.rp * p.rp;
        r2[n + k] = p.r * p.r;
        z[k] = eps * p.rp;
        z[n + k] = eps * p.r;
    }
    bessel_K01(2 * n, z, K0, K1);
    dipole_lnS(d, 2 * n, r2, L);
    for (size_t k = 0; k < n; k++) {
        q->psi[POL_L][k] *= K0[k] * K0[n + k];
        q->psi[POL_T][k] *= K1[k] * K1[n + k];
        q->A[k] = L[k] + L[n + k];
        q->root[k] = vexp(0.5 * q->A[k]);
    }
}

void lattice_free(lattice *q)
{
    free(q->block);
    *q = (lattice){0};
}

/* ---- the excess ---- */

/* Radii of the grid, 1/GeV; the derivative is a difference over this step in ln r. */
static const double RADIUS_FIRST = 1e-7, RADIUS_LAST = 1e3, SLOPE_STEP = 0.5;

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

/* The singularity at t = T is that of weight psi psi L(s |z - z_0|), and that at t = -T lies at
 * -z_0. */
void lattice_excess(const lattice *q, const lattice_dipole *l, double X, double Y, double weight,
                    double excess[NPOL])
{
    const double c = q->shape.delta / 2, eps = q->eps;
    const double r = sqrt((X + c) * (X + c) + Y * Y), rp = sqrt((X - c) * (X - c) + Y * Y);
    double K0[2], K1[2];
    excess[POL_T] = excess[POL_L] = 0;
    if (!(r * rp > 0)) return;
    const double factor = 2 * weight * lattice_excess_sum(&q->shape, l, r, rp);
    const double z[2] = {eps * r, eps * rp};
    bessel_K01(2, z, K0, K1);
    excess[POL_L] = factor * K0[0] * K0[1];
    excess[POL_T] = factor * K1[0] * K1[1] * (X * X + Y * Y - c * c) / (r * rp);
}
