/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inner/archive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner/backend.h"
#include "numerics/grid.h"
#include "inner/grids.h"

/* node_point looks this much beyond the largest P for its error estimate. */
static const double REACH = 0.07;
static const double RIDGE_SPACING = 0.005; /* of q; sigma is interpolated through 10 nodes */

static cgct_status keep_grids(archive *a, const inner_grids *g, const inner_settings *c,
                              cgct_err *err)
{
    a->degree = c->hankel.degree;
    a->tail_nodes = g->tail.nfit;
    a->tail_terms = g->tail.nterm;
    memcpy(a->power, g->power, (size_t)a->tail_terms * sizeof *a->power);
    a->np = g->np;
    a->P = malloc(g->np * sizeof *a->P);
    if (!a->P) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", g->np);
    memcpy(a->P, g->P, g->np * sizeof *a->P);
    return CGCT_OK;
}

static cgct_status make_ridges(archive *a, const dipole *d, cgct_err *err)
{
    double scale = fmin(a->table.eps, sqrt(dipole_Qs2(d)));
    grid_steps steps = {scale, RIDGE_SPACING, INFINITY, INFINITY};
    size_t n;
    if (!(a->table.ridge_cut > 0)) return CGCT_OK;
    CGCT_TRY(grid_graded(&steps, a->q_max, &n, &a->ridge_q, err));
    a->ridge_q[n - 1] = a->q_max; /* as in a node, where it sets the grid of sigma */
    return ridge_init(&a->ridges, d, a->table.eps, a->table.ridge_cut, n, a->ridge_q,
                      a->k_max + a->q_max, err);
}

/* Under "auto" the processor goes on where a device fails. */
static cgct_status run_backend(archive *a, const archive_task *k, const dipole *d,
                               const inner_grids *g, cgct_err *err)
{
    const backend *b, *other;
    const char *name = k->settings->backend, *devices = k->settings->device;
    cgct_err why = {""};
    CGCT_TRY(backend_find(&b, k->builders, name, devices, err));
    CGCT_TRY(backend_makes_table(b, err));
    a->backend = b->name;
    if (backend_is_automatic(name) && backend_passed_over(b, k->builders, devices, &why) != CGCT_OK)
        memcpy(a->fallback, why.text, sizeof a->fallback);
    cgct_status st = b->run(&a->table, &g->inner, d, &why);
    other = backend_is_automatic(name) ? backend_without_device(b, k->builders) : NULL;
    if (other && backend_may_do_without(st)) {
        snprintf(a->fallback, sizeof a->fallback, "%s: %.400s", b->name, why.text);
        a->backend = other->name;
        inner_table_free(&a->table);
        st = other->run(&a->table, &g->inner, d, &why);
    }
    return st == CGCT_OK ? st : cgct_fail(err, st, "%s", why.text);
}

static cgct_status build(archive *a, const archive_task *k, const dipole *d, inner_grids *g,
                         cgct_err *err)
{
    double P = k->k_max + k->settings->lam * k->q_max;
    double reach = P + REACH * fmax(P, fmax(k->eps, sqrt(dipole_Qs2(d))));
    inner_grids_task task = {k->settings, d, k->eps, k->q_max, reach, 1};
    CGCT_TRY(inner_grids_init(g, &task, err));
    g->inner.crew = k->builders ? k->builders->crew : NULL;
    CGCT_TRY(keep_grids(a, g, k->settings, err));
    CGCT_TRY(run_backend(a, k, d, g, err));
    return make_ridges(a, d, err);
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
    cgct_status st = build(a, k, d, &g, err);
    inner_grids_free(&g);
    dipole_free(d);
    if (st != CGCT_OK) archive_free(a);
    return st;
}

void archive_free(archive *a)
{
    inner_table_free(&a->table);
    ridge_free(&a->ridges);
    free(a->ridge_q);
    free(a->P);
    memset(a, 0, sizeof *a);
}
