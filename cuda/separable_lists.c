/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the nodes of all columns, orders them by their angular rule, and lists their weights. */
#include "separable_lists.h"

#include "numerics/grid.h"
#include "numerics/memory.h"

size_t separable_rows(const separable_plan *p)
{
    return p->o->ns + LIST_CELL_ROWS + 1;
}

void separable_columns_free(separable_column *columns, size_t nd)
{
    for (size_t i = 0; columns && i < nd; i++) free(columns[i].arrays);
    free(columns);
}

/* ---- one column ---- */

/* The R whose kink lies within the cells about a centre, as in add_kinks_near_centres. */
static void add_close_kinks(separable_column *c, const separable_plan *p, size_t ncentre,
                            const size_t *centre)
{
    const inner_opts *o = p->o;
    for (size_t e = 0; e < ncentre; e++)
        for (size_t ir = grid_window(o->nr, o->r, o->s[centre[e]], 2);
             ir < o->nr && o->r[ir] < o->s[centre[e] + NEAR_CELLS]; ir++) {
            size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2;
            if (!at || first < centre[e] || first + KINK_CELLS > centre[e] + NEAR_CELLS) continue;
            size_t row = o->ns + (e * NEAR_CELLS + first - centre[e]) * KINK_NODES;
            c->close[c->nclose++] =
                (separable_close){0, (uint32_t)ir, (uint32_t)row, (uint32_t)at, 0};
        }
}

static void add_block(separable_column *c, separable_block b)
{
    b.offset = (uint32_t)c->nweight;
    c->nweight += (size_t)b.n * b.width;
    c->block[c->nblock++] = b;
}

/* First node of the window about x.  *cell, at or before the cell of x, is advanced to it. */
static size_t window_at_or_after(const inner_opts *o, double x, size_t *cell)
{
    while (*cell + 2 < o->ns && o->s[*cell + 1] <= x) ++*cell;
    return grid_window_in(o->ns, o->s, *cell, x, SEPARABLE_NODES);
}

/* One block for each panel, with the coarse nodes whose polynomials are used on it. */
static void coarse_blocks(separable_column *c, const separable_plan *p, const quad_rule *q)
{
    const inner_opts *o = p->o;
    size_t cell = 0;
    for (size_t i = 0; i < q->n; i += (size_t)q->panel[i]) {
        size_t n = (size_t)q->panel[i];
        const quad_gauss *rule = separable_panel_rule(p, (int)n, q->x + i);
        separable_block b = {.node = (uint32_t)i};
        for (size_t k = 0; k < n; k++) b.half += q->w[i + k] / 2;
        b.mid = q->x[i] - b.half * rule->x[0];
        b.rule = rule == &p->gauss          ? GAUSS_FAR
                 : rule == &p->gauss_log[0] ? GAUSS_LOG_LOWER
                                            : GAUSS_LOG_UPPER;
        size_t first = window_at_or_after(o, b.mid - b.half, &cell);
        size_t last = window_at_or_after(o, b.mid + b.half, &cell) + SEPARABLE_NODES;
        b.n = (uint32_t)n;
        b.row = (uint32_t)first;
        b.width = (uint32_t)(last - first);
        b.cell = SEPARABLE_COARSE;
        for (size_t k = i; k < i + n; k++) b.nm = c->choice[k].nm > b.nm ? c->choice[k].nm : b.nm;
        add_block(c, b);
    }
}

/* First and last + 1 of the blocks that contribute to each coarse node; both rise with the node. */
static void coarse_ranges(separable_column *c, size_t ns)
{
    uint32_t from = 0, to = 0, n = (uint32_t)c->nblock;
    for (size_t j = 0; j < ns; j++) {
        while (from < n && c->block[from].row + c->block[from].width <= j) from++;
        while (to < n && c->block[to].row <= j) to++;
        c->range[2 * j] = from;
        c->range[2 * j + 1] = to > from ? to : from;
    }
}

/* One block for each panel that overlaps cell `number`, next to a centre, whose rows begin at
 * `row`. *panel, at or before the first of these panels, is advanced to it. */
static void cell_blocks(separable_column *c, const separable_plan *p, size_t npanel, size_t *panel,
                        size_t number, size_t row)
{
    uint32_t from = (uint32_t)c->nblock;
    const double *s = p->o->s + number;
    while (*panel < npanel && c->block[*panel].mid + c->block[*panel].half <= s[0]) ++*panel;
    for (size_t k = *panel; k < npanel; k++) {
        separable_block b = c->block[k];
        if (b.mid - b.half >= s[1]) break;
        b.row = (uint32_t)row;
        b.width = KINK_NODES;
        b.cell = (uint32_t)number;
        add_block(c, b);
    }
    for (size_t j = row; j < row + KINK_NODES; j++) {
        c->range[2 * j] = from;
        c->range[2 * j + 1] = (uint32_t)c->nblock;
    }
}

static void add_blocks(separable_column *c, const separable_plan *p, const quad_rule *q,
                       size_t ncentre, const size_t *centre)
{
    coarse_blocks(c, p, q);
    coarse_ranges(c, p->o->ns);
    size_t npanel = c->nblock;
    for (size_t e = 0; e < ncentre; e++)
        for (size_t i = 0, panel = 0; i < NEAR_CELLS; i++)
            cell_blocks(c, p, npanel, &panel, centre[e] + i,
                        p->o->ns + (e * NEAR_CELLS + i) * KINK_NODES);
}

static void alloc_column(separable_column *c, const separable_plan *p, const quad_rule *q,
                         size_t ncentre)
{
    size_t npanel = 0;
    c->n = q->n;
    for (size_t i = 0; i < q->n; i += (size_t)q->panel[i]) npanel++;
    const array_part part[] = {ARRAY_PART(c->s, c->n),
                               ARRAY_PART(c->area, c->n),
                               ARRAY_PART(c->choice, c->n),
                               ARRAY_PART(c->block, npanel * (1 + ncentre * NEAR_CELLS)),
                               ARRAY_PART(c->range, 2 * (separable_rows(p) - 1)),
                               ARRAY_PART(c->point, p->o->nr),
                               ARRAY_PART(c->close, ncentre * p->o->nr)};
    c->arrays = ARRAYS(part);
}

/* point (nr): the rules in gamma. */
static void fill_column(separable_column *c, const separable_plan *p, size_t id,
                        const separable_choice *point, quad_rule *q)
{
    size_t centre[2], ncentre;
    c->delta = separable_delta(p, p->o->delta[id]);
    ncentre = separable_near_cells(p, c->delta, centre);
    separable_radial_nodes(p, id, q);
    alloc_column(c, p, q, ncentre);
    for (size_t i = 0; i < q->n; i++) c->area[i] = (c->s[i] = q->x[i]) * q->w[i];
    separable_alpha_choices(p, id, q->n, c->s, c->choice);
    memcpy(c->point, point, p->o->nr * sizeof *point);
    add_close_kinks(c, p, ncentre, centre);
    add_blocks(c, p, q, ncentre, centre);
}

separable_column *separable_columns_new(const separable_plan *p)
{
    size_t nd = p->o->nd;
    separable_column *c = memory_zeros(nd, sizeof *c);
#pragma omp parallel
    {
        quad_rule q = {0};
        separable_choice *point = memory_new(SEPARABLE_GROUP * p->o->nr, sizeof *point);
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < nd; id += SEPARABLE_GROUP) {
            const size_t n = nd - id < SEPARABLE_GROUP ? nd - id : SEPARABLE_GROUP;
            separable_gamma_choices(p, id, n, point);
            for (size_t i = 0; i < n; i++)
                fill_column(&c[id + i], p, id + i, point + i * p->o->nr, &q);
        }
        free(point);
        quad_free(&q);
    }
    return c;
}

/* ---- order by rule ---- */

/* Counts one more item of a rule in at[rule + 1]; most (rules) is what any of them wants. */
static void count_item(separable_choice c, size_t at[ANGLE_RULES + 1], size_t most[ANGLE_RULES])
{
    at[c.rule + 1]++;
    if (c.nm > most[c.rule]) most[c.rule] = c.nm;
}

/* In: at[rule + 1], the number of items of each rule.  Out: at[rule], the first place of its items,
 * and a copy in next, to be advanced while the items are placed. */
static void first_places(size_t at[ANGLE_RULES + 1], size_t next[ANGLE_RULES])
{
    for (size_t i = 0; i < ANGLE_RULES; i++) at[i + 1] += at[i];
    memcpy(next, at, ANGLE_RULES * sizeof *next);
}

/* ---- a chunk of columns ---- */

static void sort_nodes_by_rule(separable_lists *l, const separable_column *c, size_t nd)
{
    size_t next[ANGLE_RULES], j = 0;
    for (size_t id = 0; id < nd; id++)
        for (size_t i = 0; i < c[id].n; i++) count_item(c[id].choice[i], l->node_at, l->node_nm);
    first_places(l->node_at, next);
    for (size_t id = 0; id < nd; j += c[id++].n) {
        uint32_t *place = l->place + j;
        const separable_choice *choice = c[id].choice;
        for (size_t i = 0; i < c[id].n; i++) {
            size_t to = next[choice[i].rule]++;
            place[i] = (uint32_t)to;
            l->node[to] = (separable_node){c[id].s[i], (uint32_t)id, choice[i].nm};
        }
        l->column[id] = (uint32_t)j;
        memcpy(l->area + j, c[id].area, c[id].n * sizeof *l->area);
    }
    l->column[nd] = (uint32_t)j;
}

static void sort_points_by_rule(separable_lists *l, const separable_column *c, size_t nd, size_t nr)
{
    size_t next[ANGLE_RULES];
    for (size_t id = 0; id < nd; id++)
        for (size_t ir = 0; ir < nr; ir++) count_item(c[id].point[ir], l->point_at, l->point_nm);
    first_places(l->point_at, next);
    for (size_t id = 0; id < nd; id++)
        for (size_t ir = 0; ir < nr; ir++) {
            const separable_choice q = c[id].point[ir];
            l->point[next[q.rule]++] = (separable_point){(uint32_t)id, (uint32_t)ir, q.nm};
        }
}

/* Concatenates the blocks and ranges of all columns. */
static void join_column_blocks(separable_lists *l, const separable_column *c, size_t nd,
                               size_t rows)
{
    uint32_t at = 0, weight = 0, node = 0;
    for (size_t id = 0; id < nd; id++) {
        for (size_t i = 0; i < c[id].nblock; i++) {
            separable_block b = c[id].block[i];
            b.node += node;
            b.offset += weight;
            l->block[at + i] = b;
            l->widest = b.width > l->widest ? b.width : l->widest;
        }
        for (size_t i = 0; i < 2 * (rows - 1); i++)
            l->range[id * 2 * (rows - 1) + i] = at + c[id].range[i];
        at += (uint32_t)c[id].nblock;
        weight += (uint32_t)c[id].nweight;
        node += (uint32_t)c[id].n;
    }
}

static void join_close_kinks(separable_lists *l, const separable_plan *p, const separable_column *c,
                             size_t d0, size_t nd)
{
    separable_close *to = l->close;
    for (size_t id = 0; id < nd; id++)
        for (size_t i = 0; i < c[id].nclose; i++, to++) {
            *to = c[id].close[i];
            to->nm = (uint32_t)separable_orders(p, d0 + id);
            to->id = (uint32_t)id;
        }
}

/* Sizes of all lists, which number their items with 32 bits. */
static cgct_status count_lists(separable_lists *l, const separable_column *c, size_t nd, size_t nr,
                               cgct_err *err)
{
    for (size_t id = 0; id < nd; id++) {
        l->nodes += c[id].n;
        l->blocks += c[id].nblock;
        l->weights += c[id].nweight;
        l->nclose += c[id].nclose;
    }
    l->points = nd * nr;
    if (l->weights < UINT32_MAX && l->nodes < UINT32_MAX) return CGCT_OK;
    return cgct_fail(err, CGCT_E_CONFIG,
                     "cuda-separable: %zu nodes of s at %zu Delta with %zu weights, at most %u; "
                     "raise inner.spacing or inner.step, or take --backend separable",
                     l->nodes, nd, l->weights, UINT32_MAX);
}

cgct_status separable_lists_init(separable_lists *l, const separable_plan *p,
                                 const separable_column *columns, size_t d0, size_t nd,
                                 cgct_err *err)
{
    const separable_column *c = columns + d0;
    const size_t rows = separable_rows(p);
    memset(l, 0, sizeof *l);
    CGCT_TRY(count_lists(l, c, nd, p->o->nr, err));
    const array_part part[] = {
        ARRAY_PART(l->node, l->nodes),   ARRAY_PART(l->place, l->nodes),
        ARRAY_PART(l->column, nd + 1),   ARRAY_PART(l->area, l->nodes),
        ARRAY_PART(l->block, l->blocks), ARRAY_PART(l->range, nd * 2 * (rows - 1)),
        ARRAY_PART(l->point, l->points), ARRAY_PART(l->close, l->nclose)};
    l->arrays = ARRAYS_UNSET(part);
#pragma omp parallel sections
    {
        sort_nodes_by_rule(l, c, nd);
#pragma omp section
        sort_points_by_rule(l, c, nd, p->o->nr);
#pragma omp section
        join_column_blocks(l, c, nd, rows);
#pragma omp section
        join_close_kinks(l, p, c, d0, nd);
    }
    return CGCT_OK;
}

void separable_lists_free(separable_lists *l)
{
    free(l->arrays);
    memset(l, 0, sizeof *l);
}

/* ---- pairs ---- */

void ell_lists_free(ell_lists *l)
{
    free(l->pair);
    free(l->single);
    free(l->rule);
    memset(l, 0, sizeof *l);
}

/* The n pairs of one R or kink, number `at`, whose numbers of s rise from `to` on. */
typedef struct {
    separable_choice *c; /* (n) */
    size_t n, at, to;
} pair_row;

/* The rules of all pairs: row (nr + kinks), those of the grid, then those of the points about each
 * kink; single (nr1): those of e_m. */
static void choose_pair_rules(const ell_lists *l, const separable_plan *p, const pair_row *row,
                              const pair_row *single)
{
    const inner_opts *o = p->o;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 4) nowait
        for (size_t ir = 0; ir < o->nr; ir++)
            separable_ell_choices(p, ir, row[ir].c, ir < p->nr1 ? single[ir].c : NULL);
#pragma omp for schedule(dynamic, 4)
        for (size_t k = 0; k < l->kinks; k++)
            for (size_t j = 0; j < ELL_CELLS; j++)
                row[o->nr + k].c[j] = separable_ell_choice(
                    p, l->rule[k].ir, p->cell[l->rule[k].first + j].ln, ELL_SMOOTH);
    }
}

/* The pairs of all rows in the order of their rules, which are trapezoidal, and then of the rows;
 * next (rows), zeros on entry: where the next pair of each row and rule goes. */
static void sort_pair_rows(ell_pair *pair, size_t at[ANGLE_RULES + 1], size_t rows,
                           const pair_row *row, size_t (*next)[ANGLE_TRAPEZOIDS])
{
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < row[r].n; i++) next[r][row[r].c[i].rule]++;
    for (size_t rule = 0, place = 0; rule < ANGLE_RULES; at[++rule] = place)
        for (size_t r = 0; r < rows && rule < ANGLE_TRAPEZOIDS; r++) {
            const size_t n = next[r][rule];
            next[r][rule] = place;
            place += n;
        }
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < row[r].n; i++)
            pair[next[r][row[r].c[i].rule]++] =
                (ell_pair){(uint32_t)row[r].at, (uint32_t)(row[r].to + i), row[r].c[i].nm};
}

/* The pairs at which l_m is computed, and those at which e_m is. */
static void sort_pairs_by_rule(ell_lists *l, const separable_plan *p)
{
    const inner_opts *o = p->o;
    const size_t rows = o->nr + l->kinks;
    separable_choice *c;
    pair_row *row;
    size_t(*next)[ANGLE_TRAPEZOIDS];
    const array_part part[] = {ARRAY_PART(c, l->pairs + l->singles), ARRAY_PART(row, rows + p->nr1),
                               ARRAY_PART(next, rows + p->nr1)};
    void *arrays = ARRAYS(part);
    for (size_t r = 0; r < rows + p->nr1; c += row[r++].n)
        row[r] = r < o->nr  ? (pair_row){c, o->ns, r, 0}
                 : r < rows ? (pair_row){c, ELL_CELLS, r - o->nr, o->ns}
                            : (pair_row){c, p->ns1, r - rows, 0};
    choose_pair_rules(l, p, row, row + rows);
    sort_pair_rows(l->pair, l->at, rows, row, next);
    sort_pair_rows(l->single, l->single_at, p->nr1, row + rows, next + rows);
    free(arrays);
}

void ell_lists_init(ell_lists *l, const separable_plan *p)
{
    const inner_opts *o = p->o;
    memset(l, 0, sizeof *l);
    l->rule = memory_new(o->nr, sizeof *l->rule);
    for (size_t ir = 0; ir < o->nr; ir++)
        if (p->kink_node[ir]) l->rule[l->kinks++].ir = (uint32_t)ir;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < l->kinks; k++) separable_kink_rule_at(p, l->rule[k].ir, &l->rule[k]);
    l->pairs = o->nr * o->ns + l->kinks * ELL_CELLS;
    l->pair = memory_new(l->pairs, sizeof *l->pair);
    l->singles = p->nr1 * p->ns1;
    l->single = memory_new(l->singles, sizeof *l->single);
    sort_pairs_by_rule(l, p);
}
