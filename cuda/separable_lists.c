/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "separable_lists.h"

#include <stdlib.h>

const angle_rule *list_rule(const angle_rules *a, size_t i)
{
    if (i < ANGLE_TRAPEZOIDS) return &a->trapezoid[i];
    i -= ANGLE_TRAPEZOIDS;
    return &a->graded[i / ANGLE_GRADES][i % ANGLE_GRADES];
}

size_t list_rule_index(const angle_rules *a, const angle_rule *r)
{
    size_t i = 0;
    while (list_rule(a, i) != r) i++;
    return i;
}

static void column_free(separable_column *c)
{
    free(c->s);
    free(c->rule);
    free(c->row);
    free(c->share);
    free(c->close);
}

void separable_columns_free(separable_column *columns, size_t nd)
{
    for (size_t i = 0; columns && i < nd; i++) column_free(&columns[i]);
    free(columns);
}

static int add(separable_column *c, size_t row, size_t from, double share)
{
    if (c->nentry == c->room) {
        size_t room = 2 * c->room + 4096;
        uint32_t *list = malloc(2 * room * sizeof *list);
        double *grown = realloc(c->share, room * sizeof *grown);
        if (grown) c->share = grown;
        if (!list || !grown) {
            free(list);
            return 0;
        }
        if (c->nentry) memcpy(list, c->row, c->nentry * sizeof *list);
        if (c->nentry) memcpy(list + room, c->from, c->nentry * sizeof *list);
        free(c->row);
        c->row = list;
        c->from = list + room;
        c->room = room;
    }
    c->row[c->nentry] = (uint32_t)row;
    c->from[c->nentry] = (uint32_t)from;
    c->share[c->nentry++] = share;
    return 1;
}

/* The shares of one panel's nodes in the coarse nodes, in the cells about the centres and in P. */
static int add_panel(separable_column *c, const separable_plan *p, const quad_rule *q, size_t i0,
                     size_t ncentre, const size_t *centre, double *w)
{
    size_t first, ns = p->o->ns, n = (size_t)q->panel[i0];
    size_t nj = separable_panel_weights(p, q, i0, &first, w);
    int ok = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < nj; j++) ok &= add(c, first + j, i0 + i, w[i * nj + j]);
    for (size_t cell = 0; cell < ncentre * NEAR_CELLS; cell++) {
        size_t number = centre[cell / NEAR_CELLS] + cell % NEAR_CELLS;
        if (!separable_cell_weights(p, q, i0, number, w)) continue;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < KINK_NODES; j++)
                ok &= add(c, ns + cell * KINK_NODES + j, i0 + i, w[i * KINK_NODES + j]);
    }
    for (size_t i = i0; i < i0 + n; i++) ok &= add(c, ns + LIST_CELL_ROWS, i, q->x[i] * q->w[i]);
    return ok;
}

/* R whose kink lies within the cells about a centre, as in separable_kink_near. */
static int add_close(separable_column *c, const separable_plan *p, size_t ncentre,
                     const size_t *centre)
{
    const inner_opts *o = p->o;
    c->close = malloc(ncentre * o->nr * sizeof *c->close + 1);
    if (!c->close) return 0;
    for (size_t ir = 0; ir < o->nr; ir++) {
        size_t at = p->kink_node[ir], first = at - KINK_CELLS / 2;
        for (size_t e = 0; at && e < ncentre; e++) {
            if (first < centre[e] || first + KINK_CELLS > centre[e] + NEAR_CELLS) continue;
            size_t row = o->ns + (e * NEAR_CELLS + first - centre[e]) * KINK_NODES;
            c->close[c->nclose++] = (separable_close){0, (uint32_t)ir, (uint32_t)row, (uint32_t)at};
        }
    }
    return 1;
}

static int column_fill(separable_column *c, const separable_plan *p, const quad_rule *q, double *w)
{
    size_t centre[2], ncentre = separable_near_cells(p, c->delta, centre);
    c->n = q->n;
    c->s = malloc(q->n * sizeof *c->s);
    c->rule = malloc(2 * q->n * sizeof *c->rule);
    if (!c->s || !c->rule) return 0;
    c->nm = c->rule + q->n;
    for (size_t i = 0; i < q->n; i++) {
        size_t nm;
        const angle_rule *a = separable_alpha_rule(p, c->delta, q->x[i], &nm);
        c->s[i] = q->x[i];
        c->rule[i] = (uint32_t)list_rule_index(&p->angles, a);
        c->nm[i] = (uint32_t)nm;
    }
    int ok = add_close(c, p, ncentre, centre);
    for (size_t i = 0; ok && i < q->n; i += (size_t)q->panel[i])
        ok = add_panel(c, p, q, i, ncentre, centre, w);
    return ok;
}

cgct_status separable_columns_init(separable_column **columns, const separable_plan *p,
                                   cgct_err *err)
{
    size_t nd = p->o->nd, widest = p->o->ns > KINK_NODES ? p->o->ns : KINK_NODES;
    separable_column *c = *columns = calloc(nd, sizeof *c);
    int failed = !c;
#pragma omp parallel reduction(| : failed)
    {
        quad_rule q = {0};
        double *w = malloc(RADIAL_NODES * widest * sizeof *w);
        failed |= !w;
#pragma omp for schedule(dynamic, 1)
        for (size_t id = 0; id < nd; id++) {
            if (failed) continue;
            c[id].delta = separable_delta(p, p->o->delta[id]);
            failed |= separable_radial_nodes(p, c[id].delta, &q) != CGCT_OK ||
                      !column_fill(&c[id], p, &q, w);
        }
        quad_free(&q);
        free(w);
    }
    if (!failed) return CGCT_OK;
    separable_columns_free(c, nd);
    *columns = NULL;
    return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for the nodes of %zu columns",
                     nd);
}

/* From counts at [rule + 1] to first places. */
static void sum_up(size_t at[LIST_RULES + 1])
{
    for (size_t i = 0; i < LIST_RULES; i++) at[i + 1] += at[i];
}

/* place[j]: where node j of the columns comes to stand. */
static void sort_nodes(separable_lists *l, const separable_column *c, size_t nd, uint32_t *place)
{
    size_t next[LIST_RULES], j = 0;
    for (size_t id = 0; id < nd; id++)
        for (size_t i = 0; i < c[id].n; i++) l->node_at[c[id].rule[i] + 1]++;
    sum_up(l->node_at);
    memcpy(next, l->node_at, sizeof next);
    for (size_t id = 0; id < nd; id++)
        for (size_t i = 0; i < c[id].n; i++, j++) {
            place[j] = (uint32_t)next[c[id].rule[i]]++;
            l->node[place[j]] = (separable_node){c[id].s[i], (uint32_t)id, c[id].nm[i]};
        }
}

/* Entries by (column, row), in the order in which the columns have them. */
static void sort_entries(separable_lists *l, const separable_column *c, size_t nd, size_t rows,
                         const uint32_t *place)
{
    size_t base = 0;
    memset(l->start, 0, (nd * rows + 1) * sizeof *l->start);
    for (size_t id = 0; id < nd; id++)
        for (size_t e = 0; e < c[id].nentry; e++) l->start[id * rows + c[id].row[e] + 1]++;
    for (size_t i = 0; i < nd * rows; i++) l->start[i + 1] += l->start[i];
    for (size_t id = 0; id < nd; base += c[id++].n)
        for (size_t e = 0; e < c[id].nentry; e++) {
            uint32_t to = l->start[id * rows + c[id].row[e]]++;
            l->from[to] = place[base + c[id].from[e]];
            l->share[to] = c[id].share[e];
        }
    for (size_t i = nd * rows; i > 0; i--) l->start[i] = l->start[i - 1];
    l->start[0] = 0;
}

static int sort_points(separable_lists *l, const separable_plan *p, size_t d0, size_t nd)
{
    size_t nr = p->o->nr, next[LIST_RULES];
    uint32_t *rule = malloc(2 * nd * nr * sizeof *rule);
    if (!rule) return 0;
    uint32_t *nm = rule + nd * nr;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < nd * nr; i++) {
        size_t live;
        const angle_rule *a = separable_gamma_rule(p, d0 + i / nr, i % nr, &live);
        rule[i] = (uint32_t)list_rule_index(&p->angles, a);
        nm[i] = (uint32_t)live;
    }
    for (size_t i = 0; i < nd * nr; i++) l->point_at[rule[i] + 1]++;
    sum_up(l->point_at);
    memcpy(next, l->point_at, sizeof next);
    for (size_t i = 0; i < nd * nr; i++)
        l->point[next[rule[i]]++] =
            (separable_point){(uint32_t)(i / nr), (uint32_t)(i % nr), nm[i]};
    free(rule);
    return 1;
}

static int lists_alloc(separable_lists *l, const separable_column *c, size_t nd, size_t nr,
                       size_t rows)
{
    for (size_t id = 0; id < nd; id++) {
        l->nodes += c[id].n;
        l->entries += c[id].nentry;
        l->nclose += c[id].nclose;
    }
    l->points = nd * nr;
    l->node = malloc(l->nodes * sizeof *l->node);
    l->point = malloc(l->points * sizeof *l->point);
    l->start = malloc((nd * rows + 1) * sizeof *l->start);
    l->from = malloc(l->entries * sizeof *l->from);
    l->share = malloc(l->entries * sizeof *l->share);
    l->close = malloc(l->nclose * sizeof *l->close + 1);
    return l->node && l->point && l->start && l->from && l->share && l->close;
}

cgct_status separable_lists_init(separable_lists *l, const separable_plan *p,
                                 const separable_column *columns, size_t d0, size_t nd,
                                 cgct_err *err)
{
    const separable_column *c = columns + d0;
    size_t rows = p->o->ns + LIST_CELL_ROWS + 1, nclose = 0;
    memset(l, 0, sizeof *l);
    int ok = lists_alloc(l, c, nd, p->o->nr, rows) && l->entries < UINT32_MAX;
    uint32_t *place = ok ? malloc(l->nodes * sizeof *place) : NULL;
    ok = place && sort_points(l, p, d0, nd);
    if (ok) {
        sort_nodes(l, c, nd, place);
        sort_entries(l, c, nd, rows, place);
        for (size_t id = 0; id < nd; id++)
            for (size_t i = 0; i < c[id].nclose; i++) {
                l->close[nclose] = c[id].close[i];
                l->close[nclose++].id = (uint32_t)id;
            }
    }
    free(place);
    if (ok) return CGCT_OK;
    separable_lists_free(l);
    return cgct_fail(err, CGCT_E_NOMEM, "cuda-separable: no memory for the lists of %zu columns",
                     nd);
}

void separable_lists_free(separable_lists *l)
{
    free(l->node);
    free(l->point);
    free(l->start);
    free(l->from);
    free(l->share);
    free(l->close);
    memset(l, 0, sizeof *l);
}
