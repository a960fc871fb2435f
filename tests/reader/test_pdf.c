/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parton distributions of cgctab-events from grids of LHAPDF 6: grids of functions that the
 * interpolation takes exactly, or with an error of closed form; files that are refused; the
 * coupling; and a published grid, where there is one, against Pythia 8's reader and sum rules. */
#include <unistd.h>

#include "check_rel.h"
#include "command.h"
#include "open_ref.h"
#include "reader/events/pdf.h"
#include "run_suite.h"

enum { NX = 7 };

/* Of flavour id in the knot units t of ln x and u of ln Q: cubic polynomials are exact to their
 * degree only. */
typedef double (*shape)(int id, double t, double u);

/* exp(t - 7 + 1) rises in equal steps to x = 1; u begins at Q = 2 GeV with a factor of 1.5. */
static double x_at(double t)
{
    return exp(t - (NX - 1));
}

static double Q_at(double u)
{
    return 2 * pow(1.5, u);
}

static void print_block(FILE *f, shape of, const char *flavours, int from, int to)
{
    for (int i = 0; i < NX; i++) fprintf(f, "%.17g ", x_at(i));
    fputs("\n", f);
    for (int j = from; j <= to; j++) fprintf(f, " %.17E", Q_at(j));
    fprintf(f, "\n%s\n", flavours);
    for (int i = 0; i < NX; i++)
        for (int j = from; j <= to; j++) {
            for (const char *at = flavours; *at; at += strspn(at, " ")) {
                const int id = (int)strtol(at, (char **)&at, 10);
                fprintf(f, " %.17e", of(id, i, j));
            }
            fputs("\n", f);
        }
    fputs("---\n", f);
}

/* Blocks between the knots of Q end[0] to end[1] and so on. */
static ev_pdf *open_grid(shape of, const char *flavours, int n, const int *end)
{
    char path[64];
    ev_pdf *pdf;
    cgct_err err = {""};
    snprintf(path, sizeof path, "%s/g_0000.dat", place.folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("PdfType: central\nFormat: lhagrid1\n---\n", f);
    for (int i = 0; i < n; i++) print_block(f, of, flavours, end[i], end[i + 1]);
    fclose(f);
    ck_assert_msg(ev_pdf_open(&pdf, path, &err) == CGCT_OK, "%s", err.text);
    return pdf;
}

/* Quadratic in both; the order of flavours is not that of the grid. */
static double quadratic(int id, double t, double u)
{
    return (2 + id + t - 0.3 * t * t) * (1 + 0.1 * u + 0.05 * u * u);
}

/* Equal steps: the mean of two differences is the slope of a quadratic function, so that it comes
 * out exactly but in the outermost intervals.  There the slope of one difference, wrong by a for a
 * coefficient a of the square, leaves a t (1 - t)^2. */
START_TEST(interpolation)
{
    static const int end[] = {0, 5};
    ev_pdf *pdf = open_grid(quadratic, "22 21 2 -1 1", 1, end);
    double xf[EV_PARTONS];
    for (double t = 0; t <= NX - 1; t += 0.125)
        for (double u = 0; u <= 5; u += 0.125) {
            const double s = t < 1 ? t : NX - 1 - t, v = u < 1 ? u : 5 - u;
            const double et = s < 1 ? -0.3 * s * (1 - s) * (1 - s) : 0;
            const double eu = v < 1 ? 0.05 * v * (1 - v) * (1 - v) : 0;
            ck_assert_int_eq(ev_pdf_at(pdf, x_at(t) * (t > 0 ? 1 - 1e-15 : 1 + 1e-15),
                                       Q_at(u) * (u > 0 ? 1 - 1e-15 : 1 + 1e-15), xf),
                             0);
            for (int id = -2; id <= 2; id++) {
                const double want =
                    (2 + (id ? id : 21) + t - 0.3 * t * t + et) * (1 + 0.1 * u + 0.05 * u * u + eu);
                CHECK_REL(xf[EV_GLUON + id], id == -2 ? 0 : want, 1e-12);
            }
        }
    ev_pdf_free(pdf);
}
END_TEST

/* A kink where blocks meet is kept: slopes do not look across it.  A block of three knots or fewer
 * is bilinear. */
static double kink(int id, double t, double u)
{
    return 1 + id + 0.5 * t + (u > 4 ? u - 4 : 0) * t;
}

static double square(int id, double t, double u)
{
    return 2 + id + t * t + u * u;
}

START_TEST(blocks)
{
    static const int end[] = {0, 4, 9, 11};
    ev_pdf *pdf = open_grid(kink, "-3 21 3", 3, end);
    double xf[EV_PARTONS];
    for (double t = 0.25; t < NX - 1; t += 0.5)
        for (double u = 0.125; u < 11; u += 0.25) {
            ck_assert_int_eq(ev_pdf_at(pdf, x_at(t), Q_at(u), xf), 0);
            CHECK_REL(xf[EV_GLUON + 3], kink(3, t, u), 1e-12);
        }
    ev_pdf_free(pdf);
    pdf = open_grid(square, "21", 1, (const int[]){0, 2});
    ev_pdf_at(pdf, x_at(2.5), Q_at(0.25), xf); /* t^2 + t (1-t), u^2 + u (1-u) */
    CHECK_REL(xf[EV_GLUON], square(21, 2.5, 0.25) + 0.25 + 0.1875, 1e-12);
    ev_pdf_free(pdf);
}
END_TEST

START_TEST(outside)
{
    ev_pdf *pdf = open_grid(quadratic, "21", 1, (const int[]){0, 4});
    double xf[EV_PARTONS];
    ck_assert_int_eq(ev_pdf_at(pdf, x_at(2), 1, xf), 1);
    CHECK_REL(xf[EV_GLUON], quadratic(21, 2, 0), 1e-12);
    ck_assert_int_eq(ev_pdf_at(pdf, 1e-9, 1e4, xf), 1);
    CHECK_REL(xf[EV_GLUON], quadratic(21, 0, 4), 1e-12);
    ck_assert_int_eq(ev_pdf_at(pdf, 1.01, 3, xf), 1);
    ck_assert(xf[EV_GLUON] == 0);
    ev_pdf_free(pdf);
}
END_TEST

/* Text behind the head, and the message. */
static const char *const bad[][2] = {
    {"", "has no values"},
    {"0.1 0.2 0.3\n", "3 knots of x, want 4 or more"},
    {"0.1 0.2 0.2 1\n", "knots of x do not rise from number 2 to 3"},
    {"0.1 0.2 0.3 2\n", "2 among its knots of x, want above 0, up to 1"},
    {"0.1 0.2 0.3 nan\n", "'nan' is no number of its knots of x"},
    {"0.1 0.2 0.3 1\n2\n", "1 knots of Q, want 2 or more"},
    {"0.1 0.2 0.3 1\n2 3\n1 2\n", "no gluon (21) among the flavours"},
    {"0.1 0.2 0.3 1\n2 3\n21 0\n", "flavour 0 twice"},
    {"0.1 0.2 0.3 1\n2 3\n21\n1 2\n", "2 values, want one for each of 1 flavours"},
    {"0.1 0.2 0.3 1\n2 3\n21\n1\n2e15\n", "x f = 2e+15, want below 1e15"},
    {"0.1 0.2 0.3 1\n2 3\n21\n1\n2\n3\n", "ends before its values"},
    {"0.1 0.2 0.3 1\n2 3\n21\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "'9', want '---' behind 4 x 2 values"},
    {"0.1 0.2 0.3 1\n2 3\n21\n1\n2\n3\n4\n5\n6\n7\n8\n---\n0.1 0.2 0.3 1\n3.1 4\n",
     "a block begins at Q = 3.1 GeV, the one before it ends at 3"}};

START_TEST(refusals)
{
    char path[64], text[256];
    cgct_err err = {""};
    ev_pdf *pdf;
    snprintf(path, sizeof path, "%s/bad.dat", place.folder);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "Format: lhagrid1\n---\n%s", bad[i][0]);
        command_write(&place, "bad.dat", text);
        ck_assert_int_eq(ev_pdf_open(&pdf, path, &err), CGCT_E_FORMAT);
        ck_assert_ptr_null(pdf);
        ck_assert_msg(strstr(err.text, bad[i][1]) && !strncmp(err.text, path, strlen(path)), "%s",
                      err.text);
    }
    command_write(&place, "bad.dat", "Format: lhagrid2\n---\n");
    ck_assert_int_eq(ev_pdf_open(&pdf, path, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, "no line 'Format: lhagrid1'"), "%s", err.text);
    setenv("LHAPDF_DATA_PATH", "/nowhere", 1);
    ck_assert_int_eq(ev_pdf_open(&pdf, "NAME", &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "in LHAPDF_DATA_PATH (/nowhere)"), "%s", err.text);
}
END_TEST

/* As `lhapdf get` leaves it: NAME/NAME_0000.dat and NAME/NAME.info in a folder of the path. */
START_TEST(coupling)
{
    char path[128];
    cgct_err err = {""};
    ev_pdf *pdf = open_grid(quadratic, "21", 1, (const int[]){0, 4});
    ev_coupling c;
    ck_assert_int_eq(ev_coupling_read(&c, NULL, pdf, &err), CGCT_OK);
    CHECK_REL(ev_coupling_at(&c, 91.1876), 0.118, 1e-14);
    ev_coupling_free(&c);
    ck_assert_int_eq(ev_coupling_read(&c, "mz:0.118", pdf, &err), CGCT_OK);
    /* 1/alpha_s is linear in ln Q with (33 - 2 nf)/(6 pi) */
    const double step = log(91.1876 / 4.75) * 23 + log(4.75 / 1.4) * 25 + log(1.4) * 27;
    CHECK_REL(1 / ev_coupling_at(&c, 0.5), 1 / 0.118 - step / (6 * acos(-1)), 1e-13);
    ck_assert_int_eq(ev_coupling_read(&c, "0.25", pdf, &err), CGCT_OK);
    ck_assert(ev_coupling_at(&c, 7) == 0.25);
    ck_assert_int_eq(ev_coupling_read(&c, "mz:0.2", pdf, &err), CGCT_E_CONFIG);
    ck_assert_int_eq(ev_coupling_read(&c, "pdf", pdf, &err), CGCT_E_IO);
    ck_assert_msg(strstr(err.text, "/g.info: cannot open"), "%s", err.text);
    ev_coupling_free(&c);
    ev_pdf_free(pdf);
    snprintf(path, sizeof path, "cd %s && mkdir g && mv g_0000.dat g", place.folder);
    ck_assert_int_eq(system(path), 0);
    snprintf(path, sizeof path, "/nowhere:%s", place.folder);
    setenv("LHAPDF_DATA_PATH", path, 1);
    ck_assert_msg(ev_pdf_open(&pdf, "g", &err) == CGCT_OK, "%s", err.text);
    command_write(&place, "g/g.info",
                  "SetDesc: x\nAlphaS_Qs: [1, 2.0,\n 2, 8]\n"
                  "AlphaS_Vals: [0.5, 0.25, 0.24, 0.2]\n");
    ck_assert_int_eq(ev_coupling_read(&c, NULL, pdf, &err), CGCT_OK);
    CHECK_REL(ev_coupling_at(&c, 0.9), 0.5, 1e-14);
    CHECK_REL(ev_coupling_at(&c, sqrt(2)), 1 / 3.0, 1e-14);
    CHECK_REL(ev_coupling_at(&c, 4), 2 / (1 / 0.24 + 1 / 0.2), 1e-14);
    CHECK_REL(ev_coupling_at(&c, 100), 0.2, 1e-14);
    ev_coupling_free(&c);
    snprintf(path, sizeof path, "%s/g/g.info", place.folder);
    ck_assert_int_eq(ev_coupling_read(&c, path, NULL, &err), CGCT_OK);
    ck_assert_uint_eq(c.n, 4);
    ev_coupling_free(&c);
    command_write(&place, "g/g.info", "AlphaS_Qs: [1, 2]\nAlphaS_Vals: [0.5]\n");
    ck_assert_int_eq(ev_coupling_read(&c, NULL, pdf, &err), CGCT_E_FORMAT);
    ck_assert_msg(strstr(err.text, "2 AlphaS_Qs and 1 AlphaS_Vals"), "%s", err.text);
    ev_coupling_free(&c);
    ev_pdf_free(pdf);
}
END_TEST

/* In the folder PDF_GRIDS, or where check-events has put Pythia's wheel; NULL: not there. */
static ev_pdf *open_published(void)
{
    const char *folder = getenv("PDF_GRIDS");
    char path[512];
    cgct_err err = {""};
    ev_pdf *pdf = NULL;
    snprintf(path, sizeof path, "%s/NNPDF31_lo_as_0118_0000.dat",
             folder ? folder : BIN_DIR "/../events/venv/share/Pythia8/pdfdata");
    if (access(path, R_OK) != 0)
        printf("skipped: no NNPDF31_lo_as_0118_0000.dat of Pythia's wheel (PDF_GRIDS=FOLDER)\n");
    else
        ck_assert_msg(ev_pdf_open(&pdf, path, &err) == CGCT_OK, "%s", err.text);
    return pdf;
}

/* Pythia takes negative values as 0, and its polynomials differ from our own: by 1e-5 where the
 * function is smooth from knot to knot, by more at large x and behind thresholds. */
START_TEST(pythia)
{
    static const int id[7] = {-2, -1, 0, 1, 2, 3, 5};
    ev_pdf *pdf = open_published();
    if (!pdf) return;
    FILE *f = open_ref("pdf.ref");
    double x, Q, xf[EV_PARTONS], want[7];
    int n = 0;
    for (; fscanf(f, "%lf %lf", &x, &Q) == 2; n++) {
        for (int i = 0; i < 7; i++) ck_assert_int_eq(fscanf(f, "%lf", &want[i]), 1);
        ck_assert_int_eq(ev_pdf_at(pdf, x, Q, xf), 0);
        for (int i = 0; i < 7; i++)
            CHECK_ABS(fmax(xf[EV_GLUON + id[i]], 0), want[i],
                      (x < 0.5 ? 1e-3 : 1e-2) * want[i] + 3e-5 * want[2]);
    }
    fclose(f);
    ck_assert_int_eq(n, 24);
    ev_pdf_free(pdf);
}
END_TEST

/* Momentum 1, two u and one d, no strangeness: integrals over ln x. */
START_TEST(sum_rules)
{
    ev_pdf *pdf = open_published();
    if (!pdf) return;
    for (double Q = 2; Q < 1000; Q *= 7) {
        const double h = 1e-3;
        double sum[4] = {0, 0, 0, 0}, xf[EV_PARTONS];
        for (double l = h / 2; l < 9 * log(10); l += h) {
            ev_pdf_at(pdf, exp(-l), Q, xf);
            for (int i = 0; i < EV_PARTONS; i++) sum[0] += h * exp(-l) * xf[i];
            for (int i = 1; i < 4; i++) sum[i] += h * (xf[EV_GLUON + i] - xf[EV_GLUON - i]);
        }
        CHECK_ABS(sum[0], 1, 2e-3);
        CHECK_ABS(sum[1], 1, 0.02);
        CHECK_ABS(sum[2], 2, 0.02);
        CHECK_ABS(sum[3], 0, 0.02);
    }
    ev_pdf_free(pdf);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pdf");
    TCase *c = tcase_create("pdf");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, interpolation);
    tcase_add_test(c, blocks);
    tcase_add_test(c, outside);
    tcase_add_test(c, refusals);
    tcase_add_test(c, coupling);
    tcase_add_test(c, pythia);
    tcase_add_test(c, sum_rules);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
