/* SPDX-License-Identifier: MIT */
/* map, certificate, modes: what a table holds at one (x,eps). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

enum { AT_X_EPS = 1 << PLOT_X | 1 << PLOT_EPS };

/* A grid of (q, k) for two panels: rows "q k value_T value_L", NaN where there is none. */
typedef struct {
    tool_axes axes;
    double *v; /* (2, nq, nk) */
} grid_values;

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

/* Range of the colours: positive values, at most fifteen decades. */
static void colour_range(const grid_values *g, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = 0;
    for (size_t i = 0; i < 2 * g->axes.n[2] * g->axes.n[3]; i++)
        if (g->v[i] > 0 && isfinite(g->v[i])) {
            *lo = fmin(*lo, g->v[i]);
            *hi = fmax(*hi, g->v[i]);
        }
    if (!(*hi > 0)) *lo = *hi = 1;
    *lo = fmax(*lo, *hi * 1e-15);
    if (!(*hi > 1.01 * *lo)) *hi = 1.01 * *lo;
}

/* marked: points of $marked_T, $marked_L to be crossed out, or NULL. */
static void map_panels(plot *p, const grid_values *g, const char *what, const size_t *marked)
{
    double lo, hi;
    colour_range(g, &lo, &hi);
    plot_map_frame(p);
    plot_log_axis(p, "x", g->axes.v[2][0], g->axes.v[2][g->axes.n[2] - 1]);
    plot_log_axis(p, "y", g->axes.v[3][0], g->axes.v[3][g->axes.n[3] - 1]);
    plot_log_axis(p, "cb", lo, hi);
    fputs("set xlabel 'q (GeV)'\nset ylabel 'k (GeV)'\n", p->f);
    for (int pol = 0; pol < 2; pol++) {
        char name = polarisation_name[pol];
        fprintf(p->f,
                "set title '%s, %c' offset 0,-0.5\n"
                "splot $grid using 1:2:($%d > 0 ? $%d : NaN) with pm3d",
                what, name, 3 + pol, 3 + pol);
        if (marked && marked[pol])
            fprintf(p->f,
                    ", $marked_%c using 1:2:(1) with points pt 2 ps 0.6 lw 1.2 lc rgb 'black'",
                    name);
        fputs("\nunset label 1\nunset label 2\nunset ylabel\n", p->f);
    }
}

static int needs_grid(const tool_axes *a)
{
    if (a->n[2] > 1 && a->n[3] > 1) return TOOL_OK;
    return tool_fail("axes q and k have %zu and %zu values: no map", a->n[2], a->n[3]);
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

int plot_map(tool_call *c)
{
    cgct_table *t = NULL;
    plot p;
    plot_place place;
    grid_values g = {0};
    char text[160], title[600], what[32];
    double m = 0;
    int st = plot_open(&p, c);
    if (st == TOOL_OK) st = tool_option_number(c, "--m", 0, 4095, &m);
    if (st == TOOL_OK) st = tool_open(c->word[1], TOOL_NODES, &t);
    if (st == TOOL_OK) st = plot_place_parse(c, t, AT_X_EPS, 0, &place);
    if (st == TOOL_OK) {
        g.axes = tool_axes_of(t);
        st = needs_grid(&g.axes);
    }
    if (st == TOOL_OK && !(g.v = calloc(2 * g.axes.n[2] * g.axes.n[3], sizeof *g.v)))
        st = tool_fail("no memory for a map");
    if (st == TOOL_OK) st = fill_map(t, &place, (size_t)m, &g);
    if (st == TOOL_OK) {
        plot_place_text(&place, AT_X_EPS, text, sizeof text);
        plot_mode_title(c, t, text, title, sizeof title);
        snprintf(what, sizeof what, "|I_{%d}| (GeV^{-6})", (int)m);
        write_grid(&p, &g, "q k |I_m|_T |I_m|_L");
        plot_panels(&p, 1, 2, 0, title);
        map_panels(&p, &g, what, NULL);
    }
    free(g.v);
    cgct_close(t);
    return plot_close(&p, st);
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

static int certify(plot *p, const tool_call *c, const cgct_table *t, const plot_place *place,
                   double flag)
{
    cgct_node_data d;
    cgct_err err;
    char text[160], title[600];
    size_t marked[2] = {0, 0};
    grid_values g = {tool_axes_of(t), NULL};
    size_t ix = tool_nearest_node(g.axes.n[0], g.axes.v[0], place->v[PLOT_X]);
    size_t ie = tool_nearest_node(g.axes.n[1], g.axes.v[1], place->v[PLOT_EPS]);
    int st = needs_grid(&g.axes);
    if (st != TOOL_OK) return st;
    if (cgct_node_read(t, ix, ie, &d, &err) != CGCT_OK) return tool_fail("%s", err.text);
    if (!(g.v = calloc(2 * d.nq * d.nk, sizeof *g.v))) st = tool_fail("no memory for a map");
    if (st == TOOL_OK) {
        fill_certificate(p, &d, flag, &g, marked);
        snprintf(text, sizeof text, ", node x = %.4g, ε = %.4g GeV", g.axes.v[0][ix],
                 g.axes.v[1][ie]);
        plot_mode_title(c, t, text, title, sizeof title);
        plot_panels(p, 1, 2, 1, title);
        fprintf(p->f,
                "set label 2 'crosses: bound above %.3g of the angular mean, or no positive mean: "
                "%zu points of T, %zu of L' at screen 0.5,0.925 center\n",
                flag, marked[0], marked[1]);
        map_panels(p, &g, "error bound / angular mean", marked);
    }
    free(g.v);
    cgct_node_free(&d);
    return st;
}

int plot_certificate(tool_call *c)
{
    cgct_table *t = NULL;
    plot p;
    plot_place place;
    double flag = 1e-3;
    int st = plot_open(&p, c);
    if (st == TOOL_OK) st = tool_option_number(c, "--flag", 1e-300, 1e300, &flag);
    if (st == TOOL_OK) st = tool_open(c->word[1], TOOL_INDEX, &t);
    if (st == TOOL_OK) st = plot_place_parse(c, t, AT_X_EPS, 0, &place);
    if (st == TOOL_OK) st = certify(&p, c, t, &place, flag);
    cgct_close(t);
    return plot_close(&p, st);
}
