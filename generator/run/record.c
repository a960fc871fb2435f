/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c: computes nodes and checks and packs them into records. */
#include "run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "node/stored.h"

/* ---- the summary at the head of a node's record ---- */

/* The numbers of a node that the summary of a table needs (assembly.c), 8 bytes each. */
enum { WHOLE = 6, SMALL = 2, REAL = 6, SUMMARY = 8 * (WHOLE + SMALL + REAL) };
typedef struct {
    size_t *whole[WHOLE];
    int *small[SMALL];
    double *real[REAL];
} summary_numbers;

static summary_numbers numbers_of(run_summary *s)
{
    node_report *r = &s->report;
    return (summary_numbers){
        {&s->nm, &s->points, &s->flagged, &s->missed_rounding, &s->missed_grids, &s->continued},
        {&s->refined, &r->rank},
        {&r->sum_rule, &r->seconds_inner, &r->seconds_weights, &r->seconds_hankel,
         &r->seconds_certificate, &r->seconds_total}};
}

static void put_summary(run_summary *s, uint8_t *to)
{
    const summary_numbers n = numbers_of(s);
    for (int i = 0; i < WHOLE; i++, to += 8) cgct_put_u64(to, *n.whole[i]);
    for (int i = 0; i < SMALL; i++, to += 8) cgct_put_u64(to, (uint64_t)*n.small[i]);
    for (int i = 0; i < REAL; i++, to += 8) cgct_put_f64(to, *n.real[i]);
}

static void get_summary(const uint8_t *from, run_summary *s)
{
    *s = (run_summary){.nm = 0};
    const summary_numbers n = numbers_of(s);
    for (int i = 0; i < WHOLE; i++, from += 8) *n.whole[i] = (size_t)cgct_get_u64(from);
    for (int i = 0; i < SMALL; i++, from += 8) *n.small[i] = (int)cgct_get_u64(from);
    for (int i = 0; i < REAL; i++, from += 8) *n.real[i] = cgct_get_f64(from);
}

/* ---- nodes ---- */

/* An estimate below this share of the largest I of a polarisation is rounding, not grids. */
static const double ROUNDING = 1e-13;
/* Refinement aims ten times lower each time, but not below this accuracy.tolerance. */
static const double REFINE_FACTOR = 10, TOLERANCE_MIN = 1e-10;
/* Folded modes below this share of the tolerance, relative to J_0, are not stored. */
static const double FOLD_KEEP = 0.1;

node_task run_node_task(const run_job *j, size_t item)
{
    const run_settings *c = j->settings;
    size_t member, ix, ieps;
    run_job_node(j, item, &member, &ix, &ieps);
    return (node_task){.settings = &c->node,
                       .source = j->members->source[member],
                       .x = c->x.v[ix],
                       .eps = c->eps.v[ieps],
                       .nq = c->q.n,
                       .nk = j->k.n,
                       .q = c->q.v,
                       .k = j->k.v,
                       .k_max = c->k1.v[c->k1.n - 1],
                       .builders = j->builders};
}

static cgct_status compute_and_fold(const node_task *task, node_modes *out, node_report *report,
                                    cgct_err *err)
{
    const node_settings *c = task->settings;
    CGCT_TRY(node_compute(task, NULL, out, report, err));
    if (!(c->fold > 0)) return CGCT_OK;
    return fold_modes(c->fold, FOLD_KEEP * c->inner.tolerance, out, err);
}

/* Which points miss the tolerance, and why. */
static void count_missed(const node_modes *m, double tolerance, run_summary *s)
{
    double largest[NPOL] = {0, 0};
    size_t half = m->nq * m->nk;
    s->missed_rounding = s->missed_grids = 0;
    for (size_t i = 0; i < NPOL * half; i++)
        largest[i / half] = fmax(largest[i / half], fabs(2 * M_PI * m->value[i * m->nm]));
    for (size_t i = 0; i < NPOL * half; i++) {
        if (m->error[i] <= tolerance * fabs(2 * M_PI * m->value[i * m->nm])) continue;
        if (m->error[i] <= ROUNDING * largest[i / half])
            s->missed_rounding++;
        else
            s->missed_grids++;
    }
}

/* Once as the card says; then with finer and finer grids, as long as fewer points miss. */
static cgct_status compute_and_refine(const run_job *j, node_task task, node_modes *best,
                                      run_summary *s, cgct_err *err)
{
    node_settings finer = *task.settings;
    const double tolerance = finer.inner.tolerance;
    CGCT_TRY(compute_and_fold(&task, best, &s->report, err));
    count_missed(best, tolerance, s);
    task.settings = &finer;
    for (int i = 1; i <= j->settings->refine && s->missed_grids; i++) {
        run_summary next = *s;
        node_modes m;
        finer.inner.tolerance = fmax(tolerance * pow(REFINE_FACTOR, -i), TOLERANCE_MIN);
        cgct_status st = compute_and_fold(&task, &m, &next.report, err);
        if (st == CGCT_OK) count_missed(&m, tolerance, &next);
        if (st != CGCT_OK || next.missed_grids >= s->missed_grids) {
            node_modes_free(&m);
            return st;
        }
        next.refined = i;
        node_modes_free(best);
        *best = m;
        *s = next;
    }
    return CGCT_OK;
}

/* Estimates relative to 2 pi I_0, as f32. */
static void put_relative_errors(const node_modes *m, double flag, run_summary *s, uint8_t *to)
{
    for (size_t i = 0; i < s->points; i++) {
        double relative = m->error[i] / fabs(2 * M_PI * m->value[i * m->nm]);
        if (!isfinite(relative)) relative = INFINITY;
        s->flagged += !(relative <= flag);
        s->worst = fmax(s->worst, relative);
        cgct_put_f32(to + 4 * i, (float)relative);
    }
}

static cgct_status pack_node(const run_job *j, const node_modes *m, run_summary *s,
                             uint8_t **record, size_t *size, cgct_err *err)
{
    const cgct_writer_spec spec = run_job_spec(j);
    const cgct_node modes = {m->nm, m->value, m->error};
    uint8_t *packed;
    size_t n;
    CGCT_TRY(cgct_node_pack(&spec, &modes, &packed, &n, err));
    s->nm = m->nm;
    s->points = NPOL * m->nq * m->nk;
    *size = SUMMARY + 4 * s->points + n;
    *record = malloc(*size);
    if (*record) {
        put_relative_errors(m, j->settings->flag, s, *record + SUMMARY);
        put_summary(s, *record);
        memcpy(*record + SUMMARY + 4 * s->points, packed, n);
    }
    free(packed);
    return *record ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for a node of %zu bytes", n);
}

static cgct_status compute_node(const run_job *j, size_t item, uint8_t **record, size_t *size,
                                run_summary *s, cgct_err *err)
{
    node_modes m;
    const node_task task = run_node_task(j, item);
    cgct_status st = compute_and_refine(j, task, &m, s, err);
    if (st == CGCT_OK) s->continued = continue_modes(&m);
    if (st == CGCT_OK) st = pack_node(j, &m, s, record, size, err);
    node_modes_free(&m);
    if (st == CGCT_OK) return st;
    return cgct_context(err, st, "%s: x = %g, eps = %g", dipole_source_name(task.source), task.x,
                        task.eps);
}

cgct_status run_record_parse(const uint8_t *record, size_t size, run_record *r, cgct_err *err)
{
    if (size >= SUMMARY) get_summary(record, &r->s);
    if (size < SUMMARY || r->s.points > (size - SUMMARY) / 4)
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no node", size);
    r->error = record + SUMMARY;
    r->packed = r->error + 4 * r->s.points;
    r->packed_size = size - SUMMARY - 4 * r->s.points;
    return CGCT_OK;
}

/* ---- checks: points at random places of the table, of the first member ---- */

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

static double random_on_axis(const grid_axis *a, uint64_t *state)
{
    return a->v[0] * pow(a->v[a->n - 1] / a->v[0], random_uniform(state));
}

static cgct_status compute_check_points(const run_settings *c, const node_task *k, uint64_t *random,
                                        uint8_t *record, cgct_err *err)
{
    node_tables *n;
    CGCT_TRY(node_compute(k, &n, NULL, NULL, err));
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < POINTS && st == CGCT_OK; i++) {
        double k1 = random_on_axis(&c->k1, random), theta = M_PI * random_uniform(random);
        check_point p = {.at = {k->x, k->eps, k->q[i / POINTS_EACH], k1, theta}};
        st = node_point(n, i / POINTS_EACH, k1, theta, p.I, p.error, err);
        for (size_t l = 0; l < NUMBERS; l++)
            cgct_put_f64(record + POINT_BYTES * i + 8 * l, p.number[l]);
    }
    node_tables_free(n);
    return st;
}

/* Check number 0, 1, ...: the same points whatever else is computed. */
static cgct_status compute_check(const run_job *j, size_t number, uint8_t **record, size_t *size,
                                 cgct_err *err)
{
    const run_settings *c = j->settings;
    uint64_t random = number * DRAWS * GOLDEN;
    double q[MOMENTA];
    node_task task = {.settings = &c->node,
                      .source = j->members->source[0],
                      .nq = MOMENTA,
                      .q = q,
                      .k_max = c->k1.v[c->k1.n - 1],
                      .builders = j->builders};
    task.x = random_on_axis(&c->x, &random);
    task.eps = random_on_axis(&c->eps, &random);
    for (int i = 0; i < MOMENTA; i++) q[i] = random_on_axis(&c->q, &random);
    *size = POINT_BYTES * POINTS;
    *record = malloc(*size);
    if (!*record) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %d points", POINTS);
    cgct_status st = compute_check_points(c, &task, &random, *record, err);
    if (st == CGCT_OK) return st;
    free(*record);
    *record = NULL;
    return cgct_context(err, st, "check at x = %g, eps = %g", task.x, task.eps);
}

cgct_status run_check_parse(const uint8_t *record, size_t size, check_set *set, cgct_err *err)
{
    size_t n = size / POINT_BYTES;
    if (size % POINT_BYTES) return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no check", size);
    check_point *v = realloc(set->v, (set->n + n + 1) * sizeof *v);
    if (!v) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", set->n + n);
    set->v = v;
    for (const uint8_t *at = record; at < record + size; at += POINT_BYTES, set->n++)
        for (size_t l = 0; l < NUMBERS; l++) v[set->n].number[l] = cgct_get_f64(at + 8 * l);
    return CGCT_OK;
}

cgct_status run_compute(const run_job *j, size_t item, uint8_t **record, size_t *size,
                        run_summary *s, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    *record = NULL;
    if (run_job_is_node(j, item)) return compute_node(j, item, record, size, s, err);
    return compute_check(j, item - j->nnode, record, size, err);
}
