/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.h: what is evaluated from the two computations of a node: I at points (node_point) and
 * at the angles of a grid.  Private to this folder. */
#ifndef CGCT_EVALUATE_H
#define CGCT_EVALUATE_H
#include "inner/single.h"
#include "node/fields.h"
#include "node/hankel.h"
#include "node/node.h"

struct node_tables {
    struct node_tables *next; /* of the next part of the dipole; NULL: none */
    double share;             /* of this part in I */
    double k_max, scale;      /* GeV: largest k1; max(eps, Qs) */
    inner_part part;          /* of the inner table */
    double safety;            /* of points: factor on the difference of the two computations */
    mode_table fine, coarse;  /* of I less single scattering, where that is held apart */
    single_factors single;
};

/* node_point needs I_m(q,P) up to P + NODE_REACH max(P, eps, Qs). */
#define NODE_REACH 0.07

/* I and the bound on its error, safety times the difference, at all angles of v, whose grid has the
 * node's q; OpenMP. */
void evaluate_angles(const node_tables *n, double safety, field_values *v);
#endif
