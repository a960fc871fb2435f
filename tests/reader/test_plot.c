/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab plot: every kind of picture in every form, looked at for curves and colours; the numbers
 * beside it; what goes wrong. */
#include <math.h>

#include "reader/cgctab.h"
#include "command.h"
#include "have.h"
#include "run_suite.h"
#include "field_table.h"

#define PLOT BIN_DIR "/cgctab plot "
#define MV TESTS_DIR "/../tables/mv.cgct"

/* Falls in every variable, most in L and in later members; T and L vary with the angle. */
static double falling(size_t member, int pol, size_t m, const double at[4])
{
    double l = -0.3 * log(at[0]) - log(at[1] * at[1] + at[2] * at[2] + at[3] * at[3]);
    return m ? pow(-0.4, (double)m) * at[3] / (at[2] + at[3])
             : l - pol * log(9.) - 0.2 * (double)member;
}

/* The same where q is small, almost nothing beyond. */
static double lost(size_t member, int pol, size_t m, const double at[4])
{
    double value = falling(member, pol, m, at);
    return m ? value : at[2] < 8 ? value + 9 : -60;
}

static field_table make_table(field_function field)
{
    field_table f = {.n = {3, 4, 12},
                     .nl = 8,
                     .nu = 8,
                     .nm = 5,
                     .k0 = 0.5,
                     .k_max = 20,
                     .bound = 1e-9,
                     .field = field};
    geometric(1e-3, 1e-2, 3, f.v[0]);
    geometric(0.5, 4, 4, f.v[1]);
    geometric(1, 20, 12, f.v[2]);
    return f;
}

static void write_table(const field_table *f, const char *name)
{
    char path[PATH_SIZE];
    path_in(place.folder, name, path);
    field_table_write(f, path);
}

static void make_tables(void)
{
    field_table f = make_table(falling);
    setup();
    write_table(&f, "a.cgct");
    f.bound = 0.02;
    f.nu = 4;
    write_table(&f, "b.cgct");
    f.members = 3;
    f.nmeta = 1;
    f.meta[0] = (table_meta){"members", "one two three"};
    write_table(&f, "members.cgct");
    f.nmeta = 3;
    f.meta[1] = (table_meta){"uncertainty", "replicas"};
    f.meta[2] = (table_meta){"comparison", "two"};
    write_table(&f, "replicas.cgct");
}

/* Pixels of a PNG, seen by gnuplot on every fourth line and column: how many are coloured (neither
 * grey, black nor white) and how many dark. */
static void look(const char *picture, int *coloured, int *dark)
{
    char line[512];
    int r, g, b;
    snprintf(line, sizeof line,
             "gnuplot -e \"set table 'pixels'; plot '%s' binary filetype=png every 4:4 using "
             "1:2:3 with rgbimage\"",
             picture);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    snprintf(line, sizeof line, "%s/pixels", place.folder);
    FILE *f = fopen(line, "r");
    ck_assert_ptr_nonnull(f);
    *coloured = *dark = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%*f %*f %d %d %d", &r, &g, &b) != 3) continue;
        *dark += r + g + b < 150;
        *coloured += abs(r - g) > 40 || abs(g - b) > 40 || abs(r - b) > 40;
    }
    fclose(f);
}

/* The picture has at least that many coloured samples, and frames and text. */
static void draws(const char *arguments, int least)
{
    char line[512];
    int coloured, dark;
    snprintf(line, sizeof line, PLOT "%s -o p.png", arguments);
    ck_assert_msg(command_run(&place, line) == 0, "%s: %s", line, place.output);
    ck_assert_msg(!strncmp(place.output, "picture", 7), "%s: %s", line, place.output);
    look("p.png", &coloured, &dark);
    ck_assert_msg(coloured > least, "%s: %d coloured samples, want %d", line, coloured, least);
    ck_assert_msg(dark > 200, "%s: %d dark samples", line, dark);
}

/* Curves colour some samples, maps most of the picture (50000 samples). */
enum { CURVES = 150, MAPS = 10000 };

START_TEST(slices)
{
    if (!have("gnuplot")) return;
    draws("slice a.cgct", CURVES);
    draws("slice a.cgct --along q --k1 1,5 --theta 0", CURVES);
    draws("slice a.cgct --along theta --x 0.002", CURVES);
    draws("slice a.cgct --along x --eps 0.6,1,3.9", CURVES);
    draws("slice a.cgct --along eps", CURVES);
    draws("slice members.cgct@two --along q --k1 2,3 --data p.dat", CURVES);
    ck_assert_int_eq(command_run(&place, "head -n 1 p.dat"), 0);
    ck_assert_str_eq(place.output, "# c0: q I_T I_L err_T err_L band_T band_L low_T low_L "
                                   "high_T high_L\n");
}
END_TEST

/* The light band is the range of the members; with one draw it ends at this draw. */
START_TEST(bands_of_members)
{
    double a[11], b[6];
    char line[512];
    if (!have("gnuplot")) return;
    ck_assert_int_eq(command_run(&place, PLOT "slice members.cgct -o p.svg --quiet && "
                                              "grep -q 'dark band: bound on the error, light: "
                                              "range of the members' p.svg"),
                     0);
    ck_assert_int_eq(command_run(&place, PLOT "slice replicas.cgct --along eps --x 0.002 --q 2 "
                                              "--k1 3 --theta 1 -o p.svg --data p.dat --quiet && "
                                              "grep -q 'light: 16% to 84% of the members' p.svg && "
                                              "sed -n 101p p.dat"),
                     0);
    ck_assert_int_eq(sscanf(place.output, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", a, a + 1,
                            a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10),
                     11);
    snprintf(line, sizeof line,
             BIN_DIR "/cgctab eval replicas.cgct@three --x 0.002 --eps %.17g --q 2 --k1 3 "
                     "--theta 1 --quiet",
             a[0]);
    ck_assert_int_eq(command_run(&place, line), 0);
    ck_assert_int_eq(sscanf(place.output, "%*f %*f %*f %*f %*f %lf %lf", b, b + 1), 2);
    for (int pol = 0; pol < 2; pol++) {
        ck_assert(a[1 + pol] != b[pol]);
        CHECK_REL(a[7 + pol], b[pol], 1e-14);
        CHECK_REL(a[9 + pol], b[pol], 1e-14);
    }
    /* the range is not that of a member for comparison */
    static const char *const of_two[] = {"slice replicas.cgct@two", "vn replicas.cgct@two --K 3"};
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line,
                 "rm -f p.svg p.dat; " PLOT "%s -o p.svg --data p.dat --quiet && grep -q "
                 "'[;>] *band: bound on the error' p.svg && grep -c low p.dat",
                 of_two[i]);
        ck_assert_msg(command_run(&place, line) == 1 && !strcmp(place.output, "0\n"), "%s: %s",
                      line, place.output);
    }
    command_fails(&place,
                  BIN_DIR "/cgctab eval replicas.cgct@two --uncertainty --x 0.002 --eps 1 --q 2 "
                          "--k1 3 --theta 1",
                  1, "cgctab: --uncertainty: two is for comparison", "--members prints all");
}
END_TEST

/* <cos n phi> of I over the whole turn, phi the angle between q and K. */
static double harmonic_of(const cgct_table *t, double q, double K, int n, int pol)
{
    enum { TURN = 400 };
    double sum = 0, all = 0, v[2];
    for (int a = 0; a < TURN; a++) {
        const double phi = 2 * acos(-1) * a / TURN, x = q / 2 + K * cos(phi), y = K * sin(phi);
        ck_assert_int_eq(cgct_eval(t, 0.002, 1, q, hypot(x, y), atan2(y, x), v), CGCT_OK);
        sum += v[pol] * cos(n * phi);
        all += v[pol];
    }
    return sum / all;
}

/* Columns of the row of v_n in the middle. */
static void middle_row(const char *table, double row[17])
{
    char line[2 * PATH_SIZE];
    snprintf(line, sizeof line, PLOT "vn %s --x 0.002 --eps 1 --K 3 -o p.svg --data p.dat --quiet",
             table);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    ck_assert_int_eq(command_run(&place, "sed -n 27p p.dat"), 0);
    char *at = place.output;
    for (int i = 0; i < 17; i++) row[i] = strtod(at, &at);
}

START_TEST(harmonics)
{
    double row[17];
    cgct_table *t;
    if (!have("gnuplot")) return;
    draws("vn a.cgct --K 2,4 --soft jets 2> warnings", CURVES);
    middle_row(MV, row);
    /* the axes reach no further than harmonics do, and q */
    ck_assert_int_eq(command_run(&place, "! grep -q '> *[1-9][0-9]<' p.svg"), 0);
    ck_assert_int_eq(cgct_open(MV, &t, NULL), CGCT_OK);
    for (int i = 0; i < 4; i++) {
        const double v = harmonic_of(t, row[0], 3, i < 2 ? 2 : 4, i % 2);
        ck_assert_msg(fabs(v) > 1e-4 && fabs(row[1 + i] - v) < 1e-6, "%d: %.17g, want %.17g", i,
                      row[1 + i], v);
    }
    cgct_close(t);
    /* a bound of 2% of I; members that differ by a factor, which leaves their harmonics the same */
    middle_row("replicas.cgct", row);
    for (int i = 0; i < 4; i++) {
        ck_assert(row[5 + i] > 0.005 && row[5 + i] < 0.03);
        ck_assert(fabs(row[9 + i] - row[1 + i]) < 1e-6 && row[13 + i] == row[9 + i]);
    }
    command_fails(&place, PLOT "vn a.cgct --K 0.2 -o p.svg", 1, "--K", "table's first");
    command_fails(&place, PLOT "vn a.cgct --K 0 -o p.svg", 2, "--K", "a number > 0");
}
END_TEST

START_TEST(maps)
{
    if (!have("gnuplot")) return;
    draws("map a.cgct", MAPS);
    draws("map a.cgct --m 3 --x 0.002 --eps 1", MAPS);
    draws("map a.cgct --ratio --theta 1", MAPS);
    draws("certificate a.cgct --flag 1e-8", MAPS);
}
END_TEST

START_TEST(decay_and_comparison)
{
    if (!have("gnuplot")) return;
    draws("modes a.cgct", CURVES);
    draws("modes a.cgct --k1 3 --q 2", CURVES / 2);
    draws("compare a.cgct b.cgct", CURVES);
    draws("compare a.cgct b.cgct --along theta", CURVES);
}
END_TEST

START_TEST(numbers_that_are_lost)
{
    field_table f = make_table(lost);
    if (!have("gnuplot")) return;
    write_table(&f, "c.cgct");
    draws("certificate c.cgct", MAPS / 2);
    draws("map c.cgct", MAPS / 2);
    draws("modes c.cgct --q 20 --k1 2,5", 0);
    draws("slice c.cgct --along k1 --q 1,6.5,20", CURVES);
    draws("compare a.cgct c.cgct --x 0.002 --eps 1 --q 2", CURVES);
}
END_TEST

START_TEST(inner_table)
{
    if (!have("gnuplot")) return;
    ck_assert_msg(command_run(&place,
                              GENERATE "inner --dipole gbw --x 0.01 --eps 4 --q-max 2 "
                                       "--k1-max 3 -o t.cgci --set accuracy.tolerance=1e-3") == 0,
                  "%s", place.output);
    draws("inner t.cgci", MAPS);
    command_fails(&place, PLOT "inner t.cgci --m 1 -o p.png", 1, "no mode 1", "in steps of 2");
    command_fails(&place, PLOT "inner a.cgct -o p.png", 1, "a.cgct: ", "");
    command_fails(&place, BIN_DIR "/cgctab info t.cgci", 1, "t.cgci: an inner table", "plot inner");
}
END_TEST

START_TEST(other_forms)
{
    if (!have("gnuplot")) return;
    ck_assert_msg(command_run(&place, PLOT "slice a.cgct -o p.svg --data p.dat --quiet && "
                                           "grep -c '<path' p.svg && grep -q 'GeV' p.svg") == 0,
                  "%s", place.output);
    ck_assert_int_gt(atoi(place.output), 20);
    /* the label below the axis lies inside the picture, which is 800 high */
    ck_assert_msg(command_run(&place,
                              PLOT "map a.cgct -o m.svg --quiet && grep -B1 'q (GeV)' m.svg | "
                                   "sed -n 's/.*translate([0-9.]*,\\([0-9]*\\).*/\\1/p'") == 0,
                  "%s", place.output);
    ck_assert_msg(atoi(place.output) > 740 && atoi(place.output) < 795, "%s", place.output);
    ck_assert_msg(command_run(&place, PLOT "map a.cgct -o p.pdf --quiet && head -c 5 p.pdf && "
                                           "[ $(wc -c < p.pdf) -gt 5000 ]") == 0 &&
                      !strncmp(place.output, "%PDF-", 5),
                  "%s", place.output);
}
END_TEST

/* The title says what a map shows, in which unit, and where. */
START_TEST(titles_of_maps)
{
    if (!have("gnuplot")) return;
    ck_assert_msg(command_run(&place, PLOT "map a.cgct -o p.svg --m 2 --quiet && grep -q "
                                           "'a.cgct: size of the angular mode m = 2, x = ' p.svg "
                                           "&& grep -q '| (GeV<' p.svg") == 0,
                  "%s", place.output);
    ck_assert_msg(command_run(&place, PLOT "map a.cgct -o p.svg --ratio --theta 1 --quiet && grep "
                                           "'a.cgct: I over the correlation limit, x = ' p.svg | "
                                           "grep -q 'θ = 1 rad'") == 0,
                  "%s", place.output);
}
END_TEST

/* Runs cgctab plot with a program in gnuplot's place that keeps the script as the file `script`. */
static void keep_script(const char *arguments)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkdir -p keep && printf '#!/bin/sh\\ncat > script\\n' > keep/gnuplot && chmod 755 "
             "keep/gnuplot; PATH=$PWD/keep:$PATH " PLOT "%s -o p.png",
             arguments);
    command_run(&place, line); /* fails: there is no picture */
}

/* Value of NAME(pol) in the script. */
static double script_value(const char *name, int pol)
{
    char line[128];
    double T = NAN, L = NAN;
    snprintf(line, sizeof line, "sed -n 's/^%s(pol) = pol ? \\(.*\\) : \\(.*\\)/\\1 \\2/p' script",
             name);
    ck_assert_int_eq(command_run(&place, line), 0);
    ck_assert_msg(sscanf(place.output, "%lf %lf", &L, &T) == 2, "%s: '%s'", name, place.output);
    return pol ? L : T;
}

/* 1 lies in the middle of the colours of a ratio, and each polarisation has colours of its own. */
START_TEST(colours_of_ratios)
{
    keep_script("map a.cgct --ratio --theta 1");
    const double T = script_value("colour_hi", 0), L = script_value("colour_hi", 1);
    ck_assert(T > 1 && L > 1 && T != L);
    CHECK_REL(script_value("colour_lo", 0), 1 / T, 1e-14);
    CHECK_REL(script_value("colour_lo", 1), 1 / L, 1e-14);
    ck_assert_int_eq(command_run(&place, "grep -qx 'diverging = 1' script"), 0);
    keep_script("map a.cgct");
    ck_assert_int_eq(command_run(&place, "grep -qx 'diverging = 0' script"), 0);
    ck_assert(script_value("colour_hi", 0) == script_value("colour_hi", 1));
}
END_TEST

/* Where a map has no value it is grey, and says why: here the lower patch has no mode 8. */
START_TEST(places_without_a_value)
{
    keep_script("map a.cgct --m 8");
    ck_assert_int_eq(command_run(&place, "grep -q \"^note = 'grey: below \" script"), 0);
    keep_script("map a.cgct");
    ck_assert_int_eq(command_run(&place, "grep -qx \"note = ''\" script"), 0);
}
END_TEST

/* A bound that falls to a thousandth and rises again from block to block: the band has no such jump
 * and is nowhere below the bound. */
START_TEST(bands_of_blocks)
{
    field_table f = make_table(falling);
    double v[7], before[7], jump = 0;
    char path[PATH_SIZE];
    f.blocks = 3;
    write_table(&f, "blocks.cgct");
    if (!have("gnuplot")) return;
    ck_assert_int_eq(command_run(&place, PLOT "slice blocks.cgct -o p.png --data p.dat --quiet"),
                     0);
    path_in(place.folder, "p.dat", path);
    FILE *data = fopen(path, "r");
    ck_assert_ptr_nonnull(data);
    ck_assert_int_eq(fscanf(data, "%*[^\n]"), 0);
    for (int i = 0; i < 241; i++, memcpy(before, v, sizeof v)) {
        for (int c = 0; c < 7; c++) ck_assert_int_eq(fscanf(data, "%lf", v + c), 1);
        for (int c = 3; c < 5; c++) {
            ck_assert(v[c + 2] >= v[c]);
            if (i == 0) continue;
            jump = fmax(jump, fabs(log(v[c] / before[c])));
            ck_assert_msg(fabs(log(v[c + 2] / before[c + 2])) < 1.6, "%g at %g", v[c + 2], v[0]);
        }
    }
    fclose(data);
    ck_assert(jump > 6);
    f.bound = INFINITY; /* no bound is known: the band covers all */
    write_table(&f, "unknown.cgct");
    keep_script("slice unknown.cgct");
    ck_assert_int_eq(command_run(&place, "grep -q ' NaN NaN 1e+100 1e+100$' script"), 0);
}
END_TEST

/* Nearly constant values are shown from 0 on. */
START_TEST(axis_from_zero)
{
    keep_script("slice a.cgct --along x");
    for (int pol = 0; pol < 2; pol++) {
        ck_assert(script_value("log_scale", pol) == 0 && script_value("value_lo", pol) == 0);
        ck_assert(script_value("value_hi", pol) > 0);
    }
}
END_TEST

/* What is not given is taken where both tables have it. */
START_TEST(comparison_of_ranges)
{
    field_table f = make_table(falling);
    geometric(1, 4, 12, f.v[2]);
    write_table(&f, "narrow.cgct");
    keep_script("compare a.cgct narrow.cgct --along theta");
    ck_assert_int_eq(command_run(&place, "grep -q '^title = .*q = 2 GeV' script"), 0);
    command_fails(&place, PLOT "compare a.cgct narrow.cgct --q 5 -o p.png", 1, "narrow.cgct: q = 5",
                  "outside");
}
END_TEST

/* The numbers beside a picture are those of eval. */
START_TEST(numbers_beside)
{
    double a[5], b[5];
    char line[512];
    if (!have("gnuplot")) return;
    ck_assert_int_eq(command_run(&place, PLOT "slice a.cgct --along eps --x 0.002 --q 2 --k1 3 "
                                              "--theta 1 -o p.png --data p.dat --quiet && "
                                              "head -n 1 p.dat && sed -n 101p p.dat"),
                     0);
    ck_assert_msg(!strncmp(place.output, "# c0: eps I_T I_L err_T err_L band_T band_L\n", 44), "%s",
                  place.output);
    ck_assert_int_eq(
        sscanf(strchr(place.output, '\n'), "%lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3, a + 4),
        5);
    snprintf(line, sizeof line,
             BIN_DIR "/cgctab eval a.cgct --x 0.002 --eps %.17g --q 2 --k1 3 --theta 1 --error "
                     "--quiet",
             a[0]);
    ck_assert_int_eq(command_run(&place, line), 0);
    ck_assert_int_eq(
        sscanf(place.output, "%*f %lf %*f %*f %*f %lf %lf %lf %lf", b, b + 1, b + 2, b + 3, b + 4),
        5);
    for (int i = 0; i < 5; i++) ck_assert(a[i] == b[i]);
}
END_TEST

START_TEST(what_goes_wrong)
{
    command_fails(&place, PLOT "slices a.cgct -o p.png", 2, "did you mean 'slice'?", "'slices'");
    command_fails(&place, PLOT "slice a.cgct", 2, "needs -o FILE", ".png");
    command_fails(&place, PLOT "slice a.cgct -o p.gif", 2, "p.gif", ".pdf");
    command_fails(&place, PLOT "slice a.cgct b.cgct -o p.png", 2, "b.cgct", "too many");
    command_fails(&place, PLOT "compare a.cgct -o p.png", 2, "compare", "two tables");
    command_fails(&place, PLOT "slice a.cgct --along k -o p.png", 2, "'k'", "want k1|q|theta");
    command_fails(&place, PLOT "slice a.cgct --q 1,2 --x 0.001,0.002 -o p.png", 2, "--q",
                  "one value");
    command_fails(&place, PLOT "slice a.cgct --k1 2 -o p.png", 2, "--k1", "no meaning");
    command_fails(&place, PLOT "map a.cgct --eps 9 -o p.png", 1, "eps = 9", "outside");
    command_fails(&place, PLOT "slice a.cgct --eps 9 -o p.png", 1, "eps = 9", "0.5 to 4");
    command_fails(&place, PLOT "slice a.cgct -o no/p.png", 1, "no/p.png", "");
    command_fails(&place, "PATH=/nowhere " PLOT "slice a.cgct -o p.png", 1, "gnuplot: not found",
                  "install");
    command_fails(&place, PLOT "map a.cgct --along q -o p.png", 2, "--along has no meaning",
                  "it takes --x --eps --m --ratio --theta;");
    command_fails(&place, PLOT "map a.cgct --theta 1 -o p.png", 2, "--theta", "--ratio");
    command_fails(&place, PLOT "map a.cgct --ratio --m 1 -o p.png", 2, "--m", "--ratio");
    command_fails(&place, PLOT "inner t.cgci --q 1 -o p.png", 2, "--q has no meaning", "--m");
    ck_assert_int_ne(command_run(&place, "ls p.png*"), 0);
}
END_TEST

/* Nothing half-written, and no table lost. */
START_TEST(what_it_writes)
{
    command_fails(&place, PLOT "map a.cgct -o p.png --data a.cgct", 2, "a.cgct: is the table",
                  "another");
    ck_assert_int_eq(command_run(&place, BIN_DIR "/cgctab verify a.cgct"), 0);
    command_fails(&place, PLOT "map a.cgct -o p.png --data p.png", 2, "p.png", "--data");
    command_fails(&place, PLOT "map a.cgct -o p.png --data no/p.dat", 1, "no/p.dat", "No such");
    command_fails(&place, PLOT "map a.cgct --x 9 -o p.png --data p.dat", 1, "x = 9", "");
    ck_assert_int_eq(command_run(&place, "mkdir d.png bin && printf '#!/bin/sh\n' > bin/gnuplot && "
                                         "chmod 755 bin/gnuplot"),
                     0);
    command_fails(&place, PLOT "map a.cgct -o d.png", 1, "d.png", "is a directory");
    command_fails(&place, "PATH=$PWD/bin:$PATH " PLOT "map a.cgct -o p.png --data p.dat", 1,
                  "p.png: gnuplot left it unfinished", "");
    ck_assert_int_eq(command_run(&place, "printf 'kill -9 $$\n' >> bin/gnuplot"), 0);
    command_fails(&place, "PATH=$PWD/bin:$PATH " PLOT "map a.cgct -o p.png", 1,
                  "gnuplot: ended by signal 9", "");
    ck_assert_int_ne(command_run(&place, "ls | grep -e p.png -e p.dat -e part"), 0);
    ck_assert_int_eq(command_run(&place, "test ! -x /usr/bin/gnuplot || { unset PATH; " PLOT
                                         "map a.cgct -o q.png; }"),
                     0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plot");
    TCase *c = tcase_create("plot");
    tcase_add_checked_fixture(c, make_tables, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, slices);
    tcase_add_test(c, bands_of_members);
    tcase_add_test(c, harmonics);
    tcase_add_test(c, maps);
    tcase_add_test(c, titles_of_maps);
    tcase_add_test(c, colours_of_ratios);
    tcase_add_test(c, places_without_a_value);
    tcase_add_test(c, bands_of_blocks);
    tcase_add_test(c, axis_from_zero);
    tcase_add_test(c, comparison_of_ranges);
    tcase_add_test(c, decay_and_comparison);
    tcase_add_test(c, numbers_that_are_lost);
    tcase_add_test(c, inner_table);
    tcase_add_test(c, other_forms);
    tcase_add_test(c, numbers_beside);
    tcase_add_test(c, what_goes_wrong);
    tcase_add_test(c, what_it_writes);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
