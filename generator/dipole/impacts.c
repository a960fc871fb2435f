/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impacts.c: a nucleus as a list of dipoles, one for each impact parameter of a rule, with weights
 * and the area that they add up to. */
#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"
#include "numerics/memory.h"

/* Nodes and weights (fm^2) of the disc, and of the proton that stands for the rest. */
static cgct_status impacts_place(dipole_impacts *p, const dipole_opts *o, cgct_err *err)
{
    const double half_sigma0 = dipole_bk_half_sigma0(o) * NUCLEUS_FM2_PER_MB;
    nucleus n;
    if (!(half_sigma0 > 0))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole bk: a nucleus needs sigma0/2 of the proton; set "
                         "dipole.half_sigma0 (mb) or a set that is known");
    CGCT_TRY(nucleus_init(&n, o->nucleus, err));
    const double edge = nucleus_edge(&n, 1 / (n.A * half_sigma0));
    p->n = edge > 0 ? (size_t)o->impacts + 1 : 1;
    if (edge > 0) nucleus_impacts(edge, o->impacts, p->b, p->weight);
    p->b[p->n - 1] = edge;
    p->weight[p->n - 1] = half_sigma0 * o->nucleus * nucleus_beyond(&n, edge);
    nucleus_free(&n);
    return CGCT_OK;
}

cgct_status dipole_impacts_open(dipole_source *s, cgct_err *err)
{
    dipole_impacts *p = &s->impacts;
    const int nodes = s->o.impacts;
    if (s->o.nucleus < NUCLEUS_A_MIN)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "the integral over impact parameters is for kind = bk and a nucleus, "
                         "A = %d; want %d or more",
                         s->o.nucleus, NUCLEUS_A_MIN);
    if (nodes < 1 || nodes > QUAD_GAUSS_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "%d impact parameters; want 1 to %d", nodes,
                         QUAD_GAUSS_MAX);
    const size_t room = (size_t)nodes + 1;
    p->source = memory_zeros(room, sizeof(*p->source));
    p->b = memory_zeros(2 * room, sizeof *p->b);
    p->weight = p->b + room;
    CGCT_TRY(impacts_place(p, &s->o, err));
    for (size_t i = 0; i < p->n; i++) {
        dipole_opts at_b = s->o;
        at_b.impacts = 0;
        if (i + 1 < p->n)
            at_b.b = p->b[i];
        else
            at_b.nucleus = 1, at_b.b = 0;
        cgct_status st = dipole_source_open(&p->source[i], &at_b, err);
        if (st != CGCT_OK) return cgct_context(err, st, "b = %.6g fm", p->b[i]);
        p->weight[i] /= NUCLEUS_HBARC * NUCLEUS_HBARC;
        s->area += p->weight[i];
    }
    s->xmin = p->source[0]->xmin;
    s->xmax = p->source[0]->xmax;
    return CGCT_OK;
}
