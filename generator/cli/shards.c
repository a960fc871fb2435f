/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table made in parts: `merge` joins the files of `run --shard`, `slurm` prints the script that
 * submits such a run and its merge. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "cuda/builders.h"
#include "format/tmpfile.h"
#include "numerics/memory.h"
#include "run/assembly.h"
#include "run/job.h"
#include "run/record.h"
#include "numerics/clock.h"

/* ---- merge ---- */

typedef struct {
    size_t n;
    const char *output, **path;
    journal **shard; /* (n): the files path[n] */
    config card;
    run_job job;
    run_slot *slot;
    cli_progress progress;
} merge_state;

/* Fills the slots from the parts, each of which must be there once and complete.  from[number] = i
 * + 1 if file i is the shard of that number, 0 if no file is. */
static cgct_status join_shards(merge_state *m, size_t *from, cgct_err *err)
{
    const unsigned all = m->job.nshard;
    for (size_t i = 0; i < m->n; i++) {
        unsigned number, n;
        const char *text = run_identity_get(m->shard[i]->text, "shard");
        if (!text || sscanf(text, "%u/%u", &number, &n) != 2 || number < 1 || number > n)
            return cgct_fail(err, CGCT_E_FORMAT, "%s: does not say which shard it is", m->path[i]);
        if (n != all)
            return cgct_fail(err, CGCT_E_FORMAT, "%s is a shard of %u, %s one of %u", m->path[0],
                             all, m->path[i], n);
        if (from[number])
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s are both shard %u of %u",
                             m->path[from[number] - 1], m->path[i], number, all);
        from[number] = i + 1;
        CGCT_TRY(run_slots_add(&m->job, m->slot, m->shard[i], err));
    }
    for (unsigned s = 1; s <= all; s++) {
        size_t want = 0, have = from[s] ? m->shard[from[s] - 1]->n : 0;
        for (size_t item = 0; item < m->job.nitems; item++)
            want += run_job_shard(&m->job, item) == s;
        if (have == want) continue;
        if (!from[s]) return cgct_fail(err, CGCT_E_FORMAT, "shard %u of %u is missing", s, all);
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: shard %u of %u has %zu of its %zu items; run its command again",
                         m->path[from[s] - 1], s, all, have, want);
    }
    return CGCT_OK;
}

/* All parts are open at once, more than a process may open unless it asks for it. */
static void allow_open_files(size_t n)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= n) return;
    limit.rlim_cur = n < limit.rlim_max ? n : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static cgct_status merge_shards(merge_state *m, cgct_err *err)
{
    enum { OTHER_FILES = 64 };
    run_total total;
    m->progress.start = clock_wall();
    CGCT_TRY(cli_threads(0, err));
    CGCT_TRY(cli_check_writable(m->output, err));
    allow_open_files(m->n + OTHER_FILES);
    m->shard = memory_zeros(m->n, sizeof *m->shard);
    for (size_t i = 0; i < m->n; i++) {
        if (cgct_same_file(m->path[i], m->output))
            return cgct_fail(err, CGCT_E_USAGE, "-o %s is one of the parts, %s; name another file",
                             m->output, m->path[i]);
        CGCT_TRY(journal_open_read(&m->shard[i], m->path[i], err));
    }
    const char *identity = m->shard[0]->text;
    cgct_status st = config_from_results(&m->card, identity, err);
    if (st == CGCT_OK) st = run_job_join(&m->job, &m->card.run, identity, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", m->path[0]);
    char what[400], program[64];
    cli_program(program, sizeof program);
    if (strcmp(m->job.program, program))
        return cgct_fail(err, CGCT_E_VERSION, "%s was made by %s, this is %s: merge with that",
                         m->path[0], m->job.program, program);
    for (size_t i = 1; i < m->n; i++)
        if (run_identity_differ(identity, m->shard[i]->text, IDENTITY_TABLE, what, sizeof what))
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s are not parts of one table: %s",
                             m->path[0], m->path[i], what);
    m->slot = memory_zeros(m->job.nitems, sizeof *m->slot);
    size_t *from = memory_zeros((size_t)m->job.nshard + 1, sizeof *from);
    st = join_shards(m, from, err);
    free(from);
    if (st != CGCT_OK) return st;
    CGCT_TRY(run_assemble(&m->job, m->slot, m->output, &total, err));
    cli_progress_summary(&m->progress, &total, m->output, m->card.run.flag);
    return CGCT_OK;
}

int cli_merge(int argc, char **argv)
{
    merge_state m = {0};
    const command_option options[] = {
        {"--output", 'o', OPTION_TEXT, &m.output, "FILE", "the table"},
        {"--quiet", 0, OPTION_FLAG, &m.progress.quiet, NULL, "no summary"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "merge",
        .synopsis = "-o FILE SHARD...",
        .doc =
            "Joins the parts made by 'run CARD --shard I/N' to the table that one run would have "
            "made, byte\nfor byte.  They must be of the same card, dipole and program, each once "
            "and complete.",
        .options = options};
    cgct_err err = {""};
    m.path = memory_zeros((size_t)argc + 1, sizeof *m.path);
    int go = cli_parse(&spec, argc, argv, (size_t)argc, m.path);
    if (go == CLI_GO) {
        while (m.path[m.n]) m.n++;
        cgct_status st = !m.output ? cgct_fail(&err, CGCT_E_USAGE, "no output file: give -o FILE")
                         : !m.n    ? cgct_fail(&err, CGCT_E_USAGE, "the SHARDs are missing")
                                   : merge_shards(&m, &err);
        go = cli_end(&spec, st, &err);
    }
    for (size_t i = 0; m.shard && i < m.n; i++) journal_close(m.shard[i]);
    free(m.shard);
    free(m.slot);
    run_job_free(&m.job);
    config_free(&m.card);
    free(m.path);
    return go;
}

/* ---- slurm ---- */

typedef struct {
    cli_task task;
    const char *output, *nodes;
    option_texts sbatch;
    unsigned shards;
    char program[4096], folder[4096];
} slurm_state;

/* The text of slurm.template, made by generator/rules.mk. */
extern const char text_slurm_template[];

/* Prints `before`, then text as one word of a shell: '...', where each ' inside becomes '\''. */
static void print_quoted(const char *before, const char *text)
{
    printf("%s'", before);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* Prints what a field @NAME@ of the template stands for; 0: there is no such field. */
static int print_field(const slurm_state *s, const char *name, size_t length)
{
    const char *const paths[][2] = {{"FOLDER", s->folder},
                                    {"OUTPUT", s->output},
                                    {"PROGRAM", s->program},
                                    {"CARD", s->task.card_path}};
    char key[32], program[64];
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    cli_program(program, sizeof program);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!strcmp(key, paths[i][0])) {
            print_quoted("", paths[i][1]);
            return 1;
        }
    if (!strcmp(key, "PROGRAM_VERSION")) {
        fputs(program, stdout);
    } else if (!strcmp(key, "SHARDS")) {
        printf("%u", s->shards);
    } else if (!strcmp(key, "SBATCH")) {
        fputs("sbatch --parsable", stdout);
        if (s->task.card.jobs > 0) printf(" --cpus-per-task=%d", s->task.card.jobs);
        for (size_t i = 0; i < s->sbatch.n; i++) print_quoted(" ", s->sbatch.v[i]);
    } else if (!strcmp(key, "SETTINGS")) { /* threads and memory come from Slurm */
        for (size_t i = 0; i < s->task.set.n; i++) print_quoted(" --set ", s->task.set.v[i]);
        if (s->task.backend) print_quoted(" --backend ", s->task.backend);
        if (s->task.device) print_quoted(" --device ", s->task.device);
        if (s->task.no_cache) fputs(" --no-cache", stdout);
    } else {
        return 0;
    }
    return 1;
}

/* Checks the card and its dipole now, so that a mistake does not wait in a queue. */
static cgct_status check_slurm(slurm_state *s, cgct_err *err)
{
    dipole_ensemble members;
    double shards;
    char *file;
    CGCT_TRY(cli_task_card(&s->task, err));
    const config *c = &s->task.card;
    if (!s->output) s->output = c->file;
    CGCT_TRY(cli_output_file(&s->task, s->output, &file, err));
    free(file);
    CGCT_TRY(cli_integer("nodes", s->nodes, "[1,1e5]", "shards", &shards, err));
    s->shards = (unsigned)shards;
    CGCT_TRY(cli_task_members(&s->task, &members, err));
    cli_say_x0(&s->task, members.x0, members.x0_assumed);
    const backend_set builders = cuda_backends(NULL);
    run_job job = {.settings = &c->run, .members = &members, .builders = &builders, .nshard = 1};
    cgct_status st = run_job_init(&job, "", err);
    size_t items = job.nitems;
    run_job_free(&job);
    members_free(&members);
    if (st != CGCT_OK) return st;
    if (s->shards > items)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--nodes %u: there are %zu (x,eps) and checks to divide", s->shards,
                         items);
    ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
    if (n <= 0) strcpy(s->program, cli_name);
    if (!getcwd(s->folder, sizeof s->folder))
        return cgct_fail(err, CGCT_E_IO, "the working directory has no name");
    return CGCT_OK;
}

int cli_slurm(int argc, char **argv)
{
    slurm_state *s = memory_zeros(1, sizeof *s);
    const command_option options[] = {
        {"--nodes", 0, OPTION_TEXT, &s->nodes, "N", "shards: jobs of the array"},
        {"--output", 'o', OPTION_TEXT, &s->output, "FILE", "container to write (output.file)"},
        CLI_SHARED_OPTIONS(&s->task),
        {"--backend", 0, OPTION_TEXT, &s->task.backend, "NAME", "builder of the inner table"},
        {"--sbatch", 0, OPTION_TEXTS, &s->sbatch, "OPTION",
         "handed to sbatch, as --sbatch=--time=2:00:00"},
        {.name = NULL}};
    const cli_spec spec = {
        .name = "slurm",
        .synopsis = "CARD --nodes N [options] > SCRIPT",
        .doc =
            "Prints a shell script that submits the run of a card to Slurm: an array of N shards "
            "and a merge\nthat waits for them.",
        .options = options,
        .show_keys = 1};
    cgct_err err = {""};
    int go = cli_parse(&spec, argc, argv, 1, &s->task.card_path);
    if (go == CLI_GO) {
        cgct_status st = check_slurm(s, &err);
        for (const char *text = text_slurm_template; *text && st == CGCT_OK; text++) {
            size_t n = *text == '@' ? strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") : 0;
            if (n && text[n + 1] == '@' && print_field(s, text + 1, n))
                text += n + 1;
            else
                putchar(*text);
        }
        go = cli_end(&spec, st, &err);
    }
    cli_task_free(&s->task);
    free(s);
    return go;
}
