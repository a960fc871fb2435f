/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two programs as a user meets them: exit status, output and the one line of each failure. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "run_suite.h"

#ifndef BIN_DIR
#define BIN_DIR "build/bin"
#endif
#define GENERATE BIN_DIR "/cgctab-generate "
#define CGCTAB BIN_DIR "/cgctab "
#define POINT "point --dipole gbw --x 0.01 --eps 4 --q 1 --k1 2 --theta 0 "

static char folder[] = "/tmp/cgct_cli_XXXXXX"; /* working directory of all commands */
static char output[1 << 16];                   /* of the last command */

/* Runs a command line in the folder; its exit status, or 128 + signal; output: what it printed. */
static int run(const char *command)
{
    char line[4096];
    int n = snprintf(line, sizeof line, "cd %s && { %s ; } 2>&1 </dev/null", folder, command);
    ck_assert_int_lt(n, (int)sizeof line);
    FILE *f = popen(line, "r");
    ck_assert_ptr_nonnull(f);
    output[fread(output, 1, sizeof output - 1, f)] = 0;
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Fails with the status, in one line that starts with the program and contains both strings. */
static void fails(const char *command, int want, const char *a, const char *b)
{
    int got = run(command);
    const char *line_end = strchr(output, '\n');
    ck_assert_msg(got == want, "%s: status %d, want %d: %s", command, got, want, output);
    ck_assert_msg(!strncmp(output, "cgctab", 6), "%s: does not name the program: %s", command,
                  output);
    ck_assert_msg(line_end && !line_end[1], "%s: not one line: %s", command, output);
    ck_assert_msg(strstr(output, a) && strstr(output, b), "%s: <%s>, want <%s> and <%s>", command,
                  output, a, b);
}

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

/* Columns Y r N of N = 1 - exp(-r^2 (1+Y)/4), at Y = 0 and 1: x = 1 and 1/e. */
static void write_dipole(const char *name, double r_max)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (int iY = 0; iY < 2; iY++)
        for (double r = 1e-4; r < r_max; r *= 1.1)
            fprintf(f, "%d %.17g %.17g\n", iY, r, -expm1(-r * r * (1 + iY) / 4));
    fclose(f);
}

START_TEST(help_and_version)
{
    const char *ask[] = {"--help",       "help",         "help run",       "run --help",
                         "point --help", "exact --help", "backends --help"};
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) {
        char line[256];
        snprintf(line, sizeof line, GENERATE "%s", ask[i]);
        ck_assert_msg(run(line) == 0 && strstr(output, "Usage: cgctab-generate"), "%s: %s", ask[i],
                      output);
    }
    const char *version[] = {GENERATE "--version", GENERATE "point --version", CGCTAB "--version"};
    for (size_t i = 0; i < sizeof version / sizeof *version; i++) {
        int major;
        ck_assert_int_eq(run(version[i]), 0);
        ck_assert_msg(sscanf(strpbrk(output, "0123456789"), "%d.", &major) == 1, "%s", output);
    }
    ck_assert_int_eq(run(GENERATE "backends"), 0);
    ck_assert_msg(strstr(output, "separable") && strstr(output, "\ndevice"), "%s", output);
}
END_TEST

/* The keys of a card, in the guide and in reference.card, are those of the program: otherwise run
 * `make reference`. */
START_TEST(reference_is_current)
{
    int status = run("cp " TESTS_DIR "/../generator/GUIDE.md guide.md && bash " TESTS_DIR
                     "/../tables/reference.sh " BIN_DIR " reference.card guide.md && "
                     "grep -c '^| `.*\\..*` |' guide.md && diff " TESTS_DIR
                     "/../generator/GUIDE.md guide.md && diff " TESTS_DIR
                     "/../tables/reference.card reference.card");
    ck_assert_msg(status == 0, "%s", output);
    ck_assert_int_gt(atoi(output), 50);
}
END_TEST

START_TEST(wrong_usage)
{
    ck_assert_int_eq(run(GENERATE), 2);
    ck_assert_msg(strstr(output, "Three commands to try") != NULL, "%s", output);
    fails(GENERATE "pont", 2, "pont; did you mean 'point'?", "try 'cgctab-generate --help'");
    fails(GENERATE "help pont", 2, "pont", "--help");
    fails(GENERATE POINT "--bogus 3", 2, "--bogus", "try 'cgctab-generate point --help'");
    fails(GENERATE POINT "--fram 3", 2, "--fram: unknown option; did you mean '--frame'?",
          "--help");
    fails(GENERATE POINT "extra", 2, "extra", "--help");
    fails(GENERATE POINT "--frame", 2, "--frame: needs LAM", "--help");
    fails(GENERATE POINT "--x 0.1", 2, "--x: given twice", "--help");
    fails(GENERATE POINT "--exact=1", 2, "takes no value", "--help");
    fails(GENERATE "point --dipole gbw --x 0.01", 2, "--eps is missing", "--help");
    fails(GENERATE "point --x 0.01", 2, "--dipole", "--help");
    fails(GENERATE "exact --x 0.01", 2, "--eps is missing", "cgctab-generate exact --help");
    fails(GENERATE "run", 2, "CARD is missing", "cgctab-generate run --help");
    fails(GENERATE "backends all", 2, "all", "--help");
    fails(GENERATE POINT "--backend nosuch", 2, "nosuch", "separable");
    fails(GENERATE "point --dipole mv --x 0.01 --eps 4 --q 1 --k1 2 --theta 0 --exact", 2, "gbw",
          "--help");
}
END_TEST

START_TEST(wrong_numbers)
{
    static const char *const cases[][3] = {
        {"--x 0.01 --eps 4 --q nan --k1 2 --theta 0", "--q", "finite"},
        {"--x 0.01 --eps 4 --q 1,inf --k1 2 --theta 0", "--q", "finite"},
        {"--x 0.01 --eps 4 --q 1 --k1 -2 --theta 0", "--k1: -2", "[0,1e3] GeV"},
        {"--x 0.01 --eps 4 --q 0 --k1 2 --theta 0", "--q: 0", "(0,1e3] GeV"},
        {"--x 0.01 --eps 4 --q 1 --k1 2x --theta 0", "--k1", "'2x'"},
        {"--x 0.01 --eps 4 --q 1 --k1 2 --theta pi", "--theta", "'pi'"},
        {"--x 1.5 --eps 4 --q 1 --k1 2 --theta 0", "--x: 1.5", "(0,1]"},
        {"--x 0.01 --eps -4 --q 1 --k1 2 --theta 0", "--eps: -4", "GeV"},
        {"--x 0.01 --eps 4 --q 'geom 2 1 3' --k1 2 --theta 0", "LO = 2 and HI = 1", "LO < HI"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line, GENERATE "point --dipole gbw %s", cases[i][0]);
        fails(line, 2, cases[i][1], cases[i][2]);
    }
    fails(GENERATE POINT "--frame 2", 2, "point: inner.lam: 2", "[0,1]");
    fails(GENERATE POINT "--set inner.rank=3", 2, "--set inner.rank=3: unknown key inner.rank",
          "inner.rank_tolerance");
    fails(GENERATE POINT "--set inner.lam=half", 2, "--set inner.lam=half: inner.lam: 'half'",
          "[0,1]");
}
END_TEST

START_TEST(wrong_cards)
{
    write_file("key.card", "[inner]\nlam = 0\nlamda = 1\n");
    fails(GENERATE "run key.card -o t.cgct", 2, "key.card:3: unknown key inner.lamda",
          "nearest known key: inner.lam");
    write_file("value.card", "[dipole]\nkind = gb\n");
    fails(GENERATE "run value.card -o t.cgct", 2, "value.card:2: dipole.kind: 'gb'",
          "gbw|mv|table");
    write_file("order.card", "[axes]\nq = 1,3,2\n");
    fails(GENERATE "run order.card -o t.cgct", 2, "order.card:2: axes.q", "entry 3 (2)");
    write_file("nan.card", "[axes]\neps = 1,nan\n");
    fails(GENERATE "run nan.card -o t.cgct", 2, "nan.card:2: axes.eps", "finite");
    fails(GENERATE "run none.card -o t.cgct", 1, "none.card", "No such file");
    fails(GENERATE "run ordre.card -o t.cgct", 1, "ordre.card: No such", "mean 'order.card'?");
    fails(GENERATE "point --dipole gwb --x 0.01 --eps 1 --q 1 --k1 1 --theta 0", 1,
          "takes gbw, mv, mv:SET, bk:SET or a table file", "gwb: cannot open");
    write_file("table.card", "[dipole]\nkind = table\n");
    fails(GENERATE "run table.card -o t.cgct", 2, "dipole.kind = table", "dipole.file");
    fails(GENERATE "run table.card -o t.cgct --set dipole.file=none.dat", 1, "none.dat", "No such");
    ck_assert_int_ne(run("ls t.cgct*"), 0);
}
END_TEST

START_TEST(wrong_dipoles)
{
    write_dipole("good.dat", 200);
    write_dipole("short.dat", 0.5);
    fails(GENERATE "point --dipole good.dat --x 0.01 --eps 4 --q 1 --k1 2 --theta 0", 1, "good.dat",
          "x = 0.01");
    write_file("x.card", "[dipole]\nkind = table\nfile = good.dat\n[axes]\nx = 0.01,0.5\n");
    fails(GENERATE "run x.card -o t.cgct", 1, "x = 0.01", "outside");
    fails(GENERATE "point --dipole short.dat --x 0.5 --eps 0.1 --q 1 --k1 2 --theta 0", 1,
          "short.dat", "r");
    write_file("text.dat", "this is no dipole\n");
    fails(GENERATE "point --dipole text.dat --x 0.5 --eps 4 --q 1 --k1 2 --theta 0", 1, "text.dat",
          "1");
    ck_assert_int_ne(run("ls t.cgct*"), 0);
}
END_TEST

/* evolve: blocks of the rapidities asked for, which the reader of table files takes. */
START_TEST(evolve_writes_a_table)
{
    write_file("bk.card", "[dipole]\nkind = bk\nset = mve\nrefine = 0.5\n[axes]\nx = 0.0095\n");
    fails(GENERATE "evolve bk.card", 2, "-o FILE", "--report");
    fails(GENERATE "evolve -o t.dat", 2, "CARD", "--dipole bk:SET");
    fails(GENERATE "evolve --dipole gbw -o t.dat", 2, "dipole.kind = gbw", "want bk");
    fails(GENERATE "evolve bk.card -o t.dat --set axes.x=0.02", 1, "x = 0.02", "x_initial = 0.01");
    fails(GENERATE "evolve bk.card -o t.dat --set dipole.gamma=0.3", 2, "gamma = 0.3",
          "allowed is 0.5 to 2");
    fails(GENERATE "evolve bk.card -o t.dat --set dipole.c=0.01", 2, "c = 0.01", "0.05 to 2");
    fails(GENERATE "evolve bk.card -o t.dat --step 0", 2, "--step", "[0.01,10]");
    ck_assert_int_ne(run("ls t.dat*"), 0);
    ck_assert_msg(run(GENERATE "evolve bk.card -o t.dat --report --step 0.03") == 0, "%s", output);
    ck_assert_msg(strstr(output, "\n0.01 0 0.4878509") && strstr(output, "ln(-ln S) to"), "%s",
                  output);
    ck_assert_int_eq(run("grep -c '^###' t.dat; grep -vc '#' t.dat"), 0);
    ck_assert_str_eq(output, "7\n1200\n");
    fails(GENERATE "point --dipole t.dat --x 0.009 --eps 4 --q 1 --k1 2 --theta 0", 1, "t.dat",
          "x = 0.009");
}
END_TEST

/* evolve: from the file that it wrote itself, and for a nucleus. */
START_TEST(evolve_files_and_nuclei)
{
    write_file("bk.card",
               "[dipole]\nkind = bk\nset = mve\nrefine = 0.5\n[axes]\nx = 0.0095,0.01\n");
    const struct {
        const char *set, *a, *b;
    } bad[] = {
        {"nucleus=197", "dipole.nucleus = 197", "set dipole.b (fm)"},
        {"nucleus=0", "dipole.nucleus: 0", "[1,300]"},
        {"nucleus=19.7", "'19.7' is not an integer", "[1,300]"},
        {"b=2", "dipole.b = 2 fm is for a nucleus", "set dipole.nucleus"},
        {"b=x --set dipole.nucleus=16", "dipole.b: 'x'", "number of fm"},
        {"b=-2 --set dipole.nucleus=16", "b = -2 fm", "allowed is 0 to 50"},
        {"half_sigma0=-1", "dipole.half_sigma0: -1", "[0,1e3] mb"},
        {"initial=f.dat", "set = mve and initial = f.dat", "C2 and half_sigma0"},
        {"initial=f.dat --set dipole.set=auto", "initial = f.dat needs C2", "dipole.C2"},
        {"kind=mv --set dipole.initial=f.dat", "dipole.kind = mv", "want bk"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[256];
        snprintf(line, sizeof line, GENERATE "evolve bk.card -o n.dat --set dipole.%s", bad[i].set);
        fails(line, 2, bad[i].a, bad[i].b);
    }
    fails(GENERATE "point --dipole mv --x 0.01 --eps 4 --q 1 --k1 2 --theta 0 "
                   "--set dipole.initial=f.dat",
          2, "initial is for kind = bk alone", "dipole.kind = bk");
#define AUTO " --set dipole.set=auto --set dipole.C2=7.2 --set dipole.initial="
    fails(GENERATE "evolve bk.card -o n.dat" AUTO "f.dat", 1, "f.dat", "No such file");
    ck_assert_msg(run(GENERATE "evolve bk.card -o f.dat --step 0.03") == 0, "%s", output);
    fails(GENERATE "evolve bk.card -o n.dat" AUTO "f.da", 1, "f.da", "mean 'f.dat'?");
    fails(GENERATE "evolve bk.card -o n.dat --set dipole.x_initial=0.02" AUTO "f.dat", 1,
          "dipole.initial at x_initial = 0.02", "its range");
    ck_assert_int_ne(run("ls n.dat*"), 0);
    ck_assert_msg(run(GENERATE "evolve bk.card --report" AUTO "f.dat") == 0, "%s", output);
    ck_assert_msg(strstr(output, "\n0.01 0 0.4878509") && strstr(output, "bk table f.dat"), "%s",
                  output);
    ck_assert_msg(run(GENERATE "evolve bk.card --report --set dipole.nucleus=197 "
                               "--set dipole.b=2") == 0,
                  "%s", output);
    ck_assert_msg(strstr(output, "nucleus A = 197 at b = 2 fm, Gamma 3.35728") &&
                      strstr(output, "sigma0/2 = 16.36 mb = 42.0156 GeV^-2"),
                  "%s", output);
}
END_TEST

START_TEST(output_that_cannot_be_written)
{
    write_file("short.card", "[dipole]\nkind = gbw\n");
    fails(GENERATE "run short.card", 2, "-o FILE", "output.file");
    fails(GENERATE "run short.card -o /no/such/folder/t.cgct", 1, "/no/such/folder/t.cgct",
          "No such");
    fails(GENERATE "run short.card -o .", 1, ".", "not a regular file");
    fails(GENERATE "exact --x 0.01 --eps 4 --q 1 --k1 2 --theta 0 >/dev/full", 1, "standard output",
          "No space left");
}
END_TEST

/* exact: K = |k1 - q/2| by the two triangles that share it, and the published check value. */
START_TEST(exact_values)
{
    double a[7], b[7];
    ck_assert_int_eq(run(GENERATE
                         "exact --x 3.04e-4 --eps 1 --q 1 --k1 1.5,0.5 --theta 0,3.14159265358979"
                         " | grep -v '#' | sed -n '1p;4p'"),
                     0);
    int n = 0, m = 0;
    const char *second = strchr(output, '\n');
    for (int i = 0; i < 7; i++) {
        char *end;
        a[i] = strtod(i ? output + n : output, &end), n = (int)(end - output);
        b[i] = strtod(second + m, &end), m = (int)(end - second);
    }
    ck_assert_double_eq_tol(a[5], 14.57719359, 1e-8 * 14.6);
    ck_assert_double_eq_tol(a[6], 8.317823456, 1e-9 * 8.4);
    ck_assert_double_eq_tol(b[5], 14.57719359, 1e-8 * 14.6);
    ck_assert_double_eq_tol(b[6], 8.317823456, 1e-9 * 8.4);
}
END_TEST

#define TINY                                                                                       \
    "[axes]\nx = 0.01\neps = 4\nq = 0.5,0.7,1\nk_max = 3\n[table]\nlower = 12\nupper = 12\n"       \
    "[accuracy]\ntolerance = 1e-3\nflag = 0.1\n"

START_TEST(point_and_run_agree)
{
    double p[9], e[7];
    write_file("tiny.card", TINY);
    ck_assert_msg(run(GENERATE "run tiny.card --quiet -o tiny.cgct") == 0 && !*output, "%s",
                  output);
    ck_assert_int_eq(run("ls tiny.cgct.* 2>/dev/null"), 2);
    ck_assert_int_eq(run(GENERATE
                         "point --card tiny.card --dipole gbw --q 0.5,1 --k1 1.5 --theta 1 "
                         "--exact | tail -n 1"),
                     0);
    int got = sscanf(output, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", p, p + 1, p + 2, p + 3, p + 4,
                     p + 5, p + 6, p + 7, p + 8);
    ck_assert_int_eq(got, 9);
    ck_assert_int_eq(
        run(CGCTAB "eval tiny.cgct --x 0.01 --eps 4 --q 1 --k1 1.5 --theta 1 | tail -n 1"), 0);
    got =
        sscanf(output, "%lf %lf %lf %lf %lf %lf %lf", e, e + 1, e + 2, e + 3, e + 4, e + 5, e + 6);
    ck_assert_msg(got == 7, "%s", output);
    ck_assert_double_eq_tol(e[5] / p[5], 1, 2e-3);
    ck_assert_double_eq_tol(e[6] / p[7], 1, 2e-3);
}
END_TEST

START_TEST(run_reports)
{
    write_file("tiny.card", TINY);
    ck_assert_int_eq(run(GENERATE "run tiny.card -o tiny2.cgct --set inner.lam=0.5"), 0);
    ck_assert_msg(strstr(output, "1/1, ") && strstr(output, "; x 0.01 eps 4") &&
                      strstr(output, "points ") && strstr(output, "flagged"),
                  "%s", output);
    ck_assert_int_eq(run(CGCTAB "info tiny2.cgct"), 0);
    ck_assert_msg(strstr(output, "error_max") && strstr(output, "separable"), "%s", output);
    ck_assert_int_eq(run("grep -a -q -e '--set inner.lam=0.5' tiny2.cgct"), 0);
    ck_assert_int_eq(run(GENERATE POINT "--report --set accuracy.tolerance=1e-3"), 0);
    ck_assert_msg(strstr(output, "Delta nodes") && strstr(output, "sum rule"), "%s", output);
    const char *rates = strstr(output, "    together");
    double seconds, operations, rate, share;
    ck_assert_msg(rates && strstr(output, "    phi"), "%s", output);
    ck_assert_msg(sscanf(rates, " together %lf s %lf GFLOP %lf GFLOP/s %lf%% of DGEMM", &seconds,
                         &operations, &rate, &share) == 4,
                  "%s", rates);
    ck_assert_msg(seconds > 0 && operations > 0 && rate > 0 && share >= 0 && share < 150, "%s",
                  rates);
}
END_TEST

START_TEST(damaged_tables)
{
    write_file("tiny.card", TINY);
    ck_assert_int_eq(run(GENERATE "run tiny.card --quiet -o good.cgct"), 0);
    ck_assert_msg(run(CGCTAB "verify good.cgct") == 0, "%s", output);
    run("head -c 700 good.cgct > short.cgct; cp good.cgct flip.cgct;"
        "printf '\\377' | dd of=flip.cgct bs=1 seek=$(($(wc -c <good.cgct) - 40)) conv=notrunc;"
        "head -c 5000 /dev/zero > zero.cgct; : > empty.cgct");
    const char *names[] = {"short", "flip", "zero", "empty"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[256], file[32];
        snprintf(file, sizeof file, "%s.cgct", names[i]);
        snprintf(line, sizeof line, CGCTAB "verify %s", file);
        fails(line, 1, file, ": ");
        snprintf(line, sizeof line, CGCTAB "eval %s --x 0.01 --eps 4 --q 1 --k1 2 --theta 0", file);
        fails(line, 1, file, ": ");
    }
    fails(CGCTAB "eval good.cgct --x 0.01 --eps 4 --q 7 --k1 2 --theta 0", 1, "7", "q");
    fails(CGCTAB "eval none.cgct --x 0.01 --eps 4 --q 1 --k1 2 --theta 0", 1, "none.cgct",
          "no such file");
    fails(CGCTAB "nosuch", 2, "nosuch", "--help");
}
END_TEST

int main(void)
{
    if (!mkdtemp(folder)) return EXIT_FAILURE;
    Suite *s = suite_create("cli");
    TCase *t = tcase_create("cli");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, help_and_version);
    tcase_add_test(t, reference_is_current);
    tcase_add_test(t, wrong_usage);
    tcase_add_test(t, wrong_numbers);
    tcase_add_test(t, wrong_cards);
    tcase_add_test(t, wrong_dipoles);
    tcase_add_test(t, evolve_writes_a_table);
    tcase_add_test(t, evolve_files_and_nuclei);
    tcase_add_test(t, output_that_cannot_be_written);
    tcase_add_test(t, exact_values);
    tcase_add_test(t, point_and_run_agree);
    tcase_add_test(t, run_reports);
    tcase_add_test(t, damaged_tables);
    suite_add_tcase(s, t);
    int failed = run_suite(s);
    char line[64];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (system(line)) failed++;
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
