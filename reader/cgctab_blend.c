/* SPDX-License-Identifier: MIT */
/* The inner loop: a weighted sum of records over the nodes around a point.  Sixteen points at a
 * time are added up, in single precision where the records are (but for A and B), and these sums in
 * double precision; always in one order, so that every width of vector gives the same bits. */
#include "cgctab_internal.h"
#include "cgctab_math.h"
#include "cgctab_vector.h"

enum { BUNDLE = 16, BUNDLES = 8 };

/* Points of any nodes: block v of point i begins at from[i] + 8 v while v < n[i]. */
typedef struct {
    const void *from[BUNDLE];
    double w[BUNDLE];
    uint32_t n[BUNDLE];
} bundle;

typedef struct {
    size_t n; /* points set up; their records are on the way to the cache */
    bundle b[BUNDLES];
    int wide;
    uint32_t v0, end;
    double *out; /* (end - v0, 8) */
} blender;

/* What stands for a block that a point does not have. */
static const double zeros[CGCT_BLOCK] = {0};

static inline const double *wide_at(const bundle *b, int i, uint32_t v)
{
    return v < b->n[i] ? (const double *)b->from[i] + CGCT_BLOCK * (size_t)v : zeros;
}

static inline const float *narrow_at(const bundle *b, int i, uint32_t v)
{
    return v < b->n[i] ? (const float *)b->from[i] + CGCT_BLOCK * (size_t)v
                       : (const float *)(const void *)zeros;
}

static inline void add_wide(const bundle *b, uint32_t v, double *out)
{
    cgct_lanes even = CGCT_LANES_ZERO, odd = CGCT_LANES_ZERO;
    for (int i = 0; i < BUNDLE; i += 2) {
        cgct_lanes_add(&even, b->w[i], wide_at(b, i, v));
        cgct_lanes_add(&odd, b->w[i + 1], wide_at(b, i + 1, v));
    }
    cgct_lanes_add_to(out, &even, &odd);
}

static inline void add_exactly(const bundle *b, uint32_t v, double *out)
{
    cgct_lanes even = CGCT_LANES_ZERO, odd = CGCT_LANES_ZERO;
    for (int i = 0; i < BUNDLE; i += 2) {
        cgct_lanes_add_floats(&even, b->w[i], narrow_at(b, i, v));
        cgct_lanes_add_floats(&odd, b->w[i + 1], narrow_at(b, i + 1, v));
    }
    cgct_lanes_add_to(out, &even, &odd);
}

static inline void add_narrow(const bundle *b, const float *w, uint32_t v, int all, double *out)
{
    cgct_halves even = CGCT_HALVES_ZERO, odd = CGCT_HALVES_ZERO;
    for (int i = 0; i < BUNDLE; i += 2) {
        const float *from[2] = {(const float *)b->from[i] + CGCT_BLOCK * (size_t)v,
                                (const float *)b->from[i + 1] + CGCT_BLOCK * (size_t)v};
        cgct_halves_add(&even, w[i], all ? from[0] : narrow_at(b, i, v));
        cgct_halves_add(&odd, w[i + 1], all ? from[1] : narrow_at(b, i + 1, v));
    }
    cgct_halves_add_to(out, &even, &odd);
}

CGCT_CLONES
static void add_bundles(const blender *g, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bundle *b = &g->b[i];
        float w[BUNDLE];
        uint32_t least = UINT32_MAX, most = 0, v = g->v0;
        for (int j = 0; j < BUNDLE; j++) {
            w[j] = (float)b->w[j];
            least = b->n[j] < least ? b->n[j] : least;
            most = b->n[j] > most ? b->n[j] : most;
        }
        uint32_t end = most < g->end ? most : g->end, common = least < end ? least : end;
        double *out = g->out;
        for (; g->wide && v < end; v++, out += CGCT_BLOCK) add_wide(b, v, out);
        for (; v < 1 && v < end; v++, out += CGCT_BLOCK) add_exactly(b, v, out);
        for (; v < common; v++, out += CGCT_BLOCK) add_narrow(b, w, v, 1, out);
        for (; v < end; v++, out += CGCT_BLOCK) add_narrow(b, w, v, 0, out);
    }
}

static inline void put_point(blender *g, const void *from, uint32_t n, double w)
{
    bundle *b = &g->b[g->n / BUNDLE];
    size_t i = g->n++ % BUNDLE;
    b->from[i] = from;
    b->n[i] = n;
    b->w[i] = w;
}

static void flush(blender *g)
{
    while (g->n % BUNDLE) put_point(g, zeros, 0, 0);
    add_bundles(g, g->n / BUNDLE);
    g->n = 0;
}

/* nq x nk neighbours of one node, from start on. */
static inline void add_points(blender *g, const cgct_records *r, const uint32_t *start, size_t row,
                              double w, size_t nq, const double *wq, size_t nk, const double *wk)
{
    const char *record = (const char *)r->record;
    size_t bytes = CGCT_BLOCK * (g->wide ? sizeof(double) : sizeof(float));
    for (size_t i = 0; i < nq; i++, start += row) {
        double wi = w * wq[i];
        for (size_t j = 0; j < nk; j++) {
            const char *from = record + bytes * start[j];
            CGCT_PREFETCH(from);
            put_point(g, from, start[j + 1] - start[j], wi * wk[j]);
        }
    }
}

/* The usual orders are written out, so that the compiler knows the lengths of the loops. */
static void add_plane(blender *g, const cgct_records *r, double full, double linear,
                      const cgct_stencil *q, const cgct_stencil *k, size_t row)
{
    const uint32_t *start = r->start + q->first * row + k->first;
    const uint32_t *cell = r->start + q->cell * row + k->cell;
    size_t most = q->n * k->n + 4;
    if (g->n + most > (size_t)BUNDLE * BUNDLES) flush(g);
    if (full != 0 && q->n == 4 && k->n == 4)
        add_points(g, r, start, row, full, 4, q->w, 4, k->w);
    else if (full != 0)
        add_points(g, r, start, row, full, q->n, q->w, k->n, k->w);
    if (linear != 0 && q->nl == 2 && k->nl == 2)
        add_points(g, r, cell, row, linear, 2, q->l, 2, k->l);
    else if (linear != 0)
        add_points(g, r, cell, row, linear, q->nl, q->l, k->nl, k->l);
}

void cgct_blend(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k, size_t v0,
                size_t nv, double *out)
{
    size_t row = p->table->grid[CGCT_AXIS_K].n;
    blender g;
    g.n = 0;
    g.wide = p->plane[0]->wide;
    g.v0 = (uint32_t)v0;
    g.end = (uint32_t)(v0 + nv);
    g.out = out;
    for (size_t i = 0; i < CGCT_BLOCK * nv; i++) out[i] = 0;
    for (size_t i = 0; i < p->n; i++)
        add_plane(&g, p->plane[i], p->full[i], p->linear[i], q, k, row);
    flush(&g);
}

/* (-1)^m cos(m theta) = Re z^m with z = -(cos + i sin): powers by squaring, then blocks of four
 * modes by one rotation each; the rounding grows as m, not as m^2 of the three-term recurrence. */
typedef struct {
    double re, im;
} power;

static inline power times(power a, power b)
{
    power product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return product;
}

enum { CHUNK = 32 }; /* blocks blended at a time: bounds the stack, any number of modes works */

static inline void sum_chunk(const double *block, size_t nv, power z4, cgct_lanes *re,
                             cgct_lanes *im, cgct_lanes *sum)
{
    for (size_t v = 0; v < nv; v++) {
        cgct_lanes_add_product(sum, re, block + CGCT_BLOCK * v);
        cgct_lanes_rotate(re, im, z4.re, z4.im);
    }
}

CGCT_CLONES
void cgct_sum_modes(const cgct_planes *p, const cgct_stencil *q, const cgct_stencil *k,
                    double cosine, double sine, cgct_angular *out)
{
    CGCT_ALIGNED double block[CGCT_BLOCK * CHUNK], lane[CGCT_BLOCK];
    power z1 = {-cosine, -sine}, z2 = times(z1, z1), z3 = times(z1, z2), z4 = times(z2, z2);
    power z5 = times(z1, z4), z6 = times(z2, z4);
    size_t n = cgct_blocks_at(p, q, k);
    cgct_lanes re, im, sum = CGCT_LANES_ZERO;
    cgct_lanes_pairs(&re, z3.re, z4.re, z5.re, z6.re);
    cgct_lanes_pairs(&im, z3.im, z4.im, z5.im, z6.im);
    for (size_t v = 0; v < n; v += CHUNK) {
        size_t nv = n - v < CHUNK ? n - v : (size_t)CHUNK, head = v == 0;
        cgct_blend(p, q, k, v, nv, block);
        if (head)
            for (int pol = 0; pol < 2; pol++) {
                out->a[pol] = block[pol];
                out->b[pol] = block[2 + pol];
                out->sum[pol] = 0.5 + (z1.re * block[4 + pol] + z2.re * block[6 + pol]);
            }
        sum_chunk(block + CGCT_BLOCK * head, nv - head, z4, &re, &im, &sum);
    }
    cgct_lanes_store(&sum, lane);
    for (int pol = 0; pol < 2; pol++)
        out->sum[pol] += (lane[pol] + lane[2 + pol]) + (lane[4 + pol] + lane[6 + pol]);
}
