/* SPDX-License-Identifier: MIT */
/* keys, get, axes, where: one look, one answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

int cmd_keys(tool_call *c)
{
    TOOL_TRY(tool_open_first(c));
    size_t n = cgct_meta_count(c->table);
    const char **key = malloc((n + 1) * sizeof *key);
    if (!key) return tool_fail("no memory for %zu keys", n);
    for (size_t i = 0; i < n; i++) key[i] = cgct_meta_key(c->table, i);
    out_texts(&c->out, "keys", n, key);
    free(key);
    return TOOL_OK;
}

int cmd_get(tool_call *c)
{
    nearest_word near;
    char hint[300];
    TOOL_TRY(tool_open_first(c));
    const char *key = c->word[1], *value = cgct_meta(c->table, key);
    if (!value) {
        size_t n = cgct_meta_count(c->table);
        nearest_start(&near, key);
        for (size_t i = 0; i < n; i++) nearest_try(&near, cgct_meta_key(c->table, i));
        return tool_fail("%s: no key %s among %zu%s", cgct_table_path(c->table), key, n,
                         nearest_hint(&near, hint));
    }
    size_t n = strlen(value);
    if (c->out.form == OUT_JSON)
        out_text(&c->out, key, value);
    else
        printf("%s%s", value, n && value[n - 1] == '\n' ? "" : "\n");
    return TOOL_OK;
}

/* The nodes in k depend on q. */
static void print_k_nodes(const cgct_table *t, const tool_axes *axes, tool_out *o)
{
    static const char *const columns[] = {"q", "k"};
    size_t nk = axes->info.nk_lower + axes->info.nk_upper;
    out_table(o, "k", 2, columns);
    for (size_t i = 0; i < axes->n[TOOL_Q] * nk; i++) {
        out_cell(o, axes->v[TOOL_Q][i / nk]);
        out_cell(o, cgct_node_k(t, i / nk, i % nk));
    }
    out_table_end(o);
}

int cmd_axes(tool_call *c)
{
    const char *only = c->n == 2 ? c->word[1] : NULL;
    if (only) TOOL_TRY(tool_check_choice("axes", "x|eps|q|k", only));
    TOOL_TRY(tool_open_first(c));
    for (int a = 0; a < TOOL_K; a++)
        if (!only || !strcmp(only, tool_axis_name[a]))
            out_numbers(&c->out, tool_axis_name[a], c->axes.n[a], c->axes.v[a]);
    if (only && !strcmp(only, "k")) print_k_nodes(c->table, &c->axes, &c->out);
    return TOOL_OK;
}

/* ---- where ---- */

static void show_table(void *to, const char *path)
{
    cgct_table *t;
    if (cgct_open(path, &t, NULL) == CGCT_OK) out_cell_text(to, path);
    cgct_close(t);
}

/* Tables of the working directory and of each folder of CGCTAB_DATA_PATH. */
static void show_all(tool_out *o)
{
    static const char *const columns[] = {"table"};
    const char *path = getenv("CGCTAB_DATA_PATH");
    if (o->form == OUT_JSON || !o->quiet)
        out_text(o, "path", path ? path : o->form == OUT_JSON ? "" : "(CGCTAB_DATA_PATH not set)");
    out_table(o, "tables", 1, columns);
    tool_each_table(".", show_table, o);
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        char folder[512];
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path, ":"), path);
        tool_each_table(folder, show_table, o);
    }
    out_table_end(o);
}

int cmd_where(tool_call *c)
{
    if (c->n == 0) return show_all(&c->out), TOOL_OK;
    TOOL_TRY(tool_open_first(c));
    if (c->out.form == OUT_JSON)
        out_text(&c->out, "path", cgct_table_path(c->table));
    else
        printf("%s\n", cgct_table_path(c->table));
    return TOOL_OK;
}
