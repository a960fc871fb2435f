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

/* Where Gamma(r) is small, N(r) - N(x) - N(y) + N(x) N(y) over S(r); elsewhere
 * S(x) S(y)/S(r) - 1, where the end of a row in which the product is negligible is left out. */
double bk_points_sum(const bk_points *p, const bk_values *v)
{
    if (!p->nrow) return bk_points_sum_points(p, v->table);
    const double Gamma = bk_table_at(v->table, p->r), N = -expm1(-Gamma);
    const int small = Gamma < GAMMA_SUM_N;
    double total = 0;
    for (const bk_radius *x = p->radius; x < p->radius + p->nradius; x += BK_RADIAL) {
        double s[BK_RADIAL], sum[BK_LANES] = {0}, weights = 0; /* s: N(x), or S(x)/S(r) */
        for (int i = 0; i < BK_RADIAL; i++) s[i] = bk_table_at(v->table, x[i].x);
        if (small) {
#pragma omp simd
            for (int i = 0; i < BK_RADIAL; i++) s[i] = -vexpm1(-s[i]);
        } else {
#pragma omp simd
            for (int i = 0; i < BK_RADIAL; i++) {
                const double e = Gamma - s[i];
                s[i] = vexp(e < 700 ? e : 700);
            }
        }
        for (int i = 0; i < BK_RADIAL; i++) {
            const double *row = p->row + x[i].first, *S = v->S + x[i].edge;
            if (small) {
                weights += (N - s[i]) * x[i].weight;
                add_edges(sum, s[i] - 1, row, v->N + x[i].edge, x[i].n);
            } else {
                size_t n = 0;
                while (n < x[i].n && s[i] * S[n] > NEGLIGIBLE_S) n += BK_LANES;
                weights += x[i].weight;
                add_edges(sum, s[i], row, S, n);
            }
        }
        total += small ? (weights + sum_lanes(sum)) / (1 - N) : sum_lanes(sum) - weights;
    }
    return total;
}

/* The lists of large r are the longest. */
void bk_kernel_apply(const bk_kernel *k, const bk_values *v, double *out)
{
    const size_t n = k->grid->n;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < n; j++) out[n - 1 - j] = bk_points_sum(&k->of[n - 1 - j], v);
}
