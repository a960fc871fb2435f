/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_exact.h: exact GBW values at (q, k1, theta), for 'exact' and for 'point --exact'. */
#ifndef CGCT_CLI_EXACT_H
#define CGCT_CLI_EXACT_H
#include "cli/common.h"

/* Saturation momentum squared at x; E_USAGE unless the dipole is gbw. */
cgct_status cli_exact_Qs2(const cli_task *t, double x, double *Qs2, cgct_err *err);
/* I[T,L] in GeV^-6 at |q|, |k1|, theta = angle(k1,q): exact_gbw at K = |k1 - q/2|. */
cgct_status cli_exact_value(double q, double k1, double theta, double eps, double Qs2, double I[2],
                            cgct_err *err);
#endif
