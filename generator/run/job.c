/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node/fold.h"
#include "run/identity.h"

/* J hardly changes far below the width of the ridge, max(eps, Qs); what a reader takes below the
 * first k is off by the square of their ratio. */
static cgct_status choose_k_axis(run_job *j, cgct_err *err)
{
    const run_settings *c = j->settings;
    double flat = 0.1 * fmax(c->eps.v[0], 0.5);
    double low = c->node.k_low > 0 ? c->node.k_low : 0.3 * flat;
    return fold_axis(c->k1.n, c->k1.v, c->q.v[0], flat, c->node.fold > 0 ? low : c->k1.v[0], &j->nk,
                     &j->k, err);
}

static void count_items(run_job *j, int every_x)
{
    j->nx = every_x ? j->settings->x.n : 1;
    j->nnode = j->nx * j->settings->eps.n * j->nmember;
    j->nitems = j->nnode + (size_t)j->settings->checks;
}

cgct_status run_job_init(run_job *j, const run_job_task *t, cgct_err *err)
{
    const backend *b;
    *j = (run_job){
        .settings = t->settings, .members = t->members, .shard = t->shard, .nshard = t->nshard};
    CGCT_TRY(backend_find(&b, t->builders, t->settings->node.inner.backend,
                          t->settings->node.inner.device, err));
    j->builders = t->builders;
    j->backend = b->name;
    j->on_device = b->usable != NULL;
    j->dipole = t->members->describe;
    j->names = t->members->names;
    j->nmember = t->members->n;
    snprintf(j->program, sizeof j->program, "%s", t->program);
    int every_x = 0;
    for (size_t i = 0; i < j->nmember; i++)
        every_x |= dipole_source_depends_on_x(t->members->source[i]);
    count_items(j, every_x);
    const run_origin origin = {j->program, j->backend, j->dipole, j->names ? j->names : "",
                               every_x,    t->shard,   t->nshard};
    cgct_status st = choose_k_axis(j, err);
    if (st == CGCT_OK) st = run_identity_make(&origin, t->results, &j->identity, err);
    if (st == CGCT_OK) j->card = run_identity_card(j->identity);
    if (st != CGCT_OK) run_job_free(j);
    return st;
}

static char *copy(const char *text, size_t n)
{
    char *to = malloc(n + 1);
    if (!to) return NULL;
    memcpy(to, text, n);
    to[n] = 0;
    return to;
}

static cgct_status copy_lines(run_job *j, const char *identity, cgct_err *err)
{
    const char *const key[3] = {"backend", "dipole", "members"};
    for (int i = 0; i < 3; i++) {
        const char *v = run_identity_get(identity, key[i]);
        if (!v) return cgct_fail(err, CGCT_E_FORMAT, "line %s is missing", key[i]);
        j->copied[i] = copy(v, strcspn(v, "\n"));
        if (!j->copied[i]) return cgct_fail(err, CGCT_E_NOMEM, "no memory for a line of text");
    }
    j->backend = j->copied[0];
    j->dipole = j->copied[1];
    j->names = *j->copied[2] ? j->copied[2] : NULL;
    j->nmember = 1;
    for (const char *at = j->names; at && *at; at++) j->nmember += *at == ' ';
    j->identity = copy(identity, strlen(identity));
    if (j->identity) j->card = run_identity_card(j->identity);
    return j->identity ? CGCT_OK : cgct_fail(err, CGCT_E_NOMEM, "no memory for a line of text");
}

cgct_status run_job_join(run_job *j, const run_settings *settings, const char *identity,
                         cgct_err *err)
{
    *j = (run_job){.settings = settings, .shard = 1, .nshard = 1};
    const char *x = run_identity_get(identity, "x");
    const char *program = run_identity_get(identity, "program");
    const char *shard = run_identity_get(identity, "shard");
    if (!x || !program || !shard || sscanf(shard, "%u/%u", &j->shard, &j->nshard) != 2)
        return cgct_fail(err, CGCT_E_FORMAT, "lines x, program or shard are missing");
    snprintf(j->program, sizeof j->program, "%.*s", (int)strcspn(program, "\n"), program);
    cgct_status st = copy_lines(j, identity, err);
    count_items(j, !strncmp(x, "every", 5));
    if (st == CGCT_OK) st = choose_k_axis(j, err);
    if (st != CGCT_OK) run_job_free(j);
    return st;
}

void run_job_free(run_job *j)
{
    free(j->k);
    free(j->identity);
    for (int i = 0; i < 3; i++) free(j->copied[i]);
    memset(j, 0, sizeof *j);
}

int run_job_is_node(const run_job *j, size_t item)
{
    return item < j->nnode;
}

void run_job_node(const run_job *j, size_t item, size_t *member, size_t *ix, size_t *ieps)
{
    *member = item % j->nmember;
    *ix = item / j->nmember % j->nx;
    *ieps = item / j->nmember / j->nx;
}

unsigned run_job_shard(const run_job *j, size_t item)
{
    size_t round = item / j->nshard, at = item % j->nshard;
    return (unsigned)(round & 1 ? j->nshard - 1 - at : at) + 1;
}

cgct_writer_spec run_job_spec(const run_job *j)
{
    const run_settings *c = j->settings;
    return (cgct_writer_spec){.nx = c->x.n,
                              .neps = c->eps.n,
                              .nq = c->q.n,
                              .nk = j->nk,
                              .x = c->x.v,
                              .eps = c->eps.v,
                              .q = c->q.v,
                              .k = j->k,
                              .card = j->card,
                              .generator = j->program,
                              .dipole = j->dipole,
                              .backend = j->backend,
                              .fold = c->node.fold > 0,
                              .fold_power = c->node.fold,
                              .level = c->level,
                              .bound = c->bound,
                              .split = c->split,
                              .members = j->nmember,
                              .names = j->names,
                              .order = {c->order_x, c->order_eps, c->order_q, c->order_k}};
}
