/* SPDX-License-Identifier: MIT */
/* The inner loop: a weighted sum of records over the nodes around a point.  Records are gathered
 * first, so that all are on their way to the cache; then block after block is summed, ln s in
 * double precision, the modes in single precision where the records are.  Always
 * in one order, so that every width of vector gives the same bits. */
#include "cgctab_internal.h"
#include "../format/elementary.h"
#include "../format/vectors.h"

enum { GATHERED_MAX = 128, TOGETHER = 4 };

typedef struct {
    size_t n; /* a multiple of TOGETHER when summed */
    uint32_t least, most;
    const char *from[GATHERED_MAX];
    uint32_t blocks[GATHERED_MAX];
    double w[GATHERED_MAX];
} gathered;

/* A block of zeros, for points that have fewer blocks. */
CGCT_ALIGNED static const double zeros[CGCT_BLOCK] = {0};

/* ---- sums ---- */

CGCT_INLINE const char *block_at(const gathered *g, size_t i, uint32_t v, size_t bytes)
{
    return v < g->blocks[i] ? g->from[i] + bytes * v : (const char *)zeros;
}

CGCT_INLINE void add_gathered_wide(const gathered *g, uint32_t v, double *out)
{
    const size_t bytes = CGCT_BLOCK * sizeof(double);
    cgct_wide a = CGCT_WIDE_ZERO, b = CGCT_WIDE_ZERO;
    for (size_t i = 0; i < g->n; i += 2) {
        cgct_wide_add(&a, g->w[i], (const double *)(const void *)block_at(g, i, v, bytes));
        cgct_wide_add(&b, g->w[i + 1], (const double *)(const void *)block_at(g, i + 1, v, bytes));
    }
    cgct_wide_add_to(out, &a, &b);
}

/* Adds ln s and its correction (A and B of a record). */
CGCT_INLINE void add_scales(const gathered *g, double *out)
{
    cgct_four a = CGCT_FOUR_ZERO, b = CGCT_FOUR_ZERO;
    for (size_t i = 0; i < g->n; i += 2) {
        cgct_four_add(&a, g->w[i], (const float *)(const void *)g->from[i]);
        cgct_four_add(&b, g->w[i + 1], (const float *)(const void *)g->from[i + 1]);
    }
    cgct_four_add_to(out, &a, &b);
}

CGCT_INLINE const float *floats_at(const gathered *g, size_t i, uint32_t v, int all)
{
    const size_t bytes = CGCT_BLOCK * sizeof(float);
    return (const float *)(const void *)(all ? g->from[i] + bytes * v : block_at(g, i, v, bytes));
}

CGCT_INLINE void add_gathered_narrow(const gathered *g, const float *w, uint32_t v, int all,
                                     double *out)
{
    cgct_narrow a = CGCT_NARROW_ZERO, b = CGCT_NARROW_ZERO, c = CGCT_NARROW_ZERO,
                d = CGCT_NARROW_ZERO;
    for (size_t i = 0; i < g->n; i += TOGETHER) {
        cgct_narrow_add(&a, w[i], floats_at(g, i, v, all));
        cgct_narrow_add(&b, w[i + 1], floats_at(g, i + 1, v, all));
        cgct_narrow_add(&c, w[i + 2], floats_at(g, i + 2, v, all));
        cgct_narrow_add(&d, w[i + 3], floats_at(g, i + 3, v, all));
    }
    cgct_narrow_add_to(out, v ? 0 : 4, &a, &b, &c, &d);
}

/* out (end - v0, 16) += blocks v0..end-1 */
CGCT_CLONES
static void add_gathered(const gathered *g, int wide, uint32_t v0, uint32_t end, double *out)
{
    float w[GATHERED_MAX];
    uint32_t last = g->most < end ? g->most : end, v = v0;
    for (; wide && v < last; v++, out += CGCT_BLOCK) add_gathered_wide(g, v, out);
    if (v >= last) return;
    if (v == 0) add_scales(g, out);
    for (size_t i = 0; i < g->n; i++) w[i] = (float)g->w[i];
    for (; v < g->least && v < last; v++, out += CGCT_BLOCK) add_gathered_narrow(g, w, v, 1, out);
    for (; v < last; v++, out += CGCT_BLOCK) add_gathered_narrow(g, w, v, 0, out);
}

/* ---- gathering ---- */

/* The points (q,k) with a weight other than 0; the place of their records depends on the shape at
 * each eps. */
typedef struct {
    size_t n;
    uint32_t point[CGCT_ORDER_MAX * CGCT_ORDER_MAX];
    double full[CGCT_ORDER_MAX * CGCT_ORDER_MAX], linear[CGCT_ORDER_MAX * CGCT_ORDER_MAX];
    const uint32_t *start; /* of the shape that offset and blocks are for */
    size_t offset[CGCT_ORDER_MAX * CGCT_ORDER_MAX];
    uint32_t blocks[CGCT_ORDER_MAX * CGCT_ORDER_MAX], least, most;
} region;

static void whole_stencil(const cgct_stencil *q, const cgct_stencil *k, size_t row, region *s)
{
    s->n = 0;
    s->start = NULL;
    for (size_t i = 0; i < q->n; i++) {
        size_t a = q->first + i - q->cell; /* wraps below the cell, as does b */
        for (size_t j = 0; j < k->n; j++) {
            size_t b = k->first + j - k->cell;
            s->point[s->n] = (uint32_t)((q->first + i) * row + k->first + j);
            s->full[s->n] = q->w[i] * k->w[j];
            s->linear[s->n++] = a < q->nl && b < k->nl ? q->l[a] * k->l[b] : 0;
        }
    }
}

static void corners(const cgct_stencil *q, const cgct_stencil *k, size_t row, region *s)
{
    s->n = 0;
    s->start = NULL;
    for (size_t i = 0; i < q->nl; i++)
        for (size_t j = 0; j < k->nl; j++) {
            s->point[s->n] = (uint32_t)((q->cell + i) * row + k->cell + j);
            s->full[s->n] = 0;
            s->linear[s->n++] = q->l[i] * k->l[j];
        }
}

static void find_points(region *s, const uint32_t *start, size_t bytes)
{
    if (s->start == start) return;
    s->start = start;
    s->least = UINT32_MAX;
    s->most = 0;
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t *at = start + s->point[i];
        uint32_t blocks = at[1] - at[0];
        s->offset[i] = bytes * at[0];
        s->blocks[i] = blocks;
        s->least = blocks < s->least ? blocks : s->least;
        s->most = blocks > s->most ? blocks : s->most;
    }
}

CGCT_INLINE void gather_points(gathered *g, const char *record, const region *s, size_t n,
                               double full, double linear)
{
    const char **from = g->from + g->n;
    double *w = g->w + g->n;
    for (size_t i = 0; i < n; i++) {
        from[i] = record + s->offset[i];
        CGCT_PREFETCH(from[i]);
        CGCT_PREFETCH(from[i] + CGCT_BLOCK * sizeof(float));
        w[i] = full * s->full[i] + linear * s->linear[i];
    }
    memcpy(g->blocks + g->n, s->blocks, n * sizeof *s->blocks);
    g->n += n;
    g->least = s->least < g->least ? s->least : g->least;
    g->most = s->most > g->most ? s->most : g->most;
}

static void gather_plane(gathered *g, const cgct_records *r, region *s, double full, double linear)
{
    find_points(s, r->start, CGCT_BLOCK * (r->wide ? sizeof(double) : sizeof(float)));
    if (s->n == 4)
        gather_points(g, (const char *)r->record, s, 4, full, linear);
    else
        gather_points(g, (const char *)r->record, s, s->n, full, linear);
}

static void clear_gathered(gathered *g)
{
    g->n = 0;
    g->least = UINT32_MAX;
    g->most = 0;
}

static void flush(gathered *g, int wide, uint32_t v0, uint32_t end, double *out)
{
    while (g->n % TOGETHER) {
        g->from[g->n] = (const char *)zeros;
        g->blocks[g->n] = 0;
        g->w[g->n++] = 0;
        g->least = 0;
    }
    add_gathered(g, wide, v0, end, out);
    clear_gathered(g);
}

void cgct_blend(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                size_t nv, double *out)
{
    size_t row = p->table->grid[CGCT_AXIS_K].n;
    uint32_t first = (uint32_t)v0, end = (uint32_t)(v0 + nv);
    int wide = p->plane[0]->wide;
    region whole, corner;
    gathered g;
    clear_gathered(&g);
    whole_stencil(q, k, row, &whole);
    corners(q, k, row, &corner);
    memset(out, 0, CGCT_BLOCK * nv * sizeof *out);
    for (size_t i = 0; i < p->n; i++) {
        region *s = p->full[i] != 0 ? &whole : &corner;
        if (g.n + s->n > GATHERED_MAX) flush(&g, wide, first, end, out);
        gather_plane(&g, p->plane[i], s, p->full[i], p->linear[i]);
    }
    flush(&g, wide, first, end, out);
}

/* ---- sum over modes ---- */

enum { CHUNK = 32 }; /* blocks blended at a time: bounds the stack, any number of modes works */

static void sum_head(const cgct_powers *z, const double *block, cgct_angular *out)
{
    for (int pol = 0; pol < 2; pol++) {
        out->a[pol] = block[pol];
        out->b[pol] = block[2 + pol];
        out->sum[pol] = 0.5;
        for (int m = 1; m < CGCT_MODES_HEAD; m++)
            out->sum[pol] += z->re[m] * block[2 + 2 * m + pol];
    }
}

void cgct_angular_add(cgct_powers *z, const double *block, int head, size_t n, cgct_angular *out)
{
    size_t done = head != 0;
    if (head) sum_head(z, block, out);
    cgct_powers_sum(z, block + CGCT_BLOCK * done, n - done, out->sum);
}

void cgct_sum_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out)
{
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK];
    size_t n = cgct_blocks_at(p, q, k);
    cgct_powers z;
    cgct_powers_init(&z, cosine, sine, CGCT_MODES_HEAD);
    for (size_t v = 0; v < n; v += CHUNK) {
        size_t nv = n - v < CHUNK ? n - v : (size_t)CHUNK;
        cgct_blend(p, q, k, v, nv, block);
        cgct_angular_add(&z, block, v == 0, nv, out);
    }
}
