/* SPDX-License-Identifier: MIT */
/* Kinematics of e p -> e q qbar X with massless particles, and the photon's fluxes. */
#include <math.h>

#include "events.h"

double ev_K(const ev_point *p)
{
    double along = p->k * cos(p->phi) - p->zs * p->q, across = p->k * sin(p->phi);
    return sqrt(along * along + across * across);
}

double ev_x(const ev_setup *s, const ev_point *p)
{
    const double K = ev_K(p);
    return (p->Q2 + p->q * p->q + K * K / (p->zs * (1 - p->zs))) / (p->y * s->s);
}

double ev_phi_min(double q, double k)
{
    return q < 2 * k ? acos(q / (2 * k)) : 0;
}

void ev_k_range(const ev_setup *s, double range[2])
{
    const double z = fmax(fmax(s->z[0], 1 - s->z[0]), fmax(s->z[1], 1 - s->z[1]));
    range[0] = fmax(s->k[0], s->K[0] - z * s->q[1]);
    range[1] = fmin(s->k[1], sqrt(s->K[1] * s->K[1] + s->q[1] * s->q[1] / 4));
}

void ev_y_range(const ev_setup *s, double mass2, double range[2])
{
    range[0] = s->freeze ? s->y[0] : fmax(s->y[0], mass2 / (s->x[1] * s->s));
    range[1] = s->freeze ? s->y[1] : fmin(s->y[1], mass2 / (s->x[0] * s->s));
}

double ev_charge2(int flavours)
{
    return flavours > 3 ? 10.0 / 9 : 6.0 / 9;
}

void ev_factors(const ev_setup *s, double Q2, double z, double factor[2])
{
    const cgct_dis dis = {s->alpha_em, ev_charge2(s->flavours), s->S_perp, z, Q2};
    double eps;
    cgct_dis_factors(&dis, &eps, factor);
    for (int pol = 0; pol < 2; pol++) factor[pol] *= s->alpha_em / (2 * EV_PI * Q2);
}

void ev_fluxes(double y, double flux[2])
{
    flux[CGCT_T] = (1 + (1 - y) * (1 - y)) / y;
    flux[CGCT_L] = 2 * (1 - y) / y;
}

/* a + c b */
static ev_momentum sum_with(ev_momentum a, double c, ev_momentum b)
{
    for (int i = 0; i < 4; i++) a.v[i] += c * b.v[i];
    return a;
}

/* With its energy from the momentum: it is massless to rounding. */
static ev_momentum on_shell(ev_momentum p)
{
    p.v[3] = sqrt(p.v[0] * p.v[0] + p.v[1] * p.v[1] + p.v[2] * p.v[2]);
    return p;
}

/* The parton with the share z of the light-like direction n and transverse momentum (kx,ky) in the
 * frame where photon and proton collide head-on; frame: n, P and its two transverse directions. */
static ev_momentum parton(const ev_momentum frame[4], double z, double kx, double ky, double ys)
{
    ev_momentum p = {{0, 0, 0, 0}};
    p = sum_with(p, z, frame[0]);
    p = sum_with(p, (kx * kx + ky * ky) / (z * ys), frame[1]);
    p = sum_with(p, kx, frame[2]);
    return on_shell(sum_with(p, ky, frame[3]));
}

/* Sudakov decomposition with the beams' momenta l and P: the photon is y l - (Q2/s) P - l'_perp,
 * and n = photon + (Q2/(y s)) P is light-like. */
void ev_momenta(const ev_setup *s, const ev_event *e, ev_momentum p[EV_PARTICLES])
{
    const double ys = e->y * s->s, pt = sqrt((1 - e->y) * e->Q2);
    const double lx = pt * cos(e->lepton), ly = pt * sin(e->lepton);
    const ev_momentum l = {{0, 0, -s->electron, s->electron}}, P = {{0, 0, s->proton, s->proton}};
    ev_momentum out = {{lx, ly, 0, 0}}, n = {{-lx, -ly, 0, 0}};
    out = sum_with(sum_with(out, 1 - e->y, l), e->Q2 / s->s, P);
    n = sum_with(sum_with(n, e->y, l), e->Q2 / ys - e->Q2 / s->s, P);
    /* orthogonal to n and P */
    const ev_momentum ex = sum_with((ev_momentum){{1, 0, 0, 0}}, -2 * lx / ys, P);
    const ev_momentum ey = sum_with((ev_momentum){{0, 1, 0, 0}}, -2 * ly / ys, P);
    const ev_momentum frame[4] = {n, P, ex, ey};
    const double k1x = e->k1 * cos(e->theta + e->turn), k1y = e->k1 * sin(e->theta + e->turn);
    const double k2x = e->q * cos(e->turn) - k1x, k2y = e->q * sin(e->turn) - k1y;
    p[EV_ELECTRON_IN] = l;
    p[EV_ELECTRON] = on_shell(out);
    p[EV_QUARK] = parton(frame, e->z, k1x, k1y, ys);
    p[EV_ANTIQUARK] = parton(frame, 1 - e->z, k2x, k2y, ys);
    p[EV_GLUON] = sum_with(sum_with(p[EV_ELECTRON], 1, p[EV_QUARK]), 1, p[EV_ANTIQUARK]);
    p[EV_GLUON] = sum_with(p[EV_GLUON], -1, l);
}
