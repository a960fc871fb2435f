/* SPDX-License-Identifier: MIT */
/* cgctab index: the tables of a folder in one list, made from the files themselves. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>

#include "tool.h"

typedef struct {
    tool_out *out;
    int status;
} table_index;

static int hash_file(const char *path, char hex[65])
{
    FILE *f = fopen(path, "rb");
    if (!f) return tool_fail("%s: cannot open: %s", path, strerror(errno));
    sha256_file(f, hex);
    const int bad = ferror(f);
    fclose(f);
    return bad ? tool_fail("%s: cannot read: %s", path, strerror(errno)) : TOOL_OK;
}

/* Of several members the first: "NAME: its dipole" without "; NEXT: ..." and what follows. */
static void put_first_dipole(tool_out *o, const cgct_table *t)
{
    char next[256], text[4096];
    const char *dipole = cgct_meta(t, "dipole"), *second = cgct_member_name(t, 1), *end = NULL;
    if (second) snprintf(next, sizeof next, "; %.200s: ", second);
    if (dipole && second) end = strstr(dipole, next);
    if (end) snprintf(text, sizeof text, "%.*s", (int)(end - dipole), dipole);
    out_cell_text(o, end ? text : dipole);
}

static void list_table(void *to, const char *path)
{
    table_index *list = to;
    tool_out *o = list->out;
    cgct_table *t;
    cgct_info info;
    char hex[65];
    if (tool_open(path, &t) != TOOL_OK || hash_file(path, hex) != TOOL_OK) {
        cgct_close(t);
        list->status = TOOL_FAILED;
        return;
    }
    cgct_table_info(t, &info);
    const char *name = strrchr(path, '/') + 1; /* as cgct_open finds it */
    char bare[256];
    snprintf(bare, sizeof bare, "%.*s", (int)(strlen(name) - strlen(".cgct")), name);
    out_cell_text(o, bare);
    out_cell_count(o, (size_t)info.data_version);
    out_cell_text(o, hex);
    out_cell_count(o, (size_t)info.file_bytes);
    out_cell_count(o, info.members);
    out_cell_text(o, cgct_meta(t, "uncertainty"));
    out_cells(o, 2, info.x);
    out_cells(o, 2, info.eps);
    out_cells(o, 2, info.q);
    out_cell(o, info.k_max);
    put_first_dipole(o, t);
    out_cell_text(o, cgct_meta(t, "citation"));
    out_cell_text(o, cgct_meta(t, "licence"));
    cgct_close(t);
}

int cmd_index(tool_call *c)
{
    static const char *const columns[] = {"name",    "data_version", "sha256",   "bytes",
                                          "members", "uncertainty",  "x_lo",     "x_hi",
                                          "eps_lo",  "eps_hi",       "q_lo",     "q_hi",
                                          "k_max",   "dipole",       "citation", "licence"};
    table_index list = {&c->out, TOOL_OK};
    DIR *folder = opendir(c->word[0]);
    if (!folder) return tool_fail("%s: cannot read the folder: %s", c->word[0], strerror(errno));
    closedir(folder);
    if (c->out.form == OUT_TEXT) c->out.form = OUT_TSV;
    out_table(&c->out, "tables", sizeof columns / sizeof *columns, columns);
    tool_each_table(c->word[0], list_table, &list);
    out_table_end(&c->out);
    return list.status;
}
