/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of the cross section and the gluon distributions that they are made of, as a user
 * meets them. */
#include <gsl/gsl_sf_expint.h>
#include <math.h>

#include "command.h"
#include "run_suite.h"

/* Numbers of one line of a table. */
static void take_numbers(double *v, int count)
{
    const char *p = place.output;
    for (int i = 0; i < count; i++) {
        char *end;
        v[i] = strtod(p, &end);
        ck_assert(end != p);
        p = end;
    }
}

static void check_limit(const char *name, double q, double tolerance_T, double tolerance_L)
{
    double v[13];
    char line[256];
    snprintf(line, sizeof line,
             GENERATE "point --dipole mv:mve --x 0.01 --eps 1 --q %g --k1 20 --theta 1 "
                      "--limit %s --set accuracy.tolerance=1e-3 | grep -v '#'",
             q, name);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    take_numbers(v, 13);
    ck_assert_double_eq_tol(v[10], v[5] / v[9], 1e-14);
    ck_assert_double_eq_tol(v[12], v[7] / v[11], 1e-14);
    ck_assert_double_eq_tol(v[10], 1, tolerance_T);
    ck_assert_double_eq_tol(v[12], 1, tolerance_L);
}

/* The columns of --limit are a limit and the ratio to it, which is near 1 where both momenta are
 * hard, for the back-to-back one at small q only. */
START_TEST(limit_columns)
{
    check_limit("itmd", 3, 0.01, 0.1);
    check_limit("tmd", 0.3, 0.01, 0.1);
    command_fails(&place,
                  GENERATE
                  "point --dipole gbw --x 0.01 --eps 1 --q 3 --k1 2 --theta 1 --limit tmd --exact",
                  2, "--exact", "--limit");
    command_fails(&place,
                  GENERATE
                  "point --dipole gbw --x 0.01 --eps 1 --q 3 --k1 2 --theta 1 --limit dilute",
                  2, "dilute", "tmd or itmd");
}
END_TEST

/* The singlet part of I is the same in two frames within its bounds, where many angular modes count
 * (q = 6) and where few do, less than a tenth of I here, and refused where it has no meaning. */
START_TEST(singlet_channel)
{
#define SINGLET "--dipole mv --x 0.01 --set correlator.channel=singlet --set correlator.Nc="
#define SINGLET_POINT "--eps 4 --k1 2 --theta 1 --set accuracy.tolerance=1e-3 "
    static const char *const part[] = {
        GENERATE "point " SINGLET "3 " SINGLET_POINT,
        GENERATE "point " SINGLET "3 --frame 0 " SINGLET_POINT,
        GENERATE "point --dipole mv --x 0.01 --set correlator.Nc=3 " SINGLET_POINT};
    for (int q = 1; q <= 6; q += 5) {
        double v[3][9];
        for (int i = 0; i < 3; i++) {
            char line[256];
            snprintf(line, sizeof line, "%s --q %d | grep -v '#'", part[i], q);
            ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
            take_numbers(v[i], 9);
        }
        for (int j = 5; j < 9; j += 2) {
            const double bound = v[0][j + 1] + v[1][j + 1];
            ck_assert_msg(fabs(v[0][j] - v[1][j]) <= bound && v[0][j] > 100 * bound &&
                              v[0][j] < 0.1 * v[2][j],
                          "q = %d: %g and %g, of %g", q, v[0][j], v[1][j], v[2][j]);
        }
    }
    command_fails(&place, GENERATE "point " SINGLET "3 --limit itmd --q 1 " SINGLET_POINT, 2,
                  "correlation limit", "channel = all");
    command_fails(&place, GENERATE "tmd --q 1 " SINGLET "3 >/dev/null", 2, "gluon distributions",
                  "channel = all");
    command_fails(&place, GENERATE "point " SINGLET "inf --q 1 " SINGLET_POINT, 2, "vanishes",
                  "correlator.Nc = 3");
    ck_assert_int_eq(
        command_run(&place, "printf '[correlator]\\nNc=3\\nchannel=singlet\\n' >s.card"), 0);
    command_fails(&place, GENERATE "run s.card -o t.cgct", 2, "channel = singlet", "'point'");
}
END_TEST

/* GBW: F = pi E1(q^2/(2 Qs^2)), for Nc colours (1 - 1/Nc^2) pi E1((1 - 1/Nc^2) q^2/(2 Qs^2)),
 * h = 0; S(q) = (4 pi/Qs^2) exp(-q^2/Qs^2); G_n = 2 pi [E1(q^2/((n+2) Qs^2)) - E1(q^2/(n Qs^2))],
 * F_gg1,2 = pi e^(-q^2/(2 Qs^2)) [1 +- q^2/(2 Qs^2)]. */
START_TEST(tmd_of_gbw)
{
    static const double q[3] = {0.1, 1, 2}, colours[2] = {INFINITY, 3};
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++) {
            double v[13], share = 1 - 1 / (colours[c] * colours[c]);
            char line[256];
            snprintf(line, sizeof line,
                     GENERATE "tmd --dipole gbw --x 3.04e-4 --q %g --nc %g | grep -v '#'", q[i],
                     colours[c]);
            ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
            take_numbers(v, 13);
            double F = share * M_PI * gsl_sf_expint_E1(share * q[i] * q[i] / 2);
            double xG = 3 * F / (4 * pow(M_PI, 4));
            ck_assert_double_eq_tol(v[6], F, 1e-8 * F);
            ck_assert_double_eq_tol(v[7], 0, 1e-8 * F);
            ck_assert_double_eq_tol(v[2], xG, 1e-8 * xG);
            ck_assert_double_eq_tol(v[3], 0, 1e-8 * xG);
            const double q2 = q[i] * q[i], S = 4 * M_PI * exp(-q2), half = M_PI * exp(-q2 / 2);
            const double forward[5] = {
                q2 * S, 2 * M_PI * (gsl_sf_expint_E1(q2 / 3) - gsl_sf_expint_E1(q2)),
                half * (1 + q2 / 2), half * (1 - q2 / 2),
                2 * M_PI * (gsl_sf_expint_E1(q2 / 4) - gsl_sf_expint_E1(q2 / 2))};
            ck_assert_double_eq_tol(v[5], S, 1e-8);
            for (int j = 0; j < 5; j++) ck_assert_double_eq_tol(v[8 + j], forward[j], 1e-8);
        }
    command_fails(&place, GENERATE "tmd --dipole gbw --x 0.01 --q 1 --nc 1", 2, "nc", "[2,1e6]");
    command_fails(&place, GENERATE "tmd --dipole gbw --x 0.01 --q 0", 2, "q", "[1e-3,1e3]");
    command_fails(&place, GENERATE "tmd --x 0.01 --q 1", 2, "--dipole", "--card");
}
END_TEST

/* GBW: I depends on |K| and q alone, and so does the back-to-back limit with h = 0; twists give
 * v_2 = q^2 K^2/(4 D^2) for T and q^2/(2 D) (K^2/D - 1/3) for L, D = K^2 + eps^2. */
START_TEST(vn_of_gbw)
{
    double v[24];
    ck_assert_msg(command_run(&place, GENERATE "plot vn -o out --dipole gbw --x 3.04e-4 --eps 1 "
                                               "--q 0.5 --k 4 && ls out && grep -v '#' "
                                               "out/vn.dat > line") == 0,
                  "%s", place.output);
    ck_assert_ptr_nonnull(strstr(place.output, "vn.dat\nvn.gp"));
    /* the picture says which dipole, x, eps and K it shows, and has the range of the q */
    ck_assert_int_eq(command_run(&place, "grep -q \"^subject = 'gbw Q0\" out/vn.gp && grep -qx "
                                         "\"heading = ', x = 0.000304, ε = 1 GeV'\" out/vn.gp && "
                                         "grep -qx \"name.1. = 'K = 4 GeV'\" out/vn.gp && grep -qx "
                                         "'q_hi = 0.5' out/vn.gp"),
                     0);
    ck_assert_int_eq(command_run(&place, "cat line"), 0);
    take_numbers(v, 24);
    ck_assert_double_eq(v[2], 0.5);
    ck_assert_double_eq(v[3], 4);
    for (int pol = 0; pol < 2; pol++) {
        const double *h = v + 4 + 10 * pol, D = 17;
        const double twist = pol ? 0.25 / (2 * D) * (16 / D - 1 / 3.) : 0.25 * 16 / (4 * D * D);
        for (int i = 1; i < 6; i++)
            if (i != 3) ck_assert_double_eq_tol(h[i], 0, 1e-6);
        ck_assert(h[0] > 0 && h[3] > 0 && h[6] > 0 && h[9] > 0 && h[9] < 1e-5);
        ck_assert_double_eq_tol(h[7] / twist, 1, pol ? 0.01 : 0.05);
    }
    command_fails(&place, GENERATE "plot vn -o out --dipole gbw --x 0.01 --eps 1 --q 1", 2, "k",
                  "missing");
}
END_TEST

/* Forward dijets: closed forms of q -> q qbar in a line, and what is refused. */
START_TEST(forward_dijets)
{
#define FORWARD GENERATE "point --dipole gbw --x 3.04e-4 --k1 2 --k2 1.5 --angle 2.6 "
    double v[14];
    ck_assert_msg(command_run(&place, FORWARD "--process qqb --z 0.5 --eps 0.5 --limit tmd | "
                                              "grep -v '#'") == 0,
                  "%s", place.output);
    take_numbers(v, 14);
    ck_assert_double_eq_tol(v[5], 7.02470819663, 1e-8); /* tests/refs/forward.ref */
    ck_assert_double_eq_tol(v[10], 2 * M_PI * pow(4 * M_PI, 2) * exp(-6.25), 1e-8);
    ck_assert_double_eq_tol(v[11], v[5] * 0.25 * 0.5 * pow(2 * M_PI, -6), 1e-14 * v[5]);
    ck_assert_double_eq_tol(v[13], v[5] / v[12], 1e-14);
    /* a massive quark: closed + C + 0.2 of those of the helicity flip of tests/refs/forward.ref */
    ck_assert_msg(command_run(&place, FORWARD "--process qg --z 0.5 --mass 1 | grep -v '#'") == 0,
                  "%s", place.output);
    take_numbers(v, 12);
    ck_assert_double_eq_tol(v[5],
                            4.65396549434 + 14.1694136826 + 0.2 * (1.42886136865 + 7.53258417173),
                            v[6] + 1e-9 * v[5]); /* what the file is good to */
    ck_assert_double_lt(v[6], 1e-6);
    /* a soft quark: with as many modes as for a photon the bound is 1.2e-3 of T, now 4.9e-4 */
    ck_assert_msg(command_run(&place, GENERATE
                              "point --dipole mv:mve --x 0.01 --process qg --z 0.5 --k1 7 --k2 "
                              "0.64 --angle 2.4 --Lambda 1 --set accuracy.tolerance=1e-4 | "
                              "grep -v '#'") == 0,
                  "%s", place.output);
    take_numbers(v, 12);
    ck_assert(v[6] > 0 && v[6] < 8e-4 * v[5]);
    command_fails(&place, FORWARD "--process qg --z 0.5", 2, "--Lambda", "missing");
    command_fails(&place, FORWARD "--process qg --z 0.5 --Lambda 0", 2, "--Lambda", "(0,1e3]");
    command_fails(&place, FORWARD "--process qg --z 1 --Lambda 1", 2, "--z", "(0,1)");
    command_fails(&place, FORWARD "--process qqb --z 0.5 --Lambda 1 --set correlator.Nc=3", 2,
                  "correlator.Nc = 3", "Nc = inf");
    command_fails(&place, FORWARD "--process qg --z 0.5 --Lambda 1 --set correlator.Nc=3", 2,
                  "correlator.Nc = 3", "Nc = inf");
    command_fails(&place, FORWARD "--process qq --z 0.5 --Lambda 1", 2, "qq", "gg or qqb");
    command_fails(&place, FORWARD "--eps 1", 2, "--k2", "--process");
    command_fails(&place, FORWARD "--process qg --z 0.5 --dps none", 2, "--dps", "wave");
    command_fails(&place, FORWARD "--process qg --z 0.5 --dps wav", 2, "wav", "log, wave or none");
    command_fails(&place, FORWARD "--process qg --z 0.5 --mass 1 --Lambda 1", 2, "--Lambda",
                  "--dps none");
    command_fails(&place, FORWARD "--process gg --z 0.5 --mass 1", 2, "--mass", "not gg");
    command_fails(&place, FORWARD "--process qg --z 0.5 --mass 1 --eps 1", 2, "--mass", "--eps");
    command_fails(&place, FORWARD "--process qg --z 0.5 --Lambda 1 --limit tm", 2, "'tm'",
                  "itmd or dilute");
    command_fails(&place, FORWARD "--process qg --z 0.5 --Lambda 1 --q 1", 2, "--q", "--k2");
    command_fails(&place,
                  GENERATE "point --dipole gbw --x 0.01 --process qg --k1 1 --k2 1 --angle 0 --z "
                           "0.5 --Lambda 1",
                  1, "collinear", "jet radius");
    ck_assert_int_eq(command_run(&place, "printf '[correlator]\\nprocess=qg\\n' >p.card"), 0);
    command_fails(&place, GENERATE "run p.card -o t.cgct", 2, "process = qg", "'point'");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_limits");
    TCase *t = tcase_create("cli_limits");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, limit_columns);
    tcase_add_test(t, singlet_channel);
    tcase_add_test(t, forward_dijets);
    tcase_add_test(t, tmd_of_gbw);
    tcase_add_test(t, vn_of_gbw);
    tcase_set_timeout(t, 240);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
