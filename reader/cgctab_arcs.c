/* SPDX-License-Identifier: MIT */
/* Polynomials on arcs that stand for the sum over modes (cgctab_arcs.h). */
#include "cgctab_arcs.h"

#include <math.h>
#include <stdlib.h>

#include "../format/elementary.h"

#define PI 3.14159265358979323846

enum { TERMS = CGCT_ARC_TERMS, CHECKS = CGCT_BLOCK / 2, PLACES = TERMS + CHECKS };

typedef struct {
    double place[PLACES];        /* Chebyshev nodes, then an end and the points between them */
    double powers[TERMS][TERMS]; /* values at the nodes to coefficients of powers */
} rule;

static void rule_init(rule *to)
{
    for (int i = 0; i < PLACES; i++)
        to->place[i] = i < TERMS ? cos(PI * (i + 0.5) / TERMS) : cos(PI * (i - TERMS) / TERMS);
    double chebyshev[TERMS][TERMS] = {{1}, {0, 1}}; /* coefficients of T_k */
    for (int k = 2; k < TERMS; k++)
        for (int j = 0; j < TERMS; j++)
            chebyshev[k][j] = (j ? 2 * chebyshev[k - 1][j - 1] : 0) - chebyshev[k - 2][j];
    for (int j = 0; j < TERMS; j++)
        for (int i = 0; i < TERMS; i++) {
            double sum = 0;
            for (int k = 0; k < TERMS; k++)
                sum += (k ? 2.0 : 1.0) / TERMS * chebyshev[k][j] * cos(PI * k * (i + 0.5) / TERMS);
            to->powers[j][i] = sum;
        }
}

/* The angle where t (6 - t^2)/5 is u, by Newton's method. */
static double arc_angle(double u)
{
    double t = u;
    for (int i = 0; i < 6; i++) t -= (t * (6 - t * t) - 5 * u) / (6 - 3 * t * t);
    return 2 * atan(t);
}

static void fit_arc_term(const rule *by, const double *value, double *term, double *error)
{
    for (int j = 0; j < TERMS; j++) {
        double sum = 0;
        for (int i = 0; i < TERMS; i++) sum += by->powers[j][i] * value[i];
        term[2 * j] = term[2 * j + 1] = sum;
    }
    for (int i = 0; i < CHECKS; i++) {
        double sum = 0;
        for (int j = TERMS; j-- > 0;) sum = sum * by->place[TERMS + i] + term[2 * j];
        error[2 * i] = error[2 * i + 1] = sum - value[TERMS + i];
    }
}

/* All modes on one arc, by the recurrence of the cosines. */
static void fit_arc(const rule *by, cgct_arc_fit *f, size_t a)
{
    double two[PLACES], before[PLACES], value[PLACES];
    for (int i = 0; i < PLACES; i++) {
        value[i] = cos(arc_angle(((double)a + 0.5 + 0.5 * by->place[i]) / (double)f->n));
        two[i] = 2 * value[i];
        before[i] = 1;
    }
    f->end[a] = value[TERMS];
    for (size_t m = a * f->modes; m < (a + 1) * f->modes; m++) {
        fit_arc_term(by, value, f->term + m * CGCT_BLOCK, f->error + m * CGCT_BLOCK);
        for (int i = 0; i < PLACES; i++) {
            double next = two[i] * value[i] - before[i];
            before[i] = value[i];
            value[i] = next;
        }
    }
}

cgct_status cgct_arc_fit_init(cgct_arc_fit *f, size_t n, size_t modes)
{
    rule by;
    f->n = n;
    f->modes = modes;
    f->end = (double *)malloc(n * sizeof *f->end);
    f->term = (double *)malloc((n * modes * CGCT_BLOCK + 1) * sizeof *f->term);
    f->error = (double *)malloc((n * modes * CGCT_BLOCK + 1) * sizeof *f->error);
    if (!f->end || !f->term || !f->error) return CGCT_E_NOMEM;
    rule_init(&by);
    for (size_t a = 0; a < n; a++) fit_arc(&by, f, a);
    return CGCT_OK;
}

void cgct_arc_fit_free(cgct_arc_fit *f)
{
    free(f->end);
    free(f->term);
    free(f->error);
    f->end = f->term = f->error = NULL;
}

static void put_arc(const cgct_wide *sum, double half, float *out)
{
    double each[CGCT_BLOCK];
    cgct_wide_store(sum, each);
    each[0] += half;
    each[1] += half;
    for (int i = 0; i < CGCT_BLOCK; i++) out[i] = (float)each[i];
}

/* cos(m theta) is even or odd about pi/2 as m is: two sums serve both halves. */
CGCT_CLONES
static void apply_arc_fit(const cgct_arc_fit *f, double half, const double *r, size_t modes,
                          size_t first, float *out, size_t stride)
{
    size_t last = 2 * f->n - 1;
    for (size_t a = 0; a < f->n && a + first <= last; a++) {
        const double *term = f->term + a * f->modes * CGCT_BLOCK;
        cgct_wide odd = CGCT_WIDE_ZERO, even = CGCT_WIDE_ZERO, sum;
        for (size_t m = 0; m < modes; m += 2) {
            cgct_wide_add_pairs(&odd, r + 2 * m, term + m * CGCT_BLOCK);
            if (m + 1 == modes) break;
            cgct_wide_add_pairs(&even, r + 2 * (m + 1), term + (m + 1) * CGCT_BLOCK);
        }
        sum = even;
        cgct_wide_add_sum(&sum, 1, &odd);
        put_arc(&sum, half, out + (last - a) * stride);
        if (a < first) continue;
        sum = even;
        cgct_wide_add_sum(&sum, -1, &odd);
        put_arc(&sum, half, out + a * stride);
    }
}

void cgct_arc_fit_apply(const cgct_arc_fit *f, double half, const double *r, size_t modes,
                        size_t first, float *out, size_t stride)
{
    apply_arc_fit(f, half, r, modes, first, out, stride);
}

CGCT_CLONES
static double distance(const cgct_arc_fit *f, const double *r, size_t modes, size_t a, double sign)
{
    const double *error = f->error + a * f->modes * CGCT_BLOCK;
    cgct_wide odd = CGCT_WIDE_ZERO, even = CGCT_WIDE_ZERO;
    double each[CGCT_BLOCK], worst = 0;
    for (size_t m = 0; m < modes; m++)
        cgct_wide_add_pairs(m % 2 ? &even : &odd, r + 2 * m, error + m * CGCT_BLOCK);
    cgct_wide_add_sum(&even, sign, &odd);
    cgct_wide_store(&even, each);
    for (int i = 0; i < CGCT_BLOCK; i++) worst = fabs(each[i]) > worst ? fabs(each[i]) : worst;
    return worst;
}

double cgct_arc_fit_error(const cgct_arc_fit *f, const double *r, size_t modes, size_t a)
{
    return a < f->n ? distance(f, r, modes, a, -1) : distance(f, r, modes, 2 * f->n - 1 - a, 1);
}
