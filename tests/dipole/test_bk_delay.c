/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BK equations with shifts of Y: powers of r against a Volterra equation in Y alone, the right-hand
 * side by another quadrature, the limit without shifts, the order in the step, and published
 * initial conditions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_rel.h"
#include "dipole/bk_impl.h"
#include "dipole/dipole_impl.h"
#include "open_ref.h"
#include "run_suite.h"

#define TOL_POWER 5e-9  /* n(Y) of a power of r; a step may err by 1e-7 */
#define TOL_RATE 1e-8   /* right-hand side */
#define TOL_LIMIT 1e-8  /* no shifts */
#define TOL_COARSE 1e-5 /* refine = 0.5 against 0.38 */
/* Accuracies with the published sets at refine = 0.4, and at 1. */
#define TOL_SETS 1e-4
#define TOL_SETS_S 0.1
#define TOL_SETS_FINE 1e-6
#define TOL_SETS_FINE_S 1e-4
#define TINY 1e-70

static bk_equation equation_of(const char *name)
{
    bk_equation e;
    ck_assert_int_eq(bk_equation_named(name, &e, NULL), CGCT_OK);
    return e;
}

static double tiny_power(const void *power, double lnr)
{
    return log(TINY) + 2 * *(const double *)power * lnr;
}

/* A power of r at fixed coupling from Y = 0; at[i]: n(Y[i]) at r = 1. */
static void evolve_power(bk_coupling coupling, double g, double step, size_t n, const double *Y,
                         double *at)
{
    cgct_err err = {""};
    /* given steps: iterations go on to rounding; few nodes, so that they converge */
    bk_opts o = {.coupling = coupling, .Ymax = Y[n - 1], .refine = step > 0 ? 4 : 1};
    const bk_profile start = {tiny_power, &g};
    bk_alpha alpha;
    bk_grid grid;
    bk_kernel kernel;
    bk_path path;
    o.coupling.scheme = BK_FIXED;
    ck_assert_int_eq(bk_opts_check(&o, NULL), CGCT_OK);
    bk_alpha_init(&alpha, &o.coupling);
    /* kc asks for r exp(Y/2) at most, t for all larger r */
    const double tmax = alpha.equation == BK_TARGET ? log(1e34) : log(10) + 0.5 * o.Ymax;
    const bk_grid_opts q = {log(0.1), tmax, step > 0 ? 0.4 : 1, &start, &alpha, o.Ymax};
    bk_grid_init(&grid, &q);
    bk_kernel_init(&kernel, &grid);
    ck_assert_msg(bk_delay_run(&path, &kernel, &o, step, &err) == CGCT_OK, "%s", err.text);
    double *f = malloc(grid.n * sizeof *f), w[BK_STENCIL];
    const size_t first = bk_grid_weights(&grid, 0, w);
    for (size_t i = 0; i < n; i++) {
        double lnN = -log(TINY);
        bk_path_at(&path, Y[i], f);
        for (size_t k = 0; k < BK_STENCIL; k++) lnN += w[k] * f[first + k];
        at[i] = exp(lnN);
    }
    free(f);
    bk_path_free(&path);
    bk_kernel_free(&kernel);
    bk_grid_free(&grid);
}

START_TEST(powers)
{
    FILE *f = open_ref("bk_delay.ref");
    char name[8];
    double g, Y[3], want[3], got[3], difference;
    int n = 0;
    while (fscanf(f, "%7s %lf %lf %lf %lf", name, &g, &Y[n % 3], &want[n % 3], &difference) == 5) {
        if (++n % 3) continue;
        const bk_coupling coupling = {.equation = equation_of(name), .alpha = 0.2};
        evolve_power(coupling, g, 0, 3, Y, got);
        for (int i = 0; i < 3; i++) {
            if (getenv("CHECK_LONG"))
                printf("%s g = %g Y = %g: rel %.2e\n", name, g, Y[i], got[i] / want[i] - 1);
            CHECK_REL(got[i], want[i], TOL_POWER);
        }
    }
    fclose(f);
    ck_assert_int_eq(n, 12);
}
END_TEST

/* Halving the step divides the error within a step by 2^7 or more. */
START_TEST(order)
{
    static const char *const names[] = {"kc", "t"};
    for (int k = 0; k < 2; k++) {
        const bk_coupling coupling = {.equation = equation_of(names[k]), .alpha = 1};
        const double Y[] = {0.37, 1.3};
        double n[3][2];
        for (int i = 0; i < 3; i++) evolve_power(coupling, 0.6, Y[1] / (2 << i), 2, Y, n[i]);
        const double coarse = fabs(n[0][0] - n[2][0]), middle = fabs(n[1][0] - n[2][0]);
        if (getenv("CHECK_LONG"))
            printf("%s: n = %.15g, errors of steps 0.65 and 0.325 %.2e %.2e\n", names[k], n[2][0],
                   coarse / n[2][0], middle / n[2][0]);
        ck_assert_msg(middle * 128 < coarse, "%s: %.3e, %.3e", names[k], coarse, middle);
    }
}
END_TEST

/* The right-hand side at any r and Y for Gamma(r, Y) = Gamma(r) (1 + slope Y). */
typedef struct {
    bk_grid grid;
    bk_alpha alpha;
    bk_initial initial;
    bk_profile start;
    double slope;
} rates;

static void rates_init(rates *q, const bk_coupling *coupling, double slope)
{
    const bk_set *set = bk_set_named("mvgamma");
    bk_opts o = {.initial = set->initial, .coupling = *coupling};
    o.coupling.C2 = set->C2;
    ck_assert_int_eq(bk_opts_check(&o, NULL), CGCT_OK);
    bk_alpha_init(&q->alpha, &o.coupling);
    q->initial = o.initial;
    q->start = (bk_profile){bk_initial_lnGamma, &q->initial};
    q->slope = slope;
    const bk_grid_opts grid = {log(1e-7), log(45), 1.5, &q->start, &q->alpha, 28};
    bk_grid_init(&q->grid, &grid);
}

/* Gamma at Y. */
static bk_values values_at(const rates *q, double Y)
{
    double *f = malloc(q->grid.n * sizeof *f);
    bk_values v;
    bk_values_init(&v, &q->grid);
    for (size_t i = 0; i < q->grid.n; i++)
        f[i] = q->start.lnGamma(q->start.of, q->grid.t[i]) + log1p(q->slope * Y);
    bk_values_set(&v, &q->grid, f);
    free(f);
    return v;
}

static double rate_at(const rates *q, double r, double Y)
{
    bk_history h = {.ncell = q->grid.ncell};
    bk_points p, cut = {0};
    double v[BK_STAGES];
    bk_values values[BK_STAGES], now = values_at(q, Y);
    if (Y > 0) {
        bk_history_append(&h, 0, Y);
        for (int i = 0; i < BK_STAGES; i++) {
            v[i] = (double)i / (BK_STAGES - 1);
            values[i] = values_at(q, v[i] * Y);
        }
        bk_history_set(&h, v, values);
        for (int i = 0; i < BK_STAGES; i++) bk_values_free(&values[i]);
    }
    bk_points_init(&p, &q->grid, log(r));
    bk_points_cut(&cut, &p, &q->grid, Y);
    const double R = q->alpha.equation == BK_LO
                         ? bk_points_sum(&p, &now)
                         : bk_points_sum_past(&p, &cut, &(bk_past){Y, now.table, &h});
    bk_points_free(&p);
    bk_points_free(&cut);
    bk_history_free(&h);
    bk_values_free(&now);
    return R;
}

START_TEST(right_hand_side)
{
    FILE *f = open_ref("bk_delay_rate.ref");
    char equation[8], coupling[16], before[32] = "";
    double r, Y, R, deviation;
    rates q;
    int n = 0;
    for (; fscanf(f, "%7s %15s %lf %lf %lf %lf", equation, coupling, &r, &Y, &R, &deviation) == 6;
         n++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s", equation, coupling);
        if (strcmp(name, before) != 0) {
            const int smooth = !strcmp(coupling, "smooth");
            bk_coupling c = {.equation = equation_of(equation),
                             .freeze = smooth ? BK_SMOOTH : BK_SHARP};
            if (smooth) c.cap = 12 * M_PI / (27 * 2 * log(2.5)); /* as the reference program */
            if (!smooth) ck_assert_int_eq(bk_scheme_named(coupling, &c.scheme, NULL), CGCT_OK);
            if (n) bk_grid_free(&q.grid);
            rates_init(&q, &c, 0.3);
            strcpy(before, name);
        }
        const double got = rate_at(&q, r, Y);
        if (getenv("CHECK_LONG"))
            printf("%s r = %g Y = %g: rel %.2e (%.1e)\n", name, r, Y, got / R - 1, deviation);
        ck_assert_msg(fabs(got / R - 1) < TOL_RATE + 3 * deviation,
                      "%s r = %g Y = %g: %.12g, want %.12g, rel %.2e", name, r, Y, got, R,
                      got / R - 1);
    }
    bk_grid_free(&q.grid);
    fclose(f);
    ck_assert_int_eq(n, 20);
}
END_TEST

/* For Gamma that does not depend on Y both equations are the leading-logarithmic one as Y grows. */
START_TEST(no_shifts)
{
    static const char *const names[] = {"lo", "kc", "t"};
    static const double r[] = {0.5, 2, 9};
    double R[3][3];
    for (int k = 0; k < 3; k++) {
        const bk_coupling c = {.equation = equation_of(names[k]), .freeze = BK_SMOOTH};
        rates q;
        rates_init(&q, &c, 0);
        for (int i = 0; i < 3; i++) {
            R[k][i] = rate_at(&q, r[i], 28);
            if (getenv("CHECK_LONG"))
                printf("%s r = %g: rel %.2e\n", names[k], r[i], R[k][i] / R[0][i] - 1);
            CHECK_REL(R[k][i], R[0][i], TOL_LIMIT);
        }
        bk_grid_free(&q.grid);
    }
}
END_TEST

/* From a published initial condition, with the rapidity in the description. */
START_TEST(as_dipole)
{
    static const char *const says[] = {"equation kc, projectile rapidity Y = ln(x_initial/x)",
                                       "equation t, target rapidity eta = ln(x_initial/x)"};
    for (int k = 0; k < 2; k++) {
        const dipole_opts o = {
            .kind = DIPOLE_BK,
            .set = "mve",
            .bk = {.coupling = {.equation = k ? BK_TARGET : BK_CONSTRAINED}, .refine = 0.5},
            .xmin = 0.0098};
        cgct_err err = {""};
        dipole_source *s;
        ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
        ck_assert_msg(strstr(s->describe, says[k]) != NULL, "%s", s->describe);
        const bk_accuracy *a = &s->bk->accuracy[BK_ACCURACIES - 1];
        if (getenv("CHECK_LONG")) printf("ln Gamma to %.1e, ln S to %.1e\n", a->lnGamma, a->lnS);
        ck_assert(a->lnGamma < TOL_COARSE);
        dipole_source_close(s);
    }
    bk_equation e;
    cgct_err err = {""};
    ck_assert_int_eq(bk_equation_named("kcbk", &e, &err), CGCT_E_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "no equation 'kcbk'; want lo, resum, kc or t"));
}
END_TEST

static int is_long(void)
{
    const char *s = getenv("CHECK_LONG");
    return s && *s;
}

static bk_solution *solve_set(const char *name, double Ymax, double refine)
{
    const bk_set *set = bk_set_named(name);
    const bk_opts o = {.initial = set->initial,
                       .coupling = {.C2 = set->C2, .equation = BK_CONSTRAINED},
                       .Ymax = Ymax,
                       .refine = refine};
    cgct_err err = {""};
    bk_solution *s;
    ck_assert_msg(bk_solve(&s, &o, &err) == CGCT_OK, "%s: %s", name, err.text);
    return s;
}

/* The first two always, all of them in long runs. */
static const char *const set_names[] = {"bayes4", "mvgamma",      "mv",          "mve",
                                        "bayes5", "bayes4median", "bayes5median"};

/* Every published initial condition evolves with kc, as accurately at S = 1e-60 as elsewhere; and
 * ln Gamma rises with r all over the grid, also where it is only continued. */
START_TEST(sets)
{
    const int fine = is_long();
    const char *name = set_names[_i];
    bk_solution *s = solve_set(name, fine ? 1.5 : 0.5, fine ? 1 : 0.4);
    const bk_accuracy *a = s->accuracy;
    const double *t = s->grid.t;
    const size_t nodes = s->grid.n;
    double *f = malloc(nodes * sizeof *f);
    for (int i = 0; i < BK_ACCURACIES; i++) {
        if (fine)
            printf("kc %s Y = %g: ln Gamma to %.1e, ln S to %.1e\n", name, a[i].Y, a[i].lnGamma,
                   a[i].lnS);
        ck_assert_msg(a[i].lnGamma < (fine ? TOL_SETS_FINE : TOL_SETS) &&
                          a[i].lnS < (fine ? TOL_SETS_FINE_S : TOL_SETS_S),
                      "%s Y = %g: %.2e, %.2e", name, a[i].Y, a[i].lnGamma, a[i].lnS);
        ck_assert_int_eq(bk_at(s, a[i].Y, f, NULL), CGCT_OK);
        for (size_t j = 1; j < nodes; j++)
            ck_assert_msg(f[j] > f[j - 1], "%s Y = %g: Gamma falls at r = %g", name, a[i].Y,
                          exp(t[j]));
    }
    free(f);
    bk_free(s);
}
END_TEST

/* The accuracy bounds the difference from a solution with half the spacings, in the steps of which
 * 64 times smaller errors are allowed. */
START_TEST(half_spacings)
{
    bk_solution *s = solve_set("bayes4", 1, 0.5), *fine = solve_set("bayes4", 1, 1);
    const bk_accuracy *a = s->accuracy;
    const double *t = s->grid.t;
    const size_t nodes = s->grid.n;
    double *f = malloc((nodes + fine->grid.n) * sizeof *f), *h = f + nodes;
    for (int i = 0; i < BK_ACCURACIES; i++) {
        double lnGamma = 0, lnS = 0;
        ck_assert_int_eq(bk_at(s, a[i].Y, f, NULL), CGCT_OK);
        ck_assert_int_eq(bk_at(fine, a[i].Y, h, NULL), CGCT_OK);
        for (size_t j = 0; j < nodes; j++) {
            const double g = bk_interpolate(fine, h, t[j]), Gamma = exp(g), d = fabs(f[j] - g);
            if (t[j] < log(1e-6) || Gamma > BK_GAMMA_PROMISED) continue;
            if (Gamma < -log(1e-12))
                lnGamma = larger_error(lnGamma, d);
            else
                lnS = larger_error(lnS, d * Gamma);
        }
        printf("Y = %g: ln Gamma %.1e of %.1e, ln S %.1e of %.1e\n", a[i].Y, lnGamma, a[i].lnGamma,
               lnS, a[i].lnS);
        ck_assert(lnGamma < a[i].lnGamma && lnS < a[i].lnS);
    }
    free(f);
    bk_free(s);
    bk_free(fine);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bk_delay");
    TCase *c = tcase_create("bk_delay");
    tcase_set_timeout(c, 600);
    tcase_add_test(c, powers);
    tcase_add_test(c, order);
    tcase_add_test(c, right_hand_side);
    tcase_add_test(c, no_shifts);
    tcase_add_test(c, as_dipole);
    tcase_add_loop_test(c, sets, 0, is_long() ? 7 : 2);
    if (is_long()) tcase_add_test(c, half_spacings);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
