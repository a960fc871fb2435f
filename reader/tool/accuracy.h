/* SPDX-License-Identifier: MIT */
/* accuracy.h: how well a table is known in regions of eps, q and k1, from its own bounds. */
#ifndef CGCTAB_ACCURACY_H
#define CGCTAB_ACCURACY_H
#include "tool.h"

/* A value counts as known where its bound is at most this share of I. */
#define ACCURACY_KNOWN 1e-3

/* Limits in x and in GeV, and what accuracy_of finds at points that fill the region evenly in the
 * logarithms of x, eps, q, k1 and in theta: the share of values of I_T and I_L whose bound is below
 * I (resolved) and below ACCURACY_KNOWN of it (known); of bound over I the median and the 99.9th
 * percentile of those that are resolved, and the largest of all.  Of forward dijets the values are
 * those of T, at z from 0.05 to 0.95 and Lambda = 1 GeV, of a channel or (NULL) of all. */
typedef struct {
    const char *name, *channel;
    double x[2], eps[2], q[2], k1[2];
    size_t points;
    double resolved, known, median, p999, worst;
} accuracy_region;

int accuracy_of(const cgct_table *t, accuracy_region *r); /* TOOL_OK or TOOL_FAILED */

/* The whole table, and what a dijet generator uses of it: 0 where the table has nothing of it. */
accuracy_region accuracy_whole(const tool_axes *a);
int accuracy_dijets(const tool_axes *a, accuracy_region *r);
#endif
