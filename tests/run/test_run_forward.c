/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of a proton's dijets: from its card to T at places between its nodes, beside T of `point`
 * and the closed form of GBW; interpolation of its functions; what is refused; damaged files. */
#include <math.h>

#include "reader/cgctab.h"
#include "reseal.h"
#include "run/functions.h"
#include "run_fixture.h"
#include "run_suite.h"

#define FORWARD_CARD                                                                               \
    "[dipole]\nkind = gbw\nlambda = 0\n[correlator]\nprocess = pa\n"                               \
    "[axes]\nq = geom 0.7 2.5 8\nk_max = 3\n[accuracy]\ntolerance = 1e-2\n"                        \
    "[table]\nlower = 10\nupper = 10\norder_q = 5\n[output]\nbound = 1e-5\n"
#define TOL_FUNCTIONS 1e-7 /* of F(0)^2: two of them */
#define TOL_READERS 1e-11

static cgct_table *table;

static void made(void)
{
    char path[PATH_SIZE];
    cgct_err err = {""};
    setup();
    write_file("t.card", FORWARD_CARD);
    works(GENERATE "run t.card -o t.cgct --quiet");
    snprintf(path, sizeof path, "%s/t.cgct", place.folder);
    ck_assert_msg(cgct_open(path, &table, &err) == CGCT_OK, "%s", err.text);
}

static void removed(void)
{
    cgct_close(table);
    teardown();
}

/* x, z, k1, k2, angle, Lambda; the gluon is softer in the first ones, in the others harder. */
static const double at[][6] = {{0.01, 0.4, 1.1, 1.7, 2.2, 1},
                               {0.01, 0.2, 0.31, 1.9, 0.8, 1},
                               {0.01, 0.7, 2.9, 2.4, 2.7, 1},
                               {0.01, 0.5, 1.3, 0.23, 1.4, 1}};
enum { PLACES = sizeof at / sizeof *at };

static const char *const names[] = {"qg", "gg", "qqb"};
enum { CHANNELS = 3 };

/* Within the sum of both bounds, and to 3% with these few nodes; the slice is the same. */
START_TEST(beside_point)
{
    const int channel = _i;
    char line[PATH_SIZE];
    double want[12], T, error, again;
    cgct_pa_slice *slice;
    snprintf(line, sizeof line, "%s/points", place.folder);
    FILE *f = fopen(line, "w");
    for (size_t i = 0; i < PLACES; i++)
        fprintf(f, "%g %g %g %g %g\n", at[i][0], at[i][1], at[i][2], at[i][3], at[i][4]);
    fclose(f);
    snprintf(line, sizeof line,
             GENERATE "point --card t.card --process %s --points points --Lambda 1 > values",
             names[channel]);
    works(line);
    snprintf(line, sizeof line, "%s/values", place.folder);
    f = fopen(line, "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_int_eq(cgct_pa_slice_init(&slice, table, 0.01, NULL), CGCT_OK);
    for (size_t i = 0; i < PLACES; i++) {
        for (int l = 0; l < 12; l++) ck_assert_int_eq(fscanf(f, "%lf", &want[l]), 1);
        ck_assert_int_eq(cgct_pa_eval(table, (cgct_channel)channel, at[i], &T, &error), CGCT_OK);
        ck_assert_msg(fabs(T - want[5]) <= error + want[6] &&
                          error <= (channel ? 3 : 1) * fabs(T) &&
                          fabs(T - want[5]) <= 0.03 * fabs(T),
                      "%zu: T = %.9g, want %.9g; bounds %.2g, %.2g", i, T, want[5], error, want[6]);
        CHECK_REL(cgct_pa_factor((cgct_channel)channel, at[i][1]) * want[5], want[11], 1e-12);
        ck_assert_int_eq(cgct_pa_slice_eval(slice, (cgct_channel)channel, at[i] + 1, &again),
                         CGCT_OK);
        CHECK_REL(again, T, TOL_READERS);
    }
    cgct_pa_slice_free(slice);
    fclose(f);
}
END_TEST

/* What a member stores, which the checks of a run compare with direct values. */
START_TEST(stored)
{
    const double inside[] = {0.01, 1.5, 1.2, 0.8}, outside[] = {0.01, 1.5, 1e4, 0.8};
    double value[2], error[2];
    cgct_table *photons;
    ck_assert_int_eq(cgct_pa_stored(table, inside, value, error), CGCT_OK);
    for (int i = 0; i < 2; i++)
        ck_assert(isfinite(value[i]) && error[i] > 0 && error[i] < fabs(value[i]));
    ck_assert_int_eq(cgct_pa_stored(table, outside, value, error), CGCT_E_RANGE);
    ck_assert(isnan(value[0]) && isnan(value[1]) && isnan(error[0]) && isnan(error[1]));
    ck_assert_int_eq(cgct_pa_stored(NULL, inside, value, error), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_pa_stored(table, inside, value, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_open(GOLDEN_SMALL, &photons, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_pa_stored(photons, inside, value, error), CGCT_E_USAGE);
    cgct_close(photons);
}
END_TEST

/* Checks of a table compare the values that it stores, also where some are lost in their error. */
START_TEST(checks)
{
    works(GENERATE "run t.card -o wide.cgct --quiet --set 'axes.q=geom 0.7 9 10' "
                   "--set accuracy.checks=2");
    works(CGCTAB "get wide.cgct continued");
    ck_assert_int_gt(atoi(place.output), 0);
    works(CGCTAB "get wide.cgct interpolation.points");
    ck_assert_int_eq(atoi(place.output), 2 * 2 * 1200);
    works(CGCTAB "get wide.cgct interpolation.resolved_median");
    ck_assert_double_lt(atof(place.output), 0.01);
    works(CGCTAB "get wide.cgct certificate.outside");
    ck_assert_int_eq(atoi(place.output), 0);
}
END_TEST

/* F = 4 pi/Qs^2 e^{-q^2/Qs^2} times squared sums of the vectors p(k) = 2 pi k/k^2; *unit: T over
 * the exponential. */
static double closed_dilute(int channel, const double *a, double *unit)
{
    const double pi = 3.14159265358979323846, z = a[1];
    const double k1[2] = {a[2], 0}, k2[2] = {a[3] * cos(a[4]), a[3] * sin(a[4])};
    double P[2], q2 = 0, P2 = 0, square[3] = {0, 0, 0};
    for (int d = 0; d < 2; d++) {
        q2 += pow(k1[d] + k2[d], 2);
        P2 += pow(P[d] = (1 - z) * k1[d] - z * k2[d], 2);
    }
    for (int d = 0; d < 2; d++) {
        const double p1 = k1[d] / (a[2] * a[2]), p2 = k2[d] / (a[3] * a[3]), pP = P[d] / P2;
        square[0] += pow(p1 + p2, 2);
        square[1] += pow(p2 + pP, 2);
        square[2] += pow(p1 - pP, 2);
    }
    double sum = square[1];
    if (channel != CGCT_QQB) sum += square[0];
    if (channel != CGCT_QG) sum += square[2];
    *unit = 16 * pi * pi * pi * sum;
    return *unit * exp(-q2);
}

/* The same dipole from a file of seven digits: functions are off by more than rounding, and the
 * bound has that from the change of the dipole within its digits. */
START_TEST(digits_of_a_file)
{
    char path[PATH_SIZE];
    cgct_table *rounded;
    snprintf(path, sizeof path, "%s/gbw.dat", place.folder);
    FILE *f = fopen(path, "w");
    for (double r = 1e-3; r < 40; r *= 1.05) fprintf(f, "%.12g %.6e\n", r, -expm1(-r * r / 4));
    fclose(f);
    works("sed '/lambda/d; s/kind = gbw/kind = table\\nfile = gbw.dat/' t.card > file.card "
          "&& " GENERATE "run file.card -o file.cgct --quiet");
    snprintf(path, sizeof path, "%s/file.cgct", place.folder);
    ck_assert_int_eq(cgct_open(path, &rounded, NULL), CGCT_OK);
    for (size_t i = 0; i < PLACES; i++) {
        double T, error, exact, unit, want = closed_dilute(CGCT_QG, at[i], &unit);
        ck_assert_int_eq(cgct_pa_dilute(table, CGCT_QG, at[i], &T, &exact), CGCT_OK);
        ck_assert_int_eq(cgct_pa_dilute(rounded, CGCT_QG, at[i], &T, &error), CGCT_OK);
        ck_assert_msg(fabs(T - want) <= error && fabs(T - want) > 10 * exact,
                      "%zu: %.9g, want %.9g; bound %.2g, of the formula %.2g", i, T, want, error,
                      exact);
    }
    cgct_close(rounded);
}
END_TEST

/* What Lambda changes: 2 pi F_a(k1) F_b(k2), F_n = 4 pi/(n Qs^2) e^{-k^2/(n Qs^2)}, Qs = 1 GeV. */
START_TEST(double_scattering)
{
    const double pi = 3.14159265358979323846, power[CHANNELS][2] = {{2, 1}, {2, 2}, {1, 1}};
    for (size_t i = 0; i < CHANNELS * PLACES; i++) {
        double T[2], point[6];
        memcpy(point, at[i % PLACES], sizeof point);
        for (int l = 0; l < 2; l++) {
            point[5] = l ? 3 : 0.5;
            ck_assert_int_eq(cgct_pa_eval(table, (cgct_channel)(i / PLACES), point, &T[l], NULL),
                             CGCT_OK);
        }
        const double a = power[i / PLACES][0], b = power[i / PLACES][1], unit = 32 * pi * pi * pi;
        const double D = unit / (a * b) * exp(-point[2] * point[2] / a - point[3] * point[3] / b);
        ck_assert_double_eq_tol((T[0] - T[1]) / log(6), D, TOL_FUNCTIONS * unit);
    }
}
END_TEST

START_TEST(dilute)
{
    for (size_t i = 0; i < CHANNELS * PLACES; i++) {
        const double *a = at[i % PLACES];
        const int channel = (int)(i / PLACES);
        double T, error, unit, want = closed_dilute(channel, a, &unit);
        ck_assert_int_eq(cgct_pa_dilute(table, (cgct_channel)channel, a, &T, &error), CGCT_OK);
        ck_assert_msg(fabs(T - want) <= fmin(error, TOL_FUNCTIONS * unit) && error < 1e-3 * unit,
                      "%zu: %.9g, want %.9g; bound %.2g", i, T, want, error);
    }
    double T = 0;
    const double outside[6] = {0.02, 0.5, 1, 2, 3, 1};
    ck_assert_int_eq(cgct_pa_dilute(table, CGCT_QG, outside, &T, NULL), CGCT_E_RANGE);
    ck_assert(isnan(T));
}
END_TEST

/* T and its bound, by the second reader and by the program. */
START_TEST(readers)
{
    char line[512];
    snprintf(line, sizeof line, "%s/places", place.folder);
    FILE *f = fopen(line, "w");
    for (size_t i = 0; i < CHANNELS * PLACES; i++) {
        const double *a = at[i % PLACES];
        fprintf(f, "%zu %g %g %g %g %g %g\n", i / PLACES, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    fclose(f);
    works("python3 " TESTS_DIR "/read_table.py t.cgct --pa < places");
    const char *next = place.output;
    for (size_t i = 0; i < CHANNELS * PLACES; i++) {
        double T, error, of[2];
        int n;
        ck_assert_int_eq(
            cgct_pa_eval(table, (cgct_channel)(i / PLACES), at[i % PLACES], &T, &error), CGCT_OK);
        ck_assert_int_eq(sscanf(next, "%lf %lf%n", &of[0], &of[1], &n), 2);
        CHECK_REL(of[0], T, TOL_READERS);
        CHECK_REL(of[1], error, TOL_READERS);
        next += n;
    }
    for (int channel = 0; channel < CHANNELS; channel++) {
        const double *a = at[0];
        double T, error, of[2], sigma;
        ck_assert_int_eq(cgct_pa_eval(table, (cgct_channel)channel, a, &T, &error), CGCT_OK);
        snprintf(line, sizeof line,
                 CGCTAB "eval t.cgct --process %s --x %g --z %g --k1 %g --k2 %g --angle %g "
                        "--Lambda %g --error --quiet --digits 17 | cut -d' ' -f 7-",
                 names[channel], a[0], a[1], a[2], a[3], a[4], a[5]);
        works(line);
        ck_assert_int_eq(sscanf(place.output, "%lf %lf %lf", &of[0], &sigma, &of[1]), 3);
        ck_assert(of[0] == T && of[1] == error &&
                  sigma == cgct_pa_factor((cgct_channel)channel, a[1]) * T);
    }
}
END_TEST

static void refused(cgct_status want, int which, double value, const char *word)
{
    double point[6], T = 0, error = 0;
    cgct_err err = {""};
    memcpy(point, at[0], sizeof point);
    point[which] = value;
    ck_assert_int_eq(cgct_pa_eval(table, CGCT_QG, point, &T, &error), want);
    ck_assert(isnan(T) && isnan(error));
    ck_assert_int_eq(cgct_pa_check(table, CGCT_QG, point, &err), want);
    ck_assert_msg(strstr(err.text, word) != NULL, "<%s>, want <%s>", err.text, word);
}

START_TEST(refusals)
{
    refused(CGCT_E_DOMAIN, 1, 0, "z = 0");
    refused(CGCT_E_DOMAIN, 1, 1, "0 < z < 1");
    refused(CGCT_E_DOMAIN, 1, NAN, "0 < z < 1");
    refused(CGCT_E_DOMAIN, 2, 0, "k1 = 0");
    refused(CGCT_E_DOMAIN, 3, -1, "k2 = -1");
    refused(CGCT_E_DOMAIN, 4, INFINITY, "angle");
    refused(CGCT_E_DOMAIN, 5, 0, "Lambda = 0");
    refused(CGCT_E_DOMAIN, 5, 1e4, "Lambda = 10000");
    refused(CGCT_E_RANGE, 0, 0.02, "x = 0.02");
    refused(CGCT_E_RANGE, 2, 5, "q = ");
    const double collinear[6] = {0.01, 0.25, 0.5, 1.5, 0, 1};
    double T;
    cgct_err err = {""};
    ck_assert_int_eq(cgct_pa_check(table, CGCT_QG, collinear, &err), CGCT_E_DOMAIN);
    ck_assert(strstr(err.text, "collinear") && strstr(err.text, "z = 0.25"));
    ck_assert_int_eq(cgct_pa_eval(table, (cgct_channel)3, at[0], &T, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_pa_channels(table), 3);
}
END_TEST

/* Functions for photons refuse this table, and those of protons a table of photons. */
START_TEST(other_tables)
{
    double value[2], T;
    cgct_slice *slice;
    cgct_pa_slice *own;
    cgct_table *photons;
    cgct_err err = {""};
    ck_assert_int_eq(cgct_eval(table, 0.01, 1, 1, 1, 1, value), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_check(table, 0.01, 1, 1, 1, 1, &err), CGCT_E_USAGE);
    ck_assert(strstr(err.text, "process pa"));
    ck_assert_int_eq(cgct_reference(table, 0.01, 1, 1, 1, 1, value), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_slice_init(&slice, table, 0.01, 1, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_open(GOLDEN_SMALL, &photons, &err), CGCT_OK);
    ck_assert_int_eq(cgct_pa_eval(photons, CGCT_QG, at[0], &T, NULL), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_pa_slice_init(&own, photons, 0.01, &err), CGCT_E_USAGE);
    ck_assert_int_eq(cgct_pa_channels(photons), 0);
    cgct_close(photons);
    command_fails(&place, CGCTAB "eval t.cgct --x 0.01 --eps 1 --q 1 --k1 1 --theta 1", 1,
                  "process pa", "t.cgct");
    command_fails(&place, CGCTAB "eval t.cgct --process qg --eps 1", 2, "--eps", "photons");
    command_fails(&place,
                  CGCTAB "eval " GOLDEN_SMALL
                         " --process qg --x 0.01 --z 0.5 --k1 1 --k2 2 --angle 3 --Lambda 1",
                  1, "of a photon", "");
    command_fails(&place, GENERATE "run t.card -o u.cgct --set axes.eps=1,2", 2, "process = pa",
                  "eps");
    command_fails(&place, GENERATE "run t.card -o u.cgct --set correlator.Nc=3", 2, "colours", "");
    command_fails(&place, GENERATE "run t.card -o u.cgct --set inner.backend=direct", 2, "direct",
                  "separable");
    works(CGCTAB "verify t.cgct");
    static const char *const photons_only[] = {"list", "stats", "dump --node 0,0", "report -o page",
                                               "explore -o page"};
    for (size_t i = 0; i < sizeof photons_only / sizeof *photons_only; i++) {
        char line[128];
        snprintf(line, sizeof line, CGCTAB "%s t.cgct", photons_only[i]);
        command_fails(&place, line, 1, "use 'cgctab eval --process'", "");
    }
    command_fails(&place, CGCTAB "plot slice t.cgct -o p.png", 1, "use 'cgctab eval", "'plot'");
    command_fails(&place, CGCTAB "explore " GOLDEN_SMALL " t.cgct -o page", 1, "'explore'", "");
    command_fails(&place, CGCTAB "verify t.cgct --deep", 1, "either sign", "leave it out");
    command_fails(&place, CGCTAB "diff t.cgct " GOLDEN_SMALL, 2, "nothing to compare", "");
    ck_assert_int_ne(run("ls page p.png"), 0);
}
END_TEST

/* What `accuracy` says of all channels is the mean of what it says of each. */
START_TEST(accuracy)
{
    double found[4][5], mean[5] = {0};
    const char *const row[] = {"\nqg ", "\ngg ", "\nqqb ", "\nall "};
    works(CGCTAB "accuracy t.cgct");
    for (int i = 0; i < 4; i++) {
        const char *line = strstr(place.output, row[i]);
        ck_assert_msg(line && sscanf(line + strlen(row[i]),
                                     "0.01 0.01 1 1 %*f %*f 3 %lf %lf %lf %lf %lf", &found[i][0],
                                     &found[i][1], &found[i][2], &found[i][3], &found[i][4]) == 5,
                      "%s", place.output);
        for (int j = 0; j < 3 && i < 3; j++) mean[j] += found[i][j] / 3;
    }
    ck_assert_double_eq(found[3][0], 3 * mean[0]);
    for (int j = 1; j < 3; j++) ck_assert_double_eq_tol(found[3][j], mean[j], 2e-4);
    ck_assert(found[3][1] > 0.5 && found[3][3] > 1e-4 && found[3][4] > found[3][3]);
    works(CGCTAB "info t.cgct | grep 'as shares of T at z'");
}
END_TEST

/* Another share of the only part: `diff` finds the place, where T is that of both tables, and
 * check.sh that it is not what the card gives. */
START_TEST(changed)
{
    char path[PATH_SIZE], channel[4];
    double v[4], p[6], first, second, T;
    const double share = 2;
    size_t n, at_func = 0;
    cgct_table *other;
    works("mkdir one && cp t.cgct one");
    snprintf(path, sizeof path, "%s/one/t.cgct", place.folder);
    static const char manifest[] = "cd one && echo t.cgct $(sha256sum <t.cgct | cut -d' ' -f1) "
                                   "$(wc -c <t.cgct) >MANIFEST; cd .. && bash " TESTS_DIR
                                   "/../tables/check.sh " BIN_DIR " one 2>&1 | head -n 2";
    works(manifest);
    ck_assert_msg(strstr(place.output, "16 values made again: same") != NULL, "%s", place.output);
    works(CGCTAB "diff t.cgct one/t.cgct && " CGCTAB "diff t.cgct one/t.cgct --bounds");
    uint8_t *bytes = slurp(path, &n);
    while (memcmp(bytes + at_func, "FUNC", 4)) at_func++;
    memcpy(bytes + at_func + RESEAL_HEAD + 16, &share, sizeof share);
    reseal(bytes, n);
    spill(path, bytes, n);
    free(bytes);
    works(manifest);
    ck_assert_msg(strstr(place.output, "t.cgct: T of qg, z = 0.2") != NULL, "%s", place.output);
    ck_assert_int_eq(run(CGCTAB "diff t.cgct one/t.cgct"), 1);
    const char *where = strstr(place.output, "T of "), *values = strstr(place.output, "first");
    ck_assert_msg(where && values &&
                      sscanf(where, "T of %3s at x = %lf, z = %lf, q = %lf, k1 = %lf, theta = %lf",
                             channel, &p[0], &p[1], &v[0], &p[2], &v[1]) == 6 &&
                      sscanf(values, "first %lf GeV^-4 second %lf", &first, &second) == 2,
                  "%s", place.output);
    const double along = v[0] - p[2] * cos(v[1]), across = p[2] * sin(v[1]);
    p[3] = hypot(along, across);
    p[4] = v[1] + atan2(across, along);
    p[5] = 1;
    int c = 0;
    while (strcmp(names[c], channel) != 0) c++;
    ck_assert_int_eq(cgct_open(path, &other, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_pa_eval(table, (cgct_channel)c, p, &T, NULL), CGCT_OK);
    ck_assert_double_eq_tol(T, first, 1e-3 * fabs(T));
    ck_assert_int_eq(cgct_pa_eval(other, (cgct_channel)c, p, &T, NULL), CGCT_OK);
    ck_assert_double_eq_tol(T, second, 1e-3 * fabs(T));
    cgct_close(other);
}
END_TEST

/* Cross section in pb of all channels, x f = -3 ln x of u and of the gluon, alpha_s = 0.2, three
 * flavours, by random points of (x_p, z, P, q, angle) with dy1 dy2 d2k1 d2k2 = dz/(z(1-z)) dx_p/x_p
 * d2P d2q. */
typedef cgct_status (*call)(const cgct_table *, cgct_channel, const double[6], double *, double *);
static double direct(call of, double *error)
{
    enum { N = 100000 };
    cgct_info f;
    cgct_table_info(table, &f);
    uint64_t state = 9;
    double sum = 0, square = 0;
    const double E = 100, pt = 0.8, P0 = 0.8, P1 = 4, least = pt * exp(1) / E, pi = acos(-1);
    for (int i = 0; i < N; i++) {
        double u[5], sum_T = 0;
        for (int j = 0; j < 5; j++) u[j] = uniform(&state);
        const double x_p = pow(least, 1 - u[0]), z = u[1], phi = 2 * pi * u[4];
        const double P = P0 * pow(P1 / P0, u[2]), q = f.q[0] * pow(f.q[1] / f.q[0], u[3]);
        const double k1[2] = {P * cos(phi) + z * q, P * sin(phi)}, k2[2] = {q - k1[0], -k1[1]};
        const double l1 = hypot(k1[0], k1[1]), l2 = hypot(k2[0], k2[1]);
        const double y1 = log(2 * E * x_p * z / l1), y2 = log(2 * E * x_p * (1 - z) / l2);
        if (l1 < pt || l2 < pt || fmin(l1, l2) > 3 || fmin(y1, y2) < 1 || fmax(y1, y2) > 3)
            continue;
        const double angle = atan2(k1[0] * k2[1] - k1[1] * k2[0], k1[0] * k2[0] + k1[1] * k2[1]);
        const double point[6] = {0.01, z, l1, l2, angle, 1};
        for (int c = 0; c < 3; c++) {
            double T;
            const double many = c == CGCT_QQB ? 3 : c == CGCT_GG ? 0.5 : 1; /* a pair once */
            ck_assert_int_eq(of(table, (cgct_channel)c, point, &T, NULL), CGCT_OK);
            sum_T += many * cgct_pa_factor((cgct_channel)c, z) * fmax(T, 0);
        }
        const double measure =
            -log(least) / (z * (1 - z)) * log(P1 / P0) * log(f.q[1] / f.q[0]) * 4 * pi * pi;
        const double w =
            measure * P * P * q * q * -3 * log(x_p) * 0.2 * sum_T * 0.3893793721e9 * 42;
        sum += w / N;
        square += w * w / N;
    }
    *error = sqrt((square - sum * sum) / N);
    return sum;
}

/* Those of T, and with --dilute those of its dilute limit. */
START_TEST(events)
{
    double sigma, error, own_error;
    char line[512], text[1024] = "Format: lhagrid1\n---\n1e-6 1e-3 0.1 1\n0.5 1000\n2 21\n";
    for (int i = 0; i < 8; i++) {
        const double xf = -3 * log((const double[]){1e-6, 1e-3, 0.1, 1}[i / 2]);
        sprintf(text + strlen(text), "%.15e %.15e\n", xf, xf);
    }
    write_file("pdf.dat", strcat(text, "---\n"));
    snprintf(line, sizeof line,
             BIN_DIR "/cgctab-events t.cgct --process pa --beams 100x100 --y 1:3 --pt 0.8 "
                     "--K 0.8:4 --pdf pdf.dat --alpha-s 0.2 --S-perp 42 --freeze -n 300 -o e.lhe "
                     "%s && grep -c '<event>' e.lhe && (grep -c dilute e.lhe; true) | grep -x %d",
             _i ? "--dilute" : "", _i);
    works(line);
    ck_assert_msg(strstr(place.output, "\n300\n"), "%s", place.output);
    ck_assert_int_eq(sscanf(place.output, "cross section %lf +- %lf", &sigma, &own_error), 2);
    const double want = direct(_i ? cgct_pa_dilute : cgct_pa_eval, &error);
    ck_assert_msg(hypot(error, own_error) < 0.03 * want, "%g +- %g", want, error);
    CHECK_ABS(sigma, want, 4 * hypot(error, own_error));
}
END_TEST

/* Any number of FUNC changed, and its sizes: refused, or evaluated without a crash. */
START_TEST(damage)
{
    char path[PATH_SIZE], other[PATH_SIZE];
    size_t n, at_func = 0;
    snprintf(path, sizeof path, "%s/t.cgct", place.folder);
    snprintf(other, sizeof other, "%s/d.cgct", place.folder);
    uint8_t *bytes = slurp(path, &n);
    for (size_t i = 0; i + 4 < n && !at_func; i++)
        if (!memcmp(bytes + i, "FUNC", 4)) at_func = i + RESEAL_HEAD;
    ck_assert_uint_gt(at_func, 0);
    /* parts, nodes, the exponents of k_end, the share, an error and a value; then what it is */
    const struct {
        size_t at;
        uint8_t value;
        const char *word;
    } change[] = {{0, 2, "FUNC"},
                  {4, 9, "FUNC"},
                  {15, 0, "FUNC: ends"},
                  {15, 0x7f, NULL},
                  {16 + 7, 0xbf, "number 0"},
                  {24 + 7, 0xbf, "number 1"},
                  {48 + 7, 0x7f, "number 4"}};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        cgct_table *t = NULL;
        cgct_err err = {""};
        const uint8_t was = bytes[at_func + change[i].at];
        bytes[at_func + change[i].at] = change[i].value;
        reseal(bytes, n);
        spill(other, bytes, n);
        ck_assert_int_eq(cgct_open(other, &t, &err), CGCT_E_FORMAT);
        ck_assert_msg(!change[i].word || strstr(err.text, change[i].word), "%zu: %s", i, err.text);
        bytes[at_func + change[i].at] = was;
    }
    free(bytes);
}
END_TEST

/* A polynomial in u = ln x through all four nodes is exact for u^3.  The one that leaves out the
 * node farthest from the middle of a cell is off by the product of the distances of the other
 * three: 3/8 in the first two cells, 2 in the last. */
START_TEST(interpolation_of_functions)
{
    enum { NODES = 4, PARTS = 2 };
    static const double u[NODES] = {0, 1, 2, 4}, known[NODES] = {0.01, 0.02, 0.03, 0.04};
    static const double cubic[NODES] = {0.375, 0.375, 2, 2};
    static double f[NODES][PARTS][FORWARD_BLOCK];
    double x[NODES];
    const run_settings c = {.x = {.n = NODES, .v = x, .panels = 1}};
    const run_job j = {.settings = &c, .nx = NODES};
    for (size_t i = 0; i < NODES; i++) {
        x[i] = exp(u[i]);
        for (size_t p = 0; p < PARTS; p++) {
            double *b = f[i][p];
            for (size_t k = 1; k < 4; k++) b[k] = known[i];
            for (size_t k = 4; k < FORWARD_BLOCK; k++) b[k] = 1 + u[i];
            b[4 + FORWARD_NODES + 7] = (double)(p + 1) * pow(u[i], 3);
        }
    }
    functions_interpolate(&j, PARTS, &f[0][0][0]);
    for (size_t i = 0; i < NODES; i++)
        for (size_t p = 0; p < PARTS; p++) {
            ck_assert_double_eq_tol(f[i][p][1], known[i], 1e-12);
            ck_assert_double_eq_tol(f[i][p][2], known[i] + (double)(p + 1) * cubic[i], 1e-12);
            ck_assert_double_eq_tol(f[i][p][3], known[i], 1e-12);
        }
}
END_TEST

/* Where the scale of the wave function exceeds the saturation momentum, X is negative.  That is no
 * reason to continue it from another q: it is known. */
START_TEST(negative_functions)
{
    write_file("n.card", "[dipole]\nkind = gbw\nQ0 = 0.05\n[correlator]\nprocess = pa\n"
                         "[axes]\nx = 1e-4\nq = 0.05 0.1 0.2\nk_max = 0.5\n"
                         "[accuracy]\ntolerance = 1e-3\nchecks = 0\n"
                         "[table]\nlower = 6\nupper = 6\n[output]\nbound = 1e-4\n");
    works(GENERATE "run n.card -o n.cgct --quiet");
    works("test $(" BIN_DIR "/cgctab get n.cgct continued) = 0");
    works(BIN_DIR
          "/cgctab get n.cgct error_max | awk '{ ok = $1 > 0 && $1 < 1e-2 } END { exit !ok }'");
    /* negative by its error alone: lost, and continued */
    works(GENERATE "run n.card -o n.cgct --quiet --set dipole.Q0=0.3 --set 'axes.q=1 3 10' "
                   "--set axes.k_max=6 --set output.bound=1e-2");
    works("test $(" BIN_DIR "/cgctab get n.cgct continued) -gt 0");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("run_forward");
    TCase *t = tcase_create("run_forward");
    tcase_add_unchecked_fixture(t, made, removed);
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, beside_point, 0, CHANNELS);
    tcase_add_test(t, double_scattering);
    tcase_add_test(t, stored);
    tcase_add_test(t, checks);
    tcase_add_test(t, dilute);
    tcase_add_test(t, digits_of_a_file);
    tcase_add_test(t, readers);
    tcase_add_test(t, refusals);
    tcase_add_test(t, other_tables);
    tcase_add_test(t, accuracy);
    tcase_add_test(t, changed);
    tcase_add_test(t, negative_functions);
    tcase_add_test(t, interpolation_of_functions);
    tcase_add_loop_test(t, events, 0, 2);
    tcase_add_test(t, damage);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
