/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paper's modes I_m(q,k1): samples in theta, projected. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline_impl.h"

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
    double need = THETA_MODES_MIN + MODES_PER_RIDGE * q_max / p->scale;
    int M = p->m_max ? p->m_max : (int)fmin(need, THETA_MODES_MAX);
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
        double P, phi, I[NPOL], other[NPOL], q = p->fine.q[iq], k1 = j->k[ik];
        double theta = M_PI * (double)it / (double)(j->nt - 1);
        mode_recentre(p->fine.lam, q, k1, theta, &P, &phi);
        mode_table_eval(&p->fine, iq, P, phi, I);
        mode_table_eval(&p->coarse, iq, P, phi, other);
        for (int pol = 0; pol < NPOL; pol++) other[pol] = fabs(I[pol] - other[pol]);
        ridge_add(&p->ridges, iq, k1, pipeline_k2(q, k1, theta), I);
        for (int pol = 0; pol < NPOL; pol++) {
            double spread = PIPELINE_SAFETY * other[pol] + PIPELINE_ROUNDING * fabs(I[pol]);
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
