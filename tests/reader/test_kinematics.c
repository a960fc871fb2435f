/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fluxes of photons, and the kinematics of a dijet: its invariants follow a second time from the
 * four-momenta. */
#include <float.h>
#include <string.h>

#include "check_rel.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define ALPHA (1 / 137.036)
#define TOL_ROUNDING (64 * DBL_EPSILON) /* of the squares of energies */

/* ---- fluxes ---- */

/* Int dQ2 f_T up to 1 GeV^2 in closed form. */
static double flux_integral(double y, double mass, double least)
{
    const double all = (1 + (1 - y) * (1 - y)) * -log(least);
    return ALPHA / (2 * M_PI * y) * (all - 2 * mass * mass * y * y * (1 / least - 1));
}

/* By Simpson's rule in ln Q2. */
static double flux_sum(double y, double mass, double least)
{
    enum { N = 2000 };
    double sum = 0, flux[2];
    for (int i = 0; i <= N; i++) {
        const double Q2 = i == 0 ? least : pow(least, 1 - (double)i / N);
        ck_assert_int_eq(cgct_dis_fluxes(ALPHA, y, Q2, mass, flux), CGCT_OK);
        sum += (i % N == 0 ? 1 : i % 2 ? 4 : 2) * Q2 * flux[CGCT_T];
    }
    return sum * -log(least) / (3 * N);
}

START_TEST(fluxes)
{
    static const double inelasticity[3] = {0.1, 0.3, 0.6};
    const double m = CGCT_ELECTRON_MASS;
    double flux[2];
    for (int i = 0; i < 3; i++) {
        const double y = inelasticity[i], least = m * m * y * y / (1 - y);
        CHECK_REL(flux_sum(y, m, least), flux_integral(y, m, least), 1e-10);
    }
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 0.25, 4, 0, flux), CGCT_OK);
    CHECK_REL(flux[CGCT_T], ALPHA / (2 * M_PI) * (1 + 0.5625), TOL_ROUNDING);
    CHECK_REL(flux[CGCT_L], ALPHA / M_PI * 0.75, TOL_ROUNDING);
}
END_TEST

START_TEST(fluxes_refuse)
{
    const double m = 0.1, least = m * m * 0.25 / 0.5, bad[] = {NAN, INFINITY, -INFINITY, -1};
    double flux[2];
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 0.5, least, m, flux), CGCT_OK);
    CHECK_REL(flux[CGCT_T], ALPHA / (M_PI * least) * 0.25, TOL_ROUNDING);
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 0.5, least * (1 - 1e-11), m, flux), CGCT_E_DOMAIN);
    ck_assert(isnan(flux[0]) && isnan(flux[1]));
    for (int i = 0; i < 4; i++)
        for (int a = 0; a < 4; a++) {
            double v[4] = {ALPHA, 0.5, 4, m};
            v[a] = bad[i];
            ck_assert_int_eq(cgct_dis_fluxes(v[0], v[1], v[2], v[3], flux), CGCT_E_DOMAIN);
            ck_assert(isnan(flux[0]) && isnan(flux[1]));
        }
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 0.5, 0, 0, flux), CGCT_E_DOMAIN);
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 1, 4, 0, flux), CGCT_E_DOMAIN);
    ck_assert_int_eq(cgct_dis_fluxes(0, 0.5, 4, 0, flux), CGCT_E_DOMAIN);
    ck_assert_int_eq(cgct_dis_fluxes(ALPHA, 0.5, 4, 0, NULL), CGCT_E_USAGE);
}
END_TEST

/* ---- four-momenta (px, py, pz, E) ---- */

typedef struct {
    double v[4];
} vector;

static double dot(vector a, vector b)
{
    double sum = a.v[3] * b.v[3];
    for (int i = 0; i < 3; i++) sum -= a.v[i] * b.v[i];
    return sum;
}

/* a + c b */
static vector add(vector a, double c, vector b)
{
    for (int i = 0; i < 4; i++) a.v[i] += c * b.v[i];
    return a;
}

/* What is left of p without its parts along the light-like n and P. */
static vector across(vector p, vector n, vector P)
{
    const double unit = dot(n, P);
    return add(add(p, -dot(p, P) / unit, n), -dot(p, n) / unit, P);
}

typedef struct {
    cgct_dijet in;
    cgct_variables out;
    vector p[CGCT_PARTICLES], P, photon, n;
    double tolerance; /* of invariants: rounding of the squares of the energies in them */
} collision;

static collision collide(const cgct_dijet *d)
{
    collision c;
    double p[CGCT_PARTICLES][4], most = d->target;
    c.in = *d;
    ck_assert_int_eq(cgct_dijet_variables(d, &c.out), CGCT_OK);
    ck_assert_int_eq(cgct_dijet_momenta(d, p), CGCT_OK);
    for (int i = 0; i < CGCT_PARTICLES; i++) {
        memcpy(c.p[i].v, p[i], sizeof p[i]);
        most = fmax(most, fabs(p[i][3]));
    }
    c.P = (vector){{0, 0, d->target, d->target}};
    c.photon = add(c.p[CGCT_LEPTON_IN], -1, c.p[CGCT_LEPTON]);
    c.n = add(c.photon, d->Q2 / (2 * dot(c.photon, c.P)), c.P);
    c.tolerance = TOL_ROUNDING * most * most;
    return c;
}

static void check_beams(const collision *c)
{
    const double m = c->in.lepton_mass, Pl = dot(c->P, c->p[CGCT_LEPTON_IN]);
    CHECK_REL(c->p[CGCT_LEPTON_IN].v[3], c->in.lepton, TOL_ROUNDING);
    CHECK_REL(c->p[CGCT_LEPTON_IN].v[2], -sqrt(c->in.lepton * c->in.lepton - m * m), TOL_ROUNDING);
    ck_assert(c->p[CGCT_LEPTON_IN].v[0] == 0 && c->p[CGCT_LEPTON_IN].v[1] == 0);
    CHECK_ABS(-dot(c->photon, c->photon), c->in.Q2, TOL_ROUNDING * c->in.lepton * c->in.lepton);
    CHECK_ABS(dot(c->P, c->photon) / Pl, c->out.y, c->tolerance / Pl);
    if (c->in.y > 0) ck_assert(c->out.y == c->in.y);
    const vector all = add(c->P, 1, c->photon);
    CHECK_ABS(dot(all, all), c->out.W * c->out.W, c->tolerance);
    const double *l = c->p[CGCT_LEPTON].v, pt2 = l[0] * l[0] + l[1] * l[1], y = c->out.y;
    CHECK_ABS(pt2, (1 - y) * c->in.Q2 - m * m * y * y, TOL_ROUNDING * c->in.Q2);
    if (pt2 > 1e-9 * c->in.Q2) CHECK_ABS(cos(atan2(l[1], l[0]) - c->in.turn), 1, TOL_ROUNDING);
}

static void check_masses(const collision *c)
{
    const double m = c->in.mass, ml = c->in.lepton_mass;
    const double mass[CGCT_PARTICLES] = {0, ml, ml, m, m};
    for (int i = CGCT_LEPTON_IN; i < CGCT_PARTICLES; i++)
        CHECK_ABS(dot(c->p[i], c->p[i]), mass[i] * mass[i], c->tolerance);
    CHECK_ABS(dot(c->p[CGCT_GLUON], c->p[CGCT_GLUON]), -c->out.q * c->out.q, c->tolerance);
    vector rest = add(c->p[CGCT_GLUON], 1, c->photon);
    rest = add(add(rest, -1, c->p[CGCT_QUARK]), -1, c->p[CGCT_ANTIQUARK]);
    for (int i = 0; i < 4; i++) CHECK_ABS(rest.v[i], 0, sqrt(TOL_ROUNDING * c->tolerance));
}

/* Shares of the photon's momentum, and momenta across it. */
static void check_partons(const collision *c)
{
    const vector pair = add(c->p[CGCT_QUARK], 1, c->p[CGCT_ANTIQUARK]);
    const double Pn = dot(c->P, c->n), part = c->tolerance / Pn, *k1 = c->in.k1, *k2 = c->in.k2;
    const double z = c->in.z, K[2] = {(1 - z) * k1[0] - z * k2[0], (1 - z) * k1[1] - z * k2[1]};
    CHECK_ABS(dot(c->P, c->p[CGCT_QUARK]) / Pn, z, part);
    CHECK_ABS(dot(c->P, c->p[CGCT_ANTIQUARK]) / Pn, 1 - z, part);
    CHECK_ABS(dot(c->P, c->p[CGCT_GLUON]) / Pn, 0, part);
    CHECK_ABS(dot(c->n, c->p[CGCT_GLUON]) / Pn, c->out.x, part);
    CHECK_ABS((c->in.Q2 + dot(pair, pair) - dot(c->p[CGCT_GLUON], c->p[CGCT_GLUON])) / (2 * Pn),
              c->out.x, part);
    CHECK_ABS(dot(pair, pair), c->out.M2, c->tolerance);
    const double room = sqrt(TOL_ROUNDING * c->tolerance);
    for (int i = 0; i < 2; i++) {
        const vector one = across(c->p[CGCT_QUARK], c->n, c->P);
        const vector two = across(c->p[CGCT_ANTIQUARK], c->n, c->P);
        const vector q = across(c->p[CGCT_GLUON], c->n, c->P);
        CHECK_ABS(one.v[i], k1[i], room);
        CHECK_ABS(two.v[i], k2[i], room);
        CHECK_ABS(q.v[i], k1[i] + k2[i], room);
        CHECK_ABS(-dot(one, one), k1[0] * k1[0] + k1[1] * k1[1], c->tolerance);
        CHECK_ABS(-dot(one, q), c->out.k1 * c->out.q * cos(c->out.theta), c->tolerance);
    }
    const double q[2] = {k1[0] + k2[0], k1[1] + k2[1]};
    CHECK_ABS(c->out.K * c->out.q * cos(c->out.phi), K[0] * q[0] + K[1] * q[1], 1e-13);
    CHECK_ABS(c->out.K * c->out.q * sin(c->out.phi), q[0] * K[1] - q[1] * K[0], 1e-13);
    CHECK_ABS(c->out.k1 * c->out.q * sin(c->out.theta), q[0] * k1[1] - q[1] * k1[0], 1e-13);
    CHECK_REL(c->out.eps * c->out.eps, z * (1 - z) * c->in.Q2 + c->in.mass * c->in.mass,
              TOL_ROUNDING);
}

/* Electrons without and with a mass; Q2 = 4, its least and (without the mass) 0; y, or W. */
START_TEST(invariants)
{
    const double mass[] = {0, 0.14, 1.4, 4.75}, ml = _i % 2 ? CGCT_ELECTRON_MASS : 0;
    for (int place = 0; place < 24; place++) {
        const double y = 0.6, least = ml * y * ml * y / (1 - y);
        const int real = place % 3 == 0, by_W = place % 2;
        cgct_dijet d = {.lepton = 18, .target = 275, .lepton_mass = ml, .y = y, .z = 0.3};
        d.Q2 = real ? least : place % 3 == 1 ? 4 : 1e-4;
        d.mass = mass[place / 6];
        d.k1[0] = 3.1;
        d.k1[1] = -1.2 + 0.3 * place;
        d.k2[0] = -2.6;
        d.k2[1] = 0.9;
        d.turn = 2 - 0.4 * place;
        if (by_W) { /* the same, up to what rounding makes of the least Q2 */
            cgct_variables v;
            ck_assert_int_eq(cgct_dijet_variables(&d, &v), CGCT_OK);
            d.W = v.W;
            d.y = 0;
            if (real) d.Q2 *= 1 + 1e-10;
        }
        const collision c = collide(&d);
        CHECK_REL(c.out.y, y, 1e-12);
        check_beams(&c);
        check_masses(&c);
        check_partons(&c);
    }
}
END_TEST

static void refuses(cgct_dijet d)
{
    cgct_variables v;
    double p[CGCT_PARTICLES][4];
    ck_assert_int_eq(cgct_dijet_variables(&d, &v), CGCT_E_DOMAIN);
    ck_assert(isnan(v.x) && isnan(v.phi));
    ck_assert_int_eq(cgct_dijet_momenta(&d, p), CGCT_E_DOMAIN);
    ck_assert(isnan(p[0][0]) && isnan(p[CGCT_PARTICLES - 1][3]));
}

START_TEST(kinematics_refuse)
{
    const cgct_dijet good = {18, 275, 0.5e-3, 4, 0.6, 0, 0.3, 1.4, {3, 1}, {-2, 1}, 0.5};
    enum { NUMBERS = sizeof good / sizeof(double) };
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
    cgct_variables v;
    for (int a = 0; a < NUMBERS; a++)
        for (int i = 0; i < 4; i++) {
            double number[NUMBERS];
            cgct_dijet d;
            memcpy(number, &good, sizeof good);
            number[a] = bad[i];
            memcpy(&d, number, sizeof d);
            if (a != 5) refuses(d); /* W, where y is given */
            d.y = 0;
            refuses(d);
        }
    cgct_dijet d = good;
    refuses((d.lepton_mass = 18, d));
    refuses((d = good, d.Q2 = 0, d));
    refuses((d = good, d.Q2 = 0.36 * 0.25e-6 / 0.4 * (1 - 1e-10), d));
    refuses((d = good, d.y = 1, d));
    refuses((d = good, d.y = 0, d));
    refuses((d = good, d.z = 0, d));
    refuses((d = good, d.z = 1, d));
    refuses((d = good, d.mass = -1, d));
    refuses((d = good, d.Q2 = 4 * 18 * 275 * 0.6, d));
    ck_assert_int_eq(cgct_dijet_variables(NULL, &v), CGCT_E_USAGE);
    ck_assert(isnan(v.x));
    ck_assert_int_eq(cgct_dijet_variables(&good, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_dijet_momenta(&good, NULL), CGCT_E_USAGE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kinematics");
    TCase *c = tcase_create("kinematics");
    tcase_add_test(c, fluxes);
    tcase_add_test(c, fluxes_refuse);
    tcase_add_loop_test(c, invariants, 0, 2);
    tcase_add_test(c, kinematics_refuse);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
