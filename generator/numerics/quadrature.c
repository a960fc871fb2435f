/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "numerics/quadrature.h"

#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One step of Newton: GSL tabulates few n and finds the others to 1e-10 only. */
static void polish(int n, double *x, double *w)
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

cgct_status quad_gauss_init(quad_gauss *g, int n, cgct_err *err)
{
    if (n < 1 || n > 64)
        return cgct_fail(err, CGCT_E_DOMAIN, "Gauss rule of %d nodes asked for; 1 to 64 exist", n);
    gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc((size_t)n);
    if (!t) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a Gauss rule of %d nodes", n);
    g->n = n;
    for (int i = 0; i < n; i++) {
        gsl_integration_glfixed_point(-1, 1, (size_t)i, &g->x[i], &g->w[i], t);
        polish(n, &g->x[i], &g->w[i]);
    }
    gsl_integration_glfixed_table_free(t);
    return CGCT_OK;
}

void quad_clear(quad_rule *q)
{
    q->n = 0;
}

void quad_free(quad_rule *q)
{
    free(q->x);
    free(q->w);
    free(q->panel);
    memset(q, 0, sizeof *q);
}

static cgct_status reserve(quad_rule *q, size_t n)
{
    if (n <= q->cap) return CGCT_OK;
    size_t cap = 2 * n;
    double *x = realloc(q->x, cap * sizeof *x);
    if (x) q->x = x;
    double *w = realloc(q->w, cap * sizeof *w);
    if (w) q->w = w;
    int *panel = realloc(q->panel, cap * sizeof *panel);
    if (panel) q->panel = panel;
    if (!x || !w || !panel) return CGCT_E_NOMEM;
    q->cap = cap;
    return CGCT_OK;
}

cgct_status quad_append(quad_rule *q, const quad_gauss *g, double a, double b, double hmax)
{
    if (!(b > a)) return CGCT_OK;
    size_t np = (size_t)ceil((b - a) / hmax * (1 - 1e-12));
    if (np < 1) np = 1;
    CGCT_TRY(reserve(q, q->n + np * (size_t)g->n));
    for (size_t ip = 0; ip < np; ip++) {
        double lo = a + (b - a) * (double)ip / (double)np;
        double h = (b - a) / (double)np / 2;
        for (int i = 0; i < g->n; i++) {
            q->panel[q->n] = i ? 0 : g->n;
            q->x[q->n] = lo + h * (1 + g->x[i]);
            q->w[q->n++] = h * g->w[i];
        }
    }
    return CGCT_OK;
}

cgct_status quad_append_gauss(quad_rule *q, int n, double a, double b, cgct_err *err)
{
    if (n < 1) return cgct_fail(err, CGCT_E_DOMAIN, "Gauss rule of %d nodes asked for; want 1", n);
    gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc((size_t)n);
    cgct_status st = t ? reserve(q, q->n + (size_t)n) : CGCT_E_NOMEM;
    for (int i = 0; st == CGCT_OK && i < n; i++) {
        double x, w;
        gsl_integration_glfixed_point(-1, 1, (size_t)i, &x, &w, t);
        polish(n, &x, &w);
        q->panel[q->n] = i ? 0 : n;
        q->x[q->n] = a + (b - a) * 0.5 * (1 + x);
        q->w[q->n++] = 0.5 * (b - a) * w;
    }
    if (t) gsl_integration_glfixed_table_free(t);
    if (st == CGCT_OK) return st;
    return cgct_fail(err, st, "no memory for a Gauss rule of %d nodes", n);
}

cgct_status quad_append_graded(quad_rule *q, const quad_gauss *g, double a, double b, int end,
                               double hmin, double ratio, double hmax)
{
    double len = b - a, d[64];
    int n = 0;
    if (!(len > 0)) return CGCT_OK;
    for (double x = len; n < 62; x /= ratio) { /* distances of panel edges from the singular end */
        d[n++] = x;
        if (x <= hmin) break;
    }
    d[n++] = 0;
    if (end) {
        for (int i = 0; i + 1 < n; i++) CGCT_TRY(quad_append(q, g, b - d[i], b - d[i + 1], hmax));
    } else {
        for (int i = n - 1; i > 0; i--) CGCT_TRY(quad_append(q, g, a + d[i], a + d[i - 1], hmax));
    }
    return CGCT_OK;
}
