/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab-events on tables whose first I is the same at every point, so that all else is known: the
 * cross section in a range of K, what lies outside of the table, angles, weights, their names. */
#include <math.h>

#include "command.h"
#include "field_table.h"
#include "reader/cgctab.h"
#include "run_suite.h"

#define EVENTS BIN_DIR "/cgctab-events t.cgct --beams 27.5x920 --q 1:4 --m-light 0.3 "
#define MASS 0.3
#define PI 3.14159265358979323846

enum { MEMBERS = 6 };
/* GeV^-6, times (q/GeV)^(TILT member), so that a weight belongs to its event; I_L is twice as
 * large */
static const double I_T[MEMBERS] = {3, 1, 4, 1.5, 9, 100};
#define TILT 0.1
static const double area[MEMBERS] = {40, 44, 36, 41, 39, 40};

static double constant_field(size_t member, int pol, size_t m, const double at[4])
{
    return m ? 0 : log(I_T[member] * (pol ? 2 : 1)) + TILT * (double)member * log(at[2]);
}

/* t.cgct: x 1e-3 to 1e-2, eps 0.5 to 2 GeV. */
static void write_table(size_t nmeta, const table_meta *meta)
{
    char path[64];
    field_table f = {.n = {2, 2, 3},
                     .v = {{1e-3, 1e-2}, {0.5, 2}, {1, 2, 4}},
                     .nl = 4,
                     .nu = 4,
                     .nm = 1,
                     .members = MEMBERS,
                     .k0 = 0.5,
                     .k_max = 8,
                     .bound = 1 / 1024.,
                     .field = constant_field,
                     .nmeta = nmeta};
    memcpy(f.meta, meta, nmeta * sizeof *meta);
    snprintf(path, sizeof path, "%s/t.cgct", place.folder);
    field_table_write(&f, path);
}

/* Each member with an area of its own, the last for comparison. */
static void write_replicas(void)
{
    const table_meta meta[] = {{"members", "map a b c d large"},
                               {"uncertainty", "replicas"},
                               {"comparison", "large"},
                               {"S_perp", "40"},
                               {"S_perp.a", "44"},
                               {"S_perp.b", "36"},
                               {"S_perp.c", "41"},
                               {"S_perp.d", "39"}};
    write_table(sizeof meta / sizeof *meta, meta);
}

static void must(const char *command)
{
    ck_assert_msg(command_run(&place, command) == 0, "%s: %s", command, place.output);
}

/* After "word" in what was printed. */
static double printed(const char *word)
{
    const char *at = strstr(place.output, word);
    ck_assert_msg(at != NULL, "no '%s' in: %s", word, place.output);
    return atof(at + strlen(word));
}

/* ---- cross section and shares ---- */

enum { INSIDE, X_ABOVE, X_BELOW, EPS, PLACES };

/* Where a point lies; *w: dsigma over the density of points, in pb. */
static int direct_point(uint64_t *state, double *w)
{
    const double lQ2 = log(25), ly = log(19), lq = log(4); /* 2:50, 0.05:0.95, 1:4 */
    double Q2 = 2 * exp(lQ2 * uniform(state)), y = 0.05 * exp(ly * uniform(state));
    double z = 0.1 + 0.8 * uniform(state), q = exp(lq * uniform(state));
    double K = 2 + 2 * uniform(state), alpha = 1 / 137.036, eps, factor[2][2];
    double x = (Q2 + q * q + (K * K + MASS * MASS) / (z * (1 - z))) / (y * 4 * 27.5 * 920);
    double flux = alpha / (2 * PI * y * Q2), I[2] = {I_T[0], 2 * I_T[0]};
    const cgct_dis dis = {alpha, 2.0 / 3, area[0], z, Q2, MASS};
    ck_assert_int_eq(cgct_dis_factors(&dis, &eps, factor), CGCT_OK);
    if (eps < 0.5) I[CGCT_T] *= pow(0.5 / eps, 2); /* at the edge */
    double sum = (1 + pow(1 - y, 2)) * (factor[0][0] * I[0] + factor[0][1] * I[1]) +
                 2 * (1 - y) * factor[1][1] * I[1];
    /* d2q d2K = 2 pi q dq 2 pi K dK */
    *w = 0.3893793721e9 * flux * sum * Q2 * lQ2 * y * ly * 0.8 * 2 * PI * q * q * lq * 4 * PI * K;
    return x > 1e-2 ? X_ABOVE : x < 1e-3 ? X_BELOW : eps < 0.5 || eps > 2 ? EPS : INSIDE;
}

static void integrate(double sum[PLACES], double *error)
{
    enum { N = 400000 };
    uint64_t state = 5;
    double square = 0;
    memset(sum, 0, PLACES * sizeof *sum);
    for (int i = 0; i < N; i++) {
        double w;
        int at = direct_point(&state, &w);
        sum[at] += w / N;
        if (at == INSIDE) square += w * w / N;
    }
    *error = sqrt((square - sum[INSIDE] * sum[INSIDE]) / N);
}

/* The remark in the head of a file, and the line of the summary, say what lies outside. */
static void check_shares(const char *head, const char *summary, const double sum[PLACES])
{
    static const char form[] = "# outside of the table %lf of the cross section of these cuts: "
                               "x above 0.01 %lf, x below 0.001 %lf, eps %lf, q 0.0000; ";
    double got[PLACES], all = 0;
    const char *line = strstr(head, "# outside");
    ck_assert_msg(line && sscanf(line, form, &got[0], &got[1], &got[2], &got[3]) == 4, "%s", head);
    for (int i = 0; i < PLACES; i++) all += sum[i];
    for (int i = 0; i < PLACES; i++) {
        const double want = i ? sum[i] / all : 1 - sum[INSIDE] / all;
        printf("%d: %.4f, directly %.4f\n", i, got[i], want);
        ck_assert_msg(want > 0.03 && fabs(got[i] - want) < 0.008, "%d: %g, want %g", i, got[i],
                      want);
    }
    ck_assert_double_eq_tol(printed(summary), got[0], 6e-4);
}

static void read_file(const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", place.folder, name);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    text[fread(text, 1, size - 1, f)] = 0;
    fclose(f);
}

/* ---- events ---- */

static const char columns[] = "x,Q2,y,z,q,k1,theta,K,phi,eps,polarisation,flavour,turn,lepton,"
                              "weight,central_map,replica_a,replica_b,replica_c,replica_d,"
                              "comparison_large,bound_low,bound_high\n";

/* Checks a row and returns cos(2 phi). */
static double check_row(const char *line, int own_areas)
{
    static const char form[] = "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%c,%d,%*f,%*f,%lf,%lf,%lf,"
                               "%lf,%lf,%lf,%lf,%lf,%lf";
    double v[10], w[9];
    char pol;
    int flavour;
    ck_assert_msg(sscanf(line, form, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8,
                         v + 9, &pol, &flavour, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
                         w + 8) == 21,
                  "%s", line);
    double along = v[5] * cos(v[6]) - v[3] * v[4], across = v[5] * sin(v[6]);
    ck_assert_double_eq_tol(v[7], hypot(along, across), 1e-8);
    ck_assert_double_eq_tol(v[8], atan2(across, along), 1e-7);
    ck_assert(v[7] > 2 && v[7] < 4 && v[0] > 1e-3 && v[0] < 1e-2 && w[0] == 1);
    for (int i = 0; i < MEMBERS; i++) {
        const double want =
            I_T[i] / I_T[0] * pow(v[4], TILT * i) * (own_areas ? area[i] / area[0] : 1);
        ck_assert_double_eq_tol(w[1 + i], want, 4e-6 * want);
    }
    ck_assert(w[7] > 0.9 && w[7] < 1 && fabs(w[7] + w[8] - 2) < 2e-6);
    return cos(2 * v[8]);
}

/* The table ends inside the range of x and of eps.  phi is uniform, because x does not depend on
 * it. */
START_TEST(range_of_K)
{
    enum { N = 6000 };
    double sum[PLACES], error, mean = 0;
    static char text[1 << 23];
    write_replicas();
    integrate(sum, &error);
    must(EVENTS "--K 2:4 -n 6000 --csv -o e.csv");
    double sigma = printed("cross section  "), own = printed("+- ");
    printf("cross section %g +- %g pb, directly %g +- %g pb\n", sigma, own, sum[INSIDE], error);
    ck_assert_double_lt(fabs(sigma - sum[INSIDE]), 4 * hypot(error, own));
    read_file("e.csv", text, sizeof text);
    check_shares(text, "outside        ", sum);
    char *row = strstr(text, columns);
    ck_assert_msg(row != NULL, "%.3000s", text);
    row += strlen(columns);
    for (int i = 0; i < N; i++, row = strchr(row, '\n') + 1) mean += check_row(row, 1) / N;
    ck_assert(*row == 0);
    ck_assert_msg(fabs(mean) < 4 / sqrt(2 * N), "mean of cos(2 phi): %g", mean);
}
END_TEST

/* The manual page has an entry for every column, and for what weights are named after. */
START_TEST(columns_in_the_manual)
{
    static const char check[] =
        "for c in $(printf '%%s' '%.*s' | tr , ' ') 'I central_ NAME' 'I replica_ NAME' "
        "'I hessian_ NAME' 'I variation_ NAME' 'I comparison_ NAME' "
        "'R bound_low \", \" bound_high'; "
        "do grep -qxE \"[.]B ?$c\" " TESTS_DIR "/../reader/man/cgctab-events.1 || echo \"no $c\"; "
        "done";
    char line[2048];
    snprintf(line, sizeof line, check, (int)(strstr(columns, ",central_") - columns), columns);
    must(line);
    ck_assert_msg(!place.output[0], "%s", place.output);
}
END_TEST

/* ---- names ---- */

/* A Les Houches file says what the members are, their areas, and how they make a band. */
START_TEST(les_houches_groups)
{
    static const char groups[] =
        "<initrwgt>\n"
        "<weightgroup name=\"members\" combine=\"replicas\" percentiles=\"16 84\">\n"
        "<weight id=\"central_map\">member 0, S_perp 40 GeV^-2</weight>\n"
        "<weight id=\"replica_a\">member 1, S_perp 44 GeV^-2</weight>\n"
        "<weight id=\"replica_b\">member 2, S_perp 36 GeV^-2</weight>\n"
        "<weight id=\"replica_c\">member 3, S_perp 41 GeV^-2</weight>\n"
        "<weight id=\"replica_d\">member 4, S_perp 39 GeV^-2</weight>\n"
        "</weightgroup>\n"
        "<weightgroup name=\"comparison\" combine=\"none\">\n"
        "<weight id=\"comparison_large\">member 5, S_perp 40 GeV^-2</weight>\n"
        "</weightgroup>\n"
        "<weightgroup name=\"numerical_bound\" combine=\"envelope\">\n";
    static char text[1 << 16];
    double sum[PLACES], error;
    write_replicas();
    integrate(sum, &error);
    must(EVENTS "--K 2:4 -n 20 --freeze -o e.lhe");
    read_file("e.lhe", text, sizeof text);
    check_shares(text, "at the edge    ", sum);
    ck_assert_msg(strstr(text, groups) != NULL, "%.4000s", text);
    double ratio, q;
    const char *weight = strstr(text, "<rwgt>\n<wgt id=\"central_map\">1.000000e+00</wgt>\n");
    ck_assert_msg(weight &&
                      sscanf(weight, "%*s%*s%*s <wgt id=\"replica_a\">%lf</wgt>", &ratio) == 1,
                  "%.4000s", text);
    const char *remark = weight ? strstr(weight, "# x ") : NULL;
    ck_assert(remark && sscanf(remark, "# x %*f z %*f q %lf", &q) == 1);
    ck_assert_double_eq_tol(ratio, I_T[1] / I_T[0] * pow(q, TILT) * area[1] / area[0], 2e-6);
}
END_TEST

/* Any name of a member gives a weight that no format takes amiss.  There is one area for all
 * members, or each of them has its own. */
START_TEST(names_and_areas)
{
    table_meta meta[] = {{"members", "a&b c,d e\"f g<h \xc3\xbc x_y"}, {"S_perp.x_y", "40"}};
    static char text[1 << 16];
    write_table(1, meta);
    command_fails(&place, EVENTS "--csv -o e.csv", 1, "t.cgct", "--S-perp");
    write_table(2, meta);
    command_fails(&place, BIN_DIR "/cgctab-events t.cgct@x_y --beams 27.5x920 -o e.lhe", 1,
                  "does not state the transverse area of its member a&b", "--S-perp");
    must(EVENTS "--S-perp 50 --K 2:4 -n 1 --csv -o e.csv");
    read_file("e.csv", text, sizeof text);
    const char *names = ",weight,central_a%26b,variation_c%2Cd,variation_e%22f,variation_g%3Ch,"
                        "variation_%C3%BC,variation_x_y,bound_low,bound_high\n";
    const char *row = strstr(text, names);
    ck_assert_msg(row != NULL, "%s", text);
    check_row(row + strlen(names), 0);
}
END_TEST

/* bands.py of the examples against the library's rules, for each meaning of members. */
START_TEST(bands_in_python)
{
    static const char *const meaning[] = {"replicas", "hessian", "none"};
    static const char *const role[] = {"replica", "hessian", "variation"};
    static const char with_numpy[] =
        "for p in python3 /usr/bin/python3; do $p -c 'import numpy' && PYTHON=$p && break; done; ";
    const table_meta meta[] = {
        {"members", "map a b c d large"}, {"uncertainty", meaning[_i]}, {"comparison", "b"}};
    char line[2048];
    write_table(3, meta);
    snprintf(line, sizeof line, "%s test \"$PYTHON\"", with_numpy);
    if (command_run(&place, line) != 0) {
        printf("skipped: no numpy\n");
        return;
    }
    snprintf(
        line, sizeof line,
        "%s export PYTHONPATH=" TESTS_DIR "/../reader/examples:" TESTS_DIR
        "/../reader/bindings CGCTAB_LIBRARY=" BIN_DIR "/../lib/libcgctab.so; $PYTHON -B -c '\n"
        "import bands, cgctab, numpy as np\n"
        "table, some = cgctab.Table(\"t.cgct\"), np.random.default_rng(3).normal(size=(6, 7))\n"
        "roles = [\"central\", \"%s\", \"comparison\"] + 3 * [\"%s\"]\n"
        "names = [r + \"_\" + m for r, m in zip(roles, table.members)]\n"
        "got = bands.band({\"\": some[3], **dict(zip(names, some)), \"bound_low\": some[2]})\n"
        "want = table.uncertainty_of(some.T)[:, 1:].T\n"
        "assert got.shape == (2, 7) and np.allclose(got, want, rtol=1e-12), (got, want)\n"
        "assert bands.band({\"\": some[0], \"bound_low\": some[1]}) is None\n'",
        with_numpy, role[_i], role[_i]);
    must(line);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dis_weights");
    TCase *c = tcase_create("dis_weights");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, range_of_K);
    tcase_add_test(c, columns_in_the_manual);
    tcase_add_test(c, les_houches_groups);
    tcase_add_test(c, names_and_areas);
    tcase_add_loop_test(c, bands_in_python, 0, 3);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
