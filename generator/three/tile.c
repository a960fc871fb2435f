/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From samples of G to H_mn at one Delta and up to sixteen r'; the arrays stay in the caches. */
#include "three/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrix products of sixteen columns ----
 *
 * ../rules.mk compiles this file with contraction: a product and a sum become one instruction. */

/* Two registers of columns at a time, and as many rows as their sums fit into the registers. */
#if defined(__AVX512F__)
enum { VEC = 8, ROWS = 13 };
#elif defined(__AVX__)
enum { VEC = 4, ROWS = 6 };
#else
enum { VEC = 2, ROWS = 6 };
#endif

typedef double vec __attribute__((vector_size(8 * VEC)));

static inline vec load_columns(const double *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_columns(double *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

/* The first n rows and the 2 VEC columns from `at` on of one product.  n is a constant
 * at each call, so that the loops over rows vanish. */
static inline __attribute__((always_inline)) void
multiply_rows(size_t n, const three_tile_product *p, size_t at)
{
    const double *A = p->A, *B = p->B + at;
    size_t lda = p->lda, ldb = p->ldb, ldc = p->ldc, k = p->k;
    double *C = p->C + at;
    vec left[ROWS], right[ROWS];
    for (size_t i = 0; i < n; i++) {
        left[i] = p->add ? load_columns(C + i * ldc) : (vec){0};
        right[i] = p->add ? load_columns(C + i * ldc + VEC) : (vec){0};
    }
    for (size_t j = 0; j < k; j++) {
        vec b = load_columns(B + j * ldb), c = load_columns(B + j * ldb + VEC);
        for (size_t i = 0; i < n; i++) {
            left[i] += A[i * lda + j] * b;
            right[i] += A[i * lda + j] * c;
        }
    }
    for (size_t i = 0; i < n; i++) {
        store_columns(C + i * ldc, left[i]);
        store_columns(C + i * ldc + VEC, right[i]);
    }
}

void three_tile_multiply(const three_tile_product *all)
{
    for (size_t i = 0; i < all->count; i++) {
        three_tile_product p = *all;
        p.A += i * p.stepA;
        p.B += i * THREE_COLUMNS;
        p.C += i * p.stepC;
        while (p.m) {
            size_t n = p.m >= ROWS ? ROWS : p.m >= 4 ? 4 : p.m >= 2 ? 2 : 1;
            for (size_t at = 0; at < THREE_COLUMNS; at += 2 * VEC)
                if (n == ROWS)
                    multiply_rows(ROWS, &p, at);
                else if (n == 4)
                    multiply_rows(4, &p, at);
                else if (n == 2)
                    multiply_rows(2, &p, at);
                else
                    multiply_rows(1, &p, at);
            p.m -= n;
            p.A += n * p.lda;
            p.C += n * p.ldc;
        }
    }
}

/* ---- arrays of a thread ---- */

/* h of the angles alpha at hand takes no more bytes than this, a part of the second-level cache. */
enum { H_BYTES = 1 << 18 };

size_t three_work_cut(three_work *w, double *block, const three_plan *p, size_t group)
{
    double **const to[] = {&w->samples, &w->P, &w->h, &w->part};
    const size_t n[] = {p->nchannel * p->N * THREE_ALPHAS * THREE_COLUMNS,
                        p->nchannel * THREE_ALPHAS * p->sweep * p->nn * THREE_COLUMNS,
                        p->nchannel * p->nalpha * p->nn * THREE_NSET * group * THREE_COLUMNS,
                        4 * (p->M + 1) * THREE_COLUMNS};
    size_t all = 0;
    for (size_t i = 0; i < sizeof n / sizeof *n; all += n[i++])
        if (block) *to[i] = block + all;
    return all;
}

cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err)
{
    size_t bytes = sizeof(double) * three_work_cut(w, NULL, p, p->group);
    w->block = aligned_alloc(64, bytes); /* all parts are aligned, too */
    if (!w->block)
        return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu bytes per thread",
                         bytes);
    three_work_cut(w, w->block, p, p->group);
    return CGCT_OK;
}

/* ---- from samples to H ---- */

/* A tile and the angles alpha at hand: na from a0 on. */
typedef struct {
    const three_plan *p;
    three_work *w;
    const three_tile *t;
    size_t a0, na;
} tile_job;

/* G at one b: samples (nchannel, N, na, COLUMNS); a tile with fewer r' repeats its last one. */
static void sample_tile(const tile_job *j, size_t ib)
{
    const three_plan *p = j->p;
    const three_tile *t = j->t;
    double rp[THREE_COLUMNS];
    for (size_t i = 0; i < THREE_COLUMNS; i++)
        rp[i] = p->o->rp.node[t->r0 + (i < t->nt ? i : t->nt - 1)];
    three_block at = {.delta = p->o->delta.node[t->d],
                      .b = p->o->b.node[ib],
                      .n = THREE_COLUMNS,
                      .nalpha = j->na,
                      .nbeta = p->N,
                      .rp = rp,
                      .cos_alpha = p->cos + j->a0,
                      .sin_alpha = p->sin + j->a0,
                      .cos_beta = p->cos,
                      .sin_beta = p->sin};
    double *im = p->nchannel == 2 ? j->w->samples + p->N * j->na * THREE_COLUMNS : NULL;
    p->g->block(p->g->self, &at, j->w->samples, im);
}

/* Rows i and N-i become their sum, row i, and their difference, row N-i. */
static void fold_beta(const three_plan *p, size_t columns, double *v)
{
    for (size_t j = 1; j <= p->nodd; j++) {
        double *restrict a = v + j * columns, *restrict b = v + (p->N - j) * columns;
#pragma omp simd
        for (size_t i = 0; i < columns; i++) {
            double x = a[i], y = b[i];
            a[i] = x + y;
            b[i] = x - y;
        }
    }
}

/* Modes in beta at b number `is` of the sweep: P[.][i][is] (nn, COLUMNS) of each alpha number i,
 * cosines 0..M, then sines 1..M */
static void modes_in_beta(const tile_job *j, size_t is)
{
    const three_plan *p = j->p;
    size_t row = p->nn * THREE_COLUMNS, columns = j->na * THREE_COLUMNS;
    for (size_t ic = 0; ic < p->nchannel; ic++) {
        double *v = j->w->samples + ic * p->N * columns;
        double *P = j->w->P + (ic * THREE_ALPHAS * p->sweep + is) * row;
        fold_beta(p, columns, v);
        for (size_t i = 0; i < j->na; i++, P += p->sweep * row) {
            three_tile_product g = {.count = 1,
                                    .m = p->M + 1,
                                    .k = p->neven,
                                    .A = p->beta_cos,
                                    .lda = p->neven,
                                    .B = v + i * THREE_COLUMNS,
                                    .ldb = columns,
                                    .C = P,
                                    .ldc = THREE_COLUMNS};
            three_tile_multiply(&g);
            g.m = p->M;
            g.k = g.lda = p->nodd;
            g.A = p->beta_sin;
            g.B += p->neven * g.ldb;
            g.C += (p->M + 1) * THREE_COLUMNS;
            three_tile_multiply(&g);
        }
    }
}

/* Where h (nn, nrow, COLUMNS) of one alpha begins. */
static double *sums_over_b(const tile_job *j, size_t ic, size_t ia)
{
    const three_plan *p = j->p;
    return j->w->h + (ic * p->nalpha + ia) * p->nn * THREE_NSET * j->t->nq * THREE_COLUMNS;
}

/* h of alpha number i += weights of the nodes b0..b0+nb-1 times P */
static void add_over_b(const tile_job *j, size_t i, size_t b0, size_t nb)
{
    const three_plan *p = j->p;
    size_t nrow = THREE_NSET * j->t->nq, all = p->o->b.n, row = p->nn * THREE_COLUMNS;
    for (size_t ic = 0; ic < p->nchannel; ic++) {
        three_tile_product g = {.count = p->M + 1,
                                .m = nrow,
                                .k = nb,
                                .add = b0 > 0,
                                .A = p->wb + j->t->q0 * THREE_NSET * all + b0,
                                .lda = all,
                                .stepA = p->o->b.nmom * THREE_NSET * all,
                                .B = j->w->P + (ic * THREE_ALPHAS + i) * p->sweep * row,
                                .ldb = row,
                                .C = sums_over_b(j, ic, j->a0 + i),
                                .ldc = THREE_COLUMNS,
                                .stepC = nrow * THREE_COLUMNS};
        three_tile_multiply(&g);
        g.count = p->M;
        g.A += g.stepA;
        g.B += (p->M + 1) * THREE_COLUMNS;
        g.C += (p->M + 1) * g.stepC;
        three_tile_multiply(&g);
    }
}

/* Cosines and sines in alpha of one row of h, whose cosine of order n in beta is at hc; the sine of
 * order 0 is 0.  part: cos cos, sin sin, then unless G is symmetric sin cos, cos sin. */
static void modes_in_alpha(const tile_job *j, size_t n, const double *hc)
{
    const three_plan *p = j->p;
    size_t size = (p->M + 1) * THREE_COLUMNS;
    const double *tables[] = {p->alpha_cos, p->alpha_sin, p->alpha_sin, p->alpha_cos};
    const double *hs = hc + p->M * THREE_NSET * j->t->nq * THREE_COLUMNS, *h[] = {hc, hs, hc, hs};
    for (size_t i = 0; i < (p->g->is_symmetric ? 2 : 4); i++) {
        const three_tile_product g = {.count = 1,
                                      .m = p->M + 1,
                                      .k = n == 0 && i % 2 ? 0 : p->nalpha,
                                      .A = tables[i],
                                      .lda = p->nalpha,
                                      .B = h[i],
                                      .ldb = p->nn * THREE_NSET * j->t->nq * THREE_COLUMNS,
                                      .C = j->w->part + i * size,
                                      .ldc = THREE_COLUMNS};
        three_tile_multiply(&g);
    }
}

/* Modes (m, +n) and (m, -n) of one row from its part; the sign of J_-n = (-1)^n J_n is included.
 * H: m = 0, n = -M of that row. */
static void store_modes(const tile_job *j, size_t n, double *H)
{
    const three_plan *p = j->p;
    size_t mode_step = three_mode_step(p), plane_step = p->nmode * mode_step;
    size_t up = (p->M + n) * mode_step, down = (p->M - n) * mode_step;
    size_t size = (p->M + 1) * THREE_COLUMNS;
    const double *cc = j->w->part, *ss = cc + size, *sc = ss + size, *cs = sc + size;
    double odd = n % 2 ? -1 : 1;
    for (size_t m = 0; m <= p->M; m++, H += p->nn * mode_step)
        for (size_t i = 0; i < j->t->nt; i++) {
            size_t at = m * THREE_COLUMNS + i;
            H[up + i] = cc[at] - ss[at];
            if (n > 0) H[down + i] = odd * (cc[at] + ss[at]);
            if (p->g->is_symmetric) continue;
            H[plane_step + up + i] = sc[at] + cs[at];
            if (n > 0) H[plane_step + down + i] = odd * (sc[at] - cs[at]);
        }
}

static void project_rows(const tile_job *j, double *H)
{
    const three_plan *p = j->p;
    const three_tile *t = j->t;
    size_t nrow = THREE_NSET * t->nq, channel_step = p->nplane / p->nchannel * p->nmode;
    for (size_t ic = 0; ic < p->nchannel; ic++)
        for (size_t n = 0; n <= p->M; n++)
            for (size_t ir = 0; ir < nrow; ir++) {
                const double *hc = sums_over_b(j, ic, 0) + (n * nrow + ir) * THREE_COLUMNS;
                modes_in_alpha(j, n, hc);
                store_modes(j, n,
                            H + ic * channel_step * three_mode_step(p) +
                                (t->id * THREE_NSET * p->group + ir) * p->o->rp.n + t->r0);
            }
}

int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H)
{
    /* As many angles alpha as integrands share work between, but no more than leave their h in the
     * second-level cache. */
    const size_t one = p->nchannel * p->nn * THREE_NSET * t->nq * THREE_COLUMNS * sizeof(double);
    size_t nb = p->o->b.n, most = H_BYTES / one;
    most = most < 1 ? 1 : most > THREE_ALPHAS ? THREE_ALPHAS : most;
    tile_job j = {.p = p, .w = w, .t = t};
    for (; j.a0 < p->nalpha; j.a0 += most) {
        j.na = p->nalpha - j.a0 < most ? p->nalpha - j.a0 : most;
        for (size_t b0 = 0; b0 < nb; b0 += p->sweep) {
            size_t n = nb - b0 < p->sweep ? nb - b0 : p->sweep;
            for (size_t is = 0; is < n; is++) {
                sample_tile(&j, b0 + is);
                modes_in_beta(&j, is);
            }
            for (size_t i = 0; i < j.na; i++) add_over_b(&j, i, b0, n);
        }
    }
    project_rows(&j, H);
    /* 0 x is NaN where x is not finite, and 0 otherwise */
    double sum = 0;
    const ptrdiff_t n = sums_over_b(&j, p->nchannel, 0) - w->h;
#pragma omp simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < n; i++) sum += 0 * w->h[i];
    return sum == 0;
}

cgct_status three_tile_fail(const three_plan *p, three_work *w, const three_tile *t, cgct_err *err)
{
    size_t n = p->nchannel * p->N * THREE_COLUMNS;
    tile_job j = {.p = p, .w = w, .t = t, .na = 1};
    for (size_t ib = 0; ib < p->o->b.n; ib++)
        for (j.a0 = 0; j.a0 < p->nalpha; j.a0++) {
            sample_tile(&j, ib);
            for (size_t i = 0; i < n; i++) {
                const size_t column = i % THREE_COLUMNS, beta = i / THREE_COLUMNS % p->N;
                const three_sample_index at = {t->d, t->r0 + (column < t->nt ? column : t->nt - 1),
                                               ib, j.a0, beta};
                if (!isfinite(w->samples[i])) return three_fail_value(p, w->samples[i], &at, err);
            }
        }
    return three_fail_sums(p, t->d, t->r0, t->r0 + t->nt - 1, err);
}
