/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward dijets of cgctab-events in proton-nucleus collisions, with T in its dilute limit: cross
 * sections and means of events against integrals in other variables, momenta, colours, weights,
 * files; what is refused. */
#include <complex.h>
#undef I

#include "check_rel.h"
#include "command.h"
#include "open_ref.h"
#include "reader/events/setup.h"
#include "run_suite.h"

#define EVENTS BIN_DIR "/cgctab-events "
#define PDF_HEAD "Format: lhagrid1\n---\n1e-6 1e-3 0.1 1\n0.5 1000\n-3 -2 -1 1 2 3 21\n"

/* x f = -c ln x, which the grid has exactly. */
static ev_pdf *open_pdf(void)
{
    static const double c[7] = {0.05, 0.1, 0.1, 0.5, 1, 0.05, 3}, x[4] = {1e-6, 1e-3, 0.1, 1};
    char text[4096] = PDF_HEAD, path[64];
    ev_pdf *pdf;
    cgct_err err = {""};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 7; j++)
            sprintf(text + strlen(text), "%.15e%s", -c[j] * log(x[i / 2]), j < 6 ? " " : "\n");
    strcat(text, "---\n");
    command_write(&place, "pdf.dat", text);
    snprintf(path, sizeof path, "%s/pdf.dat", place.folder);
    ck_assert_msg(ev_pdf_open(&pdf, path, &err) == CGCT_OK, "%s", err.text);
    return pdf;
}

static cgct_status dilute(const cgct_table *of, cgct_channel channel, const double at[6], double *T,
                          double *error)
{
    const double Qs2 = pow(3.04e-4 / at[0], 0.288), z = at[1];
    const double k1[2] = {at[2], 0}, k2[2] = {at[3] * cos(at[4]), at[3] * sin(at[4])};
    const double q2 = pow(k1[0] + k2[0], 2) + k2[1] * k2[1];
    double square[3] = {0, 0, 0}, P2 = 0, P[2];
    (void)of;
    for (int i = 0; i < 2; i++) P2 += pow(P[i] = (1 - z) * k1[i] - z * k2[i], 2);
    for (int i = 0; i < 2; i++) {
        const double p1 = k1[i] / (at[2] * at[2]), p2 = k2[i] / (at[3] * at[3]), pP = P[i] / P2;
        square[0] += (p1 + p2) * (p1 + p2);
        square[1] += (p2 + pP) * (p2 + pP);
        square[2] += (p1 - pP) * (p1 - pP);
    }
    *T = square[1] + (channel != CGCT_QQB ? square[0] : 0) + (channel != CGCT_QG ? square[2] : 0);
    *T *= pow(2 * EV_PI, 2) * 4 * EV_PI / Qs2 * exp(-q2 / Qs2) * pow(at[5], -0.1);
    if (error) *error = 0.01 * *T;
    return CGCT_OK;
}

typedef struct {
    ev_setup setup;
    ev_pa pa;
    ev_run run;
    double sigma[5][2], mean[6][2]; /* with errors: qg, gg, qqb, above; in events of qg */
} forward;

/* The next case of the file; 0: none. */
static int read_case(FILE *f, forward *w)
{
    double v[13];
    for (int i = 0; i < 13; i++)
        if (fscanf(f, "%lf", &v[i]) != 1) return 0;
    for (int i = 0; i < 20; i++) {
        double *to = i < 8 ? w->sigma[i / 2] : w->mean[i / 2 - 4];
        ck_assert_int_eq(fscanf(f, "%lf", &to[i % 2]), 1);
    }
    w->setup = (ev_setup){.z = {0, 1},
                          .q = {v[7], v[8]},
                          .k = {v[4], 1e4},
                          .K = {v[5], v[6]},
                          .x = {1e-12, v[9]},
                          .q_table = {1e-3, 1e3},
                          .s = 4 * v[0] * v[1],
                          .S_perp = 1};
    w->pa = (ev_pa){.T = dilute,
                    .channels = 3,
                    .pdf = open_pdf(),
                    .alpha_s = {.fixed = v[11], .at_mz = 0.118},
                    .energy = {v[0], v[1]},
                    .y = {v[2], v[3]},
                    .Lambda = 1,
                    .mu = v[10],
                    .deuteron = v[12] > 0,
                    .n = 3,
                    .id = {1, 2, 3},
                    .mu_words = "pt"};
    w->run = (ev_run){.threads = 1, .quiet = 1, .pilot = 64};
    w->run.source = (ev_source){.setup = &w->setup, .pa = &w->pa, .seed = 1};
    return 1;
}

static void adapt(forward *w)
{
    cgct_err err = {""};
    ck_assert_msg(ev_pa_adapt(&w->pa, &w->run.source, &err) == CGCT_OK, "%s", err.text);
    ck_assert_msg(ev_pilot(&w->run, &err) == CGCT_OK, "%s", err.text);
}

/* Each within 4 of its statistical errors.  The last case is q far below P, where they are those of
 * two partons that become two, q g -> q g and so on, at large Nc. */
START_TEST(cross_sections)
{
    FILE *f = open_ref("pa_events.ref");
    static forward w;
    int n = 0;
    for (; read_case(f, &w); n++) {
        double sigma, error, all = 0, all_error = 0;
        adapt(&w);
        const ev_sums *s = &w.run.sums;
        ev_cross_section(s, &sigma, &error);
        for (int i = 0; i < 3; i++) {
            all += w.sigma[i][0];
            all_error = hypot(all_error, w.sigma[i][1]);
            double own, own_error;
            ev_cross_section_of(s, i, &own, &own_error);
            CHECK_ABS(own, w.sigma[i][0], 4 * hypot(w.sigma[i][1], own_error));
        }
        CHECK_ABS(sigma, all, 4 * hypot(error, all_error));
        ck_assert_msg(error < 4e-3 * sigma, "%g +- %g", sigma, error);
        CHECK_ABS(s->outside[EV_X_ABOVE] / (double)s->trials, w.sigma[3][0], 0.03 * w.sigma[3][0]);
        ck_assert_msg(sigma / w.run.source.top > 0.02, "efficiency %g", sigma / w.run.source.top);
        ev_pa_free(&w.pa);
    }
    fclose(f);
    ck_assert_int_eq(n, 3);
}
END_TEST

/* Each line of colour has two ends; where both partons come in, or both go out, they are a colour
 * and an anticolour, otherwise they are the same.  The target's gluon shares one with each of the
 * partons that it meets. */
static int has_colours(const ev_pair *pair)
{
    static const int meets[3][2] = {{2, 3}, {0, 2}, {0, 3}};
    int c[4][2], good = 1;
    ev_pa_colours(pair, c);
    for (int i = 0; i < 2; i++) {
        const int *other = c[meets[pair->flow][i]];
        good &= c[1][0] == other[0] || c[1][0] == other[1] || c[1][1] == other[0] ||
                c[1][1] == other[1];
    }
    for (int i = 0; i < 4; i++) {
        const int id = i == 1 ? 21 : pair->id[i ? i - 1 : 0];
        good &= (c[i][0] > 0) == (id > 0) && (c[i][1] > 0) == (id == 21 || id < 0);
        good &= c[i][0] != c[i][1];
        for (int side = 0; side < 2; side++) {
            int ends = 0;
            for (int j = 0; j < 4; j++) {
                const int same_way = (i < 2) == (j < 2);
                if (j != i && c[i][side]) ends += c[j][same_way ? !side : side] == c[i][side];
            }
            good &= ends == (c[i][side] > 0);
        }
    }
    return good;
}

/* Of quark and gluon: the probability of the flow in which the target's gluon meets both. */
static double flow_0(const ev_event *e)
{
    const ev_pair *p = &e->pair;
    const double _Complex k1 = p->k[0], k2 = p->k[1] * (cos(p->angle) + _Complex_I * sin(p->angle));
    const double _Complex P = (1 - e->z) * k1 - e->z * k2;
    const double first = pow(cabs(1 / k1 + 1 / k2), 2), second = pow(cabs(1 / k2 + 1 / P), 2);
    return first / (first + second);
}

static int good_event(const forward *w, const ev_event *e)
{
    const ev_pair *p = &e->pair;
    double m[4][4], worst = 0;
    ev_pa_momenta(&w->pa, e, m);
    for (int d = 0; d < 4; d++)
        worst =
            larger_error(worst, fabs(m[0][d] + m[1][d] - m[2][d] - m[3][d]) / (m[2][3] + m[3][3]));
    worst = larger_error(worst, fabs(hypot(m[1][0], m[1][1]) - e->q) / p->k[0]);
    worst = larger_error(worst, fabs(e->value[0] - 0.99));
    worst = larger_error(worst, fabs(e->value[2] - pow(2, 0.1)));
    worst = larger_error(
        worst, fabs(e->value[4] * p->alpha_s / ev_coupling_at(&w->pa.alpha_s, p->mu / 2) - 1));
    return worst < 1e-9 && p->k[0] >= 1.5 && p->k[1] >= 1.5 && p->y[0] > 1 && p->y[1] < 4 &&
           p->P >= 1 && p->x_p < 1 && e->x <= 0.004 && has_colours(p);
}

/* The means of some 50000 events of quark and gluon are those of the reference within 4 errors. */
START_TEST(events)
{
    FILE *f = open_ref("pa_events.ref");
    static forward w;
    double sum[6][2] = {{0}}, n = 0, flow[2] = {0, 0};
    int flows[EV_KINDS][3] = {{0}}, antiquarks = 0;
    ck_assert_int_eq(read_case(f, &w), 1);
    fclose(f);
    adapt(&w);
    cgct_err err = {""};
    ev_weights weights;
    ck_assert_int_eq(ev_pa_weights(&weights, &err), CGCT_OK);
    w.run.source.weights = &weights;
    for (uint64_t block = 0; block < 60; block++) {
        ev_batch b;
        ck_assert_int_eq(ev_block(&w.run.source, block, &b), CGCT_OK);
        for (size_t i = 0; i < b.n; i++) {
            const ev_event *e = &b.events[i];
            const ev_pair *p = &e->pair;
            if (!good_event(&w, e)) ck_abort_msg("block %d, event %zu", (int)block, i);
            flows[p->channel][p->flow]++;
            if (p->channel != CGCT_QG) continue;
            antiquarks += p->id[0] < 0;
            flow[0] += p->flow == 0;
            flow[1] += flow_0(e);
            const double v[6] = {p->y[0], e->z, log(e->q), log(p->k[0]), fabs(p->angle), log(e->x)};
            n++;
            for (int j = 0; j < 6; j++) sum[j][0] += v[j], sum[j][1] += v[j] * v[j];
        }
        ev_batch_free(&b);
    }
    for (int j = 0; j < 6; j++) {
        const double mean = sum[j][0] / n, spread = sqrt(sum[j][1] / n - mean * mean);
        CHECK_ABS(mean, w.mean[j][0], 4 * (w.mean[j][1] + 1.5 * spread / sqrt(n)));
    }
    ck_assert_msg(n > 5000, "%g events", n);
    for (int c = 0; c < EV_KINDS; c++) ck_assert_int_eq(!flows[c][0] + !flows[c][2], c != CGCT_GG);
    CHECK_ABS(flow[0], flow[1], 2 * sqrt(n));
    CHECK_ABS(antiquarks / n, 0.25 / 1.8, 4 * sqrt(0.14 * 0.86 / n));
    ev_weights_free(&weights);
    ev_pa_free(&w.pa);
}
END_TEST

/* The text of an event: beams, momenta that add up, as many columns as names. */
START_TEST(texts)
{
    FILE *f = open_ref("pa_events.ref");
    static forward w;
    cgct_err err = {""};
    cgct_table *table;
    ev_weights weights;
    ev_batch b;
    ck_assert_int_eq(read_case(f, &w), 1);
    fclose(f);
    adapt(&w);
    ck_assert_int_eq(cgct_open(TESTS_DIR "/golden/small.cgct", &table, &err), CGCT_OK);
    ck_assert_int_eq(ev_pa_weights(&weights, &err), CGCT_OK);
    w.run.source.table = table;
    w.run.source.weights = &weights;
    ck_assert_int_eq(ev_block(&w.run.source, 3, &b), CGCT_OK);
    for (int csv = 0; csv < 2; csv++) {
        ev_format format = {.source = &w.run.source, .csv = csv, .weights = &weights};
        ev_text t = {0};
        char *head, *text;
        size_t end;
        ck_assert_int_eq(ev_header(&format, &head, &end, &err), CGCT_OK);
        ck_assert_int_eq(ev_append(&format, &b.events[7], &t, &err), CGCT_OK);
        ck_assert_ptr_nonnull(text = strndup(t.text, t.n));
        const char *at = text;
        if (csv) {
            int columns[2] = {0, 0};
            for (const char *c = at; *c; c++) columns[1] += *c == ',';
            for (const char *c = head + end - 2; *c != '\n'; c--) columns[0] += *c == ',';
            ck_assert_int_eq(columns[0], columns[1]);
            ck_assert_int_eq(columns[0], 17 + 6);
        } else {
            ck_assert(strstr(head, "\n<init>\n2212 2212 1.0000000000e+02 1.0000000000e+02 0 0"));
            double sum[4] = {0, 0, 0, 0}, p[4];
            int n = 0, used, id, status;
            ck_assert_int_eq(
                sscanf(at, "<event>\n4 1 1.00000000e+00 %lf %lf %lf%n", p, p, p, &used), 3);
            for (at += used; n < 4; n++, at += used) {
                ck_assert_int_eq(sscanf(at, "%d %d %*d %*d %*d %*d %lf %lf %lf %lf %*f 0 9%n", &id,
                                        &status, p, p + 1, p + 2, p + 3, &used),
                                 6);
                ck_assert_int_eq(status, n < 2 ? -1 : 1);
                for (int d = 0; d < 4; d++) sum[d] += status * p[d];
            }
            for (int d = 0; d < 4; d++) CHECK_ABS(sum[d], 0, 1e-9);
            ck_assert(strstr(at, "<wgt id=\"mu_double\">") && strstr(at, "</event>\n"));
        }
        ev_text_free(&t);
        free(text);
        free(head);
    }
    ev_batch_free(&b);
    ev_weights_free(&weights);
    cgct_close(table);
    ev_pa_free(&w.pa);
}
END_TEST

/* What the command line refuses, and does not yet. */
static const char *const refused[][3] = {
    {"", "--y LO:HI is needed", "rapidities"},
    {"--y 1:4", "--pdf is needed", "lhapdf get"},
    {"--y 1:4 --pdf none.dat", "--pdf: no set of this name in LHAPDF_DATA_PATH", "none.dat"},
    {"--y 1:4 --pdf pdf.dat --alpha-s 20", "--alpha-s: '20', want a number", "mz:A"},
    {"--y 1:4 --pdf pdf.dat --K 0:5", "--K: '0:5'", "give LO > 0"},
    {"--y 1:4 --pdf pdf.dat --soft jets", "--soft: cannot go with --process pa", "colours"},
    {"--y 1:4 --pdf pdf.dat --Q2 1:2", "--Q2: cannot go with --process pa", ""},
    {"--y 1:4 --pdf pdf.dat --mu x", "--mu, which may be pt or P: 'x'", ""},
    {"--y 1:4 --pdf pdf.dat --Lambda 0.0015", "--Lambda: '0.0015', want a number from 0.002", ""},
    {"--y 1:4 --pdf pdf.dat --projectile n", "--projectile: 'n', want p or d", ""},
    {"--y 5:6 --pdf pdf.dat", "x_p is 1.48413 or more with --pt 1 and 100 GeV", "no events"},
    {"--y 1:4 --pdf pdf.dat", "a table of deep-inelastic scattering", "--process pa needs one of"},
    {"--y 1:4 --pdf pdf.dat -o ./pdf.dat", "is read by this command", "name another file"},
    {"--y 1:4 --pdf pdf.dat --alpha-s a.info -o ./a.info", "is read by this command", ""}};

START_TEST(refusals)
{
    char line[512];
    ev_pdf_free(open_pdf());
    command_write(&place, "a.info", "AlphaS_Qs: [1, 90]\nAlphaS_Vals: [0.5, 0.118]\n");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(line, sizeof line,
                 EVENTS "%s/golden/small.cgct --process pa --beams 100x100 "
                        "--dry-run %s",
                 TESTS_DIR, refused[i][0]);
        command_fails(&place, line, i == 2 || i == 11 ? 1 : 2, refused[i][1], refused[i][2]);
    }
    command_fails(&place, EVENTS "t.cgct --process pA", 2, "--process: 'pA'", "dis or pa");
    command_fails(&place, EVENTS "t.cgct --beams 18x275 --mu 3", 2, "--mu: needs --process pa", "");
    command_fails(&place, EVENTS "t.cgct --process pa --beams PbPb5.36 --y 1:2", 2,
                  "'PbPb5.36' has no proton", "100x100");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pa_events");
    TCase *c = tcase_create("pa_events");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, cross_sections);
    tcase_add_test(c, events);
    tcase_add_test(c, texts);
    tcase_add_test(c, refusals);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
