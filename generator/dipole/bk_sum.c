/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_sum.c: the right-hand side of the BK equation as sums over its points, and the history of
 * Gamma that equations with shifts of Y read. */
#include <math.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"
#include "numerics/vmath.h"

/* A shift that exceeds Y by less, from rounding. */
#define SHIFT_SLACK 1e-11

/* Where Gamma(r) is smaller the sum is one of N, in which no digits cancel at small r; else of S,
 * in which none are lost at large r. */
#define GAMMA_SUM_N 1.0
/* Terms of a row that are less than this share of its other end are left out. */
#define NEGLIGIBLE_S 1e-17

/* Of r at one Y. */
typedef struct {
    double Gamma, N;
    int small;
} sum_node;

static sum_node sum_node_of(double Gamma)
{
    return (sum_node){Gamma, -expm1(-Gamma), Gamma < GAMMA_SUM_N};
}

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
        if (x->points) continue;
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
        if (x->points) continue;
        size_t n = 0;
        while (n < x->n && ratio[i] * S[n] > NEGLIGIBLE_S) n += BK_LANES;
        weights += x->weight;
        add_edges(sum, ratio[i], p->row + x->first, S, n);
    }
    return sum_lanes(sum) - weights;
}

/* The rows of BK_RADIAL radii; those with points do not count. */
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
    const sum_node r = sum_node_of(bk_table_at(v->table, p->r));
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

/* ---- history ---- */

enum { ROWS = BK_STAGES * BK_ROW };

cgct_status bk_history_append(bk_history *h, double Y, double length, cgct_err *err)
{
    if (h->n == h->cap) {
        const size_t cap = 2 * h->cap + 64;
        double *ends = realloc(h->Y, (cap + 1) * sizeof *ends);
        if (ends) h->Y = ends;
        double **row = realloc(h->row, cap * sizeof *row);
        if (row) h->row = row;
        if (!ends || !row) return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory");
        h->cap = cap;
    }
    h->row[h->n] = malloc(h->ncell * ROWS * sizeof **h->row);
    if (!h->row[h->n]) return cgct_fail(err, CGCT_E_NOMEM, "dipole bk: out of memory");
    h->Y[h->n] = Y;
    h->Y[++h->n] = Y + length;
    return CGCT_OK;
}

void bk_history_set(bk_history *h, const double *v, const bk_values values[BK_STAGES])
{
    double m[BK_STAGES * BK_STAGES];
    bk_monomials(BK_STAGES, v, m);
    for (size_t c = 0; c < h->ncell; c++)
        for (int k = 0; k < BK_STAGES; k++) {
            double *row = h->row[h->n - 1] + c * ROWS + (size_t)k * BK_ROW;
            for (size_t d = 0; d < BK_ROW; d++) row[d] = 0;
            for (int i = 0; i < BK_STAGES; i++)
                for (size_t d = 0; d < BK_ROW; d++)
                    row[d] += m[k * BK_STAGES + i] * values[i].table[c * BK_ROW + d];
        }
}

void bk_history_free(bk_history *h)
{
    for (size_t i = 0; i < h->n; i++) free(h->row[i]);
    free(h->row);
    free(h->Y);
    *h = (bk_history){0};
}

/* Rows of the step that contains Y, from the step `at` on, and the position v within it. */
static const double *history_step(const bk_history *h, double Y, size_t *at, double *v)
{
    while (*at > 0 && Y < h->Y[*at]) (*at)--;
    while (*at + 1 < h->n && Y >= h->Y[*at + 1]) (*at)++;
    *v = fmax(0, (Y - h->Y[*at]) / (h->Y[*at + 1] - h->Y[*at]));
    return h->row[*at];
}

/* Gamma at a place in ln r. */
static double history_value(const double *rows, double v, double where)
{
    const int32_t cell = (int32_t)where;
    const double u = where - cell, *c = rows + (size_t)cell * ROWS;
    double row[BK_ROW];
#pragma omp simd
    for (int d = 0; d < BK_ROW; d++) row[d] = c[(BK_STAGES - 1) * BK_ROW + d];
    for (int k = BK_STAGES - 2; k >= 0; k--) {
#pragma omp simd
        for (int d = 0; d < BK_ROW; d++) row[d] = fmadd(row[d], v, c[k * BK_ROW + d]);
    }
    double value = row[BK_DEGREE];
    for (int d = BK_DEGREE - 1; d >= 0; d--) value = fmadd(value, u, row[d]);
    return value;
}

static void add_lanes(double sum[BK_LANES], const double *w, double rest, const double *v)
{
#pragma omp simd
    for (int l = 0; l < BK_LANES; l++) {
        const double e = rest - v[l];
        sum[l] += w[l] * vexpm1(e < 700 ? e : 700);
    }
}

/* A radius with points.  Gamma: of r at past->Y. */
static double sum_shifted(const bk_points *p, const bk_radius *x, const bk_past *past, double Gamma,
                          size_t *at)
{
    double v, sum[BK_LANES] = {0};
    const double *rows = history_step(past->history, past->Y - x->shift, at, &v);
    const double rest = Gamma - history_value(rows, v, x->x);
    double before = x->shift;
    for (size_t i = x->first; i < x->first + x->n; i += BK_LANES) {
        double value[BK_LANES];
        for (size_t l = 0; l < BK_LANES; l++) {
            const double shift = p->shift[i + l], where = p->y[i + l];
            if (!(shift > 0)) {
                value[l] = bk_table_at(past->now->table, where);
                continue;
            }
            if (shift != before) rows = history_step(past->history, past->Y - shift, at, &v);
            before = shift;
            value[l] = history_value(rows, v, where);
        }
        add_lanes(sum, p->w + i, rest, value);
    }
    return sum_lanes(sum);
}

/* Radii from first to last. */
static double sum_radii(const bk_points *p, size_t first, size_t last, const bk_past *past,
                        const sum_node *r)
{
    double sum = 0;
    size_t at = past->history->n ? past->history->n - 1 : 0;
    for (size_t i = first; i < last; i += BK_RADIAL) {
        sum += sum_radii_rows(p, i, past->now, r);
        for (size_t k = i; k < i + BK_RADIAL; k++)
            if (p->radius[k].points) sum += sum_shifted(p, &p->radius[k], past, r->Gamma, &at);
    }
    return sum;
}

double bk_points_sum_past(const bk_points *p, const bk_points *cut, const bk_past *past)
{
    const sum_node r = sum_node_of(bk_table_at(past->now->table, p->r));
    double sum = sum_radii(cut, 0, cut->nradius, past, &r);
    for (size_t i = 0; i < p->npanel; i++)
        if (p->panel[i].far <= past->Y + SHIFT_SLACK)
            sum += sum_radii(p, i * BK_RADIAL, (i + 1) * BK_RADIAL, past, &r);
    return sum + sum_radii(p, p->npanel * BK_RADIAL, p->nradius, past, &r);
}

void bk_kernel_apply_past(const bk_kernel *k, const bk_points *cut, const bk_past *past,
                          double *out)
{
    const size_t n = k->grid->n;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < n; j++)
        out[n - 1 - j] = bk_points_sum_past(&k->of[n - 1 - j], &cut[n - 1 - j], past);
}
