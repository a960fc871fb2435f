/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "cli/common.h"
#include "cli/guard.h"
#include "cli/plan.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "numerics/clock.h"
#include "run/job.h"
#include "run/assembly.h"
#include "run/schedule.h"

typedef struct {
    cli_task task;
    const char *output, *shard;
    int restart, plan;
    dipole_ensemble members;
    run_job job;
    gpu_crew *crew; /* devices of the job, NULL where it needs none */
    backend_set builders;
    char *results;  /* config_results of the card */
    journal *nodes; /* beside the output */
    run_slot *slot;
    size_t npending, *pending, *bytes; /* items of this run that are not yet durable */
    double *work;                      /* (nitems) */
    cli_progress progress;
} run_state;

/* ---- what is to be done ---- */

static cgct_status parse_shard(const char *text, unsigned *i, unsigned *n, cgct_err *err)
{
    char end;
    *i = *n = 1;
    if (!text || (sscanf(text, "%u/%u%c", i, n, &end) == 2 && *i >= 1 && *i <= *n && *n <= 100000))
        return CGCT_OK;
    return cgct_fail(err, CGCT_E_USAGE, "--shard %s: want I/N with 1 <= I <= N", text);
}

static cgct_status check_output(run_state *r, cgct_err *err)
{
    struct stat st;
    if (!r->output) r->output = r->task.card.file;
    if (!*r->output)
        return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE or output.file");
    if (stat(r->output, &st) == 0 && !S_ISREG(st.st_mode))
        return cgct_fail(err, CGCT_E_IO, "%s: %s; name a file to write", r->output,
                         S_ISDIR(st.st_mode) ? "is a directory, not a regular file"
                                             : "exists and is not a regular file");
    return CGCT_OK;
}

static cgct_status begin(run_state *r, cgct_err *err)
{
    char program[64];
    unsigned shard, nshard;
    CGCT_TRY(cli_task_config(&r->task, err));
    const config *c = &r->task.card;
    CGCT_TRY(cli_task_members(&r->task, &r->members, err));
    CGCT_TRY(parse_shard(r->shard, &shard, &nshard, err));
    cli_program(program, sizeof program);
    CGCT_TRY(config_results(c, &r->results, err));
    r->builders = cuda_backends(NULL);
    const run_job_task task = {&c->run, r->results, &r->members, program,
                               shard,   nshard,     &r->builders};
    CGCT_TRY(run_job_init(&r->job, &task, err));
    if (r->job.on_device) CGCT_TRY(gpu_crew_open(&r->crew, c->run.node.inner.device, err));
    r->builders.crew = r->crew;
    r->slot = calloc(r->job.nitems, sizeof *r->slot);
    r->pending = malloc(r->job.nitems * sizeof *r->pending);
    r->bytes = malloc(r->job.nitems * sizeof *r->bytes);
    r->work = calloc(r->job.nitems, sizeof *r->work);
    return r->slot && r->pending && r->bytes && r->work
               ? CGCT_OK
               : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu items", r->job.nitems);
}

/* Needs and work of every item; a check is like a node in the middle. */
static cgct_status estimate(run_state *r, size_t *bytes, cgct_err *err)
{
    const run_job *j = &r->job;
    for (size_t item = 0; item < j->nitems; item++) {
        node_report rep;
        size_t like = run_job_is_node(j, item) ? item : j->nnode / 2;
        const node_task task = run_node_task(j, like);
        CGCT_TRY(node_plan(&task, &rep, &r->work[item], err));
        bytes[item] = rep.bytes_peak;
    }
    return CGCT_OK;
}

static cgct_status list_items(run_state *r, cgct_err *err)
{
    const run_job *j = &r->job;
    size_t *bytes = malloc(j->nitems * sizeof *bytes);
    if (!bytes) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu items", j->nitems);
    cgct_status st = estimate(r, bytes, err);
    for (size_t item = 0; st == CGCT_OK && item < j->nitems; item++) {
        if (run_job_shard(j, item) != j->shard) continue;
        r->progress.all++;
        if (r->slot[item].from) {
            r->progress.done++;
            continue;
        }
        r->bytes[r->npending] = bytes[item];
        r->pending[r->npending++] = item;
        r->progress.work_left += r->work[item];
    }
    r->progress.work = r->progress.work_left;
    free(bytes);
    return st;
}

/* ---- the journal ---- */

static cgct_status open_nodes(run_state *r, cgct_err *err)
{
    int existing;
    char what[400], *path = malloc(strlen(r->output) + sizeof ".nodes");
    if (!path) return cgct_fail(err, CGCT_E_NOMEM, "%s: no memory for a name", r->output);
    strcat(strcpy(path, r->output), ".nodes");
    cgct_status st = journal_open(&r->nodes, path, r->job.identity, &existing, err);
    free(path);
    if (st != CGCT_OK) return st;
    if (existing && r->restart) return journal_reset(r->nodes, r->job.identity, err);
    if (existing &&
        run_identity_differ(journal_text(r->nodes), r->job.identity, 1, what, sizeof what))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s was begun by another run: %s; --restart throws its nodes away",
                         journal_path(r->nodes), what);
    return run_slots_add(&r->job, r->slot, r->nodes, err);
}

/* A shard that is complete already under its final name: there is nothing left to do. */
static int is_complete(const run_state *r)
{
    char what[400];
    size_t n = 0, want = 0;
    journal *done;
    if (r->job.nshard == 1 || r->restart) return 0;
    if (journal_open_read(&done, r->output, NULL) != CGCT_OK) return 0;
    journal_records(done, &n);
    for (size_t item = 0; item < r->job.nitems; item++)
        want += run_job_shard(&r->job, item) == r->job.shard;
    int same = !run_identity_differ(journal_text(done), r->job.identity, 1, what, sizeof what) &&
               n == want;
    journal_close(done);
    return same;
}

/* ---- computation ---- */

static cgct_status keep(run_state *r, size_t item, const uint8_t *record, size_t size,
                        const run_summary *s, cgct_err *err)
{
    const config *c = &r->task.card;
    int node = run_job_is_node(&r->job, item);
    size_t member, ix = 0, ieps = 0;
    if (node) run_job_node(&r->job, item, &member, &ix, &ieps);
    if (node && !r->progress.quiet)
        cli_report_fallback("run", s->report.fallback, s->report.backend);
    cli_guard_lock();
    double t0 = clock_wall();
    cgct_status st =
        journal_append(r->nodes, node ? RUN_NODE : RUN_CHECK, (uint32_t)item, record, size, err);
    if (st == CGCT_OK)
        cli_progress_item(&r->progress, r->work[item], c->run.x.v[ix], c->run.eps.v[ieps],
                          node ? s : NULL);
    r->progress.seconds_writing += clock_wall() - t0;
    cli_guard_unlock();
    return st;
}

static cgct_status one_item(void *state, size_t i, cgct_err *err)
{
    run_state *r = state;
    uint8_t *record;
    size_t size;
    run_summary s;
    CGCT_TRY(run_compute(&r->job, r->pending[i], &record, &size, &s, err));
    cgct_status st = keep(r, r->pending[i], record, size, &s, err);
    free(record);
    return st;
}

static int threads(const config *c)
{
    return c->jobs > 0 ? c->jobs : omp_get_max_threads();
}

static size_t budget(const config *c)
{
    return c->memory > 0 ? (size_t)(c->memory * 0x1p30) : run_memory_budget();
}

static cgct_status compute(run_state *r, cgct_err *err)
{
    const run_schedule s = {.n = r->npending,
                            .bytes = r->bytes,
                            .budget = budget(&r->task.card),
                            .threads = threads(&r->task.card),
                            .self = r,
                            .work = one_item};
    return run_schedule_go(&s, err);
}

/* ---- the end ---- */

/* Called by the guard on a signal: nothing is being written. */
static void leave(void *state, char *text, size_t size)
{
    const run_state *r = state;
    size_t n = 0;
    if (r->nodes) journal_records(r->nodes, &n);
    if (n) {
        snprintf(text, size, "%zu of %zu items are kept in %s; the same command goes on",
                 r->progress.done, r->progress.all, journal_path(r->nodes));
    } else {
        if (r->nodes) journal_remove(r->nodes);
        snprintf(text, size, "nothing was finished, nothing is left behind");
    }
}

static cgct_status finish_table(run_state *r, cgct_err *err)
{
    char text[4096];
    run_total total = {0};
    memset(r->slot, 0, r->job.nitems * sizeof *r->slot); /* records have moved while they grew */
    CGCT_TRY(run_slots_add(&r->job, r->slot, r->nodes, err));
    cgct_status st = run_assemble(&r->job, r->slot, r->output, &total, text, sizeof text, err);
    if (st == CGCT_OK) {
        journal_remove(r->nodes);
        cli_progress_summary(&r->progress, &total, text, r->output, r->task.card.run.flag);
    }
    run_total_free(&total);
    return st;
}

static cgct_status finish_shard(run_state *r, cgct_err *err)
{
    CGCT_TRY(journal_rename(r->nodes, r->output, err));
    if (!r->progress.quiet)
        fprintf(stderr, "%s run: %s: shard %u of %u is complete, %zu items\n", CLI_PROGRAM,
                r->output, r->job.shard, r->job.nshard, r->progress.all);
    return CGCT_OK;
}

/* As if nothing were there yet; touches no file. */
static cgct_status plan(run_state *r, cgct_err *err)
{
    CGCT_TRY(list_items(r, err));
    for (size_t i = 0; i < r->npending; i++) r->work[i] = r->work[r->pending[i]];
    const run_load load = {.n = r->npending,
                           .item = r->pending,
                           .bytes = r->bytes,
                           .work = r->work,
                           .threads = threads(&r->task.card),
                           .budget = budget(&r->task.card)};
    return cli_plan(&r->job, &load, err);
}

static cgct_status run_all(run_state *r, cgct_err *err)
{
    if (r->plan) return plan(r, err);
    CGCT_TRY(check_output(r, err));
    if (is_complete(r)) {
        if (!r->progress.quiet)
            fprintf(stderr, "%s run: %s is complete already\n", CLI_PROGRAM, r->output);
        return CGCT_OK;
    }
    CGCT_TRY(cli_guard_start(leave, r, err));
    cli_guard_lock();
    cgct_status st = open_nodes(r, err);
    cli_guard_unlock();
    if (st != CGCT_OK) return st;
    CGCT_TRY(list_items(r, err));
    cli_progress_start(&r->progress, journal_path(r->nodes), (size_t)journal_dropped(r->nodes));
    CGCT_TRY(compute(r, err));
    cli_guard_lock();
    st = r->job.nshard > 1 ? finish_shard(r, err) : finish_table(r, err);
    cli_guard_done();
    cli_guard_unlock();
    return st;
}

/* After a failure: what is durable stays, an empty journal does not. */
static void free_state(run_state *r, cgct_status st)
{
    size_t n = 0;
    cli_guard_lock();
    if (r->nodes) journal_records(r->nodes, &n);
    if (r->nodes && st != CGCT_OK && n == 0) journal_remove(r->nodes);
    if (st != CGCT_OK && !r->progress.quiet && r->progress.done && isatty(STDERR_FILENO))
        fputc('\n', stderr);
    journal_close(r->nodes);
    cli_guard_done();
    cli_guard_unlock();
    run_job_free(&r->job);
    gpu_crew_close(r->crew);
    free(r->results);
    members_free(&r->members);
    free(r->slot);
    free(r->pending);
    free(r->bytes);
    free(r->work);
    cli_task_free(&r->task);
}

int cli_run(int argc, char **argv)
{
    run_state r = {0};
    const cli_option options[] = {
        {"output", 'o', CLI_TEXT, &r.output, "FILE", "container to write (output.file)"},
        CLI_SHARED_OPTIONS(&r.task),
        {"backend", 0, CLI_TEXT, &r.task.backend, "NAME", "builder of the inner table"},
        {"plan", 0, CLI_FLAG, &r.plan, NULL,
         "print grids, time, memory and size instead, after computing up to four nodes"},
        {"shard", 0, CLI_TEXT, &r.shard, "I/N", "only part I of N, to be joined by 'merge'"},
        {"restart", 0, CLI_FLAG, &r.restart, NULL, "throw away what an interrupted run has left"},
        {"quiet", 0, CLI_FLAG, &r.progress.quiet, NULL, "no progress, no summary"},
        {"json-progress", 0, CLI_FLAG, &r.progress.json, NULL,
         "progress as an object a line on standard output"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "run",
        .synopsis = "CARD [options]",
        .doc = "Computes the table that a run card describes.  Each finished node is kept in "
               "FILE.nodes at\nonce; after an interruption, whatever its kind, the same command "
               "goes on from there.  The file\nappears under its name only when it is complete; "
               "progress and summary go to standard error.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &r.task.card_path);
    if (go != CLI_GO) return go;
    cgct_status st = CGCT_E_USAGE;
    if (r.task.card_path) {
        st = begin(&r, &err);
        if (st == CGCT_OK) st = run_all(&r, &err);
    } else {
        cgct_fail(&err, st, "CARD is missing");
    }
    free_state(&r, st);
    return st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
}
