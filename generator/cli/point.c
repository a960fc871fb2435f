/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands point and exact: the cross section at points, computed for each (x, eps) or, for
 * the GBW dipole, exactly. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "cli/forward.h"
#include "cli/progress.h"
#include "cuda/builders.h"
#include "dipole/exact_gbw.h"
#include "node/node.h"
#include "node/reference.h"
#include "numerics/memory.h"

/* ---- exact values ---- */

/* Saturation momentum squared at x; E_USAGE unless the dipole is GBW. */
static cgct_status exact_Qs2(const cli_task *t, double x, double *Qs2, cgct_err *err)
{
    dipole *d = NULL;
    CGCT_TRY(dipole_init(&d, t->source, x, err));
    const int is_gbw = d->kind == DIPOLE_GBW;
    const double Nc = d->Nc;
    *Qs2 = d->Qs2;
    dipole_free(d);
    CGCT_TRY(cli_check_photons(t, err));
    if (is_gbw && isfinite(Nc))
        return cgct_fail(err, CGCT_E_USAGE,
                         "exact values exist for correlator.Nc = inf only, not for %g", Nc);
    if (is_gbw) return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "exact values exist for the gbw model only, not for %s",
                     t->source->name);
}

/* I[T,L] in GeV^-6 at q, k1 and theta, the angle between them: exact_gbw at K = |k1 - q/2|. */
static cgct_status exact_value(const cli_point_at *at, double Qs2, double I[2], cgct_err *err)
{
    double K = hypot(at->k1 * cos(at->theta) - at->q / 2, at->k1 * sin(at->theta));
    return exact_gbw(at->q, K, at->eps, Qs2, I, err);
}

static cgct_status print_exact(cli_task *t, cgct_err *err)
{
    double Qs2, I[2];
    CGCT_TRY(cli_task_init(t, err));
    CGCT_TRY(exact_Qs2(t, cli_task_point(t, 0).x, &Qs2, err));
    puts("# x eps q k1 theta exact_T exact_L");
    for (size_t i = 0; i < t->points.n; i++) {
        const cli_point_at at = cli_task_point(t, i);
        CGCT_TRY(exact_Qs2(t, at.x, &Qs2, err));
        cgct_status st = exact_value(&at, Qs2, I, err);
        if (st != CGCT_OK) return number_rows_blame(&t->points, i, st, err);
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", at.x, at.eps, at.q, at.k1, at.theta,
               I[0], I[1]);
    }
    return CGCT_OK;
}

int cli_exact(int argc, char **argv)
{
    cli_task t = {0};
    const command_option options[] = {CLI_POINT_OPTIONS(&t), {.name = NULL}};
    const cli_spec spec = {
        .name = "exact",
        .synopsis = "[--dipole gbw] --x LIST --eps LIST --q LIST --k1 LIST --theta LIST, or "
                    "--points FILE|-",
        .doc = "Prints x eps q k1 theta exact_T exact_L (GeV, GeV^-6) of the GBW model, from its\n"
               "three-dimensional integral: the outer product of the lists, theta fastest, or the\n"
               "points of a file.",
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

/* What is printed of one point, T and L. */
typedef struct {
    double I[NPOL], error[NPOL], exact[NPOL], limit[NPOL];
} point_row;

typedef struct {
    cli_task task;
    int exact, report;
    const char *limit; /* NULL, "tmd" or "itmd" */
    dipole_changes changes;
    point_row *row; /* of each point of the task */
    char *done;     /* whether it has been computed */
    size_t *group;  /* the points of one (x,eps) */
    double *q;      /* their q, rising, each once */
    double *G;      /* G, then H at these: the correlation limit */
    void *block;    /* these arrays */
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
        other.coarser_only = 1;
        cgct_status st = node_compute(&other, &p->changed[i], NULL, NULL, err);
        if (st != CGCT_OK) return cgct_context(err, st, "the dipole changed within its error");
    }
    return CGCT_OK;
}

/* node_point; the bound includes the numerical error of the dipole, from the coarser computations
 * with and without it, whose own errors are alike. */
static cgct_status point_value(const point_job *j, const point_node *p, size_t iq,
                               const cli_point_at *at, double I[NPOL], double error[NPOL],
                               cgct_err *err)
{
    double square[NPOL] = {0}, as_is[NPOL], other[NPOL];
    CGCT_TRY(node_point(p->as_is, iq, at->k1, at->theta, I, error, err));
    CGCT_TRY(node_point_coarser(p->as_is, iq, at->k1, at->theta, as_is, err));
    for (size_t i = 0; i < j->changes.n; i++) {
        CGCT_TRY(node_point_coarser(p->changed[i], iq, at->k1, at->theta, other, err));
        for (int pol = 0; pol < NPOL; pol++)
            square[pol] += pow(j->changes.weight[i] * (other[pol] - as_is[pol]), 2);
    }
    for (int pol = 0; pol < NPOL; pol++) error[pol] += sqrt(square[pol]);
    return CGCT_OK;
}

/* The names of the columns come before the first. */
static void print_point(const point_job *j, size_t i)
{
    if (i == 0) {
        printf("# x eps q k1 theta I_T err_T I_L err_L");
        if (j->exact) printf(" exact_T rel_T exact_L rel_L");
        if (j->limit) printf(" %s_T ratio_T %s_L ratio_L", j->limit, j->limit);
        putchar('\n');
    }
    const cli_point_at at = cli_task_point(&j->task, i);
    const point_row *r = &j->row[i];
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", at.x, at.eps, at.q, at.k1,
           at.theta, r->I[0], r->error[0], r->I[1], r->error[1]);
    if (j->exact)
        printf(" %.17g %.17g %.17g %.17g", r->exact[0], r->I[0] / r->exact[0] - 1, r->exact[1],
               r->I[1] / r->exact[1] - 1);
    if (j->limit)
        printf(" %.17g %.17g %.17g %.17g", r->limit[0], r->I[0] / r->limit[0], r->limit[1],
               r->I[1] / r->limit[1]);
    putchar('\n');
}

/* Computes point i from the node of its (x,eps) and keeps it in its row. */
static cgct_status compute_point(const point_job *j, const point_node *p, const node_task *task,
                                 size_t i, cgct_err *err)
{
    const cli_point_at at = cli_task_point(&j->task, i);
    point_row *r = &j->row[i];
    const double *found = bsearch(&at.q, task->q, task->nq, sizeof *task->q, number_compare);
    const size_t iq = (size_t)(found - task->q);
    double Qs2;
    CGCT_TRY(point_value(j, p, iq, &at, r->I, r->error, err));
    if (j->exact) {
        CGCT_TRY(exact_Qs2(&j->task, at.x, &Qs2, err));
        CGCT_TRY(exact_value(&at, Qs2, r->exact, err));
    }
    if (j->limit) {
        const reference_point where = {at.q, at.k1, at.theta, at.eps, at.eps * at.eps};
        const double g = j->G[iq], h = j->G[task->nq + iq];
        if (strcmp(j->limit, "tmd") == 0)
            reference_back_to_back(&where, g, h, r->limit);
        else
            reference_value(&where, g, h, r->limit);
    }
    return CGCT_OK;
}

/* The points from the first one on that have its x and eps, and the node that they need. */
static size_t gather_points(const point_job *j, size_t first, node_task *task)
{
    const cli_task *t = &j->task;
    const cli_point_at begin = cli_task_point(t, first);
    size_t n = 0, nq = 0;
    *task = (node_task){.settings = &t->card.run.node,
                        .source = t->source,
                        .x = begin.x,
                        .eps = begin.eps,
                        .q = j->q};
    for (size_t i = first; i < t->points.n; i++) {
        const cli_point_at at = cli_task_point(t, i);
        if (at.x != begin.x || at.eps != begin.eps) continue;
        j->q[n] = at.q;
        j->group[n++] = i;
        task->k_max = fmax(task->k_max, at.k1);
    }
    qsort(j->q, n, sizeof *j->q, number_compare);
    for (size_t i = 0; i < n; i++)
        if (!i || j->q[i] > j->q[nq - 1]) j->q[nq++] = j->q[i];
    task->nq = nq;
    if (task->k_max == 0) task->k_max = task->q[0]; /* k1 = 0 alone: any range holds it */
    return n;
}

/* All points with the x and eps of the first, which is not computed yet. */
static cgct_status compute_points(const point_job *j, size_t first, cgct_err *err)
{
    const backend_set builders = cuda_backends(NULL);
    node_task task;
    node_report report;
    point_node p = {0};
    const size_t n = gather_points(j, first, &task);
    task.builders = &builders;
    cgct_status st = CGCT_OK;
    if (j->limit) st = node_tensor(task.source, task.x, task.nq, task.q, j->G, j->G + task.nq, err);
    if (st == CGCT_OK) st = compute_point_node(j, &task, &p, &report, err);
    if (st == CGCT_OK) {
        cli_report_fallback("point", report.fallback, report.backend);
        if (j->report) cli_report_print(task.x, task.eps, &report);
    }
    size_t at = first;
    for (size_t i = 0; i < n && st == CGCT_OK; i++) {
        at = j->group[i];
        st = compute_point(j, &p, &task, at, err);
        j->done[at] = 1;
    }
    node_tables_free(p.as_is);
    for (size_t i = 0; i < DIPOLE_CHANGES; i++) node_tables_free(p.changed[i]);
    if (st == CGCT_OK) return st;
    cgct_context(err, st, "x = %g, eps = %g", task.x, task.eps);
    return number_rows_blame(&j->task.points, at, st, err);
}

/* Numbers that are no cross section are not left without a word. */
static void warn_of_negative(const point_job *j)
{
    const size_t n = j->task.points.n;
    size_t count = 0, first = 0;
    double most = 1; /* -I over its error */
    for (size_t i = 0; i < n; i++) {
        const point_row *r = &j->row[i];
        const double over = fmax(-r->I[POL_T] / r->error[POL_T], -r->I[POL_L] / r->error[POL_L]);
        if (over > 1 && !count++) first = i;
        most = fmax(most, over);
    }
    if (!count || j->task.quiet) return;
    const cli_point_at at = cli_task_point(&j->task, first);
    fprintf(stderr,
            "%s point: I is negative, by up to %.2g times its error, at %zu of %zu points, first "
            "at x = %g, eps = %g, q = %g, k1 = %g, theta = %g: the dipole gives no positive cross "
            "section there, unless a smaller accuracy.tolerance gives another sign\n",
            cli_name, most, count, n, at.x, at.eps, at.q, at.k1, at.theta);
}

static cgct_status print_points(point_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double Qs2;
    if (j->exact && j->limit)
        return cgct_fail(err, CGCT_E_USAGE, "--exact and --limit together; give one");
    if (j->limit && strcmp(j->limit, "tmd") != 0 && strcmp(j->limit, "itmd") != 0)
        return cgct_fail(err, CGCT_E_USAGE, "--limit '%.40s'; want tmd or itmd", j->limit);
    CGCT_TRY(cli_task_init(t, err));
    const size_t n = t->points.n;
    if (t->source->o.process != PROCESS_DIS)
        return cgct_fail(err, CGCT_E_USAGE,
                         "correlator.process = %s: give --process qg, gg or qqb, --z, --k2 and "
                         "--angle",
                         t->card.dipole.process);
    if (j->exact) CGCT_TRY(exact_Qs2(t, cli_task_point(t, 0).x, &Qs2, err));
    CGCT_TRY(dipole_changes_open(&j->changes, t->source, err));
    const array_part part[] = {ARRAY_PART(j->row, n), ARRAY_PART(j->done, n),
                               ARRAY_PART(j->group, n), ARRAY_PART(j->q, n),
                               ARRAY_PART(j->G, 2 * n)};
    j->block = ARRAYS(part);
    for (size_t i = 0; i < n; i++) {
        const int begins = !j->done[i];
        if (begins) CGCT_TRY(compute_points(j, i, err));
        print_point(j, i);
        if (begins && fflush(stdout))
            return cgct_fail(err, CGCT_E_IO, "standard output: %s", strerror(errno));
    }
    warn_of_negative(j);
    return CGCT_OK;
}

int cli_point(int argc, char **argv)
{
    point_job j = {0};
    forward_texts forward = {.z = NULL};
    const command_option options[] = {
        CLI_POINT_OPTIONS(&j.task),
        FORWARD_OPTIONS(&j.task, &forward),
        {"--backend", 0, OPTION_TEXT, &j.task.backend, "NAME", "builder of the inner table"},
        {"--frame", 0, OPTION_TEXT, &j.task.frame, "LAM", "frame, 0 to 1 (inner.lam)"},
        {"--exact", 0, OPTION_FLAG, &j.exact, NULL, "append exact_T rel_T exact_L rel_L (gbw)"},
        {"--limit", 0, OPTION_TEXT, &j.limit, "tmd|itmd|dilute",
         "append a limit and the ratio to it: back to back, with all kinematic twists, or (of a "
         "proton) one scattering"},
        {"--report", 0, OPTION_FLAG, &j.report, NULL,
         "grids chosen and time of each stage to stderr"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "point",
        .synopsis = "--dipole gbw|mv|mv:SET|bk:SET|FILE --x LIST --eps LIST --q LIST --k1 LIST "
                    "--theta LIST [options], or --points FILE|-",
        .doc =
            "Prints x eps q k1 theta I_T err_T I_L err_L (GeV, GeV^-6): the outer product of the\n"
            "lists, x slowest, theta fastest, or the points of a file in its order.  err is a\n"
            "bound on the error of I, with the effect of the noise of a dipole file, or of the\n"
            "accuracy of a solution of the BK equation.  Points with the same x and eps cost\n"
            "little more than one.  A line of FILE is 'x eps q k1 theta'; where a line before the\n"
            "points names all columns, comment or not, these five are taken from it, as from the\n"
            "output of 'point' and of 'cgctab eval'.  FILE - is standard input.\n\n"
            "With --process qg|gg|qqb: forward dijets of a proton and a nucleus, T in GeV^-4 at\n"
            "--x --z --k1 --k2 --angle, or lines 'x z k1 k2 angle'.  Prints these and T err_T\n"
            "closed C err_C dps sigma: T = closed + C, C without what is taken off for double\n"
            "parton scattering, of which dps is the coefficient of ln Lambda; sigma:\n"
            "dsigma/(dy1 dy2 d2k1 d2k2) over x_p f(x_p) alpha_s S_perp.  --eps or --mass keeps a\n"
            "regulator.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st;
    if (j.task.process) {
        st = j.exact || j.report
                 ? cgct_fail(&err, CGCT_E_USAGE, "--exact and --report do not go with --process")
                 : cli_forward(&j.task, &forward, j.limit, &err);
    } else {
        st = cli_forward_unused(&forward, &err);
        if (st == CGCT_OK) st = print_points(&j, &err);
    }
    dipole_changes_close(&j.changes);
    free(j.block);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
