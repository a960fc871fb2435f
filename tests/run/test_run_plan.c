/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --plan says beside what a run then takes, and grids that adapt. */
#include "run_fixture.h"
#include "run_suite.h"

static void card(void)
{
    setup();
    write_file("t.card", CARD);
}

/* Sanitizers take memory of their own, several times as much. */
static void check_memory(double planned)
{
#ifdef __SANITIZE_ADDRESS__
    printf("skipped: %g MiB were planned for a program without sanitizers\n", planned);
#else
    ck_assert_double_ge(planned, said("MiB at most ") / 1.5);
    ck_assert_double_le(planned, said("MiB at most ") * 1.5);
#endif
}

/* Memory holds to a factor 1.5, the file's size to a third; the time of nodes this short only to 4
 * on a busy machine. */
START_TEST(planned)
{
    works(GENERATE "run t.card --plan && ! ls p.cgct* 2>/dev/null");
    ck_assert_ptr_nonnull(strstr(place.output, "20 nodes, 2 checks"));
    ck_assert_ptr_nonnull(strstr(place.output, "\nbounds             fewer than 32 checks do not"));
    double bytes = said("file bytes "), memory = said("memory MiB "),
           seconds = said("seconds processor ");
    works(GENERATE "run t.card -o p.cgct");
    ck_assert_double_eq_tol(bytes, said("p.cgct, "), said("p.cgct, ") / 3);
    check_memory(memory);
    ck_assert_double_ge(seconds + 0.05, said("seconds processor ") / 4);
    ck_assert_double_le(seconds - 0.05, said("seconds processor ") * 4);
}
END_TEST

/* The functions of forward dijets are most of so small a file. */
START_TEST(planned_forward)
{
    write_file("f.card", "[dipole]\nkind = mv\n[correlator]\nprocess = pa\n[axes]\nx = 0.01\n"
                         "q = 0.5,1,2,4\nk_max = 4\n[accuracy]\ntolerance = 1e-2\n[table]\n"
                         "lower = 4\nupper = 4\n[output]\nbound = 1e-5\n");
    works(GENERATE "run f.card --plan");
    const double bytes = said("file bytes ");
    works(GENERATE "run f.card -o f.cgct");
    ck_assert_double_eq_tol(bytes, said("f.cgct, "), said("f.cgct, ") / 3);
}
END_TEST

/* An evolved dipole is solved in seconds for a forecast; this equation takes minutes in a run. */
START_TEST(planned_evolution)
{
    works("timeout 60 " GENERATE "run t.card --plan --set dipole.kind=bk --set dipole.equation=t "
          "--set axes.x=1e-5,1e-2");
    ck_assert_ptr_nonnull(strstr(place.output, "nodes with changed dipoles"));
}
END_TEST

/* Of assembling the table: here most of the memory. */
START_TEST(planned_memory)
{
#define LARGE                                                                                      \
    "run t.card --set axes.x=1e-3,1e-2 --set 'axes.q=geom 0.5 1 44' --set table.lower=150 --set "  \
    "table.upper=100 "
    works(GENERATE LARGE "--set accuracy.checks=32 --plan");
    ck_assert_ptr_null(strstr(place.output, "fewer than"));
    works(GENERATE LARGE "--plan");
    double memory = said("memory MiB ");
    works(GENERATE LARGE "-o m.cgct");
    ck_assert_double_ge(said("MiB at most "), 60);
    ck_assert_double_gt(said("seconds table "), 0);
    ck_assert_double_lt(said("seconds table "), said("seconds elapsed "));
    check_memory(memory);
}
END_TEST

/* GBW beside its fall-off: coarse grids miss the points of the larger q, finer ones reach the
 * tolerance; where they do not help, the first ones are kept; what is lost to rounding is said. */
START_TEST(adapted)
{
    write_file("a.card", "[axes]\nx = 0.01\neps = 10\nq = 1,3.2\nk_max = 25\n"
                         "[table]\nlower = 3\nupper = 3\n");
    works(GENERATE "run a.card -o a.cgct --set accuracy.tolerance=1e-3");
    ck_assert_double_eq(said("missed_by_grids "), 12);
    ck_assert_double_gt(said("error_max "), 1e-3);
    works(GENERATE "run a.card -o a.cgct --set accuracy.tolerance=1e-3 --set accuracy.refine=2");
    ck_assert_double_eq(said("missed_by_grids "), 0);
    ck_assert_double_eq(said("nodes_refined "), 1);
    works(GENERATE "run a.card -o a.cgct --set accuracy.tolerance=1e-6 --set axes.q=1,9");
    ck_assert_double_ge(said("missed_by_rounding "), 6);
    ck_assert_double_eq(said("points "), 24);
}
END_TEST

/* Far more than a machine can do: an answer at once, without a sample, in little memory. */
START_TEST(absurd)
{
#define ABSURD                                                                                     \
    "run w.card --plan --set 'axes.x=geom 1e-6 1e-2 400' --set 'axes.eps=geom 0.01 100 400' "      \
    "--set 'axes.q=geom 0.01 1000 2000' "
    write_file("w.card", "[axes]\nx = 0.01\n");
    works("ulimit -v 4000000; timeout 10 " GENERATE ABSURD);
    ck_assert_ptr_nonnull(strstr(place.output, "160000 nodes"));
    ck_assert_ptr_nonnull(strstr(place.output, "samples            0: a node would take about"));
    ck_assert_double_ge(said("seconds processor "), 1e6);
    works("timeout 10 " GENERATE ABSURD "--set accuracy.tolerance=1e-10 --set inner.modes=512 "
          "--set table.lower=1024 --set table.upper=1024 --set run.memory=2");
    ck_assert_ptr_nonnull(strstr(place.output, "is 2048: take fewer q, or a larger tolerance"));
    works("timeout 10 " GENERATE "run w.card --plan --set inner.backend=direct");
    ck_assert_ptr_nonnull(strstr(place.output, "samples            0"));
    command_fails(&place, "timeout 10 " GENERATE ABSURD "--set 'axes.x=geom 1e-6 1e-2 1000000'", 2,
                  "axes.x has 1000000 and axes.eps 400 values", "take fewer values of axes.x");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_plan");
    TCase *t = tcase_create("run_plan");
    tcase_add_checked_fixture(t, card, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, planned);
    tcase_add_test(t, planned_forward);
    tcase_add_test(t, planned_evolution);
    tcase_add_test(t, planned_memory);
    tcase_add_test(t, absurd);
    tcase_add_test(t, adapted);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
