/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial grids and local interpolation: shapes, exactness for polynomials, refusals. */
#include "numerics/grid.h"

#include <stdio.h>
#include <string.h>

#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_STEP 1e-12 /* rounding of a node near 100 against a step of 1e-2 */
#define TOL_POLY 1e-13 /* relative to sum |c_k f_k| */
#define TOL_ORDER 2.0  /* error against h^p, constant measured once per halving */

static const struct {
    grid_steps g;
    double last;
} graded[] = {{{0.03, 0.03, 0.08, 16}, 100}, {{0.01, 0.05, 0.05, 1e9}, 7},
              {{2, 0.02, INFINITY, 1}, 1e4}, {{1e-4, 0.3, 1, 5}, 300},
              {{1, 1, 1, 1}, 1e-3},          /* one step */ {{0.5, 0.04, 3, INFINITY}, 40}};

START_TEST(graded_properties)
{
    const grid_steps *g = &graded[_i].g;
    size_t n;
    double *x, last = graded[_i].last;
    cgct_err err = {""};
    ck_assert_msg(grid_graded(g, last, &n, &x, &err) == CGCT_OK, "%s", err.text);
    ck_assert(n >= 2 && x[0] == 0);
    ck_assert_msg(x[n - 1] >= last && x[n - 2] < last, "ends at %g, %g; want to pass %g", x[n - 2],
                  x[n - 1], last);
    for (size_t j = 0; j + 1 < n; j++) {
        double far = fmax(1, x[j] / g->turn), h = x[j + 1] - x[j];
        double want =
            fmin(g->spacing * sqrt(x[j] * x[j] + g->scale * g->scale), g->step * far * far);
        ck_assert_msg(h > 0, "node %zu does not rise", j);
        CHECK_REL(h, want, TOL_STEP * fmax(1, x[j] / h));
    }
    free(x);
}
END_TEST

/* Half the spacings: twice the nodes, and the rule is the same at every scale. */
START_TEST(graded_scaling)
{
    const grid_steps g = {0.1, 0.04, 0.2, 20}, half = {0.1, 0.02, 0.1, 20},
                     big = {1.6, 0.04, 3.2, 320};
    size_t n, n2, n3;
    double *x, *y, *z;
    ck_assert(grid_graded(&g, 50, &n, &x, NULL) == CGCT_OK);
    ck_assert(grid_graded(&half, 50, &n2, &y, NULL) == CGCT_OK);
    ck_assert(grid_graded(&big, 800, &n3, &z, NULL) == CGCT_OK);
    ck_assert_msg(n2 > 1.95 * (double)n && n2 < 2.05 * (double)n, "%zu nodes against %zu", n2, n);
    ck_assert_uint_eq(n3, n);
    for (size_t j = 1; j < n; j++) CHECK_REL(z[j], 16 * x[j], TOL_STEP); /* powers of two: exact */
    free(x);
    free(y);
    free(z);
}
END_TEST

START_TEST(power_grids)
{
    double *u, *v;
    ck_assert(grid_power(GRID_UNIFORM, 101, 7.5, &u, NULL) == CGCT_OK);
    ck_assert(grid_power(GRID_QUADRATIC, 101, 7.5, &v, NULL) == CGCT_OK);
    ck_assert(u[0] == 0 && v[0] == 0 && u[100] == 7.5 && v[100] == 7.5);
    for (int j = 1; j <= 100; j++) {
        CHECK_REL(u[j], 0.075 * j, TOL_STEP);
        CHECK_REL(v[j], 7.5e-4 * j * j, TOL_STEP);
    }
    free(u);
    free(v);
}
END_TEST

/* Window of p nodes: inside the grid, around x, and as central as the grid allows. */
START_TEST(windows)
{
    double x[40];
    uint64_t seed = 3;
    for (int trial = 0; trial < 200; trial++) {
        size_t n = 12 + (size_t)(28 * chain_random(&seed)),
               p = 2 + (size_t)(9 * chain_random(&seed));
        x[0] = 0;
        for (size_t j = 1; j < n; j++) x[j] = x[j - 1] + 0.01 + chain_random(&seed);
        double at = x[n - 1] * chain_random(&seed);
        size_t first = grid_window(n, x, at, p), cell = 0;
        while (cell + 2 < n && x[cell + 1] <= at) cell++;
        ck_assert_msg(first + p <= n, "window %zu + %zu of %zu", first, p, n);
        ck_assert(first <= cell && cell + 1 <= first + p - 1);
        size_t left = cell - first + 1, right = first + p - 1 - cell;
        if (first > 0 && first + p < n)
            ck_assert_msg((left > right ? left - right : right - left) <= 1,
                          "%zu nodes left, %zu right of x", left, right);
    }
    ck_assert_uint_eq(grid_window(12, x, 0, 5), 0);
    ck_assert_uint_eq(grid_window(12, x, x[11], 5), 7);
    ck_assert_uint_eq(grid_window(12, x, 2 * x[11], 12), 0);
}
END_TEST

/* Exact for polynomials of degree p - 1 on random nodes; the unit vector on a node. */
START_TEST(exact_for_polynomials)
{
    uint64_t seed = 11;
    for (size_t p = 1; p <= 12; p++)
        for (int trial = 0; trial < 50; trial++) {
            double x[12], c[12], a[12];
            for (size_t k = 0; k < p; k++) a[k] = 2 * chain_random(&seed) - 1;
            for (size_t k = 0; k < p; k++)
                x[k] = (k ? x[k - 1] : -1) + 0.1 + 0.3 * chain_random(&seed);
            double at = x[0] + (x[p - 1] - x[0]) * chain_random(&seed), sum = 0, size = 0, want = 0;
            grid_lagrange(p, x, at, c);
            for (size_t k = p; k-- > 0;) want = want * at + a[k];
            for (size_t k = 0; k < p; k++) {
                double f = 0;
                for (size_t l = p; l-- > 0;) f = f * x[k] + a[l];
                sum += c[k] * f;
                size += fabs(c[k] * f);
            }
            CHECK_ABS(sum, want, TOL_POLY * (size + 1));
            grid_lagrange(p, x, x[p / 2], c);
            for (size_t k = 0; k < p; k++) ck_assert(c[k] == (k == p / 2 ? 1 : 0));
        }
}
END_TEST

/* sin on windows of p nodes: the error falls like h^p. */
START_TEST(order)
{
    for (size_t p = 3; p <= 9; p += 2) {
        double e[2] = {0, 0};
        for (int half = 0; half < 2; half++) {
            size_t n = half ? 49 : 25;
            double *x, c[12];
            ck_assert(grid_power(GRID_UNIFORM, n, 12, &x, NULL) == CGCT_OK);
            for (double at = 3; at < 9; at += 0.013) {
                size_t first = grid_window(n, x, at, p);
                double sum = 0;
                grid_lagrange(p, x + first, at, c);
                for (size_t k = 0; k < p; k++) sum += c[k] * sin(x[first + k]);
                e[half] = larger_error(e[half], fabs(sum - sin(at)));
            }
            free(x);
        }
        ck_assert_msg(e[1] > 0 && e[0] < 1 && e[0] / e[1] > pow(2, (double)p) / TOL_ORDER,
                      "%zu nodes: %.3g, then %.3g; want a ratio of 2^%zu", p, e[0], e[1], p);
    }
}
END_TEST

static const struct {
    grid_steps g;
    double last;
    cgct_status st;
    const char *words;
} bad[] = {{{0, 1, 1, 1}, 1, CGCT_E_DOMAIN, "scale 0"},
           {{1, -1, 1, 1}, 1, CGCT_E_DOMAIN, "spacing -1"},
           {{1, 1, NAN, 1}, 1, CGCT_E_DOMAIN, "step nan"},
           {{1, 1, 1, 0}, 1, CGCT_E_DOMAIN, "positive"},
           {{1, 1, 1, 1}, 0, CGCT_E_DOMAIN, "grid to 0"},
           {{1, 1, 1, 1}, INFINITY, CGCT_E_DOMAIN, "grid to inf"},
           {{1, 1, 1, 1}, NAN, CGCT_E_DOMAIN, "grid to nan"},
           {{1, 1e-9, 1, 1}, 1, CGCT_E_CONFIG, "raise its spacing"}};

START_TEST(refuses)
{
    size_t n;
    double *x;
    cgct_err err = {""};
    ck_assert_int_eq(grid_graded(&bad[_i].g, bad[_i].last, &n, &x, &err), bad[_i].st);
    ck_assert_msg(strstr(err.text, bad[_i].words) != NULL, "'%s' not in '%s'", bad[_i].words,
                  err.text);
}
END_TEST

START_TEST(power_refuses)
{
    double *x;
    cgct_err err = {""};
    ck_assert_int_eq(grid_power(GRID_UNIFORM, 1, 1, &x, &err), CGCT_E_CONFIG);
    ck_assert_int_eq(grid_power(GRID_UNIFORM, 0, 1, &x, &err), CGCT_E_CONFIG);
    ck_assert_int_eq(grid_power(GRID_QUADRATIC, 5, 0, &x, &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(grid_power(GRID_QUADRATIC, 5, NAN, &x, &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(grid_power(GRID_UNIFORM, 100000000, 1, &x, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "100000000 nodes") != NULL, "'%s'", err.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("grid");
    TCase *t = tcase_create("grid");
    tcase_add_loop_test(t, graded_properties, 0, (int)(sizeof graded / sizeof *graded));
    tcase_add_test(t, graded_scaling);
    tcase_add_test(t, power_grids);
    tcase_add_test(t, windows);
    tcase_add_test(t, exact_for_polynomials);
    tcase_add_test(t, order);
    tcase_add_loop_test(t, refuses, 0, (int)(sizeof bad / sizeof *bad));
    tcase_add_test(t, power_refuses);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
