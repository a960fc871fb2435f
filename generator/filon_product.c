/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix product of the engine: orders times lanes, lanes times the few functions of each
 * interval. A group of orders keeps 8 columns each in registers; from one interval to the next the
 * window moves by a node or none, so only the columns that it leaves behind go to memory. */
#include <string.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "filon_impl.h"

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
static void product_group(const filon_work *s, int pad, int first, int im, int n)
{
    group g = {.n = n, .column = s->segment[0].column};
    size_t width = (size_t)(s->nk - first < PACK ? s->nk - first : PACK);
    g.end = g.column;
    for (int r = 0; r < GROUP; r++) {
        int row = im + (r < n ? r : 0);
        g.J[r] = s->J + (size_t)s->m[row] * FILON_LANES;
        g.out[r] = s->out + (size_t)row * s->stride + first;
    }
    for (int is = 0; is < s->nsegment; is++) {
        const filon_segment *t = &s->segment[is];
        advance(&g, t->column);
        g.end = t->column + width;
        accumulate(&g, t->lane, t->n, s->c + (size_t)t->row * (size_t)pad + first, pad);
    }
    advance(&g, g.end);
}

void filon_product(const filon_work *s, int pad)
{
    int live = 0;
    while (live < s->nm && s->m[live] <= s->cut) live++;
    for (int first = 0; first < s->nk; first += PACK)
        for (int im = 0; im < live; im += GROUP)
            product_group(s, pad, first, im, live - im < GROUP ? live - im : GROUP);
}
