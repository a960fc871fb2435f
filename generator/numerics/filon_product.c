/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix product of the engine: orders times lanes, lanes times the few functions of each
 * interval. A group of orders keeps 8 columns each in registers; from one interval to the next the
 * window moves by a node or none, so only the columns that it leaves behind go to memory. */
#include <string.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "numerics/filon_impl.h"

enum { PACK = 8, GROUP = 8 };

typedef double pack __attribute__((vector_size(PACK * sizeof(double))));

typedef struct {
    const double *J[GROUP]; /* rows of the orders */
    double *out[GROUP];
    int n;         /* orders, <= GROUP; the rest repeat the first and are not written */
    size_t column; /* of the first number in each accumulator */
    size_t end;    /* columns at and beyond this hold nothing */
    pack acc[GROUP];
} group;

/* sum += a b */
static inline void multiply_add(double a, const pack *b, pack *sum)
{
#if defined(__AVX512F__)
    *sum = (pack)_mm512_fmadd_pd(_mm512_set1_pd(a), (__m512d)*b, (__m512d)*sum);
#else
    *sum += a * *b;
#endif
}

static inline void accumulate(group *g, int lane, int n, const double *c, int pad)
{
    pack acc[GROUP];
    memcpy(acc, g->acc, sizeof acc);
    for (int i = 0; i < n; i++) {
        pack v;
        memcpy(&v, c + (size_t)i * (size_t)pad, sizeof v);
        for (int r = 0; r < GROUP; r++) multiply_add(g->J[r][lane + i], &v, &acc[r]);
    }
    memcpy(g->acc, acc, sizeof acc);
}

/* Move the accumulators on to a column, adding what lies before it to the output. */
static void advance(group *g, size_t column)
{
    while (g->column < column && g->column < g->end) {
        for (int r = 0; r < g->n; r++) g->out[r][g->column] += g->acc[r][0];
        for (int r = 0; r < GROUP; r++)
            g->acc[r] = __builtin_shufflevector(g->acc[r], (pack){0}, 1, 2, 3, 4, 5, 6, 7, 8);
        g->column++;
    }
    g->column = column;
}

/* Functions first .. first+PACK-1 of all segments, orders im .. im+n-1. */
static void product_group(const filon_work *s, const filon_batch *b, int pad, double *out,
                          int first, int im, int n)
{
    group g = {.n = n, .column = b->segment[0].column};
    size_t width = (size_t)(s->nk - first < PACK ? s->nk - first : PACK);
    g.end = g.column;
    for (int r = 0; r < GROUP; r++) {
        int row = im + (r < n ? r : 0);
        g.J[r] = s->J + (size_t)s->m[row] * FILON_LANES;
        g.out[r] = out + (size_t)row * s->stride + first;
    }
    for (int is = 0; is < b->nsegment; is++) {
        const filon_segment *t = &b->segment[is];
        advance(&g, t->column);
        g.end = t->column + width;
        accumulate(&g, t->lane, t->n, b->c + (size_t)t->row * (size_t)pad + first, pad);
    }
    advance(&g, g.end);
}

/* The sums of eight packs. */
static inline pack sums_of(const pack v[GROUP])
{
    pack two[4], four[2];
    for (int i = 0; i < 4; i++)
        two[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
                 __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    for (int i = 0; i < 2; i++)
        four[i] = __builtin_shufflevector(two[2 * i], two[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
                  __builtin_shufflevector(two[2 * i], two[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
    return __builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

/* One segment's last function, v, zero behind its lanes: lanes in packs. */
static void product_last(const filon_work *s, const filon_segment *t, const double *v, double *out,
                         int live)
{
    out += t->column + (size_t)s->nk - 1;
    for (int im = 0; im < live; im += GROUP) {
        int n = live - im < GROUP ? live - im : GROUP;
        pack sum[GROUP] = {{0}}, all, a, b;
        for (int r = 0; r < n; r++) {
            const double *J = s->J + (size_t)s->m[im + r] * FILON_LANES + t->lane;
            for (int i = 0; i < t->n; i += PACK) {
                memcpy(&a, J + i, sizeof a);
                memcpy(&b, v + i, sizeof b);
                sum[r] += a * b;
            }
        }
        all = sums_of(sum);
        for (int r = 0; r < n; r++) out[(size_t)(im + r) * s->stride] += all[r];
    }
}

/* The last function of all segments, where it stands alone. */
static void product_alone(const filon_work *s, const filon_batch *b, int pad, double *out, int live)
{
    for (int is = 0; is < b->nsegment; is++) {
        const filon_segment *t = &b->segment[is];
        const double *c = b->c + (size_t)t->row * (size_t)pad + s->nk - 1;
        double v[FILON_GAUSS_MAX + PACK] = {0};
        for (int i = 0; i < t->n; i++) v[i] = c[(size_t)i * (size_t)pad];
        product_last(s, t, v, out, live);
    }
}

void filon_product(const filon_work *s, const filon_batch *b, int pad, size_t iq)
{
    double *out = s->out + iq * s->pitch;
    int live = 0, alone = s->nk % PACK == 1;
    while (live < s->nm && s->m[live] <= b->cut) live++;
    for (int first = 0; first < s->nk - alone; first += PACK)
        for (int im = 0; im < live; im += GROUP)
            product_group(s, b, pad, out, first, im, live - im < GROUP ? live - im : GROUP);
    if (alone) product_alone(s, b, pad, out, live);
}
