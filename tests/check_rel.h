/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_rel.h: comparisons of doubles for Check that print call, got, want, error and tolerance.
 * Written so that NaN on either side fails. */
#ifndef CHECK_REL_H
#define CHECK_REL_H
#include <check.h>
#include <math.h>

#include "larger_error.h"

/* |got - want| <= tol |want| */
#define CHECK_REL(got, want, tol)                                                                  \
    do {                                                                                           \
        double got_ = (got), want_ = (want), tol_ = (tol);                                         \
        double rel_ = got_ == want_ ? 0 : fabs(got_ - want_) / fabs(want_);                        \
        ck_assert_msg(rel_ <= tol_, "%s = %.17g, want %.17g (rel %.3g > %s = %.3g)", #got, got_,   \
                      want_, rel_, #tol, tol_);                                                    \
    } while (0)

/* |got - want| <= tol */
#define CHECK_ABS(got, want, tol)                                                                  \
    do {                                                                                           \
        double got_ = (got), want_ = (want), tol_ = (tol);                                         \
        double abs_ = fabs(got_ - want_);                                                          \
        ck_assert_msg(abs_ <= tol_, "%s = %.17g, want %.17g (abs %.3g > %s = %.3g)", #got, got_,   \
                      want_, abs_, #tol, tol_);                                                    \
    } while (0)
#endif
