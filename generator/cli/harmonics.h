/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harmonics.h: the cross section and its limits averaged over the angle phi between K = k1 - q/2
 * and q, and the harmonics v_n = <cos(n phi)> in this angle; odd ones vanish. */
#ifndef CGCT_CLI_HARMONICS_H
#define CGCT_CLI_HARMONICS_H
#include "node/node.h"

/* The cross section, its back-to-back limit, and that with all kinematic twists. */
enum { HARMONICS_FULL, HARMONICS_TMD, HARMONICS_ITMD, HARMONICS_KINDS };

typedef struct {
    size_t iq;        /* of the node */
    double q, K, eps; /* GeV; K + q/2 <= k_max of the node */
    double G, H;      /* of node_tensor at q */
} harmonics_point;

typedef struct {
    double mean, v2, v4; /* mean in GeV^-6 */
} harmonics;

/* error[T,L]: bound on the error of the mean of I, averaged over the angles as I is, GeV^-6; that
 * of v_n is at most twice that share of the mean.  Errors of node_point. */
cgct_status harmonics_at(const node_tables *n, const harmonics_point *p,
                         harmonics out[HARMONICS_KINDS][NPOL], double error[NPOL], cgct_err *err);
#endif
