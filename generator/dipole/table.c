/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_table.c: L = -exp f(ln r), f the quintic spline of ln Gamma that dipole_blocks.c makes.
 *
 * Difference: L2 - L1 = L1 expm1(f(y2) - f(y1)), dy = y2 - y1 = ln(1 + x/R^2)/2.  Each cell's
 * polynomial is written about its point nearest to y1 (y1 itself in the cell of y1, else the knot
 * towards y1), so f(y2) - f(y1) = [f(ref) - f(y1)] + v (c_0 + c_1 v + ..), v = dy + (y1 - ref),
 * and f(ref) - f(y1) of a neighbouring cell is again such a polynomial: nothing cancels, however
 * close the points are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"
#include "numerics/vmath.h"

#define TABLE_T_MIN (-1.0 + 0x1p-53)
#define POWER_MIN 0.3
#define POWER_MAX 8.0
/* The spline must rise where Gamma exceeds SMALL, and be no steeper than this anywhere. */
#define SMALL -6.9 /* ln 1e-3 */
#define STEEPEST 20.0
#define SAMPLES 8

/* Nodes that crowd, or whose slopes jump, make a spline swing between them. */
static cgct_status check_rise(const dipole *d, const char *name, double Y, cgct_err *err)
{
    for (size_t j = 1; j < d->spline.n; j++)
        for (int i = 0; i < SAMPLES; i++) {
            const dipole_cell *p = &d->spline.cell[j];
            const double *c = p->c, v = (d->spline.knot[j] - p->k) * i / SAMPLES;
            double f = p->f + v * (c[0] + v * (c[1] + v * (c[2] + v * (c[3] + v * c[4]))));
            double slope = c[0] + v * (2 * c[1] + v * (3 * c[2] + v * (4 * c[3] + v * 5 * c[4])));
            if (!(fabs(slope) <= STEEPEST) || (f > SMALL && !(slope > 0)))
                return cgct_fail(err, CGCT_E_FORMAT,
                                 "%s: between its nodes -ln S goes as r^%.3g at r = %.6g "
                                 "(Y = %.6g), where it must rise, as r^%g at most; even out the "
                                 "nodes there",
                                 name, slope, exp(p->k + v), Y, STEEPEST);
        }
    return CGCT_OK;
}

cgct_status dipole_table_init(dipole *d, const dipole_source *src, double x, cgct_err *err)
{
    const dipole_grid *g = &src->grid;
    const double Y = g->has_x ? log(g->x0 / x) : g->Y[0];
    CGCT_TRY(dipole_blocks_at(d, src, Y, err));
    d->power = d->spline.cell[d->spline.n].c[0];
    double small = d->spline.cell[0].c[0];
    if (!(fmin(d->power, small) >= POWER_MIN && fmax(d->power, small) <= POWER_MAX))
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: -ln S goes as r^%.3g at small and r^%.3g at large r (Y = %.6g); both "
                         "powers must lie in %g to %g",
                         src->name, small, d->power, Y, POWER_MIN, POWER_MAX);
    return check_rise(d, src->name, Y, err);
}

/* Bucket of y; vectorises, and NaN goes to bucket 0. */
static inline int32_t bucket_of(const dipole_spline *s, double y)
{
    double u = (y - s->y0) * s->buckets_per_y + 1.0;
    u = u > 0.0 ? u : 0.0;
    return (int32_t)(u < s->bucket_max ? u : s->bucket_max);
}

/* Cell of y.  The loops around this stay scalar: gathers are slower on many machines. */
static inline size_t cell_of(const dipole_spline *s, int32_t bucket, double y)
{
    size_t j = s->bucket[bucket];
    j += y >= s->knot[j];
    if (s->crowded)
        while (y >= s->knot[j]) j++;
    return j;
}

/* Rise from the cell's point to the one v further. */
static inline double rise(const dipole_cell *p, double v)
{
    const double *c = p->c, v2 = v * v;
    double low = fmadd(v, c[1], c[0]), high = fmadd(v, c[3], c[2]);
    return v * fmadd(v2, fmadd(v2, c[4], high), low);
}

void dipole_table_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    const dipole_spline s = d->spline;
    double y[DIPOLE_BLOCK];
    int32_t b[DIPOLE_BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += DIPOLE_BLOCK) {
        const size_t m = n - i0 < DIPOLE_BLOCK ? n - i0 : DIPOLE_BLOCK;
        const double *p = r2 + i0;
        double *o = out + i0;
        for (size_t i = 0; i < m; i++) {
            y[i] = 0.5 * vlog(p[i]);
            b[i] = bucket_of(&s, y[i]);
        }
        for (size_t i = 0; i < m; i++) {
            const dipole_cell *c = &s.cell[cell_of(&s, b[i], y[i])];
            y[i] = c->f + rise(c, y[i] - c->k);
        }
        for (size_t i = 0; i < m; i++) {
            double L = -vexp(y[i]);
            o[i] = p[i] == 0.0 ? 0.0 : L;
        }
    }
}

/* The cells as seen from R: made when first met, and kept in slots by their number modulo CACHE. */
#define CACHE 512
typedef struct {
    const dipole_spline *s;
    size_t j1; /* cell of y1 = ln R */
    double y1, f1;
    dipole_cell near[CACHE]; /* k = ref - y1, f = f(ref) - f1, c about ref */
    uint32_t tag[CACHE];     /* cell + 1 that stands in the slot, 0 for none */
} table_view;

/* The polynomial of c about its point k + a, by repeated Horner steps: f is left alone. */
static dipole_cell recentred(const dipole_cell *c, double a)
{
    dipole_cell r = *c;
    for (int step = 0; step < 5; step++)
        for (int i = 3; i >= 0 && i + 1 >= step; i--) r.c[i] += a * r.c[i + 1];
    return r;
}

static void view_init(table_view *v, const dipole_spline *s, double R2)
{
    v->s = s;
    v->y1 = 0.5 * vlog(R2);
    v->j1 = cell_of(s, bucket_of(s, v->y1), v->y1);
    const dipole_cell *c = &s->cell[v->j1];
    v->f1 = c->f + rise(c, v->y1 - c->k);
    memset(v->tag, 0, sizeof v->tag);
}

static void view_make(table_view *v, size_t j)
{
    const dipole_cell *cell = v->s->cell, *c = &cell[j], *home = &cell[v->j1];
    dipole_cell r, mine = recentred(home, v->y1 - home->k); /* about y1 */
    if (j == v->j1) {
        r = mine;
        r.k = r.f = 0;
    } else {
        double ref = j > v->j1 ? c->k : v->s->knot[j];
        r = recentred(c, ref - c->k);
        r.k = ref - v->y1;
        r.f = (j > v->j1 ? c->f : cell[j + 1].f) - v->f1;
        if (j == v->j1 + 1 || j + 1 == v->j1) r.f = rise(&mine, r.k);
    }
    v->near[j % CACHE] = r;
    v->tag[j % CACHE] = (uint32_t)j + 1;
}

/* f(y1 + dy) - f(y1) */
static inline double view_diff(table_view *v, int32_t bucket, double dy)
{
    size_t j = cell_of(v->s, bucket, v->y1 + dy);
    if (v->tag[j % CACHE] != j + 1) view_make(v, j);
    const dipole_cell *c = &v->near[j % CACHE];
    return c->f + rise(c, dy - c->k);
}

void dipole_table_diff(const dipole *d, double R2, size_t n, const double *x, double *out)
{
    const dipole_spline s = d->spline;
    table_view v;
    view_init(&v, &s, R2);
    const double inv = 1.0 / R2, y1 = v.y1, L1 = -vexp(v.f1);
    double f[DIPOLE_BLOCK];
    int32_t b[DIPOLE_BLOCK];
    for (size_t i0 = 0; i0 < n; i0 += DIPOLE_BLOCK) {
        const size_t m = n - i0 < DIPOLE_BLOCK ? n - i0 : DIPOLE_BLOCK;
        const double *t = x + i0;
        double *o = out + i0;
        for (size_t i = 0; i < m; i++) {
            double u = t[i] * inv;
            f[i] = 0.5 * vlog1p(u < TABLE_T_MIN ? TABLE_T_MIN : u);
            b[i] = bucket_of(&s, y1 + f[i]);
        }
        for (size_t i = 0; i < m; i++) f[i] = view_diff(&v, b[i], f[i]);
        for (size_t i = 0; i < m; i++) {
            double e = L1 * vexpm1(f[i]);
            o[i] = R2 + t[i] <= 0.0 ? -L1 : e;
        }
    }
}
