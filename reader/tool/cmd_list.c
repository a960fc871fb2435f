/* SPDX-License-Identifier: MIT */
/* list and stats: what the nodes hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

/* ---- list ---- */

/* Largest error bound over I_0, in I = 2 pi I_0 + ...; points without a positive I_0 count as
 * flagged, and not here. */
static double worst_bound(const cgct_node_data *d, size_t *flagged)
{
    double worst = 0;
    *flagged = 0;
    for (size_t i = 0; i < 2 * d->nq * d->nk; i++) {
        double share = d->error[i] / (2 * TOOL_PI * d->modes[i * d->nm]);
        if (d->flag[i]) ++*flagged;
        if (!d->flag[i] && share > worst) worst = share;
    }
    return worst;
}

static int list_node(tool_call *c, size_t ix, size_t ie)
{
    tool_out *o = &c->out;
    cgct_node_data d;
    cgct_node_info info;
    cgct_err err;
    size_t flagged;
    if (cgct_node_read(c->table, ix, ie, &d, &err) != CGCT_OK) return tool_fail("%s", err.text);
    cgct_node_sizes(c->table, ix, ie, &info);
    double worst = worst_bound(&d, &flagged);
    out_cell_count(o, ix);
    out_cell_count(o, ie);
    out_cell(o, c->axes.v[0][ix]);
    out_cell(o, c->axes.v[1][ie]);
    out_cell_count(o, info.modes);
    out_cell_count(o, (size_t)info.stored_bytes);
    out_cell_count(o, (size_t)info.raw_bytes);
    out_cell(o, worst);
    out_cell_count(o, flagged);
    cgct_node_free(&d);
    return TOOL_OK;
}

int cmd_list(tool_call *c)
{
    static const char *const columns[] = {"ix",     "ieps", "x",         "eps",    "modes",
                                          "stored", "raw",  "error_max", "flagged"};
    int st = tool_open_first(c, TOOL_INDEX);
    if (st != TOOL_OK) return st;
    size_t neps = c->axes.n[1];
    out_table(&c->out, "nodes", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0; i < c->axes.n[0] * neps && st == TOOL_OK; i++)
        st = list_node(c, i / neps, i % neps);
    out_table_end(&c->out);
    return st;
}

/* ---- stats ---- */

typedef struct {
    size_t nm, points;  /* points that entered */
    double *low, *high; /* (2, nm): of I_m/I_0; a node has the modes that it stores */
} mode_range;

static void add_mode_ranges(mode_range *r, const cgct_node_data *d)
{
    size_t n = d->nq * d->nk;
    for (size_t i = 0; i < 2 * n; i++) {
        if (d->flag[i]) continue;
        r->points++;
        for (size_t m = 0; m < d->nm; m++) {
            double v = d->modes[i * d->nm + m] / d->modes[i * d->nm];
            size_t at = i / n * r->nm + m;
            if (v < r->low[at]) r->low[at] = v;
            if (v > r->high[at]) r->high[at] = v;
        }
    }
}

static void print_range(tool_out *o, const mode_range *r)
{
    static const char *const columns[] = {"m",     "min_T", "max_T",  "decay_T",
                                          "min_L", "max_L", "decay_L"};
    double before[TOOL_T_AND_L] = {NAN, NAN};
    out_table(o, "modes", sizeof columns / sizeof *columns, columns);
    for (size_t m = 0; m < r->nm; m++) {
        out_cell_count(o, m);
        for (size_t pol = 0; pol < TOOL_T_AND_L; pol++) {
            double low = r->low[pol * r->nm + m], high = r->high[pol * r->nm + m];
            double size = fmax(fabs(low), fabs(high));
            out_cell(o, low);
            out_cell(o, high);
            out_cell(o, size / before[pol]);
            before[pol] = size;
        }
    }
    out_table_end(o);
}

static int scan(const tool_call *c, mode_range *r)
{
    for (size_t i = 0, neps = c->axes.n[1]; i < c->axes.n[0] * neps; i++) {
        cgct_node_data d;
        cgct_err err;
        if (cgct_node_read(c->table, i / neps, i % neps, &d, &err) != CGCT_OK)
            return tool_fail("%s", err.text);
        add_mode_ranges(r, &d);
        cgct_node_free(&d);
    }
    return TOOL_OK;
}

int cmd_stats(tool_call *c)
{
    cgct_info info;
    TOOL_TRY(tool_open_first(c, TOOL_INDEX));
    cgct_table_info(c->table, &info);
    size_t n = TOOL_T_AND_L * info.modes_max;
    double *memory = malloc(2 * n * sizeof *memory);
    if (!memory) return tool_fail("no memory for %zu modes", info.modes_max);
    mode_range r = {info.modes_max, 0, memory, memory + n};
    for (size_t i = 0; i < n; i++) {
        r.low[i] = INFINITY;
        r.high[i] = -INFINITY;
    }
    int st = scan(c, &r);
    if (st == TOOL_OK && !(c->out.quiet && c->out.form != OUT_JSON) && c->out.form != OUT_CSV) {
        out_count(&c->out, "file_bytes", (size_t)info.file_bytes);
        out_count(&c->out, "stored_bytes", (size_t)info.stored_bytes);
        out_count(&c->out, "raw_bytes", (size_t)info.raw_bytes);
        out_number(&c->out, "ratio", info.raw_bytes / info.stored_bytes, "");
        out_count(&c->out, "points", r.points);
        out_count(&c->out, "flagged", info.flagged);
    }
    if (st == TOOL_OK) print_range(&c->out, &r);
    free(memory);
    return st;
}
