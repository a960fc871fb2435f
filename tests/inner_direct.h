/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_direct.h: g(Delta,R,gamma) from its definition, for the tests of the builders: the integral
 * over r' of psi(r).psi(r') S4 with all four terms of N, no symmetry used.
 *
 * Gauss rules on squares that are halved towards the centres r = 0 and r' = 0, and less deep
 * towards the mild singularities of L at r + b = 0 and r' = b, until each is small against its
 * distance. */
#ifndef INNER_DIRECT_H
#define INNER_DIRECT_H
#include <math.h>

#include "numerics/bessel.h"
#include "inner/table.h"
#include "numerics/quadrature.h"

enum { DIRECT_NODES = 12, DIRECT_CELL = DIRECT_NODES * DIRECT_NODES };
#define DIRECT_DISTANCE 1.5 /* from the middle, in sides: 12 nodes leave (2 + sqrt 5)^-24 */
#define DIRECT_CENTRE 1e-6  /* smallest square at a centre, where the integrand is bounded */
#define DIRECT_MILD 1e-3    /* at a zero of r^2 ln r */
#define DIRECT_REACH 14     /* e^-28 is cut off */

typedef struct {
    const dipole *d;
    double eps, Delta, b[2], LB, side_max;
    double point[4][2], floor[4]; /* singular points and the smallest square at each */
    quad_gauss gauss;
    double g[NPOL];
} direct_task;

static inline double direct_lnS(const dipole *d, double x, double y)
{
    double r2 = x * x + y * y, L;
    dipole_lnS(d, 1, &r2, &L);
    return L;
}

/* |r'|^2, |r|^2, |b-r'|^2, |r+b|^2 on the nodes of one square */
static inline void direct_lengths(const direct_task *t, double x0, double y0, double h,
                                  double r2[4][DIRECT_CELL], double dot[DIRECT_CELL],
                                  double w[DIRECT_CELL])
{
    for (int i = 0, k = 0; i < DIRECT_NODES; i++)
        for (int j = 0; j < DIRECT_NODES; j++, k++) {
            double x = x0 + h * t->gauss.x[i], y = y0 + h * t->gauss.x[j], X = x + t->Delta;
            r2[0][k] = x * x + y * y;
            r2[1][k] = X * X + y * y;
            r2[2][k] = (t->b[0] - x) * (t->b[0] - x) + (t->b[1] - y) * (t->b[1] - y);
            r2[3][k] = (t->b[0] + X) * (t->b[0] + X) + (t->b[1] + y) * (t->b[1] + y);
            dot[k] = x * X + y * y;
            w[k] = h * h * t->gauss.w[i] * t->gauss.w[j];
        }
}

static inline double direct_W(double A, double B)
{
    double d = fabs(A - B);
    return exp(fmax(A, B)) * (d > 0 ? -expm1(-d) / d : 1);
}

static inline void direct_square(direct_task *t, double x, double y, double h)
{
    double r2[4][DIRECT_CELL], L[4][DIRECT_CELL], dot[DIRECT_CELL], w[DIRECT_CELL];
    double z[2][DIRECT_CELL], K0[2][DIRECT_CELL], K1[2][DIRECT_CELL];
    direct_lengths(t, x, y, h, r2, dot, w);
    for (int p = 0; p < 4; p++) dipole_lnS(t->d, DIRECT_CELL, r2[p], L[p]);
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k < DIRECT_CELL; k++) z[p][k] = t->eps * sqrt(r2[p][k]);
        bessel_K01(DIRECT_CELL, z[p], K0[p], K1[p]);
    }
    for (int k = 0; k < DIRECT_CELL; k++) {
        double N = L[2][k] + L[3][k] - t->LB;
        double S4 = -N * direct_W(L[0][k] + L[1][k], t->LB);
        t->g[POL_T] += w[k] * S4 * K1[0][k] * K1[1][k] * dot[k] / sqrt(r2[0][k] * r2[1][k]);
        t->g[POL_L] += w[k] * S4 * K0[0][k] * K0[1][k];
    }
}

static inline void direct_divide(direct_task *t, double x, double y, double h)
{
    int split = 2 * h > t->side_max;
    for (int p = 0; p < 4; p++)
        split |= 2 * h > t->floor[p] &&
                 hypot(x - t->point[p][0], y - t->point[p][1]) < DIRECT_DISTANCE * 2 * h;
    if (!split) {
        direct_square(t, x, y, h);
        return;
    }
    for (int i = 0; i < 4; i++)
        direct_divide(t, x + (i & 1 ? h : -h) / 2, y + (i & 2 ? h : -h) / 2, h / 2);
}

/* Delta lies along x, R at the angle gamma; b = R - lam Delta. */
static inline void inner_direct(const dipole *d, double eps, double lam, double Delta, double R,
                                double gamma, double g[NPOL])
{
    double bx = R * cos(gamma) - lam * Delta, by = R * sin(gamma), Qs = sqrt(d->Qs2);
    double LB = direct_lnS(d, Delta + bx, by) + direct_lnS(d, bx, by);
    direct_task t = {d,
                     eps,
                     Delta,
                     {bx, by},
                     LB,
                     fmin(4 / eps, 2 / Qs),
                     {{0, 0}, {-Delta, 0}, {bx, by}, {-Delta - bx, -by}},
                     {DIRECT_CENTRE / (eps + Qs), DIRECT_CENTRE / (eps + Qs),
                      DIRECT_MILD / (eps + Qs), DIRECT_MILD / (eps + Qs)},
                     {0},
                     {0, 0}};
    quad_gauss_init(&t.gauss, DIRECT_NODES);
    direct_divide(&t, -Delta / 2 + 1e-3, 1e-3, DIRECT_REACH / eps + Delta / 2);
    g[POL_T] = t.g[POL_T];
    g[POL_L] = t.g[POL_L];
}
#endif
