/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BK evolution: the linear kernel in closed form, the right-hand side by another quadrature, the
 * couplings, a short evolution with its accuracy, and one line for every bad parameter. */
#include "dipole/bk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_rel.h"
#include "dipole/bk_impl.h"
#include "dipole/dipole_impl.h"
#include "open_ref.h"
#include "run_suite.h"

/* alpha_s at large r in the reference program: its logarithm is 2 ln 2.5 there. */
#define CAP_OF_REFERENCE (12 * M_PI / (27 * 2 * log(2.5)))
#define TOL_EXACT 1e-9 /* linear kernel on powers */
#define TOL_RATE 1e-8  /* right-hand side */
#define TOL_GAMMA 1e-7 /* ln Gamma, S >= 1e-12 */
#define TOL_LN_S 1e-5  /* ln S below */
#define TOL_ROUND 1e-13
#define TOL_SPLINE 1e-8 /* quintic spline against polynomials of degree 9 */

/* The right-hand side R of a start at any r. */
typedef struct {
    bk_grid grid;
    bk_values values;
} rates;

static void rates_init(rates *q, const bk_grid_opts *o)
{
    bk_grid_init(&q->grid, o);
    double *f = malloc(q->grid.n * sizeof *f);
    for (size_t i = 0; i < q->grid.n; i++) f[i] = o->start->lnGamma(o->start->of, q->grid.t[i]);
    bk_grid_adapt(&q->grid, f);
    bk_values_init(&q->values, &q->grid);
    bk_values_set(&q->values, &q->grid, f);
    free(f);
}

static double rate_at(const rates *q, double r)
{
    bk_points p;
    bk_points_init(&p, &q->grid, log(r));
    const double R = bk_points_sum(&p, &q->values);
    bk_points_free(&p);
    return R;
}

static void rates_free(rates *q)
{
    bk_grid_free(&q->grid);
    bk_values_free(&q->values);
}

#define TINY 1e-30

static double tiny_power(const void *power, double lnr)
{
    return log(TINY) + 2 * *(const double *)power * lnr;
}

static double power_alpha(const bk_alpha *a, double r2)
{
    return pow(r2, a->b);
}

static double power_ratio_m1(const bk_alpha *a, double x2, double w)
{
    (void)x2;
    return expm1(-a->b * log1p(w));
}

/* N = r^2g, alpha_s = r^2d: R = -TINY r^(2g+2d) Nc/(2 pi^2) J(g, d). */
START_TEST(linear_kernel)
{
    FILE *f = open_ref("bk.ref");
    double g, d, J;
    int n = 0;
    for (; fscanf(f, "%lf %lf %lf", &g, &d, &J) == 3; n++) {
        const bk_profile start = {tiny_power, &g};
        const bk_alpha alpha = {.value = power_alpha,
                                .ratio_m1 = power_ratio_m1,
                                .b = d,
                                .scheme = BK_BALITSKY,
                                .kink = INFINITY,
                                .transition = INFINITY};
        const bk_grid_opts o = {log(1e-8), log(1e16), 1, &start, &alpha, 0};
        rates q;
        rates_init(&q, &o);
        for (double r = 3e-8; r < 100; r *= 7)
            CHECK_REL(-rate_at(&q, r) / TINY * pow(r, -2 * (g + d)) * 2 * M_PI * M_PI / 3, J,
                      TOL_EXACT);
        rates_free(&q);
    }
    fclose(f);
    ck_assert_int_eq(n, 5);
}
END_TEST

static bk_opts mvgamma_with(const char *coupling)
{
    const bk_set *set = bk_set_named("mvgamma");
    const char *const names[] = {"balitsky", "parent", "smallest", "fixed", "smooth", "resum"};
    bk_opts o = {.initial = set->initial, .coupling.C2 = set->C2};
    int i = 0;
    while (strcmp(names[i], coupling) != 0) i++;
    o.coupling.freeze = i == 4 ? BK_SMOOTH : BK_SHARP;
    if (i == 4) o.coupling.cap = CAP_OF_REFERENCE;
    if (i < 4) o.coupling.scheme = (bk_scheme)i;
    if (i == 5) o.coupling.equation = BK_RESUM;
    ck_assert_int_eq(bk_opts_check(&o, NULL), CGCT_OK);
    return o;
}

START_TEST(right_hand_side)
{
    FILE *f = open_ref("bk_rate.ref");
    char coupling[16], before[16] = "";
    double r, R, deviation;
    int n = 0;
    rates q = {0};
    bk_alpha alpha;
    bk_opts o;
    const bk_profile start = {bk_initial_lnGamma, &o.initial};
    const bk_grid_opts grid = {log(1e-7), log(45), 1.5, &start, &alpha, 0};
    for (; fscanf(f, "%15s %lf %lf %lf", coupling, &r, &R, &deviation) == 4; n++) {
        if (strcmp(coupling, before) != 0) {
            o = mvgamma_with(coupling);
            if (n) rates_free(&q);
            bk_alpha_init(&alpha, &o.coupling);
            rates_init(&q, &grid);
            strcpy(before, coupling);
        }
        const double got = rate_at(&q, r);
        ck_assert_msg(fabs(got / R - 1) < TOL_RATE + 3 * deviation,
                      "%s r = %g: %.12g, want %.12g, rel %.2e", coupling, r, got, R, got / R - 1);
        if (getenv("CHECK_LONG")) printf("%s r = %g: rel %.2e\n", coupling, r, got / R - 1);
    }
    rates_free(&q);
    fclose(f);
    ck_assert_int_eq(n, 35);
}
END_TEST

/* Ratios against the values, where those do not cancel. */
START_TEST(couplings)
{
    for (int freeze = 0; freeze < 2; freeze++) {
        bk_opts o = {.coupling.freeze = (bk_freeze)freeze};
        bk_alpha a;
        ck_assert_int_eq(bk_opts_check(&o, NULL), CGCT_OK);
        bk_alpha_init(&a, &o.coupling);
        for (double lnx = -30; lnx < 20; lnx += 0.37)
            for (double lnw = -1; lnw < 40; lnw += 2.3) {
                const double x2 = exp(2 * lnx), w = exp(lnw);
                const double want = a.value(&a, x2) / a.value(&a, x2 * (1 + w)) - 1;
                CHECK_ABS(a.ratio_m1(&a, x2, w), want, 1e-13 + 1e-13 * fabs(want));
            }
        CHECK_REL(a.value(&a, 1e6), 0.7, 1e-9);
        CHECK_REL(a.value(&a, 1e-4), 1 / (a.b * log(4 * 14.5 / (1e-4 * 0.241 * 0.241))), 1e-12);
    }
}
END_TEST

static bk_solution *solved(bk_opts o)
{
    cgct_err err = {""};
    bk_solution *s;
    ck_assert_msg(bk_solve(&s, &o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

/* Starts as it should, N rises with Y and r, the accuracy promised is reached. */
START_TEST(short_evolution)
{
    const double Ymax = 0.25;
    bk_solution *s = solved((bk_opts){.Ymax = Ymax, .coupling.freeze = BK_SMOOTH});
    const double *t = s->grid.t;
    const bk_accuracy *a = s->accuracy;
    const size_t n = s->grid.n;
    double *f = malloc(n * sizeof *f), *g = malloc(n * sizeof *g);
    ck_assert_int_eq(bk_at(s, 0, f, NULL), CGCT_OK);
    ck_assert_int_eq(bk_at(s, Ymax, g, NULL), CGCT_OK);
    for (size_t i = 0; i < n && t[i] < log(60); i++) {
        const double r = exp(t[i]);
        CHECK_REL(exp(f[i]), r * r * 0.104 / 4 * log(1 / (r * 0.241) + M_E), TOL_ROUND);
        if (r < 5) ck_assert(g[i] > f[i]);
        if (i) ck_assert(g[i] > g[i - 1]);
    }
    for (int i = 0; i < BK_ACCURACIES; i++) {
        if (a[i].Y < 0.2) continue; /* small S changes by orders of magnitude before */
        ck_assert_msg(a[i].lnGamma < TOL_GAMMA, "Y = %g: %g", a[i].Y, a[i].lnGamma);
        ck_assert_msg(a[i].lnS < TOL_LN_S, "Y = %g: %g", a[i].Y, a[i].lnS);
    }
    cgct_err err = {""};
    ck_assert_int_eq(bk_at(s, 0.3, f, &err), CGCT_E_RANGE);
    ck_assert_ptr_nonnull(strstr(err.text, "Y = 0.3, solved from 0 to 0.25"));
    free(f);
    free(g);
    bk_free(s);
}
END_TEST

/* The grid of this set reaches far beyond 1/Qs, where S starts below the smallest number and rises
 * by hundreds of orders of magnitude in the first step. */
START_TEST(wide_grid)
{
    const bk_set *set = bk_set_named("bayes5median");
    const double Ymax = 0.0513;
    bk_solution *s = solved((bk_opts){
        .initial = set->initial, .coupling = {.C2 = set->C2, .freeze = BK_SMOOTH}, .Ymax = Ymax});
    const size_t n = s->grid.n;
    const bk_initial *at = &set->initial;
    double *f = malloc(n * sizeof *f), *g = malloc(n * sizeof *g);
    ck_assert_int_eq(bk_at(s, 0, f, NULL), CGCT_OK);
    ck_assert_int_eq(bk_at(s, Ymax, g, NULL), CGCT_OK);
    for (size_t i = 0; i < n; i++) {
        const double r = exp(s->grid.t[i]);
        CHECK_REL(exp(f[i]),
                  pow(r * r * at->Qs0sq, at->gamma) / 4 * log(1 / (r * 0.241) + at->ec * M_E),
                  TOL_ROUND);
        ck_assert(isfinite(g[i]) && (!i || g[i] > g[i - 1]));
    }
    free(f);
    free(g);
    bk_free(s);
}
END_TEST

typedef struct {
    char key[512];
    size_t n;
    double *numbers;
    int found;
} one_solution;

static double *find_one(void *self, const char *key, size_t *n)
{
    one_solution *o = self;
    if (!o->numbers || strcmp(key, o->key) != 0) return NULL;
    double *copy = malloc(o->n * sizeof *copy);
    o->found++;
    *n = o->n;
    return memcpy(copy, o->numbers, o->n * sizeof *copy);
}

static void keep_one(void *self, const char *key, size_t n, const double *numbers)
{
    one_solution *o = self;
    free(o->numbers);
    ck_assert_uint_lt(strlen(key), sizeof o->key);
    strcpy(o->key, key);
    o->numbers = malloc(n * sizeof *numbers);
    memcpy(o->numbers, numbers, n * sizeof *numbers);
    o->n = n;
}

static double of_solution(bk_opts o)
{
    bk_solution *s = solved(o);
    const size_t n = s->grid.n;
    double *f = malloc(n * sizeof *f), sum = 0;
    ck_assert_int_eq(bk_at(s, 0.037, f, NULL), CGCT_OK);
    for (size_t i = 0; i < n; i++) sum += f[i] * s->grid.t[i];
    ck_assert_int_eq(bk_at(s->coarser, 0.037, f, NULL), CGCT_OK);
    sum += f[n / 2] + s->reach + 1e6 * s->accuracy[0].lnGamma;
    free(f);
    bk_free(s);
    return sum;
}

/* The same bits; another coupling or start is another solution; numbers that do not fit are not
 * taken. */
START_TEST(kept_solution)
{
    one_solution one = {.n = 0};
    const bk_keeper keeper = {&one, find_one, keep_one};
    bk_opts o = {.Ymax = 0.05, .refine = 0.25, .keeper = &keeper};
    const double first = of_solution(o);
    ck_assert(!one.found && one.n > 1000);
    ck_assert(of_solution(o) == first && one.found == 1);
    one.n--;
    ck_assert(of_solution(o) == first && one.found == 2);
    ck_assert(of_solution(o) == first && one.found == 3); /* kept again */
    o.coupling.cap = 0.71;
    ck_assert(of_solution(o) != first && one.found == 3);
    o.coupling.cap = 0;
    o.initial.ec = 1.01;
    ck_assert(of_solution(o) != first && one.found == 3);
    free(one.numbers);
}
END_TEST

/* One source, every x: between the nodes as between the steps. */
START_TEST(as_dipole)
{
    const dipole_opts o = {
        .kind = DIPOLE_BK, .set = "mve", .bk = {.coupling.freeze = BK_SMOOTH}, .xmin = 0.009};
    cgct_err err = {""};
    dipole_source *s;
    dipole *d;
    double Qs2 = 0;
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    ck_assert_ptr_nonnull(strstr(s->describe, "bk Qs0sq = 0.06 GeV^2"));
    ck_assert_ptr_nonnull(strstr(s->describe, "C2 = 7.2, Nf = 3, cap = 0.7, c = 0.2"));
    const double x[] = {0.01, 0.0097, 0.0092, 0.009};
    double *f = malloc(s->bk->grid.n * sizeof *f);
    for (int k = 0; k < 4; k++) {
        ck_assert_msg(dipole_init(&d, s, x[k], &err) == CGCT_OK, "%s", err.text);
        ck_assert_int_eq(bk_at(s->bk, fmin(log(0.01 / x[k]), s->bk->o.Ymax), f, NULL), CGCT_OK);
        for (double lnr = log(1e-6); lnr < s->bk->reach; lnr += 0.0777) {
            double want = bk_interpolate(s->bk, f, lnr), L, r2 = exp(2 * lnr);
            if (want > log(BK_GAMMA_PROMISED)) break;
            dipole_lnS(d, 1, &r2, &L);
            ck_assert_msg(fabs(log(-L) - want) < TOL_SPLINE, "x = %g, r = %g: %.3e", x[k], exp(lnr),
                          log(-L) - want);
        }
        ck_assert(d->Qs2 > Qs2);
        Qs2 = d->Qs2;
        dipole_free(d);
    }
    ck_assert_int_eq(dipole_init(&d, s, 0.008, &err), CGCT_E_RANGE);
    ck_assert_int_eq(dipole_init(&d, s, 0.011, &err), CGCT_E_RANGE);
    free(f);
    dipole_source_close(s);
}
END_TEST

START_TEST(bad_parameters)
{
    const struct {
        bk_opts o;
        const char *says;
    } bad[] = {
        {{.initial.Qs0sq = -0.1}, "Qs0sq = -0.1, allowed is 0.001 to 100"},
        {{.initial.gamma = 2.5}, "gamma = 2.5, allowed is 0.5 to 2"},
        {{.initial.ec = 0.1}, "ec = 0.1, allowed is 0.5 to 1000"},
        {{.coupling.C2 = -1}, "C2 = -1, allowed is"},
        {{.coupling.cap = 5}, "cap = 5, allowed is"},
        {{.coupling.c = 0.01}, "c = 0.01, allowed is 0.05 to 2"},
        {{.coupling.Ksub = 30}, "Ksub = 30, allowed is 0.05 to 20"},
        {{.Ymax = NAN}, "Ymax = nan, allowed is"},
        {{.Ymax = 100}, "Ymax = 100, allowed is 0.001 to 30"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cgct_err err = {""};
        bk_solution *s;
        ck_assert_int_eq(bk_solve(&s, &bad[i].o, &err), CGCT_E_CONFIG);
        ck_assert_msg(strstr(err.text, bad[i].says) != NULL, "%s", err.text);
        ck_assert_ptr_null(s);
    }
    const struct {
        dipole_opts o;
        cgct_status st;
        const char *says;
    } wrong[] = {
        {{.set = "mvg"}, CGCT_E_CONFIG, "no set 'mvg'; there are mv mve"},
        {{.xmin = 0.02}, CGCT_E_RANGE, "x = 0.02 lies above x_initial = 0.01"},
        {{.x_initial = 2}, CGCT_E_CONFIG, "x_initial = 2; want it in (0, 1]"},
        {{.xmin = 1e-20}, CGCT_E_RANGE, "x = 1e-20 lies 41.4465 in Y from x_initial = 0.01"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cgct_err err = {""};
        dipole_opts o = wrong[i].o;
        dipole_source *s;
        o.kind = DIPOLE_BK;
        ck_assert_int_eq(dipole_source_open(&s, &o, &err), wrong[i].st);
        ck_assert_msg(strstr(err.text, wrong[i].says) != NULL, "%s", err.text);
    }
    bk_scheme scheme;
    ck_assert_int_eq(bk_scheme_named("nosuch", &scheme, NULL), CGCT_E_CONFIG);
    ck_assert_ptr_null(bk_set_named("nosuch"));
    ck_assert(bk_set_named("bayes5")->C2 == 4.468);
}
END_TEST

/* The largest difference from a solution with twice the resolution, at three Y. */
START_TEST(doubled)
{
    const bk_set *set = bk_set_named("mve");
    for (int freeze = 0; freeze < 2; freeze++) {
        bk_opts o = {.initial = set->initial,
                     .coupling = {.C2 = set->C2, .freeze = (bk_freeze)freeze}};
        bk_solution *s = solved(o);
        o.refine = 2;
        bk_solution *d = solved(o);
        const double *t = s->grid.t;
        const size_t n = s->grid.n;
        double *f = malloc(n * sizeof *f), *g = malloc(d->grid.n * sizeof *g);
        for (double Y = 0.5; Y <= 7; Y += 0.93) {
            ck_assert(bk_at(s, Y, f, NULL) == CGCT_OK && bk_at(d, Y, g, NULL) == CGCT_OK);
            for (size_t i = 0; i < n; i++) {
                const double h = bk_interpolate(d, g, t[i]);
                if (!(exp(h) < 138)) break;
                if (t[i] < log(1e-6)) continue;
                CHECK_ABS(f[i], h, exp(h) < 27.6 ? TOL_GAMMA : TOL_LN_S / exp(h));
            }
        }
        free(f), free(g);
        bk_free(s), bk_free(d);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bk");
    TCase *c = tcase_create("bk");
    tcase_set_timeout(c, 1200);
    tcase_add_test(c, linear_kernel);
    tcase_add_test(c, right_hand_side);
    tcase_add_test(c, couplings);
    tcase_add_test(c, short_evolution);
    tcase_add_test(c, wide_grid);
    tcase_add_test(c, kept_solution);
    tcase_add_test(c, as_dipole);
    tcase_add_test(c, bad_parameters);
    if (getenv("CHECK_LONG") && *getenv("CHECK_LONG")) tcase_add_test(c, doubled);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
