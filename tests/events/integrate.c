/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate TABLE EE EP Q2LO Q2HI YLO YHI ZLO ZHI QLO QHI PT KLO KHI S_PERP CHARGES2 MASS: the
 * cross section in pb that cgctab-events must find, by plain Monte Carlo over cgct_dsigma with
 * power laws, until its statistical error is 1e-3.  Q2 begins at its kinematic minimum or above. */
#include <cgctab.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define ALPHA (1 / 137.036)
#define PICOBARN 0.3893793721e9 /* in one GeV^-2 */

enum { ROUND = 1 << 20, ROUNDS = 100 };

/* In the order of the arguments. */
typedef struct {
    double Ee, Ep, Q2[2], y[2], z[2], q[2], pt, K[2], S_perp, charges2, mass;
} card;
enum { NUMBERS = sizeof(card) / sizeof(double) };

/* splitmix64, in (0,1) */
static double uniform(uint64_t *state)
{
    uint64_t v = *state += UINT64_C(0x9e3779b97f4a7c15);
    v = (v ^ (v >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    v = (v ^ (v >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ((double)((v ^ (v >> 31)) >> 12) + 0.5) * 0x1p-52;
}

/* From a density proportional to v^-(power+1), by which *weight is divided. */
static double draw(uint64_t *state, const double range[2], double power, double *weight)
{
    double a = pow(range[0], -power), b = pow(range[1], -power);
    double v = pow(a + uniform(state) * (b - a), -1 / power);
    *weight *= (a - b) / power * pow(v, power + 1);
    return v;
}

/* The virtuality: photons without a lower limit have the density 1/Q2. */
static double draw_Q2(uint64_t *state, const card *c, double y, double *weight)
{
    const double m = CGCT_ELECTRON_MASS * y, least = m * m / (1 - y);
    const double range[2] = {fmax(c->Q2[0], least), c->Q2[1]};
    if (range[0] >= range[1]) return *weight = 0;
    return draw(state, range, c->Q2[0] > 0 ? 1 : 1e-4, weight);
}

/* The weight of one point: k of the quark is drawn where u < 1/2, of the antiquark else, and counts
 * where it is the shorter one. */
static double trial(const cgct_table *t, const cgct_info *info, const card *c, uint64_t *state)
{
    /* a range of K in place of pt asks for k from 0 on, and for most of them at K */
    const int by_K = c->pt < 0.3;
    const double soft = by_K ? 0.3 : c->mass, k_range[2] = {c->pt + soft, info->k_max + soft};
    double w = PICOBARN * PI * (c->z[1] - c->z[0]), dsigma[2], flux[2];
    cgct_dijet d = {.lepton = c->Ee, .target = c->Ep, .mass = c->mass};
    cgct_variables v;
    d.lepton_mass = CGCT_ELECTRON_MASS;
    d.y = draw(state, c->y, 0.5, &w);
    d.Q2 = draw_Q2(state, c, d.y, &w);
    double q = draw(state, c->q, 1, &w), k = draw(state, k_range, by_K ? 0.5 : 2, &w) - soft;
    double phi = PI * uniform(state);
    d.z = c->z[0] + (c->z[1] - c->z[0]) * uniform(state);
    double *shorter = uniform(state) < 0.5 ? d.k1 : d.k2, *other = shorter == d.k1 ? d.k2 : d.k1;
    shorter[0] = k * cos(phi);
    shorter[1] = k * sin(phi);
    other[0] = q - shorter[0];
    other[1] = -shorter[1];
    if (w == 0 || cgct_dijet_variables(&d, &v) != CGCT_OK) return 0;
    if (hypot(other[0], other[1]) < k || v.x < info->x[0] || v.x > info->x[1]) return 0;
    if (v.K < c->K[0] || v.K > c->K[1] || v.eps < info->eps[0] || v.eps > info->eps[1]) return 0;
    const cgct_dis dis = {ALPHA, c->charges2, c->S_perp, d.z, d.Q2, d.mass};
    if (cgct_dis_fluxes(ALPHA, d.y, d.Q2, d.lepton_mass, flux) != CGCT_OK ||
        cgct_dsigma(t, &dis, v.x, v.q, v.k1, v.theta, dsigma) != CGCT_OK) {
        fprintf(stderr, "integrate: no value at x %g eps %g q %g k1 %g\n", v.x, v.eps, v.q, v.k1);
        exit(1);
    }
    /* 2 pi of q, both signs of phi, both partons */
    return 8 * PI * q * k * w * (flux[CGCT_T] * dsigma[CGCT_T] + flux[CGCT_L] * dsigma[CGCT_L]);
}

static void integrate(const cgct_table *t, const card *c, double *mean, double *error)
{
    double sum = 0, square = 0, n = 0;
    uint64_t state = 20;
    cgct_info info;
    cgct_table_info(t, &info);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ROUND; i++) {
            double w = trial(t, &info, c, &state);
            sum += w;
            square += w * w;
        }
        n += ROUND;
        *mean = sum / n;
        *error = sqrt((square / n - *mean * *mean) / n);
        if (*error < 1e-3 * *mean) return;
    }
}

int main(int argc, char **argv)
{
    double number[NUMBERS], mean, error;
    card c;
    cgct_table *t;
    cgct_err err;
    if (argc != NUMBERS + 2)
        return fprintf(stderr, "integrate: the head of its source says how\n"), 2;
    for (int i = 0; i < NUMBERS; i++) number[i] = atof(argv[i + 2]);
    memcpy(&c, number, sizeof c);
    if (cgct_open(argv[1], &t, &err) != CGCT_OK) return fprintf(stderr, "%s\n", err.text), 1;
    integrate(t, &c, &mean, &error);
    printf("cross section  %.7g +- %.2g pb\n", mean, error);
    cgct_close(t);
    return 0;
}
