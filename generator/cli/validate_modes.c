/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a. Partial sums over modes, [P: fig. modeconv]: I summed to M over its value, five angles, three
 * eps. */
#include <math.h>
#include <stdlib.h>

#include "cli/validate.h"

enum { NEPS = 3, NTHETA = 5, M_PAPER = 31 };
static const double EPS[NEPS] = {0.5, 1, 4}, Q = 2, K1 = 5;
/* 63 modes in the table: those beyond 31 still shape the ones below. */
#define SETTINGS "inner.lam=0 inner.modes=63 accuracy.tolerance=1e-4"

static cgct_status one_eps(const validation *v, double eps, FILE *f, cgct_err *err)
{
    validation_table t;
    node_tables *p = NULL;
    double *I = NULL, worst[NPOL] = {0, 0};
    CGCT_TRY(validation_table_init(&t, v->source, v->x, eps, Q, K1, SETTINGS, err));
    cgct_status st = validation_transform(&t, 1, &Q, 1, &K1, &I, err);
    if (st == CGCT_OK) st = validation_reference(&p, v->source, v->x, eps, 1, &Q, K1, 1e-6, err);
    for (int it = 0; it < NTHETA && st == CGCT_OK; it++) {
        double theta = M_PI * it / (NTHETA - 1), truth[NPOL], bound[NPOL];
        st = node_point(p, 0, K1, theta, truth, bound, err);
        for (int M = 0; M <= M_PAPER && st == CGCT_OK; M++) {
            fprintf(f, "%g %.4f %d", eps, theta, M);
            for (int pol = 0; pol < NPOL; pol++) {
                const double *mode = I + (size_t)pol * t.t.nm;
                double sum = validation_sum(mode, 1, M, theta);
                double end = validation_sum(mode, 1, M_PAPER, theta);
                fprintf(f, " %.10e %.10e", sum / end, sum / truth[pol]);
                if (M == M_PAPER) worst[pol] = fmax(worst[pol], fabs(sum / truth[pol] - 1));
            }
            fputc('\n', f);
        }
        fputs("\n\n", f);
    }
    if (st == CGCT_OK)
        validation_say(v, "   eps = %g GeV: summed to M = %d, off by at most %.1e (T), %.1e (L)",
                       eps, M_PAPER, worst[POL_T], worst[POL_L]);
    node_tables_free(p);
    free(I);
    validation_table_free(&t);
    return st;
}

cgct_status validate_modes(const validation *v, cgct_err *err)
{
    static const char name[] = "a_modes.dat";
    FILE *f;
    CGCT_TRY(validation_open(v, name, &f, err));
    fputs("# eps theta M  T: sum_M/sum_31 sum_M/I  L: the same\n", f);
    for (int i = 0; i < NEPS; i++) {
        cgct_status st = one_eps(v, EPS[i], f, err);
        if (st != CGCT_OK) {
            fclose(f);
            return st;
        }
    }
    CGCT_TRY(validation_close(v, name, f, err));
    return validation_plot(
        v, "a_modes", 1500, 900,
        "set multiplot layout 2,3 title 'Sum of modes to M: q = 2 GeV, k_1 = 5 GeV, T'\n"
        "eps = '0.5 1 4'\nset xlabel 'M'\nset xrange [0:31]\nset ylabel 'sum to M / sum to 31'\n"
        "do for [e=0:2] {\n"
        "  set title 'eps = '.word(eps, e+1).' GeV'\n"
        "  plot for [i=0:4] 'a_modes.dat' index 5*e+i using 3:4 with linespoints pt 7 ps 0.5 \\\n"
        "       title sprintf('theta = %.2f pi', i/4.)\n}\n"
        "set logscale y\nset format y '10^{%T}'\nset ylabel '|sum to M / I - 1|'\n"
        "do for [e=0:2] {\n"
        "  set title 'eps = '.word(eps, e+1).' GeV'\n"
        "  plot for [i=0:4] 'a_modes.dat' index 5*e+i using 3:(abs($5-1)) with linespoints pt 7 "
        "\\\n"
        "       ps 0.5 title sprintf('theta = %.2f pi', i/4.)\n}\n",
        err);
}
