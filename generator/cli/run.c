/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subcommand run: computes the items of a table (nodes and checks), keeps each in a journal
 * beside the output, and joins them in the end. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/builders.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "run/job.h"
#include "run/machine.h"
#include "run/assembly.h"
#include "run/record.h"
#include "run/schedule.h"
#include "numerics/memory.h"
#include "numerics/clock.h"

typedef struct {
    cli_task task;
    const char *output, *shard;
    char *file; /* the output behind symbolic links */
    int restart, plan;
    dipole_ensemble members;
    run_job job;
    backend_set builders; /* with the CUDA devices of the job, if it uses any */
    char *results;        /* config_results of the card */
    journal *nodes;       /* FILE.nodes beside the output: the finished items */
    run_slot *slot;
    run_survey survey;
    run_load load; /* the items still to compute */
    void *items;   /* the arrays of slot and load */
    cli_progress progress;
    cli_guard guard;
} run_state;

/* ---- the items of this run ---- */

enum { SHARDS_MAX = 100000 }; /* far more than a cluster runs; a larger number is a typing error */

static cgct_status open_run(run_state *r, cgct_err *err)
{
    r->task.quiet = r->progress.quiet;
    CGCT_TRY(cli_task_card(&r->task, err));
    config *c = &r->task.card;
    if (r->plan) {
        /* Grids, time and size depend on the scale of an evolved dipole, not on its details: a
         * forecast takes the leading-order equation with spacings twice as wide, which is solved in
         * seconds. */
        c->dipole.is_forecast = 1;
    } else {
        const char *path = r->output ? r->output : c->file;
        CGCT_TRY(cli_output_file(&r->task, path, &r->file, err));
        r->output = r->file;
    }
    const int evolves = !strcmp(c->dipole.kind, "bk");
    cli_progress_stage(&r->progress, evolves ? "dipole: solving its evolution" : "dipole",
                       evolves && r->plan);
    CGCT_TRY(cli_task_members(&r->task, &r->members, err));
    if (!r->plan) CGCT_TRY(cli_check_not_member(&r->members, r->output, err));
    cli_progress_stage(&r->progress, "grids of the nodes", 0);
    r->job = (run_job){.settings = &c->run, .members = &r->members, .builders = &r->builders};
    double shard[2] = {1, 1};
    if (r->shard && !(integer_pair(r->shard, '/', shard) && shard[0] >= 1 && shard[0] <= shard[1] &&
                      shard[1] <= SHARDS_MAX))
        return cgct_fail(err, CGCT_E_USAGE, "--shard %s: want I/N with 1 <= I <= N", r->shard);
    r->job.shard = (unsigned)shard[0];
    r->job.nshard = (unsigned)shard[1];
    cli_program(r->job.program, sizeof r->job.program);
    r->results = config_results(c);
    r->builders = cuda_backends(NULL);
    CGCT_TRY(run_job_init(&r->job, r->results, err));
    if (r->job.on_device) CGCT_TRY(gpu_crew_open(&r->builders.crew, c->run.node.inner.device, err));
    const array_part part[] = {
        ARRAY_PART(r->slot, r->job.nitems), ARRAY_PART(r->load.item, r->job.nitems),
        ARRAY_PART(r->load.bytes, r->job.nitems), ARRAY_PART(r->load.work, r->job.nitems)};
    r->items = ARRAYS(part);
    r->load.threads = omp_get_max_threads();
    r->load.budget = c->memory > 0 ? (size_t)(c->memory * 0x1p30) : machine_memory("");
    return CGCT_OK;
}

/* The items of this shard: all, and those that are in a slot. */
static void count_items(run_state *r)
{
    for (size_t item = 0; item < r->job.nitems; item++) {
        if (run_job_shard(&r->job, item) != r->job.shard) continue;
        r->progress.all++;
        r->progress.done += r->slot[item].from != NULL;
    }
}

/* What progress shows of a node that is in a slot. */
static cgct_status show_finished(run_state *r, const run_slot *s, cgct_err *err)
{
    uint8_t *bytes;
    run_record record;
    CGCT_TRY(cgct_chunk_read(&s->from->f, s->record, &bytes, err));
    cgct_status st = run_record_parse(bytes, (size_t)s->record->size, &record, err);
    if (st == CGCT_OK) cli_progress_keep(&r->progress, &record.s);
    free(bytes);
    return st;
}

/* The items of this shard that are not in a slot, with their memory and work. */
static cgct_status list_items(run_state *r, cgct_err *err)
{
    const run_job *j = &r->job;
    run_load *l = &r->load;
    CGCT_TRY(run_survey_init(&r->survey, j, err));
    for (size_t item = 0; item < j->nitems; item++) {
        if (run_job_shard(j, item) != j->shard) continue;
        if (r->slot[item].from) {
            if (run_job_is_node(j, item)) CGCT_TRY(show_finished(r, &r->slot[item], err));
            continue;
        }
        const survey_node like = run_survey_item(&r->survey, item);
        r->progress.work_left += l->work[l->n] = like.work;
        l->bytes[l->n] = like.report.bytes_peak;
        l->item[l->n++] = item;
    }
    r->progress.work = r->progress.work_left;
    return CGCT_OK;
}

/* ---- the journal ---- */

/* *own: the output is this shard of the table; *complete: it has all its items.  Another shard of
 * the table there is an error. */
static cgct_status look_at_output(const run_state *r, int *own, int *complete, cgct_err *err)
{
    char what[400];
    size_t want = 0;
    journal *done;
    *own = *complete = 0;
    if (r->restart || journal_open_read(&done, r->output, NULL) != CGCT_OK) return CGCT_OK;
    for (size_t item = 0; item < r->job.nitems; item++)
        want += run_job_shard(&r->job, item) == r->job.shard;
    *own = !run_identity_differ(done->text, r->job.identity, IDENTITY_ALL, what, sizeof what);
    *complete = *own && done->n == want;
    const int other = !*own && !run_identity_differ(done->text, r->job.identity, IDENTITY_TABLE,
                                                    what, sizeof what);
    journal_close(done);
    if (other)
        return cgct_fail(err, CGCT_E_USAGE,
                         "%s is another shard of the same table; name another file, or remove it",
                         r->output);
    return CGCT_OK;
}

/* Takes the finished items of the journal.  How the table stores them may have changed since it was
 * begun, but not for one of several shards: merge compares their texts. */
static cgct_status open_journal(run_state *r, const char *path, cgct_err *err)
{
    int existing;
    char what[400];
    const run_identity_part part = r->shard ? IDENTITY_ALL : IDENTITY_ITEMS;
    CGCT_TRY(journal_open(&r->nodes, path, r->job.identity, &existing, err));
    if (existing && r->restart) return journal_reset(r->nodes, r->job.identity, err);
    if (existing && run_identity_differ(r->nodes->text, r->job.identity, part, what, sizeof what))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s was begun by another run: %s; --restart discards its nodes",
                         r->nodes->f.file.path, what);
    return run_slots_add(&r->job, r->slot, r->nodes, err);
}

/* Opens the journal, or tells that the output is this shard already, *complete.  The output is
 * looked at again once the journal is locked: until then another run may have finished it.  A
 * finished part that was damaged becomes the journal. */
static cgct_status begin_journal(run_state *r, int *complete, cgct_err *err)
{
    int own;
    char *path = memory_new(strlen(r->output) + sizeof ".nodes", 1);
    strcat(strcpy(path, r->output), ".nodes");
    cgct_status st = look_at_output(r, &own, complete, err);
    if (st == CGCT_OK && own && !*complete && !link(r->output, path)) unlink(r->output);
    if (st == CGCT_OK && !*complete) st = open_journal(r, path, err);
    free(path);
    if (st != CGCT_OK || *complete) return st;
    CGCT_TRY(look_at_output(r, &own, complete, err));
    if (*complete && !r->nodes->n) unlink(r->nodes->f.file.path);
    count_items(r);
    return CGCT_OK;
}

/* ---- computation ---- */

static cgct_status compute_item(void *state, size_t i, cgct_err *err)
{
    run_state *r = state;
    const config *c = &r->task.card;
    const run_job *j = &r->job;
    uint8_t *record;
    run_summary s;
    size_t size, item = r->load.item[i];
    const int node = run_job_is_node(j, item);
    const char *word = node                         ? "node"
                       : run_job_is_coarse(j, item) ? "member"
                       : run_job_is_check(j, item)  ? "check"
                                                    : "changed dipole";
    CGCT_TRY(run_compute(j, item, &record, &size, &s, err));
    const run_place at = node ? run_job_place(j, item) : (run_place){.change = NULL};
    if (node && !r->progress.quiet) cli_report_fallback("run", s.report.fallback, s.report.backend);
    pthread_mutex_lock(&r->guard.lock);
    double t0 = clock_wall();
    cgct_status st =
        journal_append(r->nodes, run_record_name(j, item), (uint32_t)item, record, size, err);
    if (st == CGCT_OK)
        cli_progress_item(&r->progress, word, r->load.work[i], c->run.x.v[at.ix],
                          c->run.eps.v[at.ieps], node ? &s : NULL);
    r->progress.seconds_journal += clock_wall() - t0;
    pthread_mutex_unlock(&r->guard.lock);
    free(record);
    return st;
}

/* ---- the end of a run ---- */

/* Called by the guard when a signal has come and nothing is being written. */
static void leave_on_signal(void *state, char *text, size_t size)
{
    const run_state *r = state;
    if (r->nodes && r->nodes->n) {
        snprintf(text, size, "%zu of %zu items are kept in %s; the same command continues",
                 r->progress.done, r->progress.all, r->nodes->f.file.path);
    } else {
        if (r->nodes) unlink(r->nodes->f.file.path);
        snprintf(text, size, "nothing was finished, nothing is left behind");
    }
}

/* From here on a signal comes too late. */
static void end_guard(run_state *r)
{
    pthread_mutex_lock(&r->guard.lock);
    r->guard.done = 1;
    pthread_mutex_unlock(&r->guard.lock);
}

static cgct_status finish_shard(run_state *r, cgct_err *err)
{
    end_guard(r);
    CGCT_TRY(journal_rename(r->nodes, r->output, err));
    if (!r->progress.quiet)
        cli_say("run", "%s: shard %u of %u is complete, %zu items", r->output, r->job.shard,
                r->job.nshard, r->progress.all);
    return CGCT_OK;
}

static cgct_status finish_table(run_state *r, cgct_err *err)
{
    run_total total;
    cli_progress_stage(&r->progress, "table: reduction, bounds, comparison with the checks", 0);
    /* the journal's records have moved in memory as it grew */
    memset(r->slot, 0, r->job.nitems * sizeof *r->slot);
    CGCT_TRY(run_slots_add(&r->job, r->slot, r->nodes, err));
    const double t0 = clock_wall();
    CGCT_TRY(run_assemble(&r->job, r->slot, r->output, &total, err));
    r->progress.seconds_table = clock_wall() - t0;
    cli_progress_leave(&r->progress);
    if (r->builders.crew) r->progress.seconds_device = gpu_crew_seconds(r->builders.crew);
    end_guard(r);
    unlink(r->nodes->f.file.path);
    cli_progress_summary(&r->progress, &total, r->output, r->task.card.run.flag);
    return CGCT_OK;
}

static void tell_samples(void *progress, size_t done, size_t n, double seconds)
{
    char text[80];
    snprintf(text, sizeof text, "%zu of %zu sample nodes computed, all in about %.0f s", done, n,
             seconds);
    cli_progress_stage(progress, text, !done);
}

static cgct_status execute_run(run_state *r, cgct_err *err)
{
    if (r->plan) { /* of a run from the beginning; reads and writes no file of the run */
        run_forecast f;
        const forecast_listener listener = {tell_samples, &r->progress};
        count_items(r);
        CGCT_TRY(list_items(r, err));
        CGCT_TRY(run_plan(&r->job, &r->load, &listener, &f, err));
        cli_progress_leave(&r->progress);
        return cli_plan(&r->survey, &r->load, &f, !strcmp(r->task.card.dipole.kind, "bk"), err);
    }
    int complete;
    CGCT_TRY(cli_check_writable(r->output, err));
    CGCT_TRY(cli_guard_start(&r->guard, err));
    pthread_mutex_lock(&r->guard.lock);
    cgct_status st = begin_journal(r, &complete, err);
    pthread_mutex_unlock(&r->guard.lock);
    if (st != CGCT_OK) return st;
    if (complete) {
        if (!r->progress.quiet) cli_say("run", "%s is complete already", r->output);
        return CGCT_OK;
    }
    if (r->members.x0) cli_progress_leave(&r->progress);
    cli_say_x0(&r->task, r->members.x0, r->members.x0_assumed);
    CGCT_TRY(list_items(r, err));
    cli_progress_start(&r->progress, r->nodes->f.file.path, (size_t)r->nodes->dropped);
    const run_schedule s = {.n = r->load.n,
                            .bytes = r->load.bytes,
                            .budget = r->load.budget,
                            .threads = r->load.threads,
                            .self = r,
                            .work = compute_item};
    CGCT_TRY(run_schedule_go(&s, err));
    return r->shard ? finish_shard(r, err) : finish_table(r, err);
}

static void free_run(run_state *r, cgct_status st)
{
    pthread_mutex_lock(&r->guard.lock);
    /* finished items stay after a failure */
    if (st != CGCT_OK && r->nodes && r->nodes->n == 0) unlink(r->nodes->f.file.path);
    cli_progress_leave(&r->progress);
    journal_close(r->nodes);
    pthread_mutex_unlock(&r->guard.lock);
    cli_guard_end(&r->guard);
    run_job_free(&r->job);
    gpu_crew_close(r->builders.crew);
    free(r->results);
    run_survey_free(&r->survey);
    members_free(&r->members);
    free(r->items);
    free(r->file);
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
         "print grids, time, memory and size instead, after computing up to four nodes, some "
         "seconds"},
        {"--shard", 0, OPTION_TEXT, &r.shard, "I/N", "only part I of N, to be joined by 'merge'"},
        {"--restart", 0, OPTION_FLAG, &r.restart, NULL, "discard what an interrupted run has left"},
        {"--quiet", 0, OPTION_FLAG, &r.progress.quiet, NULL, "no progress, no summary"},
        {"--json-progress", 0, OPTION_FLAG, &r.progress.json, NULL,
         "progress as an object a line on standard output"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "run",
        .synopsis = "CARD [options]",
        .doc =
            "Computes the table that a run card describes.  Each finished node is kept in "
            "FILE.nodes at\nonce; after an interruption, whatever its kind, the same command "
            "continues from there.  The file\nappears under its name only when it is complete; "
            "progress and summary go to standard error.\n"
            "\nA progress line: items done/all, time left, worst: the largest error estimate so "
            "far as a share\nof I; then the node that was done last: x, eps in GeV, m to: its "
            "highest coefficient in the angle,\nrank: of its inner table, flagged: points whose "
            "estimate exceeds accuracy.flag, its seconds; items\nper minute.  A check is a point "
            "between nodes;\na changed dipole is a node again, with the dipole changed by its own "
            "numerical error.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &r.task.card_path);
    if (go != CLI_GO) return go;
    cgct_status st = open_run(&r, &err);
    if (st == CGCT_OK) st = execute_run(&r, &err);
    free_run(&r, st);
    return cli_end(&spec, st, &err);
}
