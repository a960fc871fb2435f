/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the Bessel functions and of the Filon weights: medians of a few runs. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "numerics/bessel.h"
#include "numerics/filon.h"

enum { RUNS = 5 };

typedef struct {
    const char *name;
    size_t nx, nq, nm;
    double x_max, scale; /* x = scale sinh(t); scale 0: uniform */
    double q_lo, q_hi;
    int step; /* orders 0, step, 2 step ... */
    int tail;
} weights_case;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *t)
{
    qsort(t, RUNS, sizeof *t, by_size);
    return t[RUNS / 2];
}

static void fill(const weights_case *c, double *x, double *q, int *m)
{
    for (size_t i = 0; i < c->nx; i++) {
        double t = (double)i / (double)(c->nx - 1);
        x[i] = c->scale > 0 ? c->scale * sinh(asinh(c->x_max / c->scale) * t) : c->x_max * t;
    }
    for (size_t i = 0; i < c->nq; i++)
        q[i] = c->q_lo * pow(c->q_hi / c->q_lo, (double)i / (c->nq > 1 ? (double)(c->nq - 1) : 1));
    for (size_t i = 0; i < c->nm; i++) m[i] = c->step * (int)i;
}

static int time_weights(const weights_case *c)
{
    static const double power[] = {2, 4, 6, 8, 10};
    const filon_tail_opts tail = {24, 5, power};
    double *x = malloc(c->nx * sizeof *x), *q = malloc(c->nq * sizeof *q), t[RUNS];
    double *w = malloc(c->nm * c->nq * c->nx * sizeof *w);
    int *m = malloc(c->nm * sizeof *m), ok = x && q && w && m;
    const filon_task task = {c->nx, c->nq, c->nm, x, q, m, 6, c->tail ? &tail : NULL};
    if (ok) fill(c, x, q, m);
    for (int i = 0; ok && i < RUNS; i++) {
        t[i] = omp_get_wtime();
        ok = filon_weights(&task, w, NULL) == CGCT_OK;
        t[i] = omp_get_wtime() - t[i];
    }
    if (ok)
        printf("%-44s %5zu nodes %4zu momenta %4zu orders  %8.3f s\n", c->name, c->nx, c->nq, c->nm,
               median(t));
    free(x);
    free(q);
    free(w);
    free(m);
    return ok;
}

static int time_K(double lo, double hi)
{
    enum { N = 65536 };
    double *x = malloc(3 * N * sizeof *x), t[RUNS];
    if (!x) return 0;
    for (int i = 0; i < N; i++) x[i] = lo + (hi - lo) * (i + 0.5) / N;
    for (int i = 0; i < RUNS; i++) {
        t[i] = omp_get_wtime();
        bessel_K01(N, x, x + N, x + 2 * N);
        t[i] = omp_get_wtime() - t[i];
    }
    printf("K0 and K1, x in [%g, %g]: %.2f ns a pair on one core\n", lo, hi, median(t) / N * 1e9);
    free(x);
    return 1;
}

int main(void)
{
    static const weights_case cases[] = {
        {"weights, uniform to 40/GeV, q 1..25", 2048, 48, 32, 40, 0, 1, 25, 1, 0},
        {"weights and tail, sinh to 100/GeV, q 1..25", 2048, 48, 32, 100, 2, 1, 25, 1, 1},
        {"weights and tail, uniform to 100/GeV, q 1..25", 2048, 48, 32, 100, 0, 1, 25, 1, 1},
        {"weights, sinh to 90/GeV, P 0.1..40", 330, 250, 126, 90, 1, 0.1, 40, 2, 0},
        {"weights, uniform to 90/GeV, P 0.1..40", 330, 250, 126, 90, 0, 0.1, 40, 2, 0},
        {"weights, one momentum, orders to 512", 2048, 1, 513, 100, 2, 10, 10, 1, 1},
    };
    int ok = time_K(1e-6, 1) && time_K(1, 60) && time_K(1e-6, 60);
    printf("threads: %d\n", omp_get_max_threads());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) ok = time_weights(&cases[i]) && ok;
    return !ok;
}
