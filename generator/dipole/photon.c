/* SPDX-License-Identifier: GPL-3.0-or-later */
/* photon.c: the integrals of photon.h.
 *
 * For each z the integral over r depends on eps alone.  It is a Gauss-Legendre sum in ln r up to
 * the radius where S is below rounding, with the dipole taken once at its nodes for all z, Q2 and
 * masses, and beyond that radius, where 1 - S = 1, it has a closed form.  The one over z is a sum
 * of equal steps in t = ln(z/(1-z)): for Re eps > 0 the integrand is analytic up to Im t = pi, so
 * that steps h leave e^(-2 pi^2/h). */
#include "dipole/photon.h"

#include <math.h>
#include <stdlib.h>

#include "numerics/bessel.h"
#include "numerics/memory.h"
#include "numerics/quadrature.h"

/* Panels in ln r end at the knots of the dipole and are no wider than PANEL_WIDTH; up to
 * PANEL_NARROW they need fewer nodes.  The last one ends where S is below e^-40. */
#define PANEL_WIDTH 0.5
#define PANEL_NARROW 0.2
#define LAST_LN_S (-40)
#define LAST_R_MAX 1e20
#define Z_STEP 0.25 /* in t */
enum { Z_STEPS = 200, BLOCK = 256 };
#define K_LAST 40 /* K0^2 is e^-80 of what it is near 1 */
#define COLOURS 3.0

/* The finer rule and the one that it is compared with, which differs in all that is cut off, too:
 * nodes of a panel, the first r (1/GeV; the integrand falls as r^2 below 1/Q), and which steps are
 * taken in z up to which one (z < e^-t contributes some e^-t Q2/Qs2 of T). */
enum { RULES = 2 };
static const struct {
    int wide, narrow, step, steps;
    double first;
} resolution[RULES] = {{14, 7, 1, Z_STEPS, 1e-11}, {10, 5, 2, Z_STEPS * 3 / 4, 1e-10}};

typedef struct {
    quad_rule r;       /* ln r, later r; weights, later with 2 pi r^2 2 (1 - S) */
    double *inelastic; /* (r.n) weights with 2 pi r^2 (1 - S^2) */
} photon_rule;

struct photon_dipole {
    photon_rule rule[RULES];
    double last; /* r from which on S = 0 */
};

/* Int r dr 2 pi {K0^2, eps^2 K1^2} times 2 (1 - S) and 1 - S^2 at one eps. */
typedef struct {
    double K0[2], K1[2];
} photon_radial;

/* ---- the dipole at the nodes ---- */

static cgct_status find_last(const dipole *d, double *last, cgct_err *err)
{
    double L = 0, r = 1 / sqrt(d->Qs2);
    for (; r < LAST_R_MAX; r *= 1.5) {
        L = dipole_lnS_at(d, r * r);
        if (L < LAST_LN_S) {
            *last = fmax(*last, r);
            return CGCT_OK;
        }
    }
    return cgct_fail(err, CGCT_E_ACCURACY,
                     "S = %g at r = %g/GeV, where it must vanish; no total cross section", exp(L),
                     r);
}

/* Appends one part of the source to both rules. */
static void take_part(photon_dipole *p, const dipole *d, double share)
{
    quad_gauss wide, narrow;
    for (int i = 0; i < RULES; i++) {
        photon_rule *rule = &p->rule[i];
        const size_t from = rule->r.n;
        quad_gauss_init(&wide, resolution[i].wide);
        quad_gauss_init(&narrow, resolution[i].narrow);
        for (double r = resolution[i].first, end; r < p->last; r = end) {
            end = fmin(dipole_next_knot(d, r), p->last);
            const double a = log(r), b = log(end);
            quad_append(&rule->r, b - a < PANEL_NARROW ? &narrow : &wide, a, b, PANEL_WIDTH);
        }
        const size_t n = rule->r.n;
        rule->inelastic = memory_resize(rule->inelastic, n, sizeof *rule->inelastic);
        for (size_t k = from; k < n; k++) {
            const double r = exp(rule->r.x[k]), r2 = r * r, L = dipole_lnS_at(d, r2);
            const double measure = share * rule->r.w[k] * 2 * M_PI * r2;
            rule->r.x[k] = r;
            rule->r.w[k] = measure * -2 * expm1(L);
            rule->inelastic[k] = measure * -expm1(2 * L);
        }
    }
}

cgct_status photon_init(photon_dipole **p, const dipole_source *src, double x, cgct_err *err)
{
    const size_t parts = dipole_source_parts(src);
    dipole **d = memory_zeros(parts, sizeof(*d));
    cgct_status st = CGCT_OK;
    double share;
    *p = memory_zeros(1, sizeof **p);
    for (size_t i = 0; i < parts && st == CGCT_OK; i++) {
        st = dipole_init(&d[i], dipole_source_part(src, i, &share), x, err);
        if (st == CGCT_OK) st = find_last(d[i], &(*p)->last, err);
    }
    for (size_t i = 0; i < parts && st == CGCT_OK; i++) {
        dipole_source_part(src, i, &share);
        take_part(*p, d[i], share);
    }
    for (size_t i = 0; i < parts; i++) dipole_free(d[i]);
    free(d);
    return st;
}

void photon_free(photon_dipole *p)
{
    for (int i = 0; p && i < RULES; i++) {
        quad_free(&p->rule[i].r);
        free(p->rule[i].inelastic);
    }
    free(p);
}

/* ---- the integrals ---- */

static photon_radial integrate_r(const photon_rule *rule, double last, double eps)
{
    double u[BLOCK], K0[BLOCK], K1[BLOCK];
    photon_radial I = {{0, 0}, {0, 0}};
    for (size_t first = 0; first < rule->r.n; first += BLOCK) {
        const size_t n = rule->r.n - first < BLOCK ? rule->r.n - first : BLOCK;
        const double *r = rule->r.x + first;
        const double *total = rule->r.w + first, *inelastic = rule->inelastic + first;
        if (eps * fmin(r[0], r[n - 1]) > K_LAST) continue;
        for (size_t i = 0; i < n; i++) u[i] = eps * r[i];
        bessel_K01(n, u, K0, K1);
        for (size_t i = 0; i < n; i++) {
            I.K0[0] += K0[i] * K0[i] * total[i];
            I.K0[1] += K0[i] * K0[i] * inelastic[i];
            I.K1[0] += K1[i] * K1[i] * total[i];
            I.K1[1] += K1[i] * K1[i] * inelastic[i];
        }
    }
    /* Int_R^inf r dr K0^2 = R^2/2 (K1^2 - K0^2), and with v = eps R that of K1^2 is
     * R^2/2 (K0^2 - K1^2 + 2 K0 K1/v); 2 (1 - S) = 2, 1 - S^2 = 1 */
    const double v = eps * last, half = M_PI * last * last;
    bessel_K01(1, &v, K0, K1);
    const double flat = half * (K1[0] - K0[0]) * (K1[0] + K0[0]);
    const double steep =
        eps * eps * half * ((K0[0] - K1[0]) * (K0[0] + K1[0]) + 2 * K0[0] * K1[0] / v);
    for (int i = 0; i < 2; i++) {
        I.K0[i] += (2 - i) * flat;
        I.K1[i] = eps * eps * I.K1[i] + (2 - i) * steep;
    }
    return I;
}

static photon_value integrate_z(const photon_dipole *p, int which, double Q2, double mass)
{
    photon_radial I[Z_STEPS];
    const int step = resolution[which].step, steps = resolution[which].steps;
    double sum[2][2] = {{0, 0}, {0, 0}};
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < steps; i += step) {
        const double t = Z_STEP * i, y = 1 / (1 + exp(t)), zy = y * (1 - y);
        I[i] = integrate_r(&p->rule[which], p->last, sqrt(zy * Q2 + mass * mass));
    }
    for (int i = 0; i < steps; i += step) {
        const double t = Z_STEP * i, y = 1 / (1 + exp(t)), zy = y * (1 - y);
        /* z and 1 - z contribute alike; dz = z (1-z) dt */
        const double w = COLOURS / (2 * M_PI * M_PI) * Z_STEP * step * zy * (i ? 2 : 1);
        for (int part = 0; part < 2; part++) {
            sum[part][0] += w * ((1 - 2 * zy) * I[i].K1[part] + mass * mass * I[i].K0[part]);
            sum[part][1] += w * 4 * Q2 * zy * zy * I[i].K0[part];
        }
    }
    return (photon_value){sum[0][0], sum[0][1], sum[1][0], sum[1][1]};
}

/* Of a NaN infinity. */
static double relative_difference(double a, double b)
{
    const double relative = a == b ? 0 : fabs(a - b) / fabs(a);
    return relative >= 0 ? relative : INFINITY;
}

cgct_status photon_evaluate(const photon_dipole *p, double Q2, double mass, photon_value *X,
                            double *difference, cgct_err *err)
{
    if (!(Q2 >= 0 && Q2 <= PHOTON_Q2_MAX && mass >= 0 && mass <= PHOTON_MASS_MAX))
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "Q2 = %g GeV^2, mass = %g GeV; want 0 to %g and 0 to %g", Q2, mass,
                         PHOTON_Q2_MAX, PHOTON_MASS_MAX);
    if (Q2 == 0 && mass == 0)
        return cgct_fail(err, CGCT_E_DOMAIN,
                         "Q2 = 0 with a massless quark: the cross section is infinite; give it a "
                         "mass");
    *X = integrate_z(p, 0, Q2, mass);
    const photon_value other = integrate_z(p, 1, Q2, mass);
    *difference = fmax(fmax(relative_difference(X->T, other.T), relative_difference(X->L, other.L)),
                       fmax(relative_difference(X->inelastic_T, other.inelastic_T),
                            relative_difference(X->inelastic_L, other.inelastic_L)));
    if (*difference <= PHOTON_ACCURACY) return CGCT_OK;
    return cgct_fail(
        err, CGCT_E_ACCURACY,
        "two quadratures of the photon's cross section differ by %.1e at Q2 = %g "
        "GeV^2, mass %g GeV; want %.0e: the scale of the dipole is too far from theirs",
        *difference, Q2, mass, PHOTON_ACCURACY);
}
