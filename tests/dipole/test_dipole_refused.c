/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files that are refused, and where the message says the defect is. */
#include <gsl/gsl_errno.h>
#include <string.h>

#include "dipole_text.h"
#include "run_suite.h"

static void refuses(int is_S, cgct_status want, int at, const char *words)
{
    dipole *d;
    cgct_err err;
    char where[64];
    cgct_status st = open_x(is_S, 0.01, &d, &err);
    ck_assert_msg(st == want, "status %d, want %d (%s): %s", (int)st, (int)want, words, err.text);
    snprintf(where, sizeof where, at ? "%s:%d:" : "%s", path, at);
    ck_assert_msg(strstr(err.text, where) != NULL, "'%s' not in '%s'", where, err.text);
    ck_assert_msg(strstr(err.text, words) != NULL, "'%s' not in '%s'", words, err.text);
    ck_assert_ptr_null(strchr(err.text, '\n'));
}

/* One line of the rcBK file replaced. */
static const struct {
    int line;
    const char *text;
    int at;
    const char *words;
} bad_line[] = {
    {2, "###abc", 2, "'abc' is not a finite number"},
    {2, "###", 2, "0 columns, want 1"},
    {2, "###-1", 2, "r_min"},
    {3, "###1", 3, "multiplier"}, /* checked at x0 */
    {4, "###40.5", 4, "integer"},
    {4, "###1e12", 4, "1000000000000, 100000"},
    {4, "###4", 4, "(4, 8)"},
    {4, "###inf", 4, "not a finite number"},
    {4, "###41", 47, "Y = 0 ends after 40 values, want 41"},
    {4, "###39", 46, "more values in the block than n_r (Y, n_r) (0, 39)"},
    {5, "###0", 5, "x0"},
    {6, "# no rapidity", 7, "before the four ### lines"},
    {10, "nan", 10, "'nan' is not a finite number"},
    {10, "1.5", 10, "N is above 1 (value, most), by rounding or by an error of the evolution"},
    {10, "1.00001", 10, "cut the table off before it (1.00001"},
    {10, "-1e-3", 10, "N is negative (value, least), by rounding"},
    {10, "0.1 0.2", 10, "2 columns, want 1"},
    {10, "0.1,", 10, "2 columns, want 1"},
    {10, "0x1p-3", 10, "'0x1p-3' is not a finite number"},
    {20, "hello", 20, "'hello'"},
    {20, "0.1x", 20, "'0.1x'"},
    {20, "0.1dog", 20, "'0.1dog'"},
    {20, "1d400", 20, "'1d400' is not a finite number"},
    {20, "1.0-40", 20, "'1.0-40'"},
    {20, "\033[2J", 20, "'\033[2J'"},
    {47, "###0", 47, "rapidities must rise (this Y, the one before) (0, 0)"},
    {47, "###-2", 47, "(-2, 0)"},
    {30, "", 47, "Y = 0 ends after 39 values, want 40"},
    {87, "", 87, "ends after 39 values, want 40"},
    {32, "0.5", 32, "no smooth rise: -ln S goes from"},
    {30, "0.0100000000", 30, "no smooth rise: -ln S goes from"},
    {30, "0.04", 31, "too few printed digits: -ln S goes from 0.04"},
};

START_TEST(rcbk_refused)
{
    rcbk("###", "%.17g");
    strcpy(lines[bad_line[_i].line - 1], bad_line[_i].text);
    save("\n");
    int at = bad_line[_i].at, header = bad_line[_i].line <= 5 && at <= 5;
    /* r_min, multiplier and n_r are judged when the header is complete, in line 5 */
    if (header && !strstr(bad_line[_i].words, "finite") && !strstr(bad_line[_i].words, "columns"))
        at = 5;
    refuses(0, CGCT_E_FORMAT, at, bad_line[_i].words);
}
END_TEST

/* Whole files. */
static const struct {
    const char *text;
    int is_S, at;
    const char *words;
} bad_file[] = {
    {"", 0, 0, "the file is empty"},
    {"# only\n# comments\n", 0, 0, "no values"},
    {"###1e-3\n###1.2\n", 0, 2, "ends in its header (### lines, want) (2, 5)"},
    {"1 2 3 4\n", 0, 1, "4 columns"},
    {"0.1\n0.2\n", 0, 1, "1 columns"},
    {"1e-3 0\n2e-3 0.1\n1.5e-3 0.2\n", 0, 3, "(this r, the one before) (0.0015, 0.002"},
    {"1e-3 0\n1e-3 0.1\n", 0, 2, "r must rise"},
    {"0 0\n1e-3 0.1\n", 0, 1, "r must be a positive length"},
    {"1e-3 0\n1e-2 0.1 7\n", 0, 2, "3 columns, want 2"},
    {"1e-3 1.2\n", 1, 1, "S is above 1 (value, most), by rounding or by an error of the evolution"},
    {"1e-3 -0.1\n", 1, 1, "S is negative (value, least), by rounding"},
    {".001 1\n.005 .9999\n.01 .999\n.03 .99\n.1 .9\n.2 .8\n1 .5\n2 .1\n", 0, 8,
     "grows weaker with r; is the column S where N is expected, or N where S is"},
    {"1e-3 1e-6\n1e-2 1e-4\n1 0.1\n2 0.3\n", 0, 5, "too few r"},
    {"0 1e-3 0\n0 1e-2 0.1\n1 1e-3 0\n1 2e-2 0.1\n", 0, 4, "every block needs the same r"},
    {"0 1e-3 0\n0 1e-2 0.1\n1 1e-3 0\n1 1e-2 0\n1 2e-2 0.1\n", 0, 5, "more r in this block"},
    {"1 1e-3 0\n1 1e-2 0.1\n0 1e-3 0\n", 0, 3, "rapidities must rise"},
    {"r (1/GeV), N\n1e-3 0\n1e-2 0.1 7\n", 0, 3, "3 columns, want 2"},
    {"Y r N\nY r N\n1 1e-3 0\n", 0, 2, "'Y' is not a finite number"},
    {"x r N\n1 1e-3 0\n", 0, 1, "column 1 is named x; want 'Y r N' or 'r N'"},
    {"Y N r\n1 0 1e-3\n", 0, 1, "column 2 is named N; want 'Y r N'"},
    {"r S\n1e-3 1\n", 0, 1, "column 2 is named S; want 'Y r N' or 'r N', or the other"},
    {"r N\n1e-3 1\n", 1, 1, "column 2 is named N; want 'Y r S' or 'r S', or the other"},
    {"**** **** ****\n1 1e-3 0\n", 0, 1, "'****' is not a finite number"},
    {"nan nan nan\n1 1e-3 0\n", 0, 1, "'nan' is not a finite number"},
    {"1e-3 1e-6\n2e-3 4e-6\n4e-3 1.6e-5\n8e-3 6.4e-5\n.016 2.56e-4\n.032 1e-3\n.064 4e-3\n.128 "
     ".016\n",
     0, 8, "a table must reach 0.5"},
    {".5 .1\n.6 .2\n.7 .3\n.8 .4\n.9 .5\n1 .6\n1.1 .7\n1.2 .8\n", 0, 1,
     "a table must begin below 0.05"},
};

START_TEST(file_refused)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(bad_file[_i].text, f);
    fclose(f);
    int at = bad_file[_i].at == 5 && strstr(bad_file[_i].words, "few") ? 4 : bad_file[_i].at;
    refuses(bad_file[_i].is_S, CGCT_E_FORMAT, at, bad_file[_i].words);
}
END_TEST

START_TEST(not_a_table)
{
    cgct_err err = {""};
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = "/tmp"};
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "/tmp: cannot read: Is a directory") != NULL, "%s", err.text);
    o.path = "/nonexistent/table.dat";
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "cannot open: No such file") != NULL, "%s", err.text);
    FILE *f = fopen(path, "wb");
    fwrite("0.1 0\0 2\n", 1, 9, f);
    fclose(f);
    refuses(0, CGCT_E_FORMAT, 1, "zero byte");
    rcbk("###", "%.17g");
    save("\n");
    refuses(1, CGCT_E_CONFIG, 0, "the rcBK layout holds N");
}
END_TEST

/* GBW to r = 3.4, then nodes 1e-6 apart whose slopes jump by less than a freeze does. */
START_TEST(spline_swings)
{
    static const double slope[] = {1.3, 0.6, 0.1, 0.05, 0.7, 1.4};
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    double y = 0, lnG = 0;
    for (int i = 0; i < 50; i++) {
        y = log(1e-3) + i * 0.166;
        lnG = 2 * y - log(4);
        fprintf(f, "%.17g %.17g\n", exp(y), -expm1(-exp(lnG)));
    }
    for (int i = 0; i < 6; i++) {
        y += 1e-6;
        lnG += 1e-6 * slope[i];
        fprintf(f, "%.17g %.17g\n", exp(y), -expm1(-exp(lnG)));
    }
    fclose(f);
    dipole *d;
    cgct_err err;
    ck_assert_int_eq(open_x(0, 0.01, &d, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, "between its nodes") != NULL, "%s", err.text);
}
END_TEST

START_TEST(bad_powers)
{
    for (int steep = 0; steep < 2; steep++) {
        FILE *f = fopen(path, "wb");
        ck_assert_ptr_nonnull(f);
        double lnG = log(1e-4), power = 2;
        for (int i = 0; i < 160 && lnG < 2.4; i++) {
            fprintf(f, "%.17g %.17g\n", 1e-2 * exp(0.05 * i), -expm1(-exp(lnG)));
            lnG += 0.05 * power;
            if (lnG > 0) power = steep ? power + 0.7 : fmax(power - 0.5, 0.05);
        }
        fclose(f);
        dipole *d;
        cgct_err err;
        ck_assert_int_eq(open_x(0, 0.01, &d, &err), CGCT_E_FORMAT);
        ck_assert_msg(strstr(err.text, "at large r") != NULL, "%s", err.text);
    }
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("dipole_refused");
    TCase *t = tcase_create("dipole_refused");
    tcase_add_unchecked_fixture(t, make_path, remove_path);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, rcbk_refused, 0, (int)(sizeof bad_line / sizeof *bad_line));
    tcase_add_loop_test(t, file_refused, 0, (int)(sizeof bad_file / sizeof *bad_file));
    tcase_add_test(t, not_a_table);
    tcase_add_test(t, spline_swings);
    tcase_add_test(t, bad_powers);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
