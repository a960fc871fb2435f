/* SPDX-License-Identifier: MIT */
/* Trials of cgctab-events in blocks, each with random numbers of its own: the events of a block do
 * not depend on which thread computes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void ev_random_start(ev_random *r, uint64_t seed, uint64_t block)
{
    r->state = mixed(mixed(seed + UINT64_C(0x9e3779b97f4a7c15)) + block);
}

double ev_uniform(ev_random *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return ((double)(mixed(r->state) >> 12) + 0.5) * 0x1p-52;
}

/* A trial: its event, what was drawn for it, and the density of that. */
typedef struct {
    ev_event e;
    ev_point p;
    int kind;
    double density, accept, photon; /* uniform: whether the event counts, and its photon's */
    double w;                       /* dsigma over the density, in pb */
} ev_trial;

/* 0 outside of the cuts, where the trial counts no further. */
static int draw_trial(const ev_source *from, ev_random *r, ev_trial *t)
{
    const ev_setup *s = from->setup;
    ev_point *p = &t->p;
    t->w = 0;
    int pol;
    t->density = ev_grid_draw(from->grid, r, p, &pol, &t->kind);
    t->accept = ev_uniform(r);
    t->photon = ev_uniform(r);
    const int any = ev_uniform(r) < 0.5, below = ev_uniform(r) < 0.5;
    const int apart = ev_z_apart(s), other = apart ? !ev_in_z(s, p->zs) : any;
    const double K = ev_K(p), z = other ? 1 - p->zs : p->zs;
    if (apart) t->density *= 2; /* the label is certain */
    t->e = (ev_event){.Q2 = s->photons.real ? 0 : p->Q2,
                      .y = p->y,
                      .z = z,
                      .q = p->q,
                      .k1 = p->k,
                      .theta = below ? -p->phi : p->phi,
                      .mass = p->mass,
                      .pol = pol};
    ev_event *e = &t->e;
    e->x = (p->Q2 + ev_mass2(p)) / (p->y * s->s);
    e->eps = sqrt(p->zs * (1 - p->zs) * p->Q2 + p->mass * p->mass);
    e->place = e->x > s->x[1]                                 ? EV_X_ABOVE
               : e->x < s->x[0]                               ? EV_X_BELOW
               : e->eps < s->eps[0] || e->eps > s->eps[1]     ? EV_EPS
               : e->q < s->q_table[0] || e->q > s->q_table[1] ? EV_Q
                                                              : EV_INSIDE;
    if (other) { /* the quark is the one with the longer momentum */
        double along = e->q - e->k1 * cos(e->theta), across = -e->k1 * sin(e->theta);
        e->k1 = sqrt(along * along + across * across);
        e->theta = atan2(across, along);
    }
    return t->density > 0 && ev_in_z(s, z) && K >= s->K[0] && K <= s->K[1] &&
           (e->place == EV_INSIDE ? !from->outside : s->freeze);
}

int ev_copies(const ev_source *from, const ev_event *e, double w, double accept)
{
    if (!(w > 0) || (e->place != EV_INSIDE && !from->setup->freeze)) return 0;
    return from->top > 0 ? (int)fmin(w / from->top + accept, EV_ROOM) : 1;
}

double ev_count(const ev_source *from, const ev_event *e, double weight, int kind, ev_sums *sums)
{
    const double w = fmax(weight, 0), top = from->top;
    sums->trials++;
    if (e->place != EV_INSIDE) sums->outside[e->place] += w;
    if (e->place != EV_INSIDE && !from->setup->freeze) return 0;
    sums->negative += w - weight;
    sums->sum += w;
    sums->square += w * w;
    sums->kind[kind] += w;
    sums->kind_square[kind] += w * w;
    if (w > sums->most) sums->most = w;
    if (top > 0 && w > top) sums->above += w - top;
    return w;
}

/* Evaluates I, and the weights of an event where value, with room for them, is not NULL.  w is
 * below 0 where the dipole gives no positive cross section. */
static cgct_status weigh(const ev_source *from, ev_trial *t, double *value, cgct_err *err)
{
    const ev_setup *s = from->setup;
    const ev_point *p = &t->p;
    ev_event *e = &t->e;
    const size_t members = value ? from->weights->members : 0;
    const double at[5] = {e->x, e->eps, p->q, p->k, p->phi};
    double I = 0, bound = 0, factor[2][2], density[2], *error = value ? &bound : NULL;
    const cgct_status st = members ? cgct_eval_one_members(from->table, e->pol, at, value, error)
                                   : cgct_eval_one(from->table, e->pol, at, &I, error);
    if (members) I = value[from->weights->own];
    if (st == CGCT_E_RANGE) return CGCT_OK;
    if (st != CGCT_OK && st != CGCT_E_NEGATIVE)
        return cgct_fail(err, st, "no I at x = %.9g, eps = %.9g, q = %.9g", e->x, e->eps, p->q);
    if (isnan(I)) return CGCT_OK;
    ev_factors(s, &s->kind[t->kind], p->Q2, p->zs, factor);
    const double flipped = ev_densities(s, factor, p->Q2, p->y, density);
    e->photon = e->pol == CGCT_L && t->photon >= flipped ? CGCT_L : CGCT_T;
    /* both labels, both signs of the angle, 2 pi of q; dy dQ2 d2q d2k from the logarithms */
    const double measure = 8 * EV_PI * p->Q2 * p->y * p->q * p->q * p->k * p->k;
    t->w = EV_PB * measure * density[e->pol] * I / t->density;
    if (!value || ev_copies(from, &t->e, t->w, t->accept) < 1) return CGCT_OK;
    if (st != CGCT_OK) /* of another member */
        return cgct_fail(err, st, "no weights for the event at x = %.9g, eps = %.9g, q = %.9g",
                         e->x, e->eps, e->q);
    for (size_t i = 0; i < members; i++) value[i] *= from->weights->area[i] / I;
    ev_bound_weights(I, bound, value + members);
    e->value = value;
    return CGCT_OK;
}

/* ---- the order of evaluation ----
 *
 * What the reader needs of a table for one point is some 50 kB, most of which serves neighbouring
 * points, too.  So trials are evaluated in the order of places in (q, k), and written in the order
 * in which they were drawn. */

static int compare_places(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The place of a trial, of 64 by 64 in the logarithms, and in the low half its number i. */
static uint64_t place_of_trial(const ev_setup *s, const ev_trial *t, uint64_t i)
{
    const double share[2] = {log(t->p.q / s->q[0]) / log(s->q[1] / s->q[0]),
                             1 - log(s->k[1] / t->p.k) / log(1 / 0.03)};
    uint64_t at = 0;
    for (int j = 0; j < 2; j++) at = 64 * at + (uint64_t)fmin(fmax(64 * share[j], 0), 63);
    return at << 32 | i;
}

/* ---- blocks ---- */

/* By the squares of the charges. */
static int draw_flavour(const ev_kind *kind, double u)
{
    double left = u * kind->charges2;
    int i = 0;
    while (i + 1 < kind->n && left >= ev_charge2(kind->id[i])) left -= ev_charge2(kind->id[i++]);
    return kind->id[i];
}

/* The trials t of a block, with room for the order of as many. */
static cgct_status run_trials(const ev_source *from, ev_random *r, ev_trial *t, uint64_t *order,
                              ev_batch *b)
{
    const size_t width = b->values ? from->weights->n : 0;
    size_t n = 0;
    for (uint64_t i = 0; i < EV_BLOCK; i++)
        if (draw_trial(from, r, &t[i])) order[n++] = place_of_trial(from->setup, &t[i], i);
    qsort(order, n, sizeof *order, compare_places);
    for (size_t i = 0; i < n; i++) {
        const size_t at = order[i] & UINT32_MAX;
        CGCT_TRY(weigh(from, &t[at], width ? b->values + at * width : NULL, &b->err));
    }
    for (int i = 0; i < EV_BLOCK; i++) {
        const int copies = ev_copies(from, &t[i].e, t[i].w, t[i].accept);
        ev_event e = t[i].e;
        const double w = ev_count(from, &t[i].e, t[i].w, t[i].kind, &b->sums);
        if (from->soft && w > 0) ev_sum_soft(from, &t[i].e, w, &b->sums);
        e.weight = from->top > 0 ? 1 : t[i].w;
        for (int j = 0; j < copies && b->n < EV_ROOM; j++) {
            e.flavour = draw_flavour(&from->setup->kind[t[i].kind], ev_uniform(r));
            e.turn = 2 * EV_PI * ev_uniform(r);
            e.lepton = 2 * EV_PI * ev_uniform(r);
            e.direction = from->setup->both && ev_uniform(r) < 0.5 ? -1 : 1;
            /* a massless emitter whose photon has kT: I and the flux stay those at Q2 = 0 */
            if (from->setup->photons.power)
                e.Q2 = ev_photon_kt2(&from->setup->photons, e.y, r) / (1 - e.y);
            b->sums.copies += j > 0;
            b->events[b->n] = e;
            if (from->soft && from->top > 0) ev_radiate(from, r, &b->events[b->n]);
            b->n++;
        }
    }
    return CGCT_OK;
}

cgct_status ev_block(const ev_source *from, uint64_t block, ev_batch *b)
{
    ev_random r;
    const size_t width = from->weights && from->top > 0 ? from->weights->n : 0;
    memset(b, 0, sizeof *b);
    b->events = (ev_event *)malloc(EV_ROOM * sizeof *b->events);
    if (width) b->values = (double *)malloc(EV_BLOCK * width * sizeof *b->values);
    ev_trial *t = from->pa ? NULL : (ev_trial *)malloc(EV_BLOCK * sizeof *t);
    uint64_t *order = from->pa ? NULL : (uint64_t *)malloc(EV_BLOCK * sizeof *order);
    ev_random_start(&r, from->seed, block);
    const cgct_status st = (!from->pa && (!t || !order)) || !b->events || (width && !b->values)
                               ? cgct_fail(&b->err, CGCT_E_NOMEM, "no memory for events")
                           : from->pa ? ev_pa_trials(from, &r, b)
                                      : run_trials(from, &r, t, order, b);
    free(t);
    free(order);
    return st;
}

void ev_batch_free(ev_batch *b)
{
    free(b->events);
    free(b->values);
    memset(b, 0, sizeof *b);
}

static void mean_of(double sum, double square, size_t trials, double *mean, double *error)
{
    const double n = (double)trials, variance = square / n - pow(sum / n, 2);
    *mean = sum / n;
    *error = sqrt((variance > 0 ? variance : 0) / (n - 1));
}

void ev_cross_section(const ev_sums *s, double *sigma, double *error)
{
    mean_of(s->sum, s->square, s->trials, sigma, error);
}

void ev_cross_section_of(const ev_sums *s, int kind, double *sigma, double *error)
{
    mean_of(s->kind[kind], s->kind_square[kind], s->trials, sigma, error);
}
