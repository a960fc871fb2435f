/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_momentum_impl.h: the stages of the three-momentum transform, for its own files and tests.
 *
 * A row is (q, set): momenta of the group in hand, for each the fine weights, then the coarse ones.
 * A plane is a real array of modes: real and imaginary part (the latter 0 and left out where G is
 * symmetric under reflection) of the modes of Re G, then of Im G.
 * A mode is (m, n), m = 0..M, n = -M..M at [m (2M+1) + n + M]: those of m < 0 are conjugates. */
#ifndef CGCT_THREE_MOMENTUM_IMPL_H
#define CGCT_THREE_MOMENTUM_IMPL_H
#include <stdint.h>

#include "three/momentum.h"

enum { THREE_FINE, THREE_COARSE, THREE_NSET };

struct three_momentum {
    size_t nk, np, nq, M, nn, nmode, nplane; /* nn = 2M+1, nmode = (M+1) nn */
    int is_symmetric, is_complex;
    double *A[THREE_NSET]; /* (nplane, nmode, nk, nq, np) */
};

typedef struct {
    const three_opts *o;
    const three_integrand *g;
    size_t M, N, nn, nmode, nplane, nchannel;
    size_t nalpha;                 /* sampled angles alpha_i = 2 pi i/N */
    size_t neven, nodd;            /* N/2+1 and N - neven: even and odd parts in beta */
    double *cos, *sin;             /* (N) of 2 pi i/N */
    double *beta_cos, *beta_sin;   /* (M+1, neven), (M, nodd): projection on n */
    double *alpha_cos, *alpha_sin; /* (M+1, nalpha): projection on m */
    double *wb, *wr, *wd; /* (M+1, nq, NSET, nb), (nn, NSET, np, nr), (M+1, NSET, nk, nd) */
    size_t group, subset, sweep, nthread; /* q, Delta, b nodes at a time */
    size_t bytes;                         /* of everything, with these */
} three_plan;

/* One subset of Delta: momenta q0..q0+nq-1 and nodes d0..d0+nd-1. */
typedef struct {
    size_t q0, nq, d0, nd;
} three_range;

struct three_engine {
    void *self;
    size_t bytes_max;     /* memory there is */
    size_t sweep, subset; /* nodes of b and of Delta at a time that suit it */
    size_t (*bytes)(const three_plan *p, size_t group, size_t subset);
    /* Before the first subset: t holds the sums so far. */
    cgct_status (*begin)(void *self, const three_plan *p, const three_momentum *t, cgct_err *err);
    /* t->A += the part of that subset; E_DOMAIN where G is not finite. */
    cgct_status (*run)(void *self, const three_range *at, three_momentum *t, cgct_err *err);
};

/* Checks, tables of angles and weights, and the order of the loops. */
cgct_status three_plan_init(three_plan *p, const three_opts *o, const three_integrand *g,
                            cgct_err *err);
void three_plan_free(three_plan *p);

typedef struct {
    double
        *samples;  /* (nchannel, N, na, nt) at some alpha and one b; even, then odd parts in beta */
    double *wide;  /* (N, COLUMNS): the same of one alpha where nt < COLUMNS */
    double *P;     /* (nchannel, ALPHAS, sweep, nn, COLUMNS): modes n: cos 0..M, sin 1..M */
    double *h;     /* (nchannel, nalpha, nn, nrow, COLUMNS): summed over b */
    double *part;  /* (2, 2, M+1, COLUMNS): cos and sin in alpha of cos and sin in beta */
    double *block; /* the one allocation */
} three_work;

cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err);
size_t three_work_bytes(const three_plan *p, size_t group);

typedef struct {
    size_t q0, nq; /* group */
    size_t d, id;  /* Delta node, and its place in the subset */
    size_t r0, nt; /* nodes of r' */
} three_tile;

/* H (nplane, nmode, subset, nrow, nr): fills the tile's part.  Returns 0 if a number is not finite.
 */
int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H);
/* E_DOMAIN: G is `value` at these nodes and angles. */
cgct_status three_blame(const three_plan *p, double value, size_t d, size_t ir, size_t ib,
                        size_t ialpha, size_t ibeta, cgct_err *err);
/* E_DOMAIN: G is finite, its sums are not. */
cgct_status three_blame_sums(const three_plan *p, size_t d, size_t r0, size_t r1, cgct_err *err);
/* Where in the tile G is not finite: E_DOMAIN with the variables. */
cgct_status three_tile_blame(const three_plan *p, three_work *w, const three_tile *t,
                             cgct_err *err);

/* A += sum over Delta nodes d0..d0+nd-1 and r' of the weights times H. */
cgct_status three_contract(const three_plan *p, const double *H, size_t q0, size_t nq, size_t d0,
                           size_t nd, three_momentum *t, cgct_err *err);

/* Checkpoint: steps done and A.  Reading leaves *done = 0 where there is no file. */
cgct_status three_checkpoint_write(const three_plan *p, const three_momentum *t, size_t done,
                                   cgct_err *err);
cgct_status three_checkpoint_read(const three_plan *p, three_momentum *t, size_t *done,
                                  cgct_err *err);

static inline size_t three_result_size(const three_momentum *t)
{
    return t->nplane * t->nmode * t->nk * t->nq * t->np;
}
#endif
