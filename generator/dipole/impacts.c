/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impacts.c: a nucleus as a list of dipoles, one for each impact parameter of a rule, with weights
 * and the area that they add up to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"

/* Nodes and weights (fm^2) of the disc, and of the proton that stands for the rest. */
static cgct_status impacts_place(dipole_impacts *s, const dipole_opts *o, int nodes, cgct_err *err)
{
    const double half_sigma0 = dipole_bk_half_sigma0(o) * NUCLEUS_FM2_PER_MB;
    nucleus n;
    if (!(half_sigma0 > 0))
        return cgct_fail(err, CGCT_E_CONFIG,
                         "dipole bk: a nucleus needs sigma0/2 of the proton; set "
                         "dipole.half_sigma0 (mb) or a set that is known");
    CGCT_TRY(nucleus_init(&n, o->nucleus, err));
    const double edge = nucleus_edge(&n, 1 / (n.A * half_sigma0));
    s->n = edge > 0 ? (size_t)nodes + 1 : 1;
    if (edge > 0) nucleus_impacts(edge, nodes, s->b, s->weight);
    s->b[s->n - 1] = edge;
    s->weight[s->n - 1] = half_sigma0 * o->nucleus * nucleus_beyond(&n, edge);
    nucleus_free(&n);
    return CGCT_OK;
}

static cgct_status impacts_open_each(dipole_impacts *s, const dipole_opts *o, cgct_err *err)
{
    for (size_t i = 0; i < s->n; i++) {
        dipole_opts at_b = *o;
        at_b.impacts = 0;
        if (i + 1 < s->n)
            at_b.b = s->b[i];
        else
            at_b.nucleus = 1, at_b.b = 0;
        cgct_status st = dipole_source_open(&s->source[i], &at_b, err);
        if (st != CGCT_OK) return cgct_context(err, st, "b = %.6g fm", s->b[i]);
        s->weight[i] /= NUCLEUS_HBARC * NUCLEUS_HBARC;
        s->area += s->weight[i];
    }
    return CGCT_OK;
}

cgct_status dipole_impacts_open(dipole_impacts *s, const dipole_opts *o, int nodes, cgct_err *err)
{
    *s = (dipole_impacts){0};
    if (o->kind != DIPOLE_BK || o->nucleus < NUCLEUS_A_MIN)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "the integral over impact parameters is for kind = bk and a nucleus, "
                         "A = %d; want %d or more",
                         o->nucleus, NUCLEUS_A_MIN);
    if (nodes < 1 || nodes > QUAD_GAUSS_MAX)
        return cgct_fail(err, CGCT_E_CONFIG, "%d impact parameters; want 1 to %d", nodes,
                         QUAD_GAUSS_MAX);
    const size_t room = (size_t)nodes + 1;
    s->source = calloc(room, sizeof(*s->source));
    s->b = calloc(2 * room, sizeof *s->b);
    cgct_status st;
    if (!s->source || !s->b) {
        st = cgct_fail(err, CGCT_E_NOMEM, "dipole: out of memory");
    } else {
        s->weight = s->b + room;
        st = impacts_place(s, o, nodes, err);
        if (st == CGCT_OK) st = impacts_open_each(s, o, err);
    }
    if (st != CGCT_OK) dipole_impacts_close(s);
    return st;
}

void dipole_impacts_close(dipole_impacts *s)
{
    for (size_t i = 0; i < s->n; i++) dipole_source_close(s->source[i]);
    free(s->source);
    free(s->b);
    *s = (dipole_impacts){0};
}

cgct_status dipole_impacts_fill(dipole_source *s, cgct_err *err)
{
    CGCT_TRY(dipole_impacts_open(&s->impacts, &s->o, s->o.impacts, err));
    s->xmin = s->impacts.source[0]->xmin;
    s->xmax = s->impacts.source[0]->xmax;
    return CGCT_OK;
}

void dipole_impacts_describe(const dipole_source *s, FILE *to)
{
    const dipole_impacts *p = &s->impacts;
    fprintf(to,
            "nucleus A = %d integrated over b: %zu nodes up to %.6g fm, beyond it the proton, "
            "S_perp = %.9g GeV^-2, ",
            s->o.nucleus, p->n - 1, p->b[p->n - 1], p->area);
}
