/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm: the script that submits a run as an array of shards, and a merge that waits for them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cuda/builders.h"
#include "run/job.h"

typedef struct {
    cli_task task;
    const char *output, *nodes;
    cli_texts sbatch;
    unsigned shards;
    char program[4096], folder[4096];
} slurm_state;

/* 'text' as one word of a shell. */
static void quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

static void option(const char *name, const char *value)
{
    if (!value) return;
    printf(" --%s ", name);
    quoted(value);
}

static void sbatch(const slurm_state *s)
{
    fputs("sbatch --parsable", stdout);
    if (s->task.jobs) printf(" --cpus-per-task=%d", s->task.card.jobs);
    for (size_t i = 0; i < s->sbatch.n; i++) {
        putchar(' ');
        quoted(s->sbatch.v[i]);
    }
}

/* Threads and memory are what Slurm grants; 0 GiB: what is free. */
static void print_array(const slurm_state *s)
{
    printf("array=$(");
    sbatch(s);
    printf(" --array=1-%u --output=\"$out.%%a.log\" --open-mode=append \\\n    "
           "--export=ALL,out=\"$out\""
           " <<'JOB'\n#!/bin/sh\n"
           "shard=$SLURM_ARRAY_TASK_ID\n"
           "memory=$(awk \"BEGIN { print ${SLURM_MEM_PER_NODE:-0} * 0.8 / 1024 }\")\n"
           "exec ",
           s->shards);
    quoted(s->program);
    fputs(" run ", stdout);
    quoted(s->task.card_path);
    printf(" -o \"$out.$shard\" --shard \"$shard/%u\" \\\n    --jobs \"${SLURM_CPUS_ON_NODE:-1}\""
           " --set run.memory=\"$memory\"",
           s->shards);
    for (size_t i = 0; i < s->task.set.n; i++) option("set", s->task.set.v[i]);
    option("backend", s->task.backend);
    fputs("\nJOB\n)\n", stdout);
}

static void print_merge(const slurm_state *s)
{
    printf("merge=$(");
    sbatch(s);
    printf(" --dependency=\"afterok:$array\" --output=\"$out.merge.log\" \\\n"
           "    --export=ALL,out=\"$out\" <<'JOB'\n#!/bin/sh\nset -e\n"
           "shards=$(i=1; while [ $i -le %u ]; do printf '%%s ' \"$i\"; i=$((i + 1)); done)\n"
           "set --; for i in $shards; do set -- \"$@\" \"$out.$i\"; done\n",
           s->shards);
    quoted(s->program);
    fputs(" merge \"$out\" \"$@\"\nrm -f \"$@\"\nJOB\n)\n", stdout);
}

static void print_script(const slurm_state *s)
{
    char program[64];
    cli_program(program, sizeof program);
    printf("#!/bin/sh\n"
           "# Made by %s: the table in %u shards, then their merge.  Run it on a machine that can\n"
           "# submit; after a failure run it again: finished shards are kept, begun ones go on.\n"
           "set -eu\ncd ",
           program, s->shards);
    quoted(s->folder);
    fputs("\nout=", stdout);
    quoted(s->output);
    putchar('\n');
    print_array(s);
    print_merge(s);
    fputs("echo \"array job $array, merge job $merge\"\n", stdout);
}

/* The card and its dipole are looked at now: a mistake should not wait in a queue. */
static cgct_status check(slurm_state *s, cgct_err *err)
{
    run_job job;
    dipole_ensemble members;
    char end;
    CGCT_TRY(cli_task_config(&s->task, err));
    const config *c = &s->task.card;
    if (!s->output) s->output = c->file;
    if (!*s->output)
        return cgct_fail(err, CGCT_E_USAGE, "no output file: give -o FILE or output.file");
    if (!s->nodes || sscanf(s->nodes, "%u%c", &s->shards, &end) != 1 || s->shards < 1)
        return cgct_fail(err, CGCT_E_USAGE, "--nodes %s: want the number of shards, 1 or more",
                         s->nodes ? s->nodes : "is missing");
    CGCT_TRY(cli_task_members(&s->task, &members, err));
    const backend_set builders = cuda_backends(NULL);
    const run_job_task task = {&c->run, "", &members, "", 1, s->shards, &builders};
    cgct_status st = run_job_init(&job, &task, err);
    size_t items = st == CGCT_OK ? job.nitems : 0;
    run_job_free(&job);
    members_free(&members);
    if (st != CGCT_OK) return st;
    if (s->shards > items)
        return cgct_fail(err, CGCT_E_USAGE,
                         "--nodes %u: there are %zu (x,eps) and checks to divide", s->shards,
                         items);
    ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
    if (n <= 0) strcpy(s->program, CLI_PROGRAM);
    if (!getcwd(s->folder, sizeof s->folder))
        return cgct_fail(err, CGCT_E_IO, "the working directory has no name");
    return CGCT_OK;
}

int cli_slurm(int argc, char **argv)
{
    slurm_state *s = calloc(1, sizeof *s);
    if (!s) return CLI_FAILED;
    const cli_option options[] = {
        {"nodes", 0, CLI_TEXT, &s->nodes, "N", "shards: jobs of the array"},
        {"output", 'o', CLI_TEXT, &s->output, "FILE", "container to write (output.file)"},
        CLI_SHARED_OPTIONS(&s->task),
        {"backend", 0, CLI_TEXT, &s->task.backend, "NAME", "builder of the inner table"},
        {"sbatch", 0, CLI_TEXTS, &s->sbatch, "OPTION",
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
        cgct_status st =
            s->task.card_path ? check(s, &err) : cgct_fail(&err, CGCT_E_USAGE, "CARD is missing");
        if (st == CGCT_OK) print_script(s);
        go = st == CGCT_OK ? cli_finish_stdout(&spec) : cli_fail(&spec, st, &err);
    }
    cli_task_free(&s->task);
    free(s);
    return go;
}
