/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Gaussian integrand, evaluated as a product of exponentials where that is safe. */
#include "three/gaussian_family.h"

#include <math.h>
#include <string.h>

#include "numerics/vmath.h"

cgct_status gaussian_check(const gaussian_family *g, cgct_err *err)
{
    const double v[] = {g->a, g->b0, g->c, g->g1, g->g2, g->g3};
    for (int i = 0; i < 6; i++)
        if (!isfinite(v[i]))
            return cgct_fail(
                err, CGCT_E_DOMAIN,
                "gaussian: parameter %d of a,b0,c,g1,g2,g3 is %g; give a finite number", i + 1,
                v[i]);
    double minor = g->a * g->b0 - g->g1 * g->g1 / 4;
    double det = g->c * minor - g->a * g->g2 * g->g2 / 4 - g->b0 * g->g3 * g->g3 / 4 -
                 g->g1 * g->g2 * g->g3 / 4;
    if (!isfinite(minor) || !isfinite(det))
        return cgct_fail(
            err, CGCT_E_DOMAIN,
            "gaussian: a b0 - g1^2/4 = %g and the determinant %g must be finite; lower "
            "a, b0, c, |g1|, |g2|, |g3|",
            minor, det);
    if (g->a > 0 && minor > 0 && det > 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "gaussian: not positive definite: a = %g, a b0 - g1^2/4 = %g, determinant %g "
                     "must all be positive; raise a, b0, c or lower |g1|, |g2|, |g3|",
                     g->a, minor, det);
}

/* ln G = E + X cos alpha + Y cos beta + Z cos(alpha-beta) at each r' of a block; 0 from r' number n
 * on, so that loops have a constant length. */
typedef struct {
    double E[THREE_BLOCK_MAX], X[THREE_BLOCK_MAX], Y[THREE_BLOCK_MAX], Z;
    double top; /* bound on all exponents: each cosine taken as 1 or -1 */
} gaussian_exponents;

static void gaussian_exponents_of(const gaussian_family *g, const three_block *at,
                                  gaussian_exponents *e)
{
    double D = at->delta, b = at->b;
    if (at->n < THREE_BLOCK_MAX) memset(e, 0, sizeof *e);
    e->Z = g->g3 * D * b;
    e->top = -INFINITY;
    for (size_t i = 0; i < at->n; i++) {
        double r = at->rp[i];
        e->X[i] = g->g1 * D * r;
        e->Y[i] = g->g2 * r * b;
        e->E[i] = -g->a * D * D - g->b0 * r * r - g->c * b * b;
        double top = e->E[i] + fabs(e->X[i]) + fabs(e->Y[i]) + fabs(e->Z);
        e->top = top > e->top ? top : e->top;
    }
}

enum {
    TOP_MAX = 300,
    ANGLES_MAX = 256 /* angles beta for which the factors find room on the stack: 32 KiB */
};

/* One exponential for each sample.  The exponent is never positive, as vexp requires. */
static void gaussian_block_direct(const three_block *at, const gaussian_exponents *e, double *re)
{
    double EY[THREE_BLOCK_MAX];
    for (size_t ib = 0; ib < at->nbeta; ib++) {
        double cb = at->cos_beta[ib], sb = at->sin_beta[ib];
        for (size_t i = 0; i < at->n; i++) EY[i] = e->E[i] + e->Y[i] * cb;
        for (size_t ia = 0; ia < at->nalpha; ia++, re += at->n) {
            double ca = at->cos_alpha[ia], z = e->Z * (ca * cb + at->sin_alpha[ia] * sb);
#pragma omp simd
            for (size_t i = 0; i < at->n; i++) re[i] = vexp(EY[i] + e->X[i] * ca + z);
        }
    }
}

/* part[ib]: the factor that depends on r' and beta; equal where the cosines of two beta are. */
static void beta_factors(const three_block *at, const gaussian_exponents *e,
                         double part[][THREE_BLOCK_MAX])
{
    double zabs = fabs(e->Z), E[THREE_BLOCK_MAX];
    for (size_t i = 0; i < THREE_BLOCK_MAX; i++) E[i] = e->E[i] + fabs(e->X[i]) + zabs;
    for (size_t ib = 0; ib < at->nbeta; ib++) {
        double cb = at->cos_beta[ib];
        if (2 * ib > at->nbeta && at->cos_beta[at->nbeta - ib] == cb) {
            memcpy(part[ib], part[at->nbeta - ib], sizeof *part);
            continue;
        }
#pragma omp simd
        for (size_t i = 0; i < THREE_BLOCK_MAX; i++) part[ib][i] = vexp(E[i] + e->Y[i] * cb);
    }
}

/* The product of three exponentials of fewer variables each. */
static void gaussian_block_product(const three_block *at, const gaussian_exponents *e,
                                   double *restrict re)
{
    _Alignas(64) double part[ANGLES_MAX][THREE_BLOCK_MAX], factor[THREE_BLOCK_MAX];
    double z[ANGLES_MAX];
    double zabs = fabs(e->Z);
    beta_factors(at, e, part);
    for (size_t ia = 0; ia < at->nalpha; ia++) {
        double ca = at->cos_alpha[ia], sa = at->sin_alpha[ia], *to = re + ia * at->n;
        size_t step = at->nalpha * at->n;
#pragma omp simd
        for (size_t i = 0; i < THREE_BLOCK_MAX; i++) factor[i] = vexp(e->X[i] * ca - fabs(e->X[i]));
#pragma omp simd
        for (size_t ib = 0; ib < at->nbeta; ib++)
            z[ib] = vexp(e->Z * (ca * at->cos_beta[ib] + sa * at->sin_beta[ib]) - zabs);
        for (size_t ib = 0; ib < at->nbeta; ib++, to += step) {
            if (at->n == THREE_BLOCK_MAX) { /* a constant, for the compiler */
#pragma omp simd
                for (size_t i = 0; i < THREE_BLOCK_MAX; i++)
                    to[i] = part[ib][i] * z[ib] * factor[i];
            } else {
                for (size_t i = 0; i < at->n; i++) to[i] = part[ib][i] * z[ib] * factor[i];
            }
        }
    }
}

/* Partial products lie between e^top and the result.  With top up to TOP_MAX = 300 none overflows
 * (e^709), and a factor that underflows (e^-708) belongs to a result below e^-408. */
static void gaussian_block(const void *self, const three_block *at, double *re, double *im)
{
    gaussian_exponents e;
    (void)im;
    gaussian_exponents_of(self, at, &e);
    if (e.top <= TOP_MAX && at->nbeta <= ANGLES_MAX)
        gaussian_block_product(at, &e, re);
    else
        gaussian_block_direct(at, &e, re);
}

three_integrand gaussian_integrand(const gaussian_family *g)
{
    return (three_integrand){
        .name = "gaussian", .self = g, .is_symmetric = 1, .block = gaussian_block};
}

double gaussian_F(const gaussian_family *g, double k, double p, double q, double phi_p,
                  double phi_q)
{
    double x = -g->g1 / 2, y = -g->g2 / 2, z = -g->g3 / 2; /* Q = (a x z; x b0 y; z y c) */
    double kk = g->b0 * g->c - y * y, pp = g->a * g->c - z * z, qq = g->a * g->b0 - x * x;
    double kp = y * z - x * g->c, kq = x * y - g->b0 * z, pq = x * z - g->a * y;
    double det = g->a * kk + x * kp + z * kq; /* these are the cofactors */
    double form =
        kk * k * k + pp * p * p + qq * q * q +
        2 * (kp * k * p * cos(phi_p) + kq * k * q * cos(phi_q) + pq * p * q * cos(phi_p - phi_q));
    return pow(M_PI, 3) / det * exp(-form / (4 * det));
}
