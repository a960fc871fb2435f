/* SPDX-License-Identifier: MIT */
/* cgctab report: what a table holds, how accurate it is and how it was made, as a page in HTML. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot.h"
#include "report.h"

/* ---- what the table is ---- */

static const char style[] =
    "body{font-family:Georgia,'Times New Roman',serif;line-height:1.45;max-width:50em;\n"
    "margin:2em auto;padding:0 1em;color:#111}\n"
    "h1{font-size:1.6em;font-weight:normal;overflow-wrap:anywhere}\n"
    "h2{font-size:1.15em;border-bottom:1px solid #999;margin-top:2em}\n"
    "table{border-collapse:collapse;margin:.8em 0;font-size:.93em}\n"
    "th,td{text-align:left;vertical-align:top;padding:.15em 1.2em .15em 0}\n"
    "th{font-weight:normal;white-space:nowrap}\n"
    "td{white-space:pre-wrap;overflow-wrap:break-word}\n"
    "thead th{border-top:2px solid #111;border-bottom:1px solid #111;font-style:italic}\n"
    "thead+tbody tr:last-child>*{border-bottom:2px solid #111}\n"
    ".grid td,.short td:not(:last-child){white-space:nowrap}\n"
    "pre{white-space:pre-wrap;background:#f6f6f2;padding:.8em;font-size:.85em}\n"
    "sub,sup{font-size:.75em;line-height:0}\n"
    "figure{margin:1.5em 0}\n"
    "figure svg{width:100%;height:auto}\n"
    "caption,figcaption{font-size:.93em;text-align:left;padding:.3em 0}\n";

static void put_head(page *p)
{
    const char *name = plot_file(p->call->word[0]);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          p->f);
    put_text(p->f, name);
    fprintf(p->f,
            ": dijet cross section at small x</title>\n<style>\n%s</style>\n</head>\n<body>\n",
            style);
    fputs("<h1>", p->f);
    put_text(p->f, name);
    fputs(
        "</h1>\n<p>A table of the cross section for two jets in deep-inelastic scattering at "
        "small <i>x</i> in the Color Glass Condensate: the integrals "
        "<i>I<sub>T</sub></i> and <i>I<sub>L</sub></i> (GeV<sup>−6</sup>, without prefactor) "
        "for transverse and longitudinal photons, at the recoil <i>q</i> = |<b>k</b><sub>1</sub> + "
        "<b>k</b><sub>2</sub>|, the momentum <i>k</i><sub>1</sub> of one parton and the angle "
        "<i>θ</i> between <b>k</b><sub>1</sub> and <b>q</b>, for the momentum fraction <i>x</i> "
        "and <i>ε</i> = [<i>z</i>(1−<i>z</i>)]<sup>1/2</sup> <i>Q</i>, with a bound on the "
        "error of every value.</p>\n",
        p->f);
}

static void put_identity(page *p)
{
    const cgct_table *t = p->call->table;
    const cgct_info *info = &p->call->axes.info;
    fputs("<table>\n<tbody>\n", p->f);
    put_row(p, "File", cgct_table_path(t));
    put_row_of(p, "Checksum", "%016llx", info->checksum);
    put_row(p, "Content", cgct_meta(t, "quantity"));
    put_row(p, "Made by", cgct_meta(t, "generator"));
    put_row(p, "Licence", cgct_meta(t, "licence"));
    put_row_of(p, "Format", "%d.%d, data version %d", info->format_major, info->format_minor,
               info->data_version);
    put_row_of(p, "Size", "%.3g MB in the file, %.3g MB in memory", info->file_bytes / 1e6,
               info->memory_bytes / 1e6);
    char negative[TOOL_PATH];
    tool_negative(t, negative);
    if (*negative) put_row(p, "Negative", negative);
    put_row_of(p, "This page", "cgctab %s, from the file alone", cgct_version());
    fputs("</tbody>\n</table>\n", p->f);
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
    put_section(p, "Axes");
    fputs(
        "<table class=\"short\">\n<thead><tr><th>axis</th><th>range</th><th>nodes</th><th>between "
        "nodes</th></tr>"
        "</thead>\n<tbody>\n",
        p->f);
    put_axis(p, TOOL_X, "x", "");
    put_axis(p, TOOL_EPS, "ε", " GeV");
    put_axis(p, TOOL_Q, "q", " GeV");
    fprintf(p->f,
            "<tr><th scope=\"row\"><i>k</i></th><td>0 to %.6g GeV</td><td>%zu + %zu</td>"
            "<td>polynomials through %d nodes, below and above q/2</td></tr>\n"
            "<tr><th scope=\"row\"><i>θ</i></th><td>every angle</td><td></td>"
            "<td>cosine series of at most %zu coefficients</td></tr>\n</tbody>\n</table>\n"
            "<p><i>k</i> is the shorter of <i>k</i><sub>1</sub> and <i>k</i><sub>2</sub>.</p>\n",
            info->k_max, info->nk_lower, info->nk_upper, info->order[3], info->modes);
}

static void put_dipole(page *p)
{
    const cgct_table *t = p->call->table;
    put_section(p, "Dipole");
    fputs("<table>\n<tbody>\n", p->f);
    put_row(p, "Model", cgct_meta(t, "dipole"));
    put_row(p, "Numerical accuracy", cgct_meta(t, "dipole.accuracy"));
    double area = cgct_member_S_perp(t, p->call->axes.info.member);
    if (area > 0) put_row_of(p, "Transverse area", "%.6g GeV^-2", area);
    fputs("</tbody>\n</table>\n", p->f);
}

static void put_ensemble(page *p)
{
    const cgct_table *t = p->call->table;
    const cgct_info *info = &p->call->axes.info;
    const char *kind = cgct_meta(t, "uncertainty");
    put_section(p, "Uncertainty of the dipole");
    if (info->members < 2) {
        fputs("<p>The table holds one dipole and says nothing about its physical uncertainty. The "
              "bounds below are those of the computation alone.</p>\n",
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
        put_text(p->f, cgct_meta(t, "comparison"));
        fputs(".", p->f);
    }
    fputs("</p>\n<ol start=\"0\">\n", p->f);
    for (size_t i = 0; i < info->members; i++) {
        double area = cgct_member_S_perp(t, i);
        fputs("<li>", p->f);
        put_text(p->f, cgct_member_name(t, i));
        if (area > 0) fprintf(p->f, ", transverse area %.6g GeV<sup>−2</sup>", area);
        fputs("</li>\n", p->f);
    }
    fputs("</ol>\n", p->f);
}

/* ---- bounds by regions ---- */

enum { PARTS = 4 };
typedef struct {
    double q[PARTS + 1], k[PARTS + 1]; /* ends of the regions, GeV */
    number_list share[PARTS * PARTS];  /* q, k */
} error_regions;

static size_t region_at(const double ends[PARTS + 1], double v)
{
    size_t i = 0;
    while (i + 1 < PARTS && v >= ends[i + 1]) i++;
    return i;
}

static int add_to_region(void *to, const double v[5], const double share[2])
{
    error_regions *r = to;
    size_t i = region_at(r->q, v[2]) * PARTS + region_at(r->k, v[3]);
    for (int pol = 0; pol < 2; pol++)
        TOOL_TRY(tool_list_add(&r->share[i], isnan(share[pol]) ? INFINITY : fabs(share[pol])));
    return TOOL_OK;
}

static int fill_regions(page *p, error_regions *r)
{
    const tool_axes *a = &p->call->axes;
    for (size_t i = 0; i <= PARTS; i++) {
        r->q[i] = plot_between(a->range[TOOL_Q], (double)i / PARTS);
        r->k[i] = i ? plot_between(a->range[TOOL_K], (double)i / PARTS) : 0;
    }
    for (size_t i = 0; i < a->n[TOOL_X] * a->n[TOOL_EPS]; i++) {
        const double at[2] = {a->v[TOOL_X][i / a->n[TOOL_EPS]], a->v[TOOL_EPS][i % a->n[TOOL_EPS]]};
        TOOL_TRY(tool_node_shares(p->call, at, add_to_region, r));
    }
    for (size_t i = 0; i < PARTS * PARTS; i++) tool_list_sort(&r->share[i]);
    return TOOL_OK;
}

static void put_regions(page *p, const error_regions *r)
{
    fputs("<table class=\"grid\">\n<caption>Median and, below it, largest bound in regions of "
          "<i>q</i> and <i>k</i> (GeV)</caption>\n<thead><tr><th></th>",
          p->f);
    for (size_t i = 0; i < PARTS; i++)
        fprintf(p->f, "<th scope=\"col\"><i>q</i> %.3g to %.3g</th>", r->q[i], r->q[i + 1]);
    fputs("</tr></thead>\n<tbody>\n", p->f);
    for (size_t k = 0; k < PARTS; k++) {
        fprintf(p->f, "<tr><th scope=\"row\"><i>k</i> %.3g to %.3g</th>", r->k[k], r->k[k + 1]);
        for (size_t i = 0; i < PARTS; i++) {
            const number_list *share = &r->share[i * PARTS + k];
            fputs("<td>", p->f);
            if (share->n) put_power(p->f, share->v[share->n / 2]);
            if (share->n) fputs("<br/>", p->f);
            if (share->n) put_power(p->f, share->v[share->n - 1]);
            fputs("</td>", p->f);
        }
        fputs("</tr>\n", p->f);
    }
    fputs("</tbody>\n</table>\n", p->f);
}

static int put_certificate(page *p)
{
    error_regions r;
    TOOL_CLEAR(r);
    put_section(p, "Bound on the error");
    fputs("<p>The bound covers the numerical computation of dipole and <i>I</i>, rounding, "
          "compression and interpolation. "
          "Here it is given as a share of the mean of <i>I</i> over the angle, at the nodes in "
          "<i>x</i>, <i>ε</i>, <i>q</i> and <i>k</i>, T and L together; it is infinite where none "
          "is known.</p>\n",
          p->f);
    int st = fill_regions(p, &r);
    if (st == TOOL_OK) put_regions(p, &r);
    for (size_t i = 0; i < PARTS * PARTS; i++) number_list_free(&r.share[i]);
    put_metadata(p, "certificate.");
    return st;
}

static void put_checks(page *p)
{
    put_section(p, "What was checked");
    fputs("<p>The program that makes a table can compute values between the nodes directly and "
          "compare them with what the table gives there.</p>\n",
          p->f);
    if (!put_metadata(p, "interpolation."))
        fputs("<p>This table holds no such comparison.</p>\n", p->f);
}

/* ---- pictures ---- */

/* What `cgctab plot KIND TABLE -o SVG` draws, with one option more. */
static int put_picture(page *p, const char *kind, const char *svg, const char *options[4],
                       const char *caption)
{
    tool_call c = {.n = 2, .word = {kind, p->call->word[0]}, .given = {{"-o", svg}}, .ngiven = 1};
    c.out.quiet = 1;
    for (size_t i = 0; i < 4 && options[i]; i += 2) {
        c.given[c.ngiven].name = options[i];
        c.given[c.ngiven++].value = options[i + 1];
    }
    for (c.command = tool_commands; c.command->run != cmd_plot;) c.command++;
    int st = cmd_plot(&c);
    cgct_close(c.table);
    p->pictures++;
    fputs("<figure>\n", p->f);
    if (st == TOOL_OK) st = put_svg(p, svg);
    fprintf(p->f, "<figcaption>%s</figcaption>\n</figure>\n", caption);
    return st;
}

static int put_slice_and_map(page *p, const char *svg)
{
    const tool_axes *a = &p->call->axes;
    const double *k = a->range[TOOL_K];
    char list[96];
    snprintf(list, sizeof list, "%.3g,%.3g,%.3g", plot_between(k, 0.25), plot_between(k, 0.5),
             plot_between(k, 0.75));
    const char *slice[4] = {"--along", "theta", "--k1", list}, *map[4] = {NULL};
    TOOL_TRY(put_picture(
        p, "slice", svg, slice,
        "<i>I<sub>T</sub></i> (above) and <i>I<sub>L</sub></i> over the angle for "
        "three momenta <i>k</i><sub>1</sub>, with <i>x</i>, <i>ε</i> and <i>q</i> in the "
        "middle of the table. Bands show the bound on the error where it is wider "
        "than the line."));
    return put_picture(p, "map", svg, map,
                       "The coefficient <i>I</i><sub>0</sub>, which is the mean over the angle "
                       "divided by 2π, T and L, over <i>q</i> and <i>k</i><sub>1</sub>.");
}

static int put_pictures(page *p)
{
    const char *tmp = getenv("TMPDIR");
    char folder[PLOT_PATH], svg[PLOT_PATH + 16];
    put_section(p, "Pictures");
    if (plot_gnuplot_missing()) {
        fputs("<p>There are no pictures, because the program gnuplot, which draws them, was not "
              "installed where this page was made.</p>\n",
              p->f);
        return TOOL_OK;
    }
    snprintf(folder, sizeof folder, "%s/cgctab_report_XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) return tool_fail("%s: cannot write: %s", folder, strerror(errno));
    snprintf(svg, sizeof svg, "%s/picture.svg", folder);
    int st = put_slice_and_map(p, svg);
    remove(svg);
    rmdir(folder);
    return st;
}

/* ---- the rest ---- */

static void put_card(page *p)
{
    const char *card = cgct_meta(p->call->table, "card");
    put_section(p, "Run card");
    if (!card) {
        fputs("<p>The table holds none.</p>\n", p->f);
        return;
    }
    fputs("<p>From this card the table can be made again "
          "(<code>cgctab-generate run CARD -o TABLE</code>).</p>\n<pre>\n",
          p->f);
    put_text(p->f, card);
    fputs("</pre>\n", p->f);
}

static void put_citation(page *p)
{
    const char *own = cgct_meta(p->call->table, "citation");
    put_section(p, "How to cite");
    fprintf(p->f,
            "<p>The method: H. Duan, S.-W. Dai, C. Yi and W. Zhao, <cite>Fourier Transforms of "
            "Color Glass Condensate Multi-Wilson-Line Correlators via Filon Quadrature</cite>. "
            "With results, give the program that made the table, its dipole, its checksum "
            "<code>%016llx</code> and its run card, all named above; the dipole has a reference of "
            "its own.</p>\n",
            p->call->axes.info.checksum);
    if (own) {
        fputs("<p>The file asks for: ", p->f);
        put_text(p->f, own);
        fputs("</p>\n", p->f);
    }
    fputs("</body>\n</html>\n", p->f);
}

static int write_page(page *p)
{
    put_head(p);
    put_identity(p);
    put_axes(p);
    put_dipole(p);
    put_ensemble(p);
    TOOL_TRY(put_certificate(p));
    put_checks(p);
    TOOL_TRY(put_pictures(p));
    put_section(p, "Further metadata");
    put_metadata(p, "");
    put_card(p);
    put_citation(p);
    return TOOL_OK;
}

int cmd_report(tool_call *c)
{
    const char *out = tool_value(c, "-o");
    char part[PLOT_PATH];
    page p = {.call = c};
    if (!out) return tool_usage("report: needs -o FILE, the page");
    TOOL_TRY(tool_open_first(c));
    TOOL_TRY(plot_part_open(c, out, part, &p.f));
    int st = write_page(&p), unwritten = ferror(p.f);
    if ((fclose(p.f) != 0 || unwritten) && st == TOOL_OK)
        st = tool_fail("%s: cannot write: %s", out, strerror(errno));
    st = plot_part_close(part, out, st);
    if (st == TOOL_OK && part[0] && !c->out.quiet) out_text(&c->out, "page", out);
    return st;
}
