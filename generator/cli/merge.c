/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge: the parts that 'run --shard' has made, joined as they are. */
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "numerics/clock.h"
#include "cli/progress.h"
#include "run/job.h"
#include "run/assembly.h"

typedef struct {
    size_t n;
    const char *output, **path;
    journal **shard; /* (n) */
    config card;
    run_job job;
    run_slot *slot;
    cli_progress progress;
} merge_state;

/* All shards are of one run, and of this program. */
static cgct_status check_together(const merge_state *m, cgct_err *err)
{
    char what[400], program[64];
    cli_program(program, sizeof program);
    if (strcmp(m->job.program, program))
        return cgct_fail(err, CGCT_E_VERSION, "%s was made by %s, this is %s: merge with that",
                         m->path[0], m->job.program, program);
    const char *first = journal_text(m->shard[0]);
    for (size_t i = 1; i < m->n; i++)
        if (run_identity_differ(first, journal_text(m->shard[i]), 0, what, sizeof what))
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s are not parts of one table: %s",
                             m->path[0], m->path[i], what);
    return CGCT_OK;
}

static cgct_status shard_number(const merge_state *m, size_t i, unsigned *number, cgct_err *err)
{
    unsigned n;
    const char *text = run_identity_get(journal_text(m->shard[i]), "shard");
    if (!text || sscanf(text, "%u/%u", number, &n) != 2 || *number < 1 || *number > n)
        return cgct_fail(err, CGCT_E_FORMAT, "%s: does not say which shard it is", m->path[i]);
    if (n != m->job.nshard)
        return cgct_fail(err, CGCT_E_FORMAT, "%s is a shard of %u, %s one of %u", m->path[0],
                         m->job.nshard, m->path[i], n);
    return CGCT_OK;
}

/* from[number]: which of the files is that shard, from 1; 0: none. */
static cgct_status number_shards(const merge_state *m, size_t *from, cgct_err *err)
{
    for (size_t i = 0; i < m->n; i++) {
        unsigned number;
        CGCT_TRY(shard_number(m, i, &number, err));
        if (from[number])
            return cgct_fail(err, CGCT_E_FORMAT, "%s and %s are both shard %u of %u",
                             m->path[from[number] - 1], m->path[i], number, m->job.nshard);
        from[number] = i + 1;
        CGCT_TRY(run_slots_add(&m->job, m->slot, m->shard[i], err));
    }
    return CGCT_OK;
}

static cgct_status check_gaps(const merge_state *m, const size_t *from, cgct_err *err)
{
    for (unsigned s = 1; s <= m->job.nshard; s++) {
        size_t want = 0, have = 0;
        for (size_t item = 0; item < m->job.nitems; item++) {
            if (run_job_shard(&m->job, item) != s) continue;
            want++;
            have += m->slot[item].from != NULL;
        }
        if (have == want) continue;
        if (!from[s])
            return cgct_fail(err, CGCT_E_FORMAT, "shard %u of %u is missing", s, m->job.nshard);
        return cgct_fail(err, CGCT_E_FORMAT,
                         "%s: shard %u of %u has %zu of its %zu items; run its command again",
                         m->path[from[s] - 1], s, m->job.nshard, have, want);
    }
    return CGCT_OK;
}

static cgct_status check_complete(merge_state *m, cgct_err *err)
{
    m->slot = calloc(m->job.nitems, sizeof *m->slot);
    size_t *from = calloc((size_t)m->job.nshard + 1, sizeof *from);
    cgct_status st = m->slot && from
                         ? number_shards(m, from, err)
                         : cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu items", m->job.nitems);
    if (st == CGCT_OK) st = check_gaps(m, from, err);
    free(from);
    return st;
}

static cgct_status merge(merge_state *m, cgct_err *err)
{
    char text[4096];
    run_total total = {0};
    m->progress.start = clock_wall();
    m->shard = calloc(m->n, sizeof *m->shard);
    if (!m->shard) return cgct_fail(err, CGCT_E_NOMEM, "no memory for %zu shards", m->n);
    for (size_t i = 0; i < m->n; i++) {
        if (!strcmp(m->path[i], m->output))
            return cgct_fail(err, CGCT_E_USAGE, "%s is to be written and read", m->output);
        CGCT_TRY(journal_open_read(&m->shard[i], m->path[i], err));
    }
    const char *identity = journal_text(m->shard[0]);
    cgct_status st = config_from_results(&m->card, identity, err);
    if (st == CGCT_OK) st = run_job_join(&m->job, &m->card.run, identity, err);
    if (st != CGCT_OK) return cgct_context(err, st, "%s", m->path[0]);
    CGCT_TRY(check_together(m, err));
    CGCT_TRY(check_complete(m, err));
    st = run_assemble(&m->job, m->slot, m->output, &total, text, sizeof text, err);
    if (st == CGCT_OK)
        cli_progress_summary(&m->progress, &total, text, m->output, m->card.run.flag);
    run_total_free(&total);
    return st;
}

static void free_state(merge_state *m)
{
    for (size_t i = 0; m->shard && i < m->n; i++) journal_close(m->shard[i]);
    free(m->shard);
    free(m->slot);
    run_job_free(&m->job);
    config_free(&m->card);
}

int cli_merge(int argc, char **argv)
{
    merge_state m = {0};
    const cli_option options[] = {{"quiet", 0, CLI_FLAG, &m.progress.quiet, NULL, "no summary"},
                                  {.name = NULL}};
    const cli_spec spec = {
        .name = "merge",
        .synopsis = "OUT SHARD...",
        .doc =
            "Joins the parts made by 'run CARD --shard I/N' to the table that one run would have "
            "made, byte\nfor byte.  They must be of the same card, dipole and program, each once "
            "and complete.",
        .options = options};
    cgct_err err = {""};
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (!words) return CLI_FAILED;
    int go = cli_parse(&spec, argc, argv, (size_t)argc, words);
    cgct_status st = CGCT_OK;
    if (go == CLI_GO) {
        m.output = words[0];
        m.path = words + 1;
        while (m.output && m.path[m.n]) m.n++;
        st = m.n ? merge(&m, &err) : cgct_fail(&err, CGCT_E_USAGE, "want OUT and its SHARDs");
        go = st == CGCT_OK ? CLI_DONE : cli_fail(&spec, st, &err);
    }
    free_state(&m);
    free(words);
    return go;
}
