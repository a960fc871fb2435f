/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What node_compute is asked for: fields that agree with points; tasks, grids and points that it
 * refuses. */
#include "check_rel.h"
#include "chain.h"
#include "node/passes.h"
#include "run_suite.h"

#define X_GBW 0.01
#define TOL_FIELDS 1e-6 /* accuracy.tolerance; coefficients below a tenth of it are dropped */

/* ---- fields and points ---- */

/* Both of one node, between the angles that the fields come from. */
START_TEST(fields_and_points)
{
    static const double q[] = {1, 2.5};
    const node_grid grid = {2, 3, 3, q, 0.3, 6, NULL};
    cgct_err err = {""};
    config card;
    node_tables *computed;
    node_fields f;
    dipole_source *src = chain_source(_i ? "mv" : "gbw");
    chain_card(&card, _i ? "table.m_max=20" : "");
    const backend_set builders = cuda_backends(NULL);
    const node_task task = {.settings = &card.run.node,
                            .source = src,
                            .x = 0.01,
                            .eps = _i ? 1 : 4,
                            .nq = 2,
                            .q = q,
                            .grid = &grid,
                            .builders = &builders};
    cgct_status st = node_compute(&task, &computed, &f, NULL, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    ck_assert(f.nq == 2 && f.nk == 6 && f.nm <= (_i ? 21 : 32));
    for (size_t i = 0; i < 2 * 6; i++) {
        double k = node_grid_k(&grid, i / 6, i % 6), top = node_grid_top(&grid, i / 6, i % 6);
        for (int j = 0; j <= 20; j++) {
            double t = cos(M_PI * j / 20), I[2], error[2];
            double theta = acos(fmin((1 + t) * (1 + top) / 2 - 1, 1));
            st = node_point(computed, i / 6, k, theta, I, error, &err);
            ck_assert_msg(st == CGCT_OK, "%s", err.text);
            for (size_t pol = 0; pol < 2; pol++) {
                const double *at = f.value + pol * f.nm * 12 + i;
                double sum = 1, mean = exp(*at);
                for (size_t m = 1; m < f.nm; m++)
                    sum += at[m * 12] * cos((double)m * M_PI * j / 20);
                const double bound = f.error[pol * 12 + i] * node_bound_unit(sum);
                ck_assert_msg(fabs(sum - I[pol] / mean) <= bound, "q %g k %g: off by %g, bound %g",
                              q[i / 6], k, sum - I[pol] / mean, bound);
                CHECK_ABS(sum, I[pol] / mean, TOL_FIELDS);
            }
        }
    }
    node_fields_free(&f);
    node_tables_free(computed);
    config_free(&card);
    dipole_source_close(src);
}
END_TEST

/* ---- three colours ---- */

/* A device that is there and makes no table at any Nc. */
static cgct_status is_there(int device, cgct_err *why)
{
    (void)device;
    (void)why;
    return CGCT_OK;
}
static cgct_status refuses(inner_table *t, const inner_opts *o, const dipole *d, cgct_err *err)
{
    (void)t;
    (void)o;
    (void)d;
    return cgct_fail(err, CGCT_E_DEVICE, "three colours are not for this device");
}
static size_t no_bytes(const inner_opts *o)
{
    (void)o;
    return 0;
}

#define DIRECT                                                                                     \
    "inner.delta_grid=uniform inner.delta_n=20 inner.r_grid=uniform inner.r_n=24 "                 \
    "inner.delta_max=2 inner.r_max=6 inner.s_max=3 inner.gauss_n=24 inner.phi_n=32 inner.modes=8 " \
    "hankel.tail_nodes=4 hankel.tail_terms=2 hankel.degree=4"

/* I at one point for three colours, by a builder of the set. */
static void three_colours(const backend_set *set, const char *name, double I[NPOL])
{
    static const double q = 1;
    config card;
    cgct_err err = {""};
    node_tables *n;
    node_report rep;
    double error[NPOL];
    char settings[512];
    dipole_source *src = chain_source_Nc("mve", 3);
    snprintf(settings, sizeof settings, "accuracy.tolerance=1e-3 inner.backend=%s %s", name,
             strcmp(name, "direct") ? "" : DIRECT);
    chain_card(&card, settings);
    const node_task task = {.settings = &card.run.node,
                            .source = src,
                            .x = 0.01,
                            .eps = 10,
                            .nq = 1,
                            .q = &q,
                            .k_max = 2,
                            .builders = set};
    ck_assert_msg(node_compute(&task, &n, NULL, &rep, &err) == CGCT_OK, "%s", err.text);
    ck_assert_int_eq(node_point(n, 0, 1, 1, I, error, &err), CGCT_OK);
    ck_assert((n->next == NULL) == !strcmp(name, "direct"));
    ck_assert(!*rep.fallback == (strcmp(name, "auto") != 0));
    node_tables_free(n);
    config_free(&card);
    dipole_source_close(src);
}

/* The same where a device refuses them; a builder that makes the whole table at once is far off on
 * so few nodes, and nothing is added to it. */
START_TEST(colours_by_builder)
{
    static const backend fake = {.name = "fake",
                                 .doc = "refuses",
                                 .usable = is_there,
                                 .bytes_needed = no_bytes,
                                 .run = refuses};
    static const backend *const row[] = {&backend_direct, &backend_separable, &fake, NULL};
    const backend_set set = {.row = row};
    double separable[NPOL], automatic[NPOL], direct[NPOL];
    three_colours(&set, "separable", separable);
    three_colours(&set, "auto", automatic);
    three_colours(&set, "direct", direct);
    for (int pol = 0; pol < NPOL; pol++) {
        ck_assert_double_eq(automatic[pol], separable[pol]);
        ck_assert(direct[pol] > separable[pol] / 10 && direct[pol] < 10 * separable[pol]);
    }
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *settings;
    double eps, q, k_max;
    const char *words;
} refused[] = {{"", 0, 1, 1, "eps = 0"},
               {"", NAN, 1, 1, "eps = nan"},
               {"", 1, 0, 1, "q[0] = 0"},
               {"", 1, INFINITY, 1, "q[0] = inf"},
               {"", 1, NAN, 1, "q[0] = nan"},
               {"", 1, 1, 0, "k1 = 0"},
               {"", 1, 1, NAN, "k1 = nan"},
               {"inner.backend=abacus", 1, 1, 1, "no backend 'abacus'"},
               {"inner.r_grid=uniform", 1, 1, 1, "inner.r_n"}};

START_TEST(bad_tasks)
{
    config card;
    cgct_err err = {""};
    node_tables *p = NULL;
    dipole_source *src = chain_source("gbw");
    chain_card(&card, refused[_i].settings);
    node_task task = {.settings = &card.run.node,
                      .source = src,
                      .x = X_GBW,
                      .eps = refused[_i].eps,
                      .nq = 1,
                      .q = &refused[_i].q,
                      .k_max = refused[_i].k_max};
    ck_assert(node_compute(&task, &p, NULL, NULL, &err) != CGCT_OK);
    ck_assert_msg(strstr(err.text, refused[_i].words) != NULL, "'%s' not in '%s'",
                  refused[_i].words, err.text);
    ck_assert(p == NULL);
    config_free(&card);
    dipole_source_close(src);
}
END_TEST

/* The grid of fields: too few momenta, a bad scale, other q than the node. */
static const struct {
    node_grid grid;
    const char *words;
} bad_grid[] = {{{1, 1, 2, NULL, 0.3, 3, NULL}, "1 and 2 momenta"},
                {{1, 2, 0, NULL, 0.3, 3, NULL}, "2 and 0 momenta"},
                {{1, 2, 2, NULL, 0, 3, NULL}, "k0 = 0"},
                {{1, 2, 2, NULL, 0.3, NAN, NULL}, "k_max = nan"},
                {{2, 2, 2, NULL, 0.3, 3, NULL}, "other q"},
                {{0, 2, 2, NULL, 0.3, 3, NULL}, "other q"}};

START_TEST(bad_grids)
{
    const double q[2] = {1, 2};
    cgct_err err = {""};
    config card;
    node_fields f;
    node_grid grid = bad_grid[_i].grid;
    dipole_source *src = chain_source("gbw");
    chain_card(&card, "");
    grid.q = q;
    const node_task task = {.settings = &card.run.node,
                            .source = src,
                            .x = X_GBW,
                            .eps = 1,
                            .nq = 1,
                            .q = q,
                            .grid = &grid};
    ck_assert_int_eq(node_compute(&task, NULL, &f, NULL, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, bad_grid[_i].words) != NULL, "'%s'", err.text);
    ck_assert(f.value == NULL);
    config_free(&card);
    dipole_source_close(src);
}
END_TEST

/* What a small change of the dipole does is the difference of the coarser computations of two
 * nodes, of which one has the finer one, too: their grids must be the same, also where q << Qs. */
START_TEST(coarser_alone)
{
    static const double q[] = {1, 0.02};
    dipole_source *src = chain_source("gbw");
    config card;
    cgct_err err = {""};
    chain_card(&card, "accuracy.tolerance=1e-3");
    for (int i = 0; i < 2; i++) {
        node_tables *n[2];
        double I[2][NPOL];
        for (int alone = 0; alone < 2; alone++) {
            const node_task task = {.settings = &card.run.node,
                                    .source = src,
                                    .x = X_GBW,
                                    .eps = 1,
                                    .nq = 1,
                                    .q = &q[i],
                                    .k_max = 5,
                                    .coarser_only = alone};
            ck_assert_msg(node_compute(&task, &n[alone], NULL, NULL, &err) == CGCT_OK, "%s",
                          err.text);
            ck_assert_int_eq(node_point_coarser(n[alone], 0, 4, 0.5, I[alone], &err), CGCT_OK);
        }
        for (int pol = 0; pol < NPOL; pol++) CHECK_REL(I[1][pol], I[0][pol], 1e-11);
        ck_assert_int_eq(node_point(n[1], 0, 4, 0.5, I[1], I[0], &err), CGCT_E_RANGE);
        node_tables_free(n[0]);
        node_tables_free(n[1]);
    }
    config_free(&card);
    dipole_source_close(src);
}
END_TEST

START_TEST(bad_points)
{
    const double q = 1, bad[] = {-1, 3.001, NAN, INFINITY};
    double I[2], error[2];
    cgct_err err = {""};
    dipole_source *src = chain_source("gbw");
    node_tables *p = chain_node(src, "", X_GBW, 10, 1, &q, 3, NULL);
    ck_assert_int_eq(node_point(p, 0, 3, 0, I, error, NULL), CGCT_OK);
    ck_assert_int_eq(node_point(p, 1, 1, 0, I, error, &err), CGCT_E_RANGE);
    ck_assert_int_eq(node_point(p, 0, 1, NAN, I, error, &err), CGCT_E_RANGE);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(node_point(p, 0, bad[i], 0, I, error, &err), CGCT_E_RANGE);
        ck_assert_msg(strstr(err.text, "[0, 3]") != NULL, "'%s'", err.text);
    }
    node_tables_free(p);
    node_tables_free(NULL);
    dipole_source_close(src);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("node_tasks");
    TCase *t = tcase_create("node_tasks");
    tcase_set_timeout(t, chain_long() ? 3000 : 300);
    tcase_add_loop_test(t, fields_and_points, 0, 2);
    tcase_add_test(t, colours_by_builder);
    tcase_add_loop_test(t, bad_tasks, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(t, bad_grids, 0, (int)(sizeof bad_grid / sizeof *bad_grid));
    tcase_add_test(t, coarser_alone);
    tcase_add_test(t, bad_points);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
