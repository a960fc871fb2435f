/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accuracy that a solution of the BK equation states covers its difference from a finer one. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dipole/bk_impl.h"
#include "run_suite.h"
#include "larger_error.h"

static bk_solution *solved(bk_opts o)
{
    cgct_err err = {""};
    bk_solution *s;
    ck_assert_msg(bk_solve(&s, &o, &err) == CGCT_OK, "%s", err.text);
    return s;
}

/* Largest differences of s from a solution with twice the resolution, as shares of twice the
 * accuracy that s states, which is what bounds are made of. */
static void differ(const bk_solution *s, const bk_solution *finer, const bk_accuracy *a,
                   double share[2])
{
    const double *t = s->grid.t;
    const size_t n = s->grid.n;
    double *f = malloc(n * sizeof *f), *g = malloc(finer->grid.n * sizeof *g);
    share[0] = share[1] = 0;
    ck_assert(bk_at(s, a->Y, f, NULL) == CGCT_OK && bk_at(finer, a->Y, g, NULL) == CGCT_OK);
    for (size_t i = 0; i < n; i++) {
        const double want = bk_interpolate(finer, g, t[i]);
        if (t[i] < log(1e-6) || want > log(BK_GAMMA_PROMISED)) continue;
        const double d = 0.5 * fabs(f[i] - want), Gamma = exp(want);
        const int k = Gamma > 27.631; /* S < 1e-12 */
        share[k] = larger_error(share[k], k ? d * Gamma / a->lnS : d / a->lnGamma);
    }
    free(f);
    free(g);
}

START_TEST(accuracy_covers)
{
    static const char *const names[] = {"mve", "mvgamma", "bayes5", "mv"};
    for (int k = 0; k < 4; k++) {
        const bk_set *set = bk_set_named(names[k]);
        bk_opts o = {.initial = set->initial,
                     .coupling = {.C2 = set->C2, .freeze = k == 3 ? BK_SHARP : BK_SMOOTH},
                     .Ymax = 0.1,
                     .refine = 0.5};
        bk_solution *s = solved(o);
        o.refine = 1;
        bk_solution *finer = solved(o);
        const bk_accuracy *a = s->accuracy;
        for (int i = 0; i < BK_ACCURACIES; i++) {
            double share[2];
            differ(s, finer, &a[i], share);
            if (getenv("CHECK_LONG"))
                printf("%s Y = %.3f: %.3f and %.3f of the bound\n", names[k], a[i].Y, share[0],
                       share[1]);
            ck_assert_msg(share[0] <= 1 && share[1] <= 1, "%s Y = %g: %g, %g", names[k], a[i].Y,
                          share[0], share[1]);
        }
        bk_free(s);
        bk_free(finer);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bk_accuracy");
    TCase *c = tcase_create("bk_accuracy");
    tcase_set_timeout(c, 1200);
    tcase_add_test(c, accuracy_covers);
    suite_add_tcase(s, c);
    return run_suite(s) != 0;
}
