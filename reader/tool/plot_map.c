/* SPDX-License-Identifier: MIT */
/* The pictures map, certificate and modes: what a table holds at one (x,eps). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

#define MAP_COLOURS 1e-15 /* least value with a colour, over the largest */
enum { AT_X_EPS = 1 << PLOT_X | 1 << PLOT_EPS };

/* A grid of (q, k) for two panels: rows "q k value_T value_L", NaN where there is none. */
typedef struct {
    tool_axes axes;
    double *v; /* (2, nq, nk) */
} grid_values;

static int grid_init(const tool_axes *a, grid_values *g)
{
    if (a->n[2] < 2 || a->n[3] < 2)
        return tool_fail("axes q and k have %zu and %zu values: no map", a->n[2], a->n[3]);
    *g = (grid_values){*a, calloc(2 * a->n[2] * a->n[3], sizeof *g->v)};
    return g->v ? TOOL_OK : tool_fail("no memory for a map");
}

static void write_grid(plot *p, const grid_values *g, const char *columns)
{
    size_t nk = g->axes.n[3], n = g->axes.n[2] * nk;
    plot_block(p, "grid", columns);
    for (size_t i = 0; i < n; i++) {
        const double row[4] = {g->axes.v[2][i / nk], g->axes.v[3][i % nk], g->v[i], g->v[n + i]};
        if (i && i % nk == 0) plot_gap(p);
        plot_row(p, 4, row);
    }
    plot_block_end(p);
}

/* What plots/map.gp draws. */
static void set_map(plot *p, const grid_values *g, const char *quantity)
{
    const tool_axes *a = &g->axes;
    plot_range colours = plot_range_none();
    for (size_t i = 0; i < 2 * a->n[2] * a->n[3]; i++) plot_range_add(&colours, g->v[i]);
    plot_string(p, "quantity", quantity);
    plot_string(p, "x_label", plot_label[PLOT_Q]);
    plot_string(p, "y_label", "k (GeV)");
    plot_number(p, "x_lo", a->v[2][0]);
    plot_number(p, "x_hi", a->v[2][a->n[2] - 1]);
    plot_number(p, "y_lo", a->v[3][0]);
    plot_number(p, "y_hi", a->v[3][a->n[3] - 1]);
    plot_colours(p, colours, MAP_COLOURS);
}

/* ---- map ---- */

static int fill_map(const cgct_table *t, const plot_place *place, size_t m, grid_values *g)
{
    size_t nk = g->axes.n[3], n = g->axes.n[2] * nk, most = m + 1;
    double *modes = calloc(2 * most, sizeof *modes);
    if (!modes) return tool_fail("no memory for %zu modes", most);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        st = cgct_modes(t, place->v[0], place->v[1], g->axes.v[2][i / nk], g->axes.v[3][i % nk],
                        most, modes, NULL);
        g->v[i] = fabs(modes[m]);
        g->v[n + i] = fabs(modes[most + m]);
    }
    free(modes);
    return st == CGCT_OK
               ? TOOL_OK
               : tool_fail("x = %g, eps = %g: %s", place->v[0], place->v[1], cgct_strerror(st));
}

int plot_map(plot *p)
{
    grid_values g;
    char text[160];
    double m = 0;
    TOOL_TRY(tool_option_number(p->call, "--m", 0, 4095, &m));
    TOOL_TRY(tool_open_first(p->call, TOOL_NODES));
    TOOL_TRY(plot_place_parse(p, AT_X_EPS, 0));
    TOOL_TRY(grid_init(&p->call->axes, &g));
    int st = fill_map(p->call->table, &p->place, (size_t)m, &g);
    if (st == TOOL_OK) {
        plot_place_text(&p->place, AT_X_EPS, text, sizeof text);
        plot_mode_title(p, text);
        snprintf(text, sizeof text, "|I_{%d}| (GeV^{-6})", (int)m);
        write_grid(p, &g, "q k |I_m|_T |I_m|_L");
        set_map(p, &g, text);
        plot_string(p, "note", "");
        plot_pair(p, "crosses", 0, 0);
    }
    free(g.v);
    return st;
}

/* ---- certificate ---- */

/* v: error bound over 2 pi I_0; the points that are marked go to $marked. */
static void fill_certificate(plot *p, const cgct_node_data *d, double flag, grid_values *g,
                             size_t marked[2])
{
    size_t n = d->nq * d->nk;
    for (size_t i = 0; i < 2 * n; i++) g->v[i] = d->error[i] / (2 * TOOL_PI * d->modes[i * d->nm]);
    write_grid(p, g, "q k error_T/(2 pi I_0) error_L/(2 pi I_0)");
    for (size_t pol = 0; pol < 2; pol++) {
        plot_block(p, pol ? "marked_L" : "marked_T", "q k");
        for (size_t i = 0; i < n; i++) {
            const double at[2] = {g->axes.v[2][i / d->nk], g->axes.v[3][i % d->nk]};
            if (!d->flag[pol * n + i] && g->v[pol * n + i] <= flag && g->v[pol * n + i] >= 0)
                continue;
            plot_row(p, 2, at);
            marked[pol]++;
        }
        plot_block_end(p);
    }
}

static void draw_certificate(plot *p, const cgct_node_data *d, double flag, grid_values *g)
{
    char text[160];
    size_t marked[2] = {0, 0};
    fill_certificate(p, d, flag, g, marked);
    snprintf(text, sizeof text,
             "crosses: bound above %.3g of the angular mean, or no positive mean: "
             "%zu points of T, %zu of L",
             flag, marked[0], marked[1]);
    set_map(p, g, "error bound / angular mean");
    plot_string(p, "note", text);
    plot_pair(p, "crosses", (double)marked[0], (double)marked[1]);
}

int plot_certificate(plot *p)
{
    cgct_node_data d;
    grid_values g;
    cgct_err err;
    char text[160];
    double flag = 1e-3;
    const tool_axes *a = &p->call->axes;
    TOOL_TRY(tool_option_number(p->call, "--flag", 1e-300, 1e300, &flag));
    TOOL_TRY(tool_open_first(p->call, TOOL_INDEX));
    TOOL_TRY(plot_place_parse(p, AT_X_EPS, 0));
    TOOL_TRY(grid_init(a, &g));
    size_t ix = tool_nearest_node(a->n[0], a->v[0], p->place.v[PLOT_X]);
    size_t ie = tool_nearest_node(a->n[1], a->v[1], p->place.v[PLOT_EPS]);
    int good = cgct_node_read(p->call->table, ix, ie, &d, &err) == CGCT_OK;
    if (good) {
        snprintf(text, sizeof text, ", node x = %.4g, ε = %.4g GeV", a->v[0][ix], a->v[1][ie]);
        plot_mode_title(p, text);
        draw_certificate(p, &d, flag, &g);
        cgct_node_free(&d);
    }
    free(g.v);
    return good ? TOOL_OK : tool_fail("%s", err.text);
}

/* ---- modes ---- */

enum { CURVES = 5, AT_MODES = 1 << PLOT_X | 1 << PLOT_EPS | 1 << PLOT_Q | 1 << PLOT_K1 };

/* The ks of --k1, or five of the axis. */
static int choose_k(plot_place *place, const tool_axes *a, int given)
{
    size_t n = a->n[3] < CURVES ? a->n[3] : CURVES;
    if (given && place->list_at >= 0) return TOOL_OK;
    if (given) return tool_list_add(&place->list, place->v[PLOT_K1]);
    for (size_t i = 0; i < n; i++)
        TOOL_TRY(tool_list_add(&place->list, a->v[3][n > 1 ? i * (a->n[3] - 1) / (n - 1) : 0]));
    return TOOL_OK;
}

/* Block c<i>: rows m, T, L with modes that are not 0 in one of them.  *last: the largest such m. */
static int write_modes(plot *p, size_t i, size_t *last)
{
    size_t nm;
    const cgct_table *t = p->call->table;
    const double *v = p->place.v, k = p->place.list.v[i];
    char name[32];
    cgct_status got = cgct_modes(t, v[0], v[1], v[2], k, 0, NULL, &nm);
    double *modes = got == CGCT_OK ? calloc(2 * nm, sizeof *modes) : NULL;
    if (got == CGCT_OK && !modes) return tool_fail("no memory for %zu modes", nm);
    if (got == CGCT_OK) got = cgct_modes(t, v[0], v[1], v[2], k, nm, modes, &nm);
    if (got == CGCT_OK) {
        snprintf(name, sizeof name, "c%zu", i);
        plot_block(p, name, "m |I_m|/I_0_T |I_m|/I_0_L");
        for (size_t m = 0; m < nm; m++) {
            const double row[3] = {(double)m, fabs(modes[m] / modes[0]),
                                   fabs(modes[nm + m] / modes[nm])};
            if (!(row[1] > 0 || row[2] > 0)) continue;
            plot_row(p, 3, row);
            if (m > *last) *last = m;
        }
        plot_block_end(p);
    }
    free(modes);
    if (got == CGCT_OK) return TOOL_OK;
    return tool_fail("x = %g, eps = %g, q = %g, k = %g: %s", v[0], v[1], v[2], k,
                     cgct_strerror(got));
}

static void set_modes(plot *p, size_t last)
{
    const plot_place *place = &p->place;
    char text[160];
    plot_place_text(place, AT_MODES & ~(1u << PLOT_K1), text, sizeof text);
    plot_mode_title(p, text);
    plot_number(p, "last", last ? (double)last : 1);
    plot_number(p, "curves", (double)place->list.n);
    for (size_t i = 0; i < place->list.n; i++) {
        snprintf(text, sizeof text, "k = %.4g GeV", place->list.v[i]);
        plot_legend(p, i, text);
    }
}

int plot_modes(plot *p)
{
    size_t last = 0;
    TOOL_TRY(tool_open_first(p->call, TOOL_NODES));
    TOOL_TRY(plot_place_parse(p, AT_MODES, 1 << PLOT_K1));
    TOOL_TRY(choose_k(&p->place, &p->call->axes, tool_value(p->call, "--k1") != NULL));
    for (size_t i = 0; i < p->place.list.n; i++) TOOL_TRY(write_modes(p, i, &last));
    set_modes(p, last);
    return TOOL_OK;
}
