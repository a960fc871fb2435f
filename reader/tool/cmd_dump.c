/* SPDX-License-Identifier: MIT */
/* dump: the modes at a node in (x,eps), or a slice of values. */
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

/* ---- node ---- */

/* Rows of one pair (q,k) = v[2], v[3]; the bound is that where k is the shorter momentum. */
static int dump_modes(tool_call *c, const double v[5], size_t n, double *modes)
{
    tool_out *o = &c->out;
    double error[2];
    cgct_status st = cgct_modes(c->table, v[0], v[1], v[2], v[3], n, modes);
    if (st == CGCT_OK) st = cgct_eval_error(c->table, v[0], v[1], v[2], v[3], v[4], error);
    if (st != CGCT_OK) return tool_fail_at(c->table, v, st);
    for (size_t m = 0; m < n; m++) {
        out_cell(o, v[2]);
        out_cell(o, v[3]);
        out_cell_count(o, m);
        out_cell(o, modes[m]);
        out_cell(o, modes[n + m]);
        out_cell(o, error[CGCT_T]);
        out_cell(o, error[CGCT_L]);
    }
    return TOOL_OK;
}

static int dump_node(tool_call *c, const char *which)
{
    static const char *const columns[] = {"q", "k", "m", "I_m_T", "I_m_L", "err_T", "err_L"};
    size_t ix, ie;
    int end = 0, st = TOOL_OK;
    if (sscanf(which, "%zu,%zu%n", &ix, &ie, &end) != 2 || which[end])
        return tool_usage("--node: '%s', want IX,IEPS", which);
    TOOL_TRY(tool_open_first(c));
    const tool_axes *a = &c->axes;
    if (ix >= a->n[TOOL_X] || ie >= a->n[TOOL_EPS])
        return tool_fail("%s: node (%zu,%zu) of %zu x %zu; they count from 0", c->word[0], ix, ie,
                         a->n[TOOL_X], a->n[TOOL_EPS]);
    double v[5] = {a->v[TOOL_X][ix], a->v[TOOL_EPS][ie], 0, 0, TOOL_PI};
    double *modes = malloc(2 * a->info.modes * sizeof *modes);
    if (!modes) return tool_fail("no memory for %zu modes", a->info.modes);
    out_remark(&c->out, "q, k in GeV, I_m and err in GeV^-6; err: bound on |error of I|, k the "
                        "shorter momentum");
    out_table(&c->out, "node", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0; i < tool_qk_count(a) && st == TOOL_OK; i++)
        if (tool_qk(c->table, a, i, v + 2, v + 3)) st = dump_modes(c, v, a->info.modes, modes);
    out_table_end(&c->out);
    free(modes);
    return st;
}

/* ---- slice ---- */

/* The row x eps q k1 theta I_T I_L err_T err_L. */
static int print_row(tool_call *c, double v[9])
{
    cgct_status st = cgct_eval(c->table, v[0], v[1], v[2], v[3], v[4], v + 5);
    if (st == CGCT_OK) st = cgct_eval_error(c->table, v[0], v[1], v[2], v[3], v[4], v + 7);
    if (st != CGCT_OK) return tool_fail_at(c->table, v, st);
    for (int i = 0; i < 9; i++) out_cell(&c->out, v[i]);
    return TOOL_OK;
}

/* At the nodes in q and k of the table. */
static int print_slice(tool_call *c, double v[9], const number_list *theta)
{
    static const char *const columns[] = {"x",   "eps", "q",     "k1",   "theta",
                                          "I_T", "I_L", "err_T", "err_L"};
    cgct_err err;
    int st = TOOL_OK;
    if (cgct_check(c->table, v[0], v[1], c->axes.v[TOOL_Q][0], 0, 0, &err) != CGCT_OK)
        return tool_fail("%s", err.text);
    out_table(&c->out, "slice", sizeof columns / sizeof *columns, columns);
    for (size_t i = 0; i < tool_qk_count(&c->axes); i++)
        for (size_t j = 0; tool_qk(c->table, &c->axes, i, v + 2, v + 3) && j < theta->n; j++) {
            v[4] = theta->v[j];
            if (st == TOOL_OK) st = print_row(c, v);
        }
    out_table_end(&c->out);
    return st;
}

static int dump_slice(tool_call *c)
{
    const char *angles = tool_value(c, "--theta");
    double v[9];
    number_list theta;
    TOOL_TRY(tool_option_number(c, "--x", 1e-300, 1, v));
    TOOL_TRY(tool_option_number(c, "--eps", 1e-300, 1e300, v + 1));
    TOOL_TRY(tool_open_first(c));
    TOOL_TRY(tool_list_parse("--theta", angles ? angles : "0", &theta));
    int st = print_slice(c, v, &theta);
    number_list_free(&theta);
    return st;
}

int cmd_dump(tool_call *c)
{
    static const char *const of_slice[] = {"--x", "--eps", "--theta"};
    const char *node = tool_value(c, "--node");
    for (size_t i = 0; i < 3 && node; i++)
        if (tool_value(c, of_slice[i]))
            return tool_usage("%s: is of a slice; it cannot go with --node", of_slice[i]);
    if (node) return dump_node(c, node);
    if (!tool_value(c, "--x") || !tool_value(c, "--eps"))
        return tool_usage("dump: needs --node IX,IEPS, or --x X and --eps E");
    return dump_slice(c);
}
