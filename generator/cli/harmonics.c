/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harmonics.c: averages over the angle between K and q by the midpoint rule, which converges
 * exponentially for periodic functions. */
#include "cli/harmonics.h"

#include <math.h>

#include "node/reference.h"

/* On half a circle.  Next to a ridge of width w, k = q/2 say, some 10 q/w are needed. */
enum { ANGLES = 96 };

cgct_status harmonics_at(const node_tables *n, const harmonics_point *p,
                         harmonics out[HARMONICS_KINDS][NPOL], double error[NPOL], cgct_err *err)
{
    for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) out[i / NPOL][i % NPOL] = (harmonics){0, 0, 0};
    error[POL_T] = error[POL_L] = 0;
    for (int j = 0; j < ANGLES; j++) {
        const double phi = M_PI * (j + 0.5) / ANGLES;
        const double along = p->K * cos(phi) + p->q / 2, across = p->K * sin(phi);
        const reference_point at = {p->q, hypot(along, across), atan2(across, along), p->eps,
                                    p->eps * p->eps};
        double I[HARMONICS_KINDS][NPOL], bound[NPOL];
        CGCT_TRY(node_point(n, p->iq, at.k1, at.theta, I[HARMONICS_FULL], bound, err));
        reference_back_to_back(&at, p->G, p->H, I[HARMONICS_TMD]);
        reference_value(&at, p->G, p->H, I[HARMONICS_ITMD]);
        for (int pol = 0; pol < NPOL; pol++) error[pol] += bound[pol] / ANGLES;
        for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) {
            const double share = I[i / NPOL][i % NPOL] / ANGLES;
            harmonics *h = &out[i / NPOL][i % NPOL];
            h->mean += share;
            h->v2 += share * cos(2 * phi);
            h->v4 += share * cos(4 * phi);
        }
    }
    for (int i = 0; i < HARMONICS_KINDS * NPOL; i++) {
        out[i / NPOL][i % NPOL].v2 /= out[i / NPOL][i % NPOL].mean;
        out[i / NPOL][i % NPOL].v4 /= out[i / NPOL][i % NPOL].mean;
    }
    return CGCT_OK;
}
