/* SPDX-License-Identifier: MIT */
/* cgctab info: what a table holds, as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char *const axis_unit[4] = {"", " GeV", " GeV", " GeV"};

/* ---- text ---- */

static void print_info_axes(const tool_axes *axes, const cgct_info *info, int digits)
{
    for (int a = 0; a < 4; a++) {
        size_t n = axes->n[a];
        size_t order = (size_t)info->order[a] < n ? (size_t)info->order[a] : n;
        printf("axis %-8s %zu value%s, %.*g", tool_axis_name[a], n, n == 1 ? "" : "s", digits,
               axes->v[a][0]);
        if (n > 1) printf(" to %.*g", digits, axes->v[a][n - 1]);
        printf("%s", axis_unit[a]);
        if (n > 1) printf(", %zu-node polynomials in ln %s", order, tool_axis_name[a]);
        putchar('\n');
    }
    printf("nodes         %zu (x,eps), at most %zu modes\n", axes->n[0] * axes->n[1],
           info->modes_max);
    printf("size          %.0f bytes; nodes %.0f stored, %.0f raw, ratio %.3f\n", info->file_bytes,
           info->stored_bytes, info->raw_bytes, info->raw_bytes / info->stored_bytes);
}

/* A value of several lines (the run card) follows its key, indented. */
static void print_lines(const char *key, const char *value)
{
    printf("%s\n", key);
    for (size_t n; *value; value += n + (value[n] == '\n')) {
        n = strcspn(value, "\n");
        printf("    %.*s\n", (int)n, value);
    }
}

/* In columns; what has several lines comes last. */
static void print_metadata(const cgct_table *t)
{
    int width = 13;
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i);
        int n = (int)strlen(key);
        if (n > width && n < 40 && !strchr(cgct_meta(t, key), '\n')) width = n;
    }
    for (int several = 0; several < 2; several++)
        for (size_t i = 0; i < cgct_meta_count(t); i++) {
            const char *key = cgct_meta_key(t, i), *value = cgct_meta(t, key);
            if ((strchr(value, '\n') != NULL) != several) continue;
            if (several)
                print_lines(key, value);
            else
                printf("%-*s %s\n", width, key, value);
        }
}

static void print_info_text(const tool_call *c, const cgct_info *info)
{
    const cgct_table *t = c->table;
    static const char *const between[] = {"product of polynomials",
                                          "split: curvature in q, k from the (x,eps) cell",
                                          "cross: split, and curvature in x and eps one at a time"};
    printf("file          %s\n", cgct_table_path(t));
    printf("format        %d.%d, data version %d\n", info->format_major, info->format_minor,
           info->data_version);
    if (info->fold)
        printf("fold          k2^p/(k1^p + k2^p), p = %g\n", info->fold_power);
    else
        printf("fold          none: modes of I in theta = angle(k1,q)\n");
    printf("between nodes %s\n", between[info->split]);
    printf("checksum      %016llx\n", info->checksum);
    print_info_axes(&c->axes, info, c->out.digits ? c->out.digits : 10);
    print_metadata(t);
}

/* ---- JSON ---- */

static void json_axes(tool_out *o, const tool_axes *axes, const cgct_info *info)
{
    out_enter(o, "axes");
    for (int a = 0; a < 4; a++) {
        out_enter(o, tool_axis_name[a]);
        out_count(o, "order", (size_t)info->order[a]);
        out_numbers(o, "values", axes->n[a], axes->v[a]);
        out_leave(o);
    }
    out_leave(o);
    out_count(o, "nodes", axes->n[0] * axes->n[1]);
}

static void print_info_json(tool_call *c, const cgct_info *info)
{
    tool_out *o = &c->out;
    const cgct_table *t = c->table;
    char text[32];
    out_text(o, "file", cgct_table_path(t));
    snprintf(text, sizeof text, "%d.%d", info->format_major, info->format_minor);
    out_text(o, "format", text);
    out_count(o, "data_version", (size_t)info->data_version);
    out_truth(o, "folded", info->fold);
    out_number(o, "fold_power", info->fold_power, "");
    out_count(o, "split", (size_t)info->split);
    out_truth(o, "unpacked", info->unpacked);
    snprintf(text, sizeof text, "%016llx", info->checksum);
    out_text(o, "checksum", text);
    json_axes(o, &c->axes, info);
    out_count(o, "modes_max", info->modes_max);
    out_count(o, "flagged_scales", info->flagged);
    out_count(o, "file_bytes", (size_t)info->file_bytes);
    out_count(o, "stored_bytes", (size_t)info->stored_bytes);
    out_count(o, "raw_bytes", (size_t)info->raw_bytes);
    out_enter(o, "metadata");
    for (size_t i = 0; i < cgct_meta_count(t); i++)
        out_text(o, cgct_meta_key(t, i), cgct_meta(t, cgct_meta_key(t, i)));
    out_leave(o);
}

int cmd_info(tool_call *c)
{
    cgct_info info;
    TOOL_TRY(tool_open_first(c, TOOL_INDEX));
    cgct_table_info(c->table, &info);
    if (c->out.form == OUT_JSON)
        print_info_json(c, &info);
    else
        print_info_text(c, &info);
    return TOOL_OK;
}
