/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids, tables and buffers of the paper's discretisation, and the computation of one chunk. */
#include "direct_stage.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "inner/direct.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"

enum { R_AT_ONCE = 512 }; /* so that there are several chunks of R, and copies overlap with work */

/* ---- chunks ---- */

size_t direct_chunk_numbers(const direct_sizes *s, direct_chunk c)
{
    size_t wave = c.nd * s->ns * s->n * WAVE_SIZE, G = 2 * (2 * s->nm * c.nd * c.nr);
    size_t cross = s->ns * (s->n / 2 + 1);
    if (!s->full) return wave + cross * c.nr + 2 * c.nd * s->nk * c.nr + G;
    return wave + cross + 2 * c.nd * s->n + 2 * c.nd * s->ns * (s->n * s->n + s->nm) + G;
}

direct_chunk direct_chunk_plan(const direct_sizes *s, size_t bytes)
{
    direct_chunk c = {s->nd, s->nr < R_AT_ONCE ? s->nr : R_AT_ONCE};
    for (; c.nr; c.nr /= 2) {
        direct_chunk none = {0, c.nr}, one = {1, c.nr};
        size_t fixed = direct_chunk_numbers(s, none), each = direct_chunk_numbers(s, one) - fixed;
        size_t room = bytes / sizeof(double);
        if (room < fixed + each) continue;
        size_t fit = (room - fixed) / each;
        c.nd = fit < s->nd ? fit : s->nd;
        return c;
    }
    return (direct_chunk){0, 0};
}

direct_chunk direct_chunk_shrink(direct_chunk c)
{
    if (c.nd > 1)
        c.nd = (c.nd + 1) / 2;
    else if (c.nr > 1)
        c.nr = (c.nr + 1) / 2;
    else
        c = (direct_chunk){0, 0};
    return c;
}

/* ---- grids and rules ---- */

/* The integrand is symmetric under gamma -> -gamma; in the midpoint frame with an even number of
 * angles also under gamma -> gamma + pi, unless S(|b|) multiplies it, whose table has odd orders.
 * Returns 1 where the latter holds. */
static int has_half_turn(const inner_opts *o)
{
    int ok = o->lam == 0.5 && o->n_phi % 2 == 0;
    for (size_t im = 0; im < o->nm; im++) ok &= o->m[im] % 2 == 0;
    return ok;
}

/* Number of the n gammas that the symmetries map to number k. */
static double gamma_multiplicity(size_t k, size_t n, int turn)
{
    size_t same[4] = {k, (n - k) % n, (k + n / 2) % n, (n / 2 + n - k) % n}, count = 0;
    for (size_t i = 0; i < (turn ? 4u : 2u); i++) {
        int seen = 0;
        for (size_t j = 0; j < i; j++) seen |= same[j] == same[i];
        count += !seen;
    }
    return (double)count;
}

static void fill_projection(const direct_stage *s, int turn, double *cosine, double *haver,
                            double *project)
{
    size_t n = s->size.n;
    for (size_t i = 0; i < n; i++) {
        cosine[i] = cos(2 * M_PI * (double)i / (double)n);
        haver[i] = pow(sin(M_PI * (double)i / (double)n), 2);
    }
    for (size_t im = 0; im < s->size.nm; im++)
        for (size_t k = 0; k < s->size.nk; k++)
            project[im * s->size.nk + k] = gamma_multiplicity(k, n, turn) *
                                           pow(2 * M_PI / (double)n, 2) *
                                           cosine[(size_t)s->o->m[im] * k % n];
}

static cgct_status upload_direct_grids(direct_stage *s, int turn, cgct_err *err)
{
    const inner_opts *o = s->o;
    direct_view *v = &s->view.v;
    quad_rule rule = {0};
    size_t n = s->size.n, ns = s->size.ns, count = ns + 2 * n + o->nm * s->size.nk;
    CGCT_TRY(quad_append_gauss(&rule, o->n_gauss, 0, o->s_max, err));
    double *weight = memory_new(count, sizeof *weight), *cosine = weight + ns;
    for (size_t i = 0; i < ns; i++) weight[i] = rule.x[i] * rule.w[i];
    fill_projection(s, turn, cosine, cosine + n, cosine + 2 * n);
    cgct_status st = gpu_group_add(&s->all, ns * sizeof *rule.x, rule.x, &v->s, err);
    if (st == CGCT_OK) st = gpu_group_add(&s->all, count * sizeof *weight, weight, &v->weight, err);
    free(weight);
    quad_free(&rule);
    CGCT_TRY(st);
    v->cosine = v->weight + ns;
    v->haver = v->cosine + n;
    v->project = v->haver + n;
    CGCT_TRY(gpu_group_add(&s->all, o->nd * sizeof(double), o->delta, &s->delta, err));
    return gpu_group_add(&s->all, o->nr * sizeof(double), o->r, &s->r, err);
}

/* cos(m(alpha-beta)) (2 pi/n)^2 as a matrix (nm, n n): the paper's projection. */
static cgct_status upload_full_projection(direct_stage *s, cgct_err *err)
{
    size_t n = s->size.n, count = s->size.nm * n * n;
    double *e = memory_new(count, sizeof *e);
    for (size_t i = 0; i < count; i++) {
        size_t m = (size_t)s->o->m[i / n / n], gamma = (i / n % n + n - i % n) % n;
        e[i] = pow(2 * M_PI / (double)n, 2) * cos(2 * M_PI * (double)(m * gamma % n) / (double)n);
    }
    cgct_status st = gpu_group_add(&s->all, count * sizeof *e, e, &s->modes, err);
    free(e);
    return st;
}

cgct_status direct_upload_lookup(gpu_group *b, const lookup_table *t, lookup *at, cgct_err *err)
{
    *at = t->at;
    return gpu_group_add(b, t->cells * LOOKUP_TERMS * sizeof(double), t->at.c, &at->c, err);
}

cgct_status direct_upload_photon(gpu_group *b, double eps, device_photon *p, cgct_err *err)
{
    p->eps = eps;
    CGCT_TRY(direct_upload_lookup(b, &lookup_K0, &p->K0, err));
    return direct_upload_lookup(b, &lookup_K1, &p->K1, err);
}

/* ---- buffers of a chunk ---- */

static cgct_status alloc_direct_chunk(direct_stage *s, cgct_err *err)
{
    const direct_sizes *z = &s->size;
    direct_view *v = &s->view.v;
    gpu_group *b = &s->part;
    size_t nd = s->chunk.nd, nr = s->chunk.nr, one = sizeof(double), cross = z->n / 2 + 1;
    CGCT_TRY(gpu_group_add(b, nd * z->ns * z->n * WAVE_SIZE * one, NULL, &v->wave, err));
    CGCT_TRY(gpu_group_add(b, z->ns * cross * (z->full ? 1 : nr) * one, NULL, &v->cross, err));
    if (z->full) {
        size_t square = z->n * z->n, rows = 2 * nd * z->ns * one;
        CGCT_TRY(gpu_group_add(b, 2 * nd * z->n * one, NULL, &s->view.pair, err));
        CGCT_TRY(gpu_group_add(b, rows * square, NULL, &s->view.sample, err));
        CGCT_TRY(gpu_group_add(b, rows * z->nm, NULL, &s->view.projected, err));
    } else {
        CGCT_TRY(gpu_group_add(b, 2 * nd * z->nk * nr * one, NULL, &v->sum, err));
    }
    for (int slot = 0; slot < 2; slot++)
        CGCT_TRY(gpu_group_add(b, 2 * z->nm * nd * nr * one, NULL, &s->G[slot], err));
    return CGCT_OK;
}

static cgct_status fail_without_element(const direct_stage *s, size_t free_bytes, cgct_err *err)
{
    size_t need = sizeof(double) * direct_chunk_numbers(&s->size, (direct_chunk){1, 1});
    return cgct_fail(err, CGCT_E_NOMEM,
                     "%s: one Delta and R with %zu nodes of s and %zu angles need %.3f GiB, %.3f "
                     "are free; lower inner.gauss_n, inner.phi_n or inner.modes, or choose another "
                     "--device",
                     s->g->name, s->size.ns, s->size.n, (double)need / (1 << 30),
                     (double)free_bytes / (1 << 30));
}

/* Allocates the buffers of the largest chunk that fits; a refused allocation halves it. */
static cgct_status fit_direct_chunk(direct_stage *s, cgct_err *err)
{
    size_t free_bytes, total;
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    s->chunk = direct_chunk_plan(&s->size, (size_t)(DEVICE_MEMORY_SHARE * (double)free_bytes));
    for (; s->chunk.nd; s->chunk = direct_chunk_shrink(s->chunk)) {
        cgct_status st = alloc_direct_chunk(s, err);
        if (st == CGCT_OK) return CGCT_OK;
        gpu_group_free(&s->part);
        if (st != CGCT_E_NOMEM) return st;
    }
    return fail_without_element(s, free_bytes, err);
}

/* Square of the longest dipole for which ln S is evaluated; rounding must not exceed it. */
static double longest_r2(const inner_opts *o)
{
    return pow(o->delta[o->nd - 1] + o->s_max + o->r[o->nr - 1], 2) * (1 + 1e-9);
}

static cgct_status fill_direct_stage(direct_stage *s, int full, cgct_err *err)
{
    const inner_opts *o = s->o;
    direct_view *v = &s->view.v;
    int turn = !full && has_half_turn(o);
    size_t n = (size_t)o->n_phi;
    s->size = (direct_sizes){o->nd, o->nr, (size_t)o->n_gauss, n, n / 2 + 1, o->nm, full};
    if (turn) s->size.nk = n / 4 + 1;
    CGCT_TRY(upload_direct_grids(s, turn, err));
    if (full) CGCT_TRY(upload_full_projection(s, err));
    CGCT_TRY(direct_upload_photon(&s->all, o->eps, &v->photon, err));
    CGCT_TRY(fit_direct_chunk(s, err));
    v->ns = s->size.ns;
    v->n = n;
    v->nk = s->size.nk;
    v->nm = o->nm;
    v->lam = o->lam;
    s->r2_max = longest_r2(o);
    return CGCT_OK;
}

/* ---- the stage ---- */

cgct_status direct_stage_init(direct_stage *s, gpu *g, const inner_opts *o, int full, cgct_err *err)
{
    *s = (direct_stage){.g = g, .o = o, .all.g = g, .part.g = g, .dipole.g = g};
    CGCT_TRY(inner_direct_check(o, err));
    cgct_status st = fill_direct_stage(s, full, err);
    if (st != CGCT_OK) direct_stage_free(s);
    return st;
}

void direct_stage_free(direct_stage *s)
{
    if (!s->g) return;
    gpu_group_free(&s->all);
    gpu_group_free(&s->part);
    gpu_group_free(&s->dipole);
    memset(s, 0, sizeof *s);
}

cgct_status direct_lnS(device_lnS *to, lookup_table *t, const dipole *d, double r2_max,
                       cgct_err *err)
{
    *to = (device_lnS){0};
    *t = (lookup_table){0};
    if (d->kind != DIPOLE_GBW) return lookup_lnS(t, d, r2_max, err);
    double one = 1;
    to->linear = 1;
    dipole_lnS(d, 1, &one, &to->slope);
    return CGCT_OK;
}

cgct_status direct_stage_dipole(direct_stage *s, const dipole *d, cgct_err *err)
{
    direct_view *v = &s->view.v;
    lookup_table t;
    v->process = d->process;
    v->which = d->singlet ? DIRECT_SINGLET : isfinite(d->Nc) ? DIRECT_FEW : DIRECT_MANY;
    v->colours = correlator_of(d->Nc);
    CGCT_TRY(direct_lnS(&v->lnS, &t, d, s->r2_max, err));
    gpu_group_free(&s->dipole);
    cgct_status st = direct_upload_lookup(&s->dipole, &t, &v->lnS.at, err);
    lookup_free(&t);
    if (st != CGCT_OK) return st;
    int turned = s->o->lam == 0.5 && s->size.n % 2 == 0;
    v->far = turned ? FAR_TURNED : v->lnS.linear ? FAR_LINEAR : FAR_LOOKUP;
    return CGCT_OK;
}

cgct_status direct_stage_delta(direct_stage *s, size_t d0, cgct_err *err)
{
    direct_view *v = &s->view.v;
    size_t left = s->o->nd - d0;
    v->nd = left < s->chunk.nd ? left : s->chunk.nd;
    v->delta = s->delta + d0;
    return gpu_launch(s->g, GPU_wave, v->nd * v->ns * v->n, v, err);
}

static cgct_status block_by_gamma(direct_stage *s, cgct_err *err)
{
    direct_view *v = &s->view.v;
    size_t tiles = direct_tiles(v->nr, TILE_R) * direct_tiles(v->nk, TILE_GAMMA);
    CGCT_TRY(gpu_launch(s->g, GPU_cross, v->ns * (v->n / 2 + 1) * v->nr, v, err));
    CGCT_TRY(gpu_launch(s->g, GPU_assemble, v->nd * tiles, v, err));
    return gpu_launch(s->g, GPU_project, 2 * v->nm * v->nd * v->nr, v, err);
}

/* One R after the other, all angles projected by a matrix product, as the paper does. */
static cgct_status block_by_all_angles(direct_stage *s, cgct_err *err)
{
    full_view a = s->view;
    size_t square = a.v.n * a.v.n, rows = 2 * a.v.nd * a.v.ns;
    a.G = a.v.G;
    a.columns = a.v.nr;
    a.v.nr = 1;
    for (a.column = 0; a.column < a.columns; a.column++, a.v.r++) {
        CGCT_TRY(gpu_launch(s->g, GPU_cross, a.v.ns * (a.v.n / 2 + 1), &a.v, err));
        CGCT_TRY(gpu_launch(s->g, GPU_pair, a.v.nd * a.v.n, &a, err));
        CGCT_TRY(gpu_launch(s->g, GPU_full, a.v.nd * a.v.ns * square, &a, err));
        gpu_product p = {.turned_b = 1, .m = rows, .n = a.v.nm, .k = square, .batch = 1};
        p.a = a.sample;
        p.b = s->modes;
        p.c = a.projected;
        CGCT_TRY(gpu_multiply(s->g, &p, err));
        CGCT_TRY(gpu_launch(s->g, GPU_radial, 2 * a.v.nm * a.v.nd, &a, err));
    }
    return CGCT_OK;
}

cgct_status direct_stage_block(direct_stage *s, size_t r0, int slot, cgct_err *err)
{
    direct_view *v = &s->view.v;
    size_t left = s->o->nr - r0;
    v->nr = left < s->chunk.nr ? left : s->chunk.nr;
    v->r = s->r + r0;
    v->G = s->G[slot];
    CGCT_TRY(s->size.full ? block_by_all_angles(s, err) : block_by_gamma(s, err));
    return s->g->ops->mark(s->g, slot, err);
}

cgct_status direct_stage_origin(direct_stage *s, int slot, double origin[2], cgct_err *err)
{
    const direct_view *v = &s->view.v;
    gpu_rows r = {origin, v->G, 1, 2, 1, v->nm * v->nd * v->nr};
    CGCT_TRY(s->g->ops->fetch(s->g, slot, &r, err));
    for (int pol = 0; pol < 2; pol++) origin[pol] /= 2 * M_PI;
    return CGCT_OK;
}

cgct_status direct_lookup_bytes(const dipole *d, double r2_max, double *bytes, cgct_err *err)
{
    device_lnS unused;
    lookup_table t;
    CGCT_TRY(direct_lnS(&unused, &t, d, r2_max, err));
    *bytes = (double)(t.cells + lookup_K0.cells + lookup_K1.cells) * LOOKUP_TERMS * sizeof(double);
    lookup_free(&t);
    return CGCT_OK;
}

cgct_status direct_stage_bytes(const backend_size *k, int full, size_t *bytes, cgct_err *err)
{
    const inner_opts *o = k->inner;
    size_t n = (size_t)o->n_phi, turn = !full && has_half_turn(o);
    direct_sizes s = {o->nd, o->nr, (size_t)o->n_gauss, n, n / (turn ? 4 : 2) + 1, o->nm, full};
    size_t numbers = direct_chunk_numbers(&s, direct_chunk_plan(&s, SIZE_MAX / 2));
    size_t grids = o->nd + o->nr + 2 * s.ns + 2 * n + o->nm * (s.nk + (full ? n * n : 0));
    double lookups;
    *bytes = 0;
    CGCT_TRY(direct_lookup_bytes(k->dipole, longest_r2(o), &lookups, err));
    *bytes = (size_t)lookups + (numbers + grids) * sizeof(double);
    return CGCT_OK;
}
