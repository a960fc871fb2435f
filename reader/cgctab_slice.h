/* SPDX-License-Identifier: MIT */
/* cgctab_slice.h: a slice as its own file and the sampler see it; not installed. */
#ifndef CGCTAB_SLICE_H
#define CGCTAB_SLICE_H
#include "cgctab_internal.h"

struct cgct_slice {
    const cgct_table *table;
    cgct_planes nodes; /* of the table; in use where one of them has flagged points */
    cgct_planes blend; /* one or two planes at (x,eps) */
    cgct_records plane[2];
    uint32_t *start;
    uint16_t *blocks;
};

/* Nodes with flagged points have no ln s to blend; they do it the slow way. */
static inline const cgct_planes *cgct_slice_planes(const cgct_slice *s)
{
    return s->nodes.flagged ? &s->nodes : &s->blend;
}
#endif
