/* SPDX-License-Identifier: MIT */
/* Opens tables, with a helpful message where that fails; axes of a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

const char *const tool_axis_name[4] = {"x", "eps", "q", "k"};

/* ---- files ---- */

static int missing_file(const char *file, const cgct_err *err)
{
    char folder[512], hint[300];
    const char *path = getenv("CGCTAB_DATA_PATH");
    nearest_word near;
    nearest_start_file(&near, file, ".cgct");
    for (; !strchr(file, '/') && path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path, ":"), path);
        nearest_try_folder(&near, folder, ".cgct");
    }
    return tool_fail("%s%s", err->text, nearest_hint(&near, hint));
}

/* Says which program reads a file that is not a table, if it is an inner table. */
static int not_a_table(const char *file, const cgct_err *err)
{
    const char *dot = strrchr(file, '.');
    if (dot && !strcmp(dot, ".cgci"))
        return tool_fail(
            "%s; 'cgctab plot inner' and 'cgctab-generate transform' read inner tables", err->text);
    return tool_fail("%s", err->text);
}

int tool_open(const char *file, tool_want want, cgct_table **table)
{
    cgct_err err;
    cgct_info info;
    cgct_status st =
        want == TOOL_INDEX ? cgct_open_index(file, table, &err) : cgct_open(file, table, &err);
    if (st == CGCT_E_IO && access(file, F_OK) != 0) return missing_file(file, &err);
    if (st != CGCT_OK) return not_a_table(file, &err);
    /* the index alone does not map the nodes of an unpacked table */
    if (want == TOOL_INDEX && cgct_table_info(*table, &info) == CGCT_OK && info.unpacked) {
        cgct_close(*table);
        if (cgct_open(file, table, &err) != CGCT_OK) return tool_fail("%s", err.text);
    }
    return TOOL_OK;
}

int tool_open_first(tool_call *c, tool_want want)
{
    TOOL_TRY(tool_open(c->word[c->command->first ? 1 : 0], want, &c->table));
    c->axes = tool_axes_of(c->table);
    return TOOL_OK;
}

/* ---- axes ---- */

tool_axes tool_axes_of(const cgct_table *t)
{
    tool_axes a;
    for (int i = 0; i < 4; i++) a.v[i] = cgct_axis_values(t, (cgct_axis)i, &a.n[i]);
    return a;
}

size_t tool_nearest_node(size_t n, const double *v, double at)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(log(v[i] / at)) < fabs(log(v[best] / at))) best = i;
    return best;
}
