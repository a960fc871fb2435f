/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "three/gaussian_family.h"

#include <math.h>
#include <stdlib.h>
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
    if (g->a > 0 && minor > 0 && det > 0) return CGCT_OK;
    return cgct_fail(err, CGCT_E_DOMAIN,
                     "gaussian: not positive definite: a = %g, a b0 - g1^2/4 = %g, determinant %g "
                     "must all be positive; raise a, b0, c or lower |g1|, |g2|, |g3|",
                     g->a, minor, det);
}

/* Exponents of one block: of r' alone, and the couplings to alpha and beta; 0 from r' number n on,
 * so that loops have a constant length. */
typedef struct {
    double E[THREE_BLOCK_MAX], X[THREE_BLOCK_MAX], Y[THREE_BLOCK_MAX], Z, top;
} exponents;

static void prepare(const gaussian_family *g, const three_block *at, exponents *e)
{
    double D = at->delta, b = at->b;
    if (at->n < THREE_BLOCK_MAX) memset(e, 0, sizeof *e);
    e->Z = g->g3 * D * b;
    e->top = -INFINITY; /* of all exponents, were each cosine free to be 1 or -1 */
    for (size_t i = 0; i < at->n; i++) {
        double r = at->rp[i];
        e->X[i] = g->g1 * D * r;
        e->Y[i] = g->g2 * r * b;
        e->E[i] = -g->a * D * D - g->b0 * r * r - g->c * b * b;
        double top = e->E[i] + fabs(e->X[i]) + fabs(e->Y[i]) + fabs(e->Z);
        e->top = top > e->top ? top : e->top;
    }
}

/* One exponential for each sample.  The exponent is never positive, as vexp needs. */
static void block_direct(const three_block *at, const exponents *e, double *re)
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

enum { TOP_MAX = 300, ANGLES_MAX = 256 };

/* part[ib]: what depends on r' and beta; it is even in beta, where the cosines are. */
static void even_part(const three_block *at, const exponents *e, double part[][THREE_BLOCK_MAX])
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
static void block_product(const three_block *at, const exponents *e, double *restrict re)
{
    _Alignas(64) double part[ANGLES_MAX][THREE_BLOCK_MAX], factor[THREE_BLOCK_MAX];
    double z[ANGLES_MAX];
    double zabs = fabs(e->Z);
    even_part(at, e, part);
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

/* Partial products fall from e^top at most to the result; below the limit nothing overflows, and
 * what underflows is smaller than e^-400. */
static void block(const void *self, const three_block *at, double *re, double *im)
{
    exponents e;
    (void)im;
    prepare(self, at, &e);
    if (e.top <= TOP_MAX && at->nbeta <= ANGLES_MAX)
        block_product(at, &e, re);
    else
        block_direct(at, &e, re);
}

three_integrand gaussian_integrand(const gaussian_family *g)
{
    return (three_integrand){.name = "gaussian", .self = g, .is_symmetric = 1, .block = block};
}

/* ---- closed forms ---- */

typedef enum { BESSEL_I, BESSEL_J } bessel_kind;

/* f[0..top] = J_l(x), or e^-x I_l(x), x >= 0, by downward recurrence and the sums
 * J_0 + 2 J_2 + 2 J_4 + ... = 1, I_0 + 2 I_1 + 2 I_2 + ... = e^x; top well above x. */
static void all_orders(bessel_kind kind, double x, int top, double *f)
{
    double above = 0, here = 1e-300, sum = 0, sign = kind == BESSEL_I ? 1 : -1;
    for (int l = 0; l <= top; l++) f[l] = l == 0 && x == 0;
    if (x == 0) return;
    for (int l = top; l >= 0; l--) {
        f[l] = here;
        if (kind == BESSEL_I || l % 2 == 0) sum += l ? 2 * here : here;
        double below = 2 * l / x * here + sign * above;
        above = here;
        here = below;
        if (fabs(here) > 1e200) {
            for (int i = l; i <= top; i++) f[i] *= 1e-250;
            above *= 1e-250, here *= 1e-250, sum *= 1e-250;
        }
    }
    for (int l = 0; l <= top; l++) f[l] /= sum;
}

/* Order l of any sign, argument of any sign. */
static double pick(bessel_kind kind, const double *f, double x, int l)
{
    int odd = abs(l) % 2, flips = (x < 0) + (kind == BESSEL_J && l < 0);
    return odd && flips == 1 ? -f[abs(l)] : f[abs(l)];
}

typedef struct {
    bessel_kind kind;
    double x;
} factor;

/* exp(E) Sum_l f_l(x) g_{m+l}(y) h_{n-l}(z) */
static double triple(double E, int m, int n, factor f, factor g, factor h)
{
    double x = fabs(f.x), y = fabs(g.x), z = fabs(h.x), sum = 0;
    int last = (int)x + 60 + (int)(6 * sqrt(x)); /* beyond it f is below 1e-30 */
    int top = last + (abs(m) > abs(n) ? abs(m) : abs(n));
    double widest = fmax(x, fmax(y, z));
    int size = (int)fmax(top, widest) + 60 + (int)(6 * sqrt(widest));
    double *v = malloc(3 * ((size_t)size + 1) * sizeof *v);
    if (!v) return NAN;
    double *F = v, *G = F + size + 1, *H = G + size + 1;
    all_orders(f.kind, x, size, F);
    all_orders(g.kind, y, size, G);
    all_orders(h.kind, z, size, H);
    for (int l = -last; l <= last; l++)
        sum += pick(f.kind, F, f.x, l) * pick(g.kind, G, g.x, m + l) * pick(h.kind, H, h.x, n - l);
    free(v);
    E += (f.kind == BESSEL_I) * x + (g.kind == BESSEL_I) * y + (h.kind == BESSEL_I) * z;
    return exp(E) * sum;
}

typedef struct {
    double b1, g, a1, sp, sq; /* b', g', a', s_p, s_q of the header */
} reduced;

static reduced reduce(const gaussian_family *f)
{
    reduced r;
    r.b1 = f->b0 - f->g2 * f->g2 / (4 * f->c);
    r.g = f->g1 + f->g2 * f->g3 / (2 * f->c);
    r.a1 = f->a - f->g3 * f->g3 / (4 * f->c) - r.g * r.g / (4 * r.b1);
    r.sp = r.g / (2 * r.b1);
    r.sq = f->g3 / (2 * f->c) + r.g * f->g2 / (4 * r.b1 * f->c);
    return r;
}

double gaussian_C(const gaussian_family *g, int m, int n, double delta, double rp, double b)
{
    return triple(-g->a * delta * delta - g->b0 * rp * rp - g->c * b * b, m, n,
                  (factor){BESSEL_I, g->g3 * delta * b}, (factor){BESSEL_I, g->g1 * delta * rp},
                  (factor){BESSEL_I, g->g2 * rp * b});
}

double gaussian_H(const gaussian_family *g, int m, int n, double delta, double rp, double q)
{
    reduced r = reduce(g);
    double E =
        -(g->a - g->g3 * g->g3 / (4 * g->c)) * delta * delta - r.b1 * rp * rp - q * q / (4 * g->c);
    return triple(E, m, n, (factor){BESSEL_J, q * g->g3 * delta / (2 * g->c)},
                  (factor){BESSEL_I, r.g * delta * rp},
                  (factor){BESSEL_J, q * g->g2 * rp / (2 * g->c)}) /
           (2 * g->c);
}

/* Exponent of K at Delta = 0. */
static double gauss_pq(const gaussian_family *g, const reduced *r, double p, double q)
{
    double shift = g->g2 * q / (2 * g->c);
    return -q * q / (4 * g->c) - (p * p + shift * shift) / (4 * r->b1);
}

double gaussian_K(const gaussian_family *g, int m, int n, double delta, double p, double q)
{
    reduced r = reduce(g);
    double sign = abs(m + n) % 2 ? -1 : 1, T = g->g2 * p * q / (4 * r.b1 * g->c);
    return sign *
           triple(-r.a1 * delta * delta + gauss_pq(g, &r, p, q), m, n,
                  (factor){BESSEL_J, r.sq * q * delta}, (factor){BESSEL_J, r.sp * p * delta},
                  (factor){BESSEL_I, T}) /
           (4 * g->c * r.b1);
}

double gaussian_A(const gaussian_family *g, int m, int n, double k, double p, double q)
{
    reduced r = reduce(g);
    double T = g->g2 * p * q / (4 * r.b1 * g->c), sp = r.sp * p, sq = r.sq * q, h = 2 * r.a1;
    double E = gauss_pq(g, &r, p, q) - (k * k + sp * sp + sq * sq) / (2 * h);
    return triple(E, m, n, (factor){BESSEL_I, -k * sq / h}, (factor){BESSEL_I, -k * sp / h},
                  (factor){BESSEL_I, -T - sp * sq / h}) /
           (8 * g->c * r.b1 * r.a1);
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
