/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spline.c: a dipole as a quintic spline f of ln Gamma in y = ln r: its coefficients, the search
 * for the cell of y by buckets of equal width, its values L = -exp f, and their differences.
 *
 * The spline is quintic because quadrature rules cross its knots: where derivative k + 1 jumps,
 * their error is of order k + 2 in their step. */
#include <math.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

/* Buckets in the smallest cell, and the largest number of buckets, which take 256 KiB. */
#define BUCKETS_PER_CELL 2.0
#define BUCKETS_MAX 65536.0

/* The first and second derivative at a knot, m and M. */
typedef struct {
    long double m, M;
} spline_jet;

/* The third and fourth derivative, at the near end, of the quintic Hermite polynomial between a
 * knot and its neighbour at the distance h (negative to the left), where f is larger by `rise`:
 * near times the jet of the knot + far times the jet of the neighbour + constant. */
typedef struct {
    long double near[2][2], far[2][2], constant[2];
} hermite_derivatives;

static hermite_derivatives hermite_rows(long double h, long double rise)
{
    const long double h2 = h * h, h3 = h2 * h;
    return (hermite_derivatives){.near = {{-36 / h2, -9 / h}, {192 / h3, 36 / h2}},
                                 .far = {{-24 / h2, 3 / h}, {168 / h3, -24 / h2}},
                                 .constant = {60 * rise / h3, -360 * rise / (h2 * h2)}};
}

/* The 2 x 2 block row of a knot after elimination: its jet = g - w times the jet of the next
 * knot. */
typedef struct {
    long double w[2][2], g[2];
} spline_block_row;

/* Solves p w = far and p g = rhs. */
static spline_block_row spline_solve_block(long double p[2][2], long double far[2][2],
                                           const long double rhs[2])
{
    const long double det = p[0][0] * p[1][1] - p[0][1] * p[1][0];
    spline_block_row e;
    for (int j = 0; j < 2; j++) {
        e.w[0][j] = (p[1][1] * far[0][j] - p[0][1] * far[1][j]) / det;
        e.w[1][j] = (p[0][0] * far[1][j] - p[1][0] * far[0][j]) / det;
    }
    e.g[0] = (p[1][1] * rhs[0] - p[0][1] * rhs[1]) / det;
    e.g[1] = (p[0][0] * rhs[1] - p[1][0] * rhs[0]) / det;
    return e;
}

/* The jets d[n] of all knots; e[n] is scratch. */
static void spline_solve_jets(size_t n, const long double *y, const long double *f, spline_jet *d,
                              spline_block_row *e)
{
    /* the first knot with its only cell: the second and third derivative vanish */
    hermite_derivatives s = hermite_rows(y[1] - y[0], f[1] - f[0]);
    long double near[2][2] = {{s.near[0][0], 0}, {0, 1}};
    long double far[2][2] = {{s.far[0][0], s.far[0][1]}, {0, 0}};
    e[0] = spline_solve_block(near, far, (long double[2]){-s.constant[0], 0});
    /* between the cells l and r the third and fourth derivatives agree */
    for (size_t k = 1; k + 1 < n; k++) {
        const hermite_derivatives l = hermite_rows(y[k - 1] - y[k], f[k - 1] - f[k]);
        hermite_derivatives r = hermite_rows(y[k + 1] - y[k], f[k + 1] - f[k]);
        const spline_block_row *b = &e[k - 1];
        long double p[2][2], rhs[2];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                p[i][j] = r.near[i][j] - l.near[i][j] + l.far[i][0] * b->w[0][j] +
                          l.far[i][1] * b->w[1][j];
            rhs[i] = l.constant[i] - r.constant[i] + l.far[i][0] * b->g[0] + l.far[i][1] * b->g[1];
        }
        e[k] = spline_solve_block(p, r.far, rhs);
    }
    /* the last knot, likewise */
    s = hermite_rows(y[n - 2] - y[n - 1], f[n - 2] - f[n - 1]);
    const spline_block_row *last = &e[n - 2];
    const long double *l = s.far[0];
    const long double p = s.near[0][0] - l[0] * last->w[0][0] - l[1] * last->w[1][0];
    d[n - 1] = (spline_jet){-(s.constant[0] + l[0] * last->g[0] + l[1] * last->g[1]) / p, 0};
    for (size_t i = n - 1; i-- > 0;) {
        const spline_jet next = d[i + 1];
        d[i].m = e[i].g[0] - e[i].w[0][0] * next.m - e[i].w[0][1] * next.M;
        d[i].M = e[i].g[1] - e[i].w[1][0] * next.m - e[i].w[1][1] * next.M;
    }
}

/* The quintic from its values and jets at both ends. */
static dipole_cell hermite_cell(const long double y[2], const long double f[2],
                                const spline_jet d[2])
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

/* The polynomial of c expanded about k + a by repeated Horner steps; k and f are not changed. */
static dipole_cell spline_recentred(const dipole_cell *c, double a)
{
    dipole_cell r = *c;
    for (int step = 0; step < 5; step++)
        for (int i = 3; i >= 0 && i + 1 >= step; i--) r.c[i] += a * r.c[i + 1];
    return r;
}

void dipole_spline_init(dipole_spline *s, size_t n, const long double *y, const long double *f)
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
                         .crowded = crowded};
    spline_jet *d;
    spline_block_row *e;
    const array_part part[] = {ARRAY_PART(s->cell, n + 1), ARRAY_PART(s->upper, n),
                               ARRAY_PART(s->knot, n + 1),
                               ARRAY_PART(s->bucket, (size_t)inner + 2)},
                     scratch[] = {ARRAY_PART(e, n), ARRAY_PART(d, n)};
    void *work = ARRAYS(scratch);
    s->arrays = ARRAYS(part);
    for (size_t i = 0; i < n; i++) s->knot[i] = (double)y[i];
    s->knot[n] = INFINITY;
    spline_solve_jets(n, y, f, d, e);
    for (size_t j = 1; j < n; j++) s->cell[j] = hermite_cell(y + j - 1, f + j - 1, d + j - 1);
    s->cell[0] = (dipole_cell){(double)y[0], (double)f[0], {(double)d[0].m}};
    s->cell[n] = (dipole_cell){(double)y[n - 1], (double)f[n - 1], {(double)d[n - 1].m}};
    for (size_t j = 0; j < n; j++) {
        s->upper[j] = spline_recentred(&s->cell[j], s->knot[j] - s->cell[j].k);
        s->upper[j].k = s->knot[j];
        s->upper[j].f = s->cell[j + 1].f;
    }
    /* bucket 0 holds all y left of the first knot, the last bucket all y right of the last knot */
    for (size_t b = 1, j = 0; b < (size_t)inner + 2; b++) {
        double left = s->y0 + (double)(b - 1) / s->buckets_per_y;
        while (s->knot[j] <= left) j++;
        s->bucket[b] = (uint32_t)j;
    }
    free(work);
}

/* ---- values ---- */

/* The bucket of y.  Loops around this vectorise; NaN gives bucket 0. */
static inline int32_t spline_bucket_of(const dipole_spline *s, double y)
{
    double u = (y - s->y0) * s->buckets_per_y + 1.0;
    u = u > 0.0 ? u : 0.0;
    return (int32_t)(u < s->bucket_max ? u : s->bucket_max);
}

/* The cell of y in its bucket.  Loops around this stay scalar, as gather instructions are slow. */
static inline size_t spline_cell_of(const dipole_spline *s, int32_t bucket, double y)
{
    size_t j = s->bucket[bucket];
    j += y >= s->knot[j];
    if (s->crowded)
        while (y >= s->knot[j]) j++;
    return j;
}

void dipole_spline_jet(const dipole_spline *s, double y, double *f, double *slope, double *bend)
{
    const dipole_cell *cell = &s->cell[spline_cell_of(s, spline_bucket_of(s, y), y)];
    const double *c = cell->c, v = y - cell->k;
    *f = cell->f + v * (c[0] + v * (c[1] + v * (c[2] + v * (c[3] + v * c[4]))));
    *slope = c[0] + v * (2 * c[1] + v * (3 * c[2] + v * (4 * c[3] + v * 5 * c[4])));
    *bend = 2 * c[1] + v * (6 * c[2] + v * (12 * c[3] + v * 20 * c[4]));
}

double dipole_spline_next(const dipole_spline *s, double y)
{
    return s->knot[spline_cell_of(s, spline_bucket_of(s, y), y)];
}

/* The change of f from the cell's point to the point at the distance v. */
static inline double spline_rise(const dipole_cell *p, double v)
{
    const double *c = p->c, v2 = v * v;
    double low = fmadd(v, c[1], c[0]), high = fmadd(v, c[3], c[2]);
    return v * fmadd(v2, fmadd(v2, c[4], high), low);
}

void dipole_spline_lnS(const dipole_spline *spline, size_t n, const double *r2, double *out)
{
    const dipole_spline s = *spline; /* a copy: the compiler keeps it in registers */
    double y[DIPOLE_BLOCK];
    int32_t b[DIPOLE_BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += DIPOLE_BLOCK) {
        const size_t m = n - i0 < DIPOLE_BLOCK ? n - i0 : DIPOLE_BLOCK;
        const double *p = r2 + i0;
        double *o = out + i0;
        for (size_t i = 0; i < m; i++) {
            y[i] = 0.5 * vlog(p[i]);
            b[i] = spline_bucket_of(&s, y[i]);
        }
        for (size_t i = 0; i < m; i++) {
            const dipole_cell *c = &s.cell[spline_cell_of(&s, b[i], y[i])];
            y[i] = c->f + spline_rise(c, y[i] - c->k);
        }
        for (size_t i = 0; i < m; i++) {
            double L = -vexp(y[i]);
            o[i] = p[i] == 0.0 ? 0.0 : L;
        }
    }
}

/* ---- differences ----
 *
 * L2 - L1 = L1 expm1(f(y2) - f(y1)) with y2 - y1 = ln(1 + x/R^2)/2 = dy.  With ref the point of
 * y2's cell that is nearest to y1, and its polynomial expanded about ref,
 *
 *   f(y2) - f(y1) = [f(ref) - f(y1)] + v (c_0 + c_1 v + ..),  v = dy + (y1 - ref).
 *
 * The bracket is 0 in the cell of y1, where ref = y1; in a neighbouring cell it is the polynomial
 * of that cell itself: nothing cancels, however close the points are. */

void dipole_spline_diff(const dipole_spline *spline, double R2, size_t n, const double *x,
                        double *out)
{
    const dipole_spline s = *spline; /* a copy: the compiler keeps it in registers */
    const double inv = 1.0 / R2, y1 = 0.5 * vlog(R2);
    const size_t j1 = spline_cell_of(&s, spline_bucket_of(&s, y1), y1);
    const double f1 = s.cell[j1].f + spline_rise(&s.cell[j1], y1 - s.cell[j1].k), L1 = -vexp(f1);
    const dipole_cell home = spline_recentred(&s.cell[j1], y1 - s.cell[j1].k);
    double f[DIPOLE_BLOCK];
    int32_t b[DIPOLE_BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += DIPOLE_BLOCK) {
        const size_t m = n - i0 < DIPOLE_BLOCK ? n - i0 : DIPOLE_BLOCK;
        const double *t = x + i0;
        double *o = out + i0;
        for (size_t i = 0; i < m; i++) {
            f[i] = 0.5 * vlog1p(dipole_relative(t[i], inv));
            b[i] = spline_bucket_of(&s, y1 + f[i]);
        }
        for (size_t i = 0; i < m; i++) {
            const size_t j = spline_cell_of(&s, b[i], y1 + f[i]);
            const dipole_cell *c = j == j1 ? &home : j > j1 ? &s.cell[j] : &s.upper[j];
            const double ref = j == j1 ? 0 : c->k - y1;
            const double bracket = j + 1 < j1 || j > j1 + 1 ? c->f - f1 : spline_rise(&home, ref);
            f[i] = bracket + spline_rise(c, f[i] - ref);
        }
        for (size_t i = 0; i < m; i++) {
            double e = L1 * vexpm1(f[i]);
            o[i] = R2 + t[i] <= 0.0 ? -L1 : e;
        }
    }
}
