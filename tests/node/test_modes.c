/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recentring and the sum over modes on synthetic tables. */
#include "node/hankel.h"

#include <string.h>

#include "numerics/grid.h"
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_GEOMETRY 1e-14 /* of k1 + q */
#define TOL_SUM 1e-12      /* of sum |I_m|: rotations of 200 steps, interpolation exact */
#define TOL_SMOOTH 5e-9    /* 10 nodes at 0.04, one-sided windows at P = 0 */

enum { NM = 120, NQ = 2 };

START_TEST(recentring)
{
    uint64_t seed = 5;
    for (int i = 0; i < 1000; i++) {
        double lam = i % 5 * 0.25, q = 5 * chain_random(&seed), k1 = 5 * chain_random(&seed);
        double theta = 8 * chain_random(&seed) - 4, P, phi, P2, phi2;
        mode_recentre(lam, q, k1, theta, &P, &phi);
        CHECK_ABS(P * cos(phi) + lam * q, k1 * cos(theta), TOL_GEOMETRY * (k1 + q));
        CHECK_ABS(P * sin(phi), k1 * sin(theta), TOL_GEOMETRY * (k1 + q));
        mode_recentre(lam, q, k1, -theta, &P2, &phi2);
        ck_assert(P2 == P && phi2 == -phi);
        /* exchange in the midpoint frame: k2 = q - k1 has the same P, opposite */
        if (lam != 0.5) continue;
        double x = q - k1 * cos(theta), y = -k1 * sin(theta);
        mode_recentre(lam, q, hypot(x, y), atan2(y, x), &P2, &phi2);
        CHECK_ABS(P2, P, TOL_GEOMETRY * (k1 + q));
        CHECK_ABS(P2 * cos(phi2), -P * cos(phi), 2 * TOL_GEOMETRY * (k1 + q));
    }
}
END_TEST

START_TEST(recentring_limits)
{
    double P, phi;
    mode_recentre(0, 3, 2, 1.25, &P, &phi);
    CHECK_REL(P, 2.0, TOL_GEOMETRY);
    CHECK_REL(phi, 1.25, TOL_GEOMETRY);
    mode_recentre(0.5, 2, 1, 0, &P, &phi);
    ck_assert(P == 0 && isfinite(phi));
    mode_recentre(0.5, 2, 5, 0, &P, &phi);
    ck_assert(P == 4 && phi == 0);
    mode_recentre(0.5, 2, 0.5, 0, &P, &phi);
    CHECK_REL(P, 0.5, TOL_GEOMETRY);
    CHECK_REL(phi, M_PI, TOL_GEOMETRY);
}
END_TEST

/* I_m(q,P) = f(q,P) a^m has the sum 2 pi f (1 - a^2)/(1 + 2 a cos phi + a^2); with even orders
 * only, a^2 and 2 phi take their place and the sign drops out. */
static double closed(int step, double a, double phi)
{
    double b = step == 2 ? -a * a : a, angle = step * phi;
    return 2 * M_PI * (1 - b * b) / (1 + 2 * b * cos(angle) + b * b);
}

static double polynomial(int pol, int iq, double P) /* degree 9 */
{
    double x = P / 4 - 1, y = 1;
    for (int i = 0; i < 9; i++) y = y * x + 0.3 * (i % 3) - 0.2 * pol + 0.1 * iq;
    return y;
}

static double smooth(int pol, int iq, double P)
{
    return exp(-0.3 * P * (1 + pol)) / (1 + P * P) + iq;
}

typedef double (*function)(int pol, int iq, double P);

static void make(mode_table *t, int step, size_t np, const double *P, function f, const double *a)
{
    static const double q[NQ] = {0.7, 2.2};
    double *I = malloc(NPOL * NM * NQ * np * sizeof *I);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < NM; im++)
            for (size_t iq = 0; iq < NQ; iq++)
                for (size_t ip = 0; ip < np; ip++)
                    I[((pol * NM + im) * NQ + iq) * np + ip] =
                        f((int)pol, (int)iq, P[ip]) * pow(a[pol], (double)im * step);
    int m[NM];
    for (int im = 0; im < NM; im++) m[im] = im * step;
    const inner_opts frame = {.lam = step == 2 ? 0.5 : 0, .nm = NM, .m = m};
    const backend_transform k = {&frame, NQ, np, q, P, 0, NULL};
    mode_table_init(t, &k, I);
    free(I);
}

static void check(int step, function f, double tol)
{
    static const grid_steps steps = {0.5, 0.04, 0.3, INFINITY};
    static const double a[NPOL] = {0.6, 0.75}; /* 0.75^120 = 1e-15 */
    double *P;
    size_t np;
    uint64_t seed = 9;
    mode_table t;
    ck_assert(grid_graded(&steps, 8, &np, &P, NULL) == CGCT_OK);
    make(&t, step, np, P, f, a);
    double size = 0;
    for (size_t i = 0; i < 2 * NQ * np; i++)
        size = fmax(size, fabs(f((int)i % 2, (int)i / 2 % NQ, P[i / (2 * NQ)])));
    for (int i = 0; i < 2000; i++) {
        double p = i % 10 ? P[np - 1] * chain_random(&seed) : P[(size_t)i % np], I[NPOL];
        double phi = 7 * chain_random(&seed) - 3.5;
        size_t iq = (size_t)i % NQ;
        mode_table_eval(&t, iq, p, phi, I);
        for (int pol = 0; pol < NPOL; pol++) {
            double value = f(pol, (int)iq, p);
            CHECK_ABS(I[pol], value * closed(step, a[pol], phi),
                      tol * size * 2 * M_PI * (1 + a[pol]) / (1 - a[pol]));
        }
    }
    mode_table_free(&t);
    ck_assert(t.I == NULL && t.nm == 0);
    mode_table_free(&t);
    free(P);
}

START_TEST(known_sums)
{
    check(1, polynomial, TOL_SUM);
    check(2, polynomial, TOL_SUM);
    check(1, smooth, TOL_SMOOTH);
    check(2, smooth, TOL_SMOOTH);
}
END_TEST

/* Fewer momenta than the interpolation asks for: all of them are used. */
START_TEST(few_momenta)
{
    const double P[3] = {0, 1, 3}, a[NPOL] = {0, 0};
    double I[NPOL];
    mode_table t;
    make(&t, 1, 3, P, smooth, a);
    mode_table_eval(&t, 1, 1, 2, I);
    CHECK_REL(I[0], 2 * M_PI * smooth(0, 1, 1), TOL_SUM);
    CHECK_REL(I[1], 2 * M_PI * smooth(1, 1, 1), TOL_SUM);
    mode_table_free(&t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("modes");
    TCase *t = tcase_create("modes");
    tcase_add_test(t, recentring);
    tcase_add_test(t, recentring_limits);
    tcase_add_test(t, known_sums);
    tcase_add_test(t, few_momenta);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
