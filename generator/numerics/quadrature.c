/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadrature.c: Gauss-Legendre panels from GSL's nodes, and the rules over an angle. */
#include "numerics/quadrature.h"

#include <assert.h>
#include <gsl/gsl_integration.h>
#include <stdlib.h>

#include "numerics/log_rule_data.h"
#include "numerics/memory.h"

/* One step of Newton's method: GSL tabulates few n and computes the others only to 1e-10. */
static void quad_polish(int n, double *x, double *w)
{
    double p0 = 1, p1 = *x;
    for (int k = 2; k <= n; k++) {
        double next = ((2 * k - 1) * *x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = next;
    }
    double slope = n * (*x * p1 - p0) / (*x * *x - 1), step = p1 / slope;
    *x -= step;
    slope -= step * (2 * *x * slope - n * (n + 1) * p1) / (1 - *x * *x);
    *w = 2 / ((1 - *x * *x) * slope * slope);
}

/* The nodes and weights of n points on [-1,1]. */
static void quad_gauss_nodes(int n, double *x, double *w)
{
    gsl_integration_glfixed_table *t =
        memory_or_end(gsl_integration_glfixed_table_alloc((size_t)n), (size_t)n, sizeof *x);
    for (int i = 0; i < n; i++) {
        gsl_integration_glfixed_point(-1, 1, (size_t)i, &x[i], &w[i], t);
        quad_polish(n, &x[i], &w[i]);
    }
    gsl_integration_glfixed_table_free(t);
}

void quad_gauss_init(quad_gauss *g, int n)
{
    assert(n >= 1 && n <= QUAD_GAUSS_MAX);
    g->n = n;
    quad_gauss_nodes(n, g->x, g->w);
}

void quad_log_init(quad_gauss *g, int end)
{
    g->n = LOG_RULE_NODES;
    for (int i = 0; i < g->n; i++) {
        const int from = end ? g->n - 1 - i : i;
        g->x[i] = (end ? -1 : 1) * (2 * LOG_RULE_X[from] - 1);
        g->w[i] = 2 * LOG_RULE_W[from];
    }
}

void quad_free(quad_rule *q)
{
    free(q->x);
    free(q->w);
    free(q->panel);
    memset(q, 0, sizeof *q);
}

static void quad_reserve(quad_rule *q, size_t n)
{
    if (n <= q->cap) return;
    q->cap = 2 * n;
    q->x = memory_resize(q->x, q->cap, sizeof *q->x);
    q->w = memory_resize(q->w, q->cap, sizeof *q->w);
    q->panel = memory_resize(q->panel, q->cap, sizeof *q->panel);
}

void quad_append(quad_rule *q, const quad_gauss *g, double a, double b, double hmax)
{
    if (!(b > a)) return;
    size_t np = (size_t)ceil((b - a) / hmax * (1 - 1e-12));
    if (np < 1) np = 1;
    quad_reserve(q, q->n + np * (size_t)g->n);
    for (size_t ip = 0; ip < np; ip++) {
        double lo = a + (b - a) * (double)ip / (double)np;
        double h = (b - a) / (double)np / 2;
        for (int i = 0; i < g->n; i++) {
            q->panel[q->n] = i ? 0 : g->n;
            q->x[q->n] = lo + h * (1 + g->x[i]);
            q->w[q->n++] = h * g->w[i];
        }
    }
}

cgct_status quad_append_gauss(quad_rule *q, int n, double a, double b, cgct_err *err)
{
    if (n < 1) return cgct_fail(err, CGCT_E_DOMAIN, "Gauss rule of %d nodes asked for; want 1", n);
    quad_reserve(q, q->n + (size_t)n);
    double *x = q->x + q->n, *w = q->w + q->n;
    quad_gauss_nodes(n, x, w);
    for (int i = 0; i < n; i++) {
        q->panel[q->n++] = i ? 0 : n;
        x[i] = a + (b - a) * 0.5 * (1 + x[i]);
        w[i] = 0.5 * (b - a) * w[i];
    }
    return CGCT_OK;
}

void quad_append_graded(quad_rule *q, const quad_gauss *g, double a, double b,
                        const quad_grading *grading)
{
    enum { EDGES = 64 };
    double len = b - a, d[EDGES]; /* distances of the panel edges from the singular end */
    int n = 0;
    if (!(len > 0)) return;
    for (double x = len; n < EDGES - 2; x /= grading->ratio) {
        d[n++] = x;
        if (x <= grading->hmin) break;
    }
    d[n++] = 0;
    for (int k = 0; k + 1 < n; k++) {
        int i = grading->end ? k : n - 2 - k; /* the panel between d[i] and d[i + 1] */
        double left = grading->end ? b - d[i] : a + d[i + 1];
        double right = grading->end ? b - d[i + 1] : a + d[i];
        quad_append(q, g, left, right, grading->hmax);
    }
}

/* ---- rules over an angle ---- */

static const double GRADE_RATIO = 4; /* 16 nodes on [a,4a] leave 3^-32 of a singularity at 0 */
/* A panel of 16 nodes resolves cos(m x) over so many radians of phase to 1e-14. */
static const double PANEL_PHASE = 12;
static const double PANEL_MAX = 0.8;
/* From the grade CLOSE_GRADE on, 4^-3 = 1/64, the area is small and fewer nodes suffice. */
enum { PANEL_NODES = 16, CLOSE_NODES = 10, CLOSE_GRADE = 3 };
enum { TRAPEZOID_MIN = 6, FULL_CIRCLE_MAX = 1024 };

/* Makes the nodes of q those of r; q is empty then. */
static void angle_take(angle_rule *r, const angle_rules *a, quad_rule *q)
{
    *r = (angle_rule){.n = q->n, .x = q->x, .w = q->w, .nm = a->nm};
    r->hav = memory_new(q->n, sizeof *r->hav);
    q->x = q->w = NULL;
    quad_free(q);
    for (size_t j = 0; j < r->n; j++) {
        r->hav[j] = pow(sin(r->x[j] / 2), 2);
        r->w[j] = 2 * M_PI / a->span * r->w[j];
    }
}

static void angle_fill_matrices(angle_rule *r, const int *m)
{
    const size_t nm = r->nm;
    r->weight = memory_new(2 * r->n * nm, sizeof *r->weight);
    r->cosine = r->weight + r->n * nm;
    for (size_t j = 0; j < r->n; j++)
        for (size_t im = 0; im < nm; im++) {
            double c = cos(m[im] * r->x[j]);
            r->cosine[j * nm + im] = c;
            r->weight[j * nm + im] = r->w[j] * c;
        }
}

static void angle_make_trapezoid(angle_rule *r, const angle_rules *a, size_t intervals)
{
    quad_rule q = {0};
    quad_reserve(&q, intervals + 1);
    for (size_t j = 0; j <= intervals; j++) {
        q.x[j] = a->span * (double)j / (double)intervals;
        q.w[j] = a->span / (double)intervals * (j == 0 || j == intervals ? 0.5 : 1);
    }
    q.n = intervals + 1;
    angle_take(r, a, &q);
}

static void angle_add_trapezoids(angle_rules *a)
{
    int circle = a->m_max * 4 > FULL_CIRCLE_MAX ? a->m_max * 4 : FULL_CIRCLE_MAX;
    size_t last = (size_t)(circle * a->span / (2 * M_PI)), n = TRAPEZOID_MIN;
    while (a->n_trapezoid < ANGLE_TRAPEZOIDS) {
        n = n > last ? last : n;
        a->circle[a->n_trapezoid] = round((double)n * 2 * M_PI / a->span);
        angle_make_trapezoid(&a->rule[a->n_trapezoid++], a, n);
        if (n == last) break;
        n += (n + 2) / 3;
    }
    for (int i = a->n_trapezoid; i < ANGLE_TRAPEZOIDS; i++) a->circle[i] = INFINITY;
}

static void angle_add_level(angle_rules *a, int level, const quad_gauss *g, const quad_gauss *close)
{
    const int m = a->m_level[level] = (int)ceil(a->m_max * pow(2, -level / 2.));
    size_t nm = 0;
    while (nm < a->nm && a->m[nm] <= m) nm++;
    for (int end = 0; end < (a->span < M_PI ? 1 : 2); end++)
        for (int j = 0; j < ANGLE_GRADES; j++) {
            angle_rule *r = &a->rule[ANGLE_TRAPEZOIDS + (2 * level + end) * ANGLE_GRADES + j];
            const quad_gauss *of = j < CLOSE_GRADE ? g : close;
            const double hmax = fmin(PANEL_MAX, PANEL_PHASE * of->n / PANEL_NODES / (m + 1));
            const quad_grading grading = {end, pow(GRADE_RATIO, -j), GRADE_RATIO, hmax};
            quad_rule q = {0};
            quad_append_graded(&q, of, 0, a->span, &grading);
            angle_take(r, a, &q);
            r->nm = nm;
        }
}

void angle_rules_init(angle_rules *a, size_t nm, const int *m, int symmetric, double digits,
                      int matrices)
{
    memset(a, 0, sizeof *a);
    a->nm = nm;
    a->m = m;
    a->m_max = m[nm - 1];
    a->per_order = nm > 1 ? (double)(nm - 1) / a->m_max : 0;
    a->span = symmetric ? M_PI / 2 : M_PI;
    a->decay = digits * log(10);
    angle_add_trapezoids(a);
    quad_gauss g, close;
    quad_gauss_init(&g, PANEL_NODES);
    quad_gauss_init(&close, CLOSE_NODES);
    for (int level = 0; level < ANGLE_LEVELS; level++) angle_add_level(a, level, &g, &close);
    for (int i = 0; matrices && i < ANGLE_RULES; i++)
        if (a->rule[i].n) angle_fill_matrices(&a->rule[i], m);
}

void angle_rules_free(angle_rules *a)
{
    for (int i = 0; i < ANGLE_RULES; i++) {
        angle_rule *r = &a->rule[i];
        free(r->x);
        free(r->hav);
        free(r->w);
        free(r->weight);
    }
    memset(a, 0, sizeof *a);
}
