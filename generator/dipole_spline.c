/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_spline.c: natural cubic spline on any rising knots, with its index of buckets. */
#include <math.h>
#include <stdlib.h>

#include "dipole_impl.h"

/* Buckets per smallest cell, and their largest number: 256 KiB of index. */
#define BUCKETS_PER_CELL 2.0
#define BUCKETS_MAX 65536.0

/* Second derivatives M of the natural spline (M_0 = M_{n-1} = 0), tridiagonal elimination; w is
 * scratch of length n. */
static void second_derivatives(size_t n, const long double *y, const long double *f, long double *M,
                               long double *w)
{
    M[0] = w[0] = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        long double h0 = y[i] - y[i - 1], h1 = y[i + 1] - y[i];
        long double rhs = 6 * ((f[i + 1] - f[i]) / h1 - (f[i] - f[i - 1]) / h0);
        long double pivot = 2 * (h0 + h1) - h0 * w[i - 1];
        w[i] = h1 / pivot;
        M[i] = (rhs - h0 * M[i - 1]) / pivot;
    }
    M[n - 1] = 0;
    for (size_t i = n - 1; i-- > 1;) M[i] -= w[i] * M[i + 1];
}

static void fill_cells(dipole_spline *s, const long double *y, const long double *f,
                       const long double *M)
{
    const size_t n = s->n;
    for (size_t j = 1; j < n; j++) {
        long double h = y[j] - y[j - 1], slope = (f[j] - f[j - 1]) / h;
        s->cell[j] = (dipole_cell){.k = (double)y[j - 1],
                                   .f = (double)f[j - 1],
                                   .b = (double)(slope - h * (2 * M[j - 1] + M[j]) / 6),
                                   .c = (double)(M[j - 1] / 2),
                                   .d = (double)((M[j] - M[j - 1]) / (6 * h))};
    }
    long double h = y[n - 1] - y[n - 2], last = (f[n - 1] - f[n - 2]) / h + h * M[n - 2] / 6;
    s->cell[0] = (dipole_cell){.k = (double)y[0], .f = (double)f[0], .b = s->cell[1].b};
    s->cell[n] = (dipole_cell){.k = (double)y[n - 1], .f = (double)f[n - 1], .b = (double)last};
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
    long double *M = malloc(2 * n * sizeof *M);
    cgct_status st = CGCT_OK;
    if (!s->cell || !s->knot || !s->bucket || !M) {
        dipole_spline_free(s);
        st = cgct_fail(err, CGCT_E_NOMEM, "dipole spline: out of memory for %zu knots", n);
    } else {
        for (size_t i = 0; i < n; i++) s->knot[i] = (double)y[i];
        s->knot[n] = INFINITY;
        second_derivatives(n, y, f, M, M + n);
        fill_cells(s, y, f, M);
        fill_buckets(s);
    }
    free(M);
    return st;
}

void dipole_spline_free(dipole_spline *s)
{
    free(s->cell);
    free(s->knot);
    free(s->bucket);
    *s = (dipole_spline){0};
}
