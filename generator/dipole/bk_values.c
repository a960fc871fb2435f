/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_values.c: Gamma at one Y in the forms that the right-hand side of the BK equation reads. */
#include <math.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

void bk_values_init(bk_values *v, const bk_grid *g)
{
    const size_t edges = g->ncell + 1 + BK_LANES; /* room for the last lanes of a row */
    v->table = memory_zeros(g->ncell * BK_ROW + 2 * edges, sizeof *v->table);
    v->N = v->table + g->ncell * BK_ROW;
    v->S = v->N + edges;
}

void bk_values_free(bk_values *v)
{
    free(v->table);
    *v = (bk_values){0};
}

void bk_values_set(bk_values *v, const bk_grid *g, const double *lnGamma)
{
    enum { N = BK_DEGREE + 1 };
    double place[N], m[N * N], to_row[N][BK_ROW] = {{0}};
    for (int i = 0; i < N; i++) place[i] = bk_grid_sample(i);
    bk_monomials(N, place, m);
    for (int i = 0; i < N; i++)
        for (int d = 0; d < N; d++) to_row[i][d] = m[d * N + i];
    for (size_t c = 0; c < g->ncell; c++) {
        double sample[BK_ROW], s[BK_ROW] = {0}, row[BK_ROW] = {0};
        const double *weight = g->weight + c * BK_STENCIL * BK_ROW, *f = lnGamma + g->first[c];
        for (int k = 0; k < BK_STENCIL; k++) {
#pragma omp simd
            for (int i = 0; i < BK_ROW; i++) s[i] = fmadd(weight[k * BK_ROW + i], f[k], s[i]);
        }
#pragma omp simd
        for (int i = 0; i < BK_ROW; i++) sample[i] = vexp(s[i]);
        for (int i = 0; i < N; i++) {
#pragma omp simd
            for (int d = 0; d < BK_ROW; d++) row[d] = fmadd(to_row[i][d], sample[i], row[d]);
        }
#pragma omp simd
        for (int d = 0; d < BK_ROW; d++) v->table[c * BK_ROW + (size_t)d] = row[d];
        v->S[c] = sample[0];
        v->S[c + 1] = sample[N - 1];
    }
#pragma omp simd
    for (size_t c = 0; c <= g->ncell; c++) {
        v->N[c] = -vexpm1(-v->S[c]);
        v->S[c] = vexp(-v->S[c]);
    }
}

double bk_table_at(const double *table, double where)
{
    const size_t c = (size_t)where;
    const double u = where - (double)c, *row = table + c * BK_ROW;
    double v = row[BK_DEGREE];
    for (int j = BK_DEGREE - 1; j >= 0; j--) v = v * u + row[j];
    return v;
}

/* Built from the Lagrange polynomials. */
void bk_monomials(int n, const double *place, double *m)
{
    for (int i = 0; i < n; i++) {
        double c[BK_STAGES + 1] = {1}, scale = 1;
        int degree = 0;
        for (int k = 0; k < n; k++) {
            if (k == i) continue;
            degree++;
            for (int j = degree; j > 0; j--) c[j] = c[j - 1] - place[k] * c[j];
            c[0] *= -place[k];
            scale *= place[i] - place[k];
        }
        for (int j = 0; j < n; j++) m[j * n + i] = c[j] / scale;
    }
}

double bk_grid_sample(int i)
{
    return 0.5 * (1 - cos(M_PI * i / BK_DEGREE));
}
