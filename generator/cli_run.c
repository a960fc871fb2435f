/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "cli_common.h"
#include "cli_guard.h"
#include "cli_report.h"
#include "fold.h"
#include "interpolation.h"

typedef struct {
    cli_task task;
    const char *output;
    int quiet;
    cgct_writer *writer;
    cli_summary summary;
    double start; /* of the first node, seconds */
    size_t nk;    /* k axis of the table: that of the card, extended where it is folded */
    double *k;
    interpolation_set checks;
} run_job;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- progress ---- */

static void format_time(double seconds, char *to, size_t size)
{
    long s = (long)(seconds + 0.5);
    snprintf(to, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

/* Terminal: one line, rewritten.  Elsewhere: a line per node. */
static void show_node(const run_job *j, double x, double eps, size_t nm, size_t nflagged,
                      const pipeline_report *r)
{
    if (j->quiet) return;
    const config *c = &j->task.card;
    size_t all = c->axes_x.n * c->axes_eps.n, done = j->summary.nodes;
    double used = now() - j->start;
    char left[32];
    int tty = isatty(STDERR_FILENO);
    format_time(used / (double)done * (double)(all - done), left, sizeof left);
    fprintf(stderr,
            "%s%s: node %zu/%zu x %g eps %g: M %zu, rank %d, %zu flagged, %.1f s; %.3g nodes/min, "
            "%s left%s",
            tty ? "\r\033[K" : "", CLI_PROGRAM, done, all, x, eps, nm - 1, r->rank, nflagged,
            r->seconds_total, 60 * (double)done / used, left, tty && done < all ? "" : "\n");
}

static void show_summary(const run_job *j, const char *text)
{
    struct stat file;
    if (j->quiet) return;
    for (const char *s = text; *s;) {
        int key = (int)strcspn(s, "\t"), value = (int)strcspn(s + key, "\n");
        fprintf(stderr, "%-20.*s %.*s\n", key, s, value - 1, s + key + 1);
        s += key + value + 1;
    }
    if (!stat(j->output, &file))
        fprintf(stderr, "%-20s %s, %lld bytes\n", "file", j->output, (long long)file.st_size);
    if (j->summary.flagged)
        fprintf(stderr,
                "%s run: %zu of %zu points exceed accuracy.flag = %g of I; their estimates are in "
                "the file\n",
                CLI_PROGRAM, j->summary.flagged, j->summary.points, j->task.card.accuracy_flag);
}

/* ---- computation ---- */

static cgct_status write_node(run_job *j, size_t ix, size_t ie, const pipeline *p,
                              const pipeline_report *r, cgct_err *err)
{
    const config *c = &j->task.card;
    double *modes = NULL, *error = NULL;
    size_t nm = 0, nflagged = 0;
    CGCT_TRY(pipeline_modes(p, j->nk, j->k, &nm, &modes, &error, err));
    cgct_status st = CGCT_OK;
    if (c->modes_fold > 0)
        st = fold_modes(c->modes_fold, c->axes_q.n, c->axes_q.v, j->nk, j->k,
                        0.1 * c->accuracy_tolerance, &nm, &modes, error, err);
    if (st == CGCT_OK)
        st = cli_summary_add(&j->summary, r, c->axes_q.n * j->nk, nm, modes, error,
                             c->accuracy_flag, &nflagged, err);
    if (st == CGCT_OK) {
        cgct_node node = {nm, modes, error};
        cli_guard_lock();
        st = cgct_writer_node(j->writer, ix, ie, &node, err);
        cli_guard_unlock();
    }
    free(modes);
    free(error);
    if (st == CGCT_OK) show_node(j, c->axes_x.v[ix], c->axes_eps.v[ie], nm, nflagged, r);
    return st;
}

static cgct_status compute_node(run_job *j, size_t ix, size_t ie, cgct_err *err)
{
    const config *c = &j->task.card;
    pipeline_task task = {.card = c,
                          .source = j->task.source,
                          .x = c->axes_x.v[ix],
                          .eps = c->axes_eps.v[ie],
                          .nq = c->axes_q.n,
                          .q = c->axes_q.v,
                          .k_max = c->axes_k1.v[c->axes_k1.n - 1]};
    pipeline_report report;
    pipeline *p = NULL;
    cgct_status st = pipeline_init(&p, &task, &report, err);
    if (st == CGCT_OK && !j->quiet) cli_report_fallback("run", &report);
    if (st == CGCT_OK) st = write_node(j, ix, ie, p, &report, err);
    pipeline_free(p);
    return st == CGCT_OK ? st : cgct_context(err, st, "x = %g, eps = %g", task.x, task.eps);
}

static cgct_status open_output(run_job *j, cgct_err *err)
{
    char generator[64];
    const backend *b;
    const config *c = &j->task.card;
    CGCT_TRY(backend_find(&b, c->inner_backend, c->run_device, err));
    if (!j->output) j->output = c->output_file;
    if (!*j->output)
        return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE or output.file");
    snprintf(generator, sizeof generator, "%s %d.%d.%d", CLI_PROGRAM, CGCT_VERSION_MAJOR,
             CGCT_VERSION_MINOR, CGCT_VERSION_PATCH);
    cgct_writer_spec spec = {.nx = c->axes_x.n,
                             .neps = c->axes_eps.n,
                             .nq = c->axes_q.n,
                             .nk = j->nk,
                             .x = c->axes_x.v,
                             .eps = c->axes_eps.v,
                             .q = c->axes_q.v,
                             .k = j->k,
                             .card = c->text,
                             .generator = generator,
                             .dipole = dipole_source_describe(j->task.source),
                             .backend = b->name,
                             .fold = c->modes_fold > 0,
                             .fold_power = c->modes_fold,
                             .level = c->output_level,
                             .bound = c->output_bound,
                             .split = c->output_split,
                             .order = {c->output_order_x, c->output_order_eps, 0, 0}};
    CGCT_TRY(cli_guard_start(&j->writer, err));
    cli_guard_lock();
    cgct_status st = cgct_writer_open(&j->writer, j->output, &spec, err);
    cli_guard_unlock();
    return st;
}

/* Compares the table, still under its temporary name, with the points between its nodes. */
static cgct_status check_table(run_job *j, char *text, size_t size, cgct_err *err)
{
    const char *path;
    interpolation_summary s;
    if (j->checks.n == 0) return CGCT_OK;
    CGCT_TRY(cgct_writer_preview(j->writer, &path, err));
    CGCT_TRY(interpolation_compare(&j->checks, path, &s, err));
    snprintf(text, size,
             "interpolation.points\t%zu\ninterpolation.floor\t%g\ninterpolation.median\t%.3g\n"
             "interpolation.999\t%.3g\ninterpolation.max\t%.3g\ninterpolation.negative\t%zu\n"
             "interpolation.resolved\t%zu\ninterpolation.resolution\t%g\n"
             "interpolation.resolved_median\t%.3g\ninterpolation.resolved_999\t%.3g\n"
             "interpolation.resolved_max\t%.3g\n",
             s.all.n, s.floor, s.all.median, s.all.p999, s.all.max, s.negative, s.resolved.n,
             s.resolution, s.resolved.median, s.resolved.p999, s.resolved.max);
    return CGCT_OK;
}

static cgct_status close_output(run_job *j, cgct_err *err)
{
    char text[4096];
    cli_summary_text(&j->summary, text, sizeof text);
    size_t n = strlen(text);
    n += (size_t)snprintf(text + n, sizeof text - n, "rounding\t%.3g\n",
                          cgct_writer_rounding(j->writer));
    cli_guard_lock();
    cgct_status st = check_table(j, text + n, sizeof text - n, err);
    cgct_writer *w = j->writer;
    j->writer = NULL;
    if (st == CGCT_OK)
        st = cgct_writer_close(w, text, err);
    else
        cgct_writer_abort(w);
    cli_guard_unlock();
    if (st == CGCT_OK) show_summary(j, text);
    return st;
}

/* Where J hardly changes any more: far below the width of the ridge, max(eps, Qs). */
static cgct_status choose_k_axis(run_job *j, cgct_err *err)
{
    const config *c = &j->task.card;
    double low = c->modes_k_low > 0 ? c->modes_k_low : 0.1 * fmax(c->axes_eps.v[0], 0.5);
    return fold_axis(c->axes_k1.n, c->axes_k1.v, c->axes_q.v[0],
                     c->modes_fold > 0 ? low : c->axes_k1.v[0], &j->nk, &j->k, err);
}

static cgct_status run_card(run_job *j, cgct_err *err)
{
    CGCT_TRY(cli_task_config(&j->task, err));
    const config *c = &j->task.card;
    CGCT_TRY(cli_task_dipole(&j->task, c->axes_x.n, c->axes_x.v, err));
    if (c->run_jobs > 0) omp_set_num_threads(c->run_jobs);
    CGCT_TRY(choose_k_axis(j, err));
    CGCT_TRY(open_output(j, err));
    j->start = now();
    for (size_t ix = 0; ix < c->axes_x.n; ix++)
        for (size_t ie = 0; ie < c->axes_eps.n; ie++) CGCT_TRY(compute_node(j, ix, ie, err));
    for (int i = 0; i < c->accuracy_checks; i++)
        CGCT_TRY(interpolation_add(&j->checks, c, j->task.source, err));
    return close_output(j, err);
}

int cli_run(int argc, char **argv)
{
    run_job j = {0};
    const cli_option options[] = {
        {"output", 'o', CLI_TEXT, &j.output, "FILE", "container to write (output.file)"},
        CLI_SHARED_OPTIONS(&j.task),
        {"backend", 0, CLI_TEXT, &j.task.backend, "NAME", "builder of the inner table"},
        {"quiet", 0, CLI_FLAG, &j.quiet, NULL, "no progress, no summary"},
        {.name = NULL}};
    const cli_spec spec = {.name = "run",
                           .synopsis = "CARD [options]",
                           .doc = "Computes the table that a run card describes.  The file appears "
                                  "under its name only when\nit is complete; progress and summary "
                                  "go to standard error.",
                           .options = options,
                           .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &j.task.card_path);
    if (go != CLI_GO) return go;
    cgct_status st = CGCT_E_USAGE;
    if (j.task.card_path)
        st = run_card(&j, &err);
    else
        cgct_fail(&err, st, "CARD is missing");
    cli_guard_lock();
    cgct_writer_abort(j.writer);
    j.writer = NULL;
    cli_guard_unlock();
    if (st != CGCT_OK && !j.quiet && j.summary.nodes && isatty(STDERR_FILENO)) fputc('\n', stderr);
    cli_summary_free(&j.summary);
    interpolation_free(&j.checks);
    free(j.k);
    cli_task_free(&j.task);
    return st == CGCT_OK ? CLI_DONE : cli_fail(&spec, st, &err);
}
