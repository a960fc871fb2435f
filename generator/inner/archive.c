/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner tables with the factors of single scattering: built, written to files and read back.  Files
 * hold named arrays (format/INNER.md). */
#include "inner/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/inner_archive.h"
#include "numerics/grid.h"
#include "numerics/memory.h"

/* Relative step of the q at which sigma is kept; node/hankel.c interpolates through ten
 * of them. */
static const double ARCHIVE_SINGLE_SPACING = 0.005;

static const double ARCHIVE_STEP_MARGIN = 0.999; /* on the step of rounding; see archive_pack */

/* Names of the single numbers in a file, in the order in which both directions list them. */
enum { ARCHIVE_SCALARS = 9 };
static const char *const ARCHIVE_SCALAR[ARCHIVE_SCALARS] = {
    "x", "eps", "lam", "q_max", "k_max", "single", "degree", "tail_nodes", "rank"};

/* ---- building ---- */

static cgct_status archive_make_single(archive *a, const dipole *d, cgct_err *err)
{
    double scale = fmin(a->table.eps, sqrt(d->Qs2));
    grid_steps steps = {scale, ARCHIVE_SINGLE_SPACING, INFINITY, INFINITY};
    size_t n;
    if (!a->table.single) return CGCT_OK;
    CGCT_TRY(grid_graded(&steps, a->q_max, &n, &a->single_q, err));
    a->single_q[n - 1] = a->q_max; /* as in a node, where it sets the grid of sigma */
    const single_task task = {d, a->table.eps, n, a->single_q, a->k_max + a->q_max, 0, 0};
    return single_init(&a->single, &task, err);
}

/* The work of backend_try. */
typedef struct {
    inner_table *table;
    const inner_opts *opts;
    const dipole *d;
} archive_table_work;

static cgct_status archive_table_with(void *self, const backend *b, cgct_err *err)
{
    const archive_table_work *w = self;
    CGCT_TRY(backend_makes_table(b, err));
    inner_table_free(w->table); /* of a builder that failed before */
    return b->run(w->table, w->opts, w->d, err);
}

static cgct_status archive_fill(archive *a, const archive_task *k, const dipole *d, inner_grids *g,
                                cgct_err *err)
{
    double P = k->k_max + k->settings->lam * k->q_max;
    double reach = P + ARCHIVE_REACH * fmax(P, fmax(k->eps, sqrt(d->Qs2)));
    inner_grids_task task = {k->settings, d, k->eps, k->q_max, reach, 1};
    CGCT_TRY(inner_grids_init(g, &task, err));
    g->inner.crew = k->builders ? k->builders->crew : NULL;
    if (d->process != PROCESS_DIS) g->inner.single = 0; /* a file has no room for it */
    a->degree = k->settings->hankel.degree;
    a->tail_nodes = g->tail.nfit;
    a->tail_terms = g->tail.nterm;
    memcpy(a->power, g->power, (size_t)a->tail_terms * sizeof *a->power);
    a->np = g->np;
    a->P = g->P;
    g->P = NULL;
    archive_table_work w = {&a->table, &g->inner, d};
    const backend_task any = {k->builders, k->settings->backend, k->settings->device,
                              archive_table_with, &w};
    CGCT_TRY(backend_try(&any, &a->backend, a->fallback, err));
    return archive_make_single(a, d, err);
}

cgct_status archive_build(archive *a, const archive_task *k, cgct_err *err)
{
    dipole *d;
    inner_grids g = {0};
    memset(a, 0, sizeof *a);
    if (!(k->q_max > 0 && k->k_max > 0 && isfinite(k->q_max) && isfinite(k->k_max)))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "largest q = %g GeV, largest k1 = %g GeV; both must be positive", k->q_max,
                         k->k_max);
    CGCT_TRY(dipole_init(&d, k->source, k->x, err));
    a->x = k->x;
    a->q_max = k->q_max;
    a->k_max = k->k_max;
    cgct_status st = archive_fill(a, k, d, &g, err);
    inner_grids_free(&g);
    dipole_free(d);
    if (st != CGCT_OK) archive_free(a);
    return st;
}

void archive_free(archive *a)
{
    inner_table_free(&a->table);
    single_free(&a->single);
    free(a->single_q);
    free(a->P);
    memset(a, 0, sizeof *a);
}

/* ---- writing ---- */

static void archive_add(cgct_inner_head *h, const char *name, size_t n, const double *v)
{
    cgct_inner_array *a = &h->array[h->narray++];
    strncpy(a->name, name, CGCT_INNER_NAME_SIZE - 1);
    a->n = n;
    a->v = v;
}

/* The step of rounding is twice the bound, less a margin for the rounding of the product. */
static cgct_status archive_pack(archive *a, const archive_save_opts *o, cgct_inner_block *block,
                                cgct_err *err)
{
    const inner_table *t = &a->table;
    cgct_status failed = CGCT_OK;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++) {
        cgct_err mine = {""};
        double step = 2 * ARCHIVE_STEP_MARGIN * o->bound * a->largest[i / t->nm];
        cgct_status st =
            cgct_inner_pack(t->nd, t->nr, t->g + i * t->nd * t->nr, step, &block[i], &mine);
        if (st == CGCT_OK) continue;
#pragma omp critical(archive_pack)
        failed = cgct_fail(err, st, "block %zu: %s", i, mine.text);
    }
    for (size_t i = 0; i < NPOL * t->nm; i++)
        a->measured[i / t->nm] = fmax(a->measured[i / t->nm], block[i].error);
    return failed;
}

static cgct_status archive_write(archive *a, const char *path, const archive_save_opts *o,
                                 double *m, cgct_inner_block *block, cgct_err *err)
{
    const inner_table *t = &a->table;
    const double scalar[ARCHIVE_SCALARS] = {
        a->x, t->eps, t->lam, a->q_max, a->k_max, t->single, a->degree, a->tail_nodes, t->rank,
    };
    cgct_inner_head h = {.nm = t->nm, .nd = t->nd, .nr = t->nr, .bound = o->bound};
    h.text[CGCT_INNER_GENERATOR] = o->generator;
    h.text[CGCT_INNER_DIPOLE] = o->dipole;
    h.text[CGCT_INNER_BACKEND] = o->backend;
    h.text[CGCT_INNER_CARD] = o->card;
    const size_t entries = t->nm * t->nd * t->nr;
    for (size_t pol = 0; pol < NPOL; pol++) {
        a->largest[pol] = a->measured[pol] = 0;
        for (size_t i = 0; i < entries; i++)
            a->largest[pol] = fmax(a->largest[pol], fabs(t->g[pol * entries + i]));
    }
    CGCT_TRY(archive_pack(a, o, block, err));
    for (int pol = 0; pol < NPOL; pol++)
        if (!(a->measured[pol] <= o->bound * a->largest[pol]))
            return cgct_fail(err, CGCT_E_ACCURACY,
                             "entries of %c are off by %g of the largest when read back, %g was "
                             "asked for",
                             pol == POL_T ? 'T' : 'L', a->measured[pol] / a->largest[pol],
                             o->bound);
    for (size_t i = 0; i < ARCHIVE_SCALARS; i++) archive_add(&h, ARCHIVE_SCALAR[i], 1, &scalar[i]);
    for (size_t im = 0; im < t->nm; im++) m[im] = t->m[im];
    archive_add(&h, "m", t->nm, m);
    archive_add(&h, "delta", t->nd, t->delta);
    archive_add(&h, "r", t->nr, t->r);
    archive_add(&h, "P", a->np, a->P);
    archive_add(&h, "tail", (size_t)a->tail_terms, a->power);
    archive_add(&h, "origin", NPOL, t->origin);
    if (a->single.nk) {
        const single_factors *s = &a->single;
        archive_add(&h, "single_q", s->nq, a->single_q);
        archive_add(&h, "single_sigma", s->nq, s->sigma);
        archive_add(&h, "single_k", s->nk, s->k);
        archive_add(&h, "single_F", SINGLE_FUNCTIONS * s->nk, s->F);
    }
    memcpy(h.largest, a->largest, sizeof h.largest);
    memcpy(h.measured, a->measured, sizeof h.measured);
    return cgct_inner_save(path, &h, block, err);
}

cgct_status archive_save(archive *a, const char *path, const archive_save_opts *o, cgct_err *err)
{
    size_t n = NPOL * a->table.nm;
    double *m = memory_new(a->table.nm, sizeof *m);
    cgct_inner_block *block = memory_zeros(n, sizeof *block);
    const cgct_status st = archive_write(a, path, o, m, block, err);
    for (size_t i = 0; i < n; i++) cgct_inner_block_free(&block[i]);
    free(block);
    free(m);
    return st;
}

/* ---- reading ---- */

static cgct_status archive_copy(const cgct_inner_archive *f, const char *name, size_t n,
                                size_t *length, double **to, cgct_err *err)
{
    const cgct_inner_array *a;
    CGCT_TRY(cgct_inner_find(f, name, n, &a, err));
    *to = memory_new(a->n, sizeof **to);
    memcpy(*to, a->v, a->n * sizeof **to);
    *length = a->n;
    return CGCT_OK;
}

/* The same of an array that rises from 0 or more. */
static cgct_status archive_copy_axis(const cgct_inner_archive *f, const char *name, size_t n,
                                     size_t *length, double **to, cgct_err *err)
{
    CGCT_TRY(archive_copy(f, name, n, length, to, err));
    if (!*length) return cgct_fail(err, CGCT_E_FORMAT, "%s: array '%s' is empty", f->path, name);
    for (size_t i = 0; i < *length; i++)
        if (!((*to)[i] >= 0 && (!i || (*to)[i] > (*to)[i - 1])))
            return cgct_fail(err, CGCT_E_FORMAT, "%s: array '%s' does not rise from 0 at %zu",
                             f->path, name, i);
    return CGCT_OK;
}

/* The bounds on nodes and rank only exclude what no generator writes. */
static cgct_status archive_read_scalars(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    inner_table *t = &a->table;
    double degree = 0, nodes = 0, rank = 0, single = 0;
    double *const to[ARCHIVE_SCALARS] = {&a->x,   &t->eps, &t->lam, &a->q_max, &a->k_max,
                                         &single, &degree, &nodes,  &rank};
    const cgct_inner_array *one, *tail;
    for (size_t i = 0; i < ARCHIVE_SCALARS; i++) {
        CGCT_TRY(cgct_inner_find(f, ARCHIVE_SCALAR[i], 1, &one, err));
        *to[i] = one->v[0];
    }
    CGCT_TRY(cgct_inner_find(f, "tail", 0, &tail, err));
    if (tail->n > TAIL_TERMS_MAX || !(degree >= FILON_DEGREE_MIN && degree <= FILON_DEGREE_MAX) ||
        !(nodes >= 1 && nodes <= 1e6) || !(rank >= 0 && rank <= 1e3) ||
        !(single == 0 || single == 1))
        return cgct_fail(
            err, CGCT_E_FORMAT,
            "%s: degree %g, %zu tail terms on %g nodes, rank %g, single %g: out of range", f->path,
            degree, tail->n, nodes, rank, single);
    a->degree = (int)degree;
    a->tail_nodes = (int)nodes;
    t->rank = (int)rank;
    t->single = (int)single;
    a->tail_terms = (int)tail->n;
    memcpy(a->power, tail->v, tail->n * sizeof *a->power);
    return CGCT_OK;
}

static cgct_status archive_read_single(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    if (!a->table.single) return CGCT_OK;
    single_factors *s = &a->single;
    size_t n;
    CGCT_TRY(archive_copy_axis(f, "single_q", 0, &s->nq, &a->single_q, err));
    CGCT_TRY(archive_copy(f, "single_sigma", s->nq, &n, &s->sigma, err));
    CGCT_TRY(archive_copy_axis(f, "single_k", 0, &s->nk, &s->k, err));
    CGCT_TRY(archive_copy(f, "single_F", SINGLE_FUNCTIONS * s->nk, &n, &s->F, err));
    s->Psi = s->F + NPOL * s->nk;
    s->F2 = s->F;
    return CGCT_OK;
}

static cgct_status archive_read_blocks(inner_table *t, const cgct_inner_archive *f, cgct_err *err)
{
    size_t plane = t->nd * t->nr;
    cgct_status failed = CGCT_OK;
    t->g = memory_new(NPOL * t->nm * plane, sizeof *t->g);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++) {
        cgct_err mine = {""};
        cgct_status st = cgct_inner_load(f, i, t->g + i * plane, &mine);
        if (st == CGCT_OK) continue;
#pragma omp critical(archive_read)
        failed = cgct_fail(err, st, "%s", mine.text);
    }
    return failed;
}

static cgct_status archive_read(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    inner_table *t = &a->table;
    const cgct_inner_array *origin, *m;
    t->nm = f->head.nm;
    t->nd = f->head.nd;
    t->nr = f->head.nr;
    memcpy(a->largest, f->head.largest, sizeof a->largest);
    memcpy(a->measured, f->head.measured, sizeof a->measured);
    CGCT_TRY(archive_read_scalars(a, f, err));
    CGCT_TRY(cgct_inner_find(f, "m", t->nm, &m, err));
    t->m = memory_new(t->nm, sizeof *t->m);
    const int step = t->nm > 1 && m->v[1] == 2 && t->lam == 0.5 ? 2 : 1;
    for (size_t i = 0; i < t->nm; i++) {
        t->m[i] = step * (int)i;
        if (m->v[i] != (double)t->m[i])
            return cgct_fail(err, CGCT_E_FORMAT, "%s: order %zu is %g, want %d", f->path, i,
                             m->v[i], t->m[i]);
    }
    CGCT_TRY(archive_copy_axis(f, "delta", t->nd, &t->nd, &t->delta, err));
    CGCT_TRY(archive_copy_axis(f, "r", t->nr, &t->nr, &t->r, err));
    CGCT_TRY(archive_copy_axis(f, "P", 0, &a->np, &a->P, err));
    CGCT_TRY(cgct_inner_find(f, "origin", NPOL, &origin, err));
    memcpy(t->origin, origin->v, sizeof t->origin);
    CGCT_TRY(archive_read_single(a, f, err));
    return archive_read_blocks(t, f, err);
}

cgct_status archive_load(archive *a, const char *path, cgct_err *err)
{
    cgct_inner_archive *f;
    memset(a, 0, sizeof *a);
    CGCT_TRY(cgct_inner_open(&f, path, err));
    cgct_status st = archive_read(a, f, err);
    cgct_inner_close(f);
    if (st != CGCT_OK) archive_free(a);
    return st;
}
