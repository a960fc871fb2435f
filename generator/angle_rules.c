/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "angle_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "quadrature.h"

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

static cgct_status fill(angle_rule *r, const angle_rules *a, const int *m, const double *x,
                        const double *w, size_t n)
{
    r->n = n;
    r->x = malloc(n * sizeof *r->x);
    r->hav = malloc(n * sizeof *r->hav);
    r->weight = malloc(n * a->nm * sizeof *r->weight);
    r->cosine = malloc(n * a->nm * sizeof *r->cosine);
    if (!r->x || !r->hav || !r->weight || !r->cosine) return CGCT_E_NOMEM;
    for (size_t j = 0; j < n; j++) {
        r->x[j] = x[j];
        r->hav[j] = pow(sin(x[j] / 2), 2);
        for (size_t im = 0; im < a->nm; im++) {
            double c = cos(m[im] * x[j]);
            r->cosine[j * a->nm + im] = c;
            r->weight[j * a->nm + im] = 2 * M_PI / a->span * w[j] * c;
        }
    }
    return CGCT_OK;
}

static cgct_status trapezoid(angle_rule *r, const angle_rules *a, const int *m, size_t intervals)
{
    double *x = malloc(2 * (intervals + 1) * sizeof *x);
    if (!x) return CGCT_E_NOMEM;
    double *w = x + intervals + 1;
    for (size_t j = 0; j <= intervals; j++) {
        x[j] = a->span * (double)j / (double)intervals;
        w[j] = a->span / (double)intervals * (j == 0 || j == intervals ? 0.5 : 1);
    }
    cgct_status st = fill(r, a, m, x, w, intervals + 1);
    free(x);
    return st;
}

static cgct_status graded(angle_rule *r, const angle_rules *a, const int *m, const quad_gauss *g,
                          int end, double inner)
{
    quad_rule q = {0};
    double hmax = fmin(PANEL_MAX, PANEL_PHASE * g->n / PANEL_NODES / (a->m_max + 1));
    cgct_status st = quad_append_graded(&q, g, 0, a->span, end, inner, GRADE_RATIO, hmax);
    if (st == CGCT_OK) st = fill(r, a, m, q.x, q.w, q.n);
    quad_free(&q);
    return st;
}

cgct_status angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                             int with_graded, cgct_err *err)
{
    memset(a, 0, sizeof *a);
    a->nm = nm;
    a->m_max = m[nm - 1];
    a->span = symmetric ? M_PI / 2 : M_PI;
    a->decay = digits * log(10);
    quad_gauss g, close;
    CGCT_TRY(quad_gauss_init(&g, PANEL_NODES, err));
    CGCT_TRY(quad_gauss_init(&close, CLOSE_NODES, err));
    int circle = a->m_max * 4 > FULL_CIRCLE_MAX ? a->m_max * 4 : FULL_CIRCLE_MAX;
    size_t last = (size_t)(circle * a->span / (2 * M_PI)), n = TRAPEZOID_MIN;
    cgct_status st = CGCT_OK;
    while (st == CGCT_OK && a->n_trapezoid < ANGLE_TRAPEZOIDS) {
        n = n > last ? last : n;
        st = trapezoid(&a->trapezoid[a->n_trapezoid++], a, m, n);
        if (n == last) break;
        n += (n + 2) / 3;
    }
    for (int end = 0; with_graded && end < 2; end++)
        for (int j = 0; st == CGCT_OK && j < ANGLE_GRADES; j++)
            st = graded(&a->graded[end][j], a, m, j < CLOSE_GRADE ? &g : &close, end,
                        pow(GRADE_RATIO, -j));
    if (st == CGCT_OK) return st;
    angle_rules_free(a);
    return cgct_fail(err, st, "angular quadratures for %zu modes: no memory", nm);
}

static void rule_free(angle_rule *r)
{
    free(r->x);
    free(r->hav);
    free(r->weight);
    free(r->cosine);
}

void angle_rules_free(angle_rules *a)
{
    for (int i = 0; i < ANGLE_TRAPEZOIDS; i++) rule_free(&a->trapezoid[i]);
    for (int i = 0; i < 2 * ANGLE_GRADES; i++)
        rule_free(&a->graded[i / ANGLE_GRADES][i % ANGLE_GRADES]);
    memset(a, 0, sizeof *a);
}

/* Highest mode above 10^-digits of a function with nearest singularity t and `smooth` own modes. */
static double bandwidth(const angle_rules *a, double t, double smooth)
{
    return a->decay / fmax(t, 1e-12) + smooth;
}

const angle_rule *angle_trapezoid(const angle_rules *a, double t, double smooth)
{
    double b = bandwidth(a, t, smooth), circle = b + fmin(b, a->m_max) + 4;
    for (int i = 0; i < a->n_trapezoid; i++)
        if ((double)(a->trapezoid[i].n - 1) * 2 * M_PI / a->span >= circle) return &a->trapezoid[i];
    return &a->trapezoid[a->n_trapezoid - 1];
}

const angle_rule *angle_any(const angle_rules *a, double t, int end, double smooth)
{
    const angle_rule *r = angle_trapezoid(a, t, smooth);
    int resolved = (double)(r->n - 1) * 2 * M_PI / a->span >= bandwidth(a, t, smooth);
    int j = (int)ceil(log(1 / fmin(fmax(t, 1e-12), 1)) / log(GRADE_RATIO));
    const angle_rule *g = &a->graded[end][j < ANGLE_GRADES ? j : ANGLE_GRADES - 1];
    return resolved && r->n <= g->n ? r : g;
}

size_t angle_modes(const angle_rules *a, const int *m, double t, double smooth)
{
    double b = bandwidth(a, t, smooth);
    size_t n = 1, end = a->nm; /* n live, at most end */
    while (n < end) {
        size_t mid = (n + end) / 2;
        if (m[mid] > b)
            end = mid;
        else
            n = mid + 1;
    }
    return n;
}
