/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dipoles as a user meets them: files with noise, an evolution that is interrupted, pictures. */
#include <math.h>

#include "command.h"
#include "have.h"
#include "run_suite.h"

#define TINY_BK "[dipole]\nkind = bk\nset = mve\nrefine = 0.5\n[axes]\nx = 0.009\n"

static void works(const char *command)
{
    ck_assert_msg(command_run(&place, command) == 0, "%s: %s", command, place.output);
}

/* Interrupted while it solves and while it writes: no file, or the whole one. */
START_TEST(evolve_interrupted)
{
    command_write(&place, "cut.card", TINY_BK);
    static const char *const names[] = {"INT", "TERM", "HUP", "KILL"};
    for (int i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "timeout -s %s 0.2 " GENERATE "evolve cut.card -o cut.dat",
                 names[i]);
        ck_assert_int_ne(command_run(&place, line), 0);
        ck_assert_int_ne(command_run(&place, "ls cut.dat*"), 0);
    }
    works(GENERATE "evolve cut.card -o cut.dat --step 0.01 & p=$!; "
                   "until ls cut.dat* >l 2>&1; do :; done; kill -TERM $p; wait $p || true");
    works("set -- cut.dat*; test \"$*\" = 'cut.dat*' || "
          "test \"$* $(grep -vc '#' cut.dat)\" = 'cut.dat 4800'");
}
END_TEST

/* A file of the evolution is the evolution, also where it has just begun: there -ln S bends at r
 * where S hardly matters itself. */
START_TEST(file_of_an_evolution)
{
#define WHERE " --x 0.00818730753077982 --eps 1 --q 1 --k1 2 --theta 1"
    works(GENERATE "evolve --dipole bk:mve --set axes.x=0.008 -o e.dat --quiet");
    works("for d in e.dat bk:mve; do " GENERATE "point --dipole $d" WHERE
          " 2>/dev/null | awk '!/#/ { print $6 }'; done");
    double I[2];
    ck_assert_int_eq(sscanf(place.output, "%lf %lf", &I[0], &I[1]), 2);
    ck_assert_msg(fabs(I[0] / I[1] - 1) < 2e-4, "%s", place.output);
}
END_TEST

/* MV^e with so many significant digits. */
static void write_mve(const char *name, int digits)
{
    static char text[1 << 16];
    size_t n = 0;
    for (double r = 1e-5; r < 100; r *= 1.03) {
        const double Gamma = 0.06 * r * r / 4 * log(1 / (r * 0.241) + 18.9 * exp(1));
        n += (size_t)snprintf(text + n, sizeof text - n, "%.17g %.*e\n", r, digits - 1,
                              -expm1(-Gamma));
        ck_assert_uint_lt(n, sizeof text);
    }
    command_write(&place, name, text);
}

/* I_T and its bound at q = 1 and 2 GeV; warnings go to the file `warning`. */
static void point_at(const char *dipole, double I[2], double bound[2])
{
    char line[256];
    snprintf(line, sizeof line,
             GENERATE "point --dipole %s --x 0.01 --eps 4 --q 1,2 --k1 3 --theta 1 "
                      "--set accuracy.tolerance=1e-3 2>warning | awk '!/#/ { print $6, $7 }'",
             dipole);
    works(line);
    ck_assert_int_eq(sscanf(place.output, "%lf %lf %lf %lf", I, bound, I + 1, bound + 1), 4);
    works("cat warning");
}

/* A file with six digits: a line that says so, and bounds that hold against the model, which those
 * of the computation alone do not; with twelve digits neither. */
START_TEST(noise_of_a_file)
{
    double model[2], file[2], own[2], bound[2];
    point_at("mv:mve", model, own);
    write_mve("mve.dat", 12);
    point_at("mve.dat", file, bound);
    ck_assert_str_eq(place.output, "");
    for (int i = 0; i < 2; i++) ck_assert(bound[i] < 1e-3 * file[i]);
    write_mve("mve.dat", 6);
    point_at("mve.dat", file, bound);
    const char *begin = "cgctab-generate: warning: mve.dat: 6 digits, noise of N ";
    ck_assert_msg(!strncmp(place.output, begin, strlen(begin)) &&
                      strstr(place.output, "with dipole.smooth = 0.") &&
                      strchr(place.output, '\n') == place.output + strlen(place.output) - 1,
                  "%s", place.output);
    for (int i = 0; i < 2; i++) {
        const double off = fabs(file[i] - model[i]);
        ck_assert_msg(off < bound[i] && off > own[i], "%g off: bounds %g, %g", off, bound[i],
                      own[i]);
    }
}
END_TEST

/* The data of the picture: N and Qs of GBW in closed form. */
START_TEST(picture_of_a_dipole)
{
    command_fails(&place, GENERATE "plot -o p --dipole gbw --x 0.01", 2, "no picture ''",
                  "plot dipole");
    command_fails(&place, GENERATE "plot inner -o p --dipole gbw --x 0.01", 2, "'inner'",
                  "plot dipole");
    command_fails(&place, GENERATE "plot dipole --dipole gbw --x 0.01", 2, "-o DIR", "folder");
    command_fails(&place, GENERATE "plot dipole -o p --x 0.01", 2, "--dipole", "--card");
    command_fails(&place, GENERATE "plot dipole -o p --dipole gbw", 2, "--x", "missing");
    command_fails(&place, GENERATE "plot dipole -o p --dipole none.dat --x 0.01", 1, "none.dat",
                  "cannot open");
    works(GENERATE "plot dipole -o p --dipole gbw --x 1e-2,1e-4");
    works("grep -c . p/dipole.dat; grep '^#' p/dipole.dat");
    ck_assert_str_eq(place.output, "644\n# x = 0.01: r (1/GeV), N\n# x = 0.0001: r (1/GeV), N\n"
                                   "# x, Qs (GeV)\n");
    works("awk '/^# x/ { x = $4; Q2 = (3.04e-4 / x)^0.288 } /Qs/ { last = 1 } "
          "NF == 2 { want = last ? (3.04e-4 / $1)^0.144 : 1 - exp(-$1 * $1 * Q2 / 4); n++; "
          "d = $2 - want; if (/nan/ || !(d * d <= 1e-18)) bad++ } END { exit bad || n != 641 }' "
          "p/dipole.dat");
    works("grep -q \"^subject = 'gbw Q0\" p/dipole.gp");
    if (have("gnuplot")) works("test -s p/dipole.png");
    command_write(&place, "gnuplot", "#!/bin/sh\ncat > got\necho oops >&2\nexit 1\n");
    command_fails(&place,
                  "chmod +x gnuplot; PATH=$PWD:$PATH " GENERATE "plot dipole -o p --dipole gbw "
                  "--x 0.01",
                  1, "p/dipole.gp: gnuplot: oops", "");
    works("cmp p/got p/dipole.gp");
}
END_TEST

/* bash makes words of their own of ':' and '='. */
START_TEST(completion_of_models)
{
    if (!have("bash")) return;
    command_write(&place, "proton.dat", "");
    command_write(&place, "ens.card", "[dipole]\nmembers = ens.txt ; two\n");
    command_write(&place, "ens.txt", "# names\ncentral set=mv\n  steep\tset=mve\n");
    command_write(
        &place, "script",
        "PATH=" BIN_DIR ":$PATH\n"
        ". " TESTS_DIR "/../format/cgctab.bash\n"
        "is() { want=$1; shift; COMP_WORDS=(cgctab-generate point \"$@\")\n"
        "    COMP_CWORD=$(($# + 1)); _cgctab\n"
        "    [ \"${COMPREPLY[*]}\" = \"$want\" ] || { echo \"${COMPREPLY[*]}\"; exit 1; }; }\n"
        "is 'gbw' --dipole g\n"
        "is 'mv mv:mv mv:mve mv:mvgamma' --dipole m\n"
        "is 'mve' --dipole bk : mve\n"
        "is 'bayes4 bayes4median' --dipole = bk : bayes4\n"
        "is 'mv mve mvgamma' --dipole mv :\n"
        "is 'proton.dat' --dipole p\n"
        "is '--dipole' --x 0.1 --dip\n"
        "is 'central steep' --card ens.card --member ''\n"
        "is 'steep' --card ens.card --member s\n");
    works("bash script");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_dipole");
    TCase *t = tcase_create("cli_dipole");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, evolve_interrupted);
    tcase_add_test(t, file_of_an_evolution);
    tcase_add_test(t, noise_of_a_file);
    tcase_add_test(t, completion_of_models);
    tcase_add_test(t, picture_of_a_dipole);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
