/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_plan.h: Filon weights up to their Bessel functions, for a device that makes them itself:
 *
 *   w_m[j](q) = sum over lanes of weight g_j(x) J_m(q x),  x = x_interval + u
 *
 * with lanes that all momenta of half an octave share; g_j are the cardinal functions times x. Rule
 * and accuracy are those of filon.h; long intervals are cut into panels, whose number grows with
 * the phase q h, and the tail alone ends in a contour, which is the device's. */
#ifndef CGCT_FILON_PLAN_H
#define CGCT_FILON_PLAN_H
#include "numerics/filon_impl.h"

enum { FILON_BLOCK_COLUMNS = 32, FILON_BLOCK_LANES = 1024 };

/* Lanes whose columns lie close together: a product (momenta, lanes) x (lanes, width). */
typedef struct {
    size_t lane, n;       /* of the plan's lanes */
    size_t column, width; /* of the weights, or of the terms of the tail */
    int tail;
} filon_block;

typedef struct {
    filon_band band;
    size_t block, nblock; /* its own, tails last */
    double split;         /* the contour of its tail rises at tail.a + split */
} filon_plan_band;

/* A point x[interval] + u; interval FILON_TAIL: behind the last node. */
typedef struct {
    double u, weight;
    uint32_t interval, column; /* column of the first function, within the block */
} filon_lane;
#define FILON_TAIL UINT32_MAX

typedef struct {
    size_t nx, nq, nm, nlane, nblock, nband;
    const double *q; /* (nq), kept by reference */
    const int *m;    /* (nm), kept by reference */
    filon_local local;
    int has_tail;
    filon_tail_fit tail;
    filon_plan_band *band;
    filon_block *block;
    size_t room;      /* lanes that there is memory for */
    filon_lane *lane; /* (nlane) */
} filon_plan;

/* In and errors as filon_weights; x is kept by reference. */
cgct_status filon_plan_init(filon_plan *p, size_t nx, const double *x, size_t nq, const double *q,
                            size_t nm, const int *m, int degree, const filon_tail_opts *tail,
                            cgct_err *err);
void filon_plan_free(filon_plan *p);
#endif
