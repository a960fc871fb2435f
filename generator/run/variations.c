/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variations.c: singular vectors of the differences of members at the coarse nodes, in which each
 * field counts in units of what it may be off. */
#include "run/variations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/blas.h"
#include "numerics/memory.h"
#include "run/failure.h"

/* Share of the numbers that may be off by more.  Coarse nodes are noisier than their estimates say,
 * and members.checks measure what that changes: their noise is not worth basis fields. */
static const double OUTLIERS = 1e-2;

typedef struct {
    const coarse_members *coarse;
    size_t members, nodes, fields, points; /* members but the first; sizes of a coarse node */
    double *first, *first_error;           /* (fields), (points): of the first member at a node */
    double *d, *error;                     /* (members, fields), (members, points): of the others */
    double *weight;                        /* (points): of a node, one over what may be off */
    double *gram;                          /* (members, members): products of differences */
    double *vector, *singular;             /* (members, members) by rows, (members) */
    size_t *above;   /* (members + 1): numbers that so many variations leave too far off */
    void *arrays;    /* holds all of these */
    size_t n;        /* P */
    double *E, *off; /* (nodes, P, fields), (nodes, P, points): variations and their errors */
} variation_search;

/* ---- a node ---- */

static double scale_of(const variation_search *s, double error)
{
    return segment_scale(s->coarse->source->job->coarse.bound, error);
}

/* The differences of all members, and the geometric mean of their scales. */
static cgct_status read_node(variation_search *s, size_t node, cgct_err *err)
{
    const segment_source *source = s->coarse->source;
    first_failure failure = {0};
    CGCT_TRY(coarse_read(source, 0, node, s->first, s->first_error, err));
#pragma omp parallel for schedule(dynamic)
    for (size_t j = 0; j < s->members; j++) {
        cgct_err mine;
        const cgct_status st =
            coarse_difference(source, j + 1, node, s->first, s->first_error, s->d + j * s->fields,
                              s->error + j * s->points, &mine);
        failure_keep(&failure, j, st, &mine);
    }
    CGCT_TRY(failure_tell(&failure, err));
#pragma omp parallel for
    for (size_t i = 0; i < s->points; i++) {
        double sum = 0;
        for (size_t j = 0; j < s->members; j++)
            sum += log(scale_of(s, s->error[j * s->points + i]));
        s->weight[i] = exp(-sum / (double)s->members);
    }
    return CGCT_OK;
}

/* Fields (NPOL, nm, points of a plane) by planes: the points of plane p are those from here on. */
static size_t points_of_plane(const variation_search *s, size_t p)
{
    return p / s->coarse->source->shape.nm * (s->points / NPOL);
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
    const size_t plane = s->points / NPOL, planes = s->fields / plane;
    for (size_t node = 0; node < s->nodes; node++) {
        CGCT_TRY(read_node(s, node, err));
#pragma omp parallel for
        for (size_t j = 0; j < s->members; j++)
            for (size_t p = 0; p < planes; p++) {
                const double *w = s->weight + points_of_plane(s, p);
                double *d = s->d + j * s->fields + p * plane;
                for (size_t i = 0; i < plane; i++) d[i] *= w[i];
            }
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, n, 1, s->d, n, s->d, n, 1,
                    s->gram, m);
    }
    int info = 0;
    double unused, *work = memory_new((size_t)room, sizeof *work);
    dgesvd_("A", "N", &m, &m, s->gram, &m, s->singular, s->vector, &m, &unused, &one, work, &room,
            &info, 1, 1);
    free(work);
    return info ? cgct_fail(err, CGCT_E_ACCURACY, "differences of %d members: LAPACK says %d", m,
                            info)
                : CGCT_OK;
}

/* ---- how many are needed ---- */

/* Takes the variations E (members, fields) off member j one after the other.  above (members): how
 * many numbers are too far off before each of them; most: (points), scratch. */
static void count_member(const variation_search *s, size_t j, const double *E, double *most,
                         size_t *above)
{
    const double allowed = segment_reduction(&s->coarse->source->job->coarse);
    const size_t plane = s->points / NPOL, planes = s->fields / plane;
    double *all = s->d + j * s->fields;
    for (size_t i = 0; i < s->points; i++)
        most[i] = allowed * scale_of(s, s->error[j * s->points + i]);
    for (size_t p = 0; p < s->members; p++) {
        const double taken = s->vector[p * s->members + j], *e = E + p * s->fields;
        size_t off = 0;
        for (size_t l = 0; l < planes; l++) {
            const double *m = most + points_of_plane(s, l);
            double *d = all + l * plane;
            for (size_t i = 0; i < plane; i++) {
                off += fabs(d[i]) > m[i];
                d[i] -= taken * e[l * plane + i];
            }
        }
        above[p] += off;
    }
}

static cgct_status count_node(variation_search *s, size_t node, cgct_err *err)
{
    const size_t n = s->members;
    size_t *above = s->above;
    CGCT_TRY(read_node(s, node, err));
    double *E = memory_new(n * (s->fields + s->points), sizeof *E), *most = E + n * s->fields;
    combine(s, n, E);
#pragma omp parallel for schedule(dynamic) reduction(+ : above[:n])
    for (size_t j = 0; j < n; j++) count_member(s, j, E, most + j * s->points, above);
    free(E);
    return CGCT_OK;
}

static cgct_status make_nodes(variation_search *s, cgct_err *err)
{
    const size_t P = s->n;
    s->E = memory_new(s->nodes * P * (s->fields + s->points), sizeof *s->E);
    s->off = s->E + s->nodes * P * s->fields;
    for (size_t node = 0; node < s->nodes; node++) {
        CGCT_TRY(read_node(s, node, err));
        combine(s, P, s->E + node * P * s->fields);
#pragma omp parallel for
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
    (void)err;
    coarse_refine(s->coarse, s->E + at * s->fields, s->off + at * s->points, value, scale);
    return CGCT_OK;
}

/* ---- what they are off from the differences ---- */

/* Of one in so many members at each node, others at the next node; of one at least. */
enum { MEASURED_OF = 4 };

/* Raises the node's blocks by what changes where the variations stand for the difference of a
 * member, 0 for the second one.  At the momenta of the table: first (fields) of the first member,
 * E (P, fields). */
static void measure_member(const variation_search *s, const variations *v, size_t member,
                           const double *first, const double *E, double *block)
{
    const bounds_shape *shape = &s->coarse->source->shape;
    const size_t blocks = bounds_blocks(shape);
    const size_t points = NPOL * shape->grid->nq * (shape->grid->nl + shape->grid->nu);
    const size_t n = shape->nm * points;
    double *value = memory_new(2 * n + points + blocks, sizeof *value);
    double *stored = value + n, *change = stored + n, *own = change + points;
    /* the scales, which are not needed, give way to what is stored */
    coarse_refine(s->coarse, s->d + member * s->fields, s->error + member * s->points, value,
                  stored);
    memcpy(stored, first, n * sizeof *stored);
    memset(own, 0, blocks * sizeof *own);
    for (size_t p = 0; p < s->n; p++)
        cblas_daxpy((int)n, v->mix[member * s->n + p], E + p * n, 1, stored, 1);
    cblas_daxpy((int)n, 1, first, 1, value, 1);
    bounds_change(shape, value, stored, change);
    bounds_raise(shape, change, own);
#pragma omp critical(variations_measure)
    for (size_t b = 0; b < blocks; b++)
        if (!(own[b] <= block[b])) block[b] = own[b]; /* NaN counts, too */
    free(value);
}

/* One plane of all variations of a node as the basis has them, to E (P, fields). */
static void combine_plane(const variation_search *s, const basis *b, size_t node, size_t plane,
                          double *E)
{
    const bounds_shape *shape = &s->coarse->source->shape;
    const size_t points = shape->grid->nq * (shape->grid->nl + shape->grid->nu), P = s->n;
    double *U = memory_new(P * b->R + (P + b->R) * points, sizeof *U), *out = U + P * b->R;
    for (size_t p = 0; p < P; p++)
        memcpy(U + p * b->R, b->U + (p * s->nodes + node) * b->R, b->R * sizeof *U);
    basis_combine(b, points, plane * points, points, P, U, out);
    for (size_t p = 0; p < P; p++)
        memcpy(E + (p * NPOL * shape->nm + plane) * points, out + p * points, points * sizeof *out);
    free(U);
}

static cgct_status measure_stored_node(variation_search *s, const variations *v, const basis *b,
                                       size_t node, double *first, double *E, cgct_err *err)
{
    double *block = v->stored + node * bounds_blocks(&s->coarse->source->shape);
    const size_t step = s->members < MEASURED_OF ? s->members : MEASURED_OF;
    CGCT_TRY(read_node(s, node, err));
    /* E is room for the scales, which are not needed */
    coarse_refine(s->coarse, s->first, s->first_error, first, E);
#pragma omp parallel for
    for (size_t i = 0; i < NPOL * s->coarse->source->shape.nm; i++) combine_plane(s, b, node, i, E);
#pragma omp parallel for schedule(dynamic)
    for (size_t j = node % step; j < s->members; j += step)
        measure_member(s, v, j, first, E, block);
    return CGCT_OK;
}

static cgct_status measure_stored(variation_search *s, variations *v, const basis *b, cgct_err *err)
{
    const bounds_shape *shape = &s->coarse->source->shape;
    const node_grid *g = shape->grid;
    const size_t n = NPOL * shape->nm * g->nq * (g->nl + g->nu);
    v->stored = memory_zeros(s->nodes * bounds_blocks(shape), sizeof *v->stored);
    double *room = memory_new((1 + s->n) * n, sizeof *room);
    cgct_status st = CGCT_OK;
    for (size_t node = 0; node < s->nodes && st == CGCT_OK; node++)
        st = measure_stored_node(s, v, b, node, room, room + n, err);
    free(room);
    return st;
}

/* ---- entry ---- */

static cgct_status make_all(variation_search *s, variations *v, basis *E, cgct_err *err)
{
    const segment_source *source = s->coarse->source;
    const size_t n = s->members;
    const array_part part[] = {
        ARRAY_PART(s->first, s->fields),  ARRAY_PART(s->first_error, s->points),
        ARRAY_PART(s->d, n * s->fields),  ARRAY_PART(s->error, n * s->points),
        ARRAY_PART(s->weight, s->points), ARRAY_PART(s->gram, n * n),
        ARRAY_PART(s->vector, n * n),     ARRAY_PART(s->singular, n),
        ARRAY_PART(s->above, n + 1)};
    s->arrays = ARRAYS(part);
    CGCT_TRY(find_mix(s, err));
    for (size_t i = 0; i < s->nodes; i++) CGCT_TRY(count_node(s, i, err));
    const double all = (double)(n * s->nodes * s->fields);
    for (s->n = 1; s->n < n && (double)s->above[s->n] > OUTLIERS * all;) s->n++;
    CGCT_TRY(make_nodes(s, err));
    v->n = s->n;
    v->mix = memory_new(s->members * v->n, sizeof *v->mix);
    for (size_t j = 0; j < s->members; j++)
        for (size_t p = 0; p < v->n; p++) v->mix[j * v->n + p] = s->vector[p * s->members + j];
    basis_task task = segment_task(source, &source->job->coarse, s->n * s->nodes);
    task.outliers = OUTLIERS;
    task.reduce = 1;
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
    free(s.arrays);
    free(s.E);
    return st;
}

void variations_free(variations *v)
{
    free(v->mix);
    free(v->stored);
    *v = (variations){0};
}
