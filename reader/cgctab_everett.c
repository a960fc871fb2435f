/* SPDX-License-Identifier: MIT */
/* Random points of a prepared table.  The corners of a cell are found and asked for first, in an
 * array before the point before is summed; then corner after corner is added as it arrives, in one
 * order, so that every width of vector gives the same bits. */
#include "cgctab_everett.h"

#include <math.h>

#include "cgctab_math.h"
#include "cgctab_vector.h"

enum { CORNERS_MAX = 16, CHUNK = 32 };

/* Where a point lies on an axis: its cell, and the weights of both corners and of the differences
 * there. */
typedef struct {
    size_t cell, n;
    double l[2], d[2];
} side;

typedef struct {
    size_t n;
    uint32_t most;
    const float *record[CORNERS_MAX];
    const cgct_head *head[CORNERS_MAX];
    const uint32_t *field[CORNERS_MAX];
    uint32_t blocks[CORNERS_MAX];
    double w[CORNERS_MAX];
    CGCT_ALIGNED double part[CORNERS_MAX][12]; /* weights of the rows, each twice, and zeros */
} corners;

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

/* Asks for the lines of n bytes. */
CGCT_INLINE void ask_for(const void *from, size_t n)
{
    const char *at = (const char *)from, *end = at + n;
    for (; at < end; at += CGCT_ALIGN_RECORDS) CGCT_PREFETCH(at);
}

/* Corners of one q are neighbours. */
static void add_corners(const cgct_table *t, size_t node, size_t point, size_t n, corners *c)
{
    const cgct_records *r = &t->node[node];
    const cgct_curvature *e = &t->everett->node[node];
    const uint32_t *start = r->start + point;
    size_t block = CGCT_BLOCK * sizeof(float), blocks = start[n] - start[0];
    const float *record = (const float *)r->record + CGCT_BLOCK * (size_t)start[0];
    const uint32_t *field = e->field + CGCT_BLOCK * (size_t)start[0];
    ask_for(e->head + point, n * sizeof(cgct_head));
    ask_for(record, blocks * block);
    ask_for(field, blocks * block);
    for (size_t i = 0; i < n; i++, c->n++) {
        c->head[c->n] = e->head + point + i;
        c->record[c->n] = record + CGCT_BLOCK * (start[i] - start[0]);
        c->field[c->n] = field + CGCT_BLOCK * (start[i] - start[0]);
        c->blocks[c->n] = start[i + 1] - start[i];
        c->most = c->blocks[c->n] > c->most ? c->blocks[c->n] : c->most;
    }
}

/* The weights of a row of corners that share plane and q. */
CGCT_INLINE void weigh(const double plane, const double *bent_plane, double q, double bent_q,
                       const side *k, corners *c, size_t at)
{
    for (size_t i = 0; i < k->n; i++) {
        const double point = q * k->l[i], along_q = bent_q * k->l[i], along_k = q * k->d[i];
        const double both[4] = {along_q, along_q, along_k, along_k};
        const double mixed = plane * (bent_q * k->d[i]);
        double *w = c->part[at + i];
        c->w[at + i] = plane * point;
        for (int j = 0; j < 4; j++) w[j] = bent_plane[j] * point;
        for (int j = 0; j < 4; j++) w[4 + j] = plane * both[j];
        w[8] = w[9] = mixed;
        w[10] = w[11] = 0;
    }
}

/* s: by axis. */
static void find_corners(const cgct_table *t, const side s[4], corners *c)
{
    size_t neps = t->grid[CGCT_AXIS_EPS].n, nk = t->grid[CGCT_AXIS_K].n;
    const side *x = &s[CGCT_AXIS_X], *e = &s[CGCT_AXIS_EPS], *q = &s[CGCT_AXIS_Q],
               *k = &s[CGCT_AXIS_K];
    c->n = c->most = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < e->n; j++) {
            const double along_x = x->d[i] * e->l[j], along_eps = x->l[i] * e->d[j];
            const double bent[4] = {along_x, along_x, along_eps, along_eps};
            size_t node = (x->cell + i) * neps + e->cell + j;
            for (size_t iq = 0; iq < q->n; iq++) {
                weigh(x->l[i] * e->l[j], bent, q->l[iq], q->d[iq], k, c, c->n);
                add_corners(t, node, (q->cell + iq) * nk + k->cell, k->n, c);
            }
        }
}

/* ---- sums ---- */

typedef struct {
    uint32_t any; /* shift of all corners, or-ed */
    cgct_four straight, bent;
    cgct_line block[CHUNK];
} sums;

CGCT_INLINE void add_scales(const corners *c, size_t i, sums *s)
{
    const float *from = c->head[i]->number;
    cgct_four_add(&s->straight, c->w[i], c->record[i]);
    CGCT_UNROLL
    for (size_t j = 0; j < 12; j += 4) cgct_four_add_floats(&s->bent, c->part[i] + j, from + j);
}

CGCT_INLINE void add_corner(const corners *c, size_t i, uint32_t v0, uint32_t end, sums *s)
{
    const cgct_head *head = c->head[i];
    const float w = (float)c->w[i];
    float part[CGCT_ROWS];
    int shift[CGCT_ROWS];
    for (int r = 0; r < CGCT_ROWS; r++) {
        part[r] = (float)c->part[i][2 * r] * head->number[CGCT_UNIT + r];
        shift[r] = (int)(head->shift >> 5 * r & 31);
    }
    s->any |= head->shift;
    for (uint32_t v = v0; v < end && v < c->blocks[i]; v++) {
        const size_t at = CGCT_BLOCK * (size_t)v;
        cgct_line_add(&s->block[v - v0], w, c->record[i] + at);
        cgct_line_add_fields(&s->block[v - v0], part, shift, c->field[i] + at);
    }
}

/* ln s and what corrects it, into the first four numbers of a record. */
CGCT_INLINE void put_scales(const sums *s, double *out)
{
    const cgct_four none = CGCT_FOUR_ZERO;
    double pair[2];
    for (int j = 0; j < 4; j++) out[j] = 0;
    cgct_four_add_to(out, &s->straight, &none);
    cgct_four_pairs(&s->bent, pair);
    out[0] += pair[0];
    out[1] += pair[1];
}

/* Blocks v0..end-1, corner after corner as they come from memory.  0: some corner is not served. */
CGCT_CLONES_512
static int sum_corners(const corners *c, uint32_t v0, uint32_t end, double *out)
{
    const cgct_line none = CGCT_LINE_ZERO;
    const cgct_four nothing = CGCT_FOUR_ZERO;
    sums s;
    s.any = 0;
    s.straight = s.bent = nothing;
    for (uint32_t v = v0; v < end; v++) s.block[v - v0] = none;
    for (size_t i = 0; i < c->n; i++) {
        add_scales(c, i, &s);
        add_corner(c, i, v0, end, &s);
    }
    for (uint32_t v = v0; v < end; v++)
        cgct_line_put(out + CGCT_BLOCK * (size_t)(v - v0), &s.block[v - v0], &none);
    if (v0 == 0) put_scales(&s, out);
    return !(s.any & CGCT_NOT_SERVED);
}

static int sum_modes(const corners *c, double cosine, double sine, cgct_angular *out)
{
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK];
    cgct_powers z;
    cgct_powers_init(&z, cosine, sine, CGCT_MODES_HEAD);
    for (uint32_t v = 0, end; v < c->most; v = end) {
        end = c->most - v < CHUNK ? c->most : v + CHUNK;
        if (!sum_corners(c, v, end, block)) return 0;
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

static void place(batch *b, const double *x, const double *eps, const double *q, const double *k1,
                  const double *theta)
{
    int freeze = b->t->policy == CGCT_POLICY_FREEZE;
    cgct_place(b->t, b->n, q, k1, theta, &b->at, NULL);
    for (size_t i = 0; i < b->n; i++) {
        double at_x = x[i], at_eps = eps[i];
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

static void find(const batch *b, size_t i, corners *c)
{
    side s[4];
    find_side(b->t, CGCT_AXIS_X, b->ln_x[i], &s[CGCT_AXIS_X]);
    find_side(b->t, CGCT_AXIS_EPS, b->ln_eps[i], &s[CGCT_AXIS_EPS]);
    find_side(b->t, CGCT_AXIS_Q, b->at.ln_q[i], &s[CGCT_AXIS_Q]);
    find_side(b->t, CGCT_AXIS_K, b->at.ln_k[i], &s[CGCT_AXIS_K]);
    find_corners(b->t, s, c);
}

static void sum(batch *b, size_t i, const corners *c)
{
    cgct_angular one = {{0}, {0}, {0}};
    b->served[i] = (uint8_t)sum_modes(c, b->at.cosine[i], b->at.sine[i], &one);
    for (int pol = 0; pol < 2; pol++) {
        b->at.sum[pol][i] = one.sum[pol];
        b->at.a[pol][i] = one.a[pol];
        b->at.b[pol][i] = one.b[pol];
    }
}

static void sum_all(batch *b)
{
    corners c[2];
    find(b, 0, &c[0]);
    for (size_t i = 0; i < b->n; i++) {
        if (i + 1 < b->n) find(b, i + 1, &c[(i + 1) % 2]);
        sum(b, i, &c[i % 2]);
    }
}

/* Points that are not served, by all nodes around them. */
static cgct_status from_planes(const cgct_table *t, double x, double eps, const double *q,
                               const double *k1, const double *theta, double *values)
{
    cgct_planes p;
    CGCT_TRY(cgct_planes_at(t, x, eps, &p, NULL));
    return cgct_eval_planes(&p, 1, q, k1, theta, values, NULL);
}

cgct_status cgct_everett_eval(const cgct_table *t, size_t n, const double *x, const double *eps,
                              const double *q, const double *k1, const double *theta,
                              double *values, size_t *first)
{
    cgct_status result = CGCT_OK;
    batch b;
    b.t = t;
    if (first) *first = n;
    for (size_t i = 0; i < n; i += CGCT_BATCH) {
        b.n = n - i < CGCT_BATCH ? n - i : (size_t)CGCT_BATCH;
        place(&b, x + i, eps + i, q + i, k1 + i, theta + i);
        sum_all(&b);
        cgct_scale_values(b.n, &b.at, values + 2 * i);
        for (size_t j = 0; j < b.n; j++) {
            size_t k = i + j;
            cgct_status st = b.at.status[j];
            if (st == CGCT_OK && !b.served[j])
                st = from_planes(t, x[k], eps[k], q + k, k1 + k, theta + k, values + 2 * k);
            if (st == CGCT_OK || result != CGCT_OK) continue;
            result = st;
            if (first) *first = k;
        }
    }
    return result;
}
