/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder on a device, one chunk of Delta after the other:
 *
 *   for each rule in alpha   F(node, column, alpha) . cos(m alpha)  ->  modes at the fine nodes
 *   share, spread            ->  phi_{k,m} on the coarse nodes, P_k
 *   product, near            l_m(R,s) . phi_m(s; Delta, column)     ->  R_{k,m}
 *   for each rule in gamma   cos(m gamma) . R_m  ->  sums over m;  combine . cos(m gamma)  ->  G_m
 */
#include <stdlib.h>

#include "angle_kernels.h"
#include "device_hankel.h"
#include "direct_stage.h"
#include "separable_memory.h"

static const double MEMORY_SHARE = 0.9; /* as in direct_stage.c */

typedef struct {
    gpu *g;
    const cuda_separable_plan *plan;
    separable_view v;
    separable_sizes size;
    size_t chunk, batch; /* columns at once; numbers of the batch buffer: F, or sums over m */
    /* as long as the table takes */
    gpu_buffer grids, rules, matrices, skeleton, gauss, K0, K1, lnS, ell, lost, patch, origin;
    const double *delta; /* (nd) on the device */
    const double *hav[ANGLE_RULES], *weight[ANGLE_RULES], *cosine[ANGLE_RULES];
    /* of one chunk */
    gpu_buffer node, place, column, area, block, range, point, close, ridge;
    gpu_buffer share, mode, phi, R, G, work;
} separable_stage;

/* ---- what stays ---- */

/* Nodes of the angular rules; their matrices are made here. */
static cgct_status upload_rules(separable_stage *s, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    size_t at = 0, n = k->angles, nm = k->p.angles.nm;
    gpu_buffer orders = {0};
    CGCT_TRY(gpu_upload(s->g, &s->rules, k->rules, 3 * n * sizeof *k->rules, err));
    CGCT_TRY(gpu_alloc(s->g, &s->matrices, 2 * n * nm * sizeof(double), err));
    const double *x = s->rules.p;
    double *weight = s->matrices.p;
    for (size_t i = 0; i < ANGLE_RULES; at += k->p.angles.rule[i++].n) {
        s->hav[i] = x + n + at;
        s->weight[i] = weight + at * nm;
        s->cosine[i] = weight + (n + at) * nm;
    }
    cgct_status st = gpu_upload(s->g, &orders, k->p.o->m, nm * sizeof *k->p.o->m, err);
    const angle_view v = {nm, orders.p, x, x + 2 * n, weight, weight + n * nm};
    if (st == CGCT_OK) st = gpu_launch(s->g, GPU_cosine, n * nm, &v, err);
    gpu_free(s->g, &orders);
    return st;
}

static cgct_status upload_grids(separable_stage *s, cgct_err *err)
{
    const inner_opts *o = s->plan->p.o;
    size_t n = o->nd + o->nr + o->ns;
    double *h = malloc(n * sizeof *h);
    if (!h) return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for grids");
    for (size_t id = 0; id < o->nd; id++) h[id] = separable_delta(&s->plan->p, o->delta[id]);
    memcpy(h + o->nd, o->r, o->nr * sizeof *h);
    memcpy(h + o->nd + o->nr, o->s, o->ns * sizeof *h);
    cgct_status st = gpu_upload(s->g, &s->grids, h, n * sizeof *h, err);
    free(h);
    s->delta = s->grids.p;
    s->v.r = s->delta + o->nd;
    s->v.s = s->v.r + o->nr;
    return st;
}

static cgct_status upload_tables(separable_stage *s, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    s->v.lnS = k->lnS;
    CGCT_TRY(direct_upload_lookup(s->g, &k->lnS_table, &s->lnS, &s->v.lnS.at, err));
    CGCT_TRY(direct_upload_lookup(s->g, k->K0, &s->K0, &s->v.K0, err));
    return direct_upload_lookup(s->g, k->K1, &s->K1, &s->v.K1, err);
}

static void set_view(separable_stage *s)
{
    const separable_plan *p = &s->plan->p;
    const inner_opts *o = p->o;
    separable_view *v = &s->v;
    v->nr = o->nr;
    v->ns = o->ns;
    v->nm = o->nm;
    v->rank = (size_t)p->w.rank;
    v->ncol = NPOL * v->rank;
    v->rows = separable_rows(p);
    v->cells = ELL_CELLS;
    v->eps = o->eps;
    v->lam = o->lam;
    v->w = s->skeleton.p;
    v->gauss = s->gauss.p;
    v->lost = s->lost.p;
    v->patch = s->patch.p;
}

static cgct_status upload_plan(separable_stage *s, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    CGCT_TRY(upload_rules(s, err));
    CGCT_TRY(upload_grids(s, err));
    CGCT_TRY(upload_tables(s, err));
    CGCT_TRY(gpu_upload(s->g, &s->skeleton, &k->p.w, sizeof k->p.w, err));
    CGCT_TRY(gpu_upload(s->g, &s->gauss, k->gauss, sizeof k->gauss, err));
    separable_device_rules rules = {s->hav, s->weight};
    CGCT_TRY(separable_device_ell(s->g, &k->p, &k->ell, &s->v.lnS, s->v.r, s->v.s, rules, &s->ell,
                                  &s->lost, &s->patch, err));
    CGCT_TRY(gpu_alloc(s->g, &s->origin, NPOL * sizeof(double), err));
    set_view(s);
    return CGCT_OK;
}

/* ---- one chunk ---- */

static void free_chunk(separable_stage *s)
{
    gpu_buffer *b[] = {&s->node,  &s->place, &s->column, &s->area,  &s->block,
                       &s->range, &s->point, &s->close,  &s->ridge, &s->share,
                       &s->mode,  &s->phi,   &s->R,      &s->G,     &s->work};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) gpu_free(s->g, b[i]);
}

static cgct_status upload_lists(separable_stage *s, const separable_lists *l, size_t nd,
                                cgct_err *err)
{
    size_t ranges = nd * 2 * (s->v.rows - 1);
    CGCT_TRY(gpu_upload(s->g, &s->node, l->node, l->nodes * sizeof *l->node, err));
    CGCT_TRY(gpu_upload(s->g, &s->place, l->place, l->nodes * sizeof *l->place, err));
    CGCT_TRY(gpu_upload(s->g, &s->column, l->column, (nd + 1) * sizeof *l->column, err));
    CGCT_TRY(gpu_upload(s->g, &s->area, l->area, l->nodes * sizeof *l->area, err));
    CGCT_TRY(gpu_upload(s->g, &s->block, l->block, l->blocks * sizeof *l->block, err));
    CGCT_TRY(gpu_upload(s->g, &s->range, l->range, ranges * sizeof *l->range, err));
    CGCT_TRY(gpu_upload(s->g, &s->point, l->point, l->points * sizeof *l->point, err));
    return gpu_upload(s->g, &s->close, l->close, l->nclose * sizeof *l->close, err);
}

static cgct_status upload_ridge(separable_stage *s, size_t d0, size_t nd, cgct_err *err)
{
    const separable_plan *p = &s->plan->p;
    if (!p->ridge) return CGCT_OK;
    CGCT_TRY(gpu_alloc(s->g, &s->ridge, NPOL * nd * sizeof(double), err));
    for (size_t pol = 0; pol < NPOL; pol++)
        CGCT_TRY(s->g->ops->upload(s->g, (double *)s->ridge.p + pol * nd,
                                   p->ridge + pol * p->o->nd + d0, nd * sizeof(double), err));
    return CGCT_OK;
}

static cgct_status alloc_chunk(separable_stage *s, const separable_lists *l, size_t d0, size_t nd,
                               cgct_err *err)
{
    separable_view *v = &s->v;
    size_t one = sizeof(double), wide = nd * v->ncol * one;
    CGCT_TRY(upload_lists(s, l, nd, err));
    CGCT_TRY(upload_ridge(s, d0, nd, err));
    CGCT_TRY(gpu_alloc(s->g, &s->share, l->weights * one, err));
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
    v->place = s->place.p;
    v->column = s->column.p;
    v->area = s->area.p;
    v->block = s->block.p;
    v->blocks = l->blocks;
    v->range = s->range.p;
    v->share = s->share.p;
    v->close = s->close.p;
    v->point = s->point.p;
    v->mode = s->mode.p;
    v->phi = s->phi.p;
    v->R = s->R.p;
    v->G = s->G.p;
    v->origin = d0 ? NULL : s->origin.p;
}

/* ---- nodes and points, batch by batch ---- */

/* v->count of them from v->first on, which use the same rule. */
typedef cgct_status (*batch_work)(separable_stage *s, size_t rule, separable_view *v,
                                  cgct_err *err);

/* Those from `first` on that use one rule; each needs so many numbers of the batch buffer. */
static cgct_status in_batches(separable_stage *s, size_t rule, size_t first, size_t end,
                              size_t numbers, batch_work work, cgct_err *err)
{
    separable_view v = s->v;
    size_t most = s->batch / numbers;
    v.n = s->plan->p.angles.rule[rule].n;
    v.hav = s->hav[rule];
    for (v.first = first; v.first < end; v.first += v.count) {
        v.count = end - v.first < most ? end - v.first : most;
        CGCT_TRY(work(s, rule, &v, err));
    }
    return CGCT_OK;
}

/* Modes of F at nodes. */
static cgct_status node_batch(separable_stage *s, size_t rule, separable_view *v, cgct_err *err)
{
    gpu_product x = {.turned_a = 1, .turned_b = 1, .m = v->nm, .k = v->n, .batch = 1};
    v->F = s->work.p;
    CGCT_TRY(gpu_launch(s->g, GPU_phi, v->count * v->n, v, err));
    x.n = v->count * v->ncol;
    x.a = s->weight[rule];
    x.lda = v->nm;
    x.b = v->F;
    x.ldb = v->n;
    x.c = v->mode + v->first * v->ncol;
    x.ldc = v->nodes * v->ncol;
    return gpu_multiply(s->g, &x, err);
}

static cgct_status node_modes(separable_stage *s, const size_t at[ANGLE_RULES + 1], cgct_err *err)
{
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t numbers = separable_node_batch(&s->size, s->plan->p.angles.rule[i].n);
        if (at[i] < at[i + 1])
            CGCT_TRY(in_batches(s, i, at[i], at[i + 1], numbers, node_batch, err));
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

/* Points: the sums over m at their angles, g, and the modes of g. */
static cgct_status point_batch(separable_stage *s, size_t rule, separable_view *v, cgct_err *err)
{
    gpu_product x = {.m = v->n, .n = v->count * v->ncol, .k = v->nm, .batch = 1};
    v->Rg = s->work.p;
    v->sum = v->Rg + v->nm * v->count * v->ncol;
    v->g = v->sum + v->n * v->count * v->ncol;
    v->Gm = v->g + NPOL * v->count * v->n;
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

static cgct_status point_modes(separable_stage *s, const size_t at[ANGLE_RULES + 1], cgct_err *err)
{
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t numbers = separable_point_batch(&s->size, s->plan->p.angles.rule[i].n);
        if (at[i] < at[i + 1])
            CGCT_TRY(in_batches(s, i, at[i], at[i + 1], numbers, point_batch, err));
    }
    return CGCT_OK;
}

static cgct_status compute_chunk(separable_stage *s, const separable_lists *l, cgct_err *err)
{
    CGCT_TRY(node_modes(s, l->node_at, err));
    CGCT_TRY(gpu_launch(s->g, GPU_share, l->weights, &s->v, err));
    CGCT_TRY(contract(s, l->nclose, err));
    CGCT_TRY(point_modes(s, l->point_at, err));
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
    const inner_opts *o = s->plan->p.o;
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

/* The columns from d0 on, with the lists of all or of these. */
static cgct_status some_columns(separable_stage *s, size_t d0, size_t nd,
                                const separable_output *to, cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    const int all = nd == k->p.o->nd;
    separable_lists part = {0};
    const separable_lists *l = all ? &k->lists : &part;
    if (!all) CGCT_TRY(separable_lists_init(&part, &k->p, k->columns, d0, nd, err));
    cgct_status st = alloc_chunk(s, l, d0, nd, err);
    if (st == CGCT_OK) {
        place_chunk(s, l, d0, nd);
        st = compute_chunk(s, l, err);
        if (st == CGCT_OK) st = hand_out(s, d0, to, err);
    }
    free_chunk(s);
    separable_lists_free(&part);
    return st;
}

/* Not even column d0 fits beside what all need. */
static cgct_status no_room(const separable_stage *s, size_t d0, cgct_err *err)
{
    size_t free_bytes, total;
    const separable_column *c = s->plan->columns + d0;
    separable_sizes z = s->size;
    z.nd = 1;
    z.nodes = c->n;
    z.blocks = c->nblock;
    z.weights = c->nweight;
    z.close = c->nclose;
    double need = separable_column_bytes(&z) + (double)s->batch * sizeof(double);
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    return cgct_fail(err, CGCT_E_NOMEM,
                     "%s: one Delta with %zu modes x %zu nodes needs %.3f GiB, %.3f of %.3f are "
                     "free; lower inner.modes or choose another --device",
                     s->g->name, s->v.nm, s->v.nr, need / (1 << 30), (double)free_bytes / (1 << 30),
                     (double)total / (1 << 30));
}

/* Columns from d0 on, as many as go; fewer, then a smaller batch, while the device refuses. */
static cgct_status one_chunk(separable_stage *s, size_t d0, size_t *taken,
                             const separable_output *to, cgct_err *err)
{
    size_t left = s->plan->p.o->nd - d0, least = separable_batch_least(&s->size);
    for (;;) {
        *taken = left < s->chunk ? left : s->chunk;
        cgct_status st = some_columns(s, d0, *taken, to, err);
        if (st != CGCT_E_NOMEM) return st;
        if (*taken == 1 && s->batch == least) return no_room(s, d0, err);
        if (*taken == 1) s->batch = s->batch / 2 > least ? s->batch / 2 : least;
        s->chunk = (*taken + 1) / 2;
    }
}

/* As many columns as the memory holds beside the batch buffer. */
static cgct_status plan_chunk(separable_stage *s, cgct_err *err)
{
    size_t free_bytes, total, nd = s->plan->p.o->nd;
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    s->size = separable_sizes_of(s->plan);
    size_t least = separable_batch_least(&s->size), most = separable_batch_most(s->plan);
    double room = MEMORY_SHARE * (double)free_bytes, share = room / 4 / sizeof(double);
    s->batch = share < (double)most ? (size_t)share : most;
    if (s->batch < least) s->batch = least;
    double fit = (room - (double)s->batch * sizeof(double)) / separable_column_bytes(&s->size);
    s->chunk = fit < 1 ? 1 : fit < (double)nd ? (size_t)fit : nd;
    return CGCT_OK;
}

static void stage_free(separable_stage *s)
{
    gpu_buffer *b[] = {&s->grids, &s->rules, &s->matrices, &s->skeleton, &s->gauss, &s->K0,
                       &s->K1,    &s->lnS,   &s->ell,      &s->lost,     &s->patch, &s->origin};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) gpu_free(s->g, b[i]);
}

static cgct_status build(separable_stage *s, const separable_output *to, cgct_err *err)
{
    size_t taken, nd = s->plan->p.o->nd;
    cgct_status st = upload_plan(s, err);
    if (st == CGCT_E_NOMEM)
        return cgct_context(err, st,
                            "what every Delta needs with %zu modes x %zu nodes (fewer by "
                            "inner.modes, more memory by --device)",
                            s->plan->p.o->nm, s->plan->p.o->nr);
    CGCT_TRY(st);
    CGCT_TRY(plan_chunk(s, err));
    for (size_t d0 = 0; d0 < nd; d0 += taken) CGCT_TRY(one_chunk(s, d0, &taken, to, err));
    return CGCT_OK;
}

static cgct_status run(gpu *g, const cuda_separable_plan *plan, const separable_output *to,
                       cgct_err *err)
{
    separable_stage s = {.g = g, .plan = plan};
    cgct_status st = build(&s, to, err);
    stage_free(&s);
    return st;
}

cgct_status cuda_separable_table(inner_table *t, const cuda_separable_plan *plan, gpu *g,
                                 cgct_err *err)
{
    const separable_output to = {t, NULL, t->origin};
    CGCT_TRY(inner_table_init(t, plan->p.o, err));
    cgct_status st = run(g, plan, &to, err);
    t->rank = plan->p.w.rank;
    t->ridge_cut = plan->p.o->ridge_cut;
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status cuda_separable_modes(device_hankel *h, const cuda_separable_plan *plan,
                                 double origin[NPOL], cgct_err *err)
{
    const separable_output to = {NULL, h, origin};
    CGCT_TRY(device_hankel_clear(h, err));
    return run(h->g, plan, &to, err);
}
