/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss panels of a band of momenta: what does not depend on a single momentum. */
#include <math.h>

#include "numerics/bessel_impl.h"
#include "numerics/filon_impl.h"

filon_band filon_band_from(size_t nq, const double *q, size_t first)
{
    filon_band b = {0, 0, first, 1};
    if (q[first] > 0) {
        int e;
        double half = sqrt(0.5), f = frexp(q[first], &e); /* 1/2 <= f < 1 */
        b.lo = ldexp(f < half ? 0.5 : half, e);
        b.hi = ldexp(f < half ? half : 1, e);
    }
    while (first + b.n < nq && q[first + b.n] >= b.lo && q[first + b.n] < b.hi) b.n++;
    return b;
}

double filon_contour_phase(int mmax)
{
    return fmax(FILON_X0_MIN, FILON_X0_PER_ORDER * mmax);
}

filon_panel filon_panel_at(const filon_band *band, int mmax, const filon_functions *f, double u,
                           double h)
{
    double a = f->a + u, b = a + h;
    int beyond = band->lo * a < mmax, cut = mmax;
    if (beyond && !bessel_order_counts(mmax, band->hi * b)) cut = bessel_order_cut(band->hi * b);
    int n = filon_gauss_nodes(band->hi * h, a, b, beyond ? cut : 0, f->degree, f->power);
    return (filon_panel){u, h, filon_gauss(n), cut};
}

size_t filon_panel_count(const filon_band *band, double h)
{
    double n = ceil(band->hi * h / FILON_PANEL_PHASE);
    return n < 1 ? 1 : (size_t)n;
}

double filon_panel_tail(const filon_band *band, const filon_functions *f, double u, double end)
{
    double h = fmin(0.5 * (f->a + u), FILON_PANEL_PHASE / band->hi);
    return u + 1.001 * h > end ? end - u : h;
}

void filon_panel_nodes(const filon_panel *p, double *u)
{
    for (int i = 0; i < p->rule.n; i++) u[i] = p->u + p->h * p->rule.t[i];
}

void filon_panel_rows(const filon_panel *p, const filon_functions *f, int pad, double *u, double *c)
{
    double g[FILON_FUNCTIONS * FILON_LANES];
    int n = p->rule.n;
    filon_panel_nodes(p, u);
    f->real(f, n, u, g);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < pad; k++)
            c[i * pad + k] = k < f->nk ? p->h * p->rule.w[i] * g[k * FILON_LANES + i] : 0;
}
