/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variations.h: the differences of many members from the first as combinations of few.
 *
 *   D[j][n][r] = Sum_{p < P} mix[j][p] E[p][n][r]
 *
 * for coarse nodes n, in all segments with the same mix: members that represent a fit differ by
 * what a few parameters change. */
#ifndef CGCT_RUN_VARIATIONS_H
#define CGCT_RUN_VARIATIONS_H
#include "run/coarse.h"

typedef struct {
    size_t n;    /* P */
    double *mix; /* (members - 1, P), owned */
} variations;

/* Purpose  the least P with which no member at no coarse node differs by more than the reduction of
 *          the bases, taken as five times the rms over all points; b[segments] has rows `each` of
 *          the first member, then D (members - 1, nodes), which become E (P, nodes)
 * Returns  OK, E_NOMEM, E_ACCURACY (singular values), errors of coarse_row */
cgct_status variations_make(const coarse_members *c, size_t segments, size_t each, basis *b,
                            variations *v, cgct_err *err);
void variations_free(variations *v);
#endif
