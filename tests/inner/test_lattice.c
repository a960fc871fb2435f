/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lattice sum lacks where the integrand is singular: a sum over a wide lattice less the
 * closed form against a sum over a narrow one. */
#include "inner/lattice.h"

#include <math.h>

#include "chain.h"
#include "check_rel.h"
#include "run_suite.h"

enum { WIDE = 24, NARROW = 128, PLACES = 40 };
#define CUT 30        /* of the wave functions, e^-30 */
#define LEFT_OVER 0.2 /* of the excess, rms: gradients and further shells; 0.08 to 0.12 was seen */

static double of_dipole(const dipole *d, double r2)
{
    double L;
    dipole_lnS(d, 1, &r2, &L);
    return L;
}

/* Removes what is left of the centres, and is even: (|r||r'|)^2 exp(-t^2) at t = (x,y). */
static double factor(double x, double y, double delta)
{
    const double c = delta / 2;
    return (pow(x + c, 2) + y * y) * (pow(x - c, 2) + y * y) * exp(-x * x - y * y);
}

/* psi psi factor [L(|t - T|) + L(|t + T|)] at T = (X,Y), summed over a lattice. */
static void sum_over(const lattice *q, const dipole *d, double X, double Y, double sum[NPOL])
{
    sum[POL_T] = sum[POL_L] = 0;
    for (size_t k = 0; k < q->n; k++) {
        const double less = pow(q->x[k] - X, 2) + pow(q->y[k] - Y, 2);
        const double more = pow(q->x[k] + X, 2) + pow(q->y[k] + Y, 2);
        const double f =
            factor(q->x[k], q->y[k], q->shape.delta) * (of_dipole(d, less) + of_dipole(d, more));
        for (int pol = 0; pol < NPOL; pol++) sum[pol] += q->psi[pol][k] * f;
    }
}

static void excess_of(const char *name, double left[NPOL], double whole[NPOL])
{
    const double eps = 1, delta = 1.3;
    lattice wide, narrow;
    lattice_dipole of_d;
    dipole *d = chain_dipole(name, 1e-3);
    uint64_t seed = 7;
    lattice_dipole_init(&of_d, d);
    const lattice_shape shape[] = {lattice_shape_of(eps, delta, WIDE, CUT),
                                   lattice_shape_of(eps, delta, NARROW, CUT)};
    lattice_init(&wide, d, eps, &shape[0]);
    lattice_init(&narrow, d, eps, &shape[1]);
    for (int i = 0; i < PLACES; i++) {
        const double T = 0.1 + 1.5 * chain_random(&seed), gamma = M_PI * chain_random(&seed);
        const double X = T * cos(gamma), Y = T * sin(gamma);
        double coarse[NPOL], fine[NPOL], excess[NPOL];
        sum_over(&wide, d, X, Y, coarse);
        sum_over(&narrow, d, X, Y, fine);
        lattice_excess(&wide, &of_d, X, Y, factor(X, Y, delta), excess);
        for (int pol = 0; pol < NPOL; pol++) {
            left[pol] += pow(coarse[pol] - fine[pol] - excess[pol], 2) / PLACES;
            whole[pol] += pow(coarse[pol] - fine[pol], 2) / PLACES;
        }
    }
    lattice_free(&wide);
    lattice_free(&narrow);
    dipole_free(d);
}

START_TEST(known)
{
    static const char *const name[] = {"mv", "mvgamma", EVOLVED};
    double left[NPOL] = {0}, whole[NPOL] = {0};
    excess_of(name[_i], left, whole);
    for (int pol = 0; pol < NPOL; pol++) {
        printf("%s %c: excess %.1e, left over %.1e\n", name[_i], "TL"[pol], sqrt(whole[pol]),
               sqrt(left[pol]));
        ck_assert_double_le(sqrt(left[pol]), LEFT_OVER * sqrt(whole[pol]));
    }
}
END_TEST

/* ln S = -r^2 Qs^2/4 is analytic at 0. */
START_TEST(none_of_gbw)
{
    lattice q;
    lattice_dipole of_d;
    double excess[NPOL];
    dipole *d = chain_dipole("gbw", 1e-3);
    lattice_dipole_init(&of_d, d);
    const lattice_shape shape = lattice_shape_of(1, 1, WIDE, CUT);
    lattice_init(&q, d, 1, &shape);
    lattice_excess(&q, &of_d, 0.3, 0.4, 1, excess);
    CHECK_ABS(excess[POL_T], 0, 1e-14);
    CHECK_ABS(excess[POL_L], 0, 1e-14);
    lattice_free(&q);
    lattice_free(&q);
    dipole_free(d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lattice");
    TCase *t = tcase_create("lattice");
    tcase_add_loop_test(t, known, 0, 3);
    tcase_add_test(t, none_of_gbw);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
