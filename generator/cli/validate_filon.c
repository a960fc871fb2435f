/* SPDX-License-Identifier: GPL-3.0-or-later */
/* b. Convergence of the Filon rule with the R grid at k1 = 5 GeV, [P: fig. filonconv], against the
 * full grid and against the true modes; c. maps of the same inner table, [P: figs. innertable]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/validate.h"
#include "dipole/exact_gbw.h"

enum { NQ = VALIDATION_NQ, NORDER = 3, NANGLE = 512, COARSE = 4, THINNINGS = 12, MAP_ROWS = 160 };
static const double EPS = 4, K1 = 5;
static const int ORDER[NORDER] = {0, 5, 10};

/* Node i of n stays: 0..3 keep every 16th to every 2nd, 4..10 remove every 4th to every 256th. */
static int keeps(int thinning, size_t i, size_t n)
{
    if (i == 0 || i == n - 1 || thinning == THINNINGS - 1) return 1;
    if (thinning < COARSE) return i % ((size_t)16 >> thinning) == 0;
    return i % ((size_t)4 << (thinning - COARSE)) != 0;
}

/* The table on fewer nodes R; shares Delta and m with t. */
static cgct_status thin(const inner_table *t, int thinning, inner_table *out, cgct_err *err)
{
    *out = *t;
    out->r = malloc(t->nr * sizeof *out->r);
    out->g = malloc(NPOL * t->nm * t->nd * t->nr * sizeof *out->g);
    if (!out->r || !out->g) {
        free(out->r);
        free(out->g);
        return cgct_fail(err, CGCT_E_NOMEM, "no memory for a thinned table");
    }
    out->nr = 0;
    for (size_t i = 0; i < t->nr; i++)
        if (keeps(thinning, i, t->nr)) out->r[out->nr++] = t->r[i];
    double *to = out->g;
    for (size_t row = 0; row < NPOL * t->nm * t->nd; row++)
        for (size_t i = 0; i < t->nr; i++)
            if (keeps(thinning, i, t->nr)) *to++ = t->g[row * t->nr + i];
    return CGCT_OK;
}

/* I at one angle: the exact value for gbw, the production route else. */
static cgct_status value(const node_tables *p, double Qs2, size_t iq, double q, double theta,
                         double I[NPOL], cgct_err *err)
{
    double bound[NPOL], K = hypot(K1 * cos(theta) - q / 2, K1 * sin(theta));
    return p ? node_point(p, iq, K1, theta, I, bound, err) : exact_gbw(q, K, EPS, Qs2, I, err);
}

/* truth[iq][io]: I_m, T, by projection. */
static cgct_status project(const double *q, const node_tables *p, double Qs2,
                           double truth[NQ][NORDER], cgct_err *err)
{
    memset(truth, 0, sizeof(double[NQ][NORDER]));
    for (size_t iq = 0; iq < NQ; iq++)
        for (int j = 0; j <= NANGLE; j++) {
            double I[NPOL], theta = M_PI * j / NANGLE;
            double w = (j == 0 || j == NANGLE ? 0.5 : 1) / (2 * M_PI * NANGLE);
            CGCT_TRY(value(p, Qs2, iq, q[iq], theta, I, err));
            for (int io = 0; io < NORDER; io++)
                truth[iq][io] += w * (ORDER[io] & 1 ? -1 : 1) * cos(ORDER[io] * theta) * I[POL_T];
        }
    return CGCT_OK;
}

static cgct_status true_modes(const validation *v, double truth[NQ][NORDER], cgct_err *err)
{
    dipole *d;
    node_tables *p = NULL;
    CGCT_TRY(dipole_init(&d, v->source, v->x, err));
    double Qs2 = dipole_Qs2(d);
    int is_gbw = dipole_kind_of(d) == DIPOLE_GBW;
    dipole_free(d);
    if (!is_gbw) CGCT_TRY(validation_reference(&p, v->source, v->x, EPS, NQ, v->q, K1, 1e-8, err));
    cgct_status st = project(v->q, p, Qs2, truth, err);
    node_tables_free(p);
    return st;
}

/* modes[iq][io] of one thinning and degree. */
static cgct_status modes_of(const double *q, validation_table *t, int thinning, int degree,
                            double modes[NQ][NORDER], size_t *nodes, cgct_err *err)
{
    inner_table full = t->t;
    double *I = NULL;
    CGCT_TRY(thin(&full, thinning, &t->t, err));
    t->card.run.node.inner.hankel.degree = degree;
    cgct_status st = validation_transform(t, NQ, q, 1, &K1, &I, err);
    *nodes = t->t.nr;
    for (size_t iq = 0; iq < NQ && st == CGCT_OK; iq++)
        for (int io = 0; io < NORDER; io++)
            modes[iq][io] = I[(POL_T * full.nm + (size_t)ORDER[io]) * NQ + iq];
    free(I);
    free(t->t.r);
    free(t->t.g);
    t->t = full;
    return st;
}

static cgct_status convergence(const validation *v, validation_table *t, FILE *f, cgct_err *err)
{
    double truth[NQ][NORDER], full[NQ][NORDER], modes[NQ][NORDER];
    size_t nodes;
    CGCT_TRY(true_modes(v, truth, err));
    fputs("# q m degree nodes |I_m/full - 1| |I_m/true - 1| true(I_m)\n", f);
    for (int degree = 4; degree <= 6; degree += 2) {
        CGCT_TRY(modes_of(v->q, t, THINNINGS - 1, degree, full, &nodes, err));
        for (size_t iq = 0; iq < NQ; iq++)
            for (int io = 0; io < NORDER; io++) {
                for (int k = 0; k < THINNINGS; k++) {
                    CGCT_TRY(modes_of(v->q, t, k, degree, modes, &nodes, err));
                    fprintf(f, "%g %d %d %zu %.3e %.3e %.10e\n", v->q[iq], ORDER[io], degree, nodes,
                            fabs(modes[iq][io] / full[iq][io] - 1),
                            fabs(modes[iq][io] / truth[iq][io] - 1), truth[iq][io]);
                }
                fputs("\n\n", f);
                validation_say(v, "   q = %g GeV, m = %2d, degree %d, %zu nodes: error of I_m %.1e",
                               v->q[iq], ORDER[io], degree, nodes,
                               fabs(full[iq][io] / truth[iq][io] - 1));
            }
    }
    return CGCT_OK;
}

static cgct_status plot_convergence(const validation *v, cgct_err *err)
{
    return validation_plot(
        v, "b_filon", 1500, 900,
        "set multiplot layout 2,3 title 'Relative change and relative error of I_m on thinned "
        "grids in "
        "b: eps = 4 GeV, k_1 = 5 GeV, T'\n"
        "m = '0 5 10'\nset logscale xy\nset format y '10^{%T}'\nset xlabel "
        "'nodes in b'\nset xrange [50:2500]\nset ylabel '|I_m/I_m(reference) - 1|'\n"
        "do for [c=5:6] { do for [j=0:2] {\n"
        "  set title (c == 5 ? 'against the full grid' : 'against the true value').', q = '.\\\n"
        "      word(q, j+1).' GeV'\n"
        "  plot for [d=0:1] for [i=0:2] 'b_filon.dat' index 9*d+3*j+i using 4:(column(c)) \\\n"
        "       with linespoints pt (d ? 7 : 6) lc i+1 \\\n"
        "       title sprintf('m = %s, degree %d', word(m, i+1), d ? 6 : 4)\n} }\n",
        err);
}

/* Rows (Delta) R G_0^T G_0^L G_1^T G_1^L, thinned to what a picture shows. */
static cgct_status maps(const validation *v, const inner_table *t, cgct_err *err)
{
    static const char name[] = "c_maps.dat";
    FILE *f;
    size_t id_step = t->nd / MAP_ROWS + 1, ir_step = t->nr / MAP_ROWS + 1, plane = t->nd * t->nr;
    CGCT_TRY(validation_open(v, name, &f, err));
    fputs("# Delta R  G_0: T L  G_1: T L (GeV^-2)\n", f);
    for (size_t id = 0; id < t->nd; id += id_step) {
        for (size_t ir = 0; ir < t->nr; ir += ir_step) {
            const double *G = t->g + id * t->nr + ir;
            fprintf(f, "%.6g %.6g %.8e %.8e %.8e %.8e\n", t->delta[id], t->r[ir], G[0],
                    G[t->nm * plane], G[plane], G[(t->nm + 1) * plane]);
        }
        fputc('\n', f);
    }
    CGCT_TRY(validation_close(v, name, f, err));
    return validation_plot(
        v, "c_maps", 1400, 1000,
        "set multiplot layout 2,2 title 'inner table G_m(Delta,b), eps = 4 GeV'\n"
        "set pm3d map\nset xrange [0:40]\nset yrange [0:4]\nset xlabel 'b (1/GeV)'\n"
        "set ylabel 'Delta (1/GeV)'\nset palette defined (-1 'dark-blue', 0 'white', 1 "
        "'dark-red')\n"
        "s(g) = asinh(g/1e-6)/asinh(1e6)\nset cbrange [-1:1]\nset cbtics ('0' 0)\n"
        "do for [i=0:5:2] { set cbtics add (sprintf('10^{%d}', -i) s(10**-i), \\\n"
        "    sprintf('-10^{%d}', -i) s(-10**-i)) }\nset cblabel 'G_m (GeV^{-2})'\n"
        "do for [m=0:1] { do for [p=0:1] {\n"
        "  set title sprintf('m = %d, %s', m, p ? 'L' : 'T')\n"
        "  splot 'c_maps.dat' using 2:1:(s(column(3+2*m+p))) notitle\n} }\n",
        err);
}

cgct_status validate_filon(const validation *v, cgct_err *err)
{
    static const char name[] = "b_filon.dat";
    char settings[256];
    validation_table t;
    FILE *f;
    /* degree 8 in Delta would hide nothing: that grid is the same for all curves */
    snprintf(settings, sizeof settings,
             "inner.lam=0 inner.modes=%d inner.r_grid=uniform inner.r_n=%d inner.r_max=40 "
             "hankel.tail_terms=0",
             v->is_long ? 31 : 15, v->is_long ? 2048 : 1024);
    validation_say(v, "   b uniform, %s nodes to 40/GeV%s", v->is_long ? "2048" : "1024",
                   v->is_long ? "" : " (the paper has 2048)");
    CGCT_TRY(validation_table_init(&t, v->source, v->x, EPS, v->q[NQ - 1], K1, settings, err));
    cgct_status st = validation_open(v, name, &f, err);
    if (st == CGCT_OK) {
        st = convergence(v, &t, f, err);
        cgct_status closed = validation_close(v, name, f, st == CGCT_OK ? err : NULL);
        if (st == CGCT_OK) st = closed;
    }
    if (st == CGCT_OK) st = plot_convergence(v, err);
    if (st == CGCT_OK) st = maps(v, &t.t, err);
    validation_table_free(&t);
    return st;
}
