/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab-events against a plain Monte Carlo integration over cgct_dsigma: cross section and
 * distributions, of massless and massive quarks, down to real photons; what the events' files hold;
 * wrong input. */
#include <math.h>

#include "command.h"
#include "have.h"
#include "reader/cgctab.h"
#include "run_suite.h"
#include "table_fixture.h"

#define TABLE TESTS_DIR "/../tables/proton-mve.cgct"
#define EVENTS BIN_DIR "/cgctab-events " TABLE " --S-perp 42 "
#define CUTS "--beams 27.5x920 --y 0.1:0.9 --z 0.2:0.7 --q 1:10 --pt 1.2 "
#define SOME "--Q2 4:40 "
#define ALL "--flavours u,d,s,c,b --m-light 0.2 --m-c 1.3 --m-b 4.5 "
#define PI 3.14159265358979323846

/* SORT: 2 (flavour - 1) and 1 more where the photon is longitudinal, in the middle of its bin. */
enum { Q2, Y, Z, Q, K1, THETA, DRAWN, SORT = DRAWN, VARIABLES, BINS = 10 };
static double edge[VARIABLES][2] = {{1.386294, 3.688879},
                                    {-2.302585, -0.105361},
                                    {0.2, 0.7},
                                    {0, 2.302585},
                                    {0.182322, 3.583519},
                                    {-PI, PI},
                                    {0, BINS}};

enum { FLAVOURS = 5 };
typedef struct {
    const char *options;
    double first_Q2, last_Q2;
    double mass[FLAVOURS + 1]; /* by the flavour, 1 d to 5 b; below 0: not wanted */
    double efficiency;
} run_case;
static const run_case cases[] = {
    {SOME "--m-light 0 ", 4, 40, {0, 0, 0, 0, -1, -1}, 0.75},
    {SOME ALL, 4, 40, {0, 0.2, 0.2, 0.2, 1.3, 4.5}, 0.75},
    {"--Q2 0:1 " ALL, 3e-9, 1, {0, 0.2, 0.2, 0.2, 1.3, 4.5}, 0.5}, /* 3e-9: (m_e y)^2 at y = 0.1 */
};

typedef struct {
    double sum[VARIABLES][BINS], square[VARIABLES][BINS], total, total2, n;
} histograms;

/* Logarithms of Q2, y, q and k1 are equidistant.  Variables from first to last - 1. */
static void fill(histograms *h, int first, int last, const double v[VARIABLES], double w)
{
    for (int i = first; i < last; i++) {
        double at = i == Z || i == THETA || i == SORT ? v[i] : log(v[i]);
        int bin = (int)floor(BINS * (at - edge[i][0]) / (edge[i][1] - edge[i][0]));
        bin = bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
        h->sum[i][bin] += w;
        h->square[i][bin] += w * w;
    }
}

static void fill_total(histograms *h, const double v[VARIABLES], double w)
{
    fill(h, 0, DRAWN, v, w);
    h->total += w;
    h->total2 += w * w;
    h->n++;
}

static double drawn(uint64_t *state, int i)
{
    return edge[i][0] + (edge[i][1] - edge[i][0]) * uniform(state);
}

/* Int dQ2 Q2 f is what the fluxes are for; with their own formula, m the electron's mass. */
static void fluxes(double y, double virtuality, double f[2])
{
    const double m = 0.51099895e-3, unit = 1 / 137.036 / (2 * PI * y * virtuality);
    f[CGCT_T] = unit * (1 + (1 - y) * (1 - y) - 2 * m * m * y * y / virtuality);
    f[CGCT_L] = unit * 2 * (1 - y);
    if (virtuality < m * m * y * y / (1 - y)) f[CGCT_T] = f[CGCT_L] = 0;
}

/* One point of the plain integration: the weight of each sort; 0 outside of the cuts. */
static void direct_weights(const cgct_table *t, const run_case *c, const double v[VARIABLES],
                           double w[BINS])
{
    double f[2], k2 = sqrt(v[K1] * v[K1] + v[Q] * v[Q] - 2 * v[K1] * v[Q] * cos(v[THETA]));
    double shorter = k2 < v[K1] ? k2 : v[K1];
    double measure = v[Q2] * v[Y] * 2 * PI * v[Q] * v[Q] * v[K1] * v[K1] * 0.3893793721e9;
    memset(w, 0, BINS * sizeof *w);
    if (shorter < 1.2 || shorter > 25) return;
    for (int i = 0; i < DRAWN; i++) measure *= edge[i][1] - edge[i][0];
    fluxes(v[Y], v[Q2], f);
    double d[2] = {0, 0}; /* of the charge 1: the same for flavours of equal mass */
    for (int id = 1; id <= FLAVOURS; id++) {
        const double m2 = c->mass[id] * c->mass[id], charge2 = (id % 2 ? 1 : 4) / 9.0;
        const double M2 = (v[K1] * v[K1] + m2) / v[Z] + (k2 * k2 + m2) / (1 - v[Z]);
        const double x = (v[Q2] + M2) / (v[Y] * 4 * 27.5 * 920);
        const cgct_dis dis = {1 / 137.036, 1, 42, v[Z], v[Q2], c->mass[id]};
        if (c->mass[id] < 0 || x > 0.008 || x < 1e-5) continue;
        if ((id == 1 || c->mass[id] != c->mass[id - 1]) &&
            cgct_dsigma(t, &dis, x, v[Q], v[K1], v[THETA], d) != CGCT_OK)
            ck_abort_msg("no cross section at x %g, q %g, k1 %g", x, v[Q], v[K1]);
        for (int photon = 0; photon < 2; photon++)
            w[2 * (id - 1) + photon] = measure * f[photon] * charge2 * d[photon];
    }
}

static void integrate(const run_case *c, histograms *h, int n)
{
    cgct_table *t;
    cgct_err err;
    uint64_t state = 7;
    ck_assert_msg(cgct_open(TABLE, &t, &err) == CGCT_OK, "%s", err.text);
    memset(h, 0, sizeof *h);
    edge[Q2][0] = log(c->first_Q2);
    edge[Q2][1] = log(c->last_Q2);
    for (int i = 0; i < n; i++) {
        double v[VARIABLES], w[BINS], sum = 0;
        for (int j = 0; j < DRAWN; j++) v[j] = drawn(&state, j);
        v[Q2] = exp(v[Q2]), v[Y] = exp(v[Y]), v[Q] = exp(v[Q]), v[K1] = exp(v[K1]);
        direct_weights(t, c, v, w);
        for (int j = 0; j < BINS; j++) {
            v[SORT] = j + 0.5;
            fill(h, SORT, VARIABLES, v, w[j] / n);
            sum += w[j] / n;
        }
        fill_total(h, v, sum);
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
        char photon;
        int flavour;
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%*f,%*f,%*f,%c,%d,", &x, v, v + 1, v + 2,
                   v + 3, v + 4, v + 5, &photon, &flavour) != 9)
            continue;
        v[SORT] = 2 * (flavour - 1) + (photon == 'L') + 0.5;
        fill(h, SORT, VARIABLES, v, 1);
        fill_total(h, v, 1);
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
    static const char *const name[VARIABLES] = {"Q2", "y", "z", "q", "k1", "theta", "sort"};
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
    const run_case *c = &cases[_i];
    char line[256];
    integrate(c, &direct, (_i ? 300000 : 600000) * test_mult());
    double error = sqrt(direct.total2 - direct.total * direct.total / direct.n);
    snprintf(line, sizeof line, "%s-n 20000 --csv -o e.csv", c->options);
    events_run(line);
    double sigma = printed("cross section  "), own = printed("+- ");
    double pull = (sigma - direct.total) / sqrt(error * error + own * own);
    printf("cross section %g +- %g pb, direct %g +- %g pb: %.2f sigma\n", sigma, own, direct.total,
           error, pull);
    ck_assert_msg(fabs(pull) < 3, "%g +- %g pb, direct integration %g +- %g pb", sigma, own,
                  direct.total, error);
    ck_assert_double_lt(error / direct.total, 0.01);
    ck_assert_double_gt(printed("efficiency     "), c->efficiency);
    read_events(&events);
    ck_assert_double_eq(events.n, 20000);
    same_distributions(&direct, &events);
    if (_i != 1 && test_mult() == 1) return; /* one case suffices for what follows */
    /* the first of a block, in which trials are not evaluated in the order in which they stand */
    snprintf(line, sizeof line, "%s-n 600 --csv -o e.csv", c->options);
    events_run(line);
    read_events(&events);
    ck_assert_double_eq(events.n, 600);
    same_distributions(&direct, &events);
}
END_TEST

/* Parts of a range in Q2 that begins at the least Q2 of each y have cells of another size. */
START_TEST(parts_of_photoproduction)
{
    static const char *const range[] = {"0:3e-6", "0:3e-7", "3e-7:1e-6", "1e-6:3e-6"};
    double whole = 0, square = 0;
    for (int i = 0; i < 4; i++) {
        char command[256];
        snprintf(command, sizeof command, EVENTS "--beams 18x275 --flavours b --dry-run --Q2 %s",
                 range[i]);
        ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
        const double sigma = printed("cross section  "), error = printed("+- ");
        whole += i ? -sigma : sigma;
        square += error * error;
    }
    ck_assert_msg(fabs(whole) < 4 * sqrt(square), "differ by %g +- %g pb", whole, sqrt(square));
}
END_TEST

/* Parts of a range in z: of quarks and antiquarks z and 1 - z are alike. */
START_TEST(parts_of_z)
{
    static const char *const range[] = {"0.1:0.9", "0.3:0.7", "0.1:0.3", "0.7:0.9", "0.98:0.985"};
    double sigma[5], error[5];
    for (int i = 0; i < 5; i++) {
        char command[256];
        snprintf(command, sizeof command, EVENTS "--beams 27.5x920 --Q2 40:90 --dry-run --z %s",
                 range[i]);
        ck_assert_msg(command_run(&place, command) == 0, "%s", place.output);
        sigma[i] = printed("cross section  ");
        error[i] = printed("+- ");
        ck_assert_double_gt(printed("efficiency     "), 0.6);
        ck_assert(strstr(place.output, "shorter momenta above 25 GeV and q above 25 GeV"));
    }
    const double whole = sigma[1] + sigma[2] + sigma[3];
    ck_assert(fabs(whole - sigma[0]) <
              4 * hypot(hypot(error[0], error[1]), hypot(error[2], error[3])));
    ck_assert(fabs(sigma[2] - sigma[3]) < 4 * hypot(error[2], error[3]));
}
END_TEST

/* ---- Les Houches files ---- */

static double dot(const double *a, const double *b)
{
    return a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Four-momenta in the order gluon, e, e', q, qbar, with their masses; x, z, q, k1, theta of the
 * remark. */
static void check_event(double p[5][4], const double mass[5], const double remark[5])
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
        ck_assert_double_le(fabs(dot(p[i], p[i]) - mass[i] * mass[i]),
                            1e-11 * (1 + p[i][3] * p[i][3]));
    double virtuality = -dot(photon, photon), two = 2 * dot(P, photon);
    for (int i = 0; i < 4; i++) n[i] = photon[i] + virtuality / two * P[i];
    ck_assert_double_eq_tol(dot(P, p[3]) / dot(P, photon), remark[1], 1e-7);
    ck_assert_double_eq_tol(dot(p[0], n) / dot(P, n), remark[0], 1e-7 * remark[0] + 1e-9);
    ck_assert_double_eq_tol(sqrt(-dot(p[0], p[0])), remark[2], 1e-6 * remark[2]);
    /* transverse to P and n: k^2 = 2 (k.P)(k.n)/(P.n) - m^2 */
    double k = sqrt(2 * dot(p[3], P) * dot(p[3], n) / dot(P, n) - mass[3] * mass[3]);
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
        double p[5][4], mass[5], remark[5];
        int id[5], status[5], colour[5], anti[5], m;
        if (strcmp(line, "<event>\n") != 0) continue;
        ck_assert(fgets(line, sizeof line, f) && !strncmp(line, "5 1 1.00000000e+00 ", 19));
        for (int i = 0; i < 5; i++) {
            ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
            ck_assert_int_eq(sscanf(line, "%d %d %d %d %d %d %lf %lf %lf %lf %lf", &id[i],
                                    &status[i], &m, &m, &colour[i], &anti[i], &p[i][0], &p[i][1],
                                    &p[i][2], &p[i][3], &mass[i]),
                             11);
            ck_assert_int_eq(status[i], i < 2 ? -1 : 1);
        }
        ck_assert(id[0] == 21 && id[1] == 11 && id[2] == 11 && id[3] == -id[4] && id[3] > 0);
        ck_assert(mass[1] == 5.1099895e-4 && mass[2] == mass[1] && mass[3] == mass[4]);
        ck_assert(mass[3] == (id[3] < 4 ? 0.2 : id[3] == 4 ? 1.3 : 4.5));
        ck_assert(colour[0] == colour[3] && anti[0] == anti[4] && colour[0] && !anti[3]);
        while (fgets(line, sizeof line, f) && line[0] != '#') continue;
        ck_assert_int_eq(sscanf(line, "# x %lf z %lf q %lf k1 %lf theta %lf", remark, remark + 1,
                                remark + 2, remark + 3, remark + 4),
                         5);
        check_event(p, mass, remark);
        ck_assert(fgets(line, sizeof line, f) && !strcmp(line, "</event>\n"));
        events++;
    }
    ck_assert_str_eq(line, "</LesHouchesEvents>\n");
    return events;
}

START_TEST(les_houches_files)
{
    char path[64];
    events_run(SOME ALL "-n 3000 -o a.lhe");
    double sigma = printed("cross section  ");
    snprintf(path, sizeof path, "%s/a.lhe", place.folder);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(read_lhef(f), 3000);
    fclose(f);
    ck_assert_int_eq(command_run(&place, "sed -n '/^<init>/{n;n;p}' a.lhe"), 0);
    ck_assert_double_eq_tol(atof(place.output), sigma, 1e-5 * sigma);
    if (!have("python3")) return;
    if (command_run(&place, "python3 -c 'import xml.dom.minidom'") != 0) {
        printf("skipped: python3 has no xml.dom.minidom\n");
        return;
    }
    ck_assert_msg(command_run(&place, "python3 -c \"import xml.dom.minidom as m; "
                                      "print(len(m.parse('a.lhe').getElementsByTagName('event')))"
                                      "\"") == 0,
                  "%s", place.output);
    ck_assert_int_eq(atoi(place.output), 3000);
}
END_TEST

/* The same for any number of threads, and others for another seed.  NAME.gz holds the same text,
 * its header included. */
START_TEST(threads_seeds_and_compressed)
{
    events_run(SOME "-n 5000 --threads 2 --seed 3 -o a.lhe");
    events_run(SOME "-n 5000 --threads 2 --seed 4 -o c.lhe");
    ck_assert_int_ne(command_run(&place, "cmp a.lhe c.lhe"), 0);
    if (command_run(&place, EVENTS CUTS SOME "-n 5000 --threads 1 --seed 3 -o b.lhe.gz") != 0) {
        ck_assert_msg(strstr(place.output, "built without zlib") != NULL, "%s", place.output);
        events_run(SOME "-n 5000 --threads 1 --seed 3 -o b.lhe");
        ck_assert_int_eq(command_run(&place, "cmp a.lhe b.lhe"), 0);
        return;
    }
    events_run(SOME "-n 5000 --threads 2 --seed 3 -o a.lhe.gz");
    ck_assert_int_eq(command_run(&place, "cmp a.lhe.gz b.lhe.gz && zcat b.lhe.gz | cmp - a.lhe"),
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
    command_fails(&place, EVENTS "--beams 18x275 --q 0.01:2 --dry-run", 2, w, "from 0.02 to 25");
    command_fails(&place, EVENTS "--beams 18x275 --pt 30 --dry-run", 1, w, "leaves nothing");
    command_fails(&place, EVENTS "--beams 18x275 --K 5:3 --dry-run", 2, w, "LO < HI");
    command_fails(&place, EVENTS "--beams 18x275 --K 1:2 --q 1:3 --pt 3 --dry-run", 1, w,
                  "is 3 GeV or more, and must be below 2.5 GeV");
    command_fails(&place, EVENTS "--beams 18x275 --K 50:60 --q 1:3 --dry-run", 1, w,
                  "is 47.3 GeV or more, and must be below 25 GeV");
    command_fails(&place, EVENTS "--beams 18x275 --K 3:3.0000001 -o a.lhe", 1, "none of 65536",
                  "other beams, or --freeze");
    command_fails(&place, EVENTS "--beams 18x275 --K 24:25 --dry-run", 1, w, "no events");
    command_fails(&place, EVENTS "--beams 0.1x0.5 --dry-run", 1, w, "no events");
    command_fails(&place, EVENTS "--beams 5x41 --pt 2 --dry-run", 1, "leave nothing", "--freeze");
    command_fails(&place, EVENTS "--beams 1x1 --freeze --dry-run", 1, "leave nothing",
                  "beams of higher energy");
    command_fails(&place, EVENTS "--beams 18x275 --flavours c,d,c --dry-run", 2, w, "has c twice");
    command_fails(&place, EVENTS "--beams 18x275 --flavours t --dry-run", 2, w, "u,d,s,c,b");
    command_fails(&place, EVENTS "--beams 18x275 --flavours u, --dry-run", 2, w, "u,d,s,c,b");
    command_fails(&place, EVENTS "--beams 18x275 --flavours '' --dry-run", 2, w, "u,d,s,c,b");
    command_fails(&place, EVENTS "--beams 18x275 --m-c -1 --dry-run", 2, w, "from 0 to 1000");
    command_fails(&place, EVENTS "--beams 18x275 --m-b nan --dry-run", 2, w, "from 0 to 1000");
    command_fails(&place, EVENTS "--beams 18x275 --m-light 1e4 --dry-run", 2, w, "from 0 to 1000");
    command_fails(&place, EVENTS "--beams 18x275 --Q2 0:1e-10 --dry-run", 2, w, "minimum 6.87e-10");
    command_fails(&place, EVENTS "--beams 18x275 --Q2 -1:1 --dry-run", 2, w, "from 0 to 1e+06");
    command_fails(&place, EVENTS "--beams 18x275 --Q2 0:1e-3 --m-light 0 --dry-run", 1, w,
                  "u: Q2, z and the mass 0 GeV give eps from");
    command_fails(&place, EVENTS "--beams 2x10 --flavours b --dry-run", 1, w,
                  "b: the beams lie below the threshold");
    command_fails(&place, EVENTS "--beams 18x275 --y 0.05:0.06 --flavours u,b --dry-run", 1, w,
                  "b: x is");
    command_fails(&place, EVENTS "--beams 18x275 --Q2 5000:6000 --dry-run", 1, w, "no events");
    command_fails(&place, BIN_DIR "/cgctab-events none.cgct --beams 1x1 --dry-run", 1, w, "none");
    command_fails(&place, EVENTS CUTS "-o none/a.lhe", 1, w, "none");
    command_fails(&place, LIMIT_FILES "200; " EVENTS CUTS "-o full.lhe", 1, w, "full.lhe");
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
    tcase_add_loop_test(c, cross_section_and_distributions, 0, sizeof cases / sizeof *cases);
    tcase_add_test(c, parts_of_photoproduction);
    tcase_add_test(c, parts_of_z);
    tcase_add_test(c, les_houches_files);
    tcase_add_test(c, threads_seeds_and_compressed);
    tcase_add_test(c, wrong_input);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
