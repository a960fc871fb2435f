/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program cgctab-studies: its files, its messages, and the studies with assertions. */
#include "command.h"
#include "run_suite.h"

#define STUDIES BIN_DIR "/../tests/studies/cgctab-studies "

START_TEST(slices)
{
    char signature[8] = "";
    char path[64];
    int status = command_run(&place, STUDIES "-o out --study d");
    ck_assert_msg(status == 0, "%s", place.output);
    ck_assert_msg(strstr(place.output, "\n   0 of "), "%s", place.output);
    ck_assert_ptr_nonnull(strstr(place.output, "--study d"));
    snprintf(path, sizeof path, "%s/out/d_slices.png", place.folder);
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(signature, 1, 8, f), 8);
    fclose(f);
    ck_assert(!memcmp(signature, "\x89PNG\r\n\x1a\n", 8));
    ck_assert_int_eq(command_run(&place, "grep -c '^[25]' out/d_slices.dat"), 0);
    ck_assert_str_eq(place.output, "582\n");
    ck_assert_int_eq(command_run(&place, "grep dipole out/report_d.txt"), 0);
    command_fails(&place, STUDIES, 2, "-o DIR", "--help");
    command_fails(&place, STUDIES "-o out --study z", 2, "'z'", "abcdefghijk");
    command_fails(&place, STUDIES "-o out --x 0", 2, "0", "(0,1]");
    command_fails(&place, STUDIES "-o out --dipole nosuch", 1, "nosuch", "mv:SET");
    command_fails(&place, STUDIES "-o out/d_slices.dat", 1, "out/d_slices.dat", "folder");
    command_fails(&place, STUDIES "-o /no/such/place", 1, "/no/such/place", "No such");
}
END_TEST

/* Pictures are left out, data and scripts are not. */
START_TEST(without_gnuplot)
{
    int status = command_run(&place, "mkdir empty && PATH=$PWD/empty " STUDIES
                                     "-o out --dipole gbw --study d");
    ck_assert_msg(status == 0, "%s", place.output);
    ck_assert_msg(strstr(place.output, "no picture: gnuplot is not there"), "%s", place.output);
    ck_assert_msg(strstr(place.output, "\n   0 of "), "%s", place.output); /* all positive */
    command_run(&place, "ls out");
    ck_assert_str_eq(place.output, "d_slices.dat\nd_slices.gp\nreport_d.txt\n");
}
END_TEST

/* Studies whose assertions decide the exit status, with their data. */
START_TEST(limits)
{
    int status = command_run(&place, STUDIES "-o out --study hi");
    ck_assert_msg(status == 0, "%s", place.output);
    ck_assert_msg(strstr(place.output, " 0 of 36 lines fail") &&
                      strstr(place.output, " 0 of 16 expectations"),
                  "%s", place.output);
    ck_assert_int_eq(command_run(&place, "grep -c '^[01] ' out/g_dilute.dat"), 0);
    ck_assert_str_eq(place.output, "36\n");
    ck_assert_int_eq(command_run(&place, "grep -c '^[01] ' out/h_approach.dat"), 0);
    ck_assert_str_eq(place.output, "32\n");
}
END_TEST

/* The same of the study of three colours.  The ratios of mv:mve are those of mpmath
 * (tests/refs/reference_colours.ref). */
START_TEST(colours)
{
    static const char *const line[] = {"| 0.1 | 0.9199 |", "| 1.5 | 1.4199 |", "| 5 | 1.0016 |"};
    int status = command_run(&place, STUDIES "-o out --study j");
    ck_assert_msg(status == 0, "%s", place.output);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        ck_assert_msg(strstr(place.output, line[i]) != NULL, "%s", place.output);
    ck_assert_int_eq(command_run(&place, "grep -c '^[0-9]' out/j_colours.dat"), 0);
    ck_assert_str_eq(place.output, "3420\n");
}
END_TEST

/* Massive quarks; the data file has a line for each of T and L at all q and K. */
START_TEST(masses)
{
    int status = command_run(&place, STUDIES "-o out --dipole mv:mve --study l");
    ck_assert_msg(status == 0, "%s", place.output);
    ck_assert_msg(strstr(place.output, " 0 lines fail") != NULL, "%s", place.output);
    ck_assert_int_eq(command_run(&place, "grep -c '^[01] ' out/l_masses.dat"), 0);
    ck_assert_str_eq(place.output, "60\n");
}
END_TEST

/* The reduced cross section beside that of the authors of a fit and HERA. */
START_TEST(reduced_cross_section)
{
    int status = command_run(&place, STUDIES "-o out --study k");
    ck_assert_msg(status == 0, "%s", place.output);
    ck_assert_msg(strstr(place.output, "within 3 errors of HERA: holds") != NULL, "%s",
                  place.output);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("studies");
    TCase *t = tcase_create("studies");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, slices);
    tcase_add_test(t, without_gnuplot);
    tcase_add_test(t, limits);
    tcase_add_test(t, masses);
    const char *all = getenv("CHECK_LONG");
    if (all && *all) { /* make check has test_reference, test_colours and test_cli_f2 */
        tcase_add_test(t, colours);
        tcase_add_test(t, reduced_cross_section);
    }
    tcase_set_timeout(t, 240);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
