/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_weights.h: the Filon weights of a pass: what the processor prepares, what a device has to
 * do for each, and the time of both ways to make them. */
#ifndef BENCH_WEIGHTS_H
#define BENCH_WEIGHTS_H
#include <time.h>

#include "cuda/device_filon.h"
#include "cuda/device_hankel.h"
#include "inner/grids.h"
#include "node/node.h"
#include "chain.h"
#include "gpu_profile.h"

static inline double bench_cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Values of J and multiply-adds of the sums: over a group of lanes for its own columns and for
 * those of the next group. */
static inline void bench_weights_count(const filon_plan *p, double *values, double *sums)
{
    const size_t row = p->ngroup + 2;
    for (size_t i = 0; i < p->nband; i++) {
        const uint32_t *start = p->start + i * row;
        const double orders = (double)(p->nm * p->band[i].band.n);
        *values += orders * (double)(start[row - 1] - start[0]);
        *sums += orders * FILON_ROW * (double)(start[p->ngroup] - start[0]);
        *sums += orders * (p->tail.nterm > FILON_GROUP ? FILON_ROW : FILON_GROUP) *
                 (double)(start[row - 1] - start[p->ngroup]);
    }
}

/* Seconds of one core to make both sets of weights without a device. */
static inline double bench_weights_host(const backend_transform *k)
{
    const inner_opts *o = k->inner;
    const filon_task q = {o->nr, k->nq, o->nm, o->r, k->q, o->m, k->degree, k->tail};
    const filon_task P = {o->nd, k->np, o->nm, o->delta, k->P, o->m, k->degree, NULL};
    size_t rows = k->nq * o->nr, columns = k->np * o->nd;
    double *w = malloc(o->nm * (rows > columns ? rows : columns) * sizeof *w), t0 = bench_cpu();
    cgct_err err = {""};
    CHAIN_REQUIRE(filon_weights(&q, w, &err) == CGCT_OK && filon_weights(&P, w, &err) == CGCT_OK,
                  "%s\n", err.text);
    free(w);
    return bench_cpu() - t0;
}

static inline double bench_weights_device(const hankel_weights *w, gpu *g)
{
    gpu_buffer q, P;
    cgct_err err = {""};
    double seconds = 0;
    for (int i = 0; i < 2; i++) { /* the first opens cuBLAS and takes the memory */
        double t0 = profile_clock();
        CHAIN_REQUIRE(device_filon(g, &w->q, &q, &err) == CGCT_OK &&
                          device_filon(g, &w->P, &P, &err) == CGCT_OK &&
                          g->ops->wait(g, &err) == CGCT_OK,
                      "%s\n", err.text);
        seconds = profile_clock() - t0;
        gpu_free(g, &q);
        gpu_free(g, &P);
    }
    return seconds;
}

/* The fine pass of a node; g NULL: no device. */
static inline void bench_weights(const config *card, double eps, size_t nq, const double *q, gpu *g)
{
    double scale, values = 0, sums = 0;
    dipole *d = chain_dipole("mv", 0.01);
    inner_grids t;
    hankel_weights w;
    cgct_err err = {""};
    const node_task task = {
        .settings = &card->run.node, .x = 0.01, .eps = eps, .nq = nq, .q = q, .k_max = q[nq - 1]};
    const inner_grids_task grids = node_grids_task(&task, d, &scale);
    CHAIN_REQUIRE(inner_grids_init(&t, &grids, &err) == CGCT_OK, "%s\n", err.text);
    const backend_transform k = {&t.inner, nq, t.np, q, t.P, card->run.node.inner.hankel.degree,
                                 &t.tail};
    double t0 = bench_cpu();
    CHAIN_REQUIRE(hankel_weights_init(&w, &k, &err) == CGCT_OK, "%s\n", err.text);
    double planned = bench_cpu() - t0, lanes = (double)(w.q.nlane + w.P.nlane);
    double count = (double)t.inner.nm * (double)(nq * t.inner.nr + t.np * t.inner.nd);
    bench_weights_count(&w.q, &values, &sums);
    bench_weights_count(&w.P, &values, &sums);
    printf("weights of a pass, eps = %g: %.3g; each %.1f J and %.0f multiply-adds; "
           "plan %.3f s, %.1f MB; on the processor %.2f s of one core",
           eps, count, values / count, sums / count, planned, 1e-6 * lanes * sizeof(filon_lane),
           bench_weights_host(&k));
    if (g) printf("; on the device %.4f s", bench_weights_device(&w, g));
    printf("\n");
    hankel_weights_free(&w);
    inner_grids_free(&t);
    dipole_free(d);
}
#endif
