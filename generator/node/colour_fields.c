/* SPDX-License-Identifier: GPL-3.0-or-later */
/* colour_fields.c: what a finite number of colours changes in I, known or lost in its error.
 *
 * The correlation limit I_ref knows this change where the partons are hard, and with c = C/I of the
 * change C = I(Nc) - I(infinity)
 *
 *   c = I_ref(Nc)/I_ref(infinity) - 1 + rest        rest ~ Qs^2/(k^2 + eps^2), Qs^2/(q^2 + eps^2)
 *
 * Where the bound on the error of C exceeds that of the rest, it follows from the rest at the
 * neighbour in k or q.  Source: METHOD.md 11. */
#include <math.h>
#include <stdlib.h>

#include "node/fields.h"
#include "numerics/memory.h"

/* A rest falls at momenta above this, in units of Qs: as 1/(k^2 + eps^2 + FALL2 Qs^2). */
static const double FALL2 = 4;
/* A rest that follows from a neighbour is bounded by this times what it is at most: it may change
 * its sign (tests/node/test_fields.c). */
static const double SAFETY = 4;

typedef struct {
    const field_values *v; /* infinitely many colours */
    field_values *c;       /* the change; then the rest, in I */
    double s2;             /* of the fall, GeV^2 */
    double *size, *mean;   /* (nq, nk): of the rest, in units of the mean of I; this mean */
    field_reference few, many;
} colour_fields;

/* The neighbour that a point follows from. */
typedef struct {
    size_t at;   /* (iq, ik) */
    double fade; /* from it to the point */
    double size; /* what the rest is at most, in units of mean I; infinite: no neighbour */
} neighbour;

static double largest_of(const double *I)
{
    double most = 0;
    for (size_t j = 0; j < NODE_ANGLES; j++)
        if (!(fabs(I[j]) <= most)) most = fabs(I[j]);
    return most;
}

static void try_neighbour(const colour_fields *c, size_t at, double from, double to, neighbour *n)
{
    const double fade = (from * from + c->s2) / (to * to + c->s2), size = c->size[at] * fade;
    if (size < n->size) *n = (neighbour){at, fade, size};
}

/* The rest of a point follows from its neighbour; its bound, and that of I by way of the ratio. */
static void follow(const colour_fields *c, size_t plane, size_t at, const neighbour *n,
                   const double *ratio)
{
    const size_t first = (plane + at) * NODE_ANGLES;
    const double *before = c->c->I + (plane + n->at) * NODE_ANGLES;
    const double scale = n->fade * c->mean[at] / c->mean[n->at];
    for (size_t j = 0; j < NODE_ANGLES; j++) {
        c->c->I[first + j] = before[j] * scale;
        c->c->bound[first + j] = SAFETY * n->size * c->mean[at];
        c->v->bound[first + j] *= fmax(1, ratio[j]);
    }
    c->size[at] = n->size;
}

/* Adds the change to I of a point and its bound to that of I; leaves the rest.  Where I itself is
 * lost, nothing follows from the point. */
static void put_change(const colour_fields *c, size_t pol, size_t at)
{
    const size_t plane = pol * c->v->points / NPOL, first = (plane + at) * NODE_ANGLES;
    const field_values *v = c->v;
    const size_t iq = at / v->nk;
    neighbour n = {.size = INFINITY};
    if (at % v->nk) try_neighbour(c, at - 1, v->k[at - 1], v->k[at], &n);
    if (iq) try_neighbour(c, at - v->nk, v->grid->q[iq - 1], v->grid->q[iq], &n);
    double *I = c->v->I + first, ratio[NODE_ANGLES];
    double *rest = c->c->I + first, *error = c->c->bound + first;
    const double mean = c->mean[at] = field_mean(I), noise = largest_of(error) / mean;
    for (size_t j = 0; j < NODE_ANGLES; j++) { /* I(Nc)/I(infinity) in the limit */
        double few[NPOL], many[NPOL];
        field_reference_at(&c->few, v, at, j, few);
        field_reference_at(&c->many, v, at, j, many);
        ratio[j] = few[pol] / many[pol];
    }
    for (size_t j = 0; j < NODE_ANGLES; j++) rest[j] -= (ratio[j] - 1) * I[j];
    c->size[at] = mean > 0 ? largest_of(rest) / mean + noise : INFINITY;
    if (mean > 0 && noise > SAFETY * n.size)
        follow(c, plane, at, &n, ratio);
    else if (isfinite(n.size))
        c->size[at] = fmax(c->size[at], n.size);
    for (size_t j = 0; j < NODE_ANGLES; j++) {
        I[j] = ratio[j] * I[j] + rest[j];
        c->v->bound[first + j] += error[j];
    }
}

cgct_status field_values_add_colours(field_values *v, field_values *colours, const dipole *d,
                                     double eps, cgct_err *err)
{
    const double Qs2 = d->Qs2;
    colour_fields c = {.v = v, .c = colours, .s2 = eps * eps + FALL2 * Qs2};
    c.size = memory_new(2 * (v->points / NPOL), sizeof *c.size);
    c.mean = c.size + v->points / NPOL;
    cgct_status st = field_reference_init(&c.few, d, d->Nc, v->grid, eps, err);
    if (st == CGCT_OK) st = field_reference_init(&c.many, d, INFINITY, v->grid, eps, err);
    for (size_t pol = 0; pol < NPOL && st == CGCT_OK; pol++)
        for (size_t at = 0; at < v->points / NPOL; at++) put_change(&c, pol, at);
    field_reference_free(&c.few);
    field_reference_free(&c.many);
    free(c.size);
    return st;
}
