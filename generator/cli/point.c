/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommands point and exact: the cross section at points, computed for each (x, eps) or, for
 * the GBW dipole, exactly. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "cuda/builders.h"
#include "dipole/exact_gbw.h"
#include "node/node.h"

/* ---- exact values ---- */

/* Saturation momentum squared at x; E_USAGE unless the dipole is GBW. */
static cgct_status exact_Qs2(const cli_task *t, double x, double *Qs2, cgct_err *err)
{
    dipole *d = NULL;
    CGCT_TRY(dipole_init(&d, t->source, x, err));
    int is_gbw = dipole_kind_of(d) == DIPOLE_GBW;
    *Qs2 = dipole_Qs2(d);
    dipole_free(d);
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
    int begun; /* the line with the names of the columns has been printed */
} point_job;

static void print_columns(point_job *j)
{
    if (!j->begun)
        printf("# x eps q k1 theta I_T err_T I_L err_L%s\n",
               j->exact ? " exact_T rel_T exact_L rel_L" : "");
    j->begun = 1;
}

static cgct_status print_point(const point_job *j, const node_tables *p, const node_task *task,
                               double Qs2, const cli_point_at *at, cgct_err *err)
{
    double I[2], error[2], exact[2];
    CGCT_TRY(node_point(p, at->iq, at->k1, at->theta, I, error, err));
    if (j->exact) CGCT_TRY(exact_value(at, task->eps, Qs2, exact, err));
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", task->x, task->eps, at->q,
           at->k1, at->theta, I[0], error[0], I[1], error[1]);
    if (j->exact)
        printf(" %.17g %.17g %.17g %.17g", exact[0], I[0] / exact[0] - 1, exact[1],
               I[1] / exact[1] - 1);
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
    node_tables *p = NULL;
    double Qs2 = 0;
    cgct_status st = CGCT_OK;
    for (size_t ik = 0; ik < t->k1.n; ik++)
        if (t->k1.v[ik] > task.k_max) task.k_max = t->k1.v[ik];
    if (j->exact) CGCT_TRY(exact_Qs2(t, x, &Qs2, err));
    CGCT_TRY(node_compute(&task, &p, NULL, &report, err));
    print_columns(j);
    cli_report_fallback("point", report.fallback, report.backend);
    if (j->report) cli_report_print(x, eps, &report);
    for (size_t i = 0; i < cli_task_npoint(t) && st == CGCT_OK; i++) {
        cli_point_at at = cli_task_point(t, i);
        st = print_point(j, p, &task, Qs2, &at, err);
    }
    node_tables_free(p);
    return st;
}

static cgct_status print_grid_of_points(point_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double Qs2;
    CGCT_TRY(cli_task_init(t, err));
    if (j->exact) CGCT_TRY(exact_Qs2(t, t->x.v[0], &Qs2, err));
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
        {"--report", 0, OPTION_FLAG, &j.report, NULL,
         "grids chosen and time of each stage to stderr"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "point",
        .synopsis = "--dipole gbw|mv|mv:SET|bk:SET|FILE --x LIST --eps LIST --q LIST --k1 LIST "
                    "--theta LIST [options]",
        .doc =
            "Prints x eps q k1 theta I_T err_T I_L err_L (GeV, GeV^-6): the outer product of the\n"
            "lists, x slowest, theta fastest.  err is a bound on the error of I.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = print_grid_of_points(&j, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
