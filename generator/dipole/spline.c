/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_spline.c: quintic spline on any rising knots, with its index of buckets.
 *
 * Quintic, because the builders' rules meet every knot, and a jump there of the derivative k + 1
 * costs them an error of order k + 2 in their step. */
#include <math.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"

/* Buckets per smallest cell, and their largest number: 256 KiB of index. */
#define BUCKETS_PER_CELL 2.0
#define BUCKETS_MAX 65536.0

/* Slope and second derivative at a knot. */
typedef struct {
    long double m, M;
} jet;

/* Third and fourth derivative, at the near end, of the quintic Hermite cell that runs from a knot
 * over the width h (negative to the left) and rises by rise:
 * near times the jet of that knot + far times the jet of the other end + constant. */
typedef struct {
    long double near[2][2], far[2][2], constant[2];
} cell_rows;

static cell_rows rows_of(long double h, long double rise)
{
    const long double h2 = h * h, h3 = h2 * h;
    return (cell_rows){.near = {{-36 / h2, -9 / h}, {192 / h3, 36 / h2}},
                       .far = {{-24 / h2, 3 / h}, {168 / h3, -24 / h2}},
                       .constant = {60 * rise / h3, -360 * rise / (h2 * h2)}};
}

/* Block row of a knot after elimination: its jet = g - w times the jet of the next knot. */
typedef struct {
    long double w[2][2], g[2];
} eliminated;

/* Solves p [w | g] = [far | rhs]. */
static eliminated solve_block(long double p[2][2], long double far[2][2], const long double rhs[2])
{
    const long double det = p[0][0] * p[1][1] - p[0][1] * p[1][0];
    eliminated e;
    for (int j = 0; j < 2; j++) {
        e.w[0][j] = (p[1][1] * far[0][j] - p[0][1] * far[1][j]) / det;
        e.w[1][j] = (p[0][0] * far[1][j] - p[1][0] * far[0][j]) / det;
    }
    e.g[0] = (p[1][1] * rhs[0] - p[0][1] * rhs[1]) / det;
    e.g[1] = (p[0][0] * rhs[1] - p[1][0] * rhs[0]) / det;
    return e;
}

/* First knot, whose only cell is s: second and third derivative vanish. */
static eliminated first_block(cell_rows s)
{
    long double p[2][2] = {{s.near[0][0], 0}, {0, 1}};
    long double far[2][2] = {{s.far[0][0], s.far[0][1]}, {0, 0}};
    return solve_block(p, far, (long double[2]){-s.constant[0], 0});
}

/* A knot between cells l and r, whose third and fourth derivatives agree. */
static eliminated inner_block(cell_rows l, cell_rows r, const eliminated *before)
{
    long double p[2][2], rhs[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            p[i][j] = r.near[i][j] - l.near[i][j] + l.far[i][0] * before->w[0][j] +
                      l.far[i][1] * before->w[1][j];
        rhs[i] =
            l.constant[i] - r.constant[i] + l.far[i][0] * before->g[0] + l.far[i][1] * before->g[1];
    }
    return solve_block(p, r.far, rhs);
}

/* Last knot, whose only cell is s: second and third derivative vanish. */
static jet last_jet(cell_rows s, const eliminated *before)
{
    const long double *far = s.far[0];
    long double p = s.near[0][0] - far[0] * before->w[0][0] - far[1] * before->w[1][0];
    return (jet){-(s.constant[0] + far[0] * before->g[0] + far[1] * before->g[1]) / p, 0};
}

/* e: scratch of length n. */
static void solve_jets(size_t n, const long double *y, const long double *f, jet *d, eliminated *e)
{
    e[0] = first_block(rows_of(y[1] - y[0], f[1] - f[0]));
    for (size_t i = 1; i + 1 < n; i++)
        e[i] = inner_block(rows_of(y[i - 1] - y[i], f[i - 1] - f[i]),
                           rows_of(y[i + 1] - y[i], f[i + 1] - f[i]), &e[i - 1]);
    d[n - 1] = last_jet(rows_of(y[n - 2] - y[n - 1], f[n - 2] - f[n - 1]), &e[n - 2]);
    for (size_t i = n - 1; i-- > 0;) {
        const jet next = d[i + 1];
        d[i].m = e[i].g[0] - e[i].w[0][0] * next.m - e[i].w[0][1] * next.M;
        d[i].M = e[i].g[1] - e[i].w[1][0] * next.m - e[i].w[1][1] * next.M;
    }
}

/* The quintic over [y, y + h] from its values and jets at both ends. */
static dipole_cell hermite_cell(const long double y[2], const long double f[2], const jet d[2])
{
    const long double h = y[1] - y[0], h2 = h * h, h3 = h2 * h;
    const long double D = f[1] - f[0] - h * d[0].m - h2 * d[0].M / 2;
    const long double E = h * (d[1].m - d[0].m) - h2 * d[0].M, F = h2 * (d[1].M - d[0].M);
    return (dipole_cell){.k = (double)y[0],
                         .f = (double)f[0],
                         .c = {(double)d[0].m, (double)(d[0].M / 2),
                               (double)((10 * D - 4 * E + F / 2) / h3),
                               (double)((-15 * D + 7 * E - F) / (h3 * h)),
                               (double)((6 * D - 3 * E + F / 2) / (h3 * h2))}};
}

static void fill_cells(dipole_spline *s, const long double *y, const long double *f, const jet *d)
{
    const size_t n = s->n, l = n - 1;
    for (size_t j = 1; j < n; j++) s->cell[j] = hermite_cell(y + j - 1, f + j - 1, d + j - 1);
    s->cell[0] = (dipole_cell){(double)y[0], (double)f[0], {(double)d[0].m}};
    s->cell[n] = (dipole_cell){(double)y[l], (double)f[l], {(double)d[l].m}};
}

/* Bucket 0 is everything left of the first knot, the last one everything right of the last. */
static void fill_buckets(dipole_spline *s)
{
    const size_t nb = (size_t)s->bucket_max + 1;
    size_t j = 0;
    s->bucket[0] = 0;
    for (size_t b = 1; b < nb; b++) {
        double left = s->y0 + (double)(b - 1) / s->buckets_per_y;
        while (s->knot[j] <= left) j++;
        s->bucket[b] = (uint32_t)j;
    }
}

cgct_status dipole_spline_init(dipole_spline *s, size_t n, const long double *y,
                               const long double *f, cgct_err *err)
{
    double hmin = INFINITY;
    for (size_t i = 1; i < n; i++) hmin = fmin(hmin, (double)(y[i] - y[i - 1]));
    double width = (double)(y[n - 1] - y[0]), inner = ceil(BUCKETS_PER_CELL * width / hmin);
    int crowded = !(inner < BUCKETS_MAX);
    if (crowded) inner = BUCKETS_MAX;
    *s = (dipole_spline){.n = n,
                         .y0 = (double)y[0],
                         .buckets_per_y = inner / width,
                         .bucket_max = inner + 1,
                         .crowded = crowded,
                         .cell = calloc(n + 1, sizeof *s->cell),
                         .knot = malloc((n + 1) * sizeof *s->knot),
                         .bucket = malloc(((size_t)inner + 2) * sizeof *s->bucket)};
    jet *d = malloc(n * sizeof *d);
    eliminated *e = malloc(n * sizeof *e);
    cgct_status st = CGCT_OK;
    if (!s->cell || !s->knot || !s->bucket || !d || !e) {
        dipole_spline_free(s);
        st = cgct_fail(err, CGCT_E_NOMEM, "dipole spline: out of memory for %zu knots", n);
    } else {
        for (size_t i = 0; i < n; i++) s->knot[i] = (double)y[i];
        s->knot[n] = INFINITY;
        solve_jets(n, y, f, d, e);
        fill_cells(s, y, f, d);
        fill_buckets(s);
    }
    free(d);
    free(e);
    return st;
}

void dipole_spline_free(dipole_spline *s)
{
    free(s->cell);
    free(s->knot);
    free(s->bucket);
    *s = (dipole_spline){0};
}
