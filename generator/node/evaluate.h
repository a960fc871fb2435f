/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.h: what is evaluated from the two computations of a node: I at points (node_point) and
 * at the angles of a grid.  Private to this folder. */
#ifndef CGCT_EVALUATE_H
#define CGCT_EVALUATE_H
#include "inner/single.h"
#include "node/fields.h"
#include "node/forward.h"
#include "node/hankel.h"
#include "node/node.h"

/* The error is the difference of the two computations times these: at points, where it is averaged,
 * and at the angles of fields, of which the largest counts. */
typedef struct {
    double point, field;
} node_safety;

/* The field V of two gluons or of quark and antiquark, METHOD.md 12, in one computation of a node:
 * K V_K and -K V_phi are the sums of a_m cos(m phi) and b_m sin(m phi), of each (q, P) at K = P. */
typedef struct {
    double *a, *b; /* (nq, np, nm); a owns both */
} node_field;

/* What X of a proton's dijets needs beside C with this eps. */
typedef struct {
    double eps;
    dipole_forward_parts parts;
    forward_functions f;
    double *G;               /* (f.wave.nk): Int_0^k F_n k dk/k of single scattering, of a field */
    node_field fine, coarse; /* of a field */
    node_tables *wider;      /* coarse, with eps FORWARD_LIMIT_RATIO times as large; or NULL */
} node_forward;

struct node_tables {
    struct node_tables *next; /* of the next part of the dipole; NULL: none */
    double share;             /* of this part in I */
    double k_max, scale;      /* GeV: largest k1; max(eps, Qs) */
    node_safety safety;
    mode_table fine, coarse; /* of I less single scattering, where that is held apart */
    single_factors single;
    node_forward *forward; /* or NULL */
};

/* node_point needs I_m(q,P) up to P + NODE_REACH max(P, eps, Qs). */
#define NODE_REACH 0.07

/* What a table holds at q[iq], k1 and q - k1, METHOD.md 12, and bounds, GeV^-4; theta =
 * angle(k1,q).  Of a node with `forward`. */
void evaluate_forward(const node_tables *n, size_t iq, double k1, double theta, double X[NPOL],
                      double error[NPOL]);

/* I of this part and the bound on its error at all angles of v, whose grid has the node's q;
 * OpenMP. */
void evaluate_angles(const node_tables *n, field_values *v);
#endif
