/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of run_checks.sh: what passes, fails and is skipped; what check-gpu does, on the
 * processor. */
#include "run_fixture.h"
#include "run_suite.h"

#define SUMS TESTS_DIR "/run_checks.sh ./test_a ./test_b"

static void program(const char *name, const char *lines)
{
    char line[256];
    command_write(&place, name, lines);
    snprintf(line, sizeof line, "chmod +x %s", name);
    ck_assert_int_eq(command_run(&place, line), 0);
}

static void programs(void)
{
    setup();
    program("test_a", "#!/bin/sh\necho 'skipped: no gnuplot'\necho 'skipped: no gnuplot'\n"
                      "echo '100%: Checks: 5, Failures: 0, Errors: 0'\n");
    program("test_b", "#!/bin/sh\necho 'a word that was skipped: none'\necho 'skipped: no zsh'\n"
                      "echo '50%: Checks: 4, Failures: 1, Errors: 1'\nexit 1\n");
}

static void prints(const char *text)
{
    ck_assert_msg(strstr(place.output, text) != NULL, "'%s' is not in %s", text, place.output);
}

START_TEST(counted_and_named)
{
    ck_assert_int_eq(command_run(&place, "CHECK_NEEDS= bash " SUMS), 1);
    prints("skipped: test_a: no gnuplot (2)\nskipped: test_b: no zsh (1)\n"
           "4 passed, 2 failed, 3 skipped\n");
    ck_assert_int_eq(command_run(&place, "CHECK_NEEDS= bash " TESTS_DIR "/run_checks.sh ./test_a"),
                     0);
    prints("3 passed, 0 failed, 2 skipped\n");
}
END_TEST

/* Two at once, in their order; one that dies without a word has failed. */
START_TEST(at_once)
{
    program("test_a", "#!/bin/sh\ni=0; until [ -e b ]; do sleep 0.05; i=$((i + 1)); "
                      "[ $i -lt 400 ] || exit 1; done\n"
                      "echo '100%: Checks: 5, Failures: 0, Errors: 0'\n");
    program("test_b", "#!/bin/sh\ntouch b\nkill -9 $$\n");
    ck_assert_int_eq(command_run(&place, "CHECK_JOBS=2 bash " SUMS), 1);
    prints("  1/2 test_a                   100%: Checks: 5, Failures: 0, Errors: 0 (");
    prints("  2/2 test_b                   no summary, exit status 137 (");
    prints("5 passed, 1 failed, 0 skipped\n");
}
END_TEST

START_TEST(needed_tool)
{
    ck_assert_int_eq(
        command_run(&place, "CHECK_NEEDS='python3 zsh' bash " TESTS_DIR "/run_checks.sh ./test_a"),
        0);
    ck_assert_int_eq(command_run(&place, "CHECK_NEEDS='python3 gnuplot' bash " SUMS), 1);
    prints("    gnuplot is needed here (CHECK_NEEDS), but test_a did not find it\n");
    prints("4 passed, 4 failed, 1 skipped\n");
}
END_TEST

/* ---- check-gpu ---- */

/* Whole runs; then with a program that computes something else wherever bytes are compared. */
START_TEST(runs_of_a_builder)
{
    write_file("c.card", CARD);
    works("sed -i 's/^x = .*/x = 1e-3,1e-2/' c.card");
    works("bash " TESTS_DIR "/gpu/check_run.sh " BIN_DIR " direct c.card");
    prints("ok     run killed in its middle\n");
    prints("\n8 passed, 0 failed\n");
    works("mkdir bin");
    program("bin/cgctab-generate",
            "#!/bin/sh\ncase \"$*\" in\n"
            "*again.cgct* | *'1/2'*) set -- \"$@\" --set axes.k_max=2.9 ;;\n"
            "*killed.cgct*) [ ! -e killed.cgct.nodes ] || set -- \"$@\" --restart ;;\n"
            "*.so*) set -- \"$@\" --modes 5 ;;\nesac\nexec " GENERATE "\"$@\"\n");
    ck_assert_int_eq(run("bash " TESTS_DIR "/gpu/check_run.sh bin direct c.card"), 1);
    prints("FAILED run again");
    prints("FAILED run resumed");
    prints("FAILED run in two shards");
    prints("FAILED three momenta: a complex text");
    prints("\n3 passed, 5 failed\n");
}
END_TEST

/* Without a program that could run, everything of check_run.sh fails. */
START_TEST(sums_of_check_gpu)
{
#define CHECK_GPU "mkdir -p none; bash " TESTS_DIR "/gpu/check.sh ./test_a none"
    program("test_a", "#!/bin/sh\necho GPU $CUDA_VISIBLE_DEVICES\necho '3 passed, 2 failed'\n");
    ck_assert_int_eq(run("export CUDA_VISIBLE_DEVICES=4,7; " CHECK_GPU " 1"), 1);
    prints("GPU 7\n");
    prints("\ncheck-gpu: 3 passed, 10 failed\n");
    program("test_a", "#!/bin/sh\nkill -9 $$\n");
    ck_assert_int_eq(run(CHECK_GPU), 1);
    prints("\ncheck-gpu: 0 passed, 9 failed\n");
    program("test_a", "#!/bin/sh\necho 'check-gpu: skipped, no GPU'\n");
    works(CHECK_GPU);
    ck_assert_str_eq(place.output, "check-gpu: skipped, no GPU\n");
}
END_TEST

/* The whole program under three tools, its small cases under the fourth, until there is no more. */
START_TEST(sanitizer)
{
#define SANITIZER "PATH=$PWD:$PATH sh " TESTS_DIR "/gpu/sanitizer.sh ./test_a 1"
    program("compute-sanitizer", "#!/bin/sh\nshift 4\nexec \"$@\"\n");
    program("test_a", "#!/bin/sh\necho \"run $*\"\n[ \"${2-0}\" -lt 2 ] || exit 77\n");
    works(SANITIZER);
    ck_assert_str_eq(place.output, "== memcheck\nrun 1\n== initcheck\nrun 1\n== synccheck\nrun 1\n"
                                   "== racecheck\nrun 1 0\nrun 1 1\nrun 1 2\n");
    program("test_a", "#!/bin/sh\n[ $# -eq 1 ] || exit 3\n");
    ck_assert_int_eq(run(SANITIZER), 1);
    program("test_a", "#!/bin/sh\n[ $# -eq 1 ] && exit 3 || exit 77\n");
    ck_assert_int_eq(run(SANITIZER), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_checks");
    TCase *c = tcase_create("run_checks");
    tcase_add_checked_fixture(c, programs, teardown);
    tcase_add_test(c, counted_and_named);
    tcase_add_test(c, at_once);
    tcase_add_test(c, needed_tool);
    tcase_add_test(c, runs_of_a_builder);
    tcase_add_test(c, sums_of_check_gpu);
    tcase_add_test(c, sanitizer);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
