/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variations.c: singular vectors of the differences of members at the coarse nodes, in which each
 * field counts in units of what it may be off. */
#include "run/variations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"

/* Share of the numbers that may be off by more.  Coarse nodes are noisier than their estimates say,
 * and members.checks measure what that changes: their noise is not worth basis fields. */
static const double OUTLIERS = 1e-2;

typedef struct {
    const coarse_members *coarse;
    size_t members, nodes, fields, points; /* members but the first; sizes of a coarse node */
    double *d, *error;                     /* (members, fields), (members, points): of a node */
    double *weight;                        /* (points): of a node, one over what may be off */
    double *gram;                          /* (members, members): products of differences */
    double *vector, *singular;             /* (members, members) by rows, (members) */
    size_t *above;   /* (members + 1): numbers that so many variations leave too far off */
    size_t n;        /* P */
    double *E, *off; /* (nodes, P, fields), (nodes, P, points): variations and their errors */
} variation_search;

/* ---- a node ---- */

static double scale_of(const variation_search *s, double error)
{
    return segment_scale(s->coarse->source->job->coarse.bound, error);
}

static size_t point_of(const variation_search *s, size_t field)
{
    const size_t each = s->points / NPOL;
    return field / (s->fields / NPOL) * each + field % each;
}

/* The differences of all members, and the geometric mean of their scales. */
static cgct_status read_node(variation_search *s, size_t node, cgct_err *err)
{
    for (size_t j = 0; j < s->members; j++)
        CGCT_TRY(coarse_read(s->coarse, j + 1, node, s->d + j * s->fields, s->error + j * s->points,
                             err));
    for (size_t i = 0; i < s->points; i++) {
        double sum = 0;
        for (size_t j = 0; j < s->members; j++)
            sum += log(scale_of(s, s->error[j * s->points + i]));
        s->weight[i] = exp(-sum / (double)s->members);
    }
    return CGCT_OK;
}

/* to (count, fields): combinations of the differences with the first vectors. */
static void combine(const variation_search *s, size_t count, double *to)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)count, (int)s->fields,
                (int)s->members, 1, s->vector, (int)s->members, s->d, (int)s->fields, 0, to,
                (int)s->fields);
}

/* ---- singular vectors ---- */

static cgct_status find_mix(variation_search *s, cgct_err *err)
{
    const int m = (int)s->members, n = (int)s->fields, one = 1, room = 64 * m;
    for (size_t node = 0; node < s->nodes; node++) {
        CGCT_TRY(read_node(s, node, err));
        for (size_t i = 0; i < s->members * s->fields; i++)
            s->d[i] *= s->weight[point_of(s, i % s->fields)];
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, n, 1, s->d, n, s->d, n, 1,
                    s->gram, m);
    }
    int info = 0;
    double unused, *work = malloc((size_t)room * sizeof *work);
    if (!work) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %d members", m);
    dgesvd_("A", "N", &m, &m, s->gram, &m, s->singular, s->vector, &m, &unused, &one, work, &room,
            &info, 1, 1);
    free(work);
    return info ? cgct_fail(err, CGCT_E_ACCURACY, "differences of %d members: LAPACK says %d", m,
                            info)
                : CGCT_OK;
}

/* ---- how many are needed ---- */

/* Takes the variations off one after the other. */
static cgct_status count_node(variation_search *s, size_t node, double *E, cgct_err *err)
{
    const double allowed = segment_reduction(&s->coarse->source->job->coarse);
    CGCT_TRY(read_node(s, node, err));
    combine(s, s->members, E);
    for (size_t p = 0; p < s->members; p++)
        for (size_t j = 0; j < s->members; j++) {
            for (size_t i = 0; i < s->fields; i++)
                s->above[p] += fabs(s->d[j * s->fields + i]) >
                               allowed * scale_of(s, s->error[j * s->points + point_of(s, i)]);
            cblas_daxpy((int)s->fields, -s->vector[p * s->members + j], E + p * s->fields, 1,
                        s->d + j * s->fields, 1);
        }
    return CGCT_OK;
}

static cgct_status make_nodes(variation_search *s, cgct_err *err)
{
    const size_t P = s->n;
    s->E = malloc(s->nodes * P * (s->fields + s->points) * sizeof *s->E);
    if (!s->E) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu variations", P);
    s->off = s->E + s->nodes * P * s->fields;
    for (size_t node = 0; node < s->nodes; node++) {
        CGCT_TRY(read_node(s, node, err));
        combine(s, P, s->E + node * P * s->fields);
        for (size_t p = 0; p < P; p++)
            for (size_t i = 0; i < s->points; i++) {
                double sum = 0;
                for (size_t j = 0; j < s->members; j++)
                    sum += pow(s->vector[p * s->members + j] * s->error[j * s->points + i], 2);
                s->off[(node * P + p) * s->points + i] = sqrt(sum);
            }
    }
    return CGCT_OK;
}

/* ---- their basis ---- */

/* Row (p, node), at the momenta of the table. */
static cgct_status read_variation(void *self, size_t i, double *value, double *scale, cgct_err *err)
{
    const variation_search *s = self;
    const size_t at = i % s->nodes * s->n + i / s->nodes;
    return coarse_refine(s->coarse, s->E + at * s->fields, s->off + at * s->points, value, scale,
                         err);
}

/* ---- what they are off from the differences ---- */

/* Of this share of the members at each node, which changes from node to node. */
enum { MEASURED_OF = 4 };

/* Scratch at the momenta of the table, (fields) each: the first member, with a difference, with
 * what stands for it, scales that nobody needs; P variations; and c at the points. */
typedef struct {
    double *first, *value, *stored, *unused, *E, *c;
} stored_work;

static cgct_status measure_member(variation_search *s, const variations *v, size_t node,
                                  size_t member, const stored_work *w, double *blocks,
                                  cgct_err *err)
{
    const bounds_shape *shape = &s->coarse->source->shape;
    const size_t n = NPOL * shape->nm * shape->grid->nq * (shape->grid->nl + shape->grid->nu);
    CGCT_TRY(coarse_refine(s->coarse, s->d + member * s->fields, s->error + member * s->points,
                           w->value, w->unused, err));
    memcpy(w->stored, w->first, n * sizeof *w->stored);
    for (size_t p = 0; p < s->n; p++)
        cblas_daxpy((int)n, v->mix[member * s->n + p], w->E + p * n, 1, w->stored, 1);
    cblas_daxpy((int)n, 1, w->first, 1, w->value, 1);
    bounds_change(shape, w->value, w->stored, w->c);
    bounds_raise(shape, w->c, blocks + node * bounds_blocks(shape));
    return CGCT_OK;
}

static cgct_status measure_stored(variation_search *s, variations *v, const basis *b, cgct_err *err)
{
    const bounds_shape *shape = &s->coarse->source->shape;
    const size_t plane = shape->grid->nq * (shape->grid->nl + shape->grid->nu);
    const size_t planes = NPOL * shape->nm, n = planes * plane, P = s->n;
    v->stored = calloc(s->nodes * bounds_blocks(shape), sizeof *v->stored);
    double *room = malloc(((4 + P) * n + (P + 2 * b->R) * plane + P * b->R) * sizeof *room);
    cgct_status st = v->stored && room
                         ? CGCT_OK
                         : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu variations", P);
    double *U = room + (4 + P) * n, *out = U + P * b->R; /* (P, R); (P, plane) and room */
    const stored_work w = {room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, out};
    for (size_t node = 0; node < s->nodes && st == CGCT_OK; node++) {
        st = read_node(s, node, err);
        if (st == CGCT_OK)
            st = coarse_refine(s->coarse, s->coarse->first, s->coarse->error, w.first, w.unused,
                               err);
        for (size_t p = 0; p < P && st == CGCT_OK; p++)
            memcpy(U + p * b->R, b->U + (p * s->nodes + node) * b->R, b->R * sizeof *U);
        for (size_t m = 0; m < planes && st == CGCT_OK; m++) {
            basis_combine(b, plane, m * plane, plane, P, U, out);
            for (size_t p = 0; p < P; p++)
                memcpy(w.E + p * n + m * plane, out + p * plane, plane * sizeof *out);
        }
        for (size_t j = node % MEASURED_OF; j < s->members && st == CGCT_OK; j += MEASURED_OF)
            st = measure_member(s, v, node, j, &w, v->stored, err);
    }
    free(room);
    return st;
}

/* ---- entry ---- */

static cgct_status make_all(variation_search *s, variations *v, basis *E, cgct_err *err)
{
    const segment_source *source = s->coarse->source;
    const size_t n = s->members;
    s->d = malloc((n * (s->fields + s->points) + s->points) * sizeof *s->d);
    s->gram = calloc(2 * n * n + n, sizeof *s->gram);
    s->above = calloc(n + 1, sizeof *s->above);
    double *products = malloc(n * s->fields * sizeof *products);
    cgct_status st =
        s->d && s->gram && s->above && products
            ? CGCT_OK
            : cgct_fail(err, CGCT_E_NOMEM, "no memory for differences of %zu members", n);
    s->error = s->d + n * s->fields;
    s->weight = s->error + n * s->points;
    s->vector = s->gram + n * n;
    s->singular = s->vector + n * n;
    if (st == CGCT_OK) st = find_mix(s, err);
    for (size_t i = 0; i < s->nodes && st == CGCT_OK; i++) st = count_node(s, i, products, err);
    free(products);
    if (st != CGCT_OK) return st;
    const double all = (double)(n * s->nodes * s->fields);
    for (s->n = 1; s->n < n && (double)s->above[s->n] > OUTLIERS * all;) s->n++;
    CGCT_TRY(make_nodes(s, err));
    v->n = s->n;
    v->mix = malloc(s->members * v->n * sizeof *v->mix);
    if (!v->mix) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu members", s->members);
    for (size_t j = 0; j < s->members; j++)
        for (size_t p = 0; p < v->n; p++) v->mix[j * v->n + p] = s->vector[p * s->members + j];
    basis_task task = segment_task(source, &source->job->coarse, s->n * s->nodes);
    task.outliers = OUTLIERS;
    task.self = s;
    task.read = read_variation;
    CGCT_TRY(basis_make(&task, E, err));
    CGCT_TRY(measure_stored(s, v, E, err));
    return segment_encode(source, E, err);
}

cgct_status variations_make(const coarse_members *c, variations *v, basis *E, cgct_err *err)
{
    const run_job *j = c->source->job;
    const node_grid *g = &j->coarse_grid;
    variation_search s = {.coarse = c,
                          .members = j->nmember - 1,
                          .nodes = c->nx * c->neps,
                          .points = NPOL * g->nq * (g->nl + g->nu)};
    s.fields = s.points * c->source->shape.nm;
    *v = (variations){0};
    cgct_status st = make_all(&s, v, E, err);
    free(s.d);
    free(s.gram);
    free(s.above);
    free(s.E);
    return st;
}

void variations_free(variations *v)
{
    free(v->mix);
    free(v->stored);
    *v = (variations){0};
}
