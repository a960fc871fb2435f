/* SPDX-License-Identifier: GPL-3.0-or-later */
/* momentum.h: the six-dimensional Fourier transform of any integrand as three Hankel transforms in
 * sequence; it contains no physics.                       Source: [P: sec. threek, alg. threek]
 *
 *   C_mn(Delta,r',b) = 1/(2 pi)^2 int dalpha dbeta exp[i (m alpha + n beta)] G
 *   H_mn(q,Delta,r') = int b db J_n(q b) C_mn
 *   K_mn(q,p;Delta)  = int r' dr' J_-(m+n)(p r') H_mn
 *   A_mn(k,p,q)      = int Delta dDelta J_m(k Delta) K_mn
 *   F(k,p,q)         = (2 pi)^3 Sum_mn exp[i (m+n) phi_p - i n phi_q] A_mn        k along phi = 0
 *
 * Each integral is a sum with Filon weights.  Memory never holds more than H for a few nodes of
 * Delta.  The sums over beta and b involve n only, the sum over alpha involves m only; they are
 * therefore done in the order beta, b, alpha.  Alpha is then projected once for each (Delta,r')
 * instead of once for each (Delta,r',b), which halves the work and changes the result by rounding
 * only.
 *
 * Every sum is done twice from the same samples: with the weights asked for, and with coarser ones
 * (degree two lower, the last tenth of each axis left out).  The difference estimates the error. */
#ifndef CGCT_THREE_MOMENTUM_H
#define CGCT_THREE_MOMENTUM_H
#include "format/error.h"
#include "numerics/filon.h"
#include "three/three_integrand.h"

#define THREE_DEGREE_MIN (FILON_DEGREE_MIN + 2)
#define THREE_DEGREE_DEFAULT FILON_DEGREE_MAX
#define THREE_ORDER_MAX (FILON_ORDER_MAX / 2) /* K needs orders up to 2 M */
#define THREE_BYTES_DEFAULT ((size_t)4 << 30)

/* Nodes of one length, where the integral ends, and the momenta that belong to it. */
typedef struct {
    size_t n;
    const double *node; /* 1/GeV, rising from 0 or above */
    size_t nmom;
    const double *mom; /* GeV, >= 0 */
} three_axis;

/* Does the sums on another machine than the processor (plan.h, cuda/three_stream.h). */
typedef struct three_engine three_engine;

typedef struct {
    three_axis delta, rp, b; /* with k, p, q */
    int modes;               /* M: |m|, |n| <= M; 0..THREE_ORDER_MAX */
    int nphi;                /* angles on the circle, > 2 M */
    int degree;              /* of the local polynomials, 4..8; 0: 8 */
    size_t bytes;            /* memory budget; 0: 4 GiB */
    three_engine *engine;    /* NULL: threads and BLAS; else the budget is for its memory */
    const char *checkpoint;  /* file written after each subset of Delta, left behind; or NULL */
    int resume;              /* continue from that file if it exists */
    /* Called after each subset with the steps done; a result other than 0 stops with E_ACCURACY.
     * NULL: no call. */
    int (*progress)(void *self, size_t done, size_t total);
    void *progress_self;
} three_opts;

typedef struct three_momentum three_momentum; /* the modes A_mn, constant once computed */

/* Sizes that were chosen, and the cost. */
typedef struct {
    size_t q_group, delta_subset; /* momenta q and nodes of Delta held at a time */
    size_t steps, resumed;        /* subsets in all, and those taken from a checkpoint */
    size_t bytes;                 /* largest memory held, the result included */
    double samples;               /* values of G */
    double flop;                  /* multiplications and additions in matrix products */
    double seconds;
} three_report;

/* Purpose  A_mn(k,p,q) for all momenta of the three axes, OpenMP over (Delta, r').
 * Out      *t (free with three_momentum_free, also after a failure); *report or NULL
 * Returns  OK; E_USAGE (no integrand); E_DOMAIN (grids, momenta, N_phi <= 2M, G not finite: where);
 *          E_NOMEM (budget too small: needed and given); E_ACCURACY (stopped); E_IO, E_FORMAT,
 *          E_CHECKSUM (checkpoint).
 * Accuracy that of the Filon weights, of the angular truncation and of the cut at the last nodes:
 *          see `error` of three_momentum_value.  Results do not depend on threads or budget beyond
 *          rounding; a resumed run equals an uninterrupted one bit for bit. */
cgct_status three_momentum_run(three_momentum **t, const three_opts *o, const three_integrand *g,
                               three_report *report, cgct_err *err);
void three_momentum_free(three_momentum *t); /* NULL is accepted */

/* One point: the numbers of |k|, |p|, |q| on their axes, and azimuths in radian (k: 0). */
typedef struct {
    size_t ik, ip, iq;
    double phi_p, phi_q;
} three_momenta;

/* F[re,im] and an estimate of its error: the sum over modes of the change with the coarser weights,
 * and of the size of those with |m| = M or |n| = M, or M - 1 where they vanish.  What N_phi angles
 * add to these modes, those of order N_phi - M and above, is not in it. */
void three_momentum_value(const three_momentum *t, const three_momenta *at, double F[2],
                          double *error);

/* ---- modes in a file (format/THREE.md) ---- */

/* Lists of numbers in a file: momenta in GeV, azimuths in radian, parameters of the integrand. */
enum { THREE_K, THREE_P, THREE_Q, THREE_PHI_P, THREE_PHI_Q, THREE_PAR, THREE_LISTS };

/* What a file holds beside the modes. */
typedef struct {
    size_t n[THREE_LISTS];
    const double *list[THREE_LISTS];
    const char *generator, *integrand, *settings;
} three_head;

/* E_USAGE where the file `path` cannot hold lists of these lengths. */
cgct_status three_check_lengths(const char *path, const size_t n[THREE_LISTS], cgct_err *err);

/* The file appears under its name only when it is complete.
 * Returns  OK, E_USAGE (lengths, numbers that are not finite), E_IO, E_NOMEM */
cgct_status three_momentum_save(const char *path, const three_momentum *t, const three_head *head,
                                cgct_err *err);

/* Out      *t (free with three_momentum_free, also after a failure), *head, whose pointers lie in
 *          *memory (free it, also after a failure)
 * Returns  OK, E_IO, E_FORMAT, E_VERSION (also for files of another kind), E_CHECKSUM, E_NOMEM */
cgct_status three_momentum_load(const char *path, three_momentum **t, three_head *head,
                                void **memory, cgct_err *err);
#endif
