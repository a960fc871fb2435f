/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paper's modes I_m(q,k1): samples in theta, projected. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/pipeline_impl.h"

static const double MODES_PER_RIDGE = 20;
enum { THETA_MODES_MIN = 16, THETA_MODES_MAX = 512 };

/* Projection at one q. */
typedef struct {
    size_t iq, nm, nt;
    double *cosine; /* (nt, nm): (-1)^m w_j cos(m theta_j) / (2 pi^2) */
} angles;

/* m up to 20 q/max(eps,Qs) are looked at before trimming */
static int highest(const projection_task *t, double q)
{
    double need = THETA_MODES_MIN + MODES_PER_RIDGE * q / t->scale;
    return t->m_max ? t->m_max : (int)fmin(need, THETA_MODES_MAX);
}

void projection_free(projection *j)
{
    free(j->modes);
    free(j->I);
    free(j->error);
    memset(j, 0, sizeof *j);
}

cgct_status projection_init(projection *j, const projection_task *t, cgct_err *err)
{
    size_t points = NPOL * t->nq * t->nk;
    *j = (projection){.modes = malloc(2 * t->nq * sizeof *j->modes)};
    for (size_t iq = 0; j->modes && iq < t->nq; iq++) {
        int M = highest(t, t->q[iq]);
        if (t->n_theta && t->n_theta < M) {
            projection_free(j);
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "modes.n_theta = %d angles cannot give %d modes; raise it to at least %d",
                t->n_theta, M, M);
        }
        j->modes[iq] = (size_t)M + 1;
        j->modes[t->nq + iq] = (size_t)(t->n_theta ? t->n_theta : 2 * M) + 1;
        if (j->modes[iq] > j->nm) j->nm = j->modes[iq];
    }
    j->angles = j->modes + t->nq;
    j->I = calloc(points * j->nm, sizeof *j->I);
    j->error = calloc(points, sizeof *j->error);
    if (j->modes && j->I && j->error) return CGCT_OK;
    projection_free(j);
    return cgct_fail(err, CGCT_E_NOMEM, "modes on %zu momenta: no memory", points);
}

static cgct_status angles_init(angles *a, const projection *j, size_t iq, cgct_err *err)
{
    *a = (angles){iq, j->modes[iq], j->angles[iq], NULL};
    a->cosine = malloc(a->nt * a->nm * sizeof *a->cosine);
    if (!a->cosine) return cgct_fail(err, CGCT_E_NOMEM, "%zu modes: no memory", a->nm);
    for (size_t it = 0; it < a->nt; it++) {
        double theta = M_PI * (double)it / (double)(a->nt - 1);
        double w = (it == 0 || it == a->nt - 1 ? 0.5 : 1) / (2 * M_PI * (double)(a->nt - 1));
        for (size_t m = 0; m < a->nm; m++)
            a->cosine[it * a->nm + m] = w * (m & 1 ? -1 : 1) * cos((double)m * theta);
    }
    return CGCT_OK;
}

/* I at one angle, and the bound on its error. */
static void sample(const pipeline *p, size_t iq, double k1, double theta, double I[NPOL],
                   double bound[NPOL])
{
    double P, phi, coarse[NPOL], q = p->fine.q[iq];
    mode_recentre(p->fine.lam, q, k1, theta, &P, &phi);
    mode_table_eval(&p->fine, iq, P, phi, I);
    mode_table_eval(&p->coarse, iq, P, phi, coarse);
    for (int pol = 0; pol < NPOL; pol++) bound[pol] = p->safety * fabs(I[pol] - coarse[pol]);
    ridge_add(&p->ridges, iq, k1, pipeline_k2(q, k1, theta), I);
    for (int pol = 0; pol < NPOL; pol++) bound[pol] += PIPELINE_ROUNDING * fabs(I[pol]);
}

/* Modes and error of one (q,k1). */
static void project(const projection *j, const projection_task *t, const angles *a,
                    const pipeline *p, size_t ik)
{
    for (size_t it = 0; it < a->nt; it++) {
        double I[NPOL], bound[NPOL], theta = M_PI * (double)it / (double)(a->nt - 1);
        sample(p, a->iq, t->k[ik], theta, I, bound);
        for (size_t pol = 0; pol < NPOL; pol++) {
            size_t at = (pol * t->nq + a->iq) * t->nk + ik;
            double *mode = j->I + at * j->nm;
            j->error[at] = fmax(j->error[at], bound[pol]);
            for (size_t m = 0; m < a->nm; m++) mode[m] += I[pol] * a->cosine[it * a->nm + m];
        }
    }
}

/* Modes above `keep` of I_0 somewhere, where I_0 itself stands above its error. */
static size_t modes_needed(const projection *j, size_t points, double keep)
{
    size_t need = 1;
    for (size_t i = 0; i < points; i++) {
        const double *mode = j->I + i * j->nm;
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
        double *from = j->I + i * j->nm;
        for (size_t m = need; m < j->nm; m++) j->error[i] += 4 * M_PI * fabs(from[m]);
        memmove(j->I + i * need, from, need * sizeof *from);
    }
    j->nm = need;
}

void projection_finish(projection *j, const projection_task *t, size_t *nm, double **modes,
                       double **error)
{
    size_t points = NPOL * t->nq * t->nk;
    if (!t->m_max) trim(j, points, modes_needed(j, points, 0.1 * t->tolerance));
    *nm = j->nm;
    *modes = j->I;
    *error = j->error;
    j->I = j->error = NULL;
    projection_free(j);
}

cgct_status pipeline_modes(const pipeline *p, size_t nk, const double *k, size_t *nm,
                           double **modes, double **error, cgct_err *err)
{
    projection j;
    const projection_task t = {p->m_max,   p->n_theta, p->tolerance, p->scale,
                               p->fine.nq, nk,         p->fine.q,    k};
    for (size_t ik = 0; ik < nk; ik++)
        if (!(k[ik] >= 0 && k[ik] <= p->k_max * (1 + 1e-12)))
            return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV lies outside [0, %g]", k[ik],
                             p->k_max);
    CGCT_TRY(projection_init(&j, &t, err));
    cgct_status st = CGCT_OK;
    for (size_t iq = 0; iq < t.nq && st == CGCT_OK; iq++) {
        angles a;
        st = angles_init(&a, &j, iq, err);
        if (st != CGCT_OK) break;
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t ik = 0; ik < nk; ik++) project(&j, &t, &a, p, ik);
        free(a.cosine);
    }
    if (st == CGCT_OK)
        projection_finish(&j, &t, nm, modes, error);
    else
        projection_free(&j);
    return st;
}
