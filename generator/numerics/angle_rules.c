/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "numerics/angle_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/quadrature.h"

static const double GRADE_RATIO = 4; /* 16 nodes on [a,4a] leave 3^-32 of a singularity at 0 */
static const double PANEL_PHASE =
    12; /* radians of cos(m x) that a panel of 16 nodes resolves to 1e-14 */
static const double PANEL_MAX = 0.8;
enum {
    PANEL_NODES = 16,
    CLOSE_NODES = 10,
    CLOSE_GRADE = 3
}; /* closer than 1/64 the area is small */
enum { TRAPEZOID_MIN = 6, FULL_CIRCLE_MAX = 1024 };

static cgct_status fill(angle_rule *r, const angle_rules *a, const double *x, const double *w,
                        size_t n)
{
    r->n = n;
    r->x = malloc(n * sizeof *r->x);
    r->hav = malloc(n * sizeof *r->hav);
    r->w = malloc(n * sizeof *r->w);
    if (!r->x || !r->hav || !r->w) return CGCT_E_NOMEM;
    for (size_t j = 0; j < n; j++) {
        r->x[j] = x[j];
        r->hav[j] = pow(sin(x[j] / 2), 2);
        r->w[j] = 2 * M_PI / a->span * w[j];
    }
    return CGCT_OK;
}

static cgct_status fill_matrices(angle_rule *r, size_t nm, const int *m)
{
    r->weight = malloc(r->n * nm * sizeof *r->weight);
    r->cosine = malloc(r->n * nm * sizeof *r->cosine);
    if (!r->weight || !r->cosine) return CGCT_E_NOMEM;
    for (size_t j = 0; j < r->n; j++)
        for (size_t im = 0; im < nm; im++) {
            double c = cos(m[im] * r->x[j]);
            r->cosine[j * nm + im] = c;
            r->weight[j * nm + im] = r->w[j] * c;
        }
    return CGCT_OK;
}

static cgct_status trapezoid(angle_rule *r, const angle_rules *a, size_t intervals)
{
    double *x = malloc(2 * (intervals + 1) * sizeof *x);
    if (!x) return CGCT_E_NOMEM;
    double *w = x + intervals + 1;
    for (size_t j = 0; j <= intervals; j++) {
        x[j] = a->span * (double)j / (double)intervals;
        w[j] = a->span / (double)intervals * (j == 0 || j == intervals ? 0.5 : 1);
    }
    cgct_status st = fill(r, a, x, w, intervals + 1);
    free(x);
    return st;
}

static cgct_status graded(angle_rule *r, const angle_rules *a, const quad_gauss *g, int end,
                          double inner)
{
    quad_rule q = {0};
    double hmax = fmin(PANEL_MAX, PANEL_PHASE * g->n / PANEL_NODES / (a->m_max + 1));
    cgct_status st = quad_append_graded(&q, g, 0, a->span, end, inner, GRADE_RATIO, hmax);
    if (st == CGCT_OK) st = fill(r, a, q.x, q.w, q.n);
    quad_free(&q);
    return st;
}

static cgct_status trapezoids(angle_rules *a)
{
    int circle = a->m_max * 4 > FULL_CIRCLE_MAX ? a->m_max * 4 : FULL_CIRCLE_MAX;
    size_t last = (size_t)(circle * a->span / (2 * M_PI)), n = TRAPEZOID_MIN;
    while (a->n_trapezoid < ANGLE_TRAPEZOIDS) {
        n = n > last ? last : n;
        a->circle[a->n_trapezoid] = round((double)n * 2 * M_PI / a->span);
        CGCT_TRY(trapezoid(&a->rule[a->n_trapezoid++], a, n));
        if (n == last) break;
        n += (n + 2) / 3;
    }
    return CGCT_OK;
}

static cgct_status all_graded(angle_rules *a, cgct_err *err)
{
    quad_gauss g, close;
    CGCT_TRY(quad_gauss_init(&g, PANEL_NODES, err));
    CGCT_TRY(quad_gauss_init(&close, CLOSE_NODES, err));
    for (int end = 0; end < 2; end++)
        for (int j = 0; j < ANGLE_GRADES; j++)
            CGCT_TRY(graded(&a->rule[ANGLE_TRAPEZOIDS + end * ANGLE_GRADES + j], a,
                            j < CLOSE_GRADE ? &g : &close, end, pow(GRADE_RATIO, -j)));
    return CGCT_OK;
}

/* What angle_trapezoid and angle_modes look up. */
static cgct_status fill_tables(angle_rules *a, const int *m)
{
    int top = (int)a->circle[a->n_trapezoid - 1];
    a->fit = malloc((size_t)top + 1);
    a->live = malloc(((size_t)a->m_max + 1) * sizeof *a->live);
    if (!a->fit || !a->live) return CGCT_E_NOMEM;
    for (int circle = 0, i = 0; circle <= top; circle++) {
        if (circle > a->circle[i]) i++;
        a->fit[circle] = (unsigned char)i;
    }
    size_t n = 1;
    for (int b = 0; b <= a->m_max; b++) {
        while (n < a->nm && m[n] <= b) n++;
        a->live[b] = (uint16_t)n;
    }
    return CGCT_OK;
}

cgct_status angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                             int matrices, cgct_err *err)
{
    memset(a, 0, sizeof *a);
    a->nm = nm;
    a->m_max = m[nm - 1];
    a->span = symmetric ? M_PI / 2 : M_PI;
    a->decay = digits * log(10);
    cgct_status st = trapezoids(a);
    if (st == CGCT_OK) st = all_graded(a, err);
    if (st == CGCT_OK) st = fill_tables(a, m);
    for (int i = 0; matrices && st == CGCT_OK && i < ANGLE_RULES; i++)
        if (a->rule[i].n) st = fill_matrices(&a->rule[i], nm, m);
    if (st == CGCT_OK) return st;
    angle_rules_free(a);
    return cgct_fail(err, st, "angular quadratures for %zu modes: no memory", nm);
}

void angle_rules_free(angle_rules *a)
{
    for (int i = 0; i < ANGLE_RULES; i++) {
        angle_rule *r = &a->rule[i];
        free(r->x);
        free(r->hav);
        free(r->w);
        free(r->weight);
        free(r->cosine);
    }
    free(a->fit);
    free(a->live);
    memset(a, 0, sizeof *a);
}
