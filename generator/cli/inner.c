/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdlib.h>

#include "format/tmpfile.h"
#include "inner/archive.h"
#include "cli/common.h"
#include "cuda/builders.h"
#include "cli/report.h"
#include "config/params.h"

typedef struct {
    cli_task task;
    const char *output, *bound;
} inner_job;

static cgct_status one_number(const char *option, const char *text, const char *range,
                              const char *unit, double *to, cgct_err *err)
{
    size_t n;
    double *v;
    if (!text) return cgct_fail(err, CGCT_E_USAGE, "--%s is missing", option);
    cgct_status st = config_parse_list(text, 0, &n, &v, err);
    if (st == CGCT_OK) {
        *to = v[0];
        st = n == 1 ? config_check_range(*to, range, unit, err)
                    : cgct_fail(err, CGCT_E_USAGE, "%zu numbers, want one", n);
        free(v);
    }
    if (st == CGCT_OK) return st;
    return cgct_context(err, st == CGCT_E_CONFIG ? CGCT_E_USAGE : st, "--%s", option);
}

/* Before the long stage, not after it. */
static cgct_status can_write(const char *path, cgct_err *err)
{
    cgct_tmpfile file = cgct_tmpfile_none();
    cgct_status st = cgct_tmpfile_open(&file, path, err);
    cgct_tmpfile_discard(&file);
    return st;
}

static cgct_status save(const inner_job *j, archive *a, double bound, cgct_err *err)
{
    char generator[64];
    const config *c = &j->task.card;
    snprintf(generator, sizeof generator, "%s %d.%d.%d", CLI_PROGRAM, CGCT_VERSION_MAJOR,
             CGCT_VERSION_MINOR, CGCT_VERSION_PATCH);
    archive_save_opts o = {generator,  dipole_source_describe(j->task.source),
                           a->backend, c->text,
                           bound,      c->run.level};
    CGCT_TRY(archive_save(a, j->output, &o, err));
    const inner_table *t = &a->table;
    printf("%s: %zu modes to m = %d, Delta %zu to %g /GeV, R %zu to %g /GeV; largest error T %.1e, "
           "L %.1e of the largest entry\n",
           j->output, t->nm, t->m[t->nm - 1], t->nd, t->delta[t->nd - 1], t->nr, t->r[t->nr - 1],
           a->measured[POL_T] / a->largest[POL_T], a->measured[POL_L] / a->largest[POL_L]);
    return CGCT_OK;
}

static cgct_status make(inner_job *j, cgct_err *err)
{
    cli_task *t = &j->task;
    double bound = 0;
    if (!t->dipole && !t->card_path)
        return cgct_fail(err, CGCT_E_USAGE, "--dipole or --card is needed");
    if (!j->output) return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE");
    CGCT_TRY(cli_task_config(t, err));
    const backend_set builders = cuda_backends(NULL);
    archive_task task = {.settings = &t->card.run.node.inner, .builders = &builders};
    CGCT_TRY(one_number("x", t->x_text, "(0,1]", "", &task.x, err));
    CGCT_TRY(one_number("eps", t->eps_text, "[1e-2,1e2]", "GeV", &task.eps, err));
    CGCT_TRY(one_number("q-max", t->q_text, "(0,1e3]", "GeV", &task.q_max, err));
    CGCT_TRY(one_number("k1-max", t->k1_text, "(0,1e3]", "GeV", &task.k_max, err));
    if (j->bound) CGCT_TRY(one_number("error", j->bound, "[0,1e-2]", "", &bound, err));
    CGCT_TRY(cli_task_dipole(t, 1, &task.x, err));
    task.source = t->source;
    if (t->card.jobs > 0) omp_set_num_threads(t->card.jobs);
    CGCT_TRY(can_write(j->output, err));
    archive a;
    CGCT_TRY(archive_build(&a, &task, err));
    cli_report_fallback("inner", a.fallback, a.backend);
    cgct_status st = save(j, &a, bound, err);
    archive_free(&a);
    return st;
}

int cli_inner(int argc, char **argv)
{
    inner_job j = {0};
    cli_task *t = &j.task;
    const cli_option options[] = {
        {"output", 'o', CLI_TEXT, &j.output, "FILE", "archive to write (.cgci)"},
        {"dipole", 0, CLI_TEXT, &t->dipole, "gbw|mv|mv:SET|FILE", "dipole model or table file"},
        {"x", 0, CLI_TEXT, &t->x_text, "X", "momentum fraction"},
        {"eps", 0, CLI_TEXT, &t->eps_text, "E", "sqrt(z(1-z)) Q, GeV"},
        {"q-max", 0, CLI_TEXT, &t->q_text, "Q", "largest q that will be asked for, GeV"},
        {"k1-max", 0, CLI_TEXT, &t->k1_text, "K", "largest k1 that will be asked for, GeV"},
        {"error", 0, CLI_TEXT, &j.bound, "REL", "error allowed, of the largest entry; 0: none"},
        {"card", 0, CLI_TEXT, &t->card_path, "CARD", "run card with the other settings"},
        CLI_SHARED_OPTIONS(t),
        {"backend", 0, CLI_TEXT, &t->backend, "NAME", "builder of the inner table"},
        {"frame", 0, CLI_TEXT, &t->frame, "LAM", "frame, 0 to 1 (inner.lam)"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "inner",
        .synopsis = "--dipole D --x X --eps E --q-max Q --k1-max K -o FILE.cgci [options]",
        .doc =
            "Writes the inner table G_m(Delta,R), which holds no momenta; 'transform' reads it.\n"
            "By default every number is kept.  An error of 1e-9 makes the file many times\n"
            "smaller, and is felt where I is small: see the err columns of 'transform'.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 0, NULL);
    if (go != CLI_GO) return go;
    cgct_status st = make(&j, &err);
    cli_task_free(t);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
