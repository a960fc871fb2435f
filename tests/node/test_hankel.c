/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both Hankel transforms on synthetic inner tables with closed double transforms. */
#include "node/hankel.h"

#include <omp.h>
#include <string.h>

#include "numerics/grid.h"
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

/* Of the largest value of that mode: degree 8 on steps of 0.03. */
#define TOL_GAUSS 1e-10
#define TOL_TAIL 1e-9   /* five inverse powers beyond R = 60 and 24 nodes to fit them to */
#define TOL_EXACT 1e-14 /* the same sums in another order */

enum { NM = 4, NQ = 5, NP = 70 }; /* more momenta than one chunk of hankel.c */
static const int orders[NM] = {0, 2, 4, 6};
static const double momenta[NQ] = {0.1, 0.25, 1, 2, 3};

/* int_0^inf x^(m+1) exp(-a x^2) J_m(q x) dx */
static double gauss_pair(int m, double a, double q)
{
    return pow(q, m) / pow(2 * a, m + 1) * exp(-q * q / (4 * a));
}

/* int_0^inf x^(m+1) (x^2+c^2)^(-m-3/2) J_m(q x) dx */
static double power_pair(int m, double c, double q)
{
    return pow(q, m) * sqrt(M_PI) * exp(-c * q) / (c * pow(2, m + 1) * tgamma(m + 1.5));
}

typedef struct {
    double a, b; /* G = x^m exp(-a x^2) y^m exp(-b y^2); b < 0: y^m (y^2 + b^2)^(-m-3/2) */
} product;

/* Two products a polarisation, so that the table is no product. */
static const product sums[2][NPOL][2] = {{{{1.3, 0.4}, {0.3, 2}}, {{0.7, 0.9}, {2.5, 0.2}}},
                                         {{{1.3, -1}, {0.3, -2}}, {{0.7, -1.5}, {2.5, -0.7}}}};

static double entry(const product *p, int m, double x, double y)
{
    double g = 0;
    for (int j = 0; j < 2; j++) {
        double f = p[j].b > 0 ? exp(-p[j].b * y * y) : pow(y * y + p[j].b * p[j].b, -m - 1.5);
        g += pow(x * y, m) * exp(-p[j].a * x * x) * f;
    }
    return g;
}

static double exact(const product *p, int m, double q, double P)
{
    double v = 0;
    for (int j = 0; j < 2; j++)
        v += gauss_pair(m, p[j].a, P) *
             (p[j].b > 0 ? gauss_pair(m, p[j].b, q) : power_pair(m, -p[j].b, q));
    return v;
}

static void make(inner_table *t, const product p[NPOL][2], double r_max)
{
    const grid_steps wide = {0.2, 0.02, 0.05, 20}, steps = {0.1, 0.02, 0.03, 20};
    inner_opts o = {.eps = 1, .lam = 0.5, .nm = NM, .m = orders};
    double *delta, *r;
    ck_assert(grid_graded(&wide, 14, &o.nd, &delta, NULL) == CGCT_OK);
    ck_assert(grid_graded(&steps, r_max, &o.nr, &r, NULL) == CGCT_OK);
    o.delta = delta;
    o.r = r;
    inner_table_init(t, &o);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < NM; im++)
            for (size_t id = 0; id < t->nd; id++)
                for (size_t ir = 0; ir < t->nr; ir++)
                    t->g[((pol * NM + im) * t->nd + id) * t->nr + ir] =
                        entry(p[pol], orders[im], t->delta[id], t->r[ir]);
    free(delta);
    free(r);
}

static void transform(const inner_table *t, const filon_tail_opts *tail, double *P, double *modes)
{
    double seconds[2] = {0, 0};
    cgct_err err = {""};
    const backend_transform k = {NULL, NQ, NP, momenta, P, 8, tail};
    for (int i = 0; i < NP; i++) P[i] = 0.1 * i; /* P = 0 included */
    cgct_status st = hankel_transform(t, &k, modes, seconds, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    ck_assert(seconds[0] > 0 && seconds[1] > 0);
}

/* Over all momenta: small ones have (q P)^m of it only. */
static double largest(const product *p, int m, const double *P)
{
    double top = 0;
    for (int iq = 0; iq < NQ; iq++)
        for (int ip = 0; ip < NP; ip++) top = fmax(top, fabs(exact(p, m, momenta[iq], P[ip])));
    return top;
}

START_TEST(closed_pairs)
{
    static const double power[] = {3, 5, 7, 9, 11};
    const filon_tail_opts tail = {24, 5, power};
    static double modes[NPOL * NM * NQ * NP];
    double P[NP], tol = _i ? TOL_TAIL : TOL_GAUSS;
    inner_table t;
    make(&t, sums[_i], _i ? 60 : 20);
    transform(&t, _i ? &tail : NULL, P, modes);
    for (size_t pol = 0; pol < NPOL; pol++)
        for (size_t im = 0; im < NM; im++)
            for (size_t iq = 0; iq < NQ; iq++) {
                const double *got = modes + ((pol * NM + im) * NQ + iq) * NP;
                double top = largest(sums[_i][pol], orders[im], P), worst = 0;
                for (size_t ip = 0; ip < NP; ip++) {
                    double want = exact(sums[_i][pol], orders[im], momenta[iq], P[ip]);
                    double e = fabs(got[ip] - want) / top;
                    worst = larger_error(worst, e);
                }
                printf("%s %c m = %d q = %g: %.1e\n", _i ? "powers" : "Gaussians", "TL"[pol],
                       orders[im], momenta[iq], worst);
                ck_assert_msg(worst <= tol, "m = %d, q = %g: %g of the largest > %g", orders[im],
                              momenta[iq], worst, tol);
            }
    inner_table_free(&t);
}
END_TEST

/* Without the tail the same powers miss by orders of magnitude: the tail is not idle. */
START_TEST(cut_is_worse)
{
    static double modes[NPOL * NM * NQ * NP];
    double P[NP];
    inner_table t;
    make(&t, sums[1], 60);
    transform(&t, NULL, P, modes);
    double want = exact(sums[1][0], 0, momenta[4], P[0]);
    ck_assert(fabs(modes[4 * NP] / want - 1) > 1e3 * TOL_TAIL);
    inner_table_free(&t);
}
END_TEST

/* One momentum at a time, in any order, gives what all together give. */
START_TEST(each_momentum)
{
    static double all[NPOL * NM * NQ * NP], one[NPOL * NM];
    double P[NP], seconds[2];
    inner_table t;
    make(&t, sums[0], 20);
    transform(&t, NULL, P, all);
    for (int ip = NP - 1; ip >= 0; ip -= 23) {
        const backend_transform at = {NULL, 1, 1, momenta + 2, P + ip, 8, NULL};
        ck_assert(hankel_transform(&t, &at, one, seconds, NULL) == CGCT_OK);
        for (int i = 0; i < NPOL * NM; i++) {
            double top = 0;
            for (int k = 0; k < NP; k++) top = fmax(top, fabs(all[(i * NQ + 2) * NP + k]));
            CHECK_ABS(one[i], all[(i * NQ + 2) * NP + ip], TOL_EXACT * top);
        }
    }
    inner_table_free(&t);
}
END_TEST

START_TEST(refuses)
{
    double modes[NPOL * NM], seconds[2], P = 1, q = 1;
    cgct_err err = {""};
    inner_table t;
    backend_transform k = {NULL, 1, 1, &q, &P, 9, NULL};
    make(&t, sums[0], 20);
    ck_assert_int_eq(hankel_transform(&t, &k, modes, seconds, &err), CGCT_E_DOMAIN);
    ck_assert(err.text[0]);
    k.degree = 8;
    q = -1;
    ck_assert_int_eq(hankel_transform(&t, &k, modes, seconds, &err), CGCT_E_DOMAIN);
    q = 1;
    P = NAN;
    ck_assert_int_eq(hankel_transform(&t, &k, modes, seconds, &err), CGCT_E_DOMAIN);
    inner_table_free(&t);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("hankel");
    TCase *t = tcase_create("hankel");
    tcase_add_loop_test(t, closed_pairs, 0, 2);
    tcase_add_test(t, cut_is_worse);
    tcase_add_test(t, each_momentum);
    tcase_add_test(t, refuses);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
