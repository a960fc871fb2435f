/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variations.h: the differences of many members from the first as combinations of few.
 *
 *   D[j] = Sum_{p < P} mix[j][p] E[p]
 *
 * at all coarse nodes with the same mix: members that represent a fit differ by what a few
 * parameters change. */
#ifndef CGCT_RUN_VARIATIONS_H
#define CGCT_RUN_VARIATIONS_H
#include "run/coarse.h"

typedef struct {
    size_t n;    /* P */
    double *mix; /* (members - 1, P), owned */
    double
        *stored; /* (coarse nodes, blocks of the table), owned: what reduction and rounding change,
                       c of node_bound_unit, the largest of a quarter of the members */
} variations;

/* Purpose  E, a basis of rows (P, coarse nodes), with the least P that leaves no more of the fields
 *          of any member at any coarse node than the reduction of a basis may change, but for the
 *          share that it may change by more
 * Returns  OK, E_NOMEM, E_ACCURACY (singular values), errors of coarse_read and basis_make;
 *          variations_free and basis_free also after a failure
 * Memory   P times the coarse nodes, a node of all members twice, and basis_bytes */
cgct_status variations_make(const coarse_members *c, variations *v, basis *E, cgct_err *err);
void variations_free(variations *v);
#endif
