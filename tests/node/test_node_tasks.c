/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What node_compute is asked for: modes that agree with points, and tasks and points it refuses. */
#include "check_rel.h"
#include "chain.h"
#include "run_suite.h"

#define X_GBW 0.01
#define TOL_MODES 1e-6 /* accuracy.tolerance, below which modes are dropped */

/* ---- modes ---- */

START_TEST(modes_and_points)
{
    static const double q[] = {1, 2.5}, k[] = {0.4, 1.25, 2.5, 6};
    const double eps = _i ? 1 : 4;
    cgct_err err = {""};
    config card;
    node_tables *computed;
    node_modes modes;
    dipole_source *src = chain_source(_i ? "mv" : "gbw");
    chain_card(&card, "");
    const backend_set builders = cuda_backends(NULL);
    const node_task task = {.settings = &card.run.node,
                            .source = src,
                            .x = 0.01,
                            .eps = eps,
                            .nq = 2,
                            .nk = 4,
                            .q = q,
                            .k = k,
                            .k_max = 6,
                            .builders = &builders};
    cgct_status st = node_compute(&task, &computed, &modes, NULL, &err);
    ck_assert_msg(st == CGCT_OK, "%s", err.text);
    for (size_t iq = 0; iq < 2; iq++)
        for (size_t ik = 0; ik < 4; ik++) {
            double top[2] = {0, 0}, off[2] = {0, 0};
            for (int it = 0; it < 40; it++) {
                double theta = -3 + 0.17 * it, I[2], error[2];
                st = node_point(computed, iq, k[ik], theta, I, error, &err);
                ck_assert_msg(st == CGCT_OK, "%s", err.text);
                for (size_t pol = 0; pol < 2; pol++) {
                    const double *m = modes.value + ((pol * 2 + iq) * 4 + ik) * modes.nm;
                    double sum = 2 * M_PI * m[0];
                    for (size_t i = 1; i < modes.nm; i++)
                        sum += 4 * M_PI * (i & 1 ? -1 : 1) * cos((double)i * theta) * m[i];
                    top[pol] = fmax(top[pol], fabs(I[pol]));
                    if (!(fabs(sum - I[pol]) <= off[pol])) off[pol] = fabs(sum - I[pol]);
                }
            }
            for (size_t pol = 0; pol < 2; pol++) {
                double bound = modes.error[(pol * 2 + iq) * 4 + ik];
                ck_assert_msg(off[pol] <= bound, "q %g k1 %g: %zu modes miss by %g, bound %g",
                              q[iq], k[ik], modes.nm, off[pol], bound);
                CHECK_ABS(off[pol], 0.0, TOL_MODES * top[pol]);
            }
        }
    node_modes_free(&modes);
    node_tables_free(computed);
    config_free(&card);
    dipole_source_close(src);
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

START_TEST(bad_points)
{
    static const char settings[] = "modes.m_max=20 modes.n_theta=10";
    const double q = 1, bad[] = {-1, 3.001, NAN, INFINITY};
    double I[2], error[2];
    cgct_err err = {""};
    config card;
    node_modes modes;
    dipole_source *src = chain_source("gbw");
    node_tables *p = chain_node(src, settings, X_GBW, 10, 1, &q, 3, NULL);
    chain_card(&card, settings);
    node_task task = {.settings = &card.run.node,
                      .source = src,
                      .x = X_GBW,
                      .eps = 10,
                      .nq = 1,
                      .nk = 1,
                      .q = &q,
                      .k = &q,
                      .k_max = 3};
    ck_assert_int_eq(node_point(p, 0, 3, 0, I, error, NULL), CGCT_OK);
    ck_assert_int_eq(node_point(p, 1, 1, 0, I, error, &err), CGCT_E_RANGE);
    ck_assert_int_eq(node_point(p, 0, 1, NAN, I, error, &err), CGCT_E_RANGE);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(node_point(p, 0, bad[i], 0, I, error, &err), CGCT_E_RANGE);
        task.k = &bad[i];
        ck_assert_int_eq(node_compute(&task, NULL, &modes, NULL, &err), CGCT_E_RANGE);
        ck_assert_msg(strstr(err.text, "[0, 3]") != NULL, "'%s'", err.text);
    }
    task.k = &q;
    ck_assert_int_eq(node_compute(&task, NULL, &modes, NULL, &err), CGCT_E_CONFIG);
    ck_assert_msg(strstr(err.text, "modes.n_theta") != NULL, "'%s'", err.text);
    config_free(&card);
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
    tcase_add_loop_test(t, modes_and_points, 0, 2);
    tcase_add_loop_test(t, bad_tasks, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, bad_points);
    suite_add_tcase(s, t);
    return run_suite(s) != 0;
}
