/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From modes to F. */
#include <math.h>
#include <stdlib.h>

#include "three/momentum_impl.h"

/* Mode (m, n), m >= 0, of Re G (part 0) or Im G (part 1): re, im */
static void mode_of(const three_momentum *t, int set, int part, size_t mode, size_t at, double A[2])
{
    size_t npart = t->is_symmetric ? 1 : 2, step = t->nmode * t->nk * t->nq * t->np;
    const double *a = t->A[set] + (size_t)part * npart * step + mode * t->nk * t->nq * t->np + at;
    A[0] = a[0];
    A[1] = t->is_symmetric ? 0 : a[step];
}

static size_t place(const three_momentum *t, size_t ik, size_t ip, size_t iq)
{
    return (ik * t->nq + iq) * t->np + ip;
}

void three_momentum_mode(const three_momentum *t, int m, int n, size_t ik, size_t ip, size_t iq,
                         double A[2])
{
    int flip = m < 0;
    size_t mode = (size_t)(flip ? -m : m) * t->nn + (size_t)((flip ? -n : n) + (int)t->M);
    double v[2][2] = {{0, 0}, {0, 0}}; /* of Re G and Im G; A_{-m,-n} = conj A_mn for each */
    for (int part = 0; part <= t->is_complex; part++)
        mode_of(t, THREE_FINE, part, mode, place(t, ik, ip, iq), v[part]);
    double sign = flip ? -1 : 1;
    A[0] = v[0][0] - sign * v[1][1];
    A[1] = sign * v[0][1] + v[1][0];
}

/* The part of F from Re G or Im G, which is real; *error: each mode's change with the coarser
 * weights, and the outermost modes themselves, without regard to signs. */
static double value_of(const three_momentum *t, int part, size_t at, double phi_p, double phi_q,
                       double *error)
{
    double sum = 0, off = 0, M = (double)t->M;
    for (size_t mode = 0; mode < t->nmode; mode++) {
        double A[2], B[2], m = (double)(mode / t->nn), n = (double)(mode % t->nn) - M;
        double psi = n * phi_q - (m + n) * phi_p, twice = m > 0 ? 2 : 1;
        mode_of(t, THREE_FINE, part, mode, at, A);
        mode_of(t, THREE_COARSE, part, mode, at, B);
        sum += twice * (A[0] * cos(psi) + A[1] * sin(psi));
        off += twice * hypot(A[0] - B[0], A[1] - B[1]);
        if (m == M || fabs(n) == M) off += twice * hypot(A[0], A[1]);
    }
    *error = pow(2 * M_PI, 3) * off;
    return pow(2 * M_PI, 3) * sum;
}

void three_momentum_value(const three_momentum *t, size_t ik, size_t ip, size_t iq, double phi_p,
                          double phi_q, double F[2], double *error)
{
    F[1] = *error = 0;
    for (int part = 0; part <= t->is_complex; part++) {
        double e;
        F[part] = value_of(t, part, place(t, ik, ip, iq), phi_p, phi_q, &e);
        *error += e;
    }
}
