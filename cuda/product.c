/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A finished node by cuda-separable: the inner tables of both passes, their transforms, and the
 * product of a run made of these, the modes I_m(q,k1) and their error, which alone leave the
 * device. */
#include <stdlib.h>

#include "builders.h"
#include "device_hankel.h"
#include "product_kernels.h"
#include "separable_stage.h"

enum { CUDA_PASSES = 2 };

struct cuda_product {
    backend_product task;
    separable_pass pass[CUDA_PASSES];
};

/* On the device: the transforms of both passes, and what is made of them. */
typedef struct {
    gpu *g;
    const backend_product *task;
    device_hankel pass[CUDA_PASSES];
    gpu_group buffers;
    double *modes; /* (NPOL, nq, nk, nm) */
    product_view v;
} product_stage;

void cuda_product_free(cuda_product *n)
{
    for (int i = 0; n && i < CUDA_PASSES; i++) separable_pass_free(&n->pass[i]);
    free(n);
}

cgct_status cuda_product_init(cuda_product **out, const backend_product *task, const dipole *d,
                              cgct_err *err)
{
    cgct_status st = CGCT_OK;
    cuda_product *n = *out = calloc(1, sizeof *n);
    if (!n) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for a plan");
    n->task = *task;
    for (int i = 0; i < CUDA_PASSES && st == CGCT_OK; i++)
        st = separable_pass_init(&n->pass[i], &task->pass[i], d, i ? &n->pass[0].plan : NULL, err);
    if (st == CGCT_OK) return st;
    cuda_product_free(n);
    *out = NULL;
    return st;
}

static cgct_status upload_product_axes(product_stage *s, cgct_err *err)
{
    const backend_product *k = s->task;
    product_view *v = &s->v;
    gpu_group *b = &s->buffers;
    const size_t one = sizeof(double), ridge_bytes = k->ridges->nk * one;
    CGCT_TRY(gpu_group_add(b, k->nk * one, k->k, &v->k, err));
    CGCT_TRY(gpu_group_add(b, ridge_bytes, k->ridges->k, &v->ridge_k, err));
    CGCT_TRY(gpu_group_add(b, NPOL * ridge_bytes, k->ridges->F, &v->ridge_F, err));
    for (int i = 0; i < CUDA_PASSES; i++)
        CGCT_TRY(gpu_group_add(b, k->pass[i].np * one, k->pass[i].P, &v->pass[i].P, err));
    return CGCT_OK;
}

static cgct_status alloc_product(product_stage *s, cgct_err *err)
{
    const backend_product *k = s->task;
    size_t rows = NPOL * k->nk, points = rows * k->pass[0].nq, nt = 0, both = 0;
    for (size_t iq = 0; iq < k->pass[0].nq; iq++) {
        size_t n = k->angles[iq];
        nt = n > nt ? n : nt;
        both = n * k->modes[iq] > both ? n * k->modes[iq] : both;
    }
    gpu_group *b = &s->buffers;
    const size_t one = sizeof(double), all = points * k->nm * one;
    CGCT_TRY(gpu_group_add(b, rows * nt * one, NULL, &s->v.I, err));
    CGCT_TRY(gpu_group_add(b, rows * nt * one, NULL, &s->v.bound, err));
    CGCT_TRY(gpu_group_add(b, both * one, NULL, &s->v.cosine, err));
    CGCT_TRY(gpu_group_add(b, all, NULL, &s->modes, err));
    CGCT_TRY(gpu_group_add(b, points * one, NULL, &s->v.error, err));
    return s->g->ops->clear(s->g, s->modes, all, err);
}

static void set_product_view(product_stage *s)
{
    const backend_product *k = s->task;
    product_view *v = &s->v;
    v->nq = k->pass[0].nq;
    v->nk = k->nk;
    v->lam = k->pass[0].inner->lam;
    v->safety = k->safety;
    v->rounding = k->rounding;
    v->nridge = k->ridges->nk;
    for (int i = 0; i < CUDA_PASSES; i++) {
        const inner_opts *o = k->pass[i].inner;
        v->pass[i].nm = o->nm;
        v->pass[i].np = k->pass[i].np;
        v->pass[i].step = o->nm > 1 ? o->m[1] : 1;
        v->pass[i].I = s->pass[i].modes.p;
    }
}

/* Modes (nk, nm) of each polarisation = I (nk, nt) cosine (nt, nm). */
static cgct_status product_at_momentum(product_stage *s, size_t iq, cgct_err *err)
{
    const backend_product *k = s->task;
    product_view *v = &s->v;
    v->iq = iq;
    v->q = k->pass[0].q[iq];
    v->nt = k->angles[iq];
    v->nm = k->modes[iq];
    v->sigma = v->nridge ? k->ridges->sigma[iq] : 0;
    CGCT_TRY(gpu_launch(s->g, GPU_recentre, v->nk * v->nt, v, err));
    CGCT_TRY(gpu_launch(s->g, GPU_angle, v->nt * v->nm, v, err));
    CGCT_TRY(gpu_launch(s->g, GPU_bound, NPOL * v->nk, v, err));
    gpu_product x = {.m = v->nk, .n = v->nm, .k = v->nt, .batch = NPOL};
    x.a = v->I;
    x.sa = v->nk * v->nt;
    x.b = v->cosine;
    x.c = s->modes + iq * v->nk * k->nm;
    x.ldc = k->nm;
    x.sc = v->nq * v->nk * k->nm;
    return gpu_multiply(s->g, &x, err);
}

static cgct_status fetch_product(product_stage *s, double *modes, double *error, cgct_err *err)
{
    const backend_product *k = s->task;
    size_t points = NPOL * k->pass[0].nq * k->nk, all = points * k->nm;
    const gpu_rows m = {modes, s->modes, all, 1, all, all};
    const gpu_rows e = {error, s->v.error, points, 1, points, points};
    CGCT_TRY(s->g->ops->mark(s->g, 0, err));
    CGCT_TRY(s->g->ops->fetch(s->g, 0, &m, err));
    return s->g->ops->fetch(s->g, 0, &e, err);
}

static cgct_status compute_product(product_stage *s, double *modes, double *error, cgct_err *err)
{
    CGCT_TRY(upload_product_axes(s, err));
    cgct_status st = alloc_product(s, err);
    if (st == CGCT_E_NOMEM)
        return cgct_context(err, st, "product on %zu x %zu momenta", s->task->pass[0].nq,
                            s->task->nk);
    CGCT_TRY(st);
    set_product_view(s);
    for (size_t iq = 0; iq < s->v.nq; iq++) CGCT_TRY(product_at_momentum(s, iq, err));
    return fetch_product(s, modes, error, err);
}

cgct_status cuda_product_run(const cuda_product *n, gpu *g, double *modes, double *error,
                             backend_facts facts[2], cgct_err *err)
{
    product_stage s = {.g = g, .task = &n->task, .buffers.g = g};
    cgct_status st = CGCT_OK;
    for (int i = 0; i < CUDA_PASSES && st == CGCT_OK; i++) {
        st = separable_pass_modes(&n->pass[i], g, &s.pass[i], &facts[i], err);
        if (st == CGCT_OK) device_hankel_keep_modes(&s.pass[i]);
    }
    if (st == CGCT_OK) st = compute_product(&s, modes, error, err);
    gpu_group_free(&s.buffers);
    for (int i = 0; i < CUDA_PASSES; i++) device_hankel_free(&s.pass[i]);
    return st;
}
