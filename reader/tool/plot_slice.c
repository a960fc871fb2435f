/* SPDX-License-Identifier: MIT */
/* slice and compare: I along one variable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

enum { POINTS = 241, ROW = 5 }; /* columns: variable I_T I_L err_T err_L */

static int along_of(const tool_call *c)
{
    const char *text = tool_value(c, "--along");
    for (int i = 0; i < PLOT_NVAR && text; i++)
        if (!strcmp(text, plot_option[i] + 2)) return i;
    return PLOT_K1;
}

/* Ends of the variable in a table: those of the axis, or half a turn. */
static int range_of(const cgct_table *t, int along, double range[2])
{
    tool_axes a = tool_axes_of(t);
    range[0] = 0;
    range[1] = TOOL_PI;
    if (along == PLOT_THETA) return TOOL_OK;
    range[0] = a.v[along][0];
    range[1] = a.v[along][a.n[along] - 1];
    if (a.n[along] > 1) return TOOL_OK;
    return tool_usage("--along %s: the axis has one value, %g", plot_option[along] + 2, range[0]);
}

static double sample(int along, const double range[2], int i)
{
    double part = (double)i / (POINTS - 1);
    if (i == POINTS - 1) return range[1];
    return along == PLOT_THETA ? range[0] + part * (range[1] - range[0])
                               : range[0] * pow(range[1] / range[0], part);
}

/* rows (POINTS, ROW) */
static int curve(const cgct_table *t, int along, const double range[2], const double *place,
                 double *rows)
{
    for (int i = 0; i < POINTS; i++) {
        double v[PLOT_NVAR], *row = rows + ROW * i;
        cgct_err err;
        memcpy(v, place, sizeof v);
        v[along] = row[0] = sample(along, range, i);
        cgct_status st = cgct_check(t, v[0], v[1], v[2], v[3], v[4], &err);
        if (st != CGCT_OK) return tool_fail("%s", err.text);
        st = cgct_eval(t, v[0], v[1], v[2], v[3], v[4], row + 1);
        if (st == CGCT_OK) st = cgct_eval_error(t, v[0], v[1], v[2], v[3], v[4], row + 3);
        if (st != CGCT_OK) return tool_fail("%s", cgct_strerror(st));
    }
    return TOOL_OK;
}

static void write_curve(plot *p, const char *name, int along, const double *rows)
{
    char columns[64];
    snprintf(columns, sizeof columns, "%s I_T I_L err_T err_L", plot_option[along] + 2);
    plot_block(p, name, columns);
    for (int i = 0; i < POINTS; i++) plot_row(p, ROW, rows + ROW * i);
    plot_block_end(p);
}

/* Logarithmic where the values are spread and positive, or almost: those below 0 by less than a
 * thousandth of the largest, noise of a table's edge, are left out.  Returns the floor for bands.
 */
static double value_axis(plot *p, int pol, size_t n, const double *rows)
{
    double lo = INFINITY, hi = -INFINITY, least = INFINITY; /* of those above 0 */
    for (size_t i = 0; i < n * POINTS; i++) {
        double v = rows[ROW * i + 1 + (size_t)pol];
        lo = fmin(lo, v);
        hi = fmax(hi, v);
        if (v > 0) least = fmin(least, v);
    }
    fprintf(p->f, "set ylabel 'I_%c (GeV^{-6})'\nunset label 3\n", polarisation_name[pol]);
    if (hi > 3 * least && hi > -1e3 * lo) {
        double bottom = fmax(least, -lo);
        if (lo <= 0)
            fputs("set label 3 'values below 0 are not shown' at graph 0.02,0.06 front\n", p->f);
        plot_log_axis(p, "y", bottom / 1.3, hi * 1.3);
        return bottom / 1e3;
    }
    fputs("unset logscale y\nset yrange [*:*]\nset ytics auto\n", p->f);
    return -INFINITY;
}

/* The lowest panel alone has numbers and a label. */
static void variable_axis(plot *p, int along, const double range[2], int lowest)
{
    p->bare = !lowest;
    if (along != PLOT_THETA)
        plot_log_axis(p, "x", range[0], range[1]);
    else if (lowest)
        fputs("set xrange [0:pi]\n"
              "set xtics ('0' 0, 'π/4' pi/4, 'π/2' pi/2, '3π/4' 3*pi/4, 'π' pi)\n",
              p->f);
    else
        fputs("set xrange [0:pi]\nset xtics ('' 0, '' pi/4, '' pi/2, '' 3*pi/4, '' pi)\n", p->f);
    if (lowest)
        fprintf(p->f, "set xlabel '%s'\n", plot_label[along]);
    else
        fputs("unset xlabel\n", p->f);
}

static void band(plot *p, const char *name, int pol, double floor_, size_t colour)
{
    if (isfinite(floor_))
        fprintf(p->f, "$%s using 1:(($%d-$%d) > %.6g ? $%d-$%d : %.6g):($%d+$%d)", name, 2 + pol,
                4 + pol, floor_, 2 + pol, 4 + pol, floor_, 2 + pol, 4 + pol);
    else
        fprintf(p->f, "$%s using 1:($%d-$%d):($%d+$%d)", name, 2 + pol, 4 + pol, 2 + pol, 4 + pol);
    fprintf(p->f, " with filledcurves fc rgb '%s' fs transparent solid 0.3 notitle",
            plot_colour(colour));
}

/* ---- slice ---- */

static void slice_panel(plot *p, const plot_place *place, size_t n, const double *rows, int pol)
{
    double floor_ = value_axis(p, pol, n, rows);
    fputs("plot ", p->f);
    for (size_t i = 0; i < n; i++) {
        char name[32], title[64] = "";
        snprintf(name, sizeof name, "c%zu", i);
        if (place->list_at >= 0)
            snprintf(title, sizeof title, "%s = %.4g%s", plot_symbol[place->list_at],
                     place->list.v[i], plot_unit[place->list_at]);
        band(p, name, pol, floor_, i);
        fprintf(p->f, ", $%s using 1:%d with lines lw 2 lc rgb '%s' dt %zu title '%s'%s", name,
                2 + pol, plot_colour(i), i % 4 + 1, pol ? "" : title, i + 1 < n ? ", " : "\n");
    }
    fputs("unset label 1\n", p->f);
}

static void slice_panels(plot *p, const plot_place *place, int along, const double range[2],
                         size_t n, const double *rows)
{
    char text[160], title[600];
    unsigned shown = 31u & ~(1u << along) & ~(place->list_at >= 0 ? 1u << place->list_at : 0);
    plot_place_text(place, shown, text, sizeof text);
    snprintf(title, sizeof title, "%.400s%s; band: stored error bound", plot_file(p->call->word[1]),
             text);
    plot_panels(p, 2, 1, place->list_at >= 0, title);
    for (int pol = 0; pol < 2; pol++) {
        variable_axis(p, along, range, pol == 1);
        slice_panel(p, place, n, rows, pol);
    }
}

int plot_slice(tool_call *c)
{
    cgct_table *t = NULL;
    plot p;
    plot_place place = {.list_at = -1};
    double range[2], *rows = NULL;
    int along = along_of(c), st = plot_open(&p, c);
    if (st == TOOL_OK) st = tool_open(c->word[1], TOOL_NODES, &t);
    if (st == TOOL_OK) st = range_of(t, along, range);
    if (st == TOOL_OK) st = plot_place_parse(c, t, 31u & ~(1u << along), 31, &place);
    size_t n = place.list_at >= 0 ? place.list.n : 1;
    if (st == TOOL_OK && !(rows = calloc(n * POINTS * ROW, sizeof *rows)))
        st = tool_fail("no memory for %zu curves", n);
    for (size_t i = 0; i < n && st == TOOL_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "c%zu", i);
        if (place.list_at >= 0) place.v[place.list_at] = place.list.v[i];
        st = curve(t, along, range, place.v, rows + i * POINTS * ROW);
        if (st == TOOL_OK) write_curve(&p, name, along, rows + i * POINTS * ROW);
    }
    if (st == TOOL_OK) slice_panels(&p, &place, along, range, n, rows);
    number_list_free(&place.list);
    free(rows);
    cgct_close(t);
    return plot_close(&p, st);
}

/* ---- compare ---- */

/* What the frame of the ratio shows: every ratio, and as much of the bounds as that leaves room
 * for.  Ratios beyond FAR on a logarithmic axis. */
typedef struct {
    int far;
    double lo, hi; /* of second/first - 1, or of second/first where far */
} ratio_frame;

static ratio_frame frame_of(const double *rows, int pol)
{
    const double FAR = 10;
    double lo = 1, hi = 1, least = INFINITY;
    for (int i = 0; i < POINTS; i++) {
        const double *a = rows + ROW * i, *b = rows + ROW * (POINTS + i);
        double r = b[1 + pol] / a[1 + pol], bound = (a[3 + pol] + b[3 + pol]) / a[1 + pol];
        if (isfinite(r)) lo = fmin(lo, r), hi = fmax(hi, r);
        if (isfinite(bound)) least = fmin(least, fabs(bound));
    }
    if (lo > 0 && hi > FAR * lo) return (ratio_frame){1, lo / 1.3, hi * 1.3};
    double most = 1.3 * fmax(fmax(hi - 1, 1 - lo), isfinite(least) ? 2 * least : 0);
    if (!(most > 1e-15)) most = 1e-15;
    return (ratio_frame){0, -most, most};
}

static void ratio_panel(plot *p, const double *rows, int pol)
{
    ratio_frame f = frame_of(rows, pol);
    if (f.far)
        plot_log_axis(p, "y", f.lo, f.hi);
    else
        fprintf(p->f,
                "unset logscale y\nset yrange [%.9g:%.9g]\nset ytics auto\nset format y '%%.2g'\n",
                f.lo, f.hi);
    fprintf(p->f,
            "set ylabel 'second / first%s'\nunset label 3\n"
            "low(v) = v > %.9g ? v : %.9g\nhigh(v) = v < %.9g ? v : %.9g\n"
            "plot $r using 1:(low(%d - $%d)):(high(%d + $%d)) with filledcurves fc rgb '%s' fs "
            "transparent solid 0.3 title '%s', $r using 1:($%d + %d) with lines lw 2 lc rgb '%s' "
            "notitle, %d with lines lc rgb '#808080' notitle\n",
            f.far ? "" : " - 1", f.lo, f.lo, f.hi, f.hi, f.far, 4 + pol, f.far, 4 + pol,
            plot_colour(0), pol ? "" : "sum of the stored error bounds", 2 + pol, f.far,
            plot_colour(1), f.far);
}

/* "first: gbw.cgct" */
static void curve_title(plot *p, int pol, const char *which, const char *file)
{
    char title[100];
    snprintf(title, sizeof title, "%s: %.60s", which, plot_file(file));
    plot_quoted(p, pol ? "" : title);
    fputs(" noenhanced", p->f);
}

static void compare_panels(plot *p, int along, const double range[2], const plot_place *place,
                           const double *rows)
{
    char text[160], title[200];
    plot_place_text(place, 31u & ~(1u << along), text, sizeof text);
    snprintf(title, sizeof title, "%s", text + strspn(text, ", "));
    plot_panels(p, 2, 2, 1, title);
    for (int pol = 0; pol < 2; pol++) {
        variable_axis(p, along, range, 0);
        fputs(pol ? "" : "set key at screen 0.3,0.935\n", p->f);
        value_axis(p, pol, 2, rows);
        fprintf(p->f, "plot $c0 using 1:%d with lines lw 2 lc rgb '%s' title ", 2 + pol,
                plot_colour(0));
        curve_title(p, pol, "first", p->call->word[1]);
        fprintf(p->f, ", $c1 using 1:%d with lines lw 2 dt 2 lc rgb '%s' title ", 2 + pol,
                plot_colour(1));
        curve_title(p, pol, "second", p->call->word[2]);
        fputs("\nunset label 1\nset key at screen 0.72,0.935\n", p->f);
        variable_axis(p, along, range, 1);
        ratio_panel(p, rows, pol);
    }
}

/* $r: variable, ratio - 1 of T and L, their bounds */
static void write_ratio(plot *p, int along, const double *rows)
{
    char columns[80];
    snprintf(columns, sizeof columns, "%s ratio_T-1 ratio_L-1 bound_T bound_L",
             plot_option[along] + 2);
    plot_block(p, "r", columns);
    for (int i = 0; i < POINTS; i++) {
        const double *a = rows + ROW * i, *b = rows + ROW * (POINTS + i);
        double r[ROW] = {a[0], b[1] / a[1] - 1, b[2] / a[2] - 1, (a[3] + b[3]) / fabs(a[1]),
                         (a[4] + b[4]) / fabs(a[2])};
        plot_row(p, ROW, r);
    }
    plot_block_end(p);
}

int plot_compare(tool_call *c)
{
    cgct_table *t[2] = {NULL, NULL};
    plot p;
    plot_place place;
    double range[2], other[2], *rows = calloc(2 * POINTS * ROW, sizeof *rows);
    int along = along_of(c), st = plot_open(&p, c);
    if (st == TOOL_OK && !rows) st = tool_fail("no memory for two curves");
    if (st == TOOL_OK && c->n < 3) st = tool_usage("plot compare: needs two tables");
    for (int i = 0; i < 2 && st == TOOL_OK; i++) st = tool_open(c->word[1 + i], TOOL_NODES, &t[i]);
    if (st == TOOL_OK) st = range_of(t[0], along, range);
    if (st == TOOL_OK) st = range_of(t[1], along, other);
    if (st == TOOL_OK) {
        range[0] = fmax(range[0], other[0]);
        range[1] = fmin(range[1], other[1]);
        if (!(range[0] < range[1])) st = tool_fail("the ranges of the two tables do not overlap");
    }
    if (st == TOOL_OK) st = plot_place_parse(c, t[0], 31u & ~(1u << along), 0, &place);
    for (int i = 0; i < 2 && st == TOOL_OK; i++) {
        st = curve(t[i], along, range, place.v, rows + i * POINTS * ROW);
        if (st == TOOL_OK) write_curve(&p, i ? "c1" : "c0", along, rows + i * POINTS * ROW);
    }
    if (st == TOOL_OK) write_ratio(&p, along, rows);
    if (st == TOOL_OK) compare_panels(&p, along, range, &place, rows);
    free(rows);
    for (int i = 0; i < 2; i++) cgct_close(t[i]);
    return plot_close(&p, st);
}
