/* SPDX-License-Identifier: MIT */
/* inner: |G_m(Delta,R)| of an inner table (INNER.md).  Such a file is not a table that the reader
 * opens: its blocks are decoded by the files of format/ that the generator uses, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

#ifndef CGCT_WITH_ZSTD
int plot_inner(tool_call *c)
{
    return tool_fail("%s: this program was built without zstd, which inner tables need",
                     c->word[1]);
}
#else
#include "../../format/inner_archive.h"

enum { LINES_MAX = 120 }; /* of the map in each direction: near its pixels, and a small SVG */

/* Positive nodes, at most LINES_MAX of them, the last one included. */
typedef struct {
    size_t n, at[LINES_MAX + 1];
    const double *v;
} line_choice;

static void choose(const cgct_inner_array *a, line_choice *l)
{
    size_t first = 0;
    while (first < a->n && !(a->v[first] > 0)) first++;
    size_t n = a->n - first, step = (n + LINES_MAX - 1) / LINES_MAX;
    l->v = a->v;
    l->n = 0;
    for (size_t i = first; i < a->n; i += step ? step : 1) l->at[l->n++] = i;
    if (l->n && l->at[l->n - 1] != a->n - 1 && l->n <= LINES_MAX) l->at[l->n++] = a->n - 1;
}

/* Rows Delta R |G|_T |G|_L; the range of the positive values. */
static void write_map(plot *p, const line_choice *d, const line_choice *r, size_t nr,
                      double *const G[2], double range[2])
{
    range[0] = INFINITY;
    range[1] = 0;
    plot_block(p, "grid", "Delta R |G_m|_T |G_m|_L");
    for (size_t i = 0; i < d->n; i++) {
        if (i) plot_gap(p);
        for (size_t j = 0; j < r->n; j++) {
            size_t at = d->at[i] * nr + r->at[j];
            const double row[4] = {d->v[d->at[i]], r->v[r->at[j]], fabs(G[0][at]), fabs(G[1][at])};
            plot_row(p, 4, row);
            for (int pol = 0; pol < 2; pol++)
                if (row[2 + pol] > 0) {
                    range[0] = fmin(range[0], row[2 + pol]);
                    range[1] = fmax(range[1], row[2 + pol]);
                }
        }
    }
    plot_block_end(p);
    if (!(range[1] > 0)) range[0] = range[1] = 1;
    range[0] = fmax(range[0], 1e-12 * range[1]);
    if (!(range[1] > 1.01 * range[0])) range[1] = 1.01 * range[0];
}

static void inner_panels(plot *p, const line_choice *d, const line_choice *r, int m,
                         const double range[2], const char *title)
{
    plot_panels(p, 1, 2, 0, title);
    plot_map_frame(p);
    plot_log_axis(p, "x", d->v[d->at[0]], d->v[d->at[d->n - 1]]);
    plot_log_axis(p, "y", r->v[r->at[0]], r->v[r->at[r->n - 1]]);
    plot_log_axis(p, "cb", range[0], range[1]);
    fputs("set xlabel 'Δ (1/GeV)'\nset ylabel 'R (1/GeV)'\n", p->f);
    for (int pol = 0; pol < 2; pol++)
        fprintf(
            p->f,
            "set title '|G_{%d}(Δ,R)| (GeV^{-2}), %c' offset 0,-0.5\n"
            "splot $grid using 1:2:($%d > 0 ? $%d : NaN) with pm3d\nunset label 1\nunset ylabel\n",
            m, polarisation_name[pol], 3 + pol, 3 + pol);
}

static int draw(plot *p, const cgct_inner_archive *a, const char *file, double m)
{
    const cgct_inner_array *order, *delta, *r, *x, *eps;
    const cgct_inner_head *h = &a->head;
    double *G[2], range[2];
    size_t block = 0;
    char title[600];
    line_choice dl, rl;
    cgct_err err;
    cgct_status got = cgct_inner_find(a, "m", h->nm, &order, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "delta", h->nd, &delta, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "r", h->nr, &r, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "x", 1, &x, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "eps", 1, &eps, &err);
    if (got != CGCT_OK) return tool_fail("%s", err.text);
    while (block < h->nm && order->v[block] != m) block++;
    if (block == h->nm)
        return tool_fail("%s: no mode %g; there are %g to %g in steps of %g", file, m, order->v[0],
                         order->v[h->nm - 1], h->nm > 1 ? order->v[1] - order->v[0] : 1);
    choose(delta, &dl);
    choose(r, &rl);
    if (dl.n < 2 || rl.n < 2) return tool_fail("%s: too few positive nodes for a map", file);
    G[0] = malloc(2 * h->nd * h->nr * sizeof *G[0]);
    G[1] = G[0] ? G[0] + h->nd * h->nr : NULL;
    if (!G[0]) return tool_fail("no memory for two blocks of %zu x %zu", h->nd, h->nr);
    for (size_t pol = 0; pol < 2 && got == CGCT_OK; pol++)
        got = cgct_inner_load(a, pol * h->nm + block, G[pol], &err);
    if (got == CGCT_OK) {
        write_map(p, &dl, &rl, h->nr, G, range);
        snprintf(title, sizeof title, "%.400s, x = %.4g, ε = %.4g GeV", plot_file(file), x->v[0],
                 eps->v[0]);
        inner_panels(p, &dl, &rl, (int)m, range, title);
    }
    free(G[0]);
    return got == CGCT_OK ? TOOL_OK : tool_fail("%s", err.text);
}

int plot_inner(tool_call *c)
{
    cgct_inner_archive *a = NULL;
    plot p;
    cgct_err err;
    double m = 0;
    int st = plot_open(&p, c);
    if (st == TOOL_OK) st = tool_option_number(c, "--m", 0, 4095, &m);
    if (st == TOOL_OK && cgct_inner_open(&a, c->word[1], &err) != CGCT_OK)
        st = tool_fail("%s", err.text);
    if (st == TOOL_OK) st = draw(&p, a, c->word[1], m);
    cgct_inner_close(a);
    return plot_close(&p, st);
}
#endif
