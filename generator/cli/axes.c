/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdlib.h>

#include "run/axes_choice.h"
#include "cli/common.h"
#include "cuda/builders.h"

typedef struct {
    cli_task task;
    const char *aim;
} axes_job;

static cgct_status print_axes(axes_job *j, cgct_err *err)
{
    static const char *const name[] = {"x", "eps", "q", "k1"};
    CGCT_TRY(cli_task_config(&j->task, err));
    const config *c = &j->task.card;
    const grid_axis *axis[] = {&c->run.x, &c->run.eps, &c->run.q, &c->run.k1};
    axes_choice choice;
    const char *text = j->aim ? j->aim : "1e-3";
    char *end;
    double aim = strtod(text, &end);
    if (end == text || *end)
        return cgct_fail(err, CGCT_E_USAGE, "--aim '%s' is not a number", text);
    const backend_set builders = cuda_backends(NULL);
    CGCT_TRY(cli_task_dipole(&j->task, c->run.x.n, c->run.x.v, err));
    if (c->jobs > 0) omp_set_num_threads(c->jobs);
    CGCT_TRY(axes_choose(&c->run, j->task.source, &builders, aim, &choice, err));
    printf("[axes]\n");
    for (int a = 0; a < 4; a++) {
        const double *v = axis[a]->v;
        if (axis[a]->n == 1)
            printf("%s = %.15g\n", name[a], v[0]);
        else
            printf("%s = geom %.15g %.15g %zu  ; %.2g with %zu, from %zu values\n", name[a], v[0],
                   v[axis[a]->n - 1], choice.n[a], choice.error[a], axis[a]->n, choice.samples[a]);
    }
    return CGCT_OK;
}

int cli_axes(int argc, char **argv)
{
    axes_job j = {0};
    const cli_option options[] = {
        {"aim", 0, CLI_TEXT, &j.aim, "E", "99.9% of values within E of I (default 1e-3)"},
        CLI_SHARED_OPTIONS(&j.task),
        {"backend", 0, CLI_TEXT, &j.task.backend, "NAME", "builder of the inner table"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "axes",
        .synopsis = "CARD [--aim E] [options]",
        .doc = "Prints the section [axes] that a table needs for an error of interpolation: the\n"
               "ends of the card's axes, and numbers of geometric values found by computing some\n"
               "30 nodes.  'run' with accuracy.checks then measures the error that was reached.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &j.task.card_path);
    if (go != CLI_GO) return go;
    cgct_status st = CGCT_E_USAGE;
    if (j.task.card_path)
        st = print_axes(&j, &err);
    else
        cgct_fail(&err, st, "CARD is missing");
    cli_task_free(&j.task);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
