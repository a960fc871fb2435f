/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The correlator at any number of colours against exponentiated colour matrices, its large-Nc
 * limit, its symmetry; and the inner table that the direct builders make of it. */
#include "inner/correlator.h"

#include <stdio.h>

#include "check_rel.h"
#include "open_ref.h"
#include "oracle/graded.h"
#include "run_suite.h"

#define TOL_S4 1e-15       /* relative, and as much for each unit of the exponents */
#define TOL_SINGLET 2e-15  /* likewise */
#define TOL_LARGE 1e-13    /* relative to the form for infinitely many colours */
#define TOL_PAPER 3e-2     /* of the largest mode: the paper's discretisation of psi_T */
#define TOL_EXCHANGE 1e-13 /* of the terms */

static double S4(double Nc, double a, double b, double Y)
{
    return correlator_S4(correlator_of(Nc), -a, -b, -Y, vexp(-a));
}

static double singlet(double Nc, double a, double b, double Y)
{
    return correlator_singlet(correlator_of(Nc), -a, -b, -Y, vexp(-a));
}

/* 1e-300: what has underflowed in doubles has done so in the file's numbers, too. */
START_TEST(colour_matrices)
{
    FILE *f = open_ref("correlator.ref");
    double Nc, a, b, Y, want[2], worst[2] = {0};
    int n = 0, c;
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%lf %lf %lf %lf %lf %lf", &Nc, &a, &b, &Y, want, want + 1) == 6; n++) {
        const double got[] = {S4(Nc, a, b, Y), singlet(Nc, a, b, Y)};
        for (int i = 0; i < 2; i++) {
            const double scale = fabs(want[i]) + 1e-300;
            const double rel = fabs(got[i] - want[i]) / (scale * (1 + a + b));
            worst[i] = larger_error(worst[i], rel);
            ck_assert_msg(rel <= (i ? TOL_SINGLET : TOL_S4),
                          "%s: Nc = %g a = %.17g b = %.17g k-b = %.17g: %.17g, want %.17g",
                          i ? "singlet" : "S4", Nc, a, b, Y, got[i], want[i]);
        }
    }
    fclose(f);
    printf("%d values: relative error over 1 + a + b at most %.1e, singlet part %.1e\n", n,
           worst[0], worst[1]);
    ck_assert_int_eq(n, 420);
}
END_TEST

/* a, b from 1e-6 to 1e4; k - b from a triangle with these sides. */
static void sides(int i, double *a, double *b, double *Y)
{
    *a = pow(10, -6 + i % 11), *b = *a * pow(10, -2 + i / 11 % 5);
    *Y = fabs(*a - *b) - *b + (*a + *b - fabs(*a - *b)) * 0.1 * (i / 55);
}
enum { SIDES = 550 };

START_TEST(many_colours)
{
    for (int i = 0; i < SIDES; i++) {
        double a, b, Y;
        sides(i, &a, &b, &Y);
        const double want = Y * expdiff(-a, -b);
        CHECK_REL(S4(INFINITY, a, b, Y), want, TOL_LARGE * (1 + a + b));
        CHECK_REL(S4(1e10, a, b, Y), want, TOL_LARGE * (1 + a + b));
        /* the leading difference falls like 1/Nc^2 */
        const double d1 = S4(3000, a, b, Y) - want, d2 = S4(6000, a, b, Y) - want;
        ck_assert_msg(fabs(d1 - 4 * d2) <= 1e-3 * fabs(d1) + 1e-14 * (1 + a + b) * fabs(want),
                      "a = %g b = %g: %g, %g", a, b, d1, d2);
    }
}
END_TEST

/* e^-a (e^X - 1 - X)/X^2 */
static double remainder_of_exp(double a, double b)
{
    const long double X = a - b, e = expl(-a);
    if (fabsl(X) < 1e-3L)
        return (double)(e * (0.5L + X * (1 / 6.L + X * (1 / 24.L + X * (1 / 120.L + X / 720)))));
    return (double)((expl(-b) - e - X * e) / (X * X));
}

/* Nc^2 times the singlet part tends to Y^2 e^-a (e^X - 1 - X)/X^2, X = a - b, at many colours; at
 * b = 0, where k = a, it is [1 + (Nc^2 - 1) e^(-c a)]/Nc^2 - e^-a, c = Nc^2/(Nc^2 - 1). */
START_TEST(singlet_limits)
{
    for (int i = 0; i < SIDES; i++) {
        double a, b, Y;
        sides(i, &a, &b, &Y);
        CHECK_REL(1e16 * singlet(1e8, a, b, Y), Y * Y * remainder_of_exp(a, b),
                  TOL_LARGE * (1 + a + b));
        ck_assert(singlet(2, a, b, Y) >= 0 && singlet(INFINITY, a, b, Y) == 0);
    }
    for (double a = 0.1; a < 1e3; a *= 1.5)
        for (double Nc = 2; Nc < 40; Nc *= 3) {
            const long double share = 1 / (long double)(Nc * Nc);
            const long double want = (1 - share) * expm1l(-a / (1 - share)) - expm1l(-a);
            CHECK_REL(singlet(Nc, a, 0, a), (double)want, TOL_SINGLET * (1 + a));
        }
}
END_TEST

/* Q of the four lines is the same with a and b exchanged; S4 = Q - e^-a. */
START_TEST(exchange)
{
    for (int i = 0; i < SIDES; i++)
        for (double Nc = 2; Nc < 40; Nc *= 3) {
            double a, b, Y;
            sides(i, &a, &b, &Y);
            const double one = S4(Nc, a, b, Y) + vexp(-a), two = S4(Nc, b, a, Y + b - a) + vexp(-b);
            ck_assert_msg(isfinite(one), "a = %g b = %g", a, b);
            CHECK_ABS(one, two, TOL_EXCHANGE * (1 + a + b) * (vexp(-a) + vexp(-b) + fabs(one)));
        }
}
END_TEST

/* The sum rule, which is the same for all but the singlet part; gbw depends on Delta and R alone;
 * the paper's discretisation is as good as for infinitely many, from which these differ by some per
 * cent. */
START_TEST(colours)
{
    static const double delta[] = {0, 0.5, 2}, r[] = {0, 0.6, 2.5}, Nc[] = {2, 3, 0, 3};
    const dipole_kind kind = _i ? DIPOLE_MV : DIPOLE_GBW;
    inner_table graded[4], direct;
    static const int even[] = {0, 2, 4};
    const inner_opts o = {.eps = 1,
                          .lam = 0.5,
                          .nm = 3,
                          .m = even,
                          .nd = 3,
                          .nr = 3,
                          .delta = delta,
                          .r = r,
                          .s_max = 20,
                          .n_gauss = 128,
                          .n_phi = 32};
    cgct_err err = {""};
    for (int i = 0; i < 4; i++) {
        dipole_source *s = NULL;
        dipole *d = NULL;
        double sum[NPOL];
        dipole_opts opts = {.kind = kind, .Nc = Nc[i], .singlet = i == 3};
        ck_assert(dipole_source_open(&s, &opts, NULL) == CGCT_OK);
        ck_assert(dipole_init(&d, s, 0.01, NULL) == CGCT_OK);
        ck_assert_msg(inner_graded(&graded[i], &o, d, &err) == CGCT_OK, "%s", err.text);
        ck_assert_msg(inner_direct(&direct, &o, d, &err) == CGCT_OK, "%s", err.text);
        inner_sum_rule(d, o.eps, sum);
        for (int pol = 0; pol < NPOL; pol++) {
            const double *g = graded[i].g + pol * 27;
            CHECK_REL(graded[i].origin[pol], sum[pol], 1e-7);
            for (size_t at = 0; at < 9; at++) {
                CHECK_ABS(direct.g[27 * pol + (int)at], g[at], TOL_PAPER * fabs(g[at]));
                if (!_i) CHECK_ABS(g[9 + at], 0, 1e-8 * fabs(g[at]));
            }
            printf("%s Nc = %g%s %c: g(0,0) off by %.1e, G_0(0.5,0.6) = %.6f\n", _i ? "mv" : "gbw",
                   Nc[i] ? Nc[i] : INFINITY, i == 3 ? " singlet" : "", "TL"[pol],
                   graded[i].origin[pol] / sum[pol] - 1, g[4]);
        }
        inner_table_free(&direct);
        dipole_free(d);
        dipole_source_close(s);
    }
    for (int pol = 0; pol < NPOL; pol++) {
        double two = graded[0].g[27 * pol + 4], three = graded[1].g[27 * pol + 4];
        double large = graded[2].g[27 * pol + 4];
        ck_assert(fabs(two - large) > fabs(three - large) && fabs(three / large - 1) > 1e-3);
    }
    for (int i = 0; i < 4; i++) inner_table_free(&graded[i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("correlator");
    TCase *t = tcase_create("correlator");
    tcase_add_test(t, colour_matrices);
    tcase_add_test(t, many_colours);
    tcase_add_test(t, singlet_limits);
    tcase_add_test(t, exchange);
    suite_add_tcase(s, t);
    t = tcase_create("tables");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, colours, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
