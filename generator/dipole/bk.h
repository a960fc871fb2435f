/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk.h: the dipole amplitude N(r,Y) from the Balitsky-Kovchegov equation.
 *
 *     dN(r)/dY = Int d2z K(r; x, y) [N(x) + N(y) - N(r) - N(x) N(y)],   x = |z|, y = |r - z|
 *
 * Lengths are in 1/GeV, momenta in GeV, S = 1 - N, Gamma = -ln S.  A bk_solution holds ln Gamma on
 * a grid in ln r at every time step; bk_at gives it at any Y in between.  It is const after
 * bk_solve and may be shared by threads. */
#ifndef CGCT_BK_H
#define CGCT_BK_H
#include <stddef.h>

#include "format/error.h"

/* Which logarithms beyond the leading ones the equation resums; S = 1 - N.
 *
 * lo: none.  Y = ln(x0/x).
 *
 * resum: K times the double-logarithmic and the single-logarithmic factor
 *     J1(2 sqrt(abar rho2))/sqrt(abar rho2) exp(-abar (11/12) |ln(Ksub r^2/min(x^2,y^2))|),
 *     rho2 = ln(x^2/r^2) ln(y^2/r^2), I1 where rho2 < 0, abar = Nc alpha_s/pi     [1507.03651]
 * with alpha_s(r) for the coupling parent and alpha_s(min(r, x, y)) for smallest and balitsky.
 * Y = ln(x0/x).
 *
 * kc: kinematical constraint, with D = max{0, ln(min(x^2,y^2)/r^2)},
 *     dS(r)/dY = Int d2z K theta(Y - D) [S(x; Y-D) S(y; Y-D) - S(r; Y)]       [1708.06557 165, 166]
 * Y is the rapidity of the projectile, Y = ln(x0/x) where the dipole is asked for at x.
 *
 * t: rapidity eta of the target, with d_x = max{0, ln(r^2/x^2)}, d = max(d_x, d_y),
 *     dS(r)/deta = Int d2z K theta(eta - d) [S(x; eta-d_x) S(y; eta-d_y) - S(r; eta)]
 *                                                                             [1902.06637 9.3]
 * eta = ln(x0/x) with x the momentum fraction of the target, x_Bj in deep inelastic scattering. */
typedef enum { BK_LO, BK_RESUM, BK_CONSTRAINED, BK_TARGET } bk_equation;
/* By its name lo, resum, kc or t; E_CONFIG where there is none. */
cgct_status bk_equation_named(const char *name, bk_equation *equation, cgct_err *err);

/* Which length sets the scale of alpha_s:
 *     fixed, parent   K = Nc alpha_s(r)/(2 pi^2) r^2/(x^2 y^2)
 *     smallest        the same with alpha_s(min(r, x, y))
 *     balitsky        K = Nc alpha_s(r)/(2 pi^2) [ r^2/(x^2 y^2) + (alpha_x/alpha_y - 1)/x^2
 *                         + (alpha_y/alpha_x - 1)/y^2 ]                 [hep-ph/0609105] */
typedef enum { BK_BALITSKY, BK_PARENT, BK_SMALLEST, BK_FIXED } bk_scheme;
/* By its name in small letters; E_CONFIG where there is none. */
cgct_status bk_scheme_named(const char *name, bk_scheme *scheme, cgct_err *err);
/* How alpha_s = 12 pi/((33 - 2 Nf) l), l = ln(4 C2/(r^2 Lambda^2)), is kept finite at large r, with
 * l_cap the l at which it equals cap:
 *     sharp    l is at least l_cap
 *     smooth   l = c ln[e^(l_cap/c) + (4 C2/(r^2 Lambda^2))^(1/c)]   [1309.6963, with
 *              e^l_cap written mu0^2/Lambda^2] */
typedef enum { BK_SMOOTH, BK_SHARP } bk_freeze;

/* Numbers that are 0 mean the defaults. */
typedef struct {
    bk_scheme scheme;
    bk_freeze freeze;
    double C2, Lambda, Nf; /* 14.5, 0.241 GeV, 3 */
    double cap, c;         /* 0.7; smooth: 0.2 */
    double alpha;          /* fixed: 0.2 */
    bk_equation equation;
    double Ksub; /* resum: 0.65 */
} bk_coupling;

/* At Y = 0: N = 1 - exp{-(r^2 Qs0sq)^gamma/4 ln[1/(r Lambda) + ec e]}; 0 means the set mv. */
typedef struct {
    double Qs0sq, gamma, ec, Lambda; /* 0.104 GeV^2, 1, 1, 0.241 GeV */
} bk_initial;

/* Another function at Y = 0: ln Gamma at any ln r, smooth.  `of` must outlive the solution. */
typedef struct {
    double (*lnGamma)(const void *of, double lnr);
    const void *of;
} bk_profile;

/* Keeps solutions for a program that is interrupted.  key: one line that determines a solution. */
typedef struct {
    void *self;
    /* The n numbers under this key, for free(); NULL where there are none. */
    double *(*find)(void *self, const char *key, size_t *n);
    /* What cannot be kept is solved again the next time. */
    void (*keep)(void *self, const char *key, size_t n, const double *numbers);
} bk_keeper;

typedef struct {
    bk_coupling coupling;
    bk_initial initial;
    bk_profile profile;      /* in place of initial, unless its lnGamma is NULL */
    const bk_keeper *keeper; /* NULL: every solution is computed */
    double Ymax;             /* 0: 7 */
    double refine;           /* every spacing of r, angles and Y divided by this; 0: 1 */
} bk_opts;

/* A published fit: initial condition, C2, and sigma0/2 in mb.  NULL where there is no such set.
 * Names: mv, mve, mvgamma [1309.6963, 1012.4408]; bayes4, bayes5: maximum a posteriori,
 * bayes4median, bayes5median: medians [2311.10491]. */
typedef struct {
    const char *name;
    bk_initial initial;
    double C2, half_sigma0;
} bk_set;
const bk_set *bk_set_named(const char *name);
/* The names of all sets, separated by blanks. */
#define BK_SET_NAMES "mv mve mvgamma bayes4 bayes5 bayes4median bayes5median"

/* Replaces zeros by the defaults and refuses parameters outside their range with one line that
 * names the value, the range and the remedy.  Returns OK or E_CONFIG. */
cgct_status bk_opts_check(bk_opts *o, cgct_err *err);

typedef struct bk_solution bk_solution;

/* Accuracy of ln Gamma over all r >= 1e-6 with S >= 1e-12, and of ln S (relative) where
 * 1e-60 <= S < 1e-12, at one Y: the largest difference between two solutions there and a little
 * before, for it passes through zero. */
typedef struct {
    double Y, lnGamma, lnS;
} bk_accuracy;

/* Solves the equation for 0 <= Y <= o->Ymax, twice, the second time with every discretisation
 * coarser by a factor of 1.3; the difference is the accuracy that the solution carries.  Both are
 * kept.
 * Returns OK, E_CONFIG, E_ACCURACY (a step in Y below the smallest representable one). */
cgct_status bk_solve(bk_solution **s, const bk_opts *o, cgct_err *err);
void bk_free(bk_solution *s);
/* Gamma = -ln S up to which a solution is accurate: S = 1e-60. */
#define BK_GAMMA_PROMISED 138.2
/* lnGamma[i] at node i of the grid (bk_impl.h) for 0 <= Y <= Ymax.  Returns OK or E_RANGE. */
cgct_status bk_at(const bk_solution *s, double Y, double *lnGamma, cgct_err *err);
/* ln Gamma at any ln r from the values at the nodes, continued as a power of r outside. */
double bk_interpolate(const bk_solution *s, const double *lnGamma, double lnr);
#endif
