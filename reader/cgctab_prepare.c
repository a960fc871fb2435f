/* SPDX-License-Identifier: MIT */
/* cgct_prepare: the differences of all records along the axes (cgctab_everett.h), for fast
 * evaluation at random points. */
#include <math.h>
#include <stdlib.h>

#include "cgctab_everett.h"
#include "../format/elementary.h"

/* The records of a node and its ln s. Where a point carries a flag its ln s is NaN, and so are all
 * differences that it takes part in. */
typedef struct {
    const uint32_t *start; /* as of records */
    float *number;         /* (start[nq nk], 16) */
    double *ln_s;          /* (nq nk, 2) */
    double *lost;          /* (nq nk): numbers that a point has no block for; NULL: of records */
} node_plane;

typedef struct {
    const cgct_table *t;
    size_t n, most; /* points and largest number of blocks of a plane */
    cgct_difference *along[4];
    double *weight[4]; /* (nodes): what a difference is multiplied by at most, about */
    double *ln_s;      /* (nx neps, nq nk, 2) */
    node_plane row[CGCT_ROWS];
    void *memory[3];
} builder;

/* ---- differences ---- */

static double largest_number(const float *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs((double)v[i]));
    return most;
}

/* to += w from for n points `stride` apart, for as many blocks as both have. */
CGCT_CLONES
static void add_point_blocks(const node_plane *to, size_t i, const node_plane *from, size_t j,
                             size_t stride, size_t n, double w)
{
    const float factor = (float)w;
    for (size_t end = i + n * stride; i < end; i += stride, j += stride) {
        const float *x = from->number + CGCT_BLOCK * (size_t)from->start[j];
        float *y = to->number + CGCT_BLOCK * (size_t)to->start[i];
        size_t has = from->start[j + 1] - from->start[j], room = to->start[i + 1] - to->start[i];
        for (size_t v = CGCT_BLOCK * (has < room ? has : room); v > 0; v -= CGCT_BLOCK) {
            for (size_t k = 0; k < CGCT_BLOCK; k++) y[k] += factor * x[k];
            x += CGCT_BLOCK;
            y += CGCT_BLOCK;
        }
        if (has > room) to->lost[i] += fabs(w) * largest_number(x, CGCT_BLOCK * (has - room));
        if (from->lost) to->lost[i] += fabs(w) * from->lost[j];
        to->ln_s[2 * i] += w * from->ln_s[2 * j];
        to->ln_s[2 * i + 1] += w * from->ln_s[2 * j + 1];
    }
}

static node_plane plane_of(const builder *b, size_t node)
{
    const cgct_records *r = &b->t->node[node];
    node_plane p = {r->start, (float *)r->record, b->ln_s + 2 * node * b->n, NULL};
    return p;
}

/* Differences along x or eps; step: from a node to the next one along the axis. */
static void between_planes(const builder *b, size_t node, size_t i, size_t step,
                           const cgct_difference *d, const node_plane *to)
{
    for (size_t j = 0; j < d->n; j++) {
        node_plane from = plane_of(b, node + step * (d->first + j) - step * i);
        add_point_blocks(to, 0, &from, 0, 1, b->n, d->w[j]);
    }
}

static void along_q(const builder *b, const node_plane *from, const node_plane *to)
{
    size_t nq = b->t->grid[CGCT_AXIS_Q].n, nk = b->t->grid[CGCT_AXIS_K].n;
    for (size_t iq = 0; iq < nq; iq++) {
        const cgct_difference *d = &b->along[CGCT_AXIS_Q][iq];
        for (size_t j = 0; j < d->n; j++)
            add_point_blocks(to, iq * nk, from, (d->first + j) * nk, 1, nk, d->w[j]);
    }
}

static void along_k(const builder *b, const node_plane *from, const node_plane *to)
{
    size_t nq = b->t->grid[CGCT_AXIS_Q].n, nk = b->t->grid[CGCT_AXIS_K].n;
    for (size_t ik = 0; ik < nk; ik++) {
        const cgct_difference *d = &b->along[CGCT_AXIS_K][ik];
        for (size_t j = 0; j < d->n; j++)
            add_point_blocks(to, ik, from, d->first + j, nk, nq, d->w[j]);
    }
}

static void make_rows(builder *b, size_t node)
{
    size_t neps = b->t->grid[CGCT_AXIS_EPS].n, ix = node / neps, ieps = node % neps;
    node_plane own = plane_of(b, node);
    for (int r = 0; r < CGCT_ROWS; r++) {
        b->row[r].start = own.start;
        memset(b->row[r].number, 0, CGCT_BLOCK * b->most * sizeof(float));
        memset(b->row[r].ln_s, 0, 3 * b->n * sizeof(double)); /* lost, too */
    }
    between_planes(b, node, ix, neps, &b->along[CGCT_AXIS_X][ix], &b->row[CGCT_ROW_X]);
    between_planes(b, node, ieps, 1, &b->along[CGCT_AXIS_EPS][ieps], &b->row[CGCT_ROW_EPS]);
    along_q(b, &own, &b->row[CGCT_ROW_Q]);
    along_k(b, &own, &b->row[CGCT_ROW_K]);
    along_q(b, &b->row[CGCT_ROW_K], &b->row[CGCT_ROW_QK]);
}

/* ---- points ---- */

static int all_numbers_finite(const double *v, size_t n)
{
    double zero = 0;
    for (size_t i = 0; i < n; i++) zero += 0 * v[i];
    return zero == 0;
}

/* Writes head and fields of point i. Returns 0 where a flag or noise is near, where differences
 * need more blocks than the point has, or where differences do not represent the polynomial of an
 * axis. */
static int put_difference_point(const builder *b, size_t node, size_t i, cgct_head *head,
                                uint32_t *field)
{
    const uint32_t *start = b->row[0].start;
    size_t neps = b->t->grid[CGCT_AXIS_EPS].n, nk = b->t->grid[CGCT_AXIS_K].n;
    const size_t at[4] = {node / neps, node % neps, i / nk, i % nk};
    size_t first = CGCT_BLOCK * (size_t)start[i], end = CGCT_BLOCK * (size_t)start[i + 1];
    const float *row[CGCT_ROWS];
    double weight[CGCT_ROWS], lost = 0, ln_s[2 * CGCT_ROWS];
    for (int a = 0; a < 4; a++) {
        weight[a] = b->weight[a][at[a]];
        if (b->along[a][at[a]].unfit) return 0;
    }
    weight[CGCT_ROW_QK] = weight[CGCT_ROW_Q] * weight[CGCT_ROW_K];
    for (int r = 0; r < CGCT_ROWS; r++) {
        row[r] = b->row[r].number + first;
        lost += weight[r] * b->row[r].lost[i];
        memcpy(ln_s + 2 * r, b->row[r].ln_s + 2 * i, 2 * sizeof *ln_s);
    }
    if (!(lost <= CGCT_COARSEST) || !all_numbers_finite(ln_s, 2 * CGCT_ROWS) ||
        !all_numbers_finite(b->ln_s + 2 * (node * b->n + i), 2))
        return 0;
    for (int j = 0; j < 2 * CGCT_ROWS; j++) head->number[j] = (float)ln_s[j];
    return cgct_put_fields(row, weight, end - first, head, field + first);
}

/* ---- tables ---- */

/* Half the largest (u - u_i)(u_{i+1} - u) in the cells beside a node: a typical factor of the
 * difference. */
static void fill_weights(const cgct_grid *g, double *weight)
{
    for (size_t i = 0; i < g->n; i++) {
        double below = i > 0 ? g->ln[i] - g->ln[i - 1] : 0;
        double above = i + 1 < g->n ? g->ln[i + 1] - g->ln[i] : 0;
        double length = below > above ? below : above;
        weight[i] = length * length / 8;
    }
}

static void fill_ln_s(const cgct_records *r, size_t n, double *ln_s)
{
    for (size_t i = 0; i < 2 * n; i++) {
        const float *at = (const float *)r->record + CGCT_BLOCK * (size_t)r->start[i / 2];
        double b = (double)at[2 + i % 2];
        ln_s[i] = r->flag[i % 2 * n + i / 2] ? NAN : (double)at[i % 2] + (b - b * b / 2);
    }
}

static void builder_free(builder *b)
{
    for (int i = 0; i < 3; i++) free(b->memory[i]);
}

static cgct_status builder_init(builder *b, const cgct_table *t, struct cgct_everett *e)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n, values = 0;
    memset(b, 0, sizeof *b);
    b->t = t;
    b->n = t->grid[CGCT_AXIS_Q].n * t->grid[CGCT_AXIS_K].n;
    for (size_t i = 0; i < nodes; i++)
        if (t->node[i].start[b->n] > b->most) b->most = t->node[i].start[b->n];
    for (int a = 0; a < 4; a++) values += t->grid[a].n;
    cgct_difference *along = (cgct_difference *)calloc(values, sizeof *along);
    double *number = (double *)calloc(b->n * (2 * nodes + 3 * CGCT_ROWS) + values, sizeof *number);
    float *rows = (float *)calloc(CGCT_ROWS * b->most, CGCT_BLOCK * sizeof *rows);
    b->memory[0] = along, b->memory[1] = number, b->memory[2] = rows;
    if (!along || !number || !rows) return CGCT_E_NOMEM;
    b->ln_s = number;
    number += 2 * b->n * nodes;
    for (size_t i = 0; i < nodes; i++) fill_ln_s(&t->node[i], b->n, b->ln_s + 2 * b->n * i);
    for (size_t r = 0; r < CGCT_ROWS; r++, number += 3 * b->n, rows += CGCT_BLOCK * b->most) {
        node_plane row = {NULL, rows, number, number + 2 * b->n};
        b->row[r] = row;
    }
    for (int a = 0; a < 4; a++, along += t->grid[a - 1].n) {
        b->along[a] = along;
        b->weight[a] = number;
        number += t->grid[a].n;
        fill_weights(&t->grid[a], b->weight[a]);
        cgct_differences(&t->grid[a], along, e->tau[a]);
    }
    return CGCT_OK;
}

static cgct_status make_differences(const cgct_table *t, struct cgct_everett *e, cgct_err *err)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    const size_t block = CGCT_BLOCK * sizeof(uint32_t);
    builder b;
    cgct_status st = builder_init(&b, t, e);
    for (size_t i = 0; i < nodes && st == CGCT_OK; i++) {
        void *memory;
        size_t heads = b.n * sizeof(cgct_head), size = heads + block * t->node[i].start[b.n];
        st = cgct_pool_take(&e->pool, size, size * (nodes - i - 1), &memory, NULL);
        if (st != CGCT_OK) break;
        e->node[i].head = (cgct_head *)memory;
        e->node[i].field = (uint32_t *)(void *)((char *)memory + heads);
        make_rows(&b, i);
        for (size_t point = 0; point < b.n; point++) {
            cgct_head *head = &e->node[i].head[point];
            if (!put_difference_point(&b, i, point, head, e->node[i].field)) head->shift = 0;
        }
    }
    builder_free(&b);
    return st == CGCT_OK ? st : cgct_fail(err, st, "%s: no memory to prepare it", t->path);
}

static struct cgct_everett *everett_new(const cgct_table *t)
{
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n, cells = 0;
    struct cgct_everett *e = (struct cgct_everett *)calloc(1, sizeof *e);
    for (int a = 0; a < 4; a++) cells += cgct_grid_cells(&t->grid[a]);
    if (!e) return NULL;
    e->node = (cgct_curvature *)calloc(nodes, sizeof *e->node);
    e->tau[0] = (double *)calloc(2 * cells, sizeof(double));
    if (!e->node || !e->tau[0]) {
        cgct_everett_free(e);
        return NULL;
    }
    for (int a = 1; a < 4; a++) e->tau[a] = e->tau[a - 1] + 2 * cgct_grid_cells(&t->grid[a - 1]);
    return e;
}

void cgct_everett_free(struct cgct_everett *e)
{
    if (!e) return;
    cgct_pool_free(&e->pool);
    free(e->node);
    free(e->tau[0]);
    free(e);
}

cgct_status cgct_prepare(cgct_table *t, cgct_err *err)
{
    const uint32_t both = CGCT_FEATURE_SPLIT | CGCT_FEATURE_CROSS;
    if (!t || !t->node) return cgct_fail(err, CGCT_E_USAGE, "cgct_prepare: the table has no nodes");
    size_t nodes = t->grid[CGCT_AXIS_X].n * t->grid[CGCT_AXIS_EPS].n;
    if (t->everett || (t->head.features & both) != both || t->node[0].wide) return CGCT_OK;
    for (size_t i = 0; i < nodes && t->map; i++)
        if (cgct_node_check(t, i) != CGCT_OK)
            return cgct_fail(err, CGCT_E_CHECKSUM,
                             "%s: node %zu is damaged; 'cgctab verify' tells more, copy the file "
                             "again",
                             t->path, i);
    struct cgct_everett *e = everett_new(t);
    if (!e) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory to prepare it", t->path);
    cgct_status st = make_differences(t, e, err);
    if (st == CGCT_OK)
        t->everett = e;
    else
        cgct_everett_free(e);
    return st;
}
