/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_bessel_lookup.c: a program of the build that prints the tables lookup_K0 and lookup_K1 of
 * lookup.h in C. */
#include <math.h>
#include <stdio.h>

#include "lookup.h"
#include "numerics/bessel.h"

static const double K_MIN = 0x1p-100; /* closer to a centre than any node of the quadratures */

/* e^x x K_order(x) */
static void bessel_values(const void *order, size_t n, const double *x, double *out)
{
    double k[2][LOOKUP_TERMS];
    bessel_K01(n, x, k[0], k[1]);
    for (size_t i = 0; i < n; i++) out[i] = exp(x[i]) * x[i] * k[*(const int *)order][i];
}

int main(void)
{
    puts("#include \"lookup.h\"");
    for (int order = 0; order < 2; order++) {
        const lookup_function f = {order ? "x K1" : "x K0", bessel_values, &order};
        lookup_table t;
        cgct_err err;
        if (lookup_init(&t, &f, K_MIN, LOOKUP_K_MAX, &err) != CGCT_OK) {
            fprintf(stderr, "make_bessel_lookup: %s\n", err.text);
            return 1;
        }
        printf("static const double coeffs_%d[] = {\n", order);
        for (size_t i = 0; i < t.cells * LOOKUP_TERMS; i++) printf("%a,\n", t.coeffs[i]);
        printf("};\nconst lookup_table lookup_K%d = {{coeffs_%d, %a, %u, %d}, %zu, %a, NULL};\n",
               order, order, t.at.lo, (unsigned)t.at.first, t.at.shift, t.cells, t.error);
        lookup_free(&t);
    }
    return 0;
}
