/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files: the three layouts, every defect that is handled, every one that is refused, real
 * files. */
#include "dipole/dipole_impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_rel.h"
#include "run_suite.h"

#define TOL_PRINTED 1e-12 /* 17 printed digits of N through -log1p(-N) at Gamma <= 5 */
#define TOL_DIGITS 2e-3   /* a table printed with 6 decimals */

enum { NR = 40, NLINE = 6 + 2 * NR + 1, LINE = 80 };
#define R_MIN 1e-3
#define MULT 1.3
#define Y1 1.5

static char path[] = "/tmp/cgct_dipole_XXXXXX";
static char lines[NLINE + 8][LINE];
static int nline;

static void make_path(void)
{
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
}

static void remove_path(void)
{
    unlink(path);
}

static void add(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(lines[nline++], LINE, fmt, ap);
    va_end(ap);
}

static void save(const char *eol)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < nline; i++) fprintf(f, "%s%s", lines[i], eol);
    fclose(f);
}

/* GBW with Qs^2 = exp(Y/3) GeV^2 */
static double model_N(double r, double Y)
{
    return -expm1(-0.25 * exp(Y / 3) * r * r);
}

/* Lines 1: comment, 2 to 5: header, 6: Y = 0, 7 to 46, 47: Y = 1.5, 48 to 87; format of a value. */
static void rcbk(const char *hash, const char *value)
{
    nline = 0;
    add("# one block of GBW after the other, x0=0.5 in a comment");
    add("%s%.17g", hash, R_MIN);
    add("%s%.17g", hash, MULT);
    add("%s%.1f", hash, (double)NR);
    add("%s0.01", hash);
    for (int iy = 0; iy < 2; iy++) {
        add("%s%.17g", hash, iy * Y1);
        for (int i = 0; i < NR; i++) add(value, model_N(R_MIN * pow(MULT, i), iy * Y1));
    }
}

static cgct_status open_x(int is_S, double x, dipole **d, cgct_err *err)
{
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .is_S = is_S};
    *d = NULL;
    err->text[0] = 0;
    cgct_status st = dipole_source_open(&s, &o, err);
    if (st == CGCT_OK) st = dipole_init(d, s, x, err);
    dipole_source_close(s);
    return st;
}

/* The file is read, and is the model at rapidity Y from r = lo to 4/GeV and in the continuation. */
static void is_model(int is_S, double x, double Y, double lo, double tol)
{
    dipole *d;
    cgct_err err;
    ck_assert_msg(open_x(is_S, x, &d, &err) == CGCT_OK, "%s", err.text);
    for (double r = lo; r < 30; r *= 1.17) {
        double r2 = r * r, L;
        dipole_lnS(d, 1, &r2, &L);
        CHECK_REL(L, -0.25 * exp(Y / 3) * r2, tol * (r > 4 ? 20 : 1));
    }
    CHECK_REL(dipole_large_r_power(d), 2.0, 10 * tol);
    ck_assert(d->cut > 1 && d->cut < 7);
    dipole_free(d);
}

START_TEST(layout_rcbk)
{
    rcbk("###", "%.17g");
    save("\n");
    is_model(0, 0.01, 0, 1e-4, 1e-9);
    is_model(0, 0.01 * exp(-Y1), Y1, 1e-4, 1e-9);
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9); /* ln Gamma is linear in Y here */
}
END_TEST

/* Qs^2 with ln of degree 5 in Y: the polynomial through the six blocks around Y, wherever it is. */
static double curved(double Y)
{
    return Y / 3 - 0.02 * Y * Y + 0.003 * Y * Y * Y - 1e-4 * pow(Y - 1, 4) + 2e-5 * pow(Y - 2, 5);
}

START_TEST(between_blocks)
{
    enum { BLOCKS = 9 };
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "###%.17g\n###%.17g\n###%d\n###0.01\n", R_MIN, MULT, NR);
    for (int iy = 0; iy < BLOCKS; iy++) {
        double Y = 0.5 * iy + 0.1 * (iy % 2); /* not evenly */
        fprintf(f, "###%.17g\n", Y);
        for (int i = 0; i < NR; i++)
            fprintf(f, "%.17g\n", model_N(R_MIN * pow(MULT, i), 3 * curved(Y)));
    }
    ck_assert_int_eq(fclose(f), 0);
    for (int i = 0; i <= 40; i++) {
        double Y = 0.1 * i;
        is_model(0, 0.01 * exp(-Y), 3 * curved(Y), 1e-4, 1e-9);
    }
}
END_TEST

START_TEST(rcbk_quirks)
{
    rcbk("### \t", "  %.17g ");
    strcpy(lines[0], ""); /* empty line inside the header */
    save("\r\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    rcbk("###", "%.17g");
    strcpy(lines[4], "###1.000000000000000e+00"); /* x0 = 1 and the evolution rapidity */
    save("\n");
    is_model(0, exp(-0.4), 0.4, 1e-4, 1e-9);
}
END_TEST

START_TEST(layout_three_columns)
{
    nline = 0;
    add("# x0 = 0.01");
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i);
            add("%.17g\t%.17g  %.17g", iy * Y1, r, model_N(r, iy * Y1));
        }
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    strcpy(lines[0], "# Y r N");
    save("\n");
    is_model(0, exp(-0.4), 0.4, 1e-4, 1e-9); /* x0 = 1 where the file names none */
}
END_TEST

START_TEST(layout_two_columns)
{
    for (int is_S = 0; is_S < 2; is_S++) {
        nline = 0;
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i), N = model_N(r, 0);
            add("%.17g %.17g", r, is_S ? exp(-0.25 * r * r) : N);
        }
        save("\n");
        is_model(is_S, 0.3, 0, 0.03, 1e-6); /* S near 1 has lost the digits of Gamma at small r */
        is_model(is_S, 1e-7, 0, 0.03, 1e-6);
    }
}
END_TEST

/* What evolution codes leave at large r: N = 1, N > 1, a plateau, a jump, a falling N. */
START_TEST(freeze)
{
    for (int kind = 0; kind < 5; kind++) {
        rcbk("###", "%.17g");
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < NR; i++) {
                double r = R_MIN * pow(MULT, i), N = model_N(r, b * Y1), S = 1 - N;
                if (S > 1e-3) continue;
                double v[] = {1, 1 + 9e-7 * (i & 1), 1 - 1e-3, S > 1e-12 ? 1 - 1e-9 : 1,
                              0.999 - 1e-4 * i};
                sprintf(lines[6 + b * (NR + 1) + i], "%.17g", v[kind]);
            }
        save("\n");
        is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    }
}
END_TEST

/* The last cells before the freeze bend upwards: the cut steps back and the power stays clean. */
START_TEST(bent_before_freeze)
{
    nline = 0;
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    const double mult = 1.05, frozen = 2 * sqrt(8);
    for (double r = R_MIN; r < 30; r *= mult) {
        double cells = log(frozen / r) / log(mult), G = 0.25 * r * r * (1 + 0.02 * pow(4, -cells));
        fprintf(f, "%.17g %.17g\n", r, r < frozen ? -expm1(-G) : 1.0);
    }
    fclose(f);
    dipole *d;
    cgct_err err;
    ck_assert_msg(open_x(0, 0.01, &d, &err) == CGCT_OK, "%s", err.text);
    CHECK_REL(dipole_large_r_power(d), 2.0, 5e-3); /* 2.3 without the step back */
    ck_assert(d->cut > frozen / pow(mult, 14) && d->cut < frozen / pow(mult, 3));
    dipole_free(d);
}
END_TEST

START_TEST(few_digits)
{
    rcbk("###", "%.6f"); /* zeros up to r = 1e-3, coarse steps after, ones from Gamma = 14 on */
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 0.1, TOL_DIGITS);
    dipole *d;
    cgct_err err;
    ck_assert_int_eq(open_x(0, 0.01, &d, &err), CGCT_OK);
    ck_assert(d->r_min > 0.02 && d->r_min < 0.1);
    dipole_free(d);
}
END_TEST

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
    {2, "###", 2, "0 values"},
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
    {10, "1.5", 10, "(1.5, 1)"},
    {10, "-1e-3", 10, "N lies outside"},
    {10, "0.1 0.2", 10, "2 values"},
    {20, "hello", 20, "'hello'"},
    {20, "0.1x", 20, "'0.1x'"},
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
    if (header && !strstr(bad_line[_i].words, "finite") && !strstr(bad_line[_i].words, "values"))
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
    {"1e-3 0\n1e-2 0.1 7\n", 0, 2, "3 values"},
    {"1e-3 1.2\n", 1, 1, "S lies outside [0, 1] (value, limit); is the column N? (1.2"},
    {"1e-3 1e-6\n1e-2 1e-4\n1 0.1\n2 0.3\n", 0, 5, "too few r"},
    {"0 1e-3 0\n0 1e-2 0.1\n1 1e-3 0\n1 2e-2 0.1\n", 0, 4, "every block needs the same r"},
    {"0 1e-3 0\n0 1e-2 0.1\n1 1e-3 0\n1 1e-2 0\n1 2e-2 0.1\n", 0, 5, "more r in this block"},
    {"1 1e-3 0\n1 1e-2 0.1\n0 1e-3 0\n", 0, 3, "rapidities must rise"},
    {"# x0 = 3\n1 1e-3 0\n", 0, 1, "x0 must lie in (0, 1]"},
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

START_TEST(x_range)
{
    dipole *d;
    cgct_err err;
    rcbk("###", "%.17g");
    save("\n");
    const double bad[] = {0.0101, 0.01 * exp(-Y1) * 0.999, 0, NAN};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(open_x(0, bad[i], &d, &err), CGCT_E_RANGE);
        ck_assert_msg(strstr(err.text, "0.00223130") && strstr(err.text, " 0.0100000"), "%s",
                      err.text);
    }
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

START_TEST(describes)
{
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path};
    FILE *f = fopen(path, "wb");
    for (int i = 0; i < NR; i++)
        fprintf(f, "%.17g %.17g\n", R_MIN * pow(MULT, i), model_N(R_MIN * pow(MULT, i), 0));
    fclose(f);
    double lo, hi;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    dipole_source_x_range(s, &lo, &hi);
    ck_assert(lo == 0 && hi == 1);
    ck_assert_str_eq(dipole_source_name(s), path);
    const char *t = dipole_source_describe(s);
    ck_assert_msg(strstr(t, "no x in the file") && strstr(t, "crc64 ") && strstr(t, "40 r") &&
                      strstr(t, "r^2 from r = "),
                  "%s", t);
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dipole_file");
    TCase *t = tcase_create("dipole_file");
    tcase_add_unchecked_fixture(t, make_path, remove_path);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, layout_rcbk);
    tcase_add_test(t, between_blocks);
    tcase_add_test(t, rcbk_quirks);
    tcase_add_test(t, layout_three_columns);
    tcase_add_test(t, layout_two_columns);
    tcase_add_test(t, freeze);
    tcase_add_test(t, bent_before_freeze);
    tcase_add_test(t, few_digits);
    tcase_add_loop_test(t, rcbk_refused, 0, (int)(sizeof bad_line / sizeof *bad_line));
    tcase_add_loop_test(t, file_refused, 0, (int)(sizeof bad_file / sizeof *bad_file));
    tcase_add_test(t, not_a_table);
    tcase_add_test(t, x_range);
    tcase_add_test(t, describes);
    tcase_add_test(t, spline_swings);
    tcase_add_test(t, bad_powers);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
