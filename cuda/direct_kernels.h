/* SPDX-License-Identifier: GPL-3.0-or-later */
/* direct_kernels.h: what each thread computes in the paper's discretisation of the inner table, as
 * inline text for C and CUDA.
 *
 * cuda-table and cuda-fused use gamma = alpha - beta in place of both angles and the symmetry
 * (alpha,beta) -> -(alpha,beta); cuda-table-blas stores all pairs of angles, as the paper does.
 *
 *   kernel     depends on                   computes
 *   wave       (Delta, s, alpha)            A, e^(A/2), weight psi.psi', |s + mu Delta|^2
 *   cross      (s, beta, R)                 L(|b-r'|) - L0
 *   assemble   (Delta, R, gamma)            L(|Delta+b|), L(|b|) and, for every (s, alpha),
 *                                           L(|r+b|), N, W and the sums over s and alpha
 *   project    (Delta, R, m)                G_m
 *   pair       (Delta, gamma)               cuda-table-blas: B and e^(B/2) at one R
 *   full       (Delta, s, alpha, beta)      cuda-table-blas: the samples at one R
 *   radial     (Delta, m)                   cuda-table-blas: the sum over s at one R
 *
 * b = R - lam Delta, r' = s - lam Delta, mu = 1 - 2 lam; L = ln S.  Where L is linear in r^2 (gbw),
 * L0 = L(R) is subtracted from every L, which avoids cancellations; elsewhere L0 = 0.
 * Source: [P: sec. tablecuda, tab. kernelsplit, alg. tablecuda]. */
#ifndef CGCT_DIRECT_KERNELS_H
#define CGCT_DIRECT_KERNELS_H
#include <math.h>

#include "dipole/dipole.h"
#include "inner/correlator.h"
#include "numerics/vmath.h"
#include "lookup.h"

/* Exponentials are not evaluated below this: e^-700 is 1e-304, close to the smallest double. */
#define EXPONENT_MIN (-700.)

/* What `wave` stores for each (Delta, s, alpha), padded to whole vectors of two numbers. */
enum { WAVE_FAR, WAVE_A, WAVE_ROOT, WAVE_T, WAVE_L, WAVE_SIZE = 6 };

/* How L(|r+b|) is found: by lookup; as a linear function; or, in the midpoint frame with an even
 * number of angles, as L(|b-r'|) at an angle that differs by pi. */
enum { FAR_LOOKUP, FAR_LINEAR, FAR_TURNED };

/* Which correlator: that of infinitely many colours, of a finite number, or its singlet part. */
enum { DIRECT_MANY, DIRECT_FEW, DIRECT_SINGLET };

typedef struct {
    int linear; /* L = slope r^2 */
    double slope;
    lookup at; /* else: L as a function of r^2 */
} device_lnS;

/* The photon's wave functions. */
typedef struct {
    double eps;    /* GeV */
    lookup K0, K1; /* e^z z K(z), z = eps r */
} device_photon;

/* One chunk of Delta and R; all pointers are to the device's memory. */
typedef struct {
    size_t nd, nr, ns, n, nk, nm; /* n angles on the circle, nk of gamma */
    double lam;
    int far;                      /* FAR_LOOKUP ... */
    int which;                    /* DIRECT_MANY ... */
    correlator colours;           /* where that is not DIRECT_MANY */
    const double *delta, *r;      /* (nd), (nr): of the chunk */
    const double *s, *weight;     /* (ns): weight s ds */
    const double *cosine, *haver; /* (n): cos(2 pi i/n), sin^2(pi i/n) */
    const double *project;        /* (nm, nk) */
    dipole_process process;
    device_lnS lnS;
    device_photon photon;
    double *wave;  /* (nd, ns, n, WAVE_SIZE) */
    double *cross; /* (ns, n/2+1, nr) */
    double *sum;   /* (2, nd, nk, nr): T then L */
    double *G;     /* (2, nm, nd, nr) */
} direct_view;

/* L - L0 at the squared length R2 + x. */
CGCT_KERNEL double direct_length(const device_lnS *d, double R2, double x)
{
    return d->linear ? d->slope * (x < -R2 ? -R2 : x) : lookup_at(&d->at, R2 + x);
}

CGCT_KERNEL double direct_L0(const device_lnS *d, double R2)
{
    return d->linear ? d->slope * R2 : 0;
}

/* e^x for an exponent of S, x <= 0. */
CGCT_KERNEL double direct_S(double x)
{
    return CGCT_EXP(x > EXPONENT_MIN ? x : EXPONENT_MIN);
}

/* What the process multiplies the correlator by at (Delta, R) and an angle between them. */
CGCT_KERNEL double direct_factor(const device_lnS *d, dipole_process process, double lam,
                                 double delta, double R, double cosine)
{
    double c0 = lam * delta, c1 = (1 - lam) * delta, L = direct_L0(d, R * R);
    if (process == PROCESS_QG || process == PROCESS_GG)
        L += direct_length(d, R * R, c0 * c0 - 2 * c0 * R * cosine);
    if (process == PROCESS_GG)
        L += direct_L0(d, R * R) + direct_length(d, R * R, c1 * c1 + 2 * c1 * R * cosine);
    return process == PROCESS_DIS ? 1 : direct_S(L);
}

/* -S4, or its singlet part, from A, B, N - B and the roots of e^A and e^B. */
CGCT_KERNEL double direct_S4(int which, correlator q, double A, double B, double N, double rootA,
                             double rootB)
{
    if (which == DIRECT_MANY) return N * expdiff_roots(A - B, rootA, rootB);
    if (which == DIRECT_FEW) return -correlator_S4(q, A, B, N, rootA * rootA);
    return -correlator_singlet(q, A, B, N, rootA * rootA);
}

/* z = eps r, but not below the first point of the table. */
CGCT_KERNEL double direct_z(double eps, const lookup *t, double r2)
{
    double z = eps * sqrt(r2);
    return z < t->lo ? t->lo : z;
}

/* The dipoles r and r' of the amplitude and its conjugate: squared lengths and r.r'. */
typedef struct {
    double r2, rp2, dot;
} direct_dipoles;

/* At Delta, s and the angle alpha between them; hav = sin^2(alpha/2). */
CGCT_KERNEL direct_dipoles direct_dipoles_at(double lam, double delta, double s, double cosine,
                                             double hav)
{
    double c0 = lam * delta, c1 = (1 - lam) * delta;
    direct_dipoles p;
    p.rp2 = (s - c0) * (s - c0) + 4 * s * c0 * hav;
    p.r2 = (s - c1) * (s - c1) + 4 * s * c1 * (1 - hav);
    p.dot = s * s + (1 - 2 * lam) * s * delta * cosine - c0 * c1;
    return p;
}

/* psi[p] = psi_p(r).psi_p(r'), p = T, L. */
CGCT_KERNEL void direct_wave(const device_photon *p, const direct_dipoles *d, double *psi)
{
    double z = direct_z(p->eps, &p->K0, d->r2), zp = direct_z(p->eps, &p->K0, d->rp2);
    double t = z < LOOKUP_K_MAX ? z : LOOKUP_K_MAX, tp = zp < LOOKUP_K_MAX ? zp : LOOKUP_K_MAX;
    double f = CGCT_EXP(-z - zp > EXPONENT_MIN ? -z - zp : EXPONENT_MIN) / (z * zp);
    psi[0] = f * lookup_at(&p->K1, t) * lookup_at(&p->K1, tp) * d->dot * p->eps * p->eps / (z * zp);
    psi[1] = f * lookup_at(&p->K0, t) * lookup_at(&p->K0, tp);
}

/* i over (nd, ns, n) */
CGCT_KERNEL void wave_thread(const direct_view *a, size_t i)
{
    size_t angle = i % a->n, is = i / a->n % a->ns, id = i / a->n / a->ns;
    double s = a->s[is], delta = a->delta[id], cosine = a->cosine[angle], mu = 1 - 2 * a->lam;
    const direct_dipoles d = direct_dipoles_at(a->lam, delta, s, cosine, a->haver[angle]);
    double A = direct_length(&a->lnS, 0, d.r2) + direct_length(&a->lnS, 0, d.rp2), psi[2];
    double *out = a->wave + i * WAVE_SIZE;
    direct_wave(&a->photon, &d, psi);
    out[WAVE_FAR] = s * s + mu * mu * delta * delta + 2 * mu * delta * s * cosine;
    out[WAVE_A] = A;
    out[WAVE_ROOT] = CGCT_EXP(A > 2 * EXPONENT_MIN ? A / 2 : EXPONENT_MIN);
    out[WAVE_T] = -a->weight[is] * psi[0]; /* the sign of S4 = -N W */
    out[WAVE_L] = -a->weight[is] * psi[1];
    out[WAVE_SIZE - 1] = 0;
}

/* i over (ns, n/2+1, nr) */
CGCT_KERNEL void cross_thread(const direct_view *a, size_t i)
{
    size_t ir = i % a->nr, j = i / a->nr % (a->n / 2 + 1), is = i / a->nr / (a->n / 2 + 1);
    double s = a->s[is], R = a->r[ir];
    a->cross[i] = direct_length(&a->lnS, R * R, s * s - 2 * s * R * a->cosine[j]);
}

/* i over (2, nm, nd, nr) */
CGCT_KERNEL void project_thread(const direct_view *a, size_t i)
{
    size_t ir = i % a->nr, id = i / a->nr % a->nd, im = i / a->nr / a->nd % a->nm;
    size_t pol = i / a->nr / a->nd / a->nm;
    const double *sum = a->sum + (pol * a->nd + id) * a->nk * a->nr + ir;
    double G = 0;
    for (size_t k = 0; k < a->nk; k++) G += a->project[im * a->nk + k] * sum[k * a->nr];
    a->G[i] = G;
}

/* ---- assemble: the kernel that evaluates every sample (Delta, s, R, gamma, alpha) ----
 *
 * A block has one Delta, 32 neighbouring R (the lanes of a warp) and 33 gamma: 11 warps with 3
 * each, whose sums stay in registers.  From one R to the next the squared length |r+b|^2 changes
 * little, so that the lookups of a warp fall into few neighbouring cells; what depends only on
 * (Delta, s, alpha) is the same for all lanes.  The block loops over s and over tiles of alpha, and
 * keeps the factors of each step in shared memory. */
enum {
    TILE_R = 32,
    TILE_WARPS = 11,
    TILE_OWN = 3, /* gamma of one thread */
    TILE_GAMMA = TILE_WARPS * TILE_OWN,
    TILE_ALPHA = 64,
    TILE_BETA = TILE_ALPHA + TILE_GAMMA - 1,
    TILE_THREADS = TILE_R * TILE_WARPS
};

typedef struct {
    double wave[TILE_ALPHA][WAVE_SIZE];
    double cross[TILE_BETA][TILE_R]; /* row j: beta = alpha - gamma */
    double turn[TILE_BETA];          /* 2 s cos(beta) */
} assemble_shared;

typedef struct {
    double R, far[TILE_OWN], B[TILE_OWN], rootB[TILE_OWN], dB[TILE_OWN];
    double shift; /* linear L: the part of L(|r+b|) - dB that depends on Delta alone; the parts with
                   * R cos(gamma) cancel */
    double T[TILE_OWN], L[TILE_OWN];
} assemble_state;

/* The Delta of a block, its first R and its first gamma. */
typedef struct {
    int id, r0, k0;
} assemble_place;

CGCT_KERNEL size_t direct_tiles(size_t n, size_t of)
{
    return (n + of - 1) / of;
}

CGCT_KERNEL assemble_place assemble_at(const direct_view *a, unsigned block)
{
    unsigned tr = (unsigned)direct_tiles(a->nr, TILE_R);
    unsigned tk = (unsigned)direct_tiles(a->nk, TILE_GAMMA);
    assemble_place p = {(int)(block / tr / tk), (int)(block % tr * TILE_R),
                        (int)(block / tr % tk * TILE_GAMMA)};
    return p;
}

/* Threads beyond the last R or gamma repeat the last one and store nothing. */
CGCT_KERNEL int direct_last(int i, size_t n)
{
    return i < (int)n ? i : (int)n - 1;
}

CGCT_KERNEL void assemble_begin(const direct_view *a, assemble_place p, int thread,
                                assemble_state *q)
{
    int ir = direct_last(p.r0 + thread % TILE_R, a->nr);
    double delta = a->delta[p.id], mu = 1 - 2 * a->lam, R = q->R = a->r[ir];
    double c0 = a->lam * delta, c1 = (1 - a->lam) * delta, L0 = direct_L0(&a->lnS, R * R);
    q->shift = -c0 * c0 - c1 * c1;
    for (int t = 0; t < TILE_OWN; t++) {
        double cosine = a->cosine[direct_last(p.k0 + thread / TILE_R * TILE_OWN + t, a->nk)];
        q->dB[t] = direct_length(&a->lnS, R * R, c0 * c0 - 2 * c0 * R * cosine) +
                   direct_length(&a->lnS, R * R, c1 * c1 + 2 * c1 * R * cosine);
        double B = q->dB[t] + 2 * L0;
        q->B[t] = B < 0 ? B : 0;
        q->rootB[t] = CGCT_EXP(B > 2 * EXPONENT_MIN ? q->B[t] / 2 : EXPONENT_MIN);
        q->far[t] = 2 * mu * delta * R * cosine + R * R;
        q->T[t] = q->L[t] = 0;
    }
}

/* Fills the shared memory for one step: node `is` of s and the tile of alpha from i0 on. */
CGCT_KERNEL void assemble_stage(const direct_view *a, assemble_place p, int is, int i0, int thread,
                                assemble_shared *sh)
{
    int n = (int)a->n, half = n / 2 + 1;
    int count = (n - i0 < TILE_ALPHA ? n - i0 : TILE_ALPHA) * WAVE_SIZE;
    const double *wave =
        a->wave + (((size_t)p.id * a->ns + (size_t)is) * a->n + (size_t)i0) * WAVE_SIZE;
    const double *cross =
        a->cross + (size_t)is * (size_t)half * a->nr + direct_last(p.r0 + thread % TILE_R, a->nr);
    for (int i = thread; i < count; i += TILE_THREADS)
        sh->wave[i / WAVE_SIZE][i % WAVE_SIZE] = wave[i];
    /* row 0 is alpha = i0 less the block's last gamma; angles are taken modulo a turn */
    int row = thread / TILE_R;
    int j = (i0 + n - (p.k0 + TILE_GAMMA - 1) % n + row) % n;
    for (; row < TILE_BETA; row += TILE_WARPS) {
        int fold = j < half ? j : n - j;
        double v = cross[(size_t)fold * a->nr];
        if (a->far == FAR_TURNED) v += cross[(size_t)(n / 2 - fold) * a->nr];
        sh->cross[row][thread % TILE_R] = v;
        if (thread % TILE_R == 0) sh->turn[row] = 2 * a->s[is] * a->cosine[fold];
        for (j += TILE_WARPS; j >= n;) j -= n;
    }
}

/* Adds one sample at each gamma of the thread.  `far` and `which` are constants where this is
 * inlined. */
CGCT_KERNEL void assemble_add(const direct_view *a, const assemble_shared *sh, int i, int thread,
                              int far, int which, assemble_state *q)
{
    const double *w = sh->wave[i];
    double w_far = w[WAVE_FAR], A = w[WAVE_A], root = w[WAVE_ROOT], T = w[WAVE_T], L = w[WAVE_L];
    if (far == FAR_LINEAR) w_far += q->shift;
    int row0 = i + TILE_GAMMA - 1 - thread / TILE_R * TILE_OWN;
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int t = 0; t < TILE_OWN; t++) {
        double N = sh->cross[row0 - t][thread % TILE_R], turn = q->R * sh->turn[row0 - t];
        if (far == FAR_LOOKUP) N += lookup_at(&a->lnS.at, q->far[t] + w_far + turn) - q->B[t];
        if (far == FAR_LINEAR) N += a->lnS.slope * (w_far + turn);
        if (far == FAR_TURNED) N -= q->dB[t];
        double S = direct_S4(which, a->colours, A, q->B[t], N, root, q->rootB[t]);
        q->T[t] += T * S;
        q->L[t] += L * S;
    }
}

CGCT_KERNEL void assemble_end(const direct_view *a, assemble_place p, int thread,
                              const assemble_state *q)
{
    size_t ir = (size_t)(p.r0 + thread % TILE_R), id = (size_t)p.id;
    for (int t = 0; t < TILE_OWN; t++) {
        size_t k = (size_t)(p.k0 + thread / TILE_R * TILE_OWN + t);
        if (ir >= a->nr || k >= a->nk) continue;
        double f = direct_factor(&a->lnS, a->process, a->lam, a->delta[id], q->R, a->cosine[k]);
        a->sum[(id * a->nk + k) * a->nr + ir] = f * q->T[t];
        a->sum[((a->nd + id) * a->nk + k) * a->nr + ir] = f * q->L[t];
    }
}

/* ---- the paper's own projection: all angles alpha and beta at one R ---- */

typedef struct {
    direct_view v;     /* nr = 1: r and cross are those of this R */
    double *pair;      /* (nd, n, 2): B and e^(B/2) at each gamma */
    double *sample;    /* (2, nd, ns, n, n) */
    double *projected; /* (2, nd, ns, nm) */
    double *G;         /* (2, nm, nd, columns), of which this is one */
    size_t column, columns;
} full_view;

/* i over (nd, n) */
CGCT_KERNEL void pair_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    double delta = v->delta[i / v->n], cosine = v->cosine[i % v->n], R = v->r[0];
    double c0 = v->lam * delta, c1 = (1 - v->lam) * delta;
    double B = direct_length(&v->lnS, R * R, c0 * c0 - 2 * c0 * R * cosine) +
               direct_length(&v->lnS, R * R, c1 * c1 + 2 * c1 * R * cosine) +
               2 * direct_L0(&v->lnS, R * R);
    a->pair[2 * i] = B < 0 ? B : 0;
    a->pair[2 * i + 1] = CGCT_EXP(B > 2 * EXPONENT_MIN ? a->pair[2 * i] / 2 : EXPONENT_MIN);
}

/* i over (nd, ns, n, n): Delta, s, alpha, beta */
CGCT_KERNEL void full_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    size_t n = v->n, beta = i % n, alpha = i / n % n, is = i / n / n % v->ns,
           id = i / n / n / v->ns;
    size_t gamma = (alpha + n - beta) % n, fold = beta < n / 2 + 1 ? beta : n - beta;
    const double *w = v->wave + ((id * v->ns + is) * n + alpha) * WAVE_SIZE;
    const double *pair = a->pair + 2 * (id * n + gamma);
    double R = v->r[0], mu = 1 - 2 * v->lam, L0 = direct_L0(&v->lnS, R * R);
    double x = w[WAVE_FAR] + 2 * mu * v->delta[id] * R * v->cosine[gamma] +
               2 * v->s[is] * R * v->cosine[beta];
    double N =
        v->cross[is * (n / 2 + 1) + fold] + direct_length(&v->lnS, R * R, x) - (pair[0] - 2 * L0);
    double S = direct_S4(v->which, v->colours, w[WAVE_A], pair[0], N, w[WAVE_ROOT], pair[1]) *
               direct_factor(&v->lnS, v->process, v->lam, v->delta[id], R, v->cosine[gamma]);
    a->sample[i] = w[WAVE_T] * S;
    a->sample[v->nd * v->ns * n * n + i] = w[WAVE_L] * S;
}

/* i over (2, nm, nd): the sum over s, whose weights are part of the wave functions */
CGCT_KERNEL void radial_thread(const full_view *a, size_t i)
{
    const direct_view *v = &a->v;
    size_t id = i % v->nd, im = i / v->nd % v->nm, pol = i / v->nd / v->nm;
    const double *from = a->projected + (pol * v->nd + id) * v->ns * v->nm + im;
    double G = 0;
    for (size_t is = 0; is < v->ns; is++) G += from[is * v->nm];
    a->G[i * a->columns + a->column] = G;
}
#endif
