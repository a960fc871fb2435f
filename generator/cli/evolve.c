/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evolve.c: the subcommand evolve: solves the BK equation and writes N(r,Y) for other programs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/common.h"
#include "format/safe_text.h"
#include "format/tmpfile.h"
#include "numerics/clock.h"

/* r of the file: FILE_NODES in equal steps of ln r, as the public tables of this layout. */
enum { FILE_NODES = 400 };
#define FILE_R_MIN 1e-6
#define FILE_R_MAX 100.0
#define STEP_DEFAULT "0.2"
/* Half the distance in ln x over which lambda is a difference. */
#define LAMBDA_STEP 0.02

typedef struct {
    cli_task task;
    const char *output, *step;
    int report;
    double Ymax, dY;
} evolve_job;

/* Rapidities 0, dY, 2 dY, .. and Ymax. */
static size_t count_rapidities(const evolve_job *j)
{
    return 1 + (size_t)ceil(j->Ymax / j->dY - 1e-9);
}

static double x_of_rapidity(const evolve_job *j, size_t i)
{
    const double Y = fmin((double)i * j->dY, j->Ymax);
    return j->task.card.dipole.x_initial * exp(-Y);
}

static cgct_status write_rapidity(const evolve_job *j, FILE *f, size_t i, double step,
                                  cgct_err *err)
{
    dipole *d;
    double r2[FILE_NODES], L[FILE_NODES];
    CGCT_TRY(dipole_init(&d, j->task.source, x_of_rapidity(j, i), err));
    for (int k = 0; k < FILE_NODES; k++) r2[k] = exp(2 * (log(FILE_R_MIN) + k * step));
    dipole_lnS(d, FILE_NODES, r2, L);
    dipole_free(d);
    fprintf(f, "###%.17g\n", fmin((double)i * j->dY, j->Ymax));
    for (int k = 0; k < FILE_NODES; k++) fprintf(f, "%.17g\n", -expm1(L[k]));
    return CGCT_OK;
}

/* Qs and lambda = dlnQs^2/dln(1/x) at the rapidities of the file. */
static cgct_status print_saturation(const evolve_job *j, double seconds, cgct_err *err)
{
    const dipole_source *s = j->task.source;
    safe_line(stdout, "# %s", s->describe);
    printf("# solved in %.1f s\n# x Y Qs/GeV lambda\n", seconds);
    for (size_t i = 0; i < count_rapidities(j); i++) {
        const double x = x_of_rapidity(j, i);
        const double a = fmin(x * exp(LAMBDA_STEP), s->xmax),
                     b = fmax(x * exp(-LAMBDA_STEP), s->xmin);
        double Qs, above, below;
        CGCT_TRY(cli_smallest_Qs(s, x, &Qs, err));
        CGCT_TRY(cli_smallest_Qs(s, a, &above, err));
        CGCT_TRY(cli_smallest_Qs(s, b, &below, err));
        printf("%.10g %.6g %.10g %.6f\n", x, fmin((double)i * j->dY, j->Ymax), Qs,
               2 * log(below / above) / log(a / b));
    }
    return CGCT_OK;
}

static cgct_status evolve_dipole(evolve_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    cgct_textfile to;
    if (!j->output && !j->report)
        return cgct_fail(err, CGCT_E_USAGE, "-o FILE or --report is needed");
    if (!t->card_path && !t->dipole)
        return cgct_fail(err, CGCT_E_USAGE, "CARD or --dipole bk:SET is needed");
    CGCT_TRY(cli_number("step", j->step ? j->step : STEP_DEFAULT, "[0.01,10]", "", &j->dY, err));
    CGCT_TRY(cli_task_config(t, err));
    if (strcmp(t->card.dipole.kind, "bk") != 0)
        return cgct_fail(err, CGCT_E_CONFIG, "dipole.kind = %s does not evolve; want bk",
                         t->card.dipole.kind);
    if (j->output) {
        CGCT_TRY(cli_check_not_read(t, j->output, err));
        CGCT_TRY(cgct_textfile_open(&to, j->output, err));
    }
    const grid_axis *x = &t->card.run.x;
    const double start = clock_wall(), step = log(FILE_R_MAX / FILE_R_MIN) / (FILE_NODES - 1);
    cgct_status st = cli_task_dipole(t, x->n, x->v, err);
    const double seconds = clock_wall() - start;
    j->Ymax = fmax(log(t->card.dipole.x_initial / x->v[0]), 0);
    if (st == CGCT_OK && j->output) {
        safe_line(to.f, "# %s", t->source->describe);
        fprintf(to.f, "###%.17g\n###%.17g\n###%d\n###%.17g\n", FILE_R_MIN, exp(step), FILE_NODES,
                t->card.dipole.x_initial);
        for (size_t i = 0; i < count_rapidities(j) && st == CGCT_OK; i++)
            st = write_rapidity(j, to.f, i, step, err);
    }
    if (st == CGCT_OK && j->report) st = print_saturation(j, seconds, err);
    return j->output ? cgct_textfile_close(&to, st, err) : st;
}

int cli_evolve(int argc, char **argv)
{
    evolve_job j = {0};
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &j.output, "FILE",
         "table to write, or -: rcBK layout, 17 digits"},
        {"--report", 0, OPTION_FLAG, &j.report, NULL, "print x Y Qs lambda, accuracy and time"},
        {"--step", 0, OPTION_TEXT, &j.step, "DY", "distance of the rapidities; default 0.2"},
        {"--dipole", 0, OPTION_TEXT, &j.task.dipole, "bk|bk:SET", "in place of the card's"},
        CLI_MEMBER_OPTIONS(&j.task),
        CLI_SHARED_OPTIONS(&j.task),
        {.name = NULL}};
    const cli_spec spec = {
        .name = "evolve",
        .synopsis = "[CARD] [--dipole bk:SET] [-o FILE] [--report] [options]",
        .doc = "Solves the BK equation of a card (dipole.kind = bk) from dipole.x_initial down to\n"
               "the smallest axes.x, and writes N(r) at equal steps of Y = ln(x_initial/x).",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &j.task.card_path);
    if (go != CLI_GO) return go;
    cgct_status st = evolve_dipole(&j, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
