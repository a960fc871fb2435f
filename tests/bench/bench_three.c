/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three-momentum transform with the paper's angles, modes and nodes of b, on part of its nodes
 * of Delta and r', beside a matrix product: one q, and a grid of q. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "three/gaussian_family.h"
#include "three/momentum.h"
#include "bench/limit.h"

enum { RUNS = 5, FEW = 16, SOME = 32, PAPER = 320, MOMENTA = 41 };

/* The machine's rate is taken between the runs: other work on it slows both. */
static int one(size_t nq)
{
    const gaussian_family family = {1, 1, 1, 0.5, 0.5, 0.5};
    const three_integrand g = gaussian_integrand(&family);
    double node[PAPER], mom[MOMENTA], best = INFINITY, limit = 0;
    three_report r;
    cgct_err err = {""};
    for (int i = 0; i < PAPER; i++) node[i] = 10.0 * i / (PAPER - 1);
    for (int i = 0; i < MOMENTA; i++) mom[i] = 0.1 * i;
    const three_opts o = {.delta = {.n = FEW, .node = node, .nmom = MOMENTA, .mom = mom},
                          .rp = {.n = SOME, .node = node, .nmom = 1, .mom = mom + 8},
                          .b = {.n = PAPER, .node = node, .nmom = nq, .mom = mom + 1},
                          .modes = 25,
                          .nphi = 64};
    for (int run = 0; run < RUNS; run++) {
        three_momentum *t;
        limit = fmax(limit, product_limit());
        double start = core_clock();
        cgct_status st = three_momentum_run(&t, &o, &g, &r, &err);
        best = fmin(best, core_clock() - start);
        three_momentum_free(t);
        if (st != CGCT_OK) return fprintf(stderr, "bench: %s\n", err.text), 1;
    }
    printf("%zu q: %.2f core seconds, %.1e samples per second and core, products %.1f GFLOP/s = "
           "%.0f%% of DGEMM's %.1f; %d^3 nodes: %.0f core seconds\n",
           nq, best, r.samples / best, 1e-9 * r.flop / best, 1e-7 * r.flop / best / limit, limit,
           PAPER, best * PAPER * PAPER / (FEW * SOME));
    return 0;
}

int main(void)
{
    printf("three momenta, Gaussian family, M = 25, 64 angles, %d x %d x %d nodes\n", FEW, SOME,
           PAPER);
    return one(1) || one(16);
}
