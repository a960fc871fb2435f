/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One Delta, some r', all b: samples -> modes in beta -> sum over b -> modes in alpha. */
#include <math.h>
#include <stdlib.h>

#include "blas.h"
#include "three_momentum_impl.h"

typedef struct {
    size_t samples, P, h, part; /* numbers */
} sizes;

static sizes work_sizes(const three_plan *p, size_t group)
{
    size_t columns = p->nalpha * THREE_BLOCK_MAX;
    return (sizes){p->nchannel * p->N * columns, p->nchannel * p->nn * p->sweep * columns,
                   p->nchannel * p->nn * THREE_NSET * group * columns,
                   4 * (p->M + 1) * THREE_BLOCK_MAX};
}

size_t three_work_bytes(const three_plan *p, size_t group)
{
    sizes s = work_sizes(p, group);
    return sizeof(double) * (s.samples + s.P + s.h + s.part);
}

cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err)
{
    sizes s = work_sizes(p, p->group);
    *w = (three_work){0};
    w->block = malloc(three_work_bytes(p, p->group));
    if (!w->block)
        return cgct_fail(err, CGCT_E_NOMEM, "three_momentum: no memory for %zu bytes per thread",
                         three_work_bytes(p, p->group));
    w->samples = w->block;
    w->P = w->samples + s.samples;
    w->h = w->P + s.P;
    w->part = w->h + s.h;
    return CGCT_OK;
}

static size_t columns_of(const three_plan *p, const three_tile *t)
{
    return p->nalpha * t->nt;
}

/* G at one b: samples (nchannel, N, nalpha, nt) */
static void sample(const three_plan *p, three_work *w, const three_tile *t, size_t ib)
{
    three_block at = {.delta = p->o->delta.node[t->d],
                      .b = p->o->b.node[ib],
                      .n = t->nt,
                      .nalpha = p->nalpha,
                      .nbeta = p->N,
                      .rp = p->o->rp.node + t->r0,
                      .cos_alpha = p->cos,
                      .sin_alpha = p->sin,
                      .cos_beta = p->cos,
                      .sin_beta = p->sin};
    double *im = p->nchannel == 2 ? w->samples + p->N * columns_of(p, t) : NULL;
    p->g->block(p->g->self, &at, w->samples, im);
}

/* Rows j and N-j become their sum and their difference. */
static void fold(const three_plan *p, size_t columns, double *v)
{
    for (size_t j = 1; j <= p->nodd; j++) {
        double *a = v + j * columns, *b = v + (p->N - j) * columns;
#pragma omp simd
        for (size_t i = 0; i < columns; i++) {
            double x = a[i], y = b[i];
            a[i] = x + y;
            b[i] = x - y;
        }
    }
}

static void product(size_t m, size_t n, size_t k, const double *a, size_t lda, const double *b,
                    size_t ldb, double beta, double *c, size_t ldc)
{
    if (m > 0 && k > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1, a,
                    (int)lda, b, (int)ldb, beta, c, (int)ldc);
}

/* P[.][is] of one b */
static void project_beta(const three_plan *p, three_work *w, const three_tile *t, size_t is)
{
    size_t columns = columns_of(p, t);
    for (size_t ic = 0; ic < p->nchannel; ic++) {
        double *v = w->samples + ic * p->N * columns;
        double *P = w->P + (ic * p->sweep + is) * p->nn * columns;
        fold(p, columns, v);
        product(p->M + 1, columns, p->neven, p->beta_cos, p->neven, v, columns, 0, P, columns);
        product(p->M, columns, p->nodd, p->beta_sin, p->nodd, v + p->neven * columns, columns, 0,
                P + (p->M + 1) * columns, columns);
    }
}

/* h += weights of the nodes b0..b0+nb-1 times P */
static void sum_b(const three_plan *p, three_work *w, const three_tile *t, size_t b0, size_t nb)
{
    size_t columns = columns_of(p, t), nrow = THREE_NSET * t->nq, all = p->o->b.n;
    for (size_t ic = 0; ic < p->nchannel; ic++)
        for (size_t in = 0; in < p->nn; in++) {
            size_t n = in <= p->M ? in : in - p->M;
            const double *wb = p->wb + (n * p->o->b.nmom + t->q0) * THREE_NSET * all + b0;
            const double *P = w->P + (ic * p->sweep * p->nn + in) * columns;
            product(nrow, columns, nb, wb, all, P, p->nn * columns, b0 > 0,
                    w->h + (ic * p->nn + in) * nrow * columns, columns);
        }
}

/* Modes (m, +n) and (m, -n) of one row: cos and sin in alpha of the cosine (hc) and the sine (hs,
 * NULL for n = 0) in beta.  The sign of J_-n = (-1)^n J_n is included. */
static void project_alpha(const three_plan *p, three_work *w, const three_tile *t, size_t n,
                          const double *hc, const double *hs, size_t mode_step, size_t plane_step,
                          double *H)
{
    size_t nt = t->nt, size = (p->M + 1) * nt, up = (p->M + n) * mode_step;
    size_t down = (p->M - n) * mode_step;
    double *cc = w->part, *ss = cc + size, *sc = ss + size, *cs = sc + size, odd = n % 2 ? -1 : 1;
    for (size_t i = 0; i < 4 * size; i++) cc[i] = 0;
    product(p->M + 1, nt, p->nalpha, p->alpha_cos, p->nalpha, hc, nt, 0, cc, nt);
    if (hs) product(p->M + 1, nt, p->nalpha, p->alpha_sin, p->nalpha, hs, nt, 0, ss, nt);
    if (!p->g->is_symmetric) {
        product(p->M + 1, nt, p->nalpha, p->alpha_sin, p->nalpha, hc, nt, 0, sc, nt);
        if (hs) product(p->M + 1, nt, p->nalpha, p->alpha_cos, p->nalpha, hs, nt, 0, cs, nt);
    }
    for (size_t m = 0; m <= p->M; m++, H += p->nn * mode_step)
        for (size_t i = 0; i < nt; i++) {
            size_t j = m * nt + i;
            H[up + i] = cc[j] - ss[j];
            if (n > 0) H[down + i] = odd * (cc[j] + ss[j]);
            if (p->g->is_symmetric) continue;
            H[plane_step + up + i] = sc[j] + cs[j];
            if (n > 0) H[plane_step + down + i] = odd * (sc[j] - cs[j]);
        }
}

static void project_rows(const three_plan *p, three_work *w, const three_tile *t, double *H)
{
    size_t columns = columns_of(p, t), nrow = THREE_NSET * t->nq, nr = p->o->rp.n;
    size_t mode_step = p->subset * THREE_NSET * p->group * nr, plane_step = p->nmode * mode_step;
    for (size_t ic = 0; ic < p->nchannel; ic++)
        for (size_t n = 0; n <= p->M; n++)
            for (size_t ir = 0; ir < nrow; ir++) {
                const double *hc = w->h + ((ic * p->nn + n) * nrow + ir) * columns;
                const double *hs = n ? hc + p->M * nrow * columns : NULL;
                double *to = H + ic * (p->nplane / p->nchannel) * plane_step +
                             (t->id * THREE_NSET * p->group + ir) * nr + t->r0;
                project_alpha(p, w, t, n, hc, hs, mode_step, plane_step, to);
            }
}

/* The sum of squares may overflow only where a product of two numbers does; 0 x is NaN then, too.
 */
static int all_finite(size_t n, const double *v)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) sum += 0 * v[i];
    return sum == 0;
}

int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H)
{
    size_t nb = p->o->b.n;
    for (size_t b0 = 0; b0 < nb; b0 += p->sweep) {
        size_t n = nb - b0 < p->sweep ? nb - b0 : p->sweep;
        for (size_t is = 0; is < n; is++) {
            sample(p, w, t, b0 + is);
            project_beta(p, w, t, is);
        }
        sum_b(p, w, t, b0, n);
    }
    project_rows(p, w, t, H);
    return all_finite(p->nchannel * p->nn * THREE_NSET * t->nq * columns_of(p, t), w->h);
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
    size_t columns = columns_of(p, t), n = p->nchannel * p->N * columns;
    for (size_t ib = 0; ib < p->o->b.n; ib++) {
        sample(p, w, t, ib);
        for (size_t i = 0; i < n; i++) {
            size_t j = i % (p->N * columns);
            if (!isfinite(w->samples[i]))
                return three_blame(p, w->samples[i], t->d, t->r0 + j % t->nt, ib,
                                   j % columns / t->nt, j / columns, err);
        }
    }
    return three_blame_sums(p, t->d, t->r0, t->r0 + t->nt - 1, err);
}
