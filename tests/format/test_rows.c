/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as programs and people write them, in any locale; rows of them with headings, comments
 * and named columns; what is refused, and where. */
#define _GNU_SOURCE /* fopencookie, of the GNU C library */
#include <check.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/lists.h"
#include "format/rows.h"
#include "run_suite.h"

static char path[] = "/tmp/cgct_rows_XXXXXX";

/* ---- numbers ---- */

static const struct {
    const char *text;
    double v, unit;
    const char *rest;
} numbers[] = {{"1", 1, 1, ""},
               {"-.5", -0.5, 0.1, ""},
               {"+2.", 2, 1, ""},
               {"1.25 ", 1.25, 0.01, " "},
               {"1.50e3", 1500, 10, ""},
               {"1E-3", 1e-3, 1e-3, ""},
               {"1.0D-3", 1e-3, 1e-4, ""},
               {"1.d0", 1, 1, ""},
               {"2d+01", 20, 10, ""},
               {"1.0Q-3", 1e-3, 1e-4, ""},
               {"1q2", 100, 100, ""},
               {"1.0-103", 1e-103, 1e-104, ""},
               {"0.25+100", 0.25e100, 1e98, ""},
               {"1e-320", 1e-320, 0, ""},
               {"1d-400", 0, 0, ""},
               {"0.1e", 0.1, 0.1, "e"},
               {"3dogs", 3, 1, "dogs"},
               {"1-2", 1, 1, "-2"},
               {"1.0-10", 1, 0.1, "-10"},
               {"1.0-1034", 1, 0.1, "-1034"},
               {"1-103", 1, 1, "-103"},
               {"0x10", 0, 1, "x10"},
               {"1,5", 1, 1, ",5"},
               {"6.02214076e23", 6.02214076e23, 1e15, ""}};

static void check_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double v, unit;
        const char *end = number_scan(numbers[i].text, &v, &unit);
        ck_assert_msg(end && !strcmp(end, numbers[i].rest), "%s: '%s'", numbers[i].text, end);
        ck_assert_msg(v == numbers[i].v, "%s: %.17g", numbers[i].text, v);
        if (numbers[i].unit > 0)
            ck_assert_msg(fabs(unit / numbers[i].unit - 1) < 1e-12, "%s: unit %g", numbers[i].text,
                          unit);
    }
}

START_TEST(numbers_read)
{
    static const char *const bad[] = {"",    ".",     "-",   "e5",    "nan",      "inf", "-inf",
                                      "d-3", "1e999", "+-1", "1d400", "infinity", " 1",  "x"};
    double v;
    check_numbers();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!number_scan(bad[i], &v, NULL), "'%s' is %g", bad[i], v);
    ck_assert(number_parse(" 1.5d1\t", &v) && v == 15);
    ck_assert(!number_parse("1 2", &v) && !number_parse("0x10", &v) && !number_parse("nan", &v));
    char digits[3000];
    memset(digits, '3', sizeof digits - 1);
    digits[sizeof digits - 1] = 0;
    ck_assert_ptr_null(number_scan(digits, &v, NULL));
    digits[1] = '.';
    digits[900] = 0;
    ck_assert_ptr_nonnull(number_scan(digits, &v, NULL));
    ck_assert(v == 10.0 / 3);
}
END_TEST

/* A locale with a comma, which is made here where the system has the program and the character map
 * for that. */
START_TEST(any_locale)
{
    char folder[] = "/tmp/cgct_locale_XXXXXX", line[256];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(line, sizeof line,
             "printf '%%s\\n' LC_NUMERIC 'decimal_point \",\"' 'thousands_sep \"\"' 'grouping -1' "
             "'END LC_NUMERIC' >%s/source; localedef -c -i %s/source -f ANSI_X3.4-1968 %s/comma "
             ">/dev/null 2>&1",
             folder, folder, folder);
    const int failed = system(line);
    setenv("LOCPATH", folder, 1);
    const int there = setlocale(LC_NUMERIC, "comma") != NULL;
    snprintf(line, sizeof line, "test -e %s/comma/LC_NUMERIC", folder);
    const int made = system(line) == 0;
    snprintf(line, sizeof line, "rm -r %s", folder);
    ck_assert_int_eq(system(line), 0);
    if (failed && !made) {
        printf("skipped: no locale with a comma can be made\n");
        return;
    }
    ck_assert(there);
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    check_numbers();
    number_list list;
    ck_assert_int_eq(number_list_parse("0.5,1.5d0", &list, NULL), CGCT_OK);
    ck_assert(list.n == 2 && list.v[0] == 0.5 && list.v[1] == 1.5);
    number_list_free(&list);
    ck_assert_int_eq(number_list_parse("lin 0.5 2.5 3", &list, NULL), CGCT_OK);
    ck_assert(list.n == 3 && list.v[1] == 1.5);
    number_list_free(&list);
}
END_TEST

/* ---- rows ---- */

static const char *const names[] = {"x", "eps", "q"};

static cgct_status read_text(const char *text, number_rows *r, cgct_err *err)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    *r = (number_rows){.n = 0};
    err->text[0] = 0;
    return number_rows_read(r, path, 3, names, err);
}

/* The text holds the rows 0.1 2 3 and 4 5 6, these in its lines first and second. */
static void holds(const char *text, unsigned first, unsigned second)
{
    static const double want[] = {0.1, 2, 3, 4, 5, 6};
    number_rows r;
    cgct_err err;
    ck_assert_msg(read_text(text, &r, &err) == CGCT_OK, "%s: %s", text, err.text);
    ck_assert_msg(r.n == 2 && r.ncol == 3, "%s: %zu rows", text, r.n);
    for (int i = 0; i < 6; i++) ck_assert_msg(r.v.v[i] == want[i], "%s: %g", text, r.v.v[i]);
    ck_assert_msg(r.line.v[0] == first && r.line.v[1] == second, "%s: lines %g, %g", text,
                  r.line.v[0], r.line.v[1]);
    number_rows_free(&r);
}

START_TEST(rows_read)
{
    holds("0.1 2 3\n4 5 6\n", 1, 2);
    holds("\n\t.1\t2 \t3\r\n\r\n4,5 ,6.d0", 2, 4);
    holds("# x epsilon q\n0.1 2 3 # the first\n! no point\n4 5 6!second\n", 2, 4);
    holds("x eps q\n0.1 2 3\n4 5 6\n", 2, 3);
    holds("x, eps (GeV), q [GeV]\n0.1,2,3\n4,5,6\n", 2, 3);
    holds("a b c\n0.1 2 3\n4 5 6\n", 2, 3);
    holds("\xef\xbb\xbfx\teps\tq\n0.1\t2\t3\n4\t5\t6\n", 2, 3);
    /* columns by name, among others that are not looked at */
    holds("q I x eps\n3 nan .1 2\n6 ? 4 5\n", 2, 3);
    holds("# eps in GeV, q in GeV\n# x eps q I_T I_L\n0.1 2 3 inf -\n# x q eps\n4 6 5\n", 3, 5);
    holds("# columns: x eps q\n0.1 2 3\n4 5 6\n", 2, 3);
}
END_TEST

static const struct {
    const char *text, *where, *what;
} bad_rows[] = {
    {"1 2 3\n1 2\n", ":2: ", "2 columns, want 3: x eps q"},
    {"1 2 3 4\n", ":1: ", "4 columns, want 3: x eps q; or a line before it that names all"},
    {"x eps q\n1 2 3 4\n", ":2: ", "4 columns, want 3"},
    {"# x eps q I\n1 2 3 4 5\n", ":2: ", "5 columns"},
    {"1 2 3\nx eps q\n", ":2: ", "'x' is not a finite number"},
    {"x eps q\nGeV GeV GeV\n", ":2: ", "'GeV'"},
    {"1 2 nan\n", ":1: ", "'nan' is not a finite number"},
    {"nan inf -Infinity\n", ":1: ", "'nan'"},
    {"*** *** ***\n", ":1: ", "'***'"},
    {"1 2 0x3\n", ":1: ", "'0x3'"},
    {"1,,3\n", ":1: ", "'' is not a finite number"},
    {"1,2,\n", ":1: ", "'' is not a finite number"},
    {",1,2\n", ":1: ", "'' is not a finite number"},
    {"1 2 3;\n", ":1: ", "'3;'"},
    {"1 2 \033[2J\n", ":1: ", "'\033[2J'"},
    {"epsilon x q\n1 2 3\n", ":1: ", "column 2 is named x; name all of x eps q, or put"},
    {"# x eps q I\n1 2 three 4\n", ":2: ", "'three'"},
};

START_TEST(rows_refused)
{
    number_rows r;
    cgct_err err;
    char where[64];
    cgct_status st = read_text(bad_rows[_i].text, &r, &err);
    snprintf(where, sizeof where, "%s%s", path, bad_rows[_i].where);
    ck_assert_msg(st == CGCT_E_FORMAT && !strncmp(err.text, where, strlen(where)) &&
                      strstr(err.text, bad_rows[_i].what),
                  "%s: '%s'", bad_rows[_i].text, err.text);
    number_rows_free(&r);
}
END_TEST

START_TEST(files_refused)
{
    number_rows r = {.n = 0};
    cgct_err err = {""};
    ck_assert_int_eq(number_rows_read(&r, "/tmp", 3, names, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "/tmp: cannot read: Is a directory") != NULL, "%s", err.text);
    ck_assert_int_eq(number_rows_read(&r, "/no/such", 3, names, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "/no/such: cannot open") != NULL, "%s", err.text);
    ck_assert_int_eq(read_text("", &r, &err), CGCT_OK);
    ck_assert_uint_eq(r.n, 0);
    number_rows_free(&r);
}
END_TEST

/* A file of one row that cannot be read to its end. */
static ssize_t break_off(void *rows, char *text, size_t size)
{
    static const char row[] = "1 2 3\n";
    if (*(int *)rows) {
        errno = EIO;
        return -1;
    }
    *(int *)rows = 1;
    const size_t n = size < sizeof row - 1 ? size : sizeof row - 1;
    memcpy(text, row, n);
    return (ssize_t)n;
}

START_TEST(half_a_file_refused)
{
    int rows = 0;
    number_rows r = {.n = 0};
    cgct_err err = {""};
    stdin = fopencookie(&rows, "rb", (cookie_io_functions_t){.read = break_off});
    ck_assert_ptr_nonnull(stdin);
    ck_assert_int_eq(number_rows_read(&r, "-", 3, names, &err), CGCT_E_IO);
    ck_assert_str_eq(err.text, "standard input: cannot read: Input/output error");
    fclose(stdin);
    number_rows_free(&r);
}
END_TEST

START_TEST(products)
{
    double a[] = {1, 2}, b[] = {3, 4, 5};
    const number_list lists[] = {{2, a, 0}, {3, b, 0}};
    number_rows r = {.ncol = 2};
    cgct_err err = {"nothing"};
    ck_assert_int_eq(number_rows_product(&r, lists, &err), CGCT_OK);
    ck_assert_uint_eq(r.n, 6);
    for (size_t i = 0; i < 6; i++)
        ck_assert(r.v.v[2 * i] == a[i / 3] && r.v.v[2 * i + 1] == b[i % 3]);
    ck_assert_int_eq(number_rows_blame(&r, 5, CGCT_E_RANGE, &err), CGCT_E_RANGE);
    ck_assert_str_eq(err.text, "nothing"); /* there is no line */
    number_rows_free(&r);
}
END_TEST

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0) return EXIT_FAILURE;
    close(fd);
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");
    tcase_add_test(t, numbers_read);
    tcase_add_test(t, any_locale);
    tcase_add_test(t, rows_read);
    tcase_add_loop_test(t, rows_refused, 0, (int)(sizeof bad_rows / sizeof *bad_rows));
    tcase_add_test(t, files_refused);
    tcase_add_test(t, half_a_file_refused);
    tcase_add_test(t, products);
    suite_add_tcase(s, t);
    int failed = run_suite(s);
    unlink(path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
