/* SPDX-License-Identifier: MIT */
/* cgctab report: what a table holds, how accurate it is and how it was made, as a page in HTML. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../format/safe_text.h"
#include "plot.h"

extern const char text_report_html[], text_report_css[];

/* A page while it is written. */
typedef struct {
    tool_call *call;
    FILE *f;
    int pictures; /* how many there are so far */
} page;

/* ---- text ---- */

/* A row of a table of two columns: head is HTML, value text; nothing where value is NULL. */
static void put_row(page *p, const char *head, const char *value)
{
    if (!value) return;
    fprintf(p->f, "<tr><th scope=\"row\">%s</th><td>", head);
    safe_put(p->f, SAFE_XML, value);
    fputs("</td></tr>\n", p->f);
}

CGCT_PRINTF_(3, 4) static void put_row_of(page *p, const char *head, const char *format, ...)
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

/* What a dipole's text of n bytes has that the first one's has not, of the parts between commas,
 * without how well it is known ("ln ..."). */
static void put_difference(page *p, const char *own, size_t n, const char *first, size_t nfirst)
{
    const char *end = own + n;
    int any = 0;
    for (size_t m; own < end; own += m < (size_t)(end - own) ? m + 2 : m) {
        char part[TOOL_PATH];
        m = part_length(own, end);
        if (!strncmp(own, "ln", 2) || has_part(first, first + nfirst, own, m)) continue;
        snprintf(part, sizeof part, "%s%.*s", any++ ? ", " : "", (int)m, own);
        safe_put(p->f, SAFE_XML, part);
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
    {"flagged",
     "of them with an estimated error above accuracy.flag of I where it equals its mean"},
    {"missed_by_rounding", "points beyond the tolerance where rounding dominates the value"},
    {"missed_by_grids", "points beyond the tolerance where finer grids may help"},
    {"continued", "points at large q, continued from where I is resolved"},
    {"nodes_refined", "nodes that were repeated with finer grids"},
    {"negative.points", "points (q, k) where the mean over the angle is negative"},
    {"negative.q", "the first of them, GeV"},
    {"negative.k", "the same"},
    {"error_median",
     "median of these estimates, without interpolation, over I where it equals its mean"},
    {"error_999", "the same: 99.9th percentile"},
    {"error_max", "the same: largest"},
    {"modes_max", "largest m of a coefficient in the angle"},
    {"rank_max", "largest rank of the cross approximation in a node"},
    {"sum_rule", "largest violation of the sum rule"},
    {"certificate.rank", "largest number of basis fields of a segment"},
    {"certificate.reduction", "cost of the reduction to them, over the mean of I"},
    {"certificate.rounding", "cost of rounding, over the mean of I"},
    {"certificate.factor", "largest factor on the estimate of the interpolation error"},
    {"certificate.factor_least", "the same: smallest"},
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
    {"members.nodes", "nodes in (x, ε) of the other members"},
    {"members.variations", "fields whose combinations are the other members less the first"},
    {"members.rank", "number of basis fields of these"},
    {"members.factor", "largest factor on the estimate of what the members' few nodes leave out"},
    {"members.factor_least", "the same: smallest"},
    {"members.points", "values of other members that were also computed directly"},
    {"members.median", "relative difference of all: median"},
    {"members.999", "the same: 99.9th percentile"},
    {"members.max", "the same: largest"},
    {"members.resolved", "compared values that are themselves known well"},
    {"members.resolved_median", "relative difference of these: median"},
    {"members.resolved_999", "the same: 99.9th percentile"},
    {"members.resolved_max", "the same: largest"},
    {"members.outside", "resolved values that differ by more than the bound"},
};

/* The prefix of the section that shows a key; "" for the last one, NULL for what has a place of its
 * own. */
static const char *section_of(const char *key)
{
    /* dipole.N and members.list are long: cgctab get prints them */
    static const char placed[] = "quantity generator dipole dipole.x0 dipole.accuracy dipole.N "
                                 "card members members.list uncertainty comparison S_perp "
                                 "citation licence";
    if (word_listed(placed, ' ', key)) return NULL;
    if (!strncmp(key, "S_perp.", 7)) return NULL;
    if (!strncmp(key, "certificate.", 12)) return "certificate.";
    return strncmp(key, "interpolation.", 14) ? "" : "interpolation.";
}

/* The keys of a section with their values and meanings.  Returns how many. */
static size_t put_metadata(page *p, const char *prefix)
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
        safe_put(p->f, SAFE_XML, cgct_meta(t, key));
        const size_t n = sizeof meanings / sizeof *meanings;
        size_t m = 0;
        while (m < n && strcmp(meanings[m].key, key) != 0) m++;
        fprintf(p->f, "</td><td>%s</td></tr>\n", m < n ? meanings[m].meaning : "");
    }
    if (rows) fputs("</tbody>\n</table>\n", p->f);
    return rows;
}

/* ---- what the table is ---- */

/* What a member has of a text "NAME: text; NAME: text ...", its n bytes; all of it where names do
 * not stand in it; NULL without such a key. */
static const char *own_text(const cgct_table *t, const char *key, size_t member, size_t *n)
{
    char mark[2][TOOL_PATH];
    const char *text = cgct_meta(t, key), *next = cgct_member_name(t, member + 1);
    if (!text) return NULL;
    *n = strlen(text);
    snprintf(mark[0], TOOL_PATH, "%s%.900s: ", member ? "; " : "", cgct_member_name(t, member));
    snprintf(mark[1], TOOL_PATH, "; %.900s: ", next ? next : "");
    const char *own = strstr(text, mark[0]);
    if (!own || (!member && own != text) || (next && !strstr(own, mark[1]))) return text;
    own += strlen(mark[0]);
    *n = next ? (size_t)(strstr(own, mark[1]) - own) : strlen(own);
    return own;
}

static void put_identity(page *p)
{
    const cgct_table *t = p->call->table;
    const cgct_info *info = &p->call->axes.info;
    static const char *const of_member[2][2] = {{"dipole", "Dipole"},
                                                {"dipole.accuracy", "Its numerical accuracy"}};
    for (int i = 0; i < 2; i++) {
        size_t n;
        const char *own = own_text(t, of_member[i][0], info->member, &n);
        char *copy = own ? strndup(own, n) : NULL;
        put_row(p, of_member[i][1], copy);
        free(copy);
    }
    const double area = cgct_member_S_perp(t, info->member);
    if (area > 0) put_row_of(p, "Transverse area", "%.6g GeV^-2", area);
    put_row(p, "File", cgct_table_path(t));
    put_row_of(p, "Checksum", "%016llx", info->checksum);
    put_row(p, "Content", cgct_meta(t, "quantity"));
    put_row(p, "Rapidity Y = ln(x0/x)", cgct_meta(t, "dipole.x0"));
    put_row(p, "Made by", cgct_meta(t, "generator"));
    put_row(p, "Licence", cgct_meta(t, "licence"));
    put_row_of(p, "Format", "%d.%d, data version %d", info->format_major, info->format_minor,
               info->data_version);
    put_row_of(p, "Size", "%.3g MB in the file, %.3g MB in memory when opened",
               info->file_bytes / 1e6, info->memory_bytes / 1e6);
    char negative[TOOL_PATH];
    tool_negative(t, negative);
    if (*negative) put_row(p, "Negative", negative);
    put_row_of(p, "This page", "cgctab %s, from the file alone", cgct_version());
}

static void put_axis(page *p, int axis, const char *symbol, const char *unit)
{
    const tool_axes *a = &p->call->axes;
    const double *range = a->range[axis];
    size_t n = a->n[axis], order = (size_t)a->info.order[axis];
    fprintf(p->f, "<tr><th scope=\"row\"><i>%s</i></th><td>%.6g", symbol, range[0]);
    if (range[1] > range[0]) fprintf(p->f, " to %.6g", range[1]);
    fprintf(p->f, "%s</td><td>%zu</td><td>", unit, n);
    if (n > 1)
        fprintf(p->f, "polynomials through %s%zu nodes in ", axis == TOOL_Q ? "" : "at most ",
                order < n ? order : n);
    if (n > 1 && axis == TOOL_X && a->info.x_from > 0)
        fprintf(p->f, "ln ln(%.6g/x)", a->info.x_from);
    else
        fprintf(p->f, "%s %s", n > 1 ? "ln" : "the same at every", symbol);
    fputs("</td></tr>\n", p->f);
}

static void put_axes(page *p)
{
    const cgct_info *info = &p->call->axes.info;
    put_axis(p, TOOL_X, "x", "");
    put_axis(p, TOOL_EPS, "ε", " GeV");
    put_axis(p, TOOL_Q, "q", " GeV");
    fprintf(p->f,
            "<tr><th scope=\"row\">shorter of <i>k</i><sub>1</sub>, <i>k</i><sub>2</sub></th>"
            "<td>0 to %.6g GeV</td><td>%zu + %zu</td>"
            "<td>polynomials through %d nodes, below and above q/2</td></tr>\n"
            "<tr><th scope=\"row\"><i>θ</i></th><td>every angle</td><td></td>"
            "<td>cosine series of at most %zu coefficients</td></tr>\n",
            info->k_max, info->nk_lower, info->nk_upper, info->order[3], info->modes);
}

/* ---- members ---- */

static void put_member_table(page *p)
{
    const cgct_table *t = p->call->table;
    size_t nfirst = 0;
    const char *first = own_text(t, "dipole", 0, &nfirst);
    fputs("<table>\n<thead><tr><th></th><th>member</th><th>area, GeV<sup>−2</sup></th>"
          "<th>dipole: what differs from the first</th></tr></thead>\n<tbody>\n",
          p->f);
    for (size_t i = 0; i < p->call->axes.info.members; i++) {
        const double area = cgct_member_S_perp(t, i);
        size_t n = 0;
        const char *own = own_text(t, "dipole", i, &n);
        fprintf(p->f, "<tr><th scope=\"row\">%zu</th><td>", i);
        safe_put(p->f, SAFE_XML, cgct_member_name(t, i));
        fputs("</td><td>", p->f);
        if (area > 0) fprintf(p->f, "%.6g", area);
        fputs("</td><td>", p->f);
        if (i && own) put_difference(p, own, n, first, nfirst);
        fputs("</td></tr>\n", p->f);
    }
    fputs("</tbody>\n</table>\n", p->f);
}

static void put_ensemble(page *p)
{
    const cgct_table *t = p->call->table;
    const cgct_info *info = &p->call->axes.info;
    const char *kind = cgct_meta(t, "uncertainty");
    if (info->members < 2) {
        fputs("<p>The table holds one dipole and says nothing about its physical uncertainty. The "
              "bounds are those of the computation alone.</p>\n",
              p->f);
        return;
    }
    fprintf(p->f,
            "<p>The table holds %zu members, the same cross section for as many dipoles. "
            "Members are counted from 0; this page is about member %zu. ",
            info->members, info->member);
    if (kind && !strcmp(kind, "replicas"))
        fputs("Those behind the first are replicas: the uncertainty is that from the 16th to the "
              "84th percentile of them.",
              p->f);
    else if (kind && !strcmp(kind, "hessian"))
        fputs("After the central one they are Hessian pairs, whose differences add in squares.",
              p->f);
    else
        fputs("The range is that from the smallest to the largest value.", p->f);
    if (cgct_meta(t, "comparison")) {
        fputs(" For comparison only, without part in the uncertainty: ", p->f);
        safe_put(p->f, SAFE_XML, cgct_meta(t, "comparison"));
        fputs(".", p->f);
    }
    fputs("</p>\n", p->f);
    put_member_table(p);
}

/* ---- bounds by regions ---- */

enum { PARTS = 6 };
typedef struct {
    double eps[PARTS + 1], q[PARTS + 1]; /* ends of the regions, GeV */
    number_list share[PARTS * PARTS];    /* eps, q */
} error_regions;

static size_t region_at(const double ends[PARTS + 1], double v)
{
    size_t i = 0;
    while (i + 1 < PARTS && v >= ends[i + 1]) i++;
    return i;
}

static void put_percent(FILE *f, double share)
{
    if (share < 0.995)
        fprintf(f, "%.2g %%", 100 * share);
    else
        fputs("≥ 100 %", f);
}

/* From blue where a bound is 1e-5 over yellow at 1e-2.5 to red at 1. */
static void put_cell(page *p, const number_list *share)
{
    static const double stop[3][3] = {{201, 226, 245}, {253, 236, 186}, {236, 140, 110}};
    const double v = share->v[share->n / 2], at = fmin(fmax(2 + 0.4 * log10(fmax(v, 1e-9)), 0), 2);
    const int i = at < 1 ? 0 : 1;
    fputs("<td style=\"background:rgb(", p->f);
    for (int c = 0; c < 3; c++)
        fprintf(p->f, "%s%.0f", c ? "," : "",
                stop[i][c] + (at - i) * (stop[i + 1][c] - stop[i][c]));
    fputs(")\" title=\"largest: ", p->f);
    put_percent(p->f, share->v[share->n - 1]);
    fputs("\">", p->f);
    put_percent(p->f, v);
    fputs("</td>", p->f);
}

/* Regions without a node, as of an axis that has one, are left out. */
static void put_regions(page *p, const error_regions *r)
{
    size_t rows[PARTS] = {0}, columns[PARTS] = {0};
    for (size_t i = 0; i < PARTS * PARTS; i++) {
        rows[i / PARTS] += r->share[i].n;
        columns[i % PARTS] += r->share[i].n;
    }
    fputs("<thead><tr><th><i>ε</i>, <i>q</i></th>", p->f);
    for (size_t i = 0; i < PARTS; i++)
        if (columns[i]) fprintf(p->f, "<th scope=\"col\">%.2g</th>", r->q[i]);
    fputs("</tr></thead>\n<tbody>\n", p->f);
    for (size_t j = PARTS; j-- > 0;) {
        if (!rows[j]) continue;
        fprintf(p->f, "<tr><th scope=\"row\">%.2g</th>", r->eps[j]);
        for (size_t i = 0; i < PARTS; i++) {
            const number_list *share = &r->share[j * PARTS + i];
            if (share->n)
                put_cell(p, share);
            else if (columns[i])
                fputs("<td></td>", p->f);
        }
        fputs("</tr>\n", p->f);
    }
    fputs("</tbody>\n", p->f);
}

static int put_known(page *p)
{
    const tool_axes *a = &p->call->axes;
    error_regions r;
    TOOL_CLEAR(r);
    for (size_t i = 0; i <= PARTS; i++) {
        r.eps[i] = tool_between(a->range[TOOL_EPS], (double)i / PARTS);
        r.q[i] = tool_between(a->range[TOOL_Q], (double)i / PARTS);
    }
    const cgct_table *t = p->call->table;
    const size_t neps = a->n[TOOL_EPS];
    cgct_slice *slice = NULL;
    int st = TOOL_OK;
    for (size_t i = 0; i < a->n[TOOL_X] * neps && st == TOOL_OK; i++) {
        double v[5] = {a->v[TOOL_X][i / neps], a->v[TOOL_EPS][i % neps], 0, 0, TOOL_PI}, share[2];
        st = tool_slice(t, v, &slice);
        for (size_t j = 0; j < tool_qk_count(a) && st == TOOL_OK; j++) {
            if (!tool_qk(t, a, j, v + 2, v + 3)) continue;
            st = tool_bound_share(t, slice, v, share);
            number_list *to = &r.share[region_at(r.eps, v[1]) * PARTS + region_at(r.q, v[2])];
            for (int pol = 0; pol < 2 && st == TOOL_OK; pol++)
                st = tool_list_add(to, isnan(share[pol]) ? INFINITY : fabs(share[pol]));
        }
    }
    cgct_slice_free(slice);
    for (size_t i = 0; i < PARTS * PARTS; i++) tool_list_sort(&r.share[i]);
    if (st == TOOL_OK) put_regions(p, &r);
    for (size_t i = 0; i < PARTS * PARTS; i++) number_list_free(&r.share[i]);
    return st;
}

/* ---- pictures ---- */

/* What `cgctab plot KIND TABLE` draws, with these options and their values.  The names in it begin
 * with the number of the picture then, so that no two pictures share one. */
static int put_picture(page *p, const char *kind, const char *options[4], const char *caption)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#", NULL};
    tool_call c = {.n = 2, .word = {kind, p->call->word[0]}};
    char *line = NULL;
    size_t size = 0;
    int inside = 0;
    const int svg = cgct_unnamed_file();
    FILE *f = svg < 0 ? NULL : fdopen(svg, "r");
    if (!f) return tool_fail("no temporary file for a picture: %s", strerror(errno));
    for (size_t i = 0; i < 4 && options[i]; i += 2) {
        c.given[c.ngiven].name = options[i];
        c.given[c.ngiven++].value = options[i + 1];
    }
    for (c.command = tool_commands; c.command->run != cmd_plot;) c.command++;
    int st = plot_draw(&c, svg);
    cgct_close(c.table);
    p->pictures++;
    fputs("<figure>\n", p->f);
    rewind(f);
    while (st == TOOL_OK && getline(&line, &size, f) >= 0) {
        inside |= !strncmp(line, "<svg", 4);
        for (const char *at = line; inside && *at;) {
            size_t i = 0;
            while (marks[i] && strncmp(at, marks[i], strlen(marks[i])) != 0) i++;
            const size_t n = marks[i] ? strlen(marks[i]) : 1;
            fwrite(at, 1, n, p->f);
            if (marks[i]) fprintf(p->f, "picture%d-", p->pictures);
            at += n;
        }
    }
    fprintf(p->f, "<figcaption>%s</figcaption>\n</figure>\n", caption);
    free(line);
    fclose(f);
    return st;
}

static int put_pictures(page *p)
{
    const double *k = p->call->axes.range[TOOL_K];
    char list[96];
    if (gnuplot_missing()) {
        fputs("<p>There are no pictures, because the program gnuplot, which draws them, was not "
              "installed where this page was made.</p>\n",
              p->f);
        return TOOL_OK;
    }
    snprintf(list, sizeof list, "%.3g,%.3g,%.3g", tool_between(k, 0.25), tool_between(k, 0.5),
             tool_between(k, 0.75));
    const char *along_k[4] = {"--along", "k1"}, *map[4] = {NULL};
    const char *angle[4] = {"--along", "theta", "--k1", list};
    fputs("<div class=\"pictures\">\n", p->f);
    TOOL_TRY(put_picture(
        p, "slice", along_k,
        "<i>I<sub>T</sub></i> (above) and <i>I<sub>L</sub></i> along <i>k</i><sub>1</sub>, with "
        "<i>x</i>, <i>ε</i> and <i>q</i> in the middle of the table. Bands show the bound on the "
        "error where it is wider than the line."));
    TOOL_TRY(put_picture(p, "slice", angle,
                         "The same over the angle for three momenta <i>k</i><sub>1</sub>."));
    TOOL_TRY(put_picture(p, "map", map,
                         "The coefficient <i>I</i><sub>0</sub>, which is the mean over the angle "
                         "divided by 2π, T and L, over <i>q</i> and <i>k</i><sub>1</sub>."));
    fputs("</div>\n", p->f);
    return TOOL_OK;
}

/* ---- the rest ---- */

static void put_card(page *p)
{
    const char *card = cgct_meta(p->call->table, "card");
    if (!card) {
        fputs("<p>The table holds none.</p>\n", p->f);
        return;
    }
    fputs("<details>\n<summary>From this card the table can be made again (<code>cgctab-generate "
          "run CARD -o TABLE</code>).</summary>\n<pre>\n",
          p->f);
    safe_put(p->f, SAFE_XML, card);
    fputs("</pre>\n</details>\n", p->f);
}

static void put_citation(page *p)
{
    const char *own = cgct_meta(p->call->table, "citation");
    if (!own) return;
    fputs("<p>The file asks for: ", p->f);
    safe_put(p->f, SAFE_XML, own);
    fputs("</p>\n", p->f);
}

static int put_word(void *to, const char *word, size_t n)
{
    page *p = to;
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)n, word);
    if (!strcmp(key, "known")) return put_known(p);
    if (!strcmp(key, "pictures")) return put_pictures(p);
    if (!strcmp(key, "title")) safe_put(p->f, SAFE_XML, plot_file(p->call->word[0]));
    if (!strcmp(key, "style")) fputs(text_report_css, p->f);
    if (!strcmp(key, "axes")) put_axes(p);
    if (!strcmp(key, "identity")) put_identity(p);
    if (!strcmp(key, "ensemble")) put_ensemble(p);
    if (!strcmp(key, "certificate")) put_metadata(p, "certificate.");
    if (!strcmp(key, "interpolation") && !put_metadata(p, "interpolation."))
        fputs("<p>This table holds no such comparison.</p>\n", p->f);
    if (!strcmp(key, "metadata")) put_metadata(p, "");
    if (!strcmp(key, "card")) put_card(p);
    if (!strcmp(key, "checksum")) fprintf(p->f, "%016llx", p->call->axes.info.checksum);
    if (!strcmp(key, "citation")) put_citation(p);
    return TOOL_OK;
}

int cmd_report(tool_call *c)
{
    page p = {.call = c};
    if (!tool_value(c, "-o")) return tool_usage("report: needs -o FILE, the page");
    TOOL_TRY(tool_open_first(c));
    return put_page(c, text_report_html, put_word, &p, &p.f);
}
