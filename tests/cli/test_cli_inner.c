/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab-generate inner, transform as a user meets them. */
#include <math.h>

#include "command.h"
#include "run_suite.h"

#define INNER "inner --dipole gbw --x 0.01 --eps 4 --q-max 2 --k1-max 3 -o t.cgci "
#define MOMENTA "--q 0.9,2 --k1 0.5,3 --theta 0,1.3 "
#define TOL_SAME 1e-13 /* GBW: the same operations on the same numbers */

/* Numbers I_T and I_L of lines "x eps q k1 theta I_T err_T I_L err_L". */
static size_t values(const char *text, double *I)
{
    size_t n = 0;
    for (const char *p = strstr(text, "# x"); p && (p = strchr(p, '\n')) && p[1];) {
        double v[9];
        if (sscanf(++p, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3, v + 4, v + 5,
                   v + 6, v + 7, v + 8) != 9)
            break;
        I[n++] = v[5];
        I[n++] = v[7];
    }
    return n;
}

START_TEST(transform_equals_point)
{
    double got[64], want[64];
    ck_assert_msg(command_run(&place, GENERATE INNER) == 0, "%s", place.output);
    ck_assert_ptr_nonnull(strstr(place.output, "t.cgci: "));
    ck_assert_int_eq(command_run(&place, GENERATE "transform t.cgci " MOMENTA), 0);
    size_t n = values(place.output, got);
    ck_assert_uint_eq(n, 16);
    ck_assert_int_eq(command_run(&place, GENERATE "point --dipole gbw --x 0.01 --eps 4 " MOMENTA),
                     0);
    ck_assert_uint_eq(values(place.output, want), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabs(got[i] / want[i] - 1) <= TOL_SAME, "%zu: %.17g, want %.17g", i, got[i],
                      want[i]);
}
END_TEST

START_TEST(inner_refuses)
{
    command_run(&place, GENERATE INNER "--error 1e-9");
    command_fails(&place, GENERATE "transform t.cgci --q 3 --k1 1 --theta 0", 1, "q = 3", "2 GeV");
    command_fails(&place, GENERATE "transform t.cgci --q 1 --k1 9 --theta 0", 1, "k1 = 9", "3 GeV");
    command_fails(&place, GENERATE "transform nosuch --q 1 --k1 1 --theta 0", 1, "nosuch",
                  "No such file");
    command_fails(&place, GENERATE "transform", 2, "FILE.cgci", "--help");
    command_fails(&place, GENERATE "inner --dipole gbw --x 0.01 --eps 4 --q-max 2 -o t", 2,
                  "--k1-max is missing", "--help");
    command_fails(&place, GENERATE INNER "--error 2", 2, "--error", "2");
    command_fails(&place,
                  GENERATE "inner --dipole mv --x 0.01 --eps 4 --q-max 9 --k1-max 9 -o no/t.cgci",
                  1, "no/t.cgci", "No such file");
    command_fails(&place,
                  GENERATE "transform " TESTS_DIR "/golden/small.cgct --q 1 --k1 1 "
                           "--theta 0",
                  1, "small.cgct", "a table of the cross section");
    command_run(&place, "head -c 5000 t.cgci > cut.cgci");
    command_fails(&place, GENERATE "transform cut.cgci --q 1 --k1 1 --theta 0", 1, "cut.cgci",
                  "5000 bytes");
    command_fails(&place, BIN_DIR "/cgctab info t.cgci", 1, "t.cgci", "an inner table");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_inner");
    TCase *t = tcase_create("cli_inner");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, transform_equals_point);
    tcase_add_test(t, inner_refuses);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
