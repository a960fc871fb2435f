/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Gaussian family as a user's own integrand; parameters a,b0,c,g1,g2,g3.
 *   processor: cc -x c -O3 -march=native -fPIC -shared -I DIR three_gaussian.cu -o gaussian.so -lm
 *              cgctab-generate three --integrand gaussian.so --params 1,1,1,0.5,0.5,0.5 ...
 *   device:    cgctab-generate three --integrand three_gaussian.cu --params 1,1,1,0.5,0.5,0.5 ...
 */
#include <math.h>

#include "three_user.h"

static double value(const three_point *x, const double *par)
{
    double D = x->delta, r = x->rp, b = x->b;
    double cos_ab = x->cos_alpha * x->cos_beta + x->sin_alpha * x->sin_beta;
    return exp(-par[0] * D * D - par[1] * r * r - par[2] * b * b + par[3] * D * r * x->cos_alpha +
               par[4] * r * b * x->cos_beta + par[5] * D * b * cos_ab);
}
THREE_INTEGRAND(value, 6, THREE_SYMMETRIC)
