/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <omp.h>
#include <string.h>

#include "cli/exact.h"
#include "cli/report.h"
#include "cuda/builders.h"
#include "node/node.h"

typedef struct {
    cli_task task;
    int exact, report;
    int begun; /* the '#' line is out */
} point_job;

static cgct_status print_point(const point_job *j, const node_tables *p, double x, double eps,
                               double Qs2, const size_t at[3], cgct_err *err)
{
    const cli_task *t = &j->task;
    double q = t->q.v[at[0]], k1 = t->k1.v[at[1]], theta = t->theta.v[at[2]];
    double I[2], error[2], exact[2];
    CGCT_TRY(node_point(p, at[0], k1, theta, I, error, err));
    if (j->exact) CGCT_TRY(cli_exact_value(q, k1, theta, eps, Qs2, exact, err));
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x, eps, q, k1, theta, I[0],
           error[0], I[1], error[1]);
    if (j->exact)
        printf(" %.17g %.17g %.17g %.17g", exact[0], I[0] / exact[0] - 1, exact[1],
               I[1] / exact[1] - 1);
    putchar('\n');
    return CGCT_OK;
}

static void print_head(point_job *j)
{
    if (!j->begun)
        printf("# x eps q k1 theta I_T err_T I_L err_L%s\n",
               j->exact ? " exact_T rel_T exact_L rel_L" : "");
    j->begun = 1;
}

static cgct_status print_node(point_job *j, double x, double eps, cgct_err *err)
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
    if (j->exact) CGCT_TRY(cli_exact_Qs2(t, x, &Qs2, err));
    CGCT_TRY(node_compute(&task, &p, NULL, &report, err));
    print_head(j);
    cli_report_fallback("point", report.fallback, report.backend);
    if (j->report) cli_report_print(stderr, x, eps, &report);
    size_t at[3];
    for (at[0] = 0; at[0] < t->q.n; at[0]++)
        for (at[1] = 0; at[1] < t->k1.n; at[1]++)
            for (at[2] = 0; at[2] < t->theta.n && st == CGCT_OK; at[2]++)
                st = print_point(j, p, x, eps, Qs2, at, err);
    node_tables_free(p);
    return st;
}

static cgct_status print_all(point_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double Qs2;
    CGCT_TRY(cli_task_init(t, err));
    if (j->exact) CGCT_TRY(cli_exact_Qs2(t, t->x.v[0], &Qs2, err));
    if (t->card.jobs > 0) omp_set_num_threads(t->card.jobs);
    for (size_t ix = 0; ix < t->x.n; ix++)
        for (size_t ie = 0; ie < t->eps.n; ie++) {
            cgct_status st = print_node(j, t->x.v[ix], t->eps.v[ie], err);
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
    const cli_option options[] = {
        CLI_POINT_OPTIONS(&j.task),
        {"backend", 0, CLI_TEXT, &j.task.backend, "NAME", "builder of the inner table"},
        {"frame", 0, CLI_TEXT, &j.task.frame, "LAM", "frame, 0 to 1 (inner.lam)"},
        {"exact", 0, CLI_FLAG, &j.exact, NULL, "append exact_T rel_T exact_L rel_L (gbw)"},
        {"report", 0, CLI_FLAG, &j.report, NULL, "grids chosen and time of each stage to stderr"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "point",
        .synopsis = "--dipole gbw|mv|mv:SET|FILE --x LIST --eps LIST --q LIST --k1 LIST "
                    "--theta LIST [options]",
        .doc =
            "Prints x eps q k1 theta I_T err_T I_L err_L (GeV, GeV^-6): the outer product of the\n"
            "lists, x slowest, theta fastest.  err is a bound on the error of I.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = print_all(&j, &err);
    cli_task_free(&j.task);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
