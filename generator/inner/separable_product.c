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

/* The largest |phi_0| of one Delta. */
static double largest_phi(const separable_part *c, const separable_work *w, size_t ns)
{
    double best = 0;
    for (size_t is = 0; is < ns; is++)
        best = fmax(best, largest_entry(c->phi + is * w->stride, w->ncol));
    return best;
}

/* The range of s where phi_m of one Delta exceeds `negligible`. */
static separable_range phi_range(const separable_work *w, const separable_part *c, size_t im,
                                 size_t ns, double negligible)
{
    const double *phi = c->phi + im * ns * w->stride;
    separable_range q = c->range[im];
    while (q.s < q.s_end && largest_entry(phi + q.s * w->stride, w->ncol) <= negligible) q.s++;
    while (q.s_end > q.s && largest_entry(phi + (q.s_end - 1) * w->stride, w->ncol) <= negligible)
        q.s_end--;
    return q;
}

/* Rows of R_m next to a centre: what interpolation loses of l_m is integrated against phi itself,
 * in place of its moments, which ell holds. */
static void add_kinks_near_centres(const separable_plan *p, const separable_work *w,
                                   const separable_part *c, size_t im)
{
    const inner_opts *o = p->o;
    size_t ncol = w->ncol, row = o->nm * ncol;
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2;
        if (!at) continue;
        for (size_t e = 0; e < c->nnear; e++) {
            const separable_near *near = &c->near[e];
            if (first < near->first || first + KINK_CELLS > near->first + NEAR_CELLS) continue;
            double *R = c->R + (im * o->nr + ir) * w->stride;
            cblas_dgemv(CblasRowMajor, CblasTrans, KINK_CELLS * KINK_NODES, (int)ncol, 1,
                        near->phi + (first - near->first) * KINK_NODES * row + im * ncol, (int)row,
                        p->lost + im * p->kink_stride + ir * KINK_CELLS * KINK_NODES, 1, 1, R, 1);
            cblas_dgemv(CblasRowMajor, CblasTrans, KINK_MOMENTS, (int)ncol, -1,
                        c->phi + (im * o->ns + at - 1) * w->stride, (int)w->stride,
                        p->patch + (im * o->nr + ir) * KINK_MOMENTS, 1, 1, R, 1);
        }
    }
}

/* l_m falls like (s/R)^m or (R/s)^m: it is negligible where the larger exceeds this times the
 * smaller. */
static double ell_reach(const separable_plan *p, size_t im)
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
        separable_range q = phi_range(w, &w->column[i], im, o->ns, negligible[i]);
        if (q.s >= q.s_end) continue;
        if (q.s < all.s) all.s = q.s;
        if (q.s_end > all.s_end) all.s_end = q.s_end;
    }
    if (all.s >= all.s_end) return (separable_range){0};
    const double reach = ell_reach(p, im);
    all.r_end = o->nr;
    while (all.r < all.r_end && o->r[all.r] * reach < o->s[all.s]) all.r++;
    while (all.r_end > all.r && o->r[all.r_end - 1] > o->s[all.s_end - 1] * reach) all.r_end--;
    return all;
}

/* The part of q with R from q.r to r_end - 1: l_m reaches only so far in s. */
static separable_range block_range(const separable_plan *p, size_t im, separable_range q,
                                   size_t r_end)
{
    const double reach = ell_reach(p, im), *s = p->o->s;
    q.r_end = r_end;
    while (q.s + 1 < q.s_end && s[q.s] * reach < p->o->r[q.r]) q.s++;
    while (q.s_end > q.s + 1 && s[q.s_end - 1] > p->o->r[q.r_end - 1] * reach) q.s_end--;
    return q;
}

/* The columns e of phi_m of n Delta side by side: w->e (ns1, n NPOL) from s on. */
static void gather_single(const separable_plan *p, separable_work *w, size_t n, size_t im,
                          const separable_range *q)
{
    const size_t many = n * NPOL, end = q->s_end < p->ns1 ? q->s_end : p->ns1;
    for (size_t is = q->s; is < end; is++)
        for (size_t c = 0; c < many; c++)
            w->e[is * many + c] = w->phi[(im * p->o->ns + is) * w->stride + (c + 1) * p->nu - 1];
}

/* The columns e of R_m in the range q: E_m (nr1, n NPOL) = e_m (nr1, ns1) phi_{e,m} (ns1, n NPOL),
 * zero beyond. */
static void multiply_single(const separable_plan *p, separable_work *w, size_t n, size_t im,
                            separable_range q)
{
    const size_t many = n * NPOL, s_end = q.s_end < p->ns1 ? q.s_end : p->ns1;
    const size_t r_end = q.r_end < p->nr1 ? q.r_end : p->nr1;
    const int some = s_end > q.s && r_end > q.r;
    if (some)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(r_end - q.r), (int)many,
                    (int)(s_end - q.s), 1, p->ess + (im * p->nr1 + q.r) * p->ns1 + q.s, (int)p->ns1,
                    w->e + q.s * many, (int)many, 0, w->E, (int)many);
    for (size_t ir = q.r; ir < q.r_end; ir++)
        for (size_t c = 0; c < many; c++)
            w->R[(im * p->o->nr + ir) * w->stride + (c + 1) * p->nu - 1] =
                some && ir < r_end ? w->E[(ir - q.r) * many + c] : 0;
}

/* R_m (nr, n ncol) = l_m (nr, s) phi_m (s, n ncol) for n Delta in the range q; returns the
 * operations. */
static double multiply_block(const separable_plan *p, separable_work *w, size_t n, size_t im,
                             separable_range q)
{
    const inner_opts *o = p->o;
    const int columns = (int)(n * w->ncol), stride = (int)w->stride;
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
    for (size_t i = 0; i < n; i++)
        negligible[i] = largest_phi(&w->column[i], w, o->ns) * PHI_NEGLIGIBLE;
    for (size_t im = 0; im < o->nm; im++) {
        separable_range *last = &w->range[im], q = product_range(p, w, n, im, negligible);
        if (last->r_end > last->r)
            memset(w->R + (im * o->nr + last->r) * w->stride, 0,
                   (last->r_end - last->r) * w->stride * sizeof *w->R);
        *last = q;
        if (q.r >= q.r_end) continue;
        if (o->single) gather_single(p, w, n, im, &q);
        for (separable_range b = q; b.r < q.r_end; b.r += PRODUCT_ROWS) {
            const size_t end = b.r + PRODUCT_ROWS < q.r_end ? b.r + PRODUCT_ROWS : q.r_end;
            w->stage[STAGE_PRODUCT].operations +=
                multiply_block(p, w, n, im, block_range(p, im, b, end));
        }
        for (size_t i = 0; i < n; i++)
            if (w->column[i].range[im].s < w->column[i].range[im].s_end)
                add_kinks_near_centres(p, w, &w->column[i], im);
    }
}
