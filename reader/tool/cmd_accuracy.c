/* SPDX-License-Identifier: MIT */
/* cgctab accuracy: where a table is known, and how well, in regions of eps and q. */
#include "accuracy.h"

static const char *const columns[] = {"region", "eps_lo",   "eps_hi", "q_lo",   "q_hi", "k1_hi",
                                      "points", "resolved", "known",  "median", "p999", "worst"};

static int print_region(tool_call *c, accuracy_region *r)
{
    tool_out *o = &c->out;
    TOOL_TRY(accuracy_of(c->table, r));
    const double limits[] = {r->eps[0], r->eps[1], r->q[0], r->q[1], r->k1[1]};
    const double found[] = {r->resolved, r->known, r->median, r->p999, r->worst};
    out_cell_text(o, r->name);
    for (int i = 0; i < 5; i++) out_cell(o, limits[i]);
    out_cell_count(o, r->points);
    for (int i = 0; i < 5; i++) out_cell(o, found[i]);
    return TOOL_OK;
}

static int print_regions(tool_call *c)
{
    accuracy_region r = accuracy_whole(&c->axes);
    TOOL_TRY(print_region(c, &r));
    if (accuracy_dijets(&c->axes, &r)) TOOL_TRY(print_region(c, &r));
    for (size_t i = 0; cgct_pa_channels(c->table) && i < ACCURACY_FORWARD; i++)
        if (accuracy_forward(&c->axes, i, &r)) TOOL_TRY(print_region(c, &r));
    if (cgct_pa_channels(c->table)) return TOOL_OK;
    for (size_t i = 0; i < accuracy_parts(); i++)
        if (accuracy_part(&c->axes, i, &r)) TOOL_TRY(print_region(c, &r));
    return TOOL_OK;
}

int cmd_accuracy(tool_call *c)
{
    TOOL_TRY(tool_open_first(c));
    if (!c->out.digits) c->out.digits = 4;
    out_table(&c->out, "regions", sizeof columns / sizeof *columns, columns);
    const int st = print_regions(c);
    out_table_end(&c->out);
    return st;
}
