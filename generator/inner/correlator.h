/* SPDX-License-Identifier: GPL-3.0-or-later */
/* correlator.h: the quadrupole of the dijet cross section from logarithms of dipole S-matrices, one
 * inline text for C and CUDA.
 *
 *   S4 = -N W(A,B),  A = L(r)+L(r'),  B = L(|Delta+b|)+L(b),  N = L(|r+b|)+L(|b-r'|)-B */
#ifndef CGCT_CORRELATOR_H
#define CGCT_CORRELATOR_H
#include "numerics/vmath.h"

CGCT_INLINE double correlator_S4(double N, double A, double B)
{
    return -N * expdiff(A, B);
}
#endif
