/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files that are read: the three layouts, defects that are cut off, the range of x. */
#include <string.h>

#include "dipole_text.h"
#include "run_suite.h"

#define TOL_PRINTED 1e-12 /* 17 printed digits of N through -log1p(-N) at Gamma <= 5 */
#define TOL_DIGITS 2e-3   /* a table printed with 6 decimals */
/* Files with 17 digits of N are data up to Gamma = 26, r = 10, where half a unit of the last one
 * changes Gamma by 1e-6; the continuation feels the last few.  With fewer digits they end
 * before. */
#define TOL_FAR 3e-6

/* The file is read, and is the model at rapidity Y from r = lo to 4/GeV and beyond.  Returns where
 * the continuation begins. */
static double is_model(int is_S, double x, double Y, double lo, double tol)
{
    dipole *d;
    cgct_err err;
    ck_assert_msg(open_x(is_S, x, &d, &err) == CGCT_OK, "%s", err.text);
    for (double r = lo; r < 30; r *= 1.17) {
        double r2 = r * r, L;
        dipole_lnS(d, 1, &r2, &L);
        CHECK_REL(L, -0.25 * exp(Y / 3) * r2, r > 4 ? fmax(20 * tol, TOL_FAR) : tol);
    }
    CHECK_REL(d->power, 2.0, fmax(10 * tol, 10 * TOL_FAR));
    const double cut = d->cut;
    ck_assert(cut > 1);
    dipole_free(d);
    return cut;
}

START_TEST(layout_rcbk)
{
    rcbk("###", "%.17g");
    save("\n");
    is_model(0, 0.01, 0, 1e-4, 1e-9);
    is_model(0, 0.01 * exp(-Y1), Y1, 1e-4, 1e-9);
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9); /* ln Gamma is linear in Y here */
}
END_TEST

/* Qs^2 with ln of degree 5 in Y: the polynomial through the six blocks around Y, wherever it is. */
static double curved(double Y)
{
    return Y / 3 - 0.02 * Y * Y + 0.003 * Y * Y * Y - 1e-4 * pow(Y - 1, 4) + 2e-5 * pow(Y - 2, 5);
}

START_TEST(between_blocks)
{
    enum { BLOCKS = 9 };
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "###%.17g\n###%.17g\n###%d\n###0.01\n", R_MIN, MULT, NR);
    for (int iy = 0; iy < BLOCKS; iy++) {
        double Y = 0.5 * iy + 0.1 * (iy % 2); /* not evenly */
        fprintf(f, "###%.17g\n", Y);
        for (int i = 0; i < NR; i++)
            fprintf(f, "%.17g\n", model_N(R_MIN * pow(MULT, i), 3 * curved(Y)));
    }
    ck_assert_int_eq(fclose(f), 0);
    for (int i = 0; i <= 40; i++) {
        double Y = 0.1 * i;
        is_model(0, 0.01 * exp(-Y), 3 * curved(Y), 1e-4, 1e-8); /* digits at large r are felt */
    }
}
END_TEST

START_TEST(rcbk_quirks)
{
    rcbk("### \t", "  %.17g ");
    strcpy(lines[0], ""); /* empty line inside the header */
    save("\r\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    rcbk("###", "%.17g");
    strcpy(lines[4], "###1.000000000000000e+00"); /* x0 = 1 and the evolution rapidity */
    save("\n");
    is_model(0, exp(-0.4), 0.4, 1e-4, 1e-9);
}
END_TEST

START_TEST(layout_three_columns)
{
    nline = 0;
    add("# x0 = 0.01");
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i);
            add("%.17g\t%.17g  %.17g", iy * Y1, r, model_N(r, iy * Y1));
        }
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    strcpy(lines[0], "# Y r N");
    save("\n");
    is_model(0, exp(-0.4), 0.4, 1e-4, 1e-9); /* x0 = 1 where the file names none */
}
END_TEST

/* As Fortran prints: values and header of rcBK with D, three columns and the x0 of a comment with
 * d. */
START_TEST(fortran_exponents)
{
    rcbk("###", "%.16E");
    strcpy(lines[4], "###1.0D-02");
    for (int i = 1; i < nline; i++)
        for (char *e = strchr(lines[i], 'E'); e; e = NULL) *e = 'D';
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    nline = 0;
    add("# x0 = 1.d-2");
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i);
            add("%.17e %.17e %.17e", iy * Y1, r, model_N(r, iy * Y1));
        }
    for (int i = 1; i < nline; i++)
        for (char *e = lines[i]; (e = strchr(e, 'e')) != NULL;) *e = 'd';
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
}
END_TEST

/* A heading, commas, comments behind numbers, Fortran's exponents without a letter or with q, lines
 * of another system: the same dipole. */
START_TEST(columns_of_any_kind)
{
    nline = 0;
    add("\xef\xbb\xbf! written by a program, x0 = 0.01");
    add("");
    add("Y, r, N");
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i);
            add(i % 2 ? "%.17g ,\t%.17e, %.17e # printed" : "%.17g %.17E\t%.17E! printed", iy * Y1,
                r, model_N(r, iy * Y1));
        }
    for (int i = 3; i < nline; i++)
        for (char *e = lines[i]; (e = strpbrk(e, "eE")) != NULL && e < strpbrk(lines[i], "#!");)
            *e = *e == 'e' ? 'Q' : 'd';
    save("\r\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9);
    /* N = 1e-200 at the first two r, which the reader leaves out */
    for (int iy = 0; iy < 2; iy++)
        for (int i = 0; i < 2; i++)
            snprintf(lines[3 + iy * NR + i], LINE, "%.17g %.17g 0.1-199", iy * Y1,
                     R_MIN * pow(MULT, i));
    save("\n");
    is_model(0, 0.01 * exp(-0.4), 0.4, 1e-2, 1e-9);
}
END_TEST

START_TEST(layout_two_columns)
{
    for (int is_S = 0; is_S < 2; is_S++) {
        nline = 0;
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i), N = model_N(r, 0);
            add("%.17g %.17g", r, is_S ? exp(-0.25 * r * r) : N);
        }
        save("\n");
        /* S near 1 has lost the digits of Gamma at small r, and keeps those at large r */
        const double cut = is_model(is_S, 0.3, 0, 0.03, 1e-6);
        ck_assert(is_S ? cut > 20 : cut > 7 && cut < 11);
        is_model(is_S, 1e-7, 0, 0.03, 1e-6);
    }
}
END_TEST

/* What evolution codes leave at large r: N = 1, N > 1, a plateau, a jump, a falling N. */
START_TEST(freeze)
{
    for (int kind = 0; kind < 5; kind++) {
        rcbk("###", "%.17g");
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < NR; i++) {
                double r = R_MIN * pow(MULT, i), N = model_N(r, b * Y1), S = 1 - N;
                if (S > 1e-3) continue;
                double v[] = {1, 1 + 9e-7 * (i & 1), 1 - 1e-3, S > 1e-12 ? 1 - 1e-9 : 1,
                              0.999 - 1e-4 * i};
                sprintf(lines[6 + b * (NR + 1) + i], "%.17g", v[kind]);
            }
        save("\n");
        ck_assert(is_model(0, 0.01 * exp(-0.4), 0.4, 1e-4, 1e-9) < 7);
    }
}
END_TEST

/* The last cells before the freeze bend upwards: the cut steps back and the power stays clean. */
START_TEST(bent_before_freeze)
{
    nline = 0;
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    const double mult = 1.05, frozen = 2 * sqrt(8);
    for (double r = R_MIN; r < 30; r *= mult) {
        double cells = log(frozen / r) / log(mult), G = 0.25 * r * r * (1 + 0.02 * pow(4, -cells));
        fprintf(f, "%.17g %.17g\n", r, r < frozen ? -expm1(-G) : 1.0);
    }
    fclose(f);
    dipole *d;
    cgct_err err;
    ck_assert_msg(open_x(0, 0.01, &d, &err) == CGCT_OK, "%s", err.text);
    CHECK_REL(d->power, 2.0, 5e-3); /* 2.3 without the step back */
    ck_assert(d->cut > frozen / pow(mult, 14) && d->cut < frozen / pow(mult, 3));
    dipole_free(d);
}
END_TEST

START_TEST(few_digits)
{
    rcbk("###", "%.6f"); /* zeros up to r = 1e-3, coarse steps after, ones from Gamma = 14 on */
    save("\n");
    ck_assert(is_model(0, 0.01 * exp(-0.4), 0.4, 0.1, TOL_DIGITS) < 7);
    dipole *d;
    cgct_err err;
    ck_assert_int_eq(open_x(0, 0.01, &d, &err), CGCT_OK);
    ck_assert(d->r_min > 0.02 && d->r_min < 0.1);
    dipole_free(d);
}
END_TEST

START_TEST(x_range)
{
    dipole *d;
    cgct_err err;
    rcbk("###", "%.17g");
    save("\n");
    const double bad[] = {0.0101, 0.01 * exp(-Y1) * 0.999, 0, NAN};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(open_x(0, bad[i], &d, &err), CGCT_E_RANGE);
        ck_assert_msg(strstr(err.text, "0.00223130") && strstr(err.text, " 0.0100000"), "%s",
                      err.text);
    }
}
END_TEST

START_TEST(describes)
{
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path};
    FILE *f = fopen(path, "wb");
    for (int i = 0; i < NR; i++)
        fprintf(f, "%.17g %.17g\n", R_MIN * pow(MULT, i), model_N(R_MIN * pow(MULT, i), 0));
    fclose(f);
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    ck_assert(s->xmin == 0 && s->xmax == 1);
    ck_assert_str_eq(s->name, path);
    const char *t = s->describe;
    ck_assert_msg(strstr(t, "no x in the file") && strstr(t, "crc64 ") && strstr(t, "40 r") &&
                      strstr(t, "r^2 from r = "),
                  "%s", t);
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dipole_file");
    TCase *t = tcase_create("dipole_file");
    tcase_add_unchecked_fixture(t, make_path, remove_path);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, layout_rcbk);
    tcase_add_test(t, between_blocks);
    tcase_add_test(t, rcbk_quirks);
    tcase_add_test(t, layout_three_columns);
    tcase_add_test(t, fortran_exponents);
    tcase_add_test(t, columns_of_any_kind);
    tcase_add_test(t, layout_two_columns);
    tcase_add_test(t, freeze);
    tcase_add_test(t, bent_before_freeze);
    tcase_add_test(t, few_digits);
    tcase_add_test(t, x_range);
    tcase_add_test(t, describes);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
