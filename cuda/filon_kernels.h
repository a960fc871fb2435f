/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_kernels.h: what each thread computes for the Filon weights, as inline text for C and CUDA.
 *
 *   bessel   J_m at every lane and momentum of a chunk
 *   widen    weight times g_j(x) for every lane, as a row of a few numbers and zeros
 *   weigh    sums over the lanes: weights, or integrals of the tail
 *   tail     integrals of inverse powers along the contour; a product with the fit follows
 *
 * Source: numerics/filon_parts.h, where lanes, groups and bands are defined. */
#ifndef CGCT_FILON_KERNELS_H
#define CGCT_FILON_KERNELS_H
#include "numerics/filon_parts.h"
#include "numerics/bessel_point.h"

/* Sums over lanes that go to one place, weights or integrals of the tail. */
typedef struct {
    size_t ngroup;
    const uint32_t *start;  /* (ngroup + 1): first lanes of the groups, counted in the plan */
    size_t begin, end;      /* the lanes of the chunk in these groups */
    size_t first, count;    /* groups of columns to be summed */
    size_t columns, stride; /* numbers of one momentum, and from one order to the next */
    double *out;            /* (nm, nq, columns) += */
} filon_sums;

/* Lanes and momenta of one band; for the tail, all momenta. */
typedef struct {
    size_t nlane, nq, nm, nk, nterm; /* nk functions of an interval, nterm of the tail */
    size_t begin;                    /* the first of these lanes, counted in the plan */
    filon_sums sums;
    bessel_terms terms;
    const int *m;                /* (nm) */
    const double *q;             /* (nq) */
    const double *x, *bary;      /* (nx), (nx-1, nk) */
    const uint32_t *window;      /* (nx-1): first node of each */
    const filon_lane *lane;      /* (nlane) */
    double *J;                   /* (nm, nlane, nq) */
    double *C;                   /* (nlane, FILON_ROW): nodes from the first of the group on */
    double last;                 /* node where the tail begins */
    const double *split;         /* (nq): the contour rises at last + split */
    const double *power;         /* (nterm) */
    const double *node, *weight; /* (FILON_LAGUERRE_TAIL) */
    double *T;                   /* (nm, nq, nterm) */
} filon_view;

/* i over (nlane, nq) */
CGCT_KERNEL void bessel_thread(const filon_view *v, size_t i)
{
    const filon_lane *at = &v->lane[i / v->nq];
    double a = at->interval == FILON_TAIL ? v->last : v->x[at->interval];
    double low, z = bessel_phase(v->q[i % v->nq], a, at->u, &low);
    bessel_orders(&v->terms, z, low, v->nm, v->m, v->J + i, v->nlane * v->nq);
}

/* i over (nlane, FILON_ROW) */
CGCT_KERNEL void widen_thread(const filon_view *v, size_t i)
{
    const filon_lane *at = &v->lane[i / FILON_ROW];
    int tail = at->interval == FILON_TAIL;
    size_t window = tail ? 0 : v->window[at->interval];
    size_t k = i % FILON_ROW - window % FILON_GROUP; /* wraps to a huge number before the window */
    double g = 0;
    if (tail && k < v->nterm) g = filon_real_power(v->last, at->u, v->power[k]);
    if (!tail && k < v->nk)
        g = filon_cardinal(v->nk, v->x + window, v->bary + at->interval * v->nk, v->x[at->interval],
                           at->u, k);
    v->C[i] = at->weight * g;
}

/* So many orders share what `weigh` reads of C. */
enum { WEIGH_ORDERS = 2 };

/* i over (nm/WEIGH_ORDERS, count, nq) */
CGCT_KERNEL void weigh_thread(const filon_view *v, size_t i)
{
    const filon_sums *s = &v->sums;
    const size_t iq = i % v->nq, to = s->first + i / v->nq % s->count;
    const size_t im = i / v->nq / s->count * WEIGH_ORDERS, plane = v->nlane * v->nq;
    const double *J = v->J + im * plane + iq, *J2 = im + 1 < v->nm ? J + plane : J;
    double sum[WEIGH_ORDERS][FILON_GROUP] = {{0}};
    for (size_t g = to ? to - 1 : 0; g <= to && g < s->ngroup; g++) {
        const size_t first = s->start[g] > s->begin ? s->start[g] : s->begin;
        const size_t last = s->start[g + 1] < s->end ? s->start[g + 1] : s->end;
        for (size_t lane = first - v->begin; lane + v->begin < last; lane++) {
            const double *C = v->C + lane * FILON_ROW + (to - g) * FILON_GROUP;
            const double one = J[lane * v->nq], two = J2[lane * v->nq];
            for (size_t k = 0; k < FILON_GROUP; k++) sum[0][k] += one * C[k];
            for (size_t k = 0; k < FILON_GROUP; k++) sum[1][k] += two * C[k];
        }
    }
    double *out = s->out + im * s->stride + iq * s->columns;
    for (size_t l = 0; l < WEIGH_ORDERS && im + l < v->nm; l++)
        for (size_t k = 0; k < FILON_GROUP && to * FILON_GROUP + k < s->columns; k++)
            out[l * s->stride + to * FILON_GROUP + k] += sum[l][k];
}

/* i over (nq, nterm): T += Re int x (x/last)^-power H_m(q x) dx along x = last + split + i y */
CGCT_KERNEL void tail_thread(const filon_view *v, size_t i)
{
    size_t iq = i / v->nterm, stride = v->nq * v->nterm;
    double q = v->q[iq], u = v->split[iq], low, sine, cosine;
    double z = bessel_phase(q, v->last, u, &low), at = q * (v->last + u);
    bessel_sincos(z, low, &sine, &cosine);
    for (int l = 0; l < FILON_LAGUERRE_TAIL; l++) {
        double w = v->weight[l] / q; /* dx = i dt/q, and the phase i e^{i z} */
        bessel_complex turn = {-w * sine, w * cosine};
        bessel_complex g = filon_power(v->last, u, v->node[l] / q, v->power[i % v->nterm]);
        bessel_complex r = bessel_inverse(at, v->node[l]), f = bessel_times(turn, g);
        bessel_complex two = bessel_hankel_first(&v->terms, 0, r);
        bessel_complex one = bessel_hankel_first(&v->terms, 1, r);
        for (size_t im = 0, n = 0; im < v->nm; n++) { /* two = H_n, one = H_(n+1) */
            if (v->m[im] == (int)n) v->T[im++ * stride + i] += f.re * two.re - f.im * two.im;
            bessel_complex next = bessel_hankel_step(2.0 * ((double)n + 1), one, two, r);
            two = one;
            one = next;
        }
    }
}
#endif
