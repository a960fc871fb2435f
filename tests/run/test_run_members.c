/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a table from few nodes: the same as from all nodes where these are the same, near
 * direct values elsewhere, with bounds that hold; interrupted, divided and refused like other runs.
 */
#include "run_fixture.h"
#include "run_suite.h"

#define COARSE "--set dipole.members=e.txt --set members.x=1e-3,1e-2 --set members.eps=1,4 "

static void ensemble(void)
{
    setup();
    write_file("t.card", CARD);
    write_file("e.txt", "a Q0=1\nb Q0=1.1 lambda=0.3\nc Q0=1.2\n");
}

/* Values of two tables at one place: columns 6 and 7 of the first, 13 and 14 of the second. */
#define PASTE(a, b)                                                                                \
    "for f in " a " " b "; do " CGCTAB "eval $f --x 0.002 --eps 2.5 --q 0.7 --k1 1.2 --theta 1 "   \
    "--error | tail -n 1 > v.$f; done; paste v." a " v." b                                         \
    " | awk 'function d(a, b) { return a > b ? a / b - 1 : b / a - 1 } "

/* Two routes: members at the nodes of the table, six or fewer on each axis, are interpolated as the
 * table is, and what is left is the rounding of r_m in records, 6e-8, and that of the file.  Bounds
 * are wider, and the members differ. */
START_TEST(axes_of_the_table)
{
    write_file("p.card", "[axes]\nx = 1e-3,1e-2\neps = cheb 2 4 3\nq = 0.5,1\nk_max = 2\n"
                         "[accuracy]\ntolerance = 1e-4\nchecks = 2\n"
                         "[table]\nlower = 3\nupper = 3\n");
    works("O='--quiet --set dipole.members=e.txt --set output.bound=3e-8 --set table.reduce=0'; "
          "for i in 1 2 3; do " GENERATE "run p.card -o s$i --shard $i/3 $O --set members.q=0.5,1 "
          "|| exit 1; done; " GENERATE "merge -o m.cgct s3 s1 s2 --quiet; " GENERATE
          "run p.card -o all.cgct $O; " CGCTAB "verify m.cgct");
    works(PASTE("all.cgct@a", "m.cgct@a") "{ exit !(d($6, $15) < 1e-7 && d($7, $16) < 1e-7) }'");
    works(PASTE("all.cgct@b", "m.cgct@b") "{ exit !(d($6, $15) < 3e-7 && d($7, $16) < 3e-7 && "
                                          "$17 > $8) }'");
    works(PASTE("all.cgct@c", "m.cgct@c") "{ exit !(d($6, $15) < 3e-7 && d($7, $16) < 3e-7) }'");
    works(PASTE("all.cgct@b", "all.cgct@c") "{ exit !(d($6, $15) > 1e-2) }'");
}
END_TEST

START_TEST(same_bytes)
{
    works(GENERATE "run t.card --quiet -o one.cgct -j 1 " COARSE "--set members.checks=2");
    works(GENERATE "run t.card --quiet -o two.cgct -j 2 " COARSE
                   "--set members.checks=2 && cmp one.cgct two.cgct; for i in 1 2 3; do " GENERATE
                   "run t.card --quiet -o s$i --shard $i/3 " COARSE
                   "--set members.checks=2 || exit 1; done; rm t.card e.txt; " GENERATE
                   "merge -o m.cgct s2 s1 s3 --quiet && cmp m.cgct one.cgct");
}
END_TEST

START_TEST(continued)
{
    works("sed -i 's/^\\[accuracy\\]/[dipole]\\nmembers = e.txt\\n[members]\\nx = 1e-3,1e-2\\n"
          "eps = 1,4\\nchecks = 2\\n[accuracy]/' t.card; " GENERATE
          "run t.card --quiet -o want.cgct");
    begun("k.cgct");
    works(GENERATE "run t.card --json-progress -o k.cgct 2>/dev/null && cmp k.cgct want.cgct");
    ck_assert_ptr_nonnull(strstr(place.output, "{\"event\":\"member\""));
    works(GENERATE "run t.card --plan");
    ck_assert_double_eq(said("to compute "), 20);
    ck_assert_ptr_nonnull(strstr(place.output, "4 checks"));
    ck_assert_ptr_nonnull(strstr(place.output, "12 coarse nodes"));
}
END_TEST

/* Members that differ by a few per cent, from few momenta: the checks, computed with the settings
 * of the table, find them within their bounds and near to direct values, nearer than linear
 * interpolation would be; and so does a program that knows no table. */
START_TEST(direct_values)
{
    write_file("m.txt", "centre set=mv\na Qs0sq=0.11\nb gamma=1.02\nc Qs0sq=0.1 gamma=1.01\n");
    write_file("m.card", "[dipole]\nkind = mv\nmembers = m.txt\n"
                         "[axes]\neps = cheb 4 8 5\nq = geom 1 4 10\nk_max = 4\n"
                         "[members]\neps = 4,4.5,5,5.7,6.4,7.2,8\nq = geom 1 4 5\nlower = 10\n"
                         "upper = 8\n"
                         "tolerance = 1e-3\nchecks = 3\n"
                         "[table]\nlower = 20\nupper = 16\norder_q = 6\norder_v = 6\n"
                         "[accuracy]\ntolerance = 1e-3\nchecks = 1\n[output]\nbound = 1e-5\n");
    works(GENERATE "run m.card -o m.cgct");
    ck_assert_double_eq(said("members.nodes "), 28);
    ck_assert_double_eq(said("members.points "), 7200);
    ck_assert_double_le(said("members.factor "), 2);
    ck_assert_double_le(said("members.outside "), 3e-4 * said("members.resolved "));
    ck_assert_double_le(said("members.resolved_median "), 4e-4);
    ck_assert_double_gt(said("members.resolved_median "), 0);
    works("for m in 'a Qs0sq=0.11' 'b gamma=1.02' 'c Qs0sq=0.1 gamma=1.01' 'centre set=mv'; do set "
          "-- $m; "
          "P='--x 0.01 --eps 5 --q 2.2 --k1 1.7 --theta 0.7,2'; " GENERATE
          "point --card m.card --set dipole.members= --set members.eps= --set members.q= --set "
          "members.checks=0 ${2:+--set dipole.$2} ${3:+--set dipole.$3} $P | tail -n 2 > "
          "direct; " CGCTAB "eval m.cgct@$1 $P --error | tail -n 2 | paste direct - | "
          "awk 'function off(a, b) { return a > b ? a - b : b - a } "
          "!(off($6, $15) <= $7 + $17 && off($8, $16) <= $9 + $18 && off($6, $15) < 2e-3 * $6) "
          "{ print; bad = 1 } END { exit bad || NR != 2 }' || exit 1; done");
}
END_TEST

/* Seven x of members in two panels are seven nodes in a row, at the joint, too: values between them
 * are near direct ones, which those of the first member are not.  In ln x, and as for a dipole that
 * evolves from an x on. */
START_TEST(panels_in_x)
{
    char card[512];
    const char *from = _i ? " from 0.011" : "";
    write_file("f.txt", "a Q0=1\nb Q0=1.1 lambda=0.3\n");
    snprintf(card, sizeof card,
             "[dipole]\nmembers = f.txt\n"
             "[axes]\nx = cheb 1e-3 1e-2 6%s\neps = 4\nq = geom 0.5 1 6\nk_max = 2\n"
             "[members]\nx = cheb 1e-3 3e-3 1e-2 4%s\n"
             "[accuracy]\ntolerance = 1e-3\n[table]\nlower = 12\nupper = 10\n",
             from, from);
    write_file("p.card", card);
    works(GENERATE "run p.card --quiet -o p.cgct");
    works("P='--x 1.2e-3,2.9e-3,3e-3,3.2e-3,8e-3 --eps 4 --q 0.8 --k1 0.9 --theta 0.7,2'; " GENERATE
          "point --card p.card --set members.x= --member b $P | tail -n 10 > direct; " CGCTAB
          "eval p.cgct@b $P --error | tail -n 10 > b; " CGCTAB
          "eval p.cgct $P | tail -n 10 > first; paste direct b first | "
          "awk 'function off(a, b) { return a > b ? a - b : b - a } "
          "!(off($6, $15) <= $7 + $17 && off($8, $16) <= $9 + $18 && off($6, $15) < 1e-3 * $6 && "
          "off($6, $24) > 0.05 * $6) { print; bad = 1 } END { exit bad || NR != 10 }'");
}
END_TEST

/* Each member's own area. */
START_TEST(areas)
{
    write_file("s.txt", "a\nb S_perp=60\n");
    write_file("s.card",
               "[dipole]\nS_perp = 40\nmembers = s.txt\n[axes]\nq = geom 1 3 4\n"
               "k_max = 3\n[accuracy]\ntolerance = 1e-2\n[table]\nlower = 6\nupper = 6\n");
    works(GENERATE "run s.card --quiet -o s.cgct && " CGCTAB "get s.cgct S_perp.a && " CGCTAB
                   "get s.cgct S_perp.b");
    ck_assert_str_eq(place.output, "40\n60\n");
}
END_TEST

START_TEST(refused)
{
    command_fails(&place,
                  GENERATE "run t.card -o a --set dipole.members=e.txt --set members.eps=1.5", 2,
                  "members.eps from 1.5 to 1.5", "axes.eps from 1 to 4");
    command_fails(&place,
                  GENERATE "run t.card -o a --set dipole.members=e.txt --set "
                           "'members.eps=geom 1 4 33'",
                  2, "members.eps has 33 values", "at most 32");
    command_fails(&place, GENERATE "run t.card -o a " COARSE "--set members.lower=1", 2,
                  "members.lower = 1", "2 and more");
    command_fails(&place, GENERATE "run t.card -o a --set members.checks=1", 2,
                  "members.checks = 1", "members.x");
    command_fails(&place, GENERATE "run t.card -o a --set axes.x=", 2, "axes.x",
                  "not a finite number");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_members");
    TCase *t = tcase_create("run_members");
    tcase_add_checked_fixture(t, ensemble, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, axes_of_the_table);
    tcase_add_test(t, same_bytes);
    tcase_add_test(t, continued);
    tcase_add_test(t, direct_values);
    tcase_add_loop_test(t, panels_in_x, 0, 2);
    tcase_add_test(t, areas);
    tcase_add_test(t, refused);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
