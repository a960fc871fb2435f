/* SPDX-License-Identifier: GPL-3.0-or-later */
/* larger_error.h: the largest of many errors, so that a NaN among them fails. */
#ifndef LARGER_ERROR_H
#define LARGER_ERROR_H
#include <math.h>

/* The larger of worst, which is not NaN, and e; infinite where e is NaN, which fmax would leave out
 * and a comparison with the next e forget. */
static inline double larger_error(double worst, double e)
{
    return isnan(e) ? INFINITY : e > worst ? e : worst;
}
#endif
