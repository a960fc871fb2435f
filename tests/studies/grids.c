/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of grids: b. convergence of the Filon rule with the grid in b, c. maps of the inner
 * table, f. the errors of the paper's discretisation and of this program for GBW, where the exact
 * value is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dipole/exact_gbw.h"
#include "inner/direct.h"
#include "inner/separable.h"
#include "oracle/graded.h"
#include "study.h"

/* ---- b. convergence of the Filon rule, [P: fig. filonconv] ----
 *
 * At k1 = 5 GeV, on thinned grids, against the full grid and against the true modes. */

enum { NQ = STUDY_NQ, FILON_MODES = 3, TRUTH_ANGLES = 512, THINNINGS = 12, FULL = THINNINGS - 1 };
static const double FILON_EPS = 4, FILON_K1 = 5;
static const size_t filon_mode[FILON_MODES] = {0, 5, 10};

/* I_m, T, at each q for m of filon_mode */
typedef struct {
    double I[NQ][FILON_MODES];
} filon_modes;

/* Whether a thinned grid has node i of n: 0..3 keep every 16th to every 2nd node, 4..10 leave out
 * every 4th to every 256th. */
static int thinning_keeps(int thinning, size_t i, size_t n)
{
    enum { KEEPING = 4 };
    if (i == 0 || i == n - 1 || thinning == FULL) return 1;
    if (thinning < KEEPING) return i % ((size_t)16 >> thinning) == 0;
    return i % ((size_t)4 << (thinning - KEEPING)) != 0;
}

/* The table on fewer nodes R; shares Delta and m with t.  Free out->r and out->g. */
static cgct_status thin_table(const inner_table *t, int thinning, inner_table *out, cgct_err *err)
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
        if (thinning_keeps(thinning, i, t->nr)) out->r[out->nr++] = t->r[i];
    double *to = out->g;
    for (size_t row = 0; row < NPOL * t->nm * t->nd; row++)
        for (size_t i = 0; i < t->nr; i++)
            if (thinning_keeps(thinning, i, t->nr)) *to++ = t->g[row * t->nr + i];
    return CGCT_OK;
}

/* Modes by projection of I on 513 angles; I is exact for gbw (p NULL), else that of production. */
static cgct_status project_true_modes(const study *v, const node_tables *p, double Qs2,
                                      filon_modes *truth, cgct_err *err)
{
    *truth = (filon_modes){{{0}}};
    for (size_t iq = 0; iq < NQ; iq++)
        for (int j = 0; j <= TRUTH_ANGLES; j++) {
            double I[NPOL], bound[NPOL], theta = M_PI * j / TRUTH_ANGLES;
            double w = (j == 0 || j == TRUTH_ANGLES ? 0.5 : 1) / (2 * M_PI * TRUTH_ANGLES);
            double K = hypot(FILON_K1 * cos(theta) - v->q[iq] / 2, FILON_K1 * sin(theta));
            if (p)
                CGCT_TRY(node_point(p, iq, FILON_K1, theta, I, bound, err));
            else
                CGCT_TRY(exact_gbw(v->q[iq], K, FILON_EPS, Qs2, I, err));
            for (size_t i = 0; i < FILON_MODES; i++) {
                size_t m = filon_mode[i];
                truth->I[iq][i] += w * (m & 1 ? -1 : 1) * cos((double)m * theta) * I[POL_T];
            }
        }
    return CGCT_OK;
}

static cgct_status find_true_modes(const study *v, const study_node *node, filon_modes *truth,
                                   cgct_err *err)
{
    dipole *d;
    node_tables *p = NULL;
    CGCT_TRY(dipole_init(&d, v->source, v->x, err));
    double Qs2 = d->Qs2;
    int is_gbw = d->kind == DIPOLE_GBW;
    dipole_free(d);
    if (!is_gbw) CGCT_TRY(study_production(&p, node, 1e-8, NULL, err));
    cgct_status st = project_true_modes(v, p, Qs2, truth, err);
    node_tables_free(p);
    return st;
}

/* Modes on a thinned grid of *nodes nodes with polynomials of that degree. */
static cgct_status find_thinned_modes(study_table *t, int thinning, int degree, filon_modes *modes,
                                      size_t *nodes, cgct_err *err)
{
    inner_table full = t->inner;
    CGCT_TRY(thin_table(&full, thinning, &t->inner, err));
    t->card.run.node.inner.hankel.degree = degree;
    cgct_status st = study_modes(t, 1, &FILON_K1, err);
    *nodes = t->inner.nr;
    for (size_t iq = 0; iq < NQ && st == CGCT_OK; iq++)
        for (int i = 0; i < FILON_MODES; i++)
            modes->I[iq][i] = study_mode(t, POL_T, filon_mode[i], iq, 0);
    free(t->inner.r);
    free(t->inner.g);
    t->inner = full;
    return st;
}

/* One data set for each q and mode: all thinnings. */
static cgct_status write_convergence(const study *v, study_table *t, int degree,
                                     const filon_modes *truth, FILE *f, cgct_err *err)
{
    filon_modes all[THINNINGS];
    size_t nodes[THINNINGS];
    for (int k = 0; k < THINNINGS; k++)
        CGCT_TRY(find_thinned_modes(t, k, degree, &all[k], &nodes[k], err));
    for (size_t iq = 0; iq < NQ; iq++)
        for (int i = 0; i < FILON_MODES; i++) {
            double full = all[FULL].I[iq][i], exact = truth->I[iq][i];
            for (int k = 0; k < THINNINGS; k++)
                fprintf(f, "%g %zu %d %zu %.3e %.3e %.10e\n", v->q[iq], filon_mode[i], degree,
                        nodes[k], fabs(all[k].I[iq][i] / full - 1),
                        fabs(all[k].I[iq][i] / exact - 1), exact);
            fputs("\n\n", f);
            study_say(v, "   q = %g GeV, m = %2zu, degree %d, %zu nodes: error of I_m %.1e",
                      v->q[iq], filon_mode[i], degree, nodes[FULL], fabs(full / exact - 1));
        }
    return CGCT_OK;
}

static cgct_status study_convergence(const study *v, study_table *t, cgct_err *err)
{
    static const char name[] = "b_filon.dat";
    char variables[128];
    filon_modes truth;
    cgct_textfile to;
    CGCT_TRY(picture_open(v->dir, name,
                          "# q m degree nodes |I_m/full - 1| |I_m/true - 1| true(I_m)", &to, err));
    cgct_status st = find_true_modes(v, t->node, &truth, err);
    for (int degree = 4; degree <= 6 && st == CGCT_OK; degree += 2)
        st = write_convergence(v, t, degree, &truth, to.f, err);
    CGCT_TRY(picture_close(&to, st, err));
    snprintf(variables, sizeof variables, "q = '%g %g %g'\n", v->q[0], v->q[1], v->q[2]);
    return study_draw(v, "b_filon", variables, text_b_filon_gp, err);
}

/* ---- c. maps of the same inner table, [P: figs. innertable] ---- */

/* Rows (Delta) R G_0^T G_0^L G_1^T G_1^L, thinned to what a picture shows. */
static cgct_status study_maps(const study *v, const inner_table *t, cgct_err *err)
{
    enum { MAP_ROWS = 160 };
    static const char name[] = "c_maps.dat";
    cgct_textfile to;
    size_t id_step = t->nd / MAP_ROWS + 1, ir_step = t->nr / MAP_ROWS + 1, mode = t->nd * t->nr;
    CGCT_TRY(picture_open(v->dir, name, "# Delta R  G_0: T L  G_1: T L (GeV^-2)", &to, err));
    for (size_t id = 0; id < t->nd; id += id_step) {
        for (size_t ir = 0; ir < t->nr; ir += ir_step) {
            const double *G = t->g + id * t->nr + ir;
            fprintf(to.f, "%.6g %.6g %.8e %.8e %.8e %.8e\n", t->delta[id], t->r[ir], G[0],
                    G[t->nm * mode], G[mode], G[(t->nm + 1) * mode]);
        }
        fputc('\n', to.f);
    }
    CGCT_TRY(picture_close(&to, CGCT_OK, err));
    return study_draw(v, "c_maps", "", text_c_maps_gp, err);
}

cgct_status study_filon_rule(const study *v, cgct_err *err)
{
    const study_node node = {v->source, v->x, FILON_EPS, NQ, v->q, FILON_K1};
    char settings[256];
    study_table t;
    int nodes = v->is_long ? 2048 : 1024;
    snprintf(settings, sizeof settings,
             "inner.lam=0 inner.modes=%d inner.r_grid=uniform inner.r_n=%d inner.r_max=40 "
             "hankel.tail_terms=0",
             v->is_long ? 31 : 15, nodes);
    study_say(v, "   b uniform, %d nodes to 40/GeV%s", nodes,
              v->is_long ? "" : " (the paper has 2048)");
    CGCT_TRY(study_table_init(&t, &node, settings, err));
    cgct_status st = study_convergence(v, &t, err);
    if (st == CGCT_OK) st = study_maps(v, &t.inner, err);
    study_table_free(&t);
    return st;
}

/* ---- f. errors for GBW, METHOD.md 8 ---- */

enum { GBW_EPS = 4, GBW_NQ = 4, GBW_NK = 4, GBW_ANGLES = 4, PICKED = 8, PICKED_MODES = 4 };
static const double GBW_X = 0.01;
static const double gbw_q[GBW_NQ] = {0.5, 1, 2, 3}, gbw_k[GBW_NK] = {1, 2, 5, 12};
static const double gbw_theta[GBW_ANGLES] = {0, 0.7, 1.5, 2.9};

/* The paper's grids; below eps = 1 GeV quadratic in Delta and wider.  Without --long they end where
 * exp(-eps Delta) and S are below 1e-13, with the same spacing; b has an eighth of the nodes. */
typedef struct {
    double eps;
    const char *delta_long, *delta, *inner; /* delta NULL: with --long only */
} paper_grid;

static const paper_grid paper_grids[GBW_EPS] = {
    {0.1, "inner.delta_grid=quadratic inner.delta_n=535 inner.delta_max=107", NULL,
     "inner.s_max=100 inner.gauss_n=384"},
    {1, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=160 inner.delta_max=11.9849", "inner.s_max=60"},
    {4, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=100 inner.delta_max=7.4623", "inner.s_max=60"},
    {10, "inner.delta_grid=uniform inner.delta_n=200 inner.delta_max=15",
     "inner.delta_grid=uniform inner.delta_n=40 inner.delta_max=2.9397", "inner.s_max=60"}};
#define PAPER_SETTINGS                                                                             \
    "inner.backend=direct inner.lam=0 inner.modes=31 inner.phi_n=64 inner.r_grid=uniform "         \
    "inner.r_max=40 hankel.degree=4 hankel.tail_terms=0"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and largest of the differences at each (Delta,R), each that of the worst mode over the
 * largest mode. */
static void table_errors(const inner_table *t, const inner_table *truth, int pol, double *median,
                         double *largest)
{
    double e[PICKED * PICKED] = {0};
    size_t n = t->nd * t->nr;
    for (size_t i = 0; i < n; i++) {
        double top = 0, worst = 0;
        for (size_t im = 0; im < t->nm; im++) {
            size_t at = ((size_t)pol * t->nm + im) * n + i;
            top = fmax(top, fabs(truth->g[at]));
            worst = fmax(worst, fabs(t->g[at] - truth->g[at]));
        }
        e[i] = worst / top;
    }
    qsort(e, n, sizeof *e, ascending);
    *largest = e[n - 1];
    *median = e[n / 2];
}

typedef cgct_status table_builder(inner_table *t, const inner_opts *o, const dipole *d,
                                  cgct_err *err);

static cgct_status report_builder(const study *v, const char *name, table_builder *build,
                                  const inner_opts *o, const dipole *d, cgct_err *err)
{
    inner_table t, truth;
    CGCT_TRY(inner_graded(&truth, o, d, err));
    cgct_status st = build(&t, o, d, err);
    for (int pol = 0; pol < NPOL && st == CGCT_OK; pol++) {
        double largest, median;
        table_errors(&t, &truth, pol, &median, &largest);
        study_say(v, "   G_m, eps = %g GeV, %c, %s: median %.1e, largest %.1e", o->eps,
                  polarisation_name[pol], name, median, largest);
    }
    if (st == CGCT_OK) inner_table_free(&t);
    inner_table_free(&truth);
    return st;
}

/* On PICKED x PICKED nodes of the paper's grids, Delta up to 6/eps. */
static cgct_status report_inner_errors(const study *v, const inner_opts *grids, const dipole *d,
                                       cgct_err *err)
{
    static const int m[PICKED_MODES] = {0, 1, 2, 3}, even[PICKED_MODES] = {0, 2, 4, 6};
    double delta[PICKED], r[PICKED];
    inner_opts o = *grids;
    size_t far = 0;
    while (far + 1 < o.nd && o.delta[far] < 6 / o.eps) far++;
    for (size_t i = 0; i < PICKED; i++) {
        delta[i] = o.delta[1 + i * (far > PICKED ? (far - 1) / PICKED : 1)];
        r[i] = o.r[((o.nr - 1) >> (PICKED - i)) + i + 1];
    }
    o.delta = delta;
    o.r = r;
    o.nd = o.nr = PICKED;
    o.m = m;
    o.nm = PICKED_MODES;
    CGCT_TRY(report_builder(v, "the paper's discretisation", inner_direct, &o, d, err));
    o.lam = 0.5;
    o.m = even;
    return report_builder(v, "separable", inner_separable, &o, d, err);
}

typedef struct {
    const study *v;
    const study_table *t; /* the paper's discretisation */
    const node_tables *production;
    double Qs2;
    FILE *f;
} gbw_study;

/* Largest relative errors over the angles, of the sum of modes and of the production route. */
typedef struct {
    double paper[NPOL], ours[NPOL];
} gbw_errors;

static cgct_status find_gbw_errors(const gbw_study *s, size_t iq, size_t ik, gbw_errors *e,
                                   cgct_err *err)
{
    *e = (gbw_errors){{0, 0}, {0, 0}};
    for (int it = 0; it < GBW_ANGLES; it++) {
        double truth[NPOL], got[NPOL], bound[NPOL], theta = gbw_theta[it];
        double kx = gbw_k[ik] * cos(theta) - gbw_q[iq] / 2, ky = gbw_k[ik] * sin(theta);
        CGCT_TRY(exact_gbw(gbw_q[iq], hypot(kx, ky), s->t->node->eps, s->Qs2, truth, err));
        CGCT_TRY(node_point(s->production, iq, gbw_k[ik], theta, got, bound, err));
        for (size_t pol = 0; pol < NPOL; pol++) {
            double sum = study_sum(s->t, pol, iq, ik, (int)s->t->inner.nm - 1, theta);
            e->paper[pol] = fmax(e->paper[pol], fabs(sum / truth[pol] - 1));
            e->ours[pol] = fmax(e->ours[pol], fabs(got[pol] / truth[pol] - 1));
        }
    }
    return CGCT_OK;
}

static cgct_status write_gbw_errors(const gbw_study *s, cgct_err *err)
{
    double eps = s->t->node->eps;
    study_say(s->v, "   | eps | q | k1 | paper T | paper L | ours T | ours L |");
    for (size_t iq = 0; iq < GBW_NQ; iq++) {
        for (size_t ik = 0; ik < GBW_NK; ik++) {
            gbw_errors e;
            CGCT_TRY(find_gbw_errors(s, iq, ik, &e, err));
            fprintf(s->f, "%g %g %g %.2e %.2e %.2e %.2e\n", eps, gbw_q[iq], gbw_k[ik],
                    e.paper[POL_T], e.paper[POL_L], e.ours[POL_T], e.ours[POL_L]);
            study_say(s->v, "   | %g | %g | %g | %.1e | %.1e | %.1e | %.1e |", eps, gbw_q[iq],
                      gbw_k[ik], e.paper[POL_T], e.paper[POL_L], e.ours[POL_T], e.ours[POL_L]);
        }
        fputs("\n\n", s->f);
    }
    return CGCT_OK;
}

static cgct_status study_gbw_eps(const study *v, const dipole_source *source, const paper_grid *g,
                                 FILE *f, cgct_err *err)
{
    const study_node node = {source, GBW_X, g->eps, GBW_NQ, gbw_q, gbw_k[GBW_NK - 1]};
    char settings[512];
    study_table t;
    node_tables *p = NULL;
    dipole *d = NULL;
    snprintf(settings, sizeof settings, "%s inner.r_n=%d %s %s", PAPER_SETTINGS,
             v->is_long ? 2048 : 256, v->is_long ? g->delta_long : g->delta, g->inner);
    CGCT_TRY(study_table_init(&t, &node, settings, err));
    study_say(v, "   direct builder: %zu x %zu nodes in %.0f s", t.inner.nd, t.inner.nr, t.seconds);
    cgct_status st = dipole_init(&d, source, GBW_X, err);
    if (st == CGCT_OK) st = report_inner_errors(v, &t.grids.inner, d, err);
    if (st == CGCT_OK) st = study_modes(&t, GBW_NK, gbw_k, err);
    if (st == CGCT_OK) st = study_production(&p, &node, 1e-6, NULL, err);
    if (st == CGCT_OK) {
        const gbw_study s = {v, &t, p, d->Qs2, f};
        st = write_gbw_errors(&s, err);
    }
    node_tables_free(p);
    dipole_free(d);
    study_table_free(&t);
    return st;
}

cgct_status study_exact_errors(const study *v, cgct_err *err)
{
    static const char name[] = "f_errors.dat";
    const dipole_opts gbw = {.kind = DIPOLE_GBW};
    dipole_source *s;
    cgct_textfile to;
    if (!v->is_long)
        study_say(v, "   reduced: 256 nodes in b (the paper: 2048), Delta to 30/eps, no eps = 0.1");
    CGCT_TRY(picture_open(
        v->dir, name, "# eps q k1  relative errors: paper T L, ours T L (largest of four angles)",
        &to, err));
    cgct_status st = dipole_source_open(&s, &gbw, err);
    for (int i = 0; i < GBW_EPS && st == CGCT_OK; i++)
        if (v->is_long || paper_grids[i].delta)
            st = study_gbw_eps(v, s, &paper_grids[i], to.f, err);
    dipole_source_close(s);
    CGCT_TRY(picture_close(&to, st, err));
    return study_draw(v, "f_errors", v->is_long ? "eps = '0.1 1 4 10'\n" : "eps = '1 4 10'\n",
                      text_f_errors_gp, err);
}
