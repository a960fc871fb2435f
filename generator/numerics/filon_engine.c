/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_engine.c: sums of integrals g_k(x) J_m(q x) over many intervals.  The points of panels and
 * contours are collected as lanes in batches.  A full batch is a matrix product: orders times
 * lanes, lanes times the few functions of each interval. */
#include <math.h>
#include <string.h>
#if defined(__FMA__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "numerics/filon_parts.h"
#include "numerics/memory.h"

enum {
    BATCH_ROWS = 256, /* rows of coefficients: the lanes of a contour serve both its neighbours */
    BATCH_SEGMENTS = 32,
    BATCHES = 16, /* batches that are evaluated together, momentum by momentum, so that the weights
                     of one momentum stay in the cache */
    GROUP = 8     /* orders whose vectors are kept in registers */
};
/* Functions (columns) in one vector of the product, which fits a register. */
#if defined(__AVX512F__)
enum { PACK = 8 };
#define FILON_BEHIND 1, 2, 3, 4, 5, 6, 7, 8 /* the numbers behind the first, and a 0 */
#else
enum { PACK = 4 };
#define FILON_BEHIND 1, 2, 3, 4
#endif

/* One panel or contour: its first lane, their number, its first row, and its column of the output.
 */
typedef struct {
    int lane, n, row;
    size_t column;
} filon_segment;

typedef struct {
    int nlane, nrow, nsegment, cut; /* cut: the largest order that is not negligible */
    filon_segment segment[BATCH_SEGMENTS];
    double a[FILON_LANES], u[FILON_LANES];  /* x = a + u of the lanes of panels */
    double c[BATCH_ROWS * FILON_FUNCTIONS]; /* (nrow, pad): weight times g_k */
} filon_batch;

struct filon_work {
    filon_band band;
    const double *q; /* (band.n) */
    double x0;       /* the phase q x from which contours are allowed */
    int nm, mmax, nk, laguerre;
    int pad; /* numbers in a row of coefficients, so that inner loops have a fixed length */
    const int *m;
    filon_output to;
    /* batches: of panels for the whole band, or one of contours at q[iq] */
    int contour, last_lane, nbatch;
    size_t iq;
    double last_position; /* x of the contour that begins at last_lane */
    filon_batch batch[BATCHES];
    /* (mmax+1, FILON_LANES) of one batch, and a pack behind it; zeros at first, so that the product
     * never reads a NaN behind the lanes in use */
    double J[];
};

/* ---- the matrix product ----
 *
 * A group of orders keeps PACK columns each in registers.  From one interval to the next the window
 * moves by a node or none, so that only the columns it leaves behind go to memory. */

typedef double filon_pack __attribute__((vector_size(PACK * sizeof(double))));

typedef struct {
    const double *J[GROUP]; /* rows of the orders */
    double *out[GROUP];
    int n;         /* orders, <= GROUP; the other rows repeat the first and are not written */
    size_t column; /* of the first number in each accumulator */
    size_t end;    /* the accumulators are 0 from this column on */
    filon_pack acc[GROUP];
} filon_group;

/* sum += a b */
static inline void filon_multiply_add(double a, const filon_pack *b, filon_pack *sum)
{
#if defined(__AVX512F__)
    *sum = (filon_pack)_mm512_fmadd_pd(_mm512_set1_pd(a), (__m512d)*b, (__m512d)*sum);
#elif defined(__FMA__)
    *sum = (filon_pack)_mm256_fmadd_pd(_mm256_set1_pd(a), (__m256d)*b, (__m256d)*sum);
#else
    *sum += a * *b;
#endif
}

static inline void filon_accumulate(filon_group *g, int lane, int n, const double *c, int pad)
{
    filon_pack acc[GROUP];
    memcpy(acc, g->acc, sizeof acc);
    for (int i = 0; i < n; i++) {
        filon_pack v;
        memcpy(&v, c + (size_t)i * (size_t)pad, sizeof v);
        for (int r = 0; r < GROUP; r++) filon_multiply_add(g->J[r][lane + i], &v, &acc[r]);
    }
    memcpy(g->acc, acc, sizeof acc);
}

/* Moves the accumulators on to a column and adds the columns before it to the output. */
static void filon_advance(filon_group *g, size_t column)
{
    while (g->column < column && g->column < g->end) {
        for (int r = 0; r < g->n; r++) g->out[r][g->column] += g->acc[r][0];
        for (int r = 0; r < GROUP; r++)
            g->acc[r] = __builtin_shufflevector(g->acc[r], (filon_pack){0}, FILON_BEHIND);
        g->column++;
    }
    g->column = column;
}

/* The functions first .. first+PACK-1 of all segments for the orders im .. im+n-1. */
static void filon_product_group(const filon_work *s, const filon_batch *b, double *out, int first,
                                int im, int n)
{
    filon_group g = {.n = n, .column = b->segment[0].column};
    size_t width = (size_t)(s->nk - first < PACK ? s->nk - first : PACK);
    g.end = g.column;
    for (int r = 0; r < GROUP; r++) {
        int row = im + (r < n ? r : 0);
        g.J[r] = s->J + (size_t)s->m[row] * FILON_LANES;
        g.out[r] = out + (size_t)row * s->to.stride + first;
    }
    for (int is = 0; is < b->nsegment; is++) {
        const filon_segment *t = &b->segment[is];
        filon_advance(&g, t->column);
        g.end = t->column + width;
        filon_accumulate(&g, t->lane, t->n, b->c + (size_t)t->row * (size_t)s->pad + first, s->pad);
    }
    filon_advance(&g, g.end);
}

/* The last function of one segment, v, which is 0 behind its lanes: here packs hold lanes. */
static void filon_product_last(const filon_work *s, const filon_segment *t, const double *v,
                               double *out, int live)
{
    out += t->column + (size_t)s->nk - 1;
    for (int im = 0; im < live; im += GROUP) {
        int n = live - im < GROUP ? live - im : GROUP;
        for (int r = 0; r < n; r++) {
            const double *J = s->J + (size_t)s->m[im + r] * FILON_LANES + t->lane;
            filon_pack sum = {0}, a, b;
            for (int i = 0; i < t->n; i += PACK) {
                memcpy(&a, J + i, sizeof a);
                memcpy(&b, v + i, sizeof b);
                sum += a * b;
            }
            for (int i = 0; i < PACK; i++) out[(size_t)(im + r) * s->to.stride] += sum[i];
        }
    }
}

/* Adds J c of all segments of a batch at momentum iq to the output. */
static void filon_product(const filon_work *s, const filon_batch *b, size_t iq)
{
    double *out = s->to.out + iq * s->to.pitch;
    int live = 0, alone = s->nk % PACK == 1;
    while (live < s->nm && s->m[live] <= b->cut) live++;
    for (int first = 0; first < s->nk - alone; first += PACK)
        for (int im = 0; im < live; im += GROUP)
            filon_product_group(s, b, out, first, im, live - im < GROUP ? live - im : GROUP);
    for (int is = 0; alone && is < b->nsegment; is++) { /* the others fill whole packs */
        const filon_segment *t = &b->segment[is];
        const double *c = b->c + (size_t)t->row * (size_t)s->pad + s->nk - 1;
        double v[FILON_GAUSS_MAX + PACK] = {0};
        for (int i = 0; i < t->n; i++) v[i] = c[(size_t)i * (size_t)s->pad];
        filon_product_last(s, t, v, out, live);
    }
}

/* ---- batches ---- */

filon_work *filon_work_new(size_t nm, const int *m)
{
    size_t numbers = ((size_t)m[nm - 1] + 1) * FILON_LANES + PACK;
    filon_work *s = memory_new(sizeof(filon_work) + numbers * sizeof(double), 1);
    memset(s->J, 0, numbers * sizeof(double));
    s->nm = (int)nm;
    s->m = m;
    s->mmax = m[nm - 1];
    s->x0 = filon_contour_phase(s->mmax);
    return s;
}

static filon_batch *filon_begin_batch(filon_work *s)
{
    filon_batch *b = s->batch + s->nbatch++;
    b->nlane = b->nrow = b->nsegment = b->cut = 0;
    s->last_lane = -1;
    return b;
}

void filon_begin(filon_work *s, const filon_band *band, const double *q, int nk, int laguerre,
                 filon_output to)
{
    s->band = *band;
    s->q = q;
    s->nk = nk;
    s->pad = nk <= PACK ? PACK : FILON_FUNCTIONS;
    s->laguerre = laguerre;
    s->to = to;
    s->contour = 0;
    s->iq = 0;
    s->nbatch = 0;
    filon_begin_batch(s);
}

void filon_flush(filon_work *s)
{
    const filon_batch *end = s->batch + s->nbatch;
    if (s->contour && s->batch->nsegment > 0) filon_product(s, s->batch, s->iq);
    for (size_t iq = 0; !s->contour && iq < s->band.n; iq++)
        for (const filon_batch *b = s->batch; b < end && b->nsegment > 0; b++) {
            double z[FILON_LANES], low[FILON_LANES];
            for (int i = 0; i < b->nlane; i++)
                z[i] = bessel_phase(s->q[iq], b->a[i], b->u[i], &low[i]);
            bessel_J_pair(b->cut, (size_t)b->nlane, FILON_LANES, z, low, s->J);
            filon_product(s, b, iq);
        }
    s->nbatch = 0;
    filon_begin_batch(s);
}

/* The batch that has room for so many lanes and rows. */
static filon_batch *filon_reserve(filon_work *s, int contour, int lanes, int rows)
{
    filon_batch *b = s->batch + s->nbatch - 1;
    int full = b->nlane + lanes > FILON_LANES || b->nrow + rows > BATCH_ROWS ||
               b->nsegment == BATCH_SEGMENTS;
    if (s->contour == contour && !full) return b;
    if (s->contour == contour && !contour && s->nbatch < BATCHES) return filon_begin_batch(s);
    filon_flush(s);
    s->contour = contour;
    return s->batch;
}

static void filon_add_segment(filon_batch *b, int lane, int n, size_t column)
{
    b->segment[b->nsegment++] = (filon_segment){lane, n, b->nrow, column};
    b->nrow += n;
}

static void filon_add_panel(filon_work *s, const filon_functions *f, double u, double h,
                            size_t column)
{
    double g[FILON_FUNCTIONS * FILON_LANES];
    filon_panel p = filon_panel_at(&s->band, s->mmax, f, u, h);
    int pad = s->pad, n = p.rule.n;
    filon_batch *b = filon_reserve(s, 0, n, n);
    double *c = b->c + (size_t)b->nrow * (size_t)pad;
    if (p.cut > b->cut) b->cut = p.cut;
    filon_panel_nodes(&p, b->u + b->nlane);
    f->real(f, n, b->u + b->nlane, g);
    for (int i = 0; i < n; i++) {
        b->a[b->nlane + i] = f->a;
        for (int k = 0; k < pad; k++)
            c[i * pad + k] = k < f->nk ? p.h * p.rule.w[i] * g[k * FILON_LANES + i] : 0;
    }
    filon_add_segment(b, b->nlane, n, column);
    b->nlane += n;
}

/* The first lane of the contour that rises at x.  Neighbouring intervals share it; as H_m without
 * its phase is smooth, an x that differs by rounding is taken to be the same. */
static int filon_contour_lane(filon_work *s, const filon_rule *rule, double x)
{
    int n = 2 * rule->n;
    filon_batch *b = s->batch;
    if (s->contour && s->last_lane >= 0 && fabs(s->last_position - x) <= 4e-16 * x &&
        b->nrow + n <= BATCH_ROWS && b->nsegment < BATCH_SEGMENTS)
        return s->last_lane;
    filon_reserve(s, 1, n, n);
    bessel_hankel_line(s->mmax, rule->n, rule->t, s->q[s->iq] * x, FILON_LANES, s->J + b->nlane);
    b->cut = s->mmax;
    s->last_lane = b->nlane;
    s->last_position = x;
    b->nlane += n;
    return s->last_lane;
}

/* Adds sign * Re int g_k H_m(q x) dx from x = f->a + u to x + i infinity. */
static void filon_add_contour(filon_work *s, const filon_functions *f, double u, double sign,
                              size_t column)
{
    filon_rule rule = filon_laguerre(s->laguerre);
    int lane = filon_contour_lane(s, &rule, f->a + u), n = rule.n, pad = s->pad;
    double re_g[FILON_FUNCTIONS * FILON_LANES], im_g[FILON_FUNCTIONS * FILON_LANES];
    filon_batch *b = s->batch;
    double y[FILON_LAGUERRE_TAIL], low, sn, cs, *c = b->c + (size_t)b->nrow * (size_t)pad;
    double q = s->q[s->iq], z = bessel_phase(q, f->a, u, &low);
    bessel_sincos(z, low, &sn, &cs);
    for (int i = 0; i < n; i++) y[i] = rule.t[i] / q;
    f->imag(f, n, u, y, re_g, im_g);
    for (int i = 0; i < n; i++) {
        /* dx = i dt/q, and the phase i e^{i z} */
        double w = sign * rule.w[i] / q, fr = -w * sn, fi = w * cs;
        for (int k = 0; k < pad; k++) {
            double re = k < f->nk ? re_g[k * FILON_LANES + i] : 0;
            double im = k < f->nk ? im_g[k * FILON_LANES + i] : 0;
            c[i * pad + k] = fr * re - fi * im;
            c[(n + i) * pad + k] = -(fr * im + fi * re);
        }
    }
    filon_add_segment(b, lane, 2 * n, column);
}

double filon_split(const filon_work *s, const filon_functions *f, double h)
{
    double split = fmax(0, s->x0 / s->band.lo - f->a); /* infinite at q = 0 */
    return s->band.lo * (h - split) > FILON_PANEL_PHASE ? split : h;
}

void filon_add_panels(filon_work *s, const filon_functions *f, double split, size_t column)
{
    size_t n = split > 0 ? filon_panel_count(&s->band, split) : 0;
    for (size_t i = 0; i < n; i++) {
        double u = split * (double)i / (double)n;
        filon_add_panel(s, f, u, split * (double)(i + 1) / (double)n - u, column);
    }
}

void filon_add_contours(filon_work *s, const filon_functions *f, double split, double h, size_t iq,
                        size_t column)
{
    if (!(split < h)) return;
    s->iq = iq;
    filon_add_contour(s, f, split, 1, column);
    filon_add_contour(s, f, h, -1, column);
}

void filon_add_tail(filon_work *s, const filon_functions *f)
{
    double split = fmax(0, s->x0 / s->band.lo - f->a), u = 0;
    while (u < split) {
        double h = filon_panel_tail(&s->band, f, u, split);
        filon_add_panel(s, f, u, h, 0);
        u = u + h < split ? u + h : split;
    }
    filon_add_contour(s, f, split, 1, 0);
}
