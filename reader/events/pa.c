/* SPDX-License-Identifier: MIT */
/* Forward dijets of proton-nucleus collisions: cross sections, and trials in blocks.
 *
 * Drawn are the rapidities, the shorter one of k1 and k2, the recoil q, and the angle between these
 * two.  For each channel each variable has cells of equal probability, whose widths adapt to the
 * cross section (G. P. Lepage, J. Comput. Phys. 27 (1978) 192).  The weights make up for what this
 * density lacks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* DRAWS: of the first round, and what each further one has more than the one before */
enum { DIMS = 5, CELLS = 48, ROUNDS = 8, DRAWS = 3000 };
enum { BOUND_LOW, BOUND_HIGH, LAMBDA_HALF, LAMBDA_DOUBLE, MU_HALF, MU_DOUBLE, WEIGHTS };

struct ev_pa_grid {
    double edge[EV_KINDS][DIMS][CELLS + 1]; /* from 0 to 1 */
    double share[EV_KINDS];                 /* probabilities of the channels */
};

/* A trial: its event, where it was drawn, and random numbers for the event. */
typedef struct {
    ev_event e;
    int cell[DIMS], pdf_edge;
    double accept, flavour;
    double w; /* dsigma over the density, in pb */
} trial;

/* ---- cross sections ---- */

/* x f of the projectile per nucleon at its scale, and whether the grid ends before.  Negative
 * values are no probabilities, and count as 0. */
static int find_partons(const ev_pa *pa, double x, double mu, double xf[EV_PARTONS])
{
    const int edge = ev_pdf_at(pa->pdf, x, mu, xf);
    for (int i = 0; i < EV_PARTONS; i++) xf[i] = fmax(xf[i], 0);
    for (int sign = -1; sign <= 1 && pa->deuteron; sign += 2)
        xf[EV_GLUON + sign] = xf[EV_GLUON + 2 * sign] =
            (xf[EV_GLUON + sign] + xf[EV_GLUON + 2 * sign]) / 2;
    return edge;
}

/* Of the partons that begin the channel. */
static double sum_partons(const ev_pa *pa, int channel, const double xf[EV_PARTONS])
{
    double sum = 0;
    if (channel != CGCT_QG) return xf[EV_GLUON] * (channel == CGCT_QQB ? pa->n : 1);
    for (int i = 0; i < pa->n; i++) sum += xf[EV_GLUON - pa->id[i]] + xf[EV_GLUON + pa->id[i]];
    return sum;
}

/* ids from u in (0,1). */
static void choose_flavour(const ev_pa *pa, const double xf[EV_PARTONS], double u, ev_pair *pair)
{
    int id = pa->n ? pa->id[0] : 0;
    if (pair->channel == CGCT_QG) {
        double left = u * sum_partons(pa, CGCT_QG, xf);
        for (int i = 0; i < 2 * pa->n && left >= 0; i++) {
            id = i % 2 ? -pa->id[i / 2] : pa->id[i / 2];
            left -= xf[EV_GLUON + id];
        }
    } else if (pair->channel == CGCT_QQB) {
        id = pa->id[(int)(u * pa->n)];
    }
    const int of[EV_KINDS][3] = {{id, 21, id}, {21, 21, 21}, {21, id, -id}};
    memcpy(pair->id, of[pair->channel], sizeof pair->id);
}

/* ---- colours ----
 *
 * In the dilute limit T is F(q) times a sum of squares, |p1 + p2|^2 + |p2 + pP|^2 for quark and
 * gluon, |p1 - pP|^2 + |p2 + pP|^2 for quark and antiquark, all three for two gluons; p1 = p(k1)
 * is of a target's gluon that meets parton 2, p2 of parton 1, pP of the projectile's parton.  Each
 * square is a flow of colour at large Nc: the target's gluon lies between the two that it meets. */

/* Both partons; or that of the projectile and parton 1, or 2. */
enum { MEETS_BOTH, MEETS_1, MEETS_2 };

static void choose_flow(ev_event *e, double u)
{
    ev_pair *p = &e->pair;
    const double k1[2] = {p->k[0], 0}, k2[2] = {p->k[1] * cos(p->angle), p->k[1] * sin(p->angle)};
    double square[3] = {0, 0, 0}, P[2];
    for (int i = 0; i < 2; i++) P[i] = (1 - e->z) * k1[i] - e->z * k2[i];
    for (int i = 0; i < 2; i++) {
        const double p1 = k1[i] / (p->k[0] * p->k[0]), p2 = k2[i] / (p->k[1] * p->k[1]);
        const double pP = P[i] / (p->P * p->P);
        square[MEETS_BOTH] += p->channel == CGCT_QQB ? 0 : (p1 + p2) * (p1 + p2);
        square[MEETS_1] += (p2 + pP) * (p2 + pP);
        square[MEETS_2] += p->channel == CGCT_QG ? 0 : (p1 - pP) * (p1 - pP);
    }
    double left = u * (square[0] + square[1] + square[2]);
    for (p->flow = 0; p->flow < MEETS_2 && left >= square[p->flow]; p->flow++)
        left -= square[p->flow];
}

void ev_pa_colours(const ev_pair *p, int colour[4][2])
{
    /* places in the file, one after the other along the lines: from a quark to an antiquark, both
     * as if they went out, or of gluons in a circle */
    static const int chain[EV_KINDS][3][4] = {{{3, 1, 2, 0}, {3, 2, 1, 0}, {0, 0, 0, 0}},
                                              {{0, 2, 1, 3}, {0, 1, 2, 3}, {0, 1, 3, 2}},
                                              {{0, 0, 0, 0}, {2, 1, 0, 3}, {2, 0, 1, 3}}};
    const int *at = chain[p->channel][p->flow];
    const int anti =
        (p->channel == CGCT_QG && p->id[0] < 0) || (p->channel == CGCT_GG && p->mirror);
    for (int i = 0; i < 4; i++) {
        const int circle = p->channel == CGCT_GG;
        int *c = colour[at[i]], out[2]; /* colour and anticolour of what goes out */
        out[0] = i < 3 || circle ? 501 + i : 0;
        out[1] = i > 0 ? 500 + i : circle ? 504 : 0;
        const int swap = (at[i] < 2) != anti;
        c[0] = out[swap];
        c[1] = out[!swap];
    }
}

void ev_pa_momenta(const ev_pa *pa, const ev_event *e, double p[4][4])
{
    const ev_pair *pair = &e->pair;
    double *a = p[0], *b = p[1];
    memset(p, 0, 4 * sizeof *p);
    for (int i = 0; i < 2; i++) {
        const double k = pair->k[i], phi = e->turn + i * pair->angle;
        double *to = p[2 + i];
        to[0] = k * cos(phi);
        to[1] = k * sin(phi);
        to[2] = k * sinh(pair->y[i]);
        to[3] = k * cosh(pair->y[i]);
        b[0] += to[0];
        b[1] += to[1];
    }
    a[2] = a[3] = pair->x_p * pa->energy[0];
    b[3] = e->x * pa->energy[1];
    b[2] = -b[3];
}

/* ---- trials ---- */

/* From a point of the unit cube; returns the measure of dsigma there, 0 outside of the cuts. */
static double place_event(const ev_source *from, const double v[DIMS], int other, ev_event *e)
{
    const ev_setup *s = from->setup;
    const ev_pa *pa = from->pa;
    ev_pair *pair = &e->pair;
    const double dy = pa->y[1] - pa->y[0];
    pair->y[0] = pa->y[0] + dy * v[0];
    pair->y[1] = pa->y[0] + dy * v[1];
    /* x_p < 1 limits the shorter momentum */
    const double up[2] = {exp(pair->y[0]), exp(pair->y[1])}, plus = 2 * pa->energy[0];
    const double lnk = log(fmin(s->k[1], plus / (up[0] + up[1])) / s->k[0]);
    if (!(lnk > 0)) return 0;
    const double k = s->k[0] * exp(lnk * v[2]);
    /* two parts of q's axis meet at 2 k, where the cross section has its last peak or its end */
    const double middle = fmin(fmax(2 * k, s->q[0]), s->q[1]);
    const double first = middle > s->q[0] ? 1 - fmin(0.25, log(s->q[1] / middle) / 2) : 0;
    const int second = v[3] > first;
    const double ends[3] = {s->q[0], middle, s->q[1]}, part = second ? 1 - first : first;
    const double lnq = log(ends[second + 1] / ends[second]) / part;
    const double q = ends[second] * exp(lnq * (v[3] - second * first));
    const double least = ev_phi_min(q, k);
    const double phi = least + (EV_PI - least) * v[4];
    const double along = q - k * cos(phi), across = -k * sin(phi);
    const double longer = sqrt(along * along + across * across);
    const double minus = 2 * pa->energy[1], k1 = other ? longer : k, k2 = other ? k : longer;
    const double plus1 = k1 * up[0], plus2 = k2 * up[1];
    pair->k[0] = k1;
    pair->k[1] = k2;
    pair->angle = acos(fmin(fmax((q * q - k * k - longer * longer) / (2 * k * longer), -1), 1));
    pair->x_p = (plus1 + plus2) / plus;
    e->x = (k1 / up[0] + k2 / up[1]) / minus;
    e->z = plus1 / (plus1 + plus2);
    e->q = q;
    /* z(1-z) times the square of the pair's mass */
    const double pair_mass2 =
        pow(k1 + k2, 2) - q * q + k1 * k2 * pow(sqrt(up[0] / up[1]) - sqrt(up[1] / up[0]), 2);
    pair->P = sqrt(fmax(e->z * (1 - e->z) * pair_mass2, 0));
    e->place = e->x > s->x[1] ? EV_X_ABOVE : e->x < s->x[0] ? EV_X_BELOW : EV_INSIDE;
    if (!(pair->x_p < 1 && e->x < 1 && e->z >= s->z[0] && e->z <= s->z[1] && pair->P >= s->K[0] &&
          pair->P <= s->K[1]))
        return 0;
    /* both labels, both signs of the angle, 2 pi of the pair */
    return 8 * EV_PI * dy * dy * lnk * k * k * lnq * q * q * (EV_PI - least);
}

/* What a weight changes: Lambda, in whose logarithm T is linear, or mu. */
static cgct_status vary(const ev_pa *pa, const ev_event *e, const double at[6], double T,
                        const double xf[EV_PARTONS], double *value)
{
    const ev_pair *p = &e->pair;
    const int parton = p->id[0] == 21 ? EV_GLUON : EV_GLUON + p->id[0];
    double half[6], T_half;
    memcpy(half, at, sizeof half);
    half[5] /= 2;
    CGCT_TRY(pa->T(pa->of, (cgct_channel)p->channel, half, &T_half, NULL));
    value[LAMBDA_HALF] = T_half / T;
    value[LAMBDA_DOUBLE] = 2 - T_half / T;
    for (int up = 0; up < 2; up++) {
        const double mu = (up ? 2 : 0.5) * p->mu;
        double changed[EV_PARTONS];
        find_partons(pa, p->x_p, mu, changed);
        value[up ? MU_DOUBLE : MU_HALF] =
            changed[parton] / xf[parton] * ev_coupling_at(&pa->alpha_s, mu) / p->alpha_s;
    }
    return CGCT_OK;
}

/* Draws an event of the channel.  value: room for its weights, or NULL.  w < 0 where T < 0. */
static cgct_status draw(const ev_source *from, int channel, ev_random *r, trial *t, double *value,
                        cgct_err *err)
{
    const ev_pa *pa = from->pa;
    const double *x = from->setup->x;
    ev_event *e = &t->e;
    ev_pair *p = &e->pair;
    double v[DIMS], volume = 1 / pa->grid->share[channel], xf[EV_PARTONS], T = 0, bound = 0;
    memset(t, 0, sizeof *t);
    p->channel = channel;
    for (int d = 0; d < DIMS; d++) {
        const double u = CELLS * ev_uniform(r), *edge = pa->grid->edge[channel][d];
        const int i = t->cell[d] = (int)u;
        v[d] = edge[i] + (u - i) * (edge[i + 1] - edge[i]);
        volume *= CELLS * (edge[i + 1] - edge[i]);
    }
    const int other = ev_uniform(r) < 0.5, below = ev_uniform(r) < 0.5;
    t->accept = ev_uniform(r);
    t->flavour = ev_uniform(r);
    const double measure = volume * place_event(from, v, other, e);
    if (!(measure > 0)) return CGCT_OK;
    if (below) p->angle = -p->angle;
    p->mu = pa->mu > 0 ? pa->mu : pa->mu < 0 ? p->P : fmax(p->k[0], p->k[1]);
    p->alpha_s = ev_coupling_at(&pa->alpha_s, p->mu);
    t->pdf_edge = find_partons(pa, p->x_p, p->mu, xf);
    const double f = sum_partons(pa, channel, xf);
    if (!(f > 0)) return CGCT_OK;
    const double at[6] = {
        fmin(fmax(e->x, x[0]), x[1]), e->z, p->k[0], p->k[1], fabs(p->angle), pa->Lambda};
    const cgct_status st = pa->T(pa->of, (cgct_channel)channel, at, &T, value ? &bound : NULL);
    if (st == CGCT_E_RANGE) return CGCT_OK;
    if (st != CGCT_OK && st != CGCT_E_NEGATIVE)
        return cgct_fail(err, st, "T at x = %.9g, z = %.9g, k1 = %.9g, k2 = %.9g, angle %.9g: %s",
                         at[0], at[1], at[2], at[3], at[4], cgct_strerror(st));
    /* either of two gluons may be parton 1, so that each pair is drawn twice */
    const double factor =
        cgct_pa_factor((cgct_channel)channel, e->z) / (channel == CGCT_GG ? 2 : 1);
    t->w = EV_PB * from->setup->S_perp * measure * factor * f * p->alpha_s * T;
    choose_flavour(pa, xf, t->flavour, p);
    if (!value || ev_copies(from, &t->e, t->w, t->accept) < 1) return CGCT_OK;
    e->value = value;
    ev_bound_weights(T, bound, value + BOUND_LOW);
    return vary(pa, e, at, T, xf, value);
}

cgct_status ev_pa_trials(const ev_source *from, ev_random *r, ev_batch *b)
{
    const ev_pa *pa = from->pa;
    for (size_t i = 0; i < EV_BLOCK; i++) {
        trial t;
        double *value = b->values ? b->values + i * WEIGHTS : NULL, u = ev_uniform(r);
        int channel = 0;
        while (channel + 1 < pa->channels && u >= pa->grid->share[channel])
            u -= pa->grid->share[channel++];
        CGCT_TRY(draw(from, channel, r, &t, value, &b->err));
        const double w = ev_count(from, &t.e, t.w, t.e.pair.channel, &b->sums);
        if (t.pdf_edge) b->sums.pdf_edge += w;
        t.e.weight = from->top > 0 ? 1 : t.w;
        for (int j = 0; j < ev_copies(from, &t.e, t.w, t.accept) && b->n < EV_ROOM; j++) {
            ev_event *e = &b->events[b->n++];
            *e = t.e;
            e->turn = 2 * EV_PI * ev_uniform(r);
            e->pair.mirror = ev_uniform(r) < 0.5;
            choose_flow(e, ev_uniform(r));
            b->sums.copies += j > 0;
        }
    }
    return CGCT_OK;
}

/* ---- the grid ---- */

/* New cells, each with the same part of the old ones' values, which are smoothed and damped. */
static void refine(double edge[CELLS + 1], const double value[CELLS])
{
    double part[CELLS], sum = 0, all = 0, next[CELLS + 1], done = 0;
    for (int i = 0; i < CELLS; i++) sum += value[i];
    if (!(sum > 0)) return;
    for (int i = 0; i < CELLS; i++) {
        const int lo = i ? i - 1 : 0, hi = i + 1 < CELLS ? i + 1 : i;
        const double m = (value[lo] + value[i] + value[hi]) / (3 * sum);
        all += part[i] = pow(m > 0 && m < 1 ? (m - 1) / log(m) : m, 0.8) + 1e-3 / CELLS;
    }
    next[0] = 0;
    next[CELLS] = 1;
    for (int i = 0, j = 1; i < CELLS && j < CELLS; i++) {
        for (; j < CELLS && done + part[i] >= j * all / CELLS; j++)
            next[j] = edge[i] + (j * all / CELLS - done) / part[i] * (edge[i + 1] - edge[i]);
        done += part[i];
    }
    memcpy(edge, next, sizeof next);
}

cgct_status ev_pa_adapt(ev_pa *pa, const ev_source *from, cgct_err *err)
{
    static const uint64_t first = UINT64_C(1) << 61;
    const int n = pa->channels;
    double total = 0, rms[EV_KINDS];
    ev_pa_grid *g = pa->grid = (ev_pa_grid *)calloc(1, sizeof *g);
    if (!g) return cgct_fail(err, CGCT_E_NOMEM, "no memory for the grid");
    for (int c = 0; c < n; c++) {
        ev_random r;
        ev_random_start(&r, from->seed, first + (uint64_t)c);
        g->share[c] = 1;
        for (int d = 0; d < DIMS; d++)
            for (int i = 0; i <= CELLS; i++) g->edge[c][d][i] = (double)i / CELLS;
        for (int round = 0; round < ROUNDS; round++) {
            double value[DIMS][CELLS] = {{0}};
            rms[c] = 0;
            for (int i = 0; i < DRAWS * (round + 1); i++) {
                trial t;
                CGCT_TRY(draw(from, c, &r, &t, NULL, err));
                if (t.e.place != EV_INSIDE && !from->setup->freeze) continue;
                for (int d = 0; d < DIMS; d++) value[d][t.cell[d]] += t.w * t.w;
                rms[c] += t.w * t.w;
            }
            for (int d = 0; d < DIMS; d++) refine(g->edge[c][d], value[d]);
        }
        total += rms[c] = sqrt(rms[c]);
    }
    for (int c = 0; c < n; c++)
        g->share[c] = total > 0 ? 0.97 * rms[c] / total + 0.03 / n : 1.0 / n;
    return CGCT_OK;
}

void ev_pa_free(ev_pa *pa)
{
    ev_pdf_free(pa->pdf);
    ev_coupling_free(&pa->alpha_s);
    free(pa->grid);
}

cgct_status ev_pa_weights(ev_weights *w, cgct_err *err)
{
    static const char *const name[WEIGHTS] = {"bound_low",     "bound_high", "lambda_half",
                                              "lambda_double", "mu_half",    "mu_double"};
    *w = (ev_weights){.n = WEIGHTS};
    w->name = (char **)calloc(w->n + 1, sizeof *w->name);
    for (int i = 0; i < WEIGHTS; i++) {
        if (!w->name || !(w->name[i] = strdup(name[i])))
            return cgct_fail(err, CGCT_E_NOMEM, "no memory for names of weights");
        w->letters += strlen(name[i]);
    }
    return CGCT_OK;
}
