/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node by cuda-separable: the inner tables of both passes, their transforms, and what is made of
 * these, I at the points of a grid and the bound on its error, which alone leave the device. */
#include <stdlib.h>

#include "builders.h"
#include "device_hankel.h"
#include "numerics/memory.h"
#include "product_kernels.h"
#include "separable_stage.h"

enum { CUDA_PASSES = 2 };

/* The table of infinitely many colours, or the singlet part; and what their number changes. */
enum { PART_TABLE, PART_COLOURS, PRODUCT_PARTS };

struct cuda_product {
    int parts; /* 1 or 2 */
    backend_product task[PRODUCT_PARTS];
    separable_pass pass[PRODUCT_PARTS][CUDA_PASSES];
};

/* On the device: the transforms of both passes of one part, and what is made of them. */
typedef struct {
    gpu *g;
    const backend_product *task;
    device_hankel pass[CUDA_PASSES];
    gpu_group buffers;
    product_view v;
} product_stage;

void cuda_product_free(cuda_product *n)
{
    for (int i = 0; n && i < PRODUCT_PARTS * CUDA_PASSES; i++)
        separable_pass_free(&n->pass[i / CUDA_PASSES][i % CUDA_PASSES]);
    free(n);
}

cgct_status cuda_product_init(cuda_product **out, const backend_product *task,
                              const backend_product *colours, const dipole *d, cgct_err *err)
{
    cgct_status st = CGCT_OK;
    cuda_product *n = *out = memory_zeros(1, sizeof *n);
    n->parts = colours ? 2 : 1;
    n->task[PART_TABLE] = *task;
    if (colours) n->task[PART_COLOURS] = *colours;
    for (int part = 0; part < n->parts; part++)
        for (int i = 0; i < CUDA_PASSES && st == CGCT_OK; i++) {
            const separable_pass *fine = &n->pass[part][0];
            st = separable_pass_init(&n->pass[part][i], &n->task[part].pass[i], d,
                                     i && !fine->of_colours ? &fine->plan : NULL,
                                     part == PART_TABLE, err);
        }
    if (st == CGCT_OK) return st;
    cuda_product_free(n);
    *out = NULL;
    return st;
}

/* Points, factors of single scattering and grids in P, and room for the values. */
static cgct_status upload_product(product_stage *s, cgct_err *err)
{
    const backend_product *k = s->task;
    product_view *v = &s->v;
    gpu_group *b = &s->buffers;
    const size_t one = sizeof(double), places = k->pass[0].nq * k->nk,
                 n = k->single ? k->single->nk : 0;
    const size_t values = NPOL * places * k->nt;
    CGCT_TRY(gpu_group_add(b, k->pass[0].nq * one, k->pass[0].q, &v->q, err));
    CGCT_TRY(gpu_group_add(b, places * one, k->k, &v->k, err));
    CGCT_TRY(gpu_group_add(b, places * k->nt * one, k->theta, &v->theta, err));
    if (n) {
        CGCT_TRY(gpu_group_add(b, k->pass[0].nq * one, k->single->sigma, &v->sigma, err));
        CGCT_TRY(gpu_group_add(b, n * one, k->single->k, &v->single_k, err));
        const size_t rows = k->single->F2 == k->single->F ? SINGLE_FUNCTIONS : SINGLE_MOST;
        CGCT_TRY(gpu_group_add(b, rows * n * one, k->single->F, &v->single_F, err));
    }
    for (int i = 0; i < CUDA_PASSES; i++)
        CGCT_TRY(gpu_group_add(b, k->pass[i].np * one, k->pass[i].P, &v->pass[i].P, err));
    CGCT_TRY(gpu_group_add(b, values * one, NULL, &v->I, err));
    return gpu_group_add(b, values * one, NULL, &v->bound, err);
}

static void set_product_view(product_stage *s)
{
    const backend_product *k = s->task;
    product_view *v = &s->v;
    v->nq = k->pass[0].nq;
    v->nk = k->nk;
    v->nt = k->nt;
    v->lam = k->pass[0].inner->lam;
    v->safety = k->safety;
    v->rounding = k->rounding;
    v->nsingle = k->single ? k->single->nk : 0;
    v->single_other = k->single ? (size_t)(k->single->F2 - k->single->F) : 0;
    for (int i = 0; i < CUDA_PASSES; i++) {
        const inner_opts *o = k->pass[i].inner;
        v->pass[i].nm = o->nm;
        v->pass[i].np = k->pass[i].np;
        v->pass[i].step = o->nm > 1 ? o->m[1] : 1;
        v->pass[i].I = s->pass[i].modes.p;
    }
}

static cgct_status fetch_product(product_stage *s, cgct_err *err)
{
    const product_view *v = &s->v;
    size_t values = NPOL * v->nq * v->nk * v->nt;
    const gpu_rows to_I = {s->task->I, v->I, values, 1, values, values};
    const gpu_rows to_bound = {s->task->bound, v->bound, values, 1, values, values};
    CGCT_TRY(s->g->ops->mark(s->g, 0, err));
    CGCT_TRY(s->g->ops->fetch(s->g, 0, &to_I, err));
    return s->g->ops->fetch(s->g, 0, &to_bound, err);
}

static cgct_status compute_product(product_stage *s, cgct_err *err)
{
    cgct_status st = upload_product(s, err);
    if (st == CGCT_E_NOMEM)
        return cgct_context(err, st, "I at %zu x %zu momenta", s->task->pass[0].nq, s->task->nk);
    CGCT_TRY(st);
    set_product_view(s);
    CGCT_TRY(gpu_launch(s->g, GPU_recentre, s->v.nq * s->v.nk * s->v.nt, &s->v, err));
    return fetch_product(s, err);
}

/* The modes of pass i of all parts, which share the weights of the first. */
static cgct_status compute_pass(const cuda_product *n, gpu *g, int i, product_stage *s,
                                backend_facts *facts, cgct_err *err)
{
    backend_facts unused;
    device_hankel *table = &s[PART_TABLE].pass[i], *colours = &s[PART_COLOURS].pass[i];
    CGCT_TRY(device_hankel_init(table, g, &n->pass[PART_TABLE][i].weights, err));
    CGCT_TRY(separable_pass_modes(&n->pass[PART_TABLE][i], table, facts, err));
    if (n->parts > 1) {
        CGCT_TRY(device_hankel_share(colours, table, &n->task[PART_COLOURS].pass[i], err));
        CGCT_TRY(separable_pass_modes(&n->pass[PART_COLOURS][i], colours, &unused, err));
        device_hankel_keep_modes(colours);
    }
    device_hankel_keep_modes(table);
    return CGCT_OK;
}

cgct_status cuda_product_run(const cuda_product *n, gpu *g, backend_facts facts[2], cgct_err *err)
{
    product_stage s[PRODUCT_PARTS];
    cgct_status st = CGCT_OK;
    for (int part = 0; part < PRODUCT_PARTS; part++)
        s[part] = (product_stage){.g = g, .task = &n->task[part], .buffers.g = g};
    for (int i = 0; i < CUDA_PASSES && st == CGCT_OK; i++)
        st = compute_pass(n, g, i, s, &facts[i], err);
    for (int part = 0; part < n->parts && st == CGCT_OK; part++)
        st = compute_product(&s[part], err);
    for (int part = 0; part < PRODUCT_PARTS; part++) {
        gpu_group_free(&s[part].buffers);
        for (int i = 0; i < CUDA_PASSES; i++) device_hankel_free(&s[part].pass[i]);
    }
    return st;
}
