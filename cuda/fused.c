/* SPDX-License-Identifier: GPL-3.0-or-later */
/* H_m(q,Delta) += sum_R w_m(q,R) G_m(Delta,R) chunk by chunk of R, then
 * I_m(q,P) += sum_Delta w_m(P,Delta) H_m(q,Delta) chunk by chunk of Delta. */
#include <stdlib.h>

#include "builders.h"
#include "direct_stage.h"

struct cuda_fused_plan {
    cuda_fused_task task;
    gpu *g;
    direct_stage s;
    gpu_buffer wq, wP;   /* (nm, nq, nr), (nm, np, nd) */
    gpu_buffer H, modes; /* (NPOL, nm, nq, chunk of Delta), (NPOL, nm, nq, np) */
};

static cgct_status weights(const cuda_fused_plan *p, size_t nx, const double *x, size_t nk,
                           const double *k, const filon_tail_opts *tail, gpu_buffer *b,
                           cgct_err *err)
{
    const inner_opts *o = p->task.inner;
    size_t count = o->nm * nk * nx;
    double *w = malloc(count * sizeof *w);
    if (!w) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu Filon weights", count);
    cgct_status st = filon_weights(nx, x, nk, k, o->nm, o->m, p->task.degree, tail, w, err);
    if (st == CGCT_OK) st = gpu_upload(p->g, b, w, count * sizeof *w, err);
    free(w);
    return st;
}

static cgct_status start(cuda_fused_plan *p, cgct_err *err)
{
    const cuda_fused_task *k = &p->task;
    const inner_opts *o = k->inner;
    size_t rows = NPOL * o->nm * k->nq * sizeof(double);
    CGCT_TRY(weights(p, o->nr, o->r, k->nq, k->q, k->tail, &p->wq, err));
    CGCT_TRY(weights(p, o->nd, o->delta, k->np, k->P, NULL, &p->wP, err));
    CGCT_TRY(gpu_alloc(p->g, &p->modes, rows * k->np, err));
    CGCT_TRY(gpu_alloc(p->g, &p->H, rows * o->nd, err));
    return direct_stage_init(&p->s, p->g, o, 0, 0, err);
}

cgct_status cuda_fused_init(cuda_fused_plan **out, const cuda_fused_task *task, gpu *g,
                            cgct_err *err)
{
    cuda_fused_plan *p = *out = calloc(1, sizeof *p);
    if (!p) return cgct_fail(err, CGCT_E_NOMEM, "cuda-fused: no memory for a plan");
    p->task = *task;
    p->g = g;
    cgct_status st = start(p, err);
    if (st == CGCT_OK) return st;
    cuda_fused_free(p);
    *out = NULL;
    return st == CGCT_E_NOMEM
               ? cgct_context(err, st, "cuda-fused, %zu x %zu momenta", task->nq, task->np)
               : st;
}

void cuda_fused_free(cuda_fused_plan *p)
{
    if (!p) return;
    gpu_buffer *b[] = {&p->wq, &p->wP, &p->H, &p->modes};
    direct_stage_free(&p->s);
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) gpu_free(p->g, b[i]);
    free(p);
}

/* H (nm, nq, nd) of each polarisation += w_q (nm, nq, nr of the block) G (nm, nd, nr)^T */
static cgct_status add_block(cuda_fused_plan *p, size_t r0, cgct_err *err)
{
    const cuda_fused_task *k = &p->task;
    const direct_view *v = &p->s.view.v;
    size_t nr = k->inner->nr;
    gpu_product x = {.turned_b = 1, .m = k->nq, .n = v->nd, .k = v->nr, .batch = v->nm, .beta = 1};
    x.a = (const double *)p->wq.p + r0;
    x.lda = nr;
    x.sa = k->nq * nr;
    x.ldb = v->nr;
    x.sb = v->nd * v->nr;
    x.ldc = v->nd;
    x.sc = k->nq * v->nd;
    for (size_t pol = 0; pol < NPOL; pol++) {
        x.b = v->G + pol * v->nm * x.sb;
        x.c = (double *)p->H.p + pol * v->nm * x.sc;
        CGCT_TRY(gpu_multiply(p->g, &x, err));
    }
    return CGCT_OK;
}

/* modes (nm, nq, np) of each polarisation += H (nm, nq, nd) w_P (nm, np, nd of the chunk)^T */
static cgct_status add_chunk(cuda_fused_plan *p, size_t d0, cgct_err *err)
{
    const cuda_fused_task *k = &p->task;
    const direct_view *v = &p->s.view.v;
    size_t nd = k->inner->nd;
    gpu_product x = {.turned_b = 1, .m = k->nq, .n = k->np, .k = v->nd, .batch = v->nm, .beta = 1};
    x.lda = v->nd;
    x.sa = k->nq * v->nd;
    x.b = (const double *)p->wP.p + d0;
    x.ldb = nd;
    x.sb = k->np * nd;
    x.ldc = k->np;
    x.sc = k->nq * k->np;
    for (size_t pol = 0; pol < NPOL; pol++) {
        x.a = (const double *)p->H.p + pol * v->nm * x.sa;
        x.c = (double *)p->modes.p + pol * v->nm * x.sc;
        CGCT_TRY(gpu_multiply(p->g, &x, err));
    }
    return CGCT_OK;
}

static cgct_status all_blocks(cuda_fused_plan *p, double origin[NPOL], cgct_err *err)
{
    direct_stage *s = &p->s;
    const inner_opts *o = s->o;
    for (size_t d0 = 0; d0 < o->nd; d0 += s->chunk.nd) {
        CGCT_TRY(direct_stage_delta(s, d0, err));
        CGCT_TRY(p->g->ops->clear(p->g, p->H.p, p->H.bytes, err));
        for (size_t r0 = 0; r0 < o->nr; r0 += s->chunk.nr) {
            CGCT_TRY(direct_stage_block(s, r0, 0, err));
            if (d0 + r0 == 0) CGCT_TRY(direct_stage_origin(s, 0, origin, err));
            CGCT_TRY(add_block(p, r0, err));
        }
        CGCT_TRY(add_chunk(p, d0, err));
    }
    return CGCT_OK;
}

cgct_status cuda_fused_apply(cuda_fused_plan *p, const dipole *d, double *modes,
                             double origin[NPOL], cgct_err *err)
{
    const cuda_fused_task *k = &p->task;
    size_t rows = NPOL * k->inner->nm * k->nq;
    CGCT_TRY(direct_stage_dipole(&p->s, d, err));
    CGCT_TRY(p->g->ops->clear(p->g, p->modes.p, p->modes.bytes, err));
    CGCT_TRY(all_blocks(p, origin, err));
    CGCT_TRY(p->g->ops->mark(p->g, 0, err));
    gpu_rows r = {modes, p->modes.p, k->np, rows, k->np, k->np};
    return gpu_get(p->g, 0, &r, err);
}
