/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c: computes nodes and packs them into records. */
#include "run/record.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/gpu_crew.h"
#include "format/bytes.h"
#include "numerics/blas.h"
#include "numerics/memory.h"
#include "run/checks.h"
#include "run/functions.h"

/* ---- the summary at the head of a node's record ---- */

/* The numbers of a node that the summary of a table needs (assembly.c), 8 bytes each. */
enum { WHOLE = 8, SMALL = 3, REAL = 8, SUMMARY = 8 * (WHOLE + SMALL + REAL) };
typedef struct {
    size_t *whole[WHOLE];
    int *small[SMALL];
    double *real[REAL];
} summary_numbers;

static summary_numbers numbers_of(run_summary *s)
{
    node_report *r = &s->report;
    return (summary_numbers){{&s->nm, &s->points, &s->ntensor, &s->flagged, &s->missed_rounding,
                              &s->missed_grids, &r->continued, &s->negative},
                             {&s->refined, &r->rank, &s->either_sign},
                             {&r->sum_rule, &r->seconds_inner, &r->seconds_weights,
                              &r->seconds_hankel, &r->seconds_certificate, &r->seconds_total,
                              &s->negative_q, &s->negative_k}};
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
/* ln G where G is not known (FORMAT.md 7). */
static const double TENSOR_UNKNOWN = -800;
/* Refinement aims ten times lower each time, but not below this accuracy.tolerance. */
static const double REFINE_FACTOR = 10, TOLERANCE_MIN = 1e-10;

node_task run_node_task(const run_job *j, size_t item)
{
    const run_settings *c = j->settings;
    const run_place at = run_job_place(j, item);
    if (run_job_is_coarse(j, item)) c = &j->coarse;
    return (node_task){.settings = &c->node,
                       .source = at.change ? at.change->source : j->members->source[at.member],
                       .x = c->x.v[at.ix],
                       .eps = c->eps.v[at.ieps],
                       .nq = c->q.n,
                       .q = c->q.v,
                       .grid = run_job_grid(j, item),
                       .k_max = c->k_max,
                       .builders = j->builders,
                       .forward = c->forward};
}

/* Which points miss the tolerance, and why. */
static void count_missed(const node_fields *f, double tolerance, run_summary *s)
{
    double largest[NPOL] = {-INFINITY, -INFINITY};
    size_t half = f->nq * f->nk;
    s->missed_rounding = s->missed_grids = 0;
    for (size_t i = 0; i < NPOL * half; i++)
        largest[i / half] = fmax(largest[i / half], f->value[i / half * f->nm * half + i % half]);
    for (size_t i = 0; i < NPOL * half; i++) {
        if (f->error[i] <= tolerance) continue;
        double l = f->value[i / half * f->nm * half + i % half];
        if (f->error[i] <= ROUNDING * exp(largest[i / half] - l))
            s->missed_rounding++;
        else
            s->missed_grids++;
    }
}

static void count_negative(const node_fields *f, const node_grid *g, run_summary *s)
{
    const size_t plane = f->nq * f->nk;
    for (size_t i = 0; i < NPOL * plane && f->either_sign; i++) {
        const double *r = f->value + (i / plane * f->nm + 1) * plane + i % plane;
        if (!(1 + *r < -f->error[i])) continue;
        const size_t iq = i % plane / f->nk;
        const double q = g->q[iq], k = node_grid_k(g, iq, i % f->nk);
        if (s->negative++ && (q > s->negative_q || (q == s->negative_q && k >= s->negative_k)))
            continue;
        s->negative_q = q;
        s->negative_k = k;
    }
}

/* Once as the card says; then with finer and finer grids, as long as fewer points miss. */
static cgct_status compute_and_refine(const run_job *j, node_task task, node_fields *best,
                                      run_summary *s, cgct_err *err)
{
    node_settings finer = *task.settings;
    const double tolerance = finer.inner.tolerance;
    CGCT_TRY(node_compute(&task, NULL, best, &s->report, err));
    count_missed(best, tolerance, s);
    task.settings = &finer;
    for (int i = 1; i <= j->settings->refine && s->missed_grids; i++) {
        run_summary next = *s;
        node_fields f;
        finer.inner.tolerance = fmax(tolerance * pow(REFINE_FACTOR, -i), TOLERANCE_MIN);
        cgct_status st = node_compute(&task, NULL, &f, &next.report, err);
        if (st == CGCT_OK) count_missed(&f, tolerance, &next);
        if (st != CGCT_OK || next.missed_grids >= s->missed_grids) {
            node_fields_free(&f);
            return st == CGCT_E_ACCURACY ? CGCT_OK : st; /* the one before is as good as it gets */
        }
        next.refined = i;
        node_fields_free(best);
        *best = f;
        *s = next;
    }
    return CGCT_OK;
}

/* ---- the record ---- */

/* Where the parts of a node lie: the summary, its maker, errors, l, r_m, tensor. */
typedef struct {
    size_t maker, error, l, r, tensor, size, nr; /* nr: numbers r_m */
} record_layout;

static record_layout layout_of(const run_summary *s)
{
    record_layout at = {
        .maker = SUMMARY, .error = SUMMARY + RUN_MAKER, .nr = s->points * (s->nm - 1)};
    at.l = at.error + 4 * s->points;
    at.r = at.l + 8 * s->points;
    at.tensor = at.r + 4 * at.nr;
    at.size = at.tensor + 8 * s->ntensor;
    return at;
}

static void put_l_and_r(const node_fields *f, uint8_t *l, uint8_t *r)
{
    size_t plane = f->nq * f->nk;
    for (size_t i = 0; i < NPOL * f->nm * plane; i++) {
        if (i / plane % f->nm == 0) {
            cgct_put_f64(l, f->value[i]);
            l += 8;
        } else {
            cgct_put_f32(r, (float)f->value[i]);
            r += 4;
        }
    }
}

/* Of one x, at the momenta of the table: to (nq, 2). */
static cgct_status put_tensor(const dipole_source *source, double x, const grid_axis *q,
                              uint8_t *to, cgct_err *err)
{
    double *G = memory_new(2 * q->n, sizeof *G), *H = G + q->n;
    cgct_status st = node_tensor(source, x, q->n, q->v, G, H, err);
    for (size_t i = 0; i < q->n && st == CGCT_OK; i++) {
        int known = G[i] > 0 && log(G[i]) > TENSOR_UNKNOWN && isfinite(H[i]);
        cgct_put_f64(to + 16 * i, known ? log(G[i]) : TENSOR_UNKNOWN);
        cgct_put_f64(to + 16 * i + 8, known ? fmax(-1, fmin(1, H[i] / G[i])) : 0);
    }
    free(G);
    return st;
}

/* The tensor belongs to (member, x): it is kept with the first eps, or of a member with coarse
 * nodes with the first of these. */
static cgct_status put_tensors(const run_job *j, size_t item, const node_task *k, uint8_t *to,
                               cgct_err *err)
{
    const grid_axis *q = &j->settings->q;
    const int all = run_job_is_coarse(j, item);
    if (j->settings->forward)
        return run_job_has_functions(j, item) ? functions_compute(j, k->source, k->x, to, err)
                                              : CGCT_OK;
    for (size_t i = 0; i < run_job_tensors(j, item); i++)
        CGCT_TRY(
            put_tensor(k->source, all ? j->settings->x.v[i] : k->x, q, to + 16 * q->n * i, err));
    return CGCT_OK;
}

static cgct_status pack_node(const run_job *j, size_t item, const node_fields *f, run_summary *s,
                             uint8_t **record, size_t *size, cgct_err *err)
{
    const node_task task = run_node_task(j, item);
    s->ntensor = j->settings->forward ? run_job_has_functions(j, item) * FORWARD_BLOCK *
                                            dipole_source_parts(task.source)
                                      : 2 * j->grid.nq * run_job_tensors(j, item);
    s->nm = f->nm;
    s->either_sign = f->either_sign;
    if (!j->settings->forward) count_negative(f, run_job_grid(j, item), s);
    s->points = NPOL * f->nq * f->nk;
    const record_layout at = layout_of(s);
    *record = memory_new(*size = at.size, 1);
    const backend *b;
    char maker[RUN_MAKER] = "";
    const int on_device = backend_find(&b, j->builders, s->report.backend, NULL, NULL) == CGCT_OK &&
                          b->usable && j->builders->crew;
    snprintf(maker, sizeof maker, "%s %s %s", s->report.backend, on_device ? "on" : "with",
             on_device ? gpu_crew_name(j->builders->crew) : blas_describe());
    /* names from outside stand in a line of text, and within quotes */
    for (char *c = maker; (c = strpbrk(c, "\"\\\t\r\n")); c++) *c = '_';
    memcpy(*record + at.maker, maker, sizeof maker);
    for (size_t i = 0; i < s->points; i++) {
        s->flagged += !(f->error[i] <= j->settings->flag);
        s->worst = fmax(s->worst, f->error[i]);
        cgct_put_f32(*record + at.error + 4 * i, (float)fmin(f->error[i], FLT_MAX));
    }
    put_summary(s, *record);
    put_l_and_r(f, *record + at.l, *record + at.r);
    return put_tensors(j, item, &task, *record + at.tensor, err);
}

static cgct_status compute_node(const run_job *j, size_t item, uint8_t **record, size_t *size,
                                run_summary *s, cgct_err *err)
{
    node_fields f;
    const node_task task = run_node_task(j, item);
    cgct_status st = compute_and_refine(j, task, &f, s, err);
    if (st == CGCT_OK) st = pack_node(j, item, &f, s, record, size, err);
    node_fields_free(&f);
    if (st == CGCT_OK) return st;
    free(*record);
    *record = NULL;
    return cgct_context(err, st, "%s: x = %g, eps = %g", task.source->name, task.x, task.eps);
}

cgct_status run_record_parse(const uint8_t *record, size_t size, run_record *r, cgct_err *err)
{
    *r = (run_record){.maker = NULL};
    if (size >= SUMMARY) get_summary(record, &r->s);
    int sane = size >= SUMMARY && r->s.nm > (size_t)r->s.either_sign && r->s.either_sign >= 0 &&
               r->s.either_sign <= 1 && r->s.points <= size / 4 && r->s.points % NPOL == 0 &&
               r->s.nm <= size / 4 / (r->s.points + 1) + 1 && r->s.ntensor <= size / 8;
    const record_layout at = layout_of(&r->s);
    if (!sane || at.size != size || !memchr(record + at.maker, 0, RUN_MAKER))
        return cgct_fail(err, CGCT_E_FORMAT, "%zu bytes are no node", size);
    r->maker = (const char *)record + at.maker;
    r->error = record + at.error;
    r->l = record + at.l;
    r->r = record + at.r;
    r->tensor = record + at.tensor;
    for (size_t i = 0; i < r->s.points; i++)
        r->s.worst = fmax(r->s.worst, cgct_get_f32(r->error + 4 * i));
    return CGCT_OK;
}

void run_record_add_maker(const run_record *r, char *list, size_t size)
{
    const size_t used = strlen(list);
    if (!strstr(list, r->maker))
        snprintf(list + used, size - used, "%s%s", used ? "; " : "", r->maker);
}

/* Largest change of r_m by its 24 bits, as a share of it; an error counts three times where I is 0
 * (node_bound_unit). */
static const double ROUNDED_R = 3 * 0x1p-24;

void run_record_fields(const run_record *r, size_t nm, double *value, double *error)
{
    size_t plane = r->s.points / NPOL;
    memset(value, 0, nm * r->s.points * sizeof *value);
    for (size_t i = 0; i < r->s.points; i++) {
        double *to = value + i / plane * nm * plane + i % plane;
        const uint8_t *from = r->r + 4 * (i / plane * (r->s.nm - 1) * plane + i % plane);
        error[i] = cgct_get_f32(r->error + 4 * i);
        to[0] = cgct_get_f64(r->l + 8 * i);
        for (size_t m = 1; m < r->s.nm; m++) {
            to[m * plane] = cgct_get_f32(from + 4 * (m - 1) * plane);
            error[i] += ROUNDED_R * fabs(to[m * plane]);
        }
    }
}

void run_record_tensor(const run_record *r, double *tensor)
{
    for (size_t i = 0; i < r->s.ntensor; i++) tensor[i] = cgct_get_f64(r->tensor + 8 * i);
}

cgct_status run_compute(const run_job *j, size_t item, uint8_t **record, size_t *size,
                        run_summary *s, cgct_err *err)
{
    memset(s, 0, sizeof *s);
    *record = NULL;
    if (run_job_is_check(j, item)) return run_check_compute(j, item - j->nnode, record, size, err);
    return compute_node(j, item, record, size, s, err);
}

/* ---- records in journals ---- */

cgct_status run_slots_add(const run_job *j, run_slot *slot, const journal *from, cgct_err *err)
{
    for (const cgct_chunk *r = from->record; r < from->record + from->n; r++) {
        if (r->index >= j->nitems || strcmp(r->name, run_record_name(j, r->index)) != 0)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: record %s %u; there are %zu items",
                             from->f.file.path, r->name, r->index, j->nitems);
        if (slot[r->index].from)
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s both hold item %u: parts overlap",
                             slot[r->index].from->f.file.path, from->f.file.path, r->index);
        slot[r->index] = (run_slot){from, r};
    }
    return CGCT_OK;
}
