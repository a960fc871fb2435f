/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the generator starts its library of matrix products: kernels, threads, little memory. */
#include "command.h"
#include "have.h"
#include "numerics/blas.h"
#include "run_suite.h"

/* A library in the place of OpenBLAS that knows no processor.  Its version is what it was told of
 * threads; with STUCK it has old kernels alone, without LAST a function is missing. */
static const char stub[] =
    "#include <stdlib.h>\n"
    "static const char *core;\n"
    "static char config[99] = \"OpenBLAS \";\n"
    "static void add(const char *s) { char *to = config; while (*to) to++; "
    "while (s && (*to++ = *s++)); }\n"
    "__attribute__((constructor)) static void start(void)\n"
    "{\n"
    "    core = getenv(\"OPENBLAS_CORETYPE\");\n"
    "    if (!core || getenv(\"STUCK\")) core = \"Prescott\";\n"
    "    add(getenv(\"OMP_NUM_THREADS\"));\n"
    "    add(getenv(\"OPENBLAS_NUM_THREADS\"));\n"
    "    add(\" DYNAMIC_ARCH\");\n"
    "}\n"
    "const char *openblas_get_corename(void) { return core; }\n"
    "const char *openblas_get_config(void) { return config; }\n"
    "void cblas_dgemm(void) {} void cblas_dgemv(void) {} void cblas_ddot(void) {}\n"
    "void cblas_daxpy(void) {} void dgeqrf_(void) {} void dorgqr_(void) {}\n"
    "#ifdef LAST\nvoid dgesvd_(void) {}\n#endif\n";

static int make_stub(const char *flags)
{
    char line[256];
    if (!have("cc")) return 0;
    command_write(&place, "stub.c", stub);
    snprintf(line, sizeof line, "cc -shared -fPIC %s -o libopenblas.so.0 stub.c", flags);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    return 1;
}

static void says(const char *command, const char *want)
{
    const int status = command_run(&place, command);
    ck_assert_msg(status == 0 && strstr(place.output, want), "%s: status %d, want <%s>: %s",
                  command, status, want, place.output);
}

#define HERE "LD_LIBRARY_PATH=. "

/* Of a user's own setting nothing is changed. */
START_TEST(unknown_processor)
{
    const char *better = blas_better_kernels(blas_processor(), "Prescott");
    char want[160];
    if (!make_stub("-DLAST")) return;
    says("OPENBLAS_CORETYPE=Prescott " HERE GENERATE "backends",
         "OpenBLAS 11, kernels Prescott (OPENBLAS_CORETYPE=Prescott)\n");
    says("OPENBLAS_CORETYPE=Zen OMP_NUM_THREADS=2,2 " HERE GENERATE "backends",
         "OpenBLAS 11, kernels Zen (OPENBLAS_CORETYPE=Zen)\n");
    if (!better) return;
    snprintf(want, sizeof want,
             "OpenBLAS 11, kernels %s (set by this program; OpenBLAS takes this processor for a "
             "Prescott)\n",
             better);
    says(HERE GENERATE "backends", want);
    snprintf(want, sizeof want,
             "OpenBLAS 11, kernels Prescott (for an older processor; it has no %s)\n", better);
    says("STUCK=1 " HERE GENERATE "backends", want);
}
END_TEST

/* What it sets for OpenBLAS does not reach the programs that it starts. */
START_TEST(environment)
{
    if (!make_stub("-DLAST")) return;
    command_write(&place, "gnuplot", "#!/bin/sh\nenv > environment\n");
    says("chmod +x gnuplot; OMP_NUM_THREADS=2 PATH=$PWD:$PATH " HERE GENERATE
         "plot dipole -o . --dipole mv --x 0.01 >&2; cat environment",
         "OMP_NUM_THREADS=2\n");
    ck_assert_ptr_null(strstr(place.output, "OPENBLAS"));
}
END_TEST

#define POINT                                                                                      \
    "point --dipole gbw --x 0.01 --eps 10 --q 1 --k1 2 --theta 0 --set accuracy.tolerance=1e-3 "

START_TEST(unusable_library)
{
    if (!make_stub("")) return;
    says(HERE GENERATE "backends",
         "BLAS             none (libopenblas.so.0 has no dgesvd_: install OpenBLAS with LAPACK)\n");
    command_fails(&place, HERE GENERATE POINT, 1, "libopenblas.so.0 has no dgesvd_",
                  "install OpenBLAS with LAPACK");
    command_write(&place, "libopenblas.so.0", "no library, although its name says so");
    command_fails(&place, HERE GENERATE POINT, 1, "libopenblas.so.0: ", "install OpenBLAS");
    says(HERE GENERATE "--version", "cgctab-generate ");
}
END_TEST

/* Of the processor. */
static double seconds_with(const char *threads)
{
    char line[256];
    snprintf(line, sizeof line, "OMP_NUM_THREADS=%s timeout 60 " GENERATE "run t.card -o %s.cgct",
             threads, threads);
    says(line, "seconds processor ");
    return strtod(strstr(place.output, "seconds processor ") + strlen("seconds processor "), NULL);
}

/* A list of numbers makes OpenMP take threads within threads, and OpenBLAS with them, which then
 * wait for each other. */
START_TEST(nested_threads)
{
    command_write(&place, "t.card",
                  "[axes]\nx = 0.01\neps = 1,2\nq = 0.5,1\nk_max = 3\n"
                  "[table]\nlower = 3\nupper = 3\n[accuracy]\ntolerance = 1e-4\n");
    const double one = seconds_with("1");
    ck_assert_double_le(seconds_with("2,2"), 2 * one + 0.5);
    says("cmp 1.cgct 2,2.cgct && echo the same", "the same");
}
END_TEST

#ifndef __SANITIZE_ADDRESS__
/* OpenBLAS tries forever to get its buffers; the limits here are kB. */
START_TEST(little_memory)
{
    int failures = 0;
    for (int limit = 20000; limit <= 620000; limit += 100000) {
        char line[512];
        snprintf(line, sizeof line, "ulimit -%c %d; timeout 20 " GENERATE "--version",
                 _i ? 'd' : 'v', limit);
        says(line, "cgctab-generate ");
        snprintf(line, sizeof line, "ulimit -%c %d; timeout 20 " GENERATE POINT "-j 2",
                 _i ? 'd' : 'v', limit);
        const int status = command_run(&place, line);
        const char *end = strchr(place.output, '\n');
        if (status == 0) continue;
        failures++;
        ck_assert_msg(status == 1 && end && !end[1] && limit < 500000, "%s: %d %s", line, status,
                      place.output);
        ck_assert_msg(strstr(place.output, "raise the limit of memory (ulimit -v, -d)"), "%s",
                      place.output);
    }
    ck_assert_int_gt(failures, 0);
}
END_TEST
#endif

int main(void)
{
    Suite *s = suite_create("cli_blas");
    TCase *t = tcase_create("cli_blas");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, unknown_processor);
    tcase_add_test(t, environment);
    tcase_add_test(t, unusable_library);
    tcase_add_test(t, nested_threads);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_loop_test(t, little_memory, 0, 2);
#endif
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
