/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One Delta, up to sixteen r': for some alpha, samples -> modes in beta -> sum over b; then modes
 * in alpha.  What they need stays in the nearest caches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "three/momentum_impl.h"
#include "three/product.h"

_Static_assert((int)THREE_COLUMNS == (int)THREE_BLOCK_MAX, "a tile is one block of columns");

enum {
    ALPHAS = 4, /* at a time: integrands share between them what depends on beta alone */
    H_BYTES = 1 << 18
};

typedef struct {
    size_t samples, wide, P, h, part; /* numbers */
} sizes;

static sizes work_sizes(const three_plan *p, size_t group)
{
    return (sizes){p->nchannel * p->N * ALPHAS * THREE_COLUMNS, p->N * THREE_COLUMNS,
                   p->nchannel * ALPHAS * p->sweep * p->nn * THREE_COLUMNS,
                   p->nchannel * p->nalpha * p->nn * THREE_NSET * group * THREE_COLUMNS,
                   4 * (p->M + 1) * THREE_COLUMNS};
}

size_t three_work_bytes(const three_plan *p, size_t group)
{
    sizes s = work_sizes(p, group);
    return sizeof(double) * (s.samples + s.wide + s.P + s.h + s.part);
}

cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err)
{
    sizes s = work_sizes(p, p->group);
    *w = (three_work){0};
    w->block = aligned_alloc(64, three_work_bytes(p, p->group)); /* each part is whole lines, too */
    if (!w->block)
        return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu bytes per thread",
                         three_work_bytes(p, p->group));
    w->samples = w->block;
    w->wide = w->samples + s.samples;
    w->P = w->wide + s.wide;
    w->h = w->P + s.P;
    w->part = w->h + s.h;
    memset(w->wide, 0, s.wide * sizeof *w->wide); /* columns from nt on stay 0 */
    return CGCT_OK;
}

/* G at one b and na angles alpha from a0 on: samples (nchannel, N, na, nt) */
static void sample(const three_plan *p, three_work *w, const three_tile *t, size_t a0, size_t na,
                   size_t ib)
{
    three_block at = {.delta = p->o->delta.node[t->d],
                      .b = p->o->b.node[ib],
                      .n = t->nt,
                      .nalpha = na,
                      .nbeta = p->N,
                      .rp = p->o->rp.node + t->r0,
                      .cos_alpha = p->cos + a0,
                      .sin_alpha = p->sin + a0,
                      .cos_beta = p->cos,
                      .sin_beta = p->sin};
    double *im = p->nchannel == 2 ? w->samples + p->N * na * t->nt : NULL;
    p->g->block(p->g->self, &at, w->samples, im);
}

/* Rows j and N-j become their sum, row j, and their difference, row N-j. */
static void fold(const three_plan *p, size_t columns, double *v)
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

/* The columns of one alpha, with zeros up to COLUMNS: (N, COLUMNS) */
static const double *widen(const three_plan *p, three_work *w, const three_tile *t, size_t step,
                           const double *v)
{
    for (size_t j = 0; j < p->N; j++)
        memcpy(w->wide + j * THREE_COLUMNS, v + j * step, t->nt * sizeof *v);
    return w->wide;
}

/* P[.][i][is] (nn, COLUMNS) of one b and alpha number i: modes in beta, cosines 0..M, then sines
 * 1..M */
static void project_beta(const three_plan *p, three_work *w, const three_tile *t, size_t na,
                         size_t is)
{
    size_t nm = p->M + 1, row = p->nn * THREE_COLUMNS;
    for (size_t ic = 0; ic < p->nchannel; ic++) {
        double *v = w->samples + ic * p->N * na * t->nt;
        double *P = w->P + (ic * ALPHAS * p->sweep + is) * row;
        fold(p, na * t->nt, v);
        for (size_t i = 0; i < na; i++, P += p->sweep * row) {
            size_t ld = na * t->nt;
            const double *f = v + i * t->nt;
            if (t->nt < THREE_COLUMNS) {
                f = widen(p, w, t, ld, f);
                ld = THREE_COLUMNS;
            }
            three_product_columns16(nm, p->neven, p->beta_cos, p->neven, f, ld, 0, P,
                                    THREE_COLUMNS);
            three_product_columns16(p->M, p->nodd, p->beta_sin, p->nodd, f + p->neven * ld, ld, 0,
                                    P + nm * THREE_COLUMNS, THREE_COLUMNS);
        }
    }
}

/* (nn, nrow, COLUMNS) of one alpha */
static double *h_of(const three_plan *p, const three_work *w, const three_tile *t, size_t ic,
                    size_t ia)
{
    return w->h + (ic * p->nalpha + ia) * p->nn * THREE_NSET * t->nq * THREE_COLUMNS;
}

/* h of alpha number i of those from a0 on += weights of the nodes b0..b0+nb-1 times P */
static void sum_b(const three_plan *p, three_work *w, const three_tile *t, size_t a0, size_t i,
                  size_t b0, size_t nb)
{
    size_t nrow = THREE_NSET * t->nq, all = p->o->b.n, row = p->nn * THREE_COLUMNS;
    for (size_t ic = 0; ic < p->nchannel; ic++) {
        double *h = h_of(p, w, t, ic, a0 + i);
        const double *P = w->P + (ic * ALPHAS + i) * p->sweep * row;
        size_t step = p->o->b.nmom * THREE_NSET * all, out = nrow * THREE_COLUMNS;
        const double *wb = p->wb + t->q0 * THREE_NSET * all + b0;
        three_products_columns16(p->M + 1, nrow, nb, wb, all, step, P, row, b0 > 0, h, out);
        three_products_columns16(p->M, nrow, nb, wb + step, all, step,
                                 P + (p->M + 1) * THREE_COLUMNS, row, b0 > 0, h + (p->M + 1) * out,
                                 out);
    }
}

/* Modes (m, +n) and (m, -n) of one row: cos and sin in alpha of the cosine (hc) and the sine (hs,
 * NULL for n = 0) in beta, whose alphas lie `step` apart.  The sign of J_-n = (-1)^n J_n is
 * included. */
static void project_alpha(const three_plan *p, three_work *w, const three_tile *t, size_t n,
                          const double *hc, const double *hs, size_t step, size_t mode_step,
                          size_t plane_step, double *H)
{
    size_t nm = p->M + 1, na = p->nalpha, size = nm * THREE_COLUMNS, up = (p->M + n) * mode_step;
    size_t down = (p->M - n) * mode_step;
    double *cc = w->part, *ss = cc + size, *sc = ss + size, *cs = sc + size, odd = n % 2 ? -1 : 1;
    const struct {
        const double *table, *h;
        double *to;
    } products[] = {{p->alpha_cos, hc, cc},
                    {p->alpha_sin, hs, ss},
                    {p->alpha_sin, hc, sc},
                    {p->alpha_cos, hs, cs}};
    for (int i = 0; i < (p->g->is_symmetric ? 2 : 4); i++)
        three_product_columns16(nm, products[i].h ? na : 0, products[i].table, na, products[i].h,
                                step, 0, products[i].to, THREE_COLUMNS);
    for (size_t m = 0; m < nm; m++, H += p->nn * mode_step)
        for (size_t i = 0; i < t->nt; i++) {
            size_t j = m * THREE_COLUMNS + i;
            H[up + i] = cc[j] - ss[j];
            if (n > 0) H[down + i] = odd * (cc[j] + ss[j]);
            if (p->g->is_symmetric) continue;
            H[plane_step + up + i] = sc[j] + cs[j];
            if (n > 0) H[plane_step + down + i] = odd * (sc[j] - cs[j]);
        }
}

static void project_rows(const three_plan *p, three_work *w, const three_tile *t, double *H)
{
    size_t nrow = THREE_NSET * t->nq, nr = p->o->rp.n, step = p->nn * nrow * THREE_COLUMNS;
    size_t mode_step = p->subset * THREE_NSET * p->group * nr, plane_step = p->nmode * mode_step;
    for (size_t ic = 0; ic < p->nchannel; ic++)
        for (size_t n = 0; n <= p->M; n++)
            for (size_t ir = 0; ir < nrow; ir++) {
                const double *hc = h_of(p, w, t, ic, 0) + (n * nrow + ir) * THREE_COLUMNS;
                const double *hs = n ? hc + p->M * nrow * THREE_COLUMNS : NULL;
                double *to = H + ic * (p->nplane / p->nchannel) * plane_step +
                             (t->id * THREE_NSET * p->group + ir) * nr + t->r0;
                project_alpha(p, w, t, n, hc, hs, step, mode_step, plane_step, to);
            }
}

/* The sum of squares may overflow only where a product of two numbers does; 0 x is NaN then, too.
 */
static int all_finite(ptrdiff_t n, const double *v)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (ptrdiff_t i = 0; i < n; i++) sum += 0 * v[i];
    return sum == 0;
}

/* As many as integrands like, but no more than leave h in the second cache. */
static size_t alphas(const three_plan *p, const three_tile *t)
{
    size_t one = p->nchannel * p->nn * THREE_NSET * t->nq * THREE_COLUMNS * sizeof(double);
    size_t most = H_BYTES / one;
    return most < 1 ? 1 : most > ALPHAS ? ALPHAS : most;
}

int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H)
{
    size_t nb = p->o->b.n, most = alphas(p, t);
    for (size_t a0 = 0; a0 < p->nalpha; a0 += most) {
        size_t na = p->nalpha - a0 < most ? p->nalpha - a0 : most;
        for (size_t b0 = 0; b0 < nb; b0 += p->sweep) {
            size_t n = nb - b0 < p->sweep ? nb - b0 : p->sweep;
            for (size_t is = 0; is < n; is++) {
                sample(p, w, t, a0, na, b0 + is);
                project_beta(p, w, t, na, is);
            }
            for (size_t i = 0; i < na; i++) sum_b(p, w, t, a0, i, b0, n);
        }
    }
    project_rows(p, w, t, H);
    return all_finite(h_of(p, w, t, p->nchannel, 0) - w->h, w->h);
}

cgct_status three_blame(const three_plan *p, double value, size_t d, size_t ir, size_t ib,
                        size_t ialpha, size_t ibeta, cgct_err *err)
{
    double step = 2 * M_PI / (double)p->N;
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "integrand is %g at Delta = %g, r' = %g, b = %g /GeV, alpha = %g, beta = %g; "
                     "make it finite there or start the grid elsewhere",
                     value, p->o->delta.node[d], p->o->rp.node[ir], p->o->b.node[ib],
                     step * (double)ialpha, step * (double)ibeta);
}

cgct_status three_blame_sums(const three_plan *p, size_t d, size_t r0, size_t r1, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "sum over b overflows at Delta = %g, r' = %g to %g /GeV; scale the integrand",
                     p->o->delta.node[d], p->o->rp.node[r0], p->o->rp.node[r1]);
}

cgct_status three_tile_blame(const three_plan *p, three_work *w, const three_tile *t, cgct_err *err)
{
    size_t n = p->nchannel * p->N * t->nt;
    for (size_t ib = 0; ib < p->o->b.n; ib++)
        for (size_t ia = 0; ia < p->nalpha; ia++) {
            sample(p, w, t, ia, 1, ib);
            for (size_t i = 0; i < n; i++)
                if (!isfinite(w->samples[i]))
                    return three_blame(p, w->samples[i], t->d, t->r0 + i % t->nt, ib, ia,
                                       i / t->nt % p->N, err);
        }
    return three_blame_sums(p, t->d, t->r0, t->r0 + t->nt - 1, err);
}
