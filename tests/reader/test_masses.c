/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Massive quarks and real photons: the factors, the correlation limit that they give with those of
 * a table, and what is held below the smallest eps of a table. */
#include <float.h>

#include "field_table.h"
#include "run_suite.h"
#include "table_folder.h"

#define TOL_FEW_ULP (16 * DBL_EPSILON)
#define TOL_FROZEN 1e-13
enum { MEMBERS_MAX = 8 };

/* ---- factors ---- */

static const cgct_dis charm = {1 / 137., 4. / 9, 50, 0.3, 6, 1.4};

START_TEST(factors)
{
    const double masses[] = {0, 1e-9, 0.14, 1.4, 4.75}, unit = 6 / 137. * 4 / 9 * 50;
    const double common = unit / pow(2 * M_PI, 6), z2 = 0.3 * 0.3, zbar2 = 0.7 * 0.7;
    for (int i = 0; i < 10; i++) {
        cgct_dis d = charm;
        double eps, F[2][2];
        d.mass = masses[i / 2];
        d.Q2 = i % 2 && d.mass > 0 ? 0 : 6;
        const double eps2 = 0.21 * d.Q2 + d.mass * d.mass;
        ck_assert_int_eq(cgct_dis_factors(&d, &eps, F), CGCT_OK);
        CHECK_REL(eps, sqrt(eps2), TOL_FEW_ULP);
        CHECK_REL(F[CGCT_T][CGCT_T], common * (z2 + zbar2) * eps2, TOL_FEW_ULP);
        CHECK_REL(F[CGCT_T][CGCT_L], common * d.mass * d.mass, TOL_FEW_ULP);
        CHECK_REL(F[CGCT_L][CGCT_L], common * 4 * d.Q2 * z2 * zbar2, TOL_FEW_ULP);
        ck_assert(F[CGCT_L][CGCT_T] == 0);
    }
}
END_TEST

static void refuses(cgct_dis d)
{
    double eps, F[2][2] = {{0}};
    ck_assert_int_eq(cgct_dis_factors(&d, &eps, F), CGCT_E_DOMAIN);
    ck_assert(isnan(eps) && isnan(F[0][0]) && isnan(F[0][1]) && isnan(F[1][0]) && isnan(F[1][1]));
}

START_TEST(factors_refuse)
{
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 1e61};
    cgct_dis d = charm;
    for (int i = 0; i < 5; i++) {
        refuses((d = charm, d.mass = bad[i], d));
        refuses((d = charm, d.Q2 = bad[i], d));
        refuses((d = charm, d.z = bad[i], d));
        refuses((d = charm, d.S_perp = bad[i], d));
    }
    refuses((d = charm, d.z = 1, d));
    refuses((d = charm, d.Q2 = d.mass = 0, d));
    refuses((d.mass = 1e-200, d)); /* its square is 0 */
}
END_TEST

/* ---- the correlation limit ---- */

static double smooth(size_t member, int pol, size_t m, const double at[4])
{
    (void)member;
    return m ? 0.1 / (double)m : 1 - 0.3 * pol - 0.2 * log(at[1]) - 0.5 * log(1 + at[3] * at[2]);
}

static cgct_table *table_of(double anisotropy, double q_unit)
{
    field_table f = field_table_small(smooth);
    f.anisotropy = anisotropy;
    for (int i = 0; i < 3; i++) f.v[2][i] *= q_unit;
    field_table_write(&f, table);
    return open_table(table);
}

/* The correlation limit of both photons from that of the table. */
static void limits(const cgct_table *t, const cgct_dis *d, double q, double k1, double theta,
                   double out[2])
{
    double eps, F[2][2], I[2];
    ck_assert_int_eq(cgct_dis_factors(d, &eps, F), CGCT_OK);
    ck_assert_int_eq(cgct_reference(t, 0.01, eps, q, k1, theta, I), CGCT_OK);
    for (int i = 0; i < 2; i++) out[i] = F[i][CGCT_T] * I[CGCT_T] + F[i][CGCT_L] * I[CGCT_L];
}

static double common_of(const cgct_dis *d)
{
    return 6 * d->alpha_em * d->e_q2 * d->S_perp / pow(2 * M_PI, 6) * pow(2 * M_PI, 2);
}

static const cgct_dis places[] = {{1 / 137., 4. / 9, 50, 0.3, 6, 0},
                                  {1 / 137., 4. / 9, 50, 0.3, 0, 1.4},
                                  {1 / 137., 4. / 9, 50, 0.6, 5, 1.4},
                                  {1 / 137., 1. / 9, 50, 0.5, 4, 1.1}};

/* Where G = H the field is one gluon along q: factorisation in kT with massive quarks. */
START_TEST(kt_factorisation)
{
    cgct_table *t = table_of(1, 1);
    for (int i = 0; i < 4 * 9; i++) {
        const cgct_dis d = places[i / 9];
        const double z = d.z, m2 = d.mass * d.mass, eps2 = z * (1 - z) * d.Q2 + m2;
        const double q = 1 + i % 3, k = 1.5 + i % 4, theta = 0.3 + 0.35 * (i % 9);
        const double k1[2] = {k * cos(theta), k * sin(theta)}, k2[2] = {q - k1[0], -k1[1]};
        const double D1 = k * k + eps2, D2 = k2[0] * k2[0] + k2[1] * k2[1] + eps2;
        const double flip = 1 / D1 - 1 / D2, G = common_of(&d) / q / (q * q);
        double keep = 0, got[2];
        for (int a = 0; a < 2; a++) keep += pow(k1[a] / D1 + k2[a] / D2, 2);
        limits(t, &d, q, k, theta, got);
        CHECK_REL(got[CGCT_T], G * ((z * z + (1 - z) * (1 - z)) * keep + m2 * flip * flip), 1e-12);
        CHECK_ABS(got[CGCT_L], G * 4 * d.Q2 * pow(z * (1 - z) * flip, 2), 1e-12 * got[CGCT_T]);
    }
    cgct_close(t);
}
END_TEST

/* Back to back, q far below K: both gluon distributions. */
START_TEST(back_to_back)
{
    const double h = 0.4;
    cgct_table *t = table_of(h, 1e-7);
    for (int i = 0; i < 4 * 8; i++) {
        const cgct_dis d = places[i / 8];
        const double z = d.z, share = z * z + (1 - z) * (1 - z), m2 = d.mass * d.mass;
        const double eps2 = z * (1 - z) * d.Q2 + m2, q = 2e-7, phi = 0.2 + 0.37 * (i % 8);
        const double K2 = pow(1.5 + i % 5, 2), D = K2 + eps2, c = h * cos(2 * phi);
        const double G = common_of(&d) / q / pow(D, 4);
        const double along = sqrt(K2) * cos(phi) + q / 2, k_y = sqrt(K2) * sin(phi);
        double got[2];
        limits(t, &d, q, hypot(along, k_y), atan2(k_y, along), got);
        CHECK_REL(got[CGCT_T],
                  G * (share * (K2 * K2 + eps2 * eps2) + 2 * m2 * K2 +
                       c * (2 * m2 * K2 - 2 * share * eps2 * K2)),
                  1e-12);
        CHECK_ABS(got[CGCT_L], G * 4 * d.Q2 * pow(z * (1 - z), 2) * 2 * K2 * (1 + c),
                  1e-12 * got[CGCT_T]);
    }
    cgct_close(t);
}
END_TEST

/* ---- below the smallest eps ---- */

/* n pairs of T and L at eps and at the table's end: T rises as eps^-2, and L is the same.  Rounding
 * counts by the largest, because modes are sums that cancel. */
static void check_frozen(size_t n, const double *v, const double *end, double rise)
{
    for (size_t pol = 0; pol < 2; pol++) {
        double most = 0;
        for (size_t i = pol; i < 2 * n; i += 2) most = fmax(most, fabs(end[i]));
        for (size_t i = pol; i < 2 * n; i += 2)
            CHECK_ABS(v[i] / (pol == CGCT_T ? rise : 1), end[i], TOL_FROZEN * most);
    }
}

enum { RESULTS = 9, MODES = 3, FROM_ONE = 2 * MEMBERS_MAX };
typedef struct {
    double v[RESULTS][FROM_ONE]; /* pairs of T and L */
    size_t n[RESULTS];           /* pairs */
} results;

static void keep_pair(results *r, size_t which, double T, double L)
{
    r->v[which][2 * r->n[which]] = T;
    r->v[which][2 * r->n[which]++ + 1] = L;
}

/* What every function gives at one point. */
static void evaluate(const cgct_table *t, const double p[5], size_t members, results *r)
{
    double v[FROM_ONE], w[FROM_ONE], mode[2 * MODES];
    cgct_slice *s;
    size_t at = 0;
    memset(r, 0, sizeof *r);
    ck_assert_int_eq(cgct_eval(t, p[0], p[1], p[2], p[3], p[4], v), CGCT_OK);
    keep_pair(r, at++, v[0], v[1]);
    ck_assert_int_eq(cgct_eval_many(t, 1, p, p + 1, p + 2, p + 3, p + 4, v, NULL), CGCT_OK);
    keep_pair(r, at++, v[0], v[1]);
    ck_assert_int_eq(cgct_eval_error(t, p[0], p[1], p[2], p[3], p[4], v), CGCT_OK);
    keep_pair(r, at++, v[0], v[1]);
    ck_assert_int_eq(cgct_reference(t, p[0], p[1], p[2], p[3], p[4], v), CGCT_OK);
    keep_pair(r, at++, v[0], v[1]);
    cgct_eval_members(t, p[0], p[1], p[2], p[3], p[4], v);
    for (size_t i = 0; i < members; i++) keep_pair(r, at, v[2 * i], v[2 * i + 1]);
    at++;
    cgct_eval_one_members(t, CGCT_T, p, v, w);
    cgct_eval_one_members(t, CGCT_L, p, v + members, w + 1);
    for (size_t i = 0; i < members; i++) keep_pair(r, at, v[i], v[members + i]);
    keep_pair(r, at, w[0], w[1]);
    ck_assert_int_eq(cgct_eval_one(t, CGCT_T, p, v, w), CGCT_OK);
    ck_assert_int_eq(cgct_eval_one(t, CGCT_L, p, v + 1, w + 1), CGCT_OK);
    keep_pair(r, at, v[0], v[1]);
    keep_pair(r, at++, w[0], w[1]);
    ck_assert_int_eq(cgct_modes(t, p[0], p[1], p[2], p[3], MODES, mode), CGCT_OK);
    for (int m = 0; m < MODES; m++) keep_pair(r, at, mode[m], mode[MODES + m]);
    at++;
    ck_assert_int_eq(cgct_slice_init(&s, t, p[0], p[1], NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_eval(s, p[2], p[3], p[4], v), CGCT_OK);
    ck_assert_int_eq(cgct_slice_many(s, 1, p + 2, p + 3, p + 4, v + 2, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_slice_angles(s, p[2], p[3], 1, p + 4, v + 4), CGCT_OK);
    for (int i = 0; i < 3; i++) keep_pair(r, at, v[2 * i], v[2 * i + 1]);
    cgct_slice_free(s);
    at++;
    ck_assert_int_eq(cgct_reference_members(t, p[0], p[1], p[2], p[3], p[4], v), CGCT_OK);
    for (size_t i = 0; i < members; i++) keep_pair(r, at, v[2 * i], v[2 * i + 1]);
}

static double total_of(const cgct_table *t, double x, double eps, int pol)
{
    const double factor[2] = {pol == CGCT_T, pol == CGCT_L};
    cgct_slice *s;
    cgct_sampler *sampler;
    ck_assert_int_eq(cgct_slice_init(&s, t, x, eps, NULL), CGCT_OK);
    ck_assert_int_eq(cgct_sampler_init(&sampler, s, factor, NULL), CGCT_OK);
    const double total = cgct_sampler_total(sampler);
    cgct_sampler_free(sampler);
    cgct_slice_free(s);
    return total;
}

/* Members of their own and variations, which are evaluated otherwise. */
START_TEST(frozen)
{
    static const char *const path[] = {GOLDEN_PANELS, GOLDEN_VARIED,
                                       TESTS_DIR "/../tables/gbw.cgct"};
    static results end, low;
    uint64_t state = 5;
    cgct_info f;
    cgct_table *t = open_table(path[_i]);
    ck_assert_int_eq(cgct_table_info(t, &f), CGCT_OK);
    ck_assert_uint_le(f.members + 3, MEMBERS_MAX);
    cgct_set_policy(t, CGCT_POLICY_FREEZE);
    cgct_set_negative(t, CGCT_NEGATIVE_KEEP);
    for (int i = 0; i < 20; i++) {
        double p[5] = {sqrt(f.x[0] * f.x[1]), f.eps[0]};
        p[2] = f.q[0] * pow(f.q[1] / f.q[0], uniform(&state));
        p[3] = 0.8 * f.k_max * uniform(&state);
        p[4] = 6 * uniform(&state) - 3;
        evaluate(t, p, f.members, &end);
        const double share = pow(10, -9 * uniform(&state));
        p[1] *= share;
        evaluate(t, p, f.members, &low);
        for (size_t r = 0; r < RESULTS; r++)
            check_frozen(end.n[r], low.v[r], end.v[r], 1 / (share * share));
    }
    for (int pol = 0; pol < 2; pol++)
        CHECK_REL(total_of(t, f.x[0], f.eps[0] / 1024, pol),
                  total_of(t, f.x[0], f.eps[0], pol) * (pol == CGCT_T ? 0x1p20 : 1), TOL_FROZEN);
    cgct_close(t);
}
END_TEST

/* Massless quarks: the cross sections at fixed x, and not those times Q2, have a limit. */
START_TEST(massless_limit)
{
    double want[2], got[2];
    cgct_dis d = {1 / 137., 1, 50, 0.5, 1e-4, 0};
    cgct_table *t = open_table(GOLDEN_PANELS);
    cgct_set_policy(t, CGCT_POLICY_FREEZE);
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 1.5, 1, want), CGCT_OK);
    d.Q2 = 1e-12;
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 1.5, 1, got), CGCT_OK);
    CHECK_REL(got[CGCT_T], want[CGCT_T], TOL_FROZEN);
    CHECK_REL(got[CGCT_L], 1e-8 * want[CGCT_L], TOL_FROZEN);
    d.Q2 = 6; /* and a small mass changes little */
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 1.5, 1, want), CGCT_OK);
    d.mass = 1e-8;
    ck_assert_int_eq(cgct_dsigma(t, &d, 1e-3, 2, 1.5, 1, got), CGCT_OK);
    for (int photon = 0; photon < 2; photon++) CHECK_REL(got[photon], want[photon], 1e-13);
    cgct_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("masses");
    TCase *c = tcase_create("masses");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, factors);
    tcase_add_test(c, factors_refuse);
    tcase_add_test(c, kt_factorisation);
    tcase_add_test(c, back_to_back);
    tcase_add_loop_test(c, frozen, 0, 3);
    tcase_add_test(c, massless_limit);
    suite_add_tcase(suite, c);
    return run_suite(suite) != 0;
}
