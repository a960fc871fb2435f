/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separable_memory.h"

#include "device_filon.h"
#include "direct_stage.h"

/* Weights of a node of s: those of the coarse nodes that its panel reaches, and of the cells that
 * it meets; 15 to 40 for tolerances from 1e-2 to 1e-6. */
enum { WEIGHTS_PER_NODE = 45, BLOCKS_PER_PANEL = 6 };
static const double NUMBER = sizeof(double);

static size_t longest_rule(const angle_rules *a)
{
    size_t n = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) n = a->rule[i].n > n ? a->rule[i].n : n;
    return n;
}

static separable_sizes sizes_without_lists(const separable_plan *p)
{
    const inner_opts *o = p->o;
    return (separable_sizes){.nd = o->nd,
                             .nr = o->nr,
                             .ns = o->ns,
                             .nm = o->nm,
                             .ncol = NPOL * (size_t)p->w.rank,
                             .rows = separable_rows(p),
                             .longest = longest_rule(&p->angles)};
}

separable_sizes separable_sizes_of(const cuda_separable_plan *k)
{
    separable_sizes z = sizes_without_lists(&k->p);
    z.nodes = k->lists.nodes;
    z.blocks = k->lists.blocks;
    z.weights = k->lists.weights;
    z.close = k->lists.nclose;
    return z;
}

double separable_column_bytes(const separable_sizes *z)
{
    const double node = sizeof(separable_node) + sizeof(uint32_t) + NUMBER;
    double nm = (double)z->nm, nr = (double)z->nr, rows = (double)z->rows;
    double lists = (double)z->nodes * node + (double)z->blocks * sizeof(separable_block) +
                   (double)z->close * sizeof(separable_close) + (double)z->weights * NUMBER;
    double modes = nm * (double)z->ncol * (double)z->nodes * NUMBER;
    double arrays = nm * (double)z->ncol * (rows + nr) + NPOL * (nm * nr + 1);
    return (lists + modes) / (double)z->nd + arrays * NUMBER + nr * sizeof(separable_point) +
           (2 * rows - 1) * sizeof(uint32_t);
}

size_t separable_node_batch(const separable_sizes *z, size_t n)
{
    return z->ncol * n;
}

size_t separable_point_batch(const separable_sizes *z, size_t n)
{
    return z->ncol * (z->nm + n) + NPOL * (n + z->nm);
}

size_t separable_batch_least(const separable_sizes *z)
{
    return separable_point_batch(z, z->longest);
}

size_t separable_batch_most(const cuda_separable_plan *k)
{
    const separable_lists *l = &k->lists;
    const separable_sizes z = separable_sizes_of(k);
    size_t most = separable_batch_least(&z);
    for (size_t i = 0; i < ANGLE_RULES; i++) {
        size_t n = k->p.angles.rule[i].n;
        size_t node = (l->node_at[i + 1] - l->node_at[i]) * separable_node_batch(&z, n);
        size_t point = (l->point_at[i + 1] - l->point_at[i]) * separable_point_batch(&z, n);
        most = node > most ? node : most;
        most = point > most ? point : most;
    }
    return most < SEPARABLE_BATCH_MAX ? most : SEPARABLE_BATCH_MAX;
}

/* ---- before there is a plan ---- */

/* Nodes of all columns. */
static cgct_status count_nodes(const separable_plan *p, size_t *nodes)
{
    quad_rule q = {0};
    cgct_status st = CGCT_OK;
    *nodes = 0;
    for (size_t id = 0; st == CGCT_OK && id < p->o->nd; id++) {
        st = separable_radial_nodes(p, separable_delta(p, p->o->delta[id]), &q);
        *nodes += q.n;
    }
    quad_free(&q);
    return st;
}

static double rules_bytes(const separable_plan *p)
{
    double n = 0;
    for (size_t i = 0; i < ANGLE_RULES; i++) n += (double)p->angles.rule[i].n;
    return n * (3 + 2 * (double)p->o->nm) * NUMBER;
}

/* Modes of L, and what is needed while they are made. */
static double ell_bytes(const inner_opts *o)
{
    double nr = (double)o->nr, ns = (double)o->ns;
    return (double)o->nm * nr * (ns + ELL_CELLS + KINK_MOMENTS) * NUMBER;
}

static double pairs_bytes(const inner_opts *o)
{
    double nr = (double)o->nr, ns = (double)o->ns;
    return nr * (ns + ELL_CELLS) * sizeof(ell_pair) + nr * sizeof(separable_kink_rule) +
           ns * KINK_NODES * sizeof(separable_cell);
}

static cgct_status tables_bytes(const separable_plan *p, double *bytes, cgct_err *err)
{
    const inner_opts *o = p->o;
    double last = o->s[o->ns - 1] + o->delta[o->nd - 1] + o->r[o->nr - 1];
    return direct_lookup_bytes(p->d, last * last * (1 + 1e-9), bytes, err);
}

/* The largest of what is there at once: Filon weights being made, modes of L being made, columns.
 */
static double peak(const separable_sizes *z, const inner_opts *o, const cuda_size *k)
{
    double keep = device_hankel_bytes(o, k->nq, k->np);
    double batch = SEPARABLE_BATCH_MAX * NUMBER;
    double columns = (double)z->nd * separable_column_bytes(z), pairs = pairs_bytes(o);
    double building = batch + (columns > pairs ? columns : pairs);
    double wq = device_filon_bytes(o->nm, o->nr, k->nq, k->q);
    double wP = device_filon_bytes(o->nm, o->nd, k->np, k->P), weights = wq > wP ? wq : wP;
    return keep + (weights > building ? weights : building);
}

static cgct_status device_bytes(const separable_plan *p, const cuda_size *k, double *bytes,
                                cgct_err *err)
{
    double tables;
    separable_sizes z = sizes_without_lists(p);
    CGCT_TRY(tables_bytes(p, &tables, err));
    CGCT_TRY(count_nodes(p, &z.nodes));
    z.weights = WEIGHTS_PER_NODE * z.nodes;
    z.blocks = BLOCKS_PER_PANEL * z.nodes / RADIAL_NODES;
    z.close = z.nd * NPOL * NEAR_CELLS;
    *bytes = peak(&z, p->o, k) + rules_bytes(p) + ell_bytes(p->o) + tables + sizeof p->w +
             (double)(p->o->nd + p->o->nr + p->o->ns) * NUMBER;
    return CGCT_OK;
}

cgct_status cuda_separable_bytes(const cuda_size *k, size_t *bytes, cgct_err *err)
{
    separable_plan p;
    double n = 0;
    *bytes = 0;
    cgct_status st = separable_plan_init(&p, k->inner, k->dipole, 0, err);
    if (st == CGCT_OK) st = device_bytes(&p, k, &n, err);
    separable_plan_free(&p);
    *bytes = (size_t)n;
    return st;
}
