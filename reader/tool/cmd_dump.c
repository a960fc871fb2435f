/* SPDX-License-Identifier: MIT */
/* dump: a node as it is stored, or a slice of values. */
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

static int dump_node(tool_call *c, const char *which)
{
    static const char *const columns[] = {"q",     "k",     "m",      "T",     "L",
                                          "err_T", "err_L", "flag_T", "flag_L"};
    cgct_err err;
    cgct_node_data d;
    size_t ix, ie;
    int end = 0;
    if (sscanf(which, "%zu,%zu%n", &ix, &ie, &end) != 2 || which[end])
        return tool_usage("--node: '%s', want IX,IEPS", which);
    TOOL_TRY(tool_open_first(c, TOOL_INDEX));
    if (cgct_node_read(c->table, ix, ie, &d, &err) != CGCT_OK) return tool_fail("%s", err.text);
    out_table(&c->out, "node", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0, n = d.nq * d.nk; i < n; i++)
        for (size_t m = 0; m < d.nm; m++) {
            out_cell(&c->out, c->axes.v[2][i / d.nk]);
            out_cell(&c->out, c->axes.v[3][i % d.nk]);
            out_cell_count(&c->out, m);
            out_cell(&c->out, d.modes[i * d.nm + m]);
            out_cell(&c->out, d.modes[(n + i) * d.nm + m]);
            out_cell(&c->out, d.error[i]);
            out_cell(&c->out, d.error[n + i]);
            out_cell_count(&c->out, d.flag[i]);
            out_cell_count(&c->out, d.flag[n + i]);
        }
    out_table_end(&c->out);
    cgct_node_free(&d);
    return TOOL_OK;
}

/* ---- slice ---- */

/* The option's list, or the axis. */
static int list_or_axis(const tool_call *c, const char *option, size_t n, const double *axis,
                        number_list *list)
{
    const char *text = tool_value(c, option);
    if (text) return tool_list_parse(option, text, list);
    for (size_t i = 0; i < n; i++) TOOL_TRY(tool_list_add(list, axis[i]));
    return TOOL_OK;
}

typedef struct {
    double x, eps;
    number_list q, k, theta;
} dump_grid;

/* Columns x eps q k1 theta of point i, theta fastest. */
static void dump_point(const dump_grid *g, size_t i, double v[5])
{
    size_t nt = g->theta.n, nk = g->k.n;
    v[0] = g->x;
    v[1] = g->eps;
    v[2] = g->q.v[i / nt / nk];
    v[3] = g->k.v[i / nt % nk];
    v[4] = g->theta.v[i % nt];
}

/* Nothing is printed before every point is good. */
static int print_slice(tool_out *o, const cgct_table *t, const dump_grid *g)
{
    static const char *const columns[] = {"x",   "eps", "q",     "k1",   "theta",
                                          "I_T", "I_L", "err_T", "err_L"};
    size_t n = g->q.n * g->k.n * g->theta.n;
    double v[9];
    cgct_err err;
    for (size_t i = 0; i < n; i++) {
        dump_point(g, i, v);
        if (cgct_check(t, v[0], v[1], v[2], v[3], v[4], &err) != CGCT_OK)
            return tool_fail("%s", err.text);
    }
    out_table(o, "slice", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0; i < n; i++) {
        dump_point(g, i, v);
        cgct_status st = cgct_eval(t, v[0], v[1], v[2], v[3], v[4], v + 5);
        if (st == CGCT_OK) st = cgct_eval_error(t, v[0], v[1], v[2], v[3], v[4], v + 7);
        if (st != CGCT_OK) return tool_fail("%s", cgct_strerror(st));
        for (int c = 0; c < 9; c++) out_cell(o, v[c]);
    }
    out_table_end(o);
    return TOOL_OK;
}

static int dump_slice(tool_call *c)
{
    dump_grid g = {0};
    const double zero = 0;
    TOOL_TRY(tool_option_number(c, "--x", 1e-300, 1, &g.x));
    TOOL_TRY(tool_option_number(c, "--eps", 1e-300, 1e300, &g.eps));
    TOOL_TRY(tool_open_first(c, TOOL_NODES));
    int st = list_or_axis(c, "--q", c->axes.n[2], c->axes.v[2], &g.q);
    if (st == TOOL_OK) st = list_or_axis(c, "--k1", c->axes.n[3], c->axes.v[3], &g.k);
    if (st == TOOL_OK) st = list_or_axis(c, "--theta", 1, &zero, &g.theta);
    if (st == TOOL_OK) st = print_slice(&c->out, c->table, &g);
    number_list_free(&g.q);
    number_list_free(&g.k);
    number_list_free(&g.theta);
    return st;
}

int cmd_dump(tool_call *c)
{
    static const char *const of_slice[] = {"--x", "--eps", "--q", "--k1", "--theta"};
    const char *node = tool_value(c, "--node");
    for (size_t i = 0; i < 5 && node; i++)
        if (tool_value(c, of_slice[i]))
            return tool_usage("%s: is of a slice; it cannot go with --node", of_slice[i]);
    if (node) return dump_node(c, node);
    if (!tool_value(c, "--x") || !tool_value(c, "--eps"))
        return tool_usage("dump: needs --node IX,IEPS, or --x X and --eps E");
    return dump_slice(c);
}
