/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sum rule with masses: a table's cross section, integrated over both momenta by the reader's
 * sampler, against the inelastic part of the structure functions, an integral over the dipole.
 *
 *   Int dz Int d2k1 d2k2 dsigma_p = 4 pi^2 alpha_em/Q2 F_p,inel
 *
 * for charm and GBW with Qs = 3 GeV, whose S_perp is 1 GeV^-2.  What lies outside the table is
 * known: q below its first node, where I is as E1(q^2/2Qs^2), and the shorter momentum above k_max,
 * that is K above k_max + q |cos phi|/2, where
 *   I_T -> (2 pi)^2 2 pi E1/(eps^2 K^4), I_L -> (2 pi)^2 4 pi E1/K^6, Int d2q E1 = 2 pi Qs^2
 * and the mean of q is 0.8355 Qs. */
#include <math.h>

#include "command.h"
#include "reader/cgctab.h"
#include "run_suite.h"

#define GENERATE BIN_DIR "/cgctab-generate "
#define PI 3.14159265358979323846
static const double Qs2 = 9, mass = 1.4, k_max = 100, q_min = 0.01, alpha = 1 / 137.036;

static const char card[] = "[dipole]\nkind = gbw\nQ0 = 3\nx0 = 0.01\nS_perp = 1\n"
                           "[axes]\nx = 0.01\neps = cheb 1.39 2.15 4\nq = geom 0.01 19.5 60\n"
                           "k_max = 100\n[accuracy]\ntolerance = 1e-6\n";

static void make_table(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/g.card", place.folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(card, f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_msg(command_run(&place, GENERATE "run g.card -o g.cgct --quiet") == 0, "%s",
                  place.output);
}

/* Int d2q d2k1 I of both wave functions at eps. */
static void integrate(const cgct_table *t, double eps, double J[2])
{
    const double u = q_min * q_min / (2 * Qs2), below = u * (1 - 0.5772156649 - log(u));
    const double k2 = k_max * k_max, mean_q = 0.8355 * sqrt(Qs2);
    const double unit = 4 * PI * PI * 2 * PI * Qs2 * (1 - 2 / PI * mean_q / k_max);
    const double beyond[2] = {unit * 2 * PI * PI / (eps * eps * k2),
                              unit * 2 * PI * PI / (k2 * k2)};
    cgct_slice *s;
    ck_assert_int_eq(cgct_slice_init(&s, t, 0.01, eps, NULL), CGCT_OK);
    for (int pol = 0; pol < 2; pol++) {
        const double factor[2] = {pol == CGCT_T, pol == CGCT_L};
        cgct_sampler *sampler;
        ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
        J[pol] = cgct_sampler_total(sampler) / (1 - below) + beyond[pol];
        cgct_sampler_free(sampler);
    }
    cgct_slice_free(s);
}

/* F_T and F_L of the table, by Gauss and Legendre in z, which counts twice from 0 to 1/2. */
static void from_table(double Q2, double F[2])
{
    static const double node[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                   0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                   0.9445750230732326, 0.9894009349916499};
    static const double weight[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                     0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                     0.0622535239386479, 0.0271524594117541};
    cgct_table *t;
    char path[64];
    snprintf(path, sizeof path, "%s/g.cgct", place.folder);
    ck_assert_int_eq(cgct_open(path, &t, NULL), CGCT_OK);
    F[CGCT_T] = F[CGCT_L] = 0;
    for (int i = 0; i < 16; i++) {
        const double z = (1 + (i % 2 ? 1 : -1) * node[i / 2]) / 4, w = weight[i / 2] / 2;
        const cgct_dis dis = {alpha, 4 / 9., 1, z, Q2, mass};
        double eps, M[2][2], J[2];
        ck_assert_int_eq(cgct_dis_factors(&dis, &eps, M), CGCT_OK);
        integrate(t, eps, J);
        for (int photon = 0; photon < 2; photon++)
            F[photon] += w * Q2 / (4 * PI * PI * alpha) *
                         (M[photon][CGCT_T] * J[CGCT_T] + M[photon][CGCT_L] * J[CGCT_L]);
    }
    cgct_close(t);
}

static void from_dipole(const char *Q2, double F[2])
{
    char line[512];
    double F2;
    snprintf(line, sizeof line,
             GENERATE "f2 --dipole gbw --set dipole.Q0=3 --set dipole.x0=0.01 --x 0.01 --Q2 %s "
                      "--S-perp 1 --flavours c | grep -v '^#'",
             Q2);
    ck_assert_msg(command_run(&place, line) == 0, "%s", place.output);
    ck_assert_int_eq(sscanf(place.output, "%*f %*f %*f %*f %lf %lf", &F2, &F[CGCT_L]), 2);
    F[CGCT_T] = F2 - F[CGCT_L];
}

START_TEST(charm)
{
    static const char *const Q2[] = {"1e-4", "2", "10"};
    make_table();
    for (int i = 0; i < 3; i++) {
        double table[2], dipole[2];
        from_table(atof(Q2[i]), table);
        from_dipole(Q2[i], dipole);
        for (int photon = 0; photon < 2; photon++) {
            printf("Q2 = %s GeV^2, photon %c: %.8g from the table, %.8g from the dipole, %.1e\n",
                   Q2[i], "TL"[photon], table[photon], dipole[photon],
                   table[photon] / dipole[photon] - 1);
            ck_assert(fabs(table[photon] / dipole[photon] - 1) < 1e-4);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sum_rule");
    TCase *c = tcase_create("sum_rule");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 240);
    tcase_add_test(c, charm);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
