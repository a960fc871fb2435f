/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda-table, cuda-table-blas and cuda-fused: the paper's discretisation chunk by chunk, either
 * copied into an inner table or transformed on the device at once. */
#include <stdlib.h>

#include "builders.h"
#include "device_hankel.h"
#include "direct_stage.h"
#include "numerics/memory.h"

/* ---- the inner table ---- */

/* A chunk of the table: nodes d0..d0+nd-1 of Delta and r0..r0+nr-1 of R. */
typedef struct {
    size_t d0, nd, r0, nr;
} table_block;

/* Copies a block from G[slot] to its place in the table. */
static cgct_status fetch_block(direct_stage *s, int slot, table_block b, inner_table *t,
                               cgct_err *err)
{
    const double *from = s->G[slot];
    if (b.nr == t->nr) { /* whole rows: one copy for all polarisations and modes */
        gpu_rows r = {t->g + b.d0 * t->nr, from,          b.nd * t->nr,
                      NPOL * t->nm,        t->nd * t->nr, b.nd * t->nr};
        return s->g->ops->fetch(s->g, slot, &r, err);
    }
    for (size_t i = 0; i < NPOL * t->nm; i++) {
        gpu_rows r = {t->g + (i * t->nd + b.d0) * t->nr + b.r0,
                      from + i * b.nd * b.nr,
                      b.nr,
                      b.nd,
                      t->nr,
                      b.nr};
        CGCT_TRY(s->g->ops->fetch(s->g, slot, &r, err));
    }
    return CGCT_OK;
}

/* Each block is started before the one before it is copied out. */
static cgct_status build_blocks(direct_stage *s, inner_table *t, cgct_err *err)
{
    table_block last = {0};
    int slot = 0;
    for (size_t d0 = 0; d0 < t->nd; d0 += s->chunk.nd) {
        CGCT_TRY(direct_stage_delta(s, d0, err));
        for (size_t r0 = 0; r0 < t->nr; r0 += s->chunk.nr, slot ^= 1) {
            CGCT_TRY(direct_stage_block(s, r0, slot, err));
            if (last.nd) CGCT_TRY(fetch_block(s, slot ^ 1, last, t, err));
            last = (table_block){d0, s->view.v.nd, r0, s->view.v.nr};
            if (d0 + r0 == 0) CGCT_TRY(direct_stage_origin(s, slot, t->origin, err));
        }
    }
    return fetch_block(s, slot ^ 1, last, t, err);
}

cgct_status cuda_table_build(inner_table *t, const inner_opts *o, const dipole *d, int full, gpu *g,
                             cgct_err *err)
{
    direct_stage s = {0};
    inner_table_init(t, o);
    cgct_status st = direct_stage_init(&s, g, o, full, err);
    if (st == CGCT_OK) st = direct_stage_dipole(&s, d, err);
    if (st == CGCT_OK) st = build_blocks(&s, t, err);
    direct_stage_free(&s);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status cuda_table_bytes(const backend_size *s, size_t *bytes, cgct_err *err)
{
    return direct_stage_bytes(s, 0, bytes, err);
}

cgct_status cuda_table_blas_bytes(const backend_size *s, size_t *bytes, cgct_err *err)
{
    return direct_stage_bytes(s, 1, bytes, err);
}

/* ---- the fused transform ---- */

struct cuda_fused_plan {
    direct_stage s;
    device_hankel h;
};

cgct_status cuda_fused_init(cuda_fused_plan **out, const backend_transform *task, gpu *g,
                            cgct_err *err)
{
    cuda_fused_plan *p = *out = memory_zeros(1, sizeof *p);
    hankel_weights w;
    cgct_status st = hankel_weights_init(&w, task, err);
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

static cgct_status transform_blocks(cuda_fused_plan *p, double origin[NPOL], cgct_err *err)
{
    direct_stage *s = &p->s;
    const inner_opts *o = s->o;
    const direct_view *v = &s->view.v;
    for (size_t d0 = 0; d0 < o->nd; d0 += s->chunk.nd) {
        CGCT_TRY(direct_stage_delta(s, d0, err));
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
    CGCT_TRY(transform_blocks(p, origin, err));
    return device_hankel_get(&p->h, modes, err);
}

cgct_status cuda_fused_bytes(const backend_size *s, size_t *bytes, cgct_err *err)
{
    size_t stage, weights = (size_t)device_hankel_init_bytes(s);
    CGCT_TRY(direct_stage_bytes(s, 0, &stage, err));
    *bytes = (size_t)device_hankel_bytes(s) + (stage > weights ? stage : weights);
    return CGCT_OK;
}
