/* SPDX-License-Identifier: GPL-3.0-or-later */
/* separable_gamma.c: G_m(Delta,R) from R_{k,m} and P_k: the sum over k at angles gamma, the factor
 * of the process, single scattering, and the projection on modes. */
#include <math.h>
#include <string.h>

#include "inner/separable.h"
#include "numerics/blas.h"
#include "numerics/vmath.h"

/* What the factor of the process adds to separable_swing: that of S(|b|) between gamma = 0 and pi,
 * or as much again. */
static void add_swing_of_process(const separable_plan *p, double delta, size_t n, size_t first,
                                 double *swing)
{
    for (size_t i = 0; i < n; i++) {
        const double R = p->o->r[first + i], c = p->o->lam * delta;
        double r2[2] = {(R - c) * (R - c), (R + c) * (R + c)}, L[2];
        dipole_lnS(p->d, 2, r2, L);
        const double odd = 0.5 * fabs(L[0] - L[1]);
        if (p->d->process == PROCESS_GG) swing[i] *= 2;
        if (p->d->process == PROCESS_QG || p->d->forward_parts) swing[i] += odd;
    }
}

/* The nearest singularity is the zero of b = R - lam Delta (gamma = 0) or of Delta + b (pi). */
static void gamma_choices_alone(const separable_plan *p, size_t id, separable_choice *c)
{
    const inner_opts *o = p->o;
    double delta = separable_delta(p, o->delta[id]), swing[SEPARABLE_BLOCK];
    double c0 = o->lam * delta, c1 = (1 - o->lam) * delta;
    const size_t wanted = separable_orders(p, id);
    const int m = o->m[wanted - 1];
    const double decay = p->share[id] * p->angles.decay;
    double ln0 = c0 > 0 ? log(c0) : INFINITY, ln1 = c1 > 0 ? log(c1) : INFINITY;
    for (size_t first = 0, n; first < o->nr; first += n) {
        n = o->nr - first < SEPARABLE_BLOCK ? o->nr - first : SEPARABLE_BLOCK;
        separable_swing(p, delta, n, o->r + first, swing);
        if (p->d->process != PROCESS_DIS) add_swing_of_process(p, delta, n, first, swing);
        for (size_t i = 0; i < n; i++) {
            double t0 = fabs(p->ln_r[first + i] - ln0), t1 = fabs(p->ln_r[first + i] - ln1);
            double smooth = separable_smooth_modes(decay, swing[i]);
            double b = angle_bandwidth(decay, t1 < t0 ? t1 : t0, smooth);
            size_t nm = angle_modes(&p->angles, b);
            if (nm > wanted) nm = wanted;
            c[first + i] =
                (separable_choice){(uint16_t)angle_trapezoid(&p->angles, b, m), (uint16_t)nm};
        }
    }
}

void separable_gamma_choices(const separable_plan *p, size_t id, size_t n, separable_choice *c)
{
    const size_t nr = p->o->nr;
    for (size_t i = 0; i < n; i++) gamma_choices_alone(p, id + i, c + i * nr);
    for (size_t ir = 0; ir < nr; ir++) {
        separable_choice most = {0, 0};
        for (size_t i = 0; i < n; i++) {
            const separable_choice own = c[i * nr + ir];
            if (own.rule > most.rule) most.rule = own.rule;
            if (own.nm > most.nm) most.nm = own.nm;
        }
        for (size_t i = 0; i < n; i++) {
            const size_t wanted = separable_orders(p, id + i);
            c[i * nr + ir] = most;
            if (wanted < most.nm) c[i * nr + ir].nm = (uint16_t)wanted;
        }
    }
}

/* The n columns of a group from Delta[id] on, at R[ir]: their rule, and the most modes of any. */
typedef struct {
    size_t id, n, ir, nm;
    const angle_rule *rule;
} gamma_place;

/* diff (n, 2, angles), dB (n, angles) = L(|R+(1-lam)Delta|) + L(|R-lam Delta|) - 2 L(R) and B. */
static void fill_differences(const separable_plan *p, const gamma_place *at,
                             const separable_gamma_work *w)
{
    const size_t na = at->rule->n;
    const double R = p->o->r[at->ir], least = -R * R;
    for (size_t i = 0; i < at->n; i++) {
        const double delta = separable_delta(p, p->o->delta[at->id + i]);
        const double a = (1 - p->o->lam) * delta, b = p->o->lam * delta;
        double *x = w->x + 2 * i * na, *y = x + na;
        for (size_t j = 0; j < na; j++) {
            const double cosine = 1 - 2 * at->rule->hav[j];
            const double far = a * a + 2 * a * R * cosine, near = b * b - 2 * b * R * cosine;
            x[j] = far > least ? far : least;
            y[j] = near > least ? near : least;
        }
    }
    dipole_diff(p->d, R * R, 2 * at->n * na, w->x, w->diff);
    for (size_t i = 0; i < at->n; i++)
        for (size_t j = 0; j < na; j++) {
            const double dB = w->diff[2 * i * na + j] + w->diff[(2 * i + 1) * na + j];
            const double B = 2 * p->LR[at->ir] + dB;
            w->dB[i * na + j] = dB;
            w->B[i * na + j] = B < 0 ? B : 0;
        }
}

/* g times the factor of the process.  Where step = 2 it is its part even under R -> -R, and `sum`,
 * which has served, becomes cos(gamma) times the odd part. */
static void multiply_by_process(const separable_plan *p, const gamma_place *at,
                                const separable_gamma_work *w)
{
    const size_t na = at->rule->n;
    const int gluon = p->d->process == PROCESS_GG;
    for (size_t i = 0; i < at->n; i++)
        for (size_t j = 0; j < na; j++) {
            const double *diff = w->diff + 2 * i * na + j, L = p->LR[at->ir];
            const double S = vexp(fmin(L + diff[na], 0)), other = vexp(fmin(L + diff[0], 0));
            double factor = gluon ? S * other : S, odd = 0;
            if (p->step == 2) {
                factor = (S + other) / 2;
                odd = (S - other) / 2 * (1 - 2 * at->rule->hav[j]);
            }
            for (size_t row = i * NPOL; row < (i + 1) * NPOL; row++) {
                if (p->step == 2) w->sum[row * na + j] = w->g[row * na + j] * odd;
                w->g[row * na + j] *= factor;
            }
        }
}

/* What tables of a proton's dijets need in the place of g, before its factor. */
static void put_forward_parts(const separable_plan *p, const gamma_place *at,
                              const separable_work *w)
{
    const size_t na = at->rule->n;
    const int pairs = p->d->forward_parts == PARTS_PAIRS;
    for (size_t i = 0; i < at->n; i++) {
        const double delta = separable_delta(p, p->o->delta[at->id + i]);
        const double *P_e = w->column[i].P + w->plain, L = dipole_lnS_at(p->d, delta * delta);
        double *T = w->gamma.g + i * NPOL * na, *other = T + na;
        const double f = L > -300 ? p->profile[at->id + i] * exp(-L) : 0;
        for (size_t j = 0; j < na; j++) {
            T[j] = pairs ? T[j] + P_e[POL_T] : exp(L);
            other[j] = pairs ? f : 1;
        }
    }
}

/* w->gamma.sum (stride, angles) = 2 sum_m cos(m gamma) R_{k,m}, and g (n, NPOL, angles). */
static void fill_g(const separable_plan *p, const gamma_place *at, const separable_work *w)
{
    const separable_gamma_work *q = &w->gamma;
    const size_t na = at->rule->n, rank = (size_t)p->w.rank, all = at->n * na;
    fill_differences(p, at, q);
    skeleton_v(&p->w, all, q->B, q->v);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasTrans, (int)w->stride, (int)na, (int)at->nm, 2,
                w->R + at->ir * w->stride, (int)(p->o->nr * w->stride), at->rule->cosine,
                (int)at->rule->nm, 0, q->sum, (int)na);
    for (size_t i = 0; i < at->n; i++)
        for (size_t pol = 0; pol < NPOL; pol++) {
            double *g = q->g + (i * NPOL + pol) * na;
            const double *dB = q->dB + i * na, *P = w->column[i].P + pol * rank;
            const double *sum = q->sum + (i * w->plain + pol * rank) * na;
            memset(g, 0, na * sizeof *g);
            for (size_t k = 0; k < rank; k++)
                for (size_t j = 0; j < na; j++)
                    g[j] -= q->v[k * all + i * na + j] * (sum[k * na + j] - dB[j] * P[k]);
        }
}

/* g -= g_1 of column i with the factor of the process: near [S(|b|) - S(R)] and
 * far [S(|Delta+b|) - S(R)]; where step = 2 even and odd parts. */
static void subtract_single_process(const separable_plan *p, const gamma_place *at, size_t i,
                                    const separable_gamma_work *q, const double *P_e)
{
    const size_t na = at->rule->n, nd = p->o->nd;
    const double L = p->LR[at->ir], SR = vexp(L), *diff = q->diff + 2 * i * na;
    for (size_t j = 0; j < 2 * na; j++) q->S[j] = vexp(L + diff[j]) - SR;
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double *all = p->profile + at->id + i, *f = all + pol * nd;
        const double delta = separable_delta(p, p->o->delta[at->id + i]);
        const int gluon = p->d->process == PROCESS_GG, pairs = p->d->forward_parts == PARTS_PAIRS;
        double near = gluon ? 2 * f[NPOL * nd] : 2 * f[0] - P_e[pol];
        if (pairs)
            near = pol == POL_T ? 2 * all[NPOL * nd] : all[0];
        else if (p->d->forward_parts)
            near = exp((pol == POL_T ? 2 : 1) * dipole_lnS_at(p->d, delta * delta));
        const double far = gluon ? near : f[NPOL * nd];
        double *g = q->g + (i * NPOL + pol) * na, *odd = q->sum + (i * NPOL + pol) * na;
        /* pairs: the logarithm at Delta = 0, which forward_node.c adds */
        const double at_0 = pairs ? all[0] * SR * SR : 0;
        for (size_t j = 0; j < na; j++) {
            const double S1 = q->S[j], S0 = q->S[na + j], cosine = 1 - 2 * at->rule->hav[j];
            g[j] -= at_0;
            g[j] -= p->step == 2 ? (near + far) / 2 * (S0 + S1) : near * S0 + far * S1;
            if (p->step == 2) odd[j] -= (near - far) / 2 * (S0 - S1) * cosine;
        }
    }
}

/* g -= g_1 of column i.  Where Delta -> 0, f and P_e are large, and their difference is not. */
static void subtract_single(const separable_plan *p, const gamma_place *at, size_t i,
                            const separable_work *w)
{
    const separable_gamma_work *q = &w->gamma;
    const size_t na = at->rule->n;
    const double L = p->LR[at->ir], SR = vexp(L), *diff = q->diff + 2 * i * na;
    for (size_t j = 0; j < 2 * na; j++) q->S[j] = vexp(L + diff[j]);
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double P = w->column[i].P[w->plain + pol],
                     f = p->profile[pol * p->o->nd + at->id + i];
        const double *sum = q->sum + (SEPARABLE_GROUP * w->plain + i * NPOL + pol) * na;
        double *g = q->g + (i * NPOL + pol) * na;
        for (size_t j = 0; j < na; j++)
            g[j] -= (f - P) * (q->S[j] + q->S[na + j]) +
                    P * ((q->S[j] - SR) + (q->S[na + j] - SR)) - sum[j];
    }
}

/* The modes of g that each column has at this R; odd: those of odd order, from g cos(gamma), since
 * cos(2 i gamma) cos(gamma) = [cos((2 i + 1) gamma) + cos((2 i - 1) gamma)]/2. */
static void gamma_store_modes(const separable_plan *p, const gamma_place *at,
                              const separable_work *w, int odd, inner_table *t)
{
    const inner_opts *o = p->o;
    const separable_gamma_work *q = &w->gamma;
    const double *g = odd ? q->sum : q->g;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)(at->n * NPOL), (int)at->nm,
                (int)at->rule->n, 1, g, (int)at->rule->n, at->rule->weight, (int)at->rule->nm, 0,
                q->mode, (int)at->nm);
    for (size_t i = 0; i < at->n; i++)
        for (size_t pol = 0; pol < NPOL; pol++) {
            double *mode = q->mode + (i * NPOL + pol) * at->nm;
            double *G = t->g + (pol * t->nm * o->nd + at->id + i) * o->nr + at->ir;
            for (size_t im = 1; odd && im < at->nm; im++) mode[im] = 2 * mode[im] - mode[im - 1];
            for (size_t im = 0; im < w->choice[i * o->nr + at->ir].nm; im++)
                if (p->step * im + (size_t)odd < t->nm)
                    G[(p->step * im + (size_t)odd) * o->nd * o->nr] = mode[im];
        }
}

void separable_fill_rows(const separable_plan *p, size_t id, size_t n, separable_work *w,
                         inner_table *t)
{
    const inner_opts *o = p->o;
    separable_gamma_choices(p, id, n, w->choice);
    for (size_t ir = 0; ir < o->nr; ir++) {
        gamma_place at = {id, n, ir, 0, &p->angles.rule[w->choice[ir].rule]};
        for (size_t i = 0; i < n; i++)
            if (w->choice[i * o->nr + ir].nm > at.nm) at.nm = w->choice[i * o->nr + ir].nm;
        fill_g(p, &at, w);
        w->stage[STAGE_GAMMA].operations += 2 * (double)(at.rule->n * at.nm * n * (w->ncol + NPOL));
        if (id == 0 && ir == 0)
            for (size_t pol = 0; pol < NPOL; pol++) t->origin[pol] = w->gamma.g[pol * at.rule->n];
        if (p->d->forward_parts) put_forward_parts(p, &at, w);
        if (p->d->process != PROCESS_DIS) multiply_by_process(p, &at, &w->gamma);
        for (size_t i = 0; o->single && i < n; i++)
            if (p->d->process != PROCESS_DIS)
                subtract_single_process(p, &at, i, &w->gamma, w->column[i].P + w->plain);
            else
                subtract_single(p, &at, i, w);
        gamma_store_modes(p, &at, w, 0, t);
        if (p->step == 2) gamma_store_modes(p, &at, w, 1, t);
    }
}
