/* SPDX-License-Identifier: GPL-3.0-or-later */
/* e. Angular stress test, [P: sec. gpu-angular-convergence]: eps = 0.5, q = 4.47, k1 = 4.51 GeV,
 * theta = 0.17 pi, the direct discretisation with more and more angles beside the separable builder
 * and the production route. */
#include <math.h>
#include <stdlib.h>

#include "cli/validate.h"

enum { NK = 49, NTHETA = 512, NTABLE = 4 };
static const double EPS = 0.5, K1 = 4.51, K_MIN = 1, K_MAX = 25;
#define THETA (0.17 * M_PI)

typedef struct {
    const char *name, *settings;
    int M, M_long; /* largest mode; 0: left out */
} stress_table;

#define DIRECT "inner.backend=direct inner.lam=0 inner.s_max=60 "
#define SMALL_GRIDS "inner.gauss_n=128 inner.spacing=0.16 inner.step=0.4"
#define LARGE_GRIDS "inner.gauss_n=256 inner.spacing=0.08 inner.step=0.2"
#define SEPARABLE "inner.lam=0 "

/* Reduced grids, then those of --long. */
static const stress_table tables[2][NTABLE] = {
    {{"direct 64/31", DIRECT SMALL_GRIDS " inner.phi_n=64 inner.modes=31", 31, 31},
     {"direct 128/64", DIRECT SMALL_GRIDS " inner.phi_n=128 inner.modes=64", 64, 64},
     {"separable", SEPARABLE "accuracy.tolerance=1e-4 inner.modes=192", 192, 192},
     {NULL, NULL, 0, 0}},
    {{"direct 64/31", DIRECT LARGE_GRIDS " inner.phi_n=64 inner.modes=31", 31, 31},
     {"direct 128/64", DIRECT LARGE_GRIDS " inner.phi_n=128 inner.modes=64", 64, 64},
     {"direct 256/127", DIRECT LARGE_GRIDS " inner.phi_n=256 inner.modes=127", 127, 127},
     {"separable", SEPARABLE "accuracy.tolerance=1e-5 inner.modes=512", 512, 512}}};

static void write_sums(FILE *f, const double *I, size_t nm, size_t stride, const double truth[NPOL])
{
    fputs("# M sum_T sum_L |sum_T| |sum_L| I_T I_L\n", f);
    for (int M = 0; M < (int)nm; M++) {
        double T = validation_sum(I, stride, M, THETA);
        double L = validation_sum(I + nm * stride, stride, M, THETA);
        fprintf(f, "%d %.10e %.10e %.10e %.10e %.10e %.10e\n", M, T, L, fabs(T), fabs(L),
                truth[POL_T], truth[POL_L]);
    }
    fputs("\n\n", f);
}

/* k1, L at THETA, and the smallest L over all angles; returns how many minima are negative. */
static int write_slice(FILE *f, const double *I, size_t nm, const double *k)
{
    int negative = 0;
    fputs("# k1 L(theta) min_theta(L)\n", f);
    for (size_t ik = 0; ik < NK; ik++) {
        const double *L = I + nm * (NK + 1) + ik;
        double least = INFINITY;
        for (int j = 0; j < NTHETA; j++)
            least = fmin(least, validation_sum(L, NK + 1, (int)nm - 1, M_PI * j / (NTHETA - 1)));
        negative += least < 0;
        fprintf(f, "%.8g %.10e %.10e\n", k[ik], validation_sum(L, NK + 1, (int)nm - 1, THETA),
                least);
    }
    fputs("\n\n", f);
    return negative;
}

static void say_table(const validation *v, const stress_table *s, const validation_table *t,
                      const double *I, const double truth[NPOL], int negative)
{
    size_t nm = t->t.nm, stride = NK + 1;
    const double *T = I + NK, *L = I + nm * stride + NK;
    double end[NPOL] = {validation_sum(T, stride, s->M, THETA),
                        validation_sum(L, stride, s->M, THETA)};
    validation_say(v,
                   "   %-15s M = %3d, %zu x %zu nodes, %5.0f s: I_T = %.6e (error %.1e), I_L = "
                   "%.6e (error %.1e); %d of %d minima negative",
                   s->name, s->M, t->t.nd, t->t.nr, t->seconds, end[POL_T],
                   fabs(end[POL_T] / truth[POL_T] - 1), end[POL_L],
                   fabs(end[POL_L] / truth[POL_L] - 1), negative, NK);
    if (s->M < 127) return;
    double at110 = validation_sum(L, stride, 110, THETA),
           at127 = validation_sum(L, stride, 127, THETA);
    validation_say(
        v,
        "   %-15s sums of L to 110 and to 127 differ by %.1e (the paper: 8.0e-5 with its "
        "dipole), the sum to 127 from I by %.1e",
        "", fabs(at110 / at127 - 1), fabs(at127 / truth[POL_L] - 1));
}

static cgct_status one_table(const validation *v, const stress_table *s, const double *k,
                             const double truth[NPOL], FILE *sums, FILE *slice, cgct_err *err)
{
    validation_table t;
    double *I = NULL;
    CGCT_TRY(validation_table_init(&t, v->source, v->x, EPS, v->q_angles, K_MAX, s->settings, err));
    cgct_status st = validation_transform(&t, 1, &v->q_angles, NK + 1, k, &I, err);
    if (st == CGCT_OK) {
        write_sums(sums, I + NK, t.t.nm, NK + 1, truth);
        say_table(v, s, &t, I, truth, write_slice(slice, I, t.t.nm, k));
    }
    free(I);
    validation_table_free(&t);
    return st;
}

static cgct_status true_slice(const validation *v, const double *k, double truth[NPOL], FILE *f,
                              cgct_err *err)
{
    node_tables *p;
    double bound[NPOL];
    int negative = 0;
    CGCT_TRY(validation_reference(&p, v->source, v->x, EPS, 1, &v->q_angles, K_MAX, 1e-6, err));
    cgct_status st = node_point(p, 0, K1, THETA, truth, bound, err);
    fputs("# k1 L(theta) min_theta(L)\n", f);
    for (size_t ik = 0; ik < NK && st == CGCT_OK; ik++) {
        double I[NPOL], error[NPOL], least = INFINITY;
        for (int j = 0; j < NTHETA && st == CGCT_OK; j++) {
            st = node_point(p, 0, k[ik], M_PI * j / (NTHETA - 1), I, error, err);
            least = fmin(least, I[POL_L]);
        }
        if (st == CGCT_OK) st = node_point(p, 0, k[ik], THETA, I, error, err);
        fprintf(f, "%.8g %.10e %.10e\n", k[ik], I[POL_L], least);
        negative += least < 0;
    }
    fputs("\n\n", f);
    if (st == CGCT_OK)
        validation_say(
            v, "   %-15s I_T = %.6e +- %.0e, I_L = %.6e +- %.0e; %d of %d minima negative",
            "production", truth[POL_T], bound[POL_T], truth[POL_L], bound[POL_L], negative, NK);
    node_tables_free(p);
    return st;
}

static cgct_status plot(const validation *v, cgct_err *err)
{
    char script[2048];
    snprintf(
        script, sizeof script,
        "n = %d\nset multiplot layout 2,2 title 'eps = 0.5 GeV, q = %g GeV, theta = 0.17 pi; "
        "direct: angles/largest mode'\n"
        "names = '%s'\nlabel(i) = (i < n ? 'direct ' : '').word(names, i)\n"
        "set xlabel 'M'\nset ylabel 'I_L (GeV^{-6})'\n"
        "set title 'sum of modes to M, k_1 = 4.51 GeV'\n"
        "plot for [i=1:n] 'e_sums.dat' index i-1 using 1:3 with lines title label(i), \\\n"
        "     'e_sums.dat' index n-1 using 1:7 with lines dt 2 lc rgb 'black' title 'production'\n"
        "set logscale y\nset format y '10^{%%T}'\nset title 'its absolute value'\n"
        "plot for [i=1:n] 'e_sums.dat' index i-1 using 1:5 with lines title label(i)\n"
        "set xlabel 'k_1 (GeV)'\nset logscale x\nset xrange [1:25]\n"
        "set title 'absolute value'\n"
        "plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($2)) with lines \\\n"
        "       title label(i), 'e_slice.dat' index 0 using 1:2 with points pt 6 \\\n"
        "       lc rgb 'black' title 'production'\n"
        "set title 'smallest over all angles, absolute value; crosses: negative'\n"
        "plot for [i=1:n] 'e_slice.dat' index i using 1:(abs($3)) with lines \\\n"
        "       title label(i), for [i=1:n] 'e_slice.dat' index i \\\n"
        "       using 1:($3 < 0 ? -$3 : NaN) with points pt 2 lc i notitle, \\\n"
        "     'e_slice.dat' index 0 using 1:3 with points pt 6 lc rgb 'black' title 'production'\n",
        v->is_long ? 4 : 3, v->q_angles,
        v->is_long ? "64/31 128/64 256/127 separable" : "64/31 128/64 separable");
    return validation_plot(v, "e_angles", 1400, 1000, script, err);
}

cgct_status validate_angles(const validation *v, cgct_err *err)
{
    FILE *sums, *slice;
    double k[NK + 1], truth[NPOL]; /* the last one is K1 */
    for (int i = 0; i < NK; i++) k[i] = K_MIN * pow(K_MAX / K_MIN, i / (NK - 1.0));
    k[NK] = K1;
    if (!v->is_long)
        validation_say(v, "   reduced: 128 Gauss nodes, coarser grids, 256/127 left out, M = 192");
    CGCT_TRY(validation_open(v, "e_sums.dat", &sums, err));
    cgct_status st = validation_open(v, "e_slice.dat", &slice, err);
    if (st != CGCT_OK) {
        fclose(sums);
        return st;
    }
    st = true_slice(v, k, truth, slice, err);
    for (int i = 0; i < NTABLE && st == CGCT_OK; i++)
        if (tables[v->is_long][i].name)
            st = one_table(v, &tables[v->is_long][i], k, truth, sums, slice, err);
    cgct_err *left = st == CGCT_OK ? err : NULL;
    cgct_status closed = validation_close(v, "e_sums.dat", sums, left);
    if (closed == CGCT_OK)
        closed = validation_close(v, "e_slice.dat", slice, left);
    else
        fclose(slice);
    if (st == CGCT_OK) st = closed;
    return st == CGCT_OK ? plot(v, err) : st;
}
