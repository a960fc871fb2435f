/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three-momentum transform against the closed forms of the Gaussian family at every stage, and
 * those against their definitions. */
#include <complex.h>
#undef I /* an argument name of the library's headers */

#include "gaussian_stages.h"
#include "three/plan.h"
#include "three_mode.h"
#include "three_task.h"
#include "run_suite.h"

#define TOL_CLOSED 1e-13 /* closed forms against trapezoid rules, of the largest */
#define I_UNIT _Complex_I

/* ---- closed forms ---- */

START_TEST(closed_forms_satisfy_their_definitions)
{
    enum { N = 64 };
    unsigned seed = (unsigned)_i + 1;
    gaussian_family g = random_family(&seed);
    double D = 2 * uniform(&seed), r = 2 * uniform(&seed), b = 2 * uniform(&seed);
    double C0 = gaussian_C(&g, 0, 0, D, r, b), A0 = gaussian_A(&g, 0, 0, D, r, b);
    for (int m = -3; m <= 3; m++)
        for (int n = -3; n <= 3; n++) {
            double complex C = 0, A = 0;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    double x = 2 * M_PI * i / N, y = 2 * M_PI * j / N;
                    double G =
                        exp(-g.a * D * D - g.b0 * r * r - g.c * b * b + g.g1 * D * r * cos(x) +
                            g.g2 * r * b * cos(y) + g.g3 * D * b * cos(x - y));
                    C += G * cexp(I_UNIT * (m * x + n * y)) / (N * N);
                    A += gaussian_F(&g, D, r, b, x, y) * cexp(-I_UNIT * ((m + n) * x - n * y)) /
                         (N * N * pow(2 * M_PI, 3));
                }
            CHECK_ABS(gaussian_C(&g, m, n, D, r, b), creal(C), TOL_CLOSED * C0);
            CHECK_ABS(gaussian_A(&g, m, n, D, r, b), creal(A), TOL_CLOSED * A0);
        }
}
END_TEST

/* Couplings that cannot all be satisfied at once, lengths at which their exponentials overflow
 * alone, and enough angles for the two ways of evaluation. */
START_TEST(integrand_at_any_length)
{
    enum { ANGLES = 300 };
    const gaussian_family g = {1, 1, 1, 1.4, 1.4, -1.4};
    const double scale = _i == 0 ? 1 : _i == 1 ? 12 : 40, rp[2] = {0.9 * scale, 1.1 * scale};
    static double ca[ANGLES], sa[ANGLES], G[ANGLES * ANGLES * 2];
    for (int i = 0; i < ANGLES; i++) ca[i] = cos(0.021 * i), sa[i] = sin(0.021 * i);
    for (size_t n = 200; n <= ANGLES; n += 100) {
        const three_block at = {scale, scale, 2, n, n, rp, ca, sa, ca, sa};
        three_integrand f = gaussian_integrand(&g);
        f.block(f.self, &at, G, NULL);
        for (size_t i = 0; i < n * n * 2; i++) {
            double D = scale, r = rp[i % 2], b = scale, x = 0.021 * (double)(i / 2 % n);
            double y = 0.021 * (double)(i / 2 / n);
            double E = -g.a * D * D - g.b0 * r * r - g.c * b * b + g.g1 * D * r * cos(x) +
                       g.g2 * r * b * cos(y) + g.g3 * D * b * cos(x - y);
            ck_assert_msg(fabs(G[i] - exp(E)) <= 1e-12 * exp(E) + 1e-170, "%zu: %g, want %g", i,
                          G[i], exp(E));
        }
    }
}
END_TEST

START_TEST(gaussian_must_be_positive_definite)
{
    cgct_err err;
    const gaussian_family good = {1, 1, 1, 0.5, 0.5, 0.5};
    gaussian_family g = good;
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_OK);
    g.g1 = 2.1;
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.text, "positive definite"));
    g = (gaussian_family){1, 1, 1, 1.2, 1.2, 1.2}; /* minors are positive, the determinant is not */
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_E_DOMAIN);
    g.g1 = -1.2; /* and the sign of one coupling does not matter alone */
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_OK);
    g = (gaussian_family){1e200, 1e200, 1e200, 0, 0, 0}; /* as if the determinant were positive */
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_E_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.text, "must be finite"));
    g.c = NAN;
    ck_assert_int_eq(gaussian_check(&g, &err), CGCT_E_DOMAIN);
}
END_TEST

/* ---- stages ---- */

/* H of one tile at nodes Delta d, r' 16.., row (iq, fine): compared for all modes with f(m, n, i).
 */
typedef double (*stage_value)(const gaussian_family *g, int m, int n, double x, double y, double z);

static void compare_tile(const task *t, const three_plan *p, const double *H,
                         const three_tile *tile, size_t iq, stage_value f, const gaussian_family *g,
                         double third)
{
    double top = fabs(f(g, 0, 0, 0.5, 0.5, third));
    size_t step = p->subset * THREE_NSET * p->group * NODES;
    for (int m = 0; m <= M; m++)
        for (int n = -M; n <= M; n++)
            for (size_t i = 0; i < tile->nt; i++) {
                const double *h = H + (size_t)(m * (2 * M + 1) + n + M) * step;
                double want = f(g, m, n, t->node[tile->d], t->node[tile->r0 + i], third);
                CHECK_ABS(
                    h[(tile->id * THREE_NSET * p->group + THREE_NSET * iq) * NODES + tile->r0 + i],
                    want, TOL_STAGE * top);
            }
}

START_TEST(angular_projection_and_first_hankel)
{
    task t;
    three_plan p;
    three_work w;
    unsigned seed = 100 + (unsigned)_i;
    gaussian_family family = random_family(&seed);
    three_integrand g = gaussian_integrand(&family);
    const three_tile tile = {.q0 = 0, .nq = NQ, .d = 11, .id = 0, .r0 = 16, .nt = 16};
    task_init(&t);
    ck_assert_int_eq(three_plan_init(&p, &t.o, &g, &t.err), CGCT_OK);
    ck_assert_uint_eq(p.group, NQ);
    ck_assert_int_eq(three_work_init(&w, &p, &t.err), CGCT_OK);
    double *H = calloc(p.nplane * p.nmode * p.subset * THREE_NSET * NQ * NODES, sizeof *H);
    ck_assert(three_tile_run(&p, &w, &tile, H));
    for (size_t iq = 0; iq < NQ; iq++)
        compare_tile(&t, &p, H, &tile, iq, gaussian_H, &family, q_list[iq]);
    enum { IB = 9 }; /* the weight 1 at one b: H is C there, up to the sign of J_-n */
    memset(p.wb, 0, (M + 1) * NQ * THREE_NSET * NODES * sizeof *p.wb);
    for (size_t row = 0; row < (M + 1) * NQ * THREE_NSET; row++) p.wb[row * NODES + IB] = 1;
    for (size_t n = 1; n <= M; n += 2)
        for (size_t row = 0; row < NQ * THREE_NSET; row++)
            p.wb[(n * NQ * THREE_NSET + row) * NODES + IB] = 0;
    ck_assert(three_tile_run(&p, &w, &tile, H));
    size_t step = p.subset * THREE_NSET * p.group * NODES;
    for (int m = 0; m <= M; m++)
        for (int n = -M; n <= M; n++)
            for (size_t i = 0; i < tile.nt; i++) {
                double got = H[(size_t)(m * (2 * M + 1) + n + M) * step + tile.r0 + i];
                double want =
                    gaussian_C(&family, m, n, t.node[tile.d], t.node[tile.r0 + i], t.node[IB]);
                CHECK_ABS(got, n % 2 ? 0 : want, TOL_CLOSED);
            }
    free(H);
    free(w.block);
    three_plan_free(&p);
}
END_TEST

/* A of the whole transform; with the weight 1 at one Delta it is K there. */
START_TEST(second_and_third_hankel)
{
    unsigned seed = 200 + (unsigned)_i;
    gaussian_family family = random_family(&seed);
    three_integrand g = gaussian_integrand(&family);
    task t;
    three_plan p;
    task_init(&t);
    three_momentum *r = transform(&t, &g, NULL);
    double A0 = gaussian_A(&family, 0, 0, 0, 0, 0), K0 = gaussian_K(&family, 0, 0, 0, 0, 0);
    for (int m = -M; m <= M; m++)
        for (int n = -M; n <= M; n++)
            for (size_t i = 0; i < NK * NP * NQ; i++) {
                size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
                double A[2], want = gaussian_A(&family, m, n, k_list[ik], p_list[ip], q_list[iq]);
                three_momentum_mode(r, m, n, ik, ip, iq, A);
                CHECK_ABS(A[0], want, TOL_STAGE * A0);
                CHECK_ABS(A[1], 0, 0);
            }
    enum { ID = 13 };
    ck_assert_int_eq(three_plan_init(&p, &t.o, &g, &t.err), CGCT_OK);
    for (size_t row = 0; row < (M + 1) * THREE_NSET * NK; row++) {
        memset(p.wd + row * NODES, 0, NODES * sizeof *p.wd);
        p.wd[row * NODES + ID] = 1;
    }
    three_work w;
    ck_assert_int_eq(three_work_init(&w, &p, &t.err), CGCT_OK);
    double *H = calloc(p.nplane * p.nmode * p.subset * THREE_NSET * NQ * NODES, sizeof *H);
    for (size_t r0 = 0; r0 < NODES; r0 += THREE_BLOCK_MAX) {
        const three_tile tile = {.nq = NQ, .d = ID, .r0 = r0, .nt = THREE_BLOCK_MAX};
        ck_assert(three_tile_run(&p, &w, &tile, H));
    }
    for (int s = 0; s < THREE_NSET; s++) memset(r->A[s], 0, three_result_size(r) * sizeof(double));
    three_add_subset(&p, &(three_range){0, NQ, ID, 1}, H, r);
    for (int m = 0; m <= M; m++)
        for (int n = -M; n <= M; n++)
            for (size_t i = 0; i < NP * NQ; i++) {
                double K[2],
                    want = gaussian_K(&family, m, n, t.node[ID], p_list[i / NQ], q_list[i % NQ]);
                three_momentum_mode(r, m, n, 1, i / NQ, i % NQ, K);
                CHECK_ABS(K[0], want, TOL_STAGE * K0);
            }
    free(H);
    free(w.block);
    three_plan_free(&p);
    three_momentum_free(r);
}
END_TEST

/* ---- other integrands ---- */

/* re = x G(alpha - d1, beta - d2), im = y G(alpha, beta) */
typedef struct {
    gaussian_family g;
    double x, y, d1, d2;
} shifted;

static void shifted_block(const void *self, const three_block *at, double *re, double *im)
{
    const shifted *s = self;
    three_integrand g = gaussian_integrand(&s->g);
    double ca[NPHI], sa[NPHI], cb[NPHI], sb[NPHI];
    three_block moved = *at;
    for (size_t i = 0; i < at->nalpha; i++) {
        double alpha = atan2(at->sin_alpha[i], at->cos_alpha[i]) - s->d1;
        ca[i] = cos(alpha), sa[i] = sin(alpha);
    }
    for (size_t i = 0; i < at->nbeta; i++) {
        double beta = atan2(at->sin_beta[i], at->cos_beta[i]) - s->d2;
        cb[i] = cos(beta), sb[i] = sin(beta);
    }
    moved.cos_alpha = ca, moved.sin_alpha = sa, moved.cos_beta = cb, moved.sin_beta = sb;
    g.block(g.self, &moved, re, NULL);
    if (im) g.block(g.self, at, im, NULL);
    for (size_t i = 0; i < at->n * at->nalpha * at->nbeta; i++) {
        re[i] *= s->x;
        if (im) im[i] *= s->y;
    }
}

/* Turning alpha by d1 and beta by d2 turns phi_p by d1 and phi_q by d1 - d2. */
START_TEST(complex_and_not_symmetric)
{
    unsigned seed = 300;
    shifted s = {random_family(&seed), 1.5, -0.4, 0.6, -1.1};
    three_integrand g = {.self = &s, .block = shifted_block, .is_complex = _i};
    task t;
    task_init(&t);
    three_momentum *r = transform(&t, &g, NULL);
    double top = gaussian_F(&s.g, 0, 0, 0, 0, 0);
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
        double F[2], error, k = k_list[ik], p = p_list[ip], q = q_list[iq];
        three_momentum_value(r, &(three_momenta){ik, ip, iq, 0.3, 2.0}, F, &error);
        CHECK_ABS(F[0], s.x * gaussian_F(&s.g, k, p, q, 0.3 + s.d1, 2.0 + s.d1 - s.d2), 5e-6 * top);
        CHECK_ABS(F[1], _i * s.y * gaussian_F(&s.g, k, p, q, 0.3, 2.0), 5e-6 * top);
        double complex C = cexp(I_UNIT * (2 * s.d1 - 3 * s.d2)) * s.x + I_UNIT * _i * s.y;
        double complex want = C * gaussian_A(&s.g, 2, -3, k, p, q);
        double A[2], A0 = gaussian_A(&s.g, 0, 0, 0, 0, 0);
        three_momentum_mode(r, 2, -3, ik, ip, iq, A);
        CHECK_ABS(A[0], creal(want), TOL_STAGE * A0);
        CHECK_ABS(A[1], cimag(want), TOL_STAGE * A0);
        want = (cexp(I_UNIT * (-s.d1 - 2 * s.d2)) * s.x + I_UNIT * _i * s.y) *
               gaussian_A(&s.g, -1, -2, k, p, q);
        three_momentum_mode(r, -1, -2, ik, ip, iq, A);
        CHECK_ABS(A[0], creal(want), TOL_STAGE * A0);
        CHECK_ABS(A[1], cimag(want), TOL_STAGE * A0);
    }
    three_momentum_free(r);
}
END_TEST

/* Exchanging Delta and b exchanges a and c, g1 and g2, k and q, m and n. */
START_TEST(exchange_of_two_variables)
{
    unsigned seed = 400;
    gaussian_family f = random_family(&seed), x = {f.c, f.b0, f.a, f.g2, f.g1, f.g3};
    three_integrand g = gaussian_integrand(&f), h = gaussian_integrand(&x);
    task t, u;
    task_init(&t);
    task_init(&u);
    u.o.delta = t.o.b;
    u.o.b = t.o.delta;
    three_momentum *r = transform(&t, &g, NULL), *s = transform(&u, &h, NULL);
    double A0 = gaussian_A(&f, 0, 0, 0, 0, 0), F0 = gaussian_F(&f, 0, 0, 0, 0, 0);
    for (size_t i = 0; i < NK * NP * NQ; i++) {
        size_t ik = i / (NP * NQ), ip = i / NQ % NP, iq = i % NQ;
        double A[2], B[2], F[2], G[2], error;
        for (int m = -M; m <= M; m++)
            for (int n = -M; n <= M; n++) {
                three_momentum_mode(r, m, n, ik, ip, iq, A);
                three_momentum_mode(s, n, m, iq, ip, ik, B);
                CHECK_ABS(A[0], B[0], TOL_ROUNDING * A0);
            }
        three_momentum_value(r, &(three_momenta){ik, ip, iq, 0.5, 1.7}, F, &error);
        three_momentum_value(s, &(three_momenta){iq, ip, ik, 0.5 - 1.7, -1.7}, G, &error);
        CHECK_ABS(F[0], G[0], TOL_ROUNDING * F0);
    }
    three_momentum_free(r);
    three_momentum_free(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("three_momentum");
    TCase *t = tcase_create("three_momentum");
    tcase_add_loop_test(t, closed_forms_satisfy_their_definitions, 0, 5);
    tcase_add_loop_test(t, integrand_at_any_length, 0, 3);
    tcase_add_test(t, gaussian_must_be_positive_definite);
    tcase_add_loop_test(t, angular_projection_and_first_hankel, 0, 3);
    tcase_add_loop_test(t, second_and_third_hankel, 0, 3);
    tcase_add_loop_test(t, complex_and_not_symmetric, 0, 2);
    tcase_add_test(t, exchange_of_two_variables);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
