/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds of a table and the numerical error of its dipole: a file of few digits against the
 * exact values of the model that it prints.  A nucleus integrated over the impact parameter: one
 * table against the sum of tables.  Solutions that outlive an interruption. */
#include "dipole/nucleus.h"
#include "run_fixture.h"
#include "run_suite.h"

#define TOL_STORED 1e-5 /* of values in tables with output.bound = 1e-6 */

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
        char line[320];
        write_gbw("n.dat", digits);
        snprintf(line, sizeof line,
                 GENERATE "run n.card -o %d.cgct --set dipole.file=n.dat 2> log%d && " CGCTAB
                          "eval %d.cgct " POINTS "--error | grep -v '^#' > v%d",
                 digits, digits, digits, digits);
        works(line);
    }
    works("grep -q 'changed dipole; ' log6 && ! grep -q changed log12");
    works(GENERATE "exact --set dipole.lambda=0 " POINTS "| grep -v '^#' > exact");
    works("paste v6 v12 exact | awk 'function off(i) { d = $i - $(i > 10 ? i + 9 : i + 18); "
          "return d < 0 ? -d : d } "
          "{ if (/nan/) bad++; for (p = 6; p < 8; p++) { if (!(off(p) <= $(p + 2))) bad++; "
          "if (!(off(p + 9) <= $(p + 11))) bad++; if (off(p) > $(p + 11)) seen++; n++ } } "
          "END { print n, bad + 0, seen + 0; exit !(n == 120 && !bad && seen > 10) }'");
    works(CGCTAB "get 6.cgct dipole.accuracy");
    ck_assert_msg(!strncmp(place.output, "6 digits, noise of N ", 21), "%s", place.output);
    works(CGCTAB "get 6.cgct certificate.dipole_max");
    ck_assert_double_gt(strtod(place.output, NULL), 1e-2);
    ck_assert_int_ne(run(CGCTAB "get 12.cgct certificate.dipole_max"), 0);
    works(CGCTAB "get 12.cgct dipole.N | tr ';' '\n' | awk 'NR > 1 { want = 1 - exp(-$1^2/4); "
                 "d = $2/want - 1; if ((d < 0 ? -d : d) < 1e-4) good++ } "
                 "NR == 1 && ($1 != \"r\" || $2 != 0.001) { exit 1 } "
                 "END { exit !(NR == 47 && good == 46) }'");
}
END_TEST

/* Discretised as CARD, whose values mean little, but are the same for the same dipole. */
#define NUCLEUS                                                                                    \
    "[dipole]\nkind = bk\nset = mve\nrefine = 0.5\nb_nodes = 1\nnucleus = 197\n"                   \
    "[axes]\nx = 0.0099,0.01\neps = 1,2\nq = 0.5,1\nk_max = 3\n[table]\nlower = 3\nupper = 3\n"    \
    "[accuracy]\ntolerance = 1e-3\nchecks = 1\n"                                                   \
    "[inner]\nbackend = direct\ndelta_grid = uniform\ndelta_n = 20\nr_grid = uniform\n"            \
    "r_n = 24\ndelta_max = 10\nr_max = 20\ns_max = 10\ngauss_n = 12\nphi_n = 20\nmodes = 8\n"      \
    "[hankel]\ntail_nodes = 4\ntail_terms = 2\ndegree = 4\n"

/* The edge of the disc (fm), and the areas (GeV^-2) of the disc and of the protons beyond. */
static void areas_of_gold(double *edge, double area[2])
{
    const double half_sigma0 = 1.636, GeV2 = 1 / (0.1973269804 * 0.1973269804);
    nucleus n;
    ck_assert_int_eq(nucleus_init(&n, 197, NULL), CGCT_OK);
    *edge = nucleus_edge(&n, 1 / (197 * half_sigma0));
    const double beyond = nucleus_beyond(&n, *edge);
    nucleus_free(&n);
    area[0] = M_PI * *edge * *edge * GeV2;
    area[1] = 197 * half_sigma0 * beyond * GeV2;
}

/* One impact parameter, b^2 = edge^2/2, and the proton; the table of all is their mean over the
 * area at its nodes, whole or in shards. */
START_TEST(integral_over_b)
{
    double edge, area[2];
    char line[1024];
    areas_of_gold(&edge, area);
    write_file("b.card", NUCLEUS);
    works(GENERATE "run b.card --quiet -o all --set dipole.b=all");
    works(GENERATE "run b.card --quiet -o s1 --shard 1/2 --set dipole.b=all && " GENERATE
                   "run b.card --quiet -o s2 --shard 2/2 --set dipole.b=all && " GENERATE
                   "merge -o m s2 s1 --quiet && cmp m all && " CGCTAB "verify all");
    snprintf(line, sizeof line,
             GENERATE "run b.card --quiet -o p --set dipole.nucleus=1 && " GENERATE
                      "run b.card --quiet -o b --set dipole.b=%.17g",
             edge / sqrt(2));
    works(line);
    works("for f in all b p; do for q in 0.5 1; do k=$(echo $q | awk '{ print $1 / 2 }'); " CGCTAB
          "eval $f --x 0.0099,0.01 --eps 1,2 --q $q --k1 0,$k --theta 0.5,2 --digits 12 | "
          "grep -v '^#'; done > v.$f; done");
    snprintf(line, sizeof line,
             "paste v.all v.b v.p | awk 'function off(i) { return $i / ((%.17g * $(i + 7) + "
             "%.17g * $(i + 14)) / %.17g) - 1 } { if (/nan/) bad++; for (i = 6; i < 8; i++) { "
             "d = off(i); if (!(d * d <= %g^2)) bad++; n++ } } END { print n, bad + 0; exit bad || "
             "n != 64 }'",
             area[0], area[1], area[0] + area[1], TOL_STORED);
    works(line);
    works(CGCTAB "get all S_perp");
    CHECK_REL(strtod(place.output, NULL), area[0] + area[1], 1e-9);
    works(CGCTAB "get p S_perp"); /* sigma0/2 of mve, 16.36 mb */
    CHECK_REL(strtod(place.output, NULL), 1.636 / (0.1973269804 * 0.1973269804), 1e-8);
    ck_assert_int_ne(run(CGCTAB "get b S_perp"), 0);
    works(CGCTAB "get all certificate.dipole_max && " CGCTAB "get all certificate.outside");
    command_fails(&place, GENERATE "run b.card -o a", 2, "needs an impact parameter", "all");
    command_fails(&place, GENERATE "run b.card -o a --set dipole.b=all --set dipole.S_perp=100", 2,
                  "dipole.S_perp = 100", "leave S_perp out");
    command_fails(&place, GENERATE "evolve b.card -o n --set dipole.b=all", 2, "integrated over b",
                  "set dipole.b");
}
END_TEST

/* A killed run has kept its first solution; the next one adds the second, solves neither again,
 * and makes the same table as without a cache.  What is damaged is named and replaced. */
START_TEST(solutions_are_kept)
{
#define CACHED "env -u CGCTAB_NO_CACHE XDG_CACHE_HOME=$PWD/cache " GENERATE
#define RUN(name) "run b.card --quiet --set dipole.b=all -o " name
    write_file("b.card", NUCLEUS);
    works(GENERATE RUN("whole") "; ! ls whole.* && ! test -e cache");
    run("(exec " CACHED RUN(
        "k") ") & pid=$!; "
             "until ls cache/cgctab 2> ls.log | grep -q '^bk-[0-9a-f]*$' || ! kill -0 $pid; do "
             "sleep 0.01; done; "
             "kill -9 $pid; wait $pid");
    works("! test -e k && rm -f cache/cgctab/*.part* && test $(ls cache/cgctab | wc -l) -eq 1 && "
          "first=$(ls cache/cgctab) && cp cache/cgctab/$first before && " CACHED RUN(
              "k") " && cmp k whole && ! ls k.* && test $(ls cache/cgctab | wc -l) -eq 2 && "
                   "cmp before cache/cgctab/$first");
    works("mkdir a b && for d in a b; do (cd $d && cp ../b.card . && env -u CGCTAB_NO_CACHE "
          "XDG_CACHE_HOME=$PWD/../both " GENERATE RUN(
              "t") ") & done; wait; "
                   "cmp a/t whole && cmp b/t whole && test $(ls both/cgctab | wc -l) -eq 2");
    works("for f in cache/cgctab/*; do printf x | dd of=$f bs=1 seek=5000 conv=notrunc 2> dd.log; "
          "done; " CACHED RUN("again") " 2> said && cmp again whole && test $(wc -l < said) -eq 2 "
                                       "&& grep -q 'bk-.* is damaged' said && " CACHED RUN(
                                           "again") " 2> said && ! test -s said");
    works("diff -r cache both");
}
END_TEST

/* The one that was not used for the longest time is removed; what is not ours stays.  No home, a
 * folder that cannot be made and --no-cache are no failures. */
START_TEST(cache_is_bounded)
{
#define EVOLVE(cache)                                                                              \
    "env -u CGCTAB_NO_CACHE " cache " " GENERATE                                                   \
    "evolve --dipole bk:mve --set axes.x=0.0099 --set dipole.refine=0.5 --report"
    works("mkdir -p c/cgctab && cd c/cgctab && truncate -s 200M bk-old bk-new other && "
          "touch -d 2001-01-01 bk-old && touch -d 2002-02-02 bk-new");
    works(EVOLVE(
        "XDG_CACHE_HOME=$PWD/c") " > first && cd c/cgctab && ! test -e bk-old && "
                                 "test -e bk-new && test -e other && test $(ls | wc -l) -eq 3");
    works("touch -d 2003-03-03 c/cgctab/bk-[0-9a-f]*; " EVOLVE(
        "XDG_CACHE_HOME=$PWD/c") " > second && grep -v solved first > a.txt && grep -v solved "
                                 "second | cmp - a.txt && "
                                 "find c/cgctab -newermt 2020-01-01 -name 'bk-[0-9a-f]*' | grep -q "
                                 ".");
    works(EVOLVE("-u HOME -u XDG_CACHE_HOME") " > x 2> said && ! test -s said");
    works(
        "printf x > file && " EVOLVE("XDG_CACHE_HOME=$PWD/file") " > x 2> said && ! test -s said");
    works(EVOLVE("XDG_CACHE_HOME=$PWD/none") " --no-cache > x && ! test -e none");
    works(EVOLVE("XDG_CACHE_HOME=$PWD/none CGCTAB_NO_CACHE=1") " > x && ! test -e none");
    works(EVOLVE("-u XDG_CACHE_HOME HOME=$PWD/h") " > x && ls h/.cache/cgctab/bk-*");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_dipole");
    TCase *t = tcase_create("run_dipole");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 600);
    tcase_add_test(t, noise_is_in_the_bounds);
    tcase_add_test(t, integral_over_b);
    tcase_add_test(t, solutions_are_kept);
    tcase_add_test(t, cache_is_bounded);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
