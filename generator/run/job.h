/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h: a table as a list of items that can be computed in any order and on any machine, first its
 * nodes, from small eps (expensive) to large, then its checks, then some nodes with dipoles that
 * are changed within their numerical error, then the coarse nodes of its members; and the identity
 * of the run. */
#ifndef CGCT_RUN_JOB_H
#define CGCT_RUN_JOB_H
#include "dipole/dipole.h"
#include "inner/backend.h"
#include "node/forward.h"
#include "node/node.h"
#include "numerics/grid.h"

/* Nodes of all members on axes of their own: what the others differ from the first member by is
 * small and smooth.  0 and empty axes: as in the table; where all three are, the members are
 * computed at the nodes of the table. */
typedef struct {
    grid_axis x, eps, q;
    int lower, upper, checks; /* checks: (x,eps) to compare, of the members in turn */
    double tolerance, bound;
} member_settings;

/* What a user may set of a table: its axes, its nodes and how it is stored.  Members have the names
 * of the run card's keys. */
typedef struct {
    grid_axis x, eps, q; /* -, GeV, GeV */
    double k_max;        /* GeV: of the shorter momentum */
    member_settings members;
    int forward; /* dijets of a proton (correlator.process = pa) */
    node_settings node;
    double flag;              /* points whose error exceeds this share of e^l are flagged */
    int checks, refine;       /* (x,eps) between nodes to compare; repeats of a node that misses */
    int lower, upper;         /* nodes in the shorter momentum */
    double k0;                /* GeV */
    int reduce;               /* whether nodes are stored in a reduced basis */
    double rank_bound, bound; /* of reduction, and of that and rounding: share of e^l */
    int order_x, order_eps, order_q, order_v; /* nodes of the polynomials; 0: as run_order says */
    const char *uncertainty;                  /* what members mean: FORMAT.md 3 */
    const char *citation, *licence;           /* metadata, "" for none */
} run_settings;

/* One change of a member's dipole, as in dipole_changes. */
typedef struct {
    size_t member;
    double weight;
    const dipole_source *source; /* NULL where records are only joined */
} run_change;

/* Indices of an axis, rising, its first and its last among them; all of a short axis. */
enum { RUN_PLACES_MOST = 16 };
typedef struct {
    size_t n, at[RUN_PLACES_MOST];
} run_places;
/* At most so many of n, evenly. */
run_places run_places_of(size_t n, size_t most);
/* The places on both sides of node i; the same twice where i is one. */
void run_places_around(const run_places *p, size_t i, size_t around[2]);

typedef struct {
    const run_settings *settings;
    const dipole_ensemble *members; /* NULL where records are only joined */
    size_t nmember;
    unsigned shard, nshard;               /* from 1 */
    const char *backend, *dipole, *names; /* names: NULL where there is one member */
    const char *S_perp, *accuracy;        /* of the members, as in dipole_ensemble */
    const char *comparison, *x0;          /* likewise; NULL for none */
    char *N;                              /* of the first member, as metadata `dipole.N` */
    run_change *change;                   /* (nchange), those of a member one after the other */
    size_t nchange;
    run_places place_x, place_eps; /* nodes of changed dipoles */
    int on_device;                 /* the backend needs one */
    const backend_set *builders;   /* or NULL: the processor's */
    char program[64];              /* name and version */
    size_t nx;           /* x that are computed: one where the dipole is the same at every x */
    size_t nfull;        /* members at the nodes of the table: all, or the first alone */
    size_t nnode;        /* nodes of these that are computed */
    size_t nchecks;      /* of the first member, then of the others where nfull is 1 */
    size_t ncoarse;      /* coarse nodes, of all members; 0: none */
    size_t nitems;       /* all of these, and the changed nodes */
    node_grid grid;      /* momenta of the table */
    run_settings coarse; /* those of the table with the axes of section members */
    node_grid coarse_grid;
    size_t coarse_nx;
    char *identity;
    char *lines; /* backend to accuracy, where they come from an identity */
} run_job;

/* In       of j: settings, members, shard, nshard, builders, program; the rest is 0
 *          results: config_results of the card, or "" where the identity is not needed
 * Returns  OK, E_CONFIG, E_DEVICE; run_job_free also after a failure. */
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
static inline int run_job_is_check(const run_job *j, size_t item)
{
    return item >= j->nnode && item < j->nnode + j->nchecks;
}
static inline int run_job_is_coarse(const run_job *j, size_t item)
{
    return item >= j->nitems - j->ncoarse;
}
/* The member of a check of this number, from 0. */
static inline size_t run_job_checked(const run_job *j, size_t number)
{
    if (j->settings->forward) return number % j->nmember;
    return number < (size_t)j->settings->checks ? 0 : 1 + number % (j->nmember - 1);
}
/* The momenta of a node, changed or not, or coarse. */
static inline const node_grid *run_job_grid(const run_job *j, size_t item)
{
    return run_job_is_coarse(j, item) ? &j->coarse_grid : &j->grid;
}
/* Where an item that is no check is computed. */
typedef struct {
    size_t member, ix, ieps;  /* indices on the axes, of a coarse node on the coarse ones */
    const run_change *change; /* of the dipole, or NULL */
} run_place;
run_place run_job_place(const run_job *j, size_t item);
size_t run_job_coarse_item(const run_job *j, size_t member, size_t ix, size_t ieps);
/* The number of x, from that of a node on or from the first of a coarse one, whose tensor the item
 * holds. */
size_t run_job_tensors(const run_job *j, size_t item);
/* The momenta of the functions that the record of a node of a proton's dijets holds in the place of
 * the tensor. */
static inline forward_table run_job_functions(const run_job *j)
{
    return (forward_table){j->grid.k0, j->grid.q[j->grid.nq - 1] + j->grid.k_max};
}
static inline size_t run_job_has_functions(const run_job *j, size_t item)
{
    return run_job_is_node(j, item) && item % j->nfull == 0;
}
/* The item of change c of a dipole at node (place_x.at[px], place_eps.at[pe]). */
size_t run_job_changed_item(const run_job *j, size_t c, size_t px, size_t pe);
/* The shard, from 1, that an item belongs to.  Neighbouring items cost alike, so they are dealt out
 * in turn, back and forth. */
unsigned run_job_shard(const run_job *j, size_t item);
/* Nodes of the polynomials along an axis of x or eps: the card's `order`, or where that is 0 all
 * nodes of a panel of Chebyshev nodes, and 6 of other nodes, where more would oscillate. */
size_t run_order(const grid_axis *a, int order);

/* The identity of a job is the text at the head of its journal, everything that the table depends
 * on: lines "key TAB value" (program, backend, dipole, members, x, shard, keys of the card), then
 * the line "card" and the card verbatim. */

/* The value of a key of the first lines, up to the end of its line; NULL where it is missing. */
const char *run_identity_get(const char *text, const char *key);
/* The text of the card. */
const char *run_identity_card(const char *text);
/* What of two identities is compared: all; not the line shard; or only what items depend on, and
 * neither how a table stores them nor the text of the card. */
typedef enum { IDENTITY_ALL, IDENTITY_TABLE, IDENTITY_ITEMS } run_identity_part;
/* 0 where both are the same; else what[size] is what differs, as "KEY was A, is B" with the values
 * cut short. */
int run_identity_differ(const char *was, const char *is, run_identity_part part, char *what,
                        size_t size);
#endif
