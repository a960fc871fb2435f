/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Composite Gauss rules on singular ends, and angular rules against closed cosine modes. */
#include "numerics/quadrature.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define TOL_GAUSS 1e-14 /* polynomials: rounding of the nodes of GSL and of the sum */
#define TOL_SMOOTH 1e-13
#define TOL_GRADED 1e-12 /* 16 nodes, ratio 4: 3^-32 of what stands at the singularity */
#define TOL_HALF 2e-6    /* x^(-1/2): sqrt of the innermost panel, 1e-12, is left */
#define TOL_ANGLE 1e-13  /* 13 digits are asked for */
#define TOL_OWN 1e-12    /* the bandwidth of exp(z cos x) is an estimate */
#define CLOSE 0.0625
#define TOL_CLOSE                                                                                  \
    1e-11 /* rules for closer singularities have 10 nodes on [a,4a], a < 1/64: 3^-20/64 */

static double sum_log(const quad_rule *q, double a)
{
    double s = 0;
    for (size_t i = 0; i < q->n; i++) s += q->w[i] * log(fabs(q->x[i] - a));
    return s;
}

/* A rule of n nodes is exact for degree 2n-1 on cut panels of any width. */
START_TEST(gauss_exact)
{
    quad_rule q = {0};
    quad_gauss g;
    for (int n = 1; n <= 64; n++) {
        quad_gauss_init(&g, n);
        ck_assert_int_eq(g.n, n);
        for (int degree = 0; degree < 2 * n && degree <= 40; degree++) {
            double s = 0;
            q.n = 0;
            quad_append(&q, &g, -0.5, 1.5, 0.3);
            ck_assert_uint_eq(q.n, 7 * (size_t)n);
            for (size_t i = 0; i < q.n; i++) s += q.w[i] * pow(q.x[i] - 0.25, degree);
            double want = (pow(1.25, degree + 1) - pow(-0.75, degree + 1)) / (degree + 1);
            CHECK_ABS(s, want, TOL_GAUSS * (1 + fabs(want)));
        }
    }
    quad_free(&q);
    ck_assert(q.n == 0 && q.x == NULL && q.w == NULL);
    quad_free(&q);
}
END_TEST

/* The rule for logarithms at either end of [1,3]: d^i and d^i ln d up to its number of nodes, where
 * d is the distance from that end. */
START_TEST(logarithms)
{
    for (int end = 0; end < 2; end++) {
        quad_gauss g;
        quad_rule q = {0};
        quad_log_init(&g, end);
        quad_append(&q, &g, 1, 3, INFINITY);
        ck_assert_uint_eq(q.n, (size_t)g.n);
        for (int i = 0; i < g.n; i++) {
            double plain = 0, logs = 0;
            for (size_t j = 0; j < q.n; j++) {
                const double d = (end ? 3 - q.x[j] : q.x[j] - 1) / 2;
                plain += q.w[j] * pow(d, i) / 2;
                logs += q.w[j] * pow(d, i) * log(d) / 2;
            }
            const double error = fabs(logs + pow(i + 1, -2));
            CHECK_ABS(plain, 1. / (i + 1), TOL_GAUSS);
            ck_assert_msg(error < TOL_GAUSS, "d^%d ln d: %g", i, error);
        }
        ck_assert(q.x[0] > 1 && q.x[q.n - 1] < 3);
        quad_free(&q);
    }
}
END_TEST

/* Panels appended one after another cover the union; empty and reversed intervals add nothing. */
START_TEST(appending)
{
    quad_rule q = {0};
    quad_gauss g;
    quad_gauss_init(&g, 16);
    quad_append(&q, &g, 0, 1, 10);
    ck_assert_uint_eq(q.n, 16);
    quad_append(&q, &g, 1, 1, 1);
    ck_assert_uint_eq(q.n, 16);
    quad_append(&q, &g, 2, 1, 1);
    ck_assert_uint_eq(q.n, 16);
    quad_append_graded(&q, &g, 2, 1, &(quad_grading){0, 1, 4, 1});
    ck_assert_uint_eq(q.n, 16);
    quad_append(&q, &g, 1, 30, 1);
    ck_assert_uint_eq(q.n, 16 * 30);
    double s = 0, c = 0;
    for (size_t i = 0; i < q.n; i++) {
        ck_assert(i == 0 || q.x[i] > q.x[i - 1]);
        s += q.w[i];
        c += q.w[i] * cos(q.x[i]);
    }
    CHECK_REL(s, 30.0, TOL_GAUSS);
    CHECK_ABS(c, sin(30), TOL_SMOOTH);
    quad_free(&q);
}
END_TEST

/* ln|x - end| and |x - end|^(-1/2) at either end; no panel wider than hmax. */
START_TEST(graded_ends)
{
    quad_rule q = {0};
    quad_gauss g;
    quad_gauss_init(&g, 16);
    for (int end = 0; end < 2; end++)
        for (double width = 1e-3; width < 1e3; width *= 7) {
            double a = -width / 2, b = width / 2, at = end ? b : a, root = 0, last = a;
            q.n = 0;
            quad_append_graded(&q, &g, a, b, &(quad_grading){end, 1e-12 * width, 4, 0.3 * width});
            for (size_t i = 0; i < q.n; i++) {
                ck_assert(q.x[i] >= last && q.x[i] <= b && q.w[i] <= 0.3 * width * 0.1);
                last = q.x[i];
                root += q.w[i] / sqrt(fmax(fabs(q.x[i] - at), 1e-300));
            }
            CHECK_ABS(sum_log(&q, at), width * (log(width) - 1),
                      TOL_GRADED * width * (1 + fabs(log(width))));
            CHECK_REL(root, 2 * sqrt(width), TOL_HALF);
        }
    quad_free(&q);
}
END_TEST

/* At the origin, where the distance to the singularity has full relative accuracy, x^(-1/2) is
 * limited by the innermost panel only. */
START_TEST(graded_origin)
{
    quad_rule q = {0};
    quad_gauss g;
    double root = 0, mixed = 0;
    quad_gauss_init(&g, 16);
    quad_append_graded(&q, &g, 0, 2, &(quad_grading){0, 1e-30, 4, 0.5});
    for (size_t i = 0; i < q.n; i++) {
        root += q.w[i] / sqrt(q.x[i]);
        mixed += q.w[i] * log(q.x[i]) / sqrt(q.x[i]);
    }
    CHECK_REL(root, 2 * sqrt(2), TOL_GRADED);
    CHECK_REL(mixed, 2 * sqrt(2) * (log(2) - 2), TOL_GRADED * 1e2); /* ln 1e-30 sqrt(1e-30) */
    quad_free(&q);
}
END_TEST

/* Numbers of nodes for which there is no room, or no rule, end the program. */
START_TEST(gauss_refuses)
{
    static const int n[] = {0, 65};
    quad_gauss g;
    quad_gauss_init(&g, n[_i]);
}
END_TEST

/* ---- angular rules ---- */

typedef struct {
    int symmetric;
    size_t nm;
    int m[80];
    angle_rules a;
    int wanted; /* highest order that is checked */
} fixture;

static void setup(fixture *f, int symmetric, int m_max, double digits)
{
    int step = symmetric ? 2 : 1;
    f->symmetric = symmetric;
    f->nm = (size_t)(m_max / step) + 1;
    for (size_t i = 0; i < f->nm; i++) f->m[i] = (int)i * step;
    angle_rules_init(&f->a, f->nm, f->m, symmetric, digits, 1);
    f->wanted = m_max;
}

static double inverse(double a, double x) /* 1/(1 - a cos x), a = 2b/(1+b^2) */
{
    double h = sin(x / 2), b = (1 - a) + 2 * a * h * h;
    return 1 / b;
}

static double inverse_mode(double a, int m)
{
    double root = sqrt(1 - a * a), b = a / (1 + root);
    return 2 * M_PI / root * pow(b, m);
}

static double logarithm(double a, double x) /* ln(1 - 2 a cos x + a^2), also at a = 1 */
{
    double h = sin(x / 2);
    return log(fmax((1 - a) * (1 - a) + 4 * a * h * h, 1e-300));
}

static double logarithm_mode(double a, int m)
{
    return m ? -2 * M_PI * pow(a, m) / m : 0;
}

typedef double (*function)(double a, double x);
typedef double (*function_mode)(double a, int m);

static const angle_rule *trapezoid(const fixture *f, double t, double smooth)
{
    return &f->a.rule[angle_trapezoid(&f->a, angle_bandwidth(f->a.decay, t, smooth), f->a.m_max)];
}

/* For orders up to m. */
static const angle_rule *any_rule(const fixture *f, double t, int end, int m)
{
    return &f->a.rule[angle_any(&f->a, t, end, angle_bandwidth(f->a.decay, t, 0), m)];
}

static size_t modes_at(const fixture *f, double t, double smooth)
{
    return angle_modes(&f->a, angle_bandwidth(f->a.decay, t, smooth));
}

/* The leading modes up to order f->wanted, as many as angle_modes says.  Folded functions are even
 * about pi/2 and have the even modes of the plain one. */
static void check_modes(const fixture *f, const angle_rule *r, function fun, function_mode mode,
                        double a, double t, int flip, double tol, const char *what)
{
    double size = 0;
    size_t nm = modes_at(f, t, 0);
    while (nm > 1 && f->m[nm - 1] > f->wanted) nm--;
    for (size_t j = 0; j < r->n; j++) size += r->weight[j * r->nm] * fabs(fun(a, r->x[j]));
    for (size_t im = 0; im < nm; im++) {
        double s = 0, sign = flip && f->m[im] % 2 ? -1 : 1;
        for (size_t j = 0; j < r->n; j++) {
            double x = flip ? M_PI - r->x[j] : r->x[j], v = fun(a, x);
            if (f->symmetric) v = 0.5 * (v + fun(a, M_PI - x));
            s += r->weight[j * r->nm + im] * v;
        }
        double want = sign * mode(a, f->m[im]);
        ck_assert_msg(fabs(s - want) <= tol * size,
                      "%s, a = %.17g, %zu nodes, m = %d: %.17g, want %.17g (%.2g > %g of %g)", what,
                      a, r->n, f->m[im], s, want, fabs(s - want) / size, tol, size);
    }
}

static const struct {
    int symmetric, m_max;
} kinds[] = {{0, 12}, {1, 12}, {0, 60}, {1, 126}};

START_TEST(trapezoids)
{
    fixture f;
    setup(&f, kinds[_i].symmetric, kinds[_i].m_max, 13);
    for (double t = 3; t > 0.06; t *= 0.8) { /* 1024 nodes resolve t > 30/1024 */
        double b = exp(-t), a = 2 * b / (1 + b * b);
        const angle_rule *r = trapezoid(&f, t, 0);
        check_modes(&f, r, inverse, inverse_mode, a, t, 0, TOL_ANGLE, "trapezoid, inverse");
        check_modes(&f, r, logarithm, logarithm_mode, b, t, 0, TOL_ANGLE, "trapezoid, ln");
        check_modes(&f, r, logarithm, logarithm_mode, b, t, 1, TOL_ANGLE, "trapezoid, ln at pi");
    }
    ck_assert(trapezoid(&f, INFINITY, 0)->n <= trapezoid(&f, 0.1, 0)->n);
    angle_rules_free(&f.a);
    angle_rules_free(&f.a);
}
END_TEST

/* The logarithm up to a = 1, where its singularity reaches the end of the interval.  A rule for
 * fewer orders has them all, and where the singularity is close fewer nodes. */
START_TEST(any_distance)
{
    fixture f;
    setup(&f, kinds[_i].symmetric, kinds[_i].m_max, 13);
    const int m_max = f.a.m_max;
    size_t largest = 0;
    for (double t = 3; t > 1e-9; t *= 0.7) {
        double b = exp(-t);
        for (int end = 0; end < 2 - f.symmetric; end++) /* both ends are folded to 0 */
            for (int m = m_max; m > m_max / 8; m = 3 * m / 4) {
                const angle_rule *r = any_rule(&f, t, end, m);
                largest = r->n > largest ? r->n : largest;
                f.wanted = m;
                ck_assert(r->nm == f.nm || f.m[r->nm] > m || modes_at(&f, t, 0) <= r->nm);
                ck_assert_uint_le(r->n, any_rule(&f, t, end, m_max)->n);
                if (t < 1e-3 && m_max >= 60 && 2 * m < m_max)
                    ck_assert_uint_lt(r->n, any_rule(&f, t, end, m_max)->n);
                check_modes(&f, r, logarithm, logarithm_mode, b, t, end,
                            t > CLOSE ? TOL_ANGLE : TOL_CLOSE, "any, ln");
            }
    }
    f.wanted = m_max;
    for (int end = 0; end < 2 - f.symmetric; end++)
        check_modes(&f, any_rule(&f, 0, end, m_max), logarithm, logarithm_mode, 1, 0, end,
                    TOL_CLOSE, "a = 1");
    printf("m <= %d, span %.2f: at most %zu nodes\n", f.m[f.nm - 1], f.a.span, largest);
    angle_rules_free(&f.a);
}
END_TEST

/* angle_modes drops only what lies below 10^-digits of the largest. */
START_TEST(modes_kept)
{
    fixture f;
    setup(&f, kinds[_i].symmetric, kinds[_i].m_max, 13);
    for (double t = 5; t > 0.01; t *= 0.9) {
        size_t n = modes_at(&f, t, 0);
        ck_assert(n >= 1 && n <= f.nm);
        if (n < f.nm) ck_assert(exp(-t * f.m[n]) <= 1.0001e-13);
        ck_assert(modes_at(&f, t, 10) >= n);
    }
    ck_assert_uint_eq(modes_at(&f, 0, 0), f.nm);
    angle_rules_free(&f.a);
}
END_TEST

/* What is looked up, by its definition, whole numbers included. */
START_TEST(looked_up)
{
    fixture f;
    setup(&f, kinds[_i].symmetric, kinds[_i].m_max, 13);
    const angle_rules *a = &f.a;
    for (double b = 0; b < 3000; b += b < 300 ? 0.25 : 17.1) {
        double circle = b + fmin(b, a->m_max) + 4;
        size_t i = 0, nm = 1;
        while (i + 1 < (size_t)a->n_trapezoid &&
               (double)(a->rule[i].n - 1) * 2 * M_PI / a->span < circle * (1 - 1e-12))
            i++;
        while (nm < f.nm && f.m[nm] <= b) nm++;
        ck_assert_uint_eq(angle_trapezoid(a, b, a->m_max), i);
        ck_assert_uint_eq(angle_modes(a, b), nm);
    }
    for (double t = 4; t > 1e-12; t *= t > 0.24 ? 0.5 : 0.71) {
        int j = angle_grade(t);
        ck_assert_msg(pow(4, -j) <= t && (j == 0 || pow(4, 1 - j) > t), "%g: %d", t, j);
    }
    angle_rules_free(&f.a);
}
END_TEST

/* exp(z cos x) has smooth modes of its own: 2 pi I_m(z). */
START_TEST(own_modes)
{
    fixture f;
    const double z = 20, decay = 13 * log(10);
    setup(&f, 0, 60, 13);
    const angle_rule *r = trapezoid(&f, INFINITY, 8 + sqrt(2 * decay * z));
    double peak = 0;
    for (size_t j = 0; j < r->n; j++) peak += r->weight[j * f.nm] * exp(z * (cos(r->x[j]) - 1));
    for (size_t im = 0; im < f.nm; im++) {
        double s = 0, want = 0;
        for (size_t j = 0; j < r->n; j++)
            s += r->weight[j * f.nm + im] * exp(z * (cos(r->x[j]) - 1));
        for (int k = 0; k < 200; k++) /* power series of I_m */
            want +=
                exp((2 * k + (int)im) * log(z / 2) - lgamma(k + 1) - lgamma(k + (int)im + 1) - z);
        CHECK_ABS(s, 2 * M_PI * want, TOL_OWN * peak);
    }
    angle_rules_free(&f.a);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    enum { KINDS = sizeof kinds / sizeof *kinds };
    Suite *s = suite_create("quadrature");
    TCase *t = tcase_create("quadrature");
    tcase_add_test(t, gauss_exact);
    tcase_add_test(t, logarithms);
    tcase_add_test(t, appending);
    tcase_add_test(t, graded_ends);
    tcase_add_test(t, graded_origin);
    tcase_add_loop_test_raise_signal(t, gauss_refuses, SIGABRT, 0, 2);
    tcase_add_loop_test(t, trapezoids, 0, KINDS);
    tcase_add_loop_test(t, any_distance, 0, KINDS);
    tcase_add_loop_test(t, modes_kept, 0, KINDS);
    tcase_add_loop_test(t, looked_up, 0, KINDS);
    tcase_add_test(t, own_modes);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
