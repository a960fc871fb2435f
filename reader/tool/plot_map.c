/* SPDX-License-Identifier: MIT */
/* The pictures map, certificate and modes: what a table holds at one (x,eps). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

#define MAP_COLOURS 1e-15 /* least value with a colour, over the largest */
enum { AT_X_EPS = 1 << PLOT_X | 1 << PLOT_EPS };

/* ---- grid ---- */

enum { LINES = 65, POINTS = LINES * LINES };

/* Two panels over q and k, logarithmic in both. */
typedef struct {
    double q[LINES], k[LINES], v[2][POINTS]; /* row-major, k fastest; NaN where there is none */
} grid_values;

static int grid_line(const tool_axes *a, int axis, double *v)
{
    const double *range = a->range[axis];
    if (!(range[1] > range[0]))
        return tool_fail("axis %s has one value: no map", tool_axis_name[axis]);
    for (int i = 0; i < LINES; i++) v[i] = tool_between(range, (double)i / (LINES - 1));
    return TOOL_OK;
}

/* One value of T and one of L at v = (x, eps, q, k1, theta); the slice is that at x and eps. */
typedef struct {
    const cgct_table *table;
    cgct_slice *slice;
    double v[5];
    size_t m;
} map_point;
typedef int (*map_function)(const map_point *p, double value[2]);

static int grid_fill(const tool_axes *a, map_function function, map_point *p, grid_values **g)
{
    if (!(*g = malloc(sizeof **g))) return tool_fail("no memory for a map");
    int st = tool_slice(p->table, p->v, &p->slice);
    if (st == TOOL_OK) st = grid_line(a, TOOL_Q, (*g)->q);
    if (st == TOOL_OK) st = grid_line(a, TOOL_K, (*g)->k);
    for (size_t i = 0; i < POINTS && st == TOOL_OK; i++) {
        double value[2];
        p->v[2] = (*g)->q[i / LINES];
        p->v[3] = (*g)->k[i % LINES];
        st = function(p, value);
        (*g)->v[0][i] = value[CGCT_T];
        (*g)->v[1][i] = value[CGCT_L];
    }
    cgct_slice_free(p->slice);
    return st;
}

/* The rows, and what else plots/map.gp draws but the colours.  Values that are not from `least` on
 * are grey.  note: the line below the title; if_grey: what it adds where places are grey. */
static void write_map(plot *p, const grid_values *g, double least, const char *columns,
                      const char *quantity, const char *note, const char *if_grey)
{
    int grey = 0;
    plot_block(p, "grid", columns);
    for (size_t i = 0; i < POINTS; i++) {
        const double row[4] = {g->q[i / LINES], g->k[i % LINES], g->v[0][i], g->v[1][i]};
        if (i && i % LINES == 0) plot_gap(p);
        plot_row(p, 4, row);
        for (int pol = 0; pol < 2; pol++)
            grey = grey || !(g->v[pol][i] >= least && isfinite(g->v[pol][i]));
    }
    plot_block_end(p);
    plot_string(p, "note", "%s%s%s", note, grey && *note ? "; " : "", grey ? if_grey : "");
    plot_string(p, "quantity", "%s", quantity);
    plot_string(p, "x_label", "%s", plot_label[PLOT_Q]);
    plot_string(p, "y_label", "%s", plot_label[PLOT_K1]);
    plot_number(p, "x_lo", g->q[0]);
    plot_number(p, "x_hi", g->q[LINES - 1]);
    plot_number(p, "y_lo", g->k[0]);
    plot_number(p, "y_hi", g->k[LINES - 1]);
}

/* One scale of colours for both polarisations; its lower end. */
static double size_colours(plot *p, const grid_values *g)
{
    plot_range colours = {INFINITY, 0};
    for (size_t i = 0; i < 2 * POINTS; i++) plot_range_add(&colours, g->v[i / POINTS][i % POINTS]);
    return plot_colours(p, colours, MAP_COLOURS);
}

/* The colours of a ratio are white at 1 and end at 1/f and f.  This is f: the largest deviation,
 * but at most 1.5 times that (in the logarithm) which one point in twenty exceeds, because near a
 * zero of the denominator a ratio has no limit. */
static double ratio_end(const double *ratio)
{
    double size[POINTS];
    number_list l = {.v = size};
    for (size_t i = 0; i < POINTS; i++)
        if (ratio[i] > 0 && isfinite(ratio[i])) size[l.n++] = fabs(log(ratio[i]));
    if (!l.n) return 2;
    tool_list_sort(&l);
    return fmax(exp(fmin(size[l.n - 1], 1.5 * size[l.n * 19 / 20])), 1.01);
}

/* ---- map ---- */

enum { MODES_MAX = 256 };
#define ROUNDING 1e-13 /* below this share of I_0 a mode is rounding alone */

static int mode_size(const map_point *p, double value[2])
{
    double modes[2 * MODES_MAX];
    cgct_status st = cgct_slice_modes(p->slice, p->v[2], p->v[3], p->m + 1, modes);
    if (st != CGCT_OK) return tool_fail_at(p->table, p->v, st);
    for (int pol = 0; pol < 2; pol++) {
        const double *mode = modes + pol * (p->m + 1);
        value[pol] = fabs(mode[p->m]) > ROUNDING * fabs(mode[0]) ? fabs(mode[p->m]) : 0;
    }
    return TOOL_OK;
}

static int ratio(const map_point *p, double value[2])
{
    const double *v = p->v;
    double reference[2];
    cgct_status st = cgct_eval(p->table, v[0], v[1], v[2], v[3], v[4], value);
    if (st == CGCT_OK) st = cgct_reference(p->table, v[0], v[1], v[2], v[3], v[4], reference);
    if (st != CGCT_OK) return tool_fail_at(p->table, v, st);
    for (int pol = 0; pol < 2; pol++) value[pol] /= reference[pol];
    return TOOL_OK;
}

/* Draws |I_m|, or I over the correlation limit. */
int plot_map(plot *p)
{
    const tool_call *c = p->call;
    grid_values *g;
    char title[80], quantity[40];
    int of_ratio = tool_value(c, "--ratio") != NULL;
    double m = 0;
    if (of_ratio && tool_value(c, "--m")) return tool_usage("--m: cannot go with --ratio");
    if (!of_ratio && tool_value(c, "--theta")) return tool_usage("--theta: goes with --ratio only");
    TOOL_TRY(tool_option_integer(c, "--m", 0, MODES_MAX - 1, &m));
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(plot_place_parse(p, AT_X_EPS | 1 << PLOT_THETA, 0));
    map_point at = {.table = c->table, .m = (size_t)m};
    memcpy(at.v, p->place.v, sizeof at.v);
    if (!of_ratio) at.v[PLOT_THETA] = TOOL_PI;
    int st = grid_fill(&c->axes, of_ratio ? ratio : mode_size, &at, &g);
    if (st == TOOL_OK) {
        snprintf(title, sizeof title, ": size of the angular mode m = %zu", at.m);
        plot_title(p, of_ratio ? ": I over the correlation limit" : title,
                   of_ratio ? AT_X_EPS | 1 << PLOT_THETA : AT_X_EPS);
        snprintf(quantity, sizeof quantity, "|I_{%zu}| (GeV^{-6})", at.m);
        if (of_ratio) {
            const double T = ratio_end(g->v[CGCT_T]), L = ratio_end(g->v[CGCT_L]);
            plot_number(p, "diverging", 1);
            plot_pair(p, "colour_lo", 1 / T, 1 / L);
            plot_pair(p, "colour_hi", T, L);
            write_map(p, g, 1e-300, "q k1 I/I_ref_T I/I_ref_L", "I / I_{ref}",
                      "white: I = I_{ref}, the correlation limit",
                      "grey: one of them is not known, or not above 0");
        } else {
            write_map(p, g, size_colours(p, g), "q k1 |I_m|_T |I_m|_L", quantity, "",
                      "grey: below 10^{-13} of I_0 or 10^{-15} of the largest value");
        }
        plot_pair(p, "crosses", 0, 0);
    }
    free(g);
    return st;
}

/* ---- certificate ---- */

static int bound_share(const map_point *p, double value[2])
{
    return tool_bound_share(p->table, p->slice, p->v, value);
}

int plot_certificate(plot *p)
{
    grid_values *g;
    char text[160];
    double flag = 1e-3;
    size_t marked[2] = {0, 0};
    TOOL_TRY(tool_option_number(p->call, "--flag", 1e-300, 1e300, &flag));
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(plot_place_parse(p, AT_X_EPS, 0));
    map_point at = {p->call->table, NULL, {p->place.v[0], p->place.v[1], 0, 0, TOOL_PI}, 0};
    int st = grid_fill(&p->call->axes, bound_share, &at, &g);
    if (st == TOOL_OK) {
        plot_title(p, "", AT_X_EPS);
        for (int pol = 0; pol < 2; pol++) {
            plot_block(p, pol ? "marked_L" : "marked_T", "q k");
            for (size_t i = 0; i < POINTS; i++) {
                const double q_k[2] = {g->q[i / LINES], g->k[i % LINES]};
                /* on every third line, so that what is below can be seen */
                if (g->v[pol][i] <= flag || i / LINES % 3 || i % LINES % 3) continue;
                plot_row(p, 2, q_k);
                marked[pol]++;
            }
            plot_block_end(p);
        }
        snprintf(text, sizeof text, "crosses: bound above %.3g of the angular mean", flag);
        write_map(p, g, size_colours(p, g), "q k1 error_T/mean_T error_L/mean_L",
                  "error bound / angular mean", text, "grey: no bound is known");
        plot_pair(p, "crosses", (double)marked[0], (double)marked[1]);
    }
    free(g);
    return st;
}

/* ---- modes ---- */

enum { CURVES = 5, MODES = 41, AT_MODES = AT_X_EPS | 1 << PLOT_Q | 1 << PLOT_K1 };

/* Block c<i>: rows m, T, L. */
static int write_modes(plot *p, size_t i)
{
    double v[PLOT_NVAR], modes[2 * MODES];
    char name[32];
    memcpy(v, p->place.v, sizeof v);
    v[PLOT_K1] = p->place.list.v[i];
    cgct_status st = cgct_modes(p->call->table, v[0], v[1], v[2], v[3], MODES, modes);
    v[PLOT_THETA] = TOOL_PI;
    if (st != CGCT_OK) return tool_fail_at(p->call->table, v, st);
    snprintf(name, sizeof name, "c%zu", i);
    plot_block(p, name, "m |I_m|/I_0_T |I_m|/I_0_L");
    for (int m = 0; m < MODES; m++) {
        const double row[3] = {m, fabs(modes[m] / modes[0]), fabs(modes[MODES + m] / modes[MODES])};
        plot_row(p, 3, row);
    }
    plot_block_end(p);
    return TOOL_OK;
}

int plot_modes(plot *p)
{
    plot_place *place = &p->place;
    TOOL_TRY(tool_open_first(p->call));
    TOOL_TRY(plot_place_parse(p, AT_MODES, 1 << PLOT_K1));
    /* without --k1: some between the ends of k */
    const double *range = p->call->axes.range[TOOL_K], *k1 = &place->v[PLOT_K1];
    const int given = tool_value(p->call, "--k1") != NULL;
    for (int i = 0; i < (given ? 1 : CURVES) && place->list_at < 0; i++)
        TOOL_TRY(tool_list_add(&place->list,
                               given ? *k1 : tool_between(range, (double)i / (CURVES - 1))));
    for (size_t i = 0; i < place->list.n; i++) TOOL_TRY(write_modes(p, i));
    plot_title(p, "", AT_MODES & ~(1u << PLOT_K1));
    plot_number(p, "last", MODES - 1);
    plot_curves(p, plot_symbol[PLOT_K1], &place->list, plot_unit[PLOT_K1]);
    return TOOL_OK;
}
