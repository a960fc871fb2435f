/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgctab report: the page is well-formed and shows what the table holds; nothing in a table is
 * taken for HTML; what goes wrong. */
#include <math.h>

#include "tool_run.h"
#include "field_table.h"
#include "have.h"
#include "run_suite.h"
#include "reader/cgctab.h"

static char *text; /* of the page, read by make_page */

static double even(size_t member, int pol, size_t m, const double at[4])
{
    (void)at;
    return m ? 0 : -3 - pol - 0.1 * (double)member;
}

static void write_hostile(void)
{
    static const table_meta meta[] = {
        {"quantity", "I_T, I_L"},
        {"dipole", "<script>alert(\"1\")</script> & caf\xc3\xa9 \x01 \xff\xc0\xaf."},
        {"dipole.x0", "x0 = 0.01, from line 1 of <file>"},
        {"card", "; </pre><b>\r\n[axes]\nx = 0.01\n"},
        {"members", "<i>one two&"},
        {"interpolation.median", "1.25e-05"},
        {"interpolation.own", "<u>"},
        {"certificate.rank", "7"},
        {"citation", "<a href=\"x\">the fit</a>"}};
    field_table f = field_table_small(even);
    f.members = 2;
    f.nmeta = sizeof meta / sizeof *meta;
    memcpy(f.meta, meta, sizeof meta);
    field_table_write(&f, table);
}

/* Unknown tags, tags in a wrong order and names that occur twice have no place in a page. */
static void check_tags(void)
{
    char open[64][16], name[16];
    int depth = 0;
    ck_assert_msg(!strncmp(text, "<!DOCTYPE html>\n<html lang=\"en\">", 32), "%.40s", text);
    for (const char *p = strchr(text + 1, '<'); p; p = strchr(p + 1, '<')) {
        const char *end = strchr(p, '>');
        ck_assert_msg(end != NULL, "%.60s", p);
        ck_assert_msg(sscanf(p + (p[1] == '/') + 1, "%15[a-zA-Z0-9]", name) == 1, "%.60s", p);
        if (p[1] == '/') {
            ck_assert_msg(depth > 0 && !strcmp(open[--depth], name), "%d: %.60s", depth, p);
        } else if (end[-1] != '/') {
            ck_assert_int_lt(depth, 64);
            strcpy(open[depth++], name);
        }
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_ptr_null(strstr(text, "<script"));
    ck_assert_ptr_null(strstr(text, " src="));
    ck_assert_ptr_null(strstr(text, "href=\"http"));
}

static void check_names(void)
{
    for (char *p = strstr(text, " id="); p; p = strstr(p + 1, " id=")) {
        char name[64];
        size_t n = strcspn(p + 5, "'\"");
        snprintf(name, sizeof name, "%.*s", (int)n + 6, p);
        ck_assert_msg(!strncmp(p + 5, "picture", 7), "%s", name);
        ck_assert_msg(strstr(p + 1, name) == NULL, "%s twice", name);
    }
}

static void make_page(const char *arguments)
{
    char path[PATH_SIZE], line[1024];
    size_t n;
    path_in(folder, "p.html", path);
    snprintf(line, sizeof line, "report %s -o %s", arguments, path);
    ck_assert_msg(run("", line) == 0 && !message[0], "%s: %s", line, message);
    uint8_t *bytes = slurp(path, &n);
    free(text);
    text = malloc(n + 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, bytes, n);
    text[n] = 0;
    free(bytes);
    check_tags();
    check_names();
}

static void holds(const char *want)
{
    ck_assert_msg(strstr(text, want) != NULL, "no '%s' in\n%.2000s", want, text);
}

static size_t count(const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) n++;
    return n;
}

/* Pages are made faster without pictures. */
static void hide_gnuplot(void)
{
    setenv("PATH", "/nowhere", 1);
}

START_TEST(hostile_metadata)
{
    hide_gnuplot();
    write_hostile();
    make_page("FILE@1");
    holds("<td>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; caf\xc3\xa9 \xef\xbf\xbd "
          "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd.</td>");
    holds("<pre>\n; &#60;/pre&#62;&#60;b&#62;\n[axes]\nx = 0.01\n</pre>");
    holds("<td>&#60;i&#62;one</td>");
    holds("<td>two&#38;</td>");
    holds("this page is about member 1");
    /* on the first screen, and nowhere else */
    const char *x0 = strstr(text, "<th scope=\"row\">Rapidity Y = ln(x0/x)</th>"
                                  "<td>x0 = 0.01, from line 1 of &#60;file&#62;</td>");
    ck_assert(x0 && x0 < strstr(text, "<h2>"));
    ck_assert_uint_eq(count("x0 = 0.01, from"), 1);
    holds("<td>1.25e-05</td><td>relative difference of all: median</td>");
    holds("<td>&#60;u&#62;</td><td></td>");
    holds("<td>7</td><td>largest number of basis fields of a segment</td>");
    holds("via Filon Quadrature");
    holds("<p>The file asks for: &#60;a href=&#34;x&#34;&#62;the fit&#60;/a&#62;</p>");
    ck_assert_uint_eq(count("the fit"), 1);
    ck_assert_ptr_null(strstr(text, "For comparison only"));
    ck_assert_ptr_null(strstr(text, "Licence"));
    holds("<i>x</i></th><td>0.0078125 to 0.015625</td><td>2</td>"
          "<td>polynomials through at most 2 nodes in ln x</td>");
    /* Every bound is 2^-10 of the mean, at two nodes in eps and three in q. */
    ck_assert_uint_eq(count(" title=\"largest: 0.098 %\">0.098 %</td>"), 6);
    ck_assert_uint_eq(count(" title=\"largest"), 6);
}
END_TEST

static int rising_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bound over mean of the nodes with eps and q from those on, into v; the mean is 2 pi I_0. */
static size_t shares_beyond(const cgct_table *t, double eps_from, double q_from, double *v)
{
    size_t n[3], used = 0;
    const double *axis[3];
    cgct_info info;
    cgct_table_info(t, &info);
    for (int i = 0; i < 3; i++) axis[i] = cgct_axis_values(t, (cgct_axis)i, &n[i]);
    size_t nk = info.nk_lower + info.nk_upper;
    for (size_t i = 0; i < n[0] * n[1] * n[2] * nk; i++) {
        size_t iq = i / nk % n[2], j = i % nk;
        double x = axis[0][i / nk / n[2] / n[1]], eps = axis[1][i / nk / n[2] % n[1]];
        double k = fmin(cgct_node_k(t, iq, j), info.k_max), modes[2], error[2];
        double before = j ? fmin(cgct_node_k(t, iq, j - 1), info.k_max) : -1;
        if (eps < eps_from || axis[2][iq] < q_from || k <= before * (1 + 1e-12)) continue;
        ck_assert_int_eq(cgct_modes(t, x, eps, axis[2][iq], k, 1, modes), CGCT_OK);
        for (int pol = 0; pol < 2; pol++) {
            const double mean = 2 * acos(-1.) * modes[pol];
            double nearest = INFINITY;
            for (int a = 0; a < 17; a++) { /* the bound where I is closest to its mean */
                const double theta = acos(-1.) * (a + 0.5) / 17;
                double I[2];
                ck_assert_int_eq(cgct_eval(t, x, eps, axis[2][iq], k, theta, I), CGCT_OK);
                if (!(fabs(I[pol] - mean) < nearest)) continue;
                nearest = fabs(I[pol] - mean);
                ck_assert_int_eq(cgct_eval_error(t, x, eps, axis[2][iq], k, theta, error), CGCT_OK);
                v[used] = error[pol] / mean;
            }
            used++;
        }
    }
    qsort(v, used, sizeof *v, rising_double);
    return used;
}

START_TEST(what_members_mean)
{
    field_table f = field_table_small(even);
    f.members = 3;
    f.nmeta = 5;
    f.meta[0] = (table_meta){"members", "one two three"};
    f.meta[1] = (table_meta){"uncertainty", "replicas"};
    f.meta[2] = (table_meta){"comparison", "three"};
    f.meta[3] = (table_meta){"licence", "CC0 1.0"};
    f.meta[4] =
        (table_meta){"dipole", "one: gbw Q0 = 1, a, b, ln S to 1; two: gbw Q0 = 1, c, b, ln S "
                               "to 2; three: gbw Q0 = 1, a, b, ln S to 3"};
    field_table_write(&f, table);
    hide_gnuplot();
    make_page("FILE");
    holds("from the 16th to the 84th percentile of them. For comparison only, without part in the "
          "uncertainty: three.</p>");
    holds("<tr><th scope=\"row\">Licence</th><td>CC0 1.0</td></tr>");
    holds("<tr><th scope=\"row\">Dipole</th><td>gbw Q0 = 1, a, b, ln S to 1</td></tr>");
    holds("<td>two</td><td></td><td>c</td>");
    holds("<td>three</td><td></td><td>the same</td>");
    ck_assert_uint_eq(count("gbw"), 1);
    make_page("FILE@three");
    holds("<tr><th scope=\"row\">Dipole</th><td>gbw Q0 = 1, a, b, ln S to 3</td></tr>");
}
END_TEST

/* The region of the largest eps and q against the bounds of all nodes in it. */
START_TEST(regions)
{
    static double v[1 << 16];
    double most, median;
    cgct_table *t;
    cgct_info info;
    hide_gnuplot();
    keep(GOLDEN_PANELS);
    make_page("FILE");
    ck_assert_int_eq(cgct_open(table, &t, NULL), CGCT_OK);
    cgct_table_info(t, &info);
    const double part = 5. / 6;
    size_t n = shares_beyond(t, info.eps[0] * pow(info.eps[1] / info.eps[0], part),
                             info.q[0] * pow(info.q[1] / info.q[0], part), v);
    cgct_close(t);
    ck_assert_uint_gt(n, 10);
    const char *row = strstr(strstr(text, "class=\"heat\""), "<th scope=\"row\">"), *at = row;
    for (const char *p = row; (p = strstr(p + 1, "largest: ")) && p < strchr(row, '\n');) at = p;
    ck_assert_msg(sscanf(at, "largest: %lf %%\">%lf %%", &most, &median) == 2, "%.60s", at);
    CHECK_REL(median, 100 * v[n / 2], 0.06);
    CHECK_REL(most, 100 * v[n - 1], 0.06);
}
END_TEST

START_TEST(variable_of_x)
{
    hide_gnuplot();
    keep(GOLDEN_NEGATIVE);
    make_page("FILE");
    holds("<td>polynomials through at most 2 nodes in ln ln(0.02/x)</td>");
    holds("<td>the same at every ε</td>");
}
END_TEST

START_TEST(pictures)
{
    char command[4 * PATH_SIZE];
    if (!have("gnuplot")) return;
    make_page("FILE");
    ck_assert_uint_eq(count("<svg"), 3);
    ck_assert_uint_eq(count("</figure>"), 3);
    holds("id='picture1-gpDot'");
    holds("href='#picture2-gpPt7'");
    holds("θ (rad)");
    snprintf(command, sizeof command, "cp %s '%s/<b>&.cgct'", table, folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "'%s/<b>&.cgct'", folder);
    make_page(command);
    holds("<h1>&#60;b&#62;&#38;.cgct</h1>");
    ck_assert_ptr_null(strstr(text, "<b>&"));
}
END_TEST

START_TEST(without_gnuplot)
{
    hide_gnuplot();
    make_page("FILE --quiet");
    ck_assert_str_eq(output, "");
    ck_assert_uint_eq(count("<svg"), 0);
    holds("There are no pictures, because the program gnuplot");
    make_page("FILE --json");
    ck_assert_msg(!strncmp(output, "{\n\"page\": \"", 11), "%s", output);
}
END_TEST

/* One line, and neither the page nor anything temporary is left. */
START_TEST(what_goes_wrong)
{
    char line[4 * PATH_SIZE], path[2 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
    setenv("TMPDIR", folder, 1);
    fails("report FILE", 2, "needs -o FILE");
    snprintf(line, sizeof line, "report FILE -o %s", table);
    fails(line, 2, "is the table itself");
    snprintf(line, sizeof line, "report FILE -o %s", folder);
    fails(line, 1, "is a directory");
    fails("report FILE -o /nowhere/p.html", 1, "/nowhere/p.html: cannot create");
    fails("report FILE -o /dev/full", 1, "/dev/full: cannot write: No space left");
    snprintf(line, sizeof line, "report %s/none -o %s/p.html", folder, folder);
    fails(line, 1, "no such file");
    setenv("PATH", path, 1);
    snprintf(line, sizeof line,
             "cd %s && mkdir bin && printf '#!/bin/sh\\n' > bin/gnuplot && chmod 755 bin/gnuplot",
             folder);
    ck_assert_int_eq(system(line), 0);
    snprintf(line, sizeof line, "report FILE -o %s/p.html", folder);
    fails(line, 1, "a picture: gnuplot left it unfinished");
    snprintf(line, sizeof line, "! ls %s | grep -e p.html -e cgctab_", folder);
    ck_assert_int_eq(system(line), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tool_report");
    TCase *c = tcase_create("tool_report");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 120);
    tcase_add_test(c, hostile_metadata);
    tcase_add_test(c, what_members_mean);
    tcase_add_test(c, regions);
    tcase_add_test(c, variable_of_x);
    tcase_add_test(c, pictures);
    tcase_add_test(c, without_gnuplot);
    tcase_add_test(c, what_goes_wrong);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
