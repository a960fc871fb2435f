/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From R_{k,m} and P_k at one Delta to G_m(Delta,R): the sum over ranks at angles gamma, projected
 * back. */

#include <math.h>
#include <string.h>

#include "numerics/blas.h"
#include "inner/separable_impl.h"
#include "numerics/vmath.h"

/* dB = L(|R+(1-lam)Delta|) + L(|R-lam Delta|) - 2 L(R) at the angles with sin^2(x/2) = hav[n]. */
static void differences(const separable_plan *p, double delta, double R, size_t n,
                        const double *hav, double *buf, double *dB)
{
    double a = (1 - p->o->lam) * delta, b = p->o->lam * delta;
    double *y = buf, *f = buf + 2 * n;
    for (size_t j = 0; j < n; j++) {
        double cosine = 1 - 2 * hav[j];
        y[j] = fmax(a * a + 2 * a * R * cosine, -R * R);
        y[n + j] = fmax(b * b - 2 * b * R * cosine, -R * R);
    }
    dipole_diff(p->d, R * R, 2 * n, y, f);
    for (size_t j = 0; j < n; j++) dB[j] = f[j] + f[n + j];
}

enum { BLOCK = 128 };
static const double OWN_MODES = 8, TURN_MAX = 40;

/* turn (n): half of what B changes by from gamma = 0 to pi, or pi/2 where it is even about that. */
static void turns(const separable_plan *p, double delta, size_t n, const double *r, double *turn)
{
    double a = (1 - p->o->lam) * delta, b = p->o->lam * delta, r2[4 * BLOCK], L[4 * BLOCK];
    for (size_t i = 0; i < n; i++) {
        double across = r[i] * r[i] + a * a;
        r2[i] = (r[i] + a) * (r[i] + a);
        r2[n + i] = (r[i] - b) * (r[i] - b);
        r2[2 * n + i] = p->symmetric ? across : (r[i] - a) * (r[i] - a);
        r2[3 * n + i] = (r[i] + b) * (r[i] + b);
    }
    dipole_lnS(p->d, (p->symmetric ? 3 : 4) * n, r2, L);
    if (p->symmetric) memcpy(L + 3 * n, L + 2 * n, n * sizeof *L);
    for (size_t i = 0; i < n; i++) {
        double change = (L[i] + L[n + i]) - (L[2 * n + i] + L[3 * n + i]);
        turn[i] = 0.5 * fabs(change) < TURN_MAX ? 0.5 * fabs(change) : TURN_MAX;
    }
}

/* g (NPOL, n) at the angles of rule a. */
static void integrand(const separable_plan *p, const separable_work *w, double delta, size_t ir,
                      const angle_rule *a, size_t nm, double *buf, double *g)
{
    const inner_opts *o = p->o;
    size_t n = a->n, rank = (size_t)p->w.rank;
    double *dB = buf, *B = buf + n, *V = buf + 6 * n, *sum = V + rank * n;
    differences(p, delta, o->r[ir], n, a->hav, B, dB);
    for (size_t j = 0; j < n; j++) B[j] = fmin(2 * p->LR[ir] + dB[j], 0);
    skeleton_v(&p->w, n, B, V);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)w->ncol, (int)nm, 2,
                a->cosine, (int)o->nm, w->R + ir * w->ncol, (int)(o->nr * w->ncol), 0, sum,
                (int)w->ncol);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t j = 0; j < n; j++) {
            double v = 0;
            for (size_t k = 0; k < rank; k++)
                v += V[k * n + j] *
                     (sum[j * w->ncol + pol * rank + k] - dB[j] * w->P[pol * rank + k]);
            g[pol * n + j] = -v;
        }
}

/* g -= f(Delta) [S(|b|) + S(|Delta+b|)]; the differences of L are where integrand() left them. */
static void subtract_ridges(const separable_plan *p, size_t id, size_t ir, size_t n,
                            const double *diff, double *g)
{
    for (size_t j = 0; j < n; j++) {
        double S = vexp(p->LR[ir] + diff[j]) + vexp(p->LR[ir] + diff[n + j]);
        for (size_t pol = 0; pol < NPOL; pol++) g[pol * n + j] -= p->ridge[pol * p->o->nd + id] * S;
    }
}

/* Logarithm of a centre's radius; infinity where there is none. */
static double ln_centre(double radius)
{
    return radius > 0 ? log(radius) : INFINITY;
}

/* The nearest singularity is the zero of b = R - lam Delta (gamma = 0) or of Delta + b (pi). */
void separable_gamma_choices(const separable_plan *p, size_t id, separable_choice *c)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), turn[BLOCK];
    double c0 = ln_centre(o->lam * delta), c1 = ln_centre((1 - o->lam) * delta);
    for (size_t first = 0, n; first < o->nr; first += n) {
        n = o->nr - first < BLOCK ? o->nr - first : BLOCK;
        turns(p, delta, n, o->r + first, turn);
        for (size_t i = 0; i < n; i++) {
            double t0 = fabs(p->ln_r[first + i] - c0), t1 = fabs(p->ln_r[first + i] - c1);
            double t = t1 < t0 ? t1 : t0;
            double own = OWN_MODES + sqrt(2 * p->angles.decay * turn[i]);
            double b = angle_bandwidth(&p->angles, t, own);
            /* no direction at Delta = 0 */
            size_t nm = o->delta[id] > 0 ? angle_modes(&p->angles, b) : 1;
            c[first + i] =
                (separable_choice){(uint16_t)angle_trapezoid(&p->angles, b), (uint16_t)nm};
        }
    }
}

void separable_gamma(const separable_plan *p, size_t id, const separable_work *w, inner_table *t)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), *buf = w->angle;
    size_t buffer = separable_angle_buffer(p);
    double *g = buf + (12 + 3 * SKELETON_RANK_MAX) * buffer;
    separable_gamma_choices(p, id, w->gamma);
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t nm = w->gamma[ir].nm;
        const angle_rule *a = &p->angles.rule[w->gamma[ir].rule];
        integrand(p, w, delta, ir, a, nm, buf, g);
        if (id == 0 && ir == 0)
            for (size_t pol = 0; pol < NPOL; pol++) t->origin[pol] = g[pol * a->n];
        if (p->ridge) subtract_ridges(p, id, ir, a->n, buf + 3 * a->n, g);
        for (size_t pol = 0; pol < NPOL; pol++) {
            double *G = t->g + (pol * o->nm * o->nd + id) * o->nr + ir;
            cblas_dgemv(CblasRowMajor, CblasTrans, (int)a->n, (int)nm, 1, a->weight, (int)o->nm,
                        g + pol * a->n, 1, 0, G, (int)(o->nd * o->nr));
        }
    }
}
