/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly.c: from records to a table, its summary and its bounds, which the checks calibrate. */
#include "run/assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/bytes.h"
#include "format/table_writer.h"
#include "format/tmpfile.h"
#include "numerics/memory.h"
#include "run/checks.h"
#include "run/coarse.h"
#include "run/dipole_error.h"
#include "run/functions.h"
#include "run/metadata.h"
#include "run/segments.h"
#include "run/variations.h"

/* ---- a table while it is put together ---- */

typedef struct {
    const run_job *job;
    run_total *total;
    cgct_chunks file; /* of the tables that are tried, and of the last one */
    segment_source nodes;
    double *error;  /* (total->points): estimates, c of node_bound_unit */
    double *tensor; /* (members, nx, nq, 2); of a proton's dijets (nx, parts, FORWARD_BLOCK) */
    size_t parts;   /* of the dipole, of a proton's dijets */
    basis *basis;   /* (px, peps), then that of the variations */
    segment_bounds bounds;
    coarse_members coarse;
    variations variations;
    uint8_t *code;                   /* (members, nx, neps, blocks) */
    check_set checks, member_checks; /* of the first member; of others with coarse nodes */
    /* What the bounds of interpolation, and of members with coarse nodes, are multiplied by. */
    double factor[CHECKS_REGIONS], member_factor[CHECKS_REGIONS];
    checks_summary compared, members_compared; /* without the error of the dipole */
    size_t modes_changed;                      /* largest m of a changed node */
    int either_sign;                           /* of a record */
    dipole_error_summary dipole;
} table_assembly;

/* ---- summary ---- */

static void add_node_to_total(table_assembly *a, const run_record *r)
{
    const node_report *p = &r->s.report;
    run_total *t = a->total;
    a->error = memory_resize(a->error, t->points + r->s.points, sizeof *a->error);
    for (size_t i = 0; i < r->s.points; i++)
        a->error[t->points + i] = cgct_get_f32(r->error + 4 * i);
    t->points += r->s.points;
    t->nodes++;
    t->flagged += r->s.flagged;
    t->missed_rounding += r->s.missed_rounding;
    t->missed_grids += r->s.missed_grids;
    t->continued += p->continued;
    t->refined += r->s.refined > 0;
    if (r->s.negative && (!t->negative || r->s.negative_q < t->negative_q ||
                          (r->s.negative_q == t->negative_q && r->s.negative_k < t->negative_k))) {
        t->negative_q = r->s.negative_q;
        t->negative_k = r->s.negative_k;
    }
    t->negative += r->s.negative;
    if (p->rank > t->rank_max) t->rank_max = p->rank;
    if (!(fabs(p->sum_rule) <= t->sum_rule)) t->sum_rule = fabs(p->sum_rule);
    const double seconds[5] = {p->seconds_inner, p->seconds_weights, p->seconds_hankel,
                               p->seconds_certificate, p->seconds_total};
    for (int i = 0; i < 5; i++) t->seconds[i] += seconds[i];
}

static cgct_status take_functions(table_assembly *a, size_t item, const run_record *r,
                                  cgct_err *err)
{
    const run_place at = run_job_place(a->job, item);
    if (at.member && !r->s.ntensor) return CGCT_OK;
    if (!a->tensor) {
        a->parts = r->s.ntensor / FORWARD_BLOCK;
        a->tensor = memory_zeros(a->job->nx * r->s.ntensor, sizeof *a->tensor);
    }
    if (!a->parts || r->s.ntensor != a->parts * FORWARD_BLOCK)
        return cgct_fail(err, CGCT_E_FORMAT, "record %zu has functions of another size", item);
    run_record_tensor(r, a->tensor + at.ix * r->s.ntensor);
    return CGCT_OK;
}

static cgct_status take_tensor(table_assembly *a, size_t item, const run_record *r, cgct_err *err)
{
    const run_job *j = a->job;
    const run_place at = run_job_place(j, item);
    if (j->settings->forward) return take_functions(a, item, r, err);
    if (r->s.ntensor != 2 * j->grid.nq * run_job_tensors(j, item))
        return cgct_fail(err, CGCT_E_FORMAT, "record %zu has a tensor of another size", item);
    run_record_tensor(r, a->tensor + (at.member * j->nx + at.ix) * 2 * j->grid.nq);
    return CGCT_OK;
}

/* Any node; of one with a changed dipole only the size, of a coarse one not its errors, which are
 * part of the bounds alone.  Both are read again where nodes are compared. */
static cgct_status take_node(table_assembly *a, size_t item, const uint8_t *bytes, size_t size,
                             cgct_err *err)
{
    run_record r;
    const run_job *j = a->job;
    const int node = run_job_is_node(j, item), changed = !node && !run_job_is_coarse(j, item);
    CGCT_TRY(run_record_parse(bytes, size, &r, err));
    run_record_add_maker(&r, a->total->made_by, sizeof a->total->made_by);
    const size_t m = r.s.nm - 1 - (size_t)r.s.either_sign; /* the largest of a coefficient */
    size_t *most = changed ? &a->modes_changed : &a->total->modes_max;
    if (m > *most) *most = m;
    a->either_sign |= r.s.either_sign;
    if (changed) return CGCT_OK;
    CGCT_TRY(take_tensor(a, item, &r, err));
    if (node) add_node_to_total(a, &r);
    return CGCT_OK;
}

static cgct_status read_items(table_assembly *a, const run_slot *slot, cgct_err *err)
{
    const run_job *j = a->job;
    if (!j->settings->forward)
        a->tensor = memory_zeros(j->nmember * j->nx * j->grid.nq * 2, sizeof *a->tensor);
    for (size_t i = 0; i < j->nitems; i++) {
        uint8_t *bytes;
        size_t size = (size_t)slot[i].record->size;
        CGCT_TRY(cgct_chunk_read(&slot[i].from->f, slot[i].record, &bytes, err));
        cgct_status st = CGCT_OK;
        if (!run_job_is_check(j, i))
            st = take_node(a, i, bytes, size, err);
        else if (!j->settings->forward && run_job_checked(j, i - j->nnode))
            st = run_check_parse(bytes, size, &a->member_checks, err);
        else
            st = run_check_parse(bytes, size, &a->checks, err);
        free(bytes);
        if (st != CGCT_OK) return st;
    }
    return CGCT_OK;
}

/* ---- segments and bounds ---- */

static cgct_status make_segments(table_assembly *a, cgct_err *err)
{
    segment_source *s = &a->nodes;
    const size_t one = s->nx * s->neps * bounds_blocks(&s->shape), n = a->job->nfull * one;
    a->basis = memory_zeros(s->px * s->peps + 1, sizeof *a->basis);
    a->bounds.known = memory_zeros(2 * n + one, sizeof *a->bounds.known);
    a->code = memory_new(a->job->nmember, one);
    a->bounds.between = a->bounds.known + n;
    a->bounds.members = a->bounds.between + n;
    if (a->job->ncoarse) {
        coarse_init(&a->coarse, s);
        CGCT_TRY(variations_make(&a->coarse, &a->variations, a->basis + s->px * s->peps, err));
        CGCT_TRY(coarse_bounds(s, a->variations.stored, a->bounds.members, err));
    }
    for (size_t i = 0; i < s->px * s->peps; i++)
        CGCT_TRY(segment_make(s, i / s->peps, i % s->peps, &a->basis[i], &a->bounds, err));
    return CGCT_OK;
}

/* Members with coarse nodes have the same bounds: those of the first one and the error of their
 * difference.  How many of them need none of their own: */
static size_t shared_bounds(const run_job *job)
{
    return job->ncoarse && job->nmember > 2 ? job->nmember - 2 : 0;
}

/* What bounds are the sum of: 1, or 0 for what is left out.  members: of others than the first. */
typedef struct {
    int known, between, members;
} bound_parts;
static const bound_parts ALL_PARTS = {1, 1, 1};
/* Where few checks calibrate them: in quadrature 4 is never less than twice the sum of four. */
static const double FEW_BETWEEN = 4, FEW_MEMBERS = 2;
/* Where many do.  Those of members are spread over the members: a place that is worse than the
 * estimate may be among none of them. */
static const double MANY_BETWEEN = 0.25, MANY_MEMBERS = 1;

static void set_codes(table_assembly *a, const bound_parts *parts)
{
    const segment_source *s = &a->nodes;
    const segment_bounds *b = &a->bounds;
    const size_t one = s->nx * s->neps * bounds_blocks(&s->shape);
    const size_t sets = a->job->nmember - shared_bounds(a->job);
    for (size_t i = 0; i < sets * one; i++) {
        const int other = a->job->ncoarse && i >= one;
        const size_t at = other ? i % one : i;
        const size_t region = checks_region_of_block(&s->shape, i % bounds_blocks(&s->shape));
        double bound = 0;
        if (parts->known) bound += b->known[at];
        if (parts->between) bound += a->factor[region] * b->between[at];
        if (parts->members && other) bound += a->member_factor[region] * b->members[at];
        a->code[i] = table_bound_code(bound);
    }
}

/* ---- metadata ---- */

/* Appends to the text for the metadata and the user. */
#define SAY(t, ...)                                                                                \
    snprintf((t)->text + strlen((t)->text), sizeof(t)->text - strlen((t)->text), __VA_ARGS__)

/* Nothing here may depend on time or threads: the same run gives the same file. */
static void print_total(run_total *t, double *errors)
{
    const run_quantiles error = run_quantiles_of(t->points, errors);
    SAY(t,
        "nodes\t%zu\npoints\t%zu\nflagged\t%zu\nmissed_by_rounding\t%zu\nmissed_by_grids\t%zu\n"
        "continued\t%zu\nnodes_refined\t%zu\nerror_median\t%.3g\nerror_999\t%.3g\n"
        "error_max\t%.3g\nmodes_max\t%zu\nrank_max\t%d\nsum_rule\t%.3g\nmade_by\t%s\n",
        t->nodes, t->points, t->flagged, t->missed_rounding, t->missed_grids, t->continued,
        t->refined, error.median, error.p999, error.max, t->modes_max, t->rank_max, t->sum_rule,
        t->made_by);
    if (t->negative)
        SAY(t, "negative.points\t%zu\nnegative.q\t%.6g\nnegative.k\t%.6g\n", t->negative,
            t->negative_q, t->negative_k);
}

/* The largest and the least factor of all regions. */
static void print_factors(run_total *t, const char *key, const double *factor)
{
    double least = factor[0], largest = factor[0];
    for (size_t i = 1; i < CHECKS_REGIONS; i++) {
        least = fmin(least, factor[i]);
        largest = fmax(largest, factor[i]);
    }
    SAY(t, "%s\t%.3g\n%s_least\t%.3g\n", key, largest, key, least);
}

static void print_certificate(const table_assembly *a)
{
    double reduction = 0, rounding = 0;
    size_t rank = 0;
    run_total *t = a->total;
    for (size_t i = 0; i < a->nodes.px * a->nodes.peps; i++) {
        const basis *b = &a->basis[i];
        if (b->R > rank) rank = b->R;
        reduction = fmax(reduction, b->reduction);
        rounding = fmax(rounding, b->rounding);
    }
    SAY(t, "certificate.rank\t%zu\ncertificate.reduction\t%.3g\ncertificate.rounding\t%.3g\n", rank,
        reduction, rounding);
    print_factors(t, "certificate.factor", a->factor);
    if (a->dipole.places)
        SAY(t,
            "certificate.dipole_places\t%zu\ncertificate.dipole_median\t%.3g\n"
            "certificate.dipole_999\t%.3g\ncertificate.dipole_max\t%.3g\n"
            "certificate.dipole_resolved\t%.3g\n",
            a->dipole.places, a->dipole.all.median, a->dipole.all.p999, a->dipole.all.max,
            a->dipole.resolved.max);
}

static void print_comparison(const table_assembly *a)
{
    const checks_summary *s = &a->compared;
    if (!a->checks.n) return;
    SAY(a->total, "certificate.outside\t%zu\n", s->outside);
    SAY(a->total,
        "interpolation.points\t%zu\ninterpolation.floor\t%g\ninterpolation.median\t%.3g\n"
        "interpolation.999\t%.3g\ninterpolation.max\t%.3g\ninterpolation.negative\t%zu\n"
        "interpolation.resolved\t%zu\ninterpolation.resolution\t%g\n"
        "interpolation.resolved_median\t%.3g\ninterpolation.resolved_999\t%.3g\n"
        "interpolation.resolved_max\t%.3g\n",
        s->all.n, CHECKS_FLOOR, s->all.median, s->all.p999, s->all.max, s->negative, s->resolved.n,
        CHECKS_RESOLUTION, s->resolved.median, s->resolved.p999, s->resolved.max);
}

static void print_members(const table_assembly *a)
{
    const checks_summary *s = &a->members_compared;
    if (a->job->ncoarse) {
        SAY(a->total, "members.nodes\t%zu\nmembers.variations\t%zu\nmembers.rank\t%zu\n",
            a->job->ncoarse, a->variations.n, a->basis[a->nodes.px * a->nodes.peps].R);
        print_factors(a->total, "members.factor", a->member_factor);
    }
    if (a->member_checks.n)
        SAY(a->total,
            "members.points\t%zu\nmembers.median\t%.3g\nmembers.999\t%.3g\nmembers.max\t%.3g\n"
            "members.resolved\t%zu\nmembers.resolved_median\t%.3g\nmembers.resolved_999\t%.3g\n"
            "members.resolved_max\t%.3g\nmembers.outside\t%zu\n",
            s->all.n, s->all.median, s->all.p999, s->all.max, s->resolved.n, s->resolved.median,
            s->resolved.p999, s->resolved.max, s->outside);
}

/* ---- the file ---- */

static table_content content_of(const table_assembly *a, const meta_list *m)
{
    const segment_source *s = &a->nodes;
    const run_settings *c = a->job->settings;
    const node_grid *g = &a->job->grid;
    return (table_content){.either_sign = a->either_sign,
                           .members = a->job->nmember,
                           .nx = s->nx,
                           .neps = s->neps,
                           .nq = g->nq,
                           .nl = g->nl,
                           .nu = g->nu,
                           .nm = s->shape.nm,
                           .px = s->px,
                           .peps = s->peps,
                           .x = c->x.v,
                           .eps = c->eps.v,
                           .q = c->q.v,
                           .k0 = g->k0,
                           .k_max = g->k_max,
                           .order = {(int)s->order_x, (int)s->order_eps, c->order_q, c->order_v},
                           .bq = s->shape.bq,
                           .bl = s->shape.bl,
                           .bu = s->shape.bu,
                           .program = a->job->program,
                           .nmeta = m->n,
                           .meta = m->list,
                           .tensor = a->tensor,
                           .parts = a->parts,
                           .functions = FORWARD_NODES,
                           .k_end = run_job_functions(a->job).k_end,
                           .x_from = c->x.from,
                           .bounds = a->code,
                           .shared = shared_bounds(a->job),
                           .x_range = {c->x.v[0], c->x.v[c->x.n - 1]},
                           .eps_range = {c->eps.v[0], c->eps.v[c->eps.n - 1]},
                           .dx = a->coarse.nx,
                           .deps = a->coarse.neps,
                           .variations = a->variations.n,
                           .mix = a->variations.mix,
                           .x_of_d = a->job->coarse.x.v,
                           .eps_of_d = a->job->coarse.eps.v};
}

static cgct_status write_assembled(table_assembly *a, cgct_err *err)
{
    const segment_source *s = &a->nodes;
    const size_t n = s->px * s->peps + (a->job->ncoarse > 0);
    table_segment *segment = memory_new(n, sizeof *segment);
    uint32_t *panel = memory_new(s->px + s->peps, sizeof *panel);
    meta_list m = metadata_list(a->job, a->total->text);
    table_content t = content_of(a, &m);
    for (size_t i = 0; i < s->px + s->peps; i++)
        panel[i] = (uint32_t)(i < s->px ? s->each_x : s->each_eps);
    for (const basis *b = a->basis; b < a->basis + n; b++)
        segment[b - a->basis] = (table_segment){b->R, b->step, b->U, NULL, &b->code};
    t.panel_x = panel;
    t.panel_eps = panel + s->px;
    t.segment = segment;
    const cgct_status st = table_put(&t, &a->file, err);
    metadata_free(&m);
    free(segment);
    free(panel);
    return st;
}

/* What the reader of a table with these bounds says at checks. */
static cgct_status try_parts(table_assembly *a, const bound_parts *parts, const check_set *checks,
                             double *value, cgct_err *err)
{
    set_codes(a, parts);
    CGCT_TRY(write_assembled(a, err));
    return checks_evaluate(checks, a->file.file.tmp, value, err);
}

/* Finds the factor of the part of bounds that `more` alone has; `known` has those of the others. */
static cgct_status calibrate_bounds(table_assembly *a, const check_set *checks, double few,
                                    double many, double *factor, const bound_parts *known,
                                    const bound_parts *more, cgct_err *err)
{
    const size_t n = 2 * NPOL * checks->n;
    double *value = memory_new(2 * n, sizeof *value);
    for (size_t i = 0; i < CHECKS_REGIONS; i++) factor[i] = 1;
    cgct_status st = n ? try_parts(a, known, checks, value, err) : CGCT_OK;
    if (st == CGCT_OK && n) st = try_parts(a, more, checks, value + n, err);
    if (st == CGCT_OK) checks_factors(checks, &a->nodes.shape, value, value + n, few, many, factor);
    free(value);
    return st;
}

static cgct_status compare_checks(table_assembly *a, const check_set *checks, checks_summary *s,
                                  cgct_err *err)
{
    double *value = memory_new(2 * NPOL * checks->n, sizeof *value);
    cgct_status st = checks->n ? try_parts(a, &ALL_PARTS, checks, value, err) : CGCT_OK;
    if (st == CGCT_OK) checks_compare(checks, value, s);
    free(value);
    return st;
}

static cgct_status calibrate_and_compare(table_assembly *a, cgct_err *err)
{
    const bound_parts known = {1, 0, 0}, between = {0, 1, 0}, first = {1, 1, 0}, more = {0, 0, 1};
    const check_set *others = &a->member_checks;
    CGCT_TRY(calibrate_bounds(a, &a->checks, FEW_BETWEEN, MANY_BETWEEN, a->factor, &known, &between,
                              err));
    CGCT_TRY(calibrate_bounds(a, others, FEW_MEMBERS, MANY_MEMBERS, a->member_factor, &first, &more,
                              err));
    CGCT_TRY(compare_checks(a, &a->checks, &a->compared, err));
    return compare_checks(a, others, &a->members_compared, err);
}

static cgct_status assemble_all(table_assembly *a, const run_slot *slot, const char *path,
                                cgct_err *err)
{
    CGCT_TRY(read_items(a, slot, err));
    const size_t nm = 1 + a->total->modes_max + (size_t)a->either_sign;
    a->nodes = segment_source_of(a->job, slot, nm, a->either_sign);
    CGCT_TRY(make_segments(a, err));
    if (a->parts) functions_interpolate(a->job, a->parts, a->tensor);
    CGCT_TRY(cgct_chunks_create(&a->file, path, CGCT_TABLE, err));
    CGCT_TRY(calibrate_and_compare(a, err));
    /* After calibration: the checks have the same dipole, and know nothing of its error. */
    segment_source all = a->nodes;
    const size_t changed = 1 + a->modes_changed + (size_t)a->either_sign;
    if (changed > nm) all.shape.nm = changed;
    CGCT_TRY(dipole_error_add(&all, a->bounds.known, &a->dipole, err));
    set_codes(a, &ALL_PARTS);
    print_total(a->total, a->error);
    print_certificate(a);
    print_comparison(a);
    print_members(a);
    CGCT_TRY(write_assembled(a, err));
    return cgct_tmpfile_commit(&a->file.file, err);
}

cgct_status run_assemble(const run_job *j, const run_slot *slot, const char *path, run_total *total,
                         cgct_err *err)
{
    table_assembly a = {.job = j, .total = total};
    *total = (run_total){.nodes = 0};
    cgct_status st = assemble_all(&a, slot, path, err);
    cgct_chunks_close(&a.file);
    for (size_t i = 0; a.basis && i <= a.nodes.px * a.nodes.peps; i++) basis_free(&a.basis[i]);
    free(a.basis);
    free(a.bounds.known);
    free(a.code);
    free(a.tensor);
    free(a.error);
    free(a.checks.v);
    free(a.member_checks.v);
    coarse_free(&a.coarse);
    variations_free(&a.variations);
    return st;
}
