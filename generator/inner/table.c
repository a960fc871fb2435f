/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the inner table, and the sum rule that it must obey. */
#include "inner/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/correlator.h"
#include "numerics/bessel.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"

/* The integral over ln r runs from 1e-12/eps, where K1^2 (1 - S^2) r^2 is below 1e-15 of its peak
 * for any power of r above 1, to 25/eps, where K1^2 is e^-50; panels of 0.1 in ln r. */
static const double SUM_RULE_FIRST = 1e-12, SUM_RULE_LAST = 25, SUM_RULE_PANEL = 0.1;
enum { SUM_RULE_NODES = 16 };

static void *duplicate(const void *from, size_t n, size_t size)
{
    return memcpy(memory_new(n, size), from, n * size);
}

void inner_table_init(inner_table *t, const inner_opts *o)
{
    *t = (inner_table){.eps = o->eps, .lam = o->lam, .nm = o->nm, .nd = o->nd, .nr = o->nr};
    t->m = duplicate(o->m, o->nm, sizeof *t->m);
    t->delta = duplicate(o->delta, o->nd, sizeof *t->delta);
    t->r = duplicate(o->r, o->nr, sizeof *t->r);
    t->g = memory_zeros(NPOL * o->nm * o->nd * o->nr, sizeof *t->g);
}

void inner_table_free(inner_table *t)
{
    free(t->m);
    free(t->delta);
    free(t->r);
    free(t->g);
    memset(t, 0, sizeof *t);
}

double inner_column_exponent(const dipole *d, double eps, double delta)
{
    const double r2[2] = {delta * delta / 4, delta * delta};
    double L[2];
    dipole_lnS(d, 2, r2, L);
    return eps * delta + fmin(-2 * L[0], -L[1]);
}

void inner_sum_rule(const dipole *d, double eps, double value[NPOL])
{
    quad_gauss gauss;
    quad_rule q = {0};
    quad_gauss_init(&gauss, SUM_RULE_NODES);
    quad_append(&q, &gauss, log(SUM_RULE_FIRST / eps), log(SUM_RULE_LAST / eps), SUM_RULE_PANEL);
    double *r2, *L, *z, *k0, *k1;
    const array_part part[] = {ARRAY_PART(r2, q.n), ARRAY_PART(L, q.n), ARRAY_PART(z, q.n),
                               ARRAY_PART(k0, q.n), ARRAY_PART(k1, q.n)};
    void *block = ARRAYS(part);
    value[POL_T] = value[POL_L] = 0;
    const correlator colours = correlator_of(d->Nc);
    const int singlet = d->singlet;
    for (size_t i = 0; i < q.n; i++) {
        double r = exp(q.x[i]);
        r2[i] = r * r;
        z[i] = eps * r;
    }
    dipole_lnS(d, q.n, r2, L);
    bessel_K01(q.n, z, k0, k1);
    for (size_t i = 0; i < q.n; i++) {
        const double A = 2 * L[i], whole = -expm1(A);
        const double S4 = singlet ? correlator_singlet(colours, A, 0, A, exp(A)) : whole;
        const double f = 2 * M_PI * q.w[i] * r2[i] * S4;
        value[POL_T] += f * k1[i] * k1[i];
        value[POL_L] += f * k0[i] * k0[i];
    }
    free(block);
    quad_free(&q);
}
