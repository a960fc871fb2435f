/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c: I at points, and its modes by the trapezoidal rule in the angle, which converges
 * exponentially for a smooth periodic function:
 *
 *   I_m(q,k1) = (-1)^m/(2 pi^2) Int_0^pi dtheta cos(m theta) I(q,k1,theta) */
#include "node/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

/* The difference is averaged over neighbouring P, since it may be zero at a point by chance; in
 * units of max(P, eps, Qs). */
static const double NEIGHBOUR[] = {0, -0.03, 0.03, -NODE_REACH, NODE_REACH};
enum { NEIGHBOURS = sizeof NEIGHBOUR / sizeof *NEIGHBOUR };

/* Value, and mean square of the difference of the two computations around P. */
static void value_and_variance(const node_tables *n, size_t iq, double P, double phi,
                               double I[NPOL], double variance[NPOL])
{
    variance[POL_T] = variance[POL_L] = 0;
    for (int j = NEIGHBOURS - 1; j >= 0; j--) {
        double other[NPOL], at = fabs(P + NEIGHBOUR[j] * fmax(P, n->scale));
        mode_table_eval(&n->fine, iq, at, phi, I);
        mode_table_eval(&n->coarse, iq, at, phi, other);
        for (int pol = 0; pol < NPOL; pol++)
            variance[pol] += pow(I[pol] - other[pol], 2) / NEIGHBOURS;
    }
}

cgct_status node_point(const node_tables *n, size_t iq, double k1, double theta, double I[NPOL],
                       double error[NPOL], cgct_err *err)
{
    double P, phi;
    if (iq >= n->fine.nq || !(k1 >= 0 && k1 <= n->k_max * (1 + 1e-12)) || !isfinite(theta))
        return cgct_fail(err, CGCT_E_RANGE, "k1 = %g GeV, theta = %g: k1 must lie in [0, %g]", k1,
                         theta, n->k_max);
    mode_recentre(n->fine.lam, n->fine.q[iq], k1, theta, &P, &phi);
    value_and_variance(n, iq, P, phi, I, error);
    ridge_add(&n->ridges, iq, k1, mode_k2(n->fine.q[iq], k1, theta), I);
    for (int pol = 0; pol < NPOL; pol++)
        error[pol] = n->safety * sqrt(error[pol]) + MODE_ROUNDING * fabs(I[pol]);
    if (!isfinite(I[POL_T] + I[POL_L] + error[POL_T] + error[POL_L]))
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "I is not finite at q = %g, k1 = %g GeV, theta = %g: the dipole or the "
                         "grids given do not allow it",
                         n->fine.q[iq], k1, theta);
    return CGCT_OK;
}

/* ---- modes ---- */

/* The ridge at k1 = q has the width max(eps,Qs), in theta max(eps,Qs)/q, and its modes fall off
 * beyond m = q/max(eps,Qs): so many times that m are computed before the small ones are dropped. */
static const double MODES_PER_RIDGE = 20;
enum { PROJECTED_MIN = 16, PROJECTED_MAX = 512 };
static const double KEPT_SHARE = 0.1; /* of the tolerance: larger modes are stored */

/* Largest m that is looked at. */
static int highest_projected_mode(const node_settings *c, double q, double scale)
{
    double need = PROJECTED_MIN + MODES_PER_RIDGE * q / scale;
    return c->m_max ? c->m_max : (int)fmin(need, PROJECTED_MAX);
}

void projection_free(projection *j)
{
    free(j->modes);
    node_modes_free(&j->sum);
    memset(j, 0, sizeof *j);
}

cgct_status projection_init(projection *j, const node_task *k, double scale, cgct_err *err)
{
    const node_settings *c = k->settings;
    size_t points = NPOL * k->nq * k->nk, nm = 0;
    *j = (projection){.modes = malloc(2 * k->nq * sizeof *j->modes)};
    for (size_t iq = 0; j->modes && iq < k->nq; iq++) {
        int M = highest_projected_mode(c, k->q[iq], scale);
        if (c->n_theta && c->n_theta < M)
            return cgct_fail(
                err, CGCT_E_CONFIG,
                "modes.n_theta = %d angles cannot give %d modes; raise it to at least %d",
                c->n_theta, M, M);
        j->modes[iq] = (size_t)M + 1;
        j->modes[k->nq + iq] = (size_t)(c->n_theta ? c->n_theta : 2 * M) + 1;
        if (j->modes[iq] > nm) nm = j->modes[iq];
    }
    j->angles = j->modes + k->nq;
    j->sum = (node_modes){.nq = k->nq, .nk = k->nk, .nm = nm, .q = k->q, .k = k->k};
    j->sum.value = calloc(points * nm, sizeof *j->sum.value);
    j->sum.error = calloc(points, sizeof *j->sum.error);
    if (j->modes && j->sum.value && j->sum.error) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM, "modes on %zu momenta: no memory", points);
}

double *projection_weights(size_t nt, size_t nm)
{
    double *cosine = malloc(nt * nm * sizeof *cosine);
    for (size_t it = 0; cosine && it < nt; it++) {
        double theta = M_PI * (double)it / (double)(nt - 1);
        double w = (it == 0 || it == nt - 1 ? 0.5 : 1) / (2 * M_PI * (double)(nt - 1));
        for (size_t m = 0; m < nm; m++)
            cosine[it * nm + m] = w * (m & 1 ? -1 : 1) * cos((double)m * theta);
    }
    return cosine;
}

/* I at one angle, and the bound on its error. */
static void cross_section_at_angle(const node_tables *n, size_t iq, double k1, double theta,
                                   double I[NPOL], double bound[NPOL])
{
    double P, phi, coarse[NPOL], q = n->fine.q[iq];
    mode_recentre(n->fine.lam, q, k1, theta, &P, &phi);
    mode_table_eval(&n->fine, iq, P, phi, I);
    mode_table_eval(&n->coarse, iq, P, phi, coarse);
    for (int pol = 0; pol < NPOL; pol++) bound[pol] = n->safety * fabs(I[pol] - coarse[pol]);
    ridge_add(&n->ridges, iq, k1, mode_k2(q, k1, theta), I);
    for (int pol = 0; pol < NPOL; pol++) bound[pol] += MODE_ROUNDING * fabs(I[pol]);
}

static void project_momentum(projection *j, const node_tables *n, const double *cosine, size_t iq,
                             size_t ik)
{
    node_modes *s = &j->sum;
    size_t nt = j->angles[iq], nm = j->modes[iq];
    for (size_t it = 0; it < nt; it++) {
        double I[NPOL], bound[NPOL], theta = M_PI * (double)it / (double)(nt - 1);
        cross_section_at_angle(n, iq, s->k[ik], theta, I, bound);
        for (size_t pol = 0; pol < NPOL; pol++) {
            size_t at = (pol * s->nq + iq) * s->nk + ik;
            double *mode = s->value + at * s->nm;
            s->error[at] = fmax(s->error[at], bound[pol]);
            for (size_t m = 0; m < nm; m++) mode[m] += I[pol] * cosine[it * nm + m];
        }
    }
}

cgct_status projection_apply(projection *j, const node_tables *n, cgct_err *err)
{
    for (size_t iq = 0; iq < j->sum.nq; iq++) {
        double *cosine = projection_weights(j->angles[iq], j->modes[iq]);
        if (!cosine) return cgct_fail(err, CGCT_E_NOMEM, "%zu modes: no memory", j->modes[iq]);
#pragma omp parallel for schedule(dynamic, 1)
        for (size_t ik = 0; ik < j->sum.nk; ik++) project_momentum(j, n, cosine, iq, ik);
        free(cosine);
    }
    return CGCT_OK;
}

/* How many modes are above `keep` times I_0 at any point where I_0 itself exceeds its error. */
static size_t modes_above(const node_modes *s, double keep)
{
    size_t need = 1;
    for (size_t i = 0; i < NPOL * s->nq * s->nk; i++) {
        const double *mode = s->value + i * s->nm;
        if (!(2 * M_PI * mode[0] > s->error[i])) continue;
        for (size_t m = s->nm; m > need; m--)
            if (fabs(mode[m - 1]) > keep * mode[0]) need = m;
    }
    return need;
}

static void drop_modes_from(node_modes *s, size_t need)
{
    for (size_t i = 0; i < NPOL * s->nq * s->nk; i++) {
        double *from = s->value + i * s->nm;
        for (size_t m = need; m < s->nm; m++) s->error[i] += 4 * M_PI * fabs(from[m]);
        memmove(s->value + i * need, from, need * sizeof *from);
    }
    s->nm = need;
}

void projection_finish(projection *j, const node_settings *c, node_modes *out)
{
    if (!c->m_max) drop_modes_from(&j->sum, modes_above(&j->sum, KEPT_SHARE * c->inner.tolerance));
    *out = j->sum;
    j->sum = (node_modes){0};
    projection_free(j);
}
