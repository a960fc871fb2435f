/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "plot.h"

#define VARIABLES " --x --eps --q --k1 --theta "

static const struct {
    const char *name;
    int (*run)(tool_call *c);
    const char *options; /* between blanks */
} kinds[] = {
    {"slice", plot_slice, VARIABLES "--along "},
    {"compare", plot_compare, VARIABLES "--along "},
    {"map", plot_map, " --x --eps --m "},
    {"certificate", plot_certificate, " --x --eps --flag "},
    {"modes", plot_modes, " --x --eps --q --k1 "},
    {"inner", plot_inner, " --m "},
};

/* An option that this kind would not look at is a misunderstanding. */
static int check_options(const tool_call *c, const char *options)
{
    for (size_t i = 0; i < c->ngiven; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", c->given[i].name);
        if (strstr(options, word) || strstr(" -o --data ", word)) continue;
        for (const command_option *f = c->command->options; f->name; f++)
            if (!strcmp(f->name, c->given[i].name))
                return tool_usage("plot %s: %s has no meaning here; it takes%.*s", c->word[0],
                                  f->name, (int)strlen(options) - 1, options);
    }
    return TOOL_OK;
}

int cmd_plot(tool_call *c)
{
    if (c->n > 2 && strcmp(c->word[0], "compare") != 0)
        return tool_usage("%s: one argument too many", c->word[2]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, c->word[0]) != 0) continue;
        int st = check_options(c, kinds[i].options);
        return st == TOOL_OK ? kinds[i].run(c) : st;
    }
    return tool_usage("plot: '%s': unknown kind of picture", c->word[0]);
}
