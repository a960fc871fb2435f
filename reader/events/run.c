/* SPDX-License-Identifier: MIT */
/* Trials of cgctab-events in blocks, each with random numbers of its own: the events of a block do
 * not depend on which thread computes it. */
#include <math.h>

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

static double held_in(double v, const double range[2])
{
    return fmin(fmax(v, range[0]), range[1]);
}

static int place_of(const ev_setup *s, const ev_event *e)
{
    if (e->x > s->x[1]) return EV_X_ABOVE;
    if (e->x < s->x[0]) return EV_X_BELOW;
    if (e->eps != held_in(e->eps, s->eps)) return EV_EPS;
    return e->q != held_in(e->q, s->q_table) ? EV_Q : EV_INSIDE;
}

/* dsigma over the density that was drawn, in pb; 0 outside of the cuts, below 0 where the dipole
 * gives no positive cross section. */
static double weigh(const ev_source *from, ev_random *r, ev_event *e)
{
    const ev_setup *s = from->setup;
    ev_point p;
    double I[2], factor[2], density = ev_grid_draw(from->grid, r, &p, &e->pol);
    const int other = ev_uniform(r) < 0.5, below = ev_uniform(r) < 0.5;
    *e = (ev_event){.Q2 = p.Q2,
                    .y = p.y,
                    .z = other ? 1 - p.zs : p.zs,
                    .q = p.q,
                    .k1 = p.k,
                    .theta = below ? -p.phi : p.phi,
                    .pol = e->pol};
    const double K = ev_K(&p);
    e->x = ev_x(s, &p);
    e->eps = sqrt(p.zs * (1 - p.zs) * p.Q2);
    e->place = place_of(s, e);
    if (e->z < s->z[0] || e->z > s->z[1] || K < s->K[0] || K > s->K[1]) return 0;
    if (e->place != EV_INSIDE && !s->freeze) return 0;
    const double x = held_in(e->x, s->x), eps = held_in(e->eps, s->eps);
    if (cgct_eval(from->table, x, eps, p.q, p.k, p.phi, I) != CGCT_OK) return 0;
    ev_factors(s, &p, factor);
    if (other) { /* the quark is the one with the longer momentum */
        double along = e->q - e->k1 * cos(e->theta), across = -e->k1 * sin(e->theta);
        e->k1 = sqrt(along * along + across * across);
        e->theta = atan2(across, along);
    }
    /* both labels, both signs of the angle, 2 pi of q; dy dQ2 d2q d2k from the logarithms */
    double measure = 8 * EV_PI * p.Q2 * p.y * p.q * p.q * p.k * p.k;
    return EV_PB * measure * factor[e->pol] * I[e->pol] / density;
}

static int draw_flavour(int flavours, double u)
{
    static const int id[10] = {2, 2, 2, 2, 1, 3, 4, 4, 4, 4}; /* by the squares of the charges */
    return id[(int)(u * (flavours > 3 ? 10 : 6))];
}

size_t ev_block(const ev_source *from, uint64_t block, ev_event *events, ev_sums *sums)
{
    ev_random r;
    size_t n = 0;
    ev_random_start(&r, from->seed, block);
    for (int i = 0; i < EV_BLOCK; i++) {
        ev_event e;
        double w = weigh(from, &r, &e), top = from->top, u = ev_uniform(&r);
        sums->trials++;
        if (w < 0) sums->negative -= w;
        if (w < 0) w = 0;
        sums->sum += w;
        sums->square += w * w;
        if (e.place != EV_INSIDE) sums->outside[e.place] += w;
        if (w > sums->most) sums->most = w;
        if (top > 0 && w > top) sums->above += w - top;
        int copies = top > 0 ? (int)(w / top + u) : w > 0;
        e.weight = top > 0 ? 1 : w;
        for (int j = 0; j < copies && n < EV_ROOM; j++) {
            e.flavour = draw_flavour(from->setup->flavours, ev_uniform(&r));
            e.turn = 2 * EV_PI * ev_uniform(&r);
            e.lepton = 2 * EV_PI * ev_uniform(&r);
            sums->copies += j > 0;
            events[n++] = e;
        }
    }
    return n;
}

void ev_cross_section(const ev_sums *s, double *sigma, double *error)
{
    double n = (double)s->trials, mean = s->sum / n;
    double variance = s->square / n - mean * mean;
    *sigma = mean;
    *error = sqrt((variance > 0 ? variance : 0) / (n - 1));
}
