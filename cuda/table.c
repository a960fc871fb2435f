/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "builders.h"
#include "direct_stage.h"

/* Where a block of the table lies. */
typedef struct {
    size_t d0, nd, r0, nr;
} table_block;

/* From G[slot] to its place in the table, one (polarisation, mode) after the other. */
static cgct_status copy_out(direct_stage *s, int slot, table_block b, inner_table *t, cgct_err *err)
{
    const double *from = s->G[slot].p;
    if (b.nr == t->nr) { /* whole rows: one copy for all modes */
        gpu_rows r = {t->g + b.d0 * t->nr, from,          b.nd * t->nr,
                      NPOL * t->nm,        t->nd * t->nr, b.nd * t->nr};
        return gpu_get(s->g, slot, &r, err);
    }
    for (size_t i = 0; i < NPOL * t->nm; i++) {
        gpu_rows r = {t->g + (i * t->nd + b.d0) * t->nr + b.r0,
                      from + i * b.nd * b.nr,
                      b.nr,
                      b.nd,
                      t->nr,
                      b.nr};
        CGCT_TRY(gpu_get(s->g, slot, &r, err));
    }
    return CGCT_OK;
}

/* Block after block; each is asked for before the one before is copied out. */
static cgct_status all_blocks(direct_stage *s, inner_table *t, cgct_err *err)
{
    table_block last = {0};
    int slot = 0;
    for (size_t d0 = 0; d0 < t->nd; d0 += s->chunk.nd) {
        CGCT_TRY(direct_stage_delta(s, d0, err));
        for (size_t r0 = 0; r0 < t->nr; r0 += s->chunk.nr, slot ^= 1) {
            CGCT_TRY(direct_stage_block(s, r0, slot, err));
            if (last.nd) CGCT_TRY(copy_out(s, slot ^ 1, last, t, err));
            last = (table_block){d0, s->view.v.nd, r0, s->view.v.nr};
            if (d0 + r0 == 0) CGCT_TRY(direct_stage_origin(s, slot, t->origin, err));
        }
    }
    return copy_out(s, slot ^ 1, last, t, err);
}

cgct_status cuda_table_build(inner_table *t, const inner_opts *o, const dipole *d, int full, gpu *g,
                             cgct_err *err)
{
    direct_stage s = {0};
    CGCT_TRY(inner_table_init(t, o, err));
    cgct_status st = direct_stage_init(&s, g, o, full, err);
    if (st == CGCT_OK) st = direct_stage_dipole(&s, d, err);
    if (st == CGCT_OK) st = all_blocks(&s, t, err);
    direct_stage_free(&s);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status cuda_table_bytes(const cuda_size *k, int full, size_t *bytes, cgct_err *err)
{
    double n = 0;
    cgct_status st = direct_stage_bytes(k->inner, k->dipole, full, &n, err);
    *bytes = (size_t)n;
    return st;
}
