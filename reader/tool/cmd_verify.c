/* SPDX-License-Identifier: MIT */
/* cgctab verify: opens and unpacks a table, which checks everything in it, and names what is
 * damaged; with --deep the sign of its values. */
#include <math.h>
#include <stdio.h>

#include "../../format/safe_text.h"
#include "tool.h"

enum { ANGLES = 9 };

typedef struct {
    const char *name; /* of table and member */
    const cgct_table *table;
    cgct_slice *slice; /* of v[0], v[1] */
    size_t values, lost, negative,
        beyond;                      /* lost: not finite; beyond: below 0 by more than bound */
    double deepest;                  /* -I over its bound */
    double v[5], worst[5], I, bound; /* the point at hand; of the deepest: its place, I, bound */
    int pol;                         /* of the deepest */
    int either_sign;                 /* of the table: the dipole itself may give negative values */
} deep_state;

/* All angles at v[2] = q, v[3] = k. */
static int scan_angles(deep_state *s)
{
    double theta[ANGLES], I[2 * ANGLES], *v = s->v;
    for (int i = 0; i < ANGLES; i++) theta[i] = TOOL_PI * i / (ANGLES - 1);
    cgct_status st = cgct_slice_angles(s->slice, v[2], v[3], ANGLES, theta, I);
    v[4] = 0;
    if (st != CGCT_OK) return tool_fail_at(s->table, v, st);
    for (int i = 0; i < 2 * ANGLES; i++) {
        s->values++;
        s->lost += !isfinite(I[i]);
        v[4] = theta[i / 2];
        if (!(I[i] < 0)) continue;
        double bound[2];
        st = cgct_eval_error(s->table, v[0], v[1], v[2], v[3], v[4], bound);
        if (st != CGCT_OK) return tool_fail_at(s->table, v, st);
        const double depth = -I[i] / bound[i % 2];
        s->negative++;
        s->beyond += !(-I[i] <= bound[i % 2]);
        if (depth <= s->deepest) continue;
        s->deepest = depth;
        memcpy(s->worst, v, sizeof s->worst);
        s->I = I[i];
        s->bound = bound[i % 2];
        s->pol = i % 2;
    }
    return TOOL_OK;
}

static double between(double a, double b)
{
    return a > 0 ? sqrt(a * b) : b / 2;
}

/* The nodes, or the middle of each cell, which ends with node i + 1 in k; an axis of one node in x
 * or eps has this one. */
static int scan_slices(deep_state *s, const tool_axes *a, int middle)
{
    size_t nx = a->n[TOOL_X] - (middle && a->n[TOOL_X] > 1);
    size_t neps = a->n[TOOL_EPS] - (middle && a->n[TOOL_EPS] > 1);
    const size_t nk = a->info.nk_lower + a->info.nk_upper;
    for (size_t i = 0; i < nx * neps; i++) {
        const size_t at[2] = {i / neps, i % neps};
        for (int j = 0; j < 2; j++) {
            const double *v = a->v[j] + at[j];
            s->v[j] = middle && a->n[j] > 1 ? between(v[0], v[1]) : v[0];
        }
        TOOL_TRY(tool_slice(s->table, s->v, &s->slice));
        for (size_t k = 0; k < tool_qk_count(a); k++) {
            double next;
            int node = tool_qk(s->table, a, k, &s->v[2], &s->v[3]);
            if (!middle && !node) continue;
            if (middle) {
                if (k / nk + 1 == a->n[TOOL_Q] || k % nk + 1 == nk) continue;
                if (!tool_qk(s->table, a, k + 1, &s->v[2], &next)) continue;
                s->v[2] = between(s->v[2], a->v[TOOL_Q][k / nk + 1]);
                s->v[3] = between(s->v[3], next);
            }
            TOOL_TRY(scan_angles(s));
        }
    }
    return TOOL_OK;
}

static void print_deep(tool_out *o, const deep_state *s)
{
    if (o->form == OUT_JSON) {
        out_enter(o, s->name);
        out_count(o, "values", s->values);
        out_count(o, "not_finite", s->lost);
        out_count(o, "negative", s->negative);
        out_count(o, "negative_beyond_bound", s->beyond);
        out_number(o, "deepest", s->deepest, "");
        out_leave(o);
    } else if (!o->quiet) {
        safe_line(
            o->f,
            "%s: %zu values at nodes and between them; not finite: %zu; below 0: %zu, by at most "
            "%.3g of their bound; beyond it: %zu%s",
            s->name, s->values, s->lost, s->negative, s->deepest, s->beyond,
            s->either_sign ? ", where the dipole gives no positive cross section" : "");
    }
}

static int judge(const deep_state *s)
{
    if (s->lost)
        return tool_fail("%s: %zu of %zu values are not finite", s->name, s->lost, s->values);
    if (s->beyond && !s->either_sign)
        return tool_fail("%s: %zu of %zu values are below 0 by more than their bound, which is too "
                         "small; farthest: I_%c at x = %g, eps = %g, q = %g, k1 = %g, theta = %g: "
                         "%.3g, bound %.3g",
                         s->name, s->beyond, s->values, polarisation_name[s->pol], s->worst[0],
                         s->worst[1], s->worst[2], s->worst[3], s->worst[4], s->I, s->bound);
    return TOOL_OK;
}

/* All members, unless FILE@MEMBER names one. */
static int verify_values(tool_call *c)
{
    const size_t n = tool_members_meant(c->word[0], c->table);
    int all = TOOL_OK;
    for (size_t i = 0; i < n; i++) {
        deep_state s = {0};
        cgct_table *t;
        cgct_err err;
        char name[TOOL_PATH], member[32];
        snprintf(member, sizeof member, "%zu", n > 1 ? i : c->axes.info.member);
        snprintf(name, sizeof name, "%s%s%s", c->word[0], n > 1 ? "@" : "", n > 1 ? member : "");
        if (cgct_open_member(c->table, member, &t, &err) != CGCT_OK)
            return tool_fail("%s", err.text);
        s.name = name;
        s.table = t;
        s.either_sign = c->axes.info.data_version % 2 == 0;
        const tool_axes axes = tool_axes_of(t);
        int st = scan_slices(&s, &axes, 0);
        if (st == TOOL_OK) st = scan_slices(&s, &axes, 1);
        cgct_slice_free(s.slice);
        if (st == TOOL_OK) {
            print_deep(&c->out, &s);
            st = judge(&s);
        }
        cgct_close(t);
        if (st != TOOL_OK) all = st;
    }
    return all;
}

int cmd_verify(tool_call *c)
{
    cgct_err err;
    TOOL_TRY(tool_open_first(c));
    if (cgct_load(c->table, &err) != CGCT_OK) return tool_fail("%s", err.text);
    const char *path = cgct_table_path(c->table);
    if (tool_value(c, "--deep") && cgct_pa_channels(c->table))
        return tool_fail("%s: --deep looks for negative values, and T of forward dijets may have "
                         "either sign; leave it out",
                         path);
    if (c->out.form == OUT_JSON)
        out_text(&c->out, "file", path);
    else if (!c->out.quiet)
        safe_line(stdout, "%s: good: every chunk by name, size and checksum, and all numbers",
                  path);
    char negative[TOOL_PATH];
    tool_negative(c->table, negative);
    if (*negative && c->out.form == OUT_JSON)
        out_text(&c->out, "negative", negative);
    else if (*negative && !c->out.quiet)
        safe_line(stdout, "%s: %s", path, negative);
    return tool_value(c, "--deep") ? verify_values(c) : TOOL_OK;
}
