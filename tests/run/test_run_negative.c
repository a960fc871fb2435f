/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dipole with an anomalous dimension above 1, whose cross section is negative at large q: what a
 * run says of it, and its table against values computed directly. */
#include "run_fixture.h"
#include "run_suite.h"

/* S = exp(-(r^2 Qs^2/4)^1.1), Qs^2 = 0.3 exp(0.288 Y) GeV^2. */
static void write_dipole(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s/d.dat", place.folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("# x0 = 0.01\n", f);
    for (double Y = 0; Y < 6; Y += 1)
        for (int i = 0; i < 60; i++) {
            const double r = 1e-3 * pow(5e4, i / 59.), Qs2 = 0.3 * exp(0.288 * Y);
            fprintf(f, "%g %.15g %.15g\n", Y, r, -expm1(-pow(r * r * Qs2 / 4, 1.1)));
        }
    fclose(f);
}

/* Negative at the first x, positive at the second.  A table holds values at nodes to 1e-3 of the
 * largest at any angle: the differences between T and L of both, over that scale. */
#define CARD_NEGATIVE                                                                              \
    "[dipole]\nkind = table\nfile = d.dat\n[axes]\nx = 1e-4,0.01\neps = 1\n"                       \
    "q = geom 0.5 1.6 7\nk_max = 3\n[accuracy]\ntolerance = 1e-3\nchecks = 0\n"

START_TEST(a_negative_cross_section)
{
    write_dipole();
    write_file("n.card", CARD_NEGATIVE);
    works(GENERATE "run n.card -o n.cgct 2>&1");
    ck_assert_msg(strstr(place.output, "x 0.01 eps 1: m to"), "%s", place.output);
    ck_assert_ptr_nonnull(strstr(place.output, " negative, "));
    ck_assert_msg(strstr(place.output, "the mean over the angle is negative at"), "%s",
                  place.output);
    ck_assert_double_eq(said("missed_by_grids"), 0);
    ck_assert_double_eq(said("continued"), 0);
    ck_assert_double_gt(said("negative.q"), 0.9);
    works(CGCTAB "verify n.cgct");
    ck_assert_msg(strstr(place.output, "the dipole gives no positive cross section there"), "%s",
                  place.output);
    command_fails(&place, CGCTAB "eval n.cgct --x 0.01 --eps 1 --q 1.6 --k1 0.8 --theta 2", 1,
                  "is negative at q = 1.6", "--negative keep");
    works(CGCTAB "eval n.cgct --x 1e-4 --eps 1 --q 1.6 --k1 0.8 --theta 2");
    works("for x in 1e-4 0.01; do for q in 0.5 0.8944271909999159 1.6; do for t in 0 1 2; do "
          "echo $q | awk \"{ print \\\"$x 1\\\", \\$1, \\$1 / 2, $t }\"; done; done; done > points "
          "&& " CGCTAB "eval n.cgct points --negative keep | grep -v '#' > t && " GENERATE
          "point --dipole d.dat --points points --set accuracy.tolerance=1e-3 2> warning | "
          "grep -v '#' > p && paste t p > both");
    works("awk '{ s = $13 < 0 ? -$13 : $13; if (s > top || NR % 3 == 1) top = s; d = $6 - $13; "
          "e = $7 - $15; low[$1] += $13 < 0; if (/nan/ || !(d * d + e * e <= 1e-6 * top * top)) "
          "bad++ } "
          "END { print NR, low[0.01], bad + 0; exit NR != 18 || bad || low[1e-4] || !low[0.01] }' "
          "both");
    works("grep -q 'negative' warning");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_negative");
    TCase *c = tcase_create("run_negative");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, a_negative_cross_section);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
