/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points from files and from standard input in both programs, the members of a card, and what is
 * said of the x0 of a dipole file. */
#include <math.h>

#include "command.h"
#include "run_suite.h"

#define CGCTAB BIN_DIR "/cgctab "
#define FAST " --set accuracy.tolerance=1e-3 "
#define TABLE TESTS_DIR "/golden/small.cgct "

static void works(const char *command)
{
    ck_assert_msg(command_run(&place, command) == 0, "%s: %s", command, place.output);
}

static void fails(const char *command, int status, const char *a, const char *b)
{
    command_fails(&place, command, status, a, b);
}

static void writes(const char *name, const char *text)
{
    command_write(&place, name, text);
}

/* ---- points ---- */

/* Six points of two (x,eps) in turn: two nodes, the order of the input, and the exact values. */
START_TEST(points_share_nodes)
{
    writes("p.txt", "# my points\nq k1 theta x eps\n1 2 0 1e-2 4\n0.5 1 1 1d-3 4\n\n"
                    "0.7,2,0,1e-2,4 # the first node again\r\n1 1.5 2 0.001 4\n1 2 0 0.01 4\n"
                    "0.5 0.25 3 1.0E-2 4.0\n");
    works(GENERATE "point --dipole gbw --points p.txt --exact --report" FAST ">out 2>report");
    works("grep -v '#' out | cut -d' ' -f1-5; grep -c ', eps' report");
    ck_assert_str_eq(place.output, "0.01 4 1 2 0\n0.001 4 0.5 1 1\n0.01 4 0.69999999999999996 2 0\n"
                                   "0.001 4 1 1.5 2\n0.01 4 1 2 0\n0.01 4 0.5 0.25 3\n2\n");
    works("awk '!/#/ { n++; if (/nan/ || !($11 * $11 <= 1e-8 && $13 * $13 <= 1e-8)) bad++ } "
          "END { exit bad || n != 6 }' out");
    works("sed -n '2p;6p' out | uniq | wc -l | tr -d ' '");
    ck_assert_str_eq(place.output, "1\n");
    works(GENERATE "exact --points - <p.txt | sed 1d | cut -d' ' -f6- >e; "
                   "sed 1d out | cut -d' ' -f10,12 | cmp - e");
    /* lists are the same points */
    works("printf '%s\\n' '0.01 4 1 1 0' '0.01 4 1 2 0' | " GENERATE
          "point --dipole gbw --points -" FAST ">a; " GENERATE
          "point --dipole gbw --x 0.01 --eps 4 --q 1 --k1 1,2 --theta 0" FAST "| cmp - a");
}
END_TEST

/* What one program prints the other one reads, in each form. */
START_TEST(output_is_input)
{
    static const char *const form[] = {"--error --reference", "--digits 17", "--csv"};
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 CGCTAB "eval " TABLE
                        "--x 0.01 --eps 1 --q 1,1.5 --k1 2 --theta 0.3 %s >a && " CGCTAB
                        "eval " TABLE "a %s >b && cmp a b",
                 form[i], form[i]);
        works(line);
    }
    works(GENERATE "point --dipole gbw --points a" FAST ">c && " CGCTAB "eval " TABLE
                   "c --csv | cmp - a && " GENERATE "point --dipole gbw --points - <c" FAST
                   "| cmp - c");
}
END_TEST

START_TEST(wrong_points)
{
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        {"0.01 4 1 2 0\\n0.01 4 1 2\\n",
         "standard input:2: ", "4 columns, want 5: x eps q k1 theta"},
        {"0.01 4 1 2 0\\n\\n0.01 4 -1 2 0\\n",
         "standard input:3: ", "q: -1 lies outside (0,1e3] GeV"},
        {"2 4 1 2 0\\n", "standard input:1: ", "x: 2 lies outside (0,1]"},
        {"0.01 400 1 2 0\\n", "standard input:1: ", "eps: 400 lies outside"},
        {"# a\\n0.01 4 1 2 north\\n", "standard input:2: ", "'north' is not a finite number"},
        {"# nothing\\n", "standard input: ", "no points"},
    };
    char line[512];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(line, sizeof line, "printf '%s' | " GENERATE "point --dipole gbw --points -",
                 bad[i].text);
        fails(line, 1, bad[i].where, bad[i].what);
    }
    fails(GENERATE "point --dipole gbw --points p.txt --q 1", 2, "--q: cannot go with --points",
          "--help");
    fails(GENERATE "point --dipole gbw --points p.txt", 1, "p.txt: cannot open", "No such file");
    fails("printf '0.01 1 1 2 0\\n0.01 1 50 2 0\\n' | " CGCTAB "eval " TABLE "-", 1,
          "standard input:2: ", "q = 50 lies outside of the table: 1 to 2");
    fails("printf '#\\n0.01 1.5 4 1 2 0\\n' | " CGCTAB "eval " TABLE "- --dsigma --S-perp 1", 1,
          "standard input:2: z = 1.5", "want 0 < z < 1");
    writes("p.txt", "0.01 1 1 2 0\n0.01,1,1,-2,0\n");
    fails(CGCTAB "eval " TABLE "p.txt", 1, "p.txt:2: ", "k1 = -2");
}
END_TEST

/* ---- members ---- */

/* With the axes and the accuracy of the table, not of section members. */
START_TEST(member_of_a_card)
{
    writes("m.txt", "# two dipoles\r\ncentral Q0=1  # the first\r\n\r\n"
                    "wide\tQ0=1.5 lambda=0.3d0 ; another\r\n");
    writes("m.card", "[dipole]\nmembers = m.txt\n[axes]\nx = 0.01\neps = 4\nq = 0.5,1\n"
                     "[members]\neps = 5\ntolerance = 1e-5\n[accuracy]\ntolerance = 1e-3\n");
#define POINT "point --card m.card --k1 2 --theta 0 "
    works(GENERATE POINT "--member wide >a && " GENERATE
                         "point --dipole gbw --x 0.01 --eps 4 --q 0.5,1 --k1 2 --theta 0" FAST
                         "--set dipole.Q0=1.5 --set dipole.lambda=0.3 | cmp - a");
    fails(GENERATE POINT, 2, "the card has the members of m.txt", "--member NAME");
    fails(GENERATE POINT "--member wid", 2, "m.txt: no member wid among 2", "did you mean 'wide'?");
    fails(GENERATE POINT "--member wide --dipole gbw", 2, "--dipole and --member", "give one");
    fails(GENERATE "point --dipole gbw --member wide --x 0.01", 2, "--member", "give one");
    writes("one.card", "[axes]\nx = 0.01\n");
    fails(GENERATE "point --card one.card --member wide", 2, "no members", "dipole.members");
    works(GENERATE
          "inner --card m.card --member wide --x 0.01 --eps 4 --q-max 1 --k1-max 2 -o a.cgci");
    works("grep -a -q '; --member wide' a.cgci || zstd -dc a.cgci | grep -a -q '; --member wide'");
    writes("m.txt", "central Q0=1\nwide Q0=x\n");
    fails(GENERATE POINT "--member wide", 2, "m.txt:2: member wide: dipole.Q0", "'x'");
}
END_TEST

/* ---- x0 ---- */

/* GBW at Y = 0, 0.5 and 1 under that comment. */
static void write_dipole(const char *name, const char *comment)
{
    static char text[1 << 16];
    size_t n = (size_t)snprintf(text, sizeof text, "%s\n", comment);
    for (int iY = 0; iY < 3; iY++)
        for (double r = 1e-3; r < 40; r *= 1.15) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%.1f %.17g %.17g\n", 0.5 * iY, r,
                                  -expm1(-r * r * exp(0.15 * iY) / 4));
            ck_assert_uint_lt(n, sizeof text);
        }
    writes(name, text);
}

#define DIPOLE "--dipole d.dat --x 0.005 "
static const char x0_said[] = "x0 = 0.01, from line 1 of d.dat\n";

/* Every command that reads a dipole file says which x0 it took, in one line. */
START_TEST(x0_is_said)
{
    const char *const commands[] = {
        "point " DIPOLE "--eps 4 --q 1 --k1 2 --theta 0" FAST,
        "inner " DIPOLE "--eps 4 --q-max 1 --k1-max 2 -o t.cgci" FAST,
        "tmd " DIPOLE "--q 1",
        "evolve bk.card -o e.dat --set dipole.initial=d.dat",
        "run t.card -o t.cgct",
    };
    char want[80], line[512];
    write_dipole("d.dat", "# BK solution, x0: 0.01");
    writes("bk.card", "[dipole]\nkind = bk\nrefine = 0.5\ncoupling = fixed\n[axes]\nx = 0.0098\n");
    writes("t.card", "[dipole]\nkind = table\nfile = d.dat\n[axes]\nx = 0.005\neps = 4\n"
                     "q = 0.5,0.7,1\nk_max = 3\n[table]\nlower = 12\nupper = 12\n"
                     "[accuracy]\ntolerance = 1e-3\n");
    snprintf(want, sizeof want, "cgctab-generate: %s", x0_said);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line, GENERATE "%s 2>&1 >out | grep '^cgctab-generate:'",
                 commands[i]);
        works(line);
        ck_assert_msg(!strcmp(place.output, want), "%s: %s", line, place.output);
    }
    works(GENERATE "run t.card --plan");
    snprintf(want, sizeof want, "\ndipole             %s", x0_said);
    ck_assert_msg(strstr(place.output, want) && !strstr(place.output, "cgctab-generate:"), "%s",
                  place.output);
    works(CGCTAB "get t.cgct dipole.x0");
    ck_assert_str_eq(place.output, x0_said);
    works(CGCTAB "info t.cgct | grep '^dipole.x0  *x0 = 0.01, from line 1 of d.dat$'");
    /* as do the parts of a run; --quiet silences it */
    works(GENERATE "tmd " DIPOLE "--q 1 --quiet 2>&1 >out; " GENERATE
                   "run t.card -o s.1 --shard 1/2 --quiet && " GENERATE
                   "run t.card -o s.2 --shard 2/2 --quiet && " GENERATE
                   "merge -o m.cgct s.1 s.2 --quiet && cmp m.cgct t.cgct");
    ck_assert_str_eq(place.output, "");
    /* where interpolation in Y is uncertain, a line says so */
    works(GENERATE "tmd --dipole d.dat --x 0.008 --q 1 2>&1 >out | grep -c 'between its first "
                   "rapidities, at x = 0.01 and 0.00606531;' && " GENERATE
                   "tmd --dipole d.dat --x 0.01,0.0060653066 --q 1 2>&1 >out");
    snprintf(want, sizeof want, "1\ncgctab-generate: %s", x0_said);
    ck_assert_str_eq(place.output, want);
}
END_TEST

/* An assumption is a warning; a card goes before the file; members are named together. */
START_TEST(x0_is_assumed_or_given)
{
#define TMD GENERATE "tmd --q 1 --x 0.4 --dipole "
    write_dipole("none.dat", "# Y = ln(x0/x)");
    write_dipole("d.dat", "# x0 = 0.01");
    writes("two.dat", "# x0 = 0.01\n# x0 = 0.02\n");
    works("cat none.dat >>two.dat");
    works(TMD "none.dat 2>&1 >out");
    ck_assert_str_eq(place.output,
                     "cgctab-generate: warning: x0 = 1 is assumed: line 1 of none.dat "
                     "names x0, but no number; set dipole.x0\n");
    works(TMD "d.dat --set dipole.x0=0.7 2>&1 >out");
    ck_assert_str_eq(place.output, "cgctab-generate: x0 = 0.7, from dipole.x0; line 1 of d.dat has "
                                   "0.01\n");
    fails(TMD "d.dat", 1, "d.dat: x = 0.4 lies outside its range", "; x0 = 0.01, from line 1");
    fails(TMD "two.dat", 1, "two.dat: x0 = 0.01 in line 1, but x0 = 0.02 in line 2", "dipole.x0");
    fails(TMD "bk:mve --set dipole.x0=0.01", 2, "x0 = 0.01 is for gbw and for files", "x_initial");
    write_dipole("e.dat", "# x0 = 0.01");
    writes("m.txt", "a file=d.dat\nb file=e.dat\nc file=e.dat x0=0.012\nd kind=gbw\n");
    writes("m.card", "[dipole]\nkind = table\nmembers = m.txt\n[axes]\nx = 0.005\neps = 4\n"
                     "q = 0.5,1\nk_max = 2\n[table]\nlower = 8\nupper = 8\n"
                     "[accuracy]\ntolerance = 1e-3\n");
    works(GENERATE "slurm m.card --nodes 1 -o t.cgct 2>&1 >out");
    ck_assert_str_eq(place.output,
                     "cgctab-generate: x0 = 0.01, from line 1 of d.dat (and 1 member alike); "
                     "x0 = 0.012, from dipole.x0; line 1 of e.dat has 0.01\n");
    works(GENERATE "tmd --card m.card --member b --x 0.005 --q 1 2>&1 >out");
    ck_assert_str_eq(place.output, "cgctab-generate: x0 = 0.01, from line 1 of e.dat\n");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_points");
    TCase *t = tcase_create("cli_points");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, points_share_nodes);
    tcase_add_test(t, output_is_input);
    tcase_add_test(t, wrong_points);
    tcase_add_test(t, member_of_a_card);
    tcase_add_test(t, x0_is_said);
    tcase_add_test(t, x0_is_assumed_or_given);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
