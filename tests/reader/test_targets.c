/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader compiled for other processors, and with other freedom of rounding, gives the same
 * values
 * to 1e-13 of the largest at any angle. */
#include "command.h"
#include "have.h"
#include "check_rel.h"
#include "run_suite.h"
#include "reader/cgctab.h"

#define TOP TESTS_DIR "/.."
#define GOLDEN TESTS_DIR "/golden/panels.cgct"
enum { POINTS = 2000 };

/* One source for both sides: points that depend on i alone. */
#define POINT                                                                                      \
    "static double part(int i, int j) { unsigned long long v = (unsigned long long)(8 * i + j + "  \
    "1);\n"                                                                                        \
    "    v *= 0x9e3779b97f4a7c15ull; v ^= v >> 29; v *= 0xbf58476d1ce4e5b9ull;\n"                  \
    "    return (double)(v >> 40) / 16777216; }\n"

static double part(int i, int j)
{
    unsigned long long v = (unsigned long long)(8 * i + j + 1);
    v *= 0x9e3779b97f4a7c15ull;
    v ^= v >> 29;
    v *= 0xbf58476d1ce4e5b9ull;
    return (double)(v >> 40) / 16777216;
}

static const char program[] =
    "#include <cgctab.h>\n#include <stdio.h>\n" POINT
    "int main(int argc, char **argv)\n{\n    cgct_table *t; cgct_slice *s; double I[4];\n"
    "    if (argc != 2 || cgct_open(argv[1], &t, NULL) != CGCT_OK) return 1;\n"
    "    if (cgct_slice_init(&s, t, 2e-3, 1.5, NULL) != CGCT_OK) return 1;\n"
    "    for (int i = 0; i < 2000; i++) {\n"
    "        double x = 1e-4 + 9e-3 * part(i, 0), eps = 0.1 + 7 * part(i, 1);\n"
    "        double q = 0.5 + 20 * part(i, 2), k1 = 20 * part(i, 3), a = 7 * part(i, 4);\n"
    "        if (cgct_eval(t, x, eps, q, k1, a, I) != CGCT_OK) return 2;\n"
    "        if (cgct_slice_many(s, 1, &q, &k1, &a, I + 2, NULL) != CGCT_OK) return 2;\n"
    "        printf(\"%.17g %.17g %.17g %.17g\\n\", I[0], I[1], I[2], I[3]);\n    }\n"
    "    cgct_slice_free(s); cgct_close(t);\n    return 0;\n}\n";

/* Values of the library at the points and those in the slice, with the means I_0 of both. */
static double want[POINTS][4], mean[POINTS][4];

static void evaluate(void)
{
    cgct_table *t;
    cgct_slice *s;
    ck_assert_int_eq(cgct_open(GOLDEN, &t, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_init(&s, t, 2e-3, 1.5, NULL), CGCT_OK);
    for (int i = 0; i < POINTS; i++) {
        double x = 1e-4 + 9e-3 * part(i, 0), eps = 0.1 + 7 * part(i, 1);
        double q = 0.5 + 20 * part(i, 2), k1 = 20 * part(i, 3), a = 7 * part(i, 4);
        ck_assert_int_eq(cgct_eval(t, x, eps, q, k1, a, want[i]), CGCT_OK);
        ck_assert_int_eq(cgct_modes(t, x, eps, q, k1, 1, mean[i]), CGCT_OK);
        ck_assert_int_eq(cgct_slice_eval(s, q, k1, a, want[i] + 2), CGCT_OK);
        ck_assert_int_eq(cgct_modes(t, 2e-3, 1.5, q, k1, 1, mean[i] + 2), CGCT_OK);
    }
    cgct_slice_free(s);
    cgct_close(t);
}

START_TEST(same_values)
{
/* Of what the program calls; once all of the reader is compiled. */
#define CALLED READER "eval.c " READER "table.c"
#define READER TOP "/reader/cgctab_"
    static const char *const flags[] = {"-O0 -DCGCT_NO_CLONES " CALLED,
                                        "-O2 -DCGCT_NO_CLONES " CALLED,
                                        "-O3 -march=native -ffp-contract=fast " CALLED,
                                        "-O2 -DCGCT_PLAIN_C -pedantic-errors " READER "*.c"};
    char command[2048];
    if (!have("cc")) return;
    command_write(&place, "print.c", program);
    snprintf(command, sizeof command,
             "cc -std=c11 -I" BIN_DIR "/../include -o print print.c %s "
             "-lm && ./print " GOLDEN " > values",
             flags[_i]);
    ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
    snprintf(command, sizeof command, "%s/values", place.folder);
    FILE *f = fopen(command, "r");
    ck_assert_ptr_nonnull(f);
    /* the largest at any angle is no less than the mean, 2 pi I_0 */
    for (int i = 0; i < POINTS; i++) {
        double got[4];
        ck_assert_int_eq(fscanf(f, "%lf %lf %lf %lf", &got[0], &got[1], &got[2], &got[3]), 4);
        for (int j = 0; j < 4; j++) CHECK_ABS(got[j], want[i][j], 1e-13 * 6.28 * mean[i][j]);
    }
    fclose(f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("targets");
    TCase *c = tcase_create("targets");
    tcase_add_unchecked_fixture(c, evaluate, NULL); /* once for all */
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, same_values, 0, 4);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
