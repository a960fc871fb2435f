/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/validate.h"
#include "config/params.h"
#include "numerics/clock.h"

static const validation_study studies[] = {
    {'a', "partial sums over modes at q = 2, k1 = 5 GeV", validate_modes},
    {'b', "convergence of the Filon rule with the grid, and (c) maps of the inner table",
     validate_filon},
    {'d', "slices in k1", validate_slices},
    {'e', "angular stress test at eps = 0.5 GeV", validate_angles},
    {'f', "errors of the paper's discretisation and of this program, GBW", validate_exact},
};
enum { NSTUDY = sizeof studies / sizeof *studies };
static const double GBW_EXPONENT = 15;

typedef struct {
    cli_task task;
    const char *dir, *only;
    int is_long;
} validate_job;

static cgct_status check_letters(const char *only, cgct_err *err)
{
    if (only && (!*only || strlen(only) > sizeof "abcdef" - 1))
        return cgct_fail(err, CGCT_E_USAGE, "--study: '%s'; want some of a b c d e f", only);
    for (const char *p = only; p && *p; p++)
        if (!strchr("abcdef", *p))
            return cgct_fail(err, CGCT_E_USAGE, "--study: no study '%c'; there are a b c d e f",
                             *p);
    return CGCT_OK;
}

static int wanted(const validate_job *j, char letter)
{
    return !j->only || strchr(j->only, letter) || (letter == 'b' && strchr(j->only, 'c'));
}

static cgct_status make_folder(const char *dir, cgct_err *err)
{
    struct stat st;
    if (!mkdir(dir, 0777) || (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode)))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_IO, "%s: cannot be made a folder: %s", dir, strerror(errno));
}

/* The paper's q = 2, 5, 9 and 4.47 GeV; for gbw, where I falls like exp(-q^2/(2 Qs^2)), smaller
 * ones as long as that is below what double precision can tell from 0. */
static cgct_status choose_momenta(validation *v, cgct_err *err)
{
    static const double paper[VALIDATION_NQ] = {2, 5, 9}, gbw[VALIDATION_NQ] = {1, 1.5, 2};
    dipole *d;
    CGCT_TRY(dipole_init(&d, v->source, v->x, err));
    double exponent = paper[VALIDATION_NQ - 1] * paper[VALIDATION_NQ - 1] / (2 * dipole_Qs2(d));
    int small = dipole_kind_of(d) == DIPOLE_GBW && exponent > GBW_EXPONENT;
    memcpy(v->q, small ? gbw : paper, sizeof v->q);
    v->q_angles = small ? gbw[1] : 4.47;
    dipole_free(d);
    if (small)
        validation_say(
            v,
            "studies b and d at q = 1, 1.5, 2 GeV, e at 1.5 GeV: the paper's 9 GeV would need "
            "exp(-q^2/(2 Qs^2)) = %.0e of I",
            exp(-exponent));
    return CGCT_OK;
}

static cgct_status run_study(const validate_job *j, const validation *v, const validation_study *s,
                             cgct_err *err)
{
    double start = clock_wall();
    validation_say(v, "\n== %c. %s", s->letter, s->title);
    validation_say(v, "   cgctab-generate validate -o %s --dipole %s --x %g --study %c%s", v->dir,
                   v->dipole, v->x, s->letter, j->is_long ? " --long" : "");
    cgct_status st = s->run(v, err);
    if (st != CGCT_OK) return cgct_context(err, st, "study %c", s->letter);
    validation_say(v, "   (%.0f s)", clock_wall() - start);
    return CGCT_OK;
}

static cgct_status run_all(validate_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    size_t n = 1;
    double *x = NULL;
    if (!j->dir) return cgct_fail(err, CGCT_E_USAGE, "no folder: give -o DIR");
    CGCT_TRY(check_letters(j->only, err));
    CGCT_TRY(cli_task_config(t, err));
    CGCT_TRY(config_parse_list(t->x_text ? t->x_text : "0.01", 0, &n, &x, err));
    validation v = {.dir = j->dir, .dipole = t->dipole, .x = x[0], .is_long = j->is_long};
    free(x);
    if (n == 1) CGCT_TRY(config_check_range(v.x, "(0,1]", "", err));
    if (n != 1) return cgct_fail(err, CGCT_E_USAGE, "--x: %zu numbers, want one", n);
    CGCT_TRY(cli_task_dipole(t, 1, &v.x, err));
    v.source = t->source;
    if (t->card.jobs > 0) omp_set_num_threads(t->card.jobs);
    CGCT_TRY(make_folder(j->dir, err));
    char name[32] = "report.txt"; /* that of all studies stays when one is repeated */
    if (j->only) snprintf(name, sizeof name, "report_%s.txt", j->only);
    CGCT_TRY(validation_open(&v, name, &v.report, err));
    validation_say(
        &v, "%s %d.%d.%d validate: dipole %s, x = %g; %s", CLI_PROGRAM, CGCT_VERSION_MAJOR,
        CGCT_VERSION_MINOR, CGCT_VERSION_PATCH, dipole_source_describe(v.source), v.x,
        v.is_long ? "the paper's sizes" : "reduced sets, said at each study; --long does all");
    cgct_status st = choose_momenta(&v, err);
    for (int i = 0; i < NSTUDY && st == CGCT_OK; i++)
        if (wanted(j, studies[i].letter)) st = run_study(j, &v, &studies[i], err);
    if (st == CGCT_OK) return validation_close(&v, name, v.report, err);
    fclose(v.report);
    return st;
}

int cli_validate(int argc, char **argv)
{
    validate_job j = {0};
    const cli_option options[] = {
        {"output", 'o', CLI_TEXT, &j.dir, "DIR", "folder for report, data and pictures"},
        {"dipole", 0, CLI_TEXT, &j.task.dipole, "gbw|mv|mv:SET|FILE",
         "default mv; f is gbw always"},
        {"x", 0, CLI_TEXT, &j.task.x_text, "X", "momentum fraction, default 0.01"},
        {"study", 0, CLI_TEXT, &j.only, "LETTERS", "some of a b c d e f; default all"},
        {"long", 0, CLI_FLAG, &j.is_long, NULL, "the paper's sizes: hours instead of minutes"},
        {"jobs", 'j', CLI_TEXT, &j.task.jobs, "N", "threads (run.jobs)"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "validate",
        .synopsis = "-o DIR [--dipole D] [--x X] [--study LETTERS] [--long]",
        .doc = "Repeats the paper's convergence studies and adds the true errors: a report, data\n"
               "files, and a picture (gnuplot) with its script for each.",
        .options = options};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    if (!j.task.dipole) j.task.dipole = "mv";
    cgct_status st = run_all(&j, &err);
    cli_task_free(&j.task);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
