/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dipole_gbw.c: L = -Qs^2 r^2/4; differences are exact. */
#include "dipole/dipole_impl.h"

void dipole_gbw_lnS(const dipole *d, size_t n, const double *r2, double *out)
{
    const double a = d->a;
    for (size_t i = 0; i < n; i++) out[i] = -a * r2[i];
}

void dipole_gbw_diff(const dipole *d, size_t n, const double *x, double *out)
{
    dipole_gbw_lnS(d, n, x, out);
}
