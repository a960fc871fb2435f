/* SPDX-License-Identifier: MIT */
/* cgctab info: what a table holds, as text and as JSON. */
#include <stdio.h>
#include <string.h>

#include "../../format/safe_text.h"
#include "tool.h"

static const char *const axis_unit[TOOL_NAXES] = {"", " GeV", " GeV", " GeV"};

/* ---- text ---- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_ranges(const tool_axes *axes, int digits)
{
    const cgct_info *info = &axes->info;
    for (int a = 0; a < TOOL_K; a++) {
        const double *range = axes->range[a];
        size_t n = axes->n[a], order = (size_t)info->order[a] < n ? (size_t)info->order[a] : n;
        printf("%-13s %.*g", tool_axis_name[a], digits, range[0]);
        if (range[1] > range[0]) printf(" to %.*g", digits, range[1]);
        printf("%s, %zu node%s", axis_unit[a], n, plural(n));
        if (n > 1)
            printf(", %s%zu-node polynomials in ", a == TOOL_Q ? "" : "in a panel at most ", order);
        if (n > 1 && a == TOOL_X && info->x_from > 0)
            printf("ln ln(%g/x)", info->x_from);
        else if (n > 1)
            printf("ln %s", tool_axis_name[a]);
        putchar('\n');
    }
    printf("%-13s 0 to %.*g GeV, the shorter of k1 and k2; %zu nodes to q/2, %zu beyond, %d-node "
           "polynomials\n",
           tool_axis_name[TOOL_K], digits, info->k_max, info->nk_lower, info->nk_upper,
           info->order[3]);
}

static void print_sizes(const tool_call *c, int digits)
{
    const cgct_info *info = &c->axes.info;
    const char *uncertainty = cgct_meta(c->table, "uncertainty");
    double area = cgct_member_S_perp(c->table, info->member);
    if (info->members > 1)
        safe_line(stdout, "members       %zu, uncertainty: %s; this is member %zu, %s",
                  info->members, uncertainty ? uncertainty : "none", info->member,
                  cgct_member_name(c->table, info->member));
    else
        printf("members       1\n");
    if (area > 0) printf("S_perp        %.*g GeV^-2\n", digits, area);
    printf("nodes         %zu (x,eps) in %zu segment%s, rank at most %zu\n",
           c->axes.n[TOOL_X] * c->axes.n[TOOL_EPS], info->segments, plural(info->segments),
           info->rank);
    printf("coefficients  at most %zu for a pair (q,k)\n", info->modes);
    printf("size          %.0f bytes in the file, %.0f in memory when opened\n", info->file_bytes,
           info->memory_bytes);
}

/* Parts of the metadata in the order of printing; -1: what is printed elsewhere. */
enum { META_PLAIN, META_CERTIFICATE, META_INTERPOLATION, META_LINES, META_PARTS };
static int metadata_part(const char *key, const char *value)
{
    if (!strcmp(key, "members") || !strcmp(key, "uncertainty") || !strncmp(key, "S_perp", 6))
        return -1;
    if (strchr(value, '\n')) return META_LINES;
    if (!strncmp(key, "certificate.", 12)) return META_CERTIFICATE;
    return strncmp(key, "interpolation.", 14) ? META_PLAIN : META_INTERPOLATION;
}

/* In columns, by parts.  A value of several lines (the run card) follows its key, indented; of a
 * long one (the dipoles of many members) there is only the beginning. */
static void print_metadata(const cgct_table *t)
{
    int width = 13;
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i);
        int n = (int)strlen(key), part = metadata_part(key, cgct_meta(t, key));
        if (n > width && n < 40 && part >= 0 && part != META_LINES) width = n;
    }
    for (int part = 0; part < META_PARTS; part++)
        for (size_t i = 0; i < cgct_meta_count(t); i++) {
            const char *key = cgct_meta_key(t, i), *value = cgct_meta(t, key);
            size_t n = 400;
            if (metadata_part(key, value) != part) continue;
            printf("%-*s", part == META_LINES ? 0 : width, key);
            if (part == META_LINES) {
                putchar('\n');
                for (; *value; value += n + (value[n] == '\n')) {
                    n = strcspn(value, "\n");
                    safe_line(stdout, "    %.*s", (int)n, value);
                }
            } else if (strlen(value) <= n) {
                safe_line(stdout, " %s", value);
            } else {
                while (((unsigned char)value[n] & 0xc0) == 0x80) n--;
                safe_line(stdout, " %.*s... (the whole: cgctab get %s %s)", (int)n, value,
                          cgct_table_path(t), key);
            }
        }
}

static int print_region(const tool_call *c, const char *name, accuracy_region *r)
{
    TOOL_TRY(accuracy_of(c->table, r));
    printf("%-13s %.4g%% of the values within 1e-3, %.4g%% resolved; of these the median bound "
           "%.2g, 99.9%% %.2g\n",
           name, 100 * r->known, 100 * r->resolved, r->median, r->p999);
    return TOOL_OK;
}

/* Of the table, and of what a dijet generator uses of it, there also at the largest x. */
static int print_known(const tool_call *c)
{
    accuracy_region r = accuracy_whole(&c->axes);
    char name[32];
    TOOL_TRY(print_region(c, "known", &r));
    if (!accuracy_dijets(&c->axes, &r)) return TOOL_OK;
    TOOL_TRY(print_region(c, "dijets", &r));
    printf("              worst %.2g, at eps %g to %g, q %g to %g and k1 %g to %g GeV\n", r.worst,
           r.eps[0], r.eps[1], r.q[0], r.q[1], r.k1[0], r.k1[1]);
    if (accuracy_dijets_at(&c->axes, ACCURACY_X_PARTS - 1, &r)) {
        snprintf(name, sizeof name, "  x >= %g", r.x[0]);
        TOOL_TRY(print_region(c, name, &r));
    }
    printf("              (bounds, as shares of %s)\n",
           cgct_pa_channels(c->table) ? "T at z from 0.05 to 0.95 and Lambda = 1 GeV" : "I");
    return TOOL_OK;
}

/* ---- JSON ---- */

static void print_info_json(tool_call *c)
{
    tool_out *o = &c->out;
    const cgct_table *t = c->table;
    const tool_axes *axes = &c->axes;
    const cgct_info *info = &axes->info;
    char text[32];
    out_text(o, "file", cgct_table_path(t));
    snprintf(text, sizeof text, "%d.%d", info->format_major, info->format_minor);
    out_text(o, "format", text);
    out_count(o, "data_version", (size_t)info->data_version);
    snprintf(text, sizeof text, "%016llx", info->checksum);
    out_text(o, "checksum", text);
    out_enter(o, "axes");
    for (int a = 0; a < TOOL_K; a++) {
        out_enter(o, tool_axis_name[a]);
        out_count(o, "order", (size_t)info->order[a]);
        out_numbers(o, "range", 2, axes->range[a]);
        out_numbers(o, "values", axes->n[a], axes->v[a]);
        out_leave(o);
    }
    out_enter(o, "k");
    out_count(o, "order", (size_t)info->order[3]);
    out_count(o, "lower", info->nk_lower);
    out_count(o, "upper", info->nk_upper);
    out_number(o, "k0", info->k0, "");
    out_number(o, "max", info->k_max, "");
    out_leave(o);
    out_leave(o);
    out_count(o, "nodes", axes->n[TOOL_X] * axes->n[TOOL_EPS]);
    out_count(o, "members", info->members);
    out_count(o, "member", info->member);
    out_number(o, "S_perp", cgct_member_S_perp(t, info->member), "");
    out_count(o, "segments", info->segments);
    out_count(o, "rank", info->rank);
    out_count(o, "coefficients_max", info->modes);
    out_count(o, "file_bytes", (size_t)info->file_bytes);
    out_count(o, "memory_bytes", (size_t)info->memory_bytes);
    out_enter(o, "metadata");
    for (size_t i = 0; i < cgct_meta_count(t); i++)
        out_text(o, cgct_meta_key(t, i), cgct_meta(t, cgct_meta_key(t, i)));
    out_leave(o);
}

int cmd_info(tool_call *c)
{
    TOOL_TRY(tool_open_first(c));
    if (c->out.form == OUT_JSON) return print_info_json(c), TOOL_OK;
    const cgct_info *info = &c->axes.info;
    int digits = c->out.digits ? c->out.digits : 10;
    safe_line(stdout, "file          %s", cgct_table_path(c->table));
    printf("format        %d.%d, data version %d\n", info->format_major, info->format_minor,
           info->data_version);
    printf("checksum      %016llx\n", info->checksum);
    print_ranges(&c->axes, digits);
    print_sizes(c, digits);
    TOOL_TRY(print_known(c));
    print_metadata(c->table);
    return TOOL_OK;
}
