/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_rows.c: the right-hand side of the BK equation without shifts of Y.  The sum over the angles
 * of one radius is a row of weights of S at the edges of cells, which needs no exponentials. */
#include <math.h>

#include "dipole/bk_impl.h"
#include "numerics/vmath.h"

/* Where Gamma(r) is smaller the sum is one of N, in which no digits cancel at small r; else of S,
 * in which none are lost at large r. */
#define GAMMA_SUM_N 1.0
/* Terms of a row that are less than this share of its other end are left out. */
#define NEGLIGIBLE_S 1e-15

/* Of r at one Y. */
typedef struct {
    double Gamma, N;
    int small;
} sum_node;

static double sum_lanes(const double v[BK_LANES])
{
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* sum += factor row . v over n edges. */
static inline void add_edges(double sum[BK_LANES], double factor, const double *row,
                             const double *v, size_t n)
{
    double part[BK_LANES] = {0};
    for (size_t i = 0; i < n; i += BK_LANES) {
#pragma omp simd
        for (int l = 0; l < BK_LANES; l++)
            part[l] = fmadd(row[i + (size_t)l], v[i + (size_t)l], part[l]);
    }
#pragma omp simd
    for (int l = 0; l < BK_LANES; l++) sum[l] = fmadd(factor, part[l], sum[l]);
}

/* Where Gamma(r) is small: N(r) - N(x) - N(y) + N(x) N(y) over the rows of BK_RADIAL radii. */
static double sum_rows_N(const bk_points *p, size_t first, const bk_values *v, const sum_node *r,
                         const double N[BK_RADIAL])
{
    double sum[BK_LANES] = {0}, weights = 0;
    for (size_t i = 0; i < BK_RADIAL; i++) {
        const bk_radius *x = &p->radius[first + i];
        weights += (r->N - N[i]) * x->weight;
        add_edges(sum, N[i] - 1, p->row + x->first, v->N + x->edge, x->n);
    }
    return (weights + sum_lanes(sum)) / (1 - r->N);
}

/* Elsewhere: S(x) S(y)/S(r) - 1 with ratio = S(x)/S(r); the end of a row where that is negligible
 * is left out. */
static double sum_rows_S(const bk_points *p, size_t first, const bk_values *v,
                         const double ratio[BK_RADIAL])
{
    double sum[BK_LANES] = {0}, weights = 0;
    for (size_t i = 0; i < BK_RADIAL; i++) {
        const bk_radius *x = &p->radius[first + i];
        const double *S = v->S + x->edge;
        size_t n = 0;
        while (n < x->n && ratio[i] * S[n] > NEGLIGIBLE_S) n += BK_LANES;
        weights += x->weight;
        add_edges(sum, ratio[i], p->row + x->first, S, n);
    }
    return sum_lanes(sum) - weights;
}

static double sum_radii_rows(const bk_points *p, size_t first, const bk_values *v,
                             const sum_node *r)
{
    double Gamma[BK_RADIAL], s[BK_RADIAL];
    for (size_t i = 0; i < BK_RADIAL; i++) Gamma[i] = bk_table_at(v->table, p->radius[first + i].x);
    if (r->small) {
#pragma omp simd
        for (int i = 0; i < BK_RADIAL; i++) s[i] = -vexpm1(-Gamma[i]);
        return sum_rows_N(p, first, v, r, s);
    }
#pragma omp simd
    for (int i = 0; i < BK_RADIAL; i++) {
        const double e = r->Gamma - Gamma[i];
        s[i] = vexp(e < 700 ? e : 700);
    }
    return sum_rows_S(p, first, v, s);
}

double bk_points_sum(const bk_points *p, const bk_values *v)
{
    if (!p->nrow) return bk_points_sum_points(p, v->table);
    const double Gamma = bk_table_at(v->table, p->r);
    const sum_node r = {Gamma, -expm1(-Gamma), Gamma < GAMMA_SUM_N};
    double sum = 0;
    for (size_t i = 0; i < p->nradius; i += BK_RADIAL) sum += sum_radii_rows(p, i, v, &r);
    return sum;
}

/* The lists of large r are the longest. */
void bk_kernel_apply(const bk_kernel *k, const bk_values *v, double *out)
{
    const size_t n = k->grid->n;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < n; j++) out[n - 1 - j] = bk_points_sum(&k->of[n - 1 - j], v);
}
