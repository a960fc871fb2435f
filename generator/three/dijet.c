/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three/dijet.h"

#include <math.h>

enum { NWAVE_MAX = 8, N = THREE_BLOCK_MAX };

/* What depends on Delta, r' and alpha. */
typedef struct {
    double r2[N], rp2[N], dot[N], wave[NWAVE_MAX * N];
} pair;

static void prepare(const inner_integrand *f, const three_block *at, double cos_alpha, pair *p)
{
    for (size_t i = 0; i < at->n; i++) {
        double r = at->rp[i], along = at->delta * r * cos_alpha;
        double r2 = at->delta * at->delta + r * r + 2 * along;
        p->rp2[i] = r * r;
        p->r2[i] = r2 > 0 ? r2 : 0;
        p->dot[i] = r * r + along;
    }
    if (f->nwave) f->wave(f->self, at->n, p->r2, p->rp2, p->dot, p->wave);
}

/* All n points at one pair of angles; cos_ab = cos(alpha - beta). */
static void values(const three_dijet *s, const three_block *at, const pair *p, double cos_beta,
                   double cos_ab, double *to)
{
    const inner_integrand *f = &s->inner;
    double b2 = at->b * at->b, x[2 * N + 2], out[2 * N + 2], other[N];
    size_t n = at->n;
    for (size_t i = 0; i < n; i++) {
        double rb = at->rp[i] * at->b * cos_beta;
        x[i] = p->rp2[i] - 2 * rb;                                   /* |b-r'|^2 - b^2 */
        x[n + i] = p->r2[i] + 2 * (rb + at->delta * at->b * cos_ab); /* |r+b|^2 - b^2 */
    }
    x[2 * n] = 0;
    x[2 * n + 1] = at->delta * (at->delta + 2 * at->b * cos_ab);
    for (size_t i = 0; i < 2 * n + 2; i++) x[i] = x[i] > -b2 ? x[i] : -b2;
    const double *v = x;
    if (f->length) f->length(f->self, b2, 2 * n + 2, x, out), v = out;
    const inner_points q = {.n = n,
                            .delta = at->delta,
                            .R = at->b,
                            .gamma = acos(fmax(-1, fmin(1, cos_ab))),
                            .r2 = p->r2,
                            .rp2 = p->rp2,
                            .dot = p->dot,
                            .wave = p->wave,
                            .b = v[2 * n],
                            .db = v[2 * n + 1],
                            .cross = v,
                            .far = v + n};
    if (s->polarisation == THREE_DIJET_T)
        f->value(f->self, &q, to, other);
    else
        f->value(f->self, &q, other, to);
}

static void block(const void *self, const three_block *at, double *re, double *im)
{
    const three_dijet *s = self;
    (void)im;
    for (size_t ia = 0; ia < at->nalpha; ia++) {
        pair p;
        prepare(&s->inner, at, at->cos_alpha[ia], &p);
        for (size_t ib = 0; ib < at->nbeta; ib++) {
            double cb = at->cos_beta[ib];
            double cos_ab = at->cos_alpha[ia] * cb + at->sin_alpha[ia] * at->sin_beta[ib];
            values(s, at, &p, cb, cos_ab, re + (ib * at->nalpha + ia) * at->n);
        }
    }
}

three_integrand three_dijet_integrand(const three_dijet *self)
{
    return (three_integrand){.name = "dijet", .self = self, .is_symmetric = 1, .block = block};
}
