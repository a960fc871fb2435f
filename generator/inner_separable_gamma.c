/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From R_{k,m} and P_k at one Delta to G_m(Delta,R): the sum over ranks at angles gamma, projected
 * back. */

#include <math.h>

#include "blas.h"
#include "separable_impl.h"
#include "vmath.h"

/* Nearest zero of b = R - lam Delta (gamma = 0) or Delta + b (gamma = pi), as an imaginary angle.
 */
static double distance(const inner_opts *o, double delta, double R)
{
    double t0 = o->lam * delta > 0 && R > 0 ? fabs(log(R / (o->lam * delta))) : INFINITY;
    double t1 = o->lam < 1 && delta > 0 && R > 0 ? fabs(log(R / ((1 - o->lam) * delta))) : INFINITY;
    return fmin(t0, t1);
}

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

static double smooth_modes(const separable_plan *p, double delta, double R)
{
    const double ends[2] = {0, p->symmetric ? 0.5 : 1};
    double buf[8], dB[2];
    differences(p, delta, R, 2, ends, buf, dB);
    return 8 + sqrt(2 * p->angles.decay * fmin(0.5 * fabs(dB[0] - dB[1]), 40));
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

const angle_rule *separable_gamma_rule(const separable_plan *p, size_t id, size_t ir, size_t *nm)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), R = o->r[ir];
    double near = distance(o, delta, R), own = smooth_modes(p, delta, R);
    /* no direction at Delta = 0 */
    *nm = o->delta[id] > 0 ? angle_modes(&p->angles, o->m, near, own) : 1;
    return angle_trapezoid(&p->angles, near, own);
}

void separable_gamma(const separable_plan *p, size_t id, const separable_work *w, inner_table *t)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), *buf = w->angle;
    size_t buffer = separable_angle_buffer(p);
    double *g = buf + (12 + 3 * SKELETON_RANK_MAX) * buffer;
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t nm;
        const angle_rule *a = separable_gamma_rule(p, id, ir, &nm);
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
