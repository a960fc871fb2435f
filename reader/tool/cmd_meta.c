/* SPDX-License-Identifier: MIT */
/* keys, get, axes, where: one look, one answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../format/safe_text.h"
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

/* To the byte, so that a script gets the card or the name of a file; a terminal is spared control
 * characters. */
static void print_as_it_is(const char *text)
{
    const size_t n = strlen(text);
    if (isatty(STDOUT_FILENO))
        safe_put(stdout, SAFE_LINES, text);
    else
        fputs(text, stdout);
    if (!n || text[n - 1] != '\n') putchar('\n');
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
    if (c->out.form == OUT_JSON)
        out_text(&c->out, key, value);
    else
        print_as_it_is(value);
    return TOOL_OK;
}

int cmd_axes(tool_call *c)
{
    static const char *const columns[] = {"q", "k"};
    const char *only = c->n == 2 ? c->word[1] : NULL;
    if (only) TOOL_TRY(tool_check_choice("axes", "x|eps|q|k", only));
    TOOL_TRY(tool_open_first(c));
    for (int a = 0; a < TOOL_K; a++)
        if (!only || !strcmp(only, tool_axis_name[a]))
            out_numbers(&c->out, tool_axis_name[a], c->axes.n[a], c->axes.v[a]);
    if (!only || strcmp(only, "k") != 0) return TOOL_OK;
    const size_t nk = c->axes.info.nk_lower + c->axes.info.nk_upper; /* they depend on q */
    out_table(&c->out, "k", 2, columns);
    for (size_t i = 0; i < c->axes.n[TOOL_Q] * nk; i++) {
        out_cell(&c->out, c->axes.v[TOOL_Q][i / nk]);
        out_cell(&c->out, cgct_node_k(c->table, i / nk, i % nk));
    }
    out_table_end(&c->out);
    return TOOL_OK;
}

/* ---- where ---- */

static void show_table(void *to, const char *path)
{
    cgct_table *t;
    if (cgct_open(path, &t, NULL) == CGCT_OK) out_cell_text(to, path);
    cgct_close(t);
}

static void show_folder(void *to, const char *folder)
{
    tool_each_table(folder, show_table, to);
}

/* Tables of the working directory and of each folder. */
static void show_tables(tool_out *o)
{
    static const char *const columns[] = {"table"};
    const char *path = getenv("CGCTAB_DATA_PATH"), *installed = cgct_data_folder();
    if (o->form == OUT_JSON || !o->quiet) {
        out_text(o, "path", path ? path : o->form == OUT_JSON ? "" : "(CGCTAB_DATA_PATH not set)");
        if (installed) out_text(o, "installed", installed);
    }
    out_table(o, "tables", 1, columns);
    show_folder(o, ".");
    tool_each_folder(show_folder, o);
    out_table_end(o);
}

/* The files that a name stands for. */
typedef struct {
    tool_out *out;
    const char *name;
    int length; /* of the name, without @MEMBER where this is no part of it */
    size_t hits;
} name_hits;

static void show_hit(name_hits *h, const char *path)
{
    static const char *const columns[] = {"file", "opened"};
    struct stat st;
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode)) return;
    if (!h->hits++) out_table(h->out, "files", 2, columns);
    out_cell_text(h->out, path);
    out_cell_text(h->out, h->hits == 1 ? "yes" : "no");
}

static void show_hits_in(void *to, const char *folder)
{
    static const char *const end[] = {"", ".cgct"};
    char path[TOOL_PATH];
    name_hits *h = to;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%.*s%s", folder, h->length, h->name, end[i]);
        show_hit(h, path);
    }
}

static void show_hits(name_hits *h)
{
    char name[TOOL_PATH];
    snprintf(name, sizeof name, "%.*s", h->length, h->name);
    show_hit(h, name);
    if (*name && !strchr(name, '/')) tool_each_folder(show_hits_in, h);
}

/* All files that the name of the command line stands for; the first is the one that is opened. */
static int show_all_hits(tool_call *c)
{
    const char *at = strrchr(c->word[0], '@');
    name_hits h = {&c->out, c->word[0], (int)strlen(c->word[0]), 0};
    show_hits(&h);
    if (!h.hits && at) {
        h.length = (int)(at - h.name);
        show_hits(&h);
    }
    if (!h.hits) return tool_open(c->word[0], &c->table); /* which says so */
    out_table_end(h.out);
    return TOOL_OK;
}

int cmd_where(tool_call *c)
{
    const int all = tool_value(c, "--all") != NULL;
    if (c->n == 0 && all) return tool_usage("--all: needs a FILE");
    if (c->n == 0) return show_tables(&c->out), TOOL_OK;
    if (all) return show_all_hits(c);
    TOOL_TRY(tool_open_first(c));
    if (c->out.form == OUT_JSON)
        out_text(&c->out, "path", cgct_table_path(c->table));
    else
        print_as_it_is(cgct_table_path(c->table));
    return TOOL_OK;
}
