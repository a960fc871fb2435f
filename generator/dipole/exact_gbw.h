/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_gbw.h: the exact cross section of the GBW model as a three-dimensional integral, to which
 * tests and the command `exact` compare. */
#ifndef CGCT_EXACT_GBW_H
#define CGCT_EXACT_GBW_H
#include "format/error.h"

/* I[0] = I_T, I[1] = I_L at q > 0, K = |k1 - q/2| >= 0, eps > 0 (GeV), Qs2 (GeV^2): GeV^-6,
 * relative accuracy 1e-10.  Source: METHOD.md 7.1, derivation in exact_gbw.c.  Returns OK,
 * E_DOMAIN, E_ACCURACY. */
cgct_status exact_gbw(double q, double K, double eps, double Qs2, double I[2], cgct_err *err);
#endif
