/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder on a device, one chunk of Delta after the other:
 *
 *   F(node, column, alpha) . cos(m alpha)  ->  modes at the fine nodes         for each rule in
 * alpha spread                                 ->  phi_{k,m} on the coarse nodes, P_k l_m(R,s) .
 * phi_m(s; Delta, column)     ->  R_{k,m}, and near cos(m gamma) . R_m                     ->  sums
 * over m                     for each rule in gamma combine . cos(m gamma)                 ->  G_m
 */
#include <stdlib.h>

#include "device_hankel.h"
#include "direct_stage.h"
#include "separable_ell.h"
#include "separable_lists.h"

static const double MEMORY_SHARE = 0.9;          /* as in direct_stage.c */
static const size_t BATCH_MAX = (size_t)1 << 25; /* numbers of F, or of the sums over m */

typedef struct {
    gpu *g;
    separable_plan p;
    separable_column *columns;
    separable_view v;
    size_t chunk, batch; /* columns at once; numbers of the batch buffer */
    /* as long as the table takes */
    gpu_buffer grids, rules, skeleton, K0, K1, lnS, ell, lost, patch, origin;
    const double *delta; /* (nd) on the device */
    const double *hav[LIST_RULES], *weight[LIST_RULES], *cosine[LIST_RULES];
    /* of one chunk */
    gpu_buffer node, point, start, from, share, close, ridge, mode, phi, R, G, work;
} separable_stage;

/* ---- what stays ---- */

static cgct_status upload_rules(separable_stage *s, cgct_err *err)
{
    const angle_rules *a = &s->p.angles;
    size_t total = 0, at = 0, nm = a->nm;
    for (size_t i = 0; i < LIST_RULES; i++) total += list_rule(a, i)->n * (1 + 2 * nm);
    double *h = malloc(total * sizeof *h);
    if (!h) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for angular rules");
    for (size_t i = 0; i < LIST_RULES; i++) {
        const angle_rule *r = list_rule(a, i);
        if (!r->n) continue;
        memcpy(h + at, r->hav, r->n * sizeof *h);
        memcpy(h + at + r->n, r->weight, r->n * nm * sizeof *h);
        memcpy(h + at + r->n * (1 + nm), r->cosine, r->n * nm * sizeof *h);
        at += r->n * (1 + 2 * nm);
    }
    cgct_status st = gpu_upload(s->g, &s->rules, h, total * sizeof *h, err);
    free(h);
    for (size_t i = at = 0; i < LIST_RULES; i++) {
        size_t n = list_rule(a, i)->n;
        s->hav[i] = (const double *)s->rules.p + at;
        s->weight[i] = s->hav[i] + n;
        s->cosine[i] = s->weight[i] + n * nm;
        at += n * (1 + 2 * nm);
    }
    return st;
}

static cgct_status upload_grids(separable_stage *s, cgct_err *err)
{
    const inner_opts *o = s->p.o;
    double *h = malloc((o->nd + o->nr) * sizeof *h);
    if (!h) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for grids");
    for (size_t id = 0; id < o->nd; id++) h[id] = separable_delta(&s->p, o->delta[id]);
    memcpy(h + o->nd, o->r, o->nr * sizeof *h);
    cgct_status st = gpu_upload(s->g, &s->grids, h, (o->nd + o->nr) * sizeof *h, err);
    free(h);
    s->delta = s->grids.p;
    s->v.r = s->delta + o->nd;
    return st;
}

static cgct_status upload_tables(separable_stage *s, cgct_err *err)
{
    const inner_opts *o = s->p.o;
    lookup_table t[3] = {{{0}, 0, 0, NULL}};
    double reach = o->s[o->ns - 1] + o->delta[o->nd - 1], top = reach + o->r[o->nr - 1];
    CGCT_TRY(direct_upload_lnS(s->g, s->p.d, top * top * (1 + 1e-9), &s->lnS, &s->v.lnS, err));
    cgct_status st = lookup_bessel(&t[0], &t[1], o->eps * reach, err);
    if (st == CGCT_OK) st = direct_upload_lookup(s->g, &t[0], &s->K0, &s->v.K0, err);
    if (st == CGCT_OK) st = direct_upload_lookup(s->g, &t[1], &s->K1, &s->v.K1, err);
    lookup_free(&t[0]);
    lookup_free(&t[1]);
    return st;
}

static cgct_status upload_plan(separable_stage *s, cgct_err *err)
{
    const separable_plan *p = &s->p;
    const inner_opts *o = p->o;
    CGCT_TRY(upload_rules(s, err));
    CGCT_TRY(upload_grids(s, err));
    CGCT_TRY(upload_tables(s, err));
    CGCT_TRY(gpu_upload(s->g, &s->skeleton, &p->w, sizeof p->w, err));
    separable_view *v = &s->v;
    separable_device_rules rules = {s->hav, s->weight};
    CGCT_TRY(
        separable_device_ell(s->g, p, &v->lnS, v->r, rules, &s->ell, &s->lost, &s->patch, err));
    CGCT_TRY(gpu_alloc(s->g, &s->origin, NPOL * sizeof(double), err));
    v->nr = o->nr;
    v->ns = o->ns;
    v->nm = o->nm;
    v->rank = (size_t)p->w.rank;
    v->ncol = NPOL * v->rank;
    v->rows = o->ns + LIST_CELL_ROWS + 1;
    v->cells = ELL_CELLS;
    v->eps = o->eps;
    v->lam = o->lam;
    v->w = s->skeleton.p;
    v->lost = s->lost.p;
    v->patch = s->patch.p;
    return CGCT_OK;
}

/* ---- one chunk ---- */

static void free_chunk(separable_stage *s)
{
    gpu_buffer *b[] = {&s->node,  &s->point, &s->start, &s->from, &s->share, &s->close,
                       &s->ridge, &s->mode,  &s->phi,   &s->R,    &s->G,     &s->work};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) gpu_free(s->g, b[i]);
}

/* The least that the batch buffer must hold: one node or point with the longest rule. */
static size_t least_batch(const separable_stage *s)
{
    size_t n = 0, nm = s->v.nm, ncol = s->v.ncol;
    for (size_t i = 0; i < LIST_RULES; i++)
        if (list_rule(&s->p.angles, i)->n > n) n = list_rule(&s->p.angles, i)->n;
    return ncol * (nm + n) + 2 * (n + nm);
}

static cgct_status alloc_chunk(separable_stage *s, const separable_lists *l, size_t d0, size_t nd,
                               cgct_err *err)
{
    separable_view *v = &s->v;
    size_t one = sizeof(double), wide = nd * v->ncol * one, ridge = s->p.ridge ? NPOL * nd : 0;
    CGCT_TRY(gpu_upload(s->g, &s->node, l->node, l->nodes * sizeof *l->node, err));
    CGCT_TRY(gpu_upload(s->g, &s->point, l->point, l->points * sizeof *l->point, err));
    CGCT_TRY(gpu_upload(s->g, &s->start, l->start, (nd * v->rows + 1) * sizeof *l->start, err));
    CGCT_TRY(gpu_upload(s->g, &s->from, l->from, l->entries * sizeof *l->from, err));
    CGCT_TRY(gpu_upload(s->g, &s->share, l->share, l->entries * one, err));
    CGCT_TRY(gpu_upload(s->g, &s->close, l->close, l->nclose * sizeof *l->close, err));
    CGCT_TRY(gpu_alloc(s->g, &s->ridge, ridge * one, err));
    for (size_t pol = 0; ridge && pol < NPOL; pol++)
        CGCT_TRY(s->g->ops->upload(s->g, (double *)s->ridge.p + pol * nd,
                                   s->p.ridge + pol * s->p.o->nd + d0, nd * one, err));
    CGCT_TRY(gpu_alloc(s->g, &s->mode, v->nm * l->nodes * v->ncol * one, err));
    CGCT_TRY(gpu_alloc(s->g, &s->phi, v->nm * v->rows * wide, err));
    CGCT_TRY(gpu_alloc(s->g, &s->R, v->nm * v->nr * wide, err));
    CGCT_TRY(gpu_alloc(s->g, &s->G, NPOL * v->nm * nd * v->nr * one, err));
    return gpu_alloc(s->g, &s->work, s->batch * one, err);
}

static void place_chunk(separable_stage *s, const separable_lists *l, size_t d0, size_t nd)
{
    separable_view *v = &s->v;
    v->nd = nd;
    v->nodes = l->nodes;
    v->delta = s->delta + d0;
    v->ridge = s->ridge.p;
    v->node = s->node.p;
    v->start = s->start.p;
    v->from = s->from.p;
    v->share = s->share.p;
    v->close = s->close.p;
    v->point = s->point.p;
    v->mode = s->mode.p;
    v->phi = s->phi.p;
    v->R = s->R.p;
    v->G = s->G.p;
    v->origin = d0 ? NULL : s->origin.p;
}

/* Modes of F at the nodes of one rule. */
static cgct_status node_modes(separable_stage *s, size_t rule, size_t first, size_t end,
                              cgct_err *err)
{
    separable_view v = s->v;
    if (first == end) return CGCT_OK;
    v.n = list_rule(&s->p.angles, rule)->n;
    v.hav = s->hav[rule];
    v.F = s->work.p;
    size_t most = s->batch / (v.n * v.ncol);
    for (v.first = first; v.first < end; v.first += v.count) {
        v.count = end - v.first < most ? end - v.first : most;
        CGCT_TRY(gpu_launch(s->g, GPU_phi, v.count * v.n, &v, err));
        gpu_product x = {
            .turned_a = 1, .turned_b = 1, .m = v.nm, .n = v.count * v.ncol, .k = v.n, .batch = 1};
        x.a = s->weight[rule];
        x.lda = v.nm;
        x.b = v.F;
        x.ldb = v.n;
        x.c = v.mode + v.first * v.ncol;
        x.ldc = v.nodes * v.ncol;
        CGCT_TRY(gpu_multiply(s->g, &x, err));
    }
    return CGCT_OK;
}

/* R_m (nr, nd ncol) = l_m (nr, ns) phi_m (ns, nd ncol), and what the kinks lose. */
static cgct_status contract(separable_stage *s, size_t nclose, cgct_err *err)
{
    const separable_view *v = &s->v;
    size_t wide = v->nd * v->ncol;
    gpu_product x = {.m = v->nr, .n = wide, .k = v->ns, .batch = v->nm};
    x.a = s->ell.p;
    x.lda = v->ns;
    x.sa = v->nr * v->ns;
    x.b = v->phi;
    x.ldb = x.ldc = wide;
    x.sb = v->rows * wide;
    x.c = v->R;
    x.sc = v->nr * wide;
    CGCT_TRY(gpu_launch(s->g, GPU_spread, v->nm * v->rows * wide, v, err));
    CGCT_TRY(gpu_multiply(s->g, &x, err));
    return gpu_launch(s->g, GPU_near, nclose * v->nm * v->ncol, v, err);
}

/* One batch of points of one rule: the sum over m at its angles, g, and the modes of g. */
static cgct_status gamma_batch(separable_stage *s, size_t rule, const separable_view *v,
                               cgct_err *err)
{
    gpu_product x = {.m = v->n, .n = v->count * v->ncol, .k = v->nm, .batch = 1};
    CGCT_TRY(gpu_launch(s->g, GPU_gather, v->nm * v->count * v->ncol, v, err));
    x.a = s->cosine[rule];
    x.lda = v->nm;
    x.b = v->Rg;
    x.c = v->sum;
    x.ldb = x.ldc = v->count * v->ncol;
    CGCT_TRY(gpu_multiply(s->g, &x, err));
    CGCT_TRY(gpu_launch(s->g, GPU_combine, v->count * v->n, v, err));
    gpu_product y = {.m = v->count * NPOL, .n = v->nm, .k = v->n, .batch = 1};
    y.a = v->g;
    y.lda = v->n;
    y.b = s->weight[rule];
    y.c = v->Gm;
    y.ldb = y.ldc = v->nm;
    CGCT_TRY(gpu_multiply(s->g, &y, err));
    return gpu_launch(s->g, GPU_scatter, NPOL * v->nm * v->count, v, err);
}

static cgct_status gamma_points(separable_stage *s, size_t rule, size_t first, size_t end,
                                cgct_err *err)
{
    separable_view v = s->v;
    if (first == end) return CGCT_OK;
    v.n = list_rule(&s->p.angles, rule)->n;
    v.hav = s->hav[rule];
    size_t most = s->batch / (v.ncol * (v.nm + v.n) + NPOL * (v.n + v.nm));
    for (v.first = first; v.first < end; v.first += v.count) {
        v.count = end - v.first < most ? end - v.first : most;
        v.Rg = s->work.p;
        v.sum = v.Rg + v.nm * v.count * v.ncol;
        v.g = v.sum + v.n * v.count * v.ncol;
        v.Gm = v.g + NPOL * v.count * v.n;
        CGCT_TRY(gamma_batch(s, rule, &v, err));
    }
    return CGCT_OK;
}

static cgct_status compute_chunk(separable_stage *s, const separable_lists *l, cgct_err *err)
{
    for (size_t i = 0; i < LIST_RULES; i++)
        CGCT_TRY(node_modes(s, i, l->node_at[i], l->node_at[i + 1], err));
    CGCT_TRY(contract(s, l->nclose, err));
    for (size_t i = 0; i < LIST_RULES; i++)
        CGCT_TRY(gamma_points(s, i, l->point_at[i], l->point_at[i + 1], err));
    return s->g->ops->mark(s->g, 0, err);
}

/* What becomes of a chunk: rows of a table, or a part of the transform. */
typedef struct {
    inner_table *t;
    device_hankel *h;
    double *origin;
} separable_output;

static cgct_status hand_out(separable_stage *s, size_t d0, const separable_output *to,
                            cgct_err *err)
{
    const inner_opts *o = s->p.o;
    size_t nd = s->v.nd, block = nd * o->nr;
    gpu_rows origin = {to->origin, s->origin.p, NPOL, 1, NPOL, NPOL};
    if (to->t) {
        gpu_rows r = {to->t->g + d0 * o->nr, s->v.G, block, NPOL * o->nm, o->nd * o->nr, block};
        CGCT_TRY(gpu_get(s->g, 0, &r, err));
    } else {
        CGCT_TRY(device_hankel_chunk(to->h, err));
        CGCT_TRY(device_hankel_add(to->h, s->v.G, nd, 0, o->nr, err));
        CGCT_TRY(device_hankel_close(to->h, d0, nd, err));
    }
    return d0 ? CGCT_OK : gpu_get(s->g, 0, &origin, err);
}

/* Columns from d0 on, as many as go; fewer, then a smaller batch, while the device refuses. */
static cgct_status one_chunk(separable_stage *s, size_t d0, size_t *taken,
                             const separable_output *to, cgct_err *err)
{
    size_t left = s->p.o->nd - d0;
    for (;;) {
        separable_lists l;
        *taken = left < s->chunk ? left : s->chunk;
        CGCT_TRY(separable_lists_init(&l, &s->p, s->columns, d0, *taken, err));
        cgct_status st = alloc_chunk(s, &l, d0, *taken, err);
        if (st == CGCT_OK) {
            place_chunk(s, &l, d0, *taken);
            st = compute_chunk(s, &l, err);
            if (st == CGCT_OK) st = hand_out(s, d0, to, err);
        }
        free_chunk(s);
        separable_lists_free(&l);
        if (st != CGCT_E_NOMEM) return st;
        if (*taken == 1 && s->batch == least_batch(s))
            return cgct_context(err, st, "one column of %zu modes x %zu nodes", s->v.nm, s->v.nr);
        if (*taken == 1) s->batch = s->batch / 2 > least_batch(s) ? s->batch / 2 : least_batch(s);
        s->chunk = (*taken + 1) / 2;
    }
}

/* As many columns as the memory holds beside the batch buffer. */
static cgct_status plan_chunk(separable_stage *s, cgct_err *err)
{
    const separable_view *v = &s->v;
    size_t free_bytes, total, nodes = 0, nd = s->p.o->nd;
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    for (size_t id = 0; id < nd; id++) nodes += s->columns[id].n;
    double column =
        (double)(v->nm * v->ncol) * ((double)nodes / (double)nd + (double)v->rows + (double)v->nr) +
        (double)(2 * v->nm * v->nr + 4 * v->nr);
    double room = MEMORY_SHARE * (double)free_bytes / sizeof(double);
    s->batch = room / 4 < (double)BATCH_MAX ? (size_t)(room / 4) : BATCH_MAX;
    if (s->batch < least_batch(s)) s->batch = least_batch(s);
    double fit = (room - (double)s->batch) / column;
    s->chunk = fit < 1 ? 1 : fit < (double)nd ? (size_t)fit : nd;
    return CGCT_OK;
}

static void stage_free(separable_stage *s)
{
    gpu_buffer *b[] = {&s->grids, &s->rules, &s->skeleton, &s->K0,    &s->K1,
                       &s->lnS,   &s->ell,   &s->lost,     &s->patch, &s->origin};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) gpu_free(s->g, b[i]);
    separable_columns_free(s->columns, s->p.o ? s->p.o->nd : 0);
    separable_plan_free(&s->p);
}

static cgct_status build(separable_stage *s, const inner_opts *o, const dipole *d,
                         const separable_output *to, cgct_err *err)
{
    size_t taken;
    CGCT_TRY(separable_plan_init(&s->p, o, d, err));
    CGCT_TRY(separable_columns_init(&s->columns, &s->p, err));
    CGCT_TRY(upload_plan(s, err));
    CGCT_TRY(plan_chunk(s, err));
    for (size_t d0 = 0; d0 < o->nd; d0 += taken) CGCT_TRY(one_chunk(s, d0, &taken, to, err));
    return CGCT_OK;
}

static cgct_status run(gpu *g, const inner_opts *o, const dipole *d, const separable_output *to,
                       int *rank, cgct_err *err)
{
    separable_stage *s = calloc(1, sizeof *s);
    if (!s) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory");
    s->g = g;
    cgct_status st = build(s, o, d, to, err);
    *rank = s->p.w.rank;
    stage_free(s);
    free(s);
    return st;
}

cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err)
{
    const separable_output to = {t, NULL, t->origin};
    CGCT_TRY(inner_table_init(t, o, err));
    cgct_status st = run(g, o, d, &to, &t->rank, err);
    t->ridge_cut = o->ridge_cut;
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status cuda_separable_transform(const cuda_fused_task *task, const dipole *d, gpu *g,
                                     double *modes, double origin[NPOL], int *rank, cgct_err *err)
{
    device_hankel h;
    const separable_output to = {NULL, &h, origin};
    CGCT_TRY(device_hankel_init(&h, g, task, err));
    cgct_status st = device_hankel_clear(&h, err);
    if (st == CGCT_OK) st = run(g, task->inner, d, &to, rank, err);
    if (st == CGCT_OK) st = device_hankel_get(&h, modes, err);
    device_hankel_free(&h);
    return st;
}

size_t cuda_separable_bytes(const inner_opts *o)
{
    size_t rows = o->nr + o->ns + LIST_CELL_ROWS + 1, pairs = o->nm * o->nr;
    size_t column = o->nm * NPOL * SKELETON_RANK_MAX * (2 * rows);
    return inner_separable_bytes(o) +
           sizeof(double) * (pairs * (o->ns + KINK_CELLS * KINK_NODES) + column);
}
