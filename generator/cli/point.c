/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands point and exact: the cross section at points, computed for each (x, eps) or, for
 * the GBW dipole, exactly. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "cuda/builders.h"
#include "dipole/exact_gbw.h"
#include "node/node.h"
#include "node/reference.h"

/* ---- exact values ---- */

/* Saturation momentum squared at x; E_USAGE unless the dipole is GBW. */
static cgct_status exact_Qs2(const cli_task *t, double x, double *Qs2, cgct_err *err)
{
    dipole *d = NULL;
    CGCT_TRY(dipole_init(&d, t->source, x, err));
    const int is_gbw = dipole_kind_of(d) == DIPOLE_GBW;
    const double Nc = dipole_Nc(d);
    *Qs2 = dipole_Qs2(d);
    dipole_free(d);
    if (is_gbw && isfinite(Nc))
        return cgct_fail(err, CGCT_E_USAGE,
                         "exact values exist for correlator.Nc = inf only, not for %g", Nc);
    if (is_gbw) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "exact values exist for the gbw model only, not for %s",
                     dipole_source_name(t->source));
}

/* I[T,L] in GeV^-6 at q, k1 and theta, the angle between them: exact_gbw at K = |k1 - q/2|. */
static cgct_status exact_value(const cli_point_at *at, double eps, double Qs2, double I[2],
                               cgct_err *err)
{
    double K = hypot(at->k1 * cos(at->theta) - at->q / 2, at->k1 * sin(at->theta));
    return exact_gbw(at->q, K, eps, Qs2, I, err);
}

static cgct_status print_exact(cli_task *t, cgct_err *err)
{
    double Qs2, I[2];
    CGCT_TRY(cli_task_init(t, err));
    CGCT_TRY(exact_Qs2(t, t->x.v[0], &Qs2, err));
    puts("# x eps q k1 theta exact_T exact_L");
    for (size_t ix = 0; ix < t->x.n; ix++) {
        CGCT_TRY(exact_Qs2(t, t->x.v[ix], &Qs2, err));
        for (size_t ie = 0; ie < t->eps.n; ie++)
            for (size_t i = 0; i < cli_task_npoint(t); i++) {
                cli_point_at at = cli_task_point(t, i);
                CGCT_TRY(exact_value(&at, t->eps.v[ie], Qs2, I, err));
                printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", t->x.v[ix], t->eps.v[ie],
                       at.q, at.k1, at.theta, I[0], I[1]);
            }
    }
    return CGCT_OK;
}

int cli_exact(int argc, char **argv)
{
    cli_task t = {0};
    const command_option options[] = {CLI_POINT_OPTIONS(&t), {.name = NULL}};
    const cli_spec spec = {
        .name = "exact",
        .synopsis = "[--dipole gbw] --x LIST --eps LIST --q LIST --k1 LIST --theta LIST",
        .doc = "Prints x eps q k1 theta exact_T exact_L (GeV, GeV^-6) of the GBW model, from its\n"
               "three-dimensional integral: the outer product of the lists, theta fastest.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    if (!t.dipole && !t.card_path) t.dipole = "gbw";
    cgct_status st = print_exact(&t, &err);
    cli_task_free(&t);
    return cli_end(&spec, st, &err);
}

/* ---- computed values ---- */

typedef struct {
    cli_task task;
    int exact, report;
    const char *limit; /* NULL, "tmd" or "itmd" */
    int begun;         /* the line with the names of the columns has been printed */
    dipole_changes changes;
} point_job;

/* One (x,eps) with the dipole as it is, and with each of its changes. */
typedef struct {
    node_tables *as_is, *changed[DIPOLE_CHANGES];
} point_node;

static cgct_status compute_point_node(const point_job *j, const node_task *task, point_node *p,
                                      node_report *report, cgct_err *err)
{
    *p = (point_node){0};
    CGCT_TRY(node_compute(task, &p->as_is, NULL, report, err));
    for (size_t i = 0; i < j->changes.n; i++) {
        node_task other = *task;
        other.source = j->changes.source[i];
        cgct_status st = node_compute(&other, &p->changed[i], NULL, NULL, err);
        if (st != CGCT_OK) return cgct_context(err, st, "the dipole changed within its error");
    }
    return CGCT_OK;
}

static void free_point_node(point_node *p)
{
    node_tables_free(p->as_is);
    for (size_t i = 0; i < DIPOLE_CHANGES; i++) node_tables_free(p->changed[i]);
}

/* node_point; the bound includes the numerical error of the dipole. */
static cgct_status point_value(const point_job *j, const point_node *p, const cli_point_at *at,
                               double I[NPOL], double error[NPOL], cgct_err *err)
{
    double square[NPOL] = {0}, other[NPOL], unused[NPOL];
    CGCT_TRY(node_point(p->as_is, at->iq, at->k1, at->theta, I, error, err));
    for (size_t i = 0; i < j->changes.n; i++) {
        CGCT_TRY(node_point(p->changed[i], at->iq, at->k1, at->theta, other, unused, err));
        for (int pol = 0; pol < NPOL; pol++)
            square[pol] += pow(j->changes.weight[i] * (other[pol] - I[pol]), 2);
    }
    for (int pol = 0; pol < NPOL; pol++) error[pol] += sqrt(square[pol]);
    return CGCT_OK;
}

static void print_columns(point_job *j)
{
    if (j->begun) return;
    j->begun = 1;
    printf("# x eps q k1 theta I_T err_T I_L err_L");
    if (j->exact) printf(" exact_T rel_T exact_L rel_L");
    if (j->limit) printf(" %s_T ratio_T %s_L ratio_L", j->limit, j->limit);
    putchar('\n');
}

/* The correlation limit at one x: G and H at the momenta q of the task; freed by the caller. */
static cgct_status correlation_at(const cli_task *t, double x, double **G, cgct_err *err)
{
    *G = malloc(2 * t->q.n * sizeof **G);
    if (!*G) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu momenta", t->q.n);
    return node_tensor(t->source, x, t->q.n, t->q.v, *G, *G + t->q.n, err);
}

static cgct_status print_point(const point_job *j, const point_node *p, const node_task *task,
                               double Qs2, const double *G, const cli_point_at *at, cgct_err *err)
{
    double I[2], error[2], exact[2], limit[2], eps = task->eps;
    CGCT_TRY(point_value(j, p, at, I, error, err));
    if (j->exact) CGCT_TRY(exact_value(at, task->eps, Qs2, exact, err));
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", task->x, task->eps, at->q,
           at->k1, at->theta, I[0], error[0], I[1], error[1]);
    if (j->exact)
        printf(" %.17g %.17g %.17g %.17g", exact[0], I[0] / exact[0] - 1, exact[1],
               I[1] / exact[1] - 1);
    if (j->limit) {
        reference_point where = {at->q, at->k1, at->theta, eps, eps * eps};
        const double g = G[at->iq], h = G[task->nq + at->iq];
        if (strcmp(j->limit, "tmd") == 0)
            reference_back_to_back(&where, g, h, limit);
        else
            reference_value(&where, g, h, limit);
        printf(" %.17g %.17g %.17g %.17g", limit[0], I[0] / limit[0], limit[1], I[1] / limit[1]);
    }
    putchar('\n');
    return CGCT_OK;
}

/* All points of one (x, eps). */
static cgct_status print_points(point_job *j, double x, double eps, cgct_err *err)
{
    const cli_task *t = &j->task;
    const backend_set builders = cuda_backends(NULL);
    node_task task = {.settings = &t->card.run.node,
                      .source = t->source,
                      .x = x,
                      .eps = eps,
                      .nq = t->q.n,
                      .q = t->q.v,
                      .builders = &builders};
    node_report report;
    point_node p = {0};
    double Qs2 = 0, *G = NULL;
    for (size_t ik = 0; ik < t->k1.n; ik++)
        if (t->k1.v[ik] > task.k_max) task.k_max = t->k1.v[ik];
    if (j->exact) CGCT_TRY(exact_Qs2(t, x, &Qs2, err));
    cgct_status st = j->limit ? correlation_at(t, x, &G, err) : CGCT_OK;
    if (st == CGCT_OK) st = compute_point_node(j, &task, &p, &report, err);
    if (st == CGCT_OK) {
        print_columns(j);
        cli_report_fallback("point", report.fallback, report.backend);
        if (j->report) cli_report_print(x, eps, &report);
    }
    for (size_t i = 0; i < cli_task_npoint(t) && st == CGCT_OK; i++) {
        cli_point_at at = cli_task_point(t, i);
        st = print_point(j, &p, &task, Qs2, G, &at, err);
    }
    free_point_node(&p);
    free(G);
    return st;
}

static cgct_status print_grid_of_points(point_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double Qs2;
    if (j->exact && j->limit)
        return cgct_fail(err, CGCT_E_USAGE, "--exact and --limit together; give one");
    if (j->limit && strcmp(j->limit, "tmd") != 0 && strcmp(j->limit, "itmd") != 0)
        return cgct_fail(err, CGCT_E_USAGE, "--limit '%.40s'; want tmd or itmd", j->limit);
    CGCT_TRY(cli_task_init(t, err));
    if (j->exact) CGCT_TRY(exact_Qs2(t, t->x.v[0], &Qs2, err));
    CGCT_TRY(dipole_changes_open(&j->changes, t->source, err));
    for (size_t ix = 0; ix < t->x.n; ix++)
        for (size_t ie = 0; ie < t->eps.n; ie++) {
            cgct_status st = print_points(j, t->x.v[ix], t->eps.v[ie], err);
            if (st != CGCT_OK)
                return cgct_context(err, st, "x = %g, eps = %g", t->x.v[ix], t->eps.v[ie]);
            if (fflush(stdout))
                return cgct_fail(err, CGCT_E_IO, "standard output: %s", strerror(errno));
        }
    return CGCT_OK;
}

int cli_point(int argc, char **argv)
{
    point_job j = {0};
    const command_option options[] = {
        CLI_POINT_OPTIONS(&j.task),
        {"--backend", 0, OPTION_TEXT, &j.task.backend, "NAME", "builder of the inner table"},
        {"--frame", 0, OPTION_TEXT, &j.task.frame, "LAM", "frame, 0 to 1 (inner.lam)"},
        {"--exact", 0, OPTION_FLAG, &j.exact, NULL, "append exact_T rel_T exact_L rel_L (gbw)"},
        {"--limit", 0, OPTION_TEXT, &j.limit, "tmd|itmd",
         "append a limit of I and I over it, T and L: back to back, or with all kinematic twists"},
        {"--report", 0, OPTION_FLAG, &j.report, NULL,
         "grids chosen and time of each stage to stderr"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "point",
        .synopsis = "--dipole gbw|mv|mv:SET|bk:SET|FILE --x LIST --eps LIST --q LIST --k1 LIST "
                    "--theta LIST [options]",
        .doc =
            "Prints x eps q k1 theta I_T err_T I_L err_L (GeV, GeV^-6): the outer product of the\n"
            "lists, x slowest, theta fastest.  err is a bound on the error of I, with the effect "
            "of\n"
            "the noise of a dipole file, or of the accuracy of a solution of the BK equation.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = print_grid_of_points(&j, &err);
    dipole_changes_close(&j.changes);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
