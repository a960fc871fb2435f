/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cross section of a photon on a dipole: values of mpmath, the sum rule of the inner table by
 * another rule, the massless limit, evolved dipoles with knots, the domain. */
#include "dipole/photon.h"

#include <stdio.h>

#include "chain.h"
#include "check_rel.h"
#include "inner/table.h"
#include "numerics/quadrature.h"
#include "open_ref.h"
#include "run_suite.h"

#define TOL_PHOTON 1e-8 /* photon.h */
#define TOL_RULES 1e-9  /* two resolutions, far above the error of the finer one */

static photon_value evaluate(const photon_dipole *p, double Q2, double mass, double *difference)
{
    cgct_err err = {""};
    photon_value X = {0};
    ck_assert_msg(photon_evaluate(p, Q2, mass, &X, difference, &err) == CGCT_OK, "%s", err.text);
    return X;
}

static photon_dipole *photon_at(const dipole_opts *o, double x)
{
    cgct_err err = {""};
    dipole_source *s = NULL;
    photon_dipole *p = NULL;
    ck_assert_msg(dipole_source_open(&s, o, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(photon_init(&p, s, x, &err) == CGCT_OK, "%s", err.text);
    dipole_source_close(s);
    return p;
}

static photon_dipole *gbw(double Qs2)
{
    return photon_at(&(dipole_opts){.kind = DIPOLE_GBW, .Q0 = sqrt(Qs2), .x0 = 1}, 1);
}

START_TEST(references)
{
    FILE *f = open_ref("f2.ref");
    char line[256];
    double Qs2, Q2, mass, dev, difference, worst = 0;
    photon_value want;
    int n = 0;
    for (; fgets(line, sizeof line, f); n++) {
        ck_assert_int_eq(sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf", &Qs2, &Q2, &mass, &want.T,
                                &want.L, &want.inelastic_T, &want.inelastic_L, &dev),
                         8);
        ck_assert_msg(dev < TOL_PHOTON / 100, "reference not good enough: %s", line);
        photon_dipole *p = gbw(Qs2);
        const photon_value X = evaluate(p, Q2, mass, &difference);
        photon_free(p);
        CHECK_REL(X.T, want.T, TOL_PHOTON);
        CHECK_REL(X.L, want.L, TOL_PHOTON);
        CHECK_REL(X.inelastic_T, want.inelastic_T, TOL_PHOTON);
        CHECK_REL(X.inelastic_L, want.inelastic_L, TOL_PHOTON);
        worst = larger_error(worst, fabs(X.T / want.T - 1));
        if (want.L > 0) worst = larger_error(worst, fabs(X.L / want.L - 1));
    }
    fclose(f);
    printf("mpmath: worst %.1e of %d\n", worst, n);
    ck_assert_int_ge(n, 15);
}
END_TEST

/* X_inelastic from Int d2r |psi|^2 (1 - S^2) as the inner table has to give it at the origin, with
 * a rule of its own in r, and Gauss-Legendre panels in z. */
START_TEST(sum_rule)
{
    static const dipole_opts model[] = {{.kind = DIPOLE_GBW},
                                        {.kind = DIPOLE_MV, .set = "mve"},
                                        {.kind = DIPOLE_MV, .set = "mvgamma"}};
    static const double at[][2] = {{10, 1.4}, {0.01, 0.14}, {300, 4.75}};
    const dipole_opts *o = &model[_i];
    cgct_err err = {""};
    dipole_source *s;
    dipole *d;
    quad_gauss gauss;
    ck_assert_int_eq(dipole_source_open(&s, o, &err), CGCT_OK);
    ck_assert_int_eq(dipole_init(&d, s, 0.01, &err), CGCT_OK);
    quad_gauss_init(&gauss, 24);
    photon_dipole *p = photon_at(o, 0.01);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const double Q2 = at[i][0], m2 = at[i][1] * at[i][1], unit = 3 / (M_PI * M_PI);
        double T = 0, L = 0, difference;
        quad_rule z = {0};
        const quad_grading towards_0 = {.end = 0, .hmin = 1e-4, .ratio = 3, .hmax = 1};
        quad_append_graded(&z, &gauss, 0, 0.5, &towards_0);
        for (size_t k = 0; k < z.n; k++) {
            const double zy = z.x[k] * (1 - z.x[k]), eps2 = zy * Q2 + m2;
            double I[NPOL];
            inner_sum_rule(d, sqrt(eps2), I);
            T += unit * z.w[k] * ((1 - 2 * zy) * eps2 * I[POL_T] + m2 * I[POL_L]);
            L += unit * z.w[k] * 4 * Q2 * zy * zy * I[POL_L];
        }
        quad_free(&z);
        const photon_value X = evaluate(p, Q2, at[i][1], &difference);
        CHECK_REL(X.inelastic_T, T, TOL_PHOTON);
        CHECK_REL(X.inelastic_L, L, TOL_PHOTON);
        ck_assert(X.inelastic_T < X.T && X.T < 2 * X.inelastic_T);
    }
    photon_free(p);
    dipole_free(d);
    dipole_source_close(s);
}
END_TEST

/* X -> X(m = 0), with a difference of the order of m^2. */
START_TEST(massless_limit)
{
    double difference;
    photon_dipole *p = gbw(0.5);
    const photon_value none = evaluate(p, 4, 0, &difference);
    const photon_value small = evaluate(p, 4, 1e-6, &difference);
    const photon_value larger = evaluate(p, 4, 1e-2, &difference);
    CHECK_REL(small.T, none.T, TOL_PHOTON);
    CHECK_REL(small.L, none.L, TOL_PHOTON);
    ck_assert(larger.T < none.T * (1 - 1e-5) && larger.T > none.T * (1 - 1e-2));
    photon_free(p);
}
END_TEST

/* Two resolutions agree for every kind of dipole over all Q2 and masses; the photon at rest has no
 * longitudinal part. */
START_TEST(resolutions)
{
    static const dipole_opts model[] = {
        {.kind = DIPOLE_GBW},
        {.kind = DIPOLE_MV, .set = "mvgamma"},
        {.kind = DIPOLE_BK, .set = "mvgamma", .bk = {.refine = 0.25}, .xmin = 1e-3},
        {.kind = DIPOLE_BK,
         .set = "bayes4",
         .bk = {.coupling = {.freeze = BK_SHARP}, .refine = 0.25},
         .xmin = 1e-3},
        {.kind = DIPOLE_BK,
         .set = "mve",
         .bk = {.refine = 0.25},
         .xmin = 9e-3,
         .nucleus = 197,
         .impacts = 2}};
    static const double mass[] = {0, 1e-3, 0.14, 1.4, 5};
    photon_dipole *p = photon_at(&model[_i], model[_i].xmin > 0 ? model[_i].xmin : 0.01);
    double worst = 0, difference;
    for (double Q2 = 1e-3; Q2 < 2e4; Q2 *= 10)
        for (size_t i = 0; i < sizeof mass / sizeof *mass; i++) {
            const photon_value X = evaluate(p, Q2, mass[i], &difference);
            ck_assert(X.T > X.inelastic_T && X.L > X.inelastic_L && X.inelastic_L > 0);
            worst = larger_error(worst, difference);
        }
    const photon_value real = evaluate(p, 0, 0.14, &difference);
    const photon_value nearly = evaluate(p, 1e-9, 0.14, &difference);
    ck_assert_double_eq(real.L, 0);
    CHECK_REL(nearly.T, real.T, 1e-6);
    printf("dipole %d: two resolutions differ by %.1e\n", _i, worst);
    ck_assert_msg(worst <= TOL_RULES, "%g", worst);
    photon_free(p);
}
END_TEST

START_TEST(refused)
{
    static const struct {
        double Q2, mass;
        const char *what;
    } bad[] = {{0, 0, "infinite"},   {-1, 1, "Q2 = -1"},  {NAN, 1, "Q2 = "},     {1e7, 1, "1e+07"},
               {1, -1, "mass = -1"}, {1, NAN, "mass = "}, {1, 140, "mass = 140"}};
    photon_dipole *p = gbw(1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cgct_err err = {""};
        photon_value X;
        double difference;
        ck_assert_int_eq(photon_evaluate(p, bad[i].Q2, bad[i].mass, &X, &difference, &err),
                         CGCT_E_DOMAIN);
        ck_assert_msg(strstr(err.text, bad[i].what) != NULL, "%s", err.text);
    }
    photon_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("photon");
    TCase *t = tcase_create("photon");
    tcase_add_test(t, references);
    tcase_add_loop_test(t, sum_rule, 0, 3);
    tcase_add_test(t, massless_limit);
    tcase_add_loop_test(t, resolutions, 0, 5);
    tcase_add_test(t, refused);
    tcase_set_timeout(t, 300);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
