/* SPDX-License-Identifier: MIT */
/* Random points of a prepared table.  The corners of a cell are found and asked for, in an array
 * while the point before is summed; then corner after corner is added as it arrives, in one order,
 * so that every width of vector gives the same bits. */
#include "cgctab_everett.h"

#include <math.h>

#include "cgctab_line.h"
#include "../format/elementary.h"

enum { ENDS_MAX = 4, CORNERS_MAX = ENDS_MAX * ENDS_MAX, CHUNK = 32 };

/* The cell of a point on one axis, with the weights of both corners and of the differences there.
 */
typedef struct {
    size_t cell, n;
    double l[2], d[2];
} side;

/* Of each (x,eps) around a point those in q and k, of each q those in k. */
typedef struct {
    size_t n, n_place;
    uint32_t most;
    const float *record[CORNERS_MAX];
    const cgct_head *head[CORNERS_MAX];
    const uint32_t *field[CORNERS_MAX];
    uint32_t blocks[CORNERS_MAX];
    double w[CORNERS_MAX];
    cgct_line plane[ENDS_MAX], place[ENDS_MAX]; /* (x,eps) and (q,k): factors of a head's weights */
} corners;

/* The numbers of a head by row. */
#define BY_ROW(x, eps, q, k, qk)                                                                   \
    {                                                                                              \
        x, x, eps, eps, q, q, k, k, qk, qk, x, eps, q, k, qk, 0                                    \
    }

/* By axis: which numbers have the weight l of a corner, and which that of a difference, d. */
static const CGCT_ALIGNED float STRAIGHT[4][CGCT_BLOCK] = {
    BY_ROW(0, 1, 1, 1, 1), BY_ROW(1, 0, 1, 1, 1), BY_ROW(1, 1, 0, 1, 0), BY_ROW(1, 1, 1, 0, 0)};
static const CGCT_ALIGNED float BENT[4][CGCT_BLOCK] = {
    BY_ROW(1, 0, 0, 0, 0), BY_ROW(0, 1, 0, 0, 0), BY_ROW(0, 0, 1, 0, 1), BY_ROW(0, 0, 0, 1, 1)};

/* ---- corners ---- */

static void find_side(const cgct_table *t, cgct_axis axis, double ln, side *s)
{
    const cgct_grid *g = &t->grid[axis];
    const double *tau = t->everett->tau[axis];
    s->cell = cgct_cell_at(g, ln, s->l);
    s->n = g->n > 1 ? 2 : 1;
    s->d[0] = s->d[1] = 0;
    if (s->n == 1) return;
    double between = (ln - g->ln[s->cell]) * (ln - g->ln[s->cell + 1]);
    double upper = (ln - tau[2 * s->cell]) * tau[2 * s->cell + 1];
    s->d[0] = between * (1 - upper);
    s->d[1] = between * upper;
}

static void add_corners(const cgct_table *t, size_t node, size_t point, size_t n, corners *c)
{
    const cgct_records *r = &t->node[node];
    const cgct_curvature *e = &t->everett->node[node];
    const uint32_t *start = r->start + point;
    for (size_t i = 0; i < n; i++, c->n++) {
        size_t first = CGCT_BLOCK * (size_t)start[i];
        c->head[c->n] = e->head + point + i;
        c->record[c->n] = (const float *)r->record + first;
        c->field[c->n] = e->field + first;
        c->blocks[c->n] = start[i + 1] - start[i];
        c->most = c->blocks[c->n] > c->most ? c->blocks[c->n] : c->most;
    }
}

CGCT_INLINE void ask_for(const corners *c, size_t i)
{
    CGCT_PREFETCH(c->head[i]);
    for (size_t v = 0; v < c->blocks[i]; v++) {
        CGCT_PREFETCH(c->record[i] + CGCT_BLOCK * v);
        CGCT_PREFETCH(c->field[i] + CGCT_BLOCK * v);
    }
}

/* s: by axis; now: the corners are asked for. */
static void corners_between(const cgct_table *t, const side s[4], int now, corners *c)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, nk = t->grid[CGCT_AXIS_K].n;
    const side *x = &s[CGCT_AXIS_X], *e = &s[CGCT_AXIS_EPS], *q = &s[CGCT_AXIS_Q],
               *k = &s[CGCT_AXIS_K];
    c->n = c->most = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < e->n; j++)
            for (size_t iq = 0; iq < q->n; iq++) {
                size_t node = (x->cell + i) * neps + e->cell + j, first = c->n;
                add_corners(t, node, (q->cell + iq) * nk + k->cell, k->n, c);
                for (size_t at = first; now && at < c->n; at++) ask_for(c, at);
            }
}

/* Both ends of two axes, a and a + 1: weights of their corners, and lines of weights. */
CGCT_INLINE size_t weigh_pair(const side s[4], int a, double *w, cgct_line *line)
{
    cgct_line end[2][2];
    size_t n = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            cgct_line_weigh(&end[j][i], (float)s[a + j].l[i], STRAIGHT[a + j], (float)s[a + j].d[i],
                            BENT[a + j]);
    for (size_t i = 0; i < s[a].n; i++)
        for (size_t j = 0; j < s[a + 1].n; j++, n++) {
            w[n] = s[a].l[i] * s[a + 1].l[j];
            cgct_line_product(&line[n], &end[0][i], &end[1][j]);
        }
    return n;
}

CGCT_CLONES_512
static void weigh(const side s[4], corners *c)
{
    double plane[ENDS_MAX], place[ENDS_MAX];
    size_t n = weigh_pair(s, CGCT_AXIS_X, plane, c->plane);
    c->n_place = weigh_pair(s, CGCT_AXIS_Q, place, c->place);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c->n_place; j++) c->w[i * c->n_place + j] = plane[i] * place[j];
}

/* ---- sums ---- */

typedef struct {
    uint32_t all; /* shift of all corners, and-ed */
    cgct_four straight;
    cgct_line bent, block[CHUNK];
} sums;

CGCT_INLINE void add_corner_lines(const corners *c, size_t i, const cgct_line *plane,
                                  const cgct_line *place, uint32_t v0, uint32_t end, sums *s)
{
    const cgct_head *head = c->head[i];
    cgct_fields f;
    cgct_four_add(&s->straight, c->w[i], c->record[i]);
    cgct_fields_init(&f, head, plane, place, head->shift, (float)c->w[i], &s->bent);
    s->all &= head->shift;
    for (uint32_t v = v0; v < end && v < c->blocks[i]; v++) {
        const size_t at = CGCT_BLOCK * (size_t)v;
        cgct_fields_add(&s->block[v - v0], &f, c->record[i] + at, c->field[i] + at);
    }
}

/* Sums ln s and its correction into the first four numbers of a record. The part that differences
 * add to ln s has single precision, about 3e-7 of that part. */
CGCT_INLINE void put_scales(const sums *s, double *out)
{
    const cgct_four none = CGCT_FOUR_ZERO;
    double bent[CGCT_BLOCK];
    for (int j = 0; j < 4; j++) out[j] = 0;
    cgct_four_add_to(out, &s->straight, &none);
    cgct_line_put(bent, &s->bent);
    for (int r = 0; r < CGCT_ROWS; r++)
        for (int j = 0; j < 2; j++) out[j] += bent[2 * r + j];
}

/* Sums blocks v0..end-1 corner after corner, in the order in which they arrive from memory, and
 * prefetches the corners `next` (or NULL) on the way. Returns 0 where differences do not serve
 * some corner. */
CGCT_CLONES_512
static int sum_corners(const corners *c, const corners *next, uint32_t v0, uint32_t end,
                       double *out)
{
    const cgct_line none = CGCT_LINE_ZERO;
    const cgct_four nothing = CGCT_FOUR_ZERO;
    sums s;
    s.all = CGCT_SERVED;
    s.straight = nothing;
    s.bent = none;
    for (uint32_t v = v0; v < end; v++) s.block[v - v0] = none;
    for (size_t p = 0, i = 0; i < c->n; p++)
        for (size_t j = 0; j < c->n_place; j++, i++) {
            if (next) ask_for(next, i);
            add_corner_lines(c, i, &c->plane[p], &c->place[j], v0, end, &s);
        }
    for (uint32_t v = v0; v < end; v++)
        cgct_line_put(out + CGCT_BLOCK * (size_t)(v - v0), &s.block[v - v0]);
    if (v0 == 0) put_scales(&s, out);
    return s.all != 0;
}

static int sum_corner_modes(const corners *c, const corners *next, double cosine, double sine,
                            cgct_angular *out)
{
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK];
    cgct_powers z;
    cgct_powers_init(&z, cosine, sine, CGCT_MODES_HEAD);
    for (uint32_t v = 0, end; v < c->most; v = end) {
        end = c->most - v < CHUNK ? c->most : v + CHUNK;
        if (!sum_corners(c, v ? NULL : next, v, end, block)) return 0;
        cgct_angular_add(&z, block, v == 0, end - v, out);
    }
    return 1;
}

/* ---- points ---- */

typedef struct {
    const cgct_table *t;
    size_t n;
    double ln_x[CGCT_BATCH], ln_eps[CGCT_BATCH];
    cgct_places at;
    uint8_t served[CGCT_BATCH];
} batch;

static void place_batch(batch *b, const cgct_arguments *a)
{
    int freeze = b->t->policy == CGCT_POLICY_FREEZE;
    cgct_place(b->t, b->n, a, &b->at, NULL);
    for (size_t i = 0; i < b->n; i++) {
        double at_x = a->x[i], at_eps = a->eps[i];
        cgct_status st = cgct_into_range(&b->t->grid[CGCT_AXIS_X], &at_x, freeze, NULL);
        if (st == CGCT_OK) st = cgct_into_range(&b->t->grid[CGCT_AXIS_EPS], &at_eps, freeze, NULL);
        if (st != CGCT_OK) {
            at_x = b->t->grid[CGCT_AXIS_X].v[0];
            at_eps = b->t->grid[CGCT_AXIS_EPS].v[0];
            b->at.status[i] = st;
        }
        b->ln_x[i] = cgct_ln(at_x);
        b->ln_eps[i] = cgct_ln(at_eps);
    }
}

static void find_cell_corners(const batch *b, size_t i, int now, corners *c)
{
    side s[4];
    find_side(b->t, CGCT_AXIS_X, b->ln_x[i], &s[CGCT_AXIS_X]);
    find_side(b->t, CGCT_AXIS_EPS, b->ln_eps[i], &s[CGCT_AXIS_EPS]);
    find_side(b->t, CGCT_AXIS_Q, b->at.ln_q[i], &s[CGCT_AXIS_Q]);
    find_side(b->t, CGCT_AXIS_K, b->at.ln_k[i], &s[CGCT_AXIS_K]);
    corners_between(b->t, s, now, c);
    weigh(s, c);
}

static void sum_batch_point(batch *b, size_t i, const corners *c, const corners *next)
{
    cgct_angular one = {{0}, {0}, {0}};
    b->served[i] = (uint8_t)sum_corner_modes(c, next, b->at.cosine[i], b->at.sine[i], &one);
    for (int pol = 0; pol < 2; pol++) {
        b->at.sum[pol][i] = one.sum[pol];
        b->at.a[pol][i] = one.a[pol];
        b->at.b[pol][i] = one.b[pol];
    }
}

static void sum_batch(batch *b)
{
    corners c[2];
    find_cell_corners(b, 0, 1, &c[0]);
    for (size_t i = 0; i < b->n; i++) {
        corners *next = i + 1 < b->n ? &c[(i + 1) % 2] : NULL;
        if (next) find_cell_corners(b, i + 1, 0, next);
        sum_batch_point(b, i, &c[i % 2], next);
    }
}

/* A point that differences do not serve is interpolated from all nodes around it. */
static cgct_status eval_from_planes(const cgct_table *t, const cgct_arguments *a, double *values)
{
    cgct_planes p;
    CGCT_TRY(cgct_planes_at(t, *a->x, *a->eps, &p, NULL));
    return cgct_eval_planes(&p, 1, a, values, NULL);
}

cgct_status cgct_everett_eval(const cgct_table *t, size_t n, const cgct_arguments *a,
                              double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    batch b;
    b.t = t;
    if (first) *first = n;
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        b.n = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH;
        const cgct_arguments from = cgct_arguments_at(a, i);
        place_batch(&b, &from);
        sum_batch(&b);
        cgct_scale_values(b.n, &b.at, values + 2 * i);
        for (size_t j = 0; j < b.n; j++) {
            size_t k = i + j;
            cgct_status st = b.at.status[j];
            if (st == CGCT_OK && !b.served[j]) {
                const cgct_arguments one = cgct_arguments_at(a, k);
                st = eval_from_planes(t, &one, values + 2 * k);
            }
            if (st == CGCT_OK || result != CGCT_OK) continue;
            result = st;
            if (first) *first = k;
        }
    }
    return result;
}
