/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "plot.h"

int cmd_plot(tool_call *c)
{
    static const struct {
        const char *name;
        int (*run)(tool_call *c);
    } kinds[] = {
        {"slice", plot_slice},     {"map", plot_map},     {"certificate", plot_certificate},
        {"compare", plot_compare}, {"modes", plot_modes}, {"inner", plot_inner},
    };
    if (c->n > 2 && strcmp(c->word[0], "compare") != 0)
        return tool_usage("%s: one argument too many", c->word[2]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, c->word[0])) return kinds[i].run(c);
    return tool_usage("plot: '%s': unknown kind of picture", c->word[0]);
}
