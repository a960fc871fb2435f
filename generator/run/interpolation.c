/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/interpolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/error.h"
#include "reader/cgctab.h"
#include "node/pipeline.h"

enum { MOMENTA = 12, EACH = 100 };                 /* q of one check; points at each */
enum { DRAWS = 2 + MOMENTA + 2 * MOMENTA * EACH }; /* random numbers of one check */
static const uint64_t GOLDEN = UINT64_C(0x9e3779b97f4a7c15);

static const double FLOOR = 1e-12; /* of the largest I: below it the dipole itself is rounding */
static const double RESOLUTION = 1e-4; /* of I: error of the values that tell something of axes */

/* Splitmix64. */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += GOLDEN);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double lo, double hi, uint64_t *state)
{
    return lo * pow(hi / lo, uniform(state));
}

static cgct_status reserve(interpolation_set *s, cgct_err *err)
{
    if (s->n < s->capacity) return CGCT_OK;
    size_t capacity = 2 * s->capacity + MOMENTA * EACH;
    interpolation_point *v = realloc(s->v, capacity * sizeof *v);
    if (!v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", capacity);
    s->v = v;
    s->capacity = capacity;
    return CGCT_OK;
}

cgct_status interpolation_put(interpolation_set *s, const interpolation_point *p, cgct_err *err)
{
    CGCT_TRY(reserve(s, err));
    s->v[s->n++] = *p;
    return CGCT_OK;
}

static cgct_status add_points(interpolation_set *s, uint64_t *random, const pipeline *p,
                              const pipeline_task *k, double k_min, cgct_err *err)
{
    for (size_t i = 0; i < k->nq * EACH; i++) {
        double k1 = between(k_min, k->k_max, random), theta = M_PI * uniform(random);
        interpolation_point to = {.at = {k->x, k->eps, k->q[i / EACH], k1, theta}};
        CGCT_TRY(pipeline_point(p, i / EACH, k1, theta, to.I, to.error, err));
        CGCT_TRY(interpolation_put(s, &to, err));
    }
    return CGCT_OK;
}

cgct_status interpolation_add(interpolation_set *s, size_t number, const run_settings *c,
                              const dipole_source *source, const backend_set *builders,
                              cgct_err *err)
{
    uint64_t random = number * DRAWS * GOLDEN;
    double q[MOMENTA];
    pipeline *p = NULL;
    const double *k1 = c->k1.v;
    pipeline_task task = {.settings = &c->node,
                          .source = source,
                          .x = between(c->x.v[0], c->x.v[c->x.n - 1], &random),
                          .eps = between(c->eps.v[0], c->eps.v[c->eps.n - 1], &random),
                          .nq = MOMENTA,
                          .q = q,
                          .k_max = k1[c->k1.n - 1],
                          .builders = builders};
    for (int i = 0; i < MOMENTA; i++) q[i] = between(c->q.v[0], c->q.v[c->q.n - 1], &random);
    cgct_status st = pipeline_init(&p, &task, NULL, err);
    if (st == CGCT_OK) st = add_points(s, &random, p, &task, k1[0], err);
    pipeline_free(p);
    return st == CGCT_OK ? st
                         : cgct_context(err, st, "check at x = %g, eps = %g", task.x, task.eps);
}

void interpolation_free(interpolation_set *s)
{
    free(s->v);
    memset(s, 0, sizeof *s);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* d: first the resolved points, then the others; *resolved counts the former. */
static cgct_status differences(const interpolation_set *s, const cgct_table *t, double *d,
                               interpolation_summary *out, cgct_err *err)
{
    double largest[2] = {0, 0}, I[2];
    size_t first = 0, last = 2 * s->n;
    for (size_t i = 0; i < s->n; i++)
        for (int pol = 0; pol < 2; pol++) largest[pol] = fmax(largest[pol], fabs(s->v[i].I[pol]));
    for (size_t i = 0; i < s->n; i++) {
        const interpolation_point *p = &s->v[i];
        const double *at = p->at;
        cgct_status st = cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I);
        if (st != CGCT_OK) {
            cgct_check(t, at[0], at[1], at[2], at[3], at[4], err);
            return st;
        }
        for (int pol = 0; pol < 2; pol++) {
            double unit = fmax(fabs(p->I[pol]), FLOOR * largest[pol]);
            int resolved = p->error[pol] <= RESOLUTION * p->I[pol];
            d[resolved ? first++ : --last] = fabs(I[pol] - p->I[pol]) / unit;
            out->negative += I[pol] < 0;
        }
    }
    out->resolved.n = first;
    return CGCT_OK;
}

static void quantiles(double *d, size_t n, interpolation_quantiles *to)
{
    *to = (interpolation_quantiles){.n = n};
    if (n == 0) return;
    qsort(d, n, sizeof *d, compare);
    to->median = d[n / 2];
    to->p999 = d[(size_t)(0.999 * (double)(n - 1))];
    to->max = d[n - 1];
}

cgct_status interpolation_compare(const interpolation_set *s, const char *path,
                                  interpolation_summary *out, cgct_err *err)
{
    cgct_table *t;
    size_t n = 2 * s->n;
    *out = (interpolation_summary){.floor = FLOOR, .resolution = RESOLUTION};
    if (n == 0) return CGCT_OK;
    CGCT_TRY(cgct_open(path, &t, err));
    double *d = malloc(n * sizeof *d);
    cgct_status st = d ? differences(s, t, d, out, err)
                       : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu differences", n);
    if (st == CGCT_OK) {
        quantiles(d, out->resolved.n, &out->resolved);
        quantiles(d, n, &out->all);
    }
    free(d);
    cgct_close(t);
    return st;
}
