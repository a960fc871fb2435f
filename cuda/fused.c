/* SPDX-License-Identifier: GPL-3.0-or-later */
/* H_m(q,Delta) += sum_R w_m(q,R) G_m(Delta,R) chunk by chunk of R, then
 * I_m(q,P) += sum_Delta w_m(P,Delta) H_m(q,Delta) chunk by chunk of Delta. */
#include <stdlib.h>

#include "device_filon.h"
#include "device_hankel.h"
#include "direct_stage.h"

struct cuda_fused_plan {
    cuda_fused_task task;
    direct_stage s;
    device_hankel h;
};

cgct_status cuda_fused_init(cuda_fused_plan **out, const cuda_fused_task *task, gpu *g,
                            cgct_err *err)
{
    cuda_fused_plan *p = *out = calloc(1, sizeof *p);
    if (!p) return cgct_fail(err, CGCT_E_NOMEM, "cuda-fused: no memory for a plan");
    p->task = *task;
    hankel_weights w;
    cgct_status st = hankel_weights_init(&w, &p->task, err);
    if (st == CGCT_OK) st = device_hankel_init(&p->h, g, &w, err);
    hankel_weights_free(&w);
    if (st == CGCT_OK) st = direct_stage_init(&p->s, g, task->inner, 0, err);
    if (st == CGCT_OK) return st;
    cuda_fused_free(p);
    *out = NULL;
    return st;
}

void cuda_fused_free(cuda_fused_plan *p)
{
    if (!p) return;
    direct_stage_free(&p->s);
    device_hankel_free(&p->h);
    free(p);
}

static cgct_status all_blocks(cuda_fused_plan *p, double origin[NPOL], cgct_err *err)
{
    direct_stage *s = &p->s;
    const inner_opts *o = s->o;
    const direct_view *v = &s->view.v;
    for (size_t d0 = 0; d0 < o->nd; d0 += s->chunk.nd) {
        CGCT_TRY(direct_stage_delta(s, d0, err));
        CGCT_TRY(device_hankel_chunk(&p->h, err));
        for (size_t r0 = 0; r0 < o->nr; r0 += s->chunk.nr) {
            CGCT_TRY(direct_stage_block(s, r0, 0, err));
            if (d0 + r0 == 0) CGCT_TRY(direct_stage_origin(s, 0, origin, err));
            CGCT_TRY(device_hankel_add(&p->h, v->G, v->nd, r0, v->nr, err));
        }
        CGCT_TRY(device_hankel_close(&p->h, d0, v->nd, err));
    }
    return CGCT_OK;
}

cgct_status cuda_fused_apply(cuda_fused_plan *p, const dipole *d, double *modes,
                             double origin[NPOL], cgct_err *err)
{
    CGCT_TRY(direct_stage_dipole(&p->s, d, err));
    CGCT_TRY(device_hankel_clear(&p->h, err));
    CGCT_TRY(all_blocks(p, origin, err));
    return device_hankel_get(&p->h, modes, err);
}

cgct_status cuda_fused_bytes(const cuda_size *k, size_t *bytes, cgct_err *err)
{
    const inner_opts *o = k->inner;
    double wq = device_filon_bytes(o->nm, o->nr, k->nq, k->q), n = 0;
    double wP = device_filon_bytes(o->nm, o->nd, k->np, k->P), weights = wq > wP ? wq : wP;
    cgct_status st = direct_stage_bytes(o, k->dipole, 0, &n, err);
    *bytes = (size_t)(device_hankel_bytes(o, k->nq, k->np) + (n > weights ? n : weights));
    return st;
}
