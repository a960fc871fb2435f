/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_job.h: a table as a list of items that can be computed in any order and anywhere: its nodes,
 * expensive ones (small eps) first, then its checks. */
#ifndef CGCT_RUN_JOB_H
#define CGCT_RUN_JOB_H
#include "format/writer.h"
#include "inner/backend.h"
#include "run/settings.h"
#include "dipole/dipole.h"

typedef struct {
    const run_settings *settings;
    const char *card;               /* text, for the metadata */
    const dipole_ensemble *members; /* NULL where records are only joined */
    size_t nmember;
    unsigned shard, nshard;               /* from 1 */
    const char *backend, *dipole, *names; /* names: NULL where there is one member */
    int on_device;                        /* the backend needs one */
    const backend_set *builders;          /* or NULL: the processor's */
    char program[64];                     /* name and version */
    size_t nx;            /* x that are computed: one where the dipole is the same at every x */
    size_t nnode, nitems; /* nodes of all members that are computed; these and the checks */
    size_t nk;            /* k axis of the table: the card's, extended where it is folded */
    double *k;
    char *identity;  /* run_identity.h */
    char *copied[3]; /* backend, dipole, names, where they come from an identity */
} run_job;

/* What a run is asked for. */
typedef struct {
    const run_settings *settings;
    const char *results; /* config_results of the card */
    const dipole_ensemble *members;
    const char *program;
    unsigned shard, nshard;
    const backend_set *builders; /* kept by reference, or NULL */
} run_job_task;

cgct_status run_job_init(run_job *j, const run_job_task *task, cgct_err *err);
/* The same from the identity that a journal holds: to join, not to compute.  settings, which are
 * those of the card in the identity, outlive j. */
cgct_status run_job_join(run_job *j, const run_settings *settings, const char *identity,
                         cgct_err *err);
void run_job_free(run_job *j);

int run_job_is_node(const run_job *j, size_t item);
/* A node's member, and the indices of its x and eps on the axes. */
void run_job_node(const run_job *j, size_t item, size_t *member, size_t *ix, size_t *ieps);
/* The shard, from 1, that an item belongs to: neighbours cost alike and are dealt out in turn. */
unsigned run_job_shard(const run_job *j, size_t item);
/* Everything the writer wants to know; points into j and its card. */
cgct_writer_spec run_job_spec(const run_job *j);
#endif
