/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmath against the long double functions of libm (64-bit mantissa), over the whole range. */
#include "numerics/vmath.h"

#include <stdio.h>
#include <stdlib.h>

#include "check_rel.h"
#include "run_suite.h"

#define TOL_FEW_ULP 5e-16
#define NPOINTS 200000

/* Seeded, uniform in [0,1). */
static double uniform(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(*s >> 11) * 0x1p-53;
}

typedef struct {
    const char *name;
    double (*got)(double);
    long double (*want)(long double);
    double lo, hi; /* range of x */
    int small;     /* x = +-10^(-18..0) instead */
} sweep;

static double f_exp(double x)
{
    return vexp(x);
}
static double f_expm1(double x)
{
    return vexpm1(x);
}
static double f_log(double x)
{
    return vlog(x);
}
static double f_log1p(double x)
{
    return vlog1p(x);
}
/* arguments over all exponents */
static double f_log_wide(double u)
{
    return vlog(exp(u));
}
static long double w_log_wide(long double u)
{
    return logl((long double)exp((double)u));
}
static double f_log1p_wide(double u)
{
    return vlog1p(exp(u));
}
static long double w_log1p_wide(long double u)
{
    return log1pl((long double)exp((double)u));
}
/* 1 + x close to 0 */
static double f_log1p_low(double u)
{
    return vlog1p(-1 + exp(u));
}
static long double w_log1p_low(long double u)
{
    return log1pl((long double)(-1 + exp((double)u)));
}

static const sweep sweeps[] = {
    {"vexp", f_exp, expl, -708, 709, 0},
    {"vexp near 0", f_exp, expl, -1, 1, 0},
    {"vexp small", f_exp, expl, 0, 0, 1},
    {"vexpm1", f_expm1, expm1l, -720, 709, 0},
    {"vexpm1 near 0", f_expm1, expm1l, -2, 2, 0},
    {"vexpm1 small", f_expm1, expm1l, 0, 0, 1},
    {"vlog near 1", f_log, logl, 0.4, 2.5, 0},
    {"vlog", f_log_wide, w_log_wide, -708, 708, 0},
    {"vlog1p near 0", f_log1p, log1pl, -0.9, 3, 0},
    {"vlog1p small", f_log1p, log1pl, 0, 0, 1},
    {"vlog1p", f_log1p_wide, w_log1p_wide, -708, 708, 0},
    {"vlog1p near -1", f_log1p_low, w_log1p_low, -36, 0, 0},
};

START_TEST(accuracy)
{
    const sweep *s = &sweeps[_i];
    uint64_t seed = 17;
    double worst = 0, at = 0;
    for (int i = 0; i < NPOINTS; i++) {
        double u = uniform(&seed), x = s->lo + (s->hi - s->lo) * u;
        if (s->small) x = (i & 1 ? -1 : 1) * pow(10, -18 * u);
        if (x == -1) continue;
        long double w = s->want(x);
        double rel = w == 0 ? fabs(s->got(x)) : (double)fabsl((s->got(x) - w) / w);
        if (!(rel <= worst)) worst = larger_error(worst, rel), at = x;
    }
    ck_assert_msg(worst <= TOL_FEW_ULP,
                  "%s: rel %.3g > TOL_FEW_ULP at x = %.17g: %.17g, want %.17Lg", s->name, worst, at,
                  s->got(at), s->want(at));
}
END_TEST

START_TEST(ends)
{
    volatile double nan_ = NAN;
    ck_assert(vexp(0) == 1);
    ck_assert(vexp(-709) == 0 && vexp(-1e6) == 0 && vexp(-INFINITY) == 0);
    ck_assert(vexpm1(0) == 0 && vexpm1(-1e6) == -1);
    ck_assert(vlog(1) == 0 && vlog1p(0) == 0);
    ck_assert(isnan(vexp(nan_)) && isnan(vexpm1(nan_)) && isnan(vlog(nan_)) && isnan(vlog1p(nan_)));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vmath");
    TCase *t = tcase_create("vmath");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, accuracy, 0, (int)(sizeof sweeps / sizeof *sweeps));
    tcase_add_test(t, ends);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
