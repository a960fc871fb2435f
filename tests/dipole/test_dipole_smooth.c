/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Smoothing of dipole tables: what it does to waves and parabolas in closed form, and that it
 * brings back a model from a file with noise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dipole/dipole_impl.h"
#include "check_rel.h"
#include "run_suite.h"

enum { N = 400, MIDDLE = 120 };

/* On even nodes a wave e^(i k y) is left with 1/(1 + (length 2 sin(k h/2)/h)^6) of itself, but near
 * the ends; a parabola below it stays. */
START_TEST(waves_are_damped)
{
    static const double k[] = {2, 10, 20, 40};
    const double h = 0.05, length = 0.1, wave = 1e-3, moment = 2 * sin(k[_i] * h / 2) / h;
    const double left = wave / (1 + pow(length * moment, 6));
    long double y[N], f[N];
    double moved;
    cgct_err err;
    for (int i = 0; i < N; i++) {
        y[i] = h * (i - N / 2);
        f[i] = -20 + 0.3L * y[i] - 0.05L * y[i] * y[i] + wave * cosl(k[_i] * y[i]);
    }
    ck_assert_int_eq(dipole_smooth(N, y, f, length, &moved, &err), CGCT_OK);
    for (int i = MIDDLE; i < N - MIDDLE; i++) {
        double rest = (double)(f[i] + 20 - 0.3L * y[i] + 0.05L * y[i] * y[i]);
        CHECK_ABS(rest, left * cos(k[_i] * (double)y[i]), 1e-9 * wave);
    }
}
END_TEST

START_TEST(parabolas_stay)
{
    long double y[N], f[N], before[N];
    double moved;
    cgct_err err;
    for (int i = 0; i < N; i++) {
        y[i] = (i ? y[i - 1] : -5) + 0.02 + 0.015 * sin(1.7 * i);
        before[i] = f[i] = 1 - 2 * y[i] + 0.3L * y[i] * y[i];
    }
    ck_assert_int_eq(dipole_smooth(N, y, f, 0.5, &moved, &err), CGCT_OK);
    for (int i = 0; i < N; i++) CHECK_ABS((double)(f[i] - before[i]), 0, 1e-13);
    CHECK_ABS(moved, 0, 1e-13);
}
END_TEST

/* S = exp(-e^f): where f alone is off, S moves by S e^f times that. */
START_TEST(says_what_it_moves)
{
    long double y[N], f[N], before[N];
    double moved, most = 0;
    cgct_err err;
    for (int i = 0; i < N; i++) {
        y[i] = 0.02 * (i - N / 2);
        before[i] = f[i] = y[i] + 1e-4 * sin(7.0 * i * i);
    }
    ck_assert_int_eq(dipole_smooth(N, y, f, 0.1, &moved, &err), CGCT_OK);
    for (int i = 0; i < N; i++)
        most = larger_error(most, fabs(exp(-exp((double)f[i])) - exp(-exp((double)before[i]))));
    ck_assert(most > 1e-6);
    CHECK_REL(moved, most, 1e-3);
}
END_TEST

/* ---- a file with noise ---- */

static double gamma_of(double r)
{
    return 0.05 * pow(r, 1.8) * log(exp(1) + 4 / r);
}

static cgct_status open_smoothed(const char *path, double smooth, dipole_source **s, dipole **d)
{
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .smooth = smooth};
    cgct_err err = {""};
    cgct_status st = dipole_source_open(s, &o, &err);
    if (st == CGCT_OK) st = dipole_init(d, *s, 0.01, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    return st;
}

/* The third difference of ln Gamma over steps of 0.1 in ln r, largest distance from the model's. */
static double roughness(const dipole *d)
{
    double worst = 0;
    for (double u = log(0.01); u < log(3); u += 0.013) {
        double third = 0, r2, L;
        static const double c[] = {-1, 3, -3, 1};
        for (int j = 0; j < 4; j++) {
            double r = exp(u + 0.1 * j);
            r2 = r * r;
            dipole_lnS(d, 1, &r2, &L);
            third += c[j] * (log(-L) - log(gamma_of(r)));
        }
        worst = larger_error(worst, fabs(third));
    }
    return worst;
}

START_TEST(noise_of_a_file)
{
    char path[] = "/tmp/cgct_smooth_XXXXXX";
    dipole_source *s;
    dipole *rough, *smooth;
    FILE *f = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 300; i++) {
        double r = 1e-4 * pow(1.045, i), noise = 1e-5 * sin(13.0 * i * i);
        fprintf(f, "%.17g %.17g\n", r, -expm1(-gamma_of(r) * (1 + noise)));
    }
    fclose(f);
    open_smoothed(path, 0, &s, &rough);
    ck_assert_ptr_null(strstr(s->describe, "smoothed"));
    dipole_source_close(s);
    open_smoothed(path, 0.1, &s, &smooth);
    const char *t = s->describe;
    ck_assert_msg(strstr(t, "smoothed over 0.1 in ln r") && strstr(t, "smoothing moves S by "),
                  "%s", t);
    double before = roughness(rough), after = roughness(smooth), most = 0;
    ck_assert_msg(before > 3e-5 && before < 1 && after < before / 10, "%g before, %g after", before,
                  after);
    for (double r = 0.01; r < 5; r *= 1.1) {
        double r2 = r * r, L;
        dipole_lnS(smooth, 1, &r2, &L);
        CHECK_REL(L, -gamma_of(r), 1e-5);
    }
    for (int i = 0; i < 280; i++) {
        double r2 = 1e-8 * pow(1.045, 2 * i), L[2];
        dipole_lnS(rough, 1, &r2, &L[0]);
        dipole_lnS(smooth, 1, &r2, &L[1]);
        most = larger_error(most, fabs(exp(L[1]) - exp(L[0])));
    }
    CHECK_REL(smooth->moved, most, 1e-3);
    dipole_source_close(s);
    dipole_free(rough);
    dipole_free(smooth);
    unlink(path);
}
END_TEST

/* A wave of the file itself is damped once, although it is smoothed with and without what goes on
 * beyond the cut. */
START_TEST(wave_of_a_file)
{
    const double k = 10, h = log(1.045), moment = 2 * sin(k * h / 2) / h;
    char path[] = "/tmp/cgct_smooth_XXXXXX";
    dipole_source *s;
    dipole *d;
    FILE *f = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 300; i++) {
        double r = 1e-4 * pow(1.045, i);
        fprintf(f, "%.17g %.17g\n", r, -expm1(-0.25 * r * r * exp(1e-3 * cos(k * log(r)))));
    }
    fclose(f);
    open_smoothed(path, 0.1, &s, &d);
    for (double r = 0.01; r < 1; r *= 1.1) {
        double r2 = r * r, L;
        dipole_lnS(d, 1, &r2, &L);
        CHECK_ABS(log(-4 * L / r2), 1e-3 * cos(k * log(r)) / (1 + pow(0.1 * moment, 6)), 2e-6);
    }
    dipole_source_close(s);
    dipole_free(d);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dipole_smooth");
    TCase *t = tcase_create("dipole_smooth");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, waves_are_damped, 0, 4);
    tcase_add_test(t, parabolas_stay);
    tcase_add_test(t, says_what_it_moves);
    tcase_add_test(t, noise_of_a_file);
    tcase_add_test(t, wave_of_a_file);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
