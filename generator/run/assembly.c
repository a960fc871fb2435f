/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly.c: from records to a table, its summary and its interpolation error. */
#include "run/assembly.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/layout.h"
#include "reader/cgctab.h"

cgct_status run_slots_add(const run_job *j, run_slot *slot, const journal *from, cgct_err *err)
{
    for (const journal_record *r = from->record; r < from->record + from->n; r++) {
        uint32_t kind = r->index < j->nnode ? RUN_NODE : RUN_CHECK;
        if (r->index >= j->nitems || r->kind != kind)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: record %u of kind %u; there are %zu items",
                             from->path, r->index, r->kind, j->nitems);
        if (slot[r->index].from)
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s both hold item %u: parts overlap",
                             slot[r->index].from->path, from->path, r->index);
        slot[r->index] = (run_slot){from, r};
    }
    return CGCT_OK;
}

/* ---- summary ---- */

run_quantiles run_quantiles_of(size_t n, double *v)
{
    if (n == 0) return (run_quantiles){0, 0, 0, 0};
    gsl_sort(v, 1, n);
    return (run_quantiles){n, v[n / 2], v[(size_t)(0.999 * (double)(n - 1))], v[n - 1]};
}

/* A table while it is written. */
typedef struct {
    const run_job *job;
    cgct_writer *writer;
    run_total *total;
    double *error; /* (total->points): relative estimates */
    check_set checks;
} table_assembly;

static cgct_status add_node_to_total(table_assembly *a, const run_record *r, cgct_err *err)
{
    const node_report *p = &r->s.report;
    run_total *t = a->total;
    double *grown = realloc(a->error, (t->points + r->s.points) * sizeof *grown);
    if (!grown) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu estimates", t->points);
    a->error = grown;
    for (size_t i = 0; i < r->s.points; i++) grown[t->points + i] = cgct_get_f32(r->error + 4 * i);
    t->points += r->s.points;
    t->nodes++;
    t->flagged += r->s.flagged;
    t->missed_rounding += r->s.missed_rounding;
    t->missed_grids += r->s.missed_grids;
    t->continued += r->s.continued;
    t->refined += r->s.refined > 0;
    if ((int)r->s.nm - 1 > t->modes_max) t->modes_max = (int)r->s.nm - 1;
    if (p->rank > t->rank_max) t->rank_max = p->rank;
    if (!(fabs(p->sum_rule) <= t->sum_rule)) t->sum_rule = fabs(p->sum_rule);
    const double seconds[5] = {p->seconds_inner, p->seconds_weights, p->seconds_hankel,
                               p->seconds_certificate, p->seconds_total};
    for (int i = 0; i < 5; i++) t->seconds[i] += seconds[i];
    return CGCT_OK;
}

/* Nothing here may depend on time or threads: the same run gives the same file. */
static void print_total(run_total *t, double *errors)
{
    const run_quantiles error = run_quantiles_of(t->points, errors);
    snprintf(t->text, sizeof t->text,
             "nodes\t%zu\npoints\t%zu\nflagged\t%zu\n"
             "missed_by_rounding\t%zu\nmissed_by_grids\t%zu\ncontinued\t%zu\n"
             "nodes_refined\t%zu\n"
             "error_median\t%.3g\n"
             "error_999\t%.3g\nerror_max\t%.3g\nmodes_max\t%d\nrank_max\t%d\n"
             "sum_rule\t%.3g\nrounding\t%.3g\n",
             t->nodes, t->points, t->flagged, t->missed_rounding, t->missed_grids, t->continued,
             t->refined, error.median, error.p999, error.max, t->modes_max, t->rank_max,
             t->sum_rule, t->rounding);
}

/* ---- interpolation between the nodes ---- */

/* d (NPOL n): first the resolved points, then the others. */
static cgct_status measure_differences(const check_set *s, const cgct_table *t, double *d,
                                       interpolation_summary *out, cgct_err *err)
{
    double largest[NPOL] = {0, 0}, I[NPOL];
    size_t first = 0, last = NPOL * s->n;
    for (size_t i = 0; i < s->n; i++)
        for (int pol = 0; pol < NPOL; pol++)
            largest[pol] = fmax(largest[pol], fabs(s->v[i].I[pol]));
    for (const check_point *p = s->v; p < s->v + s->n; p++) {
        const double *at = p->at;
        cgct_status st = cgct_eval(t, at[0], at[1], at[2], at[3], at[4], I);
        if (st != CGCT_OK) {
            cgct_check(t, at[0], at[1], at[2], at[3], at[4], err);
            return st;
        }
        for (int pol = 0; pol < NPOL; pol++) {
            double unit = fmax(fabs(p->I[pol]), INTERPOLATION_FLOOR * largest[pol]);
            int resolved = p->error[pol] <= INTERPOLATION_RESOLUTION * p->I[pol];
            d[resolved ? first++ : --last] = fabs(I[pol] - p->I[pol]) / unit;
            out->negative += I[pol] < 0;
        }
    }
    out->resolved = run_quantiles_of(first, d);
    out->all = run_quantiles_of(NPOL * s->n, d);
    return CGCT_OK;
}

cgct_status interpolation_compare(const check_set *s, const char *path, interpolation_summary *out,
                                  cgct_err *err)
{
    cgct_table *t;
    *out = (interpolation_summary){.negative = 0};
    if (s->n == 0) return CGCT_OK;
    CGCT_TRY(cgct_open(path, &t, err));
    double *d = malloc(NPOL * s->n * sizeof *d);
    cgct_status st = d ? measure_differences(s, t, d, out, err)
                       : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu points", s->n);
    free(d);
    cgct_close(t);
    return st;
}

/* ---- the table ---- */

static cgct_status put_node_in_table(table_assembly *a, size_t item, const run_slot *slot,
                                     cgct_err *err)
{
    const run_job *j = a->job;
    size_t member, ix, ieps, first;
    uint8_t *bytes;
    run_record r;
    run_job_node(j, item, &member, &ix, &ieps);
    first = member * j->settings->x.n;
    CGCT_TRY(journal_read(slot->from, slot->record, &bytes, err));
    cgct_status st = run_record_parse(bytes, (size_t)slot->record->size, &r, err);
    if (st == CGCT_OK)
        st = cgct_writer_packed(a->writer, first + ix, ieps, r.packed, r.packed_size, err);
    if (st == CGCT_OK) st = add_node_to_total(a, &r, err);
    for (size_t other = j->nx; st == CGCT_OK && other < j->settings->x.n; other++)
        st = cgct_writer_same(a->writer, first + other, ieps, first + ix, err);
    free(bytes);
    return st;
}

static cgct_status read_checks(table_assembly *a, const run_slot *slot, cgct_err *err)
{
    for (size_t i = a->job->nnode; i < a->job->nitems; i++) {
        uint8_t *bytes;
        CGCT_TRY(journal_read(slot[i].from, slot[i].record, &bytes, err));
        cgct_status st = run_check_parse(bytes, (size_t)slot[i].record->size, &a->checks, err);
        free(bytes);
        if (st != CGCT_OK) return st;
    }
    return CGCT_OK;
}

/* Compares the table, still under its temporary name, with the points between its nodes. */
static cgct_status compare_with_checks(table_assembly *a, cgct_err *err)
{
    const char *path, *names = a->job->names;
    interpolation_summary s;
    char first[4096], *text = a->total->text;
    size_t used = strlen(text);
    if (a->checks.n == 0) return CGCT_OK;
    CGCT_TRY(cgct_writer_preview(a->writer, &path, err));
    if (names) {
        snprintf(first, sizeof first, "%s@%.*s", path, (int)strcspn(names, " "), names);
        path = first;
    }
    CGCT_TRY(interpolation_compare(&a->checks, path, &s, err));
    snprintf(text + used, sizeof a->total->text - used,
             "interpolation.points\t%zu\ninterpolation.floor\t%g\ninterpolation.median\t%.3g\n"
             "interpolation.999\t%.3g\ninterpolation.max\t%.3g\ninterpolation.negative\t%zu\n"
             "interpolation.resolved\t%zu\ninterpolation.resolution\t%g\n"
             "interpolation.resolved_median\t%.3g\ninterpolation.resolved_999\t%.3g\n"
             "interpolation.resolved_max\t%.3g\n",
             s.all.n, INTERPOLATION_FLOOR, s.all.median, s.all.p999, s.all.max, s.negative,
             s.resolved.n, INTERPOLATION_RESOLUTION, s.resolved.median, s.resolved.p999,
             s.resolved.max);
    return CGCT_OK;
}

/* Nodes in the order of the index, whatever order they were computed in. */
static cgct_status assemble_all(table_assembly *a, const run_slot *slot, cgct_err *err)
{
    size_t rows = a->job->nx * a->job->nmember;
    for (size_t row = 0; row < rows; row++)
        for (size_t item = row; item < a->job->nnode; item += rows)
            CGCT_TRY(put_node_in_table(a, item, &slot[item], err));
    a->total->rounding = cgct_writer_rounding(a->writer);
    print_total(a->total, a->error);
    CGCT_TRY(read_checks(a, slot, err));
    return compare_with_checks(a, err);
}

cgct_status run_assemble(const run_job *j, const run_slot *slot, const char *path, run_total *total,
                         cgct_err *err)
{
    const cgct_writer_spec spec = run_job_spec(j);
    table_assembly a = {.job = j, .total = total};
    *total = (run_total){.nodes = 0};
    CGCT_TRY(cgct_writer_open(&a.writer, path, &spec, err));
    cgct_status st = assemble_all(&a, slot, err);
    free(a.error);
    free(a.checks.v);
    if (st == CGCT_OK) return cgct_writer_close(a.writer, total->text, err);
    cgct_writer_abort(a.writer);
    return st;
}
