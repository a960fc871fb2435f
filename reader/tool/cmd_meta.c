/* SPDX-License-Identifier: MIT */
/* keys, get, axes, where, unpack: one look, one answer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

int cmd_keys(tool_call *c)
{
    cgct_table *t;
    int st = tool_open(c->word[0], TOOL_INDEX, &t);
    if (st != TOOL_OK) return st;
    size_t n = cgct_meta_count(t);
    const char **key = malloc((n + 1) * sizeof *key);
    for (size_t i = 0; key && i < n; i++) key[i] = cgct_meta_key(t, i);
    if (key)
        out_texts(&c->out, "keys", n, key);
    else
        st = tool_fail("no memory for %zu keys", n);
    free(key);
    cgct_close(t);
    return st;
}

int cmd_get(tool_call *c)
{
    cgct_table *t;
    nearest_word near;
    char hint[300];
    int st = tool_open(c->word[0], TOOL_INDEX, &t);
    if (st != TOOL_OK) return st;
    const char *value = cgct_meta(t, c->word[1]);
    if (value && c->out.form == OUT_JSON) {
        out_text(&c->out, c->word[1], value);
    } else if (value) {
        size_t n = strlen(value);
        printf("%s%s", value, n && value[n - 1] == '\n' ? "" : "\n");
    } else {
        nearest_start(&near, c->word[1]);
        for (size_t i = 0; i < cgct_meta_count(t); i++) nearest_try(&near, cgct_meta_key(t, i));
        st = tool_fail("%s: no key %s among %zu%s", cgct_table_path(t), c->word[1],
                       cgct_meta_count(t), nearest_hint(&near, hint));
    }
    cgct_close(t);
    return st;
}

int cmd_axes(tool_call *c)
{
    cgct_table *t;
    nearest_word near;
    char hint[300];
    int only = -1;
    for (int a = 0; a < 4 && c->n == 2; a++)
        if (!strcmp(c->word[1], tool_axis_name[a])) only = a;
    if (c->n == 2 && only < 0) {
        nearest_start(&near, c->word[1]);
        nearest_try_choices(&near, "x|eps|q|k");
        return tool_usage("axes: '%s', want x|eps|q|k%s", c->word[1], nearest_hint(&near, hint));
    }
    int st = tool_open(c->word[0], TOOL_INDEX, &t);
    if (st != TOOL_OK) return st;
    tool_axes axes = tool_axes_of(t);
    for (int a = 0; a < 4; a++)
        if (only < 0 || only == a) out_numbers(&c->out, tool_axis_name[a], axes.n[a], axes.v[a]);
    cgct_close(t);
    return TOOL_OK;
}

int cmd_unpack(tool_call *c)
{
    cgct_table *t;
    cgct_err err;
    int st = tool_open(c->word[0], TOOL_NODES, &t);
    if (st != TOOL_OK) return st;
    if (cgct_unpack(t, c->word[1], &err) != CGCT_OK)
        st = tool_fail("%s", err.text);
    else if (c->out.form == OUT_JSON || !c->out.quiet)
        out_text(&c->out, "table", c->word[1]);
    cgct_close(t);
    return st;
}

/* ---- where ---- */

static int is_table(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && !strcmp(name + n - 5, ".cgct");
}

static int table_name(const struct dirent *e)
{
    return is_table(e->d_name);
}

static void show_folder(tool_out *o, const char *folder)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, table_name, alphasort);
    for (int i = 0; i < n; i++) {
        char path[1024];
        cgct_table *t;
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        free(entry[i]);
        if (cgct_open_index(path, &t, NULL) != CGCT_OK) continue;
        out_cell_text(o, path);
        cgct_close(t);
    }
    if (n >= 0) free(entry);
}

/* Tables of the working directory and of each folder of CGCTAB_DATA_PATH. */
static void show_all(tool_out *o)
{
    static const char *const columns[] = {"table"};
    const char *path = getenv("CGCTAB_DATA_PATH");
    if (o->form == OUT_JSON || !o->quiet)
        out_text(o, "path", path ? path : o->form == OUT_JSON ? "" : "(CGCTAB_DATA_PATH not set)");
    out_table(o, "tables", 1, columns);
    show_folder(o, ".");
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        char folder[512];
        snprintf(folder, sizeof folder, "%.*s", (int)strcspn(path, ":"), path);
        show_folder(o, folder);
    }
    out_table_end(o);
}

int cmd_where(tool_call *c)
{
    cgct_table *t;
    if (c->n == 0) {
        show_all(&c->out);
        return TOOL_OK;
    }
    int st = tool_open(c->word[0], TOOL_INDEX, &t);
    if (st != TOOL_OK) return st;
    if (c->out.form == OUT_JSON)
        out_text(&c->out, "path", cgct_table_path(t));
    else
        printf("%s\n", cgct_table_path(t));
    cgct_close(t);
    return TOOL_OK;
}
