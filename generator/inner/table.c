/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inner/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/bessel.h"
#include "numerics/quadrature.h"

static void *copy(const void *src, size_t bytes)
{
    void *p = malloc(bytes);
    if (p) memcpy(p, src, bytes);
    return p;
}

cgct_status inner_table_init(inner_table *t, const inner_opts *o, cgct_err *err)
{
    memset(t, 0, sizeof *t);
    t->eps = o->eps;
    t->lam = o->lam;
    t->nm = o->nm;
    t->nd = o->nd;
    t->nr = o->nr;
    t->m = copy(o->m, o->nm * sizeof *t->m);
    t->delta = copy(o->delta, o->nd * sizeof *t->delta);
    t->r = copy(o->r, o->nr * sizeof *t->r);
    t->g = calloc(NPOL * o->nm * o->nd * o->nr, sizeof *t->g);
    if (t->m && t->delta && t->r && t->g) return CGCT_OK;
    inner_table_free(t);
    return cgct_fail(err, CGCT_E_NOMEM,
                     "inner table of %zu modes x %zu x %zu nodes: no memory for %.2g GB", o->nm,
                     o->nd, o->nr, 1e-9 * NPOL * sizeof(double) * (double)(o->nm * o->nd * o->nr));
}

void inner_table_free(inner_table *t)
{
    free(t->m);
    free(t->delta);
    free(t->r);
    free(t->g);
    memset(t, 0, sizeof *t);
}

/* r from 1e-12/eps, where K1^2 (1 - S^2) r^2 is below 1e-15 of its peak for any power > 1. */
cgct_status inner_sum_rule(const dipole *d, double eps, double value[NPOL], cgct_err *err)
{
    quad_gauss gauss;
    quad_rule rule = {0};
    CGCT_TRY(quad_gauss_init(&gauss, 16, err));
    cgct_status st = quad_append(&rule, &gauss, log(1e-12 / eps), log(25 / eps), 0.1);
    size_t n = rule.n;
    double *buf = st == CGCT_OK ? malloc(5 * n * sizeof *buf) : NULL;
    if (buf) {
        double *r2 = buf, *L = buf + n, *z = buf + 2 * n, *k0 = buf + 3 * n, *k1 = buf + 4 * n;
        for (size_t i = 0; i < n; i++) {
            double r = exp(rule.x[i]);
            r2[i] = r * r;
            z[i] = eps * r;
        }
        dipole_lnS(d, n, r2, L);
        bessel_K01(n, z, k0, k1);
        value[POL_T] = value[POL_L] = 0;
        for (size_t i = 0; i < n; i++) {
            double f = -2 * M_PI * rule.w[i] * r2[i] * expm1(2 * L[i]);
            value[POL_T] += f * k1[i] * k1[i];
            value[POL_L] += f * k0[i] * k0[i];
        }
    }
    free(buf);
    quad_free(&rule);
    return buf ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "sum rule: no memory for %zu nodes", n);
}
