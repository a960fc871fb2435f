/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c: the program cgctab-studies, which repeats the paper's convergence studies and compares
 * routes with each other: the options, the report, and which studies are run. */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/memory.h"
#include "study.h"

const char cli_name[] = "cgctab-studies";

static const struct {
    char letter;
    const char *title;
    cgct_status (*run)(const study *v, cgct_err *err);
} studies[] = {
    {'a', "partial sums over modes at q = 2, k1 = 5 GeV", study_mode_sums},
    {'b', "convergence of the Filon rule with the grid, and (c) maps of the inner table",
     study_filon_rule},
    {'d', "slices in k1", study_slices},
    {'e', "angular stress test at eps = 0.5 GeV", study_angular_stress},
    {'f', "errors of the paper's discretisation and of this program, GBW", study_exact_errors},
    {'g', "a dilute target has the limit with kinematic twists, and (i) at q = 0.05 GeV",
     study_dilute},
    {'h', "the approach to the limits with 1/K", study_approach},
    {'j', "three colours beside infinitely many", study_colours},
    {'k', "reduced cross section of a fit to HERA, beside its authors and the data",
     study_structure_functions},
    {'l', "massive quarks back to back, of transverse and longitudinal photons", study_masses},
};

/* For gbw I falls like exp(-q^2/(2 Qs^2)) by cancellation: at e^-15 double precision leaves at best
 * 1e-16 e^15 = 3e-10 of relative accuracy. */
static const double GBW_EXPONENT_MAX = 15;

#define LETTERS "abcdefghijkl" /* c is done with b, i with g */

typedef struct {
    cli_task task;
    const char *dir, *only;
    int is_long;
} studies_job;

static cgct_status check_letters(const char *only, cgct_err *err)
{
    if (only && (!*only || strlen(only) > sizeof LETTERS - 1))
        return cgct_fail(err, CGCT_E_USAGE, "--study: '%s'; want some of the letters " LETTERS,
                         only);
    for (const char *p = only; p && *p; p++)
        if (!strchr(LETTERS, *p))
            return cgct_fail(err, CGCT_E_USAGE, "--study: no study '%c'; there are " LETTERS, *p);
    return CGCT_OK;
}

static int is_wanted(const studies_job *j, char letter)
{
    return !j->only || strchr(j->only, letter) || (letter == 'b' && strchr(j->only, 'c')) ||
           (letter == 'g' && strchr(j->only, 'i'));
}

/* The paper's q = 2, 5, 9 and 4.47 GeV; smaller ones for gbw where its I is lost in rounding. */
static cgct_status choose_study_momenta(study *v, cgct_err *err)
{
    static const double paper[STUDY_NQ] = {2, 5, 9}, gbw[STUDY_NQ] = {1, 1.5, 2};
    dipole *d;
    CGCT_TRY(dipole_init(&d, v->source, v->x, err));
    double exponent = paper[STUDY_NQ - 1] * paper[STUDY_NQ - 1] / (2 * d->Qs2);
    int small = d->kind == DIPOLE_GBW && exponent > GBW_EXPONENT_MAX;
    memcpy(v->q, small ? gbw : paper, sizeof v->q);
    v->q_angles = small ? gbw[1] : 4.47;
    dipole_free(d);
    if (small)
        study_say(
            v,
            "studies b and d at q = 1, 1.5, 2 GeV, e at 1.5 GeV: the paper's 9 GeV would need "
            "exp(-q^2/(2 Qs^2)) = %.0e of I",
            exp(-exponent));
    return CGCT_OK;
}

static cgct_status run_study(const study *v, size_t i, cgct_err *err)
{
    double start = omp_get_wtime();
    char letter = studies[i].letter;
    study_say(v, "\n== %c. %s", letter, studies[i].title);
    study_say(v, "   cgctab-studies -o %s --dipole %s --x %g --study %c%s", v->dir, v->dipole, v->x,
              letter, v->is_long ? " --long" : "");
    cgct_status st = studies[i].run(v, err);
    if (st != CGCT_OK) return cgct_context(err, st, "study %c", letter);
    study_say(v, "   (%.0f s)", omp_get_wtime() - start);
    return CGCT_OK;
}

static cgct_status prepare_studies(studies_job *j, study *v, cgct_err *err)
{
    cli_task *t = &j->task;
    if (!j->dir) return cgct_fail(err, CGCT_E_USAGE, "no folder: give -o DIR");
    CGCT_TRY(check_letters(j->only, err));
    CGCT_TRY(cli_task_config(t, err));
    CGCT_TRY(cli_number("x", t->x_text ? t->x_text : "0.01", "(0,1]", "", &v->x, err));
    CGCT_TRY(cli_task_dipole(t, 1, &v->x, err));
    v->source = t->source;
    return picture_make_folder(j->dir, err);
}

static cgct_status run_studies(studies_job *j, cgct_err *err)
{
    study v = {.dir = j->dir, .dipole = j->task.dipole, .is_long = j->is_long};
    char path[4096], program[64];
    CGCT_TRY(prepare_studies(j, &v, err));
    /* that of all studies stays when one is repeated */
    snprintf(path, sizeof path, "%s/report%s%s.txt", j->dir, j->only ? "_" : "",
             j->only ? j->only : "");
    /* it grows with the studies, which take hours */
    if (!(v.report = fopen(path, "w"))) return cgct_fail_errno(err, path, "cannot create", errno);
    cli_program(program, sizeof program);
    study_say(&v, "%s: dipole %s, x = %g; %s", program, v.source->describe, v.x,
              v.is_long ? "the paper's sizes"
                        : "reduced sets, said at each study; --long does all");
    cgct_status st = choose_study_momenta(&v, err);
    for (size_t i = 0; i < sizeof studies / sizeof *studies && st == CGCT_OK; i++)
        if (is_wanted(j, studies[i].letter)) st = run_study(&v, i, err);
    int bad = ferror(v.report);
    bad |= fclose(v.report);
    if (st == CGCT_OK && bad)
        st = cgct_fail(err, CGCT_E_IO, "%s: not everything could be written", path);
    return st;
}

int main(int argc, char **argv)
{
    memory_keep_freed();
    command_begin();
    gsl_set_error_handler_off();
    studies_job j = {0};
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &j.dir, "DIR", "folder for report, data and pictures"},
        {"--dipole", 0, OPTION_TEXT, &j.task.dipole, "gbw|mv|mv:SET|bk:SET|FILE",
         "default mv; f is gbw, g mv, j mv:mve, k bk always"},
        {"--x", 0, OPTION_TEXT, &j.task.x_text, "X", "momentum fraction, default 0.01"},
        {"--study", 0, OPTION_TEXT, &j.only, "LETTERS", "some of " LETTERS "; default all"},
        {"--long", 0, OPTION_FLAG, &j.is_long, NULL, "the paper's sizes: hours instead of minutes"},
        {"--jobs", 'j', OPTION_TEXT, &j.task.jobs, "N", "threads (run.jobs)"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "",
        .synopsis = "-o DIR [--dipole D] [--x X] [--study LETTERS] [--long]",
        .doc = "Repeats the paper's convergence studies and adds the true errors: a report, data\n"
               "files, and a picture (gnuplot) with its script for each.",
        .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    if (!j.task.dipole) j.task.dipole = "mv";
    cgct_status st = run_studies(&j, &err);
    cli_task_free(&j.task);
    return cli_end(&spec, st, &err);
}
