/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h: what a user may set of one (x,eps), from the inner table to the modes of the product.
 * Members have the names of the run card's keys. */
#ifndef CGCT_NODE_SETTINGS_H
#define CGCT_NODE_SETTINGS_H
#include "inner/grids.h"

typedef struct {
    inner_settings inner;
    int m_max, n_theta; /* largest mode, angles on [0,pi]; 0: as many as the ridges need */
    double fold;        /* power p of chi = k2^p/(k1^p + k2^p); 0: modes of I itself */
    double k_low;       /* GeV: first k of a folded table; 0: automatic */
} node_settings;
#endif
