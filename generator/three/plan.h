/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h: sizes, tables and order of the loops of one three-momentum transform, and the layout of
 * its result (modes.c); for the files of this folder, engines on other machines, and tests.
 *
 * A row is (q, set): the momenta of the group at hand, for each the fine weights, then the coarse.
 * A channel is Re G or Im G (the latter only where G is complex).
 * A plane is a real array of modes: of each channel the real part of its modes, then their
 * imaginary part, which is zero and left out where G is symmetric under reflection.
 * A mode is (m, n), m = 0..M, n = -M..M at [m (2M+1) + n + M]; those of m < 0 are conjugates. */
#ifndef CGCT_THREE_PLAN_H
#define CGCT_THREE_PLAN_H
#include "format/chunks.h"
#include "three/momentum.h"

enum { THREE_FINE, THREE_COARSE, THREE_NSET };

struct three_momentum {
    size_t nk, np, nq, M, nn, nmode, nplane; /* nn = 2M+1, nmode = (M+1) nn */
    int is_symmetric, is_complex;
    double *A[THREE_NSET]; /* (nplane, nmode, nk, nq, np) */
};

static inline size_t three_result_size(const three_momentum *t)
{
    return t->nplane * t->nmode * t->nk * t->nq * t->np;
}

/* Allocates *to with all modes 0; nk, np, nq, M and the flags are those of `like`, the rest of
 * which is ignored.  E_NOMEM; free *to with three_momentum_free also then. */
cgct_status three_momentum_new(three_momentum **to, const three_momentum *like, cgct_err *err);

/* The modes of both sets as chunks. */
cgct_status three_write_modes(cgct_chunks *f, const three_momentum *t, cgct_err *err);
cgct_status three_read_modes(const cgct_chunks *f, three_momentum *t, cgct_err *err);

typedef struct {
    const three_opts *o;
    const three_integrand *g;
    size_t M, N, nn, nmode, nplane, nchannel;
    size_t nalpha;                 /* sampled angles alpha_i = 2 pi i/N */
    size_t neven, nodd;            /* N/2+1 and N - neven: even and odd parts in beta */
    double *tables;                /* the one allocation of those that follow */
    double *cos, *sin;             /* (N) of 2 pi i/N */
    double *beta_cos, *beta_sin;   /* (M+1, neven), (M, nodd): projection on n */
    double *alpha_cos, *alpha_sin; /* (M+1, nalpha): projection on m */
    double *wb, *wr, *wd;        /* (M+1, nq, NSET, nb), (nn, NSET, np, nr), (M+1, NSET, nk, nd) */
    size_t group, subset, sweep; /* momenta q, nodes of Delta, nodes of b at a time */
    size_t nthread;
    size_t bytes; /* of all arrays and tables */
} three_plan;

/* Checks the task, chooses the loops and fills the tables of angles and weights. */
cgct_status three_plan_init(three_plan *p, const three_opts *o, const three_integrand *g,
                            cgct_err *err);
void three_plan_free(three_plan *p);

/* H (nplane, nmode, subset, nrow, nr): distance of one mode from the next. */
static inline size_t three_mode_step(const three_plan *p)
{
    return p->subset * THREE_NSET * p->group * p->o->rp.n;
}

/* Most angles alpha in one call of the integrand, which may evaluate once for all of them what
 * depends on beta alone. */
enum { THREE_ALPHAS = 4 };

/* One step of the loops: momenta q0..q0+nq-1 and nodes of Delta d0..d0+nd-1. */
typedef struct {
    size_t q0, nq, d0, nd;
} three_range;

struct three_engine {
    void *self;
    size_t bytes_max;     /* memory of the machine */
    size_t sweep, subset; /* nodes of b and of Delta at a time that suit it */
    size_t (*bytes)(const three_plan *p, size_t group, size_t subset);
    /* Before the first step: t holds the sums so far. */
    cgct_status (*begin)(void *self, const three_plan *p, const three_momentum *t, cgct_err *err);
    /* t->A += the part of that step; E_DOMAIN where G is not finite. */
    cgct_status (*run)(void *self, const three_range *at, three_momentum *t, cgct_err *err);
};

/* A += weights times H (nplane, nmode, subset, nrow, nr), summed over r' and the nodes of `at`. */
void three_add_subset(const three_plan *p, const three_range *at, const double *H,
                      three_momentum *t);

/* Which nodes and angles one sample belongs to. */
typedef struct {
    size_t delta, rp, b, alpha, beta;
} three_sample_index;

/* E_DOMAIN with the variables of the sample, where G is `value`. */
cgct_status three_fail_value(const three_plan *p, double value, const three_sample_index *at,
                             cgct_err *err);
/* E_DOMAIN: at this node of Delta and nodes r0..r1 of r', G is finite but its sums are not. */
cgct_status three_fail_sums(const three_plan *p, size_t delta, size_t r0, size_t r1, cgct_err *err);

/* ---- tiles (tile.c): the part that one thread does at a time, one node of Delta and up to sixteen
 * of r', from samples of G to H_mn ---- */

enum { THREE_COLUMNS = THREE_BLOCK_MAX };

/* `count` products C (m, COLUMNS) = A (m, k) B (k, COLUMNS), or with `add` C += A B; row-major.
 * Sixteen columns stay in registers, where a general BLAS spends its time on preparations. */
typedef struct {
    size_t count, m, k; /* k = 0 is allowed */
    int add;
    const double *A, *B;
    double *C;
    size_t lda, ldb, ldc; /* lengths of a row */
    size_t stepA, stepC;  /* from one product to the next; its B are the next COLUMNS of each row */
} three_tile_product;

void three_tile_multiply(const three_tile_product *p);

/* Arrays of one thread. */
typedef struct {
    double *samples; /* (nchannel, N, na, COLUMNS) at na alpha and one b; even, then odd in beta */
    double *P;       /* (nchannel, ALPHAS, sweep, nn, COLUMNS): modes n: cos 0..M, sin 1..M */
    double *h;       /* (nchannel, nalpha, nn, nrow, COLUMNS): summed over b */
    double *part;    /* (2, 2, M+1, COLUMNS): cos and sin in alpha of cos and sin in beta */
    double *block;   /* the one allocation: free it */
} three_work;

/* Cuts the block, unless it is NULL, into these arrays for so many momenta q; returns how many
 * numbers it holds. */
size_t three_work_cut(three_work *w, double *block, const three_plan *p, size_t group);
cgct_status three_work_init(three_work *w, const three_plan *p, cgct_err *err);

typedef struct {
    size_t q0, nq; /* group */
    size_t d, id;  /* node of Delta, and its place in the subset */
    size_t r0, nt; /* nodes of r' */
} three_tile;

/* H (nplane, nmode, subset, nrow, nr): fills the tile's part.  Returns 0 if a number in it is not
 * finite. */
int three_tile_run(const three_plan *p, three_work *w, const three_tile *t, double *H);

/* E_DOMAIN: where in the tile G is not finite, or that its sums are not. */
cgct_status three_tile_fail(const three_plan *p, three_work *w, const three_tile *t, cgct_err *err);
#endif
