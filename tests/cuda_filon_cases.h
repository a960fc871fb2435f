/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda_filon_cases.h: Filon weights of a device beside filon_weights, for the test on an emulated
 * one and for the check on a real one. */
#ifndef CUDA_FILON_CASES_H
#define CUDA_FILON_CASES_H
#include <math.h>

#include "cuda/device_filon.h"
#include "numerics/bessel.h"
#include "numerics/filon_parts.h"
#include "chain.h"
#include "larger_error.h"

/* Of int |l_j(x) x J_m(q x)|; both promise 1e-13 and keep 1e-14. */
#define TOL_WEIGHTS 3e-14

enum { FILON_CASE_NODES = 90, FILON_CASE_MOMENTA = 7, FILON_CASE_FEW = 3 };

/* Grids to x_max = scale sinh(t) (scale 0: uniform), orders 0, step .. mmax, momenta in any order
 * with neighbours in one half octave, and phases q h up to 1e3; a tail of so many terms. */
static const struct {
    const char *name;
    double scale, x_max, q[FILON_CASE_MOMENTA];
    int nodes, degree, mmax, step, tail;
} cuda_filon_cases[] = {
    {"even orders, degree 8, tail", 2, 100, {1, 1.2, 1.4, 2, 7, 7.5, 25}, 90, 8, 120, 2, 3},
    {"all orders, degree 6", 0, 40, {25, 0, 0.01, 3, 3.1, 0.5, 12}, 90, 6, 31, 1, 0},
    {"long phases, tail", 1, 400, {200, 20, 2, 0.2, 0.02, 240, 181}, 40, 4, 9, 3, 3},
    {"order 510, degree 2", 3, 90, {0.1, 0.3, 1, 6, 10, 10.1, 40}, 60, 2, 510, 102, 0},
    {"one window, order 0", 0, 7, {0.5, 0.6, 5, 5.5, 50, 0, 1}, 8, 7, 0, 1, 0},
    {"tail of ten terms", 2, 60, {0.3, 1, 1.2, 3, 9, 0.1, 14}, 70, 8, 12, 2, 10}};
enum { CUDA_FILON_CASES = sizeof cuda_filon_cases / sizeof *cuda_filon_cases };

static const double cuda_filon_few[FILON_CASE_FEW] = {2, 3.5, 6},
                    cuda_filon_many[] = {2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5};

/* One case as a task of filon_weights and what it refers to; not to be copied. */
typedef struct {
    filon_task task;
    double x[FILON_CASE_NODES];
    int m[128];
    filon_tail_opts tail;
} cuda_filon_task;

static inline void cuda_filon_init(cuda_filon_task *t, int i)
{
    size_t nx = (size_t)cuda_filon_cases[i].nodes, nm = 0;
    for (int m = 0; m <= cuda_filon_cases[i].mmax; m += cuda_filon_cases[i].step) t->m[nm++] = m;
    const int terms = cuda_filon_cases[i].tail;
    t->tail = (filon_tail_opts){terms > FILON_CASE_FEW ? 24 : 12, terms,
                                terms > FILON_CASE_FEW ? cuda_filon_many : cuda_filon_few};
    t->task = (filon_task){.nx = nx,
                           .nq = FILON_CASE_MOMENTA,
                           .nm = nm,
                           .x = t->x,
                           .q = cuda_filon_cases[i].q,
                           .m = t->m,
                           .degree = cuda_filon_cases[i].degree,
                           .tail = terms ? &t->tail : NULL};
    for (size_t j = 0; j < nx; j++) {
        double s = cuda_filon_cases[i].scale, end = cuda_filon_cases[i].x_max;
        double at = (double)j / (double)(nx - 1);
        t->x[j] = s > 0 ? s * sinh(asinh(end / s) * at) : end * at;
    }
}

/* scale (nm, nq, nx): int |l_j x J_m| by the rules of the plan, and what the fit of a tail makes of
 * its integrals */
static inline void cuda_filon_add_scale(const filon_plan *p, size_t iq, const uint32_t *start,
                                        double *J, double *scale)
{
    const filon_local *l = &p->local;
    size_t nk = (size_t)l->degree + 1;
    for (const filon_lane *at = p->lane + start[0]; at < p->lane + start[p->ngroup]; at++) {
        double a = l->x[at->interval], z = p->q[iq] * (a + at->u);
        const size_t window = filon_local_window(l, at->interval);
        const double *node = l->x + window;
        bessel_J_pair(p->m[p->nm - 1], 1, 1, &z, NULL, J);
        for (size_t k = 0; k < nk; k++) {
            double c = filon_cardinal(nk, node, l->bary + at->interval * nk, a, at->u, k);
            double *s = scale + iq * p->nx + window + k;
            for (size_t im = 0; im < p->nm; im++)
                s[im * p->nq * p->nx] += fabs(at->weight * c * J[p->m[im]]);
        }
    }
}

static inline void cuda_filon_scale(const filon_plan *p, double *scale)
{
    size_t nfit = (size_t)p->tail.nfit;
    double *J = malloc(((size_t)p->m[p->nm - 1] + 1) * sizeof *J);
    memset(scale, 0, p->nm * p->nq * p->nx * sizeof *scale);
    for (size_t i = 0; i < p->nband; i++)
        for (size_t iq = 0; iq < p->band[i].band.n; iq++)
            cuda_filon_add_scale(p, p->band[i].band.first + iq, p->start + i * (p->ngroup + 2), J,
                                 scale);
    free(J);
    for (size_t row = 0; p->has_tail && row < p->nm * p->nq; row++) {
        double *s = scale + (row + 1) * p->nx - nfit, q = p->q[row % p->nq];
        for (size_t k = 0; k < nfit; k++)
            for (size_t j = 0; j < (size_t)p->tail.nterm; j++)
                s[k] += fabs(p->tail.fit[j * nfit + k]) * p->tail.a / q;
    }
}

/* The weights of a task by a device, into w (nm, nq, nx). */
static inline cgct_status cuda_filon_weights(const filon_task *t, gpu *g, filon_plan *p, double *w,
                                             cgct_err *err)
{
    gpu_buffer b = {0};
    size_t n = t->nm * t->nq * t->nx;
    const gpu_rows r = {.to = w, .width = n, .rows = 1, .to_pitch = n, .from_pitch = n};
    gpu_rows from = r;
    CGCT_TRY(filon_plan_init(p, t, err));
    cgct_status st = device_filon(g, p, &b, err);
    from.from = b.p;
    if (st == CGCT_OK) st = g->ops->mark(g, 0, err);
    if (st == CGCT_OK) st = g->ops->fetch(g, 0, &from, err);
    gpu_free(g, &b);
    if (st != CGCT_OK) filon_plan_free(p);
    return st;
}

/* Largest difference of one case from filon_weights, in the scales above. */
static inline double cuda_filon_case(int i, gpu *g)
{
    cuda_filon_task t;
    filon_plan p;
    cgct_err err = {""};
    cuda_filon_init(&t, i);
    size_t n = t.task.nm * t.task.nq * t.task.nx;
    double *got = malloc(3 * n * sizeof *got), *want = got + n, *scale = want + n, worst = 0;
    CHAIN_REQUIRE(cuda_filon_weights(&t.task, g, &p, got, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(g->bytes == 0, "%zu bytes are left on the device\n", g->bytes);
    CHAIN_REQUIRE(filon_weights(&t.task, want, &err) == CGCT_OK, "%s\n", err.text);
    cuda_filon_scale(&p, scale);
    for (size_t k = 0; k < n; k++) {
        double e = fabs(got[k] - want[k]) / (scale[k] + 1e-250);
        worst = larger_error(worst, e);
    }
    filon_plan_free(&p);
    free(got);
    return worst;
}
#endif
