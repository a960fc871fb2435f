/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variations.c: singular vectors of the differences of members, in the norm of the rms over all
 * points of the root of the summed squares of l and r_m, each in units of what it may be off. */
#include "run/variations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"

/* The largest difference at any point, in units of the rms. */
static const double DEVIATIONS = 5;

typedef struct {
    const coarse_members *coarse;
    size_t segments, each, members, nodes; /* rows of the first; other members; coarse nodes */
    basis *b;                              /* (segments) */
    double **norm;                         /* (segments), (R, R): squares of differences in U */
    double *weight;                        /* (planes, points): one over what a field may be off */
    double *gram;                          /* (members, members) */
    double *vector, *singular;             /* (members, members) by rows, (members) */
} variation_search;

static size_t field_planes(const variation_search *s)
{
    return NPOL * s->coarse->source->shape.nm;
}

static size_t field_points(const variation_search *s)
{
    const node_grid *g = &s->coarse->source->job->grid;
    return g->nq * (g->nl + g->nu);
}

/* ---- the norm ---- */

/* The geometric mean over the coarse nodes of the first other member. */
static cgct_status weigh_fields(variation_search *s, cgct_err *err)
{
    const size_t points = field_points(s), n = field_planes(s) * points;
    const double bound = s->coarse->source->job->settings->bound;
    double *value = malloc((n + NPOL * points) * sizeof *value);
    if (!value) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a coarse node");
    double *error = value + n;
    memset(s->weight, 0, n * sizeof *s->weight);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < s->nodes && st == CGCT_OK; i++) {
        st = coarse_row(s->coarse, i, value, error, err);
        for (size_t c = 0; c < n && st == CGCT_OK; c++) {
            const double e = error[c / (n / NPOL) * points + c % points];
            s->weight[c] -= log(fmax(1, fmin(e, 1) / bound)) / (double)s->nodes;
        }
    }
    for (size_t c = 0; c < n; c++) s->weight[c] = exp(s->weight[c]);
    free(value);
    return st;
}

/* norm (R, R) of one basis: the mean over points and polarisations of step^2 V V^T. */
static cgct_status find_norm(const variation_search *s, const basis *b, double *norm, cgct_err *err)
{
    const size_t points = field_points(s), R = b->R;
    const double scale = b->step * b->step / (double)(NPOL * points);
    double *row = malloc(R * points * sizeof *row);
    if (!row) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu basis fields", R);
    for (size_t m = 0; m < field_planes(s); m++) {
        for (size_t i = 0; i < R * points; i++)
            row[i] = b->V[m * R * points + i] * s->weight[m * points + i % points];
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)R, (int)R, (int)points, scale,
                    row, (int)points, row, (int)points, 1, norm, (int)R);
    }
    free(row);
    return CGCT_OK;
}

/* a^T norm b */
static double product(size_t R, const double *norm, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < R; i++)
        for (size_t j = 0; j < R; j++) sum += a[i] * norm[i * R + j] * b[j];
    return sum;
}

static double *row_of(const variation_search *s, size_t segment, size_t member, size_t node)
{
    const basis *b = &s->b[segment];
    return b->U + (s->each + member * s->nodes + node) * b->R;
}

/* ---- singular vectors ---- */

/* Adds the products of all pairs of members in one segment, D norm D^T, summed over nodes. */
static cgct_status add_products(const variation_search *s, size_t segment, cgct_err *err)
{
    const int n = (int)s->members, R = (int)s->b[segment].R, row = (int)s->nodes * R;
    const double *D = row_of(s, segment, 0, 0);
    double *turned = malloc(s->members * (size_t)row * sizeof *turned);
    if (!turned) return cgct_fail(err, CGCT_E_NOMEM, "no memory for differences");
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n * (int)s->nodes, R, R, 1, D, R,
                s->norm[segment], R, 0, turned, R);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, row, 1, D, row, turned, row, 1,
                s->gram, n);
    free(turned);
    return CGCT_OK;
}

static cgct_status find_mix(variation_search *s, cgct_err *err)
{
    const size_t n = s->members;
    for (size_t g = 0; g < s->segments; g++) CGCT_TRY(add_products(s, g, err));
    const int m = (int)n, one = 1, room = 64 * m;
    int info = 0;
    double unused, *work = malloc((size_t)room * sizeof *work);
    if (!work) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu members", n);
    dgesvd_("A", "N", &m, &m, s->gram, &m, s->singular, s->vector, &m, &unused, &one, work, &room,
            &info, 1, 1);
    free(work);
    return info ? cgct_fail(err, CGCT_E_ACCURACY, "differences of %zu members: LAPACK says %d", n,
                            info)
                : CGCT_OK;
}

/* E[p] of one segment and node, from what is left of D, which loses it. */
static void take_off(const variation_search *s, size_t segment, size_t p, size_t node, double *E)
{
    const size_t R = s->b[segment].R;
    const double *mix = s->vector + p * s->members;
    memset(E, 0, R * sizeof *E);
    for (size_t j = 0; j < s->members; j++) {
        const double *row = row_of(s, segment, j, node);
        for (size_t r = 0; r < R; r++) E[r] += mix[j] * row[r];
    }
    for (size_t j = 0; j < s->members; j++) {
        double *row = row_of(s, segment, j, node);
        for (size_t r = 0; r < R; r++) row[r] -= mix[j] * E[r];
    }
}

/* The largest norm of what is left. */
static double largest_rest(const variation_search *s)
{
    double most = 0;
    for (size_t g = 0; g < s->segments; g++)
        for (size_t i = 0; i < s->members * s->nodes; i++) {
            const double *row = row_of(s, g, i / s->nodes, i % s->nodes);
            most = fmax(most, product(s->b[g].R, s->norm[g], row, row));
        }
    return sqrt(fmax(most, 0));
}

/* E in place of D; *n of them. */
static cgct_status keep_vectors(variation_search *s, double allowed, size_t *n, cgct_err *err)
{
    double **E = calloc(s->segments, sizeof *E);
    cgct_status st = E ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for differences");
    for (size_t g = 0; g < s->segments && st == CGCT_OK; g++)
        if (!(E[g] = malloc(s->members * s->nodes * s->b[g].R * sizeof **E)))
            st = cgct_fail(err, CGCT_E_NOMEM, "no memory for differences of %zu members",
                           s->members);
    for (*n = 0; st == CGCT_OK && *n < s->members; ++*n) {
        if (*n && DEVIATIONS * largest_rest(s) <= allowed) break;
        for (size_t g = 0; g < s->segments; g++)
            for (size_t i = 0; i < s->nodes; i++)
                take_off(s, g, *n, i, E[g] + (*n * s->nodes + i) * s->b[g].R);
    }
    for (size_t g = 0; g < s->segments && st == CGCT_OK; g++)
        memcpy(row_of(s, g, 0, 0), E[g], *n * s->nodes * s->b[g].R * sizeof **E);
    for (size_t g = 0; E && g < s->segments; g++) free(E[g]);
    free(E);
    return st;
}

/* ---- entry ---- */

static cgct_status allocate_search(variation_search *s, cgct_err *err)
{
    const size_t n = s->members;
    s->weight = malloc(field_planes(s) * field_points(s) * sizeof *s->weight);
    s->gram = calloc(2 * n * n + n, sizeof *s->gram);
    s->norm = calloc(s->segments, sizeof *s->norm);
    if (!s->weight || !s->gram || !s->norm)
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for differences of %zu members", n);
    s->vector = s->gram + n * n;
    s->singular = s->vector + n * n;
    for (size_t g = 0; g < s->segments; g++)
        if (!(s->norm[g] = calloc(s->b[g].R * s->b[g].R, sizeof **s->norm)))
            return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu basis fields", s->b[g].R);
    return CGCT_OK;
}

static cgct_status make_variations(variation_search *s, variations *v, cgct_err *err)
{
    const run_settings *c = s->coarse->source->job->settings;
    CGCT_TRY(allocate_search(s, err));
    CGCT_TRY(weigh_fields(s, err));
    for (size_t g = 0; g < s->segments; g++) CGCT_TRY(find_norm(s, &s->b[g], s->norm[g], err));
    CGCT_TRY(find_mix(s, err));
    CGCT_TRY(keep_vectors(s, segment_reduction(c), &v->n, err));
    v->mix = malloc(s->members * v->n * sizeof *v->mix);
    if (!v->mix) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu members", s->members);
    for (size_t j = 0; j < s->members; j++)
        for (size_t p = 0; p < v->n; p++) v->mix[j * v->n + p] = s->vector[p * s->members + j];
    return CGCT_OK;
}

cgct_status variations_make(const coarse_members *c, size_t segments, size_t each, basis *b,
                            variations *v, cgct_err *err)
{
    variation_search s = {.coarse = c,
                          .segments = segments,
                          .each = each,
                          .members = c->source->job->nmember - 1,
                          .nodes = c->nx * c->neps,
                          .b = b};
    *v = (variations){0};
    /* sums of BLAS depend on how many threads share them */
    blas_single_threaded();
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    cgct_status st = make_variations(&s, v, err);
    omp_set_num_threads(threads);
    for (size_t g = 0; s.norm && g < segments; g++) free(s.norm[g]);
    free(s.norm);
    free(s.weight);
    free(s.gram);
    return st;
}

void variations_free(variations *v)
{
    free(v->mix);
    *v = (variations){0};
}
