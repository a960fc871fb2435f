/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommand run: computes the items of a table (nodes and checks), keeps each in a journal
 * beside the output, and joins them in the end. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "run/job.h"
#include "run/assembly.h"
#include "run/schedule.h"
#include "numerics/clock.h"

typedef struct {
    cli_task task;
    const char *output, *shard;
    int restart, plan;
    dipole_ensemble members;
    run_job job;
    gpu_crew *crew; /* the CUDA devices of the job, NULL if it uses none */
    backend_set builders;
    char *results;  /* config_results of the card */
    journal *nodes; /* FILE.nodes beside the output: the finished items */
    run_slot *slot;
    size_t npending, *pending, *bytes; /* (npending): items still to compute, and their memory */
    double *work;                      /* (nitems): estimated work of each item */
    cli_progress progress;
    cli_guard guard;
} run_state;

/* ---- the items of this run ---- */

enum { SHARDS_MAX = 100000 }; /* far more than a cluster runs; a larger number is a typing error */

static cgct_status parse_shard(const char *text, unsigned *i, unsigned *n, cgct_err *err)
{
    char end;
    *i = *n = 1;
    if (!text ||
        (sscanf(text, "%u/%u%c", i, n, &end) == 2 && *i >= 1 && *i <= *n && *n <= SHARDS_MAX))
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

static cgct_status open_run(run_state *r, cgct_err *err)
{
    char program[64];
    unsigned shard, nshard;
    CGCT_TRY(cli_task_card(&r->task, err));
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

/* Memory and work of every item; a check is taken to be like the middle node. */
static cgct_status estimate_items(run_state *r, size_t *bytes, cgct_err *err)
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
    cgct_status st = estimate_items(r, bytes, err);
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

static cgct_status open_journal(run_state *r, cgct_err *err)
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

/* Whether the output is this shard and complete, so that there is nothing left to do. */
static int shard_is_complete(const run_state *r)
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

static cgct_status store_item(run_state *r, size_t item, const uint8_t *record, size_t size,
                              const run_summary *s, cgct_err *err)
{
    const config *c = &r->task.card;
    int node = run_job_is_node(&r->job, item);
    size_t member, ix = 0, ieps = 0;
    if (node) run_job_node(&r->job, item, &member, &ix, &ieps);
    if (node && !r->progress.quiet)
        cli_report_fallback("run", s->report.fallback, s->report.backend);
    cli_guard_lock(&r->guard);
    double t0 = clock_wall();
    cgct_status st =
        journal_append(r->nodes, node ? RUN_NODE : RUN_CHECK, (uint32_t)item, record, size, err);
    if (st == CGCT_OK)
        cli_progress_item(&r->progress, r->work[item], c->run.x.v[ix], c->run.eps.v[ieps],
                          node ? s : NULL);
    r->progress.seconds_writing += clock_wall() - t0;
    cli_guard_unlock(&r->guard);
    return st;
}

static cgct_status compute_item(void *state, size_t i, cgct_err *err)
{
    run_state *r = state;
    uint8_t *record;
    size_t size;
    run_summary s;
    CGCT_TRY(run_compute(&r->job, r->pending[i], &record, &size, &s, err));
    cgct_status st = store_item(r, r->pending[i], record, size, &s, err);
    free(record);
    return st;
}

static int thread_count(const config *c)
{
    return c->jobs > 0 ? c->jobs : omp_get_max_threads();
}

static size_t memory_budget(const config *c)
{
    return c->memory > 0 ? (size_t)(c->memory * 0x1p30) : run_memory_budget();
}

static cgct_status compute_pending(run_state *r, cgct_err *err)
{
    const run_schedule s = {.n = r->npending,
                            .bytes = r->bytes,
                            .budget = memory_budget(&r->task.card),
                            .threads = thread_count(&r->task.card),
                            .self = r,
                            .work = compute_item};
    return run_schedule_go(&s, err);
}

/* ---- the end of a run ---- */

/* Called by the guard when a signal has come and nothing is being written. */
static void leave_on_signal(void *state, char *text, size_t size)
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
    memset(r->slot, 0,
           r->job.nitems *
               sizeof *r->slot); /* the journal's records have moved in memory as it grew */
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

/* Prints the forecast of a run from the beginning; reads and writes no file of the run. */
static cgct_status plan_run(run_state *r, cgct_err *err)
{
    CGCT_TRY(list_items(r, err));
    for (size_t i = 0; i < r->npending; i++) r->work[i] = r->work[r->pending[i]];
    const run_load load = {.n = r->npending,
                           .item = r->pending,
                           .bytes = r->bytes,
                           .work = r->work,
                           .threads = thread_count(&r->task.card),
                           .budget = memory_budget(&r->task.card)};
    return cli_plan(&r->job, &load, err);
}

static cgct_status execute_run(run_state *r, cgct_err *err)
{
    CGCT_TRY(check_output(r, err));
    if (shard_is_complete(r)) {
        if (!r->progress.quiet)
            fprintf(stderr, "%s run: %s is complete already\n", CLI_PROGRAM, r->output);
        return CGCT_OK;
    }
    CGCT_TRY(cli_guard_start(&r->guard, err));
    cli_guard_lock(&r->guard);
    cgct_status st = open_journal(r, err);
    cli_guard_unlock(&r->guard);
    if (st != CGCT_OK) return st;
    CGCT_TRY(list_items(r, err));
    cli_progress_start(&r->progress, journal_path(r->nodes), (size_t)journal_dropped(r->nodes));
    CGCT_TRY(compute_pending(r, err));
    cli_guard_lock(&r->guard);
    st = r->job.nshard > 1 ? finish_shard(r, err) : finish_table(r, err);
    r->guard.done = 1;
    cli_guard_unlock(&r->guard);
    return st;
}

/* After a failure the finished items stay in the journal; an empty journal is removed. */
static void free_run(run_state *r, cgct_status st)
{
    size_t n = 0;
    cli_guard_lock(&r->guard);
    if (r->nodes) journal_records(r->nodes, &n);
    if (r->nodes && st != CGCT_OK && n == 0) journal_remove(r->nodes);
    if (st != CGCT_OK && !r->progress.quiet && r->progress.done && isatty(STDERR_FILENO))
        fputc('\n', stderr);
    journal_close(r->nodes);
    cli_guard_unlock(&r->guard);
    cli_guard_end(&r->guard);
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
    run_state r = {.guard = {.lock = PTHREAD_MUTEX_INITIALIZER, .leave = leave_on_signal}};
    r.guard.self = &r;
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &r.output, "FILE", "container to write (output.file)"},
        CLI_SHARED_OPTIONS(&r.task),
        {"--backend", 0, OPTION_TEXT, &r.task.backend, "NAME", "builder of the inner table"},
        {"--plan", 0, OPTION_FLAG, &r.plan, NULL,
         "print grids, time, memory and size instead, after computing up to four nodes"},
        {"--shard", 0, OPTION_TEXT, &r.shard, "I/N", "only part I of N, to be joined by 'merge'"},
        {"--restart", 0, OPTION_FLAG, &r.restart, NULL,
         "throw away what an interrupted run has left"},
        {"--quiet", 0, OPTION_FLAG, &r.progress.quiet, NULL, "no progress, no summary"},
        {"--json-progress", 0, OPTION_FLAG, &r.progress.json, NULL,
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
    cgct_status st = open_run(&r, &err);
    if (st == CGCT_OK) st = r.plan ? plan_run(&r, &err) : execute_run(&r, &err);
    free_run(&r, st);
    return cli_end(&spec, st, &err);
}
