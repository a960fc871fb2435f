/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the rapidity of a table file counts from: every spelling of x0, what contradicts itself or
 * is not understood, what the user gives, and what is said of it. */
#include <string.h>

#include "dipole_text.h"
#include "run_suite.h"

/* A file of three columns with two lines above the values. */
static void columns(const char *first, const char *second)
{
    nline = 0;
    add("%s", first);
    add("%s", second);
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i);
            add("%.17g %.17g %.17g", iy * Y1, r, model_N(r, iy * Y1));
        }
    save("\n");
}

static cgct_status open_file(double x0, dipole_source **s, cgct_err *err)
{
    const dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .x0 = x0};
    err->text[0] = 0;
    return dipole_source_open(s, &o, err);
}

/* That x0 with that text, "FILE" standing for the path; the range of x begins there. */
static void takes(double x0, double want, dipole_x0_from from, const char *text)
{
    dipole_source *s;
    cgct_err err;
    char full[256];
    ck_assert_msg(open_file(x0, &s, &err) == CGCT_OK, "%s: %s", lines[0], err.text);
    const dipole_x0 *got = s->x0;
    const char *file = strstr(text, "FILE");
    snprintf(full, sizeof full, "%.*s%s%s", (int)(file ? file - text : 0), text, file ? path : "",
             file ? file + 4 : text);
    ck_assert_msg(got->value == want && got->from == from, "%s: x0 = %g", lines[0], got->value);
    ck_assert_str_eq(got->text, full);
    CHECK_REL(s->xmax, want, 1e-8);
    dipole_source_close(s);
}

static void refuses(const char *a, const char *b)
{
    dipole_source *s;
    cgct_err err;
    char full[256];
    ck_assert_msg(open_file(0, &s, &err) == CGCT_E_FORMAT, "%s: %s", lines[0], err.text);
    snprintf(full, sizeof full, "%s%s", path, a);
    ck_assert_msg(strstr(err.text, full) && strstr(err.text, b), "'%s': '%s'", lines[0], err.text);
}

static const char *const spelt[] = {"# x0 = 0.01",
                                    "#x0=0.01",
                                    "# x0: 0.01",
                                    "# X0 = 0.01",
                                    "# BK solution, x0=0.01, rcMV",
                                    "! x_0 := 1d-2; Qs0 = 0.3",
                                    "# $x_0 = 0.01$",
                                    "# \\(x_{0} = 1.E-2 \\).",
                                    "# evolved from x0 = 1e-2.",
                                    "# the evolution begins (x0 = 1.0D-02) at Y = 0",
                                    "# {\"x0\": 0.01, \"Qs0\": 1}",
                                    "# bk --x0 0.01 --gamma 1",
                                    "# where x0 is 0.01",
                                    "# Y = ln(x0/x), x0 = 0.01",
                                    "# x0 = x e^Y and x0 = 0.01",
                                    "# x_initial = 0.01",
                                    "#\tx0\t0.01",
                                    "# x0 == 10.0Q-3"};

START_TEST(spellings)
{
    columns(spelt[_i], "# Y r N");
    takes(0, 0.01, DIPOLE_X0_FILE, "x0 = 0.01, from line 1 of FILE");
}
END_TEST

/* Not x0: names that contain it, and numbers that belong to something else. */
static const char *const other[] = {"# Y r N", "# max0 = 0.5, x01 = 0.2, x0_bj = 0.3", "# 0x0 0.5",
                                    "# mv_x0=0.5_ec1.dat"};

START_TEST(not_stated)
{
    columns(other[_i], "");
    takes(0, 1, DIPOLE_X0_ASSUMED, "x0 = 1 is assumed: FILE does not state it; set dipole.x0");
}
END_TEST

START_TEST(named_without_a_number)
{
    columns("# Y r N", "# Y = ln(x0/x)");
    takes(0, 1, DIPOLE_X0_ASSUMED,
          "x0 = 1 is assumed: line 2 of FILE names x0, but no number; set dipole.x0");
    columns("# file x0.01.dat, x0 2012", "");
    takes(0, 1, DIPOLE_X0_ASSUMED,
          "x0 = 1 is assumed: line 1 of FILE names x0, but no number; set dipole.x0");
}
END_TEST

static const char *const unread[] = {"x0 = 10^-2",  "x0 = 1/100",   "x0 = 1 / 100", "x0 = 1 x 10-2",
                                     "x0: 0,01",    "x0 = 0.01GeV", "x0 = start",   "x0=0.01.dat",
                                     "x0 = 0x1p-7", "x0 = 1*0.01"};

START_TEST(not_understood)
{
    char line[LINE];
    snprintf(line, sizeof line, "# %s", unread[_i]);
    columns("# Y r N", line);
    snprintf(line, sizeof line, "'%s' is not understood", unread[_i]);
    refuses(":2: ", line);
    takes(0.02, 0.02, DIPOLE_X0_CARD, "x0 = 0.02, from dipole.x0");
}
END_TEST

START_TEST(contradictions)
{
    columns("# x0 = 0.01", "# x0 = 0.02");
    refuses(": x0 = 0.01 in line 1, but x0 = 0.02 in line 2", "set dipole.x0");
    takes(0.02, 0.02, DIPOLE_X0_CARD, "x0 = 0.02, from dipole.x0; line 1 of FILE has 0.01");
    takes(0.01, 0.01, DIPOLE_X0_CARD, "x0 = 0.01, from dipole.x0");
    columns("# x0 = 0.01, x0 = 1.0e-2", "# x0: .01");
    takes(0, 0.01, DIPOLE_X0_FILE, "x0 = 0.01, from line 1 of FILE");
    columns("# x0 = 0.01", "# x0 = 3");
    refuses(": x0 = 0.01 in line 1, but x0 = 3 in line 2", "remove one");
    columns("# x0 = 3", "");
    refuses(":1: x0 = 3, but x0 must lie in (0, 1]", "set dipole.x0");
    columns("# x0 = 0.01", "");
    for (int i = 2; i < nline; i++)
        if (i == nline - 1) strcat(lines[i], " # x0 = 0.1");
    save("\n");
    refuses(": x0 = 0.01 in line 1, but x0 = 0.1 in line 82", "remove one");
}
END_TEST

/* The header of the layout says it; a comment of another value is named. */
START_TEST(header)
{
    rcbk("###", "%.17g");
    save("\n");
    takes(0, 0.01, DIPOLE_X0_FILE, "x0 = 0.01, from line 5 of FILE; the comment in line 1 has 0.5");
    takes(1e-3, 1e-3, DIPOLE_X0_CARD, "x0 = 0.001, from dipole.x0; line 5 of FILE has 0.01");
    strcpy(lines[0], "# x0=0.01, as below");
    save("\n");
    takes(0, 0.01, DIPOLE_X0_FILE, "x0 = 0.01, from line 5 of FILE");
}
END_TEST

/* Two columns have no x; neither have models. */
START_TEST(none)
{
    dipole_source *s;
    cgct_err err;
    nline = 0;
    add("# x0 = 3");
    for (int i = 0; i < NR; i++)
        add("%.17g %.17g", R_MIN * pow(MULT, i), model_N(R_MIN * pow(MULT, i), 0));
    save("\n");
    ck_assert_msg(open_file(0, &s, &err) == CGCT_OK, "%s", err.text);
    ck_assert(s->x0->from == DIPOLE_X0_NONE && !s->x0->text);
    dipole_source_close(s);
    const dipole_opts gbw = {.kind = DIPOLE_GBW}, bk = {.kind = DIPOLE_BK, .x0 = 0.02};
    ck_assert_int_eq(dipole_source_open(&s, &gbw, &err), CGCT_OK);
    ck_assert_int_eq(s->x0->from, DIPOLE_X0_NONE);
    dipole_source_close(s);
    ck_assert_int_eq(dipole_source_open(&s, &bk, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "x0 = 0.02 is for gbw and for files") != NULL, "%s", err.text);
}
END_TEST

#define COUNT(list) (int)(sizeof list / sizeof *list)

int main(void)
{
    Suite *s = suite_create("dipole_x0");
    TCase *t = tcase_create("dipole_x0");
    tcase_add_unchecked_fixture(t, make_path, remove_path);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, spellings, 0, COUNT(spelt));
    tcase_add_loop_test(t, not_stated, 0, COUNT(other));
    tcase_add_test(t, named_without_a_number);
    tcase_add_loop_test(t, not_understood, 0, COUNT(unread));
    tcase_add_test(t, contradictions);
    tcase_add_test(t, header);
    tcase_add_test(t, none);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
