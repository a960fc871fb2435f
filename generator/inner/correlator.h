/* SPDX-License-Identifier: GPL-3.0-or-later */
/* correlator.h: the dijet's correlator of Wilson lines in the Gaussian approximation for any number
 * of colours Nc >= 2, in C and CUDA.
 *
 *   a = Gamma(r) + Gamma(r')   b = Gamma(|Delta+b|) + Gamma(|b|)   k = Gamma(|r+b|) + Gamma(|b-r'|)
 *
 * and (alpha, beta, kappa) = (a, b, k)/C_F determine it:
 *
 *   s   = -(Nc/4 - 1/(2 Nc)) (alpha + beta) - kappa/(2 Nc)
 *   D^2 = (Nc/4)^2 (alpha - beta)^2 + (kappa - alpha)(kappa - beta)/4
 *   Q   = e^s [cosh D + (Nc/4)(2 kappa - alpha - beta) sinh(D)/D]       S4 = Q - e^-a
 *
 * S4 vanishes at k = b, where these terms cancel.  With c = Nc^2/(Nc^2 - 1), t = 1/(Nc^2 - 1),
 * Y = k - b, Z = k - a and D0 = c |a - b|/2 all cancellation is done by hand, sigma being 1 where
 * a >= b and -1 elsewhere:
 *
 *   D^2 = D0^2 + c t Y Z     eta = D - D0 = c t Y Z/(D + D0)     v = c Y + sigma eta
 *   s + D = -min(a,b) + t z (c z - eta)/(D + D0)                 z = k - max(a,b)
 *   S4  = v e^(s+D) exprel(-2 D) + sigma e^top expm1(-t Y v/(D + D0))
 *   top = -a where sigma = 1, s + D elsewhere
 *
 * Nc -> infinity, c = 1 and t = 0, is the large-Nc form -N W(A,B).
 *
 * The part of S4 in which the pair is a colour singlet behind the target is <tr tr>/Nc^2 - e^-a,
 *
 *   <tr tr>/Nc^2 = e^s {cosh D + [-(Nc/4)(alpha - beta) + (kappa - beta)/(2 Nc)] sinh(D)/D}
 *
 * It is t Y^2 times the second divided difference of exp at s + D, -a and s - D, that is positive
 * but for a double zero at k = b.  The three exponents fall in this order:
 *
 *   u = s + D + a = D + c (a - b)/2 - t Y >= 0      u (2 D - u) = t Y^2
 *
 * Source: METHOD.md 11. */
#ifndef CGCT_CORRELATOR_H
#define CGCT_CORRELATOR_H
#include "numerics/vmath.h"

/* c and t of a number of colours: 1 and 0 for infinitely many. */
typedef struct {
    double c, t;
} correlator;

CGCT_INLINE correlator correlator_of(double Nc)
{
    double t = 1 / (Nc * Nc - 1);
    correlator k = {1 + t, t};
    return k;
}

/* S4 from A = -a, B = -b <= 0 and N = -(k - b), e^A being known.  Where a, b, k are sides of a
 * triangle, as those of a Gaussian model are, its relative error is below 5e-16 (1 + a + b) besides
 * that of N (tests/inner/test_correlator.c). */
CGCT_KERNEL double correlator_S4(correlator q, double A, double B, double N, double eA)
{
    double X = B - A, Y = -N, Z = Y - X, yz = q.c * q.t * Y * Z, D0 = 0.5 * q.c * fabs(X);
    double square = D0 * D0 + yz, D = sqrt(square > 0 ? square : 0);
    double inverse = CGCT_RECIPROCAL(D + D0 + 1e-200), eta = yz * inverse;
    double sigma = X >= 0 ? 1 : -1, v = q.c * Y + sigma * eta;
    double z = X >= 0 ? Z : Y, top = (X >= 0 ? B : A) + q.t * z * ((q.c * z - eta) * inverse);
    double e = CGCT_EXP(top), rest = CGCT_EXPM1(-q.t * Y * (v * inverse));
    return v * e * exprel(-2 * D) + sigma * (X >= 0 ? eA : e) * rest;
}

/* The second divided difference of exp at u, 0 and u - 2 D, D <= 1/4, from p = 2 u - 2 D and
 * m = u (2 D - u): Sum_n h_n/(n + 2)! with h_0 = 1, h_n = p h_(n-1) + m h_(n-2), to 1e-16. */
CGCT_KERNEL double correlator_series_(double p, double m)
{
    double one = 1, two = 1;
    for (int n = 12; n >= 0; n--) {
        const double next = 1 + 1. / (n + 3) * (p * one + 1. / (n + 4) * m * two);
        two = one;
        one = next;
    }
    return 0.5 * one;
}

/* The singlet part of S4, from the arguments of correlator_S4; finite Nc.  Its relative error is
 * below 5e-16 (1 + a + b) besides twice that of N (tests/inner/test_correlator.c). */
CGCT_KERNEL double correlator_singlet(correlator q, double A, double B, double N, double eA)
{
    double X = B - A, Y = -N, h = 0.5 * q.c * X, m = q.t * Y * Y;
    double square = h * h + q.c * q.t * Y * (Y - X), D = sqrt(square > 0 ? square : 0);
    double u = D + h - q.t * Y, e = CGCT_EXP(A + u);
    double near = eA * correlator_series_(2 * (h - q.t * Y), m);
    double far = (e * exprel(-u) - eA * exprel(u - 2 * D)) / (2 * D + 1e-200);
    return m * (D < 0.25 ? near : far);
}
#endif
