/* SPDX-License-Identifier: MIT */
/* verify.h: what 'cgctab verify --deep' finds between the nodes. */
#ifndef CGCTAB_VERIFY_H
#define CGCTAB_VERIFY_H
#include "tool.h"

/* |I(q,k1,theta) - I(q,k2,theta2)|/I, which exchange of the partons makes 0: from interpolation at
 * k2 against nodes at k1, at eight (x,eps) or fewer.  Pairs whose stored bounds exceed
 * VERIFY_RESOLVED of I are left out. */
typedef struct {
    size_t pairs;
    double median, upper, largest; /* upper: 99.9th percentile */
} verify_exchange;

#define VERIFY_RESOLVED 1e-3

/* t is not folded (there exchange holds by construction) and comes from tool_open(TOOL_NODES). */
int verify_exchange_measure(const cgct_table *t, verify_exchange *e);
#endif
