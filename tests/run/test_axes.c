/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many values an axis needs: differences on closed forms, and the command. */
#include <math.h>

#include "run/assembly.h"
#include "run/axes_choice.h"
#include "check_rel.h"
#include "command.h"
#include "run_suite.h"

enum { NODES = 4, NM = 3 };
#define TOL_ROUNDING 1e-14

/* Five nodes of one point for T and L: ln s = a + b u + c u^4, r_m = (d u)^m, u = -1, 0, 1, 2 and,
 * between them, 1/2. */
static double modes[NODES + 1][2 * NM], errors[NODES + 1][2];
static node_modes computed[NODES + 1];
static mode_point point[NODES + 1];
static const double weight[NODES] = {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16};

static void make_nodes(double quartic, double error)
{
    static const double u[NODES + 1] = {-1, 0, 1, 2, 0.5};
    for (int i = 0; i <= NODES; i++) {
        for (int pol = 0; pol < 2; pol++) {
            double s = exp(-3 + 0.7 * u[i] + quartic * pow(u[i], 4));
            for (int m = 0; m < NM; m++) modes[i][pol * NM + m] = s * pow(0.2 + 0.05 * u[i], m);
            errors[i][pol] = error * 2 * M_PI * s;
        }
        computed[i] = (node_modes){1, 1, NM, NULL, NULL, modes[i], errors[i]};
        point[i] = (mode_point){&computed[i], 1};
    }
}

static double largest_difference(double quartic, double error, size_t *n)
{
    axis_errors set = {.resolution = 1e-4};
    cgct_err err;
    make_nodes(quartic, error);
    axis_errors_scale(&set, &computed[0]);
    ck_assert_int_eq(axis_errors_add(&set, NODES, point, weight, 1, &err), CGCT_OK);
    double largest = run_quantiles_of(set.n, set.v).max;
    *n = set.n;
    free(set.v);
    return largest;
}

START_TEST(cubics_leave_nothing)
{
    size_t n;
    CHECK_ABS(largest_difference(0, 0, &n), 0, TOL_ROUNDING);
    ck_assert_uint_gt(n, 3);
}
END_TEST

/* The cubic through -1, 0, 1, 2 lies below u^4 at 1/2 by (1/2)(1/2)(3/2)(3/2) = 9/16. */
START_TEST(quartics_leave_their_remainder)
{
    size_t n;
    CHECK_REL(largest_difference(1e-6, 0, &n), -expm1(-1e-6 * 9 / 16), 1e-6);
    CHECK_REL(largest_difference(1e-3, 0, &n), -expm1(-1e-3 * 9 / 16), 1e-6);
}
END_TEST

START_TEST(uncertain_values_do_not_count)
{
    size_t n;
    largest_difference(1e-3, 1e-3, &n);
    ck_assert_uint_eq(n, 0);
    largest_difference(1e-3, 1e-6, &n);
    ck_assert_uint_gt(n, 3);
}
END_TEST

/* ---- the command ---- */

#define CARD                                                                                       \
    "printf '[dipole]\\nkind = gbw\\n[axes]\\nx = 0.01\\neps = 1\\nq = geom 0.5 2 %d\\n"           \
    "k1 = geom 1 4 %d\\n[accuracy]\\ntolerance = 1e-5\\n' > c.card"

static void suggested(int n, size_t count[2])
{
    char line[512];
    snprintf(line, sizeof line, CARD " && " GENERATE "axes c.card --aim 1e-4", n, n);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    const char *q = strstr(place.output, "q = geom 0.5 2 "),
               *k = strstr(place.output, "k1 = geom 1 4 ");
    ck_assert_msg(strstr(place.output, "x = 0.01\neps = 1\n") && q && k, "%s", place.output);
    ck_assert_int_eq(sscanf(q + 15, "%zu", &count[0]), 1);
    ck_assert_int_eq(sscanf(k + 14, "%zu", &count[1]), 1);
}

/* From a coarse and from a fine card the same numbers should come, up to what the leading power of
 * the spacing leaves out. */
START_TEST(suggestions_agree)
{
    size_t coarse[2], fine[2];
    suggested(9, coarse);
    suggested(14, fine);
    for (int i = 0; i < 2; i++)
        ck_assert_msg(coarse[i] >= 4 && fine[i] >= 4 && coarse[i] <= 2 * fine[i] &&
                          fine[i] <= 2 * coarse[i],
                      "%zu and %zu", coarse[i], fine[i]);
}
END_TEST

START_TEST(bad_aims)
{
    ck_assert_int_eq(command_run(&place, "printf '' > c.card"), 0);
    command_fails(&place, GENERATE "axes c.card --aim 0", 2, "aim 0", "above 0");
    command_fails(&place, GENERATE "axes c.card --aim x", 2, "--aim 'x'", "number");
    command_fails(&place, GENERATE "axes", 2, "CARD", "missing");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("axes");
    TCase *c = tcase_create("axes");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, cubics_leave_nothing);
    tcase_add_test(c, quartics_leave_their_remainder);
    tcase_add_test(c, uncertain_values_do_not_count);
    tcase_add_test(c, suggestions_agree);
    tcase_add_test(c, bad_aims);
    suite_add_tcase(s, c);
    return run_suite(s);
}
