/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_kernels.h: the bodies of the kernels of cuda-separable, one inline text for C and CUDA.
 * Between them stand matrix products.  Source: METHOD.md section 3; names as in separable_impl.h.
 *
 *   phi      F = psi(r).psi(r') u_k(A) at the angles of one rule, for nodes (Delta, s) that use it
 *   spread   modes of F at the fine nodes of s -> coarse nodes, cells about the centres, and P_k
 *   near     R_{k,m} next to a centre: what interpolation loses of l_m against phi itself
 *   gather   R_{k,m} at the points (Delta, R) that use one rule in gamma
 *   combine  g at the angles of that rule from sum_m cos(m gamma) R_{k,m}
 *   scatter  modes of g -> G_m(Delta,R)
 *
 * A column is one (polarisation, k); ncol = 2 rank of them. */
#ifndef CGCT_SEPARABLE_KERNELS_H
#define CGCT_SEPARABLE_KERNELS_H
#include "../generator/skeleton.h"
#include "direct_kernels.h"

/* A fine node of s: of which Delta of the chunk, and how many leading orders live there. */
typedef struct {
    double s;
    uint32_t id, nm;
} separable_node;

/* One R next to a centre at one Delta: row of phi where its cells start, node of s at R. */
typedef struct {
    uint32_t id, ir, row, at;
} separable_close;

typedef struct {
    uint32_t id, ir, nm; /* a point (Delta, R) of the chunk */
} separable_point;

/* One chunk of Delta. */
typedef struct {
    size_t nd, nr, ns, nm, rank, ncol, nodes, rows, cells; /* rows: ns, cells, P; cells: of R */
    double eps, lam;
    device_lnS lnS;
    lookup K0, K1;
    const skeleton *w;
    const double *delta, *r;      /* (nd), (nr) */
    const double *ridge;          /* (2, nd) or NULL */
    const double *lost, *patch;   /* (nm, nr, cells), (nm, nr, 3) */
    const separable_node *node;   /* (nodes), those of one rule together */
    const uint32_t *start, *from; /* (nd rows + 1); from[start[i]..]: nodes that row i takes */
    const double *share;          /* (number of from): with what weight */
    const separable_close *close;
    double *mode;   /* (nm, nodes, ncol) */
    double *phi;    /* (nm, rows, nd, ncol) */
    double *R;      /* (nm, nr, nd, ncol) */
    double *G;      /* (2, nm, nd, nr) */
    double *origin; /* (2): g at the first Delta and R, or NULL */
    /* one batch: count nodes or points from `first` on, n angles with sin^2(x/2) = hav */
    size_t first, n, count;
    const double *hav;
    const separable_point *point;
    double *F;   /* (count, ncol, n) */
    double *Rg;  /* (nm, count, ncol) */
    double *sum; /* (n, count, ncol) */
    double *g;   /* (count, 2, n) */
    double *Gm;  /* (count, 2, nm) */
} separable_view;

/* i over (count, n) */
CGCT_KERNEL void phi_thread(const separable_view *a, size_t i)
{
    size_t j = i % a->n;
    const separable_node *node = &a->node[a->first + i / a->n];
    const skeleton *w = a->w;
    double s = node->s, delta = a->delta[node->id], hav = a->hav[j], psi[2];
    double c0 = a->lam * delta, c1 = (1 - a->lam) * delta;
    double rp2 = (s - c0) * (s - c0) + 4 * s * c0 * hav;
    double r2 = (s - c1) * (s - c1) + 4 * s * c1 * (1 - hav);
    double dot = s * s + (1 - 2 * a->lam) * s * delta * (1 - 2 * hav) - c0 * c1;
    double A = direct_length(&a->lnS, 0, r2) + direct_length(&a->lnS, 0, rp2);
    double eA = A > -700 ? CGCT_EXP(A) : 0, *F = a->F + i / a->n * a->ncol * a->n + j;
    direct_wave(a->eps, &a->K0, &a->K1, r2, rp2, dot, &psi[0], &psi[1]);
    for (size_t k = 0; k < a->rank; k++) {
        double u = (1 - w->B[k]) * correlator_W_known(A, w->B[k], eA, w->eB[k]);
        F[k * a->n] = psi[0] * u;
        F[(a->rank + k) * a->n] = psi[1] * u;
    }
}

/* i over (nm, rows, nd, ncol); orders that do not live at a node are left out */
CGCT_KERNEL void spread_thread(const separable_view *a, size_t i)
{
    size_t c = i % a->ncol, id = i / a->ncol % a->nd, row = i / a->ncol / a->nd % a->rows;
    size_t im = i / a->ncol / a->nd / a->rows, at = id * a->rows + row;
    const double *mode = a->mode + im * a->nodes * a->ncol + c;
    double v = 0;
    for (uint32_t e = a->start[at]; e < a->start[at + 1]; e++) {
        uint32_t node = a->from[e];
        if (im < a->node[node].nm) v += a->share[e] * mode[node * a->ncol];
    }
    a->phi[i] = v;
}

/* i over (number of close, nm, ncol) */
CGCT_KERNEL void near_thread(const separable_view *a, size_t i)
{
    size_t c = i % a->ncol, im = i / a->ncol % a->nm, step = a->nd * a->ncol;
    const separable_close *n = &a->close[i / a->ncol / a->nm];
    const double *phi = a->phi + im * a->rows * step + n->id * a->ncol + c,
                 *cell = phi + n->row * step;
    const double *lost = a->lost + (im * a->nr + n->ir) * a->cells;
    const double *patch = a->patch + (im * a->nr + n->ir) * 3;
    double v = 0;
    for (size_t j = 0; j < a->cells; j++) v += lost[j] * cell[j * step];
    for (size_t k = 0; k < 3; k++) v -= patch[k] * phi[(n->at - 1 + k) * step];
    a->R[(im * a->nr + n->ir) * step + n->id * a->ncol + c] += v;
}

/* i over (nm, count, ncol) */
CGCT_KERNEL void gather_thread(const separable_view *a, size_t i)
{
    size_t c = i % a->ncol, im = i / a->ncol / a->count;
    const separable_point *p = &a->point[a->first + i / a->ncol % a->count];
    a->Rg[i] = im < p->nm ? a->R[((im * a->nr + p->ir) * a->nd + p->id) * a->ncol + c] : 0;
}

/* v_k(B), k = 0..rank-1: C v = W(A_k, B) by the factors of C. */
CGCT_KERNEL void separable_v(const skeleton *w, double B, double *v)
{
    double eB = B > -700 ? CGCT_EXP(B) : 0;
    for (int k = 0; k < w->rank; k++) {
        double y = correlator_W_known(w->A[k], B, w->eA[k], eB);
        for (int l = 0; l < k; l++) y -= w->lower[k * SKELETON_RANK_MAX + l] * v[l];
        v[k] = y;
    }
    for (int k = w->rank - 1; k >= 0; k--) {
        double y = v[k];
        for (int l = k + 1; l < w->rank; l++) y -= w->upper[k * SKELETON_RANK_MAX + l] * v[l];
        v[k] = y / w->upper[k * SKELETON_RANK_MAX + k];
    }
}

/* i over (count, n) */
CGCT_KERNEL void combine_thread(const separable_view *a, size_t i)
{
    size_t j = i % a->n, at = i / a->n;
    const separable_point *p = &a->point[a->first + at];
    double delta = a->delta[p->id], R = a->r[p->ir], cosine = 1 - 2 * a->hav[j];
    double c0 = a->lam * delta, c1 = (1 - a->lam) * delta, v[SKELETON_RANK_MAX];
    double L0 = direct_L0(&a->lnS, R * R), L = L0 + direct_length(&a->lnS, R * R, 0);
    double x1 = c1 * c1 + 2 * c1 * R * cosine, x0 = c0 * c0 - 2 * c0 * R * cosine;
    double d1 = direct_length(&a->lnS, R * R, x1) + (L0 - L);
    double d0 = direct_length(&a->lnS, R * R, x0) + (L0 - L);
    double dB = d1 + d0, B = 2 * L + dB;
    const double *sum = a->sum + (j * a->count + at) * a->ncol;
    const double *P = a->phi + ((a->rows - 1) * a->nd + p->id) * a->ncol;
    separable_v(a->w, B < 0 ? B : 0, v);
    for (size_t pol = 0; pol < 2; pol++) {
        double g = 0;
        for (size_t k = 0; k < a->rank; k++)
            g -= v[k] * (2 * sum[pol * a->rank + k] - dB * P[pol * a->rank + k]);
        if (a->origin && p->id == 0 && p->ir == 0 && j == 0) a->origin[pol] = g;
        if (a->ridge)
            g -= a->ridge[pol * a->nd + p->id] * (CGCT_EXP(L + d1 > -700 ? L + d1 : -700) +
                                                  CGCT_EXP(L + d0 > -700 ? L + d0 : -700));
        a->g[(at * 2 + pol) * a->n + j] = g;
    }
}

/* i over (2, nm, count) */
CGCT_KERNEL void scatter_thread(const separable_view *a, size_t i)
{
    size_t at = i % a->count, im = i / a->count % a->nm, pol = i / a->count / a->nm;
    const separable_point *p = &a->point[a->first + at];
    a->G[((pol * a->nm + im) * a->nd + p->id) * a->nr + p->ir] =
        im < p->nm ? a->Gm[(at * 2 + pol) * a->nm + im] : 0;
}
#endif
