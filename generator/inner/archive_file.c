/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arrays of an archive, by the names of format/INNER.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/inner_archive.h"
#include "format/words.h"
#include "inner/archive.h"

/* ---- writing ---- */

static void add(cgct_inner_head *h, const char *name, size_t n, const double *v)
{
    cgct_inner_array *a = &h->array[h->narray++];
    strncpy(a->name, name, CGCT_INNER_NAME_SIZE - 1);
    a->n = n;
    a->v = v;
}

static void find_largest(archive *a)
{
    size_t n = a->table.nm * a->table.nd * a->table.nr;
    for (size_t pol = 0; pol < NPOL; pol++) {
        double most = 0;
        for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a->table.g[pol * n + i]));
        a->largest[pol] = most;
        a->measured[pol] = 0;
    }
}

/* Twice the bound is the step of rounding; rounding of the product leaves an eighth of a per cent.
 */
static cgct_status pack(archive *a, const archive_save_opts *o, cgct_inner_block *block,
                        cgct_err *err)
{
    const inner_table *t = &a->table;
    cgct_status failed = CGCT_OK;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < NPOL * t->nm; i++) {
        cgct_err mine = {""};
        double step = 2 * 0.999 * o->bound * a->largest[i / t->nm];
        cgct_status st = cgct_inner_pack(t->nd, t->nr, t->g + i * t->nd * t->nr, step, o->level,
                                         &block[i], &mine);
        if (st == CGCT_OK) continue;
#pragma omp critical(archive_pack)
        failed = cgct_fail(err, st, "block %zu: %s", i, mine.text);
    }
    for (size_t i = 0; i < NPOL * t->nm; i++)
        a->measured[i / t->nm] = fmax(a->measured[i / t->nm], block[i].error);
    return failed;
}

static cgct_status check_bound(const archive *a, const archive_save_opts *o, cgct_err *err)
{
    for (int pol = 0; pol < NPOL; pol++)
        if (!(a->measured[pol] <= o->bound * a->largest[pol]))
            return cgct_fail(err, CGCT_E_ACCURACY,
                             "entries of %c are off by %g of the largest when read back, %g was "
                             "asked for",
                             polarisation_name[pol], a->measured[pol] / a->largest[pol], o->bound);
    return CGCT_OK;
}

static cgct_status save(archive *a, const char *path, const archive_save_opts *o, double *m,
                        cgct_inner_block *block, cgct_err *err)
{
    const inner_table *t = &a->table;
    double scalars[] = {a->x,         t->eps,    t->lam,        a->q_max, a->k_max,
                        t->ridge_cut, a->degree, a->tail_nodes, t->rank};
    static const char *const name[] = {"x",         "eps",    "lam",        "q_max", "k_max",
                                       "ridge_cut", "degree", "tail_nodes", "rank"};
    cgct_inner_head h = {.nm = t->nm, .nd = t->nd, .nr = t->nr, .bound = o->bound};
    h.text[CGCT_INNER_GENERATOR] = o->generator;
    h.text[CGCT_INNER_DIPOLE] = o->dipole;
    h.text[CGCT_INNER_BACKEND] = o->backend;
    h.text[CGCT_INNER_CARD] = o->card;
    find_largest(a);
    CGCT_TRY(pack(a, o, block, err));
    CGCT_TRY(check_bound(a, o, err));
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) add(&h, name[i], 1, &scalars[i]);
    for (size_t im = 0; im < t->nm; im++) m[im] = t->m[im];
    add(&h, "m", t->nm, m);
    add(&h, "delta", t->nd, t->delta);
    add(&h, "r", t->nr, t->r);
    add(&h, "P", a->np, a->P);
    add(&h, "tail", (size_t)a->tail_terms, a->power);
    add(&h, "origin", NPOL, t->origin);
    if (a->ridges.nk) {
        add(&h, "ridge_q", a->ridges.nq, a->ridge_q);
        add(&h, "ridge_sigma", a->ridges.nq, a->ridges.sigma);
        add(&h, "ridge_k", a->ridges.nk, a->ridges.k);
        add(&h, "ridge_F", NPOL * a->ridges.nk, a->ridges.F);
    }
    memcpy(h.largest, a->largest, sizeof h.largest);
    memcpy(h.measured, a->measured, sizeof h.measured);
    return cgct_inner_save(path, &h, block, err);
}

cgct_status archive_save(archive *a, const char *path, const archive_save_opts *o, cgct_err *err)
{
    size_t n = NPOL * a->table.nm;
    double *m = malloc(a->table.nm * sizeof *m);
    cgct_inner_block *block = calloc(n, sizeof *block);
    cgct_status st = m && block ? save(a, path, o, m, block, err)
                                : cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", path);
    for (size_t i = 0; block && i < n; i++) cgct_inner_block_free(&block[i]);
    free(block);
    free(m);
    return st;
}

/* ---- reading ---- */

static cgct_status scalar(const cgct_inner_archive *f, const char *name, double *to, cgct_err *err)
{
    const cgct_inner_array *a;
    CGCT_TRY(cgct_inner_find(f, name, 1, &a, err));
    *to = a->v[0];
    return CGCT_OK;
}

/* A rising array, copied. */
static cgct_status axis(const cgct_inner_archive *f, const char *name, size_t n, size_t *length,
                        double **to, cgct_err *err)
{
    const cgct_inner_array *a;
    CGCT_TRY(cgct_inner_find(f, name, n, &a, err));
    for (size_t i = 0; i < a->n; i++)
        if (!(a->v[i] >= 0 && (!i || a->v[i] > a->v[i - 1])))
            return cgct_fail(err, CGCT_E_FORMAT, "%s: array '%s' does not rise from 0 at %zu",
                             f->path, name, i);
    *to = malloc((a->n + 1) * sizeof **to);
    if (!*to) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for '%s'", f->path, name);
    memcpy(*to, a->v, a->n * sizeof **to);
    if (length) *length = a->n;
    return CGCT_OK;
}

static cgct_status copy(const cgct_inner_archive *f, const char *name, size_t n, double **to,
                        cgct_err *err)
{
    const cgct_inner_array *a;
    CGCT_TRY(cgct_inner_find(f, name, n, &a, err));
    *to = malloc(n * sizeof **to);
    if (!*to) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for '%s'", f->path, name);
    memcpy(*to, a->v, n * sizeof **to);
    return CGCT_OK;
}

static cgct_status read_scalars(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    double degree, nodes, rank;
    const cgct_inner_array *tail;
    CGCT_TRY(scalar(f, "x", &a->x, err));
    CGCT_TRY(scalar(f, "eps", &a->table.eps, err));
    CGCT_TRY(scalar(f, "lam", &a->table.lam, err));
    CGCT_TRY(scalar(f, "q_max", &a->q_max, err));
    CGCT_TRY(scalar(f, "k_max", &a->k_max, err));
    CGCT_TRY(scalar(f, "ridge_cut", &a->table.ridge_cut, err));
    CGCT_TRY(scalar(f, "degree", &degree, err));
    CGCT_TRY(scalar(f, "tail_nodes", &nodes, err));
    CGCT_TRY(scalar(f, "rank", &rank, err));
    CGCT_TRY(cgct_inner_find(f, "tail", 0, &tail, err));
    if (tail->n > ARCHIVE_TAIL_MAX || !(degree >= 2 && degree <= 8) ||
        !(nodes >= 1 && nodes <= 1e6) || !(rank >= 0 && rank <= 1e3))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: degree %g, %zu tail terms on %g nodes, rank %g: out of range",
                         f->path, degree, tail->n, nodes, rank);
    a->degree = (int)degree;
    a->tail_nodes = (int)nodes;
    a->table.rank = (int)rank;
    a->tail_terms = (int)tail->n;
    memcpy(a->power, tail->v, tail->n * sizeof *a->power);
    return CGCT_OK;
}

static cgct_status read_orders(inner_table *t, const cgct_inner_archive *f, cgct_err *err)
{
    const cgct_inner_array *m;
    CGCT_TRY(cgct_inner_find(f, "m", t->nm, &m, err));
    t->m = malloc(t->nm * sizeof *t->m);
    if (!t->m) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory", f->path);
    int step = t->lam == 0.5 ? 2 : 1;
    for (size_t i = 0; i < t->nm; i++) {
        if (m->v[i] != (double)(step * (int)i))
            return cgct_fail(err, CGCT_E_FORMAT, "%s: order %zu is %g, want %d", f->path, i,
                             m->v[i], step * (int)i);
        t->m[i] = (int)m->v[i];
    }
    return CGCT_OK;
}

static cgct_status read_ridges(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    if (!(a->table.ridge_cut > 0)) return CGCT_OK;
    ridge *r = &a->ridges;
    CGCT_TRY(axis(f, "ridge_q", 0, &r->nq, &a->ridge_q, err));
    CGCT_TRY(copy(f, "ridge_sigma", r->nq, &r->sigma, err));
    CGCT_TRY(axis(f, "ridge_k", 0, &r->nk, &r->k, err));
    return copy(f, "ridge_F", NPOL * r->nk, &r->F, err);
}

static cgct_status read_blocks(inner_table *t, const cgct_inner_archive *f, cgct_err *err)
{
    size_t plane = t->nd * t->nr;
    cgct_status failed = CGCT_OK;
    t->g = malloc(NPOL * t->nm * plane * sizeof *t->g);
    if (!t->g)
        return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for %zu modes x %zu x %zu nodes",
                         f->path, t->nm, t->nd, t->nr);
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

static cgct_status read_all(archive *a, const cgct_inner_archive *f, cgct_err *err)
{
    inner_table *t = &a->table;
    const cgct_inner_array *origin;
    t->nm = f->head.nm;
    t->nd = f->head.nd;
    t->nr = f->head.nr;
    memcpy(a->largest, f->head.largest, sizeof a->largest);
    memcpy(a->measured, f->head.measured, sizeof a->measured);
    CGCT_TRY(read_scalars(a, f, err));
    CGCT_TRY(read_orders(t, f, err));
    CGCT_TRY(axis(f, "delta", t->nd, NULL, &t->delta, err));
    CGCT_TRY(axis(f, "r", t->nr, NULL, &t->r, err));
    CGCT_TRY(axis(f, "P", 0, &a->np, &a->P, err));
    CGCT_TRY(cgct_inner_find(f, "origin", NPOL, &origin, err));
    memcpy(t->origin, origin->v, sizeof t->origin);
    CGCT_TRY(read_ridges(a, f, err));
    return read_blocks(t, f, err);
}

cgct_status archive_load(archive *a, const char *path, cgct_err *err)
{
    cgct_inner_archive *f;
    memset(a, 0, sizeof *a);
    CGCT_TRY(cgct_inner_open(&f, path, err));
    cgct_status st = read_all(a, f, err);
    cgct_inner_close(f);
    if (st != CGCT_OK) archive_free(a);
    return st;
}
