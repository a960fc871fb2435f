/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inner_graded.h: one point of the builder without discretisation error.  Private to
 * inner_graded*.c. */
#ifndef CGCT_INNER_GRADED_H
#define CGCT_INNER_GRADED_H
#include "inner/direct.h"

typedef struct graded_rule graded_rule;

cgct_status graded_rule_init(graded_rule **rule, cgct_err *err); /* free with free */
size_t graded_wave_doubles(const inner_integrand *f);

/* g[T,L](Delta,R,gamma); wave: scratch of graded_wave_doubles. */
void graded_point(const inner_integrand *f, const graded_rule *rule, double lam, double delta,
                  double R, double gamma, double *wave, double g[NPOL]);
#endif
