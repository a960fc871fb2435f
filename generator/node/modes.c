/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "node/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/grid.h"

enum { INTERPOLATION_NODES = 10 };

static cgct_status allocate(mode_table *t, cgct_err *err)
{
    t->q = malloc(t->nq * sizeof *t->q);
    t->P = malloc(t->np * sizeof *t->P);
    t->I = malloc(NPOL * t->nq * t->np * t->nm * sizeof *t->I);
    if (t->q && t->P && t->I) return CGCT_OK;
    mode_table_free(t);
    return cgct_fail(err, CGCT_E_NOMEM, "modes on %zu x %zu momenta: no memory", t->nq, t->np);
}

cgct_status mode_table_init(mode_table *t, double lam, size_t nm, int step, size_t nq,
                            const double *q, size_t np, const double *P, const double *I,
                            cgct_err *err)
{
    memset(t, 0, sizeof *t);
    t->lam = lam;
    t->step = step;
    t->nm = nm;
    t->nq = nq;
    t->np = np;
    CGCT_TRY(allocate(t, err));
    memcpy(t->q, q, nq * sizeof *q);
    memcpy(t->P, P, np * sizeof *P);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < nm; im++)
            for (size_t iq = 0; iq < nq; iq++)
                for (size_t ip = 0; ip < np; ip++)
                    t->I[((pol * nq + iq) * np + ip) * nm + im] =
                        I[((pol * nm + im) * nq + iq) * np + ip];
    return CGCT_OK;
}

void mode_table_free(mode_table *t)
{
    free(t->q);
    free(t->P);
    free(t->I);
    memset(t, 0, sizeof *t);
}

void mode_recentre(double lam, double q, double k1, double theta, double *P, double *phi)
{
    double px = k1 * cos(theta) - lam * q, py = k1 * sin(theta);
    *P = hypot(px, py);
    *phi = atan2(py, px);
}

/* (-1)^m cos(m phi) and the factors 2 pi or 4 pi for all m; a rotation loses only m roundings. */
static void angular_factors(const mode_table *t, double phi, double *f)
{
    double turn = t->step * (phi + M_PI), c1 = cos(turn), s1 = sin(turn), c = 1, s = 0;
    for (size_t im = 0; im < t->nm; im++) {
        f[im] = 4 * M_PI * c;
        double next = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = next;
    }
    f[0] = 2 * M_PI;
}

/* Rows first, so that the loop over modes is free of dependences. */
static double blend(size_t n, const double *c, size_t nm, const double *rows, const double *f)
{
    double v[nm], sum = 0;
    for (size_t im = 0; im < nm; im++) v[im] = c[0] * rows[im];
    for (size_t k = 1; k < n; k++)
        for (size_t im = 0; im < nm; im++) v[im] += c[k] * rows[k * nm + im];
#pragma omp simd reduction(+ : sum)
    for (size_t im = 0; im < nm; im++) sum += v[im] * f[im];
    return sum;
}

void mode_table_eval(const mode_table *t, size_t iq, double P, double phi, double I[NPOL])
{
    double c[INTERPOLATION_NODES], f[t->nm];
    size_t n = t->np < INTERPOLATION_NODES ? t->np : INTERPOLATION_NODES;
    size_t first = grid_window(t->np, t->P, P, n);
    grid_lagrange(n, t->P + first, P, c);
    angular_factors(t, phi, f);
    for (size_t pol = 0; pol < NPOL; pol++)
        I[pol] = blend(n, c, t->nm, t->I + ((pol * t->nq + iq) * t->np + first) * t->nm, f);
}
