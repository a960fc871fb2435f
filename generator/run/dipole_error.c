/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_error.c: changed nodes beside the nodes as they are, and the bounds of all nodes from
 * those around. */
#include "run/dipole_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"

typedef struct {
    const segment_source *source;
    size_t points, blocks;            /* of both polarisations; of one node */
    double *value, *changed, *d;      /* fields of a node, and of a changed one; its change */
    double *error, *unused;           /* (points): the node's own bound; the changed one's */
    double *block;                    /* (full members, places in x, in eps, blocks) */
    double *share, *resolved;         /* of all points of all places */
    void *arrays;                     /* holds all of them */
    size_t nshare, nresolved, places; /* how many of each there are so far */
} dipole_error_work;

static void work_init(dipole_error_work *w, const segment_source *s)
{
    const node_grid *g = s->shape.grid;
    const size_t points = NPOL * g->nq * (g->nl + g->nu), fields = s->shape.nm * points;
    const size_t places = s->job->nfull * s->job->place_x.n * s->job->place_eps.n;
    const size_t blocks = bounds_blocks(&s->shape), all = places * points;
    *w = (dipole_error_work){.source = s, .points = points, .blocks = blocks};
    const array_part part[] = {ARRAY_PART(w->value, fields),  ARRAY_PART(w->changed, fields),
                               ARRAY_PART(w->d, points),      ARRAY_PART(w->error, points),
                               ARRAY_PART(w->unused, points), ARRAY_PART(w->block, places * blocks),
                               ARRAY_PART(w->share, all),     ARRAY_PART(w->resolved, all)};
    w->arrays = ARRAYS(part);
}

/* Where the member has changes: the blocks of one place, and its points among the shares, where
 * their squares are summed before. */
static cgct_status measure_place(dipole_error_work *w, size_t member, size_t px, size_t pe,
                                 cgct_err *err)
{
    const segment_source *s = w->source;
    const run_job *j = s->job;
    double *sum = w->share + w->nshare;
    int any = 0;
    const size_t item = segment_item(s, member, j->place_x.at[px], j->place_eps.at[pe]);
    CGCT_TRY(segment_read(s, item, w->value, w->error, err));
    memset(sum, 0, w->points * sizeof *sum);
    for (size_t c = 0; c < j->nchange; c++) {
        if (j->change[c].member != member) continue;
        const size_t changed = run_job_changed_item(j, c, px, pe);
        any = 1;
        CGCT_TRY(segment_read(s, changed, w->changed, w->unused, err));
        bounds_change(&s->shape, w->value, w->changed, w->d);
        for (size_t i = 0; i < w->points; i++) sum[i] += pow(j->change[c].weight * w->d[i], 2);
    }
    if (!any) return CGCT_OK;
    for (size_t i = 0; i < w->points; i++) {
        sum[i] = sqrt(sum[i]);
        if (w->error[i] <= CHECKS_RESOLUTION) w->resolved[w->nresolved++] = sum[i];
    }
    const size_t at = (member * j->place_x.n + px) * j->place_eps.n + pe;
    bounds_raise(&s->shape, sum, w->block + at * w->blocks);
    w->nshare += w->points;
    w->places++;
    return CGCT_OK;
}

/* A smaller change counts as this. */
static const double LEAST_CHANGE = 1e-12;

/* Along x, where changes grow by decades, the logarithm is linear, and the change at most twice as
 * large and no larger than at both places; along eps the larger of two places counts. */
static void add_around(const dipole_error_work *w, size_t member, size_t ix, size_t ieps,
                       double *known)
{
    const run_job *j = w->source->job;
    const grid_axis *a = &j->settings->x;
    size_t x[2], eps[2];
    double u[2], share = 0;
    run_places_around(&j->place_x, ix, x);
    run_places_around(&j->place_eps, ieps, eps);
    for (int i = 0; i < 2; i++) u[i] = grid_variable(a->from, a->v[j->place_x.at[x[i]]]);
    if (x[1] > x[0]) share = (grid_variable(a->from, a->v[ix]) - u[0]) / (u[1] - u[0]);
    for (size_t b = 0; b < w->blocks; b++) {
        double most = 0;
        for (int i = 0; i < 2; i++) {
            double v[2];
            for (int k = 0; k < 2; k++) {
                const size_t at = (member * j->place_x.n + x[k]) * j->place_eps.n + eps[i];
                v[k] = w->block[at * w->blocks + b];
                if (v[k] < LEAST_CHANGE) v[k] = LEAST_CHANGE;
            }
            const double twice = 2 * pow(v[0], 1 - share) * pow(v[1], share);
            const double larger = fmax(v[0], v[1]), c = twice > larger ? larger : twice;
            if (!(c <= most)) most = c; /* NaN counts, too */
        }
        known[b] += most;
    }
}

cgct_status dipole_error_add(const segment_source *s, double *known, dipole_error_summary *summary,
                             cgct_err *err)
{
    dipole_error_work w;
    const run_job *j = s->job;
    const size_t px = j->place_x.n, pe = j->place_eps.n;
    *summary = (dipole_error_summary){.places = 0};
    if (!j->nchange) return CGCT_OK;
    cgct_status st = CGCT_OK;
    work_init(&w, s);
    for (size_t i = 0; i < j->nfull * px * pe && st == CGCT_OK; i++)
        st = measure_place(&w, i / pe / px, i / pe % px, i % pe, err);
    for (size_t i = 0; i < j->nfull * s->nx * s->neps && st == CGCT_OK; i++)
        add_around(&w, i / s->neps / s->nx, i / s->neps % s->nx, i % s->neps, known + i * w.blocks);
    if (st == CGCT_OK)
        *summary = (dipole_error_summary){w.places, run_quantiles_of(w.nshare, w.share),
                                          run_quantiles_of(w.nresolved, w.resolved)};
    free(w.arrays);
    return st;
}
