/* SPDX-License-Identifier: MIT */
/* slice and compare: I along one variable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

/* columns: variable I_T I_L err_T err_L band_T band_L, and of members low_T low_L high_T high_L;
 * with soft gluons those of I after them, in the places SOFT and SOFT + 1. */
enum { POINTS = 241, ROW = 13, ROW_MEMBERS = 11, ROW_SINGLE = 7, SOFT = 11 };

static int along_of(const tool_call *c)
{
    const char *text = tool_value(c, "--along");
    for (int i = 0; i < PLOT_NVAR && text; i++)
        if (!strcmp(text, plot_option[i] + 2)) return i;
    return PLOT_K1;
}

/* Ends of the variable in a table: those of the range, or half a turn. */
static int variable_range(const tool_axes *a, int along, double range[2])
{
    range[0] = 0;
    range[1] = TOOL_PI;
    if (along == PLOT_THETA) return TOOL_OK;
    memcpy(range, a->range[along], sizeof a->range[along]);
    if (range[1] > range[0]) return TOOL_OK;
    return tool_usage("--along %s: the axis has one value, %g", plot_option[along] + 2, range[0]);
}

enum { REACH = 5 };    /* points, to either side */
#define BAND_MAX 1e100 /* where no bound is known: higher than any picture */

/* A bound of a table is the same share of I in a whole block, and jumps from block to block.  The
 * band is a smooth curve that is nowhere below it: the weighted mean, over the points near, of the
 * largest share among the points near each.  band: holds I_0, of which shares are taken. */
static void smooth_bounds(const double *err, double *band)
{
    double share[POINTS], most[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const double scale = fabs(band[ROW * i]);
        band[ROW * i] = scale > 0 ? scale : 1;
        share[i] = log(fmax(err[ROW * i] / band[ROW * i], 1e-300));
    }
    for (int i = 0; i < POINTS; i++) {
        most[i] = share[i];
        for (int j = i > REACH ? i - REACH : 0; j < POINTS && j <= i + REACH; j++)
            most[i] = fmax(most[i], share[j]);
    }
    for (int i = 0; i < POINTS; i++) {
        double sum = 0, weights = 0;
        for (int j = i > REACH ? i - REACH : 0; j < POINTS && j <= i + REACH; j++) {
            sum += (REACH + 1 - abs(j - i)) * most[j];
            weights += REACH + 1 - abs(j - i);
        }
        band[ROW * i] = fmax(err[ROW * i], exp(sum / weights) * band[ROW * i]);
        band[ROW * i] = fmin(band[ROW * i], BAND_MAX);
    }
}

/* Block c<i>: the curve through p->place, rows (POINTS, ROW); with the members where there are
 * several. */
static int draw_curve(plot *p, const cgct_table *t, size_t i, int along, const double range[2],
                      double *rows)
{
    char name[32], columns[96];
    double v[PLOT_NVAR], central[2];
    cgct_slice *slice = NULL; /* where x and eps stay the same */
    const int ranges = plot_has_range(t);
    cgct_status st = CGCT_OK;
    memcpy(v, p->place.v, sizeof v);
    if (along > PLOT_EPS) TOOL_TRY(tool_slice(t, v, &slice));
    for (int j = 0; j < POINTS && st == CGCT_OK; j++) {
        double *row = rows + ROW * j;
        const double part = (double)j / (POINTS - 1);
        v[along] = row[0] = along == PLOT_THETA ? part * range[1] : tool_between(range, part);
        row[SOFT] = row[SOFT + 1] = 0;
        st = cgct_eval(t, v[0], v[1], v[2], v[3], v[4], row + 1);
        if (st == CGCT_OK) st = cgct_eval_error(t, v[0], v[1], v[2], v[3], v[4], row + 3);
        if (st == CGCT_OK && ranges)
            st = cgct_uncertainty(t, v[0], v[1], v[2], v[3], v[4], central, row + 7, row + 9);
        slice ? cgct_slice_modes(slice, v[2], v[3], 1, row + 5)
              : cgct_modes(t, v[0], v[1], v[2], v[3], 1, row + 5);
    }
    cgct_slice_free(slice);
    if (st != CGCT_OK) return tool_fail_at(t, v, st);
    for (int pol = 0; pol < 2; pol++) smooth_bounds(rows + 3 + pol, rows + 5 + pol);
    snprintf(name, sizeof name, "c%zu", i);
    snprintf(columns, sizeof columns, "%s I_T I_L err_T err_L band_T band_L%s",
             plot_option[along] + 2, ranges ? " low_T low_L high_T high_L" : "");
    plot_block(p, name, columns);
    for (int j = 0; j < POINTS; j++) plot_row(p, ranges ? ROW_MEMBERS : ROW_SINGLE, rows + ROW * j);
    plot_block_end(p);
    return TOOL_OK;
}

/* How the values of one polarisation are shown. */
typedef struct {
    int log_scale, negative; /* negative: some values lie below 0 and are left out */
    double lo, hi, band_lo;  /* band_lo: error bands do not reach below */
} value_frame;

/* Logarithmic where the values are spread and positive, or almost: those below 0 by less than a
 * thousandth of the largest, noise of a table's edge, are left out.  Else linear with 0. */
static value_frame frame_values(int pol, size_t n, const double *rows)
{
    double lo = INFINITY, hi = -INFINITY, least = INFINITY; /* of those above 0 */
    for (size_t i = 0; i < n * POINTS; i++) {
        const double v = rows[ROW * i + 1 + (size_t)pol], soft = rows[ROW * i + SOFT + (size_t)pol];
        lo = fmin(lo, v);
        hi = fmax(hi, v);
        if (v > 0) least = fmin(least, v);
        if (soft > 0) least = fmin(least, soft), hi = fmax(hi, soft);
    }
    if (!(hi > 3 * least && hi > -1e3 * lo))
        return (value_frame){0, 0, fmin(1.15 * lo, 0), fmax(1.15 * hi, lo < 0 ? 0 : 1e-300),
                             -1e300};
    double bottom = fmax(least, -lo);
    return (value_frame){1, lo <= 0, bottom / 1.3, hi * 1.3, bottom / 1e3};
}

/* The variables of both kinds that describe axes. */
static void set_curve_axes(plot *p, int along, const double range[2], size_t n, const double *rows)
{
    const value_frame T = frame_values(0, n, rows), L = frame_values(1, n, rows);
    plot_string(p, "along", "%s", plot_option[along] + 2);
    plot_string(p, "x_label", "%s", plot_label[along]);
    plot_number(p, "x_lo", range[0]);
    plot_number(p, "x_hi", range[1]);
    plot_pair(p, "log_scale", T.log_scale, L.log_scale);
    plot_pair(p, "negative", T.negative, L.negative);
    plot_pair(p, "value_lo", T.lo, L.lo);
    plot_pair(p, "value_hi", T.hi, L.hi);
    plot_pair(p, "band_lo", T.band_lo, L.band_lo);
}

/* ---- slice ---- */

/* Block s<i>: I with soft gluons along the same curve; NaN where there is none. */
static int draw_soft(plot *p, size_t i, int along, double *rows, int warn[2])
{
    cgct_soft *soft;
    cgct_soft_options o;
    cgct_err err;
    char name[32], columns[64];
    double v[PLOT_NVAR];
    memcpy(v, p->place.v, sizeof v);
    TOOL_TRY(tool_soft_options(p->call, &o));
    TOOL_TRY(tool_status(cgct_soft_init(&soft, p->call->table, v[0], v[1], &o, &err), &err));
    snprintf(name, sizeof name, "s%zu", i);
    snprintf(columns, sizeof columns, "%s soft_T soft_L", plot_option[along] + 2);
    plot_block(p, name, columns);
    for (int j = 0; j < POINTS; j++) {
        double *row = rows + ROW * j;
        v[along] = row[0];
        const double P = tool_soft_P(v[2], v[3], v[4]);
        warn[0] |= P < 3;
        warn[1] |= v[2] > P;
        cgct_soft_eval(soft, v[2], v[3], v[4], row + SOFT, NULL, NULL);
        plot_row(p, 3, (const double[]){row[0], row[SOFT], row[SOFT + 1]});
    }
    plot_block_end(p);
    cgct_soft_free(soft);
    return TOOL_OK;
}

int plot_slice(plot *p)
{
    plot_place *place = &p->place;
    double range[2];
    int along = along_of(p->call), st = TOOL_OK, warn[2] = {0, 0};
    const int soft = tool_value(p->call, "--soft") != NULL;
    if (soft && along <= PLOT_EPS) return tool_usage("--soft: goes with --along q, k1 or theta");
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(variable_range(&p->call->axes, along, range));
    TOOL_TRY(plot_place_parse(p, 31u & ~(1u << along), 31));
    size_t n = place->list_at >= 0 ? place->list.n : 1;
    double *rows = calloc(n * POINTS * ROW, sizeof *rows);
    if (!rows) return tool_fail("no memory for %zu curves", n);
    for (size_t i = 0; i < n && st == TOOL_OK; i++) {
        if (place->list_at >= 0) place->v[place->list_at] = place->list.v[i];
        st = draw_curve(p, p->call->table, i, along, range, rows + i * POINTS * ROW);
        if (st == TOOL_OK && soft) st = draw_soft(p, i, along, rows + i * POINTS * ROW, warn);
    }
    if (st == TOOL_OK && soft) tool_soft_warn(p->call, warn[0], warn[1]);
    if (st == TOOL_OK) {
        const int listed = place->list_at >= 0 ? place->list_at : along;
        set_curve_axes(p, along, range, n, rows);
        plot_title(p, "", 31u & ~(1u << along) & ~(1u << listed));
        plot_note(p, "");
        plot_curves(p, plot_symbol[listed], &place->list, plot_unit[listed]);
    }
    free(rows);
    return st;
}

/* ---- compare ---- */

/* What the frame of the ratio shows: every ratio, 1, and as much of the bounds as that leaves room
 * for.  Ratios beyond FAR on a logarithmic axis. */
typedef struct {
    int far;
    double lo, hi; /* of second/first - 1, or of second/first where far */
} ratio_frame;

static ratio_frame frame_ratios(const double *rows, int pol)
{
    const double FAR = 10;
    double lo = 1, hi = 1, least = INFINITY;
    for (int i = 0; i < POINTS; i++) {
        const double *a = rows + ROW * i, *b = rows + ROW * (POINTS + i);
        double r = b[1 + pol] / a[1 + pol], bound = (a[5 + pol] + b[5 + pol]) / a[1 + pol];
        if (isfinite(r)) lo = fmin(lo, r), hi = fmax(hi, r);
        if (a[5 + pol] + b[5 + pol] < BAND_MAX) least = fmin(least, fabs(bound));
    }
    if (lo > 0 && hi > FAR * lo) return (ratio_frame){1, lo / 1.3, hi * 1.3};
    double margin = fmax(fmax(0.15 * (hi - lo), isfinite(least) ? 2 * least : 0), 1e-15);
    return (ratio_frame){0, lo - 1 - margin, hi - 1 + margin};
}

static void set_compare(plot *p, int along, const double *rows)
{
    const ratio_frame T = frame_ratios(rows, 0), L = frame_ratios(rows, 1);
    char text[160];
    plot_place_text(&p->place, 31u & ~(1u << along), text, sizeof text);
    plot_string(p, "title", "%s", text + strspn(text, ", "));
    plot_string(p, "first", "first: %.60s", plot_file(p->call->word[1]));
    plot_string(p, "second", "second: %.60s", plot_file(p->call->word[2]));
    plot_pair(p, "far", T.far, L.far);
    plot_pair(p, "ratio_lo", T.lo, L.lo);
    plot_pair(p, "ratio_hi", T.hi, L.hi);
}

/* $r: variable, ratio - 1 of T and L, the bands around 1 */
static void write_ratio(plot *p, int along, const double *rows)
{
    char columns[80];
    snprintf(columns, sizeof columns, "%s ratio_T-1 ratio_L-1 band_T band_L",
             plot_option[along] + 2);
    plot_block(p, "r", columns);
    for (int i = 0; i < POINTS; i++) {
        const double *a = rows + ROW * i, *b = rows + ROW * (POINTS + i);
        const double r[5] = {a[0], b[1] / a[1] - 1, b[2] / a[2] - 1, (a[5] + b[5]) / fabs(a[1]),
                             (a[6] + b[6]) / fabs(a[2])};
        plot_row(p, 5, r);
    }
    plot_block_end(p);
}

/* What was not given and lies outside of the second table: to the middle of what both cover. */
static void move_into(plot *p, const tool_axes *second)
{
    for (int i = 0; i < PLOT_THETA; i++) {
        const double *a = p->call->axes.range[i], *b = second->range[i];
        const double both[2] = {fmax(a[0], b[0]), fmin(a[1], b[1])};
        const int inside = p->place.v[i] >= b[0] && p->place.v[i] <= b[1];
        if (!tool_value(p->call, plot_option[i]) && !inside && both[0] <= both[1])
            p->place.v[i] = tool_between(both, 0.5);
    }
}

static int compare_tables(plot *p, const cgct_table *second)
{
    double range[2], other[2], rows[2 * POINTS * ROW];
    int along = along_of(p->call);
    tool_axes axes = tool_axes_of(second);
    TOOL_TRY(variable_range(&p->call->axes, along, range));
    TOOL_TRY(variable_range(&axes, along, other));
    range[0] = fmax(range[0], other[0]);
    range[1] = fmin(range[1], other[1]);
    if (!(range[0] < range[1])) return tool_fail("the ranges of the two tables do not overlap");
    TOOL_TRY(plot_place_parse(p, 31u & ~(1u << along), 0));
    move_into(p, &axes);
    TOOL_TRY(draw_curve(p, p->call->table, 0, along, range, rows));
    TOOL_TRY(draw_curve(p, second, 1, along, range, rows + POINTS * ROW));
    write_ratio(p, along, rows);
    set_curve_axes(p, along, range, 2, rows);
    set_compare(p, along, rows);
    return TOOL_OK;
}

int plot_compare(plot *p)
{
    cgct_table *second;
    if (p->call->n < 3) return tool_usage("plot compare: needs two tables");
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(tool_open(p->call->word[2], &second));
    int st = compare_tables(p, second);
    cgct_close(second);
    return st;
}
