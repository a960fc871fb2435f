/* SPDX-License-Identifier: MIT */
/* dump: the angular modes at the nodes in q and k, at one x and eps. */
#include <stdlib.h>

#include "tool.h"

/* x and eps: of --node, or of --x and --eps. */
static int dump_place(const tool_call *c, double v[2])
{
    const char *node = tool_value(c, "--node");
    const tool_axes *a = &c->axes;
    double at[2];
    TOOL_TRY(tool_option_number(c, "--x", 1e-300, 1, &v[0]));
    TOOL_TRY(tool_option_number(c, "--eps", 1e-300, 1e300, &v[1]));
    if (!node) return TOOL_OK;
    if (!integer_pair(node, ',', at) || at[0] < 0 || at[1] < 0)
        return tool_usage("--node: '%s', want IX,IEPS", node);
    if (at[0] >= (double)a->n[TOOL_X] || at[1] >= (double)a->n[TOOL_EPS])
        return tool_fail("%s: node (%.0f,%.0f) of %zu x %zu; they count from 0", c->word[0], at[0],
                         at[1], a->n[TOOL_X], a->n[TOOL_EPS]);
    v[0] = a->v[TOOL_X][(size_t)at[0]];
    v[1] = a->v[TOOL_EPS][(size_t)at[1]];
    return TOOL_OK;
}

int cmd_dump(tool_call *c)
{
    static const char *const columns[] = {"q", "k", "m", "I_m_T", "I_m_L", "err_T", "err_L"};
    const int node = tool_value(c, "--node") != NULL, x = tool_value(c, "--x") != NULL,
              eps = tool_value(c, "--eps") != NULL;
    double v[5] = {0, 0, 0, 0, TOOL_PI};
    cgct_slice *slice = NULL;
    if (node ? x || eps : !x || !eps)
        return tool_usage("dump: needs either --node IX,IEPS or --x X and --eps E");
    TOOL_TRY(tool_open_first(c));
    TOOL_TRY(dump_place(c, v));
    const tool_axes *a = &c->axes;
    int st = tool_slice(c->table, v, &slice);
    if (st != TOOL_OK) return st;
    double *modes = malloc(2 * a->info.modes * sizeof *modes);
    if (!modes) st = tool_fail("no memory for %zu modes", a->info.modes);
    out_remark(&c->out, "x = %.17g, eps = %.17g GeV; q, k in GeV, I_m and err in GeV^-6", v[0],
               v[1]);
    out_table(&c->out, "modes", sizeof columns / sizeof *columns, columns);
    const size_t n = a->info.modes;
    for (size_t i = 0; i < tool_qk_count(a) && st == TOOL_OK; i++) {
        double error[2]; /* at theta = pi, where k is the shorter momentum */
        if (!tool_qk(c->table, a, i, v + 2, v + 3)) continue;
        cgct_status got = cgct_slice_modes(slice, v[2], v[3], n, modes);
        if (got == CGCT_OK) got = cgct_eval_error(c->table, v[0], v[1], v[2], v[3], v[4], error);
        if (got != CGCT_OK) st = tool_fail_at(c->table, v, got);
        for (size_t m = 0; m < n && st == TOOL_OK; m++) {
            out_cells(&c->out, 2, v + 2);
            out_cell_count(&c->out, m);
            out_cell(&c->out, modes[m]);
            out_cell(&c->out, modes[n + m]);
            out_cells(&c->out, 2, error);
        }
    }
    out_table_end(&c->out);
    free(modes);
    cgct_slice_free(slice);
    return st;
}
