/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of the program's own evolution, and public ones where CGCTAB_DATA_DIR is set: smoothness,
 * monotonic rise, powers; GBW as a table. */
#include <stdio.h>
#include <stdlib.h>

#include "dipole/dipole_impl.h"
#include "check_rel.h"
#include "run_suite.h"

#ifndef EVOLVED
#define EVOLVED "build/tests/evolved.dat"
#endif
#define OWN_STEP 1.0472494122981486 /* of r, as 'evolve' writes it */
#define TOL_PRINTED 1e-12           /* 17 printed digits of N through -log1p(-N) at Gamma <= 5 */

static const struct {
    const char *name;
    double x[3];
} real[] = {
    {"gbw_nlodis_testgrid.dat", {1e-2, 1e-3, 1e-4}}, {"nlobk_pd_map.dat", {1e-2, 1e-3, 1e-4}},
    {"rcbk_proton_mv.dat", {1e-2, 1e-3, 1e-4}},      {"rcbk_proton_mve.dat", {1e-2, 1e-3, 1e-4}},
    {"rcbk_proton_mvgamma.dat", {1e-2, 1e-3, 1e-4}}, {"own evolution", {1e-2, 5e-3, 2e-3}}};
enum { NREAL = sizeof real / sizeof *real, OWN = NREAL - 1 };

static void real_path(int i, char *to, size_t size)
{
    if (i == OWN)
        snprintf(to, size, "%s", EVOLVED);
    else
        snprintf(to, size, "%s/%s", getenv("CGCTAB_DATA_DIR"), real[i].name);
}

static double lnG(const dipole *d, double y)
{
    double r2 = exp(2 * y), L;
    dipole_lnS(d, 1, &r2, &L);
    return log(-L);
}

static double second(const dipole *d, double y, double h)
{
    return (lnG(d, y + h) - 2 * lnG(d, y) + lnG(d, y - h)) / (h * h);
}

/* f'' is continuous at the knot y: its change over 4h is what its slopes left and right explain. */
static void is_C2_at(const dipole *d, double y)
{
    const double h = 1e-4, w = 10 * h, rounding = 8 * 4e-15 / (h * h);
    double l1 = second(d, y - w, h), l2 = second(d, y - 2 * h, h);
    double r1 = second(d, y + 2 * h, h), r2 = second(d, y + w, h);
    double explained = 2 * h * (fabs(l2 - l1) + fabs(r2 - r1)) / (w - 2 * h);
    CHECK_ABS(r1 - l2, 0.0, 1.1 * explained + rounding);
    CHECK_ABS(second(d, y, h), 0.5 * (l2 + r1), 1.1 * explained + rounding); /* no kink of f' */
}

START_TEST(real_files)
{
    char file[512];
    real_path(_i, file, sizeof file);
    dipole_source *s;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = file};
    cgct_err err = {""};
    ck_assert_msg(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s", err.text);
    for (int i = 0; i < 3; i++) {
        dipole *d;
        ck_assert_msg(dipole_init(&d, s, real[_i].x[i], &err) == CGCT_OK, "%s", err.text);
        double p = d->power, cut = d->cut, last = -INFINITY;
        printf("%s x = %g: Qs2 = %.6f cut at r = %.3f, -ln S = %.3f, power %.4f\n", real[_i].name,
               real[_i].x[i], d->Qs2, cut, exp(lnG(d, log(cut))), p);
        ck_assert_msg(p > 0.5 && p < 2.26, "power %g", p); /* mvgamma begins at 2 x 1.129 */
        for (double y = log(d->r_min) - 1; y < log(cut) + 3; y += 0.01) {
            double f = lnG(d, y);
            ck_assert_msg(f > last, "%s: ln Gamma falls at r = %g", real[_i].name, exp(y));
            last = f;
        }
        is_C2_at(d, log(cut));
        double step = log(_i < 2 ? 1.089897374199738 : _i < OWN ? 1.047249412298149 : OWN_STEP);
        for (int k = 1; k < 60; k++) is_C2_at(d, log(cut) - k * step);
        dipole_free(d);
    }
    dipole_source_close(s);
}
END_TEST

/* gbw_nlodis_testgrid.dat is GBW with Qs^2 = exp(Y/3) GeV^2, Y = ln(1/x). */
START_TEST(real_gbw)
{
    char file[512];
    real_path(0, file, sizeof file);
    dipole_source *s;
    dipole *d;
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = file};
    ck_assert_int_eq(dipole_source_open(&s, &o, NULL), CGCT_OK);
    ck_assert_int_eq(dipole_init(&d, s, 0.0033, NULL), CGCT_OK);
    double Qs2 = pow(1 / 0.0033, 1.0 / 3);
    CHECK_REL(d->Qs2, Qs2, TOL_PRINTED);
    for (double r = 0.01; r < 50; r *= 1.1) {
        double r2 = r * r, x = 1e-9 * r2, L, D;
        dipole_lnS(d, 1, &r2, &L);
        dipole_diff(d, r2, 1, &x, &D);
        CHECK_REL(L, -Qs2 / 4 * r2, 1e-8);
        CHECK_REL(D, -Qs2 / 4 * x, 1e-7);
    }
    dipole_free(d);
    dipole_source_close(s);
}
END_TEST

int main(void)
{
    const int public = getenv("CGCTAB_DATA_DIR") != NULL;
    Suite *s = suite_create("dipole_real");
    TCase *t = tcase_create("dipole_real");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, real_files, public ? 0 : OWN, NREAL);
    if (public) tcase_add_test(t, real_gbw);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
