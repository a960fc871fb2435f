/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds of a table and the numerical error of its dipole: a file of few digits against the
 * exact values of the model that it prints. */
#include "run_fixture.h"
#include "run_suite.h"

#define POINTS "--x 1e-3 --eps 1 --q 1,1.4,2 --k1 0.3,0.5,0.8,1.2,2 --theta 0.3,1.2,2,3 "

/* N of the GBW model with Qs = 1 GeV. */
static void write_gbw(const char *name, int digits)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 370; i++) {
        const double r = 1e-3 * exp(0.025 * i);
        fprintf(f, "%.17g %.*e\n", r, digits - 1, -expm1(-r * r / 4));
    }
    fclose(f);
}

/* Six digits put I off by up to a per cent: more than what computation and interpolation are off,
 * as the bounds of the table of twelve digits show, and less than the bounds of their own table.
 * The table of twelve digits has no noise that shows. */
START_TEST(noise_is_in_the_bounds)
{
    write_file("n.card", "[dipole]\nkind = table\n[axes]\nx = 1e-3\neps = 1\nq = geom 1 2 8\n"
                         "k_max = 3\n[table]\nlower = 20\nupper = 12\n"
                         "[accuracy]\ntolerance = 1e-4\n");
    for (int digits = 6; digits <= 12; digits += 6) {
        char line[256];
        write_gbw("n.dat", digits);
        snprintf(line, sizeof line,
                 GENERATE "run n.card --quiet -o %d.cgct --set dipole.file=n.dat && " CGCTAB
                          "eval %d.cgct " POINTS "--error | grep -v '^#' > v%d",
                 digits, digits, digits);
        works(line);
    }
    works(GENERATE "exact --set dipole.lambda=0 " POINTS "| grep -v '^#' > exact");
    works("paste v6 v12 exact | awk 'function off(i) { d = $i - $(i > 10 ? i + 9 : i + 18); "
          "return d < 0 ? -d : d } "
          "{ for (p = 6; p < 8; p++) { if (off(p) > $(p + 2)) bad++; if (off(p + 9) > $(p + 11)) "
          "bad++; if (off(p) > $(p + 11)) seen++; n++ } } "
          "END { print n, bad + 0, seen + 0; exit !(n == 120 && !bad && seen > 10) }'");
    works(CGCTAB "get 6.cgct dipole.accuracy");
    ck_assert_msg(!strncmp(place.output, "6 digits, noise of N ", 21), "%s", place.output);
    works(CGCTAB "get 6.cgct certificate.dipole_max");
    ck_assert_double_gt(strtod(place.output, NULL), 1e-2);
    ck_assert_int_ne(run(CGCTAB "get 12.cgct certificate.dipole_max"), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_dipole");
    TCase *t = tcase_create("run_dipole");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, noise_is_in_the_bounds);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
