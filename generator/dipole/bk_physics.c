/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bk_physics.c: the physics of a BK solution: running coupling, kernel, initial conditions. */
#include <math.h>
#include <string.h>

#include "dipole/bk_impl.h"

#define GAMMA_START 200.0

static double fixed_value(const bk_alpha *a, double r2)
{
    (void)r2;
    return a->fixed;
}

static double fixed_ratio_m1(const bk_alpha *a, double x2, double w)
{
    (void)a, (void)x2, (void)w;
    return 0;
}

static double sharp_value(const bk_alpha *a, double r2)
{
    return 1 / (a->b * fmax(a->l_min, log(a->scale / r2)));
}

/* l_y - l_x = -log1p(w) where neither is frozen. */
static double sharp_ratio_m1(const bk_alpha *a, double x2, double w)
{
    const double lx = log(a->scale / x2), ly = lx - log1p(w);
    if (lx <= a->l_min && ly <= a->l_min) return 0;
    if (lx > a->l_min && ly > a->l_min) return -log1p(w) / lx;
    return (fmax(ly, a->l_min) - fmax(lx, a->l_min)) / fmax(lx, a->l_min);
}

/* l = c ln(frozen + p), p = (scale/r^2)^(1/c), frozen = e^(l_min/c), written with u = ln(p/frozen)
 * so that no power overflows. */
static double smooth_logarithm(const bk_alpha *a, double u)
{
    return a->l_min + a->c * (fmax(u, 0) + log1p(exp(-fabs(u))));
}

static double smooth_value(const bk_alpha *a, double r2)
{
    const double u = (log(a->scale / r2) - a->l_min) / a->c;
    return 1 / (a->b * smooth_logarithm(a, u));
}

/* (l_y - l_x)/c = ln[(frozen + p_y)/(frozen + p_x)] = ln[(e^-u + e^v)/(e^-u + 1)] with
 * e^v = p_y/p_x. */
static double smooth_ratio_m1(const bk_alpha *a, double x2, double w)
{
    const double u = (log(a->scale / x2) - a->l_min) / a->c, v = -log1p(w) / a->c;
    double rise;
    if (v > -0.5)
        rise = log1p(expm1(v) / (1 + exp(-u)));
    else
        rise = fmax(-u, v) + log1p(exp(-fabs(u + v))) - fmax(-u, 0) - log1p(exp(-fabs(u)));
    return a->c * rise / smooth_logarithm(a, u);
}

void bk_alpha_init(bk_alpha *a, const bk_coupling *o)
{
    *a = (bk_alpha){.scheme = o->scheme,
                    .equation = o->equation,
                    .Ksub = o->Ksub,
                    .kink = INFINITY,
                    .transition = INFINITY,
                    .b = (33 - 2 * o->Nf) / (12 * M_PI),
                    .scale = 4 * o->C2 / (o->Lambda * o->Lambda),
                    .c = o->c,
                    .fixed = o->alpha};
    if (o->scheme == BK_FIXED) {
        a->value = fixed_value;
        a->ratio_m1 = fixed_ratio_m1;
        return;
    }
    const int sharp = o->freeze == BK_SHARP;
    a->value = sharp ? sharp_value : smooth_value;
    a->ratio_m1 = sharp ? sharp_ratio_m1 : smooth_ratio_m1;
    a->l_min = 1 / (a->b * o->cap);
    *(sharp ? &a->kink : &a->transition) = sqrt(a->scale * exp(-a->l_min));
}

/* With q = alpha_x/alpha_y - 1 Balitsky's three terms are
 *     [r^2 + q (y^2 - x^2 + q y^2)/(1 + q)]/(x^2 y^2),   y^2 - x^2 = w x^2,
 * in which nothing cancels at x, y >> r. */
static double leading_bracket(const bk_alpha *a, double r2, double x2, double w)
{
    if (a->scheme == BK_SMALLEST) return a->value(a, fmin(r2, x2));
    if (a->scheme != BK_BALITSKY) return a->value(a, r2);
    const double q = a->ratio_m1(a, x2, w);
    return a->value(a, r2) * (1 + q * (w + q * (1 + w)) / (1 + q) * (x2 / r2));
}

/* J1(2 sqrt z)/sqrt z, and I1 for z < 0: Sum (-z)^k/(k! (k+1)!), which loses few digits below 4. */
static double double_logarithms(double z)
{
    if (z > 4) return j1(2 * sqrt(z)) / sqrt(z);
    double sum = 1, term = 1;
    for (int k = 1; k < 40 && fabs(term) > 1e-18; k++) {
        term *= -z / (k * (k + 1.0));
        sum += term;
    }
    return sum;
}

double bk_bracket(const bk_alpha *a, double r2, double x2, double w)
{
    const double leading = leading_bracket(a, r2, x2, w);
    if (a->equation != BK_RESUM) return leading;
    const double abar = 3 / M_PI * a->value(a, a->scheme == BK_PARENT ? r2 : fmin(r2, x2));
    const double lx = log(x2 / r2), z = abar * lx * (lx + log1p(w));
    return leading * double_logarithms(z) * exp(-abar * 11 / 12 * fabs(log(a->Ksub) - lx));
}

/* ln[1/(r Lambda) + ec e], as large r as there are. */
double bk_initial_lnGamma(const void *initial, double lnr)
{
    const bk_initial *o = initial;
    const double l = log(exp(-lnr) / o->Lambda + o->ec * M_E);
    return o->gamma * (2 * lnr + log(o->Qs0sq)) + log(l / 4);
}

/* From GAMMA_START on Gamma grows only like the logarithm of its logarithm: splitting into smaller
 * dipoles replaces such S at once, by factors that would overflow at a Gamma of 700. */
double bk_start_Gamma(const bk_profile *p, double lnr)
{
    const double Gamma = exp(p->lnGamma(p->of, lnr));
    return Gamma > GAMMA_START ? GAMMA_START * (1 + log1p(log(Gamma / GAMMA_START))) : Gamma;
}

#define LAMBDA 0.241
static const bk_set sets[] = {
    {"mv", {0.104, 1, 1, LAMBDA}, 14.5, 18.81},
    {"mve", {0.060, 1, 18.9, LAMBDA}, 7.2, 16.36},
    {"mvgamma", {0.165, 1.135, 1, LAMBDA}, 6.35, 16.45},
    {"bayes4", {0.06049, 1, 38.90, LAMBDA}, 4.604, 13.92},
    {"bayes5", {0.07654, 1.0135, 15.64, LAMBDA}, 4.468, 13.86},
    {"bayes4median", {0.06102, 1, 35.29, LAMBDA}, 4.973, 14.14},
    {"bayes5median", {0.06695, 1.0085, 27.51, LAMBDA}, 4.718, 13.97},
};

const bk_set *bk_set_named(const char *name)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(name, sets[i].name) == 0) return &sets[i];
    return NULL;
}

/* Any cap > 0 keeps the logarithm positive.  Nf, cap, c, Ksub: those of the published fits. */
cgct_status bk_opts_check(bk_opts *o, cgct_err *err)
{
    bk_coupling *k = &o->coupling;
    bk_initial *s = &o->initial;
    const struct {
        const char *name;
        double *value, standard, min, max;
    } limits[] = {{"Qs0sq", &s->Qs0sq, 0.104, 1e-3, 100},
                  {"gamma", &s->gamma, 1, 0.5, 2},
                  {"ec", &s->ec, 1, 0.5, 1e3},
                  {"Lambda", &s->Lambda, LAMBDA, 0.01, 1},
                  {"Lambda of alpha_s", &k->Lambda, LAMBDA, 0.01, 1},
                  {"C2", &k->C2, 14.5, 1e-2, 1e4},
                  {"Nf", &k->Nf, 3, 1, 6},
                  {"alpha", &k->alpha, 0.2, 1e-3, 1},
                  {"cap", &k->cap, 0.7, 0.05, 2},
                  {"c", &k->c, 0.2, 0.05, 2},
                  {"Ksub", &k->Ksub, 0.65, 0.05, 20},
                  {"Ymax", &o->Ymax, 7, 1e-3, 30},
                  {"refine", &o->refine, 1, 0.25, 4}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double *value = limits[i].value;
        if (*value == 0) *value = limits[i].standard;
        if (!(*value >= limits[i].min && *value <= limits[i].max))
            return cgct_fail(err, CGCT_E_CONFIG,
                             "dipole bk: %s = %.9g, allowed is %.9g to %.9g; set it there or leave "
                             "it out (default %.9g)",
                             limits[i].name, *value, limits[i].min, limits[i].max,
                             limits[i].standard);
    }
    return CGCT_OK;
}
