/* SPDX-License-Identifier: MIT */
/* modes: how |I_m|/I_0 falls with m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

enum { CURVES = 5, AT = 1 << PLOT_X | 1 << PLOT_EPS | 1 << PLOT_Q | 1 << PLOT_K1 };

/* The ks of --k1, or five of the axis. */
static int choose_k(plot_place *place, const tool_axes *a, int given)
{
    size_t n = a->n[3] < CURVES ? a->n[3] : CURVES;
    int st = TOOL_OK;
    if (given && place->list_at >= 0) return TOOL_OK;
    if (given) return tool_list_add(&place->list, place->v[PLOT_K1]);
    for (size_t i = 0; i < n && st == TOOL_OK; i++)
        st = tool_list_add(&place->list, a->v[3][n > 1 ? i * (a->n[3] - 1) / (n - 1) : 0]);
    return st;
}

/* Block c<i>: rows m, T, L with modes that are not 0 in one of them.  *last: the largest such m. */
static int write_modes(plot *p, const cgct_table *t, const plot_place *place, size_t i,
                       size_t *last)
{
    size_t nm;
    const double *v = place->v, k = place->list.v[i];
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

static void modes_panels(plot *p, const cgct_table *t, const plot_place *place, size_t last)
{
    char text[160], title[600];
    plot_place_text(place, AT & ~(1u << PLOT_K1), text, sizeof text);
    plot_mode_title(p->call, t, text, title, sizeof title);
    plot_panels(p, 2, 1, 1, title);
    fprintf(p->f,
            "set logscale y\nset format y '10^{%%T}'\nset xrange [0:%zu]\n"
            "set yrange [*:2]\n",
            last ? last : 1);
    for (int pol = 0; pol < 2; pol++) {
        fprintf(p->f, "%s\nset ylabel '|I_m| / I_0, %c'\nplot ",
                pol ? "set format x\nset xlabel 'm'" : "set format x ''", polarisation_name[pol]);
        for (size_t i = 0; i < place->list.n; i++) {
            fprintf(p->f,
                    "$c%zu using 1:($%d > 0 ? $%d : NaN) with linespoints lw 1.5 pt %zu ps 0.6 "
                    "lc rgb '%s' title '",
                    i, 2 + pol, 2 + pol, 2 * i + 5, plot_colour(i));
            if (pol == 0) fprintf(p->f, "k = %.4g GeV", place->list.v[i]);
            fputs(i + 1 < place->list.n ? "', " : "'\n", p->f);
        }
        fputs("unset label 1\n", p->f);
    }
}

int plot_modes(tool_call *c)
{
    cgct_table *t = NULL;
    plot p;
    plot_place place = {.list_at = -1};
    size_t last = 0;
    int st = plot_open(&p, c);
    if (st == TOOL_OK) st = tool_open(c->word[1], TOOL_NODES, &t);
    if (st == TOOL_OK) st = plot_place_parse(c, t, AT, 1 << PLOT_K1, &place);
    if (st == TOOL_OK) {
        tool_axes axes = tool_axes_of(t);
        st = choose_k(&place, &axes, tool_value(c, "--k1") != NULL);
    }
    for (size_t i = 0; i < place.list.n && st == TOOL_OK; i++)
        st = write_modes(&p, t, &place, i, &last);
    if (st == TOOL_OK) modes_panels(&p, t, &place, last);
    number_list_free(&place.list);
    cgct_close(t);
    return plot_close(&p, st);
}
