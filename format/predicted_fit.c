/* SPDX-License-Identifier: MIT */
/* Chooses the predictor that makes the residuals of a plane shortest: among fixed ones, and with
 * coefficients that are fitted to the plane. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predicted.h"

enum { FITS = 3, FIT_LEAST = 4 }; /* rounds of reweighting; integers for each coefficient */
#define COEFFICIENT_BITS 16.0
#define RIDGE 1e-10 /* of the diagonal: neighbours are almost the same */

uint8_t cgct_token(uint32_t residual, uint32_t *z, unsigned *low)
{
    uint32_t v = *z = residual << 1 ^ (residual >> 31 ? UINT32_MAX : 0);
    *low = 0;
    if (v < CGCT_TOKEN_LARGE) return (uint8_t)v;
    *low = 5;
    while (v >> *low > 7) ++*low;
    return (uint8_t)(CGCT_TOKEN_LARGE + 4 * (*low - 5) + (v >> *low & 3));
}

double cgct_predicted_cost(const uint32_t *residual, size_t n)
{
    uint32_t count[256] = {0}, z;
    double bits = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned low;
        count[cgct_token(residual[i], &z, &low)]++;
        bits += low;
    }
    for (int i = 0; i < 256; i++)
        if (count[i]) bits += count[i] * log2((double)n / count[i]);
    return bits;
}

static void take_differences(uint32_t *v, size_t n, unsigned order)
{
    for (unsigned t = 0; t < order; t++)
        for (size_t i = n; i-- > t + 1;) v[i] -= v[i - 1];
}

size_t cgct_residuals(const cgct_predictor *p, const cgct_lattice *l, int32_t *const plane[3],
                      const uint32_t *first, const uint32_t *end, uint32_t *row, uint32_t *out)
{
    size_t count = 0;
    for (size_t iq = 0; iq < l->nq; iq++) {
        size_t n = end[iq] - first[iq];
        if (n == 0) continue;
        const int32_t *v = plane[0] + cgct_lattice_at(l, iq) + first[iq];
        cgct_predict(p, l, plane, iq, first[iq], n, row);
        for (size_t i = 0; i < n; i++) out[count + i] = (uint32_t)v[i] - row[i];
        take_differences(out + count, n, p->order);
        count += n;
    }
    return count;
}

/* ---- least squares ---- */

/* Equations of a plane: (n, taps + 1), the integer itself last, all differenced along k. */
typedef struct {
    size_t n, taps;
    double *a;
} equations;

/* Solves the normal equations a (taps, taps + 1), right side last, by Cholesky's decomposition. */
static int solve_normal_equations(size_t taps, double a[CGCT_TAPS][CGCT_TAPS + 1], double *x)
{
    for (size_t j = 0; j < taps; j++) {
        a[j][j] += RIDGE * a[j][j] + 1e-9;
        for (size_t k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 0)) return 0;
        a[j][j] = sqrt(a[j][j]);
        for (size_t i = j + 1; i < taps; i++) {
            for (size_t k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (size_t i = 0; i < taps; i++) {
        x[i] = a[i][taps];
        for (size_t k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (size_t i = taps; i-- > 0;) {
        for (size_t k = i + 1; k < taps; k++) x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
    return 1;
}

/* Weights 1/(|residual| + 1) come close to least bits: large residuals count by their logarithm. */
static int fit_taps(const equations *e, double *x)
{
    size_t taps = e->taps;
    memset(x, 0, CGCT_TAPS * sizeof *x);
    for (int round = 0; round < FITS; round++) {
        double a[CGCT_TAPS][CGCT_TAPS + 1] = {{0}};
        for (size_t i = 0; i < e->n; i++) {
            const double *row = e->a + i * (taps + 1);
            double r = row[taps], w;
            for (size_t t = 0; t < taps; t++) r -= x[t] * row[t];
            w = round ? 1 / (fabs(r) + 1) : 1;
            for (size_t s = 0; s < taps; s++) {
                for (size_t t = 0; t <= s; t++) a[s][t] += w * row[s] * row[t];
                a[s][taps] += w * row[s] * row[taps];
            }
        }
        if (!solve_normal_equations(taps, a, x)) return 0;
    }
    return 1;
}

/* ---- choice ---- */

typedef struct {
    const cgct_lattice *l;
    int32_t *const *plane;
    const uint32_t *first, *end;
    uint32_t *scratch; /* a row and a column */
    cgct_predictor *best;
    double least;
} choice;

static void gather_equations(const choice *c, size_t taps, unsigned order, equations *to)
{
    const cgct_lattice *l = c->l;
    uint32_t *row = c->scratch, *column = row + l->nk + CGCT_LANES;
    to->taps = taps;
    for (size_t t = 0; t <= taps; t++) {
        cgct_predictor one = {order, {0}};
        if (t < taps) one.c[t] = -CGCT_TAP_ONE; /* its residual is the integer and the tap */
        to->n = cgct_residuals(&one, l, c->plane, c->first, c->end, row, column);
        for (size_t i = 0; i < to->n; i++) to->a[i * (taps + 1) + t] = (double)(int32_t)column[i];
    }
    for (size_t i = 0; i < to->n; i++)
        for (size_t t = 0; t < taps; t++) to->a[i * (taps + 1) + t] -= to->a[i * (taps + 1) + taps];
}

static void consider(choice *c, const cgct_predictor *p)
{
    uint32_t *column = c->scratch + c->l->nk + CGCT_LANES;
    size_t n = cgct_residuals(p, c->l, c->plane, c->first, c->end, c->scratch, column);
    double bits = cgct_predicted_cost(column, n);
    for (int t = 0; t < CGCT_TAPS; t++) bits += p->c[t] ? COEFFICIENT_BITS : 0;
    if (!(bits < c->least)) return;
    c->least = bits;
    *c->best = *p;
}

/* Nothing, the row before, and the straight line through the two before. */
static void consider_fixed(choice *c)
{
    static const int32_t row[3][2] = {{0, 0}, {1, 0}, {2, -1}};
    for (int i = 0; i < 3; i++)
        for (unsigned order = 0; order < CGCT_ORDER_ZERO; order++) {
            cgct_predictor p = {order, {0}};
            p.c[0] = CGCT_TAP_ONE * row[i][0];
            p.c[3] = CGCT_TAP_ONE * row[i][1];
            consider(c, &p);
        }
}

static void consider_fitted(choice *c, const equations *e, unsigned order)
{
    double x[CGCT_TAPS];
    cgct_predictor p = {order, {0}};
    if (e->n < FIT_LEAST * e->taps || !fit_taps(e, x)) return;
    for (size_t t = 0; t < e->taps; t++)
        p.c[t] = (int32_t)lround(fmin(fmax(x[t] * CGCT_TAP_ONE, INT16_MIN), INT16_MAX));
    consider(c, &p);
}

cgct_status cgct_predictor_choose(const cgct_lattice *l, int32_t *const plane[3],
                                  const uint32_t *first, const uint32_t *end, size_t taps,
                                  cgct_predictor *best, cgct_err *err)
{
    size_t n = l->nq * l->nk;
    uint32_t *scratch = malloc((n + l->nk + CGCT_LANES) * sizeof *scratch);
    equations e = {0, 0, malloc(n * (CGCT_TAPS + 1) * sizeof(double))};
    choice c = {l, plane, first, end, scratch, best, INFINITY};
    cgct_status st = CGCT_OK;
    if (scratch && e.a) {
        consider_fixed(&c);
        for (size_t some = CGCT_TAPS_OF_PLANE; some <= taps; some += CGCT_TAPS_OF_PLANE)
            for (unsigned order = 0; order < 3; order++) {
                gather_equations(&c, some, order, &e);
                consider_fitted(&c, &e, order);
            }
    } else {
        st = cgct_fail(err, CGCT_E_NOMEM, "no memory to fit %zu integers", n);
    }
    free(e.a);
    free(scratch);
    return st;
}
