/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h: a table as a list of items that can be computed in any order and on any machine, first its
 * nodes, from small eps (expensive) to large, then its checks; and the identity of the run. */
#ifndef CGCT_RUN_JOB_H
#define CGCT_RUN_JOB_H
#include "dipole/dipole.h"
#include "format/writer.h"
#include "inner/backend.h"
#include "node/node.h"
#include "numerics/grid.h"

/* What a user may set of a table: its axes, its nodes and how it is stored.  Members have the names
 * of the run card's keys. */
typedef struct {
    grid_axis x, eps, q, k1; /* -, GeV, GeV, GeV */
    node_settings node;
    double flag;        /* points whose error exceeds this share of I are flagged */
    int checks, refine; /* (x,eps) between nodes to compare; repeats of a node that misses */
    int level;          /* of zstd */
    double bound;       /* modes are rounded to within this share of I_0 */
    int split;          /* FORMAT.md 5 */
    int order_x, order_eps, order_q, order_k; /* nodes of the local polynomials */
} run_settings;

typedef struct {
    const run_settings *settings;
    const dipole_ensemble *members; /* NULL where records are only joined */
    size_t nmember;
    unsigned shard, nshard;               /* from 1 */
    const char *backend, *dipole, *names; /* names: NULL where there is one member */
    int on_device;                        /* the backend needs one */
    const backend_set *builders;          /* or NULL: the processor's */
    char program[64];                     /* name and version */
    size_t nx;            /* x that are computed: one where the dipole is the same at every x */
    size_t nnode, nitems; /* nodes of all members that are computed; these and the checks */
    grid_axis k;          /* of the table: the card's, extended where it is folded */
    char *identity;
    char *lines; /* backend, dipole and names, where they come from an identity */
} run_job;

/* In       of j: settings, members, shard, nshard, builders, program; the rest is 0
 *          results: config_results of the card, or "" where the identity is not needed
 * Returns  OK, E_CONFIG, E_DEVICE, E_NOMEM; run_job_free also after a failure. */
cgct_status run_job_init(run_job *j, const char *results, cgct_err *err);
/* The same from the identity that a journal holds: to join, not to compute.  settings, which are
 * those of the card in the identity, outlive j. */
cgct_status run_job_join(run_job *j, const run_settings *settings, const char *identity,
                         cgct_err *err);
void run_job_free(run_job *j);

static inline int run_job_is_node(const run_job *j, size_t item)
{
    return item < j->nnode;
}
/* A node's member, and the indices of its x and eps on the axes. */
void run_job_node(const run_job *j, size_t item, size_t *member, size_t *ix, size_t *ieps);
/* The shard, from 1, that an item belongs to.  Neighbouring items cost alike, so they are dealt out
 * in turn, back and forth. */
unsigned run_job_shard(const run_job *j, size_t item);
/* Everything the writer needs; points into j. */
cgct_writer_spec run_job_spec(const run_job *j);

/* The identity of a job is the text at the head of its journal, everything that the table depends
 * on: lines "key TAB value" (program, backend, dipole, members, x, shard, keys of the card), then
 * the line "card" and the card verbatim. */

/* The value of a key of the first lines, up to the end of its line; NULL where it is missing. */
const char *run_identity_get(const char *text, const char *key);
/* The text of the card. */
const char *run_identity_card(const char *text);
/* 0 where both are the same; else what[size] is what differs, as "KEY was A, is B" with the values
 * cut short.  The line `shard` is left out where shards = 0. */
int run_identity_differ(const char *was, const char *is, int shards, char *what, size_t size);
#endif
