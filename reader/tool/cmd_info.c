/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const char *const axis_name[4] = {"x", "eps", "q", "k"};
static const char *const axis_unit[4] = {"", " GeV", " GeV", " GeV"};

static void print_axes(const cgct_table *t, const cgct_info *info)
{
    for (int a = 0; a < 4; a++) {
        size_t n;
        const double *v = cgct_axis_values(t, (cgct_axis)a, &n);
        size_t order = (size_t)info->order[a] < n ? (size_t)info->order[a] : n;
        printf("axis %-8s %zu value%s, %.10g", axis_name[a], n, n == 1 ? "" : "s", v[0]);
        if (n > 1) printf(" to %.10g", v[n - 1]);
        printf("%s", axis_unit[a]);
        if (n > 1) printf(", %zu-node polynomials in ln %s", order, axis_name[a]);
        putchar('\n');
    }
}

static void print_sizes(const cgct_table *t, const cgct_info *info)
{
    size_t nx, neps;
    cgct_axis_values(t, CGCT_AXIS_X, &nx);
    cgct_axis_values(t, CGCT_AXIS_EPS, &neps);
    printf("nodes         %zu (x,eps), at most %zu modes\n", nx * neps, info->modes_max);
    printf("size          %.0f bytes; nodes %.0f stored, %.0f raw, ratio %.3f\n", info->file_bytes,
           info->stored_bytes, info->raw_bytes, info->raw_bytes / info->stored_bytes);
}

/* A value of several lines (the run card) follows its key, indented. */
static void print_value(const char *key, const char *value)
{
    if (!strchr(value, '\n')) {
        printf("%-13s %s\n", key, value);
        return;
    }
    printf("%s\n", key);
    for (size_t n; *value; value += n + (value[n] == '\n')) {
        n = strcspn(value, "\n");
        printf("    %.*s\n", (int)n, value);
    }
}

static void print_meta(const cgct_table *t)
{
    for (size_t i = 0; i < cgct_meta_count(t); i++)
        print_value(cgct_meta_key(t, i), cgct_meta(t, cgct_meta_key(t, i)));
}

int cmd_info(int argc, char **argv)
{
    static const char *const between[] = {"product of polynomials",
                                          "split: curvature in (q,k) from the (x,eps) cell",
                                          "cross: that in x from the eps cell, in eps from the x cell"};
    const char *file;
    size_t n;
    cgct_table *t;
    cgct_info info;
    cgct_err err;
    int st = tool_parse(argc, argv, 0, NULL, 1, &file, &n);
    if (st < 0) {
        printf(
            "usage: cgctab info FILE\n"
            "Versions, axes, sizes and metadata.  Header, metadata, axes and index are checked,\n"
            "the nodes are not read ('cgctab verify' does).\n");
        return tool_flush();
    }
    if (st != TOOL_OK) return st;
    if (n != 1) return tool_usage("info", "needs a FILE");
    if (cgct_open_index(file, &t, &err) != CGCT_OK) return tool_fail(err.text);
    cgct_table_info(t, &info);
    printf("file          %s\n", cgct_table_path(t));
    printf("format        %d.%d, data version %d\n", info.format_major, info.format_minor,
           info.data_version);
    if (info.fold)
        printf("fold          k2^p/(k1^p + k2^p), p = %g\n", info.fold_power);
    else
        printf("fold          none: modes of I in theta = angle(k1,q)\n");
    printf("between nodes %s\n", between[info.split]);
    printf("checksum      %016llx\n", info.checksum);
    printf("outside       %s\n", info.policy == CGCT_POLICY_FREEZE ? "freeze" : "error");
    print_axes(t, &info);
    print_sizes(t, &info);
    print_meta(t);
    cgct_close(t);
    return tool_flush();
}
