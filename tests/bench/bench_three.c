/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three-momentum transform with the paper's angles and modes on part of its nodes, beside a
 * matrix product: one q, and a grid of q. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../generator/gaussian_family.h"
#include "../../generator/three_momentum.h"
#include "limit.h"

enum { RUNS = 5, NODES = 64, MOMENTA = 41, PAPER = 320 };

static int one(size_t nq, double limit)
{
    const gaussian_family family = {1, 1, 1, 0.5, 0.5, 0.5};
    const three_integrand g = gaussian_integrand(&family);
    double node[NODES], mom[MOMENTA], best = INFINITY;
    three_report r;
    cgct_err err = {""};
    for (int i = 0; i < NODES; i++) node[i] = 10.0 * i / (NODES - 1);
    for (int i = 0; i < MOMENTA; i++) mom[i] = 0.1 * i;
    const three_opts o = {.delta = {.n = NODES, .node = node, .nmom = MOMENTA, .mom = mom},
                          .rp = {.n = NODES, .node = node, .nmom = 1, .mom = mom + 8},
                          .b = {.n = NODES, .node = node, .nmom = nq, .mom = mom + 1},
                          .modes = 25,
                          .nphi = 64};
    for (int run = 0; run < RUNS; run++) {
        three_momentum *t;
        double start = core_clock();
        cgct_status st = three_momentum_run(&t, &o, &g, &r, &err);
        best = fmin(best, core_clock() - start);
        three_momentum_free(t);
        if (st != CGCT_OK) return fprintf(stderr, "bench: %s\n", err.text), 1;
    }
    printf("%zu q: %.2f core seconds, %.1e samples per second and core, products %.1f GFLOP/s = "
           "%.0f%% of DGEMM; %d^3 nodes: %.0f core seconds\n",
           nq, best, r.samples / best, 1e-9 * r.flop / best, 1e-7 * r.flop / best / limit, PAPER,
           best * pow((double)PAPER / NODES, 3));
    return 0;
}

int main(void)
{
    blas_single_threaded();
    double limit = product_limit();
    printf("three momenta, Gaussian family, M = 25, 64 angles, %d^3 nodes; DGEMM %.1f GFLOP/s\n",
           NODES, limit);
    return one(1, limit) || one(16, limit);
}
