/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab-events against a plain Monte Carlo integration over cgct_dsigma: cross section and
 * distributions; what the events' files hold; wrong input. */
#include <math.h>

#include "command.h"
#include "reader/cgctab.h"
#include "run_suite.h"
#include "table_fixture.h"

#define TABLE TESTS_DIR "/../tables/proton-mve.cgct"
#define EVENTS BIN_DIR "/cgctab-events " TABLE " --S-perp 42 "
#define CUTS "--beams 27.5x920 --Q2 4:40 --y 0.1:0.9 --z 0.2:0.7 --q 1:10 --pt 1.2 "
#define PI 3.14159265358979323846

enum { Q2, Y, Z, Q, K1, THETA, VARIABLES, BINS = 10 };
static const double edge[VARIABLES][2] = {{1.386294, 3.688879}, {-2.302585, -0.105361}, {0.2, 0.7},
                                          {0, 2.302585},        {0.182322, 3.583519},   {-PI, PI}};

typedef struct {
    double sum[VARIABLES][BINS], square[VARIABLES][BINS], total, total2, n;
} histograms;

/* Logarithms of Q2, y, q and k1 are equidistant. */
static void fill(histograms *h, const double v[VARIABLES], double w)
{
    for (int i = 0; i < VARIABLES; i++) {
        double at = i == Z || i == THETA ? v[i] : log(v[i]);
        int bin = (int)floor(BINS * (at - edge[i][0]) / (edge[i][1] - edge[i][0]));
        bin = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
        h->sum[i][bin] += w;
        h->square[i][bin] += w * w;
    }
    h->total += w;
    h->total2 += w * w;
}

static double drawn(uint64_t *state, int i)
{
    return edge[i][0] + (edge[i][1] - edge[i][0]) * uniform(state);
}

/* One point of the plain integration; 0 outside of the cuts. */
static double direct_weight(const cgct_table *t, const double v[VARIABLES])
{
    double d[2], k2 = sqrt(v[K1] * v[K1] + v[Q] * v[Q] - 2 * v[K1] * v[Q] * cos(v[THETA]));
    double shorter = k2 < v[K1] ? k2 : v[K1];
    double x = (v[Q2] + v[K1] * v[K1] / v[Z] + k2 * k2 / (1 - v[Z])) / (v[Y] * 4 * 27.5 * 920);
    const cgct_dis dis = {1 / 137.036, 2.0 / 3, 42, v[Z], v[Q2]};
    if (shorter < 1.2 || shorter > 25 || x > 0.008 || x < 1e-5) return 0;
    ck_assert_int_eq(cgct_dsigma(t, &dis, x, v[Q], v[K1], v[THETA], d), CGCT_OK);
    double alpha = 1 / 137.036, flux = alpha / (2 * PI * v[Y] * v[Q2]);
    double sum = flux * ((1 + pow(1 - v[Y], 2)) * d[CGCT_T] + 2 * (1 - v[Y]) * d[CGCT_L]);
    double measure = v[Q2] * v[Y] * 2 * PI * v[Q] * v[Q] * v[K1] * v[K1];
    for (int i = 0; i < VARIABLES; i++) measure *= edge[i][1] - edge[i][0];
    return measure * sum * 0.3893793721e9;
}

static void integrate(histograms *h, int n)
{
    cgct_table *t;
    cgct_err err;
    uint64_t state = 7;
    ck_assert_msg(cgct_open(TABLE, &t, &err) == CGCT_OK, "%s", err.text);
    memset(h, 0, sizeof *h);
    for (int i = 0; i < n; i++) {
        double v[VARIABLES];
        for (int j = 0; j < VARIABLES; j++) v[j] = drawn(&state, j);
        v[Q2] = exp(v[Q2]), v[Y] = exp(v[Y]), v[Q] = exp(v[Q]), v[K1] = exp(v[K1]);
        fill(h, v, direct_weight(t, v) / n);
        h->n++;
    }
    cgct_close(t);
}

/* After "word" in what was printed. */
static double printed(const char *word)
{
    const char *at = strstr(place.output, word);
    ck_assert_msg(at != NULL, "no '%s' in: %s", word, place.output);
    return atof(at + strlen(word));
}

static void events_run(const char *arguments)
{
    char line[1024];
    snprintf(line, sizeof line, EVENTS CUTS "%s", arguments);
    ck_assert_msg(command_run(&place, line) == 0, "%s: %s", line, place.output);
}

static void read_events(histograms *h)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "%s/e.csv", place.folder);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    memset(h, 0, sizeof *h);
    while (fgets(line, sizeof line, f)) {
        double x, v[VARIABLES];
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,", &x, v, v + 1, v + 2, v + 3, v + 4,
                   v + 5) != 7)
            continue;
        fill(h, v, 1);
        h->n++;
    }
    fclose(f);
}

enum { LEAST = 5 }; /* events that a bin must expect; those with fewer are put together */

static double chi_square(const histograms *direct, const histograms *events, int i, int *bins)
{
    double chi2 = 0, left[3] = {0, 0, 0};
    *bins = 0;
    for (int j = 0; j <= BINS; j++) {
        double a = j < BINS ? direct->sum[i][j] / direct->total : left[0];
        double b = j < BINS ? events->sum[i][j] / events->n : left[1];
        double variance = j < BINS ? direct->square[i][j] / pow(direct->total, 2) : left[2];
        if (a * events->n < LEAST) {
            left[0] += a, left[1] += b, left[2] += variance;
            continue;
        }
        chi2 += (a - b) * (a - b) / (variance + a / events->n);
        ++*bins;
    }
    return chi2;
}

/* Per variable: squared differences over the variance of both, that of the events as expected. */
static void same_distributions(const histograms *direct, const histograms *events)
{
    static const char *const name[VARIABLES] = {"Q2", "y", "z", "q", "k1", "theta"};
    for (int i = 0; i < VARIABLES; i++) {
        int bins;
        double chi2 = chi_square(direct, events, i, &bins);
        printf("%-5s chi2 %.1f, %d bins\n", name[i], chi2, bins);
        ck_assert_msg(bins > 3 && chi2 < bins + 5 * sqrt(2.0 * bins), "%s: chi2 %g for %d bins",
                      name[i], chi2, bins);
    }
}

START_TEST(cross_section_and_distributions)
{
    static histograms direct, events;
    integrate(&direct, 600000 * test_mult());
    double error = sqrt(direct.total2 - direct.total * direct.total / direct.n);
    events_run("-n 20000 --csv -o e.csv");
    double sigma = printed("cross section  "), own = printed("+- ");
    double pull = (sigma - direct.total) / sqrt(error * error + own * own);
    printf("cross section %g +- %g pb, direct %g +- %g pb: %.2f sigma\n", sigma, own, direct.total,
           error, pull);
    ck_assert_msg(fabs(pull) < 3, "%g +- %g pb, direct integration %g +- %g pb", sigma, own,
                  direct.total, error);
    ck_assert_double_lt(error / direct.total, 0.01);
    ck_assert_double_gt(printed("efficiency     "), 0.75);
    read_events(&events);
    ck_assert_double_eq(events.n, 20000);
    same_distributions(&direct, &events);
    /* the first of a block, in which trials are not evaluated in the order in which they stand */
    events_run("-n 600 --csv -o e.csv");
    read_events(&events);
    ck_assert_double_eq(events.n, 600);
    same_distributions(&direct, &events);
}
END_TEST

/* ---- Les Houches files ---- */

static double dot(const double *a, const double *b)
{
    return a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Four-momenta in the order gluon, e, e', q, qbar; x, z, q, k1, theta of the remark. */
static void check_event(double p[5][4], const double remark[5])
{
    const double P[4] = {0, 0, 920, 920};
    double photon[4], n[4], pair[4];
    for (int i = 0; i < 4; i++) {
        double all = p[0][i] + p[1][i] - p[2][i] - p[3][i] - p[4][i];
        ck_assert_double_le(fabs(all), 1e-9);
        photon[i] = p[1][i] - p[2][i];
        pair[i] = p[3][i] + p[4][i];
    }
    for (int i = 1; i < 5; i++)
        ck_assert_double_le(fabs(dot(p[i], p[i])), 1e-9 * (1 + p[i][3] * p[i][3]));
    double virtuality = -dot(photon, photon), two = 2 * dot(P, photon);
    for (int i = 0; i < 4; i++) n[i] = photon[i] + virtuality / two * P[i];
    ck_assert_double_eq_tol(dot(P, p[3]) / dot(P, photon), remark[1], 1e-7);
    ck_assert_double_eq_tol(dot(p[0], n) / dot(P, n), remark[0], 1e-7 * remark[0] + 1e-9);
    ck_assert_double_eq_tol(sqrt(-dot(p[0], p[0])), remark[2], 1e-6 * remark[2]);
    /* transverse to P and n: k^2 = 2 (k.P)(k.n)/(P.n) for a light-like k */
    double k = sqrt(2 * dot(p[3], P) * dot(p[3], n) / dot(P, n));
    ck_assert_double_eq_tol(k, remark[3], 1e-5 * remark[3]);
    double mass2 = dot(pair, pair);
    ck_assert_double_eq_tol((virtuality + mass2 + remark[2] * remark[2]) / two, remark[0],
                            1e-6 * remark[0]);
    ck_assert(virtuality > 4 - 1e-6 && virtuality < 40 + 1e-6);
}

static int read_lhef(FILE *f)
{
    char line[512];
    int events = 0;
    while (fgets(line, sizeof line, f)) {
        double p[5][4], remark[5];
        int id[5], status[5], colour[5], anti[5], m;
        if (strcmp(line, "<event>\n") != 0) continue;
        ck_assert(fgets(line, sizeof line, f) && !strncmp(line, "5 1 1.00000000e+00 ", 19));
        for (int i = 0; i < 5; i++) {
            ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
            ck_assert_int_eq(sscanf(line, "%d %d %d %d %d %d %lf %lf %lf %lf", &id[i], &status[i],
                                    &m, &m, &colour[i], &anti[i], &p[i][0], &p[i][1], &p[i][2],
                                    &p[i][3]),
                             10);
            ck_assert_int_eq(status[i], i < 2 ? -1 : 1);
        }
        ck_assert(id[0] == 21 && id[1] == 11 && id[2] == 11 && id[3] == -id[4] && id[3] > 0);
        ck_assert(colour[0] == colour[3] && anti[0] == anti[4] && colour[0] && !anti[3]);
        while (fgets(line, sizeof line, f) && line[0] != '#') continue;
        ck_assert_int_eq(sscanf(line, "# x %lf z %lf q %lf k1 %lf theta %lf", remark, remark + 1,
                                remark + 2, remark + 3, remark + 4),
                         5);
        check_event(p, remark);
        ck_assert(fgets(line, sizeof line, f) && !strcmp(line, "</event>\n"));
        events++;
    }
    ck_assert_str_eq(line, "</LesHouchesEvents>\n");
    return events;
}

START_TEST(les_houches_files)
{
    char path[64];
    events_run("-n 3000 -o a.lhe");
    double sigma = printed("cross section  ");
    snprintf(path, sizeof path, "%s/a.lhe", place.folder);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(read_lhef(f), 3000);
    fclose(f);
    ck_assert_int_eq(command_run(&place, "sed -n '/^<init>/{n;n;p}' a.lhe"), 0);
    ck_assert_double_eq_tol(atof(place.output), sigma, 1e-5 * sigma);
    if (command_run(&place, "python3 -c 'import xml.dom.minidom'") != 0) return;
    ck_assert_msg(command_run(&place, "python3 -c \"import xml.dom.minidom as m; "
                                      "print(len(m.parse('a.lhe').getElementsByTagName('event')))"
                                      "\"") == 0,
                  "%s", place.output);
    ck_assert_int_eq(atoi(place.output), 3000);
}
END_TEST

START_TEST(threads_and_seeds)
{
    events_run("-n 5000 --threads 1 --seed 3 -o a.lhe");
    events_run("-n 5000 --threads 2 --seed 3 -o b.lhe");
    events_run("-n 5000 --threads 2 --seed 4 -o c.lhe");
    ck_assert_int_eq(command_run(&place, "cmp a.lhe b.lhe"), 0);
    ck_assert_int_ne(command_run(&place, "cmp a.lhe c.lhe"), 0);
}
END_TEST

/* NAME.gz holds the same text, its header included, for any number of threads. */
START_TEST(compressed)
{
    if (command_run(&place, EVENTS CUTS "-n 3000 -o a.lhe.gz") != 0) {
        ck_assert_msg(strstr(place.output, "built without zlib") != NULL, "%s", place.output);
        return;
    }
    events_run("-n 3000 -o a.lhe");
    events_run("-n 3000 --threads 1 -o b.lhe.gz");
    ck_assert_int_eq(command_run(&place, "cmp a.lhe.gz b.lhe.gz && zcat a.lhe.gz | cmp - a.lhe"),
                     0);
}
END_TEST

START_TEST(wrong_input)
{
    const char *const w = "cgctab-events: ";
    command_fails(&place, EVENTS "--dry-run", 2, w, "--beams");
    command_fails(&place, EVENTS "--beams 18 --dry-run", 2, w, "want two energies");
    command_fails(&place, EVENTS "--beams 18x275", 2, w, "-o FILE");
    command_fails(&place, EVENTS "--beams 18x275 --dryrun", 2, w, "--dry-run");
    command_fails(&place, EVENTS "--beams 18x275 --z 0.9:0.1 --dry-run", 2, w, "LO < HI");
    command_fails(&place, EVENTS "--beams 18x275 --q 0.5:2 --dry-run", 2, w, "from 1 to 25");
    command_fails(&place, EVENTS "--beams 18x275 --pt 30 --dry-run", 1, w, "leaves nothing");
    command_fails(&place, EVENTS "--beams 18x275 --K 5:3 --dry-run", 2, w, "LO < HI");
    command_fails(&place, EVENTS "--beams 18x275 --K 1:2 --q 1:3 --pt 3 --dry-run", 1, w,
                  "is 3 GeV or more, and must be below 2.5 GeV");
    command_fails(&place, EVENTS "--beams 18x275 --K 50:60 --q 1:3 --dry-run", 1, w,
                  "is 47.3 GeV or more, and must be below 25 GeV");
    command_fails(&place, EVENTS "--beams 18x275 --K 24:25 --dry-run", 1, w, "no events");
    command_fails(&place, EVENTS "--beams 0.1x0.5 --dry-run", 1, w, "no events");
    command_fails(&place, EVENTS "--beams 5x41 --pt 2 --dry-run", 1, w, "leave nothing");
    command_fails(&place, EVENTS "--beams 18x275 --Q2 5000:6000 --dry-run", 1, w, "no events");
    command_fails(&place, BIN_DIR "/cgctab-events none.cgct --beams 1x1 --dry-run", 1, w, "none");
    command_fails(&place, EVENTS CUTS "-o none/a.lhe", 1, w, "none");
    command_fails(&place, "ulimit -f 200; " EVENTS CUTS "-o full.lhe", 1, w, "full.lhe");
    ck_assert_int_eq(command_run(&place, "ls | wc -l"), 0);
    ck_assert_int_eq(atoi(place.output), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dis_events");
    TCase *c = tcase_create("dis_events");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, cross_section_and_distributions);
    tcase_add_test(c, les_houches_files);
    tcase_add_test(c, threads_and_seeds);
    tcase_add_test(c, compressed);
    tcase_add_test(c, wrong_input);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
