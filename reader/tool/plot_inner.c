/* SPDX-License-Identifier: MIT */
/* inner: |G_m(Delta,R)| of an inner table (INNER.md).  Such a file is not a table that the reader
 * opens: its blocks are decoded by the files of format/ that the generator uses, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

#ifndef CGCT_WITH_ZSTD
int plot_inner(plot *p)
{
    return tool_fail("%s: this program was built without zstd, which inner tables need",
                     p->call->word[1]);
}
#else
#include "../../format/inner_archive.h"

#define INNER_COLOURS 1e-12 /* least value with a colour, over the largest */
enum { LINES_MAX = 120 }; /* of the map in each direction: near its pixels, and a small SVG */

/* Positive nodes, at most LINES_MAX of them, the last one included. */
typedef struct {
    size_t n, at[LINES_MAX + 1];
    const double *v;
} node_choice;

static void choose_nodes(const cgct_inner_array *a, node_choice *l)
{
    size_t first = 0;
    while (first < a->n && !(a->v[first] > 0)) first++;
    size_t n = a->n - first, step = (n + LINES_MAX - 1) / LINES_MAX;
    l->v = a->v;
    l->n = 0;
    for (size_t i = first; i < a->n; i += step ? step : 1) l->at[l->n++] = i;
    if (l->n && l->at[l->n - 1] != a->n - 1 && l->n <= LINES_MAX) l->at[l->n++] = a->n - 1;
}

/* Rows Delta R |G|_T |G|_L, and what plots/map.gp needs beside them. */
static void write_inner_map(plot *p, const node_choice *d, const node_choice *r,
                            const cgct_inner_head *h, const double *G)
{
    plot_range colours = {INFINITY, 0};
    plot_block(p, "grid", "Delta R |G_m|_T |G_m|_L");
    for (size_t i = 0; i < d->n; i++) {
        if (i) plot_gap(p);
        for (size_t j = 0; j < r->n; j++) {
            const double *at = G + d->at[i] * h->nr + r->at[j];
            const double row[4] = {d->v[d->at[i]], r->v[r->at[j]], fabs(at[0]),
                                   fabs(at[h->nd * h->nr])};
            plot_row(p, 4, row);
            for (int pol = 0; pol < 2; pol++) plot_range_add(&colours, row[2 + pol]);
        }
    }
    plot_block_end(p);
    plot_string(p, "x_label", "Δ (1/GeV)");
    plot_string(p, "y_label", "R (1/GeV)");
    plot_number(p, "x_lo", d->v[d->at[0]]);
    plot_number(p, "x_hi", d->v[d->at[d->n - 1]]);
    plot_number(p, "y_lo", r->v[r->at[0]]);
    plot_number(p, "y_hi", r->v[r->at[r->n - 1]]);
    plot_colours(p, colours, INNER_COLOURS);
    plot_string(p, "note", "grey: below 10^{-12} of the largest value");
    plot_pair(p, "crosses", 0, 0);
}

/* The block of mode m of both polarisations. */
static int draw_inner(plot *p, const cgct_inner_archive *a, double m)
{
    const cgct_inner_head *h = &a->head;
    const cgct_inner_array *order, *delta, *r, *x, *eps;
    node_choice in_delta, in_r;
    cgct_err err;
    cgct_status got = cgct_inner_find(a, "m", h->nm, &order, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "delta", h->nd, &delta, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "r", h->nr, &r, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "x", 1, &x, &err);
    if (got == CGCT_OK) got = cgct_inner_find(a, "eps", 1, &eps, &err);
    if (got != CGCT_OK) return tool_fail("%s", err.text);
    size_t nm = h->nm, block = 0;
    while (block < nm && order->v[block] != m) block++;
    if (block == nm)
        return tool_fail("%s: no mode %g; there are %g to %g in steps of %g", a->path, m,
                         order->v[0], order->v[nm - 1], nm > 1 ? order->v[1] - order->v[0] : 1);
    choose_nodes(delta, &in_delta);
    choose_nodes(r, &in_r);
    if (in_delta.n < 2 || in_r.n < 2)
        return tool_fail("%s: too few positive nodes for a map", a->path);
    plot_string(p, "title", "%.400s, x = %.4g, ε = %.4g GeV", plot_file(a->path), x->v[0],
                eps->v[0]);
    plot_string(p, "quantity", "|G_{%d}(Δ,R)| (GeV^{-2})", (int)m);
    double *G = malloc(2 * h->nd * h->nr * sizeof *G);
    if (!G) return tool_fail("no memory for two blocks of %zu x %zu", h->nd, h->nr);
    for (size_t pol = 0; pol < 2 && got == CGCT_OK; pol++)
        got = cgct_inner_load(a, pol * nm + block, G + pol * h->nd * h->nr, &err);
    if (got == CGCT_OK) write_inner_map(p, &in_delta, &in_r, h, G);
    free(G);
    return got == CGCT_OK ? TOOL_OK : tool_fail("%s", err.text);
}

int plot_inner(plot *p)
{
    cgct_inner_archive *a;
    cgct_err err;
    double m = 0;
    TOOL_TRY(tool_option_integer(p->call, "--m", 0, 4095, &m));
    if (cgct_inner_open(&a, p->call->word[1], &err) != CGCT_OK) return tool_fail("%s", err.text);
    int st = draw_inner(p, a, m);
    cgct_inner_close(a);
    return st;
}
#endif
