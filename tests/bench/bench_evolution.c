/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench_evolution [SET...]: seconds for the solutions of the BK equation over Y = 7 from which
 * bk:SET and its error are taken, and the accuracy that they state. */
#include "dipole/bk_impl.h"

#include <stdio.h>
#include <stdlib.h>

#include "limit.h"
#include "numerics/clock.h"

static void one(const char *name)
{
    const bk_set *set = bk_set_named(name);
    bk_solution *s;
    bk_opts o = {.Ymax = 7};
    cgct_err err = {""};
    if (!set) {
        fprintf(stderr, "bench_evolution: no set %s; there are %s\n", name, BK_SET_NAMES);
        exit(1);
    }
    o.initial = set->initial;
    o.coupling.C2 = set->C2;
    const double cores = core_clock(), wall = clock_wall();
    if (bk_solve(&s, &o, &err) != CGCT_OK) {
        fprintf(stderr, "bench_evolution: %s\n", err.text);
        exit(1);
    }
    const bk_accuracy *a = s->accuracy;
    double gamma = 0, lnS = 0;
    for (int i = 0; i < BK_ACCURACIES; i++) {
        gamma = fmax(gamma, a[i].lnGamma);
        lnS = fmax(lnS, a[i].lnS);
    }
    printf("evolution bk:%-12s Y = 7 %10.2f s, %.2f s of all cores; ln Gamma to %.1e, ln S below "
           "1e-12 to %.1e\n",
           name, clock_wall() - wall, core_clock() - cores, gamma, lnS);
    bk_free(s);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"bayes4", "mve"};
    if (argc == 1)
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) one(usual[i]);
    for (int i = 1; i < argc; i++) one(argv[i]);
    return 0;
}
