/* SPDX-License-Identifier: GPL-3.0-or-later */
/* R_{k,m}(Delta,R) as matrix products of l_m and phi for a few Delta together, and E_m, the columns
 * of single scattering, as those of e_m and phi. */
#include <math.h>
#include <string.h>

#include "inner/separable.h"
#include "numerics/blas.h"

enum { PRODUCT_ROWS = 48 }; /* R of a product at a time: of these l_m reaches a part of all s */
/* Values of s are left out of the product where phi_m is below this share of the largest phi_0; the
 * bound is far below rounding because G_m falls by many orders with Delta and m. */
static const double PHI_NEGLIGIBLE = 1e-19;
/* l_m falls like (s/R)^m or (R/s)^m; this margin on the exponent covers what multiplies it. */
static const double ELL_REACH_MARGIN = 1.2;

static double largest_entry(const double *v, size_t n)
{
    double best = 0;
    for (size_t i = 0; i < n; i++) best = fabs(v[i]) > best ? fabs(v[i]) : best;
    return best;
}

/* A row of R_m at a centre gains the loss of l_m there, integrated against phi itself from cell
 * `first` of these cells on, in place of its moments, which ell holds. */
static void add_kink(const separable_plan *p, const separable_work *w, const separable_part *c,
                     const separable_near *near, size_t im, size_t ir)
{
    const inner_opts *o = p->o;
    const size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2 - near->first;
    const size_t ncol = w->ncol, row = o->nm * ncol, to = (im * o->nr + ir) * w->stride;
    double sum[NPOL * (SKELETON_RANK_MAX + 1)];
    cblas_dgemv(CblasRowMajor, CblasTrans, KINK_CELLS * KINK_NODES, (int)ncol, 1,
                near->phi + first * KINK_NODES * row + im * ncol, (int)row,
                p->lost + im * p->kink_stride + ir * KINK_CELLS * KINK_NODES, 1, 0, sum, 1);
    for (size_t i = 0; i < KINK_MOMENTS; i++) {
        const size_t from = (im * o->ns + at - 1 + i) * w->stride;
        const double patch = p->patch[(im * o->nr + ir) * KINK_MOMENTS + i];
        for (size_t k = 0; k < w->plain; k++) sum[k] -= patch * c->phi[from + k];
        for (size_t k = w->plain; k < ncol; k++) sum[k] -= patch * c->phi1[from + k - w->plain];
    }
    for (size_t k = 0; k < w->plain; k++) c->R[to + k] += sum[k];
    for (size_t k = w->plain; k < ncol; k++) c->R1[to + k - w->plain] += sum[k];
}

static void add_kinks_near_centres(const separable_plan *p, const separable_work *w,
                                   const separable_part *c, size_t im)
{
    for (size_t ir = 0; ir < p->o->nr; ir++) {
        size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2;
        for (size_t e = 0; at && e < c->nnear; e++) {
            const separable_near *near = &c->near[e];
            if (first >= near->first && first + KINK_CELLS <= near->first + NEAR_CELLS)
                add_kink(p, w, c, near, im, ir);
        }
    }
}

double separable_ell_reach(const separable_plan *p, size_t im)
{
    const int m = p->o->m[im];
    return m ? exp(p->angles.decay * ELL_REACH_MARGIN / m) : INFINITY;
}

/* The ranges of s and R in which neither factor of R_m is negligible for any of n Delta, and where
 * phi_m is known to be zero or was computed. */
static separable_range product_range(const separable_plan *p, const separable_work *w, size_t n,
                                     size_t im, const double *negligible)
{
    const inner_opts *o = p->o;
    separable_range all = {.s = o->ns};
    for (size_t i = 0; i < n; i++) {
        const double *phi = w->column[i].phi + im * o->ns * w->stride, least = negligible[i];
        separable_range q = w->column[i].range[im];
        while (q.s < q.s_end && largest_entry(phi + q.s * w->stride, w->plain) <= least) q.s++;
        while (q.s_end > q.s && largest_entry(phi + (q.s_end - 1) * w->stride, w->plain) <= least)
            q.s_end--;
        if (q.s >= q.s_end) continue;
        if (q.s < all.s) all.s = q.s;
        if (q.s_end > all.s_end) all.s_end = q.s_end;
    }
    if (all.s >= all.s_end) return (separable_range){0};
    const double reach = separable_ell_reach(p, im);
    all.r_end = o->nr;
    while (all.r < all.r_end && o->r[all.r] * reach < o->s[all.s]) all.r++;
    while (all.r_end > all.r && o->r[all.r_end - 1] > o->s[all.s_end - 1] * reach) all.r_end--;
    return all;
}

/* The columns e of R_m in the range q: E_m (nr1, n NPOL) = e_m (nr1, ns1) phi_{e,m} (ns1, n NPOL);
 * beyond they are zero. */
static void multiply_single(const separable_plan *p, const separable_work *w, size_t n, size_t im,
                            separable_range q)
{
    const size_t s_end = q.s_end < p->ns1 ? q.s_end : p->ns1;
    const size_t r_end = q.r_end < p->nr1 ? q.r_end : p->nr1;
    const int stride = (int)w->stride;
    if (s_end <= q.s || r_end <= q.r) return;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(r_end - q.r), (int)(n * NPOL),
                (int)(s_end - q.s), 1, p->ess + (im * p->nr1 + q.r) * p->ns1 + q.s, (int)p->ns1,
                w->column->phi1 + (im * p->o->ns + q.s) * w->stride, stride, 0,
                w->column->R1 + (im * p->o->nr + q.r) * w->stride, stride);
}

/* R_m (nr, n plain) = l_m (nr, s) phi_m (s, n plain) for n Delta in the range q, and the columns e;
 * returns the operations. */
static double multiply_block(const separable_plan *p, separable_work *w, size_t n, size_t im,
                             separable_range q)
{
    const inner_opts *o = p->o;
    const int columns = (int)(n * w->plain), stride = (int)w->stride;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(q.r_end - q.r), columns,
                (int)(q.s_end - q.s), 1, p->ell + (im * o->nr + q.r) * o->ns + q.s, (int)o->ns,
                w->phi + (im * o->ns + q.s) * w->stride, stride, 0,
                w->R + (im * o->nr + q.r) * w->stride, stride);
    if (o->single) multiply_single(p, w, n, im, q);
    return 2. * (double)(q.r_end - q.r) * (double)(q.s_end - q.s) * columns;
}

void separable_product(const separable_plan *p, separable_work *w, size_t n)
{
    const inner_opts *o = p->o;
    double negligible[SEPARABLE_GROUP];
    for (size_t i = 0; i < n; i++) { /* e is below u_k of B_k = 0 */
        double best = 0;
        for (size_t is = 0; is < o->ns; is++)
            best = fmax(best, largest_entry(w->column[i].phi + is * w->stride, w->plain));
        negligible[i] = best * PHI_NEGLIGIBLE;
    }
    for (size_t im = 0; im < o->nm; im++) {
        separable_range *last = &w->range[im], q = product_range(p, w, n, im, negligible);
        const double reach = separable_ell_reach(p, im);
        if (last->r_end > last->r)
            memset(w->R + (im * o->nr + last->r) * w->stride, 0,
                   (last->r_end - last->r) * w->stride * sizeof *w->R);
        *last = q;
        if (q.r >= q.r_end) continue;
        for (separable_range b = q; b.r < q.r_end; b.r += PRODUCT_ROWS) {
            separable_range part = b; /* l_m reaches only so far in s */
            part.r_end = b.r + PRODUCT_ROWS < q.r_end ? b.r + PRODUCT_ROWS : q.r_end;
            while (part.s + 1 < part.s_end && o->s[part.s] * reach < o->r[part.r]) part.s++;
            while (part.s_end > part.s + 1 && o->s[part.s_end - 1] > o->r[part.r_end - 1] * reach)
                part.s_end--;
            w->stage[STAGE_PRODUCT].operations += multiply_block(p, w, n, im, part);
        }
        for (size_t i = 0; i < n; i++)
            if (w->column[i].range[im].s < w->column[i].range[im].s_end)
                add_kinks_near_centres(p, w, &w->column[i], im);
    }
}
