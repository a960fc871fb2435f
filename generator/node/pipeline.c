/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The theory in order: dipole -> grids -> inner table -> Hankel -> modes; then once more with every
 * discretisation coarser, and the difference of the two is the error estimate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inner/backend.h"
#include "node/hankel.h"
#include "inner/grids.h"
#include "node/pipeline_impl.h"

/* Ratio of all spacings, 1/ratio of R_max and M.  At the knots of a table two grids err alike:
 * there they must differ by more, and the difference bounds less. */
static const double COARSER = 1.2, COARSER_TABLE = 1.4;
static const double SAFETY = 2, SAFETY_TABLE = 6; /* calibrated in tests/node/test_pipeline.c */
/* P is scanned, in units of max(P, eps, Qs): differences cross zero. */
static const double NEIGHBOUR[] = {0, -0.03, 0.03, -0.07, 0.07};
enum { NEIGHBOURS = sizeof NEIGHBOUR / sizeof *NEIGHBOUR };

static double neighbour(int j, double P, double scale)
{
    return fabs(P + NEIGHBOUR[j] * fmax(P, scale));
}

/* I (NPOL, nm, nq, np) through the inner table. */
static cgct_status by_table(const backend *b, const backend_transform *w, const dipole *d,
                            double *I, backend_facts *f, pipeline_report *rep, cgct_err *err)
{
    inner_table t;
    double t0 = hankel_clock(), stage[2] = {0, 0};
    CGCT_TRY(b->run(&t, w->inner, d, err));
    rep->seconds_inner = hankel_clock() - t0;
    cgct_status st =
        hankel_transform(&t, w->nq, w->q, w->np, w->P, w->degree, w->tail, I, stage, err);
    *f = (backend_facts){{t.origin[POL_T], t.origin[POL_L]}, t.ridge_cut, t.rank};
    rep->seconds_weights = stage[0];
    rep->seconds_hankel = stage[1];
    inner_table_free(&t);
    return st;
}

static cgct_status at_once(const backend *b, const backend_transform *w, const dipole *d, double *I,
                           backend_facts *f, pipeline_report *rep, cgct_err *err)
{
    double t0 = hankel_clock();
    CGCT_TRY(b->transform(w, d, I, f, err));
    rep->seconds_inner = hankel_clock() - t0;
    return CGCT_OK;
}

cgct_status pipeline_sum_rule(const dipole *d, double eps, const double origin[NPOL],
                              double *difference, cgct_err *err)
{
    double truth[NPOL];
    CGCT_TRY(inner_sum_rule(d, eps, truth, err));
    *difference =
        fmax(fabs(origin[POL_T] / truth[POL_T] - 1), fabs(origin[POL_L] / truth[POL_L] - 1));
    return CGCT_OK;
}

static cgct_status one_pass(mode_table *out, const pipeline_task *k, const dipole *d,
                            const inner_grids *g, const backend *b, double *ridge_cut,
                            pipeline_report *rep, cgct_err *err)
{
    const backend_transform w = {.inner = &g->inner,
                                 .nq = k->nq,
                                 .np = g->np,
                                 .q = k->q,
                                 .P = g->P,
                                 .degree = k->settings->inner.hankel.degree,
                                 .tail = g->tail.nterm ? &g->tail : NULL};
    double lam = g->inner.lam;
    size_t nm = g->inner.nm, n = NPOL * nm * k->nq * g->np;
    backend_facts f = {{0}, 0, 0};
    double *I = malloc(n * sizeof *I);
    if (!I) return cgct_fail(err, CGCT_E_NOMEM, "modes at %zu momenta: no memory", g->np);
    cgct_status st = (b->transform ? at_once : by_table)(b, &w, d, I, &f, rep, err);
    if (st == CGCT_OK) st = pipeline_sum_rule(d, k->eps, f.origin, &rep->sum_rule, err);
    if (st == CGCT_OK)
        st = mode_table_init(out, lam, nm, lam == 0.5 ? 2 : 1, k->nq, k->q, g->np, g->P, I, err);
    free(I);
    if (st != CGCT_OK) return st;
    *ridge_cut = f.ridge_cut;
    rep->rank = f.rank;
    rep->bytes_peak = b->bytes_needed(&g->inner) + 2 * n * sizeof *I;
    return CGCT_OK;
}

void pipeline_report_grids(pipeline_report *rep, const inner_grids *g)
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

/* One pass, for backend_try. */
typedef struct {
    mode_table *out;
    const pipeline_task *k;
    const dipole *d;
    const inner_grids *g;
    double *ridge_cut;
    pipeline_report *rep;
} pass_work;

static cgct_status pass_with(void *self, const backend *b, cgct_err *err)
{
    const pass_work *w = self;
    return one_pass(w->out, w->k, w->d, w->g, b, w->ridge_cut, w->rep, err);
}

static cgct_status pass(mode_table *out, const pipeline_task *k, const inner_grids_task *task,
                        double *ridge_cut, pipeline_report *rep, cgct_err *err)
{
    inner_grids g;
    pass_work w = {out, k, task->dipole, &g, ridge_cut, rep};
    const inner_settings *c = &k->settings->inner;
    const backend_task any = {k->builders, c->backend, c->device, pass_with, &w};
    CGCT_TRY(inner_grids_init(&g, task, err));
    g.inner.crew = k->builders ? k->builders->crew : NULL;
    pipeline_report_grids(rep, &g);
    cgct_status st = backend_try(&any, &rep->backend, rep->fallback, err);
    inner_grids_free(&g);
    return st;
}

cgct_status pipeline_check_task(const pipeline_task *k, cgct_err *err)
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

inner_grids_task pipeline_grids_task(const pipeline_task *k, const dipole *d, double *scale)
{
    double q_max = 0;
    for (size_t iq = 0; iq < k->nq; iq++) q_max = fmax(q_max, k->q[iq]);
    *scale = fmax(k->eps, sqrt(dipole_Qs2(d)));
    double reach = neighbour(NEIGHBOURS - 1, k->k_max + k->settings->inner.lam * q_max, *scale);
    return (inner_grids_task){&k->settings->inner, d, k->eps, q_max, reach, 1};
}

void pipeline_certificate(const dipole *d, double *coarser, double *safety)
{
    const int table = dipole_kind_of(d) == DIPOLE_TABLE;
    *coarser = table ? COARSER_TABLE : COARSER;
    *safety = table ? SAFETY_TABLE : SAFETY;
}

static cgct_status passes(pipeline *p, const pipeline_task *k, const dipole *d,
                          pipeline_report *rep, cgct_err *err)
{
    pipeline_report again = {0};
    double cut, coarser, t0 = hankel_clock();
    inner_grids_task task = pipeline_grids_task(k, d, &p->scale);
    pipeline_certificate(d, &coarser, &p->safety);
    CGCT_TRY(pass(&p->fine, k, &task, &cut, rep, err));
    const ridge_task ridges = {d, k->eps, cut, k->nq, k->q, k->k_max + task.q_max};
    CGCT_TRY(ridge_init(&p->ridges, &ridges, err));
    double t1 = hankel_clock();
    task.coarser = coarser;
    CGCT_TRY(pass(&p->coarse, k, &task, &cut, &again, err));
    if (!*rep->fallback) memcpy(rep->fallback, again.fallback, sizeof rep->fallback);
    rep->seconds_certificate = hankel_clock() - t1;
    rep->seconds_total = hankel_clock() - t0;
    return CGCT_OK;
}

cgct_status pipeline_init(pipeline **out, const pipeline_task *task, pipeline_report *report,
                          cgct_err *err)
{
    pipeline_report unused;
    CGCT_TRY(pipeline_check_task(task, err));
    pipeline *p = calloc(1, sizeof *p);
    if (!p) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a pipeline");
    p->k_max = task->k_max;
    p->tolerance = task->settings->inner.tolerance;
    p->m_max = task->settings->m_max;
    p->n_theta = task->settings->n_theta;
    memset(report ? report : &unused, 0, sizeof *report);
    dipole *d = NULL;
    cgct_status st = dipole_init(&d, task->source, task->x, err);
    if (st == CGCT_OK) st = passes(p, task, d, report ? report : &unused, err);
    dipole_free(d);
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
    ridge_free(&p->ridges);
    free(p);
}

/* Value, and root mean square of the difference of the two passes in the neighbourhood of P. */
static void value_and_spread(const pipeline *p, size_t iq, double P, double phi, double I[NPOL],
                             double spread[NPOL])
{
    spread[POL_T] = spread[POL_L] = 0;
    for (int j = NEIGHBOURS - 1; j >= 0; j--) {
        double other[NPOL], at = neighbour(j, P, p->scale);
        mode_table_eval(&p->fine, iq, at, phi, I);
        mode_table_eval(&p->coarse, iq, at, phi, other);
        for (int pol = 0; pol < NPOL; pol++)
            spread[pol] += pow(I[pol] - other[pol], 2) / NEIGHBOURS;
    }
    for (int pol = 0; pol < NPOL; pol++) spread[pol] = sqrt(spread[pol]);
}

double pipeline_k2(double q, double k1, double theta)
{
    return hypot(q - k1 * cos(theta), k1 * sin(theta));
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
    ridge_add(&p->ridges, iq, k1, pipeline_k2(p->fine.q[iq], k1, theta), I);
    for (int pol = 0; pol < NPOL; pol++)
        error[pol] = p->safety * error[pol] + PIPELINE_ROUNDING * fabs(I[pol]);
    if (!isfinite(I[POL_T] + I[POL_L] + error[POL_T] + error[POL_L]))
        return cgct_fail(err, CGCT_E_ACCURACY,
                         "I is not finite at q = %g, k1 = %g GeV, theta = %g: the dipole or the "
                         "grids given do not allow it",
                         p->fine.q[iq], k1, theta);
    return CGCT_OK;
}
