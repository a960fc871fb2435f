/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The separable builder against the five-dimensional definition, the sum rule, the symmetry of GBW,
 * and itself with other numbers of threads. */
#include <omp.h>

#include "inner/grids.h"
#include "inner/separable.h"
#include "check_rel.h"
#include "chain.h"
#include "inner_direct.h"
#include "run_suite.h"

#define TOL_SUM_RULE 1e-8
#define TOL_DIRECT 1e-9 /* of the largest |g| of one table */
#define TOL_MODES 1e-12 /* of the largest |G_0| */

/* Grids of a task that asks for momenta up to a few GeV. */
static void make_grids(inner_grids *g, config *card, const dipole *d, double eps,
                       const char *settings)
{
    cgct_err err = {""};
    chain_card(card, settings);
    inner_grids_task task = {&card->run.node.inner, d, eps, 3, 6, 1};
    ck_assert_msg(inner_grids_init(g, &task, &err) == CGCT_OK, "%s", err.text);
    g->inner.single = 0; /* the definition is of g itself */
}

/* Keep the nodes of x[n] nearest to want[nwant], which rise. */
static size_t thin_nodes(double *x, size_t n, const double *want, size_t nwant)
{
    size_t j = 0;
    for (size_t i = 0; i < nwant; i++) {
        while (j + 1 < n && fabs(x[j + 1] - want[i]) < fabs(x[j] - want[i])) j++;
        x[i] = x[j]; /* i <= j */
        j++;
    }
    return nwant;
}

/* The grids at nodes near delta[nd] and r[nr] only, with all orders at each Delta. */
static void thin(inner_grids *g, size_t nd, const double *delta, size_t nr, const double *r)
{
    g->inner.nd = thin_nodes(g->delta, g->inner.nd, delta, nd);
    g->inner.nr = thin_nodes(g->r, g->inner.nr, r, nr);
    g->inner.nm_delta = NULL;
}

static void build(inner_table *t, const inner_grids *g, const dipole *d)
{
    cgct_err err = {""};
    ck_assert_msg(inner_separable(t, &g->inner, d, &err) == CGCT_OK, "%s", err.text);
}

/* g(Delta,R,gamma) = (G_0 + 2 sum_m cos(m gamma) G_m)/(2 pi) */
static double resum(const inner_table *t, int pol, size_t id, size_t ir, double gamma)
{
    double s = 0;
    for (size_t im = 0; im < t->nm; im++) {
        double G = t->g[(((size_t)pol * t->nm + im) * t->nd + id) * t->nr + ir];
        s += (im ? 2 : 1) * cos(t->m[im] * gamma) * G;
    }
    return s / (2 * M_PI);
}

/* ---- sum rule ---- */

static const struct {
    const char *name;
    double x;
} sums[] = {{"gbw", 0.01},
            {"mv", 0.01},
            {"mve", 0.01},
            {"mvgamma", 0.01},
            {"rcbk_proton_mv.dat", 0.01},
            {"rcbk_proton_mve.dat", 0.01},
            {"rcbk_proton_mve.dat", 1e-3},
            {"rcbk_proton_mvgamma.dat", 1e-4},
            {"gbw_nlodis_testgrid.dat", 1e-3},
            {"nlobk_pd_map.dat", 1e-3}};

START_TEST(sum_rule)
{
    const double eps[] = {0.1, 1, 10}, few[] = {0, 5};
    dipole *d = chain_dipole(sums[_i].name, sums[_i].x);
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int half = 0; half < 2; half++) {
            inner_grids g;
            inner_table t;
            config card;
            double want[NPOL];
            char settings[64];
            snprintf(settings, sizeof settings, "inner.lam=%g accuracy.tolerance=%s", 0.5 * half,
                     strstr(sums[_i].name, ".dat") ? "1e-7" : "1e-6"); /* tables are not smooth */
            make_grids(&g, &card, d, eps[i], settings);
            thin(&g, 2, few, 2, few);
            build(&t, &g, d);
            inner_sum_rule(d, eps[i], want);
            for (int pol = 0; pol < NPOL; pol++) {
                double rel = fabs(t.origin[pol] / want[pol] - 1);
                printf("%s x=%g eps = %g lam = %g %c: %.1e\n", sums[_i].name, sums[_i].x, eps[i],
                       half ? 0.5 : 0, "TL"[pol], rel);
                worst = larger_error(worst, rel);
            }
            inner_table_free(&t);
            inner_grids_free(&g);
            config_free(&card);
        }
    ck_assert_msg(worst <= TOL_SUM_RULE, "%s: %g", sums[_i].name, worst);
    dipole_free(d);
}
END_TEST

/* ---- the definition ---- */

static const double eps_direct[] = {0.3, 1, 4}, lam_direct[] = {0, 0.3, 0.5};
static const char *const name_direct[] = {"gbw", "mv"};
enum { DIRECT_CASES = 2 * 3 * 3, NDELTA = 3, NRADIUS = 5, NGAMMA = 4, NPOINT = 60 };

typedef struct {
    double Delta, R, gamma, got[NPOL], want[NPOL];
} direct_point;

static void direct_values(direct_point *p, const dipole *d, double eps, double lam)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < NPOINT; i++)
        inner_direct(d, eps, lam, p[i].Delta, p[i].R, p[i].gamma, p[i].want);
}

static void table_values(direct_point *p, const inner_table *t)
{
    const double gamma[NGAMMA] = {0, 0.9, 2.2, M_PI};
    for (size_t id = 0; id < NDELTA; id++)
        for (size_t ir = 0; ir < NRADIUS; ir++)
            for (size_t ig = 0; ig < NGAMMA; ig++, p++) {
                *p = (direct_point){t->delta[id], t->r[ir], gamma[ig], {0, 0}, {0, 0}};
                for (int pol = 0; pol < NPOL; pol++) p->got[pol] = resum(t, pol, id, ir, gamma[ig]);
            }
}

START_TEST(definition)
{
    const double delta[NDELTA] = {0, 0.4, 2.8}, radius[NRADIUS] = {0, 0.1, 0.5, 4, 12};
    const char *name = name_direct[_i % 2];
    double eps = eps_direct[_i / 2 % 3], lam = lam_direct[_i / 6];
    /* make check: of each dipole every eps and every lam once */
    if (!chain_long() && (_i / 2 + _i / 6 + _i % 2) % 3 != 0) return;
    char settings[128];
    direct_point p[NPOINT];
    inner_grids g;
    inner_table t;
    config card;
    dipole *d = chain_dipole(name, 0.01);
    /* L of mv bends at s = R like |s-R|^3: its interpolation needs finer grids than GBW's */
    snprintf(settings, sizeof settings, "inner.lam=%g inner.modes=64 accuracy.tolerance=%s", lam,
             _i % 2 ? "1e-10" : "1e-6");
    make_grids(&g, &card, d, eps, settings);
    thin(&g, NDELTA, delta, NRADIUS, radius);
    build(&t, &g, d);
    table_values(p, &t);
    direct_values(p, d, eps, lam);
    for (int pol = 0; pol < NPOL; pol++) {
        double top = 0, worst = 0;
        int at = 0;
        for (int i = 0; i < NPOINT; i++) top = fmax(top, fabs(p[i].want[pol]));
        for (int i = 0; i < NPOINT; i++) {
            double e = fabs(p[i].got[pol] - p[i].want[pol]) / top;
            if (!(e <= worst)) worst = larger_error(worst, e), at = i;
        }
        printf("%s eps = %g lam = %g %c: %.1e of %.3g at Delta = %.3g R = %.3g gamma = %.2g\n",
               name, eps, lam, "TL"[pol], worst, top, p[at].Delta, p[at].R, p[at].gamma);
        ck_assert_msg(worst <= TOL_DIRECT, "%s eps = %g lam = %g %c: %g of the largest > %g", name,
                      eps, lam, "TL"[pol], worst, TOL_DIRECT);
    }
    inner_table_free(&t);
    inner_grids_free(&g);
    config_free(&card);
    dipole_free(d);
}
END_TEST

/* ---- GBW depends on Delta and R only, in the midpoint frame ---- */

START_TEST(gbw_isotropic)
{
    const double eps[] = {0.1, 1, 10}, delta[] = {0, 0.05, 0.3, 1, 2.5, 6},
                 radius[] = {0, 0.05, 0.15, 0.5, 1.2, 3, 8, 20, 60};
    inner_grids g;
    inner_table t;
    config card;
    dipole *d = chain_dipole("gbw", 0.01);
    make_grids(&g, &card, d, eps[_i], "inner.modes=16");
    thin(&g, 6, delta, 9, radius);
    build(&t, &g, d);
    size_t block = t.nd * t.nr;
    for (size_t pol = 0; pol < NPOL; pol++) {
        const double *G = t.g + pol * t.nm * block;
        double top = 0, worst = 0;
        for (size_t i = 0; i < block; i++) top = fmax(top, fabs(G[i]));
        for (size_t i = block; i < t.nm * block; i++) {
            double e = fabs(G[i]) / top;
            worst = larger_error(worst, e);
        }
        printf("gbw eps = %g %c: modes >= 2 up to %.1e of G_0\n", eps[_i], "TL"[pol], worst);
        ck_assert_msg(worst <= TOL_MODES, "%g > %g", worst, TOL_MODES);
    }
    inner_table_free(&t);
    inner_grids_free(&g);
    config_free(&card);
    dipole_free(d);
}
END_TEST

/* ---- any number of threads, bit for bit ---- */

START_TEST(deterministic)
{
    const double delta[] = {0, 0.03, 0.1, 0.3, 0.6, 1, 1.5, 2.5, 4, 7},
                 radius[] = {0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2, 3, 5, 8, 15, 40};
    inner_grids g;
    inner_table t[3];
    config card;
    dipole *d = chain_dipole("mve", 0.01);
    make_grids(&g, &card, d, 1, _i ? "inner.lam=0 inner.modes=12" : "inner.modes=40");
    thin(&g, 10, delta, 14, radius);
    for (int i = 0; i < 3; i++) {
        omp_set_num_threads(i + 1);
        build(&t[i], &g, d);
    }
    size_t n = NPOL * t[0].nm * t[0].nd * t[0].nr;
    for (int i = 1; i < 3; i++) {
        ck_assert_msg(!memcmp(t[0].g, t[i].g, n * sizeof *t[0].g), "1 and %d threads differ",
                      i + 1);
        ck_assert(!memcmp(t[0].origin, t[i].origin, sizeof t[0].origin));
    }
    for (size_t i = 0; i < n; i++) ck_assert_msg(isfinite(t[0].g[i]), "entry %zu", i);
    for (int i = 0; i < 3; i++) inner_table_free(&t[i]);
    inner_table_free(&t[0]);
    inner_grids_free(&g);
    config_free(&card);
    dipole_free(d);
}
END_TEST

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process */
    Suite *s = suite_create("inner_table");
    TCase *t = tcase_create("inner_table");
    tcase_add_loop_test(t, sum_rule, 0, (int)(sizeof sums / sizeof *sums));
    tcase_add_loop_test(t, definition, 0, DIRECT_CASES);
    tcase_add_loop_test(t, gbw_isotropic, 0, 3);
    tcase_add_loop_test(t, deterministic, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
