/* SPDX-License-Identifier: GPL-3.0-or-later */
/* continuation.c: I where it is lost in its error.  In units of the correlation limit I_ref,
 * smeared where a parton is soft, I(q,k,t) = rho I_ref.  At the same v and t of the grid rho is
 * taken from the last resolved q, and tends to 1 as the softer parton becomes hard:
 *
 *   rho(q) - 1 = (rho(q_last) - 1) (k_last^2 + s^2)/(k^2 + s^2)      s^2 = eps^2 + Qs^2
 *
 * since rho depends on k alone where k is soft.  Source: METHOD.md 6.2.  What a finite number of
 * colours changes in I, known or lost in its error, follows from the same limit. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "node/fields.h"
#include "node/reference.h"
#include "numerics/memory.h"

/* The reference has mu^2 = eps^2 + SMEAR Qs^2, and K.q smeared by SOFT Qs^2 (reference.h). */
static const double SMEAR = 0.3, SOFT = 0.15;

/* ---- the tensor beyond what is known of it ---- */

/* G is known to 1e-12 of G(Qs), H likewise; used is what is known to 1e-3. */
static const double KNOWN = 1e-9;
/* Momenta from Qs on, at which the edge of what is known is looked for. */
enum { LADDER = 64 };
/* ln G at least: I_ref, which has ln I = -40 beside it at most, stays within the range of l. */
static const double LOWEST = -600;

/* ln G(q) = ln G(edge) + power ln(q/edge) + gauss (q^2/edge^2 - 1), H/G constant. */
typedef struct {
    double edge, ln_G, power, gauss, H_over_G;
} tensor_form;

/* Through the last known of the momenta q[LADDER] and two before it; power only where that would
 * rise, or where there are no two. */
static tensor_form fit_tensor(const double *q, const double *G, const double *H)
{
    size_t last = 0;
    while (last + 1 < LADDER && G[last + 1] > KNOWN * G[0]) last++;
    size_t step = 1 + last / 8, one = last > step ? last - step : 0;
    size_t two = last > 2 * step ? last - 2 * step : 0;
    double u1 = log(q[one] / q[last]), u2 = log(q[two] / q[last]);
    double g1 = expm1(2 * u1), g2 = expm1(2 * u2);
    double y1 = log(G[one] / G[last]), y2 = log(G[two] / G[last]);
    double gauss = (y1 * u2 - y2 * u1) / (g1 * u2 - g2 * u1);
    if (!(gauss < 0)) gauss = 0;
    double power = last ? (y1 - gauss * g1) / u1 : 0;
    return (tensor_form){q[last], log(G[last]), power, gauss, H[last] / G[last]};
}

/* The form beyond the edge of what is known. */
static cgct_status continue_tensor(const dipole *d, double Nc, double top, tensor_form *f,
                                   cgct_err *err)
{
    const double Qs = sqrt(d->Qs2);
    double q[LADDER], of[REFERENCE_TRANSFORMS * LADDER];
    for (size_t i = 0; i < LADDER; i++) q[i] = Qs * pow(top / Qs, (double)i / (LADDER - 1));
    CGCT_TRY(reference_transforms(d, Nc, LADDER, q, of, err));
    *f = fit_tensor(q, of + REFERENCE_G * LADDER, of + REFERENCE_H * LADDER);
    return CGCT_OK;
}

/* G and H (nq) of the grid's momenta, positive and |H| <= G at any q. */
static cgct_status continued_tensor(const dipole *d, double Nc, const node_grid *g, double *G,
                                    double *H, cgct_err *err)
{
    const size_t n = g->nq + 1; /* and Qs */
    const double Qs = sqrt(d->Qs2);
    double *q = memory_new((1 + REFERENCE_TRANSFORMS) * n, sizeof *q);
    const double *of_G = q + (1 + REFERENCE_G) * n, *of_H = q + (1 + REFERENCE_H) * n;
    tensor_form f = {.edge = INFINITY};
    memcpy(q, g->q, g->nq * sizeof *q);
    q[g->nq] = Qs;
    cgct_status st = reference_transforms(d, Nc, n, q, q + n, err);
    size_t known = 0;
    while (st == CGCT_OK && known < g->nq && of_G[known] > KNOWN * of_G[g->nq]) known++;
    if (st == CGCT_OK && known < g->nq)
        st = continue_tensor(d, Nc, fmax(g->q[g->nq - 1], 2 * Qs), &f, err);
    for (size_t i = 0; i < g->nq && st == CGCT_OK; i++) {
        G[i] = of_G[i];
        H[i] = of_H[i];
        if (g->q[i] > f.edge) {
            double ratio = g->q[i] / f.edge;
            double ln = f.power * log(ratio) + f.gauss * (ratio * ratio - 1);
            G[i] = exp(fmax(f.ln_G + fmin(ln, 0), LOWEST));
            H[i] = f.H_over_G * G[i];
        }
        H[i] = fmax(-G[i], fmin(H[i], G[i]));
    }
    free(q);
    return st;
}

/* ---- what the nodes of a run share ---- */

typedef struct shelved {
    struct shelved *next;
    dipole_origin of;
    double Nc;
    const double *q;      /* of the grid, which they are for */
    pthread_mutex_t lock; /* held while they are computed */
    int is_ready;
    double GH[]; /* (2, nq) */
} shelved;

struct tensor_shelf {
    pthread_mutex_t lock; /* of the list */
    shelved *first;
};

struct tensor_shelf *tensor_shelf_new(void)
{
    struct tensor_shelf *s = memory_zeros(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void tensor_shelf_free(struct tensor_shelf *s)
{
    if (!s) return;
    for (shelved *e = s->first, *next; e; e = next) {
        next = e->next;
        pthread_mutex_destroy(&e->lock);
        free(e);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* The entry of d, Nc and g, a new one where there is none. */
static shelved *find_shelved(struct tensor_shelf *s, const dipole *d, double Nc, const node_grid *g)
{
    const dipole_origin of = d->origin;
    pthread_mutex_lock(&s->lock);
    shelved *e = s->first;
    while (e && !(e->of.src == of.src && e->of.x == of.x && e->Nc == Nc && e->q == g->q))
        e = e->next;
    if (!e) {
        e = memory_new(1, sizeof *e + 2 * g->nq * sizeof *e->GH);
        *e = (shelved){.next = s->first, .of = of, .Nc = Nc, .q = g->q};
        pthread_mutex_init(&e->lock, NULL);
        s->first = e;
    }
    pthread_mutex_unlock(&s->lock);
    return e;
}

static cgct_status shared_tensor(const dipole *d, double Nc, const node_grid *g, double *GH,
                                 cgct_err *err)
{
    if (!g->shelf) return continued_tensor(d, Nc, g, GH, GH + g->nq, err);
    shelved *e = find_shelved(g->shelf, d, Nc, g);
    cgct_status st = CGCT_OK;
    pthread_mutex_lock(&e->lock);
    if (!e->is_ready) st = continued_tensor(d, Nc, g, e->GH, e->GH + g->nq, err);
    e->is_ready = st == CGCT_OK;
    pthread_mutex_unlock(&e->lock);
    if (st == CGCT_OK) memcpy(GH, e->GH, 2 * g->nq * sizeof *GH);
    return st;
}

/* ---- the limit at the angles of a grid ---- */

/* The correlation limit for Nc colours at the angles of a grid, smeared where a parton is soft and
 * continued beyond what is known of G, so that it is positive everywhere. */
typedef struct {
    double eps, Qs2, *G, *H; /* (nq); G owns both */
} field_reference;

/* field_reference_free also after a failure. */
static cgct_status field_reference_init(field_reference *r, const dipole *d, double Nc,
                                        const node_grid *g, double eps, cgct_err *err)
{
    *r = (field_reference){.eps = eps, .Qs2 = d->Qs2};
    r->G = memory_new(2 * g->nq, sizeof *r->G);
    r->H = r->G + g->nq;
    return shared_tensor(d, Nc, g, r->G, err);
}

static void field_reference_free(field_reference *r)
{
    free(r->G);
    *r = (field_reference){0};
}

/* I[T,L] at angle j of point at = (iq, ik). */
static void field_reference_at(const field_reference *r, const field_values *v, size_t at, size_t j,
                               double I[NPOL])
{
    const size_t iq = at / v->nk;
    const reference_point p = {v->grid->q[iq], v->k[at], v->theta[at * NODE_ANGLES + j], r->eps,
                               r->eps * r->eps + SMEAR * r->Qs2};
    reference_smeared(&p, SOFT * r->Qs2, r->G[iq], r->H[iq], I);
}

/* ---- columns ---- */

typedef struct {
    field_values *v;
    double *unit; /* (points) */
    field_reference ref;
} continuation;

static int is_resolved(const continuation *c, size_t at)
{
    double most = 0;
    for (size_t j = at * NODE_ANGLES; j < (at + 1) * NODE_ANGLES; j++)
        most = fmax(most, c->v->bound[j]);
    return !(most >= FIELD_RESOLVED * c->unit[at]); /* NaN is for the projection to report */
}

/* One polarisation at one k of the grid, along q; last: of the resolved ones, nq: none yet. */
static void continue_point(const continuation *c, size_t pol, size_t iq, size_t last, size_t ik)
{
    const size_t nq = c->v->grid->nq, nk = c->v->nk;
    const double s2 = c->ref.eps * c->ref.eps + c->ref.Qs2, k = c->v->k[iq * nk + ik];
    double fade = 0;
    if (last < nq) fade = (pow(c->v->k[last * nk + ik], 2) + s2) / (k * k + s2);
    for (size_t j = 0; j < NODE_ANGLES; j++) {
        const size_t at = ((pol * nq + iq) * nk + ik) * NODE_ANGLES + j;
        double ref[NPOL], rho = 1, before[NPOL];
        field_reference_at(&c->ref, c->v, iq * nk + ik, j, ref);
        if (last < nq) {
            const double I = c->v->I[at - (iq - last) * nk * NODE_ANGLES];
            field_reference_at(&c->ref, c->v, last * nk + ik, j, before);
            rho += ((c->v->either_sign ? I : fmax(I, 0)) / before[pol] - 1) * fade;
        }
        c->v->bound[at] += fabs(rho * ref[pol] - c->v->I[at]);
        c->v->I[at] = rho * ref[pol];
    }
}

cgct_status field_values_continue(field_values *v, const dipole *d, double eps, size_t *continued,
                                  cgct_err *err)
{
    continuation c = {.v = v, .unit = memory_new(v->points, sizeof *c.unit)};
    cgct_status st = CGCT_OK;
    *continued = 0;
    field_values_units(v, c.unit);
    size_t i = 0; /* where no point is lost, no tensor is needed */
    while (i < v->points && is_resolved(&c, i)) i++;
    if (i < v->points) {
        const size_t nq = v->grid->nq, nk = v->nk;
        st = field_reference_init(&c.ref, d, d->Nc, v->grid, eps, err);
        size_t lost = 0;
#pragma omp parallel for schedule(static) reduction(+ : lost)
        for (size_t row = 0; row < NPOL * nk; row++) {
            const size_t pol = row / nk, ik = row % nk;
            size_t last = nq;
            for (size_t iq = 0; iq < nq && st == CGCT_OK; iq++) {
                if (is_resolved(&c, (pol * nq + iq) * nk + ik)) {
                    last = iq;
                    continue;
                }
                continue_point(&c, pol, iq, last, ik);
                lost++;
            }
        }
        *continued = lost;
        field_reference_free(&c.ref);
    }
    free(c.unit);
    return st;
}

/* ---- what a finite number of colours changes ----
 *
 * The correlation limit I_ref knows this change where the partons are hard, and with c = C/I of the
 * change C = I(Nc) - I(infinity)
 *
 *   c = I_ref(Nc)/I_ref(infinity) - 1 + rest        rest ~ Qs^2/(k^2 + eps^2), Qs^2/(q^2 + eps^2)
 *
 * Where the bound on the error of C exceeds that of the rest, it follows from the rest at the
 * neighbour in k or q.  Source: METHOD.md 11. */

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
    double *ratio;         /* (NPOL, nq, nk, NODE_ANGLES): I(Nc)/I(infinity) in the limit */
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
    double *I = c->v->I + first;
    const double *ratio = c->ratio + first;
    double *rest = c->c->I + first, *error = c->c->bound + first;
    const double mean = c->mean[at] = field_mean(I), noise = largest_of(error) / mean;
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

/* Fills in the ratios of the limits for d->Nc and for infinitely many colours. */
static cgct_status compare_limits(const field_values *v, const dipole *d, double eps, double *ratio,
                                  cgct_err *err)
{
    const size_t n = v->points / NPOL;
    field_reference few = {0}, many = {0};
    cgct_status st = field_reference_init(&few, d, d->Nc, v->grid, eps, err);
    if (st == CGCT_OK) st = field_reference_init(&many, d, INFINITY, v->grid, eps, err);
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < (st == CGCT_OK ? n : 0); at++)
        for (size_t j = 0; j < NODE_ANGLES; j++) {
            double with[NPOL], without[NPOL];
            field_reference_at(&few, v, at, j, with);
            field_reference_at(&many, v, at, j, without);
            for (size_t pol = 0; pol < NPOL; pol++)
                ratio[(pol * n + at) * NODE_ANGLES + j] = with[pol] / without[pol];
        }
    field_reference_free(&few);
    field_reference_free(&many);
    return st;
}

cgct_status field_values_add_colours(field_values *v, field_values *colours, const dipole *d,
                                     double eps, cgct_err *err)
{
    const size_t n = v->points / NPOL;
    colour_fields c = {.v = v, .c = colours, .s2 = eps * eps + FALL2 * d->Qs2};
    c.size = memory_new(2 * n + v->points * NODE_ANGLES, sizeof *c.size);
    c.mean = c.size + n;
    c.ratio = c.mean + n;
    const cgct_status st = compare_limits(v, d, eps, c.ratio, err);
    for (size_t pol = 0; pol < NPOL && st == CGCT_OK; pol++)
        for (size_t at = 0; at < n; at++) put_change(&c, pol, at);
    free(c.size);
    return st;
}
