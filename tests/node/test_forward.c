/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward dijets of a proton: T of GBW against another program's sums, C of qg as a convolution of
 * I of a photon, the logarithm in eps, and limits. */
#include <math.h>

#include "check_rel.h"
#include "dipole/exact_gbw.h"
#include "chain.h"
#include "node/forward.h"
#include "node/reference.h"
#include "numerics/quadrature.h"
#include "open_ref.h"
#include "run_suite.h"

#define TOL_SUMS 1e-7 /* of GBW, at accuracy.tolerance = 1e-6; the reference has 1e-9 */
#define TOL_WAVE 1e-9
#define SMALL_EPS 1e-4 /* GeV; what is left grows like its square */
#define TOL_LIMIT 1e-5
#define X_OF_QS 3.04e-4
#define EULER 0.57721566490153286

static const char *const channels[] = {"qg", "gg", "qqb"};

static int channel_of(const char *word)
{
    int i = 0;
    while (strcmp(channels[i], word) != 0) i++;
    return i;
}

/* C of a dipole at a point, with its bound. */
static void correlator_at(const char *name, const char *settings, double eps,
                          const forward_point *p, double C[NPOL], double error[NPOL])
{
    config card;
    node_tables *n;
    cgct_err err = {""};
    dipole_source *s = chain_source(name);
    const forward_momenta m = forward_momenta_of(p);
    chain_card(&card, settings);
    const node_task task = {.settings = &card.run.node,
                            .source = s,
                            .x = X_OF_QS,
                            .eps = eps,
                            .nq = 1,
                            .q = &m.q,
                            .k_max = p->k2};
    ck_assert_msg(node_compute(&task, &n, NULL, NULL, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(node_point(n, 0, p->k2, m.theta, C, error, &err) == CGCT_OK, "%s", err.text);
    for (int pol = 0; pol < NPOL; pol++) {
        C[pol] *= eps * eps;
        error[pol] *= eps * eps;
    }
    node_tables_free(n);
    config_free(&card);
    dipole_source_close(s);
}

/* The limit, less its logarithm, at n points of GBW with Qs = 1. */
static forward_task limit_task(const dipole_source *s, forward_channel channel, size_t n,
                               const forward_point *p)
{
    return (forward_task){.source = s,
                          .x = X_OF_QS,
                          .channel = channel,
                          .scheme = FORWARD_LOG,
                          .Lambda = 1,
                          .n = n,
                          .point = p};
}

/* make_forward.py; C at the first point of qg and of gg, at all of them where tests may be long. */
START_TEST(sums_of_gbw)
{
    FILE *f = open_ref("forward.ref");
    dipole_source *s = chain_source("gbw");
    char word[8];
    double eps, closed[NPOL], C[NPOL], dev;
    forward_point p;
    int n = 0, c;
    cgct_err err = {""};
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF);
    for (; fscanf(f, "%7s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", word, &eps, &p.z, &p.k1, &p.k2,
                  &p.angle, &closed[0], &closed[1], &C[0], &C[1], &dev) == 11;
         n++) {
        const forward_channel channel = (forward_channel)channel_of(word);
        const forward_task t = {.source = s,
                                .x = X_OF_QS,
                                .channel = channel,
                                .scheme = eps > 0 ? FORWARD_NOTHING : FORWARD_LOG,
                                .eps = eps,
                                .Lambda = 1,
                                .n = 1,
                                .point = &p};
        forward_value v;
        ck_assert_msg(forward_values(&t, 0.5, &v, &err) == CGCT_OK, "%s", err.text);
        for (int pol = 0; pol < (channel == FORWARD_QG ? NPOL : 1); pol++) {
            CHECK_ABS(v.closed[pol], closed[pol], v.error[pol] + 1e-10 * fabs(closed[pol]));
            ck_assert_double_le(v.error[pol], 1e-9 * fabs(closed[pol]));
        }
        if (channel == FORWARD_QQB || (n % 3 && !chain_long())) continue;
        double got[NPOL], bound[NPOL];
        char name[16];
        snprintf(name, sizeof name, "gbw:%s", word);
        correlator_at(name, "accuracy.tolerance=1e-5", eps, &p, got, bound);
        for (int pol = 0; pol < NPOL; pol++) {
            printf("%s C_%c %.9g, off by %.1e, bound %.1e\n", word, "TL"[pol], got[pol],
                   got[pol] - C[pol], bound[pol]);
            CHECK_REL(got[pol], C[pol], TOL_SUMS);
            ck_assert_double_le(fabs(got[pol] - C[pol]), bound[pol] + 1e-9 * C[pol]);
        }
    }
    fclose(f);
    dipole_source_close(s);
    ck_assert_int_eq(n, 12);
}
END_TEST

/* Where k1 = k2 = k of GBW with Qs = 1 are parallel, F(k+l) F(k-l) = (4 pi)^2 exp(-2 k^2 - 2 l^2)
 * and T of qqb is elementary.  It falls below the error of F(0) F, which its bound has to cover. */
START_TEST(bound_of_convolution)
{
    dipole_source *s = chain_source("gbw");
    cgct_err err = {""};
    for (double k = 1; k <= 5; k++) {
        const forward_point p = {0.3, k, k, 0};
        const forward_task t = limit_task(s, FORWARD_QQB, 1, &p);
        forward_value v;
        ck_assert_msg(forward_values(&t, 1, &v, &err) == CGCT_OK, "%s", err.text);
        const double P = 0.4 * k, product = pow(4 * M_PI, 2) * exp(-2 * k * k);
        const double want = product * (M_PI / (2 * P * P) - M_PI * (FORWARD_EULER + M_LN2) +
                                       2 * M_PI * (FORWARD_EULER - M_LN2));
        printf("k = %g: T %.6g, off by %.1e, bound %.1e\n", k, want, v.closed[POL_T] - want,
               v.error[POL_T]);
        ck_assert_double_le(fabs(v.closed[POL_T] - want), v.error[POL_T]);
        ck_assert_double_le(v.error[POL_T], 1e-5 * fabs(want) + 1e-14 * pow(4 * M_PI, 2));
    }
    dipole_source_close(s);
}
END_TEST

/* C_qg(q,k2) = Int d2l/(2 pi)^2 F(q-l) eps^2 I_T(l,k2), with exact values of I, which is
 * logarithmic at l = 0. */
START_TEST(convolution_of_exact)
{
    const forward_point p = {0.5, 2, 1.5, 2.6};
    const forward_momenta m = forward_momenta_of(&p);
    const double eps = 0.5, end[] = {0, 0.02, 0.2, 0.8, 1.6, 2.6, 4, 6};
    quad_rule r = {0};
    cgct_err err = {""};
    double sum = 0, C[NPOL], bound[NPOL];
    enum { ANGLES = 24 };
    for (int i = 0; i < 7; i++)
        ck_assert(quad_append_gauss(&r, 8, end[i], end[i + 1], &err) == CGCT_OK);
    for (size_t i = 0; i < r.n; i++)
        for (int j = 0; j < ANGLES; j++) {
            const double phi = 2 * M_PI * (j + 0.5) / ANGLES;
            const double lx = r.x[i] * cos(phi), ly = r.x[i] * sin(phi);
            const double K = hypot(p.k2 * cos(m.theta) - lx / 2, p.k2 * sin(m.theta) - ly / 2);
            double I[NPOL];
            ck_assert_msg(exact_gbw(r.x[i], K, eps, 1, I, &err) == CGCT_OK, "%s", err.text);
            const double F = 4 * M_PI * exp(-pow(lx - m.q, 2) - ly * ly);
            sum += r.w[i] * r.x[i] * F * eps * eps * I[POL_T] / (2 * M_PI * ANGLES);
        }
    quad_free(&r);
    correlator_at("gbw:qg", "accuracy.tolerance=1e-5", eps, &p, C, bound);
    printf("C_qg %.10g, as a convolution %.10g\n", C[POL_T], sum);
    CHECK_REL(C[POL_T], sum, 1e-6);
}
END_TEST

/* dC/d ln(1/eps) = D where eps is small, at two values whose remainders are below 1e-7; errors of
 * the grids are the same in both. */
START_TEST(logarithm)
{
    const forward_point p = {0.5, 2, 1.5, 2.6};
    for (int gluon = 0; gluon < (chain_long() ? 2 : 1); gluon++) {
        const char *name = gluon ? "gbw:gg" : "gbw:qg";
        double C[2][NPOL], bound[NPOL];
        for (int i = 0; i < 2; i++)
            correlator_at(name, "accuracy.tolerance=1e-3", i ? 1e-5 : 3e-5, &p, C[i], bound);
        /* F_n(q) of GBW is 4 pi/n e^(-q^2/n) */
        const double F1 = 4 * M_PI * exp(-p.k2 * p.k2), F2 = 2 * M_PI * exp(-p.k2 * p.k2 / 2);
        const double D = 2 * M_PI * 2 * M_PI * exp(-p.k1 * p.k1 / 2) * (gluon ? F2 : F1);
        printf("%s: slope over D less 1: %.1e\n", name, (C[1][0] - C[0][0]) / log(3) / D - 1);
        CHECK_REL((C[1][0] - C[0][0]) / log(3), D, 1e-5);
    }
}
END_TEST

/* Limits that are known beside each other: with twists for q << P the back-to-back one, and where
 * one scattering is all there is (G_n = H_n = q^2 F, F_2 = 2 F) the dilute one. */
START_TEST(limits)
{
    const double F = 0.3;
    for (int channel = 0; channel < 3; channel++)
        for (double angle = 0.3; angle < 3.2; angle += 0.4) {
            const forward_point p = {0.3, 2, 1.5, angle};
            const double q = forward_momenta_of(&p).q, q2F = q * q * F;
            const double v[REFERENCE_TRANSFORMS] = {
                [REFERENCE_S] = F,    [REFERENCE_S2] = 2 * F, [REFERENCE_SLOPE2] = 0,
                [REFERENCE_G1] = q2F, [REFERENCE_H1] = q2F,   [REFERENCE_G2] = q2F,
                [REFERENCE_H2] = q2F};
            const forward_channel c = (forward_channel)channel;
            CHECK_REL(forward_limit_value(FORWARD_ITMD, c, &p, v),
                      forward_limit_value(FORWARD_DILUTE, c, &p, v), 1e-11);
            /* P = 1e4 at this angle to q = 1 */
            const double P = 1e4, k1x = P * cos(angle) + p.z, y = P * sin(angle);
            const double k2x = -P * cos(angle) + 1 - p.z;
            const forward_point far = {p.z, hypot(k1x, y), hypot(k2x, y),
                                       atan2(-y, k2x) - atan2(y, k1x)};
            CHECK_REL(forward_limit_value(FORWARD_ITMD, c, &far, v),
                      forward_limit_value(FORWARD_TMD, c, &far, v), 1e-3);
        }
}
END_TEST

/* T of a channel, averaged over P and -P at one q, and both limits of back-to-back partons. */
static void averaged_over_signs(forward_channel channel, double P, double *T, double limit[2])
{
    dipole_source *s = chain_source("gbw");
    const double q = 0.7, z = 0.4;
    double v[REFERENCE_TRANSFORMS];
    forward_point p[2];
    forward_value value[2];
    cgct_err err = {""};
    for (int i = 0; i < 2; i++) {
        const double x = P * cos(0.3 + i * M_PI), y = P * sin(0.3 + i * M_PI);
        p[i] = (forward_point){z, hypot(x + z * q, y), hypot((1 - z) * q - x, y),
                               atan2(-y, (1 - z) * q - x) - atan2(y, x + z * q)};
    }
    const double eps = channel == FORWARD_QQB ? 1 : 0.03;
    const forward_task t = limit_task(s, channel, 2, p);
    ck_assert_msg(forward_values(&t, eps, value, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(node_transforms(s, X_OF_QS, INFINITY, 1, &q, v, &err) == CGCT_OK, "%s", err.text);
    *T = limit[FORWARD_TMD] = limit[FORWARD_ITMD] = 0;
    for (int i = 0; i < 2; i++) {
        double C[NPOL] = {0}, error[NPOL];
        if (channel != FORWARD_QQB)
            correlator_at(channel == FORWARD_QG ? "gbw:qg" : "gbw:gg", "accuracy.tolerance=1e-4",
                          eps, &p[i], C, error);
        *T += value[i].closed[POL_T] + C[POL_T] - value[i].off[POL_T];
        for (int l = FORWARD_TMD; l <= FORWARD_ITMD; l++)
            limit[l] += forward_limit_value((forward_limit)l, channel, &p[i], v);
    }
    dipole_source_close(s);
}

/* GBW approaches both limits like 1/P^2; of two gluons where tests may be long. */
START_TEST(power_of_limits)
{
    for (int channel = 0; channel < 3; channel++) {
        double off[2][2];
        if (channel == FORWARD_GG && !chain_long()) continue;
        for (int far = 0; far < 2; far++) {
            double T, limit[2];
            averaged_over_signs((forward_channel)channel, far ? 20 : 10, &T, limit);
            for (int l = FORWARD_TMD; l <= FORWARD_ITMD; l++) off[far][l] = T / limit[l] - 1;
        }
        for (int l = FORWARD_TMD; l <= FORWARD_ITMD; l++) {
            const double power = log2(off[0][l] / off[1][l]);
            printf("%s, %s: %.2e at P = 10, power %.3f\n", channels[channel], l ? "itmd" : "tmd",
                   off[0][l], power);
            ck_assert_double_eq_tol(power, 2, 0.05);
        }
    }
}
END_TEST

/* Where the partons are collinear, the parent scatters as a quark or, twice in the fundamental
 * representation, as a gluon, F_n(q)/(2 pi)^2, and splits:
 * alpha_s/(2 pi^2) P(z)/P^2 dz d2P, C_F = Nc/2; z (1-z) dy1 dy2 stands for dz dx/x. */
START_TEST(splitting_functions)
{
    dipole_source *s = chain_source("gbw");
    const double q = 1, P = 1e-4;
    cgct_err err = {""};
    for (int channel = 0; channel < 3; channel++)
        for (double z = 0.2; z < 0.9; z += 0.3) {
            const double y = 1 - z, power = channel == FORWARD_QG ? 1 : 2;
            const double of[] = {1.5 * (1 + y * y) / z, 6 * (z / y + y / z + z * y),
                                 (z * z + y * y) / 2};
            const double F = 4 * M_PI / power * exp(-q * q / power) / (4 * M_PI * M_PI);
            forward_point p[2]; /* P and -P, across q: terms of odd order in P cancel */
            forward_value T[2];
            for (int i = 0; i < 2; i++)
                p[i] = (forward_point){z, hypot(z * q, P), hypot(y * q, P),
                                       (i ? -1 : 1) * (atan2(P, z * q) + atan2(P, y * q))};
            const forward_task t = limit_task(s, (forward_channel)channel, 2, p);
            ck_assert_msg(forward_values(&t, 1, T, &err) == CGCT_OK, "%s", err.text);
            /* without C, which is finite */
            CHECK_REL(forward_factor(t.channel, z) * (T[0].closed[POL_T] + T[1].closed[POL_T]) / 2,
                      z * y / (2 * M_PI * M_PI) * of[channel] / (P * P) * F, 1e-6);
        }
    dipole_source_close(s);
}
END_TEST

/* Where the mean over the angle is lost in its error, what a table holds is that of the last q
 * times the fourth power of the ratio, and the bound is as large as that. */
START_TEST(lost_in_its_error)
{
    const double q[] = {0.7, 1.2, 2, 3.5, 6, 9};
    enum { NQ = 6, NK = 12 };
    const node_grid g = {.nq = NQ, .nl = NK / 2, .nu = NK / 2, .q = q, .k0 = 0.3, .k_max = 3};
    config card;
    node_fields f;
    node_report report;
    cgct_err err = {""};
    dipole_source *s = chain_source("gbw:qg");
    chain_card(&card, "accuracy.tolerance=1e-2");
    const node_task task = {.settings = &card.run.node,
                            .source = s,
                            .x = X_OF_QS,
                            .eps = 1,
                            .nq = NQ,
                            .q = q,
                            .grid = &g,
                            .k_max = g.k_max,
                            .forward = 1};
    ck_assert_msg(node_compute(&task, NULL, &f, &report, &err) == CGCT_OK, "%s", err.text);
    size_t found = 0;
    for (size_t i = 0; i < NPOL * NQ * NK; i++) {
        const size_t pol = i / (NQ * NK), iq = i / NK % NQ;
        if (!iq) continue;
        const double *l = f.value + pol * f.nm * NQ * NK + i % (NQ * NK);
        if (fabs(l[0] - l[-NK] - 4 * log(q[iq - 1] / q[iq])) > 1e-12) continue;
        for (size_t m = 1; m < f.nm; m++) { /* or left out, as its error is large */
            const double r = l[m * NQ * NK], before = l[m * NQ * NK - NK];
            ck_assert(r == 0 || fabs(r - before) < 1e-12);
        }
        ck_assert_double_ge(f.error[i], 1);
        found++;
    }
    ck_assert_uint_eq(found, report.continued);
    ck_assert_uint_gt(found, 0);
    node_fields_free(&f);
    config_free(&card);
    dipole_source_close(s);
}
END_TEST

/* What the cut wave function makes of independent partons: make_forward_wave.py, and its limit
 * eps -> 0, which is computed without a regulator, beside a small eps. */
START_TEST(cut_wave_function)
{
    FILE *f = open_ref("forward_wave.ref");
    dipole_source *s = chain_source("gbw");
    char word[8];
    double eps, Lambda, off[NPOL], dev;
    forward_point p;
    int n = 0, c;
    cgct_err err = {""};
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF);
    for (; fscanf(f, "%7s %lf %lf %lf %lf %lf %lf %lf %lf %lf", word, &eps, &Lambda, &p.z, &p.k1,
                  &p.k2, &p.angle, &off[0], &off[1], &dev) == 10;
         n++) {
        forward_value v[3];
        forward_task t = {.source = s,
                          .x = X_OF_QS,
                          .channel = (forward_channel)channel_of(word),
                          .scheme = FORWARD_WAVE,
                          .eps = eps,
                          .Lambda = Lambda,
                          .n = 1,
                          .point = &p};
        ck_assert_msg(forward_values(&t, eps, &v[0], &err) == CGCT_OK, "%s", err.text);
        for (int pol = 0; pol < NPOL; pol++) CHECK_REL(v[0].off[pol], off[pol], TOL_WAVE);
        t.eps = SMALL_EPS;
        ck_assert_msg(forward_values(&t, SMALL_EPS, &v[1], &err) == CGCT_OK, "%s", err.text);
        t.eps = 0;
        ck_assert_msg(forward_values(&t, SMALL_EPS, &v[2], &err) == CGCT_OK, "%s", err.text);
        /* that of qqb is without the logarithm */
        const double D = v[1].coefficient, logarithm = log(2 * Lambda / SMALL_EPS) - EULER - 0.5;
        if (t.channel == FORWARD_QQB) v[1].off[POL_T] -= D * logarithm;
        CHECK_REL(v[2].off[POL_T], v[1].off[POL_T], TOL_LIMIT);
    }
    fclose(f);
    dipole_source_close(s);
    ck_assert_int_eq(n, 15);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("forward");
    TCase *t = tcase_create("forward");
    tcase_add_test(t, sums_of_gbw);
    tcase_add_test(t, bound_of_convolution);
    if (chain_long()) tcase_add_test(t, convolution_of_exact);
    tcase_add_test(t, logarithm);
    tcase_add_test(t, limits);
    tcase_add_test(t, splitting_functions);
    tcase_add_test(t, power_of_limits);
    tcase_add_test(t, lost_in_its_error);
    tcase_add_test(t, cut_wave_function);
    tcase_set_timeout(t, 600);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
