/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user of the reader gets: exported symbols, C++ header, sources that compile as they lie.
 */
#include <sys/wait.h>

#include "table_fixture.h"
#include "reader/cgctab.h"
#include "run_suite.h"
#include "have.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif
#define LIB_DIR BIN_DIR "/../lib"
#define TOP TESTS_DIR "/.."
#define STRICT " -Wall -Wextra -Wshadow -pedantic -Werror "
/* Of the golden table at x, eps, q, k1, theta, as read_table.py finds it; L is 4.7500974687e-02. */
#define POINT "0.005 1.3 1.2 2 0.7"
#define VALUE "^I_T = 6.6642464455e-02 "

static char folder[PATH_SIZE];

static void setup(void)
{
    make_folder(folder);
}

static void teardown(void)
{
    remove_folder(folder);
}

static int shell(const char *command)
{
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Only cgct_* is defined for others; nothing beyond libc and libm is needed from them. */
START_TEST(symbols)
{
    char command[1024];
    const char *libs[][2] = {{"-g", LIB_DIR "/libcgctab.a"}, {"-D", LIB_DIR "/libcgctab.so"}};
    if (!have("nm")) return;
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "nm %s --defined-only %s > %s/nm", libs[i][0], libs[i][1],
                 folder);
        ck_assert_int_eq(shell(command), 0);
        snprintf(command, sizeof command,
                 "grep ' [A-Z] ' %s/nm | grep -q ' cgct_eval$' && ! grep ' [A-Z] ' %s/nm | "
                 "grep -v ' cgct_' | grep -vE ' (__odr_asan|__asan|__ubsan|__gcov|llvm_)' && "
                 "! grep -E ' (cgct_fail|cgct_crc64|ZSTD)' %s/nm | grep ' [A-Z] '",
                 folder, folder, folder);
        ck_assert_msg(shell(command) == 0, "%s exports other symbols than cgct_*", libs[i][1]);
    }
    snprintf(command, sizeof command,
             "nm -D --undefined-only %s | grep -qE ' (ZSTD|gsl_|printf|puts|exit|abort)'",
             libs[1][1]);
    ck_assert_int_eq(shell(command), 1);
}
END_TEST

static const char user_program[] =
    "#include <cgctab.h>\n"
    "#include <stdio.h>\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    cgct_table *t;\n"
    "    cgct_err err;\n"
    "    double I[2];\n"
    "    if (argc != 2 || cgct_open(argv[1], &t, &err) != CGCT_OK) return 3;\n"
    "    if (cgct_eval(t, 0.005, 1.3, 1.2, 2, 0.7, I) != CGCT_OK) return 4;\n"
    "    cgct_close(t);\n"
    "    return I[CGCT_T] > 0.06664246 && I[CGCT_T] < 0.06664247 ? 0 : 5;\n"
    "}\n";

/* compiler with its standard, suffix of the source, link arguments; runs on the golden table. */
static void user_compiles(const char *compiler, const char *suffix, const char *libs)
{
    char source[PATH_SIZE], command[4096];
    snprintf(source, sizeof source, "%.200s/user.%s", folder, suffix);
    spill(source, user_program, sizeof user_program - 1);
    snprintf(command, sizeof command, "%s" STRICT "-I%s/reader -o %s/user %s %s -lm && %s/user %s",
             compiler, TOP, folder, source, libs, folder, GOLDEN_SMALL);
    ck_assert_msg(shell(command) == 0, "%s", command);
}

/* A sanitized library needs the sanitizer's runtime at the link. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZER " -fsanitize=address,undefined "
#else
#define SANITIZER ""
#endif

START_TEST(links_from_c)
{
    if (!have("cc")) return;
    user_compiles("cc -std=c11" SANITIZER, "c", LIB_DIR "/libcgctab.a");
    user_compiles("cc -std=c11" SANITIZER, "c", "-L" LIB_DIR " -lcgctab -Wl,-rpath," LIB_DIR);
}
END_TEST

START_TEST(links_from_cxx)
{
    if (!have("g++")) return;
    user_compiles("g++ -std=c++11" SANITIZER, "cpp", LIB_DIR "/libcgctab.a");
}
END_TEST

/* ---- the flat folder: no header but the system's, as C and as C++ ---- */

static void flat_reads(const char *compiler)
{
    char command[4096];
    snprintf(command, sizeof command,
             "cd %s/dist-reader && %s -O1" STRICT "-o ../flat *.c -lm && ../flat %s " POINT
             " | grep -q '" VALUE "'",
             folder, compiler, GOLDEN_SMALL);
    ck_assert_msg(shell(command) == 0, "%s", command);
}

/* The value that the programs above are compared with is that of the second reader. */
START_TEST(second_reader)
{
    if (!have("python3")) return;
    const char *command = "python3 " TESTS_DIR "/read_table.py " GOLDEN_SMALL " " POINT
                          " | grep -q '^0.06664246445[0-9]* 0.04750097468[0-9]*$'";
    ck_assert_msg(shell(command) == 0, "%s", command);
}
END_TEST

START_TEST(flat_folder)
{
    char command[1024];
    if (!have("cc")) return;
    snprintf(command, sizeof command, "make -s -C %s BUILD=%s dist-reader-files", TOP, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
    snprintf(
        command, sizeof command,
        "cd %s/dist-reader && test \"$(echo *)\" = 'CMakeLists.txt LICENSE cgctab.h cgctab.hpp "
        "cgctab_eval.c cgctab_pa.c cgctab_soft.c cgctab_table.c evaluate.c evaluate.cpp' && "
        "head -n 1 LICENSE | grep -qx 'MIT License' && ! grep -q GNU LICENSE && "
        "tail -n 1 LICENSE | grep -qx SOFTWARE.",
        folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
    flat_reads("cc -std=c11");
    if (have("g++")) flat_reads("g++ -std=c++17 -x c++");
    snprintf(command, sizeof command, "rm -rf %s/dist-reader", folder);
    ck_assert_int_eq(shell(command), 0);
}
END_TEST

/* ---- installed tables are found by name: a library of its own, built for this folder ---- */

START_TEST(data_folder)
{
    char command[4096];
    if (!have("cc")) return;
    snprintf(command, sizeof command,
             "mkdir -p '%s/in st/share/cgctab/tables' && cp %s '%s/in st/share/cgctab/tables' && "
             "make -s -C %s BUILD=%s/own PREFIX='%s/in st' CFLAGS=-O0 %s/own/examples/evaluate "
             ">%s/plan && "
             "cd %s && unset CGCTAB_DATA_PATH && own/examples/evaluate small " POINT
             " | grep -q '" VALUE "' && own/examples/evaluate small.cgct@0 " POINT
             " | grep -q '" VALUE "' && ! own/examples/evaluate tiny " POINT " 2>message && "
             "grep -q \"tiny: no such file here.*$PWD/in st/share/cgctab/tables\" message",
             folder, GOLDEN_SMALL, folder, TOP, folder, folder, folder, folder, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
    snprintf(command, sizeof command, "rm -rf %s/own '%s/in st'", folder, folder);
    ck_assert_int_eq(shell(command), 0);
}
END_TEST

/* ---- flags of the user's that change arithmetic do not reach the programs ---- */

START_TEST(exact_flags)
{
    char command[4096];
    snprintf(command, sizeof command,
             "make -n -C %s BUILD=%s/fast CC=gcc CFLAGS='-Ofast -fassociative-math' "
             "%s/fast/obj/generator/cli/main.o %s/fast/obj/reader/tool/main.o | "
             "sed -n 's/-MMD -MP//; s/ -c -o .*/ -E -dM -x c -/p' >%s/plan && "
             "grep -c -e -Ofast %s/plan | grep -qx 2 && sh %s/plan </dev/null >%s/macros && "
             "grep -q '__OPTIMIZE__ 1' %s/macros && ! grep -e FAST_MATH -e ASSOCIATIVE_MATH -e "
             "'FINITE_MATH_ONLY__ 1' %s/macros",
             TOP, folder, folder, folder, folder, folder, folder, folder, folder, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
}
END_TEST

/* ---- a machine to which libraries are brought (tests/gpu/bring.sh): shared ones, no Check ---- */

START_TEST(brought_libraries)
{
    char command[4096];
    snprintf(command, sizeof command,
             "make -n -C %s BUILD=%s/gpu DEPS=%s CUDA=0 check-gpu-run bench-gpu-run >%s/plan && "
             "grep -q -e '-o [^ ]*check_gpu .*-lzstd' %s/plan && "
             "! grep -e 'libzstd[.]a' -e '-lcheck' %s/plan",
             TOP, folder, folder, folder, folder, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
}
END_TEST

/* ---- a machine with a C compiler and make: no header is found but the project's own ---- */

START_TEST(without_zstd)
{
    char command[4096];
    snprintf(command, sizeof command,
             "make -n -C %s BUILD=%s/bare CC='gcc -nostdinc' reader >%s/plan && "
             "grep -q 'no zstd.h (libzstd-dev): built without' %s/plan && "
             "! grep -q -e CGCT_WITH_ZSTD -e inner_unpack -e 'libzstd[.]a' %s/plan",
             TOP, folder, folder, folder, folder);
    ck_assert_msg(shell(command) == 0, "%s", command);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("package");
    TCase *c = tcase_create("package");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, symbols);
    tcase_add_test(c, links_from_c);
    tcase_add_test(c, links_from_cxx);
    tcase_add_test(c, second_reader);
    tcase_add_test(c, flat_folder);
    tcase_add_test(c, data_folder);
    tcase_add_test(c, exact_flags);
    tcase_add_test(c, brought_libraries);
    tcase_add_test(c, without_zstd);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
