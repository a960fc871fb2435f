/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate TABLE EE EP Q2LO Q2HI YLO YHI ZLO ZHI QLO QHI PT KLO KHI S_PERP CHARGES2: the cross
 * section in pb that cgctab-events must find, by plain Monte Carlo over cgct_dsigma with power
 * laws, until its statistical error is 1e-3. */
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
    double Ee, Ep, Q2[2], y[2], z[2], q[2], pt, K[2], S_perp, charges2;
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

/* The weight of one point: k of the quark is drawn where u < 1/2, of the antiquark else, and counts
 * where it is the shorter one. */
static double trial(const cgct_table *t, const cgct_info *info, const card *c, uint64_t *state)
{
    /* a range of K in place of pt asks for k from 0 on, and for most of them at K */
    const double soft = c->pt < 0.3 ? 0.3 : 0, k_range[2] = {c->pt + soft, info->k_max + soft};
    double w = PICOBARN * PI * (c->z[1] - c->z[0]), d[2];
    double Q2 = draw(state, c->Q2, 1, &w), y = draw(state, c->y, 0.5, &w);
    double q = draw(state, c->q, 1, &w), k = draw(state, k_range, soft > 0 ? 0.5 : 2, &w) - soft;
    double z = c->z[0] + (c->z[1] - c->z[0]) * uniform(state), phi = PI * uniform(state);
    int of_quark = uniform(state) < 0.5;
    double other = sqrt(k * k + q * q - 2 * k * q * cos(phi));
    double k1 = of_quark ? k : other, k2 = of_quark ? other : k;
    double theta = of_quark ? phi : atan2(k * sin(phi), q - k * cos(phi));
    double x = (Q2 + k1 * k1 / z + k2 * k2 / (1 - z)) / (y * 4 * c->Ee * c->Ep);
    double eps = sqrt(z * (1 - z) * Q2), flux = ALPHA / (2 * PI * y * Q2);
    const cgct_dis dis = {ALPHA, c->charges2, c->S_perp, z, Q2};
    const double K = sqrt(k1 * k1 - 2 * z * q * k1 * cos(theta) + z * z * q * q);
    if (other < k || x < info->x[0] || x > info->x[1] || K < c->K[0] || K > c->K[1]) return 0;
    if (eps < info->eps[0] || eps > info->eps[1]) return 0;
    if (cgct_dsigma(t, &dis, x, q, k1, theta, d) != CGCT_OK) {
        fprintf(stderr, "integrate: no value at x %g eps %g q %g k1 %g\n", x, eps, q, k1);
        exit(1);
    }
    /* 2 pi of q, both signs of phi, both partons */
    return 8 * PI * q * k * w * flux *
           ((1 + (1 - y) * (1 - y)) * d[CGCT_T] + 2 * (1 - y) * d[CGCT_L]);
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
