/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tensor.h: G and H of one dipole for its own number of colours, from node/reference.h. */
#ifndef TENSOR_H
#define TENSOR_H
#include <stdlib.h>

#include "node/reference.h"

static inline cgct_status tensor_at(const dipole *d, size_t nq, const double *q, double *G,
                                    double *H, cgct_err *err)
{
    double *all = malloc(REFERENCE_TRANSFORMS * nq * sizeof *all);
    cgct_status st = reference_transforms(d, d->Nc, nq, q, all, err);
    for (size_t iq = 0; iq < nq && st == CGCT_OK; iq++) {
        G[iq] = all[REFERENCE_G * nq + iq];
        H[iq] = all[REFERENCE_H * nq + iq];
    }
    free(all);
    return st;
}
#endif
