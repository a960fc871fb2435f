/* SPDX-License-Identifier: MIT */
/* Kinematics of e p -> e q qbar X in the variables that are drawn; what cuts and table leave. */
#include <math.h>

#include "events.h"

const char ev_flavour_name[] = "?duscb";

double ev_charge2(int id)
{
    return (id % 2 ? 1.0 : 4.0) / 9;
}

double ev_K(const ev_point *p)
{
    double along = p->k * cos(p->phi) - p->zs * p->q, across = p->k * sin(p->phi);
    return sqrt(along * along + across * across);
}

double ev_mass2(const ev_point *p)
{
    const double K = ev_K(p);
    return p->q * p->q + (K * K + p->mass * p->mass) / (p->zs * (1 - p->zs));
}

double ev_phi_min(double q, double k)
{
    return q < 2 * k ? acos(q / (2 * k)) : 0;
}

int ev_in_z(const ev_setup *s, double z)
{
    return z >= s->z[0] && z <= s->z[1];
}

int ev_z_apart(const ev_setup *s)
{
    return s->z[1] < 0.5 || s->z[0] > 0.5;
}

void ev_k_range(const ev_setup *s, double range[2])
{
    const double z = fmax(fmax(s->z[0], 1 - s->z[0]), fmax(s->z[1], 1 - s->z[1]));
    range[0] = fmax(s->k[0], s->K[0] - z * s->q[1]);
    range[1] = fmin(s->k[1], sqrt(s->K[1] * s->K[1] + s->q[1] * s->q[1] / 4));
}

double ev_Q2_least(const ev_setup *s, double y)
{
    const double m = s->photons.real ? 0 : CGCT_ELECTRON_MASS * y;
    return fmax(s->Q2[0], m * m / (1 - y));
}

void ev_y_range(const ev_setup *s, double Q2, double mass2, double range[2])
{
    const double largest_x = s->freeze ? 1 : s->x[1];
    const double m2 = CGCT_ELECTRON_MASS * CGCT_ELECTRON_MASS;
    /* the photon's virtuality is Q2_min = (m_e y)^2/(1-y) or more: solved for y */
    const double largest_y = 2 * Q2 / (Q2 + sqrt(Q2 * (Q2 + 4 * m2)));
    range[0] = fmax(s->y[0], (Q2 + mass2) / (largest_x * s->s));
    range[1] = s->photons.real ? s->y[1] : fmin(s->y[1], largest_y);
    if (!s->freeze) range[1] = fmin(range[1], (Q2 + mass2) / (s->x[0] * s->s));
}

void ev_limits(const ev_setup *s, const ev_kind *kind, ev_ends *ends)
{
    const double m2 = kind->mass * kind->mass, Q2 = ev_Q2_least(s, s->y[0]);
    const double zz[2] = {s->z[0] * (1 - s->z[0]), s->z[1] * (1 - s->z[1])};
    const double widest = s->z[0] < 0.5 && s->z[1] > 0.5 ? 0.25 : fmax(zz[0], zz[1]);
    ends->eps[0] = sqrt(fmin(zz[0], zz[1]) * Q2 + m2);
    ends->eps[1] = sqrt(widest * s->Q2[1] + m2);
    ends->x = (Q2 + s->q[0] * s->q[0] + (s->K[0] * s->K[0] + m2) / widest) / (s->y[1] * s->s);
}

void ev_factors(const ev_setup *s, const ev_kind *kind, double Q2, double z, double factor[2][2])
{
    const cgct_dis dis = {s->alpha_em, kind->charges2, s->S_perp, z, Q2, kind->mass};
    double eps;
    cgct_dis_factors(&dis, &eps, factor);
}

double ev_densities(const ev_setup *s, double factor[2][2], double Q2, double y, double density[2])
{
    double f[2] = {0, 0};
    density[CGCT_T] = density[CGCT_L] = 0;
    if (s->photons.real)
        f[CGCT_T] = (s->both ? 2 : 1) * ev_photons_at(&s->photons, y) / Q2;
    else if (cgct_dis_fluxes(s->alpha_em, y, Q2, CGCT_ELECTRON_MASS, f) != CGCT_OK)
        return 0;
    const double flipped = f[CGCT_T] * factor[CGCT_T][CGCT_L];
    density[CGCT_T] = f[CGCT_T] * factor[CGCT_T][CGCT_T];
    density[CGCT_L] = flipped + f[CGCT_L] * factor[CGCT_L][CGCT_L];
    return density[CGCT_L] > 0 ? flipped / density[CGCT_L] : 0;
}

void ev_momenta(const ev_setup *s, const ev_event *e, double p[CGCT_PARTICLES][4])
{
    const double k1[2] = {e->k1 * cos(e->theta + e->turn), e->k1 * sin(e->theta + e->turn)};
    const cgct_dijet dijet = {.lepton = s->electron,
                              .target = s->proton,
                              .lepton_mass = s->photons.real ? 0 : CGCT_ELECTRON_MASS,
                              .Q2 = e->Q2,
                              .y = e->y,
                              .z = e->z,
                              .mass = e->mass,
                              .k1 = {k1[0], k1[1]},
                              .k2 = {e->q * cos(e->turn) - k1[0], e->q * sin(e->turn) - k1[1]},
                              .turn = e->lepton};
    cgct_dijet_momenta(&dijet, p);
}
