/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single scattering against closed forms: its factors, and its angular modes in the inner table. */
#include "inner/separable.h"
#include "inner/single.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sf_expint.h>

#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_TRANSFORM 1e-12 /* of the largest value */
#define TOL_MODES 1e-11     /* of the largest entry */
#define TOL_TABLE 1e-8      /* the nodes of s are few */

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

/* S = 1 wherever the wave functions live: the transforms are those of the wave functions alone,
 *
 *   Psi_L = 2 pi/D   Psi_T = 2 pi k/(eps D)   F = Psi^2     D = k^2 + eps^2
 *
 * and the braces of I_1 are |Psi(k1) - Psi(k2)|^2 for the vectors Psi. */
static double free_I(int pol, double eps, double q, double k1, double k2)
{
    const double D1 = k1 * k1 + eps * eps, D2 = k2 * k2 + eps * eps, unit = 4 * M_PI * M_PI;
    if (pol == POL_L) return unit * pow(1 / D1 - 1 / D2, 2);
    const double product = (k1 * k1 + k2 * k2 - q * q) / 2; /* k1.(k1-q) */
    return unit / (eps * eps) *
           (k1 * k1 / (D1 * D1) + k2 * k2 / (D2 * D2) - 2 * product / (D1 * D2));
}

START_TEST(wave_functions)
{
    static const double eps[] = {0.1, 1, 10}, q[1] = {1};
    single_factors s;
    dipole *d = gbw(1e-9);
    ck_assert(single_init(&s, &(single_task){d, eps[_i], 1, q, 60, 0, 0}, NULL) == CGCT_OK);
    s.sigma[0] = 1;
    for (double k1 = 0; k1 < 40; k1 = 1.3 * k1 + 0.01)
        for (double turn = -1; turn <= 1; turn += 0.25) {
            const double k2 = sqrt(k1 * k1 + q[0] * q[0] - 2 * q[0] * k1 * turn);
            double I[NPOL] = {0}, error[NPOL] = {0};
            single_add(&s, 0, q[0], k1, k2, I, error);
            for (int pol = 0; pol < NPOL; pol++) {
                double want = free_I(pol, eps[_i], q[0], k1, k2);
                CHECK_ABS(I[pol], want, error[pol]);
                CHECK_ABS(I[pol], want, TOL_TRANSFORM * pow(2 * M_PI / (eps[_i] * eps[_i]), 2));
            }
        }
    single_free(&s);
    dipole_free(d);
}
END_TEST

/* exp(-q^2/Q^2) 4 pi/Q^2 for a Gaussian dipole. */
static void check_transform(double Q, const double q[NQ])
{
    single_factors s;
    dipole *d = gbw(Q);
    ck_assert(single_init(&s, &(single_task){d, 1, NQ, q, 10, 0, 0}, NULL) == CGCT_OK);
    for (int i = 0; i < NQ; i++)
        CHECK_ABS(s.sigma[i], 4 * M_PI / (Q * Q) * exp(-q[i] * q[i] / (Q * Q)),
                  TOL_TRANSFORM * 4 * M_PI / (Q * Q));
    single_free(&s);
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

/* At k = 0 and for a Gaussian dipole, with x = eps^2/Q^2,
 *
 *   int r dr e^{-r^2 Q^2/4} K_0(eps r) = e^x E_1(x)/Q^2     [exponential integral]
 *   F_L = int Delta dDelta 2 pi^2/eps S Delta K_1(eps Delta) = -(2 pi^2/eps) d/deps of the former
 */
START_TEST(gaussian)
{
    static const double Q[] = {0.3, 1, 2}, q[1] = {1}, eps = 0.8;
    single_factors s;
    dipole *d = gbw(Q[_i]);
    ck_assert(single_init(&s, &(single_task){d, eps, 1, q, 10, 0, 0}, NULL) == CGCT_OK);
    const double Q2 = Q[_i] * Q[_i], x = eps * eps / Q2, E = gsl_sf_expint_E1(x) * exp(x);
    const double slope = (E - 1 / x) * 2 * eps / Q2; /* of e^x E_1 in eps */
    CHECK_REL(s.Psi[POL_L * s.nk], 2 * M_PI * E / Q2, TOL_TRANSFORM);
    CHECK_REL(s.F[POL_L * s.nk], -2 * M_PI * M_PI / eps * slope / Q2, TOL_TRANSFORM);
    ck_assert(fabs(s.Psi[POL_T * s.nk]) < TOL_TRANSFORM);
    single_free(&s);
    dipole_free(d);
}
END_TEST

START_TEST(none)
{
    double I[NPOL] = {3, 4}, error[NPOL] = {1, 2};
    const single_factors s = {0};
    single_add(&s, 0, 1, 1, 1, I, error);
    ck_assert(I[0] == 3 && I[1] == 4 && error[0] == 1 && error[1] == 2);
}
END_TEST

/* ---- the inner table ---- */

/* int_0^2pi dgamma cos(m gamma) exp(-Q^2 |R - a|^2/4), gamma = angle(R,a) */
static double gauss_modes(int m, double Q, double R, double a)
{
    double z = a * R * Q * Q / 2;
    return 2 * M_PI * exp(-Q * Q * (R - a) * (R - a) / 4) * gsl_sf_bessel_In_scaled(m, z);
}

enum { PLAIN_NODES = 40, PLAIN_PANELS = 24 };

/* K_0(eps r) K_0(eps r') S(r) S(r') S(|R-s|) summed over one circle about the centre r' = 0
 * (mirror: r = 0), on its side of the bisector of the centres. */
static double plain_circle(const gsl_integration_glfixed_table *rule, double eps, double delta,
                           const double X[2], double rho, int mirror)
{
    double sum = 0, open = rho > delta / 2 ? acos(delta / (2 * rho)) : 0;
    for (int side = -1; side <= 1; side += 2)
        for (size_t j = 0; j < PLAIN_NODES; j++) {
            double t, wt; /* angle from the direction of the other centre */
            gsl_integration_glfixed_point(open, M_PI, j, &t, &wt, rule);
            double sx = delta / 2 - rho * cos(t), sy = side * rho * sin(t);
            double other = hypot(sx + delta / 2, sy);
            double far2 = pow(X[0] - (mirror ? -sx : sx), 2) + pow(X[1] - sy, 2);
            sum += wt * gsl_sf_bessel_K0(eps * other) * exp(-(other * other + far2) / 4);
        }
    return sum * rho * gsl_sf_bessel_K0(eps * rho) * exp(-rho * rho / 4);
}

/* int d2s of that for lam = 1/2 at gamma = angle(Delta,R): panels graded towards the centres up to
 * the bisector, and in the root of the distance behind it, where the open angle begins. */
static double plain_second(double eps, double delta, double R, double gamma)
{
    const double X[2] = {R * cos(gamma), R * sin(gamma)}, end = 4;
    gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(PLAIN_NODES);
    double sum = 0, x, w;
    for (int mirror = 0; mirror < 2; mirror++)
        for (int p = 0; p < PLAIN_PANELS; p++)
            for (size_t i = 0; i < PLAIN_NODES; i++) {
                double lo = p ? pow(0.5, PLAIN_PANELS - p) : 0, hi = pow(0.5, PLAIN_PANELS - 1 - p);
                gsl_integration_glfixed_point(lo, hi, i, &x, &w, rule);
                sum += w * delta / 2 * plain_circle(rule, eps, delta, X, x * delta / 2, mirror);
                if (p >= 4) continue;
                gsl_integration_glfixed_point(p * end / 4, (p + 1) * end / 4, i, &x, &w, rule);
                double rho = delta / 2 + x * x;
                sum += w * 2 * x * plain_circle(rule, eps, delta, X, rho, mirror);
            }
    gsl_integration_glfixed_table_free(rule);
    return sum;
}

/* int_0^2pi dgamma cos(m gamma) of that by the trapezoidal rule. */
static double plain_second_modes(int m, double eps, double delta, double R)
{
    enum { ANGLES = 24 };
    double sum = 0;
    for (int j = 0; j <= ANGLES / 4; j++) { /* even about 0 and pi/2 */
        double gamma = 2 * M_PI * j / ANGLES, weight = j && j < ANGLES / 4 ? 4 : 2;
        sum += weight * 2 * M_PI / ANGLES * cos(m * gamma) * plain_second(eps, delta, R, gamma);
    }
    return sum;
}

static inner_opts small_table(double eps, double lam, const int *m, double delta[NDELTA],
                              double r[NR], double s[100])
{
    for (int i = 0; i < NDELTA; i++) delta[i] = 0.8 * i;
    for (int i = 0; i < NR; i++) r[i] = 0.4 * i;
    for (int i = 0; i < 100; i++) s[i] = 0.0036 * i * i;
    return (inner_opts){.eps = eps,
                        .lam = lam,
                        .nm = NM,
                        .m = m,
                        .nd = NDELTA,
                        .nr = NR,
                        .ns = 100,
                        .delta = delta,
                        .r = r,
                        .s = s,
                        .digits = 13,
                        .rank_tolerance = 1e-13};
}

/* The table with single scattering less the table without it: ridges in closed form, and the second
 * term, for L in the midpoint frame, by the plain sum. */
START_TEST(table)
{
    static const int even[NM] = {0, 2, 4, 8};
    const double eps = 0.7;
    double delta[NDELTA], r[NR], s[100], f[NPOL * NDELTA];
    inner_opts o = small_table(eps, 0.5, even, delta, r, s);
    inner_table with, without;
    dipole *d = gbw(1);
    ck_assert(inner_separable(&with, &o, d, NULL) == CGCT_OK);
    o.single = 1;
    ck_assert(inner_separable(&without, &o, d, NULL) == CGCT_OK);
    ck_assert(!with.single && without.single);
    CHECK_REL(without.origin[POL_T], with.origin[POL_T], TOL_MODES);
    single_profile(d, eps, NDELTA - 1, delta + 1, f);
    const double *f_L = f + POL_L * (NDELTA - 1);
    for (int im = 0; im < 3; im++)
        for (int id = 1; id < NDELTA; id += 3)
            for (int ir = 0; ir < NR; ir += 5) {
                size_t at = ((size_t)(POL_L * NM + im) * NDELTA + (size_t)id) * NR + (size_t)ir;
                double S = 2 * gauss_modes(o.m[im], 1, r[ir], delta[id] / 2);
                double E = 2 * plain_second_modes(o.m[im], eps, delta[id], r[ir]);
                CHECK_ABS(with.g[at] - without.g[at], f_L[id - 1] * S - E, TOL_TABLE * f_L[0]);
            }
    inner_table_free(&with);
    inner_table_free(&without);
    dipole_free(d);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("single");
    TCase *c = tcase_create("single");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, wave_functions, 0, 3);
    tcase_add_test(c, dipole_transform);
    tcase_add_test(c, dipole_far);
    tcase_add_loop_test(c, gaussian, 0, 3);
    tcase_add_test(c, none);
    tcase_add_test(c, table);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
