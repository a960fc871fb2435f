/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paper's algorithm for the inner table: Gauss-Legendre nodes in |s| and equally spaced angles.
 *
 * For each Delta and each node s the factors of r and r' are computed once and serve all R.  Only
 * gamma = alpha - beta enters the projection: the double sum over angles is kept as sums along
 * alpha at fixed gamma_k = 2 pi k/n, and the reflection (alpha,beta) -> -(alpha,beta) leaves
 * k = 0..n/2 of them. */
#include "inner/direct.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"
#include "numerics/quadrature.h"

typedef struct {
    const inner_opts *o;
    const inner_integrand *f;
    size_t n, nk;    /* angles; gamma_k, k = 0..nk-1 */
    void *block;     /* holds the next three */
    double *cosine;  /* (n): cos(2 pi i/n) */
    double *haver;   /* (n): sin^2(pi i/n) */
    double *project; /* (nm, nk): weight cos(m gamma_k) (2 pi/n)^2 */
    quad_rule s;
} direct_plan;

/* Scratch of one thread. */
typedef struct {
    double *ends;           /* (nr, nk, 2): f at |b| and |Delta+b| */
    double *sum;            /* (nr, nk, NPOL) */
    double *cross;          /* (2 n): f at |b-r'|, twice round */
    double *r2, *rp2, *dot; /* (n) */
    double *x, *far;        /* (nk, n): squared length less R^2, and f there at |r+b| */
    double *wave, *T, *L;   /* (nwave, n), (n), (n) */
    void *block;            /* holds all of these */
} direct_work;

cgct_status inner_direct_check(const inner_opts *o, cgct_err *err)
{
    int m_max = o->m[o->nm - 1];
    if (o->n_phi >= 2 * m_max && o->n_phi >= 2) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "%d angles cannot tell the modes up to m = %d apart; raise inner.phi_n to "
                     "%d or lower inner.modes to %d",
                     o->n_phi, m_max, 2 * m_max + 1, (o->n_phi - 1) / 2);
}

static void direct_plan_angles(direct_plan *p)
{
    const inner_opts *o = p->o;
    size_t n = p->n = (size_t)o->n_phi;
    p->nk = n / 2 + 1;
    const array_part part[] = {ARRAY_PART(p->cosine, n), ARRAY_PART(p->haver, n),
                               ARRAY_PART(p->project, o->nm * p->nk)};
    p->block = ARRAYS(part);
    for (size_t i = 0; i < n; i++) {
        p->cosine[i] = cos(2 * M_PI * (double)i / (double)n);
        p->haver[i] = pow(sin(M_PI * (double)i / (double)n), 2);
    }
    for (size_t im = 0; im < o->nm; im++)
        for (size_t k = 0; k < p->nk; k++) {
            double w = (k == 0 || 2 * k == n ? 1 : 2) * pow(2 * M_PI / (double)n, 2);
            p->project[im * p->nk + k] = w * p->cosine[(size_t)o->m[im] * k % n];
        }
}

void inner_lengths(const inner_integrand *f, double R, size_t n, double *x, double *out)
{
    double R2 = R * R;
    for (size_t i = 0; i < n; i++) x[i] = x[i] > -R2 ? x[i] : -R2;
    if (f->length)
        f->length(f->self, R2, n, x, out);
    else
        memcpy(out, x, n * sizeof *x);
}

static void direct_work_init(direct_work *w, const direct_plan *p)
{
    size_t n = p->n, nk = p->nk, nr = p->o->nr;
    const array_part part[] = {ARRAY_PART(w->ends, 2 * nr * nk),
                               ARRAY_PART(w->sum, NPOL * nr * nk),
                               ARRAY_PART(w->cross, 2 * n),
                               ARRAY_PART(w->r2, n),
                               ARRAY_PART(w->rp2, n),
                               ARRAY_PART(w->dot, n),
                               ARRAY_PART(w->x, nk * n),
                               ARRAY_PART(w->far, nk * n),
                               ARRAY_PART(w->T, n),
                               ARRAY_PART(w->wave, p->f->nwave * n),
                               ARRAY_PART(w->L, n)};
    w->block = ARRAYS(part);
}

static void direct_fill_wave(const direct_plan *p, double s, double delta, direct_work *w)
{
    double lam = p->o->lam, c0 = lam * delta, c1 = (1 - lam) * delta;
    for (size_t i = 0; i < p->n; i++) {
        w->rp2[i] = (s - c0) * (s - c0) + 4 * s * c0 * p->haver[i];
        w->r2[i] = (s - c1) * (s - c1) + 4 * s * c1 * (1 - p->haver[i]);
        w->dot[i] = s * s + (1 - 2 * lam) * s * delta * p->cosine[i] - c0 * c1;
    }
    if (p->f->nwave) p->f->wave(p->f->self, p->n, w->r2, w->rp2, w->dot, w->wave);
}

/* f at |r+b| = |R + s + mu Delta|, mu = 1 - 2 lam, for all (gamma, alpha) */
static void direct_fill_far(const direct_plan *p, double s, double delta, double R, direct_work *w)
{
    double d = (1 - 2 * p->o->lam) * delta;
    size_t n = p->n;
    for (size_t k = 0; k < p->nk; k++) {
        double *x = w->x + k * n, at_k = s * s + d * d + 2 * d * R * p->cosine[k];
        for (size_t i = 0; i < n; i++) x[i] = at_k + 2 * d * s * p->cosine[i];
        for (size_t i = 0; i < k; i++) x[i] += 2 * R * s * p->cosine[i + n - k];
        for (size_t i = k; i < n; i++) x[i] += 2 * R * s * p->cosine[i - k];
    }
    inner_lengths(p->f, R, p->nk * n, w->x, w->far);
}

/* Adds the node of s with this weight to the sums of one (Delta, R). */
static void direct_add_node(const direct_plan *p, double delta, size_t ir, double weight,
                            direct_work *w)
{
    size_t n = p->n;
    inner_points pt = {.n = n,
                       .delta = delta,
                       .R = p->o->r[ir],
                       .r2 = w->r2,
                       .rp2 = w->rp2,
                       .dot = w->dot,
                       .wave = w->wave};
    for (size_t k = 0, row = ir * p->nk; k < p->nk; k++, row++) {
        double T = 0, L = 0;
        pt.gamma = 2 * M_PI * (double)k / (double)n;
        pt.b = w->ends[2 * row];
        pt.db = w->ends[2 * row + 1];
        pt.cross = w->cross + n - k;
        pt.far = w->far + k * n;
        p->f->value(p->f->self, &pt, w->T, w->L);
#pragma omp simd reduction(+ : T, L)
        for (size_t i = 0; i < n; i++) {
            T += w->T[i];
            L += w->L[i];
        }
        w->sum[NPOL * row + POL_T] += weight * T;
        w->sum[NPOL * row + POL_L] += weight * L;
    }
}

/* G_m of one Delta from the sums; the origin of the table at the first. */
static void direct_project(const direct_plan *p, size_t id, const direct_work *w, inner_table *t)
{
    const inner_opts *o = p->o;
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < o->nm; im++)
            for (size_t ir = 0; ir < o->nr; ir++) {
                const double *sum = w->sum + NPOL * ir * p->nk + pol;
                double G = 0;
                for (size_t k = 0; k < p->nk; k++) G += p->project[im * p->nk + k] * sum[NPOL * k];
                t->g[((pol * o->nm + im) * o->nd + id) * o->nr + ir] = G;
            }
    for (size_t pol = 0; id == 0 && pol < NPOL; pol++)
        t->origin[pol] = 2 * M_PI / (double)p->n * w->sum[pol];
}

static void direct_one_delta(const direct_plan *p, size_t id, direct_work *w, inner_table *t)
{
    const inner_opts *o = p->o;
    double delta = o->delta[id];
    const double near = o->lam * delta, other = (1 - o->lam) * delta;
    for (size_t ir = 0; ir < o->nr; ir++) { /* the factors without r' */
        for (size_t k = 0; k < p->nk; k++) {
            w->x[2 * k] = near * near - 2 * near * o->r[ir] * p->cosine[k];
            w->x[2 * k + 1] = other * other + 2 * other * o->r[ir] * p->cosine[k];
        }
        inner_lengths(p->f, o->r[ir], 2 * p->nk, w->x, w->ends + 2 * p->nk * ir);
    }
    memset(w->sum, 0, NPOL * o->nr * p->nk * sizeof *w->sum);
    for (size_t is = 0; is < p->s.n; is++) {
        double s = p->s.x[is];
        direct_fill_wave(p, s, delta, w);
        for (size_t ir = 0; ir < o->nr; ir++) {
            for (size_t j = 0; j < p->n; j++) w->x[j] = s * s - 2 * s * o->r[ir] * p->cosine[j];
            inner_lengths(p->f, o->r[ir], p->n, w->x, w->cross);
            memcpy(w->cross + p->n, w->cross, p->n * sizeof *w->cross);
            direct_fill_far(p, s, delta, o->r[ir], w);
            direct_add_node(p, delta, ir, s * p->s.w[is], w);
        }
    }
    direct_project(p, id, w, t);
}

cgct_status inner_direct_build(inner_table *t, const inner_opts *o, const inner_integrand *f,
                               cgct_err *err)
{
    direct_plan p = {.o = o, .f = f};
    *t = (inner_table){0};
    CGCT_TRY(inner_direct_check(o, err));
    CGCT_TRY(quad_append_gauss(&p.s, o->n_gauss, 0, o->s_max, err));
    inner_table_init(t, o);
    direct_plan_angles(&p);
#pragma omp parallel
    {
        direct_work w;
        direct_work_init(&w, &p);
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < o->nd; id++) direct_one_delta(&p, id, &w, t);
        free(w.block);
    }
    free(p.block);
    quad_free(&p.s);
    return CGCT_OK;
}

cgct_status inner_direct(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    inner_dijet self = {d, o->eps};
    inner_integrand f = inner_dijet_integrand(&self);
    return inner_direct_build(t, o, &f, err);
}

size_t inner_direct_bytes(const inner_opts *o)
{
    size_t n = (size_t)o->n_phi, nk = n / 2 + 1, threads = (size_t)omp_get_max_threads();
    enum { FACTORS = 8 }; /* at least as many as the integrand of the dijet has */
    return sizeof(double) * (NPOL * o->nm * o->nd * o->nr +
                             threads * ((2 + NPOL) * o->nr * nk + (7 + FACTORS + 2 * nk) * n));
}
