/* SPDX-License-Identifier: MIT */
/* Text, numbers, metadata and pictures of a page in HTML. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../format/safe_text.h"
#include "plot.h"

/* ---- text ---- */

int put_page(tool_call *c, const char *text, int (*put)(void *to, const char *word, size_t n),
             void *to, FILE **f)
{
    const char *out = tool_value(c, "-o");
    cgct_textfile file;
    cgct_err err;
    int st = plot_check_output(c, out);
    if (st == TOOL_OK) st = tool_status(cgct_textfile_open(&file, out, &err), &err);
    if (st != TOOL_OK) return st;
    *f = file.f;
    for (const char *at, *end; st == TOOL_OK && (at = strstr(text, "@@")) != NULL; text = end + 2) {
        fwrite(text, 1, (size_t)(at - text), *f);
        end = strstr(at + 2, "@@");
        st = put(to, at + 2, (size_t)(end - at - 2));
    }
    fputs(text, *f);
    const cgct_status got = cgct_textfile_close(&file, st == TOOL_OK ? CGCT_OK : CGCT_E_IO, &err);
    if (st == TOOL_OK) st = tool_status(got, &err);
    if (st == TOOL_OK && strcmp(out, "-") != 0 && !c->out.quiet) out_text(&c->out, "page", out);
    return st;
}

void put_text(FILE *f, const char *text)
{
    safe_put(f, SAFE_XML, text);
}

void put_row(page *p, const char *head, const char *value)
{
    if (!value) return;
    fprintf(p->f, "<tr><th scope=\"row\">%s</th><td>", head);
    put_text(p->f, value);
    fputs("</td></tr>\n", p->f);
}

void put_row_of(page *p, const char *head, const char *format, ...)
{
    char text[TOOL_PATH];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_row(p, head, text);
}

/* ---- what differs between dipoles ---- */

/* Bytes of the part between commas that begins at p. */
static size_t part_length(const char *p, const char *end)
{
    const char *comma = strstr(p, ", ");
    return (size_t)((comma && comma < end ? comma : end) - p);
}

static int has_part(const char *list, const char *end, const char *part, size_t n)
{
    for (size_t m; list < end; list += m < (size_t)(end - list) ? m + 2 : m) {
        m = part_length(list, end);
        if (m == n && !strncmp(list, part, n)) return 1;
    }
    return 0;
}

void put_difference(page *p, const char *own, size_t n, const char *first, size_t nfirst)
{
    const char *end = own + n;
    int any = 0;
    for (size_t m; own < end; own += m < (size_t)(end - own) ? m + 2 : m) {
        char part[TOOL_PATH];
        m = part_length(own, end);
        if (!strncmp(own, "ln", 2) || has_part(first, first + nfirst, own, m)) continue;
        snprintf(part, sizeof part, "%s%.*s", any++ ? ", " : "", (int)m, own);
        put_text(p->f, part);
    }
    if (!any) fputs("the same", p->f);
}

/* ---- metadata ---- */

static const struct {
    const char *key, *meaning;
} meanings[] = {
    {"backend", "how the inner table was built"},
    {"made_by", "builder, and the device or the kernels of its matrix products"},
    {"nodes", "nodes in (x, ε) that were computed"},
    {"points", "computed points (q, k)"},
    {"flagged", "points whose bound exceeds accuracy.flag of I where it equals its mean"},
    {"missed_by_rounding", "points beyond the tolerance where rounding dominates the value"},
    {"missed_by_grids", "points beyond the tolerance where finer grids may help"},
    {"continued", "points at large q, continued from where I is resolved"},
    {"nodes_refined", "nodes that were repeated with finer grids"},
    {"negative.points", "points (q, k) where the mean over the angle is negative"},
    {"negative.q", "the first of them, GeV"},
    {"negative.k", "the same"},
    {"error_median", "median of the bounds at nodes, over I where it equals its mean"},
    {"error_999", "the same: 99.9th percentile"},
    {"error_max", "the same: largest"},
    {"modes_max", "largest m of a coefficient in the angle"},
    {"rank_max", "largest rank of the cross approximation in a node"},
    {"sum_rule", "largest violation of the sum rule"},
    {"certificate.rank", "largest number of basis fields of a segment"},
    {"certificate.reduction", "cost of the reduction to them, over the mean of I"},
    {"certificate.rounding", "cost of rounding, over the mean of I"},
    {"certificate.factor", "factor on the estimate of the interpolation error"},
    {"certificate.outside", "resolved values that differ by more than the bound"},
    {"certificate.dipole_places", "places where the numerical error of the dipole was followed"},
    {"certificate.dipole_median", "what it adds to the bounds, as a share of I: median"},
    {"certificate.dipole_999", "the same: 99.9th percentile"},
    {"certificate.dipole_max", "the same: largest"},
    {"certificate.dipole_resolved", "the same: largest where I is known to 1e-4"},
    {"interpolation.points", "values between nodes that were also computed directly"},
    {"interpolation.floor", "I below this share of its largest value counts as that share"},
    {"interpolation.median", "relative difference of all: median"},
    {"interpolation.999", "the same: 99.9th percentile"},
    {"interpolation.max", "the same: largest"},
    {"interpolation.negative", "values of the table below 0"},
    {"interpolation.resolved", "compared values that are themselves known well"},
    {"interpolation.resolution", "they are known to this share of I"},
    {"interpolation.resolved_median", "relative difference of these: median"},
    {"interpolation.resolved_999", "the same: 99.9th percentile"},
    {"interpolation.resolved_max", "the same: largest"},
};

/* The prefix of the section that shows a key; "" for the last one, NULL for what has a place of its
 * own. */
static const char *section_of(const char *key)
{
    static const char placed[] = "quantity generator dipole dipole.x0 dipole.accuracy card members "
                                 "uncertainty comparison S_perp citation licence";
    if (word_listed(placed, ' ', key)) return NULL;
    if (!strncmp(key, "S_perp.", 7)) return NULL;
    if (!strncmp(key, "certificate.", 12)) return "certificate.";
    return strncmp(key, "interpolation.", 14) ? "" : "interpolation.";
}

size_t put_metadata(page *p, const char *prefix)
{
    const cgct_table *t = p->call->table;
    size_t rows = 0;
    for (size_t i = 0; i < cgct_meta_count(t); i++) {
        const char *key = cgct_meta_key(t, i), *section = section_of(key);
        if (!section || strcmp(section, prefix) != 0) continue;
        if (!rows++)
            fputs("<table>\n<thead><tr><th>key</th><th>value</th><th>meaning</th></tr></thead>\n"
                  "<tbody>\n",
                  p->f);
        fprintf(p->f, "<tr><th scope=\"row\"><code>%s</code></th><td>", key);
        put_text(p->f, cgct_meta(t, key));
        const size_t n = sizeof meanings / sizeof *meanings;
        size_t m = 0;
        while (m < n && strcmp(meanings[m].key, key) != 0) m++;
        fprintf(p->f, "</td><td>%s</td></tr>\n", m < n ? meanings[m].meaning : "");
    }
    if (rows) fputs("</tbody>\n</table>\n", p->f);
    return rows;
}

/* ---- pictures ---- */

static void put_svg_line(page *p, const char *line)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#", NULL};
    while (*line) {
        size_t i = 0, n = 1;
        while (marks[i] && strncmp(line, marks[i], strlen(marks[i])) != 0) i++;
        if (marks[i]) n = strlen(marks[i]);
        fwrite(line, 1, n, p->f);
        if (marks[i]) fprintf(p->f, "picture%d-", p->pictures);
        line += n;
    }
}

int put_svg(page *p, int svg)
{
    char *line = NULL;
    size_t size = 0;
    int inside = 0;
    const int copy = dup(svg);
    FILE *f = copy < 0 ? NULL : fdopen(copy, "r");
    if (!f) return tool_fail("the picture cannot be read: %s", strerror(errno));
    rewind(f);
    while (getline(&line, &size, f) >= 0) {
        if (!strncmp(line, "<svg", 4)) inside = 1;
        if (inside) put_svg_line(p, line);
    }
    free(line);
    fclose(f);
    return TOOL_OK;
}
