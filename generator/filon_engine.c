/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bessel_impl.h"
#include "filon_impl.h"
#include "fmadd.h"

filon_work *filon_work_new(int mmax)
{
    filon_work *s = malloc(sizeof *s + ((size_t)mmax + 1) * FILON_LANES * sizeof(double));
    if (s) s->nlane = s->nrow = s->nsegment = 0;
    return s;
}

static void clear(filon_work *s)
{
    s->nlane = s->nrow = s->nsegment = 0;
    s->last_lane = -1;
    s->cut = 0;
}

void filon_begin(filon_work *s, double q, int nm, const int *m, int nk, int laguerre, double *out,
                 size_t stride)
{
    s->q = q;
    s->nm = nm;
    s->m = m;
    s->mmax = nm > 0 ? m[nm - 1] : 0;
    s->x0 = fmax(FILON_X0_MIN, FILON_X0_PER_ORDER * s->mmax);
    s->nk = nk;
    s->laguerre = laguerre;
    s->out = out;
    s->stride = stride;
    s->contour = 0;
    clear(s);
}

/* Coefficients are padded to 8 or 16 per row, so that the inner loop has a fixed length. */
static int padded(const filon_work *s)
{
    return s->nk <= 8 ? 8 : FILON_FUNCTIONS;
}

void filon_flush(filon_work *s)
{
    if (s->nsegment > 0) {
        if (!s->contour) bessel_J_pair(s->cut, (size_t)s->nlane, FILON_LANES, s->z, s->low, s->J);
        filon_product(s, padded(s));
    }
    clear(s);
}

static void reserve(filon_work *s, int contour, int lanes, int rows)
{
    if (s->contour != contour || s->nlane + lanes > FILON_LANES || s->nrow + rows > FILON_ROWS ||
        s->nsegment == FILON_SEGMENTS)
        filon_flush(s);
    s->contour = contour;
}

static void add_segment(filon_work *s, int lane, int n, size_t column)
{
    s->segment[s->nsegment++] = (filon_segment){lane, n, s->nrow, column};
    s->nrow += n;
}

/* z + low = q (a + u), to twice the working precision as far as a and u are exact */
static void phase(double q, double a, double u, double *z, double *low)
{
    double qa = q * a, qu = q * u, sum = qa + qu, part = sum - qa;
    *z = sum;
    *low = (qa - (sum - part)) + (qu - part) + (fma(q, a, -qa) + fma(q, u, -qu));
}

static void add_panel(filon_work *s, const filon_functions *f, double u0, double h, size_t column)
{
    double a = f->a + u0, b = a + h;
    int beyond = s->q * a < s->mmax, cut = beyond ? bessel_order_cut(s->q * b) : s->mmax;
    if (cut > s->mmax) cut = s->mmax;
    filon_rule rule =
        filon_gauss(filon_gauss_nodes(s->q * h, a, b, beyond ? cut : 0, f->degree, f->power));
    reserve(s, 0, rule.n, rule.n);
    if (cut > s->cut) s->cut = cut;
    int pad = padded(s);
    double u[FILON_GAUSS_MAX], *c = s->c + (size_t)s->nrow * pad;
    for (int i = 0; i < rule.n; i++) {
        u[i] = u0 + h * rule.t[i];
        phase(s->q, f->a, u[i], &s->z[s->nlane + i], &s->low[s->nlane + i]);
    }
    f->real(f, rule.n, u, s->g[0]);
    for (int i = 0; i < rule.n; i++)
        for (int k = 0; k < pad; k++)
            c[i * pad + k] = k < f->nk ? h * rule.w[i] * s->g[0][k * FILON_LANES + i] : 0;
    add_segment(s, s->nlane, rule.n, column);
    s->nlane += rule.n;
}

/* The lanes of the contour that rises at x, whether they stand in the block already or not.  H_m
 * without its phase is smooth: an x that differs by rounding will do. */
static int contour_lane(filon_work *s, const filon_rule *rule, double x)
{
    int n = 2 * rule->n;
    if (s->contour && s->last_lane >= 0 && fabs(s->last_position - x) <= 4e-16 * x &&
        s->nrow + n <= FILON_ROWS && s->nsegment < FILON_SEGMENTS)
        return s->last_lane;
    reserve(s, 1, n, n);
    filon_hankel(s->mmax, rule, s->q * x, s->J + s->nlane);
    s->cut = s->mmax;
    s->last_lane = s->nlane;
    s->last_position = x;
    s->nlane += n;
    return s->last_lane;
}

/* sign * Re int_x^{x + i inf} g H_m(q x) dx, x = f->a + u */
static void add_contour(filon_work *s, const filon_functions *f, double u, double sign,
                        size_t column)
{
    filon_rule rule = filon_laguerre(s->laguerre);
    int lane = contour_lane(s, &rule, f->a + u), n = rule.n, pad = padded(s);
    double y[FILON_LAGUERRE_TAIL], z, low, sn, cs, *c = s->c + (size_t)s->nrow * pad;
    phase(s->q, f->a, u, &z, &low);
    bessel_sincos(z, low, &sn, &cs);
    for (int i = 0; i < n; i++) y[i] = rule.t[i] / s->q;
    f->imag(f, n, u, y, s->g[0], s->g[1]);
    for (int i = 0; i < n; i++) {
        /* dx = i dt/q, and the phase i e^{i z} */
        double w = sign * rule.w[i] / s->q, fr = -w * sn, fi = w * cs;
        for (int k = 0; k < pad; k++) {
            double re = k < f->nk ? s->g[0][k * FILON_LANES + i] : 0;
            double im = k < f->nk ? s->g[1][k * FILON_LANES + i] : 0;
            c[i * pad + k] = fr * re - fi * im;
            c[(n + i) * pad + k] = -(fr * im + fi * re);
        }
    }
    add_segment(s, lane, 2 * n, column);
}

static void add_panels(filon_work *s, const filon_functions *f, double h, size_t column)
{
    int n = (int)ceil(s->q * h / FILON_PANEL_PHASE);
    if (n < 1) n = 1;
    for (int i = 0; i < n; i++) {
        double u = h * i / n;
        add_panel(s, f, u, h * (i + 1) / n - u, column);
    }
}

void filon_add_interval(filon_work *s, const filon_functions *f, double h, size_t column)
{
    double split = fmax(0, s->x0 / s->q - f->a); /* infinite at q = 0 */
    if (!(s->q * (h - split) > FILON_PANEL_PHASE)) {
        add_panels(s, f, h, column);
        return;
    }
    if (split > 0) add_panels(s, f, split, column);
    add_contour(s, f, split, 1, column);
    add_contour(s, f, h, -1, column);
}

void filon_add_tail(filon_work *s, const filon_functions *f, size_t column)
{
    double split = fmax(0, s->x0 / s->q - f->a), u = 0;
    while (u < split) {
        /* panels grow by half of x, so that inverse powers are resolved, up to the phase of a panel
         */
        double h = fmin(0.5 * (f->a + u), FILON_PANEL_PHASE / s->q);
        if (u + 1.001 * h > split) h = split - u;
        add_panel(s, f, u, h, column);
        u = u + h < split ? u + h : split;
    }
    add_contour(s, f, split, 1, column);
}
