/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The theory in order: dipole -> grids -> inner table -> Hankel -> modes; then once more with every
 * discretisation coarser, and the difference of the two is the error estimate. */
#include "pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "hankel.h"
#include "inner_grids.h"
#include "modes.h"

static const double COARSER = 1.2;    /* ratio of all spacings, 1/ratio of R_max and M */
static const double SAFETY = 2;       /* on the difference; calibrated in tests/test_pipeline.c */
static const double ROUNDING = 1e-13; /* floor of the estimate relative to I */
/* P is scanned, in units of max(P, eps, Qs): differences cross zero. */
static const double NEIGHBOUR[] = {0, -0.03, 0.03, -0.07, 0.07};
enum { NEIGHBOURS = sizeof NEIGHBOUR / sizeof *NEIGHBOUR };

static double neighbour(int j, double P, double scale)
{
    return fabs(P + NEIGHBOUR[j] * fmax(P, scale));
}

struct pipeline {
    double k_max, eps, Qs, tolerance;
    int m_max, n_theta; /* of the card, 0: auto */
    mode_table fine, coarse;
};

static cgct_status one_pass(mode_table *out, const pipeline_task *k, const dipole *d,
                            const inner_grids *g, const backend *b, pipeline_report *rep,
                            cgct_err *err)
{
    inner_table t;
    double t0 = hankel_clock(), stage[2] = {0, 0}, truth[NPOL];
    CGCT_TRY(b->run(&t, &g->inner, d, err));
    rep->seconds_inner = hankel_clock() - t0;
    size_t n = NPOL * t.nm * k->nq * g->np;
    double *I = malloc(n * sizeof *I);
    cgct_status st =
        I ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "modes at %zu momenta: no memory", g->np);
    if (st == CGCT_OK)
        st = hankel_transform(&t, k->nq, k->q, g->np, g->P, k->card->hankel_degree,
                              g->tail.nterm ? &g->tail : NULL, I, stage, err);
    if (st == CGCT_OK) st = inner_sum_rule(d, k->eps, truth, err);
    if (st == CGCT_OK)
        st = mode_table_init(out, t.lam, t.nm, t.lam == 0.5 ? 2 : 1, k->nq, k->q, g->np, g->P, I,
                             err);
    rep->rank = t.rank;
    rep->sum_rule =
        fmax(fabs(t.origin[POL_T] / truth[POL_T] - 1), fabs(t.origin[POL_L] / truth[POL_L] - 1));
    rep->seconds_weights = stage[0];
    rep->seconds_hankel = stage[1];
    rep->bytes_peak = b->bytes_needed(&g->inner) + 2 * n * sizeof *I;
    free(I);
    inner_table_free(&t);
    return st;
}

static void report_grids(pipeline_report *rep, const inner_grids *g)
{
    rep->n_delta = g->inner.nd;
    rep->n_r = g->inner.nr;
    rep->n_s = g->inner.ns;
    rep->n_p = g->np;
    rep->modes = g->m[g->inner.nm - 1];
    rep->delta_max = g->delta[g->inner.nd - 1];
    rep->r_max = g->r[g->inner.nr - 1];
    rep->s_max = g->s[g->inner.ns - 1];
}

static cgct_status pass(mode_table *out, const pipeline_task *k, const dipole *d, double coarser,
                        pipeline_report *rep, cgct_err *err)
{
    inner_grids g;
    const backend *b;
    double q_max = 0;
    for (size_t iq = 0; iq < k->nq; iq++) q_max = fmax(q_max, k->q[iq]);
    double scale = fmax(k->eps, sqrt(dipole_Qs2(d)));
    double reach = neighbour(NEIGHBOURS - 1, k->k_max + k->card->inner_lam * q_max, scale);
    inner_grids_task task = {k->card, d, k->eps, q_max, reach, coarser};
    CGCT_TRY(backend_find(&b, k->card->inner_backend, err));
    CGCT_TRY(inner_grids_init(&g, &task, err));
    report_grids(rep, &g);
    cgct_status st = one_pass(out, k, d, &g, b, rep, err);
    inner_grids_free(&g);
    return st;
}

static cgct_status check_task(const pipeline_task *k, cgct_err *err)
{
    if (!(k->eps > 0 && isfinite(k->eps)))
        return cgct_fail(err, CGCT_E_DOMAIN, "eps = %g GeV; it must be positive and finite",
                         k->eps);
    if (!(k->k_max > 0 && isfinite(k->k_max)))
        return cgct_fail(err, CGCT_E_DOMAIN, "largest k1 = %g GeV; it must be positive", k->k_max);
    for (size_t iq = 0; iq < k->nq; iq++)
        if (!(k->q[iq] > 0 && isfinite(k->q[iq])))
            return cgct_fail(err, CGCT_E_DOMAIN, "q[%zu] = %g GeV; it must be positive", iq,
                             k->q[iq]);
    return CGCT_OK;
}

static cgct_status passes(pipeline *p, const pipeline_task *k, pipeline_report *rep, cgct_err *err)
{
    dipole *d;
    pipeline_report again = {0};
    CGCT_TRY(dipole_init(&d, k->source, k->x, err));
    double t0 = hankel_clock();
    p->Qs = sqrt(dipole_Qs2(d));
    cgct_status st = pass(&p->fine, k, d, 1, rep, err);
    double t1 = hankel_clock();
    if (st == CGCT_OK) st = pass(&p->coarse, k, d, COARSER, &again, err);
    rep->seconds_certificate = hankel_clock() - t1;
    rep->seconds_total = hankel_clock() - t0;
    dipole_free(d);
    return st;
}

cgct_status pipeline_init(pipeline **out, const pipeline_task *task, pipeline_report *report,
                          cgct_err *err)
{
    pipeline_report unused;
    CGCT_TRY(check_task(task, err));
    pipeline *p = calloc(1, sizeof *p);
    if (!p) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a pipeline");
    p->k_max = task->k_max;
    p->eps = task->eps;
    p->tolerance = task->card->accuracy_tolerance;
    p->m_max = task->card->modes_m_max;
    p->n_theta = task->card->modes_n_theta;
    memset(report ? report : &unused, 0, sizeof *report);
    cgct_status st = passes(p, task, report ? report : &unused, err);
    if (st != CGCT_OK) {
        pipeline_free(p);
        p = NULL;
    }
    *out = p;
    return st;
}

void pipeline_free(pipeline *p)
{
    if (!p) return;
    mode_table_free(&p->fine);
    mode_table_free(&p->coarse);
    free(p);
}

/* Value, and root mean square of the difference of the two passes in the neighbourhood of P. */
static void value_and_spread(const pipeline *p, size_t iq, double P, double phi, double I[NPOL],
                             double spread[NPOL])
{
    spread[POL_T] = spread[POL_L] = 0;
    for (int j = NEIGHBOURS - 1; j >= 0; j--) {
        double other[NPOL], at = neighbour(j, P, fmax(p->eps, p->Qs));
        mode_table_eval(&p->fine, iq, at, phi, I);
        mode_table_eval(&p->coarse, iq, at, phi, other);
        for (int pol = 0; pol < NPOL; pol++)
            spread[pol] += pow(I[pol] - other[pol], 2) / NEIGHBOURS;
    }
    for (int pol = 0; pol < NPOL; pol++) spread[pol] = sqrt(spread[pol]);
}

cgct_status pipeline_point(const pipeline *p, size_t iq, double k1, double theta, double I[2],
                           double error[2], cgct_err *err)
{
    double P, phi;
    if (iq >= p->fine.nq || !(k1 >= 0 && k1 <= p->k_max * (1 + 1e-12)) || !isfinite(theta))
        return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV, theta = %g: k1 must lie in [0, %g]", k1,
                         theta, p->k_max);
    mode_recentre(p->fine.lam, p->fine.q[iq], k1, theta, &P, &phi);
    value_and_spread(p, iq, P, phi, I, error);
    for (int pol = 0; pol < NPOL; pol++) error[pol] = SAFETY * error[pol] + ROUNDING * fabs(I[pol]);
    return CGCT_OK;
}

/* ---- the paper's modes I_m(q,k1): samples in theta, projected ---- */

static const double MODES_PER_RIDGE =
    20; /* m up to 20 q/max(eps,Qs) are looked at before trimming */
enum { THETA_MODES_MIN = 16, THETA_MODES_MAX = 512 };

typedef struct {
    size_t nk, nm, nt;
    const double *k;
    double *cosine;        /* (nt, nm): (-1)^m w_j cos(m theta_j) / (2 pi^2) */
    double *modes, *error; /* (NPOL, nq, nk, nm), (NPOL, nq, nk) */
} projection;

static void projection_free(projection *j)
{
    free(j->cosine);
    free(j->modes);
    free(j->error);
}

static cgct_status projection_init(projection *j, const pipeline *p, size_t nk, const double *k,
                                   cgct_err *err)
{
    double q_max = 0;
    for (size_t iq = 0; iq < p->fine.nq; iq++) q_max = fmax(q_max, p->fine.q[iq]);
    double ridge = THETA_MODES_MIN + MODES_PER_RIDGE * q_max / fmax(p->eps, p->Qs);
    int M = p->m_max ? p->m_max : (int)fmin(ridge, THETA_MODES_MAX);
    *j = (projection){nk, (size_t)M + 1, (size_t)(p->n_theta ? p->n_theta : 2 * M) + 1, k, 0, 0, 0};
    if (j->nt < j->nm)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "modes.n_theta = %zu angles cannot give %d modes; raise it "
                         "to at least %d",
                         j->nt - 1, M, M);
    size_t points = NPOL * p->fine.nq * nk;
    j->cosine = malloc(j->nt * j->nm * sizeof *j->cosine);
    j->modes = malloc(points * j->nm * sizeof *j->modes);
    j->error = malloc(points * sizeof *j->error);
    if (!j->cosine || !j->modes || !j->error)
        return cgct_fail(err, CGCT_E_NOMEM, "modes on %zu momenta: no memory", points);
    for (size_t it = 0; it < j->nt; it++) {
        double theta = M_PI * (double)it / (double)(j->nt - 1);
        double w = (it == 0 || it == j->nt - 1 ? 0.5 : 1) / (2 * M_PI * (double)(j->nt - 1));
        for (size_t m = 0; m < j->nm; m++)
            j->cosine[it * j->nm + m] = w * (m & 1 ? -1 : 1) * cos((double)m * theta);
    }
    return CGCT_OK;
}

/* Modes and error of one (q,k1). */
static void project(const projection *j, const pipeline *p, size_t iq, size_t ik)
{
    size_t nq = p->fine.nq;
    double *mode[NPOL], *bound[NPOL];
    for (size_t pol = 0; pol < NPOL; pol++) {
        size_t at = (pol * nq + iq) * j->nk + ik;
        mode[pol] = memset(j->modes + at * j->nm, 0, j->nm * sizeof *j->modes);
        bound[pol] = memset(j->error + at, 0, sizeof *j->error);
    }
    for (size_t it = 0; it < j->nt; it++) {
        double P, phi, I[NPOL], other[NPOL];
        mode_recentre(p->fine.lam, p->fine.q[iq], j->k[ik], M_PI * (double)it / (double)(j->nt - 1),
                      &P, &phi);
        mode_table_eval(&p->fine, iq, P, phi, I);
        mode_table_eval(&p->coarse, iq, P, phi, other);
        for (int pol = 0; pol < NPOL; pol++) {
            double spread = SAFETY * fabs(I[pol] - other[pol]) + ROUNDING * fabs(I[pol]);
            *bound[pol] = fmax(*bound[pol], spread);
            for (size_t m = 0; m < j->nm; m++) mode[pol][m] += I[pol] * j->cosine[it * j->nm + m];
        }
    }
}

/* Modes above `keep` of I_0 somewhere, where I_0 itself stands above its error. */
static size_t modes_needed(const projection *j, size_t points, double keep)
{
    size_t need = 1;
    for (size_t i = 0; i < points; i++) {
        const double *mode = j->modes + i * j->nm;
        if (!(2 * M_PI * mode[0] > j->error[i])) continue;
        for (size_t m = j->nm; m > need; m--)
            if (fabs(mode[m - 1]) > keep * mode[0]) need = m;
    }
    return need;
}

/* Drop modes from `need` on; what they held goes into the error. */
static void trim(projection *j, size_t points, size_t need)
{
    for (size_t i = 0; i < points; i++) {
        double *from = j->modes + i * j->nm;
        for (size_t m = need; m < j->nm; m++) j->error[i] += 4 * M_PI * fabs(from[m]);
        memmove(j->modes + i * need, from, need * sizeof *from);
    }
    j->nm = need;
}

cgct_status pipeline_modes(const pipeline *p, size_t nk, const double *k, size_t *nm,
                           double **modes, double **error, cgct_err *err)
{
    for (size_t ik = 0; ik < nk; ik++)
        if (!(k[ik] >= 0 && k[ik] <= p->k_max * (1 + 1e-12)))
            return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV lies outside [0, %g]", k[ik],
                             p->k_max);
    projection j;
    cgct_status st = projection_init(&j, p, nk, k, err);
    if (st != CGCT_OK) {
        projection_free(&j);
        return st;
    }
    size_t cells = p->fine.nq * nk;
#pragma omp parallel for schedule(dynamic, 4)
    for (size_t i = 0; i < cells; i++) project(&j, p, i / nk, i % nk);
    if (!p->m_max) trim(&j, NPOL * cells, modes_needed(&j, NPOL * cells, 0.1 * p->tolerance));
    *nm = j.nm;
    *modes = j.modes;
    *error = j.error;
    free(j.cosine);
    return CGCT_OK;
}
