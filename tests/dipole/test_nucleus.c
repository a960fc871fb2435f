/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nuclei: thickness against mpmath, integrals over the impact parameter. */
#include "dipole/nucleus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_rel.h"
#include "open_ref.h"
#include "run_suite.h"

#define TOL_THICKNESS 1e-12
#define TOL_AREA 1e-11
#define TOL_SIX_NODES 1e-6

static nucleus nucleus_of(int A)
{
    nucleus n;
    cgct_err err = {""};
    ck_assert_msg(nucleus_init(&n, A, &err) == CGCT_OK, "%s", err.text);
    return n;
}

START_TEST(thickness)
{
    FILE *f = open_ref("nucleus.ref");
    int A, rows = 0;
    double b, want;
    for (; fscanf(f, "%d %lf %lf", &A, &b, &want) == 3; rows++) {
        nucleus n = nucleus_of(A);
        const double got = nucleus_thickness(&n, b);
        CHECK_REL(got, want, TOL_THICKNESS);
        if (getenv("CHECK_LONG")) printf("A = %d b = %g: rel %.1e\n", A, b, got / want - 1);
        nucleus_free(&n);
    }
    fclose(f);
    ck_assert_int_eq(rows, 40);
}
END_TEST

/* Int d2b T_A = 1, in one piece and as disc and rest. */
START_TEST(normalisation)
{
    double b[24], w[24];
    for (int A = 2; A < 300; A += 37) {
        nucleus n = nucleus_of(A);
        CHECK_REL(nucleus_beyond(&n, 0), 1, TOL_AREA);
        const double edge = nucleus_edge(&n, 0.4 * nucleus_thickness(&n, 0));
        CHECK_REL(nucleus_thickness(&n, edge), 0.4 * nucleus_thickness(&n, 0), TOL_THICKNESS);
        const double rest = nucleus_beyond(&n, edge);
        for (int count = 2; count <= 24; count += 2) {
            double area = 0, disc = 0;
            nucleus_impacts(edge, count, b, w);
            for (int i = 0; i < count; i++) {
                area += w[i];
                disc += w[i] * nucleus_thickness(&n, b[i]);
            }
            CHECK_REL(area, M_PI * edge * edge, 1e-14);
            if (count == 6 && A > 16) CHECK_REL(disc + rest, 1, TOL_SIX_NODES);
            if (getenv("CHECK_LONG")) printf("A = %d, %d nodes: %.1e\n", A, count, disc + rest - 1);
        }
        nucleus_free(&n);
    }
}
END_TEST

/* The disc where A T_A sigma0/2 > 1, and Int d2b (1 - exp[-kappa A T_A sigma0/2]) over it. */
START_TEST(disc)
{
    FILE *f = open_ref("nucleus_disc.ref");
    int A, rows = 0;
    double sigma, kappa, edge, want, beyond, b[8], w[8];
    for (; fscanf(f, "%d %lf %lf %lf %lf %lf", &A, &sigma, &kappa, &edge, &want, &beyond) == 6;
         rows++) {
        nucleus n = nucleus_of(A);
        const double unit = 10 / (A * sigma), found = nucleus_edge(&n, unit);
        CHECK_REL(found, edge, TOL_THICKNESS);
        CHECK_REL(nucleus_beyond(&n, found), beyond, TOL_AREA);
        for (int count = 2; count <= 8; count += 2) {
            double sum = 0;
            nucleus_impacts(found, count, b, w);
            for (int i = 0; i < count; i++)
                sum += w[i] * -expm1(-kappa * nucleus_thickness(&n, b[i]) / unit);
            if (count == 6) CHECK_REL(sum, want, TOL_SIX_NODES);
            if (getenv("CHECK_LONG"))
                printf("A = %d kappa = %g, %d nodes: rel %.1e\n", A, kappa, count, sum / want - 1);
        }
        nucleus_free(&n);
    }
    fclose(f);
    ck_assert_int_eq(rows, 9);
}
END_TEST

START_TEST(refused)
{
    const int bad[] = {-1, 0, 1, 301};
    for (int i = 0; i < 4; i++) {
        nucleus n;
        cgct_err err = {""};
        char says[64];
        snprintf(says, sizeof says, "A = %d; want 2 to 300, or 1 for the proton", bad[i]);
        ck_assert_int_eq(nucleus_init(&n, bad[i], &err), CGCT_E_CONFIG);
        ck_assert_msg(strstr(err.text, says) != NULL, "%s", err.text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nucleus");
    TCase *c = tcase_create("nucleus");
    tcase_add_test(c, thickness);
    tcase_add_test(c, normalisation);
    tcase_add_test(c, disc);
    tcase_add_test(c, refused);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
