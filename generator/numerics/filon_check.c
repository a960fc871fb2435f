/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "numerics/filon_impl.h"

static cgct_status check_grid(size_t nx, const double *x, int degree, cgct_err *err)
{
    if (degree < FILON_DEGREE_MIN || degree > FILON_DEGREE_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon_weights: degree %d outside %d..%d; the default is %d", degree,
                         FILON_DEGREE_MIN, FILON_DEGREE_MAX, FILON_DEGREE_DEFAULT);
    if (nx < (size_t)degree + 1)
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "filon_weights: %zu nodes, degree %d needs at least %d; add nodes or lower "
            "the degree",
            nx, degree, degree + 1);
    for (size_t i = 0; i < nx; i++)
        if (!isfinite(x[i]) || !(x[i] >= 0) || (i > 0 && !(x[i] > x[i - 1])))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: grid not rising from 0 or above at node %zu (%.17g after "
                "%.17g); sort it and drop repeated nodes",
                i, x[i], i > 0 ? x[i - 1] : 0.0);
    return CGCT_OK;
}

static cgct_status check_momenta(size_t nq, const double *q, double last, int has_tail,
                                 cgct_err *err)
{
    for (size_t i = 0; i < nq; i++) {
        if (!(q[i] >= 0) || !isfinite(q[i]) || (has_tail && !(q[i] > 0)))
            return cgct_fail(err, CGCT_E_DOMAIN,
                             "filon_weights: momentum %zu is %g, must be finite and %s; correct it",
                             i, q[i], has_tail ? "positive with a tail" : "not negative");
        if (!(q[i] * last <= FILON_PHASE_MAX))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: q x = %g x %g exceeds %g; use a shorter grid or smaller q", q[i],
                last, FILON_PHASE_MAX);
    }
    return CGCT_OK;
}

static cgct_status check_orders(size_t nm, const int *m, cgct_err *err)
{
    for (size_t i = 0; i < nm; i++)
        if (m[i] < 0 || m[i] > FILON_ORDER_MAX || (i > 0 && m[i] <= m[i - 1]))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "filon_weights: order %zu is %d after %d, orders must rise within 0..%d; "
                "sort them and use fewer modes",
                i, m[i], i > 0 ? m[i - 1] : -1, FILON_ORDER_MAX);
    return CGCT_OK;
}

cgct_status filon_check(size_t nx, const double *x, size_t nq, const double *q, size_t nm,
                        const int *m, int degree, int has_tail, cgct_err *err)
{
    CGCT_TRY(check_grid(nx, x, degree, err));
    CGCT_TRY(check_momenta(nq, q, x[nx - 1], has_tail, err));
    return check_orders(nm, m, err);
}
