/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f. What the paper's discretisation costs, METHOD.md 8: GBW, where the truth is known. */
#include <math.h>
#include <stdlib.h>

#include "cli/validate.h"
#include "dipole/exact_gbw.h"
#include "inner/direct.h"
#include "inner/separable.h"

enum { NEPS = 4, NQ = 4, NK = 4, NTHETA = 4, NPICK = 8, NORDER = 4 };
static const double X = 0.01, Q[NQ] = {0.5, 1, 2, 3}, K[NK] = {1, 2, 5, 12};
static const double THETA[NTHETA] = {0, 0.7, 1.5, 2.9};

/* The paper's grids; below eps = 1 GeV quadratic in Delta and wider.  Without --long they end where
 * exp(-eps Delta) and S are below 1e-13, with the same spacing, and b has an eighth of the nodes.
 */
static const struct {
    double eps;
    const char *delta_long, *delta, *inner;
} grids[NEPS] = {
    {0.1, "inner.delta_grid=quadratic inner.delta_n=535 inner.delta_max=107", NULL,
     "inner.s_max=100 inner.gauss_n=384"},
    {1, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=160 inner.delta_max=11.9849", "inner.s_max=60"},
    {4, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=100 inner.delta_max=7.4623", "inner.s_max=60"},
    {10, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=40 inner.delta_max=2.9397", "inner.s_max=60"}};
#define PAPER                                                                                      \
    "inner.backend=direct inner.lam=0 inner.modes=31 inner.phi_n=64 inner.r_grid=uniform "         \
    "inner.r_max=40 hankel.degree=4 hankel.tail_terms=0"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Largest and median difference from the truth, of the largest mode at each (Delta,R). */
static void compare(const inner_table *t, const inner_table *truth, int pol, double *most,
                    double *median)
{
    double e[NPICK * NPICK] = {0};
    size_t plane = t->nd * t->nr;
    for (size_t i = 0; i < plane; i++) {
        double top = 0, worst = 0;
        for (size_t im = 0; im < t->nm; im++) {
            size_t at = ((size_t)pol * t->nm + im) * plane + i;
            top = fmax(top, fabs(truth->g[at]));
            worst = fmax(worst, fabs(t->g[at] - truth->g[at]));
        }
        e[i] = worst / top;
    }
    qsort(e, plane, sizeof *e, by_size);
    *most = e[plane - 1];
    *median = e[plane / 2];
}

typedef cgct_status builder(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err);

static cgct_status report_inner(const validation *v, const char *name, builder *build,
                                const inner_opts *o, const dipole *d, cgct_err *err)
{
    inner_table t, truth;
    CGCT_TRY(inner_graded(&truth, o, d, err));
    cgct_status st = build(&t, o, d, err);
    for (int pol = 0; pol < NPOL && st == CGCT_OK; pol++) {
        double most, median;
        compare(&t, &truth, pol, &most, &median);
        validation_say(v, "   G_m, eps = %g GeV, %c, %s: median %.1e, largest %.1e", o->eps,
                       "TL"[pol], name, median, most);
    }
    if (st == CGCT_OK) inner_table_free(&t);
    inner_table_free(&truth);
    return st;
}

/* On NPICK x NPICK nodes of the paper's grids, Delta up to 6/eps. */
static cgct_status inner_errors(const validation *v, const inner_grids *g, const dipole *d,
                                cgct_err *err)
{
    static const int m[NORDER] = {0, 1, 2, 3}, even[NORDER] = {0, 2, 4, 6};
    double delta[NPICK], r[NPICK];
    inner_opts o = g->inner;
    size_t far = 0;
    while (far + 1 < o.nd && o.delta[far] < 6 / o.eps) far++;
    for (size_t i = 0; i < NPICK; i++) {
        delta[i] = o.delta[1 + i * (far > NPICK ? (far - 1) / NPICK : 1)];
        r[i] = o.r[((o.nr - 1) >> (NPICK - i)) + i + 1];
    }
    o.delta = delta;
    o.r = r;
    o.nd = o.nr = NPICK;
    o.m = m;
    o.nm = NORDER;
    CGCT_TRY(report_inner(v, "the paper's discretisation", inner_direct, &o, d, err));
    o.lam = 0.5;
    o.m = even;
    return report_inner(v, "separable", inner_separable, &o, d, err);
}

/* Largest relative error over the angles, of the sum of modes or of the production route. */
typedef struct {
    double paper[NPOL], ours[NPOL];
} cell;

static cgct_status one_cell(double eps, double Qs2, size_t iq, size_t ik, const double *I,
                            size_t nm, const pipeline *p, cell *c, cgct_err *err)
{
    *c = (cell){{0, 0}, {0, 0}};
    for (int it = 0; it < NTHETA; it++) {
        double truth[NPOL], got[NPOL], bound[NPOL];
        double kx = K[ik] * cos(THETA[it]) - Q[iq] / 2, ky = K[ik] * sin(THETA[it]);
        CGCT_TRY(exact_gbw(Q[iq], hypot(kx, ky), eps, Qs2, truth, err));
        CGCT_TRY(pipeline_point(p, iq, K[ik], THETA[it], got, bound, err));
        for (size_t pol = 0; pol < NPOL; pol++) {
            const double *mode = I + (pol * nm * NQ + iq) * NK + ik;
            double sum = validation_sum(mode, NQ * NK, (int)nm - 1, THETA[it]);
            c->paper[pol] = fmax(c->paper[pol], fabs(sum / truth[pol] - 1));
            c->ours[pol] = fmax(c->ours[pol], fabs(got[pol] / truth[pol] - 1));
        }
    }
    return CGCT_OK;
}

static cgct_status cells(const validation *v, const validation_table *t, double Qs2,
                         const double *I, const pipeline *p, FILE *f, cgct_err *err)
{
    double eps = t->t.eps;
    for (size_t iq = 0; iq < NQ; iq++) {
        cell c[NK];
        for (size_t ik = 0; ik < NK; ik++) {
            CGCT_TRY(one_cell(eps, Qs2, iq, ik, I, t->t.nm, p, &c[ik], err));
            fprintf(f, "%g %g %g %.2e %.2e %.2e %.2e\n", eps, Q[iq], K[ik], c[ik].paper[POL_T],
                    c[ik].paper[POL_L], c[ik].ours[POL_T], c[ik].ours[POL_L]);
        }
        fputs("\n\n", f);
        for (size_t ik = 0; ik < NK; ik++)
            validation_say(v, "   | %g | %g | %g | %.1e | %.1e | %.1e | %.1e |", eps, Q[iq], K[ik],
                           c[ik].paper[POL_T], c[ik].paper[POL_L], c[ik].ours[POL_T],
                           c[ik].ours[POL_L]);
    }
    return CGCT_OK;
}

static cgct_status one_eps(const validation *v, const dipole_source *s, int i, FILE *f,
                           cgct_err *err)
{
    char settings[512];
    double eps = grids[i].eps, Qs2, *I = NULL;
    validation_table t;
    pipeline *p = NULL;
    dipole *d = NULL;
    snprintf(settings, sizeof settings, "%s inner.r_n=%d %s %s", PAPER, v->is_long ? 2048 : 256,
             v->is_long ? grids[i].delta_long : grids[i].delta, grids[i].inner);
    CGCT_TRY(validation_table_init(&t, s, X, eps, Q[NQ - 1], K[NK - 1], settings, err));
    validation_say(v, "   direct builder: %zu x %zu nodes in %.0f s", t.t.nd, t.t.nr, t.seconds);
    cgct_status st = dipole_init(&d, s, X, err);
    if (st == CGCT_OK) st = inner_errors(v, &t.g, d, err);
    if (st == CGCT_OK) st = validation_transform(&t, NQ, Q, NK, K, &I, err);
    if (st == CGCT_OK) st = validation_reference(&p, s, X, eps, NQ, Q, K[NK - 1], 1e-6, err);
    if (st == CGCT_OK) {
        Qs2 = dipole_Qs2(d);
        validation_say(v, "   | eps | q | k1 | paper T | paper L | ours T | ours L |");
        st = cells(v, &t, Qs2, I, p, f, err);
    }
    free(I);
    pipeline_free(p);
    dipole_free(d);
    validation_table_free(&t);
    return st;
}

cgct_status validate_exact(const validation *v, cgct_err *err)
{
    static const char name[] = "f_errors.dat";
    const dipole_opts gbw = {.kind = DIPOLE_GBW};
    dipole_source *s;
    FILE *f;
    int shown = 0;
    if (!v->is_long)
        validation_say(
            v, "   reduced: 256 nodes in b (the paper: 2048), Delta to 30/eps, no eps = 0.1");
    CGCT_TRY(validation_open(v, name, &f, err));
    fputs("# eps q k1  relative errors: paper T L, ours T L (largest of four angles)\n", f);
    cgct_status st = dipole_source_open(&s, &gbw, err);
    for (int i = 0; i < NEPS && st == CGCT_OK; i++)
        if (v->is_long || grids[i].delta) {
            st = one_eps(v, s, i, f, err);
            shown++;
        }
    dipole_source_close(s);
    cgct_status closed = validation_close(v, name, f, st == CGCT_OK ? err : NULL);
    if (st != CGCT_OK || closed != CGCT_OK) return st != CGCT_OK ? st : closed;
    char script[1024];
    snprintf(
        script, sizeof script,
        "n = %d\neps = '%s'\nmomenta = '0.5 1 2 3'\n"
        "set multiplot layout 2,n title 'GBW, relative error of I, largest of four angles'\n"
        "set logscale xy\nset format y '10^{%%T}'\nset xrange [0.9:13]\n"
        "set xlabel 'k_1 (GeV)'\nset ylabel '|I/I(exact) - 1|'\n"
        "do for [c=0:1] { do for [e=0:n-1] {\n"
        "  set title (c ? 'L' : 'T').', eps = '.word(eps, e+1).' GeV'\n"
        "  plot for [i=0:3] 'f_errors.dat' index 4*e+i using 3:(column(4+c)) \\\n"
        "       with linespoints pt 6 lc i+1 title 'paper, q = '.word(momenta, i+1), \\\n"
        "     for [i=0:3] 'f_errors.dat' index 4*e+i using 3:(column(6+c)) \\\n"
        "       with linespoints pt 7 dt 2 lc i+1 title 'ours, q = '.word(momenta, i+1)\n} }\n",
        shown, v->is_long ? "0.1 1 4 10" : "1 4 10");
    return validation_plot(v, "f_errors", 1500, 1000, script, err);
}
