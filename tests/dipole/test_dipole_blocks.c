/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the rapidities of a dipole table are extended and joined: nothing jumps in Y, and no seam is
 * seen in r. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dipole/dipole_impl.h"
#include "check_rel.h"
#include "run_suite.h"

#define R_MIN 1e-3
#define MULT 1.3
enum { NR = 40 };

static void open_table(const char *path, double smooth, double x, dipole **d)
{
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path, .smooth = smooth};
    dipole_source *s;
    cgct_err err = {""};
    cgct_status st = dipole_source_open(&s, &o, &err);
    if (st == CGCT_OK) st = dipole_init(d, s, x, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    dipole_source_close(s);
}

/* Blocks begin at other r, where N has too few digits, and end at other r, where it is frozen, and
 * are continued by powers that are not the model's: nothing must jump where Y passes a block. */
START_TEST(no_jump_at_a_block)
{
    enum { BLOCKS = 7 };
    char path[] = "/tmp/cgct_blocks_XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "###%.17g\n###%.17g\n###%d\n###0.01\n", R_MIN, MULT, NR);
    for (int iy = 0; iy < BLOCKS; iy++) {
        fprintf(f, "###%.17g\n", 0.5 * iy);
        for (int i = 0; i < NR; i++) {
            double r = R_MIN * pow(MULT, i), Gamma = 0.25 * exp(0.5 * iy) * r * r / (1 + r / 3);
            fprintf(f, "%.8f\n", fmin(-expm1(-Gamma), 1 - 1e-5));
        }
    }
    ck_assert_int_eq(fclose(f), 0);
    for (int iy = 1; iy < BLOCKS - 1; iy++) {
        dipole *d[3];
        for (int i = 0; i < 3; i++)
            open_table(path, 0.1 * _i, 0.01 * exp(-0.5 * iy - 1e-7 * (i - 1)), &d[i]);
        ck_assert(d[0]->cut < 10);
        for (double r = 1e-5; r < 1e3; r *= 1.3) {
            double r2 = r * r, L[3];
            for (int i = 0; i < 3; i++) dipole_lnS(d[i], 1, &r2, &L[i]);
            CHECK_REL(L[0], L[1], 1e-6);
            CHECK_REL(L[2], L[1], 1e-6);
        }
        for (int i = 0; i < 3; i++) dipole_free(d[i]);
    }
    unlink(path);
}
END_TEST

/* A file that is frozen at r = 17; noise: of ln Gamma in its last nodes. */
static void open_frozen(double noise, dipole **d)
{
    char path[] = "/tmp/cgct_blocks_XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 300; i++) {
        double r = 1e-4 * pow(1.045, i), Gamma = 0.25 * r * r / (1 + 0.3 * r);
        if (Gamma > 5) Gamma *= 1 + noise * sin(2.0 * i);
        fprintf(f, "%.17g %.17g\n", r, fmin(-expm1(-Gamma), 1 - 1e-5));
    }
    fclose(f);
    open_table(path, 0.1, 0.01, d);
    ck_assert_msg((*d)->cut > 10 && (*d)->cut < 20, "cut at r = %g", (*d)->cut);
    unlink(path);
}

static double ln_Gamma(const dipole *d, double u)
{
    double r2 = exp(2 * u), L;
    dipole_lnS(d, 1, &r2, &L);
    return log(-L);
}

/* The seam with what goes on beyond the cut is not seen in sixth differences over 0.05 in ln r
 * (they are 1.2e-5 where the data alone are smoothed), nor noise of the last nodes in what goes on
 * (7e-3 where it goes on from rough ones). */
START_TEST(seam_is_smooth)
{
    static const double c[] = {1, -6, 15, -20, 15, -6, 1};
    dipole *clean, *noisy;
    double worst = 0, moved = 0;
    open_frozen(0, &clean);
    open_frozen(1e-5, &noisy);
    for (double u = log(5); u < log(60); u += 0.01) {
        double sixth = 0;
        for (int j = 0; j < 7; j++) sixth += c[j] * ln_Gamma(clean, u + 0.05 * j);
        worst = larger_error(worst, fabs(sixth));
        moved = larger_error(moved, fabs(ln_Gamma(noisy, u) - ln_Gamma(clean, u)));
    }
    ck_assert_msg(worst < 2.5e-6, "%g", worst);
    ck_assert_msg(moved < 5e-4, "%g", moved);
    dipole_free(clean);
    dipole_free(noisy);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dipole_blocks");
    TCase *t = tcase_create("dipole_blocks");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, no_jump_at_a_block, 0, 2);
    tcase_add_test(t, seam_is_smooth);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
