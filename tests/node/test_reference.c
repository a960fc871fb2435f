/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference of a node: its transforms against mpmath and closed forms, its formula against the
 * dilute limit, the exchange of the partons and the cross section at large K. */
#include "node/reference.h"

#include <gsl/gsl_sf_expint.h>
#include <math.h>

#include "check_rel.h"
#include "chain.h"
#include "open_ref.h"
#include "run_suite.h"
#include "tensor.h"

#define TOL_TENSOR 1e-10 /* of G */
#define TOL_FLOOR 1e-12  /* of G(Qs), or of 1 */
#define TOL_KNOTS 1e-8
#define TOL_FORMULA 1e-13

static void tensor_of(const dipole *d, double q, double *G, double *H)
{
    cgct_err err = {""};
    ck_assert_msg(tensor_at(d, 1, &q, G, H, &err) == CGCT_OK, "%s", err.text);
}

START_TEST(mv_transforms)
{
    FILE *f = open_ref("reference.ref");
    char set[16];
    double q, want[2], G, H;
    int n = 0, c;
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%15s %lf %lf %lf", set, &q, &want[0], &want[1]) == 4; n++) {
        dipole *d = chain_dipole(set, 0.01);
        tensor_of(d, q, &G, &H);
        CHECK_ABS(G, want[0], TOL_TENSOR * fabs(want[0]) + TOL_FLOOR);
        CHECK_ABS(H, want[1], TOL_TENSOR * fabs(want[0]) + TOL_FLOOR);
        dipole_free(d);
    }
    fclose(f);
    ck_assert_int_eq(n, 15);
}
END_TEST

/* The distributions of forward dijets, make_forward_tmd.py. */
START_TEST(forward_distributions)
{
    FILE *f = open_ref("forward_tmd.ref");
    char set[16];
    double q, want[5], got[REFERENCE_TRANSFORMS];
    int n = 0, c;
    cgct_err err = {""};
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%15s %lf %lf %lf %lf %lf %lf", set, &q, &want[0], &want[1], &want[2],
                  &want[3], &want[4]) == 7;
         n++) {
        dipole *d = chain_dipole(set, 0.01);
        ck_assert_msg(reference_transforms(d, INFINITY, 1, &q, got, &err) == CGCT_OK, "%s",
                      err.text);
        const double slope2 = got[REFERENCE_SLOPE2];
        const double F[5] = {q * q * got[REFERENCE_S], got[REFERENCE_G1],
                             slope2 + q * q / 2 * got[REFERENCE_S2], slope2, got[REFERENCE_G2]};
        for (int i = 0; i < 5; i++)
            CHECK_ABS(F[i], want[i], TOL_TENSOR * fabs(want[i]) + 10 * TOL_FLOOR);
        dipole_free(d);
    }
    fclose(f);
    ck_assert_int_eq(n, 10);
}
END_TEST

/* Three colours, and the transform of S. */
START_TEST(mv_three_colours)
{
    FILE *f = open_ref("tmd.ref");
    char set[16];
    double q, want[REFERENCE_TRANSFORMS], got[REFERENCE_TRANSFORMS];
    int n = 0, c;
    cgct_err err = {""};
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%15s %lf %lf %lf %lf", set, &q, &want[0], &want[1], &want[2]) == 5; n++) {
        dipole *d = chain_dipole(set, 0.01);
        ck_assert_msg(reference_transforms(d, 3, 1, &q, got, &err) == CGCT_OK, "%s", err.text);
        for (int i = 0; i < 2; i++)
            CHECK_ABS(got[i], want[i], TOL_TENSOR * fabs(want[0]) + TOL_FLOOR);
        CHECK_ABS(got[2], want[2], TOL_TENSOR * fabs(want[2]) + 10 * TOL_FLOOR / (q * q));
        ck_assert_int_eq(reference_transforms(d, 1, 1, &q, got, &err), CGCT_E_DOMAIN);
        dipole_free(d);
    }
    fclose(f);
    ck_assert_int_eq(n, 10);
}
END_TEST

/* The twists vanish with q: what is left is linear in q/K, and its sign changes with that of K. */
START_TEST(back_to_back)
{
    for (double theta = 0.2; theta < 3; theta += 0.7) {
        double all[2], I[2];
        reference_point p = {1e-6, 2, theta, 1, 1};
        reference_value(&p, 0.7, 0.4, all);
        reference_back_to_back(&p, 0.7, 0.4, I);
        CHECK_REL(I[0], all[0], 1e-5);
        CHECK_REL(I[1], all[1], 1e-5);
    }
}
END_TEST

/* The smeared form is the reference for G = H, whatever q, and for q << K; what fills its zeros. */
START_TEST(smeared)
{
    const double eps = 1.3, q[] = {1e-6, 1, 6};
    for (double theta = 0.2; theta < 3; theta += 0.7)
        for (int i = 0; i < 3; i++) {
            double got[2], want[2], filled[2];
            const reference_point p = {q[i], 2, theta, eps, eps * eps};
            reference_smeared(&p, 0, 0.7, 0.7, got);
            reference_value(&p, 0.7, 0.7, want);
            for (int pol = 0; pol < 2; pol++) CHECK_REL(got[pol], want[pol], 1e-11);
            reference_smeared(&p, 0, 0.7, 0.4, got);
            reference_back_to_back(&p, 0.7, 0.4, want);
            for (int pol = 0; pol < 2 && !i; pol++) CHECK_REL(got[pol], want[pol], 1e-5);
            reference_smeared(&p, 0.1, 0.7, 0.4, filled);
            const double along = p.k1 * p.q * cos(theta), k1 = p.k1 * p.k1, q2 = p.q * p.q;
            const double D1 = k1 + eps * eps, D2 = D1 + q2 - 2 * along, K2 = k1 - along + q2 / 4;
            const double more = pow(4 * M_PI / (D1 * D2), 2) * 0.7 * 0.1;
            CHECK_REL(filled[POL_L] - got[POL_L], more, 1e-10);
            CHECK_REL(filled[POL_T] - got[POL_T], more * K2 / (eps * eps), 1e-10);
        }
}
END_TEST

/* The closed forms against integration over s. */
START_TEST(twists)
{
    FILE *f = open_ref("reference_twists.ref");
    double want[2], got[2], G, H, worst = 0;
    reference_point p;
    int n = 0, c;
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%lf %lf %lf %lf %lf %lf %lf %lf", &p.q, &p.k1, &p.theta, &p.eps, &G, &H,
                  &want[0], &want[1]) == 8;
         n++) {
        reference_value(&p, G, H, got);
        for (int pol = 0; pol < 2; pol++) {
            CHECK_REL(got[pol], want[pol], 1e-12);
            worst = larger_error(worst, fabs(got[pol] / want[pol] - 1));
        }
    }
    printf("closed forms with kinematic twists: %.1e of themselves at most\n", worst);
    fclose(f);
    ck_assert_int_eq(n, 60);
}
END_TEST

enum { MOMENTA = 12 };

static dipole *colours(dipole_kind kind, double Qs0sq, double Nc)
{
    dipole_opts o = {.kind = kind, .Nc = Nc};
    if (kind == DIPOLE_MV) o.set = "mve", o.Qs0sq = Qs0sq;
    dipole_source *s = NULL;
    dipole *d = NULL;
    ck_assert(dipole_source_open(&s, &o, NULL) == CGCT_OK);
    ck_assert(dipole_init(&d, s, 3.04e-4, NULL) == CGCT_OK);
    dipole_source_close(s);
    return d;
}

/* With c = Nc^2/(Nc^2 - 1), G of S is 1/c times the large-Nc G of S^c: for gbw in closed form, for
 * mv, where S^c is another mv dipole, from that one. */
START_TEST(three_colours)
{
    for (double Nc = 2; Nc < 6; Nc++) {
        const double c = Nc * Nc / (Nc * Nc - 1);
        dipole *gbw = colours(DIPOLE_GBW, 0, Nc), *mv = colours(DIPOLE_MV, 0.06, Nc);
        dipole *power = colours(DIPOLE_MV, 0.06 * c, 0);
        for (double q = 0.1; q < 30; q *= 1.7) {
            double G, H, G1, H1, want = 2 * M_PI / c * gsl_sf_expint_E1(q * q / (2 * c));
            tensor_of(gbw, q, &G, &H);
            CHECK_ABS(G, want, TOL_TENSOR * want + TOL_FLOOR);
            tensor_of(mv, q, &G, &H);
            tensor_of(power, q, &G1, &H1);
            CHECK_ABS(G, G1 / c, TOL_TENSOR * G + TOL_FLOOR);
            CHECK_ABS(H, H1 / c, TOL_TENSOR * G + TOL_FLOOR);
        }
        dipole_free(gbw);
        dipole_free(mv);
        dipole_free(power);
    }
}
END_TEST

START_TEST(three_colours_by_mpmath)
{
    FILE *f = open_ref("reference_colours.ref");
    dipole *three = colours(DIPOLE_MV, 0, 3), *large = colours(DIPOLE_MV, 0, 0);
    double q, want[2], G, H, G1, H1;
    int n = 0, c;
    while ((c = fgetc(f)) != '\n') ck_assert_int_ne(c, EOF); /* the line of columns */
    for (; fscanf(f, "%*s %lf %lf %lf", &q, &want[0], &want[1]) == 3; n++) {
        tensor_of(three, q, &G, &H);
        tensor_of(large, q, &G1, &H1);
        printf("mve q = %g GeV: G of three colours over that of infinitely many %.4f\n", q, G / G1);
        CHECK_ABS(G, want[0], TOL_TENSOR * want[0] + TOL_FLOOR);
        CHECK_ABS(H, want[1], TOL_TENSOR * want[0] + TOL_FLOOR);
    }
    fclose(f);
    ck_assert_int_eq(n, 7);
    dipole_free(three);
    dipole_free(large);
}
END_TEST

/* L = -Qs^2 r^2/4: G = 2 pi E1(q^2/(2 Qs^2)), H = 0, to tolerance G + floor. */
static void check_gbw(const dipole *d, double Qs2, double tolerance, double floor)
{
    double q[MOMENTA], G[MOMENTA], H[MOMENTA];
    cgct_err err = {""};
    for (int i = 0; i < MOMENTA; i++) q[i] = sqrt(2 * Qs2 * 1e-3 * pow(2.5, i));
    ck_assert_msg(tensor_at(d, MOMENTA, q, G, H, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < MOMENTA; i++) {
        double want = 2 * M_PI * gsl_sf_expint_E1(q[i] * q[i] / (2 * Qs2));
        CHECK_ABS(G[i], want, tolerance * want + floor);
        CHECK_ABS(H[i], 0, tolerance * want + floor);
    }
}

START_TEST(gbw_transforms)
{
    dipole *d = chain_dipole("gbw", 1e-3);
    check_gbw(d, d->Qs2, TOL_TENSOR, TOL_FLOOR);
    dipole_free(d);
}
END_TEST

/* The same model from a file, whose spline has knots: G is that of the closed form as far as the
 * spline is the model. */
START_TEST(knots)
{
    static const char path[] = "test_reference_gbw.dat";
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 300; i++) {
        double r = 1e-3 * pow(1.033, i), gamma = r * r / 4;
        if (gamma < 9) fprintf(f, "%.17g %.17g\n", r, -expm1(-gamma));
    }
    ck_assert_int_eq(fclose(f), 0);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = path};
    dipole_source *s = NULL;
    dipole *d = NULL;
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    remove(path);
    ck_assert_msg(dipole_init(&d, s, 1e-3, &err) == CGCT_OK, "%s", err.text);
    check_gbw(d, 1, TOL_KNOTS, TOL_KNOTS);
    dipole_free(d);
    dipole_source_close(s);
}
END_TEST

/* With G = H, that is one scattering along q, it is |psi(k1) - psi(k1-q)|^2 for any k1. */
START_TEST(dilute)
{
    uint64_t seed = 7;
    for (int i = 0; i < 200; i++) {
        reference_point p = {0.2 + 5 * chain_random(&seed), 5 * chain_random(&seed),
                             6.3 * chain_random(&seed), 0.3 + chain_random(&seed), 0};
        double I[2], m2 = p.mu2 = p.eps * p.eps, kx = p.k1 * cos(p.theta), ky = p.k1 * sin(p.theta);
        double D1 = p.k1 * p.k1 + m2, D2 = (kx - p.q) * (kx - p.q) + ky * ky + m2, q2 = p.q * p.q;
        double x = kx / D1 - (kx - p.q) / D2, y = ky / D1 - ky / D2, L = 1 / D1 - 1 / D2;
        reference_value(&p, 1, 1, I);
        CHECK_ABS(I[1], 4 * M_PI * M_PI * L * L / q2, TOL_FORMULA * 160 / (D1 * D2));
        CHECK_ABS(I[0], 4 * M_PI * M_PI * (x * x + y * y) / (q2 * m2),
                  TOL_FORMULA * 160 * (1 / D1 + 1 / D2) / m2 / q2);
    }
}
END_TEST

START_TEST(exchange)
{
    uint64_t seed = 8;
    for (int i = 0; i < 200; i++) {
        reference_point p = {0.2 + 5 * chain_random(&seed), 5 * chain_random(&seed),
                             3.1 * chain_random(&seed), 0.3 + chain_random(&seed), 0.5};
        double I[2], J[2], kx = p.q - p.k1 * cos(p.theta), ky = p.k1 * sin(p.theta);
        reference_value(&p, 0.7, 0.4, I);
        p.k1 = hypot(kx, ky);
        p.theta = atan2(ky, kx);
        reference_value(&p, 0.7, 0.4, J);
        CHECK_REL(I[0], J[0], 1e-11);
        CHECK_REL(I[1], J[1], 1e-9);
    }
}
END_TEST

/* K >> Qs: what is left is (Qs/K)^2. */
START_TEST(hard_partons)
{
    static const double q[2] = {3, 9};
    dipole_source *s = chain_source("mve");
    dipole *d = chain_dipole("mve", 0.01);
    node_tables *p = chain_node(s, "accuracy.tolerance=1e-4", 0.01, 1, 2, q, 25, NULL);
    for (int iq = 0; iq < 2; iq++)
        for (double theta = 0.3; theta < 3; theta += 1.3) {
            double G, H, I[2], got[2], error[2];
            tensor_of(d, q[iq], &G, &H);
            reference_value(&(reference_point){q[iq], 25, theta, 1, 1}, G, H, got);
            ck_assert(node_point(p, (size_t)iq, 25, theta, I, error, NULL) == CGCT_OK);
            CHECK_REL(got[0], I[0], 2e-3);
            CHECK_REL(got[1], I[1], 0.1); /* I_L is 1e-4 of I_T there, where K.q = 0 */
        }
    node_tables_free(p);
    dipole_free(d);
    dipole_source_close(s);
}
END_TEST

START_TEST(refused)
{
    dipole *d = chain_dipole("gbw", 0.01);
    double G, H;
    cgct_err err = {""};
    static const double zero = 0, nan = NAN;
    ck_assert_int_eq(tensor_at(d, 1, &zero, &G, &H, &err), CGCT_E_DOMAIN);
    ck_assert_int_eq(tensor_at(d, 1, &nan, &G, &H, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.text, "positive"));
    dipole_free(d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reference");
    TCase *t = tcase_create("reference");
    tcase_add_test(t, mv_transforms);
    tcase_add_test(t, mv_three_colours);
    tcase_add_test(t, forward_distributions);
    tcase_add_test(t, back_to_back);
    tcase_add_test(t, smeared);
    tcase_add_test(t, twists);
    tcase_add_test(t, gbw_transforms);
    tcase_add_test(t, three_colours);
    tcase_add_test(t, three_colours_by_mpmath);
    tcase_add_test(t, knots);
    tcase_add_test(t, dilute);
    tcase_add_test(t, exchange);
    tcase_add_test(t, hard_partons);
    tcase_add_test(t, refused);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
