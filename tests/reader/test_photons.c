/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real photons of ions in cgctab-events: their flux against its integral over
 * the impact parameter, with the probability that the nuclei do not touch, too; their transverse
 * momenta; tables of fluxes; cross section and events of a table whose I is constant. */
#include <gsl/gsl_sf_bessel.h>
#include <math.h>
#include <stdarg.h>

#include "command.h"
#include "field_table.h"
#include "reader/events/setup.h"
#include "run_suite.h"
#include "larger_error.h"

#define EVENTS BIN_DIR "/cgctab-events t.cgct "
#define PI 3.14159265358979323846
#define MASS 1.4
#define ALPHA (1 / 137.036)

static char complaint[512];

int ev_complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(complaint, sizeof complaint, format, args);
    va_end(args);
    return status;
}

double ev_uniform(ev_random *r)
{
    return uniform(&r->state);
}

/* 2 Z^2 alpha/(pi y) Int_xi^inf du u K1(u)^2, and what lies between the nodes of the program. */
START_TEST(integral_over_b)
{
    ev_photons p = {.n = 0};
    double worst = 0;
    int none[2] = {-1, -1};
    ck_assert_int_eq(ev_read_photons("ion:Z=79,bmin=13", 0, ALPHA, none, &p), 0);
    for (double y = 2e-7; y < 0.3; y *= 1.37) {
        const double xi = y * 0.9315 * 13 / 0.197327, top = 40 + xi;
        double sum = 0;
        if (xi > 25) break;
        const int n = 4000;
        for (int i = 0; i < n; i++) { /* midpoints in ln u */
            const double h = log(top / xi) / n, u = xi * exp(h * (i + 0.5));
            sum += h * u * u * pow(gsl_sf_bessel_K1(u), 2);
        }
        const double want = 2 * 79 * 79 / 137.036 / (PI * y) * sum, got = ev_photons_at(&p, y);
        worst = larger_error(worst, fabs(got / ev_ion_photons(ALPHA, 79, 13, y) - 1));
        ck_assert_msg(fabs(got / want - 1) < 2e-5, "y = %g: %g, want %g", y, got, want);
    }
    printf("between nodes %.1e of the flux at most\n", worst);
    ck_assert_double_lt(worst, 1e-7);
    free(p.ln);
}
END_TEST

/* A probability that jumps from 0 to 1 gives the closed form; nuclei of survival.ref. */
START_TEST(survival)
{
    enum { N = 200 };
    double P[N], worst = 0, energy, y, want;
    char emitter[8], target[8], text[64], line[128];
    ev_photons p = {.Z = 82};
    for (int i = 0; i < N; i++) P[i] = i >= 80; /* 0 at 12.9 and 1 at 13 fm */
    ck_assert_int_eq(ev_average_photons(ALPHA, N, 5, 0.1, P, &p), 0);
    for (y = 2e-7; y < 0.3; y *= 1.37)
        worst = larger_error(worst,
                             fabs(ev_photons_at(&p, y) / ev_ion_photons(ALPHA, 82, 12.95, y) - 1));
    printf("of a jump %.1e\n", worst);
    ck_assert_double_lt(worst, 5e-7); /* interpolated twice */
    free(p.ln);
    FILE *f = fopen(TESTS_DIR "/refs/survival.ref", "r");
    ck_assert_ptr_nonnull(f);
    worst = 0;
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%7s %7s %lf %lf %lf", emitter, target, &energy, &y, &want) != 5) continue;
        int pair[2] = {-1, -1};
        snprintf(text, sizeof text, "%s:target=%s,survival=woods-saxon", emitter, target);
        p = (ev_photons){.n = 0};
        ck_assert_msg(ev_read_photons(text, energy, ALPHA, pair, &p) == 0, "%s", complaint);
        const double got = y * ev_photons_at(&p, y);
        if (fabs(got / want - 1) > 3e-4) printf("%s y = %g: %g, want %g\n", text, y, got, want);
        worst = larger_error(worst, fabs(got / want - 1));
        free(p.ln);
        n++;
    }
    fclose(f);
    printf("with overlaps %.1e at %d points\n", worst, n);
    ck_assert_int_eq(n, 23);
    ck_assert(worst < 1e-3);
}
END_TEST

/* Shares of kT^2 below some values against the integral of kT^2 F^2/t^2, by midpoints in ln t. */
START_TEST(transverse_momenta)
{
    enum { N = 100000, STEPS = 20000 };
    static const double y[3] = {1e-4, 1e-2, 6e-2}, cut[3] = {1e-4, 1e-3, 5e-3};
    for (int i = 0; i < 6; i++) {
        int pair[2] = {-1, -1};
        ev_photons p = {.n = 0};
        ev_random r = {12};
        const char *text = i < 3 ? "Pb:target=Pb,kt=form-factor" : "p:target=Pb,kt=form-factor";
        ck_assert_int_eq(ev_read_photons(text, 5360, ALPHA, pair, &p), 0);
        const double low = pow(y[i % 3] * 0.9315, 2), range = log1p((i < 3 ? 0.25 : 1000) / low);
        const double R = 1.2 * cbrt(208) / 0.197327, a = 0.7 / 0.197327;
        double sum = 0, below[3] = {0, 0, 0};
        int n[3] = {0, 0, 0};
        for (int j = 0; j < STEPS; j++) {
            const double t = low * exp((j + 0.5) / STEPS * range), v = R * sqrt(t);
            const double F =
                i < 3 ? 3 * gsl_sf_bessel_jl(1, v) / v / (1 + a * a * t) : pow(1 + t / 0.71, -2);
            const double w = (1 - low / t) * F * F;
            sum += w;
            for (int k = 0; k < 3; k++) below[k] += t - low < cut[k] ? w : 0;
        }
        for (int j = 0; j < N; j++) {
            const double kt2 = ev_photon_kt2(&p, y[i % 3], &r);
            ck_assert(kt2 >= 0 && kt2 < (i < 3 ? 0.26 : 10.1));
            for (int k = 0; k < 3; k++) n[k] += kt2 < cut[k];
        }
        for (int k = 0; k < 3; k++) {
            const double want = below[k] / sum, got = (double)n[k] / N;
            ck_assert_msg(fabs(got - want) < 4 * sqrt(want * (1 - want) / N) + 2e-4,
                          "%s, y = %g: %g below %g GeV^2, want %g", text, y[i % 3], got, cut[k],
                          want);
        }
        free(p.ln);
    }
}
END_TEST

/* Straight lines in the logarithms of a table; what is refused. */
START_TEST(tables)
{
    static const char *const bad[] = {"1e-3 5\n1e-4 4\n", "1e-3 5\n2e-3 -1\n",  "0.1 3\n",
                                      "1e-3 5\n1e-3 4\n", "1e-3 nan\n2e-3 1\n", "1e-3 1\n1.5 1\n",
                                      "1e-3 1\n2e-2 1\n"};
    char path[96], text[128];
    ev_photons p = {.n = 0};
    for (int i = -1; i < 7; i++) {
        int none[2] = {-1, -1};
        snprintf(path, sizeof path, "%s/flux.dat", place.folder);
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(i < 0 ? "# 0nXn: y dN/dy\n1e-3 8 # first\n1e-2, 2\n0.1 0.5\n" : bad[i], f);
        ck_assert_int_eq(fclose(f), 0);
        snprintf(text, sizeof text, "table:%s", path);
        ck_assert_int_eq(ev_read_photons(text, 0, ALPHA, none, &p), i < 0 ? 0 : 1);
        if (i >= 0) ck_assert_msg(strstr(complaint, "flux.dat") != NULL, "%s", complaint);
        if (i >= 0) continue;
        ck_assert_double_eq_tol(ev_photons_at(&p, sqrt(1e-5)), 4, 1e-12);
        ck_assert_double_eq_tol(ev_photons_at(&p, 0.1), 0.5, 1e-12);
        ck_assert(ev_photons_at(&p, 0.11) == 0 && ev_photons_at(&p, 9e-4) == 0);
        free(p.ln);
        p = (ev_photons){.n = 0};
    }
}
END_TEST

START_TEST(words)
{
    static const char *const bad[] = {"U",
                                      "ion:Z=82",
                                      "Pb:b=3",
                                      "Pb:Z=-1",
                                      "Pb,bmin=nan",
                                      "ion",
                                      "Pb",
                                      "Pb,target=U",
                                      "Pb,survival=woods-saxon",
                                      "Pb,target=Pb,bmin=13,survival=woods-saxon",
                                      "p,target=p,survival=woods-saxon",
                                      "Pb,target=Pb,sigma=60",
                                      "Pb,target=Pb,kt=1"};
    ev_photons p = {.n = 0};
    double beam[2];
    int pair[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        p = (ev_photons){.n = 0};
        pair[0] = pair[1] = -1;
        ck_assert_msg(ev_read_photons(bad[i], 5360, ALPHA, pair, &p) == 2, "%s", bad[i]);
    }
    pair[0] = pair[1] = -1;
    ck_assert_int_eq(ev_read_photons("Pb:bmin=14.2", 5360, ALPHA, pair, &p), 0);
    ck_assert(p.Z == 82 && p.b_min == 14.2 && p.real && pair[0] >= 0 && pair[1] < 0);
    free(p.ln);
    ck_assert_int_eq(ev_read_collider("PbPb5.36", beam, pair), 1);
    ck_assert(pair[0] == pair[1] && fabs(beam[0] - 2680) < 1e-9 && fabs(beam[1] - 2680) < 1e-9);
    ck_assert_int_eq(ev_read_collider("pPb8.16", beam, pair), 1);
    p = (ev_photons){.n = 0}; /* the emitter of both */
    ck_assert_int_eq(ev_read_photons(NULL, 8160, ALPHA, pair, &p), 0);
    ck_assert(p.Z == 82 && strstr(p.name, "Pb on p"));
    free(p.ln);
    ck_assert(fabs(beam[0] * beam[1] * 4 / (8160. * 8160) - 1) < 1e-12);
    ck_assert(fabs(beam[1] / beam[0] - 208. / 82) < 1e-12);
    const char *const none[] = {"18x275", "PbPb", "Pbion5.36", "ionPb5.36", "ionion5.36"};
    for (size_t i = 0; i < 5; i++)
        ck_assert_msg(!ev_read_collider(none[i], beam, pair), "%s", none[i]);
}
END_TEST

/* ---- events ---- */

static double constant_field(size_t member, int pol, size_t m, const double at[4])
{
    (void)member, (void)at;
    return m ? 0 : log(pol ? 6. : 3.); /* I_T = 3, I_L = 6 GeV^-6 */
}

/* A member for each row of metadata. */
static void write_constant(size_t nmeta, const table_meta *meta)
{
    char path[64];
    field_table f = {.n = {2, 2, 3},
                     .v = {{1e-5, 1e-2}, {0.5, 2}, {1, 2, 4}},
                     .nl = 4,
                     .nu = 4,
                     .nm = 1,
                     .members = nmeta,
                     .k0 = 0.5,
                     .k_max = 8,
                     .bound = 1 / 1024.,
                     .field = constant_field,
                     .nmeta = nmeta};
    memcpy(f.meta, meta, nmeta * sizeof *meta);
    snprintf(path, sizeof path, "%s/t.cgct", place.folder);
    field_table_write(&f, path);
}

/* Of the target in the name of the beams, and of the dipole of the member that is taken. */
START_TEST(another_target)
{
    static const struct {
        const char *table, *beams, *warning;
    } cases[] = {
        {"one.cgct", "PbPb5.36", NULL},
        {"one.cgct", "AuAu0.2", "hit A = 197, and the dipole of one.cgct is that of A = 208"},
        {"t.cgct@Au", "AuAu0.2", NULL},
        {"t.cgct@Au", "PbPb5.36", "hit A = 208, and the dipole of t.cgct@Au is that of A = 197"},
        {"t.cgct@Au", "pPb8.16", "hit A = 1, and the dipole of t.cgct@Au is that of A = 197"},
        {"t.cgct@p", "pPb8.16", NULL},
        {"t.cgct@p", "AuAu0.2", "hit A = 197, and the dipole of t.cgct@p names no nucleus"},
        {"t.cgct", "PbPb5.36 --photon Pb,bmin=14", NULL},
        {"t.cgct", "2680x2680 --photon Pb,bmin=14", NULL},
        {"t.cgct", "2680x2680 --photon Pb,target=Au", "hit A = 197, and the dipole of t.cgct is"}};
    write_constant(1, (table_meta[]){{"dipole", "nucleus A = 208 over b: 4 nodes; all"}});
    ck_assert_int_eq(command_run(&place, "mv t.cgct one.cgct"), 0);
    write_constant(3, (table_meta[]){{"S_perp", "3000"},
                                     {"members", "bp Au p"},
                                     {"dipole", "bp: nucleus A = 208 over b: 4 nodes; Au: bk "
                                                "nucleus A = 197 at b = 0; p: bk"}});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[200];
        for (int quiet = 0; quiet < 2; quiet++) {
            snprintf(command, sizeof command,
                     BIN_DIR
                     "/cgctab-events %s --beams %s --flavours c --K 2:4 --S-perp 3000 --dry-run%s",
                     cases[i].table, cases[i].beams, quiet ? " --quiet" : "");
            ck_assert_msg(command_run(&place, command) == 0, "%s: %s", command, place.output);
            const int warned = strstr(place.output, "warning: the photons") != NULL;
            ck_assert_msg(warned == (cases[i].warning && !quiet), "%s: %s", command, place.output);
            if (warned) ck_assert_ptr_nonnull(strstr(place.output, cases[i].warning));
        }
    }
}
END_TEST

static double printed(const char *word)
{
    const char *at = strstr(place.output, word);
    ck_assert_msg(at != NULL, "no '%s' in: %s", word, place.output);
    return atof(at + strlen(word));
}

/* Charm, K 2:4, q 1:4, by points that are even in ln y, z, ln q and K. */
static double direct_section(double *error)
{
    enum { N = 400000 };
    uint64_t state = 11;
    double sum = 0, square = 0;
    const double ly = log(0.03 / 1e-5), lq = log(4);
    for (int i = 0; i < N; i++) {
        const double y = 1e-5 * exp(ly * uniform(&state)), z = 0.1 + 0.8 * uniform(&state);
        const double q = exp(lq * uniform(&state)), K = 2 + 2 * uniform(&state);
        const double x = (q * q + (K * K + MASS * MASS) / (z * (1 - z))) / (y * 5360. * 5360);
        const double u = y * 0.9315 * 14.2 / 0.197327, K0 = gsl_sf_bessel_K0(u);
        const double K1 = gsl_sf_bessel_K1(u);
        double w =
            2 * ly * 2 * 82 * 82 * ALPHA / PI * (u * K0 * K1 - u * u / 2 * (K1 * K1 - K0 * K0));
        w *= 6 / 137.036 * 4 / 9 * 3000 / pow(2 * PI, 6) * MASS * MASS *
             ((z * z + (1 - z) * (1 - z)) * 3 + 6);
        w *= 0.3893793721e9 * 0.8 * 2 * PI * q * q * lq * 4 * PI * K;
        if (x < 1e-5 || x > 1e-2) w = 0;
        sum += w / N;
        square += w * w / N;
    }
    *error = sqrt((square - sum * sum) / N);
    return sum;
}

START_TEST(events)
{
    enum { COUNT = 3000 };
    double error, want;
    char line[512], photon;
    int both[2] = {0, 0}, direction, n = 0;
    write_constant(1, &(table_meta){"S_perp", "3000"});
    want = direct_section(&error);
    int st = command_run(&place, EVENTS "--beams PbPb5.36 --photon Pb:bmin=14.2 --flavours c --q "
                                        "1:4 --K 2:4 --y 1e-5:0.03 -n 3000 --csv -o e.csv");
    ck_assert_msg(st == 0, "%s", place.output);
    const double sigma = printed("cross section  "), own = printed("+- ");
    printf("cross section %g +- %g pb, directly %g +- %g pb\n", sigma, own, want, error);
    ck_assert_double_lt(fabs(sigma - want), 3 * hypot(own, error));
    ck_assert_double_lt(error, 0.005 * want);
    char path[64];
    snprintf(path, sizeof path, "%s/e.csv", place.folder);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f)) {
        double v[4];
        if (sscanf(line, "%lf,%lf,%lf,%lf,%*f,%*f,%*f,%*f,%*f,%*f,%c,4,%*f,%*f,%d,1", v, v + 1,
                   v + 2, v + 3, &photon, &direction) != 6)
            continue;
        ck_assert(v[1] == 0 && photon == 'T' && v[2] > 1e-5 && v[2] < 0.03);
        both[direction > 0]++;
        n++;
    }
    fclose(f);
    ck_assert_int_eq(n, COUNT);
    ck_assert(abs(both[0] - both[1]) < 4 * sqrt(COUNT));
}
END_TEST

/* Photons with a transverse momentum, and soft gluons: x is that of Q2 = 0 with either. */
START_TEST(x_of_kt)
{
    static const char *const soft[] = {"", "--soft jets"};
    for (int i = 0; i < 2; i++) {
        char line[512];
        double s = 0, largest = 0, Q2 = 0;
        int n = 0;
        snprintf(line, sizeof line,
                 BIN_DIR "/cgctab-events " TESTS_DIR "/../tables/mv.cgct --S-perp 3000 --beams "
                         "PbPb5.36 --photon Pb,kt=form-factor --flavours c --m-c 1.4 --K 2:25 "
                         "--no-weights -n 100 --csv -o kt.csv %s",
                 soft[i]);
        ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
        snprintf(line, sizeof line, "%s/kt.csv", place.folder);
        FILE *f = fopen(line, "r");
        ck_assert_ptr_nonnull(f);
        while (fgets(line, sizeof line, f)) {
            double v[6]; /* x, Q2, y, z, q, K */
            const char *of_s = line[0] == '#' ? strstr(line, ", s = ") : NULL;
            if (of_s) s = atof(of_s + strlen(", s = "));
            if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%*f,%*f,%lf", v, v + 1, v + 2, v + 3, v + 4,
                       v + 5) != 6)
                continue;
            const double M2 = (v[5] * v[5] + MASS * MASS) / (v[3] * (1 - v[3]));
            largest = fmax(largest, fabs(v[0] * v[2] * s / (v[4] * v[4] + M2) - 1));
            Q2 = fmax(Q2, v[1]);
            n++;
        }
        fclose(f);
        ck_assert_int_eq(n, 100);
        ck_assert_double_gt(Q2, 1e-3);
        ck_assert_msg(largest < 2e-6, "%s: x is off by %g", soft[i], largest);
    }
}
END_TEST

/* One direction is half of both; the emitter's momentum is conserved in Les Houches files. */
START_TEST(les_houches)
{
    double both, one;
    write_constant(1, &(table_meta){"S_perp", "3000"});
    ck_assert_int_eq(command_run(&place,
                                 EVENTS "--beams 2680x2680 --photon Pb,target=Pb --flavours c --K "
                                        "2:4 -n 100 -o e.lhe"),
                     0);
    both = printed("cross section  ");
    ck_assert_int_eq(command_run(&place, "grep -c 'direction -*1$' e.lhe"), 0);
    ck_assert_int_eq(atoi(place.output), 100);
    ck_assert_int_eq(command_run(&place,
                                 "awk '/^[-0-9]+ -?1 / { n++; if (/nan/) bad++; for (i = 0; i < "
                                 "4; i++) s[i] += ($2 < 0 ? 1 : -1) * $(7 + i) } "
                                 "/^<.event>/ { events += n > 3; for (i = 0; i < 4; i++) { "
                                 "if (!(s[i] * s[i] <= 1e-8)) bad++; s[i] = 0 } n = 0 } "
                                 "END { print events, bad + 0 }' e.lhe"),
                     0);
    ck_assert_str_eq(place.output, "100 0\n");
    ck_assert_int_eq(command_run(&place,
                                 EVENTS "--beams 2680x2680 --photon Pb,target=Pb --flavours c --K "
                                        "2:4 --direction one -n 100 -o f.lhe"),
                     0);
    one = printed("cross section  ");
    ck_assert_double_eq_tol(both / one, 2, 0.03);
    command_fails(&place, EVENTS "--beams pPb8.16 --direction both --dry-run", 2,
                  "cgctab-events: ", "name the ions");
    command_fails(&place, EVENTS "--beams 2680x2680 --photon Pb,bmin=14 --direction both --dry-run",
                  2, "cgctab-events: ", "name the ions");
    command_fails(&place, EVENTS "--beams pPb8.16 --photon Au --dry-run", 2,
                  "cgctab-events: ", "--beams has Pb and p");
    command_fails(&place, EVENTS "--beams PbPb5.36 --Q2 0:1 --dry-run", 2,
                  "cgctab-events: ", "are real");
    command_fails(&place, EVENTS "--beams PbPb5.36 --m-light 0 --dry-run", 2,
                  "cgctab-events: ", "needs quarks with a mass");
    command_fails(&place, EVENTS "--beams PbPb5.36 --photon none --dry-run", 2,
                  "cgctab-events: ", "want p, O, Xe, Au, Pb");
    command_fails(&place, EVENTS "--beams PbPb5.36 --y 0.5:0.6 --dry-run", 2,
                  "cgctab-events: ", "LO < HI");
    command_fails(&place, EVENTS "--beams 18x275 --direction one --dry-run", 2,
                  "cgctab-events: ", "goes with --photon");
}
END_TEST

/* Charm of all momenta from a dipole that does not depend on x: events, and the inelastic cross
 * section of a real photon, which a quadrature in r gives, times the number of photons. */
START_TEST(total)
{
#define GENERATE BIN_DIR "/cgctab-generate "
    char path[96];
    snprintf(path, sizeof path, "%s/total.card", place.folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("[dipole]\nkind = gbw\nlambda = 0\nS_perp = 100\n[axes]\nx = 1e-9,1\neps = 1.4,1.41\n"
          "q = geom 0.01 8 32\nk_max = 200\n[table]\nlower = 12\nupper = 32\norder_x = 2\n"
          "order_eps = 2\n[accuracy]\ntolerance = 1e-4\n[output]\nbound = 1e-5\n",
          f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_int_eq(command_run(&place, GENERATE "run total.card -o total.cgct --quiet"), 0);
    ck_assert_int_eq(command_run(&place, BIN_DIR "/cgctab-events total.cgct --beams 1e5x1e5 "
                                                 "--photon Pb,target=Pb,bmin=14.2 --flavours c --y "
                                                 "1e-3:1e-2 --z 1e-6:0.999999 --K 0:1000 -n 200000 "
                                                 "--csv --no-weights -o total.csv"),
                     0);
    const double sigma = printed("cross section  "), outside = printed("outside        ");
    ck_assert_int_eq(command_run(&place, GENERATE "f2 --card total.card --x 0.01 --Q2 0 --flavours "
                                                  "c | awk '!/^#/ { print \"inel \" $11 }'"),
                     0);
    double photons = 0;
    for (int i = 0; i < 1000; i++) { /* of both beams, by midpoints in ln y */
        const double y = 1e-3 * exp((i + 0.5) / 1000 * log(10)), u = y * 0.9315 * 14.2 / 0.197327;
        const double K0 = gsl_sf_bessel_K0(u), K1 = gsl_sf_bessel_K1(u);
        photons += 2 * log(10) / 1000 * 2 * 82 * 82 * ALPHA / PI *
                   (u * K0 * K1 - u * u / 2 * (K1 * K1 - K0 * K0));
    }
    const double want = 1e6 * photons * printed("inel "); /* microbarn to pb */
    printf("all momenta: %.6g pb, from the dipole %.6g pb, outside %g\n", sigma, want, outside);
    ck_assert(fabs(sigma / want - 1) < 1e-3 && outside < 1e-4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("photons");
    TCase *c = tcase_create("photons");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 240);
    tcase_add_test(c, integral_over_b);
    tcase_add_test(c, survival);
    tcase_add_test(c, transverse_momenta);
    tcase_add_test(c, tables);
    tcase_add_test(c, words);
    tcase_add_test(c, events);
    tcase_add_test(c, x_of_kt);
    tcase_add_test(c, les_houches);
    tcase_add_test(c, another_target);
    tcase_add_test(c, total);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
