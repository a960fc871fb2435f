/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda_cases.h: what a device must reproduce, for the tests on an emulated one and for the check on
 * a real one: the builders on it beside those of the processor, as differences. */
#ifndef CUDA_CASES_H
#define CUDA_CASES_H
#include <math.h>

#include "cuda/builders.h"
#include "cuda/gpu_crew.h"
#include "node/hankel.h"
#include "inner/direct.h"
#include "inner/grids.h"
#include "inner/separable.h"
#include "chain.h"
#include "larger_error.h"

/* Of the largest entry of each polarisation. */
#define TOL_DIRECT 1e-12
#define TOL_SEPARABLE 1e-11
/* Of the largest mode at the same (Delta,R), both at most CUDA_SHORT: kinks next to the centres of
 * the wave functions, which are 1e-10 there, are not seen beside the largest entry. */
#define TOL_POINT 1e-12
#define CUDA_SHORT 3. /* 1/GeV */
/* Of the largest mode at each (q,P); with a fitted tail, of all (q,P). */
#define TOL_FUSED 1e-12

static inline dipole *cuda_dipole(const char *name)
{
    if (strncmp(name, "table", 5) != 0) return chain_dipole(name, 0.01);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = TESTS_DIR "/refs/dipole_table.dat"};
    if (name[5]) chain_variant(name + 6, &o);
    dipole_source *s = NULL;
    dipole *d = NULL;
    cgct_err err = {""};
    CHAIN_REQUIRE(dipole_source_open(&s, &o, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(dipole_init(&d, s, 1e-3, &err) == CGCT_OK, "%s\n", err.text);
    dipole_source_close(s);
    return d;
}

/* Largest difference of one polarisation, of its largest entry in b; NaN counts as infinite. */
static inline double cuda_apart(const inner_table *a, const inner_table *b, int pol)
{
    size_t n = a->nm * a->nd * a->nr;
    double most = 0, worst = 0;
    for (size_t i = (size_t)pol * n; i < ((size_t)pol + 1) * n; i++) {
        double e = fabs(a->g[i] - b->g[i]);
        worst = larger_error(worst, e);
        most = fmax(most, fabs(b->g[i]));
    }
    return worst / most;
}

/* The same of the whole, g(0,0) included. */
static inline double cuda_difference(const inner_table *a, const inner_table *b)
{
    double worst = 0;
    for (int pol = 0; pol < NPOL; pol++) {
        double e = larger_error(cuda_apart(a, b, pol), fabs(a->origin[pol] / b->origin[pol] - 1));
        worst = larger_error(worst, e);
    }
    return worst;
}

/* Largest difference of its modes at one point, of the largest of them. */
static inline double cuda_apart_at(const inner_table *a, const inner_table *b, size_t at)
{
    double most = 0, worst = 0;
    for (size_t im = 0; im < a->nm; im++, at += a->nd * a->nr) {
        double e = fabs(a->g[at] - b->g[at]);
        worst = larger_error(worst, e);
        most = fmax(most, fabs(b->g[at]));
    }
    return worst / most;
}

/* first: of Delta; at Delta = 0 the table of pairs is what rounding leaves of terms that cancel. */
static inline double cuda_apart_short(const inner_table *a, const inner_table *b, size_t first)
{
    double worst = 0;
    for (size_t id = first; id < a->nd && a->delta[id] <= CUDA_SHORT; id++)
        for (size_t ir = 0; ir < a->nr && a->r[ir] <= CUDA_SHORT; ir++)
            for (size_t pol = 0; pol < NPOL; pol++) {
                double e = cuda_apart_at(a, b, (pol * a->nm * a->nd + id) * a->nr + ir);
                worst = larger_error(worst, e);
            }
    return worst;
}

/* ---- the paper's discretisation ---- */

static const int cuda_orders[] = {0, 1, 2, 3, 5}, cuda_even[] = {0, 2, 4};
static const double cuda_delta[] = {0, 0.15, 0.8, 2.1, 4};
static const double cuda_radius[] = {0,   0.02, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
                                     1,   1.1,  1.2,  1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2,   2.2,
                                     2.4, 2.6,  2.8,  3,   3.3, 3.6, 4,   5,   7,   10,  40};
enum {
    CUDA_ND = sizeof cuda_delta / sizeof *cuda_delta,
    CUDA_NR = sizeof cuda_radius / sizeof *cuda_radius
};

static inline inner_opts cuda_opts(double eps, double lam, int gauss, int phi)
{
    return (inner_opts){.eps = eps,
                        .lam = lam,
                        .nm = lam == 0.5 ? 3 : 5,
                        .m = lam == 0.5 ? cuda_even : cuda_orders,
                        .nd = CUDA_ND,
                        .nr = CUDA_NR,
                        .delta = cuda_delta,
                        .r = cuda_radius,
                        .s_max = 30 / eps,
                        .n_gauss = gauss,
                        .n_phi = phi};
}

/* Odd numbers of angles and nodes, more than one tile of each, every frame and kind of dipole. */
static const struct {
    const char *dipole;
    double lam, eps;
    int gauss, phi;
} cuda_table_cases[] = {{"gbw", 0, 1.3, 9, 64},    {"gbw", 0.5, 1, 7, 70},
                        {"mv", 0, 1, 8, 64},       {"mv", 0.5, 4, 6, 66},
                        {"mv", 0.5, 4, 6, 13},     {"mvgamma", 0.3, 0.5, 5, 67},
                        {"table", 0, 1, 9, 12},    {"table", 0.5, 2, 5, 40},
                        {"table", 1, 0.2, 7, 130}, {"mve", 0, 0.1, 1, 10},
                        {"gbw", 0, 1, 5, 10},      {"mv:qg", 0.3, 1, 6, 34},
                        {"gbw:gg", 0.5, 1, 6, 34}, {"mv:Nc3", 0.3, 1, 6, 34},
                        {"gbw:Nc3", 0, 1, 6, 34},  {"mve:Nc3-singlet", 0.5, 1, 6, 34}};
enum { CUDA_TABLE_CASES = sizeof cuda_table_cases / sizeof *cuda_table_cases };

static inline void cuda_build(inner_table *t, const inner_opts *o, const dipole *d, int full,
                              gpu *g)
{
    cgct_err err = {""};
    CHAIN_REQUIRE(cuda_table_build(t, o, d, full, g, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(g->bytes == 0, "%zu bytes are left on the device\n", g->bytes);
}

/* Difference of both projections from the direct builder. */
static inline void cuda_table_case(int i, gpu *g, double difference[2])
{
    inner_opts o = cuda_opts(cuda_table_cases[i].eps, cuda_table_cases[i].lam,
                             cuda_table_cases[i].gauss, cuda_table_cases[i].phi);
    dipole *d = cuda_dipole(cuda_table_cases[i].dipole);
    inner_table want, got;
    CHAIN_REQUIRE(inner_direct(&want, &o, d, NULL) == CGCT_OK, "direct\n");
    for (int full = 0; full < 2; full++) {
        cuda_build(&got, &o, d, full, g);
        difference[full] = cuda_difference(&got, &want);
        inner_table_free(&got);
    }
    inner_table_free(&want);
    dipole_free(d);
}

/* ---- fused ---- */

enum { CUDA_NQ = 3, CUDA_NP = 4, CUDA_FUSED_CASES = 2 };
static const double cuda_q[CUDA_NQ] = {0.3, 1.1, 2.5}, cuda_P[CUDA_NP] = {0, 0.4, 0.9, 2};

/* One dipole of a plan against the direct builder's table and its transform.  A fitted tail
 * multiplies the rounding of the last nodes: then the largest mode of all (q,P) is the measure. */
static inline double cuda_fused_difference(cuda_fused_plan *p, const backend_transform *k,
                                           const dipole *d)
{
    const inner_opts *o = k->inner;
    size_t m = k->nq * k->np, per = o->nm * m;
    double *got = malloc(2 * NPOL * per * sizeof *got), *want = got + NPOL * per;
    double origin[NPOL], seconds[2] = {0, 0}, worst = 0;
    inner_table t;
    cgct_err err = {""};
    CHAIN_REQUIRE(cuda_fused_apply(p, d, got, origin, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(inner_direct(&t, o, d, NULL) == CGCT_OK, "direct\n");
    const backend_transform w = {o, k->nq, k->np, k->q, k->P, k->degree, k->tail};
    CHAIN_REQUIRE(hankel_transform(&t, &w, want, seconds, NULL) == CGCT_OK, "transform\n");
    for (size_t i = 0; i < NPOL * per; i++) {
        double most = 0, e = fabs(got[i] - want[i]);
        size_t first = i / per * per;
        for (size_t j = first + (k->tail ? 0 : i % m); j < first + per; j += k->tail ? 1 : m)
            most = fmax(most, fabs(want[j]));
        worst = larger_error(worst, e == 0 ? 0 : e / most);
    }
    for (int pol = 0; pol < NPOL; pol++)
        worst = larger_error(worst, fabs(origin[pol] / t.origin[pol] - 1));
    inner_table_free(&t);
    free(got);
    return worst;
}

/* One plan, two dipoles. */
static inline double cuda_fused_case(int i, gpu *g)
{
    static const double power[] = {2, 3};
    static const filon_tail_opts fitted = {6, 2, power};
    inner_opts o = cuda_opts(1.2, 0.5 * i, 6, 24);
    double r[CUDA_NR], worst = 0;
    for (int j = 0; j < CUDA_NR; j++) r[j] = 0.2 * j;
    o.r = r;
    dipole *d[2] = {cuda_dipole("gbw"), i ? chain_dipole("gbw", 1e-4) : cuda_dipole("table")};
    backend_transform task = {&o, CUDA_NQ, CUDA_NP, cuda_q, cuda_P, 4, i ? &fitted : NULL};
    cuda_fused_plan *p;
    cgct_err err = {""};
    CHAIN_REQUIRE(cuda_fused_init(&p, &task, g, &err) == CGCT_OK, "%s\n", err.text);
    for (int j = 0; j < 2; j++) worst = larger_error(worst, cuda_fused_difference(p, &task, d[j]));
    cuda_fused_free(p);
    for (int j = 0; j < 2; j++) dipole_free(d[j]);
    CHAIN_REQUIRE(g->bytes == 0, "%zu bytes are left on the device\n", g->bytes);
    return worst;
}

/* ---- separable ---- */

static const struct {
    const char *dipole, *settings;
    double eps;
    double q; /* the largest, and half of the largest P, GeV */
} cuda_separable_cases[] = {
    {"gbw", "accuracy.tolerance=1e-4", 1, 2},
    {"gbw", "accuracy.tolerance=1e-3 inner.lam=0 inner.modes=5", 2, 2},
    {"mv", "accuracy.tolerance=1e-6", 1, 2},
    {"mvgamma", "accuracy.tolerance=1e-3 inner.lam=0.3 inner.modes=9", 4, 2},
    {"table", "accuracy.tolerance=1e-3", 0.5, 2},
    {"table", "accuracy.tolerance=1e-2 inner.lam=0 inner.modes=7", 1, 2},
    {"mv:qg", "accuracy.tolerance=1e-3 inner.modes=9", 1, 2},
    {"mv:gg", "accuracy.tolerance=1e-3 inner.modes=8", 1, 2},
    {"mv:gg-pairs", "accuracy.tolerance=1e-3 inner.modes=8", 1, 2},
    {"mv:gg-field", "accuracy.tolerance=1e-3 inner.modes=8", 1, 2},
    {"mv:Nc3", "accuracy.tolerance=1e-3 accuracy.colours=10", 1, 2},
    {"gbw:Nc3", "accuracy.tolerance=1e-2 inner.lam=0 inner.modes=5", 2, 2},
    {"table:Nc3", "accuracy.tolerance=1e-2 accuracy.colours=10", 4, 2},
    {"mv:Nc3-singlet", "accuracy.tolerance=1e-2", 3, 2},
    /* columns of few and of many orders */
    {"mv", "accuracy.tolerance=1e-3 inner.modes=40", 0.3, 12},
    {"mv", "accuracy.tolerance=1e-3 inner.lam=0.3 inner.modes=60", 0.3, 12},
    {"mv:qg", "accuracy.tolerance=1e-2 inner.modes=41", 0.5, 12}};
enum { CUDA_SEPARABLE_CASES = sizeof cuda_separable_cases / sizeof *cuda_separable_cases };

typedef struct {
    config card;
    inner_grids g;
} cuda_grids;

/* Automatic grids for momenta up to q, of Delta and R every so manieth node; the first, 0, is one
 * of them. */
static inline void cuda_grids_init(cuda_grids *t, const dipole *d, const char *settings, double eps,
                                   double q, size_t every_delta, size_t every_r)
{
    cgct_err err = {""};
    chain_card(&t->card, settings);
    inner_grids_task task = {&t->card.run.node.inner, d, eps, q, 2 * q, 1};
    CHAIN_REQUIRE(inner_grids_init(&t->g, &task, &err) == CGCT_OK, "%s\n", err.text);
    size_t nd = 0, nr = 0;
    for (size_t i = 0; i < t->g.inner.nd; i += every_delta) {
        t->g.nm_delta[nd] = t->g.nm_delta[i];
        t->g.delta[nd++] = t->g.delta[i];
    }
    for (size_t i = 0; i < t->g.inner.nr; i += every_r) t->g.r[nr++] = t->g.r[i];
    t->g.inner.nd = nd;
    t->g.inner.nr = nr;
}

static inline void cuda_grids_free(cuda_grids *t)
{
    inner_grids_free(&t->g);
    config_free(&t->card);
}

static inline double cuda_separable_case(int i, gpu *g, double *at_points)
{
    dipole *d = cuda_dipole(cuda_separable_cases[i].dipole);
    cuda_grids t;
    inner_table want, got;
    cgct_err err = {""};
    const double q = cuda_separable_cases[i].q;
    cuda_grids_init(&t, d, cuda_separable_cases[i].settings, cuda_separable_cases[i].eps, q,
                    q > 2 ? 15 : 40, 9);
    CHAIN_REQUIRE(inner_separable(&want, &t.g.inner, d, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(cuda_separable_build(&got, &t.g.inner, d, g, &err) == CGCT_OK, "%s\n", err.text);
    CHAIN_REQUIRE(g->bytes == 0, "%zu bytes are left on the device\n", g->bytes);
    double e = cuda_difference(&got, &want);
    *at_points = cuda_apart_short(&got, &want, d->forward_parts == PARTS_PAIRS);
    if (got.rank != want.rank || got.single != want.single) e = INFINITY;
    inner_table_free(&want);
    inner_table_free(&got);
    cuda_grids_free(&t);
    dipole_free(d);
    return e;
}
/* ---- finished nodes ---- */

/* A tail of many terms multiplies the rounding of the last nodes by up to 1e4. */
#define CUDA_COARSE                                                                                \
    "inner.spacing=0.3 inner.step=0.5 inner.r_max=20 hankel.tail_terms=2 hankel.tail_nodes=6"

/* Of two gluons the table of pairs is tested above, but no node: at its small eps both builders sum
 * large terms that cancel, and agree to 1e-9. */
static const struct {
    const char *dipole, *settings;
    double eps;
} cuda_node_cases[] = {
    {"gbw", "accuracy.tolerance=1e-2 " CUDA_COARSE " table.m_max=9", 3},
    {"mv", "accuracy.tolerance=1e-2 " CUDA_COARSE " inner.modes=6", 2},
    {"mv:qg", "accuracy.tolerance=1e-2 " CUDA_COARSE " inner.modes=5", 2},
    {"table", "accuracy.tolerance=1e-2 " CUDA_COARSE " inner.modes=4 inner.lam=0", 5},
    {"table:Nc3", "accuracy.tolerance=1e-2 " CUDA_COARSE " inner.modes=4", 5},
    {"mv:gg-field", "accuracy.tolerance=1e-2 " CUDA_COARSE " inner.modes=5", 2}};
enum { CUDA_NODE_CASES = sizeof cuda_node_cases / sizeof *cuda_node_cases };
static const node_grid cuda_node_grid = {CUDA_NQ, 3, 3, cuda_q, 0.3, 3, NULL};

typedef struct {
    node_fields fields;
    node_report report;
} case_product;

static inline void case_product_free(case_product *p)
{
    node_fields_free(&p->fields);
}

/* The fields of one case by a backend; crew NULL: on the processor. */
static inline cgct_status case_product_make(int i, const char *name, gpu_crew *crew,
                                            case_product *out, cgct_err *err)
{
    config card;
    char text[512];
    const char *name_of = cuda_node_cases[i].dipole;
    const int table = !strncmp(name_of, "table", 5);
    dipole_opts o = {.kind = DIPOLE_TABLE, .path = TESTS_DIR "/refs/dipole_table.dat"};
    if (table && name_of[5]) chain_variant(name_of + 6, &o);
    dipole_source *s = NULL;
    *out = (case_product){.fields = {0}};
    if (table)
        CHAIN_REQUIRE(dipole_source_open(&s, &o, err) == CGCT_OK, "%s\n", err->text);
    else
        s = chain_source(name_of);
    snprintf(text, sizeof text, "%s inner.backend=%s", cuda_node_cases[i].settings, name);
    chain_card(&card, text);
    const backend_set builders = cuda_backends(crew);
    node_task task = {.settings = &card.run.node,
                      .source = s,
                      .x = table ? 1e-3 : 0.01,
                      .eps = cuda_node_cases[i].eps,
                      .nq = CUDA_NQ,
                      .q = cuda_q,
                      .grid = &cuda_node_grid,
                      .forward = strstr(name_of, "gg-") != NULL,
                      .builders = &builders};
    cgct_status st = node_compute(&task, NULL, &out->fields, &out->report, err);
    config_free(&card);
    dipole_source_close(s);
    return st;
}

/* Largest difference of a[n] from b[n], of the largest in b; NaN counts as infinite. */
static inline double cuda_numbers_apart(size_t n, const double *a, const double *b)
{
    double most = 0, worst = 0;
    for (size_t i = 0; i < n; i++) {
        double e = fabs(a[i] - b[i]);
        worst = larger_error(worst, e);
        most = fmax(most, fabs(b[i]));
    }
    return worst / most;
}

/* Makes of l, r_m and the error over e^l, in place, e^l, e^l r_m and the error. */
static inline void cuda_undo_ratios(node_fields *f)
{
    const size_t plane = f->nq * f->nk;
    for (size_t i = 0; i < NPOL * plane; i++) {
        double *at = f->value + i / plane * f->nm * plane + i % plane, mean = exp(*at);
        *at = mean;
        for (size_t m = 1; m < f->nm; m++) at[m * plane] *= mean;
        f->error[i] *= mean;
    }
}

/* The worse of coefficients and of errors; both are changed by cuda_undo_ratios. */
static inline double case_product_apart(case_product *a, case_product *b)
{
    node_fields *f = &a->fields, *g = &b->fields;
    size_t points = NPOL * f->nq * f->nk;
    if (f->nm != g->nm || a->report.rank != b->report.rank) return INFINITY;
    cuda_undo_ratios(f);
    cuda_undo_ratios(g);
    const double apart = larger_error(0, cuda_numbers_apart(points * f->nm, f->value, g->value));
    return larger_error(apart, cuda_numbers_apart(points, f->error, g->error));
}

static inline double cuda_node_case(int i, gpu_crew *crew)
{
    case_product got, want;
    cgct_err err = {""};
    CHAIN_REQUIRE(case_product_make(i, "cuda-separable", crew, &got, &err) == CGCT_OK, "%s\n",
                  err.text);
    CHAIN_REQUIRE(case_product_make(i, "separable", NULL, &want, &err) == CGCT_OK, "%s\n",
                  err.text);
    double e = case_product_apart(&got, &want);
    if (!(fabs(got.report.sum_rule - want.report.sum_rule) < 1e-10)) e = INFINITY;
    case_product_free(&got);
    case_product_free(&want);
    return e;
}
#endif
