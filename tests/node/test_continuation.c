/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes beyond what is resolved, against a fall-off in closed form with known errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "node/stored.h"
#include "run_suite.h"

enum { NQ = 40, NK = 3, NM = 4, POINTS = 2 * NQ * NK };
static const double ERROR = 1e-9; /* of I, everywhere */

static double q[NQ], truth[POINTS][NM], modes[POINTS][NM], error[POINTS];

/* q^-3 exp(-gauss q^2), the modes shrinking by a factor that depends on k. */
static void make(double gauss, double noise)
{
    for (size_t i = 0; i < POINTS; i++) {
        size_t iq = i / NK % NQ, k = i % NK;
        q[iq] = pow(25, (double)iq / (NQ - 1));
        double I = pow(q[iq], -3) * exp(-gauss * q[iq] * q[iq]);
        for (size_t m = 0; m < NM; m++) {
            truth[i][m] = I * pow(0.2 + 0.1 * (double)k, (double)m);
            /* of all angles at most ERROR */
            modes[i][m] = truth[i][m] + noise * ERROR / (4 * M_PI * NM) * sin(7 * (double)(i + m));
        }
        error[i] = ERROR;
    }
}

static double value(const double *I, double theta)
{
    double sum = 2 * M_PI * I[0];
    for (int m = 1; m < NM; m++) sum += 4 * M_PI * (m & 1 ? -1 : 1) * cos(m * theta) * I[m];
    return sum;
}

static int resolved(size_t i)
{
    return modes[i][0] > 0 && ERROR <= 0.1 * 2 * M_PI * modes[i][0];
}

static size_t run(void)
{
    node_modes m = {NQ, NK, NM, q, NULL, modes[0], error};
    return continue_modes(&m);
}

/* The last point of the column of point i whose error is a tenth of I or less. */
static size_t last_resolved(double (*I)[NM], size_t i)
{
    size_t end = i - i % (NQ * NK) + i % NK, last = end;
    for (; end / (NQ * NK) == i / (NQ * NK) && end < POINTS; end += NK)
        if (ERROR <= 0.1 * 2 * M_PI * I[end][0]) last = end;
    return last;
}

START_TEST(falls_like_a_gaussian)
{
    size_t lost = 0;
    make(0.3, 0);
    for (size_t i = 0; i < POINTS; i++) lost += !resolved(i);
    ck_assert_uint_gt(lost, POINTS / 4);
    ck_assert_uint_eq(run(), lost);
    for (size_t i = 0; i < POINTS; i++) {
        double least = 0x1p-11 * ERROR;
        ck_assert(fabs(modes[i][0] - fmax(truth[i][0], least)) <= 1e-9 * modes[i][0]);
        size_t last = last_resolved(truth, i), beyond = i > last ? (i - last) / NK : 0;
        double t = beyond > 2 ? pow(q[last / NK % NQ + 2] / q[i / NK % NQ], 4) : 1;
        for (size_t m = 1; m < NM; m++) {
            double want = modes[i][0] * truth[i][m] / truth[i][0] * pow(t, (double)m);
            ck_assert(fabs(modes[i][m] - want) <= 1e-12 * modes[i][0]);
        }
    }
}
END_TEST

/* What is resolved stays as it is; the rest is positive, and the bound holds at every angle. */
START_TEST(bounds_hold_in_noise)
{
    static double before[POINTS][NM];
    make(0.3, 1);
    memcpy(before, modes, sizeof before);
    ck_assert_uint_gt(run(), 0);
    for (size_t i = 0; i < POINTS; i++) {
        int kept = memcmp(before[i], modes[i], sizeof before[i]) == 0;
        ck_assert_int_eq(kept, i <= last_resolved(before, i));
        ck_assert_int_eq(kept, error[i] == ERROR);
        ck_assert(modes[i][0] > 0 && error[i] >= ERROR && error[i] <= 0x1p13 * modes[i][0]);
        for (double theta = 0; theta < 3.2; theta += 0.1) {
            double I = value(modes[i], theta);
            ck_assert(I > 0 && fabs(I - value(truth[i], theta)) <= error[i]);
        }
    }
}
END_TEST

/* Just beyond the edge the form is good to a few times the error of the points that it comes from.
 */
START_TEST(first_points_beyond_the_edge)
{
    make(0.3, 1);
    size_t last = 0;
    while (resolved((last + 1) * NK)) last++;
    ck_assert_uint_gt(run(), 0);
    for (size_t i = last + 1; i < last + 3; i++) {
        double off = modes[i * NK][0] / truth[i * NK][0] - 1;
        ck_assert_msg(fabs(off) < 0.2, "point %zu is off by %g", i, off);
    }
}
END_TEST

/* No Gaussian at all, or one that would grow: a power. */
START_TEST(falls_like_a_power)
{
    make(0, 0);
    for (size_t i = 0; i < POINTS; i++) error[i] = 1e-3;
    ck_assert_uint_gt(run(), POINTS / 4);
    for (size_t i = 0; i < POINTS; i++)
        ck_assert(fabs(modes[i][0] - truth[i][0]) <= 1e-9 * truth[i][0]);
    make(-0.001, 0);
    for (size_t i = 0; i < POINTS; i++) error[i] = 1e-3;
    ck_assert_uint_gt(run(), POINTS / 4);
    for (size_t i = NK; i < POINTS; i++)
        if (i / NK % NQ > 0) ck_assert(modes[i][0] <= modes[i - NK][0]);
}
END_TEST

START_TEST(nothing_to_continue)
{
    static double before[POINTS][NM];
    make(0.3, 0);
    memset(error, 0, sizeof error);
    memcpy(before, modes, sizeof before);
    ck_assert_uint_eq(run(), 0);
    ck_assert(memcmp(before, modes, sizeof before) == 0);
    make(0.3, 0);
    for (size_t i = 0; i < POINTS; i++) error[i] = 1e3; /* nothing is resolved */
    memcpy(before, modes, sizeof before);
    ck_assert_uint_eq(run(), 0);
    ck_assert(memcmp(before, modes, sizeof before) == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("continuation");
    TCase *t = tcase_create("continuation");
    tcase_add_test(t, falls_like_a_gaussian);
    tcase_add_test(t, bounds_hold_in_noise);
    tcase_add_test(t, first_points_beyond_the_edge);
    tcase_add_test(t, falls_like_a_power);
    tcase_add_test(t, nothing_to_continue);
    suite_add_tcase(s, t);
    return run_suite(s) ? EXIT_FAILURE : EXIT_SUCCESS;
}
