/* SPDX-License-Identifier: GPL-3.0-or-later */
/* continuation.c: I where it is lost in its error.  In units of the correlation limit I_ref,
 * smeared where a parton is soft, I(q,k,t) = rho I_ref.  At the same v and t of the grid rho is
 * taken from the last resolved q, and tends to 1 as the softer parton becomes hard:
 *
 *   rho(q) - 1 = (rho(q_last) - 1) (k_last^2 + s^2)/(k^2 + s^2)      s^2 = eps^2 + Qs^2
 *
 * since rho depends on k alone where k is soft.  Source: METHOD.md 6.2. */
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
static tensor_form fit_tensor(const double *q, const double *G, const double *H, double scale)
{
    size_t last = 0;
    while (last + 1 < LADDER && G[last + 1] > KNOWN * scale) last++;
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
    const double *G = of + REFERENCE_G * LADDER;
    *f = fit_tensor(q, G, of + REFERENCE_H * LADDER, G[0]);
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
    const double *q; /* of the grid, which they are for */
    enum { TENSOR_PENDING, TENSOR_READY, TENSOR_FAILED } state;
    double GH[]; /* (2, nq) */
} shelved;

struct tensor_shelf {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    shelved *first;
};

struct tensor_shelf *tensor_shelf_new(void)
{
    struct tensor_shelf *s = memory_zeros(1, sizeof *s);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    return s;
}

void tensor_shelf_free(struct tensor_shelf *s)
{
    if (!s) return;
    for (shelved *e = s->first, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

/* The entry of d, Nc and g when it is no longer pending; or a new one for the caller to fill,
 * *mine. */
static shelved *take_shelved(struct tensor_shelf *s, const dipole *d, double Nc, const node_grid *g,
                             int *mine)
{
    const dipole_origin of = d->origin;
    pthread_mutex_lock(&s->lock);
    shelved *e = s->first;
    while (e && !(e->of.src == of.src && e->of.x == of.x && e->Nc == Nc && e->q == g->q))
        e = e->next;
    *mine = !e;
    if (*mine) {
        e = memory_new(1, sizeof *e + 2 * g->nq * sizeof *e->GH);
        *e = (shelved){.next = s->first, .of = of, .Nc = Nc, .q = g->q};
        s->first = e;
    }
    while (!*mine && e->state == TENSOR_PENDING) pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return e;
}

static cgct_status shared_tensor(const dipole *d, double Nc, const node_grid *g, double *GH,
                                 cgct_err *err)
{
    int mine;
    shelved *e = g->shelf ? take_shelved(g->shelf, d, Nc, g, &mine) : NULL;
    if (!e || (!mine && e->state == TENSOR_FAILED))
        return continued_tensor(d, Nc, g, GH, GH + g->nq, err);
    if (mine) {
        const cgct_status st = continued_tensor(d, Nc, g, e->GH, e->GH + g->nq, err);
        pthread_mutex_lock(&g->shelf->lock);
        e->state = st == CGCT_OK ? TENSOR_READY : TENSOR_FAILED;
        pthread_cond_broadcast(&g->shelf->changed);
        pthread_mutex_unlock(&g->shelf->lock);
        CGCT_TRY(st);
    }
    memcpy(GH, e->GH, 2 * g->nq * sizeof *GH);
    return CGCT_OK;
}

cgct_status field_reference_init(field_reference *r, const dipole *d, double Nc, const node_grid *g,
                                 double eps, cgct_err *err)
{
    *r = (field_reference){.eps = eps, .Qs2 = d->Qs2};
    r->G = memory_new(2 * g->nq, sizeof *r->G);
    r->H = r->G + g->nq;
    return shared_tensor(d, Nc, g, r->G, err);
}

void field_reference_free(field_reference *r)
{
    free(r->G);
    *r = (field_reference){0};
}

void field_reference_at(const field_reference *r, const field_values *v, size_t at, size_t j,
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
