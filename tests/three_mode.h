/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_mode.h: one complex mode of a three-momentum transform from the arrays of its result. */
#ifndef THREE_MODE_H
#define THREE_MODE_H
#include "three/plan.h"

/* A[re,im] = A_mn at momenta number ik, ip, iq of their axes; |m|, |n| <= M.  With B and C the
 * modes of Re G and Im G, A_mn = B_mn + i C_mn, B_{-m,-n} = conj(B_mn), and so for C. */
static inline void three_momentum_mode(const three_momentum *t, int m, int n, size_t ik, size_t ip,
                                       size_t iq, double A[2])
{
    int flip = m < 0;
    size_t mode = (size_t)(flip ? -m : m) * t->nn + (size_t)((flip ? -n : n) + (int)t->M);
    size_t one = t->nk * t->nq * t->np, nplane = t->is_symmetric ? 1 : 2, step = t->nmode * one;
    double v[2][2] = {{0, 0}, {0, 0}}, sign = flip ? -1 : 1;
    for (size_t channel = 0; channel <= (size_t)t->is_complex; channel++) {
        const double *a = t->A[THREE_FINE] + channel * nplane * step + mode * one;
        a += (ik * t->nq + iq) * t->np + ip;
        v[channel][0] = a[0];
        if (!t->is_symmetric) v[channel][1] = a[step];
    }
    A[0] = v[0][0] - sign * v[1][1];
    A[1] = sign * v[0][1] + v[1][0];
}
#endif
