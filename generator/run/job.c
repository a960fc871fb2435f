/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c: the items of a run, and the identity of what they are computed from. */
#include "run/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/table_content.h"
#include "numerics/memory.h"
#include "run/basis.h"

/* ---- identity ---- */

enum { SHOWN = 100 }; /* characters of a value in a message */

const char *run_identity_card(const char *text)
{
    const char *at = strstr(text, "\ncard\n");
    return at ? at + strlen("\ncard\n") : text + strlen(text);
}

const char *run_identity_get(const char *text, const char *key)
{
    size_t n = strlen(key);
    const char *end = run_identity_card(text);
    for (const char *at = text; at < end; at += strcspn(at, "\n") + 1)
        if (!strncmp(at, key, n) && at[n] == '\t') return at + n + 1;
    return NULL;
}

/* what[size]: "KEY was A, is B", both cut to begin shortly before their first difference. */
static void describe_difference(const char *key, int nkey, const char *a, const char *b, char *what,
                                size_t size)
{
    size_t same = 0;
    while (a[same] && a[same] != '\n' && a[same] == b[same]) same++;
    const size_t from = same > SHOWN / 2 ? same - SHOWN / 4 : 0;
    const char *cut = from ? "..." : "";
    const int na = (int)strcspn(a + from, "\n"), nb = (int)strcspn(b + from, "\n");
    snprintf(what, size, "%.*s was '%s%.*s', is '%s%.*s'", nkey, key, cut, na < SHOWN ? na : SHOWN,
             a + from, cut, nb < SHOWN ? nb : SHOWN, b + from);
}

static const char *line_after(const char *line)
{
    size_t n = strcspn(line, "\n");
    return line + n + (line[n] == '\n');
}

/* Whether items do not depend on the key of a line: it says how a table stores them. */
static int is_of_storage(const char *line, size_t nkey)
{
    static const char *const key[] = {"table.reduce", "table.rank_bound", "members.bound",
                                      "output.bound", "output.citation",  "output.licence"};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (strlen(key[i]) == nkey && !strncmp(line, key[i], nkey)) return 1;
    return 0;
}

int run_identity_differ(const char *was, const char *is, run_identity_part part, char *what,
                        size_t size)
{
    const char *card = run_identity_card(was);
    unsigned in_card = 0;
    for (; *was || *is; was = line_after(was), is = line_after(is)) {
        size_t n = strcspn(was, "\n"), nkey = strcspn(was, "\t\n");
        char key[48];
        in_card += was >= card;
        if (in_card && part == IDENTITY_ITEMS) return 0;
        if (n == strcspn(is, "\n") && !memcmp(was, is, n)) continue;
        if (in_card) {
            snprintf(key, sizeof key, "line %u of the card", in_card);
            describe_difference(key, (int)strlen(key), was, is, what, size);
            return 1;
        }
        if (part != IDENTITY_ALL && !strncmp(was, "shard\t", 6)) continue;
        if (part == IDENTITY_ITEMS && is_of_storage(was, nkey)) continue;
        const char *other = is + strcspn(is, "\t\n");
        describe_difference(was, (int)nkey, was + nkey + (was[nkey] == '\t'),
                            other + (*other == '\t'), what, size);
        return 1;
    }
    return 0;
}

/* ---- job ---- */

/* Largest order of a table, and of nodes that are not Chebyshev's: polynomials through more
 * oscillate between them. */
enum { ORDER_MIN = 2, ORDER_MAX = 32, ORDER_LOCAL = 6, ORDER_LOCAL_MAX = 8 };

size_t run_order(const grid_axis *a, int order)
{
    size_t nodes;
    grid_axis_panels(a, &nodes);
    size_t automatic = a->panels ? nodes : ORDER_LOCAL, n = order ? (size_t)order : automatic;
    if (n > nodes) n = nodes;
    return n < ORDER_MIN ? ORDER_MIN : n > ORDER_MAX ? ORDER_MAX : n;
}

static cgct_status check_order(const char *key, const grid_axis *a, int order, cgct_err *err)
{
    if (order == 1 || (order > ORDER_LOCAL_MAX && !a->panels))
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "%s = %d: want 0 or 2 to 8, or up to 32 where the axis is 'cheb A B ... N'", key,
            order);
    return CGCT_OK;
}

/* ---- coarse nodes ---- */

/* Interpolation does not leave the coarse axis. */
static const double END = 1e-9; /* relative rounding of the ends */

static cgct_status check_covers(const char *key, const grid_axis *a, const grid_axis *table,
                                cgct_err *err)
{
    const double lo = a->v[0], hi = a->v[a->n - 1], from = table->v[0], to = table->v[table->n - 1];
    if (lo > from * (1 + END) || hi < to * (1 - END))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "members.%s from %g to %g does not cover axes.%s from %g to %g", key, lo,
                         hi, key, from, to);
    return CGCT_OK;
}

static node_grid momenta_of(const run_settings *c)
{
    return (node_grid){.nq = c->q.n,
                       .nl = (size_t)c->lower,
                       .nu = (size_t)c->upper,
                       .q = c->q.v,
                       .k0 = c->k0,
                       .k_max = c->k_max};
}

enum { MEMBER_NODES_MAX = 32 }; /* of the format */

static cgct_status check_member_axis(const char *name, const grid_axis *own, const grid_axis *table,
                                     cgct_err *err)
{
    const grid_axis *a = own->n ? own : table;
    if (a->n > MEMBER_NODES_MAX)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "%s.%s has %zu values, of which members but the first have at most %d: "
                         "give members.%s",
                         own->n ? "members" : "axes", name, a->n, MEMBER_NODES_MAX, name);
    if (a->from == table->from) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "members.%s: 'from %.15g', but axes.%s has %.15g; both need the same", name,
                     a->from, name, table->from);
}

/* Sets j->coarse; *any: whether there are coarse nodes.  every_x: whether x counts. */
static cgct_status set_coarse(run_job *j, int every_x, int *any, cgct_err *err)
{
    const member_settings *m = &j->settings->members;
    run_settings *c = &j->coarse;
    *c = *j->settings;
    *any = j->nmember > 1 && (m->x.n || m->eps.n || m->q.n);
    if (!*any && m->checks)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "members.checks = %d: it compares members on axes of their own; give "
                         "several members and members.x, eps or q, or leave it out",
                         m->checks);
    if (!*any && j->nmember > 1 && (m->lower || m->upper || m->tolerance > 0 || m->bound > 0))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "members.lower, upper, tolerance and bound are of nodes that members have "
                         "of their own: give members.x, eps or q, or leave these out");
    if (!*any) return CGCT_OK;
    if (m->x.n) c->x = m->x;
    if (m->eps.n) c->eps = m->eps;
    if (m->q.n) c->q = m->q;
    if (m->lower) c->lower = m->lower;
    if (m->upper) c->upper = m->upper;
    if (m->tolerance > 0) c->node.inner.tolerance = m->tolerance;
    if (m->bound > 0) {
        c->rank_bound *= m->bound / c->bound;
        c->bound = m->bound;
    }
    if (c->lower < 2 || c->upper < 2)
        return cgct_fail(err, CGCT_E_CONFIG, "members.lower = %d, upper = %d: want 0 or 2 and more",
                         m->lower, m->upper);
    if (every_x) CGCT_TRY(check_member_axis("x", &m->x, &j->settings->x, err));
    CGCT_TRY(check_member_axis("eps", &m->eps, &j->settings->eps, err));
    CGCT_TRY(check_covers("x", &c->x, &j->settings->x, err));
    CGCT_TRY(check_covers("eps", &c->eps, &j->settings->eps, err));
    return check_covers("q", &c->q, &j->settings->q, err);
}

run_places run_places_of(size_t n, size_t most)
{
    run_places p = {.n = n < most ? n : most};
    for (size_t i = 0; i < p.n; i++) p.at[i] = p.n > 1 ? i * (n - 1) / (p.n - 1) : 0;
    return p;
}

void run_places_around(const run_places *p, size_t i, size_t around[2])
{
    around[1] = 0;
    while (p->at[around[1]] < i) ++around[1];
    around[0] = around[1] - (p->at[around[1]] != i);
}

enum { PLACES = 3 }; /* of changed dipoles in x and in eps: first, middle and last */

/* More items than any cluster computes: a larger number is a typing error. */
static const double ITEMS_MAX = 1e6;

static cgct_status count_items(run_job *j, int every_x, cgct_err *err)
{
    int any;
    CGCT_TRY(set_coarse(j, every_x, &any, err));
    j->grid = momenta_of(j->settings);
    j->coarse_grid = momenta_of(&j->coarse);
    j->grid.shelf = j->coarse_grid.shelf = tensor_shelf_new();
    j->nx = every_x ? j->settings->x.n : 1;
    j->coarse_nx = every_x ? j->coarse.x.n : 1;
    j->nfull = any ? 1 : j->nmember;
    j->ncoarse = any ? j->coarse_nx * j->coarse.eps.n * j->nmember : 0;
    j->nnode = j->nx * j->settings->eps.n * j->nfull;
    j->nchecks = (size_t)(j->settings->checks + (any ? j->settings->members.checks : 0));
    j->place_x = run_places_of(j->nx, PLACES);
    j->place_eps = run_places_of(j->settings->eps.n, PLACES);
    while (any && j->nchange && j->change[j->nchange - 1].member) j->nchange--;
    j->nitems = j->nnode + j->nchecks + j->nchange * j->place_x.n * j->place_eps.n + j->ncoarse;
    const double nx = (double)j->nx, neps = (double)j->settings->eps.n;
    const double n = nx * neps * (double)j->nfull + (double)j->ncoarse;
    if (n <= ITEMS_MAX) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "axes.x has %.0f and axes.eps %.0f values, with %zu members %.6g nodes; at "
                     "most %.6g are computed: take fewer values of %s",
                     nx, neps, j->nmember, n, ITEMS_MAX, nx > neps ? "axes.x" : "axes.eps");
}

/* What no file can hold is refused before anything is computed. */
static cgct_status check_sizes(const run_job *j, cgct_err *err)
{
    const run_settings *c = j->settings;
    size_t each_x, each_eps;
    cgct_err why;
    table_content t = {.members = j->nmember,
                       .nx = j->nx,
                       .neps = c->eps.n,
                       .nq = j->grid.nq,
                       .nl = j->grid.nl,
                       .nu = j->grid.nu,
                       .px = grid_axis_panels(&c->x, &each_x),
                       .peps = grid_axis_panels(&c->eps, &each_eps),
                       .x = c->x.v,
                       .eps = c->eps.v,
                       .q = c->q.v};
    if (j->nx == 1) t.px = each_x = 1;
    if (table_check_sizes(&t, &why) != CGCT_OK)
        return cgct_fail(err, CGCT_E_CONFIG, "section axes: %s", why.text);
    if (!c->reduce && j->nfull * each_x * each_eps > BASIS_RANK_MAX)
        return cgct_fail(
            err, CGCT_E_CONFIG,
            "table.reduce = 0: %zu nodes in a panel, at most %d are stored singly; use "
            "table.reduce = 1",
            j->nfull * each_x * each_eps, BASIS_RANK_MAX);
    return CGCT_OK;
}

static void add_change(run_job *j, run_change c)
{
    j->change = memory_resize(j->change, j->nchange + 1, sizeof c);
    j->change[j->nchange++] = c;
}

static cgct_status read_changes(run_job *j, const char *at, cgct_err *err)
{
    for (; at && *at && *at != '\n'; at += strcspn(at, " \n"), at += *at == ' ') {
        run_change c = {.source = NULL};
        if (sscanf(at, "%zu:%lf", &c.member, &c.weight) != 2 || c.member >= j->nmember)
            return cgct_fail(err, CGCT_E_FORMAT, "line changes is not a list of members");
        add_change(j, c);
    }
    return CGCT_OK;
}

/* N(r) of the first member, of a nucleus the mean that belongs to that of I.  Allocates j->N: rows
 * separated by ";", the first one "r" and the x, the others r in GeV^-1, from 0.02 in equal steps
 * of ln r to 50, and N(r) at each of them. */
enum { N_ROWS = 46 };
static cgct_status write_N(run_job *j, cgct_err *err)
{
    double r[N_ROWS], r2[N_ROWS], lnS[N_ROWS], share, *N = memory_zeros(j->nx * N_ROWS, sizeof *N);
    const dipole_source *src = j->members->source[0];
    const double *x = j->settings->x.v;
    size_t size;
    FILE *to = memory_text_open(&j->N, &size);
    cgct_status st = CGCT_OK;
    for (int i = 0; i < N_ROWS; i++) r[i] = 0.02 * pow(2500, i / (N_ROWS - 1.));
    for (int i = 0; i < N_ROWS; i++) r2[i] = r[i] * r[i];
    for (size_t k = 0; k < j->nx; k++)
        for (size_t p = 0; p < dipole_source_parts(src) && st == CGCT_OK; p++) {
            dipole *d;
            st = dipole_init(&d, dipole_source_part(src, p, &share), x[k], err);
            if (st != CGCT_OK) break;
            dipole_lnS(d, N_ROWS, r2, lnS);
            dipole_free(d);
            for (size_t i = 0; i < N_ROWS; i++) N[k * N_ROWS + i] -= share * expm1(lnS[i]);
        }
    fputs("r", to);
    for (size_t k = 0; k < j->nx; k++) fprintf(to, " %.6g", x[k]);
    for (size_t i = 0; i < N_ROWS; i++) {
        fprintf(to, "; %.6g", r[i]);
        for (size_t k = 0; k < j->nx; k++) fprintf(to, " %.5g", N[k * N_ROWS + i]);
    }
    free(N);
    memory_text_close(to);
    return st;
}

/* Allocates j->identity; its line changes has "MEMBER:WEIGHT " for each change. */
static void make_identity(run_job *j, const char *results, int every_x)
{
    size_t size;
    FILE *to = memory_text_open(&j->identity, &size);
    fprintf(to,
            "program\t%s\nbackend\t%s\ndipole\t%s\nx0\t%s\nmembers\t%s\nmembers_list\t%s\n"
            "comparison\t%s\nS_perp\t%s\naccuracy\t%s\nN\t%s\nchanges\t",
            j->program, j->backend, j->dipole, j->x0 ? j->x0 : "", j->names ? j->names : "",
            j->members->list ? j->members->list : "", j->comparison ? j->comparison : "", j->S_perp,
            j->accuracy, j->N);
    for (size_t i = 0; i < j->nchange; i++)
        fprintf(to, "%zu:%.17g ", j->change[i].member, j->change[i].weight);
    fprintf(to, "\nx\t%s\nshard\t%u/%u\n%s", every_x ? "every" : "one for all", j->shard, j->nshard,
            results);
    memory_text_close(to);
}

cgct_status run_job_init(run_job *j, const char *results, cgct_err *err)
{
    const backend *b;
    const run_settings *c = j->settings;
    const inner_settings *inner = &c->node.inner;
    int every_x = 0;
    CGCT_TRY(check_order("table.order_x", &c->x, c->order_x, err));
    CGCT_TRY(check_order("table.order_eps", &c->eps, c->order_eps, err));
    if (c->q.n < 2)
        return cgct_fail(err, CGCT_E_CONFIG, "axes.q: %zu value, a table needs two or more",
                         c->q.n);
    if (c->rank_bound >= c->bound)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "table.rank_bound = %g leaves nothing of output.bound = %g for rounding",
                         c->rank_bound, c->bound);
    CGCT_TRY(backend_find(&b, j->builders, inner->backend, inner->device, err));
    if (j->settings->forward && !b->divides)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "inner.backend = %s: tables of a proton's dijets are made by the builders "
                         "separable and cuda-separable; leave it out",
                         b->name);
    j->backend = b->name;
    j->on_device = b->usable != NULL;
    j->dipole = j->members->describe;
    j->names = j->members->names;
    j->x0 = j->members->x0;
    j->comparison = j->members->comparison;
    j->S_perp = j->members->S_perp;
    j->accuracy = j->members->accuracy;
    j->nmember = j->members->n;
    for (size_t m = 0; m < j->nmember; m++) {
        const dipole_changes *changes = &j->members->changes[m];
        every_x |= j->members->source[m]->depends_on_x;
        for (size_t i = 0; i < changes->n; i++)
            add_change(j, (run_change){m, changes->weight[i], changes->source[i]});
    }
    CGCT_TRY(count_items(j, every_x, err));
    CGCT_TRY(check_sizes(j, err));
    CGCT_TRY(write_N(j, err));
    make_identity(j, results, every_x);
    return CGCT_OK;
}

static cgct_status copy_identity(run_job *j, const char *identity, cgct_err *err)
{
    enum { LINES = 8 };
    const char *const key[LINES] = {"backend",    "dipole", "x0",       "members",
                                    "comparison", "S_perp", "accuracy", "N"};
    const char *N = NULL;
    const char **const to[LINES] = {&j->backend,    &j->dipole, &j->x0,       &j->names,
                                    &j->comparison, &j->S_perp, &j->accuracy, &N};
    j->identity = memory_copy_text(identity);
    j->lines = memory_copy_text(identity);
    for (int i = 0; i < LINES; i++) {
        const char *v = run_identity_get(identity, key[i]);
        if (!v) return cgct_fail(err, CGCT_E_FORMAT, "line %s is missing", key[i]);
        char *line = j->lines + (v - identity);
        line[strcspn(line, "\n")] = 0;
        *to[i] = line;
    }
    j->N = memory_copy_text(N);
    if (!*j->x0) j->x0 = NULL;
    if (!*j->names) j->names = NULL;
    if (!*j->comparison) j->comparison = NULL;
    j->nmember = 1;
    for (const char *at = j->names; at && *at; at++) j->nmember += *at == ' ';
    return CGCT_OK;
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
    cgct_status st = copy_identity(j, identity, err);
    if (st == CGCT_OK) st = read_changes(j, run_identity_get(identity, "changes"), err);
    return st == CGCT_OK ? count_items(j, !strncmp(x, "every", 5), err) : st;
}

void run_job_free(run_job *j)
{
    tensor_shelf_free(j->grid.shelf);
    free(j->identity);
    free(j->lines);
    free(j->N);
    free(j->change);
    memset(j, 0, sizeof *j);
}

run_place run_job_place(const run_job *j, size_t item)
{
    if (run_job_is_coarse(j, item)) {
        const size_t at = item - (j->nitems - j->ncoarse), node = at / j->nmember;
        return (run_place){at % j->nmember, node % j->coarse_nx, node / j->coarse_nx, NULL};
    }
    if (run_job_is_node(j, item)) {
        const size_t node = item / j->nfull;
        return (run_place){item % j->nfull, node % j->nx, node / j->nx, NULL};
    }
    const size_t at = item - j->nnode - j->nchecks, px = at / j->place_eps.n % j->place_x.n;
    const run_change *c = &j->change[at / j->place_eps.n / j->place_x.n];
    return (run_place){c->member, j->place_x.at[px], j->place_eps.at[at % j->place_eps.n], c};
}

size_t run_job_coarse_item(const run_job *j, size_t member, size_t ix, size_t ieps)
{
    return j->nitems - j->ncoarse + (ieps * j->coarse_nx + ix) * j->nmember + member;
}

size_t run_job_tensors(const run_job *j, size_t item)
{
    if (run_job_is_node(j, item)) return run_job_place(j, item).ieps == 0;
    if (!run_job_is_coarse(j, item)) return 0;
    const run_place at = run_job_place(j, item);
    return at.member && at.ix == 0 && at.ieps == 0 ? j->nx : 0;
}

size_t run_job_changed_item(const run_job *j, size_t c, size_t px, size_t pe)
{
    size_t at = (c * j->place_x.n + px) * j->place_eps.n + pe;
    return j->nnode + j->nchecks + at;
}

unsigned run_job_shard(const run_job *j, size_t item)
{
    size_t round = item / j->nshard, at = item % j->nshard;
    return (unsigned)(round & 1 ? j->nshard - 1 - at : at) + 1;
}
