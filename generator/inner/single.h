/* SPDX-License-Identifier: GPL-3.0-or-later */
/* single.h: single scattering, the part of I that the singularities of the correlator cause, in
 * closed form.
 *
 * The dijet's correlator is singular where one of four distances vanishes.  METHOD.md 1 and 3 give
 *
 *   dS4/dL(|b|)   =  S(Delta)      at b = 0            and alike for Delta + b
 *   dS4/dL(|r+b|) = -S(r) S(r')    at r + b = 0        and alike for b - r'
 *
 * so that the following has the same singularities, each with the same strength:
 *
 *   S4_1 = S(Delta) [S(b) + S(Delta+b)] - S(r) S(r') [S(r+b) + S(b-r')]
 *
 * Its transform needs functions of one variable only:
 *
 *   I_1(q,k1) = sigma(q) { F(k1) + F(k2) - 2 Psi(k1).Psi(k1-q) }          k2 = q - k1
 *   sigma(q)  = 2 pi int y dy J_0(q y) S(y)
 *   F_p(k)    = 2 pi int Delta dDelta J_0(k Delta) f_p(Delta)
 *   f_p       = S(Delta) int d2r' psi_p(r).psi_p(r')
 *   Psi_L(k)  = 2 pi int r dr J_0(k r) S(r) K_0(eps r)
 *   Psi_T(k)  = 2 pi int r dr J_1(k r) S(r) K_1(eps r), a vector along k
 *
 * I_1 has the ridges k1 -> 0 and k2 -> 0, and is all of I to a few per cent where q >> Qs.  It is
 * subtracted from the inner table and added in momentum space.  What is left is many times smaller
 * at large momenta, and the quadratures have weaker singularities to cross.
 *
 * With the factor S(|b|) of a quark of the proton (PROCESS_QG) the strengths at b = 0 and
 * Delta + b = 0 are 2 S(Delta) - S(r) S(r') and S(Delta)^2.  These two terms are taken off, each
 * less the same with S(R), so that no logarithm is left at Delta = 0:
 *
 *   I_1 = sigma(q) { F(k1) - F(P) + F_2(k2) - F_2(P) }      P = |k1 - lam q|
 *
 * F being 2 F - |Psi|^2 of the above, and F_2 the F with S(Delta)^2.  For two gluons both strengths
 * are 2 S(Delta)^2 - S(Delta) S(r) S(r').  The first term alone is taken off, which grows like
 * ln(1/eps); the other one has no transform in one variable:
 *
 *   I_1 = 2 sigma(q) { F_2(k1) + F_2(k2) - 2 F_2(P) } */
#ifndef CGCT_SINGLE_H
#define CGCT_SINGLE_H
#include "inner/table.h"

/* f (NPOL, n) at delta[n] > 0, GeV^-2:
 *   L: S pi Delta K1(eps Delta)/eps
 *   T: S 2 pi/eps^2 [K0(eps Delta) - eps Delta K1(eps Delta)/2], logarithmic at Delta -> 0 */
void single_profile(const dipole *d, double eps, size_t n, const double *delta, double *f);

/* F and Psi of both polarisations. */
enum { SINGLE_FUNCTIONS = 2 * NPOL, SINGLE_MOST = 3 * NPOL };

/* The tabulated factors; Psi lies behind F in the same memory, and so does F2 where there is a
 * process.  Else F2 = F. */
typedef struct {
    size_t nq, nk;
    double *sigma;       /* (nq), GeV^-2 */
    double *k, *F, *Psi; /* (nk) rising from 0, GeV; (NPOL, nk), GeV^-4; (NPOL, nk), GeV^-2 */
    double *F2;          /* (NPOL, nk), GeV^-4 */
    double lam;
} single_factors;

typedef struct {
    const dipole *d;
    double eps; /* GeV */
    size_t nq;
    const double *q; /* (nq) GeV, where sigma is needed */
    double k_max;    /* GeV, up to which F and Psi are needed */
    double lam;      /* of a process: the frame */
    double wider;    /* as of single_dipole; 0: 1 */
} single_task;

/* out (nk) = Int d2r e^{-i k.r} S^power at rising k[nk] >= 0 (GeV), GeV^-2, to 1e-12 of its
 * maximum; power >= 1.  wider: multiplies all steps; 1, or more to see how far off that is.
 * Returns OK, E_CONFIG. */
cgct_status single_dipole(const dipole *d, double power, double wider, size_t nk, const double *k,
                          double *out, cgct_err *err);
/* sigma, F and Psi, each to 1e-12 of its maximum.  Returns OK, E_CONFIG where k_max needs
 * a grid that is too large. */
cgct_status single_init(single_factors *s, const single_task *task, cgct_err *err);
void single_free(single_factors *s);
/* Bounds on what F and Psi lose, which cancel in I_1 where k >> q: shares of their size at k, and
 * of F_T(0) + F_L(0).  Measured where S = 1 and I_1 is known (test_single.c). */
#define SINGLE_OF_TERMS 1e-12
#define SINGLE_OF_LARGEST 1e-16
/* I[p] += I_1 at q = q[iq], k1 and k2 (GeV), GeV^-6; error[p] += a bound on its error.  Nothing is
 * added where s holds no factors. */
void single_add(const single_factors *s, size_t iq, double q, double k1, double k2, double I[NPOL],
                double error[NPOL]);
#endif
