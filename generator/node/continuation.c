/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "node/continuation.h"

#include <math.h>

static const double RESOLVED = 0.1;     /* error over I of a point to continue from */
static const double LEAST_ERROR = 1e-5; /* relative; the form itself is no better */
static const double LOWEST = 0x1p-11;   /* of the error: the bound on I/s has an end in the file */
enum { KEPT = 2, NARROWING = 4 };       /* points with the shape of the last; how it fades then */
enum { FITTED = 6, CURVED = 4 };        /* points of a fit; so many at least for a Gaussian */

/* One polarisation at one k. */
typedef struct {
    size_t nq, stride, nm; /* points are stride apart */
    const double *q;
    double *modes, *error;
} column;

static double *modes_at(const column *c, size_t i)
{
    return c->modes + i * c->stride * c->nm;
}

static double relative_error(const column *c, size_t i)
{
    double I = 2 * M_PI * *modes_at(c, i);
    return I > 0 ? c->error[i * c->stride] / I : INFINITY;
}

/* ln I_0(q) - ln I_0(q_last) = power ln(q/q_last) + gauss (q^2/q_last^2 - 1) */
typedef struct {
    double power, gauss;
} falloff;

static falloff fit(const column *c, size_t last, size_t *n)
{
    double uu = 0, ug = 0, gg = 0, uy = 0, gy = 0;
    *n = 1;
    for (size_t i = last; i-- > 0 && last - i < FITTED;) {
        double e = relative_error(c, i);
        if (!(e <= RESOLVED)) continue;
        double w = pow(fmax(e, LEAST_ERROR), -2), ratio = c->q[i] / c->q[last];
        double u = log(ratio), g = ratio * ratio - 1, y = log(*modes_at(c, i) / *modes_at(c, last));
        uu += w * u * u;
        ug += w * u * g;
        gg += w * g * g;
        uy += w * u * y;
        gy += w * g * y;
        ++*n;
    }
    double det = uu * gg - ug * ug;
    falloff f = {(uy * gg - gy * ug) / det, (gy * uu - uy * ug) / det};
    if (*n < CURVED || !(f.gauss < 0) || !isfinite(f.power)) f = (falloff){uy / uu, 0};
    return f;
}

static double clamp(double v, double least, double most)
{
    return fmax(fmin(v, most), least);
}

/* I_0 at point i; never above that of the last one. */
static double zeroth(const column *c, const falloff *f, size_t last, size_t i)
{
    double ratio = c->q[i] / c->q[last], room = c->error[i * c->stride] / (2 * M_PI);
    double computed = fmax(*modes_at(c, i), 0), lowest = LOWEST * c->error[i * c->stride];
    double ln = f->power * log(ratio) + f->gauss * (ratio * ratio - 1);
    double s = *modes_at(c, last) * exp(fmin(ln, 0));
    return clamp(s, fmax(computed - room, lowest), computed + room);
}

/* Towards isotropy, as a Poisson kernel does it: what was positive stays so. */
static double narrowing(const column *c, size_t last, size_t i)
{
    return i <= last + KEPT ? 1 : pow(c->q[last + KEPT] / c->q[i], NARROWING);
}

static void put(const column *c, size_t last, size_t i, double I0)
{
    const double *shape = modes_at(c, last);
    double *to = modes_at(c, i), changed = 0, t = narrowing(c, last, i), power = 1;
    for (size_t m = 0; m < c->nm; m++, power *= t) {
        double I = I0 * (shape[m] / shape[0]) * power;
        changed += (m ? 4 : 2) * M_PI * fabs(I - to[m]);
        to[m] = I;
    }
    c->error[i * c->stride] += changed;
}

static size_t continue_column(const column *c)
{
    size_t last = c->nq, n;
    while (last > 0 && !(relative_error(c, last - 1) <= RESOLVED)) last--;
    if (last < 2 || last == c->nq) return 0;
    last--;
    const falloff f = fit(c, last, &n);
    if (n < 2) return 0;
    for (size_t i = last + 1; i < c->nq; i++) put(c, last, i, zeroth(c, &f, last, i));
    return c->nq - last - 1;
}

size_t continue_modes(size_t nq, const double *q, size_t nk, size_t nm, double *modes,
                      double *error)
{
    size_t continued = 0;
    for (size_t pol = 0; pol < 2; pol++)
        for (size_t k = 0; k < nk; k++) {
            size_t first = pol * nq * nk + k;
            const column c = {nq, nk, nm, q, modes + first * nm, error + first};
            continued += continue_column(&c);
        }
    return continued;
}
