/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evolution from a file and of nuclei: what they begin with, where they agree with the evolution of
 * a formula, the order of saturation scales in b, and one line for every bad option. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_rel.h"
#include "dipole/bk_impl.h"
#include "dipole/dipole_impl.h"
#include "dipole/nucleus.h"
#include "run_suite.h"

#define TOL_ROUND 1e-13
#define TOL_FILE 1e-7   /* ln Gamma from a file of 17 digits and small steps, r above 1e-3/GeV */
#define TOL_WEIGHT 1e-9 /* integrals over b */
#define TOL_FOUR_NODES 1e-4
#define TOL_LIMIT 1e-12 /* rounding of A T_A sigma0/2 = 1 */
#define X_MIN 0.0099
#define FILE_NR 400

static const bk_coupling smooth_mve = {.freeze = BK_SMOOTH, .C2 = 7.2};

/* A short and coarse evolution. */
static dipole_opts bk_options(const char *set)
{
    return (dipole_opts){.kind = DIPOLE_BK,
                         .set = set,
                         .bk = {.coupling = smooth_mve, .refine = 0.25},
                         .xmin = X_MIN};
}

static dipole_source *bk_opened(const dipole_opts *o)
{
    cgct_err err = {""};
    dipole_source *s;
    ck_assert_msg(dipole_source_open(&s, o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

static dipole *at_x(const dipole_source *s, double x)
{
    cgct_err err = {""};
    dipole *d;
    ck_assert_msg(dipole_init(&d, s, x, &err) == CGCT_OK, "%s", err.text);
    return d;
}

static double Qs_at(const dipole_source *s, double x)
{
    dipole *d = at_x(s, x);
    const double Qs = sqrt(d->Qs2);
    dipole_free(d);
    return Qs;
}

/* -ln S of a set. */
static double set_Gamma(const char *name, double r)
{
    const bk_initial *i = &bk_set_named(name)->initial;
    return 0.25 * pow(r * r * i->Qs0sq, i->gamma) * log(1 / (r * 0.241) + i->ec * M_E);
}

/* -ln S is factor Gamma of the set at x_initial. */
static void begins_with(const dipole_source *s, const char *set, double factor, double tol)
{
    const double *t = s->bk->grid.t;
    const size_t n = s->bk->grid.n;
    double *f = malloc(n * sizeof *f);
    ck_assert_int_eq(bk_at(s->bk, 0, f, NULL), CGCT_OK);
    for (size_t i = 0; i < n; i++)
        if (t[i] > log(1e-3) && exp(f[i]) < 10)
            CHECK_REL(exp(f[i]), factor * set_Gamma(set, exp(t[i])), tol);
    free(f);
}

/* The same ln Gamma at x, relative to tol, where S > 1e-5. */
static void same_dipoles(const dipole_source *a, const dipole_source *b, double x, double tol)
{
    dipole *p = at_x(a, x), *q = at_x(b, x);
    for (double lnr = log(1e-3); lnr < log(100); lnr += 0.173) {
        double r2 = exp(2 * lnr), L, M;
        dipole_lnS(p, 1, &r2, &L);
        dipole_lnS(q, 1, &r2, &M);
        if (L < log(1e-5)) break;
        CHECK_REL(M, L, tol);
    }
    dipole_free(p);
    dipole_free(q);
}

static dipole_source *gold(const char *set, double b, double half_sigma0)
{
    dipole_opts o = bk_options(set);
    o.nucleus = 197;
    o.b = b;
    o.half_sigma0 = half_sigma0;
    return bk_opened(&o);
}

/* A T_A(0) sigma0/2 of gold, with T_A(0) as in nucleus.ref. */
START_TEST(nucleus_begins)
{
    const double T0 = 0.0109905556062743857;
    dipole_source *s = gold("mve", 0, 0);
    const char *line = s->describe;
    begins_with(s, "mve", 0.1 * 16.36 * 197 * T0, TOL_ROUND);
    ck_assert_msg(strstr(line, "bk nucleus A = 197 at b = 0 fm, Gamma 3.542168147"), "%s", line);
    ck_assert_msg(strstr(line, "sigma0/2 = 16.36 mb = 42.0156 GeV^-2"), "%s", line);
    dipole_source_close(s);
    s = gold("mvgamma", 0, 20);
    begins_with(s, "mvgamma", 0.1 * 20 * 197 * T0, TOL_ROUND);
    dipole_source_close(s);
}
END_TEST

/* Qs falls with b down to the proton's, at every x. */
START_TEST(order_in_b)
{
    const double x[] = {0.01, 0.00995, X_MIN}, b[] = {0, 4, 6.2, 7};
    const dipole_opts o = bk_options("mve");
    dipole_source *proton = bk_opened(&o);
    double before[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < 4; i++) {
        dipole_source *s = gold("mve", b[i], 0);
        for (int k = 0; k < 3; k++) {
            const double Qs = Qs_at(s, x[k]);
            ck_assert(b[i] > 6.3 ? Qs == Qs_at(proton, x[k]) : Qs < before[k]);
            ck_assert(Qs >= Qs_at(proton, x[k]));
            before[k] = Qs;
        }
        if (b[i] > 6.3) {
            ck_assert(s->thickness < 1);
            ck_assert_ptr_nonnull(strstr(s->describe, "dipole of the proton, cross section"));
            same_dipoles(proton, s, X_MIN, 0);
        }
        dipole_source_close(s);
    }
    dipole_source_close(proton);
}
END_TEST

/* A = 1 is the proton; so is a nucleus whose A T_A(b) sigma0/2 is 1, at every b. */
START_TEST(proton_limits)
{
    dipole_opts o = bk_options("mve");
    dipole_source *proton = bk_opened(&o);
    o.nucleus = 1;
    dipole_source *one = bk_opened(&o);
    same_dipoles(proton, one, X_MIN, 0);
    ck_assert_str_eq(proton->describe, one->describe);
    dipole_source_close(one);
    nucleus n;
    ck_assert_int_eq(nucleus_init(&n, 197, NULL), CGCT_OK);
    dipole_source *s = gold("mve", 4, 10 / (197 * nucleus_thickness(&n, 4)));
    same_dipoles(proton, s, X_MIN, TOL_LIMIT);
    dipole_source_close(s);
    nucleus_free(&n);
    dipole_source_close(proton);
}
END_TEST

static char file_path[] = "/tmp/cgct_initial_XXXXXX";

/* Gamma of mve as a two-column file, or in rcBK layout with blocks at x0 = 0.01 and beyond. */
static void write_mve(int columns)
{
    FILE *f = fopen(file_path, "w");
    ck_assert_ptr_nonnull(f);
    const double step = log(1e8) / (FILE_NR - 1);
    if (!columns) fprintf(f, "###1e-6\n###%.17g\n###%d\n###0.01\n", exp(step), FILE_NR);
    for (int block = 0; block < (columns ? 1 : 2); block++) {
        if (!columns) fprintf(f, "###%d\n", block);
        for (int i = 0; i < FILE_NR; i++) {
            const double r = 1e-6 * exp(i * step), N = -expm1(-(1 + block) * set_Gamma("mve", r));
            if (columns) fprintf(f, "%.17g ", r);
            fprintf(f, "%.17g\n", N);
        }
    }
    fclose(f);
}

static dipole_opts file_options(void)
{
    dipole_opts o = bk_options(NULL);
    o.initial = file_path;
    return o;
}

START_TEST(from_a_file)
{
    const dipole_opts set = bk_options("mve"), o = file_options();
    dipole_source *formula = bk_opened(&set);
    for (int columns = 0; columns < 2; columns++) {
        write_mve(columns);
        dipole_source *s = bk_opened(&o);
        begins_with(s, "mve", 1, TOL_FILE);
        same_dipoles(formula, s, X_MIN, TOL_FILE);
        ck_assert_ptr_nonnull(strstr(s->describe, "taken at x = 0.01"));
        ck_assert_ptr_null(strstr(s->describe, "sigma0/2"));
        dipole_source_close(s);
    }
    dipole_source_close(formula);
}
END_TEST

/* A nucleus of the file's proton is that of the formula. */
START_TEST(nucleus_from_a_file)
{
    dipole_opts o = file_options();
    write_mve(0);
    o.nucleus = 197;
    o.b = 3;
    o.half_sigma0 = 16.36;
    o.smooth = 0.01;
    dipole_source *s = bk_opened(&o), *want = gold("mve", 3, 0);
    ck_assert_ptr_nonnull(strstr(s->describe, "smoothed over 0.01"));
    begins_with(s, "mve", want->thickness, TOL_FILE);
    same_dipoles(want, s, X_MIN, TOL_FILE);
    dipole_source_close(s);
    dipole_source_close(want);
}
END_TEST

/* Sum weight T = A sigma0/2: every nucleon counts once; the area is that of the disc and of the
 * protons beyond. */
START_TEST(sum_over_b)
{
    dipole_opts o = bk_options("mve");
    o.nucleus = 197;
    o.impacts = 4;
    dipole_source *s = bk_opened(&o);
    const dipole_impacts *p = &s->impacts;
    ck_assert_uint_eq(p->n, 5);
    const double GeV2 = 1 / (0.1973269804 * 0.1973269804), edge = p->b[4];
    double nucleons = 0, area = 0;
    for (size_t i = 0; i < p->n; i++) {
        nucleons += p->weight[i] * p->source[i]->thickness;
        area += p->weight[i];
        ck_assert(i < 4 ? p->source[i]->thickness > 1 && p->b[i] < edge
                        : p->source[i]->thickness == 1);
        if (i > 1) ck_assert(Qs_at(p->source[i], X_MIN) < Qs_at(p->source[i - 1], X_MIN));
    }
    CHECK_REL(nucleons, 197 * 1.636 * GeV2, TOL_FOUR_NODES);
    CHECK_REL(area, s->area, TOL_ROUND);
    CHECK_REL(area, M_PI * edge * edge * GeV2 + p->weight[4], TOL_WEIGHT);
    dipole_source_close(s);
    /* too thin everywhere: the scaled proton alone, with the area of all nucleons */
    o.half_sigma0 = 4;
    s = bk_opened(&o);
    ck_assert_uint_eq(s->impacts.n, 1);
    CHECK_REL(s->area, 197 * 0.4 * GeV2, TOL_WEIGHT);
    dipole_source_close(s);
}
END_TEST

static const struct {
    dipole_opts o;
    cgct_status st;
    const char *says;
} bad[] = {
    {{.kind = DIPOLE_MV, .nucleus = 197}, CGCT_E_CONFIG, "nucleus is for kind = bk alone"},
    {{.kind = DIPOLE_GBW, .initial = "f"}, CGCT_E_CONFIG, "initial is for kind = bk alone"},
    {{.kind = DIPOLE_GBW, .b = 1}, CGCT_E_CONFIG, "b is for kind = bk alone"},
    {{.kind = DIPOLE_BK, .nucleus = 301}, CGCT_E_CONFIG, "nucleus of A = 301; want 2 to 300"},
    {{.kind = DIPOLE_BK, .nucleus = -2}, CGCT_E_CONFIG, "nucleus of A = -2; want 2 to 300"},
    {{.kind = DIPOLE_BK, .nucleus = 197, .b = -1}, CGCT_E_CONFIG, "b = -1 fm, allowed is 0 to 50"},
    {{.kind = DIPOLE_BK, .nucleus = 197, .b = NAN}, CGCT_E_CONFIG, "b = nan fm, allowed"},
    {{.kind = DIPOLE_BK, .b = 2}, CGCT_E_CONFIG, "b = 2 fm is for a nucleus"},
    {{.kind = DIPOLE_BK, .half_sigma0 = -1}, CGCT_E_CONFIG, "half_sigma0 = -1 mb, allowed is 0"},
    {{.kind = DIPOLE_BK, .initial = file_path, .set = "mve"},
     CGCT_E_CONFIG,
     "set = mve and initial = /tmp/"},
    {{.kind = DIPOLE_BK, .initial = file_path, .gamma = 1.1},
     CGCT_E_CONFIG,
     "gamma = 1.1 has no meaning beside initial = /tmp/"},
    {{.kind = DIPOLE_BK, .initial = file_path}, CGCT_E_CONFIG, "needs C2, the scale of alpha_s"},
    {{.kind = DIPOLE_BK, .initial = file_path, .bk.coupling.C2 = 7, .nucleus = 16},
     CGCT_E_CONFIG,
     "needs sigma0/2 of the proton; set dipole.half_sigma0"},
    {{.kind = DIPOLE_BK, .initial = file_path, .bk.coupling.C2 = 7, .x_initial = 0.1},
     CGCT_E_RANGE,
     "dipole.initial at x_initial = 0.1: /tmp/"},
    {{.kind = DIPOLE_BK, .initial = "/nosuch", .bk.coupling.C2 = 7},
     CGCT_E_IO,
     "/nosuch: cannot open"},
};

START_TEST(bad_options)
{
    write_mve(0);
    cgct_err err = {""};
    dipole_source *s;
    ck_assert_int_eq(dipole_source_open(&s, &bad[_i].o, &err), bad[_i].st);
    ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s", err.text);
    ck_assert_ptr_null(s);
}
END_TEST

START_TEST(bad_sums)
{
    dipole_opts o = bk_options("mve");
    dipole_source *s;
    cgct_err err = {""};
    o.impacts = 4;
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "A = 0; want 2 or more") != NULL, "%s", err.text);
    o.nucleus = 16;
    o.impacts = 65;
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "65 impact parameters; want 1 to 64") != NULL, "%s", err.text);
    o.impacts = 4;
    o.set = NULL;
    o.initial = file_path;
    ck_assert_int_eq(dipole_source_open(&s, &o, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "set dipole.half_sigma0 (mb)") != NULL, "%s", err.text);
}
END_TEST

static void make_file(void)
{
    int fd = mkstemp(file_path);
    if (fd >= 0) close(fd);
}

static void remove_file(void)
{
    unlink(file_path);
}

int main(void)
{
    Suite *s = suite_create("impacts");
    TCase *c = tcase_create("impacts");
    tcase_add_unchecked_fixture(c, make_file, remove_file);
    tcase_set_timeout(c, 300);
    tcase_add_test(c, nucleus_begins);
    tcase_add_test(c, order_in_b);
    tcase_add_test(c, proton_limits);
    tcase_add_test(c, from_a_file);
    tcase_add_test(c, nucleus_from_a_file);
    tcase_add_test(c, sum_over_b);
    tcase_add_loop_test(c, bad_options, 0, sizeof bad / sizeof *bad);
    tcase_add_test(c, bad_sums);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
