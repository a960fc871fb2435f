/* SPDX-License-Identifier: GPL-3.0-or-later */
/* d. Slices in k1 at q = 2, 5, 9 GeV and three angles, [P: fig. trainingslice]. */
#include <math.h>

#include "cli/validate.h"

enum { NQ = VALIDATION_NQ, NTHETA = 3, NK = 97 };
static const double EPS = 4, K_MIN = 1, K_MAX = 25;
static const double THETA[NTHETA] = {0.2, 0.5 * M_PI, 2.8};

static cgct_status one_slice(const node_tables *p, double q, size_t iq, double theta, FILE *f,
                             int *negative, double *largest, cgct_err *err)
{
    for (int ik = 0; ik < NK; ik++) {
        double k1 = K_MIN * pow(K_MAX / K_MIN, ik / (NK - 1.0)), I[NPOL], error[NPOL];
        CGCT_TRY(node_point(p, iq, k1, theta, I, error, err));
        fprintf(f, "%g %.4f %.8g %.10e %.3e %.10e %.3e\n", q, theta, k1, I[POL_T], error[POL_T],
                I[POL_L], error[POL_L]);
        for (int pol = 0; pol < NPOL; pol++) {
            *negative += !(I[pol] > 0);
            *largest = fmax(*largest, error[pol] / fabs(I[pol]));
        }
    }
    fputs("\n\n", f);
    return CGCT_OK;
}

cgct_status validate_slices(const validation *v, cgct_err *err)
{
    static const char name[] = "d_slices.dat";
    FILE *f;
    node_tables *p;
    int negative = 0;
    double largest = 0;
    CGCT_TRY(validation_open(v, name, &f, err));
    cgct_status st = validation_reference(&p, v->source, v->x, EPS, NQ, v->q, K_MAX, 1e-6, err);
    fputs("# q theta k1 I_T err_T I_L err_L\n", f);
    for (size_t i = 0; i < NQ * NTHETA && st == CGCT_OK; i++)
        st = one_slice(p, v->q[i / NTHETA], i / NTHETA, THETA[i % NTHETA], f, &negative, &largest,
                       err);
    if (st == CGCT_OK) node_tables_free(p);
    if (st != CGCT_OK) {
        fclose(f);
        return st;
    }
    CGCT_TRY(validation_close(v, name, f, err));
    validation_say(v, "   %d of %d values not positive; largest estimated relative error %.1e",
                   negative, 2 * NQ * NTHETA * NK, largest);
    return validation_plot(
        v, "d_slices", 1500, 900,
        "set multiplot layout 2,3 title 'I(k_1) at eps = 4 GeV, three angles'\n"
        "set logscale xy\nset format y '10^{%T}'\nset xrange [1:25]\n"
        "set xlabel 'k_1 (GeV)'\n"
        "do for [p=0:1] { do for [j=0:2] {\n"
        "  set ylabel (p ? 'I_L (GeV^{-6})' : 'I_T (GeV^{-6})')\n"
        "  set title 'q = '.word(q, j+1).' GeV'\n"
        "  plot for [i=0:2] 'd_slices.dat' index 3*j+i using 3:(column(4+2*p)) with lines lw 2 \\\n"
        "       title 'theta = '.word('0.2 pi/2 2.8', i+1)\n} }\n",
        err);
}
