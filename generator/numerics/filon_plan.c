/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_plan.c: the lanes and blocks of Filon weights for a device, which evaluates the Bessel
 * functions itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_parts.h"

static const size_t LANES_MAX = (size_t)1 << 25; /* 1 GB: the momenta are too large for the grid */

static cgct_status filon_plan_no_memory(const filon_plan *p, cgct_err *err)
{
    return cgct_fail(err, CGCT_E_NOMEM,
                     "Filon weights of %zu nodes and %zu momenta: no memory beyond %zu points; use "
                     "fewer momenta or a finer grid",
                     p->nx, p->nq, p->nlane);
}

/* The block that takes n more lanes with these columns, the last one or a new one; NULL: no memory.
 */
static filon_block *filon_plan_block_for(filon_plan *p, filon_plan_band *band, size_t n,
                                         size_t column, size_t width, int tail)
{
    filon_block *b = band->nblock ? p->block + p->nblock - 1 : NULL;
    if (!b || b->tail != tail || b->n + n > FILON_BLOCK_LANES ||
        column + width > b->column + FILON_BLOCK_COLUMNS) {
        if (!(p->nblock & (p->nblock + 1))) { /* the memory doubles at every power of two */
            filon_block *more = realloc(p->block, (2 * p->nblock + 2) * sizeof *more);
            if (!more) return NULL;
            p->block = more;
        }
        b = p->block + p->nblock++;
        *b = (filon_block){p->nlane, 0, column, 0, tail};
        band->nblock++;
    }
    b->n += n;
    if (column + width > b->column + b->width) b->width = column + width - b->column;
    return b;
}

static cgct_status filon_plan_add_panel(filon_plan *p, filon_plan_band *band,
                                        const filon_functions *f, double u, double h,
                                        uint32_t interval, cgct_err *err)
{
    filon_panel panel = filon_panel_at(&band->band, p->m[p->nm - 1], f, u, h);
    int tail = interval == FILON_TAIL, n = panel.rule.n;
    size_t column = tail ? 0 : filon_local_window(&p->local, interval);
    double at[FILON_GAUSS_MAX];
    const size_t lanes = p->nlane + (size_t)n;
    if (lanes > p->room) {
        const size_t room = 2 * lanes + FILON_BLOCK_LANES;
        filon_lane *more = lanes > LANES_MAX ? NULL : realloc(p->lane, room * sizeof *more);
        if (!more) return filon_plan_no_memory(p, err);
        p->lane = more;
        p->room = room;
    }
    const filon_block *b = filon_plan_block_for(p, band, (size_t)n, column, (size_t)f->nk, tail);
    if (!b) return filon_plan_no_memory(p, err);
    filon_panel_nodes(&panel, at);
    for (int i = 0; i < n; i++)
        p->lane[p->nlane++] =
            (filon_lane){at[i], h * panel.rule.w[i], interval, (uint32_t)(column - b->column)};
    return CGCT_OK;
}

static cgct_status filon_plan_add_intervals(filon_plan *p, filon_plan_band *band, cgct_err *err)
{
    const filon_local *l = &p->local;
    filon_functions f;
    for (size_t i = 0; i + 1 < l->nx; i++) {
        filon_local_functions(l, i, &f);
        double h = l->x[i + 1] - l->x[i];
        size_t n = filon_panel_count(&band->band, h);
        for (size_t k = 0; k < n; k++) {
            double u = h * (double)k / (double)n, end = h * (double)(k + 1) / (double)n;
            CGCT_TRY(filon_plan_add_panel(p, band, &f, u, end - u, (uint32_t)i, err));
        }
    }
    return CGCT_OK;
}

/* Panels up to the point where the contour may rise for every momentum of the band. */
static cgct_status filon_plan_add_tail(filon_plan *p, filon_plan_band *band, cgct_err *err)
{
    filon_functions f = filon_tail_functions(&p->tail);
    double split = fmax(0, filon_contour_phase(p->m[p->nm - 1]) / band->band.lo - f.a), u = 0;
    while (u < split) {
        double h = filon_panel_tail(&band->band, &f, u, split);
        CGCT_TRY(filon_plan_add_panel(p, band, &f, u, h, FILON_TAIL, err));
        u = u + h < split ? u + h : split;
    }
    band->split = split;
    return CGCT_OK;
}

/* The lanes and blocks of all bands, one after the other. */
static int filon_plan_join(filon_plan *p, const filon_plan *part)
{
    for (size_t i = 0; i < p->nband; p->nblock += part[i].nblock, p->nlane += part[i++].nlane) {
        p->band[i].block = p->nblock;
        for (size_t k = 0; k < part[i].nblock; k++) part[i].block[k].lane += p->nlane;
    }
    p->lane = p->nlane <= LANES_MAX ? malloc(p->nlane * sizeof *p->lane) : NULL;
    p->block = malloc(p->nblock * sizeof *p->block);
    if (!p->lane || !p->block) return 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < p->nband; i++) {
        const filon_plan *from = part + i;
        memcpy(p->block + p->band[i].block, from->block, from->nblock * sizeof *from->block);
        memcpy(p->lane + from->block->lane, from->lane, from->nlane * sizeof *from->lane);
    }
    return 1;
}

static cgct_status filon_plan_add_bands(filon_plan *p, cgct_err *err)
{
    p->band = calloc(p->nq, sizeof *p->band);
    filon_plan *part = calloc(p->nq, sizeof *part);
    int failed = !p->band || !part;
    for (size_t first = 0; first < p->nq && !failed; first += p->band[p->nband++].band.n)
        p->band[p->nband].band = filon_band_from(p->nq, p->q, first);
#pragma omp parallel for schedule(dynamic, 1) reduction(| : failed)
    for (size_t i = 0; i < p->nband; i++) {
        part[i] = *p;
        failed |= filon_plan_add_intervals(&part[i], p->band + i, NULL) != CGCT_OK ||
                  (p->has_tail && filon_plan_add_tail(&part[i], p->band + i, NULL) != CGCT_OK);
    }
    failed = failed || !filon_plan_join(p, part);
    for (size_t i = 0; i < p->nband; i++) {
        free(part[i].block);
        free(part[i].lane);
    }
    free(part);
    return failed ? filon_plan_no_memory(p, err) : CGCT_OK;
}

cgct_status filon_plan_init(filon_plan *p, const filon_task *task, cgct_err *err)
{
    filon_task t = *task;
    memset(p, 0, sizeof *p);
    if (t.degree == 0) t.degree = FILON_DEGREE_DEFAULT;
    CGCT_TRY(filon_check(&t, err));
    *p = (filon_plan){.nx = t.nx, .nq = t.nq, .nm = t.nm, .q = t.q, .m = t.m};
    if (!t.nq || !t.nm) return CGCT_OK;
    if (t.tail) CGCT_TRY(filon_tail_init(&p->tail, t.nx, t.x, t.tail, err));
    p->has_tail = t.tail != NULL;
    cgct_status st = filon_local_init(&p->local, t.nx, t.x, t.degree, err);
    if (st == CGCT_OK) st = filon_plan_add_bands(p, err);
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
