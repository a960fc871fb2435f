/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ell_kernels.h: the modes l_m(R,s) of L(|R-s|) - L(R) and their kinks across s = R, one inline
 * text for C and CUDA.  Source: inner/separable_ell.c.
 *
 *   ell      samples at the angles of one rule; a matrix product gives their modes
 *   place    modes -> l_m on the coarse nodes, or at the nodes of the cells about R
 *   kink     the latter less the interpolation of the former; its moments onto three nodes */
#ifndef CGCT_ELL_KERNELS_H
#define CGCT_ELL_KERNELS_H
#include "inner/separable.h"
#include "direct_kernels.h"

enum { ELL_CELLS = KINK_CELLS * KINK_NODES };

/* l_m at R[at] and coarse node `to`, or where that is ns + j at point j of the cells about kink
 * `at`; nm leading orders live there. */
typedef struct {
    uint32_t at, to, nm;
} ell_pair;

typedef struct {
    size_t nm, nr, ns, kinks;
    int symmetric; /* even modes: folded about pi/2 */
    device_lnS lnS;
    const double *r, *s;
    const separable_cell *cell;      /* (ns - 1, KINK_NODES) */
    const separable_kink_rule *rule; /* (kinks) */
    double *ell, *lost, *patch;      /* (nm, nr, ns), (nm, nr, ELL_CELLS), (nm, nr, KINK_MOMENTS) */
    /* one batch: pairs first..first+count-1, n angles with sin^2(x/2) = hav */
    const ell_pair *pair;
    const double *hav;
    size_t first, count, n;
    double *F;    /* (count, n) */
    double *mode; /* (nm, count) */
} ell_view;

CGCT_KERNEL uint32_t ell_ir(const ell_view *a, const ell_pair *p)
{
    return p->to < a->ns ? p->at : a->rule[p->at].ir;
}

CGCT_KERNEL double ell_s(const ell_view *a, const ell_pair *p)
{
    return p->to < a->ns ? a->s[p->to] : a->cell[a->rule[p->at].first + (p->to - a->ns)].s;
}

/* i over (count, n) */
CGCT_KERNEL void ell_thread(const ell_view *a, size_t i)
{
    const ell_pair *p = &a->pair[a->first + i / a->n];
    double R = a->r[ell_ir(a, p)], s = ell_s(a, p), R2 = R * R;
    double cosine = 1 - 2 * a->hav[i % a->n];
    double L = direct_length(&a->lnS, R2, 0), f;
    double x = s * s - 2 * R * s * cosine;
    f = direct_length(&a->lnS, R2, x < -R2 ? -R2 : x) - L;
    if (a->symmetric) f = 0.5 * (f + (direct_length(&a->lnS, R2, s * s + 2 * R * s * cosine) - L));
    a->F[i] = f;
}

/* i over (nm, count) */
CGCT_KERNEL void place_thread(const ell_view *a, size_t i)
{
    size_t im = i / a->count;
    const ell_pair *p = &a->pair[a->first + i % a->count];
    double v = im < p->nm ? a->mode[i] * (im ? 0.31830988618379067 : 0.15915494309189535) : 0;
    size_t row = im * a->nr + ell_ir(a, p);
    if (p->to < a->ns)
        a->ell[row * a->ns + p->to] = v;
    else
        a->lost[row * ELL_CELLS + (p->to - a->ns)] = v;
}

/* i over (nm, kinks) */
CGCT_KERNEL void kink_thread(const ell_view *a, size_t i)
{
    const separable_kink_rule *k = &a->rule[i % a->kinks];
    size_t row = i / a->kinks * a->nr + k->ir;
    double *ell = a->ell + row * a->ns, *lost = a->lost + row * ELL_CELLS,
           y[KINK_MOMENTS] = {0, 0, 0}, R = a->s[k->at], h = a->s[k->at + 1] - R;
    for (int j = 0; j < ELL_CELLS; j++) {
        const separable_cell *c = &a->cell[k->first + j];
        double d = lost[j], t = (c->s - R) / h;
        for (int l = 0; l < SEPARABLE_NODES; l++) d -= c->lagrange[l] * ell[c->window + l];
        lost[j] = d;
        y[0] += c->ds * d;
        y[1] += c->ds * t * d;
        y[2] += c->ds * (t * t) * d;
    }
    for (int l = 0; l < KINK_MOMENTS; l++) {
        double x = 0;
        for (int r = 0; r < KINK_MOMENTS; r++) x += k->inverse[l][r] * y[r];
        a->patch[row * KINK_MOMENTS + l] = x;
        ell[k->at - 1 + l] += x;
    }
}
#endif
