/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the Filon weights of one plan on a device.  A chunk is some lanes and some momenta of
 * one band; for each chunk
 *
 *   bessel                     ->  J (orders, lanes, momenta)
 *   widen, weigh               ->  sums over these lanes: weights, and integrals of the tail
 *
 * and at the end, where there is a tail,
 *
 *   tail, product with the fit ->  weights of the last nodes */
#include "device_filon.h"

#include <stdlib.h>

#include "filon_kernels.h"
#include "numerics/memory.h"

static const double FILON_MEMORY_SHARE = 0.5; /* of what is free; the rest is for the next stages */
static const size_t J_MAX = (size_t)1 << 24;  /* numbers of J at once: enough to fill any device */

/* Where memory is short, momenta rather than lanes are fewer: a launch for each lane takes long. */
enum { LANES_AT_ONCE = 64 };

/* Estimate for device_filon_bytes, which knows no plan: lanes of an interval for each half octave
 * of momenta.  tests/cuda/test_cuda_memory.c checks the resulting bound. */
enum { LANES_PER_INTERVAL = 24 };

typedef struct {
    gpu *g;
    const filon_plan *p;
    filon_view v;
    double *w;
    size_t batch;           /* numbers of J */
    const double *q, *fit;  /* on the device: all momenta; (nterm, nfit) */
    const filon_lane *lane; /* all lanes */
    const uint32_t *start;  /* (nband, ngroup + 2) */
    gpu_buffer J, C;
    gpu_group all; /* what all chunks use */
} filon_stage;

/* ---- what all chunks use ---- */

static cgct_status upload_filon_windows(filon_stage *s, cgct_err *err)
{
    const filon_plan *p = s->p;
    const size_t n = p->nx - 1;
    uint32_t *window = memory_new(n, sizeof *window);
    for (size_t i = 0; i < n; i++) window[i] = (uint32_t)filon_local_window(&p->local, i);
    cgct_status st = gpu_group_add(&s->all, n * sizeof *window, window, &s->v.window, err);
    free(window);
    return st;
}

static cgct_status upload_filon_plan(filon_stage *s, cgct_err *err)
{
    const filon_plan *p = s->p;
    const size_t one = sizeof(double);
    filon_view *v = &s->v;
    v->nm = p->nm;
    v->nk = (size_t)p->local.degree + 1;
    bessel_terms_init(&v->terms);
    CGCT_TRY(gpu_group_add(&s->all, p->nm * sizeof *p->m, p->m, &v->m, err));
    CGCT_TRY(gpu_group_add(&s->all, p->nq * one, p->q, &s->q, err));
    CGCT_TRY(gpu_group_add(&s->all, p->nx * one, p->local.x, &v->x, err));
    CGCT_TRY(gpu_group_add(&s->all, (p->nx - 1) * v->nk * one, p->local.bary, &v->bary, err));
    CGCT_TRY(gpu_group_add(&s->all, p->nlane * sizeof *p->lane, p->lane, &s->lane, err));
    const size_t starts = p->nband * (p->ngroup + 2) * sizeof *p->start;
    CGCT_TRY(gpu_group_add(&s->all, starts, p->start, &s->start, err));
    return upload_filon_windows(s, err);
}

static cgct_status upload_filon_tail(filon_stage *s, cgct_err *err)
{
    const filon_plan *p = s->p;
    filon_view *v = &s->v;
    const size_t one = sizeof(double), nterm = (size_t)p->tail.nterm;
    const filon_rule rule = filon_laguerre(FILON_LAGUERRE_TAIL);
    double *split = memory_new(p->nq, one);
    for (size_t i = 0; i < p->nband; i++)
        for (size_t k = 0; k < p->band[i].band.n; k++)
            split[p->band[i].band.first + k] = p->band[i].split;
    cgct_status st = gpu_group_add(&s->all, p->nq * one, split, &v->split, err);
    free(split);
    CGCT_TRY(st);
    v->nterm = nterm;
    v->last = p->tail.a;
    CGCT_TRY(gpu_group_add(&s->all, FILON_LAGUERRE_TAIL * one, rule.t, &v->node, err));
    CGCT_TRY(gpu_group_add(&s->all, FILON_LAGUERRE_TAIL * one, rule.w, &v->weight, err));
    CGCT_TRY(gpu_group_add(&s->all, nterm * one, p->tail.power, &v->power, err));
    CGCT_TRY(gpu_group_add(&s->all, nterm * (size_t)p->tail.nfit * one, p->tail.fit, &s->fit, err));
    CGCT_TRY(gpu_group_add(&s->all, p->nm * p->nq * nterm * one, NULL, &v->T, err));
    return s->g->ops->clear(s->g, v->T, p->nm * p->nq * nterm * one, err);
}

/* ---- chunks ---- */

/* Numbers of J for all momenta and lanes of the largest band. */
static size_t largest_J(const filon_plan *p)
{
    size_t n = 0, row = p->ngroup + 2;
    for (size_t i = 0; i < p->nband; i++) {
        size_t all = (p->start[i * row + row - 1] - p->start[i * row]) * p->band[i].band.n;
        n = all > n ? all : n;
    }
    n *= p->nm;
    return n < J_MAX ? n : J_MAX;
}

/* Allocates J, and C for as many lanes as J can hold; both smaller while the device refuses, down
 * to one lane and one momentum. */
static cgct_status alloc_J(filon_stage *s, cgct_err *err)
{
    size_t free_bytes, total, least = s->p->nm, most = largest_J(s->p);
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    double room = FILON_MEMORY_SHARE * (double)free_bytes / sizeof(double), per = (double)s->p->nm;
    room *= per / (per + FILON_ROW);
    s->batch = room < (double)most ? (size_t)room : most;
    for (;; s->batch /= 2) {
        if (s->batch < least) s->batch = least;
        size_t lanes = s->batch / s->p->nm;
        if (lanes > s->p->nlane) lanes = s->p->nlane;
        cgct_status st = gpu_alloc(s->g, &s->J, s->batch * sizeof(double), err);
        if (st == CGCT_OK) st = gpu_alloc(s->g, &s->C, lanes * FILON_ROW * sizeof(double), err);
        if (st != CGCT_E_NOMEM || s->batch == least) return st;
        gpu_free(s->g, &s->J);
    }
}

/* Adds the sums over the lanes of the chunk to those of momentum `first` and the next: columns from
 * the group of the first lane to the one behind that of the last. */
static cgct_status add_filon_sums(filon_stage *s, const uint32_t *start, filon_sums to,
                                  size_t first, cgct_err *err)
{
    filon_view *v = &s->v;
    const size_t end = v->begin + v->nlane, groups = (to.columns + FILON_GROUP - 1) / FILON_GROUP;
    to.begin = v->begin > start[0] ? v->begin : start[0];
    to.end = end < start[to.ngroup] ? end : start[to.ngroup];
    if (to.begin >= to.end) return CGCT_OK;
    size_t g = 0, last = to.ngroup;
    while (start[g + 1] <= to.begin) g++;
    while (start[last - 1] >= to.end) last--;
    last = last + 1 < groups ? last + 1 : groups;
    to.first = g;
    to.count = last - g;
    to.stride = s->p->nq * to.columns;
    to.out += first * to.columns;
    v->sums = to;
    const size_t orders = (v->nm + WEIGH_ORDERS - 1) / WEIGH_ORDERS;
    return gpu_launch(s->g, GPU_weigh, orders * to.count * v->nq, v, err);
}

/* Weights and the tail of n lanes of band i from `begin` on, and of nq momenta from `first` on. */
static cgct_status filon_chunk(filon_stage *s, size_t i, size_t begin, size_t n, size_t first,
                               size_t nq, cgct_err *err)
{
    const filon_plan *p = s->p;
    const size_t row = i * (p->ngroup + 2);
    const uint32_t *start = p->start + row;
    filon_view *v = &s->v;
    v->nlane = n;
    v->begin = begin;
    v->nq = nq;
    v->q = s->q + first;
    v->lane = s->lane + begin;
    v->J = s->J.p;
    v->C = s->C.p;
    const filon_sums
        weights = {.ngroup = p->ngroup, .start = s->start + row, .columns = p->nx, .out = s->w},
        tail = {.ngroup = 1, .start = s->start + row + p->ngroup, .columns = v->nterm, .out = v->T};
    CGCT_TRY(gpu_launch(s->g, GPU_bessel, n * nq, v, err));
    CGCT_TRY(gpu_launch(s->g, GPU_widen, n * FILON_ROW, v, err));
    CGCT_TRY(add_filon_sums(s, start, weights, first, err));
    return add_filon_sums(s, start + p->ngroup, tail, first, err);
}

/* As many momenta as fit with LANES_AT_ONCE lanes, one at least, then as many lanes as fit with
 * these. */
static cgct_status filon_band_chunks(filon_stage *s, size_t i, cgct_err *err)
{
    const filon_plan *p = s->p;
    const filon_band *band = &p->band[i].band;
    const uint32_t *start = p->start + i * (p->ngroup + 2), end = start[p->ngroup + 1];
    const size_t J = s->batch / p->nm, last = band->first + band->n;
    const size_t most = J > LANES_AT_ONCE ? J / LANES_AT_ONCE : 1;
    for (size_t first = band->first, nq; first < last; first += nq) {
        nq = last - first < most ? last - first : most;
        const size_t lanes = J / nq;
        for (size_t begin = start[0], n; begin < end; begin += n) {
            n = end - begin < lanes ? end - begin : lanes;
            CGCT_TRY(filon_chunk(s, i, begin, n, first, nq, err));
        }
    }
    return CGCT_OK;
}

/* Contours of all momenta, then weights (nq, nfit) += T (nq, nterm) fit of each order. */
static cgct_status end_filon_tail(filon_stage *s, cgct_err *err)
{
    const filon_plan *p = s->p;
    filon_view *v = &s->v;
    size_t nterm = (size_t)p->tail.nterm, nfit = (size_t)p->tail.nfit;
    v->nq = p->nq;
    v->q = s->q;
    CGCT_TRY(gpu_launch(s->g, GPU_tail, p->nq * nterm, v, err));
    gpu_product x = {.m = p->nq, .n = nfit, .k = nterm, .batch = p->nm, .beta = 1};
    x.a = v->T;
    x.sa = p->nq * nterm;
    x.b = s->fit;
    x.c = s->w + p->nx - nfit;
    x.ldc = p->nx;
    x.sc = p->nq * p->nx;
    return gpu_multiply(s->g, &x, err);
}

static cgct_status make_filon_weights(filon_stage *s, gpu_buffer *w, cgct_err *err)
{
    const filon_plan *p = s->p;
    CGCT_TRY(gpu_alloc(s->g, w, p->nm * p->nq * p->nx * sizeof(double), err));
    if (!w->bytes) return CGCT_OK;
    s->w = w->p;
    CGCT_TRY(s->g->ops->clear(s->g, w->p, w->bytes, err));
    CGCT_TRY(upload_filon_plan(s, err));
    if (p->has_tail) CGCT_TRY(upload_filon_tail(s, err));
    CGCT_TRY(alloc_J(s, err));
    for (size_t i = 0; i < p->nband; i++) CGCT_TRY(filon_band_chunks(s, i, err));
    return p->has_tail ? end_filon_tail(s, err) : CGCT_OK;
}

double device_filon_bytes(size_t nm, size_t nx, size_t nq, const double *q)
{
    const double lane = sizeof(filon_lane) + FILON_ROW * sizeof(double);
    double lanes = LANES_PER_INTERVAL * (double)nx, bands = 0, most = 0;
    for (size_t first = 0, n; first < nq; first += n, bands++) {
        n = filon_band_from(nq, q, first).n;
        most = (double)n > most ? (double)n : most;
    }
    double J = lanes * (double)nm * most, tail = (double)(nm * nq * FILON_TAIL_TERMS);
    if (J > (double)J_MAX) J = (double)J_MAX;
    return sizeof(double) * (J + tail + (double)nx * FILON_FUNCTIONS) + lanes * bands * lane;
}

cgct_status device_filon(gpu *g, const filon_plan *p, gpu_buffer *w, cgct_err *err)
{
    filon_stage s = {.g = g, .p = p, .all.g = g};
    cgct_status st = make_filon_weights(&s, w, err);
    gpu_free(g, &s.J);
    gpu_free(g, &s.C);
    gpu_group_free(&s.all);
    if (st != CGCT_OK) gpu_free(g, w);
    return st;
}
