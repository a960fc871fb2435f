/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noise of table files: what is measured against the known errors of synthetic files, the
 * warning, the smoothing that it proposes, and changes of a file within its noise. */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_rel.h"
#include "dipole/dipole_impl.h"
#include "run_suite.h"

enum { N = 400, PART = 50, BLOCKS = 5 };

/* Standard Gaussian numbers by Box and Muller, from the digits of a linear congruence. */
static uint64_t state;
static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) * 0x1p-53;
}

static double gauss(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* MV^e at Y = 0, growing with Y; or GBW */
static double gamma_of(int gbw, double r, double Y)
{
    const double scaled = r * exp(0.12 * Y);
    if (gbw) return 0.25 * scaled * scaled;
    return 0.06 * scaled * scaled / 4 * log(1 / (scaled * 0.241) + 18.9 * exp(1));
}

/* ---- the estimator ---- */

/* Noise of known size, the same everywhere, below a smooth f, on even and on uneven nodes. */
START_TEST(noise_of_known_size)
{
    const double want = pow(10, -3 * _i - 2);
    for (int uneven = 0; uneven < 2; uneven++) {
        long double y[N], f[N];
        double sigma[N], scratch[N], sum = 0, part = 0;
        state = 1;
        for (int i = 0; i < N; i++) {
            y[i] = -12 + 0.04L * i + (uneven ? 0.01L * sinl(2.3L * i) : 0);
            f[i] = 2 * y[i] + logl(logl(expl(-y[i]) + 50)) + want * gauss();
        }
        dipole_noise_nodes(N, y, f, sigma, scratch);
        for (int i = 0; i < N; i++) {
            part += sigma[i] * sigma[i] / PART;
            if (i % PART < PART - 1) continue;
            CHECK_REL(sqrt(part), want, 0.4);
            sum += part / (N / PART);
            part = 0;
        }
        CHECK_REL(sqrt(sum), want, 0.2);
    }
}
END_TEST

/* A smooth f has no noise, on nodes as far apart as in real files (up to 9%). */
START_TEST(none_in_a_smooth_function)
{
    long double y[N], f[N];
    double sigma[N], scratch[N];
    for (int i = 0; i < N; i++) {
        y[i] = -12 + 0.0862L * i;
        f[i] = 2 * y[i] + logl(logl(expl(-y[i]) / 0.241L + 18.9L * expl(1)));
    }
    dipole_noise_nodes(N, y, f, sigma, scratch);
    for (int i = 0; i < N; i++) CHECK_ABS(sigma[i], 0, 1e-12);
}
END_TEST

/* ---- files ---- */

static char path[] = "/tmp/cgct_noise_XXXXXX";

static void make_path(void)
{
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
}

static void remove_path(void)
{
    unlink(path);
}

typedef struct {
    const char *format;
    int gbw, nr, worse; /* this block has ten times the noise */
    double mult, noise; /* of ln Gamma */
} synthetic;

/* Writes the file; returns the rms error of its N where N is 0.05 to 0.95. */
static double write_synthetic(const synthetic *s)
{
    double sum = 0, n = 0;
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "###1e-5\n###%.17g\n###%d\n###0.01\n", s->mult, s->nr);
    state = 3;
    for (int iy = 0; iy < BLOCKS; iy++) {
        fprintf(f, "###%.17g\n", 0.5 * iy);
        for (int i = 0; i < s->nr; i++) {
            const double r = 1e-5 * pow(s->mult, i), exact = gamma_of(s->gbw, r, 0.5 * iy);
            const double size = iy == s->worse ? 10 * s->noise : s->noise;
            char text[64];
            snprintf(text, sizeof text, s->format, -expm1(-exact * exp(size * gauss())));
            fprintf(f, "%s\n", text);
            const double N0 = -expm1(-exact);
            if (N0 < 0.05 || N0 > 0.95 || iy == s->worse) continue;
            sum += pow(strtod(text, NULL) - N0, 2);
            n++;
        }
    }
    ck_assert_int_eq(fclose(f), 0);
    return sqrt(sum / n);
}

static dipole_source *open_synthetic(double smooth, unsigned shake)
{
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .smooth = smooth, .shake = shake};
    cgct_err err;
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

static const struct {
    const char *format;
    int digits, warns;
} printed[] = {{"%.5e", 6, 1},  {"%.6f", 6, 1},   {"%.6g", 6, 1},   {"%.7e", 8, 1},  {"%.8f", 8, 1},
               {"%.9e", 10, 0}, {"%.10f", 10, 0}, {"%.15e", 16, 0}, {"%.17g", 16, 0}};

/* GBW and MV, nodes 4.7% and 9% apart; the noise is the true error of what is printed. */
START_TEST(digits_of_a_file)
{
    for (int kind = 0; kind < 4; kind++) {
        const synthetic file = {.format = printed[_i].format,
                                .gbw = kind & 1,
                                .nr = kind & 2 ? 400 : 200,
                                .mult = kind & 2 ? 1.0472 : 1.09,
                                .worse = -1};
        const double truth = write_synthetic(&file);
        dipole_source *s = open_synthetic(0, 0);
        const double got = s->noise->typical, slack = printed[_i].digits == 16 ? 4 : 1.6;
        ck_assert_int_eq(s->noise->digits, printed[_i].digits);
        ck_assert_msg(got < fmax(slack * truth, 1e-15) && got > truth / slack, "%s: %g, not %g",
                      file.format, got, truth);
        ck_assert_int_eq(s->warning != NULL, printed[_i].warns);
        ck_assert_int_eq(s->noise->worst > DIPOLE_NOISE_SHOWS, printed[_i].warns);
        dipole_source_close(s);
    }
}
END_TEST

START_TEST(description_and_warning)
{
    const synthetic file = {"%.17g", 0, 300, 2, 1.05, 1e-5};
    const double truth = write_synthetic(&file);
    dipole_source *s = open_synthetic(0, 0);
    const double proposed = s->noise->smooth;
    char words[64];
    CHECK_REL(s->noise->typical, truth, 0.3);
    CHECK_REL(s->noise->worst, 10 * truth, 0.3);
    ck_assert(s->noise->worst_Y == 1.0);
    snprintf(words, sizeof words, ", 16 digits, noise of N %.1e (%.1e at Y = 1), ",
             s->noise->typical, s->noise->worst);
    ck_assert_msg(strstr(s->describe, words) != NULL, "%s", s->describe);
    const char *warning = s->warning;
    snprintf(words, sizeof words, "dipole.smooth = %g", proposed);
    ck_assert_msg(warning && strstr(warning, path) && strstr(warning, words) &&
                      strstr(warning, "changes I by") && !strchr(warning, '\n'),
                  "%s", warning);
    dipole_source_close(s);
    s = open_synthetic(0.9 * proposed, 0);
    ck_assert_ptr_nonnull(s->warning);
    dipole_source_close(s);
    s = open_synthetic(proposed, 0); /* as proposed: nothing more to say */
    ck_assert_ptr_null(s->warning);
    dipole_source_close(s);
}
END_TEST

/* The rms of dN/df (a - b)'' over the nodes of the first block, N from 0.05 to 0.95. */
static double curvature(const dipole_source *s, const long double *a, const long double *b)
{
    const double h = (double)(s->grid->lnr[1] - s->grid->lnr[0]);
    double sum = 0, n = 0;
    for (size_t i = s->lo[0] + 1; i < s->hi[0]; i++) {
        const double G = gamma_of(0, exp((double)s->grid->lnr[i]), 0), size = -expm1(-G);
        const long double second = (a[i + 1] - b[i + 1]) - 2 * (a[i] - b[i]) + a[i - 1] - b[i - 1];
        if (size < 0.05 || size > 0.95) continue;
        sum += pow(G * exp(-G) * (double)second / (h * h), 2);
        n++;
    }
    return sqrt(sum / n);
}

/* With the length that is proposed, the noise that is left bends N less than smoothing does, both
 * measured against the known dipole; with half of it, or none, it bends N more than that share. */
START_TEST(smoothing_that_is_proposed)
{
    /* from 1e-5 on the longest length is proposed, which leaves more */
    static const double noises[] = {1e-7, 1e-6, 4e-6};
    const synthetic file = {"%.17g", 0, 300, -1, 1.05, noises[_i]};
    write_synthetic(&file);
    dipole_source *s = open_synthetic(0, 0);
    const size_t lo = s->lo[0], n = s->hi[0] - lo + 1;
    double left[2], bent[2], moved;
    for (int half = 0; half < 2; half++) {
        const double length = s->noise->smooth / (1 + half);
        long double exact[N], clean[N], noisy[N];
        for (size_t i = lo; i < lo + n; i++) {
            exact[i] = clean[i] = logl(gamma_of(0, exp((double)s->grid->lnr[i]), 0));
            noisy[i] = logl(s->grid->gamma[i]);
        }
        ck_assert_int_eq(dipole_smooth(n, s->grid->lnr + lo, clean + lo, length, &moved, NULL), 0);
        ck_assert_int_eq(dipole_smooth(n, s->grid->lnr + lo, noisy + lo, length, &moved, NULL), 0);
        left[half] = curvature(s, noisy, clean);
        bent[half] = curvature(s, clean, exact);
    }
    ck_assert_msg(left[0] < 0.5 * bent[0], "smooth = %g: %g left, %g bent", s->noise->smooth,
                  left[0], bent[0]);
    ck_assert_msg(left[1] > 0.5 * bent[1], "half of %g: %g left, %g bent", s->noise->smooth,
                  left[1], bent[1]);
    dipole_source_close(s);
}
END_TEST

/* The rms change, or (shaken NULL) the rms error, of ln Gamma of the last four nodes of a block,
 * where rounding is largest. */
static double last_nodes(const dipole_source *s, const dipole_source *shaken)
{
    double sum = 0;
    for (size_t iy = 0; iy < BLOCKS; iy++)
        for (size_t i = s->hi[iy] - 3; i <= s->hi[iy]; i++) {
            const size_t at = iy * s->grid->nr + i;
            const double exact = gamma_of(0, exp((double)s->grid->lnr[i]), 0.5 * (double)iy);
            const double other = shaken ? shaken->grid->gamma[at] : exact;
            sum += pow(log(other / s->grid->gamma[at]), 2) / (4 * BLOCKS);
        }
    return sqrt(sum);
}

/* Changes of a file are as large as its noise, the same each time, and differ by their number. */
START_TEST(shaken_within_its_noise)
{
    const synthetic file = {"%.6f", 0, 300, -1, 1.05, 0};
    const double truth = write_synthetic(&file);
    dipole_source *s[4];
    for (unsigned k = 0; k < 4; k++) s[k] = open_synthetic(0, k < 3 ? k : 2);
    for (int k = 1; k < 3; k++) {
        double sum = 0, n = 0;
        for (size_t iy = 0; iy < BLOCKS; iy++)
            for (size_t i = s[0]->lo[iy]; i <= s[0]->hi[iy]; i++) {
                const size_t at = iy * s[0]->grid->nr + i;
                const double a = exp(-s[0]->grid->gamma[at]), b = exp(-s[k]->grid->gamma[at]);
                ck_assert(s[2]->grid->gamma[at] == s[3]->grid->gamma[at]);
                ck_assert(s[1]->grid->gamma[at] != s[2]->grid->gamma[at]);
                if (a < 0.05 || a > 0.95) continue;
                sum += (a - b) * (a - b);
                n++;
            }
        CHECK_REL(sqrt(sum / n), truth, 0.4);
        CHECK_REL(last_nodes(s[0], s[k]), last_nodes(s[0], NULL), 0.5);
    }
    for (int k = 0; k < 4; k++) dipole_source_close(s[k]);
}
END_TEST

int main(void)
{
    gsl_set_error_handler_off();
    Suite *s = suite_create("dipole_noise");
    TCase *t = tcase_create("dipole_noise");
    tcase_add_unchecked_fixture(t, make_path, remove_path);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, noise_of_known_size, 0, 4);
    tcase_add_test(t, none_in_a_smooth_function);
    tcase_add_loop_test(t, digits_of_a_file, 0, (int)(sizeof printed / sizeof *printed));
    tcase_add_test(t, description_and_warning);
    tcase_add_loop_test(t, smoothing_that_is_proposed, 0, 3);
    tcase_add_test(t, shaken_within_its_noise);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
