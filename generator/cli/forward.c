/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point --process: T of forward dijets at points, from a node and closed parts. */
#include "cli/forward.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cuda/builders.h"
#include "node/forward.h"
#include "node/node.h"
#include "node/reference.h"
#include "numerics/memory.h"

/* T, a bound on its error, closed, C without what is taken off, a bound on its error, D, limit; the
 * part of the bound that comes from the dipole. */
typedef struct {
    double T, error, closed, C, error_C, coefficient, limit, dipole;
} forward_row;

typedef struct {
    const cli_task *task;
    forward_channel channel;
    forward_scheme scheme;
    double eps, Lambda, mass; /* GeV; eps = mass = 0: the limit */
    int limit;                /* forward_limit, or -1 */
    const char *limit_name;
    dipole_changes changes;
    forward_row *row;
    char *done;
} forward_job;

/* The points of one x and one eps; arrays (n), with room for all points. */
typedef struct {
    double x, eps, c_eps; /* eps: 0 for the limit; c_eps: that of C */
    size_t n, nq;
    size_t *at; /* their rows */
    forward_point *point;
    double *q, k_max; /* q (nq): rising, each once */
    forward_value *value, *changed;
    double (*C)[NPOL], (*coarse)[NPOL], (*other)[NPOL], (*error)[NPOL];
} forward_group;

/* ---- words and numbers ---- */

static int word_among(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], word)) return i;
    return -1;
}

static cgct_status read_options(forward_job *j, const forward_texts *o, const char *limit,
                                cgct_err *err)
{
    const cli_task *t = j->task;
    static const char *const channels[] = {"qg", "gg", "qqb", NULL};
    static const char *const schemes[] = {"log", "none", "wave", NULL};
    static const char *const limits[] = {"tmd", "itmd", "dilute", NULL};
    const int channel = word_among(channels, t->process), regulated = t->eps_text || o->mass;
    const int scheme = o->dps ? word_among(schemes, o->dps) : regulated ? 1 : 0;
    if (channel < 0)
        return cgct_fail(err, CGCT_E_USAGE, "--process '%.40s'; want qg, gg or qqb", t->process);
    j->channel = (forward_channel)channel;
    if (scheme < 0)
        return cgct_fail(err, CGCT_E_USAGE, "--dps '%.40s'; want log, wave or none", o->dps);
    j->scheme = (forward_scheme)scheme;
    j->limit = limit ? word_among(limits, limit) : -1;
    j->limit_name = limit;
    if (limit && j->limit < 0)
        return cgct_fail(err, CGCT_E_USAGE, "--limit '%.40s'; want tmd, itmd or dilute", limit);
    if (t->q_text || t->theta_text)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--q and --theta belong to photons; give --k1, --k2 and --angle");
    if (t->eps_text && o->mass)
        return cgct_fail(err, CGCT_E_USAGE, "--mass sets eps = z m; leave --eps out");
    if (o->mass && channel != FORWARD_QG)
        return cgct_fail(err, CGCT_E_USAGE, "--mass is for --process qg, not %s", t->process);
    if (t->eps_text) CGCT_TRY(cli_number("eps", t->eps_text, "[1e-2,1e2]", "GeV", &j->eps, err));
    if (o->mass) CGCT_TRY(cli_number("mass", o->mass, "[1e-2,1e2]", "GeV", &j->mass, err));
    if (!regulated && scheme == FORWARD_NOTHING)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--dps none: T grows like a logarithm of 1/eps without a mass; give "
                         "--dps log or wave");
    if (scheme == FORWARD_NOTHING) {
        if (o->Lambda)
            return cgct_fail(err, CGCT_E_USAGE, "--Lambda has no effect with --dps none");
        j->Lambda = 1; /* of a logarithm that nobody asks for */
        return CGCT_OK;
    }
    /* the cut wave function reaches to 1/Lambda */
    const char *range = scheme == FORWARD_WAVE ? "[0.05,1e3]" : "(0,1e3]";
    return cli_number("Lambda", o->Lambda, range, "GeV", &j->Lambda, err);
}

static forward_point point_of_row(const cli_task *t, size_t i)
{
    const double *v = t->points.v.v + 5 * i;
    return (forward_point){v[1], v[2], v[3], v[4]};
}

/* P = 0 and q = 0. */
static cgct_status check_momenta(const forward_job *j, cgct_err *err)
{
    const cli_task *t = j->task;
    for (size_t i = 0; i < t->points.n; i++) {
        const forward_point p = point_of_row(t, i);
        const forward_momenta m = forward_momenta_of(&p);
        const double least = 1e-9 * (p.k1 + p.k2);
        cgct_status st = CGCT_OK;
        if (m.P <= least && ((j->eps == 0 && j->mass == 0) || j->limit >= 0))
            st =
                cgct_fail(err, CGCT_E_DOMAIN,
                          "P = |(1-z) k1 - z k2| = %g GeV at z = %g, k1 = %g, k2 = %g, angle = %g: "
                          "the partons are collinear and %s diverges; cut it with a jet radius",
                          m.P, p.z, p.k1, p.k2, p.angle, j->limit >= 0 ? "the limit" : "T");
        else if (m.q <= least)
            st =
                cgct_fail(err, CGCT_E_DOMAIN,
                          "q = |k1 + k2| = %g GeV at k1 = %g, k2 = %g, angle = %g: a positive q is "
                          "needed; change the angle by 1e-6",
                          m.q, p.k1, p.k2, p.angle);
        if (st != CGCT_OK) return number_rows_blame(&t->points, i, st, err);
    }
    return CGCT_OK;
}

/* ---- one group ---- */

static double eps_of_row(const forward_job *j, size_t i)
{
    return j->mass > 0 ? j->mass * point_of_row(j->task, i).z : j->eps;
}

/* The points from the first on that have its x and eps. */
static void gather_group(const forward_job *j, size_t first, forward_group *g)
{
    const cli_task *t = j->task;
    g->x = cli_task_point(t, first).x;
    g->eps = eps_of_row(j, first);
    g->n = g->nq = 0;
    g->k_max = 0;
    for (size_t i = first; i < t->points.n; i++) {
        if (cli_task_point(t, i).x != g->x || eps_of_row(j, i) != g->eps) continue;
        g->at[g->n] = i;
        g->point[g->n] = point_of_row(t, i);
        g->q[g->n] = forward_momenta_of(&g->point[g->n]).q;
        g->k_max = fmax(g->k_max, g->point[g->n++].k2);
    }
    qsort(g->q, g->n, sizeof *g->q, number_compare);
    for (size_t i = 0; i < g->n; i++)
        if (!i || g->q[i] > g->q[g->nq - 1]) g->q[g->nq++] = g->q[i];
}

/* out (n, NPOL) = eps^2 I of the coarser computation; where that is g->coarse the finer one is
 * done, too, for g->C and g->error. */
static cgct_status correlator_values(const forward_job *j, const forward_group *g,
                                     const dipole_source *source, double eps, double (*out)[NPOL],
                                     cgct_err *err)
{
    const int both = out == g->coarse;
    const backend_set builders = cuda_backends(NULL);
    const node_task task = {.settings = &j->task->card.run.node,
                            .source = source,
                            .x = g->x,
                            .eps = eps,
                            .nq = g->nq,
                            .q = g->q,
                            .k_max = g->k_max,
                            .builders = &builders,
                            .coarser_only = !both};
    node_report report;
    node_tables *n = NULL;
    cgct_status st = node_compute(&task, &n, NULL, &report, err);
    if (st == CGCT_OK && both) cli_report_fallback("point", report.fallback, report.backend);
    for (size_t i = 0; i < g->n && st == CGCT_OK; i++) {
        const forward_momenta m = forward_momenta_of(&g->point[i]);
        const double *found = bsearch(&m.q, g->q, g->nq, sizeof *g->q, number_compare);
        const size_t iq = (size_t)(found - g->q);
        if (both) st = node_point(n, iq, g->point[i].k2, m.theta, g->C[i], g->error[i], err);
        if (st == CGCT_OK) st = node_point_coarser(n, iq, g->point[i].k2, m.theta, out[i], err);
        for (int pol = 0; pol < NPOL; pol++) {
            out[i][pol] *= eps * eps;
            if (!both) continue;
            g->C[i][pol] *= eps * eps;
            g->error[i][pol] *= eps * eps;
        }
    }
    node_tables_free(n);
    return st;
}

/* Of the longitudinal wave functions in T: the helicity of a massive quark flips. */
static double weight_of(const forward_job *j, const forward_point *p, int pol)
{
    if (pol == POL_T) return 1;
    return j->mass > 0 ? p->z * p->z / (1 + (1 - p->z) * (1 - p->z)) : 0;
}

/* The bound on the error of each T: grids, eps -> 0 and the dipole. */
static cgct_status add_bounds(const forward_job *j, const forward_group *g, const forward_task *k,
                              cgct_err *err)
{
    const int has_C = j->channel != FORWARD_QQB;
    if (has_C &&
        g->eps == 0) { /* C with the larger eps less its logarithm, beside C less its own */
        CGCT_TRY(correlator_values(j, g, k->source, FORWARD_LIMIT_RATIO * g->c_eps, g->other, err));
        for (size_t i = 0; i < g->n; i++)
            j->row[g->at[i]].error_C +=
                fabs(g->other[i][POL_T] + g->value[i].coefficient * log(FORWARD_LIMIT_RATIO) -
                     g->coarse[i][POL_T]);
    }
    for (size_t i = 0; i < g->n; i++) j->row[g->at[i]].error += j->row[g->at[i]].error_C;
    for (size_t i = 0; i < j->changes.n; i++) {
        forward_task changed = *k;
        changed.source = j->changes.source[i];
        CGCT_TRY(forward_values(&changed, g->c_eps, g->changed, err));
        if (has_C) CGCT_TRY(correlator_values(j, g, changed.source, g->c_eps, g->other, err));
        for (size_t l = 0; l < g->n; l++) {
            double d = 0;
            for (int pol = 0; pol < NPOL; pol++)
                d += weight_of(j, &g->point[l], pol) *
                     (g->changed[l].closed[pol] - g->changed[l].off[pol] + g->other[l][pol] -
                      g->value[l].closed[pol] + g->value[l].off[pol] - g->coarse[l][pol]);
            forward_row *r = &j->row[g->at[l]];
            r->dipole = hypot(r->dipole, j->changes.weight[i] * d);
        }
    }
    for (size_t i = 0; i < g->n; i++) j->row[g->at[i]].error += j->row[g->at[i]].dipole;
    return CGCT_OK;
}

static cgct_status compute_values(const forward_job *j, const forward_group *g, cgct_err *err)
{
    double transforms[REFERENCE_TRANSFORMS];
    const forward_task k = {.source = j->task->source,
                            .x = g->x,
                            .channel = j->channel,
                            .scheme = j->scheme,
                            .eps = g->eps,
                            .Lambda = j->Lambda,
                            .n = g->n,
                            .point = g->point};
    CGCT_TRY(forward_values(&k, g->c_eps, g->value, err));
    if (j->channel != FORWARD_QQB)
        CGCT_TRY(correlator_values(j, g, k.source, g->c_eps, g->coarse, err));
    for (size_t i = 0; i < g->n; i++) {
        forward_row *r = &j->row[g->at[i]];
        *r = (forward_row){.coefficient = g->value[i].coefficient};
        for (int pol = 0; pol < NPOL; pol++) {
            const forward_value *v = &g->value[i];
            const double weight = weight_of(j, &g->point[i], pol);
            r->closed += weight * v->closed[pol];
            r->C += weight * (g->C[i][pol] - v->off[pol]);
            r->error += weight * v->error[pol];
            r->error_C += weight * g->error[i][pol];
        }
        r->T = r->closed + r->C;
        j->done[g->at[i]] = 1;
    }
    CGCT_TRY(add_bounds(j, g, &k, err));
    for (size_t i = 0; i < g->n && j->limit >= 0; i++) {
        const double q = forward_momenta_of(&g->point[i]).q;
        CGCT_TRY(node_transforms(k.source, g->x, INFINITY, 1, &q, transforms, err));
        j->row[g->at[i]].limit =
            forward_limit_value((forward_limit)j->limit, j->channel, &g->point[i], transforms);
    }
    return CGCT_OK;
}

static cgct_status compute_group(const forward_job *j, size_t first, forward_group *g,
                                 cgct_err *err)
{
    double Qs;
    gather_group(j, first, g);
    CGCT_TRY(cli_smallest_Qs(j->task->source, g->x, &Qs, err));
    g->c_eps = g->eps > 0 ? g->eps : FORWARD_LIMIT_EPS * Qs;
    const double least = FORWARD_LIMIT_RATIO * FORWARD_LIMIT_EPS * Qs;
    cgct_status st = CGCT_OK;
    if (g->eps > 0 && g->eps < least && j->channel != FORWARD_QQB)
        st = cgct_fail(err, CGCT_E_DOMAIN,
                       "eps = z m = %g GeV is below %g GeV, where the error of C is not bounded; "
                       "take a larger z, or no --mass",
                       g->eps, least);
    if (st == CGCT_OK) st = compute_values(j, g, err);
    if (st == CGCT_OK) return st;
    return number_rows_blame(&j->task->points, first, cgct_context(err, st, "x = %g", g->x), err);
}

/* ---- all points ---- */

static void print_row(const forward_job *j, size_t i)
{
    if (i == 0) {
        printf("# x z k1 k2 angle T err_T closed C err_C dps sigma");
        if (j->limit >= 0) printf(" %s ratio", j->limit_name);
        putchar('\n');
    }
    const forward_point p = point_of_row(j->task, i);
    const forward_row *r = &j->row[i];
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g",
           cli_task_point(j->task, i).x, p.z, p.k1, p.k2, p.angle, r->T, r->error, r->closed, r->C,
           r->error_C, r->coefficient, forward_factor(j->channel, p.z) * r->T);
    if (j->limit >= 0) printf(" %.17g %.17g", r->limit, r->T / r->limit);
    putchar('\n');
}

static cgct_status print_rows(forward_job *j, cgct_err *err)
{
    const size_t n = j->task->points.n;
    forward_group g = {.n = 0};
    const array_part part[] = {
        ARRAY_PART(j->row, n),    ARRAY_PART(j->done, n), ARRAY_PART(g.at, n),
        ARRAY_PART(g.point, n),   ARRAY_PART(g.q, n),     ARRAY_PART(g.value, n),
        ARRAY_PART(g.changed, n), ARRAY_PART(g.C, n),     ARRAY_PART(g.coarse, n),
        ARRAY_PART(g.other, n),   ARRAY_PART(g.error, n)};
    void *block = ARRAYS(part);
    cgct_status st = CGCT_OK;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        const int begins = !j->done[i];
        if (begins) st = compute_group(j, i, &g, err);
        if (st != CGCT_OK) break;
        print_row(j, i);
        if (begins && fflush(stdout))
            st = cgct_fail(err, CGCT_E_IO, "standard output: %s", strerror(errno));
    }
    free(block);
    return st;
}

cgct_status cli_forward_unused(const forward_texts *o, cgct_err *err)
{
    const char *const given[][2] = {{"z", o->z},           {"k2", o->k2},     {"angle", o->angle},
                                    {"Lambda", o->Lambda}, {"mass", o->mass}, {"dps", o->dps}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1])
            return cgct_fail(err, CGCT_E_USAGE, "--%s belongs to --process qg, gg or qqb",
                             given[i][0]);
    return CGCT_OK;
}

cgct_status cli_forward(cli_task *t, const forward_texts *o, const char *limit, cgct_err *err)
{
    forward_job j = {.task = t};
    CGCT_TRY(cli_task_config(t, err));
    CGCT_TRY(read_options(&j, o, limit, err));
    const grid_axis *x = t->card_path ? &t->card.run.x : NULL;
    const cli_column columns[] = {{"x", "(0,1]", "", t->x_text, x},
                                  {"z", "(0,1)", "", o->z, NULL},
                                  {"k1", "(0,1e3]", "GeV", t->k1_text, NULL},
                                  {"k2", "(0,1e3]", "GeV", o->k2, NULL},
                                  {"angle", "[-10,10]", "rad", o->angle, NULL}};
    CGCT_TRY(cli_task_points(t, columns, err));
    if (isfinite(t->source->Nc)) /* of qqb, which needs no correlator */
        return cgct_fail(err, CGCT_E_CONFIG,
                         "correlator.Nc = %g: dijets of a proton are computed for infinitely many "
                         "colours only; set correlator.Nc = inf",
                         t->source->Nc);
    CGCT_TRY(check_momenta(&j, err));
    CGCT_TRY(dipole_changes_open(&j.changes, t->source, err));
    cgct_status st = print_rows(&j, err);
    dipole_changes_close(&j.changes);
    return st;
}
