/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h: what a user may set of a table: its axes, its nodes and how it is stored.  Members
 * have the names of the run card's keys. */
#ifndef CGCT_RUN_SETTINGS_H
#define CGCT_RUN_SETTINGS_H
#include "node/settings.h"
#include "numerics/grid.h"

typedef struct {
    grid_axis x, eps, q, k1; /* -, GeV, GeV, GeV */
    node_settings node;
    double flag;        /* points whose error exceeds this share of I are flagged */
    int checks, refine; /* (x,eps) between nodes to compare; repeats of a node that misses */
    int level;          /* of zstd */
    double bound;       /* modes are rounded to within this share of I_0 */
    int split;          /* FORMAT.md 5 */
    int order_x, order_eps, order_q, order_k; /* nodes of the local polynomials */
} run_settings;
#endif
