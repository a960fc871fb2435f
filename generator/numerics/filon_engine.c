/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/bessel_impl.h"
#include "numerics/filon_impl.h"

/* Zeros, so that what stands behind the lanes of a block is a number. */
filon_work *filon_work_new(int mmax)
{
    size_t numbers = ((size_t)mmax + 1) * FILON_LANES + FILON_FUNCTIONS;
    return calloc(1, sizeof(filon_work) + numbers * sizeof(double));
}

static filon_batch *begin_batch(filon_work *s)
{
    filon_batch *b = s->batch + s->nbatch++;
    b->nlane = b->nrow = b->nsegment = b->cut = 0;
    s->last_lane = -1;
    return b;
}

static void clear(filon_work *s)
{
    s->nbatch = 0;
    begin_batch(s);
}

void filon_begin(filon_work *s, const filon_band *band, const double *q, int nm, const int *m,
                 int nk, int laguerre, double *out, size_t stride, size_t pitch)
{
    s->band = *band;
    s->q = q;
    s->nm = nm;
    s->m = m;
    s->mmax = nm > 0 ? m[nm - 1] : 0;
    s->x0 = filon_contour_phase(s->mmax);
    s->nk = nk;
    s->laguerre = laguerre;
    s->out = out;
    s->stride = stride;
    s->pitch = pitch;
    s->contour = 0;
    s->iq = 0;
    clear(s);
}

/* Coefficients are padded to 8 or 16 per row, so that the inner loop has a fixed length. */
static int padded(const filon_work *s)
{
    return s->nk <= 8 ? 8 : FILON_FUNCTIONS;
}

/* J at the lanes of panels, which are in order, at one momentum */
static void bessel_lanes(filon_work *s, const filon_batch *b, double q)
{
    double z[FILON_LANES], low[FILON_LANES];
    for (int i = 0; i < b->nlane; i++) z[i] = bessel_phase(q, b->a[i], b->u[i], &low[i]);
    bessel_J_pair(b->cut, (size_t)b->nlane, FILON_LANES, z, low, s->J);
}

void filon_flush(filon_work *s)
{
    const filon_batch *end = s->batch + s->nbatch;
    if (s->contour && s->batch->nsegment > 0) filon_product(s, s->batch, padded(s), s->iq);
    for (size_t iq = 0; !s->contour && iq < s->band.n; iq++)
        for (const filon_batch *b = s->batch; b < end && b->nsegment > 0; b++) {
            bessel_lanes(s, b, s->q[iq]);
            filon_product(s, b, padded(s), iq);
        }
    clear(s);
}

/* The block that takes so many lanes and rows. */
static filon_batch *reserve(filon_work *s, int contour, int lanes, int rows)
{
    filon_batch *b = s->batch + s->nbatch - 1;
    int full = b->nlane + lanes > FILON_LANES || b->nrow + rows > FILON_ROWS ||
               b->nsegment == FILON_SEGMENTS;
    if (s->contour == contour && !full) return b;
    if (s->contour == contour && !contour && s->nbatch < FILON_BATCHES) return begin_batch(s);
    filon_flush(s);
    s->contour = contour;
    return s->batch;
}

static void add_segment(filon_batch *b, int lane, int n, size_t column)
{
    b->segment[b->nsegment++] = (filon_segment){lane, n, b->nrow, column};
    b->nrow += n;
}

static void add_panel(filon_work *s, const filon_functions *f, double u, double h, size_t column)
{
    filon_panel p = filon_panel_at(&s->band, s->mmax, f, u, h);
    int pad = padded(s), n = p.rule.n;
    filon_batch *b = reserve(s, 0, n, n);
    if (p.cut > b->cut) b->cut = p.cut;
    filon_panel_rows(&p, f, pad, b->u + b->nlane, b->c + (size_t)b->nrow * (size_t)pad);
    for (int i = 0; i < n; i++) b->a[b->nlane + i] = f->a;
    add_segment(b, b->nlane, n, column);
    b->nlane += n;
}

/* The lanes of the contour that rises at x, whether they stand in the block already or not.  H_m
 * without its phase is smooth: an x that differs by rounding will do. */
static int contour_lane(filon_work *s, const filon_rule *rule, double x)
{
    int n = 2 * rule->n;
    filon_batch *b = s->batch;
    if (s->contour && s->last_lane >= 0 && fabs(s->last_position - x) <= 4e-16 * x &&
        b->nrow + n <= FILON_ROWS && b->nsegment < FILON_SEGMENTS)
        return s->last_lane;
    reserve(s, 1, n, n);
    filon_hankel(s->mmax, rule, s->q[s->iq] * x, s->J + b->nlane);
    b->cut = s->mmax;
    s->last_lane = b->nlane;
    s->last_position = x;
    b->nlane += n;
    return s->last_lane;
}

/* sign * Re int_x^{x + i inf} g H_m(q x) dx, x = f->a + u */
static void add_contour(filon_work *s, const filon_functions *f, double u, double sign,
                        size_t column)
{
    filon_rule rule = filon_laguerre(s->laguerre);
    int lane = contour_lane(s, &rule, f->a + u), n = rule.n, pad = padded(s);
    double re_g[FILON_FUNCTIONS * FILON_LANES], im_g[FILON_FUNCTIONS * FILON_LANES];
    filon_batch *b = s->batch;
    double y[FILON_LAGUERRE_TAIL], low, sn, cs, *c = b->c + (size_t)b->nrow * (size_t)pad;
    double q = s->q[s->iq], z = bessel_phase(q, f->a, u, &low);
    bessel_sincos(z, low, &sn, &cs);
    for (int i = 0; i < n; i++) y[i] = rule.t[i] / q;
    f->imag(f, n, u, y, re_g, im_g);
    for (int i = 0; i < n; i++) {
        /* dx = i dt/q, and the phase i e^{i z} */
        double w = sign * rule.w[i] / q, fr = -w * sn, fi = w * cs;
        for (int k = 0; k < pad; k++) {
            double re = k < f->nk ? re_g[k * FILON_LANES + i] : 0;
            double im = k < f->nk ? im_g[k * FILON_LANES + i] : 0;
            c[i * pad + k] = fr * re - fi * im;
            c[(n + i) * pad + k] = -(fr * im + fi * re);
        }
    }
    add_segment(b, lane, 2 * n, column);
}

double filon_split(const filon_work *s, const filon_functions *f, double h)
{
    double split = fmax(0, s->x0 / s->band.lo - f->a); /* infinite at q = 0 */
    return s->band.lo * (h - split) > FILON_PANEL_PHASE ? split : h;
}

void filon_add_panels(filon_work *s, const filon_functions *f, double split, size_t column)
{
    size_t n = split > 0 ? filon_panel_count(&s->band, split) : 0;
    for (size_t i = 0; i < n; i++) {
        double u = split * (double)i / (double)n;
        add_panel(s, f, u, split * (double)(i + 1) / (double)n - u, column);
    }
}

void filon_add_contours(filon_work *s, const filon_functions *f, double split, double h, size_t iq,
                        size_t column)
{
    if (!(split < h)) return;
    s->iq = iq;
    add_contour(s, f, split, 1, column);
    add_contour(s, f, h, -1, column);
}

void filon_add_interval(filon_work *s, const filon_functions *f, double h, size_t column)
{
    double split = filon_split(s, f, h);
    filon_add_panels(s, f, split, column);
    filon_add_contours(s, f, split, h, 0, column);
}

void filon_add_tail(filon_work *s, const filon_functions *f, size_t column)
{
    double split = fmax(0, s->x0 / s->band.lo - f->a), u = 0;
    while (u < split) {
        double h = filon_panel_tail(&s->band, f, u, split);
        add_panel(s, f, u, h, column);
        u = u + h < split ? u + h : split;
    }
    add_contour(s, f, split, 1, column);
}
