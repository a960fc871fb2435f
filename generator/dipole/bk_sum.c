/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_sum.c: the right-hand side of the BK equation.  Without shifts of Y the sum over the angles of
 * one radius is a row of weights of S at the edges of cells, which needs no exponentials; with them
 * it is one over points, which read a history of Gamma. */
#include <math.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"
#include "numerics/memory.h"
#include "numerics/vmath.h"

/* Where Gamma(r) is smaller the sum is one of N, in which no digits cancel at small r; else of S,
 * in which none are lost at large r. */
#define GAMMA_SUM_N 1.0
/* Terms of a row that are less than this share of its other end are left out. */
#define NEGLIGIBLE_S 1e-15
/* A shift that exceeds Y by less, from rounding. */
#define SHIFT_SLACK 1e-11

static void add_lanes(double sum[BK_LANES], const double *w, double rest, const double *v)
{
#pragma omp simd
    for (int l = 0; l < BK_LANES; l++) {
        const double e = rest - v[l];
        sum[l] += w[l] * vexpm1(e < 700 ? e : 700);
    }
}

/* Sum of w expm1(rest - Gamma(y)) over n points, a multiple of BK_LANES. */
static double sum_angles(const double *table, const double *y, const double *w, size_t n,
                         double rest)
{
    double sum[BK_LANES] = {0};
    for (size_t i = 0; i < n; i += BK_LANES) {
        double v[BK_LANES], u[BK_LANES];
        int32_t row[BK_LANES];
#pragma omp simd
        for (int l = 0; l < BK_LANES; l++) {
            row[l] = (int32_t)y[i + (size_t)l];
            u[l] = y[i + (size_t)l] - row[l];
            row[l] *= BK_ROW;
        }
#pragma omp simd
        for (int l = 0; l < BK_LANES; l++) {
            v[l] = table[row[l] + BK_DEGREE];
            for (int d = BK_DEGREE - 1; d >= 0; d--) v[l] = fmadd(v[l], u[l], table[row[l] + d]);
        }
        add_lanes(sum, w + i, rest, v);
    }
    double total = 0;
    for (int l = 0; l < BK_LANES; l++) total += sum[l];
    return total;
}

/* ---- history ---- */

enum { ROWS = BK_STAGES * BK_ROW };

void bk_history_append(bk_history *h, double Y, double length)
{
    if (h->n == h->cap) {
        h->cap = 2 * h->cap + 64;
        h->Y = memory_resize(h->Y, h->cap + 1, sizeof *h->Y);
        h->row = memory_resize(h->row, h->cap, sizeof(*h->row));
    }
    h->row[h->n] = memory_new(h->ncell * ROWS, sizeof **h->row);
    h->Y[h->n] = Y;
    h->Y[++h->n] = Y + length;
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

/* A radius whose shift is positive.  Gamma: of r at past->Y. */
static double sum_shifted(const bk_points *p, const bk_radius *x, const bk_past *past, double Gamma,
                          size_t *at)
{
    double v, sum[BK_LANES] = {0}, total = 0;
    const double *rows = history_step(past->history, past->Y - x->shift, at, &v);
    const double rest = Gamma - history_value(rows, v, x->x);
    double before = x->shift;
    for (size_t i = x->first; i < x->first + x->n; i += BK_LANES) {
        double value[BK_LANES];
        for (size_t l = 0; l < BK_LANES; l++) {
            const double shift = p->shift[i + l], where = p->y[i + l];
            if (!(shift > 0)) {
                value[l] = bk_table_at(past->table, where);
                continue;
            }
            if (shift != before) rows = history_step(past->history, past->Y - shift, at, &v);
            before = shift;
            value[l] = history_value(rows, v, where);
        }
        add_lanes(sum, p->w + i, rest, value);
    }
    for (int l = 0; l < BK_LANES; l++) total += sum[l];
    return total;
}

/* Radii from first to last. */
static double sum_radii(const bk_points *p, size_t first, size_t last, const bk_past *past,
                        double Gamma)
{
    double sum = 0;
    size_t at = past->history->n ? past->history->n - 1 : 0;
    for (size_t i = first; i < last; i++) {
        const bk_radius *x = &p->radius[i];
        sum += x->shift > 0 ? sum_shifted(p, x, past, Gamma, &at)
                            : sum_angles(past->table, p->y + x->first, p->w + x->first, x->n,
                                         Gamma - bk_table_at(past->table, x->x));
    }
    return sum;
}

static double sum_points(const bk_points *p, const double *table)
{
    const bk_past past = {0, table, &(bk_history){0}};
    return sum_radii(p, 0, p->nradius, &past, bk_table_at(table, p->r));
}

double bk_points_sum_past(const bk_points *p, const bk_points *cut, const bk_past *past)
{
    const double Gamma = bk_table_at(past->table, p->r);
    double sum = sum_radii(cut, 0, cut->nradius, past, Gamma);
    for (size_t i = 0; i < p->npanel; i++)
        if (p->panel[i].far <= past->Y + SHIFT_SLACK)
            sum += sum_radii(p, i * BK_RADIAL, (i + 1) * BK_RADIAL, past, Gamma);
    return sum + sum_radii(p, p->npanel * BK_RADIAL, p->nradius, past, Gamma);
}

void bk_kernel_apply_past(const bk_kernel *k, size_t n, const bk_points *cut, const bk_past *past,
                          double *out)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t j = 0; j < n; j++) out[j] = bk_points_sum_past(&k->of[j], &cut[j], past);
}

/* ---- rows ---- */

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
    if (!p->nrow) return sum_points(p, v->table);
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
