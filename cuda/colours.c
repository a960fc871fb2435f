/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of colours on a device: for each chunk of Delta
 *
 *   lattice            points r' of the rows of the coarse grid
 *   colours, resolve   sums at 3, 5, 9, .. gamma and their modes, until these suffice
 *   blend, widen_r     from the coarse grid to the nodes of the table
 */
#include "colours.h"

#include <stdlib.h>

#include "colours_kernels.h"
#include "direct_stage.h"
#include "numerics/memory.h"

typedef struct {
    const colours_grid *grid;
    gpu *g;
    gpu_group all, part; /* buffers for all chunks; of one chunk */
    colours_view v;
} colours_stage;

/* ---- what all chunks share ---- */

static cgct_status upload_colours(colours_stage *s, cgct_err *err)
{
    const colours_grid *g = s->grid;
    const inner_opts *o = g->o;
    colours_view *v = &s->v;
    gpu_group *b = &s->all;
    const size_t coeffs = g->L.cells * LOOKUP_PLANES * sizeof *g->L.c;
    uint32_t *order = memory_new(o->nm, sizeof *order);
    for (size_t im = 0; im < o->nm; im++) order[im] = (uint32_t)colours_order(g, im);
    *v = (colours_view){.nm = o->nm,
                        .nr = g->nr,
                        .singlet = g->d->singlet,
                        .few = g->colours,
                        .lam = o->lam,
                        .span = g->span,
                        .L = g->L,
                        .table_nr = o->nr};
    cgct_status st = gpu_group_add(b, o->nm * sizeof *order, order, &v->order, err);
    free(order);
    CGCT_TRY(st);
    CGCT_TRY(gpu_group_add(b, coeffs, g->L.c, &v->L.c, err));
    CGCT_TRY(gpu_group_add(b, sizeof g->singular, &g->singular, &v->singular, err));
    CGCT_TRY(gpu_group_add(b, sizeof g->cosine, g->cosine, &v->cosine, err));
    CGCT_TRY(gpu_group_add(b, sizeof g->axes, &g->axes, &v->axes, err));
    CGCT_TRY(gpu_group_add(b, o->nr * sizeof *o->r, o->r, &v->r, err));
    return direct_upload_photon(b, o->eps, &v->photon, err);
}

/* ---- the rows and nodes of some panels of Delta ---- */

/* Panels p0..p1-1, and the columns of the table in them. */
typedef struct {
    size_t p0, p1, d0, nd;
    size_t rows, nodes, points, most; /* most: points of a row */
    colours_line *row;
    colours_node *node;
    double *delta;   /* (nd) */
    uint32_t *first; /* (nd) */
    void *arrays;
} colours_chunk;

/* How many nodes of R are needed in a panel of Delta: none without a node of the table. */
static size_t nodes_needed(const colours_grid *g, size_t panel)
{
    const size_t n = colours_panels_r(g);
    size_t needed = 0;
    for (size_t i = 0; i < n; i++)
        if (g->need[panel * n + i]) needed += colours_nodes_r(g, i);
    return needed;
}

static size_t panel_of(const colours_grid *g, size_t id)
{
    const double delta = colours_delta_of(g, id);
    return delta > g->axes.delta.end[g->axes.delta.n] ? g->axes.delta.n
                                                      : panels_panel(&g->axes.delta, delta);
}

/* Sizes of the chunk of panels p0..p1-1, and where its columns begin, at or after d0. */
static colours_chunk measure_chunk(const colours_grid *g, size_t p0, size_t p1, size_t d0)
{
    colours_chunk c = {.p0 = p0, .p1 = p1, .d0 = d0};
    for (size_t panel = p0; panel < p1; panel++) {
        const size_t needed = nodes_needed(g, panel), rows = panels_nodes(&g->axes.delta, panel);
        if (!needed) continue;
        c.rows += rows;
        c.nodes += rows * needed;
        for (size_t k = 0; k < rows; k++) {
            const size_t n = colours_row_at(g, panel, k).shape.n;
            c.points += n;
            if (n > c.most) c.most = n;
        }
    }
    while (d0 + c.nd < g->o->nd && panel_of(g, d0 + c.nd) < p1) c.nd++;
    return c;
}

/* Numbers of the device's buffers for a chunk, in units of 8 bytes. */
static double chunk_numbers(const colours_grid *g, const colours_chunk *c)
{
    const double row = (double)(NPOL * g->o->nm), nodes = (double)c->nodes, nd = (double)c->nd;
    const double sums = (COLOURS_ANGLES + 1) * COLOURS_SUMS;
    const double lists = (double)sizeof(colours_line) * (double)c->rows +
                         (sizeof(colours_node) + sizeof(uint32_t)) * nodes + 12 * nd;
    return (double)c->points * POINT_SIZE + nodes * sums + (double)(c->rows * g->nr) * row +
           nd * row * (double)(g->nr + g->o->nr) + lists / sizeof(double);
}

/* The nodes of a row that are needed, from *node on; returns their number. */
static size_t list_row(const colours_grid *g, size_t panel, double delta, uint32_t row,
                       colours_node *node)
{
    const size_t n = colours_panels_r(g);
    size_t listed = 0;
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < colours_nodes_r(g, i); k++, at++)
            if (g->need[panel * n + i])
                node[listed++] = (colours_node){colours_r_at(g, i, k, delta), row, at};
    return listed;
}

static void list_chunk(const colours_grid *g, colours_chunk *c)
{
    const array_part part[] = {ARRAY_PART(c->row, c->rows), ARRAY_PART(c->node, c->nodes),
                               ARRAY_PART(c->delta, c->nd), ARRAY_PART(c->first, c->nd)};
    c->arrays = ARRAYS(part);
    size_t row = 0, node = 0, point = 0, id = 0;
    for (size_t panel = c->p0; panel < c->p1; panel++) {
        const size_t rows = nodes_needed(g, panel) ? panels_nodes(&g->axes.delta, panel) : 0;
        const uint32_t first = (uint32_t)row;
        for (; id < c->nd && panel_of(g, c->d0 + id) == panel; id++) {
            c->delta[id] = colours_delta_of(g, c->d0 + id);
            c->first[id] = first;
        }
        for (size_t k = 0; k < rows; k++, row++) {
            c->row[row] = (colours_line){colours_row_at(g, panel, k), point};
            point += c->row[row].of.shape.n;
            node += list_row(g, panel, c->row[row].of.shape.delta, (uint32_t)row, c->node + node);
        }
    }
}

/* ---- one chunk ---- */

static cgct_status place_chunk(colours_stage *s, const colours_chunk *c, cgct_err *err)
{
    colours_view *v = &s->v;
    gpu_group *b = &s->part;
    const size_t one = sizeof(double), row = NPOL * v->nm * one;
    v->rows = c->rows;
    v->nodes = c->nodes;
    v->points = c->points;
    v->most = c->most;
    v->nd = c->nd;
    v->origin = c->d0 == 0 && !(s->grid->o->delta[0] > 0);
    CGCT_TRY(gpu_group_add(b, c->rows * sizeof *c->row, c->row, &v->row, err));
    CGCT_TRY(gpu_group_add(b, c->nodes * sizeof *c->node, c->node, &v->node, err));
    CGCT_TRY(gpu_group_add(b, c->nd * one, c->delta, &v->delta, err));
    CGCT_TRY(gpu_group_add(b, c->nd * sizeof *c->first, c->first, &v->first, err));
    CGCT_TRY(gpu_group_add(b, c->points * POINT_SIZE * one, NULL, &v->point, err));
    CGCT_TRY(
        gpu_group_add(b, (COLOURS_ANGLES + 1) * COLOURS_SUMS * c->nodes * one, NULL, &v->f, err));
    CGCT_TRY(gpu_group_add(b, c->nodes * sizeof *v->done, NULL, &v->done, err));
    CGCT_TRY(gpu_group_add(b, c->rows * v->nr * row, NULL, &v->G, err));
    CGCT_TRY(gpu_group_add(b, c->nd * v->nr * row, NULL, &v->line, err));
    CGCT_TRY(gpu_group_add(b, c->nd * v->table_nr * row, NULL, &v->out, err));
    CGCT_TRY(s->g->ops->clear(s->g, v->done, c->nodes * sizeof *v->done, err));
    return s->g->ops->clear(s->g, v->G, c->rows * v->nr * row, err); /* nodes that nobody needs */
}

static cgct_status compute_chunk(colours_stage *s, cgct_err *err)
{
    colours_view *v = &s->v;
    CGCT_TRY(gpu_launch(s->g, GPU_lattice, v->rows * v->most, v, err));
    v->from = 0;
    v->stride = COLOURS_ANGLES / COLOURS_ANGLES_FIRST;
    for (v->n = COLOURS_ANGLES_FIRST; v->n <= COLOURS_ANGLES; v->n *= 2) {
        const size_t angles = v->from ? v->n / 2 : v->n + 1;
        CGCT_TRY(gpu_launch(s->g, GPU_colours, angles * v->nodes, v, err));
        CGCT_TRY(gpu_launch(s->g, GPU_resolve, v->nodes, v, err));
        v->stride = COLOURS_ANGLES / v->n;
        v->from = v->stride / 2;
    }
    CGCT_TRY(gpu_launch(s->g, GPU_blend, v->nd * v->nr * NPOL * v->nm, v, err));
    CGCT_TRY(gpu_launch(s->g, GPU_widen_r, v->nd * v->table_nr, v, err));
    return s->g->ops->mark(s->g, 0, err);
}

static cgct_status run_chunk(colours_stage *s, colours_chunk *c, const device_output *to,
                             double origin[NPOL], cgct_err *err)
{
    const inner_opts *o = s->grid->o;
    const size_t plane = o->nm * c->nd * o->nr;
    list_chunk(s->grid, c);
    cgct_status st = place_chunk(s, c, err);
    if (st == CGCT_OK) st = compute_chunk(s, err);
    if (st == CGCT_OK) st = device_output_put(to, s->g, s->v.out, o->nm, c->d0, c->nd, err);
    if (st == CGCT_OK && c->d0 == 0) {
        const gpu_rows r = {origin, s->v.out, 1, NPOL, 1, plane};
        st = s->g->ops->fetch(s->g, 0, &r, err);
        for (size_t pol = 0; pol < NPOL && st == CGCT_OK; pol++) origin[pol] /= 2 * M_PI;
    }
    gpu_group_free(&s->part);
    free(c->arrays);
    return st;
}

/* ---- all chunks ---- */

static cgct_status fail_without_panel(const colours_stage *s, const colours_chunk *c, cgct_err *err)
{
    size_t free_bytes, total;
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    return cgct_fail(err, CGCT_E_NOMEM,
                     "%s: what colours change at one panel of Delta needs %.3f GiB, %.3f of %.3f "
                     "are free; choose another --device",
                     s->g->name, sizeof(double) * chunk_numbers(s->grid, c) / (1 << 30),
                     (double)free_bytes / (1 << 30), (double)total / (1 << 30));
}

/* As many panels at once as fit; half as many while the device refuses. */
static cgct_status compute_panels(colours_stage *s, const device_output *to, double origin[NPOL],
                                  cgct_err *err)
{
    const colours_grid *g = s->grid;
    size_t free_bytes, total, most = g->axes.delta.n, d0 = 0;
    CGCT_TRY(s->g->ops->memory(s->g, &free_bytes, &total, err));
    const double room = DEVICE_MEMORY_SHARE * (double)free_bytes / sizeof(double);
    for (size_t p0 = 0; p0 < g->axes.delta.n && d0 < g->o->nd;) {
        size_t p1 = p0 + most < g->axes.delta.n ? p0 + most : g->axes.delta.n;
        colours_chunk c = measure_chunk(g, p0, p1, d0);
        cgct_status st = CGCT_E_NOMEM;
        if (p1 == p0 + 1 || chunk_numbers(g, &c) <= room)
            st = c.nd ? run_chunk(s, &c, to, origin, err) : CGCT_OK;
        if (st == CGCT_E_NOMEM && p1 == p0 + 1) return fail_without_panel(s, &c, err);
        if (st == CGCT_E_NOMEM) {
            most = (p1 - p0) / 2;
            continue;
        }
        CGCT_TRY(st);
        p0 = p1;
        d0 += c.nd;
    }
    return CGCT_OK;
}

cgct_status device_colours(const colours_grid *grid, gpu *g, const device_output *to,
                           double origin[NPOL], cgct_err *err)
{
    colours_stage s = {.grid = grid, .g = g, .all.g = g, .part.g = g};
    cgct_status st = upload_colours(&s, err);
    if (st == CGCT_OK) st = compute_panels(&s, to, origin, err);
    gpu_group_free(&s.all);
    return st;
}

double device_colours_bytes(const colours_grid *grid)
{
    const colours_chunk c = measure_chunk(grid, 0, grid->axes.delta.n, 0);
    const double shared = (double)(lookup_K0.cells + lookup_K1.cells) * LOOKUP_TERMS +
                          (double)(grid->L.cells * LOOKUP_PLANES);
    return sizeof(double) * (shared + chunk_numbers(grid, &c)) + sizeof *grid;
}
