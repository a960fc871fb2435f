/* SPDX-License-Identifier: MIT */
#include "cgctab.h"

#include <math.h>

#define PI 3.14159265358979323846
#define N_COLOURS 3.0

static int positive(double v)
{
    return v > 0 && isfinite(v);
}

cgct_status cgct_dis_factors(const cgct_dis *d, double *eps, double factor[2])
{
    if (!d || !eps || !factor) return CGCT_E_USAGE;
    *eps = factor[CGCT_T] = factor[CGCT_L] = NAN;
    if (!positive(d->alpha_em) || !positive(d->e_q2) || !positive(d->S_perp) || !positive(d->Q2) ||
        !(d->z > 0 && d->z < 1))
        return CGCT_E_DOMAIN;
    double z = d->z, zbar = 1 - z, eps2 = z * zbar * d->Q2;
    double common = 2 * N_COLOURS * d->alpha_em * d->e_q2 * d->S_perp / pow(2 * PI, 6);
    *eps = sqrt(eps2);
    factor[CGCT_T] = common * (z * z + zbar * zbar) * eps2;
    factor[CGCT_L] = common * 4 * z * zbar * eps2;
    return CGCT_OK;
}

cgct_status cgct_dsigma(const cgct_table *table, const cgct_dis *dis, double x, double q, double k1,
                        double theta, double dsigma[2])
{
    double eps, factor[2];
    if (!dsigma) return CGCT_E_USAGE;
    dsigma[CGCT_T] = dsigma[CGCT_L] = NAN;
    cgct_status st = cgct_dis_factors(dis, &eps, factor);
    if (st == CGCT_OK) st = cgct_eval(table, x, eps, q, k1, theta, dsigma);
    for (int pol = 0; pol < 2; pol++) dsigma[pol] = st == CGCT_OK ? factor[pol] * dsigma[pol] : NAN;
    return st;
}
