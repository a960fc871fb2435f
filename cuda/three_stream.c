/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of the three-momentum transform as matrix products on a machine. */
#include "three_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"

enum {
    SWEEP = 32, /* nodes of b at once: the length of the sums over b in a product */
    SUBSET = 32 /* nodes of Delta between two checkpoints, and the length of the sums over Delta */
};

/* ---- memory ---- */

typedef struct {
    double **to;
    size_t n;
    const double *from; /* copied to the device at the start, or NULL */
} stream_slot;

enum { NSLOT = 21 };

/* n numbers rounded up to whole lines of 256 bytes, for aligned access. */
static size_t whole_lines(size_t n)
{
    return (n + 31) / 32 * 32;
}

static size_t layout_slots(three_stream *s, const three_plan *p, size_t group, size_t subset,
                           stream_slot slots[NSLOT])
{
    const three_opts *o = p->o;
    size_t nd = o->delta.n, nr = o->rp.n, nb = o->b.n, np = o->rp.nmom, nrow = THREE_NSET * group;
    size_t columns = p->nalpha * nr, nm = p->M + 1, modes = p->nplane * p->nmode;
    size_t result = modes * o->delta.nmom * np * o->b.nmom;
    const stream_slot all[] = {
        {&s->cos, p->N, p->cos},
        {&s->sin, p->N, p->sin},
        {&s->beta_cos, nm * p->neven, p->beta_cos},
        {&s->beta_sin, p->M * p->nodd + 1, p->beta_sin},
        {&s->alpha_cos, nm * p->nalpha, p->alpha_cos},
        {&s->alpha_sin, nm * p->nalpha, p->alpha_sin},
        {&s->wb, nm * o->b.nmom * THREE_NSET * nb, p->wb},
        {&s->wr, (3 * p->M + 1) * THREE_NSET * np * nr, s->orders},
        {&s->wd, nm * THREE_NSET * o->delta.nmom * nd, p->wd},
        {&s->b, nb, o->b.node},
        {&s->rp, nr, o->rp.node},
        {&s->params, s->npar + 1, NULL},
        {&s->samples, p->nchannel * p->sweep * p->N * columns, NULL},
        {&s->P, p->sweep * p->nn * columns, NULL},
        {&s->h, p->nchannel * p->nn * nrow * columns, NULL},
        {&s->c, p->nn * nrow * nm * nr, NULL},
        {&s->s, p->nn * nrow * nm * nr, NULL},
        {&s->H, modes * subset * nrow * nr, NULL},
        {&s->K, modes * subset * nrow * np, NULL},
        {&s->A[THREE_FINE], result, NULL},
        {&s->A[THREE_COARSE], result, NULL},
    };
    size_t sum = 0;
    for (size_t i = 0; i < NSLOT; i++) sum += whole_lines(all[i].n);
    memcpy(slots, all, sizeof all);
    return sum;
}

static size_t stream_bytes(const three_plan *p, size_t group, size_t subset)
{
    three_stream none = {.npar = 0};
    stream_slot slots[NSLOT];
    return sizeof(double) * layout_slots(&none, p, group, subset, slots);
}

/* Weights of r' for the orders -M..2M, with J_-l = (-1)^l J_l, so that the orders m + n of all n
 * stand at a fixed distance from each other, as a batch of products needs them. */
static void signed_orders(three_stream *s, const three_plan *p)
{
    size_t row = THREE_NSET * p->o->rp.nmom * p->o->rp.n;
    free(s->orders);
    s->orders = memory_new((3 * p->M + 1) * row, sizeof *s->orders);
    for (size_t i = 0; i < 3 * p->M + 1; i++) {
        size_t l = i < p->M ? p->M - i : i - p->M;
        double sign = i > p->M && l % 2 ? -1 : 1; /* of J_-(m+n) */
        for (size_t j = 0; j < row; j++) s->orders[i * row + j] = sign * p->wr[l * row + j];
    }
}

static cgct_status stream_begin(void *self, const three_plan *p, const three_momentum *t,
                                cgct_err *err)
{
    three_stream *s = self;
    const three_machine *m = s->machine;
    stream_slot slots[NSLOT];
    s->p = p;
    signed_orders(s, p);
    size_t n = layout_slots(s, p, p->group, p->subset, slots);
    if (s->memory) m->release(m->self, s->memory);
    s->memory = NULL;
    CGCT_TRY(m->allocate(m->self, n, &s->memory, err));
    double *next = s->memory;
    for (size_t i = 0; i < NSLOT; i++) {
        *slots[i].to = next;
        next += whole_lines(slots[i].n);
        if (slots[i].from) CGCT_TRY(m->put(m->self, *slots[i].to, slots[i].from, slots[i].n, err));
    }
    if (s->npar) CGCT_TRY(m->put(m->self, s->params, s->par, s->npar, err));
    for (size_t i = 0; i < THREE_NSET; i++)
        CGCT_TRY(m->put(m->self, s->A[i], t->A[i], three_result_size(t), err));
    return CGCT_OK;
}

/* ---- one Delta ---- */

static cgct_status stream_product(const three_stream *s, const gpu_product *p, cgct_err *err)
{
    gpu_product whole = *p;
    gpu_product_complete(&whole);
    if (p->m == 0 || p->k == 0 || p->batch == 0) return CGCT_OK;
    return s->machine->product(s->machine->self, &whole, err);
}

static size_t stream_columns(const three_plan *p)
{
    return p->nalpha * p->o->rp.n;
}

static cgct_status stream_sample(const three_stream *s, size_t d, size_t b0, size_t nb, int is_raw,
                                 cgct_err *err)
{
    const three_plan *p = s->p;
    const three_sampling a = {
        .delta = p->o->delta.node[d],
        .nb = nb,
        .N = p->N,
        .nalpha = p->nalpha,
        .nr = p->o->rp.n,
        .is_raw = is_raw,
        .b = s->b + b0,
        .rp = s->rp,
        .cos = s->cos,
        .sin = s->sin,
        .par = s->params,
        .v = {s->samples, s->samples + (p->nchannel - 1) * nb * p->N * stream_columns(p)}};
    return s->machine->sample(s->machine->self, &a, err);
}

/* P (nb, nn, columns): modes in beta of one part of G, cosines 0..M, then sines 1..M */
static cgct_status stream_beta_modes(const three_stream *s, size_t ic, size_t nb, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t columns = stream_columns(p);
    const double *v = s->samples + ic * nb * p->N * columns;
    gpu_product g = {.m = p->M + 1, .n = columns, .k = p->neven, .batch = nb};
    g.a = s->beta_cos;
    g.b = v;
    g.sb = p->N * columns;
    g.c = s->P;
    g.sc = p->nn * columns;
    CGCT_TRY(stream_product(s, &g, err));
    g.m = p->M;
    g.k = p->nodd;
    g.a = s->beta_sin;
    g.b = v + p->neven * columns;
    g.c = s->P + (p->M + 1) * columns;
    return stream_product(s, &g, err);
}

/* h (nn, nrow, columns) += weights of b0..b0+nb-1 times P */
static cgct_status stream_sum_b(const three_stream *s, const three_range *at, size_t ic, size_t b0,
                                size_t nb, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t columns = stream_columns(p), nrow = THREE_NSET * at->nq, all = p->o->b.n;
    size_t order = p->o->b.nmom * THREE_NSET * all;
    gpu_product g = {.m = nrow, .n = columns, .k = nb, .batch = p->M + 1, .beta = b0 > 0};
    g.a = s->wb + at->q0 * THREE_NSET * all + b0;
    g.lda = all;
    g.sa = order;
    g.b = s->P;
    g.ldb = p->nn * columns;
    g.sb = columns;
    g.c = s->h + ic * p->nn * nrow * columns;
    g.sc = nrow * columns;
    CGCT_TRY(stream_product(s, &g, err));
    g.batch = p->M;
    g.a += order;
    g.b += (p->M + 1) * columns;
    g.c += (p->M + 1) * nrow * columns;
    return stream_product(s, &g, err);
}

/* to (nn, nrow, M+1, nr), cosines or sines in beta: rows of table, (M+1, nalpha), times h */
static cgct_status stream_alpha_modes(const three_stream *s, const double *table, const double *h,
                                      size_t nrow, int of_sines, double *to, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t nr = p->o->rp.n, first = of_sines ? (p->M + 1) * nrow : 0;
    gpu_product g = {
        .m = p->M + 1, .n = nr, .k = p->nalpha, .batch = (of_sines ? p->M : p->M + 1) * nrow};
    g.a = table;
    g.b = h + first * p->nalpha * nr;
    g.sb = p->nalpha * nr;
    g.c = to + first * (p->M + 1) * nr;
    g.sc = (p->M + 1) * nr;
    return stream_product(s, &g, err);
}

/* H of Delta number id of the subset */
static cgct_status stream_modes(const three_stream *s, const three_range *at, size_t id, size_t ic,
                                cgct_err *err)
{
    const three_plan *p = s->p;
    size_t nr = p->o->rp.n, nrow = THREE_NSET * at->nq, mode_step = at->nd * nrow * nr;
    const double *h = s->h + ic * p->nn * nrow * stream_columns(p);
    CGCT_TRY(stream_alpha_modes(s, s->alpha_cos, h, nrow, 0, s->c, err));
    CGCT_TRY(stream_alpha_modes(s, s->alpha_sin, h, nrow, 1, s->s, err));
    if (!p->g->is_symmetric) {
        CGCT_TRY(stream_alpha_modes(s, s->alpha_sin, h, nrow, 0, s->s, err));
        CGCT_TRY(stream_alpha_modes(s, s->alpha_cos, h, nrow, 1, s->c, err));
    }
    double *H = s->H + ic * (p->nplane / p->nchannel) * p->nmode * mode_step + id * nrow * nr;
    const three_combining a = {.M = p->M,
                               .nrow = nrow,
                               .nr = nr,
                               .is_symmetric = p->g->is_symmetric,
                               .c = s->c,
                               .s = s->s,
                               .H = H,
                               .mode_step = mode_step,
                               .plane_step = p->nmode * mode_step};
    return s->machine->combine(s->machine->self, &a, err);
}

static cgct_status stream_delta(const three_stream *s, const three_range *at, size_t id,
                                cgct_err *err)
{
    const three_plan *p = s->p;
    size_t all = p->o->b.n;
    for (size_t b0 = 0; b0 < all; b0 += p->sweep) {
        size_t nb = all - b0 < p->sweep ? all - b0 : p->sweep;
        CGCT_TRY(stream_sample(s, at->d0 + id, b0, nb, 0, err));
        for (size_t ic = 0; ic < p->nchannel; ic++) {
            CGCT_TRY(stream_beta_modes(s, ic, nb, err));
            CGCT_TRY(stream_sum_b(s, at, ic, b0, nb, err));
        }
    }
    for (size_t ic = 0; ic < p->nchannel; ic++) CGCT_TRY(stream_modes(s, at, id, ic, err));
    return CGCT_OK;
}

/* ---- one subset ---- */

/* All n of one m, plane and set: K (nd nq, np) = H times the weights of r' */
static cgct_status stream_sum_rp(const three_stream *s, const three_range *at, size_t m,
                                 size_t plane, size_t set, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t nr = p->o->rp.n, np = p->o->rp.nmom, rows = at->nd * at->nq;
    size_t mode = plane * p->nmode + m * p->nn;
    gpu_product g = {.m = rows, .n = np, .k = nr, .batch = p->nn, .turned_b = 1};
    g.a = s->H + mode * rows * THREE_NSET * nr + set * nr;
    g.lda = THREE_NSET * nr;
    g.sa = rows * THREE_NSET * nr;
    g.b = s->wr + (m * THREE_NSET + set) * np * nr;
    g.sb = THREE_NSET * np * nr;
    g.c = s->K + (mode * THREE_NSET + set) * rows * np;
    g.sc = THREE_NSET * rows * np;
    return stream_product(s, &g, err);
}

/* The same modes: A (nk, nq np) += weights of Delta times K (nd, nq np) */
static cgct_status stream_sum_delta(const three_stream *s, const three_range *at, size_t m,
                                    size_t plane, size_t set, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t np = p->o->rp.nmom, nk = p->o->delta.nmom, all = p->o->delta.n;
    size_t columns = at->nq * np, row = p->o->b.nmom * np, mode = plane * p->nmode + m * p->nn;
    gpu_product g = {.m = nk, .n = columns, .k = at->nd, .batch = p->nn, .beta = 1};
    g.a = s->wd + (m * THREE_NSET + set) * nk * all + at->d0;
    g.lda = all;
    g.b = s->K + (mode * THREE_NSET + set) * at->nd * columns;
    g.sb = THREE_NSET * at->nd * columns;
    g.c = s->A[set] + mode * nk * row + at->q0 * np;
    g.ldc = row;
    g.sc = nk * row;
    return stream_product(s, &g, err);
}

static int modes_are_finite(size_t n, const double *v)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i])) return 0;
    return 1;
}

/* Recomputes the samples at one Delta and nb nodes of b and blames the first that is not finite. */
static cgct_status find_bad_sample(const three_stream *s, size_t d, size_t b0, size_t nb, double *v,
                                   cgct_err *err)
{
    const three_plan *p = s->p;
    size_t columns = stream_columns(p), nr = p->o->rp.n, n = p->nchannel * nb * p->N * columns;
    CGCT_TRY(stream_sample(s, d, b0, nb, 1, err));
    CGCT_TRY(s->machine->get(s->machine->self, v, s->samples, n, err));
    for (size_t i = 0; i < n; i++) {
        const three_sample_index at = {d, i % nr, b0 + i / (p->N * columns) % nb, i % columns / nr,
                                       i / columns % p->N};
        if (!isfinite(v[i])) return three_fail_value(p, v[i], &at, err);
    }
    return CGCT_OK;
}

/* E_DOMAIN where a sample is not finite; else the sums overflow, which three_momentum_run sees. */
static cgct_status blame_sample(const three_stream *s, const three_range *at, cgct_err *err)
{
    const three_plan *p = s->p;
    size_t all = p->o->b.n, n = p->nchannel * p->sweep * p->N * stream_columns(p);
    double *v = memory_new(n, sizeof *v);
    cgct_status st = CGCT_OK;
    for (size_t id = 0; id < at->nd; id++)
        for (size_t b0 = 0; b0 < all && st == CGCT_OK; b0 += p->sweep)
            st = find_bad_sample(s, at->d0 + id, b0, all - b0 < p->sweep ? all - b0 : p->sweep, v,
                                 err);
    free(v);
    return st;
}

static cgct_status stream_subset(void *self, const three_range *at, three_momentum *t,
                                 cgct_err *err)
{
    three_stream *s = self;
    const three_plan *p = s->p;
    int ok = 1;
    for (size_t id = 0; id < at->nd; id++) CGCT_TRY(stream_delta(s, at, id, err));
    for (size_t set = 0; set < THREE_NSET; set++) {
        for (size_t i = 0; i < p->nplane * (p->M + 1); i++) {
            size_t m = i % (p->M + 1), plane = i / (p->M + 1);
            CGCT_TRY(stream_sum_rp(s, at, m, plane, set, err));
            CGCT_TRY(stream_sum_delta(s, at, m, plane, set, err));
        }
        size_t n = three_result_size(t);
        CGCT_TRY(s->machine->get(s->machine->self, t->A[set], s->A[set], n, err));
        ok = ok && modes_are_finite(n, t->A[set]);
    }
    return ok ? CGCT_OK : blame_sample(s, at, err);
}

void three_stream_init(three_stream *s, const three_machine *m, size_t npar, const double *par)
{
    memset(s, 0, sizeof *s);
    s->machine = m;
    s->npar = npar;
    s->par = par;
    s->engine = (three_engine){.self = s,
                               .bytes_max = m->bytes_free,
                               .sweep = SWEEP,
                               .subset = SUBSET,
                               .bytes = stream_bytes,
                               .begin = stream_begin,
                               .run = stream_subset};
}

void three_stream_free(three_stream *s)
{
    if (s->memory) s->machine->release(s->machine->self, s->memory);
    free(s->orders);
    memset(s, 0, sizeof *s);
}
