/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder on a device, one chunk of Delta after the other:
 *
 *   for each rule in alpha   F(node, column, alpha) . cos(m alpha)  ->  modes at the fine nodes
 *   share, spread            ->  phi_{k,m} on the coarse nodes, P_k
 *   product, near            l_m(R,s) . phi_m(s; Delta, column)     ->  R_{k,m}
 *   for each rule in gamma   cos(m gamma) . R_m  ->  sums over m;  combine . cos(m gamma)  ->  G_m
 */
#include <math.h>

#include "builders.h"
#include "direct_stage.h"
#include "separable_stage.h"

/* ---- one chunk ---- */

static cgct_status upload_chunk_lists(separable_stage *s, const separable_lists *l, cgct_err *err)
{
    separable_view *v = &s->v;
    gpu_group *b = &s->part;
    size_t ranges = v->nd * 2 * (v->rows - 1);
    v->nodes = l->nodes;
    v->blocks = l->blocks;
    v->weights = l->weights;
    v->share_parts = direct_tiles(l->widest, SHARE_PART);
    CGCT_TRY(gpu_group_add(b, l->nodes * sizeof *l->node, l->node, &v->node, err));
    CGCT_TRY(gpu_group_add(b, l->nodes * sizeof *l->place, l->place, &v->place, err));
    CGCT_TRY(gpu_group_add(b, (v->nd + 1) * sizeof *l->column, l->column, &v->column, err));
    CGCT_TRY(gpu_group_add(b, l->nodes * sizeof *l->area, l->area, &v->area, err));
    CGCT_TRY(gpu_group_add(b, l->blocks * sizeof *l->block, l->block, &v->block, err));
    CGCT_TRY(gpu_group_add(b, ranges * sizeof *l->range, l->range, &v->range, err));
    CGCT_TRY(gpu_group_add(b, l->points * sizeof *l->point, l->point, &v->point, err));
    return gpu_group_add(b, l->nclose * sizeof *l->close, l->close, &v->close, err);
}

/* f of the chunk, and room for the columns e. */
static cgct_status upload_chunk_profile(separable_stage *s, size_t d0, cgct_err *err)
{
    const separable_plan *p = &s->plan->p;
    separable_view *v = &s->v;
    const size_t bytes = v->nd * sizeof(double), column = NPOL * v->nm * bytes;
    double *f = NULL;
    v->profile = NULL;
    if (!p->o->single) return CGCT_OK;
    CGCT_TRY(gpu_group_add(&s->part, 2 * NPOL * bytes, NULL, &f, err));
    for (size_t i = 0; i < 2 * NPOL; i++)
        CGCT_TRY(
            s->g->ops->upload(s->g, f + i * v->nd, p->profile + i * p->o->nd + d0, bytes, err));
    v->profile = f;
    CGCT_TRY(gpu_group_add(&s->part, column * v->ns1, NULL, &v->e, err));
    return gpu_group_add(&s->part, column * v->nr1, NULL, &v->E, err);
}

/* Buffers of nd columns from d0 on, with the view for the kernels. */
static cgct_status place_chunk_on_device(separable_stage *s, const separable_lists *l, size_t d0,
                                         size_t nd, cgct_err *err)
{
    separable_view *v = &s->v;
    gpu_group *b = &s->part;
    size_t one = sizeof(double), wide = nd * v->ncol * one, mode = l->nodes * v->ncol * one;
    v->nd = nd;
    v->delta = s->delta + d0;
    v->origin = d0 ? NULL : s->origin;
    CGCT_TRY(upload_chunk_lists(s, l, err));
    CGCT_TRY(upload_chunk_profile(s, d0, err));
    CGCT_TRY(gpu_group_add(b, l->weights * one, NULL, &v->share, err));
    CGCT_TRY(gpu_group_add(b, v->nm * mode, NULL, &v->mode, err));
    CGCT_TRY(gpu_group_add(b, v->nm * v->rows * wide, NULL, &v->phi, err));
    CGCT_TRY(gpu_group_add(b, v->nm * v->nr * wide, NULL, &v->R, err));
    CGCT_TRY(gpu_group_add(b, NPOL * v->orders * nd * v->nr * one, NULL, &v->G, err));
    return gpu_group_add(b, s->batch * one, NULL, &s->work, err);
}

/* ---- nodes and points, batch by batch ---- */

/* Computes the v->count nodes or points from v->first on, which use the same rule. */
typedef cgct_status (*batch_work)(separable_stage *s, size_t rule, separable_view *v,
                                  cgct_err *err);

/* All nodes or points, those of one rule after the other, which are at[rule]..at[rule+1]-1 and want
 * nm[rule] orders at most.  numbers: what one of them needs of the batch buffer at a rule of n
 * angles. */
static cgct_status compute_in_batches(separable_stage *s, const size_t at[ANGLE_RULES + 1],
                                      const size_t nm[ANGLE_RULES],
                                      size_t (*numbers)(const separable_plan *p, size_t n),
                                      batch_work work, cgct_err *err)
{
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        separable_view v = s->v;
        v.n = s->plan->p.angles.rule[i].n;
        v.hav = s->hav[i];
        v.most = nm[i];
        size_t most = at[i] < at[i + 1] ? s->batch / numbers(&s->plan->p, v.n) : 0;
        for (v.first = at[i]; v.first < at[i + 1]; v.first += v.count) {
            v.count = at[i + 1] - v.first < most ? at[i + 1] - v.first : most;
            CGCT_TRY(work(s, i, &v, err));
        }
    }
    return CGCT_OK;
}

/* Nodes: F at the angles of the rule, and its modes. */
static cgct_status node_modes_batch(separable_stage *s, size_t rule, separable_view *v,
                                    cgct_err *err)
{
    gpu_product x = {.turned_a = 1, .turned_b = 1, .m = v->most, .k = v->n, .batch = 1};
    v->F = s->work;
    CGCT_TRY(gpu_launch(s->g, GPU_phi, v->count * v->n, v, err));
    x.n = v->count * v->ncol;
    x.a = s->weight[rule];
    x.lda = v->nm;
    x.b = v->F;
    x.c = v->mode + v->first * v->ncol;
    x.ldc = v->nodes * v->ncol;
    return gpu_multiply(s->g, &x, err);
}

/* Rows R and orders m of one product: l_m reaches only a part of s, the less the higher m is. */
enum { BAND_ROWS = 64, BAND_ORDERS = 8 };

/* c_m = a_m b_m for all m, where a_m, of l_m or e_m at x->m values of R and x->k of s, is
 * negligible beyond the reach of l_m; in columns of `column` numbers for each Delta from d0 on, of
 * which those that want no order as high as m are left out.  a and c are without gaps. */
static cgct_status multiply_bands(separable_stage *s, const gpu_product *x, size_t d0,
                                  size_t column, cgct_err *err)
{
    const separable_plan *p = &s->plan->p;
    const double *R = p->o->r, *at = p->o->s;
    for (size_t im = 0; im < s->v.nm; im += BAND_ORDERS) {
        const double reach = separable_ell_reach(p, im);
        size_t first = 0, last = s->v.nd;
        while (first < last && separable_orders(p, d0 + first) <= im) first++;
        while (last > first && separable_orders(p, d0 + last - 1) <= im) last--;
        for (size_t r0 = 0, k0 = 0, k1 = 0, r1; r0 < x->m && first < last; r0 = r1) {
            r1 = r0 + BAND_ROWS < x->m ? r0 + BAND_ROWS : x->m;
            while (k0 + 1 < x->k && at[k0] * reach < R[r0]) k0++;
            while (k1 < x->k && (k1 <= k0 || isinf(reach) || at[k1] <= R[r1 - 1] * reach)) k1++;
            gpu_product part = *x;
            part.m = r1 - r0;
            part.n = (last - first) * column;
            part.k = k1 - k0;
            part.batch = s->v.nm - im < BAND_ORDERS ? s->v.nm - im : BAND_ORDERS;
            part.sa = x->m * (part.lda = x->k);
            part.sc = x->m * (part.ldc = x->n);
            part.ldb = x->n;
            part.a += im * part.sa + r0 * x->k + k0;
            part.b += im * part.sb + k0 * x->n + first * column;
            part.c += im * part.sc + r0 * x->n + first * column;
            CGCT_TRY(gpu_multiply(s->g, &part, err));
        }
    }
    return CGCT_OK;
}

/* The columns e of R_m: E_m (nr1, nd 2) = e_m (nr1, ns1) phi_m (ns1, nd 2), zero beyond. */
static cgct_status contract_single(separable_stage *s, size_t d0, cgct_err *err)
{
    const separable_view *v = &s->v;
    gpu_product x = {.m = v->nr1, .n = NPOL * v->nd, .k = v->ns1, .sb = v->ns1 * NPOL * v->nd};
    x.a = s->ess;
    x.b = v->e;
    x.c = v->E;
    CGCT_TRY(gpu_launch(s->g, GPU_pick, v->nm * v->ns1 * x.n, v, err));
    CGCT_TRY(s->g->ops->clear(s->g, v->E, v->nm * v->nr1 * x.n * sizeof *v->E, err));
    CGCT_TRY(multiply_bands(s, &x, d0, NPOL, err));
    return gpu_launch(s->g, GPU_put, v->nm * v->nr * x.n, v, err);
}

/* R_m (nr, nd ncol) = l_m (nr, ns) phi_m (ns, nd ncol), corrected next to the centres, of the
 * orders that are wanted at each Delta. */
static cgct_status contract_ell_phi(separable_stage *s, size_t d0, size_t nclose, cgct_err *err)
{
    const separable_view *v = &s->v;
    gpu_product x = {.m = v->nr, .n = v->nd * v->ncol, .k = v->ns};
    x.a = s->ell;
    x.b = v->phi;
    x.sb = v->rows * x.n;
    x.c = v->R;
    const size_t tiles = direct_tiles(v->nm, SPREAD_ORDERS) * spread_tiles(v->rows);
    CGCT_TRY(gpu_launch(s->g, GPU_spread, tiles * x.n, v, err));
    CGCT_TRY(multiply_bands(s, &x, d0, v->ncol, err));
    if (v->profile) CGCT_TRY(contract_single(s, d0, err));
    return gpu_launch(s->g, GPU_near, nclose * v->nm * v->ncol, v, err);
}

/* Points: the sums over m at their angles, g, and the modes of g. */
static cgct_status point_modes_batch(separable_stage *s, size_t rule, separable_view *v,
                                     cgct_err *err)
{
    gpu_product x = {.m = v->n, .n = v->count * v->ncol, .k = v->most, .batch = 1};
    v->Rg = s->work;
    v->sum = v->Rg + v->most * v->count * v->ncol;
    v->g = v->sum + v->n * v->count * v->ncol;
    v->Gm = v->g + NPOL * v->count * v->n;
    CGCT_TRY(gpu_launch(s->g, GPU_gather, v->most * v->count * v->ncol, v, err));
    x.a = s->cosine[rule];
    x.lda = v->nm;
    x.b = v->Rg;
    x.c = v->sum;
    CGCT_TRY(gpu_multiply(s->g, &x, err));
    gpu_product y = {.m = v->count * NPOL, .n = v->most, .k = v->n, .batch = 1};
    y.a = v->g;
    y.b = s->weight[rule];
    y.ldb = v->nm;
    y.c = v->Gm;
    for (v->odd = 0; v->odd < v->step; v->odd++) {
        CGCT_TRY(gpu_launch(s->g, GPU_combine, v->count * v->n, v, err));
        CGCT_TRY(gpu_multiply(s->g, &y, err));
        CGCT_TRY(gpu_launch(s->g, GPU_scatter, NPOL * v->nm * v->count, v, err));
    }
    return CGCT_OK;
}

static cgct_status compute_chunk(separable_stage *s, const separable_lists *l, size_t d0,
                                 cgct_err *err)
{
    CGCT_TRY(
        compute_in_batches(s, l->node_at, l->node_nm, separable_node_batch, node_modes_batch, err));
    const size_t shares = s->v.blocks * s->v.share_parts * RADIAL_NODES;
    CGCT_TRY(gpu_launch(s->g, GPU_share, shares, &s->v, err));
    CGCT_TRY(contract_ell_phi(s, d0, l->nclose, err));
    CGCT_TRY(compute_in_batches(s, l->point_at, l->point_nm, separable_point_batch,
                                point_modes_batch, err));
    return s->g->ops->mark(s->g, 0, err);
}

static cgct_status hand_out_chunk(separable_stage *s, size_t d0, const device_output *to,
                                  double origin[NPOL], cgct_err *err)
{
    const gpu_rows r = {origin, s->origin, NPOL, 1, NPOL, NPOL};
    CGCT_TRY(device_output_put(to, s->g, s->v.G, s->v.orders, d0, s->v.nd, err));
    return d0 ? CGCT_OK : s->g->ops->fetch(s->g, 0, &r, err);
}

/* nd columns from d0 on.  The plan has the lists of all columns; those of fewer are made here. */
static cgct_status compute_columns(separable_stage *s, size_t d0, size_t nd,
                                   const device_output *to, double origin[NPOL], cgct_err *err)
{
    const cuda_separable_plan *k = s->plan;
    const int all = nd == k->p.o->nd;
    separable_lists part = {0};
    const separable_lists *l = all ? &k->lists : &part;
    if (!all) CGCT_TRY(separable_lists_init(&part, &k->p, k->columns, d0, nd, err));
    cgct_status st = place_chunk_on_device(s, l, d0, nd, err);
    if (st == CGCT_OK) st = compute_chunk(s, l, d0, err);
    if (st == CGCT_OK) st = hand_out_chunk(s, d0, to, origin, err);
    gpu_group_free(&s->part);
    separable_lists_free(&part);
    return st;
}

/* The failure where not even column d0 fits. */
static cgct_status fail_without_column(const separable_stage *s, size_t d0, cgct_err *err)
{
    size_t free_bytes, total;
    const separable_column *c = s->plan->columns + d0;
    const separable_counts one = {1, c->n, c->nblock, c->nweight, c->nclose};
    double need = separable_column_bytes(&s->plan->p, &one) + (double)s->batch * sizeof(double);
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    return cgct_fail(err, CGCT_E_NOMEM,
                     "%s: one Delta with %zu modes x %zu nodes needs %.3f GiB, %.3f of %.3f are "
                     "free; lower inner.modes or choose another --device",
                     s->g->name, s->v.nm, s->v.nr, need / (1 << 30), (double)free_bytes / (1 << 30),
                     (double)total / (1 << 30));
}

/* As many columns from d0 on as fit; fewer, then with a smaller batch, while the device refuses. */
static cgct_status largest_chunk(separable_stage *s, size_t d0, size_t *taken,
                                 const device_output *to, double origin[NPOL], cgct_err *err)
{
    size_t left = s->plan->p.o->nd - d0, least = separable_batch_least(&s->plan->p);
    for (;;) {
        *taken = left < s->chunk ? left : s->chunk;
        cgct_status st = compute_columns(s, d0, *taken, to, origin, err);
        if (st != CGCT_E_NOMEM) return st;
        if (*taken == 1 && s->batch == least) return fail_without_column(s, d0, err);
        if (*taken == 1) s->batch = s->batch / 2 > least ? s->batch / 2 : least;
        s->chunk = (*taken + 1) / 2;
    }
}

/* The batch buffer takes up to a quarter of the memory, columns as much as possible of the rest. */
static cgct_status choose_chunk(separable_stage *s, cgct_err *err)
{
    size_t free_bytes, total, nd = s->plan->p.o->nd;
    const separable_lists *l = &s->plan->lists;
    const separable_counts all = {nd, l->nodes, l->blocks, l->weights, l->nclose};
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    size_t least = separable_batch_least(&s->plan->p), most = separable_batch_most(s->plan);
    double room = DEVICE_MEMORY_SHARE * (double)free_bytes, share = room / 4 / sizeof(double);
    s->batch = share < (double)most ? (size_t)share : most;
    if (s->batch < least) s->batch = least;
    double fit =
        (room - (double)s->batch * sizeof(double)) / separable_column_bytes(&s->plan->p, &all);
    s->chunk = fit < 1 ? 1 : fit < (double)nd ? (size_t)fit : nd;
    return CGCT_OK;
}

static cgct_status build_chunks(separable_stage *s, gpu *g, const cuda_separable_plan *plan,
                                const device_output *to, double origin[NPOL], cgct_err *err)
{
    const inner_opts *o = plan->p.o;
    size_t taken;
    cgct_status st = separable_stage_init(s, g, plan, err);
    if (st == CGCT_E_NOMEM)
        return cgct_context(err, st,
                            "what every Delta needs with %zu modes x %zu nodes (fewer by "
                            "inner.modes, more memory by --device)",
                            o->nm, o->nr);
    CGCT_TRY(st);
    CGCT_TRY(choose_chunk(s, err));
    for (size_t d0 = 0; d0 < o->nd; d0 += taken)
        CGCT_TRY(largest_chunk(s, d0, &taken, to, origin, err));
    return CGCT_OK;
}

static cgct_status run_separable(gpu *g, const cuda_separable_plan *plan, const device_output *to,
                                 double origin[NPOL], cgct_err *err)
{
    separable_stage s;
    cgct_status st = build_chunks(&s, g, plan, to, origin, err);
    gpu_group_free(&s.all);
    return st;
}

/* ---- one table; its transform ---- */

static cgct_status build_many_colours(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                      cgct_err *err)
{
    cuda_separable_plan plan;
    const device_output to = {t, NULL};
    CGCT_TRY(cuda_separable_plan_init(&plan, o, d, NULL, err));
    cgct_status st = run_separable(g, &plan, &to, t->origin, err);
    t->rank = plan.p.w.rank;
    t->single = o->single;
    cuda_separable_plan_free(&plan);
    return st;
}

/* Adds the difference, or the singlet part, whose origin becomes that of the table. */
static cgct_status add_colours(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                               cgct_err *err)
{
    const size_t n = NPOL * t->nm * t->nd * t->nr;
    double origin[NPOL];
    colours_grid grid;
    inner_table change;
    const device_output to = {&change, NULL};
    colours_grid_init(&grid, o, d);
    inner_table_init(&change, o);
    const cgct_status st = device_colours(&grid, g, &to, origin, err);
    for (size_t i = 0; i < n && st == CGCT_OK; i++) t->g[i] += change.g[i];
    if (d->singlet) memcpy(t->origin, origin, sizeof origin);
    inner_table_free(&change);
    colours_grid_free(&grid);
    return st;
}

cgct_status cuda_separable_build(inner_table *t, const inner_opts *o, const dipole *d, gpu *g,
                                 cgct_err *err)
{
    const int many = o->part != INNER_DIFFERENCE && !d->singlet;
    const int few = o->part != INNER_MANY_COLOURS && isfinite(d->Nc);
    inner_table_init(t, o);
    cgct_status st = many ? build_many_colours(t, o, d, g, err) : CGCT_OK;
    if (st == CGCT_OK && few) st = add_colours(t, o, d, g, err);
    if (st != CGCT_OK) inner_table_free(t);
    return st;
}

cgct_status separable_pass_init(separable_pass *p, const backend_transform *task, const dipole *d,
                                const cuda_separable_plan *other, int weights, cgct_err *err)
{
    const inner_opts *o = task->inner;
    memset(p, 0, sizeof *p);
    p->of_colours = o->part == INNER_DIFFERENCE || d->singlet;
    if (!p->of_colours && o->part != INNER_MANY_COLOURS && isfinite(d->Nc))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "cuda-separable transforms many colours and what %g change apart", d->Nc);
    if (p->of_colours) colours_grid_init(&p->colours, o, d);
    cgct_status st = p->of_colours ? CGCT_OK : cuda_separable_plan_init(&p->plan, o, d, other, err);
    if (st == CGCT_OK && weights) st = hankel_weights_init(&p->weights, task, err);
    if (st != CGCT_OK) separable_pass_free(p);
    return st;
}

void separable_pass_free(separable_pass *p)
{
    colours_grid_free(&p->colours);
    cuda_separable_plan_free(&p->plan);
    hankel_weights_free(&p->weights);
}

cgct_status separable_pass_modes(const separable_pass *p, device_hankel *h, backend_facts *facts,
                                 cgct_err *err)
{
    const device_output to = {NULL, h};
    facts->single = !p->of_colours && p->plan.p.o->single;
    facts->rank = p->plan.p.w.rank;
    return p->of_colours ? device_colours(&p->colours, h->g, &to, facts->origin, err)
                         : run_separable(h->g, &p->plan, &to, facts->origin, err);
}

cgct_status separable_pass_transform(const separable_pass *p, gpu *g, double *modes,
                                     backend_facts *facts, cgct_err *err)
{
    device_hankel h;
    CGCT_TRY(device_hankel_init(&h, g, &p->weights, err));
    cgct_status st = separable_pass_modes(p, &h, facts, err);
    if (st == CGCT_OK) st = device_hankel_get(&h, modes, err);
    device_hankel_free(&h);
    return st;
}
