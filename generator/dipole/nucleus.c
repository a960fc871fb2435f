/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nucleus.c: Woods-Saxon nuclei: thickness, and integrals over the impact parameter, also of
 * dipoles. */
#include "dipole/nucleus.h"

#include <gsl/gsl_sf_fermi_dirac.h>

#include "dipole/dipole_impl.h"
#include "numerics/memory.h"

/* Surface of every nucleus, fm. */
#define DIFFUSENESS 0.54

/* Panels of NODES nodes, as wide as the surface and narrower towards z = 0, where sqrt(b^2 + z^2)
 * varies on the scale of b.  Z_MAX: at b = NUCLEUS_B_MAX the density falls like
 * exp[-z^2/(2 b d)]. */
enum { NODES = 16 };
#define Z_MAX 60.0
#define Z_LEAST 1e-6
#define Z_RATIO 3.0

cgct_status nucleus_init(nucleus *n, int A, cgct_err *err)
{
    *n = (nucleus){.A = A};
    if (A < NUCLEUS_A_MIN || A > NUCLEUS_A_MAX)
        return cgct_fail(err, CGCT_E_CONFIG,
                         "nucleus of A = %d; want %d to %d, or 1 for the proton", A, NUCLEUS_A_MIN,
                         NUCLEUS_A_MAX);
    n->R = 1.12 * cbrt(A) - 0.86 / cbrt(A);
    /* Int r^2 dr/(1 + exp[(r - R)/d]) = 2 d^3 F_2(R/d), F_2 the complete Fermi-Dirac integral */
    const double volume = 8 * M_PI * DIFFUSENESS * DIFFUSENESS * DIFFUSENESS *
                          gsl_sf_fermi_dirac_2(n->R / DIFFUSENESS);
    n->density = 1 / volume;
    quad_gauss g;
    quad_gauss_init(&g, NODES);
    const quad_grading towards_0 = {0, Z_LEAST, Z_RATIO, DIFFUSENESS};
    quad_append_graded(&n->z, &g, 0, Z_MAX, &towards_0);
    return CGCT_OK;
}

void nucleus_free(nucleus *n)
{
    quad_free(&n->z);
}

double nucleus_thickness(const nucleus *n, double b)
{
    double sum = 0;
    for (size_t i = 0; i < n->z.n; i++)
        sum += n->z.w[i] / (1 + exp((hypot(b, n->z.x[i]) - n->R) / DIFFUSENESS));
    return 2 * n->density * sum;
}

double nucleus_edge(const nucleus *n, double thickness)
{
    double lo = 0, hi = NUCLEUS_B_MAX;
    if (!(nucleus_thickness(n, 0) > thickness)) return 0;
    for (int i = 0; i < 60; i++) {
        const double mid = 0.5 * (lo + hi);
        if (nucleus_thickness(n, mid) > thickness)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

void nucleus_impacts(double edge, int count, double *b, double *weight)
{
    quad_gauss g;
    quad_gauss_init(&g, count);
    for (int i = 0; i < count; i++) { /* d2b = pi d(b^2) */
        b[i] = edge * sqrt(0.5 * (1 + g.x[i]));
        weight[i] = 0.5 * M_PI * edge * edge * g.w[i];
    }
}

double nucleus_beyond(const nucleus *n, double edge)
{
    quad_gauss g;
    quad_rule q = {0};
    double share = 0;
    quad_gauss_init(&g, NODES);
    quad_append(&q, &g, edge, NUCLEUS_B_MAX, DIFFUSENESS);
    for (size_t i = 0; i < q.n; i++)
        share += 2 * M_PI * q.x[i] * q.w[i] * nucleus_thickness(n, q.x[i]);
    quad_free(&q);
    return share;
}

/* ---- a nucleus as a list of dipoles ----
 *
 * One for each impact parameter of a rule, with weights and the area that they add up to. */

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
