/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filon_plan.c: the lanes of Filon weights for a device, which evaluates the Bessel
 * functions itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/filon_parts.h"
#include "numerics/memory.h"

static const size_t LANES_MAX = (size_t)1 << 25; /* 1 GB: the momenta are too large for the grid */

/* This and the next three return 0 where there are too many lanes. */
static int filon_plan_add_panel(filon_plan *p, const filon_band *band, const filon_functions *f,
                                double u, double h, size_t interval)
{
    filon_panel panel = filon_panel_at(band, p->m[p->nm - 1], f, u, h);
    double at[FILON_GAUSS_MAX];
    const size_t lanes = p->nlane + (size_t)panel.rule.n;
    if (lanes > LANES_MAX) return 0;
    if (lanes > p->room) {
        p->room = 2 * lanes + FILON_GAUSS_MAX;
        p->lane = memory_resize(p->lane, p->room, sizeof *p->lane);
    }
    filon_panel_nodes(&panel, at);
    for (int i = 0; i < panel.rule.n; i++)
        p->lane[p->nlane++] = (filon_lane){at[i], h * panel.rule.w[i], interval};
    return 1;
}

/* start (ngroup + 1): where the groups and the tail begin. */
static int filon_plan_add_intervals(filon_plan *p, const filon_band *band, uint32_t *start)
{
    const filon_local *l = &p->local;
    filon_functions f;
    size_t group = 0;
    for (size_t i = 0; i + 1 < l->nx; i++) {
        filon_local_functions(l, i, &f);
        double h = l->x[i + 1] - l->x[i];
        size_t n = filon_panel_count(band, h);
        while (group <= filon_local_window(l, i) / FILON_GROUP) start[group++] = (uint32_t)p->nlane;
        for (size_t k = 0; k < n; k++) {
            double u = h * (double)k / (double)n, end = h * (double)(k + 1) / (double)n;
            if (!filon_plan_add_panel(p, band, &f, u, end - u, i)) return 0;
        }
    }
    start[group] = (uint32_t)p->nlane;
    return 1;
}

/* Panels up to the point where the contour may rise for every momentum of the band. */
static int filon_plan_add_tail(filon_plan *p, filon_plan_band *band)
{
    filon_functions f = filon_tail_functions(&p->tail);
    double split = fmax(0, filon_contour_phase(p->m[p->nm - 1]) / band->band.lo - f.a), u = 0;
    while (u < split) {
        double h = filon_panel_tail(&band->band, &f, u, split);
        if (!filon_plan_add_panel(p, &band->band, &f, u, h, FILON_TAIL)) return 0;
        u = u + h < split ? u + h : split;
    }
    band->split = split;
    return 1;
}

static int filon_plan_add_band(filon_plan *p, filon_plan_band *band, uint32_t *start)
{
    if (!filon_plan_add_intervals(p, &band->band, start)) return 0;
    if (p->has_tail && !filon_plan_add_tail(p, band)) return 0;
    start[p->ngroup + 1] = (uint32_t)p->nlane;
    return 1;
}

/* The lanes of all bands, one after the other. */
static void filon_plan_join(filon_plan *p, const filon_plan *part)
{
    const size_t row = p->ngroup + 2;
    p->lane = memory_new(p->nlane, sizeof *p->lane);
    size_t first = 0;
    for (size_t i = 0; i < p->nband; first += part[i++].nlane) {
        memcpy(p->lane + first, part[i].lane, part[i].nlane * sizeof *p->lane);
        for (size_t g = 0; g < row; g++) p->start[i * row + g] += (uint32_t)first;
    }
}

static cgct_status filon_plan_add_bands(filon_plan *p, cgct_err *err)
{
    p->band = memory_zeros(p->nq, sizeof *p->band);
    filon_plan *part = memory_zeros(p->nq, sizeof *part);
    int too_many = 0;
    for (size_t first = 0; first < p->nq; first += p->band[p->nband++].band.n)
        p->band[p->nband].band = filon_band_from(p->nq, p->q, first);
    p->start = memory_new(p->nband * (p->ngroup + 2), sizeof *p->start);
#pragma omp parallel for schedule(dynamic, 1) reduction(| : too_many)
    for (size_t i = 0; i < p->nband; i++) {
        part[i] = *p;
        too_many |= !filon_plan_add_band(&part[i], p->band + i, p->start + i * (p->ngroup + 2));
    }
    for (size_t i = 0; i < p->nband; i++) p->nlane += part[i].nlane;
    too_many |= p->nlane > LANES_MAX;
    if (!too_many) filon_plan_join(p, part);
    for (size_t i = 0; i < p->nband; i++) free(part[i].lane);
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
    p->ngroup = filon_local_window(&p->local, t->nx - 2) / FILON_GROUP + 1;
    const cgct_status st = filon_plan_add_bands(p, err);
    if (st != CGCT_OK) filon_plan_free(p);
    return st;
}

void filon_plan_free(filon_plan *p)
{
    free(p->tail.fit);
    free(p->local.bary);
    free(p->band);
    free(p->start);
    free(p->lane);
    memset(p, 0, sizeof *p);
}
