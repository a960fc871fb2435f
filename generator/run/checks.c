/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checks.c: random points of a table, computed directly and compared with what it gives. */
#include "run/checks.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "numerics/grid.h"
#include "numerics/memory.h"
#include "reader/cgctab.h"
#include "run/failure.h"

/* ---- computation: points at random places of the table ---- */

enum { MOMENTA = 12, POINTS_EACH = 100, POINTS = MOMENTA * POINTS_EACH }; /* q; points at each */
enum { DRAWS = 2 + MOMENTA + 2 * POINTS };                                /* random numbers */
enum { POINT_BYTES = sizeof(check_point), NUMBERS = POINT_BYTES / 8 };

/* Splitmix64: Steele, Lea and Flood, OOPSLA 2014. */
static const uint64_t GOLDEN = UINT64_C(0x9e3779b97f4a7c15);
static double random_uniform(uint64_t *state)
{
    uint64_t z = (*state += GOLDEN);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* The least k1 of a check, in units of k0: below it I hardly depends on k1. */
static const double LEAST_K1 = 0.1;

static double random_on_axis(const grid_axis *a, uint64_t *state)
{
    return a->v[0] * pow(a->v[a->n - 1] / a->v[0], random_uniform(state));
}

static cgct_status compute_check_points(const node_task *k, size_t member, uint64_t *random,
                                        double k0, uint8_t *record, cgct_err *err)
{
    node_tables *n;
    CGCT_TRY(node_compute(k, &n, NULL, NULL, err));
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < POINTS && st == CGCT_OK; i++) {
        double k1 = k->k_max * pow(fmin(LEAST_K1 * k0 / k->k_max, 1), random_uniform(random));
        double theta = M_PI * random_uniform(random);
        check_point p = {.at = {k->x, k->eps, k->q[i / POINTS_EACH], k1, theta},
                         .member = (double)member};
        st = node_point(n, i / POINTS_EACH, k1, theta, p.I, p.error, err);
        for (size_t l = 0; l < NUMBERS; l++)
            cgct_put_f64(record + POINT_BYTES * i + 8 * l, p.number[l]);
    }
    node_tables_free(n);
    return st;
}

cgct_status run_check_compute(const run_job *j, size_t number, uint8_t **record, size_t *size,
                              cgct_err *err)
{
    const run_settings *c = j->settings;
    const size_t member = run_job_checked(j, number);
    uint64_t random = number * DRAWS * GOLDEN;
    double q[MOMENTA];
    node_task task = {.settings = &c->node,
                      .source = j->members->source[member],
                      .nq = MOMENTA,
                      .q = q,
                      .k_max = c->k_max,
                      .builders = j->builders,
                      .forward = c->forward};
    task.x = random_on_axis(&c->x, &random);
    task.eps = random_on_axis(&c->eps, &random);
    for (int i = 0; i < MOMENTA; i++) q[i] = random_on_axis(&c->q, &random);
    *size = POINT_BYTES * POINTS;
    *record = memory_new(*size, 1);
    cgct_status st = compute_check_points(&task, member, &random, c->k0, *record, err);
    if (st == CGCT_OK) return st;
    free(*record);
    *record = NULL;
    return cgct_context(err, st, "check at x = %g, eps = %g", task.x, task.eps);
}

cgct_status run_check_parse(const uint8_t *record, size_t size, check_set *set, cgct_err *err)
{
    size_t n = size / POINT_BYTES;
    if (size % POINT_BYTES) return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no check", size);
    set->v = memory_resize(set->v, set->n + n, sizeof *set->v);
    for (const uint8_t *at = record; at < record + size; at += POINT_BYTES, set->n++)
        for (size_t l = 0; l < NUMBERS; l++) set->v[set->n].number[l] = cgct_get_f64(at + 8 * l);
    return CGCT_OK;
}

/* ---- comparison ---- */

run_quantiles run_quantiles_of(size_t n, double *v)
{
    if (n == 0) return (run_quantiles){0, 0, 0, 0};
    const size_t p999 = (size_t)(0.999 * (double)(n - 1));
    return (run_quantiles){n, gsl_stats_select(v, 1, n, n / 2), gsl_stats_select(v, 1, n, p999),
                           gsl_stats_max(v, 1, n)};
}

static size_t checks_region_at(size_t pol, size_t iq, size_t blocks, int upper)
{
    return (pol * CHECKS_Q_PARTS + iq * CHECKS_Q_PARTS / blocks) * CHECKS_PATCHES + (size_t)upper;
}

size_t checks_region_of_block(const bounds_shape *s, size_t block)
{
    const size_t nk = s->bl + s->bu, iq = block / nk;
    return checks_region_at(iq / s->bq, iq % s->bq, s->bq, block % nk >= s->bl);
}

size_t checks_region_of_point(const bounds_shape *s, const check_point *p, int pol)
{
    const double q = p->at[2], k1 = p->at[3];
    const double k2 = sqrt(fmax(q * q + k1 * k1 - 2 * q * k1 * cos(p->at[4]), 0));
    const size_t cell = grid_cell_of(s->grid->nq, s->grid->q, q);
    return checks_region_at((size_t)pol, cell * s->bq / (s->grid->nq - 1), s->bq,
                            fmin(k1, k2) > q / 2);
}

static int is_resolved(const check_point *p, int pol)
{
    return p->error[pol] <= CHECKS_RESOLUTION * fabs(p->I[pol]);
}

/* I and bound of a point, (2, NPOL). */
static cgct_status evaluate_check_point(const cgct_table *t, const check_point *p, double *value,
                                        cgct_err *err)
{
    const double *at = p->at;
    const double place[4] = {at[0], at[2], at[3], at[4]};
    if (cgct_pa_stored(t, place, value, value + NPOL) == CGCT_OK) return CGCT_OK;
    cgct_status st = cgct_eval(t, at[0], at[1], at[2], at[3], at[4], value);
    if (st == CGCT_OK) st = cgct_eval_error(t, at[0], at[1], at[2], at[3], at[4], value + NPOL);
    if (st != CGCT_OK) cgct_check(t, at[0], at[1], at[2], at[3], at[4], err);
    return st;
}

/* Values and bounds of the n points from `first` on, of one member of the table. */
static cgct_status evaluate_member(const check_point *first, size_t n, const cgct_table *table,
                                   double *value, cgct_err *err)
{
    cgct_table *t;
    char member[32];
    first_failure failure = {0};
    snprintf(member, sizeof member, "%.0f", first->member);
    CGCT_TRY(cgct_open_member(table, member, &t, err));
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        cgct_err mine;
        double *to = value + 2 * NPOL * i;
        failure_keep(&failure, i, evaluate_check_point(t, &first[i], to, &mine), &mine);
    }
    cgct_close(t);
    return failure_tell(&failure, err);
}

/* Points behind i that are of the same member as point i, which comes first. */
static size_t points_of_member(const check_set *s, size_t i)
{
    size_t n = 1;
    while (i + n < s->n && s->v[i + n].member == s->v[i].member) n++;
    return n;
}

/* Threads take a member each, or its points where there is but one. */
cgct_status checks_evaluate(const check_set *s, const char *path, double *value, cgct_err *err)
{
    cgct_table *t;
    first_failure failure = {0};
    const int several = s->n && points_of_member(s, 0) < s->n;
    CGCT_TRY(cgct_open(path, &t, err));
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    cgct_status st = cgct_load(t, err);
#pragma omp parallel if (several)
#pragma omp single
    for (size_t i = 0, n; i < s->n && st == CGCT_OK; i += n) {
        n = points_of_member(s, i);
#pragma omp task if (several)
        {
            cgct_err mine;
            double *to = value + 2 * NPOL * i;
            failure_keep(&failure, i, evaluate_member(s->v + i, n, t, to, &mine), &mine);
        }
    }
    if (st == CGCT_OK) st = failure_tell(&failure, err);
    cgct_close(t);
    return st;
}

void checks_compare(const check_set *s, const double *value, checks_summary *out)
{
    const size_t n = NPOL * s->n;
    size_t first = 0, last = n; /* of d, where the next resolved value goes, and the last other */
    double largest[NPOL] = {0}, *d = memory_new(n, sizeof *d);
    *out = (checks_summary){.negative = 0};
    for (size_t i = 0; i < n; i++)
        largest[i % NPOL] = fmax(largest[i % NPOL], fabs(s->v[i / NPOL].I[i % NPOL]));
    for (size_t i = 0; i < n; i++) {
        const int pol = (int)(i % NPOL);
        const check_point *p = &s->v[i / NPOL];
        const double *I = value + i / NPOL * 2 * NPOL + i % NPOL; /* and its bound at I[NPOL] */
        const double difference = fabs(I[0] - p->I[pol]);
        const int resolved = is_resolved(p, pol);
        d[resolved ? first++ : --last] =
            difference / fmax(fabs(p->I[pol]), CHECKS_FLOOR * largest[pol]);
        out->negative += I[0] < 0;
        out->outside += resolved && difference > I[NPOL] + p->error[pol];
    }
    out->resolved = run_quantiles_of(first, d);
    out->all = run_quantiles_of(n, d);
    free(d);
}

/* ---- calibration ---- */

static const double OUTSIDE = 3e-4; /* share of resolved values */
static const double FACTOR_MOST = 32;
/* By what bounds of one part are rounded up, in the mean: 2^(1/8). */
static const double ROUNDED = 1.09;

/* The factor with which value i lies on its bound. */
static double factor_at(const check_set *s, size_t i, const double *known, const double *more)
{
    const size_t at = i / NPOL * 2 * NPOL + i % NPOL;
    const check_point *p = &s->v[i / NPOL];
    const double beyond = fabs(known[at] - p->I[i % NPOL]) - p->error[i % NPOL] - known[at + NPOL];
    const double one = more[at + NPOL] / ROUNDED;
    if (beyond <= 0) return 0;
    return beyond < FACTOR_MOST * one ? beyond / one : FACTOR_MOST;
}

void checks_factors(const check_set *s, const bounds_shape *shape, const double *known,
                    const double *more, double few, double many, double *factor)
{
    double *w = memory_new(NPOL * s->n, sizeof *w);
    for (size_t region = 0; region < CHECKS_REGIONS; region++) {
        size_t n = 0, places = 0;
        const check_point *last = NULL;
        for (size_t i = 0; i < NPOL * s->n; i++) {
            const check_point *p = &s->v[i / NPOL];
            const int pol = (int)(i % NPOL);
            if (!is_resolved(p, pol) || checks_region_of_point(shape, p, pol) != region) continue;
            places += !last || memcmp(last->at, p->at, 2 * sizeof *p->at) != 0;
            last = p;
            w[n++] = factor_at(s, i, known, more);
        }
        const size_t outside = (size_t)(OUTSIDE * (double)n);
        const double least = places < CHECKS_MANY ? few : many;
        factor[region] = n ? fmax(gsl_stats_select(w, 1, n, n - 1 - outside), least) : least;
    }
    free(w);
}
