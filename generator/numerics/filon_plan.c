/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_plan.c: the lanes and blocks of Filon weights for a device, which evaluates the Bessel
 * functions itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_parts.h"
#include "numerics/memory.h"

static const size_t LANES_MAX = (size_t)1 << 25; /* 1 GB: the momenta are too large for the grid */

/* The block that takes n more lanes with these columns, the last one or a new one. */
static filon_block *filon_plan_block_for(filon_plan *p, filon_plan_band *band, size_t n,
                                         size_t column, size_t width, int tail)
{
    filon_block *b = band->nblock ? p->block + p->nblock - 1 : NULL;
    if (!b || b->tail != tail || b->n + n > FILON_BLOCK_LANES ||
        column + width > b->column + FILON_BLOCK_COLUMNS) {
        if (!(p->nblock & (p->nblock + 1))) /* the memory doubles at every power of two */
            p->block = memory_resize(p->block, 2 * p->nblock + 2, sizeof *p->block);
        b = p->block + p->nblock++;
        *b = (filon_block){p->nlane, 0, column, 0, tail};
        band->nblock++;
    }
    b->n += n;
    if (column + width > b->column + b->width) b->width = column + width - b->column;
    return b;
}

/* This and the next two return 0 where there are too many lanes. */
static int filon_plan_add_panel(filon_plan *p, filon_plan_band *band, const filon_functions *f,
                                double u, double h, uint32_t interval)
{
    filon_panel panel = filon_panel_at(&band->band, p->m[p->nm - 1], f, u, h);
    int tail = interval == FILON_TAIL, n = panel.rule.n;
    size_t column = tail ? 0 : filon_local_window(&p->local, interval);
    double at[FILON_GAUSS_MAX];
    const size_t lanes = p->nlane + (size_t)n;
    if (lanes > LANES_MAX) return 0;
    if (lanes > p->room) {
        p->room = 2 * lanes + FILON_BLOCK_LANES;
        p->lane = memory_resize(p->lane, p->room, sizeof *p->lane);
    }
    const filon_block *b = filon_plan_block_for(p, band, (size_t)n, column, (size_t)f->nk, tail);
    filon_panel_nodes(&panel, at);
    for (int i = 0; i < n; i++)
        p->lane[p->nlane++] =
            (filon_lane){at[i], h * panel.rule.w[i], interval, (uint32_t)(column - b->column)};
    return 1;
}

static int filon_plan_add_intervals(filon_plan *p, filon_plan_band *band)
{
    const filon_local *l = &p->local;
    filon_functions f;
    for (size_t i = 0; i + 1 < l->nx; i++) {
        filon_local_functions(l, i, &f);
        double h = l->x[i + 1] - l->x[i];
        size_t n = filon_panel_count(&band->band, h);
        for (size_t k = 0; k < n; k++) {
            double u = h * (double)k / (double)n, end = h * (double)(k + 1) / (double)n;
            if (!filon_plan_add_panel(p, band, &f, u, end - u, (uint32_t)i)) return 0;
        }
    }
    return 1;
}

/* Panels up to the point where the contour may rise for every momentum of the band. */
static int filon_plan_add_tail(filon_plan *p, filon_plan_band *band)
{
    filon_functions f = filon_tail_functions(&p->tail);
    double split = fmax(0, filon_contour_phase(p->m[p->nm - 1]) / band->band.lo - f.a), u = 0;
    while (u < split) {
        double h = filon_panel_tail(&band->band, &f, u, split);
        if (!filon_plan_add_panel(p, band, &f, u, h, FILON_TAIL)) return 0;
        u = u + h < split ? u + h : split;
    }
    band->split = split;
    return 1;
}

/* The lanes and blocks of all bands, one after the other. */
static void filon_plan_join(filon_plan *p, const filon_plan *part)
{
    p->lane = memory_new(p->nlane, sizeof *p->lane);
    p->block = memory_new(p->nblock, sizeof *p->block);
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < p->nband; i++) {
        const filon_plan *from = part + i;
        memcpy(p->block + p->band[i].block, from->block, from->nblock * sizeof *from->block);
        memcpy(p->lane + from->block->lane, from->lane, from->nlane * sizeof *from->lane);
    }
}

static cgct_status filon_plan_add_bands(filon_plan *p, cgct_err *err)
{
    p->band = memory_zeros(p->nq, sizeof *p->band);
    filon_plan *part = memory_zeros(p->nq, sizeof *part);
    int too_many = 0;
    for (size_t first = 0; first < p->nq; first += p->band[p->nband++].band.n)
        p->band[p->nband].band = filon_band_from(p->nq, p->q, first);
#pragma omp parallel for schedule(dynamic, 1) reduction(| : too_many)
    for (size_t i = 0; i < p->nband; i++) {
        part[i] = *p;
        too_many |= !filon_plan_add_intervals(&part[i], p->band + i) ||
                    (p->has_tail && !filon_plan_add_tail(&part[i], p->band + i));
    }
    for (size_t i = 0; i < p->nband; p->nblock += part[i].nblock, p->nlane += part[i++].nlane) {
        p->band[i].block = p->nblock;
        for (size_t k = 0; k < part[i].nblock; k++) part[i].block[k].lane += p->nlane;
    }
    too_many |= p->nlane > LANES_MAX;
    if (!too_many) filon_plan_join(p, part);
    for (size_t i = 0; i < p->nband; i++) {
        free(part[i].block);
        free(part[i].lane);
    }
    free(part);
    if (!too_many) return CGCT_OK;
    return cgct_fail(err, CGCT_E_NOMEM,
                     "Filon weights of %zu nodes and %zu momenta take more than %zu points; use "
                     "fewer momenta or a finer grid",
                     p->nx, p->nq, LANES_MAX);
}

cgct_status filon_plan_init(filon_plan *p, const filon_task *t, cgct_err *err)
{
    *p = (filon_plan){.nx = t->nx, .nq = t->nq, .nm = t->nm, .q = t->q, .m = t->m};
    CGCT_TRY(filon_check(t, err));
    if (!t->nq || !t->nm) return CGCT_OK;
    if (t->tail) CGCT_TRY(filon_tail_init(&p->tail, t->nx, t->x, t->tail, err));
    p->has_tail = t->tail != NULL;
    filon_local_init(&p->local, t->nx, t->x, t->degree);
    const cgct_status st = filon_plan_add_bands(p, err);
    if (st != CGCT_OK) filon_plan_free(p);
    return st;
}

void filon_plan_free(filon_plan *p)
{
    free(p->tail.fit);
    free(p->local.bary);
    free(p->band);
    free(p->block);
    free(p->lane);
    memset(p, 0, sizeof *p);
}
