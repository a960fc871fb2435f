/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_impl.h"

enum { MOMENTS_MAX = 10 };

/* (u/h)^r */
static void real_monomials(const filon_functions *f, int n, const double *u, double *g)
{
    for (int i = 0; i < n; i++) {
        double v = u[i] / f->scale, p = 1;
        for (int k = 0; k < f->nk; k++, p *= v) g[k * FILON_LANES + i] = p;
    }
}

static void complex_monomials(const filon_functions *f, int n, double u, const double *y,
                              double *re, double *im)
{
    for (int i = 0; i < n; i++) {
        double vr = u / f->scale, vi = y[i] / f->scale, pr = 1, pi = 0;
        for (int k = 0; k < f->nk; k++) {
            re[k * FILON_LANES + i] = pr;
            im[k * FILON_LANES + i] = pi;
            double t = pr * vr - pi * vi;
            pi = pr * vi + pi * vr;
            pr = t;
        }
    }
}

static cgct_status check(double x, double h, double q, int m, size_t nr, cgct_err *err)
{
    if (!(x >= 0) || !(h >= 0) || !(q >= 0) || !isfinite(x) || !isfinite(h))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon_moments: x = %g, h = %g, q = %g, must be finite and not negative; "
                         "check the grid",
                         x, h, q);
    if (!(q * (x + h) <= FILON_PHASE_MAX))
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "filon_moments: q (x + h) = %g exceeds %g; use a shorter grid or smaller q",
            q * (x + h), FILON_PHASE_MAX);
    if (m < 0 || m > FILON_ORDER_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon_moments: order %d outside 0..%d; use fewer modes", m,
                         FILON_ORDER_MAX);
    if (nr > MOMENTS_MAX)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "filon_moments: %zu moments, at most %d; ask for fewer", nr, MOMENTS_MAX);
    return CGCT_OK;
}

cgct_status filon_moments(double x, double h, double q, int m, size_t nr, double *M, cgct_err *err)
{
    CGCT_TRY(check(x, h, q, m, nr, err));
    if (nr > 0) memset(M, 0, nr * sizeof *M);
    if (h == 0 || nr == 0) return CGCT_OK;
    filon_work *s = filon_work_new(m);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "filon_moments: no memory for %d orders", m + 1);
    filon_functions f = {.nk = (int)nr,
                         .a = x,
                         .scale = h,
                         .degree = (double)nr - 1,
                         .real = real_monomials,
                         .imag = complex_monomials};
    const filon_band one = {q, q, 0, 1};
    filon_begin(s, &one, &q, 1, &m, (int)nr, FILON_LAGUERRE, M, nr, 0);
    filon_add_interval(s, &f, h, 0);
    filon_flush(s);
    free(s);
    double power = 1;
    for (size_t r = 0; r < nr; r++, power *= h) M[r] *= power;
    return CGCT_OK;
}
