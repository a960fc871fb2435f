/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c: a node as the sum of those of the parts of its dipole: of a nucleus integrated over the
 * impact parameter.  I and the bounds on its error are linear in the parts. */
#include "node/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/reference.h"
#include "numerics/memory.h"

/* ---- fields ---- */

/* Adds share times the fields of a part, as I_0, I_m: sum has room for nm; and the bound on its
 * error at each angle, bound (points, NODE_ANGLES) GeV^-6. */
static void add_part(const node_fields *part, double share, size_t nm, node_fields *sum,
                     double *bound)
{
    const size_t plane = part->nq * part->nk;
    for (size_t i = 0; i < NPOL * plane; i++) {
        const double *from = part->value + i / plane * part->nm * plane + i % plane;
        double *to = sum->value + i / plane * nm * plane + i % plane, I[NODE_ANGLES];
        const double unit = share * exp(from[0]);
        const size_t first = part->either_sign ? 2 : 1; /* of r_m that belongs to T_1 */
        to[0] += part->either_sign ? unit * (1 + from[plane]) : unit;
        for (size_t m = first; m < part->nm; m++)
            to[(m - first + 1) * plane] += unit * from[m * plane];
        node_fields_at_angles(1, plane, part->nm, part->either_sign, from + plane, I);
        for (size_t j = 0; j < NODE_ANGLES; j++)
            bound[i * NODE_ANGLES + j] += fabs(unit) * part->error[i] * node_bound_unit(1 + I[j]);
    }
}

/* From I_0, I_m to l, r_m, and the errors of node_fields from bounds on I; with either_sign only
 * these, the largest at any angle. */
static void take_logarithms(const double *bound, node_fields *f)
{
    const size_t plane = f->nq * f->nk;
    for (size_t i = 0; i < NPOL * plane; i++, bound += NODE_ANGLES) {
        double *v = f->value + i / plane * f->nm * plane + i % plane, I[NODE_ANGLES];
        for (size_t m = 1; m < f->nm && !f->either_sign; m++) v[m * plane] /= v[0];
        node_fields_at_angles(1, plane, f->nm, 0, v + plane, I);
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            const double unit = f->either_sign ? 1 : v[0] * node_bound_unit(1 + I[j]);
            if (!(bound[j] / unit <= f->error[i])) f->error[i] = bound[j] / unit;
        }
        if (!f->either_sign) v[0] = log(v[0]);
    }
}

static void add_fields(const dipole_source *source, const node_grid *grid, const node_fields *part,
                       node_fields *out)
{
    const size_t n = dipole_source_parts(source), points = NPOL * part->nq * part->nk;
    *out = (node_fields){.nq = part->nq, .nk = part->nk, .nm = 1};
    for (size_t i = 0; i < n; i++) {
        out->either_sign |= part[i].either_sign;
        if (part[i].nm > out->nm) out->nm = part[i].nm;
    }
    out->nm += (size_t)out->either_sign;
    out->value = memory_zeros(out->nm * points, sizeof *out->value);
    out->error = memory_zeros(points, sizeof *out->error);
    double *bound = memory_zeros(points * NODE_ANGLES, sizeof *bound);
    for (size_t i = 0; i < n; i++) {
        double share;
        dipole_source_part(source, i, &share);
        add_part(&part[i], share, out->nm, out, bound);
    }
    take_logarithms(bound, out);
    free(bound);
    if (out->either_sign) node_fields_either_sign(grid, out->nm, out->value, out->error);
}

/* ---- what was chosen and what it cost ---- */

static void add_report(const node_report *part, node_report *sum)
{
    size_t *most[] = {&sum->n_delta, &sum->n_r, &sum->n_s, &sum->n_p, &sum->bytes_peak};
    const size_t v[] = {part->n_delta, part->n_r, part->n_s, part->n_p, part->bytes_peak};
    double *reach[] = {&sum->delta_max, &sum->r_max, &sum->s_max, &sum->sum_rule};
    const double end[] = {part->delta_max, part->r_max, part->s_max, part->sum_rule};
    double *seconds[] = {&sum->seconds_inner, &sum->seconds_weights, &sum->seconds_hankel,
                         &sum->seconds_certificate, &sum->seconds_total};
    const double spent[] = {part->seconds_inner, part->seconds_weights, part->seconds_hankel,
                            part->seconds_certificate, part->seconds_total};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        if (v[i] > *most[i]) *most[i] = v[i];
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        if (!(end[i] <= *reach[i])) *reach[i] = end[i];
    for (size_t i = 0; i < sizeof spent / sizeof *spent; i++) *seconds[i] += spent[i];
    if (part->rank > sum->rank) sum->rank = part->rank;
    if (part->modes > sum->modes) sum->modes = part->modes;
    sum->continued += part->continued;
    sum->backend = part->backend;
    if (!*sum->fallback) memcpy(sum->fallback, part->fallback, sizeof sum->fallback);
}

/* ---- entry ---- */

/* Tables as a list, and the fields of each part. */
static cgct_status compute_parts(const node_task *task, node_tables **n, node_fields *part,
                                 node_report *report, cgct_err *err)
{
    for (size_t i = 0; i < dipole_source_parts(task->source); i++) {
        node_report one = {0};
        node_task k = *task;
        double share;
        k.source = dipole_source_part(task->source, i, &share);
        CGCT_TRY(node_part_compute(&k, n, part ? &part[i] : NULL, &one, err));
        add_report(&one, report);
        for (; n && *n; n = &(*n)->next) (*n)->share = share;
    }
    return CGCT_OK;
}

cgct_status node_compute(const node_task *task, node_tables **n, node_fields *fields,
                         node_report *report, cgct_err *err)
{
    const size_t parts = dipole_source_parts(task->source);
    node_report unused = {0}, *rep = report ? report : &unused;
    *rep = (node_report){0};
    if (n) *n = NULL;
    if (fields) *fields = (node_fields){0};
    double share;
    if (dipole_source_part(task->source, 0, &share) == task->source)
        return node_part_compute(task, n, fields, rep, err);
    node_fields *part = fields ? memory_zeros(parts, sizeof *part) : NULL;
    cgct_status st = compute_parts(task, n, part, rep, err);
    if (st == CGCT_OK && fields) add_fields(task->source, task->grid, part, fields);
    for (size_t i = 0; part && i < parts; i++) node_fields_free(&part[i]);
    free(part);
    if (st == CGCT_OK || !n) return st;
    node_tables_free(*n);
    *n = NULL;
    return st;
}

cgct_status node_plan(const node_task *task, node_report *report, double *work, size_t *device,
                      cgct_err *err)
{
    *report = (node_report){0};
    *work = 0;
    if (device) *device = 0;
    for (size_t i = 0; i < dipole_source_parts(task->source); i++) {
        node_report one;
        node_task k = *task;
        double share, more;
        size_t bytes = 0;
        k.source = dipole_source_part(task->source, i, &share);
        CGCT_TRY(node_part_plan(&k, &one, &more, device ? &bytes : NULL, err));
        add_report(&one, report);
        *work += more;
        if (device && bytes > *device) *device = bytes;
    }
    return CGCT_OK;
}

cgct_status node_transforms(const dipole_source *source, double x, double Nc, size_t nq,
                            const double *q, double *out, cgct_err *err)
{
    const size_t n = REFERENCE_TRANSFORMS * nq;
    double share, *part = memory_new(n, sizeof *part);
    cgct_status st = CGCT_OK;
    for (size_t l = 0; l < n; l++) out[l] = 0;
    for (size_t i = 0; i < dipole_source_parts(source) && st == CGCT_OK; i++) {
        dipole *d = NULL;
        st = dipole_init(&d, dipole_source_part(source, i, &share), x, err);
        if (st == CGCT_OK) st = reference_transforms(d, Nc, nq, q, part, err);
        for (size_t l = 0; l < n && st == CGCT_OK; l++) out[l] += share * part[l];
        dipole_free(d);
    }
    free(part);
    return st;
}

cgct_status node_tensor(const dipole_source *source, double x, size_t nq, const double *q,
                        double *G, double *H, cgct_err *err)
{
    double *all = memory_new(REFERENCE_TRANSFORMS * nq, sizeof *all);
    cgct_status st = node_transforms(source, x, source->Nc, nq, q, all, err);
    for (size_t iq = 0; iq < nq && st == CGCT_OK; iq++) {
        G[iq] = all[REFERENCE_G * nq + iq];
        H[iq] = all[REFERENCE_H * nq + iq];
    }
    free(all);
    return st;
}
