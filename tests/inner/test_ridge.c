/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ridges against closed forms: their transforms, and their angular modes in the inner table. */
#include "inner/ridge.h"
#include "inner/separable.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_bessel.h>

#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_TRANSFORM 1e-12 /* of the largest value */
#define TOL_MODES 1e-11     /* of the largest entry */

enum { NQ = 5, NDELTA = 9, NR = 12, NM = 4 };

static dipole *gbw(double Q0)
{
    dipole_opts o = {.kind = DIPOLE_GBW, .Q0 = Q0, .x0 = 1, .lambda = 0};
    dipole_source *s = NULL;
    dipole *d = NULL;
    ck_assert(dipole_source_open(&s, &o, NULL) == CGCT_OK);
    ck_assert(dipole_init(&d, s, 0.01, NULL) == CGCT_OK);
    dipole_source_close(s);
    return d;
}

/* S = 1 wherever the wave functions live: F is the transform of two wave functions alone. */
static double free_F(int pol, double eps, double cut, double k)
{
    double D = k * k + eps * eps, unit = 4 * M_PI * M_PI;
    if (pol == POL_L) return unit / (D * D);
    return unit / (eps * eps) * (1 / D - 1 / (k * k + cut * cut) - eps * eps / (D * D));
}

START_TEST(wave_functions)
{
    static const double eps[] = {0.1, 1, 10}, cut[] = {12, 2.5, 40}, q[1] = {1};
    for (int i = 0; i < 3; i++) {
        ridge r;
        dipole *d = gbw(1e-9);
        ck_assert(ridge_init(&r, &(ridge_task){d, eps[i], cut[i], 1, q, 60}, NULL) == CGCT_OK);
        for (int pol = 0; pol < NPOL; pol++)
            for (double k = 0; k < 60; k = 1.3 * k + 0.01) {
                double I[NPOL] = {0}, most = free_F(POL_L, eps[i], cut[i], 0);
                double want = free_F(pol, eps[i], cut[i], k);
                r.sigma[0] = 0.5; /* k1 = k2: the value itself */
                ridge_add(&r, 0, k, k, I);
                CHECK_ABS(I[pol], want, TOL_TRANSFORM * most);
            }
        ridge_free(&r);
        dipole_free(d);
    }
}
END_TEST

/* exp(-q^2/Q^2) 4 pi/Q^2 for a Gaussian dipole. */
static void check_transform(double Q, const double q[NQ])
{
    ridge r;
    dipole *d = gbw(Q);
    ck_assert(ridge_init(&r, &(ridge_task){d, 1, 5, NQ, q, 10}, NULL) == CGCT_OK);
    for (int i = 0; i < NQ; i++)
        CHECK_ABS(r.sigma[i], 4 * M_PI / (Q * Q) * exp(-q[i] * q[i] / (Q * Q)),
                  TOL_TRANSFORM * 4 * M_PI / (Q * Q));
    ridge_free(&r);
    dipole_free(d);
}

START_TEST(dipole_transform)
{
    static const double q[NQ] = {0.01, 0.3, 1, 2, 4};
    for (double Q = 0.5; Q < 3; Q *= 2) check_transform(Q, q);
}
END_TEST

/* Momenta far beyond Qs among the others: another rule takes them. */
START_TEST(dipole_far)
{
    static const double q[NQ] = {1e-5, 3e-4, 1e-3, 2e-3, 90};
    check_transform(1e-3, q);
}
END_TEST

START_TEST(none)
{
    static const double q[1] = {1};
    double I[NPOL] = {3, 4};
    ridge r;
    dipole *d = gbw(1);
    ck_assert(ridge_init(&r, &(ridge_task){d, 1, 0, 1, q, 10}, NULL) == CGCT_OK);
    ridge_add(&r, 0, 1, 1, I);
    ck_assert(I[0] == 3 && I[1] == 4);
    ridge_free(&r);
    dipole_free(d);
}
END_TEST

/* int_0^2pi dgamma cos(m gamma) exp(-Q^2 |R - a|^2/4), gamma = angle(R,a) */
static double gauss_modes(int m, double Q, double R, double a)
{
    double z = a * R * Q * Q / 2;
    return 2 * M_PI * exp(-Q * Q * (R - a) * (R - a) / 4) * gsl_sf_bessel_In_scaled(m, z);
}

/* The table with ridges less the table without them, frame by frame. */
START_TEST(table)
{
    static const double lams[] = {0, 0.3, 0.5};
    static const int all[NM] = {0, 1, 2, 5}, even[NM] = {0, 2, 4, 8};
    const double lam = lams[_i], eps = 0.7, cut = 8;
    double delta[NDELTA], r[NR], s[60], f[NPOL * NDELTA];
    for (int i = 0; i < NDELTA; i++) delta[i] = 0.8 * i;
    for (int i = 0; i < NR; i++) r[i] = 0.4 * i;
    for (int i = 0; i < 60; i++) s[i] = 0.01 * i * i;
    inner_opts o = {.eps = eps,
                    .lam = lam,
                    .nm = NM,
                    .m = lam == 0.5 ? even : all,
                    .nd = NDELTA,
                    .nr = NR,
                    .ns = 60,
                    .delta = delta,
                    .r = r,
                    .s = s,
                    .digits = 13,
                    .rank_tolerance = 1e-13};
    inner_table with, without;
    dipole *d = gbw(1);
    ck_assert(inner_separable(&with, &o, d, NULL) == CGCT_OK);
    o.ridge_cut = cut;
    ck_assert(inner_separable(&without, &o, d, NULL) == CGCT_OK);
    ck_assert(with.ridge_cut == 0 && without.ridge_cut == cut);
    CHECK_REL(without.origin[POL_T], with.origin[POL_T], TOL_MODES);
    ridge_profile(d, eps, cut, NDELTA, delta, f);
    for (int pol = 0; pol < NPOL; pol++)
        for (int im = 0; im < NM; im++)
            for (int id = 1; id < NDELTA; id++) /* at Delta = 0 only m = 0 is kept */
                for (int ir = 0; ir < NR; ir++) {
                    size_t at = ((size_t)(pol * NM + im) * NDELTA + (size_t)id) * NR + (size_t)ir;
                    int m = o.m[im], sign = m & 1 ? -1 : 1; /* |Delta+b|: gamma + pi */
                    double S = gauss_modes(m, 1, r[ir], lam * delta[id]) +
                               sign * gauss_modes(m, 1, r[ir], (1 - lam) * delta[id]);
                    CHECK_ABS(with.g[at] - without.g[at], f[pol * NDELTA + id] * S,
                              TOL_MODES * 2 * M_PI * f[pol * NDELTA]);
                }
    inner_table_free(&with);
    inner_table_free(&without);
    dipole_free(d);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("ridge");
    TCase *c = tcase_create("ridge");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, wave_functions);
    tcase_add_test(c, dipole_transform);
    tcase_add_test(c, dipole_far);
    tcase_add_test(c, none);
    tcase_add_loop_test(c, table, 0, 3);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
