/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_momentum.h: the six-dimensional Fourier transform as three sequential Hankel transforms,
 * for any integrand; knows no physics.                        Source: [P: sec. threek, alg.
 * threek].
 *
 *   C_mn(Delta,r',b) = 1/(2 pi)^2 int dalpha dbeta exp[i (m alpha + n beta)] G
 *   H_mn(q,Delta,r') = int b db J_n(q b) C_mn
 *   K_mn(q,p;Delta)  = int r' dr' J_-(m+n)(p r') H_mn
 *   A_mn(k,p,q)      = int Delta dDelta J_m(k Delta) K_mn
 *   F(k,p,q)         = (2 pi)^3 Sum_mn exp[i (m+n) phi_p - i n phi_q] A_mn        k along phi = 0
 *
 * Each integral is a sum with Filon weights; nothing larger than H for some rows of Delta is held.
 * The sums over beta and over b involve n only and the sum over alpha m only, so they are done in
 * the order beta, b, alpha: alpha is then projected once for each (Delta,r') instead of once for
 * each (Delta,r',b), which halves the work and changes no result beyond rounding.
 *
 * Every sum is done twice from the same samples: with the weights asked for, and with coarser ones
 * (degree two lower, the last tenth of each axis left out); the difference bounds the error. */
#ifndef CGCT_THREE_MOMENTUM_H
#define CGCT_THREE_MOMENTUM_H
#include "numerics/filon.h"
#include "three/three_integrand.h"

#define THREE_DEGREE_MIN (FILON_DEGREE_MIN + 2)
#define THREE_DEGREE_DEFAULT FILON_DEGREE_MAX
#define THREE_ORDER_MAX (FILON_ORDER_MAX / 2)
#define THREE_BYTES_DEFAULT ((size_t)4 << 30)

/* Nodes of one length and the momenta that belong to it. */
typedef struct {
    size_t n;
    const double *node; /* 1/GeV, rising from 0 or above */
    size_t nmom;
    const double *mom;           /* GeV, >= 0 (> 0 with a tail) */
    const filon_tail_opts *tail; /* continuation beyond the last node, or NULL: cut there */
} three_axis;

/* Does the sums over b and r' in place of this machine's cores: ../cuda/three_stream.h. */
typedef struct three_engine three_engine;

typedef struct {
    three_axis delta, rp, b; /* with k, p, q */
    int modes;               /* M: |m|, |n| <= M; 0..THREE_ORDER_MAX */
    int nphi;                /* angles on the circle, > 2 M */
    int degree;              /* of the local polynomials, 4..8; 0: 8 */
    size_t bytes;            /* memory budget; 0: 4 GiB */
    three_engine *engine;    /* NULL: threads and BLAS; else the budget is for its memory */
    const char
        *checkpoint; /* file written after each subset of Delta, removed at the end; or NULL */
    int resume;      /* continue from that file if it is there */
    /* After each subset: steps done of all; not 0 stops with E_ACCURACY.  NULL: none. */
    int (*progress)(void *self, size_t done, size_t total);
    void *progress_self;
} three_opts;

typedef struct three_momentum three_momentum; /* the modes A_mn, const once made */

/* What was chosen, and what it took. */
typedef struct {
    size_t q_group, delta_subset, steps, resumed; /* momenta and Delta nodes at a time; steps */
    size_t bytes;                                 /* held at most, the result included */
    double samples, flop; /* values of G, multiplications and additions in matrix products */
    double seconds;
} three_report;

/* Purpose  A_mn(k,p,q) for all momenta of the three axes, OpenMP over (Delta, r').
 * Out      *t (free with three_momentum_free, also after a failure); *report or NULL
 * Returns  OK; E_DOMAIN (grids, momenta, N_phi <= 2M, G not finite: where); E_NOMEM (budget too
 *          small: needed and given); E_ACCURACY (stopped); E_IO, E_FORMAT (checkpoint).
 * Accuracy that of the Filon weights, of the angular truncation and of the cut at the last nodes:
 *          see `error` of three_momentum_value.  Results do not depend on threads or budget beyond
 *          rounding; a resumed run gives the same bits as an uninterrupted one. */
cgct_status three_momentum_run(three_momentum **t, const three_opts *o, const three_integrand *g,
                               three_report *report, cgct_err *err);
void three_momentum_free(three_momentum *t);

/* A[re,im] = A_mn at momenta ik, ip, iq; |m|, |n| <= M. */
void three_momentum_mode(const three_momentum *t, int m, int n, size_t ik, size_t ip, size_t iq,
                         double A[2]);

/* F[re,im] with k along phi = 0, and an estimate of its error: the sum over modes of the change
 * with the coarser weights, and of the size of those with |m| = M or |n| = M. */
void three_momentum_value(const three_momentum *t, size_t ik, size_t ip, size_t iq, double phi_p,
                          double phi_q, double F[2], double *error);
#endif
