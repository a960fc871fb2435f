/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab eval with masses of quarks and real photons: each column is that of both photons. */
#include "run_suite.h"
#include "tool_run.h"
#include "reader/cgctab.h"

#define TOL_PRINTED 1e-14
enum { COLUMNS = 32 };

static const char point[] = "0.001 0.3 0 3 4 1\n0.001 0.3 5 3 4 1\n";
#define EVAL "eval FILE --dsigma - --mass 0.7 --e-q2 2 --alpha-em 0.01 "
static const cgct_dis places[2] = {{0.01, 2, 0, 0.3, 0, 0.7}, {0.01, 2, 0, 0.3, 5, 0.7}};

/* The numbers of line i of what was printed, without remarks. */
static void read_line(int i, size_t n, double *v)
{
    const char *line = output;
    while (*line == '#' || i > 0) {
        if (*line != '#') i--;
        line = strchr(line, '\n') + 1;
    }
    for (size_t c = 0; c < n; c++) {
        char *end;
        v[c] = strtod(line, &end);
        ck_assert_msg(end != line, "%s", output);
        line = end;
    }
}

static cgct_table *open_table(void)
{
    cgct_table *t;
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    return t;
}

/* Values, bounds, correlation limit and its ratio, with the area of the member. */
START_TEST(columns_of_photons)
{
    static const char columns[] = "\n# x z Q2 q k1 theta dsigma_T dsigma_L err_T err_L ref_T ref_L "
                                  "ratio_T ratio_L\n";
    keep(GOLDEN_PANELS);
    cgct_table *t = open_table();
    ck_assert_int_eq(run(point, EVAL "--error --reference"), 0);
    ck_assert_msg(strstr(output, columns) && strstr(output, "mass = 0.7 GeV, S_perp = 70.5 ") &&
                      strstr(output, "transverse and longitudinal photons\n"),
                  "%s", output);
    for (int i = 0; i < 2; i++) {
        double v[COLUMNS], in[3][2], eps, F[2][2];
        cgct_dis d = places[i];
        d.S_perp = 70.5;
        ck_assert_int_eq(cgct_dis_factors(&d, &eps, F), CGCT_OK);
        ck_assert_int_eq(cgct_eval(t, 1e-3, eps, 3, 4, 1, in[0]), CGCT_OK);
        ck_assert_int_eq(cgct_eval_error(t, 1e-3, eps, 3, 4, 1, in[1]), CGCT_OK);
        ck_assert_int_eq(cgct_reference(t, 1e-3, eps, 3, 4, 1, in[2]), CGCT_OK);
        read_line(i, 14, v);
        for (int what = 0; what < 3; what++) {
            const double T = F[0][0] * in[what][0] + F[0][1] * in[what][1];
            CHECK_REL(v[6 + 2 * what], T, TOL_PRINTED);
            CHECK_REL(v[7 + 2 * what], F[1][1] * in[what][1], TOL_PRINTED);
        }
        CHECK_REL(v[12], v[6] / v[10], TOL_PRINTED);
        CHECK_REL(v[13], in[0][1] / in[2][1], TOL_PRINTED); /* also at Q2 = 0, the first place */
    }
    cgct_close(t);
}
END_TEST

/* Each member with its own area. */
START_TEST(members_of_photons)
{
    double v[COLUMNS], each[6], one[3], range[3];
    keep(GOLDEN_PANELS);
    cgct_table *t = open_table();
    ck_assert_int_eq(run(point, EVAL "--uncertainty"), 0);
    for (int i = 0; i < 2; i++) {
        read_line(i, 14, v);
        ck_assert_int_eq(cgct_dsigma_members(t, &places[i], 1e-3, 3, 4, 1, each), CGCT_OK);
        for (int photon = 0; photon < 2; photon++) {
            for (int m = 0; m < 3; m++) one[m] = each[2 * m + photon];
            ck_assert_int_eq(cgct_uncertainty_of(t, one, range), CGCT_OK);
            for (int r = 0; r < 3; r++) CHECK_REL(v[8 + 2 * r + photon], range[r], TOL_PRINTED);
        }
    }
    ck_assert_int_eq(run(point, EVAL "--members"), 0);
    const char *up = strstr(strstr(output, "up ") + 1, "up "); /* of the second point */
    ck_assert(up && sscanf(up, "up %lf %lf", &v[0], &v[1]) == 2);
    for (int photon = 0; photon < 2; photon++) CHECK_REL(v[photon], each[2 + photon], TOL_PRINTED);
    cgct_close(t);
}
END_TEST

START_TEST(json_states_the_mass)
{
    keep(GOLDEN_PANELS);
    ck_assert_int_eq(run(point, EVAL "--json"), 0);
    ck_assert_msg(strstr(output, "\"mass\": 0.7,") != NULL, "%s", output);
}
END_TEST

START_TEST(wrong_masses)
{
    static const char at[] = "eval FILE --x 0.01 --z 0.5 --Q2 4 --q 1 --k1 1 --theta 0 --S-perp 1 ";
    static const char *const wrong[] = {"-1", "nan", "inf", "1e70", "heavy"};
    char arguments[512], word[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(arguments, sizeof arguments, "%s--mass=%s", at, wrong[i]);
        snprintf(word, sizeof word, "--mass: '%s', want a number from 0 to", wrong[i]);
        fails(arguments, 2, word);
    }
    fails("eval FILE --x 0.01 --eps 1 --q 1 --k1 1 --theta 0 --mass 1.4", 2,
          "--mass: is for cross sections");
    fails("eval FILE --x 0.01 --z 0.5 --Q2 0 --q 1 --k1 1 --theta 0 --S-perp 1", 1,
          "Q2 = 0 needs --mass");
    fails("eval FILE --x 0.01 --z 0.5 --Q2=-1 --mass 1 --q 1 --k1 1 --theta 0 --S-perp 1", 1,
          "Q2 = -1: want 0 < z < 1 and Q2 > 0, or 0");
    fails("eval FILE --x 0.01 --z 0.5 --Q2 4 --mass 9 --q 1 --k1 1 --theta 0 --S-perp 1", 1,
          "eps = 9.05");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool_masses");
    TCase *c = tcase_create("tool_masses");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, columns_of_photons);
    tcase_add_test(c, members_of_photons);
    tcase_add_test(c, json_states_the_mass);
    tcase_add_test(c, wrong_masses);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
