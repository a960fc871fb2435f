/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab-generate three as a user meets it, and a user's own integrand from source to numbers. */
#include <math.h>

#include "command.h"
#include "run_suite.h"

#define THREE GENERATE "three --integrand "
#define MOMENTA " --p 0.8 --q 1.2 --phi-p 0,0.7 --phi-q 1.3,2.9 --quiet "
#define SIZES "--k 0,1.5 --nodes 40 --last 6 --modes 6 --angles 16 "
#define SMALL MOMENTA SIZES
#define TOL_PAPER 1e-9 /* of the largest |F|; the paper's validation reaches 4e-6 */

typedef struct {
    double v[10]; /* k p q phi_p phi_q Re_F Im_F err exact diff */
} line;

/* Lines of numbers, of which the last two may be absent. */
static size_t lines(size_t most, line *to)
{
    size_t n = 0;
    for (const char *p = strchr(place.output, '\n'); p && p[1] && n < most; p = strchr(p, '\n')) {
        double *v = to[n++].v;
        int got = sscanf(++p, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3,
                         v + 4, v + 5, v + 6, v + 7, v + 8, v + 9);
        ck_assert_msg(got == 8 || got == 10, "%s", place.output);
    }
    return n;
}

/* The paper's angles, modes and momenta on fewer nodes. */
START_TEST(paper_case_on_fewer_nodes)
{
    line l[64];
    double top = 0;
    int status =
        command_run(&place, THREE "gaussian" MOMENTA "--k 'lin 0 4 9' --nodes 88 --last 8");
    ck_assert_msg(status == 0, "%s", place.output);
    size_t n = lines(64, l);
    ck_assert_uint_eq(n, 36);
    for (size_t i = 0; i < n; i++) top = fmax(top, fabs(l[i].v[5]));
    for (size_t i = 0; i < n; i++) {
        const double *v = l[i].v;
        ck_assert_msg(fabs(v[5] - v[8]) <= TOL_PAPER * top, "k = %g: %.17g, want %.17g", v[0], v[5],
                      v[8]);
        ck_assert(v[6] == 0 && v[7] >= fabs(v[5] - v[8]));
    }
}
END_TEST

/* The Gaussian once more, as a user writes it: the file that serves a device, too. */
#define EXAMPLE TESTS_DIR "/../generator/three/three_gaussian.cu"

/* And as the real part of a complex integrand for which no symmetry is promised. */
static const char both[] = "#define THREE_INTEGRAND_(value, n, symmetric)\n"
                           "#include \"three_user.h\"\n"
                           "#undef THREE_INTEGRAND\n"
                           "#define THREE_INTEGRAND THREE_INTEGRAND_\n"
                           "#include \"three_gaussian.cu\"\n"
                           "static void f(const three_point *x, const double *par, double *re, "
                           "double *im)\n"
                           "{\n"
                           "    *re = value(x, par);\n"
                           "    *im = -2 * *re;\n"
                           "}\n"
                           "THREE_INTEGRAND_COMPLEX(f, 6, THREE_GENERAL)\n";

/* Flags of a library that are neither 0 nor 1 mean 1. */
static const char flags[] = "#define THREE_INTEGRAND_(value, n, symmetric)\n"
                            "#include \"three_user.h\"\n"
                            "#undef THREE_INTEGRAND\n"
                            "#define THREE_INTEGRAND THREE_INTEGRAND_\n"
                            "#include \"three_gaussian.cu\"\n"
                            "THREE_LIBRARY_(6, 2, 2, re[i] = im[i] = value(&x, self))\n";

static void compile(const char *source, const char *to)
{
    char command[512];
    snprintf(
        command, sizeof command,
        "gcc -x c -std=c11 -Wall -Wextra -Wshadow -pedantic -Werror -O2 -fPIC -shared -I " TESTS_DIR
        "/../generator/three %s -o %s -lm",
        source, to);
    ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
}

START_TEST(users_own_integrand)
{
    line want[16], got[16];
    const char params[] = "--params 1,1.2,0.9,0.5,-0.4,0.3";
    char command[512];
    command_write(&place, "both.c", both);
    command_write(&place, "flags.c", flags);
    compile(EXAMPLE, "mine.so");
    compile("both.c", "both.so");
    compile("flags.c", "flags.so");
    for (int run = 0; run < 4; run++) {
        static const char *const names[] = {"gaussian", "mine.so", "both.so", "flags.so"};
        static const double imaginary[] = {0, 0, -2, 1}; /* parts of the real one */
        snprintf(command, sizeof command, THREE "%s" SMALL "%s", names[run], params);
        ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
        ck_assert_uint_eq(lines(16, run ? got : want), 8);
        for (int i = 0; run && i < 8; i++) {
            ck_assert_double_eq_tol(got[i].v[5], want[i].v[5], 1e-12 * want[0].v[5]);
            ck_assert_double_eq_tol(got[i].v[6], imaginary[run] * want[i].v[5],
                                    1e-12 * want[0].v[5]);
        }
    }
    command_fails(&place, THREE "mine.so" SMALL "--params 1,2", 1, "takes 6 parameters",
                  "2 are given");
    command_fails(&place, THREE "none.so" SMALL, 1, "none.so", "No such file");
    command_run(&place, "echo 'int x;' > empty.c && gcc -fPIC -shared empty.c -o empty.so");
    command_fails(&place, THREE "empty.so" SMALL, 1, "empty.so", "THREE_INTEGRAND");
}
END_TEST

START_TEST(refusals)
{
    command_fails(&place, GENERATE "three --k 1", 2, "--integrand is missing", "--help");
    command_fails(&place, THREE "gaussian --k 1", 2, "--p is missing", "--help");
    command_fails(&place, THREE "gaussian" SMALL "--params 1,1,1,2.1,0,0", 1, "positive definite",
                  "g1");
    command_fails(&place, THREE "gaussian" SMALL "--params 1,1", 2, "2 numbers", "a,b0,c,g1,g2,g3");
    command_fails(&place, THREE "gaussian" MOMENTA "--k 1 --angles 50", 1, "50 angles", "2M = 50");
    command_fails(&place, THREE "gaussian" SMALL "--memory 1e-4", 1, "needs", "budget is 107374;");
    command_fails(&place, THREE "gaussian" SMALL "--degree 5.5", 2, "--degree", "integer");
    command_fails(&place, THREE "gaussian --backend gpu" SMALL, 2, "'gpu'", "cpu, cuda");
    command_fails(&place, THREE "mine.so --backend cuda" SMALL, 2, "mine.so", "FILE.cu");
    command_fails(&place, THREE "mine.cu --backend cpu" SMALL, 2, "mine.cu", "shared object");
    command_fails(&place,
                  THREE "gaussian --k 1 --p 1 --q 1 --phi-p 'lin 0 1 70000' --phi-q 0 -o long.cgc3",
                  2, "70000 values of phi_p", "65536");
    command_fails(&place, THREE "gaussian" SMALL "--resume", 2, "--resume", "--checkpoint");
    command_fails(&place, THREE "gaussian" SMALL "--checkpoint /no/such/file", 1, "/no/such",
                  "No such");
}
END_TEST

/* The file prints what the run printed, and other angles without another run. */
START_TEST(kept_in_a_file)
{
    static char want[sizeof place.output];
    for (int i = 0; i < 2; i++) {
        if (i == 0) compile(EXAMPLE, "mine.so");
        ck_assert_int_eq(command_run(&place, i ? THREE "gaussian" SMALL "-o t.cgc3"
                                               : THREE "mine.so" SMALL "-o t.cgc3 --params "
                                                       "1,1,1,0.5,0.5,0.5"),
                         0);
        strcpy(want, place.output);
        ck_assert_int_eq(command_run(&place, GENERATE "three --from t.cgc3 --quiet"), 0);
        ck_assert_str_eq(place.output, want);
    }
    line turned[16], again[16];
    ck_assert_int_eq(
        command_run(&place, GENERATE "three --from t.cgc3 --quiet --phi-p 0.3 --phi-q 1,2"), 0);
    ck_assert_uint_eq(lines(16, turned), 4);
    ck_assert_int_eq(command_run(&place, THREE
                                 "gaussian --quiet --p 0.8 --q 1.2 --phi-p 0.3 --phi-q 1,2 " SIZES),
                     0);
    ck_assert_uint_eq(lines(16, again), 4);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 10; c++)
            ck_assert_double_eq_tol(turned[i].v[c], again[i].v[c], 1e-12 * again[0].v[5]);
    ck_assert_int_eq(command_run(&place, GENERATE "three --from t.cgc3 2>&1 >/dev/null"), 0);
    ck_assert_ptr_nonnull(strstr(place.output, "gaussian, parameters 1,1,1,0.5,0.5,0.5; M = 6"));
    command_fails(&place, GENERATE "three --from t.cgc3 --k 1", 2, "--from", "in the file");
    command_fails(&place, GENERATE "three --from none.cgc3", 1, "none.cgc3", "No such file");
    command_fails(&place, THREE "gaussian" SMALL "-o /no/such/t.cgc3", 1, "/no/such", "No such");
    command_run(&place, "printf x >>t.cgc3");
    command_fails(&place, GENERATE "three --from t.cgc3", 1, "t.cgc3", "appended");
}
END_TEST

/* Stopped after some steps, continued: the numbers of an uninterrupted run. */
START_TEST(interrupted_and_resumed)
{
    static char want[sizeof place.output];
    ck_assert_int_eq(command_run(&place, THREE "gaussian" SMALL "--jobs 1"), 0);
    strcpy(want, place.output);
    /* again where it ended before it was stopped */
    command_run(&place, "for i in 1 2 3 4 5 6 7 8; do " THREE "gaussian" SMALL
                        "--jobs 1 --checkpoint c & pid=$!; while kill -0 $pid && ! [ -s c ]; do :; "
                        "done; kill -9 $pid; wait $pid; test -s c && break; done");
    ck_assert_int_eq(command_run(&place, "test -s c"), 0);
    ck_assert_int_eq(command_run(&place, THREE "gaussian" SMALL "--jobs 1 --checkpoint c --resume"),
                     0);
    ck_assert_str_eq(place.output, want);
    ck_assert_int_ne(command_run(&place, "test -e c"), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_three");
    TCase *t = tcase_create("cli_three");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, paper_case_on_fewer_nodes);
    tcase_add_test(t, users_own_integrand);
    tcase_add_test(t, refusals);
    tcase_add_test(t, kept_in_a_file);
    tcase_add_test(t, interrupted_and_resumed);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
