/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.h: what is evaluated from the two computations of a node: I at points (node_point) and
 * the modes I_m(q,k1) of the paper.  Private to this folder. */
#ifndef CGCT_EVALUATE_H
#define CGCT_EVALUATE_H
#include "inner/ridge.h"
#include "node/hankel.h"
#include "node/node.h"

struct node_tables {
    double k_max, scale;     /* GeV: largest k1; max(eps, Qs) */
    double safety;           /* factor on the difference of the two computations */
    mode_table fine, coarse; /* of I less the ridges */
    ridge ridges;
};

/* node_point needs I_m(q,P) up to P + NODE_REACH max(P, eps, Qs). */
#define NODE_REACH 0.07

/* The number of modes and angles at each q, and the modes while they are being summed. */
typedef struct {
    size_t *modes, *angles; /* (nq): modes at each q; angles on [0,pi] */
    node_modes sum;         /* zero at first; nm: of the largest q, the length of a row */
} projection;

/* Purpose  chooses m <= 16 + 20 q/scale at each q, and twice as many angles, or what the card sets
 * Returns  OK, E_NOMEM, E_CONFIG where the card's angles cannot give its modes; call
 *          projection_free also after a failure */
cgct_status projection_init(projection *j, const node_task *task, double scale, cgct_err *err);
void projection_free(projection *j);
/* (nt, nm), allocated: weights of I_m for values at nt angles, the first at 0 and the last at pi;
 * NULL: no memory. */
double *projection_weights(size_t nt, size_t nm);
/* Sums I cos(m theta) over the angles, all (q,k) of the task, OpenMP over k. */
cgct_status projection_apply(projection *j, const node_tables *n, cgct_err *err);
/* Hands the sum over.  Where the card leaves the number of modes open, those that are below a tenth
 * of the tolerance everywhere are dropped, and error grows by what they held. */
void projection_finish(projection *j, const node_settings *settings, node_modes *out);
#endif
