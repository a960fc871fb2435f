/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products of the inner table on a device with the Filon weights of both momenta. */
#include "device_hankel.h"

#include <string.h>

#include "device_filon.h"

cgct_status hankel_weights_init(hankel_weights *w, const backend_transform *k, cgct_err *err)
{
    const inner_opts *o = k->inner;
    memset(w, 0, sizeof *w);
    w->task = *k;
    const filon_task q = {o->nr, k->nq, o->nm, o->r, k->q, o->m, k->degree, k->tail};
    const filon_task P = {o->nd, k->np, o->nm, o->delta, k->P, o->m, k->degree, NULL};
    cgct_status st = filon_plan_init(&w->q, &q, err);
    if (st == CGCT_OK) st = filon_plan_init(&w->P, &P, err);
    if (st != CGCT_OK) hankel_weights_free(w);
    return st;
}

void hankel_weights_free(hankel_weights *w)
{
    filon_plan_free(&w->q);
    filon_plan_free(&w->P);
}

double device_hankel_bytes(const backend_size *k)
{
    const inner_opts *o = k->inner;
    double nm = (double)o->nm, nd = (double)o->nd, q = (double)k->nq, P = (double)k->np;
    double weights = nm * (q * (double)o->nr + P * nd), H = NPOL * nm * q * nd;
    return sizeof(double) * (weights + H + 2 * NPOL * nm * q * P);
}

double device_hankel_init_bytes(const backend_size *k)
{
    const inner_opts *o = k->inner;
    double wq = device_filon_bytes(o->nm, o->nr, k->nq, k->q);
    double wP = device_filon_bytes(o->nm, o->nd, k->np, k->P);
    return wq > wP ? wq : wP;
}

static cgct_status make_hankel_buffers(device_hankel *h, const hankel_weights *w, cgct_err *err)
{
    const backend_transform *k = &h->task;
    const size_t rows = NPOL * k->inner->nm * k->nq * sizeof(double);
    CGCT_TRY(gpu_alloc(h->g, &h->modes, rows * k->np, err));
    CGCT_TRY(gpu_alloc(h->g, &h->H, rows * k->inner->nd, err));
    if (h->borrowed) return CGCT_OK;
    CGCT_TRY(device_filon(h->g, &w->q, &h->wq, err));
    return device_filon(h->g, &w->P, &h->wP, err);
}

static cgct_status hankel_init(device_hankel *h, const hankel_weights *w, cgct_err *err)
{
    cgct_status st = make_hankel_buffers(h, w, err);
    if (st == CGCT_OK) return st;
    const size_t nq = h->task.nq, np = h->task.np;
    device_hankel_free(h);
    return st == CGCT_E_NOMEM ? cgct_context(err, st, "transform to %zu x %zu momenta", nq, np)
                              : st;
}

cgct_status device_hankel_init(device_hankel *h, gpu *g, const hankel_weights *w, cgct_err *err)
{
    *h = (device_hankel){.g = g, .task = w->task};
    return hankel_init(h, w, err);
}

cgct_status device_hankel_share(device_hankel *h, const device_hankel *of,
                                const backend_transform *task, cgct_err *err)
{
    *h = (device_hankel){.g = of->g, .task = *task, .borrowed = 1, .wq = of->wq, .wP = of->wP};
    return hankel_init(h, NULL, err);
}

void device_hankel_keep_modes(device_hankel *h)
{
    if (!h->borrowed) gpu_free(h->g, &h->wq);
    if (!h->borrowed) gpu_free(h->g, &h->wP);
    gpu_free(h->g, &h->H);
}

void device_hankel_free(device_hankel *h)
{
    if (h->g) device_hankel_keep_modes(h);
    if (h->g) gpu_free(h->g, &h->modes);
    memset(h, 0, sizeof *h);
}

cgct_status device_hankel_add(device_hankel *h, const double *G, size_t nd, size_t r0, size_t nr,
                              cgct_err *err)
{
    const backend_transform *k = &h->task;
    const inner_opts *o = k->inner;
    gpu_product x = {.turned_b = 1, .m = k->nq, .n = nd, .k = nr, .batch = o->nm, .beta = r0 > 0};
    x.a = (const double *)h->wq.p + r0;
    x.lda = o->nr;
    x.sa = k->nq * o->nr;
    x.sb = nd * nr;
    x.sc = k->nq * nd;
    for (size_t pol = 0; pol < NPOL; pol++) {
        x.b = G + pol * o->nm * x.sb;
        x.c = (double *)h->H.p + pol * o->nm * x.sc;
        CGCT_TRY(gpu_multiply(h->g, &x, err));
    }
    return CGCT_OK;
}

cgct_status device_hankel_close(device_hankel *h, size_t d0, size_t nd, cgct_err *err)
{
    const backend_transform *k = &h->task;
    const inner_opts *o = k->inner;
    gpu_product x = {
        .turned_b = 1, .m = k->nq, .n = k->np, .k = nd, .batch = o->nm, .beta = d0 > 0};
    x.sa = k->nq * nd;
    x.b = (const double *)h->wP.p + d0;
    x.ldb = o->nd;
    x.sb = k->np * o->nd;
    x.sc = k->nq * k->np;
    for (size_t pol = 0; pol < NPOL; pol++) {
        x.a = (const double *)h->H.p + pol * o->nm * x.sa;
        x.c = (double *)h->modes.p + pol * o->nm * x.sc;
        CGCT_TRY(gpu_multiply(h->g, &x, err));
    }
    return CGCT_OK;
}

cgct_status device_hankel_get(device_hankel *h, double *modes, cgct_err *err)
{
    const backend_transform *k = &h->task;
    gpu_rows r = {modes, h->modes.p, k->np, NPOL * k->inner->nm * k->nq, k->np, k->np};
    CGCT_TRY(h->g->ops->mark(h->g, 0, err));
    return h->g->ops->fetch(h->g, 0, &r, err);
}

cgct_status device_output_put(const device_output *to, gpu *g, const double *G, size_t orders,
                              size_t d0, size_t nd, cgct_err *err)
{
    if (to->t) {
        const size_t nr = to->t->nr, block = nd * nr;
        const gpu_rows r = {to->t->g + d0 * nr, G, block, NPOL * orders, to->t->nd * nr, block};
        return g->ops->fetch(g, 0, &r, err);
    }
    CGCT_TRY(device_hankel_add(to->h, G, nd, 0, to->h->task.inner->nr, err));
    return device_hankel_close(to->h, d0, nd, err);
}
