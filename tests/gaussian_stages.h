/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaussian_stages.h: the Gaussian family (three/gaussian_family.h) in closed form at every stage of
 * the three-momentum transform.                               Source: [P: eq. gaussfamily]
 *
 * Each vector is integrated out by completing the square, each angle by the generating functions
 * e^{x cos t} = Sum I_l(x) e^{ilt} and e^{ix cos t} = Sum i^l J_l(x) e^{ilt}.  With
 *   b'  = b0 - g2^2/(4c)          g'  = g1 + g2 g3/(2c)          a' = a - g3^2/(4c) - g'^2/(4b')
 *   s_p = g'/(2b')                s_q = g3/(2c) + g' g2/(4b'c)   T  = g2 p q/(4 b' c)
 * and all powers of i cancelled, sums over all integers l:
 *   C_mn = e^E Sum I_l(g3 Delta b) I_{m+l}(g1 Delta r') I_{n-l}(g2 r' b)
 *     E  = -a Delta^2 - b0 r'^2 - c b^2
 *   H_mn = 1/(2c) e^E Sum J_l(q g3 Delta/2c) I_{m+l}(g' Delta r') J_{n-l}(q g2 r'/2c)
 *     E  = -(a - g3^2/4c) Delta^2 - b' r'^2 - q^2/4c
 *   K_mn = (-1)^(m+n)/(4 c b') e^E Sum J_l(s_q q Delta) J_{m+l}(s_p p Delta) I_{n-l}(T)
 *     E  = -a' Delta^2 - q^2/4c - (p^2 + (g2 q/2c)^2)/4b'
 *   A_mn = 1/(8 c b' a') e^E Sum I_l(-k q s_q/2a') I_{m+l}(-k p s_p/2a')
 *                                I_{n-l}(-T - p q s_p s_q/2a')
 *     E  = that of K without Delta, -(k^2 + s_p^2 p^2 + s_q^2 q^2)/4a'
 * Any orders m, n; lengths in 1/GeV, momenta in GeV, >= 0.  Relative accuracy 1e-13 of the largest
 * term of the sum. */
#ifndef GAUSSIAN_STAGES_H
#define GAUSSIAN_STAGES_H
#include <math.h>
#include <stdlib.h>

#include "three/gaussian_family.h"

typedef enum { BESSEL_I, BESSEL_J } bessel_kind;

/* f[0..top] = J_l(x), or e^-x I_l(x), x >= 0, by downward recurrence and the sums
 * J_0 + 2 J_2 + 2 J_4 + ... = 1, I_0 + 2 I_1 + 2 I_2 + ... = e^x; top well above x. */
static inline void bessel_all_orders(bessel_kind kind, double x, int top, double *f)
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

/* f_l(x) for l and x of any sign, from f_|l|(|x|). */
static inline double bessel_of(bessel_kind kind, const double *f, double x, int l)
{
    int odd = abs(l) % 2, flips = (x < 0) + (kind == BESSEL_J && l < 0);
    return odd && flips == 1 ? -f[abs(l)] : f[abs(l)];
}

typedef struct {
    bessel_kind kind;
    double x;
} bessel_factor;

/* exp(E) Sum_l f_l(x) g_{m+l}(y) h_{n-l}(z) */
static inline double triple_sum(double E, int m, int n, bessel_factor f, bessel_factor g,
                                bessel_factor h)
{
    double x = fabs(f.x), y = fabs(g.x), z = fabs(h.x), sum = 0;
    int last = (int)x + 60 + (int)(6 * sqrt(x)); /* beyond it f is below 1e-30 */
    int top = last + (abs(m) > abs(n) ? abs(m) : abs(n));
    double widest = fmax(x, fmax(y, z));
    int size = (int)fmax(top, widest) + 60 + (int)(6 * sqrt(widest));
    double *v = malloc(3 * ((size_t)size + 1) * sizeof *v);
    if (!v) return NAN;
    double *F = v, *G = F + size + 1, *H = G + size + 1;
    bessel_all_orders(f.kind, x, size, F);
    bessel_all_orders(g.kind, y, size, G);
    bessel_all_orders(h.kind, z, size, H);
    for (int l = -last; l <= last; l++)
        sum += bessel_of(f.kind, F, f.x, l) * bessel_of(g.kind, G, g.x, m + l) *
               bessel_of(h.kind, H, h.x, n - l);
    free(v);
    E += (f.kind == BESSEL_I) * x + (g.kind == BESSEL_I) * y + (h.kind == BESSEL_I) * z;
    return exp(E) * sum;
}

typedef struct {
    double b1, g, a1, sp, sq; /* b', g', a', s_p, s_q above */
} reduced_family;

static inline reduced_family reduce_family(const gaussian_family *f)
{
    reduced_family r;
    r.b1 = f->b0 - f->g2 * f->g2 / (4 * f->c);
    r.g = f->g1 + f->g2 * f->g3 / (2 * f->c);
    r.a1 = f->a - f->g3 * f->g3 / (4 * f->c) - r.g * r.g / (4 * r.b1);
    r.sp = r.g / (2 * r.b1);
    r.sq = f->g3 / (2 * f->c) + r.g * f->g2 / (4 * r.b1 * f->c);
    return r;
}

static inline double gaussian_C(const gaussian_family *g, int m, int n, double delta, double rp,
                                double b)
{
    return triple_sum(-g->a * delta * delta - g->b0 * rp * rp - g->c * b * b, m, n,
                      (bessel_factor){BESSEL_I, g->g3 * delta * b},
                      (bessel_factor){BESSEL_I, g->g1 * delta * rp},
                      (bessel_factor){BESSEL_I, g->g2 * rp * b});
}

static inline double gaussian_H(const gaussian_family *g, int m, int n, double delta, double rp,
                                double q)
{
    reduced_family r = reduce_family(g);
    double E =
        -(g->a - g->g3 * g->g3 / (4 * g->c)) * delta * delta - r.b1 * rp * rp - q * q / (4 * g->c);
    return triple_sum(E, m, n, (bessel_factor){BESSEL_J, q * g->g3 * delta / (2 * g->c)},
                      (bessel_factor){BESSEL_I, r.g * delta * rp},
                      (bessel_factor){BESSEL_J, q * g->g2 * rp / (2 * g->c)}) /
           (2 * g->c);
}

/* Exponent of K at Delta = 0. */
static inline double gauss_pq(const gaussian_family *g, const reduced_family *r, double p, double q)
{
    double shift = g->g2 * q / (2 * g->c);
    return -q * q / (4 * g->c) - (p * p + shift * shift) / (4 * r->b1);
}

static inline double gaussian_K(const gaussian_family *g, int m, int n, double delta, double p,
                                double q)
{
    reduced_family r = reduce_family(g);
    double sign = abs(m + n) % 2 ? -1 : 1, T = g->g2 * p * q / (4 * r.b1 * g->c);
    return sign *
           triple_sum(-r.a1 * delta * delta + gauss_pq(g, &r, p, q), m, n,
                      (bessel_factor){BESSEL_J, r.sq * q * delta},
                      (bessel_factor){BESSEL_J, r.sp * p * delta}, (bessel_factor){BESSEL_I, T}) /
           (4 * g->c * r.b1);
}

static inline double gaussian_A(const gaussian_family *g, int m, int n, double k, double p,
                                double q)
{
    reduced_family r = reduce_family(g);
    double T = g->g2 * p * q / (4 * r.b1 * g->c), sp = r.sp * p, sq = r.sq * q, h = 2 * r.a1;
    double E = gauss_pq(g, &r, p, q) - (k * k + sp * sp + sq * sq) / (2 * h);
    return triple_sum(E, m, n, (bessel_factor){BESSEL_I, -k * sq / h},
                      (bessel_factor){BESSEL_I, -k * sp / h},
                      (bessel_factor){BESSEL_I, -T - sp * sq / h}) /
           (8 * g->c * r.b1 * r.a1);
}
#endif
