/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "node/continuation.h"
#include "node/fold.h"

/* The summary in a record: whole numbers first, then doubles, 8 bytes each. */
enum { WHOLE = 14, REAL = 10, SUMMARY = 8 * (WHOLE + REAL), CHECK_POINT = 9 * 8 };

static const double ROUNDING = 1e-13;      /* of the largest I of a polarisation */
static const double TOLERANCE_MIN = 1e-10; /* of accuracy.tolerance */

static void put_summary(const run_summary *s, uint8_t *to)
{
    const pipeline_report *p = &s->pipeline;
    const uint64_t whole[WHOLE] = {s->nm,
                                   s->points,
                                   s->flagged,
                                   p->n_delta,
                                   p->n_r,
                                   p->n_s,
                                   p->n_p,
                                   (uint64_t)p->rank,
                                   p->bytes_peak,
                                   (uint64_t)p->modes,
                                   s->missed_rounding,
                                   s->missed_grids,
                                   (uint64_t)s->refined,
                                   s->continued};
    const double real[REAL] = {s->worst,           p->delta_max,      p->r_max,
                               p->s_max,           p->sum_rule,       p->seconds_inner,
                               p->seconds_weights, p->seconds_hankel, p->seconds_certificate,
                               p->seconds_total};
    for (int i = 0; i < WHOLE; i++) cgct_put_u64(to + 8 * i, whole[i]);
    for (int i = 0; i < REAL; i++) cgct_put_f64(to + 8 * (WHOLE + i), real[i]);
}

static void get_summary(const uint8_t *from, run_summary *s)
{
    uint64_t w[WHOLE];
    double r[REAL];
    for (int i = 0; i < WHOLE; i++) w[i] = cgct_get_u64(from + 8 * i);
    for (int i = 0; i < REAL; i++) r[i] = cgct_get_f64(from + 8 * (WHOLE + i));
    *s = (run_summary){.nm = w[0], .points = w[1], .flagged = w[2], .worst = r[0]};
    s->missed_rounding = w[10];
    s->missed_grids = w[11];
    s->refined = (int)w[12];
    s->continued = w[13];
    s->pipeline = (pipeline_report){.n_delta = w[3],
                                    .n_r = w[4],
                                    .n_s = w[5],
                                    .n_p = w[6],
                                    .rank = (int)w[7],
                                    .bytes_peak = w[8],
                                    .modes = (int)w[9],
                                    .delta_max = r[1],
                                    .r_max = r[2],
                                    .s_max = r[3],
                                    .sum_rule = r[4],
                                    .seconds_inner = r[5],
                                    .seconds_weights = r[6],
                                    .seconds_hankel = r[7],
                                    .seconds_certificate = r[8],
                                    .seconds_total = r[9]};
}

/* ---- nodes ---- */

typedef struct {
    size_t nm;
    double *modes, *error; /* (2, nq, nk, nm), (2, nq, nk) */
} plane;

static cgct_status compute(const run_job *j, const pipeline_task *task, plane *out,
                           pipeline_report *report, cgct_err *err)
{
    const run_settings *c = j->settings;
    CGCT_TRY(pipeline_product(task, j->nk, j->k, &out->nm, &out->modes, &out->error, report, err));
    if (!(c->node.fold > 0)) return CGCT_OK;
    return fold_modes(c->node.fold, c->q.n, c->q.v, j->nk, j->k,
                      0.1 * task->settings->inner.tolerance, &out->nm, &out->modes, out->error,
                      err);
}

static void plane_free(plane *p)
{
    free(p->modes);
    free(p->error);
    *p = (plane){0};
}

/* Which points miss the tolerance, and why: an estimate this far below the largest I is rounding.
 */
static void count_missed(const plane *p, size_t points, double tolerance, run_summary *s)
{
    double largest[2] = {0, 0};
    size_t half = points / 2;
    s->missed_rounding = s->missed_grids = 0;
    for (size_t i = 0; i < points; i++)
        largest[i / half] = fmax(largest[i / half], fabs(2 * M_PI * p->modes[i * p->nm]));
    for (size_t i = 0; i < points; i++) {
        if (p->error[i] <= tolerance * fabs(2 * M_PI * p->modes[i * p->nm])) continue;
        if (p->error[i] <= ROUNDING * largest[i / half])
            s->missed_rounding++;
        else
            s->missed_grids++;
    }
}

/* Once as the card says; then with ten times the accuracy each, as long as fewer points miss. */
static cgct_status adapt(const run_job *j, pipeline_task task, plane *best, run_summary *s,
                         cgct_err *err)
{
    node_settings finer = *task.settings;
    const double tolerance = finer.inner.tolerance;
    size_t points = 2 * task.nq * j->nk;
    CGCT_TRY(compute(j, &task, best, &s->pipeline, err));
    count_missed(best, points, tolerance, s);
    task.settings = &finer;
    for (int i = 1; i <= j->settings->refine && s->missed_grids; i++) {
        run_summary next = *s;
        plane p = {0};
        finer.inner.tolerance = fmax(tolerance * pow(10, -i), TOLERANCE_MIN);
        cgct_status st = compute(j, &task, &p, &next.pipeline, err);
        if (st == CGCT_OK) count_missed(&p, points, tolerance, &next);
        if (st != CGCT_OK || next.missed_grids >= s->missed_grids) {
            plane_free(&p);
            return st;
        }
        next.refined = i;
        plane_free(best);
        *best = p;
        *s = next;
    }
    return CGCT_OK;
}

/* Estimates relative to 2 pi I_0, as f32. */
static void judge(const plane *p, double flag, run_summary *s, uint8_t *to)
{
    for (size_t i = 0; i < s->points; i++) {
        double relative = p->error[i] / fabs(2 * M_PI * p->modes[i * p->nm]);
        if (!isfinite(relative)) relative = INFINITY;
        s->flagged += !(relative <= flag);
        s->worst = fmax(s->worst, relative);
        cgct_put_f32(to + 4 * i, (float)relative);
    }
}

static cgct_status pack(const run_job *j, const plane *p, run_summary *s, uint8_t **record,
                        size_t *size, cgct_err *err)
{
    const cgct_writer_spec spec = run_job_spec(j);
    const cgct_node node = {p->nm, p->modes, p->error};
    uint8_t *packed;
    size_t n;
    CGCT_TRY(cgct_node_pack(&spec, &node, &packed, &n, err));
    s->nm = p->nm;
    s->points = 2 * j->settings->q.n * j->nk;
    *size = SUMMARY + 4 * s->points + n;
    *record = malloc(*size);
    if (*record) {
        judge(p, j->settings->flag, s, *record + SUMMARY);
        put_summary(s, *record);
        memcpy(*record + SUMMARY + 4 * s->points, packed, n);
    }
    free(packed);
    return *record ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for a node of %zu bytes", n);
}

static pipeline_task task_of(const run_job *j, size_t node)
{
    const run_settings *c = j->settings;
    size_t member, ix, ieps;
    run_job_node(j, node, &member, &ix, &ieps);
    return (pipeline_task){.settings = &c->node,
                           .source = j->members->source[member],
                           .x = c->x.v[ix],
                           .eps = c->eps.v[ieps],
                           .nq = c->q.n,
                           .q = c->q.v,
                           .k_max = c->k1.v[c->k1.n - 1],
                           .builders = j->builders};
}

cgct_status run_job_plan(const run_job *j, size_t node, pipeline_report *report, double *work,
                         cgct_err *err)
{
    const pipeline_task task = task_of(j, node);
    return pipeline_plan(&task, j->nk, report, work, err);
}

cgct_status run_job_device_bytes(const run_job *j, size_t node, size_t *bytes, cgct_err *err)
{
    const pipeline_task task = task_of(j, node);
    return pipeline_device_bytes(&task, bytes, err);
}

static cgct_status compute_node(const run_job *j, size_t item, uint8_t **record, size_t *size,
                                run_summary *s, cgct_err *err)
{
    plane p = {0};
    const pipeline_task task = task_of(j, item);
    cgct_status st = adapt(j, task, &p, s, err);
    if (st == CGCT_OK)
        s->continued = continue_modes(task.nq, task.q, j->nk, p.nm, p.modes, p.error);
    if (st == CGCT_OK) st = pack(j, &p, s, record, size, err);
    plane_free(&p);
    return st == CGCT_OK ? st
                         : cgct_context(err, st, "%s: x = %g, eps = %g",
                                        dipole_source_name(task.source), task.x, task.eps);
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

/* ---- checks: of the first member ---- */

static cgct_status compute_check(const run_job *j, size_t number, uint8_t **record, size_t *size,
                                 cgct_err *err)
{
    interpolation_set set = {0};
    cgct_status st =
        interpolation_add(&set, number, j->settings, j->members->source[0], j->builders, err);
    *size = CHECK_POINT * set.n;
    if (st == CGCT_OK && !(*record = malloc(*size)))
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", set.n);
    for (size_t i = 0; st == CGCT_OK && i < set.n; i++) {
        const interpolation_point *p = &set.v[i];
        uint8_t *to = *record + CHECK_POINT * i;
        for (int k = 0; k < 5; k++) cgct_put_f64(to + 8 * k, p->at[k]);
        for (int k = 0; k < 2; k++) {
            cgct_put_f64(to + 8 * (5 + k), p->I[k]);
            cgct_put_f64(to + 8 * (7 + k), p->error[k]);
        }
    }
    interpolation_free(&set);
    return st;
}

cgct_status run_check_parse(const uint8_t *record, size_t size, interpolation_set *set,
                            cgct_err *err)
{
    if (size % CHECK_POINT) return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no check", size);
    for (const uint8_t *at = record; at < record + size; at += CHECK_POINT) {
        interpolation_point p;
        for (int k = 0; k < 5; k++) p.at[k] = cgct_get_f64(at + 8 * k);
        for (int k = 0; k < 2; k++) {
            p.I[k] = cgct_get_f64(at + 8 * (5 + k));
            p.error[k] = cgct_get_f64(at + 8 * (7 + k));
        }
        CGCT_TRY(interpolation_put(set, &p, err));
    }
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
